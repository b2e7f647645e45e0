"""What becomes of outputs that are there already: nothing is lost without being told to."""

import json
from pathlib import Path

import pytest

from bibtools.errors import UnknownFormatError, WriteError
from bibtools.model import Contributor, Entry, Library, PartialDate, Text, WriteOptions
from bibtools.outputs import Mode, Output, Plan, parse_output, plan_output, read_existing
from bibtools.readers.bibtex import read_bibtex

FORMATS = ("refs.bib", "biblatex:refs.bib", "refs.ris", "refs.json")


def works(*numbers: int) -> Library:
    """Return a library of invented works."""
    return Library(
        entries=tuple(
            Entry(
                key=f"byron{1800 + number}kelp",
                type="article-journal",
                title=Text(f"The drift of kelp near island number {number}"),
                author=(Contributor(family="Byron", given="Ada"), Contributor(family="Tang", given="Öde")),
                issued=PartialDate(start=(1800 + number,)),
                container_title=Text("Journal of Kelp"),
            )
            for number in numbers
        )
    )


def plan(library: Library, output: Output, mode: Mode = "safe") -> Plan:
    """Return what would be done for an output."""
    return plan_output(library, output, read_existing(output, mode == "force"), mode, WriteOptions())


def put(library: Library, output: Output, mode: Mode = "safe") -> bytes:
    """Carry out what would be done; return the file's bytes."""
    data = plan(library, output, mode).data
    assert output.path
    output.path.write_bytes(data)
    return data


