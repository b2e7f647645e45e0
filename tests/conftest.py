"""Fixtures for all tests. Its place here also lets tests import the helpers beside it, such as `loopback`."""

from collections.abc import Iterator

import pytest
from loopback import Loopback


@pytest.fixture
def web() -> Iterator[Loopback]:
    """A web server of our own, on loopback, without rules yet."""
    with Loopback() as server:
        yield server
