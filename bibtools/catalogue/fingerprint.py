"""The comparison form of an abstract: hashes of its content words and of pairs of them.

Content words are words that are neither stop words nor single characters, with their commonest English
endings cut off. A text is compared by its unordered pairs of content words that stand next to each other
or one apart: pairs survive a changed word, a dropped sentence, another order of sentences.

Of each abstract a catalogue keeps two things:

- keys: a quarter of its pairs, chosen by their hash so that every text keeps the same ones, 30 bits each.
  An index leads from keys to records; it finds candidates.
- codes: one byte for each content word, in order. All pairs of codes are derived from it; they verify.

`VERSION` names this definition. `tests/catalogue/test_fingerprint.py` holds golden values for it: if they
change, raise the version, and catalogues made before are refused instead of silently matching nothing.
"""

from collections.abc import Sequence
from hashlib import blake2b
from itertools import chain, pairwise
from typing import TypeVar

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from bibtools.catalogue.normalise import words

VERSION = 1
SAMPLE = 4
"""One in so many pairs becomes a key."""
KEY_BITS = 30
DISTANCES = (1, 2)
"""How far apart in content words the two of a pair stand."""

FEWEST_WORDS = 12
"""Content words that a text must have to be compared at all."""

Hashes = NDArray[np.uint64]
Codes = NDArray[np.uint8]
Numbers = NDArray[np.int64]
Value = TypeVar("Value", bound=np.generic)

