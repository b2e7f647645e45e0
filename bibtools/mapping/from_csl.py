"""From an item of CSL-JSON, in any shape that tools write, to the model's fields.

Each variable is read by itself: what is empty is absent, what cannot be read is reported and kept in
`extra["csl"]`, and costs nothing else of the item.
"""

import re
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import msgspec

from bibtools.mapping.csl import COLUMNS, NAME_PARTS, TYPES, Item, join_keywords, parse_text, split_keywords
from bibtools.mapping.csl_dates import read_date
from bibtools.mapping.values import bare_doi, normalise_pages
from bibtools.model import Contributor, Link, PartialDate, Text
from bibtools.outcomes import Identification
from bibtools.tables import read_table
from bibtools.text.markup import format_csl
from bibtools.text.ris_names import parse_ris_name, split_particle
from bibtools.text.tree import squeeze

Doubt = tuple[str, str, str]
"""Problem code, message and raw text."""

_T = TypeVar("_T")
_ORCID = re.compile(r"\d{4}-\d{4}-\d{4}-\d{3}[\dX]")
_CUT = frozenset(("others", "and others", "et al", "et al."))
_DEEPEST_TREE = 50
"""Mark-up nested deeper than this, which no reader of ours makes, is not walked."""
_LABELLED_ID = re.compile(r"^PMC?ID\s*:\s*", re.IGNORECASE)


def from_csl(item: Item) -> tuple[dict[str, Any], list[Doubt]]:
    """Return the fields of the entry that an item describes, and what is doubtful about it."""
    reader = _Item(item)
    reader.read_variables()
    reader.read_aliases()
    reader.read_type(item.get("type"))
    reader.read_key()
    if "custom" in item:
        reader.read_custom(item["custom"])
    if reader.rest:
        reader.fields.setdefault("extra", {})["csl"] = tuple(reader.rest)
    return reader.fields, reader.doubts


