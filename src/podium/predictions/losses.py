"""Losses per item, of which measures of predictions are means; rankings within queries, texts."""

from __future__ import annotations

import numpy as np

from podium.base.errors import ResultsError
from podium.predictions.influence import Influence
from podium.predictions.predicted import Asked

BINS = 10  # of equal width, for calibration


def right(request: Asked, output: np.ndarray) -> np.ndarray:
    """1 where the label is right."""
    return (request.labels(output) == request.y).astype(float)


def wrong(request: Asked, output: np.ndarray) -> np.ndarray:
    """1 where the label is wrong."""
    return 1 - right(request, output)


def log_loss(request: Asked, output: np.ndarray) -> np.ndarray:
    """Minus the log probability of what happened, which must not be 0."""
    p = request.chance(output)[np.arange(request.predictions.n), request.y]
    if (p <= 0).any():
        place = int(np.argmax(p <= 0))
        model = next(m for m, o in request.predictions.outputs.items() if o is output)
        raise ResultsError(
            f"'{model}' gives probability 0 to what happened ({request.predictions.item(place)}; "
            f"{int((p <= 0).sum())} in all), so that its log-loss is infinite: use brier, or give "
            "probabilities that are not rounded."
        )
    return -np.log(p)


def brier(request: Asked, output: np.ndarray) -> np.ndarray:
    """(y - p)² of two classes; of more, its sum over classes, which is Brier's own."""
    if output.ndim == 1:
        return np.asarray((request.is_positive - request.score(output)) ** 2)
    p = request.chance(output)
    return np.asarray(((p - np.eye(p.shape[1])[request.y]) ** 2).sum(axis=1))


def absolute(request: Asked, output: np.ndarray) -> np.ndarray:
    """Absolute errors."""
    return np.abs(request.y - output)


def squared(request: Asked, output: np.ndarray) -> np.ndarray:
    """Squared errors."""
    return np.asarray((request.y - output) ** 2)


def pinball(request: Asked, output: np.ndarray) -> np.ndarray:
    """The loss of a quantile: pinball:0.9."""
    q = 0.5 if request.threshold is None else request.threshold
    e = request.y - output
    return np.maximum(q * e, (q - 1) * e)


def same_text(request: Asked, output: np.ndarray) -> np.ndarray:
    """1 where two texts are the same."""
    return (output == request.y).astype(float)


# -- rankings: one number per query ------------------------------------------------------------


def _by_query(request: Asked) -> list[np.ndarray]:
    queries = request.predictions.queries
    assert queries is not None
    _, place = np.unique(queries, return_inverse=True)
    order = np.argsort(place, kind="stable")
    return np.split(order, np.cumsum(np.bincount(place))[:-1])


def ndcg(request: Asked, output: np.ndarray) -> np.ndarray:
    """Of every query; documents with equal scores share the gain of their places."""
    return np.array([_ndcg(request.y[q], output[q], request.k) for q in _by_query(request)])


def _ndcg(relevance: np.ndarray, score: np.ndarray, k: int | None) -> float:
    discount = 1 / np.log2(np.arange(len(score)) + 2)
    if k is not None:
        discount[k:] = 0.0
    gain = 2.0**relevance - 1
    ideal = float((np.sort(gain)[::-1] * discount).sum())
    if not ideal:
        return np.nan
    _, place = np.unique(-score, return_inverse=True)
    sizes = np.bincount(place)
    ends = np.cumsum(sizes)
    total = np.concatenate([[0.0], np.cumsum(discount)])
    share = (total[ends] - total[ends - sizes]) / sizes
    return float((share * np.bincount(place, gain)).sum() / ideal)


def reciprocal_rank(request: Asked, output: np.ndarray) -> np.ndarray:
    """One over the place of the first relevant document; ties count against it."""
    return np.array([1 / _first(request.y[q], output[q], request.k) for q in _by_query(request)])


def hit(request: Asked, output: np.ndarray) -> np.ndarray:
    """Whether a relevant document is among the first k."""
    k = request.k or 1
    return np.array([float(_first(request.y[q], output[q], k) <= k) for q in _by_query(request)])


def _first(relevance: np.ndarray, score: np.ndarray, k: int | None) -> float:
    """The place of the first relevant document; infinite where there is none among the first k."""
    hits = score[relevance > 0]
    if not len(hits):
        return np.inf
    place = float((score >= hits.max()).sum() - (score[relevance > 0] == hits.max()).sum() + 1)
    return place if k is None or place <= k else np.inf


# -- texts -------------------------------------------------------------------------------------


def edits(truth: np.ndarray, values: np.ndarray, *, by_word: bool) -> tuple[np.ndarray, np.ndarray]:
    """Insertions, deletions and substitutions of every item, and the length of its truth."""
    cut = str.split if by_word else list
    pairs = [(cut(str(a)), cut(str(b))) for a, b in zip(truth, values, strict=True)]
    wrong = np.array([_distance(a, b) for a, b in pairs], float)
    return wrong, np.array([len(a) for a, _ in pairs], float)


def _distance(a: list[str], b: list[str]) -> int:
    """Levenshtein's, a row at a time."""
    if a == b:
        return 0
    codes = {word: i for i, word in enumerate(dict.fromkeys([*a, *b]))}
    other = np.array([codes[word] for word in b], int)
    row = np.arange(len(b) + 1)
    places = np.arange(len(b) + 1)
    for i, word in enumerate(a, 1):
        best = np.minimum(row[1:] + 1, row[:-1] + (other != codes[word]))
        # insertions: the least of all before, one more for every step
        row = np.minimum.accumulate(np.concatenate([[i], best]) - places) + places
    return int(row[-1])


# -- calibration -------------------------------------------------------------------------------


def calibration(positive: np.ndarray, p: np.ndarray) -> Influence:
    """Sum over bins of share x (mean of y - p)², less what chance adds: it may be below 0.

    In a bin of m items the mean over pairs of different items of r_i r_j, r = y - p, is unbiased
    for the square of the mean residual; a bin with one item counts nothing.
    """
    at = np.minimum((p * BINS).astype(int), BINS - 1)
    r = positive.astype(float) - p
    sums, squares, count = (np.bincount(at, x, BINS) for x in (r, r * r, np.ones(len(r))))
    value = np.where(count > 1, (sums**2 - squares) / np.maximum(count - 1, 1), 0.0).sum() / len(r)
    mean = sums / np.maximum(count, 1)
    psi = 2 * mean[at] * (r - mean[at]) + mean[at] ** 2
    return Influence(float(value), psi - psi.mean())
