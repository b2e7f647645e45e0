"""Titles of records: from TeX where it is whole, with whole words protected."""

import re
from typing import TypeGuard

from bibtools.model import Node, Span, Text
from bibtools.text.tex import parse_tex
from bibtools.text.tree import join_strings, text_of

TEX_PAIRS = re.compile(r"[{}$]")
WORD_START = re.compile(r"\w+")
WORD_END = re.compile(r"\w+$")


def tex_title(tex: str, plain: str) -> Text | None:
    """Return a title from its TeX form, or from the plain one where the TeX is damaged or missing.

    >>> tex_title("A {BERT", "A BERT").plain
    'A BERT'
    """
    chosen = tex if tex and is_whole_tex(tex) else plain or tex
    return protect_whole_words(parse_tex(chosen)) if chosen else None


def protect_whole_words(title: Text) -> Text:
    """Return a title whose protected capitals (`{D}eep{C}ross`) are protected words (`{DeepCross}`).

    Any style shows both alike, and people can read the second.

    >>> protect_whole_words(parse_tex("{D}eep{C}ross: A {B}ayesian")).nodes[:2]
    (Span(kind='nocase', children=('DeepCross',)), ': A ')
    """
    nodes: list[Node] = []
    for node in title.nodes:
        if is_protected(node):
            node = Span("nocase", join_strings((*take_word_end(nodes), *node.children)))
        elif isinstance(node, str) and nodes and is_protected(span := nodes[-1]):
            word = WORD_START.match(node)
            end = word.end() if word else 0
            nodes[-1] = Span("nocase", join_strings((*span.children, node[:end])))
            node = node[end:]
        if node:
            nodes.append(node)
    return text_of(nodes) if nodes else title


def is_protected(node: Node) -> TypeGuard[Span]:
    """Tell whether a part of a text is protected from changes of case."""
    return isinstance(node, Span) and node.kind == "nocase"


def take_word_end(nodes: list[Node]) -> tuple[Node, ...]:
    """Take away what the next protected part continues: a protected part, or letters before it."""
    if not nodes:
        return ()
    last = nodes.pop()
    if is_protected(last):
        return last.children
    if not isinstance(last, str):
        nodes.append(last)
        return ()
    word = WORD_END.search(last)
    start = word.start() if word else len(last)
    if start:
        nodes.append(last[:start])
    return (last[start:],)


def is_whole_tex(tex: str) -> bool:
    """Tell whether braces and dollars pair up."""
    if not TEX_PAIRS.search(tex):
        return True
    depth = 0
    dollars = 0
    escaped = False
    for character in tex:
        if escaped:
            escaped = False
        elif character == "\\":
            escaped = True
        elif character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
            if depth < 0:
                return False
        elif character == "$":
            dollars += 1
    return depth == 0 and dollars % 2 == 0
