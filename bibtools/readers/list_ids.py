"""Identifiers of works as lists give them: DOI, arXiv, OpenReview, PMLR and ACL ids, bare or as addresses."""

import re

from bibtools.text.patterns import LazyPattern

NONE = "none"
LONGEST_ID = 300
ID_MARKS = (":", "/", ".", "：", "-")
"""No id is without one of these."""
DECORATION = LazyPattern(r"\\(?:url|href)\{|[<>{}\[\]()|*`\"“”]")
ARXIV = r"(?:https?://)?(?:www\.|export\.)?(?:arxiv\.org/(?:abs|pdf|html)|alphaxiv\.org/abs)/"
OPENREVIEW = r"(?:https?://)?(?:www\.)?openreview\.net/(?:forum|pdf|attachment)\?(?:[\w=%.-]+&)*id="
PMLR = r"(?:https?://)?(?:www\.)?proceedings\.mlr\.press/"
ACL = r"(?:https?://)?(?:www\.)?(?:aclanthology\.org|aclweb\.org/anthology)/"
SPELLINGS = (
    ("arxiv", r"(?:https?://doi\.org/|doi:?\s*)?10\.48550/arxiv\.(\d{4}\.\d{4,5})(?:v\d+)?"),
    ("doi", r"(?:(?:https?://)?(?:dx\.|www\.)?doi\.org/|doi:?\s*)?(10\.\d{4,9}/\S+)"),
    ("arxiv", rf"(?:{ARXIV}|arxiv:?\s*)?(\d{{4}}\.\d{{4,5}})(?:v\d+)?(?:\.pdf)?"),
    ("arxiv", rf"(?:{ARXIV}|arxiv:?\s*)([a-z-]+(?:\.[A-Z]{{2}})?/\d{{7}})(?:v\d+)?(?:\.pdf)?"),
    ("openreview", rf"(?:{OPENREVIEW}|openreview:\s*)([\w-]{{6,20}})(?:[&#]\S*)?"),
    ("pmlr", rf"(?:{PMLR}|pmlr[:-]\s*)([vr]?\d+)[/-]([a-z0-9_-]+?)(?:\.html|/\S+\.pdf|\.pdf)?"),
    ("acl", rf"(?:{ACL}|acl:\s*)(\d{{4}}\.[\w-]+\.\d+|[A-Z]\d{{2}}-\d{{4}})(?:v\d+)?(?:\.pdf|\.bib)?"),
    ("acl", r"(\d{4}\.[a-z][\w-]*-[\w-]+\.\d+)"),
)
SCHEMES = tuple((scheme, LazyPattern(pattern, re.IGNORECASE)) for scheme, pattern in SPELLINGS)
"""Each scheme with the spellings of its ids; the first group is the id, for PMLR the volume, then the key."""
LISTING = LazyPattern(r"\s*\[(?:[\w.-]+|(?:(?:pdf|ps|html|other|abs|src)[,\s]*)+)\]\s*\Z")
"""What arXiv prints after an id: the subject class, or the forms that there are."""
OWN_WORD = LazyPattern(r"bibtools\s*[:：]\s*(\S.*)", re.IGNORECASE)
CLAIM = LazyPattern(r"([a-z]+):(\S+)")


def parse_work_id(text: str) -> str:
    """Return `scheme:id` where the text is an identifier of a work and nothing else; empty if it is not.

    >>> parse_work_id("https://arxiv.org/pdf/2401.00001v2"), parse_work_id("arXiv:2401.00001 [pdf, other]")
    ('arxiv:2401.00001', 'arxiv:2401.00001')
    >>> parse_work_id("<https://proceedings.mlr.press/v267/heddes25a.html>"), parse_work_id("bibtools: none")
    ('pmlr:v267/heddes25a', 'none')
    """
    if len(text) > LONGEST_ID or not any(mark in text for mark in ID_MARKS):
        return ""
    own = OWN_WORD.fullmatch(text.strip())
    if own:
        value = own[1].strip()
        return NONE if value.lower() == NONE else parse_work_id(value) or _bare_claim(value)
    bare = " ".join(DECORATION.sub(" ", LISTING.sub("", text)).split()).rstrip(".,;/ ")
    for scheme, pattern in SCHEMES:
        found = pattern.fullmatch(bare)
        if found:
            return f"{scheme}:{_canonical(scheme, found)}"
    return ""


def _canonical(scheme: str, found: re.Match[str]) -> str:
    """Return the id as its scheme writes it."""
    if scheme == "pmlr":
        volume = found[1].lower()
        return f"{volume if volume[0] in 'vr' else 'v' + volume}/{found[2]}"
    return found[1].rstrip(".,;")


def _bare_claim(value: str) -> str:
    """Return what follows `bibtools:` where it is of the form `scheme:id`."""
    claim = CLAIM.fullmatch(value)
    return f"{claim[1]}:{claim[2]}" if claim else ""
