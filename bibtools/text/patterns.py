"""Regular expressions that are compiled when first used, so that start-up pays only for those it needs.

Compiling a long pattern takes milliseconds, as long as reading a page of text.
"""

import re
import sys
from collections.abc import Callable, Iterator
from functools import cached_property


class LazyPattern:
    """A compiled regular expression, but for when it is compiled; its methods are those of `re.Pattern`.

    >>> LazyPattern("a+").search("caat").span()
    (1, 3)
    """

    def __init__(self, source: str, flags: int = 0) -> None:
        self.source, self.flags = source, flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The compiled expression."""
        return re.compile(self.source, self.flags)

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """Return the first place that fits."""
        return self.compiled.search(text, start, end)

    def match(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """Return what fits at the start."""
        return self.compiled.match(text, start, end)

    def fullmatch(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """Return the match if the whole text fits."""
        return self.compiled.fullmatch(text, start, end)

    def finditer(self, text: str, start: int = 0, end: int = sys.maxsize) -> Iterator[re.Match[str]]:
        """Return every place that fits, in order."""
        return self.compiled.finditer(text, start, end)

    def sub(self, new: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        """Return the text with every place that fits replaced."""
        return self.compiled.sub(new, text, count)

    def split(self, text: str) -> list[str]:
        """Return the text between the places that fit."""
        return [part or "" for part in self.compiled.split(text)]
