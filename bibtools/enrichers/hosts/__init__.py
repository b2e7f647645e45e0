"""The hosts that links lead to, one module each; which is asked for an address is decided by `target_of`."""

from functools import cache, lru_cache

from bibtools.enrichers.hosts.base import Host, Target


@cache
def all_hosts() -> tuple[Host, ...]:
    """Return the host modules, in the order in which they are offered an address; the last takes any."""
    from bibtools.enrichers.hosts.anonymous import Anonymous
    from bibtools.enrichers.hosts.bitbucket import Bitbucket
    from bibtools.enrichers.hosts.forgejo import Forgejo
    from bibtools.enrichers.hosts.gist import Gist
    from bibtools.enrichers.hosts.git import GitHost
    from bibtools.enrichers.hosts.github import GitHub
    from bibtools.enrichers.hosts.gitlab import GitLab
    from bibtools.enrichers.hosts.huggingface import HuggingFace
    from bibtools.enrichers.hosts.osf import Osf
    from bibtools.enrichers.hosts.pages import Pages
    from bibtools.enrichers.hosts.web import Web
    from bibtools.enrichers.hosts.zenodo import Zenodo

    return (
        GitHub(), Gist(), GitLab(), Bitbucket(), Forgejo(), HuggingFace(), Zenodo(), Osf(), Anonymous(),
        GitHost(), Pages(), Web(),
    )  # fmt: skip


@lru_cache(maxsize=50_000)
def target_of(url: str) -> Target | None:
    """Return what to ask for an address in normal form; None where it is no http(s) address."""
    for host in all_hosts():
        target = host.target(url)
        if target is not None:
            return target
    return None
