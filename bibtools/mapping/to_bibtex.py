"""From the model to the fields of BibTeX and biblatex.

The table bibtex_output.tsv says which field holds which variable. What BibTeX kept in Entry.extra comes
first: it says more than its variable can, as long as it still says the same (a subtitle that is still the
title's end, an e-print with the same id). Variables without a field of BibTeX's travel under their CSL names.

Source:
    biblatex 3.20, sections 2.1 to 2.3; BibTeXing (1988), section 3.
"""

import re
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import compress
from typing import Any

import msgspec
from msgspec import Struct

from bibtools.mapping.bibtex import ISSUED, NO_GENRE, PARTS, SUBTITLES, SUBTYPES, container_fields
from bibtools.mapping.bibtex_values import (
    EPRINT_SITES,
    TypeRule,
    arxiv_id,
    languages,
    page_ranges,
    plain,
    short_title,
    strings,
    type_rules,
)
from bibtools.mapping.tex_values import (
    Style,
    Value,
    comes_from_bibtex,
    date_tex,
    encode,
    keywords_tex,
    list_tex,
    long_tex,
    names_tex,
    pages_tex,
    plain_tex,
    safe,
    short_tex,
    title_tex,
    verbatim_tex,
)
from bibtools.model import Contributors, Entry, Link, PartialDate, Text
from bibtools.tables import read_table
from bibtools.text.dates import format_edtf
from bibtools.text.names import format_bibtex_names
from bibtools.text.tex import format_tex, format_url, parse_tex
from bibtools.text.tex_tables import may_have_unknown_commands
from bibtools.text.tree import text_of

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
DIALECTS = ("bibtex", "biblatex")
ID_FIELDS = ("openreview", "pmlr", "acl", "dblp", "openalex")
"""Identifiers that are fields of their own; an arXiv id is an e-print."""
_UNWRITTEN = frozenset({
    "key", "type", "source_type", "issued", "number", "collection_number", "issue", "note", "annote", "ids",
    "links", "extra", "truncated", "language", "origin", "identification", "claim", "promised_without_link",
    "url",
})  # fmt: skip
"""Model fields that are written by their own rules, or are no bibliographic facts."""
_STANDARD = ("BibTeXing", "biblatex 3")


class BibField(Struct, frozen=True, gc=False):
    """A field to be written."""

    name: str
    value: str
    """As TeX, without delimiters; the name of a macro if `bare`."""
    variable: str
    """The model field that it says, so that a change of one can be told from the others."""
    bare: bool = False


def format_field(field: BibField) -> str:
    """Return a field's line."""
    return f"  {field.name} = {field.value}," if field.bare else f"  {field.name} = {{{field.value}}},"


class Loss(Struct, frozen=True):
    """Something that BibTeX cannot hold."""

    field: str
    message: str
    raw: str = ""


class BibRecord(Struct, frozen=True):
    """An entry as BibTeX's fields."""

    type: str
    fields: tuple[BibField, ...]
    losses: tuple[Loss, ...] = ()


class OutputRule(Struct, frozen=True):
    """Which field holds a variable, and how its value is written."""

    variable: str
    name: str
    add: "_Add"
    """Adds the field of a value."""
    value: Value | None = None
    """Returns the value as TeX; None where it takes more than the value to tell what is written."""


_Add = Callable[["_Writing", OutputRule, Any], None]


def to_bibtex(entry: Entry, style: Style) -> BibRecord:
    """Return an entry as fields in the order they are written, with what they cannot hold."""
    return _Writing(entry, style).record()


@cache
def rules_in_order(csl: str, dialect: str) -> tuple[OutputRule | None, ...]:
    """Return the rule of each model field in the model's order, None for those with rules of their own."""
    rules = {name: OutputRule(name, name, *how) for name, how in _OWN_RULES.items()}
    rules |= _output_rules(csl, dialect)
    return tuple(map(rules.get, Entry.__struct_fields__))


