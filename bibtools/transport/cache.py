"""Answers on disk, one JSON file each, for asking again with an ETag or not at all.

No request header is kept. Answers to requests with a token are kept apart from those without (the file's
name is a digest of address, wanted type and token), so nobody is shown what only a token may see.
"""

import hashlib
import os
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from bibtools.transport.reply import Reply

KEPT_STATUS = frozenset({200, 301, 404, 410, 451})
KEPT_HEADERS = frozenset({"content-type", "etag", "last-modified", "location", "x-error-code", "link"})
NEGATIVE_AGE = 3_600.0
"""Seconds for which "there is nothing" is believed without asking again."""


class ReplyCache:
    """A folder of answers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, url: str, accept: str, token: str) -> Path:
        """Return the file for an answer."""
        digest = hashlib.sha256("\0".join((url, accept, token)).encode()).hexdigest()
        return self.folder / digest[:2] / f"{digest[2:40]}.json"

    def load(self, path: Path) -> Reply | None:
        """Return a kept answer; None if there is none, or none that can be read."""
        try:
            return msgspec.json.decode(path.read_bytes(), type=Reply)
        except (OSError, msgspec.DecodeError):
            return None

    def store(self, path: Path, reply: Reply) -> None:
        """Keep an answer; a disk that is full or read-only only costs the next run time."""
        if reply.status not in KEPT_STATUS or reply.truncated:
            return
        headers = {name: value for name, value in reply.headers.items() if name in KEPT_HEADERS}
        data = msgspec.json.encode(msgspec.structs.replace(reply, headers=headers))
        try:
            write_whole(path, data)
        except OSError:
            return

    @staticmethod
    def is_fresh(reply: Reply, max_age: float) -> bool:
        """Return whether a kept answer may be used without asking."""
        return age_of(reply.asked_at) <= (max_age if reply.status == 200 else min(max_age, NEGATIVE_AGE))


def age_of(asked_at: str) -> float:
    """Return the seconds since an ISO time; infinite if it cannot be read."""
    try:
        moment = datetime.fromisoformat(asked_at)
    except ValueError:
        return float("inf")
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (datetime.now(UTC) - aware).total_seconds()


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that other processes see all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".part-")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
