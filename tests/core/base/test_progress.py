"""Who is told how far a study has come, run by run and data set by data set."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from podium.core.base.progress import MOST_BARS, Bar, Lines, Silent, tell_ran, told_of


@dataclass(frozen=True)
class On:
    """A run, or its record."""

    dataset: str


def runs(**counts: int) -> list[On]:
    return [On(name) for name, count in counts.items() for _ in range(count)]


def test_a_log_tells_how_many_data_sets_are_finished(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("podium.core.base.progress.SECONDS_BETWEEN_LINES", 0)
    lines = told_of(Lines(), runs(a=2, b=3), runs(a=1, b=3))
    lines.start(5, 1)
    tell_ran(lines, runs(a=1), 0)
    tell_ran(lines, runs(b=2), 1)
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("2 of 5 runs, ")
    assert first.endswith("; data sets finished: 1 of 2")
    assert second.startswith("4 of 5 runs, 1 failed, ")
    assert second.endswith("; data sets finished: 1 of 2, b 2 of 3")


def test_of_many_data_sets_those_that_are_not_finished_have_a_bar() -> None:
    bar = Bar()
    every = {f"d{i}": 2 for i in range(12)}
    told_of(bar, runs(**every), runs(**every))
    bar.start(24, 0)
    tell_ran(bar, runs(d0=2, d1=1), 0)
    bar.stop()
    shown = {task.description: task.completed for task in bar._bar.tasks if task.visible}
    assert shown.pop("all") == 3
    assert list(shown) == [f"d{i}" for i in range(1, MOST_BARS + 1)]
    assert shown["d1"] == 1


def test_one_data_set_has_no_bar_of_its_own_and_nobody_is_told_nothing() -> None:
    bar = Bar()
    told_of(bar, runs(only=2), runs(only=2))
    bar.start(2, 2)
    assert len(bar._bar.tasks) == 1
    assert isinstance(told_of(None, [], []), Silent)
