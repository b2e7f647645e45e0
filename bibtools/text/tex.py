"""TeX as it stands in bibliographies: a value to a Text and back.

Reading is by one scanner over the tables `tex_*.tsv`, in linear time and without recursion on the depth of
the input. Dollars are math, braces keep letter case (BibTeX's rule: not those that begin with a command),
`%`, `&`, `#`, `_` and `^` outside math are themselves, because people type them so. A command outside the
tables is kept as literal text, with the arguments glued to it, and written back escaped: text from strangers
never runs.
"""

import re
import unicodedata
from functools import cache

from bibtools.model import Hyperlink, Math, Node, Span, SpanKind, Text
from bibtools.tables import read_table
from bibtools.text.tex_simple import ABOVE, LIGATURES, is_as_it_is, read_simple
from bibtools.text.tex_tables import (
    BRACE,
    accents,
    commands,
    has_balanced_braces,
    is_safe_math,
    symbols,
    unsafe_math_commands,
)
from bibtools.text.tree import TreeBuilder, drop_spans, plain_of, squeeze, squeezed_text_of

SPECIAL = re.compile(r"[\\{}$~`]|--|''")
"""What makes a value more than plain text."""

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ufeff]")
"""Characters that are no text, and that TeX refuses."""
_TOKEN = re.compile(r"[^\\{}$~`'!?\-]+|\\(?:[A-Za-z]+\*?|.)?|---?|``?|''?|[!?]`?|.", re.DOTALL)
_DOLLARS = re.compile(r"(\$\$?)((?:[^$\\]|\\.)+)\1", re.DOTALL)
_SCRIPT = re.compile(
    r"(?:\{\})?(?:([_^])|\\s([bp])(?![A-Za-z]) *)"
    r"(?:([A-Za-z0-9+*'-])|\{(?:\\(?:rm|text|textrm|mathrm)\b *)?([A-Za-z0-9+., -]+)\})"
)
_LONE_COMMAND = re.compile(r"\s*\{?\\([A-Za-z]+)\s*\}?\s*")
_DIGITS = re.compile(r"[+-]?[0-9]+[+-]?|[+-]")
_QUOTES = (("“", "”"), ("‘", "’"))
_BARE_ACCENTS = frozenset("~^\"'`")
"""Accents that people write without a letter for the sign itself."""
_ALONE = dict(zip("\u0304\u0306\u0307\u030a\u030b\u030c\u0327\u0328", "¯˘˙˚˝ˇ¸˛", strict=True))
"""What other accents print without a letter; one without a character of its own stands on a blank."""
_LONGEST_BASE = 40
"""Longest argument of an accent, in characters: a letter, as a command or with further accents."""


def parse_tex(source: str, *, protect: bool = True, breaks: bool = False) -> Text:
    r"""Return what a TeX value says.

    Args:
        source: the value, its outer delimiters off.
        protect: braces become `nocase` spans; for fields that are no titles they mean nothing.
        breaks: an empty line ends a paragraph, for long texts; else it is one blank, as in a title.

    >>> parse_tex(r"Caf{\'e} {BERT} \& Co.").nodes
    ('Café ', Span(kind='nocase', children=('BERT',)), ' & Co.')
    """
    if is_as_it_is(source):
        return Text(source)
    simple = read_simple(source, protect=protect, breaks=breaks)
    return read_tex(source, protect=protect, breaks=breaks)[0] if simple is None else simple


def unknown_commands(source: str) -> tuple[str, ...]:
    r"""Return the commands that `parse_tex` keeps as literal text, each once, in order.

    >>> unknown_commands(r"\input{x} and $\evil$")
    ('\\input', '\\evil')
    """
    return read_tex(source)[1]


def decode_tex(source: str) -> str:
    r"""Return a TeX value as plain Unicode text, formulas as `$TeX$`.

    >>> decode_tex(r"Erd{\H o}s--R\'enyi")
    'Erdős–Rényi'
    """
    if (source.isalnum() and source.isascii()) or is_as_it_is(source):
        return source
    return parse_tex(source, protect=False).plain


