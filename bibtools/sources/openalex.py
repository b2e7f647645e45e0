"""OpenAlex works: JSON lines of the snapshot, or the `results` of its API (https://docs.openalex.org).

Abstracts come as an index from word to positions; punctuation is part of the words, line breaks and some
formulas are lost, and positions can have holes.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec import Struct

from bibtools.errors import Problem
from bibtools.model import Contributors, Entry, PartialDate, Text
from bibtools.sources.fields import bare_doi, date_of, ids_from_urls, iso_date
from bibtools.sources.links import abstract_links
from bibtools.sources.people import split_name
from bibtools.sources.streams import decode_records, lost_record, open_source, read_json_records
from bibtools.text.markup import parse_html

LONGEST_ABSTRACT = 20_000
"""Most words of an abstract; a position beyond is damage, and must not cost memory."""

TYPES = {
    "article": "article-journal",
    "book": "book",
    "book-chapter": "chapter",
    "book-section": "chapter",
    "dataset": "dataset",
    "dissertation": "thesis",
    "editorial": "article-journal",
    "erratum": "article-journal",
    "letter": "article-journal",
    "other": "document",
    "paratext": "document",
    "peer-review": "review",
    "preprint": "article",
    "reference-entry": "entry-encyclopedia",
    "report": "report",
    "review": "article-journal",
    "software": "software",
    "standard": "standard",
}
"""CSL type by OpenAlex type (https://docs.openalex.org/api-entities/works/work-object#type)."""


class Venue(Struct, frozen=True):
    """Where a version of the work stands."""

    display_name: str | None = None
    type: str | None = None
    issn_l: str | None = None
    host_organization_name: str | None = None


class Place(Struct, frozen=True):
    """One version of the work."""

    landing_page_url: str | None = None
    license: str | None = None
    source: Venue | None = None


class Author(Struct, frozen=True):
    """A person as OpenAlex knows them."""

    display_name: str | None = None
    orcid: str | None = None


class Authorship(Struct, frozen=True):
    """A person as the work names them."""

    author: Author = Author()
    raw_author_name: str | None = None


class Biblio(Struct, frozen=True):
    """Numbers."""

    volume: str | None = None
    issue: str | None = None
    first_page: str | None = None
    last_page: str | None = None


class Work(Struct, frozen=True):
    """The keys that matter."""

    id: str
    title: str | None = None
    display_name: str | None = None
    doi: str | None = None
    type: str | None = None
    language: str | None = None
    publication_date: str | None = None
    publication_year: int | None = None
    ids: dict[str, str | int | None] = {}
    authorships: list[Authorship] = []
    primary_location: Place | None = None
    locations: list[Place] = []
    biblio: Biblio | None = None
    is_retracted: bool | None = None
    abstract_inverted_index: dict[str, list[int]] | None = None


class Page(Struct, frozen=True):
    """An answer of the API to a search."""

    results: list[msgspec.Raw] = []


DECODER = msgspec.json.Decoder(Work)


def read_openalex(path: Path, source: str = "") -> Iterator[Entry | Problem]:
    """Yield the works of a file of the snapshot, plain or gzip, in its order, and problems.

    Args:
        source: label that messages show in place of the path.
    """
    with open_source(path) as stream:
        yield from read_works(stream, source or str(path))


def read_works(stream: BinaryIO, source: str) -> Iterator[Entry | Problem]:
    """Yield the works of an open file; see `read_openalex`."""
    yield from to_entries(rows(stream, source), source)


def read_page(body: bytes, source: str) -> Iterator[Entry | Problem]:
    """Yield the works in one answer of the API, in its order, and problems.

    Raises:
        ValueError: it is no such answer.
    """
    yield from to_entries(map(bytes, msgspec.json.decode(body, type=Page).results), source)


def rows(stream: BinaryIO, source: str) -> Iterator[bytes]:
    """Yield the works' own bytes: lines or a list of works, or what is in answers of the API."""
    for raw in read_json_records(stream, source):
        if raw.lstrip().startswith(b'{"meta"'):
            yield from map(bytes, msgspec.json.decode(raw, type=Page).results)
        else:
            yield raw


def to_entries(raws: Iterable[bytes], source: str) -> Iterator[Entry | Problem]:
    """Yield the work of each record, or its problem."""
    for record in decode_records(raws, DECODER, source):
        if isinstance(record, Problem):
            yield record
            continue
        place, work = record
        if work.title or work.display_name:
            yield to_entry(work)
        else:
            yield lost_record(place, f"{work.id} has no title")


def to_entry(work: Work) -> Entry:
    """Return the work; its container is the primary location's source."""
    place = work.primary_location or Place()
    venue = place.source or Venue()
    biblio = work.biblio or Biblio()
    abstract = rebuild_abstract(work.abstract_inverted_index or {})
    is_preprint = work.type == "preprint"
    return Entry(
        type=csl_type(work, venue),
        source_type=work.type or "",
        genre="preprint" if is_preprint else "",
        title=parse_html(work.title or work.display_name or ""),
        abstract=Text(abstract) if abstract else None,
        author=people(work.authorships),
        container_title=Text(venue.display_name) if venue.display_name and not is_preprint else None,
        publisher=(venue.display_name if is_preprint else venue.host_organization_name) or "",
        issued=issued(work),
        volume=biblio.volume or "",
        issue=biblio.issue or "",
        page="-".join(dict.fromkeys(filter(None, (biblio.first_page, biblio.last_page)))),
        language=work.language or "",
        license=place.license or "",
        status="retracted" if work.is_retracted else "",
        issn=venue.issn_l or "",
        doi=bare_doi(work.doi or ""),
        pmid=last_part(work.ids.get("pmid")),
        pmcid=last_part(work.ids.get("pmcid")),
        url=place.landing_page_url or work.doi or work.id,
        ids=identifiers(work),
        links=abstract_links(abstract),
    )


def csl_type(work: Work, venue: Venue) -> str:
    """Return the CSL type; an article of a conference is told by its source only."""
    if work.type in {"article", "book-chapter"} and venue.type == "conference":
        return "paper-conference"
    return TYPES.get(work.type or "", "document")


def rebuild_abstract(index: dict[str, list[int]]) -> str:
    """Return the words at their positions, joined by blanks.

    >>> rebuild_abstract({"We": [0], "widgets.": [3], "train": [1]})
    'We train widgets.'
    """
    placed = sorted(
        (position, word)
        for word, positions in index.items()
        for position in positions
        if 0 <= position < LONGEST_ABSTRACT
    )
    return " ".join(word for _, word in placed)


def people(authorships: list[Authorship]) -> Contributors:
    """Return the authors as the work prints them, split by their look, with ORCID iDs.

    Where the printed name is turned round (`Byron, Ada`), OpenAlex's own form of it is used.
    """
    found = []
    for authorship in authorships:
        printed, known = authorship.raw_author_name or "", authorship.author.display_name or ""
        person = split_name(known if known and ("," in printed or not printed) else printed)
        if person.family or person.literal:
            orcid = last_part(authorship.author.orcid)
            found.append(msgspec.structs.replace(person, orcid=orcid) if orcid else person)
    return tuple(found)


def issued(work: Work) -> PartialDate | None:
    """Return the publication date; OpenAlex fills unknown days with the first, so those are left out."""
    date = iso_date(work.publication_date or "")
    numbers = date.start if date else (work.publication_year or 0,)
    while len(numbers) > 1 and numbers[-1] == 1:
        numbers = numbers[:-1]
    return date_of(numbers)


def identifiers(work: Work) -> dict[str, str]:
    """Return OpenAlex's id, and those that the addresses of all versions hold."""
    addresses = [
        place.landing_page_url or "" for place in (work.primary_location or Place(), *work.locations)
    ]
    return {"openalex": last_part(work.id), **ids_from_urls(addresses)}


def last_part(address: str | int | None) -> str:
    """Return the bare identifier at the end of an address.

    >>> last_part("https://orcid.org/0000-0002-1825-0097")
    '0000-0002-1825-0097'
    """
    return str(address or "").rstrip("/").rpartition("/")[2]
