"""papercopilot/paperlists: one JSON list a conference and year (https://github.com/papercopilot/paperlists).

Keys differ by year and by where the list's keepers took it from. Values are strings, lists are joined with
`;`, missing is empty. Where a record carries the publisher's BibTeX, that has the better title, names and
pages. Rejected and withdrawn submissions are in the lists too; they are no published works and are left out.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from bibtools.errors import Location, Problem
from bibtools.mapping.venues import VenueYear, find_venues
from bibtools.model import Contributor, Contributors, Entry, Link, PartialDate, Text
from bibtools.sources.fields import bare_doi, ids_from_urls, iso_date
from bibtools.sources.links import abstract_links, code_links, join_links
from bibtools.sources.people import split_name, split_people
from bibtools.sources.streams import decode_records, lost_record, open_source, read_json_records
from bibtools.sources.titles import is_whole_tex, tex_title
from bibtools.text.hosts import is_code_host
from bibtools.text.names import display_name, parse_bibtex_names
from bibtools.text.tex import parse_tex
from bibtools.text.titles import title_key

UNPUBLISHED = ("reject", "withdraw", "desk", "active", "submit", "pending", "under review")
"""Beginnings of `status` of what was never published there; other values, also none, are kept."""

ABSTRACT_FIELD = re.compile(r"\n *abstract *=")
CAPITAL_WORDS = r"([A-Z][A-Za-z'.-]*(?: [A-Z][A-Za-z'.-]*)*)"
PLAIN_NAME = re.compile(f"{CAPITAL_WORDS}, {CAPITAL_WORDS}")
"""A name in which every word has a capital and none has TeX: no particle, nothing to interpret."""
DASHES = re.compile("-{2,}")
ARXIV_ID = re.compile(r"\d{4}\.\d{4,5}(?:v\d+)?")
LASTING = re.compile(
    r"//(?:proceedings\.mlr\.press|(?:www\.)?openreview\.net|aclanthology\.org|doi\.org|"
    r"papers\.nips\.cc|proceedings\.neurips\.cc|openaccess\.thecvf\.com|www\.ijcai\.org|ojs\.aaai\.org)/"
)
"""Addresses of publishers, which last longer than those of a conference's schedule."""
ENTRY_TYPE = re.compile(r"\s*@(\w+)\s*\{")

TYPES = {"article": "article-journal", "incollection": "chapter", "misc": "document"}
"""CSL type by BibTeX type; all others are papers of a conference."""


class Paper(Struct, frozen=True):
    """The keys that matter; a value of another type than text counts as its text, or as missing."""

    title: Any = ""
    author: Any = ""
    authors: Any = ""
    status: Any = ""
    abstract: Any = ""
    bibtex: Any = ""
    id: Any = ""
    site: Any = ""
    oa: Any = ""
    pdf: Any = ""
    openreview: Any = ""
    arxiv: Any = ""
    doi: Any = ""
    github: Any = ""


DECODER = msgspec.json.Decoder(Paper)


def read_papercopilot(path: Path, source: str = "") -> Iterator[Entry | Problem]:
    """Yield the published works of a list in its order, and problems.

    Args:
        path: the list, plain or gzip; venue and year are taken from its name, such as `icml2019.json`.
        source: label that messages show in place of the path.
    """
    with open_source(path) as stream:
        yield from read_papers(stream, source or str(path), venue_of(path.name))


def read_papers(stream: BinaryIO, source: str, venue: VenueYear | None) -> Iterator[Entry | Problem]:
    """Yield the published works of an open list; see `read_papercopilot`."""
    unpublished = 0
    for record in decode_records(read_json_records(stream, source), DECODER, source):
        if isinstance(record, Problem):
            yield record
            continue
        place, paper = record
        if string(paper.status).lower().startswith(UNPUBLISHED):
            unpublished += 1
        elif not string(paper.title):
            yield lost_record(place, "a record without a title")
        else:
            yield to_entry(paper, venue)
    if unpublished:
        message = f"{unpublished} rejected or withdrawn submissions left out: they are no published works"
        yield Problem("unpublished", "info", Location(source), message)


def venue_of(name: str) -> VenueYear | None:
    """Return venue and year of a list by its file name.

    >>> str(venue_of("nips2005.json.gz"))
    'NeurIPS 2005'
    """
    found = find_venues(name.partition(".")[0])
    return found[0] if found else None


def to_entry(paper: Paper, venue: VenueYear | None) -> Entry:
    """Return the work of one record."""
    kind, fields = read_template(string(paper.bibtex))
    abstract = string(paper.abstract)
    addresses = [string(value) for value in (paper.oa, paper.site, paper.pdf, paper.openreview)]
    addresses.append(fields.get("url", ""))
    return Entry(
        type=TYPES.get(kind.lower(), "paper-conference"),
        source_type=kind,
        title=choose_title(string(paper.title), fields.get("title", "")),
        abstract=Text(abstract) if abstract else None,
        author=choose_authors(string(paper.author) or string(paper.authors), fields.get("author", "")),
        editor=editors(fields.get("editor", "")),
        container_title=text(fields.get("booktitle") or fields.get("journal", "")),
        collection_title=text(fields.get("series", "")),
        event_title=text(venue.label if venue else ""),
        event_place=plain(fields.get("address", "")),
        issued=iso_date(fields.get("year", "")) or issued(venue),
        volume=fields.get("volume", ""),
        issue=fields.get("number", ""),
        page=DASHES.sub("-", fields.get("pages", "")),
        publisher=plain(fields.get("publisher", "")),
        doi=bare_doi(fields.get("doi") or string(paper.doi)),
        url=choose_url(addresses),
        ids=identifiers(paper, addresses),
        links=join_links(listed_links(string(paper.github)), abstract_links(abstract)),
    )


