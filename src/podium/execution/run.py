"""One run: fit, predict, measure; whatever goes wrong becomes a failed record."""

from __future__ import annotations

import contextlib
import random
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pandas as pd

from podium.design.algorithms import Algorithm
from podium.design.datasets import Dataset
from podium.design.draws import Draw, Sampler, Split
from podium.design.losses import (
    DECISION,
    OUTPUTS,
    PREDICTED,
    PROBABILITIES,
    Computed,
    Needs,
    Output,
    needs,
    scored,
)
from podium.design.processes import Process
from podium.design.study import Run
from podium.execution.memory import PeakMemory
from podium.store import Failure, Kept, Record, Warned

LONGEST_TRACEBACK = 20_000
LONGEST_MESSAGE = 1_000
MOST_WARNINGS = 20  # different ones that are kept per run


class AlgorithmError(Exception):
    """An algorithm fitted, but what it predicted cannot be measured."""


class Data(Protocol):
    """Where a run gets its data set from: memory, or a memory map that all workers share."""

    def get(self, name: str) -> Dataset | Process:
        """The data set of this name."""


@dataclass(frozen=True)
class Plan:
    """What all runs of a study share."""

    data: Data
    algorithms: dict[str, Algorithm]
    sampler: Sampler
    measures: tuple[Computed, ...]
    keep_predictions: bool

    @property
    def needs(self) -> Needs:
        """The outputs that the measures read; with kept predictions, all that can be had."""
        wanted = needs(self.measures)
        return (*wanted, *((k,) for k in OUTPUTS)) if self.keep_predictions else wanted

    @property
    def wants_memory(self) -> bool:
        """Whether peak memory was asked for."""
        return any(m.name == "peak-memory" for m in self.measures)


def execute_batch(plan: Plan, runs: list[Run]) -> list[Record]:
    """The records of several runs; runs of one sample that stand together draw it once."""
    records = []
    last: tuple[str, int] | None = None
    drawn: tuple[Dataset, Draw] | Failure | None = None
    for run in runs:
        if (run.dataset, run.sample) != last:
            last, drawn = (run.dataset, run.sample), _drawn(plan, run)
        assert drawn is not None
        if isinstance(drawn, Failure):
            records.append(_record(run, failure=drawn))
        else:
            records.append(_executed(plan, run, *drawn))
    return records


def _drawn(plan: Plan, run: Run) -> tuple[Dataset, Draw] | Failure:
    try:
        return plan.sampler.sample(plan.data.get(run.dataset), run.sample)
    except Exception as error:  # a user's process or splitter may raise anything
        return _failure(error)


def _record(run: Run, **content: Any) -> Record:
    return Record(run.key, run.dataset, run.algorithm, run.sample, finished=time.time(), **content)


def _executed(plan: Plan, run: Run, data: Dataset, draw: Draw) -> Record:
    notes = tuple(Warned("sample", n, 1) for n in draw.notes)
    with _watched(run) as caught:
        try:
            content = _measured(plan, run, data, draw)
        except (Exception, SystemExit) as error:
            content = {"failure": _failure(error)}
    content["warnings"] = (*notes, *content.get("warnings", ()), *_counted(caught))
    return _record(run, **content)


def _measured(plan: Plan, run: Run, data: Dataset, draw: Draw) -> dict[str, Any]:
    """Scores, times and kept predictions of all splits of a sample."""
    algorithm = plan.algorithms[run.algorithm]
    outputs, kept = [], []
    fit_time = predict_time = 0.0
    memory = PeakMemory() if plan.wants_memory else None
    for number, split in enumerate(draw.splits):
        # a fresh estimator and fresh rows for every run: nothing leaks from one to the next
        estimator = algorithm.estimator(int.from_bytes(run.key, "little") + number)
        X, y = _rows(data, split.train), data.y[split.train]
        T = _rows(data, split.test)
        start = time.perf_counter()
        estimator.fit(X, y)
        fitted = time.perf_counter()
        values = _predictions(estimator, T, data, plan)
        predict_time += time.perf_counter() - fitted
        fit_time += fitted - start
        outputs.append(Output(data.y[split.test], values, len(data.classes)))
        if plan.keep_predictions:
            kept.append(_kept(number, split, outputs[-1]))
    scores = scored(plan.measures, outputs)
    if memory is not None:
        scores.values["peak-memory"] = memory.peak()
    undefined = tuple(Warned("undefined", f"{m}: {why}", 1) for m, why in scores.undefined.items())
    return {
        "scores": scores.values,
        "fit_time": fit_time,
        "predict_time": predict_time,
        "kept": tuple(kept),
        "warnings": undefined,
    }


