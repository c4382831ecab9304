"""The samples of a sheet by number, and the sampling that they agree with."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from podium.errors import ResultsError
from podium.results.sheets import Sheet
from podium.results.tabular import Coded
from podium.results.vocabulary import BLOCKS
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


def unpaired(sheet: Sheet, *, ragged: bool) -> Sheet:
    """The sheet with every algorithm's samples numbered for themselves: nothing pairs them.

    Where columns are `ragged`, what is empty below the last score of an algorithm was not drawn.
    """
    long = "algorithm" in sheet.called
    if ragged and not long:
        sheet = _less_empty_ends(sheet)
    about = dict(sheet.about)
    inner = about["sample"]
    outer = about.pop("repeat", Coded(np.zeros_like(inner.codes), ["1"]))
    cell = about["dataset"].codes * len(about["algorithm"].names) + about["algorithm"].codes
    frame = pd.DataFrame(
        {"cell": cell, "label": outer.codes * len(inner.names) + inner.codes}
        | {"measure": about["measure"].codes}
    )
    if long and not any(block in sheet.called for block in BLOCKS):
        frame["label"] = frame.groupby(["cell", "measure"]).cumcount()
    number = frame.groupby("cell")["label"].rank(method="dense").to_numpy(np.int64) - 1
    names = [str(i + 1) for i in range(int(number.max(initial=0)) + 1)]
    return replace(sheet, about=about | {"sample": Coded(number, names)})


def _less_empty_ends(sheet: Sheet) -> Sheet:
    """Without the empty cells behind the last score of every algorithm in its data set."""
    keys = [sheet.about[role].codes for role in ("dataset", "algorithm")]
    row = np.where(np.isnan(sheet.values), -1, sheet.row)
    last = pd.Series(row).groupby(keys).transform("max").to_numpy()
    kept = sheet.row <= np.where(last < 0, sheet.row.max(), last)
    about = {r: Coded(c.codes[kept], c.names) for r, c in sheet.about.items()}
    return replace(sheet, values=sheet.values[kept], row=sheet.row[kept], about=about)


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
    if design.replicate == "training-set" and samples.shape:
        repeats = samples.shape[0]  # each with the scores of its items
    return replace(
        design,
        samples=design.samples or (repeats if "samples" in fields else None),
        folds=design.folds or (folds if "folds" in fields else None),
    )


def _contradiction(design: Sampling, sheet: Sheet, samples: Samples) -> str:
    """What the table has and a sampling of these numbers has not; empty where they agree."""
    if design.replicate == "training-set" and samples.shape:
        sets = samples.shape[0]
        return "" if sets == design.count else f"{sets} training sets"
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
