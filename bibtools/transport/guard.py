"""Addresses from strangers: http(s) only, public networks only, judged on the peer actually connected.

A name is resolved once; every address it gives is judged before a connection is opened, and the
peer of the opened socket is judged again before a byte is sent. So neither a redirect, nor a name that
points into a private network, nor one that changes its answer between two look-ups gets through.
Source of the ranges: IANA's special-purpose address registries, through the `ipaddress` module.
"""

import socket
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit

from bibtools.errors import FetchError

NAT64 = IPv6Network("64:ff9b::/96")
LOCAL_NAMES = ("localhost", ".localhost", ".local", ".internal", ".home.arpa", ".onion")
"""Names that never lead to a public host, whatever a resolver makes of them (RFC 6761, 6762, 7686, 8375)."""
MAX_URL = 8_000


class Guard:
    """Says which addresses may be asked.

    Args:
        exempt: hosts named in the settings, as `name` or `name:port`, which may be private.
    """

    def __init__(self, exempt: Iterable[str] = ()) -> None:
        self.exempt = frozenset(host.lower() for host in exempt)

    def check_url(self, url: str) -> SplitResult:
        """Return the address in parts.

        Raises:
            FetchError: it is malformed, of another scheme, or plainly private.
        """
        try:
            parts = urlsplit(url)
            host, port = parts.hostname or "", parts.port or default_port(parts.scheme)
        except ValueError as error:
            raise FetchError("the address is malformed", url, "bad-address") from error
        if parts.scheme not in {"http", "https"} or not host or len(url) > MAX_URL:
            raise FetchError("not an http(s) address", url, "bad-address")
        if parts.username is not None or parts.password is not None:
            raise FetchError("an address with a user name or password is not asked", url, "bad-address")
        if not self.is_exempt(host, port) and is_local_name(host):
            raise FetchError("the address leads into a private network", url, "refused-address")
        return parts

    def is_exempt(self, host: str, port: int) -> bool:
        """Return whether the settings allow this host even if it is private."""
        host = host.lower()
        return host in self.exempt or f"{host}:{port}" in self.exempt

    def addresses(self, host: str, port: int) -> list[str]:
        """Return the numeric addresses of a host in the resolver's order; none if one of them is refused.

        Raises:
            socket.gaierror: the name does not resolve.
        """
        rows = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
        found = list(dict.fromkeys(str(row[4][0]) for row in rows))
        return found if self.is_exempt(host, port) or all(map(is_public, found)) else []

    def allows_peer(self, host: str, port: int, peer: str) -> bool:
        """Return whether a connection to this host that ended at this numeric address may be used."""
        return self.is_exempt(host, port) or is_public(peer)


def default_port(scheme: str) -> int:
    """Return the port of a scheme."""
    return 443 if scheme == "https" else 80


def is_local_name(host: str) -> bool:
    """Return whether a host is private by its name, or by the number that it is written as.

    >>> [is_local_name(h) for h in ("localhost", "a.internal.", "127.1", "0x7f000001", "github.com")]
    [True, True, True, True, False]
    """
    name = as_asked(host).rstrip(".")
    if any(name == local.lstrip(".") or name.endswith(local) for local in LOCAL_NAMES):
        return True
    try:
        return not is_public(name)
    except ValueError:
        return is_private_number(name)


def as_asked(host: str) -> str:
    """Return a host in the letters in which it will be looked up: other scripts' forms of ASCII letters too.

    >>> as_asked("ＬＯＣＡＬｈｏｓｔ")
    'localhost'
    """
    try:
        return host.encode("idna").decode("ascii").lower()
    except UnicodeError:
        return host.lower()


def is_private_number(name: str) -> bool:
    """Return whether a host is a private IPv4 address in one of the old spellings (`127.1`, `0x7f000001`)."""
    try:
        packed = socket.inet_aton(name)
    except OSError:
        return False
    return not is_public(str(IPv4Address(packed)))


def is_public(address: str) -> bool:
    """Return whether a numeric address belongs to the public internet.

    An IPv6 address that carries an IPv4 one (mapped, 6to4, NAT64) is judged by that too.

    >>> [is_public(a) for a in ("93.184.215.14", "10.0.0.1", "::ffff:127.0.0.1", "64:ff9b::a00:1")]
    [True, False, False, False]

    Raises:
        ValueError: this is not a numeric address.
    """
    ip = ip_address(address)
    inner = embedded(ip) if isinstance(ip, IPv6Address) else None
    if inner is not None:
        return is_public(str(inner))
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified or ip.is_loopback)


def embedded(ip: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address that an IPv6 one stands for, if any."""
    if ip.ipv4_mapped is not None:
        return ip.ipv4_mapped
    if ip.sixtofour is not None:
        return ip.sixtofour
    return IPv4Address(int(ip) & 0xFFFFFFFF) if ip in NAT64 else None
