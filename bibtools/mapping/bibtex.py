"""From BibTeX's and biblatex's fields to the model.

Most fields stand for one variable each (tables/bibtex_fields.tsv). A few say something only together: titles
with subtitles and additions, dates in parts, publishers under five names, numbers whose meaning the type
decides, notes, and e-prints. What has no variable, or says more than its variable can hold, stays in
Entry.extra["bibtex"] as TeX; the writer looks there first.

Source:
    biblatex 3.20, sections 2.1 to 2.3; BibTeXing (1988), section 3; CSL 1.0.2, appendices III and IV.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bibtools.mapping.values import bare_doi, normalise_pages
from bibtools.model import Contributor, Entry, Link, Node, Origin, PartialDate, Text
from bibtools.tables import read_table
from bibtools.text.dates import month_number, parse_date, parse_edtf
from bibtools.text.names import parse_bibtex_names, split_names
from bibtools.text.tex import clean_url, decode_tex, parse_tex
from bibtools.text.tree import text_of
from bibtools.text.urlforms import normal_form_and_kind

Fields = Mapping[str, str]
"""Values of an entry's fields by name in lower case, as TeX, macros put in, delimiters off."""

VARIABLES = frozenset(Entry.__struct_fields__)
SUBTITLES = {
    "title": ("subtitle", "titleaddon"),
    "booktitle": ("booksubtitle", "booktitleaddon"),
    "maintitle": ("mainsubtitle", "maintitleaddon"),
    "issuetitle": ("issuesubtitle", "issuetitleaddon"),
    "journaltitle": ("journalsubtitle", "journaltitleaddon"),
    "journal": ("journalsubtitle", "journaltitleaddon"),
}
"""The fields that go on where a title field ends."""
EPRINT_SITES = {
    "arxiv": "https://arxiv.org/abs/",
    "jstor": "https://www.jstor.org/stable/",
    "pubmed": "https://www.ncbi.nlm.nih.gov/pubmed/",
    "googlebooks": "https://books.google.com?id=",
    "hdl": "https://hdl.handle.net/",
}
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

_ARXIV_ID = r"(?:\d{4}\.\d{4,5}|[a-z]+(?:-[a-z]+)*(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?"
_BARE_ARXIV = re.compile(rf"(?:arxiv:)?\s*({_ARXIV_ID})", re.IGNORECASE)
_NAMED_ARXIV = re.compile(rf"\barxiv\b[^/]*?:\s*({_ARXIV_ID})", re.IGNORECASE)
_ABS_ARXIV = re.compile(rf"abs/({_ARXIV_ID})")
_URL_ONLY = re.compile(r"\s*(?:\{?\\url\s*\{([^{}]+)\}\}?|(https?://\S+))\s*\.?\s*")
_URL_INSIDE = re.compile(r"\\(?:url|href)\s*\{([^{}]+)\}")
_SCHEMES = ("http://", "https://")
_ORCID = re.compile(r"(\d{1,4})\s*=\s*\"?(\d{4}-\d{4}-\d{4}-\d{3}[\dX])")
_MONTH_RANGE = re.compile(r"(\d{1,2})\s*(?:--?|/)\s*(\d{1,2})")
_PARAGRAPHS = re.compile(r"\n\n")
_SENTENCE_END = (".", "?", "!", ":")


class TypeRule(Struct, frozen=True):
    """What an entry type means."""

    csl: str
    group: str
    """Decides what `number` is: `article`, `periodical`, `book`, `in` or `other`."""
    genre: str


@cache
def type_rules() -> dict[str, TypeRule]:
    """Return the entry types that we know, by name in lower case."""
    return {
        row["type"]: TypeRule(row["csl"], row["group"], row["genre"]) for row in read_table("bibtex_types")
    }


@cache
def strings() -> dict[str, str]:
    """Return what biblatex's localisation keys print in English."""
    return {row["key"]: row["text"] for row in read_table("bibtex_strings")}


@cache
def languages() -> dict[str, str]:
    """Return the tag of each language name that babel and biblatex use, names in lower case."""
    return {row["name"].lower(): row["tag"] for row in read_table("bibtex_languages")}


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
    return frozenset({"ids" if kind == "id" else variable} - {""})


# Values


def long_text(value: str) -> Text:
    """Return a long text, its paragraphs kept."""
    return parse_tex(value, protect=False, breaks=True)


@lru_cache(maxsize=4096)
def literal_list(value: str) -> str:
    """Return a biblatex literal list (`A and B`) as text with semicolons."""
    return "; ".join(plain(part) for part in split_names(value) if part)


def plain(value: str) -> str:
    """Return a value as plain text, on one line."""
    return decode_tex(value)


