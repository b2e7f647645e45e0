"""CSL-JSON in every shape found: a list, one item, items under a key, JSON lines, with faults in it."""

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from bibtools.errors import InputError, Location, Problem
from bibtools.mapping.from_csl import from_csl
from bibtools.model import Entry, Library, Origin

_WRAPPERS = ("items", "references", "message", "data", "records")
"""Keys under which tools put the items (Zotero, Pandoc, Crossref, others)."""
_ITEM_KEYS = frozenset(("type", "title", "DOI", "author", "issued", "container-title", "URL"))
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}]', re.DOTALL)
_TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*+")|,(?=\s*[\]}])', re.DOTALL)
_HALF_LETTER = re.compile(
    r"\\u[dD][89abAB][\da-fA-F]{2}(?!\\u[dD][c-fC-F])"
    r"|(?<!\\u[dD][89abAB][\da-fA-F]{2})\\u[dD][c-fC-F][\da-fA-F]{2}"
)
"""One half of a surrogate pair without the other."""
_NEXT_ITEM = re.compile(r'\}\s*,?\s*(?=\{\s*"(?:id|type|title|DOI|author|citation-key)"\s*:)')
_WRAPPER = re.compile(rf'\s*\{{\s*"(?:{"|".join(_WRAPPERS)})"\s*:\s*\[\s*(?=\{{)')
"""How a list under a key begins."""
_SEPARATORS = " \t\n,[]}\ufeff\x1e"
"""What may stand between items: list marks, one brace too many, a byte-order mark, RFC 7464's RS."""
_MOST_LOST = 1000
"""As many unreadable items are told one by one."""
_DEEPEST_WRAPPER = 3
"""Lists and wrapping objects are opened down to this depth."""


def read_csljson(text: str, source: str) -> Library:
    """Return what a file of CSL-JSON holds: entries in file order, and problems.

    A variable that cannot be read is reported and costs only itself; an item that cannot be read is
    a Problem with `lost` set. See docs/formats/csl-json.md for the shapes read.

    Args:
        text: the whole file, decoded.
        source: file name or other label that messages show.
    Raises:
        InputError: the text is not empty and holds neither a JSON list nor an object.
    """
    if not text.strip():
        return Library(format="csljson", source=source)
    entries: list[Entry] = []
    doubts: list[Problem] = []
    unread: list[Problem] = []
    for item, line, raw in _items(text):
        if isinstance(item, dict):
            fields, found = from_csl(item)
            fields["origin"] = Origin(source, line, (0, 0), len(entries))
            entry = Entry(**fields)
            entries.append(entry)
            for code, what, value in found:
                message = f"{entry.key or 'item'}: {what}"
                doubts.append(Problem(code, "warning", Location(source, line), message, value))
        else:
            unread.append(_lost(item, line, raw, source))
    if not entries and text.lstrip()[:1] not in "[{":
        raise InputError("neither a JSON list nor an object, so this is not CSL-JSON", Location(source, 1))
    problems = (*_shortened(unread, source), *doubts, *_broken_off(text, source))
    return Library(entries=tuple(entries), problems=problems, format="csljson", source=source)


def _shortened(unread: list[Problem], source: str) -> Iterator[Problem]:
    """Yield the problems of unreadable items, those beyond the first thousand as one."""
    yield from unread[:_MOST_LOST]
    if len(unread) > _MOST_LOST:
        more = f"{len(unread) - _MOST_LOST} more items cannot be read"
        yield Problem("unreadable-item", "error", Location(source), more, lost=True)


def _broken_off(text: str, source: str) -> Iterator[Problem]:
    """Yield a warning if a list has no end, as after half a download."""
    if _has_no_end(text):
        where = Location(source, text.count("\n") + 1)
        yield Problem("broken-off", "warning", where, "the file breaks off: its list has no end", text[-60:])


def _has_no_end(text: str) -> bool:
    """Tell whether a list, or the object that it stands in, is not closed."""
    if text.lstrip()[:1] == "[":
        return text.rstrip()[-1:] != "]"
    if not _WRAPPER.match(text):
        return False
    try:
        msgspec.json.decode(text, type=msgspec.Raw)
    except (msgspec.DecodeError, RecursionError):
        marks = [token[0] for token in _TOKENS.finditer(text)]
        return marks.count("{") > marks.count("}")
    return False


def _lost(item: Any, line: int, raw: str, source: str) -> Problem:
    """Return the problem that stands instead of an item: no object, or a reason beside its raw text."""
    what = item if raw else f"an item must be an object, not {_JSON_NAMES.get(type(item), 'a number')}"
    return Problem(
        "unreadable-item", "error", Location(source, line), what, raw or json.dumps(item), lost=True
    )


_JSON_NAMES: dict[type, str] = {str: "a text", bool: "true or false", type(None): "null", list: "a list"}


