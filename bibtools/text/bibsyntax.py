"""BibTeX's syntax: a file cut into entries, macros, preambles and comments, each with its place.

First of the two stages of reading BibTeX; it knows nothing of what fields mean. A well-formed file is read as
bibtex.web does (sections 215-278). Where a file is not, it is mended at field level: a missing comma, a
brace too few or too many, a missing quote or closing brace cost at most the field that they stand in, and
each is one Problem. Time is linear in the input: a value never reaches over the start of another entry at a
line's beginning, and once too much has been looked at in vain, values end at the next line that looks like a
field.
"""

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from bibtools.errors import Location, Problem, Severity

MOST_PROBLEMS = 200
"""Problems of one kind that are told one by one; a file with more of them is broken in some other way."""
MAX_DEPTH = 500
"""Braces within braces beyond which a value is kept as it stands and not interpreted."""
_LINE_SHOWN = 200
"""Most characters of a line that stand in a problem as its raw text."""

_START = re.compile(r"@[ \t\n]*([A-Za-z][\w.+-]*)[ \t\n]*([{(])")
_KEYS = {
    closer: re.compile(
        rf"\s*+([^\s,={{}}\"#%](?:[^,={{}}\n{closer}]*[^\s,={{}}{closer}])?)?(?:\s*+(,)|\s*(?=\{closer}|\n))"
    )
    for closer in "})"
}
_NESTED = r"(?>[^{}]+|\{(?>[^{}]+|\{(?>[^{}]+|\{[^{}]*+\})*+\})*+\})*+"
_FIELD = re.compile(
    r"[\s,]*+([^\s={}(),\"#%@\\]++)\s*+=\s*+"
    rf"(?:\{{({_NESTED})\}}|\"((?>[^\"{{}}]+|\{{{_NESTED}\}})*+)\"|([^\s={{}}(),\"#%'@\\]++))"
    r"\s*+(?:,|(?=([})])))"
)
_BRACED = re.compile(rf"\{{({_NESTED})\}}")
_FORM = re.compile(r"[\s,]*+([^\s={}(),\"#%@\\]++)\s*+=\s*+\{")
_NAME = re.compile(r"([^\s={}(),\"#%@\\]+)\s*=")
_GAP = re.compile(r"(?:[\s,]|%[^\n]*)*+")
_BLANKS = re.compile(r"\s*")
_BARE = re.compile(r"[^\s={}(),\"#%'@\\]+")
_WORD = re.compile(r"[^\s,{}()]+|.", re.DOTALL)
_LOOSE = re.compile(r"[^,\n{}\"@]*")
_INNER_QUOTE = re.compile(r"[^\"\n{}=]{0,200}\"")
_ENTRY_LINE = r"\n[ \t]*@[ \t]*[A-Za-z]+[ \t]*[{(][^\n={}]*,"
_FIELD_LINE = r"\n[ \t]*,?[ \t]*[A-Za-z][\w-]*[ \t]*=[ \t]*(?:[{\"]|\w+[ \t]*,?[ \t]*(?=\n))"
_ENTRY_LINES = re.compile(_ENTRY_LINE)
_FIELD_LINES = re.compile(_FIELD_LINE)
_BRACES = re.compile(r"[{}]")
_BRACES_OR_ENTRY = re.compile(rf"[{{}}]|{_ENTRY_LINE}")
_BRACES_OR_LINE = re.compile(rf"[{{}}]|{_ENTRY_LINE}|{_FIELD_LINE}")
_QUOTES_OR_ENTRY = re.compile(rf"[{{}}\"]|{_ENTRY_LINE}")
_QUOTES_OR_LINE = re.compile(rf"[{{}}\"]|{_ENTRY_LINE}|{_FIELD_LINE}")
_MORE_FIELDS = re.compile(r"\s*,\s*[A-Za-z][\w-]*\s*=\s*[{\"\w]")
_LONGEST_FORM, _LONGEST_TEXT, _MOST_FORMS = 60, 10_000, 1_000
"""Characters before a braced value and in it, and number of forms, up to which fields are read quickly."""
_VAIN = 4
"""How many times the input may be looked through in vain before values end at the next field-like line."""


