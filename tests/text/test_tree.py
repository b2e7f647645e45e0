"""Trees stay flat whatever the nesting."""

from bibtools.model import Hyperlink, Math, Span, Text
from bibtools.text.tree import TreeBuilder, drop_spans, has_case, plain_of, squeezed_text_of, text_of


def test_a_span_in_its_own_kind_is_none() -> None:
    tree = TreeBuilder()
    for _ in range(50_000):
        tree.open("italic")
    tree.add("x")
    assert tree.finish() == [Span("italic", ("x",))]


def test_links_do_not_nest() -> None:
    tree = TreeBuilder()
    tree.open_link("https://a.org")
    tree.open_link("https://b.org")
    tree.add("x")
    assert tree.finish() == [Hyperlink("https://a.org", ("x",))]


def test_blanks_are_squeezed_across_mark_up() -> None:
    text = squeezed_text_of([" a ", Span("bold", (" b ",)), " c\n\nd "])
    assert text == Text("a b c d", ("a ", Span("bold", ("b ",)), "c d"))
    assert squeezed_text_of(["a \n\n b\nc"], breaks=True).plain == "a\n\nb\nc"


def test_strings_join_and_empty_ones_go() -> None:
    assert text_of(["a", "", "b"]) == Text("ab")
    assert text_of([""]) == Text("")


def test_plain_form_shows_formulas_and_bare_addresses() -> None:
    assert (
        plain_of((Math("x"), " ", Hyperlink("https://a.org"), Hyperlink("https://b.org", ("b",))))
        == "$x$ https://a.orgb"
    )


def test_spans_of_a_kind_can_be_dropped() -> None:
    nodes = (Span("italic", (Span("nocase", ("A",)), "b")),)
    assert drop_spans(nodes, frozenset({"nocase"})) == (Span("italic", ("Ab",)),)
    assert has_case(nodes)
    assert not has_case(("12",))
