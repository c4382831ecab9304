"""The formulas of measures: losses and their functionals, AUC, clusters."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from podium.running.design.measuring.outputs import (
    ATTRIBUTES,
    CLASSES,
    CLUSTERS,
    DECISION,
    DENSITIES,
    LABELS,
    LOG_DENSITY,
    PREDICTED,
    PROBABILITIES,
    QUANTITIES,
    Output,
    Undefined,
    loss,
    score,
)

# -- losses: one number per observation ------------------------------------------------------------


@loss("error", PREDICTED, CLASSES)
def _error(o: Output) -> np.ndarray:
    return (o.y != o.get(PREDICTED)).astype(float)


@loss("accuracy", PREDICTED, CLASSES)
def _accuracy(o: Output) -> np.ndarray:
    return (o.y == o.get(PREDICTED)).astype(float)


@loss("squared", PREDICTED, QUANTITIES)
def _squared(o: Output) -> np.ndarray:
    return np.square(o.y - o.get(PREDICTED))


@loss("absolute", PREDICTED, QUANTITIES)
def _absolute(o: Output) -> np.ndarray:
    return np.abs(o.y - o.get(PREDICTED))


@loss("log-loss", PROBABILITIES, CLASSES)
def _log(o: Output) -> np.ndarray:
    p = o.get(PROBABILITIES)
    text = p[np.arange(len(p)), o.y] / p.sum(axis=1)
    return -np.log(np.clip(text, np.finfo(float).eps, None))  # a sure error is not infinitely bad


@loss("brier", PROBABILITIES, CLASSES)
def _brier(o: Output) -> np.ndarray:
    p = o.get(PROBABILITIES)
    loss = np.square(p - np.eye(o.n_classes)[o.y]).sum(axis=1)
    return np.asarray(loss / 2 if o.n_classes == 2 else loss)  # Brier's own range is 0..2


@loss("log-likelihood", LOG_DENSITY, DENSITIES)
def _log_density(o: Output) -> np.ndarray:
    return o.get(LOG_DENSITY)


# -- functionals: from losses to one number --------------------------------------------------------


def _quantile(q: float) -> Callable[[np.ndarray], float]:
    def quantile(losses: np.ndarray) -> float:
        """The ⌈q·m⌉-th smallest of m losses (hothorn2005, section 5.3)."""
        # q·m is computed in binary: 0.07·100 must not become the 8th value
        k = max(math.ceil(round(q * len(losses), 9)), 1)
        return float(np.partition(losses, k - 1)[k - 1])

    return quantile


def named_functional(text: str) -> Callable[[np.ndarray], float]:
    """The function behind `mean`, `median`, `quantile:0.95`, `supremum` or `root-mean`."""
    name, _, value = text.partition(":")
    if name == "quantile":
        return _quantile(float(value))
    return {
        "mean": lambda x: float(np.mean(x)),
        "median": lambda x: float(np.median(x)),
        "supremum": lambda x: float(np.max(x)),
        "root-mean": lambda x: math.sqrt(np.mean(x)),
    }[name]


@dataclass(frozen=True)
class LossScore:
    """A functional of a loss."""

    loss: Callable[[Output], np.ndarray]
    functional: Callable[[np.ndarray], float]

    def __call__(self, output: Output) -> float:
        """The score of one output."""
        return self.functional(self.loss(output))


score("rmse", PREDICTED, QUANTITIES)(LossScore(_squared, named_functional("root-mean")))


# -- scores of a whole test sample -----------------------------------------------------------------


@score("auc", (PROBABILITIES, DECISION), CLASSES)
def auc(o: Output) -> float:
    """The area under the ROC curve: the share of pairs in the right order, ties count half.

    With more than two classes, the mean over classes of each against the rest.
    """
    if PROBABILITIES in o.values:
        scores = o.get(PROBABILITIES)
    else:
        decision = o.get(DECISION)
        scores = np.column_stack([-decision, decision]) if decision.ndim == 1 else decision
    if scores.shape[1] != o.n_classes:
        raise Undefined(f"auc needs a decision for each of {o.n_classes} classes")
    if o.n_classes == 2:
        return _binary_auc(o.y == 1, scores[:, 1])
    return float(np.mean([_binary_auc(o.y == c, scores[:, c]) for c in range(o.n_classes)]))


def _binary_auc(positive: np.ndarray, score: np.ndarray) -> float:
    from scipy.stats import rankdata

    m = int(positive.sum())
    rest = len(positive) - m
    if m == 0 or rest == 0:
        raise Undefined("auc needs every class in the test sample")
    return float((rankdata(score)[positive].sum() - m * (m + 1) / 2) / (m * rest))


@score("adjusted-rand", PREDICTED, CLUSTERS, LABELS)
def adjusted_rand(o: Output) -> float:
    """The share of pairs that clusters and labels treat alike, corrected for chance.

    0 is expected of clusters drawn at random, 1 is agreement but for names (Hubert & Arabie 1985,
    equation 5).
    """
    from sklearn.metrics import adjusted_rand_score

    if len(o.y) < 2:
        raise Undefined("adjusted-rand needs at least two test rows")
    return float(adjusted_rand_score(o.y, o.get(PREDICTED)))


@score("silhouette", PREDICTED, CLUSTERS, ATTRIBUTES)
def silhouette(o: Output) -> float:
    """The mean silhouette of the test rows, by Euclidean distances of the attributes as given.

    Rousseeuw (1987); a row that is alone in its cluster counts 0.
    """
    from sklearn.metrics import silhouette_score

    clusters = len(np.unique(o.get(PREDICTED)))
    if not 2 <= clusters < len(o.y):
        raise Undefined(
            f"silhouette needs from 2 clusters to one less than rows, not {clusters} of {len(o.y)}"
        )
    return float(silhouette_score(np.asarray(o.X, dtype=float), o.get(PREDICTED)))
