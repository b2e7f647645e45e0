"""What a text says about its code: which address offers it, and whether it is promised without an address.

A repository offers code by being one; any other address does if its part of the sentence says so. The rules
and their limits: docs/links-found.md. Linear in the length of the text.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from bibtools.text.codetalk import ADDRESS, CODE_SETS, mentions_code, names_code, promises_code
from bibtools.text.patterns import LazyPattern
from bibtools.text.urls import FoundUrl, find_urls

CODE_KINDS = ("repository", "gist")
PAGE_KINDS = ("project-page", "other", "archive", "demo", "review-copy", "model", "dataset")
"""What `our page` may be, where one sentence says that the code is there and another gives the address."""
LONGEST_KEPT = 20_000
"""Characters of a text whose answer is kept for the next who asks."""
LONGEST_SENTENCE = 2000
"""Characters."""
PART_END = LazyPattern(
    r"\n[ \t]*\n"
    r"|\n(?=[ \t]*[\w-]{1,40}[ \t]*=[ \t]*[{\"\d]|[A-Z][A-Z0-9]  -|[ \t]*(?:[-*+|#]|\d{1,3}[.)])[ \t])"
    r"|,\s{0,40}(?=\"[\w.-]{1,40}\"\s{0,4}:)|<(?=(?:li|p|td|tr|dt|dd|h\d)\b)"
)
"""Where what is said ends: blank lines, and the fields of BibTeX, RIS, JSON, lists, tables and HTML."""
MARK_UP = LazyPattern(
    r"\\[A-Za-z]+\*?(?:\[[^\]\n]{0,40}\])?|</?[A-Za-z][^<>\n]{0,200}>|\$\^[^$\n]{0,20}\$|[{}*`$~]|\\(?=[_%#&])"
)
ANCHOR_WORDS = LazyPattern(r"(<a\s[^<>]{0,200}\ufffc[^<>]{0,200}>)([^<>]{0,200})(?=</a>)")
"""The words of a link in HTML stand after its address; as everywhere, they are to be read before it."""
SENTENCE_END = LazyPattern(r"[.!?]+[\"')\]”’»]*(?=\s+[^a-z\s]|\s*\Z)|[。！？]")
ABBREVIATED = LazyPattern(
    r"\b(?:e\.g|i\.e|al|resp|vs|cf|figs?|eqs?|sec|no|approx|dr|prof|st)\Z", re.IGNORECASE
)
BARE = LazyPattern(r"[^\w\ufffc]*(?:\w+[^\w\ufffc]+){0,3}\ufffc[^\w\ufffc]*")
"""A sentence that is little more than an address: `See …`, `Project page: …`."""
LINKING_WORDS = LazyPattern(r"[\s,;&/()+]*(?:and|or|mirror|resp|respectively)?[\s,;&/()+]*")
ELSEWHERE = LazyPattern(
    r"\b(?:page|website|web site|site|webpage|homepage|link|url|here|below|repository)\b|主页|网站|ページ"
)


class CodeLinks(Struct, frozen=True):
    """The addresses of a text, and what it says of code."""

    urls: tuple[FoundUrl, ...]
    offers: tuple[bool, ...]
    """For each address whether it offers code."""
    promised: bool
    """The text says that code is or will be available, and no address offers it."""


def find_code_links(text: str, stops: str = "") -> CodeLinks:
    """Return every address of the text, which of them offer code, and whether code is promised without one.

    >>> found = find_code_links("Films: https://a.example/a, code: https://a.example/b. We release our code.")
    >>> found.offers, found.promised
    ((False, True), False)
    """
    return (_find_again if len(text) <= LONGEST_KEPT else _find)(text, stops)


def _find(text: str, stops: str) -> CodeLinks:
    """Return what `find_code_links` returns."""
    urls = find_urls(text, stops)
    offers: list[bool] = []
    promised = False
    taken = 0
    start = 0
    ends = [match.start() for match in PART_END.finditer(text)]
    for end in [*ends, len(text)]:
        count = taken
        while count < len(urls) and urls[count].start < end:
            count += 1
        part_offers, part_promises = _read_part(text, start, end, urls[taken:count])
        offers += part_offers
        promised |= part_promises
        taken, start = count, end
    return CodeLinks(tuple(urls), tuple(offers), promised and not any(offers))


_find_again = lru_cache(maxsize=64)(_find)
"""The same for abstracts, which reader and enrichers look at one after the other."""


def _read_part(text: str, start: int, end: int, urls: Sequence[FoundUrl]) -> tuple[list[bool], bool]:
    """Return which of a part's addresses offer code, and whether the part promises code."""
    if not urls and not mentions_code(text[start:end].lower()):
        return [], False
    plain = _mask(text, start, end, urls)
    coding_theory = bool(CODE_SETS.search(plain.lower()))
    offers: list[bool] = []
    promised = elsewhere = previous_promised = False
    for sentence in _split_sentences(plain):
        lower = sentence.lower()
        found = _sentence_offers(lower, coding_theory)
        promises = promises_code(lower, coding_theory)
        if found and previous_promised and BARE.fullmatch(lower):
            found = [True] * len(found)
        offers += found
        promised |= promises
        elsewhere |= promises and not found and bool(ELSEWHERE.search(lower))
        previous_promised = promises and not found
    offers = [offer or url.kind in CODE_KINDS for offer, url in zip(offers, urls, strict=True)]
    if elsewhere and not any(offers):
        offers = [url.kind in PAGE_KINDS for url in urls]
    return offers, promised


def _mask(text: str, start: int, end: int, urls: Sequence[FoundUrl]) -> str:
    """Return the part without mark-up, each address replaced by one character."""
    pieces = []
    for url in urls:
        pieces.append(text[start : url.start].replace(ADDRESS, " "))
        start = url.end
    pieces.append(text[start:end].replace(ADDRESS, " "))
    masked = ANCHOR_WORDS.sub(r"\2 \1", ADDRESS.join(pieces))
    return MARK_UP.sub(lambda mark: ADDRESS * mark[0].count(ADDRESS), masked)


def _split_sentences(text: str) -> Iterator[str]:
    """Yield the sentences, each with its end mark; what is longer than a sentence in pieces."""
    start = 0
    ends = (mark for mark in SENTENCE_END.finditer(text) if not _is_abbreviation(text, mark.start()))
    for end in (*(mark.end() for mark in ends), len(text)):
        for place in range(start, end, LONGEST_SENTENCE):
            yield text[place : min(place + LONGEST_SENTENCE, end)]
        start = end


def _is_abbreviation(text: str, place: int) -> bool:
    """Return whether the full stop here belongs to an abbreviation."""
    return ABBREVIATED.search(text, max(0, place - 8), place) is not None


def _sentence_offers(sentence: str, coding_theory: bool) -> list[bool]:
    """Return for each address of a sentence whether the words that lead to it name code."""
    parts = sentence.split(ADDRESS)
    offers: list[bool] = []
    for place, before in enumerate(parts[:-1]):
        if place and LINKING_WORDS.fullmatch(before):
            offers.append(offers[-1])
        else:
            offers.append(names_code(before, coding_theory))
    if offers and not offers[-1] and names_code(parts[-1], coding_theory):
        offers[-1] = True
    return offers
