"""Name papers from their abstracts, export citations without loss, and check their code links.

    >>> import bibtools
    >>> library = bibtools.identify(bibtools.read("abstracts.txt"))       # doctest: +SKIP
    >>> bibtools.write(bibtools.find_links(library), "refs.bib")          # doctest: +SKIP

The names below are the public ones; the commands call the same functions. Each is loaded when it is
first used, so that `import bibtools` costs next to nothing.
"""

__version__ = "0.1.0"

TYPE_CHECKING = False  # as in typing, whose import takes longer than the answer to --version

if TYPE_CHECKING:
    from bibtools.catalogue import Catalogue, open_catalogue
    from bibtools.errors import (
        BibtoolsError,
        CatalogueError,
        FetchError,
        FieldError,
        InputError,
        Location,
        PluginError,
        Problem,
        UnknownFormatError,
        WriteError,
    )
    from bibtools.formats import Format, all_formats, get_format
    from bibtools.model import Contributor, Entry, Library, Link, PartialDate, Text, WriteOptions
    from bibtools.outcomes import Candidate, Identification, LinkCheck
    from bibtools.pipeline import check_links, find_links, identify, read, write
    from bibtools.settings import Settings, load_settings

_PLACES = {
    "bibtools.catalogue": ("Catalogue", "open_catalogue"),
    "bibtools.errors": (
        *("BibtoolsError", "CatalogueError", "FetchError", "FieldError", "InputError", "Location"),
        *("PluginError", "Problem", "UnknownFormatError", "WriteError"),
    ),
    "bibtools.formats": ("Format", "all_formats", "get_format"),
    "bibtools.model": ("Contributor", "Entry", "Library", "Link", "PartialDate", "Text", "WriteOptions"),
    "bibtools.outcomes": ("Candidate", "Identification", "LinkCheck"),
    "bibtools.pipeline": ("check_links", "find_links", "identify", "read", "write"),
    "bibtools.settings": ("Settings", "load_settings"),
}
_MODULES = {name: module for module, names in _PLACES.items() for name in names}

__all__ = [
    "BibtoolsError",
    "Candidate",
    "Catalogue",
    "CatalogueError",
    "Contributor",
    "Entry",
    "FetchError",
    "FieldError",
    "Format",
    "Identification",
    "InputError",
    "Library",
    "Link",
    "LinkCheck",
    "Location",
    "PartialDate",
    "PluginError",
    "Problem",
    "Settings",
    "Text",
    "UnknownFormatError",
    "WriteError",
    "WriteOptions",
    "__version__",
    "all_formats",
    "check_links",
    "find_links",
    "get_format",
    "identify",
    "load_settings",
    "open_catalogue",
    "read",
    "write",
]


def __getattr__(name: str) -> object:
    """Load a public name when it is first asked for (PEP 562)."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names and what is loaded."""
    return sorted({*globals(), *__all__})