@cache
def _output_rules(csl: str, dialect: str) -> dict[str, OutputRule]:
    """Return the rule of each variable for a CSL type: the table's, else one under its CSL name."""
    rules: dict[str, OutputRule] = {}
    for row in read_table("bibtex_output"):
        if (
            row["kind"] != "own"
            and row["variable"] not in rules
            and (not row["types"] or csl in row["types"].split(" "))
        ):
            rules[row["variable"]] = OutputRule(row["variable"], row[dialect], *_BY_KIND[row["kind"]])
    for row in read_table("csl"):
        variable, kind = row["field"], row["kind"]
        if (
            kind in _BY_KIND
            and variable in Entry.__struct_fields__
            and variable not in rules
            and variable not in _UNWRITTEN
        ):
            rules[variable] = OutputRule(variable, variable.replace("_", "-"), *_BY_KIND[kind])
    rules["title"] = OutputRule("title", "title", _Writing.add_title, title_tex)
    return rules


@lru_cache(maxsize=4096)
def _in_order(names: tuple[str, ...], dialect: str) -> tuple[str, ...]:
    """Return fields in the order in which a dialect's are written; those without a place last, as given.

    Cached, because most entries of a library have the same fields.
    """
    places = _places(dialect)
    return tuple(sorted(names, key=lambda name: places.get(name, len(places))))


@cache
def _places(dialect: str) -> dict[str, int]:
    """Return the place of each field of a dialect."""
    names = dict.fromkeys(row[dialect] for row in read_table("bibtex_output"))
    return {name: place for place, name in enumerate(("entrysubtype", *names))}


@cache
def _output_types() -> dict[str, dict[str, str]]:
    """Return the row of the entry types to write for each CSL type."""
    return {row["csl"]: row for row in read_table("bibtex_output_types")}


@lru_cache(maxsize=1024)
def _entry_type(csl: str, spelled: str, is_master: bool, dialect: str, strict: bool) -> tuple[str, TypeRule]:
    """Return the entry type for a CSL type that the source spelled so, and what it means when read."""
    row = _output_types().get(csl, _output_types()["document"])
    name = "mastersthesis" if is_master and dialect == "bibtex" else row[dialect]
    rule = type_rules().get(spelled)
    standard = _standard_types("BibTeXing" if strict and dialect == "bibtex" else "")
    if rule and rule.csl == csl and spelled in standard:
        name = spelled
    return name, type_rules()[name]


@cache
def _standard_types(source: str) -> frozenset[str]:
    """Return the entry types that one of the two dialects defines, or of either if none is named."""
    sources = source or _STANDARD
    return frozenset(row["type"] for row in read_table("bibtex_types") if row["source"].startswith(sources))


@cache
def language_names() -> dict[str, str]:
    """Return babel's name for each language tag."""
    return {row["tag"]: row["name"] for row in reversed(read_table("bibtex_languages"))}


