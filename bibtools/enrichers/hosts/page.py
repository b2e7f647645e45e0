"""What a web page says, read in one pass that any input leaves in linear time: title, words, links."""

import re
from html import unescape

from msgspec import Struct

ATTRIBUTE = re.compile(
    r"\b(href|content|alt)\s{0,20}=\s{0,20}(?:\"([^\"]{0,1000})\"|'([^']{0,1000})'|([^\s\"'>]{1,1000}))",
    re.IGNORECASE,
)
LONGEST_TAG = 2_000
SKIPPED = frozenset({"script", "style", "noscript", "template", "svg"})
"""Elements whose content is not for reading."""
TAG_NAME = re.compile(r"/?[a-z][a-z0-9]{0,15}", re.IGNORECASE)
MOST_LINKS = 500


class PageLink(Struct, frozen=True):
    """A link with the words that carry it."""

    address: str
    words: str


class Page(Struct, frozen=True):
    """What a page says."""

    title: str
    text: str
    """The words for reading, with the descriptions in its head and those of its pictures."""
    links: tuple[PageLink, ...]


class PageReader:
    """Reads a page piece by piece: each piece is a tag and the text up to the next one."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.title: list[str] = []
        self.links: list[PageLink] = []
        self.skipped = ""
        self.in_title = False
        self.address = ""
        self.carried: list[str] = []

    def read(self, html: str) -> Page:
        """Return what a page says."""
        for piece in html.split("<"):
            tag, closed, text = piece.partition(">")
            self.take_tag(tag[:LONGEST_TAG])
            if closed and not self.skipped:
                self.take_text(text)
        self.end_link()
        return Page(squeeze(self.title)[:300], squeeze(self.words), tuple(self.links))

    def take_tag(self, tag: str) -> None:
        """Follow a tag: what it opens, closes, or says in its attributes."""
        found = TAG_NAME.match(tag)
        name = found[0].lower() if found else ""
        if self.skipped:
            self.skipped = "" if name == f"/{self.skipped}" else self.skipped
            return
        self.skipped = name if name in SKIPPED else ""
        self.in_title = name == "title"
        if name in {"a", "/a"}:
            self.end_link()
        if name in {"a", "meta", "img"}:
            self.take_attributes(name, tag)

    def take_attributes(self, name: str, tag: str) -> None:
        """Keep a link's address, and the words of descriptions."""
        for match in ATTRIBUTE.finditer(tag):
            value = unescape(match[2] or match[3] or match[4] or "")
            attribute = match[1].lower()
            if name == "a" and attribute == "href":
                self.address = value.strip()
            elif attribute != "href":
                self.take_text(value)

    def take_text(self, text: str) -> None:
        """Keep text where it belongs."""
        text = unescape(text)
        self.words.append(text)
        if self.in_title:
            self.title.append(text)
        if self.address:
            self.carried.append(text)

    def end_link(self) -> None:
        """Close the link that is open, if any."""
        if self.address and len(self.links) < MOST_LINKS:
            self.links.append(PageLink(self.address, squeeze(self.carried)[:400]))
        self.address, self.carried = "", []


def read_html(html: str) -> Page:
    """Return what a page says.

    >>> read_html('<title>A &amp; B</title><a href="https://x.org/y"><b>Code</b></a><script>no</script>').links
    (PageLink(address='https://x.org/y', words='Code'),)
    """
    return PageReader().read(html)


def squeeze(parts: list[str]) -> str:
    """Return pieces of text as one line."""
    return " ".join(" ".join(parts).split())
