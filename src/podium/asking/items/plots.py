"""Boards of many models: places with their intervals, scores by stratum, chances in a triangle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from podium.asking.items.description import by_stratum
from podium.core.base.errors import InferenceError, PodiumError
from podium.core.base.formatting import short
from podium.core.inference.comparing.arranging import layout
from podium.core.inference.comparing.comparisons import CHANCES, Comparisons
from podium.core.results.results import Results
from podium.core.words.facts import PAGE, Note
from podium.core.words.notes.of_surveys import (
    INTERACTION,
    SCORES_BY_STRATUM,
    best_title,
    corner,
    own_label,
    places_label,
    same_corner,
    simplex_title,
    strata_heading,
)
from podium.core.words.phrases import level
from podium.core.words.saying import say
from podium.showing.drawing.canvas import (
    BESIDE,
    COLOURS,
    GREY,
    INK,
    divided,
    entitle,
    key,
    names_on,
    remark,
    row_letters,
    styles,
)
from podium.showing.drawing.records import Size, checked, registered
from podium.showing.drawing.shown_scores import decided, printed
from podium.showing.plots.words import pair_name
from podium.showing.reports.document import Block, Content, Text, readable, section

if TYPE_CHECKING:
    from podium.asking.comparison.analysis import Analysis

if TYPE_CHECKING:
    from matplotlib.axes import Axes


BLUE = COLOURS[0]
MOST_MODELS = 8  # side by side in a stratum
MOST_PAIRS = 60  # points of a triangle that can be told apart


# -- places ---------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Board:
    """Models from the top: own score with its interval, and the places that are possible."""

    table: pd.DataFrame  # algorithm, score, lower, upper, place, first, last, best
    title: str
    label: str
    places: str  # what the other axis and its colours mean


def board_data(comparisons: Comparisons) -> Board:
    """Every model's score with an interval of its own, and the places that decided pairs allow.

    Marked are those among which the best one is, where that is known; else those that may come
    first.
    """
    c = checked(comparisons, Comparisons)
    if c.places is None:
        raise InferenceError("Ranks need all comparisons of several algorithms: compare these.")
    names = printed(decided(c))
    own = None if c.extras.scores is None else c.extras.scores.set_index("algorithm").loc[names]
    elo = c.judged.elo if c.judged is not None else None
    score = [(elo or c.means)[name] for name in names]
    nothing = np.full(len(names), np.nan)
    marked = c.lead or []
    places = np.array([c.places[name] for name in names])
    table = pd.DataFrame(
        {
            "algorithm": names,
            "score": score,
            "lower": nothing if own is None else own["lower"].to_numpy(),
            "upper": nothing if own is None else own["upper"].to_numpy(),
            "place": np.arange(1, len(names) + 1),
            "first": places[:, 0],
            "last": places[:, 1],
            "best": [name in marked for name in names],
        }
    )
    label = own_label("Elo" if elo else c.measure, None if own is None else level(c.alpha))
    title = best_title(c.decision.lead or (), len(c.algorithms), c.measure)
    return Board(table, title, label, places_label(c))


def draw_board(data: Board, ax: Axes) -> Axes:
    """Scores to the left, places to the right; rows are models."""
    t = data.table
    left, right = divided(ax, columns=(1, 1.1), gap=0.05)[0]
    y = -np.arange(len(t), dtype=float)
    colours = np.where(t["best"], BLUE, BESIDE)
    left.hlines(y, t["lower"], t["upper"], color=colours, linewidth=1.4)
    left.scatter(t["score"], y, color=colours, s=14, zorder=3)
    names_on(left.yaxis, y, t["algorithm"].tolist())
    entitle(left, x=data.label)
    right.hlines(y, t["first"], t["last"], color=colours, linewidth=3.5, alpha=0.55)
    right.scatter(t["place"], y, color=colours, s=14, zorder=3)
    right.set_yticks([])
    right.set_xlim(0.2, len(t) + 0.8)
    entitle(right, x=data.places)
    for each in (left, right):
        each.set_ylim(-len(t) + 0.4, 0.6)
        each.spines[["top", "right"]].set_visible(False)
        each.grid(axis="x", color=GREY, alpha=0.25, linewidth=0.6)
    left.tick_params(axis="y", labelsize=row_letters(ax, len(t)))
    entitle(ax, data.title)
    return ax


def _board_size(data: Board) -> Size:
    return 8.0, 1.3 + 0.19 * max(len(data.table), 5)


board = registered(
    "board",
    Comparisons,
    "scores and possible ranks of many models",
    board_data,
    draw_board,
    size=_board_size,
    title="Possible ranks",
    caption="Scores with intervals of their own, and the ranks that the comparisons allow.",
)


# -- strata ---------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class StrataShown:
    """Scores by stratum; `offset` puts models of one stratum below each other."""

    table: pd.DataFrame  # stratum, algorithm, y, mean, lower, upper
    strata: list[str]
    algorithms: list[str]  # of the study, for their styles
    shown: list[str]
    title: str
    label: str
    notes: tuple[Note, ...]


def strata_data(results: Results, *, measure: str | None = None) -> StrataShown:
    """Every model's score in each stratum of items, with an interval of its own.

    Of more than eight models those with the best means.
    """
    made = layout(checked(results, Results), measure=measure)
    strata = by_stratum(made)
    means = made.means()
    best = sorted(means, key=lambda name: -made.sign * means[name])
    shown = best[:MOST_MODELS]
    t = strata.scores[strata.scores["algorithm"].isin(shown)]
    row = t["stratum"].map({name: i for i, name in enumerate(strata.strata)})
    place = t["algorithm"].map({name: i for i, name in enumerate(shown)})
    offset = (place - (len(shown) - 1) / 2) * 0.8 / max(len(shown), 1)
    notes: tuple[Note, ...] = ()
    if len(best) > len(shown):
        notes = (Note("plot-best-models", shown=len(shown), of=len(best)),)
    return StrataShown(
        t.assign(y=-(row + offset)),
        strata.strata,
        list(made.algorithms),
        shown,
        strata_heading(strata),
        own_label(strata.measure, level(strata.alpha)),
        notes,
    )


def draw_strata(data: StrataShown, ax: Axes) -> Axes:
    """A group of rows for every stratum."""
    from matplotlib.lines import Line2D

    look = styles(data.algorithms)
    handles = []
    for name in data.shown:
        rows, style = data.table[data.table["algorithm"] == name], look[name]
        ax.hlines(rows["y"], rows["lower"], rows["upper"], color=style.colour, linewidth=1.4)
        ax.plot(rows["mean"], rows["y"], style.marker, color=style.colour, markersize=4.5)
        handles.append(Line2D([], [], color=style.colour, marker=style.marker, label=name))
    for line in range(1, len(data.strata)):
        ax.axhline(0.5 - line, color=GREY, alpha=0.4, linewidth=0.6)
    names_on(ax.yaxis, -np.arange(len(data.strata)), data.strata)
    ax.set_ylim(-len(data.strata) + 0.5, 0.5)
    ax.tick_params(axis="y", labelsize=row_letters(ax, len(data.strata)))
    ax.spines[["top", "right"]].set_visible(False)
    entitle(ax, data.title, data.label)
    key(ax, handles)
    remark(ax, data.notes)
    return ax


def _strata_size(data: StrataShown) -> Size:
    return 7.5, 1.5 + 0.14 * len(data.strata) * max(len(data.shown), 2)


strata = registered(
    "strata",
    Results,
    "scores by stratum of items, such as topics",
    strata_data,
    draw_strata,
    size=_strata_size,
    title="Scores by stratum",
    caption="Every model's score in each stratum, with an interval of its own.",
)


# -- a posterior's triangle -----------------------------------------------------------------------

HEIGHT = float(np.sqrt(3) / 2)
COLUMN = 1.12  # where names begin
MOST_NAMED, LONGEST = 15, 34  # pairs that are named, and letters of a name


@dataclass(frozen=True, eq=False)
class Simplex:
    """Every pair as a point: the nearer a corner, the likelier what that says."""

    table: pd.DataFrame  # first, second, win, same, lose, x, y
    corners: tuple[str, str, str]  # left, top, right
    sure: float
    title: str
    notes: tuple[Note, ...]


def simplex_data(comparisons: Comparisons) -> Simplex:
    """The chances win, same and lose of every pair, the better one first."""
    c = checked(comparisons, Comparisons)
    if not c.has_posterior:
        raise InferenceError("This plot shows a posterior: compare with posterior=True (--bayes).")
    table = c.best_first(printed(decided(c))).table[["first", "second", *CHANCES]]
    notes: tuple[Note, ...] = ()
    if len(table) > MOST_PAIRS:
        notes = (Note("plot-best-only", pairs=len(table), algorithm=str(table["first"].iloc[0])),)
        table = table[table["first"] == table["first"].iloc[0]]
    win, same = table["win"].to_numpy(float), table["same"].to_numpy(float)
    alone = len(table) == 1
    first, second = (str(table[n].iloc[0]) if alone else "" for n in ("first", "second"))
    return Simplex(
        table.assign(x=win + same / 2, y=HEIGHT * same).reset_index(drop=True),
        (corner(second), same_corner(c.relevance), corner(first, better=True)),
        1 - c.alpha,
        simplex_title(c),
        notes,
    )


def draw_simplex(data: Simplex, ax: Axes) -> Axes:
    """The triangle, corners in which something has a chance of 1 - alpha, and the pairs."""
    ax.set_axis_off()
    ax.set_aspect("equal")
    ax.plot([0, 1, 0.5, 0], [0, 0, HEIGHT, 0], color=INK, linewidth=0.9)
    for x, y in ((0.0, 0.0), (1.0, 0.0), (0.5, HEIGHT)):
        ends = np.array([[0, 0], [1, 0], [0.5, HEIGHT]])
        part = np.array([x, y]) + (1 - data.sure) * (ends - [x, y])
        ax.fill(*part.T, color=GREY, alpha=0.35, linewidth=0)
    left, top, right = data.corners
    ax.text(0, -0.04, left, ha="center", va="top", parse_math=False)
    ax.text(1, -0.04, right, ha="center", va="top", parse_math=False)
    ax.text(0.5, HEIGHT + 0.03, top, ha="center", va="bottom", parse_math=False)
    ax.scatter(data.table["x"], data.table["y"], color=BLUE, s=26, alpha=0.8, zorder=3)
    with_names = 1 < len(data.table) <= MOST_NAMED  # of one, the corners say which two
    if with_names:
        _names(ax, data)
    ax.set_xlim(*((-0.25, 1.9) if with_names else (-0.35, 1.35)))
    ax.set_ylim(-0.14, HEIGHT + 0.12)
    entitle(ax, data.title)
    remark(ax, data.notes, drop=12)
    return ax


def _names(ax: Axes, data: Simplex) -> None:
    """Names in a column beside the triangle, joined with their points, which pile in corners.

    Points that are higher have higher names and, of one height, those farther away: no two lines
    cross there.
    """
    rows = data.table.sort_values(["y", "x"], ascending=[True, False])
    step = min(0.08, HEIGHT / len(rows))
    for place, row in enumerate(rows.itertuples()):
        x, y, height = float(row.x), float(row.y), 0.02 + step * place
        ax.plot([x, COLUMN - 0.01], [y, height], color=GREY, linewidth=0.5, zorder=2)
        name = short(pair_name(str(row.first), str(row.second)), LONGEST)
        ax.text(COLUMN, height, name, fontsize=8, va="center", parse_math=False)


simplex = registered(
    "simplex",
    Comparisons,
    "posterior probabilities: better, the same, worse",
    simplex_data,
    draw_simplex,
    size=lambda _: (6.0, 5.0),
    title="Probabilities of every pair",
    caption="The nearer a point is to a corner, the likelier is what the corner says; grey: "
    "as sure as was asked for.",
)


# -- strata on a page -----------------------------------------------------------------------------
# Items in strata: scores by topic, and whether differences depend on it.


MOST_ROWS = 400


@section("strata", "By stratum", place=36)
def strata_section(analysis: Analysis) -> Content | None:
    """The first measure whose items are in strata; nothing where there are none."""
    for evidence in analysis.chosen:
        layout = evidence.layout
        if layout is None or layout.items.strata is None:
            continue
        try:
            groups = by_stratum(layout, evidence.comparisons.alpha)
        except PodiumError:
            continue
        blocks: list[Block] = []
        if len(groups.scores) <= MOST_ROWS:
            blocks.append(readable(SCORES_BY_STRATUM, groups.scores))
        if len(groups.interaction):
            blocks.append(readable(INTERACTION, groups.interaction))
        notes = tuple(say(note, PAGE) for note in groups.notes if note not in layout.notes)
        return Content(strata_heading(groups).rstrip(":."), (*blocks, Text(notes)))
    return None
