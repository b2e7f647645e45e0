"""Every form of a text gives the same words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bibtools.catalogue.normalise import words

PLAIN = "The naive Schrodinger representation of alpha is state of the art"

FORMS = [
    ("plain", "The naïve Schrödinger representation of α is state-of-the-art."),
    (
        "TeX",
        r"The na\"{\i}ve Schr\"odinger \emph{representation}~\cite{a,b} of $\alpha$ is state-of-the-art.",
    ),
    (
        "HTML",
        "<p>The na&iuml;ve Schr&ouml;dinger <i>represen</i>tation of &alpha; is state&#8208;of-the-art.",
    ),
    ("HTML escaped twice", "The na&amp;iuml;ve Schrödinger representation of α is state-of-the-art"),
    (
        "Markdown",
        "The naïve **Schrödinger** [representation](https://example.org/a_b) of _α_ is state-of-the-art",
    ),
    ("PDF", "The naïve Schr\u00f6dinger repre-\nsentation of α is state-of-the-art."),
    ("PDF in one line", "The naïve Schrödinger repre- sentation of α is state-of-the-art"),
    ("soft hyphens", "The naïve Schrö\u00addinger repre\u00ad\nsentation of α is state-of-the-art"),
    ("decomposed", "The nai\u0308ve Schro\u0308dinger representation of α is state-of-the-art"),
    (
        "margin stamp",
        "The naïve Schrödinger\narXiv:1312.1234v2 [cs] 3 Jan 2014\nrepresentation of α is state-of-the-art",
    ),
    ("furniture", "The naïve Schrödinger representation of α is state-of-the-art\nKeywords: kelp; otters"),
    ("rights", "The naïve Schrödinger representation of α is state-of-the-art © 2019 Someone. All rights"),
]


@pytest.mark.parametrize(("form", "text"), FORMS, ids=[form for form, _ in FORMS])
def test_form_gives_the_plain_words(form: str, text: str) -> None:
    assert words(text) == PLAIN.lower().split()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("e\ufb03cient \ufb01les", ["efficient", "files"]),
        ("Straße, Łódź, Ærø", ["strasse", "lodz", "aero"]),
        ("the kelp's and kelps’ roots", ["the", "kelp", "and", "kelps", "roots"]),
        ("深度学习 works", ["深度", "度学", "学习", "works"]),
        ("ニューラル", ["ニュ", "ュー", "ーラ", "ラル"]),
        ("학습 방법", ["학습", "방법"]),
        ("тест Ёлка", ["тест", "елка"]),
        ("تَعَلُّم", ["تعلم"]),
        ("see https://example.org/a?b and more", ["see", "and", "more"]),
        ("", []),
        ("-- ... $ $", []),
    ],
)
def test_words_of_scripts_and_signs(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@given(st.text())
def test_any_text_gives_words_without_blanks(text: str) -> None:
    assert all(word and not any(map(str.isspace, word)) for word in words(text))
