"""Modes of scores, and the rows behind samples that make one algorithm fail."""

from __future__ import annotations

import re

import numpy as np
import pytest
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin

import podium
from podium.cli.main import status_of as status_of
from podium.errors import PodiumError
from podium_lab.__main__ import group
from podium_lab.papers.eugster2008_modes import (
    ALONE,
    Modes,
    count_modes,
    critical_bandwidth,
    densities,
    failures,
    grid_of,
    modes,
    modes_test,
    of_scores,
    telling_rows,
)
from podium_lab.papers.replication import Asked


@pytest.fixture
def rng():
    return np.random.default_rng(1)


def test_the_density_and_its_critical_bandwidth(rng):
    values = np.concatenate([rng.normal(0, 1, 60), rng.normal(6, 1, 40)])
    at = grid_of(values, 0.5)
    theirs = stats.gaussian_kde(values, 0.5 / values.std(ddof=1))(at)
    ours = densities(values, at, 0.5)
    np.testing.assert_allclose(ours / ours.max(), theirs / theirs.max(), atol=1e-9)
    h = critical_bandwidth(values, 1)
    assert count_modes(densities(values, grid_of(values, h), h)) == 1
    assert count_modes(densities(values, grid_of(values, 0.95 * h), 0.95 * h)) == 2
    assert critical_bandwidth(values, 2) < h


def test_a_flat_top_is_one_mode():
    assert count_modes(np.array([0, 1, 2, 2, 2, 1, 0.0])) == 1
    assert count_modes(np.array([0, 1, 1, 2, 1, 1, 3, 0.0])) == 2


def test_two_normals_are_two_modes_and_one_is_one(rng):
    one, two = rng.normal(size=150), np.concatenate([rng.normal(0, 1, 90), rng.normal(7, 1, 60)])
    assert modes_test(one, 1, rng) > 0.05
    found = Modes.of(two, rng)
    assert found.count == 2
    assert found.p[0] < 0.05
    assert (found.member[:90] == 0).mean() > 0.95
    assert (found.member[90:] == 1).mean() > 0.95


def test_few_different_scores_have_no_more_modes_than_values(rng):
    assert Modes.of(np.full(30, 0.2), rng).count == 1
    two = Modes.of(np.repeat([0.1, 0.3], [20, 10]), rng)
    assert (two.count, two.member.tolist()) == (2, [0] * 20 + [1] * 10)


def test_a_failure_is_of_one_algorithm_alone_and_leads_to_its_row(rng):
    """Samples without row 7 are lost for the first algorithm; hard samples are hard for all."""
    drawn = rng.multinomial(50, np.full(50, 1 / 50), size=200)
    hard = rng.random(200) < 0.1
    scores = 0.1 + 0.3 * hard[:, None] + rng.normal(0, 0.01, (200, 3))
    lost = (drawn[:, 6] == 0) & (rng.random(200) < 0.4)
    scores[lost, 0] += 0.2
    failed = failures(scores, 0)
    assert (failed == (lost & ~hard)).mean() > 0.98
    assert not failures(scores, 1)[hard].any()
    z = telling_rows(drawn, failed)
    assert np.argmax(np.abs(z)) == 6
    assert z[6] < -3.5
    assert (telling_rows(drawn, np.zeros(200, bool)) == 0).all()


@pytest.mark.long
def test_the_item_names_modes_failures_and_rows(tmp_path):
    made = modes(Asked(store=tmp_path / "m.db"), samples=12)
    assert {cell.table for cell in made.cells} == {"modes", "failures"}
    assert {cell.row for cell in made.cells} == {"rpart", "nnet", "knn", "lda"}


class _Needy(ClassifierMixin, BaseEstimator):
    """Says the class of each row, or the other one if it has learned from no copy of row 7 or 8."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.knows_ = np.isin([6.0, 7.0], np.asarray(X, float)[:, 0]).any()
        return self

    def predict(self, X):
        return self.classes_[(np.asarray(X, float)[:, 0].astype(int) + (not self.knows_)) % 2]


def test_failures_of_ones_own_scores_lead_to_the_row_that_was_missed(tmp_path, capsys):
    X = np.arange(40.0)[:, None]
    data = podium.dataset("numbers", X, np.array(["even", "odd"])[np.arange(40) % 2])
    study = podium.Study(
        [data], [podium.algorithm("needy", _Needy()), podium.algorithm("majority", "majority")],
        sampling="bootstrap:60", measures=["accuracy"], seed=3,
    )  # fmt: skip
    store = tmp_path / "own.db"
    results = podium.run(study, store, jobs=0, quiet=True)
    cells = of_scores(results, "accuracy", study, 0)
    rows = {(cell.row, cell.column): cell for cell in cells}
    assert rows["needy", "number of modes"].ours == 2
    told = rows["needy", "most telling row, z"].note
    assert re.match("row [78]: drawn 0.00 times", told)
    assert rows["majority", ALONE].ours == 0
    untraced = of_scores(results, "accuracy", None, 0)
    assert not any(cell.column.startswith("most telling") for cell in untraced)
    other = podium.Study([podium.dataset("letters", X, data.y)], study.algorithms, sampling="cv:2")
    with pytest.raises(PodiumError, match="has no data set 'numbers', but letters: leave"):
        of_scores(results, "accuracy", other, 0)
    alone = of_scores(results.filter(algorithm="needy"), "accuracy", study, 0)
    assert [c.ours for c in alone if c.column == ALONE] == [rows["needy", ALONE].ours]
    assert status_of(["modes", str(store), "-m", "accuracy"], group, "lab") == 0
    assert "which it alone fails" in capsys.readouterr().out
