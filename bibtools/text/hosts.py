"""What an address leads to, told from its host and path alone; the table is `tables/hosts.tsv`."""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple, cast

from bibtools.model import LinkKind
from bibtools.tables import read_table

GROUPS = "groups"
PROJECT_PAGES = frozenset(
    ("-", "tree", "blob", "raw", "blame", "commit", "commits", "issues", "tags", "wikis")
)
"""Words after which a path on a host with nested groups no longer names the repository."""


class SegmentPattern(NamedTuple):
    """What one path segment may be: one of the words, or begin as one of the prefixes."""

    words: frozenset[str]
    prefixes: tuple[str, ...]

    def fits(self, segment: str) -> bool:
        """Return whether the segment is as the pattern says; never for an empty one."""
        return bool(segment) and (segment in self.words or segment.startswith(self.prefixes))


class HostRule(NamedTuple):
    """One row of the table of hosts."""

    path: tuple[SegmentPattern, ...]
    kind: LinkKind
    git: str
    """How many segments name the git repository, `groups`, or empty."""
    branches: tuple[tuple[SegmentPattern, ...], ...]
    """What may stand between the repository and a folder of it, the branch last."""


@cache
def _rules() -> dict[str, tuple[HostRule, ...]]:
    """Return the rules of each host pattern, in the table's order."""
    found: dict[str, list[HostRule]] = {}
    for row in read_table("hosts"):
        branches = tuple(_parse_pattern(mark) for mark in row["branch"].split())
        rule = HostRule(_parse_pattern(row["path"]), cast(LinkKind, row["kind"]), row["git"], branches)
        found.setdefault(row["host"], []).append(rule)
    return {host: tuple(rules) for host, rules in found.items()}


def _parse_pattern(path: str) -> tuple[SegmentPattern, ...]:
    """Return the patterns of a path's segments; `*` alone is the empty prefix."""
    words = [segment.split("|") for segment in path.split("/") if segment]
    return tuple(
        SegmentPattern(
            frozenset(word for word in choice if not word.endswith("*")),
            tuple(word[:-1] for word in choice if word.endswith("*")),
        )
        for choice in words
    )


@cache
def pages_hosts() -> tuple[str, ...]:
    """Return the hosts under which every host is a page of its own, such as `github.io`."""
    return tuple(host[2:] for host in _rules() if host.startswith("*."))


@lru_cache(maxsize=4096)
def host_rules(host: str) -> tuple[HostRule, ...]:
    """Return the rules for a host in lower case: its own, those of a host above it, or by its first label."""
    rules = _rules()
    host = host.removeprefix("www.")
    if host in rules:
        return rules[host]
    labels = host.split(".")
    for start in range(1, len(labels) - 1):
        above = rules.get("*." + ".".join(labels[start:]))
        if above:
            return above
    return rules.get(labels[0] + ".*", ()) if len(labels) > 1 else ()


def is_known_host(host: str) -> bool:
    """Return whether the table has the host, so that an address on it is one without a scheme too."""
    return bool(host_rules(host.lower()))


def is_code_host(host: str) -> bool:
    """Return whether the host, in any letter case, holds git repositories."""
    return any(rule.git for rule in host_rules(host.lower()))


def find_rule(host: str, segments: Sequence[str]) -> HostRule | None:
    """Return the first rule that fits the path on this host; None if none does."""
    return next((rule for rule in host_rules(host) if _fits(rule.path, segments)), None)


def repository_depth(rule: HostRule, segments: Sequence[str]) -> int:
    """Return how many of the segments name the repository; 0 where the rule knows of none."""
    if rule.git != GROUPS:
        return int(rule.git or 0)
    ends = (place for place, segment in enumerate(segments) if place > 1 and segment in PROJECT_PAGES)
    return next(ends, len(segments))


def branch_length(rule: HostRule, rest: Sequence[str]) -> int:
    """Return how many segments after the repository only name its branch; 0 if they do not begin so."""
    return next((len(mark) for mark in rule.branches if _fits(mark, rest)), 0)


def _fits(patterns: Sequence[SegmentPattern], segments: Sequence[str]) -> bool:
    """Return whether the segments begin as the patterns say."""
    return len(segments) >= len(patterns) and all(map(SegmentPattern.fits, patterns, segments))
