"""CSL, HTML, Markdown and pasted mark-up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import texts

from bibtools.model import Hyperlink, Math, Node, Span, Text
from bibtools.text.markup import format_csl, format_plain, parse_csl, parse_html
from bibtools.text.pasted import parse_markdown, parse_mixed

CSL: list[tuple[str, tuple[Node, ...]]] = [
    ("<i>E. coli</i>", (Span("italic", ("E. coli",)),)),
    ('<span class="nocase">BERT</span> x', (Span("nocase", ("BERT",)), " x")),
    ('<span style="font-variant:small-caps;">a</span>', (Span("smallcaps", ("a",)),)),
    ("<sc>a</sc> H<sub>2</sub>O", (Span("smallcaps", ("a",)), " H", Span("sub", ("2",)), "O")),
    ("<b>a<i>b</i></b>", (Span("bold", ("a", Span("italic", ("b",)))),)),
    ("of $x^2$ and", ("of ", Math("x^2"), " and")),
]


@pytest.mark.parametrize(("source", "expected"), CSL)
def test_csl_mark_up(source: str, expected: tuple[Node, ...]) -> None:
    assert parse_csl(source).nodes == expected


@pytest.mark.parametrize(
    "source",
    ["a < b > c", "<i>open", "shut</b>", "<u>x</u>", "$5 and $9", "US$ 3 or $4", "cost $\\input{x}$"],
)
def test_what_only_looks_like_mark_up_is_text(source: str) -> None:
    assert parse_csl(source) == Text(source)
    assert format_csl(Text(source)) == source


@given(texts())
def test_csl_comes_back(text: Text) -> None:
    assert parse_csl(format_csl(text)) == text


@given(st.text())
def test_any_csl_is_read_and_its_writing_is_stable(source: str) -> None:
    once = parse_csl(source)
    assert parse_csl(format_csl(once)) == once


HTML = [
    ("<jats:p>The &amp;lt; sign</jats:p>", "The < sign"),
    ("<p>One</p><p>Two</p>", "One Two"),
    ("a &lt;b&gt; &#233; &eacute;", "a <b> é é"),
    ("x < y and y > z", "x < y and y > z"),
    ("<mml:math><mml:mi>x</mml:mi></mml:math>", "x"),
    ("kept <unknown>tag</unknown>", "kept <unknown>tag</unknown>"),
    ("a<!-- no -->b", "ab"),
]


@pytest.mark.parametrize(("source", "expected"), HTML)
def test_html_and_jats(source: str, expected: str) -> None:
    assert parse_html(source).plain == expected


def test_html_emphasis_and_links_stay() -> None:
    text = parse_html('<em>E. coli</em> <a href="https://e.org">here</a> 10<sup>3</sup>')
    assert text.nodes == (
        Span("italic", ("E. coli",)),
        " ",
        Hyperlink("https://e.org", ("here",)),
        " 10",
        Span("sup", ("3",)),
    )


MARKDOWN: list[tuple[str, str, tuple[Node, ...]]] = [
    ("a *b* __c__", "a b c", ("a ", Span("italic", ("b",)), " ", Span("bold", ("c",)))),
    ("`code_x` [w](https://e.org/a_(b))", "code_x w", ("code_x ", Hyperlink("https://e.org/a_(b)", ("w",)))),
    ("snake_case_name and 2*3*4", "snake_case_name and 2*3*4", ()),
    (r"\*not\*", "*not*", ()),
    ("lone * and _", "lone * and _", ()),
    ("<https://e.org>", "https://e.org", (Hyperlink("https://e.org"),)),
]


@pytest.mark.parametrize(("source", "plain", "nodes"), MARKDOWN)
def test_markdown(source: str, plain: str, nodes: tuple[Node, ...]) -> None:
    assert parse_markdown(source) == Text(plain, nodes)


MIXED = [
    (r"The \textit{cost} is <b>5%</b> of $n^2$, not $5", "The cost is 5% of $n^2$, not $5"),
    ("about ~10k users at 50% & more", "about ~10k users at 50% & more"),
    (r"Erd\H{o}s--R\'enyi graphs", "Erdős–Rényi graphs"),
    ("from $5 to $10 a day", "from $5 to $10 a day"),
    ("set {a, b} of f(x) <= 3", "set {a, b} of f(x) <= 3"),
    ("**Bold** claim", "Bold claim"),
]


@pytest.mark.parametrize(("source", "expected"), MIXED)
def test_what_people_paste(source: str, expected: str) -> None:
    assert parse_mixed(source).plain == expected


@given(st.text(alphabet="a$<>i/b*_\\{}[]()`&;# \n", max_size=60))
def test_any_paste_is_read(source: str) -> None:
    for parse in (parse_html, parse_markdown, parse_mixed):
        assert parse(source).plain is not None


@pytest.mark.parametrize("unit", ["<i>", "*", "[", "$a", "`", "&lt;", "<", "_a", "**a"])
def test_long_senseless_input_is_read(unit: str) -> None:
    for parse in (parse_csl, parse_html, parse_markdown, parse_mixed):
        assert parse(unit * 20_000).plain is not None


def test_plain_form_gives_addresses() -> None:
    assert (
        format_plain(parse_markdown("see [here](https://e.org) or <https://f.org>"))
        == "see here (https://e.org) or https://f.org"
    )
