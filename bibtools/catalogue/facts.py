"""What a catalogue knows of a work, and how it is stored: blocks of works, column by column, compressed.

Titles beside titles and addresses beside addresses compress far better than one work after the other.
A work is read by unpacking its block; `FactStore` keeps the last blocks it unpacked.
"""

import zlib
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any, get_type_hints

import msgspec
import numpy as np
from msgspec import Struct

from bibtools.catalogue.fingerprint import Numbers
from bibtools.errors import CatalogueError
from bibtools.model import Contributors, Entry, Text

BLOCK = 128
"""Works in a block, except perhaps the last."""
_LEVEL = 9
"""Measured on 3,300 works: 91 bytes and 15 µs each, 0.3 ms to unpack a block. LZMA saves a tenth of the
bytes and takes four times as long to unpack."""

_NOT_FACTS = frozenset(
    ("key", "source_type", "abstract", "claim", "identification", "origin", "promised_without_link")
)
"""Fields of Entry that no catalogue keeps."""
_EMPTY = {name: getattr(Entry(), name) for name in _NOT_FACTS}
_HINTS = get_type_hints(Entry)
_FIELDS = tuple(name for name in Entry.__struct_fields__ if name not in _NOT_FACTS)
_TEXTS = frozenset(name for name in _FIELDS if _HINTS[name] == Text | None)
_PEOPLE = frozenset(name for name in _FIELDS if _HINTS[name] == Contributors)


class Facts(Struct, frozen=True, omit_defaults=True):
    """All that is kept of one work besides its fingerprints."""

    entry: Entry
    """Without an abstract; each field from the best source that has it."""
    sources: tuple[int, ...] = ()
    """Numbers of the sources that have the work, best first."""
    field_sources: dict[str, int] = {}
    """Source of each field that did not come from the best one."""
    other_ids: tuple[str, ...] = ()
    """Identifiers (`scheme:value`) of the work for which `entry.ids` has no room."""


def bare(entry: Entry) -> Entry:
    """Return the entry with only the fields that a catalogue keeps."""
    return entry.replace(**_EMPTY)


def encode_block(works: Sequence[Facts]) -> bytes:
    """Return the works as compressed bytes."""
    rows = [_to_row(work) for work in works]
    names = sorted({name for row in rows for name in row})
    columns = {name: [row.get(name) for row in rows] for name in names}
    return zlib.compress(msgspec.json.encode(columns), _LEVEL)


class Block:
    """Works that were compressed together; a column is read when first asked for."""

    __slots__ = ("_columns", "_raw")

    def __init__(self, data: bytes | memoryview) -> None:
        try:
            self._raw = msgspec.json.decode(zlib.decompress(data), type=dict[str, msgspec.Raw])
        except (zlib.error, msgspec.DecodeError) as error:
            raise CatalogueError(
                f"catalogue damaged, its works cannot be read ({error}); build it again"
            ) from error
        self._columns: dict[str, list[Any]] = {}

    def row(self, number: int, names: Iterable[str] | None = None) -> dict[str, Any]:
        """Return the values that a work has, of these columns or of all."""
        wanted = self._raw if names is None else [name for name in names if name in self._raw]
        row = {name: self._column(name)[number] for name in wanted}
        return {name: value for name, value in row.items() if value is not None}

    def _column(self, name: str) -> list[Any]:
        if name not in self._columns:
            self._columns[name] = msgspec.json.decode(self._raw[name], type=list[Any])
        return self._columns[name]


def _to_row(work: Facts) -> dict[str, Any]:
    row: dict[str, Any] = msgspec.to_builtins(work.entry)
    for name in row.keys() & _TEXTS:
        row[name] = _short_text(row[name])
    for name in row.keys() & _PEOPLE:
        row[name] = [_short_name(person) for person in row[name]]
    rest = msgspec.to_builtins(work)
    del rest["entry"]
    return row | {f"+{name}": value for name, value in rest.items()}


def _from_row(row: dict[str, Any]) -> Facts:
    rest = {name[1:]: row.pop(name) for name in [*row] if name.startswith("+")}
    for name in row.keys() & _TEXTS:
        row[name] = _long_text(row[name])
    for name in row.keys() & _PEOPLE:
        row[name] = [_long_name(person) for person in row[name]]
    return msgspec.convert({"entry": row, **rest}, Facts)


def _short_text(text: dict[str, Any]) -> Any:
    return text["plain"] if text.keys() == {"plain"} else text


def _long_text(text: Any) -> Any:
    return {"plain": text} if isinstance(text, str) else text


def _short_name(person: dict[str, Any]) -> Any:
    if person.keys() == {"family", "given"} and "\t" not in person["family"]:
        return f"{person['family']}\t{person['given']}"
    return person


def _long_name(person: Any) -> Any:
    if isinstance(person, str):
        family, given = person.split("\t", 1)
        return {"family": family, "given": given}
    return person


class FactStore:
    """Random access to the works of one segment."""

    __slots__ = ("_blocks", "_data", "_starts")

    KEPT = 128
    """Unpacked blocks kept; each some 200 kB."""
    NAMING = ("title", "doi", "pmid", "pmcid", "ids", "url")
    """Fields that say which work it is."""

    def __init__(self, data: memoryview, starts: Numbers) -> None:
        self._data = data
        self._starts = starts
        self._blocks: OrderedDict[int, Block] = OrderedDict()

    def __getitem__(self, work: int) -> Facts:
        number, row = divmod(work, BLOCK)
        return _from_row(self._block(number).row(row))

    def naming(self, work: int) -> Entry:
        """Return a work's title and identifiers only, which is much faster."""
        number, row = divmod(work, BLOCK)
        return _from_row(self._block(number).row(row, self.NAMING)).entry

    def _block(self, number: int) -> Block:
        if number in self._blocks:
            self._blocks.move_to_end(number)
        else:
            start, end = self._starts[number : number + 2]
            self._blocks[number] = Block(self._data[int(start) : int(end)])
            if len(self._blocks) > self.KEPT:
                self._blocks.popitem(last=False)
        return self._blocks[number]


def encode_all(works: Iterable[Facts]) -> tuple[list[bytes], Numbers]:
    """Return the blocks of these works, and where each begins and the last ends."""
    blocks, pending = [], []
    for work in works:
        pending.append(work)
        if len(pending) == BLOCK:
            blocks.append(encode_block(pending))
            pending = []
    if pending:
        blocks.append(encode_block(pending))
    return blocks, np.cumsum([0, *map(len, blocks)])
