"""Runs in OpenML's format: for each task and algorithm a description (XML) and predictions (ARFF).

The files are those that OpenML takes as a run (https://docs.openml.org). Repeats, folds and rows
are numbered from 0, as in the task's splits.
"""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from podium.core.base.errors import ResultsError
from podium.core.base.places import place_within
from podium.core.base.writing import check_folder, make_folder, write_text, write_together
from podium.core.samplings import Sampling
from podium.reading.store import Store

NAMESPACE = "http://openml.org/openml"
OWN = "@openml"  # of a sampling that uses the tasks' own splits
PREDICTED, PROBABILITIES = "predict", "predict_proba"
# what OpenML calls a measure, and its value there
MEASURES: dict[str, tuple[str, Callable[[float], float]]] = {
    "accuracy": ("predictive_accuracy", float),
    "error": ("predictive_accuracy", lambda value: 1 - value),
    "absolute": ("mean_absolute_error", float),
    "rmse": ("root_mean_squared_error", float),
    "auc": ("area_under_roc_curve", float),
}
KEPT = """
    SELECT max(id) FROM runs WHERE failed = 0 AND dataset = ? AND algorithm = ? AND sample = ?
    AND EXISTS (SELECT 1 FROM predictions p WHERE p.run = runs.id)"""


@dataclass(frozen=True)
class _Fold:
    """What one sample of a task has given."""

    repeat: int
    fold: int
    arrays: Mapping[str, np.ndarray]
    evaluations: Mapping[str, float]


def export_openml(
    store: str | Path, folder: str | Path, *, flows: Mapping[str, int] | None = None
) -> list[Path]:
    """Write each algorithm's run on each task of a store into a folder of its own.

    Returns the folders, `task-59_svm` and so on, each with `description.xml` and
    `predictions.arff`. The store needs kept predictions and `sampling = "openml"`. `flows` are the
    numbers that OpenML knows the algorithms by; an upload needs them, the files do not.
    """
    check_folder(folder)
    with Store(store, readonly=True) as opened:
        reader = _Reader(opened)
        runs = [
            (task, algorithm, reader.folds(dataset, algorithm))
            for dataset, task in reader.tasks().items()
            for algorithm in reader.study["algorithms"]
        ]
        texts = [
            _texts(task, algorithm, reader, folds, (flows or {}).get(algorithm))
            for task, algorithm, folds in runs
        ]
    names = _folder_names([(task, algorithm) for task, algorithm, _ in runs])
    places = [place_within(folder, name) for name in names]
    with write_together():
        return [_written(place, text) for place, text in zip(places, texts, strict=True)]


class _Reader:
    """A store's current study and what was kept of it."""

    def __init__(self, store: Store) -> None:
        self.store = store
        studies = store.definitions()
        if not studies:
            raise ResultsError(f"The store '{store.path}' holds no study yet.")
        self.study = studies[-1]
        store.verified()
        store.verify_details()
        self.sampling = Sampling(**self.study["sampling"])
        self.measures = {i: m.name for i, m in store.measures().items()}
        self.datasets = self._current("datasets", "facts")
        self.algorithms = self._current("algorithms", "definition")

    def _current(self, kind: str, content: str) -> dict[str, tuple[int, dict[str, Any]]]:
        """Number and content of what the study means by each name."""
        rows = self.store.rows(f"SELECT id, name, fingerprint, {content} FROM {kind}")
        meant = self.study[kind]
        return {n: (i, json.loads(text)) for i, n, mark, text in rows if meant.get(n) == mark}

    def tasks(self) -> dict[str, int]:
        """The tasks' numbers by the names of their data sets."""
        results = {d: facts.get("openml_task") for d, (_, facts) in self.datasets.items()}
        tasks = {d: int(t) for d in self.study["datasets"] if (t := results.get(d)) is not None}
        if not tasks:
            raise ResultsError(
                f"The store '{self.store.path}' holds no task of OpenML. Write the sources of data "
                "sets as 'openml:task/NUMBER'."
            )
        if self.sampling.detail != OWN:
            raise ResultsError(
                f"The samples of '{self.store.path}' are not those of its tasks. Run its study "
                'with sampling = "openml".'
            )
        if self.study.get("fits", 1) != 1:
            raise ResultsError(
                f"The scores of '{self.store.path}' are means of {self.study['fits']} fits; a run "
                "of OpenML has the predictions of one. Run its study without 'fits'."
            )
        return tasks

    def classes(self, task: int) -> list[str]:
        """The classes of a task, none where it is a regression."""
        every = (facts for _, facts in self.datasets.values())
        return list(next(f["classes"] for f in every if f.get("openml_task") == task))

    def folds(self, dataset: str, algorithm: str) -> list[_Fold]:
        """All samples of a data set, in their order."""
        return [
            self._fold(dataset, algorithm, sample)
            for sample in range(1, self.study["samples"][dataset] + 1)
        ]

    def _fold(self, dataset: str, algorithm: str, sample: int) -> _Fold:
        ids = self.datasets[dataset][0], self.algorithms[algorithm][0], sample
        run = self.store.rows(KEPT, ids)[0][0]
        if run is None:
            raise ResultsError(
                f"The store '{self.store.path}' keeps no predictions of '{algorithm}' for sample "
                f"{sample} of '{dataset}'. Run its study to the end with keep = [\"predictions\"]."
            )
        repeat, fold = _place(self.sampling, sample)
        return _Fold(repeat, fold, self.store.kept(run)[0].arrays, dict(self._evaluations(run)))

    def _evaluations(self, run: int) -> Iterator[tuple[str, float]]:
        times = self.store.rows("SELECT fit_time, predict_time FROM runs WHERE id = ?", (run,))[0]
        for part, seconds in zip(("training", "testing"), times, strict=True):
            if seconds is not None:
                yield f"wall_clock_time_millis_{part}", 1000 * seconds
        for measure, value in self.store.rows(
            "SELECT measure, value FROM scores WHERE run = ?", (run,)
        ):
            if value is not None and self.measures[measure] in MEASURES:
                name, turned = MEASURES[self.measures[measure]]
                yield name, turned(value)


