"""TeX values read by replacements are read as the scanner reads them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bibtools.model import Text
from bibtools.text.tex import parse_tex, read_tex
from bibtools.text.tex_simple import is_as_it_is, read_simple

PARTS = (
    *"ab1 cdHiOu{}{}~-!?`'\"=.%&_$\n\té\u0301\u00a0\u0001",
    *("--", "''", "  ", "\n\n", "{A}", "{a b}", "{{A}}", "{ A}", "{}", "e\u0301", "中", "\\", "\\\\"),
    *(r"\'e", r"\"{u}", r"{\'E}", r"{\'{\i}}", r"{\'\i}", r"\c{c}", r"{\c c}", r"{\ss}", r"\&", r"{\&}"),
    *(r"\emph{", r"{\bf ", r"\'", r"{\'", r"\i", r"{\alpha}", r"\=", r"\~", r"\^", r"\`", r"\d{u}"),
)


@given(st.lists(st.sampled_from(PARTS), max_size=12).map("".join), st.booleans(), st.booleans())
def test_the_scanner_reads_the_same(source: str, protect: bool, breaks: bool) -> None:
    expected = read_tex(source, protect=protect, breaks=breaks)[0]
    if is_as_it_is(source):
        assert Text(source) == expected
    simple = read_simple(source, protect=protect, breaks=breaks)
    assert simple is None or simple == expected
    assert parse_tex(source, protect=protect, breaks=breaks) == expected


@pytest.mark.parametrize(
    "source",
    [
        r"Garc{\'{\i}}a and Fran{\c{c}}ois {\O}re \v{S}koda na{\"\i}ve",
        "{BERT}: a {T}itle ``so to say'' --- 50\\% of~it\n   wrapped",
        r"{{All of it}}",
        "Ünïcode {Title}",
    ],
)
def test_what_libraries_are_full_of_needs_no_scanner(source: str) -> None:
    assert read_simple(source) is not None


@pytest.mark.parametrize(
    "source", [r"\emph{a}", r"{\&A}", "$x$", "{a {B}}", "a } b", "e\u0301", r"{\'Etude}", "{ A}"]
)
def test_the_rest_is_left_to_the_scanner(source: str) -> None:
    assert read_simple(source) is None
