"""What people paste, to a Text: Markdown, and TeX, HTML and Markdown mixed.

Dollars are math by pandoc's rule only, as in other mark-up (see `markup`).
"""

import re

from bibtools.model import Hyperlink, Text
from bibtools.text.markup import DOLLARS, add_dollars, walk_html
from bibtools.text.patterns import LazyPattern
from bibtools.text.tex import read_tex
from bibtools.text.tex_tables import has_balanced_braces
from bibtools.text.tree import TreeBuilder, squeezed_text_of

_MARKDOWN = LazyPattern(
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
    add_dollars(tree, source, lambda text: _add_markdown(tree, text))
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


_LOOKS_TEX = re.compile(r"\\[A-Za-z\"'`^~=.%&#_$({]|``|''")


def parse_mixed(source: str) -> Text:
    r"""Return text as people paste it, with TeX, HTML or Markdown in it, or none.

    HTML's tags and entities count throughout; between two tags, text in which a command shows that it is TeX
    is read as such, other text as Markdown. Dollars are math by pandoc's rule in all of it.

    >>> parse_mixed(r"The \textit{cost} is <b>5%</b> of $n^2$, not $5").plain
    'The cost is 5% of $n^2$, not $5'
    """
    tree = TreeBuilder()
    walk_html(tree, source, lambda text: _add_mixed(tree, text))
    return squeezed_text_of(tree.finish())


def _add_mixed(tree: TreeBuilder, text: str) -> None:
    """Add a string between two tags, in whichever mark-up it shows."""
    if not _LOOKS_TEX.search(text) or not has_balanced_braces(text):
        add_dollars(tree, text, lambda part: _add_markdown(tree, part))
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
    for math in DOLLARS.finditer(text):
        parts += [_escape_typed(text[position : math.start()]), math[0]]
        position = math.end()
    return "".join([*parts, _escape_typed(text[position:])])


def _escape_typed(text: str) -> str:
    """Return text between formulas with its lone dollars and tildes escaped."""
    return re.sub(r"(?<!\\)\$", r"\\$", re.sub(r"(?<!\\)~", r"\\textasciitilde{}", text))
