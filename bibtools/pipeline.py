"""The way through: read, identify, find links, give keys, write. The one place that knows the order.

Everything here is plain functions over values; the command line and the Python API call the same ones.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

import msgspec
from msgspec import Struct

from bibtools import files, outputs
from bibtools.enrichers import apply
from bibtools.enrichers.keys import KeyMaker
from bibtools.enrichers.unidentified import UnidentifiedMarker, is_identified
from bibtools.errors import Location, Problem
from bibtools.model import Entry, Library, WriteOptions
from bibtools.outcomes import Enrichment
from bibtools.outputs import Mode, Output, Plan
from bibtools.settings import Settings
from bibtools.works import UNIDENTIFIED, WorkIndex

if TYPE_CHECKING:
    from bibtools.catalogue import Catalogue

ABSTRACTS = "abstracts"


class Enricher(Protocol):
    """Anything that adds to entries."""

    def enrich(self, entries: Sequence[Entry]) -> Iterator[Enrichment]:
        """Yield one Enrichment per entry, in order."""


def enrich(library: Library, enricher: Enricher) -> Library:
    """Return the library with what one enricher adds; a paragraph with two works becomes two entries."""
    made: list[Entry] = []
    problems = list(library.problems)
    for entry, enrichment in zip(library.entries, enricher.enrich(library.entries), strict=True):
        made.extend(apply(entry, enrichment))
        problems.extend(enrichment.problems)
    return msgspec.structs.replace(library, entries=tuple(made), problems=tuple(problems))


def read(source: str | os.PathLike[str], format: str | None = None) -> Library:  # noqa: A002 (the API's word)
    """Return what a file holds: a list of abstracts, BibTeX, RIS, CSL-JSON …

    Args:
        source: path of the file; `-` is standard input.
        format: name of the format, where it is known; otherwise it is told by content, then by suffix.
    Raises:
        InputError: the file cannot be read, or not as this format.
        UnknownFormatError: no format has this name.
    """
    return files.read_library(os.fspath(source), format)


def catalogue_paths(settings: Settings) -> list[Path]:
    """Return the catalogues to look in: those that settings name, else all installed ones and the sample."""
    if settings.catalogues:
        return [Path(path) for path in settings.catalogues]
    from bibtools.data import sample_catalogue
    from bibtools.sources.known import installed_catalogues

    return [*installed_catalogues(settings), sample_catalogue()]


def open_catalogues(settings: Settings) -> "list[Catalogue]":
    """Return the catalogues to look in, opened.

    Raises:
        CatalogueError: one is missing, damaged or of another edition.
    """
    from bibtools.catalogue import open_catalogue

    return [open_catalogue(path) for path in catalogue_paths(settings)]


def identify(
    library: Library, catalogues: "Sequence[Catalogue] | None" = None, settings: Settings | None = None
) -> Library:
    """Return the library with the works that its abstracts belong to; only empty fields are filled.

    Args:
        catalogues: where to look; None: those of the settings.
        settings: says which catalogues there are; None: the defaults.
    """
    from bibtools.enrichers.identify import Identifier

    known = open_catalogues(settings or Settings()) if catalogues is None else catalogues
    return enrich(library, Identifier(known))


def identify_online(library: Library, settings: Settings | None = None) -> Library:
    """Return the library with works that web services know and whose abstracts agree; asks them."""
    from bibtools.enrichers.online import OnlineIdentifier

    return enrich(library, OnlineIdentifier(settings or Settings()))


def find_links(library: Library) -> Library:
    """Return the library with the addresses in its abstracts, joined with those of its works' records."""
    from bibtools.enrichers.links import LinkFinder

    return enrich(library, LinkFinder())


def check_links(library: Library, settings: Settings | None = None, details: bool = False) -> Library:
    """Return the library with what is behind its links; this uses the network.

    Args:
        details: bring also what entries of programs need: CITATION.cff and the newest commit.
    """
    from bibtools.enrichers.linkcheck import CheckOptions, LinkChecker

    return enrich(library, LinkChecker(settings or Settings(), CheckOptions(details=details)))


