"""Reports on links: what each form says, and that nothing from the input acts in any of them."""

import csv
import io
import json
import re
from xml.etree import ElementTree

import pytest

from bibtools.model import Link
from bibtools.outcomes import Capture, Evidence, LinkCheck, LinkFacts
from bibtools.writers.reports import FORMS, LinkReport, LinkRow, format_report, summary
from bibtools.writers.reports.changes import find_changes

URL = "https://github.com/ada/"
NASTY = "<script>alert(1)</script>\x1b[31m\u202ered\x07 =cmd|' /C calc'!A0 `a` | ]](x)"


def row(
    name: str, check: LinkCheck | None, source: str = "list.md", title: str = "", line: int = 1
) -> LinkRow:
    """Return a row for a repository of this name."""
    url = f"{URL}{name}"
    return LinkRow(source, Link(url, url, "repository", True, "field", line, 3, check), title)


FACTS = LinkFacts(
    name="ada/good", licence="MIT", last_push="2024-06-30T00:00:00Z", stars=80, latest_release="v1"
)
EVIDENCE = (Evidence("GET", "https://api.github.com/repos/ada/good", "2025-11-30T12:00:00Z", 200),)
COPY = Capture(
    "software-heritage", "https://archive.softwareheritage.org/x", "2024-06-02T01:02:03Z", "swh:1:snp:x"
)
ROWS = (
    row("good", LinkCheck("available", facts=FACTS, evidence=EVIDENCE), title="Sparse Widgets"),
    row("gone", LinkCheck("missing", reason="no such repository", captures=(COPY,)), line=2),
    row("moved", LinkCheck("available", flags=("moved",), moved_to="https://github.com/ada/new"), line=3),
    row("slow", LinkCheck("unsure", reason="throttled"), "other.md"),
)
REPORT = LinkReport(ROWS, checked_at="2025-11-30T12:00:00Z", promised=("list.md:9",))


def test_summary() -> None:
    assert summary(REPORT) == "4 links to 4 addresses: 2 available (1 moved), 1 missing, 1 unsure"
    assert summary(LinkReport(ROWS)) == "4 links to 4 addresses"
    assert summary(LinkReport(())) == "0 links to 0 addresses"


def test_table() -> None:
    assert format_report(REPORT, "table") == (
        "missing (1)\n"
        "  list.md:2:3  https://github.com/ada/gone  no such repository; copy of 2024-06-02: "
        "https://archive.softwareheritage.org/x\n"
        "moved (1)\n"
        "  list.md:3:3  https://github.com/ada/moved  → https://github.com/ada/new\n"
        "unsure (1)\n"
        "  other.md:1:3  https://github.com/ada/slow  throttled\n"
        "1 link in order; --all-outcomes shows them\n"
        "list.md:9: code promised without an address\n"
    )


def test_links_that_nobody_was_asked_about_are_counted() -> None:
    rows = [row(str(number), LinkCheck("unchecked", reason="interrupted")) for number in range(3)]
    report = LinkReport((*rows, row("good", LinkCheck("available"))), checked_at="x")
    assert format_report(report, "table") == (
        "3 links unchecked: interrupted\n1 link in order; --all-outcomes shows them\n"
    )
    everything = LinkReport(tuple(rows), checked_at="x", all_outcomes=True)
    assert format_report(everything, "table").startswith("unchecked (3)\n  list.md:1:3")


def test_table_with_a_width_wraps_and_hides_nothing() -> None:
    narrow = format_report(LinkReport(ROWS, checked_at="x", all_outcomes=True, width=60), "table")
    assert all(len(line) <= 60 for line in narrow.splitlines())
    assert "gone" in "".join(narrow.split())


def test_markdown_is_a_summary_and_what_is_to_be_done() -> None:
    text = format_report(REPORT, "markdown")
    assert text.startswith(
        "**4 links to 4 addresses: 2 available (1 moved), 1 missing, 1 unsure** · checked 2025-11-30\n"
    )
    assert "| list.md:2:3 | <https://github.com/ada/gone> | missing |" in text
    assert "ada/good" not in text
    assert "1 link in order\n" in text


