"""The program's parser, and the run of one command: errors become one line and an exit status.

Exit status: 0 done, nothing lost; 1 done, but something was lost or `--strict`/`--fail-on` was hit;
2 wrong usage; 3 not done; 130 interrupted.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import Final

from bibtools import __version__
from bibtools.cli.parsers import HelpFormatter, UsageError

DONE: Final = 0
LOST: Final = 1
USAGE: Final = 2
NOT_DONE: Final = 3
INTERRUPTED: Final = 130

COMMANDS = ("export", "identify", "links", "convert", "merge", "lint", "catalogue", "completion")
"""Modules of this package, one per command, in the order that help shows them."""

DESCRIPTION = "Name papers from their abstracts, export citations without loss, and check their code links."

EXAMPLES = """\
  bibtools export abstracts.txt -o refs.bib -o refs.ris   citations for a list of abstracts
  bibtools links abstracts.txt                            what is behind its code links
  bibtools convert refs.ris refs.bib                      from one format to another"""


def build_parser(names: Sequence[str] = COMMANDS) -> argparse.ArgumentParser:
    """Return the parser of the whole program; help, man page and completion come from it.

    Args:
        names: the commands it shall know. To run one, that one is enough, and quicker.
    """
    parser = argparse.ArgumentParser(
        prog="bibtools",
        description=DESCRIPTION,
        epilog=f"examples:\n{EXAMPLES}",
        formatter_class=HelpFormatter,
        allow_abbrev=False,
    )
    version = f"bibtools {__version__}"
    parser.add_argument("-V", "--version", action="version", version=version, help="show it and stop")
    # prog is named because argparse would format the usage to find it, which costs start-up time
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands", prog="bibtools")
    for name in names:
        import_module(f"bibtools.cli.{name}").add_parser(commands)
    return parser


def run(argv: list[str]) -> int:
    """Run one command and return its exit status; never raises for what a user can meet."""
    ready_streams()
    if not argv:
        print(f"{DESCRIPTION}\n\n{EXAMPLES}\n\nbibtools --help shows the rest.")
        return DONE
    try:
        parser = build_parser(argv[:1] if argv[0] in COMMANDS else COMMANDS)
        args = parser.parse_args(argv)
        if not args.command:
            parser.error("which command? bibtools --help lists them")
        status: int = args.run(args)
        sys.stdout.flush()
    except BrokenPipeError:
        silence_stdout()  # who read our output has seen enough
        return DONE
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else NOT_DONE
    except Exception as error:
        return explain(error)
    return status


def ready_streams() -> None:
    """Make the standard streams such that nothing written to them fails for its letters or a closed end.

    A stream that was closed before we started is one that nobody reads; a letter that the terminal's
    encoding lacks is written as `\\uNNNN`.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 (open to the end)
        elif isinstance(stream, TextIOWrapper) and mode == "w":
            stream.reconfigure(errors="backslashreplace")


def silence_stdout() -> None:
    """Send what is still to be written to nowhere: Python would complain once more when it closes stdout."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def explain(error: Exception) -> int:
    """Show an expected error as one line and return its exit status; let any other one pass."""
    from bibtools.cli.console import Console, clean
    from bibtools.errors import BibtoolsError, FetchError, UnknownFormatError

    if isinstance(error, OSError) and error.errno:
        if not error.filename:
            silence_stdout()
        message = ": ".join(filter(None, (error.filename, (error.strerror or str(error)).lower())))
    elif isinstance(error, FetchError) and error.url and error.url not in str(error):
        message = f"{error.url}: {error}"
    elif isinstance(error, BibtoolsError | UsageError):
        message = str(error)
    else:
        raise error
    Console().error(clean(message))
    return USAGE if isinstance(error, UsageError | UnknownFormatError) else NOT_DONE
