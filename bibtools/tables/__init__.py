"""Tables that code reads; each row cites its source."""

from functools import cache
from importlib.resources import files


@cache
def read_table(name: str) -> tuple[dict[str, str], ...]:
    """Return the rows of the table `name` (`csl` for csl.tsv), each by column name, in file order.

    A table is UTF-8 with tabs; its first line names the columns, lines that begin with `#` are
    remarks, and cells missing at the end of a row are empty.

    Raises:
        FileNotFoundError: there is no such table in the package.
    """
    text = files(__name__).joinpath(f"{name}.tsv").read_text(encoding="utf-8")
    lines = [line for line in text.split("\n") if line and not line.startswith("#")]
    columns = lines[0].split("\t")
    blank = [""] * len(columns)
    return tuple(
        dict(zip(columns, (*line.split("\t"), *blank), strict=False)) for line in lines[1:]
    )
