"""How fast bibtools converts, beside other programs in the same run.

    python benchmarks/convert.py [--sizes 1000,10000,50000] [--peers FOLDER]

Makes bibliographies of invented entries, in the style of DBLP's BibTeX and of Zotero's RIS and CSL-JSON,
converts them with each program that is there, and prints entries per second of CPU time, how many times as
fast as Citation.js that is, and the most memory used. A program is started anew for each file, as people do;
only figures of one run can be compared with each other.

Peers: Citation.js (`npm install citation-js`; FOLDER is the node_modules) as its documentation uses it and,
as citation-js-inner, by the functions inside it that keep no record of what became what; pandoc.
"""

import argparse
import json
import multiprocessing
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

WORDS = """
    sparse deep cross attention supply efficient multimodal learning of graph neural networks for robust
    causal inference under shift with latent diffusion models and kernels towards provable online bandits
""".split()  # noqa: SIM905 -- words are easier to read than a list of quoted ones
GIVEN = "Anna Boris Chen Dmitri Elena Farid Grace Hans Ines Lucía Mei Noor Olga Pia Rosa Sam".split()  # noqa: SIM905
FAMILY = """
    Arlow Brandt Castel Dunmore Eskola Faber Grönlund Hallam Ivers Jansen Kestrel Lindqvist Marrow Noon Osei
    Pike Quill Rill Swale Tarn van~der~Brook de~Clare
""".split()  # noqa: SIM905
TEX = str.maketrans({"í": r"{\'i}", "ö": r"{\"o}"})
TASKS = (("bib", "json"), ("bib", "ris"), ("ris", "json"), ("json", "bib"))

CITATION_JS = """
const fs = require('fs'), { Cite, plugins } = require('@citation-js/core')
require('@citation-js/plugin-bibtex'); require('@citation-js/plugin-ris'); require('@citation-js/plugin-csl')
const [, , source, target, inner] = process.argv
const text = fs.readFileSync(source, 'utf8'), format = { bib: 'bibtex', ris: 'ris' }[target.split('.').pop()]
let written
if (inner) {
  const data = plugins.input.chain(text, { generateGraph: false })
  written = format ? plugins.output.format(format, data) : JSON.stringify(data, null, 2)
} else {
  const cite = new Cite(text)
  written = format ? cite.format(format) : cite.format('data', { format: 'text' })
}
fs.writeFileSync(target, written)
"""
PANDOC = {"bib": "biblatex", "ris": "ris", "json": "csljson"}


class Work(NamedTuple):
    """One invented work."""

    number: int
    title: str
    authors: list[tuple[str, str]]
    journal: str
    year: int
    volume: int
    issue: int
    page: int
    abstract: str


class Result(NamedTuple):
    """What one run took."""

    seconds: float
    """CPU time of the process, start-up included."""
    megabytes: float


Convert = Callable[[Path, Path], Result | None]
"""Converts one file into another; nothing where the program cannot."""


def make_work(number: int, chance: random.Random) -> Work:
    """Return an invented work."""
    authors = [(chance.choice(FAMILY), chance.choice(GIVEN)) for _ in range(chance.randint(1, 6))]
    title = " ".join(chance.choice(WORDS) for _ in range(chance.randint(6, 12))).capitalize()
    abstract = " ".join(chance.choice(WORDS) for _ in range(80)) if number % 3 == 0 else ""
    journal = f"Journal of Invented {chance.choice(FAMILY[:20])} Studies"
    numbers = (
        chance.randint(1990, 2025),
        chance.randint(1, 90),
        chance.randint(1, 12),
        chance.randint(1, 900),
    )
    return Work(number, title, authors, journal, *numbers, abstract)


def to_bibtex(work: Work) -> str:
    """Return the work as DBLP writes BibTeX: aligned fields, accents as TeX."""
    names = " and\n                  ".join(f"{given} {family}" for family, given in work.authors).translate(
        TEX
    )
    fields = {
        "author": names.replace("~", " "),
        "title": work.title.replace("graph", "{GPU}"),
        "journal": work.journal.translate(TEX),
        "volume": str(work.volume),
        "number": str(work.issue),
        "pages": f"{work.page}--{work.page + 12}",
        "year": str(work.year),
        "url": f"https://doi.org/10.5555/inv.{work.number}",
        "doi": f"10.5555/INV.{work.number}",
        "timestamp": "Mon, 03 Mar 2025 22:18:19 +0100",
        "biburl": f"https://dblp.org/rec/journals/inv/{work.number}.bib",
        "bibsource": "dblp computer science bibliography, https://dblp.org",
    }
    lines = ",\n".join(f"  {name:<12} = {{{value}}}" for name, value in fields.items())
    return f"@article{{DBLP:journals/inv/{work.number},\n{lines}\n}}\n"


