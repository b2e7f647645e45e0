"""Identifiers and dates as records of several sources have them."""

import re
from collections.abc import Iterable, Sequence

from bibtools.model import PartialDate

NEURIPS = re.compile(r"/paper(?:_files/paper)?/(\d{4}/(?:hash|file)/[0-9a-f]{32})")
IDENTIFIERS = (
    (
        "proceedings.mlr.press/",
        "pmlr",
        re.compile(r"/([vr]\d+/[\w.-]+?)(?:/[\w.-]+\.pdf|-supp\.pdf|\.html|\.pdf)?$"),
    ),
    ("openreview.net/", "openreview", re.compile(r"/(?:forum|pdf|attachment)\?(?:\w+=[^&]*&)*id=([\w-]+)")),
    ("arxiv.org/", "arxiv", re.compile(r"/(?:abs|pdf|html)/([a-zA-Z.-]+/\d{7}|\d{4}\.\d{4,5})(?:v\d+)?")),
    ("aclanthology.org/", "acl", re.compile(r"org/([A-Z]\d\d-\d{4,5}|\d{4}\.[\w-]+\.\d+)")),
    ("aclweb.org/anthology/", "acl", re.compile(r"/anthology/([A-Z]\d\d-\d{4,5}|\d{4}\.[\w-]+\.\d+)")),
    ("papers.nips.cc/", "neurips", NEURIPS),
    ("proceedings.neurips.cc/", "neurips", NEURIPS),
)
"""Identifiers in the addresses of works: what the address holds, the scheme, where the identifier stands."""

ISO_DATE = re.compile(r"(\d{4})(?:-(\d\d?))?(?:-(\d\d?))?(?=$|[T ])", re.ASCII)
DOI = re.compile(r"^(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?(10\.\d{4,9}/\S+)$", re.IGNORECASE)


def ids_from_urls(urls: Iterable[str]) -> dict[str, str]:
    """Return the identifiers that a work's own addresses hold, by scheme; the first of each scheme.

    >>> ids_from_urls(["https://proceedings.mlr.press/v28/allenzhu13.html"])
    {'pmlr': 'v28/allenzhu13'}
    """
    found: dict[str, str] = {}
    for url in urls:
        for mark, scheme, pattern in IDENTIFIERS:
            if mark in url and scheme not in found and (match := pattern.search(url)):
                found[scheme] = match[1].replace("/hash/", "/").replace("/file/", "/")
    return found


def bare_doi(value: str) -> str:
    """Return a DOI without address or prefix, in lower case as DOIs compare; empty if it is none."""
    match = DOI.match(value.strip())
    return match[1].lower() if match else ""


def iso_date(value: str) -> PartialDate | None:
    """Return an ISO date to the precision that it has, or None where it is none.

    >>> iso_date("2024-07-08T10:00:00Z").start, iso_date("2024-07").start, iso_date("July") is None
    ((2024, 7, 8), (2024, 7), True)
    """
    match = ISO_DATE.match(value.strip())
    return date_of([int(part) for part in match.groups() if part]) if match else None


def date_of(numbers: Sequence[int]) -> PartialDate | None:
    """Return the date of year, month and day, without what cannot be: month 0, day 32.

    >>> date_of([2024, 0, 5]).start
    (2024,)
    """
    kept: list[int] = []
    for number, most in zip(numbers, (9999, 12, 31), strict=False):
        if not 1 <= number <= most:
            break
        kept.append(number)
    return PartialDate(start=tuple(kept)) if kept else None
