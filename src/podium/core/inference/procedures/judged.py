"""A judge's scores of all items, corrected by people's scores of some, as a procedure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import special

from podium.core.base.errors import InferenceError
from podium.core.inference.bricks.clustered import clustered_covariance
from podium.core.inference.bricks.contrasts import all_pairs, matrix
from podium.core.inference.bricks.estimates import Estimates
from podium.core.inference.bricks.quantities import MEAN, gives
from podium.core.inference.layouts import Layout
from podium.core.inference.numbers import tails
from podium.core.inference.numbers.judge_correction import (
    LEAST_CLUSTERS,
    UNLIKE,
    CorrectedMeans,
    check_labels,
    corrected,
    corrected_means,
    tested_bias,
    unlike,
)
from podium.core.inference.procedures.mean_tests import PAIRED_T
from podium.core.inference.procedures.procedure import ITEMS, Cited, derive
from podium.core.words.facts import CAUTION, REMARK, Note


@gives(MEAN)
def judged_means(layout: Layout) -> Estimates:
    """People's mean scores over all items, by two-phase regression on the judge.

    Of two algorithms the regression of differences, with its own degrees of freedom; of more one
    slope for all of them, so that differences add up.
    """
    human = _human(layout)
    means = corrected_means(human, layout.values)
    if layout.items.clusters is not None:
        covariance, df = _clustered(layout, human, means)
        return Estimates(means.values, covariance, df=df, in_units=True)
    if len(layout.algorithms) == 2:
        pair = corrected(human[:, 0] - human[:, 1], layout.values[:, 0] - layout.values[:, 1])
        half = pair.error**2 / 2 * np.eye(2)  # of the difference alone
        return Estimates(means.values, half, df=float(pair.df), in_units=True)
    return Estimates(means.values, means.covariance, df=float(means.df), in_units=True)


def _human(layout: Layout) -> np.ndarray:
    assert layout.items.human is not None  # it is legal only so
    return layout.items.human


def _clustered(
    layout: Layout, human: np.ndarray, result: CorrectedMeans
) -> tuple[np.ndarray, float]:
    """The covariance of both phases by clusters (CR2), and the df of the labelled ones."""
    clusters, there = np.asarray(layout.items.clusters), ~np.isnan(human).any(axis=1)
    count = len(np.unique(clusters[there]))
    if count < LEAST_CLUSTERS:
        raise InferenceError(
            f"A judge is corrected by labels in at least {LEAST_CLUSTERS} clusters of items; there "
            f"are {count}: label items of more clusters."
        )
    rest = human[there] - result.slope * layout.values[there]
    of_labels, df = clustered_covariance(rest, clusters[there])
    of_all, _ = clustered_covariance(result.slope * layout.values, clusters)
    return of_labels + of_all, df


# -- scores of one algorithm ----------------------------------------------------------------------

RARE = 10  # labels of the rarer kind: with fewer, right or wrong is judged by the labels alone
TWO_PHASE, LOGIT, LABELS = "two-phase", "two-phase, logit", "labels only, Wilson"


def own_score(layout: Layout, alpha: float) -> tuple[float, float, float, float, str]:
    """What people would score the one algorithm: mean, its error, limits, and how they were made.

    Right or wrong is judged on the logit scale or, with fewer than 10 labels of the rarer kind, by
    the labels alone: two-phase intervals cover 63 to 90 % at 0.9 with 15 to 60 labels, these 92 %
    or more.
    """
    human = _human(layout)
    there = ~np.isnan(human[:, 0])
    labels = layout.sign * human[there, 0]
    binary = bool(np.isin(labels, (0.0, 1.0)).all())
    right = int(labels.sum()) if binary else 0
    if binary and layout.items.clusters is None and min(right, len(labels) - right) < RARE:
        check_labels(len(labels), len(human))
        mean, error = labels.mean(), labels.std(ddof=1) / np.sqrt(len(labels))
        return float(mean), float(error), *tails.wilson(right, len(labels), alpha), LABELS
    result = corrected(human[:, 0], layout.values[:, 0])
    mean, error, df = layout.sign * result.estimate, result.error, float(result.df)
    if layout.items.clusters is not None:
        one = CorrectedMeans(np.array([result.estimate]), np.zeros((1, 1)), result.df, result.slope)
        covariance, df = _clustered(layout, human, one)
        error = float(np.sqrt(covariance[0, 0]))
    reach = float(tails.t_isf(alpha / 2, df)) * error
    if not (binary and 0 < mean < 1):
        return mean, error, mean - reach, mean + reach, TWO_PHASE
    centre, wide = special.logit(mean), reach / (mean * (1 - mean))
    low, high = special.expit([centre - wide, centre + wide])
    return mean, error, float(low), float(high), LOGIT


# -- what must be said -----------------------------------------------------------------------------


def about_judge(layout: Layout, procedure: Any, request: Any) -> Iterator[Note]:
    """What the judge is worth, how biased it is, and whether labels are a random sample."""
    human, judge = _human(layout), layout.values
    there = ~np.isnan(human).any(axis=1)
    labels = int(there.sum())
    yield Note(
        "judge",
        REMARK,
        labels=labels,
        items=len(judge),
        correlation=_correlation(human[there], judge[there]),
        worth=labels * _gain(layout, human[there]),
    )
    biases = [tested_bias(column) for column in (judge[there] - human[there]).T]
    by = [(n, layout.sign * b, p) for n, (b, p) in zip(layout.algorithms, biases, strict=True)]
    errors = (judge[there] - human[there]).std(axis=0, ddof=1) / np.sqrt(labels)
    raw = tuple(zip((layout.sign * judge.mean(axis=0)).tolist(), errors.tolist(), strict=True))
    yield Note("judge-bias", REMARK, by=tuple(by), raw=raw, df=labels - 1)
    p = unlike(human.mean(axis=1), judge.mean(axis=1))
    if p < UNLIKE:
        yield Note("labels-unlike", CAUTION, p=p)


def _correlation(human: np.ndarray, judge: np.ndarray) -> float:
    """Of scores centred within items and algorithms, where differences are compared."""
    y, f = (a - a.mean(axis=1, keepdims=True) for a in (human, judge))
    y, f = y - y.mean(axis=0), f - f.mean(axis=0)
    size = float(np.sqrt((y**2).sum() * (f**2).sum()))
    return float((y * f).sum() / size) if size > 0 else 0.0


def _gain(layout: Layout, human: np.ndarray) -> float:
    """How many times as exact differences are as by the labels alone, in variances."""
    contrasts = matrix(all_pairs(len(layout.algorithms)), len(layout.algorithms))
    own = np.atleast_2d(np.cov(human, rowvar=False)) / len(human)
    alone = ((contrasts @ own) * contrasts).sum(axis=1)
    with_judge = judged_means(layout).variances(contrasts)
    varying = with_judge > 0
    return float(np.median(alone[varying] / with_judge[varying])) if varying.any() else 1.0


JUDGE_CORRECTED = derive(
    PAIRED_T,
    name="judge-corrected",
    title="scores of a judge corrected by people's, two-phase regression",
    words="the two-phase regression estimator, in which people's scores of some items correct a "
    "judge's scores of all",
    estimate=judged_means,
    hypothesis="people would score two algorithms alike on average",
    null="labelled items are a random sample of all, drawn before anybody looked at labels; scores "
    "nearly normal, or many labels",
    references=(
        Cited("Cochran (1977)", ", chapter 12"),
        Cited("Angelopoulos, Bates, Fannjiang, Jordan, Zrnic (2023)", ", the same idea"),
    ),
    legal=ITEMS,
    needs=replace(PAIRED_T.needs, labels=True),
    reports=replace(PAIRED_T.reports, cautions=about_judge),
)
PROCEDURES = (JUDGE_CORRECTED,)
