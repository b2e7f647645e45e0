"""Any .bib, .ris or .json that holds abstracts, through the formats' own readers.

A large .bib is read in slices that end between entries, so that memory does not grow with it; what stands
before the first entry (`@string`, `@preamble`) is given to each slice. Cross-references must not leave it.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from bibtools.errors import InputError, Location, Problem
from bibtools.formats import Format, check_text, get_format, guess_format
from bibtools.model import Entry, PartialDate
from bibtools.readers.decode import decode
from bibtools.sources.fields import ids_from_urls
from bibtools.sources.links import abstract_links, code_links, join_links
from bibtools.sources.streams import open_source
from bibtools.sources.titles import protect_whole_words

SLICE = 1 << 24
"""Bytes of one slice of a .bib."""
LONGEST = 1 << 29
"""A file of another format is read whole, up to so many bytes once unpacked."""
ENTRY_START = re.compile(rb"\n(?=@[A-Za-z]+[ \t]*[{(])")
FIRST_ENTRY = re.compile(
    rb"^@(?!(?:string|preamble|comment)\b)[A-Za-z]+[ \t]*[{(]", re.IGNORECASE | re.MULTILINE
)
CODE_FIELDS = frozenset({"software", "code", "github", "repository", "codeurl"})
PMLR_KEY = re.compile(r"pmlr-([vr]\d+)-([\w.-]+)")


def read_bibliography(path: Path, source: str = "") -> Iterator[Entry | Problem]:
    """Yield the works of a bibliography, plain or gzip, in its order, and problems.

    Args:
        source: label that messages show in place of the path.
    Raises:
        InputError: it is no bibliography in a format that can be read.
    """
    label = source or str(path)
    name = path.name.removesuffix(".gz")
    with open_source(path) as stream:
        head = stream.read(SLICE)
        check_text(head, label)
        form = guess_format(head, name)
        if form.name in {"bibtex", "biblatex"}:
            yield from read_bib_slices(head, stream, label, form)
        else:
            yield from read_whole(head + read_rest(stream, label), label, form)


def read_rest(stream: BinaryIO, source: str) -> bytes:
    """Return the rest of a file that has to be read whole.

    Raises:
        InputError: it is too large for that.
    """
    rest = stream.read(LONGEST)
    if len(rest) == LONGEST:
        raise InputError(f"larger than {LONGEST >> 20} MB; split it, or use a .bib", Location(source))
    return rest


def read_whole(data: bytes, source: str, form: Format) -> Iterator[Entry | Problem]:
    """Yield what a file in this format holds."""
    decoded = decode(data, source)
    library = form.read(decoded.text, source)
    yield from (*decoded.problems, *library.problems)
    yield from (to_work(entry) for entry in library.entries)


def read_bib(stream: BinaryIO, source: str, size: int = SLICE) -> Iterator[Entry | Problem]:
    """Yield the works of an open .bib of any size, `size` bytes at a time."""
    yield from read_bib_slices(stream.read(size), stream, source, get_format("bibtex"), size)


def read_bib_slices(
    head: bytes, stream: BinaryIO, source: str, form: Format, size: int = SLICE
) -> Iterator[Entry | Problem]:
    """Yield the works of a .bib whose beginning is read already."""
    first = FIRST_ENTRY.search(head)
    preface = head[: first.start()] if first else b""
    pending, line = head, 0
    while True:
        more = stream.read(size)
        cut = last_entry(pending) if more else len(pending)
        if cut:
            whole = pending[:cut] if not line else preface + pending[:cut]
            shift = line - preface.count(b"\n") if line else 0
            yield from (moved(item, shift) for item in read_whole(whole, source, form))
            line += pending.count(b"\n", 0, cut)
        if not more:
            return
        pending = pending[cut:] + more


def last_entry(data: bytes) -> int:
    """Return where the last entry begins, 0 where there is only one."""
    place = data.rfind(b"\n@")
    while place > 0 and not ENTRY_START.match(data, place):
        place = data.rfind(b"\n@", 0, place)
    return max(place + 1, 0)


def moved(item: Entry | Problem, lines: int) -> Entry | Problem:
    """Return a problem with its line counted in the whole file; an entry as it is."""
    if not lines or isinstance(item, Entry) or item.location.line is None:
        return item
    place = Location(item.location.source, item.location.line + lines, item.location.column)
    return msgspec.structs.replace(item, location=place)


def to_work(entry: Entry) -> Entry:
    """Return an entry as a catalogue wants it: identifiers told by its addresses, links as its record's."""
    ids = {
        **ids_from_urls([entry.url, *(link.url for link in entry.links if link.kind == "paper")]),
        **entry.ids,
    }
    if key := PMLR_KEY.fullmatch(entry.key):
        ids.setdefault("pmlr", f"{key[1]}/{key[2]}")
    own = (msgspec.structs.replace(link, found_in="catalogue") for link in entry.links)
    typed = (
        link
        for name, value in entry.extra.get("bibtex", ())
        if name.lower() in CODE_FIELDS
        for link in code_links(value)
    )
    said = abstract_links(entry.abstract.plain) if entry.abstract else ()
    work = entry.replace(
        key="",
        title=protect_whole_words(entry.title) if entry.title else None,
        ids=ids,
        links=join_links(own, typed, said),
        origin=None,
    )
    return from_pmlr(work) if "pmlr" in ids else work


def from_pmlr(work: Entry) -> Entry:
    """Return a work of PMLR without what its BibTeX says in its own way.

    Its `month` has the days of the conference, and `pdf` follows from the page's address.
    """
    extra = {name: fields for name, fields in work.extra.items() if name != "bibtex"}
    days = work.issued
    if days is None or days.end is None or not days.start:
        return work.replace(extra=extra)
    return work.replace(extra=extra, event_date=days, issued=PartialDate(start=days.start[:1]))
