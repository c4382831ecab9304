"""Maxima of t statistics: against R, against scipy, against one another and against bounds."""

import csv
import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from podium.core.inference.numbers.tails import (
    JointT,
    many_to_one_quantile,
    many_to_one_sf,
    maximum_modulus_quantile,
    maximum_modulus_sf,
    range_quantile,
    range_sf,
)

REFERENCE = Path(__file__).parents[3] / "reference"
MISC = json.loads((REFERENCE / "misc.json").read_text())
DFS = [1, 2.5, 10, 60, 1245, 1e6, math.inf]
GRID = np.linspace(0.05, 8, 40)


def all_pairs(k):
    first, second = np.triu_indices(k, 1)
    return (np.eye(k)[first] - np.eye(k)[second]) / math.sqrt(2)


def against_first(k):
    return (np.eye(k)[1:] - np.eye(k)[0]) / math.sqrt(2)


def test_range_quantiles_against_r():
    # qtukey(.95, k, df), which is itself right to about 3e-7
    for k, row in MISC["qtukey"].items():
        for name, df in (("Inf_", math.inf), ("d1245", 1245), ("d60", 60)):
            assert range_quantile(0.05, int(k), df) == pytest.approx(row[name], abs=1e-6)


@pytest.mark.parametrize(
    ("k", "df"), [(3, 10), (6, 60), (20, math.inf), (4, 1), (10, 3), (50, 100)]
)
def test_range_against_scipy(k, df):
    q = np.array([1.0, 3.5, 6.0])
    np.testing.assert_allclose(range_sf(q, k, df), stats.studentized_range.sf(q, k, df), atol=1e-9)


@pytest.mark.parametrize("df", DFS)
def test_range_of_two_groups_is_a_t_test(df):
    expected = 2 * stats.t.sf(GRID, df)
    np.testing.assert_allclose(range_sf(GRID * math.sqrt(2), 2, df), expected, rtol=1e-9)


def test_range_of_three_independent_normals_against_one_integral():
    # P(range <= q) = 3 ∫ φ(z) (Φ(z) - Φ(z - q))² dz, by the trapezoidal rule on a fine grid
    z, step = np.linspace(-12, 20, 40001, retstep=True)
    for q in (0.5, 2.0, 3.31, 5.0):
        inner = stats.norm.cdf(z) - stats.norm.cdf(z - q)
        expected = 1 - 3 * step * np.sum(stats.norm.pdf(z) * inner**2)
        assert range_sf(q, 3, math.inf) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("df", [4, 200, math.inf])
def test_small_tails_keep_their_relative_accuracy(df):
    far = {4: 1e4, 200: 60, math.inf: 30}[df]
    np.testing.assert_allclose(range_sf(far * math.sqrt(2), 2, df), 2 * stats.t.sf(far, df), 1e-9)
    single = 2 * stats.t.sf(far, df)
    assert single < 1e-10
    # far out the union of 15 events lies just below the sum of their probabilities
    assert range_sf(far * math.sqrt(2), 6, df) <= 15 * single
    assert range_sf(far * math.sqrt(2), 6, df) >= (2 if df == 4 else 14.9) * single


def test_dunnett_quantiles_against_r():
    # integrate(dnorm(z) * (pnorm(q√2 + z) - pnorm(-q√2 + z))^k), infinite df
    for m, expected in MISC["dunnett_equal_half"].items():
        assert many_to_one_quantile(0.05, int(m), math.inf) == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("two_sided", [True, False])
def test_dunnett_quantiles_against_his_printed_tables(two_sided):
    # Dunnett (1955, 1964), 5 %, 20 df, 1 to 5 treatments, equal groups
    printed = [2.09, 2.38, 2.54, 2.65, 2.73] if two_sided else [1.72, 2.03, 2.19, 2.30, 2.39]
    for m, expected in enumerate(printed, start=1):
        found = many_to_one_quantile(0.05, m, 20, two_sided=two_sided)
        assert found == pytest.approx(expected, abs=0.006)


