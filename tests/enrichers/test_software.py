"""Entries for programs, from CITATION.cff or from what their host says."""

import pytest

from bibtools.enrichers.software import read_cff, software_entries
from bibtools.model import Contributor, Entry, Link, PartialDate, Text
from bibtools.outcomes import Evidence, LinkCheck, LinkFacts

COMMIT = "0123456789abcdef0123456789abcdef01234567"
CFF = """\
cff-version: 1.2.0
message: Cite us.
title: Widget Trainer
version: 2.1
doi: https://doi.org/10.5281/zenodo.7
date-released: 2024-07-01
license: [Apache-2.0, MIT]
keywords: [widgets]
authors:
  - family-names: Berg
    given-names: Ada
    name-particle: van der
    name-suffix: Jr.
    orcid: https://orcid.org/0000-0001-2345-678X
  - name: The Widget Team
  - alias: bob
  - 7
preferred-citation:
  type: article
  title: Another thing
"""


def paper(key: str, name: str = "ada/widgets", cff: str = "", **check: object) -> Entry:
    """Return a paper that links to a checked repository."""
    facts = LinkFacts(name=name, licence="MIT", commit=COMMIT, latest_release="v3", citation_cff=cff)
    url = f"https://github.com/{name}"
    evidence = (Evidence("POST", "https://api.github.com/graphql", "2025-11-30T12:00:00Z", 200),)
    verdict = LinkCheck(**({"outcome": "available", "facts": facts, "evidence": evidence} | check))  # type: ignore[arg-type]
    return Entry(key=key, title=Text("Paper"), links=(Link(url, url, "repository", True, check=verdict),))


def test_from_citation_cff() -> None:
    (entry,) = software_entries([paper("berg2024", cff=CFF)])
    assert (entry.key, entry.type, entry.title) == ("berg2024-code", "software", Text("Widget Trainer"))
    assert entry.author == (
        Contributor("Berg", "Ada", "van der", suffix="Jr.", orcid="0000-0001-2345-678X"),
        Contributor(literal="The Widget Team"),
        Contributor(literal="bob"),
    )
    assert (entry.version, entry.doi, entry.license) == ("2.1", "10.5281/zenodo.7", "Apache-2.0")
    assert entry.issued == PartialDate((2024, 7, 1))
    assert entry.accessed == PartialDate((2025, 11, 30))
    assert (entry.url, entry.publisher, entry.keyword) == (
        "https://github.com/ada/widgets",
        "GitHub",
        ("widgets",),
    )


def test_from_what_the_host_says_no_author_is_guessed() -> None:
    (entry,) = software_entries([paper("k")])
    assert (entry.title, entry.author, entry.version, entry.license) == (Text("widgets"), (), "v3", "MIT")
    assert entry.issued is None


def test_related_to_its_papers() -> None:
    (entry,) = software_entries([paper("a"), paper("b")])
    assert entry.extra == {"bibtex": (("related", "a,b"), ("relatedstring", "Code for"))}


def test_pinned() -> None:
    (entry,) = software_entries([paper("a", cff=CFF)], pin=True)
    assert entry.version == "commit 0123456789ab"
    assert dict(entry.extra["bibtex"])["swhid"] == f"swh:1:rev:{COMMIT}"


def test_keys_are_free() -> None:
    made = software_entries([paper("a"), paper("a", "ada/other")], taken=["a-code"])
    assert [entry.key for entry in made] == ["a-code2", "a-code3"]


@pytest.mark.parametrize("check", [{"outcome": "missing"}, {"flags": ("empty",)}, {"facts": None}])
def test_nothing_for_what_is_not_there(check: dict[str, object]) -> None:
    assert software_entries([paper("a", **check)]) == []  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "source",
    [
        "",
        "- a list",
        "a: [unclosed",
        "!!python/object/apply:os.system ['true']",
        "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]",
        "[" * 5_000,
        "{a: " * 2_000,
        "\x00",
        "? [a]\n: b\n? {c: d}\n: e",
    ],
)
def test_what_is_no_citation_file_says_nothing(source: str) -> None:
    assert not read_cff(source).keys() & {"title", "authors", "b"}
    assert software_entries([paper("a", cff=source)])[0].title == Text("widgets")
