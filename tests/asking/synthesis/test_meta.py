"""Several studies together, against metafor (tight convergence), netmeta and formulas."""

import numpy as np
import pytest
from scipy import stats

from podium.asking.synthesis.pooled_pairs import three_level
from podium.asking.synthesis.random_effects import Study, egger, network, pooled
from podium.errors import InferenceError


def drawn(k=12, tau=0.02, seed=0):
    rng = np.random.default_rng(seed)
    v = rng.gamma(3, 0.0005, k)
    return rng.normal(0.01, np.sqrt(v + tau**2)), v


def test_reml_is_where_the_restricted_likelihood_is_largest():
    y, v = drawn(tau=0.05)
    found = pooled(y, v)

    def log_likelihood(tau2):
        w = 1 / (v + tau2)
        mean = w @ y / w.sum()
        return 0.5 * (np.log(w).sum() - np.log(w.sum()) - w @ (y - mean) ** 2)

    best = log_likelihood(found.tau2)
    assert all(log_likelihood(found.tau2 * f) < best for f in (0.99, 1.01))


# studies' estimates and errors; REML with Hartung and Knapp by metafor (threshold 1e-12): mean,
# error, limits, p; the plain t by R's t.test: limits, p
EVEN = ([0.031, 0.012, 0.044, 0.008, 0.027], [0.012, 0.010, 0.021, 0.009, 0.016])
EVEN_KNAPP = (0.0188256110509, 0.00584084685358, 0.00260882039404, 0.0350424017077, 0.0321857234669)
EVEN_PLAIN = (0.00622329434373, 0.04257670565627, 0.02034931542003)
ODD = ([0.30, 0.02, 0.01, 0.05, -0.01, 0.03], [0.15, 0.02, 0.01, 0.03, 0.04, 0.02])
ODD_KNAPP = (0.0171412018100, 0.00856831040191, -0.00488434127126, 0.0391667448912, 0.101869903186)
ODD_PLAIN = (-0.0551161079175, 0.1884494412509, 0.2183873872083)
OF_R = ((EVEN, EVEN_KNAPP, EVEN_PLAIN), (ODD, ODD_KNAPP, ODD_PLAIN))


@pytest.mark.parametrize(("studies", "knapp", "plain"), OF_R)
def test_the_more_careful_of_hartung_knapp_and_the_plain_t_counts(studies, knapp, plain):
    y, e = map(np.array, studies)
    one = pooled(y, e**2)
    assert (one.estimate, one.error) == pytest.approx(knapp[:2], rel=1e-8)
    assert one.lower == pytest.approx(min(knapp[2], plain[0]), rel=1e-8)
    assert one.upper == pytest.approx(max(knapp[3], plain[1]), rel=1e-8)
    assert one.p == pytest.approx(max(knapp[4], plain[2]), rel=1e-8)
    reach = stats.t.isf(0.025, len(y) - 1) * y.std(ddof=1) * np.sqrt(1 + 1 / len(y))
    assert one.prediction == pytest.approx((y.mean() - reach, y.mean() + reach))


def test_limits_of_three_pairs_are_wider():
    y, e = map(np.array, EVEN)
    one = pooled(y, e**2, level=1 - 0.95 ** (1 / 3))
    # metafor's and t.test's limits at that level
    assert (one.lower, one.upper) == pytest.approx((-0.00419034420141, 0.05019759786455), rel=1e-8)


def test_ways_that_point_apart_show_nothing():
    y, v = np.array([0.30, -0.02, -0.021, -0.019]), np.array([0.2, 0.001, 0.001, 0.001]) ** 2
    one = pooled(y, v)
    assert one.estimate < 0 < y.mean()
    assert (one.p, one.lower < 0 < one.upper) == (1.0, True)


@pytest.mark.parametrize("seed", range(40))
def test_limits_exclude_zero_where_p_is_small(seed):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 15))
    v = np.exp(rng.normal(-7, 1, k))
    y = rng.normal(0.03 * rng.integers(0, 3), np.sqrt(v + 0.0005))
    for level in (0.05, 0.0102):
        one = pooled(y, v, level=level)
        assert (one.p <= level) == (one.lower > 0 or one.upper < 0)


def test_studies_that_agree_have_no_tau():
    found = pooled(np.full(5, 0.1), np.full(5, 0.01))
    assert (found.tau2, found.i2, found.q) == (0.0, 0.0, pytest.approx(0.0))


def test_moments_and_interval():
    y, v = drawn(tau=0.2)
    w = 1 / v
    q = w @ (y - w @ y / w.sum()) ** 2
    expected = (q - 11) / (w.sum() - (w**2).sum() / w.sum())
    found = pooled(y, v, method="dl")
    assert found.tau2 == pytest.approx(expected)
    low, high = found.tau2_interval
    for end, share in ((low, 0.025), (high, 0.975)):
        w = 1 / (v + end)
        at = w @ (y - w @ y / w.sum()) ** 2
        assert stats.chi2.sf(at, 11) == pytest.approx(share)


def test_egger_is_a_weighted_regression():
    y, v = drawn()
    e = np.sqrt(v)
    x = np.column_stack([np.ones(12), e]) / e[:, None]
    beta, rss, *_ = np.linalg.lstsq(x, y / e, rcond=None)
    error = np.sqrt(rss[0] / 10 * np.linalg.inv(x.T @ x)[1, 1])
    assert egger(y, e)[0] == pytest.approx(beta[1] / error)
    with pytest.raises(InferenceError, match="from 10"):
        egger(y[:9], e[:9])