class _Item:
    """One entry's fields while its item is read."""

    def __init__(self, item: Item) -> None:
        self.item = item
        self.fields: dict[str, Any] = {}
        self.doubts: list[Doubt] = []
        self.aliases: list[tuple[str, Any]] = []
        self.rest: list[tuple[str, str]] = []

    def read_variables(self) -> None:
        """Read the variables under their own names; other names wait until these are known."""
        fields = self.fields
        for variable, value in self.item.items():
            column = _VARIABLES.get(variable)
            if column is None:
                self.read_other(variable, value)
                continue
            field, _, usual, plain = column
            if type(value) is usual and (result := plain(value)):
                fields[field] = result
            else:
                self.set(column, variable, value)

    def read_other(self, variable: str, value: Any) -> None:
        """Take note of a variable that CSL does not have under this name."""
        if variable in _ALIASES:
            self.aliases.append((variable, value))
        elif variable not in _OTHER and not _is_empty(value):
            self.keep(variable, value)

    def read_aliases(self) -> None:
        """Read variables under other names, where the field is still free."""
        for variable, value in self.aliases:
            column = _ALIASES[variable]
            if column.field not in self.fields:
                self.set(column, variable, value)
            elif not _is_empty(value) and column.read(value) != self.fields[column.field]:
                self.keep(variable, value)

    def set(self, column: "_Column", variable: str, value: Any) -> None:
        """Read a value into a field; report one that cannot be read."""
        field, read = column.field, column.read
        result = read(value)
        if not result:
            if not _is_empty(value):
                self.keep(variable, value)
                kind = type(value).__name__
                self.doubt("wrong-type", f"{variable}: a value of type {kind} means nothing here", value)
            return
        self.fields[field] = result
        if read is read_names:
            self.check_names(field, variable, value, result)
        elif type(value) is list and isinstance(result, Text | str) and _has_several(value):
            self.keep(variable, value)

    def check_names(self, field: str, variable: str, value: Any, names: tuple[Contributor, ...]) -> None:
        """Take note of a list that is cut off, and keep what names say beyond CSL."""
        if any(not name.given and _says_cut(name) for name in names):
            self.fields["truncated"] = tuple(sorted((*self.fields.get("truncated", ()), field)))
            people = tuple(name for name in names if not _says_cut(name))
            self.fields[field] = people
            if not people:
                del self.fields[field]
        if type(value) is list and any(_says_more(name) for name in value):
            self.keep(variable, value)

    def keep(self, variable: str, value: Any) -> None:
        """Keep a variable that has no field, or no readable value, as JSON text."""
        self.rest.append((variable, msgspec.json.encode(value).decode("utf-8")))

    def doubt(self, code: str, message: str, value: Any) -> None:
        """Report something about the item."""
        self.doubts.append((code, message, msgspec.json.encode(value).decode("utf-8")))

    def read_type(self, value: Any) -> None:
        """Read the type: CSL's, a registry's, or one that nobody knows, which makes a document."""
        if isinstance(value, str) and value in TYPES:
            self.fields["type"] = value
            return
        spelled = read_string(value)
        known = _TYPE_ALIASES.get(_type_key(spelled))
        self.fields["type"] = known or "document"
        if spelled:
            self.fields["source_type"] = spelled
            if not known:
                self.doubt("unknown-type", f"unknown type {spelled!r}, read as document", value)

    def read_key(self) -> None:
        """Read `id`, or where that is missing `citation-key`."""
        label = read_string(self.item.get("citation-key", ""))
        self.fields["key"] = read_string(self.item.get("id", "")) or label
        if label and label != self.fields["key"]:
            self.keep("citation-key", label)

    def read_custom(self, custom: Any) -> None:
        """Read what other writers of ours have put under `custom`, and keep the rest of it."""
        if not isinstance(custom, dict):
            if not _is_empty(custom):
                self.keep("custom", custom)
            return
        rest = {}
        for name, value in custom.items():
            if not self.read_own(name, value):
                rest[name] = value
        if rest:
            self.keep("custom", rest)

    def read_own(self, name: str, value: Any) -> bool:
        """Read one part of `custom`; False if it is not ours."""
        if name == "truncated":
            names = _convert(value, tuple[str, ...])
            self.set_if("truncated", names and tuple(name for name in names if name in _NAME_FIELDS))
            return bool(names)
        if name == "ids":
            return self.set_if("ids", _convert(value, dict[str, str]))
        if name == "links":
            return self.set_if("links", _convert(value, tuple[Link, ...]))
        if name == "bibtools":
            return isinstance(value, dict) and self.read_exact(value)
        pairs = _convert(value, tuple[tuple[str, Any], ...] if name == "csl" else tuple[tuple[str, str], ...])
        if name == "csl" and pairs:
            for variable, raw in pairs:
                self.keep(variable, raw)
        elif pairs:
            self.fields.setdefault("extra", {})[name] = pairs
        return bool(pairs)

    def set_if(self, field: str, value: Any) -> bool:
        """Set a field where there is a value; tell whether there is."""
        if value:
            self.fields[field] = value
        return bool(value)

    def read_exact(self, own: Item) -> bool:
        """Read custom.bibtools: the exact form of values that stand in CSL's variables.

        A form counts only while the variable still holds what it was written as: whoever edits the
        variable means it.
        """
        fields = self.fields
        for field, result in _exact_texts(own.get("text"), self.item):
            fields[field] = result
        notes = _convert(own.get("notes"), tuple[Text, ...])
        if notes and "\n".join(note.plain for note in notes) == self.item.get("note"):
            fields["note"] = notes
        keywords = _convert(own.get("keywords"), tuple[str, ...])
        if keywords and join_keywords(keywords) == self.item.get("keyword"):
            fields["keyword"] = keywords
        self.read_exact_dates(own)
        self.read_orcids(own.get("orcid"))
        for name, field, kind in _OWN_FIELDS:
            self.set_if(field, _convert(own.get(name), kind))
        for name in ("editor-translator",):
            self.set_if(name.replace("-", "_"), read_names(own.get(name)))
        return True

    def read_exact_dates(self, own: Item) -> None:
        """Read what CSL's dates cannot say: the date as typed, and dates without a beginning."""
        literals = _convert(own.get("literal"), dict[str, str]) or {}
        for variable, literal in literals.items():
            date = self.fields.get(_date_field(variable))
            if isinstance(date, PartialDate):
                self.fields[_date_field(variable)] = msgspec.structs.replace(date, literal=literal)
        dates = _convert(own.get("date"), dict[str, PartialDate]) or {}
        self.fields.update(
            {_date_field(variable): date for variable, date in dates.items() if _date_field(variable)}
        )

    def read_orcids(self, value: Any) -> None:
        """Read ORCID iDs: by variable, by the name's position in it."""
        for variable, places in (_convert(value, dict[str, dict[str, str]]) or {}).items():
            field = _VARIABLES[variable].field if variable in _VARIABLES else ""
            names = self.fields.get(field)
            if isinstance(names, tuple) and field in _NAME_FIELDS:
                self.fields[field] = tuple(
                    msgspec.structs.replace(name, orcid=places[str(place)]) if str(place) in places else name
                    for place, name in enumerate(names)
                )


