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
    CONTAINED,
    COUNT_PAGES,
    CUT_NOTE,
    LITERAL_END,
    TYPE_NOTE,
    csl_type,
    procite_labels,
    reading_plan,
)
from bibtools.mapping.ris_values import (
    NUMBERED,
    bare_serial,
    is_yearless,
    parse_ris_date,
    serial_kind,
    split_scheme,
)
from bibtools.mapping.values import bare_doi, is_doi, normalise_pages
from bibtools.model import Contributor, Link, PartialDate, Text
from bibtools.text.markup import parse_csl, unescape
from bibtools.text.names import parse_ris_name
from bibtools.text.urlforms import classify, normalise_url

Line = tuple[str, str]
"""Tag and value; wrapped lines joined."""

_KINDS = {row["field"]: row["kind"] for row in COLUMNS}
_CUT = frozenset(("others", "et al", "et al.", "et al.,", "and others"))
_INITIALS = re.compile(r"(\S+(?: \S+)*?) ((?:\w\.[ -]?)+)")
_PUBMED_ID = re.compile(r"(\S+?)\s*\[(pmid|pmcid)\]", re.IGNORECASE)
_AS_TYPED = frozenset(("AB", "N1", "N2", "RN", "UR"))
"""Tags whose values have no HTML entities (Zotero's rule; addresses have their own)."""


def from_ris(lines: Sequence[Line]) -> tuple[dict[str, Any], str]:
    """Return the fields of the entry that a record's lines describe, and its TY if nobody knows it.

    Args:
        lines: tags and values in file order, TY among them; ER is not.
    """
    ty = next((value.strip() for tag, value in lines if tag == "TY"), "")
    entry_type = _entry_type(ty, lines)
    record = _Record(entry_type or _likely_type(lines))
    record.read(_plain_lines(lines))
    fields = record.finish()
    fields["type"], fields["source_type"] = record.type, ty
    if ty.upper() == "EDBOOK" and "editor" not in fields and "author" in fields:
        fields["editor"] = fields.pop("author")
    return fields, "" if entry_type else ty


def _entry_type(ty: str, lines: Sequence[Line]) -> str:
    """Return the CSL type that TY says, with an M2 that says it exactly or an M3 that says preprint."""
    entry_type = csl_type(ty)
    for tag, value in lines:
        if tag == "M2" and value.startswith(TYPE_NOTE) and value[len(TYPE_NOTE) :].strip() in TYPES:
            return value[len(TYPE_NOTE) :].strip()
        if tag == "M3" and entry_type in ("manuscript", "document") and value.strip().lower() == "preprint":
            entry_type = "article"
    return entry_type


def _likely_type(lines: Sequence[Line]) -> str:
    """Return the type of a record whose TY nobody knows: an article if it names a journal."""
    return "article-journal" if {tag for tag, _ in lines} & {"JF", "JO", "JA", "J1", "J2"} else "document"


