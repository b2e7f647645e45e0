"""People in running order and in lists, as sources print them."""

import pytest

from bibtools.model import Contributor
from bibtools.sources.people import split_name, split_people

NAMES = [
    ("Ada Byron", Contributor("Byron", "Ada")),
    ("Ada  King Byron", Contributor("Byron", "Ada King")),
    ("Laurens van der Maaten", Contributor("Maaten", "Laurens", "van der")),
    ("Fernando de la Torre", Contributor("Torre", "Fernando", "de la")),
    ("Mihaela Van Der Schaar", Contributor("Schaar", "Mihaela Van Der")),
    ("Hal Daumé III", Contributor("Daumé", "Hal", suffix="III")),
    ("Jane Doe, Jr.", Contributor("Doe", "Jane", suffix="Jr.")),
    ("Byron, Ada", Contributor(literal="Byron, Ada")),
    ("Mufan (Bill) Li", Contributor("Li", "Mufan (Bill)")),
    ("Ada Byron)*", Contributor("Byron", "Ada")),
    ("Mausam", Contributor("Mausam")),
    ("van Rossum", Contributor("Rossum", "van")),
    ("Li Fei-Fei", Contributor("Fei-Fei", "Li")),
]


@pytest.mark.parametrize(("name", "person"), NAMES)
def test_name_in_running_order(name: str, person: Contributor) -> None:
    assert split_name(name) == person


LISTS = [
    ("Ada Byron; Alan Turing", ["Byron", "Turing"]),
    ("Ada Byron;Alan Turing;", ["Byron", "Turing"]),
    ("Ada Byron, Alan Turing", ["Byron", "Turing"]),
    ("Ada Byron, Hal Daumé, III, Alan Turing", ["Byron", "Daumé", "Turing"]),
    ("Ada Byron; Grace Hopper, Alan Turing", ["Byron", "Hopper", "Turing"]),
    ("Ada Byron; Jr.; Alan Turing", ["Byron", "Turing"]),
    ("Tao, Ada Byron", ["Tao", "Byron"]),
    ("Ada Byron; )*; Alan Turing", ["Byron", "Turing"]),
    ("", []),
]


@pytest.mark.parametrize(("names", "families"), LISTS)
def test_list_of_people(names: str, families: list[str]) -> None:
    assert [person.family for person in split_people(names)] == families
