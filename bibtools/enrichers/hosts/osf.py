"""Projects on the Open Science Framework through its REST interface. Source: developer.osf.io, "Nodes"."""

import re
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from bibtools.transport import Reply

ADDRESS = re.compile(
    r"https://(?:www\.)?osf\.io/([0-9a-z]{5})(?:[/?#].*)?|https://(?:dx\.)?doi\.org/10\.17605/osf\.io/([0-9a-z]{5})",
    re.IGNORECASE | re.DOTALL,
)
KINDS = ("nodes", "registrations", "preprints")
"""What five characters may stand for, the most frequent first; the interface keeps them apart."""


class Osf(OneByOne):
    """Projects, registrations and preprints on osf.io."""

    name = "osf"
    lane = "api.osf.io"

    def target(self, url: str) -> Target | None:
        """Return the target of a project's address or DOI."""
        found = ADDRESS.fullmatch(url)
        if not found:
            return None
        guid = (found[1] or found[2]).lower()
        home = f"https://osf.io/{guid}"
        return Target(home, home, self.name, "", guid, "api.osf.io")

    def check(self, target: Target, desk: Desk) -> LinkCheck:
        """Return the verdict on one project."""
        for kind in KINDS:
            url = f"https://api.osf.io/v2/{kind}/{target.name}/"
            reply = desk.client.get(url, accept="application/vnd.api+json, application/json", keep=True)
            if reply.status == 200:
                return read_node(reply, target)
            if reply.status == 410:
                return missing(reply, "withdrawn from OSF")
            if reply.status in {401, 403}:
                return missing(reply, "private")
            if reply.status != 404:
                return unsure(reply)
        return self.check_other(target, desk)

    def check_other(self, target: Target, desk: Desk) -> LinkCheck:
        """Return the verdict on five characters that are none of these kinds; they may name a file."""
        url = f"https://api.osf.io/v2/guids/{target.name}/"
        reply = desk.client.get(url, accept="application/vnd.api+json, application/json", keep=True)
        if reply.status == 200:
            return available(reply, LinkFacts(host_id=target.name))
        if reply.status in {404, 410}:
            return missing(reply, "nothing public under this address")
        return unsure(reply)


def read_node(reply: "Reply", target: Target) -> LinkCheck:
    """Return the verdict on a project, registration or preprint that the interface describes."""
    record = record_of(reply)
    facts = LinkFacts(
        name=required(reply, record, "data", "attributes", "title"),
        host_id=target.name,
        description=text_of(record, "data", "attributes", "description"),
        last_push=text_of(record, "data", "attributes", "date_modified"),
    )
    return available(reply, facts)
