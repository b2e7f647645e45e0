"""Whether a sentence says that the work's own code can be had: in English by rule, else by table.

A sentence comes in lower case, with addresses replaced by `ADDRESS`. Talk about code (error-correcting codes,
code generation, the code of others, what would be possible if there were code) and refusals do not count.
"""

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import NamedTuple

from bibtools.tables import read_table
from bibtools.text.patterns import LazyPattern

ADDRESS = "\ufffc"
"""Stands for an address in the sentences that the patterns read."""

HINTS = (
    "cod",
    "impl",
    "softw",
    "script",
    "sourc",
    "packag",
    "librar",
    "tool",
    "frame",
    "platf",
    "simul",
    "repo",
)
"""What every sentence about code in Latin letters has in it: a quick test before the patterns."""
OTHER_HINTS = (
    "cód",
    "quelltext",
    "код",
    "реализ",
    "代",
    "源",
    "程式",
    "原始",
    "コード",
    "ソース",
    "実装",
    "코드",
    "소스",
)
MOST_NOUNS = 20
"""How often the code of one sentence is looked at; more is no sentence."""
REACH = 240
"""Characters before the noun that are looked at."""

NOUN = LazyPattern(
    r"\b(?:(?:open[ -]?source|software|python|pytorch|r|julia|matlab|github) (?:[\w+-]+ ){0,3}?"
    r"(?:packages?|toolbox|toolkit|library|framework|platform|tools?|simulator|stack|repository|repo)"
    r"|source[ -]?codes?|codes?(?:[ -]?bases?)?|implementations?|software|scripts"
    r"|(?<=\bthe )source|(?<=\bour )source)\b"
)
"""What a work's code is called."""
AFTER_NOUN = LazyPattern(
    r"\s*(?:\Z|[.,;:=()\[\]/&+|'’\"”"
    + ADDRESS
    + r"]|[-–—](?!\w)|(?:accepted|accompanying|after|all|along|also"
    r"|and|are|as|at|available|base|based|both|by|can|coming|could|currently|for|freely|from|fully|had|has|have|here"
    r"|hosted|if|implementing|in|including|is|it|its|link|links|may|now|of (?!conduct|practice|ethics)|on"
    r"|once|online|open|or|our|package|plus|public|publicly|release|released|releases|repo|repositories|repository"
    r"|reproducing|shall|shared|soon|that|the|there|through|to|together|under|upon|used|via|was|we|were|which"
    r"|will|with|would|written)\b)"
)
"""What follows the noun where it is not itself the mark of another (`code generation`, `code-mixed`)."""
FOREIGN_BEFORE = LazyPattern(
    r"\b(?:correct(?:ing|ion|able)|detecting|channel|morse|bar|binary|machine|assembly|malicious|legacy|generated"
    r"|genetic|population|hard|zip|postal|area|qr|dress|building|penal|civil|tax|ldpc|polar|turbo|linear|cyclic|hamming|quantum"
    r"|surface|stabili[sz]er|error|block|hash|latent|sparse|neural|discrete|huffman|gray|low-level|high-level"
    r"|byte|executable|vulnerable|buggy|human-written|synthetic|program|natural|visual|medical|icd|billing"
    r"|country|commercial|existing|proprietary|third-party|off-the-shelf|their|others'|of|only|between|from|into"
    r"|on|over|via|using|in|by|such as|like|writ(?:e|es|ing|ten)|generat(?:e|es|ing)|understand\w*|runs?"
    r"|execut\w+|edit\w*|debug\w*)[ -]+\Z"
)
"""What stands before the noun where the code is not that of the work."""
CODE_SETS = LazyPattern(
    r"error[- ](?:correct|detect)|code ?words?\b|\bldpc|reed[- ](?:solomon|muller)|channel coding"
    r"|minimum distance"
    r"|\b(?:block|linear|cyclic|polar|turbo|hamming|quantum|convolutional|stabili[sz]er|sparse"
    r"|latent|hash|morse|genetic|icd)[- ]codes?\b"
)
"""A text about codes in the sense of coding theory, where `codes` are its subject."""
OWN_DETERMINER = LazyPattern(r"\b(?:our|source|computer|training|the accompanying)[ -]+\Z")

