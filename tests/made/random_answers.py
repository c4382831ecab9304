"""Random tables of every design, and what may not contradict in the answer to one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

import podium
from podium.base.errors import PodiumError
from podium.verdicts.standing import standing
from podium.verdicts.verdict import next_sentence, plain, verdict

NAMES = ("ash", "birch", "cedar", "elm", "fir", "gum", "svm", "svm2")
SIGNIFICANT, INCONCLUSIVE = ("better", "worse"), ("undecided", "withheld")


class Case(NamedTuple):
    """A table, how it is read, and what is asked of it."""

    table: pd.DataFrame
    read: dict[str, Any]
    ask: dict[str, Any]

    def compared(self) -> podium.Comparisons:
        return podium.compare(podium.read(self.table, **self.read), **self.ask)


def _scores(rng: np.random.Generator, blocks: int, names: list[str]) -> np.ndarray:
    """Shares: normal, skewed, rounded or with a breakdown, of algorithms that differ or do not."""
    k = len(names)
    effect = rng.choice([0.0, 0.01, 0.05, 0.15]) * rng.normal(size=k)
    noise = rng.normal(0, rng.choice([0.005, 0.03, 0.1]), (blocks, k))
    if rng.random() < 0.3:
        noise = noise * rng.exponential(1.0, (blocks, k))
    values = 0.7 + 0.1 * rng.normal(size=(blocks, 1)) + effect + noise
    if rng.random() < 0.2:
        values[rng.random(values.shape) < 0.05] -= 0.4
    values = np.clip(values, 0.0, 1.0)
    return np.round(values, 2) if rng.random() < 0.3 else np.round(values, 6)


def _wide(values: np.ndarray, names: list[str], of: str = "dataset") -> pd.DataFrame:
    frame = pd.DataFrame(values, columns=names)
    frame.insert(0, of, [f"{of[0]}{i:03d}" for i in range(len(values))])
    return frame


def _holed(rng: np.random.Generator, values: np.ndarray) -> np.ndarray:
    if rng.random() < 0.6:
        return values
    values = values.copy()
    share = rng.choice([0.02, 0.1, 0.3])
    columns = rng.random(values.shape[1]) < 0.5
    values[(rng.random(values.shape) < share) & columns] = np.nan
    return values


def _asked(
    rng: np.random.Generator, names: list[str], procedures: tuple[str, ...]
) -> dict[str, Any]:
    ask: dict[str, Any] = {}
    if rng.random() < 0.5:
        ask["procedure"] = str(rng.choice(procedures))
    if rng.random() < 0.2:
        ask["control"] = str(rng.choice(names))
    draw = rng.random()
    if draw < 0.1:
        ask["relevance"] = 0.01
    elif draw < 0.2:
        ask["non_inferiority"] = 0.02
    elif draw < 0.25:
        ask["equivalence"] = 0.05
    if rng.random() < 0.15:
        ask["adjust"] = str(rng.choice(["holm", "bonferroni", "none", "bh", "single-step"]))
    if rng.random() < 0.1:
        ask["alpha"] = 0.1
    return ask


def _datasets(rng: np.random.Generator, names: list[str]) -> Case:
    values = _holed(rng, _scores(rng, int(rng.integers(2, 25)), names))
    tests = ("ranks", "hull", "rank-t", "paired-t", "friedman", "nemenyi", "wilcoxon", "sign",
             "mixed-tukey", "flip", "max-modulus", "permutation", "quade")  # fmt: skip
    measure = str(rng.choice(["accuracy", "error", "auc"]))
    return Case(_wide(values, names), {"measure": measure}, _asked(rng, names, tests))


def _samples(rng: np.random.Generator, names: list[str]) -> Case:
    values = _holed(rng, _scores(rng, int(rng.integers(5, 30)), names))
    sampling = str(rng.choice(["bootstrap", "simulation", "subsampling:0.8"]))
    tests = ("hull", "paired-t", "mixed-tukey", "max-modulus", "wilcoxon", "rank-t", "permutation")
    read = {"measure": "error", "sampling": sampling}
    return Case(
        _wide(values, names, "sample").drop(columns="sample"), read, _asked(rng, names, tests)
    )


def _folds(rng: np.random.Generator, names: list[str]) -> Case:
    values = _scores(rng, 10, names)
    frame = _wide(values, names, "fold").drop(columns="fold")
    ask = _asked(rng, names, ("corrected-t",))
    return Case(frame, {"measure": "accuracy", "sampling": "cv:10"}, ask)


def _items(rng: np.random.Generator, names: list[str]) -> Case:
    n = int(rng.integers(12, 80))
    share = np.clip(0.7 + rng.choice([0.0, 0.1, 0.25]) * rng.normal(size=len(names)), 0.05, 0.95)
    values = (rng.random((n, len(names))) < share).astype(float)
    frame = _wide(_holed(rng, values), names, "item")
    ask = _asked(rng, names, ("mcnemar-mid-p", "cochran", "max-modulus", "paired-t"))
    return Case(frame, {"measure": "accuracy", "sampling": "items"}, ask)


def _timings(rng: np.random.Generator, names: list[str]) -> Case:
    values = np.exp(rng.normal(0, 0.05, (int(rng.integers(5, 20)), len(names))))
    frame = _wide(np.round(values * (1 + 0.05 * rng.normal(size=len(names))), 5), names, "run")
    read = {"measure": "time", "sampling": "runs+paired"}
    return Case(
        frame.drop(columns="run"), read, _asked(rng, names, ("hull", "paired-t", "wilcoxon"))
    )


def _nested(rng: np.random.Generator, names: list[str]) -> Case:
    sets, samples = int(rng.integers(2, 9)), int(rng.integers(2, 6))
    values = _scores(rng, sets * samples, names)
    rows = [(f"d{i // samples}", i % samples, name, values[i, j])
            for i in range(len(values)) for j, name in enumerate(names)]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["dataset", "sample", "algorithm", "error"])
    ask = _asked(rng, names, ("ranks", "hull", "survey-random", "survey-fixed"))
    return Case(frame, {"sampling": "bootstrap"}, ask)


DESIGNS: tuple[Callable[[np.random.Generator, list[str]], Case], ...] = (
    _datasets, _datasets, _datasets, _samples, _folds, _items, _timings, _nested,
)  # fmt: skip


def cases(count: int, seed: int = 0) -> Iterator[Case]:
    """Random requests of all designs in turn."""
    for i in range(count):
        rng = np.random.default_rng([seed, i])
        k = int(rng.choice([2, 3, 3, 4, 5, 6]))
        names = [str(n) for n in rng.choice(NAMES, size=k, replace=False)]
        yield DESIGNS[i % len(DESIGNS)](rng, names)


def answered(case: Case) -> podium.Comparisons | None:
    """The answer, or None where the request is refused by a sentence."""
    try:
        return case.compared()
    except PodiumError:
        return None


# -- what may not contradict ----------------------------------------------------------------------


def contradictions(c: podium.Comparisons) -> list[str]:
    """Statements of one answer that do not go together."""
    made = podium.decide(c)
    return [*_of_pairs(c), *_of_decision(c, made), *_of_texts(c)]


def _of_pairs(c: podium.Comparisons) -> Iterator[str]:
    margin = c.relevance
    is_share = c.measure in ("accuracy", "error", "auc")
    for row in c.table.itertuples():
        pair = f"{row.first} - {row.second}"
        p = row.p_adjusted
        if p == p and row.p == row.p and p < row.p - 1e-12:
            yield f"{pair}: adjusted p below p"
        claimed = row.verdict in (*SIGNIFICANT, "non-inferior", "non-superior")
        if p == p and (p <= c.alpha) != claimed and row.verdict != "equivalent":
            yield f"{pair}: p adjusted {p} but {row.verdict}"
        low, high = c.sign * row.lower, c.sign * row.upper
        low, high = (low, high) if c.sign > 0 else (high, low)
        if low == low or high == high:
            beyond = low > margin or high < -margin
            if beyond != claimed and row.verdict != "withheld":
                yield f"{pair}: {row.verdict} with {row.lower} to {row.upper} (margin {margin})"
        if row.verdict == "withheld" and p == p:
            yield f"{pair}: withheld with a p-value"
        ends = [e for e in (row.lower, row.upper) if e == e]
        by_ranks = c.decides == "ranks"
        if is_share and not by_ranks and any(abs(e) > 1 + 1e-12 for e in ends):
            yield f"{pair}: limits beyond what can be"
        if by_ranks and any(abs(e) > len(c.algorithms) - 1 + 1e-12 for e in ends):
            yield f"{pair}: limits beyond what ranks can be"
        ahead = c.sign * row.estimate > 0
        if row.verdict in SIGNIFICANT and ahead != (row.verdict == "better"):
            yield f"{pair}: {row.verdict} with the estimate {row.estimate}"


def _of_decision(c: podium.Comparisons, order: podium.Order) -> Iterator[str]:
    made = c.decision
    names = list(c.algorithms)
    beaten: dict[str, set[str]] = {name: set() for name in names}
    for row in c.table.itertuples():
        if row.verdict in SIGNIFICANT:
            pair = (row.first, row.second) if row.verdict == "better" else (row.second, row.first)
            beaten[pair[1]].add(pair[0])
    lead = [name for name in names if not beaten[name]]
    if c.lead != lead or c.best_set != lead:
        yield f"lead {c.lead}, best set {c.best_set}, unbeaten {lead}"
    wins = {name: sum(name in by for by in beaten.values()) for name in names}
    places = {name: (1 + len(beaten[name]), len(names) - wins[name]) for name in names}
    if dict(made.places) != places:
        yield f"places {made.places} instead of {places}"
    better = {(a, b) for b, by in beaten.items() for a in by}
    told = {(names[i], names[j]) for i, j in np.argwhere(order.better)}
    if told != better:
        yield f"order {order.text} instead of {better}"
    ahead = {name: set() for name in names}
    for row in c.table.itertuples():
        size = c.sign * row.estimate
        if abs(size) > 1e-9:
            ahead[row.second if size > 0 else row.first].add(row.first if size > 0 else row.second)
    free = [name for name in names if not ahead[name]]
    if free and made.rows[0] not in free:
        yield f"{made.rows[0]} stands first behind {ahead[made.rows[0]]}"
    count = c.table["verdict"].isin(SIGNIFICANT).sum()
    if made.significant != count or made.blocks != c.blocks.count:
        yield "counts differ"
    held = not c.is_unadjusted and not c.method.adjust.told and not c.relevance
    if count and held and c.overall is not None and c.overall.p > c.alpha:
        yield f"pairs are significant and the overall test is not: {c.overall.p}"


def _of_texts(c: podium.Comparisons) -> Iterator[str]:
    found = standing(c)
    text, more = plain(verdict(c, found, {})), next_sentence(c, found)
    lead = c.decision.lead or ()
    if "nan" in f"{text} {more}".replace("analyze", ""):
        yield f"nan in {text} {more}"
    if "cannot tell which" in text and len(lead) < 2:
        yield f"'{text}' with the lead {lead}"
    if "full ranking is settled" in text and not c.decision.is_settled:
        yield f"'{text}' with {c.decision.inconclusive} inconclusive"
    if c.decision.significant and "No significant difference" in text:
        yield f"'{text}' with significant pairs"
    shown = set(c.table["verdict"]) & {"non-inferior", "equivalent"}
    if shown and text.startswith(("None of", "No significant", "Nobody is shown")):
        yield f"'{text}' denies what is shown: {shown}"
