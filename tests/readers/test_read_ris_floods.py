"""Hostile RIS values cost time in proportion to their length."""

from bibtools.readers.ris import read_ris


def test_a_flood_of_initials_is_one_name() -> None:
    """A name of 300,000 initials is read in one pass (4,000 took two seconds)."""
    [entry] = read_ris(f"TY  - JOUR\nAU  - Y {'A. ' * 300_000}\nER  - \n", "test.ris").entries
    assert len(entry.author) == 1


def test_initials_after_a_name_are_its_given_names() -> None:
    """PubMed's form has no comma."""
    [entry] = read_ris("TY  - JOUR\nAU  - Smith J.A.\nER  - \n", "test.ris").entries
    assert [(name.family, name.given) for name in entry.author] == [("Smith", "J.A.")]
