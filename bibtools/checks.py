"""Faults of entries: missing, unknown and malformed fields, keys and works that stand twice.

Codes are stable words. Severities: `error` for what makes a citation unusable or ambiguous, `warning`
for what is wrong in it, `info` for what is only worth a look.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date as Date
from difflib import get_close_matches
from functools import cache

from bibtools.errors import Location, Problem, Severity
from bibtools.mapping.csl import EXTRA_VARIABLES
from bibtools.mapping.ris import known_tags
from bibtools.mapping.values import is_doi
from bibtools.model import Contributor, Entry, Library, PartialDate
from bibtools.tables import read_table
from bibtools.works import WorkIndex

CODES: dict[str, tuple[Severity, str]] = {
    "empty-entry": ("error", "an entry without title, names or links"),
    "missing-field": ("warning", "a field that works of this type need"),
    "missing-title": ("error", "no title, nor anything that stands for one"),
    "unknown-field": ("info", "a field that the format does not know; a warning if it looks misspelt"),
    "malformed-key": ("error", "a citation key that LaTeX cannot cite"),
    "malformed-doi": ("warning", "a DOI that is none"),
    "malformed-isbn": ("warning", "an ISBN whose check digit is wrong"),
    "malformed-issn": ("warning", "an ISSN whose check digit is wrong"),
    "malformed-url": ("warning", "an address with blanks, or without its beginning"),
    "malformed-date": ("warning", "a date that the calendar does not have, or that has no year"),
    "malformed-pages": ("warning", "a page range that runs backwards"),
    "malformed-name": ("warning", "a name that holds several names"),
    "malformed-orcid": ("warning", "an ORCID iD whose check digit is wrong"),
    "duplicate-key": ("error", "one key for two entries"),
    "duplicate-work": ("warning", "two entries for one work"),
}
"""Codes of this module, how grave each is, and what it means."""

READING_CODES = frozenset({
    "bad-bytes", "broken-off", "commented-entry", "deep-nesting", "duplicate-field", "encoding",
    "extra-brace", "further-heading", "missing-comma", "missing-end", "missing-key", "missing-reference",
    "missing-type", "no-entries", "page-furniture", "reference-ring", "second-id", "stray-field",
    "stray-text", "tex-command", "text-outside-record", "too-long", "unbalanced-braces",
    "unclosed-entry", "unclosed-quote", "undefined-macro", "unknown-type", "unquoted-value",
    "unreadable-item", "wrong-type",
})  # fmt: skip
"""Codes of our readers, whose problems come first in a check."""

_KEY_FAULT = re.compile(r"[\s,{}%#~\\\"'()=]")
_ISBN = re.compile(r"(?<!\d)(?:97[89][- ]?)?(?:\d[- ]?){9}[\dXx](?!\d)")
_ISSN = re.compile(r"(?<![\dXx-])(\d{4})-?(\d{3}[\dXx])(?![\dXx-])")
_URL = re.compile(r"(?:[a-z][a-z0-9+.-]*:|//)\S+", re.IGNORECASE)
_PAGES = re.compile(r"(\d+)-(\d+)")
_SEVERAL = re.compile(r";| and | & ")
_BODY = re.compile(
    r"\b(?:inc|ltd|group|team|university|institute|society|council|committee|press|co)\b", re.IGNORECASE
)


def check_library(library: Library) -> list[Problem]:
    """Return what is wrong in a library: each entry by itself, and entries that stand twice."""
    return check_libraries([library])


def check_libraries(libraries: Sequence[Library]) -> list[Problem]:
    """Return what is wrong in several libraries, in file order; works may stand twice across them."""
    problems: list[Problem] = []
    for library in libraries:
        problems += library.problems
        for entry in library.entries:
            problems.extend(check_entry(entry, library.format, library.source))
        problems.extend(_duplicate_keys(library))
    problems.extend(_duplicate_works(libraries))
    return problems


def check_entry(entry: Entry, form: str = "", source: str = "") -> Iterator[Problem]:
    """Yield what is wrong with one entry.

    Args:
        entry: the entry.
        form: name of the format it was read from, which tells what fields are known.
        source: what messages call the input, where the entry does not say.
    """
    for code, message, raw in _faults(entry, form):
        severity = CODES[code][0]
        if code == "unknown-field" and "did you mean" in message:
            severity = "warning"
        yield _problem(code, severity, entry, message, raw, source)


def _problem(code: str, severity: Severity, entry: Entry, message: str, raw: str, source: str) -> Problem:
    where = Location(entry.origin.source, entry.origin.line) if entry.origin else Location(source)
    return Problem(code, severity, where, f"{entry.key or 'entry'}: {message}", raw)


Fault = tuple[str, str, str]
"""Code, message and the value concerned."""


def _faults(entry: Entry, form: str) -> Iterator[Fault]:
    yield from _missing(entry)
    yield from _unknown(entry, form)
    yield from _malformed_key(entry, form)
    for field, check in _CHECKS:
        value = getattr(entry, field)
        if value:
            yield from check(value)
    yield from _malformed_names(entry)


def _missing(entry: Entry) -> Iterator[Fault]:
    """Yield the fields that the entry's type needs and it has not."""
    if not (entry.title or entry.author or entry.editor or entry.url or entry.doi or entry.container_title):
        yield "empty-entry", "nothing says what work this is", ""
        return
    for alternatives in _required().get(entry.type, ("title",)):
        if any(getattr(entry, field) for field in alternatives.split("|")):
            continue
        code = "missing-title" if alternatives == "title" else "missing-field"
        names = alternatives.replace("_", "-").replace("|", " or ")
        yield code, f"no {names}, which a work of type {entry.type} needs", ""


