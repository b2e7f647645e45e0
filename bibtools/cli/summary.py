"""What an export says when it is done: how many abstracts, how much code, which files, what next."""

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from bibtools.cli.console import Console, cut
from bibtools.mapping.venues import parse_heading
from bibtools.model import Entry, Library
from bibtools.outputs import Plan, count
from bibtools.pipeline import ABSTRACTS, Prepared
from bibtools.settings import Settings
from bibtools.sources.known import missing_catalogue

MOST_PLACES = 3
"""As many places are named before the rest is counted."""
LONGEST_REASON = 100
"""As much of a reason is shown; `identify --explain` shows all."""


def summarise(
    console: Console,
    libraries: Sequence[Library],
    prepared: Prepared,
    files: Sequence[tuple[Plan, bool]],
) -> None:
    """Say on the console what was read, found and written.

    Args:
        files: for each output that is a file its plan, and whether anything was written.
    """
    several = len(libraries) > 1
    if prepared.abstracts:
        console.say(abstracts_line(libraries, prepared, several))
    for library in libraries:
        if library.format != ABSTRACTS:
            console.say(f"{count(len(library.entries), 'entry')} read from {library.source}")
    console.say(code_line(prepared.entries, several))
    if files:
        console.say("; ".join(file_parts(files)))


def abstracts_line(libraries: Sequence[Library], prepared: Prepared, several: bool) -> str:
    """Return how many abstracts there were, and which are not identified."""
    headings = dict.fromkeys(heading_label(lib.heading) for lib in libraries if lib.heading)
    of = f" ({', '.join(headings)})" if headings else ""
    unknown = prepared.abstracts - prepared.identified
    line = f"{count(prepared.abstracts, 'abstract')}{of}: {prepared.identified} identified"
    if not unknown:
        return line
    where = listing(describe(entry, several) for entry in prepared.unidentified)
    return f"{line}, {unknown} not ({where})"


def heading_label(heading: str) -> str:
    """Return venue and year of a heading, or the heading itself."""
    venue = parse_heading(heading)
    return str(venue) if venue else cut(heading, 40)


def describe(entry: Entry, several: bool) -> str:
    """Return where an unidentified abstract stands, how it begins, and what keeps it from being identified.

    That is what the list says against the work, else how near the best candidate comes.
    """
    found = entry.identification
    why = ""
    if found and found.outcome == "contradicted":
        why = f": {cut(found.reason, LONGEST_REASON)}"
    elif found and found.candidates:
        why = f", best candidate {found.candidates[0].score:.2f}"
    return f"{place(entry, several)} “{cut(entry.abstract.plain if entry.abstract else '', 24)}”{why}"


def place(entry: Entry, several: bool) -> str:
    """Return the line of an entry, with its file where there are several."""
    if not entry.origin:
        return "unknown place"
    return f"{entry.origin.source}:{entry.origin.line}" if several else f"line {entry.origin.line}"


def listing(items: Iterable[str]) -> str:
    """Return the first few items, and how many more there are."""
    every = list(items)
    more = [f"{len(every) - MOST_PLACES} more"] if len(every) > MOST_PLACES else []
    return "; ".join(every[:MOST_PLACES] + more)


def code_line(entries: Sequence[Entry], several: bool) -> str:
    """Return how many entries have a code link, what is behind if asked, and which only promise one."""
    linked = sum(any(link.offers_code for link in entry.links) for entry in entries)
    promised = [place(entry, several) for entry in entries if entry.promised_without_link]
    checks = [
        link.check.outcome for entry in entries for link in entry.links if link.offers_code and link.check
    ]
    behind = ", ".join(f"{number} {outcome}" for outcome, number in Counter(checks).most_common())
    line = f"code: {linked} with link" + (f" ({behind})" if behind else "")
    return f"{line}, {len(promised)} promised without ({listing(promised)})" if promised else line


def next_step(libraries: Sequence[Library], prepared: Prepared, settings: Settings) -> str:
    """Return what is worth doing next, or nothing."""
    if prepared.unidentified:
        for library in libraries:
            missing = missing_catalogue(library.heading, settings)
            if missing:
                return (
                    f"next: {missing.command} installs all of {missing.label} ({missing.size_text()}); "
                    "then run the same command again"
                )
        first = prepared.unidentified[0].origin
        where = f"{shlex.quote(first.source)} --explain {first.line}" if first else "--explain"
        return f"next: bibtools identify {where} shows why; a line with its DOI or address above names a work"
    return ""


def file_parts(files: Sequence[tuple[Plan, bool]]) -> Iterator[str]:
    """Yield one part for all files written, then one for each appended to, then one for all unchanged."""
    written = [f"{plan.output} {plan.count}" for plan, new in files if new and plan.added is None]
    if written:
        yield f"wrote {', '.join(written)}"
    for plan, new in files:
        if new and plan.added is not None:
            yield f"added {plan.added} to {plan.output}, which has {plan.count} now"
    same = [f"{plan.output} {plan.count}" for plan, new in files if not new]
    if same:
        yield f"unchanged {', '.join(same)}"
