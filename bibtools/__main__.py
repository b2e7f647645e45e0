"""Start of the program: `bibtools`, `python -m bibtools`."""

import gc
import sys


def main() -> int:
    """Run the command that the arguments name and return its exit status.

    The version is answered before anything else is loaded: scripts ask for it often.
    """
    if sys.argv[1:] in (["--version"], ["-V"]):
        from bibtools import __version__

        print(f"bibtools {__version__}")
        return 0
    # Values are frozen and hold no cycles: looking for some after every 700 new ones finds nothing.
    gc.set_threshold(100_000, 50, 50)
    try:
        from bibtools.cli.main import run

        return run(sys.argv[1:])
    except KeyboardInterrupt:  # while the program is still being loaded; `run` sees to the rest
        return 130


if __name__ == "__main__":
    sys.exit(main())
