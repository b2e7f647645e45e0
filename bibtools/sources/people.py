"""Names of people as sources print them: in running order, in lists with semicolons or commas."""

from collections.abc import Iterable
from functools import lru_cache

from bibtools.model import Contributor, Contributors

PARTICLES = frozenset(
    (
        *("af", "al", "av", "bin", "d'", "da", "dal", "das", "de", "degli", "dei", "del", "della", "den"),
        *("der", "des", "di", "do", "dos", "du", "e", "el", "het", "'t", "ibn", "la", "le", "lo", "los"),
        *("ten", "ter", "van", "vom", "von", "y", "zu", "zum", "zur"),
    )
)
"""Words that, in lower case before a family name, belong to it; in capitals nobody can tell."""

SUFFIXES = frozenset({"jr", "jr.", "sr", "sr.", "ii", "iii", "iv"})


def split_people(names: str) -> Contributors:
    """Return the people of a list `First Last; First Last`, or with commas where there is no semicolon.

    Where semicolons separate, a comma inside a name stands between two people only if both sides are
    whole names (`Jane Doe, John Roe`); else it is a suffix's (`Jane Doe, Jr.`).
    """
    if ";" not in names:
        return tuple(split_name(name) for name in join_suffixes(names.split(",")))
    parts: list[str] = []
    for name in join_suffixes(names.split(";")):
        pieces = join_suffixes(name.split(","))
        parts += pieces if all(" " in piece for piece in pieces) else [name]
    return tuple(split_name(part) for part in parts)


def join_suffixes(names: Iterable[str]) -> list[str]:
    """Return names without empty ones, a lone suffix joined to the name before it."""
    joined: list[str] = []
    for name in map(str.strip, names):
        if joined and name.lower() in SUFFIXES:
            joined[-1] = f"{joined[-1]}, {name}"
        elif name.strip(" *)("):
            joined.append(name)
    return joined


@lru_cache(maxsize=65_536)
def split_name(name: str) -> Contributor:
    """Return the person that a name in running order means, guessing no more than print shows.

    The last word is the family name, with the lower-case particles before it; a suffix goes by itself.
    A single word is a family name. What is not sure (two family names, particles in capitals) stays given.

    >>> split_name("Laurens van der Maaten") == Contributor("Maaten", "Laurens", "van der")
    True
    >>> split_name("Hal Daumé III") == Contributor("Daumé", "Hal", suffix="III")
    True
    """
    head, comma, tail = (name if "(" in name else name.rstrip(" )*")).partition(",")
    words = head.split()
    suffix = tail.strip() if comma and tail.strip().lower() in SUFFIXES else ""
    if comma and not suffix:
        return Contributor(literal=" ".join(name.split()))
    if not suffix and len(words) > 2 and words[-1].lower() in SUFFIXES:
        suffix = words.pop()
    first = len(words) - 1
    while first > 1 and words[first - 1].islower() and words[first - 1] in PARTICLES:
        first -= 1
    return Contributor(
        family=words[-1] if words else "",
        given=" ".join(words[:first]),
        non_dropping_particle=" ".join(words[first:-1]),
        suffix=suffix,
    )
