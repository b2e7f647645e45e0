"""When two entries are the same work."""

import pytest

from bibtools.model import Contributor, Entry, PartialDate, Text
from bibtools.works import WorkIndex, work_marks

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
