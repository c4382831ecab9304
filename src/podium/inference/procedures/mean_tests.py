"""Tests of means, and of what is like a mean: shares of items, medians, spread."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from podium.inference.bricks import estimates as est
from podium.inference.bricks.overall import largest, mixed_f, quadratic
from podium.inference.layouts.layouts import Layout
from podium.inference.procedures.overlaps import about_overlap, of_halves, where_test_sets_overlap
from podium.inference.procedures.procedure import (
    DEPENDENT,
    EQUAL_MEANS,
    HALVES,
    INDEPENDENT,
    ITEMS,
    NOWHERE,
    ONE_DATASET,
    SINGLE_STEP,
    STRONG,
    Cited,
    DefaultNull,
    Needs,
    Procedure,
    Reports,
    nothing,
    under_null,
)
from podium.inference.procedures.rank_tests import FRIEDMAN
from podium.questions.measures import Measure
from podium.samplings import FIVE_BY_TWO

# the largest shares of equal algorithms told apart in the scenarios groups-* (calibration.md)
NADEAU_BENGIO = (("1-NN", 0.12), ("ridge regressions", 0.21), ("stumps", 0.27))
T_OF_HALVES = (("1-NN", 0.13), ("ridge regressions", 0.19), ("five ridge regressions", 0.29))
F_OF_HALVES = (("1-NN", 0.16), ("ridge regressions", 0.24), ("five ridge regressions", 0.42))

PROCEDURES: list[Procedure] = []


def _add(procedure: Procedure) -> Procedure:
    PROCEDURES.append(procedure)
    return procedure


PAIRED_T = _add(
    Procedure(
        "paired-t",
        "paired t test of each pair",
        est.means,
        quadratic,
        "sidak",
        "two algorithms have equal means",
        EQUAL_MEANS,
        SINGLE_STEP,
        (Cited("hothorn2005", ", statistic (2)"),),
        INDEPENDENT,
        words="paired t tests",
        needs=Needs(margins=True, clusters=True),
        nulls=DefaultNull(default="asymptotic"),
    )
)
_add(
    replace(
        PAIRED_T,
        name="max-modulus",
        words="paired differences judged by the studentized maximum modulus",
        adjust="max-modulus",
        title="paired differences with the studentized maximum modulus",
        references=(Cited("feelders1995", ", eq. 4"), Cited("Hochberg, Tamhane (1987)")),
        needs=replace(PAIRED_T.needs, gaps=True),
    )
)
_add(
    replace(
        PAIRED_T,
        name="cluster-t",
        words="t tests of each pair by clusters of items, with bias-reduced variances (CR2) and "
        "Satterthwaite's degrees of freedom",
        title="t test of each pair by clusters of items (CR2, Satterthwaite)",
        references=(Cited("Bell, McCaffrey (2002)"), Cited("Šidák (1967)")),
        legal=ITEMS,
        needs=replace(PAIRED_T.needs, gaps=True),
    )
)
MIXED = _add(
    Procedure(
        "mixed-tukey",
        "random block mixed model (REML), Tukey contrasts",
        est.mixed,
        mixed_f,
        "single-step",
        "two algorithms have equal means",
        "additive block effects and independent errors of one variance, nearly normal (10 to 12 % "
        "of five algorithms where one sd is five times the others)",
        SINGLE_STEP,
        (Cited("eugster2008", ", section 3.2"), Cited("Hothorn, Bretz, Westfall (2008)")),
        INDEPENDENT,
        words="a linear mixed model with random block effects, fitted by restricted maximum "
        "likelihood, and Tukey contrasts",
        needs=Needs(margins=True, gaps=True, incomplete=True),
        reports=Reports(spherical=True),
        nulls=DefaultNull(default="asymptotic"),
    )
)
_add(
    replace(
        MIXED,
        name="mixed-dunnett",
        words="a linear mixed model with random block effects, fitted by restricted maximum "
        "likelihood, and Dunnett contrasts",
        title="random block mixed model (REML), Dunnett contrasts",
        references=(Cited("Dunnett (1955)"), Cited("eugster2008", ", section 3.2")),
        needs=replace(MIXED.needs, control=True),
    )
)
_add(
    replace(
        MIXED,
        name="aligned-tukey",
        words="Tukey contrasts of scores aligned by their block means",
        title="Tukey contrasts of block-aligned scores",
        null="as the mixed model; the error df are (B-1)(K-1), not B(K-1): alignment costs B-1",
        references=(Cited("hothorn2005", ", section 4.2"), Cited("Hájek, Šidák, Sen (1999)")),
        needs=replace(MIXED.needs, gaps=False),
    )
)
CORRECTED = _add(
    replace(
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
)
_add(
    replace(
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
)
FIVE = _add(
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
            check_scores=True,
            conservative=True,  # the numerator is part of its own denominator
            rates=T_OF_HALVES,
            cautions=of_halves,
        ),
    )
)
_add(
    replace(
        FIVE,
        name="5x2cv-f",
        words="the combined 5x2cv F test",
        estimate=est.five_by_two_f,
        title="5x2cv combined F test",
        references=(Cited("Alpaydin (1999)"),),
        controls=under_null(F_OF_HALVES),
        reports=replace(FIVE.reports, conservative=True, rates=F_OF_HALVES),
    )
)
_add(
    replace(
        PAIRED_T,
        name="kfold-t",
        words="the paired t test over cross-validation folds",
        legal=NOWHERE,
        title="k-fold cross-validated paired t test",
        controls=nothing("about new samples"),
        references=(Cited("dietterich1998", ", section 3.4"),),
        reports=replace(
            PAIRED_T.reports,
            marked="the folds of a cross-validation share training rows; its type I error is above "
            "nominal (dietterich1998)",
        ),
        needs=replace(PAIRED_T.needs, clusters=False),
    )
)
_add(
    replace(
        PAIRED_T,
        name="resampled-t",
        words="the resampled paired t test",
        legal=NOWHERE,
        title="resampled paired t test",
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
)
MCNEMAR = _add(
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
_add(
    replace(
        FRIEDMAN,
        name="cochran",
        words="Cochran's Q test and comparisons of the numbers of correct items",
        title="Cochran's Q with all pairs of sums",
        estimate=est.correct_sums,
        hypothesis="all classifiers are equally often correct",
        references=(Cited("Cochran (1950)"),),
        legal=ITEMS,
        reports=replace(FRIEDMAN.reports, estimand="mean", unit="", ranks=False),
        needs=replace(FRIEDMAN.needs, binary=True),
    )
)
_add(
    replace(
        MIXED,
        name="pooled-proportions",
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
)
_add(
    replace(
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
)


def spread(layout: Layout) -> Layout:
    """Absolute deviations from each algorithm's median: the criterion of a paired test of scale."""
    deviations = np.abs(layout.values - np.median(layout.values, axis=0))
    name = f"absolute deviation of {layout.measure.name}"
    return replace(layout, values=-deviations, measure=Measure(name, unit=layout.measure.unit))


