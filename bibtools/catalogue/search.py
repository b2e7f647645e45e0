"""Asking catalogues: candidates from each, one answer from all, and further works in what is left."""

from collections.abc import Collection, Iterator, Sequence

from msgspec import structs

from bibtools.catalogue.fingerprint import Texts
from bibtools.catalogue.join import same_title
from bibtools.catalogue.match import Finding, Part, Verified, decide
from bibtools.catalogue.store import Catalogue

AT_ONCE = 256
"""Texts worked on together: enough to make numpy's calls cheap, few enough to fit a processor's cache."""
LEFT_SHARE = 0.3
"""A stretch of which the work found has less than this belongs to something else."""
LEFT_STRETCHES = 3
"""So many of them in a row may be another work's abstract."""

UNKNOWN_WORDS = 40
"""Content words before or after a whole known abstract that are an abstract of their own, if no known one."""


def find(
    catalogues: Sequence[Catalogue], texts: Sequence[str], exclude: Sequence[Collection[str]] = ()
) -> Iterator[Finding]:
    """Yield what the catalogues say to each text.

    Args:
        catalogues: those that are believed first come first; a work that several have is taken from there.
        texts: abstracts, or parts of them, in any form.
        exclude: for each text the ids of works to leave out of account; or nothing at all.
    """
    for start in range(0, len(texts), AT_ONCE):
        prepared = Texts.of(texts[start : start + AT_ONCE])
        yield from _find(catalogues, prepared, exclude[start : start + AT_ONCE])


def _find(catalogues: Sequence[Catalogue], texts: Texts, exclude: Sequence[Collection[str]]) -> list[Finding]:
    found: list[list[tuple[Verified, Catalogue]]] = [[] for _ in range(len(texts))]
    for catalogue in catalogues:
        for mine, more in zip(found, catalogue.candidates(texts, exclude), strict=True):
            mine.extend((one, catalogue) for one in more)
    candidates = [_distinct(one) for one in found]
    findings = [decide(one) for one in candidates]
    return _with_further_works(catalogues, texts, candidates, findings)


def _distinct(found: Sequence[tuple[Verified, Catalogue]]) -> list[Verified]:
    """Return the candidates, each accepted work once, from the first catalogue that has it."""
    kept: list[tuple[Verified, Catalogue]] = []
    for one, mine in found:
        accepted = ((other, theirs) for other, theirs in kept if other.measures.rule)
        if not one.measures.rule or not any(_same_work(one, mine, *other) for other in accepted):
            kept.append((one, mine))
    return [one for one, _ in kept]


def _same_work(one: Verified, mine: Catalogue, other: Verified, theirs: Catalogue) -> bool:
    if mine is theirs:
        return one.id == other.id
    shared = not {*mine.ids(one.id)}.isdisjoint(theirs.ids(other.id))
    return shared or same_title(mine.entry(one.id), theirs.entry(other.id))


# Several abstracts in one text


def _with_further_works(
    catalogues: Sequence[Catalogue], texts: Texts, found: list[list[Verified]], findings: list[Finding]
) -> list[Finding]:
    """Ask again for the part of each text that the work found does not explain."""
    left: list[tuple[int, int, int]] = []
    accepted: dict[int, Verified] = {}
    for number, finding in enumerate(findings):
        if finding.outcome == "identified":
            accepted[number] = next(one for one in found[number] if one.id == finding.candidates[0].id)
            words = int(texts.lengths[number])
            left.extend((number, *part) for part in _unexplained(accepted[number].measures.stretches, words))
    if not left:
        return findings
    for (number, start, end), more in zip(left, _find(catalogues, texts.slices(left), ()), strict=True):
        finding = findings[number]
        if more.outcome == "identified" and more.candidates[0].id != finding.candidates[0].id:
            part = Part(more.candidates[0], start, end)
            further = (
                structs.replace(one, start=one.start + start, end=one.end + start) for one in more.also
            )
            findings[number] = structs.replace(finding, also=(*finding.also, part, *further))
        elif _is_abstract(accepted[number], start, end, int(texts.lengths[number])):
            findings[number] = structs.replace(finding, also=(*finding.also, Part(None, start, end)))
    return findings


def _is_abstract(known: Verified, start: int, end: int, words: int) -> bool:
    """Return whether the part beside a whole known abstract is long enough to be one, of an unknown work."""
    at_an_end = start == 0 or end == words
    return known.measures.rule == "whole" and at_an_end and end - start >= UNKNOWN_WORDS


def _unexplained(stretches: Sequence[float], words: int) -> Iterator[tuple[int, int]]:
    """Yield the parts of a text, in content words, of which the work found has next to nothing."""
    per_stretch = words / max(1, len(stretches))
    start = None
    for number, share in enumerate((*stretches, 1.0)):
        if share < LEFT_SHARE:
            start = number if start is None else start
        elif start is not None:
            if number - start >= LEFT_STRETCHES:
                yield round(start * per_stretch), round(number * per_stretch)
            start = None
