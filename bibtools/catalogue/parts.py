"""Cutting a text that holds several abstracts where one ends and the next begins."""

import re
from collections.abc import Sequence
from itertools import pairwise

from bibtools.catalogue.fingerprint import Texts

_BREAK = re.compile(r"(\n)\s*|(?<=[.!?])\s+")
"""Where an abstract may end: at a line's end or after a sentence."""
LINE_END = 20
"""Content words by which the end of a line may be further off than that of a sentence and still be chosen."""

LATE = 3
"""Content words by which cuts are made late: a short sentence that no record has ends the abstract before."""


def split_text(text: str, parts: Sequence[tuple[int, int]]) -> list[tuple[int, str]]:
    """Return a text cut into abstracts, in order, each with the number of its part from 1, or 0 for the rest.

    Args:
        text: several abstracts in one paragraph.
        parts: first and last content word of each part, roughly: cuts are made at the likeliest break near.

    >>> split_text("Sea otters crack clams. Kelp forests shelter fish.", [(3, 8)])
    [(0, 'Sea otters crack clams.'), (1, 'Kelp forests shelter fish.')]
    """
    breaks = list(_BREAK.finditer(text))
    edges = [0, *(found.end() for found in breaks), len(text)]
    before = Texts.of([text[start:end] for start, end in pairwise(edges)]).starts.tolist()
    is_line_end = [False, *(found[1] is not None for found in breaks), False]
    cuts = {0, len(edges) - 1}
    for word in {word for part in parts for word in part}:
        cuts.add(
            min(
                range(len(edges)),
                key=lambda number: abs(before[number] - word - LATE) - LINE_END * is_line_end[number],
            )
        )
    pieces: list[tuple[int, str]] = []
    for start, end in pairwise(sorted(cuts)):
        owner = _owner((before[start] + before[end]) / 2, parts)
        pieces.append((owner, text[edges[start] : edges[end]].strip()))
    return [piece for piece in pieces if piece[1]]


def _owner(word: float, parts: Sequence[tuple[int, int]]) -> int:
    """Return the number of the part, from 1, that a content word lies in, or 0."""
    return next((number for number, (start, end) in enumerate(parts, 1) if start <= word < end), 0)
