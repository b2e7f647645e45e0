"""How a format is told, and how others add theirs."""

import io
from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from typing import Any

import pytest

from bibtools import formats
from bibtools.errors import InputError, PluginError, UnknownFormatError, WriteError
from bibtools.formats import BUILT_IN, Format, all_formats, check_text, get_format, guess_format, read
from bibtools.model import Entry, Library, Text

BIB = "@article{a, title = {T}}"
RIS = "TY  - JOUR\nTI  - T\nER  - \n"
CSL = '[{"id": "a", "title": "T"}]'
NBIB = "PMID- 1\nTI  - T\n"
ENW = "%0 Book\n%T T\n"
CIW = "FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nTI T\nER\nEF\n"


@pytest.mark.parametrize(
    ("text", "filename", "name"),
    [
        (BIB, "", "bibtex"),
        (f"% a remark\n\n{BIB}", "", "bibtex"),
        (f"Some words first\n{BIB}", "", "bibtex"),
        (f"An abstract that quotes BibTeX:\n{BIB}", "list.txt", "abstracts"),
        ("", "x.bib", "bibtex"),
        (RIS, "", "ris"),
        (f"Record #1\nProvider: X\n\n{RIS}", "", "ris"),
        (RIS, "export.txt", "ris"),
        (f"\ufeff{RIS}", "", "ris"),
        (CSL, "", "csljson"),
        ('{"items": []}', "", "csljson"),
        ("[]", "", "csljson"),
        ("[1] A list of abstracts with numbers in brackets", "", "abstracts"),
        (NBIB, "", "pubmed"),
        (ENW, "", "endnote"),
        (CIW, "", "wos"),
        ("ICML 2025\n\nWe train widgets.", "list.unknown", "abstracts"),
        (RIS, "wrong.bib", "ris"),
    ],
)
def test_a_format_is_told_by_content_then_by_name(text: str, filename: str, name: str) -> None:
    assert guess_format(text, filename).name == name
    assert guess_format(text.encode(), filename).name == name


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("ris", "ris"),
        ("RIS", "ris"),
        (".ris", "ris"),
        ("bib", "bibtex"),
        ("csl-json", "csljson"),
        ("nbib", "pubmed"),
    ],
)
def test_names_and_suffixes(asked: str, name: str) -> None:
    assert get_format(asked).name == name


def test_an_unknown_format_lists_the_known_ones() -> None:
    with pytest.raises(UnknownFormatError, match="abstracts, biblatex, bibtex, csljson"):
        get_format("papers")


@pytest.mark.parametrize("form", BUILT_IN, ids=lambda form: form.name)
def test_every_built_in_format_can_be_loaded(form: Format) -> None:
    samples = {
        "ris": RIS,
        "csljson": CSL,
        "pubmed": NBIB,
        "endnote": ENW,
        "wos": CIW,
        "abstracts": "We train widgets.\n",
    }
    assert form.read(samples.get(form.name, BIB), "x").entries
    if form.writer:
        target = io.StringIO(newline="")
        assert form.write(Library(entries=(Entry(key="a", title=Text("T")),)), target).count == 1
        assert target.getvalue()


def test_reading_says_format_encoding_and_line_ends() -> None:
    library = read(RIS.replace("\n", "\r\n").encode("utf-16"), "x.ris")
    assert (library.format, library.source, library.newline) == ("ris", "x.ris", "\r\n")
    assert library.encoding.startswith("utf-16")
    assert library.entries[0].title == Text("T")


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"{\\rtf1 abc", "RTF"),
        (b"PK\x03\x04abc", "DOCX"),
        (b"%PDF-1.7", "PDF"),
        (b"\x1f\x8babc", "gzip"),
    ],
)
def test_files_without_plain_text_are_refused_with_advice(data: bytes, what: str) -> None:
    with pytest.raises(InputError, match=what):
        read(data, "x.txt")
    check_text(b"plain", "x.txt")


def test_formats_that_go_one_way_only() -> None:
    with pytest.raises(WriteError, match="can be read, not written"):
        get_format("pubmed").write(Library(), io.StringIO())
    with pytest.raises(InputError, match="can be written, not read"):
        Format("out", "Out").read("", "x")


# others' formats


def read_shout(text: str, source: str) -> Library:
    """Return one entry with the text as title; the reader of a format made up here."""
    return Library(entries=(Entry(key="a", title=Text(text.strip("!"))),), source=source)


SHOUT = Format(
    "shout",
    "shouting",
    (".shout",),
    reader=f"{__name__}:read_shout",
    looks_like=lambda head: "sure" if head.startswith("!!!") else "no",
)


@pytest.fixture
def others(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[None]:
    """Have the entry points of the test's mark installed."""
    points = request.param

    def installed(group: str) -> Any:
        return points if group == formats.GROUP else entry_points(group=group)

    monkeypatch.setattr("importlib.metadata.entry_points", installed)
    all_formats.cache_clear()
    yield
    all_formats.cache_clear()


POINT = EntryPoint("shout", f"{__name__}:SHOUT", formats.GROUP)


@pytest.mark.parametrize("others", [[POINT]], indirect=True)
@pytest.mark.usefixtures("others")
def test_other_packages_add_formats() -> None:
    assert get_format("shout") is not None
    assert guess_format("!!!Hello").name == "shout"
    assert read(b"!!!Hello", "x.shout").entries[0].title == Text("Hello")
    with pytest.raises(UnknownFormatError, match="shout"):
        get_format("papers")


@pytest.mark.parametrize(
    ("others", "message"),
    [
        ([EntryPoint("bad", "nowhere_at_all:X", formats.GROUP)], "'bad' cannot be loaded"),
        ([EntryPoint("bad", "io:StringIO", formats.GROUP)], "is not a bibtools.formats.Format"),
    ],
    indirect=["others"],
)
@pytest.mark.usefixtures("others")
def test_a_broken_plugin_is_named(message: str) -> None:
    with pytest.raises(PluginError, match=message):
        all_formats()