class Piece(Struct, frozen=True, gc=False):
    """One operand of a value: text as it stands within its delimiters, or the name of a macro."""

    text: str
    is_macro: bool = False


class RawField(Struct, frozen=True, gc=False):
    """A field as it stands."""

    name: str
    value: str | tuple[Piece, ...]
    """Its text within the delimiters; or what `#` joins, none if the value is empty or nested too deep."""
    written: str = ""
    """The value as written, `#` included, its braces balanced; empty for text in braces."""
    start: int = -1
    """Where the name begins in the file, in characters from 0; known where `value` is no text."""

    @property
    def source(self) -> str:
        """The value as written, delimiters and `#` included, its braces balanced."""
        return f"{{{self.value}}}" if isinstance(self.value, str) and not self.written else self.written

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """What `#` joins: one piece of text for most values."""
        return (Piece(self.value),) if isinstance(self.value, str) else self.value


class RawEntry(Struct, frozen=True, gc=False):
    """An entry as it stands."""

    type: str
    key: str
    fields: tuple[RawField, ...]
    span: tuple[int, int]
    line: int


class RawStrings(Struct, frozen=True):
    """An `@string`: macros with their values; all but broken ones define one."""

    fields: tuple[RawField, ...]
    span: tuple[int, int]


class RawPreamble(Struct, frozen=True):
    """An `@preamble`: its value as written."""

    source: str
    span: tuple[int, int]


class RawComment(Struct, frozen=True):
    """Text between entries, or an `@comment` with its braces."""

    span: tuple[int, int]


RawBlock = RawEntry | RawStrings | RawPreamble | RawComment


def split_bibtex(text: str, source: str) -> tuple[list[RawBlock], list[Problem]]:
    """Return the blocks of a BibTeX file in order, and what was wrong with it.

    Args:
        text: the whole file, decoded, lines ending in `\\n`.
        source: its name in problems.
    """
    problems: list[Problem] = []
    return list(iterate_bibtex(text, source, problems)), problems


def iterate_bibtex(text: str, source: str, problems: list[Problem]) -> Iterator[RawBlock]:
    """Yield the blocks of a BibTeX file in order, and add what is wrong to `problems`; see `split_bibtex`."""
    return _Splitter(text, source, problems).blocks()


def split_entry(source: str) -> RawEntry | None:
    """Return the first entry in a piece of BibTeX, or None if there is none."""
    return next((block for block in iterate_bibtex(source, "", []) if isinstance(block, RawEntry)), None)


