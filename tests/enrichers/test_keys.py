"""Citation keys: made from the work, unique, stable."""

import pytest

from bibtools.enrichers import apply
from bibtools.enrichers.keys import KeyMaker, base_key, to_ascii
from bibtools.errors import InputError
from bibtools.model import Contributor, Entry, PartialDate, Text


def work(title: str = "", family: str = "", year: int | None = None, **fields: object) -> Entry:
    """Return a work with one author."""
    return Entry(
        title=Text(title) if title else None,
        author=(Contributor(family=family, given="Ada"),) if family else (),
        issued=PartialDate(start=(year,)) if year else None,
    ).replace(**fields)


def keys(entries: list[Entry], maker: KeyMaker | None = None) -> list[str]:
    """Return the keys that entries have after the maker went over them."""
    made = (maker or KeyMaker()).enrich(entries)
    return [apply(entry, one)[0].key for entry, one in zip(entries, made, strict=True)]


@pytest.mark.parametrize(
    ("entry", "key"),
    [
        (
            work("DeepCrossAttention: Supercharging Residuals", "Heddes", 2025),
            "heddes2025deepcrossattention",
        ),
        (work("On the Shape of Kelp", "Byron", 1843), "byron1843shape"),
        (work("The", "Byron", 1843), "byron1843the"),
        (work("One-Pass Learning", "Xing", 2025), "xing2025onepass"),
        (work("$\\ell_1$-Regularised Kelp", "Weiß", 2024), "weiss2024regularised"),
        (work("$O(n)$", "Weiß", 2024), "weiss2024n"),
        (work("Über Tang", "Gödel", 1931), "godel1931tang"),
        (work("深度学习", "李", 2020), "li2020shenduxuexi"),
        (work("Kelp drift", "", 2020), "2020kelp"),
        (work("Kelp drift", "Byron"), "byronkelp"),
        (
            Entry(title=Text("Kelp"), author=(Contributor(literal="World Kelp Forum"),)),
            "worldkelpforumkelp",
        ),
        (
            Entry(
                title=Text("Kelp"),
                author=(Contributor(family="Vries", non_dropping_particle="de", given="J."),),
            ),
            "vrieskelp",
        ),
        (Entry(title=Text("Kelp"), editor=(Contributor(family="Byron"),)), "byronkelp"),
        (Entry(), "entry"),
    ],
)
def test_key_is_author_year_and_first_telling_word(entry: Entry, key: str) -> None:
    assert base_key(entry) == key


@pytest.mark.parametrize(
    ("pattern", "key"),
    [
        ("{Author}{year}", "Byron1843"),
        ("{author}:{words}", "byron:shapekelpforests"),
        ("{authors}-{year}", "byron-1843"),
        ("fixed", "fixed"),
    ],
)
def test_pattern_decides_the_parts(pattern: str, key: str) -> None:
    assert base_key(work("The Shape of Kelp Forests", "Byron", 1843), pattern) == key


@pytest.mark.parametrize("pattern", ["{volume}", "{author} {year}", "{author", "a,b", "50%"])
def test_wrong_pattern_is_refused(pattern: str) -> None:
    with pytest.raises(InputError, match="key pattern"):
        base_key(work("Kelp", "Byron", 1843), pattern)


def test_many_authors_end_in_etal() -> None:
    entry = Entry(author=tuple(Contributor(family=name) for name in ("One", "Two", "Three", "Four")))
    assert base_key(entry, "{authors}") == "onetwothreeetal"


@pytest.mark.parametrize(
    ("text", "ascii_text"),
    [
        ("Ørsted", "orsted"),
        ("Straße", "strasse"),
        ("O’Hara-Smith", "oharasmith"),
        ("Ивано́в", "ivanov"),
        ("", ""),
    ],
)
def test_letters_become_ascii(text: str, ascii_text: str) -> None:
    assert to_ascii(text) == ascii_text


def test_clashes_get_letters_in_order_of_work_id_not_of_file() -> None:
    first = work("Kelp drift", "Byron", 1843, doi="10.1/a")
    second = work("Kelp farms", "Byron", 1843, doi="10.1/b")
    assert keys([first, second]) == ["byron1843kelpa", "byron1843kelpb"]
    assert keys([second, first]) == ["byron1843kelpb", "byron1843kelpa"]


def test_key_taken_by_another_work_stays_with_it() -> None:
    maker = KeyMaker(taken=["byron1843kelp", "byron1843kelpa"])
    assert keys([work("Kelp drift", "Byron", 1843)], maker) == ["byron1843kelpb"]


def test_keys_that_differ_in_case_only_are_one_for_bibtex() -> None:
    entries = [work("Kelp", "Byron", 1843, key="Mine"), work("Tang", "Gödel", 1931, key="mine")]
    assert keys(entries) == ["Mine", "minea"]


def test_read_keys_stay_and_repeated_ones_get_a_letter() -> None:
    entries = [
        work("Kelp", "Byron", 1843, key="mine"),
        work("Tang", "Gödel", 1931, key="mine"),
        work("Reef", "Cook", 1770),
    ]
    assert keys(entries) == ["mine", "minea", "cook1770reef"]


def test_key_known_elsewhere_wins_over_a_read_one_and_over_taken_ones() -> None:
    maker = KeyMaker(known=lambda entry: "edited" if entry.doi == "10.1/a" else "", taken=["edited"])
    entries = [work("Kelp", "Byron", 1843, doi="10.1/a", key="read"), work("Tang", "Gödel", 1931)]
    assert keys(entries, maker) == ["edited", "godel1931tang"]
