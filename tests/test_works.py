"""When two entries are the same work."""

import pytest

from bibtools.model import Contributor, Entry, PartialDate, Text
from bibtools.works import WorkIndex, unique_keys, work_marks

ABSTRACT = Text(
    "We followed forty drifts of kelp from a rowing boat at night, with one lamp and no model of any kind. "
    "Two of us fell in."
)
KELP = Entry(
    title=Text("The drift of kelp"), author=(Contributor(family="Byron", given="Ada"),), abstract=ABSTRACT
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Entry(doi="10.1/A"), Entry(doi="10.1/a", title=Text("Another title"))),
        (Entry(ids={"arxiv": "2401.00001v2"}), Entry(ids={"arxiv": "2401.00001"})),
        (KELP, KELP.replace(title=Text("The Drift of {K}elp"), doi="10.1/a", issued=PartialDate((1843,)))),
        (KELP, Entry(abstract=ABSTRACT)),
        (
            KELP.replace(author=(Contributor(family="van der Berg"),), abstract=None),
            KELP.replace(
                author=(Contributor(family="Berg", non_dropping_particle="van der"),), abstract=None
            ),
        ),
        (Entry(key="unidentified-abc123", title=Text("[We followed …]"), abstract=ABSTRACT), KELP),
        (Entry(key="unidentified-abc123"), Entry(key="unidentified-abc123")),
        (Entry(type="book", isbn="978-0-00-000000-2"), Entry(type="book", isbn="9780000000002")),
    ],
)
def test_same_work(one: Entry, other: Entry) -> None:
    assert WorkIndex([one]).find(other) == 0
    assert WorkIndex([other]).find(one) == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (KELP, KELP.replace(author=(Contributor(family="Gödel"),), abstract=None)),
        (KELP, KELP.replace(title=Text("Kelp in the talk version"))),
        (KELP.replace(doi="10.1/a"), KELP.replace(doi="10.1/b")),
        (KELP.replace(ids={"arxiv": "2401.00001"}), KELP.replace(ids={"arxiv": "2401.00002"})),
        (
            Entry(title=Text("Editorial"), issued=PartialDate((2001,))),
            Entry(title=Text("Editorial"), issued=PartialDate((2002,))),
        ),
        (Entry(type="chapter", isbn="9780000000002"), Entry(type="chapter", isbn="9780000000002")),
        (Entry(), Entry()),
    ],
)
def test_different_works(one: Entry, other: Entry) -> None:
    assert WorkIndex([one]).find(other) is None
    assert WorkIndex([other]).find(one) is None


def test_identifier_is_the_strongest_mark() -> None:
    entry = KELP.replace(doi="10.1/b")
    assert WorkIndex([KELP, Entry(doi="10.1/b")]).find(entry) == 1
    assert WorkIndex([KELP, Entry(doi="10.1/b")]).find(entry, exclude={1}) == 0
    assert work_marks(entry)[0] == "doi:10.1/b"


NAMELESS = [
    Entry(key="a", note=(Text("One note and no title"),)),
    Entry(key="b", author=(Contributor(family="Byron"),), volume="7"),
    Entry(key="c", authority="Kelp Board"),
    Entry(key="d"),
]


@pytest.mark.parametrize("entry", NAMELESS)
def test_what_nothing_names_is_found_only_where_asked_for(entry: Entry) -> None:
    """Two thin entries are two works; but a file has to be told from what it was made from."""
    assert WorkIndex([entry]).find(entry) is None
    index = WorkIndex(NAMELESS, nameless=True)
    assert index.find(entry) == NAMELESS.index(entry)
    assert index.find(entry.replace(volume="8")) is None


def test_many_works_under_one_key_get_keys_in_little_time() -> None:
    """Each look goes on where the last one ended."""
    entries, problems = unique_keys([Entry(key="k")] * 30_000)
    assert len({entry.key for entry in entries}) == len(problems) + 1 == 30_000
    assert entries[-1].key == "k-30000"
