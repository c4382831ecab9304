"""Study: data sets x algorithms x sampling x measures x seed; it lists Runs."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from podium import samplings
from podium.design.algorithms import Algorithm, algorithm
from podium.design.datasets import Dataset, check_name
from podium.design.draws import DRAWERS, Sampler, SplitterSplits, splitter_sampling
from podium.design.indices import read_indices
from podium.design.losses import Computed, computed
from podium.design.processes import Process
from podium.errors import DesignError, PodiumError
from podium.registry import unknown
from podium.samplings import Sampling

KEEP = ("predictions",)


@dataclass(frozen=True)
class Run:
    """One data set, algorithm and sample; its key is a hash of their content and the seed."""

    dataset: str
    algorithm: str
    sample: int
    key: bytes


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Study:
    """A benchmark experiment; it determines everything before anything runs.

    `sampling` is a text such as 'bootstrap:250', a `Sampling`, a scikit-learn splitter, or
    'indices:FILE' for samples read from a file. `keep=["predictions"]` stores what was predicted.
    """

    name: str
    datasets: tuple[Dataset | Process, ...]
    algorithms: tuple[Algorithm, ...]
    sampling: Sampling
    measures: tuple[Computed, ...]
    seed: int
    keep: tuple[str, ...] = ()
    population: str = ""
    splits: Any = field(default=None)
    text: str = ""  # the study file, where there is one

    def __init__(
        self,
        datasets: Dataset | Process | Sequence[Dataset | Process],
        algorithms: Any,
        *,
        sampling: Any,
        measures: Sequence[str | Computed] | str | Computed = ("error",),
        seed: int = 1,
        name: str = "study",
        keep: Sequence[str] = (),
        population: str = "",
        folder: str | Path = ".",
        text: str = "",
    ) -> None:
        with _about("name"):
            check_name("study", name)
        with _about("sampling"):
            value, splits = _sampling(sampling, Path(folder))
        with _about("measures"):
            chosen = _measures(measures)
        if isinstance(datasets, (Dataset, Process)):
            datasets = (datasets,)
        fields = {
            "name": name,
            "datasets": tuple(datasets),
            "algorithms": _algorithms(algorithms),
            "sampling": value,
            "splits": splits,
            "seed": seed,
            "population": population,
            "measures": chosen,
            "keep": tuple(keep),
            "text": text,
        }
        for key, content in fields.items():
            object.__setattr__(self, key, content)
        _check(self)

    @cached_property
    def sampler(self) -> Sampler:
        """What draws the study's samples."""
        return Sampler(self.sampling, self.seed, self.splits)

    def samples(self, data: Dataset | Process) -> int:
        """The number of samples of a data set."""
        return self.sampler.count(data)

    def __len__(self) -> int:
        return len(self.algorithms) * sum(self.samples(d) for d in self.datasets)

    def __iter__(self) -> Iterator[Run]:
        """Every run; the algorithms of a sample stand together, as they share its rows."""
        for data in self.datasets:
            heads = [(a.name, self._key_head(data, a)) for a in self.algorithms]
            for sample in range(1, self.samples(data) + 1):
                number = str(sample).encode()
                for name, head in heads:
                    key = head.copy()
                    key.update(number)
                    yield Run(data.name, name, sample, key.digest()[:16])

    def _key_head(self, data: Dataset | Process, a: Algorithm) -> Any:
        """The part of a run's key that its samples share; the number of samples is not in it."""
        parts = [data.name, data.fingerprint, a.name, a.fingerprint, self.sampling.identity]
        return hashlib.sha256(json.dumps([*parts, self.seed]).encode() + b"#")

    @property
    def definition(self) -> dict[str, Any]:
        """The study as plain values, for the store."""
        return {
            "name": self.name,
            "seed": self.seed,
            "population": self.population,
            "sampling": asdict(self.sampling),
            "sampling_identity": self.sampling.identity,
            "keep": list(self.keep),
            "measures": [m.name for m in self.measures],
            "datasets": {d.name: d.fingerprint for d in self.datasets},
            "samples": {d.name: self.samples(d) for d in self.datasets},
            "algorithms": {a.name: a.fingerprint for a in self.algorithms},
            "file": self.text,
        }

    def __repr__(self) -> str:
        return (
            f"<Study {self.name}: {_counted(self.datasets, 'data set')} x "
            f"{_counted(self.algorithms, 'algorithm')}, {self.sampling}, "
            f"{', '.join(m.name for m in self.measures)}, seed {self.seed}: {len(self)} runs>"
        )


def _counted(things: Sequence[object], noun: str) -> str:
    return f"{len(things)} {noun}{'s' * (len(things) != 1)}"


def _sampling(given: Any, folder: Path) -> tuple[Sampling, Any]:
    if isinstance(given, str) and given.startswith("indices:"):
        return read_indices(folder / given.removeprefix("indices:"))
    if hasattr(given, "split") and hasattr(given, "get_n_splits"):
        return splitter_sampling(given), SplitterSplits(given)
    return samplings.complete(samplings.parse(given)), None


def _algorithms(given: Any) -> tuple[Algorithm, ...]:
    """Algorithms from a list, or from a mapping of names to estimators."""
    if isinstance(given, Algorithm):
        return (given,)
    if hasattr(given, "items"):
        return tuple(a if isinstance(a, Algorithm) else algorithm(n, a) for n, a in given.items())
    return tuple(given)


