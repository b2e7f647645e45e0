"""Whether a sentence says that the work's own code can be had: in English by rule, in other languages by table.

A sentence comes in lower case, with addresses replaced by `ADDRESS`. Talk about code (error-correcting codes,
code generation, the code of others, what would be possible if there were code) and refusals do not count.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from bibtools.tables import read_table

ADDRESS = "\ufffc"
"""Stands for an address in the sentences that the patterns read."""

NOUN = re.compile(
    r"\b(?:source[ -]?codes?|codes?(?:[ -]?bases?)?|implementations?|software|scripts|(?<=\bthe )source|(?<=\bour )source"
    r"|(?:open[ -]?source|software|python|pytorch|r|julia|matlab|github) (?:[\w+-]+ ){0,3}"
    r"(?:packages?|toolbox|toolkit|library|framework|platform|tools?|simulator|repository|repo))\b"
)
"""What a work's code is called."""
AFTER_NOUN = re.compile(
    r"\s*(?:\Z|[.,;:)\]/&+(|'’\"”"
    + ADDRESS
    + r"]|[-–—](?!\w)|(?:accompanying|along|also|and|are|as|at|available|base|by|can"
    r"|coming|could|currently|for|freely|from|fully|had|has|have|here|hosted|if|implementing|in|including|is|it|its|link"
    r"|links|may|now|of (?!conduct|practice|ethics)|on|online|open|or|our|package|plus|public|publicly|release|released"
    r"|releases|repo|repositories|repository|reproducing|shall|shared|soon|that|the|there|through|to|together|under|upon"
    r"|used|via|was|we|were|which|will|with|would|written|after|once|both|accepted|all)\b)"
)
"""What follows the noun where it is not itself the mark of another (`code generation`, `code-mixed`)."""
FOREIGN_BEFORE = re.compile(
    r"\b(?:correct(?:ing|ion|able)|detecting|channel|morse|binary|machine|assembly|malicious|legacy|generated|genetic|zip"
    r"|postal|area|qr|dress|building|penal|civil|tax|ldpc|polar|turbo|linear|cyclic|hamming|quantum|surface|stabili[sz]er"
    r"|error|block|hash|latent|sparse|neural|discrete|huffman|gray|low-level|high-level|byte|executable|vulnerable|buggy"
    r"|human-written|synthetic|program|natural|commercial|existing|proprietary|third-party|off-the-shelf|their|others'"
    r"|of|writ(?:e|es|ing|ten)|generat(?:e|es|ing)|understand\w*|runs?|execut\w+|edit\w*|debug\w*|between|from|into|on|over"
    r"|via|using|in|by|such as|like|only|visual|medical|icd|billing|country|country's)[ -]+\Z"
)
"""What stands before the noun where the code is not that of the work."""
CODE_SETS = re.compile(
    r"error[- ](?:correct|detect)|code ?words?\b|\bldpc|reed[- ](?:solomon|muller)|channel coding|\b(?:block|linear|cyclic|polar"
    r"|turbo|hamming|quantum|convolutional|stabili[sz]er|sparse|latent|hash|morse|genetic|icd)[- ]codes?\b|minimum distance"
)
"""A text about codes in the sense of coding theory, where `codes` are its subject."""
OWN_DETERMINER = re.compile(r"\b(?:our|source|computer|training|the accompanying)[ -]+\Z")
RELEASED = (
    r"(?:available|released?|public(?:ly)?|open[- ]?sourced?|published|provided|shared|found|accessible|accessed|downloaded"
    r"|uploaded|hosted|disclosed|obtained|included|online|attached|distributed|posted|on (?:our )?(?:github|gitlab|project"
    r"|web)|in the (?:online )?(?:supplement|appendi|suppl\.|zip)|at (?:our|the) project|as supplementa|free)"
)
SAID_AFTER = re.compile(
    rf"[^.;]{{0,160}}?\b(?:is|are|was|were|be|been|being|made)\b[^.;]{{0,80}}?\b{RELEASED}\b"
    rf"|(?:\s*\([^)]{{0,60}}\))?[\s,:–—-]*(?:(?:and|&|,|/)\s*[\w -]{{1,60}}?)?[\s,:–—-]*"
    rf"(?:to be |made |freely |publicly |openly |now |soon |can be )*(?:{RELEASED}\b|coming soon|(?:up)?on (?:acceptance"
    rf"|publication|request|github)|after (?:acceptance|publication|the review|review))"
)
"""The release said after the noun: `code … will be released`, `code available`, `code upon acceptance`."""
GIVING = re.compile(
    r"\b(?:we|authors|i|and|to|also)\s[^.;]{0,100}?\b(?P<verb>releas(?:e|es|ing)|shar(?:e|es|ing)|publish(?:es|ing)?|provid(?:e|es|ing)"
    r"|open[- ]?sourc(?:e|es|ing)|mak(?:e|es|ing)|upload(?:s|ing)?|distribut(?:e|es|ing)|disclos(?:e|es|ing)|attach|includ(?:e|ing))"
    r"\b(?P<between>[^.;]{0,100})\Z"
)
"""The release said before the noun: `we will release our code`."""
MADE_OPEN = re.compile(r"[^.;]{0,100}?\b(?:available|public|accessible|open)")
IS_OPEN_SOURCE = re.compile(
    r"\b(?:our|the|this)\s(?:[\w-]+\s){0,4}?(?:framework|tool|toolkit|toolbox|library|package|system|simulator|platform|project"
    r"|method|pipeline|algorithm|implementation|repository)s?\s(?:[\w-]+\s){0,2}?(?:is|are|will be|has been|have been)\s"
    r"(?:\w+\s){0,2}?open[- ]?sourced?(?=\s*(?:\Z|[.,;:)"
    + ADDRESS
    + r"]|(?:and|at|on|under|upon|in|via|with)\b))"
)
DENIED = re.compile(
    r"\b(?:not|cannot|never|neither|nor|unable|without|no|none|lack\w*|unavailable|rarely|seldom|hardly|refuse|few|withh\w+"
    r"|instead of|rather than)\b|n['’]t\b"
)
SUPPOSED = re.compile(
    r"\b(?:if|when|whether|whose|unless|assum\w+|requir\w+|for which|given that|as long as|even though|despite|once)\b"
)
OF_OTHERS = re.compile(
    r"\b(?:prior|previous|existing|others|others'|their|competing|most|many|some|several|papers|students|developers|programmers)\b"
)
CLAUSE_START = re.compile(r".*(?:[,;:(—–]|\b(?:but|while|although|though|and)\b)\s*", re.DOTALL)


