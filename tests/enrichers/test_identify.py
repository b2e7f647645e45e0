"""Whose abstract it is: outcomes, their evidence, and what is filled in."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from invented import invented_abstract, invented_work, reworded

from bibtools.catalogue import Catalogue, add_works, open_catalogue
from bibtools.data import sample_catalogue, sample_lists
from bibtools.enrichers import apply
from bibtools.enrichers.identify import Identifier
from bibtools.model import Contributor, Entry, Link, PartialDate, Text
from bibtools.outcomes import FieldSource
from bibtools.readers.abstracts import read_abstracts

ID = "pmlr:v12/family243"
SOURCE = FieldSource("https://example.org/kelp", "2026-11-30")
LINK = Link("https://github.com/a/b", "https://github.com/a/b", "repository", True, "catalogue")


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalogue]:
    """Ten invented works, the third with a link, and a twin of the ninth's abstract under other names."""
    path: Path = tmp_path_factory.mktemp("identify") / "kelp.bibcat"
    works = [invented_work(number) for number in range(10)]
    works[3] = works[3].replace(links=(LINK,))
    twin = invented_work(11, abstract=Text(invented_abstract(9)), author=(Contributor("Zu", "Quin"),))
    add_works(path, [*works, twin], SOURCE)
    with open_catalogue(path) as opened:
        yield opened


def enriched(catalogue: Catalogue, entry: Entry) -> tuple[Entry, ...]:
    (enrichment,) = Identifier([catalogue]).enrich([entry])
    return apply(entry, enrichment)


def test_identified_work_fills_the_empty_fields(catalogue: Catalogue) -> None:
    own = Link("https://example.org/x", "https://example.org/x")
    (entry,) = enriched(catalogue, Entry(abstract=Text(invented_abstract(3)), language="en", links=(own,)))
    work = invented_work(3)
    assert (entry.type, entry.title, entry.author, entry.page) == (
        work.type,
        work.title,
        work.author,
        work.page,
    )
    assert (entry.language, entry.links, entry.ids) == ("en", (own, LINK), work.ids)
    assert entry.abstract == Text(invented_abstract(3))
    verdict = entry.identification
    assert verdict
    assert (verdict.outcome, verdict.basis, verdict.work_id) == ("identified", "abstract", ID)
    assert verdict.score == 1
    assert verdict.sources["title"] == SOURCE
    assert "language" not in verdict.sources
    assert verdict.candidates[0].id == ID


TITLE_3 = invented_work(3).title
AUTHORS_3 = (Contributor(literal="A. Family3"),)
OTHER_PEOPLE = (Contributor("Zu", "Quin"), Contributor("Wo", "Xa"))
ABSTRACT_3 = Text(invented_abstract(3))
UNKNOWN = Text(invented_abstract(77))
IN_PART = Text(reworded(invented_abstract(3), 0.8))

VERDICTS = [
    ("abstract", Entry(abstract=ABSTRACT_3), "identified", "abstract"),
    ("abstract, title", Entry(abstract=ABSTRACT_3, title=TITLE_3), "identified", "title+abstract"),
    ("abstract, author", Entry(abstract=ABSTRACT_3, author=AUTHORS_3), "identified", "abstract"),
    ("other title", Entry(abstract=ABSTRACT_3, title=Text("Quite another thing")), "contradicted", None),
    ("other authors", Entry(abstract=ABSTRACT_3, author=OTHER_PEOPLE), "contradicted", None),
    ("twins", Entry(abstract=Text(invented_abstract(9))), "ambiguous", None),
    ("unknown", Entry(abstract=UNKNOWN), "unidentified", None),
    ("unknown, known title", Entry(abstract=UNKNOWN, title=TITLE_3), "unidentified", None),
    (
        "unknown, known title and author",
        Entry(abstract=UNKNOWN, title=TITLE_3, author=AUTHORS_3),
        "identified",
        "title",
    ),
    ("in part, known title", Entry(abstract=IN_PART, title=TITLE_3), "identified", "title+abstract"),
    ("title alone", Entry(title=TITLE_3), "identified", "title"),
    ("own identifier", Entry(doi="10.1000/kelp.3"), "identified", "list"),
    ("claim", Entry(abstract=UNKNOWN, claim=ID), "identified", "list"),
    ("claim outranks", Entry(abstract=Text(invented_abstract(4)), claim=ID), "identified", "list"),
    ("claim: none", Entry(abstract=ABSTRACT_3, claim="none"), "unidentified", None),
    ("unknown claim", Entry(abstract=ABSTRACT_3, claim="arxiv:2401.00001"), "identified", "abstract"),
    ("claim of another id", Entry(abstract=ABSTRACT_3, claim="pmlr:v99/none24a"), "contradicted", None),
    ("unknown claim alone", Entry(claim="arxiv:2401.00001"), "unidentified", None),
]