def arms(seed=0, studies=8, tau=0.02):
    rng = np.random.default_rng(seed)
    names, truth = ("lda", "svm", "knn", "forest"), np.array([0.0, 0.03, -0.02, 0.05])
    made = []
    for s in range(studies):
        chosen = [0, 1, 2] if s % 2 else [1, 2, 3]
        root = rng.normal(0, 0.01, (3, 3))
        covariance = root @ root.T + 1e-4 * np.eye(3)
        means = (
            truth[chosen] + rng.normal(0, tau, 3) + rng.multivariate_normal(np.zeros(3), covariance)
        )
        made.append(Study(f"s{s}", tuple(names[i] for i in chosen), means, covariance))
    return made


def test_two_algorithms_are_the_plain_meta_analysis():
    y, v = drawn(tau=0.05)
    studies = [
        Study(str(i), ("b", "a"), np.array([0.0, d]), np.diag([s / 2, s / 2]))
        for i, (d, s) in enumerate(zip(y, v, strict=True))
    ]
    found = network(studies)
    plain = pooled(y, v)
    error = 1 / np.sqrt((1 / (v + plain.tau2)).sum())
    assert found.difference("a", "b") == pytest.approx((plain.estimate, error), rel=1e-6)
    assert found.tau2 == pytest.approx(plain.tau2, rel=1e-5)
    assert network(studies, "dl").tau2 == pytest.approx(pooled(y, v, method="dl").tau2)


def test_it_does_not_matter_which_arm_comes_first():
    studies = arms()
    turned = [
        Study(s.name, s.algorithms[::-1], s.means[::-1], s.covariance[::-1, ::-1]) for s in studies
    ]
    for method in ("reml", "dl"):
        one, two = network(studies, method), network(turned, method)
        assert one.difference("svm", "lda") == pytest.approx(two.difference("svm", "lda"), rel=1e-5)
        assert one.inconsistency == pytest.approx(two.inconsistency)


def test_the_covariance_of_arms_is_kept():
    """Common luck of a study's arms cancels: with it left out, errors would be far too large."""
    studies = arms()
    shared = [Study(s.name, s.algorithms, s.means, s.covariance + 1.0) for s in studies]
    assert network(shared).difference("svm", "lda") == pytest.approx(
        network(studies).difference("svm", "lda"), rel=1e-4
    )


def test_unconnected_studies_are_refused():
    one = Study("1", ("a", "b"), np.zeros(2), np.eye(2))
    other = Study("2", ("c", "d"), np.zeros(2), np.eye(2))
    with pytest.raises(InferenceError, match="No study joins"):
        network([one, other])
    with pytest.raises(InferenceError, match="needs 2 studies"):
        pooled(np.zeros(1), np.ones(1))
    with pytest.raises(InferenceError, match="above 0"):
        pooled(np.zeros(2), np.zeros(2))


def shaken(values, seed):
    """Values with an error in their last digit, as another processor's sums have."""
    return values * (1 + 4e-16 * np.random.default_rng(seed).normal(size=np.shape(values)))


def test_a_network_ends_where_it_ended_whatever_the_last_digits():
    """A search that compares values stops at half of the digits, wherever rounding lets it."""
    rng = np.random.default_rng(4)
    arms = [("a", "b", "c"), ("a", "b"), ("b", "c"), ("a", "c"), ("a", "b", "c")]
    means = [rng.normal(0, 0.3, len(names)) for names in arms]
    errors = [np.diag(rng.uniform(0.01, 0.03, len(names))) for names in arms]

    def made(shake):
        studies = [
            Study(str(i), names, shake(mean), shake(error))
            for i, (names, mean, error) in enumerate(zip(arms, means, errors, strict=True))
        ]
        return network(studies)

    one = made(np.array)
    assert one.tau2 > 1e-3
    for seed in range(5):
        two = made(lambda values, seed=seed: shaken(values, seed))
        assert two.tau2 == pytest.approx(one.tau2, rel=1e-12)
        assert two.values == pytest.approx(one.values, rel=1e-12)


def test_variances_of_levels_end_where_they_ended_whatever_the_last_digits():
    rng = np.random.default_rng(5)
    studies, datasets = np.repeat(list("stuvw"), 6), np.tile(list("abcdef"), 5)
    luck = np.repeat(rng.normal(0, 0.05, 5), 6) + np.tile(rng.normal(0, 0.04, 6), 5)
    y, v = 0.1 + luck + rng.normal(0, 0.03, 30), rng.uniform(1e-4, 3e-4, 30)
    one = three_level(y, v, studies, datasets)
    assert min(one.study, one.dataset, one.rest) > 1e-5
    for seed in range(5):
        two = three_level(shaken(y, seed), shaken(v, seed), studies, datasets)
        for name in ("mean", "error", "study", "dataset", "rest"):
            assert getattr(two, name) == pytest.approx(getattr(one, name), rel=1e-10)


def test_studies_that_say_the_same_have_no_noise_for_a_difference():
    """Q of equal estimates is 0, not what rounding leaves."""
    y = np.full(4, 0.1 + 0.2)
    assert pooled(y, np.array([0.1, 0.2, 0.3, 0.7])).q == 0.0
