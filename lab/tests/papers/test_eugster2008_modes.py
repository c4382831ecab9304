"""Modes of scores, and the rows behind samples that make one algorithm fail."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from podium_lab.papers.eugster2008_modes import (
    Modes,
    count_modes,
    critical_bandwidth,
    densities,
    failures,
    grid_of,
    modes,
    modes_test,
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
