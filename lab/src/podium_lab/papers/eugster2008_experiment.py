"""Eugster, Hothorn & Leisch (2008), sections 3.1 to 3.3: one data set."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import podium
from podium.core.inference.bricks.scales import ranks_within
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.inference.numbers.tails import range_sf
from podium.core.orders.decide import order_by
from podium.core.orders.order import Order
from podium_lab.papers import eugster2008_data as paper
from podium_lab.papers.eugster2008_data import (
    DIGITS,
    FIVE,
    NAMES,
    SAMPLES,
    experiment,
    order_cell,
    orders_cell,
)
from podium_lab.papers.replication import Cell

COPY = (
    "No raw scores of naive Bayes are kept; a copy of lda stands for it, from which it differs by "
    "0.0001 in the mean; the few samples in which the two differ explain the disagreements."
)
FIVE_ONLY = "Of naive Bayes (orange) no raw scores are kept: its row is not recomputed."
BY_THE_COPY = "A copy of lda stands for naive Bayes."
QUANTILE = (
    "What the paper calls m-worst values for m = 12 are the 95 % quantiles by linear interpolation "
    "(the 12th worst are 0.0200, 0.0231, 0.0516, 0.0547, 0.0509 for svm, rpart, nnet, knn, lda)."
)
KEY = (
    "The key of colours contradicts the numbers: blue is svm, red rpart, green nnet, yellow knn, "
    "purple lda, orange naive Bayes."
)
TIES = (
    "The printed formula omits the correction for ties, with which the printed statistic and "
    "p-values were made; R_.j shall divide by B."
)
STATISTICS = {"Mean": "mean", "SD": "sd", "Median": "median", "Max": "maximum"}


# -- Table 1 and section 3.1 ----------------------------------------------------------------


def table1(data: Path | None) -> tuple[list[Cell], list[str]]:
    """Mean, sd, median and maximum of the five algorithms."""
    result = experiment(data).summary().set_index("algorithm")
    theirs = paper.algorithms_table()
    cells = [
        Cell("table1", name, column, theirs.loc[name, column], result.loc[name, ours], 0, DIGITS)
        for name in FIVE
        for column, ours in STATISTICS.items()
    ]
    return cells, [KEY, FIVE_ONLY]


def section31(data: Path | None) -> tuple[list[Cell], list[str]]:
    """Orders by mean, minimax rule and quantile: of raw scores, and of the printed numbers."""
    results, theirs = experiment(data), paper.algorithms_table()
    result = podium.verdicts.order_by(results, "quantile:0.95")
    values = dict(zip(result.order.algorithms, result.values, strict=True))
    cells = [
        Cell("95 % quantiles", n, "m = 12", theirs.loc[n, "quantile"], values[n], 0, DIGITS)
        for n in FIVE
    ]
    raw, summed = list(_raw_orders(results)), list(_printed_orders(theirs))
    return [*cells, *raw, *summed], [KEY, FIVE_ONLY, QUANTILE]


def _raw_orders(results: podium.Results) -> Iterator[Cell]:
    requests: dict[str, tuple[str, str, dict[str, Any]]] = {
        "mean": (paper.MEANS_ALONE, "mean", {}),
        "mean, 95 % bootstrap intervals": (paper.MEANS_APART, "mean", {"intervals": 0.95}),
        "minimax rule": (paper.MINIMAX, "worst", {}),
        "95 % quantile": (paper.QUANTILES, "quantile:0.95", {}),
        "95 % quantile, epsilon 0.001": (
            paper.QUANTILES_NEAR,
            "quantile:0.95",
            {"epsilon": 0.001},
        ),
    }
    for row, (text, statistic, options) in requests.items():
        result = podium.verdicts.order_by(results, statistic, **options)
        yield order_cell("orders of five, raw scores", row, text, result.order)


def _printed_orders(theirs: pd.DataFrame) -> Iterator[Cell]:
    names = list(theirs.index)
    half = 1.96 * theirs["SD"] / np.sqrt(SAMPLES)
    low, high = (theirs["Mean"] + sign * half for sign in (-1, 1))
    made = {
        "mean": (paper.MEANS_ALONE, _smallest_first(theirs["Mean"])),
        "mean, 95 % intervals": (
            paper.MEANS_APART,
            Order.from_intervals(names, low.tolist(), high.tolist()),
        ),
        "minimax rule": (paper.MINIMAX, _smallest_first(theirs["Max"])),
        "95 % quantile": (paper.QUANTILES, _smallest_first(theirs["quantile"])),
        "95 % quantile, epsilon 0.001": (
            paper.QUANTILES_NEAR,
            _smallest_first(theirs["quantile"], 0.001),
        ),
    }
    for row, (text, order) in made.items():
        yield order_cell("orders of six, printed numbers", row, text, order)


def _smallest_first(values: pd.Series, epsilon: float = 0.0) -> Order:
    names = [str(name) for name in values.index]
    scores = [values.to_list()]
    return order_by(scores, names, "mean", higher_is_better=False, epsilon=epsilon).order


# -- section 3.2 ----------------------------------------------------------------------------


def section32(data: Path | None) -> tuple[list[Cell], list[str]]:
    """Friedman's test, the rank test of all pairs, and the mixed model."""
    results = experiment(data, paper.MISSING)
    ranked, mixed = (podium.compare(results, p) for p in ("nemenyi", "mixed-tukey"))
    ranks = rank_sums(results)
    ties = _ties(ranks, ranked)
    cells = [
        *_friedman(ranked, ties),
        *_rank_sums(ranks, ranked),
        *_from_rank_sums(ties),
        order_cell("orders", "rank test of all pairs", paper.TESTED, podium.decide(ranked)),
        *_mixed(mixed),
        order_cell("orders", "mixed model, Tukey", paper.TESTED, podium.decide(mixed)),
    ]
    return cells, [COPY, TIES, "The printed differences are R_v - R_u, not R_u - R_v.", KEY]


