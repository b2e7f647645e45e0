"""What lint finds."""

from pathlib import Path
from typing import Any

import pytest

from bibtools.checks import CODES, READING_CODES, check_entry, check_libraries, check_library
from bibtools.errors import Problem
from bibtools.model import Contributor, Entry, Library, Origin, PartialDate, Text

SOUND = Entry(
    key="noon2024",
    type="article-journal",
    title=Text("A title that says enough"),
    author=(Contributor("Noon", "Ara"),),
    container_title=Text("Leaf"),
    issued=PartialDate((2024, 2, 29)),
    page="377-86",
    doi="10.5555/x",
    issn="1234-5679",
    url="https://example.org/a",
    origin=Origin("x.bib", 3),
)


def codes(**changes: Any) -> list[str]:
    """Return the codes of what is wrong with the sound entry when it is changed."""
    return [problem.code for problem in check_entry(SOUND.replace(**changes), "bibtex")]


def test_a_sound_entry_has_no_fault() -> None:
    assert codes() == []


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"title": None}, "missing-title"),
        ({"author": ()}, "missing-field"),
        ({"issued": None}, "missing-field"),
        ({"key": "noon 2024"}, "malformed-key"),
        ({"key": "noon{2024"}, "malformed-key"),
        ({"doi": "doi.org/10.5555/x"}, "malformed-doi"),
        ({"isbn": "978-0-262-03384-9"}, "malformed-isbn"),
        ({"isbn": "0-306-40615-3"}, "malformed-isbn"),
        ({"issn": "1234-5678"}, "malformed-issn"),
        ({"url": "www.example.org"}, "malformed-url"),
        ({"url": "https://example.org/a b"}, "malformed-url"),
        ({"issued": PartialDate((2023, 2, 29))}, "malformed-date"),
        ({"issued": PartialDate(literal="in press")}, "malformed-date"),
        ({"page": "30-12"}, "malformed-pages"),
        ({"author": (Contributor("Noon, A. and Pike"),)}, "malformed-name"),
        ({"author": (Contributor("Noon", "Ara; Pike, Jo"),)}, "malformed-name"),
        ({"author": (Contributor("Noon", orcid="0000-0002-1825-0098"),)}, "malformed-orcid"),
        ({"extra": {"bibtex": (("auhtor", "Noon"),)}}, "unknown-field"),
        ({"extra": {"bibtex": (("frobnicate", "x"),)}}, "unknown-field"),
    ],
)
def test_faults(changes: dict[str, Any], code: str) -> None:
    assert codes(**changes) == [code]


@pytest.mark.parametrize(
    "changes",
    [
        {"isbn": "978-0-262-03384-8"},
        {"extra": {"bibtex": (("crossref", "x"), ("ids", "x"), ("adsurl", "x"), ("author+an:role", "x"))}},
        {"isbn": "0-306-40615-2, 080442957X"},
        {"issn": "1540-8779, 0015-6914"},
        {"page": "e12-e20"},
        {"page": "i-x"},
        {"author": (Contributor(literal="Barrow and Tarn, Inc."),)},
        {"author": (Contributor("Noon", orcid="0000-0002-1825-0097"),)},
        {"issued": PartialDate((-44,))},
        {"extra": {"bibtex": (("timestamp", "2020"), ("file", "x.pdf"))}},
        {"extra": {"ris": (("C8", "x"),)}},
    ],
)
def test_what_is_no_fault(changes: dict[str, Any]) -> None:
    assert codes(**changes) == []


def test_a_misspelt_field_gets_a_hint_and_more_weight() -> None:
    entry = SOUND.replace(extra={"bibtex": (("auhtor", "Noon"), ("frobnicate", "x"))})
    hint, other = check_entry(entry, "bibtex")
    assert (hint.severity, other.severity) == ("warning", "info")
    assert hint.message.endswith("did you mean author?")


def test_an_entry_that_says_nothing_has_one_fault() -> None:
    assert [problem.code for problem in check_entry(Entry(key="a"))] == ["empty-entry"]


def test_places_and_severities() -> None:
    (problem,) = check_entry(SOUND.replace(page="9-1"), "bibtex")
    assert str(problem) == "x.bib:3: noon2024: 9-1 runs backwards"
    assert problem.severity == CODES[problem.code][0]
    assert problem.raw == "9-1"


def test_duplicates_of_keys_and_works() -> None:
    other = SOUND.replace(
        key="NOON2024", title=Text("Another title altogether"), doi="10.5555/y", url="", page=""
    )
    library = Library(entries=(SOUND, other), source="x.bib")
    assert [problem.code for problem in check_library(library)] == ["duplicate-key"]
    same = SOUND.replace(key="b", origin=Origin("y.bib", 9))
    problems = check_libraries([Library(entries=(SOUND,)), Library(entries=(same,), source="y.bib")])
    assert [str(problem) for problem in problems] == ["y.bib:9: b: the same work as noon2024 at x.bib:3"]


def test_the_readers_problems_come_first() -> None:
    found = Problem("missing-end", "warning", SOUND_PLACE, "no ER")
    assert check_library(Library(entries=(SOUND,), problems=(found,))) == [found]


SOUND_PLACE = next(iter(check_entry(SOUND.replace(page="9-1"), "bibtex"))).location


def test_every_code_is_described() -> None:
    assert all(meaning and severity in ("info", "warning", "error") for severity, meaning in CODES.values())


def test_every_code_is_in_the_documents() -> None:
    page = (Path(__file__).parents[1] / "docs" / "lint.md").read_text(encoding="utf-8")
    for code, (severity, _) in CODES.items():
        assert f"| `{code}` | {severity} |" in page
    assert all(f"`{code}`" in page for code in READING_CODES)
