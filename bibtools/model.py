"""The data model: what a bibliography holds, as frozen values.

Entry types and field names are those of CSL 1.0.2, in snake_case
(https://docs.citationstyles.org/en/v1.0.2/specification.html#appendix-iii-types).
"""

from typing import Any, Literal

import msgspec
from msgspec import Struct

from bibtools.errors import Problem
from bibtools.outcomes import Identification, LinkCheck

SpanKind = Literal["italic", "bold", "sub", "sup", "smallcaps", "nocase"]
LinkKind = Literal[
    "repository",
    "gist",
    "model",
    "dataset",
    "archive",
    "review-copy",
    "project-page",
    "demo",
    "paper",
    "other",
]


class Math(Struct, frozen=True, gc=False, tag=True):
    """A formula, as its TeX source without the dollars."""

    tex: str


class Span(Struct, frozen=True, gc=False, tag=True):
    """Marked-up text. `nocase` protects letter case."""

    kind: SpanKind
    children: "tuple[Node, ...]"


class Hyperlink(Struct, frozen=True, gc=False, tag=True):
    """An address in running text, with the words that carry it (none: the address itself)."""

    url: str
    children: "tuple[Node, ...]" = ()


Node = str | Math | Span | Hyperlink


class Text(Struct, frozen=True, gc=False, omit_defaults=True):
    """Running text: a title, an abstract, a note.

    `nodes` is empty for text without mark-up, which most is; otherwise it is the whole text as a
    tree, and `plain` is what a reader without mark-up sees (formulas as `$TeX$`).
    """

    plain: str
    nodes: tuple[Node, ...] = ()

    def __str__(self) -> str:
        return self.plain

    def __bool__(self) -> bool:
        return bool(self.plain)


class Contributor(Struct, frozen=True, gc=False, omit_defaults=True):
    """A person, or a body (`literal`), that took part in a work. BibTeX's von part is non-dropping."""

    family: str = ""
    given: str = ""
    non_dropping_particle: str = ""
    dropping_particle: str = ""
    suffix: str = ""
    literal: str = ""
    comma_suffix: bool = False
    static_ordering: bool = False
    orcid: str = ""
    """Bare ORCID iD: four groups of four characters."""


class PartialDate(Struct, frozen=True, gc=False, omit_defaults=True):
    """A date to the precision known, or a range of two such dates.

    Years before the common era are negative without a year nought, as CSL has them (-44 is 44 BCE).
    """

    start: tuple[int, ...] = ()
    """Year, month, day: one to three numbers; none for a date that is only `literal`."""
    end: tuple[int, ...] | None = None
    """End of a range; `()` for a range without end; None when not a range."""
    season: int | None = None
    """1 spring, 2 summer, 3 autumn, 4 winter."""
    circa: bool = False
    literal: str = ""
    """The date as typed, where the numbers do not say all of it."""


class Link(Struct, frozen=True, gc=False, omit_defaults=True):
    """An address that an entry gives."""

    written: str
    """As it stands in the source, without the marks after it."""
    url: str
    """Normal form."""
    kind: LinkKind = "other"
    offers_code: bool = False
    found_in: Literal["abstract", "catalogue", "field"] = "abstract"
    line: int | None = None
    column: int | None = None
    check: LinkCheck | None = None


class Origin(Struct, frozen=True, gc=False, omit_defaults=True):
    """Where an entry was read: file, first line (from 1) and span of characters (start, end)."""

    source: str
    line: int = 1
    span: tuple[int, int] = (0, 0)
    index: int = 0
    """Place among the file's entries, from 0."""


Contributors = tuple[Contributor, ...]


