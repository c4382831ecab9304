"""Ratios of times, new over old: on every benchmark, and over all of them.

Times vary by factors, so their logarithms are compared: on a benchmark by Welch's t test (1947), or
by differences where runs were taken in turn, with limits for all benchmarks together (Šidák 1967).
The change over all is the mean of the logarithmic ratios of these very benchmarks: their variances
add up, with degrees of freedom by Satterthwaite (1946). Nothing is said of other benchmarks.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from podium.asking.timings import words
from podium.core.base.errors import InferenceError, PodiumError
from podium.core.base.options import takes
from podium.core.inference.bricks.adjustments import adjustment
from podium.core.inference.bricks.nulls import OF_PAIR, NullBrick
from podium.core.inference.bricks.quantities import BY_MEASURE, Quantity, gives
from podium.core.inference.comparing.comparisons import Comparisons, Extras, Method
from podium.core.inference.layouts import Layout
from podium.core.inference.numbers import tails
from podium.core.inference.procedures.procedure import Cited, Options, derive
from podium.core.inference.procedures.unpaired import GAMES_HOWELL
from podium.core.questions.measures import TIMES
from podium.core.questions.targets import DATASETS, NESTED, said_of
from podium.core.results.results import Results
from podium.core.samplings import parse as parse_sampling
from podium.core.samplings.runs import RUNS
from podium.core.words.facts import Hypothesis, Note, Overall
from podium.core.words.saying import Presented

AVERAGED = "averaged"  # the note that runs were averaged, which logarithms of them are not
WITHIN = 0.05  # a change that is surely smaller is called none
POWER = 0.8416  # normal quantile of 80 % power
FEWEST_BENCHMARKS, FEWEST_RUNS = 2, 2
SLOWER, FASTER, SAME, OPEN = ("slower", "faster", "unchanged", "inconclusive")


@dataclass(frozen=True)
class Ratio:
    """New over old, with limits."""

    ratio: float
    lower: float
    upper: float
    p: float

    @property
    def verdict(self) -> str:
        """Slower or faster where the limits exclude 1, unchanged where they are near it."""
        if self.lower > 1:
            return SLOWER
        if self.upper < 1:
            return FASTER
        near = self.lower > 1 / (1 + WITHIN) and self.upper < 1 + WITHIN
        return SAME if near else OPEN


@dataclass(frozen=True)
class Spread:
    """How uncertain a difference of mean logarithms is."""

    difference: float
    variance: float
    parts: tuple[tuple[float, float], ...]  # variances that add up, and the df of each

    @property
    def df(self) -> float:
        """Of Satterthwaite; infinite where nothing varies."""
        down = sum(v * v / df for v, df in self.parts)
        return self.variance**2 / down if down > 0 else math.inf

    @property
    def statistic(self) -> float:
        """The difference in standard errors."""
        return self.difference / math.sqrt(self.variance) if self.variance > 0 else math.nan

    def p_within(self, share: float) -> float:
        """Up to a level exactly where the two-sided limits at that level are within the share."""
        error, room = math.sqrt(self.variance), math.log1p(share) - abs(self.difference)
        if error == 0:
            return float(room <= 0)
        return min(1.0, 2 * float(tails.t_sf(room / error, self.df)))

    def limits(self, alpha: float) -> Ratio:
        """The ratio with two-sided limits at a level."""
        error = math.sqrt(self.variance)
        if error == 0:
            ratio = math.exp(self.difference)
            return Ratio(ratio, ratio, ratio, float(self.difference == 0))
        reach = float(tails.t_isf(alpha / 2, self.df)) * error
        p = 2 * float(tails.t_sf(abs(self.difference) / error, self.df))
        low, high = self.difference - reach, self.difference + reach
        return Ratio(math.exp(self.difference), math.exp(low), math.exp(high), p)


@dataclass(frozen=True, eq=False, repr=False)
class Changes(Presented):
    """How the times of two versions differ.

    `table` has a row per benchmark, what got slower first: mean times, the ratio new over old with
    limits that hold for all benchmarks together, verdict, and how many runs would settle it.
    `overall` is the geometric mean of the ratios of these benchmarks.
    """

    table: pd.DataFrame
    overall: Ratio
    versions: tuple[str, str]  # old and new
    runs: Mapping[str, tuple[Sequence[float], Sequence[float]]]  # of every benchmark
    alpha: float
    paired: bool
    noise: float  # the usual standard deviation of a run, as a share of its time
    detectable: float  # the change that such runs usually show
    statistic: float = 0.0  # of the change over all
    p_unchanged: float = 1.0  # that it is larger than what is called none
    notes: Sequence[Note] = ()

    def count(self, verdict: str) -> int:
        """How many benchmarks have a verdict."""
        return int((self.table["verdict"] == verdict).sum())

    def _lines_above(self) -> list[str]:
        return [words.headline(self), words.sentence(self)]

    def _tables(self) -> dict[str, pd.DataFrame]:
        return {"": self.table}

    def _facts(self) -> dict[str, Any]:
        overall = self.overall
        return {
            "headline": words.headline(self),
            "sentence": words.sentence(self),
            "holds_for": words.about(self),
            "next": words.settle_text(self),
            "timings": {
                "old": self.versions[0],
                "new": self.versions[1],
                "ratio": overall.ratio,
                "lower": overall.lower,
                "upper": overall.upper,
                "p": overall.p,
                "verdict": overall.verdict,
                "level": 1 - self.alpha,
                "test": words.tested(self),
                "benchmarks": self.table,
            },
        }


@takes("alpha")
def changes(results: Results, **options: Any) -> Changes:
    """How much faster the second of two algorithms is, on every benchmark and over all.

    Parameters
    ----------
    results : Results
        Times of two versions, run several times on two benchmarks or more.

    Returns
    -------
    Changes
        `.overall` is the ratio new over old with its limits; `.table` has one row per benchmark.

    Examples
    --------
    >>> import podium
    >>> rows = [(b, v, i, t * (1 + 0.01 * (i * 7 % 5))) for b, old, new in
    ...         (("read", 2.0, 1.6), ("sort", 1.0, 1.2)) for v, t in (("old", old), ("new", new))
    ...         for i in range(6)]
    >>> import pandas as pd
    >>> table = pd.DataFrame(rows, columns=["dataset", "algorithm", "run", "time"])
    >>> made = podium.timings.changes(podium.read(table, sampling="runs"))
    >>> made.table["verdict"].tolist(), round(made.overall.ratio, 2)
    (['slower', 'faster'], 0.98)
    """
    alpha = Options.said(alpha=options["alpha"]).alpha  # of the change over all, and of each
    refuse_others(results)
    old, new = results.algorithms
    times = _times(results)
    paired = parse_sampling(results.sampling).paired if results.sampling else False
    spreads = {name: spread_of(*pair, paired=paired) for name, pair in times.items()}
    each = 1 - (1 - alpha) ** (1 / len(spreads))
    rows = [_row(name, times[name], spread, each, alpha) for name, spread in spreads.items()]
    table = pd.DataFrame(rows)
    ranks = table["verdict"].map({SLOWER: 0}).fillna(1)
    order = sorted(range(len(table)), key=lambda i: (ranks[i], -table["ratio"][i]))
    errors = np.sqrt([spread.variance for spread in spreads.values()])
    df = float(np.median([spread.df for spread in spreads.values()]))
    quantile = float(tails.t_isf(each / 2, df))
    over = over_all(list(spreads.values()))
    return Changes(
        table.iloc[order].reset_index(drop=True),
        over.limits(alpha),
        (old, new),
        {name: (pair[0].tolist(), pair[1].tolist()) for name, pair in times.items()},
        alpha,
        paired,
        float(np.median([np.std(np.log(side), ddof=1) for p in times.values() for side in p])),
        math.expm1((quantile + POWER) * float(np.median(errors))),
        over.statistic,
        over.p_within(WITHIN),
    )


def spread_of(old: np.ndarray, new: np.ndarray, *, paired: bool = False) -> Spread:
    """The difference of mean logarithms of two samples of times, new minus old."""
    a, b = np.log(old), np.log(new)
    if paired and len(a) == len(b):
        between = b - a
        variance = float(np.var(between, ddof=1)) / len(between)
        return Spread(float(between.mean()), variance, ((variance, len(between) - 1.0),))
    parts = tuple((float(np.var(x, ddof=1)) / len(x), len(x) - 1.0) for x in (a, b))
    return Spread(float(b.mean() - a.mean()), sum(v for v, _ in parts), parts)


def over_all(spreads: Sequence[Spread]) -> Spread:
    """The mean over benchmarks, which are these and no sample of others."""
    n = len(spreads)
    parts = tuple((v / n**2, df) for spread in spreads for v, df in spread.parts)
    mean = sum(spread.difference for spread in spreads) / n
    return Spread(mean, sum(v for v, _ in parts), parts)


def _row(
    name: str, times: tuple[np.ndarray, np.ndarray], spread: Spread, each: float, alpha: float
) -> dict[str, Any]:
    """A benchmark with limits at the level of each; p-values are adjusted to the same."""
    alone = spread.limits(each)
    family = math.log1p(-alpha) / math.log1p(-each)  # how many benchmarks there are
    return {
        "benchmark": name,
        "old": float(times[0].mean()),
        "new": float(times[1].mean()),
        "ratio": alone.ratio,
        "lower": alone.lower,
        "upper": alone.upper,
        "p": alone.p,
        "p_adjusted": -math.expm1(family * math.log1p(-min(alone.p, 1 - 1e-16))),
        "verdict": alone.verdict,
        "runs": min(map(len, times)),
        "needed": _needed(spread, each, min(map(len, times))) if alone.verdict == OPEN else None,
    }


def _needed(spread: Spread, each: float, runs: int) -> int | None:
    """Runs of each version that would show this change with 80 % power."""
    if spread.difference == 0 or spread.variance == 0:
        return None
    quantile = float(tails.t_isf(each / 2, spread.df))
    times = (quantile + POWER) ** 2 * spread.variance / spread.difference**2
    return math.ceil(runs * times) if times < 1e6 else None


# -- what is asked --------------------------------------------------------------------------------


def refuse_others(results: Results) -> None:
    """Refuse results that are no times of two versions on several benchmarks."""
    if len(results.algorithms) != 2:
        raise InferenceError(
            f"Changes are between two versions, and there are {len(results.algorithms)} "
            "algorithms: use podium.compare."
        )
    measure = next(iter(results.measures.values()))
    if len(results.measures) != 1 or measure.spec not in TIMES or measure.higher_is_better:
        raise InferenceError("Changes are of times, and these are other scores: podium.compare.")
    kind = parse_sampling(results.sampling).name if results.sampling else ""
    if kind != RUNS.name or len(results.datasets) < FEWEST_BENCHMARKS:
        raise InferenceError(
            "Changes need two benchmarks or more, each run several times: use podium.compare."
        )


def _times(results: Results) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Old and new times of every benchmark, in the order of the runs."""
    old, new = results.algorithms
    scores = results.scores
    times: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    for name in results.datasets:
        own = scores[scores["dataset"] == name]
        pair = tuple(
            own.loc[own["algorithm"] == version, "value"].dropna().to_numpy(float)
            for version in (old, new)
        )
        if min(map(len, pair)) < FEWEST_RUNS or min(side.min() for side in pair) <= 0:
            raise InferenceError(
                f"Benchmark '{name}' needs two runs of each version or more, with times above 0."
            )
        times[name] = (pair[0], pair[1])
    return times