short_title = lru_cache(maxsize=4096)(parse_tex)
"""parse_tex for titles that many entries share: journals, proceedings, series."""


@lru_cache(maxsize=4096)
def name_list(value: str) -> tuple[tuple[Contributor, ...], bool]:
    """Return the names of a list, cached: many entries share their editors."""
    return parse_bibtex_names(value)


def keyword_list(value: str) -> tuple[str, ...]:
    """Return keywords, split at semicolons if there are any outside braces, else at commas."""
    parts = _split_outside_braces(value, ";")
    if len(parts) == 1:
        parts = _split_outside_braces(value, ",")
    return tuple(keyword for part in parts if (keyword := plain(part)))


def _split_outside_braces(value: str, separator: str) -> list[str]:
    """Return the parts of a value between separators that no braces hold."""
    if "{" not in value and "\\" not in value:
        return value.split(separator)
    parts, start, depth = [], 0, 0
    for found in re.finditer(rf"\\.|[{{}}{separator}]", value, re.DOTALL):
        if found[0] == "{":
            depth += 1
        elif found[0] == "}":
            depth -= 1
        elif found[0] == separator and depth <= 0:
            parts.append(value[start : found.start()])
            start = found.end()
    return [*parts, value[start:]]


def page_ranges(value: str) -> str:
    """Return pages with one hyphen a range, `, ` between ranges."""
    if value.isdigit():
        return value
    return normalise_pages(value if value.replace("-", "").isalnum() else plain(value))


def address(value: str) -> str:
    r"""Return an address on one line; a line that begins with a scheme is an address of its own.

    >>> address("https://example.org/a/\n  b"), address("https://a.org;\n  https://b.org")
    ('https://example.org/a/b', 'https://a.org; https://b.org')
    """
    if "\n" not in value:
        return clean_url(value)
    first, *others = [line.strip() for line in clean_url(value).split("\n")]
    return first + "".join(f" {line}" if line.startswith(_SCHEMES) else line for line in others)


def bare_identifier(value: str) -> str:
    """Return a DOI without address and escapes."""
    return bare_doi(address(value))


@lru_cache(maxsize=4096)
def date_value(value: str) -> PartialDate:
    """Return a date; in EDTF a tilde means circa, not TeX's blank."""
    bare = value.strip("{} \n")
    return parse_edtf(bare) or parse_date(plain(value))


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


def join_titles(first: Text, second: Text, separator: str) -> Text:
    """Return two texts as one, with a separator unless the first ends a sentence."""
    if not first:
        return second
    glue = " " if first.plain.endswith(_SENTENCE_END) else separator
    if not first.nodes and not second.nodes:
        return Text(first.plain + glue + second.plain)
    nodes: list[Node] = [*(first.nodes or (first.plain,)), glue, *(second.nodes or (second.plain,))]
    return text_of(nodes)


