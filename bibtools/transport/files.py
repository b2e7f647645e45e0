"""Whole files, which may be large: straight to disk, gone on with after a break, in place only when whole."""

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import Struct
from requests import Response

from bibtools.errors import FetchError
from bibtools.transport.client import Client, redirect_target
from bibtools.transport.failures import KINDS
from bibtools.transport.policy import RETRIED, backoff, may_pass
from bibtools.transport.reply import utc_now

Progress = Callable[[int, int | None], None]
"""Called with the bytes there so far and, where the host tells, in all."""
CONTENT_RANGE = re.compile(r"bytes (\d{1,15})-\d{1,15}/", re.ASCII)
HOURS = 6 * 3_600.0
"""Longest time for one file."""


class Fetched(Struct, frozen=True):
    """A file that was brought."""

    path: Path
    url: str
    """The address that answered, after redirects."""
    size: int
    etag: str
    asked_at: str
    changed: bool = True
    """False when the host said that the file is still the one of `known_etag`; then nothing was written."""


def fetch_file(
    client: Client,
    url: str,
    path: Path,
    *,
    progress: Progress | None = None,
    known_etag: str = "",
    max_bytes: int = 2_000_000_000,
) -> Fetched:
    """Bring a file to `path`, which changes only once the whole file is there.

    What came before a break is kept as `PATH.part` and gone on with, by this call and by the next one, as
    long as the host says that the file is the same.

    Raises:
        FetchError: it cannot be brought; the status is in the message when the host answered with one.
        OSError: the disk does not take it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    download = Download(client, url, path, progress, known_etag, max_bytes)
    attempt = 0
    while True:
        attempt += 1
        before = download.size()
        try:
            return download.run()
        except FetchError as error:
            if not (may_pass(error.kind) or error.kind == "server-error"):
                raise
            attempt = 1 if download.size() > before else attempt
            if attempt >= client.policy.attempts:
                raise
            client.clock.wait(backoff(client.policy, attempt), url)


class Download:
    """One file on its way."""

    def __init__(
        self, client: Client, url: str, path: Path, progress: Progress | None, known_etag: str, max_bytes: int
    ) -> None:
        self.client, self.url, self.path = client, url, path
        self.progress, self.known_etag, self.max_bytes = progress, known_etag, max_bytes
        self.part = path.with_name(f"{path.name}.part")
        self.mark = path.with_name(f"{path.name}.part.etag")
        """Holds the ETag of what `part` is the beginning of."""

    def size(self) -> int:
        """Return how many bytes are there already."""
        return self.part.stat().st_size if self.part.exists() else 0

    def run(self) -> Fetched:
        """Ask once, from where the last try ended, and write what comes."""
        url, asked_at = self.url, utc_now()
        for _ in range(self.client.policy.max_redirects + 1):
            gate = self.client.gates.gate(urlsplit(url).hostname or "")
            with (
                gate.passing(self.client.clock, self.client.policy.max_wait, url),
                self.client.open("GET", url, self.headers()) as response,
            ):
                headers = {name.lower(): value for name, value in response.headers.items()}
                target = redirect_target(url, response.status_code, headers.get("location", ""))
                if target:
                    url = target
                    continue
                etag = headers.get("etag", "")
                if response.status_code == 304:
                    return Fetched(self.path, url, 0, self.known_etag, asked_at, changed=False)
                self.receive(response, url, headers)
            return self.finish(url, etag, asked_at)
        raise FetchError(KINDS["redirects"], self.url, "redirects")

    def headers(self) -> dict[str, str]:
        """Return the request headers: the rest of a known part, or the file if it changed."""
        headers = {"Accept": "*/*", "Accept-Encoding": "identity"}
        if self.size() and self.mark.exists():
            headers["Range"] = f"bytes={self.size()}-"
            headers["If-Range"] = self.mark.read_text(encoding="utf-8")
        elif self.known_etag and self.path.exists():
            headers["If-None-Match"] = self.known_etag
        return headers

    def receive(self, response: Response, url: str, headers: dict[str, str]) -> None:
        """Write the body of an answer to the part file."""
        start = self.start(response.status_code, url, headers)
        length = headers.get("content-length", "")
        packed = headers.get("content-encoding", "identity") != "identity"
        total = start + int(length) if length.isdigit() and not packed else None
        if (total or 0) > self.max_bytes:
            raise FetchError(KINDS["too-large"], url, "too-large")
        done = start
        with self.part.open("ab" if start else "wb") as stream:
            for chunk in self.client.chunks(response, url, HOURS):
                stream.write(chunk)
                done += len(chunk)
                if done > self.max_bytes:
                    raise FetchError(KINDS["too-large"], url, "too-large")
                if self.progress:
                    self.progress(done, total)
        if total is not None and done != total:
            raise FetchError(KINDS["cut-off"], url, "cut-off")

    def start(self, status: int, url: str, headers: dict[str, str]) -> int:
        """Return the offset at which an answer begins, and note what file it is of."""
        if status == 206:
            found = CONTENT_RANGE.match(headers.get("content-range", ""))
            if found and int(found[1]) == self.size():
                return self.size()
        if status != 200:
            self.part.unlink(missing_ok=True)
            kind = "server-error" if status in RETRIED or status in {206, 416} else "bad-reply"
            raise FetchError(f"the host answered {status}", url, kind)
        self.mark.unlink(missing_ok=True)
        etag = headers.get("etag", "")
        if etag and not etag.startswith("W/"):
            self.mark.write_text(etag, encoding="utf-8")
        return 0

    def finish(self, url: str, etag: str, asked_at: str) -> Fetched:
        """Put the whole file in its place."""
        size = self.size()
        self.part.replace(self.path)
        self.mark.unlink(missing_ok=True)
        return Fetched(self.path, url, size, etag, asked_at)
