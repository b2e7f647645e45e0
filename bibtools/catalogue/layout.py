"""The catalogue file: bytes that are never changed once written, and two slots that say where to begin.

    magic and two slots | sections of the first addition | footer | sections of the second | footer | …

A footer is JSON: it lists every section with its place, length and checksum. A slot holds the place of a
footer and a generation. Adding writes sections and a footer after all others, makes them durable, and
only then the older slot. So a reader that opened the file before keeps what it saw, and a crash at any
moment leaves a whole slot that leads to a whole footer; a whole slot that leads to none means damage.
"""

import mmap
import os
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO
from zlib import crc32

import msgspec
from msgspec import Struct

from bibtools.catalogue.fingerprint import VERSION
from bibtools.catalogue.index import IndexShape
from bibtools.errors import CatalogueError

try:
    from fcntl import LOCK_EX, flock
except ImportError:  # Windows: the caller must not write with two programs at once

    def lock(stream: BinaryIO) -> None:
        """Do nothing: this system has no advisory locks."""

else:

    def lock(stream: BinaryIO) -> None:
        """Wait until no other writer holds the file; the lock goes when the file is closed."""
        flock(stream, LOCK_EX)


MAGIC = b"bibtools catalogue\x1a\x01\r\n\x00"
_SLOT = struct.Struct("<QQQII")
"""Generation, place and length of the footer, checksum of the footer, checksum of this slot."""
_SLOT_PLACES = (32, 64)
START = 128
"""Where the first section may begin."""
ALIGNMENT = 8


Buffer = bytes | memoryview | mmap.mmap


class Section(Struct, frozen=True):
    """A run of bytes in the file."""

    start: int
    length: int
    checksum: int


class SourceRow(Struct, frozen=True, omit_defaults=True):
    """Where works came from; they name it by its place in the footer's list."""

    source: str
    date: str = ""
    rank: int = 0
    """Facts of a lower rank are preferred."""


class SegmentRow(Struct, frozen=True):
    """One addition: works and records with numbers of their own, counted on from the segments before."""

    first_work: int
    works: int
    first_record: int
    records: int
    sections: dict[str, Section]
    indexes: dict[str, IndexShape]
    bits: dict[str, int]
    """Width of the numbers in each packed section."""


class Footer(Struct, frozen=True, omit_defaults=True):
    """What the file holds."""

    fingerprint: int
    """`fingerprint.VERSION` of the program that made it."""
    name: str = ""
    description: str = ""
    sources: tuple[SourceRow, ...] = ()
    segments: tuple[SegmentRow, ...] = ()
    moved: Section | None = None
    """Pairs of 64-bit numbers: a work, and the work that now stands for it, or -1 if it was removed."""


def read_footer(data: Buffer, label: str) -> tuple[int, Footer, int]:
    """Return the newest generation, its footer, and where that footer ends.

    Raises:
        CatalogueError: not a catalogue, damaged, or made with another definition of the fingerprint.
    """
    if bytes(data[: len(MAGIC)]) != MAGIC:
        raise CatalogueError(f"{label}: not a catalogue")
    slots = sorted(_slots(data))
    if not slots:
        raise CatalogueError(f"{label}: damaged, nothing leads to its contents; build it again")
    generation, start, length, checksum = slots[-1]
    raw = bytes(data[start : start + length])
    if len(raw) < length or crc32(raw) != checksum:
        raise CatalogueError(f"{label}: damaged or cut off at {len(data)} bytes; build it again")
    footer = msgspec.json.decode(raw, type=Footer)
    if footer.fingerprint != VERSION:
        raise CatalogueError(
            f"{label}: made with fingerprint version {footer.fingerprint}, this program uses"
            f" {VERSION}; build it again with `bibtools catalogue update`"
        )
    return generation, footer, start + length


def _slots(data: Buffer) -> Iterable[tuple[int, int, int, int]]:
    for place in _SLOT_PLACES:
        raw = bytes(data[place : place + _SLOT.size])
        if len(raw) == _SLOT.size and crc32(raw[:-4]) == int.from_bytes(raw[-4:], "little"):
            generation, start, length, checksum, _ = _SLOT.unpack(raw)
            yield generation, start, length, checksum


def _open_locked(path: Path) -> BinaryIO:
    """Open a file for writing, once no other writer has it open."""
    while True:
        stream = path.open("r+b")
        lock(stream)
        if path.exists() and os.path.samestat(path.stat(), os.fstat(stream.fileno())):
            return stream
        stream.close()  # replaced by a merged file while we waited


class SectionWriter:
    """Appends sections to a catalogue file, then commits them with a footer."""

    def __init__(self, stream: BinaryIO, end: int, generation: int) -> None:
        self._stream = stream
        self._end = end
        self._generation = generation
        stream.truncate(max(end, START))  # what a crash left after the last footer
        self._seek(max(end, START))

    @classmethod
    def create(cls, path: Path) -> "SectionWriter":
        """Start a new, empty file; the name must be free."""
        stream = path.open("x+b")
        stream.write(MAGIC.ljust(START, b"\0"))
        return cls(stream, START, 0)

    @classmethod
    def append_to(cls, path: Path) -> "SectionWriter":
        """Continue a file after its newest footer."""
        stream = _open_locked(path)
        try:
            with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
                generation, _, end = read_footer(data, str(path))
        except BaseException:
            stream.close()
            raise
        return cls(stream, end, generation)

    def write(self, pieces: Iterable[bytes | memoryview]) -> Section:
        """Append one section."""
        self._seek(-(-self._end // ALIGNMENT) * ALIGNMENT)
        start, checksum = self._end, 0
        for piece in pieces:
            self._stream.write(piece)
            checksum = crc32(piece, checksum)
            self._end += len(piece)
        return Section(start, self._end - start, checksum)

    def flush(self) -> None:
        """Hand what was written to the operating system, so that a mapping of the file sees it."""
        self._stream.flush()

    def commit(self, footer: Footer) -> None:
        """Make everything written so far part of the catalogue."""
        raw = msgspec.json.encode(footer)
        section = self.write([raw])
        self._sync()
        self._generation += 1
        slot = _SLOT.pack(self._generation, section.start, section.length, section.checksum, 0)[:-4]
        self._stream.seek(_SLOT_PLACES[self._generation % len(_SLOT_PLACES)])
        self._stream.write(slot + crc32(slot).to_bytes(4, "little"))
        self._sync()
        self._seek(self._end)

    def close(self) -> None:
        """Close the file; what was not committed does not count."""
        self._stream.close()

    def _seek(self, place: int) -> None:
        self._stream.seek(place)
        self._end = place

    def _sync(self) -> None:
        self._stream.flush()
        os.fsync(self._stream.fileno())
