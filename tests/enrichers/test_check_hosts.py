"""Every other host: what its documented answers mean, and what its refusals do not mean."""

import pytest
from loopback import Answer, Loopback, as_html, as_json, moved_to
from services import (
    BITBUCKET,
    CODEBERG,
    COMMIT,
    GITLAB,
    MODEL,
    OSF,
    ZENODO,
    GitHubDouble,
    Repo,
    Table,
    git_answer,
)

from bibtools.enrichers.hosts.browse import TRIES
from bibtools.enrichers.linkcheck import CheckOptions, LinkChecker
from bibtools.outcomes import LinkCheck
from bibtools.settings import Settings
from bibtools.transport import Client, Pace, Policy

GIT = "info/refs?service=git-upload-pack"
GONE = as_json({"message": "gone"}, 404)
BOT = as_html("<title>Just a moment...</title><script src=/cdn-cgi/challenge-platform/x></script>")


def check(web: Loopback, url: str, answers: dict[str, Answer], title: str = "", token: str = "") -> LinkCheck:
    """Return the verdict on one address when the web has these answers and no others."""
    web.rules.append(Table(answers))
    policy = Policy(
        routes=web.routes, paces={}, default_pace=Pace(8, 0.0), backoff=0.005, attempts=2,
        max_wait=1.0, tokens={"https://api.github.com": f"Bearer {token}"} if token else {},
    )  # fmt: skip
    with Client(policy) as client:
        options = CheckOptions(journal="", captures=False)
        checker = LinkChecker(Settings(github_token=token), options, client)
        return checker.run(checker.plan([url], {url: title}, {url})).checks[url]


def summary(found: LinkCheck) -> tuple[str, ...]:
    """Return outcome, flags and new address."""
    return (found.outcome, *found.flags, *([found.moved_to] if found.moved_to else []))


Case = tuple[str, dict[str, Answer], tuple[str, ...]]

