"""Options that several commands share, each defined once. Imports the standard library only."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bibtools.settings import Settings

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

REPORT_FORMATS = ("table", "json", "csv", "markdown", "html")
ONLINE = "ask web services about what no catalogue knows"
"""Help text of `--online`."""

FORMAT_NAMES = "abstracts, bibtex, biblatex, ris, csl-json …"


class UsageError(Exception):
    """The arguments make no sense together; the message says what would. Exit status 2."""


class Arguments(argparse.Namespace):
    """What every command gets. Each command module declares its own further arguments in a subclass."""

    command: str
    run: Callable[[argparse.Namespace], int]
    quiet: bool
    verbose: bool
    offline: bool
    config: str | None
    inputs: list[str]
    catalogue: list[str] | None


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal, found without shutil, which argparse would load for every argument."""

    def __init__(self, prog: str) -> None:
        columns = os.environ.get("COLUMNS", "")
        if columns.isdecimal():
            width = int(columns)
        else:
            try:
                width = os.get_terminal_size(sys.__stdout__.fileno()).columns if sys.__stdout__ else 80
            except (OSError, ValueError):
                width = 80
        super().__init__(prog, width=max(width - 2, 40))

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        """Return sentences wrapped to the width; examples, whose lines are indented, stay as they are."""
        if "\n  " in text:
            return super()._fill_text(text, width, indent)
        return argparse.HelpFormatter._fill_text(self, text, width, indent)


def add_command(
    commands: "Commands", name: str, summary: str, description: str, examples: Sequence[str] = ()
) -> argparse.ArgumentParser:
    """Add the parser of one command, with the options that every command has, and return it.

    Args:
        summary: a few words for the list of commands; lower case, no full stop.
        description: whole sentences for the command's own help.
        examples: command lines, shown after the options.
    """
    parser = commands.add_parser(
        name,
        help=summary,
        description=description,
        epilog="\n".join(["examples:", *(f"  {example}" for example in examples)]) if examples else None,
        formatter_class=HelpFormatter,
        allow_abbrev=False,
    )
    group = parser.add_argument_group("for every command")
    group.add_argument("-q", "--quiet", action="store_true", help="say nothing but errors")
    group.add_argument("-v", "--verbose", action="store_true", help="show every problem and step")
    group.add_argument("--offline", action="store_true", help="never use the network")
    group.add_argument("--config", metavar="FILE", help="settings file (TOML)")
    return parser


def add_inputs(parser: argparse.ArgumentParser, what: str) -> None:
    """Add INPUT… and `--from`."""
    parser.add_argument("inputs", metavar="INPUT", nargs="+", help=f"{what}; - is standard input")
    parser.add_argument(
        "--from",
        dest="from_format",
        metavar="FORMAT",
        help=f"what the inputs are, if guessed wrongly: {FORMAT_NAMES}",
    )


def add_report(parser: argparse.ArgumentParser, formats: Sequence[str] = REPORT_FORMATS) -> None:
    """Add `--format` and its short form `--json`; the result is `args.format`."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--format", choices=formats, default=formats[0], help=f"form of the report ({formats[0]})"
    )
    group.add_argument(
        "--json", dest="format", action="store_const", const="json", help="short for --format json"
    )


def add_catalogues(parser: argparse.ArgumentParser) -> None:
    """Add `--catalogue`, which may be given several times."""
    parser.add_argument(
        "--catalogue",
        action="append",
        metavar="FILE",
        help="look in this catalogue instead of all installed ones; may be repeated",
    )


def settings_from(args: Arguments) -> "Settings":
    """Return the settings for these arguments, the environment and the settings file.

    Raises:
        UsageError: one of them is wrong.
    """
    import os
    from pathlib import Path

    from bibtools.errors import InputError
    from bibtools.settings import load_settings

    flags = {
        "offline": args.offline or None,
        "catalogues": getattr(args, "catalogue", None),
        "code_as": getattr(args, "code_as", None),
        "key_pattern": getattr(args, "key_pattern", None),
    }
    try:
        return load_settings(os.environ, Path(args.config) if args.config else None, flags)
    except InputError as error:
        raise UsageError(str(error)) from error
