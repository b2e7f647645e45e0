"""LaTeX itself: the golden bibliographies compile without an error or a warning."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from golden import FOLDER

from bibtools import pipeline
from bibtools.enrichers.unidentified import UnidentifiedMarker
from bibtools.model import Entry, Library, Origin, WriteOptions
from bibtools.outputs import parse_output
from bibtools.pipeline import Export, Prepared, plan_export
from bibtools.text.pasted import parse_mixed

LISTS = ("icml2025-000", "icml2025-003")
PREAMBLE = r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{lmodern,amsmath,amssymb,url}\sloppy"
CLASSIC = r"%s%s\begin{document}\nocite{*}\bibliographystyle{%s}\bibliography{refs}\end{document}"
BIBER = (
    r"%s\usepackage[backend=biber]{biblatex}\addbibresource{refs.bib}"
    r"\begin{document}\nocite{*}\printbibliography\end{document}"
)
UNKNOWN = (
    "We pay $5 for 100% of A&B_C #1 {really} ~ x^2 \\ and more words about kelp & nets, all unpaid.",
    "Let $f\\colon \\mathbb{R}^n \\to \\mathbb{R}$ be kelp; so $\\|f\\|_2 < 1$ for $\\epsilon$-greedy boats.",
    "Naïve Öde Straße — “quotes” and <b>bold</b> kelp: see https://github.com/kelp/drift_nets today.",
)
"""Abstracts with everything that TeX takes for its own."""

needs_latex = pytest.mark.skipif(
    not (shutil.which("pdflatex") and shutil.which("bibtex")), reason="pdflatex and bibtex are not installed"
)
needs_biber = pytest.mark.skipif(
    not (shutil.which("pdflatex") and shutil.which("biber")), reason="pdflatex and biber are not installed"
)


def compile_paper(folder: Path, source: str, bibliography: bytes, program: str) -> str:
    """Typeset a paper that cites everything; return the logs of LaTeX and of the bibliography program."""
    (folder / "refs.bib").write_bytes(bibliography)
    (folder / "paper.tex").write_text(source, encoding="utf-8")
    latex = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper"]
    for command in (latex, [program, "paper"], latex, latex):
        result = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, errors="replace", check=False
        )
        assert result.returncode == 0, result.stdout[-2000:]
    return "".join((folder / name).read_text(errors="replace") for name in ("paper.log", "paper.blg"))


def complaints(log: str) -> list[str]:
    """Return the lines that warn of something."""
    signs = re.compile(r"^!|Warning--|LaTeX Warning|Package \w+ Warning|Missing character|WARN|ERROR|^I ")
    return [line for line in log.splitlines() if signs.search(line)]


@needs_latex
@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize(("package", "style"), [("", "plain"), (r"\usepackage[numbers]{natbib}", "plainnat")])
def test_bibtex_styles_have_no_complaint(tmp_path: Path, name: str, package: str, style: str) -> None:
    source = CLASSIC % (PREAMBLE, package, style)
    log = compile_paper(tmp_path, source, (FOLDER / f"{name}.bib").read_bytes(), "bibtex")
    assert complaints(log) == []
    assert (tmp_path / "paper.bbl").read_text().count(r"\bibitem") == 19


@needs_biber
@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("ending", ["biblatex.bib", "bib"])
def test_biber_has_no_complaint(tmp_path: Path, name: str, ending: str) -> None:
    log = compile_paper(tmp_path, BIBER % PREAMBLE, (FOLDER / f"{name}.{ending}").read_bytes(), "biber")
    assert complaints(log) == []
    assert (tmp_path / "paper.bbl").read_text().count(r"\entry{") == 19


@needs_latex
@pytest.mark.parametrize("ascii_only", [False, True])
def test_unidentified_abstracts_compile_with_plain(tmp_path: Path, ascii_only: bool) -> None:
    log = compile_paper(tmp_path, CLASSIC % (PREAMBLE, "", "plain"), unidentified(ascii_only), "bibtex")
    assert complaints(log) == []


def unidentified(ascii_only: bool) -> bytes:
    """Return the export of abstracts that nobody knows."""
    entries = tuple(
        Entry(abstract=parse_mixed(text), origin=Origin("list.txt", line))
        for line, text in enumerate(UNKNOWN, 1)
    )
    marked = pipeline.enrich(
        Library(entries=entries, format="abstracts"), UnidentifiedMarker("ICML & Co. 2025")
    )
    prepared = Prepared((), marked.entries, 3, 0)
    export = Export(outputs=(parse_output("-"),), options=WriteOptions(ascii=ascii_only))
    data = plan_export(prepared, export)[0].data
    assert data.isascii() or not ascii_only
    return data
