"""Lists of abstracts: what each paragraph is as a whole: heading, head of a work, or body.

Wrong titles are worse than none, so a paragraph without a label counts as the head of the next abstract only
on evidence: the label `Abstract` follows, or names do, or every abstract of the list has such a line above.
"""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from bibtools.readers.list_fields import (
    LINKED,
    QUOTES,
    SENTENCE_MARKS,
    bare_emphasis,
    looks_like_authors,
    looks_like_names,
    looks_like_title,
    parse_label,
    parse_links,
)
from bibtools.readers.list_ids import parse_work_id
from bibtools.readers.list_lines import Line, Paragraph, count_words, is_underline, strip_bullet
from bibtools.text.patterns import LazyPattern

Role = Literal["heading", "head", "body"]
HEADING_WORDS = 15
"""Most words of a heading without a mark."""
SHORT_WORDS = 40
"""Most words of a paragraph that stands before the label `Abstract` and belongs to its work."""
LONG_WORDS = 30
"""Least words of a paragraph that a line above it may be the title of."""
MARKED_HEADING = LazyPattern(r"\s{0,3}#{1,6}\s+(\S.*?)\s*#*\s*\Z")
ADDRESS = LazyPattern(r"https?://|www\.|\b10\.\d{4,9}/")
LONGEST_LINE = 400
"""Characters of a line that can be a heading or the head of a work."""


class Outlined(NamedTuple):
    """A paragraph and its role."""

    role: Role
    paragraph: Paragraph
    heading: str = ""
    """The heading without its marks."""


def outline(paragraphs: Sequence[Paragraph]) -> Iterator[Outlined]:
    """Yield each paragraph with its role."""
    before_label = _stand_before_label(paragraphs)
    regular = _regular_heads(paragraphs)
    for place, paragraph in enumerate(paragraphs):
        following = paragraphs[place + 1] if place + 1 < len(paragraphs) else ()
        names_follow = _is_names(following)
        marked = marked_heading(paragraph)
        if marked and not (names_follow and before_label[place]):
            yield Outlined("heading", paragraph, marked)
        elif place == 0 and not names_follow and is_heading(paragraph):
            yield Outlined("heading", paragraph, strip_bullet(paragraph[0]).text.strip())
        elif before_label[place] or place in regular or _is_named_title(paragraphs, place):
            yield Outlined("head", paragraph, marked)
        else:
            yield Outlined("body", paragraph)


def marked_heading(paragraph: Paragraph) -> str:
    """Return the text of a heading that `#` or an underline marks as one; empty for another paragraph."""
    if len(paragraph) == 2 and is_underline(paragraph[1].text):
        return paragraph[0].text.strip()
    is_marked = len(paragraph) == 1 and paragraph[0].text.lstrip().startswith("#")
    marked = MARKED_HEADING.match(paragraph[0].text[:LONGEST_LINE]) if is_marked else None
    return "" if not marked or parse_label(paragraph[0].text.strip()) else marked[1]


def is_heading(paragraph: Paragraph) -> bool:
    """Return whether the first paragraph of a list is its heading."""
    if len(paragraph) > 1 or len(paragraph[0].text) > LONGEST_LINE:
        return False
    line = strip_bullet(paragraph[0]).text.strip()
    return (
        0 < count_words(line) <= HEADING_WORDS
        and line[-1] not in SENTENCE_MARKS
        and not ADDRESS.search(line)
        and not parse_label(line)
        and not parse_work_id(line)
    )


def has_abstract_label(paragraph: Paragraph) -> bool:
    """Return whether a line of the paragraph is labelled as the abstract."""
    labels = (parse_label(strip_bullet(line).text) for line in paragraph)
    return any(label and label.meaning == "abstract" for label in labels)


def _stand_before_label(paragraphs: Sequence[Paragraph]) -> list[bool]:
    """Return for each paragraph whether it holds the label `Abstract`, or only short ones lie between."""
    found: list[bool] = []
    leads = False
    for paragraph in reversed(paragraphs):
        leads = has_abstract_label(paragraph) or (leads and _is_short(paragraph))
        found.append(leads)
    return found[::-1]


