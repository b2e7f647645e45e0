"""Proceedings of Machine Learning Research: a volume's `_posts` front matter, or its `citeproc.yaml`.

A post is a Markdown file that holds YAML between two `---` lines and nothing else, one work a file; only
posts carry `openreview`, `software` and `tex_title` (https://github.com/mlresearch/jekyll-theme). All YAML
is read as strings: the templates write names and numbers unquoted, and YAML 1.1 would turn the family
name `No` into false. A volume's `bibliography.bib` is read by `bibliography.py`.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from bibtools.errors import Location, Problem
from bibtools.model import Contributor, Contributors, Entry, Link, PartialDate, Text
from bibtools.sources.fields import bare_doi, date_of, ids_from_urls, iso_date
from bibtools.sources.links import abstract_links, code_links, join_links
from bibtools.sources.titles import is_whole_tex, tex_title
from bibtools.text.tex import decode_tex, parse_tex, unknown_commands

SITE = "https://proceedings.mlr.press"
SERIES = "Proceedings of Machine Learning Research"
PUBLISHER = "PMLR"

FENCE = re.compile(r"^---[ \t]*$", re.MULTILINE)
DATED = re.compile(r"^\d{4}-\d\d?-\d\d?-")
VOLUME = re.compile(r"[vr]?(\d+)$", re.IGNORECASE)
LONGEST = 1_000_000
"""Characters of one post; a longer file is none."""
LONGEST_VOLUME = 200_000_000
"""Characters of a `citeproc.yaml`; those of the largest volumes have ten million."""
YEAR_OR_LESS = re.compile(r"\d{1,4}", re.ASCII)
CODE_LABEL = re.compile(r"code|software|implementation", re.IGNORECASE)


class Volume(Struct, frozen=True, omit_defaults=True):
    """What `_config.yml` says of a whole volume; posts may leave these out."""

    number: str = ""
    container_title: str = ""
    editor: Contributors = ()
    event_title: str = ""
    event_place: str = ""
    event_date: PartialDate | None = None
    issn: str = ""


def read_pmlr(path: Path, source: str = "", config: Path | None = None) -> Iterator[Entry | Problem]:
    """Yield the works of a volume, sorted by file name, and problems.

    Args:
        path: a volume's folder, its `_posts`, a folder of several volumes, one post, or `citeproc.yaml`.
        source: label that messages show in place of the path.
        config: folder of the volume's `_config.yml`, where it does not lie with the posts.
    """
    if path.is_file() and path.suffix in {".yaml", ".yml"}:
        yield from read_citeproc(read_start(path, LONGEST_VOLUME), source or str(path))
        return
    volumes: dict[Path, Volume] = {}
    for post in find_posts(path):
        folder = post.parent.parent if post.parent.name == "_posts" else post.parent
        if folder not in volumes:
            volumes[folder] = read_volume(config or folder)
        label = f"{source}/{post.name}" if source and post != path else source or str(post)
        yield from read_post(read_start(post), post.stem, label, volumes[folder])


def read_start(path: Path, most: int = LONGEST) -> str:
    """Return a text file's beginning, all of it but for a file that is far too long."""
    with path.open(encoding="utf-8", errors="replace", newline="") as stream:
        return stream.read(most)


def find_posts(path: Path) -> list[Path]:
    """Return the posts under a path, sorted."""
    if not path.is_dir():
        return [path]
    posts = [post for post in path.glob("*.md") if post.stem.lower() != "readme"]
    for folder in sorted(path.glob("_posts")) or sorted(path.glob("*/_posts")):
        posts += folder.glob("*.md")
    return sorted(posts)


def read_volume(folder: Path) -> Volume:
    """Return what the folder's `_config.yml` says; what the folder's name says where there is none."""
    named = VOLUME.fullmatch(folder.name)
    number = named[1] if named else ""
    config = folder / "_config.yml"
    if not config.is_file():
        return Volume(number)
    facts = load_yaml(read_start(config).removeprefix("---"))
    if not isinstance(facts, dict):
        return Volume(number)
    conference = facts.get("conference")
    conference = conference if isinstance(conference, dict) else {}
    return Volume(
        number=string(facts, "volume") or number,
        container_title=string(facts, "booktitle"),
        editor=people(facts.get("editor")),
        event_title=string(conference, "name"),
        event_place=decode_name(
            string(conference, "location") or string(facts, "location") or string(facts, "address")
        ),
        event_date=event_date(string(facts, "start"), string(facts, "end")),
        issn=string(facts, "issn"),
    )


