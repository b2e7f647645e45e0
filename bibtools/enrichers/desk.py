"""One run of link checks: hands targets to the host modules, takes their verdicts, ends when told to."""

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec import structs

from bibtools.enrichers.hosts import all_hosts, target_of
from bibtools.enrichers.hosts.archives import find_captures, save_origin
from bibtools.enrichers.hosts.base import Budget, Queue, Target, settle
from bibtools.enrichers.hosts.details import complete
from bibtools.enrichers.journal import Journal, Line
from bibtools.errors import FetchError
from bibtools.outcomes import LinkCheck

if TYPE_CHECKING:
    from bibtools.transport import Client

GONE = frozenset({"missing", "expired"})
"""Outcomes for which archives are asked."""
PAGES = "pages"
WEB = "web"
PATIENCE = 2.0
"""Seconds that requests under way are given to end after an interruption."""
GIT_HOSTS = frozenset({"github", "gitlab", "bitbucket", "forgejo", "git", "gist"})
RICHER_WITH_TOKEN = frozenset({"github", "gist"})
MORE_LANES = 2
ANONYMOUS_CALLS = 50
"""REST requests spent in one run without a token, of the 60 an hour that GitHub grants an address."""


def leads_on(target: Target) -> bool:
    """Return whether a target is a page that is searched for its repository, which may be a target as well.

    Such pages come last, so that nothing is asked twice.
    """
    return target.host == PAGES or (target.host == WEB and target.offers_code)


