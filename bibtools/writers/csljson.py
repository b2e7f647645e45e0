"""CSL-JSON, version 1.0.2: a list of items, two blanks of indent, one item after the other."""

from collections.abc import Iterator
from itertools import islice
from typing import Any, TextIO

import msgspec

from bibtools.mapping.csl import to_csl
from bibtools.model import Entry, Library, WriteOptions, WriteReport

__all__ = ["to_csl", "write_csljson"]

_BATCH = 500
"""Items encoded at once: enough for speed, few enough to keep memory flat."""


def write_csljson(library: Library, stream: TextIO, options: WriteOptions) -> WriteReport:
    """Write the entries in their order as CSL-JSON; return how many.

    Nothing is lost: what CSL has no variable for goes under `custom` (see `bibtools.mapping.csl`).
    """
    items = (to_csl(entry, key) for entry, key in zip(library.entries, unique_ids(library), strict=True))
    first = True
    stream.write("[")
    while batch := list(islice(items, _BATCH)):
        stream.write("\n" if first else ",\n")
        stream.write(_format(batch))
        first = False
    stream.write("]\n" if first else "\n]\n")
    return WriteReport(count=len(library.entries))


def _format(items: list[dict[str, Any]]) -> str:
    """Return the items as JSON lines, without the list's own brackets."""
    text = msgspec.json.format(msgspec.json.encode(items), indent=2).decode("utf-8")
    return text.removeprefix("[\n").removesuffix("\n]")


def unique_ids(library: Library) -> Iterator[str]:
    """Yield an id for each entry: its key, or where that is missing or taken, a new one like it."""
    taken = {entry.key for entry in library.entries}
    used: set[str] = set()
    for number, entry in enumerate(library.entries, 1):
        key = entry.key
        if not key or key in used:
            key = _free_id(entry, number, taken)
            taken.add(key)
        used.add(key)
        yield key


def _free_id(entry: Entry, number: int, taken: set[str]) -> str:
    """Return an id that no entry has, from the entry's key or its place in the file."""
    stem = entry.key or "item"
    key = f"{stem}-{number}"
    while key in taken:
        key += "-"
    return key
