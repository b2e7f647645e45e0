"""Reports for programs: JSON and CSV. docs/links.md describes each key and column; none is ever dropped."""

from typing import Any

from bibtools.writers.answers import SCHEMA, format_rows, link_row
from bibtools.writers.reports.rows import LinkReport, LinkRow, clean
from bibtools.writers.sheet import Sheet, format_sheet

PLACE_COLUMNS = ("source", "line", "column", "written", "url", "kind", "offers_code")
OUTCOME_COLUMNS = (
    "outcome", "flags", "moved_to", "reason", "repository", "licence", "commit", "last_push",
    "latest_release", "stars", "capture", "asked_at",
)  # fmt: skip
"""Those that a CSV input gets in addition to its own."""
COLUMNS = (*PLACE_COLUMNS, *OUTCOME_COLUMNS, "title", "change")


def format_json(report: LinkReport) -> str:
    """Return an array with one object per link, in input order."""
    return format_rows(json_row(row) for row in report.rows)


def json_row(row: LinkRow) -> dict[str, Any]:
    """Return one link as an object."""
    found = {"schema": SCHEMA, "source": row.source, **link_row(row.link)}
    if row.title:
        found["title"] = row.title
    if row.change:
        found["change"] = row.change
    return found


def format_csv(report: LinkReport) -> str:
    """Return CSV with one line per link, in input order."""
    rows = tuple(tuple(clean(cells(row)[name]) for name in COLUMNS) for row in report.rows)
    return format_sheet(Sheet("links", COLUMNS, rows), "csv")


def cells(row: LinkRow) -> dict[str, str]:
    """Return the cells of one link, by column."""
    link, check = row.link, row.link.check
    found = {
        "source": row.source,
        "line": str(link.line or ""),
        "column": str(link.column or ""),
        "written": link.written,
        "url": link.url,
        "kind": link.kind,
        "offers_code": "yes" if link.offers_code else "no",
        "title": row.title,
        "change": row.change,
    }
    return dict.fromkeys(COLUMNS, "") | found | (outcome_cells(row) if check else {})


def outcome_cells(row: LinkRow) -> dict[str, str]:
    """Return the cells that a check fills."""
    check = row.check
    facts = check.facts
    found = {
        "outcome": check.outcome,
        "flags": " ".join(check.flags),
        "moved_to": check.moved_to,
        "reason": check.reason,
        "repository": check.repository,
        "licence": facts.licence if facts else "",
        "commit": facts.commit if facts else "",
        "last_push": facts.last_push if facts else "",
        "latest_release": facts.latest_release if facts else "",
        "stars": str(facts.stars) if facts and facts.stars is not None else "",
        "capture": " ".join(capture.url for capture in check.captures),
        "asked_at": check.evidence[-1].asked_at if check.evidence else "",
    }
    return {name: clean(value) for name, value in found.items()}
