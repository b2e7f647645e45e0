"""What may import what: each layer uses those above it, never those below or one beside it."""

import ast
from pathlib import Path

import pytest

import bibtools

PACKAGE = Path(bibtools.__file__).parent

LAYERS = [
    ["errors"],
    ["outcomes"],
    ["model"],
    ["tables"],
    ["text", "settings"],
    ["mapping", "works"],
    ["readers", "writers", "checks", "merge", "catalogue", "transport"],
    ["formats"],
    ["files"],
    ["outputs"],
    ["sources"],
    ["enrichers"],
    ["pipeline"],
    ["plugins"],
    ["cli"],
]
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}
FREE = {"__init__", "__main__"}
MODULES = sorted(PACKAGE.rglob("*.py"))


def room(module: str) -> str:
    """Return the top-level module or package of bibtools that a dotted module name belongs to."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def imports(path: Path) -> set[str]:
    """Return the rooms of bibtools that a file imports, wherever in it the import stands."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {room(alias.name) for alias in node.names if alias.name.split(".")[0] == "bibtools"}
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "bibtools":
            inner = room(node.module)
            found |= {inner} if inner else {alias.name for alias in node.names}
    return found & RANK.keys()


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_module_imports_only_layers_above_it(path: Path) -> None:
    own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    if own in FREE:
        return
    assert own in RANK, f"{own} has no layer: add it to LAYERS and to docs/architecture.md"
    wrong = {name for name in imports(path) if name != own and RANK[name] >= RANK[own]}
    assert not wrong


def test_only_transport_opens_sockets() -> None:
    for path in MODULES:
        own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        names = {
            alias.name.split(".")[0]
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Import)
            for alias in node.names
        }
        assert own == "transport" or not names & {"requests", "socket", "urllib3", "http"}, path