RELEASED = (
    r"(?:available|released?|public(?:ly)?|open[- ]?sourced?|published|provided|shared|found|accessible"
    r"|accessed|downloaded|uploaded|hosted|disclosed|obtained|included|online|attached|distributed|posted|free"
    r"|on (?:our |the )?(?:github|gitlab|project|web|page|site)|at (?:our|the) project|as supplementa\w+"
    r"|in the (?:online )?(?:supplement\w*|appendi\w+|zip))"
)
READY = (
    r"(?:available|released|public|open[- ]?sourced?|provided|online|attached|included|in the supplement\w*)"
)
"""What may stand right after the noun, without a verb."""
SAID_OF_IT = LazyPattern(
    rf"[^.;]{{0,160}}?\b(?:is|are|was|were|be|been|being|made)\b"
    rf"(?:(?!\bto\b)[^.;]){{0,60}}?\b{RELEASED}\b"
    r"|(?:\s*\([^)]{0,60}\))?[\s,:–—-]*(?:(?:and|&|,|/)\s*[\w -]{1,60}?)?[\s,:–—-]*"
    rf"(?:to be |made |freely |publicly |openly |now |soon |can be )*(?:{READY}\b|coming soon"
    r"|(?:up)?on (?:acceptance|publication|request|github)|after (?:acceptance|publication|(?:the )?review))"
)
"""The release said after the noun: `code … will be released`, `code available`, `code upon acceptance`."""
GIVING = LazyPattern(
    r"\b(?:we|the authors|i|and|to|also)\s[^.;]{0,100}?\b(?P<verb>releas(?:e|es|ing)|shar(?:e|es|ing)"
    r"|publish(?:es|ing)?|provid(?:e|es|ing)|mak(?:e|es|ing)|upload(?:s|ing)?|distribut(?:e|es|ing)"
    r"|disclos(?:e|es|ing)|attach|includ(?:e|ing)"
    r"|(?:(?<=we )|(?<=will )|(?<=to )|(?<=and )|(?<=also )|(?<=ly ))open[- ]?sourc(?:e|es|ing))"
    r"\b(?P<between>[^.;]{0,100})\Z"
)
"""The release said before the noun: `we will release our code`."""
MADE_OPEN = LazyPattern(r"[^.;]{0,100}?\b(?:available|public|accessible|open)")
TO_HAVE = LazyPattern(r"\b(?:open|public|reference|pytorch|jax|tensorflow|python|source)")
"""What tells an implementation for others from one as such, where it is only `provided`."""
IS_OPEN_SOURCE = LazyPattern(
    r"\b(?:our|the|this)\s(?:[\w-]+\s){0,4}?(?:framework|tool|toolkit|toolbox|library|package|system|simulator"
    r"|platform|project|method|pipeline|algorithm|implementation|repository)s?\s(?:[\w-]+\s){0,2}?"
    r"(?:is|are|will be|has been|have been)\s(?:\w+\s){0,2}?open[- ]?sourced?"
    r"(?=\s*(?:\Z|[.,;:)" + ADDRESS + r"]|(?:and|at|on|under|upon|in|via|with)\b))"
)
DENIED = LazyPattern(
    r"\b(?:not|cannot|never|neither|nor|unable|without|no|none|lack\w*|unavailable|rarely|seldom|hardly|refuse|few"
    r"|withh\w+|instead of|rather than)\b|n['’]t\b"
)
DENIED_AFTER = LazyPattern(
    r"[^.,;:]{0,80}?\b(?:not|never|unavailable|rarely|seldom|nor)\b|[^.,;:]{0,40}?n['’]t\b"
)
SUPPOSED = LazyPattern(
    r"\b(?:if|when|whether|whose|unless|assum\w+|requir\w+|for which|given that|as long as|even though"
    r"|despite|once)\b"
)
OF_OTHERS = LazyPattern(
    r"\b(?:prior|previous|existing|others|others'|their|competing|most|many|some|several|papers|students"
    r"|developers|programmers)\b"
)
CLAUSE_BREAK = LazyPattern(r"[,;:(—–]|\b(?:but|while|although|though|and)\b")


class Speech(NamedTuple):
    """How one language says it: a row of `tables/code_talk.tsv`."""

    noun: LazyPattern
    released: LazyPattern
    denied: LazyPattern


@cache
def _languages() -> tuple[Speech, ...]:
    """Return the languages other than English."""
    rows = read_table("code_talk")
    return tuple(Speech(*(LazyPattern(row[name]) for name in ("noun", "released", "denied"))) for row in rows)


def names_code(words: str, coding_theory: bool = False) -> bool:
    """Return whether the words before or after an address name the work's code, so that it leads there."""
    if not mentions_code(words):
        return False
    for noun in _own_code(words, coding_theory):
        if not DENIED.search(words[: noun.start()]) and not DENIED_AFTER.match(words, noun.end()):
            return True
    return any(speech.noun.search(words) and not speech.denied.search(words) for speech in _languages())


def promises_code(sentence: str, coding_theory: bool = False) -> bool:
    """Return whether the sentence says that the work's code is or will be available."""
    if not mentions_code(sentence):
        return False
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


def mentions_code(words: str) -> bool:
    """Return whether the words can be about code at all."""
    return any(hint in words for hint in HINTS) or (
        not words.isascii() and any(hint in words for hint in OTHER_HINTS)
    )


def _own_code(sentence: str, coding_theory: bool) -> Iterator[re.Match[str]]:
    """Yield each place where the sentence names code that may be the work's own."""
    for noun in islice(NOUN.finditer(sentence), MOST_NOUNS):
        before = sentence[max(0, noun.start() - 60) : noun.start()]
        if not AFTER_NOUN.match(sentence, noun.end()) or FOREIGN_BEFORE.search(before):
            continue
        if coding_theory and noun[0].startswith("code") and not OWN_DETERMINER.search(before):
            continue
        yield noun


def _is_released(sentence: str, noun: re.Match[str]) -> bool:
    """Return whether the sentence says of this code that it can be had."""
    before = sentence[max(0, noun.start() - REACH) : noun.start()]
    if SUPPOSED.search(before):
        return False
    return _is_said_of(sentence, noun, before) or _is_given(sentence, noun, before)


def _is_said_of(sentence: str, noun: re.Match[str], before: str) -> bool:
    """Return whether what follows the noun says so; its clause must not deny it or mean others' code."""
    said = SAID_OF_IT.match(sentence, noun.end())
    if not said:
        return False
    breaks = [found.end() for found in CLAUSE_BREAK.finditer(before)]
    clause = before[breaks[-1] if breaks else 0 :] + said[0]
    return not DENIED.search(clause) and not OF_OTHERS.search(clause)


def _is_given(sentence: str, noun: re.Match[str], before: str) -> bool:
    """Return whether what stands before the noun says that the authors give it."""
    given = GIVING.search(before)
    if not given or DENIED.search(before, max(0, given.start() - 30)) or OF_OTHERS.search(given["between"]):
        return False
    if given["verb"].startswith("mak"):
        return bool(MADE_OPEN.match(sentence, noun.end()))
    if given["verb"].startswith(("provid", "includ", "attach")) and noun[0].startswith(("impl", "soft")):
        return bool(TO_HAVE.search(given["between"]))
    return True
