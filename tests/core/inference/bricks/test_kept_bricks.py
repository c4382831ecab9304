"""Scores, scales, contrasts, nulls and limits on small inputs, at edges too: kept numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from layouts_made import made, noise
from snapshots import assert_kept
from summaries import of_layout, summary

from podium import Measure, compare
from podium.core.inference.bricks import contrasts, estimates, flips, nulls
from podium.core.inference.bricks.adjustments import pair_level
from podium.core.inference.bricks.clustered import Available, cluster_df, clustered_covariance
from podium.core.inference.bricks.linearised import kurtosis_df
from podium.core.inference.bricks.nulls import Student
from podium.core.inference.bricks.scales import SCORES, block_ranks, ranks_within, scaled
from podium.core.inference.bricks.shifts import Counted
from podium.core.inference.layouts import spread_note, without_rounding
from podium.errors import InferenceError

pytestmark = pytest.mark.numbers

TIED = np.round(noise(7, 3, 2))
GAPS = np.where(np.arange(21).reshape(7, 3) % 8 == 3, np.nan, noise(7, 3, 3))
PAIRS = [(0, 1), (2, 0), (1, 2)]


def failing(of: Any, *given: Any, **more: Any) -> Any:
    """What a function gives, or how it refuses."""
    try:
        return of(*given, **more)
    except (ValueError, InferenceError) as error:
        return error


def test_scores_of_blocks() -> None:
    found = {
        name: [score(noise(5, 3, 1)), score(TIED)]
        for name, score in SCORES.items()
        if name not in ("signs", "signed-ranks", "pratt")
    }
    found |= {
        name: [SCORES[name](noise(6, 2, 1)), SCORES[name](TIED[:, :2])]
        for name in ("signs", "signed-ranks", "pratt")
        if name in SCORES
    }
    failed = np.isnan(GAPS) & (np.arange(3) == 0)
    found["within"] = ranks_within(GAPS)
    found["failed"] = block_ranks(
        replace(made(np.nan_to_num(GAPS), block="dataset"), failed=failed)
    )
    assert_kept("inference", "bricks", found, case="scores")


def test_scales() -> None:
    labels = tuple(f"d{i}" for i in range(7))
    layouts = {
        "losses": made(np.exp(noise(7, 3, 4)), block="dataset", measure="rmse", labels=labels),
        "gains": made(noise(7, 3, 4), block="dataset", measure="accuracy"),
        "gaps": made(np.exp(GAPS), block="dataset", measure="rmse", labels=labels),
        "samples": made(noise(7, 3, 4)),
        "alike": made(np.round(np.ones((4, 2)) * np.arange(4)[:, None]) + 1.0, block="dataset"),
    }
    names = (
        "raw",
        "ranks",
        "best",
        "baseline:a",
        "ratio:b",
        "normalised",
        "best:a",
        "baseline",
        "ratio:z",
    )
    found = {}
    for kind, layout in layouts.items():
        for name in names:
            result = failing(scaled, layout, name)
            if not isinstance(result, Exception):
                facts = {each.code: dict(each.facts) for each in result.notes}
                kept = of_layout(result)
                result = [
                    kept["cells"],
                    kept["shape"],
                    result.measure.name,
                    result.measure.bounds,
                    facts,
                ]
            found[f"{kind} {name}"] = result
    assert_kept("inference", "bricks", found, case="scales")


def test_contrasts() -> None:
    names = ("a", "b", "c", "d")
    found = {
        "pairs": [contrasts.all_pairs(4), contrasts.against(names, "c")],
        "named": failing(contrasts.named_pairs, names, [("d", "a"), ("b", "c")]),
        "refused": [
            failing(contrasts.named_pairs, names, [("d", "a"), ("a", "d")]),
            failing(contrasts.named_pairs, names, [("d", "d")]),
            failing(contrasts.named_pairs, names, [("d", "x")]),
            failing(contrasts.named_pairs, names, []),
            failing(contrasts.against, names, "x"),
            failing(contrasts.check_count, 2000),
            failing(contrasts.check_count, contrasts.MOST_ALGORITHMS),
            failing(contrasts.check_count, contrasts.MOST_ALGORITHMS + 1),
        ],
        "matrix": contrasts.matrix([(0, 2), (3, 1)], 4),
    }
    layout = made(noise(9, 4, 5))
    for name, weights in {
        "mean": {"a": 0.5, "b": 0.5, "c": -1},
        "scaled": {"a": 2, "b": 2, "d": -4},
        "list": [1, -1, 0, 0],
        "sum": {"a": 1, "b": 1},
        "nothing": {"a": 0, "b": 0},
        "short": [1, -1],
        "unknown": {"a": 1, "x": -1},
    }.items():
        for procedure in ("paired-t", "mixed-tukey", "ranks"):
            try:
                table = compare(layout, procedure, contrasts={name: weights}).table
                result: Any = [*table.loc[0, ["estimate", "lower", "upper", "statistic", "p"]]]
            except InferenceError as error:
                result = error
            found[f"{name} {procedure}"] = result
    assert_kept("inference", "bricks", found, case="contrasts")


def test_laws_of_pairs() -> None:
    rng = np.random.default_rng(5)
    root = rng.normal(size=(3, 2))
    root /= np.linalg.norm(root, axis=1, keepdims=True)
    t = np.array([0.4, 2.3, -1.2])
    found = {}
    for shape in ("range", "control", "general"):
        for df in (6.0, np.inf):
            law = Student(root, np.full(3, df), shape, 3)
            found[f"{shape} {df:g}"] = [
                [
                    law.marginal(t, both),
                    law.marginal_quantile(0.1, both),
                    law.maximum(t, both),
                    law.maximum_quantile(0.1, both),
                    law.successive(t, both, np.array([1, 0, 2])),
                ]
                for both in (True, False)
            ] + [law.quadratic(5.0, 2)]
    still = Student(np.where([[1], [0], [1]], root, 0.0), np.array([5.0, 6, 7]), "general", 3)
    found["without variation"] = [still.maximum(t, True), still.maximum(t, False, [0, 1])]
    found["levels"] = [pair_level(0.05, m, both) for m in (0, 1, 6) for both in (True, False)]
    assert_kept("inference", "bricks", found, case="laws", relative=1e-7)


@pytest.mark.parametrize(
    "null", ["exact", "permutation:299", "asymptotic", "normal", "corrected", "mid-p"]
)
def test_nulls_of_tests_with_limits(null: str) -> None:
    """Ties, few blocks, gaps: of every procedure that takes more nulls than one."""
    right = (noise(25, 3, 7) > 0.3).astype(float)
    layouts = {
        "losses": made(np.round(noise(8, 3, 6), 1), measure=Measure("loss")),
        "gaps": made(np.where(np.isnan(GAPS), np.nan, np.round(GAPS, 1))),
        "items": made(right, block="item", measure="accuracy"),
        "own": made(np.round(noise(7, 3, 8), 1), block="independent-resample"),
    }
    of = {
        "losses": ("wilcoxon", "pratt", "sign", "sign-flip", "friedman", "permutation", "rank-t"),
        "gaps": ("wilcoxon", "sign", "sign-flip"),
        "items": ("mcnemar", "cochran", "mcnemar-mid-p", "sign", "wilcoxon"),
        "own": ("steel-dwass", "kruskal-wallis", "one-way-permutation", "medians"),
    }
    found = {}
    for kind, procedures in of.items():
        for procedure in procedures:
            for options in ({}, {"adjust": "sidak", "alternative": "greater", "alpha": 0.2}):
                key = f"{kind} {procedure} {options.get('alternative', '')}"
                try:
                    table = compare(layouts[kind], procedure, null=null, **options).table
                    found[key] = table[["lower", "upper", "p", "p_adjusted"]].iloc[0].tolist()
                except InferenceError as error:
                    found[key] = str(error)[:60]
    assert_kept("inference", "bricks", found, case=f"null {null}", relative=1e-6)


def test_counted_shifts() -> None:
    x, y = np.array([0.3, -0.1, 0.1, 0.7, 0.0]), np.array([0.2, 0.6, -0.4])
    found = {}
    for name, counted in {
        "averages": Counted(x),
        "differences": Counted(x, y),
        "one": Counted(y[:1]),
        "tied": Counted(np.round(x)),
        "none": Counted(x[:0]),
    }.items():
        found[name] = [
            counted.size,
            counted.points(),
            counted.distinct(),
            counted.middle(),
            [counted.beyond(at) for at in (-0.1, 0.0, 0.25)] if counted.size else None,
            counted.ends if counted.size else None,
        ]
    many = np.round(np.random.default_rng(1).normal(0.02, 0.1, 400), 1)
    found["many"] = [Counted(many).middle(), Counted(many[:300], many[300:] + 0.1).middle()]
    assert_kept("inference", "bricks", found, case="shifts")


def test_flips() -> None:
    found = {}
    for name, values in {
        "few": noise(7, 3, 9),
        "gaps": np.vstack([GAPS, noise(5, 3, 4)]),
        "many": noise(25, 3, 10),
        "alike": np.repeat(noise(8, 1, 1), 3, axis=1),
        "constant": noise(9, 1, 1) + np.array([0.0, 1.0, 1.0]),
    }.items():
        for turn in (0, 1, -1):
            made_of = flips.Flipped(values, PAIRS, 300, 1, turn, 0.1)
            found[f"{name} {turn}"] = [
                made_of.statistic,
                made_of.p(np.zeros(3), turn),
                made_of.jointly("single-step"),
                made_of.jointly("step-down"),
                made_of.limits(0.1, turn == 0),
                made_of.remarks,
            ]
    found["scale"] = [
        flips.comparable(np.array([-2.0, 0, 3]), np.array([6.0, 9, 30])),
        flips.compared_with(2.5, np.array([6.0, 9, 30])),
        [flips.signs(3, 10, 1)[0].tolist(), flips.signs(12, 3, 1)[0].tolist()],
    ]
    found["too many"] = failing(flips.Flipped, np.zeros((30_000, 2)), [(0, 1)], 9999, 1, 0, 0.05)
    assert_kept("inference", "bricks", found, case="flips")


def test_estimates_and_overall_tests() -> None:
    d = noise(9, 3, 11)
    clusters = np.array([0, 0, 1, 1, 1, 2, 2, 3, 4])
    holes = np.where(np.arange(27).reshape(9, 3) % 7 == 2, np.nan, d)
    found: dict[str, Any] = {
        "moments": [vars(estimates.moments(x, PAIRS)) for x in (d, holes)],
        "bent": [
            estimates.corrected(np.array([-2.0, 0.5, 3]), np.array([0.1, -0.2, 0.05])),
            estimates.uncorrected(np.array([-2.0, 0.5, 3]), np.array([0.1, -0.2, 0.05])),
        ],
        "wins": [estimates.wins_and_losses(x, PAIRS) for x in (TIED, GAPS)],
        "places": [estimates.median(n) for n in (1, 2, 5, 8)]
        + [estimates.worst_tenth(n) for n in (1, 9, 10, 25)],
        "clustered": [clustered_covariance(d, clusters), cluster_df(np.array([3, 1, 1, 4]))],
        "available": [
            [Available(holes, c).covariance(), Available(holes, c).contrasts(rows)]
            for c in (None, clusters)
            for rows in (contrasts.matrix(PAIRS, 3), np.array([[1, 1, -2.0]]))
        ],
        "kurtosis": [
            kurtosis_df(d - d.mean(axis=0), rows, 8.0)
            for rows in (contrasts.matrix(PAIRS, 3), np.array([[1, 1, -2.0]]))
        ],
        "epsilon": [nulls.epsilon(x) for x in (d, d[:, :2], holes, d[:2], TIED * 0)],
        "unlike": [nulls.unlike(x) for x in (d, d * [1, 1, 9], d[:5], noise(30, 4, 1) ** 3)],
        "missing": [nulls.missing_share(holes), nulls.missing_share(d[:0])],
        "hard": [
            nulls.goes_with_difficulty(np.where((d < cut) & (np.arange(3) == 0), np.nan, d))
            for cut in (-9, -0.5, 0.5, 1.0)
        ],
        "rounded": without_rounding(d[:2] * 1e9),
    }
    costs = np.exp(2 * noise(12, 3, 3))
    layouts = [made(costs * [1, 1, 1], measure=m) for m in ("time", "error")]
    layouts += [
        made(costs ** [0.2, 0.5, 2.0], measure="peak-memory"),
        made(costs[:2], measure="peak-memory"),
    ]
    found["spread"] = [
        note and [note.severity.name, dict(note.facts)] for note in map(spread_note, layouts)
    ]
    assert_kept("inference", "bricks", found, case="estimates", relative=1e-7)


def test_own_bricks_and_bootstraps() -> None:
    layout = made(np.round(noise(12, 3, 12), 2), measure=Measure("loss"))
    found = {}
    for estimate in ("block-sums:ranks", "block-sums:raw", "block-sums:quade", "nothing"):
        try:
            found[estimate] = summary(compare(layout, estimate=estimate, null="permutation:199"))
        except InferenceError as error:
            found[estimate] = error
    for null in ("bootstrap:199", "bootstrap:99", "exact", "permutation:50"):
        for procedure in ("median-bootstrap", "quantile-bootstrap"):
            try:
                found[f"{procedure} {null}"] = summary(compare(layout, procedure, null=null))
            except InferenceError as error:
                found[f"{procedure} {null}"] = error
    assert_kept("inference", "bricks", found, case="own", relative=1e-7)
