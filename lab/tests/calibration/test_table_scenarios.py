"""Tables as nulls of the laboratory."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import podium
import podium_lab
from podium.core.inference.bricks.contrasts import all_pairs
from podium.core.inference.bricks.estimates import moments
from podium.errors import PodiumError
from podium_lab.calibration.scenarios import SCENARIOS

SCORES = {"dataset": [f"d{j}" for j in range(6)], "a": [0.9, 0.8, 0.7, 0.6, 0.9, 0.1],
          "b": [0.8, 0.8, 0.5, 0.6, 0.7, 0.3], "c": [0.5, 0.4, 0.7, 0.2, 0.1, 0.9]}  # fmt: skip


SCORES_OF_ONE = {"a": [0.9], "b": [0.8]}


def test_blocks_of_a_table_are_drawn_with_equal_means():
    results = podium.read(pd.DataFrame(SCORES), measure="accuracy")
    rng = np.random.default_rng(0)
    centred = podium_lab.table_scenario(results)
    drawn = centred.draw(rng, 60_000, 3)
    np.testing.assert_allclose(drawn.mean(axis=0), 0, atol=0.01)
    rows = np.array([SCORES[a] for a in "abc"]).T
    known = {tuple(np.sort(r).round(9)) for r in rows - rows.mean(axis=0)}
    assert {tuple(np.sort(r).round(9)) for r in drawn[:200]} <= known
    relabelled = podium_lab.table_scenario(results, relabelled=True)
    assert set(relabelled.draw(rng, 500, 3).ravel()) == set(rows.ravel())
    assert relabelled.draw(rng, 5, 2).shape == (5, 2)
    found = podium_lab.calibrate(["hull", "paired-t"], centred, algorithms=3, replications=20)
    assert found.table["blocks"].tolist() == [10, 10]
    with pytest.raises(PodiumError, match="needs at least 2 rows"):
        podium_lab.table_scenario(
            podium.read(SCORES_OF_ONE, sampling="simulation", measure="accuracy")
        )


@pytest.mark.parametrize(
    ("name", "skewness"), [("table-mild", 0.9), ("table-skewed", 1.7), ("table-wild", 3.5)]
)
def test_simulated_tables_are_as_skewed_as_they_say(name, skewness):
    scenario = SCENARIOS[name]
    values = scenario.draw(np.random.default_rng(0), 100_000, 5)
    found = moments(values, all_pairs(5))
    assert np.median(np.abs(found.skewness)) == pytest.approx(skewness, rel=0.08)
    assert str(skewness) in scenario.text
    np.testing.assert_allclose(found.t(), 0, atol=4)
    assert values.std(axis=0)[-1] > values.std(axis=0)[0]


def test_flip_is_measured_where_it_can_be_used():
    found = podium_lab.calibrate("flip", "table-mild", algorithms=3, replications=10)
    assert found.table["blocks"].tolist() == [30]
