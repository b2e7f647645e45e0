"""One line on the terminal that says how far a long task is; nothing where stderr is no terminal."""

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from bibtools.cli.console import Console

EVERY = 0.1
"""Least seconds between two states of the line."""
ERASE = "\r\x1b[2K"


class ProgressLine:
    """Call it with what is done, how much is there, and how much in all; leaving the `with` cleans up."""

    def __init__(self, console: "Console") -> None:
        self.stream = console.stream
        self.shown = not console.quiet and self.stream.isatty()
        self.next = 0.0

    def __enter__(self) -> "Self":
        return self

    def __exit__(
        self,
        kind: "type[BaseException] | None",
        error: "BaseException | None",
        trace: "TracebackType | None",
    ) -> None:
        if self.shown:
            self.stream.write(ERASE)
            self.stream.flush()

    def __call__(self, label: str, done: int, total: int | None = None) -> None:
        """Show the state, unless one was shown just now."""
        now = time.monotonic()
        if not self.shown or now < self.next:
            return
        self.next = now + EVERY
        self.stream.write(f"{ERASE}{line(label, done, total)}")
        self.stream.flush()


def line(label: str, done: int, total: int | None) -> str:
    """Return the state for people.

    >>> line("fetching icml:2015", 30, 120), line("adding icml:2015", 1500, None)
    ('fetching icml:2015 … 25 %', 'adding icml:2015 … 1,500')
    """
    state = f"{100 * done // total} %" if total else f"{done:,}"
    return f"{label} … {state}"
