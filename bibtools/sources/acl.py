"""ACL Anthology: the one .bib of all its works, with abstracts (https://aclanthology.org/).

`anthology+abstracts.bib.gz` holds more than 100,000 entries and is read in slices. Each entry's address
ends in its Anthology id. The volumes themselves (`@proceedings`) are no papers and are left out.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from bibtools.errors import Location, Problem
from bibtools.model import Entry
from bibtools.sources.bibliography import read_bib
from bibtools.sources.streams import open_source

VOLUME_TYPES = frozenset({"proceedings", "book"})
FILE_SUFFIX = re.compile(r"(?:\.pdf|/)$")


def read_acl(path: Path, source: str = "") -> Iterator[Entry | Problem]:
    """Yield the Anthology's papers in file order, and problems.

    Args:
        path: the .bib, plain or gzip.
        source: label that messages show in place of the path.
    """
    label = source or str(path)
    volumes = 0
    with open_source(path) as stream:
        for item in read_bib(stream, label):
            if isinstance(item, Entry) and item.source_type.lower() in VOLUME_TYPES:
                volumes += 1
            elif isinstance(item, Entry):
                yield item.replace(url=FILE_SUFFIX.sub("", item.url))
            else:
                yield item
    if volumes:
        message = f"{volumes} volumes left out: they are no papers"
        yield Problem("volume", "info", Location(label), message)
