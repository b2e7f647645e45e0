"""`bibtools export` on the shipped lists: outputs, keys, existing files, exit status, messages."""

import json
import os
from pathlib import Path

import pytest

from bibtools.cli.main import run
from bibtools.data import data_path

LIST = str(data_path("lists/icml2025-003.txt"))
OUTPUTS = ("refs.bib", "refs.ris", "refs.json")


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own to work in, and no settings or catalogues of the person who runs the tests."""
    for name in [name for name in os.environ if name.startswith("BIBTOOLS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("BIBTOOLS_CATALOGUE_FOLDER", str(tmp_path / "catalogues"))
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def export(*argv: str, outputs: tuple[str, ...] = OUTPUTS) -> int:
    """Run `bibtools export` and return its exit status."""
    return run(["export", *argv, *(part for name in outputs for part in ("-o", name))])


def abstract_of_nowhere() -> str:
    """Return an abstract that no catalogue has."""
    return (
        "We watched forty kelp drifts from a rowing boat, at night, with one lamp and no model of any kind. "
        "The drifts moved as drifts do. Two of us fell in. We conclude that rowing boats are narrow, that "
        "lamps are heavy, and that kelp is patient; further observers should bring dry socks and a kettle."
    )


def test_three_files_hold_every_abstract(capsys: pytest.CaptureFixture[str]) -> None:
    assert export(LIST) == 0
    message = capsys.readouterr().err
    assert "19 abstracts (ICML 2025): 19 identified" in message
    assert "1 promised without (line 29)" in message
    assert "wrote refs.bib 19, refs.ris 19, refs.json 19" in message
    assert Path("refs.bib").read_text().count("\n@") + 1 == 19
    assert Path("refs.ris").read_bytes().count(b"\r\nER  - \r\n") == 19
    assert len(json.loads(Path("refs.json").read_text())) == 19


def test_second_run_changes_no_byte(capsys: pytest.CaptureFixture[str]) -> None:
    export(LIST)
    before = {name: (Path(name).read_bytes(), Path(name).stat().st_ino) for name in OUTPUTS}
    capsys.readouterr()
    assert export(LIST) == 0
    assert {name: (Path(name).read_bytes(), Path(name).stat().st_ino) for name in OUTPUTS} == before
    assert "unchanged refs.bib 19, refs.ris 19, refs.json 19" in capsys.readouterr().err


def test_keys_edited_by_hand_stay() -> None:
    export(LIST)
    first = json.loads(Path("refs.json").read_text())[0]["id"]
    text = Path("refs.bib").read_text().replace(first, "my-own-key")
    Path("refs.bib").write_text(text)
    export(LIST)
    assert Path("refs.bib").read_text() == text
    assert json.loads(Path("refs.json").read_text())[0]["id"] == "my-own-key"


def test_keys_come_from_another_bibliography() -> None:
    export(LIST, outputs=("old.json",))
    old = json.loads(Path("old.json").read_text())
    old[0]["id"] = "theirs"
    Path("old.json").write_text(json.dumps(old[:1]))
    export(LIST, "--keys-from", "old.json", "--key-pattern", "{Author}{year}", outputs=("new.json",))
    ids = [item["id"] for item in json.loads(Path("new.json").read_text())]
    assert ids[0] == "theirs"
    assert all(key[0].isupper() for key in ids[1:])


def test_bibliography_with_other_works_survives_untouched(capsys: pytest.CaptureFixture[str]) -> None:
    other = "".join(
        f"@book{{k{n}, author = {{Byron, Ada}}, title = {{Kelp of year {n}}}}}\n" for n in range(40)
    )
    Path("refs.bib").write_text(other)
    assert export(LIST) == 3
    message = capsys.readouterr().err
    assert "refs.bib holds 40 works that the new one lacks" in message
    assert "--append" in message
    assert "--force" in message
    assert Path("refs.bib").read_text() == other
    assert not Path("refs.ris").exists()
    assert export(LIST, "--append", outputs=("refs.bib",)) == 0
    assert Path("refs.bib").read_text().startswith(other)
    assert export(LIST, "--force", outputs=("refs.bib",)) == 0
    assert Path("refs.bib.bak").read_text().startswith(other)
    assert "Kelp" not in Path("refs.bib").read_text()


def test_unidentified_abstract_comes_last_and_visibly_so(capsys: pytest.CaptureFixture[str]) -> None:
    Path("list.txt").write_text(f"ICML 2025\n\n{abstract_of_nowhere()}\n\n{sample_abstract()}\n")
    assert export("list.txt") == 0
    message = capsys.readouterr().err
    assert "2 abstracts (ICML 2025): 1 identified, 1 not (line 3 “We watched forty kelp" in message
    assert "bibtools catalogue pull icml:2025" in message
    items = json.loads(Path("refs.json").read_text())
    assert items[1]["id"].startswith("unidentified-")
    assert items[1]["type"] == "document"
    assert items[1]["title"] == "[We watched forty kelp drifts from a rowing …]"
    assert "author" not in items[1]
    assert "issued" not in items[1]
    assert items[1]["keyword"] == "bibtools:unidentified"
    assert "ICML 2025" in items[1]["note"]
    assert "@misc{unidentified-" in Path("refs.bib").read_text()
    assert "TY  - UNPD" in Path("refs.ris").read_text()


def sample_abstract() -> str:
    """Return the first abstract of the shipped list."""
    return Path(LIST).read_text(encoding="utf-8").split("\n\n")[1]


@pytest.mark.parametrize(("choice", "ids"), [("keep", 2), ("skip", 1), ("rest.json", 1)])
def test_unidentified_go_where_they_are_told(choice: str, ids: int) -> None:
    Path("list.txt").write_text(f"{abstract_of_nowhere()}\n\n{sample_abstract()}\n")
    assert export("list.txt", "--unidentified", choice, outputs=("refs.json",)) == 0
    assert len(json.loads(Path("refs.json").read_text())) == ids
    if choice == "rest.json":
        assert len(json.loads(Path("rest.json").read_text())) == 1


def test_strict_is_status_1_and_writes_all_the_same() -> None:
    Path("list.txt").write_text(abstract_of_nowhere() + "\n")
    assert export("list.txt", "--strict", outputs=("refs.json",)) == 1
    assert Path("refs.json").exists()


def test_same_abstract_twice_is_one_entry(capsys: pytest.CaptureFixture[str]) -> None:
    Path("list.txt").write_text(f"{sample_abstract()}\n\n{sample_abstract()}\n")
    assert export("list.txt", "-v", outputs=("refs.json",)) == 0
    assert len(json.loads(Path("refs.json").read_text())) == 1
    assert "repeated-work" in capsys.readouterr().err


def test_without_output_bibtex_goes_to_stdout(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert export(LIST, "-q", outputs=()) == 0
    captured = capfdbinary.readouterr()
    assert captured.out.startswith(b"@inproceedings{")
    assert captured.err == b""


def test_title_of_a_bibliography_is_kept_and_gaps_are_filled() -> None:
    export(LIST, outputs=("refs.json",))
    item = json.loads(Path("refs.json").read_text())[0]
    mine = {
        "id": "mine",
        "type": item["type"],
        "title": item["title"],
        "abstract": item["abstract"],
        "page": "1-2",
    }
    Path("mine.json").write_text(json.dumps([mine]))
    assert export("mine.json", outputs=("out.json",)) == 0
    out = json.loads(Path("out.json").read_text())[0]
    assert (out["id"], out["page"]) == ("mine", "1-2")
    assert out["author"] == item["author"]


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["--key-pattern", "{song}"], "unknown part {song}"),
        (["--key-pattern", "a b"], "keys cannot hold"),
        (["--config", "none.toml"], "no such settings file"),
        (["--code-as", "entry"], "needs --check-links"),
    ],
)
def test_wrong_settings_are_wrong_usage(
    argv: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert export(LIST, *argv, outputs=("refs.json",)) == 2
    assert words in capsys.readouterr().err
    assert not Path("refs.json").exists()


BAD_INPUTS = {
    "none.txt": (None, 3, "none.txt: no such file"),
    "new.bib": (None, 2, "to write it, say -o new.bib"),
    "empty.txt": (b"", 3, "empty.txt: this file is empty"),
    "binary.txt": (bytes(range(256)) * 64, 3, "binary.txt: "),
    "folder": ("folder", 3, "folder: this is a folder"),
    "paper.rtf": (rb"{\rtf1\ansi An abstract.}", 3, "RTF"),
    "paper.pdf": (b"%PDF-1.7\n%\xe2\xe3", 3, "PDF"),
    "paper.docx": (b"PK\x03\x04rest", 3, "DOCX"),
    "heading.txt": (b"ICML 2025\n", 3, "heading.txt: "),
}


@pytest.mark.parametrize("name", BAD_INPUTS)
def test_bad_input_is_one_clear_line(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    content, status, words = BAD_INPUTS[name]
    if content == "folder":
        Path(name).mkdir()
    elif isinstance(content, bytes):
        Path(name).write_bytes(content)
    assert export(name) == status
    message = capsys.readouterr().err
    assert words in message
    assert len(message.splitlines()) == 1
    assert not any(Path(output).exists() for output in OUTPUTS)


def test_one_line_of_50_megabytes_ends_soon(capsys: pytest.CaptureFixture[str]) -> None:
    Path("long.txt").write_bytes(b"kelp drifts " * (50_000_000 // 12))
    assert export("long.txt") == 3
    message = capsys.readouterr().err
    assert len(message.splitlines()) == 1
    assert len(message) < 400
    assert not Path("refs.json").exists()


@pytest.mark.parametrize(
    ("outputs", "status", "words"),
    [
        (("none/refs.bib",), 3, "none/refs.bib: no such file or directory"),
        (("refs.bib", "none/refs.ris"), 3, "none/refs.ris: no such file or directory"),
        (("refs.docx",), 2, "unknown format '.docx'"),
        (("song:refs.bib",), 2, "unknown format 'song'"),
        (("refs.bib", "./refs.bib"), 2, "named twice"),
        (("bibtex:list.txt",), 2, "is both input and output"),
    ],
)
def test_bad_output_is_one_clear_line(
    outputs: tuple[str, ...], status: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("list.txt").write_text(sample_abstract())
    assert export("list.txt", outputs=outputs) == status
    message = capsys.readouterr().err
    assert words in message
    assert len(message.splitlines()) == 1
    assert sorted(os.listdir()) == ["list.txt"]


def test_control_characters_of_inputs_do_not_reach_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    Path("list.txt").write_text(
        f"\x1b[31mICML\x07 2025\n\n{abstract_of_nowhere().replace('We', chr(27) + '[2JWe')}\n"
    )
    export("list.txt", outputs=("refs.json",))
    assert "\x1b" not in capsys.readouterr().err


def test_a_contradicted_abstract_is_shown_with_what_contradicts_it(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    abstract = Path(LIST).read_text(encoding="utf-8").split("\n")[2]
    (place / "other.txt").write_text(f"Title: Quite another thing\n{abstract}\n", encoding="utf-8")
    assert export("other.txt") == 0
    assert "the abstract agrees, but its title is “Learning Robust" in capsys.readouterr().err
    assert run(["identify", "other.txt", "--format", "csv"]) == 0
    assert "Quite another thing (the abstract agrees, but its title is" in capsys.readouterr().out
