"""Entries to BibTeX and biblatex.

A library that was read from BibTeX comes back as it was: comments, macros, order, and each unchanged entry
byte for byte. In a changed entry, the fields of what did not change stay as they were written. Everything
else is written from the model (`mapping.to_bibtex`).
"""

import re
from collections.abc import Iterable, Iterator
from typing import TextIO

from bibtools.errors import Location, Problem
from bibtools.mapping.bibtex import feeds
from bibtools.mapping.bibtex_plans import Plans
from bibtools.mapping.tex_values import Style
from bibtools.mapping.to_bibtex import BibField, Loss, to_bibtex
from bibtools.model import (
    Block,
    Comment,
    Entry,
    EntryBlock,
    Library,
    Macro,
    Preamble,
    WriteOptions,
    WriteReport,
)
from bibtools.text.bibsyntax import RawEntry, split_entry

_UNSAFE_KEY = re.compile(r"""[\s{}(),=\\"#%'~^&$@]+""")
"""What BibTeX, biber or LaTeX does not take in a key."""
_SHOWN_LETTERS = 10
"""How many letters without a command a message shows."""
_KEPT = ("key", "origin", "identification", "promised_without_link", "claim")
"""Model fields whose change does not change what is written."""


def write_bibtex(library: Library, stream: TextIO, options: WriteOptions) -> WriteReport:
    """Write a library's entries; return how many, and what BibTeX could not hold.

    Args:
        library: entries, and blocks if it was read from BibTeX.
        stream: takes text with `\n` line ends.
        options: `dialect` `bibtex` or `biblatex` (empty: each entry as it came, new ones in BibTeX), `ascii`,
            `code_as`.

    Source:
        Patashnik, BibTeXing (1988), section 3; biblatex 3.20, section 2.
    """
    return _Writer(library, stream, options).write()


def format_entry(entry_type: str, key: str, lines: Iterable[str]) -> str:
    """Return one entry, a field a line, ending with a newline."""
    return "\n".join([f"@{entry_type}{{{key},", *lines, "}\n"])