class _Splitter:
    """The scanner: one pass, no recursion."""

    def __init__(self, text: str, source: str, problems: list[Problem]) -> None:
        self.text, self.source, self.problems = text, source, problems
        self._line, self._counted = 1, 0
        self._vain = 0
        self._told: dict[str, int] = {}
        self._forms: dict[str, str] = {}
        """The name in each form of what stands before a braced value: blanks, name, equals sign, brace."""

    # Places and problems

    def line_at(self, offset: int) -> int:
        """Return the line of an offset; cheap for offsets near the last one asked for."""
        if offset >= self._counted:
            self._line += self.text.count("\n", self._counted, offset)
        else:
            self._line -= self.text.count("\n", offset, self._counted)
        self._counted = offset
        return self._line

    def report(
        self, code: str, severity: Severity, offset: int, message: str, raw: str = "", lost: bool = False
    ) -> None:
        """Add a problem at an offset."""
        self._told[code] = self._told.get(code, 0) + 1
        if self._told[code] > MOST_PROBLEMS:
            return
        column = offset - self.text.rfind("\n", 0, offset)
        location = Location(self.source, self.line_at(offset), column)
        self.problems.append(Problem(code, severity, location, message, raw, lost))

    def summarise(self) -> None:
        """Add one problem for each kind of which more were found than are told."""
        for code, count in self._told.items():
            if count > MOST_PROBLEMS:
                message = f"{count - MOST_PROBLEMS} more problems of the kind {code}"
                self.problems.append(Problem(code, "warning", Location(self.source), message, lost=True))

    # Blocks

    def blocks(self) -> Iterator[RawBlock]:
        """Yield the blocks in order; together they are the file, blanks between them too."""
        text, end, scan = self.text, 0, 0
        while found := _START.search(text, scan):
            start = found.start()
            if self.is_no_start(start):
                scan = found.end()
                continue
            if start > end:
                yield RawComment((end, start))
            block = self.block(found)
            yield block
            end = scan = block.span[1]
        if len(text) > end:
            yield RawComment((end, len(text)))
        self.summarise()

    def is_no_start(self, start: int) -> bool:
        """Say whether an `@` is that of an e-mail address, or follows a `%` at the beginning of its line."""
        before = start - 1
        if before >= 0 and self.text[before].isalnum():
            return True
        while before >= 0 and self.text[before] in " \t":
            before -= 1
        return before >= 0 and self.text[before] == "%" and (before == 0 or self.text[before - 1] in "\n%")

    def block(self, found: re.Match[str]) -> RawBlock:
        """Return the block that begins with `@word{`."""
        kind = found[1].lower()
        if kind == "comment":
            return RawComment((found.start(), self.comment_end(found.end() - 1)))
        closer = "}" if found[2] == "{" else ")"
        if kind == "string":
            fields, end = self.fields(found.end(), closer, "")
            return RawStrings(tuple(fields), (found.start(), end))
        if kind == "preamble":
            return self.preamble(found, closer)
        return self.entry(found, closer)

    def comment_end(self, start: int) -> int:
        """Return where an `@comment` ends: after its closing brace, or with its line if it has none."""
        if self.text[start] == "{" and not self.is_wary():
            depth = 0
            for brace in _BRACES.finditer(self.text, start):
                depth += 1 if brace[0] == "{" else -1
                if depth == 0:
                    return brace.end()
            self._vain += len(self.text) - start
        line_end = self.text.find("\n", start)
        return len(self.text) if line_end < 0 else line_end

    def preamble(self, found: re.Match[str], closer: str) -> RawPreamble:
        """Return an `@preamble`."""
        start = self.blanks(found.end())
        _, end = self.value(start, closer)
        source = self.text[start:end].strip()
        end = self.blanks(end)
        if self.text.startswith(closer, end):
            end += 1
        return RawPreamble(source, (found.start(), end))

    def entry(self, found: re.Match[str], closer: str) -> RawEntry:
        """Return an entry, whatever state it is in."""
        start = found.start()
        line = self.line_at(start)
        match = _KEYS[closer].match(self.text, found.end())
        key = (match[1] or "").strip() if match else ""
        position = match.end() if match else found.end()
        if not key:
            raw = self.text[start : start + _LINE_SHOWN].partition("\n")[0]
            self.report("missing-key", "warning", start, f"@{found[1]} has no citation key", raw)
        elif match and not match[2] and not self.text.startswith(closer, self.blanks(position)):
            self.report("missing-comma", "warning", position, f"no comma after the citation key {key!r}")
        fields, end = self.fields(position, closer, key)
        return RawEntry(found[1], key, tuple(fields), (start, end), line)

    # Fields

    def fields(self, position: int, closer: str, key: str) -> tuple[list[RawField], int]:
        """Return the fields up to the closing delimiter, and where what follows it begins."""
        text, stray_end = self.text, -1
        fields: list[RawField] = []
        while True:
            position = self.usual_fields(position, closer, fields)
            match = _FIELD.match(text, position)
            if match and (match[5] is None or match[5] == closer) and self.add_plain(match, fields):
                position = match.end()
                if match[5] is None:
                    continue
            gap = _GAP.match(text, position)
            begin = position = gap.end() if gap else position
            if position >= len(text) or self.is_entry_line(position):
                self.report(
                    "unclosed-entry",
                    "warning",
                    position,
                    f"{key or 'the block'} has no {closer!r} at its end",
                )
                return fields, position
            if text[position] == closer:
                if not _MORE_FIELDS.match(text, position + 1):
                    return fields, position + 1
                message = f"{key}: {closer!r} before the last field; it is left out"
                self.report("extra-brace", "warning", position, message)
                position += 1
            elif name := _NAME.match(text, position):
                position = self.slow_field(name, closer, key, fields)
            else:
                position = _WORD.match(text, position).end()  # type: ignore[union-attr]  # not at the end
                self.stray(begin, position, stray_end, key)
                stray_end = _GAP.match(text, position).end()  # type: ignore[union-attr]  # matches nothing too

    def usual_fields(self, position: int, closer: str, fields: list[RawField]) -> int:
        """Add the fields that come next as `name = {text},`; return where the first of another form begins.

        What a file has before its values recurs, so that each form is looked at once.
        """
        text, find, forms = self.text, self.text.find, self._forms
        while True:
            brace = find("{", position, position + _LONGEST_FORM)
            form = text[position : brace + 1]
            name = forms.get(form) or self.name_of_form(form)
            end = find("}", brace, brace + _LONGEST_TEXT) if name else -1
            if end < 0:
                return position
            value = text[brace + 1 : end]
            if "{" in value:
                nested = _BRACED.match(text, brace)
                if nested is None:
                    return position
                end, value = nested.end() - 1, nested[1]
            if "@" in value and _ENTRY_LINES.search(value):
                return position
            if text[end + 1 : end + 2] == ",":
                fields.append(RawField(name, value))
                position = end + 2
            elif closer == "}" and text.startswith("\n}", end + 1):
                fields.append(RawField(name, value))
                return end + 2
            else:
                return position

    def name_of_form(self, form: str) -> str:
        """Return the name in what stands before a braced value, or nothing where there is more or less."""
        found = _FORM.fullmatch(form)
        if found is None:
            return ""
        if len(self._forms) < _MOST_FORMS:
            self._forms[form] = found[1]
        return found[1]

    def add_plain(self, match: re.Match[str], fields: list[RawField]) -> bool:
        """Add a field that one pattern could read; False if its value looks as if a brace were missing."""
        name, braced, quoted, bare, _ = match.groups()
        if bare is not None:
            if bare[0].isdecimal() and not bare.isdecimal():
                return False
            fields.append(RawField(name, (Piece(bare, not bare.isdecimal()),), bare, match.start(1)))
            return True
        content = quoted if braced is None else braced
        if "\n" in content and "@" in content and _ENTRY_LINES.search(content):
            return False
        if quoted is not None and "\n" in content and _FIELD_LINES.search(content):
            return False
        fields.append(RawField(name, content) if quoted is None else RawField(name, content, f'"{content}"'))
        return True

    def slow_field(self, name: re.Match[str], closer: str, key: str, fields: list[RawField]) -> int:
        """Add a field that needs a closer look; return where the next begins."""
        text = self.text
        start = self.blanks(name.end())
        before = len(self.problems)
        pieces, end = self.value(start, closer)
        source = text[start:end].strip()
        if len(self.problems) > before and pieces:
            source = "{" + balanced("".join(piece.text for piece in pieces)) + "}"
        fields.append(RawField(name[1], tuple(pieces), source, name.start()))
        for index in range(before, len(self.problems)):
            told = self.problems[index]
            self.problems[index] = replace(told, message=f"{key}: {name[1]}: {told.message}")
        after = self.blanks(end)
        following = text[after : after + 1]
        if following == ",":
            return after + 1
        if following in ("}", ")") and following != closer:
            self.stray(after, after + 1, -1, key)
            return after + 1
        if following and following not in closer and following != "@":
            if _NAME.match(text, after):
                self.report("missing-comma", "warning", end, f"{key}: no comma after {name[1]}")
            else:
                return self.loose_text(after, key, fields)
        return after

    def loose_text(self, start: int, key: str, fields: list[RawField]) -> int:
        """Join text that follows a value without comma to that value; return where it ends."""
        field = fields[-1]
        end = _LOOSE.match(self.text, start).end()  # type: ignore[union-attr]  # matches nothing too
        loose = self.text[start:end].rstrip()
        if not loose:
            self.stray(start, start + 1, -1, key)
            return start + 1
        value = " ".join([*(piece.text for piece in field.pieces), loose])
        if not any(char in field.source for char in '{"'):
            value = self.text[self.text.find("=", field.start) + 1 : end].strip()
        fields[-1] = RawField(field.name, (Piece(value),), "{" + balanced(value) + "}", field.start)
        message = f"{key}: {field.name} goes on after its value; it is read as {value[:60]!r}"
        self.report("unquoted-value", "warning", start, message)
        return end

    def stray(self, start: int, end: int, stray_end: int, key: str) -> None:
        """Report text that belongs to no field; what follows straight on joins the same problem."""
        if start == stray_end and self.problems and self.problems[-1].code == "stray-text":
            last = self.problems[-1]
            if len(last.raw) < 500:
                raw = f"{last.raw} {self.text[start:end]}"
                self.problems[-1] = replace(last, raw=raw, lost=any(map(str.isalnum, raw)))
            return
        message = f"{key}: text that belongs to no field"
        raw = self.text[start:end]
        self.report("stray-text", "warning", start, message, raw, lost=any(map(str.isalnum, raw)))

    def is_entry_line(self, position: int) -> bool:
        """Say whether another entry begins here, at the beginning of a line."""
        if self.text[position] != "@":
            return False
        before = position - 1
        while before >= 0 and self.text[before] in " \t":
            before -= 1
        return (before < 0 or self.text[before] == "\n") and _START.match(self.text, position) is not None

    def blanks(self, position: int) -> int:
        """Return where the blanks at a position end."""
        return _BLANKS.match(self.text, position).end()  # type: ignore[union-attr]  # matches nothing too

    # Values

    def value(self, position: int, closer: str) -> tuple[list[Piece], int]:
        """Return the operands of a value, and where it ends."""
        text = self.text
        pieces: list[Piece] = []
        while True:
            sign = text[position : position + 1]
            if sign == "{":
                piece, position = self.braced(position)
            elif sign == '"':
                piece, position = self.quoted(position, closer)
            elif bare := _BARE.match(text, position):
                piece, position = self.bare(bare), bare.end()
            else:
                return pieces, position
            if piece is not None:
                pieces.append(piece)
            after = self.blanks(position)
            if not text.startswith("#", after):
                return pieces, position
            position = self.blanks(after + 1)

    def bare(self, bare: re.Match[str]) -> Piece:
        """Return a number or a macro's name; what begins as a number and is none is bare text."""
        text = bare[0]
        if text[0].isdecimal() and not text.isdecimal():
            self.report("unquoted-value", "warning", bare.start(), f"{text[:60]!r} stands without braces")
        return Piece(text, not text[0].isdecimal())

    def is_wary(self) -> bool:
        """Say whether so much has been looked at in vain that values must end at the next field-like line."""
        return self._vain > _VAIN * len(self.text) + 100_000

    def braced(self, start: int) -> tuple[Piece | None, int]:
        """Return the value whose brace opens at `start`, and where it ends."""
        depth = deepest = 1
        limit = len(self.text)
        tokens = _BRACES_OR_LINE if self.is_wary() else _BRACES_OR_ENTRY
        for token in tokens.finditer(self.text, start + 1):
            if token[0] == "{":
                depth += 1
                deepest = max(deepest, depth)
            elif token[0] == "}":
                depth -= 1
                if depth == 0:
                    if self.looks_unclosed(start, token.end()):
                        limit = token.start()
                        break
                    return self.closed(start, token.end(), deepest)
            else:
                limit = token.start()
                break
        return self.unclosed(start, limit, deepest, "}")

    def closed(self, start: int, end: int, deepest: int) -> tuple[Piece | None, int]:
        """Return a braced value that closes, unless it is nested too deep to be interpreted."""
        if deepest <= MAX_DEPTH:
            return Piece(self.text[start + 1 : end - 1]), end
        message = f"braces nested {deepest} deep; the value is kept but not read"
        self.report("deep-nesting", "warning", start, message, self.text[start:end], lost=True)
        return None, end

    def looks_unclosed(self, start: int, end: int) -> bool:
        """Say whether a value holds a line like a field and is not followed as a value should be."""
        after = self.blanks(end)
        if self.text[after : after + 1] in (",", "}", ")", "#"):
            return False
        return _FIELD_LINES.search(self.text, start, end) is not None

    def unclosed(self, start: int, limit: int, deepest: int, closer: str) -> tuple[Piece | None, int]:
        """Return a value that lacks its closing delimiter, cut at the first line that looks like a field."""
        line = _FIELD_LINES.search(self.text, start + 1, limit)
        end = line.start() if line else limit
        self._vain += limit - start
        content = without_surplus(self.text[start + 1 : end].rstrip().rstrip(",").rstrip())
        if deepest > MAX_DEPTH:
            message = f"braces nested {deepest} deep that do not close; the value is kept but not read"
            self.report("deep-nesting", "warning", start, message, self.text[start:end], lost=True)
            return None, end
        message = f"the value has no closing {closer!r}; it is ended before the next field or entry"
        self.report(
            "unbalanced-braces" if closer == "}" else "unclosed-quote", "warning", start, message, content
        )
        return Piece(balanced(content)), start + 1 + len(content)

    def quoted(self, start: int, closer: str) -> tuple[Piece | None, int]:
        """Return the value whose quote opens at `start`, and where it ends."""
        depth = deepest = 0
        limit = len(self.text)
        tokens = _QUOTES_OR_LINE if self.is_wary() else _QUOTES_OR_ENTRY
        for token in tokens.finditer(self.text, start + 1):
            if token[0] == "{":
                depth += 1
                deepest = max(deepest, depth)
            elif token[0] == "}" and depth:
                depth -= 1
            elif token[0] == '"':
                if depth == 0 and self.ends_quote(token.end(), closer):
                    if self.quote_looks_unclosed(start, token.end()):
                        break
                    return self.closed(start, token.end(), deepest)
            else:
                limit = token.start()
                break
        return self.unclosed(start, limit, deepest, '"')

    def ends_quote(self, position: int, closer: str) -> bool:
        """Say whether a quote that stands before `position` ends its value, and is not one inside it."""
        after = self.blanks(position)
        if self.text[after : after + 1] in ("", ",", "#", closer) or "\n" in self.text[position:after]:
            return True
        return _INNER_QUOTE.match(self.text, position) is None

    def quote_looks_unclosed(self, start: int, end: int) -> bool:
        """Say whether a quoted value holds a line that looks like a field: a quote was forgotten."""
        return _FIELD_LINES.search(self.text, start, end) is not None


def balanced(value: str) -> str:
    """Return a value with braces added or taken away at its end so that they balance.

    >>> balanced("a {b"), balanced("a} b")
    ('a {b}', 'a b')
    """
    kept, depth, position = [], 0, 0
    for brace in _BRACES.finditer(value):
        if brace[0] == "{":
            depth += 1
        elif depth:
            depth -= 1
        else:
            kept.append(value[position : brace.start()])
            position = brace.end()
    return "".join([*kept, value[position:], "}" * depth])


def without_surplus(value: str) -> str:
    r"""Return a value without the braces at its end that close nothing, such as the entry's own.

    >>> without_surplus("a {b}\n}")
    'a {b}'
    """
    surplus = value.count("}") - value.count("{")
    while surplus > 0 and value.endswith("}"):
        value = value[:-1].rstrip()
        surplus -= 1
    return value
