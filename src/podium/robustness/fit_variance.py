"""Internal randomness of algorithms as a component of variance (`fits` of a study).

A score of one fit to one sample varies with the sample and with the algorithm's own random numbers;
several fits to every sample tell the two apart, by the analysis of variance.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from podium.base.errors import InferenceError
from podium.reading.fits import fit_scores
from podium.reading.results import Results
from podium.words.facts import Note
from podium.words.notes.of_neutrality import randomness_line
from podium.words.presentation import Presented

COLUMNS = ["dataset", "algorithm", "samples", "fits", "mean", "sd_sample", "sd_fit", "share"]


@dataclass(frozen=True, eq=False, repr=False)
class Randomness(Presented):
    """How much of the variance of scores is the algorithms' own.

    Attributes
    ----------
    table : of every data set and algorithm the sd between samples, between fits to one sample, and
        `share`: of the variance of a score of one fit, what is between fits. `left` is what of the
        variance of the mean over all fits is still the algorithm's own.
    """

    table: pd.DataFrame
    measure: str
    notes: tuple[Note, ...] = field(default=())

    def _said(self) -> list[str]:
        worst = self.table.loc[self.table["share"].fillna(-1).idxmax()]
        return [randomness_line(worst, self.measure, len(self.table))]

    def _tables(self) -> dict[str, pd.DataFrame]:
        return {f"Components of variance of {self.measure}": self.table}


def randomness(results: Results, measure: str | None = None) -> Randomness:
    """The share of internal randomness in the variance of scores, by data set and algorithm."""
    name = measure or next(iter(results.measures), "")
    scores = fit_scores(results, results.measure(name).name)
    if not len(scores):
        raise InferenceError(
            "These results have one fit to every sample, which cannot tell an algorithm's own "
            "randomness from that of samples: run a study with fits = 5, say."
        )
    groups = scores.groupby(["dataset", "algorithm"], sort=False)
    rows = [(*key, *components(of.pivot(index="sample", columns="fit", values="value").to_numpy()))
            for key, of in groups]  # fmt: skip
    return Randomness(pd.DataFrame(rows, columns=[*COLUMNS, "left"]), name)


def components(values: np.ndarray) -> tuple[int, int, float, float, float, float, float]:
    """Samples, fits, mean, sd between samples and between fits, and the shares of the latter.

    Of one way: the mean square within samples is the variance of fits, that of the means of samples
    is larger by the variance of samples; a negative one is 0.
    """
    values = values[~np.isnan(values).any(axis=1)]
    samples, fits = values.shape
    within = float(values.var(axis=1, ddof=1).mean()) if samples and fits > 1 else np.nan
    of_means = float(values.mean(axis=1).var(ddof=1)) if samples > 1 else np.nan
    between = max(of_means - within / fits, 0.0) if samples > 1 else np.nan
    single, mean = between + within, between + within / fits
    share = within / single if single > 0 else np.nan
    left = within / fits / mean if mean > 0 else np.nan
    average = float(values.mean()) if values.size else np.nan
    return samples, fits, average, between**0.5, within**0.5, share, left
