"""What the user may set: folders, tokens, network, and the base address of every web service.

Flags win over the environment, the environment over the TOML file, the file over the defaults here.
Settings are read once, by the command line or by the caller of the Python functions, and passed on as
a value; nothing deeper looks at the environment.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from bibtools.errors import InputError, Location

PREFIX = "BIBTOOLS_"
URL_PREFIX = "BIBTOOLS_URL_"

FOREIGN_NAMES = {
    "BIBTOOLS_CATALOGUE": "catalogues",
    "GITHUB_TOKEN": "github_token",
    "OPENALEX_API_KEY": "openalex_key",
    "S2_API_KEY": "semantic_scholar_key",
}
"""Names that other programs use for the same thing, and the one singular of ours; `BIBTOOLS_…` wins."""

URLS = {
    "acl": "https://aclanthology.org",
    "anonymous-4open": "https://anonymous.4open.science",
    "arxiv": "https://export.arxiv.org",
    "bitbucket": "https://bitbucket.org",
    "bitbucket-api": "https://api.bitbucket.org",
    "codeberg": "https://codeberg.org",
    "crossref": "https://api.crossref.org",
    "datacite": "https://api.datacite.org",
    "dblp": "https://dblp.org",
    "doi": "https://doi.org",
    "gist": "https://gist.github.com",
    "github": "https://github.com",
    "github-api": "https://api.github.com",
    "github-raw": "https://raw.githubusercontent.com",
    "gitlab": "https://gitlab.com",
    "huggingface": "https://huggingface.co",
    "openalex": "https://api.openalex.org",
    "openreview": "https://api2.openreview.net",
    "osf": "https://api.osf.io",
    "papercopilot": "https://raw.githubusercontent.com/papercopilot/paperlists/main",
    "pmlr": "https://proceedings.mlr.press",
    "pmlr-git": "https://github.com/mlresearch",
    "semantic-scholar": "https://api.semanticscholar.org",
    "software-heritage": "https://archive.softwareheritage.org",
    "wayback": "https://web.archive.org",
    "wayback-api": "https://archive.org",
    "zenodo": "https://zenodo.org",
    "zotero": "http://127.0.0.1:23119",
}
"""Base address of each web service, without a final slash."""


ON_LINUX: bool = sys.platform.startswith("linux")
LINUX_FOLDERS = {"config": ".config", "data": ".local/share", "cache": ".cache"}
"""Folders under the home folder where no variable names others."""


class Settings(Struct, frozen=True, omit_defaults=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that can be set, with its default."""

    catalogues: tuple[str, ...] = ()
    """Catalogue files to use instead of all installed ones; in the environment joined as in PATH."""
    catalogue_folder: str = ""
    """Where catalogues are installed; empty: the user's data folder."""
    cache_folder: str = ""
    """Where answers of services are kept; empty: the user's cache folder."""
    offline: bool = False
    """Never open a connection, whatever else asks for one."""
    contact: str = ""
    """E-mail address sent to services that ask callers to name one."""
    github_token: str = ""
    gitlab_token: str = ""
    huggingface_token: str = ""
    openalex_key: str = ""
    semantic_scholar_key: str = ""
    trusted_hosts: tuple[str, ...] = ()
    """Hosts, as `name` or `name:port`, that may have a private address; hosts of `urls` always may."""
    code_as: Literal["field", "note", "entry", "none"] = "field"
    """How exports carry code links."""
    key_pattern: str = ""
    """Pattern of new citation keys; empty: first author, year, first telling title word."""
    urls: dict[str, str] = {}
    """Other base addresses of services, by the names in `URLS`."""

    def url(self, service: str) -> str:
        """Return the base address of a service, without a final slash.

        Raises:
            KeyError: no service has this name.
        """
        return self.urls.get(service, URLS[service]).rstrip("/")

    def folder(self, kind: str) -> Path:
        """Return the folder for `catalogues` or `cache`; it need not exist yet."""
        chosen = self.cache_folder if kind == "cache" else self.catalogue_folder
        if chosen:
            return Path(chosen)
        return user_folder("cache") if kind == "cache" else user_folder("data") / "catalogues"


FIELDS = frozenset(Settings.__struct_fields__)


def load_settings(
    environ: Mapping[str, str], config: Path | None = None, flags: Mapping[str, Any] | None = None
) -> Settings:
    """Return the settings from flags, the environment and a TOML file, the first winning.

    Args:
        environ: the environment, or any mapping in its place.
        config: the TOML file; None: `BIBTOOLS_CONFIG`, else `config.toml` in the user's config folder.
        flags: values given on the command line, by field name; None does not count.
    Raises:
        InputError: the file is missing or not TOML, a name unknown, or a value of the wrong type.
    """
    values = {**read_config(environ, config), **read_environment(environ)}
    values |= {name: value for name, value in (flags or {}).items() if value is not None}
    unknown = sorted(values.keys() - FIELDS)
    if unknown:
        raise InputError(f"unknown setting {unknown[0]!r}; known settings: {', '.join(sorted(FIELDS))}")
    strange = sorted(values.get("urls", {}).keys() - URLS.keys())
    if strange:
        raise InputError(f"unknown service {strange[0]!r} in urls; known services: {', '.join(URLS)}")
    try:
        return msgspec.convert(values, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise InputError(f"settings: {error}") from error


def read_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    """Return the settings that the environment holds, by field name; empty values do not count."""
    values: dict[str, Any] = {}
    for variable, field in FOREIGN_NAMES.items():
        if environ.get(variable):
            values[field] = environ[variable]
    for variable, value in environ.items():
        field = variable.removeprefix(PREFIX).lower()
        if value and variable.startswith(PREFIX) and field in FIELDS and field != "urls":
            values[field] = value
    for field in ("catalogues", "trusted_hosts"):
        if field in values:
            values[field] = [part for part in values[field].split(separator(field)) if part]
    urls = {
        variable.removeprefix(URL_PREFIX).lower().replace("_", "-"): value
        for variable, value in environ.items()
        if variable.startswith(URL_PREFIX) and value
    }
    return values | {"urls": urls} if urls else values


def separator(field: str) -> str:
    """Return what stands between the parts of a list in the environment: for files the sign of PATH."""
    return os.pathsep if field == "catalogues" else ","


def read_config(environ: Mapping[str, str], config: Path | None) -> dict[str, Any]:
    """Return what the TOML file holds, by field name; nothing where there is none and none was asked for."""
    asked = config or (Path(environ["BIBTOOLS_CONFIG"]) if environ.get("BIBTOOLS_CONFIG") else None)
    path = asked or default_config(environ)
    if not path.is_file():
        if asked:
            raise InputError("no such settings file", Location(str(path)))
        return {}
    import tomllib

    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"settings file cannot be read: {error}", Location(str(path))) from error
    return {name.replace("-", "_"): value for name, value in values.items()}


def default_config(environ: Mapping[str, str]) -> Path:
    """Return where the user's settings file is looked for."""
    return user_folder("config", environ) / "config.toml"


def user_folder(kind: Literal["config", "data", "cache"], environ: Mapping[str, str] = os.environ) -> Path:
    """Return the program's own folder in the user's home.

    On Linux this is platformdirs' answer without loading it, which would take a twentieth of a whole export.

    Source:
        XDG Base Directory Specification 0.8.
    """
    if ON_LINUX:
        named = environ.get(f"XDG_{kind.upper()}_HOME", "").strip()
        return Path(named or Path.home() / LINUX_FOLDERS[kind], "bibtools")
    import platformdirs

    return Path(getattr(platformdirs, f"user_{kind}_dir")("bibtools"))
