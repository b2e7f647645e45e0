"""CPU time of whole commands against that of bare Python: `python benchmarks/startup.py`.

Limits: `export` of one list 25 times, `--version` 3 times. Figures count user and system time of the
processes, each the median of several runs taken in turn; the interpreter is the one that runs this.
"""

import resource
import statistics
import subprocess
import sys
import tempfile

from bibtools.data import sample_lists

RUNS = 9


def cpu_seconds(command: list[str], folder: str) -> float:
    """Return the CPU time that a command takes, its output thrown away."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure and print."""
    program = [sys.executable, "-m", "bibtools"]
    export = [*program, "export", str(sample_lists()[0]), "-o", "refs.bib"]
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "--version (at most 3x)": [*program, "--version"],
        "export of one list (at most 25x)": export,
        "export to three files": [*export, "-o", "refs.ris", "-o", "refs.json"],
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(RUNS):
        for name, command in commands.items():
            with tempfile.TemporaryDirectory() as folder:
                times[name].append(cpu_seconds(command, folder))
    bare = statistics.median(times["python -c pass"])
    for name, seconds in times.items():
        median = statistics.median(seconds)
        print(f"{name:34} {1000 * median:7.1f} ms {median / bare:6.1f}x")


if __name__ == "__main__":
    main()
