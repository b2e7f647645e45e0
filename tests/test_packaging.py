"""What is installed: every package and data file is named, and the commands' names lead somewhere."""

import tomllib
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SETUPTOOLS = PROJECT["tool"]["setuptools"]


def packages(folder: Path, name: str) -> set[str]:
    """Return the dotted names of the packages in a folder; folders of data are packages too."""
    inside = [path for path in folder.rglob("*") if path.is_dir() and "__pycache__" not in path.parts]
    return {name, *(".".join((name, *path.relative_to(folder).parts)) for path in inside)}


def test_every_package_is_named() -> None:
    assert sorted(SETUPTOOLS["packages"]) == sorted(
        packages(ROOT / "bibtools", "bibtools") | packages(ROOT / "data", "bibtools.data")
    )


def test_every_data_file_is_covered() -> None:
    for path in (ROOT / "bibtools").rglob("*"):
        if path.is_dir() or path.suffix in (".py", ".pyc"):
            continue
        package = ".".join(path.parent.relative_to(ROOT).parts)
        patterns = SETUPTOOLS["package-data"].get(package, [])
        assert any(path.match(pattern) for pattern in patterns), path


@pytest.mark.parametrize("address", PROJECT["project"]["scripts"].values())
def test_commands_lead_to_functions(address: str) -> None:
    module, _, name = address.partition(":")
    assert callable(getattr(import_module(module), name))


def test_types_are_promised() -> None:
    assert (ROOT / "bibtools" / "py.typed").exists()


def test_version_is_a_literal() -> None:
    text = (ROOT / "bibtools" / "__init__.py").read_text(encoding="utf-8")
    assert text.count("__version__ = ") == 1
    assert PROJECT["project"]["dynamic"] == ["version"]
