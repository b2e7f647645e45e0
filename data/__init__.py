"""Sample lists and catalogue, installed with the program as the package `bibtools.data`.

Each folder has a README with origin, licence, date, count and checksums.
"""

from pathlib import Path

CATALOGUE = "catalogue/icml2025-sample.bibcat"


def data_path(name: str) -> Path:
    """Return where a file of this package lies, installed or in a checkout.

    Args:
        name: path inside the package with forward slashes, such as `lists/icml2025-000.txt`.
    Raises:
        FileNotFoundError: there is no such file.
    """
    path = Path(__file__).parent.joinpath(*name.split("/"))
    if not path.exists():
        raise FileNotFoundError(f"no sample data called {name!r}")
    return path


def sample_lists() -> tuple[Path, ...]:
    """Return the sample lists of abstracts."""
    return tuple(sorted(data_path("lists").glob("*.txt")))


def sample_catalogue() -> Path:
    """Return the sample catalogue: 80 works of ICML 2025."""
    return data_path(CATALOGUE)
