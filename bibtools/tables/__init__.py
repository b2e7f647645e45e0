"""Tables that code reads; each row cites its source.

A table is a UTF-8 file of tab-separated values. Its first line names the columns; no value holds a tab
or a line end, and nothing is quoted.
"""

from functools import cache
from importlib.resources import files

Row = dict[str, str]


@cache
def read_table(name: str) -> tuple[Row, ...]:
    """Return the rows of the table `name` (its file name without `.tsv`) in file order, by column name.

    Raises:
        FileNotFoundError: there is no such table.
        ValueError: a line has more or fewer values than the table has columns.
    """
    lines = files(__name__).joinpath(f"{name}.tsv").read_text(encoding="utf-8").split("\n")
    columns = lines[0].split("\t")
    return tuple(dict(zip(columns, line.split("\t"), strict=True)) for line in lines[1:] if line)
