"""The client against a server that misbehaves in every way there is."""

import gzip
import socket
import threading
import time
from pathlib import Path

import pytest
from loopback import Answer, Asked, Loopback, as_html, as_json, moved_to, zipped

from bibtools.errors import FetchError
from bibtools.settings import Settings
from bibtools.transport import Client, Pace, Policy, open_client
from bibtools.transport.failures import to_fetch_error
from bibtools.transport.policy import may_pass, pause_after, retry_after
from bibtools.transport.reply import Reply

FAST = Pace(8, 0.0)


def make_client(web: Loopback, **changes: object) -> Client:
    """Return a client that asks the loopback server for every address, without pauses."""
    values: dict[str, object] = {
        "routes": web.routes, "paces": {}, "default_pace": FAST, "backoff": 0.01,
    }  # fmt: skip
    return Client(Policy(**(values | changes)))  # type: ignore[arg-type]


HASTY = {"read_timeout": 1.0, "whole_timeout": 1.0, "connect_timeout": 0.2}
"""Times so short that a slow answer is given up within a test, yet long enough for a busy machine."""


def failing(times: int, fault: Answer, then: Answer) -> "object":
    """Return a rule that answers with a fault the first few times."""
    left = [times]

    def rule(_: Asked) -> Answer:
        left[0] -= 1
        return fault if left[0] >= 0 else then

    return rule


GOOD = as_json({"ok": True})


def test_an_answer_and_its_evidence(web: Loopback) -> None:
    web.rules.append(lambda _: GOOD)
    with make_client(web) as client:
        reply = client.get("https://example.org/a?b=c")
    assert (reply.status, reply.json(), reply.media_type) == (200, {"ok": True}, "application/json")
    assert reply.evidence("ok").url == "https://example.org/a?b=c"
    assert web.asked[0].url == "https://example.org/a?b=c"
    assert web.asked[0].headers["user-agent"] == "bibtools"


@pytest.mark.parametrize(
    "fault",
    [
        Answer(429, headers={"Retry-After": "0"}),
        Answer(500), Answer(502), Answer(503), Answer(504),
        Answer(hang_up=True),
        Answer(body=b"x" * 50, cut_after=10),
        Answer(delay=1.5),
        Answer(403, b'{"message": "You have exceeded a secondary rate limit."}', {"Retry-After": "0"}),
    ],
    ids=["429", "500", "502", "503", "504", "hang-up", "cut-off", "slow", "secondary"],
)  # fmt: skip
def test_faults_that_pass_are_asked_again(web: Loopback, fault: Answer) -> None:
    web.rules.append(failing(1, fault, GOOD))  # type: ignore[arg-type]
    with make_client(web, **(HASTY if fault.delay else {})) as client:
        assert client.get("https://example.org/").json() == {"ok": True}
    assert len(web.asked) == 2


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (Answer(429), "throttled"),
        (Answer(503), "server-error"),
        (Answer(503, headers={"Retry-After": "0"}), "throttled"),
        (Answer(hang_up=True), "connect"),
        (Answer(body=b"x" * 50, cut_after=10), "cut-off"),
        (Answer(headers={"Content-Encoding": "gzip"}, body=b"not gzip"), "cut-off"),
        (Answer(delay=1.5), "timeout"),
        (Answer(body=b"x" * 400, drip=0.01), "timeout"),
        (Answer(head_drip=0.05), "timeout"),
    ],
    ids=["429", "503", "503-retry-after", "hang-up", "cut-off", "garbled", "slow", "drip", "head-drip"],
)
def test_faults_that_stay_end_as_what_they_are(web: Loopback, fault: Answer, kind: str) -> None:
    web.rules.append(lambda _: fault)
    hasty = {**HASTY, "attempts": 1} if kind == "timeout" else {"attempts": 2}
    with make_client(web, **hasty) as client, pytest.raises(FetchError) as caught:
        client.get("https://example.org/")
    assert caught.value.kind == kind


def test_a_host_that_asks_for_hours_is_left_alone(web: Loopback) -> None:
    web.rules.append(lambda _: Answer(429, headers={"Retry-After": "7200"}))
    with make_client(web) as client:
        for _ in range(3):
            with pytest.raises(FetchError) as caught:
                client.get("https://example.org/")
            assert caught.value.kind == "throttled"
    assert len(web.asked) == 1


def test_one_hosts_quiet_does_not_hold_up_another(web: Loopback) -> None:
    web.rules.append(
        lambda asked: Answer(429, headers={"Retry-After": "7200"}) if asked.host == "a.org" else GOOD
    )
    with make_client(web) as client:
        with pytest.raises(FetchError):
            client.get("https://a.org/")
        assert client.get("https://b.org/").status == 200


