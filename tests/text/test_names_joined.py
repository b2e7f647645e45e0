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
