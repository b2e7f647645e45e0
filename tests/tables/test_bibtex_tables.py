"""The tables of BibTeX and TeX fit the model and each other."""

import pytest

from bibtools.mapping.bibtex import feeds
from bibtools.mapping.bibtex_inheritance import becomes
from bibtools.mapping.bibtex_values import csl_types, languages, type_rules
from bibtools.model import Entry
from bibtools.tables import read_table
from bibtools.text.tex import encode_tex, parse_tex
from bibtools.text.tex_tables import accents, commands, math_commands, symbols

TABLES = [
    "bibtex_fields", "bibtex_inheritance", "bibtex_languages", "bibtex_other_fields", "bibtex_output",
    "bibtex_output_types", "bibtex_strings", "bibtex_types", "tex_accents", "tex_commands", "tex_math",
    "tex_symbols",
]  # fmt: skip
MODEL = set(Entry.__struct_fields__)


@pytest.mark.parametrize("name", TABLES)
def test_every_row_cites_its_source(name: str) -> None:
    assert all(row["source"] for row in read_table(name))


def test_a_missing_table_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        read_table("no_such_table")


def test_types_are_csl_types_both_ways() -> None:
    assert {rule.csl for rule in type_rules().values()} <= csl_types()
    assert {row["csl"] for row in read_table("bibtex_output_types")} == csl_types()
    written = {
        row[dialect] for row in read_table("bibtex_output_types") for dialect in ("bibtex", "biblatex")
    }
    assert written <= type_rules().keys()


def test_fields_fill_the_model() -> None:
    for row in read_table("bibtex_fields"):
        assert feeds(row["field"]) <= MODEL, row["field"]
    assert {row["variable"] for row in read_table("bibtex_output")} - {"key"} <= MODEL


def test_every_output_field_is_read_into_its_variable() -> None:
    for row in read_table("bibtex_output"):
        if row["kind"] != "own":
            for dialect in ("bibtex", "biblatex"):
                assert row["variable"] in feeds(row[dialect]), row[dialect]


def test_no_field_or_type_is_listed_twice() -> None:
    for name, column in (("bibtex_fields", "field"), ("bibtex_types", "type"), ("tex_symbols", "command")):
        cells = [row[column] for row in read_table(name)]
        assert len(cells) == len(set(cells)), name


def test_commands_mean_one_thing() -> None:
    assert not symbols().keys() & accents().keys()
    assert not symbols().keys() & commands().keys()
    assert "input" not in math_commands() | symbols().keys() | commands().keys()


def test_written_symbols_are_read_back() -> None:
    for row in read_table("tex_symbols"):
        if row["write"]:
            character = symbols()[row["command"]]
            assert parse_tex(encode_tex(f"a{character}b", ascii=True)).plain == f"a{character}b"


def test_language_tags_have_a_name() -> None:
    assert languages()["ngerman"] == "de"
    assert languages()["american"] == "en-US"


@pytest.mark.parametrize(
    ("parent", "child", "field", "expected"),
    [
        ("book", "inbook", "title", ("booktitle",)),
        ("mvbook", "book", "title", ("maintitle",)),
        ("periodical", "article", "title", ("journaltitle",)),
        ("mvbook", "inbook", "author", ("author", "bookauthor")),
        ("book", "inbook", "keywords", ()),
        ("proceedings", "inproceedings", "publisher", ("publisher",)),
    ],
)
def test_inheritance(parent: str, child: str, field: str, expected: tuple[str, ...]) -> None:
    assert becomes(parent, child, field) == expected


def test_fields_without_a_place_in_the_model_have_none() -> None:
    """A field stands in one of the two tables."""
    names = [row["field"] for row in read_table("bibtex_other_fields")]
    assert len(names) == len(set(names))
    assert not set(names) & {row["field"] for row in read_table("bibtex_fields")}
