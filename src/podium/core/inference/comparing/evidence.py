"""Evidence after the waist: p-values with intervals, or a posterior; a verdict comes from either.

`compare` knows only this protocol. A procedure that says nothing is judged by its p-values;
one whose record has a `posterior` is judged by the chances that the first algorithm of a pair is
better, practically the same, or worse.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Protocol

import numpy as np

from podium.core.inference.bricks.adjustments import ADJUSTMENTS, pair_level
from podium.core.inference.bricks.estimates import moments
from podium.core.inference.bricks.nulls import LARGEST, OF_PAIR, epsilon, varying
from podium.core.inference.bricks.scales import block_ranks
from podium.core.inference.comparing.comparisons import CHANCES, UNADJUSTED, Comparisons, Method
from podium.core.inference.comparing.decision import SIGNIFICANT
from podium.core.inference.comparing.notes import about_clusters, about_datasets, notes
from podium.core.inference.comparing.pair_tests import Found, Judged, Tested
from podium.core.inference.comparing.request import Request
from podium.core.inference.layouts import Layout
from podium.core.inference.numbers import tails
from podium.core.inference.procedures.block_tests import Hull
from podium.core.inference.procedures.procedure import Posterior, Procedure
from podium.core.inference.procedures.unpaired import separate_means
from podium.core.words.facts import REMARK, Note, Overall, Standing

Columns = Mapping[str, np.ndarray]
MEANS = ("mean_difference", "mean_lower", "mean_upper")  # beside what else is estimated
NO_INTERVAL = "no-interval"  # the code of the note on pairs whose limits could be anything


class Evidence(Protocol):
    """What `compare` asks of evidence about pairs; arrays, in the measure's own unit and sign."""

    @property
    def sign(self) -> int:
        """What turns estimates into larger-is-better."""

    @property
    def fills_gaps(self) -> bool:
        """Whether verdicts have been held against the worst of what is missing."""

    @property
    def columns(self) -> Columns:
        """The table's columns: estimate, lower, upper, statistic, p, p_adjusted and others."""

    @property
    def verdicts(self) -> list[str]:
        """What is found of the first of every pair."""

    @property
    def overall(self) -> Overall | None:
        """The test of no difference at all, where there is one."""

    @property
    def method(self) -> Method:
        """How the pairs were judged."""

    @property
    def standing(self) -> Mapping[str, Standing] | None:
        """How likely each algorithm is the best, and its expected rank, where a posterior tells."""

    def notes(self) -> Iterator[Note]:
        """What a reader must know of how they were judged."""


def tested(layout: Layout, procedure: Procedure, request: Request) -> Found:
    """Every pair tested, by the procedure's own judge or by estimates and a null."""
    return (Judged if procedure.judges(layout) else Tested)(layout, procedure, request)


