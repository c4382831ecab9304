"""Eugster, Hothorn & Leisch (2008): what the captions and the text say about figures, counted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

import podium
from podium.core.orders.distances import dendrogram as clustered
from podium.showing.plots.of_scores.benchmark import bench_data
from podium.showing.plots.of_scores.fits import fitted_data, residuals_data
from podium.showing.plots.of_scores.score_plots import summary_data
from podium.showing.plots.of_scores.trellising import trellis_data
from podium_lab.papers import eugster2008_data as paper
from podium_lab.papers.eugster2008_data import FIVE, SAMPLES, experiment, order_cell, survey, times
from podium_lab.papers.eugster2008_survey import dataset_orders, model_of_six, places
from podium_lab.papers.replication import Cell, Finding

if TYPE_CHECKING:
    from podium.core.results.results import Results

COPIED = "nb (copy of lda)"


def six(data: Path | None) -> Results:
    """The experiment with a copy of lda for naive Bayes."""
    return experiment(data, COPIED)


def limits(data: Path | None) -> Iterator[Cell]:
    """The limits that Table 1 makes: mean ± 1.96 SD / sqrt(B)."""
    ours = summary_data(experiment(data)).table.set_index("algorithm")
    theirs = paper.algorithms_table()
    for name in FIVE:
        for end, sign in (("lower", -1), ("upper", 1)):
            half = 1.96 * theirs.loc[name, "SD"] / np.sqrt(SAMPLES)
            printed = theirs.loc[name, "Mean"] + sign * half
            # the mean is rounded by half a unit, the sd by so much that it adds a little
            yield Cell("figure1", name, end, printed, ours.loc[name, end], 0, 0.00006)


def medians(data: Path | None) -> Iterator[Cell]:
    """Medians of Table 1, and where they lie in the boxes."""
    wide = experiment(data).wide("error")
    theirs = paper.algorithms_table()["Median"]
    for name in FIVE:
        ours = float(wide[name].median())
        yield Cell("figure2", name, "median", theirs[name], ours, 0, paper.DIGITS)
    for name in ("svm", "rpart"):
        low, middle, high = wide[name].quantile([0.25, 0.5, 0.75])
        share = (middle - low) / (high - low)
        text = "The text has the median near the first quartile."
        yield _found("figure2", name, "median's place in the box", share, share < 0.5, text)


def podium_places(data: Path | None) -> Iterator[Cell]:
    """What section 3.1 reads off the bars, ties broken at random."""
    counts = bench_data(six(data)).counts
    by_place = counts.rank(ascending=False)
    first = counts[1].sort_values(ascending=False)
    both = set(first.index[:2]) == {"svm", "rpart"}
    ratio = first.iloc[0] / first.iloc[1]
    yield _found("figure3", "svm, rpart", "most first places, ratio", ratio,
                 both and ratio < 1.5, "Almost equally often on place 1.")  # fmt: skip
    for name, place, text in (
        ("knn", 6, "Most last places."),
        ("nnet", 3, "Most third places."),
    ):
        rank = by_place.loc[name, place]
        yield _found("figure3", name, f"rank on place {place}", rank, rank == 1, text)
    second = int(counts.loc["nnet"].rank(ascending=False)[6])
    yield _found("figure3", "nnet", "rank of its last places", second, second == 2,
                 "Its second-most results are on the last place.")  # fmt: skip


def together(data: Path | None) -> Iterator[Cell]:
    """The text reads off the lines that svm does well whenever rpart does, not the reverse."""
    wide = experiment(data).wide("error")[list(FIVE)]
    best = wide.eq(wide.min(axis=1), axis=0)
    alone = {n: int((best[n] & ~best[m]).sum()) for n, m in (("rpart", "svm"), ("svm", "rpart"))}
    yield _found("figure4", "rpart", "samples best without svm", alone["rpart"],
                 alone["rpart"] == 0, "Whenever rpart does well svm does.")  # fmt: skip
    yield _found("figure4", "svm", "samples best without rpart", alone["svm"],
                 alone["svm"] > 0, "The reverse is not always true.")  # fmt: skip


def zeros(data: Path | None) -> Iterator[Cell]:
    """How many intervals of the mixed model have zero."""
    table = podium.compare(six(data), "mixed-tukey").table
    yield Cell("figure5", "intervals with zero", "number", 4, _with_zero(table))


def _with_zero(table: pd.DataFrame) -> int:
    return int(((table["lower"] <= 0) & (table["upper"] >= 0)).sum())


def fastest(data: Path | None) -> Iterator[Cell]:
    """The order by mean time."""
    wide = times(data).wide("time")[list(FIVE)].mean()
    order = podium.Order.from_ranks(list(wide.index), wide.to_list())
    yield order_cell("figure6", "mean time", paper.TIME, order)


def panels(data: Path | None) -> Iterator[Cell]:
    """How many panels there are."""
    yield Cell("figure7", "panels", "number", 21, len(trellis_data(survey(data)).panels))


def heights(data: Path | None) -> Iterator[Cell]:
    """The heights of the merges, beside those of the printed Table 2."""
    theirs = clustered(paper.distance_table().to_numpy(), list(paper.distance_table().index))
    for i, (a, b) in enumerate(
        zip(theirs.heights, dataset_orders(data).dendrogram.heights, strict=True), 1
    ):
        note = "" if a == b else "Cards (J) and credit (N) differ in Table 2."
        yield Cell("figure10", f"merge {i}", "height", float(a), float(b), note=note)


def first_and_last(data: Path | None) -> list[Cell]:
    """How often algorithms are first and last."""
    return [cell for cell in places(dataset_orders(data)) if cell.table == "places"]


def levels(data: Path | None) -> list[Cell]:
    """How many different distances there are."""
    return [cell for cell in places(dataset_orders(data)) if cell.table == "distances"]


def open_pairs(data: Path | None) -> Iterator[Cell]:
    """How many intervals of the survey's model have zero."""
    yield Cell("figure12", "intervals with zero", "number", 1, _with_zero(model_of_six(data).table))


