"""Entries for property tests: any that CSL-JSON holds, and those that RIS holds exactly."""

import re
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from bibtools.mapping.csl import COLUMNS, TYPES
from bibtools.mapping.ris import writing_plan
from bibtools.model import Contributor, Entry, Link, Math, Node, PartialDate, Span, Text
from bibtools.text.markup import format_csl, parse_csl
from bibtools.text.tree import text_of

KINDS = {row["field"]: row["kind"] for row in COLUMNS}

UNICODE = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=12)
WORDS = st.text("abcXYZäßé漢-.'()/:0123 ", min_size=1, max_size=12)


def cleaned(texts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return texts without blanks at their ends, not empty."""
    return texts.map(lambda text: " ".join(text.split())).filter(bool)


SPANS = st.sampled_from(("italic", "bold", "sub", "sup", "smallcaps", "nocase"))
NODES: st.SearchStrategy[Node] = st.recursive(
    cleaned(WORDS) | st.sampled_from((Math("x^2"), Math(r"\alpha"))),
    lambda inner: st.builds(Span, SPANS, st.lists(inner, min_size=1, max_size=3).map(tuple)),
    max_leaves=5,
)


def texts(plain: st.SearchStrategy[str]) -> st.SearchStrategy[Text]:
    """Return running texts, plain and marked up; trees are in the one form that reading gives them."""
    trees = st.lists(NODES, min_size=1, max_size=3).map(text_of)
    marked = trees.filter(lambda text: not DIGIT_AFTER_MATH.search(text.plain))
    return cleaned(plain).map(Text) | marked.map(lambda text: parse_csl(format_csl(text)))


DIGIT_AFTER_MATH = re.compile(r"\$\d")
"""By pandoc's rule such dollars are none of a formula."""
CAPITALS = st.from_regex(r"[A-ZÄÉ][a-zäé]{1,6}(?:-[A-Z][a-z]{1,4})?", fullmatch=True)
PEOPLE = st.builds(
    Contributor,
    family=CAPITALS,
    given=st.from_regex(r"[A-Z][a-z]{3,6}(?: [A-Z]\.)?", fullmatch=True),
    non_dropping_particle=st.sampled_from(("", "", "van der", "de")),
    suffix=st.sampled_from(("", "", "Jr.", "III")),
)
BODIES = st.sampled_from(("The Tarn Group", "NASA and Others", "Barrow, Inc.")).map(
    lambda name: Contributor(literal=name)
)
NAMES = st.lists(PEOPLE | BODIES, min_size=1, max_size=3, unique=True).map(tuple)

YEARS = st.integers(1000, 2099)
POINTS = (
    st.tuples(YEARS)
    | st.tuples(YEARS, st.integers(1, 12))
    | st.tuples(YEARS, st.integers(1, 12), st.integers(1, 28))
)


@st.composite
def dates(draw: st.DrawFn) -> PartialDate:
    """Return a date: to any precision, a range, a season, about a year, or words."""
    start = draw(POINTS)
    kind = draw(st.sampled_from(("point", "range", "open", "season", "circa", "words")))
    if kind == "range":
        return PartialDate(start, tuple(part if place else part + 1 for place, part in enumerate(start)))
    if kind == "open":
        return PartialDate(start, ())
    if kind == "season":
        return PartialDate(start[:1], season=draw(st.integers(1, 4)))
    if kind == "circa":
        return PartialDate(start, circa=True)
    return PartialDate(literal="in press") if kind == "words" else PartialDate(start)


FIXED: dict[str, st.SearchStrategy[Any]] = {
    "doi": st.from_regex(r"10\.5555/[a-z0-9.]{1,8}", fullmatch=True).filter(lambda doi: doi[-1] != "."),
    "page": st.sampled_from(("1-9", "12", "e12", "7, 41-43", "i-x", "S1-S9", "12-")),
    "pmid": st.integers(1, 10**8).map(str),
    "pmcid": st.integers(1, 10**7).map("PMC{}".format),
    "number_of_pages": st.integers(1, 999).map(str),
    "isbn": st.just("978-0-262-03384-8"),
    "issn": st.just("1234-5679"),
    "url": st.from_regex(r"https://example\.org/[a-z]{1,8}", fullmatch=True),
}


def values(field: str, plain: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    """Return values for a field of the model."""
    if field in FIXED:
        return FIXED[field]
    kind = KINDS[field]
    if kind in ("title", "text"):
        return texts(plain)
    if kind == "names":
        return NAMES
    if kind == "date":
        return dates()
    if kind == "notes":
        return st.lists(texts(plain), min_size=1, max_size=3, unique=True).map(tuple)
    if kind == "keywords":
        return st.lists(cleaned(plain), min_size=1, max_size=3, unique=True).map(tuple)
    return cleaned(plain)


LINKS = st.just((Link("https://github.com/o/r", "https://github.com/o/r", "repository", True, "field"),))


@st.composite
def csl_entries(draw: st.DrawFn) -> Entry:
    """Return an entry with any fields."""
    fields = draw(st.lists(st.sampled_from(sorted(KINDS)), max_size=12, unique=True))
    extra = st.lists(st.tuples(cleaned(WORDS), cleaned(UNICODE)), min_size=1, max_size=3).map(tuple)
    return Entry(
        key=draw(cleaned(UNICODE)),
        type=draw(st.sampled_from(sorted(TYPES))),
        source_type=draw(st.sampled_from(("", "phdthesis", "EDBOOK"))),
        truncated=draw(st.sampled_from(((), ("author",), ("author", "editor")))),
        ids=draw(st.dictionaries(st.sampled_from(("arxiv", "openreview")), cleaned(UNICODE))),
        links=draw(st.just(()) | LINKS),
        extra=draw(st.dictionaries(st.sampled_from(("bibtex", "ris")), extra)),
        **{field: draw(values(field, UNICODE)) for field in fields},
    )


@st.composite
def ris_entries(draw: st.DrawFn) -> Entry:
    """Return an entry with fields that RIS has a tag for in this type of entry."""
    entry_type = draw(st.sampled_from(sorted(TYPES)))
    exact = sorted({field for _, field, exact in writing_plan(entry_type, "zotero") if exact})
    fields = set(draw(st.lists(st.sampled_from(exact), max_size=12, unique=True)))
    if "container_title" not in fields:
        fields -= {"container_title_short", "event_title"}
    if "collection_title" not in fields:
        fields -= {"volume_title", "collection_editor"}
    if "page" in fields:
        fields.discard("number_of_pages")
    entry = Entry(
        key=draw(cleaned(WORDS)),
        type=entry_type,
        truncated=draw(st.sampled_from(((), ("author",)))),
        ids=draw(
            st.dictionaries(st.sampled_from(("arxiv", "openreview")), st.sampled_from(("2401.00001", "AbC")))
        ),
        links=draw(st.just(()) | LINKS),
        extra=draw(st.sampled_from(({}, {"ris": (("C8", "x"), ("XY", "y z"))}))),
        **{field: draw(values(field, WORDS)) for field in sorted(fields)},
    )
    assume(entry.container_title_short is None or entry.container_title_short != entry.container_title)
    return entry
