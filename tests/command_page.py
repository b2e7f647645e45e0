"""docs/commands.md, made from the parsers: `python tests/command_page.py` writes it."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from bibtools.cli.main import build_parser

PAGE = Path(__file__).parent.parent / "docs" / "commands.md"

HEAD = """\
# Commands

This page is made from the program's own parsers, like `bibtools COMMAND --help` and the man page.

| exit status | means |
| --- | --- |
| 0 | done, nothing lost |
| 1 | done, but something was lost, or `--strict` or `--fail-on` was hit; outputs are written all the same |
| 2 | wrong usage |
| 3 | not done; no file was changed |
| 130 | interrupted |

Results go to stdout, messages to stderr. `-` is standard input or output.
"""

SHARED = ("quiet", "verbose", "offline", "config", "help")


def commands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Yield each command below a parser with its full name, those of commands' commands too."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                yield name, command
                yield from ((f"{name} {below}", deeper) for below, deeper in commands(command))


def arguments(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield a parser's arguments without those that lead to further commands."""
    yield from (action for action in parser._actions if not isinstance(action, argparse._SubParsersAction))


def spelling(action: argparse.Action) -> str:
    """Return how an argument is written: its options, and the placeholder of its value."""
    choices = f"{{{','.join(map(str, action.choices))}}}" if action.choices else ""
    value = action.metavar if isinstance(action.metavar, str) else choices or action.dest.upper()
    if not action.option_strings:
        return value if action.nargs not in ("+", "*") else f"{value} …"
    takes = {0: "", "?": f" [{value}]"}.get(action.nargs, f" {value}")
    return ", ".join(action.option_strings) + takes


def meaning(action: argparse.Action, parser: argparse.ArgumentParser) -> str:
    """Return an argument's help text with its default filled in."""
    return (
        " ".join((action.help or "").split()).replace("%(default)s", str(action.default)).replace("%%", "%")
    )


def section(name: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the lines about one command."""
    yield f"## bibtools {name}\n"
    yield f"{parser.description}\n"
    rows = [action for action in arguments(parser) if action.dest not in SHARED]
    if rows:
        yield from table(rows, parser)
    if parser.epilog:
        yield "\n" + "\n".join(f"    {line.strip()}" for line in parser.epilog.splitlines()[1:])


def table(rows: list[argparse.Action], parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield a Markdown table of arguments."""
    yield "| argument | meaning |\n| --- | --- |"
    for action in rows:
        cells = (f"`{spelling(action)}`", meaning(action, parser))
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def command_page() -> str:
    """Return the whole page."""
    every = list(commands(build_parser()))
    lines = [HEAD]
    for name, parser in every:
        lines += [*section(name, parser), ""]
    shared = [action for action in every[0][1]._actions if action.dest in SHARED]
    lines += ["## For every command\n", *table(shared, every[0][1])]
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    PAGE.write_text(command_page(), encoding="utf-8")
