"""How far an abstract agrees with records of a catalogue.

A pair of neighbouring content words is found in another text if that has the two in the same order, at
most `REACH` words apart: so a pair survives words that were dropped or put between. Each text is cut into
stretches of a dozen pairs, about half a sentence, and each stretch is a witness: it speaks for the two
texts being one if it agrees more than related papers do, and against it if less. What a stretch can say is
bounded, because a follow-up paper copies whole sentences and shares nothing elsewhere, while a reworded
abstract agrees a little all along.
"""

from collections.abc import Sequence
from math import log2
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bibtools.catalogue.fingerprint import DISTANCES, Codes, Numbers, pairs
from bibtools.catalogue.pack import expand

REACH = 5
"""Words apart, in the other text, that the two of a pair may stand."""
STRETCH_PAIRS = 12

SAME_SHARE = 0.50
"""Share of its pairs that a stretch has in common with the other text if the two are one work …"""
RELATED_SHARE = 0.18
"""… and if they are not, but are on one subject by the same people: the hardest case."""
MOST_FOR = 11.0
"""Most bits that one stretch can say for the two being one: all of it found says no more than most of it."""
MOST_AGAINST = -6.0
"""Most that it can say against, for a sentence may be new."""

_FOUND_BITS = log2(SAME_SHARE / RELATED_SHARE)
_MISSED_BITS = log2((1 - SAME_SHARE) / (1 - RELATED_SHARE))
_BLOCK = 64
"""Comparisons worked on together: their table of pairs of codes takes four megabytes."""

Bits = NDArray[np.float64]


class Side:
    """Several texts prepared to be compared: their pairs, and the stretch that each pair lies in."""

    __slots__ = ("firsts", "pair_texts", "pairs", "reach", "reach_texts", "stretch", "stretches")

    def __init__(self, codes: Codes, starts: Numbers) -> None:
        texts = len(starts) - 1
        pair, text = _pairs(codes, starts, DISTANCES)
        distinct = np.sort(np.unique((text << 16) | pair, return_index=True)[1])
        self.pairs: Numbers = pair[distinct]
        """Distinct pairs of codes, by text and then by place."""
        self.pair_texts: Numbers = text[distinct]
        self.firsts = np.searchsorted(self.pair_texts, np.arange(texts + 1))
        """Where the pairs of each text begin, and last the end."""
        counts = np.diff(self.firsts)
        self.stretches = np.maximum(counts // STRETCH_PAIRS, 1)
        """How many stretches each text has."""
        rank = np.arange(len(self.pairs)) - self.firsts[self.pair_texts]
        self.stretch = rank * self.stretches[self.pair_texts] // np.maximum(counts[self.pair_texts], 1)
        """Of each pair, from 0 in each text."""
        self.reach, self.reach_texts = _pairs(codes, starts, range(1, REACH + 1))
        """All pairs up to `REACH` words apart, not distinct."""


class Agreements(NamedTuple):
    """What each comparison of a text with another gave; arrays with a place for each."""

    shared: Numbers
    """Distinct pairs of the one text that the other has."""
    pairs: Numbers
    """Distinct pairs that the one text has."""
    bits: Bits
    """What its stretches say together for (or, below nought, against) the two being one work."""
    stretch_shares: list[Bits]
    """Of each comparison, the share of each stretch's pairs that was found."""


def compare(asked: Side, asked_texts: Numbers, known: Side, known_texts: Numbers) -> Agreements:
    """Return how far texts of one side are found in texts of the other.

    Args:
        asked, asked_texts: for each comparison, the number of the text whose pairs are sought.
        known, known_texts: and of the text in which they are.
    """
    count = len(asked_texts)
    rows, job = expand(asked.firsts[asked_texts], asked.firsts[asked_texts + 1])
    reach_firsts = _firsts(known.reach_texts, known_texts)
    reach_rows, reach_job = expand(*reach_firsts)
    found = _found(asked.pairs[rows], job, known.reach[reach_rows], reach_job, count)
    first_cells = np.concatenate((np.zeros(1, np.int64), np.cumsum(asked.stretches[asked_texts])))
    cells = first_cells[job] + asked.stretch[rows]
    size = np.bincount(cells, minlength=int(first_cells[-1]))
    hits = np.bincount(cells[found], minlength=int(first_cells[-1]))
    said = np.clip(hits * _FOUND_BITS + (size - hits) * _MISSED_BITS, MOST_AGAINST, MOST_FOR)
    shares = np.split(hits / np.maximum(size, 1), first_cells[1:-1]) if count else []
    return Agreements(
        np.bincount(job[found], minlength=count),
        np.bincount(job, minlength=count),
        np.add.reduceat(said, first_cells[:-1]) if count else np.zeros(0),
        shares,
    )


def _pairs(codes: Codes, starts: Numbers, distances: Sequence[int]) -> tuple[Numbers, Numbers]:
    """Return pairs of codes as 16-bit numbers, in the order of the text, and the text of each."""
    first, second, text, _ = pairs(codes.astype(np.int64), starts, distances)
    return (first << 8) | second, text


def _firsts(owners: Numbers, wanted: Numbers) -> tuple[Numbers, Numbers]:
    """Return where the rows of each wanted text begin and end."""
    return np.searchsorted(owners, wanted), np.searchsorted(owners, wanted, side="right")


def _found(
    pair: Numbers, job: Numbers, known_pair: Numbers, known_job: Numbers, jobs: int
) -> NDArray[np.bool_]:
    """Return which pairs are among the known pairs of the same comparison; both ordered by comparison."""
    table = np.zeros(_BLOCK << 16, bool)
    found = np.zeros(len(pair), bool)
    for start in range(0, jobs, _BLOCK):
        mine = slice(*np.searchsorted(job, (start, start + _BLOCK)))
        known = slice(*np.searchsorted(known_job, (start, start + _BLOCK)))
        marked = ((known_job[known] - start) << 16) | known_pair[known]
        table[marked] = True
        found[mine] = table[((job[mine] - start) << 16) | pair[mine]]
        table[marked] = False
    return found
