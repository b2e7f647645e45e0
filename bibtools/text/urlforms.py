"""One address, many spellings: the normal form, what it leads to, and the repository it names.

Rules: docs/links-found.md. Nothing here looks anything up, so an address is never proved to exist.
"""

import re
from collections.abc import Sequence

from msgspec import Struct

from bibtools.model import LinkKind
from bibtools.text.hosts import HostRule, branch_length, find_rule, is_code_host, repository_depth

END_MARKS = ".,;:!?'\"`*´’‘”“„»«›‹…。，、；：！？．·†‡§¶"
"""Marks of the running text that no address ends in."""
CLOSERS = {")": "(", "]": "[", "}": "{", ">": "<", "）": "（", "】": "【", "」": "「", "》": "《"}
GIT_SUFFIX = ".git"
_MOST_CUTS = 9
"""How often marks are taken off an end that only came to light when what followed had gone."""
OWN_PORTS = {"http": "80", "https": "443"}
SCHEME = re.compile(r"(?:git\+)?([A-Za-z][A-Za-z0-9.-]*)[:：]//")
SCP = re.compile(r"[\w.-]+@([\w-]+(?:\.[\w-]+)+):/*")
HOST = re.compile(r"[\w-]+(?:\.[\w-]+)+|localhost")
AUTHORITY_END = re.compile(r"[/?#\\]")
TAIL = re.compile(r"[?#]")


class Repository(Struct, frozen=True, omit_defaults=True, repr_omit_defaults=True):
    """A git repository that an address names, and the part of it."""

    host: str
    owner: str
    """Account, or groups with `/` between; empty where the host has none."""
    name: str
    ref: str = ""
    """Branch or tag, where the address names one."""
    path: str = ""
    """Folder in the repository."""
    section: str = ""
    """First path segment on hosts that sort repositories by it, such as `datasets`."""

    @property
    def url(self) -> str:
        """Address of the whole repository, in normal form."""
        return "/".join(("https://" + self.host, *filter(None, (self.section, self.owner, self.name))))


class Address(Struct, frozen=True):
    """An address taken apart; what only spells it another way is already gone."""

    scheme: str
    host: str
    port: str
    segments: tuple[str, ...]
    tail: str
    """Query and fragment, with their marks."""
    rule: HostRule | None = None
    depth: int = 0
    """How many segments name a git repository; 0 for none."""

    def format(self) -> str:
        """Return the normal form."""
        path = "".join("/" + segment for segment in self.segments)
        return f"{self.scheme}://{self.host}{self.port}{path}{self.tail}"


def normalise_url(url: str) -> str:
    """Return the normal form: https, host in lower case, no end marks, no credentials, no final slash.

    On repository hosts also without `www.`, `.git`, query, fragment, and a branch that no folder follows.
    `http` is kept beside a port of its own, where https would be another service, and so is `ftp`. What is no
    address comes back trimmed.

    >>> normalise_url("http://www.GitHub.com/o/r.git/tree/main/?tab=readme#install")
    'https://github.com/o/r'
    >>> normalise_url("git@gitlab.com:group/sub/r.git")
    'https://gitlab.com/group/sub/r'
    >>> normalise_url("https://Example.org/kelp/?page=2")
    'https://example.org/kelp/?page=2'
    """
    return normal_form_and_kind(url)[0]


def classify(url: str) -> LinkKind:
    """Return what the address leads to, as far as host and path tell.

    >>> classify("https://huggingface.co/spaces/o/n"), classify("github.com/o"), classify("o.github.io/r")
    ('demo', 'other', 'project-page')
    """
    return normal_form_and_kind(url)[1]


def normal_form_and_kind(url: str) -> tuple[str, LinkKind]:
    """Return what `normalise_url` and `classify` return, at the cost of one."""
    address = parse_address(url)
    if address is None:
        return trim_end(url.strip()), "other"
    if address.segments and address.segments[-1].lower().endswith(".pdf"):
        kind: LinkKind = "paper"
    elif address.rule:
        kind = address.rule.kind
    else:
        kind = "repository" if address.depth else "other"
    return address.format(), kind


