"""Build the sample catalogue again: `python -m bibtools.data.build SOURCE`.

SOURCE is a folder of posts of PMLR volume 267 (https://github.com/mlresearch/v267, folder `_posts`).
"""

import argparse
import hashlib
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from bibtools.catalogue import CatalogueWriter, create_catalogue
from bibtools.data import CATALOGUE, data_path
from bibtools.errors import Problem
from bibtools.model import Entry
from bibtools.outcomes import FieldSource
from bibtools.sources.pmlr import read_pmlr
from bibtools.sources.registry import get_source

NAME = "ICML 2025 (sample)"
DESCRIPTION = "80 of the works of ICML 2025, PMLR volume 267; `bibtools catalogue pull icml:2025` gets all"
ADDRESS = "git+https://github.com/mlresearch/v267@74712b2e711b8deb4589c58830ec290c8ff437f0"
READ_ON = "2026-11-30"


def build(source: Path, target: Path) -> int:
    """Write the catalogue of the posts in `source` to `target`; return how many works it has.

    Raises:
        ValueError: a post cannot be read; the old catalogue stays.
    """
    items = list(read_pmlr(source, config=data_path("catalogue")))
    works = [item for item in items if isinstance(item, Entry)]
    for problem in items:
        if isinstance(problem, Problem) and problem.lost:
            raise ValueError(str(problem))
    part = target.with_name(f".{target.name}.part")
    part.unlink(missing_ok=True)
    create_catalogue(part, NAME, DESCRIPTION)
    with CatalogueWriter(part) as writer:
        writer.add(works, FieldSource(ADDRESS, READ_ON), get_source("pmlr").rank)
    os.replace(part, target)
    return len(works)


def note_checksum(path: Path) -> None:
    """Write a file's checksum into the README beside it, if that names the file."""
    readme = path.with_name("README.md")
    if readme.is_file():
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        row = re.compile(rf"(`{re.escape(path.name)}` \|.*`)[0-9a-f]{{64}}`")
        readme.write_text(row.sub(rf"\g<1>{digest}`", readme.read_text(encoding="utf-8")), encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    """Build it where the package lies, or where told; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bibtools.data.build", description=__doc__)
    parser.add_argument("source", type=Path, help="folder of posts of volume 267")
    parser.add_argument("target", type=Path, nargs="?", help="file to write (default: in this package)")
    args = parser.parse_args(argv)
    target = args.target or Path(__file__).parent.joinpath(*CATALOGUE.split("/"))
    works = build(args.source, target)
    note_checksum(target)
    print(f"{works} works in {target}, {target.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
