"""`bibtools links`: the code links in any text, and what is behind them."""

from typing import TYPE_CHECKING

from bibtools.cli.parsers import REPORT_FORMATS, Arguments, UsageError, add_command, add_report, settings_from

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bibtools.cli.console import Console
    from bibtools.cli.parsers import Commands
    from bibtools.enrichers.linkcheck import Checked, LinkChecker, Plan
    from bibtools.enrichers.linkfiles import LinkFile
    from bibtools.outcomes import LinkCheck
    from bibtools.writers.reports import LinkReport, LinkRow

DESCRIPTION = """\
Finds the code links in lists of abstracts, bibliographies, Markdown, HTML, plain text and tables, and
tells what is behind each: available, missing, blocked, expired, challenged (a page for bots came),
unsure or unchecked; and whether it moved, is archived, empty, readme-only, disabled or a fork. Being
refused or slowed down is never taken for missing."""

EXAMPLES = (
    "bibtools links abstracts.txt",
    "GITHUB_TOKEN=$(gh auth token) bibtools links README.md refs.bib",
    "bibtools links refs.bib --fix",
    "bibtools links links.csv > checked.csv",
    "bibtools links README.md --fail-on missing,empty --format junit > links.xml",
)

UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


class LinksArguments(Arguments):
    """The arguments, typed."""

    format: str | None
    all: bool
    check: bool
    all_outcomes: bool
    since: str | None
    ignore: str | None
    fix: bool
    fail_on: str
    max_time: str | None
    max_age: str
    refresh: bool
    resume: bool
    captures: bool
    save: bool
    journal: str | None


def add_parser(commands: "Commands") -> None:
    """Add `links` to the program's parser."""
    parser = add_command(
        commands, "links", "find code links, tell what is behind them", DESCRIPTION, EXAMPLES
    )
    parser.add_argument("inputs", metavar="INPUT", nargs="+", help="any text files; - is standard input")
    add_report(parser, (*REPORT_FORMATS, "junit"))
    parser.set_defaults(format=None)
    parser.add_argument(
        "--all", action="store_true", help="take every address, not only those of code and data"
    )
    parser.add_argument("--no-check", dest="check", action="store_false", help="find links, ask for nothing")
    parser.add_argument("--all-outcomes", action="store_true", help="show the links in order too")
    parser.add_argument(
        "--since", metavar="OLD.json", help="show only what differs from this earlier JSON report"
    )
    parser.add_argument(
        "--ignore", metavar="FILE", help="leave out addresses in this file: one a line, * for any"
    )
    parser.add_argument(
        "--fix", action="store_true", help="rewrite moved addresses in the inputs; keeps FILE.bak"
    )
    parser.add_argument(
        "--fail-on", metavar="WORDS", default="", help="exit status 1 on any of these: missing,empty …"
    )
    parser.add_argument(
        "--max-time", metavar="TIME", help="stop after so long, as 90s or 10m; the rest is unchecked"
    )
    parser.add_argument(
        "--max-age", metavar="TIME", default="24h", help="believe earlier answers so long (%(default)s)"
    )
    parser.add_argument("--refresh", action="store_true", help="believe no earlier answer")
    parser.add_argument("--resume", action="store_true", help="go on with the run that was broken off last")
    parser.add_argument(
        "--no-captures", dest="captures", action="store_false", help="do not ask archives for copies"
    )
    parser.add_argument(
        "--save", action="store_true", help="ask Software Heritage to keep the living repositories"
    )
    parser.add_argument("--journal", metavar="FILE", help="keep answers here instead of in the cache folder")
    parser.set_defaults(run=run)


def run(args: LinksArguments) -> int:
    """Run it; return the exit status."""
    from bibtools.cli.console import Console
    from bibtools.enrichers.linkfiles import read_link_file
    from bibtools.files import STANDARD

    fail_on = read_states(args.fail_on)
    if args.fix and not args.check:
        raise UsageError("--fix needs the check that --no-check switches off")
    if args.fix and STANDARD in args.inputs:
        raise UsageError("--fix cannot rewrite standard input; name a file")
    console = Console(args.quiet, args.verbose)
    checker = make_checker(args)
    files = [read_link_file(name) for name in args.inputs]
    ignored = read_ignored(args.ignore)
    chosen = [choose(file, ignored, args.all) for file in files]
    checked = check(checker, chosen, console) if args.check else None
    report = make_report(args, chosen, checked, fail_on)
    write_report(args, report, chosen)
    tell(console, report, checked)
    if args.fix and checked:
        fix(console, chosen, checked.checks)
    if checked and checked.interrupted:
        return 130
    return 1 if report.failures else 0