def test_redirects_are_followed_and_kept(web: Loopback) -> None:
    web.rules.append(lambda asked: moved_to("https://new.org/b") if asked.host == "old.org" else None)
    web.rules.append(lambda asked: moved_to("/c", 302) if asked.path == "/b" else GOOD)
    with make_client(web) as client:
        reply = client.get("https://old.org/a")
    assert [(step.url, step.status, step.to) for step in reply.redirects] == [
        ("https://old.org/a", 301, "https://new.org/b"),
        ("https://new.org/b", 302, "https://new.org/c"),
    ]
    assert (reply.url, reply.evidence().url) == ("https://new.org/c", "https://old.org/a")


@pytest.mark.parametrize("location", ["https://example.org/", "/next", "ftp://example.org/"])
def test_redirects_that_lead_nowhere(web: Loopback, location: str) -> None:
    web.rules.append(lambda asked: moved_to(f"{location}{asked.path}x" if location == "/next" else location))
    with make_client(web, max_redirects=4) as client, pytest.raises(FetchError) as caught:
        client.get("https://example.org/")
    assert caught.value.kind in {"redirects", "bad-address"}
    assert len(web.asked) <= 5


def test_a_token_goes_to_its_own_origin_only(web: Loopback) -> None:
    web.rules.append(lambda asked: moved_to("https://evil.org/") if asked.host == "api.github.com" else GOOD)
    with make_client(web, tokens={"https://api.github.com": "Bearer hush"}) as client:
        client.get("https://api.github.com/x")
    tokens = {asked.host: asked.headers.get("authorization") for asked in web.asked}
    assert tokens == {"api.github.com": "Bearer hush", "evil.org": None}


def test_a_body_is_read_up_to_its_bound_even_if_it_unpacks_to_gigabytes(web: Loopback) -> None:
    bomb = gzip.compress(b"\0" * 50_000_000)
    web.rules.append(lambda _: Answer(body=bomb, headers={"Content-Encoding": "gzip"}))
    with make_client(web) as client:
        reply = client.get("https://example.org/", max_bytes=1000)
    assert (len(reply.body), reply.truncated) == (1000, True)


def test_a_compressed_answer_is_unpacked(web: Loopback) -> None:
    web.rules.append(lambda _: zipped(GOOD))
    with make_client(web) as client:
        assert client.get("https://example.org/").json() == {"ok": True}


def test_a_web_page_in_place_of_data_is_a_challenge(web: Loopback) -> None:
    web.rules.append(lambda _: as_html("<title>Just a moment...</title>"))
    with make_client(web) as client, pytest.raises(FetchError) as caught:
        client.get("https://example.org/").json()
    assert caught.value.kind == "challenged"


def test_cookies_are_not_kept(web: Loopback) -> None:
    web.rules.append(lambda _: Answer(headers={"Set-Cookie": "id=7"}))
    with make_client(web) as client:
        client.get("https://example.org/")
        client.get("https://example.org/")
    assert "cookie" not in web.asked[1].headers


