"""From the model to CSL-JSON 1.0.2: variables that the schema knows, all else under `custom`.

What the schema has no place for is kept so that reading the item again gives the same entry:

    custom.truncated   names of the variables whose list the source cut off
    custom.ids         further identifiers by scheme (`openreview`, `arxiv` …)
    custom.links       addresses that the entry gives, with kind and check
    custom.bibtex …    fields of other formats without a CSL variable: [[name, raw value], …]
    custom.csl         variables of other CSL-JSON that the schema refuses
    custom.bibtools    all else: identification and evidence, the type as the source spelled it,
                       and the exact form of values that CSL can only show (see `_Writer`)

Source:
    https://github.com/citation-style-language/schema, schemas/input/csl-data.json, v1.0.2
"""

from collections.abc import Callable
from itertools import chain, compress
from operator import attrgetter
from typing import Any

import msgspec
from msgspec.structs import astuple

from bibtools.model import Contributor, Entry, PartialDate, Text
from bibtools.tables import read_table
from bibtools.text.markup import format_csl, parse_csl, parse_html
from bibtools.text.patterns import LazyPattern

Item = dict[str, Any]

COLUMNS = read_table("csl")
TYPES = frozenset(row["type"] for row in read_table("csl_types"))
EXTRA_VARIABLES: dict[str, Any] = {
    "categories": list[str],
    "citation-key": str,
    "first-reference-note-number": str | int,
    "volume-title-short": str,
}
"""Variables that the schema admits and the model has no field for, with the types of their values."""

NAME_PARTS = (
    ("family", "family"),
    ("given", "given"),
    ("dropping_particle", "dropping-particle"),
    ("non_dropping_particle", "non-dropping-particle"),
    ("suffix", "suffix"),
    ("literal", "literal"),
)
_SAME_PARTS = frozenset(field for field, part in NAME_PARTS if field == part)
"""Parts of names that the model calls as CSL does."""

_HTML = LazyPattern(r"<(?:jats:|/?p>|br\s*/?>|/?em>|/?strong>)")
"""Signs of HTML or JATS, which CSL's mark-up does not have."""
_LONGEST_MARKED = 100_000
"""Texts longer than this, which no title or abstract is, are taken as they are."""


def to_csl(entry: Entry, key: str = "") -> Item:
    """Return the entry as an item of CSL-JSON, valid by the 1.0.2 schema: no null, no empty list.

    Args:
        entry: the entry.
        key: the item's `id`, where it is not to be the entry's key (two entries with one key, or none).
    """
    own: Item = {}
    item: Item = {"id": key or entry.key, "type": entry.type if entry.type in TYPES else "document"}
    values = astuple(entry)
    for value, writer in compress(zip(values, _WRITERS, strict=True), values):
        if writer is None:
            continue
        variable, convert = writer
        if convert is None:
            item[variable] = value
        elif written := convert(value, variable, own):
            item[variable] = written
    custom = _custom(entry, item, own)
    if custom:
        item["custom"] = custom
    return item


def _custom(entry: Entry, item: Item, own: Item) -> Item:
    """Return what goes under `custom`; `own` is what the values' writers have put into custom.bibtools."""
    custom: Item = {}
    if entry.truncated:
        custom["truncated"] = list(entry.truncated)
    if entry.ids:
        custom["ids"] = dict(entry.ids)
    if entry.links:
        custom["links"] = msgspec.to_builtins(entry.links)
    for source, fields in entry.extra.items():
        if source == "csl":
            _write_variables(fields, item, custom)
        elif fields:
            custom[source] = [list(field) for field in fields]
    if entry.key and entry.key != item["id"]:
        own["key"] = entry.key
    if entry.source_type:
        own["source-type"] = entry.source_type
    if entry.type != item["type"]:
        own["type"] = entry.type
    values = _OWN_VALUES(entry)
    for value, (variable, convert) in compress(zip(values, _OWN, strict=True), values):
        own[variable] = value if convert is None else convert(value, variable, own)
    if own:
        custom["bibtools"] = own
    return custom


def _write_variables(fields: tuple[tuple[str, str], ...], item: Item, custom: Item) -> None:
    """Give back variables that another CSL-JSON had and the model has no field for."""
    for variable, text in fields:
        value = msgspec.json.decode(text)
        if variable not in item and _is_admitted(variable, value):
            item[variable] = value
        elif variable == "custom" and isinstance(value, dict):
            custom.update({name: part for name, part in value.items() if name not in custom})
        else:
            custom.setdefault("csl", []).append([variable, value])


def _is_admitted(variable: str, value: Any) -> bool:
    """Tell whether the schema admits the variable with this value, which says something."""
    if variable not in EXTRA_VARIABLES or not value:
        return False
    try:
        msgspec.convert(value, EXTRA_VARIABLES[variable])
    except msgspec.ValidationError:
        return False
    return True


def is_plain(string: str) -> bool:
    """Tell whether a string can hold neither CSL mark-up nor a formula; one too long for either is plain."""
    marked = "<" in string or "$" in string or "\u2060" in string
    return not marked or len(string) > _LONGEST_MARKED


