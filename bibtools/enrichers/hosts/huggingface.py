"""Hugging Face models, data sets and spaces by the hub's interface.

Unsigned, a missing or private repository answers 401 with `X-Error-Code: RepoNotFound`. Source: the error
classes of the `huggingface_hub` client and the hub's documentation of gated repositories.
"""

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from bibtools.enrichers.hosts.base import (
    Desk,
    OneByOne,
    Target,
    available,
    is_true,
    missing,
    number_of,
    record_of,
    required,
    text_of,
    unsure,
)
from bibtools.outcomes import LinkCheck, LinkFacts, LinkFlag
from bibtools.text.urls import classify

if TYPE_CHECKING:
    from bibtools.transport import Reply

HOSTS = frozenset({"huggingface.co", "hf.co"})
SECTIONS = frozenset({"datasets", "spaces"})
KINDS = frozenset({"model", "dataset", "demo"})
NOT_FOUND = "RepoNotFound"
HUB_FILES = {".gitattributes"}
"""What the hub itself puts into a new repository."""
CARD_FILES = HUB_FILES | {"README.md", "LICENSE", "LICENSE.md", "LICENSE.txt", ".gitignore"}
"""What says something about contents, and is none."""


class HuggingFace(OneByOne):
    """Repositories on the Hugging Face hub."""

    name = "huggingface"
    lane = "huggingface.co"

    def target(self, url: str) -> Target | None:
        """Return the target of an address of a model, data set or space, or of something in it."""
        parts = urlsplit(url)
        if parts.hostname not in HOSTS or classify(url) not in KINDS:
            return None
        section, names = split_path([segment for segment in parts.path.split("/") if segment])
        home = "/".join(("https://huggingface.co", *([section] if section != "models" else []), *names))
        return Target(home, home, self.name, section, "/".join(names), "huggingface.co")

    def check(self, target: Target, desk: Desk) -> LinkCheck:
        """Return the verdict on one repository."""
        url = f"https://huggingface.co/api/{target.owner}/{target.name}"
        reply = desk.client.get(url, accept="application/json", keep=True)
        if reply.status == 200:
            return read_repository(reply, target)
        if reply.status == 404 or (reply.status == 401 and reply.header("x-error-code") == NOT_FOUND):
            return missing(reply, "no public repository of this name")
        return unsure(reply)


def split_path(segments: list[str]) -> tuple[str, list[str]]:
    """Return the section and the names of a repository; old ones have one name only.

    >>> split_path(["datasets", "o", "n", "tree", "main"]), split_path(["o", "n"])
    (('datasets', ['o', 'n']), ('models', ['o', 'n']))
    """
    section = segments[0] if segments[0] in SECTIONS else "models"
    names = segments[1:] if section != "models" else segments
    return section, names[:2]


def read_repository(reply: "Reply", target: Target) -> LinkCheck:
    """Return the verdict on a repository that the interface describes."""
    record = record_of(reply)
    name = required(reply, record, "id")
    if is_true(record, "private"):
        return missing(reply, "private: only your token may see it")
    moved = name.lower() != target.name.lower() and bool(reply.redirects)
    names = file_names(record)
    checks: list[tuple[bool, LinkFlag]] = [
        (moved, "moved"),
        (names is not None and names <= HUB_FILES, "empty"),
        (names is not None and names <= CARD_FILES and not names <= HUB_FILES, "readme-only"),
        (is_true(record, "disabled"), "disabled"),
    ]
    section = "" if target.owner == "models" else f"{target.owner}/"
    flags = [flag for holds, flag in checks if holds]
    gated = record.get("gated") not in (None, False)
    return available(
        reply,
        read_facts(record),
        flags,
        f"https://huggingface.co/{section}{name}" if moved else "",
        "files are given to those who ask its owner (gated)" if gated else "",
    )


def file_names(record: dict[str, Any]) -> set[str] | None:
    """Return the names at the repository's root; None where the answer has no list of files."""
    files = record.get("siblings")
    if not isinstance(files, list):
        return None
    return {text_of(file, "rfilename").split("/")[0] for file in files}


def read_facts(record: dict[str, Any]) -> LinkFacts:
    """Return the facts in a repository object."""
    licence = text_of(record, "cardData", "license")
    return LinkFacts(
        name=text_of(record, "id"),
        host_id=text_of(record, "_id"),
        licence=licence,
        commit=text_of(record, "sha"),
        last_push=text_of(record, "lastModified"),
        stars=number_of(record, "likes"),
    )
