"""Mark-up that is not TeX: CSL's, HTML and JATS, Markdown, and what people paste, to a Text and back.

In all of them dollars are math by pandoc's rule only: no blank after the first dollar, none before the last,
and no digit right after it (pandoc manual, `tex_math_dollars`); so amounts of money stay text.
"""

import html
import re
from collections.abc import Callable

from bibtools.model import Hyperlink, Math, Node, SpanKind, Text
from bibtools.text.tex import read_tex
from bibtools.text.tex_tables import has_balanced_braces, is_safe_math
from bibtools.text.tree import TreeBuilder, squeezed_text_of, text_of

_GUARD = "\u2060"
"""Word joiner: stands where plain text would else be taken for mark-up, and is dropped on reading."""

_CSL_TAG = re.compile(
    r"<(?:(?P<close>/)?(?P<name>i|b|sup|sub|sc|span)"
    r"(?:\s+(?:class=[\"'](?P<class>nocase)[\"']|style=[\"'](?P<style>font-variant:\s*small-caps;?)[\"']))?)>"
)
_DOLLARS = re.compile(r"\$(?=[^\s$\u2060])((?:[^$\\]|\\.)*?(?:[^\s$\\]|\\.))\$(?!\d)", re.DOTALL)
_CSL_SPECIAL = re.compile(r"[<$\u2060]")
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
    if not _CSL_SPECIAL.search(source):
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
            math = _DOLLARS.match(source, found.start())
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
_HTML_TAG = re.compile(r"<(/?)(?:[a-z]+:)?([a-zA-Z][a-zA-Z0-9-]*)((?:\s[^<>]*)?)/?>|<!--.*?-->", re.DOTALL)
_HREF = re.compile(r"(?:xlink:)?href\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#\d+|#x[0-9a-f]+|[a-z][a-z0-9]*);", re.IGNORECASE)


def parse_html(source: str) -> Text:
    """Return text from HTML or JATS: known tags as mark-up or gone, entities decoded until none is left.

    >>> parse_html("<jats:p>The &amp;lt; sign in <em>E. coli</em></jats:p>").plain
    'The < sign in E. coli'
    """
    tree = TreeBuilder()
    _walk_html(tree, source, lambda text: _add_dollars(tree, text, tree.add))
    return squeezed_text_of(tree.finish())


def _walk_html(tree: TreeBuilder, source: str, add: Callable[[str], None]) -> None:
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
            tree.open_link(html.unescape((href[1] or href[2] or "") if href else ""))
    elif name in _HTML_BREAKS:
        tree.add(" ")


def unescape(text: str) -> str:
    """Return text with character entities decoded, also those that were escaped twice or thrice."""
    for _ in range(4):
        if "&" not in text or not _ENTITY.search(text):
            break
        text = html.unescape(text)
    return text


def _add_dollars(tree: TreeBuilder, text: str, add: Callable[[str], None]) -> None:
    """Add the formulas of a string, and give `add` the strings between them."""
    position = 0
    for math in _DOLLARS.finditer(text):
        if not is_safe_math(math[1]):
            continue
        add(text[position : math.start()])
        tree.add(Math(math[1]))
        position = math.end()
    add(text[position:])


# Markdown

_MARKDOWN = re.compile(
    r"\\(?P<escaped>[\\`*_{}\[\]()#+.!<>$~^|-])"
    r"|(?<!`)(?P<code>`++)(?P<codetext>[^`]+)(?P=code)"
    r"|\[(?P<words>[^\[\]]{0,500})\]\((?P<url>[^()\s]{1,2000}(?:\([^()\s]{0,500}\)[^()\s]{0,500})?)\)"
    r"|<(?P<auto>https?://[^<>\s]+)>"
    r"|(?P<bold>\*\*|__)|(?P<italic>\*|(?<!\w)_|_(?!\w))"
)


