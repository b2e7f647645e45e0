"""Which work each abstract is: the list's own word, then abstract and title against the catalogues.

The verdict is an `Identification` with its evidence. Only an identified work fills fields, and only those
that are empty.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from bibtools.catalogue import Catalogue, Finding, find
from bibtools.catalogue.join import PLACE_FIELDS, same_people, same_title, same_version
from bibtools.catalogue.marks import id_marks, normalise_id, title_mark
from bibtools.catalogue.match import Part
from bibtools.catalogue.normalise import words
from bibtools.catalogue.parts import split_text
from bibtools.model import Entry, Text
from bibtools.outcomes import Basis, Enrichment, FieldSource, Identification

TITLE_ALONE = 20
"""Letters that a title must have to name a work on its own."""
TITLE_AGREES = 0.5
"""Share of the words of the shorter title that the longer one has, where two titles may be of one work."""

TITLE_SCORE = 0.5
"""Score of a work named by its title only: it ranks below every abstract that agrees."""
SOME_AGREEMENT = 0.15
"""Share of an abstract that its record has, where title and abstract together name a work."""

_NOT_FILLED = frozenset(
    ("key", "type", "source_type", "abstract", "ids", "links", "identification", "origin")
)
"""Fields that are never filled, or in a way of their own."""


class _Known(Struct, frozen=True):
    """A work found, and the catalogue that has it."""

    catalogue: Catalogue
    id: str
    entry: Entry


class Identifier:
    """Name the work of each abstract, from catalogues of which the first is believed first."""

    name = "identify"

    def __init__(self, catalogues: Sequence[Catalogue]) -> None:
        self._catalogues = catalogues

    def enrich(self, entries: Sequence[Entry]) -> Iterator[Enrichment]:
        """Yield one Enrichment per entry, in order.

        Entries without an abstract are looked up by identifier and title. One that is not found gets no
        identification: nobody asked whose abstract it is.
        """
        with_text = [number for number, entry in enumerate(entries) if entry.abstract]
        texts = [str(entries[number].abstract) for number in with_text]
        findings = dict(zip(with_text, find(self._catalogues, texts), strict=True))
        for number, entry in enumerate(entries):
            yield self._identify(entry, findings.get(number))

    def _identify(self, entry: Entry, finding: Finding | None) -> Enrichment:
        if entry.claim == "none":
            return _verdict("unidentified", "the list says that it is none of the known works")
        named = self._by_own_id(entry)
        if named is not None:
            return named
        if finding is not None:
            return self._by_abstract(entry, finding)
        if entry.claim:
            return _verdict("unidentified", f"the list says {entry.claim}, which no catalogue here has")
        known = self._find_title(entry)
        return _fill(entry, known, "title", TITLE_SCORE, "the title agrees") if known else Enrichment()

    def _by_own_id(self, entry: Entry) -> Enrichment | None:
        """Return what the list's own word gives, or an identifier among the entry's fields, or None."""
        for mark in filter(None, (entry.claim, *id_marks(entry))):
            known = self._find_id(mark)
            if known and (mark == entry.claim or not _disagreement(entry, known.entry)):
                return _fill(entry, known, "list", 1.0, f"the list says {mark}")
        return None

    # Abstract and title

    def _by_abstract(self, entry: Entry, finding: Finding) -> Enrichment:
        candidates = finding.candidates
        if finding.outcome == "ambiguous":
            titles = "; ".join(candidate.title for candidate in candidates[: finding.fitting])
            return _verdict("ambiguous", f"several works fit: {titles}", finding)
        if finding.outcome == "unidentified":
            return self._by_title(entry, finding)
        known = self._get(candidates[0].id, candidates[0].catalogue)
        disagreement = _disagreement(entry, known.entry) or self._other_id(entry, known)
        if disagreement:
            return _verdict("contradicted", f"the abstract agrees, {disagreement}", finding)
        basis: Basis = "title+abstract" if entry.title else "abstract"
        reason = "the abstract agrees"
        if entry.claim:
            reason = f"{reason}; the list says {entry.claim}, which no catalogue here has"
        enrichment = _fill(entry, known, basis, candidates[0].score, reason, finding)
        return self._with_further_works(entry, enrichment, finding)

    def _other_id(self, entry: Entry, known: _Known) -> str:
        """Return that the list says another identifier of the same scheme than the work has, or ""."""
        scheme, _, value = normalise_id(entry.claim).partition(":")
        theirs = {
            mark.partition(":")[2] for mark in known.catalogue.ids(known.id) if mark.startswith(f"{scheme}:")
        }
        return (
            f"but the list says {entry.claim}" if scheme != "url" and theirs and value not in theirs else ""
        )

    def _with_further_works(self, entry: Entry, enrichment: Enrichment, finding: Finding) -> Enrichment:
        """Return the enrichment with one for each further work in it, each with its part, in text order."""
        if not finding.also or not entry.abstract:
            return enrichment
        pieces = split_text(str(entry.abstract), [(part.start, part.end) for part in finding.also])
        works: dict[int, Enrichment] = {0: enrichment}
        for number, part in enumerate(finding.also, 1):
            works[number] = self._further(part)
        texts: dict[int, str] = {}
        for number, text in pieces:
            texts[number] = f"{texts[number]} {text}" if number in texts else text
        ordered = [*texts, *(number for number in works if number not in texts)]
        first, *further = [
            Enrichment({**works[number].changes, "abstract": Text(texts.get(number, str(entry.abstract)))})
            for number in ordered
        ]
        return Enrichment(first.changes, also=tuple(further))

    def _further(self, part: Part) -> Enrichment:
        """Return what is known of another abstract in a paragraph; what the list says is not about it."""
        if part.candidate is None:
            found = _verdict("unidentified", "stands in one paragraph with the abstract of another work")
        else:
            known = self._get(part.candidate.id, part.candidate.catalogue)
            reason = "its abstract is part of the text"
            found = _fill(Entry(), known, "abstract", part.candidate.score, reason)
        return Enrichment({"title": None, "author": (), **found.changes})

    def _by_title(self, entry: Entry, finding: Finding) -> Enrichment:
        """Return the verdict on an abstract that names no work, by the title that the list gives."""
        known = self._find_title(entry)
        if known is None:
            reason = "no known work agrees enough" if finding.candidates else "no known work is like it"
            return _verdict("unidentified", reason, finding)
        seen = next((one for one in finding.candidates if one.id == known.id), None)
        if seen and seen.agreement and seen.agreement.of_query >= SOME_AGREEMENT:
            reason = "the title agrees, and the abstract in part"
            return _fill(entry, known, "title+abstract", max(TITLE_SCORE, seen.score), reason, finding)
        if entry.author:
            return _fill(entry, known, "title", TITLE_SCORE, "title and an author agree", finding)
        reason = f"a known work has this title, but not this abstract: {known.id}"
        return _verdict("unidentified", reason, finding)

    # Looking up

    def _get(self, id: str, name: str) -> _Known:  # noqa: A002 - the word of the model
        catalogue = next(one for one in self._catalogues if one.name == name and one.find_id(id))
        return _Known(catalogue, id, catalogue.entry(id))

    def _find_id(self, mark: str) -> _Known | None:
        for catalogue in self._catalogues:
            work = catalogue.find_id(mark)
            if work is not None:
                return _Known(catalogue, work, catalogue.entry(work))
        return None

    def _find_title(self, entry: Entry) -> _Known | None:
        """Return the one work with exactly this title, unless its authors are others."""
        if not entry.title or len(title_mark(entry.title.plain)) < TITLE_ALONE:
            return None
        for catalogue in self._catalogues:
            works = catalogue.find_title(entry.title.plain)
            if len(works) == 1:
                known = _Known(catalogue, works[0], catalogue.entry(works[0]))
                return known if same_title(entry, known.entry) else None
            if works:
                return None
        return None


def _verdict(outcome: Any, reason: str, finding: Finding | None = None) -> Enrichment:
    candidates = finding.candidates if finding else ()
    score = candidates[0].score if candidates else 0.0
    return Enrichment(
        {"identification": Identification(outcome, score, reason=reason, candidates=candidates)}
    )


def _fill(
    entry: Entry, known: _Known, basis: Basis, score: float, reason: str, finding: Finding | None = None
) -> Enrichment:
    """Return the facts of the identified work for the entry's empty fields, and the verdict with sources."""
    work = known.entry
    changes: dict[str, Any] = {}
    fill_place = entry.title is None or same_version(entry, work)
    for name in work.__struct_fields__:
        if name in _NOT_FILLED or getattr(entry, name) or not getattr(work, name):
            continue
        if name not in PLACE_FIELDS or fill_place:
            changes[name] = getattr(work, name)
    if entry.type == "document":
        changes["type"] = work.type
    changes["ids"] = {**work.ids, **entry.ids}
    known_links = {link.url for link in entry.links}
    changes["links"] = (*entry.links, *(link for link in work.links if link.url not in known_links))
    sources: dict[str, FieldSource] = {
        name: source for name, source in known.catalogue.sources(known.id).items() if name in changes
    }
    changes["identification"] = Identification(
        "identified", score, basis, reason, known.id, finding.candidates if finding else (), sources
    )
    return Enrichment(changes)


def _disagreement(entry: Entry, work: Entry) -> str:
    """Return in what the list's title or authors disagree with the work's, or ""."""
    if entry.title and work.title:
        short, long = sorted((set(words(entry.title.plain)), set(words(work.title.plain))), key=len)
        if len(short & long) < TITLE_AGREES * len(short):
            return f"but its title is “{work.title.plain}”"
    if entry.author and work.author and not same_people(entry, work):
        return "but its authors are others"
    return ""