@pytest.mark.parametrize(
    ("rho", "two_sided"), [(0.2, True), (0.5, False), (0.9, True), (0.97, False)]
)
def test_many_to_one_against_multivariate_normal(rho, two_sided):
    correlation = np.full((3, 3), rho) + (1 - rho) * np.eye(3)  # regular: scipy is right here
    normal = stats.multivariate_normal(cov=correlation, abseps=1e-7, releps=0, maxpts=10**6)
    for t in (0.7, 2.1):
        lower = [-t] * 3 if two_sided else None
        expected = 1 - normal.cdf([t] * 3, lower_limit=lower)
        found = many_to_one_sf(t, 3, math.inf, rho, two_sided)
        assert found == pytest.approx(expected, abs=1e-5)


def test_many_to_one_against_multivariate_t():
    correlation = np.full((2, 2), 0.5) + 0.5 * np.eye(2)
    joint = stats.multivariate_t(shape=correlation, df=7)
    expected = 1 - joint.cdf([2.3, 2.3], lower_limit=[-2.3, -2.3], random_state=1)
    assert many_to_one_sf(2.3, 2, 7) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("df", DFS)
@pytest.mark.parametrize("two_sided", [True, False])
def test_one_statistic_is_a_t_test(df, two_sided):
    expected = (2 if two_sided else 1) * stats.t.sf(GRID, df)
    for found in (
        many_to_one_sf(GRID, 1, df, two_sided=two_sided),
        many_to_one_sf(GRID, 9, df, rho=1.0, two_sided=two_sided),
        JointT(np.ones((1, 1)), df).sf(GRID, two_sided),
        JointT(np.ones((4, 1)), df).sf(GRID, two_sided),
    ):
        np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_three_one_sided_statistics_with_correlation_one_half_exceed_0_with_probability_3_in_4():
    # each group is largest with probability 1/4: the control is not in 3 of 4 cases
    for df in (1, 8, math.inf):
        assert many_to_one_sf(0.0, 3, df, two_sided=False) == pytest.approx(0.75, abs=1e-10)
        assert many_to_one_quantile(0.75, 3, df, two_sided=False) == pytest.approx(0, abs=1e-9)


def test_one_sided_tail_of_a_negative_statistic_is_the_rest():
    below = many_to_one_sf(np.array([-50.0, -2.0]), 2, 5, 0.0, two_sided=False)
    assert below[0] == pytest.approx(1, abs=1e-6)
    # P(both < -2) = P(both > 2) = 2 P(one > 2) - P(any > 2)
    both = 2 * stats.t.sf(2.0, 5) - many_to_one_sf(2.0, 2, 5, 0.0, two_sided=False)
    assert 1 - below[1] == pytest.approx(both, abs=1e-10)


def test_maximum_modulus_quantiles_against_r():
    with open(REFERENCE / "smm_quantiles.csv") as lines:
        rows = [
            {k: float(v) for k, v in r.items() if k != "check_k1"} for r in csv.DictReader(lines)
        ]
    for row in rows[::3]:
        found = maximum_modulus_quantile(row["alpha"], int(row["k"]), row["df"])
        assert found == pytest.approx(row["q"], rel=1e-8)


def test_maximum_modulus_of_feelders_example_against_r():
    feelders = MISC["smm_feelders"]
    assert maximum_modulus_quantile(0.1, 6, 105) == pytest.approx(feelders["q_6_105_10"], rel=1e-9)
    assert maximum_modulus_quantile(0.2, 6, 105) == pytest.approx(feelders["q_6_105_20"], rel=1e-9)
    for k in (3, 6):
        expected = 1 - feelders[f"p_of_2.135_k{k}"]
        assert maximum_modulus_sf(2.135, k, 105) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("df", DFS)
def test_quantiles_invert_tails(df):
    for alpha in (0.5, 0.05, 1e-4):
        assert range_sf(range_quantile(alpha, 7, df), 7, df) == pytest.approx(alpha, rel=1e-8)
        q = many_to_one_quantile(alpha, 7, df, 0.3, two_sided=False)
        assert many_to_one_sf(q, 7, df, 0.3, two_sided=False) == pytest.approx(alpha, rel=1e-8)
        q = maximum_modulus_quantile(alpha, 7, df)
        assert maximum_modulus_sf(q, 7, df) == pytest.approx(alpha, rel=1e-8)


