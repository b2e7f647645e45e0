"""RIS that Zotero, EndNote and Mendeley read, and what it does not hold."""

import io
from typing import Any

import pytest

from bibtools.errors import WriteError
from bibtools.mapping.csl import TYPES
from bibtools.mapping.ris import DIALECTS
from bibtools.model import (
    Contributor,
    Entry,
    Library,
    Link,
    Math,
    Origin,
    PartialDate,
    Span,
    Text,
    WriteOptions,
)
from bibtools.outcomes import FieldSource, Identification
from bibtools.readers.ris import read_ris
from bibtools.writers.ris import write_ris


def write(
    *entries: Entry, dialect: str = "", form: str = "ris", code_as: Any = "field"
) -> tuple[str, list[str]]:
    """Return the entries as RIS, and the codes and messages of what is lost."""
    stream = io.StringIO(newline="")
    report = write_ris(
        Library(entries=entries, format=form), stream, WriteOptions(dialect=dialect, code_as=code_as)
    )
    assert report.count == len(entries)
    return stream.getvalue(), [f"{problem.code} {problem.raw}" for problem in report.problems]


def lines(entry: Entry, dialect: str = "") -> list[str]:
    """Return the lines of an entry's record between TY and ER."""
    return write(entry, dialect=dialect)[0].split("\r\n")[1:-3]


def test_a_record() -> None:
    entry = Entry(
        key="noon2024",
        type="article-journal",
        title=Text("A title"),
        author=(Contributor("Noon", "Ara"), Contributor("Berg", "Hans", "van der", suffix="Jr.")),
        container_title=Text("Leaf"),
        issued=PartialDate((2024, 7, 8)),
        page="12-20",
        keyword=("a", "b"),
    )
    text, losses = write(entry)
    assert losses == []
    assert text == (
        "TY  - JOUR\r\nTI  - A title\r\nAU  - Noon, Ara\r\nAU  - van der Berg, Hans, Jr.\r\nT2  - Leaf\r\n"
        "DA  - 2024/07/08/\r\nPY  - 2024\r\nSP  - 12\r\nEP  - 20\r\nKW  - a\r\nKW  - b\r\nID  - noon2024\r\n"
        "ER  - \r\n\r\n"
    )


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"issued": PartialDate((2024,))}, ["PY  - 2024"]),
        ({"issued": PartialDate((2024, 7))}, ["DA  - 2024/07//", "PY  - 2024"]),
        ({"issued": PartialDate((2020,), (2021,))}, ["DA  - 2020///2020/2021", "PY  - 2020"]),
        ({"issued": PartialDate((-44,))}, ["DA  - -0043"]),
        ({"issued": PartialDate(literal="in press")}, ["DA  - in press"]),
        ({"accessed": PartialDate((2024, 5, 6))}, ["Y2  - 2024/05/06/"]),
        ({"type": "book", "page": "12"}, ["SP  - 12", "EP  - 12"]),
        ({"type": "book", "number_of_pages": "276"}, ["SP  - 276"]),
        ({"type": "book", "page": "1-9", "number_of_pages": "276"}, ["SP  - 1-9", "EP  - 276"]),
        ({"type": "article-journal", "page": "1-1"}, ["SP  - 1-1"]),
        ({"type": "book", "editor": (Contributor("Pike"),)}, ["A3  - Pike"]),
        ({"type": "chapter", "editor": (Contributor("Pike"),)}, ["A2  - Pike"]),
        ({"type": "report", "editor": (Contributor("Pike"),)}, ["ED  - Pike"]),
        ({"type": "report", "number": "TR-1", "isbn": "1"}, ["SN  - TR-1", "SN  - ISBN 1"]),
        ({"type": "article-journal", "issn": "1234-5679"}, ["SN  - 1234-5679"]),
        ({"type": "paper-conference", "container_title": Text("P")}, ["T2  - P", "C3  - P"]),
        (
            {"type": "paper-conference", "container_title": Text("P"), "event_title": Text("E")},
            ["T2  - P", "C3  - P", "N1  - Conference: E"],
        ),
        ({"type": "paper-conference", "publisher_place": "Delft"}, ["C1  - Delft", "CY  - Delft"]),
        ({"type": "book", "volume": "7", "part_number": "2"}, ["VL  - 7", "M2  - Part Number: 2"]),
        ({"type": "book", "part_number": "2"}, ["M2  - Part Number: 2"]),
        ({"author": (Contributor(literal="Barrow, Inc."),)}, ["AU  - Barrow, Inc.,,"]),
        ({"ids": {"arxiv": "2401.1", "openreview": "AbC"}}, ["AN  - openreview:AbC", "AN  - arxiv:2401.1"]),
        ({"pmid": "12"}, ["AN  - pmid:12"]),
        ({"truncated": ("author",)}, ["N1  - List cut off (et al.): author"]),
        ({"keyword": ("a; b",)}, ["KW  - a, b"]),
        ({"abstract": Text("one\n\ntwo\u2028three")}, ["AB  - one two three"]),
        ({"title": Text("$x^2$", (Math("x^2"),))}, ["TI  - $x^2$"]),
        ({"extra": {"ris": (("C8", "x"), ("XY", "y"))}}, ["C8  - x", "XY  - y"]),
    ],
)
def test_lines(changes: dict[str, Any], expected: list[str]) -> None:
    entry = Entry(**{"type": "manuscript", **changes})
    assert lines(entry) == expected
    back = read_ris(write(entry)[0].replace("\r\n", "\n"), "x").entries[0]
    for field in changes.keys() - {"abstract", "keyword"}:
        assert getattr(back, field) == getattr(entry, field)


