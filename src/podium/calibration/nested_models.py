"""hothorn2005, Section 5.1: two nested regressions, judged for all nine coefficients at once.

y = 2 x + beta2 x^2 + e is fitted by x alone and by x and x^2, without intercept. All that a fit or
a mean squared error needs are five sums over rows: of x e, x^2 e, x^2, x^3 and x^4. The difference
of the two errors is a quadratic in beta2, so that one set of weights serves all values.
"""

from __future__ import annotations

import numpy as np

from podium.calibration.resamples import fold_counts, honest, unused

BETAS = np.arange(9) * 0.02
ROWS = 150
FOLDS = 5
LARGE = 2000  # rows of the large test sample
PROCESS = np.array([0, 0, 25 / 3, 125 / 4, 125])  # means of the moments: an endless test sample


def moments(x: np.ndarray, e: np.ndarray) -> np.ndarray:
    """For every row x e, x^2 e, x^2, x^3 and x^4, in the last axis."""
    square = x * x
    return np.stack([x * e, square * e, square, square * x, square * square], axis=-1)


def drawn_sums(rng: np.random.Generator, samples: int, rows: int) -> np.ndarray:
    """Sums of the moments in samples from the process: samples x 5.

    Given x, the sums of x e and x^2 e are normal, with the other three as their covariances: two
    numbers are drawn instead of an error for every row.
    """
    x = rng.uniform(0, 5, (samples, rows))
    square = x * x
    second = square.sum(axis=1)
    third, fourth = (np.einsum("sr,sr->s", square, other) for other in (x, square))
    z = rng.standard_normal((2, samples))
    first = np.sqrt(second) * z[0]
    rest = np.sqrt(fourth - third**2 / second) * z[1]
    return np.stack([first, third / second * first + rest, second, third, fourth], axis=-1)


def coefficients(learning: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """By how much the quadratic model's two coefficients miss the true ones."""
    xe, xxe, x2, x3, x4 = np.moveaxis(learning, -1, 0)
    determinant = x2 * x4 - x3**2
    return (xe * x4 - xxe * x3) / determinant, (xxe * x2 - xe * x3) / determinant


def excess(learning: np.ndarray, test: np.ndarray) -> np.ndarray:
    """The quadratic model's error less the test sample's mean of e^2, whatever beta2 is.

    `learning` has sums and `test` means of the moments in its last axis.
    """
    t_xe, t_xxe, t2, t3, t4 = np.moveaxis(test, -1, 0)
    u, v = coefficients(learning)
    found: np.ndarray = u**2 * t2 + 2 * u * v * t3 + v**2 * t4 - 2 * (u * t_xe + v * t_xxe)
    return found


def quadratic(learning: np.ndarray, test: np.ndarray) -> np.ndarray:
    """The linear model's error less the quadratic model's, as a polynomial in beta2.

    The last axis has the coefficients of 1, beta2 and beta2^2; arguments as of `excess`.
    """
    xe, _, x2, x3, _ = np.moveaxis(learning, -1, 0)
    t_xe, t_xxe, t2, t3, t4 = np.moveaxis(test, -1, 0)
    slope, bend = xe / x2, x3 / x2  # the linear fits of e and of x^2
    linear = slope**2 * t2 - 2 * slope * t_xe
    mixed = t_xxe - bend * t_xe - slope * t3 + slope * bend * t2
    return np.stack(
        [linear - excess(learning, test), 2 * mixed, t4 - 2 * bend * t3 + bend**2 * t2], axis=-1
    )


def simulated(rng: np.random.Generator, samples: int) -> list[np.ndarray]:
    """The polynomials of fresh learning samples, judged on one large and one small test sample."""
    learning = drawn_sums(rng, samples, ROWS)
    return [quadratic(learning, drawn_sums(rng, 1, m) / m) for m in (LARGE, ROWS)]


def resampled(
    learning: np.ndarray, test: np.ndarray, folds: np.ndarray, merged: np.ndarray
) -> list[np.ndarray]:
    """The polynomials in the competition, out of bag, out of bag with 2n rows, cross-validated.

    `learning` and `test` are rows x 5 moments; `folds` are samples x folds x rows numbers of draws
    from the learning sample, `merged` samples x 2n rows those from both samples together.
    """
    parts = folds @ learning
    total = parts.sum(axis=1)
    out, kept = unused(folds.sum(axis=1)), honest(folds)
    both, out_merged = np.concatenate([learning, test]), unused(merged)
    with np.errstate(invalid="ignore"):  # a fold may keep no row: it is left out of the mean
        each = quadratic(total[:, None] - parts, means_of(kept, learning))
    return [
        quadratic(total, test.mean(axis=0)),
        quadratic(total, means_of(out, learning)),
        quadratic(merged @ both, means_of(out_merged, both)),
        np.nanmean(each, axis=1),
    ]


def means_of(weights: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Weighted means of the rows of moments."""
    return (weights @ rows) / weights.sum(axis=-1, keepdims=True)


def differences(rng: np.random.Generator, samples: int) -> np.ndarray:
    """One replication: problems x samples x values of beta2."""
    x, e = rng.uniform(0, 5, 2 * ROWS), rng.standard_normal(2 * ROWS)
    rows = moments(x, e)
    folds = fold_counts(rng, samples, FOLDS, ROWS)
    merged = fold_counts(rng, samples, 1, 2 * ROWS)[:, 0]
    found = simulated(rng, samples) + resampled(rows[:ROWS], rows[ROWS:], folds, merged)
    return np.stack(found) @ np.stack([BETAS**0, BETAS, BETAS**2])