def _place(sampling: Sampling, sample: int) -> tuple[int, int]:
    """Repeat and fold of a sample, both from 0."""
    place = sampling.repeat_and_fold(sample)
    if place is not None:
        return place[0] - 1, place[1] - 1
    return (0, sample - 1) if sampling.replicate == "fold" else (sample - 1, 0)


# -- the two files ----------------------------------------------------------------------------


def _texts(
    task: int, algorithm: str, reader: _Reader, folds: list[_Fold], flow: int | None
) -> dict[str, str]:
    definition = reader.algorithms[algorithm][1]
    return {
        "description.xml": _description(task, algorithm, definition, folds, flow),
        "predictions.arff": _predictions(task, reader.classes(task), folds),
    }


def _description(
    task: int, algorithm: str, definition: dict[str, Any], folds: list[_Fold], flow: int | None
) -> str:
    ET.register_namespace("oml", NAMESPACE)
    root = _element(None, "run")
    _element(root, "task_id", task)
    if flow is not None:
        _element(root, "flow_id", flow)
    _element(root, "setup_string", f"{algorithm}: {json.dumps(definition)}")
    for name, value in _parameters(definition).items():
        setting = _element(root, "parameter_setting")
        _element(setting, "name", name)
        _element(setting, "value", json.dumps(value))
        if flow is not None:
            _element(setting, "component", flow)
    _element(root, "tag", "podium")
    output = _element(root, "output_data")
    for f in folds:
        for name, value in f.evaluations.items():
            place = {"repeat": str(f.repeat), "fold": str(f.fold)}
            evaluation = _element(output, "evaluation", **place)
            _element(evaluation, "name", name)
            _element(evaluation, "value", repr(float(value)))
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _element(
    parent: ET.Element | None, name: str, text: object = None, **attributes: str
) -> ET.Element:
    tag = f"{{{NAMESPACE}}}{name}"
    made = ET.Element(tag) if parent is None else ET.SubElement(parent, tag, attributes)
    made.text = None if text is None else _printable(str(text))
    return made


def _printable(text: str) -> str:
    """Text less the control characters that XML cannot hold."""
    return re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", "?", text)


def _parameters(definition: dict[str, Any]) -> dict[str, Any]:
    """The parameters that an algorithm's definition states."""
    recipe = definition.get("recipe")
    inner = recipe.get("parameters") if isinstance(recipe, dict) else None
    stated = definition.get("parameters")
    parts = [p for p in (inner, stated) if isinstance(p, dict)]
    return {name: value for part in parts for name, value in part.items()}


def _predictions(task: int, classes: list[str], folds: list[_Fold]) -> str:
    labels = [_quoted(c) for c in classes]
    nominal = "{" + ",".join(labels) + "}" if classes else "numeric"
    head = [f"@relation openml_task_{task}_predictions", ""]
    head += [f"@attribute {name} numeric" for name in ("repeat", "fold", "row_id")]
    head += [f"@attribute {_quoted('confidence.' + c)} numeric" for c in classes]
    head += [f"@attribute {name} {nominal}" for name in ("prediction", "correct")]
    rows = [row for f in folds for row in _rows(f, labels)]
    return "\n".join([*head, "", "@data", *rows]) + "\n"


def _rows(f: _Fold, labels: list[str]) -> Iterator[str]:
    """The lines of one sample: place, row, confidences, prediction and truth."""
    rows = f.arrays["row"].tolist()
    text, truth = f.arrays[PREDICTED], f.arrays["y"]
    confidences = _confidences(f.arrays, len(labels)).tolist() if labels else [[]] * len(rows)
    shown: Callable[[Any], str] = labels.__getitem__ if labels else repr
    for row, each, a, b in zip(rows, confidences, text.tolist(), truth.tolist(), strict=True):
        place = (str(f.repeat), str(f.fold), str(row))
        yield ",".join([*place, *map(repr, each), shown(a), shown(b)])


def _confidences(arrays: Mapping[str, np.ndarray], n_classes: int) -> np.ndarray:
    """Probabilities; without any, the predicted class has all of it."""
    if PROBABILITIES in arrays:
        return np.asarray(arrays[PROBABILITIES], dtype=float)
    return np.asarray(np.eye(n_classes)[arrays[PREDICTED]])


def _quoted(text: str) -> str:
    if re.fullmatch(r"[A-Za-z0-9_.+/-]+", text):
        return text
    escaped = re.sub(r"(['\\])", r"\\\1", text).replace("\n", "\\n").replace("\t", "\\t")
    return f"'{escaped}'".replace("\r", "\\r")


# -- writing ----------------------------------------------------------------------------------


def _folder_names(runs: list[tuple[int, str]]) -> list[str]:
    """A name for each run that every file system takes; numbered where two are alike."""
    names: list[str] = []
    for task, algorithm in runs:
        name = f"task-{task}_" + re.sub(r"[^\w.-]", "_", algorithm)[:100]
        number = 1
        while (unique := name if number == 1 else f"{name}-{number}").lower() in map(
            str.lower, names
        ):
            number += 1
        names.append(unique)
    return names


def _written(folder: Path, texts: Mapping[str, str]) -> Path:
    make_folder(folder)
    for name, text in texts.items():
        write_text(text, place_within(folder, name))
    return folder
