"""Zenodo records, by address or DOI, through its REST interface. Source: developers.zenodo.org, "Records"."""

import re
from typing import TYPE_CHECKING, Any

from bibtools.enrichers.hosts.base import (
    Desk,
    OneByOne,
    Target,
    available,
    missing,
    record_of,
    required,
    text_of,
    unsure,
)
from bibtools.outcomes import LinkCheck, LinkFacts
from bibtools.text.urls import normalise_url, repository_of

if TYPE_CHECKING:
    from bibtools.transport import Reply

ADDRESS = re.compile(
    r"https://(?:www\.)?zenodo\.org/records?/(\d{1,12})(?:[/?#].*)?"
    r"|https://(?:(?:dx\.)?doi\.org|zenodo\.org/doi)/10\.5281/zenodo\.(\d{1,12})",
    re.IGNORECASE | re.DOTALL,
)
RELATIONS = frozenset({"isSupplementTo", "isDerivedFrom", "isIdenticalTo"})
"""Relations by which Zenodo names the repository that a record is a release of."""


class Zenodo(OneByOne):
    """Records on Zenodo."""

    name = "zenodo"
    lane = "zenodo.org"

    def target(self, url: str) -> Target | None:
        """Return the target of a record's address or DOI."""
        found = ADDRESS.fullmatch(url)
        if not found:
            return None
        number = found[1] or found[2]
        home = f"https://zenodo.org/records/{number}"
        return Target(home, home, self.name, "", number, "zenodo.org")

    def check(self, target: Target, desk: Desk) -> LinkCheck:
        """Return the verdict on one record."""
        reply = desk.client.get(
            f"https://zenodo.org/api/records/{target.name}", accept="application/json", keep=True
        )
        if reply.status == 200:
            return read_record(reply)
        if reply.status == 410:
            return missing(reply, "withdrawn from Zenodo")
        if reply.status == 404:
            return missing(reply, "no such record")
        return unsure(reply)


def read_record(reply: "Reply") -> LinkCheck:
    """Return the verdict on a record that the interface describes."""
    record = record_of(reply)
    required(reply, record, "metadata", "title")
    restricted = text_of(record, "metadata", "access_right")
    facts = LinkFacts(
        name=text_of(record, "metadata", "title"),
        host_id=text_of(record, "doi"),
        licence=text_of(record, "metadata", "license", "id"),
        last_push=text_of(record, "modified") or text_of(record, "created"),
        latest_release=text_of(record, "metadata", "version"),
    )
    reason = f"files are {restricted}" if restricted in {"restricted", "closed", "embargoed"} else ""
    check = available(reply, facts, reason=reason)
    return LinkCheck(
        check.outcome,
        reason=reason,
        facts=facts,
        evidence=check.evidence,
        repository=repository_behind(record),
    )


def repository_behind(record: dict[str, Any]) -> str:
    """Return the repository that a record says it is a release of, or an empty string."""
    metadata = record.get("metadata")
    related = metadata.get("related_identifiers") if isinstance(metadata, dict) else None
    for item in related if isinstance(related, list) else []:
        if text_of(item, "relation") in RELATIONS:
            repository = repository_of(normalise_url(text_of(item, "identifier")))
            if repository is not None:
                return repository.url
    return ""
