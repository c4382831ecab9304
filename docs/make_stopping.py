"""Measure what studies that may stop cost and save: the tables in docs/stopping.md.

    python docs/make_stopping.py

4000 paths each, seed 0. Two algorithms are judged for all paths at once; races one by one, as
`podium run --until best` judges them. Error rates of more designs are in docs/calibration.md.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import ndtr, stdtr

from podium.core.inference.bricks.adjustments import pair_level
from podium.core.inference.numbers import boundaries as anytime
from podium.core.inference.numbers import tails
from podium.core.inference.numbers.boundaries import (
    OBF,
    RACE,
    StoppingPlan,
    boundaries,
    planned_looks,
    stopping_levels,
)
from podium.core.inference.procedures.stopping import (
    NARROW,
    Prefixes,
    RankPrefixes,
    SignPrefixes,
    traced,
)

PAGE = Path(__file__).parent / "stopping.md"
SURVEY = PAGE.parent.parent / "papers" / "eugster2008" / "survey.csv"
BEGIN, END = "<!-- measured -->", "<!-- end -->"
PATHS, SEED, ALPHA = 4000, 0, 0.05
BUDGET, LOOKS = 1000, 40
Draw = Callable[[np.random.Generator, tuple[int, int]], np.ndarray]


def normal(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    return rng.standard_normal(shape)


def gamma(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """Of shape 1/2, its mean taken off and its sd made 1."""
    return (rng.gamma(0.5, size=shape) - 0.5) / np.sqrt(0.5)


def exponential(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    return rng.exponential(size=shape) - 1.0


def lognormal(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    return np.exp(rng.standard_normal(shape)) - np.exp(0.5)


# -- two algorithms ----------------------------------------------------------------------------


class Paths:
    """Many studies of two algorithms, one in each column, at the same looks."""

    def __init__(self, draw: Draw, effect: float, spending: str = OBF.name) -> None:
        rng, self.looks = np.random.default_rng(SEED), planned_looks(BUDGET, LOOKS)
        self.spending = spending
        self.prefixes = Prefixes(effect + draw(rng, (BUDGET, PATHS)), self.looks)
        self.null = np.zeros(PATHS)

    def stops(self) -> np.ndarray:
        """Whether each look would decide each study: looks x studies."""
        p = self.prefixes.p(self.null, 0)
        return stopping_levels(p, self.looks, BUDGET, self.spending) <= ALPHA

    def bets(self) -> np.ndarray:
        """Whether an e-process would."""
        t, n = self.prefixes.t(self.null), self.prefixes.count
        return anytime.t_mixture(t, n, NARROW) >= -np.log(ALPHA)

    def naive(self) -> np.ndarray:
        """Whether a test that knows nothing of looks would."""
        return self.prefixes.p(self.null, 0) <= ALPHA

    def fixed(self) -> np.ndarray:
        """Whether one test at the end would."""
        last = np.zeros_like(self.naive())
        last[-1] = self.naive()[-1]
        return last

    def covered(self, effect: float) -> np.ndarray:
        """Whether each look's repeated interval holds the truth: looks x studies."""
        z = boundaries(self.looks, BUDGET, ALPHA, self.spending)[:, None]
        p = 2 * stdtr(self.prefixes.count - 1, -np.abs(self.prefixes.t(self.null + effect)))
        return p >= 2 * ndtr(-z)


def ended(stops: np.ndarray, looks: Sequence[int]) -> np.ndarray:
    """After how many blocks each study ended."""
    first = np.where(stops.any(axis=0), stops.argmax(axis=0), len(looks) - 1)
    return np.array(looks)[first]


def two_algorithms() -> Iterable[str]:
    yield from head("rule", "error, normal", "error, skewed", "power 0.1 sd", *MEANS)
    rules: dict[str, tuple[Callable[[Paths], np.ndarray], str]] = {
        "t at every look (what people do)": (Paths.naive, OBF.name),
        "one t at the end": (Paths.fixed, OBF.name),
        "`--spending obf`": (Paths.stops, OBF.name),
        "`--spending power2`": (Paths.stops, "power2"),
        "`--open`": (Paths.bets, OBF.name),
    }
    for name, (rule, spending) in rules.items():
        sizes = [rule(Paths(draw, 0.0, spending)).any(axis=0).mean() for draw in (normal, gamma)]
        paths = {effect: Paths(normal, effect, spending) for effect in (0.1, 0.2, 0.5)}
        found = {effect: rule(each) for effect, each in paths.items()}
        power = found[0.1].any(axis=0).mean()
        means = [ended(stops, paths[effect].looks).mean() for effect, stops in found.items()]
        yield row(name, *map(percent, [*sizes, power]), *(f"{mean:.0f}" for mean in means))


