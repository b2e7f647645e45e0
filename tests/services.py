"""The services that links lead to, as far as their documentation shows their answers."""

import json
import re
import threading
from collections.abc import Iterable
from typing import Any

from loopback import Answer, Asked, as_html, as_json, moved_to
from msgspec import Struct

COMMIT = "0123456789abcdef0123456789abcdef01234567"
SNAPSHOT = "89abcdef0123456789abcdef0123456789abcdef"

GITLAB = {
    "id": 7, "description": None, "path_with_namespace": "g/s/r", "default_branch": "main", "star_count": 1,
    "web_url": "https://gitlab.com/g/s/r", "last_activity_at": "2024-06-01T00:00:00.000Z",
}  # fmt: skip
BITBUCKET = {
    "type": "repository", "full_name": "w/r", "is_private": False, "scm": "git", "language": "python",
    "mainbranch": {"type": "branch", "name": "main"}, "updated_on": "2024-06-01T00:00:00+00:00",
}  # fmt: skip
CODEBERG = {
    "id": 5, "full_name": "o/r", "empty": False, "private": False, "fork": False, "archived": False,
    "default_branch": "main", "stars_count": 2, "updated_at": "2024-06-01T00:00:00Z",
}  # fmt: skip
MODEL = {
    "_id": "65", "id": "org/m", "sha": COMMIT, "lastModified": "2024-06-01T00:00:00.000Z", "private": False,
    "disabled": False, "gated": False, "likes": 1,
    "siblings": [{"rfilename": "README.md"}, {"rfilename": "m.bin"}],
}  # fmt: skip
ZENODO = {
    "id": 10000001, "doi": "10.5281/zenodo.10000001", "created": "2024-06-01T00:00:00+00:00",
    "metadata": {
        "title": "o/r: v1.0", "access_right": "open", "license": {"id": "mit-license"}, "version": "v1.0",
        "related_identifiers": [
            {"identifier": "https://github.com/o/r/tree/v1.0", "relation": "isSupplementTo", "scheme": "url"}
        ],
    },
}  # fmt: skip
OSF = {"data": {"id": "abcde", "attributes": {"title": "Widgets", "date_modified": "2024-06-01T00:00:00"}}}


class Repo(Struct, kw_only=True):
    """A repository as GitHub keeps it."""

    owner: str
    name: str
    number: int = 1
    exists: bool = True
    archived: bool = False
    disabled: bool = False
    empty: bool = False
    private: bool = False
    blocked: str = ""
    """Reason of a block, such as `dmca`."""
    parent: str = ""
    licence: str | None = "MIT"
    language: str | None = "Python"
    files: tuple[str, ...] = ("README.md", "train.py")
    cff: str | None = None
    release: str | None = None
    homepage: str | None = None

    @property
    def full_name(self) -> str:
        """Owner and name."""
        return f"{self.owner}/{self.name}"


