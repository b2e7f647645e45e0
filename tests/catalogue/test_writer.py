"""Adding to a catalogue: works, not records."""

from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from invented import invented_abstract, invented_work

from bibtools.catalogue import AddReport, CatalogueWriter, add_works, create_catalogue, open_catalogue
from bibtools.catalogue.writer import MOST_SEGMENTS
from bibtools.model import Contributor, Entry, Link, PartialDate, Text
from bibtools.outcomes import FieldSource

FIRST = FieldSource("first", "2026-01-01")
SECOND = FieldSource("second", "2026-02-02")
ID = "pmlr:v12/family241"


def written(path: Path, *works: Entry, source: FieldSource = FIRST, rank: int = 0) -> AddReport:
    return add_works(path, works, source, rank)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a catalogue with work 1 lies."""
    path = tmp_path / "a.bibcat"
    assert written(path, invented_work(1), rank=5) == AddReport(added=1)
    return path


SAME = [
    ("an identifier", invented_work(1, title=Text("Something else"), author=(), ids={}, abstract=None)),
    ("title and an author", invented_work(1, doi="", ids={"arxiv": "2401.00001"}, abstract=None)),
    ("title without authors", invented_work(1, doi="", ids={}, author=(), abstract=None)),
    ("abstract and authors", invented_work(1, doi="", ids={"openreview": "x"}, title=Text("New title"))),
]
OTHER = [
    (
        "title, but other authors",
        invented_work(1, doi="", ids={}, author=(Contributor("Zu"),), abstract=None),
    ),
    (
        "abstract, but other authors",
        invented_work(1, doi="", ids={}, author=(Contributor("Zu"),), title=Text("T")),
    ),
    ("nothing", invented_work(2)),
]


@pytest.mark.parametrize("work", [work for _, work in SAME], ids=[name for name, _ in SAME])
def test_works_that_agree_are_joined(path: Path, work: Entry) -> None:
    assert written(path, work, source=SECOND).joined == 1
    with open_catalogue(path) as catalogue:
        assert len(catalogue) == 1
        assert catalogue.find(invented_abstract(1)).outcome == "identified"


@pytest.mark.parametrize("work", [work for _, work in OTHER], ids=[name for name, _ in OTHER])
def test_works_that_do_not_agree_stay_apart(path: Path, work: Entry) -> None:
    assert written(path, work, source=SECOND).added == 1
    with open_catalogue(path) as catalogue:
        assert len(catalogue) == 2


def test_work_that_comes_twice_in_one_source_is_one(tmp_path: Path) -> None:
    report = written(tmp_path / "b.bibcat", *(invented_work(1) for _ in range(3)))
    assert report == AddReport(added=1, joined=2)
    with open_catalogue(tmp_path / "b.bibcat") as catalogue:
        assert catalogue.info().records == 1


def test_better_source_is_believed_and_the_other_fills_in(path: Path) -> None:
    link = Link("https://github.com/a/b", "https://github.com/a/b", "repository", True, "catalogue")
    other = invented_work(
        1, page="99-100", language="en", ids={"pmlr": "v9/x", "arxiv": "2401.1"}, links=(link,)
    )
    written(path, other, source=SECOND, rank=1)
    with open_catalogue(path) as catalogue:
        entry = catalogue.entry(ID)
        assert (entry.page, entry.language, entry.links) == ("99-100", "en", (link,))
        assert set(catalogue.ids(ID)) == {ID, "pmlr:v9/x", "doi:10.1000/kelp.1", "arxiv:2401.1"}
        assert catalogue.sources(ID)["page"] == SECOND


def test_worse_source_only_fills_in(path: Path) -> None:
    written(path, invented_work(1, page="99-100", language="en"), source=SECOND, rank=9)
    with open_catalogue(path) as catalogue:
        assert catalogue.entry(ID).page == "11-19"
        assert catalogue.entry(ID).language == "en"
        assert catalogue.sources(ID)["page"] == FIRST
        assert catalogue.sources(ID)["language"] == SECOND


def test_place_of_another_version_is_not_mixed_in(tmp_path: Path) -> None:
    path = tmp_path / "c.bibcat"
    preprint = invented_work(
        1, type="article", container_title=None, volume="", page="", issued=PartialDate((2023,))
    )
    written(path, preprint)
    written(path, invented_work(1), source=SECOND, rank=9)
    with open_catalogue(path) as catalogue:
        entry = catalogue.entry(ID)
        assert (entry.type, entry.page, entry.container_title) == ("article", "", None)


def test_several_abstracts_of_one_work_all_name_it(path: Path) -> None:
    written(path, invented_work(1, abstract=Text(invented_abstract(500))), source=SECOND)
    with open_catalogue(path) as catalogue:
        for seed in (1, 500):
            assert catalogue.find(invented_abstract(seed)).candidates[0].id == ID
        assert catalogue.info().works == 1
        assert catalogue.info().records == 2


def test_one_abstract_of_different_works_is_ambiguous(path: Path) -> None:
    twin = invented_work(2, abstract=Text(invented_abstract(1)), author=(Contributor("Zu", "Quin"),))
    written(path, twin, source=SECOND)
    with open_catalogue(path) as catalogue:
        finding = catalogue.find(invented_abstract(1))
    assert finding.outcome == "ambiguous"
    assert {candidate.id for candidate in finding.candidates[: finding.fitting]} == {ID, "pmlr:v12/family242"}


def test_error_while_adding_leaves_the_old_state(path: Path) -> None:
    def works() -> Iterator[Entry]:
        yield invented_work(2)
        raise OSError("source went away")

    before = path.read_bytes()
    with pytest.raises(OSError, match="went away"):
        add_works(path, works(), SECOND)
    assert path.read_bytes()[: len(before)] == before
    with open_catalogue(path) as catalogue:
        assert len(catalogue) == 1
    assert written(path, invented_work(2)).added == 1


def test_works_without_an_abstract_are_found_by_title(path: Path) -> None:
    work = invented_work(2, abstract=None)
    assert written(path, work) == AddReport(added=1, without_abstract=1)
    with open_catalogue(path) as catalogue:
        assert catalogue.find_title(str(work.title)) == ("pmlr:v12/family242",)


def test_work_without_identifier_has_an_id_of_its_title(tmp_path: Path) -> None:
    path = tmp_path / "d.bibcat"
    written(path, invented_work(1, doi="", ids={}))
    with open_catalogue(path) as catalogue:
        found = catalogue.find(invented_abstract(1)).candidates[0].id
        assert found.startswith("title:")
        assert catalogue.entry(found).title == invented_work(1).title


def test_removed_works_are_gone_and_can_come_back(path: Path) -> None:
    written(path, invented_work(2))
    with CatalogueWriter(path) as writer:
        assert writer.remove(["doi:10.1000/kelp.1", "doi:none"]) == 1
    with open_catalogue(path) as catalogue:
        assert len(catalogue) == 1
        assert catalogue.find(invented_abstract(1)).outcome == "unidentified"
        assert catalogue.find_id(ID) is None
    assert written(path, invented_work(1)).added == 1
    with open_catalogue(path) as catalogue:
        assert catalogue.find(invented_abstract(1)).outcome == "identified"


def test_removing_a_source_takes_what_is_known_from_it_alone(path: Path) -> None:
    written(path, invented_work(1), invented_work(2), source=SECOND)
    with CatalogueWriter(path) as writer:
        assert writer.remove_source("second") == 1
    with open_catalogue(path) as catalogue:
        assert [entry.doi for entry in catalogue.works()] == ["10.1000/kelp.1"]


def test_many_additions_are_merged_and_nothing_changes(path: Path) -> None:
    for number in range(2, MOST_SEGMENTS + 3):
        written(path, invented_work(number), source=SECOND)
    written(path, invented_work(1, language="en"), source=SECOND)
    with CatalogueWriter(path) as writer:
        writer.remove(["doi:10.1000/kelp.2"])
    with open_catalogue(path) as catalogue:
        assert catalogue.info().segments <= MOST_SEGMENTS
        assert catalogue.verify() == ()
        numbers = [1, *range(3, MOST_SEGMENTS + 3)]
        findings = catalogue.find_many([invented_abstract(number) for number in numbers])
        assert [one.candidates[0].id for one in findings] == [f"pmlr:v12/family24{n}" for n in numbers]
        assert catalogue.find(invented_abstract(2)).outcome == "unidentified"
        assert catalogue.entry(ID).language == "en"
        assert len(catalogue) == len(numbers)


def test_works_flushed_within_one_addition_are_joined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CatalogueWriter, "FLUSH", 1)
    path = tmp_path / "e.bibcat"
    with CatalogueWriter(path) as writer:
        writer.add([invented_work(1)], FIRST)
        writer.add([invented_work(2)], FIRST)
        assert writer.add([invented_work(1)], SECOND).joined == 1
    with open_catalogue(path) as catalogue:
        assert len(catalogue) == 2
        assert catalogue.find(invented_abstract(1)).outcome == "identified"


def test_name_and_description_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "f.bibcat"
    create_catalogue(path, "ICML 2024", "80 works")
    written(path, invented_work(1))
    with open_catalogue(path) as catalogue:
        assert (catalogue.info().name, catalogue.info().description) == ("ICML 2024", "80 works")


def test_second_writer_waits_for_the_first(path: Path) -> None:
    second = Thread(target=written, args=(path, invented_work(3)))
    with CatalogueWriter(path) as writer:
        second.start()
        writer.add([invented_work(2)], FIRST)
    second.join()
    with open_catalogue(path) as catalogue:
        assert len(catalogue) == 3
        assert catalogue.verify() == ()
