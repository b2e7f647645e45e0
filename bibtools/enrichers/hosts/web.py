"""Any other web address, asked for as a browser would."""

from urllib.parse import urlsplit

from bibtools.enrichers.hosts.base import Desk, OneByOne, Target
from bibtools.enrichers.hosts.browse import get_page, read_page
from bibtools.enrichers.hosts.pages import add_repository
from bibtools.outcomes import LinkCheck


class Web(OneByOne):
    """Addresses that no other module knows."""

    name = "web"
    lane = "web"

    def target(self, url: str) -> Target | None:
        """Return the target of any http(s) address."""
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            return None
        address = url.partition("#")[0]
        return Target(address, address, self.name, site=parts.hostname)

    def check(self, target: Target, desk: Desk) -> LinkCheck:
        """Return the verdict on one address; on a page that is said to offer code, with its repository."""
        reply = get_page(desk.client, target.url)
        check = read_page(reply, target.url)
        return add_repository(check, reply, target, desk) if target.offers_code else check
