"""Scores in mappings: scikit-learn's `cv_results_` and cross_validate, scores by algorithm."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from podium.errors import ResultsError
from podium.results.sheets import ABOUT_ROWS, Sheet
from podium.results.tabular import Coded
from podium.results.vocabulary import plain, role_of

_SPLIT = re.compile(r"split(\d+)_test_(.+)")


def holds_columns(source: Mapping[Any, Any]) -> bool:
    """Whether a mapping holds the columns of a table: one is text or about rows."""
    if is_search(source) or any(isinstance(v, Mapping) for v in source.values()):
        return False
    about_rows = any(role_of(str(k)) in ABOUT_ROWS and plain(str(k)) != "b" for k in source)
    return about_rows or any(_holds_text(v) for v in source.values())


def mapping_sheet(source: Mapping[Any, Any], scoring: object = None) -> Sheet:
    """The sheet in `cv_results_`, in results of cross_validate, or in scores by algorithm.

    `scoring` is what a search says of its scores; a text names the measure.
    """
    if not source:
        raise ResultsError("The mapping names no algorithms.")
    if is_search(source):
        return _from_search(source, scoring)
    if all(isinstance(v, Mapping) for v in source.values()):
        return _from_validations(source)
    return _from_scores(source)


def is_search(keys: Iterable[Any]) -> bool:
    """Whether the keys of a mapping, or the columns of a frame, are those of `cv_results_`."""
    return any(_SPLIT.fullmatch(str(k)) for k in keys)


def _from_search(found: Mapping[str, Any], scoring: object) -> Sheet:
    """The candidates of a search, one row per measure and split; larger is better."""
    if len(set(found.get("n_resources", ()))) > 1:
        raise ResultsError(
            "cv_results_ of successive halving cannot be compared: its candidates learned from "
            "samples of different sizes. Keep the candidates of one iteration."
        )
    if "params" not in found:
        raise ResultsError("cv_results_ lacks 'params', which names its candidates.")
    splits = {k: (int(m[1]), m[2]) for k in found if (m := _SPLIT.fullmatch(k))}
    keys = sorted(splits, key=lambda k: splits[k][0])
    nameless = scoring if isinstance(scoring, str) else ""
    return _sheet(
        "cv_results_",
        np.array([found[k] for k in keys], dtype=float),
        _candidate_names(found["params"]),
        [nameless if splits[k][1] == "score" else splits[k][1] for k in keys],
        [splits[k][0] for k in keys],
        higher=True,
    )


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


def _holds_text(values: Any) -> bool:
    sequence = isinstance(values, Iterable) and not isinstance(values, (str, Mapping))
    return sequence and any(isinstance(v, str) for v in values)


def _from_scores(source: Mapping[Any, Any]) -> Sheet:
    """Scores by algorithm, as from cross_val_score."""
    algorithms, columns = _stripped(source), [_vector(a, v) for a, v in source.items()]
    _check_equal_lengths(algorithms, columns)
    n = len(columns[0])
    return _sheet("The mapping", np.column_stack(columns), algorithms, [""] * n, range(n))


def _from_validations(source: Mapping[Any, Mapping[str, Any]]) -> Sheet:
    """What cross_validate returns for each algorithm; larger is better, as in scikit-learn."""
    first = next(iter(source.values()))
    keys = [k for k in first if str(k).startswith("test_")]
    if not keys or any(k not in v for v in source.values() for k in keys):
        raise ResultsError(
            "A mapping of mappings is read where each is what cross_validate returns, with "
            "'test_score' or 'test_...'. Otherwise pass {algorithm: scores}."
        )
    columns = [np.concatenate([_vector(a, v[k]) for k in keys]) for a, v in source.items()]
    _check_equal_lengths(_stripped(source), columns)
    n = len(columns[0]) // len(keys)
    names = ["" if k == "test_score" else k.removeprefix("test_") for k in keys for _ in range(n)]
    return _sheet(
        "The mapping",
        np.column_stack(columns),
        _stripped(source),
        names,
        [*range(n)] * len(keys),
        higher=True,
    )


def _stripped(names: Iterable[Any]) -> list[str]:
    found = [str(n).strip() for n in names]
    for name in found:
        if not name or found.count(name) > 1:
            raise ResultsError(f"The mapping has an empty or a repeated name: '{name}'.")
    return found


def _vector(algorithm: Any, scores: Any) -> np.ndarray:
    try:
        vector = np.asarray(scores, dtype=float)
    except (TypeError, ValueError):
        vector = np.empty((0, 0))
    if vector.ndim != 1 or not vector.size:
        raise ResultsError(
            f"The mapping: the scores of '{algorithm}' are no sequence of numbers: {scores!r:.80}."
        )
    return vector


def _check_equal_lengths(algorithms: list[str], columns: list[np.ndarray]) -> None:
    for name, column in zip(algorithms, columns, strict=True):
        if len(column) != len(columns[0]):
            raise ResultsError(
                f"The mapping: '{name}' has {len(column)} scores and '{algorithms[0]}' "
                f"{len(columns[0])}; every algorithm needs the scores of the same samples."
            )


def _sheet(
    what: str,
    values: np.ndarray,
    algorithms: list[str],
    names: list[str],
    samples: Iterable[int],
    higher: bool | None = None,
) -> Sheet:
    """One row per measure and sample, one head per algorithm."""
    if np.isinf(values).any():
        raise ResultsError(
            f"{what}: a score of '{algorithms[int(np.argwhere(np.isinf(values))[0, 1])]}' is "
            "infinite. Correct it, or use NaN where the score is missing."
        )
    measures = list(dict.fromkeys(names))
    drawn = np.fromiter(samples, dtype=np.int64)
    rows = {"sample": Coded(drawn, [str(i + 1) for i in range(drawn.max(initial=0) + 1)])}
    if measures != [""]:
        rows["measure"] = Coded(np.array([measures.index(n) for n in names]), measures)
    number = np.arange(1, len(values) + 1)
    return Sheet(what, values, "algorithm", algorithms, rows, number, higher=higher)
