"""The program as a whole: version, help, exit status, closed pipes, interruption."""

import io
import os
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


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_full_standard_output_is_one_line_and_not_done() -> None:
    with open("/dev/full", "wb") as full:
        result = subprocess.run([*BIBTOOLS, "completion", "bash"], stdout=full, stderr=subprocess.PIPE)
    assert result.returncode == 3
    assert result.stderr == b"bibtools: no space left on device\n"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell that closes streams")
@pytest.mark.parametrize(("closed", "status"), [("<&-", 3), (">&-", 0), ("2>&-", 0)])
def test_closed_streams_do_no_harm(closed: str, status: int, tmp_path: Path) -> None:
    (tmp_path / "a.bib").write_text("@misc{a, title = {A}}")
    name = "-" if closed == "<&-" else "a.bib"
    command = f"{sys.executable} -m bibtools convert {name} - --to ris {closed}"
    result = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True)
    assert (result.returncode, "Traceback" in result.stderr) == (status, False)


def test_letters_that_the_terminal_lacks_are_spelled_out(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Über die Ausbreitung von Tang im Norden.", encoding="utf-8")
    result = subprocess.run(
        [*BIBTOOLS, "identify", "a.txt"],
        cwd=tmp_path,
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert result.returncode == 0
    assert rb"\xdcber die Ausbreitung" in result.stdout


class Interrupted(io.RawIOBase):
    """An input at which the person loses patience."""

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    def readinto(self, buffer: object) -> int:
        """Raise what Ctrl-C raises."""
        raise KeyboardInterrupt


def test_interrupted_while_loading_shows_no_traceback() -> None:
    script = """
import sys
from bibtools.__main__ import main

class Impatient:
    def find_spec(self, name, path, target=None):
        if name == "bibtools.cli.main":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Impatient())
sys.exit(main())
"""
    result = subprocess.run([sys.executable, "-c", script, "lint"], capture_output=True, check=False)
    assert (result.returncode, result.stderr) == (130, b"")


def test_interrupted_is_status_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Interrupted())))
    assert run(["identify", "-"]) == 130
    assert capsys.readouterr().err == "\n"
