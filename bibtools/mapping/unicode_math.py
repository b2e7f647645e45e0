"""Formulas as plain Unicode, where that says all that the TeX says."""

import re
from functools import cache

from bibtools.model import Math, Node, Span, Text
from bibtools.tables import read_table
from bibtools.text.tree import text_of

_RAISED = dict(zip("0123456789+-=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", strict=True))
_LOWERED = dict(zip("0123456789+-=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
_TOKEN = re.compile(r"\\([A-Za-z]+)\s*|([\^_])(?:\{([^{}\\]*)\}|([^{}\\\s]))|([^\\^_{}$&#%~])")


def with_unicode_math(text: Text) -> Text:
    """Return the text with each formula that Unicode can say written so; the others stay formulas.

    >>> with_unicode_math(Text("on $x^2$", ("on ", Math("x^2"))))
    Text(plain='on x²', nodes=())
    """
    return text_of(_convert(text.nodes)) if text.nodes else text


def _convert(nodes: tuple[Node, ...]) -> list[Node]:
    converted: list[Node] = []
    for node in nodes:
        if isinstance(node, Math):
            converted.append(to_unicode(node.tex) or node)
        elif isinstance(node, Span):
            converted.append(Span(node.kind, tuple(_convert(node.children))))
        else:
            converted.append(node)
    return converted


def to_unicode(tex: str) -> str:
    r"""Return a formula in Unicode, or nothing where it needs more than symbols, raised and lowered ones.

    >>> to_unicode(r"\ell_1"), to_unicode(r"O(n^{10})"), to_unicode(r"\frac{1}{2}")
    ('ℓ₁', 'O(n¹⁰)', '')
    """
    parts: list[str] = []
    position = 0
    while position < len(tex):
        match = _TOKEN.match(tex, position)
        part = _token(match) if match else ""
        if not match or not part:
            return ""
        parts.append(part)
        position = match.end()
    return "".join(parts)


def _token(match: re.Match[str]) -> str:
    """Return one part of a formula in Unicode, or nothing if there is no such character."""
    command, script, group, single, char = match.groups()
    if command:
        return _symbols().get(command, "")
    if script:
        table = _RAISED if script == "^" else _LOWERED
        letters = [table.get(letter, "") for letter in group or single or ""]
        return "".join(letters) if all(letters) else ""
    return char if char != "'" else "′"


@cache
def _symbols() -> dict[str, str]:
    """Return the characters of commands that stand for one, in formulas."""
    symbols: dict[str, str] = {}
    for row in read_table("tex_symbols"):
        if row["mode"] == "math" and row["character"]:
            symbols.setdefault(row["command"], row["character"])
    return symbols
