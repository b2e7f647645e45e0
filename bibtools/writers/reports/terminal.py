"""The report on the terminal: what needs attention first, grouped by what it is.

On a terminal rich fits the columns to its width; elsewhere lines are never broken, so that other programs can
take them apart.
"""

import io
from itertools import groupby
from typing import TYPE_CHECKING

from bibtools.writers.reports.rows import LinkReport, LinkRow, clean, remainder, shown
from bibtools.writers.sheet import width

if TYPE_CHECKING:
    from collections.abc import Iterable

Cells = tuple[str, str, str]

COLOURS = {
    "missing": "red", "expired": "red", "blocked": "red", "empty": "yellow", "readme-only": "yellow",
    "disabled": "yellow", "moved": "cyan", "challenged": "magenta", "unsure": "magenta", "unchecked": "dim",
    "archived": "blue", "available": "green",
}  # fmt: skip


def format_table(report: LinkReport) -> str:
    """Return the report for the terminal."""
    rows = shown(report)
    groups = [(state, list(map(cells, group))) for state, group in groupby(rows, key=lambda row: row.gravest)]
    text = fitted(groups, report) if report.width else unbroken(groups, report)
    promises = (f"{clean(place)}: code promised without an address" for place in report.promised)
    return text + "".join(f"{line}\n" for line in (*remainder(report), *promises))


def cells(row: LinkRow) -> Cells:
    """Return place, address, and what else there is to know."""
    others = ", ".join(word for word in row.states if word not in {row.gravest, "available"})
    remark = "; ".join(filter(None, (others if row.link.check else "", row.remark)))
    return clean(row.place), clean(row.link.url), clean(remark)


def heading(state: str, rows: list[Cells]) -> str:
    """Return the line above the rows of one state."""
    return f"{state} ({len(rows):,})"


def unbroken(groups: "Iterable[tuple[str, list[Cells]]]", report: LinkReport) -> str:
    """Return the groups with one line per row, however long."""
    lines = []
    for state, rows in groups:
        if report.checked_at:
            lines.append(heading(state, rows))
        rooms = [max(width(row[column]) for row in rows) for column in (0, 1)]
        for row in rows:
            padded = (text + " " * (room - width(text)) for text, room in zip(row, rooms, strict=False))
            lines.append(f"  {'  '.join((*padded, row[2]))}".rstrip())
    return "".join(f"{line}\n" for line in lines)


def fitted(groups: "Iterable[tuple[str, list[Cells]]]", report: LinkReport) -> str:
    """Return the groups in columns that fit the terminal, with colours if it has some."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    stream = io.StringIO()
    console = Console(
        file=stream,
        width=report.width,
        color_system="standard" if report.coloured else None,
        force_terminal=report.coloured,
        no_color=not report.coloured,
    )
    for state, rows in groups:
        if report.checked_at:
            console.print(Text(heading(state, rows), style=COLOURS[state]))
        table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
        table.add_column(overflow="fold", max_width=max(report.width // 3, 12))
        table.add_column(overflow="fold", ratio=3)
        table.add_column(overflow="fold", ratio=2)
        for place, address, remark in rows:
            table.add_row(Text(f"  {place}"), Text(address), Text(remark))
        console.print(table)
    return "".join(f"{line.rstrip()}\n" for line in stream.getvalue().splitlines())