def test_json_and_csv_have_every_row_in_order() -> None:
    found = json.loads(format_report(REPORT, "json"))
    assert [one["outcome"] for one in found] == ["available", "missing", "available", "unsure"]
    assert found[1]["captures"][0]["swhid"] == "swh:1:snp:x"
    lines = list(csv.DictReader(io.StringIO(format_report(REPORT, "csv"))))
    assert [line["outcome"] for line in lines] == ["available", "missing", "available", "unsure"]
    assert (lines[0]["licence"], lines[0]["stars"], lines[0]["asked_at"]) == (
        "MIT",
        "80",
        "2025-11-30T12:00:00Z",
    )


def test_junit() -> None:
    root = ElementTree.fromstring(format_report(REPORT, "junit"))
    assert [(suite.get("name"), suite.get("failures"), suite.get("skipped")) for suite in root] == [
        ("list.md", "1", "0"),
        ("other.md", "0", "1"),
    ]
    failure = root.find(".//failure")
    assert failure is not None
    assert failure.get("message", "").startswith("missing: no such repository")
    asked = LinkReport(ROWS, checked_at="x", fail_on=frozenset({"moved"}))
    root = ElementTree.fromstring(format_report(asked, "junit"))
    assert [case.get("line") for case in root.iter("testcase") if case.find("failure") is not None] == ["3"]


def test_html_loads_nothing_and_names_its_own_script() -> None:
    page = format_report(REPORT, "html")
    assert "default-src 'none'" in page
    assert not re.search(r"<(?:link|img|iframe|script src)|@import|url\(", page)
    assert page.index("ada/gone") < page.index("ada/moved") < page.index("ada/good")
    assert "Sparse Widgets" in page
    assert "list.md:9" in page


@pytest.mark.parametrize("form", FORMS)
def test_nothing_from_the_input_acts(form: str) -> None:
    link = Link(
        NASTY, f"javascript:{NASTY}", "other", check=LinkCheck("missing", reason=NASTY, moved_to=NASTY)
    )
    rows = (
        LinkRow(NASTY, link, NASTY, NASTY),
        LinkRow("=1+1", link),
        LinkRow("-2", link),
        LinkRow("@x", link),
    )
    text = format_report(LinkReport(rows, checked_at="x", promised=(NASTY,)), form)
    if form != "json":
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert "\x07" not in text
    if form == "html":
        assert text.count("<script>") == 1
        assert 'href="javascript' not in text
    if form == "markdown":
        assert "<script>" not in text.replace("\\<script", "")
    if form == "csv":
        cells = [cell for line in csv.reader(io.StringIO(text)) for cell in line]
        assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]
    if form == "junit":
        ElementTree.fromstring(text)
    if form == "json":
        json.loads(text)


def test_changes_since_an_older_report() -> None:
    old = [
        {"source": "list.md", "url": URL + "good", "outcome": "available", "flags": []},
        {"source": "list.md", "url": URL + "gone", "outcome": "available", "flags": ["archived"]},
        {
            "source": "list.md",
            "url": URL + "moved",
            "outcome": "available",
            "flags": ["moved"],
            "moved_to": "x",
        },
        {"source": "other.md", "url": URL + "slow", "outcome": "available", "flags": []},
    ]
    assert [one.change for one in find_changes(ROWS, old)] == ["was archived", "was moved"]
    assert [one.change for one in find_changes(ROWS[:1], [])] == ["new"]
    assert find_changes(ROWS, json.loads(format_report(REPORT, "json"))) == []


def test_a_name_taken_by_another_repository_is_a_change() -> None:
    then = json.loads(
        format_report(LinkReport((row("x", LinkCheck("available", facts=LinkFacts(host_id="1"))),)), "json")
    )
    now = row("x", LinkCheck("available", facts=LinkFacts(host_id="2")))
    assert [one.change for one in find_changes((now,), then)] == ["another repository stands here now"]


def test_links_that_were_not_checked_have_no_outcome() -> None:
    report = LinkReport((row("good", None),))
    assert "unchecked" not in format_report(report, "table")
    assert "outcome" not in json.loads(format_report(report, "json"))[0]
