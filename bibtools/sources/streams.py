"""Files of works, plain or gzip, as raw records: one at a time, in memory that does not grow with them."""

import gzip
import io
import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TypeVar

import msgspec
from msgspec.json import Decoder

from bibtools.errors import InputError, Location, Problem

T = TypeVar("T")

GZIP = b"\x1f\x8b"
BOM = b"\xef\xbb\xbf"
CHUNK = 1 << 22
"""Bytes read at a time."""
LONGEST_RECORD = 1 << 26
"""A record longer than this many bytes is no record of a work; memory stays bounded."""
WHOLE = 1 << 26
"""A list of at most so many bytes is split in one go."""

TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|["{}\[\]]', re.DOTALL)
"""What structures JSON: whole strings, a quote whose string has not ended yet, and brackets."""


@contextmanager
def open_source(path: Path) -> Iterator[BinaryIO]:
    """Open a file for reading bytes, decompressing gzip as it goes.

    Raises:
        InputError: while reading, the compressed data is damaged.
    """
    with path.open("rb") as raw:
        is_gzip = raw.peek(2)[:2] == GZIP
        try:
            if is_gzip:
                with gzip.GzipFile(fileobj=raw) as unpacked:
                    yield io.BufferedReader(unpacked, CHUNK)
            else:
                yield raw
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise InputError(f"the gzip file is damaged or cut off ({error})", Location(str(path))) from error


def read_json_records(stream: BinaryIO, source: str) -> Iterator[bytes]:
    """Yield the objects of a JSON list, or of JSON lines, each as its own bytes.

    Raises:
        InputError: it is neither, or the list is cut off; what came before was yielded.
    """
    head = stream.read(WHOLE)
    first = head.removeprefix(BOM).lstrip()[:1]
    if first == b"{":
        yield from split_lines(head, stream, source)
    elif first == b"[":
        yield from split_list(head, stream, source)
    elif first:
        raise InputError("neither a JSON list nor JSON lines", Location(source, 1))


def decode_records(
    raws: Iterable[bytes], decoder: Decoder[T], source: str
) -> Iterator[tuple[str, T] | Problem]:
    """Yield each record, as the decoder's type, with its place such as `a.json#3`; or the problem it is."""
    for number, raw in enumerate(raws, start=1):
        place = f"{source}#{number}"
        try:
            yield place, decoder.decode(raw)
        except msgspec.DecodeError as error:
            yield lost_record(place, f"not a record of this kind: {error}", raw.decode("utf-8", "replace"))


def lost_record(place: str, message: str, raw: str = "") -> Problem:
    """Return the problem that stands for a record."""
    return Problem("unread-record", "error", Location(place), message, raw, lost=True)


def split_lines(head: bytes, stream: BinaryIO, source: str) -> Iterator[bytes]:
    """Yield the lines that hold something."""
    pending = head.removeprefix(BOM)
    while True:
        *lines, pending = pending.split(b"\n")
        yield from (line for line in lines if line.strip())
        more = stream.read(CHUNK)
        if not more:
            break
        pending += more
        check_length(pending, source)
    if pending.strip():
        yield pending


def split_list(head: bytes, stream: BinaryIO, source: str) -> Iterator[bytes]:
    """Yield the objects of a JSON list: at once where it is small and whole, else one by one."""
    if len(head) < WHOLE:
        try:
            records = msgspec.json.decode(head.removeprefix(BOM), type=list[msgspec.Raw])
        except msgspec.DecodeError:
            pass  # one bad record must not cost the others
        else:
            yield from map(bytes, records)
            return
    yield from scan_list(head, stream, source)


def scan_list(head: bytes, stream: BinaryIO, source: str) -> Iterator[bytes]:
    """Yield the bracketed parts of a JSON list as they come, whatever is wrong inside them.

    Raises:
        InputError: the list ends inside a record.
    """
    data, start = head, head.index(b"[") + 1
    size = CHUNK
    while True:
        depth, begin, open_string = 0, start, False
        for token in TOKEN.finditer(data, start):
            sign = token[0]
            if sign == b'"':
                open_string = True
                break
            if sign in (b"{", b"["):
                begin = begin if depth else token.start()
                depth += 1
            elif sign in (b"}", b"]"):
                depth -= 1
                if depth == 0:
                    yield data[begin : token.end()]
                    start = token.end()
                elif depth < 0:
                    return
        more = stream.read(size)
        if not more:
            if depth or open_string:
                raise InputError("the list ends inside a record; is the file cut off?", Location(source))
            return
        # The open record is scanned again, so each step reads as much again as there is already.
        data, start = data[start:] + more, 0
        size = max(CHUNK, len(data))
        check_length(data, source, spare=size)


def check_length(pending: bytes, source: str, spare: int = 0) -> None:
    """Raise InputError where a record goes on for too long."""
    if len(pending) > LONGEST_RECORD + spare:
        raise InputError(f"a record is longer than {LONGEST_RECORD >> 20} MB", Location(source))
