"""A front on the screen of `podium analyze -m accuracy,cost`, and on a page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from podium.asking.comparison.analysis import Analysis
from podium.asking.fronts import words
from podium.asking.fronts.dominance import Front
from podium.asking.fronts.plots import front_data
from podium.core.base.errors import PodiumError
from podium.core.base.formatting import aligned, cells, columns, p_value, screen, shortened, wrapped
from podium.core.verdicts.verbs import compare
from podium.core.words.phrases import p_text
from podium.core.words.saying import IN_NOTEBOOKS
from podium.showing.reports.board import board, chips, decimals_for, fixed, holds_for
from podium.showing.reports.document import (
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
from podium.showing.reports.hero import Html, Point, fragment, scatter
from podium.showing.reports.page import notebook
from podium.showing.terminal.saying import say
from podium.showing.terminal.writing import say_lines

if TYPE_CHECKING:
    from podium.asking.fronts.dominance import Front


# -- the screen -----------------------------------------------------------------------------------


def say_front(front: Front, *, pairs: bool = False, why: bool = False) -> None:
    """The headline, every algorithm in every measure, and labelled lines."""
    from podium.asking.fronts import words
    from podium.showing.screens.standings import coloured, say_label

    width = screen()
    say(coloured(wrapped(words.headline(front), width, "  "), bold=True))
    say()
    left = ["algorithm", "dominated"]
    text = columns(screen_table(front), left=left, indent="  ")
    if max(map(cells, text.splitlines())) > width:
        text = columns(screen_table(front, limits=False), left=left, indent="  ")
    say_lines(text)
    if pairs:
        say()
        say_lines(columns(pair_table(front), left=["algorithm", "dominated by"], indent="  "))
    say()
    for label, texts in labelled(front, pairs=pairs, why=why):
        say_label(label, texts, width)


def screen_table(front: Front, *, limits: bool = True) -> dict[str, list[str]]:
    """Means with intervals of their own, or without, members of the front first."""

    confidence = f"{100 * (1 - front.alpha):g} %"
    order = row_order(front)
    short = shortened(order, 30 if limits else 15)
    table = {"algorithm": [short[name] for name in order]}
    for measure in front.measures:
        own = front.scores[front.scores["measure"] == measure.name].set_index("algorithm")
        rows = own.loc[order, ["mean", "lower", "upper"]]
        width = float((rows["upper"] - rows["lower"]).median()) / 2
        unit = width if width > 0 else float(rows["mean"].abs().max()) / 100 or 1.0
        cells = aligned(rows.to_numpy(float).ravel().tolist(), unit, digits=2)
        own_limits = limits and width > 0  # a size, say, never varies
        texts = [
            f"{mean} ({low} to {high})" if own_limits else mean
            for mean, low, high in zip(cells[::3], cells[1::3], cells[2::3], strict=True)
        ]
        table[f"{measure.name} ({confidence} CI)" if own_limits else measure.name] = texts
    out = {row["algorithm"]: row for row in front.dominated.to_dict("records")}
    table["dominated"] = [
        f"by {short[out[name]['by']]} ({p_text(out[name]['p_adjusted'])})"
        if name in out
        else "not shown"
        for name in order
    ]
    return table


def row_order(front: Front) -> list[str]:
    """Members of the front first, each part by the first measure."""
    first = front.measures[0]
    means = front.scores[front.scores["measure"] == first.name].set_index("algorithm")["mean"]
    members = {*front.members}
    return sorted(front.algorithms, key=lambda a: (a not in members, -first.sign * means[a]))


def pair_table(front: Front) -> dict[str, list[str]]:
    """All directed pairs."""

    pairs = front.pairs.sort_values("p", kind="stable")
    return {
        "algorithm": pairs["algorithm"].tolist(),
        "dominated by": pairs["by"].tolist(),
        "p": [p_value(p) for p in pairs["p"]],
        "p adjusted": [p_value(p) for p in pairs["p_adjusted"]],
    }


def labelled(front: Front, *, pairs: bool, why: bool) -> Iterator[tuple[str, list[str]]]:
    """How it was judged, what a trade is worth, what limits it, and what else there is."""
    from podium.asking.fronts import words
    from podium.core.results.results import RECOGNISED
    from podium.core.words.facts import CAUTION
    from podium.core.words.saying import say as in_words
    from podium.showing.screens import terminal as lines

    texts = [f"{name}: {front.procedures[name]} over {blocks}"
            for name, blocks in front.blocks.items()]  # fmt: skip
    level = f"{100 * (1 - front.alpha):g} %"
    tested = (
        f"{'; '.join(texts)}. Dominated: {words.rule_text(front)} (largest one-sided p), Holm over "
        f"{len(front.pairs)} directed pairs. With {level} confidence the others hold the front."
    )
    better = [f"{m.direction} {m.name}" for m in front.measures]
    yield "Better", [f"{', '.join(better)}."]
    yield lines.TEST, [tested]
    if trades := list(words.trades_text(front)):
        yield "Trade", trades
    labels = {m.name for m in front.measures}
    notes = [n for n in front.notes if n.code != RECOGNISED
             and (why or n.severity is CAUTION or n.code in lines.IN_FULL)
             and not (n.code == "unused-columns" and {*n.columns} <= labels)]  # fmt: skip
    notes.sort(key=lambda n: n.severity is not CAUTION)
    yield lines.CARE, list(dict.fromkeys(in_words(n) for n in notes))
    more = [] if pairs else ["--pairs  all directed pairs"]
    names = ",".join(m.name for m in front.measures)
    yield (
        lines.MORE,
        ["    ".join([*more, "--json front.json", f"podium plot front FILE -m {names}"])],
    )


# -- on a page ------------------------------------------------------------------------------------
# A front on a page: the first screen with its picture, and all directed pairs as a line below.


MOST_NAMES = 16  # in a picture: of more, those on the front


@hero("front", place=5, of_results=True, without=("methods",))
def fronts(analysis: Analysis) -> list[View]:
    """The front first, then the board of every measure."""
    front, first = analysis.result_of(Front), analysis.first
    if front is None or first is None:
        return []
    boards = [board(first.comparisons, first.layout, at={"measure": first.measure})]
    for name, results in list(analysis.several.items())[1:]:
        try:
            c = compare(results, measure=name, alpha=first.comparisons.alpha)
        except PodiumError:  # it is on the front by its means alone
            continue
        boards.append(board(c, at={"measure": name}))
    return [front_view(front, holds_for(first.comparisons)), *boards]


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
    result = analysis.result_of(Front)
    if result is None:
        return None
    return Content(
        words.pairs_finding(result),
        (Text(tuple(words.trades_text(result))), readable("", result.pairs, words.PAIR_HEADS)),
    )


IN_NOTEBOOKS[Front] = lambda front: notebook(front_view(front))
