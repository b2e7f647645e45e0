"""Addresses in text files of every kind, with their places; moved ones rewritten in their own spelling."""

import json
from pathlib import Path

import pytest

from bibtools.enrichers.linkfiles import LinkFile, find_mentions, is_ignored, is_wanted, read_link_file
from bibtools.enrichers.linkfix import fix_file, new_spelling
from bibtools.errors import InputError
from bibtools.outcomes import LinkCheck

SHARED = Path(__file__).parents[3] / "shared"
REPORTS = sorted((SHARED / "reports").glob("*.txt"))


def read(text: str, name: str = "x.md") -> LinkFile:
    """Return what a text has."""
    return find_mentions(text, name, name)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.md", "- [Widgets](https://github.com/o/r#readme): fast", ["https://github.com/o/r"]),
        ("a.html", '<a href="https://github.com/o/r?tab=readme&amp;x=1">code</a>', ["https://github.com/o/r"]),
        ("a.bib", "@misc{k, software = {https://github.com/o/a\\_b}}", ["https://github.com/o/a_b"]),
        ("a.ris", "TY  - CONF\nN1  - Code: https://github.com/o/r\nER  - \n", ["https://github.com/o/r"]),
        ("a.json", '[{"note": "https:\\/\\/github.com\\/o\\/r"}]', ["https://github.com/o/r"]),
        ("a.txt", "https://github.com/o/r\nhttps://gitlab.com/g/r\n", ["https://github.com/o/r", "https://gitlab.com/g/r"]),
        ("a.csv", "n,u\n1,https://github.com/o/r,x\n", ["https://github.com/o/r"]),
        ("a.csv", "n;u\n1;https://github.com/o/r;x\n", ["https://github.com/o/r"]),
        ("a.tsv", "n\tu\n1\thttps://github.com/o/r\tx\n", ["https://github.com/o/r"]),
    ],
)  # fmt: skip
def test_addresses_in_every_kind_of_file(name: str, text: str, expected: list[str]) -> None:
    file = read(text, name)
    assert [mention.link.url for mention in file.mentions] == expected
    for mention in file.mentions:
        assert text[mention.start : mention.end] == mention.link.written
        line = text.split("\n")[(mention.link.line or 0) - 1]
        assert line[(mention.link.column or 0) - 1 :].startswith(mention.link.written)


def test_which_links_are_wanted() -> None:
    text = "Code: https://a.org/x. See https://b.org/y and https://huggingface.co/o/m; https://arxiv.org/abs/2401.00001"
    links = [mention.link for mention in read(text).mentions]
    assert [is_wanted(link, everything=False) for link in links] == [True, False, True, False]
    assert all(is_wanted(link, everything=True) for link in links)


@pytest.mark.parametrize(
    ("pattern", "ignored"),
    [
        ("https://github.com/o/r", True),
        ("http://www.github.com/O/R.git", True),
        ("https://github.com/o", True),
        ("https://github.com/o/*", True),
        ("*/r", True),
        ("https://github.com/o/rr", False),
        ("https://git[h]ub.com/o/r", False),
    ],
)
def test_ignored_addresses(pattern: str, ignored: bool) -> None:
    (mention,) = read("https://github.com/o/r").mentions
    assert is_ignored(mention.link, [pattern]) == ignored


def test_titles_of_entries_go_with_their_project_pages(tmp_path: Path) -> None:
    path = tmp_path / "a.bib"
    path.write_text(
        "@misc{a, title = {Sparse Widgets},\n url = {https://ada.github.io/widgets}}\n"
        "@misc{b, title = {Dense Gadgets},\n url = {https://ada.github.io/gadgets}}\n"
    )
    assert [mention.title for mention in read_link_file(str(path)).mentions] == [
        "Sparse Widgets",
        "Dense Gadgets",
    ]


