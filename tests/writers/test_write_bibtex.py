"""BibTeX and biblatex as written: new entries, unchanged and changed ones, both dialects, ASCII."""

import io

import pytest

from bibtools.model import (
    Contributor,
    Entry,
    Library,
    Link,
    Math,
    PartialDate,
    Span,
    Text,
    WriteOptions,
    WriteReport,
)
from bibtools.readers.bibtex import read_bibtex
from bibtools.writers.bibtex import write_bibtex


def write(library: Library, **options: object) -> tuple[str, WriteReport]:
    stream = io.StringIO()
    report = write_bibtex(library, stream, WriteOptions(**options))  # type: ignore[arg-type]
    return stream.getvalue(), report


def text_of(entry: Entry, **options: object) -> str:
    return write(Library(entries=(entry,)), **options)[0]


PAPER = Entry(
    key="heddes2025deepcrossattention",
    type="paper-conference",
    title=Text(
        "DeepCrossAttention: Supercharging BERT with $O(n)$ & more",
        ("DeepCrossAttention: Supercharging BERT with ", Math("O(n)"), " & more"),
    ),
    author=(
        Contributor(family="Heddes", given="Mike"),
        Contributor(family="Berg", given="Ada", non_dropping_particle="van der"),
    ),
    truncated=("author",),
    container_title=Text("Proceedings of the 42nd International Conference on Machine Learning"),
    collection_title=Text("Proceedings of Machine Learning Research"),
    volume="267",
    page="22805-22821",
    publisher="PMLR",
    issued=PartialDate((2025, 7, 13)),
    url="https://proceedings.mlr.press/v267/heddes25a.html",
    ids={"openreview": "j3JBfFnGYh"},
    links=(
        Link(
            "https://github.com/o/r",
            "https://github.com/o/r",
            "repository",
            offers_code=True,
            found_in="catalogue",
        ),
    ),
    abstract=Text("We train 50% faster."),
)

AS_BIBTEX = """@inproceedings{heddes2025deepcrossattention,
  author = {Heddes, Mike and van der Berg, Ada and others},
  title = {{DeepCrossAttention}: Supercharging {BERT} with {$O(n)$} \\& more},
  booktitle = {Proceedings of the 42nd International Conference on Machine Learning},
  series = {Proceedings of Machine Learning Research},
  volume = {267},
  pages = {22805--22821},
  publisher = {PMLR},
  year = {2025},
  month = jul,
  date = {2025-07-13},
  url = {https://proceedings.mlr.press/v267/heddes25a.html},
  openreview = {j3JBfFnGYh},
  software = {https://github.com/o/r},
  abstract = {We train 50\\% faster.},
  annote = {Code: \\url{https://github.com/o/r}},
}
"""


def test_a_new_entry_in_bibtex() -> None:
    assert text_of(PAPER) == AS_BIBTEX


def test_a_new_entry_in_biblatex() -> None:
    text = text_of(PAPER, dialect="biblatex")
    assert "  date = {2025-07-13},\n" in text
    assert "year" not in text
    assert "  annotation = {Code:" in text


@pytest.mark.parametrize(
    ("code_as", "software", "annote"), [("field", True, True), ("note", False, True), ("none", False, False)]
)
def test_code_links_by_choice(code_as: str, software: bool, annote: bool) -> None:
    text = text_of(PAPER, code_as=code_as)
    assert ("software" in text, "annote" in text) == (software, annote)


def test_ascii() -> None:
    entry = Entry(key="k", type="book", title=Text("Käse β"), author=(Contributor(family="Łuk", given="É."),))
    text = text_of(entry, ascii=True)
    assert text.isascii()
    assert "author = {{\\L}uk, {\\'{E}}.}" in text
    assert 'title = {K{\\"{a}}se \\ensuremath{\\beta}}' in text


