"""Cases taken from other programs' own tests, compared more strictly than their score does.

The cases lie beside the project and are not part of it; without them these tests are skipped. Their
score forgives letter case, mark-up and the order of a name's parts; here these are compared too, as
fields with a `!` (see `strict`). What still differs is listed with its reason in
`data/conformance/known.tsv`, a ratchet: a listed field that has come right fails as well, so that
the list only ever tells the truth.
"""

import io
import json
import re
import sys
import unicodedata
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from bibtools.formats import get_format
from bibtools.readers.decode import decode

Record = dict[str, Any]

CASES = Path(__file__).parents[2] / "shared" / "corpora" / "conformance"
KNOWN = Path(__file__).parent / "data" / "conformance" / "known.tsv"
FORMATS = {"bib": "bibtex", "ris": "ris", "json": "csljson"}
CHAINS = {
    "bib2csl": ("bib", "json"),
    "ris2csl": ("ris", "json"),
    "csl2bib2csl": ("json", "bib", "json"),
    "csl2ris2csl": ("json", "ris", "json"),
}
TEXTS = ("title", "container-title", "collection-title")
OTHER_TEXTS = ("publisher", "publisher-place", "abstract")
NAMES = ("author", "editor", "translator")
PARTS = ("family", "given", "suffix", "literal")
QUOTES = str.maketrans(dict.fromkeys("‘’‚`´", "'") | dict.fromkeys("“”„«»", '"'))
RECASING = ("pandoc", "citation-js")
"""Origins whose expected titles are in sentence case; the source's own letter case is right there."""


@cache
def scorer() -> ModuleType:
    """Return the cases' own scoring program as a module."""
    sys.path.insert(0, str(CASES))
    try:
        return import_module("score")
    finally:
        sys.path.remove(str(CASES))


def load(name: str) -> dict[str, Any]:
    """Return one of the cases' JSON files; nothing where there are no cases."""
    path = CASES / name
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def known() -> dict[tuple[str, str], set[tuple[int, str]]]:
    """Return by direction and case the record numbers and fields that are known to differ."""
    listed: dict[tuple[str, str], set[tuple[int, str]]] = {}
    for line in KNOWN.read_text(encoding="utf-8").splitlines()[1:]:
        direction, case, record, field, _ = line.split("\t")
        listed.setdefault((direction, case), set()).add((int(record), field))
    return listed


def convert(data: bytes, chain: tuple[str, ...]) -> list[Record]:
    """Return the records that come out when the input is written in each further format of the chain."""
    text = decode(data, "case").text
    for source, target in pairwise(chain):
        library = get_format(FORMATS[source]).read(text, "case")
        stream = io.StringIO(newline="")
        report = get_format(FORMATS[target]).write(library, stream)
        assert report.count == len(library.entries)
        text = decode(stream.getvalue().encode(), "case").text
    records: list[Record] = json.loads(text)
    return records


def bare(value: object) -> str:
    """Return text with its letter case and words only: no mark-up, one kind of quotation mark and blank."""
    return even(re.sub(r"</?(?:span|i|b|sub|sup)\b[^<>]*>|[{}$]", "", str(value or "")))


def even(text: str) -> str:
    """Return text with one kind of quotation mark, hyphen and blank."""
    text = unicodedata.normalize("NFKC", text).translate(QUOTES).replace("''", '"')
    return " ".join(re.sub(r"[‐‑–—−]|--+", "-", text).split()).rstrip(".")


def guarded(text: object) -> list[str]:
    """Return the stretches of a title whose letter case is protected."""
    return re.findall(r'<span class="nocase">(.*?)</span>', str(text or ""))


def unguarded(text: object) -> str:
    """Return a title without the protection of letter case."""
    text = re.sub(r'<span class="nocase">(.*?)</span>', r"\1", str(text or ""))
    return re.sub(r"<sc>(.*?)</sc>", r'<span style="font-variant:small-caps;">\1</span>', text)


def same_markup(expected: str, got: object) -> bool:
    """Compare all mark-up; a writer may protect more capitals than the source did, never fewer."""
    kept = " ".join(guarded(got))
    return unguarded(expected) == unguarded(got) and all(piece in kept for piece in guarded(expected))


def marks(text: object) -> list[str]:
    """Return a text's formulas and what is italic, bold, small, raised or lowered in it, case folded."""
    found = re.findall(r"<(i|b|sub|sup|span style[^>]*)>(.*?)</|(\$[^$]+\$)", unguarded(text))
    return [even(" ".join(part for part in parts if part)).casefold() for parts in found]


def braced(source: str) -> set[str]:
    """Return the words that a BibTeX source has only in braces of their own, which protect their capitals."""
    protected = re.compile(r"(?<![=\s]\s)(?<=[\s{-])\{([A-Z][A-Za-z]*)\}(?=[\s}:,-])")
    return set(protected.findall(source)) - set(words(protected.sub("", source)))


def unprotected(title: str, source: str) -> set[str]:
    """Return the words of a title that braces protect in the source and nothing protects in it."""
    free = re.sub(r'<span class="nocase">.*?</span>|<[^>]+>|\$[^$]*\$', "|", title)
    return braced(source) & set(words(free))


