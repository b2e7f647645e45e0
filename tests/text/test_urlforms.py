"""The normal form of an address, its kind, and the repository it names."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bibtools.model import LinkKind
from bibtools.tables import read_table
from bibtools.text.urlforms import Repository, classify, normalise_url, repository_of

# (spelling, normal form)
FORMS = [
    ("https://github.com/o/r", "https://github.com/o/r"),
    ("http://github.com/o/r", "https://github.com/o/r"),
    ("https://www.github.com/o/r", "https://github.com/o/r"),
    ("github.com/o/r", "https://github.com/o/r"),
    ("https://GitHub.com/O/R", "https://github.com/O/R"),
    ("https://github.com/o/r.git", "https://github.com/o/r"),
    ("https://github.com/o/r.GIT", "https://github.com/o/r"),
    ("https://github.com/o/r.git/", "https://github.com/o/r"),
    ("https://github.com/o/r/", "https://github.com/o/r"),
    ("https://github.com//o//r//", "https://github.com/o/r"),
    ("https://github.com/o/r.", "https://github.com/o/r"),
    ("https://github.com/o/r),", "https://github.com/o/r"),
    ("https://github.com/o/r#install", "https://github.com/o/r"),
    ("https://github.com/o/r?tab=readme-ov-file", "https://github.com/o/r"),
    ("https://github.com/o/r/?tab=readme#a", "https://github.com/o/r"),
    ("https://github.com/o/r/tree/main", "https://github.com/o/r"),
    ("https://github.com/o/r/tree/main/", "https://github.com/o/r"),
    ("https://github.com/o/r/tree/paper-icml-25", "https://github.com/o/r"),
    ("https://github.com/o/r/tree/main/a/b/", "https://github.com/o/r/tree/main/a/b"),
    ("https://github.com/o/r/blob/main/a.py", "https://github.com/o/r/blob/main/a.py"),
    ("https://github.com/o/", "https://github.com/o"),
    ("https://github.com/search?q=x", "https://github.com/search?q=x"),
    ("https://github.com:443/o/r", "https://github.com/o/r"),
    ("https://me:secret@github.com/o/r", "https://github.com/o/r"),
    ("git@github.com:o/r.git", "https://github.com/o/r"),
    ("ssh://git@github.com/o/r.git", "https://github.com/o/r"),
    ("ssh://git@gitlab.com:22/o/r.git", "https://gitlab.com/o/r"),
    ("ssh://git@github.com:o/r.git", "https://github.com/o/r"),
    ("git+https://github.com/o/r.git", "https://github.com/o/r"),
    ("git://github.com/o/r.git", "https://github.com/o/r"),
    ("https://gist.github.com/o/0a1b#file-x-py", "https://gist.github.com/o/0a1b"),
    ("https://gitlab.com/g/s/r/-/tree/main", "https://gitlab.com/g/s/r"),
    ("https://gitlab.com/g/s/r/-/tree/main/a?ref_type=heads", "https://gitlab.com/g/s/r/-/tree/main/a"),
    ("https://gitlab.com/g/r/tree/main/", "https://gitlab.com/g/r"),
    ("https://gitlab.example.edu/g/r.git", "https://gitlab.example.edu/g/r"),
    ("https://bitbucket.org/o/r/src/master/", "https://bitbucket.org/o/r"),
    ("https://bitbucket.org/o/r/src/master/a", "https://bitbucket.org/o/r/src/master/a"),
    ("https://codeberg.org/o/r/src/branch/main", "https://codeberg.org/o/r"),
    ("https://codeberg.org/o/r/src/branch/main/a", "https://codeberg.org/o/r/src/branch/main/a"),
    ("https://huggingface.co/o/m/tree/main", "https://huggingface.co/o/m"),
    ("https://huggingface.co/datasets/o/d/tree/main?x=1", "https://huggingface.co/datasets/o/d"),
    ("https://git.example.org/o/r.git", "https://git.example.org/o/r"),
    ("https://host.example.org/r.git/", "https://host.example.org/r"),
    ("https://www.example.org/a/", "https://www.example.org/a"),
    ("https://Example.ORG/A/B?C=d#E", "https://example.org/A/B?C=d#E"),
    ("https://example.org/a/?b=1", "https://example.org/a/?b=1"),
    ("https://example.org/a/#", "https://example.org/a"),
    ("https://example.org./a", "https://example.org/a"),
    ("http://example.org:80/a", "https://example.org/a"),
    ("http://example.org:8080/a/", "http://example.org:8080/a"),
    ("https://o.github.io/r/#code", "https://o.github.io/r/#code"),
    ("https://anonymous.4open.science/r/x-1234/", "https://anonymous.4open.science/r/x-1234"),
    ("https://osf.io/abcde/?view_only=123", "https://osf.io/abcde/?view_only=123"),
    ("  https://github.com/o/r \n", "https://github.com/o/r"),
    ("no address", "no address"),
    ("", ""),
]


@pytest.mark.parametrize(("written", "normal"), FORMS)
def test_one_address_has_one_normal_form(written: str, normal: str) -> None:
    assert normalise_url(written) == normal
    assert normalise_url(normal) == normal


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://github.com/o/r", "repository"),
        ("https://github.com/o/r/tree/main/a", "repository"),
        ("https://github.com/o/r/issues/3", "other"),
        ("https://github.com/o", "other"),
        ("https://github.com/topics/kelp", "other"),
        ("https://github.com/o/r/blob/main/paper.pdf", "paper"),
        ("https://gist.github.com/o/0a1b", "gist"),
        ("https://gitlab.com/g/s/r", "repository"),
        ("https://gitlab.inria.example/g/r", "repository"),
        ("https://bitbucket.org/o/r", "repository"),
        ("https://codeberg.org/o/r", "repository"),
        ("https://git.sr.ht/~o/r", "repository"),
        ("https://sourceforge.net/projects/kelp", "repository"),
        ("https://host.example.org/r.git", "repository"),
        ("https://huggingface.co/o/m", "model"),
        ("https://huggingface.co/datasets/o/d", "dataset"),
        ("https://huggingface.co/spaces/o/s", "demo"),
        ("https://huggingface.co/papers/2401.00001", "paper"),
        ("https://huggingface.co/o", "other"),
        ("https://o-s.hf.space", "demo"),
        ("https://zenodo.org/records/1234", "archive"),
        ("https://doi.org/10.5281/zenodo.1234", "archive"),
        ("https://doi.org/10.1000/182", "paper"),
        ("https://figshare.com/articles/x/1", "archive"),
        ("https://osf.io/abcde", "archive"),
        ("https://web.archive.org/web/2020/https://example.org", "archive"),
        ("https://anonymous.4open.science/r/x-1234", "review-copy"),
        ("https://o.github.io/r", "project-page"),
        ("https://sites.google.com/view/kelp", "project-page"),
        ("https://colab.research.google.com/drive/x", "demo"),
        ("https://www.kaggle.com/datasets/o/d", "dataset"),
        ("https://arxiv.org/abs/2401.00001", "paper"),
        ("https://openreview.net/forum?id=abc", "paper"),
        ("https://proceedings.mlr.press/v267/x25a.html", "paper"),
        ("https://aclanthology.org/2024.acl-long.1", "paper"),
        ("https://example.org/a.pdf", "paper"),
        ("https://example.org/a", "other"),
        ("nonsense", "other"),
    ],
)
def test_host_and_path_tell_the_kind(url: str, kind: str) -> None:
    assert classify(url) == kind


@pytest.mark.parametrize(
    ("url", "repository"),
    [
        ("https://github.com/o/r", Repository("github.com", "o", "r")),
        ("git@github.com:o/r.git", Repository("github.com", "o", "r")),
        ("https://github.com/o/r/tree/v1/a/b", Repository("github.com", "o", "r", "v1", "a/b")),
        ("https://gitlab.com/g/s/r/-/tree/main/a", Repository("gitlab.com", "g/s", "r", "main", "a")),
        ("https://huggingface.co/o/m", Repository("huggingface.co", "o", "m")),
        ("https://huggingface.co/datasets/o/d", Repository("huggingface.co", "o", "d", section="datasets")),
        ("https://gist.github.com/o/0a1b", Repository("gist.github.com", "o", "0a1b")),
        ("https://gist.github.com/0a1b", Repository("gist.github.com", "", "0a1b")),
        ("https://github.com/o", None),
        ("https://github.com/topics/kelp", None),
        ("https://example.org/o/r", None),
    ],
)
def test_a_repository_is_host_owner_and_name(url: str, repository: Repository | None) -> None:
    assert repository_of(url) == repository


def test_a_repository_has_an_address_without_folder() -> None:
    found = repository_of("https://huggingface.co/datasets/o/d/tree/main/a")
    assert found is not None
    assert found.url == "https://huggingface.co/datasets/o/d"


def test_table_of_hosts_is_sound() -> None:
    for row in read_table("hosts"):
        assert row["kind"] in get_args(LinkKind)
        assert row["git"] in ("", "1", "2", "3", "groups")
        assert row["source"]
        assert row["host"] == row["host"].lower().removeprefix("www.")


SCHEMES = ("", "http://", "https://", "ssh://git@", "git@", "git+https://", "HTTPS://u:p@", "git://")
HOSTS = ("github.com", "WWW.GitHub.com", "gitlab.com", "x.github.io", "a.org.", "b.org:80", "b.org:81")
PATHS = "/ : o r.git .git tree/main /-/ ?a #b . ) ( ] // %20 é - \\"
SPELLINGS = st.tuples(
    st.sampled_from(SCHEMES),
    st.sampled_from(HOSTS),
    st.lists(st.sampled_from(PATHS.split()), max_size=9).map("".join),
).map("".join)


@pytest.mark.parametrize("name", [":].git", ").git.git", ".git.git", "..git"])
def test_a_name_of_marks_alone_comes_to_an_end(name: str) -> None:
    normal = normalise_url(f"https://a.org/o/{name}")
    assert normalise_url(normal) == normal


@given(st.one_of(SPELLINGS, st.text(max_size=80)))
def test_the_normal_form_is_its_own_normal_form(url: str) -> None:
    normal = normalise_url(url)
    assert normalise_url(normal) == normal
    classify(url)
    repository_of(url)