def _measures(given: Any) -> tuple[Computed, ...]:
    given = (given,) if isinstance(given, (str, Computed)) else given
    return tuple(computed(m) for m in given)


@contextmanager
def _about(*where: str | int) -> Iterator[None]:
    """Note in an error what it is about, so that a study file can point to the line."""
    try:
        yield
    except PodiumError as error:
        error.args = (str(error), where)
        raise


def _check(study: Study) -> None:
    _check_kinds(study)
    for kind, things in (
        ("datasets", study.datasets),
        ("algorithms", study.algorithms),
        ("measures", study.measures),
    ):
        with _about(kind):
            _check_names(study, kind.replace("datasets", "data sets"), [t.name for t in things])
    with _about("seed"):
        if not isinstance(study.seed, int) or isinstance(study.seed, bool) or study.seed < 0:
            raise DesignError(f"The seed is a whole number from 0, not {study.seed!r}.")
    with _about("keep"):
        for entry in study.keep:
            if entry not in KEEP:
                raise DesignError("keep: " + unknown("thing to keep", entry, KEEP))
    for data in study.datasets:
        with _about("sampling"):
            _check_sampling(study, data)
        with _about("measures"):
            _check_measures(study, data)
    for i, a in enumerate(study.algorithms):
        with _about("algorithms", i, "name"):
            _check_algorithm(study, a)
    with _about("sampling"):
        if sum(study.samples(d) for d in study.datasets) * len(study.algorithms) > sys.maxsize:
            raise DesignError(f"The sampling '{study.sampling}' has more samples than can be run.")


def _check_names(study: Study, kind: str, names: list[str]) -> None:
    if not names:
        raise DesignError(f"Study '{study.name}' has no {kind}.")
    twice = next((n for n in names if names.count(n) > 1), None)
    if twice is not None:
        raise DesignError(f"Study '{study.name}': two {kind} are called '{twice}'.")


def _check_kinds(study: Study) -> None:
    for things, kinds, maker in (
        (study.datasets, (Dataset, Process), "podium.dataset(name, X, y)"),
        (study.algorithms, (Algorithm,), "podium.algorithm(name, estimator)"),
    ):
        for thing in things:
            if not isinstance(thing, kinds):
                raise DesignError(f"A study takes what {maker} makes, not {thing!r:.80}.")


def _check_sampling(study: Study, data: Dataset | Process) -> None:
    """Refuse a sampling that this data set does not allow."""
    s = study.sampling
    runnable = s.name in DRAWERS or s.name == "simulation" or s.folds_per_repeat or study.splits
    if not runnable:
        names = ", ".join(n for n in samplings.KINDS if n not in ("items", "splitter"))
        raise DesignError(
            f"The sampling '{s}' describes a table of scores; it cannot be run. These can: {names}."
        )
    if (s.name == "simulation") != isinstance(data, Process):
        raise DesignError(
            f"'{data.name}' is a process, which only the sampling 'simulation:B' samples."
            if isinstance(data, Process)
            else f"Data set '{data.name}' is no process, so 'simulation' cannot draw it anew. "
            "Use 'bootstrap:B', or a process such as builtin:twonorm."
        )
    if isinstance(data, Process):
        return
    if s.kind.needs_test_sample and not data.n_test:
        raise DesignError(
            f"The sampling '{s}' needs a test sample; data set '{data.name}' has none."
        )
    if s.stratified and not data.classes:
        raise DesignError(f"The sampling '{s}' needs classes; '{data.name}' is a regression.")
    if s.grouped and data.groups is None:
        raise DesignError(f"The sampling '{s}' needs groups; data set '{data.name}' has none.")
    units = int(data.groups.max()) + 1 if s.grouped and data.groups is not None else data.n
    least = max(s.folds_per_repeat or s.folds or 2, 2)
    if units < least:
        noun = "groups" if s.grouped else "rows"
        raise DesignError(f"The sampling '{s}' needs {least} {noun}; '{data.name}' has {units}.")
    if study.splits is not None:
        study.samples(data)  # tries the splits now


def _check_measures(study: Study, data: Dataset | Process) -> None:
    for m in study.measures:
        if data.task not in m.tasks:
            raise DesignError(
                f"The measure '{m.name}' is for {m.tasks[0]}; data set '{data.name}' is a "
                f"{data.task}. Choose another measure, or set the data set's task."
            )


def _check_algorithm(study: Study, a: Algorithm) -> None:
    for data in study.datasets:
        if a.kind and a.kind != data.task:
            raise DesignError(
                f"Algorithm '{a.name}' does {a.kind}; data set '{data.name}' is a {data.task}. "
                "Choose another algorithm, or set the data set's task."
            )
    for m in study.measures:
        lacking = next((outputs for outputs in m.needs if a.lacks(outputs)), None)
        if lacking:
            raise DesignError(
                f"Algorithm '{a.name}' has no {' or '.join(lacking)}, which the measure "
                f"'{m.name}' needs. Choose another measure or algorithm; "
                "sklearn.calibration.CalibratedClassifierCV gives probabilities to any classifier."
            )