class PValues:
    """Evidence by p-values and simultaneous intervals."""

    def __init__(self, layout: Layout, procedure: Procedure, request: Request) -> None:
        self.layout, self.procedure, self.request = layout, procedure, request
        self.found = tested(layout, procedure, request)

    @property
    def fills_gaps(self) -> bool:
        """A test of single pairs may do it itself."""
        return bool(getattr(getattr(self.found, "test", None), "fills", False))

    @property
    def columns(self) -> Columns:
        """Estimates with limits, the statistic, p-values; with a margin those of equivalence."""
        result, sign = self.found, self.sign
        low, high = _turned(self._limits, sign)
        made = {
            "estimate": sign * result.in_units + 0.0,  # no -0.0
            "lower": low,
            "upper": high,
            "statistic": sign * result.t + 0.0,
            "p": result.p,
            "p_adjusted": self._adjusted,
        }
        if self.procedure.quantity.unit and len(set(self.layout.metrics)) < 2:
            own = self.layout.sign
            low, high = _turned(self._mean_limits, own)
            mean = own * result.mean_difference + 0.0
            made |= dict(zip(MEANS, (mean, low, high), strict=True))
        if not self.asks_equivalence:
            return made
        low, high = _turned(self._equivalence_limits, sign)
        ends = {"equivalence_lower": low, "equivalence_upper": high}
        return made | ends | {"p_equivalence": result.equivalence}

    @property
    def asks_equivalence(self) -> bool:
        """Whether there is a margin within which two are the same."""
        return self.request.two_sided and self.request.relevance > 0

    @property
    def sign(self) -> int:
        """What turns estimates into larger-is-better, and back: rank 1 is the best."""
        return self.procedure.quantity.find_sign(self.layout.sign)

    @cached_property
    def _adjusted(self) -> np.ndarray:
        """Without limits a pair is significant only where the overall test is."""
        p = np.fmax(self.found.adjusted, self.found.p)  # but for the noise of drawn nulls
        if not self._agrees:
            return p
        whole, alpha = self._own_overall.p, self.request.alpha
        stated = ~np.isnan(self._limits).all(axis=0)
        return np.where((p <= alpha) & ~stated & (whole > alpha), np.fmax(p, whole), p)

    @cached_property
    def _own_overall(self) -> Overall:
        return self.found.overall()

    @property
    def _agrees(self) -> bool:
        """Whether pairs and an overall test of its own answer one question at one level."""
        adjust = self.request.adjust
        held = adjust.name != UNADJUSTED and not adjust.told and self.request.relevance == 0
        return held and self._own_overall.test not in (LARGEST, OF_PAIR)

    @property
    def _most(self) -> float:
        """The largest difference of what is estimated that there can be."""
        quantity = self.procedure.quantity
        if quantity.ranks:
            return len(self.layout.algorithms) - 1
        unbound = not quantity.is_bound_by_measure or self.procedure.criterion
        return math.inf if unbound else self._span

    @cached_property
    def _tells_nothing(self) -> np.ndarray:
        """Pairs whose limits reach beyond what can be at both ends: too few for an interval."""
        low, high = self.found.limits
        return np.asarray((low < -self._most) & (high > self._most))

    @cached_property
    def _equivalence_limits(self) -> np.ndarray:
        """Of two one-sided tests each at alpha: limits at 1 - 2 alpha, cut likewise."""
        low, high = self.found.equivalence_limits
        wide = (low < -self._most) & (high > self._most)
        limits = np.where(wide, np.nan, _cut(np.array([low, high]), self._most))
        limits = np.where(np.isinf(limits), np.nan, limits)
        if self._may_differ:
            same = self.found.equivalence <= self.request.alpha
            return np.where(same == self._holds(limits), limits, np.nan)
        return limits

    @cached_property
    def _limits(self) -> np.ndarray:
        """Lower and upper, larger is better, cut at what the measure can be; none if both are."""
        limits = _cut(np.array(self.found.limits), self._most)
        limits = np.where(self._tells_nothing | np.isinf(limits), np.nan, limits)
        if self._may_differ:
            decided = self.found.adjusted <= self.request.alpha
            return np.where(decided == self._excludes(limits), limits, np.nan)
        return limits

    @property
    def _may_differ(self) -> bool:
        """Whether limits may be of another test than p-values, and are left out where they are.

        So are those of looks, and of ranks that are tied at no shift and not at others.
        """
        return self.procedure.needs.stops or self.procedure.quantity.location is not None

    @property
    def _span(self) -> float:
        return span_of(self.layout)

    @cached_property
    def _mean_limits(self) -> np.ndarray:
        """Of mean differences beside ranks, for all pairs at once."""
        if not self.request.pairs:
            return np.full((2, len(self.found.t)), np.nan)
        level = pair_level(self.request.alpha, len(self.found.t))
        if self.procedure.needs.unpaired:
            limits = _welch(self.layout, self.request.contrasts, level)
        else:
            test = Hull(moments(self.layout.by_dataset(), self.request.pairs))
            limits = np.array(test.limits(level, True))
        wide = (limits[0] < -self._span) & (limits[1] > self._span)
        return np.where(wide, np.nan, _cut(limits, self._span))

    @property
    def verdicts(self) -> list[str]:
        """Better or worse exactly where the limits that are shown exclude 0, or the margin.

        Equivalent where those of two one-sided tests lie within the margin. Where there are none
        the adjusted p-values tell.
        """
        outcome, alpha = self.found, self.request.alpha
        significant = (self._adjusted <= alpha) & self._excluded
        equivalent = np.zeros(len(significant), dtype=bool)
        if self.asks_equivalence:
            equivalent = (outcome.equivalence <= alpha) & self._within
        each = zip(outcome.t, significant, equivalent, strict=True)
        return [self._verdict(t, yes, same) for t, yes, same in each]

    @property
    def _excluded(self) -> np.ndarray:
        """Whether limits exclude what is tested; true where there are none."""
        return self._excludes(self._limits) | np.isnan(self._limits).all(axis=0)

    def _excludes(self, limits: np.ndarray) -> np.ndarray:
        (low, high), margin = limits, self.request.relevance
        above, below = low > margin, high < -margin
        if not self.request.two_sided:
            above, below = above & (self.found.turn > 0), below & (self.found.turn < 0)
        return np.asarray(above | below)

    @property
    def _within(self) -> np.ndarray:
        """Whether limits lie within the margin; true where there are none."""
        limits = self._equivalence_limits
        return self._holds(limits) | np.isnan(limits).all(axis=0)

    def _holds(self, limits: np.ndarray) -> np.ndarray:
        (low, high), margin = limits, self.request.relevance
        return np.asarray((low >= -margin) & (high <= margin))

    def _verdict(self, t: float, significant: bool, equivalent: bool) -> str:
        if significant and self.request.relevance < 0:
            return "non-inferior" if self.found.turn > 0 else "non-superior"
        if significant:
            return "better" if t > 0 else "worse"
        return "equivalent" if equivalent else "undecided"

    @property
    def overall(self) -> Overall:
        """The procedure's own test, or that of the best pair where it denies what pairs show."""
        own, pairs, alpha = self._own_overall, self._adjusted, self.request.alpha
        if not (self._agrees and own.p > alpha and (pairs <= alpha).any()):
            return own
        size = float(np.nanmax(np.abs(self.found.t)))
        return Overall(own.procedure, size, None, float(np.nanmin(pairs)), LARGEST)

    @property
    def method(self) -> Method:
        """The bricks, and what a model behind them found."""
        layout, procedure, model = self.layout, self.procedure, self.found.model
        ranks = (
            np.nanmean(block_ranks(layout), axis=0).tolist() if procedure.quantity.ranks else None
        )
        return Method(
            procedure,
            self.request.null,
            self.request.adjust,
            None if model is None else model.facts,
            dict(zip(layout.algorithms, ranks, strict=True)) if ranks is not None else None,
            epsilon(varying(layout)) if procedure.quantity.spherical else None,
            self._strengths,
        )

    @property
    def _strengths(self) -> dict[str, float] | None:
        """Log-strengths, where the procedure estimates them."""
        if not self.procedure.quantity.strengths:
            return None
        values = self.procedure.estimate(self.layout).values.tolist()
        return dict(zip(self.layout.algorithms, values, strict=True))

    @property
    def standing(self) -> None:
        """P-values tell nothing of the kind."""
        return

    def notes(self) -> Iterator[Note]:
        """On blocks, pairs and adjustment."""
        yield from notes(self.layout, self.procedure, self.request, self.found)
        labels = self.request.labels
        if len(labels) == len(self._tells_nothing) and self._tells_nothing.any():
            pairs = tuple(p for p, yes in zip(labels, self._tells_nothing, strict=True) if yes)
            count, noun = len(self.layout.by_dataset()), self.layout.block_text
            yield Note(NO_INTERVAL, pairs=pairs, of=len(labels), blocks=count, noun=noun)


