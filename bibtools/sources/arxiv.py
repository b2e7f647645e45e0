"""arXiv's metadata dump: JSON lines, one a preprint, with split names and the version history.

Its shape: https://www.kaggle.com/datasets/Cornell-University/arxiv (metadata is CC0).
"""

from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct

from bibtools.errors import Problem
from bibtools.model import Contributor, Contributors, Entry, PartialDate, Text
from bibtools.sources.fields import bare_doi, iso_date
from bibtools.sources.links import abstract_links, join_links
from bibtools.sources.people import split_people
from bibtools.sources.streams import decode_records, open_source, read_json_records
from bibtools.sources.titles import tex_title
from bibtools.text.tex import decode_tex


class Preprint(Struct, frozen=True, rename="kebab"):
    """The keys that matter."""

    id: str
    title: str
    abstract: str | None = ""
    authors: str | None = ""
    authors_parsed: list[list[str]] | None = msgspec.field(default=None, name="authors_parsed")
    categories: str | None = ""
    comments: str | None = ""
    journal_ref: str | None = ""
    report_no: str | None = ""
    doi: str | None = ""
    license: str | None = ""
    update_date: str | None = msgspec.field(default="", name="update_date")
    versions: list[dict[str, Any]] | None = None


DECODER = msgspec.json.Decoder(Preprint)


def read_arxiv(path: Path, source: str = "") -> Iterator[Entry | Problem]:
    """Yield the preprints of a dump, plain or gzip, in its order, and problems.

    Args:
        source: label that messages show in place of the path.
    """
    with open_source(path) as stream:
        yield from read_preprints(stream, source or str(path))


def read_preprints(stream: BinaryIO, source: str) -> Iterator[Entry | Problem]:
    """Yield the preprints of an open dump; see `read_arxiv`."""
    for record in decode_records(read_json_records(stream, source), DECODER, source):
        yield record if isinstance(record, Problem) else to_entry(record[1])


def to_entry(preprint: Preprint) -> Entry:
    """Return the preprint; its journal reference, where it has one, is a note, not the container."""
    abstract = " ".join((preprint.abstract or "").split())
    categories = (preprint.categories or "").split()
    title = " ".join(preprint.title.split())
    return Entry(
        type="article",
        genre="preprint",
        title=tex_title(title, title),
        abstract=Text(abstract) if abstract else None,
        author=people(preprint),
        issued=first_version(preprint) or iso_date(preprint.update_date or ""),
        publisher="arXiv",
        number=f"arXiv:{preprint.id}",
        note=notes(preprint),
        license=preprint.license or "",
        doi=bare_doi((preprint.doi or "").partition(" ")[0]),
        url=f"https://arxiv.org/abs/{preprint.id}",
        ids={"arxiv": preprint.id},
        links=join_links(abstract_links(abstract), abstract_links(preprint.comments or "")),
        extra={"bibtex": (("primaryclass", categories[0]),)} if categories else {},
    )


def people(preprint: Preprint) -> Contributors:
    """Return the authors: `authors_parsed` is family, given, suffix, and affiliations to be left out."""
    if not preprint.authors_parsed:
        return split_people((preprint.authors or "").replace(" and ", ", "))
    return tuple(
        Contributor(family=decode(parts[0]), given=decode(parts[1]), suffix=decode(parts[2]))
        if parts[1]
        else Contributor(literal=decode(parts[0]))
        for person in preprint.authors_parsed
        if (parts := [*person, "", "", ""])[0]
    )


def decode(part: str) -> str:
    """Return a part of a name without TeX."""
    return decode_tex(part) if "\\" in part or "{" in part else part


def first_version(preprint: Preprint) -> PartialDate | None:
    """Return the day of the first version, which dates look like `Mon, 2 Apr 2007 19:18:42 GMT`."""
    created = preprint.versions[0].get("created") if preprint.versions else None
    try:
        day = parsedate_to_datetime(str(created))
    except (ValueError, OverflowError):
        return None
    return PartialDate(start=(day.year, day.month, day.day))


def notes(preprint: Preprint) -> tuple[Text, ...]:
    """Return comment and journal reference, as the authors typed them."""
    values = (preprint.comments, preprint.journal_ref)
    return tuple(Text(" ".join(value.split())) for value in values if value and value.strip())
