"""BibTeX's name rules, biblatex's extended form, RIS names, and pybtex as an independent witness."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import contributors

from bibtools.model import Contributor
from bibtools.text.names import (
    display_name,
    format_bibtex_names,
    parse_bibtex_name,
    parse_bibtex_names,
    split_names,
)
from bibtools.text.ris_names import format_ris_name, parse_ris_name, split_particle

C = Contributor
NAMES = [
    ("Donald E. Knuth", C(family="Knuth", given="Donald E.")),
    ("Knuth, Donald E.", C(family="Knuth", given="Donald E.")),
    ("Donald~E. Knuth", C(family="Knuth", given="Donald E.")),
    ("Hans van der Berg", C(family="Berg", given="Hans", non_dropping_particle="van der")),
    (
        "van der Berg, Jr., Hans",
        C(family="Berg", given="Hans", non_dropping_particle="van der", suffix="Jr."),
    ),
    ("jean de la fontaine", C(family="fontaine", non_dropping_particle="jean de la")),
    ("Jean De La Fontaine", C(family="Fontaine", given="Jean De La")),
    ("{Della Torre}, Pia", C(family="Della Torre", given="Pia")),
    ("Hermann {von Helmholtz}", C(family="von Helmholtz", given="Hermann")),
    ("{Barrow and Tarn, Inc.}", C(literal="Barrow and Tarn, Inc.")),
    ("{\\'E}mile Zola", C(family="Zola", given="Émile")),
    ("{\\'E}cole", C(family="École")),
    ("Tarn{,}Inc", C(literal="Tarn,Inc")),
    ("van\\, Gogh", C(family="Gogh", non_dropping_particle="van")),
    ("{Le~Roux}, Ann", C(family="Le\u00a0Roux", given="Ann")),
    ("Plato", C(family="Plato")),
    ("Martin{\\'i}n, Jacinto", C(family="Martinín", given="Jacinto")),
    ("V{\\'a}zques{ de }Parga, Luis", C(family="Vázques de Parga", given="Luis")),
    ("Ludwig {van} Beethoven", C(family="Beethoven", given="Ludwig van")),
    (
        "family=Velde, given=Joost, prefix=van den, useprefix=true",
        C(family="Velde", given="Joost", non_dropping_particle="van den"),
    ),
    (
        "family=Goethe, given=Johann, prefix=von, useprefix=false",
        C(family="Goethe", given="Johann", dropping_particle="von"),
    ),
    ("{}, David", C(given="David")),
    ("uniquename=false, family=Jones, given=Henry", C(family="Jones", given="Henry")),
    ("sortingnamekeytemplatename=x, family=Jones, given=Henry", C(family="Jones", given="Henry")),
    ("李小燕", C(family="李小燕")),
]


@pytest.mark.parametrize("source", ["é {}", "^é 0", "{Le~Roux}, Ann", "Tarn{,}Inc", "van\\, Gogh"])
def test_names_that_only_braces_keep_apart_come_back(source: str) -> None:
    """A part that BibTeX would split, or not know for a particle, is written so that it does not."""
    names, _ = parse_bibtex_names(source)
    assert parse_bibtex_names(format_bibtex_names(names)) == (names, False)


@pytest.mark.parametrize(("source", "expected"), NAMES)
def test_one_name(source: str, expected: Contributor) -> None:
    assert parse_bibtex_name(source) == expected


LISTS = [
    ("A and B", ["A", "B"]),
    ("A AND B", ["A", "B"]),
    ("A\n  and\n  B", ["A", "B"]),
    ("{A and B} and C", ["{A and B}", "C"]),
    ("Sand Andersen", ["Sand Andersen"]),
    ("{A} and {B and {C}}", ["{A}", "{B and {C}}"]),
    (r"A\begin{x} and \end{x}B", [r"A\begin{x} and \end{x}B"]),
    ("{unclosed and B", ["{unclosed and B"]),
]


@pytest.mark.parametrize(("source", "expected"), LISTS)
def test_lists_are_split_at_and_outside_braces(source: str, expected: list[str]) -> None:
    assert split_names(source) == expected


@pytest.mark.parametrize("end", ["others", "Others", "et al.", "{others}"])
def test_nobody_is_called_others(end: str) -> None:
    assert parse_bibtex_names(f"Reed, Ivo and {end}") == ((C(family="Reed", given="Ivo"),), True)


def test_a_cut_list_ends_in_others_again() -> None:
    assert format_bibtex_names((C(family="Reed", given="Ivo"),), truncated=True) == "Reed, Ivo and others"


@given(st.lists(contributors(), min_size=1, max_size=4).map(tuple), st.booleans(), st.booleans())
def test_names_come_back(names: tuple[Contributor, ...], truncated: bool, ascii_only: bool) -> None:
    assert parse_bibtex_names(format_bibtex_names(names, truncated, ascii_only)) == (names, truncated)


@given(st.text(alphabet="aA {}\\'~,=and\n", max_size=50))
def test_any_list_is_read(source: str) -> None:
    names, _ = parse_bibtex_names(source)
    assert all(isinstance(name, Contributor) for name in names)


WITNESSED = [
    "Donald E. Knuth",
    "van der Berg, Hans",
    "de la Vall{\\'e}e Poussin, Charles",
    "Charles Louis Xavier Joseph de la Vallee Poussin",
    "Ford, Jr., Henry",
    "Jean de La Fontaine",
    "Jean De La Fontaine",
    "Brinch Hansen, Per",
    "Maria {\\'E}lena van den Bosch",
    "AA BB",
    "AA bb CC",
    "AA bb CC dd EE",
    "bb CC, AA",
    "bb CC dd EE, AA",
    "AA {bb} CC",
    "Charles {Foo Bar}",
]


@pytest.mark.parametrize("source", WITNESSED)
def test_pybtex_splits_the_same(source: str) -> None:
    database: Any = pytest.importorskip("pybtex.database")
    person = database.Person(source)
    ours = parse_bibtex_name(source)

    def plain(words: list[str]) -> str:
        from bibtools.text.tex import decode_tex

        return " ".join(decode_tex(word) for word in words)

    assert ours.given == plain(person.first_names + person.middle_names)
    assert ours.non_dropping_particle == plain(person.prelast_names)
    assert ours.family == plain(person.last_names)
    assert ours.suffix == plain(person.lineage_names)


RIS = [
    (
        "van der Berg, Hans, Jr.",
        C(family="Berg", given="Hans", non_dropping_particle="van der", suffix="Jr."),
    ),
    ("Berg, Jr., Hans", C(family="Berg", given="Hans", suffix="Jr.")),
    ("Fenn, E.", C(family="Fenn", given="E.")),
    ("d'Aubrac, Odile", C(family="Aubrac", given="Odile", non_dropping_particle="d'")),
    ("Mossbank Collaboration", C(literal="Mossbank Collaboration")),
    ("Plato", C(family="Plato")),
]


@pytest.mark.parametrize(("source", "expected"), RIS)
def test_ris_names(source: str, expected: Contributor) -> None:
    assert parse_ris_name(source) == expected


@pytest.mark.parametrize("source", [source for source, _ in RIS if source != "Berg, Jr., Hans"])
def test_ris_names_come_back(source: str) -> None:
    assert format_ris_name(parse_ris_name(source)).replace("' ", "'") == source


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            C(family="Berg", given="Hans", non_dropping_particle="van der", suffix="Jr."),
            "Hans van der Berg, Jr.",
        ),
        (C(family="Aubrac", given="Odile", non_dropping_particle="d'"), "Odile d'Aubrac"),
        (C(literal="NASA"), "NASA"),
        (C(family="李", given="小燕"), "李小燕"),
    ],
)
def test_names_as_people_say_them(name: Contributor, expected: str) -> None:
    assert display_name(name) == expected


def test_particles_are_words_in_lower_case_before_the_name() -> None:
    assert split_particle("von und zu Stein") == ("von und zu", "Stein")
    assert split_particle("Ó hAllmhain") == ("", "Ó hAllmhain")
    assert split_particle("de") == ("", "de")
