"""What BibTeX entries take from others: xdata whole, crossref by biblatex's rules.

Source:
    biblatex 3.20, section 3.13.6 (xdata) and appendix B (default inheritance); tables/bibtex_inheritance.tsv.
"""

from collections.abc import Sequence
from functools import cache

from msgspec import Struct

from bibtools.errors import Location, Problem
from bibtools.tables import read_table

_DATES = frozenset({"date", "year", "month", "day"})
_ANY = "*"


class BibFields(Struct, gc=False):
    """The fields of one entry: its own, and after `inherit` what it takes from its parents."""

    type: str
    """In lower case."""
    key: str
    fields: dict[str, str]
    """Values by name in lower case, as TeX without delimiters."""
    line: int = 1


def inherit(entries: Sequence[BibFields], source: str) -> list[Problem]:
    """Add to each entry what it inherits; return a problem for each parent missing and each ring.

    Args:
        entries: all entries of a file; their `fields` are changed in place.
        source: the file's name in problems.
    """
    return _Family(entries, source).join()


class _Family:
    """The entries of a file, and which of them have their inheritance."""

    def __init__(self, entries: Sequence[BibFields], source: str) -> None:
        self.entries, self.source = entries, source
        self.problems: list[Problem] = []
        self.done: set[int] = set()
        self._by_key: dict[str, BibFields] | None = None

    def join(self) -> list[Problem]:
        """Give every entry what it inherits."""
        for entry in self.entries:
            if "crossref" in entry.fields or "xdata" in entry.fields:
                self.settle(entry)
        return self.problems

    def settle(self, entry: BibFields) -> None:
        """Give an entry what it inherits, its parents first; without recursion, and round no ring."""
        stack = [entry]
        waiting = {id(entry)}
        while stack:
            child = stack[-1]
            parents = self.parents(child)
            pending = [parent for parent in parents if id(parent) not in self.done]
            ready = [parent for parent in pending if id(parent) not in waiting]
            if ready:
                stack.append(ready[0])
                waiting.add(id(ready[0]))
                continue
            stack.pop()
            waiting.discard(id(child))
            if id(child) in self.done:
                continue
            self.done.add(id(child))
            for parent in parents:
                if parent in pending or parent is child:
                    self.tell(child, "reference-ring", f"{child.key} and {parent.key} refer to each other")
                if parent is not child:
                    take(child, parent, whole=parent.type == "xdata")

    def parents(self, child: BibFields) -> list[BibFields]:
        """Return the entries that a child names in xdata and crossref."""
        found = []
        for name in ("xdata", "crossref"):
            for key in child.fields.get(name, "").split(","):
                key = key.strip("{} \n\t")
                if not key:
                    continue
                parent = self.by_key.get(key) or self.by_key.get(key.lower())
                if parent is not None:
                    found.append(parent)
                elif id(child) not in self.done:
                    self.tell(child, "missing-reference", f"{child.key}: no entry {key!r} for {name}")
        return found

    @property
    def by_key(self) -> dict[str, BibFields]:
        """The first entry of each key, also by the key in lower case."""
        if self._by_key is None:
            self._by_key = {}
            for entry in self.entries:
                self._by_key.setdefault(entry.key, entry)
            for entry in self.entries:
                self._by_key.setdefault(entry.key.lower(), entry)
        return self._by_key

    def tell(self, child: BibFields, code: str, message: str) -> None:
        """Add a problem once."""
        problem = Problem(code, "warning", Location(self.source, child.line), message)
        if problem not in self.problems[-8:]:
            self.problems.append(problem)


def take(child: BibFields, parent: BibFields, whole: bool) -> None:
    """Add a parent's fields to a child's where the child has none; all of them from xdata."""
    own_dates = not _DATES.isdisjoint(child.fields)
    for name, value in list(parent.fields.items()):
        if name == "xdata" or (own_dates and name in _DATES):
            continue
        for target in (name,) if whole else becomes(parent.type, child.type, name):
            child.fields.setdefault(target, value)


@cache
def becomes(parent: str, child: str, name: str) -> tuple[str, ...]:
    """Return the fields that a parent's field is in its child; none where it is not inherited.

    >>> becomes("proceedings", "inproceedings", "title"), becomes("book", "inbook", "publisher")
    (('booktitle',), ('publisher',))
    """
    for row in read_table("bibtex_inheritance"):
        if row["field"] == name and _fits(row["parents"], parent) and _fits(row["children"], child):
            return tuple(row["becomes"].split())
    return (name,)


def _fits(types: str, entry_type: str) -> bool:
    """Say whether a table cell names a type."""
    return types == _ANY or entry_type in types.split(" ")
