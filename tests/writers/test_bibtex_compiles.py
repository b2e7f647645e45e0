"""LaTeX and BibTeX take what is written, from strangers' text too."""

import io
import shutil
import subprocess
from pathlib import Path

import pytest

from bibtools.model import Contributor, Entry, Library, PartialDate, Text, WriteOptions
from bibtools.text.tex import parse_tex
from bibtools.writers.bibtex import write_bibtex

MISSING = [program for program in ("pdflatex", "bibtex") if shutil.which(program) is None]
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")

STRANGE = [
    r"50% of $5 & #1 _x^y~z {a} \b <c> | `d` \input{x} $\evil$ \end{document}",
    "α β ≤ ∞ → € – — “a” ‘b’ … é ß ø Ł ő",
    "a\n\nb\nc",
    "}{ }} {{",
    "\\",
    "^^M %",
]
DOCUMENT = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage{textcomp,amsmath,amssymb,url}
\begin{document}
\nocite{*}
\bibliographystyle{plain}
\bibliography{refs}
\end{document}
"""


def strange_entry(number: int, text: str) -> Entry:
    return Entry(
        key=f"k{number}",
        type=("article-journal", "thesis", "report", "book", "webpage", "chapter")[number % 6],
        title=Text(f"X {text}"),
        container_title=Text(f"X {text}"),
        author=(
            Contributor(family=f"X {text}", given=f"Y {text}", suffix="Jr."),
            Contributor(literal=f"Z {text}"),
        ),
        publisher=f"X {text}",
        issued=PartialDate((2001, 5, 6)),
        note=(Text(f"X {text}"),),
        abstract=Text(text),
        volume="1",
        url="https://example.org/a_b%20c#d&e",
    )


def run(arguments: list[str], folder: Path) -> str:
    """Return what a program printed; it may not wait for input."""
    done = subprocess.run(
        arguments, cwd=folder, capture_output=True, timeout=120, stdin=subprocess.DEVNULL, check=False
    )
    return done.stdout.decode("utf-8", "replace")


@pytest.mark.parametrize("ascii_only", [False, True])
def test_plain_style_compiles_without_an_error(tmp_path: Path, ascii_only: bool) -> None:
    entries = [strange_entry(number, text) for number, text in enumerate(STRANGE)]
    entries.append(
        Entry(key="math", type="book", title=parse_tex(r"On $\ell_1$, H$_2$O and {\textit{E. coli}}"))
    )
    stream = io.StringIO()
    write_bibtex(Library(entries=tuple(entries)), stream, WriteOptions(ascii=ascii_only))
    (tmp_path / "refs.bib").write_text(stream.getvalue(), encoding="utf-8")
    (tmp_path / "paper.tex").write_text(DOCUMENT, encoding="utf-8")
    latex = ["pdflatex", "-interaction=nonstopmode", "-no-shell-escape", "paper"]
    run(latex, tmp_path)
    log = run(["bibtex", "paper"], tmp_path)
    assert "error" not in log.lower()
    run(latex, tmp_path)
    lines = (tmp_path / "paper.log").read_text(encoding="utf-8", errors="replace").splitlines()
    assert [line for line in lines if line.startswith("!")] == []
