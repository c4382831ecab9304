"""Posteriors as procedures: the same designs, estimates and legality as their kin among the tests.

A posterior repairs no dependence: what is not legal for the test is not legal for it. Chances of
means come from the waist (estimates with their covariance); those of data sets from weights that
are drawn for the blocks, or from a model of samples within data sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Protocol

import numpy as np
from scipy.special import stdtrit

from podium.core.base.errors import InferenceError
from podium.core.inference.bricks import estimates as est
from podium.core.inference.bricks.contrasts import Pair, all_pairs, matrix
from podium.core.inference.bricks.estimates import Estimates
from podium.core.inference.bricks.quantities import MEAN, NET_WINS, TYPICAL, gives
from podium.core.inference.bricks.shifts import MOST_POINTS, Counted, bisected
from podium.core.inference.layouts import Layout
from podium.core.inference.numbers.chances import (
    DRAWS,
    Hierarchical,
    Joint,
    find_grain,
    hierarchical,
    joint,
    largest,
    sign,
    signed_rank_shares,
    standings,
    student,
    weighted_blocks,
)
from podium.core.inference.numbers.rounding import signed_difference
from podium.core.inference.procedures.choices import BRADLEY_TERRY, log_strengths
from podium.core.inference.procedures.conditions import CONDITIONS_T, condition_means
from podium.core.inference.procedures.mean_tests import CORRECTED, PAIRED_T
from podium.core.inference.procedures.procedure import (
    DATASETS,
    DEPENDENT,
    INDEPENDENT,
    UNPAIRED,
    Cited,
    Options,
    Posterior,
    Procedure,
    derive,
    legal_pairs,
    nothing,
)
from podium.core.inference.procedures.rank_tests import WILCOXON
from podium.core.inference.procedures.survey import NEW, RANDOM
from podium.core.inference.procedures.unpaired import GAMES_HOWELL
from podium.core.questions.targets import CHOICE, POPULATION
from podium.core.words.facts import CAUTION, Note

PREFIX = "bayes-"
FLAT = "a flat prior"
WORK = 100_000_000  # weights that are looked at before draws become fewer
FEW_DRAWS = 2000  # for each of several regions
LEAST_DRAWS = 5000  # chances are then right to 0.014
PRIOR_OF_RANKS, PRIOR_OF_SIGNS = 0.5, 1.0  # blocks without a difference
LEAST_SAMPLES = 3  # of a data set, for its own variance
MOST_PAIRS = 120  # of models that take half a second each
MAKER = "Benavoli, Mangili, Corani, Zaffalon, Ruggeri (2014)"


class Asked(Protocol):
    """What of a request matters here."""

    pairs: tuple[Pair, ...]
    alpha: float
    relevance: float
    rho: float | None

    @property
    def contrasts(self) -> np.ndarray:
        """Rows x algorithms."""


def check_posterior(procedure: Procedure, o: Options) -> None:
    """Refuse what a posterior has no use for, and what only a posterior takes."""
    if o.rho is not None and not procedure.needs.correlated:
        raise InferenceError(
            f"'{procedure.name}' takes no correlation of samples: leave --rho (rho=) out."
        )
    if o.rho is not None and not (isinstance(o.rho, (int, float)) and 0 <= o.rho < 1):
        raise InferenceError(
            f"rho is a correlation of samples from 0 to below 1, such as 0.1, not {o.rho!r}."
        )
    if procedure.bayes.posterior is None:
        return
    usual = Options()
    for name in ("null", "adjust", "estimate", "alternative"):
        if getattr(o, name) != getattr(usual, name):
            raise InferenceError(
                f"A posterior gives probabilities of either direction without p-values: leave "
                f"--{name} ({name}=) out."
            )


# -- means, from the waist -------------------------------------------------------------------------


@gives(MEAN)
def of_means(
    layout: Layout, request: Asked, *, estimate: Callable[[Layout], Estimates]
) -> Posterior:
    """Differences are t about their estimates, all means together multivariate t."""
    return _from_waist(request, estimate(layout))


@gives(MEAN)
def of_correlated_means(layout: Layout, request: Asked) -> Posterior:
    """The same where samples share rows, by the ratio of corrected-t or a correlation that is said.

    A correlation rho adds the share rho / (1 - rho) of a variance (Corani, Benavoli 2015).
    """
    if request.rho is None:
        return _from_waist(request, est.corrected_means(layout))
    return _from_waist(request, est.means(layout, ratio=request.rho / (1 - request.rho)))


def _from_waist(request: Asked, e: Estimates) -> Posterior:
    """Limits leave alpha on either side: one excludes 0 exactly where the chance is 1 - alpha."""
    difference = request.contrasts @ e.values
    scale, df = np.sqrt(e.variances(request.contrasts)), e.df_of(request.contrasts)
    lose, same, win = student(difference, scale, df, request.relevance).T
    reach = np.where(scale > 0, stdtrit(df, 1 - request.alpha) * scale, 0.0)
    limits = difference - reach, difference + reach
    standing = _among_all(e)
    at = partial(student, difference, scale, df)
    return Posterior(
        difference, *limits, win, same, lose, standing.best, standing.expected_rank, at=at
    )


def _among_all(e: Estimates) -> Joint:
    """Who is the best and who comes where; of two by formula, of more by draws."""
    k = len(e.values)
    contrasts = matrix(all_pairs(k), k)
    df = e.df_of(contrasts)
    if k == 2:
        scale = np.sqrt(e.variances(contrasts))
        return _of_two(*student(contrasts @ e.values, scale, df, 0.0)[0])
    # whatever the names are, and the last digits of what is equal
    grain = find_grain(e.values, e.covariance)
    errors = np.sqrt(np.diag(e.covariance))
    order = np.lexsort((np.round(errors / grain), np.round(e.values / grain)))
    result = joint(e.values[order], e.covariance[np.ix_(order, order)], float(df.min()))
    back = np.argsort(order)
    return Joint(result.best[back], result.expected_rank[back])


def _of_two(lose: float, same: float, win: float) -> Joint:
    """What the chances of one pair say of both."""
    best = np.array([win + same / 2, lose + same / 2])
    return Joint(best, 2 - best)


# -- blocks with weights ---------------------------------------------------------------------------

Shares = Callable[[np.ndarray, np.ndarray, float], tuple[np.ndarray, np.ndarray]]
Limits = Callable[[np.ndarray, float, float], tuple[float, ...]]  # estimate, lower, upper


@gives(TYPICAL)
def of_signed_ranks(layout: Layout, request: Asked) -> Posterior:
    """Whether most means of two blocks favour the first."""
    return _weighted(layout, request, signed_rank_shares, PRIOR_OF_RANKS, _pseudo_median)


@gives(NET_WINS)
def of_signs(layout: Layout, request: Asked) -> Posterior:
    """Whether most blocks favour the first; the chances of pairs by their integral."""
    result = _weighted(layout, request, _sign_shares, PRIOR_OF_SIGNS, _net_wins)
    differences = (layout.values[:, i] - layout.values[:, j] for i, j in request.pairs)
    lose, same, win = np.array([sign(d, request.relevance) for d in differences]).T
    return result._replace(win=win, same=same, lose=lose, at=partial(_signs_at, layout, request))


def _signs_at(layout: Layout, request: Asked, rope: float) -> np.ndarray:
    """The three chances of every pair by signs."""
    pairs = ((layout.values[:, i] - layout.values[:, j]) for i, j in request.pairs)
    return np.array([sign(difference, rope) for difference in pairs])


def _sign_shares(
    w: np.ndarray, differences: np.ndarray, rope: float
) -> tuple[np.ndarray, np.ndarray]:
    ways = np.stack([differences < -rope, differences > rope], axis=1).astype(float)
    lose, win = (w[:, 1:] @ ways).T
    return lose, win


def _weighted(
    layout: Layout, request: Asked, shares: Shares, prior: float, limits: Limits
) -> Posterior:
    """All pairs by the same draws of weights, and who beats whom in each of them."""
    values, rope = layout.values, request.relevance
    pairs = _by_name(layout.algorithms)
    differences = {pair: values[:, pair[0]] - values[:, pair[1]] for pair in pairs}
    draws = int(np.clip(WORK // (len(pairs) * (1 + len(values))), LEAST_DRAWS, DRAWS))
    counted = {pair: np.zeros(3) for pair in pairs}
    means: dict[Pair, list[np.ndarray]] = {pair: [] for pair in pairs}
    best, ranks = np.zeros(values.shape[1]), np.zeros(values.shape[1])
    for w in weighted_blocks(len(values), prior, draws, 0):
        beats = np.zeros((len(w), values.shape[1]))
        for (i, j), difference in differences.items():
            three = largest(*shares(w, difference, rope), rope)
            counted[i, j] += three.sum(axis=0)
            means[i, j].append(w[:, 1:] @ difference)
            plain = three if rope == 0 else largest(*shares(w, difference, 0.0), 0.0)
            ahead = plain[:, 2] - plain[:, 0]
            beats[:, i] += ahead
            beats[:, j] -= ahead
        standing = standings(beats)
        best, ranks = best + standing.best, ranks + standing.expected_rank
    rows = [_seen_from(pair, counted, means, request.alpha, draws) for pair in request.pairs]
    lower, upper, win, same, lose = np.array(rows).T
    mean = np.array([np.mean(values[:, i] - values[:, j]) for i, j in request.pairs])
    own = [
        limits(signed_difference(values[:, list(p)]), rope, request.alpha) for p in request.pairs
    ]
    estimate, low, high = np.array(own, dtype=float).T
    at = partial(_weighted_at, layout, request, shares, prior)
    of_means = mean, lower, upper
    best, ranks = best / draws, ranks / draws
    return Posterior(estimate, low, high, win, same, lose, best, ranks, of_means, at)


def _pseudo_median(difference: np.ndarray, rope: float, alpha: float) -> tuple[float, ...]:
    """Of two blocks' means the median, and between which its draws lie with the chance 1 - 2 alpha.

    A draw's median is above a number where most means are.
    """
    counted = Counted(difference)
    points = counted.distinct() if counted.size <= MOST_POINTS else np.array([])
    drawn = np.concatenate([*weighted_blocks(len(difference), PRIOR_OF_RANKS, LEAST_DRAWS, 0)])

    def above(at: float) -> float:
        lose, win = signed_rank_shares(drawn, difference, 0.0, at)
        return float((win > lose).mean() + (win == lose).mean() / 2)

    def quantile(chance: float) -> float:
        """The first point above which it is not with this chance."""
        if not len(points):
            return bisected(lambda at: above(at) < chance, *counted.ends)
        start, end = 0, len(points) - 1
        while start < end:
            at = (start + end) // 2
            start, end = (start, at) if above(float(points[at])) < chance else (at + 1, end)
        return float(points[start])

    return counted.middle(), quantile(1 - alpha), quantile(alpha)


def _net_wins(difference: np.ndarray, rope: float, alpha: float) -> tuple[float, ...]:
    """The share of blocks won less that lost, and the limits of its draws."""
    drawn = np.concatenate([*weighted_blocks(len(difference), PRIOR_OF_SIGNS, LEAST_DRAWS, 0)])
    lose, win = _sign_shares(drawn, difference, rope)
    won, lost = (difference > rope).mean(), (difference < -rope).mean()
    return float(won - lost), *np.quantile(win - lose, [alpha, 1 - alpha]).tolist()


def _weighted_at(
    layout: Layout, request: Asked, shares: Shares, prior: float, rope: float
) -> np.ndarray:
    """The three chances of every pair by fewer draws of the same weights: right to 0.02."""
    values = layout.values
    counted = np.zeros((len(request.pairs), 3))
    for w in weighted_blocks(len(values), prior, FEW_DRAWS, 0):
        for k, (i, j) in enumerate(request.pairs):
            counted[k] += largest(*shares(w, values[:, i] - values[:, j], rope), rope).sum(axis=0)
    return counted / FEW_DRAWS


def _by_name(names: tuple[str, ...]) -> list[Pair]:
    """All pairs, such that the same draws meet the same pair however columns are ordered."""
    order = sorted(range(len(names)), key=names.__getitem__)
    return list(combinations(order, 2))


def _seen_from(
    pair: Pair,
    counted: dict[Pair, np.ndarray],
    means: dict[Pair, list[np.ndarray]],
    alpha: float,
    draws: int,
) -> tuple[float, ...]:
    """Limits of the mean difference, and win, same and lose, of a pair in either order."""
    known = pair if pair in counted else pair[::-1]
    lose, same, win = counted[known] / draws
    low, high = np.quantile(np.concatenate(means[known]), [alpha, 1 - alpha])
    if known == pair:
        return float(low), float(high), float(win), float(same), float(lose)
    return -float(high), -float(low), float(lose), float(same), float(win)


# -- samples within data sets ----------------------------------------------------------------------


@gives(MEAN)
def of_datasets(layout: Layout, request: Asked) -> Posterior:
    """The hierarchical model of every pair; who is the best of several from the survey model."""
    if len(request.pairs) > MOST_PAIRS:
        raise InferenceError(
            f"The hierarchical model of {len(request.pairs)} pairs would take minutes: compare "
            "with one algorithm (--control NAME), or use bayes-signed-rank."
        )
    rho = _correlation(layout, request)
    results = [_of_pair(layout, pair, request.relevance, rho) for pair in request.pairs]
    ends = request.alpha, 1 - request.alpha  # a chance of 1 - alpha excludes 0
    lower, upper = (np.array([f.quantile(end) for f in results]) for end in ends)
    lose, same, win = np.array([f.winner for f in results]).T
    estimate = np.array([f.difference for f in results])
    if len(layout.algorithms) == 2:
        standing = _of_two(1 - results[0].positive, 0.0, results[0].positive)
        standing = standing if request.pairs[0] == (0, 1) else _turned(standing)
    else:
        standing = _among_all(RANDOM.estimate(layout))
    return Posterior(estimate, lower, upper, win, same, lose, standing.best, standing.expected_rank)


def _turned(standing: Joint) -> Joint:
    return Joint(standing.best[::-1], standing.expected_rank[::-1])


def _correlation(layout: Layout, request: Asked) -> float:
    """Of samples of one data set: as said, or what their shared rows come to in corrected-t."""
    if request.rho is not None:
        return request.rho
    if layout.origin.sampling is None:
        raise InferenceError(
            "How the samples within data sets were drawn decides how they depend on each other, "
            "and this table does not say it: add --sampling (sampling=), such as cv:10, or --rho "
            "(rho=)."
        )
    if (layout.origin.sampling.block, POPULATION) not in DEPENDENT:
        return 0.0
    ratio, _ = est.overlap(layout)
    return ratio / (1 + ratio)


def _of_pair(layout: Layout, pair: Pair, rope: float, rho: float) -> Hierarchical:
    difference = layout.values[:, pair[0]] - layout.values[:, pair[1]]
    here = np.isfinite(difference)
    samples = []
    for number, name in enumerate(layout.nested.datasets):
        of_set = difference[here & (np.asarray(layout.nested.within) == number)]
        if len(of_set) < LEAST_SAMPLES:
            raise InferenceError(
                f"The hierarchical model needs {LEAST_SAMPLES} samples of every data set that both "
                f"algorithms have; '{name}' has {len(of_set)}: leave it out (--exclude), or use "
                "bayes-signed-rank."
            )
        samples.append(of_set)
    if not any(np.any(x) for x in samples):
        return _never_different()
    return hierarchical(samples, rope, rho)


def _never_different() -> Hierarchical:
    """Of two that have the same scores everywhere."""
    certain, ends = (0.0, 1.0, 0.0), np.array([-0.0, 0.0])
    return Hierarchical(certain, certain, 0.0, 0.0, ends, np.array([0.5, 0.5]))


# -- the procedures --------------------------------------------------------------------------------


def about_correlation(layout: Layout, procedure: object, request: Asked) -> Iterator[Note]:
    """What a wrong correlation costs."""
    if request.rho is None:
        ratio, _ = est.overlap(layout)
        yield Note("correlation", CAUTION, rho=ratio / (1 + ratio), said=False)
    else:
        yield Note("correlation", CAUTION, rho=request.rho, said=True)


def _about_nested(layout: Layout, procedure: object, request: Asked) -> Iterator[Note]:
    rho = _correlation(layout, request)
    yield Note("correlation", CAUTION, rho=rho, said=request.rho is not None)


CORRELATED_T = derive(
    CORRECTED,
    name="bayes-correlated-t",
    title="Bayesian correlated t test",
    words="the Bayesian correlated t test",
    hypothesis="the first has the better expected score",
    null="normal differences of samples, equally correlated by the rows that they share",
    controls=nothing("in the sense of a test: chances are not adjusted for many pairs"),
    adjust="none",
    references=(Cited("Corani, Benavoli (2015)"),),
    bayes=replace(
        CORRECTED.bayes, posterior=of_correlated_means, prior=FLAT, default_for=DEPENDENT
    ),
    needs=replace(CORRECTED.needs, correlated=True),
    reports=replace(CORRECTED.reports, cautions=about_correlation),
)
HIERARCHICAL = derive(
    RANDOM,
    name="bayes-hierarchical",
    title="Bayesian hierarchical correlated t model",
    words="the Bayesian hierarchical correlated t model",
    hypothesis="the first is likelier than not the better one on the next data set",
    null="normal differences of samples, equally correlated within a data set; differences of data "
    "sets are t distributed",
    controls=CORRELATED_T.controls,
    adjust="none",
    references=(Cited("Corani, Benavoli, Demšar, Mangili, Zaffalon (2017)"),),
    legal=NEW,
    pairwise=True,
    reports=replace(RANDOM.reports, cautions=_about_nested),
    bayes=replace(
        RANDOM.bayes,
        posterior=of_datasets,
        prior="flat priors of the mean and the spread of data sets",
        default_for=NEW,
    ),
    needs=replace(RANDOM.needs, correlated=True),
)
SIGNED_RANK = derive(
    WILCOXON,
    name="bayes-signed-rank",
    title="Bayesian signed rank test",
    words="the Bayesian signed rank test of each pair",
    hypothesis="most means of two blocks favour the first",
    null="blocks are a random sample; nothing else is assumed of the differences",
    controls=CORRELATED_T.controls,
    adjust="none",
    references=(Cited(MAKER),),
    bayes=replace(
        WILCOXON.bayes,
        posterior=of_signed_ranks,
        prior="a prior that is worth half a block without any difference",
        default_for=DATASETS,
    ),
    nulls=replace(WILCOXON.nulls, default="asymptotic"),
)
SIGN = derive(
    SIGNED_RANK,
    name="bayes-sign",
    title="Bayesian sign test",
    words="the Bayesian sign test of each pair",
    hypothesis="most blocks favour the first",
    bayes=replace(
        SIGNED_RANK.bayes,
        posterior=of_signs,
        prior="a prior that is worth one block without any difference",
        default_for=frozenset(),
    ),
)
MEANS = derive(
    PAIRED_T,
    name="bayes-t",
    title="Bayesian t test",
    words="the posterior of mean differences under a flat prior, a t distribution",
    hypothesis="the first has the better mean",
    null="blocks are independent and differences between them nearly normal, or many",
    controls=CORRELATED_T.controls,
    adjust="none",
    references=(Cited("Box, Tiao (1973)"),),
    bayes=replace(
        PAIRED_T.bayes,
        posterior=partial(of_means, estimate=est.means),
        prior=FLAT,
        default_for=INDEPENDENT - DATASETS,
    ),
)
WELCH = derive(
    GAMES_HOWELL,
    name="bayes-welch",
    title="Bayesian t test of independent samples",
    words="the posterior of differences of means of independent samples under a flat prior, nearly "
    "a t distribution",
    hypothesis="the first has the better mean",
    null="independent samples of nearly normal scores, or large ones; variances may differ",
    controls=CORRELATED_T.controls,
    adjust="none",
    references=(Cited("Box, Tiao (1973)"),),
    bayes=replace(
        GAMES_HOWELL.bayes,
        posterior=partial(of_means, estimate=GAMES_HOWELL.estimate),
        prior=FLAT,
        default_for=UNPAIRED,
    ),
)
_PROCEDURES_TESTS = (MEANS, CORRELATED_T, SIGNED_RANK, SIGN, HIERARCHICAL, WELCH)


# -- of choices -----------------------------------------------------------------------------------
# Posteriors of strengths, and of means over items and conditions: flat priors, from the waist.
#
# With errors by blocks, P > 0.95 for either of two equal algorithms is a t test at 10 %, which
# docs/readings.md has the rates of.


STRENGTHS = derive(
    BRADLEY_TERRY,
    name="bayes-bradley-terry",
    title="posterior of the strengths of a Bradley-Terry model, spread by blocks",
    words="the posterior of the strengths of a Bradley-Terry model with Davidson's ties under a "
    "flat prior, a t distribution with the spread of blocks",
    hypothesis="the first is stronger",
    controls=CORRELATED_T.controls,
    adjust="none",
    references=(*BRADLEY_TERRY.references, Cited("Box, Tiao (1973)")),
    bayes=replace(
        BRADLEY_TERRY.bayes,
        posterior=partial(of_means, estimate=log_strengths),
        prior=FLAT,
        default_for=legal_pairs(CHOICE),
    ),
)
CONDITIONS = derive(
    CONDITIONS_T,
    name="bayes-conditions-t",
    title="Bayesian t test over items and conditions",
    words="the posterior of mean differences over new items and new conditions under a flat prior, "
    "nearly a t distribution",
    hypothesis="the first has the better mean over new items and new conditions",
    controls=CORRELATED_T.controls,
    adjust="none",
    references=(*CONDITIONS_T.references, Cited("Box, Tiao (1973)")),
    bayes=replace(
        CONDITIONS_T.bayes,
        posterior=partial(of_means, estimate=condition_means),
        prior=FLAT,
        default_for=CONDITIONS_T.legal,
    ),
)
_OF_CHOICES_TESTS = (STRENGTHS, CONDITIONS)


PROCEDURES = (
    *_PROCEDURES_TESTS,
    *_OF_CHOICES_TESTS,
)
