"""The journal of link checks: every verdict on disk as soon as it is known.

It is two things at once. Within its age a verdict is used again by the next run; and a run that was
broken off is gone on with by `--resume`. One JSON object a line, appended and flushed, so that a crash costs
the last line at most; a line that is cut off is ignored when read.
"""

import os
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO, Literal

import msgspec
from msgspec import Struct

from bibtools.outcomes import LinkCheck

COMPACT_ABOVE = 4
"""A journal with more lines than this many times its targets is written anew by the next run."""
FEW_LINES = 1_000
SHORT_AGE = 3_600.0
"""Seconds for which `missing`, `expired` and `blocked` are believed without asking again."""
BRIEF = frozenset({"missing", "expired", "blocked"})


class Line(Struct, frozen=True, omit_defaults=True):
    """One line: a run begins, goes on after a break, or ends; or a verdict is known."""

    event: Literal["begin", "resume", "end", "check"]
    at: float
    """Seconds since 1970."""
    target: str = ""
    check: LinkCheck | None = None
    settled: bool = True
    """False for a verdict whose target is still to be looked for in archives."""
    thin: bool = False
    """The host was asked without a token, and may have said less than it would have with one."""


class Journal:
    """A journal file; without a path it keeps nothing."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.lines = read_lines(path) if path else []
        self.lock = threading.Lock()
        self.stream: BinaryIO | None = None

    def usable(self, now: float, max_age: float, *, thin: bool) -> dict[str, Line]:
        """Return the lines of verdicts young enough to stand, by target; `unsure` and its like never are.

        Args:
            thin: whether verdicts will do that were found without a token.
        """
        newest = {line.target: line for line in self.lines if line.check and (thin or not line.thin)}
        return {
            target: line for target, line in newest.items() if now - line.at <= longest_age(line, max_age)
        }

    def unfinished(self) -> dict[str, Line]:
        """Return the lines of all verdicts of the last run, by target, if that run was broken off."""
        found: dict[str, Line] = {}
        for line in self.lines:
            if line.event in {"begin", "end"}:
                found = {}
            elif line.check is not None:
                found[line.target] = line
        return found

    def begin(self, now: float, resumed: bool) -> None:
        """Open the journal for writing and note that a run begins, or goes on.

        Raises:
            OSError: the journal cannot be written.
        """
        if self.path is None:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if not resumed:
            self.compact()
        torn = ends_torn(self.path)
        self.stream = self.path.open("ab")
        if torn:
            self.stream.write(b"\n")
        self.write(Line("resume" if resumed else "begin", now))

    def end(self, now: float) -> None:
        """Note that the run came to its end."""
        self.write(Line("end", now))

    def close(self) -> None:
        """Close the file; what is written afterwards is dropped."""
        with self.lock:
            if self.stream:
                self.stream.close()
            self.stream = None

    def write(self, line: Line) -> None:
        """Append one line in one write."""
        with self.lock:
            if self.stream:
                self.stream.write(msgspec.json.encode(line) + b"\n")
                self.stream.flush()

    def compact(self) -> None:
        """Write the journal anew with the newest verdict of each target, if it holds many older ones."""
        newest = {line.target: line for line in self.lines if line.event == "check"}
        if self.path is not None and len(self.lines) > max(FEW_LINES, COMPACT_ABOVE * len(newest)):
            write_lines(self.path, newest.values())


def longest_age(line: Line, max_age: float) -> float:
    """Return the seconds for which a verdict stands."""
    outcome = line.check.outcome if line.check else "unchecked"
    if outcome == "available":
        return max_age
    return min(max_age, SHORT_AGE) if outcome in BRIEF else -1.0


def read_lines(path: Path) -> list[Line]:
    """Return the lines of a journal that can be read; none where there is no journal."""
    try:
        data = path.read_bytes()
    except OSError:
        return []
    decoder = msgspec.json.Decoder(Line)
    lines = []
    for raw in data.splitlines():
        try:
            lines.append(decoder.decode(raw))
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
    return lines


def write_lines(path: Path, lines: Iterable[Line]) -> None:
    """Replace a journal in one step."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    part.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    part.replace(path)


def ends_torn(path: Path) -> bool:
    """Return whether the last line of a file, if there is one, was cut off in the middle."""
    if not path.exists() or path.stat().st_size == 0:
        return False
    with path.open("rb") as stream:
        stream.seek(-1, os.SEEK_END)
        return stream.read(1) != b"\n"
