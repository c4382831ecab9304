"""Closed forms, a grid of distributions and dependent sizes of boulesteix2013."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from podium_lab.papers.boulesteix2013_errors import (
    LAWS,
    conditional_errors,
    dependence,
    drawn_sets,
    grid,
    signed_rank_rejects,
    t_rejects,
    unconditional,
    unconditional_error,
)
from podium_lab.papers.replication import Asked


@pytest.fixture
def rng():
    return np.random.default_rng(1)


def test_the_closed_form_is_the_mean_of_fitted_rules(rng):
    """Rules fitted to rows and tested on rows, without any formula."""
    for delta, n in ((1.0, 5), (2.0, 3)):
        rows = rng.standard_normal((40_000, 2, n)) + np.array([[-delta / 2], [delta / 2]])
        means = rows.mean(axis=2)
        labels = rng.integers(0, 2, 40_000)
        x = rng.standard_normal(40_000) + np.where(labels, delta / 2, -delta / 2)
        said = np.abs(x - means[:, 1]) < np.abs(x - means[:, 0])
        wrong = np.mean(said != labels)
        assert unconditional_error(delta, n) == pytest.approx(wrong, abs=0.008)
        assert conditional_errors(rng, delta, n, 40_000).mean() == pytest.approx(wrong, abs=0.008)
    assert unconditional_error(2.0, 10**6) == pytest.approx(stats.norm.sf(1), abs=1e-6)
    assert unconditional(Asked(quick=True)).table["within"].dropna().all()


def test_laws_of_the_grid_have_mean_0_and_sd_1(rng):
    for law in LAWS.values():
        drawn = law(rng, (400, 1000))
        assert drawn.mean() == pytest.approx(0, abs=0.01)
        assert drawn.std() == pytest.approx(1, abs=0.05)


def test_the_tests_of_the_grid_are_those_of_scipy(rng):
    for count in (5, 10, 20):
        d = rng.normal(0.4, 1, (60, count))
        t = stats.ttest_1samp(d, 0, axis=1).pvalue <= 0.05
        w = [stats.wilcoxon(row, method="exact").pvalue <= 0.05 for row in d]
        assert (t_rejects(d) == t).all()
        assert (signed_rank_rejects(d) == w).all()


def test_the_signed_rank_test_rejects_a_mean_of_0_where_differences_are_skewed():
    table = grid(Asked(), trials=4000).table.set_index(["table", "row", "column"])
    assert table.loc[("signed rank", "exponential", "50 data sets"), "ours"] > 0.1
    assert table.loc[("paired t", "normal", "50 data sets"), "within"]


def test_weighting_by_rows_asks_another_question(rng):
    d, n = drawn_sets(rng, 4000, 30, 0.6)
    assert d.mean() == pytest.approx(0, abs=0.001)
    assert ((n >= 40 - 1e-6) & (n <= 2000 + 1e-6)).all()
    found = dependence(Asked(), trials=4000).table
    alike = found[found["table"] == "every data set alike"]
    weighted = found[found["table"] == "weighted by rows"]
    assert alike["within"].all()
    assert weighted["ours"].iloc[-1] > 0.5
