"""Names of people and bodies as RIS and other tagged formats have them: `Family, Given, Suffix`."""

import re

from bibtools.model import Contributor
from bibtools.text.patterns import LazyPattern

_SUFFIX = re.compile(r"(?:jr|sr|jnr|snr|i{2,3}|iv|vi{0,3}|esq|ph\.?\s?d|m\.?\s?d)\.?", re.IGNORECASE)
_ELIDED = LazyPattern(r"((?:[dlDL]|de[lg]l|[Dd]all)['’])(?=[A-ZÀ-Þ])(.+)")
"""A particle with its vowel left out, and the name it stands before."""


def parse_ris_name(source: str) -> Contributor:
    """Return a name as RIS writes it: `Family, Given, Suffix`; one part is a family name or a body.

    >>> name = parse_ris_name("van der Berg, Hans, Jr.")
    >>> name.given, name.non_dropping_particle, name.family, name.suffix
    ('Hans', 'van der', 'Berg', 'Jr.')
    """
    parts = [" ".join(part.split()) for part in source.split(",")]
    if len(parts) == 1:
        return Contributor(literal=parts[0]) if " " in parts[0] else Contributor(family=parts[0])
    family, given, *rest = parts
    if rest and _SUFFIX.fullmatch(given):
        given, rest = ", ".join(rest), [given]
    elif not rest and _SUFFIX.fullmatch(given):
        return Contributor(family=family, suffix=given)
    particle, family = split_particle(family)
    return Contributor(
        family=family,
        given=given,
        non_dropping_particle=particle,
        suffix=", ".join(part for part in rest if part),
    )


def format_ris_name(name: Contributor) -> str:
    """Return a name as RIS writes it, `particle Family, Given, Suffix`.

    >>> name = Contributor(family="Berg", given="Hans", non_dropping_particle="van der", suffix="Jr.")
    >>> format_ris_name(name)
    'van der Berg, Hans, Jr.'
    """
    if name.literal:
        return name.literal
    family = name.family
    if name.dropping_particle or name.non_dropping_particle:
        family = " ".join(filter(None, (name.dropping_particle, name.non_dropping_particle, family)))
    if name.suffix:
        return f"{family}, {name.given}, {name.suffix}"
    return f"{family}, {name.given}" if name.given else family


def split_particle(family: str) -> tuple[str, str]:
    """Return (particle, rest) of a family name that begins with words in lower case.

    >>> split_particle("van den Berg"), split_particle("d'Aubrac"), split_particle("Berg")
    (('van den', 'Berg'), ("d'", 'Aubrac'), ('', 'Berg'))
    """
    if not family[:1].islower() and "'" not in family and "’" not in family:
        return "", family
    words = family.split(" ")
    count = 0
    while count < len(words) - 1 and words[count][:1].islower():
        count += 1
    elided = _ELIDED.fullmatch(words[count]) if not count else None
    if elided and elided[1][0].islower():
        return elided[1], " ".join([elided[2], *words[count + 1 :]])
    return " ".join(words[:count]), " ".join(words[count:])
