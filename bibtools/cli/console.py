"""What people read on the terminal: messages on stderr, results on stdout.

Text from inputs is cleaned of control characters first, so that no file can move the cursor, recolour
the screen or hide a line.
"""

import os
import re
import sys
from collections.abc import Iterable
from typing import TextIO

from bibtools.errors import Problem

MOST_PROBLEMS = 20
"""As many problems are shown before the rest is counted; `-v` shows all."""
LONGEST_RAW = 60

CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]"  # C0, C1, bidirectional marks
)
COLOURS = {"error": "31", "warning": "33", "info": "36", "good": "32", "dim": "2"}


def clean(text: str) -> str:
    """Return the text with control characters made visible as `\\xNN`."""
    return CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def cut(text: str, length: int = LONGEST_RAW) -> str:
    """Return the text on one line, its end replaced by an ellipsis where it is longer than `length`.

    >>> cut("one  two\\nthree", 9)
    'one two…'
    """
    line = " ".join(text[: 4 * length].split())
    return line if len(line) <= length else f"{line[: length - 1].rstrip()}…"


class Console:
    """Messages on stderr, as loud as asked."""

    def __init__(self, quiet: bool = False, verbose: bool = False, stream: TextIO | None = None) -> None:
        self.quiet, self.verbose = quiet, verbose
        self.stream = stream or sys.stderr
        self.coloured = is_coloured(self.stream)

    def say(self, message: str) -> None:
        """Show one line, unless quiet; an empty one is no line."""
        if message and not self.quiet:
            print(clean(message), file=self.stream)

    def tell(self, message: str) -> None:
        """Show one line if verbose."""
        if self.verbose:
            self.say(message)

    def error(self, message: str) -> None:
        """Show one line that matters even when quiet."""
        print(f"{self.paint('bibtools:', 'error')} {clean(message)}", file=self.stream)

    def problems(self, problems: Iterable[Problem]) -> None:
        """Show problems, one a line: `MOST_PROBLEMS` at most unless verbose, and only losses when quiet."""
        chosen = [problem for problem in problems if self.is_wanted(problem)]
        shown = chosen if self.verbose else chosen[:MOST_PROBLEMS]
        for problem in shown:
            lost = " (lost)" if problem.lost else ""
            word = self.paint(problem.severity, problem.severity)
            line = clean(str(problem)).replace("\n", " ")  # a key or name may hold one
            print(f"{line} [{word}: {problem.code}{lost}]", file=self.stream)
        if len(shown) < len(chosen):
            self.say(f"… and {len(chosen) - len(shown)} more; -v shows all")

    def is_wanted(self, problem: Problem) -> bool:
        """Tell whether a problem is to be shown at the loudness asked for."""
        return problem.lost or (not self.quiet and (problem.severity != "info" or self.verbose))

    def paint(self, text: str, colour: str) -> str:
        """Return the text in a colour of `COLOURS` where the stream shows colours."""
        return f"\x1b[{COLOURS[colour]}m{text}\x1b[0m" if self.coloured else text


def is_coloured(stream: TextIO) -> bool:
    """Tell whether colour is wanted: a terminal, and `NO_COLOR` not set (https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
