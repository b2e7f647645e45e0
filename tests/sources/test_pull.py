"""Known catalogues fetched from a server on loopback and a git repository on this disk, and built."""

import gzip
import json
import shutil
import subprocess
from pathlib import Path

import pytest
from loopback import Answer, Asked, Loopback, Rule

from bibtools.catalogue import open_catalogue
from bibtools.errors import CatalogueError, FetchError
from bibtools.settings import Settings
from bibtools.sources.build import add_batches, batches
from bibtools.sources.known import missing_catalogue
from bibtools.sources.pull import pull, update

needs_git = pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")

WIDGETS = (
    "We train sparse widgets with a loss that keeps every second spring loose until the last epoch ends. "
    "Earlier factories tightened all springs at once, which broke gears and wasted copper in long runs. "
    "Our schedule needs neither a foreman nor extra memory, and it converges on twelve benchmarks of "
    "mechanical reasoning twice as fast as the strongest baseline known to clockmakers."
)
BANANAS = (
    "Bananas ripen under ultraviolet lamps faster than diffusion of ethylene alone would let physicists "
    "expect. Measuring peel colour with cheap cameras in forty warehouses, we find a resonance between "
    "lamp flicker and the daily rhythm of stomata, propose a model with three parameters, and show that "
    "shipping routes planned with it save a tenth of the harvest from spoiling before breakfast."
)
PAPERS = [
    {
        "title": title,
        "status": "Poster",
        "author": "Ada Byron; Alan Turing",
        "abstract": abstract,
        "site": f"https://openreview.net/forum?id=abc{number}",
        "github": "github.com/o/r",
    }
    for number, (title, abstract) in enumerate(
        zip(("Sparse Widgets", "Ripe Bananas"), (WIDGETS, BANANAS), strict=True)
    )
]
LISTS = json.dumps(PAPERS).encode()
CITEPROC = "".join(
    f"- title: {paper['title']}\n  abstract: {paper['abstract']}\n  id: byron15{letter}\n  volume: 37\n"
    for letter, paper in zip("ab", PAPERS, strict=True)
)


def serve(path: str, body: bytes, etag: str = '"1"') -> Rule:
    """Return a rule that serves a file with ranges and an ETag."""

    def answer(asked: Asked) -> Answer | None:
        if asked.path != path:
            return None
        if asked.headers.get("if-none-match") == etag:
            return Answer(304)
        if (span := asked.headers.get("range")) and asked.headers.get("if-range") == etag:
            start = int(span.removeprefix("bytes=").rstrip("-"))
            headers = {"ETag": etag, "Content-Range": f"bytes {start}-{len(body) - 1}/{len(body)}"}
            return Answer(206, body[start:], headers)
        return Answer(200, body, {"ETag": etag, "Content-Type": "application/octet-stream"})

    return answer


def settings_for(web: Loopback, folder: Path, **changes: object) -> Settings:
    """Return settings that lead to the server and to folders of the test's own."""
    urls = {name: f"{web.base}/{name}" for name in ("papercopilot", "acl", "pmlr")}
    return Settings(
        urls=urls | {"pmlr-git": f"file://{folder}/git"},
        catalogue_folder=str(folder / "catalogues"),
        cache_folder=str(folder / "cache"),
        **changes,  # type: ignore[arg-type]
    )


def volume(folder: Path) -> Path:
    """Make a git repository of volume 37 with two works; return its folder."""
    place = folder / "git" / "v37"
    (place / "_posts").mkdir(parents=True)
    for letter, paper in zip("ab", PAPERS, strict=True):
        text = (
            f"---\ntitle: {paper['title']}\nabstract: {paper['abstract']}\nsoftware: {paper['github']}\n---\n"
        )
        (place / "_posts" / f"2015-06-01-byron15{letter}.md").write_text(text)
    (place / "_config.yml").write_text("---\nvolume: 37\nbooktitle: Proceedings of the 32nd ICML\n")
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
    for words in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "posts")):
        subprocess.run(["git", *who, *words], cwd=place, check=True, capture_output=True)
    return place


def titles(path: Path) -> set[str]:
    """Return the titles of a catalogue's works."""
    with open_catalogue(path) as catalogue:
        return {str(entry.title) for entry in catalogue.works()}


