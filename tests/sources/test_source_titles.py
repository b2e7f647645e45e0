"""Titles from whole and damaged TeX, with whole words protected."""

import pytest

from bibtools.sources.titles import is_whole_tex, tex_title
from bibtools.text.markup import format_csl


@pytest.mark.parametrize(
    ("tex", "whole"),
    [("{A} b", True), ("{A b", False), ("A} {b", False), (r"\{ $x$", True), ("$x", False), ("", True)],
)
def test_whole_tex(tex: str, whole: bool) -> None:
    assert is_whole_tex(tex) is whole


@pytest.mark.parametrize(
    ("tex", "plain", "title"),
    [
        ("A {B}ayesian {CNN}", "A Bayesian CNN", "A Bayesian CNN"),
        ("$\\ell_1$ norms", "ell_1 norms", "$\\ell_1$ norms"),
        ("A {B", "A B", "A B"),
        ("", "Plain", "Plain"),
        ("Fr\\'echet", "", "Fréchet"),
    ],
)
def test_title_from_tex_or_plain(tex: str, plain: str, title: str) -> None:
    found = tex_title(tex, plain)
    assert found
    assert found.plain == title


@pytest.mark.parametrize(
    ("tex", "csl"),
    [
        ("{D}eep{C}ross{A}ttention: Fast", '<span class="nocase">DeepCrossAttention</span>: Fast'),
        (
            "Aligning {LLM}s by {W}riting",
            'Aligning <span class="nocase">LLMs</span> by <span class="nocase">Writing</span>',
        ),
        ("pre{B}ert", '<span class="nocase">preBert</span>'),
        ("{ML}$^2$-{GCL}", '<span class="nocase">ML</span><sup>2</sup>-<span class="nocase">GCL</span>'),
        ("{PAC}-{B}ayes", '<span class="nocase">PAC</span>-<span class="nocase">Bayes</span>'),
        ("Plain Words", "Plain Words"),
    ],
)
def test_protected_letters_become_protected_words(tex: str, csl: str) -> None:
    found = tex_title(tex, tex)
    assert found
    assert format_csl(found) == csl
