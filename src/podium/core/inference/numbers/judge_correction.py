"""Scores of a judge on all items, corrected by people's scores of some: two-phase regression.

People's scores are the truth. Where the labelled items are a random sample, the mean of people's
scores over all items is their mean over the labelled ones, moved along the regression on the judge
by how much these items differ from all (Cochran 1977, chapter 12; prediction-powered inference is
the same idea with another slope).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from podium.core.base.errors import InferenceError
from podium.core.inference.numbers import tails

LEAST_LABELS = 15
LEAST_CLUSTERS = 10  # labelled ones
UNLIKE = 0.01  # p of judge scores alike on labelled and other items, below which it is said


@dataclass(frozen=True)
class Corrected:
    """One mean (or difference of two): estimate, its error, and what the judge was worth."""

    estimate: float
    error: float
    df: int
    slope: float
    correlation: float
    labels_only: tuple[float, float]  # the mean of the labels, and its error
    bias: tuple[float, float]  # judge less people on the labelled items, and the p-value of none

    @property
    def worth(self) -> float:
        """How many labels without a judge would be as exact; the number of labels where it adds
        nothing."""
        labels = self.df + 2
        return labels * (self.labels_only[1] / self.error) ** 2 if self.error > 0 else float(labels)


def corrected(human: np.ndarray, judge: np.ndarray) -> Corrected:
    """The mean of people's scores over all items; `human` is NaN where nobody labelled.

    theta = mean(y) + B (mean of all f - mean of labelled f), with the variance
    s² (1/n + (difference of these means)² / Sxx) + B² var(f) / M, and t of n - 2 df. Where the
    judge does not vary on the labelled items it is the plain mean of the labels.
    """
    there = ~np.isnan(human)
    y, f, n, m = human[there], judge[there], int(there.sum()), len(judge)
    check_labels(n, m)
    label_error = float(y.std(ddof=1) / np.sqrt(n))
    bias = tested_bias(f - y)
    spread = float(((f - f.mean()) ** 2).sum())
    if spread <= 1e-20 * max(float(np.abs(f).max()), 1e-300) ** 2:
        return Corrected(
            float(y.mean()), label_error, n - 2, 0.0, 0.0, (float(y.mean()), label_error), bias
        )
    slope = float(((y - y.mean()) * (f - f.mean())).sum() / spread)
    rest = y - y.mean() - slope * (f - f.mean())
    noise = float((rest**2).sum() / (n - 2))
    moved = float(judge.mean() - f.mean())
    variance = noise * (1 / n + moved**2 / spread) + slope**2 * float(judge.var(ddof=1)) / m
    total = float(((y - y.mean()) ** 2).sum())
    correlation = slope * np.sqrt(spread / total) if total > 0 else 0.0
    return Corrected(
        float(y.mean()) + slope * moved,
        float(np.sqrt(variance)),
        n - 2,
        slope,
        float(correlation),
        (float(y.mean()), label_error),
        bias,
    )


def tested_bias(difference: np.ndarray) -> tuple[float, float]:
    """The mean of judge less people, and the p-value of none."""
    mean, n = float(difference.mean()), len(difference)
    error = float(difference.std(ddof=1) / np.sqrt(n))
    p = 2 * float(tails.t_sf(abs(mean) / error, n - 1)) if error > 0 else float(mean == 0)
    return mean, p


def check_labels(labels: int, items: int) -> None:
    """Refuse too few labels, and items that all have one."""
    if labels < LEAST_LABELS:
        raise InferenceError(
            f"A judge is corrected by at least {LEAST_LABELS} items that people labelled; there "
            f"are {labels}. `podium label ITEMS --n {LEAST_LABELS}` draws them."
        )
    if labels == items:
        raise InferenceError(
            "People labelled every item, so the judge adds nothing: compare the labels themselves."
        )


# -- several algorithms ----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class CorrectedMeans:
    """Means of all algorithms with one covariance: what the other bricks need."""

    values: np.ndarray
    covariance: np.ndarray
    df: int
    slope: float  # common to all algorithms


def corrected_means(human: np.ndarray, judge: np.ndarray) -> CorrectedMeans:
    """Items x algorithms: one common slope of scores centred within items.

    With it the estimates of differences add up. The covariance is that of people's scores less what
    the judge explains, over the labelled items, and of what it explains, over all.
    """
    there = ~np.isnan(human).any(axis=1)
    partly = ~np.isnan(human).all(axis=1) & ~there
    if partly.any():
        raise InferenceError(
            f"{int(partly.sum())} items are labelled for some algorithms only: people must score "
            "the same items for all of them."
        )
    n, m = int(there.sum()), len(judge)
    check_labels(n, m)
    y, f = human[there], judge[there]
    inner_y, inner_f = y - y.mean(axis=1, keepdims=True), f - f.mean(axis=1, keepdims=True)
    inner_y, inner_f = inner_y - inner_y.mean(axis=0), inner_f - inner_f.mean(axis=0)
    spread = float((inner_f**2).sum())
    slope = float((inner_y * inner_f).sum() / spread) if spread > 0 else 0.0
    values = y.mean(axis=0) + slope * (judge.mean(axis=0) - f.mean(axis=0))
    covariance = np.cov(y - slope * f, rowvar=False) / n
    covariance = covariance + slope**2 * np.cov(judge, rowvar=False) / m
    return CorrectedMeans(values, np.atleast_2d(covariance), n - 1, slope)


def unlike(human: np.ndarray, judge: np.ndarray) -> float:
    """The p-value of judge scores being alike on labelled and other items (Welch's t)."""
    there = ~np.isnan(human)
    a, b = judge[there], judge[~there]
    if min(len(a), len(b)) < 2:
        return 1.0  # nothing speaks against it
    va, vb = a.var(ddof=1) / len(a), b.var(ddof=1) / len(b)
    if va + vb == 0:
        return 1.0
    t = float(a.mean() - b.mean()) / np.sqrt(va + vb)
    df = (va + vb) ** 2 / (va**2 / (len(a) - 1) + vb**2 / (len(b) - 1))
    return 2 * float(tails.t_sf(abs(t), df))
