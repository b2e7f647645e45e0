"""What can go wrong, as values and as exceptions.

A fault in one record is a `Problem`, so that the other records are still read. A fault of the whole
input, or of the caller, is raised:

    BibtoolsError                    everything raised on purpose
    ├── InputError                   the whole input is unusable
    ├── FieldError                   one field cannot be read; readers turn it into a Problem
    ├── WriteError                   an entry cannot be expressed in a format
    ├── UnknownFormatError           no such format; lists the known names
    ├── CatalogueError               a catalogue is missing, damaged or of another edition
    ├── FetchError                   a request failed; raised by `transport` only
    └── PluginError                  a plugin failed to load; names its distribution
"""

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

Severity = Literal["info", "warning", "error"]


class Location(Struct, frozen=True, omit_defaults=True):
    """A place in an input. Lines and columns count from 1; `None` means not known."""

    source: str
    """File name, or another label such as `<stdin>`."""
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        return ":".join(str(part) for part in (self.source, self.line, self.column) if part is not None)


class Problem(Struct, frozen=True, omit_defaults=True):
    """One thing about the input or output that a person should know."""

    code: str
    """Stable word that tests and `--ignore` match, such as `missing-comma`; never the prose."""
    severity: Severity
    location: Location
    message: str
    """Lower case, no full stop: what was found, what was expected, and the cure if known."""
    raw: str = ""
    """The source text concerned, whole; messages show only its beginning."""
    lost: bool = False
    """True where this stands instead of an entry or a value, False where it stands beside one."""

    def __str__(self) -> str:
        return f"{self.location}: {self.message}"


class BibtoolsError(Exception):
    """Base of everything that bibtools raises on purpose."""


class InputError(BibtoolsError):
    """The whole input is unusable."""

    def __init__(self, message: str, location: Location | None = None) -> None:
        self.location = location
        super().__init__(f"{location}: {message}" if location else message)


class FieldError(BibtoolsError):
    """One field cannot be read."""

    def __init__(self, message: str, field: str, value: str, location: Location | None = None) -> None:
        self.field, self.value, self.location = field, value, location
        super().__init__(f"{location}: {message}" if location else message)


class WriteError(BibtoolsError):
    """An entry cannot be expressed in a format."""

    def __init__(self, message: str, key: str = "", field: str = "") -> None:
        self.key, self.field = key, field
        super().__init__(message)


class UnknownFormatError(BibtoolsError):
    """No format has this name or suffix."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        self.name = name
        super().__init__(f"unknown format {name!r}; known formats: {', '.join(sorted(known))}")


class CatalogueError(BibtoolsError):
    """A catalogue is missing, damaged or of another edition."""


class FetchError(BibtoolsError):
    """A request failed; `kind` is a stable word that says how (see `transport.failures`)."""

    def __init__(self, message: str, url: str = "", kind: str = "") -> None:
        self.url, self.kind = url, kind
        super().__init__(message)


class PluginError(BibtoolsError):
    """A plugin failed to load."""

    def __init__(self, message: str, distribution: str = "") -> None:
        self.distribution = distribution
        super().__init__(message)
