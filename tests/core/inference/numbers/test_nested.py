"""The survey models against lme4 and lmerTest, dense algebra, closed forms, and at the edges."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from surveys_of_r import DATASET, NAMES, VALUES, Data, R, drawn

from podium.core.inference.bricks.contrasts import all_pairs, matrix
from podium.core.inference.numbers import nested
from podium.core.inference.numbers.cells import Cells
from podium.core.inference.numbers.nested import Survey, fixed_survey, random_survey
from podium.core.inference.numbers.reml import random_block

FIXED, RANDOM = fixed_survey(VALUES, DATASET), random_survey(VALUES, DATASET)


def pairs(model: Survey) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Estimates, standard errors and degrees of freedom of all pairs."""
    C = matrix(all_pairs(len(model.means)), len(model.means))
    return C @ model.means, np.sqrt(np.diag(C @ model.covariance @ C.T)), model.df_contrast(C)


def close(found: Any, wanted: Any, rtol: float = 1e-7, atol: float = 0.0) -> None:
    np.testing.assert_allclose(found, wanted, rtol=rtol, atol=atol)


# -- 21 data sets without gaps, by R; its optimiser stops within 1e-7 ------------------------------


@pytest.mark.parametrize("key", ["lmer_paper_model", "lmer_without_ds"])
def test_these_data_sets_have_lme4_s_variances_and_criterion(key: str) -> None:
    close([FIXED.sigmas["sample"], FIXED.sigmas["error"]], [R[key]["sigma_dsb"], R[key]["sigma"]])
    close(FIXED.criterion, R[key]["reml"], 1e-12)


def test_every_coefficient_follows_from_the_cell_means() -> None:
    theirs = R["lmer_paper_model"]["fixef"]
    cells = FIXED.cell_means
    labels = {f"alg{a}": k for k, a in enumerate(NAMES)}
    ours = {"(Intercept)": cells[0, 0]}
    ours |= {a: cells[0, k] - cells[0, 0] for a, k in labels.items() if k}
    for j in range(1, 21):
        ours[f"dsD{j + 1:02}"] = cells[j, 0] - cells[0, 0]
        for a, k in labels.items():
            if k:
                of = cells[j, k] - cells[j, 0] - cells[0, k] + cells[0, 0]
                ours[f"{a}:dsD{j + 1:02}"] = of
    assert ours.keys() == theirs.keys()
    close([ours[name] for name in theirs], list(theirs.values()), atol=1e-12)


def test_standard_errors_of_cells_and_of_their_differences() -> None:
    error, sample = FIXED.sigmas["error"], FIXED.sigmas["sample"]
    theirs = R["lmer_without_ds"]["se"]
    cell = math.sqrt((error**2 + sample**2) / 50)
    assert len(theirs) == 126
    for name, se in theirs.items():
        within = error * math.sqrt(2 / 50) * (math.sqrt(2) if ":" in name else 1)
        of = within if name.startswith("alg") else cell * math.sqrt(2)
        close(cell if name == "(Intercept)" else of, se)


def test_the_population_of_data_sets_has_lme4_s_variances_means_and_criterion() -> None:
    theirs = R["lmer_random_interaction"]
    names = {"ds:b": "sample", "ds:alg": "interaction", "ds": "dataset", "Residual": "error"}
    # lme4's optimiser stops where the criterion changes by 1e-11, a variance by 1e-6
    close([RANDOM.sigmas[names[k]] for k in theirs["sd"]], list(theirs["sd"].values()), 3e-6)
    close(RANDOM.criterion, theirs["reml"], 1e-12)
    fixef = list(theirs["fixef"].values())
    close(RANDOM.means, [fixef[0], *(fixef[0] + f for f in fixef[1:])], 1e-9)
    close(np.sqrt(RANDOM.covariance[0, 0]), theirs["se"]["(Intercept)"], 2e-6)
    close(pairs(RANDOM)[1][:5], list(theirs["se"].values())[1:], 1e-6)


@pytest.mark.parametrize(
    ("key", "model", "rtol"),
    [
        ("tukey_interaction_average", FIXED, 1e-7),
        ("tukey_paper_model_average", FIXED, 1e-7),
        ("tukey_random_interaction", RANDOM, 1e-6),
    ],
)
def test_all_pairs_are_multcomp_s(key: str, model: Survey, rtol: float) -> None:
    theirs, (estimate, se, _) = R[key], pairs(model)
    assert list(theirs["estimate"]) == [
        f"{NAMES[b]} - {NAMES[a]}" for a, b in all_pairs(len(NAMES))
    ]
    close(-estimate, list(theirs["estimate"].values()), 1e-8, 1e-12)
    close(se, list(theirs["se"].values()), rtol)
    close(-estimate / se, list(theirs["t"].values()), rtol)