def arxiv_id(fields: Fields) -> str:
    """Return the arXiv id that an entry names in any of the usual places, or nothing."""
    eprint = fields.get("eprint", "")
    kind = (fields.get("eprinttype") or fields.get("archiveprefix") or "").strip("{} ").lower()
    if eprint and kind in ("", "arxiv"):
        found = _BARE_ARXIV.fullmatch(clean_url(eprint))
        return found[1] if found else clean_url(eprint) if kind else ""
    journal = fields.get("journal") or fields.get("journaltitle") or ""
    if journal.strip("{} ") == "CoRR" and (found := _ABS_ARXIV.fullmatch(fields.get("volume", ""))):
        return found[1]
    for value in (journal, fields.get("howpublished", ""), fields.get("note", "")):
        if "rXiv" in value and (found := _NAMED_ARXIV.search(clean_url(value))):
            return found[1]
    return ""


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
        self.seen: dict[str, list[str]] = {}
        """The fields given of each group that is read together."""

    def entry(self, key: str, repeated: tuple[tuple[str, str], ...], origin: Origin | None) -> Entry:
        """Return the whole entry."""
        rules, values = _rules(), self.values
        for name, value in self.fields.items():
            rule = rules.get(name)
            if rule is None:
                self.extra.append((name, value))
                continue
            kind, variable, convert = rule
            if convert is not None:
                if kind == "list" and not self.is_biblatex:
                    convert = plain
                if variable in values:
                    self.extra.append((name, value))
                elif converted := convert(value):
                    values[variable] = converted
            elif kind == "composite":
                self.seen.setdefault(variable, []).append(name)
            else:
                self.special(kind, name, variable, value)
        for group, read in _GROUPS.items():
            if group in self.seen:
                read(self)
        self.arxiv()
        self.kind()
        self.put_orcids()
        if self.sort_key and plain(self.sort_key) != key:
            self.keep("key")
        if self.truncated:
            values["truncated"] = tuple(self.truncated)
        extra = (*self.extra, *repeated)
        if extra or self.other_extra:
            values["extra"] = {"bibtex": extra, **self.other_extra} if extra else self.other_extra
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
        names, truncated = name_list(value)
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
        containers: tuple[str, ...] = ("journaltitle", "journal", "booktitle", "maintitle")
        if self.rule.group == "in":
            containers = ("maintitle", "booktitle", "journaltitle", "journal")
            volume = "booktitle" if "maintitle" in fields else ""
        elif self.rule.group == "periodical" and "issuetitle" in fields:
            title, containers = "issuetitle", ("title", "journaltitle", "journal")
        container = next((name for name in containers if name in fields), "")
        self.set_title("title", title)
        self.set_title("container_title", container)
        self.set_title("volume_title", volume)
        self.keep(*(name for name in self.seen["titles"] if name not in (title, container, volume)))

    def set_title(self, variable: str, name: str) -> None:
        """Read a title field with what goes on from it into a variable."""
        value = self.fields.get(name)
        if value is None:
            return
        text = parse_tex(value) if variable == "title" else short_title(value)
        subtitle, _ = SUBTITLES[name]
        if subtitle in self.fields:
            text = join_titles(text, short_title(self.fields[subtitle]), ": ")
        if text:
            self.values[variable] = text

    # Dates

    def issued(self) -> None:
        """Read the date from `date`, or from year, month and day."""
        fields = self.fields
        date = fields.get("date")
        if date is not None:
            self.values["issued"] = issued = date_value(date)
            if issued.start and fields.get("year", "").strip("{} ") == str(issued.start[0]):
                return
            self.keep("year", "month", "day")
            return
        year, month = fields.get("year"), fields.get("month")
        if year is None:
            if month is not None:
                self.keep("month", "day")
            return
        if year.isdigit() and len(year) == 4 and month is None:
            self.values["issued"] = PartialDate((int(year),))
            return
        self.values["issued"] = date_of_parts(plain(year), plain(month or ""), plain(fields.get("day", "")))
        if month and len(self.values["issued"].start) < 2 and not self.values["issued"].season:
            self.keep("month", "day")

    # Numbers

    def numbers(self) -> None:
        """Read number and issue as the type means them."""
        number, issue = plain(self.fields.get("number", "")), plain(self.fields.get("issue", ""))
        if self.rule.group in ("article", "periodical"):
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
            self.put("page", plain(self.fields[name]))
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
            text = literal_list(self.fields[name]) if is_list else plain(self.fields[name])
            if "publisher" not in self.values and text:
                self.values["publisher"] = text
            elif text != self.values.get("publisher"):
                self.keep(name)

    def places(self) -> None:
        """Read the place of publication; beside an address, a paper's location is where it was given."""
        fields = self.fields
        address, location = fields.get("address"), fields.get("location")
        convert = literal_list if self.is_biblatex else plain
        if address and location and self.rule.group == "in":
            self.put("publisher_place", plain(address))
            self.put("event_place", plain(location))
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
            notes += _split_paragraphs(long_text(value))
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
        if url.startswith(_SCHEMES):
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


@cache
def csl_types() -> frozenset[str]:
    """Return CSL's entry types."""
    return frozenset(row["type"] for row in read_table("csl_types"))


def _split_paragraphs(text: Text) -> list[Text]:
    """Return a note's paragraphs as notes of their own; one with mark-up stays whole."""
    if text.nodes or "\n\n" not in text.plain:
        return [text] if text else []
    return [Text(part) for part in _PARAGRAPHS.split(text.plain)]


def date_of_parts(year: str, month: str, day: str) -> PartialDate:
    """Return the date that BibTeX's year, month and day say, each in whatever form it was typed.

    >>> date_of_parts("1999", "mar", "12").start, date_of_parts("1988", "aug/sep", "").end
    ((1999, 3, 12), (1988, 9))
    """
    issued = parse_date(year)
    if not month or len(issued.start) != 1 or issued.literal or issued.end is not None:
        return issued
    number = int(month) if month.isdigit() else month_number(month)
    if number is not None and 1 <= number <= 12:
        digits = day.rstrip(".").removesuffix("th")
        start = (issued.start[0], number)
        if digits.isdigit() and 1 <= int(digits) <= 31:
            start = (*start, int(digits))  # type: ignore[assignment]  # a third number
        return PartialDate(start, circa=issued.circa)
    if (found := _MONTH_RANGE.fullmatch(month)) and 1 <= int(found[1]) <= int(found[2]) <= 12:
        return PartialDate((issued.start[0], int(found[1])), end=(issued.start[0], int(found[2])))
    words = parse_date(f"{day} {month} {issued.start[0]}".strip())
    return issued if words.literal else words