LOG_TIME = Quantity(
    "mean log time",
    "log ratio",
    amount=True,
    higher=None,
    level="mean log time of {measure}",
    difference="difference",
    best=BY_MEASURE,
)
RECORD = derive(
    GAMES_HOWELL,
    name="timings",
    title="Welch's t test of log times on every benchmark, and of their mean",
    words="Welch's t test of log times on every benchmark, and of the mean of the log ratios",
    adjust="none",
    hypothesis="two versions take equal times in the geometric mean over these benchmarks",
    null="equal geometric means; times nearly log-normal, or many runs; variances may differ",
    references=(Cited("Welch (1947)"), Cited("Satterthwaite (1946)"), Cited("Šidák (1967)")),
    estimate=gives(LOG_TIME)(GAMES_HOWELL.estimate),
)
PAIRED = {
    part: getattr(RECORD, part).replace("Welch's", "the paired" if part == "words" else "paired")
    for part in ("title", "words")
}  # runs that were taken in turn
VERDICTS = {SLOWER: "better", FASTER: "worse", SAME: "equivalent", OPEN: "undecided"}  # of the old


def compared(results: Results, layout: Layout, c: Comparisons) -> Comparisons:
    """Comparisons that say what the changes of times say, where they are times of two versions.

    The estimate is the logarithm of the ratio old over new; what was compared before, benchmarks as
    a sample of others, is left to whoever asks for a test by name or for another target.
    """
    if not are_times_of_versions(results):
        return c
    t = changes(results, alpha=c.alpha)
    over, (first, second) = t.overall, t.versions
    row = {"first": first, "second": second, "estimate": -math.log(over.ratio)}
    row |= {"lower": -math.log(over.upper), "upper": -math.log(over.lower)}
    row |= {"statistic": -t.statistic, "p": over.p, "p_adjusted": over.p}
    row |= {"verdict": VERDICTS[over.verdict]}
    row |= {"mean_difference": c.means[first] - c.means[second]}
    same = over.verdict == SAME  # which the limits themselves say
    if same:
        row |= dict.fromkeys(("equivalence_lower", "equivalence_upper"), math.nan)
        row |= {"p_equivalence": t.p_unchanged}
    record = replace(RECORD, **PAIRED) if t.paired else RECORD
    hypothesis = Hypothesis(RECORD.hypothesis)
    nesting = said_of(NESTED, DATASETS)
    return replace(
        c,
        table=pd.DataFrame([row]),
        procedure=RECORD.name,
        method=Method(record, NullBrick("asymptotic"), adjustment("none")),
        target=DATASETS,
        relevance=math.log1p(WITHIN) if same else 0.0,
        claim=replace(c.claim, hypothesis=hypothesis, target=DATASETS, said=nesting, few=None),
        overall=Overall(RECORD.name, abs(t.statistic), None, over.p, OF_PAIR),
        warnings=(*(note for note in layout.notes if note.code != AVERAGED), *t.notes),
        extras=Extras(options=c.extras.options),
    )


def are_times_of_versions(results: Results) -> bool:
    """Whether these are times of two versions, on benchmarks that both have."""
    if results.registered is not None or results.stopping is not None:
        return False
    try:
        refuse_others(results)
        _times(results)
    except PodiumError:
        return False
    return True
