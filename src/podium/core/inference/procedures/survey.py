"""Survey procedures: samples within data sets, about just these data sets or about others too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from podium.core.base.errors import InferenceError
from podium.core.inference.bricks.estimates import Estimates, test_train_ratio
from podium.core.inference.bricks.nulls import mixed_f, quadratic
from podium.core.inference.bricks.quantities import RANK_EFFECT, SPHERICAL_MEAN, gives
from podium.core.inference.bricks.scales import Score, ranks
from podium.core.inference.layouts import Layout
from podium.core.inference.numbers.nested import Survey, fixed_survey, random_survey
from podium.core.inference.numbers.permutations import permuted_sums
from podium.core.inference.procedures.procedure import DATASETS as SETS
from podium.core.inference.procedures.procedure import (
    EXCHANGEABLE,
    PAIRS,
    SINGLE_STEP,
    WEAK,
    Bare,
    Cited,
    DefaultNull,
    Legal,
    Needs,
    Procedure,
    derive,
)
from podium.core.questions.targets import DATASET_POPULATION, DATASETS, FOLD, NESTED

THESE: Legal = frozenset({(NESTED, DATASETS)})
NEW: Legal = frozenset({(NESTED, DATASET_POPULATION)})


@gives(SPHERICAL_MEAN)
def these_datasets(layout: Layout) -> Estimates:
    """Means over just these data sets, counted alike or by weights."""
    _check_cells(layout)
    ratio = _shared_rows(layout)
    return _estimates(partial(fixed_survey, ratio=ratio, weights=layout.nested.weights), layout)


@gives(SPHERICAL_MEAN)
def population(layout: Layout) -> Estimates:
    """Means over the data sets that these come from; the interaction is random."""
    if len(np.unique(np.asarray(layout.nested.within))) < 2:
        raise InferenceError("A population of data sets needs at least two of them.")
    return _estimates(random_survey, layout)


def _estimates(fit: Callable[..., Survey], layout: Layout) -> Estimates:
    try:
        model = fit(layout.values, layout.nested.within)
    except ValueError as error:
        raise InferenceError(str(error)) from None
    return Estimates(
        model.means, model.covariance, df=model.df_contrast, in_units=True, model=model
    )


def _shared_rows(layout: Layout) -> float:
    """The variance that folds add to a data set's mean, as they share training rows."""
    if layout.origin.sampling is None:
        raise InferenceError(
            "How the samples within data sets were drawn decides how they vary, and this table "
            "does not say it: add --sampling (sampling=), such as bootstrap or repeated-cv:10x10."
        )
    return test_train_ratio(layout) if layout.origin.sampling.block == FOLD else 0.0


def _check_cells(layout: Layout) -> None:
    """Refuse data sets without replicates, or on which an algorithm has no score at all."""
    means = layout.by_dataset()
    gaps = np.argwhere(np.isnan(means))
    if len(gaps):
        dataset, algorithm = gaps[0]
        raise InferenceError(
            f"'{layout.algorithms[algorithm]}' has no score on data set "
            f"'{layout.nested.datasets[dataset]}' ({len(gaps)} such cells), so its mean over just "
            "these data sets is not known: leave the algorithm or the data set out, or ask for the "
            "target 'dataset-population'."
        )
    if np.isfinite(layout.values).sum() == means.size:
        raise InferenceError(
            "Every algorithm has one score only on each data set, so nothing is known of the error "
            "within data sets: run several samples, or ask for the target 'dataset-population'."
        )


# -- rank sums where blocks lack algorithms -------------------------------------------------------


