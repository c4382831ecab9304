"""Scores in mappings: of scikit-learn's searches, and by algorithm as from cross_val_score."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from podium.errors import ResultsError
from podium.results.sheets import Sheet, sheet
from podium.results.tabular import Coded

_SPLIT = re.compile(r"split(\d+)_test_(.+)")


def is_search(keys: Iterable[Any]) -> bool:
    """Whether the keys of a mapping, or the columns of a frame, are those of `cv_results_`."""
    return any(_SPLIT.fullmatch(str(k)) for k in keys)


def mapping_sheet(
    source: Mapping[Any, Any], scoring: object = None, *, paired: bool = True
) -> Sheet:
    """The sheet in `cv_results_` or in scores by algorithm.

    `scoring` is what a search says of its scores; a text names the measure. Where nothing is
    `paired`, algorithms may differ in their number of scores.
    """
    if not is_search(source):
        return _sheet({"": source}, paired=paired)
    if "params" not in source:
        raise ResultsError("cv_results_ lacks 'params', which names its candidates.")
    names = _candidate_names(source["params"])
    splits = sorted((int(m[1]), m[2], k) for k in source if (m := _SPLIT.fullmatch(k)))
    measures = {}
    for scorer in dict.fromkeys(s for _, s, _ in splits):
        scores = np.array([source[k] for _, s, k in splits if s == scorer], dtype=float)
        name = scorer if scorer != "score" else scoring if isinstance(scoring, str) else ""
        measures[name] = dict(zip(names, scores.T, strict=True))
    return _sheet(measures, higher=True)


def _candidate_names(params: Iterable[Mapping[str, Any]]) -> list[str]:
    names: list[str] = []
    for candidate in params:
        text = ", ".join(f"{k}={' '.join(str(v).split())}" for k, v in candidate.items())
        name, copies = text or "default", 1
        while name in names:  # a random search may draw a candidate twice
            copies += 1
            name = f"{text} ({copies})"
        names.append(name)
    return names


def _sheet(
    measures: Mapping[str, Mapping[Any, Any]], higher: bool | None = None, paired: bool = True
) -> Sheet:
    """The sheet of scores by measure and algorithm, each a sequence of samples."""
    algorithms = [str(a).strip() for a in next(iter(measures.values()))]
    if not algorithms or "" in algorithms or len({*algorithms}) < len(algorithms):
        raise ResultsError("A mapping of scores names each algorithm once, and none by a blank.")
    columns = [[_vector(a, v) for a, v in scores.items()] for scores in measures.values()]
    size = max(len(column) for column in columns[0])
    for name, column in zip(algorithms, columns[0], strict=True):
        if len(column) != size and paired:
            raise ResultsError(
                f"The mapping: '{name}' has {len(column)} scores where others have {size}; every "
                "algorithm needs the scores of the same samples (or say that each has its own: "
                "sampling='bootstrap+independent')."
            )
    columns = [[_lengthened(v, size) for v in column] for column in columns]
    samples = [str(i) for i in range(1, size + 1)]
    rows = {
        "sample": Coded(np.tile(np.arange(size), len(measures)), samples),
        "measure": Coded(np.repeat(np.arange(len(measures)), size), list(measures)),
    }
    values = np.concatenate([np.column_stack(c) for c in columns])
    return sheet("The mapping", values, "algorithm", algorithms, rows, higher=higher)


def _lengthened(scores: np.ndarray, size: int) -> np.ndarray:
    return np.append(scores, np.full(size - len(scores), np.nan))


def _vector(algorithm: Any, scores: Any) -> np.ndarray:
    if isinstance(scores, Mapping):
        scores = scores.get("test_score", scores)  # of scikit-learn's cross_validate
    try:
        vector = np.asarray(scores, dtype=float)
    except (TypeError, ValueError):
        vector = np.empty((0, 0))
    if vector.ndim != 1 or not vector.size or np.isinf(vector).any():
        raise ResultsError(
            f"The mapping: the scores of '{algorithm}' are no sequence of (finite) numbers: "
            f"{scores!r:.80}."
        )
    return vector
