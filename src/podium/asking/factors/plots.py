"""Factors in pictures and on a page: effects with intervals, and how two factors work together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from podium.asking.comparison.analysis import Analysis
from podium.asking.factors import words
from podium.asking.factors.designs import ABLATION
from podium.asking.factors.judging import Effects
from podium.asking.factors.verbs import DECLARED
from podium.asking.factors.verbs import effects as effects_of_results
from podium.asking.factors.words import (
    effects_label,
    effects_title,
    interaction_title,
    strongest,
    term_text,
)
from podium.core.base.errors import InferenceError
from podium.core.base.formatting import p_value, short
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.words.facts import PAGE, Note
from podium.core.words.phrases import level
from podium.core.words.saying import IN_NOTEBOOKS, say
from podium.showing.drawing.canvas import (
    COLOURS,
    GREY,
    INK,
    divided,
    entitle,
    names_on,
    paper_width,
    remark,
    styles,
)
from podium.showing.drawing.graph_layouts import apart
from podium.showing.drawing.records import SOURCES, Size, checked, registered
from podium.showing.reports.board import board, chips, decimals_for, fixed, holds_for
from podium.showing.reports.document import (
    Column,
    Content,
    Row,
    Text,
    View,
    axis_of,
    hero,
    readable,
    section,
)
from podium.showing.reports.hero import fragment, lines
from podium.showing.reports.page import notebook

if TYPE_CHECKING:
    from matplotlib.axes import Axes


BLUE = COLOURS[0]
MOST_PANELS = 4
LONGEST = 18  # letters of a line's name
NARROWEST = 1.6  # inches of a panel


SOURCES[Effects] = ("effects of factors", "podium.factors.effects(results, factors)")


@dataclass(frozen=True, eq=False)
class EffectRows:
    """Rows with limits, from the top."""

    table: pd.DataFrame  # name, estimate, lower, upper, shown
    title: str
    label: str


def effects_data(effects: Effects) -> EffectRows:
    """Every main effect (or change of an ablation) with limits that hold for all at once.

    Filled are those that are significant.
    """
    e = checked(effects, Effects)
    rows = e.table[e.table["family"].isin(["main", "ablation"])]
    shown = (rows["p_adjusted"] <= e.first.alpha).to_numpy()
    table = rows[["name", "estimate", "lower", "upper"]].assign(shown=shown)
    return EffectRows(table.reset_index(drop=True), effects_title(e), effects_label(e))


def draw_effects(data: EffectRows, ax: Axes) -> Axes:
    """Rows are effects, the line is no effect."""
    t = data.table
    y = -np.arange(len(t), dtype=float)
    colours = [BLUE if shown else GREY for shown in t["shown"]]
    ax.axvline(0, color=INK, linewidth=0.8)
    ax.hlines(y, t["lower"], t["upper"], color=colours, linewidth=1.6)
    faces = [BLUE if shown else "white" for shown in t["shown"]]
    ax.scatter(t["estimate"], y, color=faces, edgecolors=colours, s=24, zorder=3)
    names_on(ax.yaxis, y, t["name"].tolist())
    ax.set_ylim(-len(t) + 0.4, 0.6)
    ax.spines[["top", "right"]].set_visible(False)
    entitle(ax, data.title, x=data.label)
    return ax


@dataclass(frozen=True, eq=False)
class Interactions:
    """Panels: the mean at every level of one factor, a line for each level of another one."""

    panels: list[tuple[str, str, pd.DataFrame, float]]  # factors, means, half width of a contrast
    title: str
    label: str


def interaction_data(effects: Effects) -> Interactions:
    """Means at the levels of two factors, averaged over all others, of the strongest interactions.

    Parallel lines are factors that do not depend on each other. The bar beside the lines is as long
    as the limits of a difference of two differences: what is less parallel than that is
    significant.
    """
    e = checked(effects, Effects)
    rows = pictured(e)
    if not len(rows):
        raise InferenceError(
            "These combinations show no interaction of two factors, so there is nothing to draw: "
            "use podium plot effects."
        )
    panels = []
    for row in strongest(rows, "statistic")[:MOST_PANELS]:
        f, g = row["factors"]
        counts = dict(zip(e.factors.names, e.factors.counts, strict=True))
        if counts[f] < counts[g]:
            f, g = g, f
        means = _means(e, f, g)
        own = rows[[each == row["factors"] for each in rows["factors"]]]
        width = float((own["upper"] - own["lower"]).median()) / 2
        panels.append((f, g, means, width))
    return Interactions(panels, interaction_title(e), e.first.measure)


def pictured(e: Effects) -> pd.DataFrame:
    """The interactions of factors whose means at every two levels are told."""
    rows = e.of("interaction")
    paired = {frozenset(pair) for pair in e.means.get(["factor", "by"], pd.DataFrame()).values}
    return rows[rows["factors"].map(lambda pair: frozenset(pair) in paired).astype(bool)]


def _means(e: Effects, f: str, g: str) -> pd.DataFrame:
    """Levels of f by levels of g."""
    m = e.means
    own = m[(m["factor"] == f) & (m["by"] == g)]
    turned = m[(m["factor"] == g) & (m["by"] == f)]
    rows, columns, result = (
        ("level", "by_level", own) if len(own) else ("by_level", "level", turned)
    )
    names = dict(zip(e.factors.names, e.factors.levels, strict=True))
    return result.pivot(index=rows, columns=columns, values="mean").loc[
        list(names[f]), list(names[g])
    ]


def draw_interaction(data: Interactions, ax: Axes) -> Axes:
    """Panels side by side on one scale; a column of a paper has room for the strongest."""
    wide = paper_width()
    shown = data.panels if wide is None else data.panels[: max(int(wide / NARROWEST), 1)]
    panels = divided(ax, columns=(1.0,) * len(shown), gap=0.08)[0]
    every = np.concatenate([means.to_numpy().ravel() for _, _, means, _ in shown])
    most = max(width for *_, width in shown)
    middle = (every.max() + every.min()) / 2
    reach = max(np.ptp(every) / 2, most) * 1.15
    for panel, (f, g, means, width) in zip(panels, shown, strict=True):
        x = np.arange(len(means))
        for name, style in styles(list(means.columns)).items():
            panel.plot(x, means[name], color=style.colour, marker=style.marker)
        _lines_named(panel, g, means, reach)
        if np.isfinite(width):
            panel.vlines(-0.25, middle - width, middle + width, color=GREY, linewidth=3)
        panel.set_xlim(-0.4, 1.75 * (len(means) - 1) + 0.1)
        panel.set_ylim(middle - reach, middle + reach)
        names_on(panel.xaxis, x, list(means.index))
        panel.spines[["top", "right"]].set_visible(False)
        entitle(panel, term_text([f, g]), x=f)
        if panel is not panels[0]:
            panel.set_yticklabels([])
    entitle(panels[0], y=data.label)
    remark(ax, [Note("interaction-bar")])
    entitle(ax, data.title, pad=26)
    return ax


def _lines_named(panel: Axes, factor: str, means: pd.DataFrame, reach: float) -> None:
    """The level behind the end of every line, moved apart where these are close."""
    ends = means.iloc[-1].sort_values()
    heights = apart(ends.to_numpy(float), np.full(len(ends), reach / 8))
    for name, height in zip(ends.index, heights, strict=True):
        text = short(f"{factor} {name}", LONGEST)
        panel.annotate(text, (len(means) - 1, height), (6, 0), textcoords="offset points",
                       fontsize="x-small", va="center", parse_math=False)  # fmt: skip


def _tall(data: EffectRows) -> Size:
    return 6.4, 1.4 + 0.28 * len(data.table)


def _wide(data: Interactions) -> Size:
    return max(4.2, 3.2 * len(data.panels)), 4.0


effects = registered(
    "effects",
    Effects,
    "effects of factors with limits for all at once",
    effects_data,
    draw_effects,
    size=_tall,
    title="Effects of factors",
)
interaction = registered(
    "interaction",
    Effects,
    "means at the levels of two factors, and how they interact",
    interaction_data,
    draw_interaction,
    size=_wide,
    title="Interactions of factors",
)


# -- on a page ------------------------------------------------------------------------------------
# Factors on a page: effects with intervals and interactions as pictures, and all numbers below.


MOST_ROWS = 200
MOST_PICTURES = 3


def effects_of(analysis: Analysis) -> Effects | None:
    """Of the first measure, where the algorithms are combinations that were declared."""
    design, first = analysis.results.design, analysis.first
    if (result := analysis.result_of(Effects)) is not None:
        return result
    declared = design.get(DECLARED)
    if not declared or first is None:
        return None
    return effects_of_results(
        analysis.results, declared, measure=first.measure, alpha=first.comparisons.alpha
    )


@hero("factors", place=6, of_results=True, without=("methods",))
def factors(analysis: Analysis) -> list[View]:
    """Effects first, where they were asked for, then the board of all combinations."""
    first, result = analysis.first, analysis.result_of(Effects)
    if result is None or first is None:
        return []
    made = board(first.comparisons, first.layout, at={"show": words.ALGORITHMS,
                                                      "measure": first.measure})  # fmt: skip
    return [factors_view(result), made]


def factors_view(e: Effects) -> View:
    """Main effects (or changes of an ablation) and interactions, each with its interval."""
    first: Comparisons = e.first
    kind = "ablation" if e.design.kind == ABLATION else "main"
    main = _ordered(e.of(kind).to_dict("records")) + e.of("nested").to_dict("records")
    further = words.strongest(e.of("interaction"), "statistic") if kind == "main" else []
    shown = [*main, *further]
    ends = [float(row[key]) for row in shown for key in ("estimate", "lower", "upper")]
    heads = {key: head.format(level=level(first.alpha)) for key, head in words.HEADS.items()}
    return View(
        ((words.headline(e), False),),
        sentence=words.sentence(e),
        columns=(
            Column("name", "name", heads["name"]),
            Column("interval", "interval", heads["interval"]),
            Column("difference", "estimate", "Difference"),
            Column("p", "number", heads["p"], wide=True),
            Column("verdict", "text", "Verdict", wide=True),
        ),
        rows=tuple(_rows(e, main, further)),
        about=holds_for(first),
        chips=tuple(chips(e.notes)),
        axis=axis_of([v for v in ends if v == v], whole=True),  # the largest effect lies far out
        cut=len(main) if further else 0,
        below=words.FURTHER["interaction"],
        key=words.KEY,
        at={"show": words.SHOWN, "measure": first.measure},
        picture=_picture(e),
    )


def _ordered(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: -abs(row["estimate"]))


def _rows(e: Effects, main: list[dict[str, Any]], further: list[dict[str, Any]]) -> Iterator[Row]:
    ablation = e.design.kind == ABLATION
    places = _places([*main, *further])
    for row in main:
        yield _row(e, row, words.change_text(e, row) if ablation else row["name"], places)
    for row in further:
        name = words.term_text(row["factors"]) if e.has_two_levels else row["name"]
        yield _row(e, row, name, places)


def _places(rows: list[dict[str, Any]]) -> int:
    """Decimals of a whole column: those of the narrowest interval."""
    reach = [(row["upper"] - row["lower"]) / 2 for row in rows]
    return decimals_for(min((r for r in reach if r > 0), default=0.01), 2)


def _row(e: Effects, row: Mapping[str, Any], name: str, places: int) -> Row:
    known = {"v": row["estimate"], "lo": row["lower"], "hi": row["upper"]}
    limits = row["lower"] == row["lower"] and row["upper"] == row["upper"]
    value, low, high = (fixed(row[key], places) for key in ("estimate", "lower", "upper"))
    shown = bool(row["p_adjusted"] <= e.first.alpha)
    return Row(
        words.read_name(name),
        {
            "interval": {key: float(v) for key, v in known.items() if v == v},
            "difference": (value, words.estimate_text(low, high) if limits else "",
                           float(row["estimate"])),
            "p": (p_value(row["p_adjusted"]), float(row["p_adjusted"])),
            "verdict": words.VERDICTS[not shown],
        },
        leads=shown,
    )  # fmt: skip


def _picture(e: Effects) -> str | None:
    """Pictures of the significant interactions."""
    shown = words.shown(e, "interaction")
    if not len(shown) or not len(pictured(e)):
        return None
    terms = {frozenset(names) for names in shown["factors"]}
    panels = [p for p in interaction_data(e).panels if frozenset(p[:2]) in terms]
    return fragment(
        *(
            lines(
                [str(name) for name in means.index],
                [(str(name), means[name].tolist()) for name in means.columns],
                words.panel_labels(e.first.measure, f, g),
            )
            for f, g, means, _ in panels[:MOST_PICTURES]
        )
    )


@section("factors", "Factors", place=12)
def all_effects(analysis: Analysis) -> Content | None:
    """Every effect with its numbers, means of levels, shares."""
    e = effects_of(analysis)
    if e is None:
        return None
    known = {note.code for note in analysis.first.comparisons.warnings} if analysis.first else ()
    tables = [readable("Effects", e._tables()["Effects"].head(MOST_ROWS))]
    if "by" in e.means:
        levels = e.means[e.means["by"] == ""][["factor", "level", "mean"]]
        tables.append(readable(words.MEANS, levels))
    if e.shares is not None:
        tables.append(readable("Shares of the variance between combinations", e.shares.table))
    notes = Text(tuple(say(note, PAGE) for note in e.notes if note.code not in known))
    whole = analysis.result_of(Effects) is not None
    finding = words.effects_finding(e) if whole else words.headline(e)
    return Content(finding, (*tables, notes))


IN_NOTEBOOKS[Effects] = lambda e: notebook(factors_view(e))