def read_tex(source: str, *, protect: bool = True, breaks: bool = False) -> tuple[Text, tuple[str, ...]]:
    """Return the Text of a TeX value and its unknown commands."""
    if _CONTROL.search(source):
        source = _CONTROL.sub("", source)
    if breaks and "\n" in source:
        source = re.sub(r"\n[ \t\r]*\n\s*", r"\\par ", source.strip())
    if not SPECIAL.search(source):
        return Text(_composed(squeeze(source))), ()
    reader = _Reader(squeeze(source), protect)
    nodes = reader.read()
    text = squeezed_text_of(nodes if source.isascii() else _composed_nodes(nodes), breaks)
    return text, tuple(dict.fromkeys(reader.unknown))


def _composed(text: str) -> str:
    """Return the text in Unicode's composed form (NFC)."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _composed_nodes(nodes: list[Node]) -> list[Node]:
    """Return the nodes with their text in composed form; letter and accent stand in one string."""
    result: list[Node] = []
    for node in nodes:
        if isinstance(node, str):
            result.append(_composed(node))
        elif isinstance(node, Span):
            result.append(Span(node.kind, tuple(_composed_nodes(list(node.children)))))
        else:
            result.append(node)
    return result


class _Frame:
    """An open brace group or command argument: what to undo and add at its end."""

    __slots__ = ("after", "depth", "quotes", "skip")

    def __init__(self, depth: int, after: str = "", quotes: int = 0, skip: bool = False) -> None:
        self.depth, self.after, self.quotes, self.skip = depth, after, quotes, skip


class _Reader:
    """The scanner: one pass over the source, open groups on a stack of its own."""

    def __init__(self, source: str, protect: bool) -> None:
        self.source, self.protect = source, protect
        self.position = 0
        self.tree = TreeBuilder()
        self.frames: list[_Frame] = []
        self.quotes = 0
        self.unknown: list[str] = []
        self._ends: dict[int, int] | None = None
        self._dollars_left = True

    def read(self) -> list[Node]:
        """Return the nodes of the whole source."""
        source, match, add = self.source, _TOKEN.match, self.tree.add
        while found := match(source, self.position):
            token = found[0]
            self.position = found.end()
            first = token[0]
            if first == "\\":
                self.command(token[1:])
            elif first == "{":
                self.open_group()
            elif first == "}":
                self.close_group()
            elif first == "$":
                self.dollars(found.start())
            else:
                add(LIGATURES.get(token, token))
        return self.tree.finish()

    # Groups

    def open_group(self) -> None:
        """Enter a group, which keeps letter case unless a command begins it."""
        self.frames.append(_Frame(self.tree.depth, quotes=self.quotes))
        if self.protect and not self.source.startswith("\\", self.position):
            self.tree.open("nocase")

    def close_group(self) -> None:
        """Leave a group; a brace that closes none is dropped."""
        if not self.frames:
            return
        frame = self.frames.pop()
        self.tree.close(frame.depth)
        self.quotes = frame.quotes
        if frame.after:
            self.tree.add(frame.after)
        if frame.skip:
            self.skip_argument()

    def group_end(self, start: int) -> int | None:
        """Return where the group that opens at `start` closes, or None if it does not."""
        if self._ends is None:
            self._ends = {}
            opened: list[int] = []
            for brace in BRACE.finditer(self.source):
                if brace[0] == "{":
                    opened.append(brace.start())
                elif brace[0] == "}" and opened:
                    self._ends[opened.pop()] = brace.start()
        return self._ends.get(start)

    def skip_blanks(self) -> None:
        """Step over the one blank that the squeezed source can have."""
        if self.source.startswith(" ", self.position):
            self.position += 1

    def raw_argument(self) -> str | None:
        """Return a command's next argument as it stands, and step over it; None where there is none."""
        start = self.position
        self.skip_blanks()
        if self.source.startswith("{", self.position):
            end = self.group_end(self.position)
            if end is None:
                self.position = start
                return None
            argument = self.source[self.position + 1 : end]
            self.position = end + 1
            return argument
        found = _TOKEN.match(self.source, self.position)
        if found is None or found[0] in "}$":
            self.position = start
            return None
        argument = found[0] if found[0][0] == "\\" else found[0][0]
        self.position += len(argument)
        return argument

    def skip_argument(self) -> None:
        """Step over a braced argument, if one comes next."""
        if self.source.startswith("{", self.position):
            self.raw_argument()

    # Commands

    def command(self, name: str) -> None:
        """Do what a command says; its name comes without backslash."""
        name = name.removesuffix("*") if len(name) > 1 else name
        accent = accents().get(name)
        if accent is not None:
            self.accent(name, accent)
            return
        symbol = symbols().get(name)
        if symbol is not None:
            self.tree.add(symbol)
            if name.isalpha():
                self.skip_blanks()
            elif name == "\\" and (
                found := re.compile(r"\*?\[[^\]]{0,20}\]").match(self.source, self.position)
            ):
                self.position = found.end()
            return
        if name == "(":
            self.inline_math()
            return
        effect = commands().get(name)
        if effect is None:
            self.keep_unknown(name)
        else:
            self.apply(name, *effect)

    def accent(self, name: str, combining: str) -> None:
        """Put an accent on the letter that comes next, however it is written."""
        start = self.position
        base = self.raw_argument() or ""
        if len(base) > _LONGEST_BASE:
            self.position = start
            self.keep_unknown(name)
            return
        letters = (self.base_letters(base) if "\\" in base or "{" in base else base).strip()
        if not letters:
            self.tree.add(name if name in _BARE_ACCENTS else _ALONE.get(combining, f" {combining}"))
            return
        if combining in ABOVE:
            letters = {"ı": "i", "ȷ": "j"}.get(letters[0], letters[0]) + letters[1:]
        self.tree.add(unicodedata.normalize("NFC", letters[0] + combining) + letters[1:])

    def base_letters(self, base: str) -> str:
        """Return the letters of an accent's argument; a command there may need what follows it."""
        if accents().get(base[1:]) is not None and base[0] == "\\":
            more = self.raw_argument() or ""
            base = f"{base}{{{more}}}" if len(more) <= _LONGEST_BASE else base
        elif base[0] == "\\" and base[1:].isalpha() and self.source[self.position - 1] != "}":
            self.skip_blanks()
        return plain_of(_Reader(base, False).read())

    def keep_unknown(self, name: str) -> None:
        """Keep a command that the tables do not have as text, with the arguments glued to it."""
        start = self.position
        while self.source.startswith(("{", "["), self.position):
            if self.source[self.position] == "{":
                end = self.group_end(self.position)
            else:
                end = self.source.find("]", self.position, self.position + 200)
            if end is None or end < 0:
                break
            self.position = end + 1
        self.tree.add(f"\\{name}{self.source[start : self.position]}")
        if name:
            self.unknown.append(f"\\{name}")

    def apply(self, name: str, arguments: int, effect: str) -> None:
        """Do what a command from the table `tex_commands` says."""
        kind, _, detail = effect.partition(" ")
        if kind == "switch":
            self.skip_blanks()
            self.tree.open(detail)  # type: ignore[arg-type]  # the table's words are SpanKind's
        elif kind == "nothing":
            if name.isalpha():
                self.skip_blanks()
        elif kind == "drop":
            self.raw_argument()
        elif kind == "space":
            self.tree.add("" if (self.raw_argument() or "-").lstrip().startswith("-") else " ")
        elif kind == "begin":
            self.begin_environment(self.raw_argument() or "")
        elif kind == "end":
            self.raw_argument()
            self.close_group()
        elif kind == "codepoint":
            self.code_point(name, self.raw_argument() or "")
        elif kind == "link":
            self.tree.add(Hyperlink(clean_url(self.raw_argument() or "")))
        elif kind == "math":
            self.ensured_math(self.raw_argument() or "")
        else:
            self.enter_argument(kind)

    def begin_environment(self, environment: str) -> None:
        """Enter an environment: a group, in a font if it is named after one."""
        self.frames.append(_Frame(self.tree.depth, quotes=self.quotes))
        effect = commands().get(environment, (0, ""))[1]
        if effect.startswith("switch "):
            self.tree.open(effect.removeprefix("switch "))  # type: ignore[arg-type]  # a SpanKind by the table

    def code_point(self, name: str, digits: str) -> None:
        """Add the character whose hexadecimal code point a command gives."""
        if re.fullmatch(r"[0-9A-Fa-f]{2,5}", digits):
            self.tree.add(chr(int(digits, 16)))
        else:
            self.tree.add(f"\\{name}{{{digits}}}")

    def enter_argument(self, effect: str) -> None:
        """Enter the argument of a command whose text stays; a lone token as argument is a group of one."""
        if effect == "second":
            self.raw_argument()
        frame = _Frame(self.tree.depth, quotes=self.quotes, skip=effect == "first")
        if effect == "href":
            self.tree.open_link(clean_url(self.raw_argument() or ""))
        elif effect in _WRAPPERS or effect == "quote":
            opening, frame.after = _QUOTES[self.quotes % 2] if effect == "quote" else _WRAPPERS[effect]
            self.tree.add(opening)
            self.quotes += effect == "quote"
        elif effect in _SPAN_KINDS:
            self.tree.open(effect)  # type: ignore[arg-type]  # the table's words are SpanKind's
        self.skip_blanks()
        self.frames.append(frame)
        if self.source.startswith("{", self.position):
            self.position += 1
            return
        token = self.raw_argument()
        if token is not None:
            for node in _Reader(token, False).read():
                self.tree.add(node)
        self.close_group()

    # Math

    def dollars(self, start: int) -> None:
        """Read a formula between dollars; a dollar without a fellow is itself."""
        found = _DOLLARS.match(self.source, start) if self._dollars_left else None
        if found is None:
            self._dollars_left = self.source.startswith("$$", start)
        if found is None or not has_balanced_braces(found[2]):
            self.tree.add("$")
            return
        self.position = found.end()
        self.formula(found[2])

    def inline_math(self) -> None:
        r"""Read a formula between `\(` and `\)`."""
        end = self.source.find("\\)", self.position)
        if end < 0:
            self.tree.add("\\(")
            return
        tex = self.source[self.position : end]
        self.position = end + 2
        self.formula(tex)

    def ensured_math(self, tex: str) -> None:
        """Add a formula that `\\ensuremath` brought: a lone symbol is a character of the text."""
        lone = _LONE_COMMAND.fullmatch(tex)
        if lone and lone[1] in symbols():
            self.tree.add(symbols()[lone[1]])
        else:
            self.formula(tex)

    def formula(self, tex: str) -> None:
        """Add a formula: as sub- or superscript if it is no more, as math if that is safe, else as text."""
        scripts = _read_scripts(tex)
        if scripts:
            for script in scripts:
                self.tree.add(script)
        elif is_safe_math(tex):
            self.tree.add(Math(tex))
        else:
            self.unknown.extend(unsafe_math_commands(tex))
            self.tree.add(f"${tex}$")


