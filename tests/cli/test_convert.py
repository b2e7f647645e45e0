"""`bibtools convert`, `lint` and `merge` from the outside."""

import json
import os
import sys
from pathlib import Path

import pytest

from bibtools.cli.main import run

RIS = "TY  - JOUR\nTI  - Tides\nAU  - Noon, Ara\nJO  - Leaf\nPY  - 2024\nID  - a\nER  - \n"
BIB = """@book{noon, author = {Noon, Ara}, title = {Tides of fog}, publisher = {House}, year = 2020,
  howtoread = {slowly}, doi = {10.5555/x}}
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder with a RIS and a BibTeX file in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.ris").write_text(RIS, encoding="utf-8")
    (tmp_path / "b.bib").write_text(BIB, encoding="utf-8")
    return tmp_path


# convert


def test_one_format_to_another(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["convert", "a.ris", "a.json"]) == 0
    (item,) = json.loads((here / "a.json").read_text(encoding="utf-8"))
    assert (item["id"], item["title"], item["container-title"]) == ("a", "Tides", "Leaf")
    assert capsys.readouterr() == ("", "1 entry read from a.ris, 1 written to a.json\n")


def test_standard_output_and_dialects(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["convert", "-q", "b.bib", "-", "--to", "ris", "--for", "endnote"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("TY  - BOOK\r\nTI  - Tides of fog\r\nAU  - Noon, Ara\r\n")


def test_what_is_lost_is_said_and_listed(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["convert", "b.bib", "b.ris", "--report", "lost.csv"]) == 1
    assert "b.bib:1: noon: howtoread has no place in RIS" in capsys.readouterr().err
    rows = (here / "lost.csv").read_text(encoding="utf-8").splitlines()
    assert rows[0].split(",") == ["where", "code", "what", "value", "lost"]
    assert "howtoread = slowly" in rows[1]
    assert run(["convert", "-q", "b.bib", "b.ris", "--report", "lost.json"]) == 1
    assert json.loads((here / "lost.json").read_text(encoding="utf-8"))[0]["code"] == "lost-field"


def test_address_that_stands_elsewhere_in_the_output_is_no_loss(here: Path) -> None:
    fields = "software = {https://example.org/a_b}, annote = {Code: \\url{https://example.org/a_b}}"
    (here / "c.bib").write_text(f"@book{{c, title = {{Tides}}, {fields}}}\n", encoding="utf-8")
    assert run(["convert", "-q", "c.bib", "c.ris"]) == 0
    assert "N1  - Code: https://example.org/a_b" in (here / "c.ris").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "command", [["convert", "in", "out"], ["export", "in", "-o", "out"], ["merge", "in", "-o", "out"]]
)
@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("in.bib", b"@" * 999),
        ("in.bib", bytes(range(256)) * 99),
        ("in.json", b'[{"id": '),
        ("in.json", b'{"items": [{"id": "a"'),
    ],
)
def test_nothing_is_written_where_nothing_could_be_read(
    here: Path, capsys: pytest.CaptureFixture[str], command: list[str], name: str, data: bytes
) -> None:
    (here / name).write_bytes(data)
    assert run([{"in": name, "out": "out.ris"}.get(word, word) for word in command]) == 3
    assert not (here / "out.ris").exists()
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_file_of_remarks_has_no_entries_and_no_fault(here: Path) -> None:
    (here / "in.bib").write_text("% Encoding: UTF-8\n@Comment{jabref-meta: x}\n", encoding="utf-8")
    assert run(["convert", "-q", "in.bib", "out.ris"]) == 0


def test_entries_without_a_key_get_one_where_the_format_needs_it(here: Path) -> None:
    (here / "c.ris").write_text(RIS.replace("ID  - a\n", ""), encoding="utf-8")
    assert run(["convert", "-q", "c.ris", "c.bib"]) == 0
    assert "@article{noon2024tides," in (here / "c.bib").read_text(encoding="utf-8")


def test_no_work_of_an_existing_output_goes(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "out.bib").write_text(BIB, encoding="utf-8")
    assert run(["convert", "a.ris", "out.bib"]) == 3
    assert "--append" in capsys.readouterr().err
    assert (here / "out.bib").read_text(encoding="utf-8") == BIB
    assert run(["convert", "-q", "a.ris", "out.bib", "--append"]) == 0
    text = (here / "out.bib").read_text(encoding="utf-8")
    assert text.startswith(BIB)
    assert "@article{a," in text
    assert run(["convert", "-q", "a.ris", "out.bib", "--force"]) == 0
    assert "noon" not in (here / "out.bib").read_text(encoding="utf-8")
    assert (here / "out.bib.bak").exists()


def test_force_keeps_the_old_file_whenever_it_changes(here: Path) -> None:
    assert run(["convert", "-q", "a.ris", "out.bib"]) == 0
    old = (here / "out.bib").read_text(encoding="utf-8").replace("journal", "JOURNAL")
    (here / "out.bib").write_text(old, encoding="utf-8")
    assert run(["convert", "-q", "a.ris", "out.bib", "--force"]) == 0
    assert (here / "out.bib.bak").read_text(encoding="utf-8") == old


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["a.ris", "a.ris"], 2, "both input and output"),
        (["a.ris", "a.xyz"], 2, "unknown format"),
        (["a.ris", "a.json", "--from", "papers"], 2, "unknown format"),
        (["missing.ris", "a.json"], 3, "no such file"),
        (["a.ris", "a.json", "--from", "csljson"], 3, "not CSL-JSON"),
        (["a.ris", "nowhere/a.json"], 3, "nowhere"),
    ],
)
def test_wrong_usage(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], status: int, message: str
) -> None:
    assert run(["convert", *arguments]) == status
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1
    assert not (here / "a.json").exists()


@pytest.mark.parametrize(
    "command",
    [
        ["convert", "b.bib", "x.ris", "--report", "b.bib"],
        ["convert", "b.bib", "x.ris", "--report", "./x.ris"],
        ["convert", "b.bib", "x.ris", "--report", "a.ris"],
        ["merge", "b.bib", "a.ris", "-o", "x.ris", "--duplicates", "b.bib"],
    ],
)
def test_no_report_is_written_over_a_bibliography(here: Path, command: list[str]) -> None:
    assert run(command) == 2
    assert (here / "b.bib").read_text(encoding="utf-8") == BIB
    assert sorted(path.name for path in here.iterdir()) == ["a.ris", "b.bib"]


def test_strict_minds_doubts(here: Path) -> None:
    (here / "c.ris").write_text(RIS.replace("ER  - \n", ""), encoding="utf-8")
    assert run(["convert", "-q", "c.ris", "c.json"]) == 0
    assert run(["convert", "-q", "c.ris", "c.json", "--strict"]) == 1


# lint


def test_lint_shows_faults_with_places(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "d.ris").write_text(RIS.replace("JO  - Leaf\n", "DO  - abc\n") + RIS, encoding="utf-8")
    assert run(["lint", "d.ris"]) == 1
    out, err = capsys.readouterr()
    assert [line.split()[:3] for line in out.splitlines()[1:]] == [
        ["d.ris:1", "warning", "missing-field"],
        ["d.ris:1", "warning", "malformed-doi"],
        ["d.ris:8", "error", "duplicate-key"],
        ["d.ris:8", "warning", "duplicate-work"],
    ]
    assert "2 entries checked" in err


@pytest.mark.skipif(sys.platform != "linux", reason="names that are no text are only sure to work on Linux")
def test_name_that_is_no_text_is_spelled_out(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = os.fsdecode(b"\xff.bib")
    (here / "b.bib").rename(here / name)
    assert run(["lint", name, "--json"]) == 0
    assert "udcff.bib" in capsys.readouterr().out


def test_lint_ignores_codes_and_fails_where_asked(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "d.ris").write_text(RIS.replace("JO  - Leaf\n", "DO  - abc\n"), encoding="utf-8")
    assert run(["lint", "d.ris"]) == 0
    assert run(["lint", "d.ris", "--fail-on", "warning"]) == 1
    assert run(["lint", "d.ris", "--fail-on", "warning", "--ignore", "missing-field,malformed-doi"]) == 0
    capsys.readouterr()
    assert run(["lint", "d.ris", "--json"]) == 0
    assert [fault["code"] for fault in json.loads(capsys.readouterr().out)] == [
        "missing-field",
        "malformed-doi",
    ]


def test_a_sound_file_has_no_faults(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lint", "a.ris"]) == 0
    assert capsys.readouterr() == ("", "1 entry checked, 0 faults found\n")


# merge


def test_merge_counts_and_lists(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "c.json").write_text(
        json.dumps(
            [
                {
                    "id": "x",
                    "type": "book",
                    "title": "Tides of Fog",
                    "author": [{"family": "Noon"}],
                    "DOI": "10.5555/x",
                },
                {"id": "y", "type": "article-journal", "title": "Tides", "issued": {"date-parts": [[2023]]}},
            ]
        ),
        encoding="utf-8",
    )
    assert run(["merge", "a.ris", "b.bib", "c.json", "-o", "all.bib", "--duplicates", "pairs.csv"]) == 0
    err = capsys.readouterr().err
    assert "a.ris: 1 identified, 0 removed as duplicates, 1 left" in err
    assert "c.json: 2 identified, 1 removed as duplicates, 1 left" in err
    assert "1 doubtful pair kept apart" in err
    text = (here / "all.bib").read_text(encoding="utf-8")
    assert text.count("\n@") + text.startswith("@") == 3
    assert "howtoread" in text
    rows = (here / "pairs.csv").read_text(encoding="utf-8").splitlines()
    assert [row.split(",")[0] for row in rows] == ["what", "merged", "doubtful"]


@pytest.mark.parametrize("arguments", [["a.ris", "a.ris", "-o", "x.bib"], ["a.ris", "b.bib", "-o", "b.bib"]])
def test_merge_refuses_an_input_twice(here: Path, arguments: list[str]) -> None:
    assert run(["merge", "-q", *arguments]) == 2
    assert (here / "b.bib").read_text(encoding="utf-8") == BIB


def test_a_code_that_is_none_is_wrong_usage(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lint", "a.ris", "--ignore", "nosuch"]) == 2
    assert "no code nosuch; known: bad-bytes, broken-off," in capsys.readouterr().err
    assert run(["lint", "a.ris", "--ignore", "missing-comma,duplicate-key"]) == 0
