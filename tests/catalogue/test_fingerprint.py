"""The fingerprint is the same for ever, or has another version."""

import numpy as np
import pytest
from invented import invented_abstract

from bibtools.catalogue.fingerprint import VERSION, Texts, content_hash, fold_confusions, pairs

GOLDEN = (
    "Sea otters crack clams; kelp forests, 深度学习 and naïve Schrödinger equations shelter small fishes."
)

CODES = [124, 234, 82, 189, 3, 125, 88, 39, 61, 190, 53, 126, 20, 2, 241]
KEYS = [(350812382, 3), (376473993, 6), (553559881, 9), (560883990, 2), (780688318, 8)]


def test_golden_values() -> None:
    """If these change, raise VERSION: catalogues made before would match nothing."""
    texts = Texts.of([GOLDEN])
    keys, _, places = texts.keys()
    assert VERSION == 1
    assert texts.codes().tolist() == CODES
    assert list(zip(keys.tolist(), places.tolist(), strict=True)) == KEYS


def test_texts_are_independent_of_their_neighbours() -> None:
    abstracts = [invented_abstract(1), "", invented_abstract(2), "one"]
    together = Texts.of(abstracts)
    keys, owners, places = together.keys()
    for number, abstract in enumerate(abstracts):
        alone = Texts.of([abstract]).keys()
        assert keys[owners == number].tolist() == alone[0].tolist()
        assert places[owners == number].tolist() == alone[2].tolist()


@pytest.mark.parametrize("word", ["the", "a", "x", "7", "we", "using"])
def test_words_that_say_nothing_do_not_count(word: str) -> None:
    assert content_hash(word) == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("network", "networks"),
        ("learned", "learning"),
        ("studies", "study"),
        ("modern", "modem"),
        ("all0w", "allow"),
    ],
)
def test_inflected_and_misread_words_are_one(one: str, other: str) -> None:
    assert content_hash(one) == content_hash(other)


def test_different_words_stay_different() -> None:
    assert fold_confusions("otter") != fold_confusions("kelp")


def test_pairs_stay_inside_their_text() -> None:
    values = np.array([1, 2, 2, 3, 4], np.int64)
    first, second, text, place = pairs(values, np.array([0, 3, 5]))
    found = list(zip(first.tolist(), second.tolist(), text.tolist(), place.tolist(), strict=True))
    assert found == [(1, 2, 0, 0), (1, 2, 0, 0), (3, 4, 1, 0)]


def test_marks_are_equal_for_equal_words_only() -> None:
    one, other, again, short = Texts.of(
        [invented_abstract(1), invented_abstract(2), invented_abstract(1).upper(), "too short"]
    ).marks()
    assert one == again != other
    assert short == ""