CASES: list[Case] = [
    # GitLab
    ("https://gitlab.com/g/s/r", {"gitlab.com/api/v4/projects/g%2Fs%2Fr": as_json(GITLAB)}, ("available",)),
    (
        "https://gitlab.com/g/old",
        {"gitlab.com/api/v4/projects/g%2Fold": as_json(GITLAB)},
        ("available", "moved", "https://gitlab.com/g/s/r"),
    ),
    (
        "https://gitlab.com/g/s/r",
        {
            "gitlab.com/api/v4/projects/g%2Fs%2Fr": as_json(
                GITLAB | {"default_branch": None, "archived": True}
            )
        },
        ("available", "archived", "empty"),
    ),
    ("https://gitlab.com/g/s/r", {"gitlab.com/api/v4/projects/g%2Fs%2Fr": GONE}, ("missing",)),
    ("https://gitlab.com/g/s/r", {"gitlab.com/api/v4/projects/g%2Fs%2Fr": Answer(500)}, ("unsure",)),
    (
        "https://gitlab.example.org/g/r",
        {
            "gitlab.example.org/api/v4/projects/g%2Fr": Answer(403),
            f"gitlab.example.org/g/r.git/{GIT}": git_answer(empty=True),
        },
        ("available", "empty"),
    ),
    ("https://gitlab.com/g/r", {"gitlab.com/api/v4/projects/g%2Fr": BOT}, ("challenged",)),
    # Bitbucket
    (
        "https://bitbucket.org/w/r",
        {"api.bitbucket.org/2.0/repositories/w/r": as_json(BITBUCKET)},
        ("available",),
    ),
    (
        "https://bitbucket.org/w/r",
        {"api.bitbucket.org/2.0/repositories/w/r": as_json(BITBUCKET | {"mainbranch": None})},
        ("available", "empty"),
    ),
    ("https://bitbucket.org/w/r", {"api.bitbucket.org/2.0/repositories/w/r": GONE}, ("missing",)),
    (
        "https://bitbucket.org/w/r",
        {"api.bitbucket.org/2.0/repositories/w/r": Answer(429), f"bitbucket.org/w/r.git/{GIT}": git_answer()},
        ("available",),
    ),
    # Forgejo
    ("https://codeberg.org/o/r", {"codeberg.org/api/v1/repos/o/r": as_json(CODEBERG)}, ("available",)),
    (
        "https://codeberg.org/o/old",
        {
            "codeberg.org/api/v1/repos/o/old": moved_to("/api/v1/repos/o/r", 307),
            "codeberg.org/api/v1/repos/o/r": as_json(CODEBERG | {"archived": True, "fork": True}),
        },
        ("available", "moved", "archived", "fork", "https://codeberg.org/o/r"),
    ),
    ("https://codeberg.org/o/r", {"codeberg.org/api/v1/repos/o/r": GONE}, ("missing",)),
    (
        "https://codeberg.org/o/r",
        {"codeberg.org/api/v1/repos/o/r": BOT, f"codeberg.org/o/r.git/{GIT}": git_answer()},
        ("available",),
    ),
    (
        "https://codeberg.org/o/r",
        {"codeberg.org/api/v1/repos/o/r": BOT, f"codeberg.org/o/r.git/{GIT}": BOT},
        ("challenged",),
    ),
    # any other git server
    ("https://git.example.org/o/r", {f"git.example.org/o/r.git/{GIT}": git_answer()}, ("available",)),
    ("https://git.example.org/o/r", {f"git.example.org/o/r.git/{GIT}": Answer(401)}, ("missing",)),
    ("https://git.example.org/o/r", {f"git.example.org/o/r.git/{GIT}": as_html("log in")}, ("unsure",)),
    (
        "https://git.example.org/o/r",
        {
            f"git.example.org/o/r.git/{GIT}": moved_to(f"https://git.example.org/new/r.git/{GIT}"),
            f"git.example.org/new/r.git/{GIT}": git_answer(),
        },
        ("available", "moved", "https://git.example.org/new/r"),
    ),
    # Hugging Face
    ("https://huggingface.co/org/m", {"huggingface.co/api/models/org/m": as_json(MODEL)}, ("available",)),
    (
        "https://huggingface.co/org/old",
        {
            "huggingface.co/api/models/org/old": moved_to("/api/models/org/m", 307),
            "huggingface.co/api/models/org/m": as_json(MODEL),
        },
        ("available", "moved", "https://huggingface.co/org/m"),
    ),
    (
        "https://huggingface.co/datasets/org/m",
        {"huggingface.co/api/datasets/org/m": as_json(MODEL | {"siblings": [{"rfilename": "README.md"}]})},
        ("available", "readme-only"),
    ),
    (
        "https://huggingface.co/spaces/org/m",
        {
            "huggingface.co/api/spaces/org/m": as_json(
                MODEL | {"disabled": True, "siblings": [{"rfilename": ".gitattributes"}]}
            )
        },
        ("available", "empty", "disabled"),
    ),
    (
        "https://huggingface.co/org/m",
        {"huggingface.co/api/models/org/m": as_json({"error": "no"}, 401, X_Error_Code="RepoNotFound")},
        ("missing",),
    ),
    (
        "https://huggingface.co/org/m",
        {"huggingface.co/api/models/org/m": as_json({"error": "Invalid credentials"}, 401)},
        ("unsure",),
    ),
    # Zenodo
    (
        "https://zenodo.org/records/10000001",
        {"zenodo.org/api/records/10000001": as_json(ZENODO)},
        ("available",),
    ),
    ("https://doi.org/10.5281/zenodo.7", {"zenodo.org/api/records/7": as_json({}, 410)}, ("missing",)),
    (
        "https://zenodo.org/record/8",
        {"zenodo.org/api/records/8": as_json({"status": 404}, 404)},
        ("missing",),
    ),
    ("https://zenodo.org/record/9", {"zenodo.org/api/records/9": Answer(403)}, ("unsure",)),
    # OSF
    ("https://osf.io/abcde", {"api.osf.io/v2/nodes/abcde/": as_json(OSF)}, ("available",)),
    ("https://osf.io/abcde", {"api.osf.io/v2/nodes/abcde/": as_json({}, 410)}, ("missing",)),
    ("https://osf.io/abcde", {"api.osf.io/v2/nodes/abcde/": as_json({}, 401)}, ("missing",)),
    ("https://osf.io/abcde", {"api.osf.io/v2/guids/abcde/": as_json({"data": {}})}, ("available",)),
    # copies for reviewers
    (
        "https://anonymous.4open.science/r/x-1",
        {"anonymous.4open.science/api/repo/x-1/options": as_json({"download": True})},
        ("available",),
    ),
    (
        "https://anonymous.4open.science/r/x-1/src",
        {"anonymous.4open.science/api/repo/x-1/options": as_json({"error": "repository_expired"}, 410)},
        ("expired",),
    ),
    (
        "https://anonymous.4open.science/r/x-1",
        {"anonymous.4open.science/api/repo/x-1/options": as_json({"error": "repo_not_found"}, 404)},
        ("missing",),
    ),
    (
        "https://anonymous.4open.science/r/x-1",
        {"anonymous.4open.science/api/repo/x-1/options": as_json({"error": "repository_not_ready"}, 425)},
        ("unsure",),
    ),
    (
        "https://anonymous.4open.science/r/x-1",
        {"anonymous.4open.science/api/repo/x-1/options": as_html("<title>One moment</title>")},
        ("challenged",),
    ),
    (
        "https://anonymous.4open.science/r/x-1",
        {"anonymous.4open.science/api/repo/x-1/options": as_json({"url": "https://github.com/o/r"})},
        ("available", "moved", "https://github.com/o/r"),
    ),
    # gists
    (
        "https://gist.github.com/ada/0123456789abcdef",
        {f"gist.github.com/0123456789abcdef.git/{GIT}": git_answer()},
        ("available",),
    ),
    (
        "https://gist.github.com/0123456789abcdef",
        {f"gist.github.com/0123456789abcdef.git/{GIT}": Answer(401)},
        ("missing",),
    ),
    # any page
    ("https://a.org/x", {"a.org/x": as_html("<title>Widgets</title>")}, ("available",)),
    ("https://a.org/x", {}, ("missing",)),
    ("https://a.org/x", {"a.org/x": Answer(410)}, ("missing",)),
    ("https://a.org/x", {"a.org/x": Answer(403)}, ("unsure",)),
    ("https://a.org/x", {"a.org/x": Answer(405)}, ("unsure",)),
    ("https://a.org/x", {"a.org/x": Answer(429)}, ("unsure",)),
    ("https://a.org/x", {"a.org/x": Answer(451)}, ("blocked",)),
    ("https://a.org/x", {"a.org/x": Answer(500)}, ("unsure",)),
    ("https://a.org/x", {"a.org/x": BOT}, ("challenged",)),
    ("https://a.org/x", {"a.org/x": as_html("<title>Attention Required!</title>", 403)}, ("challenged",)),
    ("https://a.org/x", {"a.org/x": Answer(403, headers={"cf-mitigated": "challenge"})}, ("challenged",)),
    (
        "https://a.org/x",
        {"a.org/x": moved_to("https://b.org/y"), "b.org/y": as_html("here")},
        ("available", "moved", "https://b.org/y"),
    ),
    (
        "https://a.org/x",
        {"a.org/x": moved_to("https://b.org/y", 302), "b.org/y": as_html("x")},
        ("available",),
    ),
    (
        "https://a.org/x",
        {"a.org/x": moved_to("https://www.a.org/x/"), "www.a.org/x/": as_html("x")},
        ("available",),
    ),
    (
        "https://a.org/x",
        {"a.org/x": moved_to("https://a.org/"), "a.org/": as_html("front page")},
        ("unsure",),
    ),
    (
        "https://a.org/x",
        {"a.org/x": moved_to("/users/sign_in", 302), "a.org/users/sign_in": as_html("log in")},
        ("unsure",),
    ),
    ("https://a.org/x", {"a.org/x": moved_to("/x")}, ("unsure",)),
    ("https://a.org/x", {"a.org/x": moved_to("http://10.0.0.1/")}, ("unchecked",)),
    (
        "https://a.org/x",
        {"a.org/x": moved_to("https://b.org/"), "b.org/": as_html("our new home")},
        ("available", "moved", "https://b.org"),
    ),
    ("https://a.org/x", {"a.org/x": moved_to("https://b.org/", 302), "b.org/": as_html("x")}, ("unsure",)),
    ("https://a.org/x", {"a.org/x": as_html("<title>404 - Not Found</title>")}, ("unsure",)),
    ("https://a.org/", {"a.org/": as_html("<title>a.org domain name is for sale</title>")}, ("unsure",)),
    (
        "https://doi.org/10.1/x",
        {"doi.org/10.1/x": moved_to("https://b.org/"), "b.org/": as_html("x")},
        ("available",),
    ),
    ("https://github.com/ada", {"github.com/ada": as_html("<title>ada</title>")}, ("available",)),
    ("https://127.0.0.1/x", {}, ("unchecked",)),
]


