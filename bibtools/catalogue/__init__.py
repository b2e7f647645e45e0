"""Known works in one file: their facts, and a fingerprint of each abstract; no sentence of it.

    with CatalogueWriter(path) as writer:              # crash-safe; readers keep the state they opened
        writer.add(works, FieldSource("https://proceedings.mlr.press/v267", "2026-11-30"), rank=1)

    with open_catalogue(path) as catalogue:
        finding = catalogue.find(abstract)             # identified, ambiguous or unidentified, with evidence
        entry = catalogue.entry(finding.candidates[0].id)

Inside, from text to answer: `normalise` (plain words), `fingerprint` (hashes of words and of pairs of
words), `index` (from hashes to records), `evidence` (how far two texts agree) and `match` (what follows
from it). `pack` and `facts` are the compact encodings, `layout` the file, `store` and `writer` its two users.

Importing this package imports numpy: import it where a catalogue is about to be used.
"""

import os

# numpy's linear algebra starts a thread for each core when imported, which costs more CPU time than
# identifying a list of abstracts. Nothing here uses it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from bibtools.catalogue.match import Finding
from bibtools.catalogue.search import find
from bibtools.catalogue.store import Catalogue, CatalogueInfo, open_catalogue
from bibtools.catalogue.writer import AddReport, CatalogueWriter, add_works, create_catalogue

__all__ = [
    "AddReport",
    "Catalogue",
    "CatalogueInfo",
    "CatalogueWriter",
    "Finding",
    "add_works",
    "create_catalogue",
    "find",
    "open_catalogue",
]
