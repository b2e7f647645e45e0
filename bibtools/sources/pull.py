"""Known catalogues fetched and built: PMLR by git, else by HTTP; papercopilot and the Anthology by HTTP.

What is fetched stays in the cache folder, so that a broken transfer is gone on with and an update brings
only what is new. A catalogue is built beside the old one and takes its place only when it is whole.
"""

import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path

from msgspec import Struct

from bibtools.errors import CatalogueError, FetchError
from bibtools.settings import URLS, Settings
from bibtools.sources import git
from bibtools.sources.build import Added, Batch, add_batches
from bibtools.sources.known import KnownCatalogue, catalogue_path, get_known, known_catalogues
from bibtools.sources.registry import get_source, guess_source
from bibtools.sources.streams import open_source

POSTS = ("/_posts/", "/_config.yml")
"""What a volume's repository is asked for."""
VOLUME_FILES = (
    "assets/bib/bibliography.bib",
    "bibliography.bib",
    "assets/bib/citeproc.yaml",
    "citeproc.yaml",
)
"""Where a volume's site has all its works in one file; the first that is there is taken."""
VOLUME = re.compile(r"[vr]\d{1,4}")
NOT_PLAIN = re.compile(r"[^\w.+-]+")
WEB_PAGE = re.compile(rb"\s*<(?:!doctype html|html|head|body)\b", re.IGNORECASE)
LONGEST_HEAD = 1024
MOST_BYTES = 2_000_000_000
"""A source of more bytes is not fetched."""
OFFLINE = "the network is off (--offline, or offline in the settings); catalogues cannot be fetched"

Progress = Callable[[str, int, int | None], None]
"""Called with what is done (`fetching icml:2025`), how much is there, and how much in all, if known."""


class FetchedSource(Struct, frozen=True):
    """A source that has been fetched."""

    batch: Batch
    note: str = ""
    """What a person should know: that git failed and something poorer was taken."""


class Pulled(Struct, frozen=True):
    """A catalogue that has been fetched and built."""

    name: str
    path: Path
    added: Added
    notes: tuple[str, ...] = ()


def pull(name: str, settings: Settings, progress: Progress | None = None) -> Pulled:
    """Fetch a known catalogue, build it and install it; an older one is replaced.

    Args:
        name: what it is asked for by, such as `icml:2025`.
        progress: hears how far it is.
    Raises:
        CatalogueError: no such known catalogue, or nothing came that could be read.
        FetchError: it cannot be fetched; the network is off, or the host says no.
    """
    known = get_known(name)
    source = fetch(known, settings, progress)
    target = known.path(settings)
    added = rebuild(target, [source.batch], known.name, progress)
    return Pulled(known.name, target, added, (source.note,) if source.note else ())


def update(path: Path, settings: Settings, progress: Progress | None = None) -> Pulled:
    """Build a catalogue anew from the addresses of its sources, and put it in the old one's place.

    Raises:
        CatalogueError: it names no source, a source's file is gone, or nothing could be read.
        FetchError: a source cannot be fetched; the old catalogue stays.
    """
    name, description, addresses = provenance(path)
    if not addresses:
        raise CatalogueError(f"{path}: names no source that it could be built from again")
    found = [fetch_address(address, settings, progress) for address in addresses]
    added = rebuild(path, [source.batch for source in found], name, progress, description)
    return Pulled(name, path, added, tuple(source.note for source in found if source.note))


def provenance(path: Path) -> tuple[str, str, list[str]]:
    """Return a catalogue's name, description and the addresses of its sources.

    A known catalogue that an older program made, or that is damaged, is known by its file's name.

    Raises:
        CatalogueError: it cannot be read, and its file has not the name of a known one.
    """
    from bibtools.catalogue import open_catalogue

    try:
        with open_catalogue(path) as catalogue:
            info = catalogue.info()
    except CatalogueError:
        known = known_catalogues().get(path.stem.replace("-", ":", 1))
        if known is None or not path.exists():
            raise
        return known.name, "", [known.address]
    return info.name, info.description, list(dict.fromkeys(row.source for row in info.sources))


def rebuild(
    target: Path, batches: Iterable[Batch], name: str, progress: Progress | None, description: str = ""
) -> Added:
    """Build a catalogue beside `target` and put it in its place.

    Raises:
        CatalogueError: the sources hold no work at all.
    """
    from bibtools.catalogue import create_catalogue

    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    part.unlink(missing_ok=True)
    try:
        create_catalogue(part, name, description)
        counter = (lambda works: progress(f"adding {name}", works, None)) if progress else None
        added = add_batches(part, batches, counter=counter)
        if not added.works:
            raise CatalogueError(f"{name}: what was fetched holds no works")
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
    return added


def fetch(known: KnownCatalogue, settings: Settings, progress: Progress | None = None) -> FetchedSource:
    """Bring the source of a known catalogue to the cache folder.

    Raises:
        FetchError: it cannot be fetched.
    """
    return fetch_address(known.address, settings, progress, known.name)


