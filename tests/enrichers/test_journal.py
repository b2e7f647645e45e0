"""The journal of verdicts: what stands, what is gone on with, what a crash leaves."""

from pathlib import Path

import pytest

from bibtools.enrichers.journal import FEW_LINES, Journal, Line
from bibtools.outcomes import LinkCheck

NOW = 1_000_000.0


def write(path: Path, *lines: Line) -> Journal:
    """Return the journal with these lines in it."""
    journal = Journal(path)
    journal.begin(NOW, resumed=True)
    for line in lines:
        journal.write(line)
    journal.close()
    return Journal(path)


def check(target: str, outcome: str, at: float = NOW, **more: bool) -> Line:
    """Return the line of a verdict."""
    return Line("check", at, target, LinkCheck(outcome), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("outcome", "age", "stands"),
    [
        ("available", 0, True),
        ("available", 86_000, True),
        ("available", 87_000, False),
        ("missing", 3_500, True),
        ("missing", 3_700, False),
        ("blocked", 3_700, False),
        ("expired", 3_700, False),
        ("unsure", 0, False),
        ("challenged", 0, False),
        ("unchecked", 0, False),
    ],
)
def test_how_long_a_verdict_stands(tmp_path: Path, outcome: str, age: float, stands: bool) -> None:
    journal = write(tmp_path / "j", check("a", outcome))
    assert set(journal.usable(NOW + age, 86_400.0, thin=True)) == ({"a"} if stands else set())


def test_the_newest_verdict_counts(tmp_path: Path) -> None:
    journal = write(tmp_path / "j", check("a", "available"), check("a", "unsure"), check("b", "missing"))
    assert set(journal.usable(NOW, 86_400.0, thin=True)) == {"b"}


def test_verdicts_without_a_token_do_not_stand_where_there_is_one(tmp_path: Path) -> None:
    journal = write(tmp_path / "j", check("a", "available", thin=True), check("b", "available"))
    assert set(journal.usable(NOW, 86_400.0, thin=False)) == {"b"}
    assert set(journal.usable(NOW, 86_400.0, thin=True)) == {"a", "b"}


def test_only_a_run_that_was_broken_off_is_gone_on_with(tmp_path: Path) -> None:
    begin, end, resume = Line("begin", NOW), Line("end", NOW), Line("resume", NOW)
    path = tmp_path / "j"
    assert set(write(path, begin, check("a", "unsure")).unfinished()) == {"a"}
    assert set(write(path, resume, check("b", "missing")).unfinished()) == {"a", "b"}
    assert set(write(path, end).unfinished()) == set()
    assert set(write(path, begin, check("c", "missing"), begin, check("d", "missing")).unfinished()) == {"d"}


def test_a_line_cut_off_by_a_crash_costs_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "j"
    write(path, Line("begin", NOW), check("a", "available"))
    with path.open("ab") as stream:
        stream.write(b'{"event":"check","at":1,"target":"b","che')
    journal = write(path, check("c", "available"))
    assert set(journal.unfinished()) == {"a", "c"}


@pytest.mark.parametrize("junk", [b"\xff\xfe\x00", b"[]\n{}\nnull\n", b'{"event":"other","at":1}\n'])
def test_a_damaged_journal_is_no_hindrance(tmp_path: Path, junk: bytes) -> None:
    path = tmp_path / "j"
    path.write_bytes(junk)
    assert Journal(path).unfinished() == {}
    assert set(write(path, check("a", "available")).unfinished()) == {"a"}


def test_old_lines_are_cleared_away(tmp_path: Path) -> None:
    path = tmp_path / "j"
    write(path, *(check(f"t{number % 5}", "available", NOW + number) for number in range(FEW_LINES + 5)))
    journal = Journal(path)
    journal.begin(NOW, resumed=False)
    journal.close()
    after = Journal(path)
    assert len(after.lines) == 6
    assert set(after.usable(NOW + FEW_LINES, 86_400.0, thin=True)) == {f"t{number}" for number in range(5)}
    assert after.unfinished() == {}


def test_without_a_path_nothing_is_kept() -> None:
    journal = Journal(None)
    journal.begin(NOW, resumed=False)
    journal.write(check("a", "available"))
    journal.close()
    assert journal.unfinished() == {}
