"""What names a work: its identifiers, and its title; as text, and as keys of a catalogue's indexes."""

import re
from collections.abc import Iterator
from hashlib import blake2b
from typing import Literal

from msgspec import Struct

from bibtools.catalogue.fingerprint import KEY_BITS
from bibtools.catalogue.normalise import words
from bibtools.model import Contributor, Entry

_ADDRESS_EDGES = re.compile(r"^https?://(?:www\.)?|/+$")

SCHEMES = ("pmlr", "acl", "openreview", "doi", "arxiv", "dblp", "openalex")
"""Identifier schemes in the order in which they are chosen to name a work; others come after."""


def id_marks(entry: Entry) -> tuple[str, ...]:
    """Return the work's identifiers as `scheme:value`, the one that names it first.

    >>> id_marks(Entry(doi="10.1/X", ids={"arxiv": "2401.00001v2", "pmlr": "v1/doe07a"}))
    ('pmlr:v1/doe07a', 'doi:10.1/x', 'arxiv:2401.00001')
    """
    ids = {"doi": entry.doi, "pmid": entry.pmid, "pmcid": entry.pmcid, **entry.ids}
    named = sorted(filter(ids.get, ids), key=lambda scheme: (_rank(scheme), scheme))
    marks = [normalise_id(f"{scheme}:{ids[scheme]}") for scheme in named]
    return (*marks, normalise_id(f"url:{entry.url}")) if entry.url else tuple(marks)


def normalise_id(mark: str) -> str:
    """Return an identifier in the form in which two spellings of it are equal.

    >>> normalise_id("doi:10.1000/ABC"), normalise_id("arxiv:2401.00001v3")
    ('doi:10.1000/abc', 'arxiv:2401.00001')
    >>> normalise_id("url:http://www.example.org/a/") == normalise_id("url:https://example.org/a")
    True
    """
    scheme, _, value = mark.partition(":")
    scheme = scheme.lower()
    if scheme == "doi":
        value = value.lower()
    elif scheme == "arxiv":
        head, mark_v, version = value.rpartition("v")
        value = head if mark_v and version.isdigit() else value
    elif scheme == "url":
        value = _ADDRESS_EDGES.sub("", value)
    return f"{scheme}:{value}"


def title_mark(title: str) -> str:
    """Return a title's letters and digits without what depends on case, accents, mark-up or spacing."""
    return "".join(words(title))


def family_names(people: tuple[Contributor, ...]) -> frozenset[str]:
    """Return the last words of family names, folded, to compare two author lists.

    >>> sorted(family_names((Contributor(family="de la Cruz"), Contributor(literal="Ada Lovelace"))))
    ['cruz', 'lovelace']
    """
    return frozenset(_last_words(people))


def _last_words(people: tuple[Contributor, ...]) -> Iterator[str]:
    for person in people:
        name = words(person.family or person.literal or person.given)
        if name:
            yield name[-1]


def work_id(entry: Entry) -> str:
    """Return the id by which a catalogue names a work: its first identifier, else a hash of its title."""
    marks = id_marks(entry)
    if marks:
        return marks[0]
    title = title_mark(entry.title.plain if entry.title else "")
    return f"title:{blake2b(title.encode(), digest_size=6).hexdigest()}"


MarkIndex = Literal["ids", "titles", "texts"]
MARK_INDEXES: tuple[MarkIndex, ...] = ("ids", "titles", "texts")
"""Names of a catalogue's look-up tables from marks to works."""


class Marks(Struct, frozen=True):
    """All by which a work can be found again, as strings that equal works share."""

    ids: tuple[str, ...]
    title: str = ""
    text: str = ""

    @classmethod
    def of(cls, entry: Entry, other_ids: tuple[str, ...] = (), text: str = "") -> "Marks":
        """Return the marks of an entry, given further identifiers and the mark of its abstract."""
        ids = (*id_marks(entry), *other_ids)
        title = title_mark(entry.title.plain) if entry.title else ""
        return cls(ids or (work_id(entry),), title, text)

    def by_index(self) -> list[tuple[MarkIndex, str]]:
        """Return each mark with the name of the catalogue's index that it belongs into."""
        rows: list[tuple[MarkIndex, str]] = [("ids", mark) for mark in self.ids]
        if self.title:
            rows.append(("titles", self.title))
        if self.text:
            rows.append(("texts", self.text))
        return rows


def key_of(mark: str) -> int:
    """Return the key that stands for an identifier or title in an index."""
    return int.from_bytes(blake2b(mark.encode(), digest_size=4).digest(), "little") >> (32 - KEY_BITS)


def _rank(scheme: str) -> int:
    return SCHEMES.index(scheme) if scheme in SCHEMES else len(SCHEMES)
