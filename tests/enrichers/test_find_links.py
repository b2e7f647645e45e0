"""Links of entries: those in abstract and fields, joined with those of the work's record."""

import json
from pathlib import Path

import pytest

from bibtools.enrichers import apply
from bibtools.enrichers.links import LinkFinder, join_links
from bibtools.model import Entry, Link, Text
from bibtools.readers.abstracts import read_abstracts
from bibtools.text.pasted import parse_markdown
from bibtools.text.tex import parse_tex

SHARED = Path(__file__).parents[3] / "shared"
SEEDS = SHARED / "seeds"


def find(entry: Entry) -> Entry:
    """Return the entry with its links."""
    (enrichment,) = LinkFinder().enrich([entry])
    (found,) = apply(entry, enrichment)
    return found


def catalogue(url: str) -> Link:
    """Return a link as a work's record brings it."""
    return Link(url, url, "repository", offers_code=True, found_in="catalogue")


def test_an_address_in_abstract_and_record_stays_once_as_the_abstract_has_it() -> None:
    entry = Entry(
        abstract=Text("Code: https://github.com/O/r."), links=(catalogue("https://github.com/o/R"),)
    )
    (link,) = find(entry).links
    assert (link.url, link.found_in) == ("https://github.com/O/r", "abstract")


def test_where_abstract_and_record_disagree_both_stay() -> None:
    entry = Entry(
        abstract=Text("Code: https://github.com/o/old."), links=(catalogue("https://github.com/o/new"),)
    )
    assert [(link.url, link.found_in) for link in find(entry).links] == [
        ("https://github.com/o/old", "abstract"),
        ("https://github.com/o/new", "catalogue"),
    ]


def test_letter_case_counts_outside_code_hosts() -> None:
    links = [
        Link(url, url) for url in ("https://example.org/a", "https://example.org/A", "https://example.org/a")
    ]
    assert len(join_links(links)) == 2


def test_a_second_run_changes_nothing() -> None:
    entry = Entry(
        abstract=Text("Code: https://github.com/o/r, films: https://example.org/a."),
        url="https://github.com/o/s",
    )
    once = find(entry)
    assert len(once.links) == 3
    assert next(iter(LinkFinder().enrich([once]))).changes == {}


def test_the_reader_s_lines_and_columns_stay() -> None:
    (entry,) = read_abstracts("List\n\nTides turn. Code: https://github.com/o/r.", "list.txt").entries
    (link,) = find(entry).links
    assert (link.line, link.column) == (3, 19)


def test_an_abstract_split_off_keeps_its_own_links_only() -> None:
    first, second = "Tides turn. Code: https://github.com/o/r.", "Kelp grows. Code: https://github.com/o/s."
    (both,) = read_abstracts(f"List\n\n{first} {second}", "list.txt").entries
    assert [link.url for link in find(both.replace(abstract=Text(first))).links] == ["https://github.com/o/r"]
    assert [link.url for link in find(both.replace(abstract=Text(second))).links] == [
        "https://github.com/o/s"
    ]


@pytest.mark.parametrize(
    ("abstract", "url"),
    [
        (parse_tex(r"The code is \href{https://example.org/a\_b}{here}."), "https://example.org/a_b"),
        (parse_tex(r"Code: \url{https://example.org/a_b}."), "https://example.org/a_b"),
        (parse_markdown("The code is [here](https://example.org/a)."), "https://example.org/a"),
        (parse_markdown("Code: <https://example.org/a>."), "https://example.org/a"),
    ],
)
def test_an_address_behind_words_is_found(abstract: Text, url: str) -> None:
    found = find(Entry(abstract=abstract))
    assert [(link.url, link.offers_code) for link in found.links] == [(url, True)]
    assert not found.promised_without_link


def test_fields_give_the_links_to_code_in_them() -> None:
    fields = (
        ("software", "https://example.org/a"),
        ("note", r"Code: \url{https://example.org/b}, film: https://example.org/c"),
    )
    entry = Entry(
        url="https://github.com/o/r", annote=Text("Code at https://example.org/d"), extra={"bibtex": fields}
    )
    found = find(entry).links
    assert {link.url for link in found} == {
        "https://github.com/o/r",
        "https://example.org/a",
        "https://example.org/b",
        "https://example.org/d",
    }
    assert all(link.found_in == "field" and link.offers_code for link in found)


def test_a_promise_is_of_the_abstract_alone() -> None:
    entry = Entry(
        abstract=Text("Tides turn. The code is available."), links=(catalogue("https://github.com/o/r"),)
    )
    assert find(entry).promised_without_link
    assert not find(Entry(abstract=Text("Tides turn."))).promised_without_link


@pytest.mark.parametrize("name", ["000", "003"])
def test_links_of_real_lists_are_right(name: str) -> None:
    if not SEEDS.is_dir():
        pytest.skip("the two lists of real abstracts are not here")
    rows = [json.loads(line) for line in (SEEDS / "papers.jsonl").read_text(encoding="utf-8").splitlines()]
    expected = [row for row in rows if row["list"] == name]
    (path,) = SEEDS.glob(f"{name}_*.txt")
    entries = [find(entry) for entry in read_abstracts(path.read_text(encoding="utf-8"), path.name).entries]
    assert len(entries) == len(expected)
    for entry, row in zip(entries, expected, strict=True):
        links = [
            {
                "written": one.written,
                "url": one.url,
                "kind": one.kind,
                "offers_code": one.offers_code,
                "found_in": one.found_in,
            }
            for one in entry.links
        ]
        assert links == row["links"]
        assert entry.promised_without_link == row["promised_without_link"]


REPORTS = sorted((SHARED / "reports").glob("*-txt-*.txt"))


@pytest.mark.parametrize("path", REPORTS or [None], ids=lambda path: path.name if path else "none")
def test_links_of_reported_cases_are_right(path: Path | None) -> None:
    if path is None:
        pytest.skip("the inputs made after public reports are not here")
    expected = json.loads(path.with_name(f"{path.stem}.expect.json").read_text(encoding="utf-8"))
    entries = [find(entry) for entry in read_abstracts(path.read_text(encoding="utf-8"), path.name).entries]
    found = [
        {
            "code_urls": [link.url for link in entry.links if link.offers_code],
            "promised_without_link": entry.promised_without_link,
        }
        for entry in entries
    ]
    assert found == expected
