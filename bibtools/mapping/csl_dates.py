"""Dates as CSL-JSON has them, and as tools write them there."""

from functools import lru_cache
from typing import Any

from bibtools.model import PartialDate
from bibtools.text.dates import SEASONS, month_number, parse_date


def read_date(value: Any) -> PartialDate | None:
    """Return the date of an object, a text, a number, a list of numbers or a list of dates; None if none."""
    if type(value) is dict and len(value) == 1 and (plain := _plain_date(value.get("date-parts"))):
        return plain
    if isinstance(value, str):
        return parse_date(value) if value.strip() else None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _from_parts([[value]])
    if isinstance(value, list):
        return _read_list(value)
    if isinstance(value, dict):
        return _read_object(value)
    return None


def _plain_date(parts: Any) -> PartialDate | None:
    """Return the date of one list of parts, as nearly all dates are; None for whatever is not quite so."""
    if type(parts) is not list or len(parts) != 1 or type(parts[0]) is not list:
        return None
    try:
        return _date_of(*parts[0])
    except TypeError:  # a list or an object among them
        return None


@lru_cache(maxsize=4096, typed=True)
def _date_of(*parts: Any) -> PartialDate | None:
    """Return the date of year, month and day; cached, because many works share their dates."""
    return _from_parts([list(parts)])


def _read_list(value: list[Any]) -> PartialDate | None:
    """Return the date of `[2018, 2, 1]`, `[[2018, 2, 1], [2018, 2, 2]]` or a list of dates."""
    dates = [date for part in value if isinstance(part, dict | str) and (date := read_date(part))]
    if not dates or _number(value[0]) is not None:
        return _from_parts(value)
    first = dates[0]
    if len(dates) > 1 and first.start and first.end is None and dates[1].start:
        return PartialDate(first.start, dates[1].start, first.season, first.circa, first.literal)
    return first


def _read_object(value: dict[str, Any]) -> PartialDate | None:
    """Return the date of an object: its parts, else its text; marks are added to either."""
    date = _from_parts(value.get("date-parts") or value.get("parts") or _year_month_day(value))
    for key in ("raw", "literal", "date-time", "edtf"):
        text = value.get(key)
        if isinstance(text, int):
            text = str(text)
        if date is None and isinstance(text, str) and text.strip():
            date = parse_date(text)
    season = _season(value.get("season"))
    circa = value.get("circa") not in (None, False, 0, "", "0", "false")
    if date is None:
        return PartialDate(season=season, circa=circa) if season else None
    if season is None and not circa:
        return date
    return PartialDate(date.start, date.end, season or date.season, circa or date.circa, date.literal)


def _year_month_day(value: dict[str, Any]) -> list[Any]:
    """Return the date of an object with `year`, `month`, `day`."""
    return [part for part in (value.get("year"), value.get("month"), value.get("day")) if part is not None]


def _season(value: Any) -> int | None:
    """Return a season's number from 1 to 4, of its number or English name."""
    if isinstance(value, str):
        value = SEASONS.get(value.strip().lower()) or _number(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value - 20 if 21 <= value <= 24 else value if 1 <= value <= 4 else None
    return None


def _from_parts(parts: Any) -> PartialDate | None:
    """Return the date of date-parts: a list of lists, or one flat list; numbers may be texts."""
    if not isinstance(parts, list) or not parts:
        return None
    lists = parts if isinstance(parts[0], list) else [parts]
    start, season = _point(lists[0])
    if not start:
        return None
    end: tuple[int, ...] | None = None
    if len(lists) > 1 and isinstance(lists[1], list) and lists[1]:
        end = _point(lists[1])[0]
    return PartialDate(start, end, season)


def _point(parts: list[Any]) -> tuple[tuple[int, ...], int | None]:
    """Return year, month and day as far as they are given, and a season that stands for the month."""
    numbers: list[int] = []
    for place, part in enumerate(parts[:3]):
        number = _number(part)
        if number is None and place == 1 and isinstance(part, str):
            number = month_number(part)
        if not number:
            break
        if place == 1 and not 1 <= number <= 12:
            # citeproc-js has 13 to 16, EDTF 21 to 24 for the seasons
            season = number - 20 if 21 <= number <= 24 else number - 12 if 13 <= number <= 16 else None
            return tuple(numbers), season
        if place == 2 and not 1 <= number <= 31:
            break
        numbers.append(number)
    return tuple(numbers), None


def _number(part: Any) -> int | None:
    """Return a whole number, of a number or a text."""
    if isinstance(part, bool):
        return None
    if isinstance(part, int):
        return part
    if isinstance(part, float) and part.is_integer():
        return int(part)
    if isinstance(part, str):
        text = part.strip()
        digits = text[1:] if text[:1] == "-" else text
        if digits.isascii() and digits.isdigit() and len(digits) < 7:
            return int(text)
    return None
