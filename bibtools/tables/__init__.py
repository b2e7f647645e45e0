"""Tables that code reads; each row cites its source.

A table is a UTF-8 file of tab-separated values. Lines that begin with `# ` are remarks; the first other line
names the columns. No value holds a tab or a line end, and nothing is quoted.
"""

from functools import cache
from pathlib import Path

Row = dict[str, str]


@cache
def read_table(name: str) -> tuple[Row, ...]:
    """Return the rows of the table `name` (its file name without `.tsv`) in file order, by column name.

    Raises:
        FileNotFoundError: there is no such table.
        ValueError: a line has more or fewer values than the table has columns.
    """
    # importlib.resources costs more to import than all our tables to read; packages are always unpacked
    text = Path(__file__).with_name(f"{name}.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.split("\n") if line and not line.startswith("# ")]
    return tuple(dict(zip(rows[0], row, strict=True)) for row in rows[1:])
