r"""What people and programs do in BibTeX files beyond its grammar."""

import pytest

from bibtools.model import Entry
from bibtools.readers.bibtex import read_bibtex


def read(fields: str) -> Entry:
    """Return the one entry with these fields."""
    [entry] = read_bibtex(f"@article{{key,\n{fields}\n}}\n", "test.bib").entries
    return entry


@pytest.mark.parametrize(
    ("fields", "url"),
    [
        ("url = {https://example.org/a/\n    b}", "https://example.org/a/b"),
        ("url = {https://a.org;\n    https://b.org}", "https://a.org; https://b.org"),
        (r"howpublished = {\href {https://example.org/a_b} {\texttt{a}}}", "https://example.org/a_b"),
        (r"howpublished = {\url{https://example.org}}", "https://example.org"),
        ("bdsk-url-1 = {https://example.org/1}", "https://example.org/1"),
        ("bdsk-url-1 = {https://example.org/1}, url = {https://example.org/2}", "https://example.org/2"),
    ],
)
def test_an_address_is_found_where_people_put_it(fields: str, url: str) -> None:
    """Wrapped, under a macro, or in BibDesk's own field."""
    assert read(fields).url == url


def test_an_identifier_broken_over_lines_is_joined() -> None:
    """A DOI holds no blank."""
    assert read("doi = {10.1000/a\n   b}").doi == "10.1000/ab"


def test_keywords_given_one_by_one_are_all_kept() -> None:
    """Repeated list fields join; a second copy of the same field adds nothing."""
    entry = read('keywords = "Q3", keywords = "Semi-quantitative", keywords = "Semi-quantitative, QSIM"')
    assert entry.keyword == ("Q3", "Semi-quantitative", "Semi-quantitative", "QSIM")
    assert read("keywords = {a, b}, keywords = {a, b}").keyword == ("a", "b")


def test_a_repeated_text_field_is_kept_beside_the_first() -> None:
    """Only lists join."""
    entry = read("volume = 1, volume = 2")
    assert (entry.volume, entry.extra) == ("1", {"bibtex": (("volume", "2"),)})


@pytest.mark.parametrize(
    ("author", "particle", "family"),
    [
        (r"d'{\aftergroup\ignorespaces} Este, Beatrice", "d'", "Este"),
        (r"Franc{\ocirc{u}}, Jan", "", "Franců"),
    ],
)
def test_commands_that_print_nothing_or_an_accent(author: str, particle: str, family: str) -> None:
    """From biblatex's manual and MathSciNet."""
    [name] = read(f"author = {{{author}}}").author
    assert (name.non_dropping_particle, name.family) == (particle, family)


@pytest.mark.parametrize(
    ("fields", "title", "short"),
    [
        (
            "journal = {Adv. Math.}, fjournal = {Advances in Mathematics}",
            "Advances in Mathematics",
            "Adv. Math.",
        ),
        ("journal = {Nature}, fjournal = {Nature}", "Nature", ""),
        ("journal = {Build. Environ.}, journal-iso = {Build. Env.}", "Build. Environ.", "Build. Env."),
        (r"journal = {\mnras}", "Monthly Notices of the Royal Astronomical Society", ""),
    ],
)
def test_a_journal_has_its_full_title_and_its_abbreviation(fields: str, title: str, short: str) -> None:
    """As MathSciNet, Web of Science and ADS give them."""
    entry = read(fields)
    assert (str(entry.container_title), str(entry.container_title_short or "")) == (title, short)
    assert not entry.extra


def test_an_abbreviation_that_another_field_gives_differently_is_kept() -> None:
    """Nothing is lost where `journal` is one abbreviation and `shortjournal` another."""
    entry = read("journal = {A. M.}, fjournal = {Advances in Mathematics}, shortjournal = {Adv. Math.}")
    assert str(entry.container_title_short) == "Adv. Math."
    assert entry.extra == {"bibtex": (("journal", "A. M."),)}


def test_calibre_calls_keywords_tags() -> None:
    """They are split like keywords."""
    assert read('tags = "Ethik, Geschichte"').keyword == ("Ethik", "Geschichte")


def test_lists_that_are_cut_off_have_one_order() -> None:
    source = "@article{k,\n  editor = {Tarn, Ada and others},\n  author = {Noon, Bo and others},\n}\n"
    assert read_bibtex(source, "x.bib").entries[0].truncated == ("author", "editor")
