"""Compare the speed of building a catalogue and of identifying abstracts with that of other engines.

    python benchmarks/catalogue_speed.py FOLDER [--queries N] [--prototype prototype.py]

FOLDER holds papercopilot JSON files, plain or gzipped. All engines get the same abstracts in the same run
and are asked for every so-many-th of them, cut to its first three hundred letters every other time; rates
are per second of processor time.

- bibtools: JSON parsed, facts stored, works joined; queries verified and decided.
- SQLite FTS5: titles and abstracts only, parsed already; queries are the twelve rarest words, ranked by
  bm25, nothing verified. It keeps the text.
- prototype: a file with a class `TwoTier` (build_from_hashes, decide) and `word_hashes`; abstracts only.
"""

import argparse
import importlib.util
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from bibtools.catalogue import CatalogueWriter, open_catalogue
from bibtools.catalogue.normalise import words
from bibtools.model import Entry
from bibtools.outcomes import FieldSource
from bibtools.sources.papercopilot import read_papercopilot

RAREST = 12
"""Words that a full-text query is made of."""
CUT = 300


def rate(count: int, work: Callable[[], object]) -> str:
    """Do the work and return how much of it a second of processor time does."""
    started = time.process_time()
    work()
    return f"{count / (time.process_time() - started):,.0f}"


def report(engine: str, build: str, ask: str, size: float) -> None:
    """Print an engine's row."""
    print(f"{engine:14s} build {build:>7s}/s   identify {ask:>7s}/s   {size:7.0f} bytes a work", flush=True)


def entries(paths: Sequence[Path]) -> Iterator[Entry]:
    """Yield the works of all files."""
    for path in paths:
        yield from (one for one in read_papercopilot(path) if isinstance(one, Entry))


def measure_bibtools(paths: Sequence[Path], queries: Sequence[str], count: int, folder: str) -> None:
    """Print our row."""
    path = Path(folder, "speed.bibcat")

    def build() -> None:
        with CatalogueWriter(path) as writer:
            writer.add(entries(paths), FieldSource(str(paths[0].parent)))

    built = rate(count, build)
    with open_catalogue(path) as catalogue:
        report(
            "bibtools",
            built,
            rate(len(queries), lambda: catalogue.find_many(queries)),
            path.stat().st_size / count,
        )


def measure_sqlite(works: Sequence[Entry], queries: Sequence[str], folder: str) -> None:
    """Print the row of SQLite's full-text search."""
    path = Path(folder, "speed.db")
    database = sqlite3.connect(path)
    frequency = Counter(word for work in works for word in set(words(str(work.abstract))))

    def build() -> None:
        database.execute("create virtual table works using fts5(title, abstract)")
        rows = ((str(work.title), str(work.abstract)) for work in works)
        database.executemany("insert into works values (?, ?)", rows)
        database.commit()

    def ask() -> None:
        for query in queries:
            rarest = sorted(set(words(query)), key=lambda word: frequency[word] or len(works))[:RAREST]
            match = " OR ".join(f'"{word}"' for word in rarest)
            database.execute(
                "select rowid from works where works match ? order by rank limit 3", (match,)
            ).fetchall()

    built = rate(len(works), build)
    report("SQLite FTS5", built, rate(len(queries), ask), path.stat().st_size / len(works))
    database.close()


def measure_prototype(source: Path, works: Sequence[Entry], queries: Sequence[str]) -> None:
    """Print the row of the prototype."""
    sys.path.insert(0, str(source.parent))
    spec = importlib.util.spec_from_file_location("prototype", source)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{source}: not a Python file")
    prototype = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(prototype)
    index = prototype.TwoTier()
    built = rate(
        len(works),
        lambda: index.build_from_hashes([prototype.word_hashes(str(one.abstract)) for one in works]),
    )
    asked = rate(len(queries), lambda: [index.decide(prototype.word_hashes(query)) for query in queries])
    size = (index.nbytes() + index.codes.nbytes + index.coff.nbytes) / len(works)
    report("prototype", built, asked, size)


def main() -> None:
    """Measure all engines, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--works", type=int, default=10_000)
    parser.add_argument("--queries", type=int, default=2_000)
    parser.add_argument("--prototype", type=Path)
    arguments = parser.parse_args()
    paths, count = [], 0
    for path in sorted(arguments.folder.glob("*.json*")):
        if count < arguments.works:
            paths.append(path)
            count += sum(1 for _ in entries([path]))
    works = [work for work in entries(paths) if work.abstract]
    step = max(1, len(works) // arguments.queries)
    queries = [str(work.abstract)[: CUT if number % 2 else None] for number, work in enumerate(works[::step])]
    print(f"{count} works, {len(works)} with an abstract; {len(queries)} queries")
    with tempfile.TemporaryDirectory() as folder:
        measure_bibtools(paths, queries, count, folder)
        measure_sqlite(works, queries, folder)
        if arguments.prototype:
            measure_prototype(arguments.prototype, works, queries)


if __name__ == "__main__":
    main()