@pytest.fixture(params=FORMATS)
def output(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Output:
    """An output in each format, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return parse_output(request.param)


@pytest.mark.parametrize(
    ("name", "form", "path"),
    [
        ("refs.bib", "bibtex", "refs.bib"),
        ("biblatex:refs.bib", "biblatex", "refs.bib"),
        ("a/refs.RIS", "ris", "a/refs.RIS"),
        ("refs.json", "csljson", "refs.json"),
        ("ris:-", "ris", None),
        ("-", "bibtex", None),
        ("csl-json:list.txt", "csljson", "list.txt"),
    ],
)
def test_output_names_its_format(name: str, form: str, path: str | None) -> None:
    output = parse_output(name)
    assert output.format.name == form
    assert output.path == (Path(path) if path else None)


@pytest.mark.parametrize("name", ["refs", "refs.docx", "song:refs.bib", "list.txt"])
def test_unknown_suffix_or_format_is_refused(name: str) -> None:
    with pytest.raises(UnknownFormatError, match="known formats"):
        parse_output(name)


def test_windows_drive_is_no_format(tmp_path: Path) -> None:
    assert parse_output(r"C:\refs.bib").format.name == "bibtex"


def test_second_run_changes_no_byte(output: Output) -> None:
    first = put(works(1, 2), output)
    again = plan(works(1, 2), output)
    assert again.data == first
    assert not again.backup


def test_a_second_run_knows_works_without_title_and_with_particles(output: Output) -> None:
    """What the file was made from is never taken for something else."""
    thin = Library(
        entries=(
            Entry(key="a", note=(Text("One note and no title"),)),
            Entry(
                key="b",
                title=Text("The drift of kelp near islands"),
                author=(Contributor(family="Berg Savoldi", non_dropping_particle="van der", given="Ada"),),
                language="de",
            ),
            Entry(key="c", title=Text("The drift of kelp near islands"), doi="10.5555/c"),
        )
    )
    before = put(thin, output)
    assert put(thin, output) == before
    assert (plan(thin, output, "append").added, plan(thin, output, "append").data) == (0, before)


def test_file_whose_works_are_all_in_the_new_one_is_replaced(output: Output) -> None:
    put(works(1, 2), output)
    replaced = plan(works(1, 2, 3), output)
    assert replaced.count == 3
    assert not replaced.backup


def test_file_with_other_works_stays(output: Output) -> None:
    put(works(*range(40)), output)
    with pytest.raises(WriteError, match="holds 38 works that the new one lacks") as caught:
        plan(works(1, 2), output)
    assert "--append" in str(caught.value)
    assert "--force" in str(caught.value)
    assert f"{output.path}.bak" in str(caught.value)


def test_what_people_and_managers_added_is_kept(tmp_path: Path) -> None:
    output = parse_output(str(tmp_path / "refs.bib"))
    text = put(works(1, 2), output).decode()
    mine = "  file = {:kelp.pdf:PDF},\n  groups = {drift},\n  note = {Read},\n  keywords = {kelp, drift},\n"
    added = text.replace("  year = {1801}", f"{mine}  year = {{1801}}")
    comment = "@Comment{jabref-meta: databaseType:bibtex;}"
    assert output.path
    output.path.write_text(f'% mine\n@string{{jk = "Journal of Kelp"}}\n\n{added}\n{comment}\n')
    once = put(works(1, 2, 3), output).decode()
    assert "file = {:kelp.pdf:PDF}" in once
    assert "groups = {drift}" in once
    assert "note = {Read}" in once
    assert "keywords = {kelp, drift}" in once
    assert comment in once
    assert "% mine" in once
    assert '@string{jk = "Journal of Kelp"}' in once
    assert once.count("@article{") == 3
    assert put(works(1, 2, 3), output).decode() == once


def test_preprint_and_article_of_one_title_are_two_works(tmp_path: Path) -> None:
    output = parse_output(str(tmp_path / "refs.json"))
    article = works(1).entries[0]
    put(Library(entries=(article.replace(doi="10.1/a"), article.replace(key="pre", doi="10.1/b"))), output)
    with pytest.raises(WriteError, match="holds 1 work that the new one lacks"):
        plan(Library(entries=(article.replace(doi="10.1/a"),)), output)
    with pytest.raises(WriteError, match="holds 1 work that the new one lacks"):
        plan(Library(entries=(article,)), output)


def test_force_replaces_and_keeps_a_backup(output: Output) -> None:
    put(works(1, 2), output)
    forced = plan(works(3), output, "force")
    assert forced.backup
    assert forced.count == 1


def test_append_leaves_every_byte_and_adds_what_is_missing(output: Output) -> None:
    old = put(works(1, 2), output)
    added = plan(works(2, 3), output, "append")
    end = old.rstrip().removesuffix(b"]").rstrip() if output.format.name == "csljson" else old
    assert added.data.startswith(end)
    assert (added.added, added.count) == (1, 3)
    put(works(2, 3), output, "append")
    assert plan(works(1, 2, 3), output, "append").added == 0


@pytest.mark.parametrize(
    ("name", "text", "tail"),
    [
        ("refs.json", "[]", "]"),
        ("refs.json", '[{"id": "a", "type": "book"}]\n\n', "]\n\n"),
        ("refs.json", '[\n  {"id": "a", "type": "book"}\n]', "\n]"),
        ("refs.ris", "TY  - BOOK\nTI  - A\nER  - ", "ER  - \n\n"),
        ("refs.bib", "% mine\n@book{a, title = {A}}", "}\n"),
    ],
)
def test_append_to_a_file_as_it_was_typed(tmp_path: Path, name: str, text: str, tail: str) -> None:
    path = tmp_path / name
    path.write_text(text, newline="")
    old = path.read_text()
    data = put(works(1), parse_output(str(path)), "append").decode()
    assert data.startswith(old.rstrip().removesuffix("]").rstrip())
    assert data.endswith(tail)
    if name.endswith("json"):
        assert json.loads(data)[-1]["id"] == "byron1801kelp"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_append_keeps_encoding_and_line_ends(tmp_path: Path, encoding: str, newline: str) -> None:
    path = tmp_path / "refs.bib"
    old = f"@book{{a, title = {{Über Tang}}}}{newline}".encode(encoding)
    path.write_bytes(old)
    data = put(works(1), parse_output(str(path)), "append")
    assert data.startswith(old)
    text = data.decode(encoding)
    assert "\ufeff" not in text
    assert text.count("\r\n") == (text.count("\n") if newline == "\r\n" else 0)
    assert "Öde" in text


def test_append_says_which_letter_an_encoding_lacks(tmp_path: Path) -> None:
    path = tmp_path / "refs.bib"
    path.write_bytes("@book{a, title = {Über Tang}}\n".encode("cp1252"))
    library = works(1)
    chinese = library.entries[0].replace(title=Text("海带漂流研究报告"))
    with pytest.raises(WriteError, match="cp1252"):
        plan(Library(entries=(chinese,)), parse_output(str(path)), "append")


def test_append_gives_other_works_keys_of_their_own(output: Output) -> None:
    """A file with one key for two works is refused by BibTeX."""
    put(works(1), output)
    other = works(2).entries[0].replace(key=works(1).entries[0].key.upper())
    planned = plan(Library(entries=(other,)), output, "append")
    assert [problem.code for problem in planned.problems] == ["changed-key"]
    assert f"{other.key}-2" in planned.data.decode()
    assert put(Library(entries=(other,)), output, "append") == planned.data


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("refs.bib", "@book{z, title={Kelp}", "unclosed-entry"),
        ("refs.ris", "TY  - BOOK\nTI  - Kelp\n", "missing-end"),
    ],
)
def test_append_says_that_the_last_entry_has_no_end(tmp_path: Path, name: str, text: str, code: str) -> None:
    """We read on with the next entry; other programs may not."""
    path = tmp_path / name
    path.write_text(text)
    planned = plan(works(1), parse_output(str(path)), "append")
    assert planned.added == 1
    assert [problem.code for problem in planned.problems] == [code]


def test_append_to_json_that_is_no_array_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "refs.json"
    path.write_text('{"items": [{"id": "a", "type": "book"}]}')
    with pytest.raises(WriteError, match="no JSON array"):
        plan(works(1), parse_output(str(path)), "append")


def test_file_in_another_format_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "refs.ris"
    path.write_text("Dear diary, this is no RIS at all.")
    with pytest.raises(WriteError, match="is there already and is no RIS"):
        plan(works(1), parse_output(str(path)))
    assert plan(works(1), parse_output(str(path)), "force").backup


def test_part_that_cannot_be_read_counts_as_a_work(tmp_path: Path) -> None:
    path = tmp_path / "refs.bib"
    path.write_text("@article{a, title = {{{{{ ")
    if read_existing(parse_output(str(path))).library.problems:  # type: ignore[union-attr]
        with pytest.raises(WriteError, match="nothing was written"):
            plan(works(1), parse_output(str(path)))


def test_a_part_that_cannot_be_read_may_go_where_it_stands_in_the_new_file(tmp_path: Path) -> None:
    """Converting a faulty file a second time loses nothing."""
    library = read_bibtex("@article{a, title = {Kelp at night}, oops ] volume = 1}\n", "in.bib")
    assert any(problem.lost for problem in library.problems)
    output = parse_output(str(tmp_path / "refs.bib"))
    before = put(library, output)
    assert put(library, output) == before


def test_empty_file_is_no_file(tmp_path: Path) -> None:
    path = tmp_path / "refs.bib"
    path.write_text("\n")
    assert read_existing(parse_output(str(path))) is None
