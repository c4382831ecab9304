"""Procedures: the named tests, each a record of bricks and of what it may be used for.

Those of designs in which blocks are no plain rows stand beside their estimates: independent
samples in `unpaired.py`, training sets x items in `crossed.py`, series in `series.py`, samples
within data sets in `survey.py`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from podium.inference import crossed, series, survey, unpaired
from podium.inference import estimates as est
from podium.inference import scores as sc
from podium.inference.layouts import Layout
from podium.inference.overall import iman_davenport, largest, mixed_f, quade_f, quadratic
from podium.inference.procedure import (
    BY_HOLM,
    DEPENDENT,
    EQUAL_MEANS,
    EXCHANGEABLE,
    INDEPENDENT,
    ITEMS,
    NOWHERE,
    ONE_DATASET,
    SINGLE_STEP,
    STRONG,
    SYMMETRIC,
    WEAK,
    Procedure,
)
from podium.measures import Measure
from podium.registry import Registry

__all__ = ["INDEPENDENT", "PROCEDURES", "Procedure"]

PROCEDURES: Registry[Procedure] = Registry("procedure")


def _add(procedure: Procedure) -> Procedure:
    PROCEDURES.add(procedure.name, procedure)
    return procedure


_sums = est.block_sums
FRIEDMAN = _add(
    Procedure(
        "friedman",
        "Friedman test with all pairs of rank sums",
        partial(_sums, scores=sc.ranks),
        quadratic,
        "single-step",
        "no algorithm tends to rank higher than another",
        EXCHANGEABLE,
        WEAK,
        "Friedman (1937); Hollander, Wolfe (1999)",
        INDEPENDENT,
        ranks=True,
    )
)
_add(replace(FRIEDMAN, name="nemenyi",
     title="Wilcoxon-Nemenyi-McDonald-Thompson test",
     reference="Hollander, Wolfe (1999), section 7.3; eugster2008, section 3.2"))  # fmt: skip
_add(replace(FRIEDMAN, name="nemenyi-control", control=True,
     title="Nemenyi-Wilcoxon-Wilcox-Miller test against a control",
     reference="Hollander, Wolfe (1999), section 7.4"))  # fmt: skip
_add(replace(FRIEDMAN, name="iman-davenport", overall=iman_davenport,
     title="Iman-Davenport test with all pairs of rank sums",
     reference="Iman, Davenport (1980)"))  # fmt: skip
_add(replace(FRIEDMAN, name="quade", overall=quade_f, ranks=False,
     estimate=partial(_sums, scores=sc.quade), ranks_differences=True,
     title="Quade test with all pairs of weighted rank sums",
     reference="Quade (1979)"))  # fmt: skip
_add(replace(FRIEDMAN, name="aligned-ranks", ranks=False,
     estimate=partial(_sums, scores=sc.aligned_ranks), ranks_differences=True,
     title="aligned rank test of Hodges and Lehmann",
     reference="Hodges, Lehmann (1962)"))  # fmt: skip
_add(replace(FRIEDMAN, name="normal-scores", ranks=False,
     estimate=partial(_sums, scores=sc.normal_scores),
     title="van der Waerden's normal scores test",
     reference="van der Waerden (1952)"))  # fmt: skip
PERMUTATION = _add(
    Procedure(
        "permutation",
        "permutation test of statistic (3), closed testing",
        partial(_sums, scores=sc.raw),
        quadratic,
        "closed",
        "equal performance distributions",
        EXCHANGEABLE + "; unequal variances alone can reject (11 % with one sd five times larger)",
        STRONG + " (closed over partitions up to K = 8, Ryan's levels beyond)",
        "hothorn2005, section 4.2",
        INDEPENDENT,
    )
)
_add(replace(PERMUTATION, name="permutation-max", adjust="single-step", controls=WEAK,
     title="permutation test of the largest difference of means"))  # fmt: skip
WILCOXON = _add(
    Procedure(
        "wilcoxon",
        "Wilcoxon signed rank test of each pair",
        partial(_sums, scores=sc.signed_ranks, step=1.0),
        largest,
        "holm",
        "the differences of two algorithms are symmetric about zero",
        SYMMETRIC,
        BY_HOLM,
        "Wilcoxon (1945); blocks without a difference are left out",
        INDEPENDENT,
        pairwise=True,
        margins=True,
        ranks_differences=True,
        few_sums=True,
    )
)
_add(replace(WILCOXON, name="pratt", estimate=partial(_sums, scores=sc.pratt, step=1.0),
     margins=False,
     title="signed rank test of each pair with Pratt's zeros",
     reference="Pratt (1959)"))  # fmt: skip
_add(replace(WILCOXON, name="sign", estimate=partial(_sums, scores=sc.signs, step=1.0),
     ranks_differences=False,
     title="sign test of each pair", null="a difference is as often positive as negative",
     hypothesis="each of two algorithms wins as often as the other", margins=False,
     reference="Arbuthnott (1710); Dixon, Mood (1946)", conservative=True))  # fmt: skip
_add(replace(WILCOXON, name="sign-flip", estimate=partial(_sums, scores=sc.raw),
     ranks_differences=False, few_sums=False, title="sign-flip permutation test of each pair",
     hypothesis="the differences of two algorithms are symmetric about zero",
     reference="Fisher (1935); Pesarin (2001)"))  # fmt: skip
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
        "hothorn2005, statistic (2)",
        INDEPENDENT,
        margins=True,
        default_null="asymptotic",
        clusters=True,
    )
)
_add(replace(PAIRED_T, name="max-modulus", adjust="max-modulus",
     title="paired differences with the studentized maximum modulus",
     reference="feelders1995, eq. 4; Hochberg, Tamhane (1987)"))  # fmt: skip
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
        "eugster2008, section 3.2; Hothorn, Bretz, Westfall (2008)",
        INDEPENDENT,
        margins=True,
        gaps=True,
        spherical=True,
        default_null="asymptotic",
    )
)
_add(replace(MIXED, name="mixed-dunnett", control=True,
     title="random block mixed model (REML), Dunnett contrasts",
     reference="Dunnett (1955); eugster2008, section 3.2"))  # fmt: skip
_add(replace(MIXED, name="aligned-tukey", gaps=False,
     title="Tukey contrasts of block-aligned scores",
     null="as the mixed model; the error df are (B-1)(K-1), not B(K-1): alignment costs B-1",
     reference="hothorn2005, section 4.2; Hájek, Šidák, Sen (1999)"))  # fmt: skip
_add(replace(PAIRED_T, name="corrected-t", estimate=est.corrected_means, legal=DEPENDENT,
     title="corrected resampled t test", clusters=False,
     null="equal expected performance over new samples; correlation of replicates as if it were "
     "the share of test rows (a heuristic)",
     reference="Nadeau, Bengio (2003); Bouckaert, Frank (2004)"))  # fmt: skip
FIVE = _add(
    Procedure(
        "5x2cv-t",
        "5x2cv paired t test",
        est.five_by_two_t,
        largest,
        "holm",
        "two algorithms have equal expected performance on samples of half the size",
        "equal expected performance; differences of the ten halves nearly normal",
        STRONG,
        "dietterich1998, section 3.5",
        frozenset({("fold", "population")}),
        pairwise=True,
        default_null="asymptotic",
        samplings=("5x2cv",),
        conservative=True,  # the numerator is part of its own denominator
    )
)
_add(replace(FIVE, name="5x2cv-f", estimate=est.five_by_two_f,
     title="5x2cv combined F test", reference="Alpaydin (1999)", conservative=True))  # fmt: skip
_add(replace(PAIRED_T, name="kfold-t", legal=NOWHERE, title="k-fold cross-validated paired t test",
     controls="nothing about new samples",
     marked="the folds of a cross-validation share training rows; its type I error is above "
     "nominal (dietterich1998)", clusters=False,
     reference="dietterich1998, section 3.4"))  # fmt: skip
_add(replace(PAIRED_T, name="resampled-t", legal=NOWHERE, title="resampled paired t test",
     controls="nothing about new samples",
     marked="random splits of one sample overlap; its type I error about new samples is far above "
     "nominal (dietterich1998)", clusters=False,
     reference="dietterich1998, section 3.3"))  # fmt: skip
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
        "McNemar (1947); feelders1995, section 3; dietterich1998, section 3.1",
        ITEMS,
        pairwise=True,
        default_null="corrected",
        conservative=True,
        binary=True,
    )
)
_add(
    replace(
        FRIEDMAN,
        name="cochran",
        ranks=False,
        title="Cochran's Q with all pairs of sums",
        estimate=est.correct_sums,
        hypothesis="all classifiers are equally often correct",
        reference="Cochran (1950)",
        legal=ITEMS,
        binary=True,
    )
)
_add(replace(MIXED, name="pooled-proportions", estimate=est.pooled_proportions, overall=quadratic,
     adjust="bonferroni", gaps=False, margins=False, legal=ITEMS, binary=True,
     title="pooled-variance intervals with Dunn's quantile",
     null="equal shares correct, equal variances of all differences",
     reference="feelders1995, section 3; Marascuilo, McSweeney (1977)"))  # fmt: skip
_add(replace(MCNEMAR, name="proportions", estimate=est.separate_proportions, legal=NOWHERE,
     title="difference of two proportions", controls="nothing on one test set",
     default_null="asymptotic",
     marked="it treats the items of two classifiers as different ones, though they are the same "
     "(dietterich1998)", null="independent test items for each classifier",
     reference="dietterich1998, section 3.2"))  # fmt: skip


def spread(layout: Layout) -> Layout:
    """Absolute deviations from each algorithm's median: the criterion of a paired test of scale."""
    deviations = np.abs(layout.values - np.median(layout.values, axis=0))
    name = f"absolute deviation of {layout.measure.name}"
    return replace(layout, values=-deviations, measure=Measure(name, unit=layout.measure.unit))


