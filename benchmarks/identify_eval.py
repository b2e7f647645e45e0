"""Measure identification through the public API, on catalogues and queries as JSON lines.

    python benchmarks/identify_eval.py CATALOGUE QUERIES OUT
    python benchmarks/identify_eval.py --loo LOO

The first form builds a catalogue from CATALOGUE (id, title, authors, year, venue, abstract), asks it for
each of QUERIES (qid, text) and writes a prediction a line to OUT (qid, id or null, score, rule). The second
takes LOO (id, title, abstract, group, skip), asks for every abstract with the works of its own group left
out, and prints each answer: all are false. Records to skip have a sibling that text alone cannot tell
from them; they are counted apart. Rates are per second of processor time.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from bibtools.catalogue import Catalogue, add_works, open_catalogue
from bibtools.model import Contributor, Entry, PartialDate, Text
from bibtools.outcomes import FieldSource

Row = dict[str, Any]


def read_rows(path: Path) -> Iterator[Row]:
    """Yield the objects of a file of JSON lines."""
    with path.open("rb") as lines:
        yield from map(msgspec.json.decode, filter(bytes.strip, lines))


def to_entry(row: Row) -> Entry:
    """Return a row of the catalogue as an entry."""
    return Entry(
        type="paper-conference",
        title=Text(row["title"]),
        abstract=Text(row["abstract"]),
        author=tuple(map(to_person, row.get("authors", ()))),
        container_title=Text(row["venue"]) if row.get("venue") else None,
        issued=PartialDate(start=(row["year"],)) if row.get("year") else None,
        ids={"eval": row["id"]},
    )


def to_person(name: str) -> Contributor:
    """Return a name whose last word is the family name."""
    given, _, family = name.rpartition(" ")
    return Contributor(family=family, given=given)


def build(rows: Iterable[Row], folder: str) -> Catalogue:
    """Return a catalogue of these works, and say how fast it was made."""
    path = Path(folder, "eval.bibcat")
    started = time.process_time()
    add_works(path, map(to_entry, rows), FieldSource("evaluation"))
    spent = time.process_time() - started
    catalogue = open_catalogue(path)
    info = catalogue.info()
    print(
        f"built {info.works} works of {info.records} abstracts: {info.records / spent:.0f} a second,"
        f" {info.size / info.works:.0f} bytes a work",
        file=sys.stderr,
    )
    return catalogue


def predict(catalogue: Catalogue, queries: Sequence[Row]) -> Iterator[Row]:
    """Yield a prediction for each query: the id of the work if it is identified, else null."""
    started = time.process_time()
    findings = catalogue.find_many([query["text"] for query in queries])
    spent = time.process_time() - started
    print(f"{len(queries)} queries: {len(queries) / spent:.0f} a second", file=sys.stderr)
    for query, finding in zip(queries, findings, strict=True):
        best = finding.candidates[0] if finding.candidates else None
        named = best is not None and finding.outcome == "identified"
        yield {
            "qid": query["qid"],
            "id": best.id.removeprefix("eval:") if best and named else None,
            "also": [one.candidate.id.removeprefix("eval:") for one in finding.also if one.candidate],
            "score": best.score if best else 0.0,
            "rule": best.agreement.rule if best and best.agreement else "",
            "outcome": finding.outcome,
        }


def leave_one_out(catalogue: Catalogue, rows: Sequence[Row]) -> Iterator[tuple[Row, str]]:
    """Yield each row that is answered with a work although its own group is left out, and the answer."""
    groups: defaultdict[Any, list[str]] = defaultdict(list)
    for row in rows:
        groups[row["group"]].append(f"eval:{row['id']}")
    exclude = [groups[row["group"]] for row in rows]
    findings = catalogue.find_many([row["abstract"] for row in rows], exclude)
    for row, finding in zip(rows, findings, strict=True):
        if finding.outcome != "unidentified":
            best = finding.candidates[0]
            rule = best.agreement.rule if best.agreement else ""
            yield row, f"{finding.outcome} {best.title!r} ({best.score:.2f}, {rule})"


def main() -> None:
    """Run one of the two measurements."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--loo", type=Path)
    parser.add_argument("paths", type=Path, nargs="*", metavar="CATALOGUE QUERIES OUT")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if arguments.loo:
            rows = list(read_rows(arguments.loo))
            total, false = Counter(bool(row["skip"]) for row in rows), Counter[bool]()
            for row, answer in leave_one_out(build(rows, folder), rows):
                false[bool(row["skip"])] += 1
                print(f"{'sibling' if row['skip'] else 'FALSE'}: {row['title']!r}: {answer}")
            print(
                f"clean: {false[False]} false in {total[False]};"
                f" with a sibling: {false[True]} in {total[True]}"
            )
            return
        if len(arguments.paths) != 3:
            parser.error("three paths are needed: CATALOGUE QUERIES OUT")
        known, queries, out = arguments.paths
        predictions = predict(build(read_rows(known), folder), list(read_rows(queries)))
        out.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in predictions))


if __name__ == "__main__":
    main()
