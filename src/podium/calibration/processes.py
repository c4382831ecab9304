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
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from podium.calibration import nested_models, tree_or_discriminant
from podium.calibration.nested_models import excess, means_of, moments, quadratic
from podium.calibration.resamples import fold_counts, unused
from podium.calibration.scenarios import SCENARIOS, Scenario
from podium.calibration.tree_or_discriminant import Fits, Plane
from podium.errors import InferenceError
from podium.measures import parse

BLOCKS = 250
FURTHER = 8  # times as many bootstrap samples tell what a learning sample expects
# equal expected errors: of fits to whole samples, and out of bag in bootstrap samples of them
BETA, BETA_OUT_OF_BAG = 0.02942, 0.04138
GAMMA, GAMMA_OUT_OF_BAG = 24.75, 20.5
Judge = Callable[[int], np.ndarray]  # of so many bootstrap samples: samples x 2 errors


class Process(Protocol):
    """Samples of a process, and the errors of two algorithms that learn from them."""

    def risks(self, rng: np.random.Generator, samples: int) -> np.ndarray:
        """The exact risks of fits to fresh samples: samples x 2."""
        ...

    def judge(self, rng: np.random.Generator, on_test: bool) -> Judge:
        """One learning sample; its bootstrap samples are judged on a test sample or out of bag."""
        ...


@dataclass(frozen=True)
class Regressions:
    """A linear and a quadratic regression of a curve that bends by beta2."""

    beta2: float

    def risks(self, rng: np.random.Generator, samples: int) -> np.ndarray:
        """Of fits to fresh samples: samples x 2."""
        learning = nested_models.drawn_sums(rng, samples, nested_models.ROWS)
        return self._errors(learning, nested_models.PROCESS, np.ones(samples))

    def judge(self, rng: np.random.Generator, on_test: bool) -> Judge:
        """One learning sample; a test sample is of its size."""
        n = nested_models.ROWS
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

    def judge(self, rng: np.random.Generator, on_test: bool) -> Judge:
        """One learning sample; a test sample is of its size."""
        n = tree_or_discriminant.ROWS
        plane = Plane(rng, 1, 2 * n)
        x, y = plane.at(self.gamma)[0], plane.y[0]
        own, other = (x[:n], y[:n]), (x[n:], y[n:])

        def errors(samples: int) -> np.ndarray:
            counts = fold_counts(rng, samples, 1, n)[:, 0]
            fits = Fits.to_draws(*own, counts)
            found = fits.test_errors(*other) if on_test else fits.draws_errors(*own, unused(counts))
            return found.T

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


def _add(name: str, text: str, measure: str, draw: Drawn, sampling: str, target: str) -> None:
    made = Scenario(
        name,
        text,
        "simulation" if draw.fresh else "resample",
        draw,
        (BLOCKS,),
        (f"{sampling}:{BLOCKS}",),
        f"{sampling}:{{blocks}}",
        measure=parse(measure),
        target=target,
        asymmetric=True,
        most=2,
    )
    SCENARIOS.add(name, made)


def _add_all(kind: str, what: str, measure: str, whole: Process, bag: Process) -> None:
    for design, text, draw, sampling, target in (
        ("simulation", "fresh samples", Drawn(whole, fresh=True), "simulation", "population"),
        ("population", "out of bag", Drawn(bag), "bootstrap", "population"),
        ("fresh", "out of bag, equal in fits to all rows", Drawn(whole), "bootstrap", "population"),
        ("sample", "out of bag, equal given the sample", Drawn(bag, given=True), "bootstrap",
         "sample"),
        ("competition", "equal on a test sample", Drawn(whole, on_test=True, given=True),
         "competition", "test-set"),
    ):  # fmt: skip
        _add(f"{kind}-{design}", f"{what}: {text}", measure, draw, sampling, target)


_add_all("nested", "a linear and a quadratic regression", "squared", Regressions(BETA),
         Regressions(BETA_OUT_OF_BAG))  # fmt: skip
_add_all("tree", "a tree and a discriminant", "error", Planes(GAMMA),
         Planes(GAMMA_OUT_OF_BAG))  # fmt: skip
