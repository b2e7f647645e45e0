"""CSL-JSON in every shape that tools write."""

import json
from pathlib import Path
from typing import Any

import pytest

from bibtools.errors import InputError
from bibtools.model import Contributor, Entry, PartialDate, Text
from bibtools.readers.csljson import read_csljson
from bibtools.readers.decode import decode
from bibtools.writers.csljson import to_csl

REPORTS = Path(__file__).parents[3] / "shared" / "reports"


def read_one(**variables: Any) -> Entry:
    """Return the entry of one item with these variables (underscores for hyphens)."""
    item = {"id": "a", "type": "book"} | {name.replace("_", "-"): value for name, value in variables.items()}
    library = read_csljson(json.dumps([item]), "x.json")
    assert len(library.entries) == 1
    return library.entries[0]


@pytest.mark.parametrize(
    "text",
    [
        '[{"id": "a", "title": "T"}]',
        '{"id": "a", "title": "T"}',
        '{"items": [{"id": "a", "title": "T"}]}',
        '{"references": [{"id": "a", "title": "T"}]}',
        '{"status": "ok", "message": {"id": "a", "title": "T"}}',
        '{"message": {"items": [{"id": "a", "title": "T"}], "total-results": 1}}',
        '{"a": {"title": "T"}}',
        '[[{"id": "a", "title": "T"}]]',
        '{"id": "a", "title": "T"}\n',
        '[{"id": "a", "title": "T",},]',
        '[{"id": "a", "title": "T"}',
        '[{"id": "a", "title": "T", "score": NaN}]',
    ],
)
def test_shapes_of_the_file(text: str) -> None:
    entries = read_csljson(text, "x.json").entries
    assert [(entry.key, entry.title) for entry in entries] == [("a", Text("T"))]


def test_json_lines() -> None:
    library = read_csljson('{"id": "a", "title": "A"}\n{"id": "b", "title": "B"}\n', "x.jsonl")
    assert [entry.key for entry in library.entries] == ["a", "b"]
    assert [entry.origin.line for entry in library.entries if entry.origin] == [1, 2]


def test_lines_are_those_of_the_items() -> None:
    text = '{"items": [\n {"id": "a", "title": "A"},\n\n {"id": "b",\n  "title": "B"},\n {"id": "c"}]}'
    library = read_csljson(text, "x.json")
    assert [entry.origin.line for entry in library.entries if entry.origin] == [2, 4, 6]


def test_one_broken_item_costs_only_itself() -> None:
    text = '[\n{"id": "a", "title": "A"},\n{"id": "b", "title": },\n{"id": "c", "title": "C"}\n]'
    library = read_csljson(text, "x.json")
    assert [entry.key for entry in library.entries] == ["a", "c"]
    (problem,) = library.problems
    assert (problem.code, problem.location.line, problem.lost) == ("unreadable-item", 3, True)
    assert problem.raw == '{"id": "b", "title": }'


def test_a_missing_brace_costs_only_its_item() -> None:
    text = (
        '[{"id": "a", "title": "A"}, {"id": "b", "issued": {"date-parts": [[2]]}, {"id": "c", "title": "C"}]'
    )
    library = read_csljson(text, "x.json")
    assert [entry.key for entry in library.entries] == ["a", "c"]
    assert [problem.lost for problem in library.problems] == [True]


def test_what_is_no_object_is_lost_and_said() -> None:
    library = read_csljson('[{"id": "a", "title": "A"}, 5, "b", null]', "x.json")
    assert len(library.entries) == 1
    assert [(problem.code, problem.raw) for problem in library.problems] == [
        ("unreadable-item", "5"),
        ("unreadable-item", '"b"'),
        ("unreadable-item", "null"),
    ]


def test_a_file_that_breaks_off_is_said() -> None:
    library = read_csljson('[{"id": "a"},\n{"id": "b"},\n', "x.json")
    assert [entry.key for entry in library.entries] == ["a", "b"]
    assert [(problem.code, problem.location.line) for problem in library.problems] == [("broken-off", 3)]


@pytest.mark.parametrize("keys", ["a", "ab", "abc"])
def test_a_list_under_a_key_that_breaks_off_costs_no_whole_item(keys: str) -> None:
    items = ",".join(f'{{"id": "{key}", "type": "book", "title": "T"}}' for key in keys)
    library = read_csljson(f'{{"items": [{items}', "a.json")
    assert [entry.key for entry in library.entries] == list(keys)
    assert [problem.code for problem in library.problems] == ["broken-off"]
    assert read_csljson(f'{{"items": [{items}], "meta": {{"n": 1}}}}', "a.json").problems == ()


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(InputError, match="not CSL-JSON"):
        read_csljson("TY  - JOUR", "x.json")