class GitHubDouble:
    """github.com and its API.

    Args:
        repos: what there is (or is not).
        renamed: old full name → present full name.
        delay: seconds before every answer.
        token: the token that the API accepts; without it GraphQL is refused.
        most: repositories that one GraphQL request may name.
        relative: let web pages redirect within the account, so that clients led here stay here.
    """

    def __init__(
        self,
        repos: Iterable[Repo],
        renamed: dict[str, str] | None = None,
        *,
        delay: float = 0.0,
        token: str = "good-token",
        most: int = 100,
        relative: bool = False,
    ) -> None:
        self.repos = {repo.full_name.lower(): repo for repo in repos}
        self.renamed = {old.lower(): new for old, new in (renamed or {}).items()}
        self.delay, self.token, self.most, self.relative = delay, token, most, relative
        self.rest_left = 60
        self.lock = threading.Lock()

    def __call__(self, asked: Asked) -> Answer | None:
        """Answer for the three hosts of GitHub."""
        if asked.host == "api.github.com":
            found = self.graphql(asked) if asked.path == "/graphql" else self.rest(asked)
        elif asked.host == "github.com":
            found = self.git(asked) if "/info/refs" in asked.path else self.page(asked)
        else:
            return None
        return found if self.delay == 0 else slower(found, self.delay)

    def look_up(self, name: str) -> Repo | None:
        """Return a repository by its full name, old names and letter case included."""
        name = name.lower()
        repo = self.repos.get(self.renamed.get(name, name).lower())
        return repo if repo and repo.exists else None

    def graphql(self, asked: Asked) -> Answer:
        """Answer a GraphQL query of aliases."""
        if asked.headers.get("authorization") != f"Bearer {self.token}":
            return as_json({"message": "Bad credentials", "status": "401"}, 401)
        query = json.loads(asked.body)["query"]
        aliases = re.findall(r'(r\d+): repository\(owner: "([^"]+)", name: "([^"]+)"', query)
        if len(aliases) > self.most:
            return as_html("<h1>502</h1>We couldn't respond to your request in time.", 502)
        data: dict[str, Any] = {
            "rateLimit": {"cost": 1, "remaining": 4999, "resetAt": "2030-01-01T00:00:00Z"}
        }
        errors = []
        for alias, owner, name in aliases:
            repo = self.look_up(f"{owner}/{name}")
            if repo is None or repo.blocked:
                data[alias] = None
                message = f"Could not resolve to a Repository with the name '{owner}/{name}'."
                errors.append({"type": "NOT_FOUND", "path": [alias], "message": message})
            else:
                data[alias] = graphql_node(repo)
        answer = {"data": data} | ({"errors": errors} if errors else {})
        return as_json(answer, X_RateLimit_Remaining="4999")

    def rest(self, asked: Asked) -> Answer:
        """Answer a REST request."""
        with self.lock:
            if "authorization" not in asked.headers:
                self.rest_left -= 1
                if self.rest_left < 0:
                    body = {"message": "API rate limit exceeded for 127.0.0.1."}
                    return as_json(body, 403, X_RateLimit_Remaining="0", X_RateLimit_Reset="4000000000")
        by_id = re.fullmatch(r"/repositories/(\d+)", asked.path)
        if by_id:
            repo = next((one for one in self.repos.values() if one.number == int(by_id[1])), None)
            return rest_answer(repo)
        name = asked.path.removeprefix("/repos/")
        repo = self.look_up(name)
        if repo and name.lower() in self.renamed:
            url = f"https://api.github.com/repositories/{repo.number}"
            return as_json({"message": "Moved Permanently", "url": url}, 301, Location=url)
        return rest_answer(repo)

    def git(self, asked: Asked) -> Answer:
        """Answer git's first request."""
        if not asked.headers["user-agent"].startswith("git/"):
            return Answer(404)
        name = asked.path[1:].partition(".git/")[0]
        repo = self.look_up(name)
        if repo is None or repo.private or repo.blocked:
            headers = {"WWW-Authenticate": 'Basic realm="GitHub"', "Content-Type": "text/plain"}
            return Answer(401, b"Repository not found.", headers)
        if name.lower() in self.renamed:
            return moved_to(f"https://github.com/{repo.full_name}.git/info/refs?service=git-upload-pack")
        return git_answer(empty=repo.empty)

    def page(self, asked: Asked) -> Answer:
        """Answer a request for a repository's web page."""
        name = asked.path[1:].strip("/")
        repo = self.look_up(name)
        if repo is None or repo.private:
            return as_html("Not Found", 404)
        if repo.blocked:
            return as_html("Repository unavailable due to DMCA takedown.", 451)
        if name.lower() in self.renamed:
            return moved_to(repo.name if self.relative else f"https://github.com/{repo.full_name}")
        return as_html(f"<title>{repo.full_name}</title>")


def slower(answer: Answer, delay: float) -> Answer:
    """Return the same answer, later."""
    return Answer(answer.status, answer.body, answer.headers, delay)


