"""Mark-up of formats: CSL's, HTML and JATS, to a Text and back; plain text.

In all of them, and in what people paste, dollars are math by pandoc's rule only: no blank after the first
dollar, none before the last, and no digit right after it (pandoc manual, `tex_math_dollars`); so amounts of
money stay text.
"""

import re
from collections.abc import Callable

from bibtools.model import Hyperlink, Math, Node, SpanKind, Text
from bibtools.text.patterns import LazyPattern
from bibtools.text.tex_tables import is_safe_math
from bibtools.text.tree import TreeBuilder, squeezed_text_of, text_of

_GUARD = "\u2060"
"""Word joiner: stands where plain text would else be taken for mark-up, and is dropped on reading."""

_CSL_TAG = LazyPattern(
    r"<(?:(?P<close>/)?(?P<name>i|b|sup|sub|sc|span)"
    r"(?:\s+(?:class=[\"'](?P<class>nocase)[\"']|style=[\"'](?P<style>font-variant:\s*small-caps;?)[\"']))?)>"
)
DOLLARS = LazyPattern(r"\$(?=[^\s$\u2060])((?:[^$\\]|\\.)*?(?:[^\s$\\]|\\.))\$(?!\d)", re.DOTALL)
_CSL_KINDS: dict[str, SpanKind] = {"i": "italic", "b": "bold", "sup": "sup", "sub": "sub", "sc": "smallcaps"}
_CSL_TAGS: dict[SpanKind, tuple[str, str]] = {
    "italic": ("<i>", "</i>"),
    "bold": ("<b>", "</b>"),
    "sup": ("<sup>", "</sup>"),
    "sub": ("<sub>", "</sub>"),
    "smallcaps": ('<span style="font-variant:small-caps;">', "</span>"),
    "nocase": ('<span class="nocase">', "</span>"),
}


def parse_csl(source: str) -> Text:
    """Return text with CSL's mark-up (CSL 1.0.2, appendix on rich text in citeproc-js's manual).

    A tag without its fellow is text. Blanks stay as they are.

    >>> parse_csl('On <i>E. coli</i> at $5').nodes
    ('On ', Span(kind='italic', children=('E. coli',)), ' at $5')
    """
    if "<" not in source and "$" not in source and _GUARD not in source:
        return Text(source)
    tokens = _csl_tokens(source)
    paired = _pairs(tokens)
    tree = TreeBuilder()
    for index, token in enumerate(tokens):
        if isinstance(token, Math):
            tree.add(token)
        elif not isinstance(token, str) and index in paired:
            if token["close"]:
                tree.close()
            else:
                tree.open(_csl_kind(token))
        else:
            tree.add((token if isinstance(token, str) else token[0]).replace(_GUARD, ""))
    return text_of(tree.finish())


def _csl_tokens(source: str) -> list[str | Math | re.Match[str]]:
    """Return a source as strings, formulas and tags, in order."""
    tokens: list[str | Math | re.Match[str]] = []
    position = start = 0
    dollars_left = True
    for found in re.finditer(r"[<$]", source):
        if found.start() < position:
            continue
        token: Math | re.Match[str] | None = None
        if found[0] == "<":
            tag = _CSL_TAG.match(source, found.start())
            if tag and (tag["name"] != "span" or tag["close"] or tag["class"] or tag["style"]):
                token, end = tag, tag.end()
        elif dollars_left:
            math = DOLLARS.match(source, found.start())
            dollars_left = math is not None or "$" in source[found.end() :]
            if math and is_safe_math(math[1]) and not _CSL_TAG.search(math[1]):
                token, end = Math(math[1]), math.end()
        if token is not None:
            tokens += [source[start : found.start()], token]
            position = start = end
    return [*tokens, source[start:]]


def _pairs(tokens: list[str | Math | re.Match[str]]) -> set[int]:
    """Return the places of tags that have a fellow, rightly nested."""
    paired: set[int] = set()
    opened: list[tuple[int, str]] = []
    for index, token in enumerate(tokens):
        if isinstance(token, str | Math):
            continue
        if not token["close"]:
            opened.append((index, token["name"]))
        elif opened and opened[-1][1] == token["name"]:
            paired |= {opened.pop()[0], index}
    return paired


def _csl_kind(tag: re.Match[str]) -> SpanKind:
    """Return what an opening tag means."""
    if tag["name"] != "span":
        return _CSL_KINDS[tag["name"]]
    return "nocase" if tag["class"] else "smallcaps"


def format_csl(text: Text) -> str:
    """Return a Text in CSL's mark-up, formulas between dollars.

    >>> format_csl(parse_csl("H<sub>2</sub>O"))
    'H<sub>2</sub>O'
    """
    guarded = _format_csl_nodes(text.nodes or (text.plain,))
    if _GUARD not in guarded:
        return guarded
    # What only looks like mark-up (an unknown or a lone tag) stays as it is.
    bare = guarded.replace(_GUARD, "")
    return bare if parse_csl(bare) == text else guarded


def _format_csl_nodes(nodes: tuple[Node, ...]) -> str:
    """Return nodes in CSL's mark-up; a digit right after a formula is kept from opening it."""
    parts: list[str] = []
    for place, node in enumerate(nodes):
        written = _format_csl_node(node)
        if place and isinstance(nodes[place - 1], Math) and written[:1].isdecimal():
            parts.append(_GUARD)
        parts.append(written)
    return "".join(parts)


def _format_csl_node(node: Node) -> str:
    """Return one node in CSL's mark-up."""
    if isinstance(node, str):
        return _guard_csl(node)
    if isinstance(node, Math):
        return f"${node.tex}$"
    inner = _format_csl_nodes(node.children)
    if isinstance(node, Hyperlink):
        return f"{inner} ({node.url})" if inner and inner != node.url else node.url
    opening, closing = _CSL_TAGS[node.kind]
    return f"{opening}{inner}{closing}"