DATES = [
    (PartialDate((2020,)), "  year = {2020},\n", "  date = {2020},\n"),
    (PartialDate((2020, 3)), "  year = {2020},\n  month = mar,\n", "  date = {2020-03},\n"),
    (PartialDate((1723,), circa=True), "  year = {1723},\n  date = {1723~},\n", "  date = {1723~},\n"),
    (PartialDate((2004,), season=2), "  year = {2004},\n  date = {2004-22},\n", "  date = {2004-22},\n"),
    (PartialDate((2019, 5), end=(2019, 6)), "  date = {2019-05/2019-06},\n", "  date = {2019-05/2019-06},\n"),
    (PartialDate(literal="in press"), "  year = {in press},\n", "  year = {in press},\n"),
]  # fmt: skip


@pytest.mark.parametrize(("date", "bibtex", "biblatex"), DATES)
def test_dates(date: PartialDate, bibtex: str, biblatex: str) -> None:
    entry = Entry(key="k", type="book", title=Text("T"), issued=date)
    assert bibtex in text_of(entry)
    assert biblatex in text_of(entry, dialect="biblatex")


TYPES = [
    ("article-journal", "article", "article"), ("thesis", "phdthesis", "thesis"),
    ("report", "techreport", "report"), ("webpage", "misc", "online"), ("software", "misc", "software"),
    ("dataset", "misc", "dataset"), ("patent", "misc", "patent"),
]  # fmt: skip


@pytest.mark.parametrize(("csl", "bibtex", "biblatex"), TYPES)
def test_types_by_dialect(csl: str, bibtex: str, biblatex: str) -> None:
    entry = Entry(key="k", type=csl, title=Text("T"))
    for dialect, expected in (("bibtex", bibtex), ("biblatex", biblatex)):
        text = text_of(entry, dialect=dialect)
        assert text.startswith(f"@{expected}{{k,")
        assert read_bibtex(text, "x").entries[0].type == csl


SOURCE = """% my library
@string{jot = "Journal of Tides"}

@Article{reed2019,
  author    = "Reed, Ivo and Fenn, Odile",
  title     = {The {BERT} model of \\mymacro{x}},
  journal   = jot # " (Series B)",
  year      = 2019, month = may,
  file      = {:a.pdf:PDF},
  note      = {Old note}
}
@comment{jabref-meta: groups;}

@InCollection{ part, crossref = {whole}, title = {Part} }
@Collection{whole, title = {Whole}, publisher = {Weir}, date = {2001}}
"""


def test_what_is_unchanged_comes_back_byte_for_byte() -> None:
    library = read_bibtex(SOURCE, "x.bib")
    assert write(library)[0] == SOURCE


def change(library: Library, key: str, **changes: object) -> Library:
    entries = tuple(entry.replace(**changes) if entry.key == key else entry for entry in library.entries)
    return Library(entries, library.problems, library.format, library.source, blocks=library.blocks)


def test_a_change_touches_only_its_field() -> None:
    library = change(
        read_bibtex(SOURCE, "x.bib"), "reed2019", note=(Text("New & better"),), doi="10.5555/a_b"
    )
    text, _ = write(library)
    assert text == SOURCE.replace(
        """  author    = "Reed, Ivo and Fenn, Odile",
  title     = {The {BERT} model of \\mymacro{x}},
  journal   = jot # " (Series B)",
  year      = 2019, month = may,
  file      = {:a.pdf:PDF},
  note      = {Old note}
}""",
        """  author = "Reed, Ivo and Fenn, Odile",
  title = {The {BERT} model of \\mymacro{x}},
  journal = jot # " (Series B)",
  year = 2019,
  month = may,
  file = {:a.pdf:PDF},
  note = {New \\& better},
  doi = {10.5555/a_b},
}""",
    )


