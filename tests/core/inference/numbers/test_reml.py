"""The random block model: against lme4, against a dense likelihood, against classical tests."""

import csv
import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import minimize

from podium.core.inference.numbers.reml import RandomBlock, _Gaps, _unbalanced, random_block

REFERENCE = Path(__file__).parents[3] / "reference"
NAN = np.nan


def scores(name):
    """The six algorithms' columns of a wide table, NaN where a cell is empty."""
    with open(REFERENCE / f"{name}_wide.csv") as lines:
        rows = list(csv.reader(lines))[1:]
    return np.array([[float(v) if v else NAN for v in row[2:]] for row in rows])


def r_says(name):
    return json.loads((REFERENCE / f"mixed_{name}.json").read_text())


def pairs(k):
    first, second = np.triu_indices(k, 1)
    return np.eye(k)[first] - np.eye(k)[second]


def with_gaps(rng, blocks, algorithms, share=0.2, sigma_b=1.0):
    y = rng.normal(size=(blocks, algorithms)) + sigma_b * rng.normal(size=(blocks, 1))
    y += np.arange(algorithms) / 2
    y[rng.random(y.shape) < share] = NAN
    return y


def by_gaps(y):
    """The fit by the profile, whether there are gaps or not."""
    return _unbalanced(y, _Gaps(y))


def treatment(fit):
    """Intercept and differences to the first algorithm, with their covariance."""
    to_treatment = np.eye(len(fit.means))
    to_treatment[1:, 0] = -1
    return to_treatment @ fit.means, to_treatment @ fit.covariance @ to_treatment.T


def dense_criterion(y, sigma_b, sigma):
    """Minus twice the log restricted likelihood by matrices of all values, Harville (1977)."""
    block, algorithm = np.nonzero(np.isfinite(y))
    values = y[block, algorithm]
    X = np.eye(y.shape[1])[algorithm]
    V = sigma**2 * np.eye(len(values)) + sigma_b**2 * (block[:, None] == block)
    inverse = np.linalg.inv(V)
    information = X.T @ inverse @ X
    residuals = values - X @ np.linalg.solve(information, X.T @ inverse @ values)
    free = len(values) - y.shape[1]
    determinants = np.linalg.slogdet(V)[1] + np.linalg.slogdet(information)[1]
    return free * np.log(2 * np.pi) + determinants + residuals @ inverse @ residuals


def dense_covariance(y, sigma_b, sigma):
    block, algorithm = np.nonzero(np.isfinite(y))
    X = np.eye(y.shape[1])[algorithm]
    V = sigma**2 * np.eye(len(block)) + sigma_b**2 * (block[:, None] == block)
    return np.linalg.inv(X.T @ np.linalg.inv(V) @ X)


@pytest.mark.parametrize(("name", "close"), [("bench", 1e-8), ("bench_unbal", 1e-6)])
def test_means_and_covariance_against_lme4(name, close):
    # lmer(p ~ alg + (1 | b), REML = TRUE)
    lmer = r_says(name)["lmer"]
    coefficients, covariance = treatment(random_block(scores(name)))
    np.testing.assert_allclose(coefficients, list(lmer["fixef"].values()), rtol=close)
    np.testing.assert_allclose(covariance, lmer["vcov"], rtol=close)
    np.testing.assert_allclose(np.sqrt(np.diag(covariance)), list(lmer["se"].values()), rtol=close)


@pytest.mark.parametrize("name", ["bench", "bench_unbal"])
def test_variances_criterion_and_block_effects_against_lme4(name):
    fit, lmer = random_block(scores(name)), r_says(name)["lmer"]
    assert fit.sigma_b == pytest.approx(lmer["sigma_b"], rel=1e-6)
    assert fit.sigma == pytest.approx(lmer["sigma"], rel=1e-6)
    assert fit.reml_criterion == pytest.approx(lmer["reml_criterion"], abs=1e-6)
    assert fit.reml_criterion <= lmer["reml_criterion"] + 1e-9
    np.testing.assert_allclose(fit.block_effects()[:5], lmer["ranef_first5"], rtol=1e-6)


