"""Say of each link whether there is something behind it, and what.

One request per distinct target, however many entries mention it. A failed request is an outcome, never an
exception, and never `missing`. The hosts are in `hosts/`, the run in `desk`, the memory in `journal`.
"""

import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from bibtools.enrichers.hosts import all_hosts, target_of
from bibtools.enrichers.hosts.base import Target
from bibtools.enrichers.journal import Journal, Line
from bibtools.model import Entry, Link
from bibtools.outcomes import Enrichment, LinkCheck
from bibtools.settings import Settings

if TYPE_CHECKING:
    from bibtools.enrichers.desk import CheckRun
    from bibtools.transport import Client

DAY = 86_400.0
JOURNAL = "links.jsonl"
Progress = Callable[[int, int, str, LinkCheck], None]
"""Called with the number of targets done, of all, the address just done and its verdict; from any thread."""


class CheckOptions(Struct, frozen=True, kw_only=True):
    """How to check."""

    max_time: float | None = None
    """Seconds after which what is left stays `unchecked`."""
    max_age: float = DAY
    """Seconds for which an earlier verdict stands."""
    resume: bool = False
    """Go on with the run that was broken off last: its verdicts stand, whatever they are."""
    captures: bool = True
    """Look in archives for what is gone."""
    save: bool = False
    """Ask Software Heritage to keep the living repositories."""
    details: bool = False
    """Bring what software entries need and the first answer may lack: CITATION.cff and the newest commit."""
    journal: str | None = None
    """Path of the journal; None: in the cache folder; empty: none."""


class HostPlan(Struct, frozen=True):
    """What one host will be asked."""

    host: str
    targets: int
    requests: int
    seconds: float


class Plan(Struct, frozen=True):
    """What a run will do, known before its first request."""

    targets: tuple[Target, ...]
    """Distinct ones, in order of first mention."""
    keys: Mapping[str, str]
    """Target's key by address in normal form."""
    known: Mapping[str, LinkCheck]
    """Verdicts that need no asking, by target's key."""
    settled: frozenset[str]
    """Keys of those for which archives need not be asked either."""
    hosts: tuple[HostPlan, ...]
    seconds_with_token: float | None
    """How long it would take with a GitHub token; None where one is there, or would change nothing."""
    requests_with_token: int | None = None
    proxy: str = ""
    """Proxy that the requests go through, which then has to keep out of private networks."""

    @property
    def to_ask(self) -> int:
        """How many targets need asking."""
        return len(self.targets) - sum(target.key in self.known for target in self.targets)

    @property
    def seconds(self) -> float:
        """About how long it will take: hosts are asked at the same time."""
        return max((host.seconds for host in self.hosts), default=0.0)

    @property
    def requests(self) -> int:
        """About how many requests it will take."""
        return sum(host.requests for host in self.hosts)


class Checked(Struct, frozen=True):
    """What a run found."""

    checks: Mapping[str, LinkCheck]
    """By address in normal form."""
    notes: tuple[str, ...] = ()
    interrupted: bool = False
    complete: bool = True
    """False where time or the user ended the run early, so that it can be gone on with."""
    ended_at: str = ""
    """ISO date and time, UTC."""


