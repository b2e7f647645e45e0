"""Addresses in running text, as people write them: in LaTeX, Markdown, HTML, JSON, plain text of any script.

`find_urls` reads the raw source, so that each find carries the very characters that stand for it. What is an
address and where it ends: docs/links-found.md. One pass, linear in the length of the text.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from bibtools.model import LinkKind
from bibtools.text.hosts import is_code_host, is_known_host, pages_hosts
from bibtools.text.patterns import LazyPattern
from bibtools.text.urlforms import (
    Repository,
    classify,
    normal_form_and_kind,
    normalise_url,
    repository_of,
    trim_end,
)
from bibtools.text.wrapped import find_continuation

__all__ = ["FoundUrl", "Repository", "classify", "find_urls", "normalise_url", "repository_of"]

LONGEST = 4096
"""Most characters of one address; longer runs are cut there."""
INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
"""Soft hyphen, zero-width characters: they come with pasted text and belong to no address."""
ANCHOR = re.compile(
    r"\\?[:：]//|:\\/\\/|git@(?=[\w-]+\.)|[wW]{3}\.(?=[\w-]+\.)|\.[A-Za-z]{2,12}(?=/|\\/)|\.(?:"
    + "|".join(re.escape(host) for host in pages_hosts())
    + r")(?![\w-]|\.\w)",
    re.ASCII,
)
"""What betrays an address: the end of a scheme, `git@`, `www.`, a host's end before a slash, a page host."""
SCHEME_BEFORE = re.compile(r"(?:git\+)?(?:https?|ssh|git|ftp)\Z", re.IGNORECASE)
HOST_CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-."
JSON_WHITE = LazyPattern(r"\\[nrt]")
AUTHORITY = re.compile(
    r"(?:[A-Za-z0-9._~!&'*+,;=%-]{1,100}(?::[A-Za-z0-9._~!&'*+,;=%-]{0,100})?@)?"
    r"(?P<host>[A-Za-z0-9_-]{1,63}(?:\.[A-Za-z0-9_-]{1,63}){1,20}|localhost|[^\W_][\w-]{0,62}(?:\.[\w-]{1,63}){1,20})"
    r"(?::\d{1,5}(?!\d))?"
)
LAST_LABEL = re.compile(r"[^\W\d_]{2,}|xn--[a-z0-9-]+|\d{1,3}", re.IGNORECASE)
ESCAPES = (
    r"\\{1,2}(?P<mark>[_%#&~])(?:\{\})?"  # TeX and Markdown, bare or within JSON
    r"|\{\\{1,2}(?P<braced>[_%#&~])\}"
    r"|\\(?P<slash>/)|\\u00(?P<code>2[36fF]|3[dD])"
    r"|\\(?=:)|\\-|\\(?:allowbreak|linebreak|break)(?![A-Za-z])(?:\{\}|\ )?"
    r"|(?P<tilde>\\textasciitilde(?:\{\}|\ )?|\$\\sim\$)|(?P<underscore>\\textunderscore(?:\{\}|\ )?)"
    r"|(?P<ampersand>&(?:amp|\#38|\#x26);)"
)
"""Characters of an address in the clothes of TeX, Markdown, HTML or JSON, and what stands for nothing."""
ORDINARY = r"[A-Za-z0-9._~:/?#\[\]()@!'*+,;=%-]|&(?!(?:lt|gt|quot|apos|nbsp|\#\w{1,6});)|[^\x00-\x7f\s]"
SAME = {"tilde": "~", "underscore": "_", "ampersand": "&"}
RUN = re.compile(rf"(?:{ESCAPES}|{ORDINARY})+")
TEX_RUN = LazyPattern(rf"(?:{ESCAPES}|{ORDINARY}|%?\s)+")
"""Within the argument of `\\url` white space means nothing."""
DISGUISE = LazyPattern(rf"{ESCAPES}|[{INVISIBLE}]|%?\s+(?:>\s?)*")
DISGUISED = "\\&{$ \n\t" + INVISIBLE
"""Every disguise has one of these in it."""
TEX_ARGUMENT = LazyPattern(r"\\(?:url|href|nolinkurl|burl|path)\s{0,4}(?:\[[^\]]{0,40}\]\s{0,4})?\{\s{0,4}\Z")
PATH_STARTS = ("/", "\\/", "?", "#", *INVISIBLE)
EMBEDDED = re.compile(r"(?<![/=])(?:git\+)?(?:https?|ssh|git)://", re.IGNORECASE)
NEXT_SCHEME = LazyPattern(r"https?://", re.IGNORECASE)
GLUED_SENTENCE = LazyPattern(
    r"\.(?:We|Our|The|This|These|In|It|Code|Data|All|To|For|Please|Also|Experiments|Results|Project|Videos?)\Z"
)
"""The next sentence, where the blank before it is missing."""
LONGEST_HOST = 60
BLANK_IN_HOST = LazyPattern(r"\.[ \n]|[ ]\.")
BROKEN_HOST = LazyPattern(
    r"([A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,3})(?: \.|\.[ \n])([a-z]{2,10})(?=/)"
)
BRACKETS = re.compile(r"[()\[\]]")
REPOSITORY_PART = re.compile(r"[:/]{0,2}~?[A-Za-z0-9._-]*(?:/+[A-Za-z0-9._-]*)?")
"""Owner and name: no code host has other characters in them."""
FIRST_ASIAN = "\u2e80"
"""From here on come the scripts that are written without blanks."""


