"""Random tables of every design with a random request, and the same table told otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

import podium
from podium import PodiumError
from podium.asking.judges.tables import read_judged
from podium.core.inference.bricks.scales import SCORES
from podium.core.inference.comparing.known import POSTERIORS, PROCEDURES
from podium.core.inference.comparing.legality import is_legal

NAMES = ("ash", "birch", "cedar", "elm", "fir", "gum", "svm", "svm2")
ADJUSTMENTS = ("holm", "bonferroni", "none", "bh", "single-step", "closed", "hommel", "sidak")
COMPARE, GATE, META, FACTORS, FRONT = "compare", "gate", "meta", "factors", "front"
STABILITY = "stability"
LOCATED = ("wilcoxon", "pratt", "sign", "sign-flip", "steel-dwass", "kruskal-wallis", "5x2cv-t")
OWN_UNIT = "depth"  # a measure of no known range and direction


@dataclass(frozen=True)
class Case:
    """A table, how it is read, and what is asked of it."""

    table: pd.DataFrame
    read: dict[str, Any]
    ask: dict[str, Any]
    names: tuple[str, ...] = ()
    verb: str = COMPARE
    named_in: tuple[str, ...] = ()  # columns that hold names of algorithms; none: the heads do
    more: tuple[pd.DataFrame, ...] = field(default=())  # further tables: the new side of a gate
    queue: pd.DataFrame | None = None  # the order in which items were looked at, with its plan

    @cached_property
    def results(self) -> podium.Results:
        if self.queue is not None:
            return podium.sequential.read_queued(self.table, self.queue)
        if "judge" in self.ask:
            both = read_judged(self.table, self.ask["judge"], self.ask["human"])
            return both.filter(measure=self.ask["human"])
        return podium.read(self.table, **self.read)

    def answer(self) -> Any:
        """What is answered; a PodiumError is a refusal by a sentence."""
        if self.verb == GATE:
            return podium.gate(self.table, *self.more, **self.read, **self.ask)
        if self.verb == META:
            return podium.meta(self.table, **self.ask)
        if self.verb == FACTORS:
            return podium.factors.effects(self.table, **self.read, **self.ask)
        if self.verb == FRONT:
            return podium.fronts.front(self.table, **self.read, **self.ask)
        if self.verb == STABILITY:
            return podium.stability(self.results, resamples=100, orders=4, **self.ask)
        return podium.compare(self.table if "judge" in self.ask else self.results, **self.ask)


def _scores(rng: np.random.Generator, blocks: int, k: int) -> np.ndarray:
    """Shares of algorithms that differ or do not: normal, skewed, rounded, with long tails.

    With long tails one side means and ranks disagree: a little better nearly everywhere, and now
    and then far behind, or the other way round.
    """
    effect = rng.choice([0.0, 0.01, 0.05, 0.15]) * rng.normal(size=k)
    noise = rng.normal(0, rng.choice([0.005, 0.03, 0.1]), (blocks, k))
    if rng.random() < 0.3:
        noise = noise * rng.exponential(1.0, (blocks, k))
    values = 0.7 + 0.1 * rng.normal(size=(blocks, 1)) + effect + noise
    kind = rng.random()
    if kind < 0.2:
        values[rng.random(values.shape) < 0.05] -= 0.4
    elif kind < 0.4:
        side, rare = rng.choice([-1.0, 1.0], size=k), rng.random(values.shape) < 0.12
        values += side * np.where(rare, 0.3, -0.02) * (rng.random(k) < 0.6)
    elif kind < 0.5:
        values += 0.02 * np.clip(rng.standard_t(1.2, values.shape), -15, 15)
    values = np.clip(values, 0.0, 1.0)
    if rng.random() < 0.04:
        values[:, -1] = values[:, 0]  # twins
    return np.round(values, 2) if rng.random() < 0.3 else np.round(values, 6)


def _wide(values: np.ndarray, names: list[str], of: str = "dataset") -> pd.DataFrame:
    frame = pd.DataFrame(values, columns=names)
    frame.insert(0, of, [f"{of[0]}{i:03d}" for i in range(len(values))])
    return frame


def _long(frame: pd.DataFrame, ids: list[str], measure: str) -> pd.DataFrame:
    return frame.melt(ids, var_name="algorithm", value_name=measure)


def _holed(rng: np.random.Generator, values: np.ndarray, often: float = 0.4) -> np.ndarray:
    if rng.random() > often:
        return values
    values = values.copy()
    share = rng.choice([0.02, 0.1, 0.3])
    columns = rng.random(values.shape[1]) < 0.5
    values[(rng.random(values.shape) < share) & columns] = np.nan
    return values


def _asked(rng: np.random.Generator, case: Case) -> Case:
    """With a random test that the design allows, a control, a margin, an adjustment."""
    ask: dict[str, Any] = dict(case.ask)
    if case.queue is not None:  # whose plan says it all
        return case
    if "judge" not in ask and rng.random() < 0.45:
        ask["procedure"] = _procedure(rng, case)
    elif "judge" not in ask and rng.random() < 0.03:
        ask["estimate"] = f"block-sums:{rng.choice([*SCORES])}"
    elif rng.random() < 0.2:
        ask["posterior"] = _posterior(rng, case) if rng.random() < 0.5 else True
        if rng.random() < 0.5:
            ask["rope"] = 0.01
    if rng.random() < 0.2:
        ask["control"] = str(rng.choice(case.names))
    draw = rng.random()
    margin = (
        {"relevance": 0.01} if draw < 0.08 else {"non_inferiority": 0.02} if draw < 0.16 else {}
    )
    margin = {"equivalence": 0.05} if draw > 0.93 else margin
    if "posterior" in ask:
        margin = {}
    elif "non_inferiority" in margin and rng.random() < 0.9:
        ask["control"] = str(rng.choice(case.names))
    if rng.random() < (0.5 if ask.get("procedure") in LOCATED else 0.15):
        ask["adjust"] = str(rng.choice(ADJUSTMENTS))
    if ask.get("procedure") in LOCATED and rng.random() < 0.3:
        ask["null"] = str(rng.choice(["exact", "asymptotic", "permutation:999", "corrected"]))
    if rng.random() < 0.15:
        ask["alpha"] = float(rng.choice([0.01, 0.1, 0.2]))
    if rng.random() < 0.1 and case.table.columns[0] == "dataset":
        kinds = ["ranks", "best", "normalised", f"baseline:{case.names[0]}"]
        ask["scale"] = str(rng.choice(kinds))
    if rng.random() < 0.05 and {"dataset", "sample"} <= {*case.table}:  # samples within data sets
        ask |= {"procedure": "survey-fixed", "weights": {case.table["dataset"].iloc[0]: 3.0}}
    if rng.random() < 0.05:
        ask["target"] = str(rng.choice(["sample", "population", "datasets", "test-set"]))
    if rng.random() < 0.08:
        ask["gaps"] = str(rng.choice(["complete", "worst", "pairs"]))
    if rng.random() < 0.05:
        ask["alternative"] = str(rng.choice(["less", "greater"]))
    known = {name: value for name, value in (ask | margin).items() if value is not None}
    return replace(case, ask=known)


def _procedure(rng: np.random.Generator, case: Case) -> str | None:
    """One of the named tests that are valid for the design."""
    try:
        layout = podium.layout(case.results)
    except PodiumError:
        return None
    valid = [name for name, p in PROCEDURES.items() if is_legal(p, layout)]
    located = [name for name in valid if name in LOCATED]
    if located and rng.random() < 0.2:
        return str(rng.choice(located))
    return str(rng.choice(valid)) if valid else None


def _posterior(rng: np.random.Generator, case: Case) -> str | bool:
    """One of the named posteriors that are valid for the design."""
    try:
        layout = podium.layout(case.results)
    except PodiumError:
        return True
    valid = [name for name, p in POSTERIORS.items() if is_legal(p, layout)]
    return str(rng.choice(valid)) if valid else True


# -- what no design makes -------------------------------------------------------------------------


def _odd(rng: np.random.Generator, made: Case) -> Case:
    """Now and then tables at the edge: ties, constants, three rows, one score missing, far scales.

    Of wide tables; a measure of no known range takes the scales.
    """
    heads = [name for name in made.table.columns if name in made.names]
    if len(heads) < 2 or made.more or rng.random() < 0.65:
        return made
    table, read = made.table.copy(), dict(made.read)
    values = table[heads].to_numpy(float, copy=True)
    kind = rng.integers(8)
    if kind == 0:  # ties everywhere
        values = np.round(values, int(rng.integers(0, 2)))
    elif kind == 1:
        values[:, rng.integers(len(heads))] = np.nanmean(values)
    elif kind == 2:  # all alike, on some of the rows or on all
        rows = rng.random(len(values)) < rng.choice([0.5, 1.0])
        values[rows] = values[rows][:, :1]
    elif kind == 3:
        few = min(3, len(values))
        table, values = table.iloc[:few].copy(), values[:few]
    elif kind == 4:
        values[rng.integers(len(values)), rng.integers(len(heads))] = np.nan
    elif kind == 5 and "dataset" in table:  # losses, and scores below 0
        read |= {"measure": OWN_UNIT, "higher_is_better": False}
        values = -values if rng.random() < 0.5 else values - np.nanmedian(values)
    elif "dataset" in table:  # a scale on which absolute bounds of rounding would show
        read |= {"measure": OWN_UNIT, "higher_is_better": bool(rng.random() < 0.5)}
        values = values * 10.0 ** rng.choice([-12, -6, 6, 12]) if kind == 6 else values + 1e6
    table[heads] = values
    return replace(made, table=table, read=read)


# -- designs --------------------------------------------------------------------------------------


def _datasets(rng: np.random.Generator, names: list[str]) -> Case:
    values = _holed(rng, _scores(rng, int(rng.integers(2, 25)), len(names)))
    measure = str(rng.choice(["accuracy", "error", "auc", OWN_UNIT]))
    read: dict[str, Any] = {"measure": measure}
    if measure == OWN_UNIT:
        read["higher_is_better"] = bool(rng.random() < 0.5)
        values = values * 10.0 ** rng.integers(-3, 4)
    return Case(_wide(values, names), read, {})


def _failed(rng: np.random.Generator, names: list[str]) -> Case:
    """Some runs failed, and some are missing besides."""
    values = _holed(rng, _scores(rng, int(rng.integers(5, 20)), len(names)), 0.2)
    frame = _long(_wide(values, names), ["dataset"], "accuracy")
    failed = rng.random(len(frame)) < rng.choice([0.02, 0.1])
    frame["status"] = np.where(failed, "failed", "ok")
    frame.loc[failed, "accuracy"] = np.nan
    return Case(frame, {}, {}, named_in=("algorithm",))


def _samples(rng: np.random.Generator, names: list[str]) -> Case:
    values = _holed(rng, _scores(rng, int(rng.integers(5, 30)), len(names)))
    sampling = str(rng.choice(["bootstrap", "simulation", "subsampling:0.8"]))
    return Case(_wide(values, names, "sample"), {"measure": "error", "sampling": sampling}, {})


def _folds(rng: np.random.Generator, names: list[str]) -> Case:
    sampling, count = [("cv:10", 10), ("cv:5", 5), ("repeated-cv:5x2", 10)][rng.integers(3)]
    frame = _wide(_scores(rng, count, len(names)), names, "fold").drop(columns="fold")
    return Case(frame, {"measure": "accuracy", "sampling": sampling}, {})


def _right(
    rng: np.random.Generator, n: int, k: int, groups: np.ndarray | None = None
) -> np.ndarray:
    share = np.clip(0.7 + rng.choice([0.0, 0.1, 0.25]) * rng.normal(size=k), 0.02, 0.98)
    hard = 0.0 if groups is None else 0.2 * rng.normal(size=(groups.max() + 1, 1))[groups]
    return (rng.random((n, k)) < share + hard).astype(float)


def _items(rng: np.random.Generator, names: list[str]) -> Case:
    n = int(rng.integers(8, 80))
    values = _right(rng, n, len(names))
    if rng.random() < 0.2:
        values = np.round(values * rng.random(values.shape), 3)
    frame = _wide(_holed(rng, values), names, "item")
    return Case(frame, {"measure": "accuracy", "sampling": "items"}, {})


def _clusters(rng: np.random.Generator, names: list[str]) -> Case:
    n = int(rng.integers(20, 80))
    groups = rng.integers(0, int(rng.integers(3, 15)), n)
    frame = _wide(_right(rng, n, len(names), groups), names, "item")
    frame.insert(1, "document", [f"doc{g}" for g in groups])
    columns = str(rng.choice(["cluster=document", "stratum=document"], p=[0.8, 0.2]))
    return Case(frame, {"measure": "accuracy", "sampling": "items", "columns": columns}, {})


def _timings(rng: np.random.Generator, names: list[str]) -> Case:
    values = np.exp(rng.normal(0, 0.05, (int(rng.integers(5, 20)), len(names))))
    values = values * (1 + 0.05 * rng.normal(size=len(names)))
    frame = _wide(np.round(values, 5), names, "run")
    sampling = str(rng.choice(["runs", "runs+paired", "seeds"]))
    return Case(frame, {"measure": "time", "sampling": sampling}, {})


def _nested(rng: np.random.Generator, names: list[str]) -> Case:
    sets, samples = int(rng.integers(2, 9)), int(rng.integers(2, 6))
    values = _scores(rng, sets * samples, len(names))
    frame = pd.DataFrame(values, columns=names)
    frame.insert(0, "sample", np.tile(np.arange(samples), sets))
    frame.insert(0, "dataset", np.repeat([f"d{i}" for i in range(sets)], samples))
    sampling = str(rng.choice(["bootstrap", "subsampling:0.8", f"cv:{samples}"]))
    return Case(_long(frame, ["dataset", "sample"], "error"), {"sampling": sampling}, {},
                named_in=("algorithm",))  # fmt: skip


def _battles(rng: np.random.Generator, names: list[str]) -> Case:
    n, prompts, judges = (int(rng.integers(*e)) for e in ((40, 250), (8, 40), (1, 5)))
    strength = rng.choice([0.0, 0.5, 1.5]) * rng.normal(size=len(names))
    rows = []
    for _ in range(n):
        i, j = rng.choice(len(names), 2, replace=False)
        chance = 1 / (1 + np.exp(strength[j] - strength[i] - 0.1))
        won = "tie" if rng.random() < 0.1 else "model_a" if rng.random() < chance else "model_b"
        by = f"j{rng.integers(judges)}"
        rows.append((names[i], names[j], won, f"p{rng.integers(prompts)}", by))
    frame = pd.DataFrame(rows, columns=["model_a", "model_b", "winner", "prompt", "judge"])
    dropped = [c for c in ("prompt", "judge") if rng.random() < 0.4]
    ask = {"covariates": "none"} if rng.random() < 0.2 else {}
    return Case(frame.drop(columns=dropped), {}, ask, named_in=("model_a", "model_b"))


def _judged(rng: np.random.Generator, names: list[str]) -> Case:
    n, labelled = int(rng.integers(40, 120)), int(rng.integers(12, 40))
    human = _right(rng, n, len(names))
    judge = np.where(rng.random(human.shape) < rng.choice([0.7, 0.9]), human, 1 - human)
    rows = [(f"q{i}", name, judge[i, j], human[i, j] if i < labelled else np.nan)
            for i in range(n) for j, name in enumerate(names)]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["item", "model", "score", "human"])
    return Case(frame, {}, {"judge": "score", "human": "human"}, named_in=("model",))


def _predictions(rng: np.random.Generator, names: list[str]) -> Case:
    n, k = int(rng.integers(30, 120)), len(names)
    truth = rng.integers(0, 2, n)
    skill = 1 + rng.choice([0.0, 0.3, 1.0]) * rng.normal(size=k)
    score = 1 / (1 + np.exp(-((truth[:, None] - 0.5) * skill * 2 + rng.normal(size=(n, k)))))
    rows = [(f"q{i}", name, truth[i], round(score[i, j], 5), int(score[i, j] > 0.5))
            for i in range(n) for j, name in enumerate(names)]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["item", "model", "truth", "score", "prediction"])
    measure = str(rng.choice(["auc", "brier", "log-loss", "accuracy", "f1"]))
    return Case(frame, {"measure": measure}, {}, named_in=("model",))


def _seeds_and_items(rng: np.random.Generator, names: list[str]) -> Case:
    """Several answers to every item, by several training runs."""
    n, seeds = int(rng.integers(10, 30)), int(rng.integers(2, 5))
    rows = []
    share = np.clip(0.7 + 0.1 * rng.normal(size=len(names)), 0.05, 0.95)
    for s in range(seeds):
        own = np.clip(share + 0.03 * rng.normal(size=len(names)), 0.01, 0.99)
        right = rng.random((n, len(names))) < own
        rows += [(f"q{i}", name, s, int(right[i, j]))
                 for i in range(n) for j, name in enumerate(names)]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["item", "model", "seed", "correct"])
    return Case(frame, {}, {}, named_in=("model",))


def _gate(rng: np.random.Generator, names: list[str]) -> Case:
    """An old and a new table: items, runs or data sets; one measure or two."""
    n = int(rng.integers(8, 120))
    of = str(rng.choice(["item", "dataset"]))
    tables = []
    base = rng.random((n, 1))
    for side in (0.0, float(rng.choice([0.0, 0.02, -0.1]))):
        if of == "item" and rng.random() < 0.7:
            accuracy = (np.abs(base - 0.1 * rng.random((n, 1))) < 0.75 + side).astype(float)
        else:
            accuracy = np.clip(0.6 + 0.2 * base + side + 0.03 * rng.normal(size=(n, 1)), 0, 1)
        frame = _wide(_holed(rng, accuracy.round(4), 0.3), ["accuracy"], of)
        frame["cost"] = np.round(np.exp(0.1 * rng.normal(size=n) - side), 4)
        tables.append(frame.dropna(subset="accuracy"))
    draw = rng.random()
    ask: dict[str, Any] = {}
    if draw < 0.3:
        ask = {"margin": {"accuracy": 0.03}, "improve": "cost"}
    else:
        tables = [t.drop(columns="cost") for t in tables]
        ask = {"margin": float(rng.choice([0.01, 0.05]))} if draw < 0.8 else {}
    read = {"measure": "accuracy"} if "improve" not in ask else {}
    if of == "item":
        read["sampling"] = "items"
    return Case(tables[0], read, ask, verb=GATE, more=(tables[1],))


def _meta(rng: np.random.Generator, names: list[str]) -> Case:
    studies = int(rng.integers(3, 12))
    level = rng.choice([0.0, 0.02, 0.1]) * rng.normal(size=len(names))
    rows = []
    for study in range(studies):
        own = level + 0.02 * rng.normal(size=len(names))
        error = float(rng.uniform(0.005, 0.03))
        i, j = sorted(rng.choice(len(names), 2, replace=False))
        seen = own[i] - own[j] + error * rng.normal()
        rows.append((f"s{study}", names[i], names[j], round(seen, 5), round(error, 5)))
    frame = pd.DataFrame(rows, columns=["study", "first", "second", "difference", "se"])
    ask: dict[str, Any] = {"measure": "accuracy"}
    if rng.random() < 0.3:
        ask["network"] = True
    return Case(frame, {}, ask, verb=META, named_in=("first", "second"))


def _factors(rng: np.random.Generator, names: list[str]) -> Case:
    levels = [int(rng.integers(2, 4)) for _ in range(int(rng.integers(2, 4)))]
    cells = np.array(np.meshgrid(*[range(k) for k in levels])).reshape(len(levels), -1).T
    effect = rng.choice([0.0, 0.03]) * rng.normal(size=(len(levels), 3))
    rows = []
    for block in range(int(rng.integers(5, 25))):
        hard = 0.1 * rng.normal()
        for cell in cells:
            score = 0.7 + hard + sum(effect[f, at] for f, at in enumerate(cell))
            rows.append(
                (
                    f"d{block:02d}",
                    *[f"l{c}" for c in cell],
                    np.clip(score + 0.02 * rng.normal(), 0, 1),
                )
            )
    heads = ["encoder", "loss", "optimizer"][: len(levels)]
    frame = pd.DataFrame(rows, columns=["dataset", *heads, "accuracy"])
    ask = {"factors": ",".join(heads)}
    return Case(frame, {"measure": "accuracy"}, ask, verb=FACTORS)


def _front(rng: np.random.Generator, names: list[str]) -> Case:
    n = int(rng.integers(5, 40))
    unit = str(rng.choice(["dataset", "item"]))
    quality, cost = _scores(rng, n, len(names)), np.exp(0.3 * rng.normal(size=(n, len(names))))
    cost *= np.exp(0.5 * rng.normal(size=len(names)))
    rows = [(f"u{i:03d}", name, quality[i, j], round(cost[i, j], 4))
            for i in range(n) for j, name in enumerate(names)]  # fmt: skip
    frame = pd.DataFrame(rows, columns=[unit, "algorithm", "accuracy", "cost"])
    return Case(frame, {}, {"measures": "accuracy,cost"}, verb=FRONT, named_in=("algorithm",))


def _queued(rng: np.random.Generator, names: list[str]) -> Case:
    """Items that are looked at until pairs are decided; some of the queue were answered."""
    n = int(rng.integers(30, 120))
    items = pd.DataFrame({"item": [f"q{i:03d}" for i in range(n)], "topic": np.arange(n) // 4})
    plan: dict[str, Any] = {"seed": int(rng.integers(100)), "looks": int(rng.integers(2, 8))}
    plan["alpha"] = float(rng.choice([0.05, 0.1]))
    plan |= {"relevance": float(rng.choice([0.1, 0.3]))} if rng.random() < 0.4 else {}
    plan |= {"open": True} if rng.random() < 0.25 else {}
    plan |= {"cluster": "topic"} if rng.random() < 0.2 else {}
    if "open" in plan:
        plan.pop("looks")
    queue = podium.queue(items, names, **plan)
    right = _right(rng, n, len(names)).astype(int)
    done = int(rng.integers(n // 3, n + 1))
    rows = [(item, name, right[i, j])
            for i, item in enumerate(queue["item"][:done])
            for j, name in enumerate(names)]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["item", "model", "accuracy"])
    return Case(frame, {}, {}, named_in=("model",), queue=queue)


def _measures(rng: np.random.Generator, names: list[str]) -> Case:
    """Several measures in one table, one of which is asked about."""
    n = int(rng.integers(3, 20))
    quality, seconds = _scores(rng, n, len(names)), np.exp(rng.normal(size=(n, len(names))))
    seconds *= np.exp(rng.choice([0.0, 0.5]) * rng.normal(size=len(names)))
    rows = [(f"d{i:02d}", name, quality[i, j], 1 - quality[i, j], round(seconds[i, j], 5))
            for i in range(n) for j, name in enumerate(names)]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["dataset", "algorithm", "accuracy", "error", "seconds"])
    ask = {"measure": str(rng.choice(["accuracy", "error", "seconds"]))}
    return Case(frame, {}, ask, named_in=("algorithm",))


def _versions(rng: np.random.Generator, names: list[str]) -> Case:
    """Times of two versions, run several times on some benchmarks."""
    old, new = names[:2]
    faster, paired = float(rng.choice([0.0, 0.02, 0.2])), rng.random() < 0.3
    rows = []
    for b in range(int(rng.integers(2, 9))):
        level, change = np.exp(rng.normal()), faster + rng.choice([0.0, 0.1]) * rng.normal()
        for run in range(int(rng.integers(3, 12))):
            for name, shift in ((old, 0.0), (new, -change)):
                time = level * np.exp(shift + 0.03 * rng.normal())
                rows.append((f"b{b}", name, run, round(time, 6)))
    frame = pd.DataFrame(rows, columns=["dataset", "algorithm", "run", "time"])
    read = {"sampling": "runs+paired" if paired else "runs"}
    return Case(frame, read, {}, named_in=("algorithm",))


def _independent(rng: np.random.Generator, names: list[str]) -> Case:
    """Samples of its own for every algorithm."""
    values = _scores(rng, int(rng.integers(5, 30)), len(names))
    if rng.random() < 0.4:
        values[int(rng.integers(4, len(values))) :, 0] = np.nan
    sampling = str(rng.choice(["bootstrap+independent", "simulation+independent", "seeds"]))
    frame = _long(_wide(values, names, "sample"), ["sample"], "error").dropna()
    return Case(frame, {"sampling": sampling}, {}, named_in=("algorithm",))


def _halved(rng: np.random.Generator, names: list[str]) -> Case:
    """Five cross-validations of two folds, or origins of forecasts."""
    sampling, count = [("5x2cv", 10), ("rolling-origin:20x2", 20), ("5x2cv", 10)][rng.integers(3)]
    frame = _wide(_scores(rng, count, len(names)), names, "fold").drop(columns="fold")
    return Case(frame, {"measure": "error", "sampling": sampling}, {})


def _crossed(rng: np.random.Generator, names: list[str]) -> Case:
    """Items that several training sets, runs or conditions meet."""
    n, others = int(rng.integers(10, 40)), int(rng.integers(2, 7))
    head, read = [
        ("condition", {"sampling": "items", "columns": "condition=condition"}),
        ("seed", {"sampling": "seeds+paired"}),
        ("sample", {"sampling": f"training-sets:{others}x64"}),
    ][rng.integers(3)]
    level = np.clip(0.7 + rng.choice([0.0, 0.1]) * rng.normal(size=len(names)), 0.1, 0.9)
    rows = []
    for other in range(others):
        own = np.clip(level + 0.05 * rng.normal(size=len(names)), 0.02, 0.98)
        right = rng.random((n, len(names))) < own
        rows += [(f"q{i}", name, other, int(right[i, j]))
                 for i in range(n) for j, name in enumerate(names)]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["item", "model", head, "correct"])
    return Case(frame, read, {}, named_in=("model",))


def _held_out(rng: np.random.Generator, names: list[str]) -> Case:
    """Items of one cross-validation, each tested by the model of its fold."""
    n, folds = int(rng.integers(30, 90)), int(rng.choice([3, 5]))
    right = _right(rng, n, len(names))
    rows = [(f"q{i}", i % folds, name, right[i, j])
            for i in range(n) for j, name in enumerate(names)]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["item", "fold", "model", "correct"])
    ask = {"target": "fold-models"} if rng.random() < 0.5 else {}
    return Case(frame, {"sampling": f"cv:{folds}"}, ask, named_in=("model",))


def _stability(rng: np.random.Generator, names: list[str]) -> Case:
    made = (_datasets, _samples, _items)[rng.integers(3)](rng, names)
    return replace(made, verb=STABILITY)


DESIGNS: tuple[Callable[[np.random.Generator, list[str]], Case], ...] = (
    _datasets, _samples, _items, _failed, _datasets, _folds, _clusters, _battles, _datasets,
    _timings, _nested, _judged, _predictions, _seeds_and_items, _gate, _meta, _factors, _front,
    _queued, _stability, _measures, _versions, _independent, _halved, _crossed, _held_out,
    _datasets, _samples,
)  # fmt: skip


def case(number: int, seed: int = 0) -> Case:
    """The random request of a number: its design is the number's, in turn."""
    rng = np.random.default_rng([seed, number])
    k = int(rng.choice([2, 3, 3, 4, 5, 6]))
    names = [str(n) for n in rng.choice(NAMES, size=k, replace=False)]
    made = DESIGNS[number % len(DESIGNS)](rng, names)
    used = (
        names[:2] if made.read.get("sampling", "").startswith("runs") and made.named_in else names
    )
    made = _odd(rng, replace(made, names=tuple(used)))
    return _asked(rng, made) if made.verb == COMPARE else made


