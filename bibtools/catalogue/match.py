"""From evidence to an answer: which works an abstract is, or that it is none that is known.

Every rule is a row of least agreements; a record is accepted if one rule holds. How they were set, and what
errors they make, is told in docs/identification.md.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bibtools.catalogue.evidence import Agreements
from bibtools.outcomes import Agreement, Candidate


class Rule(Struct, frozen=True, kw_only=True):
    """The least agreement that is enough, in one way of agreeing. Bits are those of `evidence`."""

    name: str
    meaning: str
    shared: int = 0
    """Pairs of the abstract found in the record."""
    of_query: float = 0.0
    """Their share among the abstract's pairs."""
    shared_back: int = 0
    """Pairs of the record found in the abstract."""
    of_record: float = 0.0
    """Their share among the record's pairs."""
    query_bits: float = -np.inf
    """What the abstract's stretches say for the record."""
    record_bits: float = -np.inf
    """What the record's stretches say for the abstract."""
    both_bits: float = -np.inf
    """The two together."""


RULES = (
    Rule(
        name="part",
        meaning="the text is a part of the abstract, word for word",
        shared=25,
        of_query=0.85,
        of_record=0.12,
    ),
    Rule(
        name="small part",
        meaning="the text is a small part of a long abstract, word for word",
        shared=30,
        of_query=0.85,
    ),
    Rule(
        name="whole",
        meaning="the whole abstract is in the text, word for word",
        shared_back=60,
        of_record=0.85,
    ),
    Rule(
        name="most",
        meaning="most of the text is in the abstract, and most of the abstract in the text",
        shared=30,
        of_query=0.45,
        of_record=0.55,
    ),
    Rule(
        name="reworded",
        meaning="the text agrees with the abstract all along",
        query_bits=38,
    ),
    Rule(
        name="both ways",
        meaning="text and abstract agree all along, seen from either",
        query_bits=25,
        record_bits=25,
        both_bits=75,
    ),
)
"""In the order in which they are tried."""

TIE = 0.98
"""Two works that have nearly the same of a text, one so much of what the other has, fit it equally."""


class Measures(Struct, frozen=True):
    """What was counted for one text and one record; shares lie between 0 and 1."""

    shared: float
    of_query: float
    shared_back: float
    of_record: float
    query_bits: float
    record_bits: float
    rule: str
    """Name of the rule that accepts the record, or empty."""
    stretches: tuple[float, ...] = ()
    """Share of each stretch of the text found in the record."""


_MEASURED = ("shared", "of_query", "shared_back", "of_record", "query_bits", "record_bits")


class Verified(Struct, frozen=True):
    """A work of a catalogue with what was measured for its best record."""

    id: str
    title: str
    catalogue: str
    measures: Measures


class Finding(Struct, frozen=True):
    """What catalogues say to one text."""

    outcome: Literal["identified", "ambiguous", "unidentified"]
    candidates: tuple[Candidate, ...] = ()
    """Best first. Identified: the first is the work. Ambiguous: the first `fitting` fit equally."""
    fitting: int = 0
    also: tuple["Part", ...] = ()
    """Further abstracts in other parts of the same text, where several were glued together."""


class Part(Struct, frozen=True):
    """Another abstract in a text, and where it stands, counted in content words."""

    candidate: Candidate | None
    """Its work; None if that is not known."""
    start: int
    end: int


def judge(queries: Agreements, records: Agreements) -> list[Measures]:
    """Return the measures of each comparison, made from the text's and from the record's side."""
    values: dict[str, NDArray[np.float64]] = {
        "shared": queries.shared.astype(float),
        "of_query": queries.shared / np.maximum(queries.pairs, 1),
        "shared_back": records.shared.astype(float),
        "of_record": records.shared / np.maximum(records.pairs, 1),
        "query_bits": queries.bits,
        "record_bits": records.bits,
        "both_bits": queries.bits + records.bits,
    }
    names = np.full(len(queries.bits), "", "U16")
    for rule in reversed(RULES):
        holds = np.logical_and.reduce([value >= getattr(rule, name) for name, value in values.items()])
        names[holds] = rule.name
    columns = [values[name].tolist() for name in _MEASURED]
    shares = [tuple(one.tolist()) for one in queries.stretch_shares]
    return [
        Measures(**dict(zip(_MEASURED, row, strict=True)), rule=rule, stretches=stretches)
        for *row, rule, stretches in zip(*columns, names.tolist(), shares, strict=True)
    ]


def decide(found: Sequence[Verified]) -> Finding:
    """Return the answer that these candidates of one text, of one catalogue or several, amount to."""
    ranked = sorted(found, key=lambda one: (one.measures.rule != "", one.measures.shared), reverse=True)
    candidates = tuple(map(to_candidate, ranked))
    accepted = [one for one in ranked if one.measures.rule]
    if not accepted:
        return Finding("unidentified", candidates)
    best = accepted[0].measures
    fitting = [one for one in accepted if _fits_equally(one.measures, best)]
    if len(fitting) > 1:
        return Finding("ambiguous", candidates, len(fitting))
    return Finding("identified", candidates, 1)


def _fits_equally(one: Measures, best: Measures) -> bool:
    """Return whether a work has as much of the text as the best one, and of the same part of it."""
    common = sum(map(min, one.stretches, best.stretches))
    return one.shared >= TIE * best.shared and common >= TIE * sum(best.stretches) / 2


def to_candidate(one: Verified) -> Candidate:
    """Return a work as results show it; its score is the greater share of text or record in the other."""
    measures = one.measures
    agreement = Agreement(
        int(measures.shared),
        round(measures.of_query, 4),
        round(measures.of_record, 4),
        measures.rule,
        {"query_bits": round(measures.query_bits, 1), "record_bits": round(measures.record_bits, 1)},
    )
    share = max(measures.of_query, measures.of_record) if measures.rule else measures.of_query
    return Candidate(one.id, one.title, round(share, 4), one.catalogue, agreement)