def parse_markdown(source: str) -> Text:
    """Return text from Markdown: emphasis, code, links, formulas.

    >>> parse_markdown("a **bold** word, see [here](https://example.org)").plain
    'a bold word, see here'
    """
    tree = TreeBuilder()
    _add_dollars(tree, source, lambda text: _add_markdown(tree, text))
    return squeezed_text_of(tree.finish())


def _add_markdown(tree: TreeBuilder, text: str) -> None:
    """Add a string with Markdown in it; a mark of emphasis without its fellow is itself."""
    tokens = list(_MARKDOWN.finditer(text))
    paired = _emphasis_pairs(tokens, text)
    position = 0
    for index, token in enumerate(tokens):
        tree.add(text[position : token.start()])
        position = token.end()
        if token["escaped"]:
            tree.add(token["escaped"])
        elif token["code"]:
            tree.add(token["codetext"].strip())
        elif token["url"]:
            tree.add(Hyperlink(token["url"], (token["words"],) if token["words"] else ()))
        elif token["auto"]:
            tree.add(Hyperlink(token["auto"]))
        elif index not in paired:
            tree.add(token[0])
        elif paired[index]:
            tree.open("bold" if token["bold"] else "italic")
        else:
            tree.close()
    tree.add(text[position:])


def _emphasis_pairs(tokens: list[re.Match[str]], text: str) -> dict[int, bool]:
    """Return, by place among the tokens, which marks of emphasis have a fellow and whether they open."""
    paired: dict[int, bool] = {}
    opened: list[int] = []
    for index, token in enumerate(tokens):
        if not (token["bold"] or token["italic"]):
            continue
        before, after = text[token.start() - 1 : token.start()], text[token.end() : token.end() + 1]
        closes = before and not before.isspace() and not after.isalnum()
        if opened and tokens[opened[-1]][0] == token[0] and closes:
            paired[opened.pop()], paired[index] = True, False
        elif after and not after.isspace() and not before.isalnum():
            opened.append(index)
    return paired


# What people paste

_LOOKS_TEX = re.compile(r"\\[A-Za-z\"'`^~=.%&#_$({]|``|''")


def parse_mixed(source: str) -> Text:
    r"""Return text as people paste it, with TeX, HTML or Markdown in it, or none.

    HTML's tags and entities count throughout; between two tags, text in which a command shows that it is TeX
    is read as such, other text as Markdown. Dollars are math by pandoc's rule in all of it.

    >>> parse_mixed(r"The \textit{cost} is <b>5%</b> of $n^2$, not $5").plain
    'The cost is 5% of $n^2$, not $5'
    """
    tree = TreeBuilder()
    _walk_html(tree, source, lambda text: _add_mixed(tree, text))
    return squeezed_text_of(tree.finish())


def _add_mixed(tree: TreeBuilder, text: str) -> None:
    """Add a string between two tags, in whichever mark-up it shows."""
    if not _LOOKS_TEX.search(text) or not has_balanced_braces(text):
        _add_dollars(tree, text, lambda part: _add_markdown(tree, part))
        return
    read = read_tex(_shield(text), protect=False)[0]
    tree.add(" " if text[:1].isspace() else "")
    for node in read.nodes or (read.plain,):
        tree.add(node)
    tree.add(" " if text[-1:].isspace() else "")


def _shield(text: str) -> str:
    """Return text whose signs that TeX would read, but people type as themselves, are escaped."""
    parts: list[str] = []
    position = 0
    for math in _DOLLARS.finditer(text):
        parts += [_escape_typed(text[position : math.start()]), math[0]]
        position = math.end()
    return "".join([*parts, _escape_typed(text[position:])])


def _escape_typed(text: str) -> str:
    """Return text between formulas with its lone dollars and tildes escaped."""
    return re.sub(r"(?<!\\)\$", r"\\$", re.sub(r"(?<!\\)~", r"\\textasciitilde{}", text))
