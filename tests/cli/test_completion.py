"""Completion for shells, made from the parsers."""

import shutil
import subprocess

import pytest

from bibtools.cli.main import run


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_script_names_commands_and_options(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "export" in script
    assert "unidentified" in script


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
def test_bash_completes_options_and_choices(capsys: pytest.CaptureFixture[str]) -> None:
    run(["completion", "bash"])
    script = capsys.readouterr().out + (
        'COMP_WORDS=(bibtools export --unid); COMP_CWORD=2; _shtab_bibtools; echo "${COMPREPLY[@]}"\n'
        'COMP_WORDS=(bibtools export --code-as ""); COMP_CWORD=3; _shtab_bibtools; echo "${COMPREPLY[@]}"\n'
    )
    result = subprocess.run(["bash"], input=script, capture_output=True, text=True, check=True)
    assert result.stdout.splitlines() == ["--unidentified", "field note entry none"]
