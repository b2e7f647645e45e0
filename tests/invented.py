"""Invented works with abstracts of invented words, the same on every run: for tests of catalogues."""

from random import Random
from typing import Any

from bibtools.model import Contributor, Entry, PartialDate, Text

SYLLABLES = (
    "ba",
    "ce",
    "di",
    "fo",
    "gu",
    "ha",
    "je",
    "ki",
    "lo",
    "mu",
    "na",
    "pe",
    "qui",
    "ro",
    "su",
    "ta",
    "ve",
    "wi",
)
LINKING = ("the", "of", "and", "in", "with", "for", "we", "that", "to", "a", "by", "on")


def invented_word(random: Random) -> str:
    """Return a word of two to four syllables."""
    return "".join(random.choice(SYLLABLES) for _ in range(random.randint(3, 5)))


def invented_sentence(random: Random) -> str:
    """Return a sentence of a dozen content words among linking words."""
    words = []
    for _ in range(random.randint(10, 14)):
        words += [random.choice(LINKING), invented_word(random)]
    return f"{' '.join(words).capitalize()}."


def invented_abstract(seed: int, sentences: int = 7) -> str:
    """Return an abstract; each seed gives another."""
    random = Random(seed)
    return " ".join(invented_sentence(random) for _ in range(sentences))


def invented_work(seed: int, **changes: Any) -> Entry:
    """Return a work with all that catalogues keep, and its abstract."""
    random = Random(f"work {seed}")
    work = Entry(
        type="paper-conference",
        title=Text(" ".join(invented_word(random).capitalize() for _ in range(6))),
        author=(Contributor(family=f"Family{seed}", given="Ada"), Contributor(family="Common", given="Bo")),
        abstract=Text(invented_abstract(seed)),
        container_title=Text("Proceedings of the Conference on Kelp"),
        issued=PartialDate(start=(2024, 7, 1)),
        volume="12",
        page=f"{seed * 10 + 1}-{seed * 10 + 9}",
        doi=f"10.1000/kelp.{seed}",
        ids={"pmlr": f"v12/family24{seed}"},
    )
    return work.replace(**changes)


def reworded(text: str, share: float, seed: int = 1) -> str:
    """Return a text with its sentences in another order and this share of its words left out."""
    random = Random(seed)
    sentences = text.split(". ")
    random.shuffle(sentences)
    return " ".join(word for word in ". ".join(sentences).split() if random.random() > share)
