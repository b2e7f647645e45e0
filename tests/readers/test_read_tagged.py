"""PubMed, EndNote and Web of Science files."""

import pytest

from bibtools.errors import InputError
from bibtools.model import Contributor, Entry, PartialDate, Text
from bibtools.readers.tagged import read_endnote, read_pubmed, read_wos

PUBMED = """
PMID- 12345678
OWN - NLM
IS  - 1234-5679 (Electronic)
IS  - 0000-0019 (Print)
VI  - 12
DP  - 2019 Mar 5
TI  - A long title that goes
      on the next line.
PG  - 123-30
LID - 10.5555/abc [doi]
LID - S0123 [pii]
AB  - BACKGROUND: text
      more text.
FAU - Noon, Ara B
AU  - Noon AB
AUID- ORCID: 0000-0001-2345-6789
FAU - van der Pike, Jo
AU  - van der Pike J
CN  - Tarn Group
PT  - Journal Article
PT  - Review
TA  - Inv Lett
JT  - Invented letters
OT  - fog
PMC - PMC123456

PMID- 2
AU  - Smith JA Jr
TI  - Short.
BTI - A book
PT  - Journal Article
"""

ENDNOTE = """%0 Journal Article
%T Tides of Fog
%A Noon, Ara
%J Invented Letters
%D 2019
%8 March 5
%N 3
%@ 1234-5679
%K fog
tide; lamp
%R 10.5555/x
%X An abstract
on two lines.

%0 Book
%T A Book
%B Series of It
%E Pike, Jo
%@ 978-0-262-03384-8
"""

WOS = """FN Clarivate Analytics Web of Science
VR 1.0
PT J
AU Noon, A
   Pike, J
AF Noon, Ara
   Pike, Jo
TI Tides of
   Fog
SO INVENTED LETTERS
DT Article; Proceedings Paper
DE fog; tide
SN 1234-5679
EI 2234-5679
PD MAR 5
PY 2019
BP 1
EP 9
UT WOS:0001
ER

PT C
AU Rill, Z
TI Second
SO Proc
PY 2020
ER

EF
"""


def pubmed(*lines: str) -> Entry:
    """Return the entry of a PubMed record with these lines."""
    return read_pubmed("\n".join(["PMID- 1", *lines, ""]), "x.nbib").entries[0]


def test_pubmed() -> None:
    entry = read_pubmed(PUBMED, "x.nbib").entries[0]
    assert (entry.type, entry.source_type, entry.pmid, entry.pmcid) == (
        "article-journal",
        "Journal Article",
        "12345678",
        "PMC123456",
    )
    assert entry.title == Text("A long title that goes on the next line")
    assert entry.abstract == Text("BACKGROUND: text more text.")
    assert entry.author == (
        Contributor("Noon", "Ara B", orcid="0000-0001-2345-6789"),
        Contributor("Pike", "Jo", "van der"),
        Contributor(literal="Tarn Group"),
    )
    assert (entry.container_title, entry.container_title_short) == (
        Text("Invented letters"),
        Text("Inv Lett"),
    )
    assert (entry.issn, entry.doi, entry.page, entry.issued) == (
        "1234-5679, 0000-0019",
        "10.5555/abc",
        "123-30",
        PartialDate((2019, 3, 5)),
    )
    assert entry.extra["pubmed"] == (("OWN", "NLM"), ("LID", "S0123 [pii]"), ("PT", "Review"))


def test_pubmed_names_without_their_full_form_and_chapters() -> None:
    entry = read_pubmed(PUBMED, "x.nbib").entries[1]
    assert entry.author == (Contributor("Smith", "JA", suffix="Jr"),)
    assert (entry.type, entry.container_title) == ("chapter", Text("A book"))


@pytest.mark.parametrize(
    ("line", "entry_type"), [("PT  - Preprint", "article"), ("PT  - Dataset", "dataset")]
)
def test_pubmed_types(line: str, entry_type: str) -> None:
    assert pubmed(line).type == entry_type


