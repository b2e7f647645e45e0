"""Answers about abstracts and links as JSON objects; docs/json.md describes each key.

Keys are only ever added, so that programs reading them keep working; `schema` counts up otherwise.
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from bibtools.errors import Problem
from bibtools.mapping.csl import to_csl
from bibtools.model import Entry, Library, Link

SCHEMA = 1

Row = dict[str, Any]


def answer_rows(library: Library) -> list[Row]:
    """Return one object per entry, and one per part of the input that could not be read, in input order."""
    rows = [entry_row(entry, library) for entry in library.entries]
    rows += [unread_row(problem) for problem in library.problems if problem.lost]
    return sorted(rows, key=lambda row: row["line"] or 0)


def entry_row(entry: Entry, library: Library) -> Row:
    """Return what is known of one entry: which work it is, on what evidence, with which links."""
    found = entry.identification
    origin = entry.origin
    identified = found is not None and found.outcome == "identified"
    return {
        "schema": SCHEMA,
        "source": library.source,
        "line": origin.line if origin else None,
        "index": origin.index if origin else None,
        "outcome": found.outcome if found else "unidentified",
        "score": round(found.score, 4) if found else 0.0,
        "basis": found.basis if found else None,
        "reason": found.reason if found else "",
        "work": to_csl(entry) if identified else None,
        "candidates": [msgspec.to_builtins(candidate) for candidate in found.candidates] if found else [],
        "sources": {name: msgspec.to_builtins(source) for name, source in found.sources.items()}
        if found
        else {},
        "links": [link_row(link) for link in entry.links],
        "promised_without_link": entry.promised_without_link,
    }


def link_row(link: Link) -> Row:
    """Return one link, and what is behind it where that was asked."""
    row: Row = {
        "written": link.written,
        "url": link.url,
        "kind": link.kind,
        "offers_code": link.offers_code,
        "found_in": link.found_in,
        "line": link.line,
        "column": link.column,
    }
    if link.check:
        check = msgspec.to_builtins(link.check)
        row |= {"outcome": link.check.outcome, "flags": list(link.check.flags), **check}
    return row


def unread_row(problem: Problem) -> Row:
    """Return a part of the input that could not be read."""
    return {
        "schema": SCHEMA,
        "source": problem.location.source,
        "line": problem.location.line,
        "outcome": "unread",
        "code": problem.code,
        "reason": problem.message,
        "raw": problem.raw,
    }


def format_rows(rows: Iterable[Row]) -> str:
    """Return rows as a JSON array, ending with a newline."""
    text = msgspec.json.format(msgspec.json.encode(list(rows)), indent=2)
    return text.decode() + "\n"
