"""Web services asked about abstracts: candidates only, verified, and honest about what was not asked."""

from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from loopback import Answer, Asked, Loopback, Rule, as_html, as_json

from bibtools.enrichers.online import OnlineIdentifier
from bibtools.model import Entry, Origin, Text
from bibtools.outcomes import Enrichment, Identification
from bibtools.settings import Settings
from bibtools.sources.web import telling_phrase

ABSTRACT = (
    "We train sparse widgets with a loss that keeps every second spring loose until the last epoch ends. "
    "Earlier factories tightened all springs at once, which broke gears and wasted copper in long runs. "
    "Our schedule needs neither a foreman nor extra memory, and it converges on twelve benchmarks of "
    "mechanical reasoning twice as fast as the strongest baseline known to clockmakers."
)
OTHER = ABSTRACT.replace("widgets", "bananas").replace("spring", "stem")[:180] + (
    " Yet fruit behaves unlike brass: ethylene diffuses, peel darkens, and no ripe one broke a gear. "
    "We therefore measure colour in forty warehouses and predict spoilage from flickering lamps alone."
)
PHRASE = telling_phrase(ABSTRACT)


def work(title: str, abstract: str) -> dict[str, object]:
    """Return a work as OpenAlex has it."""
    index: dict[str, list[int]] = {}
    for place, word in enumerate(abstract.split()):
        index.setdefault(word, []).append(place)
    return {
        "id": f"https://openalex.org/W{len(title)}",
        "title": title,
        "type": "article",
        "publication_date": "2024-07-08",
        "authorships": [{"raw_author_name": "Ada Byron", "author": {"display_name": "Ada Byron"}}],
        "primary_location": {
            "landing_page_url": f"https://example.org/{len(title)}",
            "source": {"display_name": "J. Widg."},
        },
        "abstract_inverted_index": index,
    }


def openalex(*works: dict[str, object]) -> Rule:
    """Return a rule that answers as OpenAlex."""
    page = {"meta": {"count": len(works)}, "results": list(works)}
    return lambda asked: as_json(page) if asked.plain_path == "/works" else None


def arxiv(abstract: str) -> Rule:
    """Return a rule that answers as arXiv, with one preprint."""
    feed = (
        '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom"><entry>'
        "<id>http://arxiv.org/abs/2401.00001v2</id><title>Sparse\n  Widgets</title>"
        f"<published>2024-01-01T18:00:00Z</published><summary>{abstract}</summary>"
        "<author><name>Ada Byron</name></author><author><name>Hal Daumé III</name></author>"
        "<arxiv:comment>Code: https://github.com/o/r</arxiv:comment>"
        '<arxiv:primary_category term="cs.LG"/></entry></feed>'
    )
    headers = {"Content-Type": "application/atom+xml; charset=utf-8"}
    return lambda asked: Answer(200, feed.encode(), headers) if asked.plain_path == "/api/query" else None


def settings_for(web: Loopback, folder: Path, **changes: object) -> Settings:
    """Return settings that lead to the server."""
    urls = {name: f"{web.base}/{name}" for name in ("openalex", "arxiv")}
    return Settings(urls=urls, cache_folder=str(folder), **changes)  # type: ignore[arg-type]


def ask(settings: Settings, *abstracts: str) -> list[Enrichment]:
    """Return what asking about these abstracts gives."""
    entries = [
        Entry(
            abstract=Text(text), origin=Origin("list.txt", 5), identification=Identification("unidentified")
        )
        for text in abstracts
    ]
    return list(OnlineIdentifier(settings).enrich(entries))


def test_work_is_named_when_its_abstract_agrees(web: Loopback, tmp_path: Path) -> None:
    web.rules.append(openalex(work("Bananas", OTHER), work("Sparse Widgets", ABSTRACT)))
    (found,) = ask(settings_for(web, tmp_path), ABSTRACT)
    verdict = found.changes["identification"]
    assert verdict.outcome == "identified"
    assert str(found.changes["title"]) == "Sparse Widgets"
    assert found.changes["ids"] == {"openalex": "W14"}
    assert verdict.sources["title"].source == "https://api.openalex.org"
    assert verdict.candidates[0].catalogue == "OpenAlex"
    assert len(web.asked) == 1


def test_services_word_alone_names_nothing(web: Loopback, tmp_path: Path) -> None:
    web.rules += [openalex(work("Bananas", OTHER)), arxiv(OTHER)]
    (found,) = ask(settings_for(web, tmp_path), ABSTRACT)
    verdict = found.changes["identification"]
    assert (verdict.outcome, set(found.changes)) == ("unidentified", {"identification"})
    assert verdict.reason == "OpenAlex has no abstract that agrees; arXiv has no abstract that agrees"
    assert found.problems == ()