def graphql_node(repo: Repo) -> dict[str, Any]:
    """Return a Repository object of GraphQL."""
    branch = None if repo.empty else {"name": "main", "target": {"oid": COMMIT}}
    return {
        "databaseId": repo.number,
        "nameWithOwner": repo.full_name,
        "isArchived": repo.archived,
        "isDisabled": repo.disabled,
        "isEmpty": repo.empty,
        "isFork": bool(repo.parent),
        "isPrivate": repo.private,
        "pushedAt": "2024-06-30T00:00:00Z",
        "description": "Code for Sparse Widgets",
        "homepageUrl": repo.homepage,
        "stargazerCount": 80,
        "licenseInfo": {"spdxId": repo.licence} if repo.licence else None,
        "primaryLanguage": {"name": repo.language} if repo.language and not repo.empty else None,
        "defaultBranchRef": branch,
        "latestRelease": {"tagName": repo.release} if repo.release else None,
        "parent": {"nameWithOwner": repo.parent} if repo.parent else None,
        "root": None if repo.empty else {"entries": [{"name": name} for name in repo.files]},
        "cff": {"text": repo.cff, "isTruncated": False} if repo.cff else None,
    }


def rest_answer(repo: Repo | None) -> Answer:
    """Return the answer of `GET /repos/O/R`."""
    if repo is None or not repo.exists:
        return as_json(
            {"message": "Not Found", "documentation_url": "https://docs.github.com/rest", "status": "404"},
            404,
        )
    if repo.blocked:
        block = {
            "reason": repo.blocked,
            "created_at": "2024-01-01T00:00:00Z",
            "html_url": "https://github.com/tos",
        }
        status = 451 if repo.blocked == "dmca" else 403
        return as_json({"message": "Repository access blocked", "block": block}, status)
    record = {
        "id": repo.number,
        "full_name": repo.full_name,
        "private": repo.private,
        "html_url": f"https://github.com/{repo.full_name}",
        "description": "Code for Sparse Widgets",
        "fork": bool(repo.parent),
        "homepage": repo.homepage,
        "language": repo.language,
        "stargazers_count": 80,
        "license": {"key": "mit", "spdx_id": repo.licence} if repo.licence else None,
        "default_branch": "main",
        "archived": repo.archived,
        "disabled": repo.disabled,
        "pushed_at": "2024-06-30T00:00:00Z",
    }
    if repo.parent:
        record["parent"] = {"full_name": repo.parent}
    return as_json(record, ETag='W/"1"')


def git_answer(*, empty: bool = False) -> Answer:
    """Return git's advertisement of a repository with one commit, or with none."""
    lines = [b"# service=git-upload-pack\n", b""]
    if not empty:
        capabilities = (
            b"multi_ack side-band-64k symref=HEAD:refs/heads/main object-format=sha1 agent=git/github-0"
        )
        lines.append(COMMIT.encode() + b" HEAD\0" + capabilities + b"\n")
        lines.append(COMMIT.encode() + b" refs/heads/main\n")
    body = b"".join(pkt_line(line) for line in [*lines, b""])
    return Answer(200, body, {"Content-Type": "application/x-git-upload-pack-advertisement"})


def pkt_line(payload: bytes) -> bytes:
    """Return a pkt-line; of nothing, a flush packet."""
    return b"%04x" % (len(payload) + 4) + payload if payload else b"0000"


def table(answers: dict[str, Answer]) -> "Table":
    """Return a rule that answers by address."""
    return Table(answers)


class Table:
    """A rule that answers by address: `host/path`, with or without the query."""

    def __init__(self, answers: dict[str, Answer]) -> None:
        self.answers = answers

    def __call__(self, asked: Asked) -> Answer | None:
        """Answer if the address is in the table."""
        whole = f"{asked.host}{asked.path}"
        return self.answers.get(whole) or self.answers.get(whole.partition("?")[0])


def swh_visit(origin: str) -> Answer:
    """Return Software Heritage's answer on its newest visit of a repository."""
    return as_json(
        {
            "origin": origin,
            "visit": 3,
            "date": "2024-06-02T01:02:03+00:00",
            "type": "git",
            "status": "full",
            "snapshot": SNAPSHOT,
        }
    )


def wayback_copy(url: str, stamp: str = "20240701000000") -> Answer:
    """Return the Wayback Machine's answer on an address that it has."""
    closest = {
        "available": True,
        "status": "200",
        "timestamp": stamp,
        "url": f"http://web.archive.org/web/{stamp}/{url}",
    }
    return as_json({"url": url, "archived_snapshots": {"closest": closest}})
