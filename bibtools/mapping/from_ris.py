"""From the lines of a RIS record to the model's fields.

What a tag means depends on the record's type (tables/ris.tsv). Where several tags compete for one
field, equal values are one value, and what loses is kept in `extra["ris"]`; nothing is dropped.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any

from msgspec.structs import replace

from bibtools.mapping.csl import COLUMNS, TYPES, is_plain, split_keywords
from bibtools.mapping.ris import (
    ARTICLES,
    BOOKS,
    CODE_NOTE,
    CONFERENCE_NOTE,
    CONTAINED,
    COUNT_PAGES,
    CUT_NOTE,
    LITERAL_END,
    PART_NOTE,
    TYPE_NOTE,
    csl_type,
    procite_labels,
    reading_plan,
)
from bibtools.mapping.ris_values import (
    NUMBERED,
    is_yearless,
    parse_ris_date,
    read_serial,
    split_scheme,
)
from bibtools.mapping.values import bare_doi, is_doi, normalise_pages
from bibtools.model import Contributor, Link, PartialDate, Text
from bibtools.text.markup import format_csl, parse_csl, unescape
from bibtools.text.patterns import LazyPattern
from bibtools.text.ris_names import parse_ris_name

Line = tuple[str, str]
"""Tag and value; wrapped lines joined."""

_KINDS = {row["field"]: row["kind"] for row in COLUMNS}
_SHORTS = ("J2", "JA", "J1")
"""Tags of a container's short form, the usual one first."""
_JOURNAL_TAGS = frozenset(("JF", "JO", "JA", "J1", "J2"))
NOBODY = Contributor()
"""What is left of a name that is punctuation only."""
_CUT = frozenset(("others", "et al", "et al.", "et al.,", "and others"))
_INITIALS = re.compile(r"(\S+(?: \S+)*?) ((?:\w\.[ -]?){1,8})")
_PUBMED_ID = LazyPattern(r"(\S+?)\s*\[(pmid|pmcid)\]", re.IGNORECASE)
_AS_TYPED = frozenset(("AB", "N1", "N2", "RN", "UR"))
"""Tags whose values have no HTML entities (Zotero's rule; addresses have their own)."""


def from_ris(lines: Sequence[Line]) -> tuple[dict[str, Any], str]:
    """Return the fields of the entry that a record's lines describe, and its TY if nobody knows it.

    Args:
        lines: tags and values in file order, TY among them; ER is not.
    """
    first = dict(reversed(lines))
    ty = first.get("TY", "").strip()
    known = csl_type(ty)
    entry_type = known or ("document" if _JOURNAL_TAGS.isdisjoint(first) else "article-journal")
    if "M2" in first or "M3" in first:
        entry_type = _exact_type(entry_type, lines)
    record = _Record(entry_type)
    record.read(_plain_lines(lines) if "N1" in first else lines)
    fields = record.finish(both_authors="AU" in first and "A1" in first)
    fields["type"], fields["source_type"] = entry_type, ty
    if "editor" not in fields and "author" in fields and ty.upper() == "EDBOOK":
        fields["editor"] = fields.pop("author")
    return fields, "" if known else ty


def _exact_type(entry_type: str, lines: Sequence[Line]) -> str:
    """Return the type that M2 says exactly, or M3 says with `preprint`, else the one known."""
    for tag, value in lines:
        if tag == "M2" and value.startswith(TYPE_NOTE) and value[len(TYPE_NOTE) :].strip() in TYPES:
            return value[len(TYPE_NOTE) :].strip()
        if tag == "M3" and entry_type in ("manuscript", "document") and value.strip().lower() == "preprint":
            entry_type = "article"
    return entry_type


