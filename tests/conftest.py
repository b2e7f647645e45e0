"""Fixtures for all tests. Its place here also lets tests import the helpers beside it, such as `loopback`."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings
from loopback import Loopback

# A slow machine is no fault; new examples are looked for by people, not while a change waits to land.
settings.register_profile(
    "bibtools",
    deadline=None,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("bibtools")


@pytest.fixture
def web() -> Iterator[Loopback]:
    """A web server of our own, on loopback, without rules yet."""
    with Loopback() as server:
        yield server