def test_inherited_fields_are_not_copied_into_the_child() -> None:
    library = change(read_bibtex(SOURCE, "x.bib"), "part", page="1-2")
    text, _ = write(library)
    assert "@InCollection{part,\n  crossref = {whole},\n  title = {Part},\n  pages = {1--2},\n}" in text
    assert read_bibtex(text, "x").entries[1].publisher == "Weir"


def test_a_removed_entry_goes_and_a_new_one_comes_last() -> None:
    library = read_bibtex(SOURCE, "x.bib")
    changed = Library((*library.entries[1:], PAPER), format="bibtex", blocks=library.blocks)
    text, report = write(changed)
    assert "reed2019" not in text
    assert text.startswith("% my library\n@string")
    assert text.endswith("\n" + AS_BIBTEX)
    assert report.count == 3


def test_a_new_order_is_kept() -> None:
    library = read_bibtex(SOURCE, "x.bib")
    text, _ = write(Library(library.entries[::-1], format="bibtex", blocks=library.blocks))
    assert [entry.key for entry in read_bibtex(text, "x").entries] == ["whole", "part", "reed2019"]
    assert text.index("@string") < text.index("@Collection")


def test_another_dialect_keeps_what_means_the_same() -> None:
    text, _ = write(read_bibtex(SOURCE, "x.bib"), dialect="biblatex")
    assert "journaltitle = {Journal of Tides (Series B)}" in text
    assert "title = {The {BERT} model of \\mymacro{x}}" in text
    assert "date = {2019-05}" in text
    assert text.count("Weir") == 1


def test_two_entries_with_one_key_stay_two() -> None:
    source = "@misc{k, title = {A}}\n@misc{k, title = {B}}\n"
    library = read_bibtex(source, "x")
    assert write(library)[0] == source
    fresh = Library(tuple(entry.replace(key="k") for entry in library.entries))
    text, report = write(fresh)
    assert [entry.key for entry in read_bibtex(text, "x").entries] == ["k", "k-2"]
    assert [problem.code for problem in report.problems] == ["changed-key"]


HOSTILE = [
    "}",
    "{",
    "\\",
    "}}\n@article{evil, title = {x}}",
    "\\input{/etc/passwd}",
    "%",
    "$",
    "\\end{document}",
    "\n\n",
    "\0",
]


@pytest.mark.parametrize("value", HOSTILE)
@pytest.mark.parametrize(
    "field", ["title", "publisher", "url", "keyword", "note", "author", "extra", "issued", "key"]
)
def test_no_value_breaks_the_file(field: str, value: str) -> None:
    values = {
        "title": Text(f"T {value} x"), "publisher": f"T {value} x", "url": f"https://e.org/{value}",
        "keyword": (f"T {value} x",), "note": (Text(f"T {value} x"),),
        "author": (Contributor(family=f"T {value} x", given="A"), Contributor(literal=value)),
        "extra": {"bibtex": (("annotator", value), ("title", value))}, "issued": PartialDate(literal=value),
        "key": f"k{value}",
    }  # fmt: skip
    entry = Entry(type="book", **{"key": "k", "title": Text("T"), field: values[field]})  # type: ignore[arg-type]
    after = Entry(key="after", type="book", title=Text("After"))
    text, _ = write(Library(entries=(entry, after)))
    library = read_bibtex(text, "x")
    assert len(library.entries) == 2
    assert library.entries[1].key == "after"
    assert "\\input" not in text
    assert "\\end{document}" not in text or field == "extra"


@pytest.mark.parametrize("source", ["", "@misc{k, title = {Érable 李小燕 李}}\n"])
def test_letters_without_a_command_are_told_once_an_entry(source: str) -> None:
    """An option asked for is not silently half done; where all letters have commands, nothing is said."""
    library = (
        read_bibtex(source, "x") if source else Library((Entry(key="k", title=Text("Érable 李小燕 李")),))
    )
    text, report = write(library, ascii=True)
    assert "{\\'{E}}rable" in text
    assert [(problem.code, problem.raw, problem.lost) for problem in report.problems] == [
        ("letter-without-command", "李小燕", False)
    ]
    assert write(library)[1].problems == ()
    assert write(Library((Entry(key="k", title=Text("Érable")),)), ascii=True)[1].problems == ()


