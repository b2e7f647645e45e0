"""When two descriptions are of one work, and what is kept of both."""

from typing import Any

from bibtools.catalogue.facts import Facts
from bibtools.catalogue.marks import family_names, id_marks, title_mark
from bibtools.model import Entry, Link

TELLING_TITLE = 20
"""Letters that a title must have to name a work together with one author; shorter ones need the year too."""

_PLACE_NAMES = """
container_title container_title_short collection_title collection_editor collection_number editor
event_title event_place event_date issue issued number page page_first publisher publisher_place
volume volume_title isbn issn doi section
"""
PLACE_FIELDS = frozenset(_PLACE_NAMES.split())
"""Fields that belong together: they say where this very version was published."""


def same_title(one: Entry, other: Entry) -> bool:
    """Return whether two entries agree in title and an author, as far as they name any."""
    if not one.title or not other.title:
        return False
    mark = title_mark(one.title.plain)
    if not mark or mark != title_mark(other.title.plain):
        return False
    if len(mark) < TELLING_TITLE and (_year(one) != _year(other) or not one.author or not other.author):
        return False
    return not one.author or not other.author or bool(family_names(one.author) & family_names(other.author))


def same_people(one: Entry, other: Entry) -> bool:
    """Return whether most of the shorter author list is in the longer one."""
    names, others = family_names(one.author), family_names(other.author)
    return 2 * len(names & others) > min(len(names), len(others))


def join(better: Facts, other: Facts) -> Facts:
    """Return what is known of a work from two descriptions of it.

    Fields of the better source stand; the other fills those it lacks. Where and when the work was
    published is filled only if both describe the same version of it.
    """
    one, two = better.entry, other.entry
    changes: dict[str, Any] = {}
    field_sources = dict(better.field_sources)
    fillable = same_version(one, two)
    for name in Entry.__struct_fields__:
        if getattr(one, name) or not getattr(two, name) or (name in PLACE_FIELDS and not fillable):
            continue
        changes[name] = getattr(two, name)
        field_sources[name] = other.field_sources.get(name, other.sources[0])
    changes["ids"] = {**two.ids, **one.ids}
    changes["links"] = _join_links(one.links, two.links)
    entry = one.replace(**changes)
    known = {*id_marks(entry)}
    more = (*better.other_ids, *other.other_ids, *id_marks(one), *id_marks(two))
    return Facts(
        entry,
        (*better.sources, *(source for source in other.sources if source not in better.sources)),
        field_sources,
        tuple(dict.fromkeys(mark for mark in more if mark not in known)),
    )


def same_version(one: Entry, other: Entry) -> bool:
    years = {_year(one), _year(other)} - {None}
    volumes = {one.volume, other.volume} - {""}
    return one.type == other.type and len(years) < 2 and len(volumes) < 2


def _join_links(links: tuple[Link, ...], more: tuple[Link, ...]) -> tuple[Link, ...]:
    known = {link.url for link in links}
    return (*links, *(link for link in more if link.url not in known))


def _year(entry: Entry) -> int | None:
    return entry.issued.start[0] if entry.issued and entry.issued.start else None
