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


@given(texts())
def test_letters_never_change(title: Text) -> None:
    assert protect_capitals(title).plain == title.plain


def test_names_in_running_text() -> None:
    assert running_capitals("Inside the model, Gauss (and Bayes) met. Then Poisson came.") == {
        "Gauss",
        "Bayes",
    } | {"Poisson"}
