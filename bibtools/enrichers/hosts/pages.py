"""Project pages: are they there, and which repository is behind them.

A page names its repository by a link, by its own address (`U.github.io/P` is built from `github.com/U/P`),
or is named by it (homepage field). A page about another paper is no evidence. Whatever a page leads to is
then asked for on its own host.
"""

import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from msgspec import Struct, structs

from bibtools.enrichers.hosts.base import Desk, OneByOne, Target, text_of, unless_over
from bibtools.enrichers.hosts.browse import PAGE_BYTES, get_page, read_page, spelling
from bibtools.enrichers.hosts.github import ACCEPT, API, VERSION
from bibtools.enrichers.hosts.page import Page, read_html
from bibtools.errors import FetchError
from bibtools.outcomes import LinkCheck
from bibtools.text.titles import title_key
from bibtools.text.urls import Repository, classify, normalise_url, repository_of

if TYPE_CHECKING:
    from bibtools.transport import Reply

OWN_PAGES = re.compile(r"([a-z0-9-]{1,39})\.(github\.io|gitlab\.io)")
CODE_HOSTS = {"github.io": "github.com", "gitlab.io": "gitlab.com"}
CODE_WORDS = re.compile(r"\b(?:code|github|gitlab|source|repository|repo|implementation)\b", re.IGNORECASE)
MOST_REPOSITORIES = 100
MOST_CANDIDATES = 3
TEMPLATES = frozenset(
    {"nerfies.github.io", "academic-project-page-template", "jekyll", "al-folio", "minimal-mistakes", "bulma"}
)
"""Names of repositories that pages link to because they are made from them."""
PAGE_LANGUAGES = frozenset({"HTML", "CSS", "SCSS", "JavaScript"})
"""Languages of a repository that holds a page and no other code, as one of the same name often does."""
ENOUGH_WORDS = 0.6
"""Share of a title's words that a page about that work has."""
FEW_WORDS = 20
"""A page with fewer words than this is filled in by a script, and cannot be judged by them."""
UNLIKELY = 3
"""Rank from which a link says nothing: another owner, another name, no word such as "code"."""


class RepositoryLink(Struct, frozen=True):
    """A repository that a page links to, with the words that carry the link."""

    repository: Repository
    words: str


class Pages(OneByOne):
    """Project pages on hosts made for them."""

    name = "pages"
    lane = "pages"

    def target(self, url: str) -> Target | None:
        """Return the target of an address on a host of project pages."""
        if classify(url) != "project-page":
            return None
        address = url.partition("#")[0]
        return Target(address, address, self.name, site=urlsplit(url).hostname or "")

    def check(self, target: Target, desk: Desk) -> LinkCheck:
        """Return the verdict on one page, with the repository behind it if there is one."""
        reply = get_page(desk.client, target.url)
        return add_repository(read_page(reply, target.url), reply, target, desk)


def add_repository(check: LinkCheck, reply: "Reply", target: Target, desk: Desk) -> LinkCheck:
    """Return the verdict on a page with the repository behind it, if there is one and it is there."""
    if check.outcome not in {"available", "missing"}:
        return check
    page = read_html(text_of_page(reply)) if check.outcome == "available" else None
    if page and target.title and not is_about(page, target.title):
        return structs.replace(check, reason="the page does not name this work")
    links = repository_links(page, target.url) if page else []
    repository = find_repository(links, target, desk)
    return structs.replace(check, repository=repository) if repository else check


def text_of_page(reply: "Reply") -> str:
    """Return the HTML of an answer; empty for anything else."""
    return reply.text[:PAGE_BYTES] if "html" in reply.media_type else ""


def find_repository(links: list[RepositoryLink], target: Target, desk: Desk) -> str:
    """Return the repository behind a page: the first candidate that is there, or an empty string."""
    linked = {link.repository.url.lower() for link in links}
    for repository in candidates(links, target):
        check = desk.check(repository.url)
        if check is None or check.outcome != "available":
            continue
        language = check.facts.language if check.facts else ""
        if repository.url.lower() in linked or language not in PAGE_LANGUAGES:
            return check.moved_to or repository.url
    return by_homepage(target, desk)