def test_pull_over_http_installs_the_catalogue(web: Loopback, tmp_path: Path) -> None:
    web.rules.append(serve("/nips/nips2023.json", LISTS))
    settings = settings_for(web, tmp_path)
    heard: list[str] = []
    pulled = pull("NeurIPS 2023", settings, lambda label, done, total: heard.append(label))
    assert (pulled.name, pulled.path) == ("neurips:2023", tmp_path / "catalogues" / "neurips-2023.bibcat")
    assert (pulled.added.works, pulled.added.added, pulled.added.lost) == (2, 2, 0)
    assert heard[0] == "fetching neurips:2023"
    with open_catalogue(pulled.path) as catalogue:
        assert catalogue.name == "neurips:2023"
        (source,) = catalogue.info().sources
        assert source.source.startswith(
            "https://raw.githubusercontent.com/papercopilot/paperlists/main/nips/"
        )
        assert len(source.date) == 10
        found = catalogue.find(WIDGETS)
        assert found.outcome == "identified"
        assert str(catalogue.entry("openreview:abc0").event_title) == "NeurIPS"
    assert list((tmp_path / "catalogues").iterdir()) == [pulled.path]


def test_broken_transfer_is_gone_on_with(web: Loopback, tmp_path: Path) -> None:
    body = json.dumps(PAPERS, indent=8).encode()
    whole = serve("/nips/nips2023.json", body)
    web.rules.append(whole)
    asked_ranges: list[str] = []

    def cut_first(asked: Asked) -> Answer | None:
        answer = whole(asked)
        asked_ranges.append(asked.headers.get("range", ""))
        if answer and len(asked_ranges) == 1:
            return Answer(answer.status, answer.body, answer.headers, cut_after=300)
        return None

    web.spoil = cut_first
    assert pull("neurips:2023", settings_for(web, tmp_path)).added.works == 2
    assert asked_ranges == ["", "bytes=300-"]


def test_update_asks_whether_anything_is_new(web: Loopback, tmp_path: Path) -> None:
    web.rules.append(serve("/nips/nips2023.json", LISTS))
    settings = settings_for(web, tmp_path)
    path = pull("neurips:2023", settings).path
    assert update(path, settings).added.works == 2
    assert [one.headers.get("if-none-match") for one in web.asked] == [None, '"1"']
    web.rules[0] = serve("/nips/nips2023.json", json.dumps(PAPERS[:1]).encode(), '"2"')
    assert update(path, settings).added.works == 1
    assert titles(path) == {"Sparse Widgets"}


def test_failed_update_leaves_the_old_catalogue(web: Loopback, tmp_path: Path) -> None:
    web.rules.append(serve("/nips/nips2023.json", LISTS))
    settings = settings_for(web, tmp_path)
    path = pull("neurips:2023", settings).path
    before = path.read_bytes()
    web.rules[0] = serve("/nips/nips2023.json", b"[]", '"2"')
    with pytest.raises(CatalogueError, match="no works"):
        update(path, settings)
    web.rules.clear()
    with pytest.raises(FetchError):
        update(path, settings)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_damaged_or_old_catalogue_is_updated_by_its_files_name(web: Loopback, tmp_path: Path) -> None:
    web.rules.append(serve("/nips/nips2023.json", LISTS))
    settings = settings_for(web, tmp_path)
    path = pull("neurips:2023", settings).path
    path.write_bytes(b"no catalogue")
    assert update(path, settings).added.works == 2
    other = path.with_name("other.bibcat")
    other.write_bytes(b"no catalogue")
    with pytest.raises(CatalogueError, match="not a catalogue"):
        update(other, settings)


@needs_git
def test_pull_by_git_has_code_links(web: Loopback, tmp_path: Path) -> None:
    volume(tmp_path)
    pulled = pull("icml:2015", settings_for(web, tmp_path))
    assert (pulled.added.works, pulled.notes) == (2, ())
    with open_catalogue(pulled.path) as catalogue:
        entry = catalogue.entry("pmlr:v37/byron15a")
        assert [link.url for link in entry.links] == ["https://github.com/o/r"]
        assert str(entry.container_title) == "Proceedings of the 32nd ICML"
        address, _, commit = catalogue.info().sources[0].source.partition("@")
        assert (address, len(commit)) == ("git+https://github.com/mlresearch/v37", 40)
    assert not web.asked


