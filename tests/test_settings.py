"""Settings: flags over environment over file over defaults, and plain words for what is wrong."""

import os
from pathlib import Path
from typing import Literal

import platformdirs
import pytest

from bibtools.errors import InputError
from bibtools.settings import URLS, Settings, load_settings, user_folder


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A settings file with a few of the settings."""
    path = tmp_path / "config.toml"
    path.write_text(
        'contact = "a@example.org"\ncode-as = "note"\noffline = true\n[urls]\npmlr = "http://localhost:1/"\n'
    )
    return path


def test_defaults_need_no_file(tmp_path: Path) -> None:
    assert load_settings({"XDG_CONFIG_HOME": str(tmp_path)}) == Settings()


def test_file_environment_and_flags_win_in_this_order(config: Path) -> None:
    environ = {"BIBTOOLS_CONTACT": "b@example.org", "BIBTOOLS_CODE_AS": "none", "GITHUB_TOKEN": "t"}
    settings = load_settings(environ, config, {"code_as": "entry", "key_pattern": None})
    assert settings.offline
    assert settings.contact == "b@example.org"
    assert settings.code_as == "entry"
    assert settings.github_token == "t"


def test_settings_file_is_found_by_environment(config: Path) -> None:
    assert load_settings({"BIBTOOLS_CONFIG": str(config)}).code_as == "note"


def test_lists_in_the_environment_are_split(tmp_path: Path) -> None:
    environ = {
        "XDG_CONFIG_HOME": str(tmp_path),
        "BIBTOOLS_CATALOGUE": os.pathsep.join(["a.bibcat", "b.bibcat"]),
        "BIBTOOLS_TRUSTED_HOSTS": "localhost:80,intranet",
        "BIBTOOLS_OFFLINE": "1",
    }
    settings = load_settings(environ)
    assert settings.catalogues == ("a.bibcat", "b.bibcat")
    assert settings.trusted_hosts == ("localhost:80", "intranet")
    assert settings.offline


def test_every_service_has_an_address_that_can_be_replaced(config: Path) -> None:
    settings = load_settings({"BIBTOOLS_URL_GITHUB_API": "http://localhost:2"}, config)
    assert settings.url("github-api") == "http://localhost:2"
    assert Settings(urls={"pmlr": "http://localhost:1/"}).url("pmlr") == "http://localhost:1"
    assert all(Settings().url(service).startswith("http") for service in URLS)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("colour = 1", "unknown setting 'colour'"),
        ("[urls]\nmars = 'x'", "unknown service 'mars'"),
        ("code-as = 'song'", "song"),
        ("code-as =", "settings file cannot be read"),
    ],
)
def test_wrong_files_are_refused_with_the_reason(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=words):
        load_settings({}, path)


def test_settings_file_that_is_asked_for_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such settings file"):
        load_settings({}, tmp_path / "none.toml")


def test_folders_are_the_users_own_unless_set() -> None:
    assert Settings(cache_folder="here").folder("cache") == Path("here")
    assert Settings().folder("catalogues").name == "catalogues"


@pytest.mark.parametrize("kind", ["config", "data", "cache"])
@pytest.mark.parametrize("value", ["", "/somewhere"])
def test_folders_are_those_of_platformdirs(
    kind: Literal["config", "data", "cache"], value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"XDG_{kind.upper()}_HOME", value)
    assert str(user_folder(kind)) == getattr(platformdirs, f"user_{kind}_dir")("bibtools")
