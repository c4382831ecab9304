"""Measures of predictions over every kind of them, and files of many forms, are what was kept."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest
from asked import asked as line_asked
from asked import prepared, rng
from outcomes import outcome
from snapshots import assert_kept

import podium
from podium.asking.predictions import influence as inf
from podium.asking.predictions.measures import RULES, rule_named
from podium.asking.predictions.of_columns import OWN
from podium.asking.predictions.predicted import (
    LABELS,
    NUMBERS,
    PROBABILITIES,
    SCORES,
    TEXTS,
    Predictions,
    ordered,
    positive_class,
    tells_positive,
)
from podium.asking.predictions.scoring import requested

pytestmark = pytest.mark.numbers


@pytest.fixture(autouse=True)
def _only_what_is_shipped(monkeypatch):
    """An example of the source adds a measure, in the same process perhaps."""
    for name in OWN:
        monkeypatch.delitem(RULES, name)


N = 36
DRAWS = rng(1)
Y2, Y3 = DRAWS.integers(0, 2, N), DRAWS.integers(0, 3, N)
REAL = DRAWS.normal(3, 2, N).round(2)
P2 = np.clip(0.25 + 0.4 * Y2 + DRAWS.normal(0, 0.2, N), 0.0, 1.0).round(2)
P3 = DRAWS.dirichlet([1, 1, 1], N) * 0.6 + 0.4 * np.eye(3)[Y3]
WORDS = [("the cat sat", "a cat sat", "the cat"), ("one two", "one two", "b"), ("x", "y z", "x")]
WEIGHTS = (1 + np.arange(N) % 3) / np.mean(1 + np.arange(N) % 3)
QUERIES = np.arange(N) // 6
THREE = ("ant", "bee", "cow")


def kinds():
    """Predictions of every kind; the second of two is worse."""
    worse = np.where(np.arange(N) % 5, Y2, 1 - Y2)
    yield "two labels", Predictions(LABELS, {"a": Y2 ^ (P2 < 0.3), "b": worse}, Y2, ("0", "1"))
    yield (
        "three labels",
        Predictions(
            LABELS, {"a": np.where(np.arange(N) % 4, Y3, (Y3 + 1) % 3), "b": Y3[::-1]}, Y3, THREE
        ),
    )
    yield "probabilities", Predictions(
        PROBABILITIES, {"a": P2, "b": P2[::-1]}, Y2, ("0", "1"))  # fmt: skip
    yield "three probabilities", Predictions(
        PROBABILITIES, {"a": P3, "b": P3[:, ::-1]}, Y3, THREE)  # fmt: skip
    yield "scores", Predictions(SCORES, {"a": 5 * P2 - 2, "b": REAL}, Y2, ("0", "1"))
    yield (
        "numbers",
        Predictions(
            NUMBERS, {"a": REAL + rng(2).normal(0, 0.5, N).round(2), "b": np.full(N, 3.0)}, REAL
        ),
    )
    yield "ranking", Predictions(
        NUMBERS, {"a": P2, "b": P2[::-1]}, (Y3 * Y2).astype(float), queries=QUERIES)  # fmt: skip
    truth, one, other = (np.array([w[i] for w in WORDS] * 4, object) for i in range(3))
    yield "texts", Predictions(TEXTS, {"a": one, "b": other}, truth)


NAMES = [*RULES, "f2", "f0.5", "f1@0.3", "precision@0.4", "ndcg@3", "hit@2", "mrr@2",
         "pinball:0.9", "accuracy@0.6", "recall@0.2"]  # fmt: skip


def measured(predictions, name):
    request = requested(predictions, name)
    if request.rule.influence is None:  # of items
        return {model: request.rule.losses(request, output)[:8]
                for model, output in predictions.outputs.items()}  # fmt: skip
    found = {model: request.rule.influence(request, output)
             for model, output in predictions.outputs.items()}  # fmt: skip
    return {model: [of.value, np.asarray(of.psi)[:5], float(np.square(of.psi).sum())]
            for model, of in found.items()}  # fmt: skip


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", [name for name, _ in kinds()])
def test_measures_of_every_kind_are_kept(kind, weighted):
    predictions = dict(kinds())[kind]
    if weighted:
        size = len(predictions.truth)
        predictions = replace(predictions, weights=WEIGHTS[:size] / WEIGHTS[:size].mean())
    told = {name: outcome(measured, predictions, name) for name in NAMES}
    values = {name: of for name, of in told.items() if not isinstance(of, Exception)}
    assert values or kind == "texts"
    assert_kept("predictions", "measures", values, f"{kind}{' weighted' * weighted}", relative=1e-6)


def test_parts_of_influence_are_kept():
    x, y, w = REAL, REAL + np.sin(np.arange(N)), WEIGHTS
    told = {
        "mean": [inf.mean_of(x, each) for each in (None, w)],
        "ratio": [inf.ratio(x, np.abs(y) + 1, each) for each in (None, w)],
        "root": [inf.root_mean(x**2, each) for each in (None, w)],
        "explained": [inf.explained(x, y, each) for each in (None, w)],
        "correlation": [inf.correlation(x, y, each) for each in (None, w)],
        "auc": [inf.auc(Y2 == 1, P2, each) for each in (None, w)],
        "precision": [inf.average_precision(Y2 == 1, P2, each) for each in (None, w)],
        "quantile": [inf.quantile(np.abs(x), q) for q in (0.1, 0.5, 0.9)],
        "over": inf.mean_over([(Y2 == 1, inf.mean_of(x[Y2 == 1], None)),
                               (Y2 == 0, inf.mean_of(y[Y2 == 0], None))], N),
    }  # fmt: skip
    short = {name: [shortened(each) for each in (of if isinstance(of, list) else [of])]
             for name, of in told.items()}  # fmt: skip
    assert_kept("predictions", "influence", short, relative=1e-8)
    # influence is the derivative by weights: changing a weight a little moves the value so
    step = 1e-6
    for i in (0, 5):
        moved = np.ones(N)
        moved[i] += step
        lifted = inf.correlation(x, y, moved / moved.mean()).value
        slope = (lifted - inf.correlation(x, y, None).value) / step * N
        assert slope == pytest.approx(told["correlation"][0].psi[i], abs=1e-3)


def shortened(of):
    return [of.value, np.asarray(of.psi)[:6], float(np.square(of.psi).sum())]


def test_names_and_classes_are_kept():
    texts = ["Acc", "ROC AUC", "auc:ovr", "F1-Score", "fbeta:2", "best f1", "ECE", "MAE", "mse",
             "R^2", "hits@10", "P@5", "ndcg@0", "f1@2", "f-1", "pinball", "pinball:2", "WER",
             ""]  # fmt: skip
    classes = [("0", "1"), ("no", "yes"), ("spam", "ham"), ("b", "a"), ("1", "2"), ("-1", "1"),
               ("dog", "cat"), ("10", "9", "2"), ("false", "true")]  # fmt: skip
    told = {
        "named": {t: outcome(lambda t=t: (n := rule_named(t)) and [n.rule.name, n.rule.higher])
                  for t in texts},
        "classes": [[ordered(c), positive_class(c), tells_positive(c)] for c in classes],
    }  # fmt: skip
    assert_kept("predictions", "names", told)


# -- files ----------------------------------------------------------------------------------------

ITEM = [f"i{k}" for k in range(N)]
BINARY = pd.DataFrame({"id": ITEM, "y_true": Y2, "a": P2, "b": P2[::-1]})
HARD = pd.DataFrame({"id": ITEM, "label": np.where(Y2, "dog", "cat"),
                     "a": np.where(P2 > 0.5, "dog", "cat"),
                     "b": np.where(Y2[::-1], "dog", "cat")})  # fmt: skip
CLASSES = pd.DataFrame({"id": ITEM, "y_true": np.array(THREE)[Y3]} | {
    f"{m}_{c}": p[:, i].round(4) for m, p in (("a", P3), ("b", P3[:, ::-1]))
    for i, c in enumerate(THREE)})  # fmt: skip
FILES = {
    "binary": BINARY,
    "hard": HARD,
    "classes": CLASSES,
    "real": pd.DataFrame({"id": ITEM, "y_true": REAL, "a": REAL + P2, "b": REAL[::-1]}),
    "ranked": pd.DataFrame({"id": ITEM, "query": QUERIES, "y_true": Y3 * Y2, "a": P2, "b": REAL}),
    "grouped": BINARY.assign(cluster=QUERIES, weight=1 + np.arange(N) % 3),
    "long": BINARY.melt(["id", "y_true"], var_name="model", value_name="y_pred"),
    "percent": BINARY.assign(a=100 * P2, b=100 * P2[::-1]),
    "mixed": BINARY.assign(age=40 + QUERIES),
    "gaps": BINARY.assign(b=np.where(np.arange(N) % 9, P2[::-1], np.nan)),
    "words": pd.DataFrame({"id": range(12), "reference": [w[0] for w in WORDS] * 4,
                           "a": [w[1] for w in WORDS] * 4, "b": [w[2] for w in WORDS] * 4}),
}  # fmt: skip
TABLES = {name: partial(FILES.get, name) for name in FILES}
LINES = [
    "binary.csv -m auc", "binary.csv -m brier --why", "binary.csv", "binary.csv -m f1@0.4",
    "binary.csv -m calibration", "binary.csv -m accuracy", "binary.csv -m ece", "binary.csv -m odd",
    "hard.csv -m f1", "hard.csv", "hard.csv -m mcc --why", "hard.csv -m auc", "hard.csv -m kappa",
    "classes.csv -m log-loss", "classes.csv -m auc", "classes.csv",
    "real.csv", "real.csv -m mae", "real.csv -m r2 --why", "real.csv -m auc",
    "ranked.csv -m ndcg@3 --columns query=query", "ranked.csv -m mrr --columns query=query",
    "grouped.csv -m auc --why", "grouped.csv -m brier", "long.csv -m auc", "percent.csv -m brier",
    "percent.csv -m auc", "mixed.csv -m brier", "gaps.csv -m auc --why", "words.csv -m wer",
    "words.csv -m cer", "words.csv -m exact-match", "words.csv",
]  # fmt: skip


@pytest.mark.parametrize("line", LINES)
def test_screens_of_predictions_are_kept(line, tmp_path, monkeypatch, capsys):
    prepared(tmp_path, monkeypatch, **TABLES)
    told = line_asked(f"analyze {line}", capsys)
    assert_kept("predictions", "screens", told, line)


@pytest.mark.parametrize("measure", ["auc", "brier", "f1", "average-precision"])
def test_comparisons_of_predictions_are_kept(measure):
    found = podium.compare(BINARY, measure=measure)
    told = {"table": found.table, "means": found.means, "scores": found.extras.scores}
    assert_kept("predictions", "comparisons", told, measure, relative=1e-7)
