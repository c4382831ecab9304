"""One run: fit, predict, measure; whatever goes wrong becomes a failed record."""

from __future__ import annotations

import contextlib
import random
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from io import StringIO
from typing import Any, Protocol, TypeVar

import numpy as np
import pandas as pd

from podium.design.algorithms import Algorithm
from podium.design.datasets import Dataset
from podium.design.draws import Draw, Sampler, Split
from podium.design.identity import stream
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

T = TypeVar("T")


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
        """The outputs that the measures read; every algorithm predicts."""
        return needs(self.measures) or ((PREDICTED,),)

    @property
    def wants_memory(self) -> bool:
        """Whether peak memory was asked for."""
        return any(m.name == "peak-memory" for m in self.measures)


@dataclass(frozen=True)
class _Drawn:
    """A sample, or why there is none, and what was said while it was drawn."""

    sample: tuple[Dataset, Draw] | Failure
    warnings: tuple[Warned, ...]


def execute_batch(plan: Plan, runs: list[Run]) -> list[Record]:
    """The records of several runs; runs of one sample that stand together draw it once."""
    records = []
    last: tuple[str, int] | None = None
    with _generators_put_back():
        for run in runs:
            start = time.perf_counter()
            if (run.dataset, run.sample) != last:
                last = (run.dataset, run.sample)
                drawn = _drawn(plan, *last)
            content = _executed(plan, run, drawn)
            content |= {"seconds": time.perf_counter() - start, "finished": time.time()}
            records.append(Record(run.key, run.dataset, run.algorithm, run.sample, **content))
    return records


def _drawn(plan: Plan, dataset: str, sample: int) -> _Drawn:
    # a process may use the global generators: they follow from the sample, as all runs share it
    seed = int(stream(plan.sampler.seed, "global", dataset, sample).integers(2**32))
    with _watched(seed) as caught:
        found = _attempted(lambda: plan.sampler.sample(plan.data.get(dataset), sample))
    notes = () if isinstance(found, Failure) else found[1].notes
    return _Drawn(found, (*(Warned("sample", n, 1) for n in notes), *_counted(caught)))


def _executed(plan: Plan, run: Run, drawn: _Drawn) -> dict[str, Any]:
    """What the record of a run says."""
    if isinstance(drawn.sample, Failure):
        return {"failure": drawn.sample, "warnings": drawn.warnings}
    data, draw = drawn.sample
    with _watched(int.from_bytes(run.key[:4], "little")) as caught:
        found = _attempted(lambda: _measured(plan, run, data, draw))
    content: dict[str, Any] = {"failure": found} if isinstance(found, Failure) else found
    said = (*drawn.warnings, *content.get("warnings", ()), *_counted(caught))
    return content | {"warnings": said}


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
        values = _predictions(estimator, T, data, plan.needs)
        predict_time += time.perf_counter() - fitted
        fit_time += fitted - start
        if plan.keep_predictions:
            values |= _extras(estimator, T, data, values)
        outputs.append(readonly_output(data.y[split.test], values, len(data.classes)))
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


def readonly_output(y: np.ndarray, values: dict[str, np.ndarray], n_classes: int) -> Output:
    """What measures read; one that wrote into its arguments would change what others see."""
    for array in (y, *values.values()):
        array.flags.writeable = False
    return Output(y, values, n_classes)


def _kept(number: int, split: Split, output: Output) -> Kept:
    return Kept(number, {"row": split.test, "y": output.y, **output.values})


# -- predictions -----------------------------------------------------------------------------


def _predictions(estimator: Any, X: Any, data: Dataset, wanted: Needs) -> dict[str, np.ndarray]:
    """What the measures need of an estimator's predictions, checked and in the order of classes."""
    values: dict[str, np.ndarray] = {}
    for kinds in wanted:
        # always the first that can be had: a score does not depend on what other measures read
        kind = next((k for k in kinds if hasattr(estimator, k)), None)
        if kind is None:
            raise AlgorithmError(f"{type(estimator).__name__} has no {' or '.join(kinds)}")
        if kind not in values:
            values[kind] = _said(estimator, kind, X, data)
    return values


