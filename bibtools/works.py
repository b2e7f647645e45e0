"""When two entries are the same work: by an identifier, else by title and first author.

Identifiers that differ speak against it, whatever the titles. An abstract tells only for entries whose
title is not known: a talk and an article may share theirs.
"""

from collections.abc import Collection, Iterable, Iterator

from bibtools.errors import Location, Problem
from bibtools.model import Contributor, Entry
from bibtools.text.titles import title_key

UNIDENTIFIED = "unidentified-"
"""Beginning of the keys of abstracts whose work is not known."""

SHORT_TITLE = 12
"""Titles with fewer letters than this, such as `Introduction`, tell works apart only with the year."""

ENDS = 200
"""Letters at the beginning and at the end of an abstract that, with its length, stand for all of it."""

SHORT_ABSTRACT = 80
"""Abstracts with fewer letters than this name no work."""


def work_marks(entry: Entry) -> tuple[str, ...]:
    """Return what may name the entry's work, strongest first; `WorkIndex` says when two entries are one.

    >>> work_marks(Entry(doi="10.1000/ABC", ids={"arxiv": "2401.00001v2"}))
    ('doi:10.1000/abc', 'arxiv:2401.00001')
    """
    return tuple(_marks(entry))


def _marks(entry: Entry) -> Iterator[str]:
    yield from (f"{scheme}:{value}" for scheme, value in identifiers(entry).items())
    if entry.isbn and entry.type == "book":
        yield f"isbn:{entry.isbn.replace('-', '')}"
    if entry.key.startswith(UNIDENTIFIED):
        yield f"key:{entry.key}"
    elif entry.title:
        yield title_mark(entry)
    if entry.abstract:
        letters = title_key(entry.abstract.plain)
        if len(letters) >= SHORT_ABSTRACT:
            yield f"abstract:{len(letters)}:{letters[:ENDS]}{letters[-ENDS:]}"


def identifiers(entry: Entry) -> dict[str, str]:
    """Return what identifies the work itself, by scheme, in a form that compares."""
    found = {"doi": entry.doi.lower()} if entry.doi else {}
    for scheme, value in sorted(entry.ids.items()):
        found[scheme] = _without_version(value) if scheme == "arxiv" else value
    return found | {name: value for name, value in (("pmid", entry.pmid), ("pmcid", entry.pmcid)) if value}


def title_mark(entry: Entry) -> str:
    """Return the mark of title and first author, and of the year where the title says little."""
    title = title_key(entry.title.plain if entry.title else "")
    family = filing_word(entry.author[0]) if entry.author else ""
    year = str(entry.issued.start[:1]) if entry.issued and len(title) < SHORT_TITLE else ""
    return f"title:{title}|{family}|{year}"


def family_name(person: Contributor) -> str:
    """Return the name a person is filed under: family name without particles, or a literal."""
    return person.family or person.literal or person.given


def filing_word(person: Contributor) -> str:
    """Return the last word of the name a person is filed under: formats differ in where particles end.

    >>> filing_word(Contributor(family="van der Berg")), filing_word(Contributor(literal="Tarn, Inc."))
    ('berg', 'inc')
    """
    words = [word for part in family_name(person).split() if (word := title_key(part))]
    return words[-1] if words else ""


def _without_version(arxiv_id: str) -> str:
    head, mark, version = arxiv_id.rpartition("v")
    return head if mark and version.isdigit() else arxiv_id


def is_nameless(entry: Entry) -> bool:
    """Tell whether the entry has no title of its own: an abstract whose work is not known."""
    return not entry.title or entry.key.startswith(UNIDENTIFIED)


def facts_mark(entry: Entry) -> str:
    """Return a mark of all that an entry says, for one that nothing names: no title, identifier or abstract.

    >>> facts_mark(Entry(author=(Contributor(family="Fenn"),), volume="7")), facts_mark(Entry(key="k"))
    ('facts:fenn 7', 'facts:k')
    """
    facts = [filing_word(person) for person in entry.author or entry.editor]
    facts += [text.plain for text in (entry.container_title, *entry.note) if text]
    facts += [entry.publisher, entry.volume, entry.issue, entry.page, entry.url, entry.isbn, entry.issn]
    facts += [str(number) for number in entry.issued.start] if entry.issued else []
    if not any(facts):
        facts = [value for name in _OTHER_FACTS if isinstance(value := getattr(entry, name), str)]
    return f"facts:{' '.join(filter(None, map(title_key, facts))) or entry.key}"


_OTHER_FACTS = sorted(set(Entry.__struct_fields__) - {"key", "type", "source_type", "claim"})


def unique_keys(entries: Iterable[Entry], taken: Iterable[str] = ()) -> tuple[list[Entry], list[Problem]]:
    """Return the entries, other works under a key that is taken with a new one, and a notice of each.

    Args:
        entries: those that get keys of their own; one without a key stays so.
        taken: keys that others have; letter case does not tell keys apart.
    """
    unique: list[Entry] = []
    problems: list[Problem] = []
    known = {"", *map(str.lower, taken)}
    next_number: dict[str, int] = {}
    for entry in entries:
        key, number = entry.key, next_number.get(entry.key, 2)
        while key and key.lower() in known:
            key, number = f"{entry.key}-{number}", number + 1
        next_number[entry.key] = number
        known.add(key.lower())
        unique.append(entry if key == entry.key else entry.replace(key=key))
        if key != entry.key:
            where = Location(entry.origin.source, entry.origin.line) if entry.origin else Location("")
            message = f"{entry.key} is the key of another work already; this one is now {key}"
            problems.append(Problem("changed-key", "warning", where, message, entry.key))
    return unique, problems


class WorkIndex:
    """Entries by what names their works, to find whether a work is there already.

    Args:
        entries: those that are there.
        nameless: whether entries that nothing names are found too, by all that they say; for comparing a file
            with what it was made from. Else each of them is a work of its own.
    """

    def __init__(self, entries: Iterable[Entry] = (), nameless: bool = False) -> None:
        self._nameless = nameless
        self._entries: dict[int, Entry] = {}
        self._places: dict[str, list[int]] = {}
        for place, entry in enumerate(entries):
            self.add(entry, place)

    def add(self, entry: Entry, place: int) -> None:
        """Put an entry in."""
        self._entries[place] = entry
        for mark in self._marks(entry):
            self._places.setdefault(mark, []).append(place)

    def find(self, entry: Entry, exclude: Collection[int] = ()) -> int | None:
        """Return the place of an entry that is the same work, by the strongest mark; the first of several.

        Args:
            exclude: places that do not count.
        """
        for mark in self._marks(entry):
            for place in self._places.get(mark, ()):
                if place not in exclude and _is_same(mark, entry, self._entries[place]):
                    return place
        return None

    def _marks(self, entry: Entry) -> tuple[str, ...]:
        return work_marks(entry) or ((facts_mark(entry),) if self._nameless else ())


def _is_same(mark: str, one: Entry, other: Entry) -> bool:
    """Tell whether two entries that share a mark are one work."""
    kind = mark.partition(":")[0]
    if kind == "abstract":
        return is_nameless(one) or is_nameless(other)
    if kind == "title":
        ids = identifiers(other)
        return all(ids.get(scheme, value) == value for scheme, value in identifiers(one).items())
    return True