_STOP_WORDS = """
a about all also among an and any are as at based be been being between both but by can could did do
does each for from had has have hence here how however i if ii in into is it its may method methods
might more most new no nor not novel of on one only or other our over paper present presented
propose proposed result results same shall should show showed shown shows so some such than that the
their them then there therefore these they this those through thus to two under us use used using
very via was we were what when where which while who whom whose why will with within would
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
"""Words that nearly every abstract has; a pair with one of them says nothing."""


_ONE_SHAPE = (("rn", "m"), ("ri", "n"), ("vv", "w"), ("cl", "d"))
"""Two letters that look like one."""
_CONFUSED = str.maketrans("1jl0cea8h5fnrqy2", "iiioooobbstuugvz")
"""Letters and digits that look alike, each class by one of its letters."""


def content_hash(word: str) -> int:
    """Return 64 bits that stand for a content word, or 0 for a word that does not count."""
    if len(word) < 2 or word in STOP_WORDS:
        return 0
    digest = blake2b(fold_confusions(stem(word)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") or 1


def fold_confusions(word: str) -> str:
    """Return a word with letters that scanners take for one another made equal.

    >>> fold_confusions("learning") == fold_confusions("1eaming") == fold_confusions("leorning")
    True
    """
    for shape, letter in _ONE_SHAPE:
        word = word.replace(shape, letter)
    return word.translate(_CONFUSED)


def stem(word: str) -> str:
    """Return a word without its commonest English endings, so that inflected forms are one word.

    >>> [stem(word) for word in ("studies", "study", "learned", "learning", "learns", "class")]
    ['study', 'study', 'learn', 'learn', 'learn', 'class']
    """
    if len(word) < 5:
        return word
    if word.endswith("ies"):
        word = f"{word[:-3]}y"
    elif word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    for ending, shortest in (("ing", 7), ("ed", 6), ("ly", 6)):
        if len(word) >= shortest and word.endswith(ending):
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


class _HashCache(dict[str, int]):
    """Hashes of the words met so far; emptied when it has grown past any real vocabulary."""

    LIMIT = 1_000_000

    def __missing__(self, word: str) -> int:
        if len(self) >= self.LIMIT:
            self.clear()
        self[word] = value = content_hash(word)
        return value


_HASHES = _HashCache()


class Texts:
    """Several texts as hashes of their content words, one after the other in one array.

    Working on many texts at once is what makes this fast: one numpy call costs as much for a thousand
    texts as for ten.
    """

    __slots__ = ("hashes", "starts")

    def __init__(self, hashes: Hashes, starts: Numbers) -> None:
        self.hashes = hashes
        self.starts = starts
        """Where in `hashes` each text begins, and last the end of the last one."""

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> Numbers:
        """Content words in each text."""
        return np.diff(self.starts)

    @classmethod
    def of(cls, texts: Sequence[str]) -> "Texts":
        """Return the fingerprint of each text, in the order given."""
        rows = [list(filter(None, map(_HASHES.__getitem__, words(text)))) for text in texts]
        lengths = [len(row) for row in rows]
        flat = np.fromiter(chain.from_iterable(rows), np.uint64, sum(lengths))
        return cls(flat, _starts(np.array(lengths, np.int64)))

    def slices(self, parts: Sequence[tuple[int, int, int]]) -> "Texts":
        """Return parts of these texts as texts: each a text's number, and its first and last content word."""
        firsts = self.starts.tolist()
        rows = [self.hashes[firsts[number] + start : firsts[number] + end] for number, start, end in parts]
        return Texts(np.concatenate(rows), _starts(np.array([len(row) for row in rows], np.int64)))

    def marks(self) -> list[str]:
        """Return for each text a string that equal texts share; "" for a text too short to compare."""
        rows = [self.hashes[start:end] for start, end in pairwise(self.starts.tolist())]
        return [
            blake2b(row.tobytes(), digest_size=8).hexdigest() if len(row) >= FEWEST_WORDS else ""
            for row in rows
        ]

    def codes(self) -> Codes:
        """Return one byte for each content word, in order."""
        return (_mix(self.hashes) >> np.uint64(56)).astype(np.uint8)

    def keys(self) -> tuple[NDArray[np.uint32], Numbers, Numbers]:
        """Return the keys of all texts, and for each its text's number and its place in that text.

        Sorted by text, then by key; a text has each of its keys once, at its first place.
        """
        first, second, owner, place = pairs(self.hashes, self.starts)
        mixed = _mix(np.minimum(first, second) + _mix(np.maximum(first, second)))
        chosen = np.flatnonzero(mixed < np.uint64(2**64 // SAMPLE))
        keys = (mixed[chosen] * np.uint64(SAMPLE)) >> np.uint64(64 - KEY_BITS)
        owner, place = owner[chosen], place[chosen]
        _, first_places = np.unique(
            (owner.astype(np.uint64) << np.uint64(KEY_BITS)) | keys, return_index=True
        )
        return keys[first_places].astype(np.uint32), owner[first_places], place[first_places]


def pairs(
    values: NDArray[Value], starts: Numbers, distances: Sequence[int] = DISTANCES
) -> tuple[NDArray[Value], NDArray[Value], Numbers, Numbers]:
    """Return the pairs of values that stand close together in one text.

    Args:
        values: hashes or codes of several texts, one after the other.
        starts: where each text begins, and last the end.
        distances: how many places apart the two of a pair may be.
    Returns:
        First value, second value, number of the text, place of the first value in its text. Pairs of
        equal values are left out. In the order of the texts, then of places.
    """
    text = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    place = np.arange(len(values)) - starts[text]
    second = _following(values, distances, 0)
    wanted = (_following(text, distances, -1) == text[:, None]) & (second != values[:, None])
    at = np.nonzero(wanted)[0]
    return values[at], second[wanted], text[at], place[at]


def _following(values: NDArray[Value], distances: Sequence[int], filler: int) -> NDArray[Value]:
    """Return for each value those that stand at these distances after it, a filler past the end."""
    width = max(distances) + 1
    padded = np.concatenate((values, np.full(width, filler, values.dtype)))
    return sliding_window_view(padded, width)[: len(values), list(distances)]


def _starts(lengths: Numbers) -> Numbers:
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))


def _mix(values: Hashes) -> Hashes:
    """Return the values with every bit depending on every bit (the finaliser of splitmix64).

    Source:
        Steele, Lea, Flood, Fast Splittable Pseudorandom Number Generators (OOPSLA 2014), figure 16.
    """
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))
