"""The report as Markdown, to paste into an issue or a list's page: a summary, then what is to be done."""

import re

from bibtools.writers.reports.rows import LinkReport, LinkRow, clean, remainder, shown, summary
from bibtools.writers.sheet import MARKDOWN

HEAD = "| place | address | outcome | remark |\n| --- | --- | --- | --- |\n"
ADDRESS = re.compile(r"https?://[^\s<>|\\`]+")
"""What can stand between angle brackets, where Markdown takes it as it is."""


def format_markdown(report: LinkReport) -> str:
    """Return the report as Markdown in which nothing from the input acts as mark-up."""
    head = f"**{summary(report)}**"
    if report.checked_at:
        head += f" · checked {report.checked_at[:10]}"
    rows = shown(report)
    parts = [f"{head}\n"]
    if rows:
        parts.append(HEAD + "".join(map(format_row, rows)))
    parts += [f"{escape(line.partition(';')[0])}\n" for line in remainder(report)]
    if report.promised:
        places = ", ".join(escape(clean(place)) for place in report.promised)
        parts.append(f"Code promised without an address: {places}\n")
    return "\n".join(parts)


def format_row(row: LinkRow) -> str:
    """Return one row of the table."""
    return f"| {escape(clean(row.place))} | {linked(row.link.url)} | {row.words} | {linked(row.remark)} |\n"


def linked(text: str) -> str:
    """Return a text with its addresses as links, and all else escaped."""
    parts, done = [], 0
    text = clean(text)
    for found in ADDRESS.finditer(text):
        address = found[0].rstrip(";,.")
        parts += [escape(text[done : found.start()]), f"<{address}>"]
        done = found.start() + len(address)
    return "".join([*parts, escape(text[done:])])


def escape(text: str) -> str:
    """Return a text with the signs of Markdown escaped."""
    return MARKDOWN.sub(r"\\\1", text)
