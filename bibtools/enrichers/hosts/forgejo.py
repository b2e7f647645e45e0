"""Codeberg and other Forgejo or Gitea servers by their REST interface. Source: Forgejo's API, `repoGet`."""

import re
from typing import TYPE_CHECKING

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
from bibtools.enrichers.hosts.challenges import is_challenge
from bibtools.enrichers.hosts.git import check_refs
from bibtools.outcomes import LinkCheck, LinkFacts, LinkFlag
from bibtools.text.urls import repository_of

if TYPE_CHECKING:
    from bibtools.transport import Reply

HOST = re.compile(r"codeberg\.org|gitea\.com|git\.disroot\.org|code\.forgejo\.org|v\d+\.next\.forgejo\.org")


class Forgejo(OneByOne):
    """Repositories on Codeberg and its like."""

    name = "forgejo"
    lane = "codeberg.org"

    def target(self, url: str) -> Target | None:
        """Return the target of an address of a repository, or of something in it."""
        repository = repository_of(url)
        if repository is None or not HOST.fullmatch(repository.host):
            return None
        owner, name, host = repository.owner, repository.name, repository.host
        return Target(repository.url.lower(), repository.url, self.name, owner, name, host)

    def check(self, target: Target, desk: Desk) -> LinkCheck:
        """Return the verdict on one repository; a bot page before the interface leaves git's endpoint."""
        url = f"https://{target.site}/api/v1/repos/{target.owner}/{target.name}"
        reply = desk.client.get(url, accept="application/json", keep=True)
        if reply.status == 200 and "html" not in reply.media_type:
            return read_repository(reply, target)
        if is_challenge(reply) or "html" in reply.media_type:
            return check_refs(desk.client, target)
        return missing(reply, "no public repository of this name") if reply.status == 404 else unsure(reply)


def read_repository(reply: "Reply", target: Target) -> LinkCheck:
    """Return the verdict on a repository that the interface describes."""
    record = record_of(reply)
    name = required(reply, record, "full_name")
    moved = name.lower() != f"{target.owner}/{target.name}".lower()
    checks: list[tuple[bool, LinkFlag]] = [
        (moved, "moved"),
        (is_true(record, "archived"), "archived"),
        (is_true(record, "empty"), "empty"),
        (is_true(record, "fork"), "fork"),
    ]
    if is_true(record, "private"):
        return missing(reply, "private: only your token may see it")
    facts = LinkFacts(
        name=name,
        host_id=text_of(record, "id"),
        description=text_of(record, "description"),
        homepage=text_of(record, "website"),
        language=text_of(record, "language"),
        default_branch=text_of(record, "default_branch"),
        last_push=text_of(record, "updated_at"),
        stars=number_of(record, "stars_count"),
        parent=text_of(record, "parent", "full_name"),
    )
    flags = [flag for holds, flag in checks if holds]
    return available(reply, facts, flags, f"https://{target.site}/{name}" if moved else "")
