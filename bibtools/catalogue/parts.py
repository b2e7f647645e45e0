"""Cutting a text that holds several abstracts where one ends and the next begins."""

import re
from collections.abc import Sequence
from itertools import pairwise

from bibtools.catalogue.fingerprint import Texts

_BREAK = re.compile(r"\n\s*|(?<=[.!?])\s+")
"""Where an abstract may end: at a line's end or after a sentence."""


def split_text(text: str, parts: Sequence[tuple[int, int]]) -> list[str]:
    """Return what is left of a text without the parts, and then each part.

    Args:
        text: several abstracts in one paragraph.
        parts: first and last content word of each part, roughly: cuts are made at the nearest break.

    >>> split_text("Sea otters crack clams. Kelp forests shelter fish.", [(4, 8)])
    ['Sea otters crack clams.', 'Kelp forests shelter fish.']
    """
    cuts = [0, *(match.end() for match in _BREAK.finditer(text)), len(text)]
    pieces = [text[start:end] for start, end in pairwise(cuts)]
    before = Texts.of(pieces).starts.tolist()  # content words before each piece
    owner = [_owner((start + end) / 2, parts) for start, end in pairwise(before)]
    return [
        "".join(piece for piece, mine in zip(pieces, owner, strict=True) if mine == number).strip()
        for number in range(len(parts) + 1)
    ]


def _owner(word: float, parts: Sequence[tuple[int, int]]) -> int:
    """Return the number of the part, from 1, that a content word lies in, or 0."""
    return next((number for number, (start, end) in enumerate(parts, 1) if start <= word < end), 0)