def _items(text: str) -> Iterator[tuple[Any, int, str]]:
    """Yield each item with its line; for one that cannot be read, the reason and its raw text."""
    data = text.encode("utf-8", "surrogatepass")
    try:
        parts = list(_split(data, 0))
    except (msgspec.DecodeError, RecursionError):
        yield from _damaged_items(text)
        return
    view = memoryview(data)
    position, line = 0, 1
    for start, end, key in parts:
        line += data.count(b"\n", position, start)
        position = start
        raw = view[start:end]
        try:
            item = msgspec.json.decode(raw)
        except (msgspec.DecodeError, RecursionError):
            piece = str(raw, "utf-8", "replace")
            try:
                item = _loads(piece)
            except (ValueError, RecursionError) as error:
                yield _reason(error), line, piece
                continue
        yield ({"id": key, **item} if key and isinstance(item, dict) else item), line, ""


def _split(data: bytes, offset: int, depth: int = 0) -> Iterator[tuple[int, int, str]]:
    """Yield where the JSON text of each item begins and ends and, where it stands under one, its key.

    Args:
        data: JSON text.
        offset: where it begins.
        depth: in how many lists and objects it stands.
    Raises:
        msgspec.DecodeError, RecursionError: this is no JSON.
    """
    position = 0
    for key, part in _parts(data, depth):
        raw = bytes(part)
        position = _place(data, raw, position)
        end = position + len(raw)
        if key in _WRAPPERS or raw[:1] == b"[":
            yield from _split(raw, offset + position, depth + 1)
        else:
            yield offset + position, offset + end, key
        position = end


def _place(data: bytes, raw: bytes, position: int) -> int:
    """Return where a part stands: mostly where its first byte is next found, which is told faster."""
    start = data.find(raw[:1], position)
    return start if data.startswith(raw, start) else data.index(raw, position)


def _parts(data: bytes, depth: int) -> list[tuple[str, msgspec.Raw]]:
    """Return the members of a list, or of an object that has items in it; else the whole as one part."""
    if depth < _DEEPEST_WRAPPER and data.lstrip()[:1] == b"[":
        return [("", part) for part in msgspec.json.decode(data, type=list[msgspec.Raw])]
    whole = [("", msgspec.Raw(data.strip()))]
    if depth == _DEEPEST_WRAPPER or data.lstrip()[:1] != b"{":
        return whole
    members = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    wrapped = [
        (key, members[key]) for key in _WRAPPERS if key in members and bytes(members[key])[:1] in b"[{"
    ]
    if wrapped and not (members.keys() & _ITEM_KEYS and bytes(wrapped[0][1])[:1] == b"{"):
        return wrapped[:1]
    if members.keys() & _ITEM_KEYS or not all(bytes(part)[:1] == b"{" for part in members.values()):
        return whole
    return list(members.items())


def _objects(text: str) -> Iterator[tuple[int, int]]:
    """Yield begin and end of each outermost object; the last one may be unfinished."""
    depth = start = 0
    for token in _TOKENS.finditer(text):
        mark = token[0]
        if mark == "{":
            if not depth:
                start = token.start()
            depth += 1
        elif mark == "}" and depth:
            depth -= 1
            if not depth:
                yield start, token.end()
    if depth:
        yield start, len(text)


def _damaged_items(text: str) -> Iterator[tuple[Any, int, str]]:
    """Yield the items of a text that is no JSON as a whole: JSON lines, or a file with a fault in it."""
    position, line = 0, 1
    for start, piece in _damaged_pieces(text):
        line += text.count("\n", position, start)
        position = start
        try:
            yield _loads(piece), line, ""
        except (ValueError, RecursionError) as error:
            yield _reason(error), line, piece


def _damaged_pieces(text: str) -> Iterator[tuple[int, str]]:
    """Yield the objects of a text, and what else stands between them or instead of any."""
    done = 0
    for start, end in (*_objects(text), (len(text), len(text))):
        between = text[done:start].strip(_SEPARATORS)
        if between:
            yield text.index(between, done), between
        elif not done and start == len(text):
            yield 0, text
        if start < end:
            yield from _pieces(text, start, end)
        done = end


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Yield an object, or where it is no JSON, the parts of it that look like items of their own."""
    whole = text[start:end]
    borders = [match.end() for match in _NEXT_ITEM.finditer(whole)]
    wrapper = _WRAPPER.match(whole)
    if borders or wrapper:
        first = wrapper.end() if wrapper else 0
        try:
            _loads(whole)
        except (ValueError, RecursionError):
            for begin, stop in zip([first, *borders], [*borders, len(whole)], strict=True):
                yield start + begin, whole[begin:stop].rstrip().rstrip(",]").rstrip()
            return
    yield start, whole


def _loads(text: str) -> Any:
    """Return the value of a JSON text; commas before a bracket, NaN, raw controls, half letters are forgiven.

    Raises:
        ValueError, RecursionError: it is none.
    """
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        mended = _TRAILING_COMMA.sub(lambda match: match[1] or "", _HALF_LETTER.sub(r"\\ufffd", text))
        return json.loads(mended, strict=False)


def _reason(error: Exception) -> str:
    """Return in a few words why an item cannot be read."""
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON: {error.msg.lower()} (line {error.lineno} of the item)"
    return "nested too deeply" if isinstance(error, RecursionError) else "not JSON"
