"""From BibTeX's and biblatex's fields to the model.

Most fields stand for one variable each (tables/bibtex_fields.tsv). A few say something only together: titles
with subtitles and additions, dates in parts, publishers under five names, numbers whose meaning the type
decides, notes, and e-prints. What has no variable, or says more than its variable can hold, stays in
Entry.extra["bibtex"] as TeX; the writer looks there first.

Source:
    biblatex 3.20, sections 2.1 to 2.3; BibTeXing (1988), section 3; CSL 1.0.2, appendices III and IV.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import msgspec
from msgspec.structs import replace

from bibtools.mapping.bibtex_values import (
    EPRINT_SITES,
    SCHEMES,
    Fields,
    TypeRule,
    address,
    arxiv_id,
    bare_identifier,
    csl_types,
    date_of_parts,
    date_value,
    join_titles,
    keyword_list,
    languages,
    literal_list,
    long_text,
    name_list,
    page_ranges,
    plain,
    shared_text,
    short_title,
    split_paragraphs,
    strings,
    type_rules,
)
from bibtools.model import Entry, Link, Origin, PartialDate, Text
from bibtools.tables import read_table
from bibtools.text.names import parse_bibtex_names
from bibtools.text.tex import clean_url, parse_tex
from bibtools.text.urlforms import normal_form_and_kind

PARTS = ("in", "paper")
"""Groups of types for parts of a book or of proceedings."""
ISSUED = ("article", "periodical", "paper")
"""Groups of types whose `number` is an issue."""
VARIABLES = frozenset(Entry.__struct_fields__)
SUBTITLES = {
    "title": ("subtitle", "titleaddon"),
    "booktitle": ("booksubtitle", "booktitleaddon"),
    "maintitle": ("mainsubtitle", "maintitleaddon"),
    "issuetitle": ("issuesubtitle", "issuetitleaddon"),
    "journaltitle": ("journalsubtitle", "journaltitleaddon"),
    "journal": ("journalsubtitle", "journaltitleaddon"),
    "fjournal": ("journalsubtitle", "journaltitleaddon"),
}
"""The fields that go on where a title field ends."""
NO_GENRE = "Thesis"
"""The `type` of a @phdthesis or @mastersthesis that is not known to be either."""
ROLES = {"compiler": "compiler", "director": "director", "organizer": "organizer", "translator": "translator"}
"""Values of editortype that are variables of their own."""
SUBTYPES = {"magazine": "article-magazine", "newspaper": "article-newspaper"}

COMPOSITES = {
    **dict.fromkeys(
        ("title", "subtitle", "titleaddon", "issuetitle", "issuesubtitle"), "title container_title"
    ),
    **dict.fromkeys(("issuetitleaddon",), "title"),
    **dict.fromkeys(("booktitle", "booksubtitle", "booktitleaddon"), "container_title volume_title"),
    **dict.fromkeys(("maintitle", "mainsubtitle", "maintitleaddon"), "container_title"),
    **dict.fromkeys(
        ("journaltitle", "journal", "journalsubtitle", "journaltitleaddon"), "container_title ids url"
    ),
    "fjournal": "container_title container_title_short",
    **dict.fromkeys(("date", "year", "month", "day"), "issued"),
    **dict.fromkeys(("number", "issue"), "number issue collection_number"),
    **dict.fromkeys(("publisher", "school", "institution", "organization"), "publisher"),
    **dict.fromkeys(("address", "location"), "publisher_place event_place jurisdiction"),
    "howpublished": "publisher url",
    **dict.fromkeys(("note", "addendum"), "note url"),
    **dict.fromkeys(("eprint", "eprinttype", "archiveprefix", "eprintclass", "primaryclass"), "ids url"),
    **dict.fromkeys(("language", "langid", "hyphenation"), "language"),
    **dict.fromkeys(("eid", "articleno", "article-number"), "page"),
    **dict.fromkeys(("ee", "link"), "url"),
    "entrysubtype": "type",
    **dict.fromkeys(("editortype", "editoratype", "editorbtype", "editorctype"), "editor"),
}
"""The model fields that the fields which are read together may fill."""
_BIBLATEX_FIELDS = frozenset(
    {"date", "journaltitle", "location", "subtitle", "langid", "maintitle", "eventtitle", "eprinttype"}
)
"""Fields that only biblatex has."""

_URL_ONLY = re.compile(r"\s*(?:\{?\\url\s*\{([^{}]+)\}\}?|(https?://\S+))\s*\.?\s*")
_URL_INSIDE = re.compile(r"\\(?:url|href)\s*\{([^{}]+)\}")
_ORCID = re.compile(r"(\d{1,4})\s*=\s*\"?(\d{4}-\d{4}-\d{4}-\d{3}[\dX])")


_OTHER = TypeRule("document", "other", "")


def from_bibtex(
    entry_type: str,
    key: str,
    fields: Fields,
    repeated: Iterable[tuple[str, str]] = (),
    origin: Origin | None = None,
) -> Entry:
    """Return the entry that BibTeX fields describe.

    Args:
        entry_type: as spelled, such as `InProceedings`.
        key: citation key.
        fields: own and inherited ones; see `Fields`.
        repeated: second values of fields given twice; they are kept in Entry.extra.
        origin: where the entry stands.
    """
    return _Reading(entry_type, fields).entry(key, tuple(repeated), origin)


def is_running_text(name: str) -> bool:
    """Say whether a field's value is read as TeX, and is not an identifier, an address or unknown."""
    return _rules().get(name, ("verbatim",))[0] not in (
        "verbatim",
        "url",
        "doi",
        "id",
        "link",
        "carried",
        "orcids",
    )


