"""A web server of our own on 127.0.0.1, for tests: real sockets, real redirects, real refusals.

Clients reach it by the policy's route `*`: a request for `https://host/path` arrives as
`http://127.0.0.1:PORT/host/path`, and the rules below see `host` and `path` apart again.
"""

import gzip
import json
import socket
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any
from urllib.parse import unquote, urlsplit

from msgspec import Struct


class Asked(Struct, frozen=True):
    """One request as it came."""

    method: str
    host: str
    path: str
    """Path and query, percent-encoding as sent."""
    headers: dict[str, str]
    body: bytes = b""
    began: float = 0.0

    @property
    def plain_path(self) -> str:
        """The path without its query, decoded."""
        return unquote(urlsplit(self.path).path)

    @property
    def url(self) -> str:
        """The address as the client meant it."""
        return f"https://{self.host}{self.path}"


class Answer(Struct, frozen=True):
    """What to answer, and how badly."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = {}
    delay: float = 0.0
    """Seconds before the head is sent."""
    cut_after: int | None = None
    """Close the connection after so many bytes of the body, with its whole length announced."""
    drip: float = 0.0
    """Seconds between single bytes of the body."""
    head_drip: float = 0.0
    """Seconds between header lines that never end."""
    hang_up: bool = False
    """Close the connection without any answer."""


def as_json(value: Any, status: int = 200, **headers: str) -> Answer:
    """Return an answer with a JSON body; underscores in header names stand for hyphens."""
    names = {name.replace("_", "-"): text for name, text in headers.items()}
    return Answer(
        status, json.dumps(value).encode(), {"Content-Type": "application/json; charset=utf-8"} | names
    )


def as_html(text: str, status: int = 200, **headers: str) -> Answer:
    """Return an answer with an HTML body."""
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, text.encode(), {"Content-Type": "text/html; charset=utf-8"} | names)


def moved_to(location: str, status: int = 301) -> Answer:
    """Return a redirect."""
    return Answer(status, b"", {"Location": location})


def zipped(answer: Answer) -> Answer:
    """Return the same answer, compressed."""
    return Answer(answer.status, gzip.compress(answer.body), answer.headers | {"Content-Encoding": "gzip"})


Rule = Callable[[Asked], Answer | None]


class Loopback:
    """The server. `rules` are asked in order; the first that answers wins, else 404.

    `spoil` may put a fault in place of any answer; `asked` holds every request in the order of arrival.
    """

    def __init__(self, *rules: Rule) -> None:
        self.rules = list(rules)
        self.spoil: Rule = lambda _: None
        self.asked: list[Asked] = []
        self.lock = threading.Lock()
        self.under_way = 0
        self.most_at_once: dict[str, int] = {}
        self._at_once: dict[str, int] = {}
        self.server = Server(("127.0.0.1", 0), type("Handler", (Handler,), {"loopback": self}))
        self.thread = threading.Thread(
            target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    def __enter__(self) -> "Loopback":
        self.thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    @property
    def base(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    @property
    def routes(self) -> dict[str, str]:
        """The routes that lead every address here."""
        return {"*": self.base}

    def answer(self, asked: Asked) -> Answer:
        """Return what the rules say."""
        for rule in (self.spoil, *self.rules):
            found = rule(asked)
            if found is not None:
                return found
        return as_json({"message": "Not Found", "status": "404"}, 404)

    def enter(self, asked: Asked) -> None:
        """Note that a request came."""
        with self.lock:
            self.asked.append(asked)
            now = self._at_once[asked.host] = self._at_once.get(asked.host, 0) + 1
            self.most_at_once[asked.host] = max(now, self.most_at_once.get(asked.host, 0))

    def leave(self, asked: Asked) -> None:
        """Note that its answer is out."""
        with self.lock:
            self._at_once[asked.host] -= 1

    def count(self, host: str, path: str = "") -> int:
        """Return how many requests came for a host, or for paths that begin so."""
        with self.lock:
            return sum(one.host == host and one.path.startswith(path) for one in self.asked)


class Server(ThreadingHTTPServer):
    """A threading server that says nothing when a client hangs up on it."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: the tests cut connections on purpose."""


class Handler(BaseHTTPRequestHandler):
    """Turns requests into Asked and Answer into bytes."""

    protocol_version = "HTTP/1.1"
    loopback: Loopback

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the base class's
        """Print nothing."""

    def setup(self) -> None:
        """Send small answers at once."""
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def handle_any(self) -> None:
        """Answer one request."""
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length) if length else b""
        # asked as a proxy, the path is a whole address
        host, _, path = self.path.removeprefix("http://").removeprefix("/").partition("/")
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(self.command, host, f"/{path}", headers, body, time.monotonic())
        self.loopback.enter(asked)
        try:
            self.send(self.loopback.answer(asked))
        finally:
            self.loopback.leave(asked)

    do_GET = do_HEAD = do_POST = handle_any

    def send(self, answer: Answer) -> None:
        """Send an answer, with its faults."""
        time.sleep(answer.delay)
        if answer.hang_up:
            self.close_connection = True
            return
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if answer.head_drip:
            self.drip_head(answer.head_drip)
            return
        if answer.status != 304:
            self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        if self.command == "HEAD" or answer.status == 304:
            return
        if answer.cut_after is not None:
            self.wfile.write(answer.body[: answer.cut_after])
            self.close_connection = True
        elif answer.drip:
            for index in range(len(answer.body)):
                self.wfile.write(answer.body[index : index + 1])
                time.sleep(answer.drip)
        else:
            self.wfile.write(answer.body)

    def drip_head(self, seconds: float) -> None:
        """Send header lines slowly until the client gives up."""
        self.flush_headers()
        self.close_connection = True
        for number in range(200):
            self.wfile.write(f"X-Filler-{number}: x\r\n".encode())
            time.sleep(seconds)
