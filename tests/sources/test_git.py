"""Parts of a git repository, by the real git from a repository on this disk."""

import shutil
import subprocess
from pathlib import Path

import pytest

from bibtools.errors import FetchError
from bibtools.sources.git import fetch_folders

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")

WANTED = ("/_posts/", "/_config.yml")


def git(folder: Path, *arguments: str) -> None:
    """Run git in a folder."""
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


def commit(folder: Path, files: dict[str, str]) -> None:
    """Write files and commit them."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "more")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with posts, a configuration and other things, as a volume has."""
    folder = tmp_path / "v1"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "gh-pages")
    git(folder, "config", "uploadpack.allowFilter", "true")
    commit(
        folder,
        {"_posts/a.md": "one", "_config.yml": "two", "assets/big.pdf": "three" * 100_000, "x.md": "no"},
    )
    return folder


def files(folder: Path) -> set[str]:
    """Return the files in a clone, without git's own."""
    paths = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {str(path) for path in paths if path.parts[0] != ".git"}


def test_only_what_is_wanted_comes(repository: Path, tmp_path: Path) -> None:
    target = tmp_path / "clone"
    heard: list[tuple[int, int | None]] = []
    commit_id = fetch_folders(
        f"file://{repository}",
        target,
        WANTED,
        allow_file=True,
        progress=lambda done, all_: heard.append((done, all_)),
    )
    assert files(target) == {"_posts/a.md", "_config.yml"}
    assert len(commit_id) == 40
    assert heard
    size = sum(path.stat().st_size for path in target.rglob("*") if path.is_file())
    assert size < 100_000


def test_second_time_brings_what_is_new_and_drops_what_is_gone(repository: Path, tmp_path: Path) -> None:
    target = tmp_path / "clone"
    first = fetch_folders(f"file://{repository}", target, WANTED, allow_file=True)
    assert fetch_folders(f"file://{repository}", target, WANTED, allow_file=True) == first
    (repository / "_posts" / "a.md").unlink()
    commit(repository, {"_posts/b.md": "new"})
    assert fetch_folders(f"file://{repository}", target, WANTED, allow_file=True) != first
    assert files(target) == {"_posts/b.md", "_config.yml"}


def test_broken_clone_is_begun_anew(repository: Path, tmp_path: Path) -> None:
    target = tmp_path / "clone"
    (target / ".git").mkdir(parents=True)
    (target / ".git" / "HEAD").write_text("ref: refs/heads/nothing\n")
    fetch_folders(f"file://{repository}", target, WANTED, allow_file=True)
    assert files(target) == {"_posts/a.md", "_config.yml"}


def test_symbolic_links_and_hooks_of_a_repository_do_nothing(repository: Path, tmp_path: Path) -> None:
    (repository / "_posts" / "link.md").symlink_to("/etc/passwd")
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "link")
    target = tmp_path / "clone"
    fetch_folders(f"file://{repository}", target, WANTED, allow_file=True)
    link = target / "_posts" / "link.md"
    assert not link.is_symlink()
    assert link.read_text() == "/etc/passwd"


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org/v1",
        "git://example.org/v1",
        "ssh://example.org/v1",
        "ext::sh -c touch% /tmp/x",
        "--upload-pack=touch",
        "https://example.org/v1;touch x",
        "https://user:secret@example.org/v1",
        "/local/path",
    ],
)
def test_other_addresses_are_refused(address: str, tmp_path: Path) -> None:
    with pytest.raises(FetchError, match="only https"):
        fetch_folders(address, tmp_path / "clone", WANTED, allow_file=True)


def test_file_addresses_need_leave(repository: Path, tmp_path: Path) -> None:
    with pytest.raises(FetchError, match="only https"):
        fetch_folders(f"file://{repository}", tmp_path / "clone", WANTED)


def test_wanted_paths_are_checked(repository: Path, tmp_path: Path) -> None:
    with pytest.raises(FetchError, match="malformed"):
        fetch_folders(f"file://{repository}", tmp_path / "clone", ["--stdin;x"], allow_file=True)


def test_gits_own_reason_is_told(tmp_path: Path) -> None:
    with pytest.raises(FetchError, match=r"git could not fetch it: .*nothing") as caught:
        fetch_folders(f"file://{tmp_path}/nothing", tmp_path / "clone", WANTED, allow_file=True)
    assert caught.value.kind == "git"
