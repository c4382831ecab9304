"""Posteriors against baycomp, exact integrals and draws."""

import numpy as np
import pytest
from scipy import stats

from podium.core.inference.numbers.chances import hierarchical, joint, sign, signed_rank, student


def test_student_is_the_t_distribution():
    lose, same, win = student(np.array([0.02]), np.array([0.01]), np.array([9.0]), 0.01)[0]
    assert lose == pytest.approx(stats.t.cdf(-3, 9))
    assert win == pytest.approx(stats.t.sf(-1, 9))
    assert lose + same + win == pytest.approx(1)


def test_without_variation_the_difference_is_certain():
    found = student(np.array([0.02, 0.0, -0.5]), np.zeros(3), np.full(3, 9.0), 0.01)
    assert found.tolist() == [[0, 0, 1], [0, 1, 0], [1, 0, 0]]
    assert student(np.zeros(1), np.zeros(1), np.ones(1), 0.0).tolist() == [[0, 1, 0]]


def test_sign_is_what_draws_of_a_dirichlet_say():
    z = np.array([0.5] * 11 + [-0.5] * 6 + [0.0] * 2)
    drawn = np.random.default_rng(0).dirichlet([6, 3, 11], 200_000).argmax(axis=1)
    expected = np.bincount(drawn, minlength=3) / 200_000
    assert sign(z, 0.1) == pytest.approx(expected, abs=0.004)


def test_sign_of_all_on_one_side():
    lose, same, win = sign(np.ones(10), 0.1)
    assert lose == 0
    # P(Beta(1, 10) < 1/2): the prior's block against ten
    assert win == pytest.approx(stats.beta.cdf(0.5, 1, 10), abs=1e-5)
    assert same == pytest.approx(1 - win)


def test_signed_rank_is_what_its_definition_says():
    """All pairs of blocks, drawn weights: the double sum that running sums replace."""
    z = np.array([0.3, -0.1, 0.2, 0.05, 0.4])
    rope, draws = 0.1, 4000
    all_z = np.concatenate([[0.0], z])
    w = np.random.default_rng(5).dirichlet([0.5, 1, 1, 1, 1, 1], draws)
    means = (all_z[:, None] + all_z) / 2
    parts = [means < -rope, np.abs(means) <= rope, means > rope]
    shares = np.array([np.einsum("di,ij,dj->d", w, p.astype(float), w) for p in parts])
    expected = np.bincount(shares.argmax(axis=0), minlength=3) / draws
    assert signed_rank(z, rope, draws=20_000) == pytest.approx(expected, abs=0.03)


def test_signed_rank_does_not_depend_on_the_order_of_blocks():
    z = np.random.default_rng(1).normal(0.1, 0.2, 30)
    assert signed_rank(z, 0.01, draws=2000) == signed_rank(z[::-1], 0.01, draws=2000)


def test_joint_posteriors_rank_all_at_once():
    values, covariance = np.array([0.0, 1.0, 1.0]), 0.01 * np.eye(3)
    found = joint(values, covariance, 30)
    assert found.best.sum() == pytest.approx(1)
    assert found.best[0] < 0.001
    assert found.best[1] == pytest.approx(0.5, abs=0.02)
    assert found.expected_rank == pytest.approx([3, 1.5, 1.5], abs=0.02)


def test_two_algorithms_are_the_pair():
    values, covariance = np.array([0.3, 0.0]), np.array([[0.02, 0.005], [0.005, 0.03]])
    scale = np.sqrt(0.02 + 0.03 - 0.01)
    expected = stats.t.cdf(0.3 / scale, 12)
    assert joint(values, covariance, 12).best[0] == pytest.approx(expected, abs=0.01)


@pytest.fixture(scope="module")
def surveyed():
    rng = np.random.default_rng(3)
    centre = rng.normal(0.012, 0.015, 12)
    return [c + rng.normal(0, 0.03, 50) for c in centre]


def test_hierarchical_is_what_importance_sampling_says(surveyed):
    """The same posterior, its parameters drawn from the priors, no quadrature at all."""
    rho, rope = 0.1, 0.01
    found = hierarchical(surveyed, rope, rho)
    rng = np.random.default_rng(0)
    size = np.mean([x.std() for x in surveyed])
    m = np.array([x.mean() for x in surveyed]) / size
    n = 50
    ss = np.array([((x - x.mean()) ** 2).sum() for x in surveyed]) / size**2 / (1 - rho)
    se = np.sqrt(ss / (n / (1 + (n - 1) * rho)) / (n - 2))
    draws = 1500
    d0 = np.median(m) + rng.uniform(-6, 6, draws) * np.sqrt((m.var() + (se**2).mean()) / 12)
    s0 = rng.uniform(m.std() / 60, m.std() * 3, draws)
    nu = 1 + rng.gamma(rng.uniform(1, 2, draws), 1 / rng.uniform(0.01, 0.1, draws))
    inner = np.linspace(-6, 6, 81) * se[:, None] + m[:, None]
    like = stats.t.pdf((inner - m[:, None]) / se[:, None], n - 2)
    log = np.zeros(draws)
    for i in range(12):
        dens = stats.t.pdf((inner[i] - d0[:, None]) / s0[:, None], nu[:, None]) / s0[:, None]
        log += np.log((dens * like[i]).sum(axis=1))
    w = np.exp(log - log.max())
    w /= w.sum()
    win = stats.t.sf((rope / size - d0) / s0, nu)
    assert found.mean[2] == pytest.approx(float(w @ win), abs=0.02)
    assert found.difference == pytest.approx(float(w @ d0) * size, abs=5e-4)


def test_hierarchical_bears_data_sets_on_which_nothing_varies(surveyed):
    flat = [*surveyed, np.full(50, 0.02)]
    found = hierarchical(flat, 0.01, 0.1)
    assert sum(found.winner) == pytest.approx(1)
    assert np.isfinite(found.difference)


def test_hierarchical_turns_with_the_signs(surveyed):
    found, back = hierarchical(surveyed, 0.01, 0.1), hierarchical([-x for x in surveyed], 0.01, 0.1)
    assert found.winner[::-1] == pytest.approx(back.winner, abs=1e-6)
    assert found.difference == pytest.approx(-back.difference)
