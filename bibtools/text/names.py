"""Names of people and bodies, in BibTeX's, biblatex's and plain forms.

BibTeX's rules (Patashnik, "Designing BibTeX Styles", 1988, section 4): words stand apart by blanks, `~` or
hyphens outside braces; lower-case words before the last name are the von part; commas make "von Last, First"
or "von Last, Jr, First". A wholly braced name is one piece: a body.
"""

import re
from functools import lru_cache

from msgspec.structs import replace

from bibtools.model import Contributor, Contributors
from bibtools.text.tex import decode_tex, encode_tex
from bibtools.text.tree import squeeze

_AND = re.compile(r"(?<=\s)and(?=\s)", re.IGNORECASE)
_AND_OR_BRACE = re.compile(
    r"\\(?:begin|end)(?![A-Za-z])|\\.|[{}]|(?<=\s)and(?=\s)|^and(?=\s)|(?<=\s)and$", re.DOTALL | re.IGNORECASE
)
_NOBODY = Contributor()
_OPENERS, _CLOSERS = ("{", "\\begin"), ("}", "\\end")
_PART = re.compile(r"\\(?:begin|end)(?![A-Za-z])|\\.|[{}]|[,\s~]", re.DOTALL)
_OTHERS = frozenset({"others", "et al.", "et al", "et. al.", "{others}", "{et al.}", "\\etal"})
_EXTENDED = re.compile(
    r"\s*\"?\s*(?:(?:family|given|prefix|suffix)(?:-i)?|useprefix|unique(?:name|list)|id|hash|nametemplates"
    r"|\w+(?:name|key)templatename)\s*=",
    re.IGNORECASE,
)
"""The beginning of a name in biblatex's extended form: a part of it or an option (3.20, section 3.7)."""
_LIST_OPTION = re.compile(
    r"(?:use(?:prefix|author)|unique(?:name|list)|no(?:sort|hash)others|nametemplates|\w+keytemplatename)\s*=\s*[\w-]+",
    re.IGNORECASE,
)
"""An option that biblatex lets stand before the names of a list (biblatex 3.20, section 3.7)."""
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+")


def parse_bibtex_names(source: str) -> tuple[Contributors, bool]:
    r"""Return the people and bodies of a BibTeX name list, and whether the list is cut (`and others`).

    >>> names, truncated = parse_bibtex_names("Knuth, Donald E. and {Tarn, Inc.} and others")
    >>> [display_name(name) for name in names], truncated
    (['Donald E. Knuth', 'Tarn, Inc.'], True)
    """
    truncated = False
    found = []
    for name in split_names(source):
        if person := _listed(name):
            found.append(person)
        elif name.lower() in _OTHERS:
            truncated = True
    return tuple(found), truncated


def split_names(source: str) -> list[str]:
    """Return the names of a list, split at `and` outside braces; empty ones stay."""
    if "{" not in source and "\\" not in source:
        return _split_at_and(f" {source} ")
    names = _split_at_and(source)
    if all(name.count("{") == name.count("}") and "\\begin" not in name for name in names):
        return names
    names, start, depth = [], 0, 0
    for found in _AND_OR_BRACE.finditer(source):
        sign = found[0]
        if sign in _OPENERS:
            depth += 1
        elif sign in _CLOSERS:
            depth = max(0, depth - 1)
        elif sign[0] != "\\" and depth == 0:
            names.append(source[start : found.start()].strip())
            start = found.end()
    names.append(source[start:].strip())
    return names


def _split_at_and(source: str) -> list[str]:
    """Return what stands between `and`s, braces or not; the usual ones, of any case after a closer look."""
    unwrapped = source.replace(" and\n", " and ")
    names = unwrapped.split(" and ")
    lowered = unwrapped.lower()
    if not unwrapped.isprintable() or lowered.count(" and ") != len(names) - 1 or " and and " in lowered:
        names = _AND.split(source)
    return [name.strip() for name in names]


@lru_cache(maxsize=20_000)
def _listed(name: str) -> Contributor | None:
    """Return one name of a list, or None for an option, a name of nobody, and `others`."""
    if name.lower() in _OTHERS or ("=" in name and _LIST_OPTION.fullmatch(name)) or not name.strip(" ,~"):
        return None
    person = parse_bibtex_name(name)
    return None if person == _NOBODY else person


def parse_bibtex_name(source: str) -> Contributor:
    r"""Return one name of a BibTeX list.

    >>> name = parse_bibtex_name(r"Charles Louis Xavier Joseph de la Vall{\'e}e Poussin")
    >>> name.given, name.non_dropping_particle, name.family
    ('Charles Louis Xavier Joseph', 'de la', 'Vallée Poussin')
    """
    if "=" in source and _EXTENDED.match(source):
        return _extended_name(source)
    parts = _split_parts(source)
    while len(parts) > 1 and not parts[-1]:
        parts.pop()
    if len(parts) == 1:
        return _name_in_reading_order(parts[0])
    von, last = _von_last(parts[0])
    suffix = _join(parts[1]) if len(parts) > 2 else ""
    given = _join([word for part in parts[2 if len(parts) > 2 else 1 :] for word in part])
    if not given and not von and not suffix:
        return (
            Contributor(literal=_join(last) or decode_tex(source)) if len(last) != 1 else _lone_name(last[0])
        )
    return Contributor(family=_join(last), given=given, non_dropping_particle=_particle(von), suffix=suffix)


