"""`bibtools links` from the command line, against a web server of our own."""

import csv
import io
import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from loopback import Answer, Asked, Loopback
from services import COMMIT, SNAPSHOT, GitHubDouble, Repo, Table, swh_visit, wayback_copy

from bibtools.cli.main import run

REPOS = [
    Repo(owner="ada", name="plain", number=1),
    Repo(owner="ada", name="new-name", number=2),
    Repo(owner="ada", name="empty", number=3, empty=True),
    Repo(owner="ada", name="old", number=4, archived=True),
]
RENAMED = {"ada/old_name": "ada/new-name"}
TEXT = """\
Code is at https://github.com/ada/plain and https://github.com/ada/empty.

The old one is https://github.com/ada/old_name, and see https://github.com/ada/gone!

We will release our code.
"""
SERVICES = {
    "GITHUB": "github.com",
    "GITHUB_API": "api.github.com",
    "SOFTWARE_HERITAGE": "archive.softwareheritage.org",
    "WAYBACK_API": "archive.org",
}


@pytest.fixture(autouse=True)
def settings(web: Loopback, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Point all services at the web server, and work in a folder of our own."""
    for name, host in SERVICES.items():
        monkeypatch.setenv(f"BIBTOOLS_URL_{name}", f"{web.base}/{host}")
    monkeypatch.setenv("BIBTOOLS_CACHE_FOLDER", str(tmp_path / "cache"))
    monkeypatch.setenv("BIBTOOLS_CONFIG", "")
    monkeypatch.setenv("GITHUB_TOKEN", "good-token")
    monkeypatch.chdir(tmp_path)
    web.rules.append(GitHubDouble(REPOS, RENAMED))
    Path("list.txt").write_text(TEXT, encoding="utf-8")


Captured = pytest.CaptureFixture[str]


def outcomes(capsys: Captured, *arguments: str) -> dict[str, str]:
    """Return the outcome and flags by repository's name, as the JSON report has them."""
    assert run(["links", "list.txt", "--json", *arguments]) == 0
    rows = json.loads(capsys.readouterr().out)
    return {row["url"].rpartition("/")[2]: " ".join([row["outcome"], *row["flags"]]) for row in rows}


EXPECTED = {
    "plain": "available",
    "empty": "available empty",
    "old_name": "available moved",
    "gone": "missing",
}


def test_table_shows_first_what_needs_attention(capsys: Captured) -> None:
    assert run(["links", "list.txt"]) == 0
    out, err = capsys.readouterr()
    assert [line for line in out.splitlines() if not line.startswith(" ")] == [
        "missing (1)",
        "empty (1)",
        "moved (1)",
        "1 link in order; --all-outcomes shows them",
        "list.txt:5: code promised without an address",
    ]
    assert "list.txt:3:57  https://github.com/ada/gone" in out
    assert "→ https://github.com/ada/new-name" in out
    assert err.splitlines()[-1] == ("4 links to 4 addresses: 3 available (1 empty, 1 moved), 1 missing")


def test_says_beforehand_how_much_and_what_a_token_would_change(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch, web: Loopback
) -> None:
    Path("many.txt").write_text(
        "\n".join(f"https://github.com/ada/r{n}" for n in range(400)), encoding="utf-8"
    )
    monkeypatch.delenv("GITHUB_TOKEN")
    assert run(["links", "many.txt", "--max-time", "0"]) == 0
    err = capsys.readouterr().err
    assert "400 links to 400 targets" in err
    assert "400 requests, about 40 s" in err
    assert "with a GitHub token 32 requests" in err
    assert "gh auth token" in err
    assert web.asked == []


def test_json_has_facts_and_evidence(capsys: Captured) -> None:
    run(["links", "list.txt", "--json"])
    row = json.loads(capsys.readouterr().out)[0]
    assert row["facts"]["commit"] == COMMIT
    assert row["evidence"][0]["url"] == "https://api.github.com/graphql"
    assert (row["schema"], row["source"], row["line"], row["column"]) == (1, "list.txt", 1, 12)


def test_archive_copies_are_suggested_for_what_is_gone(capsys: Captured, web: Loopback) -> None:
    Path("list.txt").write_text("https://github.com/ada/gone https://github.com/ada/lost", encoding="utf-8")
    gone, lost = "https://github.com/ada/gone", "https%3A%2F%2Fgithub.com%2Fada%2Flost"
    visit = f"archive.softwareheritage.org/api/1/origin/{gone}/visit/latest/"
    available = f"archive.org/wayback/available?url={lost}"
    web.rules.append(Table({visit: swh_visit(gone), available: wayback_copy("https://github.com/ada/lost")}))
    run(["links", "list.txt", "--json"])
    copies = [row["captures"] for row in json.loads(capsys.readouterr().out)]
    assert [copy["archive"] for (copy,) in copies] == ["software-heritage", "wayback"]
    assert copies[0][0]["swhid"] == f"swh:1:snp:{SNAPSHOT}"
    assert copies[1][0]["date"] == "2024-07-01"


def test_answers_are_believed_for_a_day_and_asked_anew_on_request(capsys: Captured, web: Loopback) -> None:
    assert outcomes(capsys) == EXPECTED
    asked = len(web.asked)
    assert outcomes(capsys) == EXPECTED
    assert len(web.asked) == asked
    assert outcomes(capsys, "--refresh") == EXPECTED
    assert len(web.asked) > asked


def test_offline_ends_at_once_with_everything_unchecked(capsys: Captured, web: Loopback) -> None:
    outcomes(capsys)
    asked = len(web.asked)
    assert set(outcomes(capsys, "--offline").values()) == {"unchecked"}
    assert len(web.asked) == asked
    assert run(["links", "list.txt", "--offline", "--fail-on", "unchecked"]) == 1


def test_time_that_is_used_up_leaves_the_rest_unchecked_and_resume_goes_on(
    capsys: Captured, web: Loopback
) -> None:
    web.spoil = lambda asked: Answer(429, headers={"Retry-After": "30"}) if asked.path == "/graphql" else None
    assert run(["links", "list.txt", "--max-time", "1"]) == 0
    out, err = capsys.readouterr()
    assert "4 links unchecked: the time was used up" in out
    assert "--resume goes on from here" in err
    web.spoil = lambda _: None
    assert outcomes(capsys, "--resume")["plain"] == "available"


@pytest.mark.parametrize(
    ("words", "status"),
    [("missing", 1), ("empty", 1), ("moved, missing", 1), ("blocked,expired", 0), ("", 0), ("nonsense", 2)],
)
def test_exit_status_as_asked(words: str, status: int) -> None:
    assert run(["links", "list.txt", "--fail-on", words]) == status


def test_ignored_addresses_are_neither_asked_nor_reported(capsys: Captured, web: Loopback) -> None:
    Path("ignore.txt").write_text("# known\nhttps://github.com/ada/gone\n*/old*\n", encoding="utf-8")
    assert set(outcomes(capsys, "--ignore", "ignore.txt")) == {"plain", "empty"}
    assert not any(b"gone" in asked.body for asked in web.asked)


def test_since_an_older_report_shows_changes_only(capsys: Captured) -> None:
    run(["links", "list.txt", "--json"])
    old = json.loads(capsys.readouterr().out)
    old[0]["outcome"] = "missing"
    old[1]["outcome"] = "unsure"
    Path("old.json").write_text(json.dumps(old[:3]), encoding="utf-8")
    run(["links", "list.txt", "--json", "--since", "old.json"])
    rows = json.loads(capsys.readouterr().out)
    assert [(row["url"].rpartition("/")[2], row["change"]) for row in rows] == [
        ("plain", "was missing"),
        ("gone", "new"),
    ]


def test_fix_rewrites_moved_addresses_and_nothing_else(capsys: Captured) -> None:
    before = (
        "\ufeffCode: https://github.com/ada/old_name.git, \\url{https://github.com/ada/old\\_name}.\r\n"
        "git@github.com:ada/old_name.git and http://github.com/Ada/Old_Name/tree/main/src\r"
        "https://github.com/ada/old_names https://github.com/ada/gone\n"
    ).encode()
    Path("list.txt").write_bytes(before)
    assert run(["links", "list.txt", "--fix"]) == 0
    assert (
        Path("list.txt").read_bytes()
        == (
            "\ufeffCode: https://github.com/ada/new-name.git, \\url{https://github.com/ada/new-name}.\r\n"
            "git@github.com:ada/new-name.git and http://github.com/ada/new-name/tree/main/src\r"
            "https://github.com/ada/old_names https://github.com/ada/gone\n"
        ).encode()
    )
    assert Path("list.txt.bak").read_bytes() == before
    assert "-Code: https://github.com/ada/old_name.git" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["-", "--fix"],
        ["list.txt", "--fix", "--no-check"],
        ["list.txt", "--max-time", "soon"],
        ["list.txt", "--max-age", "1y"],
    ],
)
def test_arguments_that_make_no_sense(arguments: list[str], capsys: Captured, web: Loopback) -> None:
    assert run(["links", *arguments]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert web.asked == []


@pytest.mark.parametrize("name", ["none.txt", ".", "empty.txt"])
def test_inputs_that_cannot_be_read(name: str, capsys: Captured) -> None:
    Path("empty.txt").write_text("", encoding="utf-8")
    assert run(["links", name]) == 3
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_table_comes_back_with_more_columns(capsys: Captured) -> None:
    table = (
        'name,code\n"Widgets, sparse",https://github.com/ada/plain\nGone,https://github.com/ada/gone\nNone,\n'
    )
    Path("list.csv").write_text(table, encoding="utf-8")
    assert run(["links", "list.csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["name"], row["code"]) for row in rows] == [
        ("Widgets, sparse", "https://github.com/ada/plain"),
        ("Gone", "https://github.com/ada/gone"),
        ("None", ""),
    ]
    assert [row["outcome"] for row in rows] == ["available", "missing", ""]
    assert rows[0]["licence"] == "MIT"


def test_without_check_nothing_is_asked(capsys: Captured, web: Loopback) -> None:
    assert run(["links", "list.txt", "--no-check"]) == 0
    assert "https://github.com/ada/plain" in capsys.readouterr().out
    assert web.asked == []


def test_exports_carry_verdicts_canonical_addresses_and_entries_for_programs(web: Loopback) -> None:
    cff = "cff-version: 1.2.0\ntitle: Widget Trainer\nauthors: [{family-names: Byron, given-names: Ada}]\n"
    web.rules[:] = [GitHubDouble([Repo(owner="ada", name="new-name", cff=cff)], RENAMED)]
    Path("in.bib").write_text(
        "@misc{w2024, title = {Widgets}, author = {Ada Byron}, year = 2024,"
        " abstract = {Code: https://github.com/ada/old_name.}}\n",
        encoding="utf-8",
    )
    options = ["--check-links", "--code-as", "entry", "--pin"]
    assert run(["export", "in.bib", "-o", "out.json", "-o", "biblatex:out.bib", *options]) == 0
    paper, program = json.loads(Path("out.json").read_text(encoding="utf-8"))
    (link,) = paper["custom"]["links"]
    assert (link["url"], link["check"]["outcome"]) == ("https://github.com/ada/new-name", "available")
    assert (program["type"], program["title"], program["URL"]) == ("software", "Widget Trainer", link["url"])
    assert program["author"] == [{"family": "Byron", "given": "Ada"}]
    text = Path("out.bib").read_text(encoding="utf-8")
    assert "@software{w2024-code," in text
    assert "related = {w2024}" in text
    assert f"swhid = {{swh:1:rev:{COMMIT}}}" in text


def test_without_a_place_for_the_journal_it_goes_on(capsys: Captured) -> None:
    Path("file").write_text("", encoding="utf-8")
    assert run(["links", "list.txt", "--journal", "file/links.jsonl"]) == 0
    out, err = capsys.readouterr()
    assert "missing (1)" in out
    assert "verdicts cannot be kept for --resume: file/links.jsonl: " in err


def test_save_asks_software_heritage_only_on_request(capsys: Captured, web: Loopback) -> None:
    saved: list[str] = []

    def rule(asked: Asked) -> Answer | None:
        if asked.host != "archive.softwareheritage.org" or asked.method != "POST":
            return None
        saved.append(asked.plain_path)
        return Answer(200, b'{"save_request_status": "accepted"}', {"Content-Type": "application/json"})

    web.rules.append(rule)
    run(["links", "list.txt", "--refresh"])
    assert saved == []
    run(["links", "list.txt", "--save"])
    assert sorted(saved) == [
        f"/api/1/origin/save/git/url/https://github.com/ada/{name}/" for name in ("new-name", "plain")
    ]
    assert "https://github.com/ada/plain accepted" in capsys.readouterr().err


def timeless(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a report's rows without the times at which hosts were asked."""
    for row in rows:
        for evidence in row["evidence"]:
            del evidence["asked_at"]
    return rows


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_broken_off_run_is_gone_on_with(
    how: signal.Signals, capsys: Captured, web: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No target is asked twice but those in flight, and the report is that of an unbroken run."""
    monkeypatch.delenv("GITHUB_TOKEN")
    names = [f"r{number}" for number in range(24)]
    repos = [Repo(owner="ada", name=name, exists=number % 7 != 0) for number, name in enumerate(names)]
    double = GitHubDouble(repos)
    double.rest_left = 0
    web.rules[:] = [double]
    Path("list.txt").write_text(
        "\n".join(f"https://github.com/ada/{name}" for name in names), encoding="utf-8"
    )
    command = [sys.executable, "-m", "bibtools", "links", "list.txt", "--no-captures", "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 30
    moment = random.randint(5, 12) if how == signal.SIGKILL else 8
    while web.count("github.com") < moment and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(how)
    out, _ = process.communicate(timeout=30)
    first = web.count("github.com")
    assert first < len(names)
    if how == signal.SIGINT:
        assert process.returncode == 130
        known = [row["outcome"] for row in json.loads(out)]
        assert known.count("unchecked") >= 1
        assert len(known) - known.count("unchecked") >= 3
    assert run(["links", "list.txt", "--no-captures", "--json", "--resume"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["outcome"] for row in rows] == ["available" if repo.exists else "missing" for repo in repos]
    asked = [asked.path for asked in web.asked if "/info/refs" in asked.path]
    assert len(asked) - len(set(asked)) <= 4
    assert run(["links", "list.txt", "--no-captures", "--json", "--journal", "another"]) == 0
    assert timeless(json.loads(capsys.readouterr().out)) == timeless(rows)
