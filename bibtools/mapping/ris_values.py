"""Values as RIS spells them: dates, page ranges, serial numbers, identifiers."""

import re
from functools import lru_cache

from bibtools.model import PartialDate
from bibtools.text.dates import MONTHS, format_edtf, parse_date
from bibtools.text.patterns import LazyPattern

_SLASHED = re.compile(r"(\d{4})(?:/(\d{0,2})(?:/(\d{0,2})(?:/(.*))?)?)?", re.DOTALL)
_YEARLESS = LazyPattern(r"\D*(?:\d{1,2})?\D*")
_ISSN = re.compile(r"(?<![\d-])\d{4}-\d{3}[\dXx](?![\d-])")
_ISBN = re.compile(r"(?<!\d)(?:97[89][- ]?)?(?:\d[- ]?){9}[\dXx](?!\d)")
_LABEL = re.compile(r"(IS[BS]N)(?:-1[03])?[:\s]+(?=\S)", re.IGNORECASE)
_RANGE = re.compile(r"([^,;\s-]+)-([^,;\s-]+)")
_SCHEME = LazyPattern(r"([a-z][a-z0-9]+):(\S.*)")

NUMBERED = frozenset(("report", "patent", "standard"))
"""Types whose SN is their number (Zotero: reportNumber, patentNumber)."""
SERIALS = frozenset(
    (
        "article-journal",
        "article-magazine",
        "article-newspaper",
        "article",
        "document",
        "periodical",
        "review",
    )
)
"""Types whose SN is an ISSN where its form does not tell."""


@lru_cache(maxsize=4096)
def parse_ris_date(value: str) -> PartialDate:
    """Return a date as RIS writes it, `year/month/day/other` with empty parts, or as people type it.

    >>> parse_ris_date("2024/07//").start, parse_ris_date("1993/00/00").start
    ((2024, 7), (1993,))
    >>> parse_ris_date("1829///1830").end, parse_ris_date("2004///2004-22").season
    ((1830,), 2)
    """
    value = value.strip()
    match = _SLASHED.fullmatch(value)
    if not match:
        return parse_date(value)
    start = [int(match[1])]
    for part in (match[2], match[3]):
        if not part or not int(part):
            break
        start.append(int(part))
    other = (match[4] or "").strip()
    if any(part > most for part, most in zip(start[1:], (12, 31), strict=False)):
        return PartialDate((start[0],), literal=value)
    if not other:
        skipped = len(start) == 1 and match[3] and int(match[3])
        return PartialDate(tuple(start), literal=value if skipped else "")
    return _with_other(tuple(start), other, value)


def _with_other(start: tuple[int, ...], other: str, value: str) -> PartialDate:
    """Return a date whose fourth part says more: the whole in EDTF, an end, or words."""
    told = parse_date(other)
    if told.start == start and told != PartialDate(start):
        return told
    if not told.literal and told.end is None and len(start) == len(told.start) == 1 and told.start > start:
        return PartialDate(start, end=told.start)
    return PartialDate(start, literal=value)


@lru_cache(maxsize=4096)
def format_ris_date(date: PartialDate) -> str:
    """Return a date for DA or Y2: `2024/07/08/`; what the numbers do not say goes into the fourth part.

    >>> format_ris_date(PartialDate((2024, 7))), format_ris_date(PartialDate((2025, 6), (2025, 8)))
    ('2024/07//', '2025/06//2025-06/2025-08')
    """
    if not date.start:
        return date.literal
    year = date.start[0]
    if not 0 < year < 10_000:
        return format_edtf(date)
    slots = "/".join([f"{year:04d}", *(f"{part:02d}" for part in date.start[1:]), "", "", ""][:3])
    if date.literal:
        return date.literal if date.literal.startswith(f"{year:04d}/") else f"{slots}/{date.literal}"
    exact = date.end is None and date.season is None and not date.circa
    return f"{slots}/" if exact else f"{slots}/{format_edtf(date)}"


def format_ris_year(date: PartialDate) -> str:
    """Return the year for PY, or nothing where RIS cannot say it so."""
    return f"{date.start[0]:04d}" if date.start and 0 < date.start[0] < 10_000 else ""


def format_day(date: PartialDate) -> str:
    """Return month and day as EndNote has them in DA, the year being in PY: `July 8`."""
    if len(date.start) < 2:
        return ""
    month = MONTHS[date.start[1] - 1].capitalize()
    return f"{month} {date.start[2]}" if len(date.start) > 2 else month


def is_yearless(value: str) -> bool:
    """Tell whether a date has no year in it, such as `July 8`."""
    return bool(_YEARLESS.fullmatch(value))


def split_pages(page: str) -> tuple[str, str]:
    """Return first and last page of one plain range, else all of it and nothing.

    >>> split_pages("12-34"), split_pages("7, 41-43"), split_pages("1-1")
    (('12', '34'), ('7, 41-43', ''), ('1-1', ''))
    """
    match = _RANGE.fullmatch(page)
    return (match[1], match[2]) if match and match[1] != match[2] else (page, "")


def serial_kind(value: str, entry_type: str) -> str:
    """Return the field that a serial number in SN is: `isbn`, `issn` or `number`.

    >>> serial_kind("978-0-262-03384-8", "report"), serial_kind("TR-12", "report")
    ('isbn', 'number')
    >>> serial_kind("0022-3670, 1520-0485", "book"), serial_kind("00219606", "article-journal")
    ('issn', 'issn')
    """
    label = _LABEL.match(value)
    if label:
        return label[1].lower()
    if _ISBN.search(value) and not _ISSN.search(value):
        return "isbn"
    if entry_type in NUMBERED:
        return "number"
    if _ISSN.search(value) or entry_type in SERIALS:
        return "issn"
    return "isbn"


@lru_cache(maxsize=4096)
def read_serial(value: str, entry_type: str) -> tuple[str, str]:
    """Return field and value of a serial number in SN: an ISBN or ISSN without that word before it.

    >>> read_serial("ISSN 0022-3670", "report")
    ('issn', '0022-3670')
    """
    kind = serial_kind(value, entry_type)
    return kind, value if kind == "number" else _LABEL.sub("", value)


def split_scheme(value: str) -> tuple[str, str] | None:
    """Return (scheme, identifier) of `openreview:AbC`, None for any other accession number."""
    match = _SCHEME.fullmatch(value)
    return (match[1], match[2]) if match and not match[2].startswith("//") else None
