"""BibTeX to BibTeX, and through CSL-JSON and back: equal in every field and mark."""

import io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import entries

from bibtools.model import Entry, Library, Text, WriteOptions
from bibtools.readers.bibtex import read_bibtex
from bibtools.readers.csljson import read_csljson
from bibtools.text.tree import drop_spans, text_of
from bibtools.writers.bibtex import write_bibtex
from bibtools.writers.csljson import write_csljson

STYLES = [WriteOptions(), WriteOptions(dialect="biblatex"), WriteOptions(ascii=True)]


def to_bibtex(library: Library, options: WriteOptions = STYLES[0]) -> str:
    stream = io.StringIO()
    write_bibtex(library, stream, options)
    return stream.getvalue()


def to_csljson(library: Library) -> str:
    stream = io.StringIO()
    write_csljson(library, stream, WriteOptions())
    return stream.getvalue()


def unprotected(title: Text | None) -> Text | None:
    """Return a title without `nocase`: the writer adds what a style must not change."""
    return title and text_of(drop_spans(title.nodes or (title.plain,), frozenset({"nocase"})))


def facts(entry: Entry) -> Entry:
    """Return what an entry says of the work, without where it was read."""
    return entry.replace(origin=None)


@pytest.mark.parametrize("options", STYLES, ids=["bibtex", "biblatex", "ascii"])
@settings(suppress_health_check=list(HealthCheck))
@given(entry=entries())
def test_an_entry_comes_back_from_bibtex(options: WriteOptions, entry: Entry) -> None:
    text = to_bibtex(Library(entries=(entry,)), options)
    library = read_bibtex(text, "x.bib")
    assert library.problems == ()
    back = library.entries[0].replace(origin=None, source_type="", extra={})
    assert unprotected(back.title) == unprotected(entry.title)
    assert back.replace(title=None) == entry.replace(title=None)


@settings(suppress_health_check=list(HealthCheck))
@given(entry=entries(), options=st.sampled_from(STYLES))
def test_bibtex_through_bibtex_is_equal(entry: Entry, options: WriteOptions) -> None:
    first = read_bibtex(to_bibtex(Library(entries=(entry,)), options), "x.bib")
    second = read_bibtex(to_bibtex(first), "x.bib")
    rewritten = read_bibtex(to_bibtex(Library(entries=first.entries), options), "x.bib")
    assert [facts(e) for e in second.entries] == [facts(e) for e in first.entries]
    assert [facts(e) for e in rewritten.entries] == [facts(e) for e in first.entries]


@settings(suppress_health_check=list(HealthCheck))
@given(entry=entries(), options=st.sampled_from(STYLES))
def test_bibtex_through_csl_json_is_equal(entry: Entry, options: WriteOptions) -> None:
    first = read_bibtex(to_bibtex(Library(entries=(entry,)), options), "x.bib")
    through = read_csljson(to_csljson(first), "x.json")
    second = read_bibtex(to_bibtex(Library(entries=through.entries)), "x.bib")
    assert [facts(e) for e in second.entries] == [facts(e) for e in first.entries]


FIELD_NAMES = st.sampled_from([
    "title", "subtitle", "titleaddon", "booktitle", "maintitle", "journal", "journaltitle", "author",
    "editor", "editortype", "year", "date", "month", "day", "number", "issue", "volume", "eid", "pages",
    "publisher", "organization", "school", "howpublished", "note", "addendum", "eprint",
    "archiveprefix", "eprinttype", "primaryclass", "url", "doi", "langid", "language", "type",
    "pubstate", "keywords", "file", "groups", "crossref", "related", "ids", "location", "address",
    "series", "edition", "abstract", "annote", "entrysubtype", "shorttitle", "key", "eventtitle",
    "venue", "isbn", "ee", "software", "openreview", "origdate", "urldate", "custom-field",
])  # fmt: skip
VALUES = st.one_of(
    st.text(alphabet="aBé {}\\'$&%_^~-,;:.0123", max_size=16).filter(lambda value: _balanced(value)),
    st.sampled_from(
        [
            "2019",
            "2019-05-03",
            "mar",
            "A and B",
            "{A and B} and others",
            "arXiv",
            "2401.00001",
            "phdthesis",
            "{BERT} $x^2$",
        ]
    ),
)
ENTRY_TYPES = st.sampled_from([
    "article", "book", "inbook", "incollection", "inproceedings", "proceedings", "phdthesis",
    "techreport", "misc", "online", "thesis", "report", "patent", "software",
])  # fmt: skip


def _balanced(value: str) -> bool:
    depth = 0
    for char in value:
        depth += (char == "{") - (char == "}")
        if depth < 0:
            return False
    return depth == 0 and not value.endswith("\\")


@settings(max_examples=300)
@given(ENTRY_TYPES, st.dictionaries(FIELD_NAMES, VALUES, max_size=7))
def test_any_fields_come_back_rewritten(entry_type: str, fields: dict[str, str]) -> None:
    source = (
        f"@{entry_type}{{k,\n"
        + "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
        + "}\n"
    )
    first = read_bibtex(source, "x.bib")
    assert to_bibtex(first) == source
    entry = facts(first.entries[0])
    again = read_bibtex(to_bibtex(Library(entries=(entry,))), "x.bib")
    assert facts(again.entries[0]).replace(extra={}) == entry.replace(extra={})
