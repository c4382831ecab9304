"""The samples of a sheet by number, and the sampling that they agree with."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from podium.errors import ResultsError
from podium.results.sheets import Sheet
from podium.results.tabular import Coded
from podium.samplings import Sampling


@dataclass(frozen=True)
class Samples:
    """The samples of all data sets, one data set after the other."""

    place: np.ndarray  # of each score's sample among all, from 0
    dataset: np.ndarray  # of each sample, by code
    number: np.ndarray  # of each sample within its data set, from 1
    counts: np.ndarray  # by data set
    shape: tuple[int, int] | None  # repeats x folds


def numbered(sheet: Sheet) -> Samples:
    """The samples of a sheet, repeat by repeat."""
    datasets, inner = sheet.about["dataset"], sheet.about["sample"]
    outer = sheet.about.get("repeat", Coded(np.zeros_like(inner.codes), ["1"]))
    repeats, folds = len(outer.names), len(inner.names)
    key = (datasets.codes * repeats + outer.codes) * folds + inner.codes
    found, place = np.unique(key, return_inverse=True)
    dataset = found // (repeats * folds)
    counts = np.bincount(dataset, minlength=len(datasets.names))
    number = np.arange(len(found)) - (np.cumsum(counts) - counts)[dataset] + 1
    # where each repeat has one sample it is no repeat: samples are numbered through all folds
    whole = "repeat" in sheet.about and (counts > repeats).any()
    return Samples(place, dataset, number, counts, (repeats, folds) if whole else None)


def completed(design: Sampling | None, sheet: Sheet, samples: Samples) -> Sampling | None:
    """The sampling with what the table tells filled in, or an error where it contradicts."""
    if design is None:
        return None
    design = _filled(design, samples)
    found = _contradiction(design, sheet, samples)
    if found:
        raise ResultsError(
            f"{sheet.what} has {found}, which contradicts the sampling '{design}'. Say another "
            "sampling (repeated-cv where folds were drawn several times), leave its number out, "
            "or leave it out where each score is a mean; a missing sample is a row without scores."
        )
    return design


def _filled(design: Sampling, samples: Samples) -> Sampling:
    """The sampling with the numbers that it leaves out and all data sets agree on."""
    fields, counts = design.kind.fields, {int(c) for c in samples.counts}
    count = counts.pop() if len(counts) == 1 else None
    repeats, folds = count, count if design.name == "cv" and count != 1 else None
    if design.name == "repeated-cv":
        repeats, folds = samples.shape or (None, None)
    return replace(
        design,
        samples=design.samples or (repeats if "samples" in fields else None),
        folds=design.folds or (folds if "folds" in fields else None),
    )


def _contradiction(design: Sampling, sheet: Sheet, samples: Samples) -> str:
    """What the table has and a sampling of these numbers has not; empty where they agree."""
    repeats = {"cv": 1, "repeated-cv": design.samples, "5x2cv": 5}.get(design.name)
    if repeats and samples.shape not in (None, (repeats, design.folds_per_repeat)):
        return f"{samples.shape[0]} x {samples.shape[1]} repeats and folds"
    least = 2 if design.name == "cv" else 1
    wrong = (samples.counts != (design.count or samples.counts)) | (samples.counts < least)
    if wrong.any():
        first = int(np.argmax(wrong))
        name = sheet.about["dataset"].names[first]
        return f"{samples.counts[first]} sample(s) of '{name}'"
    return ""
