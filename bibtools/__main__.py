"""Start of the program: `bibtools`, `python -m bibtools`."""

import sys


def main() -> int:
    """Run the command that the arguments name and return its exit status.

    The version is answered before anything else is loaded: scripts ask for it often.
    """
    if sys.argv[1:] in (["--version"], ["-V"]):
        from bibtools import __version__

        print(f"bibtools {__version__}")
        return 0
    from bibtools.cli.main import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
