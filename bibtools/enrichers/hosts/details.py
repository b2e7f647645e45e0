"""What a software entry needs and a host's first answer may lack: CITATION.cff and the newest commit."""

from typing import TYPE_CHECKING

from msgspec import structs

from bibtools.enrichers.hosts.base import Target, unless_over
from bibtools.enrichers.hosts.git import check_refs
from bibtools.errors import FetchError
from bibtools.outcomes import LinkCheck, LinkFacts

if TYPE_CHECKING:
    from bibtools.transport import Client

FILE = "CITATION.cff"
RAW = {
    "github": "https://raw.githubusercontent.com/{name}/HEAD/{file}",
    "gitlab": "https://{site}/{name}/-/raw/HEAD/{file}",
    "forgejo": "https://{site}/{name}/raw/branch/{branch}/{file}",
    "bitbucket": "https://bitbucket.org/{name}/raw/HEAD/{file}",
}
"""Where a host serves a file at the root of the default branch, by host module."""
GIT = frozenset({*RAW, "git"})
LONGEST = 65_536


def complete(client: "Client", target: Target, check: LinkCheck, *, has_cff: bool) -> LinkCheck:
    """Return the verdict on a living repository with CITATION.cff and newest commit among its facts.

    What cannot be had stays unset.

    Args:
        has_cff: the host's first answer would have held the file if there were one.
    Raises:
        FetchError: the run is over.
    """
    facts = check.facts
    if check.outcome != "available" or facts is None or target.host not in GIT or "empty" in check.flags:
        return check
    if not facts.commit:
        facts = add_commit(client, target, check, facts)
    if not facts.citation_cff and not has_cff and target.host in RAW:
        facts = structs.replace(facts, citation_cff=fetch_cff(client, target, facts))
    return structs.replace(check, facts=facts)


def add_commit(client: "Client", target: Target, check: LinkCheck, facts: LinkFacts) -> LinkFacts:
    """Return the facts with the newest commit of the default branch, as git tells it."""
    home = structs.replace(target, url=check.moved_to or target.url)
    try:
        found = check_refs(client, home).facts
    except FetchError as error:
        unless_over(error)
        return facts
    if found is None:
        return facts
    return structs.replace(
        facts, commit=found.commit, default_branch=facts.default_branch or found.default_branch
    )


def fetch_cff(client: "Client", target: Target, facts: LinkFacts) -> str:
    """Return the text of CITATION.cff; empty where there is none, or none of a reasonable size."""
    branch = facts.default_branch or "main"
    url = RAW[target.host].format(site=target.site, name=facts.name, branch=branch, file=FILE)
    try:
        reply = client.get(url, accept="text/plain,*/*;q=0.5", max_bytes=LONGEST, keep=True)
    except FetchError as error:
        unless_over(error)
        return ""
    usable = reply.status == 200 and not reply.truncated and "html" not in reply.media_type
    return reply.text if usable else ""
