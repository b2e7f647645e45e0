"""Packed numbers come back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bibtools.catalogue.index import IndexData, KeyIndex, build_index
from bibtools.catalogue.pack import WIDEST, PackedNumbers, bits_for, expand, pack_numbers


@given(st.data(), st.integers(1, WIDEST))
def test_numbers_come_back_at_any_width(data: st.DataObject, bits: int) -> None:
    numbers = data.draw(st.lists(st.integers(0, 2**bits - 1), min_size=1, max_size=50))
    packed = PackedNumbers(b"".join(pack_numbers(np.array(numbers, np.int64), bits)), bits)
    assert packed.slice(0, len(numbers)).tolist() == numbers
    assert packed[np.array([len(numbers) - 1])].tolist() == numbers[-1:]


@pytest.mark.parametrize(("largest", "bits"), [(0, 1), (1, 1), (2, 2), (255, 8), (256, 9)])
def test_bits_for(largest: int, bits: int) -> None:
    assert bits_for(largest) == bits


def test_expand_skips_empty_ranges() -> None:
    places, owners = expand(np.array([3, 7, 7]), np.array([5, 7, 8]))
    assert places.tolist() == [3, 4, 7]
    assert owners.tolist() == [0, 0, 2]


def as_index(data: IndexData) -> KeyIndex:
    return KeyIndex(data.shape, memoryview(data.directory), memoryview(b"".join(data.pieces())))


POSTINGS = st.lists(st.tuples(st.integers(0, 2**30 - 1), st.integers(0, 99)), max_size=200)


@given(POSTINGS)
def test_index_gives_every_number_of_a_key(postings: list[tuple[int, int]]) -> None:
    keys = np.array([key for key, _ in postings], np.uint32)
    numbers = np.array([number for _, number in postings], np.int64)
    index = as_index(build_index([(keys, numbers)], 100))
    asked = sorted({key for key, _ in postings} | {5})
    places, found = index.find(np.array(asked, np.uint32))
    got = {(asked[place], number) for place, number in zip(places.tolist(), found.tolist(), strict=True)}
    assert got == set(postings)
    assert list(zip(*(part.tolist() for part in index.all()), strict=True)) == sorted(set(postings))


def test_index_leaves_out_keys_that_are_everywhere() -> None:
    keys = np.array([7] * 10 + [8], np.uint32)
    index = as_index(build_index([(keys, np.arange(11))], 11, most=9))
    assert index.find(np.array([7, 8], np.uint32))[1].tolist() == [10]
