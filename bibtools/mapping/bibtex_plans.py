"""Entries with the same variables have the same fields of BibTeX, and differ in the values only.

`mapping.to_bibtex` writes any entry. What is here writes the same for entries that have nothing of other
formats, in half the time: the fields of the first entry with certain variables are the plan for all that have
just these (tests/mapping/test_bibtex_plans.py compares).
"""

from functools import lru_cache
from itertools import compress
from typing import Any, NamedTuple

import msgspec

from bibtools.mapping.tex_values import Style, Value, names_tex, plain_tex
from bibtools.mapping.to_bibtex import (
    BibRecord,
    Loss,
    date_fields,
    format_field,
    language_names,
    rules_in_order,
    to_bibtex,
)
from bibtools.model import Contributors, Entry, PartialDate

_VARIABLES = Entry.__struct_fields__
_PLACES = range(len(_VARIABLES))
_UNWRITTEN = frozenset(
    {"key", "type", "source_type", "origin", "identification", "promised_without_link", "claim"}
)
"""Model fields that no field of BibTeX's holds."""

_MOST_PLANS = 1000
"""Plans kept; more different entries than that do not come again often."""

_Shape = tuple[str, str, tuple[int, ...]]
"""CSL type, the type as the source spelled it, and the places of the variables that are set."""


class _Step(NamedTuple):
    """How one variable is written."""

    place: int
    """Of the variable among the model's fields."""
    value_of: Value
    """Returns the value as TeX; nothing if this one makes other fields than most."""
    before: str
    after: str


class _Plan(NamedTuple):
    """How entries with the same variables are written."""

    type: str
    steps: tuple[_Step, ...]


class Plans:
    """Writes the entries of one library, by plans where it can."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self.plans: dict[_Shape, _Plan | None] = {}

    def write(self, entry: Entry) -> tuple[str, list[str], tuple[Loss, ...]]:
        """Return an entry's type, the lines of its fields, and what they cannot hold."""
        values = msgspec.structs.astuple(entry)
        shape = (entry.type, entry.source_type, tuple(compress(_PLACES, values)))
        plan = self.plans.get(shape)
        if plan and (lines := self.lines(entry, values, plan)):
            return plan.type, lines, ()
        record = to_bibtex(entry, self.style)
        if shape not in self.plans and len(self.plans) < _MOST_PLANS:
            self.learn(shape, record)
        return record.type, list(map(format_field, record.fields)), record.losses

    def lines(self, entry: Entry, values: tuple[Any, ...], plan: _Plan) -> list[str]:
        """Return the lines of an entry by a plan; none if one of its values makes other fields than most."""
        lines = []
        for place, value_of, before, after in plan.steps:
            value = value_of(values[place], entry, self.style)
            if not value:
                return []
            lines.append(f"{before}{value}{after}")
        return lines

    def learn(self, shape: _Shape, record: BibRecord) -> None:
        """Take an entry's record as the plan for those with the same variables, if these make all its fields.

        An entry of which a variable makes no field, such as a date of nothing, is no example for others.
        """
        variables = {_VARIABLES[place] for place in shape[2]} - _UNWRITTEN
        values = _values(shape[0], self.style.dialect)
        fields: dict[str, str] = {}
        for field in record.fields:
            fields.setdefault(field.variable, field.name)
        if not values.keys() >= variables >= fields.keys():
            self.plans[shape] = None
        elif fields.keys() == variables:
            steps = [_step(variable, name, values[variable]) for variable, name in fields.items()]
            self.plans[shape] = _Plan(record.type, tuple(steps))


@lru_cache(maxsize=256)
def _values(csl: str, dialect: str) -> dict[str, Value]:
    """Return how values are written of the variables of a CSL type that a plan may have."""
    values = {rule.variable: rule.value for rule in rules_in_order(csl, dialect) if rule and rule.value}
    people = {variable: _names for variable, value_of in values.items() if value_of is names_tex}
    return {**values, **people, "issued": _issued, "language": _language}


def _step(variable: str, name: str, value_of: Value) -> _Step:
    """Return how a variable is written as the field of this name."""
    whole_lines = variable in ("issued", "language")
    before, after = ("", "") if whole_lines else (f"  {name} = {{", "},")
    return _Step(_VARIABLES.index(variable), value_of, before, after)


def _names(people: Contributors, entry: Entry, style: Style) -> str:
    """Return people of whom nothing but names is known."""
    for person in people:
        if person.orcid or person.static_ordering or person.comma_suffix:
            return ""
    return names_tex(people, entry, style)


def _issued(date: PartialDate, entry: Entry, style: Style) -> str:
    """Return the lines of the work's date."""
    return _date_lines(date, style.dialect) if date.start and not date.literal else ""


@lru_cache(maxsize=4096)
def _date_lines(date: PartialDate, dialect: str) -> str:
    """Return the lines of a work's date in numbers."""
    return "\n".join(map(format_field, date_fields(date, dialect)))


def _language(tag: str, entry: Entry, style: Style) -> str:
    """Return the line of a language."""
    name = language_names().get(tag)
    if name:
        return f"  langid = {{{name}}},"
    return f"  language = {{{plain_tex(tag, entry, style)}}}," if " and " not in tag else ""