@pytest.mark.parametrize(("url", "answers", "expected"), CASES)
def test_what_an_answer_means(
    web: Loopback, url: str, answers: dict[str, Answer], expected: tuple[str, ...]
) -> None:
    found = check(web, url, answers)
    assert summary(found) == expected
    assert found.reason or found.outcome == "available"
    assert found.evidence or "private network" in found.reason


def test_facts_of_hosts(web: Loopback) -> None:
    zenodo = check(
        web, "https://zenodo.org/records/10000001", {"zenodo.org/api/records/10000001": as_json(ZENODO)}
    )
    assert zenodo.facts is not None
    assert (zenodo.facts.name, zenodo.facts.latest_release, zenodo.facts.licence) == (
        "o/r: v1.0",
        "v1.0",
        "mit-license",
    )
    assert zenodo.repository == "https://github.com/o/r"
    model = check(web, "https://huggingface.co/org/m", {"huggingface.co/api/models/org/m": as_json(MODEL)})
    assert model.facts is not None
    assert (model.facts.commit, model.facts.stars) == (COMMIT, 1)
    gated = as_json(MODEL | {"gated": "manual"})
    assert (
        "gated"
        in check(web, "https://huggingface.co/org/g", {"huggingface.co/api/models/org/g": gated}).reason
    )
    page = check(web, "https://a.org/x", {"a.org/x": as_html("<title>A &amp; B\n</title>")})
    assert page.facts is not None
    assert page.facts.name == "A & B"


