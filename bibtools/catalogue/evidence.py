"""How far an abstract agrees with records of a catalogue, on all pairs of content words.

Agreement is measured both ways: how much of the abstract the record holds, and how much of the record the
abstract holds. And evenly: the abstract is cut into stretches, because a follow-up paper copies a sentence
whole and shares nothing elsewhere, while a reworded abstract agrees thinly all along.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from bibtools.catalogue.fingerprint import Codes, Numbers, Texts, pairs
from bibtools.catalogue.pack import expand

STRETCH_PAIRS = 12
"""Pairs in a stretch of the abstract, at least, where it has so many."""
MOST_STRETCHES = 10


class Measures(Struct, frozen=True):
    """What was counted for one abstract and one record."""

    shared: int
    """Distinct pairs that both have."""
    query_pairs: int
    record_pairs: int
    stretches: tuple[float, ...]
    """Share of each stretch's pairs that the record has, in the order of the abstract."""

    @property
    def of_query(self) -> float:
        """Share of the abstract's pairs found in the record."""
        return self.shared / max(1, self.query_pairs)

    @property
    def of_record(self) -> float:
        """Share of the record's pairs found in the abstract."""
        return self.shared / max(1, self.record_pairs)


def measure(queries: Texts, job_queries: Numbers, codes: Codes, starts: Numbers) -> Sequence[Measures]:
    """Return the measures of several jobs: each the comparison of one query with one record.

    Args:
        queries: the abstracts.
        job_queries: number of each job's query.
        codes, starts: codes of each job's record, one after the other, and where each begins.
    """
    jobs = len(job_queries)
    record_side, record_owner, _ = _distinct_pairs(codes, starts)
    query_side, query_owner, stretch = _query_pairs(queries)
    first = np.searchsorted(query_owner, np.arange(len(queries) + 1))
    rows, job = expand(first[job_queries], first[job_queries + 1])
    wanted = (job << 16) | query_side[rows]
    known = np.append((record_owner << 16) | record_side, np.int64(-1))
    hit = known[np.searchsorted(known[:-1], wanted)] == wanted
    cell = job * MOST_STRETCHES + stretch[rows]
    size = np.bincount(cell, minlength=jobs * MOST_STRETCHES).reshape(jobs, MOST_STRETCHES)
    hits = np.bincount(cell[hit], minlength=jobs * MOST_STRETCHES).reshape(jobs, MOST_STRETCHES)
    record_pairs = np.bincount(record_owner, minlength=jobs)
    shares = hits / np.maximum(size, 1)
    return [
        Measures(
            int(hits[number].sum()),
            int(size[number].sum()),
            int(record_pairs[number]),
            tuple(shares[number][size[number] > 0].tolist()),
        )
        for number in range(jobs)
    ]


def _distinct_pairs(codes: Codes, starts: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Return each text's distinct pairs of codes as 16-bit numbers, their text, and their first place.

    Sorted by text, then pair.
    """
    first, second, owner, place = pairs(codes.astype(np.int64), starts)
    pair = (np.minimum(first, second) << 8) | np.maximum(first, second)
    both, at = np.unique((owner << 16) | pair, return_index=True)
    return both & 0xFFFF, both >> 16, place[at]


def _query_pairs(queries: Texts) -> tuple[Numbers, Numbers, Numbers]:
    """Return the distinct pairs of each query, their query, and the stretch that each lies in."""
    pair, owner, place = _distinct_pairs(queries.codes(), queries.starts)
    counts = np.bincount(owner, minlength=len(queries))
    stretches = np.clip(counts // STRETCH_PAIRS, 1, MOST_STRETCHES)
    order = np.lexsort((place, owner))
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order)) - (np.cumsum(counts) - counts)[owner[order]]
    return pair, owner, rank * stretches[owner] // np.maximum(counts[owner], 1)
