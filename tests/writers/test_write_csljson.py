"""CSL-JSON that validates, and holds everything."""

import io
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from bibtools.mapping.csl import TYPES
from bibtools.model import Contributor, Entry, Library, Link, Math, PartialDate, Span, Text, WriteOptions
from bibtools.outcomes import Candidate, Identification
from bibtools.readers.csljson import read_csljson
from bibtools.writers.csljson import to_csl, write_csljson

SCHEMA = json.loads((Path(__file__).parents[1] / "data" / "csl" / "schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def write(*entries: Entry) -> str:
    """Return the entries as CSL-JSON, which validates."""
    stream = io.StringIO()
    report = write_csljson(Library(entries=entries), stream, WriteOptions())
    assert (report.count, report.problems) == (len(entries), ())
    VALIDATOR.validate(json.loads(stream.getvalue()))
    return stream.getvalue()


def again(entry: Entry) -> Entry:
    """Return the entry as it is read back."""
    return read_csljson(write(entry), "x.json").entries[0].replace(origin=None)


def test_the_file_is_a_list_one_item_after_the_other() -> None:
    assert write() == "[]\n"
    assert (
        write(Entry(key="a", title=Text("É")))
        == '[\n  {\n    "id": "a",\n    "type": "document",\n    "title": "É"\n  }\n]\n'
    )


def test_the_schema_of_the_tests_knows_our_types() -> None:
    assert set(SCHEMA["items"]["properties"]["type"]["enum"]) == TYPES


@pytest.mark.parametrize(
    ("changes", "variables"),
    [
        ({"title": Text("a b", ("a ", Span("italic", ("b",))))}, {"title": "a <i>b</i>"}),
        ({"title": Text("$x$", (Math("x"),))}, {"title": "$x$"}),
        ({"abstract": Text("a b", ("a ", Span("italic", ("b",))))}, {"abstract": "a b"}),
        ({"keyword": ("a", "b")}, {"keyword": "a, b"}),
        ({"keyword": ("a, b", "c")}, {"keyword": "a, b; c"}),
        ({"note": (Text("a"), Text("b"))}, {"note": "a\nb"}),
        ({"issued": PartialDate((2024, 7))}, {"issued": {"date-parts": [[2024, 7]]}}),
        ({"issued": PartialDate((2020,), ())}, {"issued": {"date-parts": [[2020], [0]]}}),
        ({"issued": PartialDate(literal="in press")}, {"issued": {"literal": "in press"}}),
        ({"issued": PartialDate((1850,), circa=True)}, {"issued": {"date-parts": [[1850]], "circa": True}}),
        ({"author": (Contributor("Berg", "H.", "van der"),)},
         {"author": [{"family": "Berg", "given": "H.", "non-dropping-particle": "van der"}]}),
        ({"doi": "10.5555/x", "isbn": "1"}, {"DOI": "10.5555/x", "ISBN": "1"}),
        ({"part_number": "2", "archive_location": "x"}, {"part": "2", "archive_location": "x"}),
        ({"type": "unheard-of"}, {"type": "document"}),
    ],
)  # fmt: skip
def test_variables(changes: dict[str, Any], variables: dict[str, Any]) -> None:
    entry = Entry(key="a", **changes)
    item = to_csl(entry)
    assert {name: item.get(name) for name in variables} == variables
    assert again(entry) == entry


FULL = Entry(
    key="a",
    type="paper-conference",
    source_type="inproceedings",
    title=Text("On x", ("On ", Span("nocase", ("x",)))),
    author=(Contributor("Noon", "Ara", orcid="0000-0001-2345-6789"), Contributor(literal="The Group")),
    truncated=("author",),
    license="MIT",
    editor_translator=(Contributor("Pike"),),
    issued=PartialDate((2020, 1), literal="early 2020"),
    event_date=PartialDate(end=(2020,), literal="/2020"),
    ids={"openreview": "AbC", "arxiv": "2401.00001"},
    links=(Link("https://github.com/o/r.", "https://github.com/o/r", "repository", True),),
    promised_without_link=True,
    claim="arxiv:2401.00001",
    identification=Identification("identified", 0.9, "abstract", candidates=(Candidate("x", "On x", 0.9),)),
    extra={
        "bibtex": (("timestamp", "2020"), ("timestamp", "2021")),
        "ris": (("C8", "x"),),
        "csl": (("categories", '["a"]'), ("score", "1.5"), ("custom", '{"mine":{"x":[]}}')),
    },
)


def test_nothing_is_lost() -> None:
    assert again(FULL) == FULL


def test_what_has_no_variable_stands_under_custom() -> None:
    custom = to_csl(FULL)["custom"]
    assert custom["truncated"] == ["author"]
    assert custom["ids"]["openreview"] == "AbC"
    assert custom["links"][0]["url"] == "https://github.com/o/r"
    assert custom["bibtex"] == [["timestamp", "2020"], ["timestamp", "2021"]]
    assert custom["ris"] == [["C8", "x"]]
    assert custom["csl"] == [["score", 1.5]]
    assert custom["mine"] == {"x": []}
    assert custom["bibtools"]["identification"]["outcome"] == "identified"


def test_ids_are_unique_and_keys_come_back() -> None:
    text = write(Entry(key="a"), Entry(key="a"), Entry(key="a-2"), Entry())
    assert [item["id"] for item in json.loads(text)] == ["a", "a-2-", "a-2", "item-4"]
    assert [entry.key for entry in read_csljson(text, "x").entries] == ["a", "a", "a-2", "item-4"]


@pytest.mark.parametrize(
    "title", ["a <b> c", "<i>x</i>", "cost $5 and $6", "$x$", 'a <span class="odd">b</span>']
)
def test_plain_text_that_looks_like_mark_up_stays_plain(title: str) -> None:
    entry = Entry(key="a", title=Text(title), abstract=Text(title), note=(Text(title),))
    assert again(entry) == entry