MEANS = ("mean n 0.1 sd", "0.2 sd", "0.5 sd")


def coverage() -> Iterable[str]:
    yield from head("differences", "effect", "all looks together", "where it stopped")
    for name, draw in (("normal", normal), ("skewed", gamma)):
        for effect in (0.0, 0.1):
            paths = Paths(draw, effect)
            held, stops = paths.covered(effect), paths.stops()
            last = np.where(stops.any(axis=0), stops.argmax(axis=0), len(stops) - 1)
            at_stop = held[last, np.arange(PATHS)]
            yield row(name, f"{effect:g} sd", percent(held.all(axis=0).mean()),
                      percent(at_stop.mean()))  # fmt: skip


# -- items that are right or wrong ---------------------------------------------------------------


def items() -> Iterable[str]:
    yield from head(
        "only one is right", "difference", "obf", "mean n", "open (e-McNemar)", "mean n"
    )
    for discordant, effect in ((0.2, 0.0), (0.2, 0.04), (0.2, 0.08), (0.05, 0.0), (0.05, 0.02)):
        d = _discordant(discordant, effect)
        looks = planned_looks(BUDGET, LOOKS)
        levels = stopping_levels(Prefixes(d, looks).p(np.zeros(PATHS), 0), looks, BUDGET)
        every = tuple(range(1, BUDGET + 1))
        wins, losses = (np.cumsum(sign * d > 0, axis=0) for sign in (1, -1))
        both = (
            (levels <= ALPHA, looks),
            (anytime.e_mcnemar(wins, losses) >= -np.log(ALPHA), every),
        )
        shown = [
            text
            for stops, at in both
            for text in (percent(stops.any(axis=0).mean()), f"{ended(stops, at).mean():.0f}")
        ]
        yield row(f"{discordant:g}", f"{effect:g}", *shown)


def _discordant(share: float, effect: float) -> np.ndarray:
    """1 where only the first is right, -1 where only the second is."""
    u = np.random.default_rng(SEED).random((BUDGET, PATHS))
    return np.where(u < (share + effect) / 2, 1.0, np.where(u < share, -1.0, 0.0))


# -- races -----------------------------------------------------------------------------------------


def races() -> Iterable[str]:
    yield from head("six algorithms", "the best is lost", "alone at the end", "runs of 6000")
    truths = {
        "all equal": np.zeros(6),
        "a ladder, steps of 0.1 sd": -0.1 * np.arange(6),
        "one is better by 0.15 sd": np.array([0.15, 0, 0, 0, 0, 0]),
    }
    plan = StoppingPlan(tuple("abcdef"), "score", BUDGET, planned_looks(BUDGET, 20), RACE)
    for name, means in truths.items():
        rng, done = np.random.default_rng(SEED), np.ones((BUDGET, 6), bool)
        lost, alone, runs = [], [], []
        for _ in range(PATHS):
            # scores of sd 1 / sqrt 2: differences have sd 1
            trace = traced(means + rng.normal(0, np.sqrt(0.5), (BUDGET, 6)), done, plan)
            lost.append(trace.out[0] >= 0)
            alone.append((trace.out < 0).sum() == 1)
            last = np.where(trace.out < 0, len(trace.looks) - 1, trace.out)
            runs.append(np.array(trace.looks)[last].sum())
        yield row(name, percent(np.mean(lost)), percent(np.mean(alone)), f"{np.mean(runs):.0f}")


# -- data sets whose differences are skewed ------------------------------------------------------


def skewed() -> Iterable[str]:
    """Errors of looks at data sets, and of one look at the end, whatever the number compared."""
    yield from head("scores", "algorithms", "looks: t", "hull", "ranks", "one look: t", "hull",
                    "ranks")  # fmt: skip
    for name, draw in NULLS.items():
        for count in (2, 3, 5):
            rates = _errors(draw, count)
            yield row(name, str(count), *map(percent, rates))


