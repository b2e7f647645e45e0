"""The report as one HTML page that loads nothing: a table that sorts and filters, readable without scripts.

A content security policy allows the page's own script and style by their digests, and nothing else.
"""

import base64
import hashlib
from html import escape
from importlib.resources import files

from bibtools.writers.reports.rows import STATES, LinkReport, LinkRow, clean, summary

COLUMNS = (
    "place", "address", "outcome", "remark", "kind", "licence", "last change", "release", "stars", "title",
)  # fmt: skip


def format_html(report: LinkReport) -> str:
    """Return the report as a page; every text from the input is escaped, and only http(s) becomes a link."""
    style, script = asset("report.css"), asset("report.js")
    policy = f"default-src 'none'; style-src {digest(style)}; script-src {digest(script)}; base-uri 'none'"
    body = "\n".join(map(format_row, report.gravest_first))
    heads = "".join(f"<th scope=col>{column}</th>" for column in COLUMNS)
    checked = f"<p>Checked {escape(report.checked_at)}.</p>" if report.checked_at else ""
    return f"""<!doctype html>
<html lang=en>
<head>
<meta charset=utf-8>
<meta http-equiv=Content-Security-Policy content="{policy}">
<meta name=viewport content="width=device-width">
<title>Links</title>
<style>{style}</style>
</head>
<body>
<h1>Links</h1>
<p id=summary>{escape(summary(report))}</p>
{checked}{format_promised(report)}
<table id=links data-states="{" ".join(STATES)}">
<thead><tr>{heads}</tr></thead>
<tbody>
{body}
</tbody>
</table>
<script>{script}</script>
</body>
</html>
"""


def asset(name: str) -> str:
    """Return the page's style or script."""
    return files("bibtools.writers.reports").joinpath(name).read_text(encoding="utf-8")


def digest(text: str) -> str:
    """Return the source expression of a content security policy for an inline text."""
    hashed = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(hashed).decode()}'"


def format_row(row: LinkRow) -> str:
    """Return one row of the table."""
    facts = row.check.facts
    pushed = facts.last_push[:10] if facts else ""
    stars = str(facts.stars) if facts and facts.stars is not None else ""
    cells = (
        escape(clean(row.place)),
        anchor(row.link.url),
        f'<span class="state {row.gravest}">{escape(row.words)}</span>',
        remark(row),
        row.link.kind,
        escape(clean(facts.licence)) if facts else "",
        escape(clean(pushed)),
        escape(clean(facts.latest_release)) if facts else "",
        stars,
        escape(clean(row.title)),
    )
    keys = (
        row.place,
        row.link.url,
        f"{row.rank:02}",
        "",
        "",
        "",
        pushed,
        "",
        stars.zfill(9) if stars else "",
        "",
    )
    parts = (
        f'<td data-key="{escape(clean(key))}">{cell}</td>' if key else f"<td>{cell}</td>"
        for cell, key in zip(cells, keys, strict=True)
    )
    return f'<tr data-states="{" ".join(row.states)}">{"".join(parts)}</tr>'


def remark(row: LinkRow) -> str:
    """Return what there is to know beside the outcome, addresses as links."""
    check = row.check
    parts = [f"→ {anchor(check.moved_to)}" if check.moved_to else "", escape(clean(check.reason))]
    parts.append(f"code: {anchor(check.repository)}" if check.repository else "")
    parts += [f"copy of {escape(clean(copy.date[:10]))}: {anchor(copy.url)}" for copy in check.captures]
    parts.append(escape(clean(row.change)))
    return "<br>".join(filter(None, parts))


def anchor(address: str) -> str:
    """Return an address as a link; anything but http(s) as plain text."""
    text = escape(clean(address))
    if not address.lower().startswith(("http://", "https://")):
        return text
    return f'<a href="{text}" rel="nofollow noreferrer">{text}</a>'


def format_promised(report: LinkReport) -> str:
    """Return the places where code is promised without an address."""
    if not report.promised:
        return ""
    places = ", ".join(escape(clean(place)) for place in report.promised)
    return f"\n<p>Code promised without an address: {places}</p>"
