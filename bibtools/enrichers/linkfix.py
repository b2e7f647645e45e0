"""Moved addresses rewritten where they stand, and nothing else: every other byte of the file stays."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from difflib import unified_diff

from msgspec import Struct

from bibtools.enrichers.hosts import target_of
from bibtools.enrichers.linkfiles import LinkFile, Mention
from bibtools.errors import InputError, Location
from bibtools.outcomes import LinkCheck

LINE_END = re.compile(r"\r\n?")
MARKS = "_%#&~"
"""Signs that TeX, and Markdown for the first, escape in running text."""


class Fix(Struct, frozen=True):
    """A file with its moved addresses rewritten."""

    name: str
    count: int
    data: bytes
    diff: str
    """What changes, as a unified diff."""


def fix_file(file: LinkFile, data: bytes, encoding: str, checks: Mapping[str, LinkCheck]) -> Fix | None:
    """Return a file with the addresses that have moved rewritten; None where there are none.

    Args:
        data: the file as it stands on disk.
        encoding: how it is to be decoded.
        checks: verdicts by address in normal form.
    Raises:
        InputError: the bytes cannot be given back unchanged, so that nothing can be rewritten safely.
    """
    raw = decode_exactly(file, data, encoding)
    edits = [
        (mention.start, mention.end, new)
        for mention in file.mentions
        if (new := new_spelling(mention, checks.get(mention.link.url)))
    ]
    if not edits:
        return None
    fixed = splice(raw, file.text, edits)
    return Fix(file.name, len(edits), fixed.encode(encoding), diff(raw, fixed, file.source))


def decode_exactly(file: LinkFile, data: bytes, encoding: str) -> str:
    """Return the bytes as text that gives the same bytes again, and in which the finds stand where they were.

    Raises:
        InputError: some bytes are not in the encoding, or the file has changed since it was read.
    """
    try:
        raw = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise InputError(
            f"not all of it is {encoding}, so nothing in it is rewritten", Location(file.source)
        ) from error
    if LINE_END.sub("\n", raw).removeprefix("\ufeff") != file.text or raw.encode(encoding) != data:
        raise InputError("changed while it was checked, so nothing in it is rewritten", Location(file.source))
    return raw


def splice(raw: str, text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    """Return the raw text with spans of the decoded text replaced: the two differ in line ends and a mark."""
    to_raw = RawPlaces(raw, text)
    parts, done = [], 0
    for start, end, new in edits:
        parts += [raw[done : to_raw(start)], new]
        done = to_raw(end)
    return "".join([*parts, raw[done:]])


class RawPlaces:
    """Places in a text with its own line ends, for places in the same text with plain ones."""

    def __init__(self, raw: str, text: str) -> None:
        self.shift = 1 if raw.startswith("\ufeff") and not text.startswith("\ufeff") else 0
        pairs = [match.start() - self.shift for match in LINE_END.finditer(raw) if match[0] == "\r\n"]
        self.pairs = [place - index for index, place in enumerate(pairs)]

    def __call__(self, place: int) -> int:
        """Return the place in the raw text."""
        return place + self.shift + bisect_right(self.pairs, place - 1)


def new_spelling(mention: Mention, check: LinkCheck | None) -> str:
    """Return how an address that has moved is to be written in its place; empty for one that has not.

    Scheme, `.git`, folder and escapes stay as they are written; only the part that changed is replaced.
    """
    if check is None or check.outcome != "available" or not check.moved_to:
        return ""
    written, target = mention.link.written, target_of(mention.link.url)
    moved = target_of(check.moved_to)
    if target and moved and target.owner and target.host == moved.host:
        old = f"{target.owner}/{target.name}"
        new = f"{moved.owner}/{moved.name}"
        pattern = re.compile("".join(map(letter_pattern, old)), re.IGNORECASE)
        spelled = pattern.sub(lambda _: escape_like(written, new), written, count=1)
        if spelled != written:
            return spelled
    return escape_like(written, check.moved_to)


def letter_pattern(letter: str) -> str:
    """Return the pattern of a letter of an address, escaped by TeX or not."""
    return (
        rf"(?:\\?{re.escape(letter)}|\{{\\{re.escape(letter)}\}})" if letter in MARKS else re.escape(letter)
    )


def escape_like(written: str, new: str) -> str:
    """Return a new address with the signs escaped that the old one has escaped, or would have.

    >>> escape_like(r"https://github.com/o/a\\_b", "https://github.com/o/c_d")
    'https://github.com/o/c\\\\_d'
    """
    if not any(f"\\{mark}" in written for mark in MARKS):
        return new
    return "".join(f"\\{letter}" if letter in MARKS[:-1] else letter for letter in new)


def diff(old: str, new: str, name: str) -> str:
    """Return a unified diff of two texts."""
    before, after = (text.removeprefix("\ufeff").splitlines() for text in (old, new))
    lines = unified_diff(before, after, name, name, "as it is", "fixed", lineterm="", n=1)
    return "".join(f"{line}\n" for line in lines)
