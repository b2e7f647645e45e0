"""What a catalogue keeps of a work comes back."""

from hypothesis import given
from hypothesis import strategies as st
from invented import invented_work
from strategies import texts

from bibtools.catalogue.facts import BLOCK, Facts, FactStore, bare, encode_all
from bibtools.model import Contributor, Entry, Link, Text


def stored(works: list[Facts]) -> FactStore:
    blocks, starts = encode_all(works)
    return FactStore(memoryview(b"".join(blocks)), starts)


def test_works_of_several_blocks_come_back() -> None:
    works = [Facts(bare(invented_work(number)), (number % 3,)) for number in range(BLOCK * 2 + 5)]
    store = stored(works)
    assert [store[number] for number in (0, BLOCK - 1, BLOCK, len(works) - 1)] == [
        works[number] for number in (0, BLOCK - 1, BLOCK, len(works) - 1)
    ]


def test_every_kind_of_value_comes_back() -> None:
    entry = Entry(
        type="article-journal",
        title=Text("A $x$", ()),
        author=(
            Contributor(family="Cruz", given="Ana", non_dropping_particle="de la"),
            Contributor(literal="The Kelp Consortium"),
            Contributor(family="Name\twith tab", given="A"),
        ),
        links=(Link("github.com/a/b.", "https://github.com/a/b", "repository", True, "catalogue"),),
        extra={"bibtex": (("software", r"{\'e}"),)},
        keyword=("kelp", "otters"),
    )
    facts = Facts(entry, (1, 0), {"page": 0}, ("arxiv:2401.00001",))
    assert stored([facts, Facts(Entry())])[0] == facts


@given(st.lists(texts(), min_size=1, max_size=3))
def test_titles_with_markup_come_back(titles: list[Text]) -> None:
    works = [Facts(Entry(title=title), (0,)) for title in titles]
    store = stored(works)
    assert [store[number] for number in range(len(works))] == works


def test_what_a_list_says_of_itself_is_not_kept() -> None:
    entry = invented_work(1, key="k", claim="none", promised_without_link=True)
    assert bare(entry) == invented_work(1, abstract=None)
