"""Fitted values and residuals of the mixed model (eugster2008, Figures 13 to 15)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from podium.core.base.errors import InferenceError
from podium.core.base.formatting import short
from podium.core.base.registry import unknown
from podium.core.inference.numbers.nested import fixed_survey
from podium.core.inference.numbers.reml import random_block
from podium.core.results.results import Results
from podium.core.words.facts import Note
from podium.showing.drawing.canvas import COLOURS, GREY, INK, MANY, divided, entitle, points, remark
from podium.showing.drawing.records import Size, checked, is_share, registered
from podium.showing.drawing.shown_scores import (
    Rows,
    Scores,
    best_first,
    missing,
    scores_of,
    without_scores,
)
from podium.showing.plots.of_scores.score_plots import Boxes, boxes_of, draw_boxes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


MOST_PANELS = 48
ACROSS = 4  # panels


@dataclass(frozen=True, eq=False)
class Fits:
    """A fitted model: one row per score, and a box plot per data set of what is drawn.

    table : dataset, algorithm, sample, score, fitted, residual; score is their sum.
    boxes : of the fitted values or of the residuals.
    """

    table: pd.DataFrame
    boxes: dict[str, Boxes]
    label: str
    title: str
    zero: bool  # whether zero has a meaning
    notes: tuple[Note, ...]


def fitted_data(
    results: Results, *, measure: str | None = None, dataset: str | None = None
) -> Fits:
    """What the mixed model makes of every score, with boxes of the fitted values.

    One data set has the random block model, algorithm plus sample. Several have the survey model
    for these data sets, algorithm x data set plus sample within data set, with one variance of
    samples and one of errors.
    """
    return _fits(results, "fitted", measure, dataset)


def residuals_data(
    results: Results, *, measure: str | None = None, dataset: str | None = None
) -> Fits:
    """The same with boxes of the residuals."""
    return _fits(results, "residual", measure, dataset)


def _fits(results: Results, column: str, measure: str | None, dataset: str | None) -> Fits:
    sampling = checked(results, Results).sampling
    if sampling is not None and sampling.independent:
        raise InferenceError(
            "Where every algorithm has samples of its own no rows are shared, and the mixed model "
            "has nothing to fit: draw the scores themselves."
        )
    name = measure or next(iter(results.measures), "")
    datasets = results.datasets if dataset is None else [dataset]
    parts = {d: scores_of(results, name, d) for d in datasets if _scored(results, name, d)}
    unscored = [d for d in datasets if d not in parts]
    parts, notes = _complete(parts)
    if unscored:
        notes.append(Note("plot-silent", noun="score", block="", names=tuple(unscored)))
    notes += missing(_gaps(parts), "fitted")
    table = _fit(parts)
    shown = list(parts)[:MOST_PANELS]
    if len(parts) > len(shown):
        notes.append(Note("plot-first-panels", count=len(shown), of=len(parts)))
    model = "random block model" if len(parts) == 1 else "survey model, these data sets"
    return Fits(
        table,
        _boxes(table, {d: parts[d] for d in shown}, column, results.algorithms),
        f"{column} {name}" if column == "fitted" else f"residual of {name}",
        f"{model}: {column} values" if column == "fitted" else f"{model}: residuals",
        column != "fitted",
        tuple(notes),
    )


def _scored(results: Results, measure: str, dataset: str) -> bool:
    """Whether the data set has a score; one that does not exist is refused further on."""
    values = results.values(measure)
    known = values[np.isfinite(values["value"].to_numpy(float))]
    return dataset not in results.datasets or bool((known["dataset"] == dataset).any())


def _complete(parts: dict[str, Scores]) -> tuple[dict[str, Scores], list[Note]]:
    """The data sets on which all algorithms that have scores anywhere have some."""
    if not parts:
        raise InferenceError("There is no score to fit a model to.")
    there = {d: part.table.notna().any() for d, part in parts.items()}
    some = pd.concat(list(there.values()), axis=1).any(axis=1)
    kept = {d: part for d, part in parts.items() if there[d][some].all()}
    if not kept:
        raise InferenceError(
            "On every data set some algorithm has no score, so the model of these data sets cannot "
            "be fitted: name one data set, or leave an algorithm out."
        )
    gone = tuple(d for d in parts if d not in kept)
    notes = without_scores(some.index[~some].tolist())
    notes += [Note("plot-not-fitted", datasets=gone)] if gone else []
    names = some.index[some].tolist()
    return {d: replace(part, table=part.table[names]) for d, part in kept.items()}, notes


def _gaps(parts: dict[str, Scores]) -> int:
    """How many scores are missing; samples without any score consist of gaps."""
    return sum(
        int(part.table.isna().to_numpy().sum()) + len(part.silent) * part.table.shape[1]
        for part in parts.values()
    )


def _fit(parts: dict[str, Scores]) -> pd.DataFrame:
    """The table of all scores with their fitted values and residuals."""
    values = np.concatenate([part.table.to_numpy(float) for part in parts.values()])
    sizes = [len(part.table) for part in parts.values()]
    within = np.repeat(np.arange(len(parts)), sizes)
    try:
        made = random_block(values).fitted() if len(parts) == 1 else survey_fit(values, within)
    except ValueError as error:
        raise InferenceError(str(error)) from None
    names = next(iter(parts.values())).algorithms
    samples = np.concatenate([part.table.index.to_numpy(object) for part in parts.values()])
    table = pd.DataFrame(
        {
            "dataset": np.repeat(np.repeat(list(parts), sizes), len(names)),
            "algorithm": np.tile(np.array(names, dtype=object), len(values)),
            "sample": np.repeat(samples, len(names)),
            "score": values.ravel(),
            "fitted": made.ravel(),
            "residual": (values - made).ravel(),
        }
    )
    return table[table["score"].notna()].reset_index(drop=True)


def survey_fit(values: np.ndarray, within: np.ndarray) -> np.ndarray:
    """Fitted values of the model of these data sets: mean of the cell plus effect of the sample.

    Given the variances, the best linear unbiased prediction of a sample with n values is the sum
    of their residuals from the cells' means over n + sigma² / sigma_sample² (Robinson 1991).
    """
    if np.isfinite(values).sum() == len(np.unique(within)) * values.shape[1]:
        raise ValueError(
            "Every algorithm has one score only on each data set, so the error within data sets "
            "is unknown: a mixed model needs several samples."
        )
    model = fixed_survey(values, within)
    rest = values - model.cell_means[within]
    n = np.isfinite(rest).sum(axis=1)
    sample, error = model.sigmas["sample"], model.sigmas["error"]
    ratio = (error / sample) ** 2 if sample else math.inf
    effects = np.nansum(rest, axis=1) / np.where(n > 0, ratio + n, 1.0)
    return np.asarray(model.cell_means[within] + effects[:, None])


def _boxes(
    table: pd.DataFrame, parts: dict[str, Scores], column: str, algorithms: list[str]
) -> dict[str, Boxes]:
    """The box plots of a column by data set; the best mean score over all of them first."""
    means = table.groupby(["dataset", "algorithm"])["score"].mean().unstack("algorithm")
    every = next(iter(parts.values()))
    names = best_first(replace(every, table=means.reindex(columns=algorithms)))
    wide = table.pivot(index=["dataset", "sample"], columns="algorithm", values=column)
    return {
        d: boxes_of(replace(part, table=wide.loc[d]), Rows(names, algorithms, "", short(d, 20)))
        for d, part in parts.items()
    }


# -- drawing --------------------------------------------------------------------------------------


def draw_fits(data: Fits, ax: Axes) -> Axes:
    """The box plots of one data set, or a grid with a panel for each of several."""
    if len(data.boxes) == 1:
        return _draw_one(data, ax)
    rows, columns = grid(len(data.boxes))
    across = [divided(row, columns=[1] * columns)[0] for row in _bands(ax, rows)]
    panels = np.concatenate(across)
    for place, boxes in enumerate(data.boxes.values()):
        _draw_panel(data, boxes, panels[place], first=place % columns == 0)
    for panel in panels[len(data.boxes) :]:
        panel.set_axis_off()
    entitle(ax, data.title, pad=22)
    ax.annotate(
        data.label, (0.5, 0), (0, -24), xycoords="axes fraction", textcoords="offset points",
        ha="center", va="top", color=INK, parse_math=False, annotation_clip=False,
    )  # fmt: skip
    remark(ax, data.notes)
    return ax


def _draw_one(data: Fits, ax: Axes) -> Axes:
    _draw_zero(data, ax)
    (name, boxes), *_ = data.boxes.items()
    draw_boxes(boxes, ax)
    entitle(ax, f"{short(name)}, {data.title}", data.label)
    remark(ax, data.notes)
    return ax


def _draw_zero(data: Fits, ax: Axes) -> None:
    if data.zero:
        ax.axvline(0, color=GREY, linewidth=0.8, zorder=1)


def _draw_panel(data: Fits, boxes: Boxes, ax: Axes, first: bool) -> None:
    _draw_zero(data, ax)
    draw_boxes(boxes, ax)
    ax.tick_params(axis="x", labelsize="x-small")
    ax.tick_params(axis="y", labelleft=first)
    ax.locator_params(axis="x", nbins=4)
    ax.title.set_fontsize("small")


def grid(panels: int) -> tuple[int, int]:
    """Rows and columns of a grid of so many panels."""
    columns = min(ACROSS, panels)
    return -(-panels // columns), columns


def _bands(ax: Axes, rows: int) -> np.ndarray:
    """Axes above each other, with room for a title and the numbers of an axis between them."""
    gap = min(40 / points(ax)[1], 0.5 / rows)
    return np.asarray(divided(ax, [1] * rows, gap=gap)[:, 0])


def _size(data: Fits) -> Size:
    one = next(iter(data.boxes.values()))
    if len(data.boxes) == 1:
        return 6.4, one.rows.height
    rows, columns = grid(len(data.boxes))
    high = 0.6 + 0.16 * max(len(one.rows.names), 5)
    return 1.6 + 2.0 * columns, 1.0 + high * rows


fitted = registered(
    "fitted",
    Results,
    "fitted values of the mixed model",
    fitted_data,
    draw_fits,
    "Box plots of the fitted values of the mixed model; of several data sets one panel each.",
    size=_size,
)
residuals = registered(
    "residuals",
    Results,
    "residuals of the mixed model",
    residuals_data,
    draw_fits,
    "Box plots of the residuals of the mixed model; of several data sets one panel each.",
    size=_size,
    title="Residuals of the mixed model",
    caption="What the model does not explain: boxes of about the same width around zero speak "
    "for it.",
)


# -- quantiles ----------------------------------------------------------------------------------
# Quantile plots: values of a statistic against the distribution that it should have.


Floats = NDArray[np.float64]
LIKELY = ("norm", "t", "f", "chi2", "uniform", "beta")


@dataclass(frozen=True, eq=False)
class Quantiles:
    """Ordered values beside quantiles: `table` has theoretical, observed, lower, upper.

    If the null holds, an ordered value lies between its `lower` and `upper` with probability
    `level`: each by itself, not all of them together.
    """

    table: pd.DataFrame
    null: str
    level: float
    notes: tuple[Note, ...] = ()


def qq_data(statistics: Sequence[float], null: Any, *, level: float = 0.95) -> Quantiles:
    """The ordered values of a statistic and the quantiles of its null distribution.

    `null` is a frozen distribution of scipy.stats or a name with parameters, as 't:5' or 'f:10:5'.
    The i-th of n values stands at the null's quantile of (i - 1/2) / n. The i-th of n independent
    uniform values has the beta distribution with i and n + 1 - i, whose quantiles, carried over to
    the null, are the exact envelope. Missing values are left out; infinite ones keep their rank but
    cannot be drawn; both are said.
    """
    if not is_share(level):
        raise InferenceError(f"The level of an envelope lies between 0 and 1, not {level!r}.")
    distribution, name = _distribution(null)
    given = _numbers(statistics)
    observed = np.sort(given[~np.isnan(given)])
    if not len(observed):
        raise InferenceError(
            f"A quantile plot needs values of the statistic: all {len(given)} are missing."
        )
    rank, count = np.arange(1, len(observed) + 1), len(observed)
    ends = stats.beta.ppf([[(1 - level) / 2], [(1 + level) / 2]], rank, count + 1 - rank)
    shares = {"theoretical": (rank - 0.5) / count, "lower": ends[0], "upper": ends[1]}
    columns = {column: distribution.ppf(p) for column, p in shares.items()}
    table = pd.DataFrame(
        {"theoretical": columns.pop("theoretical"), "observed": observed, **columns}
    )
    return Quantiles(table, name, level, tuple(_notes(given, level)))


def _numbers(statistics: Sequence[float]) -> Floats:
    try:
        return np.asarray(statistics, dtype=float).ravel()
    except (TypeError, ValueError):
        raise InferenceError("The values of a statistic in a quantile plot are numbers.") from None


def _distribution(null: Any) -> tuple[Any, str]:
    """A distribution with quantiles, and how it is written."""
    frozen = _name(null) if isinstance(null, str) else null
    if not isinstance(getattr(frozen, "dist", None), stats.rv_continuous):
        raise InferenceError(
            "The null of a quantile plot is a continuous distribution of scipy.stats with its "
            f"parameters, as stats.t(5), or its name, as 't:5', not {null!r}."
        )
    if np.ndim(frozen.ppf(0.5)) or np.isnan(frozen.ppf(0.5)):
        raise InferenceError(f"The parameters of {_written(frozen)} do not give one distribution.")
    return frozen, _written(frozen)


def _name(text: str) -> Any:
    name, *given = (part.strip() for part in text.split(":"))
    family = vars(stats).get(name)
    if not isinstance(family, stats.rv_continuous):
        raise InferenceError(unknown("distribution of scipy.stats", name, LIKELY))
    try:
        return family(*map(float, given))
    except (TypeError, ValueError):
        needs = family.shapes or "none but loc and scale"
        raise InferenceError(
            f"'{text}' does not give the parameters of '{name}' ({needs}), each behind a colon, as "
            "'t:5' does."
        ) from None


def _written(frozen: Any) -> str:
    parameters = [f"{v:g}" if np.ndim(v) == 0 else str(v) for v in frozen.args]
    parameters += [f"{k}={v:g}" if np.ndim(v) == 0 else f"{k}={v}" for k, v in frozen.kwds.items()]
    return f"{frozen.dist.name}({', '.join(parameters)})" if parameters else str(frozen.dist.name)


def _notes(given: Floats, level: float) -> Iterator[Note]:
    yield Note("plot-envelope", level=level)
    if missing := int(np.isnan(given).sum()):
        yield Note("plot-missing-values", count=missing)
    if infinite := int(np.isinf(given).sum()):
        yield Note("plot-infinite", count=infinite)


def draw_qq(data: Quantiles, ax: Axes) -> Axes:
    """Draw the points, the diagonal and the envelope."""
    table = data.table[np.isfinite(data.table["theoretical"])]
    shown = table[np.isfinite(table["observed"])]
    band = table[np.isfinite(table[["lower", "upper"]]).all(axis=1)]
    ax.fill_between(
        band["theoretical"], band["lower"], band["upper"], color=GREY, alpha=0.25, linewidth=0
    )
    ax.axline((0, 0), slope=1, color=GREY, linewidth=1)
    ax.plot(
        shown["theoretical"],
        shown["observed"],
        linestyle="",
        marker="o",
        markersize=3,
        markeredgewidth=0,
        color=COLOURS[0],
        rasterized=len(shown) > MANY,
    )
    entitle(ax, x=f"quantiles of {data.null}", y="ordered values of the statistic")
    remark(ax, data.notes)
    return ax


qq = registered(
    "qq",
    Sequence,
    "a statistic against its null distribution",
    qq_data,
    draw_qq,
    """Quantile plot of a statistic's values against its null distribution, as 't:5'.

    Points on the diagonal have the distribution; the band is where each of them lies with
    probability `level` if the null holds. dietterich1998 shows the 5x2cv statistic in this way.
    """,
    size=lambda data: (5.2, 4.8),
)