def test_pace_and_concurrency_of_a_host(web: Loopback) -> None:
    web.rules.append(lambda _: Answer(delay=0.03))
    began = time.monotonic()
    with make_client(web, default_pace=Pace(2, 0.02)) as client:
        threads = [threading.Thread(target=client.get, args=(f"https://a.org/{n}",)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert web.most_at_once["a.org"] <= 2
    assert client.gates.gate("a.org").next_start >= began + 8 * 0.02


def test_offline_asks_nothing(web: Loopback) -> None:
    with make_client(web, offline=True) as client, pytest.raises(FetchError) as caught:
        client.get("https://example.org/")
    assert (caught.value.kind, web.asked) == ("offline", [])


def test_a_deadline_ends_waiting(web: Loopback) -> None:
    web.rules.append(lambda _: Answer(429, headers={"Retry-After": "30"}))
    with make_client(web) as client:
        client.clock.limit(0.5)
        with pytest.raises(FetchError) as caught:
            client.get("https://example.org/")
    assert caught.value.kind == "time-limit"


def test_an_interruption_ends_waiting(web: Loopback) -> None:
    web.rules.append(lambda _: Answer(429, headers={"Retry-After": "30"}))
    with make_client(web) as client:
        timer = threading.Timer(0.1, client.cancel)
        timer.start()
        with pytest.raises(FetchError) as caught:
            client.get("https://example.org/")
        timer.join()
    assert caught.value.kind == "interrupted"


def test_a_host_that_stays_silent_is_soon_asked_once_each(web: Loopback) -> None:
    web.rules.append(lambda _: Answer(hang_up=True))
    with make_client(web, attempts=3) as client:
        for _ in range(4):
            with pytest.raises(FetchError):
                client.get("https://example.org/")
    assert len(web.asked) == 3 * 3 + 1


def test_etags_are_kept_and_asked_with(web: Loopback, tmp_path: Path) -> None:
    def rule(asked: Asked) -> Answer:
        if asked.headers.get("if-none-match") == 'W/"7"':
            return Answer(304)
        return as_json({"n": 1}, ETag='W/"7"', Set_Cookie="secret=1")

    web.rules.append(rule)
    tokens = {"https://a.org": "Bearer hush"}
    with make_client(web, cache_folder=str(tmp_path), tokens=tokens) as client:
        assert client.get("https://a.org/x", keep=True).json() == {"n": 1}
        assert client.get("https://a.org/x", keep=True).json() == {"n": 1}
    assert [asked.headers.get("if-none-match") for asked in web.asked] == [None, 'W/"7"']
    with make_client(web, cache_folder=str(tmp_path), max_age=60.0, tokens=tokens) as client:
        assert client.get("https://a.org/x", keep=True).json() == {"n": 1}
    assert len(web.asked) == 2
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*.json"))
    assert b"hush" not in kept
    assert b"secret" not in kept


def test_a_damaged_cache_is_no_cache(web: Loopback, tmp_path: Path) -> None:
    web.rules.append(lambda _: GOOD)
    with make_client(web, cache_folder=str(tmp_path), max_age=60.0) as client:
        client.get("https://a.org/x", keep=True)
        for path in tmp_path.rglob("*.json"):
            path.write_bytes(b'{"method": ')
        assert client.get("https://a.org/x", keep=True).status == 200
    assert len(web.asked) == 2


@pytest.mark.parametrize(
    ("status", "headers", "seconds"),
    [
        (200, {}, 0),
        (429, {"retry-after": "30"}, 30),
        (429, {"retry-after": "Thu, 01 Jan 1970 00:20:00 GMT"}, 200),
        (200, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1700000000"}, 1_700_000_000 - 1000),
        (200, {"ratelimit-remaining": "0", "ratelimit-reset": "17"}, 17),
        (200, {"x-ratelimit-remaining": "1", "x-ratelimit-reset": "1700000000"}, 0),
        (429, {"ratelimit": '"api";r=0;t=42'}, 42),
        (200, {"ratelimit": '"api";r=3;t=42'}, 0),
        (403, {"x-ratelimit-remaining": "0"}, 60),
        (404, {"retry-after": "30"}, 0),
    ],
)
def test_what_hosts_say_of_their_limits(status: int, headers: dict[str, str], seconds: float) -> None:
    reply = Reply("GET", "https://a.org/", status, headers, b"", "")
    assert pause_after(reply, 1000.0) == seconds


def test_retry_after_is_never_negative() -> None:
    assert retry_after("Thu, 01 Jan 1970 00:00:00 GMT", 1000.0) == 0.0


def test_behind_a_proxy_it_is_used_and_said(web: Loopback) -> None:
    web.rules.append(lambda _: GOOD)
    with make_client(web, routes={}, proxies={"http": web.base}) as client:
        assert client.get("http://example.org/a").json() == {"ok": True}
        assert client.proxy_for("http://example.org/") == web.base
        with pytest.raises(FetchError) as caught:
            client.get("http://127.0.0.1:9/")
    assert caught.value.kind == "refused-address"
    assert [asked.host for asked in web.asked] == ["example.org"]


def test_a_client_from_the_settings(tmp_path: Path, web: Loopback) -> None:
    web.rules.append(lambda _: GOOD)
    settings = Settings(
        cache_folder=str(tmp_path),
        contact="ada@example.org",
        github_token="hush",
        urls={"github": f"{web.base}/github.com", "github-api": f"{web.base}/api"},
    )
    with open_client(settings, max_age=5.0) as client:
        assert client.get("https://api.github.com/x").status == 200
        assert client.policy.max_age == 5.0
    (asked,) = web.asked
    assert (asked.host, asked.headers["authorization"]) == ("api", "Bearer hush")
    assert "mailto:ada@example.org" in asked.headers["user-agent"]


def test_no_credentials_are_read_from_files(
    web: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login ada password hush\ndefault login ada password hush\n")
    monkeypatch.setenv("NETRC", str(netrc))
    web.rules.append(lambda _: GOOD)
    with make_client(web) as client:
        client.get("https://example.org/")
    assert "authorization" not in web.asked[0].headers


@pytest.mark.parametrize(
    ("number", "kind"), [(socket.EAI_NONAME, "no-host"), (socket.EAI_AGAIN, "dns"), (socket.EAI_FAIL, "dns")]
)
def test_a_name_that_does_not_exist_is_not_asked_for_again(number: int, kind: str) -> None:
    error = to_fetch_error(socket.gaierror(number, "x"), "https://example.org/")
    assert (error.kind, may_pass(error.kind)) == (kind, kind == "dns")


@pytest.mark.parametrize(
    ("headers", "quiet"),
    [
        ({"Retry-After": "600"}, True),
        ({"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "4000000000"}, False),
    ],
    ids=["speed", "allowance"],
)
def test_a_limit_on_speed_holds_for_all_lanes_of_a_host(
    web: Loopback, headers: dict[str, str], quiet: bool
) -> None:
    web.rules.append(lambda asked: Answer(429, headers=headers) if asked.method == "GET" else GOOD)
    with make_client(web) as client:
        client.post_json("https://a.org/graphql", {}, lane="graphql a.org")
        with pytest.raises(FetchError):
            client.get("https://a.org/")
        assert client.gates.gate("graphql a.org").is_quiet == quiet
        assert client.gates.gate("a.org").is_quiet
