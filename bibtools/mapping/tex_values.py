"""Values as TeX, by their kind: what stands between a field's braces."""

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from bibtools.mapping.bibtex_values import type_rules
from bibtools.model import Contributors, Entry, PartialDate, Text
from bibtools.tables import read_table
from bibtools.text.bibsyntax import balanced
from bibtools.text.dates import format_edtf
from bibtools.text.names import format_bibtex_names
from bibtools.text.tex import encode_tex, format_tex, format_url, is_own_tex
from bibtools.text.titles import protect_capitals, running_capitals
from bibtools.text.tree import drop_spans, squeeze, squeezed_text_of


class Style(Struct, frozen=True):
    """How to write: dialect, letters, code links."""

    dialect: str = "bibtex"
    ascii: bool = False
    code_as: str = "field"
    strict: bool = False
    """Only the entry types of the dialect; else those that BibTeX's readers took are kept in both."""


Value = Callable[[Any, Entry, Style], str]
"""Returns a variable's value as TeX."""

_LONE_HYPHEN = re.compile(r"(?<!-)-(?!-)")
_LINE_LIKE_ENTRY = re.compile(r"(\n[ \t]*)@")


def safe(value: str) -> str:
    """Return a value that cannot break the file: its braces balance, no line begins like an entry."""
    if "@" in value and "\n" in value:
        value = _LINE_LIKE_ENTRY.sub(r"\1{}@", value)
    return balanced(value) if "{" in value or "}" in value else value


def encode(text: str, style: Style) -> str:
    """Return plain text as TeX on one line."""
    return encode_tex(squeeze(text) if "\n" in text else text, style.ascii)


def plain_tex(text: str, entry: Entry, style: Style) -> str:
    """Return plain text, which mostly is its own TeX."""
    return text if is_own_tex(text) else safe(encode(text, style))


def verbatim_tex(value: str, entry: Entry, style: Style) -> str:
    """Return an identifier or address as it is."""
    return format_url(value)


def names_tex(people: Contributors, entry: Entry, style: Style) -> str:
    """Return people and bodies."""
    return format_bibtex_names(people, ascii=style.ascii)


def date_tex(date: PartialDate, entry: Entry, style: Style) -> str:
    """Return a date other than the work's own."""
    return safe(encode(date.literal, style)) if date.literal else format_edtf(date)


def keywords_tex(keywords: Sequence[str], entry: Entry, style: Style) -> str:
    """Return the keywords, those in braces that would be split."""
    joined = ", ".join(keywords)
    if joined.count(",") == len(keywords) - 1 and ";" not in joined:
        return plain_tex(joined, entry, style)
    return safe(
        ", ".join(
            [
                f"{{{encode(keyword, style)}}}"
                if "," in keyword or ";" in keyword
                else encode(keyword, style)
                for keyword in keywords
            ]
        )
    )


def list_tex(value: str, entry: Entry, style: Style) -> str:
    """Return publishers or places: a list in biblatex, text in BibTeX; an `and` within one is braced."""
    encoded = plain_tex(value, entry, style).replace(" and ", " {and} ")
    return encoded.replace("; ", " and ") if style.dialect == "biblatex" else encoded


def pages_tex(pages: str, entry: Entry, style: Style) -> str:
    """Return pages with `--` for ranges."""
    if is_own_tex(pages):
        return pages.replace("-", "--")
    return safe(_LONE_HYPHEN.sub("--", encode(pages, style)))


def long_tex(text: Text, entry: Entry, style: Style) -> str:
    """Return running text that is no title."""
    if not text.nodes and is_own_tex(text.plain):
        return text.plain
    return safe(format_tex(text, style.ascii, protect=False))


def short_tex(text: Text, entry: Entry, style: Style) -> str:
    """Return a title on one line, its letter case protected where its text says so."""
    if not text.nodes:
        return plain_tex(text.plain, entry, style)
    if "\n" in text.plain:
        text = squeezed_text_of(text.nodes)
    return safe(format_tex(text, style.ascii))


def title_tex(text: Text, entry: Entry, style: Style) -> str:
    """Return the work's own title, the capitals protected that matter unless BibTeX's braces say which do."""
    if not (comes_from_bibtex(entry) or has_nocase(text)):
        capitals = running_capitals(entry.abstract.plain, text.plain) if entry.abstract else ()
        text = protect_capitals(text, capitals)
    return short_tex(text, entry, style)


def has_nocase(text: Text) -> bool:
    """Say whether a text has letter case protected anywhere."""
    return bool(text.nodes) and drop_spans(text.nodes, frozenset({"nocase"})) != text.nodes


def comes_from_bibtex(entry: Entry) -> bool:
    """Say whether an entry was read from BibTeX: then its title's braces, or their absence, are meant."""
    spelled = entry.source_type
    return (
        bool(spelled)
        and spelled.lower() in type_rules()
        and (spelled not in _ris_types() or "bibtex" in entry.extra)
    )


@cache
def _ris_types() -> frozenset[str]:
    """Return RIS's types, some of which (`BOOK`) are spelled like BibTeX's."""
    return frozenset(row["ty"] for row in read_table("ris_types"))
