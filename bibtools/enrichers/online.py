"""Ask web services about abstracts that no catalogue knows, and believe them only as far as abstracts agree.

What a service offers becomes a catalogue for a moment, and the abstract is identified against that as it
is against any other. A service that cannot be asked is not a service that knows nothing: both are said.
"""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import structs

from bibtools.catalogue import add_works, open_catalogue
from bibtools.enrichers.identify import Identifier
from bibtools.errors import FetchError, Location, Problem
from bibtools.model import Entry
from bibtools.outcomes import Enrichment, FieldSource, Identification
from bibtools.settings import URLS, Settings
from bibtools.sources.build import today
from bibtools.sources.web import SERVICES
from bibtools.transport.setup import open_client

LASTING = frozenset({"offline", "dns", "connect", "throttled", "bad-token", "time-limit", "interrupted"})
"""Kinds of failure after which a service is not asked again in this run."""


class OnlineIdentifier:
    """Name the works of abstracts that are still unidentified, with the help of web services."""

    name = "online"

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._failed: dict[str, str] = {}

    def enrich(self, entries: Sequence[Entry]) -> Iterator[Enrichment]:
        """Yield one Enrichment per entry, in order; nothing for those that are known or not to be known."""
        with open_client(self.settings) as self._client:
            for entry in entries:
                yield self._ask_all(entry) if is_open(entry) else Enrichment()

    def _ask_all(self, entry: Entry) -> Enrichment:
        """Ask the services in turn until one has the work."""
        heard: list[str] = []
        problems: list[Problem] = []
        for service in SERVICES:
            try:
                candidates = self._ask(service, entry)
            except FetchError as error:
                heard.append(f"{service} could not be asked: {error}")
                if service not in self._failed:
                    problems.append(not_asked(service, error, entry))
                if error.kind in LASTING:
                    self._failed[service] = str(error)
                continue
            found = compare(entry, candidates, service)
            if found:
                return Enrichment(found.changes, (*problems, *found.problems), found.also)
            heard.append(f"{service} has no abstract that agrees")
        return Enrichment({"identification": with_reason(entry, heard)}, tuple(problems))

    def _ask(self, service: str, entry: Entry) -> list[Entry]:
        """Return what a service offers, unless it failed before in a way that lasts."""
        if service in self._failed:
            raise FetchError(self._failed[service])
        return SERVICES[service](str(entry.abstract), self._client, self.settings)


def is_open(entry: Entry) -> bool:
    """Tell whether an entry's work is to be sought: it has an abstract, no claim, and no known work."""
    outcome = entry.identification.outcome if entry.identification else "unidentified"
    return bool(entry.abstract) and not entry.claim and outcome == "unidentified"


def compare(entry: Entry, candidates: Sequence[Entry], service: str) -> Enrichment | None:
    """Return what identifying the entry among the candidates gives, None unless it names one."""
    if not candidates:
        return None
    provenance = FieldSource(URLS[service.lower()], today())
    with tempfile.TemporaryDirectory(prefix="bibtools-") as folder:
        path = Path(folder, f"{service}.bibcat")
        add_works(path, candidates, provenance)
        with open_catalogue(path) as catalogue:
            (found,) = Identifier([catalogue]).enrich([entry])
    verdict = found.changes.get("identification")
    return found if isinstance(verdict, Identification) and verdict.outcome == "identified" else None


def with_reason(entry: Entry, heard: Sequence[str]) -> Identification:
    """Return the entry's verdict with what the services said."""
    verdict = entry.identification or Identification("unidentified")
    return structs.replace(verdict, reason="; ".join(filter(None, (verdict.reason, *heard))))


def not_asked(service: str, error: FetchError, entry: Entry) -> Problem:
    """Return the problem that a service could not be asked."""
    origin = entry.origin
    place = Location(origin.source, origin.line) if origin else Location(service)
    return Problem(
        "not-asked", "warning", place, f"{service} could not be asked about this abstract: {error}"
    )
