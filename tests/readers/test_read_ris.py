"""RIS as programs really write it."""

import json
from pathlib import Path
from typing import Any

import pytest

from bibtools.errors import InputError
from bibtools.model import Contributor, Entry, Text
from bibtools.readers.decode import decode
from bibtools.readers.ris import Outside, RawRecord, read_ris, split_records
from bibtools.writers.csljson import to_csl

REPORTS = Path(__file__).parents[3] / "shared" / "reports"


def read_one(*lines: str, ty: str = "JOUR") -> Entry:
    """Return the entry of a record with these lines."""
    library = read_ris("\n".join([f"TY  - {ty}", *lines, "ER  - ", ""]), "x.ris")
    assert len(library.entries) == 1
    return library.entries[0]


def codes(text: str) -> list[str]:
    """Return the codes of the problems that reading gives."""
    return [problem.code for problem in read_ris(text, "x.ris").problems]


# records


def test_records_end_at_er_at_the_next_ty_and_at_the_end() -> None:
    text = "TY  - JOUR\nTI  - A\nTY  - BOOK\nTI  - B\nER  - \nTY  - THES\nTI  - C"
    library = read_ris(text, "x.ris")
    assert [entry.title for entry in library.entries] == [Text("A"), Text("B"), Text("C")]
    assert [problem.code for problem in library.problems] == ["missing-end", "missing-end"]
    assert [problem.location.line for problem in library.problems] == [1, 6]


def test_text_between_records_is_passed_over_and_said() -> None:
    text = "Record #1\nProvider: X\n\nTY  - JOUR\nTI  - A\nER  - \n\nC1  - Database: X\n---\n"
    library = read_ris(text, "x.ris")
    assert len(library.entries) == 1
    assert not library.entries[0].extra
    assert [(p.code, p.location.line, p.lost) for p in library.problems] == [
        ("text-outside-record", 1, False),
        ("text-outside-record", 8, False),
    ]
    assert library.problems[1].raw == "C1  - Database: X\n---"


def test_a_record_without_ty_is_read_where_it_has_a_title() -> None:
    library = read_ris("AU  - Noon, Ara\nTI  - A\nJO  - Leaf\nER  - \nTY  - BOOK\nTI  - B\nER  - \n", "x.ris")
    assert [entry.title for entry in library.entries] == [Text("A"), Text("B")]
    assert [problem.code for problem in library.problems] == ["missing-type"]


def test_what_is_no_ris_is_refused() -> None:
    with pytest.raises(InputError, match="not RIS"):
        read_ris("just some words\non two lines\n", "x.ris")


def test_nothing_is_nothing() -> None:
    assert read_ris("\n \n", "x.ris").entries == ()


def test_origin_says_line_span_and_place() -> None:
    text = "\nTY  - JOUR\nTI  - A\nER  - \n\nTY  - BOOK\nTI  - B\nER  - \n"
    origins = [entry.origin for entry in read_ris(text, "x.ris").entries]
    assert [(origin.line, origin.index) for origin in origins if origin] == [(2, 0), (6, 1)]
    assert [text[slice(*origin.span)] for origin in origins if origin] == [
        "TY  - JOUR\nTI  - A\nER  - ",
        "TY  - BOOK\nTI  - B\nER  - ",
    ]


# lines


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("TI  - A title", "A title"),
        ("TI  -A title", "A title"),
        ("TI - A title", "A title"),
        ("TI\t- A title", "A title"),
        ("  TI  - A title", "A title"),
        ("TI  – A title", "A title"),
        ("TI  - A\n title", "A title"),
        ("TI  - A\ntitle", "A title"),
        ("TI  -\nA title", "A title"),
    ],
)
def test_spacing_of_tag_lines(line: str, title: str) -> None:
    assert read_one(line).title == Text(title)


@pytest.mark.parametrize("line", ["US - based teams", "ER then more", "A  - b", "AB: c", "1.  - d"])
def test_a_line_that_only_looks_like_a_tag_goes_on(line: str) -> None:
    assert read_one("AB  - One", line).abstract == Text(f"One {line}")


def test_empty_tags_are_absent_fields() -> None:
    entry = read_one("IS  - 9", "SP  -", "EP  - ", "PB  - House")
    assert (entry.issue, entry.page, entry.publisher) == ("9", "", "House")


def test_unknown_tags_are_kept_in_order() -> None:
    entry = read_one("JP  - CRISPR", "TI  - A", "DC  - Current", "JP  - Again")
    assert entry.extra == {"ris": (("JP", "CRISPR"), ("DC", "Current"), ("JP", "Again"))}


