"""Adding works to a catalogue, joining those that are the same, and taking works out."""

from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
from msgspec import Struct, structs

from bibtools.catalogue.facts import Facts, bare
from bibtools.catalogue.fingerprint import VERSION, Texts
from bibtools.catalogue.join import join, same_people, same_title
from bibtools.catalogue.layout import Footer, SectionWriter, SourceRow
from bibtools.catalogue.marks import MarkIndex, Marks
from bibtools.catalogue.merge import merge_segments
from bibtools.catalogue.pending import Pending
from bibtools.catalogue.segment import write_segment
from bibtools.catalogue.store import Catalogue
from bibtools.model import Entry
from bibtools.outcomes import FieldSource

_AT_ONCE = 1024
"""Works normalised and looked up together."""
MOST_SEGMENTS = 8
"""A catalogue with more segments than this is rewritten with one."""


class AddReport(Struct, frozen=True):
    """What became of the works handed in."""

    added: int = 0
    """Works that the catalogue did not have."""
    joined: int = 0
    """Works that it had, from another source or from earlier in the same one."""
    without_abstract: int = 0
    """Of both, those that only a title or an identifier can find."""


def create_catalogue(path: str | Path, name: str = "", description: str = "") -> None:
    """Make an empty catalogue.

    Raises:
        FileExistsError: there is a file of this name.
    """
    file = SectionWriter.create(Path(path))
    try:
        file.commit(Footer(VERSION, name, description))
    finally:
        file.close()


def add_works(path: str | Path, works: Iterable[Entry], provenance: FieldSource, rank: int = 0) -> AddReport:
    """Add works to the catalogue at `path`, made if it is not there: all of them or, on an error, none.

    See `CatalogueWriter.add` for the arguments.
    """
    with CatalogueWriter(path) as writer:
        return writer.add(works, provenance, rank)


