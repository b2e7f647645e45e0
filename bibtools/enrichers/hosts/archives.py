"""Archives: dated copies of what is gone, and the wish to have the living kept.

Sources: Software Heritage's REST documentation ("origin visit latest", "save"), whose bulk call is
`visit/latest`; the Wayback Machine's availability interface, where an empty answer does not mean "never".
"""

from typing import TYPE_CHECKING
from urllib.parse import quote

from bibtools.enrichers.hosts.base import record_of, text_of, unless_over
from bibtools.errors import FetchError
from bibtools.outcomes import Capture

if TYPE_CHECKING:
    from bibtools.transport import Client

HERITAGE = "https://archive.softwareheritage.org"
WAYBACK = "https://archive.org/wayback/available"


def find_captures(client: "Client", url: str, is_repository: bool) -> tuple[Capture, ...]:
    """Return the newest copy of an address: a repository's in Software Heritage, else the one in Wayback.

    An archive that does not answer adds nothing.

    Raises:
        FetchError: the run is over.
    """
    for ask in (heritage_capture, wayback_capture) if is_repository else (wayback_capture,):
        try:
            capture = ask(client, url)
        except FetchError as error:
            unless_over(error)
            continue
        if capture is not None:
            return (capture,)
    return ()


def heritage_capture(client: "Client", origin: str) -> Capture | None:
    """Return Software Heritage's newest whole visit of a repository, or None.

    Raises:
        FetchError: no answer.
    """
    reply = client.get(
        f"{HERITAGE}/api/1/origin/{origin}/visit/latest/?require_snapshot=true",
        accept="application/json",
        keep=True,
    )
    if reply.status != 200:
        return None
    record = record_of(reply)
    snapshot = text_of(record, "snapshot")
    if not is_hash(snapshot):
        return None
    swhid = f"swh:1:snp:{snapshot}"
    url = f"{HERITAGE}/{swhid};origin={origin}"
    return Capture("software-heritage", url, text_of(record, "date"), swhid)


def wayback_capture(client: "Client", url: str) -> Capture | None:
    """Return the Wayback Machine's newest good copy, or None.

    Raises:
        FetchError: no answer.
    """
    reply = client.get(f"{WAYBACK}?url={quote(url, safe='')}", accept="application/json", keep=True)
    if reply.status != 200:
        return None
    snapshots = record_of(reply).get("archived_snapshots")
    closest = snapshots.get("closest") if isinstance(snapshots, dict) else None
    stamp, address = text_of(closest, "timestamp"), text_of(closest, "url")
    if text_of(closest, "status") != "200" or len(stamp) < 8 or not stamp.isdigit() or not address:
        return None
    return Capture("wayback", address.replace("http://", "https://", 1), wayback_date(stamp))


def save_origin(client: "Client", origin: str) -> str:
    """Ask Software Heritage to keep a repository; return its word on it: `accepted`, `pending`, `rejected` …

    Raises:
        FetchError: no answer.
    """
    reply = client.post_json(f"{HERITAGE}/api/1/origin/save/git/url/{origin}/", {})
    if reply.status not in {200, 201}:
        return f"refused ({reply.status})"
    return text_of(record_of(reply), "save_request_status") or "accepted"


def revision_swhid(commit: str) -> str:
    """Return the SWHID of a git commit; empty for anything but 40 hexadecimal digits.

    >>> revision_swhid("ab" * 20)
    'swh:1:rev:abababababababababababababababababababab'
    """
    return f"swh:1:rev:{commit}" if is_hash(commit) else ""


def is_hash(text: str) -> bool:
    """Return whether this is a SHA-1 in lower-case hexadecimal digits."""
    return len(text) == 40 and all(letter in "0123456789abcdef" for letter in text)


def wayback_date(stamp: str) -> str:
    """Return the ISO date of a Wayback time stamp.

    >>> wayback_date("20240701123000")
    '2024-07-01'
    """
    return f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]}"