def _narrower(results: Results, figure: str) -> Finding:
    """How much of the spread of scores the fitted values keep, in the middle of all cells."""
    table = fitted_data(results).table
    spread = table.groupby(["dataset", "algorithm"], observed=True)[["fitted", "score"]].std()
    share = float((spread["fitted"] / spread["score"]).median())
    text = "No serious differences to the raw scores. Ours are narrower: they lack the residuals."
    return _found(figure, "fitted values", "sd, share of the scores'", share, share > 0.8, text)


def fitted_survey(data: Path | None) -> list[Cell]:
    """The spread of the fitted values of the survey."""
    return [_narrower(survey(data), "figure14")]


def skewed(data: Path | None) -> Iterator[Cell]:
    """The paper has symmetric residuals but for nnet (green)."""
    yield _narrower(six(data), "figure13")
    text = "All are symmetric but nnet's."
    of_medians, of_moments = _asymmetry(six(data)).loc["monks3"].T.to_numpy()
    names = list(_asymmetry(six(data)).loc["monks3"].index)
    for column, values in (("|median| / sd", of_medians), ("|skewness|", of_moments)):
        most = names[int(values.argmax())]
        note = text if most == "nnet" else f"{text} {most} has more, by a few outliers."
        ours = values[names.index("nnet")]
        yield _found("figure13", "nnet", column, ours, most == "nnet", note)


def skewed_survey(data: Path | None) -> Iterator[Cell]:
    """On which data sets nnet has the most skewed residuals."""
    result = _asymmetry(survey(data))["skewness"].unstack()
    most = result.idxmax(axis=1)
    where = [name[0] for name in most.index[most == "nnet"]]
    text = f"nnet is asymmetric on some data sets, such as J. Ours: {', '.join(where)}."
    yield _found("figure15", "nnet", "most skewed on so many", len(where), "J" in where, text)


def _asymmetry(results: Results) -> pd.DataFrame:
    """By data set and algorithm: how far the median is from the mean, in sd, and the skewness."""
    table = residuals_data(results).table
    groups = table.groupby(["dataset", "algorithm"], observed=True)["residual"]
    return pd.DataFrame({"median": groups.median() / groups.std(), "skewness": groups.skew()}).abs()


def _found(table: str, row: str, column: str, ours: float, holds: bool, text: str) -> Finding:
    return Finding(table, row, column, float("nan"), float(ours), note=text, holds=bool(holds))
