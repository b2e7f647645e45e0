"""Which kind of source a file is, and which catalogues are known."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from bibtools.errors import CatalogueError, InputError
from bibtools.settings import Settings
from bibtools.sources.build import add_batches, batches
from bibtools.sources.known import catalogue_path, get_known, known_catalogues
from bibtools.sources.registry import BUILT_IN, get_source, guess_source, sources, works_files

PREPRINT = {"id": "0704.0001", "title": "A", "authors_parsed": [], "versions": [], "update_date": ""}
WORK: dict[str, Any] = {
    "id": "https://openalex.org/W1",
    "display_name": "A",
    "authorships": [],
    "primary_location": None,
}
PAPER = {"title": "A", "status": "Poster", "track": "main", "site": "https://icml.cc/1"}
ROW = {"paper_url": "https://paperswithcode.com/paper/a", "title": "A", "url_abs": ""}
ITEM = {"id": "a", "type": "article", "title": "A", "status": "in press"}

FILES = [
    ("a.json", json.dumps([PAPER]), "papercopilot"),
    ("a.json", json.dumps(["junk", PAPER]), "papercopilot"),
    ("a.json", json.dumps(WORK), "openalex"),
    ("arxiv-metadata-oai-snapshot.json", json.dumps(PREPRINT) + "\n" + json.dumps(PREPRINT), "arxiv"),
    ("papers.json", json.dumps([ROW]), "paperswithcode"),
    ("refs.json", json.dumps([ITEM]), "bibliography"),
    ("a.bib", "@inproceedings{a, url = {https://aclanthology.org/2024.acl-long.1}}", "acl"),
    ("a.bib", "@article{a, title = {A}}", "bibliography"),
    ("a.ris", "TY  - JOUR\nER  - \n", "bibliography"),
    ("citeproc.yaml", "- title: A\n", "pmlr"),
    ("2024-01-01-a.md", "---\ntitle: A\n---\n", "pmlr"),
]


@pytest.mark.parametrize(("name", "text", "kind"), FILES)
@pytest.mark.parametrize("zipped", [False, True])
def test_kind_of_a_file_is_told_by_what_it_holds(
    tmp_path: Path, name: str, text: str, kind: str, zipped: bool
) -> None:
    if zipped and kind == "pmlr":
        pytest.skip("posts do not come compressed")
    path = tmp_path / (f"{name}.gz" if zipped else name)
    path.write_bytes(gzip.compress(text.encode()) if zipped else text.encode())
    assert guess_source(path).name == kind


def test_folder_of_posts_is_a_volume_and_a_folder_of_lists_its_files(tmp_path: Path) -> None:
    posts = tmp_path / "v28" / "_posts"
    posts.mkdir(parents=True)
    (posts / "2013-02-13-a13.md").write_text("---\ntitle: A\n---\n")
    assert (
        guess_source(tmp_path / "v28").name
        == guess_source(posts).name
        == guess_source(tmp_path).name
        == "pmlr"
    )
    lists = tmp_path / "icml"
    lists.mkdir()
    for name in ("icml2014.json", "icml2013.json", ".hidden"):
        (lists / name).write_text(json.dumps([PAPER]))
    assert [path.name for path in works_files(lists)] == ["icml2013.json", "icml2014.json"]
    assert works_files(posts) == [posts]


@pytest.mark.parametrize(
    ("make", "message"),
    [("missing", "no such file"), ("folder", "a folder without posts"), ("empty", "empty")],
)
def test_what_holds_no_works_is_one_clear_error(tmp_path: Path, make: str, message: str) -> None:
    path = tmp_path / "x"
    if make == "folder":
        path.mkdir()
    elif make == "empty":
        path.write_bytes(b"")
    with pytest.raises(InputError, match=message):
        guess_source(path)


def test_unknown_kind_lists_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"unknown kind of source 'x'; known kinds: pmlr, acl, papercopilot"):
        get_source("x")


def test_each_kind_has_a_reader_and_a_rank_that_fits() -> None:
    assert list(sources()) == [source.name for source in BUILT_IN]
    ranks = {source.name: source.rank for source in BUILT_IN}
    assert ranks["pmlr"] < ranks["bibliography"] < ranks["papercopilot"] < ranks["openalex"] < ranks["arxiv"]
    for source in BUILT_IN:
        with pytest.raises(FileNotFoundError):
            list(source.read(Path("/nowhere/at.all")))


def test_works_of_several_sources_are_joined_and_problems_kept(tmp_path: Path) -> None:
    first, second = tmp_path / "icml2019.json", tmp_path / "arxiv.jsonl"
    paper = PAPER | {
        "title": "Sparse Widgets for Clockmakers",
        "author": "Ada Byron",
        "abstract": "We train.",
    }
    first.write_text(json.dumps([paper, {"status": "Poster"}, PAPER | {"title": "B", "status": "Reject"}]))
    second.write_text(
        json.dumps(PREPRINT | {"title": paper["title"], "authors_parsed": [["Byron", "Ada", ""]]})
    )
    counted: list[int] = []
    added = add_batches(tmp_path / "a.bibcat", batches([first, second]), "2026-01-02", counted.append)
    assert (added.works, added.added, added.joined, added.without_abstract, added.lost) == (2, 1, 1, 1, 1)
    assert [problem.code for problem in added.problems] == ["unread-record", "unpublished"]


def test_many_problems_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "icml2019.json"
    path.write_text(json.dumps([PAPER, *[{"status": "Poster"}] * 1500]))
    added = add_batches(tmp_path / "a.bibcat", batches([path]))
    assert len(added.problems) == 1001
    assert added.problems[-1].message == "500 further problems, 500 of them records that were lost"


def test_source_that_breaks_off_adds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "icml2019.json"
    path.write_text(json.dumps([PAPER, PAPER])[:-10])
    with pytest.raises(InputError, match="cut off"):
        add_batches(tmp_path / "a.bibcat", batches([path]))
    path.write_text(json.dumps([PAPER]))
    assert add_batches(tmp_path / "a.bibcat", batches([path])).added == 1


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("icml:2025", "icml:2025"),
        ("ICML:2025", "icml:2025"),
        ("ICML 2025", "icml:2025"),
        ("nips2005", "neurips:2005"),
        ("NeurIPS'23", "neurips:2023"),
        ("emnlp:2021", "acl"),
        ("acl", "acl"),
        ("colt:2024", "colt:2024"),
    ],
)
def test_known_catalogue_by_any_of_its_names(asked: str, name: str) -> None:
    assert get_known(asked).name == name


@pytest.mark.parametrize("name", ["icml:1907", "nothing", "", "../../etc/passwd"])
def test_unknown_catalogue_names_near_ones(name: str) -> None:
    with pytest.raises(CatalogueError, match="no known catalogue"):
        get_known(name)


def test_every_known_catalogue_has_a_kind_and_a_plain_place() -> None:
    for known in known_catalogues().values():
        assert known.kind in sources()
        assert ".." not in known.place
        assert known.address.removeprefix("git+").startswith("https://")
        assert known.label
        assert catalogue_path(known.name, Settings(catalogue_folder="/c")).parent == Path("/c")
