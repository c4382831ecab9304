"""Distributions, fits and draws on small inputs, with gaps, ties and edges: kept numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from layouts_made import noise
from snapshots import assert_kept

from podium.core.inference.comparing.single import drift, neighbours
from podium.core.inference.numbers import tails
from podium.core.inference.numbers.cells import Cells
from podium.core.inference.numbers.chances import (
    hierarchical,
    joint,
    sign,
    signed_rank,
    standings,
    student,
)
from podium.core.inference.numbers.judge_correction import corrected, corrected_means, unlike
from podium.core.inference.numbers.nested import fixed_survey, random_survey
from podium.core.inference.numbers.permutations import all_sums, permuted_sums
from podium.core.inference.numbers.preferences import rankings, strengths
from podium.core.inference.numbers.reml import random_block
from podium.core.inference.procedures.battle_fits import paired_strengths
from podium.core.inference.procedures.held_out import nested_error
from podium.errors import InferenceError

pytestmark = pytest.mark.numbers

T = np.array([-1.0, 0.0, 0.3, 1.0, 2.2, 3.5, 7.0, 40.0, np.inf, np.nan])
DFS = (1.0, 4.5, 30.0, 2000.0, np.inf)
PAIRS = np.array([[1.0, -1.0, 0.0], [1.0, 0.0, -1.0], [0.0, 1.0, -1.0], [1.0, -2.0, 1.0]])


def failing(of: Any, *given: Any, **more: Any) -> Any:
    """What a function gives, or how it refuses."""
    try:
        return of(*given, **more)
    except (ValueError, InferenceError) as error:
        return error


def holed(values: np.ndarray, share: float, seed: int) -> np.ndarray:
    values = values.copy()
    values[np.random.default_rng(seed).random(values.shape) < share] = np.nan
    return values


def test_tails() -> None:
    runs = np.round(np.cumsum(noise(20, 1, 3)[:, 0]), 1)
    ways = tails.Ways(
        np.array([[1.0, -0.2, 0.0], [0.8, 0.1, 0.0]]),
        np.array([[0.5, 0.2, 0.0], [0.2, 0.3, 0.1]]),
        np.array([[4.0, 9.0, 3.0], [11.0, 2.0, 5.0]]),
    )
    found = {
        "t": [tails.t_sf(T, df) for df in DFS],
        "t quantiles": [tails.t_isf([0.5, 0.05, 1e-9], df) for df in DFS],
        "f": [tails.f_sf(T[:-1], 3, df) for df in DFS[1:4]],
        "chi-square": tails.chi2_sf(T[:-1], 3),
        "wilson": [
            tails.wilson(hits, n, a) for hits, n in ((0, 3), (2, 7), (9, 9)) for a in (0.05, 0.3)
        ],
        "ways": [[ways.p(at, turn) for turn in (0, 1, -1)] for at in (0.0, 0.5)],
        "limits of ways": [ways.limits(0.1, two_sided) for two_sided in (True, False)],
        "ranks": tails.ranks(np.array([[3.0, 1, 3, 2], [1, 1, 1, 0], [np.nan, 1, 2, 0]]), axis=1),
        "drift": [drift(runs), drift(runs[:3]), drift(np.ones(9))],
        "neighbours": [neighbours(runs), neighbours(np.arange(9.0)), neighbours(np.ones(9))],
    }
    assert_kept("inference", "numbers", found, case="tails")


def test_largest_of_several() -> None:
    at = T[2:8]
    many = {
        f"{m} of {rho}, {'two' if both else 'one'}-sided": [
            tails.many_to_one_sf(T, m, df, rho, both) for df in (4.5, np.inf)
        ]
        + [failing(tails.many_to_one_quantile, 0.05, m, 4.5, rho, both)]
        for m in (0, 2, 9)
        for rho in (0.0, 0.5, 1.0)
        for both in (True, False)
    }
    ranges = {
        str(k): [tails.range_sf(at, k, df) for df in DFS]
        + [tails.range_quantile(a, k, df) for a in (0.01, 0.3) for df in DFS]
        for k in (1, 3, 12)
    }
    found = {
        "many": many,
        "ranges": ranges,
        "modulus": [tails.maximum_modulus_sf(at, m, 7.0) for m in (1, 3, 10)],
        "modulus quantiles": [tails.maximum_modulus_quantile(0.05, m, 7.0) for m in (1, 3, 10)],
        "refused": [
            failing(tails.range_sf, 1.0, 0, 3.0),
            failing(tails.range_sf, 1.0, 2, 0.0),
            failing(tails.many_to_one_sf, 1.0, 2, 3.0, 1.2),
            failing(tails.range_quantile, 1.0, 2, 3.0),
        ],
    }
    assert_kept("inference", "largest", found)


@pytest.mark.parametrize("df", [5.0, np.inf])
def test_joint_t(df: float) -> None:
    root = np.array([[1.0, 0, 0], [0.6, 0.8, 0], [0.36, 0.48, 0.8], [-1, 0, 0], [0, 0.6, 0.8]])
    law = tails.JointT(root, df, 2**10)
    found = {
        "sf": [law.sf(T[:-2], both) for both in (True, False)],
        "among": [
            law.sf([1.0, 2.5], True, [0, 2, 4]),
            law.sf(1.5, False, [1]),
            law.sf(1, True, []),
        ],
        "quantiles": [law.quantile(a, both) for a in (0.02, 0.2) for both in (True, False)],
        "draws": [law.draws.mean(axis=0), law.draws[[0, 1, -1]]],
        "none": [law.quantile(0.1) for law in [tails.JointT(root[:0], df)]],
    }
    assert_kept("inference", "numbers", found, case=f"joint t {df:g}", relative=1e-7)


def test_related_hypotheses() -> None:
    rng = np.random.default_rng(3)
    found = {}
    for k in (2, 3, 4, 5, 10):
        p = np.round(rng.beta(0.4, 4, k * (k - 1) // 2), 3)
        found[str(k)] = [
            tails.true_counts(k),
            tails.shaffer(p, k),
            tails.static_shaffer(p, k),
            tails.bergmann_hommel(p, k),
        ]
    assert_kept("inference", "numbers", found, case="related")


def test_chances() -> None:
    d = np.array([0.3, -0.1, 0.05, 0.4, 0.0, -0.02, 0.6, 0.1])
    found = {
        "student": [
            student(np.array([0.5, 0.0, 0.0, -2]), np.array([0.4, 0.0, 1, 0]), np.array(7.0), rope)
            for rope in (0.0, 0.1)
        ],
        "sign": [sign(x, rope) for x in (d, -d, d[:1], d * 0) for rope in (0.0, 0.1)],
        "signed rank": [
            signed_rank(x, rope, draws, prior=prior)
            for x in (d, -d[:3], d * 0)
            for rope, draws, prior in ((0.0, 500, 0.5), (0.1, 300, 1.0))
        ],
        "joint": [
            joint(np.array([0.1, 0.3, 0.25]), covariance, df, 2000)
            for covariance in (np.eye(3) / 50, np.diag([0.02, 0.0, 0.0]), np.zeros((3, 3)))
            for df in (5.0, np.inf)
        ],
        "standings": standings(np.array([[1.0, 3, 3, 0], [2, 2, 2, 2], [4, 3, 2, 1]])),
    }
    samples = [noise(n, 1, n)[:, 0] / 3 + 0.1 for n in (4, 6, 5)]
    for rope, rho in ((0.0, 0.0), (0.1, 0.2)):
        h = hierarchical(samples, rope, rho)
        of_next = [h.winner, h.mean, h.difference, h.spread, h.positive, h.quantile(0.1)]
        found[f"hierarchical {rope:g} {rho:g}"] = of_next
    assert_kept("inference", "numbers", found, case="chances", relative=1e-7)


def test_permutations() -> None:
    values = np.round(noise(5, 3, 6), 1)
    two = noise(40, 2, 7)
    found: dict[str, Any] = {}
    for name, scores in {
        "three": values,
        "two": values[:, :2],
        "tied": np.ones((3, 2)),
        "halves": two[:20],
        "ranks": np.argsort(values, axis=1) + 1.0,
        "seven": noise(3, 7, 8),
        "eight": noise(2, 8, 8),
        "too many": two,
    }.items():
        drawn = permuted_sums(scores, 900, np.random.default_rng(1))
        sums = failing(all_sums, scores)
        if isinstance(sums, tuple):
            states, weights = sums
            sums = [len(weights), weights.sum(), weights @ states, weights @ states**2]
            sums += [weights @ (states[:, 0] >= scores[:, 0].sum() - 1e-9)]
        found[name] = [drawn.mean(axis=0), drawn.std(axis=0), drawn[[0, 7, -1]], sums]
    assert_kept("inference", "numbers", found, case="permutations")


def test_judges() -> None:
    rng = np.random.default_rng(4)
    human = rng.normal(size=(40, 2))
    judge = 0.6 * human + 0.3 * rng.normal(size=human.shape) + 0.2
    some = np.where(np.arange(40)[:, None] < 22, human, np.nan)
    partly = some.copy()
    partly[3, 0] = np.nan
    found = [
        [
            failing(corrected, h, j)
            for h, j in ((some[:, 0], judge[:, 0]), (some[:, 1], human[:, 0]))
        ],
        [
            failing(corrected, some[:, 0], np.ones(40)),
            failing(corrected, partly[:18, 0], judge[:18, 0]),
        ],
        failing(corrected, human[:, 0], judge[:, 0]),
        [corrected(some[:, 0], judge[:, 0]).worth, corrected(some[:, 0], np.ones(40)).worth],
        failing(corrected_means, some, judge),
        failing(corrected_means, partly, judge),
        corrected_means(some, np.ones((40, 2))),
        [
            unlike(some[:, 0], judge[:, 0]),
            unlike(some[:, 0], np.ones(40)),
            unlike(human[:, 0], judge),
        ],
    ]
    assert_kept("inference", "numbers", found, case="judges")


def summarised(model: Any) -> Any:
    """What a survey model came to."""
    if isinstance(model, Exception):
        return model
    return {
        "means": model.means,
        "errors": np.sqrt(np.diag(PAIRS @ model.covariance @ PAIRS.T)),
        "df": model.df_contrast(PAIRS),
        "sigmas": model.sigmas,
        "f": model.f_test(),
        "criterion": model.criterion,
        "connected": model.connected,
        "facts": model.facts,
    }


def test_surveys() -> None:
    within = np.repeat(np.arange(4), [5, 4, 6, 3])
    base = noise(18, 3, 9) + np.array([0.0, 2, -1, 1])[within][:, None]
    tables = {
        "whole": base,
        "gaps": holed(base, 0.2, 1),
        "many gaps": holed(base, 0.5, 2),
        "no algorithm on one": np.where((within == 2)[:, None] & (np.arange(3) == 1), np.nan, base),
        "one sample each": holed(base, 0.1, 3)[[0, 5, 9, 15]],
        "no error": np.round(noise(18, 1, 2)) + np.array([0.0, 1, 3]),
        "alike": np.ones((18, 3)),
    }
    found = {}
    for name, values in tables.items():
        where = within[[0, 5, 9, 15]] if len(values) == 4 else within
        weights = np.array([1.0, 2, 1, 3])
        found[name] = {
            "fixed": summarised(failing(fixed_survey, values, where)),
            "folds": summarised(failing(fixed_survey, values, where, 0.3)),
            "weighed": summarised(failing(fixed_survey, values, where, 0.0, weights)),
        }
        if name != "no error":  # whose error is a share of the rounding
            found[name]["random"] = summarised(failing(random_survey, values, where))
    assert_kept("inference", "surveys", found, relative=1e-5)


def test_cells() -> None:
    within = np.repeat(np.arange(3), [4, 3, 2])
    found = {}
    for name, values in {
        "whole": noise(9, 3, 1),
        "gaps": holed(noise(9, 3, 1), 0.3, 4),
    }.items():
        cells = Cells(values, within)
        facts = ("variance", "level", "error_df", "joined", "connected", "samples_vary", "whole")
        found[name] = {
            "fits": [cells.at(theta) for theta in (0.0, 0.7, 1e3)],
            "only within": np.round(cells.at(np.inf).means, 6),  # a level is that of a large theta
            "facts": [getattr(cells, fact) for fact in facts],
            "squares": cells.mean_squares,
        }
    assert_kept("inference", "numbers", found, case="cells", relative=1e-6)


def test_blocks() -> None:
    tables = {
        "whole": noise(8, 3, 1),
        "gaps": holed(noise(12, 3, 2), 0.25, 1),
        "apart": np.array(
            [[1.0, 2, np.nan], [2, 3.5, np.nan], [np.nan, np.nan, 1.0], [0, 1, np.nan]]
        ),
        "one each": np.where(np.eye(3, dtype=bool)[[0, 1, 2, 0, 1, 2]], noise(6, 3, 3), np.nan),
        "no error": noise(5, 1, 4) + np.array([0.0, 1, 2]),
        "alike": np.ones((4, 3)),
        "no blocks": noise(6, 3, 5) - noise(6, 3, 5).mean(axis=1, keepdims=True),
    }
    found = {}
    for name, values in tables.items():
        model = failing(random_block, values)
        if isinstance(model, Exception):
            found[name] = model
            continue
        found[name] = [
            model.means,
            np.sqrt(np.diag(PAIRS @ model.covariance @ PAIRS.T)),
            model.df_contrast(PAIRS),
            [model.sigma_b, model.sigma, model.reml_criterion, model.error_df, model.connected],
            failing(model.f_test),
            model.block_effects(),
            model.residuals()[:2],
        ]
    assert_kept("inference", "numbers", found, case="blocks", relative=1e-5)


def test_preferences() -> None:
    rng = np.random.default_rng(6)
    values = np.round(noise(20, 4, 6), 1)
    choices, rows = rankings(np.where(rng.random(values.shape) < 0.2, np.nan, values))
    first = rng.integers(0, 3, 90)
    second = (first + rng.integers(1, 3, 90)) % 3
    outcome = np.sign(0.4 * (second - first) + rng.normal(size=90)).astype(int)
    outcome[::9] = 0
    blocks = np.arange(90) // 6
    found = {
        "choices": [len(choices), choices[:6], rows[:6]],
        "rankings": strengths(choices, list("abcd"), rows),
        "alone": strengths(choices, list("abcd")),
        "ties": strengths(
            [
                ((0, 1, 2), (0, 1)),
                ((0, 1, 2), (2,)),
                ((0, 1), (1,)),
                ((0, 2), (0, 2)),
                ((1, 2), (1, 2)),
                ((0, 1, 2), (0, 1, 2)),
                ((0, 1), (0,)),
                ((1, 2), (2,)),
                ((0, 1, 2), (1, 2)),
            ],
            list("abc"),
        ),
        "refused": [
            failing(strengths, [((0, 1), (0,))] * 3, list("ab")),
            failing(strengths, [((0, 1), (0,)), ((0, 1), (1,))], list("abc")),
            failing(strengths, [((0, 1), (0, 1)), ((2, 3), (2, 3))], list("abcd")),
        ],
    }
    for name, options in {
        "plain": {},
        "ordered": {"ordered": True},
        "blocks": {"blocks": blocks},
    }.items():
        fit = paired_strengths(first, second, outcome, list("abc"), **options)
        found[name] = [fit.values, fit.covariance, fit.effects, fit.df]
    assert_kept("inference", "numbers", found, case="preferences", relative=1e-7)


def test_nested_cross_validation() -> None:
    rng = np.random.default_rng(5)
    scores = rng.uniform(0.6, 0.9, (3, 4, 4))
    found = [nested_error(scores, n) for n in (40, 400)] + [nested_error(scores.round(), 40)]
    assert_kept("inference", "numbers", found, case="nested cross-validation")
