"""The one place that opens sockets: address guard, pace per host, retries, size and time bounds, cache.

    policy = Policy(user_agent="bibtools/1.0", tokens={"https://api.github.com": token})
    with Client(policy) as client:
        reply = client.get("https://api.github.com/repos/o/r", accept="application/vnd.github+json")

Every failure is a `FetchError` whose `kind` is one of `failures.KINDS`; an answer of any status is a `Reply`.
Importing this package loads requests, so it is imported where it is used.
"""

from bibtools.transport.client import Client
from bibtools.transport.files import Fetched, fetch_file
from bibtools.transport.policy import Pace, Policy
from bibtools.transport.reply import Reply

__all__ = ["Client", "Fetched", "Pace", "Policy", "Reply", "fetch_file"]