def test_what_stands_between_items_is_lost_and_said() -> None:
    text = '[{"id": "a", "title": "A"},\noops,\n{"id": "b", "title": "B"}, "tail'
    library = read_csljson(text, "x.json")
    assert [entry.key for entry in library.entries] == ["a", "b"]
    assert [(problem.location.line, problem.raw) for problem in library.problems if problem.lost] == [
        (2, "oops"),
        (3, '"tail'),
    ]


def test_deep_nesting_is_one_problem() -> None:
    library = read_csljson("[" * 100_000, "x.json")
    assert library.entries == ()
    assert [problem.code for problem in library.problems] == ["unreadable-item", "broken-off"]
    deep = '[{"id": "a", "title": "A"}, {"id": "b", "custom": ' + '{"a":' * 100_000 + "}]"
    assert len(read_csljson(deep, "x.json").problems) <= 2


@pytest.mark.parametrize(
    ("value", "date"),
    [
        ({"date-parts": [[2024, 7, 8]]}, PartialDate((2024, 7, 8))),
        ({"date-parts": [["2019", "3"]]}, PartialDate((2019, 3))),
        ({"date-parts": [[2018, 2, 1], [2018, 2, 3]]}, PartialDate((2018, 2, 1), (2018, 2, 3))),
        ({"date-parts": [[2020], [0]]}, PartialDate((2020,), ())),
        ({"date-parts": [2018, 2, 1]}, PartialDate((2018, 2, 1))),
        ({"date-parts": [[2014, 22]]}, PartialDate((2014,), season=2)),
        ({"date-parts": [[2014, 13]]}, PartialDate((2014,), season=1)),
        ({"date-parts": [[2014, "March"]]}, PartialDate((2014, 3))),
        ({"date-parts": [[2014, 0, 0]]}, PartialDate((2014,))),
        ({"date-parts": [[-44]]}, PartialDate((-44,))),
        ({"date-parts": [[2014]], "season": "winter"}, PartialDate((2014,), season=4)),
        ({"date-parts": [[1850]], "circa": True}, PartialDate((1850,), circa=True)),
        ({"date-parts": [[1850]], "circa": "1"}, PartialDate((1850,), circa=True)),
        ({"literal": "circa 1850"}, PartialDate((1850,), circa=True)),
        ({"literal": "in press"}, PartialDate(literal="in press")),
        ({"raw": "2000-3-15/2000-3-17"}, PartialDate((2000, 3, 15), (2000, 3, 17))),
        ({"year": 2010, "month": 5}, PartialDate((2010, 5))),
        ({"date-time": "2021-04-05T00:00:00Z", "timestamp": 1}, PartialDate((2021, 4, 5))),
        ("2024-02-21", PartialDate((2024, 2, 21))),
        (2020, PartialDate((2020,))),
        ([2018, 2, 1], PartialDate((2018, 2, 1))),
        (
            [{"date-parts": [2018, 2, 1]}, {"date-parts": [2018, 2, 2]}],
            PartialDate((2018, 2, 1), (2018, 2, 2)),
        ),
        ({"date-parts": [[None]]}, None),
        ({"date-parts": []}, None),
        ({}, None),
        (None, None),
        ("", None),
    ],
)
def test_dates(value: Any, date: PartialDate | None) -> None:
    assert read_one(issued=value).issued == date


@pytest.mark.parametrize("alias", ["date", "year", "published", "published-print"])
def test_dates_under_other_names(alias: str) -> None:
    assert read_one(**{alias: "1998"}).issued == PartialDate((1998,))


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ([{"family": "Noon", "given": "Ara"}], (Contributor("Noon", "Ara"),)),
        ({"family": "Noon", "given": "Ara"}, (Contributor("Noon", "Ara"),)),
        (["Noon, Ara", "The Group"], (Contributor("Noon", "Ara"), Contributor(literal="The Group"))),
        ([{"literal": "Foo, Bar"}], (Contributor(literal="Foo, Bar"),)),
        ([{"name": "The Group", "sequence": "first"}], (Contributor(literal="The Group"),)),
        (
            [{"family": "Berg", "non-dropping-particle": "van der", "suffix": "Jr.", "comma-suffix": True}],
            (Contributor("Berg", non_dropping_particle="van der", suffix="Jr.", comma_suffix=True),),
        ),
        (
            [{"family": "van der Berg", "given": "H.", "parse-names": True}],
            (Contributor("Berg", "H.", "van der"),),
        ),
        (
            [{"family": "Noon", "ORCID": "http://orcid.org/0000-0001-2345-6789"}],
            (Contributor("Noon", orcid="0000-0001-2345-6789"),),
        ),
        ([{}, None, {"family": ""}], ()),
        ([], ()),
    ],
)
def test_names(value: Any, names: tuple[Contributor, ...]) -> None:
    assert read_one(author=value).author == names


@pytest.mark.parametrize("sign", [{"literal": "others"}, {"family": "others"}, {"literal": "et al."}])
def test_nobody_is_called_others(sign: dict[str, str]) -> None:
    entry = read_one(author=[{"family": "Noon"}, sign])
    assert (entry.author, entry.truncated) == ((Contributor("Noon"),), ("author",))