def test_pubmed_books() -> None:
    entry = pubmed("BTI - A book", "PT  - Book")
    assert (entry.type, entry.title, entry.container_title) == ("book", Text("A book"), None)


def test_endnote() -> None:
    article, book = read_endnote(ENDNOTE, "x.enw").entries
    assert (article.type, article.container_title, article.issue) == (
        "article-journal",
        Text("Invented Letters"),
        "3",
    )
    assert (article.issued, article.issn, article.doi) == (
        PartialDate((2019, 3, 5)),
        "1234-5679",
        "10.5555/x",
    )
    assert article.keyword == ("fog", "tide", "lamp")
    assert article.abstract == Text("An abstract on two lines.")
    assert (book.type, book.collection_title, book.isbn) == (
        "book",
        Text("Series of It"),
        "978-0-262-03384-8",
    )
    assert book.editor == (Contributor("Pike", "Jo"),)


def test_web_of_science() -> None:
    article, paper = read_wos(WOS, "x.ciw").entries
    assert (article.type, paper.type) == ("article-journal", "paper-conference")
    assert article.author == (Contributor("Noon", "Ara"), Contributor("Pike", "Jo"))
    assert article.title == Text("Tides of Fog")
    assert (article.page, article.issued, article.issn) == (
        "1-9",
        PartialDate((2019, 3, 5)),
        "1234-5679, 2234-5679",
    )
    assert article.keyword == ("fog", "tide")
    assert paper.author == (Contributor("Rill", "Z"),)
    assert [entry.origin.line for entry in (article, paper) if entry.origin] == [3, 22]


@pytest.mark.parametrize(
    ("text", "extra"),
    [
        ("%0 Book\n%D 1999\n%D 2001\n", {"endnote": (("%D", "2001"),)}),
        ("%0 Book\n%D 1999\n%8 May 5, 2001\n", {"endnote": (("%D", "1999"),)}),
        ("%0 Report\n%@ R-1\n%N 7\n", {"endnote": (("%N", "7"),)}),
        ("%0 Book\n%J Journal\n%S Series\n", {"endnote": (("%J", "Journal"),)}),
    ],
)
def test_endnotes_competing_lines_are_kept(text: str, extra: dict[str, tuple[tuple[str, str], ...]]) -> None:
    """One counts, neither is lost."""
    assert read_endnote(text, "x").entries[0].extra == extra


def test_web_of_sciences_repeated_lines_and_pubmeds_unknown_types_are_kept() -> None:
    """What has no field, or no room in it, stands under the format's name."""
    assert read_wos("PT J\nPY 1999\nPY 2001\nER\n", "x").entries[0].extra == {"wos": (("PY", "2001"),)}
    assert pubmed("PT  - Webcast").extra == {"pubmed": (("PT", "Webcast"),)}


def test_records_without_an_empty_line_between_them() -> None:
    assert len(read_pubmed("PMID- 1\nTI  - A\nPMID- 2\nTI  - B\n", "x").entries) == 2
    assert len(read_endnote("%0 Book\n%T A\n%0 Book\n%T B\n", "x").entries) == 2


def test_text_before_the_first_record_is_said() -> None:
    library = read_endnote("some words\n\n%0 Book\n%T A\n", "x.enw")
    assert len(library.entries) == 1
    assert [problem.code for problem in library.problems] == ["text-outside-record"]


@pytest.mark.parametrize("reader", [read_pubmed, read_endnote, read_wos])
def test_what_has_no_tags_is_refused(reader: object) -> None:
    assert callable(reader)
    with pytest.raises(InputError, match="no line has a tag"):
        reader("just words\n", "x")


def test_a_book_title_without_text_is_none() -> None:
    """PubMed's BTI with nothing but mark-up, or nothing at all."""
    assert pubmed("BTI - <i></i>").container_title is None
