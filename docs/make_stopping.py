"""Measure what studies that may stop cost and save: the tables in docs/stopping.md.

    python docs/make_stopping.py

4000 paths each, seed 0. Two algorithms are judged for all paths at once; races one by one, as
`podium run --until best` judges them. Error rates of more designs are in docs/calibration.md.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
from scipy.special import ndtr, stdtr

from podium.inference.numbers import anytime
from podium.inference.numbers.boundaries import OBF, boundaries, stopping_levels
from podium.inference.numbers.stopping_plan import RACE, StoppingPlan, planned_looks
from podium.inference.sequential.stopping import NARROW, Prefixes, traced

PAGE = Path(__file__).parent / "stopping.md"
BEGIN, END = "<!-- measured -->", "<!-- end -->"
PATHS, SEED, ALPHA = 4000, 0, 0.05
BUDGET, LOOKS = 1000, 40
FLIPS = 1000
Draw = Callable[[np.random.Generator, tuple[int, int]], np.ndarray]


def normal(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    return rng.standard_normal(shape)


def gamma(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """Of shape 1/2, its mean taken off and its sd made 1."""
    return (rng.gamma(0.5, size=shape) - 0.5) / np.sqrt(0.5)


def exponential(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    return rng.exponential(size=shape) - 1.0


def laplace(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    return rng.laplace(size=shape)


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
    yield from head("differences", "one t", "t", "sign flips", "Hall's t", "t and Hall's t")
    draws = (normal, laplace, exponential, lognormal)
    for draw in draws:
        d = draw(np.random.default_rng(SEED), (40, PATHS))
        looks = planned_looks(40, 20, few=True)
        limit = 2 * ndtr(-boundaries(looks, 40, ALPHA))[:, None]
        prefixes = Prefixes(d, looks)
        p = prefixes.p(np.zeros(PATHS), 0)
        hall = _hall(prefixes)
        both = (np.maximum(p, hall) <= limit).any(axis=0)
        rates = (p[-1] <= ALPHA, (p <= limit).any(axis=0), _flipped(d, looks),
                 (hall <= limit).any(axis=0), both)  # fmt: skip
        yield row(draw.__name__, *(percent(each.mean()) for each in rates))


def _hall(prefixes: Prefixes) -> np.ndarray:
    """p-values of t transformed for skewness (Hall 1992)."""
    n, mean = prefixes.count, prefixes.mean
    sd = prefixes.error * np.sqrt(n)
    second, third = (prefixes.summed(prefixes.differences**k) / n for k in (2, 3))
    skewness = (third - 3 * mean * second + 2 * mean**3) / (sd**2 * (n - 1) / n) ** 1.5
    w = mean / sd
    bent = w + skewness * w**2 / 3 + skewness**2 * w**3 / 27 + skewness / (6 * n)
    return np.asarray(2 * stdtr(n - 1, -np.abs(np.sqrt(n) * bent)))


def _flipped(d: np.ndarray, looks: Sequence[int]) -> np.ndarray:
    """Whether flips of the signs reject, of which each look lets as many go as it may spend."""
    rng, at = np.random.default_rng(SEED), np.array(looks) - 1
    signs = np.vstack([np.ones(len(d)), rng.choice([-1.0, 1.0], (FLIPS - 1, len(d)))])
    allowed = np.floor(OBF.spent((at + 1) / len(d), np.array(ALPHA)) * FLIPS + 1e-9).astype(int)
    return np.array([_rejects(np.abs(np.cumsum(signs * x, axis=1)[:, at]), allowed) for x in d.T])


def _rejects(sums: np.ndarray, allowed: np.ndarray) -> bool:
    """Flips x looks; the first row is what was observed."""
    left, gone = np.ones(len(sums), bool), 0
    for k, most in enumerate(allowed):
        if most <= gone:
            continue
        cut = np.sort(np.where(left, sums[:, k], -1.0))[::-1][most - gone]
        out = left & (sums[:, k] > cut)
        if out[0]:
            return True
        left, gone = left & ~out, gone + int(out.sum())
    return False


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
    "Data sets, at most 40, 20 looks; error of 5 % rules where differences between data sets are "
    "not normal:": skewed,
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
