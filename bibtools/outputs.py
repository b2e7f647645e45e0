"""The rules for outputs: where each goes, and what becomes of a file that is there already.

An existing output is replaced only if every work in it is in the new one. Otherwise nothing is
written, unless the caller says to append what is not there yet, or to replace it all the same and
keep a backup. Whatever is to stand in an existing file is first read back and compared.
"""

import codecs
import io
import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from bibtools import formats
from bibtools.errors import InputError, Location, Problem, UnknownFormatError, WriteError
from bibtools.files import STANDARD, Change
from bibtools.formats import Format
from bibtools.model import Block, Comment, Entry, EntryBlock, Library, WriteOptions
from bibtools.text.titles import title_key
from bibtools.works import WorkIndex, filing_word, is_nameless, unique_keys

Mode = Literal["safe", "append", "force"]

UNFINISHED = frozenset({"missing-end", "unclosed-entry", "unclosed-quote"})
"""Problems of a file that other programs may read on into what is added behind it."""

PREFIXED = re.compile(r"(?P<format>[A-Za-z][A-Za-z-]+):(?P<path>.+)", re.DOTALL)
"""`biblatex:refs.bib`; a single letter before the colon is a drive."""


class Output(Struct, frozen=True):
    """Where to write, and in which format."""

    format: Format
    path: Path | None = None
    """None: standard output."""

    def __str__(self) -> str:
        return str(self.path) if self.path else "<stdout>"


class Existing:
    """A file that stands where an output shall go; read when its works are asked for."""

    def __init__(self, output: Output, data: bytes, force: bool = False) -> None:
        self.output, self.data, self.force = output, data, force

    @cached_property
    def library(self) -> Library:
        """What the file holds.

        Raises:
            WriteError: the file is not in its format, so that nobody can say what it would lose.
        """
        output = self.output
        try:
            return formats.read(self.data, str(output.path), output.format.name)
        except InputError as error:
            if self.force:
                unread = Problem("unread", "error", Location(str(output.path), 1), str(error), lost=True)
                return Library(problems=(unread,), source=str(output.path))
            raise WriteError(
                f"{output.path} is there already and is no {output.format.description}; nothing was written "
                f"(--force replaces it and keeps {output.path}.bak)"
            ) from error


class Plan(Struct, frozen=True):
    """What will be done for one output; nothing has been written yet."""

    output: Output
    data: bytes
    count: int
    """Entries in the output when done."""
    added: int | None = None
    """Entries appended; None when the output is written as a whole."""
    backup: bool = False
    problems: tuple[Problem, ...] = ()
    before: bytes = b""
    """What the file held when this was planned."""

    def change(self) -> Change | None:
        """Return the change of a file that carries this out; None for standard output."""
        if not self.output.path:
            return None
        return Change(self.output.path, self.data, self.backup, self.before)


def parse_output(name: str) -> Output:
    """Return the output that `refs.bib`, `biblatex:refs.bib`, `-` or `ris:-` names.

    Raises:
        UnknownFormatError: neither a format in front nor the suffix says what to write.
    """
    prefixed = PREFIXED.fullmatch(name)
    if prefixed:
        return Output(formats.get_format(prefixed["format"]), _path(prefixed["path"]))
    if name == STANDARD:
        return Output(formats.get_format("bibtex"))
    form = formats.format_of_suffix(name)
    if form is None or not form.writer:
        suffixes = (
            suffix for known in formats.all_formats().values() if known.writer for suffix in known.suffixes
        )
        raise UnknownFormatError(Path(name).suffix or name, suffixes)
    return Output(form, Path(name))


def _path(name: str) -> Path | None:
    return None if name == STANDARD else Path(name)


def read_existing(output: Output, force: bool = False) -> Existing | None:
    """Return what stands where the output shall go; None where nothing does, or nothing that counts."""
    if not output.path or not output.path.is_file():
        return None
    data = output.path.read_bytes()
    return Existing(output, data, force) if data.strip() else None


