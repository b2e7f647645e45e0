"""pybtex plugins: RIS, CSL-JSON, tagged formats and abstract lists as input, RIS and CSL-JSON as output.

Between the two programs everything passes as BibTeX, which both know exactly: so a file that pybtex
reads through a plugin is what `bibtools convert` would have made of it. pybtex finds these classes by
the entry points in pyproject.toml, by name and by file suffix.
"""

import io
import re
from collections.abc import Iterator
from typing import IO, ClassVar

from pybtex.database import BibliographyData
from pybtex.database.input import BaseParser
from pybtex.database.input.bibtex import Parser as BibtexParser
from pybtex.database.output import BaseWriter
from pybtex.exceptions import PybtexError

from bibtools.enrichers.keys import KeyMaker
from bibtools.errors import BibtoolsError
from bibtools.formats import get_format, read
from bibtools.model import Library
from bibtools.pipeline import enrich, find_links, identify, prepare


class _Parser(BaseParser):  # type: ignore[misc]  # pybtex has no types
    """Reads one of our formats."""

    format_name: ClassVar[str] = ""
    unicode_io = False

    def parse_stream(self, stream: IO[bytes]) -> BibliographyData:
        """Add the stream's entries to the data and return it.

        Raises:
            PybtexError: the input cannot be read as this format at all.
        """
        try:
            library = self.prepare(read(stream.read(), str(self.filename), self.format_name))
            text = to_bibtex(library)
        except BibtoolsError as error:
            raise PybtexError(str(error), filename=self.filename) from error
        for key, entry in BibtexParser().parse_string(text).entries.items():
            for name, value in entry.fields.items():
                entry.fields[name] = escape_once(value)
            self.data.add_entry(key, entry)
        return self.data

    def prepare(self, library: Library) -> Library:
        """Return the library as it shall be handed over."""
        return library


class RisParser(_Parser):
    """Reads RIS."""

    format_name = "ris"
    default_suffix = ".ris"


class CslJsonParser(_Parser):
    """Reads CSL-JSON."""

    format_name = "csljson"
    default_suffix = ".json"


class PubmedParser(_Parser):
    """Reads PubMed's files."""

    format_name = "pubmed"
    default_suffix = ".nbib"


class EndnoteParser(_Parser):
    """Reads EndNote's import files."""

    format_name = "endnote"
    default_suffix = ".enw"


class WosParser(_Parser):
    """Reads Web of Science's files."""

    format_name = "wos"
    default_suffix = ".ciw"


class AbstractsParser(_Parser):
    """Reads lists of abstracts, and names their works from the installed catalogues."""

    format_name = "abstracts"
    default_suffix = ".txt"

    def prepare(self, library: Library) -> Library:
        """Return the works that the abstracts belong to, with their code links."""
        return Library(entries=prepare([find_links(identify(library))]).entries)


class _Writer(BaseWriter):  # type: ignore[misc]  # pybtex has no types
    """Writes one of our formats."""

    format_name: ClassVar[str] = ""
    unicode_io = False

    def write_stream(self, bib_data: BibliographyData, stream: IO[bytes]) -> None:
        """Write pybtex's data to the stream."""
        text = "\n".join(from_pybtex(bib_data))
        target = io.StringIO(newline="")
        get_format(self.format_name).write(get_format("bibtex").read(text, "pybtex"), target)
        stream.write(target.getvalue().encode(self.encoding))


class RisWriter(_Writer):
    """Writes RIS."""

    format_name = "ris"


class CslJsonWriter(_Writer):
    """Writes CSL-JSON."""

    format_name = "csljson"


def escape_once(value: str) -> str:
    """Return a field's TeX so that pybtex's writer does not escape it a second time.

    That writer puts a backslash before each `& # _ %`, even if there is one, and in formulas too; its
    formatter wants one before `%` only. What follows is right TeX after either.

    >>> escape_once(r"R\\&D in $x_1$, 5\\%")
    'R&D in $x\\\\sb 1$, 5\\\\textpercent{}'
    """
    parts = value.split("$")
    for place, part in enumerate(parts):
        if place % 2 and len(parts) % 2:
            parts[place] = part.replace("_", r"\sb ")
        else:
            parts[place] = _ESCAPED.sub(lambda match: _BARE[match[1]], part)
    return "$".join(parts)


_ESCAPED = re.compile(r"(?<!\\)\\([&#_%])")
_BARE = {"&": "&", "#": "#", "_": "_", "%": r"\textpercent{}"}


def to_bibtex(library: Library) -> str:
    """Return the library as BibTeX, each entry with a key of its own, as pybtex wants them."""
    seen: set[str] = set()
    entries = []
    for entry in library.entries:
        doubled = entry.key.lower() in seen
        seen.add(entry.key.lower())
        entries.append(entry.replace(key="") if doubled else entry)
    target = io.StringIO(newline="")
    get_format("bibtex").write(enrich(Library(entries=tuple(entries)), KeyMaker()), target)
    return target.getvalue()


def from_pybtex(data: BibliographyData) -> Iterator[str]:
    """Yield pybtex's data as BibTeX: its preamble, then the entries with the fields as they are."""
    if data.preamble:
        yield f"@preamble{{{{{data.preamble}}}}}"
    for key, entry in data.entries.items():
        yield f"@{entry.original_type}{{{key},"
        for role, people in entry.persons.items():
            yield f"  {role} = {{{' and '.join(map(str, people))}}},"
        for name, value in entry.fields.items():
            yield f"  {name} = {{{value}}},"
        yield "}"
