"""Quantile plots: values of a statistic against the distribution that it should have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from podium.base.errors import InferenceError
from podium.base.registry import unknown
from podium.drawing.canvas import COLOURS, GREY, MANY, entitle, remark
from podium.drawing.records import Plot, is_share, registered
from podium.words.facts import Note

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
    Plot(
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
)
