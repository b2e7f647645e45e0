"""One gate per host: how many requests at once, how close together, and when the host asked for quiet."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from bibtools.errors import FetchError
from bibtools.transport.failures import KINDS
from bibtools.transport.policy import Pace, Policy, clock_text

TROUBLE = 3
"""Requests in a row that got no answer at all, after which a host is tried once per request only."""


class Clock:
    """The run's time: waiting that a deadline or an interruption ends."""

    def __init__(self) -> None:
        self.deadline = float("inf")
        self.stopped = threading.Event()

    def limit(self, seconds: float) -> None:
        """Let the run's time end that many seconds from now."""
        self.deadline = time.monotonic() + seconds

    def check(self, url: str) -> None:
        """Raise FetchError if the run was interrupted or its time is used up."""
        if self.stopped.is_set():
            raise FetchError(KINDS["interrupted"], url, "interrupted")
        if time.monotonic() >= self.deadline:
            raise FetchError(KINDS["time-limit"], url, "time-limit")

    def wait(self, seconds: float, url: str) -> None:
        """Sleep; raise FetchError as soon as the run is interrupted or its time used up.

        A wait that would go past the deadline is not begun.
        """
        self.check(url)
        if time.monotonic() + seconds >= self.deadline:
            raise FetchError(KINDS["time-limit"], url, "time-limit")
        if seconds > 0 and self.stopped.wait(seconds):
            raise FetchError(KINDS["interrupted"], url, "interrupted")

    def left(self) -> float:
        """Return the seconds left, at least a tenth."""
        return max(self.deadline - time.monotonic(), 0.1)


class Gate:
    """The gate before one host."""

    def __init__(self, pace: Pace) -> None:
        self.pace = pace
        self.slots = threading.Semaphore(pace.at_once)
        self.lock = threading.Lock()
        self.next_start = 0.0
        self.quiet_until = 0.0
        self.silent = 0

    @contextmanager
    def passing(self, clock: Clock, max_wait: float, url: str) -> Iterator[None]:
        """Wait for this host's turn, and hold one of its slots while the request is under way.

        Raises:
            FetchError: throttled (the host wants quiet for longer than `max_wait`), time-limit, interrupted.
        """
        while not self.slots.acquire(timeout=0.25):
            clock.check(url)
        try:
            self._await_turn(clock, max_wait, url)
            yield
        finally:
            self.slots.release()

    def _await_turn(self, clock: Clock, max_wait: float, url: str) -> None:
        """Sleep until the pace and the host's own wishes allow a start."""
        while True:
            with self.lock:
                now = time.monotonic()
                quiet = self.quiet_until - now
                rested = self.next_start - self.pace.every * (self.pace.burst - 1)
                start = max(rested, self.quiet_until)
                if start <= now:
                    self.next_start = max(self.next_start, now) + self.pace.every
                    return
            if quiet > max_wait:
                raise FetchError(f"the host asks to wait until {clock_text(quiet)}", url, "throttled")
            clock.wait(start - now, url)

    def keep_quiet(self, seconds: float) -> None:
        """Let no further request start for that long."""
        with self.lock:
            self.quiet_until = max(self.quiet_until, time.monotonic() + seconds)

    def note(self, *, answered: bool) -> None:
        """Count requests in a row that got no answer whatever."""
        with self.lock:
            self.silent = 0 if answered else self.silent + 1

    @property
    def is_quiet(self) -> bool:
        """Whether the host has asked for quiet that is not over."""
        return self.quiet_until > time.monotonic()

    @property
    def in_trouble(self) -> bool:
        """Whether the host has been silent for so long that repeated tries are idle."""
        return self.silent >= TROUBLE


class Gates:
    """The gates of all hosts, made at first use."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.gates: dict[str, Gate] = {}
        self.lock = threading.Lock()

    def gate(self, lane: str) -> Gate:
        """Return the gate of a host, or of a lane such as `graphql api.github.com`."""
        with self.lock:
            if lane not in self.gates:
                self.gates[lane] = Gate(self.policy.paces.get(lane, self.policy.default_pace))
            return self.gates[lane]

    def sharing(self, url: str) -> list[Gate]:
        """Return the gates of all lanes of an address's host that are in use."""
        host = urlsplit(url).hostname or ""
        with self.lock:
            return [gate for lane, gate in self.gates.items() if lane.rpartition(" ")[2] == host]
