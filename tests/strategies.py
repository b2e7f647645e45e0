"""Generated values of the model, in the form that readers give them: shared by all property tests.

Plain text has single blanks and none at its ends. Trees have no empty or neighbouring strings, no span inside
one of its kind, `nocase` only round letters that have case, and formulas of known commands only.
"""

import unicodedata
from typing import Any

from hypothesis import strategies as st

from bibtools.model import Contributor, Entry, Math, Node, PartialDate, Span, SpanKind, Text
from bibtools.text.tree import has_case, text_of

LETTERS = "aAbBcCdDeEzZ äÄéÉßøŁñ αβΩ Жд 李小 -–—'’“”&%#_$^~{}\\<>@=,;:.!?/()[]\"`|*+0123456789"
"""Letters of several scripts, and every sign that some format gives a meaning to."""
FORMULAS = (r"x^2", r"\alpha", r"O(n\log n)", r"\ell_1", r"\frac{a}{b}", "N")
KINDS: tuple[SpanKind, ...] = ("italic", "bold", "sub", "sup", "smallcaps", "nocase")


def squeezed(text: str) -> str:
    """Return text in composed form with single blanks, none at its ends."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def strings(alphabet: str = LETTERS, min_size: int = 1, max_size: int = 24) -> st.SearchStrategy[str]:
    """Strings of single-blank text with something in it."""
    return st.text(alphabet, min_size=min_size, max_size=max_size).map(squeezed).filter(bool)


def words() -> st.SearchStrategy[str]:
    """Harmless words, for what is no running text."""
    return st.from_regex(r"[A-Z][a-z]{1,8}( [A-Z][a-z]{1,8}){0,2}", fullmatch=True)


@st.composite
def nodes(draw: st.DrawFn, taken: frozenset[str] = frozenset()) -> Node:
    """A node: text, a formula, or a span of a kind that is not open yet."""
    kinds = [kind for kind in KINDS if kind not in taken]
    what = draw(st.sampled_from(["text", "text", "math", "span"] if kinds else ["text", "math"]))
    if what == "text":
        return draw(strings())
    if what == "math":
        return Math(draw(st.sampled_from(FORMULAS)))
    kind = draw(st.sampled_from(kinds))
    children = draw(st.lists(nodes(taken | {kind}), min_size=1, max_size=2))
    return Span(kind, text_of(children).nodes or (text_of(children).plain,))


def is_canonical(text: Text) -> bool:
    """Say whether a text is as readers make it."""
    return bool(text.plain) and text.plain == squeezed(text.plain) and _cased(text.nodes)


def _cased(children: tuple[Node, ...]) -> bool:
    """Say whether every `nocase` holds letters that have case."""
    for node in children:
        if isinstance(node, Span) and (
            (node.kind == "nocase" and not has_case(node.children)) or not _cased(node.children)
        ):
            return False
    return True


def texts() -> st.SearchStrategy[Text]:
    """Running text, mostly plain."""
    rich = st.lists(nodes(), min_size=1, max_size=4).map(text_of)
    return st.one_of(strings().map(Text), rich).filter(is_canonical)


def plain_texts() -> st.SearchStrategy[Text]:
    """Running text without mark-up."""
    return strings().map(Text)


NAME = "aAbBzZ éßøŁ 李 .-'’&"


def contributors() -> st.SearchStrategy[Contributor]:
    """People with family and given names, particles and suffixes; and bodies."""
    part = strings(NAME, max_size=10).filter(lambda text: text[0].isupper() and text.isprintable())
    person = st.builds(
        Contributor,
        family=part,
        given=part,
        non_dropping_particle=st.sampled_from(["", "", "van", "van der", "de la", "von"]),
        suffix=st.sampled_from(["", "", "", "Jr.", "III"]),
    )
    body = strings(max_size=16).map(lambda text: Contributor(literal=text))
    mononym = (
        strings(NAME, max_size=10)
        .filter(lambda text: text.isalpha())
        .map(lambda text: Contributor(family=text))
    )
    return st.one_of(person, person, mononym, body)


@st.composite
def dates(draw: st.DrawFn) -> PartialDate:
    """Dates to any precision, ranges, seasons, circa, before the common era."""
    year = draw(st.one_of(st.integers(1000, 2100), st.integers(-900, -2)))
    month, day = draw(st.integers(1, 12)), draw(st.integers(1, 28))
    start = draw(st.sampled_from([(year,), (year, month), (year, month, day)]))
    shape = draw(st.sampled_from(["date", "date", "range", "open", "season", "circa"]))
    if shape == "range":
        return PartialDate(start, end=(start[0] + 1, *start[1:]) if start[0] != -1 else (2,))
    if shape == "open":
        return PartialDate(start, end=())
    if shape == "season":
        return PartialDate((year,), season=draw(st.integers(1, 4)))
    return PartialDate(start, circa=shape == "circa")


KEYS = st.from_regex(r"[a-z][a-zA-Z0-9:_./-]{0,14}", fullmatch=True)
TYPES = st.sampled_from(
    [
        "article-journal",
        "book",
        "chapter",
        "paper-conference",
        "report",
        "thesis",
        "webpage",
        "software",
        "map",
    ]
)


@st.composite
def entries(draw: st.DrawFn, titles: st.SearchStrategy[Text] | None = None) -> Entry:
    """Entries with a title and some of everything else."""
    optional: dict[str, st.SearchStrategy[Any]] = {
        "author": st.lists(contributors(), min_size=1, max_size=3).map(tuple),
        "editor": st.lists(contributors(), min_size=1, max_size=2).map(tuple),
        "container_title": titles or texts(),
        "collection_title": titles or texts(),
        "abstract": plain_texts(),
        "keyword": st.lists(words(), min_size=1, max_size=3, unique=True).map(tuple),
        "issued": dates(),
        "accessed": dates(),
        "volume": st.sampled_from(["12", "IV", "12a"]),
        "issue": st.sampled_from(["3", "2-3"]),
        "page": st.sampled_from(["1-12", "e1000", "i-x", "1-2, 5-9"]),
        "edition": st.sampled_from(["2", "Second"]),
        "publisher": words(),
        "publisher_place": words(),
        "doi": st.sampled_from(["10.5555/a_b.1", "10.5555/X(1)2"]),
        "isbn": st.just("978-0-00-000000-2"),
        "url": st.sampled_from(["https://example.org/a_b/~c?d=1&e=%20#f"]),
        "language": st.sampled_from(["en-US", "de", "qaa"]),
        "genre": words(),
        "note": plain_texts().map(lambda text: (text,)),
    }
    chosen = draw(st.fixed_dictionaries({}, optional=optional))
    return Entry(key=draw(KEYS), type=draw(TYPES), title=draw(titles or texts()), **chosen)
