"""`bibtools export --pull`: the catalogue that a heading asks for is fetched, then its works are named."""

import json
from pathlib import Path

import pytest
from loopback import Answer, Asked, Loopback

from bibtools.cli.main import run

ABSTRACT = (
    "We train sparse widgets with a loss that keeps every second spring loose until the last epoch ends. "
    "Earlier factories tightened all springs at once, which broke gears and wasted copper in long runs. "
    "Our schedule needs neither a foreman nor extra memory, and it converges on twelve benchmarks of "
    "mechanical reasoning twice as fast as the strongest baseline known to clockmakers."
)
PAPER = {
    "title": "Sparse Widgets",
    "status": "Poster",
    "author": "Ada Byron; Alan Turing",
    "abstract": ABSTRACT,
    "site": "https://openreview.net/forum?id=abc1",
    "github": "github.com/byron/widgets",
}


@pytest.fixture
def folder(tmp_path: Path, web: Loopback, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a list, and settings that lead to a server of our own."""

    def answer(asked: Asked) -> Answer | None:
        return Answer(200, json.dumps([PAPER]).encode()) if asked.path == "/nips/nips2023.json" else None

    web.rules.append(answer)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BIBTOOLS_CONFIG", "config.toml")
    Path("config.toml").write_text(
        'catalogue-folder = "catalogues"\ncache-folder = "cache"\n'
        f'[urls]\npapercopilot = "{web.base}/papercopilot"\n'
    )
    Path("list.txt").write_text(f"NeurIPS 2023\n\n{ABSTRACT}\n")
    return tmp_path


def test_hint_then_pull_then_the_same_command_works(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["export", "list.txt", "-o", "refs.json"]
    assert run(command) == 0
    message = capsys.readouterr().err
    assert "1 abstract (NeurIPS 2023): 0 identified" in message
    assert "next: bibtools catalogue pull neurips:2023" in message
    assert json.loads(Path("refs.json").read_text())[0]["id"].startswith("unidentified-")

    assert run([*command, "--pull"]) == 0
    assert "1 abstract (NeurIPS 2023): 1 identified" in capsys.readouterr().err
    item = json.loads(Path("refs.json").read_text())[0]
    assert item["title"] == "Sparse Widgets"
    assert item["custom"]["links"][0]["url"] == "https://github.com/byron/widgets"

    before = Path("refs.json").read_bytes()
    assert run(command) == 0
    assert Path("refs.json").read_bytes() == before


def test_pull_says_that_the_network_is_off(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["export", "list.txt", "-o", "refs.json", "--pull", "--offline"]) == 3
    assert "the network is off" in capsys.readouterr().err
    assert not Path("refs.json").exists()
