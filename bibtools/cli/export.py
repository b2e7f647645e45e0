"""`bibtools export`: read anything, identify abstracts, join links, write citations. The main job."""

from typing import TYPE_CHECKING

from bibtools.cli.parsers import (
    ONLINE,
    Arguments,
    UsageError,
    add_catalogues,
    add_command,
    add_inputs,
    settings_from,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from bibtools.cli.console import Console
    from bibtools.cli.parsers import Commands
    from bibtools.errors import Problem
    from bibtools.model import Library
    from bibtools.outputs import Output, Plan
    from bibtools.pipeline import Export, Prepared
    from bibtools.settings import Settings

DESCRIPTION = """\
Writes citations for lists of abstracts and for bibliographies: finds which work each abstract is,
adds its bibliographic facts and its code links, gives stable keys, and writes each FILE in the
format of its suffix. Fields that an input has are kept; only empty ones are filled."""

EXAMPLES = (
    "bibtools export abstracts.txt -o refs.bib -o refs.ris -o refs.json",
    "bibtools export abstracts.txt -o biblatex:refs.bib",
    "bibtools export new.txt -o refs.bib --append",
    "pbpaste | bibtools export -",
)


class ExportArguments(Arguments):
    """The arguments, typed."""

    from_format: str | None
    output: list[str]
    append: bool
    force: bool
    unidentified: str
    code_as: str | None
    ascii: bool
    ris_dialect: str | None
    unicode_math: bool
    key_pattern: str | None
    keys_from: str | None
    strict: bool
    online: bool
    check_links: bool
    pin: bool
    pull: bool


def add_parser(commands: "Commands") -> None:
    """Add `export` to the program's parser."""
    parser = add_command(commands, "export", "write citations for a list of abstracts", DESCRIPTION, EXAMPLES)
    add_inputs(parser, "lists of abstracts, or bibliographies")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        action="append",
        default=[],
        help="write this file: .bib, .ris or .json, or FORMAT:FILE such as biblatex:refs.bib; "
        "may be repeated (default: BibTeX on standard output)",
    )
    there = parser.add_mutually_exclusive_group()
    there.add_argument(
        "--append",
        action="store_true",
        help="add to an existing FILE what it lacks, and leave the rest as it is",
    )
    there.add_argument(
        "--force", action="store_true", help="replace FILE even if works go; the old one is kept as FILE.bak"
    )
    parser.add_argument(
        "--unidentified",
        metavar="keep|skip|FILE",
        default="keep",
        help="abstracts without known work: keep at the end, skip, or write to FILE (%(default)s)",
    )
    parser.add_argument(
        "--code-as",
        choices=("field", "note", "entry", "none"),
        help="how code links are carried: as field, note, entry (needs --check-links), or not (field)",
    )
    parser.add_argument(
        "--pin", action="store_true", help="with --code-as entry: name the very commit, and its SWHID"
    )
    parser.add_argument("--ascii", action="store_true", help="BibTeX: write letters outside ASCII as TeX")
    parser.add_argument(
        "--for",
        dest="ris_dialect",
        choices=("zotero", "endnote", "mendeley"),
        help="RIS: the program that will read it (zotero)",
    )
    parser.add_argument(
        "--unicode-math", action="store_true", help="RIS: formulas as Unicode where that loses nothing"
    )
    parser.add_argument(
        "--key-pattern",
        metavar="PATTERN",
        help="pattern of new keys, from {author} {authors} {year} {title} {words} ({author}{year}{title})",
    )
    parser.add_argument(
        "--keys-from", metavar="FILE", help="use the keys that works have in this bibliography"
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="exit status 1 if an abstract is not identified or anything is doubtful",
    )
    add_catalogues(parser)
    network = parser.add_argument_group("network")
    network.add_argument("--online", action="store_true", help=ONLINE)
    network.add_argument("--check-links", action="store_true", help="check the code links too")
    network.add_argument(
        "--pull", action="store_true", help="fetch the catalogue that a list's heading asks for, then go on"
    )
    parser.set_defaults(run=run)