def _read_scripts(tex: str) -> list[Node]:
    """Return a formula of nothing but sub- and superscripts of plain letters as mark-up, else nothing."""
    nodes: list[Node] = []
    position = 0
    while found := _SCRIPT.match(tex, position):
        kind: SpanKind = "sub" if (found[1] or found[2]) in ("_", "b") else "sup"
        nodes.append(Span(kind, (found[3] or found[4],)))
        position = found.end()
    return nodes if position == len(tex) else []


_WRAPPERS = {"parens": ("(", ")"), "brackets": ("[", "]")}
_SPAN_KINDS = frozenset({"italic", "bold", "sub", "sup", "smallcaps", "nocase"})


def clean_url(source: str) -> str:
    r"""Return an address as a browser needs it: TeX's escapes and braces off.

    >>> clean_url(r"https://example.org/a\_b/c\%20d")
    'https://example.org/a_b/c%20d'
    """
    if is_as_it_is(source) or not SPECIAL.search(source):
        return source.strip()
    source = source.strip()
    if "\\" in source:
        source = re.sub(r"\\(?:url|nolinkurl|path)\s*\{(.*)\}", r"\1", source, flags=re.DOTALL)
        source = re.sub(
            r"\\(?:textasciitilde|~)\s*(?:\{\})?|\{\\(?:textasciitilde|~)\s*(?:\{\})?\}|\$\\sim\$",
            "~",
            source,
        )
        source = re.sub(r"\\(?:textunderscore)\s*(?:\{\})?", "_", source)
        source = re.sub(r"\{?\\([%&#_$^{}])\}?", r"\1", source)
    if "{" in source:
        source = re.sub(r"\{(.?)\}|^\{(.*)\}$", lambda m: m[1] or m[2] or "", source)
    return format_url(source.strip())


