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


def test_slot_torn_by_a_crash_leaves_the_state_before(path: Path) -> None:
    before = path.read_bytes()
    writer = SectionWriter.append_to(path)
    writer.commit(Footer(VERSION, "second"))
    writer.close()
    after = path.read_bytes()
    (place,) = [place for place in (32, 64) if before[place : place + 32] != after[place : place + 32]]
    for torn in range(1, 31):
        whole = after[: place + torn] + before[place + torn : place + 32] + after[place + 32 :]
        path.write_bytes(whole)
        assert name_of(path) == "first"


def test_file_that_was_cut_off_is_refused(path: Path) -> None:
    data = path.read_bytes()
    for length in range(len(data) - 3, 130, -7):
        with pytest.raises(CatalogueError, match="damaged or cut off"):
            read_footer(data[:length], "a")


@pytest.mark.parametrize(
    ("data", "message"),
    [(b"", "not a catalogue"), (b"@article{a}", "not a catalogue"), (bytes(500), "not a catalogue")],
)
def test_other_files_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(CatalogueError, match=message):
        read_footer(data, "a")


def test_file_without_slots_is_refused(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[32:96] = bytes(64)
    with pytest.raises(CatalogueError, match="damaged"):
        read_footer(bytes(data), "a")


def test_other_fingerprint_is_refused_with_the_cure(path: Path) -> None:
    writer = SectionWriter.append_to(path)
    writer.commit(Footer(VERSION + 1))
    writer.close()
    with pytest.raises(CatalogueError, match="build it again"):
        read_footer(path.read_bytes(), "a")
