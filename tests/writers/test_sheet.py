"""Reports as rows and columns: nothing in a cell acts."""

import csv
import io

import pytest

from bibtools.writers.sheet import Sheet, format_sheet

ROWS = (("3", "Kelp | drift <b>*now*</b>"), ("77", "=1+1\nnext\x1b[31m"))
SHEET = Sheet("Works & co", ("line", "work"), ROWS)


def test_table_has_columns_and_one_line_a_row() -> None:
    assert format_sheet(SHEET, "table").splitlines() == [
        "line  work",
        "3     Kelp | drift <b>*now*</b>",
        "77    =1+1 next [31m",
    ]


def test_wide_letters_take_two_columns() -> None:
    table = format_sheet(Sheet("", ("work", "year"), (("深度", "2020"), ("e\u0301", "1843"))), "table")
    assert table.splitlines()[1:] == ["深度  2020", "e\u0301     1843"]


def test_long_cells_are_cut() -> None:
    line = format_sheet(Sheet("", ("work",), (("深" * 99,),)), "table").splitlines()[1]
    assert line.endswith("…")
    assert len(line) < 40


def test_csv_gives_rows_back_with_formulas_disarmed() -> None:
    rows = list(csv.reader(io.StringIO(format_sheet(SHEET, "csv"))))
    assert rows == [["line", "work"], ["3", ROWS[0][1]], ["77", "'" + ROWS[1][1]]]


def test_markdown_is_escaped() -> None:
    assert format_sheet(SHEET, "markdown").splitlines()[2] == r"| 3 | Kelp \| drift \<b\>\*now\*\</b\> |"


def test_html_is_escaped_and_addresses_are_links() -> None:
    page = format_sheet(Sheet("<t>", ("a",), (("<script>",), ("https://example.org/?a&b",))), "html")
    assert "<script>" not in page
    assert "<title>&lt;t&gt;</title>" in page
    assert '<a href="https://example.org/?a&amp;b" rel="nofollow">' in page


def test_unknown_form_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(KeyError):
        format_sheet(SHEET, "song")