class Entry(Struct, frozen=True, gc=False, omit_defaults=True, kw_only=True):
    """One described work. Unset fields are unknown, never empty by design."""

    key: str = ""
    type: str = "document"
    """CSL type."""
    source_type: str = ""
    """The type as the source spelled it, such as `phdthesis` or `EDBOOK`."""

    # Titles and running text
    title: Text | None = None
    title_short: Text | None = None
    container_title: Text | None = None
    container_title_short: Text | None = None
    collection_title: Text | None = None
    event_title: Text | None = None
    original_title: Text | None = None
    part_title: Text | None = None
    reviewed_title: Text | None = None
    volume_title: Text | None = None
    abstract: Text | None = None
    note: tuple[Text, ...] = ()
    annote: Text | None = None
    keyword: tuple[str, ...] = ()

    # Contributors
    author: Contributors = ()
    chair: Contributors = ()
    collection_editor: Contributors = ()
    compiler: Contributors = ()
    composer: Contributors = ()
    container_author: Contributors = ()
    contributor: Contributors = ()
    curator: Contributors = ()
    director: Contributors = ()
    editor: Contributors = ()
    editorial_director: Contributors = ()
    editor_translator: Contributors = ()
    executive_producer: Contributors = ()
    guest: Contributors = ()
    host: Contributors = ()
    illustrator: Contributors = ()
    interviewer: Contributors = ()
    narrator: Contributors = ()
    organizer: Contributors = ()
    original_author: Contributors = ()
    performer: Contributors = ()
    producer: Contributors = ()
    recipient: Contributors = ()
    reviewed_author: Contributors = ()
    script_writer: Contributors = ()
    series_creator: Contributors = ()
    translator: Contributors = ()
    truncated: tuple[str, ...] = ()
    """Names of the contributor fields whose list the source cut off (`and others`, et al.), sorted."""

    # Dates
    issued: PartialDate | None = None
    accessed: PartialDate | None = None
    available_date: PartialDate | None = None
    event_date: PartialDate | None = None
    original_date: PartialDate | None = None
    submitted: PartialDate | None = None

    # Numbers, as text: they may be roman, ranges, or article numbers
    chapter_number: str = ""
    citation_number: str = ""
    collection_number: str = ""
    edition: str = ""
    issue: str = ""
    locator: str = ""
    number: str = ""
    number_of_pages: str = ""
    number_of_volumes: str = ""
    page: str = ""
    """Ranges with one hyphen, several ranges with commas: `1-12, 20`."""
    page_first: str = ""
    part_number: str = ""
    printing_number: str = ""
    section: str = ""
    supplement_number: str = ""
    version: str = ""
    volume: str = ""

    # Other text
    archive: str = ""
    archive_collection: str = ""
    archive_location: str = ""
    archive_place: str = ""
    authority: str = ""
    call_number: str = ""
    citation_label: str = ""
    dimensions: str = ""
    division: str = ""
    event_place: str = ""
    genre: str = ""
    jurisdiction: str = ""
    language: str = ""
    license: str = ""
    medium: str = ""
    original_publisher: str = ""
    original_publisher_place: str = ""
    publisher: str = ""
    publisher_place: str = ""
    references: str = ""
    reviewed_genre: str = ""
    scale: str = ""
    source: str = ""
    status: str = ""
    year_suffix: str = ""

    # Identifiers, bare: no prefix, no escapes
    doi: str = ""
    isbn: str = ""
    issn: str = ""
    pmid: str = ""
    pmcid: str = ""
    url: str = ""
    ids: dict[str, str] = {}
    """Further identifiers by scheme: `arxiv`, `openreview`, `pmlr` (`v267/heddes25a`), `acl`, `dblp` …"""

    # Beyond CSL
    links: tuple[Link, ...] = ()
    promised_without_link: bool = False
    """The abstract says that code is or will be available and gives no address for it."""
    claim: str = ""
    """The work that the list itself names, `scheme:id`, or `none` for none of the known ones."""
    identification: Identification | None = None
    extra: dict[str, tuple[tuple[str, str], ...]] = {}
    """By source format, every field without a place above: (name, raw value) in source order.

    Values are as the source has them: TeX for `bibtex`, JSON text for `csl`.
    """
    origin: Origin | None = None

    def replace(self, **changes: Any) -> "Entry":
        """Return a copy with these fields changed."""
        return msgspec.structs.replace(self, **changes)


class Comment(Struct, frozen=True, gc=False, tag=True):
    """Text between entries, whole, as it stands; blanks too, so that all blocks together are the file."""

    text: str


class Preamble(Struct, frozen=True, gc=False, tag=True):
    """BibTeX `@preamble`: its value as TeX, and the whole block as it was read."""

    tex: str
    source: str = ""


class Macro(Struct, frozen=True, gc=False, tag=True):
    """BibTeX `@string`: name and value as written (delimiters and `#` included), and the block as read."""

    name: str
    value: str
    source: str = ""


class EntryBlock(Struct, frozen=True, gc=False, tag=True):
    """Where in the file's order an entry stands, and its source text as it was read."""

    key: str
    source: str = ""
    entry: Entry | None = None
    """The entry as it was read: what is equal to it is unchanged and can be written as `source`."""


Block = Comment | Preamble | Macro | EntryBlock


class Library(Struct, frozen=True, omit_defaults=True):
    """What a file holds."""

    entries: tuple[Entry, ...] = ()
    problems: tuple[Problem, ...] = ()
    format: str = ""
    """Name of the format it was read from."""
    source: str = ""
    encoding: str = "utf-8"
    newline: str = "\n"
    heading: str = ""
    """An abstract list's heading, as it stands."""
    blocks: tuple[Block, ...] = ()
    """The file in order, for formats that have more than entries; empty otherwise."""


class WriteOptions(Struct, frozen=True, omit_defaults=True):
    """How to write; a format ignores what does not concern it."""

    dialect: str = ""
    """BibTeX: `bibtex` or `biblatex`; RIS: `zotero`, `endnote` or `mendeley`; empty: the first."""
    ascii: bool = False
    """Write letters outside ASCII as TeX."""
    code_as: Literal["field", "note", "entry", "none"] = "field"
    unicode_math: bool = False
    """RIS: formulas as Unicode where that loses nothing, instead of TeX."""


class WriteReport(Struct, frozen=True):
    """How many entries were written, and what the format could not hold."""

    count: int
    problems: tuple[Problem, ...] = ()
