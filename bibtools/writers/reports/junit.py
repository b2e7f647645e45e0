"""The report as JUnit XML, which CI services show: one suite per input, one test case per link.

Source: the schema that Jenkins' xUnit plug-in publishes for JUnit; GitLab and others read the same elements.
"""

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from bibtools.writers.reports.rows import LinkReport, LinkRow, clean, sources

FAILING = frozenset({"missing", "expired", "blocked"})
"""States that fail a case where the user named none."""
OPEN = frozenset({"unsure", "unchecked", "challenged"})


def format_junit(report: LinkReport) -> str:
    """Return the report as an XML document."""
    suites = Element("testsuites", name="bibtools links")
    for source in sources(report.rows):
        add_suite(suites, source, [row for row in report.rows if row.source == source], report)
    indent(suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(suites, encoding="unicode")}\n'


def add_suite(suites: Element, source: str, rows: list[LinkRow], report: LinkReport) -> None:
    """Add the suite of one input."""
    results = [result_of(row, report.fail_on or FAILING) for row in rows]
    suite = SubElement(suites, "testsuite", name=clean(source), tests=str(len(rows)))
    suite.set("failures", str(results.count("failure")))
    suite.set("errors", "0")
    suite.set("skipped", str(results.count("skipped")))
    if report.checked_at:
        suite.set("timestamp", report.checked_at.removesuffix("Z"))
    for row, result in zip(rows, results, strict=True):
        case = SubElement(suite, "testcase", classname=clean(row.source), name=clean(row.link.url))
        case.set("file", clean(row.source))
        if row.link.line:
            case.set("line", str(row.link.line))
        said = ": ".join(filter(None, (" ".join(row.states), clean(row.remark))))
        if result == "failure":
            SubElement(case, "failure", message=said, type=row.check.outcome).text = clean(row.place)
        elif result == "skipped":
            SubElement(case, "skipped", message=said)


def result_of(row: LinkRow, failing: frozenset[str]) -> str:
    """Return the name of the element that tells a case's result; empty for a case that passed."""
    if failing.intersection(row.states):
        return "failure"
    return "skipped" if OPEN.intersection(row.states) else ""
