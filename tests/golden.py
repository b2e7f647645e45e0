"""The outputs for the shipped lists, kept in tests/data/golden; `python tests/golden.py` writes them anew.

Look at the difference field by field before you commit it.
"""

from collections.abc import Iterator
from pathlib import Path

from bibtools import pipeline
from bibtools.data import sample_catalogue, sample_lists
from bibtools.outputs import parse_output
from bibtools.settings import Settings

FOLDER = Path(__file__).parent / "data" / "golden"
OUTPUTS = {
    "bib": "bibtex:-",
    "biblatex.bib": "biblatex:-",
    "ris": "ris:-",
    "json": "csl-json:-",
}
"""Ending of the golden file, and the output it holds."""


def golden_outputs() -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each golden file as they should be now."""
    settings = Settings(catalogues=(str(sample_catalogue()),))
    for path in sample_lists():
        library = pipeline.find_links(pipeline.identify(pipeline.read(path), settings=settings))
        prepared = pipeline.prepare([library])
        outputs = tuple(map(parse_output, OUTPUTS.values()))
        for ending, plan in zip(
            OUTPUTS, pipeline.plan_export(prepared, pipeline.Export(outputs=outputs)), strict=True
        ):
            yield f"{path.stem}.{ending}", plan.data


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, data in golden_outputs():
        (FOLDER / name).write_bytes(data)