class _Writing:
    """One entry being written."""

    def __init__(self, entry: Entry, style: Style) -> None:
        self.entry, self.style = entry, style
        self.fields: dict[str, BibField] = {}
        self.losses: list[Loss] = []
        self.carried: dict[str, Any] = {}
        self.extra: dict[str, str] = {}
        self.repeated: list[tuple[str, str]] = []
        for name, value in entry.extra.get("bibtex", ()):
            if name in self.extra:
                self.repeated.append((name, value))
            else:
                self.extra[name] = value
        self.type, self.group = self.entry_type()

    def record(self) -> BibRecord:
        """Return the whole record."""
        entry = self.entry
        rules = rules_in_order(entry.type, self.style.dialect)
        values = msgspec.structs.astuple(entry)
        for rule, value in zip(compress(rules, values), filter(None, values), strict=True):
            if rule is not None:
                rule.add(self, rule, value)
        if entry.truncated:
            self.cut_off()
        self.genre()
        if entry.note:
            self.notes()
        if entry.annote or entry.links:
            self.code_links()
        if not entry.author:
            self.sort_key()
        if entry.extra:
            self.put_extra()
        if entry.extra or entry.links or self.carried:
            self.carry()
        names = _in_order(tuple(self.fields), self.style.dialect)
        return BibRecord(self.type, tuple([self.fields[name] for name in names]), tuple(self.losses))

    def put(self, name: str, value: str, variable: str) -> None:
        """Add a field."""
        self.fields[name] = BibField(name, safe(value), variable)

    def put_plain(self, name: str, text: str, variable: str) -> None:
        """Add a field of plain text, which mostly is its own TeX."""
        self.fields[name] = BibField(name, plain_tex(text, self.entry, self.style), variable)

    def encode(self, text: str) -> str:
        """Return plain text as TeX on one line."""
        return encode(text, self.style)

    # Type

    def entry_type(self) -> tuple[str, str]:
        """Return the entry type and its group; a field tells the CSL type that they do not."""
        entry, style = self.entry, self.style
        is_master = entry.type == "thesis" and entry.genre.lower().startswith(("master", "diplom"))
        name, read_back = _entry_type(
            entry.type, entry.source_type.lower(), is_master, style.dialect, style.strict
        )
        preprint = entry.type == "article" and "arxiv" in entry.ids and name in ("misc", "article")
        if read_back.csl != entry.type and not preprint:
            subtype = next((key for key, csl in SUBTYPES.items() if csl == entry.type), entry.type)
            self.put("entrysubtype", self.extra.pop("entrysubtype", subtype), "type")
        return name, read_back.group

    def genre(self) -> None:
        """Leave out a genre that the type says; where there is none, keep the type from saying one."""
        implied = type_rules()[self.type].genre
        if implied and self.entry.genre == implied and "type" not in self.extra:
            self.fields.pop("type", None)
        elif implied and not self.entry.genre:
            self.put("type", NO_GENRE, "genre")

    # Variables by table

    def add_value(self, rule: OutputRule, value: Any) -> None:
        """Add a value that says all by itself."""
        value_of = rule.value or plain_tex
        self.fields[rule.name] = BibField(rule.name, value_of(value, self.entry, self.style), rule.variable)

    def add_names(self, rule: OutputRule, value: Contributors) -> None:
        """Add people and bodies."""
        names = format_bibtex_names(value, rule.variable in self.entry.truncated, self.style.ascii)
        self.fields[rule.name] = BibField(rule.name, names, rule.variable)
        self.orcids(rule.name, rule.variable, value)

    def cut_off(self) -> None:
        """Add lists of which nobody is named."""
        rules = _output_rules(self.entry.type, self.style.dialect)
        for variable in self.entry.truncated:
            if variable in rules and rules[variable].name not in self.fields:
                self.put(rules[variable].name, "others", variable)

    def add_key(self, rule: OutputRule, value: str) -> None:
        """Add a plain value, or the localisation key in extra that says the same."""
        key = self.extra.get(rule.name)
        if key and strings().get(key) == value:
            del self.extra[rule.name]
            self.put(rule.name, key, rule.variable)
        else:
            self.add_value(rule, value)

    def add_pages(self, rule: OutputRule, value: str) -> None:
        """Add pages with `--` for ranges, unless an article number in extra says the same."""
        for other in ("eid", "articleno", "article-number"):
            if other in self.extra and page_ranges(self.extra[other]) == value:
                return
        self.add_value(rule, value)

    def orcids(self, name: str, variable: str, names: Contributors) -> None:
        """Add the people's ORCID iDs as biblatex's annotations of the name list."""
        given = []
        for place, person in enumerate(names, 1):
            if person.orcid:
                given.append(f'{place}="{person.orcid}"')
            if person.static_ordering or person.comma_suffix:
                self.losses.append(Loss(variable, "BibTeX cannot say how to order or punctuate a name"))
        if given:
            self.put(f"{name}+an:orcid", "; ".join(given), variable)

    # Titles

    def add_title(self, rule: OutputRule, text: Text) -> None:
        """Add a title, without the subtitle that extra has if that is still its end."""
        field = self.original_title_field(rule.name, rule.variable)
        if self.extra and (subtitle := SUBTITLES.get(field, ("", ""))[0]) in self.extra:
            base = without_end(text, short_title(self.extra[subtitle]))
            if base is None:
                del self.extra[subtitle]
            else:
                text = base
        value_of = rule.value or short_tex
        self.fields[field] = BibField(field, value_of(text, self.entry, self.style), rule.variable)

    def original_title_field(self, name: str, variable: str) -> str:
        """Return the field that a title came from, where the type has more than one for it."""
        if variable == "container_title" and self.entry.volume_title and self.group in PARTS:
            return "maintitle"
        if variable == "volume_title" and self.group in PARTS:
            return "booktitle"
        if variable == "container_title" and self.extra:
            candidates = container_fields(self.group)
            if not self.extra.keys().isdisjoint(candidates):
                return next(field for field in candidates if field not in self.extra)
        return name

    # Dates

    def add_issued(self, rule: OutputRule, date: PartialDate) -> None:
        """Add the date: `date` in biblatex; in BibTeX year and month, and `date` for what they cannot say."""
        if not date.start or date.literal:
            if date.literal:
                self.put("year", self.encode(date.literal), "issued")
                if "month" in self.extra:
                    self.put("month", self.extra.pop("month"), "issued")
            return
        for field in date_fields(date, self.style.dialect):
            self.fields[field.name] = field

    # Numbers

    def add_issue(self, rule: OutputRule, value: str) -> None:
        """Add the issue, which is the `number` of an article; one of two numbers as two fields."""
        if self.group not in ISSUED:
            self.put_plain("issue", value, "issue")
            return
        number, issue = self.extra.get("number"), self.extra.get("issue")
        if number and issue and f"{plain(number)}, {plain(issue)}" == value:
            self.put("number", self.extra.pop("number"), "issue")
            self.put("issue", self.extra.pop("issue"), "issue")
        else:
            self.put_plain("number", value, "issue")

    def add_collection_number(self, rule: OutputRule, value: str) -> None:
        """Add the number in a series, which is the `number` of a book."""
        self.put_plain("number" if self.group in _IN_SERIES else "collection-number", value, rule.variable)

    def add_number(self, rule: OutputRule, value: str) -> None:
        """Add a report's or patent's number; under its CSL name where `number` means another."""
        is_taken = self.group in _IN_SERIES or self.group in ISSUED
        self.put_plain("csl-number" if is_taken else "number", value, rule.variable)

    # Identifiers

    def add_address(self, rule: OutputRule, url: str) -> None:
        """Add the address, unless an e-print in extra says it."""
        if not (self.extra.get("eprint") and url == self.eprint_address()):
            self.fields["url"] = BibField("url", format_url(url), "url")

    def eprint_address(self) -> str:
        """Return the address of the e-print in extra, or nothing where its site is unknown."""
        kind = plain(self.extra.get("eprinttype") or self.extra.get("archiveprefix") or "").lower()
        site = EPRINT_SITES.get(kind or "arxiv", "")
        return site and site + (arxiv_id(self.extra) if "arxiv" in site else plain(self.extra["eprint"]))

    def add_identifiers(self, rule: OutputRule, ids: dict[str, str]) -> None:
        """Add further identifiers: an arXiv id as e-print, others as fields of their own."""
        for scheme, value in ids.items():
            if scheme == "arxiv":
                if (
                    arxiv_id({**self.extra, **{name: field.value for name, field in self.fields.items()}})
                    != value
                ):
                    self.put("eprint", format_url(value), "ids")
                    kind = "archiveprefix" if self.style.dialect == "bibtex" else "eprinttype"
                    self.put(kind, "arXiv" if self.style.dialect == "bibtex" else "arxiv", "ids")
                    for name in ("eprint", "eprinttype", "archiveprefix"):
                        self.extra.pop(name, None)
            elif scheme in ID_FIELDS:
                self.put(scheme, format_url(value), "ids")
            else:
                self.carried.setdefault("ids", {})[scheme] = value

    def add_language(self, rule: OutputRule, tag: str) -> None:
        """Add the language, by babel's name, unless extra says it."""
        for name in ("langid", "hyphenation", "language"):
            if (
                name in self.extra
                and languages().get(plain(self.extra[name]).lower(), plain(self.extra[name])) == tag
            ):
                return
        babel = language_names().get(tag)
        if babel:
            self.put("langid", babel, "language")
        else:
            self.put("language", self.encode(tag).replace(" and ", " {and} "), "language")

    # Notes and code

    def notes(self) -> None:
        """Add the notes as paragraphs of one field, the last as addendum if extra says so."""
        notes = list(self.entry.note)
        if "addendum" in self.extra:
            if notes[-1] == parse_tex(self.extra["addendum"], protect=False, breaks=True):
                notes.pop()
            else:
                del self.extra["addendum"]
        if notes:
            self.put(
                "note",
                "\n\n".join(format_tex(note, self.style.ascii, protect=False) for note in notes),
                "note",
            )

    def code_links(self) -> None:
        """Add links to code: for programs in `software`, for people in the annotation."""
        links = [link for link in self.entry.links if link.offers_code]
        name = "annote" if self.style.dialect == "bibtex" else "annotation"
        annote = self.entry.annote
        paragraphs = [format_tex(annote, self.style.ascii, protect=False)] if annote else []
        if links and self.style.code_as in ("field", "note"):
            kept = set(self.extra.values())
            if self.style.code_as == "field" and not any(link.written in kept for link in links):
                self.put("software", format_url(links[0].url), "links")
            told = annote.plain if annote else ""
            paragraphs += [
                f"Code: \\url{{{format_url(link.url)}}}"
                for link in links
                if link.url not in told and not from_field(link)
            ]
        if paragraphs:
            self.put(name, "\n\n".join(paragraphs), "annote" if annote else "links")

    def sort_key(self) -> None:
        """Add `key` where BibTeX has nothing else to sort by, so that it does not warn."""
        entry = self.entry
        if self.style.dialect == "bibtex" and not (
            entry.author or entry.editor or "key" in self.extra or comes_from_bibtex(entry)
        ):
            self.put("key", self.encode(entry.key or "anonymous"), "key")

    # The rest

    def put_extra(self) -> None:
        """Add BibTeX's own fields that have no variable; what cannot stand or stands already is carried."""
        ascii_only = self.style.ascii
        for name, value in (*self.extra.items(), *self.repeated):
            if name in self.fields or not _FIELD_NAME.fullmatch(name):
                self.carried.setdefault("bibtex", []).append((name, value))
                continue
            if name not in _NEVER_PRINTED and (
                may_have_unknown_commands(value) or (ascii_only and not value.isascii())
            ):
                value = format_tex(parse_tex(value), ascii_only)
            self.fields[name] = BibField(name, safe(value), f"extra:{name}")

    def carry(self) -> None:
        """Add what other formats gave and BibTeX has no field for, as JSON; report what is left out."""
        self.carried |= {source: fields for source, fields in self.entry.extra.items() if source != "bibtex"}
        if self.carried:
            json = msgspec.json.encode(self.carried).decode()
            self.put("bibtools-extra", escape_json_braces(json), "extra")
        for link in self.entry.links:
            if link.found_in == "catalogue" and not link.offers_code and link.url != self.entry.url:
                self.losses.append(Loss("links", "BibTeX has no place for a further address", link.url))


