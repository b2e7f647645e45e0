"""Headings of lists to venue and year: "ICML 2025 Papers", "NeurIPS'23", "第42届国际机器学习大会论文列表".

A venue is found by any of its names in `tables/venues.tsv`, whatever the language around it. The year is
the one written, or follows from the number of the edition ("37th Conference on …") or of the volume
("Advances in … 36"). Which catalogue holds it stands in `tables/known_catalogues.tsv`.
"""

import re
import unicodedata
from functools import cache

from msgspec import Struct

from bibtools.tables import Row, read_table

SHORT = 3
"""Abbreviations of at most so many letters count only where written in capitals: `ALT`, not `alt`."""

# Patterns are compiled where they are used: most runs need one of them at most.
YEAR = r"(?<!\d)(?:19[5-9]\d|20\d\d)(?!\d)|(?<=['’‘])\d\d(?!\d)|(?<=[A-Za-z])[0-5]\d(?![\d\w])"
"""A year in full, after an apostrophe, or glued to an abbreviation (`ICML25`)."""

ORDINAL = r"(?<!\d)(\d{1,3}) ?(?:st|nd|rd|th|\.?[ao]|\.|°|e|er|ème|:e|届|回)(?![a-z0-9])"
VOLUME = r"\W{0,3}(?:vol(?:ume|\.)?|band|tome|卷)?\W{0,2}(\d{1,3})(?!\d|st|nd|rd|th)"

FOLD = {ord("-"): " "} | {letter: letter + 32 for letter in range(ord("A"), ord("Z") + 1)}
"""ASCII capitals to small letters and hyphens to blanks; a text keeps its length."""

UNITS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    *("eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth"),
    *("eighteenth", "nineteenth"),
)
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")

HAN_DIGITS = {character: number for number, character in enumerate("零一二三四五六七八九")} | {"〇": 0}
HAN_ORDINAL = r"第?([一二三四五六七八九十]{1,4})[届回]"


class VenueYear(Struct, frozen=True):
    """A venue, and the year if one is known."""

    venue: str
    """Name in `tables/venues.tsv`, such as `icml`."""
    label: str
    """What people call it, such as `ICML`."""
    year: int | None = None

    def __str__(self) -> str:
        return f"{self.label} {self.year}" if self.year else self.label

    @property
    def catalogue(self) -> str:
        """Name of the known catalogue that holds it, such as `icml:2025`; empty where none does."""
        return catalogue_name(self.venue, self.year)


def parse_heading(text: str) -> VenueYear | None:
    """Return the first venue that a heading names, or None.

    >>> parse_heading("ICML 2025 论文列表")
    VenueYear(venue='icml', label='ICML', year=2025)
    >>> parse_heading("Reading list") is None
    True
    """
    return next(iter(find_venues(text)), None)


def find_venues(text: str) -> tuple[VenueYear, ...]:
    """Return the venues that a text names, in order, each once with the year that belongs to it.

    A venue's own year is the first one after it and before the next venue, else the last one before it.

    >>> [str(venue) for venue in find_venues("Best of NeurIPS'23 and ICLR 2024")]
    ['NeurIPS 2023', 'ICLR 2024']
    """
    text = normalise(text)
    spans = find_names(text)
    found_venues: dict[VenueYear, None] = {}
    for place, (start, end, row) in enumerate(spans):
        before = spans[place - 1][1] if place else 0
        after = spans[place + 1][0] if place + 1 < len(spans) else len(text)
        year = written_year(text[before:start], text[start:after]) or counted_year(
            row, text[before:start], text[end:after]
        )
        found_venues.setdefault(VenueYear(row["venue"], row["label"], year))
    return merge_names(tuple(found_venues))


def merge_names(venues: tuple[VenueYear, ...]) -> tuple[VenueYear, ...]:
    """Return the venues without those that another one says better.

    "International Conference on Machine Learning (ICML) 2025" names one venue twice, once with its year;
    a series such as PMLR says nothing beside a conference.
    """
    dated = {found.venue for found in venues if found.year}
    kept = [found for found in venues if found.year or found.venue not in dated]
    telling = [found for found in kept if found.venue != "pmlr"]
    return tuple(telling or kept)


def normalise(text: str) -> str:
    """Return the text with compatibility characters and blanks in their plain form."""
    return " ".join(unicodedata.normalize("NFKC", text[:1000]).split())


