"""Bitbucket Cloud by its REST interface; git's endpoint ekes out its 60 anonymous requests an hour.

Source: Bitbucket Cloud's REST documentation, "Get a repository".
"""

from typing import TYPE_CHECKING

from bibtools.enrichers.hosts.base import (
    Desk,
    OneByOne,
    Target,
    available,
    is_true,
    missing,
    record_of,
    required,
    text_of,
    unsure,
)
from bibtools.enrichers.hosts.git import check_refs
from bibtools.errors import FetchError
from bibtools.outcomes import LinkCheck, LinkFacts, LinkFlag
from bibtools.text.urls import repository_of

if TYPE_CHECKING:
    from bibtools.transport import Reply

API = "https://api.bitbucket.org/2.0/repositories"


class Bitbucket(OneByOne):
    """Repositories on bitbucket.org."""

    name = "bitbucket"
    lane = "api.bitbucket.org"

    def target(self, url: str) -> Target | None:
        """Return the target of an address of a repository, or of something in it."""
        repository = repository_of(url)
        if repository is None or repository.host != "bitbucket.org":
            return None
        owner, name = repository.owner, repository.name
        return Target(repository.url.lower(), repository.url, self.name, owner, name, "api.bitbucket.org")

    def check(self, target: Target, desk: Desk) -> LinkCheck:
        """Return the verdict on one repository."""
        try:
            reply = desk.client.get(
                f"{API}/{target.owner}/{target.name}", accept="application/json", keep=True
            )
        except FetchError as error:
            if error.kind != "throttled":
                raise
            return check_refs(desk.client, target)
        if reply.status == 200:
            return read_repository(reply, target)
        if reply.status == 403:
            return missing(reply, "private")
        if reply.status in {404, 410}:
            return missing(reply, "no public repository of this name")
        return unsure(reply)


def read_repository(reply: "Reply", target: Target) -> LinkCheck:
    """Return the verdict on a repository that the interface describes."""
    record = record_of(reply)
    name = required(reply, record, "full_name")
    moved = name.lower() != f"{target.owner}/{target.name}".lower()
    checks: list[tuple[bool, LinkFlag]] = [
        (moved, "moved"),
        ("mainbranch" in record and record["mainbranch"] is None, "empty"),
        (isinstance(record.get("parent"), dict), "fork"),
    ]
    if is_true(record, "is_private"):
        return missing(reply, "private: only your token may see it")
    facts = LinkFacts(
        name=name,
        host_id=text_of(record, "uuid"),
        description=text_of(record, "description"),
        homepage=text_of(record, "website"),
        language=text_of(record, "language"),
        default_branch=text_of(record, "mainbranch", "name"),
        last_push=text_of(record, "updated_on"),
        parent=text_of(record, "parent", "full_name"),
    )
    flags = [flag for holds, flag in checks if holds]
    return available(reply, facts, flags, f"https://bitbucket.org/{name}" if moved else "")
