"""GitHub repositories: in batches with a token, by git's own endpoint without one.

With a token: GraphQL batches one after another; whatever they leave open is asked over REST, which alone
tells "not found" from "blocked". Without one: git's advertisement for existence, name and emptiness, the web
page's status for what git calls missing, and REST for the rest of the facts as far as 60 requests an hour go.
Source of the status meanings: GitHub's REST reference, "Get a repository".
"""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec import structs

from bibtools.enrichers.hosts import github_graphql as graphql
from bibtools.enrichers.hosts.base import (
    OVER,
    UNAVAILABLE_FOR_LEGAL_REASONS,
    Budget,
    Desk,
    Queue,
    Target,
    available,
    blocked,
    failed,
    is_true,
    missing,
    number_of,
    paced,
    record_of,
    required,
    settle,
    text_of,
    unless_over,
    unsure,
)
from bibtools.enrichers.hosts.git import ask_refs, read_refs
from bibtools.errors import FetchError
from bibtools.outcomes import LinkCheck, LinkFacts, LinkFlag
from bibtools.text.urls import repository_of

if TYPE_CHECKING:
    from bibtools.transport import Client, Reply

API = "https://api.github.com"
ACCEPT = "application/vnd.github+json"
VERSION = {"X-GitHub-Api-Version": "2022-11-28"}
NOT_FOUND_SHARE = 0.07
"""Share of repositories that lists usually name in vain; for estimates only."""