class LinkChecker:
    """Checks links. Opens its client at the first use, unless one is given."""

    name = "linkcheck"

    def __init__(
        self,
        settings: Settings,
        options: CheckOptions | None = None,
        client: "Client | None" = None,
        progress: Progress | None = None,
    ) -> None:
        self.settings, self.options = settings, options or CheckOptions()
        self.progress = progress
        self._client = client
        self._owns_client = client is None
        self.journal = Journal(self.journal_path())

    @property
    def client(self) -> "Client":
        """The client that asks."""
        if self._client is None:
            from bibtools.transport import open_client

            self._client = open_client(self.settings, max_age=self.options.max_age)
        return self._client

    def close(self) -> None:
        """Close the client, unless it was given."""
        if self._owns_client and self._client is not None:
            self._client.close()
            self._client = None

    def journal_path(self) -> Path | None:
        """Return where the journal is kept, or None for nowhere."""
        chosen = self.options.journal
        if chosen is None:
            return self.settings.folder("cache") / JOURNAL
        return Path(chosen) if chosen else None

    def plan(
        self, urls: Iterable[str], titles: Mapping[str, str] | None = None, offering: Container[str] = ()
    ) -> Plan:
        """Return what checking these addresses, in normal form, will take. Nothing is asked yet.

        Args:
            titles: the title of the work that gives an address, where that is known.
            offering: the addresses of which the text says that code is there.
        """
        targets: dict[str, Target] = {}
        keys: dict[str, str] = {}
        for url in dict.fromkeys(urls):
            target = target_of(url)
            if target is not None:
                title = (titles or {}).get(url, "")
                known_more = structs.replace(target, title=title, offers_code=url in offering)
                targets.setdefault(target.key, known_more)
                keys[url] = target.key
        known = self.known()
        to_ask = [target for target in targets.values() if target.key not in known]
        with_token = self.estimate(to_ask, token=True)
        without = [] if self.has_token else self.estimate(to_ask, token=False)
        helps = bool(without) and total_time(with_token) < total_time(without)
        return Plan(
            targets=tuple(targets.values()),
            keys=keys,
            known={key: line.check for key, line in known.items() if line.check},
            settled=frozenset(key for key, line in known.items() if line.settled),
            hosts=tuple(with_token if self.has_token else without),
            seconds_with_token=total_time(with_token) if helps else None,
            requests_with_token=sum(host.requests for host in with_token) if helps else None,
            proxy="" if self.settings.offline else self.client.proxy_for("https://github.com"),
        )

    @property
    def has_token(self) -> bool:
        """Whether there is a GitHub token."""
        return bool(self.settings.github_token)

    def known(self) -> dict[str, Line]:
        """Return the journal's verdicts that stand, by target's key."""
        usable = self.journal.usable(time.time(), self.options.max_age, thin=not self.has_token)
        return usable | (self.journal.unfinished() if self.options.resume else {})

    def estimate(self, targets: Sequence[Target], *, token: bool) -> list[HostPlan]:
        """Return what each host will be asked, with or without a GitHub token."""
        if self.settings.offline:
            return []
        desk = self.desk({}, token=token)
        plans = []
        for host in all_hosts():
            own = [target for target in targets if target.host == host.name]
            if own:
                plans.append(HostPlan(host.name, len(own), *host.expected(own, desk)))
        return plans

    def desk(self, known: Mapping[str, LinkCheck], *, token: bool, total: int = 0) -> "CheckRun":
        """Return a desk for one run."""
        from bibtools.enrichers.desk import CheckRun

        counted = [len(known)]

        def tell(target: Target, check: LinkCheck) -> None:
            counted[0] += 1
            if self.progress:
                self.progress(min(counted[0], total), total, target.url, check)

        return CheckRun(self.client, self.journal, token, known, tell)

    def run(self, plan: Plan) -> Checked:
        """Ask for everything that the plan says, and return every verdict."""
        if self.settings.offline:
            offline = LinkCheck("unchecked", reason="offline")
            return Checked(dict.fromkeys(plan.keys, offline), ended_at=utc_now())
        known = {one.key: plan.known[one.key] for one in plan.targets if one.key in plan.known}
        desk = self.desk(known, token=self.has_token, total=len(plan.targets))
        desk.settled = set(plan.settled)
        if self.options.max_time is not None:
            self.client.clock.limit(self.options.max_time)
        self.open_journal(desk)
        try:
            options = self.options
            desk.run(plan.targets, captures=options.captures, save=options.save, details=options.details)
            complete = not desk.interrupted and all(target.key in desk.checks for target in plan.targets)
            if complete:
                self.journal.end(time.time())
        finally:
            self.journal.close()
            self.close()
        left = LinkCheck("unchecked", reason="interrupted" if desk.interrupted else "the time was used up")
        checks = {url: for_address(url, desk.checks.get(key, left)) for url, key in plan.keys.items()}
        return Checked(checks, tuple(desk.notes), desk.interrupted, complete, utc_now())

    def open_journal(self, desk: "CheckRun") -> None:
        """Open the journal; without a place for it the run goes on, and says so."""
        try:
            self.journal.begin(time.time(), self.options.resume)
        except OSError as error:
            desk.note(f"verdicts cannot be kept for --resume: {self.journal.path}: {error.strerror}")

    def enrich(self, entries: Sequence[Entry]) -> Iterator[Enrichment]:
        """Yield one Enrichment per entry, in order: its links with their verdicts and canonical addresses.

        Raises:
            KeyboardInterrupt: the user ended the run.
        """
        titles = {link.url: entry.title.plain for entry in entries if entry.title for link in entry.links}
        links = [link for entry in entries for link in entry.links]
        offering = {link.url for link in links if link.offers_code}
        found = self.run(self.plan([link.url for link in links], titles, offering))
        if found.interrupted:
            raise KeyboardInterrupt
        for entry in entries:
            checked = tuple(checked_link(link, found.checks.get(link.url)) for link in entry.links)
            yield Enrichment({"links": checked} if checked else {})


def utc_now() -> str:
    """Return the present time as ISO date and time to the second, UTC."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def total_time(hosts: Iterable[HostPlan]) -> float:
    """Return the seconds that the slowest host needs."""
    return max((host.seconds for host in hosts), default=0.0)


def for_address(url: str, check: LinkCheck) -> LinkCheck:
    """Return a target's verdict as the verdict on one address that leads to it, perhaps to a folder in it."""
    target = target_of(url)
    if not check.moved_to or target is None or not url.lower().startswith(target.url.lower()):
        return check
    return structs.replace(check, moved_to=check.moved_to + url[len(target.url) :])


def checked_link(link: Link, check: LinkCheck | None) -> Link:
    """Return a link with its verdict and, where that names one, its canonical address."""
    if check is None:
        return link
    return structs.replace(link, url=canonical_address(link.url, check), check=check)


def canonical_address(url: str, check: LinkCheck) -> str:
    """Return the address under which the host itself knows what is there; else the same one.

    >>> from bibtools.outcomes import LinkFacts
    >>> check = LinkCheck("available", facts=LinkFacts(name="O/R"))
    >>> canonical_address("https://github.com/o/r/tree/main/x", check)
    'https://github.com/O/R/tree/main/x'
    """
    if check.outcome != "available":
        return url
    if check.moved_to:
        return check.moved_to
    target = target_of(url)
    name = check.facts.name if check.facts else ""
    if target is None or target.host != "github" or name.lower() != f"{target.owner}/{target.name}".lower():
        return url
    return f"https://github.com/{name}{url[len(target.url) :]}"
