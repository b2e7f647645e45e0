"""`bibtools catalogue`: the known works that abstracts are compared with."""

from typing import TYPE_CHECKING

from bibtools.cli.parsers import Arguments, UsageError, add_command, add_report, settings_from

if TYPE_CHECKING:
    from pathlib import Path

    from bibtools.catalogue import CatalogueInfo
    from bibtools.cli.console import Console
    from bibtools.cli.parsers import Commands
    from bibtools.settings import Settings
    from bibtools.sources.build import Added
    from bibtools.writers.sheet import Sheet

DESCRIPTION = """\
A catalogue is one file of known works: bibliographic facts and a fingerprint of each abstract. A sample
comes with the program; whole conferences are fetched by name, and your own files can be added."""

SAMPLE = "sample"
"""What the catalogue that comes with the program is called."""
OWN = "own"
"""Catalogue that `add` adds to where none is named."""


KINDS = "pmlr, acl, papercopilot, openalex, arxiv, paperswithcode, bibliography"
"""The kinds of `sources.registry`, which a parser must not import."""


class CatalogueArguments(Arguments):
    """The arguments, typed."""

    names: list[str]
    known: bool
    format: str
    to: str
    kind: str | None
    date: str | None
    works: list[str]


def add_parser(commands: "Commands") -> None:
    """Add `catalogue` and its commands to the program's parser."""
    parser = commands.add_parser(
        "catalogue", help="fetch, make and look at catalogues of known works", description=DESCRIPTION
    )
    below = parser.add_subparsers(dest="catalogue_command", metavar="COMMAND", required=True)
    add_list(below)
    add_info(below)
    add_add(below)
    add_pull(below)
    add_update(below)
    add_remove(below)


def add_list(commands: "Commands") -> None:
    """Add `catalogue list`."""
    parser = add_command(
        commands,
        "list",
        "show the catalogues that are installed",
        "Shows the installed catalogues, or with --known those that `bibtools catalogue pull` can fetch.",
        ["bibtools catalogue list", "bibtools catalogue list --known"],
    )
    parser.add_argument("--known", action="store_true", help="show what can be fetched instead")
    add_report(parser)
    parser.set_defaults(run=run_list)


def add_info(commands: "Commands") -> None:
    """Add `catalogue info`."""
    parser = add_command(
        commands,
        "info",
        "show what a catalogue holds, and verify it",
        "Shows works, size and sources of catalogues and reads them whole to verify their checksums.",
        ["bibtools catalogue info sample", "bibtools catalogue info icml:2025 --json"],
    )
    parser.add_argument("names", metavar="NAME", nargs="+", help="name of a catalogue, or its file")
    add_report(parser, ("table", "json"))
    parser.set_defaults(run=run_info)


def add_add(commands: "Commands") -> None:
    """Add `catalogue add`."""
    parser = add_command(
        commands,
        "add",
        "add works from files",
        "Adds the works of files to a catalogue: posts of PMLR, lists of papercopilot, the ACL Anthology,\n"
        "dumps of arXiv, OpenAlex and Papers with Code, bibliographies with abstracts; plain or gzip.\n"
        "Works that are the same are joined.",
        ["bibtools catalogue add library.bib", "bibtools catalogue add icml2019.json --to icml:2019"],
    )
    parser.add_argument("names", metavar="INPUT", nargs="+", help="files, or folders of them")
    parser.add_argument("--to", metavar="NAME", default=OWN, help="catalogue to add to (%(default)s)")
    parser.add_argument(
        "--from", dest="kind", metavar="KIND", help=f"what the inputs are, if guessed wrongly: {KINDS}"
    )
    parser.add_argument("--date", metavar="DATE", help="ISO date on which the inputs were got (today)")
    parser.set_defaults(run=run_add)