class _Writer:
    """One library being written."""

    def __init__(self, library: Library, stream: TextIO, options: WriteOptions) -> None:
        self.library, self.stream, self.options = library, stream, options
        self.style = Style(options.dialect or "bibtex", options.ascii, options.code_as, bool(options.dialect))
        self.plans = Plans(self.style)
        self.problems: list[Problem] = []
        self.keys: set[str] = set()
        self.numbered: dict[str, int] = {}
        """For keys that came again, the number that the next one gets."""

    def write(self) -> WriteReport:
        """Write everything."""
        blocks = self.library.blocks
        if not blocks:
            self.write_new(self.library.entries, first=True)
        elif self.keeps_order():
            self.write_blocks(blocks)
        else:
            self.write_reordered(blocks)
        return WriteReport(len(self.library.entries), tuple(self.problems))

    def keeps_order(self) -> bool:
        """Say whether the entries that the file had still stand in its order."""
        places: dict[str, list[int]] = {}
        for place, block in enumerate(self.entry_blocks()):
            if block.entry:
                places.setdefault(block.entry.key, []).append(place)
        order = [places[entry.key].pop(0) for entry in self.library.entries if places.get(entry.key)]
        return order == sorted(order)

    def entry_blocks(self) -> Iterator[EntryBlock]:
        """Yield the blocks of entries."""
        return (block for block in self.library.blocks if isinstance(block, EntryBlock))

    def write_blocks(self, blocks: Iterable[Block]) -> None:
        """Write the file's blocks in order, entries that are gone left out, new ones at the end."""
        left = by_key(self.library.entries)
        ends_line = True
        for block in blocks:
            text = self.block_text(block, left)
            self.stream.write(text)
            ends_line = text.endswith("\n") if text else ends_line
        rest = [entry for entries in left.values() for entry in entries]
        if rest and not ends_line:
            self.stream.write("\n")
        self.write_new(rest, first=False)

    def write_reordered(self, blocks: Iterable[Block]) -> None:
        """Write macros, preamble and comments first, then the entries in their new order."""
        for block in blocks:
            if not isinstance(block, EntryBlock) and (text := self.block_text(block, {}).strip()):
                self.stream.write(text + "\n\n")
        as_read: dict[str, list[EntryBlock]] = {}
        for block in self.entry_blocks():
            if block.entry:
                as_read.setdefault(block.entry.key, []).append(block)
        for number, entry in enumerate(self.library.entries):
            waiting = as_read.get(entry.key)
            text = self.entry_text(entry, waiting.pop(0)) if waiting else self.new_text(entry)
            self.stream.write(("\n" if number else "") + text.rstrip("\n") + "\n")

    def write_new(self, entries: Iterable[Entry], first: bool) -> None:
        """Write entries that the file does not have, an empty line before each."""
        for entry in entries:
            self.stream.write(("" if first else "\n") + self.new_text(entry))
            first = False

    def block_text(self, block: Block, left: dict[str, list[Entry]]) -> str:
        """Return what to write for a block; the entry written is taken out of `left`."""
        if isinstance(block, Comment):
            return block.text
        if isinstance(block, Preamble):
            return block.source or f"@preamble{{{block.tex}}}"
        if isinstance(block, Macro):
            return block.source or f"@string{{{block.name} = {block.value}}}"
        if block.entry is None:
            return block.source
        waiting = left.get(block.entry.key)
        return self.entry_text(waiting.pop(0), block) if waiting else ""

    # Entries

    def new_text(self, entry: Entry) -> str:
        """Return an entry that was not read from this file."""
        entry_type, lines, losses = self.plans.write(entry)
        self.report(entry, losses)
        return self.with_letters_told(entry, format_entry(entry_type, self.key(entry), lines))

    def entry_text(self, entry: Entry, block: EntryBlock) -> str:
        """Return an entry that was read from this file: as it came where nothing changed."""
        old = block.entry
        same_letters = not self.options.ascii or block.source.isascii()
        if entry == old and not self.options.dialect and same_letters:
            self.keys.add(entry.key)
            return block.source
        raw = split_entry(block.source)
        if old is None or raw is None:
            return self.new_text(entry)
        changed = changed_variables(old, entry)
        if self.options.dialect or not same_letters:
            return self.restyled(entry, raw, changed)
        return self.mended(entry, raw, changed)

    def mended(self, entry: Entry, raw: RawEntry, changed: set[str]) -> str:
        """Return a changed entry: the fields of what changed anew, all others as they were written."""
        record = to_bibtex(entry, self.style)
        self.report(entry, record.losses)
        new = {field.name: field for field in record.fields if field.variable in changed}
        lines = []
        for field in raw.fields:
            name = field.name.lower()
            if changed.isdisjoint({*feeds(name), f"extra:{name}"}):
                lines.append((field.name, field.source))
            elif name in new:
                lines.append((field.name, delimited(new.pop(name))))
        lines += [(field.name, delimited(field)) for field in new.values()]
        key = raw.key if raw.key and (entry.key == raw.key or raw.key in self.keys) else self.key(entry)
        entry_type = record.type if "type" in changed else raw.type
        return self.with_letters_told(entry, format_lines(entry_type, key, lines))

    def restyled(self, entry: Entry, raw: RawEntry, changed: set[str]) -> str:
        """Return an entry in another dialect or in ASCII; what means the same stays as it was written."""
        record = to_bibtex(entry, self.style)
        self.report(entry, record.losses)
        written = {field.name.lower(): field for field in raw.fields}
        lines = []
        for field in record.fields:
            old = written.get(field.name)
            keeps = old is not None and field.variable not in changed
            if keeps and old is not None and (old.source.isascii() or not self.options.ascii):
                lines.append((field.name, old.source))
            elif old is not None or field.variable in changed or not self.is_inherited(field, raw):
                lines.append((field.name, delimited(field)))
        return self.with_letters_told(entry, format_lines(record.type, self.key(entry), lines))

    def is_inherited(self, field: BibField, raw: RawEntry) -> bool:
        """Say whether a field comes from a crossref or xdata parent: no field of the entry's own says it."""
        names = {name.name.lower() for name in raw.fields}
        if not names & {"crossref", "xdata"}:
            return False
        return not any(field.variable in feeds(name) for name in names)

    def key(self, entry: Entry) -> str:
        """Return an entry's key, made safe and unique."""
        key = _UNSAFE_KEY.sub("-", entry.key) or "entry"
        if key in self.keys:
            number = self.numbered.get(key, 2)
            while f"{key}-{number}" in self.keys:
                number += 1
            self.numbered[key] = number + 1
            key = f"{key}-{number}"
        if key != entry.key and entry.key:
            message = f"{entry.key!r} cannot be a BibTeX key here; it is written as {key}"
            self.problems.append(Problem("changed-key", "warning", self.location(entry), message, entry.key))
        self.keys.add(key)
        return key

    def report(self, entry: Entry, losses: Iterable[Loss]) -> None:
        """Report what BibTeX could not hold."""
        for loss in losses:
            message = f"{entry.key}: {loss.field}: {loss.message}"
            self.problems.append(
                Problem("unmapped-field", "warning", self.location(entry), message, loss.raw, True)
            )

    def with_letters_told(self, entry: Entry, text: str) -> str:
        """Return an entry's text; report the letters that it should not have but TeX has no command for."""
        if self.options.ascii and not text.isascii():
            letters = "".join(dict.fromkeys(char for char in text if not char.isascii()))
            shown = letters if len(letters) <= _SHOWN_LETTERS else f"{letters[:_SHOWN_LETTERS]}…"
            message = f"{entry.key}: TeX has no commands for {shown}: they stay, and need XeLaTeX or LuaLaTeX"
            self.problems.append(
                Problem("letter-without-command", "warning", self.location(entry), message, letters)
            )
        return text

    def location(self, entry: Entry) -> Location:
        """Return where an entry came from."""
        origin = entry.origin
        return Location(origin.source, origin.line) if origin else Location(self.library.source or "output")


def by_key(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """Return entries by key, those of one key in order."""
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        found.setdefault(entry.key, []).append(entry)
    return found


def changed_variables(old: Entry, new: Entry) -> set[str]:
    """Return the model fields in which two entries differ, and `extra:name` for BibTeX's own fields."""
    changed = {
        name
        for name in Entry.__struct_fields__
        if name not in _KEPT and getattr(old, name) != getattr(new, name)
    }
    if "extra" in changed:
        before, after = set(old.extra.get("bibtex", ())), set(new.extra.get("bibtex", ()))
        changed |= {f"extra:{name}" for name, _ in before ^ after}
    if "truncated" in changed:
        changed |= set(old.truncated) ^ set(new.truncated)
    return changed


def delimited(field: BibField) -> str:
    """Return a field's value with its delimiters."""
    return field.value if field.bare else f"{{{field.value}}}"


def format_lines(entry_type: str, key: str, lines: Iterable[tuple[str, str]]) -> str:
    """Return an entry from names and values with their delimiters; no newline at its end."""
    return "\n".join([f"@{entry_type}{{{key},", *(f"  {name} = {value}," for name, value in lines), "}"])
