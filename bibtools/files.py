"""Files in and out: read whole inputs with plain errors, replace outputs in one step."""

import errno
import os
import stat
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from msgspec import Struct

from bibtools import formats
from bibtools.errors import InputError, Location, WriteError
from bibtools.model import Library

STANDARD = "-"
"""The name of standard input and standard output on command lines."""
BACKUP_SUFFIX = ".bak"


def read_input(name: str) -> bytes:
    """Return all bytes of a file, or of standard input for `-`.

    Raises:
        InputError: there is no such file, it is a folder, cannot be opened, or is empty.
    """
    label = input_label(name)
    try:
        data = sys.stdin.buffer.read() if name == STANDARD else Path(name).read_bytes()
    except FileNotFoundError as error:
        raise InputError("no such file", Location(label)) from error
    except IsADirectoryError as error:
        raise InputError("this is a folder; name the files in it", Location(label)) from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"cannot be read: {reason.lower()}", Location(label)) from error
    if not data.strip():
        raise InputError("this file is empty", Location(label))
    return data


def input_label(name: str) -> str:
    """Return what messages and reports call an input; bytes of its name that are no text are spelled out."""
    return "<stdin>" if name == STANDARD else name.encode("utf-8", "backslashreplace").decode()


def read_library(name: str, format: str | None = None) -> Library:  # noqa: A002 (the API's word)
    """Return what a file, or standard input for `-`, holds.

    Args:
        name: path of the file.
        format: name of the format, where it is known; otherwise it is told by content, then by suffix.
    Raises:
        InputError: the file cannot be read, or not as this format.
        UnknownFormatError: no format has this name.
    """
    return formats.read(read_input(name), input_label(name), format)


def read_entries(name: str, format: str | None = None) -> Library:  # noqa: A002 (the API's word)
    """Return what a file holds, as `read_library` does, for those who are to write it elsewhere.

    Raises:
        InputError: also where something is in the file and none of it could be read.
    """
    library = read_library(name, format)
    unread = next((problem for problem in library.problems if problem.lost), None)
    if unread and not library.entries:
        raise InputError(f"nothing could be read: {unread.message}", unread.location)
    return library


class Change(Struct, frozen=True):
    """A file and the bytes that it shall hold."""

    path: Path
    data: bytes
    backup: bool = False
    """Keep the old file beside it, with `.bak` after its name."""
    before: bytes | None = None
    """What the file held when the new bytes were made, empty where there was none; None: no matter what."""


def replace_file(path: Path, data: bytes, backup: bool = False) -> bool:
    """Make one file hold these bytes, as `replace_files` does; return whether anything was written."""
    return replace_files([Change(path, data, backup)])[0]


def replace_files(changes: Sequence[Change]) -> list[bool]:
    """Make files hold their new bytes: all new texts are laid beside the old ones first, then put in place.

    So whoever looks sees an old file or a new one, never a part, and a folder that cannot be written
    is met before any file has changed. A link is followed, the file's mode stays, devices and pipes
    are written as they are, and a file that holds its bytes already is left alone. What another
    program has written since the new bytes were made is never replaced.

    Returns:
        For each change whether anything was written.
    Raises:
        WriteError: a file has changed meanwhile; nothing was written.
        OSError: a folder or file cannot be written; its `filename` is the path given.
    """
    parts: list[tuple[Change, Path, Path | None]] = []
    try:
        for change in changes:
            target = Path(os.path.realpath(change.path))
            parts.append((change, target, None if _is_same(target, change.data) else _stage(change, target)))
        with _locked({target.parent for _, target, _ in parts}):
            for change, target, part in parts:
                if part:
                    _check_unchanged(change, target)
            for change, target, part in parts:
                if part:
                    _put_in_place(change, target, part)
        return [part is not None for _, _, part in parts]
    finally:
        for _, target, part in parts:
            if part and part != target:
                part.unlink(missing_ok=True)


@contextmanager
def _locked(folders: Collection[Path]) -> Iterator[None]:
    """Let one process at a time put files into these folders, where the system has such locks.

    The folders themselves are locked, so that no file is left behind.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    with ExitStack() as opened:
        for folder in sorted(folders):
            with suppress(OSError):  # some network file systems
                handle = os.open(folder, os.O_RDONLY)
                opened.callback(os.close, handle)
                fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _check_unchanged(change: Change, target: Path) -> None:
    """Raise where a file holds something that was not in it when its new bytes were made."""
    if change.before is None or not target.is_file():
        return
    data = target.read_bytes()
    if data.strip() and data != change.before:
        raise WriteError(
            f"{change.path} was changed by another program meanwhile; nothing was written. "
            "Run the same command again"
        )


def _is_same(target: Path, data: bytes) -> bool:
    """Tell whether a plain file holds these bytes already."""
    return target.is_file() and target.stat().st_size == len(data) and target.read_bytes() == data


def _stage(change: Change, target: Path) -> Path:
    """Write the new bytes beside the target and return where; a device stands for itself."""
    exists = target.exists()
    if exists and not target.is_file() and not target.is_dir():
        return target
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        if exists and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        with part.open("xb") as stream:
            stream.write(change.data)
            stream.flush()
            os.fsync(stream.fileno())
        if exists:
            part.chmod(stat.S_IMODE(target.stat().st_mode))
    except BaseException as error:  # Ctrl-C among them
        with suppress(OSError):  # on a read-only file system not even this
            part.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise type(error)(error.errno, error.strerror, str(change.path)) from error
        raise
    return part


def _put_in_place(change: Change, target: Path, part: Path) -> None:
    if part == target:
        target.write_bytes(change.data)
        return
    if change.backup and target.exists():
        import shutil

        shutil.copy2(target, target.with_name(target.name + BACKUP_SUFFIX))
    os.replace(part, target)