class GitHub:
    """Repositories on github.com."""

    name = "github"

    def target(self, url: str) -> Target | None:
        """Return the target of an address of a repository, or of something in it."""
        repository = repository_of(url)
        if repository is None or repository.host != "github.com":
            return None
        home = f"https://github.com/{repository.owner}/{repository.name}"
        return Target(home.lower(), home, self.name, repository.owner, repository.name, "github.com")

    def run(self, targets: Sequence[Target], desk: Desk) -> None:
        """Find a verdict on each repository."""
        if desk.has_github_token:
            desk.spawn(self.run_batches, list(targets), desk)
        else:
            self.run_anonymous(targets, desk)

    def check(self, target: Target, desk: Desk) -> LinkCheck:
        """Return the verdict on one repository that another host's page leads to."""
        if desk.has_github_token:
            return check_rest(desk.client, target)
        return check_anonymous(desk.client, desk.github_calls, target)

    def expected(self, targets: Sequence[Target], desk: Desk) -> tuple[int, float]:
        """Return about how many requests this will take, and how many seconds."""
        if not desk.has_github_token:
            return len(targets), paced(len(targets), "github.com", desk.client)
        batches = -(-len(targets) // graphql.BATCH)
        again = round(len(targets) * NOT_FOUND_SHARE)
        return batches + again, batches * 2.0 + paced(again, "api.github.com", desk.client)

    def run_batches(self, targets: list[Target], desk: Desk) -> None:
        """Ask in batches, one after another; what they leave open goes to other threads meanwhile."""
        askable = [target for target in targets if graphql.is_askable(target)]
        self.check_singly([target for target in targets if not graphql.is_askable(target)], desk)
        for start in range(0, len(askable), graphql.BATCH):
            part = askable[start : start + graphql.BATCH]
            try:
                batch = graphql.ask(desk.client, part)
            except graphql.BadTokenError:
                desk.note(
                    "GitHub does not accept the token; asked without it (gh auth token prints a new one)"
                )
                self.run_anonymous(askable[start:], desk)
                return
            for target, check in batch.verdicts.items():
                desk.found(target, check)
            for target, error in batch.failures.items():
                if error.kind not in OVER:
                    desk.found(target, failed(error, target.url))
            self.check_singly(batch.unsettled, desk)

    def check_singly(self, targets: Sequence[Target], desk: Desk) -> None:
        """Ask for each target over REST, in other threads."""
        for target in targets:
            desk.spawn(self.check_one, target, desk)

    def check_one(self, target: Target, desk: Desk) -> None:
        """Ask for one target over REST."""
        settle(partial(check_rest, desk.client), target, desk)

    def run_anonymous(self, targets: Sequence[Target], desk: Desk) -> None:
        """Ask without a token: git for all, and then what REST has to add for as many as it grants."""
        queue = Queue(targets)
        for _ in range(min(desk.client.gates.gate("github.com").pace.at_once, len(targets))):
            desk.spawn(self.drain_anonymous, queue, desk)

    def drain_anonymous(self, queue: Queue, desk: Desk) -> None:
        """Ask for one target after another until none is left."""
        while (target := queue.take()) is not None:
            settle(partial(check_anonymous, desk.client, desk.github_calls), target, desk)


def check_anonymous(client: "Client", budget: Budget, target: Target) -> LinkCheck:
    """Return the verdict on a repository without a token."""
    check = read_refs(ask_refs(client, target.url), target)
    if check.outcome == "missing":
        return told_by_page(client, target, check)
    if check.outcome == "available" and budget.take():
        return with_facts(client, target, check, budget)
    return check


def told_by_page(client: "Client", target: Target, check: LinkCheck) -> LinkCheck:
    """Return a verdict of `missing`, or `blocked` where the web page says so: git cannot tell them apart."""
    try:
        reply = client.request("HEAD", target.url, attempts=2)
    except FetchError as error:
        unless_over(error)
        return check
    evidence = (*check.evidence, reply.evidence())
    if reply.status == UNAVAILABLE_FOR_LEGAL_REASONS:
        return LinkCheck("blocked", reason="blocked for legal reasons", evidence=evidence)
    if reply.status == 200:
        return LinkCheck("unsure", reason="git finds no repository, but its page is there", evidence=evidence)
    return structs.replace(check, evidence=evidence)


def with_facts(client: "Client", target: Target, check: LinkCheck, budget: Budget) -> LinkCheck:
    """Return a good verdict with what REST adds; where it refuses, the verdict as it is."""
    try:
        full = check_rest(client, target)
    except FetchError as error:
        unless_over(error)
        budget.close()
        return check
    if full.outcome != "available" or full.facts is None or check.facts is None:
        return full if full.outcome == "blocked" else check
    facts = structs.replace(full.facts, commit=check.facts.commit)
    flags = tuple(dict.fromkeys((*check.flags, *full.flags)))
    evidence = (*check.evidence, *full.evidence)
    return structs.replace(full, facts=facts, flags=flags, evidence=evidence)


def check_rest(client: "Client", target: Target) -> LinkCheck:
    """Return the verdict on a repository over REST.

    Raises:
        FetchError: no answer.
    """
    url = f"{API}/repos/{target.owner}/{target.name}"
    reply = client.get(url, accept=ACCEPT, headers=VERSION, keep=True)
    if reply.status == 200:
        return read_rest(reply, target)
    if reply.status == 404:
        return missing(reply, "no public repository of this name")
    reason = block_reason(reply)
    if reply.status == UNAVAILABLE_FOR_LEGAL_REASONS or (reply.status == 403 and reason):
        return blocked(reply, reason or "blocked for legal reasons")
    if reply.status == 401:
        raise FetchError("GitHub does not accept the token", url, "bad-token")
    return unsure(reply)


def block_reason(reply: "Reply") -> str:
    """Return why GitHub blocks a repository, as its answer says; empty for another kind of refusal."""
    try:
        record = record_of(reply)
    except FetchError:
        return ""
    reason = text_of(record, "block", "reason")
    if reason:
        return f"blocked by GitHub ({reason})"
    return "blocked by GitHub" if "access blocked" in text_of(record, "message").lower() else ""


def read_rest(reply: "Reply", target: Target) -> LinkCheck:
    """Return the verdict on a repository that REST describes."""
    record = record_of(reply)
    name = required(reply, record, "full_name")
    if is_true(record, "private"):
        return missing(reply, "private: only your token may see it")
    moved = name.lower() != f"{target.owner}/{target.name}".lower()
    checks: list[tuple[bool, LinkFlag]] = [
        (moved, "moved"),
        (is_true(record, "archived"), "archived"),
        (is_true(record, "disabled"), "disabled"),
        (is_true(record, "fork"), "fork"),
    ]
    flags = [flag for holds, flag in checks if holds]
    return available(reply, rest_facts(record), flags, f"https://github.com/{name}" if moved else "")


def rest_facts(record: dict[str, Any]) -> LinkFacts:
    """Return the facts in a repository object of REST."""
    licence = text_of(record, "license", "spdx_id")
    return LinkFacts(
        name=text_of(record, "full_name"),
        host_id=text_of(record, "id"),
        description=text_of(record, "description")[: graphql.LONGEST_TEXT],
        homepage=text_of(record, "homepage"),
        licence="" if licence in graphql.UNKNOWN_LICENCES else licence,
        language=text_of(record, "language"),
        default_branch=text_of(record, "default_branch"),
        last_push=text_of(record, "pushed_at"),
        stars=number_of(record, "stargazers_count"),
        parent=text_of(record, "parent", "full_name"),
    )
