"""Citation keys: made from the work, so that neither file order nor a second run changes them.

A key is the first author's family name without particles, the year, and the first telling word of the
title, in ASCII and lower case: `heddes2025deepcrossattention`. Keys that an entry brings stay.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count

from bibtools.errors import InputError
from bibtools.model import Contributor, Entry
from bibtools.outcomes import Enrichment
from bibtools.works import family_name, work_marks

DEFAULT_PATTERN = "{author}{year}{title}"
LONGEST_PART = 30
"""Letters taken from one name or word; some scripts write a whole title without a space."""
MOST_AUTHORS = 3
"""Family names in `{authors}`; further ones become `etal`."""

FORMULA = re.compile(r"\$[^$]*\$")
WORD = re.compile(r"[^\W_][\w'’‑-]*")
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
UNSAFE = re.compile(r"""[\s{}(),=\\"#%'~^&$@]""")
"""Signs that BibTeX, biber or LaTeX does not take in a key (btparse documentation; biblatex manual 2.1)."""

STOP_WORDS = frozenset(
    """
    a an and are as at be but by can do does for from has have how if in into is it its less more not of on
    or over than that the their them there these they this to towards toward under using via was we what when
    where which who why will with within without you your
    das dem den der des die ein eine einem einen einer eines für im mit und von vom zu zum zur über
    au aux ce ces dans de du en et la le les l d pour sur un une
    al con del el las los para por una y
    da di gli il lo nel per sul e o os as um uma
    het een van voor op
    """.split()  # noqa: SIM905 -- a list of a hundred quoted words hides the words
)
"""Words that tell no title from another: articles, prepositions and the like."""


def base_key(entry: Entry, pattern: str = DEFAULT_PATTERN) -> str:
    """Return the key that an entry would have if no other wanted the same.

    Raises:
        InputError: the pattern names an unknown part or holds a sign that keys cannot have.
    """
    parts = {name: make(entry) for name, make in PARTS.items()}

    def fill(found: re.Match[str]) -> str:
        name = found[1]
        if name.lower() not in parts:
            raise InputError(f"key pattern: unknown part {{{name}}}; known parts: {', '.join(PARTS)}")
        value = parts[name.lower()]
        return value[:1].upper() + value[1:] if name[:1].isupper() else value

    key = PLACEHOLDER.sub(fill, pattern)
    if UNSAFE.search(key):
        raise InputError(f"key pattern {pattern!r}: keys cannot hold {UNSAFE.search(key)[0]!r}")  # type: ignore[index]
    return key or "entry"


def to_ascii(text: str) -> str:
    """Return letters and digits in lower-case ASCII: accents off, other scripts transliterated.

    >>> to_ascii("Gödel-Weiß"), to_ascii("Łukasiewicz"), to_ascii("李")
    ('godelweiss', 'lukasiewicz', 'li')
    """
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    if not plain.isascii():
        from anyascii import anyascii

        plain = anyascii(plain)
    return "".join(c for c in plain.lower() if c.isascii() and c.isalnum())


def telling_words(title: str) -> Iterator[str]:
    """Yield the title's words in ASCII: without formulas and stop words, where others are left."""
    words = WORD.findall(FORMULA.sub(" ", title)) or WORD.findall(title)
    telling = [word for word in words if word.lower() not in STOP_WORDS]
    yield from (ascii_word[:LONGEST_PART] for word in telling or words if (ascii_word := to_ascii(word)))


def _family(person: Contributor) -> str:
    return to_ascii(family_name(person))[:LONGEST_PART]


def _creators(entry: Entry) -> Sequence[Contributor]:
    return entry.author or entry.editor


def _author(entry: Entry) -> str:
    return next((_family(person) for person in _creators(entry)), "")


def _authors(entry: Entry) -> str:
    people = _creators(entry)
    names = "".join(_family(person) for person in people[:MOST_AUTHORS])
    return names + ("etal" if len(people) > MOST_AUTHORS else "")


def _year(entry: Entry) -> str:
    return str(abs(entry.issued.start[0])) if entry.issued and entry.issued.start else ""


def _title(entry: Entry) -> str:
    return next(telling_words(entry.title.plain if entry.title else ""), "")


def _words(entry: Entry) -> str:
    words = list(telling_words(entry.title.plain if entry.title else ""))
    return "".join(words[:3])


PARTS: dict[str, Callable[[Entry], str]] = {
    "author": _author,
    "authors": _authors,
    "year": _year,
    "title": _title,
    "words": _words,
}
"""What a pattern may name: first author, up to three authors, year, first or first three telling words."""


class KeyMaker:
    """Give each entry without a key a stable one that no other entry has; letter case tells no keys apart.

    Args:
        known: returns the key that the work already has elsewhere (an existing output), or an empty string.
        taken: keys that other works have.
        pattern: text with `{author}` and other names of `PARTS`; a capital first letter is kept.
    """

    name = "keys"

    def __init__(
        self,
        known: Callable[[Entry], str] | None = None,
        taken: Iterable[str] = (),
        pattern: str = DEFAULT_PATTERN,
    ) -> None:
        self._known = known or (lambda entry: "")
        self._taken = {key.lower() for key in taken}
        self._pattern = pattern or DEFAULT_PATTERN

    def enrich(self, entries: Sequence[Entry]) -> Iterator[Enrichment]:
        """Yield one Enrichment per entry, in order; entries that keep their key get an empty one."""
        keys: list[str] = []
        used: set[str] = set()
        for entry in entries:
            known = self._known(entry)
            key = known or entry.key
            clashes = key.lower() in used or (not known and key.lower() in self._taken)
            keys.append("" if clashes else key)
            used.add(key.lower())
        taken = self._taken | used
        for index, key in self._new_keys(entries, keys, taken):
            keys[index] = key
        for entry, key in zip(entries, keys, strict=True):
            yield Enrichment(changes={"key": key} if key != entry.key else {})

    def _new_keys(
        self, entries: Sequence[Entry], keys: Sequence[str], taken: set[str]
    ) -> Iterator[tuple[int, str]]:
        """Yield place and key of the entries without one; clashes get letters in the order of work ids."""
        groups: dict[str, list[int]] = {}
        for index, key in enumerate(keys):
            if not key:
                base = entries[index].key or base_key(entries[index], self._pattern)
                groups.setdefault(base, []).append(index)
        for base, places in groups.items():
            places.sort(key=lambda place: work_marks(entries[place]))
            if len(places) == 1 and base.lower() not in taken:
                taken.add(base.lower())
                yield places[0], base
                continue
            for place in places:
                key = next(new for end in letter_suffixes() if (new := base + end).lower() not in taken)
                taken.add(key.lower())
                yield place, key


def letter_suffixes() -> Iterator[str]:
    """Yield a, b, … z, aa, ab, … without end.

    >>> from itertools import islice
    >>> list(islice(letter_suffixes(), 24, 28))
    ['y', 'z', 'aa', 'ab']
    """
    for number in count(1):
        letters = ""
        while number:
            number, place = divmod(number - 1, 26)
            letters = chr(ord("a") + place) + letters
        yield letters
