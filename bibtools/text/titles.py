"""Titles: a key to compare them by, and the capitals that a bibliography style must not change."""

import re
import unicodedata
from collections.abc import Collection, Iterator

from bibtools.model import Hyperlink, Math, Node, Span, Text
from bibtools.text.tree import has_case, text_of

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_MAY_MATTER = re.compile(r"[A-Za-z0-9'][A-Z]|\b[A-Z]\b")
"""What an ASCII title has if the capitals of any of its words matter by themselves."""
_LONGEST_TITLE = 10_000
"""Characters; what is longer was put there by mistake, and would take long."""
_APOSTROPHES = ("'", "’")
_NEAR = 80
"""Characters before a word within which the word before it begins."""
_FUNCTION_WORDS = frozenset(
    _WORD.findall(
        "a an and as at both but by for from if in its of on or our several such that the their then these "
        "this those to under unlike using we when while with"
    )
)
"""Words whose capital only tells that a sentence begins."""


def title_key(title: str) -> str:
    """Return letters and digits of a title, without accents and case, to tell whether two are one.

    >>> title_key("Deep cross-attention: the Café") == title_key("Deep Cross Attention – the Cafe")
    True
    """
    if title.isascii():
        return "".join(filter(str.isalnum, title.lower()))
    folded = unicodedata.normalize("NFKD", title).casefold()
    return "".join(char for char in folded if char.isalnum())


def protect_capitals(title: Text, capitals: Collection[str] = ()) -> Text:
    """Return a title with `nocase` round the words whose capitals matter.

    Those are words with a capital after their first letter (acronyms, product names), single capitals other
    than A and I at a sentence's start, and the words in `capitals` (those seen with a capital inside running
    text). Words that already stand in a `nocase` span stay as they are, and so does what is too long for a
    title.

    >>> protect_capitals(Text("Training BERT with Bayes")).nodes
    ('Training ', Span(kind='nocase', children=('BERT',)), ' with Bayes')
    """
    if len(title.plain) > _LONGEST_TITLE:
        return title
    rest = title.plain[1:]
    if not capitals and (
        (rest.islower() and rest[0].isalpha())
        or (title.plain.isascii() and not _MAY_MATTER.search(title.plain))
    ):
        return title
    nodes: list[Node] = []
    for node in title.nodes or (title.plain,):
        nodes.extend(_protect_node(node, capitals))
    return text_of(nodes)


def _protect_node(node: Node, capitals: Collection[str]) -> list[Node]:
    """Return the node as one or more nodes, capitals protected."""
    if isinstance(node, str):
        return _protect_words(node, capitals)
    if isinstance(node, Math) or (isinstance(node, Span) and node.kind == "nocase"):
        return [node]
    children: list[Node] = []
    for child in node.children:
        children.extend(_protect_node(child, capitals))
    return (
        [Span(node.kind, tuple(children))]
        if isinstance(node, Span)
        else [Hyperlink(node.url, tuple(children))]
    )


def _protect_words(text: str, capitals: Collection[str]) -> list[Node]:
    """Return a string cut into strings and `nocase` spans; neighbouring words of a hyphenated one join."""
    nodes: list[Node] = []
    end = 0
    for found in _WORD.finditer(text):
        word = found[0]
        if not _matters(word, capitals):
            continue
        if found.start() > end:
            nodes.append(text[end : found.start()])
        nodes.append(Span("nocase", (word,)))
        end = found.end()
    if end < len(text):
        nodes.append(text[end:])
    return nodes


def _matters(word: str, capitals: Collection[str]) -> bool:
    """Say whether a word's capitals carry meaning."""
    if word.islower() or not has_case((word,)):
        return False
    if word[1:] != word[1:].lower():
        return True
    return word in capitals or (len(word) == 1 and word not in "AI")


def running_capitals(text: str, title: str) -> frozenset[str]:
    """Return the words of a title that running text treats as names (Bayes, Gauss).

    Such a word has a capital where no sentence begins, never stands in small letters, and stands alone:
    capitals in a row are the name of a method or spell out an acronym, which a title need not protect.

    >>> running_capitals("We follow Bayes and beat Optimal Transport (OT).", "Transport after Bayes")
    frozenset({'Bayes'})
    """
    parts = [part for part in title.split() if part != part.lower()]
    words = [word for part in parts for word in _WORD.findall(part) if word in text and _has_capital(word)]
    return frozenset([word for word in dict.fromkeys(words) if _is_name(word, text)])


def _is_name(word: str, text: str) -> bool:
    """Say whether running text treats a word as a name."""
    inside = [start for start in _places(word, text) if not _begins_sentence(text, start)]
    if not inside:
        return False
    small = word.lower()
    if any(next(_places(form, text), None) is not None for form in (small, f"{small}s", small[:-1])):
        return False
    return any(_stands_alone(text, start, start + len(word)) for start in inside)


def _places(word: str, text: str) -> Iterator[int]:
    """Yield where a text has this word, by itself."""
    start = text.find(word)
    while start >= 0:
        end = start + len(word)
        before, after = text[max(0, start - 2) : start], text[end : end + 2]
        if not _goes_on(before[-1:], before[:-1]) and not _goes_on(after[:1], after[1:]):
            yield start
        start = text.find(word, end)


def _goes_on(near: str, far: str) -> bool:
    """Say whether a word goes on with these two characters, the second of which is further away."""
    return near.isalnum() or (near in _APOSTROPHES and far.isalnum())


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Say whether the words beside the word at this place are none with capitals that are joined to it."""
    before = list(_WORD.finditer(text, max(0, start - _NEAR), start))[-1:]
    if before and _in_a_row(text, before[0], start):
        return False
    after = _WORD.search(text, end)
    if after and after[0] == "of":  # Mixture of Experts
        after = _WORD.search(text, after.end())
        return not (after and _has_capital(after[0]))
    return not (after and _in_a_row(text, after, end))


def _has_capital(word: str) -> bool:
    """Say whether a word is written like a name: a capital, then small letters."""
    return len(word) > 1 and word[0].isupper() and word[1:].islower()


def _begins_sentence(text: str, start: int) -> bool:
    """Say whether the word at this place is the first of its sentence or item."""
    before = text[max(0, start - 3) : start].rstrip(" \t\n\"'“”‘’([")
    return not before or before[-1] in ".!?:;–—-•*"


def _in_a_row(text: str, neighbour: re.Match[str], edge: int) -> bool:
    """Say whether a neighbouring word with a capital is joined to the word that has this edge."""
    word, start, end = neighbour[0], neighbour.start(), neighbour.end()
    between = text[end:edge] if end <= edge else text[edge:start]
    return _has_capital(word) and word.lower() not in _FUNCTION_WORDS and between.strip(" \n-‐‑–()") == ""
