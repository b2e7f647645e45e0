"""PMLR: posts, volumes, citeproc.yaml; invented ones here, real ones where they lie beside the project."""

import json
from pathlib import Path

import pytest

from bibtools.errors import Problem
from bibtools.model import Contributor, Entry, PartialDate
from bibtools.sources.pmlr import event_date, load_yaml, read_citeproc, read_pmlr, read_post

CORPUS = Path(__file__).parents[3] / "shared" / "corpora" / "pmlr"
SEEDS = Path(__file__).parents[3] / "shared" / "seeds" / "papers.jsonl"
needs_corpus = pytest.mark.skipif(
    not CORPUS.exists(), reason="the PMLR volumes do not lie beside the project"
)

POST = """\
---
title: Sparse Widgets for No and On
openreview: AbC123xyz0
abstract: 'We train <em>widgets</em>. Code: https://github.com/o/widgets-data.'
software: github.com/ o/widgets, https://www.github.com/o/extra.git
layout: inproceedings
series: Proceedings of Machine Learning Research
publisher: PMLR
issn: 2640-3498
id: no25a
month: 0
tex_title: "{S}parse {W}idgets for No and On"
firstpage: 313
lastpage: 328
page: 313-328
order: 313
cycles: false
bibtex_author: No, Ada and van der Berg, Hans and {Widget Team}
author:
- given: Ada
  family: No
  orcid: https://orcid.org/0000-0002-1825-0097
- given: Hans
  prefix: van der
  family: Berg
  suffix: Jr.
- name: Widget Team
- given: Csaba
  family: Szepesv\\'ari
date: 2024-07-08
address: Vienna, Austria
container-title: Proceedings of the 41st International Conference on Machine Learning
volume: '235'
genre: inproceedings
issued:
  date-parts:
  - 2024
  - 7
  - 8
pdf: https://proceedings.mlr.press/v235/no25a/no25a.pdf
extras:
- label: Supplementary PDF
  link: https://proceedings.mlr.press/v235/no25a/no25a-supp.pdf
- label: Code
  link: https://git.example/widgets
# Format based on citeproc
---
"""


def only(text: str, name: str = "2024-07-08-no25a") -> Entry:
    """Return the one work of a post that has no problems."""
    (entry,) = read_post(text, name, "v235/no25a.md")
    assert isinstance(entry, Entry)
    return entry


def test_front_matter_is_read_fully() -> None:
    entry = only(POST)
    assert entry.title
    assert entry.title.plain == "Sparse Widgets for No and On"
    assert entry.title.nodes
    assert entry.author == (
        Contributor("No", "Ada", orcid="0000-0002-1825-0097"),
        Contributor("Berg", "Hans", "van der", suffix="Jr."),
        Contributor(literal="Widget Team"),
        Contributor("Szepesvári", "Csaba"),
    )
    assert entry.ids == {"pmlr": "v235/no25a", "openreview": "AbC123xyz0"}
    assert entry.url == "https://proceedings.mlr.press/v235/no25a.html"
    assert (entry.type, entry.volume, entry.page, entry.publisher) == (
        "paper-conference",
        "235",
        "313-328",
        "PMLR",
    )
    assert (
        str(entry.container_title) == "Proceedings of the 41st International Conference on Machine Learning"
    )
    assert str(entry.collection_title) == "Proceedings of Machine Learning Research"
    assert entry.issued == PartialDate(start=(2024, 7, 8))
    assert (entry.issn, entry.event_place, entry.key) == ("2640-3498", "Vienna, Austria", "")


def test_code_links_come_from_software_extras_and_abstract() -> None:
    assert [(link.written, link.url, link.offers_code) for link in only(POST).links] == [
        ("github.com/o/widgets", "https://github.com/o/widgets", True),
        ("https://www.github.com/o/extra.git", "https://github.com/o/extra", True),
        ("https://git.example/widgets", "https://git.example/widgets", True),
        ("https://github.com/o/widgets-data", "https://github.com/o/widgets-data", True),
    ]


def test_yaml_makes_strings_only() -> None:
    assert load_yaml("a: no\nb: 1.0\nc: 2024-01-01\nd:\ne: null\nf: !!python/object:os.system x\n") == {
        "a": "no",
        "b": "1.0",
        "c": "2024-01-01",
        "d": "",
        "e": "null",
        "f": "x",
    }


def test_missing_fields_come_from_the_volume(tmp_path: Path) -> None:
    posts = tmp_path / "v28" / "_posts"
    posts.mkdir(parents=True)
    (posts / "2013-02-13-byron13.md").write_text("---\ntitle: Widgets\nfirstpage: 1\nlastpage: 9\n---\n")
    (tmp_path / "v28" / "_config.yml").write_text(
        "---\nbooktitle: Proceedings of the 30th ICML\nvolume: 28\nstart: 2013-06-17\nend: 2013-06-19\n"
        "editor:\n- given: Sanjoy\n  family: Dasgupta\nconference: {name: ICML, location: Atlanta}\n"
    )
    (entry,) = read_pmlr(tmp_path)
    assert isinstance(entry, Entry)
    assert (str(entry.container_title), entry.volume, entry.page) == (
        "Proceedings of the 30th ICML",
        "28",
        "1-9",
    )
    assert entry.editor == (Contributor("Dasgupta", "Sanjoy"),)
    assert entry.event_date == PartialDate(start=(2013, 6, 17), end=(2013, 6, 19))
    assert (str(entry.event_title), entry.event_place, entry.author) == ("ICML", "Atlanta", ())
    assert entry.url == "https://proceedings.mlr.press/v28/byron13.html"