def format_tex(text: Text, ascii: bool = False, *, protect: bool = True) -> str:  # noqa: A002  # the option's name
    r"""Return a Text as a TeX value: specials escaped once, formulas as they came, `nocase` as braces.

    Args:
        text: what to write.
        ascii: letters outside ASCII become commands; those that have none stay as they are.
        protect: it is a title, whose letter case styles change: braces keep `nocase` and formulas.

    >>> format_tex(Text("R&D", ("R&D ", Span("nocase", ("GPU",)), " at 5%")))
    'R\\&D {GPU} at 5\\%'
    """
    if not text.nodes:
        return encode_tex(text.plain, ascii)
    nodes = text.nodes if protect else drop_spans(text.nodes, frozenset({"nocase"}))
    return "".join(_format_node(node, ascii, protect) for node in nodes)


def encode_tex(plain: str, ascii: bool = False) -> str:  # noqa: A002  # the option's name everywhere
    r"""Return plain text as TeX, so that reading it gives the same text.

    Characters that pdfLaTeX knows only in math come as `\ensuremath{…}`.

    >>> encode_tex("50% of {a} \\ α"), encode_tex("Erdős", ascii=True)
    ('50\\% of {\\textbraceleft}a{\\textbraceright} {\\textbackslash} \\ensuremath{\\alpha}', 'Erd{\\H{o}}s')
    """
    if is_own_tex(plain):
        return plain
    encoded = _TO_ESCAPE.sub(_escape, _CONTROL.sub("", plain))
    if encoded.isascii():
        return encoded
    if ascii:
        return "".join(
            char if char.isascii() else _ascii_form(char) for char in unicodedata.normalize("NFC", encoded)
        )
    return _math_character().sub(lambda found: _math_characters()[found[0]], encoded)