def add_pull(commands: "Commands") -> None:
    """Add `catalogue pull`."""
    parser = add_command(
        commands,
        "pull",
        "fetch known catalogues",
        "Fetches the works of a conference from their publisher and makes a catalogue of them. What\n"
        "breaks off is gone on with the next time. This uses the network.",
        ["bibtools catalogue pull icml:2025", "bibtools catalogue pull neurips:2023 iclr:2024 acl"],
    )
    parser.add_argument(
        "names", metavar="NAME", nargs="+", help="such as icml:2025; `list --known` shows all"
    )
    parser.set_defaults(run=run_pull)


def add_update(commands: "Commands") -> None:
    """Add `catalogue update`."""
    parser = add_command(
        commands,
        "update",
        "make catalogues anew from their sources",
        "Reads the sources of catalogues again, from the addresses that are kept in them, and puts the new\n"
        "catalogue in the old one's place once it is whole. Works taken out by hand come back.",
        ["bibtools catalogue update", "bibtools catalogue update icml:2025"],
    )
    parser.add_argument("names", metavar="NAME", nargs="*", help="catalogues (all installed ones)")
    parser.set_defaults(run=run_update)


def add_remove(commands: "Commands") -> None:
    """Add `catalogue remove`."""
    parser = add_command(
        commands,
        "remove",
        "remove catalogues, or works from one",
        "Deletes catalogues, or with --work takes single works out of them.",
        ["bibtools catalogue remove icml:2019", "bibtools catalogue remove own --work doi:10.1000/182"],
    )
    parser.add_argument("names", metavar="NAME", nargs="+", help="name of a catalogue, or its file")
    parser.add_argument(
        "--work",
        dest="works",
        metavar="ID",
        action="append",
        default=[],
        help="take out this work only; may be repeated",
    )
    parser.set_defaults(run=run_remove)


def run_list(args: CatalogueArguments) -> int:
    """Show catalogues; return the exit status."""
    import sys

    from bibtools.catalogue import open_catalogue
    from bibtools.cli.console import Console
    from bibtools.errors import CatalogueError
    from bibtools.writers.sheet import format_sheet

    if args.known:
        return show_known(args)
    settings = settings_from(args)
    console = Console(args.quiet, args.verbose)
    infos, status = [], 0
    for path in all_paths(settings):
        try:
            with open_catalogue(path) as catalogue:
                infos.append(catalogue.info())
        except CatalogueError as error:
            console.error(str(error))
            status = 1
    if args.format == "json":
        sys.stdout.write(format_json(infos))
    else:
        sys.stdout.write(format_sheet(to_sheet(infos), args.format))
    return status


def show_known(args: CatalogueArguments) -> int:
    """Show what can be fetched; return the exit status."""
    import sys

    from bibtools.sources.known import known_catalogues
    from bibtools.writers.sheet import Sheet, format_sheet

    known = known_catalogues().values()
    if args.format == "json":
        sys.stdout.write(format_json(list(known)))
        return 0
    rows = tuple((one.name, f"{one.works:,}" if one.works else "", one.kind, one.reference) for one in known)
    sheet = Sheet("Catalogues that can be fetched", ("name", "works", "from", "see"), rows)
    sys.stdout.write(format_sheet(sheet, args.format))
    return 0


def run_info(args: CatalogueArguments) -> int:
    """Show what catalogues hold; return 1 if one is damaged, 3 if one is so damaged that it tells nothing."""
    import sys

    import msgspec

    from bibtools.catalogue import open_catalogue
    from bibtools.cli.console import Console, clean
    from bibtools.errors import CatalogueError

    settings = settings_from(args)
    answers = []
    unread = False
    for name in args.names:
        try:
            with open_catalogue(path_of(name, settings)) as catalogue:
                answers.append((catalogue.info(), catalogue.verify()))
        except CatalogueError as error:
            Console(args.quiet, args.verbose).error(str(error))
            unread = True
    if args.format == "json":
        rows = [msgspec.to_builtins(info) | {"damaged": list(damaged)} for info, damaged in answers]
        sys.stdout.write(format_json(rows))
    else:
        sys.stdout.write(clean("\n".join(describe(info, damaged) for info, damaged in answers)))
    if unread:
        return 3
    return 1 if any(damaged for _, damaged in answers) else 0


