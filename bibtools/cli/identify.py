"""`bibtools identify`: which work each abstract is, and on what evidence."""

from typing import TYPE_CHECKING

from bibtools.cli.parsers import (
    ONLINE,
    Arguments,
    add_catalogues,
    add_command,
    add_inputs,
    add_report,
    settings_from,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bibtools.cli.parsers import Commands
    from bibtools.model import Entry, Library
    from bibtools.writers.sheet import Sheet

DESCRIPTION = """\
Tells which work each abstract is: identified, ambiguous (several works fit), unidentified, or
contradicted (the abstract is that of a work whose title or authors the list gives otherwise). A work
is named only if its own abstract agrees; scores go from 0 to 1."""

EXAMPLES = (
    "bibtools identify abstracts.txt",
    "bibtools identify abstracts.txt --explain 77",
    "bibtools identify abstracts.txt --json > answers.json",
)


class IdentifyArguments(Arguments):
    """The arguments, typed."""

    from_format: str | None
    format: str
    explain: int | None
    online: bool


def add_parser(commands: "Commands") -> None:
    """Add `identify` to the program's parser."""
    parser = add_command(commands, "identify", "tell which work each abstract is", DESCRIPTION, EXAMPLES)
    add_inputs(parser, "lists of abstracts, or bibliographies with abstracts")
    add_report(parser)
    parser.add_argument(
        "--explain",
        metavar="LINE",
        type=int,
        nargs="?",
        const=0,
        help="show the evidence for the abstract at this line, or for all",
    )
    add_catalogues(parser)
    parser.add_argument("--online", action="store_true", help=ONLINE)
    parser.set_defaults(run=run)


def run(args: IdentifyArguments) -> int:
    """Run it; return the exit status."""
    import sys

    from bibtools import pipeline
    from bibtools.cli.console import Console, clean
    from bibtools.files import read_library

    console = Console(args.quiet, args.verbose)
    settings = settings_from(args)
    libraries = [read_library(name, args.from_format) for name in args.inputs]
    catalogues = pipeline.open_catalogues(settings)
    libraries = [pipeline.identify(library, catalogues) for library in libraries]
    if args.online:
        libraries = [pipeline.identify_online(library, settings) for library in libraries]
    libraries = list(map(pipeline.find_links, libraries))
    problems = [problem for library in libraries for problem in library.problems]
    if args.explain is not None:
        from bibtools.cli.explain import explanations

        text = clean(explanations(libraries, args.explain))
    elif args.format == "json":
        from bibtools.writers.answers import answer_rows, format_rows

        text = format_rows(row for library in libraries for row in answer_rows(library))
    else:
        from bibtools.writers.sheet import format_sheet

        text = format_sheet(to_sheet(libraries), args.format)
    sys.stdout.write(text)
    console.problems(problems)
    return 1 if any(problem.lost for problem in problems) else 0


def to_sheet(libraries: "Sequence[Library]") -> "Sheet":
    """Return one row per abstract."""
    from bibtools.writers.sheet import Sheet

    several = len(libraries) > 1
    columns = ("line", "outcome", "score", "year", "authors", "work", "code", "address")
    rows = (
        ((library.source, *row(entry)) if several else row(entry))
        for library in libraries
        for entry in library.entries
    )
    return Sheet("Abstracts and their works", ("source", *columns) if several else columns, tuple(rows))


def row(entry: "Entry") -> tuple[str, ...]:
    """Return line, outcome, score, year, first authors, title or beginning, code link and address.

    Where the list contradicts the abstract, the reason stands behind the title.
    """
    found = entry.identification
    title = entry.title.plain if entry.title else ""
    beginning = " ".join((entry.abstract.plain if entry.abstract else "").split()[:8])
    against = f" ({found.reason})" if found and found.outcome == "contradicted" else ""
    return (
        str(entry.origin.line) if entry.origin else "",
        found.outcome if found else "unidentified",
        f"{found.score:.2f}" if found else "0.00",
        str(entry.issued.start[0]) if entry.issued and entry.issued.start else "",
        short_authors(entry),
        f"{title or f'“{beginning} …”'}{against}",
        short_links([link.url for link in entry.links if link.offers_code]),
        entry.url,
    )


def short_links(urls: "Sequence[str]") -> str:
    """Return the first address, and how many more there are."""
    more = f" +{len(urls) - 1}" if len(urls) > 1 else ""
    return f"{urls[0]}{more}" if urls else ""


def short_authors(entry: "Entry") -> str:
    """Return the first author's family name, and what follows it."""
    from bibtools.works import family_name

    names = [family_name(person) for person in entry.author]
    if len(names) > 2:
        return f"{names[0]} et al."
    return " and ".join(names)