class Authority(NamedTuple):
    """The host of an address, and where in the text it ends, port included."""

    host: str
    end: int


class FoundUrl(Struct, frozen=True):
    """An address that stands in a text, and where."""

    written: str
    """The very characters `text[start:end]`, white space of a broken line included."""
    url: str
    """Normal form."""
    kind: LinkKind
    start: int
    end: int
    line: int
    """From 1."""
    column: int
    """In characters, from 1."""


def find_urls(text: str, stops: str = "") -> list[FoundUrl]:
    """Return every address in the raw text, in order; the same address twice is two finds.

    Args:
        text: source text as it stands, with TeX, Markdown, HTML or JSON around and in the addresses.
        stops: further characters that end an address, such as the delimiter of a CSV file.

    >>> [found.url for found in find_urls("Code: https://github.com/o/moss, films: (o.github.io/kelp).")]
    ['https://github.com/o/moss', 'https://o.github.io/kelp']
    """
    breaks = [-1, *(match.start() for match in re.finditer("\n", text))]
    found = []
    for start, end in _find_spans(text, stops):
        written = text[start:end]
        url, kind = normal_form_and_kind(_undress(written))
        line = bisect_right(breaks, start - 1)
        found.append(FoundUrl(written, url, kind, start, end, line, start - breaks[line - 1]))
    return found