def test_mean_squares_are_those_of_the_analysis_of_variance() -> None:
    within, samples = R["aov"]["Error: Within"], R["aov"]["Error: ds:b"]
    close(FIXED.sigmas["error"] ** 2, within["MS"][2], 1e-10)
    close(FIXED.sigmas["error"] ** 2 + 6 * FIXED.sigmas["sample"] ** 2, samples["MS"], 1e-10)
    close(FIXED.f_test()[:3], [within["F"][0], within["Df"][0], within["Df"][2]], 1e-10)
    close(FIXED.interaction, [within["F"][1], within["Df"][1], within["Df"][2]], 1e-10)
    f, df1, df2, _ = RANDOM.f_test()  # against the interaction
    close([f, df1, df2], [within["MS"][0] / within["MS"][1], 5, 100], 1e-10)
    close(R["nlme"]["anova"]["F"][1], FIXED.f_test()[0], 1e-6)


def test_marginal_means_do_not_depend_on_which_data_set_comes_first() -> None:
    order = np.argsort(-DATASET, kind="stable")
    for fit, model in ((fixed_survey, FIXED), (random_survey, RANDOM)):
        turned = fit(VALUES[order], 20 - DATASET[order])
        close(turned.means, model.means, 1e-12)
        close(turned.covariance, model.covariance, 1e-9, 1e-18)
    # multcomp's default is about the first data set alone
    first = R["tukey_default_reference_ds"]["estimate"]["nb - svm"]
    close(first, FIXED.cell_means[0, 5] - FIXED.cell_means[0, 0], 1e-8)
    assert abs(first - R["tukey_interaction_average"]["estimate"]["nb - svm"]) > 0.005


# -- gaps and unequal numbers of samples, by R -----------------------------------------------------


def noise(x: np.ndarray) -> np.ndarray:
    y = 1000 * np.sin(x)
    return y - np.floor(y) - 0.5


def formula(*without: tuple[int, int]) -> Data:
    """Six data sets with 3 to 7 samples, one value in eleven missing."""
    sizes = (4, 5, 6, 7, 3, 5)
    rows = [(j, b) for j, size in enumerate(sizes, 1) for b in range(1, size + 1)]
    j, b = np.array(rows).T[..., None]
    k = np.arange(1, 5)
    y = 0.3 * k + 2 * noise(j) + noise(10 * j + k) + noise(100 * j + b)
    y = y + noise(1000 * j + 50 * b + k)
    gone = (7 * j + 3 * b + 5 * k) % 11 == 0
    for dataset, algorithm in without:
        gone |= (j == dataset) & (k == algorithm)
    return np.where(gone, np.nan, y), j[:, 0] - 1


def test_these_data_sets_with_gaps() -> None:
    # lme4 1.1, lmerTest 3.1, emmeans 1.8: m <- lmer(y ~ alg * ds + (1 | ds:b), rhoend = 1e-13);
    # pairs(emmeans(m, ~ alg, lmer.df = "satterthwaite"), adjust = "none"); anova(m, type = 3)
    model = fixed_survey(*formula())
    close([model.sigmas["error"], model.sigmas["sample"]], [0.279208130712, 0.293190232781], 1e-8)
    close(model.criterion, 97.1143064612, 1e-11)
    estimate, se, df = pairs(model)
    close(estimate, [-0.268985568856, -0.66034677746, -0.760897867524, -0.391361208604,
                     -0.491912298667, -0.100551090063], 1e-8)  # fmt: skip
    close(se, [0.0786307500666, 0.0786307500666, 0.079725261611, 0.0794715324277, 0.0804968365143,
               0.0804968365143], 1e-8)  # fmt: skip
    close(df, [61.3491767358, 61.3491767524, 61.4772165101, 61.6079911961, 61.6677652862,
               61.6677653045], 1e-7)  # fmt: skip
    f, df1, df2, _ = model.f_test()
    close([f, df1, df2], [39.5436863882, 3, 61.5168452363], 3e-6)
    f, df1, df2 = model.interaction
    close([f, df1], [5.07095337769, 15], 1e-7)
    assert df2 == 60  # lmerTest's Satterthwaite: 61.5147
    close(model.cell_means[4], [-0.602792032166, 0.0910371590956, 0.640683824198, 0.394305784312])


