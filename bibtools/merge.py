"""Libraries joined into one: the same work once, with the fields of all its records.

Two records are one work if they share an identifier or title, authors and year, and nothing speaks
against it. What speaks against it makes a doubtful pair: both records stay, and the pair is listed.
No value goes: where records differ, the first one's counts and the others' stand in `annote`.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from bibtools.mapping.csl import COLUMNS
from bibtools.model import Block, Comment, Contributor, Entry, Library, PartialDate, Preamble, Text
from bibtools.text.dates import format_edtf
from bibtools.text.names import display_name
from bibtools.text.titles import title_key
from bibtools.works import SHORT_TITLE, filing_word, unique_keys, work_marks

MOST_COMPARED = 40
"""A record is compared with as many others of the same title; thousands are called `Editorial`."""
LIKE_TITLES = 0.85
"""Two titles under one identifier agree if they share this much of their letters from the beginning."""

_LISTS = frozenset(row["field"] for row in COLUMNS if row["kind"] in ("keywords", "notes"))
_NAMES = frozenset(row["field"] for row in COLUMNS if row["kind"] == "names")
_FIELDS = tuple(row["field"] for row in COLUMNS)

Verdict = Literal["same", "doubtful", "different"]


class Record(Struct, frozen=True):
    """One entry of one input."""

    entry: Entry
    source: str
    """The input's name."""
    index: int
    """Place among all entries of all inputs, from 0."""


class Pair(Struct, frozen=True):
    """Two records that were taken for one work, or may be one."""

    first: Record
    second: Record
    reason: str
    merged: bool


class Count(Struct, frozen=True):
    """What became of one input's records, in the words of systematic reviews."""

    source: str
    identified: int
    """Records that the input holds."""
    removed: int
    """Records joined to one before them."""

    @property
    def left(self) -> int:
        """Records that stand in the result."""
        return self.identified - self.removed


class Merged(Struct, frozen=True):
    """Libraries joined into one."""

    library: Library
    pairs: tuple[Pair, ...]
    """In order of the second record; those merged and those in doubt."""
    counts: tuple[Count, ...]


def merge_libraries(libraries: Sequence[Library]) -> Merged:
    """Return the libraries as one, each work at the place of its first record.

    Of what stands between BibTeX entries, preambles and comments stay; `@string` is resolved.
    """
    records = [Record(entry, library.source, 0) for library in libraries for entry in library.entries]
    records = [replace(record, index=index) for index, record in enumerate(records)]
    pairs = tuple(find_pairs(records))
    groups: dict[int, list[Record]] = {record.index: [record] for record in records}
    home = {record.index: record.index for record in records}
    for pair in pairs:
        if pair.merged:
            target = home[pair.first.index]
            groups[target] += groups.pop(pair.second.index)
            home[pair.second.index] = target
    entries, changed = unique_keys([join_records(groups[index]) for index in sorted(groups)])
    removed = {pair.second.index for pair in pairs if pair.merged}
    counts = []
    for library in libraries:
        own = [record.index for record in records if record.source == library.source]
        counts.append(Count(library.source, len(own), len(removed.intersection(own))))
    problems = [problem for library in libraries for problem in library.problems]
    blocks = tuple(block for library in libraries for block in _other_blocks(library))
    merged = Library(entries=tuple(entries), problems=(*problems, *changed), blocks=blocks)
    return Merged(merged, pairs, tuple(counts))


def _other_blocks(library: Library) -> Iterator[Block]:
    """Yield preambles and comments, each with its line ended."""
    for block in library.blocks:
        if isinstance(block, Preamble):
            yield from (block, Comment("\n"))
        elif isinstance(block, Comment) and block.text.strip():
            yield Comment(block.text.strip("\n") + "\n")


def find_pairs(records: Iterable[Record]) -> Iterator[Pair]:
    """Yield for each record the one before it that it is merged with, and those it may be the same as."""
    by_mark: dict[str, list[Record]] = {}
    for record in records:
        marks = _marks(record.entry)
        seen: dict[int, Record] = {}
        for mark in marks:
            for other in by_mark.get(mark, ())[:MOST_COMPARED]:
                seen.setdefault(other.index, other)
        doubtful = []
        merged = False
        for other in sorted(seen.values(), key=lambda other: other.index):
            verdict, reason = compare(other.entry, record.entry)
            if verdict == "same":
                yield Pair(other, record, reason, merged=True)
                merged = True
                break
            if verdict == "doubtful":
                doubtful.append(Pair(other, record, reason, merged=False))
        if not merged:
            yield from doubtful
            for mark in marks:
                by_mark.setdefault(mark, []).append(record)


def _marks(entry: Entry) -> tuple[str, ...]:
    """Return what may name the entry's work; its title alone is one of them."""
    marks = tuple(mark for mark in work_marks(entry) if not mark.startswith(("title:", "key:")))
    return (*marks, f"title:{title_key(entry.title.plain)}") if entry.title else marks


def compare(one: Entry, other: Entry) -> tuple[Verdict, str]:
    """Tell whether two records are one work, and why, or why it is doubtful."""
    shared = sorted(_identifiers(one) & _identifiers(other))
    titles = [title_key(entry.title.plain) if entry.title else "" for entry in (one, other)]
    if shared:
        scheme = shared[0].partition(":")[0]
        if _agree(*titles):
            return "same", f"same {scheme}"
        return "doubtful", f"same {scheme}, but other titles"
    if not titles[0] or titles[0] != titles[1]:
        return "different", ""
    against = _differences(one, other)
    if not against:
        return "same", "same title, authors and year"
    if len(titles[0]) < SHORT_TITLE and len(against) > 1:
        return "different", ""
    return "doubtful", f"same title, but other {' and '.join(against)}"


