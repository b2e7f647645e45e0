"""Raw records of JSON files: in any slicing, damaged or compressed."""

import gzip
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bibtools.errors import InputError
from bibtools.sources.streams import open_source, read_json_records, scan_list

VALUES = st.recursive(
    st.text(max_size=12) | st.integers() | st.none() | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
RECORDS = st.lists(st.dictionaries(st.text(max_size=6), VALUES, max_size=4), max_size=6)


class Drip(io.BytesIO):
    """A stream that gives few bytes at a time, as a slow pipe does."""

    def __init__(self, data: bytes, size: int) -> None:
        super().__init__(data)
        self.size = size

    def read(self, size: int | None = -1, /) -> bytes:
        """Return the next few bytes."""
        return super().read(self.size)


@given(records=RECORDS, size=st.integers(1, 40), indent=st.none() | st.integers(0, 2))
def test_list_in_any_slices_gives_every_record(
    records: list[dict[str, object]], size: int, indent: int | None
) -> None:
    data = json.dumps(records, indent=indent, ensure_ascii=False).encode()
    found = scan_list(data[:3], Drip(data[3:], size), "a.json")
    assert [json.loads(raw) for raw in found] == records


@pytest.mark.parametrize("form", ["list", "lines"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_list_and_lines_are_read_alike(form: str, mark: bytes) -> None:
    records = [{"title": 'A "quoted" {title}'}, {"title": "B\nC"}, {}]
    text = json.dumps(records) if form == "list" else "\n\n".join(map(json.dumps, records))
    found = read_json_records(io.BytesIO(mark + text.encode()), "a.json")
    assert [json.loads(raw) for raw in found] == records


def test_damaged_record_costs_no_other() -> None:
    data = b'[{"a": 1}, {"a": oops}, {"a": 3}]'
    assert list(read_json_records(io.BytesIO(data), "a.json")) == [b'{"a": 1}', b'{"a": oops}', b'{"a": 3}']


@pytest.mark.parametrize("data", [b'[{"a": 1}, {"b": ', b'[{"a": 1}, {"b": "x'])
def test_list_cut_off_gives_what_came_before_and_says_so(data: bytes) -> None:
    found = read_json_records(io.BytesIO(data), "a.json")
    assert next(found) == b'{"a": 1}'
    with pytest.raises(InputError, match="cut off"):
        next(found)


def test_other_files_are_refused() -> None:
    with pytest.raises(InputError, match="neither a JSON list nor JSON lines"):
        list(read_json_records(io.BytesIO(b"<html>"), "a.json"))


def test_empty_file_has_no_records() -> None:
    assert list(read_json_records(io.BytesIO(b" \n"), "a.json")) == []


def test_gzip_is_told_by_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(gzip.compress(b'[{"a": 1}]'))
    with open_source(path) as stream:
        assert list(read_json_records(stream, "a.json")) == [b'{"a": 1}']


def test_damaged_gzip_is_one_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "a.json.gz"
    path.write_bytes(gzip.compress(b'[{"a": 1}]' * 1000)[:-20])
    with (
        pytest.raises(InputError, match=r"a\.json\.gz: the gzip file is damaged"),
        open_source(path) as stream,
    ):
        stream.read()


def test_deeply_nested_record_is_one_record() -> None:
    record = b"[" * 100_000 + b"]" * 100_000
    assert list(scan_list(b"[" + record + b"]", io.BytesIO(), "a.json")) == [record]
