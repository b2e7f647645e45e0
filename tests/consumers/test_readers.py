"""Other programs read the golden files back: every field that each can hold is compared."""

import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable
from typing import Any

import pytest
from golden import FOLDER

from bibtools.text.titles import title_key

LISTS = ("icml2025-000", "icml2025-003")
MODS = "{http://www.loc.gov/mods/v3}"
CITATION_JS = """
const { Cite } = require('@citation-js/core')
for (const name of ['bibtex', 'ris', 'csl']) require('@citation-js/plugin-' + name)
console.log(JSON.stringify(new Cite(require('fs').readFileSync(process.argv[1], 'utf8')).data))
"""

Item = dict[str, Any]


def run(*command: str) -> str:
    """Run a program and return what it prints."""
    return subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8-sig").stdout


def has_citation_js() -> bool:
    """Tell whether Node finds Citation.js (set NODE_PATH to where it is installed)."""
    script = "for (const name of ['core', 'plugin-bibtex', 'plugin-ris']) require('@citation-js/' + name)"
    if not shutil.which("node"):
        return False
    return subprocess.run(["node", "-e", script], capture_output=True, check=False).returncode == 0


needs_pandoc = pytest.mark.skipif(not shutil.which("pandoc"), reason="pandoc is not installed")
needs_bibutils = pytest.mark.skipif(not shutil.which("bib2xml"), reason="bibutils are not installed")
needs_citation_js = pytest.mark.skipif(not has_citation_js(), reason="Node or Citation.js is not installed")


def letters(text: object) -> str:
    """Return what remains of a text when mark-up, TeX, case, blanks and signs are off."""
    plain = re.sub(r"</?(?:span|i|b|em|strong|sub|sup)\b[^>]*>", "", str(text or ""))
    return title_key(re.sub(r"\\(?:[A-Za-z]+|.)|[$^_{}]", "", plain))


def facts(item: Item) -> dict[str, object]:
    """Return the facts of a CSL item in a form that compares."""
    return {
        "title": letters(item.get("title")),
        "author": names(item.get("author", ())),
        "editor": names(item.get("editor", ())),
        "container-title": letters(item.get("container-title")),
        "collection-title": letters(item.get("collection-title")),
        "publisher": item.get("publisher"),
        "volume": str(item.get("volume")),
        "page": re.sub("[–—-]+", "-", str(item.get("page"))),
        "year": int(item["issued"]["date-parts"][0][0]),
        "URL": item.get("URL"),
        "abstract": letters(item.get("abstract")),
    }


def names(people: Iterable[Item]) -> list[str]:
    """Return names without the dots of initials, which bibutils take off."""
    return [f"{person.get('family')}, {person.get('given')}".replace(".", "") for person in people]


def golden(name: str) -> list[Item]:
    """Return the items of a golden CSL-JSON file."""
    items: list[Item] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return items


def compare(got: list[Item], name: str, without: tuple[str, ...] = ()) -> None:
    """Compare what a program read with the golden items, but for fields that it cannot hold."""
    want = golden(name)
    assert len(got) == len(want)
    for one, other in zip(got, want, strict=True):
        have, expected = facts(one), facts(other)
        for field in without:
            del have[field], expected[field]
        assert have == expected, other["id"]


@needs_pandoc
@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize(
    ("ending", "reader"), [("bib", "bibtex"), ("biblatex.bib", "biblatex"), ("json", "csljson")]
)
def test_pandoc_reads_every_field(name: str, ending: str, reader: str) -> None:
    got = json.loads(run("pandoc", str(FOLDER / f"{name}.{ending}"), "-f", reader, "-t", "csljson"))
    assert [item["id"] for item in got] == [item["id"] for item in golden(name)]
    compare(got, name)


@needs_citation_js
@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("ending", ["bib", "biblatex.bib", "ris", "json"])
def test_citation_js_reads_every_field(name: str, ending: str) -> None:
    got = json.loads(run("node", "-e", CITATION_JS, str(FOLDER / f"{name}.{ending}")))
    compare(got, name)


@needs_bibutils
@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize(
    ("ending", "program", "without"),
    [
        ("bib", "bib2xml", ()),
        # bibutils takes C3 for a note and T2 for an abbreviated series
        ("ris", "ris2xml", ("container-title",)),
    ],
)
def test_bibutils_read_what_they_can_hold(
    name: str, ending: str, program: str, without: tuple[str, ...]
) -> None:
    tree = ElementTree.fromstring(run(program, str(FOLDER / f"{name}.{ending}")))
    compare([from_mods(mods) for mods in tree.iter(f"{MODS}mods")], name, without)


def from_mods(mods: ElementTree.Element) -> Item:
    """Return a record of bibutils as a CSL item."""

    def find(path: str, inside: ElementTree.Element = mods) -> str:
        return inside.findtext("/".join(MODS + step for step in path.split("/"))) or ""

    def people(path: str) -> list[Item]:
        return [person(name) for name in mods.findall("/".join(MODS + step for step in path.split("/")))]

    date = find("originInfo/dateIssued") or find("relatedItem/originInfo/dateIssued")
    return {
        "title": find("titleInfo/title") + find("titleInfo/subTitle"),
        "author": people("name"),
        "editor": people("relatedItem/name"),
        "container-title": find("relatedItem/titleInfo/title"),
        "collection-title": find("relatedItem/relatedItem/titleInfo/title"),
        "abstract": find("abstract"),
        "publisher": find("originInfo/publisher") or find("relatedItem/originInfo/publisher"),
        "volume": find("part/detail/number") or find("relatedItem/part/detail/number"),
        "page": "-".join(find(f"part/extent/{end}") for end in ("start", "end")),
        "issued": {"date-parts": [[int(date[:4])]]},
        "URL": find("location/url"),
    }


def person(name: ElementTree.Element) -> Item:
    """Return a name of bibutils as CSL has it; some of its names are not split."""
    parts = [(part.get("type"), part.text or "") for part in name.iter(f"{MODS}namePart")]
    if parts[0][0] is None:
        family, _, given = parts[0][1].partition(", ")
        return {"family": family, "given": given}
    return {kind: " ".join(text for one, text in parts if one == kind) for kind in ("family", "given")}
