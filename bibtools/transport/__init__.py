"""The one place that opens sockets: address guard, pace per host, retries, size and time bounds, cache.

    with open_client(settings) as client:
        reply = client.get("https://api.github.com/repos/o/r", accept="application/vnd.github+json")

Every failure is a `FetchError` whose `kind` is one of `failures.KINDS`; an answer of any status is a `Reply`.
Importing this package loads requests, so it is imported where it is used.
"""

from bibtools.transport.client import Client
from bibtools.transport.files import Fetched, fetch_file
from bibtools.transport.policy import Pace, Policy
from bibtools.transport.reply import Reply
from bibtools.transport.setup import open_client, policy_from

__all__ = ["Client", "Fetched", "Pace", "Policy", "Reply", "fetch_file", "open_client", "policy_from"]