def _date_field(variable: str) -> str:
    """Return the field of a date variable, or empty."""
    field = _VARIABLES[variable].field if variable in _VARIABLES else ""
    return field if _KINDS.get(field) == "date" else ""


def _convert(value: Any, kind: type[_T]) -> _T | None:
    """Return the value as this type, or None if it is not."""
    if value is None:
        return None
    try:
        return msgspec.convert(value, kind)
    except (msgspec.ValidationError, RecursionError):
        return None


def _exact_texts(value: Any, item: Item) -> list[tuple[str, Any]]:
    """Return (field, text) for texts whose tree is given and still agrees with the variable."""
    texts = []
    for variable, tree in (value if isinstance(value, dict) else {}).items():
        text = _convert(tree, Text)
        if variable not in _VARIABLES or text is None or _is_deep(text):
            continue
        field = _VARIABLES[variable].field
        kind = _KINDS[field]
        if item.get(variable) == (format_csl(text) if kind == "title" else text.plain):
            texts.append((field, (text,) if kind == "notes" else text))
    return texts


def _is_deep(text: Text) -> bool:
    """Tell whether a tree is nested deeper than the program walks."""
    level = list(text.nodes)
    for _ in range(_DEEPEST_TREE):
        level = [
            child for node in level if not isinstance(node, str) for child in getattr(node, "children", ())
        ]
        if not level:
            return False
    return True


def _is_empty(value: Any) -> bool:
    """Tell whether a JSON value says nothing: null, an empty text, list or object, or a list of such."""
    if isinstance(value, str):
        return not value.strip()
    if isinstance(value, list):
        return all(part is None or part in ("", [], {}, [None], [[]]) for part in value)
    return value is None or value == {}


def _has_several(values: list[Any]) -> bool:
    """Tell whether more than one value of a list says anything."""
    return sum(not _is_empty(value) for value in values) > 1


# readers of one value: what it means, or something empty


def read_string(value: Any) -> str:
    """Return a value as text: numbers as they are written, lists joined with commas."""
    if type(value) is str:
        return value.strip()
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else str(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, list):
        return ", ".join(part for part in map(read_string, value) if part)
    return ""


def read_title(value: Any) -> Text | None:
    """Return a title with its mark-up; of a list, the first one."""
    if isinstance(value, list):
        value = next((part for part in value if not _is_empty(part)), None)
    return title_of(read_string(value))


def title_of(string: str) -> Text | None:
    """Return a title on one line, with its mark-up."""
    return text_of(squeeze(string) if "\n" in string else string)


def read_text(value: Any) -> Text | None:
    """Return running text, with its mark-up if it has any."""
    return text_of(read_string(value))


def text_of(string: str) -> Text | None:
    """Return running text of a string; None for blanks."""
    string = string.strip()
    return parse_text(string) if string else None


def read_notes(value: Any) -> tuple[Text, ...]:
    """Return the notes: one for a text, several for a list."""
    parts = value if isinstance(value, list) else [value]
    return tuple(text for part in parts if (text := read_text(part)))


def read_keywords(value: Any) -> tuple[str, ...]:
    """Return the keywords of one string, or of a list."""
    if isinstance(value, list):
        return tuple(text for part in value if (text := read_string(part)))
    return split_keywords(read_string(value))


def read_doi(value: Any) -> str:
    """Return a bare DOI."""
    return bare_doi(read_string(value))


def read_pages(value: Any) -> str:
    """Return page numbers, ranges with one hyphen."""
    return normalise_pages(read_string(value))


def read_identifier(value: Any) -> str:
    """Return a PubMed identifier without its name."""
    return _LABELLED_ID.sub("", read_string(value))


def read_names(value: Any) -> tuple[Contributor, ...]:
    """Return contributors of a list, one object or one text."""
    parts = value if isinstance(value, list) else [value]
    return tuple(name for part in parts if (name := read_name(part)))


def plain_names(names: list[Any]) -> tuple[Contributor, ...]:
    """Return the people of a list where each has just a family and a given name (nearly all); else none."""
    people = []
    try:
        for name in names:
            family, given = name["family"].strip(), name["given"].strip()
            if not family or not given or len(name) != 2:
                return ()
            people.append(Contributor(family, given))
    except (AttributeError, KeyError, TypeError):
        return ()
    return tuple(people)


