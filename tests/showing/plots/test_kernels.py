from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import gaussian_kde, norm

from podium.showing.plots.of_scores.distribution_plots import bandwidth, density

NONE = (-np.inf, np.inf)
VALUES = np.random.default_rng(1).gamma(2, 0.1, 40)


def test_the_density_against_that_of_scipy() -> None:
    at = np.linspace(-0.5, 1.5, 50)
    np.testing.assert_allclose(density(VALUES, at, NONE), gaussian_kde(VALUES, "scott")(at))


@pytest.mark.parametrize("bounds", [(0, 1), (0, np.inf), (-np.inf, 0.7), NONE])
def test_the_density_integrates_to_one_within_bounds(bounds: tuple[float, float]) -> None:
    at = np.linspace(max(bounds[0], -2), min(bounds[1], 3), 20_001)
    values = VALUES[VALUES < 0.7]
    assert np.trapezoid(density(values, at, bounds), at) == pytest.approx(1, abs=1e-6)


def test_two_scores_have_two_normal_kernels_and_their_reflections() -> None:
    h = 0.2 * np.sqrt(0.5) * 2**-0.2
    assert bandwidth(np.array([0.1, 0.3])) == pytest.approx(h)
    expected = norm.pdf(0.05, [0.1, 0.3, -0.1, -0.3], h).sum() / 2
    found = density(np.array([0.1, 0.3]), np.array([0.05]), (0, np.inf))
    assert found == pytest.approx([expected])


@pytest.mark.parametrize("values", [[0.3], [0.3] * 5, [0.1 + 0.2, 0.3], [0.0, 0.0]])
def test_scores_that_differ_by_rounding_only_have_no_bandwidth(values: list[float]) -> None:
    assert bandwidth(np.array(values)) == 0