def _rows(data: Dataset, rows: np.ndarray) -> np.ndarray | pd.DataFrame:
    return data.X[rows] if isinstance(data.X, np.ndarray) else data.X.iloc[rows]


def _kept(number: int, split: Split, output: Output) -> Kept:
    return Kept(number, {"row": split.test, "y": output.y, **output.values})


# -- predictions -----------------------------------------------------------------------------


def _predictions(estimator: Any, X: Any, data: Dataset, plan: Plan) -> dict[str, np.ndarray]:
    """What the measures need of an estimator's predictions, checked and in the order of classes."""
    values: dict[str, np.ndarray] = {}
    required = needs(plan.measures) or ((PREDICTED,),)
    for kinds in plan.needs or required:
        if any(k in values for k in kinds):
            continue
        kind = next((k for k in kinds if hasattr(estimator, k)), None)
        if kind is not None:
            said = np.asarray(getattr(estimator, kind)(X))
            values[kind] = _CHECKED[kind](said, estimator, data, len(X))
        elif kinds in required:
            raise AlgorithmError(f"{type(estimator).__name__} has no {' or '.join(kinds)}")
    return values


def _predicted(said: np.ndarray, estimator: Any, data: Dataset, n: int) -> np.ndarray:
    said = said[:, 0] if said.ndim == 2 and said.shape[1] == 1 else said
    if said.shape != (n,):
        raise AlgorithmError(f"predict returned an array of shape {said.shape} for {n} rows")
    if said.dtype == object:
        said = said.astype(float)
    _refuse_nan(said, PREDICTED)
    if not data.classes:
        return said.astype(float, copy=False)
    codes = said.astype(np.int64, copy=False)
    if codes.dtype != said.dtype and not np.array_equal(codes, said):
        raise AlgorithmError(f"predict returned {said[codes != said][0]!r}, which is no class")
    return codes


def _probabilities(said: np.ndarray, estimator: Any, data: Dataset, n: int) -> np.ndarray:
    return _by_class(said, estimator, data, n, PROBABILITIES, 0.0)


def _decision(said: np.ndarray, estimator: Any, data: Dataset, n: int) -> np.ndarray:
    if said.shape == (n,):
        _refuse_nan(said, DECISION)
        return said
    return _by_class(said, estimator, data, n, DECISION, -np.inf)


def _by_class(
    said: np.ndarray, estimator: Any, data: Dataset, n: int, kind: str, absent: float
) -> np.ndarray:
    """Columns in the order of the data set's classes; a class never learned gets `absent`."""
    classes = np.asarray(getattr(estimator, "classes_", np.arange(len(data.classes)))).astype(int)
    if said.shape != (n, len(classes)):
        raise AlgorithmError(f"{kind} returned an array of shape {said.shape} for {n} rows")
    _refuse_nan(said, kind)
    if len(classes) == len(data.classes):
        return said
    full = np.full((n, len(data.classes)), absent)
    full[:, classes] = said
    return full


def _refuse_nan(said: np.ndarray, kind: str) -> None:
    bad = np.isnan(said).any(axis=-1) if said.ndim == 2 else np.isnan(said)
    if bad.any():
        raise AlgorithmError(
            f"{kind} returned {int(bad.sum())} missing values for {len(said)} rows"
        )


_CHECKED = {PREDICTED: _predicted, PROBABILITIES: _probabilities, DECISION: _decision}


# -- what happens around a run ----------------------------------------------------------------


@contextlib.contextmanager
def _watched(run: Run) -> Iterator[list[warnings.WarningMessage]]:
    """Seeded global generators, prints swallowed, warnings collected."""
    seed = int.from_bytes(run.key[:4], "little")
    np.random.seed(seed)  # for algorithms that know no random_state
    random.seed(seed)
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(_Nowhere()):
        warnings.simplefilter("always")
        yield caught


class _Nowhere:
    """A stream that forgets."""

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None:
        pass


def _counted(caught: list[warnings.WarningMessage]) -> Iterator[Warned]:
    counts = Counter((w.category.__name__, str(w.message)[:LONGEST_MESSAGE]) for w in caught)
    for (category, message), count in counts.most_common(MOST_WARNINGS):
        yield Warned(category, message, count)


def _failure(error: BaseException) -> Failure:
    try:
        message = str(error)[:LONGEST_MESSAGE]
    except Exception:  # an exception whose own text fails
        message = ""
    text = "".join(traceback.format_exception(error, limit=50))
    return Failure(type(error).__name__, message, text[-LONGEST_TRACEBACK:])
