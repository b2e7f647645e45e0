"""From the lines of PubMed, EndNote and Web of Science records to the model's fields."""

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from msgspec.structs import replace

from bibtools.mapping.csl import COLUMNS
from bibtools.mapping.from_ris import read_name, to_text
from bibtools.mapping.ris_values import parse_ris_date, serial_kind
from bibtools.mapping.values import bare_doi, normalise_pages
from bibtools.model import Contributor
from bibtools.tables import read_table
from bibtools.text.dates import parse_date
from bibtools.text.ris_names import parse_ris_name

Line = tuple[str, tuple[str, ...]]
"""Tag and the lines of its value."""

_KINDS = {row["field"]: row["kind"] for row in COLUMNS} | {"key": "string"}
_PUBMED_NAME = re.compile(r"(.+) ([A-Z]{1,4}(?:-[A-Z])?)(?: (Jr|Sr|2nd|3rd|4th|II|III|IV))?")
_ORCID = re.compile(r"\d{4}-\d{4}-\d{4}-\d{3}[\dX]")
_LABELLED = re.compile(r"(\S+)\s*\[(doi|pii|pmc)\]", re.IGNORECASE)
_TYPE_TAGS = {"pubmed": ("PT",), "endnote": ("%0",), "wos": ("DT", "PT")}
_DEFAULT_TYPES = {"pubmed": "article-journal", "endnote": "document", "wos": "article-journal"}


def from_tagged(lines: Sequence[Line], form: str) -> dict[str, Any]:
    """Return the fields of the entry that a record's lines describe.

    Args:
        lines: tags and values in file order.
        form: `pubmed`, `endnote` or `wos`.
    """
    record = _Record(lines, form)
    for tag, parts in lines:
        record.read(tag, parts)
    _FINISH[form](record)
    return record.finish()


@cache
def _fields(form: str) -> dict[str, str]:
    return {row["tag"]: row["field"] for row in read_table("tagged") if row["format"] == form}


def _type(lines: Sequence[Line], form: str) -> tuple[str, str, bool]:
    """Return the CSL type, the type as spelled, the table's first that the record has, and if it has one."""
    wanted = _TYPE_TAGS[form]
    spelled = [
        word.strip() for tag, parts in lines if tag in wanted for part in parts for word in part.split(";")
    ]
    for row in read_table("tagged_types"):
        if row["format"] == form and row["spelled"] in spelled:
            return row["type"], row["spelled"], True
    return _DEFAULT_TYPES[form], spelled[0] if spelled else "", False


class _Record:
    """One entry's fields while its lines are read."""

    def __init__(self, lines: Sequence[Line], form: str) -> None:
        self.form = form
        self.plan = _fields(form)
        self.tags = {tag for tag, _ in lines}
        self.fields: dict[str, Any] = {}
        self.rest: list[tuple[str, str]] = []
        self.type, self.spelled, self.type_is_known = _type(lines, form)

    def read(self, tag: str, parts: tuple[str, ...]) -> None:
        """Read one tag."""
        field = self.plan.get(tag)
        value = " ".join(parts)
        special = _SPECIAL.get((self.form, tag))
        if special is not None:
            special(self, tag, parts)
        elif field is None:
            if tag not in _TYPE_TAGS[self.form] or value != self.spelled or not self.type_is_known:
                self.rest.append((tag, value))
        elif _KINDS[field] == "names":
            for part in parts:
                self.name(field, read_name(part))
        elif _KINDS[field] == "keywords":
            words = (word.strip() for part in parts for word in part.split(";"))
            self.fields.setdefault(field, {}).update((word, None) for word in words if word)
        elif _KINDS[field] == "notes":
            if text := to_text(value):
                self.fields.setdefault(field, []).append(text)
        elif field == "issn":
            self.join(field, value.partition(" (")[0].strip())
        else:
            self.put(tag, field, value)

    def put(self, tag: str, field: str, value: str) -> None:
        """Set a field; a value that differs from what it holds is kept apart."""
        kind = _KINDS[field]
        read: Any = value
        if kind in ("title", "text"):
            read = to_text(value)
        elif kind == "date":
            read = parse_date(value)
        elif field == "doi":
            read = bare_doi(value)
        elif field == "page":
            read = normalise_pages(value)
        if not read:
            return
        if self.fields.setdefault(field, read) != read:
            self.rest.append((tag, value))

    def name(self, field: str, name: Contributor | None) -> None:
        """Add a contributor; None, which `et al.` is read as, marks the list as cut off."""
        if name is None:
            self.fields.setdefault("truncated", {})[field] = None
        elif name != Contributor():
            self.fields.setdefault(field, []).append(name)

    def join(self, field: str, value: str) -> None:
        """Add a value to those that the field holds."""
        held = self.fields.get(field, "")
        if value not in held.split(", "):
            self.fields[field] = f"{held}, {value}" if held else value

    def finish(self) -> dict[str, Any]:
        """Return all fields."""
        fields = self.fields
        for field, value in fields.items():
            if isinstance(value, list | dict):
                fields[field] = tuple(value)
        fields["type"], fields["source_type"] = self.type, self.spelled
        if self.rest:
            fields["extra"] = {self.form: tuple(self.rest)}
        return fields

    # PubMed

    def short_name(self, tag: str, parts: tuple[str, ...]) -> None:
        """Read AU, `Smith JA`, unless FAU gives the name in full."""
        if f"F{tag}" in self.tags:
            return
        for part in parts:
            match = _PUBMED_NAME.fullmatch(part)
            name = (
                Contributor(match[1].strip(), match[2], suffix=match[3] or "")
                if match
                else parse_ris_name(part)
            )
            self.name(self.plan[tag], name)

    def body(self, tag: str, parts: tuple[str, ...]) -> None:
        """Read a body as author."""
        self.fields.setdefault("author", []).extend(Contributor(literal=part) for part in parts)

    def orcid(self, tag: str, parts: tuple[str, ...]) -> None:
        """Read AUID: the ORCID iD of the author before it."""
        match = _ORCID.search(" ".join(parts))
        authors = self.fields.get("author")
        if match and authors and not authors[-1].orcid:
            authors[-1] = replace(authors[-1], orcid=match[0])
        else:
            self.rest.append((tag, " ".join(parts)))

    def location(self, tag: str, parts: tuple[str, ...]) -> None:
        """Read LID and AID, `10.1000/x [doi]`; other identifiers are kept apart."""
        match = _LABELLED.fullmatch(" ".join(parts))
        if match and match[2].lower() == "doi":
            self.put(tag, "doi", match[1])
        else:
            self.rest.append((tag, " ".join(parts)))

    def headline(self, tag: str, parts: tuple[str, ...]) -> None:
        """Read TI; PubMed ends titles with a full stop of its own."""
        self.put(tag, "title", " ".join(parts).removesuffix(".").strip())

    def serial(self, tag: str, parts: tuple[str, ...]) -> None:
        """Read IS and %@: a number with what it is behind it."""
        value = " ".join(parts).partition(" (")[0].strip()
        self.join("issn" if self.form == "pubmed" else serial_kind(value, self.type), value)

    # EndNote

    def keyword_lines(self, tag: str, parts: tuple[str, ...]) -> None:
        """Read %K: a keyword a line, or several between semicolons."""
        for part in parts:
            for word in part.split(";"):
                if word.strip():
                    self.fields.setdefault("keyword", {})[word.strip()] = None

    def keep(self, tag: str, parts: tuple[str, ...]) -> None:
        """Put aside a value that only the whole record explains."""
        value = " ".join(parts)
        if self.fields.setdefault("kept", {}).setdefault(tag, value) != value:
            self.rest.append((tag, value))

    # Web of Science

    def full_names(self, tag: str, parts: tuple[str, ...]) -> None:
        """Read AU or BA unless AF or BF gives the names in full."""
        full = {"AU": "AF", "BA": "BF"}[tag]
        if full not in self.tags:
            for part in parts:
                self.name(self.plan[tag], read_name(part))