def test_an_address_without_tls_is_asked_without(web: Loopback) -> None:
    web.spoil = lambda asked: Answer(hang_up=True) if len(web.asked) <= TRIES else None
    found = check(web, "https://a.org/x", {"a.org/x": as_html("x")})
    assert (found.outcome, found.evidence[0].url) == ("available", "http://a.org/x")


PAGE = "<title>Sparse Widgets</title><h1>Sparse Widgets at Scale</h1>" + "words on widgets " * 20


@pytest.mark.parametrize(
    ("page", "title", "repository"),
    [
        (PAGE + '<a href="https://github.com/bob/wid"><i></i> Code</a>', "", "https://github.com/bob/wid"),
        (PAGE + '<a href="https://github.com/nerfies/nerfies.github.io">source</a>', "", "https://github.com/ada/widgets"),
        (PAGE + '<a href="https://github.com/big/library">uses this</a>', "", "https://github.com/ada/widgets"),
        (PAGE + '<script>"https://github.com/bob/wid"</script>', "", "https://github.com/ada/widgets"),
        (PAGE, "Sparse Widgets at Scale", "https://github.com/ada/widgets"),
        (PAGE + '<a href="https://github.com/bob/wid">Code</a>', "Dense Gadgets for Everybody", ""),
    ],
    ids=["link", "template", "unrelated", "script", "same-name", "another-paper"],
)  # fmt: skip
def test_the_repository_behind_a_page(web: Loopback, page: str, title: str, repository: str) -> None:
    names = ["bob/wid", "ada/widgets", "big/library", "nerfies/nerfies.github.io"]
    web.rules.append(
        GitHubDouble([Repo(owner=name.split("/")[0], name=name.split("/")[1]) for name in names])
    )
    found = check(web, "https://ada.github.io/widgets", {"ada.github.io/widgets": as_html(page)}, title)
    assert (found.outcome, found.repository) == ("available", repository)
    assert ("does not name this work" in found.reason) == (not repository)


def test_the_repository_behind_a_page_of_its_own_domain(web: Loopback) -> None:
    web.rules.append(GitHubDouble([Repo(owner="bob", name="wid")]))
    page = as_html(PAGE + '<a href="https://github.com/bob/wid">Code</a> <a href="https://x.org/">code</a>')
    found = check(web, "https://widgets.org/", {"widgets.org/": page})
    assert (found.outcome, found.repository) == ("available", "https://github.com/bob/wid")


@pytest.mark.parametrize("token", ["good-token", ""])
def test_a_repository_that_only_holds_the_page_is_not_the_code(web: Loopback, token: str) -> None:
    web.rules.append(GitHubDouble([Repo(owner="ada", name="widgets", language="HTML")]))
    found = check(web, "https://ada.github.io/widgets", {"ada.github.io/widgets": as_html(PAGE)}, token=token)
    assert (found.outcome, found.repository) == ("available", "")


def test_a_page_that_is_gone_may_leave_its_repository(web: Loopback) -> None:
    web.rules.append(GitHubDouble([Repo(owner="ada", name="widgets")]))
    found = check(web, "https://ada.github.io/widgets", {"ada.github.io/widgets": Answer(404)})
    assert (found.outcome, found.repository) == ("missing", "https://github.com/ada/widgets")


def test_a_page_found_by_its_repositorys_homepage_field(web: Loopback) -> None:
    rows = [
        {"full_name": "ada/other", "homepage": ""},
        {"full_name": "ada/w2", "homepage": "https://ada.github.io/w/"},
    ]
    web.rules.append(Table({"api.github.com/users/ada/repos": as_json(rows)}))
    web.rules.append(GitHubDouble([]))
    found = check(web, "https://ada.github.io/w", {"ada.github.io/w": as_html(PAGE)}, token="good-token")
    assert found.repository == "https://github.com/ada/w2"
