"""Numbers packed to the bits they need, read at random straight from a memory-mapped file."""

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from bibtools.catalogue.fingerprint import Numbers

_SLACK = 8
"""Bytes after the last number, so that each can be read as part of eight bytes."""
_CHUNK = 1 << 18
"""Numbers packed at a time; a multiple of eight, so that chunks end on whole bytes."""

WIDEST = 57
"""Most bits a number may have: eight bytes less the seven that it may begin late."""


class PackedNumbers:
    """An immutable array of whole numbers from 0, of `bits` bits each.

    >>> packed = PackedNumbers(b"".join(pack_numbers([5, 0, 7, 6], bits=3)), bits=3)
    >>> packed[np.array([3, 0])].tolist()
    [6, 5]
    """

    __slots__ = ("_bits", "_mask", "_words")

    def __init__(self, data: bytes | memoryview, bits: int) -> None:
        self._bits = bits
        self._mask = np.uint64((1 << bits) - 1)
        # every eight bytes of the data as a number, beginning at each byte
        self._words = np.ndarray((max(len(data) - 7, 0),), np.dtype("<u8"), data, strides=(1,))

    def __getitem__(self, at: Numbers) -> Numbers:
        """Return the numbers at these places; a place outside is the caller's error."""
        bit = at * self._bits
        shifted = self._words[bit >> 3] >> (bit & 7).astype(np.uint64)
        numbers: Numbers = (shifted & self._mask).astype(np.int64)
        return numbers

    def slice(self, first: int, end: int) -> Numbers:
        """Return the numbers from place `first` to before place `end`."""
        return self[np.arange(first, end)]


def bits_for(largest: int) -> int:
    """Return how many bits the numbers up to this one need, at least one."""
    return max(1, int(largest).bit_length())


def pack_numbers(numbers: "NDArray[np.integer] | list[int]", bits: int) -> Iterator[bytes]:
    """Yield the bytes of these numbers at `bits` bits each, in pieces, lowest bits first."""
    values = np.asarray(numbers)
    for start in range(0, len(values), _CHUNK):
        chunk = values[start : start + _CHUNK].astype("<u8")
        spread = np.unpackbits(chunk.view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
        yield np.packbits(spread[:, :bits].ravel(), bitorder="little").tobytes()
    yield bytes(_SLACK)


def expand(starts: Numbers, ends: Numbers) -> tuple[Numbers, Numbers]:
    """Return every place in the ranges, and the number of the range that it lies in.

    >>> [part.tolist() for part in expand(np.array([5, 9, 2]), np.array([7, 9, 3]))]
    [[5, 6, 2], [0, 0, 2]]
    """
    lengths = ends - starts
    owner = np.repeat(np.arange(len(starts)), lengths)
    before = np.cumsum(lengths) - lengths
    return np.arange(int(lengths.sum())) - before[owner] + starts[owner], owner


def total_size(pieces: Iterable[bytes]) -> int:
    """Return how many bytes the pieces hold together."""
    return sum(map(len, pieces))
