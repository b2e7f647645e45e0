"""The addresses in any text file, each with its place: what `bibtools links` reads.

The text itself is searched, whatever its format, so that every find has line, column and span, and can be
replaced there without touching anything else.
"""

import csv
import io
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import PurePath

from msgspec import Struct
from msgspec.structs import replace

from bibtools.errors import InputError
from bibtools.files import input_label, read_input
from bibtools.formats import check_text, guess_format
from bibtools.model import Link
from bibtools.readers.decode import decode
from bibtools.text.offers import find_code_links
from bibtools.text.urls import normalise_url

BLANK_LINE = re.compile(r"\n[ \t]*\n")
DELIMITERS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
"""Tables by suffix, with the delimiter that stands there unless the first line shows another."""
OTHER_DELIMITERS = ";\t|"
LINK_KINDS = frozenset(
    {"repository", "gist", "model", "dataset", "archive", "review-copy", "project-page", "demo"}
)
"""Kinds that are checked without `--all`; others only where the text says that code is there."""


class Mention(Struct, frozen=True):
    """An address at one place of a text."""

    link: Link
    start: int
    """Span in the decoded text."""
    end: int
    title: str = ""
    """Title of the entry that gives it, if known."""


class LinkFile(Struct, frozen=True):
    """A text and the addresses in it."""

    name: str
    """As given on the command line."""
    source: str
    text: str
    mentions: tuple[Mention, ...]
    promised: tuple[int, ...] = ()
    """Lines of the paragraphs that promise code without an address."""
    delimiter: str = ""
    """What separates cells, where the text is a table."""


def read_link_file(name: str) -> LinkFile:
    """Return the addresses in a file, or in standard input for `-`.

    Raises:
        InputError: it cannot be read, or is empty.
    """
    label = input_label(name)
    data = read_input(name)
    check_text(data, label)
    return add_titles(find_mentions(decode(data, label).text, name, label))


def find_mentions(text: str, name: str, source: str) -> LinkFile:
    """Return the addresses in a text, each with its place, and the promises of code without one."""
    delimiter = delimiter_of(text, name)
    mentions: list[Mention] = []
    promised: list[int] = []
    start, line = 0, 0
    for end in [*(match.start() for match in BLANK_LINE.finditer(text)), len(text)]:
        paragraph = text[start:end]
        found = find_code_links(paragraph, delimiter)
        for url, offers in zip(found.urls, found.offers, strict=True):
            link = Link(url.written, url.url, url.kind, offers, "field", line + url.line, url.column)
            mentions.append(Mention(link, start + url.start, start + url.end))
        if found.promised and not delimiter:
            promised.append(line + 1 + len(paragraph) - len(paragraph.lstrip("\n")))
        line += paragraph.count("\n")
        start = end
    return LinkFile(name, source, text, tuple(mentions), tuple(promised), delimiter)


def add_titles(file: LinkFile) -> LinkFile:
    """Return a file whose project pages carry the titles of the entries that give them, if it has entries."""
    if file.delimiter or all(mention.link.kind != "project-page" for mention in file.mentions):
        return file
    try:
        library = guess_format(file.text, file.name).read(file.text, file.source)
    except InputError:
        return file
    entries = [entry for entry in library.entries if entry.origin and entry.title]
    lines = [entry.origin.line for entry in entries if entry.origin]
    mentions = []
    for mention in file.mentions:
        place = bisect_right(lines, mention.link.line or 0) - 1
        title = entries[place].title if place >= 0 else None
        mentions.append(replace(mention, title=title.plain) if title else mention)
    return replace(file, mentions=tuple(mentions))


def delimiter_of(text: str, name: str) -> str:
    """Return what separates the cells of a table; empty for a text that is none, as its name says."""
    usual = DELIMITERS.get(PurePath(name).suffix.lower(), "")
    head = text.partition("\n")[0]
    if not usual or usual in head:
        return usual
    return next((mark for mark in OTHER_DELIMITERS if mark in head), usual)


def is_wanted(link: Link, *, everything: bool) -> bool:
    """Return whether a link is to be reported: one to code, data or a project, or any with `everything`."""
    return everything or link.offers_code or link.kind in LINK_KINDS


def is_ignored(link: Link, patterns: Iterable[str]) -> bool:
    """Return whether a link fits one of the patterns: an address, with `*` for any characters.

    An address also stands for what is below it.
    """
    spellings = (link.url.lower(), link.written.lower())
    for pattern in patterns:
        wanted = pattern.lower()
        if "*" not in wanted:
            wanted = normalise_url(wanted)
        below = f"{wanted.rstrip('/')}/*"
        if any(fnmatchcase(one, escape_glob(form)) for one in spellings for form in (wanted, below)):
            return True
    return False


def escape_glob(pattern: str) -> str:
    """Return a pattern in which only `*` is special."""
    return pattern.replace("[", "[[]").replace("?", "[?]")


def add_columns(file: LinkFile, columns: Iterable[str], cells: dict[int, dict[str, str]]) -> str:
    """Return a table with the same rows and columns, and some more.

    Args:
        columns: names of the new columns.
        cells: by a mention's place in the file's mentions, its cells by column.
    """
    names = list(columns)
    reader = csv.reader(io.StringIO(file.text, newline=""), delimiter=file.delimiter)
    rows, ends = [], []
    for row in reader:
        rows.append(row)
        ends.append(reader.line_num)
    by_row: dict[int, list[dict[str, str]]] = {}
    for place, values in cells.items():
        by_row.setdefault(bisect_left(ends, file.mentions[place].link.line or 0), []).append(values)
    has_header = 0 not in by_row
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=file.delimiter, lineterminator="\n")
    for number, row in enumerate(rows):
        if number == 0 and has_header:
            writer.writerow([*row, *names])
        else:
            found = by_row.get(number, [])
            writer.writerow([*row, *(" | ".join(values[name] for values in found) for name in names)])
    return stream.getvalue()
