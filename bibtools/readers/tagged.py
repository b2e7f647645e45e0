"""Formats of tagged lines besides RIS: PubMed (.nbib), EndNote (.enw), Web of Science (.ciw)."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from bibtools.errors import InputError, Location, Problem
from bibtools.mapping.from_tagged import Line, from_tagged
from bibtools.model import Entry, Library, Origin


class Grammar(NamedTuple):
    """How a format's lines look."""

    name: str
    """The format's name in `formats`, and in `Entry.extra`."""
    tag: re.Pattern[str]
    """A line with a tag: tag, value."""
    first: str
    """The tag that begins a record; a record cannot have it twice."""
    last: str = ""
    """The tag that ends one; empty: an empty line does."""
    outside: tuple[str, ...] = ()
    """Tags of the file itself, which belong to no record."""


PUBMED = Grammar("pubmed", re.compile(r"([A-Z]{2,4}) *-(?: (.*)|$)"), "PMID")
ENDNOTE = Grammar("endnote", re.compile(r"(%[A-Z0-9?@!#$&()*+^><\[\]=~])(?: (.*)|$)"), "%0")
WOS = Grammar("wos", re.compile(r"([A-Z][A-Z0-9])(?: (.*)|$)"), "PT", "ER", ("FN", "VR", "EF"))


def read_pubmed(text: str, source: str) -> Library:
    """Return what a PubMed file (MEDLINE display format) holds; see `read_tagged`."""
    return read_tagged(text, source, PUBMED)


def read_endnote(text: str, source: str) -> Library:
    """Return what an EndNote import file (Refer format) holds; see `read_tagged`."""
    return read_tagged(text, source, ENDNOTE)


def read_wos(text: str, source: str) -> Library:
    """Return what a Web of Science file holds; see `read_tagged`."""
    return read_tagged(text, source, WOS)


def read_tagged(text: str, source: str, grammar: Grammar) -> Library:
    """Return the entries of a file of tagged lines in file order, and problems.

    Tags without a field are kept in `Entry.extra` under the format's name.

    Args:
        text: the whole file, decoded, with `\\n` line ends.
        source: file name or other label that messages show.
        grammar: how the format's lines look.
    Raises:
        InputError: the text is not empty and no line has a tag.
    """
    entries: list[Entry] = []
    problems: list[Problem] = []
    for lines, line, span in _records(text, grammar):
        if not lines[0][0]:
            raw = "\n".join(lines[0][1])
            problems.append(
                Problem(
                    code="text-outside-record",
                    severity="info",
                    location=Location(source, line),
                    message="text outside any record is passed over",
                    raw=raw,
                )
            )
            continue
        fields = from_tagged(lines, grammar.name)
        fields["origin"] = Origin(source, line, span, len(entries))
        entries.append(Entry(**fields))
    if not entries and text.strip():
        raise InputError(f"no line has a tag, so this is not {grammar.name}", Location(source, 1))
    return Library(tuple(entries), tuple(problems), format=grammar.name, source=source)


def _records(text: str, grammar: Grammar) -> Iterator[tuple[list[Line], int, tuple[int, int]]]:
    """Yield the lines of each record, its first line's number and its span; junk under an empty tag."""
    tags: list[tuple[str, list[str]]] = []
    line = start = position = 0
    for number, raw in enumerate(text.split("\n"), 1):
        begin, position = position, position + len(raw) + 1
        match = grammar.tag.fullmatch(raw)
        tag = match[1] if match else ""
        ends = tag == grammar.last if grammar.last else not raw.strip()
        begins = tag == grammar.first and any(known == tag for known, _ in tags)
        if tags and (ends or begins):
            yield _sealed(tags), line, (start, begin)
            tags = []
        if tag in grammar.outside or (ends and not begins):
            continue
        if match and tag:
            if not tags:
                line, start = number, begin
            tags.append((tag, [(match[2] or "").strip()]))
        elif raw.strip():
            if not tags:
                line, start = number, begin
                tags.append(("", []))
            tags[-1][1].append(raw.strip())
    if tags:
        yield _sealed(tags), line, (start, len(text))


def _sealed(tags: list[tuple[str, list[str]]]) -> list[Line]:
    """Return the lines of a record, empty values left out."""
    kept = [(tag, tuple(part for part in parts if part)) for tag, parts in tags]
    return [line for line in kept if line[1]] or kept