_add(replace(PAIRED_T, name="paired-scale", criterion=spread, legal=ONE_DATASET | ITEMS,
     title="paired test of scale: absolute deviations from the median",
     hypothesis="the scores of two algorithms vary equally",
     null="equal expected absolute deviation; many blocks",
     margins=False, clusters=False,
     reference="Brown, Forsythe (1974) on pairs; hothorn2005, section 2"))  # fmt: skip
MEDIAN = _add(
    replace(
        PAIRED_T,
        name="median-bootstrap",
        of="median",
        estimate=partial(est.functional, of=est.median),
        overall=largest,
        adjust="single-step",
        title="bootstrap intervals of differences of medians",
        hypothesis="two algorithms have equal medians",
        null="equal medians; many blocks",
        default_null="bootstrap:1999",
        least=10,  # with fewer, resampled medians hardly vary and the test is liberal
        clusters=False,
        conservative=True,
        reference="hothorn2005, section 2; Efron, Tibshirani (1993)",
    )
)
_add(replace(MEDIAN, name="quantile-bootstrap", of="90 % worst value",
     estimate=partial(est.functional, of=est.worst_tenth),
     title="bootstrap intervals of differences of the worst tenth (90 % quantile of losses)",
     hypothesis="nine in ten scores of two algorithms are better than the same value",
     null="equal quantiles; many blocks"))  # fmt: skip

_MORE = (unpaired, crossed, series, survey)
for _procedure in (procedure for home in _MORE for procedure in home.PROCEDURES):
    _add(_procedure)