def words(text: str) -> list[str]:
    """Return the words of a text as they are spelled."""
    return re.findall(r"[^\W\d_]+", text)


def same_text(origin: str, expected: str, got: object, source: str) -> bool:
    """Compare mark-up and letter case; where the origin changes case, with the source, whose words must stay.

    Words that the source spells with TeX or in another script's code are left to the scorer. Pandoc's
    expectations have no mark-up but formulas.
    """
    if marks(expected) != (
        marks(got) if origin != "pandoc" else [mark for mark in marks(got) if "$" in mark]
    ):
        return False
    if origin in RECASING:
        if unprotected(str(got), source):
            return False
        spelled = set(words(source))
        folded = {word.casefold() for word in spelled}
        return all(word in spelled for word in words(bare(got)) if word.casefold() in folded)
    return bare(expected) == bare(got)


def name(record: Record, joined: bool) -> Record:
    """Return a name's parts in one form: particles of one kind, or `joined` to the family name."""
    parts = {part: " ".join(str(record[part]).split()) for part in PARTS if record.get(part)}
    particle = record.get("non-dropping-particle") or record.get("dropping-particle")
    if particle and joined:
        parts["family"] = f"{particle} {parts.get('family', '')}".strip()
    elif particle:
        parts["particle"] = particle
    return {"literal": parts["family"]} if list(parts) == ["family"] else parts


def strict(origin: str, expected: Record, got: Record, source: str, chain: tuple[str, ...]) -> Iterator[str]:
    """Yield the fields that differ where the scorer forgives: mark-up and letter case, parts of names.

    Args:
        origin: the program that the case comes from.
        expected: the record as it should be.
        got: the record as it came out.
        source: the case's input.
        chain: the formats gone through. From CSL-JSON all mark-up must come back as it was; RIS has no
            place for particles, so that they may come back in the family name.
    """
    exact = chain[0] == "json"
    joined = "ris" in chain
    for field in TEXTS:
        if field in expected:
            given = got.get(field)
            if exact:
                same = same_markup(expected[field], given)
            else:
                same = same_text(origin, expected[field], given, source)
            if not same:
                yield f"{field}!"
    for field in OTHER_TEXTS:
        if field in expected and bare(expected[field]) != bare(got.get(field)):
            yield f"{field}!"
    for field in NAMES:
        if field in expected:
            given = got.get(field, [])
            if [name(person, joined) for person in expected[field]] != [
                name(person, joined) for person in given
            ]:
                yield f"{field}!"
            if any("others" in person.values() for person in given):
                yield f"{field} others!"


def cut_lists(source: str, records: list[Record]) -> tuple[int, int]:
    """Return how many name lists a BibTeX source cuts off (`and others`), and how many the records say."""
    told = sum(len(record.get("custom", {}).get("truncated", ())) for record in records)
    return len(re.findall(r"\band\s+others\s*[}\"]", source)), told


def differences(direction: str, case: str, facts: Record) -> set[tuple[int, str]]:
    """Return the record numbers and fields of a case that do not come out as they should."""
    chain = CHAINS[direction]
    base, suffix = case.rsplit(".", 1)
    data = (CASES / facts["dir"] / f"{base}.in.{suffix}").read_bytes()
    expected = json.loads((CASES / facts["dir"] / f"{base}.expect.json").read_text(encoding="utf-8"))
    records = convert(data, chain)
    assert len(records) == len(expected)
    score = scorer()
    for middle in chain[1:-1]:
        expected = [score.through(record, middle) for record in expected]
    found: set[tuple[int, str]] = set()
    source = decode(data, case).text
    if direction == "bib2csl":
        cut, told = cut_lists(source, records)
        assert cut == told
    for number, (want, got) in enumerate(zip(expected, score.C.align(expected, records), strict=True)):
        assert not score.C.csl_problems(got)
        wrong = [field for field, right, _, _ in score.C.compare(want, got) if not right]
        wrong += [
            field
            for field in strict(facts["origin"], want, got, source, chain)
            if field.rstrip("!") not in wrong
        ]
        found |= {(number, field) for field in wrong}
    if len(chain) == 2:
        found -= {(number, field) for number, field in load("contested.json").get(case, [])}
    return found


MANIFEST = load("manifest.json")
KNOWN_DIFFERENCES = known()
RUNS = [
    (direction, case)
    for direction, chain in CHAINS.items()
    for case in sorted(MANIFEST)
    if case.endswith(f".{chain[0]}")
]


@pytest.mark.skipif(not RUNS, reason="the conformance cases are not beside the project")
@pytest.mark.parametrize(("direction", "case"), RUNS or [("", "")])
def test_case_comes_out_as_expected(direction: str, case: str) -> None:
    """Every field but the listed ones, and none of the listed ones, comes out as expected."""
    found = differences(direction, case, MANIFEST[case])
    assert found == KNOWN_DIFFERENCES.get((direction, case), set())


@pytest.mark.skipif(not RUNS, reason="the conformance cases are not beside the project")
def test_known_differences_name_cases_that_exist() -> None:
    """The list holds no case that is gone."""
    assert set(KNOWN_DIFFERENCES) <= set(RUNS)