_BY_KIND: dict[str, tuple[_Add, Value | None]] = {
    "names": (_Writing.add_names, names_tex),
    "title": (_Writing.add_title, short_tex),
    **dict.fromkeys(("text", "long"), (_Writing.add_value, long_tex)),
    "date": (_Writing.add_value, date_tex),
    **dict.fromkeys(("plain", "string", "number"), (_Writing.add_value, plain_tex)),
    "key": (_Writing.add_key, None),
    "keywords": (_Writing.add_value, keywords_tex),
    "list": (_Writing.add_value, list_tex),
    "pages": (_Writing.add_pages, pages_tex),
    "verbatim": (_Writing.add_value, verbatim_tex),
}
"""How a value of each kind is added and written; the kinds are those of bibtex_output.tsv and csl.tsv."""
_OWN_RULES: dict[str, tuple[_Add, Value | None]] = {
    "issued": (_Writing.add_issued, None),
    "issue": (_Writing.add_issue, plain_tex),
    "collection_number": (_Writing.add_collection_number, plain_tex),
    "number": (_Writing.add_number, plain_tex),
    "language": (_Writing.add_language, None),
    "url": (_Writing.add_address, verbatim_tex),
    "ids": (_Writing.add_identifiers, None),
}
"""Variables whose field depends on more than the CSL type."""
_IN_SERIES = ("book", "in")
"""Groups of types whose `number` is one in a series."""