def _split_parts(source: str) -> list[list[str]]:
    """Return the comma parts of a name, each as its words; commas and blanks in braces do not count."""
    if "{" not in source and "\\" not in source:
        return [part.replace("~", " ").split() for part in source.split(",")]
    parts: list[list[str]] = [[]]
    start, depth = 0, 0
    for found in _PART.finditer(f"{source} "):
        sign = found[0]
        if sign in _OPENERS:
            depth += 1
        elif sign in _CLOSERS:
            depth = max(0, depth - 1)
        elif sign[0] != "\\" and depth == 0:
            if word := source[start : found.start()]:
                parts[-1].append(word)
            start = found.end()
            if sign == ",":
                parts.append([])
    if rest := source[start:].strip():
        parts[-1].append(rest)
    return parts


def _name_in_reading_order(words: list[str]) -> Contributor:
    """Return a name without comma: First von Last, or a body if it is one braced piece."""
    if len(words) < 2:
        return _lone_name(words[0]) if words else Contributor()
    lower = [index for index, word in enumerate(words[:-1]) if _is_lower(word)]
    if not lower:
        return Contributor(family=decode_tex(words[-1]), given=_join(words[:-1]))
    first, last = lower[0], lower[-1]
    return Contributor(
        family=_join(words[last + 1 :]),
        given=_join(words[:first]),
        non_dropping_particle=_particle(words[first : last + 1]),
    )


def _lone_name(word: str) -> Contributor:
    """Return a name of one word: a body if it is braced, or nothing but braces holds it together."""
    name = decode_tex(word)
    is_body = " " in name or _would_split(name) or _is_braced(word)
    return Contributor(literal=name) if is_body else Contributor(family=name)


def _von_last(words: list[str]) -> tuple[list[str], list[str]]:
    """Return the von and last words of what stands before the first comma."""
    lower = [index for index, word in enumerate(words[:-1]) if _is_lower(word)]
    split = lower[-1] + 1 if lower else 0
    return words[:split], words[split:]


def _is_lower(word: str) -> bool:
    r"""Say whether BibTeX takes a word for a von part: its first letter outside braces is in lower case.

    A brace group without a command has no case and is passed over; one with a command (`{\'e}`) has that of
    its letter.
    """
    if word[0] not in "{\\":
        for char in word:
            if char.isalpha():
                return char.islower()
            if char in "{\\":
                break
        else:
            return False
    index = 0
    while index < len(word):
        char = word[index]
        if char == "{":
            end = _group_end(word, index)
            if word.startswith("\\", index + 1):
                return _first_letter_is_lower(decode_tex(word[index : end + 1]))
            index = end + 1
        elif char == "\\":
            return _first_letter_is_lower(decode_tex(word[index:]))
        elif char.isalpha():
            return char.islower()
        else:
            index += 1
    return False


def _first_letter_is_lower(text: str) -> bool:
    """Say whether the first letter is in lower case; False without letters."""
    return next((char.islower() for char in text if char.isalpha()), False)


def _group_end(source: str, start: int) -> int:
    """Return where the group that opens at `start` closes; the last index if it does not."""
    depth = 0
    for index in range(start, len(source)):
        if source[index] == "{":
            depth += 1
        elif source[index] == "}":
            depth -= 1
            if depth == 0:
                return index
    return len(source) - 1


def _is_braced(word: str) -> bool:
    """Say whether one pair of braces holds the whole word, and is no accent's."""
    return word[0] == "{" and word[1:2] != "\\" and _group_end(word, 0) == len(word) - 1


def _join(words: list[str]) -> str:
    r"""Return words of a name as plain text; a blank that ends a command (`Pet\H o`) is none."""
    return decode_tex(" ".join(words))


def _particle(words: list[str]) -> str:
    """Return words in lower case before a family name, with plain blanks between them."""
    return " ".join(_join(words).split()) if words else ""


def _extended_name(source: str) -> Contributor:
    """Return a name in biblatex's form `family=Velde, given=Joost, prefix=van den, useprefix=true`."""
    values: dict[str, str] = {}
    for part in _split_raw(source):
        key, _, value = part.partition("=")
        values[key.strip(' "').lower()] = decode_tex(value.strip(' "'))
    prefix = values.get("prefix", "")
    keep = values.get("useprefix", "true").lower() != "false"
    if not values.get("given") and not prefix and values.get("family"):
        return Contributor(family=values["family"], suffix=values.get("suffix", ""))
    return Contributor(
        family=values.get("family", ""),
        given=values.get("given", ""),
        non_dropping_particle=prefix if keep else "",
        dropping_particle="" if keep else prefix,
        suffix=values.get("suffix", ""),
    )


