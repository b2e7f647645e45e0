"""Answers whose parts are not what the documentation says: never a fault of ours, never a false "missing"."""

import contextlib
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from services import BITBUCKET, CODEBERG, GITLAB, MODEL, OSF, ZENODO, Repo, graphql_node, rest_answer

from bibtools.enrichers.hosts import (
    anonymous,
    archives,
    bitbucket,
    forgejo,
    gist,
    github,
    github_graphql,
    gitlab,
    huggingface,
    osf,
    zenodo,
)
from bibtools.enrichers.hosts.base import Target, record_of
from bibtools.enrichers.software import software_entries
from bibtools.errors import FetchError
from bibtools.model import Entry, Link
from bibtools.outcomes import LinkCheck
from bibtools.transport import Reply

TARGET = Target("k", "https://github.com/o/r", "github", "o", "r", "github.com")
ODD: tuple[Any, ...] = (None, [], {}, [None], {"x": []}, "", "x", 0, -1.5, True)
REPO = Repo(owner="o", name="r", parent="p/q", release="v1", cff="title: x", homepage="https://x.org")
Reader = Callable[[Reply], LinkCheck]

READERS: list[tuple[str, Reader, Any]] = [
    ("rest", lambda reply: github.read_rest(reply, TARGET), json.loads(rest_answer(REPO).body)),
    ("gitlab", lambda reply: gitlab.read_project(reply, TARGET), GITLAB | {"forked_from_project": {}}),
    ("bitbucket", lambda reply: bitbucket.read_repository(reply, TARGET), BITBUCKET | {"parent": {}}),
    ("forgejo", lambda reply: forgejo.read_repository(reply, TARGET), CODEBERG),
    ("huggingface", lambda reply: huggingface.read_repository(reply, TARGET), MODEL | {"cardData": {}}),
    ("zenodo", zenodo.read_record, ZENODO),
    ("osf", lambda reply: osf.read_node(reply, TARGET), OSF),
    ("anonymous", anonymous.read_options, {"url": "https://github.com/o/r"}),
    ("gist", lambda reply: gist.read_gist(reply, TARGET), {"owner": {"login": "o"}, "files": {"a": {}}}),
]  # fmt: skip


def odd_versions(value: Any) -> Iterator[Any]:
    """Yield a JSON value with each of its parts replaced by each odd value."""
    yield from ODD
    if isinstance(value, dict):
        for name, part in value.items():
            yield {other: inner for other, inner in value.items() if other != name}
            yield from (value | {name: odd} for odd in odd_versions(part))
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from ([*value[:place], odd, *value[place + 1 :]] for odd in odd_versions(part))


def reply(value: Any) -> Reply:
    """Return an answer with this JSON body."""
    headers = {"content-type": "application/json"}
    return Reply("GET", "https://api.org/x", 200, headers, json.dumps(value).encode(), "2025-11-30T12:00:00Z")


@pytest.mark.parametrize(("name", "read", "record"), READERS, ids=[row[0] for row in READERS])
def test_an_odd_answer_is_read_as_far_as_it_goes(name: str, read: Reader, record: Any) -> None:
    assert read(reply(record)).outcome == "available"
    for odd in odd_versions(record):
        try:
            found = read(reply(odd))
        except FetchError:
            continue
        assert found.outcome == "available" or "private" in found.reason
        link = Link("x", "https://github.com/o/r", "repository", check=found)
        software_entries([Entry(key="k", links=(link,))], pin=True)


def test_odd_answers_of_graphql() -> None:
    whole = {
        "data": {"r0": graphql_node(REPO), "rateLimit": {"cost": 1, "remaining": 1, "resetAt": "x"}},
        "errors": [{"type": "NOT_FOUND", "path": ["r1"], "message": "x"}],
    }
    for odd in odd_versions(whole):
        answer = reply(odd)
        try:
            record = record_of(answer)
            github_graphql.is_limited(record)
            batch = github_graphql.read_batch(answer, record, [TARGET])
        except FetchError:
            continue
        for found in batch.verdicts.values():
            assert found.outcome == "available" or "private" in found.reason


@pytest.mark.parametrize("value", ODD)
def test_odd_answers_of_archives(value: Any) -> None:
    class Client:
        """Answers everything with one value."""

        def get(self, url: str, **_: object) -> Reply:
            """Return the value."""
            return reply(value if "wayback" not in url else {"archived_snapshots": {"closest": value}})

    client: Any = Client()
    for ask in (archives.heritage_capture, archives.wayback_capture):
        with contextlib.suppress(FetchError):
            assert ask(client, "https://github.com/o/r") is None