def read_post(text: str, name: str, source: str, volume: Volume | None = None) -> Iterator[Entry | Problem]:
    """Yield the work of one post and its problems; one Problem with lost=True where it cannot be read.

    Args:
        text: the file.
        name: its name without suffix; without the date in front it is the work's key in its address.
        source: label that messages show.
        volume: facts of the volume, for what the post leaves out.
    """
    parts = FENCE.split(text.removeprefix("\ufeff").replace("\r\n", "\n"), maxsplit=2)
    front = load_yaml(parts[1]) if len(parts) == 3 and not parts[0].strip() else None
    if isinstance(front, dict) and (string(front, "title") or string(front, "tex_title")):
        yield from to_entry(front, DATED.sub("", name), source, volume or Volume())
    else:
        reason = front if isinstance(front, str) else "no YAML front matter with a title"
        yield Problem("unread-record", "error", Location(source, 1), reason, text, lost=True)


def read_citeproc(text: str, source: str) -> Iterator[Entry | Problem]:
    """Yield the works of a volume's `citeproc.yaml`, which has neither `openreview` nor `software`.

    Its items are read one by one, so that a damaged one does not cost the others.
    """
    place = 1
    for item in re.split(r"^(?=- )", text.replace("\r\n", "\n"), flags=re.MULTILINE):
        loaded = load_yaml(item) if item.startswith("- ") else []
        front = loaded[0] if isinstance(loaded, list) and loaded else loaded
        if isinstance(front, dict) and string(front, "title"):
            yield from to_entry(front, string(front, "id"), source, Volume())
        elif front:
            reason = front if isinstance(front, str) else "an item without a title"
            yield Problem("unread-record", "error", Location(source, place), reason, item, lost=True)
        place += item.count("\n")


@cache
def yaml_loader() -> Any:
    """Return the loader that makes strings of all scalars and nothing of tags; in C where there is one."""
    import yaml

    return getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def load_yaml(text: str) -> Any:
    """Return what a YAML document holds, all scalars as strings; for a damaged one the reason, a string."""
    import yaml

    try:
        return yaml.load(text, yaml_loader())  # noqa: S506  # the base loaders construct no objects
    except (yaml.YAMLError, RecursionError) as error:
        return " ".join(str(error).split())


def to_entry(front: dict[str, Any], key: str, source: str, volume: Volume) -> Iterator[Entry | Problem]:
    """Yield the work that the front matter describes, then the problems of its title."""
    tex = string(front, "tex_title")
    title = tex_title(tex, string(front, "title"))
    number = string(front, "volume") or volume.number
    place = f"{folder_of(front, number)}/{key}"
    abstract = string(front, "abstract")
    yield Entry(
        type="paper-conference",
        source_type=string(front, "genre") or string(front, "layout"),
        title=title,
        abstract=Text(abstract) if abstract else None,
        author=people(front.get("author")),
        editor=people(front.get("editor")) or volume.editor,
        container_title=text(string(front, "container-title") or volume.container_title),
        collection_title=Text(string(front, "series") or SERIES),
        event_title=text(volume.event_title),
        event_place=decode_name(string(front, "address")) or volume.event_place,
        event_date=volume.event_date,
        issued=issued(front),
        volume=number,
        issue=string(front, "number"),
        page=pages(front),
        publisher=string(front, "publisher") or PUBLISHER,
        issn=string(front, "issn") or volume.issn,
        doi=bare_doi(string(front, "doi") or string(front, "DOI")),
        url=f"{SITE}/{place}.html",
        ids={"pmlr": place, **other_ids(front)},
        links=join_links(code_links(string(front, "software")), extra_links(front), abstract_links(abstract)),
    )
    where = Location(source)
    if tex and not is_whole_tex(tex):
        yield Problem("damaged-tex", "info", where, "tex_title is damaged; title is used instead", tex)
    for command in unknown_commands(tex):
        yield Problem("tex-command", "info", where, f"unknown command {command} kept as text", tex)


