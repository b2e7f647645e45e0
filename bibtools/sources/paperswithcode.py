"""Papers with Code, closed in July 2025: its last dumps, kept by https://huggingface.co/pwc-archive.

`papers-with-abstracts.json` holds the papers, `links-between-papers-and-code.json` their repositories. The
links are joined to the papers when both files lie in one folder; the file of links alone gives works without
an abstract, whose links join works that a catalogue knows by their identifiers. CC BY-SA 4.0.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec import Struct

from bibtools.errors import Problem
from bibtools.model import Entry, Link, PartialDate, Text
from bibtools.sources.fields import ids_from_urls, iso_date
from bibtools.sources.links import abstract_links, code_links, join_links
from bibtools.sources.people import split_name
from bibtools.sources.streams import decode_records, lost_record, open_source, read_json_records
from bibtools.sources.titles import tex_title

LINKS_NAMES = (
    "links-between-papers-and-code.json.gz",
    "links-between-papers-and-code.json",
    "links-between-paper-and-code.json.gz",
    "links-between-paper-and-code.json",
)

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LAST_MILLISECOND = 10**13

LinksByPaper = dict[str, list[str]]
"""Addresses of repositories by the paper's page, the authors' own first."""


class Paper(Struct, frozen=True):
    """One row of either file."""

    paper_url: str
    title: str | None = ""
    paper_title: str | None = ""
    abstract: str | None = ""
    authors: list[str] | None = None
    date: str | int | None = ""
    proceeding: str | None = ""
    conference: str | None = ""
    arxiv_id: str | None = ""
    paper_arxiv_id: str | None = ""
    openreview_id: str | None = ""
    url_abs: str | None = ""
    paper_url_abs: str | None = ""
    conference_url_abs: str | None = ""
    repo_url: str | None = ""
    is_official: bool | None = False


DECODER = msgspec.json.Decoder(Paper)


def read_paperswithcode(path: Path, source: str = "") -> Iterator[Entry | Problem]:
    """Yield the papers of a dump, plain or gzip, in its order, and problems.

    Args:
        path: either file, as a JSON list or JSON lines.
        source: label that messages show in place of the path.
    """
    links = read_links(path)
    with open_source(path) as stream:
        yield from read_papers(stream, source or str(path), links)


def read_links(path: Path) -> LinksByPaper:
    """Return the links of the file of links that lies beside a file of papers; none where there is none."""
    beside = next((path.with_name(name) for name in LINKS_NAMES if path.with_name(name).is_file()), None)
    if not beside or beside == path:
        return {}
    links: LinksByPaper = {}
    with open_source(beside) as stream:
        for record in decode_records(read_json_records(stream, str(beside)), DECODER, str(beside)):
            if isinstance(record, Problem):
                continue  # told when that file itself is read
            _, row = record
            place = 0 if row.is_official else len(links.get(row.paper_url, ()))
            links.setdefault(row.paper_url, []).insert(place, row.repo_url or "")
    return links


def read_papers(stream: BinaryIO, source: str, links: LinksByPaper) -> Iterator[Entry | Problem]:
    """Yield the papers of an open dump; see `read_paperswithcode`."""
    for record in decode_records(read_json_records(stream, source), DECODER, source):
        if isinstance(record, Problem):
            yield record
            continue
        place, paper = record
        if paper.title or paper.paper_title:
            yield to_entry(paper, links.get(paper.paper_url, []))
        else:
            yield lost_record(place, f"{paper.paper_url} has no title")


def to_entry(paper: Paper, repositories: list[str]) -> Entry:
    """Return the paper; its proceedings are known here by a short name only, which goes into a note."""
    title = paper.title or paper.paper_title or ""
    abstract = " ".join((paper.abstract or "").split())
    arxiv = paper.arxiv_id or paper.paper_arxiv_id or ""
    addresses = [paper.conference_url_abs or "", paper.url_abs or paper.paper_url_abs or ""]
    return Entry(
        type="article",
        genre="preprint" if arxiv and not paper.proceeding else "",
        title=tex_title(title, title),
        abstract=Text(abstract) if abstract else None,
        author=tuple(split_name(name) for name in paper.authors or () if name.strip()),
        issued=issued(paper),
        event_title=Text(paper.conference) if paper.conference else None,
        url=next(filter(None, [*addresses, f"https://arxiv.org/abs/{arxiv}" if arxiv else ""]), ""),
        ids=identifiers(paper, addresses, arxiv),
        links=join_links(repository_links(paper, repositories), abstract_links(abstract)),
    )


def repository_links(paper: Paper, repositories: list[str]) -> Iterator[Link]:
    """Yield the repositories of a paper, the authors' own first."""
    for address in (*repositories, paper.repo_url or ""):
        yield from code_links(address)


def identifiers(paper: Paper, addresses: list[str], arxiv: str) -> dict[str, str]:
    """Return the identifiers of a row; `pwc` is the last part of the paper's page."""
    found = {"pwc": paper.paper_url.rstrip("/").rpartition("/")[2], **ids_from_urls(addresses)}
    if arxiv:
        found["arxiv"] = arxiv.partition("v")[0]
    if paper.openreview_id:
        found["openreview"] = paper.openreview_id
    return found


def issued(paper: Paper) -> PartialDate | None:
    """Return the date; Parquet copies have milliseconds since 1970 in its place."""
    if not isinstance(paper.date, int):
        return iso_date(paper.date or "")
    if abs(paper.date) > LAST_MILLISECOND:
        return None
    day = EPOCH + timedelta(milliseconds=paper.date)
    return PartialDate(start=(day.year, day.month, day.day))
