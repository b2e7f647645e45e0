"""The outputs for the shipped lists are what was reviewed by eye, and say what the records say."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from golden import FOLDER, golden_outputs

from bibtools import formats

SHARED = Path(__file__).parent.parent.parent / "shared"
LISTS = ("icml2025-000", "icml2025-003")


def test_outputs_are_the_golden_ones() -> None:
    made = dict(golden_outputs())
    assert sorted(made) == sorted(path.name for path in FOLDER.iterdir())
    for name, data in made.items():
        assert without_evidence(name, data) == without_evidence(name, (FOLDER / name).read_bytes()), name


def without_evidence(name: str, data: bytes) -> object:
    """Return an output as text, or CSL-JSON without the figures of identification, which may be tuned."""
    if not name.endswith(".json"):
        return data.decode()
    items = json.loads(data)
    for item in items:
        del item["custom"]["bibtools"]
    return items


@pytest.mark.parametrize("name", LISTS)
def test_seeds_are_named_rightly(name: str) -> None:
    check, truth = SHARED / "checks" / "check_seeds.py", SHARED / "seeds" / "papers.jsonl"
    if not check.exists():
        pytest.skip("the seeds' true records are not beside this checkout")
    command = [sys.executable, str(check), str(FOLDER / f"{name}.json"), str(truth), name[-3:]]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("ending", ["bib", "biblatex.bib", "ris"])
@pytest.mark.parametrize("name", LISTS)
def test_other_formats_say_the_same_as_csl_json(name: str, ending: str) -> None:
    items = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    path = FOLDER / f"{name}.{ending}"
    form = "biblatex" if ending == "biblatex.bib" else None
    entries = formats.read(path.read_bytes(), path.name, form).entries
    assert len(entries) == len(items)
    for entry, item in zip(entries, items, strict=True):
        assert entry.key == item["id"]
        assert entry.title
        assert plain(entry.title.plain) == plain(item["title"])
        assert [person.family for person in entry.author] == [a["family"] for a in item["author"]]
        assert [person.given for person in entry.author] == [a["given"] for a in item["author"]]
        assert entry.page == item["page"]
        assert entry.volume == item["volume"]
        assert entry.url == item["URL"]
        assert entry.issued
        assert entry.issued.start == tuple(item["issued"]["date-parts"][0])
        assert entry.abstract
        assert plain(entry.abstract.plain) == plain(item["abstract"])
        text = path.read_text(encoding="utf-8")
        for link in item["custom"].get("links", ()):
            assert link["url"] in text


def plain(text: str) -> str:
    """Return a text without CSL's mark-up and the dollars and signs of a formula; blanks count once."""
    return re.sub(r"\s+", " ", re.sub(r"</?(?:span|i|b|sub|sup)\b[^>]*>|[$^_{}]", "", text))
