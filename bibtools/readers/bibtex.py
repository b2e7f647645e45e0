"""BibTeX and biblatex to entries: what the blocks that `text.bibsyntax` found mean together.

Macros are put in, second copies of fields and keys told apart, and fields inherited from crossref and xdata
parents once the whole file is known; then `mapping.bibtex` says what the fields mean.
"""

import re
from collections.abc import Iterator
from itertools import count

from msgspec import Struct

from bibtools.errors import Location, Problem
from bibtools.mapping.bibtex import from_bibtex, is_running_text
from bibtools.mapping.bibtex_inheritance import BibFields, inherit
from bibtools.model import Block, Comment, Entry, EntryBlock, Library, Macro, Origin, Preamble
from bibtools.text.bibsyntax import (
    RawEntry,
    RawField,
    RawPreamble,
    RawStrings,
    iterate_bibtex,
)
from bibtools.text.tex import unknown_commands
from bibtools.text.tex_tables import may_have_unknown_commands

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
"""BibTeX's built-in macros; dates read them by their names."""
_TEX_COMMENT = re.compile(r"(^|(?<=[^\d\\\s])\s|(?<=\s))%[^\n]*\n\s*")
"""A percent sign before which a word ends, and all up to the line's end: TeX's comment, not a share."""
_LISTS = frozenset(("keywords", "keyword"))
"""Fields that people give once for each of their values."""
MOST_COMMANDS = 20
"""Unknown commands of one entry that are told."""


def read_bibtex(text: str, source: str) -> Library:
    """Return what a BibTeX or biblatex file holds: entries in file order, all other blocks, and problems.

    Args:
        text: the whole file, decoded, lines ending in `\\n`.
        source: file name or other label that messages show.
    Returns:
        A Library. What could not be read is a Problem with its raw text; an entry is never lost for the fault
        of one of its fields. Of two entries with one key, the second gets a new one. `blocks` holds the file
        in order, with each entry's source, so that what is not changed can be written as it came.
    """
    return _Reader(text, source).library()


def is_stray(comment: str) -> bool:
    """Say whether a text between entries is no remark: neither `@comment` nor lines that begin with `%`."""
    if comment[:8].lower() == "@comment":
        return False
    return any(line and line[0] != "%" for line in map(str.strip, comment.split("\n")))


def letters(number: int) -> str:
    """Return a, b, … z, aa, ab, … for 1, 2, …

    >>> letters(1), letters(27)
    ('a', 'aa')
    """
    text = ""
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text


class _Draft(Struct, gc=False):
    """An entry on its way: where it stands in the file, and what it will be read from."""

    type: str
    """As spelled."""
    span: tuple[int, int]
    fields: BibFields
    repeated: list[tuple[str, str]]


