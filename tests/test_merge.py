"""Libraries joined into one: each work once, nothing lost, doubt said."""

from typing import Any

import pytest

from bibtools.merge import Merged, compare, merge_libraries
from bibtools.model import Comment, Contributor, Entry, Library, Link, Macro, PartialDate, Preamble, Text

NOON = Contributor("Noon", "Ara")
WORK = Entry(
    key="noon2024",
    type="article-journal",
    title=Text("Deep tides under heavy fog"),
    author=(NOON, Contributor("Pike", "Jo")),
    issued=PartialDate((2024,)),
    volume="3",
    page="12-20",
)


def merge(*libraries: tuple[Entry, ...]) -> Merged:
    """Return libraries with these entries as one; they are called a, b, c …"""
    return merge_libraries(
        [Library(entries=entries, source=name) for name, entries in zip("abcdef", libraries, strict=False)]
    )


@pytest.mark.parametrize(
    ("one", "other", "verdict", "reason"),
    [
        ({}, {}, "same", "same title, authors and year"),
        ({"doi": "10.5555/A"}, {"doi": "10.5555/a"}, "same", "same doi"),
        ({"doi": "10.5555/a"}, {}, "same", "same title, authors and year"),
        ({}, {"title": Text("Deep Tides: under heavy Fog")}, "same", "same title, authors and year"),
        ({}, {"author": (NOON,)}, "same", "same title, authors and year"),
        ({"author": (Contributor("van der Pike"),)}, {"author": (Contributor("Pike"),)}, "same",
         "same title, authors and year"),
        ({}, {"issued": None, "page": "12"}, "same", "same title, authors and year"),
        ({"doi": "10.5555/a"}, {"doi": "10.5555/a", "title": Text("Foreword")}, "doubtful",
         "same doi, but other titles"),
        ({"doi": "10.5555/a"}, {"doi": "10.5555/b"}, "doubtful", "same title, but other doi"),
        ({}, {"issued": PartialDate((2023,))}, "doubtful", "same title, but other year"),
        ({}, {"author": (Contributor("Rill"),)}, "doubtful", "same title, but other authors"),
        ({}, {"page": "99", "volume": "4"}, "doubtful", "same title, but other volume and page"),
        ({"type": "book"}, {"type": "chapter"}, "doubtful", "same title, but other type"),
        ({}, {"title": Text("Deep tides")}, "different", ""),
        ({"title": None}, {"title": None}, "different", ""),
        (
            {"title": Text("Editorial")},
            {"title": Text("Editorial"), "author": (Contributor("Rill"),), "volume": "4"},
            "different",
            "",
        ),
    ],
)  # fmt: skip
def test_whether_two_records_are_one_work(
    one: dict[str, Any], other: dict[str, Any], verdict: str, reason: str
) -> None:
    assert compare(WORK.replace(**one), WORK.replace(**other)) == (verdict, reason)
    assert compare(WORK.replace(**other), WORK.replace(**one))[0] == verdict


def test_counts_per_input_and_places() -> None:
    second = WORK.replace(title=Text("A second work of another kind"))
    merged = merge((WORK, second), (WORK, WORK), (second,))
    assert [entry.title for entry in merged.library.entries] == [WORK.title, second.title]
    assert [(c.source, c.identified, c.removed, c.left) for c in merged.counts] == [
        ("a", 2, 0, 2),
        ("b", 2, 2, 0),
        ("c", 1, 1, 0),
    ]
    assert sum(c.left for c in merged.counts) == len(merged.library.entries)


def test_doubtful_pairs_stay_apart_and_are_listed() -> None:
    merged = merge((WORK,), (WORK.replace(key="b", issued=PartialDate((2023,))),))
    assert len(merged.library.entries) == 2
    (pair,) = merged.pairs
    assert (pair.merged, pair.reason, pair.second.entry.key) == (False, "same title, but other year", "b")


def test_chapters_with_the_isbn_of_their_book_stay() -> None:
    chapters = tuple(
        Entry(type="chapter", title=Text(title), isbn="978-0-262-03384-8")
        for title in ("Foreword by me", "The end of it")
    )
    assert len(merge(chapters).library.entries) == 2


def test_a_merged_record_has_the_fields_of_all() -> None:
    other = WORK.replace(
        doi="10.5555/x",
        abstract=Text("Long."),
        keyword=("fog",),
        note=(Text("n"),),
        ids={"arxiv": "2401.00001"},
        links=(Link("https://a.org", "https://a.org"),),
        extra={"ris": (("C8", "x"),)},
        issued=PartialDate((2024, 7)),
        author=(NOON, Contributor("Pike", "Jolanda")),
    )
    (entry,) = merge((WORK.replace(keyword=("tide",), ids={"openreview": "AbC"}),), (other,)).library.entries
    assert entry == other.replace(keyword=("tide", "fog"), ids={"arxiv": "2401.00001", "openreview": "AbC"})


def test_values_that_differ_are_kept_in_a_remark() -> None:
    other = WORK.replace(key="n24", publisher="House B", type="paper-conference", doi="10.5555/x")
    first = WORK.replace(publisher="House A", annote=Text("mine"), doi="10.5555/x")
    (entry,) = merge((first,), (other,)).library.entries
    assert entry.publisher == "House A"
    assert entry.annote == Text("mine\nMerged from b: key n24; publisher House B; type paper-conference.")


def test_a_list_that_one_record_cuts_off_is_taken_from_the_other() -> None:
    cut = WORK.replace(author=(NOON,), truncated=("author",))
    (entry,) = merge((cut,), (WORK,)).library.entries
    assert (entry.author, entry.truncated) == (WORK.author, ())
    (entry,) = merge((WORK,), (cut,)).library.entries
    assert (entry.author, entry.truncated) == (WORK.author, ())


def test_a_document_takes_the_others_type() -> None:
    (entry,) = merge((WORK.replace(type="document", source_type="misc"),), (WORK,)).library.entries
    assert (entry.type, entry.source_type) == ("article-journal", "")


def test_other_works_under_one_key_get_a_new_one() -> None:
    other = WORK.replace(title=Text("A second work of another kind"), key="NOON2024")
    merged = merge((WORK,), (other,))
    assert [entry.key for entry in merged.library.entries] == ["noon2024", "NOON2024-2"]
    assert [problem.code for problem in merged.library.problems] == ["changed-key"]


def test_preambles_and_comments_stay() -> None:
    blocks = (Comment("% mine\n"), Comment("\n\n"), Preamble("x"), Macro("a", "{b}"))
    merged = merge_libraries([Library(entries=(WORK,), blocks=blocks), Library(blocks=(Comment("% yours"),))])
    assert merged.library.blocks == (
        Comment("% mine\n"),
        Preamble("x"),
        Comment("\n"),
        Comment("% yours\n"),
    )


def test_many_works_of_one_title_take_little_time() -> None:
    entries = tuple(
        Entry(key=str(n), title=Text("Editorial"), volume=str(n), author=(Contributor(f"N{n}"),))
        for n in range(2000)
    )
    assert len(merge(entries).library.entries) == 2000