@cache
def _required() -> dict[str, tuple[str, ...]]:
    return {row["type"]: tuple(row["fields"].split()) for row in read_table("required_fields")}


def _unknown(entry: Entry, form: str) -> Iterator[Fault]:
    """Yield the fields that the entry's own format does not know."""
    known = _known_fields(form)
    if not known:
        return
    for name, value in entry.extra.get(form_key(form), ()):
        if name.lower() in known or name in known or "+an" in name:
            continue
        near = get_close_matches(name.lower(), known, 1, 0.8)
        hint = f"; did you mean {near[0]}?" if near else ""
        yield "unknown-field", f"{name} is no field that {form} knows{hint}", value


def form_key(form: str) -> str:
    """Return the name under which `Entry.extra` has a format's fields."""
    return {"csljson": "csl", "biblatex": "bibtex"}.get(form, form)


@cache
def _known_fields(form: str) -> frozenset[str]:
    """Return the fields that a format knows, or nothing where nobody says."""
    if form == "ris":
        return known_tags()
    if form == "csljson":
        return frozenset((*EXTRA_VARIABLES, "custom", *(row["variable"] for row in read_table("csl"))))
    if form in ("bibtex", "biblatex"):
        return frozenset(
            row["field"] for table in ("bibtex_fields", "bibtex_other_fields") for row in read_table(table)
        )
    return frozenset()


def _malformed_key(entry: Entry, form: str) -> Iterator[Fault]:
    fault = _KEY_FAULT.search(entry.key)
    if fault and form in ("bibtex", "biblatex"):
        yield "malformed-key", f"{fault[0]!r} cannot stand in a citation key", entry.key


def _check_doi(value: str) -> Iterator[Fault]:
    if not is_doi(value):
        yield "malformed-doi", f"{value!r} is no DOI; it begins with 10. and has a slash", value


def _check_isbn(value: str) -> Iterator[Fault]:
    for match in _ISBN.finditer(value):
        digits = re.sub(r"[^\dXx]", "", match[0]).upper()
        if not (_is_isbn13(digits) if len(digits) == 13 else _is_isbn10(digits)):
            yield "malformed-isbn", f"the check digit of {match[0].strip()} is wrong", value


def _is_isbn13(digits: str) -> bool:
    """Tell whether the check digit is right (ISO 2108)."""
    return (
        digits.isdigit()
        and sum(int(digit) * (1, 3)[place % 2] for place, digit in enumerate(digits)) % 10 == 0
    )


