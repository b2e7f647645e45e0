"""`bibtools convert`: one format to another, nothing added, and what the new one cannot hold said."""

from contextlib import contextmanager
from typing import TYPE_CHECKING

from bibtools.cli.parsers import FORMAT_NAMES, Arguments, UsageError, add_command

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from bibtools.cli.parsers import Commands
    from bibtools.errors import Problem
    from bibtools.model import Library
    from bibtools.outputs import Output

DESCRIPTION = """\
Converts a bibliography. Nothing is added and nothing is dropped without a word: what the new format
has no place for is shown entry by entry, and the number of works is compared."""

EXAMPLES = (
    "bibtools convert refs.bib refs.ris",
    "bibtools convert refs.ris biblatex:refs.bib --report lost.csv",
    "bibtools convert old.json - --to ris --for endnote",
)


NEEDS_KEYS = ("bibtex", "biblatex")
"""Formats in which an entry cannot be without a key."""


class ConvertArguments(Arguments):
    """The arguments, typed."""

    input: str
    output: str
    from_format: str | None
    to_format: str | None
    ris_dialect: str | None
    ascii: bool
    unicode_math: bool
    append: bool
    force: bool
    report: str | None
    strict: bool


def add_parser(commands: "Commands") -> None:
    """Add `convert` to the program's parser."""
    parser = add_command(commands, "convert", "convert from one format to another", DESCRIPTION, EXAMPLES)
    parser.add_argument("input", metavar="IN", help="a bibliography; - is standard input")
    parser.add_argument(
        "output", metavar="OUT", help="the file to write, by its suffix, or FORMAT:FILE; - is standard output"
    )
    parser.add_argument(
        "--from", dest="from_format", metavar="FORMAT", help=f"what IN is, if guessed wrongly: {FORMAT_NAMES}"
    )
    parser.add_argument(
        "--to", dest="to_format", metavar="FORMAT", help="what OUT shall be, if its name does not say"
    )
    parser.add_argument(
        "--for",
        dest="ris_dialect",
        choices=("zotero", "endnote", "mendeley"),
        help="RIS: the program that will read it (zotero)",
    )
    parser.add_argument("--ascii", action="store_true", help="BibTeX: write letters outside ASCII as TeX")
    parser.add_argument(
        "--unicode-math", action="store_true", help="RIS: formulas as Unicode where that loses nothing"
    )
    add_existing(parser)
    parser.add_argument(
        "--report",
        metavar="FILE",
        help="write what OUT does not hold, entry by entry (.csv, .md, .html, .json)",
    )
    parser.add_argument("--strict", action="store_true", help="exit status 1 if anything is doubtful")
    parser.set_defaults(run=run)


def add_existing(parser: "argparse.ArgumentParser") -> None:
    """Add the options for an output that is there already: `--append` and `--force`."""
    there = parser.add_mutually_exclusive_group()
    there.add_argument(
        "--append",
        action="store_true",
        help="add to an existing OUT what it lacks, and leave the rest as it is",
    )
    there.add_argument(
        "--force", action="store_true", help="replace OUT even if works go; the old one is kept as OUT.bak"
    )


@contextmanager
def no_collection() -> "Iterator[None]":
    """Have no cycles looked for: bibliographies are many values without any, and looking takes long."""
    import gc

    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@no_collection()
def run(args: ConvertArguments) -> int:
    """Run it; return the exit status."""
    from bibtools.cli.console import Console
    from bibtools.files import read_entries, replace_files
    from bibtools.model import WriteOptions
    from bibtools.outputs import Mode, count, plan_output, read_existing

    console = Console(args.quiet, args.verbose)
    output = output_of(args)
    check_report("--report", args.report, (args.input, output.path))
    library = read_entries(args.input, args.from_format)
    if output.format.name in NEEDS_KEYS:
        library = with_keys(library)
    options = WriteOptions(
        dialect=args.ris_dialect or "" if output.format.name == "ris" else "",
        ascii=args.ascii,
        unicode_math=args.unicode_math,
    )
    mode: Mode = "append" if args.append else "force" if args.force else "safe"
    plan = plan_output(library, output, read_existing(output, args.force), mode, options)
    if change := plan.change():
        replace_files([change])
    else:
        write_stdout(plan.data)
    if args.report:
        write_report(args.report, plan.problems)
    problems = (*library.problems, *plan.problems)
    console.problems(problems)
    done = f"{count(plan.added, 'entry')} added to" if plan.added is not None else f"{plan.count} written to"
    console.say(f"{count(len(library.entries), 'entry')} read from {library.source}, {done} {output}")
    return exit_status(problems, args.strict)


def with_keys(library: "Library") -> "Library":
    """Return the library with a key for each entry that has none; those that have one keep it."""
    if all(entry.key for entry in library.entries):
        return library
    from bibtools.enrichers.keys import KeyMaker
    from bibtools.pipeline import enrich

    return enrich(library, KeyMaker())


def output_of(args: ConvertArguments) -> "Output":
    """Return where to write, and in which format.

    Raises:
        UsageError: input and output are the same file.
        UnknownFormatError: neither `--to` nor the name says the format.
    """
    import os

    from bibtools.outputs import parse_output

    output = parse_output(f"{args.to_format}:{args.output}" if args.to_format else args.output)
    same = output.path and args.input != "-" and os.path.realpath(output.path) == os.path.realpath(args.input)
    if same:
        raise UsageError(f"{output} is both input and output; write another file")
    return output


def check_report(option: str, name: str | None, others: "Iterable[Path | str | None]") -> None:
    """Raise where a report would be written over an input, an output, or any bibliography.

    Raises:
        UsageError: says which file it is.
    """
    import os
    from pathlib import Path

    from bibtools.formats import format_of_suffix

    if not name:
        return
    if os.path.realpath(name) in [os.path.realpath(other) for other in others if other]:
        raise UsageError(f"{option}: {name} is an input or output; write another file")
    form = format_of_suffix(name)
    if form and form.writer and Path(name).suffix.lower() != ".json":
        raise UsageError(f"{option}: {name} is the name of a bibliography; name a .csv file")


def write_stdout(data: bytes) -> None:
    """Write bytes to standard output."""
    import sys

    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def write_report(name: str, problems: "Sequence[Problem]") -> None:
    """Write problems as a file, in the form of its suffix; a table where it says nothing."""
    from pathlib import Path

    import msgspec

    from bibtools.files import replace_file
    from bibtools.writers.sheet import Sheet, format_sheet

    if name.endswith(".json"):
        data = msgspec.json.format(msgspec.json.encode(problems), indent=2) + b"\n"
    else:
        rows = tuple(
            (
                str(problem.location),
                problem.code,
                problem.message,
                problem.raw,
                "lost" if problem.lost else "",
            )
            for problem in problems
        )
        sheet = Sheet("What the output does not hold", ("where", "code", "what", "value", "lost"), rows)
        forms = {".csv": "csv", ".md": "markdown", ".html": "html"}
        data = format_sheet(sheet, forms.get(Path(name).suffix.lower(), "table")).encode()
    replace_file(Path(name), data)


def exit_status(problems: "Sequence[Problem]", strict: bool) -> int:
    """Return 1 where something was lost, or if strict, where anything is doubtful."""
    lost = any(problem.lost for problem in problems)
    doubtful = any(problem.severity != "info" for problem in problems)
    return 1 if lost or (strict and doubtful) else 0