class Chances:
    """Evidence by a posterior."""

    def __init__(self, layout: Layout, procedure: Procedure, request: Request) -> None:
        assert procedure.bayes.posterior is not None
        self.layout, self.procedure, self.request = layout, procedure, request
        self.found: Posterior = procedure.bayes.posterior(layout, request)
        self.sign = procedure.quantity.find_sign(layout.sign)
        self.fills_gaps = True  # a posterior is of the scores that are there

    @property
    def columns(self) -> Columns:
        """Estimates with credible limits, and the three chances."""
        result, sign, own = self.found, self.sign, self.layout.sign
        low, high = _turned(self._limits, sign)
        nothing = np.full(len(result.win), math.nan)
        means = {}
        if result.means is not None:
            mean, *ends = result.means
            low_mean, high_mean = _turned(_cut(np.array(ends), span_of(self.layout)), own)
            means = dict(zip(MEANS, (own * mean + 0.0, low_mean, high_mean), strict=True))
        return {
            "estimate": sign * result.estimate + 0.0,
            "lower": low,
            "upper": high,
            **dict.fromkeys(("statistic", "p", "p_adjusted"), nothing),
            **means,
            **{name: getattr(result, name) for name in CHANCES},
        }

    @property
    def _limits(self) -> np.ndarray:
        """None where the chances, of who wins on the next data set, say otherwise."""
        low, high, margin = self.found.lower, self.found.upper, self.request.relevance
        beyond = np.isin(self.verdicts, SIGNIFICANT)
        agrees = beyond == ((low > margin) | (high < -margin))
        limits = np.where(agrees, np.array([low, high]), math.nan)
        quantity = self.procedure.quantity
        bound = quantity.is_bound_by_measure and not self.procedure.criterion
        return _cut(limits, span_of(self.layout)) if bound else limits

    @property
    def verdicts(self) -> list[str]:
        """What has at least the chance 1 - alpha.

        Beyond a region the likeliest of three need not have most of the differences: where these
        are on the other side, nothing is decided.
        """
        found, sure = self.found, 1 - self.request.alpha
        ahead = np.select([found.estimate > 0, found.estimate < 0], ["better", "worse"], "")
        words = ("better", "equivalent", "worse")
        chances = zip(found.win, found.same, found.lose, strict=True)
        decided = ([w for w, c in zip(words, three, strict=True) if c >= sure] for three in chances)
        return [
            known[0] if known and known[0] in ("equivalent", side) else "undecided"
            for known, side in zip(decided, ahead, strict=True)
        ]

    @property
    def overall(self) -> None:
        """There is no test."""
        return

    @property
    def method(self) -> Method:
        """The procedure; a posterior needs no null, and chances of pairs are not adjusted."""
        return Method(self.procedure, self.request.null, ADJUSTMENTS[UNADJUSTED])

    @property
    def standing(self) -> dict[str, Standing] | None:
        """The chance of each to be the best, and its expected rank."""
        best, ranks = self.found.best, self.found.expected_rank
        if best is None or ranks is None:
            return None
        both = zip(best.tolist(), ranks.tolist(), strict=True)
        return {a: Standing(*each) for a, each in zip(self.layout.algorithms, both, strict=True)}

    def notes(self) -> Iterator[Note]:
        """On blocks, on many pairs, and what the procedure must say of itself."""
        yield from about_datasets(self.layout)
        if self.layout.items.clusters is not None and not self.procedure.quantity.strengths:
            yield from about_clusters(self.layout)
        if self.procedure.reports.cautions is not None:
            yield from self.procedure.reports.cautions(self.layout, self.procedure, self.request)
        if len(self.request.labels) > 1:
            yield Note("many-chances", REMARK, pairs=len(self.request.labels))