@pytest.mark.parametrize(
    ("spelled", "entry_type", "source_type"),
    [
        ("article-journal", "article-journal", ""),
        ("journal-article", "article-journal", "journal-article"),
        ("proceedings-article", "paper-conference", "proceedings-article"),
        ("posted-content", "article", "posted-content"),
        ("journalArticle", "article-journal", "journalArticle"),
        ("Article", "article", "Article"),
        ("flobbel", "document", "flobbel"),
        (None, "document", ""),
        (7, "document", "7"),
    ],
)
def test_types(spelled: Any, entry_type: str, source_type: str) -> None:
    entry = read_one(type=spelled)
    assert (entry.type, entry.source_type) == (entry_type, source_type)


@pytest.mark.parametrize(
    ("variable", "value", "field", "read"),
    [
        ("title", ["A Title", "Another"], "title", Text("A Title")),
        ("title", [], "title", None),
        ("volume", 12, "volume", "12"),
        ("volume", 12.0, "volume", "12"),
        ("page", "1–9", "page", "1-9"),
        ("DOI", "https://doi.org/10.5555/A", "doi", "10.5555/A"),
        ("doi", "10.5555/A", "doi", "10.5555/A"),
        ("ISSN", ["1234-5679", "2234-5679"], "issn", "1234-5679, 2234-5679"),
        ("PMID", "PMID: 12", "pmid", "12"),
        ("keyword", "a, b", "keyword", ("a", "b")),
        ("keyword", "a, b; c", "keyword", ("a, b", "c")),
        ("keyword", ["a, b", "c"], "keyword", ("a, b", "c")),
        ("note", ["A", "B"], "note", (Text("A"), Text("B"))),
        ("event", "ICML", "event_title", Text("ICML")),
        ("journalAbbreviation", "J.", "container_title_short", Text("J.")),
        ("shortTitle", "T", "title_short", Text("T")),
        ("part", "2", "part_number", "2"),
        ("publisher", None, "publisher", ""),
        ("id", 5, "key", "5"),
    ],
)
def test_values_in_odd_shapes(variable: str, value: Any, field: str, read: Any) -> None:
    assert getattr(read_one(**{variable: value}), field) == read


def test_values_beyond_the_first_and_unknown_variables_are_kept() -> None:
    entry = read_one(title=["A", "B"], is_referenced_by_count=3, categories=["x"])
    assert entry.extra["csl"] == (
        ("title", '["A","B"]'),
        ("is-referenced-by-count", "3"),
        ("categories", '["x"]'),
    )


def test_a_value_of_the_wrong_type_is_kept_and_said() -> None:
    library = read_csljson('[{"id": "a", "type": "book", "title": {"x": 1}, "volume": true}]', "x.json")
    assert [problem.code for problem in library.problems] == ["wrong-type", "wrong-type"]
    assert library.entries[0].extra["csl"] == (("title", '{"x":1}'), ("volume", "true"))


def test_the_own_name_of_a_variable_wins_over_others() -> None:
    entry = read_one(doi="10.5555/other", DOI="10.5555/own")
    assert entry.doi == "10.5555/own"
    assert entry.extra["csl"] == (("doi", '"10.5555/other"'),)


def test_abstracts_of_registries_are_html() -> None:
    abstract = read_one(abstract="<jats:p>On <jats:italic>x</jats:italic>.</jats:p>").abstract
    assert abstract
    assert abstract.plain == "On x."


def test_edited_variables_win_over_the_exact_form_kept_beside_them() -> None:
    kept = {"bibtools": {"text": {"title": {"plain": "Old", "nodes": []}}, "keywords": ["a, b"]}}
    entry = read_one(title="New", keyword="c", custom=kept)
    assert (entry.title, entry.keyword) == (Text("New"), ("c",))


def test_foreign_custom_parts_are_kept() -> None:
    entry = read_one(custom={"mine": {"x": 1}, "ids": {"openreview": "AbC"}, "bibtools": 5})
    assert entry.ids == {"openreview": "AbC"}
    assert entry.extra["csl"] == (("custom", '{"mine":{"x":1},"bibtools":5}'),)


@pytest.mark.skipif(not REPORTS.exists(), reason="the report inputs are not beside the project")
@pytest.mark.parametrize("stem", ["29-json-string-dates", "30-json-types-numbers"])
def test_reported_faults(stem: str) -> None:
    data = (REPORTS / f"{stem}.json").read_bytes()
    right = json.loads((REPORTS / f"{stem}.expect.json").read_text(encoding="utf-8"))
    found = [to_csl(entry) for entry in read_csljson(decode(data, stem).text, stem).entries]
    assert len(found) == len(right)
    for item, expected in zip(found, right, strict=True):
        assert {variable: item.get(variable) for variable in expected} == expected