def make_checker(args: LinksArguments) -> "LinkChecker":
    """Return the checker that the arguments ask for."""
    from bibtools.enrichers.linkcheck import CheckOptions, LinkChecker

    options = CheckOptions(
        max_time=seconds_of(args.max_time) if args.max_time else None,
        max_age=0.0 if args.refresh else seconds_of(args.max_age),
        resume=args.resume,
        captures=args.captures,
        save=args.save,
        journal=args.journal,
    )
    return LinkChecker(settings_from(args), options)


def seconds_of(text: str) -> float:
    """Return a length of time in seconds.

    >>> seconds_of("90"), seconds_of("10m"), seconds_of("1.5h")
    (90.0, 600.0, 5400.0)

    Raises:
        UsageError: it is none.
    """
    unit = UNITS.get(text[-1:].lower())
    try:
        seconds = float(text[:-1] if unit else text) * (unit or 1.0)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < 1e9:
        raise UsageError(f"{text!r} is no length of time; write 90s, 10m, 24h or 7d")
    return seconds


def read_states(text: str) -> frozenset[str]:
    """Return the outcomes and flags in a comma list.

    Raises:
        UsageError: one of them is unknown.
    """
    from bibtools.writers.reports.rows import STATES

    words = frozenset(word.strip().lower() for word in text.split(",") if word.strip())
    unknown = sorted(words - set(STATES))
    if unknown:
        raise UsageError(f"--fail-on: unknown word {unknown[0]!r}; known are {', '.join(STATES)}")
    return words


def read_ignored(name: str | None) -> tuple[str, ...]:
    """Return the patterns of addresses to leave out; `#` begins a comment."""
    from bibtools.files import read_input
    from bibtools.readers.decode import decode

    if name is None:
        return ()
    lines = decode(read_input(name), name).text.splitlines()
    return tuple(line.strip() for line in lines if line.strip() and not line.strip().startswith("#"))


def choose(file: "LinkFile", ignored: "Sequence[str]", everything: bool) -> "LinkFile":
    """Return a file with only the addresses that are to be reported."""
    from msgspec.structs import replace

    from bibtools.enrichers.linkfiles import is_ignored, is_wanted

    kept = (
        mention
        for mention in file.mentions
        if is_wanted(mention.link, everything=everything) and not is_ignored(mention.link, ignored)
    )
    return replace(file, mentions=tuple(kept))


def check(checker: "LinkChecker", files: "Sequence[LinkFile]", console: "Console") -> "Checked":
    """Say what will be asked, ask, and show how far it is."""
    from bibtools.cli.progress import ProgressLine

    mentions = [mention for file in files for mention in file.mentions]
    titles = {mention.link.url: mention.title for mention in mentions if mention.title}
    offering = {mention.link.url for mention in mentions if mention.link.offers_code}
    plan = checker.plan((mention.link.url for mention in mentions), titles, offering)
    announce(plan, len(mentions), console)
    with ProgressLine(console) as progress:
        checker.progress = lambda done, total, url, verdict: progress("checking links", done, total)
        return checker.run(plan)


def announce(plan: "Plan", links: int, console: "Console") -> None:
    """Say how many addresses will be asked, how long that takes, and what a token would change."""
    from bibtools.writers.reports.rows import count

    targets = count(len(plan.targets), "target")
    known = len(plan.targets) - plan.to_ask
    console.say(f"{count(links, 'link')} to {targets}" + (f", {known:,} known from before" if known else ""))
    if not plan.hosts:
        return
    console.say(f"{count(plan.requests, 'request')}, about {duration(plan.seconds)}")
    if plan.seconds_with_token is not None and plan.requests_with_token is not None:
        console.say(
            f"with a GitHub token {count(plan.requests_with_token, 'request')}, about "
            f"{duration(plan.seconds_with_token)}, and more facts: set GITHUB_TOKEN=$(gh auth token)"
        )
    if plan.proxy:
        console.say("behind a proxy, which is trusted to keep out of private networks")


