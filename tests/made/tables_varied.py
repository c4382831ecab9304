"""Small tables of every design that can be read, with what may be asked of them; seeded."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

Cells = np.ndarray[Any, np.dtype[np.float64]]
NAMES = ("knn", "lda", "svm", "tree")


@dataclass(frozen=True)
class Asked:
    """A table, how it is read, and the requests of it by name."""

    table: pd.DataFrame
    read: dict[str, Any] = field(default_factory=dict)
    requests: dict[str, dict[str, Any]] = field(default_factory=lambda: {"usual": {}})


def scores(blocks: int, k: int, seed: int, *, gap: float = 0.03, digits: int = 4) -> Cells:
    """Shares of blocks x algorithms."""
    rng = np.random.default_rng(seed)
    level = 0.7 + 0.08 * rng.normal(size=(blocks, 1)) - gap * np.arange(k)
    return np.clip(np.round(level + 0.02 * rng.normal(size=(blocks, k)), digits), 0, 1)


def right(rows: int, k: int, seed: int, ahead: float = 0.1) -> Cells:
    """Items x models: 1 where right."""
    rng = np.random.default_rng(seed)
    hard = rng.random((rows, 1))
    return (hard * 0.6 + 0.4 * rng.random((rows, k)) < 0.6 - ahead * np.arange(k)).astype(float)


def wide(values: Cells, of: str = "dataset") -> pd.DataFrame:
    """One column per algorithm."""
    frame = pd.DataFrame(values, columns=NAMES[: values.shape[1]])
    frame.insert(0, of, [f"{of[0]}{i:02d}" for i in range(len(values))])
    return frame


def long(table: pd.DataFrame, ids: Iterable[str], value: str = "accuracy") -> pd.DataFrame:
    """One row per score."""
    return table.melt([*ids], var_name="algorithm", value_name=value)


def holed(values: Cells, share: float, seed: int = 5) -> Cells:
    """With missing cells in the first half of the algorithms."""
    values, rng = values.copy(), np.random.default_rng(seed)
    gone = rng.random(values.shape) < share
    gone[:, (values.shape[1] + 1) // 2 :] = False
    values[gone] = np.nan
    return values


def nested(sets: int, samples: int, k: int, seed: int) -> pd.DataFrame:
    """Samples within data sets."""
    frame = pd.DataFrame(scores(sets * samples, k, seed), columns=NAMES[:k])
    frame.insert(0, "sample", np.tile(np.arange(samples), sets))
    frame.insert(0, "dataset", np.repeat([f"d{i}" for i in range(sets)], samples))
    return long(frame, ["dataset", "sample"], "error")


def failing() -> pd.DataFrame:
    """Runs of which some failed, and others are missing."""
    frame = long(wide(scores(9, 3, 4)), ["dataset"])
    frame["status"] = "ok"
    frame.loc[[3, 12], "status"], frame.loc[[3, 12], "accuracy"] = "failed", np.nan
    return frame.drop(index=[7, 20])


def crossed(head: str, others: int = 4, items: int = 12, k: int = 2, seed: int = 1) -> pd.DataFrame:
    """Every item under each of several conditions, seeds or training sets."""
    rng = np.random.default_rng(seed)
    rows = []
    for other in range(others):
        share = 0.5 + 0.15 * rng.normal(size=k) + 0.2 * np.arange(k)
        own = rng.random((items, k)) < share
        rows += [
            (f"q{i:02d}", NAMES[j], f"{head[0]}{other}", int(own[i, j]))
            for i in range(items)
            for j in range(k)
        ]
    return pd.DataFrame(rows, columns=["item", "model", head, "correct"])


def two_conditions(items: int = 8, k: int = 2) -> pd.DataFrame:
    """Items under every prompt, scored by every judge."""
    rng = np.random.default_rng(2)
    shape = (items, 3, 4, k)
    y = rng.normal(size=shape) + rng.normal(size=(items, 1, 1, 1)) + 0.6 * np.arange(k)
    y += 0.5 * rng.normal(size=(1, 3, 1, k)) + 0.4 * rng.normal(size=(1, 1, 4, k))
    i, p, j, m = np.indices(shape).reshape(4, -1)
    return pd.DataFrame(
        {
            "item": [f"q{each}" for each in i],
            "prompt": [f"p{each}" for each in p],
            "judge": [f"j{each}" for each in j],
            "model": np.array(NAMES)[m],
            "score": np.round(y.ravel(), 3),
        }
    )


def battles(
    n: int = 160, k: int = 3, seed: int = 3, *, judges: int = 0, prompts: int = 0, ties: float = 0.1
) -> pd.DataFrame:
    """Choices between two, with lengths and a kind of either side."""
    rng = np.random.default_rng(seed)
    first = rng.integers(0, k, n)
    second = (first + rng.integers(1, k, n)) % k
    length = rng.integers(20, 200, (n, 2))
    at = 0.4 * (second - first) + 0.3 + 0.004 * (length[:, 0] - length[:, 1])
    chance = 1 / (1 + np.exp(-at))
    draw = rng.random(n)
    winner = np.where(rng.random(n) < chance, "model_a", "model_b")
    frame = pd.DataFrame(
        {
            "model_a": np.array(NAMES)[first],
            "model_b": np.array(NAMES)[second],
            "winner": np.where(draw < ties, "tie", winner),
            "length_a": length[:, 0],
            "length_b": length[:, 1],
            "style_a": rng.choice(["plain", "list", "table"], n),
            "style_b": rng.choice(["plain", "list", "table"], n),
        }
    )
    if prompts:
        frame["prompt"] = [f"p{each}" for each in rng.integers(0, prompts, n)]
    if judges:
        frame["judge"] = [f"j{each}" for each in rng.integers(0, judges, n)]
    return frame


def judged(n: int = 60, labels: int = 20, k: int = 2) -> pd.DataFrame:
    """A judge's scores of all items, people's of some."""
    rng = np.random.default_rng(6)
    human = right(n, k, 6)
    judge = np.where(rng.random(human.shape) < 0.85, human, 1 - human)
    rows = [
        (f"q{i}", NAMES[j], judge[i, j], human[i, j] if i < labels else np.nan)
        for i in range(n)
        for j in range(k)
    ]
    return pd.DataFrame(rows, columns=["item", "model", "score", "human"])


def predictions(n: int = 50, k: int = 2) -> pd.DataFrame:
    """Truth, scores and predictions of items."""
    rng = np.random.default_rng(8)
    truth = rng.integers(0, 2, n)
    skill = 1.5 - 0.6 * np.arange(k)
    score = 1 / (1 + np.exp(-((truth[:, None] - 0.5) * 2 * skill + rng.normal(size=(n, k)))))
    rows = [
        (f"q{i}", NAMES[j], truth[i], round(score[i, j], 4), int(score[i, j] > 0.5), f"t{i % 7}")
        for i in range(n)
        for j in range(k)
    ]
    return pd.DataFrame(rows, columns=["item", "model", "truth", "score", "prediction", "document"])


def unlike() -> pd.DataFrame:
    """Data sets whose scales are far apart."""
    values = scores(8, 3, 9) * 10.0 ** np.arange(-4, 4)[:, None]
    return wide(values)


def of_own_measures() -> pd.DataFrame:
    """Data sets of which each has a measure of its own."""
    frame = long(wide(scores(9, 3, 28)), ["dataset"], "value")
    is_error = frame["dataset"].isin(["d01", "d04", "d05"])
    frame["metric"] = np.where(is_error, "rmse", "accuracy")
    frame["value"] = np.where(is_error, 30 * (1 - frame["value"]), frame["value"])
    return frame


def hardly_common() -> pd.DataFrame:
    """Data sets of which two algorithms share one, and two others none."""
    values = scores(9, 4, 29)
    values[:5, 0], values[6:, 1], values[1:, 3] = np.nan, np.nan, np.nan
    return wide(values)


def clustered() -> pd.DataFrame:
    """Items of documents and topics."""
    frame = wide(right(36, 3, 12), "item")
    frame["document"] = [f"t{i // 4}" for i in range(36)]
    frame["topic"] = [("a", "b", "c")[i % 3] for i in range(36)]
    return frame


def answers() -> pd.DataFrame:
    """Two or three answers to every item."""
    rng = np.random.default_rng(14)
    rows = [
        (f"q{i}", NAMES[j], a, int(rng.random() < 0.35 + 0.3 * (i % 2) + 0.15 * j))
        for i in range(14)
        for j in range(2)
        for a in range(2 + (i + j) % 2)
    ]
    return pd.DataFrame(rows, columns=["item", "model", "answer", "correct"])


def held_out() -> pd.DataFrame:
    """Items of one cross-validation."""
    frame = wide(right(30, 3, 15), "item")
    frame.insert(1, "fold", [i % 5 for i in range(30)])
    return frame.melt(["item", "fold"], var_name="model", value_name="correct")


def own_samples() -> pd.DataFrame:
    """Samples of each algorithm's own, not equally many."""
    return long(wide(scores(9, 3, 16), "sample"), ["sample"], "error").drop(index=[2, 3, 4, 13])


