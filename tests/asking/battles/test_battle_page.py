"""Battles on a page: Elo with intervals, the chance to win, and who beat whom."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import podium
from podium.asking.battles.section import quasi_errors
from podium.asking.battles.words import covariates_heading
from podium.asking.comparison.pages import page_of
from podium.core.inference.comparing.comparisons import ELO
from podium.core.words.saying import say

NAMES = ["svm", "knn", "tree", "lda"]


def frame(count=400):
    draw = np.random.default_rng(5)
    rows = []
    for _ in range(count):
        a, b = draw.choice(4, 2, replace=False)
        won = "model_a" if draw.random() < 1 / (1 + 2.0 ** (a - b)) else "model_b"
        rows.append((NAMES[a], NAMES[b], won))
    return pd.DataFrame(rows, columns=["model_a", "model_b", "winner"])


def battles():
    return podium.read(frame())


def test_battles_are_in_elo_with_intervals_that_add_up():
    results = battles()
    c = podium.compare(results)
    page = page_of(results)
    (view,) = page.views
    elo = c.judged.elo
    assert {row.name: row.cells["elo"][1] for row in view.rows} == pytest.approx(elo)
    errors = quasi_errors(c)
    variance = {frozenset((r.first, r.second)): (ELO * r.estimate / r.statistic) ** 2
                for r in c.table.itertuples()}  # fmt: skip
    for name in NAMES:  # least squares: the sums over the pairs of each are kept
        mine = sum(v for pair, v in variance.items() if name in pair)
        assert sum(errors[name] ** 2 + errors[o] ** 2 for o in NAMES if o != name) == pytest.approx(
            mine
        )
    first, second = view.rows[0].name, view.rows[-1].name
    chance = 1 / (1 + 10 ** ((elo[first] - elo[second]) / 400))
    assert view.rows[-1].cells["against"][1] == pytest.approx(chance)
    matrix = next(s for s in page.sections if s.name == "matrix").content.blocks[0].data
    wins, losses = (float(matrix["counts"][i][j].split(" / ")[0]) for i, j in ((0, 1), (1, 0)))
    assert wins + losses == float(matrix["counts"][0][1].split(" / ")[1])
    assert "Elo" in view.sentence


@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_a_row_has_the_numbers_that_counting_and_elo_give(alpha):
    table, results = frame(), battles()
    c = podium.compare(results, alpha=alpha)
    page = page_of(results, [c])
    (view,) = page.views
    elo, errors = c.judged.elo, quasi_errors(c)
    top = max(elo.values())
    winners = np.where(table["winner"] == "model_a", table["model_a"], table["model_b"])
    for row in view.rows:
        met = (table[["model_a", "model_b"]] == row.name).any(axis=1).sum()
        rate = (winners == row.name).sum() / met
        assert row.cells["battles"] == (str(met), met)
        assert row.cells["rate"] == (f"{100 * rate:.0f} %", pytest.approx(rate))
        assert row.cells["elo"][0] == f"{elo[row.name]:.0f}"
        reach = stats.norm.isf(alpha / 2) * errors[row.name]
        shown = [row.cells["interval"][key] for key in ("v", "lo", "hi")]
        assert shown == pytest.approx([elo[row.name] + way * reach for way in (0, -1, 1)])
        chance = 1 / (1 + 10 ** ((top - elo[row.name]) / 400))
        assert row.cells["against"][1] == pytest.approx(chance)
        expected = "–" if elo[row.name] == top else f"{100 * chance:.0f} %"
        assert row.cells["against"][0] == expected
        behind = row.cells["difference"]
        if elo[row.name] != top:
            assert abs(behind[2]) == pytest.approx(top - elo[row.name])
            assert behind[0].lstrip("−-") == f"{abs(behind[2]):.0f}"
    data = next(s for s in page.sections if s.name == "matrix").content.blocks[0].data
    for i, one in enumerate(c.algorithms):
        for j, other in enumerate(c.algorithms):
            pair = {one, other}
            both = [{a, b} == pair for a, b in zip(table["model_a"], table["model_b"], strict=True)]
            met, won = sum(both), int((winners[np.array(both)] == one).sum())
            assert data["shares"][i][j] == (None if i == j else round(won / met, 3))
            if i != j:
                assert data["counts"][i][j] == f"{won} / {met}"


def test_the_heading_of_covariates_has_the_level_of_its_limits():
    assert "with 95 % limits" in covariates_heading(0.05, 12)
    assert "with 80 % limits" in covariates_heading(0.2, 12)
    assert "by 12 clusters of battles" in covariates_heading(0.2, 12)


@pytest.mark.parametrize(("effect", "which"), [(0.1, "first"), (-0.1, "second")])
def test_a_position_is_told_in_points_of_elo(effect, which):
    """400 / ln 10 points to a unit of log-odds."""
    note = podium.Note("position", effect=effect, error=0.035, p=0.004)
    assert say(note) == (
        f"The answer shown {which} is favoured by 17 Elo (s.e. 6, p = 0.004); ratings are "
        "corrected for it."
    )
