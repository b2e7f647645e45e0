r"""Names whose words TeX joins, and lists with places where a name is missing."""

import pytest

from bibtools.text.names import parse_bibtex_names


@pytest.mark.parametrize(
    ("source", "family", "given"),
    [
        (r"Pet\H o, M\'aria", "Pető", "Mária"),
        (r"Larsson, Jan-\AA ke", "Larsson", "Jan-Åke"),
        (r"Gr\o nlund, {\O}yvind B.", "Grønlund", "Øyvind B."),
    ],
)
def test_a_blank_that_ends_a_command_joins(source: str, family: str, given: str) -> None:
    """The blank after a control word belongs to the control word."""
    [name], _ = parse_bibtex_names(source)
    assert (name.family, name.given) == (family, given)


@pytest.mark.parametrize("source", ["A and ,", "A and ~", "and A"])
def test_a_missing_name_is_no_person(source: str) -> None:
    """Where nothing but a sign stands between two ands, nobody is named."""
    names, truncated = parse_bibtex_names(source)
    assert [name.family for name in names] == ["A"]
    assert not truncated


def test_an_option_before_the_names_is_no_person() -> None:
    """biblatex lets options stand in a list of names."""
    names, truncated = parse_bibtex_names(
        "nosortothers=false and Sly, Simon and uniquename = init and others"
    )
    assert [name.family for name in names] == ["Sly"]
    assert truncated


def test_blanks_between_names_cost_no_more_than_their_number() -> None:
    """A flood of blanks is read in one pass (it took half a minute)."""
    names, _ = parse_bibtex_names("A, B" + " " * 200_000 + "and\n" + "\n" * 200_000 + "C, D")
    assert [name.family for name in names] == ["A", "C"]