def test_a_population_of_data_sets_with_gaps_and_absent_algorithms() -> None:
    # without algorithm 3 on data set 2 and algorithm 1 on data set 5; as before, with
    # m <- lmer(y ~ alg + (1 | ds) + (1 | ds:alg) + (1 | ds:b))
    model = random_survey(*formula((2, 3), (5, 1)))
    names = ("sample", "interaction", "dataset", "error")
    theirs = [0.291461538801, 0.273585051383, 0.217345499536, 0.279127021369]
    close([model.sigmas[n] for n in names], theirs, 1e-7)
    close(model.criterion, 113.128625038, 1e-11)
    estimate, se, df = pairs(model)
    close(estimate, [-0.180862748312, -0.567296715745, -0.6746734906, -0.386433967433,
                     -0.493810742289, -0.107376774856], 1e-8)  # fmt: skip
    close(se, [0.185881556266, 0.196295014806, 0.186298119311, 0.186841172519, 0.177072947235,
               0.187510051024], 1e-8)  # fmt: skip
    close(df, [13.178579155, 13.3446802883, 13.2942140111, 13.4757204285, 13.4743985692,
               13.6939657376], 1e-7)  # fmt: skip
    f, df1, df2, _ = model.f_test()
    close([f, df1, df2], [5.79038113817, 3, 13.4093254717], 2e-5)
    close(model.means, [-0.0683382722864, 0.112524476025, 0.498958443458, 0.606335218314], 1e-8)
    assert model.connected


# -- dense algebra and closed forms ----------------------------------------------------------------

THETAS = np.array([0.4, 0.7, 1.3])


def test_a_point_is_generalised_least_squares_and_its_slopes_are_differences() -> None:
    values, dataset = drawn(gaps=0.3, algorithms=4)
    values[dataset == 2, 1] = np.nan
    cells = Cells(values, dataset)
    row, k = np.nonzero(np.isfinite(values))
    y, j = values[row, k], dataset[row]
    together = [row[:, None] == row, (j[:, None] == j) & (k[:, None] == k), j[:, None] == j]
    V = np.eye(len(y)) + np.tensordot(THETAS, np.array(together, float), axes=1)
    X = (k[:, None] == np.arange(4)).astype(float)
    M = X.T @ np.linalg.solve(V, X)
    means = np.linalg.solve(M, X.T @ np.linalg.solve(V, y))
    rest = y - X @ means
    point = nested._random_point(cells, THETAS)
    close(point.means, means, 1e-10)
    close(point.unit, np.linalg.inv(M), 1e-10)
    close(point.squares, rest @ np.linalg.solve(V, rest), 1e-10)
    close(point.determinants, np.linalg.slogdet(V)[1] + np.linalg.slogdet(M)[1], 1e-10)
    for i, step in enumerate(1e-5 * np.eye(3)):
        up, down = (nested._random_point(cells, THETAS + s) for s in (step, -step))
        close(point.determinant_slopes[i], (up.determinants - down.determinants) / 2e-5, 1e-6)
        close(point.square_slopes[i], (up.squares - down.squares) / 2e-5, 1e-6)
        close(point.unit_slopes[i], (up.unit - down.unit) / 2e-5, 1e-5, 1e-8)


def by_reml(
    fit: Any, values: np.ndarray, dataset: np.ndarray, monkey: pytest.MonkeyPatch
) -> Survey:
    """A fit that does not know that no value is missing."""
    monkey.setattr(Cells, "whole", False)
    model: Survey = fit(values, dataset)
    monkey.undo()
    return model


