"""Keys to compare titles by, and capitals that matter."""

import pytest
from hypothesis import given
from strategies import texts

from bibtools.model import Node, Span, Text
from bibtools.text.titles import protect_capitals, running_capitals, title_key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Deep Cross-Attention", "deep cross attention"),
        ("Café – a Study", "Cafe: A study!"),
        ("Straße", "STRASSE"),
        ("$\\ell_1$ norm", "$\\ell_1$ Norm"),
    ],
)
def test_titles_that_are_one(one: str, other: str) -> None:
    assert title_key(one) == title_key(other)


def test_titles_that_differ() -> None:
    assert title_key("Part 1") != title_key("Part 2")
    assert title_key("深度学习") == "深度学习"


def shield(word: str) -> Span:
    return Span("nocase", (word,))


CAPITALS: list[tuple[str, tuple[Node, ...]]] = [
    ("Training BERT on GPUs", ("Training ", shield("BERT"), " on ", shield("GPUs"))),
    ("A view of SegFormer", ("A view of ", shield("SegFormer"))),
    ("Vitamin C and I", ("Vitamin ", shield("C"), " and I")),
    ("The Bayes rule", ("The ", shield("Bayes"), " rule")),
]


@pytest.mark.parametrize(("title", "expected"), CAPITALS)
def test_words_whose_capitals_matter(title: str, expected: tuple[Node, ...]) -> None:
    assert protect_capitals(Text(title), {"Bayes"}).nodes == expected


def test_words_without_inner_capitals_are_left_alone() -> None:
    assert protect_capitals(Text("Deep Learning for All")) == Text("Deep Learning for All")


def test_what_is_protected_stays_as_it_is() -> None:
    title = Text("BERT", (shield("BERT"),))
    assert protect_capitals(title) == title


def test_what_is_too_long_for_a_title_is_left_alone() -> None:
    text = Text("BERT " * 100_000)
    assert protect_capitals(text) is text


@given(texts())
def test_letters_never_change(title: Text) -> None:
    assert protect_capitals(title).plain == title.plain


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Inside the model, Gauss (and Bayes) met. Then Poisson came.", {"Gauss", "Bayes", "Poisson"}),
        ("We train the Bloom filter. In Gaussian splatting, kelp.", {"Bloom", "Gaussian"}),
        ("We present Moss Growth Maps (MGM) and (Wet) Moss Growth.", set()),
        ("A Mixture of Ferns beats one fern.", set()),
        ("Called Lamp Key here, Key is a key, and Lamps are lamps.", set()),
        ("Conformal Prediction helps.", set()),
    ],
)
def test_names_in_running_text(text: str, names: set[str]) -> None:
    assert running_capitals(text, text) == names
