"""A front on a page: the first screen with its picture, and all directed pairs as a line below."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from podium.base.errors import PodiumError
from podium.fronts import words
from podium.fronts.command import row_order
from podium.fronts.dominance import Front
from podium.fronts.plots import front_data
from podium.fronts.verbs import ASKED, WHOLE
from podium.reports.analysis import Analysis
from podium.reports.board import board, chips, decimals_for, fixed, holds_for
from podium.reports.document import (
    Card,
    Column,
    Content,
    Row,
    Text,
    View,
    hero,
    readable,
    section,
)
from podium.reports.hero import Html, Point, fragment, scatter
from podium.reports.page import notebook
from podium.verdicts.verbs import compare
from podium.words.saying import IN_NOTEBOOKS

MOST_NAMES = 16  # in a picture: of more, those on the front


@hero("front", place=5, of_results=True, without=("methods",))
def fronts(analysis: Analysis) -> list[View]:
    """The front first, then the board of every measure."""
    whole, first = analysis.results.design.get(WHOLE), analysis.first
    if whole is None or first is None:
        return []
    boards = [board(first.comparisons, first.layout, at={"measure": first.measure})]
    for name, results in list(analysis.results.design[ASKED].items())[1:]:
        try:
            c = compare(results, measure=name, alpha=first.comparisons.alpha)
        except PodiumError:  # it is on the front by its means alone
            continue
        boards.append(board(c, at={"measure": name}))
    return [front_view(whole(), holds_for(first.comparisons)), *boards]


def front_view(front: Front, about: str = "") -> View:
    """Everybody in every measure, who is dominated by whom, and a picture of both."""
    return View(
        words.headline_parts(front),
        columns=(
            Column("name", "name", "Algorithm"),
            *(Column(m.name, "estimate", words.axis_label(m)) for m in front.measures),
            Column("verdict", "text", words.ALL_MEASURES),
        ),
        rows=tuple(_rows(front)),
        sentence=words.best_text(
            front, front.scores.pivot(index="algorithm", columns="measure", values="mean")
        ),
        about=about,
        chips=tuple(chips(front.notes)),
        cards=tuple(
            Card(words.trade_question(trade), text)
            for trade in front.trades[:3]
            if (text := words.trade_text(trade))
        ),
        key=words.key(front),
        at={"measure": words.ALL_MEASURES},
        picture=picture(front),
    )


def _rows(front: Front) -> Iterator[Row]:
    cells = {m.name: _estimates(front, m.name) for m in front.measures}
    out = {row["algorithm"]: row for row in front.dominated.to_dict("records")}
    for name in row_order(front):
        row = out.get(name)
        text = words.ON_FRONT if row is None else words.dominated_text(row["by"], row["p_adjusted"])
        own: dict[str, Any] = {measure: column[name] for measure, column in cells.items()}
        yield Row(name, {**own, "verdict": text}, leads=row is None)


def _estimates(front: Front, measure: str) -> dict[str, tuple[str, str, float]]:
    """Of every algorithm its mean, the limits in brackets, and the value for sorting."""
    own = front.scores[front.scores["measure"] == measure]
    rows = own[["mean", "lower", "upper"]].to_numpy(float)
    width = float(own["upper"].sub(own["lower"]).median()) / 2
    # what never varies, such as a size, has the decimals that it has
    own_digits = max(len(f"{value:.4g}".partition(".")[2]) for value in rows[:, 0])
    places = decimals_for(width, 2) if width > 0 else own_digits
    texts = [[fixed(v, places) for v in row] for row in rows.tolist()]
    return {
        name: (mean, words.limits_text(low, high), float(value))
        for name, (mean, low, high), value in zip(own["algorithm"], texts, rows[:, 0], strict=True)
    }


def picture(front: Front) -> Html:
    """The first measure against each of the others."""
    data = front_data(front)
    few = len(front.algorithms) <= MOST_NAMES
    return fragment(
        *(
            scatter(
                [
                    Point(
                        p["algorithm"],
                        (p["x_mean"], p["x_lower"], p["x_upper"]),
                        (p["y_mean"], p["y_lower"], p["y_upper"]),
                        p["member"],
                        few or p["member"],
                    )
                    for p in points.to_dict("records")
                ],
                data.arrows,
                (words.axis_label(x), words.axis_label(y)),
                logs=logs,
            )
            for x, y, points, logs in data.panels
        )
    )


@section("front", "Front", place=13)
def directed(analysis: Analysis) -> Content | None:
    """Who dominates whom, and what each trade is worth, where several measures were asked for."""
    whole: Callable[[], Front] | None = analysis.results.design.get(WHOLE)
    if whole is None:
        return None
    result = whole()
    return Content(
        words.pairs_finding(result),
        (Text(tuple(words.trades_text(result))), readable("", result.pairs, words.PAIR_HEADS)),
    )


IN_NOTEBOOKS[Front] = lambda front: notebook(front_view(front))
