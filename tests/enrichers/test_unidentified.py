"""Abstracts without known work: visibly unidentified, stable, and nothing invented."""

import pytest

from bibtools.enrichers.unidentified import UnidentifiedMarker, supplied_title, unidentified_key
from bibtools.model import Entry, Text
from bibtools.outcomes import Candidate, Identification
from bibtools.text.pasted import parse_mixed


@pytest.mark.parametrize(
    ("abstract", "title"),
    [
        ("We drift.", "[We drift.]"),
        ("One two three four five six seven eight nine", "[One two three four five six seven eight …]"),
        ("We need $O(n)$ time and space for kelp nets", "[We need $O(n)$ time and space for kelp …]"),
        ("We prove at last and again here that $a + b$ drifts", "[We prove at last and again here that …]"),
        ("We prove at last and again here $a + b$ drifts", "[We prove at last and again here …]"),
    ],
)
def test_title_is_the_first_words_in_brackets(abstract: str, title: str) -> None:
    assert supplied_title(Entry(abstract=parse_mixed(abstract))).plain == title


def test_key_does_not_depend_on_wrapping_and_marks() -> None:
    one = Entry(abstract=Text("We followed kelp, all night."))
    other = Entry(abstract=Text("We followed  kelp –\nall night"))
    assert unidentified_key(one) == unidentified_key(other)
    assert len(unidentified_key(one)) == len("unidentified-") + 6


def test_identified_entries_are_left_alone() -> None:
    entry = Entry(title=Text("Kelp"), identification=Identification("identified", 1.0))
    assert [made.changes for made in UnidentifiedMarker().enrich([entry])] == [{}]


@pytest.mark.parametrize("outcome", ["unidentified", "ambiguous", "contradicted"])
def test_note_names_heading_and_best_candidate_and_no_fact_is_made_up(outcome: str) -> None:
    verdict = Identification(outcome, 0.31, candidates=(Candidate("a:1", "Kelp farms", 0.31),))  # type: ignore[arg-type]
    entry = Entry(abstract=Text("We drift."), identification=verdict)
    (made,) = UnidentifiedMarker("ICML 2025 Papers").enrich([entry])
    assert set(made.changes) == {"key", "type", "keyword", "note", "title"}
    assert made.changes["note"][0].plain == (
        "Abstract from a list (ICML 2025); its work is not known. Best candidate: Kelp farms (0.31)"
    )


def test_note_says_what_contradicts_the_best_candidate() -> None:
    reason = "the abstract agrees, but its authors are others"
    verdict = Identification("contradicted", 1.0, reason=reason, candidates=(Candidate("a:1", "Kelp", 1.0),))
    (made,) = UnidentifiedMarker().enrich([Entry(abstract=Text("We drift."), identification=verdict)])
    assert made.changes["note"][0].plain.endswith(f"Best candidate: Kelp (1.00); {reason}")


@pytest.mark.parametrize(
    ("heading", "start"),
    [
        ("ICML 2025 论文列表", "Abstract from a list (ICML 2025); "),
        ("Kelp to read", "Abstract from the list “Kelp to read”; "),
        ("", "Abstract from a list; "),
    ],
)
def test_note_has_the_venues_of_a_heading_in_any_script(heading: str, start: str) -> None:
    (made,) = UnidentifiedMarker(heading).enrich([Entry(abstract=Text("We drift."))])
    assert made.changes["note"][0].plain == f"{start}its work is not known."
