"""Lists of abstracts, stage 1: lines, and the paragraphs that blank lines, rules and bullets make of them."""

from collections.abc import Iterator
from typing import NamedTuple

from bibtools.text.patterns import LazyPattern

INVISIBLE = " \t\r\f\v\u00a0\u00ad\u200b\u200c\u200d\u2060\ufeff\u3000"
LONGEST_RULE = 400
"""Characters of a rule between paragraphs."""
LONGEST_QUOTE = 40
"""Characters at the start of a line in which quotation marks of e-mail are looked for."""
QUOTE = LazyPattern(r"\s*(?:>\s?)+")
BULLET = LazyPattern(
    r"(?P<symbol>[-*+•‣◦▪●○–·])\s+"
    r"|(?P<number>\(?\d{1,4}[.)．）]\s+|\[\d{1,4}\]:?\s+|#\d{1,4}[.:]?\s+|（\d{1,4}）\s*|\d{1,3}、\s*|[①-⑳]\s*)"
)
FIRST_ASIAN, LAST_ASIAN = "\u2e80", "\uffef"
"""Between these lie the scripts that are written without blanks, and Hangul, which does not matter here."""
LETTERS_OF_WORD = 2
"""Letters of a script without blanks that count as one word."""


class Line(NamedTuple):
    """One line, without quotation marks of e-mail or Markdown before it."""

    text: str
    number: int
    """From 1."""
    start: int
    """Place of its first character in the whole text."""

    @property
    def end(self) -> int:
        """Place after its last character."""
        return self.start + len(self.text)

    def after(self, length: int) -> "Line":
        """Return the rest of the line after so many characters."""
        return Line(self.text[length:], self.number, self.start + length)


Paragraph = tuple[Line, ...]


def split_paragraphs(text: str) -> Iterator[Paragraph]:
    """Yield the paragraphs: runs of lines between blank lines or rules, and the items of bulleted lists."""
    lines: list[Line] = []
    for line in _split_lines(text):
        underlines = lines and len(lines) == 1 and len(lines[0].text) < 120 and is_underline(line.text)
        if not line.text.strip(INVISIBLE) or (is_rule(line.text) and not underlines):
            yield from _split_items(tuple(lines))
            lines = []
        else:
            lines.append(line)
    yield from _split_items(tuple(lines))


def is_underline(text: str) -> bool:
    """Return whether the line only underlines the one above it, as Markdown's headings have it."""
    return len(text.strip()) >= 3 and set(text.strip()) in ({"="}, {"-"})


def is_rule(text: str) -> bool:
    """Return whether the line only parts what is above from what is below: `---`, `* * *`."""
    marks = "".join(text.split()) if len(text) <= LONGEST_RULE else ""
    return len(marks) >= 3 and set(marks) <= set("-*_=~—–")


def strip_bullet(line: Line) -> Line:
    """Return the line without blanks, bullet or number before its text."""
    bare = line.after(len(line.text) - len(line.text.lstrip(INVISIBLE)))
    bullet = BULLET.match(bare.text)
    return bare.after(bullet.end()) if bullet else bare


def join_lines(text: str) -> str:
    """Return wrapped lines as one; no blank comes between letters of scripts that have none."""
    if "\n" not in text:
        return text.strip(INVISIBLE)
    lines = (QUOTE.sub("", line, count=1) if ">" in line else line for line in text.split("\n"))
    whole = ""
    pieces: list[str] = []
    for line in filter(None, (line.strip(INVISIBLE) for line in lines)):
        together = not whole or (is_asian(whole[-1]) and is_asian(line[0]))
        pieces += [line] if together else [" ", line]
        whole = line
    return "".join(pieces)


def is_asian(letter: str) -> bool:
    """Return whether the letter is of a script without blanks between words, or one of its marks."""
    return FIRST_ASIAN <= letter <= LAST_ASIAN


def count_words(text: str) -> int:
    """Return the number of words, of any script."""
    if not text or max(text) < FIRST_ASIAN:
        return len(text.split())
    asian = sum(map(is_asian, text))
    others = "".join(" " if is_asian(letter) else letter for letter in text)
    return asian // LETTERS_OF_WORD + len(others.split())


def _split_lines(text: str) -> Iterator[Line]:
    """Yield the lines of a text."""
    start = 0
    for number, raw in enumerate(text.split("\n"), 1):
        quote = QUOTE.match(raw) if ">" in raw[:LONGEST_QUOTE] else None
        skip = quote.end() if quote else 0
        yield Line(raw[skip:], number, start + skip)
        start += len(raw) + 1


def _split_items(lines: Paragraph) -> Iterator[Paragraph]:
    """Yield the items of a list without blank lines between them, or the paragraph as it is."""
    if not lines:
        return
    first = _bullet_of(lines[0])
    starts = [place for place, line in enumerate(lines) if first and _is_item(line, *first)]
    for start, end in zip(starts or [0], [*starts[1:], len(lines)], strict=True):
        yield lines[start:end]


def _bullet_of(line: Line) -> tuple[str, int] | None:
    """Return the kind of bullet before a line and how far it is indented, or None."""
    indent = len(line.text) - len(line.text.lstrip(INVISIBLE))
    bullet = BULLET.match(line.text, indent)
    return (bullet["symbol"] or "number", indent) if bullet else None


def _is_item(line: Line, kind: str, indent: int) -> bool:
    """Return whether the line starts an item of the list whose first one has this bullet."""
    bullet = _bullet_of(line)
    return bullet is not None and bullet[0] == kind and bullet[1] <= indent + 1