def test_a_record_is_split_before_it_is_understood() -> None:
    parts = list(split_records("junk\nTY  - JOUR\nKW  - a\nb\nER  - \n"))
    assert parts == [
        Outside("junk", 1),
        RawRecord([("TY", "JOUR"), ("KW", "a\nb")], 2, (5, 32), True),
    ]


# meaning


@pytest.mark.parametrize(
    ("ty", "entry_type"),
    [
        ("JOUR", "article-journal"),
        ("Journ", "article-journal"),
        ("Chap", "chapter"),
        ("CPAPER", "paper-conference"),
        ("UNPB", "manuscript"),
        ("UNPD", "manuscript"),
        ("GEN", "document"),
        ("GRNT", "document"),
        ("WEB", "webpage"),
        ("STAND", "standard"),
    ],
)
def test_types(ty: str, entry_type: str) -> None:
    entry = read_one("TI  - A", ty=ty)
    assert (entry.type, entry.source_type) == (entry_type, ty)


def test_an_unknown_type_is_told_by_its_journal_and_said() -> None:
    assert read_one("JF  - Leaf", ty="XYZ").type == "article-journal"
    assert read_one("TI  - A", ty="XYZ").type == "document"
    assert codes("TY  - XYZ\nTI  - A\nER  - \n") == ["unknown-type"]


@pytest.mark.parametrize(
    ("ty", "line", "field", "value"),
    [
        ("JOUR", "T2  - X", "container_title", Text("X")),
        ("BOOK", "T2  - X", "collection_title", Text("X")),
        ("SLIDE", "T2  - X", "event_title", Text("X")),
        ("CHAP", "T3  - X", "collection_title", Text("X")),
        ("BILL", "T3  - X", "authority", "X"),
        ("COMP", "ET  - 0.5", "version", "0.5"),
        ("BOOK", "ET  - 2", "edition", "2"),
        ("RPRT", "SN  - TR-1", "number", "TR-1"),
        ("PAT", "SN  - 4,904", "number", "4,904"),
        ("JOUR", "SN  - 1234-567X", "issn", "1234-567X"),
        ("AGGR", "SN  - 1234-567X", "issn", "1234-567X"),
        ("AGGR", "SN  - 978-1234567890", "isbn", "978-1234567890"),
        ("BOOK", "SP  - 276", "number_of_pages", "276"),
        ("BOOK", "SP  - 12-20", "page", "12-20"),
        ("CHAP", "SE  - 4", "chapter_number", "4"),
        ("JOUR", "M1  - 3", "issue", "3"),
        ("BOOK", "M1  - 3", "collection_number", "3"),
        ("CONF", "C3  - X", "container_title", Text("X")),
        ("MAP", "C1  - 1:2", "scale", "1:2"),
        ("CASE", "PB  - Court", "authority", "Court"),
        ("JOUR", "C7  - e12", "number", "e12"),
        ("JOUR", "PP  - Delft", "publisher_place", "Delft"),
        ("JOUR", "DO  - https://doi.org/10.5555/AbC", "doi", "10.5555/AbC"),
        ("JOUR", "M3  - doi: 10.5555/x", "doi", "10.5555/x"),
        ("JOUR", "N1  - doi: 10.5555/x", "doi", "10.5555/x"),
        ("JOUR", "M3  - Review", "genre", "Review"),
        ("JOUR", "AN  - PMC123", "pmcid", "PMC123"),
        ("JOUR", "U1  - 26957754[pmid]", "pmid", "26957754"),
        ("CONF", "AN  - openreview:AbC", "ids", {"openreview": "AbC"}),
        ("JOUR", "AN  - WOS:0001", "archive_location", "WOS:0001"),
        ("JOUR", "ID  - OEB 30135", "key", "OEB 30135"),
        ("JOUR", "N1  - See also", "note", (Text("See also"),)),
        ("JOUR", "TI  - A &amp; B", "title", Text("A & B")),
        ("JOUR", "KW  - a; b", "keyword", ("a", "b")),
        ("JOUR", "KW  - a, b\nc; d", "keyword", ("a, b", "c", "d")),
    ],
)
def test_a_tag_means_what_it_means_in_this_type(ty: str, line: str, field: str, value: Any) -> None:
    assert getattr(read_one(line, ty=ty), field) == value


def test_roles_depend_on_the_type() -> None:
    chapter = read_one("AU  - Noon, A", "A2  - Pike, J", "A3  - Rill, S", "A4  - Tarn, T", ty="CHAP")
    assert [people[0].family for people in (chapter.author, chapter.editor, chapter.collection_editor)] == [
        "Noon",
        "Pike",
        "Rill",
    ]
    assert chapter.translator[0].family == "Tarn"
    book = read_one("T2  - Series", "A2  - Rill, S", "A3  - Pike, J", ty="BOOK")
    assert (book.editor[0].family, book.collection_editor[0].family) == ("Pike", "Rill")


