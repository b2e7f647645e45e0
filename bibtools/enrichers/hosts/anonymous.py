"""Anonymous copies for reviewers on anonymous.4open.science.

Its pages answer 200 to anything; its interface tells. Source: the answers of the open-source server behind it
(tdurieux/anonymous_github): `repository_expired`, `repo_not_found`, `repository_not_ready`.
"""

import re
from typing import TYPE_CHECKING

from bibtools.enrichers.hosts.base import (
    Desk,
    OneByOne,
    Target,
    available,
    missing,
    record_of,
    text_of,
    unsure,
)
from bibtools.enrichers.hosts.challenges import is_challenge
from bibtools.errors import FetchError
from bibtools.outcomes import LinkCheck, LinkFacts, LinkFlag
from bibtools.text.urls import normalise_url, repository_of

if TYPE_CHECKING:
    from bibtools.transport import Reply

ADDRESS = re.compile(
    r"https://anonymous\.4open\.science/(?:r|repository)/([\w.-]{1,100})(?:[/?#].*)?", re.DOTALL
)
REASONS = {
    "repository_expired": "the copy for reviewers has expired",
    "repository_not_ready": "the copy for reviewers is being prepared",
    "rate_limited": "the host asks to slow down",
}


class Anonymous(OneByOne):
    """Review copies on anonymous.4open.science."""

    name = "anonymous-4open"
    lane = "anonymous.4open.science"

    def target(self, url: str) -> Target | None:
        """Return the target of a review copy's address, or of a file in it."""
        found = ADDRESS.fullmatch(url)
        if not found:
            return None
        home = f"https://anonymous.4open.science/r/{found[1]}"
        return Target(home, home, self.name, "", found[1], self.lane)

    def check(self, target: Target, desk: Desk) -> LinkCheck:
        """Return the verdict on one review copy."""
        url = f"https://anonymous.4open.science/api/repo/{target.name}/options"
        reply = desk.client.get(url, accept="application/json")
        error = error_of(reply)
        if reply.status == 200 and not error:
            return read_options(reply)
        if reply.status == 410 or error == "repository_expired":
            reason = REASONS["repository_expired"]
            return LinkCheck("expired", reason=reason, evidence=(reply.evidence(error),))
        if reply.status == 404:
            return missing(reply, "no such copy for reviewers")
        return unsure(reply, REASONS.get(error, ""))


def read_options(reply: "Reply") -> LinkCheck:
    """Return the verdict on a copy that is there; its owner may have let it lead to the real repository."""
    leads_to = repository_of(normalise_url(text_of(record_of(reply), "url")))
    flags: list[LinkFlag] = ["moved"] if leads_to else []
    return available(reply, LinkFacts(), flags, leads_to.url if leads_to else "", "a copy for reviewers")


def error_of(reply: "Reply") -> str:
    """Return the error word of an answer, or an empty string.

    Raises:
        FetchError: the answer is a page that checks for bots.
    """
    if is_challenge(reply):
        raise FetchError("a page for bots came", reply.url, "challenged")
    try:
        return text_of(record_of(reply), "error")
    except FetchError:
        if reply.status == 200:
            raise
        return ""
