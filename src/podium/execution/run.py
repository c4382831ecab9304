"""One run: fit, predict, measure; whatever goes wrong becomes a failed record."""

from __future__ import annotations

import contextlib
import random
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import StringIO
from typing import Any, Protocol, TypeVar

import numpy as np
import pandas as pd

from podium.design.algorithms import Algorithm
from podium.design.datasets import Dataset
from podium.design.draws import Draw, Sampler, Split
from podium.design.identity import stream
from podium.design.losses import PREDICTED, Computed, Needs, Output, needs, scored
from podium.design.processes import Process
from podium.design.study import Run
from podium.execution.memory import PeakMemory
from podium.execution.predictions import extras, predictions
from podium.store import Failure, Kept, Record, Warned

LONGEST_TRACEBACK = 20_000
LONGEST_MESSAGE = 1_000
MOST_WARNINGS = 20  # different ones that are kept per run

T = TypeVar("T")


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
        values = predictions(estimator, T, data, plan.needs)
        predict_time += time.perf_counter() - fitted
        fit_time += fitted - start
        if plan.keep_predictions:
            values |= extras(estimator, T, data, values)
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
