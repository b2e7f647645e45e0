"""How a request can fail, in stable words, and how the exceptions of the HTTP libraries map to them."""

import socket

import requests
import urllib3.exceptions as wire

from bibtools.errors import FetchError

KINDS = {
    "bad-address": "the address cannot be asked: malformed, or another scheme than http(s)",
    "refused-address": "the address leads into a private network",
    "offline": "the network is switched off by the user",
    "no-host": "there is no host of this name",
    "dns": "the host's name did not resolve",
    "connect": "no connection, or it was reset",
    "tls": "the certificate or the encrypted connection is faulty",
    "timeout": "no whole answer within the time allowed",
    "cut-off": "the answer ended early or was garbled",
    "redirects": "too many redirects, or one that leads nowhere",
    "too-large": "the file is larger than allowed",
    "throttled": "the host asks to wait longer than allowed",
    "server-error": "the host kept answering with a server error",
    "challenged": "a web page came where data was asked for",
    "bad-token": "the service does not accept the token",
    "bad-reply": "the answer has not the shape documented",
    "time-limit": "the run's time was used up",
    "interrupted": "the run was interrupted",
}
PASSING = frozenset({"dns", "connect", "timeout", "cut-off", "tls"})
"""Kinds that another try may cure."""


UNKNOWN_NAME = frozenset({socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)})
"""Errors of a resolver that knows that there is no such name, as against one that did not answer."""


class RefusedPeerError(wire.NewConnectionError):
    """The host's address is not a public one, so no request was sent."""


def to_fetch_error(error: Exception, url: str) -> FetchError:
    """Return a FetchError for an exception of requests or urllib3, with its kind."""
    causes = causes_of(error)
    for cause in causes:
        if isinstance(cause, RefusedPeerError):
            return FetchError(KINDS["refused-address"], url, "refused-address")
        if isinstance(cause, socket.gaierror):
            kind = "no-host" if cause.errno in UNKNOWN_NAME else "dns"
            return FetchError(KINDS[kind], url, kind)
    for cause in causes:
        if isinstance(cause, (requests.Timeout, wire.TimeoutError, TimeoutError)):
            return FetchError(KINDS["timeout"], url, "timeout")
        if isinstance(cause, (requests.exceptions.SSLError, wire.SSLError)):
            return FetchError(f"{KINDS['tls']}: {tls_reason(cause)}", url, "tls")
        if isinstance(cause, (wire.IncompleteRead, wire.DecodeError, wire.InvalidChunkLength)):
            return FetchError(KINDS["cut-off"], url, "cut-off")
    if isinstance(error, (ValueError, wire.LocationParseError)):
        return FetchError(KINDS["bad-address"], url, "bad-address")
    return FetchError(KINDS["connect"], url, "connect")


def causes_of(error: BaseException) -> list[BaseException]:
    """Return an exception with those it wraps, outermost first: causes, contexts, reasons and arguments."""
    found: list[BaseException] = []
    pending: list[BaseException] = [error]
    while pending and len(found) < 20:
        one = pending.pop(0)
        if one in found:
            continue
        found.append(one)
        inner = [one.__cause__, one.__context__, getattr(one, "reason", None), *one.args]
        pending += [item for item in inner if isinstance(item, BaseException)]
    return found


def tls_reason(error: BaseException) -> str:
    """Return the few words of a TLS fault that tell a person something."""
    text = str(error)
    for words in ("certificate has expired", "self-signed", "self signed", "doesn't match", "not valid for"):
        if words in text:
            return words
    return "certificate not accepted" if "CERTIFICATE_VERIFY_FAILED" in text else "handshake failed"