def test_many_letters_without_a_command_are_shown_in_part() -> None:
    """A message stays short; its raw text has them all."""
    letters = "".join(map(chr, range(0x4E00, 0x4E00 + 30)))
    [problem] = write(Library((Entry(key="k", title=Text(letters)),)), ascii=True)[1].problems
    assert letters[:10] in problem.message
    assert letters[:11] not in problem.message
    assert problem.raw == letters


@pytest.mark.parametrize("dialect", ["bibtex", "biblatex"])
def test_a_field_that_already_stands_is_carried(dialect: str) -> None:
    """No program reads a second field of one name, and some refuse the entry."""
    extra: dict[str, tuple[tuple[str, str], ...]] = {
        "bibtex": (("title", "Other \\emph{x}"), ("x-file", "a"), ("x-file", "b"))
    }
    entry = Entry(key="k", type="book", title=Text("Tides"), extra=extra)
    text, report = write(Library(entries=(entry,)), dialect=dialect)
    assert (text.count("title ="), text.count("x-file ="), report.problems) == (1, 1, ())
    back = read_bibtex(text, "x")
    assert back.problems == ()
    assert back.entries[0].title == Text("Tides")
    assert sorted(back.entries[0].extra["bibtex"]) == sorted(extra["bibtex"])


def test_other_formats_fields_are_carried() -> None:
    extra = {"ris": (("C1", "a } {b"), ("XX", "2")), "csl": (("custom", '{"a": "}"}'),)}
    entry = Entry(key="k", type="map", title=Text("T"), extra=extra, ids={"acl": "2020.x-1", "odd": "9"})
    text, report = write(Library(entries=(entry,)))
    back = read_bibtex(text, "x").entries[0]
    assert (back.extra, back.ids, back.type) == (extra, entry.ids, "map")
    assert report.problems == ()


def test_names_that_are_none_are_carried() -> None:
    fields = (("a = {x}, evil", "y"), ("fine", "1"), ("ok field", "z"), ("2nd", "w"))
    extra: dict[str, tuple[tuple[str, str], ...]] = {"bibtex": fields}
    text = text_of(Entry(key="k", type="book", title=Text("T"), extra=extra))
    assert [line.split(" = ")[0].strip() for line in text.splitlines()[1:-1]] == [
        "title",
        "key",
        "fine",
        "bibtools-extra",
    ]
    back = read_bibtex(text, "x").entries[0].extra["bibtex"]
    assert sorted(back) == sorted(extra["bibtex"])


def test_orcids_are_annotations() -> None:
    authors = (
        Contributor(family="A", given="B"),
        Contributor(family="C", given="D", orcid="0000-0002-1825-0097"),
    )
    text = text_of(Entry(key="k", type="book", title=Text("T"), author=authors))
    assert 'author+an:orcid = {2="0000-0002-1825-0097"}' in text
    assert read_bibtex(text, "x").entries[0].author == authors


def test_what_cannot_be_held_is_told() -> None:
    link = Link("https://e.org/demo", "https://e.org/demo", "demo", found_in="catalogue")
    _, report = write(Library(entries=(Entry(key="k", type="book", title=Text("T"), links=(link,)),)))
    assert [(problem.code, problem.lost) for problem in report.problems] == [("unmapped-field", True)]


def test_titles_from_bibtex_keep_their_own_braces() -> None:
    entry = Entry(key="k", type="book", source_type="book", title=Text("A view of BERT"))
    assert "title = {A view of BERT}" in text_of(entry)
    marked = Entry(key="k", type="book", title=Text("A BERT", ("A ", Span("nocase", ("BERT",)))))
    assert "title = {A {BERT}}" in text_of(marked)
