"""A catalogue's file: nothing half-written counts."""

from pathlib import Path

import pytest

from bibtools.catalogue.fingerprint import VERSION
from bibtools.catalogue.layout import Footer, SectionWriter, read_footer
from bibtools.errors import CatalogueError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a file with one commit, named `first`, lies."""
    path = tmp_path / "a.bibcat"
    writer = SectionWriter.create(path)
    writer.write([b"section"])
    writer.commit(Footer(VERSION, "first"))
    writer.close()
    return path


def name_of(path: Path) -> str:
    return read_footer(path.read_bytes(), "a")[1].name


def test_newest_footer_counts(path: Path) -> None:
    for name in ("second", "third"):
        writer = SectionWriter.append_to(path)
        writer.commit(Footer(VERSION, name))
        writer.close()
        assert name_of(path) == name


def test_what_was_not_committed_does_not_count_and_is_cleared_away(path: Path) -> None:
    size = path.stat().st_size
    writer = SectionWriter.append_to(path)
    writer.write([b"half a section" * 1000])
    writer.close()
    assert name_of(path) == "first"
    SectionWriter.append_to(path).close()
    assert path.stat().st_size == size


def test_footer_torn_by_a_crash_leaves_the_one_before(path: Path) -> None:
    before = path.read_bytes()
    writer = SectionWriter.append_to(path)
    writer.commit(Footer(VERSION, "second"))
    writer.close()
    torn = bytearray(path.read_bytes())
    torn[len(before) + 4 :] = bytes(len(torn) - len(before) - 4)
    path.write_bytes(torn)
    assert name_of(path) == "first"


@pytest.mark.parametrize(
    ("data", "message"),
    [(b"", "not a catalogue"), (b"@article{a}", "not a catalogue"), (bytes(500), "not a catalogue")],
)
def test_other_files_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(CatalogueError, match=message):
        read_footer(data, "a")


def test_file_without_whole_footer_is_refused(path: Path) -> None:
    with pytest.raises(CatalogueError, match="damaged"):
        read_footer(path.read_bytes()[:130], "a")


def test_other_fingerprint_is_refused_with_the_cure(path: Path) -> None:
    writer = SectionWriter.append_to(path)
    writer.commit(Footer(VERSION + 1))
    writer.close()
    with pytest.raises(CatalogueError, match="build it again"):
        read_footer(path.read_bytes(), "a")
