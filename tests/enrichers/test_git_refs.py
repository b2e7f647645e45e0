"""Git's advertisement of references, whole and damaged."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from services import COMMIT, git_answer, pkt_line

from bibtools.enrichers.hosts.git import Refs, parse_advertisement
from bibtools.errors import FetchError

SERVICE = pkt_line(b"# service=git-upload-pack\n") + b"0000"
HEAD = pkt_line(COMMIT.encode() + b" HEAD\0multi_ack symref=HEAD:refs/heads/trunk agent=git/2\n")
ZERO = b"0" * 40


@pytest.mark.parametrize(
    ("body", "refs"),
    [
        (git_answer().body, Refs(False, COMMIT, "main")),
        (git_answer(empty=True).body, Refs(True)),
        (SERVICE + HEAD, Refs(False, COMMIT, "trunk")),
        (SERVICE + HEAD + b"003d" + COMMIT.encode()[:20], Refs(False, COMMIT, "trunk")),
        (SERVICE + pkt_line(COMMIT.encode() + b" refs/heads/x\0caps\n") + b"0000", Refs(False)),
        (SERVICE + pkt_line(ZERO + b" capabilities^{}\0caps\n") + b"0000", Refs(True)),
        (SERVICE + pkt_line(b"ab" * 32 + b" HEAD\0object-format=sha256\n") + b"0000", Refs(False, "ab" * 32)),
    ],
    ids=["usual", "empty", "without-end", "cut", "no-head", "no-refs", "sha256"],
)
def test_what_an_advertisement_says(body: bytes, refs: Refs) -> None:
    assert parse_advertisement(body) == refs


@pytest.mark.parametrize(
    "body", [b"", b"<html>", SERVICE, SERVICE[:20], b"zzzz", b"0000", b"001f# service=git-receive-pack\n0000"]
)
def test_what_is_none_or_ends_early_is_never_taken_for_empty(body: bytes) -> None:
    with pytest.raises(FetchError):
        parse_advertisement(body)


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    """What is told stands in the answer, and nothing is called empty that has not said so to its end."""
    for data in (body, SERVICE + body):
        try:
            refs = parse_advertisement(data)
        except FetchError:
            continue
        assert refs.commit.encode() in data
        assert refs.branch.encode() in data
        assert not refs.empty or (refs == Refs(True) and data.count(b"0000") >= 2)


WHOLE = SERVICE + HEAD + pkt_line(b"ab" * 20 + b" refs/heads/x\n") + b"0000"


@given(st.integers(min_value=0, max_value=len(WHOLE)))
def test_an_answer_cut_anywhere_says_the_same_or_is_refused(cut: int) -> None:
    """Only so many bytes are asked for: a repository never becomes empty, or another's, by that."""
    try:
        refs = parse_advertisement(WHOLE[:cut])
    except FetchError:
        assert cut < len(SERVICE + HEAD)
        return
    assert refs == parse_advertisement(WHOLE)