class CatalogueWriter:
    """Adds to a catalogue, made if it is not there. What was done counts once the `with` block ends well.

    Readers that have the catalogue open go on with what they opened. Of two writers the second waits.
    """

    FLUSH = 1 << 16
    """Works held in memory before they are written out as a segment."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def __enter__(self) -> Self:
        if not self.path.exists():
            create_catalogue(self.path)
        self._file = SectionWriter.append_to(self.path)
        self._known = Catalogue(self.path)
        self._footer = self._known.footer
        self._moved = dict(self._known.moved)
        self._pending = Pending()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is None:
                self._flush()
                self._commit()
        finally:
            self._known.close()
            self._file.close()

    def add(self, works: Iterable[Entry], provenance: FieldSource, rank: int = 0) -> AddReport:
        """Add works, each joined with the one that is the same if the catalogue has it.

        Args:
            works: entries with a title, or an identifier, or both. The abstract is used for its fingerprint
                only; what a list says of itself (claim, origin, identification) is not kept. Consumed as
                it comes, so it may be a generator over a file of any size.
            provenance: address or file of the source, and the date on which it was read.
            rank: of two sources that give a field, the one of lower rank is believed; among equals the
                earlier.
        """
        source = self._source_number(SourceRow(provenance.source, provenance.date, rank))
        stream = iter(works)
        total, joined, without_abstract = 0, 0, 0
        while batch := list(islice(stream, _AT_ONCE)):
            total += len(batch)
            joined += self._add_batch(batch, source)
            without_abstract += sum(not entry.abstract for entry in batch)
            if len(self._pending.facts) >= self.FLUSH:
                self._flush()
        return AddReport(total - joined, joined, without_abstract)

    def remove(self, ids: Collection[str]) -> int:
        """Take out the works with these ids; return how many there were."""
        self._flush()
        return self._take_out({work for mark in ids if (work := self._known.work_of(mark)) is not None})

    def remove_source(self, source: str) -> int:
        """Take out the works known from this source alone; return how many there were."""
        self._flush()
        rows = self._footer.sources
        return self._take_out(
            {
                work
                for work, facts in self._known.all_facts()
                if all(rows[number].source == source for number in facts.sources)
            }
        )

    def _take_out(self, works: set[int]) -> int:
        self._moved |= dict.fromkeys(works, -1)
        self._reopen()
        return len(works)

    def _source_number(self, row: SourceRow) -> int:
        if row not in self._footer.sources:
            self._footer = structs.replace(self._footer, sources=(*self._footer.sources, row))
        return self._footer.sources.index(row)

    # Adding

    def _add_batch(self, batch: Sequence[Entry], source: int) -> int:
        """Add works and return how many of them were joined with others."""
        texts = Texts.of([entry.abstract.plain if entry.abstract else "" for entry in batch])
        marks = [Marks.of(entry, text=text) for entry, text in zip(batch, texts.marks(), strict=True)]
        works, joined = [], 0
        for entry, its_marks, known in zip(batch, marks, self._known_works(marks), strict=True):
            same = self._same_work(entry, its_marks, known)
            known_text = same is not None and same in self._with_text(its_marks.text, known)
            work = self._put(Facts(bare(entry), (source,)), same)
            self._pending.mark(work, its_marks)
            works.append(-1 if known_text or not its_marks.text else work)
            joined += same is not None
        self._pending.add_texts(texts, np.array(works, np.int64), source)
        return joined

    def _known_works(self, marks: Sequence[Marks]) -> list[dict[MarkIndex, list[int]]]:
        """Return for each entry, by index, the works written before that have one of its marks."""
        found: list[dict[MarkIndex, list[int]]] = [{} for _ in marks]
        if not self._known.segments:
            return found
        by_index: dict[MarkIndex, list[tuple[int, str]]] = {}
        for number, one in enumerate(marks):
            for index, mark in one.by_index():
                by_index.setdefault(index, []).append((number, mark))
        for index, rows in by_index.items():
            answers = self._known.lookup(index, [mark for _, mark in rows])
            for (number, _), works in zip(rows, answers, strict=True):
                found[number].setdefault(index, []).extend(works)
        return found

    def _same_work(self, entry: Entry, marks: Marks, known: dict[MarkIndex, list[int]]) -> int | None:
        """Return the number of the work that the entry describes, if there is one."""
        base = self._first_pending
        pending = [base + work for work in self._pending.find(marks)]
        written = [self._living(work) for found in known.values() for work in found]
        works = [work for work in dict.fromkeys(pending + written) if work >= 0]
        if not works:
            return None
        with_text = self._with_text(marks.text, known)
        facts = {work: self._facts(work) for work in works}
        ids = {mark for mark in marks.ids if not mark.startswith("url:")}

        def shares_id(work: int) -> bool:
            return not ids.isdisjoint(Marks.of(facts[work].entry, facts[work].other_ids).ids)

        def shares_title(work: int) -> bool:
            return same_title(facts[work].entry, entry)

        def shares_text(work: int) -> bool:
            return work in with_text and same_people(facts[work].entry, entry)

        tests = (shares_id, shares_title, shares_text)
        return next((work for test in tests for work in works if test(work)), None)

    def _with_text(self, text: str, known: dict[MarkIndex, list[int]]) -> set[int]:
        """Return the works that have this very abstract."""
        pending = self._pending.with_text(text)
        return {*map(self._living, known.get("texts", ())), *(self._first_pending + work for work in pending)}

    def _put(self, facts: Facts, same: int | None) -> int:
        """Put facts into the pending segment, joined with those of the same work; return its number there."""
        if same is None:
            return self._pending.add(facts)
        facts = self._join(self._facts(same), facts)
        if same >= self._first_pending:
            self._pending.facts[same - self._first_pending] = facts
            return same - self._first_pending
        work = self._pending.add(facts)
        self._moved[same] = self._first_pending + work
        return work

    def _join(self, one: Facts, other: Facts) -> Facts:
        rows = self._footer.sources
        if rows[other.sources[0]].rank < rows[one.sources[0]].rank:
            return join(other, one)
        return join(one, other)

    def _facts(self, work: int) -> Facts:
        if work >= self._first_pending:
            return self._pending.facts[work - self._first_pending]
        return self._known.facts(work)

    def _living(self, work: int) -> int:
        while work in self._moved:
            work = self._moved[work]
        return work

    # Writing

    @property
    def _first_pending(self) -> int:
        segments = self._footer.segments
        return segments[-1].first_work + segments[-1].works if segments else 0

    def _flush(self) -> None:
        """Write what is pending as a segment, not yet committed, and go on with an empty one."""
        if not self._pending.facts:
            return
        segments = self._footer.segments
        first_record = segments[-1].first_record + segments[-1].records if segments else 0
        row = write_segment(self._file, self._pending.content(), self._first_pending, first_record)
        self._footer = structs.replace(self._footer, segments=(*segments, row))
        self._pending = Pending()
        self._reopen()

    def _reopen(self) -> None:
        """Let what was written so far be found."""
        self._file.flush()
        self._moved = {work: self._living(work) for work in self._moved}
        self._known.close()
        self._known = Catalogue(self.path, self._footer, self._moved)

    def _commit(self) -> None:
        """Make what was written part of the catalogue, and the catalogue one segment if it has many."""
        rows = np.array(sorted(self._moved.items()), "<i8")
        moved = self._file.write([rows.tobytes()]) if self._moved else None
        self._footer = structs.replace(self._footer, moved=moved)
        self._file.commit(self._footer)
        if len(self._footer.segments) > MOST_SEGMENTS:
            merge_segments(self.path)
