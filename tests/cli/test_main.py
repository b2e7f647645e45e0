"""The program as a whole: version, help, exit status, closed pipes, interruption."""

import io
import subprocess
import sys
from pathlib import Path

import pytest

import bibtools
from bibtools.cli.main import COMMANDS, build_parser, run

BIBTOOLS = [sys.executable, "-m", "bibtools"]


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_version_is_answered_before_anything_else_loads(option: str) -> None:
    script = "import sys; from bibtools.__main__ import main; main(); print(*sys.modules, file=sys.stderr)"
    result = subprocess.run(
        [sys.executable, "-c", script, option], capture_output=True, text=True, check=True
    )
    assert result.stdout == f"bibtools {bibtools.__version__}\n"
    assert not {"argparse", "msgspec", "bibtools.cli"} & set(result.stderr.split())


def test_version_is_known_beside_other_arguments_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version", "export"]) == 0
    assert capsys.readouterr().out == f"bibtools {bibtools.__version__}\n"


def test_alone_it_prints_three_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  bibtools ")]
    assert len(lines) == 3


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([command, "--help"]) == 0
    assert f"usage: bibtools {command}" in capsys.readouterr().out


@pytest.mark.parametrize("argv", [["song"], ["--song"], ["export"], ["export", "a.txt", "--song"], ["-q"]])
def test_wrong_usage_is_status_2(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(argv) == 2
    assert "bibtools" in capsys.readouterr().err


def test_options_may_not_be_shortened() -> None:
    assert run(["identify", "a.txt", "--form", "json"]) == 2


def test_commands_are_listed_in_order() -> None:
    assert list(COMMANDS) == [
        line.split()[0]
        for line in build_parser().format_help().splitlines()
        if line.startswith("    ") and line.split()[0] in COMMANDS
    ]


def test_closed_pipe_ends_quietly(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*BIBTOOLS, "completion", "bash"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout
    assert process.stderr
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 0


class Interrupted(io.RawIOBase):
    """An input at which the person loses patience."""

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    def readinto(self, buffer: object) -> int:
        """Raise what Ctrl-C raises."""
        raise KeyboardInterrupt


def test_interrupted_is_status_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Interrupted())))
    assert run(["identify", "-"]) == 130
    assert capsys.readouterr().err == "\n"