def _split_raw(source: str) -> list[str]:
    """Return the comma parts of a text, commas in braces left alone."""
    parts, start, depth = [], 0, 0
    for found in re.finditer(r"\\.|[{},]", source, re.DOTALL):
        if found[0] == "{":
            depth += 1
        elif found[0] == "}":
            depth -= 1
        elif found[0] == "," and depth == 0:
            parts.append(source[start : found.start()])
            start = found.end()
    return [*parts, source[start:]]


def format_bibtex_names(names: Contributors, truncated: bool = False, ascii: bool = False) -> str:  # noqa: A002
    r"""Return a BibTeX name list that `parse_bibtex_names` reads back as it was.

    >>> hans = Contributor(family="Berg", given="Hans", non_dropping_particle="van der")
    >>> format_bibtex_names((hans,), truncated=True)
    'van der Berg, Hans and others'
    """
    formatted = [format_bibtex_name(name, ascii) for name in names]
    if truncated:
        formatted.append("others")
    return " and ".join(formatted)


@lru_cache(maxsize=20_000)
def format_bibtex_name(name: Contributor, ascii: bool = False) -> str:  # noqa: A002  # the option's name everywhere
    """Return one name in the form `von Last, Jr, First`; bodies in braces; on one line."""
    if "\n" in f"{name.literal}{name.family}{name.given}":
        name = replace(
            name, literal=squeeze(name.literal), family=squeeze(name.family), given=squeeze(name.given)
        )
    if name.literal:
        return f"{{{_inner(name.literal, ascii)}}}"
    von = " ".join(part for part in (name.dropping_particle, name.non_dropping_particle) if part)
    von = " ".join(von.split())
    last = _format_von_last(von, name.family, ascii)
    given = _guard(_encode(name.given, ascii), name.given)
    if name.suffix:
        return f"{last}, {_guard(_encode(name.suffix, ascii), name.suffix)}, {given or '{}'}"
    if given:
        return f"{last}, {given}"
    return last if von or not name.family.count(" ") else f"{{{last}}}"


def _encode(text: str, ascii: bool) -> str:  # noqa: A002  # the option's name everywhere
    """Return text as TeX that biber can take initials from: it turns some commands into bare signs first."""
    encoded = encode_tex(text, ascii)
    if "\\text" in encoded:
        for command, math in _FOR_BIBER.items():
            encoded = encoded.replace(command, math)
    return encoded


_FOR_BIBER = {
    "{\\textbackslash}": "\\ensuremath{\\backslash}",
    "{\\textbraceleft}": "\\ensuremath{\\lbrace}",
    "{\\textbraceright}": "\\ensuremath{\\rbrace}",
}


def _inner(text: str, ascii: bool) -> str:  # noqa: A002  # the option's name everywhere
    """Return text for within a pair of braces that must not look like an accent's."""
    encoded = _encode(text, ascii)
    return f"{{{encoded}}}" if encoded.startswith("\\") else encoded


def _format_von_last(von: str, family: str, ascii: bool) -> str:  # noqa: A002  # the option's name everywhere
    """Return particle and family name so that BibTeX tells them apart as they are."""
    last = _guard(_encode(family, ascii), family) or "{}"
    words = family.split(" ")
    if len(words) > 1 and any(_is_lower(word) for word in words[:-1] if word):
        last = f"{{{_inner(family, ascii)}}}"
    if not von:
        return last
    particle = _guard(_encode(von, ascii), von)
    if not _is_lower(von.split(" ")[-1] or "X"):
        return f"{{{_inner(von, ascii)}}} {last}"
    if "\\" in particle and not _is_lower(particle.split(" ")[-1]):
        # the letters behind a sign's command count for BibTeX only where another command begins the group
        particle = f"{{\\relax {particle}}}"
    return f"{particle} {last}"


def _guard(encoded: str, plain: str) -> str:
    """Return a name part in braces if BibTeX would split it."""
    if _would_split(plain):
        return f"{{{encoded}}}" if not encoded.startswith("\\") else f"{{{{{encoded}}}}}"
    return encoded


def _would_split(plain: str) -> bool:
    """Say whether a name part without braces would be read as something else."""
    return bool(
        "," in plain
        or "\u00a0" in plain
        or _AND.search(f" {plain} ")
        or plain.lower() in _OTHERS
        or _EXTENDED.match(plain)
        or plain != plain.strip()
    )


def display_name(name: Contributor) -> str:
    """Return a name as people say it: `Given von Family, Jr`; Chinese, Japanese and Korean ones family first.

    >>> display_name(Contributor(family="Berg", given="Hans", non_dropping_particle="van der", suffix="Jr."))
    'Hans van der Berg, Jr.'
    """
    if name.literal:
        return name.literal
    if _CJK.fullmatch(name.family) and _CJK.fullmatch(name.given):
        return name.family + name.given
    parts = (name.given, name.dropping_particle, name.non_dropping_particle, name.family)
    whole = ""
    for part in parts:
        if part:
            whole += part if not whole or whole[-1] in "'’" else f" {part}"
    return f"{whole}, {name.suffix}" if name.suffix else whole
