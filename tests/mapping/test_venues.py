"""Headings in any language name their venue, year and catalogue."""

import pytest

from bibtools.mapping.venues import find_venues, names, parse_heading, parse_ordinal
from bibtools.tables import read_table

HEADINGS = [
    ("ICML 2025 Papers", "icml", 2025),
    ("ICML 2025 论文列表", "icml", 2025),
    ("icml2025 papers", "icml", 2025),
    ("ICML25 accepted", "icml", 2025),
    ("Accepted papers at ICML-2024", "icml", 2024),
    ("２０２４年ICML論文", "icml", 2024),
    ("NeurIPS'23", "neurips", 2023),
    ("NeurIPS ’23 reading group", "neurips", 2023),
    ("NIPS 1987", "neurips", 1987),
    ("Advances in Neural Information Processing Systems 37", "neurips", 2024),
    ("Advances in Neural Information Processing Systems, vol. 18", "neurips", 2005),
    ("37th Conference on Neural Information Processing Systems", "neurips", 2023),
    ("Thirty-seventh Conference on Neural Information Processing Systems", "neurips", 2023),
    ("37th Conference on Neural Information Processing Systems (NeurIPS 2023)", "neurips", 2023),
    ("Proceedings of the 42nd International Conference on Machine Learning", "icml", 2025),
    ("Proceedings of The 33rd International Conference on Machine Learning", "icml", 2016),
    ("第42届国际机器学习大会论文", "icml", 2025),
    ("第四十二届国际机器学习大会", "icml", 2025),
    ("Artículos de la 42.ª International Conference on Machine Learning", "icml", 2025),
    ("Beiträge der ICLR 2024", "iclr", 2024),
    ("Статьи CVPR 2023", "cvpr", 2023),
    ("أوراق ICLR 2022", "iclr", 2022),
    ("The 28th International Conference on Artificial Intelligence and Statistics", "aistats", 2025),
    ("Proceedings of Thirty Sixth Conference on Learning Theory", "colt", 2023),
    ("Proceedings of the Fortieth Conference on Uncertainty in Artificial Intelligence", "uai", 2024),
    ("8th Annual Conference on Robot Learning", "corl", 2024),
    ("Proceedings of The 16th Asian Conference on Machine Learning", "acml", 2024),
    ("60th Annual Meeting of the Association for Computational Linguistics", "acl", 2022),
    ("NAACL-HLT 2021", "naacl", 2021),
    ("Findings of EMNLP 2023", "emnlp", 2023),
    ("IEEE/CVF Conference on Computer Vision and Pattern Recognition 2022", "cvpr", 2022),
    ("International Conference on Computer Vision, 2019", "iccv", 2019),
    ("Transactions on Machine Learning Research", "tmlr", None),
    ("JMLR volume 24", "jmlr", 2023),
    ("PMLR 267, ICML 2025", "icml", 2025),
    ("KDD 2024 papers", "kdd", 2024),
    ("ICML papers", "icml", None),
]


@pytest.mark.parametrize(("heading", "venue", "year"), HEADINGS)
def test_heading_names_venue_and_year(heading: str, venue: str, year: int | None) -> None:
    found = parse_heading(heading)
    assert found
    assert (found.venue, found.year) == (venue, year)


@pytest.mark.parametrize(
    "heading",
    [
        "Reading list",
        "My papers 2024",
        "Abstracts",
        "alternative www.example.org 2024",
        "the alt text of 2023",
        "",
    ],
)
def test_other_headings_name_no_venue(heading: str) -> None:
    assert parse_heading(heading) is None


def test_each_venue_gets_its_own_year() -> None:
    found = find_venues("ICML 2024, NeurIPS 2023 and ICLR'25")
    assert [str(venue) for venue in found] == ["ICML 2024", "NeurIPS 2023", "ICLR 2025"]


@pytest.mark.parametrize(
    ("heading", "catalogue"),
    [
        ("ICML 2025 Papers", "icml:2025"),
        ("NeurIPS'23", "neurips:2023"),
        ("EMNLP 2021", "acl"),
        ("ICML 1990", ""),
        ("TMLR 2024", ""),
    ],
)
def test_heading_names_the_catalogue_that_holds_it(heading: str, catalogue: str) -> None:
    found = parse_heading(heading)
    assert found
    assert found.catalogue == catalogue


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("21st", 21),
        ("the 103rd", 103),
        ("Twentieth", 20),
        ("ninety-ninth", 99),
        ("第七届", 7),
        ("none", None),
    ],
)
def test_ordinals(text: str, number: int | None) -> None:
    assert parse_ordinal(text) == number


def test_very_long_heading_costs_little() -> None:
    assert parse_heading("ICML" + " " * 500_000 + "2025" * 100_000) is not None


def test_names_belong_to_one_venue_each() -> None:
    assert len(names()) == sum(len(row["names"].split("|")) for row in read_table("venues"))


def test_known_catalogues_belong_to_known_venues() -> None:
    venues = {row["venue"] for row in read_table("venues")}
    for row in read_table("known_catalogues"):
        assert row["name"].partition(":")[0] in venues
        assert row["source"].startswith("https://")
