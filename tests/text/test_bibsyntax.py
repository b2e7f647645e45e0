"""BibTeX's syntax, well formed and broken, with places."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bibtools.text.bibsyntax import (
    RawBlock,
    RawComment,
    RawEntry,
    RawPreamble,
    RawStrings,
    balanced,
    split_bibtex,
    split_entry,
    without_surplus,
)


def split(text: str) -> tuple[list[RawBlock], list[str]]:
    """Return blocks that are no comments, and the codes of the problems."""
    blocks, problems = split_bibtex(text, "x.bib")
    return [block for block in blocks if not isinstance(block, RawComment)], [
        problem.code for problem in problems
    ]


def fields(text: str) -> dict[str, str]:
    """Return the first entry's fields with their pieces joined by `#`."""
    entry = split_entry(text)
    assert entry is not None
    return {field.name: "#".join(piece.text for piece in field.pieces) for field in entry.fields}


WELL_FORMED = [
    ("@a{k, t = {x}}", {"t": "x"}),
    ("@a{k, t = {x},}", {"t": "x"}),
    ("@a(k, t = {x})", {"t": "x"}),
    ('@a{k, t = "x {"}y{"} z"}', {"t": 'x {"}y{"} z'}),
    ("@a{k, t = 1999, m = jan}", {"t": "1999", "m": "jan"}),
    ('@a{k, t = "a" # b # {c}}', {"t": "a#b#c"}),
    ("@a{k\n, t = {x}\n, u = {y}\n}", {"t": "x", "u": "y"}),
    ("@a{k, t={{a} {b {c {d {e}}}}}}", {"t": "{a} {b {c {d {e}}}}"}),
    ("@ a { k , T-x+an:y = {z} }", {"T-x+an:y": "z"}),
    ("@a{k, t = {a @b{c} d}}", {"t": "a @b{c} d"}),
    ("@a{k}", {}),
    ("@a{k,}", {}),
    ("@a{k, t = {}}", {"t": ""}),
    ("@a{k,\n% t = {no},\n u = {y}}", {"u": "y"}),
    ("@a{пункт3, t = {x}}", {"t": "x"}),
]


@pytest.mark.parametrize(("text", "expected"), WELL_FORMED)
def test_well_formed_entries(text: str, expected: dict[str, str]) -> None:
    assert fields(text) == expected
    assert split(text)[1] == []


BROKEN = [
    ("@a{k, t = {x}\n u = {y}}", {"t": "x", "u": "y"}, ["missing-comma"]),
    ("@a{k\n t = {x}}", {"t": "x"}, ["missing-comma"]),
    ("@a{k, t = 1999 u = jan}", {"t": "1999", "u": "jan"}, ["missing-comma"]),
    ("@a{k,\n t = {x {y},\n u = {z}\n}\n\n@b{l, v = {w}}", {"t": "x {y}", "u": "z"}, ["unbalanced-braces"]),
    ("@a{k,\n t = {x}},\n u = {y}\n}", {"t": "x", "u": "y"}, ["extra-brace"]),
    ('@a{k,\n t = "x,\n u = {y}\n}', {"t": "x", "u": "y"}, ["unclosed-quote"]),
    ("@a{k,\n t = {x}\n\n@b{l, u = {y}}", {"t": "x"}, ["unclosed-entry"]),
    ("@a{k, t = {x", {"t": "x"}, ["unbalanced-braces", "unclosed-entry"]),
    ("@a{k, t = 2020-2021, u = {y}}", {"t": "2020-2021", "u": "y"}, ["unquoted-value"]),
    ("@a{k, t = Some Words, u = {y}}", {"t": "Some Words", "u": "y"}, ["unquoted-value"]),
    ("@a{k, stray words, u = {y}}", {"u": "y"}, ["stray-text"]),
    ('@a{k, t = "a "quoted" word", u = {y}}', {"t": 'a "quoted" word', "u": "y"}, []),
    ("@a{t = {x}}", {"t": "x"}, ["missing-key"]),
    ("@a{k, t = , u = {y}}", {"t": "", "u": "y"}, []),
    ("@book{b, t = 2021\n)", {"t": "2021"}, ["stray-text", "unclosed-entry"]),
]


@pytest.mark.parametrize(("text", "expected", "codes"), BROKEN)
def test_broken_entries_are_mended_field_by_field(
    text: str, expected: dict[str, str], codes: list[str]
) -> None:
    assert fields(text) == expected
    assert split(text)[1] == codes


def test_a_fault_never_costs_the_next_entry() -> None:
    for fault in (
        "t = {x",
        't = "x',
        "t = {x {y}",
        "t",
        "t =",
        "t = {x}} u",
        "= {x}",
        '"',
        "#",
        "{{{",
        "t = x # ",
    ):
        blocks, _ = split(f"@a{{k,\n {fault}\n}}\n\n@b{{l, u = {{y}}}}\n")
        assert [block.key for block in blocks if isinstance(block, RawEntry)] == ["k", "l"], fault


