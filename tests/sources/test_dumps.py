"""Dumps of arXiv, OpenAlex and Papers with Code: invented rows of the real shapes."""

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bibtools.errors import Problem
from bibtools.model import Contributor, Entry, PartialDate
from bibtools.sources.arxiv import read_arxiv
from bibtools.sources.openalex import read_openalex
from bibtools.sources.paperswithcode import read_paperswithcode

Reader = Callable[[Path], Iterator[Entry | Problem]]

PREPRINT = {
    "id": "0704.0001",
    "submitter": "Ada Byron",
    "authors": 'A. Byron, K. G\\"odel, the Widget Collaboration',
    "title": 'Sparse\n  Widgets of $O(n)$ by G\\"odel',
    "comments": "ICML 2024. Code: https://github.com/o/r",
    "journal-ref": "J. Widg. 5 (2008) 1-9",
    "doi": "10.1103/PhysRevD.76.013009",
    "report-no": None,
    "categories": "cs.LG stat.ML",
    "license": None,
    "abstract": "  We train\nwidgets, see github.com/o/widgets.\n",
    "versions": [{"version": "v1", "created": "Mon, 2 Apr 2007 19:18:42 GMT"}],
    "update_date": "2008-11-26",
    "authors_parsed": [["Byron", "A.", ""], ['G\\"odel', "K.", "Jr."], ["the Widget Collaboration", "", ""]],
}

WORK = {
    "id": "https://openalex.org/W4400000001",
    "doi": "https://doi.org/10.5555/ABC",
    "title": "Sparse <i>Widgets</i> &amp; CO<sub>2</sub>",
    "publication_year": 2024,
    "publication_date": "2024-07-08",
    "language": "en",
    "type": "article",
    "ids": {
        "openalex": "https://openalex.org/W4400000001",
        "pmid": "https://pubmed.ncbi.nlm.nih.gov/123",
        "mag": 5,
    },
    "primary_location": {
        "landing_page_url": "https://proceedings.mlr.press/v235/byron24a.html",
        "license": "cc-by",
        "source": {"display_name": "Widget Conference", "type": "conference", "issn_l": "2640-3498"},
    },
    "locations": [{"landing_page_url": "http://arxiv.org/abs/2401.00001", "source": None}],
    "authorships": [
        {"raw_author_name": "Byron, Ada", "author": {"display_name": "Ada Byron", "orcid": None}},
        {
            "raw_author_name": "Laurens van der Maaten",
            "author": {"display_name": "L. Maaten", "orcid": "https://orcid.org/0000-0002-1825-0097"},
        },
    ],
    "biblio": {"volume": "235", "issue": None, "first_page": "313", "last_page": "328"},
    "is_retracted": False,
    "abstract_inverted_index": {
        "We": [0],
        "train": [1, 4],
        "widgets.": [2],
        "Then": [3],
        "far": [99_999_999],
    },
}

PAPER = {
    "paper_url": "https://paperswithcode.com/paper/sparse-widgets",
    "arxiv_id": "2401.00001",
    "title": "Sparse Widgets",
    "abstract": "We train\nwidgets.",
    "url_abs": "https://arxiv.org/abs/2401.00001v2",
    "proceeding": "icml-2024-7",
    "authors": ["Ada Byron", "Hal Daumé III"],
    "date": "2024-01-01",
    "conference_url_abs": None,
    "tasks": [],
}
REPOSITORIES = [
    {
        "paper_url": PAPER["paper_url"],
        "paper_title": "Sparse Widgets",
        "repo_url": url,
        "is_official": official,
    }
    for url, official in [("https://github.com/other/copy", False), ("https://github.com/o/r", True)]
]


def write(path: Path, rows: list[Any]) -> Path:
    """Write rows as JSON lines, or as a list where the name ends in .json; return the path."""
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    text = f"[{','.join(lines)}]" if ".jsonl" not in path.name else "\n".join(lines)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def only(items: Iterator[Entry | Problem]) -> Entry:
    """Return the one work."""
    (entry,) = items
    assert isinstance(entry, Entry)
    return entry


def test_arxiv_preprint(tmp_path: Path) -> None:
    entry = only(read_arxiv(write(tmp_path / "arxiv.jsonl.gz", [PREPRINT])))
    assert str(entry.title) == "Sparse Widgets of $O(n)$ by Gödel"
    assert entry.author == (
        Contributor("Byron", "A."),
        Contributor("Gödel", "K.", suffix="Jr."),
        Contributor(literal="the Widget Collaboration"),
    )
    assert (entry.type, entry.genre, entry.publisher) == ("article", "preprint", "arXiv")
    assert (entry.number, entry.ids) == ("arXiv:0704.0001", {"arxiv": "0704.0001"})
    assert entry.issued == PartialDate(start=(2007, 4, 2))
    assert (entry.doi, entry.url) == ("10.1103/physrevd.76.013009", "https://arxiv.org/abs/0704.0001")
    assert entry.extra == {"bibtex": (("primaryclass", "cs.LG"),)}
    assert str(entry.abstract) == "We train widgets, see github.com/o/widgets."
    assert [link.url for link in entry.links] == ["https://github.com/o/widgets", "https://github.com/o/r"]
    assert [str(note) for note in entry.note] == [PREPRINT["comments"], PREPRINT["journal-ref"]]


