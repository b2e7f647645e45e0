"""A report on links as values: its rows, which of them need attention, and how they add up."""

import re
from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from bibtools.model import Link
from bibtools.outcomes import LinkCheck

ATTENTION = (
    "missing", "expired", "blocked", "empty", "readme-only", "disabled", "moved", "challenged", "unsure",
    "unchecked", "archived",
)  # fmt: skip
"""Outcomes and flags that a person should look at, the gravest first."""
STATES = ("available", *ATTENTION, "fork")
"""Every word by which a link can be described; what `--fail-on` takes."""
NOT_CHECKED = LinkCheck("unchecked", reason="not asked for")
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]")


class LinkRow(Struct, frozen=True):
    """One address at one place of the input."""

    source: str
    link: Link
    title: str = ""
    """Title of the entry that gives it, if known."""
    change: str = ""
    """What differs from an earlier report, such as `was available`."""

    @property
    def check(self) -> LinkCheck:
        """The verdict; for a link that was not checked, one that says so."""
        return self.link.check or NOT_CHECKED

    @property
    def place(self) -> str:
        """File, line and column, as editors take them."""
        parts = (self.source, self.link.line, self.link.column)
        return ":".join(str(part) for part in parts if part is not None)

    @property
    def states(self) -> tuple[str, ...]:
        """Outcome and flags."""
        return (self.check.outcome, *self.check.flags)

    @property
    def words(self) -> str:
        """Outcome and flags for people: flags alone say that it is available."""
        if self.link.check is None:
            return ""
        return ", ".join(self.check.flags) if self.check.flags else self.check.outcome

    @property
    def rank(self) -> int:
        """Place in the order of gravity; lower is graver."""
        ranks = [ATTENTION.index(state) for state in self.states if state in ATTENTION]
        return min(ranks, default=len(ATTENTION))

    @property
    def gravest(self) -> str:
        """The gravest word that describes it; `available` where nothing needs attention."""
        return ATTENTION[self.rank] if self.needs_attention else "available"

    @property
    def needs_attention(self) -> bool:
        """Whether a person should look at it."""
        return self.rank < len(ATTENTION)

    @property
    def remark(self) -> str:
        """What to know beside the outcome: new address, reason, repository behind, archive copies."""
        check = self.link.check
        if check is None:
            return self.change
        parts = [f"→ {check.moved_to}" if check.moved_to else "", check.reason]
        parts.append(f"code: {check.repository}" if check.repository else "")
        parts += [f"copy of {capture.date[:10]}: {capture.url}" for capture in check.captures]
        parts.append(self.change)
        return "; ".join(filter(None, parts))


class LinkReport(Struct, frozen=True):
    """All rows in input order, and what is to be said of the whole."""

    rows: tuple[LinkRow, ...]
    checked_at: str = ""
    """ISO date and time, UTC; empty for links that were not checked."""
    promised: tuple[str, ...] = ()
    """Places where code is promised without an address."""
    all_outcomes: bool = False
    """Show what needs no attention too, in forms made for people."""
    fail_on: frozenset[str] = frozenset()
    """States that count as failures."""
    width: int = 0
    """Columns of the terminal; 0 for no limit."""
    coloured: bool = False
    changes_only: bool = False
    """The rows are those that differ from an earlier report."""

    @property
    def failures(self) -> tuple[LinkRow, ...]:
        """The rows with a state that counts as a failure."""
        return tuple(row for row in self.rows if self.fail_on.intersection(row.states))

    @property
    def gravest_first(self) -> list[LinkRow]:
        """The rows by gravity, then as in the input."""
        return sorted(self.rows, key=lambda row: row.rank)


def summary(report: LinkReport) -> str:
    """Return one line on the whole report.

    >>> row = LinkRow("a.md", Link("x", "https://a.org", check=LinkCheck("available", flags=("empty",))))
    >>> summary(LinkReport((row, row), checked_at="2025-11-30T12:00:00Z"))
    '2 links to 1 address: 1 available (1 empty)'
    """
    once = {row.link.url: row for row in report.rows}
    head = f"{count(len(report.rows), 'link')} to {count(len(once), 'address', 'addresses')}"
    if not report.checked_at:
        return head
    outcomes: Counter[str] = Counter(row.check.outcome for row in once.values())
    flags: Counter[str] = Counter(flag for row in once.values() for flag in row.check.flags)
    parts = [f"{number:,} {outcome}" for outcome, number in ordered(outcomes) if outcome != "available"]
    if outcomes["available"]:
        inner = ", ".join(f"{number:,} {flag}" for flag, number in ordered(flags))
        parts.insert(0, f"{outcomes['available']:,} available" + (f" ({inner})" if inner else ""))
    return f"{head}: {', '.join(parts)}" if parts else head


def ordered(counts: Counter[str]) -> list[tuple[str, int]]:
    """Return counts in the order of gravity."""
    return sorted(counts.items(), key=lambda item: STATES.index(item[0]))


def count(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun.

    >>> count(1, "link"), count(2500, "address", "addresses")
    ('1 link', '2,500 addresses')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def clean(text: str) -> str:
    """Return a text on one line, without characters that steer terminals or are none in XML."""
    return " ".join(CONTROL.sub("\ufffd", text).split())


def shown(report: LinkReport) -> list[LinkRow]:
    """Return the rows that a form for people shows: those that need attention, or all."""
    everything = report.all_outcomes or report.changes_only or not report.checked_at
    return [row for row in report.gravest_first if everything or (row.needs_attention and not is_open(row))]


def is_open(row: LinkRow) -> bool:
    """Return whether a row says no more than that nobody was asked."""
    return row.check.outcome == "unchecked"


def remainder(report: LinkReport) -> list[str]:
    """Return a line on each group of rows that `shown` leaves out."""
    kept = {id(row) for row in shown(report)}
    left = [row for row in report.rows if id(row) not in kept]
    reasons = Counter(row.check.reason for row in left if is_open(row))
    lines = [f"{count(number, 'link')} unchecked: {clean(reason)}" for reason, number in reasons.items()]
    in_order = len(left) - sum(reasons.values())
    if in_order:
        lines.append(f"{count(in_order, 'link')} in order; --all-outcomes shows them")
    return lines


def sources(rows: Iterable[LinkRow]) -> list[str]:
    """Return the names of the inputs, in their order."""
    return list(dict.fromkeys(row.source for row in rows))
