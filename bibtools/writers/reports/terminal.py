"""The report on the terminal: what needs attention first, grouped by what it is."""

import io
from itertools import groupby

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bibtools.writers.reports.rows import LinkReport, LinkRow, clean, count, shown

COLOURS = {
    "missing": "red", "expired": "red", "blocked": "red", "empty": "yellow", "readme-only": "yellow",
    "disabled": "yellow", "moved": "cyan", "challenged": "magenta", "unsure": "magenta", "unchecked": "dim",
    "archived": "blue", "available": "green",
}  # fmt: skip
NO_LIMIT = 100_000
"""Columns, where the output is no terminal: lines are then never broken."""


def format_table(report: LinkReport) -> str:
    """Return the report for the terminal."""
    stream = io.StringIO()
    console = Console(
        file=stream,
        width=report.width or NO_LIMIT,
        color_system="standard" if report.coloured else None,
        force_terminal=report.coloured,
        highlight=False,
        markup=False,
        emoji=False,
        no_color=not report.coloured,
    )
    rows = shown(report)
    for state, group in groupby(rows, key=lambda row: row.gravest):
        print_group(console, state, list(group), report)
    hidden = len(report.rows) - len(rows)
    if hidden:
        console.print(Text(f"{count(hidden, 'link')} in order; --all-outcomes shows them"), soft_wrap=True)
    for place in report.promised:
        console.print(Text(f"{clean(place)}: code promised without an address"), soft_wrap=True)
    return "".join(f"{line.rstrip()}\n" for line in stream.getvalue().splitlines())


def print_group(console: Console, state: str, rows: list[LinkRow], report: LinkReport) -> None:
    """Print the rows of one state under its name."""
    if report.checked_at:
        console.print(Text(f"{state} ({len(rows):,})", style=COLOURS[state]), soft_wrap=True)
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column(overflow="fold", max_width=40 if report.width else None)
    table.add_column(overflow="fold", ratio=3 if report.width else None)
    table.add_column(overflow="fold", ratio=2 if report.width else None)
    for row in rows:
        others = ", ".join(word for word in row.states if word not in {state, "available"})
        remark = "; ".join(filter(None, (others, row.remark)))
        table.add_row(Text(f"  {clean(row.place)}"), Text(clean(row.link.url)), Text(clean(remark)))
    console.print(table)
