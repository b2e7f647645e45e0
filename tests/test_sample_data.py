"""The data that come with the program are what their READMEs say, and can be built again."""

import hashlib
import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from bibtools.catalogue import open_catalogue
from bibtools.data import build, data_path, sample_catalogue, sample_lists
from bibtools.mapping.venues import parse_heading

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"
needs_shared = pytest.mark.skipif(
    not SHARED.exists(), reason="the real volumes and right answers do not lie beside the project"
)


@pytest.mark.parametrize("folder", ["lists", "catalogue"])
def test_readme_has_the_checksum_of_every_file(folder: str) -> None:
    readme = data_path(f"{folder}/README.md").read_text(encoding="utf-8")
    sums = dict(re.findall(r"`([\w.-]+)` \|.*`([0-9a-f]{64})`", readme))
    for word in ("Origin", "Licence", "Date"):
        assert f"**{word}**" in readme
    files = [path for path in data_path(folder).iterdir() if path.suffix in {".txt", ".bibcat"}]
    assert {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files} == sums


def test_lists_are_two_of_19_abstracts_under_a_heading() -> None:
    for path in sample_lists():
        heading, *abstracts = path.read_text(encoding="utf-8").strip().split("\n\n")
        found = parse_heading(heading)
        assert found
        assert (found.catalogue, len(abstracts)) == ("icml:2025", 19)


def test_catalogue_is_whole_and_knows_every_abstract_of_the_lists() -> None:
    with open_catalogue(sample_catalogue()) as catalogue:
        assert (len(catalogue), catalogue.verify()) == (80, ())
        for path in sample_lists():
            _, *abstracts = path.read_text(encoding="utf-8").strip().split("\n\n")
            assert [found.outcome for found in catalogue.find_many(abstracts)] == ["identified"] * 19


@needs_shared
def test_catalogue_has_the_facts_and_links_of_the_right_answers() -> None:
    with open_catalogue(sample_catalogue()) as catalogue:
        for line in (SHARED / "seeds" / "papers.jsonl").read_text(encoding="utf-8").splitlines():
            truth = json.loads(line)
            entry = catalogue.entry(f"pmlr:v267/{truth['pmlr_key']}")
            assert [person.family for person in entry.author] == [
                person["family"] for person in truth["authors"]
            ]
            assert (entry.page, entry.volume, entry.url) == (truth["pages"], truth["volume"], truth["url"])
            assert entry.ids["openreview"] == truth["openreview"]
            assert {link.url for link in entry.links} >= {link["url"] for link in truth["links"]}
            assert entry.editor[0].family == "Singh"


@needs_shared
def test_catalogue_can_be_built_again(tmp_path: Path) -> None:
    target = tmp_path / "sample.bibcat"
    assert build.build(SHARED / "corpora" / "pmlr" / "v267", target) == 80
    with open_catalogue(target) as new, open_catalogue(sample_catalogue()) as old:
        assert list(new.works()) == list(old.works())
        assert new.info().sources == old.info().sources


def test_missing_file_is_told_by_name() -> None:
    with pytest.raises(FileNotFoundError, match=r"no sample data called 'lists/none\.txt'"):
        data_path("lists/none.txt")


def test_wheel_holds_the_data_and_needs_no_checkout(tmp_path: Path) -> None:
    source = tmp_path / "source"
    leave = shutil.ignore_patterns(".*", "tests", "benchmarks", "build", "demo", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT, source, ignore=leave)
    wheel_command = (
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--no-deps",
        "-q",
        "-w",
        str(tmp_path),
        str(source),
    )
    made = subprocess.run(wheel_command, capture_output=True, text=True, check=False)
    if "No matching distribution" in made.stderr or "onnection" in made.stderr:
        pytest.skip("no package index to get the build tools from")
    assert made.returncode == 0, made.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path / 'site')!r}); import bibtools.data as data; "
        "print(data.__file__, len(data.sample_lists()), data.sample_catalogue().stat().st_size)"
    )
    ran = subprocess.run(
        (sys.executable, "-I", "-c", program), capture_output=True, text=True, check=True, cwd=tmp_path
    )
    place, lists, size = ran.stdout.split()
    assert place.startswith(str(tmp_path))
    assert (int(lists), int(size)) == (2, sample_catalogue().stat().st_size)
