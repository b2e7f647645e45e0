"""What a catalogue knows of a work, and how it is stored: blocks of works, column by column, compressed.

Titles beside titles and addresses beside addresses compress far better than one work after the other.
A work is read by unpacking its block; `FactStore` keeps the last blocks it unpacked.
"""

import lzma
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any, get_type_hints

import msgspec
import numpy as np
from msgspec import Struct

from bibtools.catalogue.fingerprint import Numbers
from bibtools.model import Contributors, Entry, Text

BLOCK = 64
"""Works in a block, except perhaps the last. Twice as many save a tenth of the space and double the time."""
_FILTERS = [
    {
        "id": lzma.FILTER_LZMA2,
        "dict_size": 1 << 17,
        "lc": 3,
        "lp": 0,
        "pb": 0,
        "mode": lzma.MODE_FAST,
        "mf": lzma.MF_HC4,
        "nice_len": 64,
    }
]
"""Measured on 3,300 works: 93 B and 35 µs each; slower modes save 5 B at three to five times the time."""

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
    return lzma.compress(msgspec.json.encode(columns), lzma.FORMAT_RAW, filters=_FILTERS)


def decode_block(data: bytes | memoryview) -> dict[str, list[Any]]:
    """Return the columns that `encode_block` made, by name."""
    raw = lzma.decompress(data, lzma.FORMAT_RAW, filters=_FILTERS)
    return msgspec.json.decode(raw, type=dict[str, list[Any]])


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
    """Unpacked blocks kept; each some 100 kB."""

    def __init__(self, data: memoryview, starts: Numbers) -> None:
        self._data = data
        self._starts = starts
        self._blocks: OrderedDict[int, dict[str, list[Any]]] = OrderedDict()

    def __getitem__(self, work: int) -> Facts:
        columns, row = self._columns(work)
        return _from_row({name: values[row] for name, values in columns.items() if values[row] is not None})

    def title(self, work: int) -> str:
        """Return a work's plain title, or "" if it has none."""
        columns, row = self._columns(work)
        title = columns["title"][row] if "title" in columns else None
        return str(_long_text(title)["plain"]) if title else ""

    def _columns(self, work: int) -> tuple[dict[str, list[Any]], int]:
        number, row = divmod(work, BLOCK)
        if number in self._blocks:
            self._blocks.move_to_end(number)
        else:
            start, end = self._starts[number : number + 2]
            self._blocks[number] = decode_block(self._data[int(start) : int(end)])
            if len(self._blocks) > self.KEPT:
                self._blocks.popitem(last=False)
        return self._blocks[number], row


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
