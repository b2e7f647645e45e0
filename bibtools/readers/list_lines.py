"""Lists of abstracts, stage 1: lines, and the paragraphs that blank lines, rules and bullets make of them."""

import re
from collections.abc import Iterator
from typing import NamedTuple

INVISIBLE = " \t\r\f\v\u00a0\u00ad\u200b\u200c\u200d\u2060\ufeff\u3000"
RULE = re.compile(r"\s*(?:[-*_=~—–]\s*){3,}\Z")
QUOTE = re.compile(r"\s*(?:>\s?)+")
BULLET = re.compile(
    r"(?P<symbol>[-*+•‣◦▪●○–·])\s+"
    r"|(?P<number>\(?\d{1,4}[.)．）]\s+|\[\d{1,4}\]:?\s+|#\d{1,4}[.:]?\s+|（\d{1,4}）\s*|\d{1,3}、\s*|[①-⑳]\s*)"
)
ASIAN = "\u3000-\u303f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef"
ASIAN_BREAK = re.compile(rf"(?<=[{ASIAN}])\n(?=[{ASIAN}])")
WORD = re.compile(rf"[{ASIAN}]|[^\W{ASIAN}]+(?:[-'’.][^\W{ASIAN}]+)*")
WORDS_OF_ASIAN = 2
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
        if not line.text.strip(INVISIBLE) or (RULE.match(line.text) and not underlines):
            yield from _split_items(tuple(lines))
            lines = []
        else:
            lines.append(line)
    yield from _split_items(tuple(lines))


def is_underline(text: str) -> bool:
    """Return whether the line only underlines the one above it, as Markdown's headings have it."""
    return len(text.strip()) >= 3 and set(text.strip()) in ({"="}, {"-"})


def strip_bullet(line: Line) -> Line:
    """Return the line without blanks, bullet or number before its text."""
    bare = line.after(len(line.text) - len(line.text.lstrip(INVISIBLE)))
    bullet = BULLET.match(bare.text)
    return bare.after(bullet.end()) if bullet else bare


def join_lines(text: str) -> str:
    """Return wrapped lines as one; no blank comes between letters of scripts that have none."""
    lines = (QUOTE.sub("", line, count=1).strip(INVISIBLE) for line in text.split("\n"))
    return ASIAN_BREAK.sub("", "\n".join(line for line in lines if line)).replace("\n", " ")


def count_words(text: str) -> int:
    """Return the number of words, of any script."""
    words = WORD.findall(text)
    asian = sum(1 for word in words if len(word) == 1 and word > "\u2fff")
    return len(words) - asian + asian // WORDS_OF_ASIAN


def _split_lines(text: str) -> Iterator[Line]:
    """Yield the lines of a text."""
    start = 0
    for number, raw in enumerate(text.split("\n"), 1):
        quote = QUOTE.match(raw)
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
