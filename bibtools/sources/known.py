"""The catalogues that `bibtools catalogue pull NAME` can build: `icml:2025` and so on.

Which there are stands in `tables/known_catalogues.tsv`: kind, place within the kind's address, about how
many works, and where that is known from.
"""

from difflib import get_close_matches
from functools import cache
from pathlib import Path

from msgspec import Struct

from bibtools.errors import CatalogueError
from bibtools.mapping.venues import VenueYear, find_venues
from bibtools.settings import URLS, Settings
from bibtools.tables import read_table

SUFFIX = ".bibcat"
"""Ending of a catalogue's file."""
POST_BYTES = 1_200
"""About what one work takes on the way from git, compressed (measured on volumes 28, 32, 37 and 267)."""
LIST_BYTES = 4_500
"""About what one work takes in a list of papercopilot, which is not compressed (measured on 15,000 works)."""
INSTALLED_BYTES = 380
"""About what one work takes in a catalogue."""


class KnownCatalogue(Struct, frozen=True):
    """A catalogue that can be fetched and built."""

    name: str
    """What it is asked for by: `icml:2025`, or `acl` for a source of many venues."""
    kind: str
    """Name of its kind of source."""
    place: str
    """Where it lies under the kind's address: a volume, or a file."""
    works: int | None
    """About how many works; None where nobody counted."""
    reference: str
    """Page about it."""

    @property
    def label(self) -> str:
        """What people call it: `ICML 2025`."""
        found = find_venues(self.name.replace(":", " ").upper())
        return str(found[0]) if found else self.name

    @property
    def address(self) -> str:
        """Address that it is fetched from; `git+` in front says by git."""
        if self.kind == "pmlr":
            return f"git+{URLS['pmlr-git']}/{self.place}"
        return f"{URLS[self.kind]}/{self.place}"

    @property
    def download_bytes(self) -> int | None:
        """About how many bytes it takes to fetch, as far as the number of works tells."""
        if self.works is None:
            return None
        return self.works * (POST_BYTES if self.kind == "pmlr" else LIST_BYTES)

    @property
    def command(self) -> str:
        """The command that gets it."""
        return f"bibtools catalogue pull {self.name}"

    def path(self, settings: Settings) -> Path:
        """Return where it is installed, if it is."""
        return catalogue_path(self.name, settings)

    def size_text(self) -> str:
        """Return for people how big it is.

        >>> get_known("icml:2015").size_text()
        'about 270 works, 0.3 MB to fetch, 0.1 MB on disk'
        """
        if self.works is None or self.download_bytes is None:
            return "size not known beforehand"
        fetched, kept = self.download_bytes / 1e6, self.works * INSTALLED_BYTES / 1e6
        return f"about {self.works:,} works, {fetched:.1f} MB to fetch, {kept:.1f} MB on disk"


@cache
def known_catalogues() -> dict[str, KnownCatalogue]:
    """Return all known catalogues by name, in the table's order."""
    return {
        row["name"]: KnownCatalogue(
            row["name"], row["kind"], row["place"], int(row["works"]) if row["works"] else None, row["source"]
        )
        for row in read_table("known_catalogues")
    }


def get_known(name: str) -> KnownCatalogue:
    """Return the known catalogue of this name, also as people write it: `ICML 2025`, `nips2023`, `NIPS:2005`.

    Raises:
        CatalogueError: there is none; names the nearest ones.
    """
    known = known_catalogues()
    if name.lower() in known:
        return known[name.lower()]
    if found := catalogue_of(find_venues(name.replace(":", " ").upper())):
        return found
    near = get_close_matches(name.lower(), known, n=5, cutoff=0.5)
    hint = f"; did you mean {', '.join(near)}?" if near else ""
    raise CatalogueError(
        f"no known catalogue {name!r}{hint} (`bibtools catalogue list --known` shows all {len(known)})"
    )


def catalogue_of(venues: tuple[VenueYear, ...]) -> KnownCatalogue | None:
    """Return the known catalogue of the first venue that has one."""
    return next((known_catalogues()[venue.catalogue] for venue in venues if venue.catalogue), None)


def catalogue_path(name: str, settings: Settings) -> Path:
    """Return the file of an installed catalogue; a colon in its name becomes a hyphen.

    >>> catalogue_path("icml:2025", Settings(catalogue_folder="/c")).name
    'icml-2025.bibcat'
    """
    return settings.folder("catalogues") / f"{name.replace(':', '-')}{SUFFIX}"


def installed_catalogues(settings: Settings) -> list[Path]:
    """Return the files of all installed catalogues, sorted."""
    return sorted(settings.folder("catalogues").glob(f"*{SUFFIX}"))


def missing_catalogue(heading: str, settings: Settings) -> KnownCatalogue | None:
    """Return the known catalogue that a list's heading asks for, unless it is installed."""
    found = catalogue_of(find_venues(heading)) if heading else None
    return found if found and not found.path(settings).exists() else None