@pytest.mark.parametrize("dialect", ["endnote", "mendeley"])
def test_the_part_stands_behind_the_volume_where_extra_lines_are_unknown(dialect: str) -> None:
    """What is read back as another field is said."""
    text, losses = write(Entry(type="book", volume="7", part_number="2"), dialect=dialect)
    assert "VL  - 7.2\r\n" in text
    assert [loss.split()[0] for loss in losses] == ["changed-field"]


@pytest.mark.parametrize("entry_type", sorted(TYPES))
def test_every_type_comes_back_from_zoteros_dialect(entry_type: str) -> None:
    text, losses = write(Entry(type=entry_type, title=Text("A")))
    assert read_ris(text.replace("\r\n", "\n"), "x").entries[0].type == entry_type
    assert losses == []


@pytest.mark.parametrize(("dialect", "ty"), [("zotero", "UNPD"), ("endnote", "GEN"), ("mendeley", "GEN")])
def test_a_document_by_dialect(dialect: str, ty: str) -> None:
    text, _ = write(Entry(type="document", title=Text("A")), dialect=dialect)
    assert text.startswith(f"TY  - {ty}\r\n")


def test_endnote_has_the_day_alone_in_da() -> None:
    assert lines(Entry(type="book", issued=PartialDate((2024, 7, 8))), "endnote") == [
        "DA  - July 8",
        "PY  - 2024",
    ]


def test_endnote_has_the_conference_in_t2() -> None:
    entry = Entry(type="paper-conference", container_title=Text("P"), event_title=Text("E"))
    assert lines(entry, "endnote") == ["T2  - E", "C3  - P"]


def test_a_conference_from_a_catalogue_is_no_note_where_the_title_says_it() -> None:
    known = Identification("identified", sources={"event_title": FieldSource("x")})
    entry = Entry(
        type="paper-conference",
        container_title=Text("Proceedings of the Conference on Fog"),
        event_title=Text("Conference on Fog"),
        identification=known,
    )
    assert all(not line.startswith("N1") for line in lines(entry))
    assert "N1  - Conference: Tides" in lines(entry.replace(event_title=Text("Tides")))


