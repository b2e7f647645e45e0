"""Dates: EDTF, ISO, and what people type, as a `PartialDate` and back.

Rules: EDTF levels 0 and 1 as biblatex takes them (biblatex 3.20, section 2.3.8), where year 0000 is 1 BCE.
What says more than the numbers can is kept as the literal.
"""

import re
from functools import lru_cache

from bibtools.model import PartialDate

MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
SEASONS = {"spring": 1, "summer": 2, "autumn": 3, "fall": 3, "winter": 4}

_ISO = re.compile(
    r"(-?\d{4,6})(?:-(\d{1,2})(?:-(\d{1,2}))?)?"
    r"(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?Z| ?[+-]\d{2}:?\d{2}| ?UTC)?)?"
)
_YMD = re.compile(r"(\d{4})([/. ])(\d{1,2})(?:\2(\d{1,2}))?(?:\2.*)?")
_DMY = re.compile(r"(\d{1,2})([/.-])(\d{1,2})\2(\d{4})")
_MY = re.compile(r"(\d{1,2})[/.-](\d{4})")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})")
_YEAR = re.compile(r"(?<!\d)(\d{4})(?!\d)")
_YEAR_RANGE = re.compile(r"(\d{4})\s*(?:-{1,3}|[–—])\s*(\d{4}|\d{2})?")
_CENTURY_OR_DECADE = re.compile(r"-?\d{1,3}(?:[uxX]{1,3})|\d{4}s")
_UNKNOWN_DIGIT = re.compile("[uxX]")
_WORD = re.compile(r"[^\W\d_]+")
_CIRCA = re.compile(r"(?:c\.|ca\.?|circa|approx(?:imately|\.)?|about)\s*(?=\d)", re.IGNORECASE)
_BCE = re.compile(r"(\d{1,5})\s*(?:b\.?\s?c\.?\s?e?\.?)", re.IGNORECASE)
_NUMBER = re.compile(r"(?<!\d)(\d{1,2})(?:st|nd|rd|th)?(?![\d])")


@lru_cache(maxsize=4096)
def parse_date(source: str) -> PartialDate:
    """Return a date as people and EDTF write it; with only `literal` where no year can be told.

    >>> parse_date("2024-07-08").start, parse_date("2004-22").season, parse_date("1723~").circa
    ((2024, 7, 8), 2, True)
    >>> parse_date("12 March 1999").start, parse_date("-0043").start, parse_date("in press").literal
    ((1999, 3, 12), (-44,), 'in press')
    """
    text = " ".join(source.split())
    edtf = parse_edtf(text)
    if edtf is not None:
        return edtf
    return _parse_free(text)


def parse_edtf(text: str) -> PartialDate | None:
    """Return an EDTF date or range, or None if it is none.

    >>> parse_edtf("2025-06/2025-08").end, parse_edtf("2020/..").end, parse_edtf("May 1999")
    ((2025, 8), (), None)
    """
    first, slash, second = text.partition("/")
    start = _parse_point(first)
    if start is None and not (slash and first in ("", "..", "open", "unknown")):
        return None
    if not slash:
        return start
    end = _parse_point(second)
    if end is None and second not in ("", "..", "open", "unknown"):
        return None
    if start is None:
        return PartialDate(start=(), end=end.start, literal=text) if end else None
    circa = start.circa or bool(end and end.circa)
    literal = text if start.literal or (end and end.literal) or (end and end.season) else ""
    return PartialDate(start.start, end.start if end else (), start.season, circa, literal)


def _parse_point(text: str) -> PartialDate | None:
    """Return one EDTF date, or None if it is none."""
    bare = text.rstrip("~?%")
    marks = text[len(bare) :]
    circa = bool(marks)
    if bare[:1] == "Y" or bare[:1] == "y":
        bare = bare[1:]
    if _CENTURY_OR_DECADE.fullmatch(bare):
        first = int(_UNKNOWN_DIGIT.sub("0", bare.rstrip("s")))
        return PartialDate((first,) if first > 0 else (), circa=True, literal=text)
    found = _ISO.fullmatch(bare)
    if not found:
        return None
    year = int(found[1])
    if year <= 0 and found[1] != "0":
        year -= 1
    if not found[2]:
        return PartialDate((year,), circa=circa)
    month = int(found[2])
    if 21 <= month <= 24 and not found[3]:
        return PartialDate((year,), season=month - 20, circa=circa)
    if month == 0:
        return PartialDate((year,), circa=circa)
    if not 1 <= month <= 12:
        return None
    day = int(found[3] or 0)
    if day > 31:
        return None
    return PartialDate((year, month, day) if day else (year, month), circa=circa)