def _identifiers(entry: Entry) -> set[str]:
    """Return the entry's identifiers, each with its scheme."""
    kinds = ("title:", "key:", "abstract:")
    return {mark for mark in work_marks(entry) if not mark.startswith(kinds)}


def _agree(one: str, other: str) -> bool:
    """Tell whether two titles may be one: equal, one the other's beginning, or nearly all alike."""
    if not one or not other or one.startswith(other) or other.startswith(one):
        return True
    alike = next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    return alike >= LIKE_TITLES * max(len(one), len(other))


def _differences(one: Entry, other: Entry) -> list[str]:
    """Return what speaks against two records with one title being one work."""
    found = []
    ids = (_by_scheme(one), _by_scheme(other))
    found += [scheme for scheme in ids[0] if scheme in ids[1] and ids[0][scheme] != ids[1][scheme]]
    if not _same_people(one.author or one.editor, other.author or other.editor):
        found.append("authors")
    years = [entry.issued.start[:1] if entry.issued else () for entry in (one, other)]
    if years[0] and years[1] and years[0] != years[1]:
        found.append("year")
    for field in ("volume", "page"):
        values = [getattr(entry, field).partition("-")[0].strip() for entry in (one, other)]
        if values[0] and values[1] and values[0] != values[1]:
            found.append(field)
    if "chapter" in (one.type, other.type) and "book" in (one.type, other.type):
        found.append("type")
    return found


def _by_scheme(entry: Entry) -> dict[str, str]:
    return dict(sorted(mark.split(":", 1) for mark in _identifiers(entry)))


def _same_people(one: Sequence[Contributor], other: Sequence[Contributor]) -> bool:
    """Tell whether two lists of people agree in those that both have: family names in order."""
    if not one or not other:
        return True
    families = [[filing_word(person) for person in people] for people in (one, other)]
    shorter = min(len(names) for names in families)
    return families[0][:shorter] == families[1][:shorter]


def join_records(records: Sequence[Record]) -> Entry:
    """Return one entry with the fields of all records; where they differ, the first one's value counts."""
    entry = records[0].entry
    remarks = []
    for record in records[1:]:
        entry, differing = join_entries(entry, record.entry)
        if record.entry.key and record.entry.key != records[0].entry.key:
            differing.insert(0, f"key {record.entry.key}")
        if differing:
            remarks.append(f"Merged from {record.source}: {'; '.join(differing)}.")
    if not remarks:
        return entry
    annote = "\n".join([*([entry.annote.plain] if entry.annote else []), *remarks])
    nodes = entry.annote.nodes if entry.annote else ()
    return entry.replace(annote=Text(annote, (*nodes, "\n" + "\n".join(remarks)) if nodes else ()))


def join_entries(entry: Entry, other: Entry) -> tuple[Entry, list[str]]:
    """Return an entry with what another adds, and the other's values that differ from it."""
    changes: dict[str, Any] = {}
    differing: list[str] = []
    for field in _FIELDS:
        mine, theirs = getattr(entry, field), getattr(other, field)
        if not theirs or mine == theirs:
            continue
        if field in _LISTS:
            changes[field] = _union(mine, theirs)
        elif not mine or (_includes(theirs, mine) and not _includes(mine, theirs)):
            changes[field] = theirs
        elif not _includes(mine, theirs):
            differing.append(f"{field.replace('_', '-')} {_show(theirs)}")
    if entry.type == "document":
        changes["type"], changes["source_type"] = other.type, other.source_type
    elif other.type not in ("document", entry.type):
        differing.append(f"type {other.type}")
    changes["truncated"] = tuple(
        field for field in _NAMES if field in (other if field in changes else entry).truncated
    )
    changes["ids"] = {**other.ids, **entry.ids}
    differing += [
        f"{scheme} {value}" for scheme, value in other.ids.items() if changes["ids"][scheme] != value
    ]
    known = {link.url for link in entry.links}
    changes["links"] = (*entry.links, *(link for link in other.links if link.url not in known))
    changes["extra"] = {
        source: _union(entry.extra.get(source, ()), other.extra.get(source, ()))
        for source in dict.fromkeys((*entry.extra, *other.extra))
    }
    return entry.replace(**changes), differing


def _union(mine: tuple[Any, ...], theirs: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys((*mine, *theirs)))


def _includes(one: Any, other: Any) -> bool:
    """Tell whether a value says all that another of the same field says."""
    if isinstance(one, Text):
        return title_key(other.plain) in title_key(one.plain)
    if isinstance(one, str):
        return bool(one.casefold().replace(" ", "") == other.casefold().replace(" ", ""))
    if isinstance(one, PartialDate):
        rest = replace(other, start=one.start)
        return one.start[: len(other.start)] == other.start and rest in (one, PartialDate(one.start))
    letters = [sum(len(person.given) for person in people) for people in (one, other)]
    return _same_people(one, other) and len(one) >= len(other) and letters[0] >= letters[1]


def _show(value: Any) -> str:
    """Return a value for the remark that keeps it."""
    if isinstance(value, tuple):
        return ", ".join(display_name(person) for person in value)
    return (format_edtf(value) or value.literal) if isinstance(value, PartialDate) else str(value)