def escape_json_braces(json: str) -> str:
    r"""Return JSON with its strings' braces and backslashes as escapes: braces balance, nothing is a command.

    >>> escape_json_braces('{"a": "}"}')
    '{"a": "\\u007d"}'
    """
    return _JSON_STRING.sub(lambda text: text[0].translate(_BRACES).replace(r"\\", r"\u005c"), json)


_FIELD_NAME = re.compile(r"""[^\s\d\x00-\x1f\x7f"#%'(),={}~\\@][^\s\x00-\x1f\x7f"#%'(),={}~\\@]*+""")
"""What BibTeX and biber take for a field's name."""
_NEVER_PRINTED = frozenset(
    {"file", "pdf", "url", "doi", "eprint", "local-url", "groups", "crossref", "xdata"}
)
"""Fields whose value no style prints as TeX, so that backslashes in it are harmless (Windows paths)."""
_BRACES = {ord("{"): r"\u007b", ord("}"): r"\u007d"}
_JSON_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


@lru_cache(maxsize=4096)
def date_fields(date: PartialDate, dialect: str) -> tuple[BibField, ...]:
    """Return the fields of a work's date in numbers, as `issued` says them."""
    edtf = BibField("date", format_edtf(date), "issued")
    if dialect == "biblatex":
        return (edtf,)
    year = format_edtf(PartialDate(date.start[:1]))
    fields = [BibField("year", year, "issued")]
    if len(date.start) > 1:
        fields.append(BibField("month", MONTHS[date.start[1] - 1], "issued", bare=True))
    if date != PartialDate(date.start[:2]) or not (year.isdecimal() and len(year) == 4):
        fields.append(edtf)
    return tuple(fields)