@cache
def feeds(name: str) -> frozenset[str]:
    """Return the model fields that a BibTeX field, with others or alone, may fill.

    >>> sorted(feeds("month")), sorted(feeds("unknown"))
    (['issued'], [])
    """
    kind, variable, _ = _rules().get(name, ("", "", None))
    if kind == "composite":
        return frozenset(COMPOSITES.get(name, "").split())
    if kind == "typed":
        return frozenset({"editor", *ROLES.values()})
    if kind == "link":
        return frozenset({"links"})
    if kind == "carried":
        return frozenset({"extra", "ids"})
    return frozenset({"ids" if kind == "id" else variable} - {""})


_CONVERTERS: dict[str, Callable[[str], Any]] = {
    "title": short_title,
    "long": long_text,
    "keywords": keyword_list,
    "date": date_value,
    "plain": plain,
    "pages": page_ranges,
    "list": literal_list,
    "doi": bare_identifier,
    "url": address,
    "verbatim": address,
}


@cache
def _rules() -> dict[str, tuple[str, str, Callable[[str], Any] | None]]:
    """Return (kind, model field, converter) by BibTeX field, with CSL's own names as fields besides."""
    rules: dict[str, tuple[str, str, Callable[[str], Any] | None]] = {}
    for row in read_table("csl"):
        field, kind = row["field"], CSL_KINDS.get(row["kind"], "")
        if kind and field in VARIABLES:
            rules[field.replace("_", "-")] = (kind, field, _CONVERTERS.get(kind))
    for row in read_table("bibtex_fields"):
        kind = row["kind"]
        rules[row["field"]] = (kind, row["variable"], _CONVERTERS.get(kind))
    return rules


CSL_KINDS = {
    "title": "title",
    "text": "long",
    "names": "names",
    "date": "date",
    "string": "plain",
    "number": "plain",
}
"""The kinds of value in tables/csl.tsv that may travel in BibTeX under CSL's names, and how they are read."""


def container_fields(group: str) -> tuple[str, ...]:
    """Return the fields that may hold the container's title, the one that counts most first."""
    if group in PARTS:
        return ("maintitle", "booktitle", "journaltitle", "journal")
    return ("journaltitle", "journal", "booktitle", "maintitle")


def is_biblatex(fields: Iterable[str]) -> bool:
    """Say whether fields are biblatex's: there publishers and places are lists, in BibTeX they are text."""
    return not _BIBLATEX_FIELDS.isdisjoint(fields)


