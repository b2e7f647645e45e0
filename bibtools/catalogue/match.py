"""From evidence to an answer: which works an abstract is, or that it is none that is known.

Every rule is a row of thresholds; a record is accepted if one of them holds. How they were set and what
errors they make is told in docs/identification.md.
"""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from bibtools.catalogue.evidence import Measures
from bibtools.outcomes import Agreement, Candidate


class Rule(Struct, frozen=True):
    """The least agreement that is enough, in one way of agreeing."""

    name: str
    meaning: str
    shared: int = 0
    of_query: float = 0.0
    of_record: float = 0.0
    lower_quarter: float = 0.0
    """Share that all but a quarter of the stretches reach."""
    touched: float = 0.0
    """Share of stretches that agree in at least `TOUCH`."""

    def holds(self, measures: Measures) -> bool:
        """Return whether the agreement is enough."""
        return (
            measures.shared >= self.shared
            and measures.of_query >= self.of_query
            and measures.of_record >= self.of_record
            and lower_quarter(measures) >= self.lower_quarter
            and touched(measures) >= self.touched
        )


TOUCH = 0.08

RULES = (
    Rule("part", "the abstract is a verbatim part of the record", 25, 0.85, 0.15),
    Rule("long part", "a long text is a verbatim part of the record", 35, 0.85),
    Rule("whole", "the record lies whole in the text", 25, 0.0, 0.85),
    Rule("both", "most of each lies in the other", 30, 0.45, 0.45),
    Rule("spread", "reworded, but agreeing all along", 35, 0.40, 0.25, 0.10, 0.90),
)


def lower_quarter(measures: Measures) -> float:
    """Return the share of pairs that at least three quarters of the stretches reach."""
    return sorted(measures.stretches)[len(measures.stretches) // 4] if measures.stretches else 0.0


def touched(measures: Measures) -> float:
    """Return the share of stretches that agree at all, beyond chance."""
    return sum(share >= TOUCH for share in measures.stretches) / max(1, len(measures.stretches))


class Finding(Struct, frozen=True):
    """What a catalogue says to one text."""

    outcome: Literal["identified", "ambiguous", "unidentified"]
    candidates: tuple[Candidate, ...] = ()
    """Best first. Identified: the first is the work. Ambiguous: the first `fitting` of them fit equally."""
    fitting: int = 0
    """How many of the candidates, from the first on, fit the text: 0 if unidentified, 1 if identified."""
    also: tuple[Candidate, ...] = ()
    """Further works in the same text, in another part of it, where several were glued together."""


class Verified(Struct, frozen=True):
    """A work of a catalogue with what was measured for its best record."""

    id: str
    title: str
    catalogue: str
    measures: Measures
    rule: str = ""


def accepting_rule(measures: Measures) -> str:
    """Return the name of the first rule that holds, or ""."""
    return next((rule.name for rule in RULES if rule.holds(measures)), "")


def decide(found: Sequence[Verified]) -> Finding:
    """Return the answer that these candidates of one text, of one catalogue or several, amount to."""
    ranked = sorted(found, key=lambda one: (bool(one.rule), one.measures.shared), reverse=True)
    candidates = tuple(_candidate(one) for one in ranked)
    accepted = [one for one in ranked if one.rule]
    if not accepted:
        return Finding("unidentified", candidates)
    also = tuple(candidates[number] for number, one in enumerate(ranked) if number and one.rule == "whole")
    return Finding("identified", candidates, 1, also)


def _candidate(one: Verified) -> Candidate:
    measures = one.measures
    agreement = Agreement(
        measures.shared, round(measures.of_query, 4), round(measures.of_record, 4), one.rule
    )
    return Candidate(
        one.id, one.title, round(max(measures.of_query, measures.of_record), 4), one.catalogue, agreement
    )
