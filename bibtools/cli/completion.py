"""`bibtools completion`: completion for the shell, made from the same parsers as `--help`."""

from typing import TYPE_CHECKING

from bibtools.cli.parsers import Arguments, add_command

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from bibtools.cli.parsers import Commands

DESCRIPTION = """\
Prints a script that lets the Tab key complete commands, options and file names. Save it where
your shell looks for such scripts."""

EXAMPLES = (
    "bibtools completion bash > ~/.local/share/bash-completion/completions/bibtools",
    "bibtools completion zsh > ~/.zfunc/_bibtools",
    "bibtools completion fish > ~/.config/fish/completions/bibtools.fish",
)
FILE_WORDS = ("FILE", "INPUT", "IN", "OUT", "OLD", "FOLDER")
"""Placeholders in the parsers that stand for a path."""


class CompletionArguments(Arguments):
    """The arguments, typed."""

    shell: str


def add_parser(commands: "Commands") -> None:
    """Add `completion` to the program's parser."""
    parser = add_command(commands, "completion", "print completion for your shell", DESCRIPTION, EXAMPLES)
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell")
    parser.set_defaults(run=run)


def run(args: CompletionArguments) -> int:
    """Run it; return the exit status."""
    import shtab

    from bibtools.cli.main import build_parser

    parser = build_parser()
    complete_files(parser)
    print(shtab.complete(parser, shell=args.shell))
    return 0


def complete_files(parser: "ArgumentParser") -> None:
    """Mark the arguments that take a path, here and in all commands below, as shtab wants it."""
    import argparse

    import shtab

    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                complete_files(command)
        elif isinstance(action.metavar, str) and action.metavar.split("|")[-1] in FILE_WORDS:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
