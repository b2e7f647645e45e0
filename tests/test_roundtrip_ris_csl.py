"""What is written comes back: in every field and mark, through RIS, CSL-JSON, and one in the other."""

import io
import json
from pathlib import Path

import jsonschema
from hypothesis import given, settings
from hypothesis import strategies as st
from ris_csl_strategies import csl_entries, ris_entries

from bibtools.errors import InputError
from bibtools.formats import get_format, read
from bibtools.model import Entry, Library, WriteOptions
from bibtools.readers.csljson import read_csljson
from bibtools.readers.ris import read_ris
from bibtools.readers.tagged import read_endnote, read_pubmed, read_wos

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


@given(st.lists(LINES, max_size=30).map("\n".join))
@settings(deadline=None, max_examples=100)
def test_no_text_stops_a_reader_of_tagged_lines(text: str) -> None:
    for reader in (read_ris, read_pubmed, read_endnote, read_wos):
        try:
            library = reader(text, "x")
        except InputError:
            continue
        for entry in library.entries:
            through(entry, "ris", "csljson")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
VARIABLES = sorted(SCHEMA["items"]["properties"])


@given(st.lists(st.dictionaries(st.sampled_from(VARIABLES), JSON, max_size=6), max_size=4))
@settings(deadline=None, max_examples=100)
def test_no_value_stops_the_reader_of_csl_json(items: list[dict[str, object]]) -> None:
    library = read_csljson(json.dumps(items), "x")
    assert len(library.entries) + sum(problem.lost for problem in library.problems) == len(items)
    for entry in library.entries:
        through(entry, "csljson", "ris")


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-16")))
@settings(deadline=None, max_examples=60)
def test_no_bytes_stop_any_reader(data: bytes) -> None:
    for name in ("ris", "csljson", "pubmed", "endnote", "wos"):
        try:
            read(data, "x", name)
        except InputError:
            continue
