"""Lists of abstracts, stage 4: a record's lines become an Entry."""

import re
from collections.abc import Iterable, Iterator

from bibtools.errors import Location, Problem
from bibtools.model import Entry, Link, Origin, Text
from bibtools.readers.list_fields import (
    LINKED,
    bare_emphasis,
    bare_words,
    looks_like_authors,
    looks_like_names,
    looks_like_title,
    parse_authors,
)
from bibtools.readers.list_ids import NONE, parse_work_id
from bibtools.readers.list_lines import Line, count_words, join_lines, strip_bullet
from bibtools.readers.list_records import Field, Record
from bibtools.text.offers import CODE_KINDS, find_code_links
from bibtools.text.pasted import parse_mixed
from bibtools.text.patterns import LazyPattern

BUTTON = r"(?:bibtex|paper|supplemental|abstract|poster|slides|video|pdf|code|supp|arxiv|abs)"
FURNITURE = LazyPattern(
    r"(?:\[\s*[\w .&-]{1,40}\]\s*)+"
    r"|[\[(]?(?:download|view|open)?\s*(?:pdf|html|bibtex|tex source|other formats)\b.{0,60}"
    rf"|{BUTTON}(?:[\s|·,/]+{BUTTON})+"
    r"|\[submitted on .*|published: .*last modified.*|everyone.*|submitted by .*|show (?:more|less|details).*"
    r"|go to .* homepage|skip to .*|openreview\.net|login|\w[\w ]{1,40} > \w[\w ]{1,40}"
    r"|part of advances in neural information processing systems.*|(?:mon|tue|wed|thu|fri|sat|sun)\w* \d.*",
    re.IGNORECASE,
)
"""What pages print round a work that says nothing of it: buttons, times, where in the site one is."""
LONGEST_FURNITURE = 200
"""Characters of a line that are compared with it."""
LINE_BREAK = LazyPattern(r"\s+(?:>\s?)*")
"""What stands within an address that goes over two lines."""
KEYWORD_BREAK = LazyPattern(r"\s*[;；]\s*|\s*[,，、·]\s*")
TITLE_WORDS = 40
LONGEST_ABSTRACT = 100_000
"""Characters; what is longer is not read, so that a file that is no list costs no time."""


def make_entry(record: Record, text: str, source: str, index: int) -> tuple[Entry | None, list[Problem]]:
    """Return the record's entry, None if it names and holds no work, and what a person should know."""
    problems: list[Problem] = []
    _read_head(record, source, problems)
    record.lines = _without_blank_ends(record.lines)
    if not (record.lines or record.title or record.ids):
        return None, [*problems, *_stray(record, source)]
    first = _first_line(record)
    values: dict[str, object] = {}
    if record.title:
        title, work = _read_title(_value(record.title))
        values["title"] = parse_mixed(title)
        record.ids += [(work, record.title[0])] if work else []
    if record.authors:
        values["author"], truncated = parse_authors(_value(record.authors))
        values["truncated"] = ("author",) if truncated else ()
    links: list[Link] = []
    span = (first.start, first.end)
    if record.lines:
        span = (record.lines[0].start, record.lines[-1].end)
        if span[1] - span[0] > LONGEST_ABSTRACT:
            return None, [*problems, _too_long(text, span, Location(source, first.number))]
        values["abstract"], links = _read_abstract(text, span, record.lines[0])
    links += _read_fields(record, values, source, problems)
    values |= _name_work(record, source, problems)
    origin = Origin(source=source, line=first.number, span=span, index=index)
    return Entry(**values, links=tuple(links), origin=origin), problems  # type: ignore[arg-type]


def _without_blank_ends(lines: list[Line]) -> list[Line]:
    """Return the lines from the first with text on: a label may stand alone above."""
    return lines[next((place for place, line in enumerate(lines) if line.text.strip()), len(lines)) :]


def _first_line(record: Record) -> Line:
    """Return the line that stands for the record: the abstract's first, else the first of any."""
    return [*record.lines[:1], *record.title, *(line for _, line in record.ids)][0]


def _value(lines: Iterable[Line]) -> str:
    """Return the lines of a value as one."""
    return join_lines("\n".join(line.text for line in lines))


def _read_head(record: Record, source: str, problems: list[Problem]) -> None:
    """Tell apart the lines before a labelled abstract: title, names, and what is neither."""
    telling: list[Line] = []
    for line in map(strip_bullet, record.head):
        if FURNITURE.fullmatch(line.text.strip()[:LONGEST_FURNITURE]):
            problems.append(_left_out(line, source, line.text))
        else:
            telling.append(line)
    names = next((place for place, line in enumerate(telling) if looks_like_authors(line.text)), -1)
    if names < 0 and len(telling) == 2 and looks_like_names(telling[1].text):
        names = 1
    if names >= 0 and not record.authors:
        record.authors = (telling[names],)
    if not record.title and telling:
        place = names - 1 if names > 0 else 0
        if (
            place != names
            and (names > 0 or looks_like_title(telling[place].text))
            and _can_be_title(telling[place])
        ):
            record.title = (telling[place],)
    used = {line.number for line in (*record.title, *record.authors)}
    record.fields += [Field("", "line", (line,)) for line in telling if line.number not in used]
    record.head = []


