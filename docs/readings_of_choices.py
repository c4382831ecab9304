"""Readings of choices, for make_readings.py: errors by blocks, covariates; and what a row is."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy import stats

from podium.core.inference.layouts import Choices, Crossed, Items, Layout
from podium.core.inference.procedures.battle_fits import battle_fit, effects, paired_strengths
from podium.core.inference.procedures.choices import NewJudges
from podium.core.questions.measures import Measure

SEED = 0
SCORE = Measure("score", higher_is_better=True)


class Row(NamedTuple):
    """What was simulated, what was counted, its nominal rate, the rate, and out of how many."""

    what: str
    counted: str
    nominal: str
    rate: float
    out_of: int

    @property
    def text(self) -> str:
        """As a row of Markdown."""
        error = np.sqrt(max(self.rate * (1 - self.rate), 1e-4) / self.out_of)
        share = f"{100 * self.rate:.1f} % ± {100 * error:.1f}"
        return f"| {self.what} | {self.counted} | {self.nominal} | {share} | {self.out_of} |"


def of_preferences(reps: int) -> Iterator[Row]:
    """Equal models, wins within data sets: errors by blocks against those of single wins."""
    rng = np.random.default_rng(SEED + 2)
    few = max(reps // 4, 50)
    for k, blocks in ((3, 30), (10, 30), (10, 100)):
        by_block, by_win = 0.0, 0.0
        i, j = np.triu_indices(k, 1)
        for _ in range(few):
            y = rng.normal(size=(blocks, k))  # scores of a data set order all pairs in it
            first, second = np.tile(i, blocks), np.tile(j, blocks)
            rows = np.repeat(np.arange(blocks), len(i))
            outcome = np.where(y[rows, first] > y[rows, second], 1, -1)
            names = [f"m{a}" for a in range(k)]
            by_block += _sure(paired_strengths(first, second, outcome, names, rows), i, j)
            by_win += _sure(paired_strengths(first, second, outcome, names), i, j)
        what = f"{k} equal models, wins on {blocks} data sets"
        yield Row(what, "a pair at 10 %, errors by blocks", "10 %", by_block / few, few * len(i))
        yield Row(what, "a pair at 10 %, errors of single wins", "10 %", by_win / few, few * len(i))


def _sure(found: object, i: np.ndarray, j: np.ndarray, alpha: float = 0.1) -> float:
    """The share of pairs that are told apart."""
    v, df = found.covariance, found.df
    t = (found.values[i] - found.values[j]) / np.sqrt(v[i, i] + v[j, j] - 2 * v[i, j])
    return float((2 * stats.t.sf(np.abs(t), df) < alpha).mean())


def of_covariates(reps: int) -> Iterator[Row]:
    """Four equal models, 400 choices about questions on which they are not equal."""
    rng = np.random.default_rng(SEED + 10)
    few = max(3 * reps // 10, 50)
    for blocks in (20, 40, 100):
        what = f"4 equal models, 400 choices about {blocks} questions"
        unlike = what + ", one shown first in 80 %, position worth 0.5"
        none = what + ", position worth nothing"
        counts: dict[tuple[str, str], list[float]] = {}
        for _ in range(few):
            for told, effect, often in ((unlike, 0.5, 0.8), (none, 0.0, 0.5)):
                made = _battles(rng, blocks, effect, often)
                plain = paired_strengths(*made[:3], "abcd", made[3])
                free = paired_strengths(*made[:3], "abcd", made[3], ordered=True)
                i, j = np.zeros(3, int), np.arange(1, 4)
                for name, found in (("left out", plain), ("in the model", free)):
                    key = (told, f"a pair with the first, position {name}")
                    counts.setdefault(key, []).append(_sure(found, i, j, 0.05))
            value, error = free.effects["position"]
            p = 2 * stats.t.sf(abs(value / error), free.df)
            counts.setdefault((none, "position matters"), []).append(p < 0.05)
            for name, p in _covariate_tests(rng, made):
                counts.setdefault((what, name), []).append(p < 0.05)
        for (told, name), hits in counts.items():
            yield Row(told, name, "5 %", float(np.mean(hits)), len(hits))
    yield from of_two_blocks(reps)


def _battles(
    rng: np.random.Generator, blocks: int, effect: float, often: float
) -> tuple[np.ndarray, ...]:
    """Two of four models, the outcome and the question; the first model is in front `often`."""
    n = 400
    one = rng.integers(0, 4, n)
    two = (one + rng.integers(1, 4, n)) % 4
    turned = ((two == 0) & (rng.random(n) < often)) | ((one == 0) & (rng.random(n) > often))
    first, second = np.where(turned, two, one), np.where(turned, one, two)
    question = rng.integers(0, blocks, n)
    of = 0.7 * rng.normal(size=(blocks, 4))
    d = of[question, first] - of[question, second] + effect
    sizes = np.stack([np.exp(d / 2), np.exp(-d / 2), np.full(n, 0.4)])
    u = rng.random(n) * sizes.sum(axis=0)
    outcome = np.where(u < sizes[0], 1, np.where(u < sizes[0] + sizes[1], -1, 0))
    return first, second, outcome, question


def _covariate_tests(
    rng: np.random.Generator, made: tuple[np.ndarray, ...]
) -> Iterator[tuple[str, float]]:
    """Tests of judges and lengths that decide nothing; models differ in their lengths."""
    first, second, outcome, question = made
    names = np.array(list("abcd"))
    n, score = len(first), outcome / 2 + 0.5
    values = np.full((n, 4), np.nan)
    values[np.arange(n), first], values[np.arange(n), second] = score, 1 - score
    lengths = np.exp(rng.normal(size=(n, 2)) + 0.5 * np.stack([first, second], axis=1))
    covariates = {"judge": rng.choice(list("xyz"), n), "length": lengths}
    choices = Choices(names[first], covariates, adjusted_for=("judge", "length"))
    found = effects(
        Layout(
            values,
            tuple("abcd"),
            "choice",
            "test-set",
            SCORE,
            items=Items(question),
            choices=choices,
        ),
        0.05,
    )
    for row in found.tests.itertuples():
        yield f"3 judges differ in {row.about}", row.p
    terms = found.terms.set_index("covariate")
    yield "length matters", float(terms.loc["length", "p"])


def of_two_blocks(reps: int) -> Iterator[Row]:
    """Four equal models; questions differ in who is better there, and so do judges."""
    rng = np.random.default_rng(SEED + 12)
    few = max(3 * reps // 10, 50)
    one, two, pair = np.array([0]), np.array([1]), np.array([[1.0, -1.0, 0.0, 0.0]])
    for judges in (3, 5, 10, 20):
        hits = dict.fromkeys(("by question", "by judge", "for new questions and new judges"), 0.0)
        for _ in range(few):
            values, question, judge, first = _judged(rng, judges)
            shown = Choices(np.array(list("abcd"))[first], adjusted_for=("none",))
            both = Crossed(factors={"question": question, "judge": judge})
            of = partial(Layout, values, tuple("abcd"), "choice", "test-set", SCORE, choices=shown)
            hits["by question"] += _sure(battle_fit(of(items=Items(question))), one, two, 0.05)
            hits["by judge"] += _sure(battle_fit(of(items=Items(judge))), one, two, 0.05)
            crossed = of(items=Items(question * judges + judge), crossed=both)
            test = NewJudges(battle_fit(crossed), pair)
            hits["for new questions and new judges"] += float(test.p(np.zeros(1), 0)[0] <= 0.05)
        what = f"4 equal models, 600 choices about 60 questions by {judges} judges who differ"
        for name, count in hits.items():
            yield Row(what, f"a pair, {name}", "5 %", count / few, few)


def _judged(rng: np.random.Generator, judges: int) -> tuple[np.ndarray, ...]:
    n = 600
    first = rng.integers(0, 4, n)
    second = (first + rng.integers(1, 4, n)) % 4
    question, judge = rng.integers(0, 60, n), rng.integers(0, judges, n)
    of = 0.5 * rng.normal(size=(60, 4))[question] + 0.5 * rng.normal(size=(judges, 4))[judge]
    rows = np.arange(n)
    d = of[rows, first] - of[rows, second]
    sizes = np.stack([np.exp(d / 2), np.exp(-d / 2), np.full(n, 0.4)])
    u = rng.random(n) * sizes.sum(axis=0)
    won = np.where(u < sizes[0], 1.0, np.where(u < sizes[0] + sizes[1], 0.0, 0.5))
    values = np.full((n, 4), np.nan)
    values[rows, first], values[rows, second] = won, 1 - won
    return values, question, judge, first
