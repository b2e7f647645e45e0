"""The HTTP client: every request of bibtools goes through `Client.request`."""

import os
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.cookiejar import DefaultCookiePolicy
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urljoin, urlsplit

import msgspec
import requests
import requests.utils
import urllib3

from bibtools.errors import FetchError
from bibtools.outcomes import Redirect
from bibtools.transport.cache import ReplyCache
from bibtools.transport.connection import GuardedAdapter
from bibtools.transport.failures import KINDS, to_fetch_error
from bibtools.transport.guard import Guard, default_port
from bibtools.transport.pacing import Clock, Gates
from bibtools.transport.policy import (
    Policy,
    backoff,
    is_for_all,
    is_throttled,
    may_pass,
    pause_after,
    tries_again,
)
from bibtools.transport.reply import Reply, utc_now

REDIRECTS = frozenset({301, 302, 303, 307, 308})
CHUNK = 65_536
WIRE_ERRORS = (requests.RequestException, urllib3.exceptions.HTTPError, OSError, ValueError)


class Client:
    """Asks, politely and within bounds; may be used from many threads at once.

    Failures raise FetchError; an answer of any status is a Reply. Close it, or use it as a context manager.
    """

    def __init__(self, policy: Policy | None = None) -> None:
        self.policy = policy or Policy()
        routed = {parts.netloc for parts in map(urlsplit, self.policy.routes.values())}
        self.guard = Guard(self.policy.exempt_hosts | routed)
        self.clock = Clock()
        self.gates = Gates(self.policy)
        self.cache = ReplyCache(Path(self.policy.cache_folder)) if self.policy.cache_folder else None
        self._local = threading.local()
        self._sessions: list[requests.Session] = []
        self._lock = threading.Lock()

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        with self._lock:
            sessions, self._sessions = self._sessions, []
        for session in sessions:
            session.close()
        self._local = threading.local()

    def cancel(self) -> None:
        """Let every wait and every further request, in any thread, end with FetchError `interrupted`."""
        self.clock.stopped.set()

    def proxy_for(self, url: str) -> str:
        """Return the proxy that requests to this address go through, or an empty string.

        Behind a proxy the address guard sees names only; the proxy is trusted to stay out of private nets.
        """
        proxies = self._proxies(self.route(url))
        return proxies.get(urlsplit(url).scheme) or proxies.get("all", "")

    def route(self, url: str) -> str:
        """Return where to ask for this address: itself, or its place in a mirror."""
        routes = self.policy.routes
        for base, mirror in routes.items():
            if base != "*" and (url == base or url.startswith((f"{base}/", f"{base}?"))):
                return mirror + url[len(base) :]
        if "*" in routes and not url.startswith(tuple(routes.values())):
            return f"{routes['*']}/{url.partition('://')[2]}"
        return url

    def get(
        self,
        url: str,
        *,
        accept: str = "*/*",
        headers: Mapping[str, str] | None = None,
        max_bytes: int | None = None,
        attempts: int | None = None,
        keep: bool = False,
    ) -> Reply:
        """Return the answer to a GET.

        Args:
            keep: keep the answer on disk; one that is there is asked for with its ETag or, while fresh, not.
        Raises:
            FetchError: no answer; `kind` says why.
        """
        wanted = {"Accept": accept, **(headers or {})}
        if not (keep and self.cache):
            return self.request("GET", url, headers=wanted, max_bytes=max_bytes, attempts=attempts)
        path = self.cache.path(url, accept, self._token(url))
        kept = self.cache.load(path)
        if kept and self.cache.is_fresh(kept, self.policy.max_age) and not self.policy.offline:
            return kept
        if kept and not kept.redirects and kept.status == 200:
            wanted |= conditions(kept)
        reply = self.request("GET", url, headers=wanted, max_bytes=max_bytes, attempts=attempts)
        if reply.status == 304 and kept:
            reply = msgspec.structs.replace(kept, asked_at=reply.asked_at)
        self.cache.store(path, reply)
        return reply

    def post_json(
        self,
        url: str,
        payload: Any,
        *,
        lane: str = "",
        max_bytes: int | None = None,
        attempts: int | None = None,
    ) -> Reply:
        """Return the answer to a POST with a JSON body; redirects are not followed."""
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        data = msgspec.json.encode(payload)
        return self.request(
            "POST", url, headers=headers, data=data, lane=lane, max_bytes=max_bytes, attempts=attempts
        )

    def request(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        data: bytes | None = None,
        lane: str = "",
        max_bytes: int | None = None,
        attempts: int | None = None,
    ) -> Reply:
        """Return the answer to a request, after redirects (GET and HEAD only) and as many tries as it needs.

        Args:
            lane: whose pace counts; empty: the host's.
            max_bytes: most bytes of body kept, after decompression.
            attempts: tries in place of the policy's; being told to slow down does not use them up.
        Raises:
            FetchError: no answer; `kind` says why.
        """
        bound = self.policy.max_bytes if max_bytes is None else max_bytes
        chain: list[Redirect] = []
        asked_at = utc_now()
        while True:
            reply = self._persist(method, url, dict(headers or {}), data, lane, bound, attempts)
            target = redirect_target(url, reply.status, reply.header("location"))
            if not target or method not in {"GET", "HEAD"}:
                return msgspec.structs.replace(reply, redirects=tuple(chain), asked_at=asked_at)
            chain.append(Redirect(url, reply.status, target))
            if len(chain) > self.policy.max_redirects or target in {step.url for step in chain}:
                raise RedirectError(chain)
            url, lane = target, ""

    def _persist(
        self,
        method: str,
        url: str,
        headers: dict[str, str],
        data: bytes | None,
        lane: str,
        max_bytes: int,
        attempts: int | None,
    ) -> Reply:
        """Return the answer of one hop, asking again where the policy says so."""
        gate = self.gates.gate(lane or urlsplit(url).hostname or "")
        tries = attempts or self.policy.attempts
        attempt, waited = 0, 0.0
        while True:
            attempt += 1
            last = attempt >= (1 if gate.in_trouble else tries)
            try:
                with gate.passing(self.clock, self.policy.max_wait, url):
                    reply = self._send(method, url, headers, data, max_bytes)
            except FetchError as error:
                if not may_pass(error.kind):
                    raise
                if last:
                    gate.note(answered=False)
                    raise
                self.clock.wait(backoff(self.policy, attempt), url)
                continue
            gate.note(answered=True)
            pause = pause_after(reply, time.time())
            for quieted in self.gates.sharing(url) if is_for_all(reply) else [gate]:
                quieted.keep_quiet(pause)
            if not tries_again(reply):
                return reply
            patient = is_throttled(reply) and attempt < self.policy.attempts
            wait = max(pause, backoff(self.policy, attempt))
            waited += wait
            if waited > self.policy.max_wait or (last and not patient):
                raise given_up(reply)
            self.clock.wait(wait, url)

    def _send(
        self, method: str, url: str, headers: dict[str, str], data: bytes | None, max_bytes: int
    ) -> Reply:
        """Send one request once and read its answer."""
        asked_at = utc_now()
        with self.open(method, url, headers, data) as response:
            body, truncated = b"", False
            if method != "HEAD":
                body, truncated = self._read(response, url, max_bytes)
            names = {name.lower(): value for name, value in response.headers.items()}
            return Reply(method, url, response.status_code, names, body, asked_at, truncated=truncated)

    @contextmanager
    def open(
        self, method: str, url: str, headers: Mapping[str, str], data: bytes | None = None
    ) -> Iterator[requests.Response]:
        """Send one request and give its response with the body unread, closing it afterwards."""
        if self.policy.offline:
            raise FetchError(KINDS["offline"], url, "offline")
        self.clock.check(url)
        target = self.route(url)
        self.guard.check_url(url)
        self.guard.check_url(target)
        token = self._token(url)
        sent = {
            "User-Agent": self.policy.user_agent,
            **headers,
            **({"Authorization": token} if token else {}),
        }
        left = self.clock.left()
        timeout = (min(self.policy.connect_timeout, left), min(self.policy.read_timeout, left))
        try:
            response = self._session().request(
                method,
                target,
                headers=sent,
                data=data,
                stream=True,
                allow_redirects=False,
                timeout=timeout,
                proxies=self._proxies(target),
                verify=os.environ.get("REQUESTS_CA_BUNDLE") or os.environ.get("CURL_CA_BUNDLE") or True,
            )
        except WIRE_ERRORS as error:
            raise to_fetch_error(error, url) from error
        with response:
            yield response

    def _read(self, response: requests.Response, url: str, max_bytes: int) -> tuple[bytes, bool]:
        """Return the decompressed body up to a bound, and whether there was more of it."""
        parts: list[bytes] = []
        size = 0
        for chunk in self.chunks(response, url, self.policy.whole_timeout):
            parts.append(chunk)
            size += len(chunk)
            if size > max_bytes:
                return b"".join(parts)[:max_bytes], True
        return b"".join(parts), False

    def chunks(self, response: requests.Response, url: str, seconds: float) -> Iterator[bytes]:
        """Yield the decompressed body as it comes; FetchError if it takes longer than `seconds` in all."""
        end = time.monotonic() + min(seconds, self.clock.left())
        try:
            while chunk := response.raw.read1(CHUNK, decode_content=True):
                yield chunk
                if time.monotonic() > end:
                    raise FetchError(KINDS["timeout"], url, "timeout")
        except WIRE_ERRORS as error:
            raise to_fetch_error(error, url) from error

    def _session(self) -> requests.Session:
        """Return this thread's session, which reads no credentials from files and keeps no cookies."""
        session: requests.Session | None = getattr(self._local, "session", None)
        if session is None:
            session = requests.Session()
            session.trust_env = False
            session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
            head = self.policy.connect_timeout + self.policy.read_timeout
            for scheme in ("http://", "https://"):
                session.mount(scheme, GuardedAdapter(self.guard, head))
            self._local.session = session
            with self._lock:
                self._sessions.append(session)
        return session

    def _proxies(self, target: str) -> dict[str, str]:
        """Return the proxies by scheme for an address; none for hosts named in the settings."""
        if self.policy.proxies is not None:
            return dict(self.policy.proxies)
        parts = urlsplit(target)
        if self.guard.is_exempt(parts.hostname or "", parts.port or default_port(parts.scheme)):
            return {}
        return dict(requests.utils.get_environ_proxies(target))

    def _token(self, url: str) -> str:
        """Return the Authorization value for an address: only for the very origin that it was given for."""
        parts = urlsplit(url)
        return self.policy.tokens.get(f"{parts.scheme}://{parts.netloc}", "")


class RedirectError(FetchError):
    """Redirects that go in a circle or on for too long; `chain` has the steps."""

    def __init__(self, chain: list[Redirect]) -> None:
        self.chain = tuple(chain)
        super().__init__(KINDS["redirects"], chain[0].url, "redirects")


def redirect_target(url: str, status: int, location: str) -> str:
    """Return the absolute address that an answer redirects to, or an empty string."""
    if status not in REDIRECTS or not location:
        return ""
    try:
        return urljoin(url, location.strip())
    except ValueError as error:
        raise FetchError(KINDS["redirects"], url, "redirects") from error


def conditions(kept: Reply) -> dict[str, str]:
    """Return the headers that ask for an answer only if it changed."""
    if kept.header("etag"):
        return {"If-None-Match": kept.header("etag")}
    changed = kept.header("last-modified")
    return {"If-Modified-Since": changed} if changed else {}


def given_up(reply: Reply) -> FetchError:
    """Return the failure of a request that got no real answer after the last try."""
    if is_throttled(reply):
        return FetchError(f"{KINDS['throttled']} ({reply.status})", reply.url, "throttled")
    return FetchError(f"{KINDS['server-error']} ({reply.status})", reply.url, "server-error")
