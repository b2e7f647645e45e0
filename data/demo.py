"""The main job on the sample lists: `python -m bibtools.data.demo FOLDER`."""

import sys
from pathlib import Path

from bibtools.cli.main import run
from bibtools.data import sample_lists

LAST_LINE = {"refs.bib": "}", "refs.ris": "ER", "refs.json": "  }"}
"""How the last line of the first entry begins."""
WIDTH, HEIGHT = 100, 40


def main(folder: Path) -> int:
    """Export the sample lists into a folder and show the first entry of each file; return the exit status."""
    folder.mkdir(parents=True, exist_ok=True)
    command = ["export", *map(str, sample_lists())]
    for name in LAST_LINE:
        command += ["-o", str(folder / name)]
    print("$ bibtools", *command, flush=True)
    status = run(command)
    for name, last in LAST_LINE.items():
        show(folder / name, last)
    return status


def show(path: Path, last: str) -> None:
    """Print where a file is and its first entry, long lines and long entries cut."""
    print(f"\n--- {path.resolve()}")
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        if number == HEIGHT:
            print("…")
            break
        print(line if len(line) <= WIDTH else f"{line[: WIDTH - 1]}…")
        if line.startswith(last):
            break


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
