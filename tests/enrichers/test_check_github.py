"""GitHub repositories, with and without a token, on a good day and on a bad one."""

import json
import random
from pathlib import Path

import pytest
from loopback import Answer, Asked, Loopback, as_html, as_json
from services import COMMIT, GitHubDouble, Repo, Table

from bibtools.enrichers.linkcheck import Checked, CheckOptions, LinkChecker
from bibtools.model import Entry, Link
from bibtools.outcomes import LinkCheck
from bibtools.settings import Settings
from bibtools.transport import Client, Pace, Policy

REPOS = [
    Repo(
        owner="Ada",
        name="plain",
        number=1,
        release="v1.0",
        cff="cff-version: 1.2.0\n",
        homepage="https://ada.org",
    ),
    Repo(owner="ada", name="new-name", number=2),
    Repo(owner="ada", name="empty", number=3, empty=True),
    Repo(owner="ada", name="old", number=4, archived=True),
    Repo(owner="ada", name="copy", number=5, parent="bob/copy"),
    Repo(owner="ada", name="off", number=6, disabled=True),
    Repo(owner="ada", name="promise", number=7, files=("README.md", "LICENSE", "assets"), language=None),
    Repo(owner="ada", name="dmca", number=8, blocked="dmca"),
    Repo(owner="ada", name="tos", number=9, blocked="tos"),
    Repo(owner="ada", name="private", number=10, private=True),
]
RENAMED = {"ada/old-name": "ada/new-name"}
URL = "https://github.com/ada/"


def check(
    web: Loopback,
    urls: list[str],
    token: str = "good-token",
    journal: str = "",
    details: bool = False,
    **changes: object,
) -> Checked:
    """Return what a checker finds that asks the loopback server for every address, without pauses."""
    values: dict[str, object] = {
        "routes": web.routes, "paces": {"graphql api.github.com": Pace(1, 0.0)}, "default_pace": Pace(8, 0.0),
        "backoff": 0.005, "max_wait": 2.0,
    }  # fmt: skip
    if token:
        values["tokens"] = {"https://api.github.com": f"Bearer {token}"}
    with Client(Policy(**(values | changes))) as client:  # type: ignore[arg-type]
        options = CheckOptions(journal=journal, captures=False, details=details)
        checker = LinkChecker(Settings(github_token=token), options, client)
        return checker.run(checker.plan(urls))


def summary(found: LinkCheck) -> tuple[object, ...]:
    """Return outcome, flags and new address."""
    return (found.outcome, *found.flags, *([found.moved_to] if found.moved_to else []))


EXPECTED = {
    "plain": ("available",),
    "old-name": ("available", "moved", URL + "new-name"),
    "empty": ("available", "empty"),
    "old": ("available", "archived"),
    "copy": ("available", "fork"),
    "off": ("available", "disabled"),
    "promise": ("available", "readme-only"),
    "dmca": ("blocked",),
    "tos": ("blocked",),
    "private": ("missing",),
    "gone": ("missing",),
}


def test_every_outcome_with_a_token(web: Loopback) -> None:
    web.rules.append(GitHubDouble(REPOS, RENAMED))
    checks = check(web, [URL + name for name in EXPECTED]).checks
    assert {name: summary(checks[URL + name]) for name in EXPECTED} == EXPECTED
    assert checks[URL + "dmca"].reason == "blocked by GitHub (dmca)"
    assert checks[URL + "private"].reason == "private: only your token may see it"
    assert web.count("api.github.com", "/graphql") == 1
    assert web.count("api.github.com", "/repos/") == 3


def test_a_thousand_repositories_take_ten_requests_and_one_for_each_not_found(web: Loopback) -> None:
    repos = [Repo(owner="lab", name=f"r{n}", number=n, exists=n % 20 != 0) for n in range(1_000)]
    web.rules.append(GitHubDouble(repos, {f"lab/old{n}": f"lab/r{n}" for n in range(1, 20)}))
    names = [f"old{n}" if 0 < n < 20 else f"r{n}" for n in range(1_000)]
    checks = check(web, [f"https://github.com/lab/{name}" for name in names]).checks
    for number, name in enumerate(names):
        found = checks[f"https://github.com/lab/{name}"]
        assert found.outcome == ("missing" if number % 20 == 0 else "available")
        assert ("moved" in found.flags) == name.startswith("old")
    assert web.count("api.github.com", "/graphql") == 10
    assert web.count("api.github.com", "/repos/") == 50


def test_facts_with_a_token(web: Loopback) -> None:
    web.rules.append(GitHubDouble(REPOS, RENAMED))
    found = check(web, [URL + "plain", URL + "copy"]).checks
    facts = found[URL + "plain"].facts
    assert facts is not None
    assert (facts.name, facts.host_id, facts.licence, facts.language) == ("Ada/plain", "1", "MIT", "Python")
    assert (facts.default_branch, facts.commit, facts.latest_release) == ("main", COMMIT, "v1.0")
    assert (facts.last_push, facts.stars, facts.homepage) == ("2024-06-30T00:00:00Z", 80, "https://ada.org")
    assert facts.citation_cff == "cff-version: 1.2.0\n"
    copy = found[URL + "copy"].facts
    assert copy is not None
    assert copy.parent == "bob/copy"