@pytest.mark.parametrize("df", DFS)
def test_tails_lie_between_one_statistic_and_bonferroni_and_fall(df):
    single = 2 * stats.t.sf(GRID, df)
    for tail, pairs in (
        (range_sf(GRID * math.sqrt(2), 50, df), 1225),
        (many_to_one_sf(GRID, 50, df), 50),
        (maximum_modulus_sf(GRID, 50, df), 50),
        (JointT(all_pairs(5), df).sf(GRID), 10),
    ):
        assert (np.diff(tail) <= 1e-12).all()
        assert (tail >= single - 1e-9).all()
        assert (tail <= np.minimum(1, pairs * single) + 1e-9).all()


def test_correlation_makes_the_maximum_smaller():
    tails = [many_to_one_sf(2.2, 5, 12, rho) for rho in (0, 0.25, 0.5, 0.75, 0.95, 1)]
    assert (np.diff(tails) < 0).all()


def test_huge_df_tend_to_the_normal_distribution():
    for k in (2, 6, 50):
        assert range_sf(3.5, k, 1e12) == pytest.approx(range_sf(3.5, k, math.inf), abs=1e-10)
        # the difference is of order 1 / df
        near = range_sf(3.5, k, 1e6) - range_sf(3.5, k, math.inf)
        far = range_sf(3.5, k, 1e5) - range_sf(3.5, k, math.inf)
        assert far == pytest.approx(10 * near, rel=1e-3)


@pytest.mark.parametrize("df", [1, 30, 1e6, math.inf])
@pytest.mark.parametrize("tail", [
    lambda t, df: range_sf(t, 6, df),
    lambda t, df: range_sf(t, 1, df),
    lambda t, df: many_to_one_sf(t, 6, df),
    lambda t, df: many_to_one_sf(t, 0, df),
    lambda t, df: maximum_modulus_sf(t, 6, df),
    lambda t, df: JointT(all_pairs(3), df).sf(t),
    lambda t, df: JointT(np.empty((0, 3)), df).sf(t),
])  # fmt: skip
def test_ends_are_exact_and_nan_stays_nan(tail, df):
    found = tail([0.0, -1.0, math.inf, math.nan, 1e-200, 1e300], df)
    np.testing.assert_array_equal(found[:4], [1, 1, 0, math.nan])
    assert found[4] == pytest.approx(1, abs=1e-10) or found[4] == 0  # 0 where nothing is compared
    assert found[5] < 1e-90


def test_nothing_to_compare_has_quantile_0():
    assert range_quantile(0.05, 1, 10) == 0
    assert many_to_one_quantile(0.05, 0, 10) == maximum_modulus_quantile(0.05, 0, 10) == 0
    assert many_to_one_quantile(0.05, 0, 10, two_sided=False) == -math.inf
    assert JointT(np.empty((0, 2)), 10).quantile(0.05) == 0


def test_shapes_are_kept():
    assert range_sf(3.0, 4, 10).shape == ()
    assert range_sf([], 4, 10).shape == (0,)
    assert many_to_one_sf(np.ones((2, 3)), 4, 10).shape == (2, 3)
    assert JointT(all_pairs(3), 10).sf(np.ones((2, 3))).shape == (2, 3)


def test_wrong_arguments_are_named():
    with pytest.raises(ValueError, match=r"degrees of freedom must be positive, not 0\."):
        range_sf(1.0, 3, 0)
    with pytest.raises(ValueError, match=r"at least 1 statistics or groups, not 0\."):
        range_sf(1.0, 0, 3)
    with pytest.raises(ValueError, match=r"correlation must lie between 0 and 1, not -0\.1\."):
        many_to_one_sf(1.0, 3, 3, rho=-0.1)
    with pytest.raises(ValueError, match=r"alpha must lie between 0 and 1, not 5\."):
        range_quantile(5, 3, 10)
    with pytest.raises(ValueError, match=r"rows of root must have length 1"):
        JointT(2 * all_pairs(3), 10)


@pytest.mark.parametrize("df", [5, 60, math.inf])
@pytest.mark.parametrize("k", [2, 3, 6, 10, 12, 20])
def test_joint_t_of_all_pairs_is_the_studentized_range(k, df):
    joint = JointT(all_pairs(k), df)
    critical = range_quantile(0.05, k, df) / math.sqrt(2)
    assert joint.sf(critical) == pytest.approx(0.05, abs=3e-4)
    assert range_sf(joint.quantile(0.05) * math.sqrt(2), k, df) == pytest.approx(0.05, abs=3e-4)
    t = np.linspace(0.5, 9, 30)
    np.testing.assert_allclose(joint.sf(t), range_sf(t * math.sqrt(2), k, df), atol=1e-3, rtol=0.02)


