"""Large files to disk."""

from pathlib import Path

import pytest
from loopback import Answer, Asked, Loopback, moved_to

from bibtools.errors import FetchError
from bibtools.transport import Client, Pace, Policy, fetch_file

DATA = bytes(range(256)) * 800


def make_client(web: Loopback) -> Client:
    """Return a client that asks the loopback server for every address, without pauses."""
    return Client(Policy(routes=web.routes, paces={}, default_pace=Pace(4, 0.0), backoff=0.01, attempts=2))


def serve(asked: Asked) -> Answer:
    """Serve DATA with its ETag, in part where asked."""
    if asked.headers.get("if-none-match") == '"v1"':
        return Answer(304)
    wanted = asked.headers.get("range", "")
    if wanted and asked.headers.get("if-range") == '"v1"':
        start = int(wanted.removeprefix("bytes=").rstrip("-"))
        place = f"bytes {start}-{len(DATA) - 1}/{len(DATA)}"
        return Answer(206, DATA[start:], {"ETag": '"v1"', "Content-Range": place})
    return Answer(200, DATA, {"ETag": '"v1"'})


def test_a_file_arrives_whole(web: Loopback, tmp_path: Path) -> None:
    web.rules += [lambda asked: moved_to("https://cdn.org/f") if asked.host == "a.org" else None, serve]
    seen: list[tuple[int, int | None]] = []
    with make_client(web) as client:
        got = fetch_file(
            client, "https://a.org/f", tmp_path / "deep" / "f", progress=lambda *n: seen.append(n)
        )
    assert got.path.read_bytes() == DATA
    assert (got.url, got.size, got.etag, got.changed) == ("https://cdn.org/f", len(DATA), '"v1"', True)
    assert seen[-1] == (len(DATA), len(DATA))
    assert [path.name for path in got.path.parent.iterdir()] == ["f"]


def test_a_break_is_mended_from_where_it_was(web: Loopback, tmp_path: Path) -> None:
    faults = [Answer(200, DATA, {"ETag": '"v1"'}, cut_after=100_000)]
    web.rules += [lambda _: faults.pop() if faults else None, serve]
    with make_client(web) as client:
        assert fetch_file(client, "https://a.org/f", tmp_path / "f").path.read_bytes() == DATA
    assert "range" in web.asked[1].headers
    assert web.asked[1].headers["range"] != "bytes=0-"


def test_the_next_call_goes_on_too(web: Loopback, tmp_path: Path) -> None:
    (tmp_path / "f.part").write_bytes(DATA[:1000])
    (tmp_path / "f.part.etag").write_text('"v1"')
    web.rules.append(serve)
    with make_client(web) as client:
        assert fetch_file(client, "https://a.org/f", tmp_path / "f").path.read_bytes() == DATA
    assert web.asked[0].headers["range"] == "bytes=1000-"


def test_a_part_of_an_older_file_is_dropped(web: Loopback, tmp_path: Path) -> None:
    (tmp_path / "f.part").write_bytes(b"old" * 500)
    (tmp_path / "f.part.etag").write_text('"v0"')
    web.rules.append(serve)
    with make_client(web) as client:
        assert fetch_file(client, "https://a.org/f", tmp_path / "f").path.read_bytes() == DATA


def test_an_unchanged_file_is_not_brought_again(web: Loopback, tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(DATA)
    web.rules.append(serve)
    with make_client(web) as client:
        got = fetch_file(client, "https://a.org/f", tmp_path / "f", known_etag='"v1"')
    assert (got.changed, (tmp_path / "f").read_bytes()) == (False, DATA)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [(Answer(404), "bad-reply"), (Answer(500), "server-error"), (Answer(body=DATA, cut_after=0), "cut-off")],
)
def test_a_failure_leaves_the_old_file(web: Loopback, tmp_path: Path, answer: Answer, kind: str) -> None:
    (tmp_path / "f").write_bytes(b"old")
    web.rules.append(lambda _: answer)
    with make_client(web) as client, pytest.raises(FetchError) as caught:
        fetch_file(client, "https://a.org/f", tmp_path / "f")
    assert (caught.value.kind, (tmp_path / "f").read_bytes()) == (kind, b"old")


def test_a_file_too_large_is_refused(web: Loopback, tmp_path: Path) -> None:
    web.rules.append(serve)
    with make_client(web) as client, pytest.raises(FetchError) as caught:
        fetch_file(client, "https://a.org/f", tmp_path / "f", max_bytes=1000)
    assert caught.value.kind == "too-large"
