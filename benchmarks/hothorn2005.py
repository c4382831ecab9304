"""Speed of the replications of hothorn2005, as ratios within one run.

    python benchmarks/hothorn2005.py [replications]

1. Table 1 by closed forms against a plain loop: per coefficient, problem and learning sample two
   fits by numpy.linalg.lstsq and mean squared errors of their predictions; a fit serves all
   problems that it can serve.
2. Table 2's trees and discriminants against scikit-learn's, on the same bootstrap samples.
"""

from __future__ import annotations

import sys
import time

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.tree import DecisionTreeClassifier

from podium_lab.calibration import equal_processes
from podium_lab.calibration.tree_or_discriminant import Fits, Plane, fold_counts, unused
from podium_lab.papers.hothorn2005 import LEVEL_5, SAMPLES, rejected

N, FOLDS, LARGE = 150, 5, 2000


def draw(rng: np.random.Generator, n: int, beta2: float) -> tuple[np.ndarray, np.ndarray]:
    x = rng.uniform(0, 5, n)
    return x, 2 * x + beta2 * x**2 + rng.standard_normal(n)


def fit(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    linear = np.linalg.lstsq(x[:, None], y, rcond=None)[0]
    quadratic = np.linalg.lstsq(np.column_stack([x, x**2]), y, rcond=None)[0]
    return linear, quadratic


def difference(fits: tuple[np.ndarray, np.ndarray], x: np.ndarray, y: np.ndarray) -> float:
    linear, quadratic = fits
    first = np.mean((y - linear[0] * x) ** 2)
    return first - np.mean((y - quadratic[0] * x - quadratic[1] * x**2) ** 2)


def validated(x: np.ndarray, y: np.ndarray, draws: np.ndarray) -> float:
    found = []
    for fold in np.split(draws, FOLDS):
        # the folds are consecutive draws
        at = len(found) * len(fold)
        rest = np.delete(draws, slice(at, at + len(fold)))
        kept = fold[~np.isin(fold, rest)]
        found.append(difference(fit(x[rest], y[rest]), x[kept], y[kept]))
    return float(np.mean(found))


def plain(rng: np.random.Generator, beta2: float) -> np.ndarray:
    """One replication for one coefficient: whether each problem's test rejects."""
    found = np.zeros((6, SAMPLES))
    large, small = draw(rng, LARGE, beta2), draw(rng, N, beta2)
    for b in range(SAMPLES):
        fits = fit(*draw(rng, N, beta2))
        found[0, b], found[1, b] = difference(fits, *large), difference(fits, *small)
    (x, y), test = draw(rng, N, beta2), draw(rng, N, beta2)
    merged_x, merged_y = np.append(x, test[0]), np.append(y, test[1])
    for b in range(SAMPLES):
        draws = rng.integers(0, N, N)
        fits = fit(x[draws], y[draws])
        out = np.setdiff1d(np.arange(N), draws)
        found[2, b], found[3, b] = difference(fits, *test), difference(fits, x[out], y[out])
        found[5, b] = validated(x, y, draws)
        draws = rng.integers(0, 2 * N, 2 * N)
        out = np.setdiff1d(np.arange(2 * N), draws)
        fits = fit(merged_x[draws], merged_y[draws])
        found[4, b] = difference(fits, merged_x[out], merged_y[out])
    t = np.sqrt(SAMPLES) * found.mean(axis=1) / found.std(axis=1, ddof=1)
    return t > LEVEL_5


def table1(replications: int) -> None:
    rng = np.random.default_rng(1)
    start = time.process_time()
    for beta2 in equal_processes.BETAS:
        plain(rng, beta2)
    loop = time.process_time() - start
    rejected(equal_processes.differences(rng, SAMPLES))
    start = time.process_time()
    for _ in range(replications):
        rejected(equal_processes.differences(rng, SAMPLES))
    ours = (time.process_time() - start) / replications
    print(
        f"table 1, seconds of processor time per replication: plain loop {loop:.2f}, "
        f"podium {ours:.5f}, ratio {loop / ours:.0f}"
    )


def table2() -> None:
    rng = np.random.default_rng(1)
    plane = Plane(rng, 1, 200)
    x, y = plane.at(30)[0], plane.y[0]
    counts = fold_counts(rng, SAMPLES, 1, 200)[:, 0]
    out = unused(counts)
    start = time.process_time()
    for _ in range(10):
        Fits.to_draws(x, y, counts).on_draws(x, y, out)
    ours = (time.process_time() - start) / 10 / SAMPLES
    start = time.process_time()
    for drawn, test in zip(counts[:50], out[:50] > 0, strict=True):
        rows = np.repeat(np.arange(200), drawn.astype(int))
        for learner in (
            DecisionTreeClassifier(min_samples_split=20, min_samples_leaf=7, ccp_alpha=0.005),
            LinearDiscriminantAnalysis(),
        ):
            np.mean(learner.fit(x[rows], y[rows]).predict(x[test]) != y[test])
    loop = (time.process_time() - start) / 50
    print(
        f"table 2, microseconds of processor time per bootstrap sample: scikit-learn "
        f"{1e6 * loop:.0f}, podium {1e6 * ours:.0f}, ratio {loop / ours:.0f}"
    )


if __name__ == "__main__":
    table1(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
    table2()