@pytest.mark.parametrize(("name", "entry", "outcome", "basis"), VERDICTS, ids=[row[0] for row in VERDICTS])
def test_verdict(catalogue: Catalogue, name: str, entry: Entry, outcome: str, basis: str | None) -> None:
    (result,) = enriched(catalogue, entry)
    verdict = result.identification
    assert verdict
    assert (verdict.outcome, verdict.basis) == (outcome, basis)
    assert (verdict.work_id == ID) == (outcome == "identified")
    assert verdict.reason
    if outcome != "identified":
        assert result == entry.replace(identification=verdict)


@pytest.mark.parametrize(
    "entry",
    [Entry(title=Text("No such title at all here")), Entry(doi="10.1/none"), Entry(title=Text("Kelp"))],
)
def test_entries_that_nobody_asked_about_stay_as_they_are(catalogue: Catalogue, entry: Entry) -> None:
    assert enriched(catalogue, entry) == (entry,)


def test_place_of_another_version_is_not_filled_in(catalogue: Catalogue) -> None:
    preprint = Entry(type="article", title=TITLE_3, author=AUTHORS_3, issued=PartialDate((2021,)))
    (entry,) = enriched(catalogue, preprint)
    assert (entry.page, entry.volume, entry.issued) == ("", "", PartialDate((2021,)))
    assert entry.ids == invented_work(3).ids


@pytest.mark.parametrize("between", [" ", "\n"])
def test_glued_abstracts_become_two_entries_each_with_its_own(catalogue: Catalogue, between: str) -> None:
    glued = invented_abstract(3) + between + invented_abstract(5)
    entries = enriched(catalogue, Entry(abstract=Text(glued)))
    found = {str(entry.title): str(entry.abstract) for entry in entries}
    assert found == {str(invented_work(seed).title): invented_abstract(seed) for seed in (3, 5)}


@pytest.mark.parametrize("seeds", [(3, 77), (77, 3)])
def test_unknown_abstract_glued_to_a_known_one_is_an_entry_of_its_own(
    catalogue: Catalogue, seeds: tuple[int, int]
) -> None:
    glued = "\n".join(map(invented_abstract, seeds))
    entries = enriched(catalogue, Entry(abstract=Text(glued)))
    assert [str(entry.abstract) for entry in entries] == [invented_abstract(seed) for seed in seeds]
    verdicts = {
        str(entry.abstract): entry.identification.outcome for entry in entries if entry.identification
    }
    assert verdicts == {invented_abstract(3): "identified", invented_abstract(77): "unidentified"}


def test_enrichments_come_in_order_one_for_each_entry(catalogue: Catalogue) -> None:
    entries = [Entry(), *(Entry(abstract=Text(invented_abstract(seed))) for seed in (5, 77, 2)), Entry()]
    found = list(Identifier([catalogue]).enrich(entries))
    verdicts = [one.changes["identification"].work_id if one.changes else None for one in found]
    assert verdicts == [None, "pmlr:v12/family245", "", "pmlr:v12/family242", None]


def test_without_catalogues_nothing_is_known() -> None:
    (enrichment,) = Identifier([]).enrich([Entry(abstract=ABSTRACT_3)])
    assert enrichment.changes["identification"].outcome == "unidentified"


@pytest.mark.parametrize("path", sample_lists(), ids=lambda path: path.name)
def test_sample_abstract_whose_work_is_taken_out_is_given_no_other(path: Path) -> None:
    library = read_abstracts(path.read_text(encoding="utf-8"), path.name)
    texts = [str(entry.abstract) for entry in library.entries]
    with open_catalogue(sample_catalogue()) as catalogue:
        found = catalogue.find_many(texts)
        assert {one.outcome for one in found} == {"identified"}
        without = catalogue.find_many(texts, [[one.candidates[0].id] for one in found])
        assert {one.outcome for one in without} == {"unidentified"}
