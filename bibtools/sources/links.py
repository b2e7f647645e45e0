"""Links of records: addresses in fields typed by hand for code, and addresses in abstracts."""

import re
from collections.abc import Iterable
from itertools import pairwise

from bibtools.model import Link
from bibtools.text.urls import classify, find_urls, normalise_url

ADDRESS_START = re.compile(
    r"(?:https?://(?:www\.)?|www\.)|(?<![\w./@-])(?:[a-z0-9-]+\.)+[a-z]{2,}/", re.IGNORECASE
)
"""Where an address begins: a scheme, `www.`, or a host with a path."""
HOST_END = re.compile(r"\.[A-Za-z]{2,12}\\?/")
LONE_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)+")
BROKEN = re.compile(r"(?<=/)\s+(?=[\w.-]+)")
BROKEN_NAME = re.compile(r"[^\s,;()]+ ([\w.-]*\w)")
JOINTS = frozenset({"and", "or", "und", "et", "code", "data", "here", "available", "at"})
EDGES = " \t\r\n,;|&()[]{}<>\"'"


def code_links(value: str) -> tuple[Link, ...]:
    """Return the addresses of a field that is there for code: `software`, `github` and the like.

    Such fields are typed by hand: without scheme, with end marks, several in one, with words between.
    Whatever their host, they offer code, for that is what the field says.
    """
    if not value:
        return ()
    links = {}
    for written in split_addresses(value):
        meant = written.replace(" ", "%20")
        if url := normalise_url(meant):
            links[url] = Link(written, url, classify(meant), offers_code=True, found_in="catalogue")
    return tuple(links.values())


def split_addresses(value: str) -> list[str]:
    """Return the addresses in a hand-typed field, without marks and words round them.

    A blank beside a slash is a slip and goes. A blank before one last word stays: the address is broken
    (`github.com/o/visualize atari`), and what it was nobody can tell. Other blanks end an address.

    >>> split_addresses("https://github.com/ a/b, github.com/c/d.")
    ['https://github.com/a/b', 'github.com/c/d']
    """
    value = BROKEN.sub(lambda gap: " " if starts_address(value, gap.end()) else "", value.strip())
    starts = [found.start() for found in ADDRESS_START.finditer(value)]
    if not starts and LONE_HOST.fullmatch(value):
        return [value]
    if len(starts) == 1 and (broken := BROKEN_NAME.fullmatch(value, starts[0])) and broken[1] not in JOINTS:
        return [value[starts[0] :]]
    parts = (value[start:end] for start, end in pairwise([*starts, len(value)]))
    addresses = (part.split(maxsplit=1)[0].strip(EDGES).rstrip(".:") for part in parts)
    return [address for address in addresses if address]


def starts_address(value: str, place: int) -> bool:
    """Tell whether a new address, or a word that joins two, begins at this place."""
    word = value[place:].split(maxsplit=1)[0].lower()
    return bool(ADDRESS_START.match(value, place)) or word.strip(EDGES) in JOINTS


def abstract_links(abstract: str) -> tuple[Link, ...]:
    """Return the addresses that stand in a record's abstract, as links that the record gives."""
    if not may_hold_address(abstract):
        return ()
    return tuple(
        Link(
            written=found.written,
            url=found.url,
            kind=found.kind,
            offers_code=found.kind in {"repository", "gist"},
            found_in="catalogue",
        )
        for found in find_urls(abstract)
    )


def may_hold_address(text: str) -> bool:
    """Tell whether looking for addresses is worth the time; nearly all abstracts have none."""
    if "//" in text or ".io" in text or "www." in text or "WWW." in text or "git@" in text:
        return True
    return "/" in text and bool(HOST_END.search(text))


def join_links(*groups: Iterable[Link]) -> tuple[Link, ...]:
    """Return links without doubles (by normal form); the first of each stays."""
    joined: dict[str, Link] = {}
    for group in groups:
        for link in group:
            joined.setdefault(link.url.casefold(), link)
    return tuple(joined.values())
