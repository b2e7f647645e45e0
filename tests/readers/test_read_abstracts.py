"""Lists of abstracts: pastes in the shapes of sites and notes, and each rule on its own."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bibtools.errors import InputError
from bibtools.model import Entry, Library
from bibtools.readers.abstracts import read_abstracts
from bibtools.text.names import display_name

PASTES = Path(__file__).parents[1] / "data" / "abstract-lists"
CASES = sorted(path for path in PASTES.iterdir() if not path.name.endswith(".json"))


LABEL_WORDS = {
    *(
        "Abstract",
        "Authors",
        "Keywords",
        "Title",
        "Anthology",
        "DOI",
        "ID",
        "URL",
        "Link",
        "To",
        "Cite",
        "as",
        "of",
    ),
    *(
        "paper",
        "code",
        "html",
        "other",
        "pdf",
        "and",
        "und",
        "Titel",
        "Autoren",
        "Zusammenfassung",
        "bibtools",
    ),
}
"""Words that only say what a value is; the value itself says it in an entry."""


def summarise(entry: Entry) -> dict[str, Any]:
    """Return what a list says of one abstract, for comparison."""
    assert entry.origin is not None
    said = {
        "line": entry.origin.line,
        "title": entry.title and entry.title.plain,
        "author": [display_name(name) for name in entry.author],
        "abstract": entry.abstract and entry.abstract.plain,
        "claim": entry.claim,
        "doi": entry.doi,
        "ids": entry.ids,
        "keyword": list(entry.keyword),
        "links": [[link.url, link.found_in, link.offers_code, link.line] for link in entry.links],
        "annote": entry.annote and entry.annote.plain.split("\n"),
    }
    return {name: value for name, value in said.items() if value}


def read(text: str) -> Library:
    """Read a list under a made-up name."""
    return read_abstracts(text, "list.txt")


def abstracts(text: str) -> list[str]:
    """Return the abstracts of a list as plain text."""
    return [entry.abstract.plain if entry.abstract else "" for entry in read(text).entries]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.name)
def test_pastes_are_read_as_people_mean_them(path: Path) -> None:
    library = read_abstracts(path.read_text(encoding="utf-8"), path.name)
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert library.heading == expected["heading"]
    assert [summarise(entry) for entry in library.entries] == expected["entries"]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.name)
def test_no_word_of_a_paste_is_lost(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    library = read_abstracts(text, path.name)
    kept = " ".join(
        [library.heading, *(problem.raw for problem in library.problems)]
        + [json.dumps(summarise(entry), ensure_ascii=False) for entry in library.entries]
        + [link.written for entry in library.entries for link in entry.links]
    )
    words = [word.strip('.,:;·*()[]|#-"') for word in text.split()]
    lost = {word for word in words if word.isalpha() and word.isascii() and word not in kept}
    assert lost <= LABEL_WORDS


def test_index_counts_abstracts_and_span_holds_their_text() -> None:
    text = "ICML 2025\n\nTides turn.\n\n  2. Kelp\ngrows.\n\nAbstract: Fog hides.\n"
    entries = read(text).entries
    origins = [entry.origin for entry in entries if entry.origin]
    assert [origin.index for origin in origins] == [0, 1, 2]
    assert [origin.line for origin in origins] == [3, 5, 8]
    assert [text[slice(*origin.span)] for origin in origins] == ["Tides turn.", "Kelp\ngrows.", "Fog hides."]


@pytest.mark.parametrize(
    "heading",
    [
        "ICML 2025 Papers",
        "ICML 2025 论文列表",
        "Artikel für den Sommer",
        "読みたい論文",
        "# ICML 2025",
        "ICML 2025\n=========",
        "Статьи ICML 2025",
        "قائمة الأوراق",
        "Papers:",
    ],
)
def test_first_line_without_sentence_is_a_heading_in_any_language(heading: str) -> None:
    library = read(f"{heading}\n\nTides turn.")
    assert library.heading == heading.strip("# ").split("\n")[0]
    assert len(library.entries) == 1


@pytest.mark.parametrize(
    "paragraph",
    [
        "Tides turn.",
        "Do tides turn?",
        "潮汐很难计数。",
        "See https://github.com/o/r",
        "One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen",
    ],
)
def test_first_paragraph_that_is_a_sentence_is_an_abstract(paragraph: str) -> None:
    library = read(f"{paragraph}\n\nKelp grows.")
    assert library.heading == ""
    assert len(library.entries) == 2


def test_later_short_lines_are_abstracts_unless_marked() -> None:
    assert abstracts("List\n\nTides turn.\n\nSession two\n\nKelp grows.") == [
        "Tides turn.",
        "Session two",
        "Kelp grows.",
    ]
    assert abstracts("List\n\nTides turn.\n\n## Session two\n\nKelp grows.") == ["Tides turn.", "Kelp grows."]


def test_the_heading_that_names_a_venue_is_the_list_s() -> None:
    library = read("# My papers\n\n## NeurIPS 2024\n\nTides turn.")
    assert library.heading == "NeurIPS 2024"
    assert [(problem.code, problem.raw) for problem in library.problems] == [("further-heading", "My papers")]


@pytest.mark.parametrize(
    ("line", "claim"),
    [
        ("10.5555/abc.def", "doi:10.5555/abc.def"),
        ("doi:10.5555/abc", "doi:10.5555/abc"),
        ("https://doi.org/10.5555/abc", "doi:10.5555/abc"),
        ("<https://doi.org/10.5555/abc>", "doi:10.5555/abc"),
        ("arXiv:2401.00001v2", "arxiv:2401.00001"),
        ("2401.00001", "arxiv:2401.00001"),
        ("https://arxiv.org/abs/2401.00001", "arxiv:2401.00001"),
        ("https://arxiv.org/pdf/2401.00001v3.pdf", "arxiv:2401.00001"),
        ("arXiv:hep-th/9901001", "arxiv:hep-th/9901001"),
        ("10.48550/arXiv.2401.00001", "arxiv:2401.00001"),
        ("https://openreview.net/forum?id=AbC123xyz0", "openreview:AbC123xyz0"),
        ("https://openreview.net/pdf?id=AbC123xyz0", "openreview:AbC123xyz0"),
        ("https://proceedings.mlr.press/v267/byron25a.html", "pmlr:v267/byron25a"),
        ("https://aclanthology.org/2024.acl-long.999/", "acl:2024.acl-long.999"),
        ("bibtools: none", "none"),
        ("Bibtools: openreview:AbC123xyz0", "openreview:AbC123xyz0"),
        ("bibtools: pmlr:v267/byron25a", "pmlr:v267/byron25a"),
    ],
)
@pytest.mark.parametrize(
    "form", ["{0}\nTides turn.", "Tides turn.\n{0}", "- {0}\n- Tides turn.", "{0}\n\nTides turn."]
)
def test_an_identifier_beside_an_abstract_names_its_work(line: str, claim: str, form: str) -> None:
    (entry,) = read("List of papers\n\n" + form.format(line)).entries
    assert entry.claim == claim
    assert entry.abstract is not None
    assert entry.abstract.plain == "Tides turn."


def test_an_identifier_between_blank_lines_goes_where_the_first_one_goes() -> None:
    above = read("2401.00001\n\nTides turn.\n\n2401.00002\n\nKelp grows.").entries
    below = read("Tides turn.\n\n2401.00001\n\nKelp grows.\n\n2401.00002").entries
    assert [entry.claim for entry in above] == ["arxiv:2401.00001", "arxiv:2401.00002"]
    assert [entry.claim for entry in below] == ["arxiv:2401.00001", "arxiv:2401.00002"]


def test_an_identifier_within_a_sentence_names_nothing() -> None:
    (entry,) = read("List\n\nWe extend arXiv:2401.00001 to tides.").entries
    assert entry.claim == ""


def test_a_list_of_identifiers_alone_gives_works() -> None:
    entries = read("2401.00001\n2401.00002\n\nhttps://openreview.net/forum?id=AbC123xyz0").entries
    claims = [entry.claim for entry in entries]
    assert claims == ["arxiv:2401.00001", "arxiv:2401.00002", "openreview:AbC123xyz0"]


LONG = "We bound the drift of lamps at sea, in fog, by day and by night, and test the bound at sea with film."


@pytest.mark.parametrize(
    "text",
    [
        f"We bound the drift of lamps\nLamps drift. {LONG}",
        f"Lamps drift in the fog of the\nNorth. {LONG}",
        f"Lamps drift. We bound the drift\nof lamps at sea. {LONG}",
        f"Lamps drift. {LONG}\nKelp grows. {LONG}",
        "Session 2\nTides turn.",
    ],
)
def test_a_doubtful_first_line_is_no_title(text: str) -> None:
    (entry,) = read(f"List\n\n{text}").entries
    assert entry.title is None


def test_wrapped_lines_are_joined_and_broken_addresses_mended() -> None:
    (entry,) = read(
        "List\n\n> Tides turn. Code is at https://github.com/o/\n> mossnet. Kelp\n> grows."
    ).entries
    assert entry.abstract is not None
    assert entry.abstract.plain == "Tides turn. Code is at https://github.com/o/mossnet. Kelp grows."
    (link,) = entry.links
    assert (link.url, link.line, link.column) == ("https://github.com/o/mossnet", 3, 26)


@pytest.mark.parametrize("bullet", ["- ", "* ", "• ", "1. ", "(1) ", "[1] ", "1、", "#1 "])
def test_bullets_and_numbers_are_no_part_of_an_abstract(bullet: str) -> None:
    assert abstracts(f"List\n\n{bullet}Tides turn.") == ["Tides turn."]


def test_items_of_a_bulleted_list_are_paragraphs() -> None:
    assert abstracts("- Tides turn.\n  They do.\n- Kelp grows.") == ["Tides turn. They do.", "Kelp grows."]
    assert abstracts("We do two things:\n- turn tides\n- grow kelp.") == [
        "We do two things: - turn tides - grow kelp."
    ]


@pytest.mark.parametrize("rule", ["---", "***", "* * *", "======", "———"])
def test_rules_part_paragraphs(rule: str) -> None:
    assert (
        abstracts(f"Tides turn. They do. {'They really do. ' * 8}\n{rule}\nKelp grows.")[-1] == "Kelp grows."
    )


@pytest.mark.parametrize("blank", ["", "  ", "\u00a0", "\u3000", "\u200b", "\ufeff"])
def test_lines_that_only_look_blank_part_paragraphs(blank: str) -> None:
    assert abstracts(f"Tides turn.\n{blank}\nKelp grows.") == ["Tides turn.", "Kelp grows."]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("{\\rtf1\\ansi Tides turn.}", "RTF"),
        ("%PDF-1.7\n1 0 obj", "PDF"),
        ("PK\x03\x04\x14\x00word/document.xml", "DOCX"),
        ("<!DOCTYPE html>\n<html><body>Tides turn.</body></html>", "HTML"),
        ("  <html>Tides</html>", "HTML"),
        ("\x00\x01\x02\x03" * 100, "binary"),
        ("\ufffd" * 50, "binary"),
        ("", "no abstract"),
        ("\n \n\t\n", "no abstract"),
        ("ICML 2025 Papers", "no abstract"),
        ("# ICML 2025\n\n## Posters", "no abstract"),
    ],
)
def test_what_is_no_list_is_refused_in_one_line(text: str, word: str) -> None:
    with pytest.raises(InputError, match=word) as refusal:
        read(text)
    assert "\n" not in str(refusal.value)
    assert str(refusal.value).startswith("list.txt: ")


def test_a_paragraph_too_long_for_an_abstract_is_a_problem_or_the_end() -> None:
    junk = "tides turn " * 10_000
    library = read(f"Tides turn.\n\n{junk}\n\nKelp grows.")
    assert [problem.code for problem in library.problems if problem.lost] == ["too-long"]
    assert len(library.entries) == 2
    with pytest.raises(InputError, match="characters without an empty line"):
        read(junk)


@pytest.mark.parametrize(
    "label",
    [
        "Abstract:",
        "ABSTRACT :",
        "abstract：",
        "**Abstract:**",
        "**Abstract**:",
        "__Abstract__:",
        "Abstract—",
        "Abstract.",
        "Abstract -",
        "[Abstract]",
        "【Abstract】",
        "<b>Abstract:</b>",
        "## Abstract\n",
        "*Abstract*\n",
        "Abstract\t",
        "- Abstract:",
        "摘要：",
        "【摘要】",
        "概要：",
        "초록:",
        "Résumé :",
        "Zusammenfassung:",
        "Аннотация:",
        r"\textbf{Abstract:}",
    ],
)
def test_an_abstract_has_its_label_taken_off(label: str) -> None:
    (entry,) = read(f"List of papers\n\nTitle: Kelp Nets\n{label} Tides turn.").entries
    assert entry.abstract is not None
    assert entry.abstract.plain == "Tides turn."
    assert entry.title is not None


@pytest.mark.parametrize(
    "start",
    ["Abstract thought is", "Summary: tides", "Code is", "Introduction:", "Note that:", "We: the tides"],
)
def test_a_sentence_that_begins_like_a_label_stays(start: str) -> None:
    assert abstracts(f"List\n\n{start} turn.") == [f"{start} turn."]


@pytest.mark.parametrize(
    "line",
    [
        "Ada Byron, Kim Lee",
        "Ada Byron and Kim Lee",
        "Ada Byron; Kim Lee",
        "Ada Byron · Kim Lee",
        "Ada Byron & Kim Lee",
        "Ada Byron1,2, Kim Lee3*",
        "Ada Byron*, Kim Lee†",
        "*Ada Byron, Kim Lee*",
        "Ada Byron (Tarn Lab), Kim Lee (Mossbank)",
        "Byron, Ada; Lee, Kim",
        "Ada Byron $^1$, Kim Lee $^2$",
        "Ada Byron<sup>1</sup>, Kim Lee<sup>2</sup>",
    ],
)
def test_names_are_read_from_their_line(line: str) -> None:
    (entry,) = read(f"Title: Kelp Nets\nAuthors: {line}\nAbstract: Tides turn.").entries
    assert [display_name(name) for name in entry.author] == ["Ada Byron", "Kim Lee"]


def test_a_cut_list_of_names_is_marked() -> None:
    (entry,) = read("Title: Kelp Nets\nAuthors: Ada Byron, Kim Lee, et al.\nAbstract: Tides turn.").entries
    assert [display_name(name) for name in entry.author] == ["Ada Byron", "Kim Lee"]
    assert entry.truncated == ("author",)


def test_addresses_in_a_paragraph_of_their_own_are_links_of_the_abstract_above() -> None:
    library = read(
        "List\n\nTides turn.\n\nhttps://github.com/o/r\n- https://o.github.io/r\n\nKelp grows.\nhttps://github.com/o/s"
    )
    assert [[link.url for link in entry.links] for entry in library.entries] == [
        ["https://github.com/o/r", "https://o.github.io/r"],
        ["https://github.com/o/s"],
    ]
    with pytest.raises(InputError, match="no abstract"):
        read("https://github.com/o/r\nhttps://github.com/o/s")


def test_names_right_above_an_abstract_are_its_authors() -> None:
    (entry,) = read(f"Title: Kelp Nets\nAda Byron, Kim Lee\n{LONG}").entries
    assert [display_name(name) for name in entry.author] == ["Ada Byron", "Kim Lee"]
    assert entry.abstract is not None
    assert entry.abstract.plain == LONG


def test_words_beside_a_labelled_address_stay() -> None:
    (entry,) = read(
        "List of papers\n\nTides turn.\nCode: https://github.com/o/r (to be cleaned)\nWebsite: https://o.github.io"
    ).entries
    assert [link.url for link in entry.links] == ["https://github.com/o/r", "https://o.github.io"]
    assert entry.annote is not None
    assert entry.annote.plain == "Code: https://github.com/o/r (to be cleaned)"


def test_fields_of_no_abstract_are_problems() -> None:
    library = read("Tides turn.\n\n# Next\n\nKeywords: kelp\n\n# Last\n\nFog hides.")
    assert [problem.code for problem in library.problems if problem.lost] == ["stray-field"]
    assert [problem.raw for problem in library.problems if problem.lost] == ["kelp"]


LINES = (
    *(
        "",
        " ",
        "# H",
        "---",
        "Title: Kelp",
        "Authors: Ada Byron, Kim Lee",
        "Abstract: Kelp grows.",
        "Abstract",
    ),
    *(
        "Tides turn.",
        "Keywords: a, b",
        "2401.00001",
        "bibtools: none",
        "- item",
        "1. item",
        "> quote",
        "Poster",
    ),
    *("Ada Byron, Kim Lee", "Kelp Nets", "Code: https://github.com/o/r", "短。", "x" * 300, "a b " * 40),
    "[paper](https://arxiv.org/abs/2401.00001)",
)


@given(st.one_of(st.lists(st.sampled_from(LINES), max_size=25).map("\n".join), st.text(max_size=300)))
def test_any_text_is_read_or_refused_and_entries_are_in_order(text: str) -> None:
    try:
        library = read(text)
    except InputError:
        return
    origins = [entry.origin for entry in library.entries if entry.origin]
    assert [origin.index for origin in origins] == list(range(len(library.entries)))
    assert all(1 <= origin.line <= text.count("\n") + 1 for origin in origins)
