"""A few folders of a public git repository, without its history and its other files.

The `git` program does it: a shallow, blob-less, sparse clone, so that of a volume of gigabytes only the
posts come. What an address may be is checked here, nothing goes through a shell, git asks nobody for a
password, runs no hook and makes no symbolic link. A broken clone is gone on with: what came stays.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

from bibtools.errors import FetchError

Progress = Callable[[int, int | None], None]
"""Called with how much is there and how much in all, as git counts it."""

ADDRESS = re.compile(r"(?:https://[\w.-]+(?::\d+)?/|file:///)[\w./~-]+")
FOLDER = re.compile(r"/?[\w./-]+")
PERCENT = re.compile(r"(\d{1,3})% \((\d{1,12})/(\d{1,12})\)")
REFUSED = ("-c", "protocol.allow=never", "-c", "protocol.https.allow=always")
CAREFUL = (
    *("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.symlinks=false"),
    *("-c", "credential.helper=", "-c", "submodule.recurse=false", "-c", "advice.detachedHead=false"),
)
NARROW = ("--depth=1", "--filter=blob:none", "--no-tags")
WHOLE = ".git/bibtools-whole"
"""File that says the clone came to its end; without it the clone begins anew."""
QUIET_BYTES, QUIET_SECONDS = "100", "60"
"""git gives up where fewer bytes a second come for so many seconds."""
KEPT = frozenset({"GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "GIT_PROXY_SSL_CAINFO"})
"""Variables of git's that stay: where a company's own certificates are."""
LONGEST_MESSAGE = 300


def has_git() -> bool:
    """Tell whether the git program is installed."""
    return shutil.which("git") is not None


def fetch_folders(
    address: str,
    target: Path,
    patterns: Sequence[str],
    *,
    allow_file: bool = False,
    progress: Progress | None = None,
) -> str:
    """Bring parts of a repository's newest state to `target`, or bring them up to date; return the commit.

    Args:
        address: of the repository, https; a `file` address only with `allow_file`, as settings may say.
        target: folder for the clone; if a clone of this address lies there, only what is new comes.
        patterns: paths wanted, each from the repository's root: `/_posts/`, `/_config.yml`.
        progress: hears how far git is.
    Raises:
        FetchError: git is not there, the address is not allowed, or git failed; with git's own reason.
    """
    git = shutil.which("git")
    if not git:
        raise FetchError("git is not installed", address, "no-git")
    if not ADDRESS.fullmatch(address) or (address.startswith("file:") and not allow_file):
        raise FetchError("the address cannot be asked by git: only https is allowed", address, "bad-address")
    if not all(FOLDER.fullmatch(pattern) for pattern in patterns):
        raise FetchError("a path in the repository is malformed", address, "bad-address")
    allowed = ("-c", "protocol.file.allow=always") if allow_file else ()
    command = (git, *REFUSED, *allowed, *CAREFUL)
    inside = (*command, "-C", str(target))
    if (target / WHOLE).is_file():
        run((*inside, "remote", "set-url", "origin", address), address)
        run((*inside, "fetch", *NARROW, "--progress", "origin", "HEAD"), address, progress)
    else:
        shutil.rmtree(target, ignore_errors=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        options = ("--progress", "--template=", "--no-checkout", "--single-branch", *NARROW)
        run((*command, "clone", *options, "--", address, str(target)), address, progress)
        run((*inside, "fetch", *NARROW, "origin", "HEAD"), address)
        (target / WHOLE).touch()
    run((*inside, "sparse-checkout", "set", "--no-cone", *patterns), address)
    run((*inside, "checkout", "--progress", "--force", "--detach", "FETCH_HEAD"), address, progress)
    return run((*inside, "rev-parse", "HEAD"), address).strip()


def run(command: Sequence[str], address: str, progress: Progress | None = None) -> str:
    """Run git and return what it prints; its progress lines go to `progress`.

    Raises:
        FetchError: it failed; the message has git's own reason.
    """
    # Arguments are a list, no shell is there, and the address has been checked.
    with subprocess.Popen(  # noqa: S603
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, env=environment()
    ) as process:
        try:
            assert process.stdout
            assert process.stderr
            said = follow(process.stderr, progress)
            printed = process.stdout.read().decode("utf-8", "replace")
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        reason = next((line for line in said if line.startswith(("fatal:", "error:"))), "")
        words = reason.partition(": ")[2] or " ".join(said[-1:]) or f"exit status {process.returncode}"
        raise FetchError(f"git could not fetch it: {words[:LONGEST_MESSAGE]}", address, "git")
    return printed


def follow(stream: IO[bytes], progress: Progress | None) -> list[str]:
    """Return the lines that git says, without those of progress, which are passed on."""
    lines: list[str] = []
    pending = b""
    while more := os.read(stream.fileno(), 4096):
        *whole, pending = re.split(rb"[\r\n]", pending + more)
        for line in whole:
            text = line.decode("utf-8", "replace").strip()
            if found := PERCENT.search(text):
                if progress:
                    progress(int(found[2]), int(found[3]))
            elif text:
                lines.append(text)
    lines.append(pending.decode("utf-8", "replace").strip())
    return [line for line in lines[-50:] if line]


def environment() -> dict[str, str]:
    """Return git's environment: the user's, without what lets it ask, and with a limit to waiting."""
    return {
        **{name: value for name, value in os.environ.items() if name in KEPT or not name.startswith("GIT_")},
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "",
        "SSH_ASKPASS": "",
        "GIT_LFS_SKIP_SMUDGE": "1",
        "GIT_HTTP_LOW_SPEED_LIMIT": QUIET_BYTES,
        "GIT_HTTP_LOW_SPEED_TIME": QUIET_SECONDS,
        "LC_ALL": "C",
    }
