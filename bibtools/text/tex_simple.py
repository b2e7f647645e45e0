"""TeX values without commands, accents and a few signs excepted: read by replacements, without the scanner.

Nearly all values of nearly all files are such. `text.tex` reads the others by its scanner, which would read
these the same (tests/text/test_tex_simple.py compares), at many times the cost.
"""

import re
import unicodedata
from functools import lru_cache

from bibtools.model import Node, Span, Text
from bibtools.text.tex_tables import accents, symbols
from bibtools.text.tree import squeeze

LIGATURES = {
    "---": "—", "--": "–", "!`": "¡", "?`": "¿", "``": "“", "`": "‘", "''": "”", "~": "\u00a0",
}  # fmt: skip
"""Signs that TeX's fonts join, and its unbreakable blank, in the order in which they are replaced."""
ABOVE = frozenset(
    "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0309\u030d\u030e\u030f\u0311"
)
"""Accents that take the place of the dot over i and j."""

_OWN = bytes(set(range(0x20, 0x7F)) - set(b"\\{}$~`"))
"""Printable ASCII but TeX's own signs; deleting them is the fastest way to see whether there are others."""
_LETTER = re.compile(
    r"""
    (?: (\{) | (?<!\{) ) \\ ([\"'`^~=.] | [uvHckdbr](?=[ ]|\{)) [ ]?           # an accent, in braces or not,
        (?: \{ (\\?[ij] | [A-Za-z]) \} | (\\[ij](?=\}) | [A-Za-z]) ) (?(1)\})  # and its letter
    | \{ \\ ([A-Za-z]+) \}                                                     # a letter by its name
    | (?<!\{) \\ ([&%\#_])                                                     # an escaped sign
    """,
    re.VERBOSE,
)
"""Commands that stand for one character; not those that a longer group begins with, which has a meaning."""
_GROUP = re.compile(r"\{([^{} ](?:[^{}]*[^{} ])?)\}")
_DOUBLE_BRACES = re.compile(r"\{\{([^{}]*)\}\}")
_EMPTY_LINE = re.compile(r"\n[ \t\r]*\n")


def is_as_it_is(source: str) -> bool:
    """Say whether a value is its own text: no sign of TeX's, no blank too many, nothing outside ASCII.

    >>> is_as_it_is("R&D (50%)"), is_as_it_is("1--2"), is_as_it_is("{a}")
    (True, False, False)
    """
    return (
        source.isascii()
        and not source.encode().translate(None, _OWN)
        and "--" not in source
        and "''" not in source
        and "  " not in source
        and source == source.strip(" ")
    )


def read_simple(source: str, *, protect: bool = True, breaks: bool = False) -> Text | None:
    r"""Return the Text of a value, or None where that takes the scanner; see `tex.parse_tex`.

    >>> read_simple(r"Caf{\'e} {BERT} \& Co.")
    Text(plain='Café BERT & Co.', nodes=('Café ', Span(kind='nocase', children=('BERT',)), ' & Co.'))
    >>> read_simple(r"\emph{a}"), read_simple("$a$")
    (None, None)
    """
    if "$" in source or (breaks and _EMPTY_LINE.search(source)):
        return None
    source = squeeze(source)
    if not source.isprintable() or not unicodedata.is_normalized("NFC", source):
        return None
    if "\\" in source:
        source = _LETTER.sub(_letter, source)
        if "\\" in source:
            return None
    for sign, character in LIGATURES.items():
        if sign in source:
            source = source.replace(sign, character)
    if "{" not in source and "}" not in source:
        return Text(source)
    return _read_groups(source) if protect else Text(squeeze(source.replace("{", "").replace("}", "")))


def _letter(found: re.Match[str]) -> str:
    """Return the character that a match of `_LETTER` stands for, or the match where it is no single one."""
    _, accent, braced, bare, name, sign = found.groups()
    if sign:
        return sign
    return (_accented(braced or bare, accents()[accent]) if accent else _named(name)) or found[0]


def _named(name: str) -> str:
    """Return the letter that a command is the name of, or nothing."""
    letter = symbols().get(name, "")
    return letter if len(letter) == 1 and letter.isalpha() and name not in accents() else ""


@lru_cache(maxsize=1024)
def _accented(letter: str, combining: str) -> str:
    """Return a letter with an accent, or nothing if there is no such character."""
    if letter[0] == "\\":
        letter = letter[1] if combining in ABOVE else {"i": "ı", "j": "ȷ"}[letter[1]]
    composed = unicodedata.normalize("NFC", letter + combining)
    return composed if len(composed) == 1 else ""


def _read_groups(source: str) -> Text | None:
    """Return a text in which braces keep letter case; None if they are nested, alone or begin with blanks."""
    parts = _GROUP.split(_DOUBLE_BRACES.sub(r"{\1}", source) if "{{" in source else source)
    plain = "".join(parts)
    if "{" in plain or "}" in plain:
        return None
    nodes: list[Node] = []
    run = ""
    for place, part in enumerate(parts):
        if place % 2 and part.lower() != part.upper():
            nodes += (run, Span("nocase", (part,))) if run else (Span("nocase", (part,)),)
            run = ""
        else:
            run += part
    if not nodes:
        return Text(plain)
    return Text(plain, (*nodes, run) if run else tuple(nodes))
