"""Dates as people, EDTF and BibTeX write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import dates

from bibtools.model import PartialDate
from bibtools.text.dates import format_edtf, month_number, parse_date

P = PartialDate
DATES = [
    ("2024", P((2024,))),
    ("2024-07", P((2024, 7))),
    ("2024-07-08", P((2024, 7, 8))),
    ("2024-07-08T12:00:00Z", P((2024, 7, 8))),
    ("2024/07/08", P((2024, 7, 8))),
    ("20240708", P((2024, 7, 8))),
    ("2025-06/2025-08", P((2025, 6), end=(2025, 8))),
    ("1998/", P((1998,), end=())),
    ("1998/..", P((1998,), end=())),
    ("1723~", P((1723,), circa=True)),
    ("1723?", P((1723,), circa=True)),
    ("ca. 1723", P((1723,), circa=True)),
    ("-0043", P((-44,))),
    ("0000", P((-1,))),
    ("-0876/-0865", P((-877,), end=(-866,))),
    ("44 BCE", P((-44,))),
    ("2004-22", P((2004,), season=2)),
    ("Summer 2004", P((2004,), season=2)),
    ("12 March 1999", P((1999, 3, 12))),
    ("March 12, 1999", P((1999, 3, 12))),
    ("Mar. 1999", P((1999, 3))),
    ("Sept 3rd, 2001", P((2001, 9, 3))),
    ("July/August 1988", P((1988, 7), end=(1988, 8))),
    ("July 8-12, 2013", P((2013, 7, 8), end=(2013, 7, 12))),
    ("31.12.2001", P((2001, 12, 31))),
    ("12/31/2001", P((2001, 12, 31))),
    ("03/04/2001", P((2001,), literal="03/04/2001")),
    ("5/2001", P((2001, 5))),
    ("1999-2001", P((1999,), end=(2001,))),
    ("1999--", P((1999,), end=())),
    ("1999–2001", P((1999,), end=(2001,))),
    ("[1999]", P((1999,))),
    ("in press", P(literal="in press")),
    ("13th Century", P(literal="13th Century")),
    ("Winter term 2001", P((2001,), literal="Winter term 2001")),
    ("20uu", P((2000,), circa=True, literal="20uu")),
]


@pytest.mark.parametrize(("source", "expected"), DATES)
def test_dates_as_typed(source: str, expected: PartialDate) -> None:
    assert parse_date(source) == expected


@given(dates())
def test_edtf_comes_back(date: PartialDate) -> None:
    assert parse_date(format_edtf(date)) == date


@given(st.text(max_size=40))
def test_any_text_is_a_date_or_a_literal(source: str) -> None:
    date = parse_date(source)
    assert date.start or date.literal == " ".join(source.split())


@given(st.text(alphabet="0123456789-/.~? janfebT:", max_size=20))
def test_months_and_days_are_possible_ones(source: str) -> None:
    date = parse_date(source)
    for point in (date.start, date.end or ()):
        assert all(1 <= part <= limit for part, limit in zip(point[1:], (12, 31), strict=False))


def test_months_by_name() -> None:
    assert [month_number(name) for name in ("jan", "Sept.", "December", "ma", "mayor")] == [
        1,
        9,
        12,
        None,
        None,
    ]
