"""Files in and out: plain errors, and replacing in one step."""

import os
import stat
from pathlib import Path

import pytest

from bibtools.errors import InputError, WriteError
from bibtools.files import Change, read_input, replace_file, replace_files


def test_whole_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"a\r\n")
    assert read_input(str(path)) == b"a\r\n"


@pytest.mark.parametrize(("name", "words"), [("none", "no such file"), ("", "folder"), ("empty", "empty")])
def test_what_cannot_be_read_is_said_plainly(tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / "empty").write_bytes(b" \n")
    with pytest.raises(InputError, match=words):
        read_input(str(tmp_path / name))


def test_name_with_nul_is_no_crash() -> None:
    with pytest.raises(InputError):
        read_input("a\0b")


def test_replacing_keeps_mode_and_follows_links(tmp_path: Path) -> None:
    real, link = tmp_path / "real.bib", tmp_path / "refs.bib"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    assert replace_file(link, b"new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["real.bib", "refs.bib"]


def test_same_bytes_are_not_written_again(tmp_path: Path) -> None:
    path = tmp_path / "refs.bib"
    assert replace_file(path, b"a")
    before = path.stat().st_ino
    assert not replace_file(path, b"a")
    assert path.stat().st_ino == before


def test_backup_holds_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "refs.bib"
    path.write_text("old")
    replace_file(path, b"new", backup=True)
    assert (tmp_path / "refs.bib.bak").read_text() == "old"


def test_what_another_program_wrote_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    first, second = tmp_path / "refs.bib", tmp_path / "refs.ris"
    first.write_text("old")
    second.write_text("theirs")
    with pytest.raises(WriteError, match="meanwhile"):
        replace_files([Change(first, b"new", before=b"old"), Change(second, b"new", before=b"")])
    assert (first.read_text(), second.read_text()) == ("old", "theirs")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["refs.bib", "refs.ris"]
    assert replace_files([Change(first, b"new", before=b"old"), Change(second, b"theirs", before=b"")]) == [
        True,
        False,
    ]


def test_nothing_changes_when_one_of_several_cannot_be_written(tmp_path: Path) -> None:
    first = tmp_path / "refs.bib"
    first.write_text("old")
    with pytest.raises(FileNotFoundError) as caught:
        replace_files([Change(first, b"new"), Change(tmp_path / "none" / "refs.ris", b"new")])
    assert caught.value.filename == str(tmp_path / "none" / "refs.ris")
    assert first.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["refs.bib"]


def test_folder_as_output_is_refused(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        replace_file(tmp_path, b"new")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_write_protected_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "refs.bib"
    path.write_text("old")
    path.chmod(0o444)
    with pytest.raises(PermissionError):
        replace_file(path, b"new")
