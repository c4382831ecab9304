"""The samples of a sheet by number, and the sampling that they agree with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from podium.errors import ResultsError
from podium.results.sheets import Sheet
from podium.results.tabular import Coded
from podium.samplings import Sampling


@dataclass(frozen=True)
class Samples:
    """The samples of each row of a sheet, numbered from 1 within its data set."""

    datasets: Coded
    number: np.ndarray
    counts: np.ndarray  # by data set
    shapes: frozenset[tuple[int, int]]  # repeats x folds of every data set; empty without repeats

    @property
    def starts(self) -> np.ndarray:
        """The number of samples in all data sets before each."""
        return np.cumsum(self.counts) - self.counts

    @property
    def place(self) -> np.ndarray:
        """The number of each row's sample, from 0, when those of all data sets are counted."""
        return self.starts[self.datasets.codes] + self.number - 1

    @property
    def listed(self) -> tuple[np.ndarray, np.ndarray]:
        """The data set (by code) and the number of every sample of all data sets."""
        dataset = np.repeat(np.arange(len(self.counts)), self.counts)
        return dataset, np.arange(len(dataset)) - self.starts[dataset] + 1


def numbered(sheet: Sheet) -> Samples:
    """The samples of a sheet; where it has no column of samples, each data set has one."""
    nothing = Coded(np.zeros(len(sheet.values), np.int64), [sheet.name or "data"])
    datasets = sheet.rows.get("dataset", nothing)
    outer, inner = sheet.rows.get("repeat", nothing), sheet.rows.get("sample", nothing)
    folds, repeats = len(inner.names), len(outer.names)
    key = (datasets.codes * repeats + outer.codes) * folds + inner.codes
    found, place = np.unique(key, return_inverse=True)
    counts = np.bincount(found // (repeats * folds), minlength=len(datasets.names))
    starts = np.cumsum(counts) - counts
    shapes = _shapes(found // folds, repeats) if "repeat" in sheet.rows else frozenset()
    return Samples(datasets, place - starts[datasets.codes] + 1, counts, shapes)


def _shapes(repeat_of_sample: np.ndarray, repeats: int) -> frozenset[tuple[int, int]]:
    """The numbers of repeats and folds; none where each repeat has one sample, so is no repeat."""
    found, folds = np.unique(repeat_of_sample, return_counts=True)
    if (folds == 1).all():
        return frozenset()
    _, place, count = np.unique(found // repeats, return_inverse=True, return_counts=True)
    return frozenset(zip(count[place].tolist(), folds.tolist(), strict=True))


# -- the sampling ---------------------------------------------------------------------------


def completed(design: Sampling | None, sheet: Sheet, samples: Samples) -> Sampling | None:
    """The sampling with what the table tells filled in, or an error where it contradicts."""
    if design is None:
        return None
    if "item" in sheet.called and design.name != "items":
        column = sheet.called["item"]
        raise ResultsError(
            f"{sheet.what}: the column '{column}' holds items, the sampling says '{design}'. Say "
            f"--sampling items, or --columns sample={column} where they are samples."
        )
    design = _filled(design, samples)
    _check_shapes(design, sheet, samples)
    _check_counts(design, sheet, samples)
    return design


def _filled(design: Sampling, samples: Samples) -> Sampling:
    known = {"samples": _common(samples.counts)}
    if design.name == "cv":
        folds = _common(samples.counts)
        known = {"folds": folds if folds != 1 else None}
    if design.name == "repeated-cv":
        known = {
            "samples": _common([r for r, _ in samples.shapes]),
            "folds": _common([k for _, k in samples.shapes]),
        }
    told = {f: n for f, n in known.items() if f in design.kind.fields}
    return replace(
        design,
        samples=design.samples or told.get("samples"),
        folds=design.folds or told.get("folds"),
    )


def _common(numbers: Iterable[int]) -> int | None:
    """The number that all are, None where they differ."""
    found = {int(n) for n in numbers}
    return found.pop() if len(found) == 1 else None


def _check_shapes(design: Sampling, sheet: Sheet, samples: Samples) -> None:
    if design.name not in ("cv", "repeated-cv", "5x2cv") or not samples.shapes:
        return
    repeats = {"cv": 1, "5x2cv": 5}.get(design.name, design.samples)
    said = {(repeats or r, design.folds_per_repeat) for r, _ in samples.shapes}
    if not samples.shapes <= said:
        found = " and ".join(f"{r} x {k}" for r, k in sorted(samples.shapes))
        raise ResultsError(
            f"{sheet.what} has {found} repeats and folds, which contradicts the sampling "
            f"'{design}'. Say --sampling repeated-cv where folds were drawn several times; folds "
            "that are missing are rows with empty scores."
        )


def _check_counts(design: Sampling, sheet: Sheet, samples: Samples) -> None:
    odd = np.flatnonzero(samples.counts != (design.count or samples.counts))
    few = design.name == "cv" and samples.counts.min() < 2
    if not odd.size and not few:
        return
    first = int(odd[0]) if odd.size else int(samples.counts.argmin())
    count = int(samples.counts[first])
    hint = (
        "Leave the sampling out where each score is a mean over the samples."
        if count == 1
        else "Say another sampling or leave its number out; a missing sample is a row with empty "
        "scores."
    )
    raise ResultsError(
        f"{sheet.what} has {count} sample{'s' * (count != 1)} of "
        f"'{samples.datasets.names[first]}', which contradicts the sampling '{design}'. {hint}"
    )