def plan_output(
    library: Library, output: Output, existing: Existing | None, mode: Mode, options: WriteOptions
) -> Plan:
    """Return what to do for one output.

    Raises:
        WriteError: works would be lost and `mode` is `safe`; or what was to be written does not read back; or
            what stands there cannot be read.
    """
    if existing and mode == "append":
        return _plan_append(library, output, existing, options)
    text, problems = render(library, output.format, options)
    plan = Plan(output, text.encode(), len(library.entries), problems=problems)
    if not existing:
        return plan
    plan = msgspec.structs.replace(plan, backup=mode == "force", before=existing.data)
    if plan.data == existing.data:  # so nothing can be lost
        return plan
    lost = missing_works(existing.library, library.entries)
    if mode == "safe":
        library = keep_additions(library, existing.library)
        text, problems = render(library, output.format, options)
    unread = [problem for problem in existing.library.problems if problem.lost and problem.raw not in text]
    if (lost or unread) and mode != "force":
        raise WriteError(_refusal(output, lost, unread))
    check_written(text, output, library.entries)
    return msgspec.structs.replace(plan, data=text.encode(), problems=problems)


def keep_additions(library: Library, existing: Library) -> Library:
    """Return the library with what people and managers have added to the existing file.

    These are comments, macros and preamble, notes and keywords, and fields of the format that no model
    field stands for (`file`, `groups`, `owner` …). What the export knows itself is written as it is now.
    """
    named = [entry for entry in existing.entries if not is_nameless(entry)]
    index = WorkIndex(named)
    used: set[int] = set()
    entries: list[Entry] = []
    for entry in library.entries:
        place = index.find(entry, exclude=used)
        if place is None:
            entries.append(entry)
        else:
            used.add(place)
            entries.append(_with_additions(entry, named[place]))
    kept = tuple(_tidy(block) for block in existing.blocks if not isinstance(block, EntryBlock))
    blocks = library.blocks or tuple(block for block in kept if not isinstance(block, Comment) or block.text)
    return msgspec.structs.replace(library, entries=tuple(entries), blocks=blocks)


def _tidy(block: Block) -> Block:
    """Return a comment as lines of its own, without the empty lines round it; other blocks as they are."""
    if not isinstance(block, Comment):
        return block
    text = block.text.strip()
    return Comment(f"{text}\n" if text else "")


def _with_additions(entry: Entry, old: Entry) -> Entry:
    """Return an entry with the notes, keywords and fields outside the model that only its old form has."""
    extra = dict(entry.extra)
    for form, fields in old.extra.items():
        own = {name for name, _ in extra.get(form, ())}
        added = tuple((name, value) for name, value in fields if name not in own and is_added(form, name))
        if added:
            extra[form] = (*extra.get(form, ()), *added)
    return entry.replace(note=entry.note or old.note, keyword=entry.keyword or old.keyword, extra=extra)


def is_added(form: str, name: str) -> bool:
    """Tell whether a field has no place in the model, so that people or managers have added it."""
    if form == "bibtex":
        # loaded for BibTeX only
        from bibtools.mapping.bibtex import feeds

        return not feeds(name)
    return form != "csl" or name.replace("-", "_") not in Entry.__struct_fields__


