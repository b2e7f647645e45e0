"""A catalogue open for reading: find works by abstract, title or identifier, and read their facts."""

import mmap
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self
from zlib import crc32

import numpy as np
from msgspec import Struct

from bibtools.catalogue.evidence import Side, compare
from bibtools.catalogue.facts import Facts
from bibtools.catalogue.fingerprint import Codes, Numbers, Texts
from bibtools.catalogue.layout import Footer, Section, SourceRow, read_footer
from bibtools.catalogue.marks import MarkIndex, id_marks, key_of, normalise_id, title_mark, work_id
from bibtools.catalogue.match import Finding, Measures, Verified, judge
from bibtools.catalogue.segment import Segment
from bibtools.errors import CatalogueError
from bibtools.model import Entry
from bibtools.outcomes import FieldSource

CANDIDATES = 3
"""Works verified for each text."""
FAR = 50
"""Records that share less than one part in so many of what the nearest one shares are not looked at."""
_RECORD_BITS = 40
_WEIGHT_BITS = 12
_WEIGHT_UNIT = 1 << 7
"""Weights are bits of information, at most 31 of them, in steps of this fineness."""

LEAST_SHOWN = 0.05
"""Share of a text that a third candidate must have to be shown; chance gives half of it."""
CHECKED_ON_OPENING = 1 << 16
"""Sections up to so many bytes are compared with their checksums at once; all of them by `verify`."""
_NAMES_KEPT = 1 << 16
"""Ids and titles of works kept in memory, once read."""


class CatalogueInfo(Struct, frozen=True):
    """What a catalogue holds."""

    name: str
    path: str
    works: int
    records: int
    """Abstracts; a work known from several sources may have several, one known by title only has none."""
    segments: int
    size: int
    """Bytes of the file."""
    sources: tuple[SourceRow, ...]
    description: str = ""


def open_catalogue(path: str | Path) -> "Catalogue":
    """Open a catalogue for reading; takes milliseconds at any size.

    The catalogue stays as it was when opened, whatever is added meanwhile.

    Raises:
        CatalogueError: no such file, not a catalogue, damaged, or of another edition.
    """
    return Catalogue(Path(path))


