"""Any git server by its smart HTTP advertisement: is it there, has it moved, is it empty, its newest commit.

One small request that counts against no API quota. Source: git's documentation, gitprotocol-http and
gitprotocol-common (pkt-lines, protocol version 0).
"""

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from bibtools import __version__
from bibtools.enrichers.hosts.base import (
    UNAVAILABLE_FOR_LEGAL_REASONS,
    Desk,
    OneByOne,
    Target,
    available,
    blocked,
    missing,
    unsure,
)
from bibtools.enrichers.hosts.challenges import is_challenge
from bibtools.errors import FetchError
from bibtools.outcomes import LinkCheck, LinkFacts, LinkFlag
from bibtools.text.urls import repository_of

if TYPE_CHECKING:
    from bibtools.transport import Client, Reply

SERVICE = "/info/refs?service=git-upload-pack"
ADVERTISEMENT = "application/x-git-upload-pack-advertisement"
USER_AGENT = f"git/2.47.0 bibtools/{__version__}"
"""Some servers answer git paths to clients named git only."""
FLUSH = b""
ENOUGH = 16_384
"""Bytes of an advertisement that are read: the first line says all that is wanted."""
SYMREF = re.compile(rb"symref=HEAD:refs/heads/(\S{1,250})")
REF = re.compile(rb"([0-9a-f]{40}(?:[0-9a-f]{24})?) (\S{1,1000})")


class Refs(Struct, frozen=True):
    """What an advertisement says."""

    empty: bool
    commit: str = ""
    """Newest commit of the default branch."""
    branch: str = ""


class GitHost(OneByOne):
    """Repositories on hosts without an API known here."""

    name = "git"
    lane = "git"

    def target(self, url: str) -> Target | None:
        """Return the target of an address that names a git repository."""
        repository = repository_of(url)
        if repository is None or repository.host.startswith("hg."):
            return None
        return Target(
            repository.url, repository.url, self.name, repository.owner, repository.name, repository.host
        )

    def check(self, target: Target, desk: Desk) -> LinkCheck:
        """Return the verdict on a repository by its advertisement alone."""
        return check_refs(desk.client, target)


def ask_refs(client: "Client", url: str) -> "Reply":
    """Return the answer of a repository's git endpoint."""
    return client.get(
        f"{url}.git{SERVICE}", headers={"User-Agent": USER_AGENT, "Pragma": "no-cache"}, max_bytes=ENOUGH
    )


def check_refs(client: "Client", target: Target) -> LinkCheck:
    """Return the verdict that a repository's git endpoint gives."""
    return read_refs(ask_refs(client, target.url), target)


def read_refs(reply: "Reply", target: Target) -> LinkCheck:
    """Return the verdict that an answer of a git endpoint means."""
    if reply.status == UNAVAILABLE_FOR_LEGAL_REASONS:
        return blocked(reply, "blocked for legal reasons")
    if reply.status in {401, 404, 410}:
        return missing(reply, "no public repository of this name")
    if reply.status != 200:
        return unsure(reply)
    if reply.media_type != ADVERTISEMENT:
        return no_repository(reply)
    refs = parse_advertisement(reply.body)
    moved_to = new_home(reply, target.url)
    flags: list[LinkFlag] = ["empty"] if refs.empty else []
    if moved_to:
        flags.append("moved")
    name = "/".join((moved_to or target.url).split("/")[3:])
    return available(
        reply, LinkFacts(name=name, commit=refs.commit, default_branch=refs.branch), flags, moved_to
    )


def no_repository(reply: "Reply") -> LinkCheck:
    """Return the verdict on a git endpoint that answered with something else: a log-in or bot page."""
    if is_challenge(reply):
        return LinkCheck("challenged", reason="a page for bots came", evidence=(reply.evidence(),))
    return unsure(reply, "the host answered with a web page instead of git's answer")


def new_home(reply: "Reply", url: str) -> str:
    """Return the repository's address after a redirect, if it is another one than asked for."""
    if not reply.redirects:
        return ""
    landed = reply.url.removesuffix(SERVICE).removesuffix(".git").rstrip("/")
    return landed if landed.lower() != url.lower() else ""


def parse_advertisement(body: bytes) -> Refs:
    """Return what the beginning of a git advertisement says.

    >>> parse_advertisement(b"001e# service=git-upload-pack\\n00000000").empty
    True

    Raises:
        FetchError: these are no pkt-lines.
    """
    lines = pkt_lines(body)
    if not lines or not lines[0].startswith(b"# service=git-upload-pack"):
        raise FetchError("the answer is not git's", kind="bad-reply")
    refs = [line for line in lines[1:] if REF.match(line) and b"capabilities^{}" not in line[:100]]
    if not refs:
        if lines.count(FLUSH) < 2:
            raise FetchError("git's answer ended early", kind="cut-off")
        return Refs(empty=True)
    first = REF.match(refs[0])
    assert first is not None, "refs holds only lines that match"
    branch = SYMREF.search(refs[0])
    is_head = first[2].split(b"\0")[0] == b"HEAD"
    return Refs(
        empty=False,
        commit=first[1].decode() if is_head else "",
        branch=branch[1].decode("utf-8", "replace") if branch else "",
    )


def pkt_lines(body: bytes) -> list[bytes]:
    """Return the payloads of whole pkt-lines, FLUSH for flush packets; a cut-off last one is dropped.

    Raises:
        FetchError: a length is no number.
    """
    lines, place = [], 0
    while place + 4 <= len(body):
        try:
            length = int(body[place : place + 4], 16)
        except ValueError as error:
            raise FetchError("the answer is not git's", kind="bad-reply") from error
        if place + length <= len(body):
            lines.append(body[place + 4 : place + length] if length > 4 else FLUSH)
        place += max(length, 4)
    return lines
