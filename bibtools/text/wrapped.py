"""Addresses that a line end has broken in two: when the next line goes on with one, and when it does not.

A wrong guess here makes a dead link of a living one, so a line is joined only where the first part cannot be
the whole address, or its last mark is one that no address ends in. Rules: docs/links-found.md.
"""

import re

from bibtools.text.hosts import is_known_host
from bibtools.text.patterns import LazyPattern
from bibtools.text.urlforms import trim_end

WIDEST = 200
"""Characters of a line that a program has wrapped; a longer one ends where its writer ended it."""
LINE_END = LazyPattern(r"[ \t]{0,8}\n[ \t]{0,40}(?:>[ \t]?){0,5}(?=\S)")
"""White space with one line end, and the quotation marks of e-mail or Markdown after it."""
BLANK = LazyPattern(r"[ \t](?=\S)")
PIECE = LazyPattern(r"[A-Za-z0-9._~:/?#@!$&'()*+,;=%\\-]{1,2048}")
PATH_PIECE = LazyPattern(r"[A-Za-z0-9/~_.](?:[A-Za-z0-9._~/?=&#+%-]|\\_)*")
OWNER_AND_NAME = LazyPattern(r"/?[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+")
REPOSITORY_WITH_SLASH = LazyPattern(r"/+[^/]+/[^/]+/")
IN_REPOSITORY = ("tree/", "blob/", "src/", "-/", "releases/", "wiki/", "raw/")
"""How the path goes on after owner and name; anything else in the next line is not of the address."""
NEW_ADDRESS = LazyPattern(r"(?:git\+)?[A-Za-z]+://|www\.|git@", re.IGNORECASE)
HOST = LazyPattern(
    r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.(?:com|org|net|edu|gov|io|ai|co|dev|de|uk|fr|cn|jp|eu|ch|nl|it|es)(?:/|\Z)"
)
"""The next line of a list of addresses without schemes."""
RIS_TAG = LazyPattern(r"[A-Z][A-Z0-9]  ?-")
TELLING = LazyPattern(r"[A-Za-z0-9-]*[0-9_./=][A-Za-z0-9_./=-]*[A-Za-z0-9]")
"""A mark or digit inside: a path rather than a word of the sentence, such as `state-of-the-art`."""
PLAIN_CAPITALISED = LazyPattern(r"[A-Z][a-z]*")
ENDS_OPEN = ("-", "_", "=", "&", "%")
"""What a broken address may end in, though a whole one hardly ever does."""
WORDS = """
    a about after also an and are as at be been before but by can code contains data did do does
    during find for found from had has have here hosts how if in includes into is it its may more no
    not of on or our over page provides repo repository see shows so such than that the their then
    there these they this those through to together under until upon using via was we were what when
    where which while who will with within without you
"""
SENTENCE_WORDS = frozenset(WORDS.split())
"""Words that go on with the sentence rather than with an address."""


def find_continuation(text: str, end: int, path: str, on_code_host: bool) -> int:
    """Return where the address ends if it goes on after the white space at `end`; 0 if it does not.

    Args:
        path: what the address has after its host so far.
    """
    gap = LINE_END.match(text, end)
    if gap and end > WIDEST and "\n" not in text[end - WIDEST : end]:
        return 0
    at_line_end = gap is not None
    gap = gap or BLANK.match(text, end)
    piece = PIECE.match(text, gap.end()) if gap else None
    if piece is None or _begins_something_else(text, piece):
        return 0
    word = trim_end(piece[0])
    if on_code_host:
        joins = _names_repository(path, word, at_line_end) or (at_line_end and _goes_on(path, word, piece[0]))
    else:
        joins = at_line_end and _goes_on_elsewhere(path, word, piece[0])
    return piece.end() if joins else 0


def _begins_something_else(text: str, piece: re.Match[str]) -> bool:
    """Return whether the next line starts with an address of its own, a RIS tag or a label."""
    if any(start.match(piece[0]) for start in (NEW_ADDRESS, HOST)) or RIS_TAG.match(text, piece.start()):
        return True
    return piece[0].endswith(":") or is_known_host(piece[0].partition("/")[0])


def _names_repository(path: str, word: str, at_line_end: bool) -> bool:
    """Return whether the piece gives what the address of a repository still lacks."""
    owner, slash, name = path.strip("/").partition("/")
    if name or not OWNER_AND_NAME.fullmatch(word):
        return bool(
            owner and not slash and at_line_end and word.startswith("/") and PATH_PIECE.fullmatch(word)
        )
    if not owner:
        return path == "/" or (at_line_end and word.startswith("/"))
    return False


def _goes_on(path: str, word: str, piece: str) -> bool:
    """Return whether a path on a code host goes on in the next line."""
    if REPOSITORY_WITH_SLASH.fullmatch(path):
        return word.startswith(IN_REPOSITORY)
    return path.endswith(("/", *ENDS_OPEN)) and path != "/" and _is_path_piece(word, piece)


def _goes_on_elsewhere(path: str, word: str, piece: str) -> bool:
    """Return whether a path on any other host goes on in the next line."""
    if path.endswith(ENDS_OPEN):
        return _is_path_piece(word, piece)
    return path.endswith("/") and _is_path_piece(word, piece) and bool(TELLING.match(word))


def _is_path_piece(word: str, piece: str) -> bool:
    """Return whether the piece looks like part of an address rather than a word of the sentence."""
    if not PATH_PIECE.fullmatch(word) or word.lower() in SENTENCE_WORDS or not re.search("[A-Za-z]", word):
        return False
    return piece != word or not PLAIN_CAPITALISED.fullmatch(word)
