"""Gists: over REST with a token, by git's endpoint without one.

Source: GitHub's REST reference, "Get a gist".
"""

import re
from typing import TYPE_CHECKING

from bibtools.enrichers.hosts.base import (
    UNAVAILABLE_FOR_LEGAL_REASONS,
    Desk,
    OneByOne,
    Target,
    available,
    blocked,
    missing,
    record_of,
    text_of,
    unsure,
)
from bibtools.enrichers.hosts.git import check_refs
from bibtools.enrichers.hosts.github import ACCEPT, API, VERSION, block_reason
from bibtools.outcomes import LinkCheck, LinkFacts, LinkFlag

if TYPE_CHECKING:
    from bibtools.transport import Reply

ADDRESS = re.compile(
    r"https://gist\.github\.com/(?:([\w-]{1,39})/)?([0-9a-f]{5,40})(?:\.git|[/?#].*)?",
    re.IGNORECASE | re.DOTALL,
)


class Gist(OneByOne):
    """Gists on gist.github.com."""

    name = "gist"
    lane = "gist.github.com"

    def target(self, url: str) -> Target | None:
        """Return the target of a gist's address."""
        found = ADDRESS.fullmatch(url)
        if not found:
            return None
        owner, number = found[1] or "", found[2].lower()
        home = "/".join(filter(None, ("https://gist.github.com", owner, number)))
        return Target(f"https://gist.github.com/{number}", home, self.name, owner, number, "gist.github.com")

    def check(self, target: Target, desk: Desk) -> LinkCheck:
        """Return the verdict on one gist."""
        if not desk.has_github_token:
            return check_refs(desk.client, Target(target.key, target.key, self.name))
        reply = desk.client.get(f"{API}/gists/{target.name}", accept=ACCEPT, headers=VERSION, keep=True)
        if reply.status == 200:
            return read_gist(reply, target)
        if reply.status == 404:
            return missing(reply, "no such gist")
        reason = block_reason(reply)
        if reply.status == UNAVAILABLE_FOR_LEGAL_REASONS or reason:
            return blocked(reply, reason or "blocked for legal reasons")
        return unsure(reply)


def read_gist(reply: "Reply", target: Target) -> LinkCheck:
    """Return the verdict on a gist that REST describes."""
    record = record_of(reply)
    owner = text_of(record, "owner", "login")
    moved = bool(target.owner) and bool(owner) and owner.lower() != target.owner.lower()
    files = record.get("files")
    flags: list[LinkFlag] = ["moved"] if moved else []
    if isinstance(files, dict) and not files:
        flags.append("empty")
    facts = LinkFacts(
        name="/".join(filter(None, (owner, target.name))),
        host_id=target.name,
        description=text_of(record, "description"),
        last_push=text_of(record, "updated_at"),
    )
    return available(reply, facts, flags, f"https://gist.github.com/{owner}/{target.name}" if moved else "")
