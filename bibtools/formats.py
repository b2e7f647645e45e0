"""The formats: what each is called, how it is told, who reads and who writes it.

Readers and writers are named here and imported when first used, so that a command loads only what
it needs. Others add formats by the entry-point group `bibtools.formats`: each entry point loads a
`Format`, and a name that is taken here already stays ours.
"""

import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import PurePath
from typing import Any, Literal, TextIO

from msgspec import Struct
from msgspec.structs import replace

from bibtools.errors import InputError, Location, PluginError, UnknownFormatError, WriteError
from bibtools.model import Library, WriteOptions, WriteReport
from bibtools.text.patterns import LazyPattern

GROUP = "bibtools.formats"
_HEAD = 65_536
"""Characters of the input that are looked at to tell its format."""

Sureness = Literal["no", "maybe", "sure"]


class Format(Struct, frozen=True):
    """One format: its name, how it is told from others, and where its reader and writer are."""

    name: str
    description: str
    suffixes: tuple[str, ...] = ()
    """File name endings with the dot, in lower case; the first is the usual one."""
    reader: str = ""
    """`package.module:function` taking (text, source); empty: cannot be read."""
    writer: str = ""
    """`package.module:function` taking (library, stream, options); empty: cannot be written."""
    dialect: str = ""
    """The writer's dialect, where the options name none."""
    looks_like: Callable[[str], Sureness] = lambda head: "no"
    """Tells from the first characters of a text whether it is in this format."""

    def read(self, text: str, source: str) -> Library:
        """Return what a decoded text in this format holds.

        Raises:
            InputError: this format cannot be read, or the text is not in it at all.
        """
        if not self.reader:
            raise InputError(f"{self.description} can be written, not read", Location(source))
        library: Library = _load(self.reader)(text, source)
        return library

    def write(self, library: Library, stream: TextIO, options: WriteOptions | None = None) -> WriteReport:
        """Write the library's entries in their order; return how many, and what could not be held.

        Raises:
            WriteError: this format cannot be written.
        """
        if not self.writer:
            raise WriteError(f"{self.description} can be read, not written")
        options = options or WriteOptions()
        if self.dialect and not options.dialect:
            options = replace(options, dialect=self.dialect)
        report: WriteReport = _load(self.writer)(library, stream, options)
        return report


@cache
def _load(address: str) -> Callable[..., Any]:
    """Return the function at `package.module:function`."""
    module, _, name = address.partition(":")
    function: Callable[..., Any] = getattr(import_module(module), name)
    return function


def _pattern(sure: str, maybe: str = "") -> Callable[[str], Sureness]:
    """Return a test by patterns: `sure` at the text's first lines, `maybe` at the start of any line."""
    at_start = LazyPattern(r"\s*" + sure)
    anywhere = LazyPattern(maybe, re.MULTILINE) if maybe else None

    def test(head: str) -> Sureness:
        if at_start.match(head):
            return "sure"
        return "maybe" if anywhere and anywhere.search(head) else "no"

    return test


_BIBTEX_ENTRY = r"@[ \t]*[A-Za-z]+\s*[{(]"

BUILT_IN = (
    Format(
        "bibtex",
        "BibTeX",
        (".bib", ".bibtex"),
        "bibtools.readers.bibtex:read_bibtex",
        "bibtools.writers.bibtex:write_bibtex",
        looks_like=_pattern(r"(?:%[^\n]*\n\s*)*" + _BIBTEX_ENTRY, r"^[ \t]*" + _BIBTEX_ENTRY),
    ),
    Format(
        "biblatex",
        "biblatex",
        (),
        "bibtools.readers.bibtex:read_bibtex",
        "bibtools.writers.bibtex:write_bibtex",
        dialect="biblatex",
    ),
    Format(
        "ris",
        "RIS",
        (".ris",),
        "bibtools.readers.ris:read_ris",
        "bibtools.writers.ris:write_ris",
        looks_like=_pattern(r"TY {0,3}-", r"^[ \t]*TY {1,2}-(?: |$)"),
    ),
    Format(
        "csljson",
        "CSL-JSON",
        (".json", ".csl", ".jsonl"),
        "bibtools.readers.csljson:read_csljson",
        "bibtools.writers.csljson:write_csljson",
        looks_like=_pattern(r"""(?:\[\s*(?:\{\s*["}]|\])|\{\s*["}])"""),
    ),
    Format(
        "pubmed",
        "PubMed",
        (".nbib",),
        "bibtools.readers.tagged:read_pubmed",
        looks_like=_pattern(r"PMID ?- ", r"^PMID- \d"),
    ),
    Format(
        "endnote",
        "EndNote (Refer)",
        (".enw",),
        "bibtools.readers.tagged:read_endnote",
        looks_like=_pattern(r"%[0A-Z] \S", r"^%0 \S"),
    ),
    Format(
        "wos",
        "Web of Science",
        (".ciw", ".isi"),
        "bibtools.readers.tagged:read_wos",
        looks_like=_pattern(r"(?:FN (?:ISI|Clarivate|Thomson|Web)|PT [A-Z]\n)", r"^PT [A-Z]$"),
    ),
    Format(
        "abstracts",
        "a list of abstracts",
        (".txt", ".md", ".markdown", ".text"),
        "bibtools.readers.abstracts:read_abstracts",
    ),
)