def run(args: ExportArguments) -> int:
    """Run it; return the exit status."""
    from bibtools import pipeline
    from bibtools.cli.console import Console
    from bibtools.cli.summary import next_step, summarise
    from bibtools.files import read_entries, replace_files

    console = Console(args.quiet, args.verbose)
    settings = settings_from(args)
    export = options_from(args, settings)
    libraries = [read_entries(name, args.from_format) for name in args.inputs]
    if args.pull:
        pull_missing(libraries, settings, console)
    catalogues = pipeline.open_catalogues(settings)
    libraries = [pipeline.identify(library, catalogues) for library in libraries]
    if args.online:
        libraries = [pipeline.identify_online(library, settings) for library in libraries]
    libraries = list(map(pipeline.find_links, libraries))
    if args.check_links:
        details = settings.code_as == "entry"
        libraries = [pipeline.check_links(library, settings, details) for library in libraries]
    prepared = pipeline.prepare(libraries)
    plans = pipeline.plan_export(prepared, export)
    in_files = [plan for plan in plans if plan.output.path]
    changed = replace_files([change for plan in in_files if (change := plan.change())])
    for plan in plans:
        if not plan.output.path:
            write_stdout(plan)
    problems = (*prepared.problems, *(problem for plan in plans for problem in plan.problems))
    console.problems(problems)
    summarise(console, libraries, prepared, list(zip(in_files, changed, strict=True)))
    console.say(next_step(libraries, prepared, settings))
    return exit_status(prepared, problems, args.strict)


def pull_missing(libraries: "Sequence[Library]", settings: "Settings", console: "Console") -> None:
    """Fetch the catalogues that the lists' headings ask for and that are not installed.

    Raises:
        FetchError, CatalogueError: one cannot be fetched or built.
    """
    from bibtools.cli.progress import ProgressLine
    from bibtools.sources.known import missing_catalogue
    from bibtools.sources.pull import pull

    for heading in dict.fromkeys(library.heading for library in libraries):
        missing = missing_catalogue(heading, settings)
        if missing:
            console.say(f"fetching {missing.label}: {missing.size_text()}")
            with ProgressLine(console) as progress:
                pulled = pull(missing.name, settings, progress)
            for note in pulled.notes:
                console.say(note)


def options_from(args: ExportArguments, settings: "Settings") -> "Export":
    """Return what the arguments ask for.

    Raises:
        UsageError: an output stands twice, or is an input; the key pattern is wrong.
        UnknownFormatError: an output's suffix or format is unknown.
    """
    from typing import cast

    from bibtools.files import read_library
    from bibtools.model import Library, WriteOptions
    from bibtools.outputs import Mode, parse_output
    from bibtools.pipeline import Export

    if args.code_as == "entry" and not args.check_links:
        raise UsageError(
            "--code-as entry needs --check-links: entries are made of repositories that are there"
        )
    check_pattern(settings.key_pattern)
    outputs = tuple(parse_output(name) for name in args.output or ["-"])
    apart = None if args.unidentified in ("keep", "skip") else parse_output(args.unidentified)
    check_paths([*outputs, *([apart] if apart else [])], args.inputs)
    mode: Mode = "append" if args.append else "force" if args.force else "safe"
    return Export(
        outputs=outputs,
        mode=mode,
        options=WriteOptions(ascii=args.ascii, code_as=settings.code_as, unicode_math=args.unicode_math),
        ris_dialect=args.ris_dialect or "",
        key_pattern=settings.key_pattern,
        keys_from=read_library(args.keys_from) if args.keys_from else Library(),
        unidentified=apart or cast("Literal['keep', 'skip']", args.unidentified),
        pin=args.pin,
    )


def check_pattern(pattern: str) -> None:
    """Raise where a key pattern cannot be used."""
    from bibtools.enrichers.keys import base_key
    from bibtools.errors import InputError
    from bibtools.model import Entry

    try:
        base_key(Entry(), pattern)
    except InputError as error:
        raise UsageError(str(error)) from error


def check_paths(outputs: "Sequence[Output]", inputs: "Sequence[str]") -> None:
    """Raise where an output stands twice or is an input, or a missing input looks like an output."""
    import os

    from bibtools.formats import format_of_suffix

    read = {os.path.realpath(name): name for name in inputs if name != "-"}
    written: set[str] = set()
    for output in outputs:
        place = os.path.realpath(output.path) if output.path else "-"
        if place in read:
            raise UsageError(f"{output} is both input and output; write another file")
        if place in written:
            raise UsageError(f"{output} is named twice as output")
        written.add(place)
    for place, name in read.items():
        form = format_of_suffix(name)
        if form and form.writer and not os.path.exists(place):
            raise UsageError(f"{name}: no such file; to write it, say -o {name}")


def write_stdout(plan: "Plan") -> None:
    """Write an output to standard output, byte by byte."""
    import sys

    sys.stdout.flush()
    sys.stdout.buffer.write(plan.data)
    sys.stdout.buffer.flush()


def exit_status(prepared: "Prepared", problems: "Sequence[Problem]", strict: bool) -> int:
    """Return 1 where something was lost or, if strict, an abstract is not identified or anything doubtful."""
    lost = any(problem.lost for problem in problems)
    doubtful = prepared.unidentified or any(problem.severity != "info" for problem in problems)
    return 1 if lost or (strict and doubtful) else 0
