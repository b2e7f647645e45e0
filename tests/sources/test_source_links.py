"""Code links in fields typed by hand, and addresses in abstracts."""

import pytest

from bibtools.sources.links import abstract_links, code_links, join_links, split_addresses

ADDRESSES = [
    ("https://github.com/o/r", ["https://github.com/o/r"]),
    ("github.com/o/r", ["github.com/o/r"]),
    ("https://www.github.com/o/r", ["https://www.github.com/o/r"]),
    ("https://github.com/o/r.", ["https://github.com/o/r"]),
    ("https://github.com/ o/r", ["https://github.com/o/r"]),
    (
        "https://github.com/o/r1, https://github.com/o/r2",
        ["https://github.com/o/r1", "https://github.com/o/r2"],
    ),
    (
        "https://github.com/o/r1;https://github.com/o/r2",
        ["https://github.com/o/r1", "https://github.com/o/r2"],
    ),
    ("https://github.com/o/r1/ github.com/o/r2", ["https://github.com/o/r1/", "github.com/o/r2"]),
    ("https://github.com/o/r1 and github.com/o/r2", ["https://github.com/o/r1", "github.com/o/r2"]),
    ("https://o.org/a (code: https://github.com/o/r)", ["https://o.org/a", "https://github.com/o/r"]),
    ("https://github.com/o/r (code)", ["https://github.com/o/r"]),
    ("https://github.com/o/visualize atari", ["https://github.com/o/visualize atari"]),
    ("Code: https://github.com/o/r", ["https://github.com/o/r"]),
    ("o.github.io", ["o.github.io"]),
    ("https://git.example/o/r?tab=readme#x", ["https://git.example/o/r?tab=readme#x"]),
    ("available soon", []),
    ("", []),
]


@pytest.mark.parametrize(("value", "addresses"), ADDRESSES)
def test_hand_typed_addresses(value: str, addresses: list[str]) -> None:
    assert split_addresses(value) == addresses


def test_code_link_keeps_what_was_written_and_offers_code_on_any_host() -> None:
    repository, page = code_links("www.github.com/o/r.git, https://o.github.io/r/")
    assert (repository.written, repository.url) == ("www.github.com/o/r.git", "https://github.com/o/r")
    assert (repository.kind, page.kind) == ("repository", "project-page")
    assert repository.offers_code
    assert page.offers_code
    assert repository.found_in == page.found_in == "catalogue"


def test_broken_address_is_not_cut_to_another_one() -> None:
    (link,) = code_links("github.com/o/visualize atari")
    assert link.written == "github.com/o/visualize atari"
    assert "atari" in link.url


def test_addresses_in_abstracts_offer_code_on_code_hosts_only() -> None:
    links = abstract_links(
        "See https://github.com/o/r and https://example.org/paper, but not a/b or e.g. this."
    )
    assert [(link.url, link.offers_code) for link in links] == [
        ("https://github.com/o/r", True),
        ("https://example.org/paper", False),
    ]


def test_joined_links_have_no_doubles() -> None:
    links = code_links("https://github.com/O/R, http://github.com/o/r/")
    assert [link.written for link in join_links(links, links)] == ["https://github.com/O/R"]
