"""What records of several sources have in common: names as people write them, identifiers, code links."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TypeGuard

from bibtools.model import Contributor, Contributors, Link, Node, PartialDate, Span, Text
from bibtools.text.tex import parse_tex
from bibtools.text.tree import join_strings, text_of
from bibtools.text.urls import classify, find_urls, normalise_url

PARTICLES = frozenset(
    (
        *("af", "al", "av", "bin", "d'", "da", "dal", "das", "de", "degli", "dei", "del", "della", "den"),
        *("der", "des", "di", "do", "dos", "du", "e", "el", "het", "'t", "ibn", "la", "le", "lo", "los"),
        *("ten", "ter", "van", "vom", "von", "y", "zu", "zum", "zur"),
    )
)
"""Words that, in lower case before a family name, belong to it; in capitals nobody can tell."""

SUFFIXES = frozenset({"jr", "jr.", "sr", "sr.", "ii", "iii", "iv"})

NEURIPS = re.compile(r"/paper(?:_files/paper)?/(\d{4}/(?:hash|file)/[0-9a-f]{32})")
IDENTIFIERS = (
    (
        "proceedings.mlr.press/",
        "pmlr",
        re.compile(r"/([vr]\d+/[\w.-]+?)(?:/[\w.-]+\.pdf|-supp\.pdf|\.html|\.pdf)?$"),
    ),
    ("openreview.net/", "openreview", re.compile(r"/(?:forum|pdf|attachment)\?(?:\w+=[^&]*&)*id=([\w-]+)")),
    ("arxiv.org/", "arxiv", re.compile(r"/(?:abs|pdf|html)/([a-zA-Z.-]+/\d{7}|\d{4}\.\d{4,5})(?:v\d+)?")),
    ("aclanthology.org/", "acl", re.compile(r"org/([A-Z]\d\d-\d{4,5}|\d{4}\.[\w-]+\.\d+)")),
    ("aclweb.org/anthology/", "acl", re.compile(r"/anthology/([A-Z]\d\d-\d{4,5}|\d{4}\.[\w-]+\.\d+)")),
    ("papers.nips.cc/", "neurips", NEURIPS),
    ("proceedings.neurips.cc/", "neurips", NEURIPS),
)
"""Identifiers in the addresses of works: what the address holds, the scheme, where the identifier stands."""

ISO_DATE = re.compile(r"(\d{4})(?:-(\d\d?))?(?:-(\d\d?))?(?=$|[T ])", re.ASCII)
DOI = re.compile(r"^(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?(10\.\d{4,9}/\S+)$", re.IGNORECASE)

ADDRESS_START = re.compile(
    r"(?:https?://(?:www\.)?|www\.)|(?<![\w./@-])(?:[a-z0-9-]+\.)+[a-z]{2,}/", re.IGNORECASE
)
"""Where an address begins: a scheme, `www.`, or a host with a path."""
HOST_END = re.compile(r"\.[A-Za-z]{2,12}\\?/")
TEX_PAIRS = re.compile(r"[{}$]")
LONE_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)+")
WORD_START = re.compile(r"\w+")
WORD_END = re.compile(r"\w+$")
BROKEN = re.compile(r"(?<=/)\s+(?=[\w.-]+)")
BROKEN_NAME = re.compile(r"[^\s,;()]+ ([\w.-]*\w)")
JOINTS = frozenset({"and", "or", "und", "et", "code", "data", "here", "available", "at"})
EDGES = " \t\r\n,;|&()[]{}<>\"'"


def ids_from_urls(urls: Iterable[str]) -> dict[str, str]:
    """Return the identifiers that a work's own addresses hold, by scheme; the first of each scheme.

    >>> ids_from_urls(["https://proceedings.mlr.press/v28/allenzhu13.html"])
    {'pmlr': 'v28/allenzhu13'}
    """
    found: dict[str, str] = {}
    for url in urls:
        for mark, scheme, pattern in IDENTIFIERS:
            if mark in url and scheme not in found and (match := pattern.search(url)):
                found[scheme] = match[1].replace("/hash/", "/").replace("/file/", "/")
    return found


def bare_doi(value: str) -> str:
    """Return a DOI without address or prefix, in lower case as DOIs compare; empty if it is none."""
    match = DOI.match(value.strip())
    return match[1].lower() if match else ""


def iso_date(value: str) -> PartialDate | None:
    """Return an ISO date to the precision that it has, or None where it is none.

    >>> iso_date("2024-07-08T10:00:00Z").start, iso_date("2024-07").start, iso_date("July") is None
    ((2024, 7, 8), (2024, 7), True)
    """
    match = ISO_DATE.match(value.strip())
    return date_of([int(part) for part in match.groups() if part]) if match else None


def date_of(numbers: Sequence[int]) -> PartialDate | None:
    """Return the date of year, month and day, without what cannot be: month 0, day 32.

    >>> date_of([2024, 0, 5]).start
    (2024,)
    """
    kept: list[int] = []
    for number, most in zip(numbers, (9999, 12, 31), strict=False):
        if not 1 <= number <= most:
            break
        kept.append(number)
    return PartialDate(start=tuple(kept)) if kept else None


def split_people(names: str) -> Contributors:
    """Return the people of a list `First Last; First Last`, or with commas where there is no semicolon.

    Where semicolons separate, a comma inside a name stands between two people only if both sides are
    whole names (`Jane Doe, John Roe`); else it is a suffix's (`Jane Doe, Jr.`).
    """
    if ";" not in names:
        return tuple(split_name(name) for name in join_suffixes(names.split(",")))
    parts: list[str] = []
    for name in join_suffixes(names.split(";")):
        pieces = join_suffixes(name.split(","))
        parts += pieces if all(" " in piece for piece in pieces) else [name]
    return tuple(split_name(part) for part in parts)


def join_suffixes(names: Iterable[str]) -> list[str]:
    """Return names without empty ones, a lone suffix joined to the name before it."""
    joined: list[str] = []
    for name in map(str.strip, names):
        if joined and name.lower() in SUFFIXES:
            joined[-1] = f"{joined[-1]}, {name}"
        elif name.strip(" *)("):
            joined.append(name)
    return joined


@lru_cache(maxsize=65_536)
def split_name(name: str) -> Contributor:
    """Return the person that a name in running order means, guessing no more than print shows.

    The last word is the family name, with the lower-case particles before it; a suffix goes by itself.
    A single word is a family name. What is not sure (two family names, particles in capitals) stays given.

    >>> split_name("Laurens van der Maaten") == Contributor("Maaten", "Laurens", "van der")
    True
    >>> split_name("Hal Daumé III") == Contributor("Daumé", "Hal", suffix="III")
    True
    """
    head, comma, tail = (name if "(" in name else name.rstrip(" )*")).partition(",")
    words = head.split()
    suffix = tail.strip() if comma and tail.strip().lower() in SUFFIXES else ""
    if comma and not suffix:
        return Contributor(literal=" ".join(name.split()))
    if not suffix and len(words) > 2 and words[-1].lower() in SUFFIXES:
        suffix = words.pop()
    first = len(words) - 1
    while first > 1 and words[first - 1].islower() and words[first - 1] in PARTICLES:
        first -= 1
    return Contributor(
        family=words[-1] if words else "",
        given=" ".join(words[:first]),
        non_dropping_particle=" ".join(words[first:-1]),
        suffix=suffix,
    )


def tex_title(tex: str, plain: str) -> Text | None:
    """Return a title from its TeX form, or from the plain one where the TeX is damaged or missing.

    >>> tex_title("A {BERT", "A BERT").plain
    'A BERT'
    """
    chosen = tex if tex and is_whole_tex(tex) else plain or tex
    return protect_whole_words(parse_tex(chosen)) if chosen else None


def protect_whole_words(title: Text) -> Text:
    """Return a title whose protected capitals (`{D}eep{C}ross`) are protected words (`{DeepCross}`).

    Any style shows both alike, and people can read the second.

    >>> protect_whole_words(parse_tex("{D}eep{C}ross: A {B}ayesian")).nodes[:2]
    (Span(kind='nocase', children=('DeepCross',)), ': A ')
    """
    nodes: list[Node] = []
    for node in title.nodes:
        if is_protected(node):
            node = Span("nocase", join_strings((*take_word_end(nodes), *node.children)))
        elif isinstance(node, str) and nodes and is_protected(span := nodes[-1]):
            word = WORD_START.match(node)
            end = word.end() if word else 0
            nodes[-1] = Span("nocase", join_strings((*span.children, node[:end])))
            node = node[end:]
        if node:
            nodes.append(node)
    return text_of(nodes) if nodes else title


def is_protected(node: Node) -> TypeGuard[Span]:
    """Tell whether a part of a text is protected from changes of case."""
    return isinstance(node, Span) and node.kind == "nocase"


def take_word_end(nodes: list[Node]) -> tuple[Node, ...]:
    """Take away what the next protected part continues: a protected part, or letters before it."""
    if not nodes:
        return ()
    last = nodes.pop()
    if is_protected(last):
        return last.children
    if not isinstance(last, str):
        nodes.append(last)
        return ()
    word = WORD_END.search(last)
    start = word.start() if word else len(last)
    if start:
        nodes.append(last[:start])
    return (last[start:],)


def is_whole_tex(tex: str) -> bool:
    """Tell whether braces and dollars pair up."""
    if not TEX_PAIRS.search(tex):
        return True
    depth = 0
    dollars = 0
    escaped = False
    for character in tex:
        if escaped:
            escaped = False
        elif character == "\\":
            escaped = True
        elif character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
            if depth < 0:
                return False
        elif character == "$":
            dollars += 1
    return depth == 0 and dollars % 2 == 0


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