@gives(RANK_EFFECT)
def incomplete_sums(layout: Layout, *, scores: Score = ranks) -> Estimates:
    """Effects from scores within the algorithms that a block has (Skillings and Mack 1981).

    A block of k algorithms counts with the weight sqrt(12 / (k + 1)), so that larger blocks, which
    know more, count more. With s the sums and C their covariance given the scores (ties included),
    the effects are C⁺s with covariance C⁺: their quadratic form is Skillings and Mack's statistic,
    without gaps Friedman's, in a balanced incomplete design Durbin's. A difference of effects is
    free of whom the two algorithms met otherwise.
    """
    patterns = _patterns(layout.values, scores)
    k = layout.values.shape[1]
    sums, covariance = np.zeros(k), np.zeros((k, k))
    for present, centred in patterns:
        sums[present] += centred.sum(axis=0)
        spread = centred.var(axis=1, ddof=1).sum()
        size = centred.shape[1]
        covariance[np.ix_(present, present)] += spread * (np.eye(size) - 1 / size)
    inverse = np.linalg.pinv(covariance, hermitian=True)
    return Estimates(
        inverse @ sums,
        inverse,
        redraw=partial(_redrawn, patterns, inverse),
        redrawn_by="permutation",
    )


Pattern = tuple[np.ndarray, np.ndarray]  # the algorithms that are present, their centred scores


def _patterns(values: np.ndarray, scores: Score) -> list[Pattern]:
    """Blocks with the same algorithms together; a block of one algorithm compares nothing."""
    here = np.isfinite(values)
    results = []
    for row in np.unique(here, axis=0):
        if row.sum() > 1:
            a = scores(values[(here == row).all(axis=1)][:, row])
            weight = np.sqrt(12 / (row.sum() + 1))
            results.append((np.flatnonzero(row), weight * (a - a.mean(axis=1, keepdims=True))))
    return results


def _redrawn(
    patterns: list[Pattern], inverse: np.ndarray, count: int, rng: np.random.Generator
) -> np.ndarray:
    """Effects when labels are permuted within blocks."""
    sums = np.zeros((count, len(inverse)))
    for present, centred in patterns:
        sums[:, present] += permuted_sums(centred, count, rng)
    return np.asarray(sums @ inverse)


# -- the procedures ------------------------------------------------------------------------------

FIXED = Procedure(
    "survey-fixed",
    "survey model with fixed data sets (REML), all pairs of means over data sets",
    these_datasets,
    mixed_f,
    "single-step",
    "two algorithms have equal means over these data sets, each counted alike",
    "additive sample effects within each data set and independent errors of one variance (11 % of "
    "five algorithms where one has five times the others' sd), nearly normal",
    SINGLE_STEP,
    (
        Cited("eugster2008", ", section 4.3, without its unidentified effect"),
        Cited("Searle, Speed, Milliken (1980)"),
    ),
    THESE,
    words="a linear mixed model with fixed data sets and random samples within them, fitted by "
    "restricted maximum likelihood",
    needs=Needs(margins=True, gaps=True, incomplete=True, weighs=True),
    nulls=DefaultNull(default="asymptotic"),
    bare=Bare((PAIRS,), title="survey model with fixed data sets (REML)"),
)
RANDOM = derive(
    FIXED,
    name="survey-random",
    bare=Bare((PAIRS,), title="survey model with random data sets and interaction (REML)"),
    words="a linear mixed model with random data sets and a random interaction of algorithms and "
    "data sets, fitted by restricted maximum likelihood",
    title="survey model with random data sets and interaction (REML), all pairs",
    estimate=population,
    hypothesis="two algorithms have equal means over the population of data sets",
    null="data sets are a random sample; the interaction of algorithms and data sets has one "
    "variance for all algorithms (with one wild algorithm the error is 12 to 13 %), nearly normal",
    references=(Cited("eugster2008", ", section 4.3"), Cited("boulesteix2013", ", section 3")),
    legal=NEW,
    needs=replace(FIXED.needs, weighs=False),
)
SKILLINGS_MACK = Procedure(
    "skillings-mack",
    "Skillings-Mack test (Durbin's in balanced incomplete designs) with all pairs",
    incomplete_sums,
    quadratic,
    "single-step",
    "no algorithm tends to rank higher than another among those that a block has",
    EXCHANGEABLE + "; what is missing does not depend on the scores",
    WEAK,
    (Cited("Skillings, Mack (1981)"), Cited("Durbin (1951)")),
    SETS,
    words="the Skillings-Mack test for incomplete blocks",
    needs=Needs(gaps=True, incomplete=True),
    bare=Bare((PAIRS,), title="Skillings-Mack test (Durbin's in balanced incomplete designs)"),
)
PROCEDURES = (FIXED, RANDOM, SKILLINGS_MACK)
