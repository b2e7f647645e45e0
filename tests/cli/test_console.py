"""Messages on the terminal: clean, cut, as loud as asked."""

import io

import pytest

from bibtools.cli.console import MOST_PROBLEMS, Console, clean
from bibtools.errors import Location, Problem


def problem(number: int, severity: str = "warning", lost: bool = False) -> Problem:
    """Return an invented problem."""
    return Problem("code", severity, Location("a.bib", number), f"fault {number}", lost=lost)  # type: ignore[arg-type]


def shown(problems: list[Problem], quiet: bool = False, verbose: bool = False) -> list[str]:
    """Return the lines that a console shows for problems."""
    stream = io.StringIO()
    Console(quiet, verbose, stream).problems(problems)
    return stream.getvalue().splitlines()


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("a\tb\nc", "a\tb\nc"),
        ("\x1b[2Jx", "\\x1b[2Jx"),
        ("a\u202eb", "a\\x202eb"),
        ("\x9b", "\\x9b"),
        ("é漢", "é漢"),
    ],
)
def test_control_characters_become_visible(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


def test_problem_says_where_what_and_which_code() -> None:
    assert shown([problem(3, lost=True)]) == ["a.bib:3: fault 3 [warning: code (lost)]"]


def test_many_problems_are_counted() -> None:
    lines = shown([problem(number) for number in range(MOST_PROBLEMS + 5)])
    assert len(lines) == MOST_PROBLEMS + 1
    assert lines[-1] == "… and 5 more; -v shows all"
    assert len(shown([problem(number) for number in range(99)], verbose=True)) == 99


def test_quiet_shows_losses_only_and_notices_need_verbose() -> None:
    problems = [problem(1), problem(2, lost=True), problem(3, "info")]
    assert len(shown(problems, quiet=True)) == 1
    assert len(shown(problems)) == 2
    assert len(shown(problems, verbose=True)) == 3


def test_no_colour_where_there_is_no_terminal() -> None:
    stream = io.StringIO()
    Console(stream=stream).error("no")
    assert stream.getvalue() == "bibtools: no\n"


def test_no_input_can_forge_a_line_of_its_own() -> None:
    stream = io.StringIO()
    forged = Problem("odd", "warning", Location("a.json", 1), "key\nbibtools: all is well\x1b[2K")
    Console(stream=stream).problems([forged])
    assert stream.getvalue() == "a.json:1: key bibtools: all is well\\x1b[2K [warning: odd]\n"