def _parse_free(text: str) -> PartialDate:
    """Return what free text says of a date; the text is kept where it says more than the numbers."""
    if found := _COMPACT.fullmatch(text):
        numeric = _numeric(int(found[1]), int(found[2]), int(found[3]))
        if numeric:
            return numeric
    if found := _YMD.fullmatch(text):
        numeric = _numeric(int(found[1]), int(found[3]), int(found[4] or 0))
        if numeric:
            return numeric
    if found := _DMY.fullmatch(text):
        return _day_or_month_first(int(found[1]), int(found[3]), int(found[4]), text)
    if found := _MY.fullmatch(text):
        numeric = _numeric(int(found[2]), int(found[1]), 0)
        if numeric:
            return numeric
    if found := _YEAR_RANGE.fullmatch(text):
        return _year_range(found[1], found[2])
    if found := _BCE.fullmatch(text):
        return PartialDate((-int(found[1]),))
    if found := _CIRCA.match(text):
        inner = _parse_free(text[found.end() :])
        if inner.start and not inner.literal:
            return PartialDate(inner.start, inner.end, inner.season, True)
    point = _parse_point(text)
    return point if point is not None else _parse_words(text)


def _numeric(year: int, month: int, day: int) -> PartialDate | None:
    """Return a date from numbers, or None where they are none; nought means not given."""
    if month > 12 or day > 31:
        return None
    if not month:
        return PartialDate((year,))
    return PartialDate((year, month, day) if day else (year, month))


def _day_or_month_first(first: int, second: int, year: int, text: str) -> PartialDate:
    """Return a date whose order of day and month only the numbers tell; in doubt the year and the text."""
    if first > 12 >= second and first <= 31:
        return PartialDate((year, second, first))
    if second > 12 >= first and second <= 31:
        return PartialDate((year, first, second))
    if first == second and first <= 12:
        return PartialDate((year, first, second))
    return PartialDate((year,), literal=text)


def _year_range(first: str, second: str | None) -> PartialDate:
    """Return a range of years; a second year of two digits shares the first two of the first."""
    if second is None:
        return PartialDate((int(first),), end=())
    last = int(second) if len(second) == 4 else int(first[:2] + second)
    return PartialDate((int(first),), end=(last,))


def _parse_words(text: str) -> PartialDate:
    """Return a date with words in it: a month's name, a season, a day number, a year."""
    years = _YEAR.findall(text)
    if len(set(years)) != 1:
        return PartialDate(literal=text)
    year = int(years[0])
    words = [word.lower() for word in _WORD.findall(text)]
    months = [month for word in words if (month := month_number(word))]
    rest = [word for word in words if not month_number(word) and word not in _FILLERS]
    if months and not rest:
        return _with_month(text, year, months)
    seasons = [SEASONS[word] for word in rest if word in SEASONS]
    if len(seasons) == 1 and len(rest) == 1 and not months:
        return PartialDate((year,), season=seasons[0])
    if not words and re.fullmatch(r"[\[(]?\s*\d{4}\s*[\])]?[.,]?", text):
        return PartialDate((year,))
    return PartialDate((year,), literal=text)


_FILLERS = frozenset(
    [
        "st",
        "nd",
        "rd",
        "th",
        "of",
        "de",
        "the",
        "mon",
        "tue",
        "wed",
        "thu",
        "fri",
        "sat",
        "sun",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
    ]
)


def _with_month(text: str, year: int, months: list[int]) -> PartialDate:
    """Return a date from a year, one or two months, and the days that the text has left."""
    without_year = _YEAR.sub(" ", text, count=1)
    days = [int(day) for day in _NUMBER.findall(without_year) if 1 <= int(day) <= 31]
    if len(months) == 1:
        if not days:
            return PartialDate((year, months[0]))
        if len(days) == 1:
            return PartialDate((year, months[0], days[0]))
        if len(days) == 2 and days[0] < days[1]:
            return PartialDate((year, months[0], days[0]), end=(year, months[0], days[1]))
    if len(months) == 2 and not days:
        last = year if months[0] <= months[1] else year + 1
        return PartialDate((year, months[0]), end=(last, months[1]))
    if len(months) == 2 and len(days) == 2:
        return PartialDate((year, months[0], days[0]), end=(year, months[1], days[1]))
    return PartialDate((year, months[0]), literal=text)


def month_number(name: str) -> int | None:
    """Return the number of a month's English name or its first three letters or more, else None.

    >>> month_number("Sept."), month_number("mayor")
    (9, None)
    """
    name = name.lower().rstrip(".")
    if len(name) < 3:
        return None
    for number, month in enumerate(MONTHS, 1):
        if month.startswith(name) or (name == "sept" and number == 9):
            return number
    return None


@lru_cache(maxsize=4096)
def format_edtf(date: PartialDate) -> str:
    """Return a date in EDTF as biblatex reads it; the literal if there are no numbers.

    >>> format_edtf(PartialDate((2025, 6), (2025, 8))), format_edtf(PartialDate((-44,), circa=True))
    ('2025-06/2025-08', '-0043~')
    """
    if not date.start:
        return date.literal
    mark = "~" if date.circa else ""
    start = _format_point(date.start, date.season) + mark
    if date.end is None:
        return start
    return f"{start}/{_format_point(date.end, None) + mark if date.end else ''}"


def _format_point(parts: tuple[int, ...], season: int | None) -> str:
    """Return year, month and day as EDTF."""
    year = parts[0]
    if year < 0:
        text = f"-{-year - 1:04d}" if year < -1 else "0000"
    else:
        text = f"{year:04d}" if year < 10_000 else f"Y{year}"
    if season and len(parts) == 1:
        return f"{text}-{season + 20}"
    return "-".join([text, *[f"{part:02d}" for part in parts[1:]]])