def from_field(link: Link) -> bool:
    """Say whether a link came from a field that is written back."""
    return link.found_in == "field"


def without_end(text: Text, end: Text) -> Text | None:
    """Return a title without the subtitle at its end, or None if that is not its end.

    >>> without_end(Text("Tides: A Study"), Text("A Study")).plain
    'Tides'
    """
    for glue in (": ", " "):
        if not text.plain.endswith(glue + end.plain) or not end:
            continue
        if not text.nodes:
            return Text(text.plain.removesuffix(glue + end.plain))
        cut = _cut_nodes(text, end, glue)
        if cut is not None:
            return cut
    return None


def _cut_nodes(text: Text, end: Text, glue: str) -> Text | None:
    """Return a text's nodes without those of its end; None where mark-up crosses the border."""
    tail = text_of((glue, *(end.nodes or (end.plain,)))).nodes or (glue + end.plain,)
    first, *rest = tail
    count = len(rest)
    head = text.nodes[: len(text.nodes) - count]
    if (
        tuple(text.nodes[len(text.nodes) - count :]) != tuple(rest)
        or not head
        or not isinstance(head[-1], str)
    ):
        return None
    if not isinstance(first, str) or not head[-1].endswith(first):
        return None
    return text_of((*head[:-1], head[-1].removesuffix(first)))