_add(
    replace(
        PAIRED_T,
        name="paired-scale",
        words="paired t tests of the absolute deviations from each algorithm's median, that is, "
        "tests of scale",
        criterion=spread,
        legal=ONE_DATASET | ITEMS,
        title="paired test of scale: absolute deviations from the median",
        hypothesis="the scores of two algorithms vary equally",
        null="equal expected absolute deviation; many blocks",
        references=(
            Cited("Brown, Forsythe (1974)", " on pairs"),
            Cited("hothorn2005", ", section 2"),
        ),
        needs=replace(PAIRED_T.needs, margins=False, clusters=False),
    )
)
MEDIAN = _add(
    replace(
        PAIRED_T,
        name="median-bootstrap",
        words="bootstrap intervals for differences of medians",
        estimate=partial(est.functional, of=est.median),
        overall=largest,
        adjust="single-step",
        title="bootstrap intervals of differences of medians",
        hypothesis="two algorithms have equal medians",
        null="equal medians; many blocks",
        references=(Cited("hothorn2005", ", section 2"), Cited("Efron, Tibshirani (1993)")),
        reports=replace(PAIRED_T.reports, estimand="median", conservative=True),
        nulls=replace(PAIRED_T.nulls, default="bootstrap:1999"),
        needs=replace(
            PAIRED_T.needs,
            least=10,  # with fewer, resampled medians hardly vary and the test is liberal
            clusters=False,
        ),
    )
)
_add(
    replace(
        MEDIAN,
        name="quantile-bootstrap",
        words="bootstrap intervals for differences of the 90 % quantiles of losses",
        estimate=partial(est.functional, of=est.worst_tenth),
        title="bootstrap intervals of differences of the worst tenth (90 % quantile of losses)",
        hypothesis="nine in ten scores of two algorithms are better than the same value",
        null="equal quantiles; many blocks",
        reports=replace(MEDIAN.reports, estimand="90 % worst value"),
    )
)