class Speech(NamedTuple):
    """How one language says it: a row of `tables/code_talk.tsv`."""

    noun: re.Pattern[str]
    released: re.Pattern[str]
    denied: re.Pattern[str]


@cache
def _languages() -> tuple[Speech, ...]:
    """Return the languages other than English."""
    rows = read_table("code_talk")
    return tuple(Speech(*(re.compile(row[name]) for name in ("noun", "released", "denied"))) for row in rows)


def names_code(words: str, coding_theory: bool = False) -> bool:
    """Return whether the words before or after an address name the work's code, so that it leads there."""
    if any(not DENIED.search(words[: noun.start()]) for noun in _own_code(words, coding_theory)):
        return True
    return any(speech.noun.search(words) and not speech.denied.search(words) for speech in _languages())


def promises_code(sentence: str, coding_theory: bool = False) -> bool:
    """Return whether the sentence says that the work's code is or will be available."""
    if any(_is_released(sentence, noun) for noun in _own_code(sentence, coding_theory)):
        return True
    if IS_OPEN_SOURCE.search(sentence) and not DENIED.search(sentence):
        return True
    return any(
        speech.noun.search(sentence)
        and speech.released.search(sentence)
        and not speech.denied.search(sentence)
        for speech in _languages()
    )


def _own_code(sentence: str, coding_theory: bool) -> Iterator[re.Match[str]]:
    """Yield each place where the sentence names code that may be the work's own."""
    for noun in NOUN.finditer(sentence):
        before = sentence[max(0, noun.start() - 60) : noun.start()]
        if not AFTER_NOUN.match(sentence, noun.end()) or FOREIGN_BEFORE.search(before):
            continue
        if coding_theory and noun[0].startswith("code") and not OWN_DETERMINER.search(before):
            continue
        yield noun


def _is_released(sentence: str, noun: re.Match[str]) -> bool:
    """Return whether the sentence says of this code that it can be had."""
    before, after = sentence[: noun.start()], sentence[noun.end() :]
    said = SAID_AFTER.match(after)
    if said:
        start = CLAUSE_START.match(before)
        clause = before[start.end() if start else 0 :]
        subject = clause + said[0]
        if not any(pattern.search(subject) for pattern in (DENIED, OF_OTHERS)) and not SUPPOSED.search(
            before
        ):
            return True
    given = GIVING.search(before)
    if not given or DENIED.search(given[0]) or SUPPOSED.search(before) or OF_OTHERS.search(given["between"]):
        return False
    if given["verb"].startswith("mak"):
        return bool(MADE_OPEN.match(after))
    if given["verb"].startswith(("provid", "includ", "attach")) and noun[0].startswith(("impl", "soft")):
        return bool(
            re.search(r"\b(?:open|public|reference|pytorch|jax|tensorflow|python|source)", given["between"])
        )
    return True
