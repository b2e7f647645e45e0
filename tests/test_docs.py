"""The documents say what the program does: every command, option, JSON key, setting and link in them."""

import re
from pathlib import Path

import msgspec
import pytest
from command_page import PAGE, arguments, command_page, commands
from test_layers import LAYERS

from bibtools.cli.main import build_parser
from bibtools.formats import BUILT_IN
from bibtools.settings import URLS, Settings

ROOT = Path(__file__).parent.parent
DOCS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def test_page_of_commands_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == command_page(), "run: python tests/command_page.py"


@pytest.mark.parametrize(("name", "parser"), list(commands(build_parser())), ids=lambda part: str(part)[:20])
def test_every_argument_has_a_help_text(name: str, parser: object) -> None:
    for action in arguments(parser):  # type: ignore[arg-type]
        assert action.help, f"bibtools {name}: {action.dest}"
        assert not action.help.rstrip().endswith("."), f"bibtools {name}: {action.dest}"


@pytest.mark.parametrize("path", DOCS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_between_documents_lead_somewhere(path: Path) -> None:
    for target in LINK.findall(CODE.sub("", path.read_text(encoding="utf-8"))):
        if "://" not in target and not target.startswith(("#", "mailto:")):
            assert (path.parent / target.partition("#")[0]).exists(), target


@pytest.mark.parametrize("path", DOCS, ids=lambda path: str(path.relative_to(ROOT)))
def test_options_that_documents_name_exist(path: Path) -> None:
    known = {
        option
        for _, parser in commands(build_parser())
        for a in arguments(parser)
        for option in a.option_strings
    }
    known |= {"--version"}
    for line in re.findall(r"(?m)^.*\bbibtools [a-z].*$", path.read_text(encoding="utf-8")):
        used = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", line))
        assert used <= known, line


def test_every_setting_and_service_is_described() -> None:
    text = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    for name in Settings.__struct_fields__:
        assert f"`{name.replace('_', '-')}`" in text, name
    for service in URLS:
        assert f"`{service}`" in text, service


def test_every_format_is_described() -> None:
    text = (ROOT / "docs" / "formats" / "README.md").read_text(encoding="utf-8")
    for form in BUILT_IN:
        assert f"`{form.name}`" in text, form.name
        for suffix in form.suffixes:
            assert f"`{suffix}`" in text, suffix


def test_every_layer_is_described() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert not [name for names in LAYERS for name in names if f"`{name}`" not in text]


def test_readme_shows_what_is_written() -> None:
    golden = (
        (ROOT / "tests" / "data" / "golden" / "icml2025-003.bib").read_text(encoding="utf-8").splitlines()
    )
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    beginning = "".join(f"{line[:110]}\n" for line in golden[:8])
    assert f"$ cut -c 1-110 refs.bib | head -n 8\n{beginning}\n" in text
    code = "".join(f"{line}\n" for line in [line for line in golden if "software" in line][:3])
    assert f"$ grep software refs.bib | head -n 3\n{code}```" in text


def test_every_json_key_is_described() -> None:
    from bibtools.errors import Location, Problem
    from bibtools.model import Entry, Library, Link, Origin
    from bibtools.outcomes import (
        Agreement,
        Candidate,
        Evidence,
        FieldSource,
        Identification,
        LinkCheck,
        LinkFacts,
    )
    from bibtools.writers.answers import entry_row, link_row, unread_row

    text = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    keys = set(entry_row(Entry(origin=Origin("a.txt")), Library(source="a.txt")))
    keys |= set(link_row(Link("a", "a"))) | set(unread_row(Problem("a", "error", Location("a.txt"), "")))
    for struct in (Agreement, Candidate, Evidence, FieldSource, LinkCheck, LinkFacts):
        keys |= set(struct.__struct_fields__)
    assert not {key for key in keys if f"`{key}`" not in text}
    assert msgspec.structs.fields(Identification)
