"""GitLab, gitlab.com and others, by its REST interface.

Web pages of missing projects end at a log-in page with status 200, so only the interface is asked; where it
wants a log-in, git's own endpoint. Source: GitLab's REST documentation, "Get a single project".
"""

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from bibtools.enrichers.hosts.base import (
    Desk,
    OneByOne,
    Target,
    available,
    is_true,
    missing,
    number_of,
    record_of,
    required,
    text_of,
    unsure,
)
from bibtools.enrichers.hosts.git import check_refs
from bibtools.outcomes import LinkCheck, LinkFacts, LinkFlag
from bibtools.text.urls import repository_of

if TYPE_CHECKING:
    from bibtools.transport import Reply

HOST = re.compile(r"gitlab\..+|framagit\.org|salsa\.debian\.org")
ASKS_LOGIN = frozenset({401, 403})


class GitLab(OneByOne):
    """Projects on GitLab."""

    name = "gitlab"
    lane = "gitlab.com"

    def target(self, url: str) -> Target | None:
        """Return the target of an address of a project, or of something in it."""
        repository = repository_of(url)
        if repository is None or not HOST.fullmatch(repository.host):
            return None
        owner, name, host = repository.owner, repository.name, repository.host
        return Target(repository.url.lower(), repository.url, self.name, owner, name, host)

    def check(self, target: Target, desk: Desk) -> LinkCheck:
        """Return the verdict on one project."""
        path = quote(f"{target.owner}/{target.name}", safe="")
        reply = desk.client.get(
            f"https://{target.site}/api/v4/projects/{path}?license=true", accept="application/json", keep=True
        )
        if reply.status == 200:
            return read_project(reply, target)
        if reply.status in ASKS_LOGIN:
            return check_refs(desk.client, target)
        return missing(reply, "no public project of this name") if reply.status == 404 else unsure(reply)


def read_project(reply: "Reply", target: Target) -> LinkCheck:
    """Return the verdict on a project that the interface describes."""
    record = record_of(reply)
    name = required(reply, record, "path_with_namespace")
    moved = name.lower() != f"{target.owner}/{target.name}".lower()
    is_empty = is_true(record, "empty_repo") or (
        "default_branch" in record and record["default_branch"] is None
    )
    checks: list[tuple[bool, LinkFlag]] = [
        (moved, "moved"),
        (is_true(record, "archived"), "archived"),
        (is_empty, "empty"),
        (isinstance(record.get("forked_from_project"), dict), "fork"),
    ]
    flags = [flag for holds, flag in checks if holds]
    return available(reply, project_facts(record), flags, text_of(record, "web_url") if moved else "")


def project_facts(record: dict[str, Any]) -> LinkFacts:
    """Return the facts in a project object."""
    return LinkFacts(
        name=text_of(record, "path_with_namespace"),
        host_id=text_of(record, "id"),
        description=text_of(record, "description"),
        licence=text_of(record, "license", "key"),
        default_branch=text_of(record, "default_branch"),
        last_push=text_of(record, "last_activity_at"),
        stars=number_of(record, "star_count"),
        parent=text_of(record, "forked_from_project", "path_with_namespace"),
    )
