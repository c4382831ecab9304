"""Scores in mappings: of scikit-learn's searches, and by algorithm as from cross_val_score."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from podium.base.errors import ResultsError
from podium.reading.cells.columns import Coded
from podium.reading.cells.vocabulary import Options, is_columns
from podium.reading.files.tabular import tabular
from podium.reading.formats.gathering import refuse_step
from podium.reading.formats.record import FORMATS, Format, Sample, Source
from podium.reading.results import Results
from podium.reading.tables.from_sheets import results_from
from podium.reading.tables.sheets import Sheet, sheet

_SPLIT = re.compile(r"split(\d+)_test_(.+)")


def _read_scores(source: Source, options: Options) -> Results:
    return scores_by_algorithm(source.given, options)


def scores_by_algorithm(
    scores: Mapping[Any, Any], options: Options, what: str = "The mapping"
) -> Results:
    """The results in a mapping from algorithms to their scores."""
    _refuse_columns(options)
    return results_from(_sheet({"": scores}, paired=options.paired, what=what), options)


def _is_search(source: Source) -> bool:
    """Whether it is a search, or keys (columns of a pandas frame) are those of `cv_results_`."""
    if hasattr(source.given, "cv_results_"):
        return True
    if not isinstance(source.given, (Mapping, pd.DataFrame)) and len(source.files) != 1:
        return False
    return not is_columns(source.columns) and any(_SPLIT.fullmatch(c) for c in source.columns)


def _read_search(source: Source, options: Options) -> Results:
    """The results of a search: its candidates, by fold."""
    _refuse_columns(options)
    results = getattr(source.given, "cv_results_", source.given)
    scoring = getattr(source.given, "scoring", None)
    if not isinstance(results, Mapping):
        table = tabular(results)
        results = {c: table.frame[c].tolist() for c in table.columns}
        results |= {c: table.numbers(c) for c in table.columns if _SPLIT.fullmatch(c)}
    if "params" not in results:
        raise ResultsError("cv_results_ lacks 'params', which names its candidates.")
    names = _candidate_names(map(_parameters, results["params"]))
    splits = sorted((int(m[1]), m[2], k) for k in results if (m := _SPLIT.fullmatch(k)))
    measures = {}
    for scorer in dict.fromkeys(s for _, s, _ in splits):
        scores = np.array([results[k] for _, s, k in splits if s == scorer], dtype=float)
        name = scorer if scorer != "score" else scoring if isinstance(scoring, str) else ""
        measures[name] = dict(zip(names, scores.T, strict=True))
    return results_from(_sheet(measures, higher=True), options)


def _refuse_columns(options: Options) -> None:
    refuse_step(options)
    if options.columns:
        raise ResultsError("columns is for tables; these scores have no columns to name.")


MAPPING = FORMATS.add(
    Format(
        "mapping",
        "a mapping from algorithms to their scores, as of scikit-learn's cross_val_score",
        recognises=lambda source: (
            isinstance(source.given, Mapping)
            and not is_columns(source.given)
            and not _is_search(source)
        ),
        read=_read_scores,
        samples=[
            Sample(
                lambda folder: {"svm": [0.1, 0.2, 0.1], "knn": [0.3, 0.1, 0.2]},
                order=("svm", "knn"),
                options={"measure": "error", "sampling": "bootstrap"},
            )
        ],
        general=True,
        place=10,
    )
)
SEARCH = FORMATS.add(
    Format(
        "cv-results",
        "cv_results_ of a search of scikit-learn (or the search), in which candidates are compared",
        recognises=_is_search,
        read=_read_search,
        samples=[
            Sample(
                lambda folder: {
                    "params": [{"C": 1}, {"C": 10}],
                    "split0_test_score": [0.7, 0.9],
                    "split1_test_score": [0.8, 0.9],
                },
                order=("C=10", "C=1"),
                options={"measure": "accuracy", "sampling": "cv"},
            )
        ],
        place=10,
    )
)


def _parameters(candidate: Any) -> Mapping[str, Any]:
    """The parameters of a candidate; in a file they are written as Python writes them."""
    if isinstance(candidate, Mapping):
        return candidate
    try:
        read = ast.literal_eval(str(candidate))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        read = None  # an object among them, as in {'svc': SVC()}
    return read if isinstance(read, dict) else {"": str(candidate).strip("{} ")}


def _candidate_names(params: Iterable[Mapping[str, Any]]) -> list[str]:
    names: list[str] = []
    for candidate in params:
        text = ", ".join(
            f"{k}={' '.join(str(v).split())}".lstrip("=") for k, v in candidate.items()
        )
        name, copies = text or "default", 1
        while name in names:  # a random search may draw a candidate twice
            copies += 1
            name = f"{text} ({copies})"
        names.append(name)
    return names


def _sheet(
    measures: Mapping[str, Mapping[Any, Any]],
    higher: bool | None = None,
    paired: bool = True,
    what: str = "The mapping",
) -> Sheet:
    """The sheet of scores by measure and algorithm, each a sequence of samples."""
    algorithms = [str(a).strip() for a in next(iter(measures.values()))]
    if not algorithms or "" in algorithms or len({*algorithms}) < len(algorithms):
        raise ResultsError(f"{what} must name each algorithm once, and none by a blank.")
    columns = [[_vector(a, v, what) for a, v in scores.items()] for scores in measures.values()]
    size = max(len(column) for column in columns[0])
    for name, column in zip(algorithms, columns[0], strict=True):
        if len(column) != size and paired:
            raise ResultsError(
                f"{what}: '{name}' has {len(column)} scores where others have {size}; every "
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
    return sheet(what, values, "algorithm", algorithms, rows, higher=higher)


def _lengthened(scores: np.ndarray, size: int) -> np.ndarray:
    return np.append(scores, np.full(size - len(scores), np.nan))


def _vector(algorithm: Any, scores: Any, what: str) -> np.ndarray:
    if isinstance(scores, Mapping):
        scores = scores.get("test_score", scores)  # of scikit-learn's cross_validate
    try:
        vector = np.asarray(scores, dtype=float)
    except (TypeError, ValueError):
        vector = np.empty((0, 0))
    if vector.ndim != 1 or not vector.size or np.isinf(vector).any():
        raise ResultsError(
            f"{what}: the scores of '{algorithm}' are no sequence of (finite) numbers: "
            f"{scores!r:.80}."
        )
    return vector
