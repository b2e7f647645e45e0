"""Lists of abstracts, stage 3: which fields belong to which abstract.

A label, an identifier or a title before an abstract in its paragraph belongs to it, and so does one after it.
Of a paragraph that holds nothing else, a title, names or a kind of presentation begin a new work; the rest
belongs to the abstract above.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from msgspec import Struct

from bibtools.readers.list_fields import (
    Label,
    is_emphasised,
    looks_like_authors,
    looks_like_title,
    parse_label,
    parse_links,
)
from bibtools.readers.list_ids import parse_work_id
from bibtools.readers.list_lines import Line, Paragraph, count_words, strip_bullet
from bibtools.readers.list_outline import LONGEST_LINE, Role
from bibtools.text.patterns import LazyPattern
from bibtools.text.urls import find_urls

BEGINS_WORK = ("title", "authors", "marker")
TEXTS = ("abstract", "text")
STARTS = ("abstract", "text", "title", "authors")
"""What begins a new work where it follows in the same paragraph."""
LONG_VALUES = ("abstract", "text")
TITLED_WORDS = 20
"""Least words of the text below a line that may be its title."""
WRAPPED_WIDTH = 60
"""Least length of a line that a program has wrapped."""
UNWRAPPED = 250
"""Length from which a line is a whole paragraph."""
SENTENCE_OPENING = LazyPattern(
    r"(?:we|our|this|these|it|in|i|here|there|wir|diese[rs]?|nous|ce|cette|nosotros|este|esta)\b|我们|本文|本研究|本論文",
    re.IGNORECASE,
)
"""How sentences of an abstract begin, and titles do not."""


Lines = Sequence[Line]


class Field(NamedTuple):
    """A labelled value, or a line without a label."""

    label: str
    meaning: str
    lines: Lines


class Record(Struct):
    """An abstract and what stands round it; filled line by line."""

    lines: list[Line] = []
    """The abstract's lines, without its label; none for a work that only has fields."""
    title: Lines = ()
    authors: Lines = ()
    head: list[Line] = []
    """Lines before the label `Abstract`, not told apart yet."""
    fields: list[Field] = []
    ids: list[tuple[str, Line]] = []
    """Works named by a line of their own, as `scheme:id`."""
    paragraph: int = -1
    """Number of the paragraph that the abstract is in."""

    ids_paragraph: int = -1
    """Number of the paragraph that the last of its identifiers is in."""

    def has_abstract(self) -> bool:
        """Return whether there is an abstract, and not its label alone."""
        return any(line.text.strip() for line in self.lines)

    def is_empty(self) -> bool:
        """Return whether nothing has been put in."""
        return not (self.lines or self.title or self.authors or self.head or self.fields or self.ids)


class Item(NamedTuple):
    """One or more lines of a paragraph that go together."""

    kind: Literal["id", "field", "text"]
    lines: list[Line]
    label: Label | None = None
    work: str = ""

    @property
    def meaning(self) -> str:
        """The label's meaning, or the kind."""
        return self.label.meaning if self.label else self.kind


class Gatherer:
    """Takes paragraphs in order and makes records of them."""

    def __init__(self, ids_above: bool) -> None:
        self.records: list[Record] = []
        self._ids_above = ids_above
        self._record = Record()
        self._paragraph = 0

    def add(self, items: Sequence[Item], role: Role) -> None:
        """Take the items of the next paragraph."""
        self._paragraph += 1
        label_at = next((place for place, item in enumerate(items) if item.meaning == "abstract"), len(items))
        last_text = max((place for place, item in enumerate(items) if item.meaning in TEXTS), default=-1)
        last_start = max((place for place, item in enumerate(items) if item.meaning in STARTS), default=-1)
        for place, item in enumerate(items):
            if item.meaning == "abstract":
                self._add_abstract(item.lines)
            elif item.kind != "text":
                self._add_field(item, begins=place < last_start)
            elif role == "head":
                self._add_head(item) if place < label_at else self._add_remark(item)
            else:
                self._add_text(item.lines, may_be_all=place < last_text)

    def close(self) -> None:
        """End the record that is being filled."""
        if not self._record.is_empty():
            self.records.append(self._record)
        self._record = Record()

    def _begin_if_done(self) -> None:
        """Begin a new record if this one has its abstract."""
        if self._record.has_abstract():
            self.close()

    def _add_text(self, lines: Lines, may_be_all: bool) -> None:
        """Put an abstract without a label into a record, with the title and the names above it."""
        self._begin_if_done()
        if self._record.title and looks_like_authors(lines[0].text) and _has_words(lines[1:]):
            self._add_abstract(lines[1:], authors=lines[:1])
        else:
            title, authors, rest = split_title(lines, may_be_all)
            self._add_abstract(rest, title, authors)

    def _add_head(self, item: Item) -> None:
        """Keep lines before the label `Abstract`."""
        self._begin_if_done()
        self._record.head += item.lines

    def _add_abstract(self, lines: Lines, title: Lines = (), authors: Lines = ()) -> None:
        """Put an abstract into the record, a new one if this one has its own."""
        self._begin_if_done()
        self._record.title = title or self._record.title
        self._record.authors = authors or self._record.authors
        self._record.lines = list(lines)
        self._record.paragraph = self._paragraph

    def _add_field(self, item: Item, begins: bool) -> None:
        """Put a field or an identifier into the record that it belongs to.

        Args:
            begins: the paragraph goes on with what begins a new work.
        """
        record = self._record
        begins_work = item.meaning in BEGINS_WORK
        if record.lines and record.paragraph != self._paragraph:
            alone = item.kind == "id" and (self._ids_above or bool(record.ids))
            begins_work = begins or alone or begins_work
        elif not record.lines:
            begins_work = (item.meaning == "title" and bool(record.title)) or self._is_next_work(item)
        if begins_work:
            self.close()
        record = self._record
        if item.kind == "id":
            record.ids.append((item.work, item.lines[0]))
            record.ids_paragraph = self._paragraph
        elif item.meaning == "title":
            record.title = item.lines
        elif item.meaning == "authors" and not record.authors:
            record.authors = item.lines
        elif item.label:
            record.fields.append(Field(item.label.name, item.meaning, item.lines))

    def _is_next_work(self, item: Item) -> bool:
        """Return whether an identifier names another work than those above, with no abstract between."""
        record = self._record
        if item.kind != "id" or not record.ids:
            return False
        schemes = {work.partition(":")[0] for work, _ in record.ids}
        return item.work.partition(":")[0] in schemes or record.ids_paragraph != self._paragraph

    def _add_remark(self, item: Item) -> None:
        """Keep a line after a labelled abstract, or begin a new one if it is long enough for that."""
        if _has_words(item.lines):
            self._add_abstract(item.lines)
        else:
            self._record.fields += [Field("", "line", (line,)) for line in item.lines]


