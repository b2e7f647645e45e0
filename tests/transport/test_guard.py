"""Which addresses may be asked."""

import pytest
from loopback import Loopback, as_html, moved_to

from bibtools.errors import FetchError
from bibtools.transport import Client, Policy
from bibtools.transport.guard import Guard, is_public

PRIVATE = [
    "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
    "255.255.255.255", "224.0.0.1", "192.0.2.1", "::1", "::", "fe80::1", "fc00::1", "ff02::1",
    "::ffff:10.0.0.1", "2002:7f00:1::", "64:ff9b::7f00:1", "2001:db8::1",
]  # fmt: skip
PUBLIC = ["8.8.8.8", "140.82.121.3", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("ftp://example.org/x", "bad-address"),
        ("file:///etc/passwd", "bad-address"),
        ("javascript:alert(1)", "bad-address"),
        ("https://", "bad-address"),
        ("https://[::1", "bad-address"),
        ("https://example.org:99999/", "bad-address"),
        ("https://user:secret@example.org/", "bad-address"),
        ("https://example.org/" + "x" * 9000, "bad-address"),
        ("http://localhost/", "refused-address"),
        ("http://LOCALHOST./", "refused-address"),
        ("http://127.0.0.1:80/", "refused-address"),
        ("http://2130706433/", "refused-address"),
        ("http://0x7f.1/", "refused-address"),
        ("http://[::1]/", "refused-address"),
        ("http://[::ffff:192.168.0.1]/", "refused-address"),
        ("http://printer.local/", "refused-address"),
        ("http://metadata.google.internal/", "refused-address"),
    ],
)
def test_addresses_refused_before_any_request(url: str, kind: str) -> None:
    with pytest.raises(FetchError) as caught:
        Guard().check_url(url)
    assert caught.value.kind == kind


def test_a_host_named_in_the_settings_may_be_private() -> None:
    guard = Guard(["127.0.0.1:8000", "nas.local"])
    guard.check_url("http://127.0.0.1:8000/x")
    guard.check_url("http://nas.local/x")
    with pytest.raises(FetchError):
        guard.check_url("http://127.0.0.1:8001/x")


def test_a_redirect_into_a_private_network_is_not_followed(web: Loopback) -> None:
    web.rules.append(lambda asked: moved_to(f"{web.base}/inner/x") if asked.host == "outer" else None)
    web.rules.append(lambda _: as_html("secret"))
    with (
        Client(
            Policy(routes={"https://outer": f"{web.base.replace('127.0.0.1', 'localhost')}/outer"})
        ) as client,
        pytest.raises(FetchError) as caught,
    ):
        client.get("https://outer/x")
    assert caught.value.kind == "refused-address"
    assert web.count("inner") == 0


def test_a_name_that_resolves_to_a_private_address_is_refused_on_its_peer(web: Loopback) -> None:
    """The guard of a connection judges numbers, so a harmless-looking name is no way round it."""
    guard = Guard()
    assert guard.addresses("localhost", 80) == []
    assert not guard.allows_peer("harmless.example", 80, "10.0.0.7")
    assert Guard(["localhost"]).addresses("localhost", 80)
