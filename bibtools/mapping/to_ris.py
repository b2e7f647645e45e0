"""From the model to RIS lines, and what RIS cannot hold.

Source:
    tables/ris.tsv and ris_output_types.tsv; conventions of our own in docs/formats/ris.md.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

from bibtools.mapping.csl import COLUMNS, is_plain
from bibtools.mapping.ris import (
    CODE_NOTE,
    CONFERENCE_NOTE,
    COUNT_PAGES,
    CUT_NOTE,
    LITERAL_END,
    PART_NOTE,
    TYPE_NOTE,
    csl_type,
    is_ris_type,
    ris_type,
    writing_plan,
)
from bibtools.mapping.ris_values import (
    format_day,
    format_ris_date,
    format_ris_year,
    serial_kind,
    split_pages,
)
from bibtools.mapping.unicode_math import with_unicode_math
from bibtools.model import Contributor, Entry, PartialDate, Text
from bibtools.text.markup import format_csl, format_plain
from bibtools.text.ris_names import format_ris_name
from bibtools.text.tree import drop_spans, text_of

Lines = list[tuple[str, str]]

_BREAK = re.compile(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]")
_KEPT_TAG = re.compile(r"(?!(?:TY|ER)\Z)[A-Za-z][A-Za-z0-9]{1,3}")
"""Tags of an input that are written again; others would begin or end a record, or be no line of RIS."""
_OUTSIDE = frozenset(("pmid", "pmcid"))
"""Fields with a line of our own where they have no tag."""


class Loss(NamedTuple):
    """What a record does not hold of an entry."""

    field: str
    value: str
    changed: bool = False
    """True where the value is in the record, but is read as another field."""


def to_ris(
    entry: Entry,
    dialect: str = "zotero",
    code: bool = True,
    nocase: bool = True,
    unicode_math: bool = False,
) -> tuple[Lines, list[Loss]]:
    """Return the lines of an entry's record, from TY to the last before ER, and what they do not hold.

    Args:
        entry: the entry.
        dialect: `zotero`, `endnote` or `mendeley`.
        code: whether links that offer code become notes.
        nocase: whether marks that protect letter case are written, for Zotero.
        unicode_math: whether formulas that Unicode can say are written so.
    """
    record = _Record(entry, dialect, nocase, unicode_math)
    record.fields()
    record.conventions(code)
    record.leftovers()
    return record.lines, record.losses


class _Record:
    """One record while it is written."""

    __slots__ = ("dialect", "entry", "lines", "losses", "nocase", "ty", "unicode_math")

    def __init__(self, entry: Entry, dialect: str, nocase: bool, unicode_math: bool) -> None:
        self.entry, self.dialect, self.nocase, self.unicode_math = entry, dialect, nocase, unicode_math
        spelled = entry.source_type.upper()
        known = is_ris_type(spelled) and csl_type(spelled) == entry.type
        self.ty = spelled if known else ris_type(entry.type, dialect)
        self.lines: Lines = [("TY", self.ty)]
        self.losses: list[Loss] = []

    def fields(self) -> None:
        """Add a line for each field that has a tag."""
        entry = self.entry
        for tag, field, add, rivals in _plan(entry.type, self.dialect):
            value = getattr(entry, field)
            if value and (rivals is None or self.has_free_tag(field, value, rivals)):
                add(self, tag, value)

    def has_free_tag(self, field: str, value: Any, rivals: tuple[str, ...]) -> bool:
        """Tell whether none of the rivals has the tag of a field that is read as another; note the loss."""
        free = not any(getattr(self.entry, rival) for rival in rivals)
        self.losses.append(Loss(field, describe(value), free))
        return free

    # lines, by the kind of the field

    def add(self, tag: str, value: str) -> None:
        """Add a line."""
        self.lines.append((tag, value if value.isprintable() else one_line(value)))

    def add_text(self, tag: str, text: Text) -> None:
        """Add a line of running text."""
        self.add(tag, self.text(tag, text))

    def add_notes(self, tag: str, notes: tuple[Text, ...]) -> None:
        """Add a line for each note."""
        for note in notes:
            self.add_text(tag, note)

    def add_names(self, tag: str, people: tuple[Contributor, ...]) -> None:
        """Add a line for each name."""
        for person in people:
            name = format_ris_name(person)
            self.add(tag, name + LITERAL_END if person.literal and "," in name else name)

    def add_date(self, tag: str, date: PartialDate) -> None:
        """Add a line with a date."""
        self.add(tag, format_ris_date(date))

    def text(self, tag: str, text: Text) -> str:
        """Return running text: with Zotero's mark-up for Zotero, plain for the others."""
        if not text.nodes and is_plain(text.plain):
            return text.plain
        if self.unicode_math:
            text = with_unicode_math(text)
        if not (self.nocase and self.dialect == "zotero"):
            text = text_of(drop_spans(text.nodes or (text.plain,), frozenset(("nocase",))))
        if self.dialect == "zotero":
            return format_csl(text)
        plain = format_plain(text)
        if plain != format_csl(text):
            self.losses.append(Loss(tag, "mark-up"))
        return plain

    def conventions(self, code: bool) -> None:
        """Add what has its place in RIS by agreement only: type, identifiers, code, cut lists, key."""
        entry = self.entry
        if not self.says_type():
            if self.dialect == "zotero":
                self.add("M2", TYPE_NOTE + entry.type)
            else:
                self.losses.append(Loss("type", entry.type, changed=True))
        if entry.part_number and self.dialect == "zotero":
            self.add("M2", PART_NOTE + entry.part_number)
        if entry.ids or entry.pmid or entry.pmcid:
            for scheme, value in self.identifiers():
                self.add("AN", f"{scheme}:{value}")
        if entry.event_title and self.names_conference():
            self.add("N1", CONFERENCE_NOTE + self.text("T2", entry.event_title))
        for link in entry.links:
            if code and link.offers_code:
                self.add("N1", CODE_NOTE + link.url)
        if entry.truncated:
            self.add("N1", CUT_NOTE + ", ".join(entry.truncated))
        for tag, value in entry.extra.get("ris", ()):
            if _KEPT_TAG.fullmatch(tag):
                self.add(tag, value)
            else:
                self.losses.append(Loss(tag, value))
        if entry.key:
            self.add("ID", entry.key)

    def says_type(self) -> bool:
        """Tell whether TY, with M3, is read as the entry's type."""
        read = csl_type(self.ty)
        if read == "manuscript" and self.entry.genre.lower() == "preprint":
            read = "article"
        return read == self.entry.type

    def identifiers(self) -> Iterator[tuple[str, str]]:
        """Yield identifiers without a tag of their own; OpenReview's first, as readers take one AN."""
        entry = self.entry
        for scheme in sorted(entry.ids, key=lambda scheme: scheme != "openreview"):
            yield scheme, entry.ids[scheme]
        if entry.pmid:
            yield "pmid", entry.pmid
        if entry.pmcid and "pmcid" in _without_tag(entry.type, self.dialect):
            yield "pmcid", entry.pmcid

    def leftovers(self) -> None:
        """Note what has found no place: fields without a tag, and other formats' own fields."""
        entry = self.entry
        for field in _without_tag(entry.type, self.dialect):
            value = getattr(entry, field)
            if value and field not in _OUTSIDE and not (field == "part_number" and self.holds_part()):
                self.losses.append(Loss(field, describe(value)))
        held = self.addresses() if entry.links else ()
        for source, fields in entry.extra.items():
            if source != "ris":
                self.losses.extend(Loss(name, value) for name, value in fields if value not in held)

    def holds_part(self) -> bool:
        """Tell whether the record says the part of a volume: in a line of its own or behind the volume."""
        return self.dialect == "zotero" or bool(self.entry.volume)

    def addresses(self) -> set[str]:
        """Return the addresses that lines hold, also as the entry spells them."""
        notes = {value.removeprefix(CODE_NOTE) for _, value in self.lines}
        return {
            spelled for link in self.entry.links if link.url in notes for spelled in (link.url, link.written)
        }

    def issued(self, tag: str, date: PartialDate) -> None:
        """Add PY with the year, and DA where there is more to say."""
        year = format_ris_year(date)
        plain = bool(year) and date == PartialDate(date.start)
        if plain and self.dialect == "endnote":
            self.add(tag, format_day(date)) if len(date.start) > 1 else None
        elif not plain or len(date.start) > 1:
            self.add_date(tag, date)
        if year:
            self.add("PY", year)

    def page(self, tag: str, page: str) -> None:
        """Add SP and EP; for types where SP alone counts the pages, EP marks a single page as a place."""
        first, last = split_pages(page)
        if self.entry.type in COUNT_PAGES:
            if self.entry.number_of_pages and last:
                first, last = page, self.entry.number_of_pages
            elif not last and "-" not in page and any(char.isdigit() for char in page):
                last = first
        self.add(tag, first)
        if last:
            self.add("EP", last)

    def number_of_pages(self, tag: str, number: str) -> None:
        """Add SP, unless the pages took it; Zotero takes EP after a range in SP for the number."""
        if not self.entry.page:
            self.add(tag, number)
        elif not split_pages(self.entry.page)[1]:
            self.losses.append(Loss("number_of_pages", number))

    def event_title(self, tag: str, title: Text) -> None:
        """Add the event's name, unless the proceedings' title takes its tag (see `names_conference`)."""
        if self.entry.type != "paper-conference":
            self.add_text(tag, title)
        elif not self.entry.container_title:
            self.losses.append(Loss("event_title", str(title), changed=True))
            self.add_text(tag, title)
        elif self.dialect == "endnote":
            self.add_text(tag, title)

    def container_title(self, tag: str, title: Text) -> None:
        """Add the container; proceedings also as T2, which most readers take for it.

        EndNote's T2 is the conference's name.
        """
        if tag == "C3" and not (self.dialect == "endnote" and self.entry.event_title):
            self.add_text("T2", title)
        self.add_text(tag, title)

    def names_conference(self) -> bool:
        """Tell whether a note shall have the conference's name, as T2 has the proceedings' title.

        Not if a catalogue gave the name and the title says it anyway.
        """
        entry = self.entry
        event, container = entry.event_title, entry.container_title
        if entry.type != "paper-conference" or self.dialect == "endnote" or not event or not container:
            return False
        filled = entry.identification.sources if entry.identification else {}
        return "event_title" not in filled or event.plain.lower() not in container.plain.lower()

    def volume(self, tag: str, volume: str) -> None:
        """Add VL, with the part of the volume behind a point where no line of its own says it."""
        part = self.entry.part_number if self.dialect != "zotero" else ""
        if part:
            self.losses.append(Loss("part_number", part, changed=True))
        self.add(tag, f"{volume}.{part}" if part else volume)

    def volume_title(self, tag: str, title: Text) -> None:
        """Add T3, which without T2 is read as the series."""
        if not self.entry.collection_title:
            self.losses.append(Loss("volume_title", str(title), changed=True))
        self.add_text(tag, title)

    def publisher_place(self, tag: str, place: str) -> None:
        """Add the place; for proceedings in C1 (Zotero, EndNote) and in CY, which others read."""
        self.add(tag, place)
        if tag == "C1" and not self.entry.event_place:
            self.add("CY", place)

    def event_place(self, tag: str, place: str) -> None:
        """Add CY, unless the publisher's place took it."""
        conference = self.entry.type == "paper-conference"
        if conference or not self.entry.publisher_place:
            self.add(tag, place)
        if not (conference and self.entry.publisher_place):
            self.losses.append(Loss("event_place", place, changed=not self.entry.publisher_place))

    def serial(self, tag: str, value: str, field: str) -> None:
        """Add an ISBN or ISSN, named where its form would not tell which it is."""
        plain = serial_kind(value, self.entry.type) == field
        self.add(tag, value if plain else f"{field.upper()} {value}")

    def isbn(self, tag: str, value: str) -> None:
        """Add an ISBN."""
        self.serial(tag, value, "isbn")

    def issn(self, tag: str, value: str) -> None:
        """Add an ISSN."""
        self.serial(tag, value, "issn")

    def keyword(self, tag: str, keywords: tuple[str, ...]) -> None:
        """Add keywords, one a line; readers split at semicolons, so a keyword may have none."""
        for keyword in keywords:
            self.add(tag, keyword.replace(";", ","))


