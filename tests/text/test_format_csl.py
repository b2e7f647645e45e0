"""CSL mark-up written so that reading it gives the same text again."""

import pytest

from bibtools.model import Span, Text
from bibtools.text.markup import format_csl, parse_csl

LITERAL = [
    '<span class="novase">A-D test </span>title',
    "<span id='none'>volcanology</span> of <span>the</span> eruption",
    '<span class=""subscript"">sub</span>',
    "a < b, a lone <i> and $5 or $6",
]
"""Titles with what looks like mark-up and is none."""


@pytest.mark.parametrize("title", LITERAL)
def test_what_is_no_markup_stays_as_it_is(title: str) -> None:
    """A tag that reading would not take for mark-up needs no guard."""
    assert parse_csl(title) == Text(title)
    assert format_csl(Text(title)) == title


@pytest.mark.parametrize("plain", ["<i>Natrix</i>", "costs $x$"])
def test_literal_text_that_looks_like_markup_is_guarded(plain: str) -> None:
    """What reading would take for mark-up is written so that it reads as the characters it is."""
    written = format_csl(Text(plain))
    assert written != plain
    assert parse_csl(written) == Text(plain)


def test_a_literal_tag_beside_real_markup_stays() -> None:
    """Real mark-up round a title does not bring the guard back for unknown tags."""
    title = Text("<span>x</span> and y", ("<span>x</span> and ", Span("italic", ("y",))))
    assert format_csl(title) == "<span>x</span> and <i>y</i>"
