"""The line of progress: there on a terminal, absent elsewhere, gone at the end."""

import io

import pytest

from bibtools.cli.console import Console
from bibtools.cli.progress import ERASE, EVERY, ProgressLine, line


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Say so."""
        return True


@pytest.mark.parametrize(
    ("done", "total", "text"),
    [(0, 200, "fetching … 0 %"), (50, 200, "fetching … 25 %"), (1500, None, "fetching … 1,500")],
)
def test_state_for_people(done: int, total: int | None, text: str) -> None:
    assert line("fetching", done, total) == text


def test_terminal_shows_the_first_state_and_is_clean_at_the_end() -> None:
    stream = Terminal()
    with ProgressLine(Console(stream=stream)) as progress:
        progress("adding", 1)
        assert stream.getvalue() == f"{ERASE}adding … 1"
    assert stream.getvalue().endswith(ERASE)


def test_states_that_come_too_fast_are_left_out() -> None:
    stream = Terminal()
    with ProgressLine(Console(stream=stream)) as progress:
        for count in range(1000):
            progress("adding", count)
    assert stream.getvalue().count("adding") < 1000
    assert EVERY > 0


@pytest.mark.parametrize(("stream", "quiet"), [(io.StringIO(), False), (Terminal(), True)])
def test_nothing_where_nobody_looks(stream: io.StringIO, quiet: bool) -> None:
    with ProgressLine(Console(quiet=quiet, stream=stream)) as progress:
        progress("adding", 1)
    assert stream.getvalue() == ""