def rank_sums(results: podium.Results) -> pd.Series:
    """The sums over samples of the ranks within them, 1 the best; ties have mean ranks."""
    blocks = podium.layout(results)
    return pd.Series(ranks_within(blocks.values).sum(axis=0), list(blocks.algorithms))


def statistic(sums: pd.Series) -> float:
    """Friedman's statistic as the paper prints it, without the correction for ties."""
    k = len(sums)
    means = sums.to_numpy(float) / SAMPLES
    return float(12 * SAMPLES / (k * (k + 1)) * np.square(means - (k + 1) / 2).sum())


def _ties(sums: pd.Series, ranked: Comparisons) -> float:
    """The factor by which ties reduce the variance of ranks: the formula over the test's S."""
    assert ranked.overall is not None
    return statistic(sums) / ranked.overall.statistic


def _friedman(ranked: Comparisons, ties: float) -> Iterator[Cell]:
    theirs, sums = 888.5657, paper.algorithms_table()["rank sum"]
    assert ranked.overall is not None
    yield Cell("Friedman", "S", "raw scores", theirs, ranked.overall.statistic, 0, DIGITS,
               BY_THE_COPY)  # fmt: skip
    yield Cell("Friedman", "S", "printed rank sums and formula", theirs, statistic(sums), 0,
               DIGITS, "Misprint: the formula omits the correction for ties.")  # fmt: skip
    corrected = statistic(sums) / ties
    yield Cell("Friedman", "S", "the same, corrected for ties", theirs, corrected, 0, DIGITS,
               f"The correction is the copy's, {ties:.5f}; the paper's is 0.90080.")  # fmt: skip


def _rank_sums(sums: pd.Series, ranked: Comparisons) -> Iterator[Cell]:
    theirs = paper.algorithms_table()["rank sum"]
    for name in NAMES.values():
        note = BY_THE_COPY if name in ("lda", "nb") else ""
        # a copy shares the ranks that the two had: half a rank of the one that was better
        yield Cell("rank sums", name, "R", theirs[name], sums[name], 0, 0.5, note)
    p = _looked_up(ranked.table, "p_adjusted")
    for row in paper.pairs_table().itertuples():
        pair = f"{row.first}, {row.second}"
        ours = sums[row.second] - sums[row.first]
        yield Cell("R_v - R_u", pair, "difference", row.difference, ours, 0, 1.0)
        yield Cell("p, raw scores", pair, "p", row.p, p[frozenset((row.first, row.second))], 0,
                   0.0005, _why(row.first, row.second))  # fmt: skip


def _why(first: str, second: str) -> str:
    return BY_THE_COPY if {first, second} <= {"lda", "nb", "knn"} else ""


def _from_rank_sums(ties: float) -> Iterator[Cell]:
    """The p-values that the printed rank sums make, by the range of normal variables."""
    sums = paper.algorithms_table()["rank sum"]
    k = len(sums)
    spread = np.sqrt(ties * SAMPLES * k * (k + 1) / 12)
    for row in paper.pairs_table().itertuples():
        p = float(range_sf(abs(sums[row.first] - sums[row.second]) / spread, k, np.inf))
        pair = f"{row.first}, {row.second}"
        yield Cell("p, printed rank sums", pair, "p", row.p, p, 0, 0.0005)


def _looked_up(table: pd.DataFrame, column: str) -> dict[frozenset[str], float]:
    pairs = zip(table["first"], table["second"], table[column], strict=True)
    return {frozenset((str(a), str(b))): float(value) for a, b, value in pairs}


def _mixed(mixed: Comparisons) -> Iterator[Cell]:
    table = "mixed model"
    for row, key, theirs in (("sigma_b", "sigma_b", 0.0052), ("sigma", "sigma", 0.0082)):
        yield Cell(table, row, "estimate", theirs, float(mixed.method.to_dict()[key]), 0, DIGITS)
    effects = paper.algorithms_table()["effect"]
    base = "svm"
    for name in NAMES.values():
        ours = mixed.means[name] - (0.0 if name == base else mixed.means[base])
        row = "intercept (svm)" if name == base else f"{name} - svm"
        yield Cell(table, row, "estimate", effects[name], ours, 0, DIGITS)
    small = (mixed.table["lower"] <= 0) & (mixed.table["upper"] >= 0)
    yield Cell("figure5", "intervals with zero", "number", 4, int(small.sum()))


# -- section 3.3 ----------------------------------------------------------------------------


def section33(data: Path | None) -> tuple[list[Cell], list[str]]:
    """Printed orders in, printed hierarchical orders and consensus out; needs no data."""
    mean, worst, time = (paper.named(t) for t in (paper.TESTED, paper.QUANTILES, paper.TIME))
    three = [mean, worst, time]
    both = podium.consensus(three[:2], family="linear")
    every = podium.consensus(three, family="linear")
    weighted = podium.consensus(three, weights=[1, 1.2, 1], family="linear")
    cells = [
        order_cell(
            "hierarchical",
            "mean, worst, time",
            paper.HIERARCHICAL,
            podium.orders.hierarchical(mean, worst, time),
        ),
        *orders_cell("consensus", "mean, worst", paper.MEAN_AND_WORST, _orders(both)),
        *orders_cell("consensus", "mean, worst, time", paper.ALL_THREE, _orders(every)),
        *orders_cell("consensus", "weights 1, 1.2, 1", paper.ALL_THREE[1:], _orders(weighted)),
    ]
    return cells, [KEY]


def _orders(consensus: podium.orders.Consensus) -> list[Order]:
    return list(consensus.orders)
