"""What a service answered, as a value."""

import re
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec import Struct

from bibtools.errors import FetchError
from bibtools.outcomes import Evidence, Redirect

CHARSET = re.compile(r"charset=[\"']?([\w.:-]{1,40})", re.ASCII | re.IGNORECASE)


def utc_now() -> str:
    """Return the present time as ISO date and time to the second, UTC."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Reply(Struct, frozen=True):
    """One answer. A cached one differs only by its older `asked_at`."""

    method: str
    url: str
    """The address that answered: after redirects, before routing to a mirror."""
    status: int
    headers: dict[str, str]
    """By lower-case name."""
    body: bytes
    asked_at: str
    redirects: tuple[Redirect, ...] = ()
    truncated: bool = False
    """The body was longer than the bound; `body` is its beginning."""

    def header(self, name: str) -> str:
        """Return a header by lower-case name, or an empty string."""
        return self.headers.get(name, "")

    @property
    def media_type(self) -> str:
        """The content type without parameters, lower case."""
        return self.header("content-type").partition(";")[0].strip().lower()

    @property
    def text(self) -> str:
        """The body decoded by its declared charset, else UTF-8; wrong bytes are replaced."""
        found = CHARSET.search(self.header("content-type"))
        try:
            return self.body.decode(found.group(1) if found else "utf-8", errors="replace")
        except (LookupError, UnicodeError):
            return self.body.decode("utf-8", errors="replace")

    def json(self) -> Any:
        """Return the body read as JSON.

        Raises:
            FetchError: it is not JSON (kind `challenged` for a web page, else `bad-reply`).
        """
        if self.media_type in {"text/html", "application/xhtml+xml"}:
            raise FetchError("a web page came where data was asked for", self.url, "challenged")
        try:
            return msgspec.json.decode(self.body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise FetchError("the answer is not JSON", self.url, "bad-reply") from error

    def evidence(self, answer: str = "") -> Evidence:
        """Return this answer as evidence, with a few words on what it said."""
        asked = self.redirects[0].url if self.redirects else self.url
        return Evidence(
            method=self.method,
            url=asked,
            asked_at=self.asked_at,
            status=self.status,
            answer=answer,
            redirects=self.redirects,
        )