def test_arxiv_is_asked_where_openalex_knows_nothing(web: Loopback, tmp_path: Path) -> None:
    web.rules += [openalex(), arxiv(ABSTRACT)]
    (found,) = ask(settings_for(web, tmp_path), ABSTRACT)
    assert found.changes["ids"] == {"arxiv": "2401.00001"}
    assert [person.family for person in found.changes["author"]] == ["Byron", "Daumé"]
    assert found.changes["issued"].start == (2024, 1, 1)
    assert [link.url for link in found.changes["links"]] == ["https://github.com/o/r"]


def test_what_is_sent(web: Loopback, tmp_path: Path) -> None:
    web.rules += [openalex(), arxiv(OTHER)]
    ask(settings_for(web, tmp_path), ABSTRACT)
    first, second = web.asked
    assert parse_qs(urlsplit(first.path).query)["search"] == [f'"{PHRASE}"']
    assert unquote(urlsplit(second.path).query).startswith(f'search_query=abs:"{PHRASE}"&')
    assert "authorization" not in first.headers


def test_with_a_key_openalex_gets_the_abstract_and_nobody_else_the_key(web: Loopback, tmp_path: Path) -> None:
    web.rules += [openalex(), arxiv(OTHER)]
    ask(settings_for(web, tmp_path, openalex_key="secret"), ABSTRACT * 20)
    first, second = web.asked
    (sent,) = parse_qs(urlsplit(first.path).query)["search.semantic"]
    assert ABSTRACT.startswith(sent[:300])
    assert len(first.path) < 4_000
    assert first.headers["authorization"] == "Bearer secret"
    assert "secret" not in first.path
    assert "authorization" not in second.headers


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (as_html("<!DOCTYPE html><p>are you human?"), "a web page came"),
        (as_json({"error": "no key"}, 403), "refused"),
        (as_json([1, 2]), "a web page came"),
        (Answer(200, b'{"results": 5}'), "has not its shape"),
    ],
)
def test_service_that_cannot_be_asked_is_a_problem_not_an_answer(
    web: Loopback, tmp_path: Path, answer: Answer, reason: str
) -> None:
    def refuse(asked: Asked) -> Answer | None:
        return answer if asked.plain_path == "/works" else None

    web.rules += [refuse, arxiv(OTHER)]
    (found,) = ask(settings_for(web, tmp_path), ABSTRACT)
    (problem,) = found.problems
    assert (problem.code, str(problem.location), problem.lost) == ("not-asked", "list.txt:5", False)
    assert reason in problem.message
    assert reason in found.changes["identification"].reason
    assert found.changes["identification"].outcome == "unidentified"


def test_refusing_service_is_not_asked_again(web: Loopback, tmp_path: Path) -> None:
    def refuse(asked: Asked) -> Answer:
        return as_json({"error": "no"}, 401)

    web.rules.append(refuse)
    first, second = ask(settings_for(web, tmp_path), ABSTRACT, OTHER)
    assert len(web.asked) == 2
    assert (len(first.problems), second.problems) == (2, ())
    assert "could not be asked" in second.changes["identification"].reason


def test_offline_asks_nobody_and_says_so(web: Loopback, tmp_path: Path) -> None:
    (found,) = ask(settings_for(web, tmp_path, offline=True), ABSTRACT)
    assert not web.asked
    assert [problem.code for problem in found.problems] == ["not-asked", "not-asked"]


def test_only_open_questions_are_asked(web: Loopback, tmp_path: Path) -> None:
    entries = [
        Entry(abstract=Text(ABSTRACT), identification=Identification("identified")),
        Entry(abstract=Text(ABSTRACT), identification=Identification("contradicted")),
        Entry(abstract=Text(ABSTRACT), claim="none"),
        Entry(title=Text("A title")),
    ]
    found = list(OnlineIdentifier(settings_for(web, tmp_path)).enrich(entries))
    assert found == [Enrichment()] * 4
    assert not web.asked


def test_errors_that_arxiv_gives_as_entries(web: Loopback, tmp_path: Path) -> None:
    feed = (
        '<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>http://arxiv.org/api/errors#x</id>'
        "<title>Error</title><summary>malformed query</summary></entry></feed>"
    )

    def refuse(asked: Asked) -> Answer | None:
        return Answer(200, feed.encode()) if asked.plain_path == "/api/query" else None

    web.rules += [openalex(), refuse]
    (found,) = ask(settings_for(web, tmp_path), ABSTRACT)
    assert "arXiv says: malformed query" in found.problems[0].message


@pytest.mark.parametrize(
    ("abstract", "phrase"),
    [
        ("Short one.", ""),
        ("$x$-well, no-runs: of (plain) words; here.", ""),
        ("All of these plain words are one run", "All of these plain words are one run"),
    ],
)
def test_telling_phrase(abstract: str, phrase: str) -> None:
    assert telling_phrase(abstract) == phrase
