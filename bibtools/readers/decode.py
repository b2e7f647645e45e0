"""Bytes to text: which encoding an input has, told by its mark, its own word, or its bytes.

In this order: a byte-order mark; the shape of UTF-16 without one; UTF-8; the encoding that the file declares
(JabRef's `% Encoding:`, XML's and Emacs's `coding:`); Windows-1252. The last two are said aloud as a Problem,
a warning where bytes are in none of these.
"""

import codecs
import re

from msgspec import Struct

from bibtools.errors import Location, Problem

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(
    rb"(?:%+\s*encoding|-\*-.{0,40}coding|\binputenc|encoding)\s*[:=]\s*[\"']?\s*([A-Za-z0-9_.-]+)",
    re.IGNORECASE,
)
_HOLES = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")
"""Bytes that Windows-1252 does not have, and that Shift-JIS is full of."""
_HEAD = 2000
"""Bytes at the start in which a declaration counts."""
_TEX_NAMES = {
    "ansinew": "cp1252",
    "applemac": "mac-roman",
    "latin9": "iso8859-15",
    "utf8x": "utf-8",
    "macroman": "mac-roman",
}


class Decoded(Struct, frozen=True):
    """A decoded input."""

    text: str
    """Without byte-order mark; every line ends in `\\n`."""
    encoding: str
    """Python's name of the encoding."""
    newline: str
    """The line end that the input mostly uses."""
    problems: tuple[Problem, ...] = ()


def decode(data: bytes, source: str) -> Decoded:
    r"""Return the text of an input, with what it was made from.

    Args:
        data: the whole input.
        source: its name in problems.

    >>> decode(b"\xef\xbb\xbfa\r\nb", "x.bib").text
    'a\nb'
    """
    text, encoding, problems = _decode(data, source)
    newline = "\n"
    if "\r" in text:
        newline = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Decoded(text.removeprefix("\ufeff"), encoding, newline, problems)


def _decode(data: bytes, source: str) -> tuple[str, str, tuple[Problem, ...]]:
    """Return text, encoding and problems, line ends as they are."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _lenient(data[len(mark) :], encoding, source)
    wide = _unmarked_utf16(data)
    if wide:
        return _lenient(data, wide, source)
    try:
        return data.decode("utf-8"), "utf-8", ()
    except UnicodeDecodeError as error:
        encoding = _declared(data) or _legacy(data, error)
    if encoding == "utf-8":
        return _lenient(data, encoding, source)
    text = _decode_or_replace(data, encoding)
    if encoding == "cp1252" and _HOLES.search(data):
        message = "neither UTF-8 nor Windows-1252; letters are probably wrong; save it as UTF-8"
        return text, encoding, (Problem("encoding", "warning", Location(source), message),)
    message = f"not UTF-8; read as {_spoken(encoding)}; save it as UTF-8 if letters look wrong"
    return text, encoding, (Problem("encoding", "info", Location(source), message),)


def _lenient(data: bytes, encoding: str, source: str) -> tuple[str, str, tuple[Problem, ...]]:
    """Return text in a sure encoding; bytes that are not in it become U+FFFD, and that is said."""
    try:
        return data.decode(encoding), encoding, ()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"bytes that are not {_spoken(encoding)} were replaced by \N{REPLACEMENT CHARACTER}"
        problem = Problem("bad-bytes", "warning", Location(source, line), message, lost=True)
        return data.decode(encoding, "replace"), encoding, (problem,)


def _unmarked_utf16(data: bytes) -> str | None:
    """Return the UTF-16 that a file without mark is in, told by where its zero bytes stand, or None."""
    head = data[:_HEAD]
    if len(head) < 4 or len(data) % 2:
        return None
    low, high = head[0::2].count(0), head[1::2].count(0)
    if high > len(head) * 0.4 and low < len(head) * 0.05:
        return "utf-16-le"
    if low > len(head) * 0.4 and high < len(head) * 0.05:
        return "utf-16-be"
    return None


def _declared(data: bytes) -> str | None:
    """Return the encoding that the head of a file names, if Python knows it."""
    found = _DECLARED.search(data[:_HEAD])
    if not found:
        return None
    name = found[1].decode("ascii").lower()
    for spelled in (_TEX_NAMES.get(name, name), name.replace("-", "").replace("_", "")):
        try:
            encoding = codecs.lookup(spelled)
        except LookupError:
            continue
        return encoding.name if getattr(encoding, "_is_text_encoding", True) else None
    return None


def _legacy(data: bytes, error: UnicodeDecodeError) -> str:
    """Return what bytes that are not all UTF-8 are: UTF-8 with a few bad bytes, or Windows-1252."""
    good = len(re.findall(rb"[\xc3-\xf4][\x80-\xbf]{1,3}", data))
    text = data.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    return "utf-8" if good > 4 * bad and bad < 20 else "cp1252"


def _decode_or_replace(data: bytes, encoding: str) -> str:
    """Return text in an old encoding; Windows-1252's five holes are read as Latin-1 has them."""
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        if encoding == "cp1252":
            return "".join(bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in data)
        return data.decode(encoding, "replace")


def _spoken(encoding: str) -> str:
    """Return an encoding's name as people write it."""
    return {"cp1252": "Windows-1252", "utf-8": "UTF-8"}.get(encoding, encoding.upper())
