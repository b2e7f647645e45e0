"""From a key to the numbers that have it: pairs of words to records, titles and identifiers to works.

All (key, number) postings lie sorted in one packed array. The upper bits of the key choose a bucket of
about sixteen postings, so that only the lower bits are stored; a look-up reads its bucket and keeps what
agrees. A posting costs about 26 bits whatever the size of the catalogue.
"""

from collections.abc import Iterable, Iterator

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bibtools.catalogue.fingerprint import KEY_BITS, Numbers
from bibtools.catalogue.pack import PackedNumbers, bits_for, expand, pack_numbers

BUCKET = 16
"""Postings in a bucket, on average."""

Keys = NDArray[np.uint32]


class IndexShape(Struct, frozen=True):
    """What is needed to read an index's bytes."""

    postings: int
    number_bits: int
    bucket_bits: int


class KeyIndex:
    """A look-up table in a catalogue's file."""

    __slots__ = ("_directory", "_postings", "_shape")

    def __init__(self, shape: IndexShape, directory: memoryview, postings: memoryview) -> None:
        self._shape = shape
        self._directory = np.frombuffer(directory, "<u4").astype(np.int64)
        self._postings = PackedNumbers(postings, shape.number_bits + KEY_BITS - shape.bucket_bits)

    def find(self, keys: Keys) -> tuple[Numbers, Numbers]:
        """Return all agreements: the place in `keys`, and a number that has this key."""
        shape = self._shape
        rest_bits = KEY_BITS - shape.bucket_bits
        wanted = keys.astype(np.int64)
        bucket = wanted >> rest_bits
        places, owner = expand(self._directory[bucket], self._directory[bucket + 1])
        postings = self._postings[places]
        agree = np.flatnonzero(postings >> shape.number_bits == (wanted & ((1 << rest_bits) - 1))[owner])
        return owner[agree], postings[agree] & ((1 << shape.number_bits) - 1)

    def all(self) -> tuple[Keys, Numbers]:
        """Return every posting, as keys and numbers, sorted by key."""
        shape = self._shape
        postings = self._postings.slice(0, shape.postings)
        bucket = np.repeat(np.arange(len(self._directory) - 1), np.diff(self._directory))
        keys = (bucket << (KEY_BITS - shape.bucket_bits)) | (postings >> shape.number_bits)
        return keys.astype(np.uint32), postings & ((1 << shape.number_bits) - 1)


class IndexData(Struct, frozen=True):
    """An index ready to be written."""

    shape: IndexShape
    directory: bytes
    postings: NDArray[np.uint64]

    def pieces(self) -> Iterator[bytes]:
        """Yield the packed postings in pieces."""
        return pack_numbers(self.postings, self.shape.number_bits + KEY_BITS - self.shape.bucket_bits)


Postings = tuple[Keys, Numbers]
"""Keys, and the number that each leads to."""


def build_index(parts: Iterable[Postings], count: int, most: int | None = None) -> IndexData:
    """Return the index of these postings, in any order, repetitions allowed.

    Args:
        parts: postings in pieces of any size.
        count: numbers lie below this.
        most: keys that lead to more numbers than this are left out: they say little and cost much.
    """
    number_bits = bits_for(max(count - 1, 0))
    shift = np.uint64(number_bits)
    packed = [(keys.astype(np.uint64) << shift) | numbers.astype(np.uint64) for keys, numbers in parts]
    postings = np.concatenate([np.zeros(0, np.uint64), *packed])
    del packed
    postings.sort()
    postings = postings[_first_of_each(postings)]
    if most is not None:
        edges = np.append(np.flatnonzero(_first_of_each(postings >> shift)), len(postings))
        lengths = np.diff(edges)
        postings = postings[np.repeat(lengths <= most, lengths)]
    bucket_bits = min(KEY_BITS - 1, bits_for(len(postings) // BUCKET))
    rest_bits = KEY_BITS - bucket_bits + number_bits
    buckets = np.arange((1 << bucket_bits) + 1, dtype=np.uint64) << np.uint64(rest_bits)
    directory = np.searchsorted(postings, buckets).astype("<u4")
    shape = IndexShape(len(postings), number_bits, bucket_bits)
    return IndexData(shape, directory.tobytes(), postings & np.uint64((1 << rest_bits) - 1))


def _first_of_each(ordered: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return where a value differs from the one before it."""
    return np.concatenate((np.ones(min(1, len(ordered)), bool), ordered[1:] != ordered[:-1]))
