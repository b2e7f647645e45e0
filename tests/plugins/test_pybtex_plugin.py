"""The plugins inside the real pybtex."""

import tomllib
from importlib import import_module
from pathlib import Path

import pytest

pybtex = pytest.importorskip("pybtex")

from pybtex.database import BibliographyData, Entry, Person, parse_file, parse_string  # noqa: E402
from pybtex.database.convert import convert  # noqa: E402
from pybtex.database.format import format_database  # noqa: E402
from pybtex.exceptions import PybtexError  # noqa: E402
from pybtex.plugin import find_plugin, register_plugin  # noqa: E402

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
GROUPS = {group: points for group, points in PROJECT["entry-points"].items() if group.startswith("pybtex.")}

BIB = """@article{noon2024,
  author = {Noon, Ara and van der Berg, Hans and others},
  title = {On {GPU} and $x^2$},
  journal = {Leaf}, year = {2024}, month = jul, pages = {1--9}, doi = {10.5555/x},
}

@book{rill2020,
  author = {{The Tarn Group}}, title = {Tides \\& Fog}, publisher = {House}, year = {2020},
}
"""
RIS = """TY  - JOUR
TI  - On $x_1$, 5% & y_z
AU  - Noon, Ara
T2  - Leaf
PY  - 2024
SP  - 1
EP  - 9
ID  - noon
ER  -
"""
NO_KEYS = 2 * "TY  - BOOK\nTI  - Tides\nAU  - Rill, A\nPY  - 2020\nER  - \n"


@pytest.fixture(autouse=True)
def installed() -> None:
    """Have the plugins registered as an installed package would by its entry points."""
    for group, points in GROUPS.items():
        for name, address in points.items():
            module, _, attribute = address.partition(":")
            register_plugin(group, name, getattr(import_module(module), attribute), force=True)


def test_each_name_has_its_suffix() -> None:
    for side in ("input", "output"):
        by_name = GROUPS[f"pybtex.database.{side}"]
        by_suffix = GROUPS[f"pybtex.database.{side}.suffixes"]
        assert sorted(by_name.values()) == sorted(by_suffix.values())
        for suffix, address in by_suffix.items():
            plugin = find_plugin(f"pybtex.database.{side}", filename=f"refs{suffix}")
            assert address.endswith(f":{plugin.__name__}")


def test_bibtex_to_ris_and_back(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text(BIB, encoding="utf-8")
    convert(tmp_path / "refs.bib", tmp_path / "refs.ris")
    text = (tmp_path / "refs.ris").read_bytes().decode()
    assert text.startswith(
        "TY  - JOUR\r\nTI  - On GPU and $x^2$\r\nAU  - Noon, Ara\r\nAU  - van der Berg, Hans\r\n"
    )
    convert(tmp_path / "refs.ris", tmp_path / "again.bib")
    data = parse_file(str(tmp_path / "again.bib"))
    assert list(data.entries) == ["noon2024", "rill2020"]
    first, second = data.entries.values()
    assert [str(person) for person in first.persons["author"]] == [
        "Noon, Ara",
        "van der Berg, Hans",
        "others",
    ]
    assert (first.fields["pages"], first.fields["doi"], first.fields["month"]) == (
        "1--9",
        "10.5555/x",
        "July",
    )
    assert second.fields["title"] == r"Tides \& Fog"  # pybtex's writer escaped it, once
    assert second.persons["author"][0].last_names == ["{The Tarn Group}"]


def test_csl_json_both_ways(tmp_path: Path) -> None:
    data = parse_string(BIB, "bibtex")
    text = data.to_string("csljson")
    assert '"non-dropping-particle": "van der"' in text
    back = parse_string(text, "csljson")
    assert back.entries["noon2024"].fields["title"] == r"On {GPU} and $x^2$"


def test_special_characters_are_escaped_once(tmp_path: Path) -> None:
    (tmp_path / "refs.ris").write_text(RIS, encoding="utf-8")
    convert(tmp_path / "refs.ris", tmp_path / "refs.bib")
    text = (tmp_path / "refs.bib").read_text(encoding="utf-8")
    assert r"On $x\sb 1$, 5\textpercent{} \& y\_z" in text


def test_records_without_keys_get_keys_of_their_own() -> None:
    assert len(parse_string(NO_KEYS, "ris").entries) == 2
    doubled = NO_KEYS.replace("ER  - ", "ID  - same\nER  - ")
    assert len(parse_string(doubled, "ris").entries) == 2


def test_pybtex_formats_a_bibliography_from_ris(tmp_path: Path) -> None:
    (tmp_path / "refs.ris").write_text(RIS, encoding="utf-8")
    format_database(
        str(tmp_path / "refs.ris"), str(tmp_path / "out.bbl"), output_backend="latex", style="plain"
    )
    text = (tmp_path / "out.bbl").read_text(encoding="utf-8")
    assert "Ara Noon" in text
    assert r"\textpercent" in text
    assert r"\emph{Leaf}, pages 1–9, 2024" in text


def test_data_made_in_pybtex_is_written() -> None:
    fields = {"title": "A Title", "year": "2020", "journal": "Leaf"}
    made = Entry(
        "article", fields=fields, persons={"author": [Person("Noon, Ara")], "editor": [Person("Pike, J")]}
    )
    text = BibliographyData(entries={"key": made}).to_string("ris")
    assert "AU  - Noon, Ara\r\n" in text
    assert "A2  - Pike, J\r\n" in text


def test_what_cannot_be_read_is_pybtexs_error() -> None:
    with pytest.raises(PybtexError, match="not RIS"):
        parse_string("just words", "ris")