ALIASES = {
    "bib": "bibtex",
    "csl": "csljson",
    "csl-json": "csljson",
    "json": "csljson",
    "nbib": "pubmed",
    "medline": "pubmed",
    "enw": "endnote",
    "refer": "endnote",
    "ciw": "wos",
    "isi": "wos",
    "text": "abstracts",
    "txt": "abstracts",
}
"""Other names by which a format may be asked for."""

_NOT_TEXT = (
    (b"{\\rtf", "an RTF document: open it and save it as plain text (.txt), UTF-8"),
    (b"PK\x03\x04", "a DOCX, ODT or ZIP file: open it and save it as plain text (.txt), UTF-8"),
    (b"\xd0\xcf\x11\xe0", "an old Word document: open it and save it as plain text (.txt), UTF-8"),
    (b"%PDF-", "a PDF: copy its text into a plain text file (.txt)"),
    (b"\x1f\x8b", "a gzip file: unpack it first"),
    (b"SQLite format 3", "a database: export it from its own program as RIS or BibTeX"),
)
"""How files that hold no plain text begin, and what to do about it."""
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_MOST_CONTROLS = 0.04
"""Share of control characters in a text; random bytes have 0.1."""
_FEW_CONTROLS = 20
"""As many are forgiven in any text, however short."""


@cache
def all_formats() -> dict[str, Format]:
    """Return all formats by name, ours first, then those of installed packages in order of name.

    Raises:
        PluginError: a package's format cannot be loaded.
    """
    # Looking for entry points costs more than starting Python: only done where ours do not suffice.
    from importlib.metadata import entry_points

    known = {form.name: form for form in BUILT_IN}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        distribution = point.dist.name if point.dist else ""
        try:
            form = point.load()
        except Exception as error:  # another's code may fail in any way
            raise PluginError(f"format {point.name!r} cannot be loaded: {error}", distribution) from error
        if not isinstance(form, Format):
            raise PluginError(f"format {point.name!r} is not a bibtools.formats.Format", distribution)
        known.setdefault(form.name, form)
    return known


def get_format(name: str) -> Format:
    """Return the format of this name or alias, or the one that a suffix such as `.bib` belongs to.

    Raises:
        UnknownFormatError: there is none.
    """
    wanted = ALIASES.get(name.lower(), name.lower())
    form = _find(lambda form: wanted == form.name or wanted in form.suffixes)
    if form is None:
        raise UnknownFormatError(name, all_formats())
    return form


def format_of_suffix(filename: str) -> Format | None:
    """Return the format that a file name's ending belongs to, if any."""
    suffix = PurePath(filename).suffix.lower()
    return _find(lambda form: suffix in form.suffixes) if suffix else None


def _find(fits: Callable[[Format], bool]) -> Format | None:
    """Return the first format that fits, of ours before others'."""
    found = next((form for form in BUILT_IN if fits(form)), None)
    return found or next((form for form in all_formats().values() if fits(form)), None)


def guess_format(data: bytes | str, filename: str = "") -> Format:
    """Return the format of an input: by its beginning, then by its name; else a list of abstracts.

    A file name decides where the content is not sure: a list of abstracts may quote a BibTeX entry.
    """
    if isinstance(data, bytes):
        from bibtools.readers.decode import decode

        text = decode(data[: 4 * _HEAD], filename).text
    else:
        text = data
    head = text[:_HEAD].removeprefix("\ufeff")
    by_name = format_of_suffix(filename)
    if by_name and by_name.looks_like(head) == "sure":
        return by_name
    sure = next((form for form in BUILT_IN if form.looks_like(head) == "sure"), None)
    if sure := sure or by_name:
        return sure
    others = _find(lambda form: form.looks_like(head) == "sure")
    return others or _find(lambda form: form.looks_like(head) == "maybe") or get_format("abstracts")


def check_text(data: bytes, source: str) -> None:
    """Raise where the bytes are of a known kind of file that is no plain text.

    Raises:
        InputError: says what the file is and how to get its text.
    """
    for signature, what in _NOT_TEXT:
        if data.startswith(signature):
            raise InputError(f"this is {what}", Location(source))


def check_letters(text: str, source: str) -> None:
    """Raise where a decoded input is full of control characters: whatever was found in it would be chance.

    Raises:
        InputError: this is no text.
    """
    head = text[:_HEAD]
    if len(_CONTROLS.findall(head)) > max(_FEW_CONTROLS, _MOST_CONTROLS * len(head)):
        raise InputError("this is no text but some binary file", Location(source))


def read(data: bytes, source: str, format: str | None = None) -> Library:  # noqa: A002 (the API's word)
    """Return what an input holds: decoded, its format told, read.

    Args:
        data: the whole input as bytes, in any encoding that `readers.decode` knows.
        source: file name or other label that messages show; its suffix helps to tell the format.
        format: name of the format, where it is known.
    Returns:
        A Library with format, encoding and newline set; problems of decoding stand first.
    Raises:
        InputError: the input is no text, or cannot be read as this format at all.
        UnknownFormatError: no format has this name.
    """
    from bibtools.readers.decode import decode

    check_text(data, source)
    decoded = decode(data, source)
    check_letters(decoded.text, source)
    form = get_format(format) if format else guess_format(decoded.text, source)
    library = form.read(decoded.text, source)
    return replace(
        library,
        problems=(*decoded.problems, *library.problems),
        format=form.name,
        source=source,
        encoding=decoded.encoding,
        newline=decoded.newline,
    )