def timed() -> pd.DataFrame:
    """Seconds of rounds on one machine."""
    values = np.exp(0.05 * np.random.default_rng(17).normal(size=(9, 3))) * [1, 1.04, 1.3]
    return wide(np.round(values, 5), "run")


FOLDS = ("dataset", "sample", "algorithm")
MARGINS: dict[str, dict[str, Any]] = {
    "usual": {},
    "equivalence": {"equivalence": 0.03},
    "not worse": {"non_inferiority": 0.02, "control": "lda"},
    "exploratory": {"adjust": "none", "alpha": 0.2},
}
TABLES: dict[str, Asked] = {
    "data sets": Asked(
        wide(scores(10, 4, 1)),
        {"measure": "accuracy"},
        MARGINS
        | {
            "friedman": {"procedure": "friedman"},
            "nemenyi": {"procedure": "nemenyi", "null": "asymptotic"},
            "ranks": {"procedure": "ranks"},
            "bayes": {"posterior": True, "rope": 0.01},
            "scaled": {"scale": "best"},
            "normalised": {"scale": "normalised"},
            "baseline": {"scale": "baseline:svm"},
            "of ranks": {"scale": "ranks"},
            "contrasts": {"contrasts": {"mean": {"knn": 0.5, "lda": 0.5, "svm": -1}}},
        },
    ),
    "few data sets": Asked(wide(scores(3, 3, 2)), {"measure": "error"}),
    "two data sets": Asked(wide(scores(2, 2, 2)), {"measure": "error"}),
    "missing": Asked(
        wide(holed(scores(12, 4, 3), 0.15)),
        {"measure": "error"},
        {
            "usual": {},
            "complete": {"gaps": "complete"},
            "worst": {"gaps": "worst"},
            "one sided": {"alternative": "less"},
            "ranks": {"procedure": "ranks"},
            "mixed": {"procedure": "mixed-tukey"},
        },
    ),
    "one missing": Asked(
        wide(holed(scores(25, 2, 21), 0.03)),
        {"measure": "error"},
        {"usual": {}, "equivalence": {"equivalence": 0.06}},
    ),
    "one of three missing": Asked(
        wide(holed(scores(30, 3, 21), 0.02)),
        {"measure": "error"},
        {"equivalence": {"equivalence": 0.05}},
    ),
    "failing": Asked(
        failing(), {}, {"usual": {}, "pairs": {"gaps": "pairs"}, "worst": {"gaps": "worst"}}
    ),
    "unlike": Asked(
        unlike(),
        {"measure": "depth", "higher_is_better": False},
        {"usual": {}, "means": {"procedure": "paired-t"}},
    ),
    "samples": Asked(
        wide(scores(12, 3, 5), "sample"),
        {"measure": "error", "sampling": "bootstrap"},
        MARGINS | {"population": {"target": "population"}},
    ),
    "folds": Asked(
        wide(scores(10, 3, 6), "fold").drop(columns="fold"),
        {"measure": "accuracy", "sampling": "cv:10"},
        {"usual": {}, "sample": {"target": "sample"}},
    ),
    "repeated": Asked(
        wide(scores(20, 3, 7), "fold").drop(columns="fold"),
        {"measure": "error", "sampling": "repeated-cv:4x5"},
        {"usual": {}, "sample": {"target": "sample"}, "bayes": {"posterior": True}},
    ),
    "five by two": Asked(
        wide(scores(10, 2, 8), "fold").drop(columns="fold"),
        {"measure": "error", "sampling": "5x2cv"},
    ),
    "series": Asked(
        wide(scores(24, 2, 10), "fold").drop(columns="fold"),
        {"measure": "mae", "sampling": "rolling-origin:24x1x2"},
        {"usual": {}, "long run": {"procedure": "diebold-mariano"}},
    ),
    "series of windows": Asked(
        wide(scores(18, 3, 11), "fold").drop(columns="fold"),
        {"measure": "mae", "sampling": "rolling-origin:18x5"},
        {"usual": {}, "long run": {"procedure": "diebold-mariano"}},
    ),
    "nested": Asked(
        nested(5, 4, 3, 12),
        {"sampling": "bootstrap"},
        {
            "usual": {},
            "these": {"target": "datasets"},
            "one": {"dataset": "d1"},
            "random": {"procedure": "survey-random"},
            "weighed": {"procedure": "survey-fixed", "weights": {"d0": 3.0}},
        },
    ),
    "nested folds": Asked(
        nested(4, 5, 2, 13),
        {"sampling": "cv:5"},
        {"usual": {}, "these": {"procedure": "survey-fixed"}},
    ),
    "uneven": Asked(
        nested(4, 4, 2, 13).drop(index=[1, 6, 17]),
        {"sampling": "bootstrap"},
        {"usual": {}, "these": {"target": "datasets"}, "random": {"procedure": "survey-random"}},
    ),
    "items": Asked(
        wide(right(40, 3, 9), "item"),
        {"measure": "accuracy", "sampling": "items"},
        MARGINS | {"counts": {"procedure": "mcnemar"}},
    ),
    "items with gaps": Asked(
        wide(holed(right(40, 3, 9), 0.1), "item"), {"measure": "accuracy", "sampling": "items"}
    ),
    "documents": Asked(
        clustered().drop(columns="topic"),
        {"measure": "accuracy", "sampling": "items", "columns": "cluster=document"},
    ),
    "topics": Asked(
        clustered().drop(columns="document"),
        {"measure": "accuracy", "sampling": "items", "columns": "stratum=topic"},
    ),
    "documents and topics": Asked(
        clustered(),
        {"measure": "accuracy", "sampling": "items", "columns": "cluster=document,stratum=topic"},
    ),
    "answers": Asked(answers(), {}, {"usual": {}, "pass": {"measure": "pass@2"}}),
    "seeds": Asked(crossed("seed"), {"sampling": "seeds"}),
    "shared seeds": Asked(crossed("seed", 3), {"sampling": "seeds+paired"}),
    "training sets": Asked(
        crossed("sample", 5, 14, 2),
        {"sampling": "training-sets:5x64"},
        {"usual": {}, "items": {"target": "test-set"}, "quasi": {"procedure": "delve-quasi-f"}},
    ),
    "conditions": Asked(
        crossed("prompt", 4, 12, 3),
        {"sampling": "items", "columns": "condition=prompt"},
        {"usual": {}, "these": {"target": "test-set"}, "bayes": {"posterior": True}},
    ),
    "five conditions": Asked(
        crossed("prompt", 5, 10, 2), {"sampling": "items", "columns": "condition=prompt"}
    ),
    "two conditions": Asked(
        two_conditions(), {"higher_is_better": True}, {"usual": {}, "these": {"target": "test-set"}}
    ),
    "two conditions of three": Asked(two_conditions(6, 3), {"higher_is_better": True}),
    "held out": Asked(
        held_out(), {"sampling": "cv:5"}, {"usual": {}, "models": {"target": "fold-models"}}
    ),
    "own samples": Asked(
        own_samples(),
        {"sampling": "bootstrap+independent"},
        {
            "usual": {},
            "ranks": {"procedure": "steel-dwass"},
            "kruskal": {"procedure": "kruskal-wallis"},
        },
    ),
    "own processes": Asked(own_samples(), {"sampling": "simulation+independent"}),
    "training runs": Asked(own_samples(), {"sampling": "seeds"}),
    "timed": Asked(timed(), {"measure": "time", "sampling": "runs"}),
    "timed in rounds": Asked(timed(), {"measure": "time", "sampling": "runs+paired"}),
    "battles": Asked(
        battles().drop(columns=["style_a", "style_b"]),
        {},
        {
            "usual": {},
            "plain": {"covariates": "none"},
            "length": {"covariates": "length"},
            "control": {"control": "lda"},
            "bayes": {"posterior": True},
        },
    ),
    "battles with style": Asked(
        battles(200, seed=4), {}, {"style": {"covariates": "style,length"}}
    ),
    "battles without ties": Asked(battles(90, 4, 5, ties=0.0), {}),
    "battles of prompts": Asked(battles(180, 3, 6, prompts=25), {}),
    "battles of judges": Asked(
        battles(240, 3, 7, judges=6, prompts=30),
        {},
        {
            "usual": {},
            "these judges": {"covariates": "judge"},
            "many": {"covariates": "judge,length,style"},
        },
    ),
    "battles of one judge": Asked(battles(120, 3, 8, judges=1, prompts=20), {}),
    "battles of two judges": Asked(
        battles(160, 3, 10, judges=2, prompts=12),
        {},
        {"usual": {}, "these judges": {"covariates": "judge"}},
    ),
    "battles of two styles": Asked(
        battles(160, 3, 11).replace("table", "list"), {}, {"style": {"covariates": "style"}}
    ),
    "battles of judges alone": Asked(battles(150, 3, 9, judges=7), {}),
    "judge": Asked(
        judged(),
        {},
        {
            "usual": {"judge": "score", "human": "human"},
            "margin": {"judge": "score", "human": "human", "equivalence": 0.1},
        },
    ),
    "judge of three": Asked(judged(70, 30, 3), {}, {"usual": {"judge": "score", "human": "human"}}),
    "predictions": Asked(predictions(), {"measure": "auc"}),
    "predictions of three": Asked(predictions(40, 3), {"measure": "f1"}),
    "documents predicted": Asked(predictions(), {"measure": "auc", "columns": "cluster=document"}),
    "log loss": Asked(predictions(), {"measure": "log-loss"}),
    "one algorithm": Asked(wide(scores(9, 1, 19)), {"measure": "error"}),
    "one on items": Asked(
        wide(right(25, 1, 19), "item"), {"measure": "accuracy", "sampling": "items"}
    ),
    "one on samples": Asked(
        wide(scores(9, 1, 20), "sample"), {"measure": "error", "sampling": "bootstrap"}
    ),
    "versions": Asked(
        wide(scores(6, 3, 23)).assign(dataset=["a-v1", "a-v2", "b", "c-2019", "c-2020", "d (1)"]),
        {"measure": "error"},
    ),
    "copies": Asked(wide(scores(9, 3, 24)[[0, 1, 2, 3, 4, 5, 6, 0, 1]]), {"measure": "error"}),
    "ranks": Asked(
        wide(np.argsort(scores(9, 4, 25), axis=1) + 1.0),
        {"measure": "place", "higher_is_better": False},
        MARGINS,
    ),
    "costs": Asked(
        wide(np.exp(3 * scores(14, 3, 26) ** 9 * np.array([1.0, 4.0, 2.0])).round(4)),
        {"measure": "cost"},
        {"usual": {}, "means": {"procedure": "paired-t"}},
    ),
    "percent": Asked(wide(100 * scores(9, 2, 27, digits=2)), {"measure": "accuracy"}, MARGINS),
    "half won": Asked(wide(np.array([[0.5, 0.25], [0.25, 0.5]] * 4)), {"measure": "error"}),
    "own measures": Asked(of_own_measures(), {}, {"usual": {}, "ranks": {"procedure": "ranks"}}),
    "hardly common": Asked(
        hardly_common(),
        {"measure": "error"},
        {
            "usual": {},
            "hull": {"procedure": "hull"},
            "mixed": {"procedure": "mixed-tukey"},
            "flip": {"procedure": "max-modulus"},
        },
    ),
    "alike": Asked(
        wide(np.repeat(np.round(scores(8, 1, 22) * 64) / 64, 3, axis=1)), {"measure": "error"}
    ),
}
