"""What every host module is made of: targets, verdicts, and the desk that hands out work."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from bibtools.errors import FetchError
from bibtools.outcomes import Evidence, LinkCheck, LinkFacts, LinkFlag, LinkOutcome

if TYPE_CHECKING:
    from bibtools.transport import Client, Reply

UNASKED = frozenset({"offline", "time-limit", "interrupted", "refused-address", "bad-address"})
"""Failures of a request that never got as far as the host's word: `unchecked` instead of `unsure`."""
OVER = frozenset({"offline", "time-limit", "interrupted"})
"""Failures that come because the run is over: they say nothing about any host."""
UNAVAILABLE_FOR_LEGAL_REASONS = 451


class Target(Struct, frozen=True):
    """What is asked once, however many addresses lead to it."""

    key: str
    """Same for addresses that lead to the same thing."""
    url: str
    """Normal form of the thing itself: the repository, not a folder in it."""
    host: str
    """Name of the host module that asks."""
    owner: str = ""
    name: str = ""
    site: str = ""
    """Host name, where a module serves several."""
    title: str = ""
    """Title of a work that gives this address, if known: pages are compared with it."""
    offers_code: bool = False
    """The text says that code is there, so a page is searched for its repository."""


class Budget:
    """A number of requests that threads share."""

    def __init__(self, calls: int) -> None:
        self.calls = calls
        self.lock = Lock()

    def take(self) -> bool:
        """Return whether one more request may be sent."""
        with self.lock:
            self.calls -= 1
            return self.calls >= 0

    def close(self) -> None:
        """Allow no more."""
        with self.lock:
            self.calls = 0


class Desk(Protocol):
    """What a host module works with."""

    client: "Client"
    has_github_token: bool
    github_calls: Budget
    """REST requests to GitHub that may be sent without a token."""

    def found(self, target: Target, check: LinkCheck) -> None:
        """Take down the verdict on a target; later ones on the same target are ignored."""

    def spawn(self, work: Callable[..., None], *values: Any) -> None:
        """Let a function run in another thread, with these values."""

    def check(self, url: str) -> LinkCheck | None:
        """Return the verdict on a further address, asked now unless it is known; None where no host fits."""

    def note(self, message: str) -> None:
        """Tell the user something about the run, once."""


class Host(Protocol):
    """A host module: which addresses it knows how to ask for, and how."""

    name: str

    def target(self, url: str) -> Target | None:
        """Return the target of an address in normal form, or None if this is not the host for it."""

    def run(self, targets: Sequence[Target], desk: Desk) -> None:
        """Find a verdict on each target, here or in spawned work."""

    def check(self, target: Target, desk: Desk) -> LinkCheck:
        """Return the verdict on one target, asked now.

        Raises:
            FetchError: no answer.
        """

    def expected(self, targets: Sequence[Target], desk: Desk) -> tuple[int, float]:
        """Return how many requests this will take, and about how many seconds."""


class OneByOne:
    """A host that is asked for each target alone. Subclasses have `name`, `lane`, `target` and `check`."""

    name: str
    lane: str
    """Host whose pace counts for the estimate."""

    def check(self, target: Target, desk: Desk) -> LinkCheck:
        """Return the verdict on one target.

        Raises:
            FetchError: no answer.
        """
        raise NotImplementedError

    def run(self, targets: Sequence[Target], desk: Desk) -> None:
        """Ask for all, as many at once as each site's pace allows."""
        by_site: dict[str, list[Target]] = {}
        for target in targets:
            by_site.setdefault(target.site or self.lane, []).append(target)
        for site, group in by_site.items():
            queue = Queue(group)
            for _ in range(min(desk.client.gates.gate(site).pace.at_once, len(group))):
                desk.spawn(self.drain, queue, desk)

    def drain(self, queue: "Queue", desk: Desk) -> None:
        """Ask for one target after another until none is left."""
        while (target := queue.take()) is not None:
            settle(partial(self.check, desk=desk), target, desk)

    def expected(self, targets: Sequence[Target], desk: Desk) -> tuple[int, float]:
        """Return the number of targets, and the seconds that the busiest site needs for its own."""
        sites = [target.site or self.lane for target in targets]
        return len(targets), max(
            (paced(sites.count(site), site, desk.client) for site in set(sites)), default=0.0
        )


