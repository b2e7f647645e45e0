"""The kinds of sources: what each is called, how it is told, who reads it, how far its facts are believed.

Others add kinds by the entry-point group `bibtools.sources`: each entry point loads a `Source`.
"""

import io
from collections.abc import Callable, Iterator, Set
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

import msgspec
from msgspec import Struct

from bibtools.errors import InputError, Location, PluginError, Problem
from bibtools.model import Entry
from bibtools.sources.pmlr import find_posts
from bibtools.sources.streams import open_source, read_json_records

GROUP = "bibtools.sources"
HEAD = 1 << 18
"""Bytes of a file that are looked at to tell its kind."""

SURE_KEYS = 2
"""So many keys of a kind tell it: one alone may be another's too, as CSL-JSON's `status`."""

Reader = Callable[[Path, str], Iterator[Entry | Problem]]


class Source(Struct, frozen=True):
    """One kind of source."""

    name: str
    description: str
    reader: str
    """`package.module:function` taking (path, label)."""
    rank: int
    """Facts of a lower rank are believed; the publisher's own records come first."""
    keys: frozenset[str] = frozenset()
    """For JSON: keys that a record of this kind has, and no other kind."""
    path_fits: Callable[[Path], bool] = lambda path: False
    """Tells the kind by the path alone."""
    head_fits: Callable[[str], bool] = lambda head: False
    """Tells the kind by the beginning of a file that is not JSON."""

    def read(self, path: Path, label: str = "") -> Iterator[Entry | Problem]:
        """Yield the works of a file or folder, and problems, as they come.

        Raises:
            InputError: it is not of this kind at all; perhaps after some works.
        """
        module, _, name = self.reader.partition(":")
        reader: Reader = getattr(import_module(module), name)
        yield from reader(path, label)


BUILT_IN = (
    Source(
        "pmlr",
        "Proceedings of Machine Learning Research: _posts or citeproc.yaml of a volume",
        "bibtools.sources.pmlr:read_pmlr",
        rank=10,
        path_fits=lambda path: (
            path.suffix in {".yaml", ".yml", ".md"} or bool(path.is_dir() and find_posts(path))
        ),
    ),
    Source(
        "acl",
        "ACL Anthology: its .bib with abstracts",
        "bibtools.sources.acl:read_acl",
        rank=10,
        head_fits=lambda head: head.lstrip().startswith("@") and "aclanthology.org/" in head,
    ),
    Source(
        "papercopilot",
        "papercopilot/paperlists: JSON of one conference and year",
        "bibtools.sources.papercopilot:read_papercopilot",
        rank=30,
        keys=frozenset({"status", "track", "site", "author_site", "gs_citation", "aff", "bibtex", "github"}),
    ),
    Source(
        "openalex",
        "OpenAlex: JSON lines of works",
        "bibtools.sources.openalex:read_openalex",
        rank=40,
        keys=frozenset(
            {"abstract_inverted_index", "authorships", "primary_location", "display_name", "meta", "results"}
        ),
    ),
    Source(
        "arxiv",
        "arXiv: JSON lines of its metadata dump",
        "bibtools.sources.arxiv:read_arxiv",
        rank=50,
        keys=frozenset({"authors_parsed", "journal-ref", "update_date", "versions"}),
    ),
    Source(
        "paperswithcode",
        "Papers with Code: its last dumps",
        "bibtools.sources.paperswithcode:read_paperswithcode",
        rank=60,
        keys=frozenset({"paper_url", "repo_url", "url_abs", "paper_arxiv_id"}),
    ),
    Source(
        "bibliography",
        "a .bib, .ris or .json bibliography that holds abstracts",
        "bibtools.sources.bibliography:read_bibliography",
        rank=20,
        head_fits=lambda head: bool(head.strip()),
    ),
)


@cache
def sources() -> dict[str, Source]:
    """Return all kinds by name, ours first, then those of installed packages in order of name.

    Raises:
        PluginError: a package's source cannot be loaded.
    """
    known = {source.name: source for source in BUILT_IN}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        distribution = point.dist.name if point.dist else ""
        try:
            source = point.load()
        except Exception as error:  # another's code may fail in any way
            raise PluginError(f"source {point.name!r} cannot be loaded: {error}", distribution) from error
        if not isinstance(source, Source):
            raise PluginError(f"source {point.name!r} is not a Source of bibtools.sources", distribution)
        known.setdefault(source.name, source)
    return known


def get_source(name: str) -> Source:
    """Return the kind of this name.

    Raises:
        InputError: there is none; lists the known ones.
    """
    if name not in sources():
        raise InputError(f"unknown kind of source {name!r}; known kinds: {', '.join(sources())}")
    return sources()[name]


def guess_source(path: Path) -> Source:
    """Return the kind of a file or folder: by its path, else by its first record, else by its first lines.

    Raises:
        InputError: the path is missing, or nothing that holds works.
    """
    if not path.exists():
        raise InputError("no such file or folder", Location(str(path)))
    known = sources().values()
    for source in known:
        if source.path_fits(path):
            return source
    if path.is_dir():
        raise InputError("a folder without posts; name the files in it instead", Location(str(path)))
    with open_source(path) as stream:
        head = stream.read(HEAD)
    if head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"[", b"{"):
        keys = first_keys(head)
        found = max(known, key=lambda source: len(source.keys & keys))
        return found if len(found.keys & keys) >= SURE_KEYS else sources()["bibliography"]
    text = head.decode("utf-8", "replace")
    for source in known:
        if source.head_fits(text):
            return source
    raise InputError("the file is empty", Location(str(path)))


def first_keys(head: bytes) -> Set[str]:
    """Return the keys of the first record that is an object, as far as the beginning of a JSON file shows."""
    try:
        for raw in read_json_records(io.BytesIO(head), ""):
            try:
                return msgspec.json.decode(raw, type=dict[str, msgspec.Raw]).keys()
            except msgspec.DecodeError:
                continue
    except InputError:
        pass  # the beginning ends inside a record
    return frozenset()


def works_files(path: Path) -> list[Path]:
    """Return what a path stands for: itself, or the files of a folder that holds no volume of PMLR.

    A folder of lists, such as a checkout of one conference's years, is as good as naming each.

    Raises:
        InputError: there is no file in the folder.
    """
    if not path.is_dir() or find_posts(path):
        return [path]
    files = sorted(file for file in path.iterdir() if file.is_file() and not file.name.startswith("."))
    if not files:
        raise InputError("no files in this folder", Location(str(path)))
    return files
