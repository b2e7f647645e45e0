"""The public functions, as docs/python.md shows them, and how entries of several inputs come together."""

import doctest
from pathlib import Path

import pytest

import bibtools
from bibtools.model import Contributor, Entry, Library, Origin, PartialDate, Text
from bibtools.outcomes import Identification
from bibtools.pipeline import fill, known_keys, prepare

KELP = Entry(
    key="mine",
    title=Text("The drift of kelp"),
    author=(Contributor(family="Byron", given="Ada"),),
    doi="10.1/kelp",
)
FOUND = Identification("identified", 1.0, "abstract", work_id="doi:10.1/kelp")


def test_python_page_is_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    page = Path(__file__).parent.parent / "docs" / "python.md"
    assert doctest.testfile(str(page), module_relative=False).failed == 0


@pytest.mark.parametrize("order", [1, -1])
def test_work_of_a_list_joins_the_bibliography_that_has_it(order: int) -> None:
    listed = KELP.replace(key="", volume="3", identification=FOUND, origin=Origin("list.txt", 5))
    inputs = [Library(entries=(KELP,), format="bibtex"), Library(entries=(listed,), format="abstracts")]
    prepared = prepare(inputs[::order])
    assert [(entry.key, entry.volume) for entry in prepared.works] == [("mine", "3")]
    assert [problem.code for problem in prepared.problems] == ["repeated-work"]
    assert (prepared.abstracts, prepared.identified) == (1, 1)


def test_titled_entry_of_a_bibliography_is_never_unidentified() -> None:
    entry = Entry(key="a", title=Text("Kelp"), identification=Identification("unidentified"))
    assert prepare([Library(entries=(entry,), format="ris")]).unidentified == ()


def test_title_of_a_list_stays_when_its_work_is_not_known() -> None:
    entry = Entry(
        title=Text("My own title"), abstract=Text("We drift."), identification=Identification("contradicted")
    )
    prepared = prepare([Library(entries=(entry,), format="abstracts", heading="Reading list")])
    unidentified = prepared.unidentified[0]
    assert unidentified.title == Text("My own title")
    assert unidentified.keyword == ("bibtools:unidentified",)
    assert "Reading list" in unidentified.note[0].plain


def test_filling_changes_empty_fields_only() -> None:
    other = Entry(key="theirs", volume="9", issued=PartialDate((1843,)), doi="10.1/other")
    filled = fill(KELP, other)
    assert (filled.key, filled.doi, filled.volume) == ("mine", "10.1/kelp", "9")
    assert filled.issued == PartialDate((1843,))


def test_known_keys_forget_that_a_work_was_unidentified() -> None:
    abstract = Text(
        "We followed forty drifts of kelp from a rowing boat at night, with one lamp and no model at all."
    )
    old = Library(entries=(Entry(key="unidentified-abc123", title=Text("[We …]"), abstract=abstract),))
    find = known_keys([old])
    assert find(Entry(key="unidentified-abc123", abstract=abstract)) == "unidentified-abc123"
    assert find(KELP.replace(key="", abstract=abstract)) == ""


def test_write_gives_keys_and_keeps_those_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "refs.json"
    assert bibtools.write([KELP], path) == ()
    assert bibtools.write([KELP.replace(key="")], path) == ()
    assert [entry.key for entry in bibtools.read(path).entries] == ["mine"]
    with pytest.raises(bibtools.WriteError):
        bibtools.write([Entry(title=Text("Another"))], path)