class _Reader:
    """One file being read."""

    def __init__(self, text: str, source: str) -> None:
        self.text, self.source = text, source
        self.problems: list[Problem] = []
        self.macros = {month: month for month in MONTHS}
        self.names: dict[str, str] = {}
        self.keys: set[str] = set()
        self.copies: dict[str, int] = {}
        """For each key given twice, the number of its last copy: none below it is free."""

    def library(self) -> Library:
        """Return the whole file."""
        parts = list(self.parts())
        drafts = [part for part in parts if isinstance(part, _Draft)]
        self.problems.extend(inherit([draft.fields for draft in drafts], self.source))
        entries: list[Entry] = []
        blocks = tuple(self.finish(part, entries) if isinstance(part, _Draft) else part for part in parts)
        comments = [block.text for block in blocks if isinstance(block, Comment)]
        if not drafts and len(comments) == len(blocks) and any(map(is_stray, comments)):
            message = "no BibTeX entry found; expected @type{key, ...}"
            problem = Problem("no-entries", "error", Location(self.source, 1), message, self.text, True)
            self.problems.append(problem)
        return Library(tuple(entries), tuple(self.problems), "bibtex", self.source, blocks=blocks)

    # First pass: values

    def parts(self) -> Iterator[_Draft | Block]:
        """Yield the file's blocks, entries as drafts with macros put in, as far as defined above them."""
        for raw in iterate_bibtex(self.text, self.source, self.problems):
            if isinstance(raw, RawEntry):
                yield self.draft(raw)
                continue
            source = self.text[raw.span[0] : raw.span[1]]
            if isinstance(raw, RawStrings) and raw.fields:
                for field in raw.fields:
                    self.macros[field.name.lower()] = self.value(field, raw.span[0])
                yield Macro(raw.fields[0].name, raw.fields[0].source, source)
            elif isinstance(raw, RawPreamble):
                yield Preamble(raw.source, source)
            else:
                self.check_comment(raw.span)
                yield Comment(source)

    def draft(self, raw: RawEntry) -> _Draft:
        """Return an entry's fields by name, second copies apart; one without a value says nothing."""
        names = self.names
        fields: dict[str, str] = {}
        repeated: list[tuple[str, str]] = []
        for field in raw.fields:
            name = names.get(field.name) or names.setdefault(field.name, field.name.lower())
            value = field.value
            if not isinstance(value, str):
                value = self.value(field, raw.span[0])
            if not value.strip("{} \n\t"):
                continue
            if "%" in value and "\n" in value:
                value = _TEX_COMMENT.sub(r"\1", value)
            if name not in fields:
                fields[name] = value
            elif value == fields[name]:
                continue
            elif name in _LISTS:
                fields[name] += f", {value}"
            else:
                repeated.append((name, value))
                message = f"{raw.key}: {field.name} is given twice; the first counts"
                self.tell(raw.line, "duplicate-field", message)
        return _Draft(raw.type, raw.span, BibFields(raw.type.lower(), raw.key, fields, raw.line), repeated)

    def value(self, field: RawField, start: int) -> str:
        """Return a field's value: its pieces joined, macros put in; an unknown one stays as its name."""
        parts = []
        for piece in field.pieces:
            if not piece.is_macro:
                parts.append(piece.text)
                continue
            known = self.macros.get(piece.text.lower())
            if known is None:
                line = self.text.count("\n", start, field.start)
                self.undefined(piece.text, field.name, start, line)
                known = piece.text
            parts.append(known)
        if not field.pieces and len(field.source) > 2:
            return field.source[1:-1] if field.source[0] in '{"' else field.source
        return "".join(parts)

    def undefined(self, macro: str, name: str, start: int, lines: int) -> None:
        """Report a macro that no @string defines."""
        line = self.text.count("\n", 0, start) + lines + 1
        message = f"{name}: no @string defines {macro!r}; its name is kept as text"
        self.problems.append(
            Problem("undefined-macro", "warning", Location(self.source, line), message, macro)
        )

    def check_comment(self, span: tuple[int, int]) -> None:
        """Report text between entries that looks as if it should have been one."""
        start, end = span
        at = self.text.find("\n@", start, end)
        if at < 0:
            return
        where = Location(self.source, self.text.count("\n", 0, at) + 2)
        raw = self.text[at + 1 : end]
        if self.text[start : start + len("@comment")].lower() == "@comment":
            message = "an entry within @comment is none; it stays there"
            self.problems.append(Problem("commented-entry", "info", where, message, raw))
        else:
            message = "text that looks like an entry and is none; it is kept as a comment"
            self.problems.append(Problem("stray-text", "warning", where, message, raw, True))

    # Second pass: meaning

    def finish(self, draft: _Draft, entries: list[Entry]) -> EntryBlock:
        """Add an entry to `entries` and return its block; xdata is no work, so only its block."""
        fields = draft.fields
        source = self.text[draft.span[0] : draft.span[1]]
        if fields.type == "xdata":
            return EntryBlock(fields.key, source)
        if "\\" in source:
            self.check_commands(fields)
        origin = Origin(self.source, fields.line, draft.span, len(entries))
        entry = from_bibtex(draft.type, self.unique_key(fields), fields.fields, draft.repeated, origin)
        entries.append(entry)
        return EntryBlock(entry.key, source, entry)

    def unique_key(self, fields: BibFields) -> str:
        """Return an entry's key, or a new one if an entry above has it."""
        key = fields.key
        if key and key in self.keys:
            number = next(n for n in count(self.copies.get(key, 1)) if key + letters(n) not in self.keys)
            self.copies[key] = number
            new = key + letters(number)
            self.tell(
                fields.line,
                "duplicate-key",
                f"{key} is the key of another entry above; this one is now {new}",
            )
            key = new
        self.keys.add(key)
        return key

    def check_commands(self, fields: BibFields) -> None:
        """Report TeX commands that are kept as text."""
        found: list[str] = []
        for name, value in fields.fields.items():
            if "\\" in value and is_running_text(name) and may_have_unknown_commands(value):
                found.extend(unknown_commands(value))
        for command in list(dict.fromkeys(found))[:MOST_COMMANDS]:
            self.tell(fields.line, "tex-command", f"{fields.key}: {command} is not known; it is kept as text")

    def tell(self, line: int, code: str, message: str) -> None:
        """Add a problem of an entry."""
        self.problems.append(Problem(code, "warning", Location(self.source, line), message))
