"""`bibtools merge`: several bibliographies into one, each work once, nothing lost."""

from typing import TYPE_CHECKING

from bibtools.cli.convert import (
    NEEDS_KEYS,
    add_existing,
    check_report,
    exit_status,
    no_collection,
    with_keys,
    write_stdout,
)
from bibtools.cli.parsers import Arguments, UsageError, add_command, add_inputs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bibtools.cli.parsers import Commands
    from bibtools.merge import Pair

DESCRIPTION = """\
Joins bibliographies of any formats into one. Records of one work are merged: by an identifier, else
by title, authors and year. Where they differ, the first record's value counts and the others' go to
a remark (annote). Doubtful pairs stay apart and are listed."""

EXAMPLES = (
    "bibtools merge scopus.ris pubmed.nbib wos.ciw -o all.ris --duplicates pairs.csv",
    "bibtools merge old.bib new.bib -o refs.bib",
)


class MergeArguments(Arguments):
    """The arguments, typed."""

    from_format: str | None
    output: str
    duplicates: str | None
    ris_dialect: str | None
    append: bool
    force: bool
    strict: bool


def add_parser(commands: "Commands") -> None:
    """Add `merge` to the program's parser."""
    parser = add_command(commands, "merge", "join bibliographies, each work once", DESCRIPTION, EXAMPLES)
    add_inputs(parser, "bibliographies")
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        default="-",
        help="the file to write, by its suffix, or FORMAT:FILE (default: BibTeX on standard output)",
    )
    parser.add_argument(
        "--duplicates", metavar="FILE", help="list merged and doubtful pairs with the reason, as CSV"
    )
    parser.add_argument(
        "--for",
        dest="ris_dialect",
        choices=("zotero", "endnote", "mendeley"),
        help="RIS: the program that will read it (zotero)",
    )
    add_existing(parser)
    parser.add_argument("--strict", action="store_true", help="exit status 1 if anything is doubtful")
    parser.set_defaults(run=run)


@no_collection()
def run(args: MergeArguments) -> int:
    """Run it; return the exit status."""
    from pathlib import Path

    from bibtools.cli.console import Console
    from bibtools.files import read_entries, replace_file, replace_files
    from bibtools.merge import merge_libraries
    from bibtools.model import WriteOptions
    from bibtools.outputs import Mode, count, parse_output, plan_output, read_existing

    console = Console(args.quiet, args.verbose)
    output = parse_output(args.output)
    check_inputs(args, str(output.path) if output.path else "")
    check_report("--duplicates", args.duplicates, (*args.inputs, output.path))
    merged = merge_libraries([read_entries(name, args.from_format) for name in args.inputs])
    options = WriteOptions(dialect=args.ris_dialect or "" if output.format.name == "ris" else "")
    mode: Mode = "append" if args.append else "force" if args.force else "safe"
    library = with_keys(merged.library) if output.format.name in NEEDS_KEYS else merged.library
    plan = plan_output(library, output, read_existing(output, args.force), mode, options)
    if change := plan.change():
        replace_files([change])
    else:
        write_stdout(plan.data)
    if args.duplicates:
        replace_file(Path(args.duplicates), format_pairs(merged.pairs).encode())
    problems = (*merged.library.problems, *plan.problems)
    console.problems(problems)
    for counted in merged.counts:
        numbers = (
            f"{counted.identified} identified, {counted.removed} removed as duplicates, {counted.left} left"
        )
        console.say(f"{counted.source}: {numbers}")
    doubtful = [pair for pair in merged.pairs if not pair.merged]
    if doubtful:
        hint = "" if args.duplicates else "; --duplicates FILE.csv lists them"
        console.say(f"{count(len(doubtful), 'doubtful pair')} kept apart{hint}")
    console.say(f"wrote {output} {plan.count}")
    return exit_status(problems, args.strict) or (1 if args.strict and doubtful else 0)


def check_inputs(args: MergeArguments, output: str) -> None:
    """Raise where an input stands twice or is the output."""
    import os

    seen: set[str] = set()
    for name in args.inputs:
        place = os.path.realpath(name) if name != "-" else name
        if place in seen:
            raise UsageError(f"{name} is named twice as input")
        if output and place == os.path.realpath(output):
            raise UsageError(f"{name} is both input and output; write another file")
        seen.add(place)


def format_pairs(pairs: "Sequence[Pair]") -> str:
    """Return the pairs as CSV, one a line, merged ones and doubtful ones."""
    from bibtools.writers.sheet import Sheet, format_sheet

    columns = ("what", "reason", "kept", "kept in", "other", "other in", "title", "other title")
    rows = []
    for pair in pairs:
        records = (pair.first, pair.second)
        keys = [record.entry.key for record in records]
        places = [
            f"{record.source}:{record.entry.origin.line}" if record.entry.origin else record.source
            for record in records
        ]
        titles = [record.entry.title.plain if record.entry.title else "" for record in records]
        what = "merged" if pair.merged else "doubtful"
        rows.append((what, pair.reason, keys[0], places[0], keys[1], places[1], *titles))
    return format_sheet(Sheet("Duplicates", columns, tuple(rows)), "csv")