@pytest.mark.parametrize("fit", [fixed_survey, random_survey])
def test_closed_forms_are_what_the_likelihood_gives(
    fit: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    values, dataset = drawn(algorithms=4, seed=3)
    closed, searched = fit(values, dataset), by_reml(fit, values, dataset, monkeypatch)
    close(searched.means, closed.means, 1e-12)
    close(searched.covariance, closed.covariance, 1e-5)
    close(list(searched.sigmas.values()), list(closed.sigmas.values()), 1e-5)
    close(searched.criterion, closed.criterion, 1e-12)
    close(pairs(searched)[2], pairs(closed)[2], 1e-5)
    close(searched.f_test(), closed.f_test(), 1e-5)


def test_few_evaluations_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    count, point = [0], nested._random_point

    def counted(cells: Cells, thetas: np.ndarray) -> Any:
        count[0] += 1
        return point(cells, thetas)

    monkeypatch.setattr(nested, "_random_point", counted)
    random_survey(*formula())
    assert count[0] <= 22  # also where a first search leaves the range in which it is safe


@pytest.mark.parametrize("scale", [1.0, 40.0])
def test_a_fit_ends_where_the_likelihood_is_flat(scale: float) -> None:
    values, dataset = drawn(gaps=0.2, algorithms=4, seed=1)
    values = values + scale * np.arange(dataset.max() + 1)[dataset, None]
    cells, model = Cells(values, dataset), random_survey(values, dataset)
    thetas = np.array([model.sigmas[s] for s in ("sample", "interaction", "dataset")]) ** 2
    thetas /= model.sigmas["error"] ** 2
    point = nested._random_point(cells, thetas)
    slopes = thetas * point.slopes((cells.values - 4) / float(point.squares))
    close(slopes, 0.0, atol=1e-8)


@pytest.mark.parametrize("gaps", [0.0, 0.2])
@pytest.mark.parametrize("fit", [fixed_survey, random_survey])
def test_units_and_offsets_change_nothing_else(fit: Any, gaps: float) -> None:
    values, dataset = drawn(gaps=gaps, seed=5)
    model = fit(values, dataset)
    estimate, se, df = pairs(model)
    for scale, offset in ((1.0, 1e9), (1e-9, 1.0), (1e30, 0.0), (1e-30, 0.0), (-3.0, 0.0)):
        other = fit(scale * values + offset, dataset)
        digits = 1e-16 * abs(offset / scale) / se.min() + 1e-5
        close(pairs(other)[0], scale * estimate, 10 * digits, 10 * abs(scale) * digits)
        close(pairs(other)[1], abs(scale) * se, digits)
        close(pairs(other)[2], df, digits)


def test_large_differences_between_algorithms_cost_no_digits() -> None:
    values, dataset = drawn(gaps=0.2)
    for fit in (fixed_survey, random_survey):
        apart = fit(values + 1e8 * np.arange(3), dataset).sigmas["error"]
        close(apart, fit(values, dataset).sigmas["error"], 1e-6)


# -- variances at the boundary ---------------------------------------------------------------------


def test_a_variance_of_0_is_0_and_contrasts_are_judged_by_what_is_left() -> None:
    values, dataset = drawn(sample=0.0, interaction=0.0, gaps=0.2, seed=3)
    cells = Cells(values, dataset)
    fixed = fixed_survey(values, dataset)
    assert fixed.sigmas["sample"] == 0
    close(pairs(fixed)[2], cells.values - 18)  # plain least squares of cell means
    close(fixed.sigmas["error"] ** 2 * (cells.values - 18), cells.at(0.0).squares, 1e-12)
    spread = random_survey(values, dataset)
    assert spread.sigmas["interaction"] == 0
    assert (pairs(spread)[2] > 30).all()


def test_without_gaps_a_small_interaction_is_not_pooled_with_the_error() -> None:
    values, dataset = drawn(interaction=0.0, seed=2)
    model = random_survey(values, dataset)
    assert model.sigmas["interaction"] == 0
    cells = Cells(values, dataset).origin
    rest = cells - cells.mean(axis=0) - cells.mean(axis=1, keepdims=True) + cells.mean()
    close(pairs(model)[1], math.sqrt(2 / 6 * np.sum(rest**2) / 10), 1e-12)
    close(pairs(model)[2], 10)


def test_with_one_sample_per_data_set_it_is_the_random_block_model() -> None:
    for gaps in (0.0, 0.25):
        values, dataset = drawn(8, 1)
        values[np.random.default_rng(7).random(values.shape) < gaps] = np.nan
        model, blocks = random_survey(values, dataset), random_block(values)
        assert model.sigmas["sample"] == model.sigmas["interaction"] == 0
        ours = [model.sigmas["error"], model.sigmas["dataset"]]
        close(ours, [blocks.sigma, blocks.sigma_b], 1e-6)
        close(model.means, blocks.means, 1e-6)
        close(pairs(model)[2], blocks.df_contrast(matrix(all_pairs(3), 3)), 1e-5)


def test_where_samples_leave_no_error_gaps_are_filled_exactly() -> None:
    values, dataset = drawn(error=0.0, seed=6)
    gaps = values.copy()
    gaps[3, 1] = gaps[11, 0] = np.nan
    full, found = random_survey(values, dataset), random_survey(gaps, dataset)
    close(found.means, full.means, 1e-5, 1e-6)
    close(pairs(found)[1], pairs(full)[1], 1e-4)
    close(pairs(found)[2], 10, 1e-3)
    assert found.sigmas["error"] == full.sigmas["error"] == 0
    fixed = fixed_survey(gaps, dataset)
    assert not fixed.covariance.any()
    close(fixed.cell_means, fixed_survey(values, dataset).cell_means, 1e-6, 1e-7)


def test_a_tiny_error_within_samples_is_found_beside_large_sample_effects() -> None:
    values, dataset = drawn(error=1e-6, gaps=0.1, seed=8)
    small = fixed_survey(values, dataset)
    assert small.sigmas["error"] == pytest.approx(1e-6, rel=0.3)
    assert small.sigmas["sample"] == pytest.approx(1.0, rel=0.3)
    larger = fixed_survey(*drawn(error=1e-3, gaps=0.1, seed=8))  # by REML, not in the limit
    close(pairs(larger)[2], pairs(small)[2], 0.02)


def test_algorithms_that_share_no_sample_are_judged_by_how_samples_vary() -> None:
    values, dataset = drawn(4, 6, 3, error=1e-7)
    values[::2, 0] = values[1::2, 1:] = np.nan  # a never meets b and c
    _, se, _ = pairs(fixed_survey(values, dataset))
    close(se[:2], math.sqrt(2 / 3 / 4), 0.5)  # of means of 3 samples of sd 1 on 4 data sets
    assert se[2] < 1e-3


@pytest.mark.parametrize("gap", [False, True])
def test_constant_scores_have_no_variance(gap: bool) -> None:
    _, dataset = drawn()
    for values in (np.full((30, 3), 0.7), np.full((30, 3), 0.7) + 0.1 * np.arange(3)):
        values = np.where((np.arange(30) == 3)[:, None] & gap, np.nan, values)
        values[3, 0] = 0.7
        for fit in (fixed_survey, random_survey):
            model = fit(values, dataset)
            assert not model.covariance.any()
            assert model.sigma == 0
            close(model.means, values[0], 1e-12)


def test_what_cannot_be_told_apart_is_refused() -> None:
    # one sample of each data set has both algorithms, the other one: no error within samples
    values, dataset = drawn(3, 2, 2)
    values[1::2, 1] = np.nan
    with pytest.raises(ValueError, match="do not tell how much samples vary"):
        fixed_survey(values, dataset)


def test_a_value_per_sample_is_a_one_way_analysis_of_variance_in_every_data_set() -> None:
    values, dataset = drawn(4, 6, 3)
    alone = np.full_like(values, np.nan)
    place = np.arange(len(values))
    alone[place, place % 3] = values[place, place % 3]
    model = fixed_survey(alone, dataset)
    assert model.sigmas["sample"] == 0  # the error stands for both
    close(pairs(model)[2], 12)
    cells = Cells(alone, dataset)
    close(pairs(model)[1], math.sqrt(cells.at(0.0).squares / 12 * 2 / 2 / 4), 1e-12)


def test_a_small_variance_of_the_interaction_is_known_as_well_as_a_larger_one() -> None:
    """By the logarithm of a variance near 0 the likelihood is flat, by itself it is not."""
    rng = np.random.default_rng(2060)
    y = rng.normal(size=(4, 1, 1)) + rng.normal(size=(4, 6, 1))
    rng.normal(size=(4, 1, 3))
    y = y + rng.normal(size=(4, 6, 3))
    y[0, 0, 0] = np.nan
    found = random_survey(y.reshape(-1, 3), np.repeat(np.arange(4), 6))
    assert 0 < found.sigmas["interaction"] < 0.02 * found.sigma
    # a little more of it, and hardly anything changes
    y[:, :, 0] += 0.05 * np.array([1, -1, 1, -1])[:, None]
    more = random_survey(y.reshape(-1, 3), np.repeat(np.arange(4), 6))
    row = np.array([[1.0, -1.0, 0.0]])
    assert more.sigmas["interaction"] > found.sigmas["interaction"]
    assert found.df_contrast(row) == pytest.approx(more.df_contrast(row), rel=0.1)