def _is_isbn10(digits: str) -> bool:
    """Tell whether the check digit is right (ISO 2108 before 2007)."""
    values = [10 if digit == "X" else int(digit) for digit in digits]
    return len(values) == 10 and sum((10 - place) * value for place, value in enumerate(values)) % 11 == 0


def _check_issn(value: str) -> Iterator[Fault]:
    for match in _ISSN.finditer(value):
        values = [10 if digit in "Xx" else int(digit) for digit in match[1] + match[2]]
        if sum((8 - place) * value for place, value in enumerate(values)) % 11:
            yield "malformed-issn", f"the check digit of {match[0]} is wrong", value


def _check_url(value: str) -> Iterator[Fault]:
    if not _URL.fullmatch(value):
        yield "malformed-url", f"{value!r} is no address", value


def _check_date(value: PartialDate) -> Iterator[Fault]:
    for point in (value.start, value.end or ()):
        if len(point) == 3 and 0 < point[0] < 10_000 and not _is_day(point):
            yield "malformed-date", f"there is no day {'-'.join(map(str, point))}", value.literal
    if not value.start and value.end is None:
        yield "malformed-date", f"no year in {value.literal!r}", value.literal


def _is_day(point: tuple[int, ...]) -> bool:
    try:
        Date(*point)
    except ValueError:
        return False
    return True


def _check_pages(value: str) -> Iterator[Fault]:
    match = _PAGES.fullmatch(value)
    # 377-86 is short for 377-386
    if match and len(match[1]) == len(match[2]) and int(match[2]) < int(match[1]):
        yield "malformed-pages", f"{value} runs backwards", value


_CHECKS: tuple[tuple[str, Callable[..., Iterator[Fault]]], ...] = (
    ("doi", _check_doi),
    ("isbn", _check_isbn),
    ("issn", _check_issn),
    ("url", _check_url),
    ("issued", _check_date),
    ("accessed", _check_date),
    ("page", _check_pages),
)


def _malformed_names(entry: Entry) -> Iterator[Fault]:
    for people in (entry.author, entry.editor, entry.translator):
        for person in people:
            name = " ".join(filter(None, (person.given, person.family, person.literal)))
            if _SEVERAL.search(name) and not _BODY.search(name):
                yield "malformed-name", f"{name!r} looks like several names", name
            if person.orcid and not _is_orcid(person):
                yield "malformed-orcid", f"the check digit of {person.orcid} is wrong", person.orcid


def _is_orcid(person: Contributor) -> bool:
    """Tell whether the check digit of an ORCID iD is right (ISO 7064 11,2)."""
    digits = person.orcid.replace("-", "")
    if len(digits) != 16 or not digits[:15].isdigit():
        return False
    total = 0
    for digit in digits[:15]:
        total = (total + int(digit)) * 2
    return digits[15].upper() == "0123456789X"[(12 - total % 11) % 11]


def _duplicate_keys(library: Library) -> Iterator[Problem]:
    """Yield each entry whose key another one before it has."""
    first: dict[str, Entry] = {}
    for entry in library.entries:
        known = first.setdefault(entry.key.lower(), entry) if entry.key else entry
        if known is not entry:
            message = f"this key is also that of the entry {_place(known)}"
            yield _problem(
                "duplicate-key", CODES["duplicate-key"][0], entry, message, entry.key, library.source
            )


def _duplicate_works(libraries: Iterable[Library]) -> Iterator[Problem]:
    """Yield each entry whose work another one before it is."""
    index = WorkIndex()
    entries: list[Entry] = []
    for library in libraries:
        for entry in library.entries:
            place = index.find(entry)
            if place is None:
                index.add(entry, len(entries))
                entries.append(entry)
            else:
                message = f"the same work as {entries[place].key or 'the entry'} {_place(entries[place])}"
                yield _problem(
                    "duplicate-work", CODES["duplicate-work"][0], entry, message, entry.key, library.source
                )


def _place(entry: Entry) -> str:
    return f"at {entry.origin.source}:{entry.origin.line}" if entry.origin else "before it"