class Prepared(Struct, frozen=True):
    """Entries ready to be written: works first, then the abstracts whose work is not known."""

    works: tuple[Entry, ...]
    unidentified: tuple[Entry, ...]
    abstracts: int
    """Abstracts read from lists; a repeated one counts each time."""
    identified: int
    """How many of those were identified."""
    problems: tuple[Problem, ...] = ()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All of them, in the order of an export."""
        return self.works + self.unidentified


def prepare(libraries: Iterable[Library]) -> Prepared:
    """Return the entries of identified inputs whose links were found: bibliographies, then lists.

    A work that a list names again, or that a bibliography has, comes once.
    """
    entries: list[Entry] = []
    problems: list[Problem] = []
    abstracts = identified = 0
    for library in sorted(libraries, key=lambda library: library.format == ABSTRACTS):
        problems += library.problems
        if library.format != ABSTRACTS:
            entries += library.entries
            continue
        abstracts += len(library.entries)
        identified += sum(map(is_identified, library.entries))
        marked = enrich(library, UnidentifiedMarker(library.heading))
        problems += join_repeats(entries, marked.entries)
    works = tuple(entry for entry in entries if not entry.key.startswith(UNIDENTIFIED))
    unidentified = tuple(entry for entry in entries if entry.key.startswith(UNIDENTIFIED))
    return Prepared(works, unidentified, abstracts, identified, tuple(problems))


def join_repeats(entries: list[Entry], listed: Sequence[Entry]) -> Iterator[Problem]:
    """Add the listed entries to the others; one whose work is there already only fills its gaps.

    Yields:
        A notice for each of those.
    """
    index = WorkIndex(entries)
    for entry in listed:
        place = index.find(entry)
        if place is None:
            index.add(entry, len(entries))
            entries.append(entry)
        else:
            yield repeated(entry, entries[place])
            entries[place] = fill(entries[place], entry)


def repeated(entry: Entry, first: Entry) -> Problem:
    """Return the notice that a work stands in the inputs a second time."""
    origin, before = entry.origin, first.origin
    where = f"{before.source}:{before.line}" if before else "another"
    return Problem(
        "repeated-work",
        "info",
        Location(origin.source, origin.line) if origin else Location(""),
        f"same work as {where}; exported once",
    )


def fill(entry: Entry, other: Entry) -> Entry:
    """Return an entry with its empty fields taken from another of the same work."""
    empty = [name for name in entry.__struct_fields__ if not getattr(entry, name)]
    return entry.replace(**{name: getattr(other, name) for name in empty})


def known_keys(libraries: Iterable[Library]) -> Callable[[Entry], str]:
    """Return a function that gives the key that a work has in one of these libraries, else an empty string.

    The key of an abstract that has been identified since is not kept: it says that its work is unknown.
    """
    keyed = [entry for library in libraries for entry in library.entries if entry.key]
    index = WorkIndex(keyed)

    def find(entry: Entry) -> str:
        place = index.find(entry)
        key = "" if place is None else keyed[place].key
        outdated = key.startswith(UNIDENTIFIED) and not entry.key.startswith(UNIDENTIFIED)
        return "" if outdated else key

    return find


class Export(Struct, frozen=True, kw_only=True):
    """What an export shall do."""

    outputs: tuple[Output, ...]
    mode: Mode = "safe"
    options: WriteOptions = WriteOptions()
    ris_dialect: str = ""
    key_pattern: str = ""
    keys_from: Library = Library()
    unidentified: Literal["keep", "skip"] | Output = "keep"
    """Whether abstracts without known work go to the outputs, nowhere, or to an output of their own."""
    pin: bool = False
    """Entries of programs name the very commit that was seen."""


def plan_export(prepared: Prepared, export: Export) -> list[Plan]:
    """Return what is to be written, output by output; nothing has been written yet.

    Raises:
        WriteError: an existing output would lose works, or an entry cannot be written.
        InputError: the key pattern is wrong.
    """
    apart = export.unidentified if isinstance(export.unidentified, Output) else None
    every = (*export.outputs, apart) if apart else export.outputs
    existing = [outputs.read_existing(output, export.mode == "force") for output in every]
    there = [old.library for old in existing if old]
    taken = (entry.key for library in there for entry in library.entries) if export.mode == "append" else ()
    maker = KeyMaker(known_keys([export.keys_from, *there]), taken, export.key_pattern)
    keyed = enrich(Library(entries=prepared.entries), maker).entries
    works, rest = keyed[: len(prepared.works)], keyed[len(prepared.works) :]
    if export.options.code_as == "entry":
        from bibtools.enrichers.software import software_entries

        works += tuple(software_entries(keyed, pin=export.pin))
    plans = []
    for output, old in zip(every, existing, strict=True):
        chosen = rest if output is apart else works + rest if export.unidentified == "keep" else works
        options = export.options
        if output.format.name == "ris" and export.ris_dialect:
            options = msgspec.structs.replace(options, dialect=export.ris_dialect)
        plans.append(outputs.plan_output(Library(entries=chosen), output, old, export.mode, options))
    return plans


def write(
    library: Library | Sequence[Entry],
    target: str | os.PathLike[str],
    format: str | None = None,  # noqa: A002 (the API's word)
    *,
    mode: Mode = "safe",
    options: WriteOptions | None = None,
) -> tuple[Problem, ...]:
    """Write entries to a file, by the rules for existing ones; return what the format could not hold.

    Entries without a key get the one that their work has in the existing file, or a new one.

    Args:
        target: path of the file; its suffix tells the format.
        format: name of the format, where the suffix does not tell it.
        mode: what to do with a file that holds other works: `safe` raises, `append` adds what it lacks,
            `force` replaces it and keeps a backup.
        options: dialect, ASCII, how to carry code links.
    Raises:
        WriteError: the existing file would lose works, or an entry cannot be written.
        UnknownFormatError: neither the suffix nor `format` names a known one.
        OSError: the file cannot be written.
    """
    name = os.fspath(target)
    output = outputs.parse_output(f"{format}:{name}" if format else name)
    entries = library.entries if isinstance(library, Library) else tuple(library)
    export = Export(outputs=(output,), mode=mode, options=options or WriteOptions())
    plans = plan_export(Prepared(entries, (), 0, 0), export)
    files.replace_files([change for plan in plans if (change := plan.change())])
    return tuple(problem for plan in plans for problem in plan.problems)