def _is_short(paragraph: Paragraph) -> bool:
    """Return whether no line without a label is long enough for an abstract."""
    bare = [line.text.strip() for line in map(strip_bullet, paragraph) if not parse_label(line.text)]
    if any(len(line) > LONGEST_LINE or line.rstrip(QUOTES).endswith((".", "。", "！")) for line in bare):
        return False
    return sum(map(count_words, bare)) <= SHORT_WORDS


def _is_long(paragraph: Paragraph) -> bool:
    """Return whether the paragraph has the length of an abstract."""
    return sum(count_words(line.text[:LONGEST_LINE]) for line in paragraph[:LONG_WORDS]) >= LONG_WORDS


def _is_names(paragraph: Paragraph) -> bool:
    """Return whether the paragraph is one line of names, with or without the label for it."""
    if not paragraph:
        return False
    line = strip_bullet(paragraph[0]).text.strip()
    label = parse_label(line)
    return bool(label and label.meaning == "authors") or (len(paragraph) == 1 and looks_like_authors(line))


def _is_title(paragraph: Paragraph) -> bool:
    """Return whether the paragraph is one line that looks like a title."""
    return len(paragraph) == 1 and looks_like_title(strip_bullet(paragraph[0]).text)


def _is_named_title(paragraphs: Sequence[Paragraph], place: int) -> bool:
    """Return whether title and names stand here above a long paragraph, in one paragraph or in two."""
    paragraph = paragraphs[place]
    below = paragraphs[place + 1 : place + 3]
    if not below or len(paragraph) > 2 or len(paragraph[0].text) > LONGEST_LINE:
        return False
    if len(paragraph) == 2 and looks_like_authors(paragraph[1].text):
        return looks_like_title(strip_bullet(paragraph[0]).text) and _is_long(below[0])
    if len(paragraph) == 1 and _is_linked_title(paragraph[0].text):
        return True
    if _is_names(paragraph):
        return place > 0 and _is_title(paragraphs[place - 1]) and _is_long(below[0])
    return len(below) == 2 and _is_title(paragraph) and _is_names(below[0]) and _is_long(below[1])


def _is_linked_title(line: str) -> bool:
    """Return whether the line is one Markdown link that leads to a work."""
    if "](" not in line or len(line) > LONGEST_LINE:
        return False
    linked = LINKED.fullmatch(bare_emphasis(strip_bullet(Line(line, 0, 0)).text.strip()))
    return linked is not None and bool(parse_work_id(linked["url"])) and not parse_links(linked[0])


def _regular_heads(paragraphs: Sequence[Paragraph]) -> range | frozenset[int]:
    """Return the places of titles, and of names, where each long paragraph of the list has them above it.

    That is: title, abstract, title, abstract …, or title, names, abstract …; at least two of each.
    """
    has_heading = bool(paragraphs) and (is_heading(paragraphs[0]) or bool(marked_heading(paragraphs[0])))
    for start in (1, 0) if has_heading else (0,):
        body = paragraphs[start:]
        if len(body) >= 4 and len(body) % 2 == 0 and _alternate(body, 2):
            return range(start, len(paragraphs), 2)
        if len(body) >= 6 and len(body) % 3 == 0 and _alternate(body, 3):
            return frozenset(place for place in range(start, len(paragraphs)) if (place - start) % 3 < 2)
    return frozenset()


def _alternate(body: Sequence[Paragraph], period: int) -> bool:
    """Return whether titles, names if the period is three, and abstracts take turns."""
    if not all(map(_is_title, body[::period])) or not all(map(_is_long, body[period - 1 :: period])):
        return False
    if period == 3 and not all(len(names) == 1 and looks_like_names(names[0].text) for names in body[1::3]):
        return False
    from bibtools.mapping.venues import parse_heading  # takes a while to load, and few lists need it

    return not any(parse_heading(title[0].text) for title in body[::period])