def run_add(args: CatalogueArguments) -> int:
    """Add works from files; return 1 if a record was lost."""
    from pathlib import Path

    from bibtools.catalogue import create_catalogue
    from bibtools.cli.console import Console
    from bibtools.cli.progress import ProgressLine
    from bibtools.errors import CatalogueError
    from bibtools.sources.build import add_batches, batches

    console = Console(args.quiet, args.verbose)
    date = check_date(args.date or "")
    if args.to == SAMPLE:
        raise UsageError("the sample catalogue comes with the program and stays as it is; name another one")
    target = catalogue_file(args.to, settings_from(args))
    found = batches([Path(name) for name in args.names], args.kind or "")
    is_new = not target.exists()
    if is_new:
        target.parent.mkdir(parents=True, exist_ok=True)
        create_catalogue(target, target.stem if target == Path(args.to) else args.to)
    with ProgressLine(console) as progress:
        try:
            added = add_batches(target, found, date, lambda works: progress(f"adding to {args.to}", works))
        except BaseException:
            if is_new:
                target.unlink(missing_ok=True)
            raise
    if is_new and not added.works:
        target.unlink(missing_ok=True)
        console.problems(added.problems)
        raise CatalogueError(f"{', '.join(args.names)}: no works in it; nothing was added")
    tell(console, args.to, target, added)
    return 1 if added.lost else 0


def run_pull(args: CatalogueArguments) -> int:
    """Fetch known catalogues; return 1 if a record was lost."""
    from bibtools.cli.console import Console
    from bibtools.cli.progress import ProgressLine
    from bibtools.sources.known import get_known
    from bibtools.sources.pull import check_online, download_bytes, pull

    console = Console(args.quiet, args.verbose)
    settings = settings_from(args)
    status = 0
    for known in [get_known(name) for name in args.names]:
        check_online(settings, known.address)
        size = known.size_text()
        if known.works is None and (length := download_bytes(known, settings)):
            size = f"{length / 1e6:.1f} MB to fetch"
        console.say(f"{known.name} ({known.label}): {size}, from {known.address.removeprefix('git+')}")
        with ProgressLine(console) as progress:
            pulled = pull(known.name, settings, progress)
        for note in pulled.notes:
            console.say(f"{known.name}: {note}")
        tell(console, known.name, pulled.path, pulled.added)
        status |= bool(pulled.added.lost)
    return status


def run_update(args: CatalogueArguments) -> int:
    """Make catalogues anew; return 1 if a record was lost."""
    from bibtools.cli.console import Console
    from bibtools.cli.progress import ProgressLine
    from bibtools.errors import CatalogueError
    from bibtools.sources.known import installed_catalogues
    from bibtools.sources.pull import update

    console = Console(args.quiet, args.verbose)
    settings = settings_from(args)
    if SAMPLE in args.names:
        raise UsageError("the sample catalogue comes with the program; a newer program brings a newer one")
    paths = [path_of(name, settings) for name in args.names] or installed_catalogues(settings)
    if not paths:
        raise CatalogueError("no catalogue is installed yet; `bibtools catalogue pull icml:2025` fetches one")
    status = 0
    for path in paths:
        with ProgressLine(console) as progress:
            updated = update(path, settings, progress)
        for note in updated.notes:
            console.say(f"{updated.name}: {note}")
        tell(console, updated.name, path, updated.added)
        status |= bool(updated.added.lost)
    return status


def run_remove(args: CatalogueArguments) -> int:
    """Remove catalogues or works; return the exit status."""
    from bibtools.catalogue import CatalogueWriter
    from bibtools.cli.console import Console
    from bibtools.errors import CatalogueError

    console = Console(args.quiet, args.verbose)
    settings = settings_from(args)
    if SAMPLE in args.names:
        raise UsageError("the sample catalogue comes with the program and stays as it is")
    for path in [path_of(name, settings) for name in args.names]:
        if not args.works:
            path.unlink()
            console.say(f"removed {path}")
            continue
        with CatalogueWriter(path) as writer:
            removed = writer.remove(args.works)
        if not removed:
            raise CatalogueError(f"{path}: no work {', '.join(args.works)}")
        console.say(f"{removed} works taken out of {path}")
    return 0


