"""One segment of a catalogue: reading it in place, and writing it."""

from collections.abc import Iterable

import numpy as np
from msgspec import Struct

from bibtools.catalogue.facts import Facts, FactStore, encode_all
from bibtools.catalogue.fingerprint import Codes, Numbers
from bibtools.catalogue.index import KeyIndex, Postings, build_index
from bibtools.catalogue.layout import SectionWriter, SegmentRow
from bibtools.catalogue.pack import PackedNumbers, bits_for, expand, pack_numbers

MOST_RECORDS = 500
"""Pairs that more records than this have are not indexed."""
MOST_SHARE = 50
"""Nor those that more than one in so many records has, where that is stricter, but at least `FEW` have."""
FEW = 64


class Segment:
    """A segment in a mapped file. Records and works are numbered across the whole catalogue."""

    def __init__(self, row: SegmentRow, data: memoryview) -> None:
        self.row = row
        self._data = data
        self.indexes = {name: self._index(name) for name in row.indexes}
        """`pairs`: key of a pair of words to records; `titles`, `ids`, `texts`: key of a mark to works."""
        self._codes = np.frombuffer(self._section("codes"), np.uint8)
        self._code_starts = self._packed("code_starts")
        self._works = self._packed("record_works")
        self._sources = self._packed("record_sources")
        starts = np.frombuffer(self._section("fact_starts"), "<u8").astype(np.int64)
        self.facts = FactStore(self._section("facts"), starts)

    def codes(self, records: Numbers) -> tuple[Codes, Numbers]:
        """Return the codes of these records, one after the other, and where each begins."""
        local = records - self.row.first_record
        starts, ends = self._code_starts[local], self._code_starts[local + 1]
        places, _ = expand(starts, ends)
        return self._codes[places], np.concatenate((np.zeros(1, np.int64), np.cumsum(ends - starts)))

    def works(self, records: Numbers) -> Numbers:
        """Return the work that each record describes."""
        return self._works[records - self.row.first_record] + self.row.first_work

    def sources(self, records: Numbers) -> Numbers:
        """Return the number of the source that each record came from."""
        return self._sources[records - self.row.first_record]

    def _section(self, name: str) -> memoryview:
        section = self.row.sections[name]
        return self._data[section.start : section.start + section.length]

    def _packed(self, name: str) -> PackedNumbers:
        return PackedNumbers(self._section(name), self.row.bits[name])

    def _index(self, name: str) -> KeyIndex:
        return KeyIndex(
            self.row.indexes[name], self._section(f"{name}_directory"), self._section(f"{name}_postings")
        )


class SegmentContent(Struct, frozen=True, kw_only=True):
    """What goes into a new segment; works and records are numbered from 0."""

    works: int
    facts: Iterable[Facts]
    record_works: Numbers
    record_sources: Numbers
    codes: Iterable[Codes]
    """Of all records in order, in pieces of any size."""
    code_lengths: Numbers
    """Of each record."""
    pairs: Iterable[Postings]
    """From keys of pairs of words to records, in pieces."""
    marks: dict[str, Iterable[Postings]]
    """For each of the other indexes, by name, from keys to works."""


def write_segment(
    writer: SectionWriter, content: SegmentContent, first_work: int, first_record: int
) -> SegmentRow:
    """Append a segment to the file and return its row for the footer."""
    works, records = content.works, len(content.record_works)
    sections, shapes, bits = {}, {}, {}
    most = min(MOST_RECORDS, max(FEW, records // MOST_SHARE))
    indexes = {"pairs": build_index(content.pairs, records, most)}
    indexes |= {name: build_index(postings, works) for name, postings in content.marks.items()}
    for name, index in indexes.items():
        sections[f"{name}_directory"] = writer.write([index.directory])
        sections[f"{name}_postings"] = writer.write(index.pieces())
        shapes[name] = index.shape
    code_starts = np.concatenate((np.zeros(1, np.int64), np.cumsum(content.code_lengths)))
    numbers: dict[str, Numbers] = {
        "code_starts": code_starts,
        "record_works": content.record_works,
        "record_sources": content.record_sources,
    }
    for name, values in numbers.items():
        bits[name] = bits_for(int(values.max(initial=0)))
        sections[name] = writer.write(pack_numbers(values, bits[name]))
    sections["codes"] = writer.write(codes.tobytes() for codes in content.codes)
    blocks, fact_starts = encode_all(content.facts)
    sections["facts"] = writer.write(blocks)
    sections["fact_starts"] = writer.write([fact_starts.astype("<u8").tobytes()])
    return SegmentRow(first_work, works, first_record, records, sections, shapes, bits)