def _extras(
    estimator: Any, X: Any, data: Dataset, known: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """Further outputs to keep; one that cannot be had is a warning, as no measure asks for it."""
    values: dict[str, np.ndarray] = {}
    for kind in OUTPUTS:
        if kind not in known and hasattr(estimator, kind):
            try:
                values[kind] = _said(estimator, kind, X, data)
            except Exception as error:
                warnings.warn(f"{kind} is not kept: {error}", stacklevel=1)
    return values


def _said(estimator: Any, kind: str, X: Any, data: Dataset) -> np.ndarray:
    said = np.asarray(getattr(estimator, kind)(X))
    if kind == PREDICTED:
        return _predicted(said, data, len(X))
    return _by_class(said, estimator, kind, data, len(X))


def _numbers(said: np.ndarray, kind: str) -> np.ndarray:
    """Any type that means numbers, none of them missing."""
    try:
        said = said if said.dtype.kind in "biuf" else said.astype(float)
    except (TypeError, ValueError) as error:
        raise AlgorithmError(
            f"{kind} must return numbers, for classes the codes that y has: {error}"
        ) from None
    bad = np.isnan(said) if said.ndim == 1 else np.isnan(said).any(axis=1)
    if bad.any():
        raise AlgorithmError(f"{kind} returned {bad.sum()} missing values for {len(said)} rows")
    return said


def _predicted(said: np.ndarray, data: Dataset, n: int) -> np.ndarray:
    said = said[:, 0] if said.ndim == 2 and said.shape[1] == 1 else said
    if said.shape != (n,):
        raise AlgorithmError(f"predict returned an array of shape {said.shape} for {n} rows")
    said = _numbers(said, PREDICTED)
    if not data.classes:
        return said.astype(float)
    codes = said.astype(np.int64)
    if not np.array_equal(codes, said):
        raise AlgorithmError(f"predict returned {said[codes != said][0]!r}, which is no class")
    return codes


def _by_class(said: np.ndarray, estimator: Any, kind: str, data: Dataset, n: int) -> np.ndarray:
    """Columns in the order of the data set's classes, whatever the estimator's own order is.

    Of two classes, one column of decisions speaks for the second.
    """
    every = np.arange(len(data.classes))
    learned = np.asarray(getattr(estimator, "classes_", every)).astype(int)
    single = said.shape == (n,) and len(learned) == 2 and kind == DECISION
    if not single and said.shape != (n, len(learned)):
        raise AlgorithmError(f"{kind} returned an array of shape {said.shape} for {n} rows")
    said = _numbers(said, kind)
    # a class that was never learned is impossible
    full = np.full((n, len(every)), 0.0 if kind == PROBABILITIES else -np.inf)
    full[:, learned] = np.column_stack([-said, said]) if single else said
    return full[:, 1].copy() if single and len(every) == 2 else full


# -- what happens around a run ----------------------------------------------------------------


@contextlib.contextmanager
def _watched(seed: int) -> Iterator[list[warnings.WarningMessage]]:
    """Seeded global generators; prints swallowed, warnings collected."""
    np.random.seed(seed)  # for algorithms that know no random_state
    random.seed(seed)
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(StringIO()):
        warnings.simplefilter("always")
        yield caught


@contextlib.contextmanager
def _generators_put_back() -> Iterator[None]:
    """The caller's global generators go on as if nothing had happened."""
    before = np.random.get_state(), random.getstate()
    try:
        yield
    finally:
        np.random.set_state(before[0])
        random.setstate(before[1])


def _attempted(work: Callable[[], T]) -> T | Failure:
    """What `work` returns, or a failure: a user's code may raise anything, but Ctrl-C is Ctrl-C."""
    try:
        return work()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return _failure(error)


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