def folder_of(front: Mapping[str, Any], number: str) -> str:
    """Return the volume's folder in addresses: `v267`, or `r3` for the reissues."""
    for name in ("url", "URL", "pdf", "PDF"):
        if pmlr := ids_from_urls([string(front, name)]).get("pmlr"):
            return pmlr.partition("/")[0]
    return f"v{number}" if number.isdigit() else number.lower()


def other_ids(front: Mapping[str, Any]) -> dict[str, str]:
    """Return the identifiers besides PMLR's own."""
    forum = string(front, "openreview")
    found = ids_from_urls([forum, string(front, "arxiv")])
    if forum and "/" not in forum:
        found["openreview"] = forum
    if re.fullmatch(r"\d{4}\.\d{4,5}(v\d+)?", string(front, "arxiv")):
        found["arxiv"] = string(front, "arxiv").partition("v")[0]
    return {scheme: value for scheme, value in found.items() if scheme != "pmlr"}


def extra_links(front: Mapping[str, Any]) -> Iterator[Link]:
    """Yield the links for code among `extras`, which has labels such as `Supplementary PDF` or `Code`."""
    extras = front.get("extras")
    for extra in extras if isinstance(extras, list) else ():
        if isinstance(extra, dict) and CODE_LABEL.search(string(extra, "label")):
            yield from code_links(string(extra, "link"))


def people(value: Any) -> Contributors:
    """Return the contributors as the record has them: given, prefix, family, suffix, orcid, or one name."""
    entries = value if isinstance(value, list) else [value] if isinstance(value, dict) else []
    found = (to_contributor(person) for person in entries if isinstance(person, dict))
    return tuple(person for person in found if person != Contributor())


def to_contributor(person: dict[str, Any]) -> Contributor:
    """Return one person; TeX that was left in a name is decoded."""
    parts = {
        name: decode_name(string(person, name)) for name in ("given", "family", "prefix", "suffix", "name")
    }
    named = bool(parts["given"] or parts["family"])
    return Contributor(
        family=parts["family"],
        given=parts["given"],
        non_dropping_particle=parts["prefix"],
        suffix=parts["suffix"],
        literal="" if named else parts["name"],
        orcid=string(person, "orcid").rpartition("/")[2],
    )


def decode_name(name: str) -> str:
    r"""Return a part of a name, or a place, without TeX.

    >>> decode_name(r"Szepesv\'ari")
    'Szepesvári'
    """
    return decode_tex(name) if "\\" in name or "{" in name else name


def issued(front: Mapping[str, Any]) -> PartialDate | None:
    """Return when the work was published: `issued`, else `date`, else `year`."""
    value = front.get("issued")
    parts = value.get("date-parts") if isinstance(value, dict) else None
    while isinstance(parts, list) and parts and isinstance(parts[0], list):
        parts = parts[0]
    numbers = [int(part) for part in parts or () if isinstance(part, str) and YEAR_OR_LESS.fullmatch(part)]
    typed = string(front, "date") or string(front, "published") or string(front, "year")
    return date_of(numbers) or iso_date(typed) or (PartialDate(literal=typed) if typed else None)


def event_date(start: str, end: str) -> PartialDate | None:
    """Return the days of the conference; an end before the start is a slip (volume 201)."""
    first, last = iso_date(start), iso_date(end)
    if not first:
        return None
    ends = last.start if last and last.start > first.start else None
    return PartialDate(start=first.start, end=ends)


def pages(front: Mapping[str, Any]) -> str:
    """Return the page range: `page`, else what `firstpage` and `lastpage` make."""
    span = string(front, "page") or "-".join(
        filter(None, (string(front, "firstpage"), string(front, "lastpage")))
    )
    return re.sub(r"\s*[-–—]+\s*", "-", span)


def text(value: str) -> Text | None:
    """Return a title of a volume or conference; TeX in it is rare but happens."""
    return parse_tex(value) if value else None


def string(mapping: Mapping[str, Any], name: str) -> str:
    """Return a value that is a string, without blanks around it; else nothing."""
    value = mapping.get(name)
    return value.strip() if isinstance(value, str) else ""
