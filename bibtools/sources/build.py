"""Works from sources into a catalogue file, with what became of each.

Importing this module imports numpy through the catalogue: import it where a catalogue is about to be made.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct, structs

from bibtools.catalogue import AddReport, CatalogueWriter
from bibtools.errors import Location, Problem
from bibtools.model import Entry
from bibtools.outcomes import FieldSource
from bibtools.sources.registry import Source, get_source, guess_source, works_files

Counter = Callable[[int], None]
"""Called with the number of works read so far."""
EVERY = 500
MOST_PROBLEMS = 1_000
"""So many problems of one source are kept; the others are counted."""
LONGEST_RAW = 2_000
"""Characters kept of a record that could not be read."""


class Batch(Struct, frozen=True):
    """One file or folder to take works from."""

    path: Path
    source: Source
    address: str
    """Where `catalogue update` finds it again."""


class Added(Struct, frozen=True):
    """What became of the works of some sources."""

    works: int = 0
    """Works that the sources hold, as far as they could be read."""
    added: int = 0
    """Works new to the catalogue."""
    joined: int = 0
    """Works that it had already, from another source or earlier in the same one."""
    without_abstract: int = 0
    """Works that only a title or an identifier can find."""
    problems: tuple[Problem, ...] = ()

    @property
    def lost(self) -> int:
        """How many records could not be read."""
        return sum(problem.lost for problem in self.problems)


def batches(paths: Iterable[Path], kind: str = "") -> list[Batch]:
    """Return what to read for these paths; a folder of lists stands for its files.

    Raises:
        InputError: a path is missing or holds no works; nothing has been read yet.
    """
    return [
        Batch(file, get_source(kind) if kind else guess_source(file), str(file.resolve()))
        for path in paths
        for file in works_files(path)
    ]


def add_batches(
    catalogue: Path, sources: Iterable[Batch], date: str = "", counter: Counter | None = None
) -> Added:
    """Add the works of sources to a catalogue, made if it is not there: all, or on an error none.

    Args:
        date: ISO date on which the sources were read; empty: today.
        counter: hears how many works were read so far.
    Raises:
        InputError: a source is not what it was taken for.
        CatalogueError: the catalogue is damaged or of another edition.
    """
    total = Added()
    with CatalogueWriter(catalogue) as writer:
        for batch in sources:
            gate = Gate(batch.source.read(batch.path), counter, total.works)
            provenance = FieldSource(batch.address, date or today())
            report = writer.add(gate.entries(), provenance, batch.source.rank)
            total = plus(total, report, gate)
    return total


def plus(total: Added, report: AddReport, gate: "Gate") -> Added:
    """Return the sum after one more source."""
    return Added(
        works=gate.works,
        added=total.added + report.added,
        joined=total.joined + report.joined,
        without_abstract=total.without_abstract + report.without_abstract,
        problems=(*total.problems, *gate.all_problems()),
    )


def today() -> str:
    """Return today's ISO date, UTC."""
    return datetime.now(UTC).date().isoformat()


class Gate:
    """Lets the works of a source through and keeps its problems."""

    def __init__(self, items: Iterable[Entry | Problem], counter: Counter | None, works: int) -> None:
        self.items, self.counter, self.works = items, counter, works
        self.problems: list[Problem] = []
        self.further = 0
        self.further_lost = 0

    def entries(self) -> Iterator[Entry]:
        """Yield the works."""
        for item in self.items:
            if isinstance(item, Entry):
                self.works += 1
                if self.counter and self.works % EVERY == 0:
                    self.counter(self.works)
                yield item
            elif len(self.problems) < MOST_PROBLEMS:
                self.problems.append(structs.replace(item, raw=item.raw[:LONGEST_RAW]))
            else:
                self.further += 1
                self.further_lost += item.lost

    def all_problems(self) -> list[Problem]:
        """Return the problems kept, and one that counts the others."""
        if not self.further:
            return self.problems
        message = f"{self.further} further problems, {self.further_lost} of them records that were lost"
        place = Location(self.problems[0].location.source)
        lost = self.further_lost > 0
        return [
            *self.problems,
            Problem("further-problems", "error" if lost else "info", place, message, lost=lost),
        ]