class Catalogue:
    """Known works. Use as a context manager, or call `close`."""

    def __init__(self, path: Path, footer: Footer | None = None, moved: dict[int, int] | None = None) -> None:
        """Open the file; with `footer` and `moved` as a writer knows them, before they are committed."""
        self.path = path
        try:
            with path.open("rb") as stream:
                self._map = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        except OSError as error:
            raise CatalogueError(f"{path}: {error.strerror or error}") from error
        except ValueError as error:  # an empty file cannot be mapped
            raise CatalogueError(f"{path}: empty, not a catalogue") from error
        self._view = memoryview(self._map)
        self.footer = footer or read_footer(self._view, str(path))[1]
        damaged = self._damaged(CHECKED_ON_OPENING)
        if damaged:
            raise CatalogueError(f"{path}: damaged ({', '.join(damaged)}); build it again")
        self.segments = [Segment(row, self._view) for row in self.footer.segments]
        self._named: dict[int, tuple[str, str]] = {}
        self.moved = self._read_moved() if moved is None else moved
        """Works that are no longer themselves, and the work that stands for each, or -1."""

    @property
    def name(self) -> str:
        """The name given when the catalogue was made, else that of the file."""
        return self.footer.name or self.path.stem

    def __len__(self) -> int:
        """Return the number of works."""
        return sum(segment.row.works for segment in self.segments) - len(self.moved)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file; the catalogue cannot be used afterwards."""
        self.segments.clear()
        with suppress(BufferError):  # someone still holds a part; the mapping goes with it
            self._view.release()
            self._map.close()

    def find(self, text: str, exclude: Collection[str] = ()) -> Finding:
        """Return which work this abstract is, leaving the works with these ids out of account."""
        return self.find_many([text], [exclude])[0]

    def find_many(self, texts: Sequence[str], exclude: Sequence[Collection[str]] = ()) -> list[Finding]:
        """Return the answer to each text; far faster than one `find` after another.

        Args:
            texts: abstracts, or parts of them, in any form.
            exclude: for each text the ids of works to leave out of account; or nothing at all.
        """
        from bibtools.catalogue.search import find  # which asks catalogues, so it imports this module

        return list(find([self], texts, exclude))

    def find_title(self, title: str) -> tuple[str, ...]:
        """Return the ids of the works that have this title, whatever its case, accents and mark-up."""
        mark = title_mark(title)
        works = self.lookup("titles", [mark])[0] if mark else ()
        found = (self.facts(work).entry for work in works)
        return tuple(
            work_id(entry) for entry in found if entry.title and title_mark(entry.title.plain) == mark
        )

    def find_id(self, mark: str) -> str | None:
        """Return the id of the work with this identifier (`scheme:value`), or None."""
        work = self.work_of(mark)
        return None if work is None else work_id(self.facts(work).entry)

    def entry(self, id: str) -> Entry:  # noqa: A002 - the word of the model
        """Return a work's facts, with identifiers and links; without an abstract.

        Raises:
            CatalogueError: no work has this id.
        """
        return self.facts(self._required(id)).entry

    def ids(self, id: str) -> tuple[str, ...]:  # noqa: A002
        """Return all identifiers of a work as `scheme:value`.

        Raises:
            CatalogueError: no work has this id.
        """
        facts = self.facts(self._required(id))
        return (*id_marks(facts.entry), *facts.other_ids)

    def sources(self, id: str) -> Mapping[str, FieldSource]:  # noqa: A002
        """Return for each field of a work's entry where it came from.

        Raises:
            CatalogueError: no work has this id.
        """
        facts = self.facts(self._required(id))
        return {
            name: self._source(facts.field_sources.get(name, facts.sources[0]))
            for name in facts.entry.__struct_fields__
            if getattr(facts.entry, name) and name != "type"
        }

    def works(self) -> Iterator[Entry]:
        """Yield the facts of every work, in the order in which they were added."""
        for _, facts in self.all_facts():
            yield facts.entry

    def all_facts(self) -> Iterator[tuple[int, Facts]]:
        """Yield every living work's number and all that is kept of it."""
        for segment in self.segments:
            for work in range(segment.row.first_work, segment.row.first_work + segment.row.works):
                if work not in self.moved:
                    yield work, segment.facts[work - segment.row.first_work]

    def info(self) -> CatalogueInfo:
        """Return what the catalogue holds."""
        return CatalogueInfo(
            name=self.name,
            path=str(self.path),
            works=len(self),
            records=sum(segment.row.records for segment in self.segments),
            segments=len(self.segments),
            size=len(self._view),
            sources=self.footer.sources,
            description=self.footer.description,
        )

    def verify(self) -> tuple[str, ...]:
        """Read the whole file and return the names of its damaged sections, none if all is well."""
        return self._damaged(len(self._view))

    def _damaged(self, longest: int) -> tuple[str, ...]:
        """Return the names of the sections, no longer than this, that are not as they were written."""
        named = [
            (f"segment {number}: {name}", section)
            for number, row in enumerate(self.footer.segments)
            for name, section in row.sections.items()
        ]
        if self.footer.moved:
            named.append(("moved", self.footer.moved))
        return tuple(
            name
            for name, section in named
            if section.length <= longest and crc32(self._bytes(section)) != section.checksum
        )

    # Works by number

    def _read_moved(self) -> dict[int, int]:
        if self.footer.moved is None:
            return {}
        rows = np.frombuffer(self._bytes(self.footer.moved), "<i8").reshape(-1, 2)
        return dict(rows.tolist())

    def _bytes(self, section: Section) -> memoryview:
        return self._view[section.start : section.start + section.length]

    def _source(self, number: int) -> FieldSource:
        row = self.footer.sources[number]
        return FieldSource(row.source, row.date)

    def _segment_of_work(self, work: int) -> Segment:
        return next(one for one in reversed(self.segments) if one.row.first_work <= work)

    def facts(self, work: int) -> Facts:
        """Return all that is kept of a living work, by its number."""
        segment = self._segment_of_work(work)
        return segment.facts[work - segment.row.first_work]

    def _required(self, mark: str) -> int:
        work = self.work_of(mark)
        if work is None:
            raise CatalogueError(f"{self.path}: no work {mark}")
        return work

    def work_of(self, mark: str) -> int | None:
        """Return the number of the living work with this identifier, or None."""
        mark = normalise_id(mark)
        for work in self.lookup("ids", [mark])[0]:
            facts = self.facts(work)
            if mark in (*id_marks(facts.entry), *facts.other_ids, work_id(facts.entry)):
                return work
        return None

    def lookup(self, index: MarkIndex, marks: Sequence[str]) -> list[list[int]]:
        """Return for each mark the living works that an index gives; by chance some may be others."""
        keys = np.array([key_of(mark) for mark in marks], np.uint32)
        found: list[dict[int, None]] = [{} for _ in marks]
        for segment in self.segments:
            places, numbers = segment.indexes[index].find(keys)
            for place, number in zip(places.tolist(), numbers.tolist(), strict=True):
                work = number + segment.row.first_work
                work = self.moved.get(work, work)
                if work >= 0:
                    found[place][work] = None
        return [list(works) for works in found]

    # Candidates

    def candidates(self, texts: Texts, exclude: Sequence[Collection[str]] = ()) -> list[list[Verified]]:
        """Return for each text the works most like it, with what `match.decide` goes by."""
        queries, records = self._nearest(texts, exclude)
        asked, known = Side(texts.codes(), texts.starts), Side(*self._codes(records))
        jobs = np.arange(len(records))
        judged = judge(compare(asked, queries, known, jobs), compare(known, jobs, asked, queries))
        best: list[dict[int, Measures]] = [{} for _ in range(len(texts))]
        for query, work, measures in zip(
            queries.tolist(), self._works(records).tolist(), judged, strict=True
        ):
            known_best = best[query].get(work)
            if known_best is None or measures.shared > known_best.shared:
                best[query][work] = measures
        return [[self._verified(work, measures) for work, measures in _worth_showing(one)] for one in best]

    def _verified(self, work: int, measures: Measures) -> Verified:
        if work not in self._named:
            if len(self._named) >= _NAMES_KEPT:
                self._named.clear()
            segment = self._segment_of_work(work)
            entry = segment.facts.naming(work - segment.row.first_work)
            self._named[work] = (work_id(entry), entry.title.plain if entry.title else "")
        id_, title = self._named[work]
        return Verified(id_, title, self.name, measures)

    def _nearest(self, texts: Texts, exclude: Sequence[Collection[str]]) -> tuple[Numbers, Numbers]:
        """Return pairs of a text's number and a record that shares its rarest pairs, best first."""
        keys, owners, _ = texts.keys()
        places, records = self._postings(keys)
        frequency = np.bincount(places, minlength=len(keys))
        count = sum(segment.row.records for segment in self.segments)
        weights = np.log2(1 + count / np.maximum(frequency, 1)) * _WEIGHT_UNIT
        query, record, score = _add_up(owners[places], records, weights.astype(np.int64)[places])
        living = self._living(query, record, exclude)
        query, record, score = query[living], record[living], score[living]
        best = np.zeros(len(texts), np.int64)
        np.maximum.at(best, query, score)
        near = np.flatnonzero(score >= best[query] // FAR)
        near = near[np.lexsort((-score[near], query[near]))]
        query, record = query[near], record[near]
        chosen = np.arange(len(query)) - np.searchsorted(query, query) < CANDIDATES
        return query[chosen], record[chosen]

    def _postings(self, keys: np.ndarray) -> tuple[Numbers, Numbers]:
        found = [(np.zeros(0, np.int64), np.zeros(0, np.int64))]
        for segment in self.segments:
            places, records = segment.indexes["pairs"].find(keys)
            found.append((places, records + segment.row.first_record))
        places, records = (np.concatenate(part) for part in zip(*found, strict=True))
        return places, records

    def _living(self, query: Numbers, record: Numbers, exclude: Sequence[Collection[str]]) -> np.ndarray:
        """Return which of these records belong to a work that is neither removed nor excluded."""
        if not self.moved and not any(exclude):
            return np.ones(len(record), bool)
        works = self._works(record)
        living = works >= 0
        for number, marks in enumerate(exclude):
            unwanted = [work for mark in marks if (work := self.work_of(mark)) is not None]
            if unwanted:
                mine = slice(*np.searchsorted(query, (number, number + 1)))
                living[mine] &= ~np.isin(works[mine], unwanted)
        return living

    def _works(self, records: Numbers) -> Numbers:
        """Return the living work of each record, or -1."""
        works = np.full(len(records), -1, np.int64)
        for segment, mine in self._by_segment(records):
            works[mine] = segment.works(records[mine])
        if self.moved:
            works = np.array([self.moved.get(work, work) for work in works.tolist()], np.int64)
        return works

    def _codes(self, records: Numbers) -> tuple[Codes, Numbers]:
        """Return the codes of these records, one after the other, and where each begins."""
        pieces: list[Codes] = [np.zeros(0, np.uint8)] * len(records)
        for segment, mine in self._by_segment(records):
            codes, starts = segment.codes(records[mine])
            for number, piece in zip(mine.tolist(), np.split(codes, starts[1:-1]), strict=True):
                pieces[number] = piece
        lengths = [len(piece) for piece in pieces]
        flat = np.concatenate(pieces) if pieces else np.zeros(0, np.uint8)
        return flat, np.cumsum([0, *lengths])

    def _by_segment(self, records: Numbers) -> Iterator[tuple[Segment, Numbers]]:
        firsts = [segment.row.first_record for segment in self.segments]
        place = np.searchsorted(firsts, records, side="right") - 1
        for number, segment in enumerate(self.segments):
            mine = np.flatnonzero(place == number)
            if len(mine):
                yield segment, mine


def _add_up(query: Numbers, record: Numbers, weight: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Return each query and record that occur together, sorted, and the sum of their weights.

    The three are packed into one number, because sorting plain numbers is several times faster than
    sorting by an index.
    """
    packed = (((query << _RECORD_BITS) | record) << _WEIGHT_BITS) | weight
    packed.sort()
    both = packed >> _WEIGHT_BITS
    firsts = np.flatnonzero(np.concatenate((np.ones(min(1, len(both)), bool), both[1:] != both[:-1])))
    sums = np.add.reduceat(packed & ((1 << _WEIGHT_BITS) - 1), firsts) if len(firsts) else firsts
    return both[firsts] >> _RECORD_BITS, both[firsts] & ((1 << _RECORD_BITS) - 1), sums


def _worth_showing(found: Mapping[int, Measures]) -> Iterator[tuple[int, Measures]]:
    """Yield the works accepted or like the text, and in any case the best one and the runner-up."""
    ranked = sorted(found.items(), key=lambda one: one[1].shared, reverse=True)
    for rank, (work, measures) in enumerate(ranked):
        if measures.rule or measures.of_query >= LEAST_SHOWN or (rank < 2 and measures.shared):
            yield work, measures