def candidates(links: list[RepositoryLink], target: Target) -> list[Repository]:
    """Return the repositories that a page may belong to, best first, each once: links before same names."""
    owner, name = page_names(target.url)
    ranked = sorted(links, key=lambda link: rank(link, owner, name))
    found = [link.repository for link in ranked if rank(link, owner, name) < UNLIKELY]
    own = own_repository(target.url)
    once = {one.url.lower(): one for one in reversed([*found, *([own] if own else [])])}
    return list(once.values())[::-1][:MOST_CANDIDATES]


def rank(link: RepositoryLink, owner: str, name: str) -> int:
    """Return how likely a link leads to the page's own repository; lower is likelier."""
    same_owner = bool(owner) and link.repository.owner.lower() == owner
    same_name = bool(name) and title_key(link.repository.name) == title_key(name)
    if CODE_WORDS.search(link.words):
        return 0 if same_owner or same_name else 1
    return 1 if same_name else 2 if same_owner else UNLIKELY


def page_names(url: str) -> tuple[str, str]:
    """Return the account and the project that an address names, in lower case.

    >>> page_names("https://ada.github.io/Widgets/demo"), page_names("https://widgets.netlify.app")
    (('ada', 'widgets'), ('', 'widgets'))
    """
    parts = urlsplit(url)
    host, segments = parts.hostname or "", [segment for segment in parts.path.split("/") if segment]
    own = OWN_PAGES.fullmatch(host)
    if own:
        return own[1], segments[0].lower() if segments else ""
    return "", segments[0].lower() if segments else host.split(".")[0]


def own_repository(url: str) -> Repository | None:
    """Return the repository that a page on github.io or gitlab.io is built from, by its address."""
    parts = urlsplit(url)
    own = OWN_PAGES.fullmatch(parts.hostname or "")
    segments = [segment for segment in parts.path.split("/") if segment]
    if not own:
        return None
    name = segments[0] if segments else f"{own[1]}.{own[2]}"
    return Repository(host=CODE_HOSTS[own[2]], owner=own[1], name=name)


def repository_links(page: Page, url: str) -> list[RepositoryLink]:
    """Return the links of a page that lead to repositories, templates left out."""
    found = []
    for link in page.links:
        try:
            repository = repository_of(normalise_url(urljoin(url, link.address)))
        except ValueError:
            continue
        if repository is not None and repository.name.lower() not in TEMPLATES:
            found.append(RepositoryLink(repository, link.words))
    return found


def by_homepage(target: Target, desk: Desk) -> str:
    """Return the repository of the page's account whose homepage field is this page; with a token only."""
    owner, _ = page_names(target.url)
    if not owner or not desk.has_github_token or not target.site.endswith(".github.io"):
        return ""
    url = f"{API}/users/{owner}/repos?per_page={MOST_REPOSITORIES}&sort=pushed"
    try:
        reply = desk.client.get(url, accept=ACCEPT, headers=VERSION, keep=True)
        rows = reply.json() if reply.status == 200 else []
    except FetchError as error:
        unless_over(error)
        return ""
    for row in rows if isinstance(rows, list) else []:
        homepage = text_of(row, "homepage")
        if homepage and spelling(homepage) == spelling(target.url):
            return f"https://github.com/{text_of(row, 'full_name')}"
    return ""


def is_about(page: Page, title: str) -> bool:
    """Return whether a page names a work: its whole title, or most of the title's words."""
    if len(page.text.split()) < FEW_WORDS:
        return True
    text = page.text.lower()
    words = set(re.findall(r"\w{4,}", title.lower()))
    if not words or title_key(title) in title_key(text):
        return True
    return sum(word in text for word in words) / len(words) >= ENOUGH_WORDS