def _errors(draw: Null, count: int) -> list[float]:
    """Shares of studies with a false verdict: at any look, then at the last, by every test."""
    rng, budget = np.random.default_rng(SEED), 30
    looks = planned_looks(budget, 20, few=True)
    level = pair_level(ALPHA, count * (count - 1) // 2)
    edges = 2 * ndtr(-boundaries(looks, budget, level))[:, None]
    early, late = np.zeros((3, PATHS), bool), np.zeros((3, PATHS), bool)
    scores, shift = draw(rng, budget, count)
    for i, j in combinations(range(count), 2):
        for k, p in enumerate(_p_values(scores, shift, (i, j), looks)):
            early[k] |= (p <= edges).any(axis=0)
            late[k] |= p[-1] <= level
    return [*early.mean(axis=1), *late.mean(axis=1)]


def _p_values(
    scores: np.ndarray, shift: np.ndarray, pair: tuple[int, int], looks: tuple[int, ...]
) -> Iterable[np.ndarray]:
    """Looks x studies, of t, of t and Hall's t, and of ranks less what they differ by in truth."""
    i, j = pair
    nothing, (count, _, budget) = np.zeros(PATHS), scores.shape
    d = (scores[i] - scores[j]).T
    yield Prefixes(d, looks).p(nothing, 0)
    yield Prefixes(d, looks, hull=True).p(nothing, 0)
    if count == 2:
        yield SignPrefixes(d - shift[0], looks).p(nothing, 0)
        return
    ranks = tails.ranks(scores, axis=0)
    d = (ranks[i] - ranks[j]).T - (shift[i] - shift[j])
    yield RankPrefixes(d, looks, ranked=np.full(budget, count)).p(nothing, 0)


Null = Callable[[np.random.Generator, int, int], tuple[np.ndarray, np.ndarray]]


def _drawn(first: Draw, others: Draw = normal) -> Null:
    """Algorithms x studies x data sets of equal means, with the mean rank of each.

    Of two algorithms it is the median difference that the first has.
    """

    def draw(rng: np.random.Generator, budget: int, count: int) -> tuple[np.ndarray, np.ndarray]:
        made = np.array([(first if k == 0 else others)(rng, (PATHS, budget)) for k in range(count)])
        flat = made.reshape(count, -1)
        if count == 2:
            return made, np.array([np.median(flat[0] - flat[1])])
        return made, tails.ranks(flat, axis=0).mean(axis=1)[:, None]

    return draw


def _of_survey(rng: np.random.Generator, budget: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Data sets of eugster2008's survey drawn with replacement, columns centred and drawn anew."""
    wide = pd.read_csv(SURVEY).pivot(index="dataset", columns="algorithm", values="theirs")
    table = wide.dropna(axis=1).to_numpy()
    table = table - table.mean(axis=0)
    made, shift = np.empty((count, PATHS, budget)), np.empty((count, PATHS))
    for study in range(PATHS):
        mine = table[:, rng.choice(table.shape[1], count, replace=False)]
        made[:, study] = mine[rng.integers(0, len(mine), budget)].T
        of_two = np.array([np.median(mine[:, 0] - mine[:, 1])] * 2)
        shift[:, study] = of_two if count == 2 else tails.ranks(mine, axis=1).mean(axis=0)
    return made, shift


NULLS: dict[str, Null] = {
    "normal": _drawn(normal),
    "one exponential": _drawn(exponential),
    "one lognormal": _drawn(lognormal),
    "all exponential": _drawn(exponential, exponential),
    "21 data sets of a published survey, centred": _of_survey,
}


# -- the page ------------------------------------------------------------------------------------


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def head(*cells: str) -> Iterable[str]:
    return row(*cells), f"|{'---|' * len(cells)}"


TABLES = {
    "Two algorithms, at most 1000 samples, 40 looks; a rate of 5 % has a standard error of 0.35:": (
        two_algorithms
    ),
    "Repeated intervals hold the true difference:": coverage,
    "Items that are right or wrong, at most 1000; shares of studies that find a difference:": items,
    "Races of six, at most 1000 samples, 20 looks; differences have sd 1:": races,
    "Data sets, at most 30, 18 looks (from 5 on); studies with a false verdict where scores of "
    "data sets are not normal, at 5 % over all pairs:": skewed,
}


def main() -> None:
    parts = [
        f"Made by `python docs/make_stopping.py`: {PATHS} simulated studies each, seed {SEED}."
    ]
    for title, table in TABLES.items():
        parts += ["", title, "", *table()]
        print("\n".join(parts[-12:]), flush=True)
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    made = "\n".join([BEGIN, *parts, "", END])
    PAGE.write_text(before + made + after, encoding="utf-8")


if __name__ == "__main__":
    main()