def test_arxiv_row_with_little(tmp_path: Path) -> None:
    entry = only(
        read_arxiv(
            write(tmp_path / "a.jsonl", [{"id": "hep-th/9901001", "title": "A", "authors": "A B and C D"}])
        )
    )
    assert [person.family for person in entry.author] == ["B", "D"]
    assert entry.issued is None


def test_openalex_work(tmp_path: Path) -> None:
    entry = only(read_openalex(write(tmp_path / "part.jsonl.gz", [WORK])))
    assert str(entry.title) == "Sparse Widgets & CO2"
    assert entry.author == (
        Contributor("Byron", "Ada"),
        Contributor("Maaten", "Laurens", "van der", orcid="0000-0002-1825-0097"),
    )
    assert (entry.type, str(entry.container_title)) == ("paper-conference", "Widget Conference")
    assert (entry.volume, entry.page, entry.issn) == ("235", "313-328", "2640-3498")
    assert (entry.doi, entry.pmid) == ("10.5555/abc", "123")
    assert entry.issued == PartialDate(start=(2024, 7, 8))
    assert entry.ids == {"openalex": "W4400000001", "pmlr": "v235/byron24a", "arxiv": "2401.00001"}
    assert str(entry.abstract) == "We train widgets. Then train"


@pytest.mark.parametrize(
    ("date", "parts"),
    [("2024-01-01", (2024,)), ("2024-05-01", (2024, 5)), ("2024-05-02", (2024, 5, 2)), ("", (2024,))],
)
def test_openalex_dates_claim_no_more_than_is_known(
    tmp_path: Path, date: str, parts: tuple[int, ...]
) -> None:
    entry = only(read_openalex(write(tmp_path / "a.jsonl", [WORK | {"publication_date": date}])))
    assert entry.issued == PartialDate(start=parts)


def test_openalex_preprint_is_published_by_its_server(tmp_path: Path) -> None:
    place = {"landing_page_url": "https://arxiv.org/abs/2401.00001", "source": {"display_name": "arXiv"}}
    entry = only(
        read_openalex(write(tmp_path / "a.jsonl", [WORK | {"type": "preprint", "primary_location": place}]))
    )
    assert (entry.type, entry.genre, entry.publisher) == ("article", "preprint", "arXiv")
    assert entry.container_title is None


def test_openalex_answer_of_the_api(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [{"meta": {"count": 2}, "results": [WORK, WORK | {"id": "W2"}]}])
    assert [item.ids["openalex"] for item in read_openalex(path) if isinstance(item, Entry)] == [
        "W4400000001",
        "W2",
    ]


def test_paper_with_code_and_the_links_beside_it(tmp_path: Path) -> None:
    path = write(tmp_path / "papers-with-abstracts.json.gz", [PAPER])
    write(tmp_path / "links-between-papers-and-code.json.gz", REPOSITORIES)
    entry = only(read_paperswithcode(path))
    assert entry.author == (Contributor("Byron", "Ada"), Contributor("Daumé", "Hal", suffix="III"))
    assert entry.ids == {"pwc": "sparse-widgets", "arxiv": "2401.00001"}
    assert entry.issued == PartialDate(start=(2024, 1, 1))
    assert str(entry.abstract) == "We train widgets."
    assert [link.url for link in entry.links] == ["https://github.com/o/r", "https://github.com/other/copy"]


def test_links_of_papers_with_code_alone(tmp_path: Path) -> None:
    path = write(tmp_path / "links-between-papers-and-code.json", REPOSITORIES)
    entries = [item for item in read_paperswithcode(path) if isinstance(item, Entry)]
    assert [str(entry.title) for entry in entries] == ["Sparse Widgets"] * 2
    assert [entry.links[0].url for entry in entries] == [row["repo_url"] for row in REPOSITORIES]


def test_milliseconds_of_parquet_copies_are_dates(tmp_path: Path) -> None:
    entry = only(read_paperswithcode(write(tmp_path / "a.jsonl", [PAPER | {"date": 1_704_067_200_000}])))
    assert entry.issued == PartialDate(start=(2024, 1, 1))


@pytest.mark.parametrize(
    ("reader", "row"), [(read_arxiv, PREPRINT), (read_openalex, WORK), (read_paperswithcode, PAPER)]
)
def test_bad_rows_are_problems_and_the_others_are_read(
    tmp_path: Path, reader: Reader, row: dict[str, Any]
) -> None:
    rows = [row, '{"id": oops}', {"title": 5}, row | {"title": row["title"] + " again"}]
    items = list(reader(write(tmp_path / "a.jsonl", rows)))
    assert [isinstance(item, Entry) for item in items] == [True, False, False, True]
    for item in items[1:3]:
        assert isinstance(item, Problem)
        assert (item.code, item.lost) == ("unread-record", True)
