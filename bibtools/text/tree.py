"""Trees of running text: built without recursion, of bounded depth, and joined into a `Text`."""

import re
from collections.abc import Iterable, Sequence

from bibtools.model import Hyperlink, Math, Node, Span, SpanKind, Text

BLANKS = re.compile(r"[ \t\r\n\f\v]+")
"""Blanks that mean one space. The no-break space and its like are letters here: they stay."""


def squeeze(text: str) -> str:
    """Return the text with runs of blanks as one space, none at the ends.

    >>> squeeze(" a \\n  b")
    'a b'
    """
    if text.isprintable() and "  " not in text:
        return text.strip(" ")
    return BLANKS.sub(" ", text).strip(" ")


def plain_of(nodes: Iterable[Node]) -> str:
    """Return what a reader without mark-up sees: formulas as `$TeX$`, an address for a link without words."""
    parts = []
    for node in nodes:
        if isinstance(node, str):
            parts.append(node)
        elif isinstance(node, Math):
            parts.append(f"${node.tex}$")
        elif isinstance(node, Hyperlink) and not node.children:
            parts.append(node.url)
        else:
            parts.append(plain_of(node.children))
    return "".join(parts)


def text_of(nodes: Iterable[Node]) -> Text:
    """Return the nodes as a Text, neighbouring strings joined, blanks as they are."""
    joined = join_strings(nodes)
    if all(isinstance(node, str) for node in joined):
        return Text(plain_of(joined))
    return Text(plain_of(joined), joined)


def squeezed_text_of(nodes: Iterable[Node], breaks: bool = False) -> Text:
    """Return the nodes as a Text with blanks squeezed, also across the borders of mark-up.

    With `breaks`, a run of blanks that holds a line end or an empty line stays one.
    """
    return text_of(_trim(_squeeze(join_strings(nodes), breaks, [True])))


def join_strings(nodes: Iterable[Node]) -> tuple[Node, ...]:
    """Return the nodes with neighbouring strings as one, and no empty string."""
    result: list[Node] = []
    run: list[str] = []
    for node in nodes:
        if isinstance(node, str):
            run.append(node)
            continue
        if any(run):
            result.append("".join(run))
        run = []
        result.append(node)
    if any(run):
        result.append("".join(run))
    return tuple(result)


def drop_spans(nodes: Iterable[Node], kinds: frozenset[SpanKind]) -> tuple[Node, ...]:
    """Return the nodes with spans of these kinds replaced by what they hold."""
    result: list[Node] = []
    for node in nodes:
        if isinstance(node, Span):
            children = drop_spans(node.children, kinds)
            if node.kind in kinds:
                result.extend(children)
            else:
                result.append(Span(node.kind, children))
        else:
            result.append(node)
    return join_strings(result)


def _squeeze(nodes: Sequence[Node], breaks: bool, after_blank: list[bool]) -> tuple[Node, ...]:
    """Return the nodes with one blank for each run; `after_blank` carries the state from node to node."""
    result: list[Node] = []
    for node in nodes:
        if isinstance(node, str):
            text = BLANKS.sub(_break_of if breaks else " ", node)
            if after_blank[0]:
                text = text.lstrip(" \n")
            if text:
                after_blank[0] = text[-1] in " \n"
                result.append(text)
        elif isinstance(node, Math) or not node.children:
            after_blank[0] = False
            result.append(node)
        else:
            children = _squeeze(node.children, breaks, after_blank)
            if children:
                result.append(_with_children(node, children))
    return tuple(result)


def _break_of(blanks: re.Match[str]) -> str:
    """Return what a run of blanks means where line ends count."""
    return "\n\n" if blanks[0].count("\n") > 1 else "\n" if "\n" in blanks[0] else " "


def _trim(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Return the nodes without blanks at the end of the last."""
    while nodes:
        last = nodes[-1]
        if isinstance(last, str):
            text = last.rstrip(" \n")
            if text:
                return (*nodes[:-1], text)
        elif isinstance(last, Math) or not last.children:
            return nodes
        else:
            children = _trim(last.children)
            if children:
                return (*nodes[:-1], _with_children(last, children))
        nodes = nodes[:-1]
    return nodes


def _with_children(node: Span | Hyperlink, children: tuple[Node, ...]) -> Node:
    """Return the node with other children."""
    return Span(node.kind, children) if isinstance(node, Span) else Hyperlink(node.url, children)


def has_case(nodes: Iterable[Node]) -> bool:
    """Say whether there are letters that have capitals, formulas left out: they are never changed."""
    for node in nodes:
        if isinstance(node, str):
            if node.lower() != node.upper():
                return True
        elif not isinstance(node, Math) and has_case(node.children):
            return True
    return False


def _kind_of(node: Span | Hyperlink) -> str:
    """Return the span's kind, or `link`."""
    return node.kind if isinstance(node, Span) else "link"


class TreeBuilder:
    """Collects nodes while the caller opens and closes spans.

    A span inside one of its own kind, and a link inside a link, makes no node; so a tree is never deeper than
    there are kinds, however deep the source, and may be walked by recursion.
    """

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self._open: list[tuple[Span | Hyperlink | None, list[Node]]] = []
        self._kinds: set[str] = set()

    @property
    def depth(self) -> int:
        """How many spans and links are open."""
        return len(self._open)

    def add(self, node: Node) -> None:
        """Add a node to the innermost open span."""
        self.nodes.append(node)

    def open(self, kind: SpanKind) -> None:
        """Open a span."""
        self._enter(Span(kind, ()))

    def open_link(self, url: str) -> None:
        """Open a link whose words follow."""
        self._enter(Hyperlink(url))

    def _enter(self, empty: Span | Hyperlink) -> None:
        kind = _kind_of(empty)
        if kind in self._kinds:
            self._open.append((None, self.nodes))
            return
        self._kinds.add(kind)
        self._open.append((empty, self.nodes))
        self.nodes = []

    def close(self, depth: int | None = None) -> None:
        """Close spans until `depth` are open; without it, the innermost one. One without content goes."""
        target = len(self._open) - 1 if depth is None else depth
        while len(self._open) > target:
            empty, outer = self._open.pop()
            if empty is None:
                continue
            self._kinds.remove(_kind_of(empty))
            children = join_strings(self.nodes)
            self.nodes = outer
            if isinstance(empty, Span) and empty.kind == "nocase" and not has_case(children):
                outer.extend(children)
            elif children or isinstance(empty, Hyperlink):
                outer.append(_with_children(empty, children))

    def finish(self) -> list[Node]:
        """Close what is open and return all nodes."""
        self.close(0)
        return self.nodes
