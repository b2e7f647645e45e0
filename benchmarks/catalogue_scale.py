"""Measure catalogues of growing size: bytes a work, memory, first answer, rate of look-ups, and errors.

    python benchmarks/catalogue_scale.py EVAL SIZE…        such as: out 80000 1000000

EVAL is a folder made by the evaluation of identification (catalogue.jsonl, queries.jsonl). Its works are
copied under other vocabularies until SIZE is reached: in odd copies every word but the 500 commonest is
another one, in even copies the words are the same in another order within each abstract, so that every
real work has neighbours of its own subject and vocabulary. Copies have titles, authors, venues, pages and
identifiers of their own. They do not bring more papers by the same people, which is what makes errors: for
those see `identify_eval.py --loo`. Rates are per second of processor time.
"""

import argparse
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from identify_eval import Row, read_rows, to_entry

from bibtools.catalogue import Catalogue, CatalogueWriter, open_catalogue
from bibtools.catalogue.normalise import words
from bibtools.model import Entry, Text
from bibtools.outcomes import FieldSource

COMMON = 500
"""Words that all copies share."""
MOST_QUERIES = 3000


def works(rows: Sequence[Row], size: int) -> Iterator[Entry]:
    """Yield the real works, then copies, until there are so many."""
    split = [words(row["abstract"]) for row in rows]
    common = {word for word, _ in Counter(word for row in split for word in row).most_common(COMMON)}
    for number in range(size):
        copy, at = divmod(number, len(rows))
        entry = to_entry(rows[at])
        yield entry if copy == 0 else copied(entry, split[at], common, copy)


def copied(entry: Entry, text: Sequence[str], common: set[str], copy: int) -> Entry:
    """Return a work like another one, of another vocabulary or another order of words."""
    if copy % 2:
        text = [word if word in common else f"{word}{copy}q" for word in text]
    else:
        text = Random(f"{copy} {entry.title}").sample(text, len(text))
    title = " ".join(f"{word[::-1]}{copy}" if len(word) > 3 else word for word in str(entry.title).split())
    people = tuple(
        person.__class__(family=f"{person.family}{chr(97 + copy % 26)}", given=person.given)
        for person in entry.author
    )
    return entry.replace(
        title=Text(title),
        author=people,
        abstract=Text(" ".join(text)),
        page=f"{copy * 10}-{copy * 10 + 9}",
        ids={"eval": f"{entry.ids['eval']}+{copy}"},
    )


def measure(catalogue: Catalogue, queries: Sequence[Row]) -> str:
    """Return rate and errors of the look-ups."""
    texts = [query["text"] for query in queries]
    catalogue.find_many(texts[:300])
    started = time.process_time()
    findings = catalogue.find_many(texts)
    spent = time.process_time() - started
    right = wrong = false = known = 0
    for query, finding in zip(queries, findings, strict=True):
        accepted = {f"eval:{id_}" for id_ in query["ids"]}
        known += bool(accepted)
        if finding.outcome == "identified":
            hit = finding.candidates[0].id in accepted
            right, wrong, false = right + hit, wrong + (not hit), false + (not accepted)
    rate = f"{len(queries) / spent:.0f} look-ups/s"
    return f"{rate}; {right} of {known} named, {wrong} wrong, {false} of them false"


def first_answer(path: Path, text: str) -> float:
    """Return seconds from a closed file to an answer."""
    started = time.perf_counter()
    with open_catalogue(path) as catalogue:
        catalogue.find(text)
    return time.perf_counter() - started


def main() -> None:
    """Build a catalogue of each size and print its row."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("evaluation", type=Path, metavar="EVAL")
    parser.add_argument("sizes", type=int, nargs="+", metavar="SIZE")
    arguments = parser.parse_args()
    rows = list(read_rows(arguments.evaluation / "catalogue.jsonl"))
    queries = list(read_rows(arguments.evaluation / "queries.jsonl"))
    queries = queries[:: max(1, len(queries) // MOST_QUERIES)]
    for size in arguments.sizes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "scale.bibcat")
            started = time.process_time()
            with CatalogueWriter(path) as writer:
                writer.add(works(rows, size), FieldSource("synthetic"))
            spent = time.process_time() - started
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
            waits = sorted(first_answer(path, queries[number]["text"]) for number in range(5))
            with open_catalogue(path) as catalogue:
                info = catalogue.info()
                print(
                    f"{info.works} works: {info.size / info.works:.0f} bytes each, {size / spent:.0f} built/s"
                    f" (making the copies included), {memory:.2f} GB at most; first answer"
                    f" {waits[2] * 1e3:.0f} ms; {measure(catalogue, queries)}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
