"""Enrichers: each adds one kind of knowledge to entries, as values that `apply` puts in.

An enricher has `enrich(entries) -> Iterator[Enrichment]`: one Enrichment for each entry, in order.
"""

from bibtools.model import Entry
from bibtools.outcomes import Enrichment


def apply(entry: Entry, enrichment: Enrichment) -> tuple[Entry, ...]:
    """Return the entry with what was added, and after it one more for each further work in its paragraph.

    >>> found = Enrichment({"doi": "10.1/a"}, also=(Enrichment({"doi": "10.1/b"}),))
    >>> [one.doi for one in apply(Entry(), found)]
    ['10.1/a', '10.1/b']
    """
    changed = entry.replace(**enrichment.changes) if enrichment.changes else entry
    further = (apply(entry, one) for one in enrichment.also)
    return (changed, *(one for entries in further for one in entries))
