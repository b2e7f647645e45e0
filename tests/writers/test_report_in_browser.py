"""The HTML report in a real browser: sorted and filtered by clicks, whole without scripts, safe."""

from pathlib import Path

import pytest
from browser import CHROMIUM, DRIVER, open_browser

from bibtools.model import Link
from bibtools.outcomes import LinkCheck, LinkFacts
from bibtools.writers.reports import LinkReport, LinkRow, format_report

pytestmark = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="chromium and chromedriver are not installed"
)

TITLE = "<script>document.title='caught'</script><b>bold</b> & co"


def row(name: str, check: LinkCheck, stars: int = 0, title: str = "") -> LinkRow:
    """Return a row for a repository of this name."""
    url = f"https://github.com/ada/{name}"
    facts = LinkFacts(name=name, stars=stars, last_push="2024-06-30T00:00:00Z", licence="MIT")
    return LinkRow("list.md", Link(url, url, "repository", check=LinkCheck(
        check.outcome, check.flags, check.reason, check.moved_to, facts)), title)  # fmt: skip


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A report on disk."""
    rows = (
        row("b", LinkCheck("available"), stars=1000, title=TITLE),
        row("c", LinkCheck("missing", reason="no such repository")),
        row("a", LinkCheck("available", flags=("moved",), moved_to="https://github.com/ada/z"), stars=20),
    )
    path = tmp_path / "report.html"
    path.write_text(
        format_report(LinkReport(rows, checked_at="2025-11-30T12:00:00Z"), "html"), encoding="utf-8"
    )
    return path


def test_clicks_sort_and_filter(page: Path) -> None:
    with open_browser() as browser:
        browser.open(page)
        names = "tbody tr:not([hidden]) td:nth-child(2)"
        assert [text[-1] for text in browser.texts(names)] == ["c", "a", "b"]
        browser.click("th:nth-child(2) button")
        assert [text[-1] for text in browser.texts(names)] == ["a", "b", "c"]
        browser.click("th:nth-child(9) button")
        browser.click("th:nth-child(9) button")
        assert [text[-1] for text in browser.texts(names)] == ["b", "a", "c"]
        browser.click("select option[value=moved]")
        assert [text[-1] for text in browser.texts(names)] == ["a"]
        assert browser.texts("output") == ["1 of 3 shown"]
        browser.click("select option[value='']")
        browser.type("input", "NO SUCH")
        assert [text[-1] for text in browser.texts(names)] == ["c"]
        assert browser.ask("GET", "/title") == "Links"
        browser.click("input")
        assert browser.find("td script, td b") == []


def test_without_scripts_the_table_is_whole(page: Path) -> None:
    with open_browser(javascript=False) as browser:
        browser.open(page)
        assert [text[-1] for text in browser.texts("tbody td:nth-child(2)")] == ["c", "a", "b"]
        assert browser.texts("tbody tr:last-child td:nth-child(10)") == [TITLE]
        assert browser.find("button") == []
        assert browser.find("form") == []
