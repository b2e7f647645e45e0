"""Which addresses an entry gives: those in its abstract and fields, joined with those of its work's record.

Nothing is looked up here; whether anything is behind an address is the link check's business.
"""

from collections.abc import Container, Iterable, Iterator, Sequence

from msgspec.structs import replace

from bibtools.model import Entry, Hyperlink, Link, Math, Node, Text
from bibtools.outcomes import Enrichment
from bibtools.text.hosts import is_code_host
from bibtools.text.offers import find_code_links
from bibtools.text.tree import plain_of

CODE_FIELDS = frozenset(("software", "code", "repository", "github", "codeurl", "code_url"))
"""Fields whose address leads to code, whatever its host."""
WHOLE_SHARE = 0.8
"""Share of the paragraph from which an abstract is the whole of it, mark-up aside."""
TEXT_FIELDS = frozenset(("howpublished", "note", "annote", "annotation", "comment", "addendum", "remark"))
"""Fields of running text, in which an address of code may stand."""


class LinkFinder:
    """Find the addresses of each entry, in normal form, and say which of them offer code.

    An address that abstract and record both give stays once, as the abstract has it; where the two give
    different ones, both stay. Links that the entry already has are kept, so a second run changes nothing.
    """

    name = "links"

    def enrich(self, entries: Sequence[Entry]) -> Iterator[Enrichment]:
        """Yield one Enrichment per entry, in order; the entries passed in are unchanged."""
        for entry in entries:
            in_abstract, promised = _abstract_links(entry.abstract)
            order = (
                *_read_links(entry, {link.url for link in in_abstract}),
                *in_abstract,
                *(link for link in entry.links if link.found_in != "abstract"),
                *_field_links(entry),
            )
            yield Enrichment(changes=_changes(entry, join_links(order), promised))


def join_links(links: Iterable[Link]) -> tuple[Link, ...]:
    """Return the links, each address where it stands first; it offers code if any mention says so."""
    joined: dict[str, Link] = {}
    for link in links:
        key = _identity(link.url)
        first = joined.setdefault(key, link)
        if link.offers_code and not first.offers_code:
            joined[key] = replace(first, offers_code=True)
    return tuple(joined.values())


def _identity(url: str) -> str:
    """Return what two spellings of one place share: code hosts do not tell letter case apart."""
    host = url.partition("://")[2].partition("/")[0]
    return url.lower() if is_code_host(host) else url


def _changes(entry: Entry, links: tuple[Link, ...], promised: bool) -> dict[str, object]:
    """Return what is new about the entry."""
    changes: dict[str, object] = {}
    if links != entry.links:
        changes["links"] = links
    if promised != entry.promised_without_link:
        changes["promised_without_link"] = promised
    return changes


def _read_links(entry: Entry, found: Container[str]) -> Iterator[Link]:
    """Yield the links that the reader found in the abstract.

    Where the entry has only a part of the paragraph, as that held several abstracts, those of the others go.
    """
    length = len(entry.abstract.plain) if entry.abstract else 0
    start, end = entry.origin.span if entry.origin else (0, 0)
    is_part = length < WHOLE_SHARE * (end - start)
    for link in entry.links:
        if link.found_in == "abstract" and (link.url in found or not is_part):
            yield link


def _abstract_links(abstract: Text | None) -> tuple[tuple[Link, ...], bool]:
    """Return the links in an abstract, and whether it promises code without one."""
    if not abstract:
        return (), False
    found = find_code_links(_with_addresses(abstract))
    links = tuple(
        Link(written=url.written, url=url.url, kind=url.kind, offers_code=offers)
        for url, offers in zip(found.urls, found.offers, strict=True)
    )
    return links, found.promised


def _field_links(entry: Entry) -> Iterator[Link]:
    """Yield the links to code in an entry's other fields."""
    notes = (*entry.note, entry.annote)
    values = [("url", entry.url), *(("note", _with_addresses(note)) for note in notes if note)]
    for fields in entry.extra.values():
        values += [(name, value) for name, value in fields if name.lower() in CODE_FIELDS | TEXT_FIELDS]
    for name, value in values:
        found = find_code_links(value)
        for url, offers in zip(found.urls, found.offers, strict=True):
            if offers or name.lower() in CODE_FIELDS:
                yield Link(
                    written=url.written, url=url.url, kind=url.kind, offers_code=True, found_in="field"
                )


def _with_addresses(text: Text) -> str:
    """Return the text with the addresses behind its words, in brackets after them."""
    return "".join(map(_node_with_address, text.nodes)) if text.nodes else text.plain


def _node_with_address(node: Node) -> str:
    """Return one node as text with addresses."""
    if isinstance(node, str):
        return node
    if isinstance(node, Math):
        return f"${node.tex}$"
    words = "".join(map(_node_with_address, node.children))
    if not isinstance(node, Hyperlink):
        return words
    shown = plain_of(node.children)
    return f"{words} ({node.url})" if shown and shown not in node.url else node.url
