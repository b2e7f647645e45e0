"""TeX values to text and back: accents, mark-up, math, specials, strangers' commands."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import texts

from bibtools.model import Hyperlink, Math, Node, Span, Text
from bibtools.text.tex import (
    clean_url,
    decode_tex,
    encode_tex,
    format_tex,
    format_url,
    parse_tex,
    unknown_commands,
)
from bibtools.text.tex_tables import is_safe_math

PLAIN = [
    (r"Caf{\'e} \'etude \'{e} {\'{e}}", "Café étude é é"),
    (r"{\'\i} \'{\i} \'i", "í í í"),
    (r"{\c c}{\c{c}} \c{C}", "çç Ç"),
    (r"\v{S}koda Erd\H os {\H o}", "Škoda Erdős ő"),
    (r"\'\^a", "ấ"),
    (r"\L\'od\'z {\O}re Stra{\ss}e na{\"\i}ve", "Łódź Øre Straße naïve"),
    (r"Gr{\=u}z{\=\i}tis \r{A} \aa \AA{}", "Grūzītis Å åÅ"),
    ("e\u0301", "é"),
    (r"``a'' `b' --- -- ~c", "“a” ‘b' — – \u00a0c"),
    (r"10% R&D C# a_b x^y", "10% R&D C# a_b x^y"),
    (r"5\% R\&D C\# \$5 a\_b \{x\}", "5% R&D C# $5 a_b {x}"),
    (r"\textbackslash{} \textasciitilde{} \^{} \~{}", "\\ ~ ^ ~"),
    (r"{\TeX} and \LaTeX{} x", "TeX and LaTeX x"),
    (r"\enquote{a \enquote{b}}", "“a ‘b’”"),
    (r"\noopsort{1973a}1973", "1973"),
    (r"\mbox{a}\textrm{b}\protect\foo", "ab\\foo"),
    (r"Munaf\u A\k{} Ragnhei\d{}ur", "MunafĂ˛ Ragnhei \u0323ur"),
    (r"579\psqq", "579 sqq."),
    (r"a\hspace{1em}b c\hspace{-0.1em}d", "a b cd"),
    (r"?`que? !`no!", "¿que? ¡no!"),
    (r"\ensuremath{\alpha}-helix", "α-helix"),
    (r"\foreignlanguage{german}{Wort}", "Wort"),
    ("a } b { c", "a b c"),
    ("  many \n\t blanks ", "many blanks"),
    ("", ""),
    ("$5 alone", "$5 alone"),
    ("\\", "\\"),
]


@pytest.mark.parametrize(("source", "expected"), PLAIN)
def test_plain_text_of_tex(source: str, expected: str) -> None:
    assert decode_tex(source) == expected


TREES: list[tuple[str, tuple[Node, ...]]] = [
    ("The {BERT} model", ("The ", Span("nocase", ("BERT",)), " model")),
    ("{{All Of It}}", (Span("nocase", ("All Of It",)),)),
    (
        r"{\emph{a}} {\it b} \textbf{c}",
        (Span("italic", ("a",)), " ", Span("italic", ("b",)), " ", Span("bold", ("c",))),
    ),
    (r"H$_2$O 10$^{3}$", ("H", Span("sub", ("2",)), "O 10", Span("sup", ("3",)))),
    (r"{$N$}-Body $\ell_1$", (Math("N"), "-Body ", Math(r"\ell_1"))),
    (r"\(x^2\) y", (Math("x^2"), " y")),
    (r"\textsc{Abc} \textsuperscript th", (Span("smallcaps", ("Abc",)), " ", Span("sup", ("t",)), "h")),
    (r"\url{http://e.org/a_b}", (Hyperlink("http://e.org/a_b"),)),
    (r"\href{http://e.org/a\_b}{here}", (Hyperlink("http://e.org/a_b", ("here",)),)),
    (r"\textit{a {\em b} \textit{c}}", (Span("italic", ("a b c",)),)),
    (r"$^{sup}_{sub}$", (Span("sup", ("sup",)), Span("sub", ("sub",)))),
    (r"a\begin{it}b\end{it}c", ("a", Span("italic", ("b",)), "c")),
]


@pytest.mark.parametrize(("source", "expected"), TREES)
def test_mark_up_of_tex(source: str, expected: tuple[Node, ...]) -> None:
    assert parse_tex(source).nodes == expected


@pytest.mark.parametrize("source", ["{\\'E}cole", '{--} {5} {"}', "{\\TeX}", "plain"])
def test_braces_without_letters_or_round_a_command_protect_nothing(source: str) -> None:
    assert not parse_tex(source).nodes


def test_braces_mean_nothing_where_no_style_changes_case() -> None:
    assert parse_tex("The {BERT} model", protect=False) == Text("The BERT model")


def test_paragraphs_count_only_in_long_texts() -> None:
    source = "one\n\n  two\nthree"
    assert parse_tex(source, breaks=True).plain == "one\n\ntwo three"
    assert parse_tex(source).plain == "one two three"


STRANGE = [
    (r"\foo{bar} x", r"\foo{bar} x", (r"\foo",)),
    (r"\input{/etc/passwd}", r"\input{/etc/passwd}", (r"\input",)),
    (r"$\evil{x}$", r"$\evil{x}$", (r"\evil",)),
    (r"\write18{rm}", r"\write18rm", (r"\write",)),
    (r"\foo[a]{b}{c}", r"\foo[a]{b}{c}", (r"\foo",)),
]


@pytest.mark.parametrize(("source", "plain", "unknown"), STRANGE)
def test_unknown_commands_are_text_and_never_run(source: str, plain: str, unknown: tuple[str, ...]) -> None:
    text = parse_tex(source)
    assert text.plain == plain
    assert unknown_commands(source) == unknown
    written = format_tex(text)
    assert "{\\textbackslash}" in written or "\\$" in written
    assert parse_tex(written) == text


@pytest.mark.parametrize("tex", ["x}", "{x", "50%", "a#b", "a&b", r"\input{x}", "$", "x\\"])
def test_formulas_that_could_break_a_file_are_not_safe(tex: str) -> None:
    assert not is_safe_math(tex)


@pytest.mark.parametrize(
    "tex", ["x", r"\alpha_{ij}", r"O(n\log n)", r"\frac{a}{b}", r"\{x\}", r"\mathbb{R}^d"]
)
def test_usual_formulas_are_safe(tex: str) -> None:
    assert is_safe_math(tex)


@given(texts(), st.booleans())
def test_text_comes_back(text: Text, ascii_only: bool) -> None:
    assert parse_tex(format_tex(text, ascii_only)) == text


@given(st.text())
def test_any_text_is_read_and_its_writing_is_stable(source: str) -> None:
    once = parse_tex(source)
    assert parse_tex(format_tex(once)) == once


@given(st.text(alphabet="\\{}$a '\"`^~=.uvHck&%#_-[]()*\n", max_size=60))
def test_any_tex_is_read_and_its_writing_is_stable(source: str) -> None:
    once = parse_tex(source)
    assert parse_tex(format_tex(once)) == once
    assert parse_tex(format_tex(once, ascii=True)) == once


@given(st.text())
def test_written_text_has_balanced_braces(plain: str) -> None:
    written = encode_tex(plain)
    depth = 0
    for char in written:
        depth += (char == "{") - (char == "}")
        assert depth >= 0
    assert depth == 0


ASCII = [
    ("Erdős", r"Erd{\H{o}}s"),
    ("Straße", r"Stra{\ss}e"),
    ("naïve", r"na{\"{\i}}ve"),
    ("α", r"\ensuremath{\alpha}"),
    ("“x”–y", "``x''--y"),
    ("李", "李"),
]


@pytest.mark.parametrize(("plain", "expected"), ASCII)
def test_letters_as_commands(plain: str, expected: str) -> None:
    assert encode_tex(plain, ascii=True) == expected


@pytest.mark.parametrize(
    "source",
    ["{" * 200_000, "{" * 99_999 + "x" + "}" * 99_999, "\\textit{" * 50_000, "$" * 99_999, "\\'" * 50_000],
)
def test_deep_or_senseless_nesting_is_read(source: str) -> None:
    assert parse_tex(source).plain is not None


URLS = [
    (r"https://e.org/a\_b/c\%20d", "https://e.org/a_b/c%20d"),
    (r"\url{https://e.org/x_y}", "https://e.org/x_y"),
    (r"{https://e.org/{\~{}}eve}", "https://e.org/~eve"),
    (r"https://e.org/$\sim$eve", "https://e.org/~eve"),
    ("https://e.org/a_b", "https://e.org/a_b"),
    (r"10.5555/978-3-0{\_}12", "10.5555/978-3-0_12"),
]


@pytest.mark.parametrize(("source", "expected"), URLS)
def test_addresses_lose_what_other_tools_escaped(source: str, expected: str) -> None:
    assert clean_url(source) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [("https://e.org/a{b", "https://e.org/a%7Bb"), ("https://e.org/{a}", "https://e.org/%7Ba%7D")],
)
def test_addresses_never_break_the_braces(url: str, expected: str) -> None:
    assert format_url(url) == expected


ORACLE = [
    r"{\'E}tudes sur l'{\'e}lectricit\'e",
    r"Schr{\"o}dinger, {\AA}ngstr{\"o}m und G{\"o}del",
    r"{\L}ukasiewicz \& {\v{C}}ech",
    r"Fran{\c{c}}ois \textit{et} {\O}ystein",
    r"Na{\"\i}ve Bayes -- a study --- of ``quotes''",
    r"Pok{\'e}mon {\`a} la carte \$5 \#1 50\%",
]


@pytest.mark.parametrize("source", ORACLE)
def test_pylatexenc_reads_the_same(source: str) -> None:
    latex: Any = pytest.importorskip("pylatexenc.latex2text")
    theirs = latex.LatexNodes2Text(strict_latex_spaces=True).latex_to_text(source)
    assert decode_tex(source).replace("\u00a0", " ") == theirs