def written_year(before: str, after: str) -> int | None:
    """Return the year written after a venue's name, else the last one before it."""
    years = re.findall(YEAR, after) or re.findall(YEAR, before)[-1:]
    if not years:
        return None
    number = int(years[0])
    if number >= 100:
        return number
    return 1900 + number if number >= 60 else 2000 + number


def counted_year(row: Row, before: str, after: str) -> int | None:
    """Return the year that follows from the edition before a venue's name or the volume after it."""
    if row["ordinal_base"]:
        edition = parse_ordinal(before)
        year = edition + int(row["ordinal_base"]) if edition else 0
        if year >= int(row["ordinal_since"]):
            return year
    if row["volume_base"] and (found := re.match(VOLUME, after.casefold())):
        return int(row["volume_base"]) + int(found[1])
    return None


def parse_ordinal(text: str) -> int | None:
    """Return the last ordinal number of a text, in digits or words.

    >>> parse_ordinal("Proceedings of the Thirty-Seventh Annual "), parse_ordinal("第四十二届")
    (37, 42)
    """
    text = text.casefold()
    if found := list(re.finditer(ORDINAL, text)):
        return int(found[-1][1])
    if found := list(ordinal_words()[1].finditer(text)):
        return ordinal_words()[0][found[-1][0].replace("-", " ")]
    if found := list(re.finditer(HAN_ORDINAL, text)):
        return parse_han(found[-1][1])
    return None


def parse_han(numeral: str) -> int:
    """Return a Chinese numeral below one hundred as a number.

    >>> parse_han("四十二"), parse_han("十"), parse_han("九")
    (42, 10, 9)
    """
    tens, ten, units = numeral.rpartition("十")
    return 10 * (HAN_DIGITS.get(tens[:1], 1) if ten else 0) + HAN_DIGITS.get(units[:1], 0)


@cache
def ordinal_words() -> tuple[dict[str, int], re.Pattern[str]]:
    """Return the numbers of ordinal words up to 99 with a blank, and a pattern that also takes a hyphen."""
    numbers = {word: number for number, word in enumerate(UNITS, start=1)}
    for place, ten in enumerate(TENS, start=2):
        numbers[f"{ten[:-1]}ieth"] = 10 * place
        numbers |= {f"{ten} {unit}": 10 * place + number for number, unit in enumerate(UNITS[:9], start=1)}
    words = "|".join(sorted(numbers, key=len, reverse=True)).replace(" ", "[ -]")
    return numbers, re.compile(rf"\b(?:{words})\b")


@cache
def names() -> dict[str, Row]:
    """Return the rows of the venue table by each name, the longest name first."""
    rows = {name: row for row in read_table("venues") for name in row["names"].split("|")}
    return dict(sorted(rows.items(), key=lambda item: len(item[0]), reverse=True))


def find_names(text: str) -> list[tuple[int, int, Row]]:
    """Return where names of venues stand in a text, in order, none inside a longer name or word.

    Abbreviations of at most `SHORT` letters must be written in capitals; hyphens count as blanks. This
    runs for every list, so it looks for substrings: a pattern of all names takes far longer to compile.
    """
    folded = text.translate(FOLD)
    taken = bytearray(len(text))
    found = []
    for name, row in names().items():
        where, sought = (
            (text, name) if len(name) <= SHORT and name.isascii() else (folded, name.translate(FOLD))
        )
        start = where.find(sought)
        while start >= 0:
            end = start + len(sought)
            if not any(taken[start:end]) and stands_alone(text, start, end):
                taken[start:end] = b"x" * len(sought)
                found.append((start, end, row))
            start = where.find(sought, end)
    return sorted(found, key=lambda span: span[0])


def stands_alone(text: str, start: int, end: int) -> bool:
    """Tell whether no ASCII letter stands right before or after a part of a text."""
    around = text[max(0, start - 1) : start] + text[end : end + 1]
    return not any(character.isascii() and character.isalpha() for character in around)


def catalogue_name(venue: str, year: int | None) -> str:
    """Return the name of the known catalogue that holds a venue's year; empty where none does.

    >>> catalogue_name("icml", 2025), catalogue_name("emnlp", 2019), catalogue_name("icml", 1950)
    ('icml:2025', 'acl', '')
    """
    name = f"{venue}:{year}" if year else venue
    if name in catalogue_names():
        return name
    return next((row["catalogue"] for row in read_table("venues") if row["venue"] == venue), "")


@cache
def catalogue_names() -> frozenset[str]:
    """Return the names of all known catalogues."""
    return frozenset(row["name"] for row in read_table("known_catalogues"))
