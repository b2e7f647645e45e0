"""Lists of abstracts, stage 2: what one line is. Labels, names, titles; each only on good evidence."""

import re
from functools import cache, lru_cache
from typing import NamedTuple

from bibtools.model import Contributor
from bibtools.readers.list_lines import count_words, is_asian
from bibtools.tables import read_table
from bibtools.text.patterns import LazyPattern

LONGEST_HEAD = 200
"""Characters of a line that a label is looked for in."""
LONGEST_LABEL = 100
"""Characters of a line that is nothing but a label."""
LONGEST_TITLE = 400
LONGEST_NAMES = 4000
"""Characters of a line of names."""
OPENING = r"(?:[*_]{1,3}|#{1,6}\s+|<(?:b|strong|i|em|h\d)>|\\textbf\{)?\s*"
CLOSING = r"(?:[*_]{1,3}|</(?:b|strong|i|em|h\d)>|\})?"
NAME = r"(?P<label>[^\W\d_][^:：*_<>{}\[\]【】\n]{0,59}?)"
LABELS = (
    LazyPattern(rf"{OPENING}{NAME}\s*{CLOSING}\s*[:：]\s*{CLOSING}\s*"),
    LazyPattern(rf"[【\[]{NAME}\s*[】\]](?!\()\s*[:：]?\s*"),
    LazyPattern(rf"{OPENING}{NAME}\s*{CLOSING}\s*\Z"),
    LazyPattern(rf"{OPENING}{NAME}{CLOSING} {{0,4}}\t\s*"),
)
"""A label with a colon, in brackets, alone on its line, or before a tab."""
DASHED = LazyPattern(
    r"[*_]{0,3}(?P<label>abstract|zusammenfassung|résumé|resumen|title|authors?)[*_]{0,3}\s*(?:[.—–]|--+|\s-\s)[*_]{0,3}"
    r"\s*(?=\S)",
    re.IGNORECASE,
)
SENTENCE_MARKS = ".!?。！？…;；,，、"
QUOTES = "\"'”’“»«)"
TWO_SENTENCES = LazyPattern(r"[^\W\d_]{3}\. [A-Z]|[。！？]\w")
OPEN_WORDS = frozenset(
    ("a", "an", "and", "by", "for", "from", "in", "is", "of", "on", "or", "the", "to", "via", "we", "with")
)
"""Words that no title ends in: the line was broken there."""
EMPHASIS = LazyPattern(r"(\*\*\*|\*\*|__|\*|_)(?=\S)(.+?)(?<=\S)\1")
LINKED = LazyPattern(
    r"\[(?P<words>[^\[\]]{1,300})\]\((?P<url>[^()\s]{1,500}(?:\([^()\s]{0,100}\)[^()\s]{0,200})?)\)"
)
FOOTNOTE_MARKS = LazyPattern(
    r"[\d*†‡§¶∗⋆,]+(?=\s|\Z|[,;·])|[⁰¹²³⁴-⁹]+|\$\^\{?[^$]{0,12}\$|\([^()]{0,80}\)|<sup>.{0,20}?</sup>"
)
NAME_BREAK = LazyPattern(r"\s*(?:[;·•,，、；]|\band\b|\bund\b|\bet\b|&|\s\|\s)\s*")
TRUNCATED = LazyPattern(r"[\s,，]*(?:et al\.?|and others|等人?|ほか|外)\s*\Z", re.IGNORECASE)
NAME_WORD = LazyPattern(r"[^\W\d_](?:[^\W\d_]|['’.\u2010-])*|[^\W\d_]\.")
NAME_PARTICLES = "al bin da das de del della den der di do dos du el ibn la le ten ter van von y zu"
PARTICLES = frozenset(NAME_PARTICLES.split())
ASIAN_NAME = (2, 4)
"""Least and most letters of a name in a script without blanks."""


class Label(NamedTuple):
    """A label at the start of a line, and what stands after it."""

    name: str
    """As written, without marks."""
    meaning: str
    length: int
    """Characters from the line's start to the value."""


@cache
def _meanings() -> dict[str, str]:
    """Return the meaning of each known label, by its folded name."""
    return {row["label"]: row["meaning"] for row in read_table("list_labels")}


def parse_label(line: str) -> Label | None:
    """Return the label that a line without bullet starts with, or is; None if it has none.

    >>> parse_label("**Authors:** Ada Byron"), parse_label("Tides: a Survey")
    (Label(name='Authors', meaning='authors', length=13), None)
    """
    return _parse_head(line[:LONGEST_HEAD])


@lru_cache(maxsize=256)  # a line is looked at several times, from different sides
def _parse_head(head: str) -> Label | None:
    """Return the label that the first characters of a line hold, or are."""
    if head.lstrip("*_")[:1].lower() in "atzr":
        dashed = DASHED.match(head)
        if dashed:
            return _known_label(dashed)
    with_colon, bracketed, alone, tabbed = LABELS
    if "\t" in head:
        found = _known_label(tabbed.match(head))
        if found:
            return found
    if ":" in head or "：" in head:
        return _known_label(with_colon.match(head))
    if head[:1] in ("[", "【"):
        return _known_label(bracketed.match(head))
    return _known_label(alone.match(head)) if len(head) < LONGEST_LABEL else None


