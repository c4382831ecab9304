"""Measured correlations of folds, replications of halves, points and sources of variation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from podium_lab.papers.dietterich1998_designs import (
    NOISE,
    components,
    correlation,
    correlations,
    halves_t,
    jackknifed,
    judged_error,
    points,
    replications,
    sources,
)
from podium_lab.papers.replication import Asked, Finding, Measured


@pytest.fixture
def rng():
    return np.random.default_rng(1)


def test_known_correlations_of_folds_are_found(rng):
    """Folds share 0.3 of their variance within a repeat and 0.2 with those of another one."""
    sets = 6000
    both = rng.normal(0, np.sqrt(0.2), (sets, 1, 1))
    own = rng.normal(0, np.sqrt(0.1), (sets, 2, 1))
    d = 0.4 + both + own + rng.normal(0, np.sqrt(0.7), (sets, 2, 5))
    within, across = correlations(d)
    errors = jackknifed(d)
    assert within == pytest.approx(0.3, abs=5 * errors[0])
    assert across == pytest.approx(0.2, abs=5 * errors[1])
    assert (errors < 0.02).all()


def test_independent_folds_need_no_correction(rng):
    d = rng.normal(size=(4000, 1, 10))
    assert judged_error(d, 0.0) == pytest.approx(1, abs=0.04)
    assert judged_error(d, 1 / 9) == pytest.approx(np.sqrt(19 / 9), abs=0.08)


def test_five_replications_are_the_5x2cv_statistic(rng):
    d = rng.normal(size=(40_000, 5, 2))
    first = d[0]
    s2 = ((first - first.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    assert halves_t(d)[0] == pytest.approx(first[0, 0] / np.sqrt(s2.mean()))
    # the numerator is part of the first deviation, which makes the test careful
    assert np.mean(np.abs(halves_t(d)) > stats.t.isf(0.025, 5)) == pytest.approx(0.03, abs=0.006)


def test_components_add_up_to_the_variance_of_an_observed_error(rng):
    """Training sets, fits, test points and labels drawn one by one."""
    easy = rng.random(500)
    level = rng.normal(0, 0.1, (300, 1, 1)) + rng.normal(0, 0.1, (300, 4, 1))
    wrong = rng.random((300, 4, 500)) < np.clip(easy * 0.6 + level, 0, 1)
    parts = components(wrong.astype(float), 50)
    assert min(parts.values()) > 0
    seen = []
    for _ in range(20_000):
        fit = wrong[rng.integers(300), rng.integers(4)]
        at = rng.integers(500, size=50)
        seen.append((fit[at] ^ (rng.random(50) < NOISE)).mean())
    assert np.var(seen) == pytest.approx(sum(parts.values()), rel=0.05)


def test_items_are_made_of_their_parts():
    found = correlation(Asked(), sets=20, problems=["pima"], sizes=[60])
    assert len(found.cells) == 3 * 4
    few = replications(Asked(), trials=100, scenarios=("simulated learners",))
    assert {type(cell) for cell in few.cells} == {Finding, Measured}
    assert "numbers measured" in few.heading
    shares = sources(Asked(), sets=4, problems=["exp6"])
    assert sum(cell.ours for cell in shares.cells if cell.row == "exp6") == pytest.approx(1)
    assert "within" not in shares.shown()
    assert "–" in str(few)


@pytest.mark.long
def test_every_figure_of_points_can_be_drawn(tmp_path):
    from podium.showing.drawing.canvas import axes_for

    found = points(Asked(), trained=20)
    assert len(found.figures) == 6
    for draw in found.figures.values():
        assert draw(axes_for(None)).lines
