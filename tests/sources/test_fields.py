"""Identifiers and dates as records have them."""

import pytest

from bibtools.sources.fields import bare_doi, date_of, ids_from_urls, iso_date

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


@pytest.mark.parametrize(
    ("value", "parts"),
    [
        ("2024-07-08", (2024, 7, 8)),
        (" 2024-7 ", (2024, 7)),
        ("2024-07-08T10:00:00Z", (2024, 7, 8)),
        ("2024-13-01", (2024,)),
        ("2024-02-32", (2024, 2)),
        ("0000-01-01", None),
        ("20240708", None),
        ("July 2024", None),
        ("", None),
    ],
)
def test_iso_dates_to_the_precision_they_have(value: str, parts: tuple[int, ...] | None) -> None:
    found = iso_date(value)
    assert (found.start if found else None) == parts


def test_date_of_impossible_numbers_is_none() -> None:
    assert date_of([]) is None
    assert date_of([-5, 1]) is None