class Queue:
    """Targets that several threads take from."""

    def __init__(self, targets: Iterable[Target]) -> None:
        self.targets = list(targets)[::-1]
        self.lock = Lock()

    def take(self) -> Target | None:
        """Return the next target, or None when all are taken."""
        with self.lock:
            return self.targets.pop() if self.targets else None


USUAL_ANSWER = 0.4
"""Seconds that a host usually takes to answer; for estimates only."""


def paced(count: int, lane: str, client: "Client") -> float:
    """Return about how many seconds so many requests to a host take."""
    pace = client.gates.gate(lane).pace
    return max(max(count - pace.burst, 0) * pace.every, count * USUAL_ANSWER / pace.at_once)


def settle(ask: Callable[[Target], LinkCheck], target: Target, desk: Desk) -> None:
    """Hand in the verdict that asking gives, or that its failure means; none if the run is over."""
    try:
        check = ask(target)
    except FetchError as error:
        if error.kind in OVER:
            return
        check = failed(error, target.url)
    desk.found(target, check)


def unless_over(error: FetchError) -> None:
    """Raise a failure again that came because the run is over; a verdict can do without any other."""
    if error.kind in OVER:
        raise error


def failed(error: FetchError, url: str) -> LinkCheck:
    """Return the verdict that a failed request means: never `missing`."""
    from bibtools.transport.client import RedirectError
    from bibtools.transport.reply import utc_now

    if error.kind in UNASKED:
        return LinkCheck("unchecked", reason=str(error))
    outcome: LinkOutcome = "challenged" if error.kind == "challenged" else "unsure"
    chain = error.chain if isinstance(error, RedirectError) else ()
    evidence = Evidence("GET", error.url or url, utc_now(), answer=str(error), redirects=chain)
    return LinkCheck(outcome, reason=str(error), evidence=(evidence,))


def available(
    reply: "Reply",
    facts: LinkFacts | None = None,
    flags: Iterable[LinkFlag] = (),
    moved_to: str = "",
    reason: str = "",
) -> LinkCheck:
    """Return the verdict that there is something."""
    return LinkCheck(
        "available",
        flags=tuple(dict.fromkeys(flags)),
        reason=reason,
        moved_to=moved_to,
        facts=facts,
        evidence=(reply.evidence(),),
    )


def missing(reply: "Reply", reason: str) -> LinkCheck:
    """Return the verdict that the host says there is nothing public."""
    return LinkCheck("missing", reason=reason, evidence=(reply.evidence(reason),))


def unsure(reply: "Reply", reason: str = "") -> LinkCheck:
    """Return the verdict that this answer settles nothing."""
    words = reason or f"the host answered {reply.status}"
    return LinkCheck("unsure", reason=words, evidence=(reply.evidence(words),))


def blocked(reply: "Reply", reason: str) -> LinkCheck:
    """Return the verdict that the host keeps it from view."""
    return LinkCheck("blocked", reason=reason, evidence=(reply.evidence(reason),))


def text_of(record: object, *path: str) -> str:
    """Return a string or number from nested JSON objects as text; empty where there is none.

    >>> text_of({"owner": {"login": "ada"}}, "owner", "login"), text_of({"owner": None}, "owner", "login")
    ('ada', '')
    """
    for name in path:
        record = record.get(name) if isinstance(record, dict) else None
    if isinstance(record, bool) or not isinstance(record, str | int | float):
        return ""
    return str(record)


def required(reply: "Reply", record: object, *path: str) -> str:
    """Return a text that a service's answer always has, such as a name.

    Raises:
        FetchError: it is not there, so the answer is not what was asked for.
    """
    found = text_of(record, *path)
    if not found:
        raise FetchError("the answer has not the shape documented", reply.url, "bad-reply")
    return found


def number_of(record: object, name: str) -> int | None:
    """Return a whole number from a JSON object, or None."""
    value = record.get(name) if isinstance(record, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def is_true(record: object, name: str) -> bool:
    """Return whether a JSON object says `true` under this name."""
    return isinstance(record, dict) and record.get(name) is True


def record_of(reply: "Reply") -> dict[str, Any]:
    """Return the JSON object that a service answered.

    Raises:
        FetchError: it is something else.
    """
    record = reply.json()
    if not isinstance(record, dict):
        raise FetchError("the answer has not the shape documented", reply.url, "bad-reply")
    return record