_OWN = r'[ !"()*+,./0-9:;=?@A-Z\[\]a-z]*+'
is_own_tex = re.compile(rf"{_OWN}(?:(?:-(?!-)|'(?!')){_OWN})*+").fullmatch
"""Tells quickly whether plain text is its own TeX, as most is: nothing is special, no two hyphens join."""

_TO_ESCAPE = re.compile(
    r"[-–—'”“‘’`\\{}$&%#_^~<>|\u00a0\u2009\n]"
    r"(?:(?<=[-–—])[-–—]+|(?<=['”“‘’`])['”“‘’`]+|(?<=\n)\n+)?"
)
"""What may have to be written otherwise: a special character, a run of dashes, quotes or line ends.

It begins with one set, which is searched for several times as fast as alternatives.
"""
_ESCAPES = {
    "\\": "{\\textbackslash}",
    "{": "{\\textbraceleft}",
    "}": "{\\textbraceright}",
    **{sign: f"\\{sign}" for sign in "$&%#_"},
    "^": "{\\textasciicircum}",
    "~": "{\\textasciitilde}",
    "<": "{\\textless}",
    ">": "{\\textgreater}",
    "|": "{\\textbar}",
    "`": "{\\textasciigrave}",
    "\u00a0": "~",
    "\u2009": "\\,",
    "“": "``",
    "”": "''",
    "–": "--",
    "—": "---",
    "-": "-",
    "'": "'",
    "‘": "‘",
    "’": "’",
}
_SPAN_COMMANDS = {
    "italic": "emph",
    "bold": "textbf",
    "sub": "textsubscript",
    "sup": "textsuperscript",
    "smallcaps": "textsc",
}


