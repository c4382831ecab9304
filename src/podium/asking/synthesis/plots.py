"""Studies taken together: a forest of their differences, a funnel of their errors, and a page."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from podium.asking.synthesis.reported_studies import known_pair
from podium.asking.synthesis.verbs import MetaAnalysis
from podium.asking.synthesis.words import (
    AVERAGE,
    FOREST_KEY,
    MEAN_ROW,
    METHOD_WORDS,
    NEW_ROW,
    agree_card,
    forest_head,
    forest_headline,
    forest_label,
    forest_sentence,
    forest_summary,
    forest_title,
    next_card,
    study_counts,
)
from podium.core.base.formatting import printable, short
from podium.core.inference.numbers import tails
from podium.core.words.facts import PAGE, Note
from podium.core.words.phrases import level
from podium.core.words.saying import say
from podium.showing.drawing.canvas import (
    COLOURS,
    GREY,
    INK,
    entitle,
    key,
    names_on,
    remark,
    row_letters,
)
from podium.showing.drawing.records import SOURCES, Size, checked, registered
from podium.showing.reports.board import caveats_line, decimals_for, fixed
from podium.showing.reports.document import (
    Axis,
    Card,
    Chip,
    Column,
    Content,
    Page,
    Row,
    Section,
    Text,
    View,
    axis_of,
    readable,
)
from podium.showing.reports.page import controls_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


SOURCES[MetaAnalysis] = ("studies taken together", "podium.meta(studies)")


BLUE, RED = COLOURS[:2]
LARGEST = 110.0  # the area of the mark of a study that has all the weight
LEAST = 12.0


@dataclass(frozen=True, eq=False)
class Forest:
    """The studies of a pair from the top, each with its interval and weight, and their mean."""

    table: pd.DataFrame  # study, estimate, lower, upper, weight
    mean: tuple[float, float, float]
    prediction: tuple[float, float]
    title: str
    label: str
    level: str


def _chosen(
    analysis: MetaAnalysis, first: str | None, second: str | None
) -> tuple[pd.Series, pd.DataFrame]:
    """The row of a pair, and those of its studies."""
    pairs = checked(analysis, MetaAnalysis).pairs
    every = list(zip(pairs["first"], pairs["second"], strict=True))
    pair = known_pair(every, first, second)
    rows = analysis.studies
    mine = rows[(rows["first"] == pair[0]) & (rows["second"] == pair[1])]
    return pairs.iloc[every.index(pair)], mine.reset_index(drop=True)


def forest_data(
    analysis: MetaAnalysis, *, first: str | None = None, second: str | None = None
) -> Forest:
    """The difference of a pair in every study, over all of them, and in a new one."""
    row, rows = _chosen(analysis, first, second)
    reach = float(tails.t_isf(analysis.alpha / 2, np.inf)) * rows["error"]
    table = rows[["study", "estimate", "weight"]].assign(
        lower=rows["estimate"] - reach, upper=rows["estimate"] + reach
    )
    return Forest(
        table,
        (row["estimate"], row["lower"], row["upper"]),
        tuple(row["prediction"]),
        forest_title(row),
        forest_label(row["first"], row["second"], analysis.measure, analysis.higher_is_better)
        + f"\n{forest_summary(len(rows), row['tau2'], row['i2'])}",
        level(analysis.alpha),
    )


def draw_forest(data: Forest, ax: Axes) -> Axes:
    """A line per study, its mark as large as its weight; a diamond, and a band for a new study."""
    table, count = data.table, len(data.table)
    y = -np.arange(count, dtype=float)
    ax.axvline(0, color=INK, linewidth=0.8)
    ax.hlines(y, table["lower"], table["upper"], color=GREY, linewidth=1.4)
    size = LEAST + LARGEST * table["weight"] / max(table["weight"].max(), 1e-12)
    ax.scatter(table["estimate"], y, s=size, marker="s", color=BLUE, zorder=3)
    estimate, lower, upper = data.mean
    ax.axvline(estimate, color=RED, linewidth=0.8, linestyle=":")
    at, half = -count - 0.3, 0.28
    ax.fill([lower, estimate, upper, estimate], [at, at + half, at, at - half], color=RED)
    ax.hlines(at - 1, *data.prediction, color=RED, linewidth=3.5, alpha=0.45)
    names_on(ax.yaxis, [*y, at, at - 1], [*table["study"], MEAN_ROW, NEW_ROW])
    ax.set_ylim(at - 1.6, 0.6)
    ax.tick_params(axis="y", length=0, labelsize=row_letters(ax, count + 2.5))
    ax.spines[["top", "right", "left"]].set_visible(False)
    entitle(ax, data.title, f"{data.label}, {data.level} CI")
    return ax


def _forest_size(data: Forest) -> Size:
    return 6.8, 1.6 + 0.27 * (len(data.table) + 2)


forest = registered(
    "forest",
    MetaAnalysis,
    "studies of a pair and their mean",
    forest_data,
    draw_forest,
    "The difference of two algorithms in every study, over all of them, and in a new one.",
    size=_forest_size,
    options={"first": "An algorithm of the pair.", "second": "The other one."},
    title="Studies and their mean",
    caption="First minus second in every study.",
)


# -- a funnel -------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Funnel:
    """Differences against their standard errors, and where they would lie without tau or bias."""

    table: pd.DataFrame  # study, estimate, error
    estimate: float
    wide: float  # standard errors that the sides of the funnel lie from its middle
    title: str
    label: str
    level: str
    notes: tuple[Note, ...]


def funnel_data(
    analysis: MetaAnalysis, *, first: str | None = None, second: str | None = None
) -> Funnel:
    """The difference of a pair in every study against its standard error."""
    row, rows = _chosen(analysis, first, second)
    tested = not np.isnan(row["egger_p"])
    note = Note("funnel-tested", p=float(row["egger_p"])) if tested else Note("funnel-untested")
    return Funnel(
        rows[["study", "estimate", "error"]],
        float(row["estimate"]),
        float(tails.t_isf(analysis.alpha / 2, np.inf)),
        forest_title(row),
        forest_label(row["first"], row["second"], analysis.measure, analysis.higher_is_better)
        + f"\n{forest_summary(len(rows), row['tau2'], row['i2'])}",
        level(analysis.alpha),
        (note,),
    )


def draw_funnel(data: Funnel, ax: Axes) -> Axes:
    """Precise studies at the top; half of a funnel without dots is what bias looks like."""
    from matplotlib.lines import Line2D

    deep = 1.08 * float(data.table["error"].max())
    reach = data.wide * deep
    ends = [data.estimate - reach, data.estimate, data.estimate + reach]
    ax.fill(ends, [deep, 0, deep], color=GREY, alpha=0.15, linewidth=0)
    ax.plot(ends, [deep, 0, deep], color=GREY, linewidth=0.8, linestyle="--")
    ax.axvline(data.estimate, color=RED, linewidth=1)
    ax.axvline(0, color=INK, linewidth=0.6)
    ax.scatter(data.table["estimate"], data.table["error"], color=BLUE, s=26, zorder=3)
    ax.set_ylim(deep, 0)
    ax.spines[["top", "right"]].set_visible(False)
    entitle(ax, data.title, data.label, "standard error")
    key(
        ax,
        [
            Line2D([], [], color=BLUE, marker="o", linestyle="", label="a study"),
            Line2D([], [], color=RED, label="their mean"),
            Line2D([], [], color=GREY, linestyle="--", label=f"{data.level} if tau were 0"),
        ],
    )
    remark(ax, data.notes)
    return ax


funnel = registered(
    "funnel",
    MetaAnalysis,
    "whether small studies show more",
    funnel_data,
    draw_funnel,
    "The difference of two algorithms in every study against its standard error.",
    options={"first": "An algorithm of the pair.", "second": "The other one."},
    title="Differences and their errors",
    caption="Every study's difference against its standard error.",
)


# -- on a page ------------------------------------------------------------------------------------
# A page of several studies: a forest as a table, one view per comparison.


NARROWEST, WIDEST = 7.0, 14.0  # pixels of a square, by weight


def meta_page(result: MetaAnalysis) -> Page:
    """Studies, their average and what a new one would show, for every comparison."""
    views = tuple(_views(result))
    labels = {"pair": ""}
    facts = study_counts(len(result.names), len(result.pairs), result.measure)
    return Page("Meta-analysis", facts, views, controls_of(views, labels), tuple(_sections(result)))


def _views(result: MetaAnalysis) -> Iterator[View]:
    for pair in result.pairs.to_dict("records"):
        yield _view(result, pair)


def _view(result: MetaAnalysis, pair: dict[str, Any]) -> View:
    first, second = (printable(short(str(pair[end]), 30)) for end in ("first", "second"))
    t = result.studies
    own = t[(t["first"] == pair["first"]) & (t["second"] == pair["second"])]
    rows = tuple(_rows(own.to_dict("records"), pair, result.alpha))
    ends = [v for row in rows for k, v in row.cells["interval"].items() if k in ENDS]
    axis = axis_of(ends)
    low, high = pair["prediction"]
    places = _places(pair)
    texts = [fixed(v, places) for v in (abs(pair["estimate"]), pair["lower"], pair["upper"])]
    if pair["estimate"] < 0:
        texts[1:] = [fixed(-pair["upper"], places), fixed(-pair["lower"], places)]
    new = (fixed(low, places), fixed(high, places), low < 0 < high)
    return View(
        forest_headline(pair["verdict"], first, second, texts),
        (
            Column("name", "name", "Study"),
            Column("weight", "number", "Weight", wide=True),
            Column("interval", "interval", forest_head(first, second, result.higher_is_better)),
            Column("difference", "estimate", f"{first} − {second} ({level(result.alpha)} CI)"),
        ),
        rows,
        sentence=forest_sentence(new, float(pair["p_adjusted"]), float(pair["i2"])),
        about=f"Random effects ({METHOD_WORDS[result.method]}).",
        chips=tuple(Chip(study_counts(len(own), 1, ""), say(n, PAGE)) for n in result.notes[:1]),
        cards=(
            Card(*agree_card(float(pair["i2"]))),
            Card(*next_card(new)),
        ),
        axis=Axis(axis.low, axis.high, axis.ticks, 0.0),
        key=FOREST_KEY,
        at={"pair": f"{first} − {second}"},
    )


ENDS = ("v", "lo", "hi", "tlo", "thi")


def _places(pair: dict[str, Any]) -> int:
    return decimals_for(max((pair["upper"] - pair["lower"]) / 2, 1e-9), 2)


def _rows(studies: list[dict[str, Any]], pair: dict[str, Any], alpha: float) -> Iterator[Row]:
    places, reach = _places(pair), NormalDist().inv_cdf(1 - alpha / 2)
    most = max((s["weight"] for s in studies), default=1.0) or 1.0
    for study in studies:
        low, high = (study["estimate"] + sign * reach * study["error"] for sign in (-1, 1))
        size = NARROWEST + (WIDEST - NARROWEST) * math.sqrt(study["weight"] / most)
        cells = {
            "weight": (f"{100 * study['weight']:.0f} %", study["weight"]),
            "interval": {"v": study["estimate"], "lo": low, "hi": high, "mark": "square",
                         "size": round(size, 1)},
            "difference": _text(study["estimate"], low, high, places),
        }  # fmt: skip
        yield Row(str(study["study"]), cells)
    low, high = pair["prediction"]
    new = {"tlo": low, "thi": high} if math.isfinite(low) and math.isfinite(high) else {}
    mean = {"v": pair["estimate"], "lo": pair["lower"], "hi": pair["upper"], "mark": "diamond"}
    difference = _text(pair["estimate"], pair["lower"], pair["upper"], places)
    yield Row(AVERAGE, {"weight": None, "interval": {**mean, **new}, "difference": difference},
              leads=True)  # fmt: skip


def _text(value: float, low: float, high: float, places: int) -> tuple[str, str, float]:
    return fixed(value, places), f"({fixed(low, places)} to {fixed(high, places)})", value


def _sections(result: MetaAnalysis) -> Iterator[Section]:
    tables = [readable(name, table) for name, table in result._tables().items() if len(table)]
    yield Section("tables", "All numbers", Content(f"{len(tables)} tables", tuple(tables)))
    notes = tuple(say(note, PAGE) for note in result.notes)
    text = Text((result.statement, *notes))
    yield Section("caveats", "Caveats", Content(caveats_line(result.notes), (text,)))