def _guard_csl(plain: str) -> str:
    """Return plain text in which nothing looks like a tag or a formula."""
    if "<" not in plain and "$" not in plain:
        return plain
    plain = _CSL_TAG.sub(lambda tag: f"<{_GUARD}{tag[0][1:]}", plain)
    return plain.replace("$", f"${_GUARD}")


def format_plain(text: Text) -> str:
    """Return a Text as plain Unicode, formulas between dollars, each link with its address.

    >>> format_plain(Text("see here", ("see ", Hyperlink("https://example.org", ("here",)))))
    'see here (https://example.org)'
    """
    if not text.nodes:
        return text.plain
    return "".join(_format_plain_node(node) for node in text.nodes)


def _format_plain_node(node: Node) -> str:
    """Return one node as plain text."""
    if isinstance(node, str):
        return node
    if isinstance(node, Math):
        return f"${node.tex}$"
    inner = "".join(_format_plain_node(child) for child in node.children)
    if isinstance(node, Hyperlink):
        return f"{inner} ({node.url})" if inner and inner != node.url else node.url
    return inner


# HTML and JATS

_HTML_KINDS: dict[str, SpanKind] = {
    "i": "italic", "em": "italic", "italic": "italic", "cite": "italic", "var": "italic",
    "b": "bold", "strong": "bold", "bold": "bold",
    "sub": "sub", "inf": "sub", "sup": "sup", "sc": "smallcaps", "scp": "smallcaps",
}  # fmt: skip
_HTML_BREAKS = frozenset({"p", "br", "div", "title", "sec", "li", "tr", "break", "list-item"})
_HTML_OTHER = frozenset(
    [
        "a",
        "span",
        "font",
        "u",
        "tt",
        "code",
        "ul",
        "ol",
        "table",
        "td",
        "th",
        "tbody",
        "abstract",
        "list",
        "body",
        "html",
        "head",
        "math",
        "mml",
        "inline-",
        "formula",
        "disp-formula",
        "alternatives",
        "tex-math",
        "ext-link",
        "named-content",
        "mi",
        "mn",
        "mo",
        "mrow",
        "msub",
        "msup",
        "msubsup",
        "mfrac",
        "msqrt",
        "mtext",
        "mspace",
        "mstyle",
        "mover",
        "munder",
        "semantics",
        "annotation",
        "img",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "blockquote",
        "section",
        "pre",
        "small",
        "big",
        "script",
        "style",
        "xref",
        "styled-content",
        "underline",
        "monospace",
        "strike",
        "s",
        "label",
    ]
)
_HTML_TAG = LazyPattern(r"<(/?)(?:[a-z]+:)?([a-zA-Z][a-zA-Z0-9-]*)((?:\s[^<>]*)?)/?>|<!--.*?-->", re.DOTALL)
_HREF = LazyPattern(r"(?:xlink:)?href\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
_ENTITY = LazyPattern(r"&(?:#\d+|#x[0-9a-f]+|[a-z][a-z0-9]*);", re.IGNORECASE)


def parse_html(source: str) -> Text:
    """Return text from HTML or JATS: known tags as mark-up or gone, entities decoded until none is left.

    >>> parse_html("<jats:p>The &amp;lt; sign in <em>E. coli</em></jats:p>").plain
    'The < sign in E. coli'
    """
    tree = TreeBuilder()
    walk_html(tree, source, lambda text: add_dollars(tree, text, tree.add))
    return squeezed_text_of(tree.finish())


def walk_html(tree: TreeBuilder, source: str, add: Callable[[str], None]) -> None:
    """Do what the tags say, and give `add` the strings between them, entities decoded."""
    position = 0
    for tag in _HTML_TAG.finditer(source):
        name = (tag[2] or "").lower()
        if name and name not in _HTML_KINDS and name not in _HTML_BREAKS and name not in _HTML_OTHER:
            continue
        add(unescape(source[position : tag.start()]))
        position = tag.end()
        _apply_html_tag(tree, bool(tag[1]), name, tag[3] or "")
    add(unescape(source[position:]))


def _apply_html_tag(tree: TreeBuilder, closes: bool, name: str, attributes: str) -> None:
    """Open or close what a tag stands for; a break is a blank."""
    kind = _HTML_KINDS.get(name)
    if kind is not None:
        if not closes:
            tree.open(kind)
        elif tree.depth:
            tree.close()
    elif name in ("a", "ext-link"):
        href = _HREF.search(attributes)
        if closes and tree.depth:
            tree.close()
        elif not closes:
            tree.open_link(_decode((href[1] or href[2] or "") if href else ""))
    elif name in _HTML_BREAKS:
        tree.add(" ")


def unescape(text: str) -> str:
    """Return text with character entities decoded, also those that were escaped twice or thrice."""
    for _ in range(4):
        if "&" not in text or not _ENTITY.search(text):
            break
        text = _decode(text)
    return text


def _decode(text: str) -> str:
    """Return text with character entities decoded once."""
    import html  # its table of entities takes long to load, and few files need it

    return html.unescape(text)


def add_dollars(tree: TreeBuilder, text: str, add: Callable[[str], None]) -> None:
    """Add the formulas of a string, and give `add` the strings between them."""
    position = 0
    for math in DOLLARS.finditer(text):
        if not is_safe_math(math[1]):
            continue
        add(text[position : math.start()])
        tree.add(Math(math[1]))
        position = math.end()
    add(text[position:])
