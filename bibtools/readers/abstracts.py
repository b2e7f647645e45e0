"""Lists of abstracts: what people paste from sites and keep in notes. Rules: docs/formats/abstract-lists.md.

Stage 1 (`list_lines`) makes paragraphs, stage 2 (`list_outline`, `list_fields`, `list_ids`) tells what a
paragraph and a line is, stage 3 (`list_records`) gathers what belongs to one abstract, stage 4
(`list_entries`) makes entries. Every paragraph comes out as an entry, a heading, a field of an entry, or a
Problem.
"""

from collections.abc import Sequence

from bibtools.errors import InputError, Location, Problem
from bibtools.model import Entry, Library
from bibtools.readers.list_entries import make_entry
from bibtools.readers.list_lines import split_paragraphs
from bibtools.readers.list_outline import Outlined, outline
from bibtools.readers.list_records import Gatherer, ids_stand_above, split_items

SAVE_AS_TEXT = "open it and save it as plain text (.txt, UTF-8)"
HTML = "this is HTML, not plain text; copy the abstracts from the browser into a .txt file"
FOREIGN = {
    "{\\rtf": f"this is RTF, not plain text; {SAVE_AS_TEXT}",
    "%PDF-": "this is PDF, not plain text; copy the abstracts into a .txt file, or use pdftotext",
    "PK\x03\x04": f"this is a zipped document such as DOCX or ODT, not plain text; {SAVE_AS_TEXT}",
    "ÐÏ\x11à": f"this is an old Office document, not plain text; {SAVE_AS_TEXT}",
    "<!doctype html": HTML,
    "<html": HTML,
    "<head": HTML,
    "<body": HTML,
}
"""How other kinds of file begin, and what to do with them."""
BINARY = "".join(map(chr, (*range(9), *range(14, 27), *range(28, 32), 0xFFFD)))
HEAD = 4096
"""Characters that are looked at to tell a binary file."""
BINARY_SHARE = 0.05
"""Share of control characters and unreadable ones from which a file is binary."""


def read_abstracts(text: str, source: str) -> Library:
    """Return what a list of abstracts holds: entries in file order, its heading, and problems.

    Args:
        text: the whole list, decoded.
        source: file name or other label that messages show.
    Returns:
        A Library. Each entry has its abstract as `Text`, what stands round it as fields, the work that the
        list names as `claim`, and the addresses in the abstract as `links` with line and column.
        `Origin.line` is the abstract's first line, `Origin.index` counts from 0. Values that fit no field are
        in `annote`. The heading is the first one that names a venue, else the first.
    Raises:
        InputError: this is another kind of file, or holds no abstract.
    """
    _refuse_other_files(text, source)
    paragraphs = list(outline(list(split_paragraphs(text))))
    items = [split_items(part.paragraph) if part.role != "heading" else [] for part in paragraphs]
    gatherer = Gatherer(ids_stand_above(items))
    for part, of_part in zip(paragraphs, items, strict=True):
        if part.role == "heading":
            gatherer.close()
        else:
            gatherer.add(of_part, part.role)
    gatherer.close()
    headings = [part for part in paragraphs if part.role == "heading"]
    heading = _best_heading(headings)
    entries: list[Entry] = []
    problems = [_further_heading(part, source) for part in headings if part is not heading]
    for record in gatherer.records:
        entry, doubts = make_entry(record, text, source, len(entries))
        entries += [entry] if entry else []
        problems += doubts
    if not entries:
        lost = next((problem for problem in problems if problem.code == "too-long"), None)
        if lost:
            raise InputError(lost.message, lost.location)
        found = "a heading and no abstract" if headings else "no abstract"
        raise InputError(
            f"{found} in it; abstracts are paragraphs with blank lines between", Location(source)
        )
    return Library(
        entries=tuple(entries),
        problems=tuple(problems),
        format="abstracts",
        source=source,
        heading=heading.heading if heading else "",
    )


def _best_heading(headings: Sequence[Outlined]) -> Outlined | None:
    """Return the first heading that names a venue, else the first; None if there is none."""
    if len(headings) < 2:
        return headings[0] if headings else None
    from bibtools.mapping.venues import parse_heading  # takes a while to load, and few lists need it

    return next((part for part in headings if parse_heading(part.heading)), headings[0])


def _further_heading(part: Outlined, source: str) -> Problem:
    """Return the note that the list has a heading which stands in no entry."""
    line = part.paragraph[0]
    return Problem(
        "further-heading", "info", Location(source, line.number), "a further heading", part.heading
    )


def _refuse_other_files(text: str, source: str) -> None:
    """Raise InputError for a file that is no plain text, with the cure."""
    start = text[:HEAD].lstrip().lower()
    for beginning, message in FOREIGN.items():
        if start.startswith(beginning.lower()):
            raise InputError(message, Location(source))
    head = text[:HEAD]
    strange = sum(map(head.count, BINARY))
    if strange > BINARY_SHARE * len(head):
        raise InputError("this is a binary file; give a list of abstracts as plain text", Location(source))