def test_mendeley_has_editors_in_ed() -> None:
    assert lines(Entry(type="book", editor=(Contributor("Pike"),)), "mendeley") == ["ED  - Pike"]


def test_mark_up_is_zoteros_only() -> None:
    title = Text("a b c", ("a ", Span("italic", ("b",)), " ", Span("nocase", ("c",))))
    entry = Entry(type="book", title=title)
    assert lines(entry) == ['TI  - a <i>b</i> <span class="nocase">c</span>']
    assert lines(entry, "endnote") == ["TI  - a b c"]
    assert write(entry, form="bibtex")[0].split("\r\n")[1] == "TI  - a <i>b</i> c"


def test_formulas_become_unicode_if_wanted_and_possible() -> None:
    nodes = ("On ", Math(r"\ell_1"), ", ", Math("x^2"), " and ", Math(r"\frac{1}{2}"))
    entry = Entry(type="book", title=Text(r"On $\ell_1$, $x^2$ and $\frac{1}{2}$", nodes))
    stream = io.StringIO(newline="")
    write_ris(Library(entries=(entry,)), stream, WriteOptions(unicode_math=True))
    assert stream.getvalue().split("\r\n")[1] == r"TI  - On ℓ₁, x² and $\frac{1}{2}$"


def test_the_type_as_spelled_stays_if_it_is_one_of_ris() -> None:
    assert write(Entry(type="book", source_type="EDBOOK"))[0].startswith("TY  - EDBOOK\r\n")
    assert write(Entry(type="article-journal", source_type="journal-article"))[0].startswith("TY  - JOUR\r\n")


def test_code_links_become_notes_if_wanted() -> None:
    link = Link("https://github.com/o/r", "https://github.com/o/r", "repository", True)
    entry = Entry(type="book", links=(link, Link("https://a.org", "https://a.org")))
    assert lines(entry) == ["N1  - Code: https://github.com/o/r"]
    assert "Code" not in write(entry, code_as="none")[0]


def test_what_ris_cannot_hold_is_said() -> None:
    entry = Entry(
        key="a",
        type="book",
        scale="1:2",
        illustrator=(Contributor("Pike", "Jo"),),
        director=(Contributor("Rill"),),
        extra={"bibtex": (("timestamp", "2020"),)},
        origin=Origin("x.bib", 7),
    )
    stream = io.StringIO()
    problems = write_ris(Library(entries=(entry,)), stream, WriteOptions()).problems
    assert [(problem.code, problem.raw, problem.lost) for problem in problems] == [
        ("changed-field", "director = Rill", False),
        ("lost-field", "illustrator = Pike, Jo", True),
        ("lost-field", "scale = 1:2", True),
        ("lost-field", "timestamp = 2020", True),
    ]
    assert str(problems[1]) == "x.bib:7: a: illustrator has no place in RIS"
    assert "AU  - Rill" in stream.getvalue()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_value_starts_a_line(dialect: str) -> None:
    entry = Entry(type="book", title=Text("a\nTY  - JOUR\rER  - \x85x"), note=(Text("b\r\nKW  - c"),))
    text, _ = write(entry, dialect=dialect)
    assert len(read_ris(text.replace("\r\n", "\n"), "x").entries) == 1
    assert "\r\nKW" not in text


@pytest.mark.parametrize("tag", ["ER", "TY", "A  - x", ""])
def test_no_kept_tag_ends_a_record(tag: str) -> None:
    written = lines(Entry(key="a", title=Text("T"), extra={"ris": ((tag, "lost"), ("ZZ", "kept"))}))
    assert "ZZ  - kept" in written
    assert not [line for line in written if "lost" in line]


def test_an_unknown_dialect_is_refused() -> None:
    with pytest.raises(WriteError, match="zotero, endnote, mendeley"):
        write(Entry(), dialect="papers")