def cases(count: int, seed: int = 0) -> Iterator[Case]:
    """Random requests of all designs in turn."""
    return (case(i, seed) for i in range(count))


# -- the same told otherwise ----------------------------------------------------------------------


def renamed(of: Case) -> tuple[Case, dict[str, str]]:
    """The algorithms called otherwise, so that their alphabetical order is another one."""
    new = dict(zip(of.names, [f"m{9 - i}x" for i in range(len(of.names))], strict=True))
    if of.named_in:
        table = of.table.assign(**{c: of.table[c].map(new) for c in of.named_in})
    else:
        table = of.table.rename(columns=new)
    ask = of.ask | ({"control": new[of.ask["control"]]} if "control" in of.ask else {})
    if ":" in ask.get("scale", ""):
        kind, name = ask["scale"].split(":")
        ask["scale"] = f"{kind}:{new[name]}"
    return replace(of, table=table, ask=ask, names=tuple(new.values())), new


def shuffled(of: Case, rng: np.random.Generator) -> Case:
    """Rows and columns in another order; folds and origins that no column names stay."""
    rows = rng.permutation(len(of.table))
    if of.read.get("sampling", "").startswith(("repeated-cv", "5x2cv", "rolling-origin")):
        rows = np.arange(len(of.table))
    table = of.table.iloc[rows].reset_index(drop=True)
    if not of.named_in:
        heads = list(table.columns)
        names = [h for h in heads if h in of.names]
        turned = iter(rng.permutation(names))
        heads = [str(next(turned)) if h in of.names else h for h in heads]
        table = table[heads]
    return replace(of, table=table)


def turned(of: Case) -> Case | None:
    """The measure the other way round and moved, where it has no range of its own."""
    if of.read.get("measure") != OWN_UNIT or of.named_in:
        return None
    columns = [c for c in of.table.columns if c in of.names]
    table = of.table.assign(**{c: 100.0 - of.table[c] for c in columns})
    read = of.read | {"higher_is_better": not of.read["higher_is_better"]}
    return replace(of, table=table, read=read)
