"""Works about to become a segment."""

from collections.abc import Sequence

import numpy as np

from bibtools.catalogue.facts import Facts
from bibtools.catalogue.fingerprint import Codes, Numbers, Texts
from bibtools.catalogue.index import Keys
from bibtools.catalogue.marks import MARK_INDEXES, MarkIndex, Marks, key_of
from bibtools.catalogue.segment import SegmentContent


class Pending:
    """Works and records in memory, numbered from 0, and the look-up of works by their marks."""

    def __init__(self) -> None:
        self.facts: list[Facts] = []
        self.record_works: list[int] = []
        self._record_sources: list[int] = []
        self._codes: list[Codes] = []
        self._lengths: list[Numbers] = []
        self._keys: list[Keys] = []
        self._key_records: list[Numbers] = []
        self._by_mark: dict[tuple[MarkIndex, str], list[int]] = {}

    def add(self, facts: Facts) -> int:
        """Put in a work, without its marks and texts; return its number."""
        self.facts.append(facts)
        return len(self.facts) - 1

    def mark(self, work: int, marks: Marks) -> None:
        """Let a work be found by these marks."""
        for mark in marks.by_index():
            works = self._by_mark.setdefault(mark, [])
            if work not in works:
                works.append(work)

    def find(self, marks: Marks) -> list[int]:
        """Return the works that have one of these marks, perhaps more than once."""
        by_mark = self._by_mark
        return [work for mark in marks.by_index() if mark in by_mark for work in by_mark[mark]]

    def with_text(self, text: str) -> Sequence[int]:
        """Return the works that have the abstract of this mark."""
        return self._by_mark.get(("texts", text), ())

    def add_texts(self, texts: Texts, works: Numbers, source: int) -> None:
        """Put in fingerprints: of each text the work that it describes, or -1 for a text to leave out."""
        kept = works >= 0
        first = len(self.record_works)
        records = np.cumsum(kept) + first - 1
        self.record_works += works[kept].tolist()
        self._record_sources += [source] * int(kept.sum())
        owner = np.repeat(np.arange(len(texts)), texts.lengths)
        self._codes.append(texts.codes()[kept[owner]])
        self._lengths.append(texts.lengths[kept])
        keys, owners, _ = texts.keys()
        wanted = kept[owners]
        self._keys.append(keys[wanted])
        self._key_records.append(records[owners[wanted]])

    def content(self) -> SegmentContent:
        """Return all of it, as a segment is written."""
        by_index: dict[str, tuple[list[int], list[int]]] = {name: ([], []) for name in MARK_INDEXES}
        for (index, mark), works in self._by_mark.items():
            keys, numbers = by_index[index]
            for work in works:
                keys.append(key_of(mark))
                numbers.append(work)
        return SegmentContent(
            works=len(self.facts),
            facts=self.facts,
            record_works=np.array(self.record_works, np.int64),
            record_sources=np.array(self._record_sources, np.int64),
            codes=self._codes,
            code_lengths=np.concatenate([np.zeros(0, np.int64), *self._lengths]),
            pairs=zip(self._keys, self._key_records, strict=True),
            marks={
                name: [(np.array(keys, np.uint32), np.array(numbers, np.int64))]
                for name, (keys, numbers) in by_index.items()
            },
        )
