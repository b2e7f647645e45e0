"""`bibtools catalogue`: what it says, its exit status, and what it leaves on the disk."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from loopback import Answer, Asked, Loopback

from bibtools.cli.catalogue import KINDS
from bibtools.cli.main import run
from bibtools.data import sample_catalogue
from bibtools.sources.registry import sources

PAPERS = [
    {"title": title, "status": "Poster", "track": "main", "author": author, "abstract": abstract}
    for title, author, abstract in (
        ("Sparse Widgets", "Ada Byron", "We train widgets."),
        ("Ripe Bananas", "Alan Turing", "We ripen bananas."),
    )
]

Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """A function that runs the command in folders of the test's own; returns status, stdout and stderr."""
    monkeypatch.setenv("BIBTOOLS_CATALOGUE_FOLDER", str(tmp_path / "catalogues"))
    monkeypatch.setenv("BIBTOOLS_CACHE_FOLDER", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("BIBTOOLS_CATALOGUE", raising=False)

    def command(*arguments: str | Path) -> tuple[int, str, str]:
        status = run(["catalogue", *map(str, arguments)])
        said = capsys.readouterr()
        return status, said.out, said.err

    return command


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    """A list of two papers."""
    path = tmp_path / "icml2019.json"
    path.write_text(json.dumps(PAPERS))
    return path


def test_sample_is_listed_and_whole(ask: Ask) -> None:
    status, out, err = ask("list")
    assert (status, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()] == ["name", "sample"]
    status, out, err = ask("info", "sample")
    assert (status, err) == (0, "")
    assert "works      80" in out
    assert "checksums  all right" in out


def test_add_list_info_update_remove(ask: Ask, papers: Path, tmp_path: Path) -> None:
    status, out, err = ask("add", papers, "--to", "icml:2019", "--date", "2026-01-02")
    assert (status, out) == (0, "")
    path = tmp_path / "catalogues" / "icml-2019.bibcat"
    assert err.startswith(f"icml:2019: 2 works read, 2 new; {path}")
    status, out, _ = ask("list", "--json")
    rows = json.loads(out)
    assert [(row["name"], row["works"]) for row in rows] == [("icml:2019", 2), ("ICML 2025 (sample)", 80)]
    _, out, _ = ask("info", "icml:2019", "--json")
    (row,) = json.loads(out)
    assert (row["sources"][0]["source"], row["sources"][0]["date"]) == (str(papers), "2026-01-02")
    assert row["damaged"] == []
    papers.write_text(json.dumps(PAPERS[:1]))
    status, _, err = ask("update")
    assert (status, err.partition(";")[0]) == (0, "icml:2019: 1 works read, 1 new")
    assert ask("remove", "icml:2019") == (0, "", f"removed {path}\n")
    assert not path.exists()


@pytest.mark.parametrize("task", ["remove", "info", "update"])
def test_no_other_file_is_taken_for_a_catalogue(ask: Ask, tmp_path: Path, task: str) -> None:
    refs = tmp_path / "refs.bib"
    refs.write_text("@misc{a, title = {A}}")
    status, _, err = ask(task, refs)
    assert (status, err) == (2, f"bibtools: {refs}: the file of a catalogue ends in .bibcat\n")
    assert refs.read_text() == "@misc{a, title = {A}}"


@pytest.mark.parametrize("name", ["", " ", "..", "a\nb", "\x1b[31m"])
def test_names_that_no_catalogue_can_have(ask: Ask, papers: Path, tmp_path: Path, name: str) -> None:
    assert ask("add", papers, "--to", name)[0] == 2
    assert not (tmp_path / "catalogues").exists()


def test_adding_twice_joins(ask: Ask, papers: Path) -> None:
    ask("add", papers)
    status, _, err = ask("add", papers)
    assert status == 0
    assert "2 works read, 0 new, 2 joined with works known already" in err


def test_single_work_can_be_taken_out(ask: Ask, tmp_path: Path) -> None:
    path = tmp_path / "copy.bibcat"
    path.write_bytes(sample_catalogue().read_bytes())
    assert ask("remove", path, "--work", "pmlr:v267/heddes25a")[0] == 0
    assert "works      79," in ask("info", path)[1]
    status, _, err = ask("remove", path, "--work", "pmlr:v267/heddes25a")
    assert status == 3
    assert "no work pmlr:v267/heddes25a" in err


def test_lost_records_give_status_1_and_are_shown(ask: Ask, papers: Path) -> None:
    papers.write_text(json.dumps([*PAPERS, {"status": "Poster", "track": "main"}]))
    status, _, err = ask("add", papers)
    assert status == 1
    assert f"{papers}#3: a record without a title" in err
    assert "1 records lost" in err


def test_damaged_catalogue_is_found(ask: Ask, tmp_path: Path) -> None:
    data = bytearray(sample_catalogue().read_bytes())
    data[len(data) // 2] ^= 0xFF
    path = tmp_path / "damaged.bibcat"
    path.write_bytes(data)
    status, out, err = ask("info", path, sample_catalogue())
    assert status == 3
    assert f"{path}: damaged" in err
    assert "works      80," in out, "the other catalogue is shown all the same"


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("add", "nowhere.json"), 3, "nowhere.json: no such file or folder"),
        (("info", "nothing"), 3, "no catalogue 'nothing'"),
        (("remove", "nothing"), 3, "no catalogue 'nothing'"),
        (("remove", "sample"), 2, "stays as it is"),
        (("update", "sample"), 2, "a newer program"),
        (("update",), 3, "no catalogue is installed yet"),
        (("pull", "icml:1907"), 3, "did you mean icml:20"),
        (("pull", "icml:2025", "--offline"), 3, "the network is off"),
        (("pull",), 2, "NAME"),
        ((), 2, "COMMAND"),
    ],
)
def test_what_cannot_be_done_is_one_clear_line(
    ask: Ask, arguments: tuple[str, ...], status: int, message: str
) -> None:
    got, out, err = ask(*arguments)
    assert (got, out) == (status, "")
    assert message in err.splitlines()[-1]


