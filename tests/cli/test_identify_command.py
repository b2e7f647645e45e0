"""`bibtools identify` on a shipped list: table, JSON, evidence."""

import csv
import io
import json
from pathlib import Path

import pytest

from bibtools.cli.main import run
from bibtools.data import data_path

LIST = str(data_path("lists/icml2025-003.txt"))


def identify(*argv: str) -> int:
    """Run `bibtools identify` with the sample catalogue only."""
    return run(["identify", *argv, "--catalogue", str(data_path("catalogue/icml2025-sample.bibcat"))])


def test_table_has_a_row_for_each_abstract(capsys: pytest.CaptureFixture[str]) -> None:
    assert identify(LIST) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:3] == ["line", "outcome", "score"]
    assert len(lines) == 20
    assert lines[1].startswith("3     identified  1.00")


def test_json_holds_work_candidates_and_links(capsys: pytest.CaptureFixture[str]) -> None:
    assert identify(LIST, "--json") == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["index"] for row in rows] == list(range(19))
    assert {row["schema"] for row in rows} == {1}
    assert {row["outcome"] for row in rows} == {"identified"}
    assert [row["index"] for row in rows if row["promised_without_link"]] == [13]
    first = rows[0]
    assert first["work"]["title"].startswith("Learning Robust Neural Processes")
    assert first["candidates"][0]["score"] == 1.0
    assert first["sources"]["title"]["source"]
    link = rows[2]["links"][1]
    assert link == {
        "written": "https://github.com/ubc-aamodt-group/reframe-layer-caching",
        "url": "https://github.com/ubc-aamodt-group/reframe-layer-caching",
        "kind": "repository",
        "offers_code": True,
        "found_in": "catalogue",
        "line": None,
        "column": None,
    }


def test_csv_is_read_back(capsys: pytest.CaptureFixture[str]) -> None:
    assert identify(LIST, LIST, "--format", "csv") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 38
    assert rows[0]["source"] == LIST
    assert rows[0]["authors"] == "Liu et al."


@pytest.mark.parametrize("form", ["markdown", "html"])
def test_other_forms_name_every_work(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert identify(LIST, "--format", form) == 0
    assert capsys.readouterr().out.count("identified") == 19


@pytest.mark.parametrize(
    ("line", "title"), [("3", "Learning Robust"), ("4", "Learning Robust"), ("5", "Efficient")]
)
def test_explain_shows_verdict_evidence_and_sources(
    line: str, title: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert identify(LIST, "--explain", line) == 0
    text = capsys.readouterr().out
    assert "identified, score 1.00" in text
    assert f"best candidate (1.00): {title}" in text
    assert "pairs of neighbouring words agree: 100% of the abstract's" in text
    assert "runner-up" in text
    assert "title, " in text.split("from ")[-1]
    assert text.count("best candidate") == 1


def test_explain_without_line_explains_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert identify(LIST, "--explain") == 0
    assert capsys.readouterr().out.count("best candidate") == 19


@pytest.mark.parametrize("line", ["1", "9999"])
def test_explain_where_no_abstract_is_is_wrong_usage(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert identify(LIST, "--explain", line) == 2
    assert f"no abstract at line {line}; the first begins at line 3" in capsys.readouterr().err


def test_unidentified_has_no_work(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "list.txt"
    path.write_text(
        "We watched kelp drift from a rowing boat at night, with one lamp and no model of any kind.\n"
    )
    assert identify(str(path), "--json") == 0
    row = json.loads(capsys.readouterr().out)[0]
    assert (row["outcome"], row["work"], row["line"], row["index"]) == ("unidentified", None, 1, 0)
