"""How to ask: pace per host, bounds, and the one place where it is decided whether to try again.

Sources of the paces: GitHub's best practices (API requests one after another; at most 100 at once and
900 points a minute), arXiv (one request every three seconds), Crossref's polite pool, Hugging Face (500 API
requests in 5 minutes), Software Heritage, GitLab, Zenodo. A host's own headers always win over them.
"""

import random
import re
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from msgspec import Struct, field

from bibtools.transport.failures import PASSING
from bibtools.transport.reply import Reply


class Pace(Struct, frozen=True):
    """How fast one host may be asked."""

    at_once: int = 2
    """Most requests under way at one time."""
    every: float = 1.0
    """Least seconds between the starts of two requests, on the long run."""
    burst: int = 1
    """As many may start at once after a rest."""


PACES: dict[str, Pace] = {
    "api.github.com": Pace(4, 0.1, 250),
    "graphql api.github.com": Pace(1, 0.0),
    "github.com": Pace(4, 0.1),
    "raw.githubusercontent.com": Pace(2, 0.2),
    "gitlab.com": Pace(2, 0.2),
    "api.bitbucket.org": Pace(1, 0.5),
    "codeberg.org": Pace(2, 0.5),
    "huggingface.co": Pace(2, 0.6),
    "zenodo.org": Pace(1, 1.0),
    "archive.softwareheritage.org": Pace(2, 0.2),
    "archive.org": Pace(1, 1.0),
    "export.arxiv.org": Pace(1, 3.0),
    "arxiv.org": Pace(1, 3.0),
    "doi.org": Pace(2, 0.25),
    "api.semanticscholar.org": Pace(1, 1.0),
    "api.crossref.org": Pace(3, 0.34),
    "api.datacite.org": Pace(2, 0.34),
    "proceedings.mlr.press": Pace(2, 0.5),
}
"""Paces by host, or by lane (`graphql api.github.com`) where a service counts some requests apart."""


class Policy(Struct, frozen=True, kw_only=True):
    """Everything about how a Client asks. Times are seconds, sizes bytes."""

    user_agent: str = "bibtools"
    connect_timeout: float = 10.0
    read_timeout: float = 20.0
    """Longest silence of a host."""
    whole_timeout: float = 60.0
    """Longest time for one whole answer."""
    max_bytes: int = 2_000_000
    """Most bytes kept of one answer, after decompression."""
    max_redirects: int = 10
    attempts: int = 5
    """Tries for one request, the first included."""
    backoff: float = 1.0
    """Wait before the second try; doubled for each further one, with jitter."""
    max_wait: float = 120.0
    """Longest that a host may make one request wait, all tries together, before it counts as throttled."""
    paces: Mapping[str, Pace] = field(default_factory=lambda: PACES)
    default_pace: Pace = Pace()
    exempt_hosts: frozenset[str] = frozenset()
    """Hosts (`name` or `name:port`) that may be private; those of `routes` always may."""
    routes: Mapping[str, str] = {}
    """Mirrors: base address of a service → base address to ask instead; `*` stands for all others."""
    tokens: Mapping[str, str] = {}
    """Value of the Authorization header by origin (`https://api.github.com`); sent there and nowhere else."""
    proxies: Mapping[str, str] | None = None
    """Proxy by scheme; None: as the environment says."""
    cache_folder: str = ""
    """Where answers with an ETag are kept; empty: nowhere."""
    max_age: float = 0.0
    """Age up to which a kept answer is used without asking."""
    offline: bool = False
    """Refuse every request."""


THROTTLED = frozenset({429, 503})
RETRIED = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524})
REMAINING = ("x-ratelimit-remaining", "ratelimit-remaining")
RESET = ("x-ratelimit-reset", "ratelimit-reset")
EPOCH = 1_000_000_000.0
"""A reset time above this is seconds since 1970, else seconds from now."""
STRUCTURED = re.compile(r";\s*r=(\d{1,9}).*?;\s*t=(\d{1,9})", re.ASCII)
SECONDARY_WAIT = 60.0
"""GitHub: without Retry-After, wait at least a minute after a secondary limit."""


def pause_after(reply: Reply, now: float) -> float:
    """Return how many seconds a host asks to be left alone after this answer; 0 for not at all.

    Args:
        now: present time in seconds since 1970.
    """
    asked = retry_after(reply.header("retry-after"), now)
    if asked is not None and (reply.status in RETRIED or reply.status == 403):
        return asked
    if used_up(reply):
        return max(reset_in(reply, now), 0.0)
    if reply.status in {403, 429} and b"secondary rate limit" in reply.body[:2000]:
        return SECONDARY_WAIT
    return 0.0


def is_for_all(reply: Reply) -> bool:
    """Return whether a wish for quiet holds for all lanes of a host: it limits speed, not an allowance."""
    return reply.status in {403, 429} and not used_up(reply)


def is_throttled(reply: Reply) -> bool:
    """Return whether this answer says "too fast" instead of answering; a 403 alone does not."""
    if reply.status == 429:
        return True
    if reply.status not in {403, 503}:
        return False
    return bool(reply.header("retry-after")) or used_up(reply) or b"rate limit" in reply.body[:2000].lower()


def tries_again(reply: Reply) -> bool:
    """Return whether another try of the same request may give a real answer."""
    return reply.status in RETRIED or is_throttled(reply)


def may_pass(kind: str) -> bool:
    """Return whether a failure of this kind may be gone at the next try."""
    return kind in PASSING


def backoff(policy: Policy, attempt: int) -> float:
    """Return the seconds to wait after the failed try number `attempt`, from 1, with jitter."""
    return policy.backoff * 2.0 ** (attempt - 1) * random.uniform(0.75, 1.25)  # noqa: S311 - not a secret


def used_up(reply: Reply) -> bool:
    """Return whether the rate headers say that nothing is left."""
    if any(reply.header(name).strip() == "0" for name in REMAINING):
        return True
    found = STRUCTURED.search(reply.header("ratelimit"))
    return found is not None and int(found[1]) == 0


def reset_in(reply: Reply, now: float) -> float:
    """Return the seconds until the rate headers promise a new allowance; a minute if they do not say."""
    found = STRUCTURED.search(reply.header("ratelimit"))
    if found:
        return float(found[2])
    for name in RESET:
        value = reply.header(name).strip()
        if value.isascii() and value.isdigit() and len(value) < 12:
            return float(value) - now if float(value) > EPOCH else float(value)
    return SECONDARY_WAIT


def retry_after(value: str, now: float) -> float | None:
    """Return the seconds that a Retry-After header asks for, or None (RFC 9110, 10.2.3: a number or a date).

    >>> retry_after("120", 0.0), retry_after("soon", 0.0)
    (120.0, None)
    """
    value = value.strip()
    if value.isascii() and value.replace(".", "", 1).isdigit() and len(value) < 12:
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(aware.timestamp() - now, 0.0)


def clock_text(seconds: float) -> str:
    """Return the time of day, UTC, that many seconds from now, for messages."""
    return datetime.fromtimestamp(time.time() + seconds, UTC).strftime("%H:%M UTC")
