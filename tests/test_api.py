"""The public API: what is promised is there, documented, and loaded only when used."""

import inspect
import subprocess
import sys

import pytest

import bibtools


def modules_after(script: str) -> set[str]:
    """Return the modules that are loaded after a script ran in a fresh interpreter."""
    command = [sys.executable, "-c", f"{script}\nimport sys; print(*sys.modules)"]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


def test_every_public_name_is_there() -> None:
    assert set(bibtools.__all__) <= set(dir(bibtools))
    assert sorted(bibtools._MODULES) == sorted(set(bibtools.__all__) - {"__version__"})


@pytest.mark.parametrize("name", sorted(set(bibtools.__all__) - {"__version__"}))
def test_public_name_is_documented(name: str) -> None:
    assert inspect.getdoc(getattr(bibtools, name))


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'song'"):
        bibtools.song  # noqa: B018


def test_importing_the_package_loads_nothing_else() -> None:
    loaded = modules_after("import bibtools")
    assert not {name for name in loaded if name.startswith(("bibtools.", "msgspec"))}


@pytest.mark.parametrize("heavy", ["numpy", "requests", "rich", "yaml", "pybtex", "bibtexparser", "shtab"])
def test_building_the_parser_loads_no_heavy_library(heavy: str) -> None:
    assert heavy not in modules_after("from bibtools.cli.main import build_parser; build_parser()")
