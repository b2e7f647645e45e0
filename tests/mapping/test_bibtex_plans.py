"""Entries written by a plan: the same lines as by the rules of each variable."""

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import entries

from bibtools.mapping.bibtex_plans import Plans
from bibtools.mapping.tex_values import Style
from bibtools.mapping.to_bibtex import Loss, format_field, to_bibtex
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


Written = tuple[str, str, tuple[Loss, ...]]


def by_plan(plans: Plans, entry: Entry) -> Written:
    entry_type, lines, losses = plans.write(entry)
    return entry_type, "\n".join(lines), losses


def by_rules(entry: Entry, style: Style) -> Written:
    record = to_bibtex(entry, style)
    return record.type, "\n".join(map(format_field, record.fields)), record.losses


STYLES = (Style(), Style("biblatex"), Style("bibtex", strict=True), Style(ascii=True))


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
        assert by_plan(plans, entry) == by_rules(entry, style)


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
def test_other_values_are_written_by_the_plan(change: dict[str, object], style: Style) -> None:
    plans, entry = Plans(style), ARTICLE.replace(**change)
    plans.write(ARTICLE)
    (plan,) = plans.plans.values()
    assert plan
    assert plans.lines(entry, msgspec.structs.astuple(entry), plan)
    assert by_plan(plans, entry) == by_rules(entry, style)


@pytest.mark.parametrize(
    "change",
    [
        {"author": (Contributor("Tarn", "Ada", orcid="0000-0002-1825-0097"),)},
        {"author": (Contributor("Tarn", "Ada", static_ordering=True),)},
        {"author": ()},
        {"issued": PartialDate(literal="spring")},
        {"issued": PartialDate(circa=True)},
        {"language": "this and that"},
        {"truncated": ("author",)},
        {"ids": {"arxiv": "2001.00001"}},
        {"note": (Text("Note"),)},
        {"links": (Link("https://github.com/a/b", "https://github.com/a/b", "repository", True),)},
        {"extra": {"bibtex": (("file", "a.pdf"),)}},
        {"type": "thesis", "genre": "Master's thesis"},
    ],
    ids=str,
)
@pytest.mark.parametrize("first", [True, False])
def test_what_makes_other_fields_is_no_matter(change: dict[str, object], first: bool) -> None:
    plans, other = Plans(Style()), ARTICLE.replace(**change)
    for entry in (other, ARTICLE, other) if first else (ARTICLE, other, ARTICLE):
        assert by_plan(plans, entry) == by_rules(entry, Style())
