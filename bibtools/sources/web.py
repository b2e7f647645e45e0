"""Works that web services offer for an abstract: candidates, to be compared with it, never an answer.

Services search by topic or by phrase and rank by popularity, so what comes first proves nothing. OpenAlex
takes a whole abstract where there is a key, else a phrase of it; arXiv takes a phrase.
API facts: https://docs.openalex.org/, https://info.arxiv.org/help/api/user-manual.html.
"""

import re
from collections.abc import Callable, Iterator
from urllib.parse import quote
from xml.etree import ElementTree

from bibtools.errors import FetchError
from bibtools.model import Entry
from bibtools.settings import URLS, Settings
from bibtools.sources import arxiv, openalex
from bibtools.sources.fields import iso_date
from bibtools.transport import Client

LONGEST_QUERY = 1_200
"""Characters of an abstract that are sent: OpenAlex refuses addresses of more than about 4,000 bytes."""
MOST_WORKS = 15
"""Candidates asked for."""
PHRASE_WORDS = 8
FEWEST_WORDS = 5
PLAIN_RUN = re.compile(r"[A-Za-z]{2,}(?: [A-Za-z]{2,})+")
"""Words with one blank between them: no hyphen, formula or mark that an index may treat its own way."""

OPENALEX_FIELDS = (
    *("id", "doi", "title", "type", "language", "publication_date", "publication_year", "ids"),
    *("authorships", "primary_location", "locations", "biblio", "is_retracted", "abstract_inverted_index"),
)
ATOM = "{http://www.w3.org/2005/Atom}"
ARXIV = "{http://arxiv.org/schemas/atom}"
ARXIV_ADDRESS = re.compile(r"arxiv\.org/abs/(.+?)(?:v\d+)?$")

Search = Callable[[str, Client, Settings], list[Entry]]


def search_openalex(abstract: str, client: Client, settings: Settings) -> list[Entry]:
    """Return the works that OpenAlex offers for an abstract, those with an abstract only.

    Raises:
        FetchError: it could not be asked, or refused.
    """
    if settings.openalex_key:
        asked = f"search.semantic={quote(' '.join(abstract.split())[:LONGEST_QUERY])}"
    elif phrase := telling_phrase(abstract):
        asked = f"search=%22{quote(phrase)}%22"
    else:
        return []
    address = f"{URLS['openalex']}/works?{asked}&per_page={MOST_WORKS}&select={','.join(OPENALEX_FIELDS)}"
    body = ask(client, address, "application/json", b"{")
    try:
        items = list(openalex.read_page(body, address))
    except ValueError as error:
        raise FetchError(f"OpenAlex's answer has not its shape: {error}", address, "bad-reply") from error
    return [item for item in items if isinstance(item, Entry) and item.abstract]


def search_arxiv(abstract: str, client: Client, settings: Settings) -> list[Entry]:
    """Return the preprints that arXiv offers for an abstract.

    Raises:
        FetchError: it could not be asked, or refused.
    """
    phrase = telling_phrase(abstract)
    if not phrase:
        return []
    address = f"{URLS['arxiv']}/api/query?search_query=abs:%22{quote(phrase)}%22&max_results={MOST_WORKS}"
    body = ask(client, address, "application/atom+xml", b"<")
    try:
        # Answers are bounded by the client, and expat bounds what entities may expand to.
        feed = ElementTree.fromstring(body)  # noqa: S314
    except ElementTree.ParseError as error:
        raise FetchError(f"arXiv's answer is no Atom feed: {error}", address, "bad-reply") from error
    return list(read_feed(feed, address))


SERVICES: dict[str, Search] = {"OpenAlex": search_openalex, "arXiv": search_arxiv}
"""In the order in which they are asked: the one with most works first."""


def ask(client: Client, address: str, accept: str, first: bytes) -> bytes:
    """Return the body of a service's answer, which begins with `first`.

    Raises:
        FetchError: another status than 200, or a web page in place of data.
    """
    reply = client.get(address, accept=accept, keep=True)
    if reply.status in (401, 403):
        raise FetchError(f"refused ({reply.status}); is the key right?", address, "bad-token")
    if reply.status != 200:
        raise FetchError(f"answered with status {reply.status}", address, "bad-reply")
    body = reply.body.lstrip()
    if not body.startswith(first) or body[:9].lower() == b"<!doctype":
        raise FetchError("a web page came where data was asked for", address, "challenged")
    return body


def telling_phrase(abstract: str) -> str:
    """Return a run of plain words from an abstract, the one with the longest words; empty if there is none.

    >>> telling_phrase("We do it. Our copper clockwork resonance schedule avoids overheating, as shown.")
    'Our copper clockwork resonance schedule avoids overheating'
    """
    phrases = []
    for run in PLAIN_RUN.findall(" ".join(abstract.split())):
        words = run.split(" ")
        for start in range(0, max(1, len(words) - PHRASE_WORDS + 1), 2):
            phrases.append(words[start : start + PHRASE_WORDS])
    long_enough = [words for words in phrases if len(words) >= FEWEST_WORDS]
    return " ".join(max(long_enough, key=lambda words: sum(map(len, words)), default=[]))


def read_feed(feed: ElementTree.Element, address: str) -> Iterator[Entry]:
    """Yield the preprints of arXiv's Atom answer.

    Raises:
        FetchError: the answer is an error, which arXiv gives as an entry.
    """
    for entry in feed.iter(f"{ATOM}entry"):
        if "/api/errors" in text_of(entry, f"{ATOM}id"):
            raise FetchError(f"arXiv says: {text_of(entry, f'{ATOM}summary')}", address, "bad-reply")
        found = ARXIV_ADDRESS.search(text_of(entry, f"{ATOM}id"))
        title = text_of(entry, f"{ATOM}title")
        if not found or not title:
            continue
        category = entry.find(f"{ARXIV}primary_category")
        preprint = arxiv.Preprint(
            id=found[1],
            title=title,
            abstract=text_of(entry, f"{ATOM}summary"),
            authors=", ".join(text_of(author, f"{ATOM}name") for author in entry.iter(f"{ATOM}author")),
            categories=category.get("term", "") if category is not None else "",
            comments=text_of(entry, f"{ARXIV}comment"),
            journal_ref=text_of(entry, f"{ARXIV}journal_ref"),
            doi=text_of(entry, f"{ARXIV}doi"),
        )
        yield arxiv.to_entry(preprint).replace(issued=iso_date(text_of(entry, f"{ATOM}published")))


def text_of(element: ElementTree.Element, name: str) -> str:
    """Return the text of a child element on one line, empty where there is none."""
    return " ".join((element.findtext(name) or "").split())
