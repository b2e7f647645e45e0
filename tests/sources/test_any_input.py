"""Whatever a record holds, it comes out as a work or as a problem, and never as an exception."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bibtools.errors import Problem
from bibtools.model import Entry
from bibtools.sources.arxiv import read_arxiv
from bibtools.sources.openalex import read_openalex
from bibtools.sources.papercopilot import read_papercopilot
from bibtools.sources.paperswithcode import read_paperswithcode
from bibtools.sources.pmlr import read_citeproc, read_post

Reader = Callable[[Path], Iterator[Entry | Problem]]

WORDS = st.sampled_from(
    [
        "A",
        "{B",
        "$x$",
        "\\'e",
        "Doe, Jane",
        " and ",
        "github.com/o/r.",
        "2024-13-45",
        "10.1/x",
        "9" * 30,
        "[",
        "---",
        "",
    ]
)
TEXTS = st.lists(WORDS | st.text(max_size=8), max_size=4).map("".join)
VALUES = st.recursive(
    TEXTS | st.none() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


def records(*keys: str) -> st.SearchStrategy[dict[str, object]]:
    """Return records that have some of these keys, mostly with texts."""
    return st.fixed_dictionaries({"title": TEXTS}, optional=dict.fromkeys(keys, TEXTS | VALUES))


CASES = [
    (
        read_papercopilot,
        records("author", "status", "abstract", "bibtex", "github", "site", "oa", "arxiv", "doi"),
    ),
    (
        read_arxiv,
        records("id", "authors", "authors_parsed", "abstract", "doi", "versions", "update_date", "comments"),
    ),
    (
        read_openalex,
        records(
            "id", "doi", "type", "authorships", "ids", "biblio", "publication_date", "abstract_inverted_index"
        ),
    ),
    (
        read_paperswithcode,
        records("paper_url", "authors", "date", "abstract", "arxiv_id", "repo_url", "url_abs"),
    ),
]


@pytest.mark.parametrize(("reader", "rows"), CASES, ids=lambda part: getattr(part, "__name__", ""))
def test_any_record_is_a_work_or_a_problem(
    reader: Reader, rows: st.SearchStrategy[dict[str, object]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("any") / "rows.json"

    @settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(some=st.lists(rows, max_size=3))
    def check(some: list[dict[str, object]]) -> None:
        path.write_text(json.dumps(some))
        items = list(reader(path))
        works = [item for item in items if isinstance(item, Entry)]
        lost = [item for item in items if isinstance(item, Problem) and item.lost]
        left_out = [item for item in items if isinstance(item, Problem) and item.code == "unpublished"]
        counted = sum(int(problem.message.split()[0]) for problem in left_out)
        assert len(works) + len(lost) + counted == len(some)

    check()


@settings(max_examples=100, deadline=None)
@given(
    front=records(
        "author", "issued", "date", "software", "tex_title", "abstract", "openreview", "extras", "page"
    )
)
def test_any_front_matter_is_one_work_or_one_problem(front: dict[str, object]) -> None:
    items = list(read_post(f"---\n{json.dumps(front)}\n---\n", "2024-01-01-a", "a.md"))
    assert sum(isinstance(item, Entry) or item.lost for item in items) == 1


@settings(max_examples=100, deadline=None)
@given(text=TEXTS)
def test_any_text_as_post_or_citeproc_does_no_harm(text: str) -> None:
    assert sum(isinstance(item, Entry) or item.lost for item in read_post(text, "a", "a.md")) == 1
    list(read_citeproc(f"- {text}", "a.yaml"))