def test_without_a_token_git_tells_existence_name_and_emptiness(web: Loopback) -> None:
    web.rules.append(GitHubDouble(REPOS, RENAMED))
    names = ["plain", "old-name", "empty", "dmca", "private", "gone"]
    checks = check(web, [URL + name for name in names], token="").checks
    assert {name: summary(checks[URL + name]) for name in names} == {
        "plain": ("available",),
        "old-name": ("available", "moved", URL + "new-name"),
        "empty": ("available", "empty"),
        "dmca": ("blocked",),
        "private": ("missing",),
        "gone": ("missing",),
    }
    facts = checks[URL + "plain"].facts
    assert facts is not None
    assert (facts.commit, facts.licence, facts.name) == (COMMIT, "MIT", "Ada/plain")
    assert "authorization" not in {name for asked in web.asked for name in asked.headers}


def test_without_a_token_git_answers_go_on_when_rest_is_used_up(web: Loopback) -> None:
    double = GitHubDouble([Repo(owner="ada", name=f"r{n}", number=n) for n in range(30)])
    double.rest_left = 5
    web.rules.append(double)
    checks = check(web, [f"{URL}r{n}" for n in range(30)], token="").checks
    assert {found.outcome for found in checks.values()} == {"available"}
    assert web.count("api.github.com") <= 5 + 8


def test_a_folder_and_other_spellings_lead_to_one_target(web: Loopback) -> None:
    web.rules.append(GitHubDouble(REPOS, RENAMED))
    urls = ["https://github.com/ada/old-name", "https://github.com/ADA/Old-Name/tree/main/src"]
    checks = check(web, urls).checks
    assert [checks[url].moved_to for url in urls] == [
        "https://github.com/ada/new-name",
        "https://github.com/ada/new-name/tree/main/src",
    ]
    assert len(web.asked) == 1


def test_a_batch_that_is_too_much_for_github_is_halved(web: Loopback) -> None:
    web.rules.append(GitHubDouble([Repo(owner="ada", name=f"r{n}") for n in range(60)], most=10))
    checks = check(web, [f"{URL}r{n}" for n in range(60)]).checks
    assert {found.outcome for found in checks.values()} == {"available"}
    assert web.most_at_once["api.github.com"] == 1


def test_partial_data_is_kept(web: Loopback) -> None:
    def rule(asked: Asked) -> Answer | None:
        if asked.path != "/graphql":
            return None
        good = {"nameWithOwner": "ada/plain", "isEmpty": False}
        errors = [
            {"type": "FORBIDDEN", "path": ["r1"], "message": "Resource protected by organization SAML"},
            {"message": "Something went wrong while executing your query."},
        ]
        return as_json({"data": {"r0": good, "r1": None}, "errors": errors})

    web.rules += [rule, GitHubDouble(REPOS)]
    checks = check(web, [URL + "plain", URL + "old", URL + "gone"]).checks
    assert [checks[URL + name].outcome for name in ("plain", "old", "gone")] == [
        "available",
        "available",
        "missing",
    ]
    assert [asked.path for asked in web.asked].count("/repos/ada/plain") == 0


USED_UP = {"X_RateLimit_Remaining": "0", "X_RateLimit_Reset": "4000000000"}


@pytest.mark.parametrize(
    "answer",
    [
        as_json({"errors": [{"type": "RATE_LIMITED"}]}, 200, **USED_UP),
        as_json({"data": None, "errors": [{"type": "RATE_LIMIT"}]}, 200, **USED_UP),
        as_json({"message": "You have exceeded a secondary rate limit."}, 403, Retry_After="600"),
        as_html("<title>Unicorn!</title>", 502),
        as_html("<title>Just a moment...</title>"),
        as_json({"data": None}),
        as_json([1, 2]),
        Answer(hang_up=True),
        Answer(delay=1.5),
    ],
    ids=["limit", "limit-null", "secondary", "502", "challenge", "null", "list", "hang-up", "slow"],
)  # fmt: skip
def test_no_answer_is_never_missing(web: Loopback, answer: Answer) -> None:
    web.rules.append(lambda _: answer)
    patience = 1.0 if answer.delay else 20.0
    checks = check(web, [URL + "plain", URL + "gone"], attempts=1, read_timeout=patience).checks
    for found in checks.values():
        assert found.outcome in {"unsure", "challenged"}
        assert found.reason
        assert found.evidence


