"""How an abstract whose work is not known stands in an export: visibly unidentified, and nothing invented."""

from collections.abc import Iterator, Sequence

from bibtools.model import Entry, Text
from bibtools.outcomes import Enrichment, Identification
from bibtools.text.titles import title_key
from bibtools.works import UNIDENTIFIED

KEYWORD = "bibtools:unidentified"
"""Keyword by which a reference manager finds these entries."""
TITLE_WORDS = 8
HASH_DIGITS = 6


class UnidentifiedMarker:
    """Give each unidentified abstract a key, a keyword, a note and, if the list has none, a supplied title.

    Args:
        heading: the list's heading. Its venues, else its words go into the note: words may be in a script
            that LaTeX has no letters for, and the note is printed. It is no proof of where a work appeared.
    """

    name = "unidentified"

    def __init__(self, heading: str = "") -> None:
        from bibtools.mapping.venues import find_venues

        venues = ", ".join(map(str, find_venues(heading)))
        self._list = f"a list ({venues})" if venues else f"the list “{heading}”" if heading else "a list"

    def enrich(self, entries: Sequence[Entry]) -> Iterator[Enrichment]:
        """Yield one Enrichment per entry, in order; an empty one for identified works."""
        for entry in entries:
            yield Enrichment() if is_identified(entry) else Enrichment(changes=self._changes(entry))

    def _changes(self, entry: Entry) -> dict[str, object]:
        changes: dict[str, object] = {
            "key": unidentified_key(entry),
            "type": "document",
            "keyword": (*entry.keyword, KEYWORD),
            "note": (*entry.note, Text(self._note(entry.identification))),
        }
        if not entry.title:
            changes["title"] = supplied_title(entry)
        return changes

    def _note(self, found: Identification | None) -> str:
        note = f"Abstract from {self._list}; its work is not known."
        if not found or not found.candidates:
            return note
        best = found.candidates[0]
        against = f"; {found.reason}" if found.outcome == "contradicted" and found.reason else ""
        return f"{note} Best candidate: {best.title} ({best.score:.2f}){against}"


def is_identified(entry: Entry) -> bool:
    """Tell whether the entry's work was found."""
    return entry.identification is not None and entry.identification.outcome == "identified"


def unidentified_key(entry: Entry) -> str:
    """Return the key of an abstract without known work: from its letters alone, so wrapping is free."""
    import hashlib

    letters = title_key(entry.abstract.plain if entry.abstract else "")
    return UNIDENTIFIED + hashlib.sha256(letters.encode()).hexdigest()[:HASH_DIGITS]


def supplied_title(entry: Entry) -> Text:
    """Return the abstract's first words in square brackets, the cataloguers' sign for a supplied title.

    A formula that the last word would cut in two is left out.
    """
    words = (entry.abstract.plain if entry.abstract else "").split()
    start = " ".join(words[:TITLE_WORDS])
    if start.count("$") % 2:
        start = start.rpartition("$")[0].rstrip()
    from bibtools.text.pasted import parse_mixed

    more = " …" if len(words) > TITLE_WORDS else ""
    return parse_mixed(f"[{start}{more}]")
