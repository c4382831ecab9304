"""Tests of means, and of what is like a mean: shares of items, medians, spread."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from podium.core.base.errors import InferenceError
from podium.core.base.registry import unknown
from podium.core.inference.bricks import estimates as est
from podium.core.inference.bricks.estimates import overlap
from podium.core.inference.bricks.nulls import largest, mixed_f, quadratic
from podium.core.inference.layouts import Layout
from podium.core.inference.numbers import tails
from podium.core.inference.procedures.procedure import (
    ADJUST,
    CONTRASTS,
    DEPENDENT,
    EQUAL_MEANS,
    HALVES,
    INDEPENDENT,
    ITEMS,
    NOWHERE,
    NULL,
    ONE_DATASET,
    PAIRS,
    SINGLE_STEP,
    STRONG,
    Bare,
    Cited,
    DefaultNull,
    Needs,
    Procedure,
    Procedures,
    Reports,
    nothing,
    under_null,
)
from podium.core.inference.procedures.rank_tests import FRIEDMAN
from podium.core.questions.measures import Measure
from podium.core.samplings import FIVE_BY_TWO
from podium.core.words.facts import CAUTION, DETAIL, REMARK, Note

# -- overlaps -------------------------------------------------------------------------------------
# What must be said of tests that correct for the rows that replicates share.


# shares of true hypotheses rejected with a ridge regression that is shrunk far too much, by the
# least share of rows learned from (the laboratory's groups-shrunk); one round of
# cross-validation is as the first
SHRUNK = ((0.85, 0.11), (0.51, 0.18), (0.0, 0.20))
INSTEAD = "corrected-t"
SHARE = "share"  # the unit of error rates
CHANCE = 0.01  # of all algorithms together: how seldom rates vary as much by chance
TWICE = 2.0  # how far apart means of two halves are that vary wildly, where rows are not known


def about_overlap(layout: Layout, procedure: Any, request: Any) -> Iterator[Note]:
    """The assumption of the doubled ratio, and how far off it was seen."""
    sampling = layout.origin.sampling
    if sampling is None or sampling.train_share is None:
        return
    share = 1.0 if sampling.is_one_round else sampling.train_share
    most = next(rate for least, rate in SHRUNK if share >= least)
    ratio, df = overlap(layout)
    little = sampling.kind.claims.overlap is not None
    yield Note("overlap", CAUTION, most=most, ratio=ratio, df=df, little=little)
    repeats = sampling.kind.sizes.repeats
    if repeats is not None and (repeats(sampling) or 0) > 1 and layout.halvings is None:
        yield Note("repeated-folds", CAUTION, sampling=str(sampling))


def too_often(layout: Layout, procedure: Any, request: Any) -> Iterator[Note]:
    """That a test rejects true hypotheses too often."""
    name, rates = procedure.name, procedure.reports.rates
    yield Note("liberal", CAUTION, procedure=name, rates=rates, instead=INSTEAD)


def where_test_sets_overlap(layout: Layout, procedure: Any, request: Any) -> Iterator[Note]:
    """The same of a test that does so only where test sets overlap."""
    if layout.origin.sampling is not None and not layout.origin.sampling.is_one_round:
        yield from too_often(layout, procedure, request)


def of_halves(layout: Layout, procedure: Any, request: Any) -> Iterator[Note]:
    """What is said of tests of ten halves: how often they err, and whether rates vary wildly.

    dietterich1998 (section 5) advises to look at the rates before the test, as wild variation
    between the five replications spoils its variance.
    """
    raw = layout.sign * layout.values
    look = Note("check-scores", low=float(np.nanmin(raw)), high=float(np.nanmax(raw)))
    if len(raw) % 2 or np.isnan(raw).any():  # nobody else has looked
        yield look
        yield from too_often(layout, procedure, request)
        return
    rates = 1 - raw if layout.measure.unit == SHARE and layout.measure.higher_is_better else raw
    each = rates.reshape(-1, 2, rates.shape[1]).mean(axis=1)
    wild = [
        (name, own)
        for name, own in zip(layout.algorithms, each.T, strict=True)
        if _is_wild(own, layout, rates.shape[1])
    ]
    if wild:
        yield look
    yield from too_often(layout, procedure, request)
    if wild:
        name, own = wild[0]
        low, high = float(own.min()), float(own.max())
        yield Note("rates-vary", CAUTION, algorithm=name, low=low, high=high)
    else:
        yield Note("rates-checked", DETAIL, low=float(each.min()), high=float(each.max()))


def _is_wild(rates: np.ndarray, layout: Layout, algorithms: int) -> bool:
    """Whether the mean rates of replications vary more than the chance of test rows explains.

    Every replication tests all n rows once, so that a rate of p has at most the variance
    p (1 - p) / n; without n, the largest is held against the smallest.
    """
    mean = float(rates.mean())
    if layout.measure.unit == SHARE and layout.origin.rows and 0 < mean < 1:
        q = float(((rates - mean) ** 2).sum()) * layout.origin.rows / (mean * (1 - mean))
        return float(tails.chi2_sf(q, len(rates) - 1)) < CHANCE / algorithms
    low, high = sorted(np.abs(rates))[:: len(rates) - 1]
    return bool(high > TWICE * low and high > 0)


# -- mean tests -----------------------------------------------------------------------------------


# the largest shares of equal algorithms told apart in the scenarios groups-* (calibration.md)
NADEAU_BENGIO = (("1-NN", 0.12), ("ridge regressions", 0.21), ("stumps", 0.27))
T_OF_HALVES = (("1-NN", 0.13), ("ridge regressions", 0.19), ("five ridge regressions", 0.29))
F_OF_HALVES = (("1-NN", 0.16), ("ridge regressions", 0.24), ("five ridge regressions", 0.42))

PROCEDURES = Procedures()


PAIRED_T = PROCEDURES.new(
    Procedure(
        "paired-t",
        "paired t test of each pair",
        est.means,
        quadratic,
        "sidak",
        "two algorithms have equal means",
        EQUAL_MEANS + " (five algorithms on skewed tables: 10 % at 10 blocks, 8 % at 30; on very "
        "skewed ones 27 %, 14 % and, at 100, 9 %)",
        SINGLE_STEP,
        (Cited("hothorn2005", ", statistic (2)"),),
        INDEPENDENT,
        words="paired t tests",
        needs=Needs(margins=True, clusters=True),
        nulls=DefaultNull(default="asymptotic"),
        bare=Bare((CONTRASTS,), title="paired t test"),
    )
)
PROCEDURES.like(
    PAIRED_T,
    name="max-modulus",
    bare=Bare((ADJUST,), title="paired differences of means", words="paired differences of means"),
    words="paired differences judged by the studentized maximum modulus",
    adjust="max-modulus",
    title="paired differences with the studentized maximum modulus",
    references=(
        Cited("feelders1995", ", eq. 4", ADJUST),
        Cited("Hochberg, Tamhane (1987)", of=ADJUST),
    ),
    needs=replace(PAIRED_T.needs, gaps=True),
)
PROCEDURES.like(
    PAIRED_T,
    name="cluster-t",
    bare=Bare(
        (NULL, CONTRASTS),
        title="t test by clusters of items (CR2)",
        words="t tests by clusters of items, with bias-reduced variances (CR2)",
    ),
    words="t tests of each pair by clusters of items, with bias-reduced variances (CR2) and "
    "Satterthwaite's degrees of freedom",
    title="t test of each pair by clusters of items (CR2, Satterthwaite)",
    null=EQUAL_MEANS,
    references=(Cited("Bell, McCaffrey (2002)"), Cited("Šidák (1967)", of=ADJUST)),
    legal=ITEMS,
    needs=replace(PAIRED_T.needs, gaps=True),
)
MIXED = PROCEDURES.new(
    Procedure(
        "mixed-tukey",
        "random block mixed model (REML), Tukey contrasts",
        est.mixed,
        mixed_f,
        "single-step",
        "two algorithms have equal means",
        "additive block effects and independent errors of one variance, nearly normal (10 to 12 % "
        "of five algorithms where one sd is five times the others; 8 to 10 % on skewed tables, "
        "17 % at 10 blocks of very skewed ones)",
        SINGLE_STEP,
        (
            Cited("eugster2008", ", section 3.2"),
            Cited("Hothorn, Bretz, Westfall (2008)", of=ADJUST),
        ),
        INDEPENDENT,
        words="a linear mixed model with random block effects, fitted by restricted maximum "
        "likelihood, and Tukey contrasts",
        needs=Needs(margins=True, gaps=True, incomplete=True),
        nulls=DefaultNull(default="asymptotic"),
        bare=Bare(
            (PAIRS,),
            title="random block mixed model (REML)",
            words="a linear mixed model with random block effects, fitted by restricted maximum "
            "likelihood",
        ),
    )
)
PROCEDURES.like(
    MIXED,
    name="mixed-dunnett",
    bare=Bare(
        (PAIRS,),
        title="random block mixed model (REML)",
        words="a linear mixed model with random block effects, fitted by restricted maximum "
        "likelihood",
    ),
    words="a linear mixed model with random block effects, fitted by restricted maximum "
    "likelihood, and Dunnett contrasts",
    title="random block mixed model (REML), Dunnett contrasts",
    references=(Cited("Dunnett (1955)", of=PAIRS), Cited("eugster2008", ", section 3.2")),
    needs=replace(MIXED.needs, control=True),
)
PROCEDURES.like(
    MIXED,
    name="aligned-tukey",
    bare=Bare(
        (PAIRS,),
        title="contrasts of block-aligned scores",
        words="contrasts of scores aligned by their block means",
    ),
    words="Tukey contrasts of scores aligned by their block means",
    title="Tukey contrasts of block-aligned scores",
    null="as the mixed model; the error df are (B-1)(K-1), not B(K-1): alignment costs B-1",
    references=(Cited("hothorn2005", ", section 4.2"), Cited("Hájek, Šidák, Sen (1999)")),
    needs=replace(MIXED.needs, gaps=False),
)
CORRECTED = PROCEDURES.like(
    PAIRED_T,
    name="corrected-t",
    words="the corrected resampled t test, whose variance allows for the overlap of training "
    "samples",
    estimate=est.corrected_means,
    overall=largest,
    legal=DEPENDENT,
    title="corrected resampled t test",
    null="equal expected performance over new samples; a row matters no more for a difference "
    "when it is learned from than when it is tested on",
    references=(
        Cited("Nadeau, Bengio (2003)", ", the ratio doubled where test sets overlap"),
        Cited("Bouckaert, Frank (2004)"),
    ),
    needs=replace(PAIRED_T.needs, clusters=False),
    reports=replace(PAIRED_T.reports, cautions=about_overlap),
)
PROCEDURES.like(
    CORRECTED,
    name="corrected-t-nb",
    words="the corrected resampled t test of Nadeau and Bengio",
    estimate=est.nadeau_bengio_means,
    title="corrected resampled t test of Nadeau and Bengio",
    null="equal expected performance over new samples; rows that are learned from do not "
    "matter for a difference",
    references=(Cited("Nadeau, Bengio (2003)"), Cited("Bouckaert, Frank (2004)")),
    controls=under_null(NADEAU_BENGIO),
    reports=replace(CORRECTED.reports, rates=NADEAU_BENGIO, cautions=where_test_sets_overlap),
)
FIVE = PROCEDURES.new(
    Procedure(
        "5x2cv-t",
        "5x2cv paired t test",
        est.five_by_two_t,
        largest,
        "holm",
        "two algorithms have equal expected performance on samples of half the size",
        "equal expected performance; differences of the ten halves nearly normal and independent, "
        "which those of fitted algorithms are not",
        under_null(T_OF_HALVES),
        (Cited("dietterich1998", ", section 3.5"),),
        HALVES,
        pairwise=True,
        words="the 5x2cv paired t test",
        nulls=DefaultNull(default="asymptotic"),
        needs=Needs(samplings=(FIVE_BY_TWO.name,)),
        reports=Reports(
            conservative=True,  # the numerator is part of its own denominator
            rates=T_OF_HALVES,
            cautions=of_halves,
        ),
    )
)
PROCEDURES.like(
    FIVE,
    name="5x2cv-f",
    words="the combined 5x2cv F test",
    estimate=est.five_by_two_f,
    title="5x2cv combined F test",
    references=(Cited("Alpaydin (1999)"),),
    controls=under_null(F_OF_HALVES),
    reports=replace(FIVE.reports, rates=F_OF_HALVES),
)
PROCEDURES.like(
    PAIRED_T,
    name="kfold-t",
    bare=Bare((CONTRASTS,), title="k-fold cross-validated paired t test"),
    words="the paired t test over cross-validation folds",
    legal=NOWHERE,
    title="k-fold cross-validated paired t test",
    null=EQUAL_MEANS,
    controls=nothing("about new samples"),
    references=(Cited("dietterich1998", ", section 3.4"),),
    reports=replace(
        PAIRED_T.reports,
        marked="the folds of a cross-validation share training rows; its type I error is above "
        "nominal (dietterich1998)",
    ),
    needs=replace(PAIRED_T.needs, clusters=False),
)
PROCEDURES.like(
    PAIRED_T,
    name="resampled-t",
    words="the resampled paired t test",
    legal=NOWHERE,
    title="resampled paired t test",
    null=EQUAL_MEANS,
    controls=nothing("about new samples"),
    references=(Cited("dietterich1998", ", section 3.3"),),
    reports=replace(
        PAIRED_T.reports,
        marked="random splits of one sample overlap; its type I error about new samples is far "
        "above "
        "nominal (dietterich1998)",
    ),
    needs=replace(PAIRED_T.needs, clusters=False),
)
MCNEMAR = PROCEDURES.new(
    Procedure(
        "mcnemar",
        "McNemar test of each pair",
        est.correct_sums,
        largest,
        "holm",
        "two classifiers err equally often on new items",
        "an item on which just one errs is as likely the one's as the other's",
        STRONG,
        (
            Cited("McNemar (1947)"),
            Cited("feelders1995", ", section 3"),
            Cited("dietterich1998", ", section 3.1"),
        ),
        ITEMS,
        pairwise=True,
        words="McNemar's test of each pair",
        nulls=DefaultNull(default="corrected"),
        reports=Reports(conservative=True),
        needs=Needs(binary=True),
    )
)
PROCEDURES.like(
    FRIEDMAN,
    name="cochran",
    bare=Bare((PAIRS,), title="Cochran's Q and comparisons of sums"),
    words="Cochran's Q test and comparisons of the numbers of correct items",
    title="Cochran's Q with all pairs of sums",
    estimate=est.correct_sums,
    hypothesis="all classifiers are equally often correct",
    references=(Cited("Cochran (1950)"),),
    legal=ITEMS,
    needs=replace(FRIEDMAN.needs, binary=True),
)
PROCEDURES.like(
    MIXED,
    name="pooled-proportions",
    bare=Bare(
        (ADJUST,),
        title="differences of proportions with a pooled variance",
        words="differences of proportions with a pooled variance",
    ),
    words="intervals for differences of proportions with a pooled variance",
    estimate=est.pooled_proportions,
    overall=quadratic,
    adjust="bonferroni",
    legal=ITEMS,
    title="pooled-variance intervals with Dunn's quantile",
    null="equal shares correct, equal variances of all differences",
    references=(Cited("feelders1995", ", section 3"), Cited("Marascuilo, McSweeney (1977)")),
    needs=replace(MIXED.needs, gaps=False, margins=False, binary=True),
)
PROCEDURES.like(
    MCNEMAR,
    name="proportions",
    words="the test for the difference of two proportions",
    estimate=est.separate_proportions,
    legal=NOWHERE,
    title="difference of two proportions",
    controls=nothing("on one test set"),
    null="independent test items for each classifier",
    references=(Cited("dietterich1998", ", section 3.2"),),
    nulls=replace(MCNEMAR.nulls, default="asymptotic"),
    reports=replace(
        MCNEMAR.reports,
        marked="it treats the items of two classifiers as different ones, though they are the "
        "same (dietterich1998)",
    ),
)


def spread(layout: Layout) -> Layout:
    """Absolute deviations from each algorithm's median: the criterion of a paired test of scale."""
    deviations = np.abs(layout.values - np.median(layout.values, axis=0))
    name = f"absolute deviation of {layout.measure.name}"
    return replace(layout, values=-deviations, measure=Measure(name, unit=layout.measure.unit))


