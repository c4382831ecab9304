"""Measure the readings of docs/readings.md: posteriors, errors by blocks, judges, pass@k, prompts.

    python docs/make_readings.py [replications]

Everything is simulated where the truth is known, with the formulas that Podium itself uses. The
standard error of a rate stands beside it. 2000 replications take some minutes.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: threads would only wait

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from readings_of_choices import SCORE, SEED, Row, of_covariates, of_preferences
from scipy import stats

from podium.asking.items.description import by_stratum
from podium.core.inference.layouts import Crossed, Items, Layout
from podium.core.inference.numbers import chances as posteriors
from podium.core.inference.numbers.judge_correction import corrected, corrected_means
from podium.core.inference.procedures.conditions import CONDITIONS_T
from podium.core.results.pass_at import PassRate

PAGE = Path(__file__).parent / "readings.md"
SURE = 0.95
HIERARCHICAL = 400  # replications, of a quarter of a second each


# -- posteriors -----------------------------------------------------------------------------------


def correlated(rng: np.random.Generator, reps: int, n: int, rho: float) -> np.ndarray:
    """Differences of equal algorithms that have this correlation with each other."""
    common = rng.normal(size=(reps, 1)) * np.sqrt(rho)
    return np.asarray(common + np.sqrt(1 - rho) * rng.normal(size=(reps, n)))


def sure_by_t(d: np.ndarray, rho: float) -> float:
    """How often the correlated t posterior is sure of either side."""
    n = d.shape[1]
    scale = d.std(axis=1, ddof=1) * np.sqrt(1 / n + rho / (1 - rho))
    found = posteriors.student(d.mean(axis=1), scale, np.full(len(d), n - 1.0), 0.0)
    return float((found[:, [0, 2]].max(axis=1) > SURE).mean())


def of_posteriors(reps: int) -> Iterator[Row]:
    rng = np.random.default_rng(SEED)
    many = 10 * reps
    for n in (10, 100):
        for true in (0.1, 0.3):
            rate = sure_by_t(correlated(rng, many, n, true), 0.1)
            how = "right" if true == 0.1 else f"truly {true}"
            what = f"`bayes-correlated-t`, {n} samples, rho 0.1, {how}"
            yield Row(what, "P > 0.95 for either", "10 %", rate, many)
    for sets in (10, 30):
        few = max(reps // 4, 50)
        found = [posteriors.signed_rank(rng.normal(size=sets), 0.0) for _ in range(few)]
        rate = np.mean([max(each[0], each[-1]) > SURE for each in found])
        what = f"`bayes-signed-rank`, {sets} data sets"
        yield Row(what, "P > 0.95 for either", "10 %", float(rate), few)
        found = [posteriors.sign(rng.normal(size=sets), 0.0) for _ in range(few)]
        rate = np.mean([max(each[0], each[-1]) > SURE for each in found])
        yield Row(
            f"`bayes-sign`, {sets} data sets", "P > 0.95 for either", "10 %", float(rate), few
        )
    own = np.random.default_rng(SEED + 9)
    rate = np.mean([_hierarchical(own) for _ in range(HIERARCHICAL)])
    what = "`bayes-hierarchical`, 10 data sets of 10 samples"
    yield Row(what, "P > 0.95 for either", "10 %", float(rate), HIERARCHICAL)
    yield from of_five(reps)


def _hierarchical(rng: np.random.Generator) -> bool:
    effects = rng.normal(0, 0.02, 10)
    samples = [e + correlated(rng, 1, 10, 0.1)[0] * 0.03 for e in effects]
    found = posteriors.hierarchical(samples, 0.0, 0.1)
    return bool(max(found.winner[0], found.winner[2]) > SURE)


def of_five(reps: int) -> Iterator[Row]:
    """Five equal algorithms on independent blocks: pairs against P(best)."""
    rng = np.random.default_rng(SEED + 1)
    for n in (10, 100):
        few, pairs, best = max(reps // 2, 50), 0, 0
        for _ in range(few):
            y = rng.normal(size=(n, 5))
            found = posteriors.joint(y.mean(axis=0), np.cov(y, rowvar=False) / n, n - 5.0, 4000, 0)
            i, j = np.triu_indices(5, 1)
            d = y[:, i] - y[:, j]
            t = d.mean(axis=0) / (d.std(axis=0, ddof=1) / np.sqrt(n))
            pairs += bool((stats.t.cdf(np.abs(t), n - 1) > SURE).any())
            best += bool(found.best.max() > SURE)
        yield Row(f"five equal algorithms, {n} blocks", "some pair P > 0.95", "–", pairs / few, few)
        yield Row(f"five equal algorithms, {n} blocks", "P(best) > 0.95", "5 %", best / few, few)


# -- judges ---------------------------------------------------------------------------------------


def of_judges(reps: int) -> Iterator[Row]:
    """Two equal systems, a judge that favours the second; M = 400 items."""
    rng = np.random.default_rng(SEED + 3)
    for r in (0.9, 0.45, 0.0):
        for n in (15, 30, 100):
            counts = np.zeros(3)
            for _ in range(reps):
                y = rng.normal(size=400)
                f = r * y + np.sqrt(1 - r * r) * rng.normal(size=400) - 0.2
                counts += _rejected(y, f, n)
            names = ("two-phase", "PPI++ by z", "judge alone")
            for name, rate in zip(names, counts / reps, strict=True):
                yield Row(f"judge with correlation {r}, {n} labels", name, "5 %", rate, reps)
    yield from of_several(reps)
    yield from of_accuracy(reps)


def _rejected(y: np.ndarray, f: np.ndarray, n: int) -> np.ndarray:
    human = np.where(np.arange(len(y)) < n, y, np.nan)
    found = corrected(human, f)
    two = 2 * stats.t.sf(abs(found.estimate) / found.error, found.df) < 0.05
    yl, fl, fu = y[:n], f[:n], f[n:]
    lam = np.clip(np.cov(yl, fl)[0, 1] / (f.var(ddof=1) * (1 + n / len(fu))), 0, 1)
    theta = yl.mean() + lam * (fu.mean() - fl.mean())
    error = np.sqrt(lam**2 * fu.var(ddof=1) / len(fu) + (yl - lam * fl).var(ddof=1) / n)
    ppi = 2 * stats.norm.sf(abs(theta) / error) < 0.05
    alone = stats.ttest_1samp(f, 0).pvalue < 0.05
    return np.array([two, ppi, alone], dtype=float)


def of_several(reps: int) -> Iterator[Row]:
    """Five equal systems, one slope for all, Holm."""
    rng = np.random.default_rng(SEED + 4)
    i, j = np.triu_indices(5, 1)
    for n in (15, 100):
        wrong = 0
        for _ in range(reps // 2):
            y = rng.normal(size=(400, 5))
            f = 0.9 * y + 0.4 * rng.normal(size=y.shape) + 0.2 * np.arange(5)
            human = np.where(np.arange(400)[:, None] < n, y, np.nan)
            c = corrected_means(human, f)
            v = c.covariance
            t = (c.values[i] - c.values[j]) / np.sqrt(v[i, i] + v[j, j] - 2 * v[i, j])
            wrong += bool(2 * stats.t.sf(np.abs(t), c.df).min() < 0.05 / len(i))
        what = f"five systems, judge with correlation 0.9, {n} labels"
        yield Row(what, "any pair, Holm", "5 %", wrong / (reps // 2), reps // 2)


def of_accuracy(reps: int) -> Iterator[Row]:
    """Intervals of one accuracy, by a judge that knows 95 % of the right, 80 % of the wrong."""
    from podium.core.inference.procedures.judged import own_score

    rng = np.random.default_rng(SEED + 5)
    for accuracy in (0.7, 0.9, 0.95):
        for n in (30, 60, 150):
            hit, plain = 0, 0
            for _ in range(reps):
                y = (rng.random(1000) < accuracy).astype(float)
                f = np.where(y == 1, rng.random(1000) < 0.95, rng.random(1000) < 0.2).astype(float)
                human = np.where(np.arange(1000) < n, y, np.nan)
                made = Layout(
                    f[:, None], ("a",), "item", "test-set", SCORE, items=Items(human=human[:, None])
                )
                _, _, low, high, _ = own_score(made, 0.05)
                hit += low <= accuracy <= high
                found = corrected(human, f)
                reach = stats.t.isf(0.025, found.df) * found.error
                plain += abs(found.estimate - accuracy) <= reach
            what = f"one accuracy of {accuracy}, {n} labels of 1000"
            yield Row(what, "the interval covers", "95 %", hit / reps, reps)
            yield Row(what, "a plain two-phase interval covers", "95 %", plain / reps, reps)


# -- items ----------------------------------------------------------------------------------------


def of_items(reps: int) -> Iterator[Row]:
    rng = np.random.default_rng(SEED + 6)
    p = rng.beta(0.6, 1.2, (reps, 100))
    right = rng.binomial(10, p)
    truth = 1 - np.mean([np.prod((1.2 + np.arange(5)) / (1.8 + np.arange(5)))])  # E (1-p)^5
    for name, each in (
        (
            "unbiased, t over items, covers",
            PassRate(5, every=False).of(right, np.full_like(right, 10)),
        ),
        ("plug-in 1 - (1 - c/n)^5, covers", 1 - (1 - right / 10) ** 5),
    ):
        mean = each.mean(axis=1)
        reach = stats.t.isf(0.025, 99) * each.std(axis=1, ddof=1) / 10
        covers = (np.abs(mean - truth) <= reach).mean()
        what = f"pass@5 from 10 answers, 100 items (truth {truth:.3f}, mean {mean.mean():.3f})"
        yield Row(what, name, "95 %", float(covers), reps)
    yield from of_conditions(reps)
    yield from of_two_conditions(reps)
    yield from of_strata(reps)


def of_conditions(reps: int) -> Iterator[Row]:
    """Two equal models under prompts that matter as much as a third of single scores."""
    rng = np.random.default_rng(SEED + 7)
    for conditions in (2, 3, 5, 10):
        new, these = 0, 0
        for _ in range(reps):
            d = rng.normal(size=(1, 100)) + 0.3 * rng.normal(size=(conditions, 1))
            d = d + rng.normal(size=(conditions, 100))
            made = _crossed(np.stack([d, np.zeros_like(d)], axis=2))
            e = CONDITIONS_T.estimate(made)
            c = np.array([[1.0, -1.0]])
            t = float((c @ e.values)[0] / np.sqrt(e.variances(c)[0]))
            new += bool(2 * stats.t.sf(abs(t), e.df_of(c)[0]) < 0.05)
            these += bool(stats.ttest_1samp(d.mean(axis=0), 0).pvalue < 0.05)
        what = f"100 items under {conditions} prompts, about new ones"
        yield Row(what, "`conditions-t`", "5 %", new / reps, reps)
        yield Row(what, "t of item means", "5 %", these / reps, reps)


def of_two_conditions(reps: int) -> Iterator[Row]:
    """Two equal models, items under prompts scored by judges, all of which matter."""
    rng = np.random.default_rng(SEED + 11)
    c = np.array([[1.0, -1.0]])
    for prompts, judges in ((2, 2), (3, 3), (5, 3), (5, 5), (10, 5)):
        wrong, joined = 0, 0
        for _ in range(reps):
            d = 0.3 * rng.normal(size=(prompts, 1, 1)) + 0.3 * rng.normal(size=(1, judges, 1))
            d = d + rng.normal(size=(1, 1, 60)) + 0.5 * rng.normal(size=(prompts, 1, 60))
            d = (
                d
                + 0.5 * rng.normal(size=(1, judges, 60))
                + 0.1 * rng.normal(size=(prompts, judges, 1))
            )
            d = d + rng.normal(size=(prompts, judges, 60))
            flat = d.reshape(prompts * judges, 60)
            made = _crossed(np.stack([flat, np.zeros_like(flat)], axis=2))
            prompt, judge, _ = np.indices(d.shape).reshape(3, -1)
            three = replace(
                made, crossed=replace(made.crossed, factors={"prompt": prompt, "judge": judge})
            )
            for name, layout in (("three", three), ("joined", made)):
                e = CONDITIONS_T.estimate(layout)
                t = float((c @ e.values)[0] / np.sqrt(e.variances(c)[0]))
                hit = bool(2 * stats.t.sf(abs(t), e.df_of(c)[0]) < 0.05)
                wrong, joined = wrong + hit * (name == "three"), joined + hit * (name == "joined")
        what = f"60 items under {prompts} prompts by {judges} judges, about new ones"
        yield Row(what, "`conditions-t`", "5 %", wrong / reps, reps)
        yield Row(what, "every prompt with its judge a condition", "5 %", joined / reps, reps)


def _crossed(scores: np.ndarray) -> Layout:
    conditions, items, k = scores.shape
    return Layout(
        scores.reshape(-1, k),
        ("a", "b"),
        "condition-item",
        "new-conditions",
        SCORE,
        crossed=Crossed(
            training_sets=np.repeat(np.arange(conditions), items),
            items=np.tile(np.arange(items), conditions),
        ),
    )


def of_strata(reps: int) -> Iterator[Row]:
    """Right and wrong answers of models whose differences are the same in all topics."""
    rng = np.random.default_rng(SEED + 8)
    few = max(reps // 4, 50)
    for k, size in ((2, 30), (5, 30), (5, 100)):
        wrong = 0
        strata = np.repeat(np.arange(6), size).astype(str)
        for _ in range(few):
            chance = rng.random((len(strata), 1))
            y = (rng.random((len(strata), k)) < chance).astype(float)
            names = tuple(f"m{a}" for a in range(k))
            made = Layout(y, names, "item", "test-set", SCORE, items=Items(strata=strata))
            wrong += bool(by_stratum(made).overall.p < 0.05)
        what = f"{k} equal models, 6 topics of {size} items"
        yield Row(what, "differences depend on the topic", "5 %", wrong / few, few)


# -- the page -------------------------------------------------------------------------------------

PARTS = {
    "Posteriors": (
        of_posteriors,
        "How often a posterior is sure of one of two algorithms that are equal. Where rho is too "
        "small it is sure far too often, and no prior repairs that.",
    ),
    "Preferences": (
        of_preferences,
        "Wins of one data set depend on each other: errors by blocks against errors that take "
        "every win for independent.",
    ),
    "Covariates of choices": (
        of_covariates,
        "Position in the model costs nothing where it does not matter; left out, it makes the one "
        "that is shown first more often a winner. Judges and lengths here decide nothing.",
    ),
    "Judges": (
        of_judges,
        "A judge scores all items, people some. A judge alone finds its own bias; "
        "prediction-powered inference by normal quantiles rejects too often with few labels.",
    ),
    "Items": (of_items, "Several answers, prompts and topics."),
}


def main(reps: int) -> None:
    """Measure everything and write the page."""
    lines = [
        "# What these readings hold\n",
        "Measured where the truth is known, by `python docs/make_readings.py` (seed 0); behind ± "
        "is one standard error. The rates of tests are in [calibration.md](calibration.md).",
    ]
    head = "| simulated | counted | nominal | rate | out of |\n|---|---|---|---|---|"
    for title, (part, text) in PARTS.items():
        rows = [row.text for row in part(reps)]
        lines.append(f"\n## {title}\n\n{text}\n\n{head}\n" + "\n".join(rows))
        print(title, file=sys.stderr)
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
