"""`bibtools lint`: what is wrong in bibliographies."""

from typing import TYPE_CHECKING

from bibtools.cli.convert import no_collection
from bibtools.cli.parsers import Arguments, UsageError, add_command, add_inputs, add_report

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from bibtools.cli.parsers import Commands
    from bibtools.errors import Problem

DESCRIPTION = """\
Shows what is wrong in bibliographies: what could not be read, missing, unknown and malformed fields,
and keys and works that stand twice, with file and line. Codes are stable; --ignore hides one."""

EXAMPLES = (
    "bibtools lint refs.bib",
    "bibtools lint *.ris --ignore missing-field --fail-on warning",
    "bibtools lint refs.bib --json",
)

SEVERITIES = ("info", "warning", "error", "never")


class LintArguments(Arguments):
    """The arguments, typed."""

    from_format: str | None
    ignore: list[str]
    fail_on: str
    format: str


def add_parser(commands: "Commands") -> None:
    """Add `lint` to the program's parser."""
    parser = add_command(commands, "lint", "find faults in bibliographies", DESCRIPTION, EXAMPLES)
    add_inputs(parser, "bibliographies")
    parser.add_argument(
        "--ignore", metavar="CODE", action="append", default=[], help="do not show this code; may be repeated"
    )
    parser.add_argument(
        "--fail-on",
        choices=SEVERITIES,
        default="error",
        help="exit status 1 if a fault is at least this grave (%(default)s)",
    )
    add_report(parser)
    parser.set_defaults(run=run)


@no_collection()
def run(args: LintArguments) -> int:
    """Run it; return the exit status.

    Raises:
        UsageError: a code to be ignored is none.
    """
    import sys

    from bibtools.checks import check_libraries
    from bibtools.cli.console import Console
    from bibtools.files import read_library
    from bibtools.outputs import count

    console = Console(args.quiet, args.verbose)
    libraries = [read_library(name, args.from_format) for name in args.inputs]
    ignored = {code for codes in args.ignore for code in codes.split(",")}
    found = check_libraries(libraries)
    check_codes(ignored, found)
    problems = [problem for problem in found if problem.code not in ignored]
    if problems or args.format == "json":
        sys.stdout.write(format_problems(problems, args.format))
    entries = sum(len(library.entries) for library in libraries)
    console.say(f"{count(entries, 'entry')} checked, {count(len(problems), 'fault')} found")
    return 1 if any(is_grave(problem, args.fail_on) for problem in problems) else 0


def check_codes(codes: "Collection[str]", found: "Iterable[Problem]") -> None:
    """Raise where a code is neither known nor among the problems found, as other packages' readers' are.

    Raises:
        UsageError: says what codes there are.
    """
    from bibtools.checks import CODES, READING_CODES

    known = {*CODES, *READING_CODES}
    unknown = sorted(set(codes) - known - {problem.code for problem in found})
    if unknown:
        raise UsageError(f"--ignore: no code {', '.join(unknown)}; known: {', '.join(sorted(known))}")


def is_grave(problem: "Problem", threshold: str) -> bool:
    """Tell whether a problem is at least as grave as asked for."""
    return SEVERITIES.index(problem.severity) >= SEVERITIES.index(threshold)


def format_problems(problems: "Sequence[Problem]", form: str) -> str:
    """Return the problems in one of the forms of reports."""
    from bibtools.writers.sheet import Sheet, format_sheet

    if form == "json":
        import msgspec

        return msgspec.json.format(msgspec.json.encode(problems), indent=2).decode() + "\n"
    rows = tuple(
        (str(problem.location), problem.severity, problem.code, problem.message) for problem in problems
    )
    return format_sheet(Sheet("Faults", ("where", "severity", "code", "what"), rows), form)
