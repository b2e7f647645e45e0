"""Entries written by a plan: the same lines as by the rules of each variable."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import entries

from bibtools.mapping.bibtex_plans import Plans
from bibtools.mapping.tex_values import Style
from bibtools.mapping.to_bibtex import format_field, to_bibtex
from bibtools.model import Contributor, Entry, Link, PartialDate, Span, Text

ARTICLE = Entry(
    key="tarn",
    type="article-journal",
    title=Text("Tides of Bayes"),
    container_title=Text("Journal of Invented Studies"),
    abstract=Text("We follow Bayes."),
    keyword=("tides", "moon"),
    author=(Contributor("Tarn", "Ada"),),
    issued=PartialDate((2001, 7)),
    issue="3",
    volume="4",
    page="1-20",
    language="en",
    doi="10.5555/x",
    url="https://example.org/a",
)


def by_plan(plans: Plans, entry: Entry) -> tuple[str, str] | None:
    planned = plans.lines(entry)
    return planned and (planned[0], "\n".join(planned[1]))


def by_rules(entry: Entry, style: Style) -> tuple[str, str]:
    record = to_bibtex(entry, style)
    return record.type, "\n".join(map(format_field, record.fields))


STYLES = (Style(), Style("biblatex"), Style("bibtex", strict=True))


@settings(suppress_health_check=list(HealthCheck))
@given(first=entries(), second=entries(), style=st.sampled_from(STYLES))
def test_a_plan_writes_what_the_rules_write(first: Entry, second: Entry, style: Style) -> None:
    shared = {
        name: value
        for name in Entry.__struct_fields__
        if name not in ("type", "source_type") and getattr(first, name) and (value := getattr(second, name))
    }
    plans = Plans(style)
    for entry in (first, first.replace(**shared), first):
        if planned := by_plan(plans, entry):
            assert planned == by_rules(entry, style)
            assert not to_bibtex(entry, style).losses


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    "change",
    [
        {},
        {"title": Text("Of BERT: 50%")},
        {"title": Text("Of x", ("Of ", Span("italic", ("x",))))},
        {"container_title": Text("Café & Co.")},
        {"language": "xx"},
        {"issued": PartialDate((2001,), end=())},
        {"page": "1–3, 7"},
        {"keyword": ("a, b", "c")},
    ],
    ids=str,
)
def test_what_has_a_plan(change: dict[str, object], style: Style) -> None:
    plans, entry = Plans(style), ARTICLE.replace(**change)
    assert plans.lines(ARTICLE)
    assert by_plan(plans, entry) == by_rules(entry, style)


@pytest.mark.parametrize(
    "change",
    [
        {"author": (Contributor("Tarn", "Ada", orcid="0000-0002-1825-0097"),)},
        {"author": (Contributor("Tarn", "Ada", static_ordering=True),)},
        {"author": ()},
        {"issued": PartialDate(literal="spring")},
        {"truncated": ("author",)},
        {"ids": {"arxiv": "2001.00001"}},
        {"note": (Text("Note"),)},
        {"links": (Link("https://github.com/a/b", "https://github.com/a/b", "repository", True),)},
        {"extra": {"bibtex": (("file", "a.pdf"),)}},
        {"type": "thesis", "genre": "Master's thesis"},
    ],
    ids=str,
)
def test_what_has_none(change: dict[str, object]) -> None:
    plans = Plans(Style())
    assert plans.lines(ARTICLE)
    assert plans.lines(ARTICLE.replace(**change)) is None


def test_an_entry_that_lacks_a_field_is_no_example() -> None:
    plans = Plans(Style())
    assert plans.lines(ARTICLE.replace(issued=PartialDate(circa=True))) is None
    planned = plans.lines(ARTICLE)
    assert planned
    assert "  year = {2001},\n  month = jul," in planned[1]