def _welch(layout: Layout, contrasts: np.ndarray, level: float) -> np.ndarray:
    """Limits of differences of means of independent samples."""
    e = separate_means(layout)
    reach = tails.t_isf(level / 2, e.df_of(contrasts)) * np.sqrt(e.variances(contrasts))
    centre = e.differences(contrasts)
    return np.array([centre - reach, centre + reach])


def _turned(limits: np.ndarray, sign: int) -> np.ndarray:
    """Lower and upper in the measure's own sign."""
    return np.asarray(limits if sign > 0 else -limits[::-1]) + 0.0


def span_of(layout: Layout) -> float:
    """The largest difference that the measure allows, if its scores keep to its bounds."""
    low, high = layout.measure.bounds
    if layout.items.linearised is not None:  # which are no scores
        return high - low
    own = layout.sign * layout.values
    kept = not ((own < low) | (own > high)).any()
    return high - low if kept else math.inf


def _cut(limits: np.ndarray, span: float) -> np.ndarray:
    """Limits of a difference cut at the largest that there can be; none crosses 0."""
    return np.clip(limits, -span, span) if math.isfinite(span) else limits


def evidence(layout: Layout, procedure: Procedure, request: Request) -> Evidence:
    """What a procedure finds about the pairs."""
    judge = PValues if procedure.bayes.posterior is None else Chances
    return judge(layout, procedure, request)


