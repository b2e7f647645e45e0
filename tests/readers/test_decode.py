"""Which encoding bytes are in, and that it is said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bibtools.readers.decode import decode

BODY = "@article{a,\n  title = {Käse – “é”},\n  author = {Łuk}\n}\n"
WESTERN = "@article{a,\n  title = {Käse – “é” und mehr}\n}\n"

SURE = [
    (BODY.encode(), "utf-8"),
    (b"\xef\xbb\xbf" + BODY.encode(), "utf-8"),
    (b"\xff\xfe" + BODY.encode("utf-16-le"), "utf-16-le"),
    (b"\xfe\xff" + BODY.encode("utf-16-be"), "utf-16-be"),
    (BODY.encode("utf-16-le"), "utf-16-le"),
    (BODY.encode("utf-16-be"), "utf-16-be"),
]


@pytest.mark.parametrize(("data", "encoding"), SURE)
def test_unicode_is_read_without_a_word(data: bytes, encoding: str) -> None:
    decoded = decode(data, "x.bib")
    assert (decoded.text, decoded.encoding, decoded.problems) == (BODY, encoding, ())


def test_windows_1252_is_said_aloud() -> None:
    decoded = decode(WESTERN.encode("cp1252"), "x.bib")
    assert decoded.text == WESTERN
    assert [(problem.code, problem.lost) for problem in decoded.problems] == [("encoding", False)]
    assert "Windows-1252" in decoded.problems[0].message


@pytest.mark.parametrize(
    ("declaration", "encoding"),
    [
        ("% Encoding: ISO8859_2\n", "iso8859-2"),
        ("% -*- coding: latin-2 -*-\n", "iso8859-2"),
        ("% Encoding: Cp1250\n", "cp1250"),
    ],
)
def test_a_declared_encoding_counts(declaration: str, encoding: str) -> None:
    text = f"{declaration}@misc{{a, title = {{Łódź}}}}\n"
    decoded = decode(text.encode(encoding), "x.bib")
    assert (decoded.text, decoded.encoding) == (text, encoding)


def test_utf8_wins_over_a_wrong_declaration() -> None:
    assert decode(f"% Encoding: Cp1252\n{BODY}".encode(), "x").encoding == "utf-8"


def test_line_ends_become_one_kind_and_are_remembered() -> None:
    decoded = decode(b"a\r\nb\r\nc\n", "x")
    assert (decoded.text, decoded.newline) == ("a\nb\nc\n", "\r\n")
    assert decode(b"a\nb", "x").newline == "\n"
    assert decode(b"a\rb", "x").text == "a\nb"


def test_a_few_bad_bytes_do_not_turn_utf8_into_something_else() -> None:
    data = ("é – ü ß €" * 20).encode() + b" \xff "
    decoded = decode(data, "x")
    assert decoded.encoding == "utf-8"
    assert "\ufffd" in decoded.text
    assert decoded.problems[0].lost


@pytest.mark.parametrize(
    ("text", "encoding", "severity"), [("café", "cp1252", "info"), ("要旨。", "shift_jis", "warning")]
)
def test_a_guess_that_cannot_be_right_is_a_warning(text: str, encoding: str, severity: str) -> None:
    assert [problem.severity for problem in decode(text.encode(encoding), "x").problems] == [severity]


def test_every_byte_of_windows_1252_is_read() -> None:
    assert len(decode(bytes(range(1, 256)) * 2, "x").text) > 500


@given(st.binary(max_size=200))
def test_any_bytes_are_read(data: bytes) -> None:
    decoded = decode(data, "x")
    assert "\r" not in decoded.text
    assert not decoded.text.startswith("\ufeff\ufeff")