def _finish_pubmed(record: _Record) -> None:
    """A title within a book makes a chapter, and a book's own title is its title."""
    fields = record.fields
    if "BTI" in record.tags and "container_title" in fields:
        if "title" not in fields:
            fields["title"] = fields.pop("container_title")
            record.type = "book"
        elif record.type != "book":
            record.type = "chapter"


def _finish_endnote(record: _Record) -> None:
    """Join year and day, and tell journal from book."""
    fields = record.fields
    kept: dict[str, str] = fields.pop("kept", {})
    year, day = kept.get("%D", ""), kept.get("%8", "")
    whole = parse_ris_date(day) if day else None
    if whole is None or not whole.start:
        joined = parse_ris_date(f"{day} {year}") if day and year else None
        whole = joined if joined and joined.start and not joined.literal else None
        if whole is None and day:
            record.rest.append(("%8", day))
    if whole or year:
        fields["issued"] = whole or parse_ris_date(year)
    if year and whole and str(whole.start[0]) not in year:
        record.rest.append(("%D", year))
    if "issue" in fields and record.type in ("report", "patent", "bill", "hearing", "legislation"):
        record.put("%N", "number", fields.pop("issue"))
    if record.type == "book" and "container_title" in fields:
        tag = "%B" if "%B" in record.tags else "%J"
        record.put(tag, "collection_title", str(fields.pop("container_title")))


def _finish_wos(record: _Record) -> None:
    """Join year and day, first and last page."""
    fields = record.fields
    kept: dict[str, str] = fields.pop("kept", {})
    year, day = kept.get("PY", ""), kept.get("PD", "")
    if year or day:
        joined = parse_date(f"{day} {year}".strip())
        fields["issued"] = joined if joined.start and not joined.literal else parse_date(year or day)
        if day and fields["issued"] != joined:
            record.rest.append(("PD", day))
    first, last = kept.get("BP", ""), kept.get("EP", "")
    if first:
        fields["page"] = normalise_pages(f"{first}-{last}" if last and last != first else first)
    elif last:
        record.rest.append(("EP", last))


_Special = Callable[[_Record, str, tuple[str, ...]], None]
_SPECIAL: dict[tuple[str, str], _Special] = {
    ("pubmed", "TI"): _Record.headline,
    ("pubmed", "AU"): _Record.short_name,
    ("pubmed", "ED"): _Record.short_name,
    ("pubmed", "CN"): _Record.body,
    ("pubmed", "AUID"): _Record.orcid,
    ("pubmed", "LID"): _Record.location,
    ("pubmed", "AID"): _Record.location,
    ("pubmed", "IS"): _Record.serial,
    ("endnote", "%@"): _Record.serial,
    ("endnote", "%D"): _Record.keep,
    ("endnote", "%8"): _Record.keep,
    ("endnote", "%K"): _Record.keyword_lines,
    ("wos", "AU"): _Record.full_names,
    ("wos", "BA"): _Record.full_names,
    ("wos", "CA"): _Record.body,
    ("wos", "PY"): _Record.keep,
    ("wos", "PD"): _Record.keep,
    ("wos", "BP"): _Record.keep,
    ("wos", "EP"): _Record.keep,
}
_FINISH: dict[str, Callable[[_Record], None]] = {
    "pubmed": _finish_pubmed,
    "endnote": _finish_endnote,
    "wos": _finish_wos,
}
