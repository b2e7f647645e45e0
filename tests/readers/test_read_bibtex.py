"""What BibTeX and biblatex files mean: macros, inheritance, duplicates, dates, types, problems."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bibtools.model import (
    Block,
    Comment,
    Contributor,
    Entry,
    EntryBlock,
    Library,
    Macro,
    Math,
    PartialDate,
    Preamble,
    Span,
    Text,
)
from bibtools.readers.bibtex import letters, read_bibtex

REPORTS = Path(__file__).parents[3] / "shared" / "reports"


def read(text: str) -> Library:
    return read_bibtex(text, "x.bib")


def one(fields: str, entry_type: str = "article") -> Entry:
    """Return the entry with these fields."""
    return read(f"@{entry_type}{{k, {fields}}}").entries[0]


def codes(library: Library) -> list[str]:
    return [problem.code for problem in library.problems]


def test_an_entry_whole() -> None:
    library = read(
        """@Article{reed2019,
  author    = {Reed, Ivo and van der Fenn, Odile and others},
  title     = {The {BERT} model of $x^2$},
  journal   = {Journal of Tides},
  volume    = 12, number = {3-4}, pages = {1--12, 20},
  year      = 2019, month = may, doi = {https://doi.org/10.5555/ABC},
  keywords  = {tide, {salt, sea}},
  file      = {:a.pdf:PDF},
}
"""
    )
    entry = library.entries[0]
    assert library.problems == ()
    assert (entry.key, entry.type, entry.source_type) == ("reed2019", "article-journal", "Article")
    assert entry.author == (
        Contributor(family="Reed", given="Ivo"),
        Contributor(family="Fenn", given="Odile", non_dropping_particle="van der"),
    )
    assert entry.truncated == ("author",)
    assert entry.title is not None
    assert entry.title.nodes == ("The ", Span("nocase", ("BERT",)), " model of ", Math("x^2"))
    assert entry.container_title == Text("Journal of Tides")
    assert (entry.volume, entry.issue, entry.page, entry.doi) == ("12", "3-4", "1-12, 20", "10.5555/ABC")
    assert entry.issued == PartialDate((2019, 5))
    assert entry.keyword == ("tide", "salt, sea")
    assert entry.extra == {"bibtex": (("file", ":a.pdf:PDF"),)}
    assert entry.origin is not None
    assert (entry.origin.line, entry.origin.span[0]) == (1, 0)


def test_macros_months_and_undefined_ones() -> None:
    library = read(
        '@STRING(J = "Journal of " # {Tides})\n'
        '@article{k, journal = j, month = may # "~3", year = 1955, note = nope}'
    )
    entry = library.entries[0]
    assert entry.container_title == Text("Journal of Tides")
    assert entry.issued == PartialDate((1955, 5, 3))
    assert entry.note == (Text("nope"),)
    assert codes(library) == ["undefined-macro"]
    assert str(library.problems[0].location) == "x.bib:2"


def test_blocks_together_are_the_file() -> None:
    text = (
        '% top\n@comment{jabref-meta: x;}\n@string{a = {b}}\n\n@preamble{"x"}\n@misc{k, title = a}\n\nend\n'
    )
    library = read(text)
    kinds = [
        type(block) for block in library.blocks if not (isinstance(block, Comment) and not block.text.strip())
    ]
    assert kinds == [Comment, Comment, Macro, Preamble, EntryBlock, Comment]
    parts = [block.text if isinstance(block, Comment) else block.source for block in library.blocks]
    assert "".join(parts) == text


def test_duplicate_keys_and_fields_are_kept_and_told() -> None:
    library = read(
        "@misc{k, title = {A}, year = 2022, year = 1922}\n@misc{k, title = {B}}\n@misc{k, title = {C}}"
    )
    assert [entry.key for entry in library.entries] == ["k", "ka", "kb"]
    assert library.entries[0].issued == PartialDate((2022,))
    assert library.entries[0].extra["bibtex"] == (("year", "1922"),)
    assert codes(library) == ["duplicate-field", "duplicate-key", "duplicate-key"]


def test_crossref_by_biblatex_rules() -> None:
    library = read(
        """@inproceedings{child, title = {Paper}, author = {Wren, A.}, crossref = {parent}}
@proceedings{parent, title = {Tides}, subtitle = {A Symposium}, editor = {Reed, I.},
  publisher = {Weir}, year = 2019, keywords = {no}}
@inbook{part, title = {Part}, author = {Own, N.}, crossref = {whole}}
@book{whole, title = {Whole}, author = {Other, M.}, date = {2001}}"""
    )
    child, _, part, _ = library.entries
    assert child.container_title == Text("Tides: A Symposium")
    assert (child.publisher, child.issued, child.keyword) == ("Weir", PartialDate((2019,)), ())
    assert [name.family for name in child.editor] == ["Reed"]
    assert [name.family for name in part.container_author] == ["Other"]
    assert [name.family for name in part.author] == ["Own"]


def test_xdata_is_no_work_and_rings_end() -> None:
    library = read(
        "@xdata{p, publisher = {Weir}, xdata = {q}}\n@xdata{q, location = {Tarn}, xdata = {p}}\n"
        "@book{k, title = {T}, xdata = {p}}\n@book{r, crossref = {r}}\n@book{s, crossref = {gone}}"
    )
    assert [entry.key for entry in library.entries] == ["k", "r", "s"]
    assert (library.entries[0].publisher, library.entries[0].publisher_place) == ("Weir", "Tarn")
    assert "reference-ring" in codes(library)
    assert "missing-reference" in codes(library)


def test_a_long_chain_of_parents_is_followed() -> None:
    chain = "".join(f"@book{{k{n}, crossref = {{k{n + 1}}}}}\n" for n in range(3000))
    library = read(f"{chain}@book{{k3000, publisher = {{Weir}}}}")
    assert library.entries[0].publisher == "Weir"


DATES = [
    ("date = {2024-07-08}", PartialDate((2024, 7, 8))),
    ("date = {1723~}", PartialDate((1723,), circa=True)),
    ("date = {2004-22}", PartialDate((2004,), season=2)),
    ("date = {1998/}", PartialDate((1998,), end=())),
    ("year = {2024}, month = {7}, day = {8}", PartialDate((2024, 7, 8))),
    ('year = 1988, month = aug # "/" # sep', PartialDate((1988, 8), end=(1988, 9))),
    ('year = 2021, month = "9~" # dec', PartialDate((2021, 12, 9))),
    ("year = {in press}", PartialDate(literal="in press")),
    ("year = {2010}, month = {unknown}", PartialDate((2010,))),
    ("year = {c. 1990}", PartialDate((1990,), circa=True)),
    ("date = {2019}, year = {2019}", PartialDate((2019,))),
]


@pytest.mark.parametrize(("fields", "expected"), DATES)
def test_dates_in_every_form(fields: str, expected: PartialDate) -> None:
    assert one(fields).issued == expected


TYPES = [
    ("phdthesis", "thesis", "PhD thesis"), ("mastersthesis", "thesis", "Master’s thesis"),
    ("techreport", "report", ""), ("Conference", "paper-conference", ""), ("online", "webpage", ""),
    ("misc", "document", ""), ("movie", "motion_picture", ""), ("unheard", "document", ""),
    ("inreference", "entry", ""), ("booklet", "pamphlet", ""), ("software", "software", ""),
]  # fmt: skip


@pytest.mark.parametrize(("name", "csl", "genre"), TYPES)
def test_entry_types(name: str, csl: str, genre: str) -> None:
    entry = one("title = {T}", name)
    assert (entry.type, entry.genre, entry.source_type) == (csl, genre, name)


NUMBERS = [
    ("article", "issue"),
    ("inproceedings", "issue"),
    ("book", "collection_number"),
    ("techreport", "number"),
    ("patent", "number"),
]


@pytest.mark.parametrize(("entry_type", "variable"), NUMBERS)
def test_what_number_means_is_the_type_s(entry_type: str, variable: str) -> None:
    assert getattr(one("number = {7}", entry_type), variable) == "7"


FIELDS: list[tuple[str, str, Any]] = [
    ("url = {https://e.org/a\\_b}", "url", "https://e.org/a_b"),
    ("howpublished = {\\url{https://e.org/x_y}}", "url", "https://e.org/x_y"),
    ("howpublished = {Handout}", "publisher", "Handout"),
    ("publisher = {John Wiley and Sons}", "publisher", "John Wiley and Sons"),
    ("date = {2001}, publisher = {Weir and Tarn}", "publisher", "Weir; Tarn"),
    ("date = {2001}, publisher = {Weir {and} Tarn}", "publisher", "Weir and Tarn"),
    ("eprint = {2406.99998v2}, archivePrefix = {arXiv}", "ids", {"arxiv": "2406.99998v2"}),
    ("eprint = {2406.99998v2}, archivePrefix = {arXiv}", "url", "https://arxiv.org/abs/2406.99998v2"),
    ("journal = {CoRR}, volume = {abs/2002.99998}", "url", "https://arxiv.org/abs/2002.99998"),
    ("eprint = {123}, eprinttype = {jstor}", "url", "https://www.jstor.org/stable/123"),
    ("note = {A}, addendum = {B}", "note", (Text("A"), Text("B"))),
    ("langid = {ngerman}", "language", "de"),
    ("title = {A}, subtitle = {B}", "title", Text("A: B")),
    ("title = {Why?}, subtitle = {B}", "title", Text("Why? B")),
    ("pages = {467–499}", "page", "467-499"),
    ("pages = {1---17}", "page", "1-17"),
    ("eid = {e1000}", "page", "e1000"),
    ("keywords = {a; b, c}", "keyword", ("a", "b, c")),
    ("openreview = {aBc-1}", "ids", {"openreview": "aBc-1"}),
    ("abstract = {One.\n\nTwo.}", "abstract", Text("One.\n\nTwo.")),
    ("event-date = {2001-05}", "event_date", PartialDate((2001, 5))),
    ("medium = {DVD}", "medium", "DVD"),
    ("editor = {Reed, I.}, editortype = {compiler}", "compiler", (Contributor(family="Reed", given="I."),)),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "variable", "expected"), FIELDS)
def test_fields(fields: str, variable: str, expected: Any) -> None:
    assert getattr(one(fields), variable) == expected


def test_an_open_date_range_and_a_comment_sign() -> None:
    entry = one("author = {Richard %A.\n B. Johnson}, abstract = {10% of it,\nand 20 % more}")
    assert entry.author == (Contributor(family="Johnson", given="Richard B."),)
    assert entry.abstract == Text("10% of it, and 20 % more")


def test_unknown_commands_are_told() -> None:
    library = read("@misc{k, title = {\\foo{x} \\'e}, file = {\\bar}}")
    assert codes(library) == ["tex-command"]
    assert "\\foo" in library.problems[0].message


def test_a_file_without_entries_is_one_problem() -> None:
    library = read("nothing here")
    assert codes(library) == ["no-entries"]
    assert library.problems[0].lost
    assert read("").problems == ()
    assert read("@comment{x}").entries == ()
    assert read("% Encoding: UTF-8\n\n@Comment{jabref-meta: x}\n  % end\n").problems == ()


def test_one_key_for_all_entries_takes_linear_time() -> None:
    library = read_bibtex("@a{k}\n" * 20_000 + "@a{kb}\n", "x.bib")
    assert len({entry.key for entry in library.entries}) == 20_001


@pytest.mark.parametrize("word", ["comment", "Comment"])
def test_an_entry_within_a_comment_is_told(word: str) -> None:
    """It may stand there by a lost brace; it is no loss, as it may be meant."""
    library = read(f"@{word}{{x\n@misc{{a, title = {{A}}}}\n}}\n@misc{{b, title = {{B}}}}\n")
    assert [entry.key for entry in library.entries] == ["b"]
    [problem] = library.problems
    assert (problem.code, problem.severity, problem.location.line, problem.lost) == (
        "commented-entry", "info", 2, False,
    )  # fmt: skip


def test_key_suffixes() -> None:
    assert [letters(n) for n in (1, 26, 27, 52, 53)] == ["a", "z", "aa", "az", "ba"]


def test_an_entry_without_key_is_nobodys_parent() -> None:
    """Who names no parent has none."""
    library = read(
        "@book{, title = {A}, publisher = {P}}\n@inbook{b, title = {B}, crossref = {c}}\n@book{c, title = {}}"
    )
    assert [entry.publisher for entry in library.entries] == ["P", "", ""]
    assert codes(library) == ["missing-key"]


def source_of(block: Block) -> str:
    """Return a block's text as it stands in the file."""
    return block.text if isinstance(block, Comment) else block.source


def check_whole(library: Library, text: str) -> None:
    """Assert that the library's blocks are the file, and that entries are told apart and stand in order."""
    assert "".join(map(source_of, library.blocks)) == text
    placed = [block.entry for block in library.blocks if isinstance(block, EntryBlock)]
    assert [entry for entry in placed if entry] == list(library.entries)
    keys = [entry.key for entry in library.entries if entry.key]
    assert len(set(keys)) == len(keys)
    origins = [entry.origin for entry in library.entries if entry.origin]
    assert [origin.index for origin in origins] == list(range(len(library.entries)))
    assert all(text.count("\n", 0, origin.span[0]) + 1 == origin.line for origin in origins)


@given(st.text(alphabet="@abook{}()\"#=, \n%\\'crossrefxdata1$~-", max_size=150))
def test_any_text_is_read_whole(text: str) -> None:
    """All blocks together are the file, byte for byte; what is no entry is there too."""
    check_whole(read(text), text)


FILE = """@string{wjie = "wJournal of " # {wTides}}
% a remark
@article{wkey1, author = {wReed, wIvo and van der wFenn, wOdile and {The wMoss Group}},
  title = "A {wQuoted} wphrase", journal = wjie, year = 1999, month = may # "~3", note = {see wnote},
  keywords = {wfirst, wsecond}, xfield = {wvalue}}
@comment{wcomment}
@inproceedings(wkey2, title = {Nested {{wdeep} wbraces} here}, publisher = {wHouse # B}, crossref = {wkey3},
  pages = {wone--wtwo}, url = {https://example.org/wurl}, doi = {10.1/wdoi})
@proceedings{wkey3, title = {wProc $wx$ {T}}, editor = "wEd, wA", year = {wyear}, file = {wfile.pdf}}
"""
EDITS = st.tuples(
    st.integers(min_value=0, max_value=len(FILE)),
    st.integers(min_value=0, max_value=4),
    st.sampled_from(["", "{", "}", '"', "=", ",", "#", "@", "\n", "(", ")", "@misc{k, "]),
)


@given(st.lists(EDITS, min_size=1, max_size=3))
def test_no_word_of_a_damaged_file_is_lost_without_being_told(edits: list[tuple[int, int, str]]) -> None:
    """Characters go and come: each word that is left is in an entry, between entries, or in a problem."""
    text = FILE
    for start, length, new in edits:
        text = text[:start] + new + text[start + length :]
    library = read(text)
    check_whole(library, text)
    found = [msgspec.json.encode([entry.replace(origin=None) for entry in library.entries]).decode()]
    found += [source_of(block) for block in library.blocks if not isinstance(block, EntryBlock)]
    found += [problem.raw + problem.message for problem in library.problems]
    assert [word for word in re.findall(r"\bw\w+", text) if word not in "\n".join(found)] == []


@given(st.integers(min_value=0, max_value=len(FILE)))
def test_a_file_cut_anywhere_keeps_what_stands_before_the_cut(cut: int) -> None:
    """Entries that are whole come out as from the whole file, but for what they inherit from lost ones."""
    library = read(FILE[:cut])
    check_whole(library, FILE[:cut])
    for entry, whole in zip(library.entries, read(FILE).entries, strict=False):
        assert whole.origin
        if whole.origin.span[1] <= cut and entry.key != "wkey2":
            assert entry == whole


@pytest.mark.skipif(not REPORTS.is_dir(), reason="the reports are not beside this checkout")
@pytest.mark.parametrize("name", ["05-missing-comma", "06-unbalanced-brace"])
def test_faults_are_told_with_key_and_line(name: str) -> None:
    library = read_bibtex((REPORTS / f"{name}.bib").read_text(encoding="utf-8"), f"{name}.bib")
    assert len(library.problems) in (2, 3)
    assert all(problem.location.line and ": " in problem.message for problem in library.problems)


@pytest.mark.parametrize("year", ["1³99", "200²", "٢٠٠١", "12345678901234567890", "①999"])
def test_signs_that_are_almost_digits_stop_nothing(year: str) -> None:
    assert one(f"year = {{{year}}}").issued is not None
    assert read(f"@misc{{k, year = {year}, month = {year}, volume = {year}}}").entries
