"""GitHub's GraphQL interface: up to a hundred repositories in one request.

Sources: GitHub's GraphQL reference (Repository), its limits (10 s a request; 5,000 points an hour, one point
for a request without connections), and its error types, which come beside partial data.
"""

import re
import time
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from bibtools.enrichers.hosts.base import Target, is_true, number_of, record_of, text_of
from bibtools.enrichers.hosts.contents import is_readme_only
from bibtools.errors import FetchError
from bibtools.outcomes import LinkCheck, LinkFacts, LinkFlag

if TYPE_CHECKING:
    from bibtools.transport import Client, Reply

ENDPOINT = "https://api.github.com/graphql"
LANE = "graphql api.github.com"
BATCH = 100
"""Repositories in one request; halved where GitHub cannot answer in time."""
MAX_BYTES = 40_000_000
NAME = re.compile(r"[A-Za-z0-9._-]{1,100}")
FIELDS = """fragment F on Repository {
  databaseId nameWithOwner isArchived isDisabled isEmpty isFork isPrivate pushedAt description homepageUrl
  stargazerCount licenseInfo { spdxId } primaryLanguage { name }
  defaultBranchRef { name target { oid } } latestRelease { tagName } parent { nameWithOwner }
  root: object(expression: "HEAD:") { ... on Tree { entries { name } } }
  cff: object(expression: "HEAD:CITATION.cff") { ... on Blob { text isTruncated } }
}"""
LONGEST_TEXT = 65_536
"""Most characters kept of one description or CITATION.cff."""
AGAIN = frozenset({"timeout", "cut-off", "server-error", "bad-reply", "connect"})
"""Failures of a batch that a smaller one may not meet."""
LIMIT_ERROR = "RATE_LIMIT"
SETTLED_ERRORS = frozenset({"NOT_FOUND", "FORBIDDEN"})
"""Types of errors that a smaller request would only bring again."""
UNKNOWN_LICENCES = frozenset({"NOASSERTION", "OTHER"})


class BadTokenError(FetchError):
    """GitHub does not accept the token."""


class Batch(Struct, frozen=True):
    """What one request told, or several together."""

    verdicts: dict[Target, LinkCheck] = {}
    unsettled: tuple[Target, ...] = ()
    """Those for which GitHub named no repository: to be asked one by one."""
    unanswered: tuple[Target, ...] = ()
    """Those for which GitHub gave up, as it does when a request is too much: to be asked in fewer."""
    failures: dict[Target, FetchError] = {}
    """Those that could not be asked for, and why."""


def is_askable(target: Target) -> bool:
    """Return whether owner and name are such that GitHub can have them; others would break the query."""
    return bool(NAME.fullmatch(target.owner) and NAME.fullmatch(target.name))


def ask(client: "Client", targets: Sequence[Target]) -> Batch:
    """Return what GitHub says of these repositories; a batch that fails is asked again in halves.

    Raises:
        BadTokenError: the token is not accepted.
    """
    try:
        # a large batch that fails is better halved than repeated, for each try costs GitHub ten seconds
        batch = ask_once(client, targets, attempts=2 if len(targets) > 1 else None)
    except BadTokenError:
        raise
    except FetchError as error:
        if error.kind not in AGAIN or client.gates.gate(LANE).in_trouble:
            return Batch(failures=dict.fromkeys(targets, error))
        batch = Batch(unanswered=tuple(targets))
    left = batch.unanswered
    if len(targets) == 1:
        return Batch(batch.verdicts, batch.unsettled + left)
    middle = len(left) // 2 if len(left) == len(targets) else len(left)
    for part in filter(None, (left[:middle], left[middle:])):
        batch = join(batch, ask(client, part))
    return batch


def join(batch: Batch, more: Batch) -> Batch:
    """Return what two requests told together, with nothing left unanswered."""
    return Batch(
        batch.verdicts | more.verdicts,
        batch.unsettled + more.unsettled,
        failures=batch.failures | more.failures,
    )


def ask_once(client: "Client", targets: Sequence[Target], attempts: int | None) -> Batch:
    """Return what one request tells of these repositories.

    Raises:
        BadTokenError: the token is not accepted.
        FetchError: no answer, none that can be read, or the limit is used up for longer than may be waited.
    """
    query = {"query": build_query(targets)}
    for _ in range(client.policy.attempts):
        reply = client.post_json(ENDPOINT, query, lane=LANE, max_bytes=MAX_BYTES, attempts=attempts)
        if reply.status == 401:
            raise BadTokenError("GitHub does not accept the token", ENDPOINT, "bad-token")
        if reply.status != 200:
            raise FetchError(f"GitHub answered {reply.status}", ENDPOINT, "bad-reply")
        answer = record_of(reply)
        if not is_limited(answer):
            return read_batch(reply, answer, targets)
        wait_for_allowance(client, answer)
    raise FetchError("GitHub's limit for the token is used up", ENDPOINT, "throttled")


