"""The answer to a text: what is enough, what is not, and several works in one text."""

from pathlib import Path
from random import Random

import pytest
from invented import invented_abstract, invented_work, reworded

from bibtools.catalogue import Catalogue, add_works, find, open_catalogue
from bibtools.outcomes import FieldSource


def sentences(seed: int) -> list[str]:
    return invented_abstract(seed).split(". ")


ENOUGH = [
    ("two sentences", ". ".join(sentences(3)[:2]), "part"),
    ("second half", ". ".join(sentences(3)[3:]), "part"),
    ("amid other text", f"{invented_abstract(90)} {invented_abstract(3)} {invented_abstract(91)}", "whole"),
    ("reworded", reworded(invented_abstract(3), 0.6), "reworded"),
    ("sentences left out", ". ".join(sentences(3)[::2] + sentences(3)[1:2]), "part"),
]
NOT_ENOUGH = [
    ("one short sentence", " ".join(sentences(3)[0].split()[:9])),
    ("one of seven sentences", ". ".join([*sentences(90)[:6], sentences(3)[2]])),
    ("a sentence each of seven works", ". ".join(sentences(number)[number % 7] for number in range(7))),
    ("its words in another order", " ".join(Random(1).sample(invented_abstract(3).split(), 150))),
]


@pytest.mark.parametrize(("name", "text", "rule"), ENOUGH, ids=[row[0] for row in ENOUGH])
def test_enough(catalogue: Catalogue, name: str, text: str, rule: str) -> None:
    finding = catalogue.find(text)
    best = finding.candidates[0]
    assert (finding.outcome, best.id) == ("identified", "pmlr:v12/family243")
    assert best.agreement
    assert best.agreement.rule == rule
    assert 0 < best.score <= 1


@pytest.mark.parametrize(("name", "text"), NOT_ENOUGH, ids=[row[0] for row in NOT_ENOUGH])
def test_not_enough(catalogue: Catalogue, name: str, text: str) -> None:
    assert catalogue.find(text).outcome == "unidentified"


def test_unidentified_text_shows_its_best_candidate_as_evidence(catalogue: Catalogue) -> None:
    best = catalogue.find(NOT_ENOUGH[1][1]).candidates[0]
    assert best.id == "pmlr:v12/family243"
    assert best.agreement
    assert best.agreement.rule == ""
    assert 0.05 < best.score < 0.3


@pytest.mark.parametrize("between", [" ", "\n", "\n\n"])
def test_glued_abstracts_are_both_named(catalogue: Catalogue, between: str) -> None:
    finding = catalogue.find(invented_abstract(3) + between + invented_abstract(8))
    named = {finding.candidates[0].id, *(part.candidate.id for part in finding.also if part.candidate)}
    assert named == {"pmlr:v12/family243", "pmlr:v12/family248"}


def test_three_glued_abstracts_are_all_named(catalogue: Catalogue) -> None:
    finding = catalogue.find(" ".join(map(invented_abstract, (3, 8, 11))))
    named = {finding.candidates[0].id, *(part.candidate.id for part in finding.also if part.candidate)}
    assert named == {f"pmlr:v12/family24{number}" for number in (3, 8, 11)}


def test_work_that_two_catalogues_have_is_taken_from_the_first(tmp_path: Path, catalogue: Catalogue) -> None:
    path = tmp_path / "other.bibcat"
    other = invented_work(3, ids={"openreview": "abc"})
    add_works(path, [other, invented_work(50)], FieldSource("other"))
    with open_catalogue(path) as second:
        texts = [invented_abstract(3), invented_abstract(50), invented_abstract(4)]
        for catalogues, first in (([catalogue, second], "kelp"), ([second, catalogue], "other")):
            findings = list(find(catalogues, texts))
            assert [one.outcome for one in findings] == ["identified"] * 3
            assert [one.candidates[0].catalogue for one in findings] == [first, "other", "kelp"]


def test_no_catalogue_knows_nothing() -> None:
    assert [one.outcome for one in find([], [invented_abstract(1)])] == ["unidentified"]
