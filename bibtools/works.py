"""When two entries are the same work: by an identifier, else by title and authors, else by abstract."""

from collections.abc import Iterable, Iterator

from bibtools.model import Contributor, Entry
from bibtools.text.titles import title_key

UNIDENTIFIED = "unidentified-"
"""Beginning of the keys of abstracts whose work is not known."""

SHORT_TITLE = 12
"""Titles with fewer letters than this, such as `Introduction`, tell works apart only with the year."""

SHORT_ABSTRACT = 80
"""Abstracts with fewer letters than this name no work."""


def work_marks(entry: Entry) -> tuple[str, ...]:
    """Return what names the entry's work, strongest first; two entries sharing a mark are one work.

    >>> work_marks(Entry(doi="10.1000/ABC", ids={"arxiv": "2401.00001v2"}))
    ('doi:10.1000/abc', 'arxiv:2401.00001')
    """
    return tuple(_marks(entry))


def _marks(entry: Entry) -> Iterator[str]:
    if entry.doi:
        yield f"doi:{entry.doi.lower()}"
    for scheme, value in sorted(entry.ids.items()):
        yield f"{scheme}:{_without_version(value) if scheme == 'arxiv' else value}"
    for scheme, value in (("pmid", entry.pmid), ("pmcid", entry.pmcid)):
        if value:
            yield f"{scheme}:{value}"
    if entry.isbn and entry.type == "book":
        yield f"isbn:{entry.isbn.replace('-', '')}"
    if entry.key.startswith(UNIDENTIFIED):
        yield f"key:{entry.key}"
    elif entry.title:
        yield title_mark(entry)
    if entry.abstract:
        letters = title_key(entry.abstract.plain)
        if len(letters) >= SHORT_ABSTRACT:
            yield f"abstract:{letters}"


def title_mark(entry: Entry) -> str:
    """Return the mark of title and first author, and of the year where the title says little."""
    title = title_key(entry.title.plain if entry.title else "")
    family = title_key(family_name(entry.author[0])) if entry.author else ""
    year = str(entry.issued.start[:1]) if entry.issued and len(title) < SHORT_TITLE else ""
    return f"title:{title}|{family}|{year}"


def family_name(person: Contributor) -> str:
    """Return the name a person is filed under: family name without particles, or a literal."""
    return person.family or person.literal or person.given


def _without_version(arxiv_id: str) -> str:
    head, mark, version = arxiv_id.rpartition("v")
    return head if mark and version.isdigit() else arxiv_id


class WorkIndex:
    """Places of works by their marks, to find whether a work is there already."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._places: dict[str, int] = {}
        for place, entry in enumerate(entries):
            self.add(entry, place)

    def add(self, entry: Entry, place: int) -> None:
        """Put an entry in; of two with one mark the first stays."""
        for mark in work_marks(entry):
            self._places.setdefault(mark, place)

    def find(self, entry: Entry) -> int | None:
        """Return the place of the entry that is the same work, by the strongest mark they share."""
        return next((self._places[mark] for mark in work_marks(entry) if mark in self._places), None)