def repository_of(url: str) -> Repository | None:
    """Return the git repository that the address names, or None.

    >>> repository_of("https://github.com/o/r/tree/main/src/x")
    Repository(host='github.com', owner='o', name='r', ref='main', path='src/x')
    """
    address = parse_address(url)
    if address is None or not address.depth:
        return None
    names, rest = address.segments[: address.depth], address.segments[address.depth :]
    section = names[0] if len(names) == 3 and address.rule and address.rule.git == "3" else ""
    length = branch_length(address.rule, rest) if address.rule else 0
    return Repository(
        host=address.host,
        owner="/".join(names[bool(section) : -1]),
        name=names[-1],
        ref=rest[length - 1] if length else "",
        path="/".join(rest[length:]) if length else "",
        section=section,
    )


def trim_end(text: str) -> str:
    """Return the text without the marks after an address: punctuation, quotes, closing brackets of others."""
    end = len(text)
    if text[-1:].isalnum() or text[-1:] == "/":
        return text
    surplus = {closer: text.count(closer) - text.count(opener) for closer, opener in CLOSERS.items()}
    while end:
        mark = text[end - 1]
        if surplus.get(mark, 0) > 0:
            surplus[mark] -= 1
        elif mark not in END_MARKS and not mark.isspace():
            break
        end -= 1
    return text[:end]


def parse_address(url: str) -> Address | None:
    """Return the address taken apart, or None for text that is none."""
    address = _parse_address(trim_end(url.strip()))
    for _ in range(_MOST_CUTS):
        whole = address.format() if address else ""
        if trim_end(whole) == whole:
            break
        address = _parse_address(trim_end(whole))  # a branch or `.git` went, behind which marks had stood
    return address


def _parse_address(url: str) -> Address | None:
    """Return an address without marks after it taken apart."""
    scheme, rest = _split_scheme(url)
    end = AUTHORITY_END.search(rest)
    cut = end.start() if end else len(rest)
    host, _, port = rest[:cut].rpartition("@")[2].partition(":")
    host = host.rstrip(".").lower()
    if not HOST.fullmatch(host):
        return None
    tail = TAIL.search(rest, cut)
    path = rest[cut : tail.start()] if tail else rest[cut:]
    if port and not port.isdecimal():
        path, port = f"/{port}{path}", ""  # ssh://git@host:owner/name, a common mixture of two forms
    if scheme != "ftp" and port in ("", OWN_PORTS.get(scheme, port)):
        scheme, port = "https", ""
    query = rest[tail.start() :] if tail else ""
    return _settle(scheme, host, port and f":{port}", path, query if query.strip("?#") else "")


def _split_scheme(url: str) -> tuple[str, str]:
    """Return the scheme in lower case (https if none is written) and what follows it."""
    scheme = SCHEME.match(url)
    if scheme:
        return scheme[1].lower(), url[scheme.end() :]
    short = SCP.match(url)
    return ("ssh", f"{short[1]}/{url[short.end() :]}") if short else ("https", url)


def _settle(scheme: str, host: str, port: str, path: str, query: str) -> Address:
    """Return the parts with all that the host's rules call mere spelling taken away."""
    on_code_host = is_code_host(host)
    if on_code_host:
        host = host.removeprefix("www.")
        segments = [segment for segment in path.split("/") if segment]
    else:
        segments = (path if query else _trim_path(path)).split("/")[1:]
    rule = find_rule(host, segments)
    if on_code_host and not (rule and rule.kind == "other" and not rule.git):
        query = ""
    if on_code_host and not query:
        segments = _trim_path("/".join(["", *segments])).split("/")[1:]
        rule = find_rule(host, segments)
    depth = repository_depth(rule, segments) if rule else _git_suffix_depth(segments)
    if depth:
        segments[depth - 1] = _trim_name(segments[depth - 1])
    if rule and depth and branch_length(rule, segments[depth:]) == len(segments) - depth:
        segments = segments[:depth]
    return Address(scheme, host, port, tuple(segments), query, rule, depth)


def _trim_path(path: str) -> str:
    """Return the path without final slashes and end marks."""
    while path and (path.endswith("/") or trim_end(path) != path):
        path = trim_end(path.rstrip("/"))
    return path


def _trim_name(name: str) -> str:
    """Return a repository's name without `.git`; a name that has nothing else but marks stays."""
    while name.lower().endswith(GIT_SUFFIX) and (shorter := trim_end(name[: -len(GIT_SUFFIX)])):
        name = shorter
    return name


def _git_suffix_depth(segments: Sequence[str]) -> int:
    """Return how many segments name a repository on a host outside the table: all if they end in `.git`."""
    return len(segments) if segments and segments[-1].lower().endswith(GIT_SUFFIX) else 0