class Pool:
    """Threads that work off tasks, started as they are needed; they never keep the program from ending."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.tasks: deque[Callable[[], None]] = deque()
        self.changed = threading.Condition()
        self.started = 0
        self.busy = 0
        self.closed = False

    def spawn(self, task: Callable[[], None]) -> None:
        """Add a task."""
        with self.changed:
            self.tasks.append(task)
            if self.started < self.threads and len(self.tasks) > self.started - self.busy:
                self.started += 1
                threading.Thread(target=self.work, daemon=True, name=f"links-{self.started}").start()
            self.changed.notify_all()

    def work(self) -> None:
        """Work off tasks until the pool is closed."""
        while True:
            with self.changed:
                while not self.tasks:
                    if self.closed:
                        return
                    self.changed.wait()
                task = self.tasks.popleft()
                self.busy += 1
            try:
                task()
            finally:
                with self.changed:
                    self.busy -= 1
                    self.changed.notify_all()

    def wait(self, seconds: float = float("inf")) -> bool:
        """Wait until all tasks are done, or for so many seconds; return whether they are."""
        end = time.monotonic() + seconds
        with self.changed:
            while self.tasks or self.busy:
                if time.monotonic() >= end:
                    return False
                self.changed.wait(0.2)
        return True

    def clear(self) -> None:
        """Drop the tasks that nobody has begun."""
        with self.changed:
            self.tasks.clear()

    def close(self) -> None:
        """Let the threads end when they have nothing left to do."""
        with self.changed:
            self.closed = True
            self.changed.notify_all()


class CheckRun:
    """The desk that host modules work with (see `hosts.base.Desk`), for one run.

    Args:
        known: verdicts that need no asking, by the target's key.
        on_found: called with a target and its verdict as soon as it is known, from any thread.
    """

    def __init__(
        self,
        client: "Client",
        journal: Journal,
        has_github_token: bool,
        known: Mapping[str, LinkCheck],
        on_found: Callable[[Target, LinkCheck], None],
        threads: int = 32,
    ) -> None:
        self.client, self.journal, self.has_github_token = client, journal, has_github_token
        self.checks: dict[str, LinkCheck] = dict(known)
        self.on_found = on_found
        self.github_calls = Budget(ANONYMOUS_CALLS)
        self.notes: list[str] = []
        self.interrupted = False
        self.pool = Pool(threads)
        self.lock = threading.Lock()
        self.under_way: dict[str, threading.Lock] = {}
        self.faults: list[BaseException] = []
        self.settled: set[str] = set()
        """Keys of verdicts for which archives were asked in an earlier run."""

    def run(self, targets: Sequence[Target], *, captures: bool, save: bool, details: bool) -> None:
        """Find a verdict on every target that has none; those left over by an interruption stay without."""
        open_targets = [target for target in targets if target.key not in self.checks]
        try:
            self.ask_hosts([target for target in open_targets if not leads_on(target)])
            self.ask_hosts([target for target in open_targets if leads_on(target)])
            if captures:
                gone = [one for one in targets if self.outcome(one) in GONE and one.key not in self.settled]
                self.ask_more(gone, self.add_captures)
            if details:
                self.ask_more(targets, self.add_details)
            if save:
                self.ask_more([one for one in targets if self.is_worth_saving(one)], self.save)
        except KeyboardInterrupt:
            self.interrupted = True
            self.client.cancel()
            self.pool.clear()
            self.pool.wait(PATIENCE)
        finally:
            self.pool.close()

    def ask_hosts(self, targets: Sequence[Target]) -> None:
        """Let the hosts work on these targets, all at the same time, until they are done."""
        for host in all_hosts():
            own = [target for target in targets if target.host == host.name]
            if own:
                host.run(own, self)
        self.finish()

    def finish(self) -> None:
        """Wait until all work is done; raise what a host module should not have raised."""
        self.pool.wait()
        if self.faults:
            raise self.faults[0]

    def outcome(self, target: Target) -> str:
        """Return a target's outcome so far; empty for none."""
        check = self.checks.get(target.key)
        return check.outcome if check else ""

    def spawn(self, work: Callable[..., None], *values: Any) -> None:
        """Let a function run in another thread, with these values."""
        self.pool.spawn(lambda: self.guarded(work, values))

    def guarded(self, work: Callable[..., None], values: Sequence[Any]) -> None:
        """Run a function; a fault of ours is kept for the main thread, not lost in this one."""
        try:
            work(*values)
        except BaseException as error:
            self.faults.append(error)
            self.pool.clear()
            self.client.cancel()

    def found(self, target: Target, check: LinkCheck) -> None:
        """Take down the verdict on a target; later ones on the same target are ignored."""
        with self.lock:
            if target.key in self.checks:
                return
            self.checks[target.key] = check
        if check.outcome != "unchecked":
            self.record(target, check, settled=check.outcome not in GONE)
        self.on_found(target, check)

    def record(self, target: Target, check: LinkCheck, *, settled: bool) -> None:
        """Note a verdict in the journal."""
        thin = target.host in RICHER_WITH_TOKEN and not self.has_github_token
        self.journal.write(Line("check", time.time(), target.key, check, settled, thin))

    def note(self, message: str) -> None:
        """Keep something to tell the user, once."""
        with self.lock:
            if message not in self.notes:
                self.notes.append(message)

    def check(self, url: str) -> LinkCheck | None:
        """Return the verdict on a further address, asked now unless it is known; None where no host fits.

        Raises:
            FetchError: the run's time is over.
        """
        target = target_of(url)
        host = next((one for one in all_hosts() if target and one.name == target.host), None)
        if target is None or host is None or host.name in {PAGES, WEB}:
            return None
        with self.lock:
            turn = self.under_way.setdefault(target.key, threading.Lock())
        with turn:
            if target.key not in self.checks:
                settle(partial(host.check, desk=self), target, self)
        self.client.clock.check(url)
        return self.checks.get(target.key)

    def ask_more(self, targets: Sequence[Target], work: Callable[[Queue], None]) -> None:
        """Let two threads ask about these targets once more, until they are done."""
        queue = Queue(targets)
        for _ in range(min(MORE_LANES, len(targets))):
            self.spawn(work, queue)
        self.finish()

    def add_captures(self, queue: Queue) -> None:
        """Add the newest archive copies to verdicts on what is gone."""
        while (target := queue.take()) is not None:
            try:
                captures = find_captures(self.client, target.url, target.host in GIT_HOSTS)
            except FetchError:
                return
            check = structs.replace(self.checks[target.key], captures=captures)
            self.checks[target.key] = check
            self.record(target, check, settled=True)

    def add_details(self, queue: Queue) -> None:
        """Add to verdicts on living repositories what software entries need."""
        while (target := queue.take()) is not None:
            check = self.checks.get(target.key)
            if check is None:
                continue
            has_cff = target.host == "github" and self.has_github_token
            try:
                full = complete(self.client, target, check, has_cff=has_cff)
            except FetchError:
                return
            if full != check:
                self.checks[target.key] = full
                self.record(target, full, settled=True)

    def is_worth_saving(self, target: Target) -> bool:
        """Return whether a target is a living repository with something in it."""
        check = self.checks.get(target.key)
        living = check is not None and check.outcome == "available" and "empty" not in check.flags
        return living and target.host in GIT_HOSTS

    def save(self, queue: Queue) -> None:
        """Ask Software Heritage to keep repositories, until it has had enough."""
        while (target := queue.take()) is not None:
            check = self.checks[target.key]
            try:
                word = save_origin(self.client, check.moved_to or target.url)
            except FetchError as error:
                self.note(f"Software Heritage was not asked to keep all repositories: {error}")
                return
            self.note(f"Software Heritage: {check.moved_to or target.url} {word}")
