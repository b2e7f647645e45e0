"""Lists of abstracts, stage 2: what one line is. Labels, names, titles; each only on good evidence."""

import re
from functools import cache
from typing import NamedTuple

from bibtools.model import Contributor
from bibtools.readers.list_lines import ASIAN, count_words
from bibtools.tables import read_table
from bibtools.text.names import parse_bibtex_name, parse_ris_name

LONGEST_HEAD = 200
"""Characters of a line that a label is looked for in."""
LONGEST_NAMES = 20_000
"""Characters of an authors line that are read for mark-up."""
OPENING = r"(?:[*_]{1,3}|#{1,6}\s+|<(?:b|strong|i|em|h\d)>|\\textbf\{)?\s*"
CLOSING = r"(?:[*_]{1,3}|</(?:b|strong|i|em|h\d)>|\})?"
NAME = r"(?P<label>[^\W\d_][^:：*_<>{}\[\]【】\n]{0,59}?)\s*"
LABELS = (
    re.compile(rf"{OPENING}{NAME}{CLOSING}\s*[:：]\s*{CLOSING}\s*"),
    re.compile(rf"[【\[]{NAME}[】\]](?!\()\s*[:：]?\s*"),
    re.compile(rf"{OPENING}{NAME}{CLOSING}\s*\Z"),
)
"""A label with a colon, in brackets, or alone on its line."""
DASHED_ABSTRACT = re.compile(
    r"[*_]{0,3}(?P<label>abstract|summary|zusammenfassung|résumé|resumen)[*_]{0,3}\s*(?:[.—–]|--+)[*_]{0,3}\s*(?=\S)",
    re.IGNORECASE,
)
SENTENCE_MARKS = ".!?。！？…;；,，、"
OPEN_WORDS = frozenset(
    ("a", "an", "and", "by", "for", "from", "in", "is", "of", "on", "or", "the", "to", "via", "we", "with")
)
"""Words that no title ends in: the line was broken there."""
EMPHASIS = re.compile(r"(\*\*\*|\*\*|__|\*|_)(?=\S)(.+?)(?<=\S)\1")
LINKED = re.compile(
    r"\[(?P<words>[^\[\]]{1,300})\]\((?P<url>[^()\s]{1,500}(?:\([^()\s]{0,100}\)[^()\s]{0,200})?)\)"
)
FOOTNOTE_MARKS = re.compile(
    r"[\d*†‡§¶∗⋆,]+(?=\s|\Z|[,;·])|[⁰¹²³⁴-⁹]+|\$\^\{?[^$]{0,12}\$|\([^()]{0,80}\)|<sup>.{0,20}?</sup>"
)
NAME_BREAK = re.compile(r"\s*(?:[;·•,，、；]|\band\b|\bund\b|\bet\b|&|\s\|\s)\s*")
TRUNCATED = re.compile(r"[\s,，]*(?:et al\.?|and others|等人?|ほか|外)\s*\Z", re.IGNORECASE)
NAME_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|['’.\u2010-])*|[^\W\d_]\.")
NAME_PARTICLES = "al bin da das de del della den der di do dos du el ibn la le ten ter van von y zu"
PARTICLES = frozenset(NAME_PARTICLES.split())
ASIAN_NAME = re.compile(rf"[{ASIAN}]{{2,4}}")


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
    head = line[:LONGEST_HEAD]
    dashed = DASHED_ABSTRACT.match(head)
    if dashed:
        return Label(dashed["label"], "abstract", dashed.end())
    for pattern in LABELS:
        found = pattern.match(head)
        meaning = _meanings().get(" ".join(found["label"].casefold().split())) if found else None
        alone = found is not None and found.end() == len(line)
        if found and meaning and (alone or (meaning != "marker" and pattern is not LABELS[-1])):
            return Label(found["label"], meaning, found.end())
    return None


def parse_links(line: str) -> list[tuple[Label, str]]:
    """Return labels and addresses of a line of links only, such as `[paper](…) | [code](…)`; else none.

    >>> [(label.meaning, url) for label, url in parse_links("[pdf](https://a.example/a), [code](https://a.example/b)")]
    [('id', 'https://a.example/a'), ('code', 'https://a.example/b')]
    """
    links = list(LINKED.finditer(line)) if len(line) <= LONGEST_NAMES else []
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
    whole = TRUNCATED.sub("", bare_words(value))
    bare = FOOTNOTE_MARKS.sub(_keep_separator, whole).strip(" .")
    if ";" in bare and "," in bare:  # family, given; family, given
        people = tuple(parse_ris_name(part.strip()) for part in bare.split(";") if part.strip())
    else:
        people = tuple(_parse_name(part) for part in NAME_BREAK.split(bare) if part.strip())
    return people, whole != bare_words(value)


def looks_like_authors(line: str) -> bool:
    """Return whether an unlabelled line is a list of at least two names, and nothing else."""
    bare = bare_words(line).strip()
    if len(bare) > 4000 or re.search(r"https?://|[:?!=]|[.。]\s*\Z(?<![A-Z]\.)", bare):
        return bool(TRUNCATED.search(bare)) and looks_like_authors(TRUNCATED.sub("", bare))
    bare = FOOTNOTE_MARKS.sub(_keep_separator, TRUNCATED.sub("", bare))
    names = [name.strip() for name in NAME_BREAK.split(bare) if name.strip()]
    return len(names) >= 2 and all(map(_looks_like_name, names))


def looks_like_title(line: str) -> bool:
    """Return whether a line may be a title by its own looks: short, no sentence, not cut off."""
    bare = bare_words(line).strip()
    words = count_words(bare)
    if not 2 <= words <= 30 or len(bare) > 250 or bare[-1] in SENTENCE_MARKS + "-" or "://" in bare:
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
    if len(text) > LONGEST_NAMES:
        return text
    return EMPHASIS.sub(r"\2", LINKED.sub(lambda link: link["words"], text))


def _looks_like_name(name: str) -> bool:
    """Return whether the words can be one person's name, given name first."""
    if ASIAN_NAME.fullmatch(name.replace(" ", "")):
        return True
    words = name.split()
    if not 2 <= len(words) <= 6 or not all(NAME_WORD.fullmatch(word) for word in words):
        return False
    proper = [word for word in words if word.lower() not in PARTICLES]
    return len(proper) >= 2 and all(word[0].isupper() for word in proper)


def _parse_name(name: str) -> Contributor:
    """Return one name; the family name comes first in scripts of China, Japan and Korea."""
    parts = name.split()
    if len(parts) == 2 and ASIAN_NAME.fullmatch("".join(parts)):
        return Contributor(family=parts[0], given=parts[1])
    return parse_bibtex_name(name)


def _keep_separator(marks: re.Match[str]) -> str:
    """Return a comma for footnote marks that hold one before a blank: `Ada Byron1,2, Kim Lee`."""
    return "," if marks[0].endswith(",") else ""