PROCEDURES.like(
    PAIRED_T,
    name="paired-scale",
    words="paired t tests of the absolute deviations from each algorithm's median, that is, "
    "tests of scale",
    criterion=spread,
    legal=ONE_DATASET | ITEMS,
    title="paired test of scale: absolute deviations from the median",
    hypothesis="the scores of two algorithms vary equally",
    null="equal expected absolute deviation; many blocks (five learners on 100 items: 7 %)",
    references=(
        Cited("Brown, Forsythe (1974)", " on pairs"),
        Cited("hothorn2005", ", section 2"),
    ),
    needs=replace(PAIRED_T.needs, margins=False, clusters=False),
)
MEDIAN = PROCEDURES.like(
    PAIRED_T,
    name="median-bootstrap",
    bare=Bare(
        (ADJUST, NULL),
        title="differences of medians with variances by the bootstrap",
        words="differences of medians with variances by the bootstrap",
    ),
    words="bootstrap intervals for differences of medians",
    estimate=partial(est.functional, places=est.median),
    overall=largest,
    adjust="single-step",
    title="bootstrap intervals of differences of medians",
    hypothesis="two algorithms have equal medians",
    null="equal medians; many blocks",
    references=(Cited("hothorn2005", ", section 2"), Cited("Efron, Tibshirani (1993)")),
    reports=replace(PAIRED_T.reports, conservative=True),
    nulls=replace(PAIRED_T.nulls, default="bootstrap:1999"),
    needs=replace(
        PAIRED_T.needs,
        least=10,  # with fewer, resampled medians hardly vary and the test is liberal
        clusters=False,
    ),
)
PROCEDURES.like(
    MEDIAN,
    name="quantile-bootstrap",
    bare=Bare(
        (ADJUST, NULL),
        title="differences of 90 % quantiles of losses with variances by the bootstrap",
        words="differences of the 90 % quantiles of losses with variances by the bootstrap",
    ),
    words="bootstrap intervals for differences of the 90 % quantiles of losses",
    estimate=partial(est.functional, places=est.worst_tenth),
    title="bootstrap intervals of differences of the worst tenth (90 % quantile of losses)",
    hypothesis="nine in ten scores of two algorithms are better than the same value",
    null="equal quantiles; many blocks",
)