def build_query(targets: Sequence[Target]) -> str:
    """Return one query for all targets, which `is_askable` has let through, by the aliases r0, r1 …"""
    rows = (
        f'r{index}: repository(owner: "{target.owner}", name: "{target.name}", followRenames: true) {{...F}}'
        for index, target in enumerate(targets)
    )
    return "\n".join(["query {", *rows, "rateLimit { cost remaining resetAt } }", FIELDS])


def is_limited(answer: dict[str, Any]) -> bool:
    """Return whether GitHub answered that the hour's points are used up (with status 200)."""
    errors = answer.get("errors")
    if answer.get("data") or not isinstance(errors, list):
        return False
    return any(LIMIT_ERROR in text_of(error, "type") for error in errors)


def wait_for_allowance(client: "Client", answer: dict[str, Any]) -> None:
    """Close the gate until GitHub grants new points; the next request then waits, or fails as throttled."""
    reset = text_of(answer, "data", "rateLimit", "resetAt")
    try:
        seconds = datetime.fromisoformat(reset).timestamp() - time.time()
    except ValueError:
        seconds = 0.0
    gate = client.gates.gate(LANE)
    gate.keep_quiet(max(seconds, 0.0 if gate.is_quiet else 60.0))


def read_batch(reply: "Reply", answer: dict[str, Any], targets: Sequence[Target]) -> Batch:
    """Return the verdicts in an answer, and which targets it leaves open in which way.

    Raises:
        FetchError: there is no data at all.
    """
    data = answer.get("data")
    if not isinstance(data, dict):
        raise FetchError("GitHub sent no data", ENDPOINT, "bad-reply")
    given_up = aliases_given_up(answer.get("errors"))
    verdicts: dict[Target, LinkCheck] = {}
    unsettled, unanswered = [], []
    for index, target in enumerate(targets):
        node = data.get(f"r{index}")
        if isinstance(node, dict) and text_of(node, "nameWithOwner"):
            verdicts[target] = read_repository(reply, node, target)
        elif f"r{index}" in given_up:
            unanswered.append(target)
        else:
            unsettled.append(target)
    return Batch(verdicts, tuple(unsettled), tuple(unanswered))


def aliases_given_up(errors: object) -> set[str]:
    """Return the aliases with an error that is none about the repository itself."""
    found = set()
    for error in errors if isinstance(errors, list) else []:
        path = error.get("path") if isinstance(error, dict) else None
        if isinstance(path, list) and path and text_of(error, "type") not in SETTLED_ERRORS:
            found.add(str(path[0]))
    return found


def read_repository(reply: "Reply", node: dict[str, Any], target: Target) -> LinkCheck:
    """Return the verdict on one repository that GitHub knows."""
    facts = read_facts(node)
    evidence = (reply.evidence(f"repository {facts.name}"),)
    if is_true(node, "isPrivate"):
        return LinkCheck("missing", reason="private: only your token may see it", evidence=evidence)
    moved = facts.name.lower() != f"{target.owner}/{target.name}".lower()
    checks: list[tuple[bool, LinkFlag]] = [
        (moved, "moved"),
        (is_true(node, "isArchived"), "archived"),
        (is_true(node, "isEmpty"), "empty"),
        (is_readme_only(root_names(node)) and not facts.language, "readme-only"),
        (is_true(node, "isDisabled"), "disabled"),
        (is_true(node, "isFork"), "fork"),
    ]
    return LinkCheck(
        "available",
        flags=tuple(flag for holds, flag in checks if holds),
        moved_to=f"https://github.com/{facts.name}" if moved else "",
        facts=facts,
        evidence=evidence,
    )


def read_facts(node: dict[str, Any]) -> LinkFacts:
    """Return the facts in a Repository object."""
    licence = text_of(node, "licenseInfo", "spdxId")
    cff = "" if is_true(node.get("cff"), "isTruncated") else text_of(node, "cff", "text")
    return LinkFacts(
        name=text_of(node, "nameWithOwner"),
        host_id=text_of(node, "databaseId"),
        description=text_of(node, "description")[:LONGEST_TEXT],
        homepage=text_of(node, "homepageUrl"),
        licence="" if licence in UNKNOWN_LICENCES else licence,
        language=text_of(node, "primaryLanguage", "name"),
        default_branch=text_of(node, "defaultBranchRef", "name"),
        commit=text_of(node, "defaultBranchRef", "target", "oid"),
        last_push=text_of(node, "pushedAt"),
        latest_release=text_of(node, "latestRelease", "tagName"),
        stars=number_of(node, "stargazerCount"),
        parent=text_of(node, "parent", "nameWithOwner"),
        citation_cff=cff if len(cff) <= LONGEST_TEXT else "",
    )


def root_names(node: dict[str, Any]) -> list[str]:
    """Return the names at the root of the default branch."""
    root = node.get("root")
    entries = root.get("entries") if isinstance(root, dict) else None
    return [text_of(entry, "name") for entry in entries] if isinstance(entries, list) else []