def test_the_old_second_author_of_a_book_is_its_editor() -> None:
    assert read_one("A2  - Pike, J", ty="BOOK").editor == (Contributor("Pike", "J"),)


def test_the_author_of_an_edited_book_is_its_editor() -> None:
    entry = read_one("AU  - Pike, J", ty="EDBOOK")
    assert (entry.author, entry.editor) == ((), (Contributor("Pike", "J"),))


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("Doe, John, Jr.", Contributor("Doe", "John", suffix="Jr.")),
        ("Valle-Delgado,J. J. ", Contributor("Valle-Delgado", "J. J.")),
        ("Fenn E.", Contributor("Fenn", "E.")),
        ("Fenn E.M.", Contributor("Fenn", "E.M.")),
        ("van der Berg, Hans", Contributor("Berg", "Hans", "van der")),
        ("d'Aubignac, Jo", Contributor("d'Aubignac", "Jo")),
        ("d' Aubignac, Jo", Contributor("Aubignac", "Jo", non_dropping_particle="d'")),
        ("De Vlinderstichting", Contributor(literal="De Vlinderstichting")),
        ("Noon, Ara,", Contributor("Noon", "Ara")),
        ("Barrow and Tarn, Inc.,,", Contributor(literal="Barrow and Tarn, Inc.")),
    ],
)
def test_names(value: str, name: Contributor) -> None:
    assert read_one(f"AU  - {value}").author == (name,)


def test_a1_may_repeat_or_go_on() -> None:
    assert len(read_one("AU  - Noon, A", "A1  - Noon, A").author) == 1
    assert len(read_one("A1  - Noon, A", "AU  - Pike, J").author) == 2


@pytest.mark.parametrize("sign", ["et al.", "Et al", "others"])
def test_nobody_is_called_et_al(sign: str) -> None:
    entry = read_one("AU  - Noon, A", f"AU  - {sign}")
    assert (entry.author, entry.truncated) == ((Contributor("Noon", "A"),), ("author",))


@pytest.mark.parametrize(
    ("lines", "start", "rest"),
    [
        (("PY  - 2019",), (2019,), ()),
        (("PY  - 2019", "DA  - 2019/03/05/"), (2019, 3, 5), ()),
        (("DA  - 1993/00/00",), (1993,), ()),
        (("PY  - 1948", "DA  - July 8"), (1948, 7, 8), ()),
        (("Y1  - 2019/11/02", "PY  - 2020", "DA  - 2020/03/01"), (2020, 3, 1), (("Y1", "2019/11/02"),)),
        (
            ("Y1  - 2013", "PY  - 2013/04/18", "PY  - 2013/02/15/received"),
            (2013, 4, 18),
            (("PY", "2013/02/15/received"),),
        ),
        (("PY  - 2013-10-24",), (2013, 10, 24), ()),
        (("Y1  - 2015/october",), (2015, 10), ()),
    ],
)
def test_the_date_of_issue(lines: tuple[str, ...], start: tuple[int, ...], rest: tuple[Any, ...]) -> None:
    entry = read_one(*lines)
    assert entry.issued
    assert entry.issued.start == start
    assert entry.extra.get("ris", ()) == rest


def test_an_access_date_is_no_date_of_issue() -> None:
    entry = read_one("Y2  - 2024/05/06/T10:11:12Z")
    assert entry.issued is None
    assert entry.accessed
    assert (entry.accessed.start, entry.accessed.literal) == ((2024, 5, 6), "2024/05/06/T10:11:12Z")


@pytest.mark.parametrize(
    ("lines", "page"),
    [
        (("SP  - 12", "EP  - 20"), "12-20"),
        (("SP  - 12", "EP  - 12"), "12"),
        (("SP  - 12–20",), "12-20"),
        (("SP  - 12-20", "EP  - 20"), "12-20"),
        (("EP  - 20", "SP  - 12"), "12-20"),
        (("SP  - e0815",), "e0815"),
        (("SP  - 7, 41-43",), "7, 41-43"),
        (("SP  - 377", "EP  - 86"), "377-86"),
    ],
)
def test_pages(lines: tuple[str, ...], page: str) -> None:
    assert read_one(*lines).page == page


@pytest.mark.parametrize(
    ("lines", "container", "short", "rest"),
    [
        (("JO  - Leaf",), "Leaf", None, ()),
        (("J2  - Leaf",), "Leaf", None, ()),
        (("JF  - Leaf", "JO  - L.", "T2  - Leaf"), "Leaf", "L.", ()),
        (("T2  - The yearly show", "JO  - Leaf", "JF  - Leaf"), "Leaf", None, (("T2", "The yearly show"),)),
        (("T2  - Leaf", "JA  - L.", "J1  - Lf"), "Leaf", "L.", (("J1", "Lf"),)),
    ],
)
def test_journals(lines: tuple[str, ...], container: str, short: str | None, rest: tuple[Any, ...]) -> None:
    entry = read_one(*lines)
    assert entry.container_title == Text(container)
    assert entry.container_title_short == (Text(short) if short else None)
    assert entry.extra.get("ris", ()) == rest


