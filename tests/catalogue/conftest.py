"""A small catalogue of invented works."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from invented import invented_work

from bibtools.catalogue import Catalogue, add_works, open_catalogue
from bibtools.outcomes import FieldSource

WORKS = 40


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a catalogue with the invented works 0 to 39 lies."""
    path = tmp_path / "kelp.bibcat"
    add_works(path, map(invented_work, range(WORKS)), FieldSource("https://example.org/kelp", "2026-11-30"))
    return path


@pytest.fixture
def catalogue(path: Path) -> Iterator[Catalogue]:
    """That catalogue, opened."""
    with open_catalogue(path) as opened:
        yield opened