@pytest.mark.parametrize("name", ["bench", "bench_unbal"])
def test_degrees_of_freedom_against_emmeans(name):
    # pairs(emmeans(m, ~ alg, lmer.df = "satterthwaite")) and the means' own
    fit, emmeans = random_block(scores(name)), r_says(name)["emmeans_satterthwaite"]
    np.testing.assert_allclose(fit.df_contrast(pairs(6)), emmeans["df"], rtol=1e-6)
    np.testing.assert_allclose(fit.df_contrast(np.eye(6)), emmeans["emmean_df"], rtol=1e-6)


@pytest.mark.parametrize("name", ["bench", "bench_unbal"])
def test_f_test_against_lmertest(name):
    # anova(m, ddf = "Satterthwaite")
    f, df1, df2, p = random_block(scores(name)).f_test()
    anova = r_says(name)["anova_satterthwaite"]
    assert f == pytest.approx(anova["F"], rel=1e-7)
    assert df1 == anova["num"]
    assert df2 == pytest.approx(anova["den"], rel=1e-5)
    assert p == pytest.approx(anova["p"], rel=1e-3)


def test_without_gaps_it_is_the_two_way_analysis_of_variance():
    # summary(aov(p ~ alg + Error(b)))
    fit, aov = random_block(scores("bench")), r_says("bench")["aov"]
    assert fit.sigma**2 == pytest.approx(aov["MSE"], rel=1e-11)
    assert fit.sigma_b == pytest.approx(aov["closed_sigma_b"], rel=1e-11)
    assert fit.f_test()[0] == pytest.approx(aov["F"], rel=1e-10)
    assert fit.f_test()[2] == pytest.approx(1245, rel=1e-11)
    np.testing.assert_allclose(fit.df_contrast(pairs(6)), 1245, rtol=1e-11)


@pytest.mark.parametrize("shape", [(2, 2), (5, 3), (40, 7)])
def test_closed_form_and_profile_agree_without_gaps(shape):
    y = with_gaps(np.random.default_rng(3), *shape, share=0, sigma_b=9.0)
    closed, profiled = random_block(y), by_gaps(y)
    assert closed.sigma_b > 0
    for field in ("means", "covariance", "sigma_b", "sigma", "reml_criterion", "error_df"):
        np.testing.assert_allclose(getattr(profiled, field), getattr(closed, field), rtol=1e-9)
    rows = np.vstack([pairs(shape[1]), np.eye(shape[1])])
    np.testing.assert_allclose(profiled.df_contrast(rows), closed.df_contrast(rows), rtol=1e-8)
    np.testing.assert_allclose(profiled.f_test(), closed.f_test(), rtol=1e-8)