def test_proceedings_and_their_conference() -> None:
    entry = read_one("T2  - ICML", "C3  - Proceedings of ICML", "C1  - Delft", "CY  - Wien", ty="CONF")
    assert (entry.event_title, entry.container_title) == (Text("ICML"), Text("Proceedings of ICML"))
    assert (entry.publisher_place, entry.event_place) == ("Delft", "Wien")
    assert read_one("T2  - ICML", ty="CONF").container_title == Text("ICML")


def test_equal_values_are_one_value() -> None:
    entry = read_one("TI  - A", "T1  - A", "N2  - B", "AB  - B", "DO  - 10.5555/x", "N1  - doi: 10.5555/x")
    assert (entry.title, entry.abstract, entry.doi) == (Text("A"), Text("B"), "10.5555/x")
    assert not entry.note
    assert not entry.extra


def test_other_values_for_a_field_are_kept() -> None:
    entry = read_one("TI  - A", "T1  - B", "UR  - https://a.org", "UR  - https://b.org", "N2  - C", "AB  - D")
    assert (entry.title, entry.url, entry.abstract) == (Text("A"), "https://a.org", Text("D"))
    assert entry.extra["ris"] == (("T1", "B"), ("UR", "https://b.org"), ("N2", "C"))


def test_code_links_and_cut_lists_come_back() -> None:
    entry = read_one("N1  - Code: https://github.com/o/r", "N1  - List cut off (et al.): author, editor")
    assert [(link.url, link.kind, link.offers_code) for link in entry.links] == [
        ("https://github.com/o/r", "repository", True)
    ]
    assert entry.truncated == ("author", "editor")
    assert not entry.note


def test_procite_puts_fields_into_notes() -> None:
    entry = read_one(
        "N1  - Record ID: 50", "TI  - A", "VL  - 2nd", "N1  - Volume ID: 4", "N1  - Notes: Hello", ty="BOOK"
    )
    assert (entry.edition, entry.volume) == ("2nd", "4")
    assert entry.note == (Text("Record ID: 50"), Text("Hello"))


def test_math_and_mark_up_are_understood() -> None:
    title = read_one("TI  - On <i>E. coli</i> and $x^2$ at $5").title
    assert title
    assert title.plain == "On E. coli and $x^2$ at $5"
    assert len(title.nodes) == 5


# reports


@pytest.mark.skipif(not REPORTS.exists(), reason="the report inputs are not beside the project")
@pytest.mark.parametrize("path", sorted(REPORTS.glob("*.ris")), ids=lambda path: path.stem)
def test_reported_faults(path: Path) -> None:
    library = read_ris(decode(path.read_bytes(), path.name).text, path.name)
    right = json.loads(path.with_name(f"{path.stem}.expect.json").read_text(encoding="utf-8"))
    found = [to_csl(entry) for entry in library.entries]
    assert len(found) == len(right)
    for item, expected in zip(found, right, strict=True):
        assert {variable: item.get(variable) for variable in expected} == expected


@pytest.mark.parametrize(
    ("ty", "lines", "kept"),
    [
        ("ECHAP", ["BT  - One", "T2  - Two"], ("BT", "One")),
        ("CASE", ["A2  - One", "T2  - Two"], ("A2", "One")),
        ("RPRT", ["T3  - One", "T2  - Two"], ("T3", "One")),
        ("CPAPER", ["PP  - One", "C1  - Two", "CY  - One"], ("C1", "Two")),
    ],
)
def test_a_weaker_tag_that_says_something_else_is_kept(
    ty: str, lines: list[str], kept: tuple[str, str]
) -> None:
    """Two tags compete for one field: one counts, neither is lost."""
    assert read_one(*lines, ty=ty).extra == {"ris": (kept,)}


def test_the_place_of_a_conference_stands_beside_the_publishers() -> None:
    """Whichever tag gave the publisher's."""
    entry = read_one("PP  - Delft", "CY  - Rome", ty="CPAPER")
    assert (entry.publisher_place, entry.event_place) == ("Delft", "Rome")


def test_procites_title_is_kept_beside_another_tags() -> None:
    """A label gives it, T2 says something else."""
    entry = read_one("N1  - Record ID: 1", "N1  - Series Title: One", "T2  - Two", ty="BOOK")
    assert str(entry.collection_title) == "Two"
    assert ("N1", "One") in entry.extra["ris"]