@pytest.mark.parametrize(
    ("start", "end", "days"),
    [
        ("2025-07-13", "2025-07-19", PartialDate(start=(2025, 7, 13), end=(2025, 7, 19))),
        ("2023-02-20", "2022-02-23", PartialDate(start=(2023, 2, 20))),
        ("2023-02-20", "", PartialDate(start=(2023, 2, 20))),
        ("2023-02-31x", "2023-03-01", None),
    ],
)
def test_days_of_a_conference(start: str, end: str, days: PartialDate | None) -> None:
    assert event_date(start, end) == days


@pytest.mark.parametrize(
    ("front", "title", "code"),
    [
        ('tex_title: "A {B} \\\\oops{c}"\ntitle: A B c', "A B \\oops{c}", "tex-command"),
        ('tex_title: "A {B c"\ntitle: A B c', "A B c", "damaged-tex"),
        ("tex_title: 5$\\times$ faster $\ntitle: 5x faster", "5x faster", "damaged-tex"),
    ],
)
def test_damaged_or_unknown_tex_keeps_the_work_and_says_so(front: str, title: str, code: str) -> None:
    entry, problem = read_post(f"---\n{front}\n---\n", "byron24a", "a.md")
    assert isinstance(entry, Entry)
    assert isinstance(problem, Problem)
    assert str(entry.title) == title
    assert (problem.code, problem.lost) == (code, False)


@pytest.mark.parametrize(
    "text", ["", "no front matter", "---\ntitle: [\n---\n", "---\nabstract: x\n---\n", "---\n- a\n---\n"]
)
def test_unreadable_post_is_one_problem_with_its_text(text: str) -> None:
    (problem,) = read_post(text, "a", "v1/a.md")
    assert isinstance(problem, Problem)
    assert (problem.code, problem.lost, problem.raw) == ("unread-record", True, text)


def test_windows_line_ends_and_byte_order_mark() -> None:
    assert only("\ufeff" + POST.replace("\n", "\r\n")).ids["pmlr"] == "v235/no25a"


def test_deep_nesting_is_a_problem_not_a_crash() -> None:
    (problem,) = read_post("---\ntitle: " + "[" * 100_000 + "\n---\n", "a", "a.md")
    assert isinstance(problem, Problem)
    assert problem.lost


CITEPROC = """\
---
- title: Sparse Widgets
  abstract: We train widgets.
  volume: 235
  URL: https://proceedings.mlr.press/v235/byron24a.html
  PDF: https://proceedings.mlr.press/v235/byron24a/byron24a.pdf
  container-title: Proceedings of the 41st International Conference on Machine Learning
  publisher: PMLR
  author:
  - given: Ada
    family: No
  page: 313-328
  id: byron24a
  issued:
    date-parts:
    - 2024
    - 7
    - 8
- title: [damaged
- title: More Widgets
  id: byron24b
  volume: 235
"""


def test_citeproc_yaml_is_read_item_by_item() -> None:
    first, problem, second = read_citeproc(CITEPROC, "citeproc.yaml")
    assert isinstance(first, Entry)
    assert isinstance(second, Entry)
    assert isinstance(problem, Problem)
    assert first.author == (Contributor("No", "Ada"),)
    assert (first.ids["pmlr"], second.ids["pmlr"]) == ("v235/byron24a", "v235/byron24b")
    assert (problem.lost, problem.location.line) == (True, 19)


@needs_corpus
@pytest.mark.parametrize(("volume", "works"), [("v28", 283), ("v32", 310), ("v37", 270), ("v267", 80)])
def test_no_work_of_a_real_volume_is_lost(volume: str, works: int) -> None:
    items = list(read_pmlr(CORPUS / volume))
    entries = [item for item in items if isinstance(item, Entry)]
    assert len(entries) == works == len(list((CORPUS / volume).rglob("*.md")))
    assert len({entry.ids["pmlr"] for entry in entries}) == works
    for entry in entries:
        assert entry.title
        assert entry.abstract
        assert entry.author
        assert entry.issued
        assert entry.page
        assert entry.volume == volume[1:]
        assert entry.container_title


@needs_corpus
def test_real_works_have_the_facts_of_the_right_answers() -> None:
    works = {item.ids["pmlr"]: item for item in read_pmlr(CORPUS / "v267") if isinstance(item, Entry)}
    for line in SEEDS.read_text(encoding="utf-8").splitlines():
        truth = json.loads(line)
        entry = works[f"v267/{truth['pmlr_key']}"]
        assert entry.title
        assert entry.title.plain.replace("ML2-", "ML$^2$-") == truth["title"]
        assert [(person.given, person.family) for person in entry.author] == [
            (person["given"], person["family"]) for person in truth["authors"]
        ]
        assert (entry.volume, entry.page, entry.url) == (truth["volume"], truth["pages"], truth["url"])
        assert entry.ids["openreview"] == truth["openreview"]
        urls = {link.url for link in entry.links}
        assert urls >= {link["url"] for link in truth["links"]}
        assert not truth["software"] or any(link.offers_code for link in entry.links)