def all_paths(settings: "Settings") -> "list[Path]":
    """Return the files of the catalogues in use: those that settings name, else installed ones and sample."""
    from bibtools.pipeline import catalogue_paths

    return catalogue_paths(settings)


def path_of(name: str, settings: "Settings") -> "Path":
    """Return the file of a catalogue that is there.

    Raises:
        CatalogueError: there is none of this name.
    """
    from bibtools.data import sample_catalogue
    from bibtools.errors import CatalogueError

    path = sample_catalogue() if name == SAMPLE else catalogue_file(name, settings)
    if not path.exists():
        raise CatalogueError(
            f"no catalogue {name!r}; `bibtools catalogue list` shows those that are installed"
        )
    return path


def catalogue_file(name: str, settings: "Settings") -> "Path":
    """Return where a catalogue lies or would lie: a name means an installed one, a path itself.

    Raises:
        UsageError: no catalogue can be called so; no other file is ever written or removed as one.
    """
    import os
    from pathlib import Path

    from bibtools.sources.known import SUFFIX, catalogue_path

    is_path = name.endswith(SUFFIX) or os.sep in name
    if is_path and Path(name).suffix != SUFFIX:
        raise UsageError(f"{name}: the file of a catalogue ends in {SUFFIX}")
    if not name.strip(". ") or not name.isprintable():
        raise UsageError(f"{name!r} is no name for a catalogue")
    return Path(name) if is_path else catalogue_path(name, settings)


def check_date(value: str) -> str:
    """Return an ISO date.

    Raises:
        UsageError: it is none.
    """
    from datetime import date

    try:
        return date.fromisoformat(value).isoformat() if value else ""
    except ValueError as error:
        raise UsageError(f"--date {value}: not an ISO date such as 2026-11-30") from error


def tell(console: "Console", name: str, path: "Path", added: "Added") -> None:
    """Say what became of the works, and the problems."""
    console.problems(added.problems)
    parts = [f"{added.works:,} works read", f"{added.added:,} new"]
    if added.joined:
        parts.append(f"{added.joined:,} joined with works known already")
    if added.without_abstract:
        parts.append(f"{added.without_abstract:,} without abstract")
    if added.lost:
        parts.append(f"{added.lost:,} records lost")
    console.say(f"{name}: {', '.join(parts)}; {path} ({path.stat().st_size / 1e6:.2f} MB)")


def to_sheet(infos: "list[CatalogueInfo]") -> "Sheet":
    """Return one row per catalogue, with the name that other commands know it by."""
    from bibtools.data import sample_catalogue
    from bibtools.writers.sheet import Sheet

    sample = str(sample_catalogue())
    rows = tuple(
        (
            SAMPLE if info.path == sample else info.name,
            f"{info.works:,}",
            f"{info.size / 1e6:.2f} MB",
            max((row.date for row in info.sources), default=""),
            info.path,
        )
        for info in infos
    )
    return Sheet("Catalogues", ("name", "works", "size", "read on", "file"), rows)


def format_json(rows: object) -> str:
    """Return values as JSON for people and programs."""
    import msgspec

    return msgspec.json.format(msgspec.json.encode(rows), indent=2).decode() + "\n"


def describe(info: "CatalogueInfo", damaged: tuple[str, ...]) -> str:
    """Return for people what a catalogue holds, and whether it is whole."""
    lines = [
        info.name,
        *([f"  {info.description}"] if info.description else []),
        f"  file       {info.path}",
        f"  works      {info.works:,}, {info.records:,} abstracts in {info.segments} segments",
        f"  size       {info.size:,} bytes",
        *(f"  source     {row.source}, read on {row.date or 'an unknown day'}" for row in info.sources),
        f"  checksums  {'DAMAGED: ' + ', '.join(damaged) if damaged else 'all right'}",
    ]
    return "\n".join(lines) + "\n"