def read_template(bibtex: str) -> tuple[str, dict[str, str]]:
    """Return type and fields of a record's BibTeX; TeX values as they are, the abstract left out.

    Publishers' templates begin each field on a line of its own; the lists hold nothing typed by hand.
    """
    if not (head := ENTRY_TYPE.match(bibtex)):
        return "", {}
    body = bibtex[head.end() :]
    if cut := ABSTRACT_FIELD.search(body):
        body = body[: cut.start()]
    raw: dict[str, str] = {}
    last = ""
    for line in body.split("\n"):
        name, value = split_line(line)
        if name:
            last = name
            raw[last] = value
        elif last and line != "}":
            raw[last] += f" {line}"
    return head[1], {name: bare for name, value in raw.items() if (bare := strip_delimiters(value))}


@lru_cache(maxsize=4096)
def split_line(line: str) -> tuple[str, str]:
    """Return name and value where a line begins a field, else no name; most lines recur in all works."""
    name, equals, value = line.partition("=")
    name = name.strip().lower()
    return (name, value) if equals and name.isalpha() else ("", "")


@lru_cache(maxsize=4096)
def strip_delimiters(value: str) -> str:
    """Return a field's value without comma, blanks, and its braces or quotes.

    >>> strip_delimiters(" \\t {Proceedings of {ICML}},")
    'Proceedings of {ICML}'
    """
    value = value.strip().removesuffix(",").rstrip()
    if value[:1] + value[-1:] in {"{}", '""'}:
        value = value[1:-1]
    return " ".join(value.split())


def choose_title(listed: str, tex: str) -> Text | None:
    """Return the BibTeX's title, which protects capitals, if it is the same title; else the list's."""
    found = tex_title(tex, "") if tex and is_whole_tex(tex) else None
    if found and (found.plain == listed or title_key(found.plain) == title_key(listed)):
        return found
    return tex_title(listed, listed)


def choose_authors(listed: str, tex: str) -> Contributors:
    """Return the BibTeX's authors where it splits given from family; else the list's, split by their look.

    Publishers' BibTeX says `Family, Given`; OpenReview's says `Given Family` like the list itself. Someone
    missing in BibTeX, or without a given name in it (`richard baraniuk`), is taken from the list.
    """
    if "," not in tex:
        return split_people(listed) if listed else parse_bibtex_names(tex)[0]
    people, truncated = bibtex_people(tex)
    is_named = not truncated and all(person.given or person.literal for person in people)
    if is_named and len(people) == listed.count(";") + 1:
        return people
    others = split_people(listed)
    if truncated or len(people) < len(others):
        known = {title_key(display_name(person)): person for person in people}
        return tuple(known.get(title_key(display_name(other)), other) for other in others)
    if is_named or len(people) > len(others):
        return people
    pairs = zip(people, others, strict=True)
    return tuple(
        person if person.given or person.literal else repair(person, other) for person, other in pairs
    )


def bibtex_people(tex: str) -> tuple[Contributors, bool]:
    """Return what `parse_bibtex_names` returns, faster for lists of plain `Family, Given`."""
    names = tex.split(" and ")
    people = [Contributor(found[1], found[2]) for found in map(PLAIN_NAME.fullmatch, names) if found]
    return (tuple(people), False) if len(people) == len(names) else parse_bibtex_names(tex)


def repair(person: Contributor, listed: Contributor) -> Contributor:
    """Return someone whom BibTeX gives no given name: as the list has them, else by the look of the words."""
    return listed if listed.given else split_name(display_name(person))


def choose_url(addresses: list[str]) -> str:
    """Return the address of the work's own page: the publisher's rather than a schedule's or the PDF's."""
    pages = [address for address in addresses if address.startswith("http") and not address.endswith(".pdf")]
    lasting = (page for page in pages if LASTING.search(page))
    return next(lasting, next(iter(pages), next(filter(None, addresses), "")))


def identifiers(paper: Paper, addresses: list[str]) -> dict[str, str]:
    """Return the identifiers that the record's addresses and fields hold."""
    found = ids_from_urls(addresses)
    arxiv = string(paper.arxiv)
    if arxiv and ARXIV_ID.fullmatch(arxiv):
        found.setdefault("arxiv", arxiv.partition("v")[0])
    return found


def listed_links(value: str) -> Iterator[Link]:
    """Yield the addresses of `github`, which programs have read off the papers, not always rightly.

    `https://github.com/example-paper` names no repository, so it does not offer code.
    """
    for link in code_links(value):
        is_owner = link.kind == "other" and is_code_host(urlsplit(link.url).netloc)
        yield msgspec.structs.replace(link, offers_code=False) if is_owner else link


@lru_cache(maxsize=1024)
def editors(tex: str) -> Contributors:
    """Return the editors of a volume."""
    return parse_bibtex_names(tex)[0] if tex else ()


@lru_cache(maxsize=1024)
def text(tex: str) -> Text | None:
    """Return what a volume's TeX value says; the same for all its works."""
    return parse_tex(tex) if tex else None


def plain(tex: str) -> str:
    """Return a volume's TeX value as plain text."""
    found = text(tex)
    return found.plain if found else ""


def issued(venue: VenueYear | None) -> PartialDate | None:
    """Return the year of the list."""
    return PartialDate(start=(venue.year,)) if venue and venue.year else None


def string(value: Any) -> str:
    """Return the text of a value: strings without blanks around them, numbers as written, others none."""
    if isinstance(value, str):
        return value.strip()
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""
