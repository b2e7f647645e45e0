"""Bibliographies as sources: slices, identifiers from addresses, links, the ACL Anthology."""

import gzip
import io
import json
from pathlib import Path

import pytest

from bibtools.errors import InputError, Problem
from bibtools.model import Contributor, Entry, PartialDate
from bibtools.sources.acl import read_acl
from bibtools.sources.bibliography import read_bib, read_bibliography

PMLR = """\
@InProceedings{pmlr-v235-byron24a,
  title = \t {Sparse {W}idgets at 5\\% cost},
  author =       {Byron, Ada and van der Berg, Hans},
  booktitle = \t {Proceedings of the 41st International Conference on Machine Learning},
  pages = \t {313--328},
  year = \t {2024},
  editor = \t {Salakhutdinov, Ruslan},
  volume = \t {235},
  series = \t {Proceedings of Machine Learning Research},
  month = \t {21--27 Jul},
  publisher =    {PMLR},
  pdf = \t {https://raw.githubusercontent.com/mlresearch/v235/main/assets/byron24a/byron24a.pdf},
  url = \t {https://proceedings.mlr.press/v235/byron24a.html},
  abstract = \t {We train widgets. Code: https://github.com/o/r}
}
"""

ACL = """\
@proceedings{acl-2024,
    title = "Proceedings of the 62nd Annual Meeting",
    year = "2024",
    url = "https://aclanthology.org/2024.acl-long.0/"
}
@inproceedings{byron-2024-sparse,
    title = "Sparse {W}idgets",
    author = "Byron, Ada  and
      Turing, Alan",
    booktitle = "Proceedings of the 62nd Annual Meeting (Volume 1: Long Papers)",
    month = aug,
    year = "2024",
    address = "Bangkok, Thailand",
    publisher = "Association for Computational Linguistics",
    url = "https://aclanthology.org/2024.acl-long.1/",
    doi = "10.18653/v1/2024.acl-long.1",
    pages = "1--16",
    abstract = "We train widgets. See https://example.org/x"
}
"""


def entries(items: object) -> list[Entry]:
    """Return the works among what a reader yields."""
    return [item for item in items if isinstance(item, Entry)]  # type: ignore[attr-defined]


def test_bibtex_of_a_volume_of_pmlr(tmp_path: Path) -> None:
    path = tmp_path / "bibliography.bib"
    path.write_text(PMLR)
    (work,) = entries(read_bibliography(path))
    assert str(work.title) == "Sparse Widgets at 5% cost"
    assert work.author == (Contributor("Byron", "Ada"), Contributor("Berg", "Hans", "van der"))
    assert (work.ids, work.page, work.key) == ({"pmlr": "v235/byron24a"}, "313-328", "")
    assert work.issued == PartialDate(start=(2024,))
    assert work.event_date == PartialDate(start=(2024, 7, 21), end=(2024, 7, 27))
    assert [link.url for link in work.links] == ["https://github.com/o/r"]
    assert work.extra == {}


@pytest.mark.parametrize(
    ("field", "kind"),
    [("software = {github.com/o/r.}", "repository"), ("code = {https://o.github.io/r}", "project-page")],
)
def test_code_fields_become_links_of_the_record(tmp_path: Path, field: str, kind: str) -> None:
    path = tmp_path / "a.bib"
    path.write_text(f"@article{{a, title = {{A}}, {field}}}")
    (work,) = entries(read_bibliography(path))
    (link,) = work.links
    assert (link.kind, link.offers_code, link.found_in) == (kind, True, "catalogue")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "a.ris",
            "TY  - CONF\nTI  - Widgets\nUR  - https://openreview.net/forum?id=abc\nAB  - We train.\nER  - \n",
        ),
        (
            "a.json",
            json.dumps(
                [
                    {
                        "id": "a",
                        "type": "paper-conference",
                        "title": "Widgets",
                        "URL": "https://openreview.net/forum?id=abc",
                        "abstract": "We train.",
                    }
                ]
            ),
        ),
        (
            "a.bib",
            "@misc{a, title={Widgets}, url={https://openreview.net/forum?id=abc}, abstract={We train.}}",
        ),
    ],
)
def test_every_format_is_a_source(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / f"{name}.gz"
    path.write_bytes(gzip.compress(text.encode()))
    (work,) = entries(read_bibliography(path))
    assert (str(work.title), str(work.abstract), work.ids) == ("Widgets", "We train.", {"openreview": "abc"})


def test_bibliography_larger_than_a_slice_loses_nothing(tmp_path: Path) -> None:
    filler = "x" * 1000
    body = "".join(
        f"@article{{k{number}, title = {{T{number}}}, journal = jw, abstract = {{{filler} a@b.c @home}}}}\n\n"
        for number in range(300)
    )
    text = '@string{jw = "Journal of Widgets"}\n\n' + body + "@article{last, title = {T last}, oops\n"
    items = list(read_bib(io.BytesIO(text.encode()), "big.bib", 100_000))
    works = entries(items)
    assert len(works) == text.count("@article")
    assert {str(work.container_title) for work in works[:-1]} == {"Journal of Widgets"}
    problems = [item for item in items if isinstance(item, Problem)]
    assert {problem.location.line for problem in problems} <= {text.count("\n"), text.count("\n") + 1}
    assert problems


def test_anthology_gives_papers_without_the_volumes(tmp_path: Path) -> None:
    path = tmp_path / "anthology+abstracts.bib.gz"
    path.write_bytes(gzip.compress(ACL.encode()))
    work, problem = read_acl(path)
    assert isinstance(work, Entry)
    assert isinstance(problem, Problem)
    assert work.author == (Contributor("Byron", "Ada"), Contributor("Turing", "Alan"))
    assert work.ids == {"acl": "2024.acl-long.1"}
    assert (work.url, work.doi) == ("https://aclanthology.org/2024.acl-long.1", "10.18653/v1/2024.acl-long.1")
    assert work.issued == PartialDate(start=(2024, 8))
    assert (problem.code, problem.message) == ("volume", "1 volumes left out: they are no papers")


def test_what_is_no_bibliography_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(b"%PDF-1.7 rest")
    with pytest.raises(InputError, match="PDF"):
        list(read_bibliography(path))