def missing_works(library: Library, entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries of a library whose works are not among the others, each of which stands for one."""
    index = WorkIndex(entries, nameless=True)
    used: set[int] = set()
    missing = []
    for entry in library.entries:
        place = index.find(entry, exclude=used)
        if place is None:
            missing.append(entry)
        else:
            used.add(place)
    return missing


def _refusal(output: Output, lost: Sequence[Entry], unread: Sequence[Problem]) -> str:
    if lost:
        what = (
            f"holds {count(len(lost), 'work')} that the new one lacks (first: {lost[0].key or lost[0].title})"
        )
    else:
        what = f"has a part that cannot be read (line {unread[0].location.line})"
    return (
        f"{output} {what}; nothing was written. --append adds only what it does not have yet; "
        f"--force replaces it and keeps {output}.bak"
    )


def count(number: int, noun: str) -> str:
    """Return number and noun, in the plural where there are several.

    >>> count(1, "work"), count(2, "entry")
    ('1 work', '2 entries')
    """
    if number == 1:
        return f"1 {noun}"
    return f"{number} {noun[:-1]}ies" if noun.endswith("y") else f"{number} {noun}s"


def render(library: Library, form: Format, options: WriteOptions) -> tuple[str, tuple[Problem, ...]]:
    """Return a library as text of a format, and what it could not hold."""
    stream = io.StringIO(newline="")
    report = form.write(library, stream, options)
    return stream.getvalue(), report.problems


def check_written(text: str, output: Output, entries: Sequence[Entry]) -> None:
    """Read a text back and compare titles and authors.

    Raises:
        WriteError: a work is missing, or one of these differs.
    """
    written = formats.read(text.encode(), str(output), output.format.name).entries
    if len(written) != len(entries):
        raise WriteError(f"{output}: {len(entries)} entries read back as {len(written)}; nothing was written")
    for entry, copy in zip(entries, written, strict=True):
        if _gist(entry) != _gist(copy):
            raise WriteError(
                f"{output}: {entry.key} does not read back the same; nothing was written", entry.key
            )


def _gist(entry: Entry) -> tuple[str, list[str]]:
    title = title_key(entry.title.plain) if entry.title else ""
    return title, [filing_word(person) for person in entry.author]


def _plan_append(library: Library, output: Output, existing: Existing, options: WriteOptions) -> Plan:
    """Plan to leave every byte of the file and add the works that it does not have."""
    index = WorkIndex(existing.library.entries, nameless=True)
    new = [entry for entry in library.entries if index.find(entry) is None]
    total = len(existing.library.entries) + len(new)
    if not new:
        return Plan(output, existing.data, total, added=0, before=existing.data)
    new, changed = unique_keys(new, (entry.key for entry in existing.library.entries))
    text, problems = render(Library(entries=tuple(new)), output.format, options)
    data = append(existing, text, output)
    check_appended(data, output, total)
    unfinished = [problem for problem in existing.library.problems if problem.code in UNFINISHED]
    problems = (*unfinished, *changed, *problems)
    return Plan(output, data, total, added=len(new), problems=problems, before=existing.data)


def check_appended(data: bytes, output: Output, total: int) -> None:
    """Read a file's new bytes back and count.

    Raises:
        WriteError: there are not as many entries as there should be.
    """
    found = len(formats.read(data, str(output), output.format.name).entries)
    if found != total:
        raise WriteError(f"{output}: {total} entries read back as {found}; nothing was written")


def append(existing: Existing, text: str, output: Output) -> bytes:
    """Return the file's bytes with a text of the same format added, in the file's encoding and line ends.

    Raises:
        WriteError: the file's encoding lacks a letter, or it is JSON but no array.
    """
    encoding = _part_encoding(existing)
    old = existing.data.decode(encoding)
    if output.format.name == "csljson":
        text, tail = _join_json(old, text, output)
    else:
        text, tail = _join_text(old, text), ""
    text = text.replace("\r\n", "\n").replace("\n", existing.library.newline)
    try:
        added = text.encode(encoding)
    except UnicodeEncodeError as error:
        letter = error.object[error.start]
        raise WriteError(
            f"{output} is in {encoding}, which cannot hold {letter!r}; nothing was written"
        ) from error
    end = len(existing.data) - len(tail.encode(encoding))
    return existing.data[:end] + added + existing.data[end:]


def _part_encoding(existing: Existing) -> str:
    """Return the encoding for text inside the file, where no byte order mark may stand."""
    encoding = existing.library.encoding.lower().replace("_", "-")
    if encoding == "utf-8-sig":
        return "utf-8"
    if encoding == "utf-16":
        return "utf-16-be" if existing.data.startswith(codecs.BOM_UTF16_BE) else "utf-16-le"
    return encoding


def _join_text(old: str, new: str) -> str:
    """Return what to put after a BibTeX or RIS file: an empty line, then the new entries."""
    if old.endswith(("\n\n", "\r\n\r\n")):
        return new
    return f"\n{new}" if old.endswith("\n") else f"\n\n{new}"


def _join_json(old: str, new: str, output: Output) -> tuple[str, str]:
    """Return what to put into a JSON array after its last item, and the text that stays behind it."""
    body = old.rstrip()
    if not body.endswith("]") or not old.lstrip("\ufeff \t\r\n").startswith("["):
        raise WriteError(f"{output} is no JSON array; nothing was written (--force replaces it)")
    end = len(body[:-1].rstrip())
    items = new.strip().removeprefix("[").removesuffix("]").strip("\n")
    return (items if body[end - 1] == "[" else f",\n{items}"), old[end:]
