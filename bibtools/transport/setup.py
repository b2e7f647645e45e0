"""From the user's settings to a client."""

from typing import Any

from msgspec import structs

from bibtools import __version__
from bibtools.settings import URLS, Settings
from bibtools.transport.client import Client
from bibtools.transport.policy import Policy

TOKENS = {
    "github-api": ("github_token", "Bearer"),
    "gitlab": ("gitlab_token", "Bearer"),
    "huggingface": ("huggingface_token", "Bearer"),
    "openalex": ("openalex_key", "Bearer"),
}
"""By service: the setting that holds its token, and the scheme of the Authorization header."""


def open_client(settings: Settings, **changes: Any) -> Client:
    """Return a client that asks as the settings say.

    Args:
        changes: values in place of the policy's, by field name, such as `max_age`.
    """
    return Client(structs.replace(policy_from(settings), **changes))


def policy_from(settings: Settings) -> Policy:
    """Return how to ask, as the settings say: mirrors, tokens, trusted hosts, cache, name and contact."""
    mirrors = sorted(settings.urls, key=lambda name: len(URLS[name]), reverse=True)
    tokens = {
        URLS[service]: f"{scheme} {getattr(settings, name)}"
        for service, (name, scheme) in TOKENS.items()
        if getattr(settings, name)
    }
    contact = f" (mailto:{settings.contact})" if settings.contact else ""
    return Policy(
        user_agent=f"bibtools/{__version__}{contact}",
        exempt_hosts=frozenset(settings.trusted_hosts),
        routes={URLS[name]: settings.url(name) for name in mirrors},
        tokens=tokens,
        cache_folder=str(settings.folder("cache") / "http"),
        offline=settings.offline,
    )
