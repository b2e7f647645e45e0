"""urllib3 connections that open only to addresses the guard allows, and whose head comes in bounded time."""

import socket
import ssl
import threading
from typing import Any

from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPResponse, HTTPSConnectionPool, PoolManager
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import NameResolutionError, NewConnectionError

from bibtools.transport.failures import RefusedPeerError
from bibtools.transport.guard import Guard


class GuardedConnection(HTTPConnection):
    """A plain connection that judges its peer before a byte is sent.

    `guard` and `head_seconds` are set by the class that `pool_classes` derives for one client.
    """

    guard: Guard
    head_seconds: float

    def _new_conn(self) -> socket.socket:
        """Connect to the first address that answers, all of them judged beforehand, the peer again after."""
        name = self._dns_host
        try:
            addresses = self.guard.addresses(name, self.port)
        except socket.gaierror as error:
            raise NameResolutionError(self.host, self, error) from error
        except (UnicodeError, ValueError) as error:
            raise NewConnectionError(self, f"not a host name: {name!r}") from error
        if not addresses:
            raise RefusedPeerError(self, f"{name} is not a public address")
        sock = self._connect_first(addresses, name)
        if not self.guard.allows_peer(name, self.port, sock.getpeername()[0]):
            sock.close()
            raise RefusedPeerError(self, f"{name} is not a public address")
        return sock

    def _connect_first(self, addresses: list[str], name: str) -> socket.socket:
        """Return a socket to the first of the addresses that takes a connection."""
        try:
            for address in addresses[:-1]:
                self._dns_host = address
                try:
                    return super()._new_conn()
                except (NewConnectionError, OSError):
                    continue
            self._dns_host = addresses[-1]
            return super()._new_conn()
        finally:
            self._dns_host = name

    def getresponse(self) -> HTTPResponse:  # type: ignore[override]  # urllib3's own return type, as its parent has it
        """Read status and headers; a head that drips in for longer than `head_seconds` is cut off."""
        late = threading.Event()
        timer = threading.Timer(self.head_seconds, hang_up, (self.sock, late))
        timer.daemon = True
        timer.start()
        try:
            response = super().getresponse()
        finally:
            timer.cancel()
        if late.is_set():
            response.close()
            raise TimeoutError("the head of the answer took too long")
        return response


class GuardedTLSConnection(GuardedConnection, HTTPSConnection):
    """The same under TLS."""


def hang_up(sock: socket.socket | ssl.SSLSocket | None, late: threading.Event) -> None:
    """End a connection from another thread, so that whoever reads from it gets its end; say so by `late`."""
    late.set()
    if sock is not None:
        try:
            sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            return


def pool_classes(guard: Guard, head_seconds: float) -> dict[str, type[HTTPConnectionPool]]:
    """Return urllib3's pool classes by scheme with guarded connections."""
    values = {"guard": guard, "head_seconds": head_seconds}
    plain = type("Connection", (GuardedConnection,), values)
    tls = type("TLSConnection", (GuardedTLSConnection,), values)
    return {
        "http": type("Pool", (HTTPConnectionPool,), {"ConnectionCls": plain}),
        "https": type("TLSPool", (HTTPSConnectionPool,), {"ConnectionCls": tls}),
    }


class GuardedAdapter(HTTPAdapter):
    """A requests adapter with guarded connections. Behind a proxy the proxy is the peer, and is trusted."""

    def __init__(self, guard: Guard, head_seconds: float) -> None:
        self.pools = pool_classes(guard, head_seconds)
        super().__init__(pool_connections=8, pool_maxsize=2, max_retries=0)

    def init_poolmanager(self, connections: int, maxsize: int, block: bool = False, **kwargs: Any) -> None:
        """Make the pool manager that requests sends through."""
        manager = PoolManager(num_pools=connections, maxsize=maxsize, block=block, **kwargs)
        manager.pool_classes_by_scheme = self.pools
        self.poolmanager = manager