def parse_text(string: str) -> Text:
    """Return running text as CSL-JSON has it: with CSL's mark-up, or as registries do, with HTML's."""
    if is_plain(string):
        return Text(string)
    return parse_html(string) if _HTML.search(string) else parse_csl(string)


def _title(text: Text, variable: str, own: Item) -> str:
    """Return text with CSL's mark-up; its tree is kept where mark-up cannot say all of it."""
    if not text.nodes and is_plain(text.plain):
        return text.plain
    written = format_csl(text)
    if parse_text(written) != text:
        own.setdefault("text", {})[variable] = msgspec.to_builtins(text)
    return written


def _text(text: Text, variable: str, own: Item) -> str:
    """Return text without mark-up, for variables where CSL knows none; its tree is kept."""
    if (text.nodes or not is_plain(text.plain)) and parse_text(text.plain) != text:
        own.setdefault("text", {})[variable] = msgspec.to_builtins(text)
    return text.plain


def _notes(notes: tuple[Text, ...], variable: str, own: Item) -> str:
    """Return the notes as one string, a line each; several are kept apart as well."""
    if len(notes) == 1:
        return _text(notes[0], variable, own)
    own["notes"] = msgspec.to_builtins(notes)
    return "\n".join(note.plain for note in notes)


def join_keywords(keywords: tuple[str, ...]) -> str:
    """Return keywords as one string: with commas, or with semicolons where a keyword has a comma."""
    return ("; " if any("," in keyword for keyword in keywords) else ", ").join(keywords)


def split_keywords(string: str) -> tuple[str, ...]:
    """Return the keywords of one string: at semicolons and new lines if it has any, else at commas."""
    if "\n" in string or "\r" in string:
        string = string.replace("\r", ";").replace("\n", ";")
    parts = string.split(";" if ";" in string else ",")
    return tuple([stripped for part in parts if (stripped := part.strip())])


def _keywords(keywords: tuple[str, ...], variable: str, own: Item) -> str:
    written = join_keywords(keywords)
    if split_keywords(written) != keywords:
        own["keywords"] = list(keywords)
    return written


def _name(person: Contributor) -> dict[str, Any]:
    name: dict[str, Any] = {part: value for field, part in NAME_PARTS if (value := getattr(person, field))}
    if person.comma_suffix:
        name["comma-suffix"] = True
    if person.static_ordering:
        name["static-ordering"] = True
    return name


def _names(people: tuple[Contributor, ...], variable: str, own: Item) -> list[dict[str, Any]]:
    """Return CSL names; ORCID iDs, for which CSL has no place, are kept by the name's position."""
    names = list(msgspec.to_builtins(people))
    if _SAME_PARTS.issuperset(chain.from_iterable(names)) and all(names):  # as nearly all are
        return names
    names = [name for person in people if (name := _name(person))]
    orcids = {str(place): person.orcid for place, person in enumerate(people) if person.orcid}
    if orcids:
        own.setdefault("orcid", {})[variable] = orcids
    return names


def _date(date: PartialDate, variable: str, own: Item) -> dict[str, Any]:
    """Return a CSL date. A range without end ends in 0, as processors have it."""
    if not date.start:
        if date != PartialDate(literal=date.literal):
            own.setdefault("date", {})[variable] = msgspec.to_builtins(date)
        return {"literal": date.literal} if date.literal else {}
    parts = [list(date.start)]
    if date.end is not None:
        parts.append(list(date.end) or [0])
    written: dict[str, Any] = {"date-parts": parts}
    if date.season is not None:
        written["season"] = date.season
    if date.circa:
        written["circa"] = True
    if date.literal:
        own.setdefault("literal", {})[variable] = date.literal
    return written


def _builtins(value: Any, variable: str, own: Item) -> Any:
    return msgspec.to_builtins(value)


_Writer = Callable[[Any, str, Item], Any]
"""Turns a field's value into a variable's; puts what the variable cannot hold into custom.bibtools."""

_BY_KIND: dict[str, _Writer | None] = {
    "title": _title,
    "text": _text,
    "notes": _notes,
    "keywords": _keywords,
    "names": _names,
    "date": _date,
    "string": None,
}
_BY_FIELD = {row["field"]: (row["variable"], _BY_KIND[row["kind"]]) for row in COLUMNS if row["variable"]}
_WRITERS = tuple(_BY_FIELD.get(field) for field in Entry.__struct_fields__)
"""Variable and writer of each field of an entry, in their order; None for those that are no variables."""
_OWN_BY_FIELD: dict[str, _Writer | None] = {
    **{row["field"]: _BY_KIND[row["kind"]] for row in COLUMNS if not row["variable"]},
    "promised_without_link": None,
    "claim": None,
    "identification": _builtins,
}
_OWN = tuple((field.replace("_", "-"), convert) for field, convert in _OWN_BY_FIELD.items())
"""Names and writers of what is kept in custom.bibtools."""
_OWN_VALUES = attrgetter(*_OWN_BY_FIELD)
"""Returns an entry's values in the order of `_OWN`."""
