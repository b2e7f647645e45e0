"""TeX's commands, as the tables know them, and formulas that are safe to write as they are."""

import re
from functools import cache

from bibtools.tables import read_table

BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
"""A brace, or any escaped character."""
_COMMAND = re.compile(r"\\([A-Za-z]+|.)", re.DOTALL)


@cache
def symbols() -> dict[str, str]:
    """Return the character of each command that stands for one, by name without backslash."""
    return {_name(row["command"]): _characters(row["character"]) for row in read_table("tex_symbols")}


@cache
def accents() -> dict[str, str]:
    """Return the combining character of each accent command."""
    return {row["command"]: _characters(row["combining"]) for row in read_table("tex_accents")}


@cache
def commands() -> dict[str, tuple[int, str]]:
    """Return (number of arguments, effect) of each command that does something to text."""
    return {row["command"]: (int(row["arguments"]), row["effect"]) for row in read_table("tex_commands")}


@cache
def math_commands() -> frozenset[str]:
    """Return the commands that may stand in a formula."""
    symbols = {_name(row["command"]) for row in read_table("tex_symbols") if row["mode"] == "math"}
    return frozenset(symbols | {_name(row["command"]) for row in read_table("tex_math")})


def _name(cell: str) -> str:
    """Return a command's name from its table cell."""
    return " " if cell == "U+0020" else cell


def _characters(cell: str) -> str:
    """Return the characters that a table cell gives, as they are or as code points."""
    if not cell.startswith("U+"):
        return cell
    return "".join(chr(int(point[2:], 16)) for point in cell.split(" "))


def is_safe_math(tex: str) -> bool:
    r"""Say whether a formula has only known commands and can stand between dollars as it is.

    >>> is_safe_math(r"\alpha_{ij}"), is_safe_math(r"\input{x}"), is_safe_math("x}"), is_safe_math("50%")
    (True, False, False, False)
    """
    if unsafe_math_commands(tex) or not has_balanced_braces(tex):
        return False
    return not re.search(r"[%#&$\\]", _COMMAND.sub("", tex))


def has_balanced_braces(tex: str) -> bool:
    r"""Say whether every brace has its fellow; escaped ones do not count.

    >>> has_balanced_braces(r"{a\}}"), has_balanced_braces("}{")
    (True, False)
    """
    depth = 0
    for brace in BRACE.findall(tex):
        if brace == "{":
            depth += 1
        elif brace == "}":
            depth -= 1
            if depth < 0:
                return False
    return depth == 0


def unsafe_math_commands(tex: str) -> list[str]:
    """Return the commands in a formula that the tables do not have."""
    known = math_commands()
    return [f"\\{name}" for name in _COMMAND.findall(tex) if name not in known]


def may_have_unknown_commands(source: str) -> bool:
    r"""Say whether a value names a command outside the tables, quickly and without reading it.

    >>> may_have_unknown_commands(r"\'{e} \foo"), may_have_unknown_commands("plain")
    (True, False)
    """
    return "\\" in source and not _known().issuperset(_COMMAND.findall(source))


@cache
def _known() -> frozenset[str]:
    """Return every command that the tables have, for text or for math; environments are not for strangers."""
    known = math_commands() | symbols().keys() | accents().keys() | commands().keys() | {"(", ")"}
    return known - {"begin", "end"}
