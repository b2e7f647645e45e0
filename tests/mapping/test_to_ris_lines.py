"""One line for one value."""

import pytest

from bibtools.mapping.to_ris import one_line


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ("a \n \n b", "a b"),
        ("\na\u2028b\x0c", "a b"),
        ("  a  b\t", "a  b"),
        ("\u00a0" * 300_000 + "\n", ""),
        ("a" + "\u00a0" * 300_000 + "b", "a" + "\u00a0" * 300_000 + "b"),
    ],
)
def test_a_value_is_written_on_one_line(value: str, line: str) -> None:
    """Line breaks become blanks, in one pass however many blanks there are."""
    assert one_line(value) == line
