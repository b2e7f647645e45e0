"""Reports on checked links, each form in a module of its own; `format_report` picks one by name."""

from collections.abc import Callable
from importlib import import_module

from bibtools.writers.reports.rows import LinkReport, LinkRow, summary

__all__ = ["FORMS", "LinkReport", "LinkRow", "format_report", "summary"]

FORMS = {
    "table": "terminal:format_table",
    "json": "data:format_json",
    "csv": "data:format_csv",
    "markdown": "markdown:format_markdown",
    "html": "page:format_html",
    "junit": "junit:format_junit",
}
"""By name: module and function that write a report in that form."""


def format_report(report: LinkReport, form: str) -> str:
    """Return a report as text, ending with a newline.

    Raises:
        KeyError: there is no such form.
    """
    module, _, name = FORMS[form].partition(":")
    function: Callable[[LinkReport], str] = getattr(import_module(f"{__name__}.{module}"), name)
    return function(report)
