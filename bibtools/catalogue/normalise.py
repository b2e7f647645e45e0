"""Text as a sequence of plain words, the same for every form in which an abstract reaches us.

A PDF copy, a LaTeX source, a web page and a Markdown quotation of one abstract give (nearly) the same
words: mark-up, accents, ligatures, line-end hyphens and addresses are gone, letters are lower case,
Greek letters are spelt out. Words of scripts written without blanks are pairs of neighbouring characters.

The result is for comparing only. Whoever changes it changes fingerprints: `fingerprint.VERSION` rises.
"""

import html
import re
import unicodedata
from collections.abc import Iterator

_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")
_ADDRESS = re.compile(r"(?:https?://|www\.)[^\s{}]+")
_MARKDOWN_LINK = re.compile(r"\[([^\[\]]{1,200})\]\([^()\s]{1,300}\)")
_POSSESSIVE = re.compile(r"'s\b")
_SOFT_HYPHEN = re.compile(r"\u00ad(?:\s*\n\s*)?")
_BROKEN_WORD = re.compile(
    r"""
      -(?<=[^\W\d_]-)\s*\n\s*(?=[a-z])     # at a line's end
    | -(?<=[a-z]{2}-)\ +(?=[a-z]{2})       # the same after lines were joined with blanks
    """,
    re.VERBOSE,
)

_FURNITURE = re.compile(
    r"""
      arXiv:\d\S*(?:\ \[[\w.-]+\])?(?:\ \d{1,2}\ \w{3}\ \d{4})?                          # margin stamp
    | ^[ ]*(?:comments|subjects|key\ ?words|index\ terms)\b[ ]*[:—–-].*$               # what follows
    | ©\ ?\d{4}.*$ | ^permission\ to\ make\ digital\ or\ hard\ copies.*$
    """,
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)
"""What pages print around abstracts, and no abstract contains."""
_TEX_CITATION = re.compile(r"~?\\cite[a-z]*\*?(?:\[[^\[\]]{0,100}\]){0,2}\{[^{}]{0,300}\}")
_TEX_ACCENT = re.compile(r"\\(?:[`'^\"~=.]|[uvHtcdbkr](?=[\s{]))\s*\{?\\?([a-zA-Z])\}?")
_TEX_STYLE = re.compile(
    r"\\(?:emph|text[a-z]*|math[a-z]*|mbox|operatorname|underline|boldsymbol|bm|rm|it|bf|em|sc|tt|cal"
    r"|url|href|footnote)\b\*?"
)
_TEX_COMMAND = re.compile(r"\\([a-zA-Z]+)")

_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]+"
)
"""Runs of Thai, Lao, Burmese, Khmer, kana, Han and Hangul: no blanks, or none that part words reliably."""

_SPELT_OUT = {
    "ß": "ss",
    "ø": "o",
    "ł": "l",
    "đ": "d",
    "æ": "ae",
    "œ": "oe",
    "ı": "i",
    "ℓ": "ell",
    "∞": "infty",
}
_REMOVED = frozenset("'$*_^{}")
"""Marks inside words or around letters: what they stand between belongs together."""


_ASCII: dict[int, str | None] = {
    code: None if (char := chr(code)) in _REMOVED else char.lower() if char.isalnum() else " "
    for code in range(128)
}
"""For `str.translate`: letters in lower case, blanks for what stands between words."""
_FOREIGN = re.compile(r"[^\x00-\x7f]+")


class _Letters(dict[str, str]):
    """What each character outside ASCII becomes; worked out when first met."""

    def __missing__(self, char: str) -> str:
        parts = map(self._part, unicodedata.normalize("NFKD", char))
        self[char] = replacement = "".join(parts)
        return replacement

    @staticmethod
    def _part(char: str) -> str:
        lower = char.lower()
        if char in _REMOVED or unicodedata.category(char).startswith("M"):
            return ""
        if lower in _SPELT_OUT:
            return _SPELT_OUT[lower]
        name = unicodedata.name(lower, "")
        if name.startswith("GREEK SMALL LETTER ") and "WITH" not in name:
            return name.rsplit(" ", 1)[1].lower().replace("lamda", "lambda")
        return lower if char.isalnum() else " "


_LETTERS = _Letters()


def words(text: str) -> list[str]:
    """Return the words of a text, without what depends on the form it came in.

    >>> words("The <b>na\u00efve</b> Schr\\\\'odinger repre-\\nsentation of $\\\\alpha$ \ufb01res")
    ['the', 'naive', 'schrodinger', 'representation', 'of', 'alpha', 'fires']
    >>> words("\u6df1\u5ea6\u5b66\u4e60 (DL)")
    ['\u6df1\u5ea6', '\u5ea6\u5b66', '\u5b66\u4e60', 'dl']
    """
    text = _without_markup(text)
    if text.isascii():
        return text.translate(_ASCII).split()
    text = _FOREIGN.sub(_plain, text).translate(_ASCII)
    if text.isascii():
        return text.split()
    return _UNSPACED.sub(_pairs, unicodedata.normalize("NFC", text)).split()


def _plain(run: re.Match[str]) -> str:
    return "".join(map(_LETTERS.__getitem__, run[0]))


def _without_markup(text: str) -> str:
    """Return the text without what is not words. Each step is taken only where its marks are seen."""
    text = text.replace("’", "'").replace("‐", "-")
    if "&" in text:
        text = html.unescape(html.unescape(text))
    if "<" in text:
        text = _TAG.sub("", text)
    if "\n" in text or "©" in text or "arXiv:" in text:
        text = _FURNITURE.sub(" ", text)
    if "\u00ad" in text:
        text = _SOFT_HYPHEN.sub("", text)
    if "- " in text or "-\n" in text:
        text = _BROKEN_WORD.sub("", text)
    if "](" in text:
        text = _MARKDOWN_LINK.sub(r"\1", text)
    if "http" in text or "www." in text:
        text = _ADDRESS.sub(" ", text)
    if "\\" in text:
        text = _without_tex(text)
    return _POSSESSIVE.sub(" ", text) if "'s" in text else text


def _without_tex(text: str) -> str:
    text = _TEX_CITATION.sub(" ", text)
    text = _TEX_ACCENT.sub(r"\1", text)
    text = _TEX_STYLE.sub("", text)
    return _TEX_COMMAND.sub(r"\1 ", text)


def _pairs(run: re.Match[str]) -> str:
    return f" {' '.join(_neighbours(run[0]))} "


def _neighbours(run: str) -> Iterator[str]:
    if len(run) == 1:
        return iter((run,))
    return (run[start : start + 2] for start in range(len(run) - 1))