def _plain_lines(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines, those of ProCite with its labels in the place of tags."""
    labels = procite_labels()
    notes = [value.partition(":")[0] for tag, value in lines if tag == "N1"]
    if not any(labels.get(label) == "procite" for label in notes):
        return lines
    plain: list[Line] = []
    has_volume = "Volume ID" in notes
    for tag, value in lines:
        label, _, rest = value.partition(":")
        if tag == "N1" and labels.get(label, "procite") != "procite":
            plain.append((label, rest))
        else:
            # ProCite has the edition in VL where it has the volume in a note
            plain.append(("ET" if tag == "VL" and has_volume else tag, value))
    return plain


class _Record:
    """One entry's fields while its lines are read."""

    def __init__(self, entry_type: str) -> None:
        self.type = entry_type
        self.readers = _readers(entry_type)
        self.fields: dict[str, Any] = {}
        self.rest: list[tuple[int, str, str]] = []
        self.kept: dict[str, list[tuple[int, str]]] = {}
        """Values of tags that only the whole record explains, by tag, with their places."""
        self.named: dict[Line, str] = {}
        """For each contributor's field and name, the tag that gave it."""

    def read(self, lines: Sequence[Line]) -> None:
        """Read the lines in order."""
        readers = self.readers
        for place, (tag, value) in enumerate(lines):
            value = value.strip()
            if not value:
                continue
            if "&" in value and tag not in _AS_TYPED:
                value = unescape(value)
            known = readers.get(tag)
            if known is None:
                self.rest.append((place, tag, value))
            else:
                known[0](self, place, tag, known[1], value)

    # what a line gives, by the kind of its field

    def put(self, place: int, tag: str, field: str, value: Any) -> None:
        """Set a field; a value that differs from what it holds is kept apart."""
        held = self.fields.setdefault(field, value)
        if held is not value and held != value:
            self.rest.append((place, tag, str(value)))

    def text(self, place: int, tag: str, field: str, value: str) -> None:
        """Read running text."""
        self.put(place, tag, field, to_text(value))

    def date(self, place: int, tag: str, field: str, value: str) -> None:
        """Read a date."""
        date = parse_ris_date(value)
        if self.fields.setdefault(field, date) != date:
            self.rest.append((place, tag, value))

    def contributor(self, place: int, tag: str, field: str, value: str) -> None:
        """Read a name; A1 may repeat what AU says."""
        if self.named.setdefault((field, value), tag) == tag:
            self.name(field, value)

    def keywords(self, place: int, tag: str, field: str, value: str) -> None:
        """Read keywords: one, or several between semicolons or on lines of their own."""
        several = split_keywords(value) if "\n" in value or ";" in value else (value,)
        self.fields.setdefault(field, {}).update(dict.fromkeys(several))

    def name(self, field: str, value: str) -> None:
        """Add a contributor; `et al.` marks the list as cut off."""
        if value.lower() in _CUT:
            self.fields.setdefault("truncated", {})[field] = None
        else:
            self.fields.setdefault(field, []).append(read_name(value))

    def keep(self, place: int, tag: str, field: str, value: str) -> None:
        """Put a value aside until the whole record is known."""
        self.kept.setdefault(tag, []).append((place, value))

    def take(self, tag: str) -> str:
        """Return the first value put aside under the tag, or empty; others go to the rest."""
        values = self.kept.pop(tag, None)
        if values is None:
            return ""
        first = values[0][1]
        self.rest += [(place, tag, value) for place, value in values[1:] if value != first]
        return first

    # tags with rules of their own

    def note(self, place: int, tag: str, field: str, value: str) -> None:
        """Read N1 and M2: a note, unless it is one of our agreements, or repeats the DOI."""
        if value.startswith(CODE_NOTE) and "://" in value:
            url = value[len(CODE_NOTE) :].strip()
            link = Link(url, normalise_url(url), classify(url), offers_code=True, found_in="field")
            self.fields.setdefault("links", []).append(link)
        elif value.startswith(CUT_NOTE):
            names = value[len(CUT_NOTE) :].split(",")
            self.fields.setdefault("truncated", {}).update({name.strip(): None for name in names})
        elif tag == "M2" and value.startswith(TYPE_NOTE) and value[len(TYPE_NOTE) :].strip() in TYPES:
            return
        elif value[:3].lower() == "doi" and is_doi(bare_doi(value)):
            self.doi(place, tag, "doi", value)
        else:
            self.fields.setdefault("note", {})[to_text(value)] = None

    def doi(self, place: int, tag: str, field: str, value: str) -> None:
        """Read DO, and other tags that hold a DOI."""
        doi = bare_doi(value)
        if tag == "DO":
            self.put(place, tag, "doi", doi)
        else:
            self.keep(place, "other-doi", field, doi)

    def genre(self, place: int, tag: str, field: str, value: str) -> None:
        """Read M3: the type of work, or where it looks so, a DOI (old Zotero and publishers' exports)."""
        if is_doi(bare_doi(value)):
            self.doi(place, tag, "doi", value)
        else:
            self.put(place, tag, field, value)

    def accession(self, place: int, tag: str, field: str, value: str) -> None:
        """Read AN: `scheme:identifier`, a PubMed Central id, or a number in some archive."""
        told = split_scheme(value)
        if told is None and value[:3] == "PMC" and value[3:].isdigit():
            told = ("pmcid", value)
        if told is None:
            self.put(place, tag, "archive_location", value)
        elif told[0] in ("pmid", "pmcid"):
            self.put(place, tag, told[0], told[1])
        else:
            self.fields.setdefault("ids", {})[told[0]] = told[1]

    def user(self, place: int, tag: str, field: str, value: str) -> None:
        """Read U1 and U2, where PubMed puts `123[pmid]`."""
        match = _PUBMED_ID.fullmatch(value)
        if match:
            self.put(place, tag, match[2].lower(), match[1])
        else:
            self.rest.append((place, tag, value))

    def key(self, place: int, tag: str, field: str, value: str) -> None:
        """Read ID, the citation key."""
        if self.fields.setdefault("key", value) != value:
            self.rest.append((place, tag, value))

    def serial(self, place: int, tag: str, field: str, value: str) -> None:
        """Read SN: ISBN, ISSN or a report's number; several of one kind are joined."""
        field = serial_kind(value, self.type)
        value = bare_serial(value) if field != "number" else value
        held = self.fields.get(field, "")
        self.fields[field] = value if not held or held == value else f"{held}, {value}"

    def ignore(self, place: int, tag: str, field: str, value: str) -> None:
        """Pass over TY, which is known already."""

    # the end of the record

    def field_of(self, tag: str) -> str:
        """Return the field that the tag is for in this type of entry."""
        return self.readers[tag][1]

    def finish(self) -> dict[str, Any]:
        """Return all fields, competing tags resolved."""
        if self.kept:
            self.titles()
            self.dates()
            self.pages()
            self.places()
            self.weaker()
            for tag in list(self.kept):
                self.rest += [(place, tag, value) for place, value in self.kept.pop(tag)]
        fields = self.fields
        for field, value in fields.items():
            if isinstance(value, list) or (isinstance(value, dict) and field != "ids"):
                fields[field] = tuple(value)
        if self.type in BOOKS and "volume_title" in fields and "collection_title" not in fields:
            fields["collection_title"] = fields.pop("volume_title")
        if (
            self.type in BOOKS
            and "collection_editor" in fields
            and not fields.keys() & {"editor", "collection_title"}
        ):
            # the old specification's A2; a series editor without a series there is not
            fields["editor"] = fields.pop("collection_editor")
        if self.rest:
            self.rest.sort()
            fields["extra"] = {"ris": tuple((tag, value) for _, tag, value in self.rest)}
        return fields

    def set_text(self, field: str, value: str) -> None:
        """Set a text field unless there is no value."""
        if value:
            self.fields[field] = to_text(value)

    def lose(self, tag: str, value: str) -> None:
        """Keep a value that lost against others."""
        if value:
            self.rest.append((len(self.rest) + 1_000_000, tag, value))

    def titles(self) -> None:
        """Tell journal, proceedings, series and their short forms apart."""
        full, secondary, other = self.take("JF"), self.take("T2"), self.take("JO")
        shorts = [(tag, value) for tag in ("J2", "JA", "J1") if (value := self.take(tag))]
        if self.type == "paper-conference":
            container = self.proceedings(full, secondary)
        elif self.field_of("T2") == "container_title":
            container = self.journal(full, secondary, other, shorts)
        else:
            self.set_text(self.field_of("T2"), secondary)
            container = full
        if other and not container and self.field_of("T2") in ("container_title", "event_title"):
            container = other
        elif other and other != container:
            shorts.append(("JO", other))
        short = shorts[0][1] if shorts else ""
        for tag, value in shorts[1:]:
            if value not in (short, container):
                self.lose(tag, value)
        if container or self.type not in CONTAINED:
            self.set_text("container_title_short", short if short != container else "")
        self.set_text("container_title", container or (short if self.type in CONTAINED else ""))

    def journal(self, full: str, secondary: str, other: str, shorts: list[Line]) -> str:
        """Return the container of T2 and JF: T2, unless JF is confirmed by another journal tag."""
        if not full or not secondary or full == secondary:
            return secondary or full
        if full == other or any(full == value for _, value in shorts):
            self.lose("T2", secondary)
            return full
        self.lose("JF", full)
        return secondary

    def proceedings(self, full: str, secondary: str) -> str:
        """Return the proceedings' title of C3, JF or T2; T2 beside another is the conference's name."""
        container = self.take("C3") or full
        if full and full != container:
            self.lose("JF", full)
        if container and secondary != container:
            self.set_text("event_title", secondary)
        return container or secondary

    def dates(self) -> None:
        """Tell the date of issue: DA if it agrees with the year in PY, then Y1, then PY."""
        dated = {
            tag: [(value, parse_ris_date(value)) for _, value in self.kept.pop(tag, ())]
            for tag in ("DA", "PY", "Y1")
        }
        years = [date for _, date in dated["PY"] if date.start]
        chosen = _whole_date(dated, years)
        if years and dated["DA"] and is_yearless(dated["DA"][0][0]):
            joined = parse_ris_date(f"{dated['DA'][0][0]} {years[0].start[0]}")
            if joined.start and not joined.literal:
                chosen = joined
                del dated["DA"][0]
        if chosen is None:
            chosen = next((date for dates in dated.values() for _, date in dates), None)
        if chosen is None:
            return
        self.fields["issued"] = chosen
        for tag, dates in dated.items():
            for value, date in dates:
                implied = date.start and not date.literal and chosen.start[: len(date.start)] == date.start
                if date != chosen and not implied:
                    self.lose(tag, value)

    def pages(self) -> None:
        """Tell pages from SP and EP, or the number of pages where SP alone says that."""
        first, last = normalise_pages(self.take("SP")), normalise_pages(self.take("EP"))
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
            self.fields["page"] = first if first == last else f"{first}-{last}"
        else:
            counted = self.type in COUNT_PAGES and any(char.isdigit() for char in first)
            self.fields.setdefault("number_of_pages" if counted else "page", first)

    def places(self) -> None:
        """Tell the publisher's place from the conference's: C1 is the first, then CY the second."""
        publisher, place = self.take("C1"), self.take("CY")
        if publisher and place and publisher != place:
            self.fields["event_place"] = place
        if publisher or place:
            self.fields.setdefault("publisher_place", publisher or place)

    def weaker(self) -> None:
        """Tell what M1, N2 and DOIs outside DO say, where the stronger tag for it is missing."""
        number = self.take("M1")
        field = "issue" if self.type in ARTICLES else "number"
        if number and field not in self.fields:
            self.fields[field] = number
        else:
            self.lose("M1", number)
        older = self.take("N2")
        abstract = to_text(older) if older else None
        if abstract and self.fields.setdefault("abstract", abstract) != abstract:
            self.lose("N2", older)
        doi = self.take("other-doi")
        if doi and self.fields.setdefault("doi", doi).lower() != doi.lower():
            self.lose("M3", doi)


def _whole_date(
    dated: dict[str, list[tuple[str, PartialDate]]], years: list[PartialDate]
) -> PartialDate | None:
    """Return the first DA that fits the year in PY, else the fullest of Y1 and PY; None without a year."""
    year = years[0].start[0] if years else None
    fits = {
        tag: [date for _, date in dated[tag] if date.start and year in (None, date.start[0])]
        for tag in ("DA", "Y1")
    }
    if fits["DA"]:
        return fits["DA"][0]
    return max([*fits["Y1"], *years[:1]], key=_precision, default=None)


def _precision(date: PartialDate) -> int:
    """Return how much a date says."""
    return len(date.start) + (date.end is not None or date.season is not None)


def to_text(value: str) -> Text:
    """Return running text, with Zotero's mark-up and formulas if it has any."""
    return Text(value) if is_plain(value) else parse_csl(value)


@lru_cache(maxsize=16_384)
def read_name(value: str) -> Contributor:
    """Return a name as RIS files have it.

    `Fenn E.`, as Ovid writes it, is family and initials; an elided particle belongs to the family name;
    a body's name with a comma in it ends in two.
    """
    if value.endswith(LITERAL_END):
        return Contributor(literal=value.removesuffix(LITERAL_END))
    value = value.rstrip(", ")
    if "," not in value:
        match = _INITIALS.fullmatch(value)
        if match:
            value = f"{match[1]}, {match[2]}"
    name = parse_ris_name(value)
    particle = name.non_dropping_particle
    if particle and particle[-1] in "'’":
        return replace(name, family=particle + name.family, non_dropping_particle="")
    return name


_Reader = Callable[[_Record, int, str, str, str], None]

_BY_KIND: dict[str, _Reader] = {
    "title": _Record.text,
    "text": _Record.text,
    "notes": _Record.note,
    "keywords": _Record.keywords,
    "names": _Record.contributor,
    "date": _Record.date,
    "string": _Record.put,
}
_BY_TAG: dict[str, _Reader] = {
    **dict.fromkeys(("T2", "JF", "JO", "J2", "JA", "J1", "DA", "PY", "Y1", "SP", "EP", "N2"), _Record.keep),
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
def _readers(entry_type: str) -> dict[str, tuple[_Reader, str]]:
    """Return for each tag what reads its values, and into which field, for entries of this type."""
    special = dict(_BY_TAG)
    if entry_type in ARTICLES or entry_type in NUMBERED:
        special["M1"] = _Record.keep
    if entry_type == "paper-conference":
        special.update(dict.fromkeys(("C1", "C3", "CY"), _Record.keep))
    readers = {tag: (_BY_KIND[_KINDS[field]], field) for tag, field in reading_plan(entry_type).items()}
    for label, field in procite_labels().items():
        if field != "procite":
            readers[label] = (_BY_KIND[_KINDS[field]], field)
    for tag, reader in special.items():
        readers[tag] = (reader, reading_plan(entry_type).get(tag, ""))
    return readers
