"""How far the best of several variants is overrated."""

from __future__ import annotations

import numpy as np
import pytest
from layouts_made import made, noise

from podium.asking.planning.pilot import excesses, plan_variants
from podium.cli.main import main
from podium.errors import InferenceError


def status(words: list[str]) -> int:
    with pytest.raises(SystemExit) as end:
        main(words)
    return int(end.value.code or 0)


def test_the_excess_is_that_of_a_maximum_of_normals() -> None:
    """Independent scores of sd 1: the largest of m means of sd 1 / root J less a fixed one."""
    rng = np.random.default_rng(1)
    values = rng.standard_normal((4000, 8))
    lead, t = excesses(values, 5, 25, 4000, rng)
    drawn = rng.standard_normal((100_000, 6)) / 5
    expected = (drawn[:, 1:].max(axis=1) - drawn[:, 0]).mean()
    assert lead.mean() == pytest.approx(expected, abs=0.01)
    assert np.mean(t > 2.064) == pytest.approx(0.091, abs=0.02)  # 0.025 for each, dependent


def test_one_who_tries_one_variant_overrates_it_by_nothing() -> None:
    rng = np.random.default_rng(2)
    lead, _ = excesses(rng.standard_normal((500, 4)), 1, 20, 4000, rng)
    assert lead.mean() == pytest.approx(0, abs=0.02)


def test_more_data_sets_and_fewer_variants_overrate_less() -> None:
    layout = made(noise(30, 4), block="dataset", measure="error")
    few, many = (plan_variants(layout, count, difference=0.5) for count in (2, 10))
    assert few.table["overrated"].is_monotonic_decreasing
    assert (few.table["overrated"] < many.table["overrated"]).all()
    assert few.needed is not None
    assert many.needed is not None
    assert few.needed < many.needed
    enough = plan_variants(layout, 10, datasets=many.needed).table["at_most"][0]
    assert enough == pytest.approx(0.5, rel=0.1)
    assert plan_variants(layout, 10, difference=1e-6).needed is None
    for text, arguments in (("from 2 on", (layout, 1)), ("3 complete", (made(noise(2, 3)), 5))):
        with pytest.raises(InferenceError, match=text):
            plan_variants(*arguments)


def test_the_command_shows_numbers_of_data_sets(tmp_path, capsys) -> None:
    table = tmp_path / "pilot.csv"
    rows = (0.5 + 0.1 * np.tanh(noise(12, 3))).round(3).tolist()
    lines = [f"set{i},{','.join(map(str, row))}" for i, row in enumerate(rows)]
    table.write_text("\n".join(["dataset,a,b,c", *lines]))
    asked = ["plan", str(table), "-m", "error", "--variants", "5"]
    assert status([*asked, "--difference", "0.5"]) == 0
    out = capsys.readouterr().out
    assert "The best of 5 variants that are equally good" in out
    assert "called better" in out
    assert status(["plan", "--variants", "5", "--difference", "0.5", "--sd", "1"]) == 2
    assert status([*asked, "--power", "0.9"]) == 2
