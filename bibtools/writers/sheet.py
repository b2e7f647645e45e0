"""Reports as rows and columns: for the terminal, as CSV, as Markdown, as HTML.

Cells come from strangers' files, so each form escapes what would act in it.
"""

import csv
import html
import io
import re
import unicodedata
from collections.abc import Callable, Sequence

from msgspec import Struct

FORMULA = re.compile(r"[=+\-@\t\r]")
"""Signs by which spreadsheets take a cell for a formula (OWASP, CSV Injection)."""
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]+")
MARKDOWN = re.compile(r"([\\`*_{}\[\]<>|#~])")
WIDEST = 72
"""Columns of the terminal that one cell may fill."""

STYLE = """\
body{font:1rem/1.5 system-ui,sans-serif;margin:2rem auto;max-width:80rem;padding:0 1rem}
table{border-collapse:collapse}
th,td{border-bottom:1px solid #ccc;padding:.3rem .6rem;text-align:left;vertical-align:top}
"""


class Sheet(Struct, frozen=True):
    """A report: a heading, the names of its columns, and its rows."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def format_sheet(sheet: Sheet, form: str) -> str:
    """Return a sheet as `table`, `csv`, `markdown` or `html`, ending with a newline."""
    return FORMS[form](sheet)


def width(text: str) -> int:
    """Return how many columns a terminal needs for a text: two for wide letters, none for marks."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def to_line(text: str) -> str:
    """Return a text on one line, without control characters."""
    return CONTROL.sub(" ", text)


def shorten(text: str) -> str:
    """Return a text cut to the widest cell."""
    if width(text) <= WIDEST:
        return text
    kept = text[: WIDEST - 1]
    while width(kept) > WIDEST - 1:
        kept = kept[:-1]
    return kept.rstrip() + "…"


def format_table(sheet: Sheet) -> str:
    """Return columns of equal width, the last one open."""
    rows = [sheet.columns, *(tuple(shorten(to_line(cell)) for cell in row) for row in sheet.rows)]
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return "".join(f"{_pad(row, widths)}\n" for row in rows)


def _pad(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = (cell + " " * (room - width(cell)) for cell, room in zip(row, widths, strict=True))
    return "  ".join(cells).rstrip()


def format_csv(sheet: Sheet) -> str:
    """Return CSV (RFC 4180), with an apostrophe before what a spreadsheet would take for a formula."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(sheet.columns)
    writer.writerows([f"'{cell}" if FORMULA.match(cell) else cell for cell in row] for row in sheet.rows)
    return stream.getvalue()


def format_markdown(sheet: Sheet) -> str:
    """Return a Markdown table in which nothing acts as mark-up."""
    rows = [sheet.columns, ("---",) * len(sheet.columns), *(map(_escape_markdown, row) for row in sheet.rows)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _escape_markdown(cell: str) -> str:
    return MARKDOWN.sub(r"\\\1", to_line(cell))


def format_html(sheet: Sheet) -> str:
    """Return a whole HTML page that loads nothing."""
    head = "".join(f"<th scope=col>{html.escape(column)}</th>" for column in sheet.columns)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>\n" for row in sheet.rows)
    title = html.escape(sheet.title)
    return (
        f"<!doctype html>\n<meta charset=utf-8>\n<title>{title}</title>\n<style>\n{STYLE}</style>\n"
        f"<h1>{title}</h1>\n<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n"
    )


def _cell(cell: str) -> str:
    text = html.escape(to_line(cell))
    is_address = cell.startswith(("http://", "https://")) and not any(map(str.isspace, cell))
    return f'<td><a href="{text}" rel="nofollow">{text}</a></td>' if is_address else f"<td>{text}</td>"


FORMS: dict[str, Callable[[Sheet], str]] = {
    "table": format_table,
    "csv": format_csv,
    "markdown": format_markdown,
    "html": format_html,
}