def split_items(paragraph: Paragraph) -> list[Item]:
    """Return the lines told apart: identifiers, labelled values with the lines that go on, text."""
    if all(_is_address(line) for line in paragraph):
        return [Item("field", [strip_bullet(line)], Label("", "page", 0)) for line in paragraph]
    items: list[Item] = []
    width = max(len(line.text) for line in paragraph)
    for place, line in enumerate(paragraph):
        bare = strip_bullet(line)
        work = parse_work_id(bare.text)
        label = None if work else parse_label(bare.text)
        if label and label.meaning == "id":
            work = parse_work_id(bare.text[label.length :]) if label.name.lower() == "bibtools" else ""
        if work:
            items.append(Item("id", [bare], work=work))
        elif label:
            items.append(Item("field", [bare.after(label.length)], label))
        elif links := parse_links(bare.text):
            items += [Item("field", [bare._replace(text=url)], link) for link, url in links]
        elif items and _goes_on(items[-1], line, width):
            items[-1].lines.append(line)
        else:
            items.append(Item("text", [bare if place == 0 else line]))
    return items


def _is_address(line: Line) -> bool:
    """Return whether the line is one address, and not that of a work."""
    words = line.text.split(maxsplit=2)
    if not words or len(words) > 2 or len(line.text) > LONGEST_LINE:
        return False
    bare = strip_bullet(line).text.strip()
    return len(bare.split()) == 1 and bool(find_urls(bare)) and not parse_work_id(bare) and "](" not in bare


def split_title(lines: Lines, may_be_all: bool) -> tuple[Lines, Lines, Lines]:
    """Return title, authors and abstract of lines without labels; the first two only on good evidence.

    Args:
        may_be_all: there is further text in the paragraph, so that title and authors may be all of this.
    """
    whole = (), (), lines
    if len(lines) < (1 if may_be_all else 2) or len(lines[0].text) > LONGEST_LINE:
        return whole
    named = len(lines) > 1 and looks_like_authors(lines[1].text)
    rest = lines[2:] if named else lines[1:]
    told = named or is_emphasised(lines[0].text)
    if not looks_like_title(lines[0].text) or not (
        (may_be_all and told and not rest)
        or (_has_words(rest) and (told or _stands_apart(lines[0].text, [line.text for line in rest])))
    ):
        return whole
    return lines[:1], lines[1:2] if named else (), rest


def _has_words(lines: Lines) -> bool:
    """Return whether the lines are enough for an abstract with something above it."""
    return sum(count_words(line.text) for line in lines) >= TITLED_WORDS


def _stands_apart(first: str, rest: Sequence[str]) -> bool:
    """Return whether the first line was ended on purpose: the lines below are one, or filled to a margin."""
    first = first.strip()
    opening = rest[0].lstrip()
    if SENTENCE_OPENING.match(first) or opening[:1].islower():
        return False
    if len(rest) == 1:
        return len(rest[0]) >= UNWRAPPED
    width = max(map(len, rest))
    filled = all(len(line) + 1 + len(_first_word(after)) > width for line, after in pairwise(rest))
    return (
        len(rest) >= 3
        and width >= WRAPPED_WIDTH
        and filled
        and len(first) + 1 + len(_first_word(opening)) <= width
    )


def _first_word(line: str) -> str:
    """Return what stands before the first blank of a line."""
    return line.split(maxsplit=1)[0] if line.strip() else ""


def _goes_on(item: Item, line: Line, width: int) -> bool:
    """Return whether an unlabelled line belongs to the item above it."""
    if item.kind != "field":
        return item.kind == "text"
    last = item.lines[-1].text
    if item.meaning in LONG_VALUES or not last.strip():
        return True
    return (
        len(line.text) <= LONGEST_LINE
        and width >= WRAPPED_WIDTH
        and len(last) + 1 + len(_first_word(line.text)) > width - 1
        and not parse_work_id(line.text)
    )


def ids_stand_above(paragraphs: Iterable[Sequence[Item]]) -> bool:
    """Return whether an identifier between blank lines belongs to what is below: the first one tells."""
    seen_abstract = False
    for items in paragraphs:
        has_abstract = any(item.kind == "text" or item.meaning == "abstract" for item in items)
        if any(item.kind == "id" for item in items):
            return items[0].kind == "id" if has_abstract else not seen_abstract
        seen_abstract |= has_abstract
    return False
