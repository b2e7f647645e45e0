"""An entry for each repository behind checked links: the program, apart from the paper.

Facts come from CITATION.cff where the repository has one, and otherwise only from what its host says; authors
are never guessed from account names. Source: Citation File Format 1.2.0, schema guide; SWHID 1.2 for pins.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from bibtools.enrichers.hosts.archives import revision_swhid
from bibtools.model import Contributor, Entry, Link, PartialDate, Text
from bibtools.outcomes import LinkFacts
from bibtools.text.dates import parse_date

KINDS = frozenset({"repository", "gist", "model", "dataset"})
CSL_TYPES = {"dataset": "dataset"}
"""CSL type by the kind of link or by CITATION.cff's `type`; all others are software."""
HOST_NAMES = {
    "github.com": "GitHub", "gist.github.com": "GitHub", "gitlab.com": "GitLab", "bitbucket.org": "Bitbucket",
    "codeberg.org": "Codeberg", "huggingface.co": "Hugging Face",
}  # fmt: skip
ORCID = re.compile(r"\d{4}-\d{4}-\d{4}-\d{3}[\dX]")
SHORT_COMMIT = 12


class Found(Struct):
    """A repository and the works that give it."""

    link: Link
    facts: LinkFacts
    keys: list[str]


def software_entries(
    entries: Sequence[Entry], *, pin: bool = False, taken: Iterable[str] = ()
) -> list[Entry]:
    """Return one entry per living repository that the entries' checked links lead to, in their order.

    Each is related to the works that give it by biblatex's `related`; CSL-JSON has it in `custom.bibtex`.

    Args:
        entries: with their keys.
        pin: name the very commit that was seen, and its SWHID.
        taken: keys that the new entries must not have.
    """
    keys = {*taken, *(entry.key for entry in entries)}
    made = []
    for found in repositories(entries):
        key = free_key(f"{found.keys[0]}-code" if found.keys[0] else "code", keys)
        keys.add(key)
        made.append(describe(found, pin).replace(key=key, extra=related_fields(found, pin)))
    return made


def repositories(entries: Iterable[Entry]) -> list[Found]:
    """Return the living repositories behind the entries' links, each once."""
    found: dict[str, Found] = {}
    for entry in entries:
        for link in entry.links:
            facts = link.check.facts if link.check and link.check.outcome == "available" else None
            if facts is None or link.kind not in KINDS or "empty" in (link.check.flags if link.check else ()):
                continue
            one = found.setdefault((facts.name or link.url).lower(), Found(link, facts, []))
            if entry.key not in one.keys:
                one.keys.append(entry.key)
    return list(found.values())


def describe(found: Found, pin: bool) -> Entry:
    """Return the entry of one repository, without key or relation."""
    facts, link = found.facts, found.link
    cff = read_cff(facts.citation_cff)
    name = facts.name.rpartition("/")[2] or link.url
    commit = facts.commit if pin else ""
    asked = link.check.evidence[-1].asked_at[:10] if link.check and link.check.evidence else ""
    return Entry(
        type=CSL_TYPES.get(text(cff, "type"), CSL_TYPES.get(link.kind, "software")),
        title=Text(text(cff, "title") or name),
        author=tuple(filter(None, map(person, listed(cff, "authors")))),
        abstract=Text(text(cff, "abstract")) if text(cff, "abstract") else None,
        keyword=tuple(word for word in listed(cff, "keywords") if isinstance(word, str)),
        issued=parse_date(text(cff, "date-released")) if text(cff, "date-released") else None,
        accessed=to_date(asked),
        version=version_of(cff, facts, commit),
        doi=re.sub(r"(?i)^https?://(?:dx\.)?doi\.org/", "", text(cff, "doi")),
        license=text(cff, "license") or facts.licence,
        publisher=HOST_NAMES.get(link.url.split("/")[2] if "//" in link.url else "", ""),
        url=link.url,
    )


def version_of(cff: dict[str, Any], facts: LinkFacts, commit: str) -> str:
    """Return the version: the pinned commit, else what CITATION.cff says, else the newest release."""
    if commit:
        return f"commit {commit[:SHORT_COMMIT]}"
    return text(cff, "version") or facts.latest_release


def related_fields(found: Found, pin: bool) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return the fields that relate a program to the works with its keys, and pin it.

    `related` and `relatedstring` are biblatex's, `swhid` is that of its extension biblatex-software.
    """
    keys = ",".join(key for key in found.keys if key)
    swhid = revision_swhid(found.facts.commit) if pin else ""
    fields = (("related", keys), ("relatedstring", "Code for" if keys else ""), ("swhid", swhid))
    kept = tuple((name, value) for name, value in fields if value)
    return {"bibtex": kept} if kept else {}


def free_key(wanted: str, taken: set[str]) -> str:
    """Return a key that is not taken: the one wanted, or with a number behind it."""
    number, key = 1, wanted
    while key in taken:
        number += 1
        key = f"{wanted}{number}"
    return key


def read_cff(source: str) -> dict[str, Any]:
    """Return what a CITATION.cff says; nothing where it is no YAML mapping.

    Anchors and aliases, which the format has no use for, are refused: they can make a small file huge.
    """
    if not source.strip():
        return {}
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(source, Loader=loader)):
            return {}
        record = yaml.load(source, Loader=loader)  # noqa: S506 - a safe loader
    except (yaml.YAMLError, RecursionError, ValueError):
        return {}
    return {str(name): value for name, value in record.items()} if isinstance(record, dict) else {}


def text(record: dict[str, Any], name: str) -> str:
    """Return a field as one line of text; of several licences the first; dates and numbers as written."""
    value = record.get(name)
    if isinstance(value, list):
        value = value[0] if value else None
    if value is None or isinstance(value, dict | bool):
        return ""
    return " ".join(str(value).split())


def listed(record: dict[str, Any], name: str) -> list[Any]:
    """Return a field that is a list; an empty one for anything else."""
    value = record.get(name)
    return value if isinstance(value, list) else []


def person(record: object) -> Contributor | None:
    """Return a person or entity of CITATION.cff; None for what is neither."""
    if not isinstance(record, dict):
        return None
    fields = {str(name): value for name, value in record.items()}
    orcid = ORCID.search(text(fields, "orcid"))
    if text(fields, "name"):
        return Contributor(literal=text(fields, "name"))
    if not (text(fields, "family-names") or text(fields, "given-names")):
        return Contributor(literal=text(fields, "alias")) if text(fields, "alias") else None
    return Contributor(
        family=text(fields, "family-names"),
        given=text(fields, "given-names"),
        non_dropping_particle=text(fields, "name-particle"),
        suffix=text(fields, "name-suffix"),
        orcid=orcid[0] if orcid else "",
    )


def to_date(day: str) -> PartialDate | None:
    """Return an ISO date as a PartialDate; None for an empty text."""
    return parse_date(day) if day else None
