"""Names, identifiers, titles and code links as records have them."""

import pytest

from bibtools.model import Contributor
from bibtools.sources.fields import (
    abstract_links,
    bare_doi,
    code_links,
    ids_from_urls,
    is_whole_tex,
    join_links,
    split_addresses,
    split_name,
    split_people,
    tex_title,
)
from bibtools.text.markup import format_csl

NAMES = [
    ("Ada Byron", Contributor("Byron", "Ada")),
    ("Ada  King Byron", Contributor("Byron", "Ada King")),
    ("Laurens van der Maaten", Contributor("Maaten", "Laurens", "van der")),
    ("Fernando de la Torre", Contributor("Torre", "Fernando", "de la")),
    ("Mihaela Van Der Schaar", Contributor("Schaar", "Mihaela Van Der")),
    ("Hal Daumé III", Contributor("Daumé", "Hal", suffix="III")),
    ("Jane Doe, Jr.", Contributor("Doe", "Jane", suffix="Jr.")),
    ("Byron, Ada", Contributor(literal="Byron, Ada")),
    ("Mufan (Bill) Li", Contributor("Li", "Mufan (Bill)")),
    ("Ada Byron)*", Contributor("Byron", "Ada")),
    ("Mausam", Contributor("Mausam")),
    ("van Rossum", Contributor("Rossum", "van")),
    ("Li Fei-Fei", Contributor("Fei-Fei", "Li")),
]


@pytest.mark.parametrize(("name", "person"), NAMES)
def test_name_in_running_order(name: str, person: Contributor) -> None:
    assert split_name(name) == person


LISTS = [
    ("Ada Byron; Alan Turing", ["Byron", "Turing"]),
    ("Ada Byron;Alan Turing;", ["Byron", "Turing"]),
    ("Ada Byron, Alan Turing", ["Byron", "Turing"]),
    ("Ada Byron, Hal Daumé, III, Alan Turing", ["Byron", "Daumé", "Turing"]),
    ("Ada Byron; Grace Hopper, Alan Turing", ["Byron", "Hopper", "Turing"]),
    ("Ada Byron; Jr.; Alan Turing", ["Byron", "Turing"]),
    ("Tao, Ada Byron", ["Tao", "Byron"]),
    ("Ada Byron; )*; Alan Turing", ["Byron", "Turing"]),
    ("", []),
]


@pytest.mark.parametrize(("names", "families"), LISTS)
def test_list_of_people(names: str, families: list[str]) -> None:
    assert [person.family for person in split_people(names)] == families


URLS = [
    ("https://proceedings.mlr.press/v28/allenzhu13.html", {"pmlr": "v28/allenzhu13"}),
    ("http://proceedings.mlr.press/v28/allenzhu13.pdf", {"pmlr": "v28/allenzhu13"}),
    ("http://proceedings.mlr.press/v97/zhang19n/zhang19n.pdf", {"pmlr": "v97/zhang19n"}),
    ("http://proceedings.mlr.press/v32/azadi14-supp.pdf", {"pmlr": "v32/azadi14"}),
    ("https://proceedings.mlr.press/r0/buntine95a.html", {"pmlr": "r0/buntine95a"}),
    ("https://proceedings.mlr.press/v267/a-mancisidor25a.html", {"pmlr": "v267/a-mancisidor25a"}),
    ("https://openreview.net/forum?id=j3JBfFnGYh", {"openreview": "j3JBfFnGYh"}),
    ("https://openreview.net/forum?noteId=a&id=x-Y_1", {"openreview": "x-Y_1"}),
    ("https://openreview.net/pdf?id=j3JBfFnGYh", {"openreview": "j3JBfFnGYh"}),
    ("https://arxiv.org/abs/2401.00001v2", {"arxiv": "2401.00001"}),
    ("http://arxiv.org/pdf/hep-th/9901001", {"arxiv": "hep-th/9901001"}),
    ("https://aclanthology.org/2024.acl-long.1/", {"acl": "2024.acl-long.1"}),
    ("https://www.aclweb.org/anthology/P19-1001.pdf", {"acl": "P19-1001"}),
    (
        "https://papers.nips.cc/paper_files/paper/2005/hash/e07bceab69529b0f0b43625953fbf2a0-Abstract.html",
        {"neurips": "2005/e07bceab69529b0f0b43625953fbf2a0"},
    ),
    ("https://icml.cc/virtual/2019/poster/3875", {}),
    ("", {}),
]


@pytest.mark.parametrize(("url", "ids"), URLS)
def test_identifiers_in_addresses(url: str, ids: dict[str, str]) -> None:
    assert ids_from_urls([url]) == ids


@pytest.mark.parametrize(
    ("value", "doi"),
    [
        ("https://doi.org/10.48550/arXiv.2401.00001", "10.48550/arxiv.2401.00001"),
        ("doi: 10.1000/ABC", "10.1000/abc"),
        ("10.1/x", ""),
        ("", ""),
    ],
)
def test_bare_doi(value: str, doi: str) -> None:
    assert bare_doi(value) == doi


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


@pytest.mark.parametrize(
    ("tex", "whole"),
    [("{A} b", True), ("{A b", False), ("A} {b", False), (r"\{ $x$", True), ("$x", False), ("", True)],
)
def test_whole_tex(tex: str, whole: bool) -> None:
    assert is_whole_tex(tex) is whole


@pytest.mark.parametrize(
    ("tex", "plain", "title"),
    [
        ("A {B}ayesian {CNN}", "A Bayesian CNN", "A Bayesian CNN"),
        ("$\\ell_1$ norms", "ell_1 norms", "$\\ell_1$ norms"),
        ("A {B", "A B", "A B"),
        ("", "Plain", "Plain"),
        ("Fr\\'echet", "", "Fréchet"),
    ],
)
def test_title_from_tex_or_plain(tex: str, plain: str, title: str) -> None:
    found = tex_title(tex, plain)
    assert found
    assert found.plain == title


@pytest.mark.parametrize(
    ("tex", "csl"),
    [
        ("{D}eep{C}ross{A}ttention: Fast", '<span class="nocase">DeepCrossAttention</span>: Fast'),
        (
            "Aligning {LLM}s by {W}riting",
            'Aligning <span class="nocase">LLMs</span> by <span class="nocase">Writing</span>',
        ),
        ("pre{B}ert", '<span class="nocase">preBert</span>'),
        ("{ML}$^2$-{GCL}", '<span class="nocase">ML</span><sup>2</sup>-<span class="nocase">GCL</span>'),
        ("{PAC}-{B}ayes", '<span class="nocase">PAC</span>-<span class="nocase">Bayes</span>'),
        ("Plain Words", "Plain Words"),
    ],
)
def test_protected_letters_become_protected_words(tex: str, csl: str) -> None:
    found = tex_title(tex, tex)
    assert found
    assert format_csl(found) == csl
