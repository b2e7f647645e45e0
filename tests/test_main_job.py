"""The main job on the shipped lists: every work named, and none put in the place of one that is not known."""

import shutil
from pathlib import Path

import pytest

from bibtools import pipeline
from bibtools.catalogue import CatalogueWriter, create_catalogue, open_catalogue
from bibtools.data import sample_catalogue, sample_lists
from bibtools.model import Entry, Library
from bibtools.outcomes import FieldSource
from bibtools.sources.papercopilot import read_papercopilot

SHARED = Path(__file__).parent.parent.parent / "shared"


@pytest.fixture(scope="module")
def lists() -> list[Library]:
    """The shipped lists, identified from the sample catalogue."""
    with open_catalogue(sample_catalogue()) as catalogue:
        return [pipeline.identify(pipeline.read(path), [catalogue]) for path in sample_lists()]


def named(library: Library) -> list[str]:
    """Return the work that each abstract is, or an empty string."""
    return [entry.identification.work_id if entry.identification else "" for entry in library.entries]


def titles(library: Library) -> list[str]:
    """Return the titles of the entries."""
    return [entry.title.plain if entry.title else "" for entry in library.entries]


def test_every_abstract_is_named_and_differently(lists: list[Library]) -> None:
    ids = [work for library in lists for work in named(library)]
    assert all(ids)
    assert len(set(ids)) == 38


def test_without_its_work_an_abstract_is_unidentified(lists: list[Library], tmp_path: Path) -> None:
    path = tmp_path / "fewer.bibcat"
    for library in lists:
        for entry, unread in zip(library.entries, pipeline.read(library.source).entries, strict=True):
            assert entry.identification
            shutil.copy(sample_catalogue(), path)
            with CatalogueWriter(path) as writer:
                assert writer.remove([entry.identification.work_id]) == 1
            with open_catalogue(path) as catalogue:
                again = pipeline.identify(Library(entries=(unread,), format="abstracts"), [catalogue])
            assert titles(again) == [""]
            prepared = pipeline.prepare([again])
            assert prepared.works == ()
            assert prepared.unidentified[0].key.startswith("unidentified-")


def test_fifteen_thousand_more_works_change_no_answer(lists: list[Library], tmp_path: Path) -> None:
    folder = SHARED / "corpora" / "paperlists"
    if not folder.is_dir():
        pytest.skip("the lists of 15,000 works are not beside this checkout")
    path, left_out = tmp_path / "many.bibcat", folder / "icml2019.json.gz"
    create_catalogue(path, "many")
    with CatalogueWriter(path) as writer:
        for file in sorted(folder.glob("*.json.gz")):
            if file != left_out:
                works = (work for work in read_papercopilot(file) if isinstance(work, Entry))
                writer.add(works, FieldSource(file.name, "2026-11-30"), rank=30)
    strangers = [work for work in read_papercopilot(left_out) if isinstance(work, Entry) and work.abstract]
    abstracts = tuple(Entry(abstract=work.abstract) for work in strangers[::3][:200])
    with open_catalogue(path) as many, open_catalogue(sample_catalogue()) as sample:
        for library in lists:
            assert titles(pipeline.identify(pipeline.read(library.source), [many, sample])) == titles(library)
        none = pipeline.identify(Library(entries=abstracts, format="abstracts"), [many, sample])
    assert titles(none) == [""] * 200