@pytest.mark.parametrize("data", [b"", b"%PDF-1.7 https://github.com/o/r", b"PK\x03\x04"])
def test_what_is_no_text_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x").write_bytes(data)
    with pytest.raises(InputError):
        read_link_file(str(tmp_path / "x"))


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.stem[:30])
def test_reports_inputs(path: Path) -> None:
    expected = json.loads(path.with_suffix(".expect.json").read_text(encoding="utf-8"))
    file = read_link_file(str(path))
    urls = [mention.link.url for mention in file.mentions if mention.link.offers_code]
    assert list(dict.fromkeys(urls)) == [url for paragraph in expected for url in paragraph["code_urls"]]
    assert len(file.promised) == sum(paragraph["promised_without_link"] for paragraph in expected)


@pytest.mark.skipif(not SHARED.exists(), reason="the shared folder is not there")
def test_seed_lists() -> None:
    works = [json.loads(line) for line in (SHARED / "seeds" / "papers.jsonl").read_text().splitlines()]
    for path in sorted((SHARED / "seeds").glob("*.txt")):
        found = {mention.link.url.lower() for mention in read_link_file(str(path)).mentions}
        own = [work for work in works if path.name.startswith(str(work["list"]))]
        wanted = {link["url"].lower().rstrip("/") for work in own for link in work["links"]}
        assert wanted
        assert wanted <= found
        assert len(read_link_file(str(path)).promised) == sum(work["promised_without_link"] for work in own)


MOVED = LinkCheck("available", flags=("moved",), moved_to="https://github.com/lab/name_2")


@pytest.mark.parametrize(
    ("written", "check", "expected"),
    [
        ("https://github.com/o/r", MOVED, "https://github.com/lab/name_2"),
        ("http://www.github.com/O/R.git", MOVED, "http://www.github.com/lab/name_2.git"),
        ("git@github.com:o/r.git", MOVED, "git@github.com:lab/name_2.git"),
        ("github.com/o/r", MOVED, "github.com/lab/name_2"),
        ("https://github.com/o/r?tab=readme#install", MOVED, "https://github.com/lab/name_2?tab=readme#install"),
        ("https://example.org/a", LinkCheck("available", moved_to="https://new.org/b"), "https://new.org/b"),
        ("https://github.com/o/r", LinkCheck("available", moved_to="https://codeberg.org/o/r"), "https://codeberg.org/o/r"),
        ("https://github.com/o/r", LinkCheck("missing", moved_to="https://x.org"), ""),
        ("https://github.com/o/r", None, ""),
    ],
)  # fmt: skip
def test_new_spelling(written: str, check: LinkCheck | None, expected: str) -> None:
    (mention,) = read(f"see {written} now", "x.txt").mentions
    assert mention.link.written == written
    assert new_spelling(mention, check) == expected


def test_tex_escapes_stay() -> None:
    text = r"\url{https://github.com/o/a\_b} and \href{https://github.com/o/a\_b/tree/main/c\_d}{here}"
    file = read(text, "x.tex")
    checks = {
        mention.link.url: LinkCheck("available", moved_to=mention.link.url.replace("o/a_b", "n/x_y"))
        for mention in file.mentions
    }
    fixed = fix_file(file, text.encode(), "utf-8", checks)
    assert fixed is not None
    assert fixed.data.decode() == text.replace(r"o/a\_b", r"n/x\_y")
    assert fixed.count == 2


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16-le", "cp1252"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_every_other_byte_stays(encoding: str, newline: str) -> None:
    text = f"Füße{newline}{newline}https://github.com/o/r é{newline}https://github.com/o/s{newline} end"
    data = text.encode(encoding)
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    name = encoding.removesuffix("-sig")
    fixed = fix_file(read(plain), data, name, {"https://github.com/o/r": MOVED})
    assert fixed is not None
    assert fixed.data == text.replace("https://github.com/o/r", MOVED.moved_to).encode(encoding)


def test_a_file_that_cannot_be_given_back_is_not_rewritten() -> None:
    with pytest.raises(InputError):
        fix_file(read("https://github.com/o/r �"), b"https://github.com/o/r \xff", "utf-8", {})
    with pytest.raises(InputError):
        fix_file(read("https://github.com/o/r"), b"https://github.com/o/r changed", "utf-8", {})