def _can_be_title(line: Line) -> bool:
    """Return whether a line above names can be a title at all."""
    return 1 <= count_words(line.text) <= TITLE_WORDS and "://" not in bare_words(line.text)


def _read_title(value: str) -> tuple[str, str]:
    """Return the title without the mark-up of a list round it, and the work that its link names."""
    bare = bare_emphasis(value.strip().lstrip("#").strip())
    linked = LINKED.fullmatch(bare)
    if not linked:
        return bare, ""
    return bare_emphasis(linked["words"]), parse_work_id(linked["url"])


def _read_abstract(text: str, span: tuple[int, int], first: Line) -> tuple[Text, list[Link]]:
    """Return the abstract as text, with broken addresses mended, and the links in it."""
    raw = text[span[0] : span[1]]
    found = find_code_links(raw)
    links, mended, place = [], [], 0
    line_start = text.rfind("\n", 0, span[0]) + 1
    for url, offers in zip(found.urls, found.offers, strict=True):
        column = url.column + (span[0] - line_start if url.line == 1 else 0)
        written = LINE_BREAK.sub("", url.written)
        line = first.number + url.line - 1
        links.append(
            Link(written=written, url=url.url, kind=url.kind, offers_code=offers, line=line, column=column)
        )
        mended += [raw[place : url.start], written]
        place = url.end
    return parse_mixed(join_lines("".join((*mended, raw[place:])))), links


def _read_fields(
    record: Record, values: dict[str, object], source: str, problems: list[Problem]
) -> list[Link]:
    """Put the labelled values where they belong; return the links among them."""
    links: list[Link] = []
    keywords: list[str] = []
    remarks: list[str] = []
    for field in record.fields:
        value = _value(field.lines)
        remark = ": ".join(filter(None, (field.label, value)))
        found = list(_field_links(field)) if field.meaning in ("code", "page", "id") else []
        work = parse_work_id(value) if field.meaning == "id" else ""
        links += found
        if field.meaning == "keywords":
            keywords += filter(None, KEYWORD_BREAK.split(bare_words(value).strip(" .")))
        elif work:
            record.ids.append((work, field.lines[0]))
        elif FURNITURE.fullmatch(remark[:LONGEST_FURNITURE]):
            problems.append(_left_out(field.lines[0], source, remark))
        elif (value or field.meaning == "marker") and not _is_all_links(value, found):
            remarks.append(remark)
    if keywords:
        values["keyword"] = tuple(keywords)
    if remarks:
        values["annote"] = Text("\n".join(remarks))
    return links


def _is_all_links(value: str, links: Iterable[Link]) -> bool:
    """Return whether a value holds nothing but the links found in it."""
    rest = value
    for link in links:
        rest = rest.replace(link.written, "")
    return rest != value and not any(map(str.isalnum, bare_words(rest)))


def _field_links(field: Field) -> Iterator[Link]:
    """Yield the addresses in a labelled value; a label such as `Code` says that code is there."""
    for line in field.lines:
        for url in find_code_links(line.text).urls:
            offers = field.meaning == "code" or url.kind in CODE_KINDS
            if not parse_work_id(url.url):
                yield Link(
                    written=url.written,
                    url=url.url,
                    kind=url.kind,
                    offers_code=offers,
                    found_in="field",
                    line=line.number,
                )


def _name_work(record: Record, source: str, problems: list[Problem]) -> dict[str, object]:
    """Return the claim and the ids; the first id claims the work, the others are kept beside it."""
    values: dict[str, object] = {}
    ids: dict[str, str] = {}
    for work, line in record.ids:
        if not values.get("claim"):
            values["claim"] = work
        scheme, _, name = work.partition(":")
        if scheme == NONE or not name:
            continue
        if scheme == "doi" and "doi" not in values:
            values["doi"] = name
        elif scheme != "doi" and scheme not in ids:
            ids[scheme] = name
        elif name not in (values.get("doi"), ids.get(scheme)):
            message = f"second {scheme} id {name} for one abstract; the first counts"
            problems.append(
                Problem("second-id", "warning", Location(source, line.number), message, line.text)
            )
    return values | ({"ids": ids} if ids else {})


def _left_out(line: Line, source: str, raw: str) -> Problem:
    """Return the note that a line of a site's page has been left out."""
    return Problem(
        "page-furniture", "info", Location(source, line.number), "a page's own words left out", raw
    )


def _too_long(text: str, span: tuple[int, int], location: Location) -> Problem:
    """Return the problem that a paragraph is too long for an abstract."""
    message = f"{span[1] - span[0]:,} characters without an empty line: no abstract"
    return Problem("too-long", "error", location, message, text[slice(*span)], lost=True)


def _stray(record: Record, source: str) -> Iterator[Problem]:
    """Yield a problem for each line that belongs to no abstract."""
    lines = [*record.authors, *(line for field in record.fields for line in field.lines)]
    for line in lines:
        message = "a field without an abstract, title or identifier that it could belong to"
        yield Problem("stray-field", "warning", Location(source, line.number), message, line.text, lost=True)