def test_aliases_that_github_gave_up_are_asked_for_in_smaller_batches(web: Loopback) -> None:
    """Too much for one request: GitHub answers part of it, and an error for each of the rest."""

    def rule(asked: Asked) -> Answer | None:
        found = double(asked)
        if found is None or asked.path != "/graphql":
            return found
        answer = json.loads(found.body)
        aliases = [alias for alias in answer["data"] if alias != "rateLimit"]
        for alias in aliases[5:]:
            answer["data"][alias] = None
        answer["errors"] = [{"type": "RESOURCE_LIMITS_EXCEEDED", "path": [alias]} for alias in aliases[5:]]
        return as_json(answer)

    double = GitHubDouble([Repo(owner="ada", name=f"r{n}") for n in range(20)])
    web.rules.append(rule)
    checks = check(web, [f"{URL}r{n}" for n in range(20)]).checks
    assert {found.outcome for found in checks.values()} == {"available"}
    assert web.count("api.github.com", "/repos/") == 0
    assert web.count("api.github.com", "/graphql") == 4


def test_a_wrong_token_is_said_and_done_without(web: Loopback) -> None:
    web.rules.append(GitHubDouble(REPOS, RENAMED, token="another"))
    found = check(web, [URL + "plain", URL + "gone", URL + "empty"])
    assert [found.checks[URL + name].outcome for name in ("plain", "gone", "empty")] == [
        "available", "missing", "available",
    ]  # fmt: skip
    assert "does not accept the token" in found.notes[0]


def test_names_that_github_cannot_have_do_not_break_the_query(web: Loopback) -> None:
    web.rules.append(GitHubDouble(REPOS))
    odd = 'https://github.com/ada/x"){id}r9:repository(owner:"a'
    checks = check(web, [URL + "plain", odd]).checks
    assert checks[URL + "plain"].outcome == "available"
    assert checks.get(odd, LinkCheck("unsure")).outcome != "available"
    assert b"{id}" not in b"".join(asked.body for asked in web.asked)


def test_the_token_is_in_no_journal_and_no_cache(web: Loopback, tmp_path: Path) -> None:
    web.rules.append(GitHubDouble(REPOS, RENAMED))
    journal, cache = tmp_path / "j.jsonl", tmp_path / "http"
    check(web, [URL + "plain", URL + "gone"], journal=str(journal), cache_folder=str(cache))
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert kept
    assert b"good-token" not in kept


@pytest.mark.parametrize("token", ["good-token", ""])
def test_a_third_of_the_answers_spoilt_gives_no_false_verdict(web: Loopback, token: str) -> None:
    """429 with and without Retry-After, 503, 502, hang-ups, cut-off and late answers at random."""
    chance = random.Random(20_251_130)
    faults = [
        Answer(429, headers={"Retry-After": "0"}), Answer(429), Answer(503), Answer(502),
        Answer(hang_up=True), Answer(body=b'{"data": {"r0": null', cut_after=5), Answer(delay=0.5),
    ]  # fmt: skip
    repos = [
        Repo(owner="ada", name=f"r{n}", number=n, exists=n % 10 != 0, empty=n % 10 == 1) for n in range(200)
    ]
    web.rules.append(GitHubDouble(repos))
    web.spoil = lambda _: chance.choice(faults) if chance.random() < 1 / 3 else None
    checks = check(web, [f"{URL}r{n}" for n in range(200)], token=token, read_timeout=0.4).checks
    for number in range(200):
        found = checks[f"{URL}r{number}"]
        right = "missing" if number % 10 == 0 else "available"
        assert found.outcome in {right, "unsure"}, number
        assert found.outcome == right or found.reason
        assert found.outcome != "available" or (number % 10 == 1) == ("empty" in found.flags)
    assert sum(found.outcome == "unsure" for found in checks.values()) <= 10


CFF = "cff-version: 1.2.0\ntitle: Widget Trainer\n"


@pytest.mark.parametrize("token", ["good-token", ""])
def test_details_for_software_entries(web: Loopback, token: str) -> None:
    repos = [Repo(owner="ada", name="plain", cff=CFF), Repo(owner="ada", name="bare")]
    raw = Answer(200, CFF.encode(), {"Content-Type": "text/plain; charset=utf-8"})
    web.rules += [GitHubDouble(repos), Table({"raw.githubusercontent.com/ada/plain/HEAD/CITATION.cff": raw})]
    checks = check(web, [URL + "plain", URL + "bare"], token=token, details=True).checks
    for name, cff in (("plain", CFF), ("bare", "")):
        facts = checks[URL + name].facts
        assert facts is not None
        assert (facts.citation_cff, facts.commit) == (cff, COMMIT)


def test_entries_get_their_links_checked_under_canonical_addresses(web: Loopback) -> None:
    web.rules.append(GitHubDouble(REPOS, RENAMED))
    links = tuple(Link(URL + name, URL + name, "repository", True) for name in ("plain", "old-name", "gone"))
    with Client(Policy(routes=web.routes, paces={}, default_pace=Pace(8, 0.0))) as client:
        checker = LinkChecker(Settings(), CheckOptions(journal="", captures=False), client)
        first, second = checker.enrich([Entry(key="a", links=links), Entry(key="b")])
    assert [link.url for link in first.changes["links"]] == [
        "https://github.com/Ada/plain", "https://github.com/ada/new-name", "https://github.com/ada/gone",
    ]  # fmt: skip
    assert [link.check.outcome for link in first.changes["links"]] == ["available", "available", "missing"]
    assert second.changes == {}