@pytest.mark.parametrize("two_sided", [True, False])
@pytest.mark.parametrize(("k", "df"), [(3, 10), (6, math.inf), (12, 60), (20, 200)])
def test_joint_t_against_a_control_is_dunnetts(k, df, two_sided):
    joint = JointT(against_first(k), df)
    critical = many_to_one_quantile(0.05, k - 1, df, two_sided=two_sided)
    assert joint.sf(critical, two_sided) == pytest.approx(0.05, abs=3e-4)
    t = np.linspace(-3, 6, 30)
    expected = many_to_one_sf(t, k - 1, df, two_sided=two_sided)
    np.testing.assert_allclose(joint.sf(t, two_sided), expected, atol=1.5e-3)


def test_joint_t_with_gaps_against_multcomp():
    # glht(lmer(...), mcp(alg = "Tukey")) with 5 % missing cells, infinite df, abseps = 1e-7
    fit = json.loads((REFERENCE / "mixed_bench_unbal.json").read_text())
    treatment = np.eye(6)
    treatment[1:, 0] = 1  # means from treatment coefficients
    covariance = treatment @ np.array(fit["lmer"]["vcov"]) @ treatment.T
    tukey = fit["tukey"]
    second, first = np.triu_indices(6, 1)
    root = (np.eye(6)[first] - np.eye(6)[second]) @ np.linalg.cholesky(covariance)
    joint = JointT(root / np.linalg.norm(root, axis=1, keepdims=True), math.inf)
    found = joint.sf(np.abs(list(tukey["t"].values())))
    np.testing.assert_allclose(found, list(tukey["p_single_step"].values()), atol=3e-4)
    assert joint.quantile(0.05) == pytest.approx(tukey["calpha"], abs=2e-3)


def test_joint_t_does_not_depend_on_the_root_chosen():
    pairs = all_pairs(4)
    turned = pairs @ np.linalg.qr(np.random.default_rng(1).normal(size=(4, 4)))[0]
    padded = np.hstack([turned, np.zeros((6, 3))])
    expected = JointT(pairs, 20).sf(2.5)
    assert JointT(padded, 20).sf(2.5) == pytest.approx(expected, abs=1e-4)


def test_joint_t_among_some_contrasts_is_that_of_these_alone():
    joint = JointT(all_pairs(4), 15)
    some = [0, 1, 3]  # the pairs of the first three algorithms
    expected = range_sf(2.6 * math.sqrt(2), 3, 15)
    assert joint.sf(2.6, among=some) == pytest.approx(expected, abs=1e-4)
    assert joint.sf(2.6, among=np.isin(range(6), some)) == joint.sf(2.6, among=some)
    assert joint.sf(2.6, among=[2]) == pytest.approx(2 * stats.t.sf(2.6, 15), rel=1e-9)
    assert joint.sf(2.6, among=[]) == 0


def test_joint_t_small_tails_do_not_stop_at_one_in_all_points():
    expected = range_sf(12 * math.sqrt(2), 20, math.inf)
    assert JointT(all_pairs(20), math.inf).sf(12.0) == pytest.approx(expected, rel=0.02)


def test_draws_have_the_correlation_and_the_marginal_tails():
    joint = JointT(all_pairs(4), 12)
    assert joint.draws.shape == (2**15, 6)
    assert joint.draws is joint.draws
    np.testing.assert_allclose(np.corrcoef(joint.draws.T), joint.root @ joint.root.T, atol=0.01)
    critical = stats.t.isf(0.025, 12)
    np.testing.assert_allclose(np.mean(np.abs(joint.draws) >= critical, axis=0), 0.05, atol=2e-3)
    largest = np.abs(joint.draws).max(axis=1)
    assert np.mean(largest >= joint.quantile(0.05)) == pytest.approx(0.05, abs=2e-3)


def test_joint_t_is_the_same_every_time():
    a, b = JointT(all_pairs(5), 9), JointT(all_pairs(5), 9)
    assert a.sf(2.0) == b.sf(2.0)
    np.testing.assert_array_equal(a.draws, b.draws)
