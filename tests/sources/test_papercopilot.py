"""papercopilot's lists: keys that differ by year, and BibTeX inside."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from bibtools.errors import Problem
from bibtools.model import Contributor, Entry, PartialDate
from bibtools.sources.papercopilot import read_papercopilot, read_template, venue_of
from bibtools.sources.pmlr import read_pmlr

CORPORA = Path(__file__).parents[3] / "shared" / "corpora"
needs_corpora = pytest.mark.skipif(
    not CORPORA.exists(), reason="the real lists do not lie beside the project"
)

PMLR_BIBTEX = """\
@InProceedings{pmlr-v97-byron19a,
  title = \t {Sparse {W}idgets = Fun},
  author =       {Byron Allen, Ada and van der Berg, Hans},
  booktitle = \t {Proceedings of the 36th International Conference on Machine Learning},
  pages = \t {313--328},
  year = \t {2019},
  editor = \t {Chaudhuri, Kamalika and Salakhutdinov, Ruslan},
  volume = \t {97},
  number =       {3},
  series = \t {Proceedings of Machine Learning Research},
  address = \t {Long Beach, California, USA},
  month = \t {09--15 Jun},
  publisher =    {PMLR},
  pdf = \t {http://proceedings.mlr.press/v97/byron19a/byron19a.pdf},
  url = \t {https://proceedings.mlr.press/v97/byron19a.html},
  abstract = \t {We train {widgets.}
}
}"""

PMLR_PAPER = {
    "title": "Sparse Widgets = Fun",
    "status": "Oral",
    "track": "main",
    "site": "https://icml.cc/virtual/2019/poster/3875",
    "id": "3875",
    "author": "Ada Byron Allen; Hans van der Berg",
    "abstract": "We train widgets.",
    "bibtex": PMLR_BIBTEX,
    "github": "www.github.com/o/r",
    "oa": "https://proceedings.mlr.press/v97/byron19a.html",
    "pdf_size": 12,
}


def read(folder: Path, papers: Any, name: str = "icml2019.json") -> list[Entry | Problem]:
    """Return what a list with these papers holds."""
    path = folder / name
    data = papers if isinstance(papers, bytes) else json.dumps(papers).encode()
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return list(read_papercopilot(path))


def only(folder: Path, paper: dict[str, Any], name: str = "icml2019.json") -> Entry:
    """Return the work of a list with one paper."""
    (entry,) = read(folder, [paper], name)
    assert isinstance(entry, Entry)
    return entry


def test_facts_come_from_the_publishers_bibtex(tmp_path: Path) -> None:
    entry = only(tmp_path, PMLR_PAPER, "icml2019.json.gz")
    assert entry.title
    assert entry.title.plain == "Sparse Widgets = Fun"
    assert entry.title.nodes
    assert entry.author == (Contributor("Byron Allen", "Ada"), Contributor("Berg", "Hans", "van der"))
    assert entry.editor[1] == Contributor("Salakhutdinov", "Ruslan")
    assert (
        str(entry.container_title) == "Proceedings of the 36th International Conference on Machine Learning"
    )
    assert str(entry.collection_title) == "Proceedings of Machine Learning Research"
    assert (entry.volume, entry.issue, entry.page) == ("97", "3", "313-328")
    assert (entry.publisher, entry.event_place) == ("PMLR", "Long Beach, California, USA")
    assert (entry.issued, str(entry.event_title)) == (PartialDate(start=(2019,)), "ICML")
    assert entry.ids == {"pmlr": "v97/byron19a"}
    assert entry.url == "https://proceedings.mlr.press/v97/byron19a.html"
    assert [(link.url, link.offers_code) for link in entry.links] == [("https://github.com/o/r", True)]


def test_openreview_record(tmp_path: Path) -> None:
    entry = only(
        tmp_path,
        {
            "id": "1TEZ1hiY5m",
            "title": "SNAP: Pruning",
            "status": "Poster",
            "author": "Mátyás Schubert;Tom Claassen",
            "abstract": "We prune.",
            "bibtex": "@inproceedings{\nschubert2025snap,\ntitle={{SNAP}: Pruning},\n"
            "author={M{\\'a}ty{\\'a}s Schubert and Tom Claassen},\nbooktitle={The 28th Conference},\n"
            "year={2025},\nurl={https://openreview.net/forum?id=1TEZ1hiY5m}\n}",
            "github": "",
            "site": "https://openreview.net/forum?id=1TEZ1hiY5m",
        },
        "aistats2025.json",
    )
    assert entry.author == (Contributor("Schubert", "Mátyás"), Contributor("Claassen", "Tom"))
    assert entry.ids == {"openreview": "1TEZ1hiY5m"}
    assert (str(entry.title), str(entry.container_title)) == ("SNAP: Pruning", "The 28th Conference")
    assert entry.title
    assert entry.title.nodes


def test_anthology_record_with_quoted_bibtex_over_several_lines(tmp_path: Path) -> None:
    entry = only(
        tmp_path,
        {
            "id": "2022.acl-long.75",
            "title": "A Closer Look at BERT",
            "status": "Long",
            "author": "Yichu Zhou; Vivek Srikumar",
            "abstract": "We look.",
            "bibtex": '@inproceedings{zhou-2022-closer,\n    title = "A Closer Look at {BERT}",\n'
            '    author = "Zhou, Yichu  and\n      Srikumar, Vivek",\n    month = may,\n    year = "2022",\n'
            '    url = "https://aclanthology.org/2022.acl-long.75/",\n'
            '    doi = "10.18653/v1/2022.acl-long.75",\n'
            '    pages = "1046--1061"\n}',
            "github": "github.com/o/closer",
        },
        "acl2022.json",
    )
    assert entry.author == (Contributor("Zhou", "Yichu"), Contributor("Srikumar", "Vivek"))
    assert (entry.doi, entry.page) == ("10.18653/v1/2022.acl-long.75", "1046-1061")
    assert entry.ids == {"acl": "2022.acl-long.75"}


def test_record_without_bibtex_takes_venue_and_year_from_the_lists_name(tmp_path: Path) -> None:
    entry = only(
        tmp_path,
        {"title": "Views", "status": "Poster", "author": "Bernd Prach, Fabio Brau", "arxiv": "2401.06578v2"},
        "cvpr2024.json",
    )
    assert [person.family for person in entry.author] == ["Prach", "Brau"]
    assert (str(entry.event_title), entry.issued) == ("CVPR", PartialDate(start=(2024,)))
    assert entry.ids == {"arxiv": "2401.06578"}
    assert entry.abstract is None


@pytest.mark.parametrize(
    ("tex", "listed", "people"),
    [
        ("Byron, Ada and richard baraniuk", "Ada Byron; Richard Baraniuk", ("Richard Baraniuk", "Ada Byron")),
        ("Roeder, Geoffrey, and Byron, Ada", "Geoffrey Roeder; Ada Byron", ("Geoffrey Roeder", "Ada Byron")),
        ("Byron, Ada and Caetano", "Ada Byron;  Caetano", (" Caetano", "Ada Byron")),
        ("", "Ada Byron", ("Ada Byron",)),
        ("Byron, Ada", "Ada Byron; Alan Turing", ("Ada Byron", "Alan Turing")),
        ("Byron, Ada and Mausam", "Ada Byron; ", ("Ada Byron", " Mausam")),
        ("Byron, Ada and others", "Ada Byron; Alan Turing", ("Ada Byron", "Alan Turing")),
    ],
)
def test_mistyped_bibtex_names_are_taken_from_the_list(
    tmp_path: Path, tex: str, listed: str, people: tuple[str, ...]
) -> None:
    bibtex = f"@inproceedings{{a,\n  author = {{{tex}}},\n}}" if tex else ""
    entry = only(tmp_path, {"title": "A", "author": listed, "bibtex": bibtex})
    assert {f"{person.given} {person.family}" for person in entry.author} == set(people)


@pytest.mark.parametrize(
    ("github", "offers"),
    [
        ("https://github.com/example-paper", False),
        ("github.com/o/r", True),
        ("https://o.github.io", True),
        ("https://sites.google.com/view/o", True),
    ],
)
def test_address_that_names_no_repository_offers_no_code(tmp_path: Path, github: str, offers: bool) -> None:
    (link,) = only(tmp_path, {"title": "A", "github": github}).links
    assert link.offers_code is offers


@pytest.mark.parametrize(
    "status", ["Reject", "Withdraw", "Withdrawn", "Desk Reject", "desk rejected", "Active", "Submitted"]
)
def test_unpublished_submissions_are_left_out_and_counted(tmp_path: Path, status: str) -> None:
    kept, problem = read(tmp_path, [{"title": "A", "status": status}, {"title": "B", "status": "Spotlight"}])
    assert isinstance(kept, Entry)
    assert isinstance(problem, Problem)
    assert (str(kept.title), problem.code, problem.lost) == ("B", "unpublished", False)
    assert problem.message.startswith("1 rejected")


def test_bad_records_are_problems_and_the_others_are_read(tmp_path: Path) -> None:
    items = read(
        tmp_path,
        b'[{"title": "A"}, {"title": 5, "author": ["x"]}, {}, {"title": oops}, "text", {"title": "B"}]',
    )
    assert [str(item.title) if isinstance(item, Entry) else item.code for item in items] == [
        "A",
        "5",
        "unread-record",
        "unread-record",
        "B",
    ]


def test_bibtex_template_without_abstract() -> None:
    kind, fields = read_template(PMLR_BIBTEX)
    assert kind == "InProceedings"
    assert fields["title"] == "Sparse {W}idgets = Fun"
    assert fields["month"] == "09--15 Jun"
    assert "abstract" not in fields


@pytest.mark.parametrize(
    ("name", "venue"),
    [("nips1987.json.gz", "NeurIPS 1987"), ("wacv2024.json", "WACV 2024"), ("list.json", "None")],
)
def test_venue_of_a_list(name: str, venue: str) -> None:
    assert str(venue_of(name)) == venue


@needs_corpora
@pytest.mark.parametrize(
    "path", sorted((CORPORA / "paperlists").glob("*.gz")), ids=lambda path: path.name[:-8]
)
def test_every_record_of_a_real_list_is_a_work(path: Path) -> None:
    items = list(read_papercopilot(path))
    assert len(items) == len(json.loads(gzip.decompress(path.read_bytes())))
    for item in items:
        assert isinstance(item, Entry)
        assert item.title
        assert item.issued
        assert item.url


@needs_corpora
@pytest.mark.parametrize(("volume", "year"), [("v28", 2013), ("v32", 2014), ("v37", 2015)])
def test_real_lists_name_the_works_of_pmlr(volume: str, year: int) -> None:
    posts = {
        item.ids["pmlr"]: item for item in read_pmlr(CORPORA / "pmlr" / volume) if isinstance(item, Entry)
    }
    listed = [
        item
        for item in read_papercopilot(CORPORA / "paperlists" / f"icml{year}.json.gz")
        if isinstance(item, Entry)
    ]
    assert {item.ids["pmlr"] for item in listed} == posts.keys()
    for item in listed:
        post = posts[item.ids["pmlr"]]
        assert (item.page, item.volume, item.url) == (post.page, post.volume, post.url)
        assert len(item.author) == len(post.author)