def read_name(value: Any) -> Contributor | None:
    """Return a contributor of an object, or of a text: with a comma a person, without one a body."""
    if isinstance(value, str):
        value = value.strip()
        return (parse_ris_name(value) if "," in value else Contributor(literal=value)) if value else None
    if not isinstance(value, dict):
        return None
    parts: dict[str, Any] = {}
    for field, part in NAME_PARTS:
        text = value.get(part)
        if text and (text := read_string(text)):
            parts[field] = text
    if not parts and (text := read_string(value.get("name"))):
        parts["literal"] = text
    if not parts:
        return None
    if len(value) > len(parts):
        _read_flags(value, parts)
    return Contributor(**parts)


def _read_flags(value: Item, parts: dict[str, Any]) -> None:
    """Read what a name says besides its parts."""
    for field, part in (("comma_suffix", "comma-suffix"), ("static_ordering", "static-ordering")):
        if value.get(part) not in (None, False, 0, "", "0", "false"):
            parts[field] = True
    orcid = _ORCID.search(str(value.get("ORCID") or value.get("orcid") or ""))
    if orcid:
        parts["orcid"] = orcid[0]
    if value.get("parse-names") and "non_dropping_particle" not in parts and "family" in parts:
        particle, family = split_particle(parts["family"])
        if particle:
            parts.update(non_dropping_particle=particle, family=family)


def _says_cut(name: Contributor) -> bool:
    return not name.given and (name.literal or name.family).lower() in _CUT


def _says_more(value: Any) -> bool:
    """Tell whether a name has parts that CSL does not know, such as an affiliation."""
    if type(value) is not dict or value.keys() <= _NAME_KEYS:
        return False
    return any(not _is_empty(value[key]) for key in value.keys() - _NAME_KEYS)


class _Column(NamedTuple):
    """How a variable is read."""

    field: str
    read: Callable[[Any], Any]
    """Returns what a value of any shape means, or something empty."""
    usual: type
    """The type that nearly all values have."""
    plain: Callable[[Any], Any]
    """Returns quickly what a plain value of that type means, or something empty where `read` must look."""


_BY_KIND: dict[str, tuple[Callable[[Any], Any], type, Callable[[Any], Any]]] = {
    "title": (read_title, str, title_of),
    "text": (read_text, str, text_of),
    "notes": (read_notes, str, read_notes),
    "keywords": (read_keywords, str, split_keywords),
    "names": (read_names, list, plain_names),
    "date": (read_date, dict, read_date),
    "string": (read_string, str, str.strip),
}
_BY_FIELD: dict[str, tuple[Callable[[Any], Any], type, Callable[[Any], Any]]] = {
    "doi": (read_doi, str, bare_doi),
    "page": (read_pages, str, normalise_pages),
    "pmid": (read_identifier, str, read_identifier),
    "pmcid": (read_identifier, str, read_identifier),
}


def _column(row: dict[str, str]) -> _Column:
    """Return how the variables of a row of csl.tsv are read."""
    return _Column(row["field"], *_BY_FIELD.get(row["field"], _BY_KIND[row["kind"]]))


_KINDS = {row["field"]: row["kind"] for row in COLUMNS}
_NAME_FIELDS = frozenset(field for field, kind in _KINDS.items() if kind == "names")
_VARIABLES = {row["variable"]: _column(row) for row in COLUMNS if row["variable"]}
_ALIASES = {alias: _column(row) for row in COLUMNS for alias in row["aliases"].split()}
_OTHER = frozenset(("id", "type", "custom", "citation-key"))
_NAME_KEYS = frozenset(
    (
        *(part for _, part in NAME_PARTS),
        *("comma-suffix", "static-ordering", "parse-names", "ORCID", "orcid", "name"),
        *("sequence", "authenticated-orcid"),
    )
)
"""Parts of names that are read, and two of Crossref's that say nothing of the name."""
_OWN_FIELDS: tuple[tuple[str, str, Any], ...] = (
    ("key", "key", str),
    ("type", "type", str),
    ("source-type", "source_type", str),
    ("license", "license", str),
    ("promised-without-link", "promised_without_link", bool),
    ("claim", "claim", str),
    ("identification", "identification", Identification),
)


def _type_key(spelled: str) -> str:
    """Return a type's spelling without case, blanks, hyphens and underscores."""
    return re.sub(r"[\s_-]+", "", spelled.lower())


_TYPE_ALIASES = {
    _type_key(spelling): row["type"]
    for row in read_table("csl_types")
    for spelling in (row["type"], *row["aliases"].split())
}
