"""`identify --explain`: the verdict on an abstract, the evidence for it, and where each field came from."""

import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from bibtools.cli.console import cut
from bibtools.cli.parsers import UsageError
from bibtools.model import Entry, Library
from bibtools.outcomes import Candidate, FieldSource, Identification

MOST_CANDIDATES = 5


def explanations(libraries: Sequence[Library], line: int) -> str:
    """Return the explanation of the abstract at a line, counted from 1, or of all for 0.

    Raises:
        UsageError: no abstract stands at this line.
    """
    found = [entry for library in libraries for entry in entries_at(library.entries, line)]
    if not found:
        first = next((entry.origin.line for entry in libraries[0].entries if entry.origin), 1)
        raise UsageError(f"no abstract at line {line}; the first begins at line {first}")
    return "\n".join("\n".join(explain(entry)) + "\n" for entry in found)


def entries_at(entries: Sequence[Entry], line: int) -> list[Entry]:
    """Return the entries of the paragraph that a line belongs to: the last that begins there or before.

    A line after the file's last one belongs to none.
    """
    if line > last_line(entries):
        return []
    begin = max((e.origin.line for e in entries if e.origin and e.origin.line <= line), default=None)
    return [entry for entry in entries if not line or (entry.origin and entry.origin.line == begin)]


def last_line(entries: Sequence[Entry]) -> int:
    """Return the number of the last line of the entries' file; a huge one for standard input."""
    origin = next((entry.origin for entry in entries if entry.origin), None)
    if not origin or not Path(origin.source).is_file():
        return sys.maxsize
    return Path(origin.source).read_bytes().count(b"\n") + 1


def explain(entry: Entry) -> Iterator[str]:
    """Yield the lines that explain one verdict."""
    where = f"{entry.origin.source}:{entry.origin.line}" if entry.origin else "abstract"
    yield f"{where}: “{cut(entry.abstract.plain if entry.abstract else '', 60)}”"
    verdict = entry.identification
    if verdict is None:
        yield "  not looked up: no abstract and no title"
        return
    yield f"  {verdict.outcome}, score {verdict.score:.2f}" + (
        f", by {verdict.basis}" if verdict.basis else ""
    )
    if entry.title:
        yield f"  work: {entry.title.plain}" + (f" [{verdict.work_id}]" if verdict.work_id else "")
    if verdict.reason:
        yield f"  why: {verdict.reason}"
    yield from candidate_lines(verdict)
    yield from source_lines(verdict.sources)
    for link in entry.links:
        offer = ", offers code" if link.offers_code else ""
        yield f"  link: {link.url} ({link.kind}, in {link.found_in}{offer})"


def candidate_lines(verdict: Identification) -> Iterator[str]:
    """Yield each candidate and how far the texts agree, the best first; the second is the runner-up."""
    for place, candidate in enumerate(verdict.candidates[:MOST_CANDIDATES]):
        name = ("best candidate", "runner-up")[place] if place < 2 else "further"
        catalogue = f", in {candidate.catalogue}" if candidate.catalogue else ""
        yield f"  {name} ({candidate.score:.2f}): {cut(candidate.title, 80)} [{candidate.id}{catalogue}]"
        yield from agreement_lines(candidate)
    if len(verdict.candidates) == 1:
        yield "  runner-up: none, no other known work comes near"


def agreement_lines(candidate: Candidate) -> Iterator[str]:
    """Yield where the texts agree."""
    agreed = candidate.agreement
    if not agreed:
        return
    yield (
        f"    {agreed.shared} pairs of neighbouring words agree: {agreed.of_query:.0%} of the abstract's, "
        f"{agreed.of_record:.0%} of the record's"
    )
    if agreed.rule:
        yield f"    rule: {agreed.rule}"


def source_lines(sources: dict[str, FieldSource]) -> Iterator[str]:
    """Yield the source of each field, fields of one source together."""
    by_source = sorted(sources.items(), key=lambda item: (item[1].source, item[1].date))
    for (source, date), fields in groupby(by_source, key=lambda item: (item[1].source, item[1].date)):
        names = ", ".join(name for name, _ in fields)
        yield f"  from {source}" + (f", read {date}" if date else "") + f": {names}"