def _escape(found: re.Match[str]) -> str:
    """Return TeX for a special character; in a run of dashes or quotes `{}` keeps them from joining."""
    run = found[0]
    if run[0] == "\n":
        return "\\newline{}" if len(run) == 1 else "\n\n"
    escaped = _ESCAPES[run] if len(run) == 1 else "{}".join([_ESCAPES[char] for char in run])
    if run[0] in "“‘`" and found.string[found.start() - 1 : found.start()] in ("!", "?"):
        return f"{{}}{escaped}"  # !` and ?` are Spanish marks
    return escaped


@cache
def _math_characters() -> dict[str, str]:
    """Return TeX for the characters that pdfLaTeX knows only in math."""
    return {
        row["character"]: f"\\ensuremath{{\\{row['command']}}}"
        for row in read_table("tex_symbols")
        if row["write"] and row["mode"] == "math"
    }


@cache
def _math_character() -> re.Pattern[str]:
    """Return the pattern of those characters."""
    return re.compile(f"[{re.escape(''.join(_math_characters()))}]")


@cache
def _text_characters() -> dict[str, str]:
    """Return TeX for the characters that have a command in text."""
    return {
        row["character"]: f"{{\\{row['command']}}}"
        for row in read_table("tex_symbols")
        if row["write"] and row["mode"] == "text"
    }


@cache
def _accent_commands() -> dict[str, str]:
    """Return the command of each combining character; the first in the table counts."""
    return {accent: name for name, accent in reversed(accents().items())}


@cache
def _ascii_form(char: str) -> str:
    """Return a character outside ASCII as TeX, or as it is where TeX has no command for it."""
    known = _text_characters().get(char) or _math_characters().get(char)
    if known:
        return known
    decomposed = unicodedata.normalize("NFD", char)
    base, marks = decomposed[0], decomposed[1:]
    commands = [_accent_commands().get(mark) for mark in marks]
    if not marks or None in commands or not (base.isascii() or base in _text_characters()):
        return char
    letter = {"i": "\\i", "j": "\\j"}.get(base, base) if marks[0] in ABOVE else base
    letter = letter if letter.isascii() else _text_characters()[letter][1:-1]
    for command in commands:
        letter = f"\\{command}{{{letter}}}"
    return f"{{{letter}}}"


def _format_node(node: Node, ascii: bool, bare: bool) -> str:  # noqa: A002  # the option's name
    """Return one node of a tree as TeX; `bare` where a style may change letter case."""
    if isinstance(node, str):
        return encode_tex(node, ascii)
    if isinstance(node, Math):
        return _format_math(node.tex, ascii, bare)
    inner = "".join(_format_node(child, ascii, False) for child in node.children)
    if isinstance(node, Hyperlink):
        url = format_url(node.url)
        return f"\\href{{{url}}}{{{inner}}}" if inner else f"\\url{{{url}}}"
    if node.kind == "nocase":
        return f"{{{{{inner}}}}}" if inner.startswith("\\") else f"{{{inner}}}"
    if node.kind in ("sub", "sup") and _DIGITS.fullmatch(inner):
        sign = "_" if node.kind == "sub" else "^"
        return f"${sign}{inner}$" if len(inner) == 1 else f"${sign}{{{inner}}}$"
    return f"\\{_SPAN_COMMANDS[node.kind]}{{{inner}}}"


def _format_math(tex: str, ascii: bool, bare: bool) -> str:  # noqa: A002  # the option's name
    """Return a formula between dollars, its capitals in braces where they could be changed."""
    if not is_safe_math(tex):
        return encode_tex(f"${tex}$", ascii)
    return f"{{${tex}$}}" if bare and tex != tex.lower() else f"${tex}$"


def format_url(url: str) -> str:
    r"""Return an address for a verbatim field or `\url`: nothing escaped but what would break the file.

    >>> format_url("https://example.org/a_b{c")
    'https://example.org/a_b%7Bc'
    """
    return url.translate(_URL_ESCAPES) if _UNSAFE_IN_URL.search(url) else url


_UNSAFE_IN_URL = re.compile(r"[\\{}\n]")
_URL_ESCAPES = {ord(char): f"%{ord(char):02X}" for char in "\\{}\n"}