def duration(seconds: float) -> str:
    """Return a length of time for people.

    >>> duration(0.4), duration(75), duration(4000)
    ('1 s', '1 min 15 s', '1 h 6 min')
    """
    whole = max(1, round(seconds))
    hours, minutes = whole // 3600, whole // 60 % 60
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {whole % 60} s" if minutes else f"{whole} s"


def make_report(
    args: LinksArguments, files: "Sequence[LinkFile]", checked: "Checked | None", fail_on: frozenset[str]
) -> "LinkReport":
    """Return the report on the links of all files."""
    import sys
    from shutil import get_terminal_size

    from bibtools.cli.console import is_coloured
    from bibtools.writers.reports import LinkReport

    rows = [row for file in files for row in file_rows(file, checked)]
    if args.since:
        rows = changed_rows(rows, args.since)
    return LinkReport(
        tuple(rows),
        checked_at=checked.ended_at if checked else "",
        promised=tuple(f"{file.source}:{line}" for file in files for line in file.promised),
        all_outcomes=args.all_outcomes,
        fail_on=fail_on,
        width=get_terminal_size().columns if sys.stdout.isatty() else 0,
        coloured=is_coloured(sys.stdout),
        changes_only=bool(args.since),
    )


def file_rows(file: "LinkFile", checked: "Checked | None") -> "list[LinkRow]":
    """Return one row per link of a file."""
    from msgspec.structs import replace

    from bibtools.outcomes import LinkCheck
    from bibtools.writers.reports import LinkRow

    rows = []
    for mention in file.mentions:
        link = mention.link
        if checked:
            verdict = checked.checks.get(link.url) or LinkCheck("unchecked", reason="not an address to ask")
            link = replace(link, check=verdict)
        rows.append(LinkRow(file.source, link, mention.title))
    return rows


def changed_rows(rows: "Sequence[LinkRow]", name: str) -> "list[LinkRow]":
    """Return the rows that differ from those of an earlier JSON report, each with what it was.

    Raises:
        InputError: the file is no such report.
    """
    import msgspec

    from bibtools.errors import InputError, Location
    from bibtools.files import read_input
    from bibtools.writers.reports.changes import find_changes

    try:
        old = msgspec.json.decode(read_input(name), type=list[dict[str, object]])
    except msgspec.DecodeError as error:
        raise InputError("this is no JSON report of bibtools links", Location(name)) from error
    return find_changes(rows, old)


def write_report(args: LinksArguments, report: "LinkReport", files: "Sequence[LinkFile]") -> None:
    """Print the report; a table of addresses comes back as that table with more columns."""
    import sys

    from bibtools.enrichers.linkfiles import add_columns
    from bibtools.writers.reports import format_report
    from bibtools.writers.reports.data import OUTCOME_COLUMNS, outcome_cells

    is_table = len(files) == 1 and bool(files[0].delimiter)
    form = args.format or ("csv" if is_table else "table")
    if form == "csv" and is_table and args.check and not args.since:
        cells = {place: outcome_cells(row) for place, row in enumerate(report.rows)}
        sys.stdout.write(add_columns(files[0], OUTCOME_COLUMNS, cells))
        return
    sys.stdout.write(format_report(report, form))


def tell(console: "Console", report: "LinkReport", checked: "Checked | None") -> None:
    """Say how it all adds up."""
    from bibtools.writers.reports import summary

    console.say(summary(report))
    for note in checked.notes if checked else ():
        console.say(note)
    if checked and not checked.complete:
        console.say("--resume goes on from here")
    moved = sum("moved" in row.check.flags for row in report.rows)
    if moved:
        console.tell(f"--fix rewrites the {moved:,} that moved")


def fix(console: "Console", files: "Sequence[LinkFile]", checks: "Mapping[str, LinkCheck]") -> None:
    """Rewrite the moved addresses in the files, after showing what changes."""
    from pathlib import Path

    from bibtools.enrichers.linkfix import fix_file
    from bibtools.files import Change, replace_files
    from bibtools.readers.decode import decode

    changes = []
    for file in files:
        data = Path(file.name).read_bytes()
        fixed = fix_file(file, data, decode(data, file.source).encoding, checks)
        if fixed:
            console.say(fixed.diff.rstrip("\n"))
            changes.append(Change(Path(file.name), fixed.data, backup=True, before=data))
            console.say(f"{file.source}: {fixed.count} rewritten, the old file is {file.source}.bak")
    replace_files(changes)
    if not changes:
        console.say("nothing to rewrite")