def _known_label(found: re.Match[str] | None) -> Label | None:
    """Return the label that a pattern has found, if the table has it."""
    meaning = _meanings().get(" ".join(found["label"].casefold().split())) if found else None
    if not found or not meaning or (meaning == "marker" and found.end() < len(found.string)):
        return None
    return Label(found["label"], meaning, found.end())


def parse_links(line: str) -> list[tuple[Label, str]]:
    """Return labels and addresses of a line of links only, such as `[paper](…) | [code](…)`; else none.

    >>> [(label.meaning, url) for label, url in parse_links("[pdf](https://a.example/a), [code](https://a.example/b)")]
    [('id', 'https://a.example/a'), ('code', 'https://a.example/b')]
    """
    links = list(LINKED.finditer(line)) if "](" in line[:LONGEST_NAMES] else []
    meanings = [
        _meanings().get(" ".join(bare_emphasis(link["words"]).casefold().split()), "") for link in links
    ]
    if not all(meanings) or re.search(r"\w", LINKED.sub("", line)):
        return []
    return [
        (Label(link["words"], meaning if meaning in ("code", "page") else "id", 0), link["url"])
        for link, meaning in zip(links, meanings, strict=True)
    ]


def parse_authors(value: str) -> tuple[tuple[Contributor, ...], bool]:
    """Return the people that an authors line names, and whether it is cut off (`et al.`)."""
    from bibtools.text.ris_names import parse_ris_name  # only lists with names need it

    whole = TRUNCATED.sub("", bare_words(value))
    bare = FOOTNOTE_MARKS.sub(_keep_separator, whole).strip(" .")
    if ";" in bare and "," in bare:  # family, given; family, given
        people = tuple(parse_ris_name(part.strip()) for part in bare.split(";") if part.strip())
    else:
        people = tuple(_parse_name(part) for part in NAME_BREAK.split(bare) if part.strip())
    return people, whole != bare_words(value)


def looks_like_authors(line: str) -> bool:
    """Return whether an unlabelled line is a list of at least two names, and nothing else."""
    bare = TRUNCATED.sub("", bare_words(line).strip())
    if (
        not bare
        or len(bare) > LONGEST_NAMES
        or bare[-1] in SENTENCE_MARKS
        or any(mark in bare for mark in ":?!=")
    ):
        return False
    names = [
        name.strip() for name in NAME_BREAK.split(FOOTNOTE_MARKS.sub(_keep_separator, bare)) if name.strip()
    ]
    return len(names) >= 2 and all(map(_looks_like_name, names))


def looks_like_names(line: str) -> bool:
    """Return whether a line is a list of names, or one name: only where its place says that it may be one."""
    name = FOOTNOTE_MARKS.sub("", bare_words(line)).strip() if len(line) <= LONGEST_TITLE else ""
    return looks_like_authors(line) or _looks_like_name(name)


def looks_like_title(line: str) -> bool:
    """Return whether a line may be a title by its own looks: short, no sentence, not cut off."""
    if len(line) > LONGEST_TITLE:
        return False
    bare = bare_words(line).strip()
    if not 2 <= count_words(bare) <= 30 or "://" in bare or TWO_SENTENCES.search(bare):
        return False
    if bare.rstrip(QUOTES)[-1:] in tuple(SENTENCE_MARKS + "-"):
        return False
    return bare.split()[-1].lower() not in OPEN_WORDS and not looks_like_authors(bare)


def is_emphasised(line: str) -> bool:
    """Return whether Markdown emphasis or a link spans the whole line."""
    bare = line.strip()
    return bool(EMPHASIS.fullmatch(bare) or LINKED.fullmatch(bare) or LINKED.fullmatch(bare_emphasis(bare)))


def bare_emphasis(text: str) -> str:
    """Return the text without emphasis marks round all of it."""
    found = EMPHASIS.fullmatch(text.strip())
    return found[2] if found else text


def bare_words(text: str) -> str:
    """Return the words of a line, without emphasis and the addresses behind them."""
    if len(text) > LONGEST_NAMES or not any(mark in text for mark in "*_["):
        return text
    return EMPHASIS.sub(r"\2", LINKED.sub(lambda link: link["words"], text))


def _looks_like_name(name: str) -> bool:
    """Return whether the words can be one person's name, given name first."""
    if _is_asian_name(name.replace(" ", "")):
        return True
    words = name.split()
    if not 2 <= len(words) <= 6 or not all(NAME_WORD.fullmatch(word) for word in words):
        return False
    proper = [word for word in words if word.lower() not in PARTICLES]
    return len(proper) >= 2 and all(word[0].isupper() for word in proper)


def _is_asian_name(name: str) -> bool:
    """Return whether the letters can be a name in a script without blanks."""
    return ASIAN_NAME[0] <= len(name) <= ASIAN_NAME[1] and all(map(is_asian, name))


def _parse_name(name: str) -> Contributor:
    """Return one name; the family name comes first in scripts of China, Japan and Korea."""
    from bibtools.text.names import parse_bibtex_name

    parts = name.split()
    if len(parts) == 2 and _is_asian_name("".join(parts)):
        return Contributor(family=parts[0], given=parts[1])
    return parse_bibtex_name(name)


def _keep_separator(marks: re.Match[str]) -> str:
    """Return a comma for footnote marks that hold one before a blank: `Ada Byron1,2, Kim Lee`."""
    return "," if marks[0].endswith(",") else ""
