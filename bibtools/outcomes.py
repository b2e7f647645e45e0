"""Results as values: what identification and link checks found, and on what evidence.

A "no" is never an exception here, and never the same value as "could not ask".
"""

from typing import Any, Literal

from msgspec import Struct

from bibtools.errors import Problem

IdentificationOutcome = Literal["identified", "ambiguous", "unidentified", "contradicted"]
Basis = Literal["abstract", "title", "title+abstract", "list"]
LinkOutcome = Literal["available", "missing", "blocked", "expired", "challenged", "unsure", "unchecked"]
LinkFlag = Literal["moved", "archived", "empty", "readme-only", "disabled", "fork"]


class Agreement(Struct, frozen=True, omit_defaults=True):
    """How far an abstract agrees with a catalogue's record; shares lie between 0 and 1."""

    shared: int
    """Pairs of neighbouring content words that both texts have."""
    of_query: float
    """Share of the abstract's pairs found in the record."""
    of_record: float
    """Share of the record's pairs found in the abstract."""
    rule: str = ""
    """The acceptance rule that held, or empty."""
    measures: dict[str, float] = {}
    """Further numbers that the rule looked at, by name."""


class Candidate(Struct, frozen=True, omit_defaults=True):
    """A catalogue's work that may be the one sought."""

    id: str
    title: str
    score: float
    """From 0 to 1; comparable between candidates of one abstract."""
    catalogue: str = ""
    agreement: Agreement | None = None


class FieldSource(Struct, frozen=True, omit_defaults=True):
    """Where a field's value came from."""

    source: str
    """Address or file of the source."""
    date: str = ""
    """ISO date on which the source was read."""


class Identification(Struct, frozen=True, omit_defaults=True):
    """Which work an abstract is, and why."""

    outcome: IdentificationOutcome
    score: float = 0.0
    basis: Basis | None = None
    """What named the work; `list` when the list itself gave an identifier."""
    reason: str = ""
    """One sentence for people."""
    work_id: str = ""
    """The identified work's id in its catalogue; empty unless identified."""
    candidates: tuple[Candidate, ...] = ()
    """Best first, in every outcome."""
    sources: dict[str, FieldSource] = {}
    """For each field filled in, where it came from."""


class Redirect(Struct, frozen=True):
    """One step of a redirect chain."""

    url: str
    status: int
    to: str


class Evidence(Struct, frozen=True, omit_defaults=True):
    """What was asked about a link, when, and what was answered."""

    method: str
    url: str
    asked_at: str
    """ISO date and time, UTC. A cached answer is an answer with an older time."""
    status: int | None = None
    answer: str = ""
    redirects: tuple[Redirect, ...] = ()


class Capture(Struct, frozen=True, omit_defaults=True):
    """A dated copy in an archive."""

    archive: Literal["software-heritage", "wayback"]
    url: str
    date: str
    swhid: str = ""


class LinkFacts(Struct, frozen=True, omit_defaults=True):
    """What a host says of a living repository, model or record; unknown facts stay unset."""

    name: str = ""
    """Canonical name, such as `owner/name` with the owner's own letter case."""
    host_id: str = ""
    """The host's own lasting id of the repository."""
    description: str = ""
    homepage: str = ""
    licence: str = ""
    """SPDX identifier."""
    language: str = ""
    default_branch: str = ""
    commit: str = ""
    """Newest commit of the default branch, 40 hex digits."""
    last_push: str = ""
    latest_release: str = ""
    stars: int | None = None
    parent: str = ""
    """Canonical name of the repository this is a fork of."""
    citation_cff: str = ""
    """Text of CITATION.cff at the root of the default branch."""


class LinkCheck(Struct, frozen=True, omit_defaults=True):
    """What is behind a link."""

    outcome: LinkOutcome
    flags: tuple[LinkFlag, ...] = ()
    reason: str = ""
    """Why, for outcomes that need one: blocked, unsure, unchecked."""
    moved_to: str = ""
    facts: LinkFacts | None = None
    evidence: tuple[Evidence, ...] = ()
    captures: tuple[Capture, ...] = ()
    repository: str = ""
    """For a project page: the address of the code repository found behind it."""


class Enrichment(Struct, frozen=True, omit_defaults=True):
    """What an enricher adds to one entry."""

    changes: dict[str, Any] = {}
    """New values by field name of Entry."""
    problems: tuple[Problem, ...] = ()
    also: "tuple[Enrichment, ...]" = ()
    """Further works found in the same paragraph, each to become an entry of its own."""
