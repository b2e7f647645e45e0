"""Values of BibTeX fields, and the small tables of its words: types, languages, localisation keys."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from msgspec import Struct

from bibtools.mapping.values import bare_doi, normalise_pages
from bibtools.model import Contributor, Node, PartialDate, Text
from bibtools.tables import read_table
from bibtools.text.dates import month_number, parse_date, parse_edtf
from bibtools.text.names import parse_bibtex_names, split_names
from bibtools.text.tex import clean_url, decode_tex, parse_tex
from bibtools.text.tree import text_of

Fields = Mapping[str, str]
"""Values of an entry's fields by name in lower case, as TeX, macros put in, delimiters off."""

SCHEMES = ("http://", "https://")
EPRINT_SITES = {
    "arxiv": "https://arxiv.org/abs/",
    "jstor": "https://www.jstor.org/stable/",
    "pubmed": "https://www.ncbi.nlm.nih.gov/pubmed/",
    "googlebooks": "https://books.google.com?id=",
    "hdl": "https://hdl.handle.net/",
}

_ARXIV_ID = r"(?:\d{4}\.\d{4,5}|[a-z]+(?:-[a-z]+)*(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?"
_BARE_ARXIV = re.compile(rf"(?:arxiv:)?\s*({_ARXIV_ID})", re.IGNORECASE)
_NAMED_ARXIV = re.compile(rf"\barxiv\b[^/]*?:\s*({_ARXIV_ID})", re.IGNORECASE)
_ABS_ARXIV = re.compile(rf"abs/({_ARXIV_ID})")
_MONTH_RANGE = re.compile(r"(\d{1,2})\s*(?:--?|/)\s*(\d{1,2})")
_PARAGRAPHS = re.compile(r"\n\n")
_SENTENCE_END = (".", "?", "!", ":")


class TypeRule(Struct, frozen=True):
    """What an entry type means."""

    csl: str
    group: str
    """Decides what `number` is: `article`, `periodical`, `paper`, `book`, `in` or `other`."""
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


@cache
def csl_types() -> frozenset[str]:
    """Return CSL's entry types."""
    return frozenset(row["type"] for row in read_table("csl_types"))


def long_text(value: str) -> Text:
    """Return a long text, its paragraphs kept."""
    return parse_tex(value, protect=False, breaks=True)


@lru_cache(maxsize=4096)
def literal_list(value: str) -> str:
    """Return a biblatex literal list (`A and B`) as text with semicolons."""
    return "; ".join(plain(part) for part in split_names(value) if part)


plain = decode_tex
"""A value as plain text, on one line."""

shared_text = lru_cache(maxsize=4096)(decode_tex)
"""decode_tex for words that many entries share: publishers and places."""

short_title = lru_cache(maxsize=4096)(parse_tex)
"""parse_tex for titles that many entries share: journals, proceedings, series."""


@lru_cache(maxsize=4096)
def name_list(value: str) -> tuple[tuple[Contributor, ...], bool]:
    """Return the names of a list, cached: many entries share their editors, but hardly their authors."""
    return parse_bibtex_names(value)


def keyword_list(value: str) -> tuple[str, ...]:
    """Return keywords, split at semicolons if there are any outside braces, else at commas."""
    parts = _split_outside_braces(value, ";")
    if len(parts) == 1:
        parts = _split_outside_braces(value, ",")
    return tuple(keyword for part in parts if (keyword := plain(part.strip(" "))))


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
    first, _, last = value.partition("--")
    if first.isalnum() and last.isalnum():
        return f"{first}-{last}"
    if value.isdecimal():
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
    return first + "".join(f" {line}" if line.startswith(SCHEMES) else line for line in others)


def bare_identifier(value: str) -> str:
    """Return a DOI without address and escapes."""
    return bare_doi(address(value))


@lru_cache(maxsize=20_000)
def date_value(value: str) -> PartialDate | None:
    """Return a date, if the value says one; in EDTF a tilde means circa, not TeX's blank."""
    date = parse_edtf(value.strip("{} \n")) or parse_date(plain(value))
    return date if date.start or date.literal else None


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


def split_paragraphs(text: Text) -> list[Text]:
    """Return a note's paragraphs as notes of their own; one with mark-up stays whole."""
    if text.nodes or "\n\n" not in text.plain:
        return [text] if text else []
    return [Text(part) for part in _PARAGRAPHS.split(text.plain)]


@lru_cache(maxsize=4096)
def date_of_parts(year: str, month: str, day: str) -> PartialDate:
    """Return the date that BibTeX's year, month and day say, each TeX in whatever form it was typed.

    >>> date_of_parts("1999", "mar", "12").start, date_of_parts("1988", "aug/sep", "").end
    ((1999, 3, 12), (1988, 9))
    """
    year, month, day = plain(year), plain(month), plain(day)
    issued = parse_date(year)
    if not month or len(issued.start) != 1 or issued.literal or issued.end is not None:
        return issued
    number = int(month) if month.isdecimal() else month_number(month)
    if number is not None and 1 <= number <= 12:
        digits = day.rstrip(".").removesuffix("th")
        start = (issued.start[0], number)
        if digits.isdecimal() and 1 <= int(digits) <= 31:
            start = (*start, int(digits))  # type: ignore[assignment]  # a third number
        return PartialDate(start, circa=issued.circa)
    if (found := _MONTH_RANGE.fullmatch(month)) and 1 <= int(found[1]) <= int(found[2]) <= 12:
        return PartialDate((issued.start[0], int(found[1])), end=(issued.start[0], int(found[2])))
    words = parse_date(f"{day} {month} {issued.start[0]}".strip())
    return issued if words.literal else words