_Adder = Callable[[_Record, str, Any], None]

_BY_KIND: dict[str, _Adder] = {
    "title": _Record.add_text,
    "text": _Record.add_text,
    "notes": _Record.add_notes,
    "keywords": _Record.keyword,
    "names": _Record.add_names,
    "date": _Record.add_date,
    "string": _Record.add,
}
_SPECIAL: dict[str, _Adder] = {
    "issued": _Record.issued,
    "page": _Record.page,
    "number_of_pages": _Record.number_of_pages,
    "event_title": _Record.event_title,
    "container_title": _Record.container_title,
    "volume": _Record.volume,
    "volume_title": _Record.volume_title,
    "publisher_place": _Record.publisher_place,
    "event_place": _Record.event_place,
    "isbn": _Record.isbn,
    "issn": _Record.issn,
    "keyword": _Record.keyword,
}
"""Fields with rules of their own."""
_ADDERS = {row["field"]: _SPECIAL.get(row["field"], _BY_KIND[row["kind"]]) for row in COLUMNS}


@cache
def _plan(entry_type: str, dialect: str) -> tuple[tuple[str, str, _Adder, tuple[str, ...] | None], ...]:
    """Return (tag, field, what adds its lines, rivals) in order of writing.

    Rivals are the fields that have the tag before one that reading takes for another; None for other fields.
    """
    plan = writing_plan(entry_type, dialect)
    rows = []
    for place, (tag, field, exact) in enumerate(plan):
        rivals = None
        if not exact and field not in _SPECIAL:
            rivals = tuple(other for taken, other, _ in plan[:place] if taken == tag)
        rows.append((tag, field, _ADDERS[field], rivals))
    return tuple(rows)


@cache
def _without_tag(entry_type: str, dialect: str) -> tuple[str, ...]:
    """Return the model's fields that have no tag for this type."""
    written = {field for _, field, _ in writing_plan(entry_type, dialect)}
    return tuple(row["field"] for row in COLUMNS if row["field"] not in written)


def one_line(value: str) -> str:
    """Return the value without line breaks and other characters that end a line somewhere."""
    if not _BREAK.search(value):
        return value.strip(" \t")
    return " ".join(line for part in _BREAK.split(value) if (line := part.strip()))


def describe(value: Any) -> str:
    """Return a field's value for a message."""
    if isinstance(value, tuple):
        return "; ".join(describe(part) for part in value)
    if isinstance(value, Contributor):
        return format_ris_name(value)
    return format_ris_date(value) if isinstance(value, PartialDate) else str(value)