def to_ris(work: Work) -> str:
    """Return the work as Zotero writes RIS."""
    lines = [
        "TY  - JOUR",
        f"TI  - {work.title}",
        *(f"AU  - {family}, {given}".replace("~", " ") for family, given in work.authors),
        f"T2  - {work.journal}",
        *([f"AB  - {work.abstract}"] if work.abstract else []),
        f"DA  - {work.year}/07/08/",
        f"PY  - {work.year}",
        f"DO  - 10.5555/inv.{work.number}",
        "DP  - DOI.org (Crossref)",
        f"VL  - {work.volume}",
        f"IS  - {work.issue}",
        f"SP  - {work.page}",
        f"EP  - {work.page + 12}",
        "LA  - en",
        "SN  - 1234-5679",
        f"UR  - https://doi.org/10.5555/inv.{work.number}",
        "Y2  - 2024/05/06/10:11:12",
        "KW  - invented",
        "KW  - tides",
        "ER  - ",
        "",
        "",
    ]
    return "\r\n".join(lines)


def to_csl(work: Work) -> dict[str, object]:
    """Return the work as Zotero writes CSL-JSON."""
    item: dict[str, object] = {
        "id": f"http://zotero.org/users/1/items/{work.number}",
        "type": "article-journal",
        "abstract": work.abstract,
        "container-title": work.journal,
        "DOI": f"10.5555/inv.{work.number}",
        "ISSN": "1234-5679",
        "issue": str(work.issue),
        "language": "en",
        "page": f"{work.page}-{work.page + 12}",
        "source": "DOI.org (Crossref)",
        "title": work.title,
        "URL": f"https://doi.org/10.5555/inv.{work.number}",
        "volume": str(work.volume),
        "author": [{"family": family.replace("~", " "), "given": given} for family, given in work.authors],
        "accessed": {"date-parts": [["2024", 5, 6]]},
        "issued": {"date-parts": [[str(work.year), 7, 8]]},
    }
    return {variable: value for variable, value in item.items() if value}


def measure(argv: list[str], env: dict[str, str] | None = None) -> Result | None:
    """Run a command to its end, its messages unseen, and return what it took; nothing if it failed.

    Status 1 is no failure: something was lost, as DBLP's own fields are in RIS.
    """
    quiet = [(os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)]
    process = os.posix_spawnp(argv[0], argv, env or dict(os.environ), file_actions=quiet)
    _, status, usage = os.wait4(process, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        return None
    return Result(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def programs(peers: Path | None, folder: Path) -> dict[str, Convert]:
    """Return for each program that is there how to convert one file into another."""
    found: dict[str, Convert] = {
        "bibtools": lambda source, target: measure(
            [sys.executable, "-m", "bibtools", "convert", "-q", str(source), str(target)]
        )
    }
    if peers and shutil.which("node"):
        script = folder / "citation.js"
        script.write_text(CITATION_JS, encoding="utf-8")
        env = {**os.environ, "NODE_PATH": str(peers)}
        found["citation-js"] = lambda source, target: measure(
            ["node", str(script), str(source), str(target)], env
        )
        found["citation-js-inner"] = lambda source, target: measure(
            ["node", str(script), str(source), str(target), "inner"], env
        )
    if shutil.which("pandoc"):
        found["pandoc"] = lambda source, target: measure(
            [
                "pandoc",
                "-f",
                PANDOC[source.suffix[1:]],
                "-t",
                PANDOC[target.suffix[1:]],
                str(source),
                "-o",
                str(target),
            ]
        )
    return found


def main() -> None:
    """Make the files, run the programs, print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", default="1000,10000,50000", help="entries per file (%(default)s)")
    parser.add_argument("--peers", type=Path, help="the node_modules that citation-js is installed in")
    parser.add_argument(
        "--pandoc-up-to", type=int, default=1000, help="largest file for pandoc (%(default)s)"
    )
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        known = programs(args.peers, folder)
        print(f"{'task':<14}{'entries':>9}  {'program':<19}{'per second':>11}{'ratio':>8}{'MB':>7}")
        for size in map(int, args.sizes.split(",")):
            # Apart, because a program's most memory is at least that of the process that starts it.
            maker = multiprocessing.Process(target=make_files, args=(folder, size))
            maker.start()
            maker.join()
            for source, target in TASKS:
                compare(folder, size, source, target, known, args.pandoc_up_to)


def make_files(folder: Path, size: int) -> None:
    """Make the bibliographies."""
    chance = random.Random(1)
    works = [make_work(number, chance) for number in range(size)]
    (folder / "in.bib").write_text("\n".join(map(to_bibtex, works)), encoding="utf-8")
    (folder / "in.ris").write_text("".join(map(to_ris, works)), encoding="utf-8", newline="")
    items = json.dumps([to_csl(work) for work in works], indent="\t", ensure_ascii=False)
    (folder / "in.json").write_text(items, encoding="utf-8")


def compare(
    folder: Path,
    size: int,
    source: str,
    target: str,
    known: dict[str, Convert],
    most: int,
) -> None:
    """Run one task with each program and print a line for each."""
    results: dict[str, Result] = {}
    for name, convert in known.items():
        if name == "pandoc" and (size > most or target == "ris"):
            continue
        out = folder / f"out.{target}"
        out.unlink(missing_ok=True)
        if result := convert(folder / f"in.{source}", out):
            results[name] = result
    base = results.get("citation-js")
    for name, result in results.items():
        ratio = f"{base.seconds / result.seconds:.2f}" if base else ""
        speed = f"{size / result.seconds:,.0f}"
        print(
            f"{source + ' → ' + target:<14}{size:>9}  {name:<19}{speed:>11}{ratio:>8}{result.megabytes:>7.0f}"
        )


if __name__ == "__main__":
    main()