# -- weighing -------------------------------------------------------------------------------------
# Weights of data sets, for means over just these that do not count them alike.


def read_weights(given: Mapping[str, float] | str | None) -> Mapping[str, float] | None:
    """Weights by name, also from a text such as `iris=2,glass=1`."""
    if given is None or isinstance(given, Mapping):
        return given
    weights: dict[str, float] = {}
    for part in str(given).split(","):
        name, equals, value = part.rpartition("=")
        try:
            weights[name.strip()] = float(value)
        except ValueError:
            equals = ""
        if not equals:
            raise InferenceError(
                f"Weights of data sets are written as iris=2,glass=1, not '{given}'."
            )
    return weights


def weighed(layout: Layout, procedure: Procedure, weights: Mapping[str, Any] | None) -> Layout:
    """The layout with weights of its data sets; those that none is said of have 1."""
    if weights is None:
        return layout
    if not procedure.needs.weighs or not layout.nested.datasets:
        raise InferenceError(
            f"'{procedure.name}' counts rows alike: weights of data sets are for survey-fixed "
            "(--target datasets --procedure survey-fixed), with several samples of every data set."
        )
    for name, value in weights.items():
        if name not in layout.nested.datasets:
            raise InferenceError(unknown("data set", str(name), layout.nested.datasets))
        if (
            isinstance(value, bool)
            or not isinstance(value, (int, float))
            or not (0 <= value < math.inf)
        ):
            raise InferenceError(f"The weight of '{name}' is a number from 0 on, not {value!r}.")
    values = np.array([float(weights.get(name, 1.0)) for name in layout.nested.datasets])
    if not values.any():
        raise InferenceError("Some data set needs a weight above 0.")
    shares = {
        name: float(w / values.sum())
        for name, w in zip(layout.nested.datasets, values, strict=True)
    }
    note = Note("weighed", REMARK, shares=tuple(shares.items()))
    return replace(
        layout, notes=(*layout.notes, note), nested=replace(layout.nested, weights=values)
    )