def _plain_lines(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines, those of ProCite with its labels in the place of tags."""
    labels = procite_labels()
    notes = [value.partition(":")[0] for tag, value in lines if tag == "N1"]
    if not any(labels.get(label) == "procite" for label in notes):
        return lines
    plain: list[Line] = []
    has_volume = "Volume ID" in notes
    for tag, value in lines:
        label, colon, rest = value.partition(":")
        if tag == "N1" and colon and labels.get(label, "procite") != "procite":
            plain.append((label, rest))
        else:
            # ProCite has the edition in VL where it has the volume in a note
            plain.append(("ET" if tag == "VL" and has_volume else tag, value))
    return plain


class _Record:
    """One entry's fields while its lines are read."""

    __slots__ = ("fields", "kept", "lists", "people", "readers", "rest", "type", "weaker_tags")

    def __init__(self, entry_type: str) -> None:
        self.type = entry_type
        self.readers = _readers(entry_type)
        self.fields: dict[str, Any] = {}
        self.people: dict[str, list[Contributor]] = {}
        """Contributors by field."""
        self.lists: dict[str, dict[Any, None]] = {}
        """Values of fields with several, each once."""
        self.kept: dict[str, str] = {}
        """First values of tags that only the whole record explains."""
        self.rest: list[Line] = []
        """Tags and values without a field, then those that lost against others."""
        self.weaker_tags: dict[str, str] = {}
        """For titles that T2 and JF may outweigh, the tags that gave them."""

    def read(self, lines: Sequence[Line]) -> None:
        """Read the lines in order."""
        fields, kept, readers, put = self.fields, self.kept, self.readers, _Record.put
        for tag, value in lines:
            value = value.strip()
            if not value:
                continue
            if "&" in value and tag not in _AS_TYPED:
                value = unescape(value)
            reader, field = readers.get(tag, _UNKNOWN)
            if reader is None:
                if kept.setdefault(tag, value) != value:
                    self.rest.append((tag, value))
            elif reader is put and field not in fields:
                fields[field] = value
            else:
                reader(self, tag, field, value)

    # what a line gives, by the kind of its field

    def put(self, tag: str, field: str, value: Any) -> None:
        """Set a field; a value that differs from what it holds is kept apart."""
        held = self.fields.setdefault(field, value)
        if held is not value and held != value:
            self.rest.append((tag, str(value)))

    def text(self, tag: str, field: str, value: str) -> None:
        """Read running text; mark-up without any is none."""
        text = to_text(value)
        if text and self.fields.setdefault(field, text) != text:
            self.rest.append((tag, text.plain))

    def weaker_title(self, tag: str, field: str, value: str) -> None:
        """Read a title that another tag may outweigh."""
        self.weaker_tags.setdefault(field, tag)
        self.text(tag, field, value)

    def date(self, tag: str, field: str, value: str) -> None:
        """Read a date."""
        date = parse_ris_date(value)
        if self.fields.setdefault(field, date) != date:
            self.rest.append((tag, value))

    def contributor(self, tag: str, field: str, value: str) -> None:
        """Read a name; `et al.` marks the list as cut off."""
        name = read_name(value)
        if name is None:
            self.add("truncated", field)
        elif name is NOBODY:
            self.rest.append((tag, value))
        else:
            self.people.setdefault(field, []).append(name)

    def keywords(self, tag: str, field: str, value: str) -> None:
        """Read keywords: one, or several between semicolons or on lines of their own."""
        if "\n" in value or ";" in value:
            for keyword in split_keywords(value):
                self.add(field, keyword)
        else:
            self.add(field, value)

    def add(self, field: str, value: Any) -> None:
        """Add a value to a field with several."""
        self.lists.setdefault(field, {})[value] = None

    # tags with rules of their own

    def note(self, tag: str, field: str, value: str) -> None:
        """Read N1 and M2: a note, unless it is one of our agreements, or repeats the DOI."""
        if value.startswith(CODE_NOTE) and "://" in value:
            self.add("links", _code_link(value[len(CODE_NOTE) :].strip()))
        elif value.startswith(CUT_NOTE):
            for name in value[len(CUT_NOTE) :].split(","):
                self.add("truncated", name.strip())
        elif value.startswith(CONFERENCE_NOTE) and self.type == "paper-conference":
            self.text(tag, "event_title", value[len(CONFERENCE_NOTE) :].strip())
        elif tag == "M2" and value.startswith(TYPE_NOTE) and value[len(TYPE_NOTE) :].strip() in TYPES:
            return
        elif tag == "M2" and value.startswith(PART_NOTE):
            self.put(tag, "part_number", value[len(PART_NOTE) :].strip())
        elif value[:3].lower() == "doi" and is_doi(bare_doi(value)):
            self.doi(tag, "doi", value)
        else:
            if text := to_text(value):
                self.add("note", text)

    def doi(self, tag: str, field: str, value: str) -> None:
        """Read DO, and other tags that hold a DOI."""
        doi = bare_doi(value)
        if tag == "DO":
            self.put(tag, "doi", doi)
        else:
            self.kept.setdefault("other-doi", doi)

    def genre(self, tag: str, field: str, value: str) -> None:
        """Read M3: the type of work, or where it looks so, a DOI (old Zotero and publishers' exports)."""
        if is_doi(bare_doi(value)):
            self.doi(tag, "doi", value)
        else:
            self.put(tag, field, value)

    def accession(self, tag: str, field: str, value: str) -> None:
        """Read AN: `scheme:identifier`, a PubMed Central id, or a number in some archive."""
        told = split_scheme(value)
        if told is None and value[:3] == "PMC" and value[3:].isdigit():
            told = ("pmcid", value)
        if told is None:
            self.put(tag, "archive_location", value)
        elif told[0] in ("pmid", "pmcid"):
            self.put(tag, told[0], told[1])
        else:
            self.fields.setdefault("ids", {})[told[0]] = told[1]

    def user(self, tag: str, field: str, value: str) -> None:
        """Read U1 and U2, where PubMed puts `123[pmid]`."""
        match = _PUBMED_ID.fullmatch(value)
        if match:
            self.put(tag, match[2].lower(), match[1])
        else:
            self.rest.append((tag, value))

    def key(self, tag: str, field: str, value: str) -> None:
        """Read ID, the citation key."""
        if self.fields.setdefault("key", value) != value:
            self.rest.append((tag, value))

    def serial(self, tag: str, field: str, value: str) -> None:
        """Read SN: ISBN, ISSN or a report's number; several of one kind are joined."""
        field, value = read_serial(value, self.type)
        held = self.fields.get(field, "")
        self.fields[field] = value if not held or held == value else f"{held}, {value}"

    def ignore(self, tag: str, field: str, value: str) -> None:
        """Pass over TY, which is known already."""

    def unknown(self, tag: str, field: str, value: str) -> None:
        """Keep what no field is for."""
        self.rest.append((tag, value))

    # the end of the record

    def field_of(self, tag: str) -> str:
        """Return the field that the tag is for in this type of entry."""
        return self.readers[tag][1]

    def finish(self, both_authors: bool) -> dict[str, Any]:
        """Return all fields, competing tags resolved.

        Args:
            both_authors: whether the record has AU and A1, which may say the same.
        """
        fields, kept = self.fields, self.kept
        if kept:
            self.titles()
            self.dates()
            self.pages()
        if kept:
            self.weaker()
            self.rest += kept.items()
        if both_authors and "author" in self.people:
            self.people["author"] = list(dict.fromkeys(self.people["author"]))
        for field, people in self.people.items():
            fields[field] = tuple(people)
        for field, values in self.lists.items():
            fields[field] = tuple(values)
        if self.type in BOOKS:
            self.series()
        if self.rest:
            fields["extra"] = {"ris": tuple(self.rest)}
        return fields

    def series(self) -> None:
        """Tell what T3 and A2 of a book are if no T2 names a series: the series, and the book's editor."""
        fields = self.fields
        if "collection_title" in fields:
            return
        if "volume_title" in fields:
            fields["collection_title"] = fields.pop("volume_title")
        elif "collection_editor" in fields and "editor" not in fields:
            fields["editor"] = fields.pop("collection_editor")

    def set_text(self, field: str, value: str) -> None:
        """Set a text field unless there is no value; what a weaker tag said otherwise is kept apart."""
        if value:
            text = to_text(value)
            held = self.fields.get(field, text)
            self.fields[field] = text
            if held != text:
                # what no tag gave stood behind one of ProCite's labels
                self.lose(self.weaker_tags.get(field, "N1"), format_csl(held))

    def lose(self, tag: str, value: str) -> None:
        """Keep a value that lost against others."""
        if value:
            self.rest.append((tag, value))

    def titles(self) -> None:
        """Tell journal, proceedings, series and their short forms apart."""
        kept = self.kept
        take = kept.pop
        secondary, full, other = take("T2", ""), take("JF", ""), take("JO", "")
        shorts = (
            [] if kept.keys().isdisjoint(_SHORTS) else [(tag, take(tag)) for tag in _SHORTS if tag in kept]
        )
        role = self.field_of("T2")
        if self.type == "paper-conference":
            self.places()
            container = self.proceedings(full, secondary)
        elif role == "container_title":
            container = self.journal(full, secondary, other, shorts) if full else secondary
        else:
            self.set_text(role, secondary)
            container = full
        if other and not container and role in ("container_title", "event_title"):
            container = other
        elif other and other != container:
            shorts.append(("JO", other))
        if shorts:
            container = self.short_titles(container, shorts)
        self.set_text("container_title", container)

    def short_titles(self, container: str, shorts: list[Line]) -> str:
        """Set the short form of the container; return the container, which may be known by that alone."""
        short = shorts[0][1]
        for tag, value in shorts[1:]:
            if value not in (short, container):
                self.lose(tag, value)
        if container or self.type not in CONTAINED:
            self.set_text("container_title_short", short if short != container else "")
            return container
        return short

    def journal(self, full: str, secondary: str, other: str, shorts: list[Line]) -> str:
        """Return the container of T2 and JF: T2, unless JF is confirmed by another journal tag."""
        if not secondary or full == secondary:
            return full
        if full == other or any(full == value for _, value in shorts):
            self.lose("T2", secondary)
            return full
        self.lose("JF", full)
        return secondary

    def proceedings(self, full: str, secondary: str) -> str:
        """Return the proceedings' title of C3, JF or T2; T2 beside another is the conference's name."""
        container = self.kept.pop("C3", "") or full
        if full and full != container:
            self.lose("JF", full)
        if container and secondary != container:
            self.set_text("event_title", secondary)
        return container or secondary

    def dates(self) -> None:
        """Tell the date of issue: DA if it agrees with the year in PY, then Y1, then PY."""
        take = self.kept.pop
        whole, year, old = take("DA", ""), take("PY", ""), take("Y1", "")
        if old or not (whole[:4] == year or not whole or not year):
            self.competing_dates(whole, year, old)
        elif whole or year:
            self.fields["issued"] = parse_ris_date(whole or year)

    def competing_dates(self, whole: str, year: str, old: str) -> None:
        """Choose between dates that differ, and keep those that say something else."""
        texts = {"DA": whole, "PY": year, "Y1": old}
        dated = {tag: parse_ris_date(text) for tag, text in texts.items() if text}
        chosen = _choose_date(dated)
        if "DA" in dated and "PY" in dated and dated["PY"].start and is_yearless(whole):
            joined = parse_ris_date(f"{whole} {dated['PY'].start[0]}")
            if joined.start and not joined.literal:
                chosen = joined
                del dated["DA"]
        self.fields["issued"] = chosen
        for tag, date in dated.items():
            implied = date.start and not date.literal and chosen.start[: len(date.start)] == date.start
            if date != chosen and not implied:
                self.lose(tag, texts[tag])

    def pages(self) -> None:
        """Tell pages from SP and EP, or the number of pages where SP alone says that."""
        take = self.kept.pop
        first, last = normalise_pages(take("SP", "")), normalise_pages(take("EP", ""))
        if not first:
            self.lose("EP", last)
        elif self.field_of("SP") != "page":
            self.fields[self.field_of("SP")] = first
            self.lose("EP", last)
        elif "-" in first:
            self.fields["page"] = first
            if last and self.type in COUNT_PAGES and last.isdigit() and not first.endswith(f"-{last}"):
                self.fields["number_of_pages"] = last
            elif not first.endswith(f"-{last}"):
                self.lose("EP", last)
        elif last:
            self.fields["page"] = first if first == last else f"{first}-{last.removeprefix('-')}"
        else:
            counted = self.type in COUNT_PAGES and any(char.isdigit() for char in first)
            self.fields.setdefault("number_of_pages" if counted else "page", first)

    def places(self) -> None:
        """Tell the publisher's place from the conference's: C1 is the first, then CY the second."""
        first, place = self.kept.pop("C1", ""), self.kept.pop("CY", "")
        publisher = self.fields.get("publisher_place", first)
        if first != publisher:
            self.lose("C1", first)
        if publisher and place and publisher != place:
            self.fields["event_place"] = place
        if publisher or place:
            self.fields["publisher_place"] = publisher or place

    def weaker(self) -> None:
        """Tell what M1, N2 and DOIs outside DO say, where the stronger tag for it is missing."""
        fields, take = self.fields, self.kept.pop
        number = take("M1", "")
        field = "issue" if self.type in ARTICLES else "number"
        if number and fields.setdefault(field, number) != number:
            self.lose("M1", number)
        older = take("N2", "")
        if older and fields.setdefault("abstract", to_text(older)) != to_text(older):
            self.lose("N2", older)
        doi = take("other-doi", "")
        if doi and fields.setdefault("doi", doi).lower() != doi.lower():
            self.lose("M3", doi)


def _code_link(url: str) -> Link:
    """Return the link of a note that holds one."""
    # few files have any, and the rules for addresses take long to load
    from bibtools.text.urlforms import classify, normalise_url

    return Link(url, normalise_url(url), classify(url), offers_code=True, found_in="field")


def _choose_date(dated: dict[str, PartialDate]) -> PartialDate:
    """Return DA if it fits the year in PY, else the fuller of Y1 and PY; the first if none has a year."""
    known = {tag: date for tag, date in dated.items() if date.start}
    year = known["PY"].start[0] if "PY" in known else None
    fits = [date for date in known.values() if year in (None, date.start[0])]
    if "DA" in known and known["DA"] in fits:
        return known["DA"]
    return max(fits, key=_precision) if fits else next(iter(dated.values()))


def _precision(date: PartialDate) -> int:
    """Return how much a date says."""
    return len(date.start) + (date.end is not None or date.season is not None)


def to_text(value: str) -> Text:
    """Return running text, with Zotero's mark-up and formulas if it has any."""
    return Text(value) if is_plain(value) else parse_csl(value)


@lru_cache(maxsize=16_384)
def read_name(value: str) -> Contributor | None:
    """Return a name as RIS files have it; None for `et al.`, `NOBODY` for punctuation only.

    `Fenn E.`, as Ovid writes it, is family and initials; an elided particle belongs to the family name
    unless a blank parts them; a body's name with a comma in it ends in two.
    """
    if value.lower() in _CUT:
        return None
    if value.endswith(LITERAL_END):
        return Contributor(literal=value.removesuffix(LITERAL_END))
    value = value.rstrip(", ")
    if "," not in value:
        match = _INITIALS.fullmatch(value)
        if match:
            value = f"{match[1]}, {match[2]}"
    name = parse_ris_name(value)
    particle = name.non_dropping_particle
    if particle and particle[-1] in "'’" and f"{particle} " not in value:
        return replace(name, family=particle + name.family, non_dropping_particle="")
    return name if name != NOBODY else NOBODY


_Reader = Callable[[_Record, str, str, str], None]

_UNKNOWN: tuple[_Reader, str] = (_Record.unknown, "")
_BY_KIND: dict[str, _Reader | None] = {
    "title": _Record.text,
    "text": _Record.text,
    "notes": _Record.note,
    "keywords": _Record.keywords,
    "names": _Record.contributor,
    "date": _Record.date,
    "string": _Record.put,
}
_BY_TAG: dict[str, _Reader | None] = {
    **dict.fromkeys(("T2", "JF", "JO", "J2", "JA", "J1", "DA", "PY", "Y1", "SP", "EP", "N2"), None),
    "TY": _Record.ignore,
    "DO": _Record.doi,
    "M3": _Record.genre,
    "AN": _Record.accession,
    "U1": _Record.user,
    "U2": _Record.user,
    "ID": _Record.key,
    "SN": _Record.serial,
}


@cache
def _readers(entry_type: str) -> dict[str, tuple[_Reader | None, str]]:
    """Return for each tag what reads its values and into which field, for entries of this type.

    None for a tag that only the whole record explains.
    """
    special = dict(_BY_TAG)
    if entry_type in ARTICLES or entry_type in NUMBERED:
        special["M1"] = None
    if entry_type == "paper-conference":
        special.update(dict.fromkeys(("C1", "C3", "CY"), None))
    readers = {tag: (_BY_KIND[_KINDS[field]], field) for tag, field in reading_plan(entry_type).items()}
    for label, field in procite_labels().items():
        if field != "procite":
            readers[label] = (_BY_KIND[_KINDS[field]], field)
    for tag in ("BT", "T3", "A2"):
        if readers[tag][0] is _Record.text:
            readers[tag] = (_Record.weaker_title, readers[tag][1])
    for tag, reader in special.items():
        readers[tag] = (reader, reading_plan(entry_type).get(tag, ""))
    return readers
