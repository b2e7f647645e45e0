"""What a plain GET of a web page says about its address, and what it does not say.

Only 404 and 410 are a "no". Refusals, faults and log-in pages are `unsure`, pages that check for bots
`challenged`. Source of the status meanings: RFC 9110 and RFC 7725.
"""

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bibtools.enrichers.hosts.base import (
    UNAVAILABLE_FOR_LEGAL_REASONS,
    available,
    blocked,
    missing,
    unless_over,
    unsure,
)
from bibtools.enrichers.hosts.challenges import is_challenge
from bibtools.enrichers.hosts.page import read_html
from bibtools.errors import FetchError
from bibtools.outcomes import LinkCheck, LinkFacts, LinkFlag
from bibtools.text.urls import normalise_url

if TYPE_CHECKING:
    from bibtools.transport import Client, Reply

ACCEPT = "text/html,application/xhtml+xml,*/*;q=0.5"
PAGE_BYTES = 400_000
TRIES = 3
"""Tries for a page: a host of one's own that is down keeps a run waiting for longest."""
PERMANENT = frozenset({301, 308})
FORWARDERS = frozenset(
    {
        "doi.org", "dx.doi.org", "hdl.handle.net", "w3id.org", "purl.org", "n2t.net",
        "bit.ly", "tinyurl.com", "t.co", "goo.gl", "git.io", "ow.ly",
        "is.gd", "rb.gy", "aka.ms", "g.co", "forms.gle", "youtu.be",
    }
)  # fmt: skip
"""Hosts whose addresses lead elsewhere by design, so that a redirect is no move."""
LOGIN = re.compile(
    r"/(?:log[_-]?in|sign[_-]?in|users/sign_in|auth|sso|session|accounts?/login|oauth\w*)(?:[/?.]|$)"
)
LOGIN_HOSTS = re.compile(r"(?:accounts|login|signin|auth|sso|idp|passport)\..+")
NOTHING = re.compile(
    r"(?:error )?404\b|(?:(?:page|site|file|project|repository|document|content) )?(?:was )?not found\b"
    r"|(?:page|site) (?:does not exist|unavailable)|site not found",
    re.IGNORECASE,
)
"""How titles begin that say so, though the status was a good one."""
FOR_SALE = re.compile(
    r"\b(?:domain|website)\b.{0,60}\bfor sale\b|\bis for sale\b|\bparked domain\b", re.IGNORECASE
)
PLAIN_AGAIN = frozenset({"connect", "tls", "timeout"})
"""Failures after which an address is tried without TLS: the normal form is https, the host may not be."""


def get_page(client: "Client", url: str) -> "Reply":
    """Return the answer of a web address, over plain http where https cannot be had.

    Raises:
        FetchError: no answer either way; the failure of the first try.
    """
    try:
        return client.get(url, accept=ACCEPT, max_bytes=PAGE_BYTES, attempts=TRIES)
    except FetchError as error:
        if error.kind not in PLAIN_AGAIN or not url.startswith("https://"):
            raise
        try:
            plain = f"http://{url.removeprefix('https://')}"
            return client.get(plain, accept=ACCEPT, max_bytes=PAGE_BYTES, attempts=1)
        except FetchError as second:
            unless_over(second)
            raise error from None


def read_page(reply: "Reply", url: str) -> LinkCheck:
    """Return the verdict that an answer to a plain GET means."""
    if is_challenge(reply):
        return LinkCheck("challenged", reason="a page for bots came", evidence=(reply.evidence(),))
    if reply.status in {404, 410}:
        return missing(reply, "the host has no such page")
    if reply.status == UNAVAILABLE_FOR_LEGAL_REASONS:
        return blocked(reply, "blocked for legal reasons")
    if not 200 <= reply.status < 300:
        return unsure(reply)
    title = read_html(reply.text[:PAGE_BYTES]).title if "html" in reply.media_type else ""
    doubt = doubt_of_place(reply, url) or doubt_of_title(title)
    if doubt:
        return unsure(reply, doubt)
    moved_to = permanent_home(reply, url)
    flags: list[LinkFlag] = ["moved"] if moved_to else []
    return available(reply, LinkFacts(name=title), flags, moved_to)


def doubt_of_title(title: str) -> str:
    """Return why a page's own title says that it is not the one asked for, or an empty string.

    >>> doubt_of_title("Page not found · x"), doubt_of_title("x.org is for sale"), doubt_of_title("Widgets")
    ('the page says that there is nothing', 'the domain is for sale', '')
    """
    if NOTHING.match(title):
        return "the page says that there is nothing"
    return "the domain is for sale" if FOR_SALE.search(title) else ""


def doubt_of_place(reply: "Reply", url: str) -> str:
    """Return why the place that a redirect led to may not be the one asked for, or an empty string."""
    if not reply.redirects:
        return ""
    landed, asked = urlsplit(reply.url), urlsplit(url)
    if LOGIN.search(landed.path.lower()) or LOGIN_HOSTS.fullmatch(landed.hostname or ""):
        return "the host wants a log-in"
    if asked.hostname in FORWARDERS:
        return ""
    to_front = landed.path in {"", "/"} and not landed.query and asked.path not in {"", "/"}
    if to_front and (bare(landed.hostname) == bare(asked.hostname) or not is_permanent(reply)):
        return "the address leads to a front page"
    return ""


def bare(host: str | None) -> str:
    """Return a host without `www.`."""
    return (host or "").removeprefix("www.")


def is_permanent(reply: "Reply") -> bool:
    """Return whether every step of the way here was a permanent redirect."""
    return all(step.status in PERMANENT for step in reply.redirects)


def permanent_home(reply: "Reply", url: str) -> str:
    """Return where an address has moved for good, if it is truly another one."""
    if urlsplit(url).hostname in FORWARDERS or not reply.redirects or not is_permanent(reply):
        return ""
    landed = normalise_url(reply.url)
    return "" if spelling(landed) == spelling(url) else landed


def spelling(url: str) -> str:
    """Return an address without what servers add by themselves: `www.`, index page, final slash, fragment."""
    plain = normalise_url(url).partition("#")[0].removeprefix("https://").removeprefix("www.")
    return re.sub(r"/(?:index|default)\.\w{3,5}$", "", plain).rstrip("/").lower()
