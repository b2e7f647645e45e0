"""The report as Markdown, to paste into an issue or a list's page: a summary, then what is to be done."""

from bibtools.writers.reports.rows import LinkReport, LinkRow, clean, count, shown, summary
from bibtools.writers.sheet import Sheet, format_sheet

COLUMNS = ("place", "address", "outcome", "remark")


def format_markdown(report: LinkReport) -> str:
    """Return the report as Markdown in which nothing from the input acts as mark-up."""
    head = f"**{summary(report)}**"
    if report.checked_at:
        head += f" · checked {report.checked_at[:10]}"
    rows = shown(report)
    parts = [f"{head}\n"]
    if rows:
        parts.append(format_sheet(Sheet("Links", COLUMNS, tuple(map(cells, rows))), "markdown"))
    hidden = len(report.rows) - len(rows)
    if hidden:
        parts.append(f"{count(hidden, 'link')} in order, not shown.\n")
    if report.promised:
        places = ", ".join(clean(place) for place in report.promised)
        parts.append(f"Code promised without an address: {places}\n")
    return "\n".join(parts)


def cells(row: LinkRow) -> tuple[str, ...]:
    """Return the cells of one row."""
    return (clean(row.place), clean(row.link.url), row.words, clean(row.remark))
