"""RIS as programs really write it: records split by lines first, then read through `mapping.from_ris`."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from bibtools.errors import InputError, Location, Problem
from bibtools.mapping.from_ris import from_ris
from bibtools.mapping.ris import known_tags
from bibtools.model import Entry, Library, Origin

_STRICT = re.compile(r"([A-Z][A-Z0-9])  -(?: (.*))?", re.DOTALL)
_LOOSE = re.compile(
    r"[ \t\xa0]{0,4}([A-Z][A-Z0-9])[ \t\xa0]{0,4}[-\u2013\u2014](?:[ \t\xa0](.*)|(\S.*))?", re.DOTALL
)
_TITLES = frozenset(("TI", "T1", "CT", "BT"))


class RawRecord(NamedTuple):
    """One record before its tags are understood."""

    lines: list[tuple[str, str]]
    """Tags and values in file order, TY among them, wrapped lines joined; ER is not."""
    line: int
    """Line of the file where the record begins, from 1."""
    span: tuple[int, int]
    """Characters of the record, from its first line up to the line after its last."""
    ended: bool
    """Whether ER ended it."""


class Outside(NamedTuple):
    """Text that belongs to no record."""

    text: str
    line: int


def read_ris(text: str, source: str) -> Library:
    """Return what a RIS file holds: entries in file order, and problems.

    Records may lack TY or ER, lines may be wrapped, and text may stand between records; see
    docs/formats/ris.md. Tags without a mapping are kept in `Entry.extra["ris"]`.

    Args:
        text: the whole file, decoded, with `\\n` line ends.
        source: file name or other label that messages show.
    Raises:
        InputError: the text is not empty and holds no record, so this is not RIS.
    """
    entries: list[Entry] = []
    problems: list[Problem] = []
    for part in split_records(text):
        if isinstance(part, Outside):
            problems.append(_outside(part, source))
            continue
        fields, unknown = from_ris(part.lines)
        fields["origin"] = Origin(source, part.line, part.span, len(entries))
        entry = Entry(**fields)
        entries.append(entry)
        if unknown or not part.ended or part.lines[0][0] != "TY":
            problems.extend(_doubts(part, entry, unknown, source))
    if not entries and text.strip():
        raise InputError("no record begins with TY, so this is not RIS", Location(source, 1))
    return Library(entries=tuple(entries), problems=tuple(problems), format="ris", source=source)


def split_records(text: str) -> Iterator[RawRecord | Outside]:
    """Yield the records of a file, and the text that belongs to none, in file order."""
    splitter = _Splitter()
    tags = {f"{tag}  - ": tag for tag in splitter.tags}
    position, number = 0, 1
    while (mark := text.find("\nER  -", position)) >= 0:
        end = text.find("\n", mark + 1)
        end = len(text) if end < 0 else end
        start = _begin(text, position)
        number += start - position
        lines = _plain_lines(text[start:mark], tags)
        if lines:
            if splitter.stray:
                splitter.flush()
                yield from splitter.given()
            yield RawRecord(lines, number, (start, end), True)
            number += len(lines) + 1
        else:
            splitter.feed_all(text[start:end], number, start)
            yield from splitter.given()
            number += text.count("\n", start, end) + 1
        position = end + 1
    splitter.feed_all(text[position:], number, position)
    splitter.close(len(text), ended=False)
    splitter.flush()
    yield from splitter.given()


def _begin(text: str, position: int) -> int:
    """Return the place of the next character that is no line end."""
    while text.startswith("\n", position):
        position += 1
    return position


def _plain_lines(part: str, tags: dict[str, str]) -> list[tuple[str, str]]:
    """Return tags and values of a part that is one record with plain lines of known tags.

    Nearly all records are such; nothing is returned for any other.

    Args:
        tags: known tags by how their lines begin, `AU  - `.
    """
    if not part.startswith("TY  - ") or "\nTY" in part:
        return []
    try:
        return [(tags[row[:6]], row[6:]) for row in part.split("\n")]
    except KeyError:
        return []


class _Splitter:
    """Puts lines together to records."""

    def __init__(self) -> None:
        self.found: list[RawRecord | Outside] = []
        self.tags = known_tags()
        self.lines: list[tuple[str, str]] = []
        """Tags and values of the open record, or of tag lines outside one."""
        self.wrapped: list[str] = []
        """Further lines of the last value."""
        self.stray: list[str] = []
        self.stray_line = self.line = self.start = 0
        self.inside = False

    def given(self) -> list[RawRecord | Outside]:
        """Return what was found since the last time."""
        found, self.found = self.found, []
        return found

    def feed_all(self, text: str, number: int, position: int) -> None:
        """Take a part of the file, line by line."""
        for raw in text.split("\n"):
            self.feed(raw, number, position)
            number += 1
            position += len(raw) + 1

    def add(self, tag: str, value: str) -> None:
        """Take a tag line."""
        if self.wrapped:
            self.unwrap()
        self.lines.append((tag, value))

    def feed(self, raw: str, number: int, position: int) -> None:
        """Take any line."""
        tag, value = _tag_line(raw, self.tags)
        if tag == "TY":
            self.close(position, ended=False)
            self.inside, self.line, self.start = True, number, position
        elif tag == "ER":
            self.close(position + len(raw), ended=True)
            return
        elif not self.inside:
            self.wander(raw, number, position, tag)
        if tag:
            self.add(tag, value)
        elif self.lines and raw and not raw.isspace():
            if self.lines[-1][0] == "TY":
                self.stray.append(raw)
                self.stray_line = self.stray_line or number
            else:
                self.wrapped.append(raw.strip())

    def wander(self, raw: str, number: int, position: int, tag: str) -> None:
        """Take note of a line outside a record: where it stands, and what it says."""
        if tag and not self.lines:
            self.line, self.start = number, position
        if raw.strip():
            self.stray.append(raw)
            self.stray_line = self.stray_line or number

    def unwrap(self) -> None:
        """Join a value that stood on several lines; keywords have a line each."""
        tag, value = self.lines[-1]
        parts = [part for part in (value.strip(), *self.wrapped) if part]
        self.lines[-1] = (tag, ("\n" if tag == "KW" else " ").join(parts))
        self.wrapped = []

    def close(self, end: int, ended: bool) -> None:
        """End a record, or the text outside one; tag lines with a title among them are a record."""
        if self.wrapped:
            self.unwrap()
        if not self.inside and any(tag in _TITLES for tag, _ in self.lines):
            self.inside, self.stray = True, []
        if self.inside and not any(value for _, value in self.lines):
            # an empty record is none
            self.stray.extend(f"{tag}  - " for tag, _ in self.lines)
            self.stray_line = self.stray_line or self.line
            self.inside = False
        elif self.inside:
            self.flush()
            self.found.append(RawRecord(self.lines, self.line, (self.start, end), ended))
            self.inside = False
        self.lines = []

    def flush(self) -> None:
        """Give out the text outside records so far."""
        if self.stray:
            self.found.append(Outside("\n".join(self.stray), self.stray_line))
            self.stray, self.stray_line = [], 0


def _tag_line(raw: str, tags: frozenset[str]) -> tuple[str, str]:
    """Return tag and value of a line; an empty tag where it is none.

    Two blanks and a hyphen make a tag of any two letters; other spacing only one of those in use,
    so that `US - based` stays text.
    """
    if raw[2:5] == "  -":
        match = _STRICT.fullmatch(raw)
        if match:
            return match[1], match[2] or ""
    match = _LOOSE.fullmatch(raw)
    if match and match[1] in tags:
        return match[1], match[2] or match[3] or ""
    return "", ""


def _outside(part: Outside, source: str) -> Problem:
    """Return what to say of text that belongs to no record."""
    return Problem(
        code="text-outside-record",
        severity="info",
        location=Location(source, part.line),
        message="text outside any record is passed over",
        raw=part.text,
    )


def _doubts(part: RawRecord, entry: Entry, unknown: str, source: str) -> Iterator[Problem]:
    """Yield what is doubtful about a record that was read."""
    here = Location(source, part.line)
    raw = "".join(f"{tag}  - {value}\n" for tag, value in part.lines[:1])
    if part.lines[0][0] != "TY":
        yield Problem("missing-type", "warning", here, f"record without TY, read as {entry.type}", raw)
    elif unknown:
        message = f"unknown RIS type {unknown!r}, read as {entry.type}"
        yield Problem("unknown-type", "warning", here, message, raw)
    if not part.ended:
        yield Problem("missing-end", "warning", here, "record without ER; add an ER line at its end", raw)
