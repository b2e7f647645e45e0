"""Rewriting a catalogue of many segments as one of a single segment."""

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from msgspec import structs

from bibtools.catalogue.fingerprint import Codes, Numbers
from bibtools.catalogue.index import Postings
from bibtools.catalogue.layout import SectionWriter
from bibtools.catalogue.marks import MARK_INDEXES
from bibtools.catalogue.segment import Segment, SegmentContent, write_segment
from bibtools.catalogue.store import Catalogue


def merge_segments(path: Path) -> None:
    """Replace the file with one that holds the same living works in one segment.

    The new file takes the old one's name when it is complete, so readers of the old one are not disturbed
    and a crash leaves the old one.
    """
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    catalogue = Catalogue(path)
    writer = SectionWriter.create(new)
    try:
        row = write_segment(writer, _Merge(catalogue).content(), first_work=0, first_record=0)
        writer.commit(structs.replace(catalogue.footer, segments=(row,), moved=None))
    finally:
        writer.close()
        catalogue.close()
    os.replace(new, path)


class _Merge:
    """All segments of a catalogue seen as one, with works and records numbered anew."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._segments = catalogue.segments
        self._new_works = self._number_works()
        records = sum(segment.row.records for segment in self._segments)
        works = self._works(np.arange(records))
        self._record_works = works[works >= 0]
        self._new_records = np.where(works >= 0, np.cumsum(works >= 0) - 1, -1)

    def content(self) -> SegmentContent:
        """Return what the one segment holds."""
        return SegmentContent(
            works=len(self._catalogue),
            facts=(facts for _, facts in self._catalogue.all_facts()),
            record_works=self._record_works,
            record_sources=np.concatenate(
                [segment.sources(self._records(segment)) for segment in self._segments]
            ),
            codes=map(self._codes, self._segments),
            code_lengths=np.concatenate(
                [np.diff(segment.codes(self._records(segment))[1]) for segment in self._segments]
            ),
            pairs=self._pairs(),
            marks={name: self._marks(name) for name in MARK_INDEXES},
        )

    def _number_works(self) -> Numbers:
        """Return the new number of every work, that of its successor if it has one, or -1."""
        moved = self._catalogue.moved
        new = np.full(sum(segment.row.works for segment in self._segments) + 1, -1, np.int64)
        living = np.ones(len(new) - 1, bool)
        living[list(moved)] = False
        new[:-1][living] = np.arange(int(living.sum()))
        new[list(moved)] = new[list(moved.values())]  # -1 leads to the last place, which holds -1
        return new

    def _works(self, records: Numbers) -> Numbers:
        works = [
            segment.works(np.arange(segment.row.first_record, segment.row.first_record + segment.row.records))
            for segment in self._segments
        ]
        return self._new_works[np.concatenate(works)[records]]

    def _records(self, segment: Segment) -> Numbers:
        """Return the records of a segment that are kept."""
        first = segment.row.first_record
        return np.flatnonzero(self._new_records[first : first + segment.row.records] >= 0) + first

    def _codes(self, segment: Segment) -> Codes:
        return segment.codes(self._records(segment))[0]

    def _pairs(self) -> Iterator[Postings]:
        for segment in self._segments:
            keys, numbers = segment.indexes["pairs"].all()
            records = self._new_records[numbers + segment.row.first_record]
            yield keys[records >= 0], records[records >= 0]

    def _marks(self, name: str) -> Iterator[Postings]:
        for segment in self._segments:
            keys, numbers = segment.indexes[name].all()
            works = self._new_works[numbers + segment.row.first_work]
            yield keys[works >= 0], works[works >= 0]