@pytest.mark.parametrize("seed", range(6))
def test_fit_with_gaps_against_a_dense_likelihood(seed):
    y = with_gaps(np.random.default_rng(seed), 9, 3, share=0.25)
    fit = random_block(y)
    at = dense_criterion(y, fit.sigma_b, fit.sigma)
    assert fit.reml_criterion == pytest.approx(at, abs=1e-9)
    starts = itertools.product((0.05, 0.5, 2.0), (0.3, 1.0))
    best = min(
        minimize(lambda s: dense_criterion(y, *np.abs(s)), start, method="Nelder-Mead",
                 options={"xatol": 1e-7, "fatol": 1e-11}).fun
        for start in starts
    )  # fmt: skip
    assert fit.reml_criterion == pytest.approx(best, abs=1e-8)
    expected = dense_covariance(y, fit.sigma_b, fit.sigma)
    np.testing.assert_allclose(fit.covariance, expected, rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_satterthwaite_df_against_numerical_derivatives_of_the_dense_likelihood(seed):
    y = with_gaps(np.random.default_rng(seed), 12, 3, share=0.25, sigma_b=1.5)
    fit = random_block(y)
    at, h = np.array([fit.sigma_b, fit.sigma]), 1e-3
    steps = h * np.eye(2)
    hessian = np.array([
        [sum(i * j * dense_criterion(y, *(at + i * a + j * b)) for i in (1, -1) for j in (1, -1))
         for b in steps] for a in steps
    ]) / (4 * h**2)  # fmt: skip
    for row in np.vstack([pairs(3), np.eye(3)]):

        def variance(s, row=row):
            return row @ dense_covariance(y, *s) @ row

        gradient = np.array([variance(at + s) - variance(at - s) for s in steps]) / (2 * h)
        expected = 2 * variance(at) ** 2 / (gradient @ (2 * np.linalg.inv(hessian)) @ gradient)
        assert fit.df_contrast(row)[0] == pytest.approx(expected, rel=1e-4)


def test_two_algorithms_without_gaps_are_the_paired_t_test():
    y = with_gaps(np.random.default_rng(5), 11, 2, share=0)
    fit, t = random_block(y), stats.ttest_rel(*y.T)
    f, df1, df2, p = fit.f_test()
    assert (f, df1, p) == pytest.approx((t.statistic**2, 1, t.pvalue), rel=1e-9)
    assert df2 == pytest.approx(10, rel=1e-10)


def test_blocks_with_less_variance_than_errors_leave_the_exact_test_alone():
    y = with_gaps(np.random.default_rng(6), 8, 4, share=0)
    y -= y.mean(axis=1, keepdims=True)  # MSB = 0
    fit = random_block(y)
    assert fit.sigma_b == 0
    residuals = y - y.mean(axis=0)
    assert fit.sigma**2 == pytest.approx(np.sum(residuals**2) / 21, rel=1e-12)
    np.testing.assert_allclose(fit.df_contrast(pairs(4)), 21, rtol=1e-12)
    # the criterion is still that of the restricted likelihood's maximum, which pools
    assert fit.reml_criterion == pytest.approx(by_gaps(y).reml_criterion, abs=1e-9)


def test_with_gaps_on_the_boundary_the_model_is_a_one_way_analysis_of_variance():
    y = with_gaps(np.random.default_rng(6), 8, 4, share=0)
    y -= y.mean(axis=1, keepdims=True)
    y[0, 0] = NAN
    fit = random_block(y)
    one_way = stats.f_oneway(*(column[np.isfinite(column)] for column in y.T))
    assert fit.sigma_b == 0
    assert fit.f_test() == pytest.approx((one_way.statistic, 3, 27, one_way.pvalue), rel=1e-9)


def test_one_value_per_block_is_a_two_sample_t_test():
    rng = np.random.default_rng(7)
    a, b = rng.normal(size=6), rng.normal(1, size=9)
    y = np.full((15, 2), NAN)
    y[:6, 0], y[6:, 1] = a, b
    fit, t = random_block(y), stats.ttest_ind(a, b)
    assert not fit.connected
    assert fit.f_test() == pytest.approx((t.statistic**2, 1, 13, t.pvalue), rel=1e-9)


def test_one_algorithm_has_the_mean_and_its_standard_error():
    y = np.random.default_rng(8).normal(size=(9, 1))
    fit = random_block(y)
    assert fit.means[0] == pytest.approx(y.mean())
    assert fit.covariance[0, 0] == pytest.approx(stats.sem(y[:, 0]) ** 2)
    assert fit.df_contrast([[1.0]])[0] == pytest.approx(8)
    with pytest.raises(ValueError, match="only one algorithm"):
        fit.f_test()


def test_algorithms_that_share_no_block_are_compared_by_blocks():
    # two groups of 10 blocks, two algorithms each: the group means differ by blocks and errors
    y = with_gaps(np.random.default_rng(9), 20, 4, share=0, sigma_b=3.0)
    y[:10, 2:], y[10:, :2] = NAN, NAN
    fit = random_block(y)
    assert not fit.connected
    groups = np.array([1, 1, -1, -1]) / 2
    between = stats.ttest_ind(y[:10, :2].mean(axis=1), y[10:, 2:].mean(axis=1))
    t = groups @ fit.means / np.sqrt(groups @ fit.covariance @ groups)
    assert t == pytest.approx(between.statistic, rel=1e-8)
    assert fit.df_contrast(groups)[0] == pytest.approx(18, rel=1e-6)
    # each half is a balanced design of its own with 9 degrees of freedom, pooled
    assert fit.df_contrast([1, -1, 0, 0])[0] == pytest.approx(18, rel=1e-6)


def test_blocks_with_a_single_value_count_for_the_means():
    y = with_gaps(np.random.default_rng(10), 12, 3, share=0)
    more = np.vstack([y, [[5.0, NAN, NAN], [NAN, 4.0, NAN]]])
    without, fit = random_block(y), random_block(more)
    assert fit.error_df == without.error_df
    assert fit.means[0] > without.means[0]
    assert fit.reml_criterion == pytest.approx(dense_criterion(more, fit.sigma_b, fit.sigma))


def test_blocks_without_values_change_nothing():
    y = with_gaps(np.random.default_rng(11), 10, 3)
    padded = np.vstack([np.full((1, 3), NAN), y])
    fit, same = random_block(y), random_block(padded)
    np.testing.assert_array_equal(same.means, fit.means)
    assert same.sigma_b == fit.sigma_b
    assert same.block_effects()[0] == 0
    np.testing.assert_array_equal(same.residuals()[1:], fit.residuals())


def test_order_of_algorithms_and_blocks_does_not_matter():
    rng = np.random.default_rng(12)
    y = with_gaps(rng, 15, 4)
    algorithms, blocks = rng.permutation(4), rng.permutation(15)
    fit, mixed = random_block(y), random_block(y[blocks][:, algorithms])
    np.testing.assert_allclose(mixed.means, fit.means[algorithms], rtol=1e-10)
    np.testing.assert_allclose(mixed.f_test(), fit.f_test(), rtol=1e-9)


def test_shift_and_scale_carry_over():
    y = with_gaps(np.random.default_rng(13), 15, 4)
    fit, other = random_block(y), random_block(1000 + 1e-3 * y)
    np.testing.assert_allclose(other.means, 1000 + 1e-3 * fit.means, rtol=1e-12)
    assert other.sigma_b == pytest.approx(1e-3 * fit.sigma_b, rel=1e-6)
    np.testing.assert_allclose(other.f_test(), fit.f_test(), rtol=1e-6)


def test_effects_are_those_of_henderson():
    # y = X mu + Z b: the mixed model equations, with lambda = sigma² / sigma_b²
    y = with_gaps(np.random.default_rng(14), 10, 3)
    fit = random_block(y)
    block, algorithm = np.nonzero(np.isfinite(y))
    W = np.hstack([np.eye(3)[algorithm], np.eye(10)[block]])
    penalty = np.diag([0.0] * 3 + [(fit.sigma / fit.sigma_b) ** 2] * 10)
    solution = np.linalg.solve(W.T @ W + penalty, W.T @ y[block, algorithm])
    np.testing.assert_allclose(fit.means, solution[:3], rtol=1e-9)
    np.testing.assert_allclose(fit.block_effects(), solution[3:], rtol=1e-8, atol=1e-10)


def test_fitted_and_residuals_add_up_to_the_values():
    y = with_gaps(np.random.default_rng(15), 10, 3)
    fit = random_block(y)
    assert np.isfinite(fit.fitted()).all()
    np.testing.assert_allclose(fit.fitted() + fit.residuals(), y)
    np.testing.assert_array_equal(np.isnan(fit.residuals()), np.isnan(y))


@pytest.mark.parametrize("gap", [False, True])
def test_constant_values_have_no_variance_and_equal_means(gap):
    y = np.full((6, 3), 0.1)
    if gap:
        y[0, 0] = NAN
    fit = random_block(y)
    assert (fit.sigma, fit.sigma_b) == (0, 0)
    np.testing.assert_array_equal(fit.covariance, 0)
    np.testing.assert_allclose(fit.means, 0.1, rtol=1e-14)
    assert np.ptp(fit.means) == 0
    f, _, df2, p = fit.f_test()
    assert (f, df2, p) == (0, fit.error_df, 1)
    np.testing.assert_allclose(fit.residuals()[np.isfinite(y)], 0, atol=1e-15)


@pytest.mark.parametrize("gap", [False, True])
def test_values_without_error_leave_the_variance_of_blocks(gap):
    effects = np.array([0.1, 0.7, -0.4, 0.35, 0.05])
    y = effects[:, None] + np.array([0.9, 0.3, 0.3])
    if gap:
        y[0, 0] = y[2, 2] = NAN
    fit = random_block(y)
    assert fit.sigma == 0
    assert fit.sigma_b == pytest.approx(effects.std(ddof=1), rel=1e-12)
    np.testing.assert_allclose(fit.means, np.array([0.9, 0.3, 0.3]) + effects.mean(), rtol=1e-12)
    assert fit.means[1] == fit.means[2]
    np.testing.assert_allclose(fit.covariance, effects.var(ddof=1) / 5, rtol=1e-12)
    np.testing.assert_allclose(fit.df_contrast([[1, 0, 0], [1, 0, -1]]), [4, fit.error_df])
    assert fit.f_test() == (np.inf, 2, fit.error_df, 0)
    np.testing.assert_allclose(fit.block_effects(), effects - effects.mean(), atol=1e-12)


@pytest.mark.parametrize("ratio", [1e-3, 1e3, 1e5])
def test_very_small_and_very_large_block_variances_are_found(ratio):
    rng = np.random.default_rng(16)
    y = rng.normal(size=(200, 4)) + ratio * rng.normal(size=(200, 1))
    complete = random_block(y)
    y[0, 0] = NAN
    fit = random_block(y)
    assert fit.sigma == pytest.approx(complete.sigma, rel=0.02)
    assert fit.sigma_b == pytest.approx(complete.sigma_b, rel=0.02, abs=0.1)
    np.testing.assert_allclose(fit.df_contrast([0, 1, -1, 0]), 596, rtol=0.35)


def test_level_of_the_f_test_under_the_null_with_gaps():
    rng = np.random.default_rng(17)
    p = []
    for _ in range(300):
        y = rng.normal(size=(8, 4)) + rng.normal(size=(8, 1))
        y[rng.random(y.shape) < 0.15] = NAN
        p.append(random_block(y).f_test()[3])
    assert stats.binomtest(int(np.sum(np.array(p) < 0.05)), 300, 0.05).pvalue > 0.01


def test_an_algorithm_without_values_is_refused():
    y = np.column_stack([np.arange(4.0), np.full(4, NAN)])
    with pytest.raises(ValueError, match=r"algorithm in column 2 has no value in any row"):
        random_block(y)


def test_one_block_is_refused():
    with pytest.raises(ValueError, match=r"needs at least two rows\."):
        random_block([[0.1, 0.2, 0.3]])


@pytest.mark.parametrize("y", [
    [[0.3, 0.5], [0.4, NAN]],
    [[0.3, 0.5], [0.4, NAN], [0.1, NAN], [0.7, NAN]],
])  # fmt: skip
def test_variances_that_cannot_be_told_apart_are_refused(y):
    with pytest.raises(ValueError, match=r"cannot be separated from the error's"):
        random_block(y)


@pytest.mark.parametrize("y", [np.ones(3), np.ones((0, 2)), np.ones((2, 2, 2))])
def test_values_of_another_shape_are_refused(y):
    with pytest.raises(ValueError, match=r"rows × algorithms, not of shape"):
        random_block(y)


def test_infinite_values_are_refused():
    with pytest.raises(ValueError, match=r"must be finite numbers, or NaN"):
        random_block([[1.0, np.inf], [2.0, 3.0]])


def test_a_fit_is_frozen():
    fit = random_block([[1.0, 2.0], [2.0, 3.5]])
    assert isinstance(fit, RandomBlock)
    with pytest.raises(AttributeError):
        fit.sigma = 1.0