@pytest.mark.parametrize("arguments", [("--to", "sample"), ("--date", "yesterday")])
def test_wrong_usage_of_add(ask: Ask, papers: Path, arguments: tuple[str, str]) -> None:
    assert ask("add", papers, *arguments)[0] == 2


def test_help_names_every_kind_of_source(ask: Ask) -> None:
    assert list(sources()) == KINDS.split(", ")
    status, out, _ = ask("add", "--help")
    assert status == 0
    assert "paperswithcode" in out


def test_file_without_works_leaves_no_catalogue(ask: Ask, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("no post")
    status, _, err = ask("add", path)
    assert status == 3
    assert "no works in it; nothing was added" in err
    assert not list((tmp_path / "catalogues").glob("*"))


def test_folder_without_files_is_refused(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    status, _, err = ask("add", tmp_path / "empty")
    assert status == 3
    assert "empty: no files in this folder" in err
    assert not list((tmp_path / "catalogues").glob("*"))


def test_known_catalogues_are_shown_in_every_form(ask: Ask) -> None:
    _, out, _ = ask("list", "--known")
    assert any(line.split()[:3] == ["icml:2025", "3,300", "pmlr"] for line in out.splitlines())
    names = [row["name"] for row in json.loads(ask("list", "--known", "--json")[1])]
    assert {"icml:2025", "neurips:2023", "acl"} <= set(names)
    assert ask("list", "--known", "--format", "csv")[1].startswith("name,works,from,see")


def test_pull_says_the_size_beforehand_and_what_came(
    ask: Ask, web: Loopback, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    body = json.dumps(PAPERS).encode()

    def answer(asked: Asked) -> Answer | None:
        return Answer(200, body) if asked.path == "/kdd/kdd2024.json" else None

    web.rules.append(answer)
    monkeypatch.setenv("BIBTOOLS_URL_PAPERCOPILOT", f"{web.base}/papercopilot")
    status, out, err = ask("pull", "kdd:2024")
    assert (status, out) == (0, "")
    said = err.splitlines()
    assert said[0].startswith("kdd:2024 (KDD 2024): 0.0 MB to fetch, from https://raw.githubusercontent.com/")
    assert said[1].startswith("kdd:2024: 2 works read, 2 new;")
    assert [one.method for one in web.asked] == ["HEAD", "GET"]
    assert (tmp_path / "catalogues" / "kdd-2024.bibcat").exists()


def test_missing_host_is_one_clear_line(ask: Ask, web: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIBTOOLS_URL_PAPERCOPILOT", f"{web.base}/papercopilot")
    status, out, err = ask("pull", "neurips:2023")
    assert (status, out) == (3, "")
    assert "404" in err.splitlines()[-1]
