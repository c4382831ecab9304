"""Two algorithms that are equally good on a process (hothorn2005, sections 5.1 and 5.2).

A linear and a quadratic regression (`nested-`), a tree and linear discriminant analysis (`tree-`),
each where both have the same expected error, so that every difference found is an error. Learning
samples of 150 and of 200 rows, in the designs of the paper:

- `simulation`: fresh learning samples, judged by their exact risks.
- `population`: out-of-bag errors in bootstrap samples of one learning sample, as evidence about the
  process. The expected out-of-bag errors are equal; but those of one sample are not, so that
  tests that take the samples for independent ones reject nearly always.
- `fresh`: the same where not the out-of-bag errors, but those of fits to a whole sample of so many
  rows are equal. A bootstrap sample has fewer distinct rows, which is to the simpler one's favour.
- `sample`: the same errors as evidence about this learning sample. Given it the hypothesis is
  false in general; what it expects of either algorithm is taken off, which makes it true.
- `competition`: errors on one test sample, given it and the learning sample; made true alike.

The regressions are y = 2 x + beta2 x^2 + e fitted by x alone and by x and x^2, without intercept.
All that a fit or a mean squared error needs are five sums over rows: of x e, x^2 e, x^2, x^3 and
x^4. The difference of the two errors is a quadratic in beta2, so that one set of weights serves all
values.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from podium import samplings
from podium.core.questions.measures import parse
from podium.core.questions.targets import POPULATION, RESAMPLE, SAMPLE, SIMULATION, TEST_SET
from podium.core.samplings import Sampling
from podium.errors import InferenceError
from podium_lab.calibration import tree_or_discriminant
from podium_lab.calibration.scenario import Design, Scenario
from podium_lab.calibration.tree_or_discriminant import Fits, Plane, fold_counts, honest, unused

BETAS = np.arange(9) * 0.02
ROWS = 150
FOLDS = 5
LARGE = 2000  # rows of the large test sample
PROCESS = np.array([0, 0, 25 / 3, 125 / 4, 125])  # means of the moments: an endless test sample
BLOCKS = 250
FURTHER = 8  # times as many bootstrap samples tell what a learning sample expects
# equal expected errors: of fits to whole samples, and out of bag in bootstrap samples of them
BETA, BETA_OUT_OF_BAG = 0.02942, 0.04138
GAMMA, GAMMA_OUT_OF_BAG = 24.75, 20.5
Errors = Callable[[int], np.ndarray]  # of so many bootstrap samples: samples x 2 errors

# -- two nested regressions (section 5.1) ---------------------------------------------------------


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
    values: np.ndarray = u**2 * t2 + 2 * u * v * t3 + v**2 * t4 - 2 * (u * t_xe + v * t_xxe)
    return values


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
    result = simulated(rng, samples) + resampled(rows[:ROWS], rows[ROWS:], folds, merged)
    return np.stack(result) @ np.stack([BETAS**0, BETAS, BETAS**2])


# -- two algorithms on a process ------------------------------------------------------------------


class Process(Protocol):
    """Samples of a process, and the errors of two algorithms that learn from them."""

    def risks(self, rng: np.random.Generator, samples: int) -> np.ndarray:
        """The exact risks of fits to fresh samples: samples x 2."""
        ...

    def judge(self, rng: np.random.Generator, on_test: bool) -> Errors:
        """One learning sample; its bootstrap samples are judged on a test sample or out of bag."""
        ...


@dataclass(frozen=True)
class Regressions:
    """A linear and a quadratic regression of a curve that bends by beta2."""

    beta2: float

    def risks(self, rng: np.random.Generator, samples: int) -> np.ndarray:
        """Of fits to fresh samples: samples x 2."""
        learning = drawn_sums(rng, samples, ROWS)
        return self._errors(learning, PROCESS, np.ones(samples))

    def judge(self, rng: np.random.Generator, on_test: bool) -> Errors:
        """One learning sample; a test sample is of its size."""
        n = ROWS
        x, e = rng.uniform(0, 5, 2 * n), rng.standard_normal(2 * n)
        rows, noise = moments(x, e), e**2
        known = rows[n:].mean(axis=0), noise[n:].mean()

        def errors(samples: int) -> np.ndarray:
            counts = fold_counts(rng, samples, 1, n)[:, 0]
            out = unused(counts)
            test = known if on_test else (means_of(out, rows[:n]), (out @ noise[:n]) / out.sum(1))
            return self._errors(counts @ rows[:n], *test)

        return errors

    def _errors(self, learning: np.ndarray, test: np.ndarray, noise: np.ndarray) -> np.ndarray:
        flexible = excess(learning, test) + noise
        gain = quadratic(learning, test) @ self.beta2 ** np.arange(3)
        return np.stack([flexible + gain, flexible], axis=-1)


@dataclass(frozen=True)
class Planes:
    """A tree and a discriminant for two classes in the plane at the angle gamma."""

    gamma: float

    def risks(self, rng: np.random.Generator, samples: int) -> np.ndarray:
        """Of fits to fresh samples: samples x 2."""
        plane = Plane(rng, samples, tree_or_discriminant.ROWS)
        return Fits.to_samples(plane.at(self.gamma), plane.y).risks(self.gamma).T

    def judge(self, rng: np.random.Generator, on_test: bool) -> Errors:
        """One learning sample; a test sample is of its size."""
        n = tree_or_discriminant.ROWS
        plane = Plane(rng, 1, 2 * n)
        x, y = plane.at(self.gamma)[0], plane.y[0]
        own, other = (x[:n], y[:n]), (x[n:], y[n:])

        def errors(samples: int) -> np.ndarray:
            counts = fold_counts(rng, samples, 1, n)[:, 0]
            fits = Fits.to_draws(*own, counts)
            values = (
                fits.test_errors(*other) if on_test else fits.draws_errors(*own, unused(counts))
            )
            return values.T

        return errors


def centred(errors: np.ndarray, further: np.ndarray) -> np.ndarray:
    """Errors less what is expected of either algorithm, which `further` errors tell.

    So many of them leave an error in what is expected; a share of the errors' own mean in it makes
    the variance of what is left of the mean that of independent errors with a known expectation.
    """
    known = math.sqrt(len(further) / (len(errors) + len(further)))
    expected = known * further.mean(axis=0) + (1 - known) * errors.mean(axis=0)
    return errors - expected + expected.mean()


@dataclass(frozen=True)
class Drawn:
    """Draws blocks x 2 scores of a process: errors with their sign turned."""

    process: Process
    fresh: bool = False  # learning samples
    on_test: bool = False
    given: bool = False  # expected errors of the learning sample are taken off

    def __call__(self, rng: np.random.Generator, blocks: int, algorithms: int) -> np.ndarray:
        """The two algorithms are equally good."""
        if algorithms != 2:
            raise InferenceError(
                f"The processes of hothorn2005 have 2 algorithms, not {algorithms}."
            )
        if self.fresh:
            return -self.process.risks(rng, blocks)
        judge = self.process.judge(rng, self.on_test)
        errors = judge(blocks)
        return -(centred(errors, judge(FURTHER * blocks)) if self.given else errors)


# -- the scenarios --------------------------------------------------------------------------------


def _scenario(
    name: str,
    text: str,
    measure: str,
    draw: Drawn,
    sampled: Callable[[int], Sampling],
    target: str,
) -> Scenario:
    block = SIMULATION if draw.fresh else RESAMPLE
    return Scenario(
        name,
        text,
        Design(block, (BLOCKS,), (sampled(BLOCKS),), sampled, target),
        draw,
        parse(measure),
        asymmetric=True,
        most=2,
    )


def _scenarios(
    kind: str, what: str, measure: str, whole: Process, bag: Process
) -> tuple[Scenario, ...]:
    """The designs of the paper; errors of fits to `whole` samples, or out of `bag`, are equal."""
    fresh, given = Drawn(whole, fresh=True), Drawn(bag, given=True)
    on_test = Drawn(whole, on_test=True, given=True)
    designs: tuple[tuple[str, str, Drawn, Callable[[int], Sampling], str], ...] = (
        ("simulation", "fresh samples", fresh, samplings.simulation, POPULATION),
        ("population", "out of bag", Drawn(bag), samplings.bootstrap, POPULATION),
        (
            "fresh",
            "out of bag, equal in fits to all rows",
            Drawn(whole),
            samplings.bootstrap,
            POPULATION,
        ),
        ("sample", "out of bag, equal given the sample", given, samplings.bootstrap, SAMPLE),
        ("competition", "equal on a test sample", on_test, samplings.competition, TEST_SET),
    )
    return tuple(
        _scenario(f"{kind}-{design}", f"{what}: {text}", measure, draw, sampled, target)
        for design, text, draw, sampled, target in designs
    )


SCENARIOS = (
    *_scenarios(
        "nested",
        "a linear and a quadratic regression",
        "squared",
        Regressions(BETA),
        Regressions(BETA_OUT_OF_BAG),
    ),
    *_scenarios(
        "tree", "a tree and a discriminant", "error", Planes(GAMMA), Planes(GAMMA_OUT_OF_BAG)
    ),
)