@needs_git
def test_update_by_git_brings_new_posts(web: Loopback, tmp_path: Path) -> None:
    place = volume(tmp_path)
    settings = settings_for(web, tmp_path)
    path = pull("icml:2015", settings).path
    (place / "_posts" / "2015-06-01-new15.md").write_text("---\ntitle: A Third Work\n---\n")
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
    for words in (("add", "."), ("commit", "-q", "-m", "third")):
        subprocess.run(["git", *who, *words], cwd=place, check=True, capture_output=True)
    assert update(path, settings).added.works == 3
    assert titles(path) == {"Sparse Widgets", "Ripe Bananas", "A Third Work"}


@needs_git
def test_volume_comes_from_its_site_where_git_fails(web: Loopback, tmp_path: Path) -> None:
    web.rules.append(serve("/v37/assets/bib/citeproc.yaml", CITEPROC.encode()))
    pulled = pull("icml:2015", settings_for(web, tmp_path))
    assert titles(pulled.path) == {"Sparse Widgets", "Ripe Bananas"}
    assert "without code links" in pulled.notes[0]


def test_volume_comes_from_its_site_where_git_is_not_installed(
    web: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    web.rules.append(serve("/v37/bibliography.bib", b"@inproceedings{pmlr-v37-a15, title={A Work}}"))
    monkeypatch.setenv("PATH", str(tmp_path))
    pulled = pull("icml:2015", settings_for(web, tmp_path))
    assert titles(pulled.path) == {"A Work"}
    assert pulled.notes == ("git is not installed: without code links and OpenReview ids",)
    assert [one.path for one in web.asked] == ["/v37/assets/bib/bibliography.bib", "/v37/bibliography.bib"]


@needs_git
def test_both_failures_are_told(web: Loopback, tmp_path: Path) -> None:
    with pytest.raises(FetchError, match=r"git could not fetch it.*and its site"):
        pull("icml:2015", settings_for(web, tmp_path))


@pytest.mark.parametrize("name", ["icml:2015", "neurips:2023", "acl"])
def test_offline_refuses_in_clear_words(web: Loopback, tmp_path: Path, name: str) -> None:
    with pytest.raises(FetchError, match="the network is off"):
        pull(name, settings_for(web, tmp_path, offline=True))
    assert not web.asked


def test_web_page_in_place_of_data_is_refused(web: Loopback, tmp_path: Path) -> None:
    web.rules.append(serve("/nips/nips2023.json", b"<html>are you human?</html>"))
    with pytest.raises(FetchError, match="a web page came") as caught:
        pull("neurips:2023", settings_for(web, tmp_path))
    assert caught.value.kind == "challenged"
    assert not list((tmp_path / "catalogues").glob("*.bibcat"))


def test_update_of_a_catalogue_of_files(web: Loopback, tmp_path: Path) -> None:
    lists = tmp_path / "nips2023.json.gz"
    lists.write_bytes(gzip.compress(LISTS))
    path = tmp_path / "own.bibcat"
    add_batches(path, batches([lists]), "2026-01-02")
    lists.write_bytes(gzip.compress(json.dumps(PAPERS[1:]).encode()))
    settings = settings_for(web, tmp_path, offline=True)
    assert update(path, settings).added.works == 1
    assert titles(path) == {"Ripe Bananas"}
    lists.unlink()
    with pytest.raises(CatalogueError, match="is gone"):
        update(path, settings)


def test_heading_asks_for_its_catalogue_until_it_is_installed(web: Loopback, tmp_path: Path) -> None:
    web.rules.append(serve("/nips/nips2023.json", LISTS))
    settings = settings_for(web, tmp_path)
    known = missing_catalogue("NeurIPS'23 论文列表", settings)
    assert known
    assert (known.name, known.command) == ("neurips:2023", "bibtools catalogue pull neurips:2023")
    assert known.size_text().startswith("about 3,540 works")
    pull(known.name, settings)
    assert missing_catalogue("NeurIPS'23 论文列表", settings) is None
    assert missing_catalogue("My reading list", settings) is None
