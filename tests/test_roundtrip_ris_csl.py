"""What is written comes back: in every field and mark, through RIS, CSL-JSON, and one in the other."""

import io
import json
import re
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import NamedTuple

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import to_builtins
from ris_csl_strategies import csl_entries, ris_entries

from bibtools.errors import InputError
from bibtools.formats import get_format, read
from bibtools.mapping.ris import known_tags
from bibtools.model import Entry, Library, WriteOptions
from bibtools.readers.csljson import read_csljson
from bibtools.readers.decode import decode
from bibtools.readers.ris import read_ris
from bibtools.readers.tagged import read_endnote, read_pubmed, read_wos
from bibtools.tables import read_table

SCHEMA = json.loads((Path(__file__).parent / "data" / "csl" / "schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def through(entry: Entry, *names: str) -> Entry:
    """Return the entry after it was written and read in each of the formats."""
    for name in names:
        stream = io.StringIO(newline="")
        get_format(name).write(Library(entries=(entry,), format=name), stream, WriteOptions())
        text = stream.getvalue().replace("\r\n", "\n")
        if name == "csljson":
            VALIDATOR.validate(json.loads(text))
        (entry,) = get_format(name).read(text, "x").entries
    return entry.replace(origin=None)


def differences(one: Entry, other: Entry) -> dict[str, tuple[object, object]]:
    """Return the fields in which two entries differ."""
    pairs = {name: (getattr(one, name), getattr(other, name)) for name in one.__struct_fields__}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


@given(csl_entries())
@settings(deadline=None, max_examples=100)
def test_csl_json_gives_everything_back(entry: Entry) -> None:
    assert differences(through(entry, "csljson"), entry) == {}


@given(ris_entries())
@settings(deadline=None, max_examples=100)
def test_ris_gives_back_what_it_holds(entry: Entry) -> None:
    once = through(entry, "ris")
    assert differences(once.replace(source_type=""), entry) == {}
    assert differences(through(once, "ris"), once) == {}


@given(ris_entries())
@settings(deadline=None, max_examples=60)
def test_ris_comes_back_through_csl_json(entry: Entry) -> None:
    once = through(entry, "ris")
    assert differences(through(once, "csljson", "ris"), once) == {}


TAGS = st.sampled_from(
    ("TY", "ER", "TI", "AU", "T2", "JF", "DA", "PY", "SP", "EP", "SN", "KW", "N1", "ID", "XX", "M2")
)
LINES = st.one_of(
    st.builds(
        lambda tag, gap, value: f"{tag}{gap}{value}",
        TAGS,
        st.sampled_from(("  - ", "  -", " - ", "")),
        st.text(max_size=20),
    ),
    st.sampled_from(
        ("TY  - JOUR", "TY  - BOOK", "ER  - ", "", "PMID- 1", "%0 Book", "%T x", "PT J", "TI x", "ER")
    ),
    st.text(max_size=30),
)


def in_order(entry: Entry) -> Entry:
    """Return an entry with the fields that have no place in the model sorted."""
    return entry.replace(extra={source: tuple(sorted(fields)) for source, fields in entry.extra.items()})


def check_comes_back(entry: Entry) -> None:
    """Assert that CSL-JSON gives an entry back whole, its odd fields in any order, and that RIS takes it."""
    entry = entry.replace(key=entry.key or "k", origin=None)
    assert differences(in_order(through(entry, "csljson")), in_order(entry)) == {}
    through(entry, "ris", "csljson")


@given(st.lists(LINES, max_size=30).map("\n".join))
@settings(deadline=None, max_examples=100)
def test_any_tagged_lines_are_read_and_come_back(text: str) -> None:
    for reader in (read_ris, read_pubmed, read_endnote, read_wos):
        try:
            library = reader(text, "x")
        except InputError:
            continue
        assert library.entries or library.problems or not text.strip()
        for entry in library.entries:
            check_comes_back(entry)


class Tagged(NamedTuple):
    """How a record of a tagged format is put together."""

    read: Callable[[str, str], Library]
    line: str
    first: str
    last: str
    types: tuple[str, ...]
    tags: tuple[str, ...]


def tagged_tags(form: str, *more: str) -> tuple[str, ...]:
    """Return the tags of a format that have a field, and more."""
    return (*(row["tag"] for row in read_table("tagged") if row["format"] == form), *more)


def tagged_types(form: str) -> tuple[str, ...]:
    """Return a format's types, and one that nobody knows."""
    return (*(row["spelled"] for row in read_table("tagged_types") if row["format"] == form), "Whatever")


FORMS = {
    "ris": Tagged(
        read_ris,
        "{tag}  - {value}",
        "TY  - {type}",
        "ER  - ",
        (*(row["ty"] for row in read_table("ris_types")), "WHATEVER"),
        (*sorted(known_tags() - {"TY", "ER"}), "XY"),
    ),
    "endnote": Tagged(
        read_endnote,
        "{tag} {value}",
        "%0 {type}",
        "",
        tagged_types("endnote"),
        tagged_tags("endnote", "%D", "%8", "%1", "%O", "%$", "%>"),
    ),
    "wos": Tagged(
        read_wos,
        "{tag} {value}",
        "PT {type}",
        "ER\n",
        ("J", "S", "B", "C", "P"),
        tuple(set(tagged_tags("wos", "PY", "PD", "BP", "EP", "C1", "CR")) - {"AU", "BA"}),
    ),
    "pubmed": Tagged(
        read_pubmed,
        "{tag:4}- {value}",
        "PMID- 1\nPT  - {type}",
        "",
        tagged_types("pubmed"),
        tuple(set(tagged_tags("pubmed", "AID", "LID", "IS", "AD", "AUID", "SI")) - {"AU", "ED", "PMID"}),
    ),
}
"""The formats of tagged lines; without the short forms of names that stand beside the full ones."""


@st.composite
def tagged_records(draw: st.DrawFn, form: str) -> str:
    """Return a record whose values are words that stand nowhere else."""
    tagged = FORMS[form]
    words = (f"w{number}q" for number in count())
    shapes = (
        "{a}",
        "{a}, {b}",
        "{a} {b}",
        "{a}; {b}",
        "{a}-{b}",
        "12 {a}",
        "https://example.org/{a}",
        "{a}\n      {b}",
    )
    lines = [tagged.first.format(type=draw(st.sampled_from(tagged.types)))]
    for tag in draw(st.lists(st.sampled_from(tagged.tags), min_size=1, max_size=8)):
        value = draw(st.sampled_from(shapes)).format(a=next(words), b=next(words))
        lines.append(tagged.line.format(tag=tag, value=value))
    return "\n".join([*lines, tagged.last, ""])


def words_of(*values: object) -> set[str]:
    """Return the words that values hold, wherever they stand."""
    return set(re.findall(r"w\d+q", " ".join(json.dumps(to_builtins(value)) for value in values)))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("target", ["ris", "csljson", "bibtex", "biblatex"])
@given(data=st.data())
@settings(deadline=None, max_examples=60)
def test_no_word_is_lost_without_being_told(form: str, target: str, data: st.DataObject) -> None:
    """Each word of a record is in its entry, and after writing in the output or in what the report says."""
    text = data.draw(tagged_records(form))
    library = FORMS[form].read(text, "x")
    assert words_of(text) == words_of(library)
    stream = io.StringIO(newline="")
    report = get_format(target).write(library, stream, WriteOptions())
    again = get_format(target).read(stream.getvalue().replace("\r\n", "\n"), "x")
    assert len(again.entries) == len(library.entries) == 1
    assert words_of(again.entries, report.problems) >= words_of(library.entries)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
VARIABLES = sorted(SCHEMA["items"]["properties"])


@given(st.lists(st.dictionaries(st.sampled_from(VARIABLES), JSON, max_size=6), max_size=4))
@settings(deadline=None, max_examples=100)
def test_any_values_of_csl_json_are_read_and_come_back(items: list[dict[str, object]]) -> None:
    library = read_csljson(json.dumps(items), "x")
    assert len(library.entries) + sum(problem.lost for problem in library.problems) == len(items)
    for entry in library.entries:
        check_comes_back(entry)


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-16")))
@settings(deadline=None, max_examples=60)
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    """A reader finds entries, says what is wrong, or says that this is nothing of its format."""
    for name in ("ris", "csljson", "pubmed", "endnote", "wos"):
        try:
            library = read(data, "x", name)
        except InputError:
            continue
        assert library.format == name
        assert library.entries or library.problems or not any(map(str.isalnum, decode(data, "x").text))