def fetch_address(
    address: str, settings: Settings, progress: Progress | None = None, name: str = ""
) -> FetchedSource:
    """Bring a source to where it can be read, by the address that a catalogue keeps of it.

    Args:
        address: `git+https://…/v267@COMMIT`, an http(s) address, or the path of a file or folder.
        name: what progress calls it; empty: the address.
    Raises:
        CatalogueError: a local file is gone.
        FetchError: it cannot be fetched.
    """
    label = f"fetching {name or address}"
    step = (lambda done, total: progress(label, done, total)) if progress else None
    if address.startswith("git+"):
        return fetch_volume(address.removeprefix("git+").partition("@")[0], settings, step)
    if address.startswith(("http://", "https://")):
        return FetchedSource(fetch_file(address, settings, step))
    path = Path(address)
    if not path.exists():
        raise CatalogueError(
            f"{address}: this source of the catalogue is gone; add it again from where it is"
        )
    return FetchedSource(Batch(path, guess_source(path), address))


def fetch_volume(address: str, settings: Settings, step: git.Progress | None) -> FetchedSource:
    """Bring a volume of PMLR: by git, which alone has code links; else its .bib or citeproc.yaml.

    Raises:
        FetchError: neither way works.
    """
    volume = address.rpartition("/")[2]
    if not VOLUME.fullmatch(volume):
        raise FetchError(f"{volume!r} is no volume of PMLR", address, "bad-address")
    check_online(settings, address)
    if not git.has_git():
        return FetchedSource(
            fetch_site(volume, settings, step), "git is not installed: without code links and OpenReview ids"
        )
    asked = f"{settings.url('pmlr-git')}/{volume}"
    folder = settings.folder("cache") / "sources" / "pmlr" / volume
    allow_file = asked.startswith("file:") and "pmlr-git" in settings.urls
    try:
        commit = git.fetch_folders(asked, folder, POSTS, allow_file=allow_file, progress=step)
    except FetchError as error:
        note = f"{error}; taken from the volume's site instead, without code links and OpenReview ids"
        try:
            return FetchedSource(fetch_site(volume, settings, step), note)
        except FetchError as further:
            raise FetchError(f"{error}; and its site: {further}", address, further.kind) from error
    return FetchedSource(Batch(folder, get_source("pmlr"), f"git+{URLS['pmlr-git']}/{volume}@{commit}"))


def fetch_site(volume: str, settings: Settings, step: git.Progress | None) -> Batch:
    """Bring the file of all works that a volume's site has.

    Raises:
        FetchError: the site has none, or cannot be asked.
    """
    failure = FetchError(
        "the volume's site has no file of all its works", f"{URLS['pmlr']}/{volume}", "bad-reply"
    )
    for name in VOLUME_FILES:
        try:
            return fetch_file(f"{URLS['pmlr']}/{volume}/{name}", settings, step)
        except FetchError as error:
            if error.kind != "bad-reply":
                raise
            failure = error
    raise failure


def fetch_file(address: str, settings: Settings, step: git.Progress | None) -> Batch:
    """Bring a file by HTTP; one that has not changed since the last time is not fetched again.

    Raises:
        FetchError: it cannot be brought.
    """
    check_online(settings, address)
    from bibtools.transport import fetch_file as bring
    from bibtools.transport.setup import open_client

    site, _, name = address.partition("://")[2].rpartition("/")
    path = settings.folder("cache") / "sources" / NOT_PLAIN.sub("-", site) / NOT_PLAIN.sub("-", name)
    tag = path.with_name(f"{path.name}.etag")
    known = tag.read_text(encoding="utf-8") if tag.is_file() and path.is_file() else ""
    with open_client(settings) as client:
        fetched = bring(client, address, path, progress=step, known_etag=known, max_bytes=MOST_BYTES)
    with open_source(path) as stream:
        if WEB_PAGE.match(stream.read(LONGEST_HEAD)):
            path.unlink()
            raise FetchError(
                "a web page came where works were asked for; try again later", address, "challenged"
            )
    if fetched.etag and fetched.changed:
        tag.write_text(fetched.etag, encoding="utf-8")
    return Batch(path, guess_source(path), address)


def download_bytes(known: KnownCatalogue, settings: Settings) -> int | None:
    """Return how many bytes a catalogue's file has, by asking its host; the estimate where it does not say.

    Raises:
        FetchError: the host cannot be asked.
    """
    if known.kind == "pmlr" and git.has_git():
        return known.download_bytes
    check_online(settings, known.address)
    from bibtools.transport.setup import open_client

    with open_client(settings) as client:
        length = client.request("HEAD", known.address.removeprefix("git+")).header("content-length")
    return int(length) if length.isdecimal() else known.download_bytes


def check_online(settings: Settings, address: str) -> None:
    """Raise where the user has switched the network off.

    Raises:
        FetchError: kind `offline`.
    """
    if settings.offline:
        raise FetchError(OFFLINE, address, "offline")


def installed_path(name: str, settings: Settings) -> Path:
    """Return the file of an installed catalogue, by its name or the name of a known one.

    Raises:
        CatalogueError: it is not installed.
    """
    path = catalogue_path(name, settings)
    if not path.exists():
        raise CatalogueError(
            f"no catalogue {name!r} is installed; `bibtools catalogue list` shows those that are"
        )
    return path