def _find_spans(text: str, stops: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each address."""
    cursor = 0
    for anchor in ANCHOR.finditer(text):
        if anchor.start() < cursor:
            continue
        start, host_start = _find_start(text, anchor, cursor)
        authority = _find_authority(text, host_start) if start >= 0 else None
        if authority is None:
            continue
        end = _find_end(text, start, authority, stops)
        if end > start:
            cursor = end
            yield start, end


def _find_start(text: str, anchor: re.Match[str], cursor: int) -> tuple[int, int]:
    """Return where the address of an anchor starts, and where its host does; (-1, -1) if it is none."""
    mark, place = anchor[0], anchor.start()
    before = text[place - 1 : place]
    if mark.endswith("/"):
        scheme = SCHEME_BEFORE.search(text, max(cursor, place - 10), place)
        return (scheme.start(), _skip_blank(text, anchor.end())) if scheme else (-1, -1)
    if mark == "git@":
        return (-1, -1) if before.isalnum() and before.isascii() else (place, place)
    if mark.startswith("."):
        return _find_bare_host(text, anchor, cursor)
    apart = not (before.isascii() and before.isalnum()) and before not in tuple("@/.-_")
    return (place, place) if apart else (-1, -1)


def _find_bare_host(text: str, anchor: re.Match[str], cursor: int) -> tuple[int, int]:
    """Return the start of an address without a scheme: a host of the table, and for most a path."""
    place = anchor.start()
    lowest = max(cursor, place - 253)
    head = text[lowest:place]
    start = lowest + len(head.rstrip(HOST_CHARACTERS))
    if JSON_WHITE.match(text, start - 1, start + 1):
        start += 1
    host = text[start : anchor.end()].lower()
    before = text[start - 1 : start]
    if start == place or host[0] in ".-" or before in ("@", "/", "_") or not is_known_host(host):
        return -1, -1
    if any(host.endswith("." + pages) for pages in pages_hosts()):
        return start, start
    after = text[anchor.end() : anchor.end() + 3].lstrip("\\").removeprefix("/").lstrip("\\")
    return (start, start) if after[:1].isalnum() or after[:1] == "~" else (-1, -1)


def _skip_blank(text: str, place: int) -> int:
    """Return the place after one blank or line end, if a known host follows it: `https:// github.com/…`."""
    if not text[place : place + 1].isspace():
        return place
    host = AUTHORITY.match(text, place + 1)
    return place + 1 if host and is_known_host(host["host"]) else place


def _find_authority(text: str, place: int) -> Authority | None:
    """Return host and end of what stands before a path, or None where no host is.

    A blank within the host counts only if a host of the table comes out: `https://sites.google. com/view/…`.
    """
    broken = (
        BROKEN_HOST.match(text, place) if BLANK_IN_HOST.search(text, place, place + LONGEST_HOST) else None
    )
    if broken and is_known_host(f"{broken[1]}.{broken[2]}"):
        return Authority(f"{broken[1]}.{broken[2]}", broken.end())
    found = AUTHORITY.match(text, place)
    if not found or not LAST_LABEL.fullmatch(found["host"].rpartition(".")[2]):
        return None
    return Authority(found["host"], found.end())


def _find_end(text: str, start: int, authority: Authority, stops: str) -> int:
    """Return where the address ends, which may be lines further on."""
    colon = text.startswith(":", authority.end) and text.startswith(("git@", "ssh://git@"), start)
    if text.startswith("git@", start) and not (colon or text.startswith("/", authority.end)):
        return start
    in_tex = TEX_ARGUMENT.search(text, max(0, start - 60), start)
    pattern = TEX_RUN if in_tex else RUN
    end = authority.end
    if colon or text.startswith(PATH_STARTS, end):
        run = pattern.match(text, end, end + LONGEST)
        end = run.end() if run else end
    if text[start - 1 : start] == '"':
        stops = ""  # a quoted cell of a table ends with its quotation mark
    on_code_host = is_code_host(authority.host)
    offset = len(_undress(text[start : authority.end]))
    for _ in range(3):
        meant, ends = _undress_with_ends(text[start:end])
        length = _find_boundary(meant, offset, on_code_host, stops)
        further = find_continuation(text, end, meant[offset:], on_code_host) if length == len(meant) else 0
        if not further:
            break
        end = further
    length = _trim_length(meant[:length], text[max(0, start - 2) : start])
    return start + (ends[length - 1] if length > 0 else 0)


def _find_boundary(meant: str, offset: int, on_code_host: bool, stops: str) -> int:
    """Return how much of the run can be one address; its path starts at the offset."""
    places = (meant.find(stop, offset) for stop in (*stops, "---"))
    embedded = (NEXT_SCHEME if on_code_host else EMBEDDED).search(meant, offset)
    ends = [len(meant), *(place for place in places if place >= 0), *([embedded.start()] if embedded else [])]
    if not meant.isascii():
        ends.append(_find_foreign(meant, offset))
    if on_code_host:
        part = REPOSITORY_PART.match(meant, offset)
        if part and meant[part.end() : part.end() + 1] not in ("", "/", "?", "#"):
            ends.append(part.end())
        glued = GLUED_SENTENCE.search(meant, offset)
        ends += [glued.start()] if glued else []
    end = min(ends)
    return _find_lone_bracket(meant, offset, end) if BRACKETS.search(meant, offset, end) else end


def _find_foreign(meant: str, offset: int) -> int:
    """Return the place of the first character of the sentence rather than the address, or the end.

    That is a mark of another script, or a letter of a script without blanks right after a letter or digit.
    """
    for place in range(offset, len(meant)):
        letter = meant[place]
        if letter.isascii():
            continue
        before = meant[place - 1]
        glued = letter >= FIRST_ASIAN and before.isascii() and before.isalnum()
        if not letter.isalpha() or glued:
            return place
    return len(meant)


def _find_lone_bracket(meant: str, offset: int, end: int) -> int:
    """Return the place of the first bracket without a partner or square one before the query, or the end."""
    open_places: list[int] = []
    in_query = False
    for place in range(offset, end):
        mark = meant[place]
        in_query |= mark == "?"
        if mark == "(" or (mark == "[" and in_query):
            open_places.append(place)
        elif mark == ")" or (mark == "]" and in_query):
            if not open_places:
                return place
            open_places.pop()
        elif mark in "[]":
            return min([place, *open_places])
    return open_places[0] if open_places else end


def _trim_length(meant: str, before: str) -> int:
    """Return the length without the marks of the text after the address; `before` stands before it."""
    emphasis = len(before) - len(before.rstrip("_"))
    trimmed = trim_end(meant).rstrip("&~\\")
    if trimmed.endswith("--"):
        trimmed = trimmed.rstrip("-")
    if emphasis and trimmed.endswith("_" * emphasis):
        trimmed, before = trimmed[:-emphasis], ""
    return len(trimmed) if trimmed == meant else _trim_length(trimmed, before)


def _undress(raw: str) -> str:
    """Return the address that the raw characters stand for."""
    return DISGUISE.sub(_bare, raw) if any(mark in raw for mark in DISGUISED) else raw


def _undress_with_ends(raw: str) -> tuple[str, Sequence[int]]:
    """Return the address meant, and for each of its characters where its raw form ends."""
    if not any(mark in raw for mark in DISGUISED):
        return raw, range(1, len(raw) + 1)
    meant, ends, place = [], list[int](), 0
    for disguise in DISGUISE.finditer(raw):
        meant.append(raw[place : disguise.start()])
        ends.extend(range(place + 1, disguise.start() + 1))
        bare = _bare(disguise)
        meant.append(bare)
        ends.extend([disguise.end()] * len(bare))
        place = disguise.end()
    return "".join((*meant, raw[place:])), [*ends, *range(place + 1, len(raw) + 1)]


def _bare(disguise: re.Match[str]) -> str:
    """Return the character that an escape stands for; nothing for white space and the invisible."""
    group = disguise.lastgroup
    if group is None:
        return ""
    if group == "code":
        return chr(int(disguise[group], 16))
    return SAME.get(group) or disguise[group]
