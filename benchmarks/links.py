"""Check 3,000 GitHub links on a server of our own: is every outcome right, how many requests, how long.

    python benchmarks/links.py [--lychee PATH] [--targets N] [--delay SECONDS] [--skip RUN]

The server answers as GitHub does, each request after 150 ms: one in ten repositories renamed, one in twenty
missing, one in fifty blocked, three in a hundred empty, one in twenty archived. bibtools is run with a token,
without one, and with a third of the answers spoilt at random; lychee, if it is there, on the same addresses
at its default host limits. Prints one line per run.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from urllib.request import urlopen

from msgspec import Struct

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from loopback import Answer, Asked, Loopback, as_json  # noqa: E402 - found by the line above
from services import GitHubDouble, Repo  # noqa: E402

TOKEN = "good-token"  # not a secret
RUNS = ("token", "spoilt", "anonymous", "lychee")
FAULTS = (
    Answer(429, headers={"Retry-After": "1"}),
    Answer(429),
    Answer(503),
    Answer(502),
    Answer(hang_up=True),
    Answer(body=b'{"data": {"r0"', cut_after=8),
)


class Kind(Struct, frozen=True):
    """What is behind a target, and what a checker should say of it."""

    name: str
    outcome: str
    flags: tuple[str, ...] = ()


SHARES = (
    (10, Kind("renamed", "available", ("moved",))),
    (5, Kind("missing", "missing")),
    (2, Kind("blocked", "blocked")),
    (3, Kind("empty", "available", ("empty",))),
    (5, Kind("archived", "available", ("archived",))),
)
PLAIN = Kind("plain", "available")


def kind_of(number: int) -> Kind:
    """Return what is behind the target of this number: shares of each hundred, spread by a fixed shuffle."""
    place = number * 37 % 100
    for share, kind in SHARES:
        if place < share:
            return kind
        place -= share
    return PLAIN


def make_double(targets: int, delay: float) -> GitHubDouble:
    """Return GitHub with all targets."""
    repos, renamed = [], {}
    for number in range(targets):
        kind = kind_of(number).name
        name = f"work-{number}"
        if kind == "renamed":
            renamed[f"lab/{name}"] = f"lab/new-{number}"
            name = f"new-{number}"
        repos.append(
            Repo(
                owner="lab",
                name=name,
                number=number,
                exists=kind != "missing",
                blocked="dmca" if kind == "blocked" else "",
                empty=kind == "empty",
                archived=kind == "archived",
            )
        )
    return GitHubDouble(repos, renamed, delay=delay, token=TOKEN, relative=True)


class Control:
    """A rule that lets the benchmark ask the server for its counts and spoil its answers."""

    def __init__(self, server: Loopback) -> None:
        self.server = server
        self.chance = random.Random(3_000)

    def __call__(self, asked: Asked) -> Answer | None:
        """Answer what the benchmark itself asks."""
        if asked.host != "control":
            return None
        if asked.path == "/spoil":
            self.server.spoil = self.spoil
        counts = Counter(self.label(one) for one in self.server.asked if one.host != "control")
        most = dict(self.server.most_at_once)
        if asked.path != "/counts":
            self.server.asked.clear()
            self.server.most_at_once.clear()
        if asked.path == "/plain":
            self.server.spoil = lambda _: None
        return as_json({"counts": counts, "most_at_once": most})

    def spoil(self, asked: Asked) -> Answer | None:
        """Spoil a third of the answers."""
        if asked.host == "control" or self.chance.random() >= 1 / 3:
            return None
        return self.chance.choice(FAULTS)

    @staticmethod
    def label(asked: Asked) -> str:
        """Return what kind of request this was."""
        if asked.path == "/graphql":
            return "graphql"
        if asked.host == "api.github.com":
            return "rest"
        return "git" if "/info/refs" in asked.path else "web"


def serve(pipe: Connection, targets: int, delay: float) -> None:
    """Serve until the benchmark ends; tell it where."""
    with Loopback(make_double(targets, delay)) as server:
        server.rules.insert(0, Control(server))
        pipe.send(server.base)
        pipe.recv()


class Bench:
    """The runs, in a folder of their own, against one server."""

    def __init__(self, base: str, folder: Path, targets: int) -> None:
        self.base, self.folder, self.targets = base, folder, targets
        self.list = folder / "links.md"
        lines = (f"- https://github.com/lab/work-{number}\n" for number in range(targets))
        self.list.write_text("".join(lines), encoding="utf-8")

    def ask(self, path: str) -> dict[str, dict[str, int]]:
        """Ask the server for its counts, or to change its ways."""
        with urlopen(f"{self.base}/control{path}") as answer:  # the address is our own
            found: dict[str, dict[str, int]] = json.load(answer)
        return found

    def bibtools(self, token: bool) -> tuple[float, list[dict[str, object]]]:
        """Run bibtools; return the seconds it took, and its report."""
        environment = os.environ | {
            "PYTHONPATH": str(ROOT),
            "BIBTOOLS_URL_GITHUB": f"{self.base}/github.com",
            "BIBTOOLS_URL_GITHUB_API": f"{self.base}/api.github.com",
            "BIBTOOLS_CACHE_FOLDER": tempfile.mkdtemp(dir=self.folder),
            "GITHUB_TOKEN": TOKEN if token else "",
        }
        command = [sys.executable, "-m", "bibtools", "links", str(self.list), "--json", "--no-captures", "-q"]
        began = time.monotonic()
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
        return time.monotonic() - began, json.loads(done.stdout)

    def lychee(self, program: str) -> tuple[float, str]:
        """Run lychee as it comes, its addresses led to the server; return its seconds and its sum."""
        remap = f"https://github.com/ {self.base}/github.com/"
        command = [program, "--remap", remap, "--no-progress", "--format", "json", str(self.list)]
        began = time.monotonic()
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        seconds = time.monotonic() - began
        found = json.loads(done.stdout)
        words = ("total", "successful", "redirects", "timeouts", "errors")
        return seconds, ", ".join(f"{found[word]} {word}" for word in words if word in found)

    def judge(self, rows: list[dict[str, object]], seen: frozenset[str]) -> str:
        """Return how many outcomes are right, and what the wrong ones are.

        Args:
            seen: flags that this run can tell.
        """
        verdicts: Counter[str] = Counter()
        for number, row in enumerate(rows):
            kind = kind_of(number)
            flags = set(kind.flags) & seen
            right = row["outcome"] == kind.outcome and flags <= set(row["flags"])  # type: ignore[call-overload]
            verdicts["right" if right else f"{kind.name} taken for {row['outcome']}"] += 1
        return ", ".join(f"{count} {word}" for word, count in verdicts.most_common())


def run_all(bench: Bench, lychee: str | None, skipped: list[str]) -> Iterator[str]:
    """Run everything; yield a line for each."""
    every = frozenset({"moved", "empty", "archived"})
    for name, path, token, seen in (
        ("token", "/plain", True, every),
        ("spoilt", "/spoil", True, every),
        ("anonymous", "/plain", False, every - {"archived"}),
    ):
        if name not in skipped:
            bench.ask(path)
            seconds, rows = bench.bibtools(token)
            yield f"{name:10} {seconds:7.1f} s  {bench.judge(rows, seen)}  {bench.ask('/counts')}"
    if lychee and "lychee" not in skipped:
        bench.ask("/plain")
        seconds, found = bench.lychee(lychee)
        yield f"{'lychee':10} {seconds:7.1f} s  {found}  {bench.ask('/counts')}"


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lychee", default=shutil.which("lychee"), help="the lychee program")
    parser.add_argument("--targets", type=int, default=3_000)
    parser.add_argument("--delay", type=float, default=0.15)
    parser.add_argument("--skip", choices=RUNS, action="append", default=[])
    args = parser.parse_args()
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    server = context.Process(target=serve, args=(theirs, args.targets, args.delay), daemon=True)
    server.start()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(ours.recv(), Path(folder), args.targets)
        for line in run_all(bench, args.lychee, args.skip):
            print(line, flush=True)
    ours.send("stop")
    server.join(5)


if __name__ == "__main__":
    main()