class _Reading:
    """One entry being read."""

    def __init__(self, entry_type: str, fields: Fields) -> None:
        self.source_type = entry_type
        self.type = entry_type.lower()
        self.rule = type_rules().get(self.type, _OTHER)
        self.fields = fields
        self.values: dict[str, Any] = {}
        self.extra: list[tuple[str, str]] = []
        self.truncated: list[str] = []
        self.is_biblatex = is_biblatex(fields)
        self.orcids: dict[str, str] = {}
        self.other_extra: dict[str, tuple[tuple[str, str], ...]] = {}
        self.sort_key = ""
        self.seen: dict[str, list[str]] = defaultdict(list)
        """The fields given of each group that is read together."""

    def entry(self, key: str, repeated: tuple[tuple[str, str], ...], origin: Origin | None) -> Entry:
        """Return the whole entry."""
        rules, values, extra = _rules(), self.values, self.extra
        for name, value in self.fields.items():
            rule = rules.get(name)
            if rule is None:
                extra.append((name, value))
                continue
            kind, variable, convert = rule
            if convert is not None:
                if kind == "list" and not self.is_biblatex:
                    convert = plain
                if variable in values:
                    extra.append((name, value))
                elif converted := convert(value):
                    values[variable] = converted
            elif kind == "composite":
                self.seen[variable].append(name)
            else:
                self.special(kind, name, variable, value)
        for group, read in _GROUPS.items():
            if group in self.seen:
                read(self)
        self.arxiv()
        self.kind()
        if self.orcids:
            self.put_orcids()
        if self.sort_key and plain(self.sort_key) != key:
            self.keep("key")
        if self.truncated:
            values["truncated"] = tuple(sorted(self.truncated))
        kept = (*extra, *repeated, *self.other_extra.pop("bibtex", ()))
        if kept or self.other_extra:
            values["extra"] = {"bibtex": kept, **self.other_extra} if kept else self.other_extra
        return Entry(key=key, source_type=self.source_type, origin=origin, **values)

    def keep(self, *names: str) -> None:
        """Keep fields as they are beside what they mean, so that the writer can give them back."""
        self.extra.extend((name, self.fields[name]) for name in names if name in self.fields)

    def special(self, kind: str, name: str, variable: str, value: str) -> None:
        """Read a field whose value is names, an identifier or a link."""
        if kind == "names":
            self.names(name, variable, value)
        elif kind == "typed":
            self.typed_names(name, value)
        elif kind == "orcids":
            self.orcids[variable] = value
        elif kind == "carried":
            self.carried(name, value)
        elif kind == "key":
            self.sort_key = value
        elif kind == "id":
            self.values["ids"] = {**self.values.get("ids", {}), variable: clean_url(value)}
        else:
            self.link(name, value)

    # Names

    def names(self, name: str, variable: str, value: str) -> None:
        """Read a list of names into a variable; a second field for the same variable is kept as it is."""
        if variable in self.values:
            self.extra.append((name, value))
            return
        names, truncated = parse_bibtex_names(value) if variable == "author" else name_list(value)
        if names:
            self.values[variable] = names
        if truncated:
            self.truncated.append(variable)

    def typed_names(self, name: str, value: str) -> None:
        """Read editors, whose role another field may say."""
        role_field = f"{name}type"
        role = self.fields.get(role_field, "").strip("{} ").lower()
        variable = ROLES.get(role, "editor" if name == "editor" else "")
        if variable:
            self.names(name, variable, value)
        else:
            self.extra.append((name, value))
        if role and role != "editor" and not (name == "editor" and role in ROLES):
            self.keep(role_field)

    def put_orcids(self) -> None:
        """Give people the ORCID iDs that an annotation of their list names by place."""
        for variable, value in self.orcids.items():
            names = list(self.values.get(variable, ()))
            for found in _ORCID.finditer(value):
                place = int(found[1]) - 1
                if 0 <= place < len(names):
                    names[place] = replace(names[place], orcid=found[2])
            self.values[variable] = tuple(names)

    # Titles

    def titles(self) -> None:
        """Read title, container title and volume title from the many fields that say them."""
        fields, title, volume = self.fields, "title", ""
        containers = container_fields(self.rule.group)
        if self.rule.group in PARTS:
            volume = "booktitle" if "maintitle" in fields else ""
        elif self.rule.group == "periodical" and "issuetitle" in fields:
            title, containers = "issuetitle", ("title", "journaltitle", "journal")
        container = next((name for name in containers if name in fields and short_title(fields[name])), "")
        abbreviation = ""
        if container in ("journal", "") and fields.get("fjournal"):
            abbreviation, container = self.abbreviation(container), "fjournal"
        for variable, name in (("title", title), ("container_title", container), ("volume_title", volume)):
            if name in fields:
                self.set_title(variable, name)
        told = (title, container, volume, abbreviation)
        if others := [name for name in self.seen["titles"] if name not in told]:
            self.keep(*others)

    def abbreviation(self, name: str) -> str:
        """Read a title as the abbreviation of that in `fjournal`; return its field if the entry tells it."""
        short = short_title(self.fields.get(name, ""))
        if short != short_title(self.fields["fjournal"]):
            self.put("container_title_short", short)
        return name if self.values.get("container_title_short", short) == short else ""

    def set_title(self, variable: str, name: str) -> None:
        """Read a title field with what goes on from it into a variable."""
        value = self.fields[name]
        text = parse_tex(value) if variable == "title" else short_title(value)
        subtitle, _ = SUBTITLES[name]
        if subtitle in self.fields:
            text = join_titles(text, short_title(self.fields[subtitle]), ": ")
        if text:
            self.values[variable] = text

    # Dates

    def issued(self) -> None:
        """Read the date from `date`, or from year, month and day; what of these it does not say is kept."""
        fields = self.fields
        year = fields.get("year", "")
        if len(year) == 4 and year.isdecimal() and self.seen["issued"] == ["year"]:
            self.values["issued"] = PartialDate((int(year),))
            return
        parts = date_of_parts(year, fields.get("month", ""), fields.get("day", ""))
        date = date_value(fields["date"]) if "date" in fields else None
        if date is not None:
            self.values["issued"] = date
            if not parts.start or parts.literal or date.start[: len(parts.start)] != parts.start:
                self.keep("year", "month", "day")
            return
        if parts.start or parts.literal:
            self.values["issued"] = parts
        if not parts.season and len(parts.start) < 2:
            self.keep("month", "day")
        elif len(parts.start) < 3:
            self.keep("day")

    # Numbers

    def numbers(self) -> None:
        """Read number and issue as the type means them."""
        number, issue = (
            plain(self.fields[name]) if name in self.fields else "" for name in ("number", "issue")
        )
        if self.rule.group in ISSUED:
            if number and issue and number != issue:
                number = f"{number}, {issue}"
                self.keep("number", "issue")
            self.put("issue", number or issue)
        else:
            self.put("collection_number" if self.rule.group in ("book", "in") else "number", number)
            self.put("issue", issue)

    def articles(self) -> None:
        """Read article numbers, which stand for pages where there are none."""
        for name in self.seen["articles"]:
            self.put("page", page_ranges(self.fields[name]))
            self.keep(name)

    def put(self, variable: str, value: Any) -> None:
        """Set a variable unless the value is empty or the variable is set."""
        if value and variable not in self.values:
            self.values[variable] = value

    # Publishers

    def publishers(self) -> None:
        """Read the publisher from the first of the fields that may say it; the others are kept."""
        names = ("publisher", "institution", "school", "organization", "howpublished")
        given = [name for name in names if name in self.seen["publishers"]]
        if "howpublished" in given:
            given.remove("howpublished")
            if not self.published_at(self.fields["howpublished"]):
                given.append("howpublished")
        for name in given:
            is_list = self.is_biblatex and name != "howpublished"
            text = literal_list(self.fields[name]) if is_list else shared_text(self.fields[name])
            if "publisher" not in self.values and text:
                self.values["publisher"] = text
            elif text != self.values.get("publisher"):
                self.keep(name)

    def places(self) -> None:
        """Read the place of publication; beside an address, a paper's location is where it was given."""
        fields = self.fields
        address, location = fields.get("address"), fields.get("location")
        convert = literal_list if self.is_biblatex else shared_text
        if address and location and self.rule.group in PARTS:
            self.put("publisher_place", shared_text(address))
            self.put("event_place", shared_text(location))
            return
        place = convert(location or address or "")
        if self.type == "patent":
            self.put("jurisdiction", "; ".join(strings().get(part, part) for part in place.split("; ")))
        else:
            self.put("publisher_place", place)
        if address and location:
            self.keep("address")

    def published_at(self, value: str) -> bool:
        """Read an address given as howpublished; False if that is no address."""
        only = _URL_ONLY.fullmatch(value)
        inside = _URL_INSIDE.search(value)
        if not only and not inside:
            return False
        if "url" not in self.values and (found := only or inside):
            self.values["url"] = clean_url(found[1] or found[2] if only else found[1])
        if not only:
            self.keep("howpublished")
        return True

    # Notes

    def notes(self) -> None:
        """Read note and addendum; a note that is only an address is the address."""
        notes: list[Text] = []
        for name in ("note", "addendum"):
            value = self.fields.get(name)
            if value is None:
                continue
            only = _URL_ONLY.fullmatch(value)
            if only and "url" not in self.values and "url" not in self.fields:
                self.values["url"] = clean_url(only[1] or only[2])
                continue
            notes += split_paragraphs(long_text(value))
            if name == "addendum":
                self.keep("addendum")
        if notes:
            self.values["note"] = tuple(notes)

    # Identifiers and links

    def addresses(self) -> None:
        """Read e-prints, and an address under other names where `url` has none."""
        fields, values = self.fields, self.values
        for name in self.seen["addresses"]:
            if name in ("ee", "link", "bdsk-url-1") and fields[name].startswith("http"):
                self.put("url", clean_url(fields[name]))
            self.keep(name)
        kind = plain(fields.get("eprinttype") or fields.get("archiveprefix") or "").lower()
        if "url" not in values and "eprint" in fields and kind in EPRINT_SITES and kind != "arxiv":
            values["url"] = EPRINT_SITES[kind] + clean_url(fields["eprint"])

    def arxiv(self) -> None:
        """Read an arXiv id wherever it is given, and its address where there is no other."""
        arxiv = arxiv_id(self.fields)
        if arxiv:
            self.values["ids"] = {**self.values.get("ids", {}), "arxiv": arxiv}
            self.put("url", EPRINT_SITES["arxiv"] + arxiv)

    def carried(self, name: str, value: str) -> None:
        """Take back what the writer carried for other formats; anything else under that name is kept."""
        try:
            carried = msgspec.json.decode(value, type=dict[str, Any])
            ids = msgspec.convert(carried.pop("ids", {}), dict[str, str])
            self.other_extra = msgspec.convert(carried, dict[str, tuple[tuple[str, str], ...]])
        except msgspec.MsgspecError:
            self.extra.append((name, value))
            return
        if ids:
            self.values["ids"] = {**self.values.get("ids", {}), **ids}

    def link(self, name: str, value: str) -> None:
        """Read a field that gives the address of code."""
        url = clean_url(value)
        if url.startswith(SCHEMES):
            normal, kind = normal_form_and_kind(url)
            link = Link(url, normal, kind, offers_code=True, found_in="field")
            self.values["links"] = (*self.values.get("links", ()), link)
        self.extra.append((name, value))

    # Language and type

    def language(self) -> None:
        """Read the language from the first of the fields that say it; the others are kept."""
        for name in ("langid", "hyphenation", "language"):
            value = self.fields.get(name)
            if value is None:
                continue
            text = literal_list(value)
            tag = languages().get(text.lower(), text)
            self.put("language", tag)
            if name != "langid" or tag == text:
                self.keep(name)

    def kind(self) -> None:
        """Set the CSL type and the genre that the type or its field says."""
        values, csl = self.values, self.rule.csl
        if "entrysubtype" in self.fields:
            subtype = plain(self.fields["entrysubtype"]).lower()
            subtype = SUBTYPES.get(subtype, subtype)
            if subtype in csl_types():
                csl = subtype
            else:
                self.keep("entrysubtype")
        values["type"] = "article" if csl in ("document", "article-journal") and self.is_preprint() else csl
        for variable, name in (("genre", "type"), ("status", "pubstate")):
            if variable in values and values[variable] in strings():
                values[variable] = strings()[values[variable]]
                self.keep(name)
        if values.get("genre") == NO_GENRE and self.rule.genre:
            del values["genre"]
        elif self.rule.genre:
            self.put("genre", self.rule.genre)

    def is_preprint(self) -> bool:
        """Say whether an arXiv paper names no other place where it was published."""
        if "arxiv" not in self.values.get("ids", ()):
            return False
        journal = self.fields.get("journal") or self.fields.get("journaltitle") or ""
        return not journal.strip("{} ") or journal.strip("{} ") == "CoRR" or "rxiv" in journal.lower()


_GROUPS: dict[str, Callable[[_Reading], None]] = {
    "titles": _Reading.titles,
    "issued": _Reading.issued,
    "numbers": _Reading.numbers,
    "articles": _Reading.articles,
    "publishers": _Reading.publishers,
    "places": _Reading.places,
    "notes": _Reading.notes,
    "addresses": _Reading.addresses,
    "language": _Reading.language,
}
"""How each group of fields is read that say something only together, in order."""
