"""Reading a catalogue."""

from pathlib import Path

import pytest
from invented import invented_abstract, invented_work

from bibtools.catalogue import Catalogue, add_works, open_catalogue, store
from bibtools.errors import CatalogueError
from bibtools.outcomes import FieldSource


def test_every_abstract_names_its_work(catalogue: Catalogue) -> None:
    findings = catalogue.find_many([invented_abstract(number) for number in range(40)])
    assert [finding.outcome for finding in findings] == ["identified"] * 40
    assert [finding.candidates[0].id for finding in findings] == [f"pmlr:v12/family24{n}" for n in range(40)]


def test_with_its_work_left_out_an_abstract_is_unidentified(catalogue: Catalogue) -> None:
    texts = [invented_abstract(number) for number in range(40)]
    left_out = [[f"doi:10.1000/kelp.{number}"] for number in range(40)]
    assert {finding.outcome for finding in catalogue.find_many(texts, left_out)} == {"unidentified"}


@pytest.mark.parametrize("text", ["", "kelp", "the of and", "x" * 5000, invented_abstract(99)])
def test_texts_of_no_known_work_are_unidentified(catalogue: Catalogue, text: str) -> None:
    assert catalogue.find(text).outcome == "unidentified"


def test_no_texts_give_no_findings(catalogue: Catalogue) -> None:
    assert catalogue.find_many([]) == []


def test_facts_come_back_without_the_abstract(catalogue: Catalogue) -> None:
    assert catalogue.entry("pmlr:v12/family243") == invented_work(3, abstract=None)
    assert catalogue.ids("pmlr:v12/family243") == ("pmlr:v12/family243", "doi:10.1000/kelp.3")
    sources = catalogue.sources("pmlr:v12/family243")
    assert sources["page"] == FieldSource("https://example.org/kelp", "2026-11-30")
    assert "abstract" not in sources


@pytest.mark.parametrize("mark", ["doi:10.1000/KELP.3", "DOI:10.1000/kelp.3", "pmlr:v12/family243"])
def test_work_is_found_by_any_of_its_identifiers(catalogue: Catalogue, mark: str) -> None:
    assert catalogue.find_id(mark) == "pmlr:v12/family243"


def test_unknown_identifiers(catalogue: Catalogue) -> None:
    assert catalogue.find_id("doi:10.1000/none") is None
    with pytest.raises(CatalogueError, match=r"no work doi:10\.1000/none"):
        catalogue.entry("doi:10.1000/none")


def test_title_is_found_whatever_its_case(catalogue: Catalogue) -> None:
    title = str(invented_work(5).title)
    assert catalogue.find_title(title.upper()) == ("pmlr:v12/family245",)
    assert catalogue.find_title(f"{title} more") == ()
    assert catalogue.find_title("") == ()


def test_all_works_are_listed(catalogue: Catalogue) -> None:
    assert len(catalogue) == 40
    assert [entry.volume for entry in catalogue.works()] == ["12"] * 40
    info = catalogue.info()
    assert (info.name, info.works, info.records, info.segments) == ("kelp", 40, 40, 1)


def test_reader_keeps_what_it_opened_while_works_are_added(path: Path, catalogue: Catalogue) -> None:
    add_works(path, [invented_work(77)], FieldSource("later"))
    assert catalogue.find(invented_abstract(77)).outcome == "unidentified"
    with open_catalogue(path) as newer:
        assert newer.find(invented_abstract(77)).outcome == "identified"
        assert newer.find(invented_abstract(7)).outcome == "identified"


def flip_a_bit(path: Path, section: str) -> None:
    with open_catalogue(path) as catalogue:
        place = catalogue.footer.segments[0].sections[section].start
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    path.write_bytes(data)


def test_damage_to_a_small_section_is_seen_on_opening(path: Path) -> None:
    flip_a_bit(path, "facts")
    with pytest.raises(CatalogueError, match="damaged"):
        open_catalogue(path)


def test_damage_to_a_large_section_is_seen_by_verify_and_on_reading(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_catalogue(path) as whole:
        assert whole.verify() == ()
    flip_a_bit(path, "facts")
    monkeypatch.setattr(store, "CHECKED_ON_OPENING", 0)  # as if the section were larger than that
    with open_catalogue(path) as damaged:
        assert damaged.verify() == ("segment 0: facts",)
        with pytest.raises(CatalogueError, match="damaged"):
            damaged.find(invented_abstract(3))


@pytest.mark.parametrize("data", [None, b"", b"no catalogue"])
def test_missing_and_other_files_are_refused(tmp_path: Path, data: bytes | None) -> None:
    path = tmp_path / "other.bibcat"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(CatalogueError, match=r"other\.bibcat"):
        open_catalogue(path)
