"""dietterich1998: rates are those of calibrations, findings are judged, statistics follow it."""

from __future__ import annotations

import math

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from podium_lab.calibration.calibrate import calibrate
from podium_lab.calibration.scenarios import SCENARIOS
from podium_lab.papers import dietterich1998 as paper
from podium_lab.papers.replication import Asked, Finding, Replication, papers, printed, replicate

MAKERS = {name: item.make for name, item in paper.ITEMS.items()}


def rates(*rows: tuple[str, str, float, float]) -> pd.DataFrame:
    names = ["procedure", "scenario", "rate", "lower"]
    return pd.DataFrame(rows, columns=names).assign(replications=1000, blocks=10, kind="error")


def test_the_items_are_registered_and_their_findings_name_procedures_and_scenarios_there_are():
    assert set(papers()["dietterich1998"]) == {
        *("simulated", "splits", "qq", "real", "power"),
        *("correlation", "replications", "points", "sources"),
    }
    found = printed("dietterich1998_findings")
    assert set(found.index) <= set(MAKERS)
    assert set(found["procedure"]) <= set(paper.DESIGNS)
    assert set(found["is"]) <= set(paper.HOLDS)
    for scenario in found["scenario"]:
        assert any(name.startswith(scenario) for name in SCENARIOS)


def test_findings_hold_by_the_ends_of_intervals():
    made = paper.bounded(
        rates(
            ("mcnemar", "learners-items-10", 0.06, 0.046),
            ("mcnemar", "learners-items-20", 0.08, 0.065),
            ("proportions", "learners-items-30", 0.09, 0.07),
            ("proportions", "learners-items-40", 0.06, 0.046),
            ("resampled-t", "learners-splits-40", 0.3, 0.28),
        ),
        "simulated",
    )
    assert [(cell.column.split(",")[0][-2:], cell.within) for cell in made] == [
        ("10", True),  # 0.05 is possible
        ("20", False),
        ("40", False),  # not surely above; nothing is printed of 30
        ("40", True),
    ]
    assert all(isinstance(cell, Finding) and math.isnan(cell.theirs) for cell in made)
    assert made[0].standard_error == pytest.approx(np.sqrt(0.06 * 0.94 / 1000))


def test_the_more_powerful_test_is_the_one_with_the_larger_mean_rate():
    table = rates(
        *(("kfold-t", f"damaged-{p}-folds", 0.6, 0.5) for p in ("exp6", "letter", "pima")),
        *(("5x2cv-t", f"damaged-{p}-halves", 0.4, 0.3) for p in ("exp6", "letter", "pima")),
        *(("mcnemar", f"damaged-{p}-items", 0.5, 0.4) for p in ("exp6", "letter", "pima")),
        *(("proportions", f"damaged-{p}-items", 0.2, 0.1) for p in ("exp6", "letter", "pima")),
    )
    made = paper.more_powerful(table.assign(kind="power"))
    assert [cell.within for cell in made] == 3 * [True, False, True]
    assert made[0].ours == pytest.approx(0.2)


def test_the_simulated_rates_are_those_of_a_calibration_and_are_kept(tmp_path):
    store = tmp_path / "kept.sqlite"
    made = MAKERS["simulated"](Asked(store=store), trials=40)
    ours = {(c.row.split(":")[0], c.column): c.ours for c in made.cells}
    assert (
        ours["mcnemar", "learners-items-30"]
        == calibrate("mcnemar", "learners-items-30", replications=40).rate
    )
    told: list[object] = []
    asked = Asked(store=store, progress=lambda *done: told.append(done))
    again = MAKERS["simulated"](asked, trials=40)
    assert not told  # nothing is left to do
    assert again.to_csv() == made.to_csv()
    assert "findings hold" in made.heading
    assert "theirs" not in made.shown()


def test_the_statistic_of_the_quantile_plot_is_the_paper_s(tmp_path):
    """t = p_1(1) / sqrt(mean of s_i^2), s_i^2 the squares of a replication about its mean."""
    scenario = "damaged-exp6-halves"
    found = paper.halves_statistics(scenario, seed=3, batch=0)
    layout = SCENARIOS[scenario].layout(np.random.default_rng((3, 7)), 10, 2)
    p = np.subtract(*layout.values.T).reshape(5, 2)
    s2 = ((p - p.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    assert found[7] == pytest.approx(p[0, 0] / np.sqrt(s2.mean()))


def test_tails_are_judged_against_t_with_5_df():
    # 2.571 is the printed quantile of t with 5 df at 0.975
    found = np.r_[np.zeros(95), np.full(5, 2.5)], np.r_[np.zeros(85), np.full(15, -2.6)]
    assert [paper.tails(f, "s", shares=[0.05])[0].ours for f in found] == [0.0, 0.15]
    assert [paper.tails(f, "s", shares=[0.05])[0].within for f in found] == [True, False]


@pytest.fixture(scope="module")
def small() -> dict[str, Replication]:
    drawn = ("splits", "qq", "real", "power")  # the others have tests of their own
    return {name: MAKERS[name](Asked(), trials=2) for name in drawn}


def test_every_figure_is_drawn(small):
    names = []
    for made in small.values():
        for name, draw in made.figures.items():
            _, ax = plt.subplots()
            assert draw(ax) is ax
            assert ax.get_ylabel()
            names.append(name)
            plt.close()
    assert names == ["splits", "qq", "real", "power-exp6", "power-letter", "power-pima"]


def test_power_starts_at_the_type_i_error(small):
    _, ax = plt.subplots()
    small["power"].figures["power-pima"](ax)
    curve = ax.get_lines()[0]
    plt.close()
    assert curve.get_xdata()[0] == 0
    assert len(curve.get_xdata()) == 5


def test_the_command_knows_the_paper():
    made = replicate("dietterich1998", "qq", quick=True, seed=1)
    assert made.replications == 200
    assert [cell.within for cell in made.cells] == [True, True, True]
