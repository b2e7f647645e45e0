"""Small values that every format spells in its own way, brought to the model's one form."""

import re

from bibtools.text.patterns import LazyPattern

_DOI_PREFIX = LazyPattern(
    r"(?:(?:https?:)?//(?:[a-z-]+\.)*doi\.org/|doi\.org/|doi\s*[:=]\s*|info:doi/)+", re.IGNORECASE
)
_DOI = LazyPattern(r"10\.\d{2,9}(?:\.\d+)*/\S+")
_DASHES = LazyPattern(r"\s*[-\u2010-\u2015\u2212](?:\s*[-\u2010-\u2015\u2212])*\s*")
_DASH = re.compile(r"[-\u2010-\u2015\u2212]")


def bare_doi(value: str) -> str:
    """Return a DOI without address, `doi:` or blanks round it; other text comes back as it is.

    >>> bare_doi("https://dx.doi.org/10.5555/ABC.Def")
    '10.5555/ABC.Def'
    >>> bare_doi("doi: 10.5555/x")
    '10.5555/x'
    """
    value = value.strip()
    if value.startswith("10."):
        return value
    match = _DOI_PREFIX.match(value)
    return value[match.end() :].strip() if match else value


def is_doi(value: str) -> bool:
    """Tell whether the whole value is a bare DOI.

    Source:
        Crossref's pattern for modern DOIs, widened to old prefixes with sub-elements.
    """
    return bool(_DOI.fullmatch(value))


def normalise_pages(value: str) -> str:
    """Return page numbers with one hyphen for each range, whatever dash was typed.

    >>> normalise_pages("467–499, e12 -- e20")
    '467-499, e12-e20'
    """
    value = value.strip()
    if value.replace("-", "", 1).isalnum() or not _DASH.search(value):
        return value
    return _DASHES.sub("-", value)