def test_other_blocks() -> None:
    text = 'words @string(a = "x" # b) @preamble{ "\\x" # {y} } @comment{ @a{k, t = {x}} } @a{k}'
    blocks, problems = split_bibtex(text, "x.bib")
    kinds = [type(block) for block in blocks if not isinstance(block, RawComment)]
    assert kinds == [RawStrings, RawPreamble, RawEntry]
    assert problems == []


@pytest.mark.parametrize(
    "text", ["me@home{x, y = {z}}", "%@a{k,\n t = {x}\n}", "@comment{ open", "@comment words", "@", ""]
)
def test_what_is_no_entry(text: str) -> None:
    assert split(text)[0] == []


def test_places_count_from_one() -> None:
    _, problems = split_bibtex("\n@a{k,\n  t = {x}\n  u = {y}\n}", "x.bib")
    assert str(problems[0]) == "x.bib:3:10: k: no comma after t"


@given(st.text(alphabet='@a{}()"#=, \n%\\x1', max_size=80))
def test_blocks_are_the_file(text: str) -> None:
    blocks, _ = split_bibtex(text, "x")
    assert "".join(text[block.span[0] : block.span[1]] for block in blocks) == text


UNITS = [
    "{",
    "}",
    '"',
    "@a{",
    "@a{k, t = {\n",
    '@a{k, t = "\n',
    "x ",
    "# b ",
    "@string{a = ",
    "@comment{ ",
    "a = {x\n",
    "%",
    "=",
    "@a{k,\n",
    ", ",
]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("start", ["", "@a{k, ", "@a{k, t = {", '@a{k, t = "'])
def test_senseless_input_is_read_with_few_problems(start: str, unit: str) -> None:
    _, problems = split_bibtex(start + unit * 20_000, "x")
    assert len(problems) < 1000


def test_deep_nesting_is_kept_and_not_read() -> None:
    deep = "{" * 100_000 + "x" + "}" * 100_000
    entry = split_entry(f"@a{{k, t = {deep}, u = {{y}}}}")
    assert entry is not None
    assert [(field.name, len(field.pieces)) for field in entry.fields] == [("t", 0), ("u", 1)]
    assert entry.fields[0].source == deep


def test_braces_can_be_balanced() -> None:
    assert balanced("a}b{c") == "ab{c}"
    assert without_surplus("a{b}}\n}") == "a{b}"


NAMES = st.sampled_from(["a", "b", "title", "x-y", "a+an:orcid", "a b", "", "1"])
VALUES = st.text(alphabet='a1 ,=@\n{}"#%', max_size=12)


@given(st.lists(st.tuples(NAMES, VALUES), max_size=5), st.sampled_from(["\n  ", " ", "\n", ""]))
def test_fields_in_the_usual_form_are_read_as_in_any_other(rows: list[tuple[str, str]], before: str) -> None:
    def read(after: str) -> list[list[tuple[str, str]]]:
        body = "".join(f"{before}{name} = {{{balanced(value)}}}{after}" for name, value in rows)
        blocks, _ = split(f"@a{{k,{body}\n}}\n\n@b{{l,\n u = {{y}}\n}}\n")
        return [[(f.name, f.source) for f in block.fields] for block in blocks if isinstance(block, RawEntry)]

    assert read(",") == read(" ,")


def test_a_key_before_many_blanks_takes_no_time() -> None:
    blocks, problems = split("@a{k" + " " * 200_000 + "x, t = {y}}")
    assert isinstance(blocks[0], RawEntry)
    assert blocks[0].fields[-1].value == "y"
    assert problems == []


@given(st.text(alphabet="{}a", max_size=30))
def test_balanced_is_balanced(value: str) -> None:
    depth = 0
    for char in balanced(value):
        depth += (char == "{") - (char == "}")
        assert depth >= 0
    assert depth == 0


WITNESSED = """
@string{jie = "Journal of " # {Tides}}
@preamble{"\\newcommand{\\x}{y}"}
@article{a1, author = {Reed, Ivo and {The {M}oss Group}}, title = "A {"}quoted{"} word",
  journal = jie, year = 1999, month = may}
@book(b2, title = {Nested {{deep} braces} here}, publisher = {A # B}, note = {an @ sign and , comma = too})
@misc{c3, howpublished = "a" # "b",
  key = {x},
}
"""


def test_bibtexparser_finds_the_same_entries_and_fields() -> None:
    bibtexparser: Any = pytest.importorskip("bibtexparser")
    library = bibtexparser.parse_string(WITNESSED.replace("@book(", "@book{").replace("too})", "too}}"))
    theirs = {entry.key: {field.key for field in entry.fields} for entry in library.entries}
    blocks, problems = split(WITNESSED)
    ours = {
        block.key: {field.name for field in block.fields} for block in blocks if isinstance(block, RawEntry)
    }
    assert ours == theirs
    assert problems == []


@pytest.mark.filterwarnings("ignore")
def test_pybtex_reads_the_same_values() -> None:
    database: Any = pytest.importorskip("pybtex.database")
    theirs = database.parse_string(WITNESSED, "bibtex")
    for key in ("b2", "c3"):
        entry = next(b for b in split(WITNESSED)[0] if isinstance(b, RawEntry) and b.key == key)
        ours = {field.name: "".join(piece.text for piece in field.pieces) for field in entry.fields}
        assert ours == dict(theirs.entries[key].fields)
