"""What differs from an earlier report."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from bibtools.writers.reports.rows import LinkRow

UNKNOWN = frozenset({"unsure", "unchecked", "challenged"})
"""Outcomes that say nothing about the address: neither worse nor better than what was known."""


def find_changes(rows: Sequence[LinkRow], old: Sequence[Mapping[str, object]]) -> list[LinkRow]:
    """Return the rows whose outcome, flags or new address differ from an earlier JSON report, or are new.

    What was merely not known then or now is not a change.

    Args:
        old: the objects of the earlier report.
    """
    before = {(str(row.get("source")), str(row.get("url"))): row for row in old}
    anywhere = {str(row.get("url")): row for row in old}
    found = []
    for row in rows:
        earlier = before.get((row.source, row.link.url)) or anywhere.get(row.link.url)
        change = change_of(row, earlier)
        if change:
            found.append(replace(row, change=change))
    return found


def is_another(row: LinkRow, earlier: Mapping[str, object]) -> bool:
    """Return whether the host's own lasting id differs: a name given up can be taken by somebody else."""
    facts = earlier.get("facts")
    before = facts.get("host_id") if isinstance(facts, dict) else None
    now = row.check.facts.host_id if row.check.facts else ""
    return bool(before) and bool(now) and before != now


def change_of(row: LinkRow, earlier: Mapping[str, object] | None) -> str:
    """Return in a few words what a link was before; empty for no change."""
    if earlier is None:
        return "new"
    flags = earlier.get("flags")
    states = (str(earlier.get("outcome", "")), *map(str, flags if isinstance(flags, list) else ()))
    if UNKNOWN.intersection((*states, *row.states)) or not states[0]:
        return ""
    if is_another(row, earlier):
        return "another repository stands here now"
    if states == row.states and str(earlier.get("moved_to") or "") == row.check.moved_to:
        return ""
    words = ", ".join(states[1:]) or states[0]
    return f"was {words}"