# -- one difference for all pairs -----------------------------------------------------------------
# The one difference from which on any pair is significant, where all pairs share it.


SAME = 1e-6  # relative, of lengths that are one
BY_RANGE = ("asymptotic", "single-step")  # the null and adjustment of the studentized range


def critical_value(comparisons: Comparisons, positions: Mapping[str, float]) -> float:
    """The critical difference of positions (mean ranks, or means); NaN where there is not one.

    It is drawn beside the bars, so it must decide every pair as the procedure did.
    """
    t = comparisons.table
    if comparisons.alternative != "two-sided" or comparisons.relevance or len(t) < 1:
        return math.nan
    first, second = (t[c].map(positions).to_numpy(float) for c in ("first", "second"))
    apart = np.abs(first - second)
    ranks = comparisons.mean_ranks is not None
    value = _of_ranks(comparisons, apart) if ranks else _of_intervals(comparisons, apart)
    significant = (t["p_adjusted"] <= comparisons.alpha).to_numpy()
    close = np.isclose(apart, value, rtol=SAME)  # decided by rounding
    return value if bool((((apart >= value) == significant) | close).all()) else math.nan


def demsar_value(comparisons: Comparisons) -> float:
    """Demšar's (2006) critical difference, q √(K(K+1)/6N), which takes no notice of ties."""
    k, n = len(comparisons.algorithms), comparisons.blocks.count
    q = _range_quantile(comparisons.alpha, k) / math.sqrt(2)
    return q * math.sqrt(k * (k + 1) / (6 * n))


def _of_intervals(comparisons: Comparisons, apart: np.ndarray) -> float:
    """Half the length of the simultaneous intervals, where all are of one length."""
    t = comparisons.table
    lengths = (t["upper"] - t["lower"]).to_numpy(float) / 2
    longest = float(lengths.max())  # NaN where one is unknown
    if not longest > 0 or np.ptp(lengths) > SAME * longest:
        return math.nan
    estimated = np.abs(t["estimate"].to_numpy(float))
    return longest if np.allclose(estimated, apart, rtol=0, atol=SAME * longest) else math.nan


def _of_ranks(comparisons: Comparisons, apart: np.ndarray) -> float:
    """Nemenyi's q / √2 times the standard error of a difference of mean ranks (Demšar 2006).

    The standard error is what the statistics were divided by, which knows of ties.
    """
    method, k = comparisons.judged, len(comparisons.algorithms)
    by_range = method is not None and (method.null.name, method.adjust.name) == BY_RANGE
    t = np.abs(comparisons.table["statistic"].to_numpy(float))
    if not by_range or len(t) != k * (k - 1) // 2 or not t.max() > 0:
        return math.nan
    error = float(apart[t.argmax()] / t.max())
    q = _range_quantile(comparisons.alpha, k)
    return q / math.sqrt(2) * error if np.allclose(apart, error * t, rtol=SAME) else math.nan


def _range_quantile(alpha: float, k: int) -> float:
    """The upper quantile of the range of k standard normal values."""
    from scipy.stats import studentized_range  # slow to load, and for rank tests by range only

    return float(studentized_range.ppf(1 - alpha, k, np.inf))
