"""RIS types and tags and what they mean, as read from `tables/ris*.tsv`; serves reading and writing."""

from functools import cache, lru_cache
from typing import NamedTuple

from bibtools.tables import read_table

DIALECTS = ("zotero", "endnote", "mendeley")

GROUPS = {
    "@article": ("article-journal", "article-magazine", "article-newspaper", "review", "review-book"),
    "@book": ("book", "classic", "collection", "pamphlet", "periodical"),
}
"""Names of the tables for several CSL types."""

ARTICLES = frozenset(GROUPS["@article"])
BOOKS = frozenset(GROUPS["@book"])
CONTAINED = ARTICLES | {
    "article", "chapter", "document", "entry", "entry-dictionary", "entry-encyclopedia", "paper-conference",
}  # fmt: skip
"""Types whose works stand in a journal, book or proceedings."""

COUNT_PAGES = frozenset(("book", "classic", "thesis", "manuscript"))
"""Types for which SP without EP is the number of pages, not a place (Zotero: numPages)."""

CODE_NOTE = "Code: "
"""How a note that holds a code link begins."""
CONFERENCE_NOTE = "Conference: "
"""How a note begins that holds a conference's name, where T2 has the proceedings' title."""
CUT_NOTE = "List cut off (et al.): "
"""How the note begins that names the contributor lists which the source cut off."""
PART_NOTE = "Part Number: "
"""How the M2 line begins that says which part of a volume it is; Zotero takes it so from `Extra`."""
TYPE_NOTE = "Type: "
"""How the M2 line begins that says a CSL type that no TY stands for; Zotero takes it so from `Extra`."""


LITERAL_END = ",,"
"""How the name of a body ends that has a comma in it, so that it is not read as a person."""


class Row(NamedTuple):
    """One row of ris.tsv."""

    tag: str
    field: str
    types: frozenset[str]
    """CSL types; empty: any."""
    read: bool
    written: bool
    dialects: frozenset[str]
    """Dialects in which it is written; empty: all."""

    def fits(self, entry_type: str) -> bool:
        """Tell whether the row is for entries of this CSL type."""
        return not self.types or entry_type in self.types


def _types(cell: str) -> frozenset[str]:
    names: set[str] = set()
    for name in cell.split():
        names.update(GROUPS.get(name, (name,)))
    return frozenset(names - {"*"})


@cache
def rows() -> tuple[Row, ...]:
    """Return the rows of ris.tsv."""
    return tuple(
        Row(
            row["tag"],
            row["field"],
            _types(row["types"]),
            "r" in row["way"],
            "w" in row["way"],
            frozenset(row["dialects"].split()),
        )
        for row in read_table("ris")
    )


@cache
def known_tags() -> frozenset[str]:
    """Return every tag that RIS files use, with a field in the model or not."""
    return frozenset(row.tag for row in rows()) | _OTHER_TAGS


_OTHER_TAGS = frozenset(
    (
        *(
            "TY",
            "ER",
            "ID",
            "EP",
            "A5",
            "AD",
            "AF",
            "C4",
            "C8",
            "CA",
            "EI",
            "H1",
            "H2",
            "H3",
            "H4",
            "L1",
            "L2",
        ),
        *(
            "L3",
            "L4",
            "LK",
            "M4",
            "N3",
            "OL",
            "PG",
            "PT",
            "RP",
            "RT",
            "SF",
            "TA",
            "TT",
            "U1",
            "U2",
            "U3",
            "U4",
        ),
        *("U5", "U6", "U7", "U8", "U9", "VO", "WP", "WT", "WV", "XT", "YR"),
    )
)


@cache
def reading_plan(entry_type: str) -> dict[str, str]:
    """Return the field that each tag is read into for entries of this CSL type."""
    plan: dict[str, str] = {}
    for row in rows():
        if row.read and row.fits(entry_type):
            plan.setdefault(row.tag, row.field)
    return plan


_SHARED = frozenset((("SN", "isbn"), ("SN", "issn"), ("SN", "number"), ("SP", "number_of_pages")))
"""Tags with fields that are told apart from the tag's others by their values."""


@cache
def writing_plan(entry_type: str, dialect: str) -> tuple[tuple[str, str, bool], ...]:
    """Return (tag, field, exact) in order of writing; where not `exact`, reading gives another field.

    A field comes once, by the first row that fits. A general row does not fit where a row for this
    type gives its tag another meaning.
    """
    plan: list[tuple[str, str, bool]] = []
    read = reading_plan(entry_type)
    seen: set[str] = set()
    for row in rows():
        exact = (row.tag, row.field) in _SHARED or read.get(row.tag) == row.field
        fits = row.written and row.fits(entry_type) and (not row.dialects or dialect in row.dialects)
        if fits and (exact or not row.read) and row.field not in seen:
            seen.add(row.field)
            plan.append((row.tag, row.field, exact))
    return tuple(plan)


@cache
def procite_labels() -> dict[str, str]:
    """Return the fields of ProCite's labels in notes."""
    return {row["label"]: row["field"] for row in read_table("ris_procite")}


@cache
def _read_types() -> dict[str, str]:
    return {row["ty"]: row["type"] for row in read_table("ris_types")}


@lru_cache(maxsize=256)
def csl_type(ty: str) -> str:
    """Return the CSL type of a RIS type in any letter case, or empty for one that nobody knows."""
    known = _read_types()
    ty = ty.strip().upper()
    return known.get(ty) or ("article-journal" if ty.startswith("JOUR") else "")


def is_ris_type(ty: str) -> bool:
    """Tell whether a type, in any letter case, is one of RIS's own."""
    return ty.upper() in _read_types()


@cache
def ris_type(entry_type: str, dialect: str) -> str:
    """Return the RIS type written for a CSL type."""
    for row in read_table("ris_output_types"):
        if row["type"] == entry_type:
            return row[dialect]
    return ris_type("document", dialect)
