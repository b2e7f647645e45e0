"""RIS for Zotero, EndNote or Mendeley: UTF-8, CRLF, one line a value, a blank line between records."""

from typing import TextIO

from bibtools.errors import Location, Problem, WriteError
from bibtools.mapping.ris import DIALECTS
from bibtools.mapping.to_ris import Loss, to_ris
from bibtools.model import Library, WriteOptions, WriteReport

_END = "ER  - \r\n\r\n"


def write_ris(library: Library, stream: TextIO, options: WriteOptions) -> WriteReport:
    """Write the entries in their order as RIS; return how many, and for each what RIS does not hold.

    The stream must not translate line ends: they are CRLF, as the specification has them.

    Raises:
        WriteError: no such dialect.
    """
    dialect = options.dialect or DIALECTS[0]
    if dialect not in DIALECTS:
        raise WriteError(f"unknown RIS dialect {dialect!r}; known: {', '.join(DIALECTS)}")
    code = options.code_as != "none"
    # Zotero keeps these marks in titles, and its own exports have them; in others they are mere TeX braces
    nocase = library.format in ("ris", "csljson")
    somewhere = Location(library.source)
    problems: list[Problem] = []
    for entry in library.entries:
        lines, losses = to_ris(entry, dialect, code, nocase, options.unicode_math)
        stream.write("".join([f"{tag}  - {value}\r\n" for tag, value in lines]) + _END)
        if losses:
            # what identification filled in is not the user's, and its loss costs them nothing
            filled = entry.identification.sources if entry.identification else {}
            place = Location(entry.origin.source, entry.origin.line) if entry.origin else somewhere
            problems += [_problem(entry.key, loss, place) for loss in losses if loss.field not in filled]
    return WriteReport(len(library.entries), tuple(problems))


def _problem(key: str, loss: Loss, location: Location) -> Problem:
    """Return the problem that says what of an entry is lost."""
    name = loss.field.replace("_", "-")
    fate = "is read back from RIS as another field" if loss.changed else "has no place in RIS"
    return Problem(
        code="changed-field" if loss.changed else "lost-field",
        severity="warning",
        location=location,
        message=f"{key or 'entry'}: {name} {fate}",
        raw=f"{name} = {loss.value}",
        lost=not loss.changed,
    )
