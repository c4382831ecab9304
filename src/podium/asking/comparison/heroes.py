"""The first screens of pages: the board, one algorithm alone, judges beside people, posteriors."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from podium.asking.comparison.analysis import Analysis, Evidence
from podium.asking.comparison.next_steps import next_text
from podium.asking.comparison.record import Bias, biases
from podium.asking.comparison.words import (
    AGREE,
    BAYES_KEY,
    JUDGE_HEADS,
    JUDGE_KEY,
    RUNS_TITLE,
    SETTLE,
    TREATMENTS,
    USUAL_TREATMENT,
    agreeing,
    bias_text,
    flattered,
    redrawn,
    redrawn_question,
    runs_head,
    split_head,
)
from podium.core.base.errors import PodiumError
from podium.core.base.formatting import printable, short
from podium.core.inference.comparing.arranging import suited
from podium.core.inference.comparing.compare import compare
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.inference.layouts import Layout
from podium.core.inference.procedures.procedure import Options
from podium.core.results.results import Results
from podium.core.verdicts.standing import standing
from podium.core.verdicts.verdict import PROBABLE, ROPE, likeliest
from podium.core.words.phrases import level
from podium.showing.reports.board import board, decimals_for, fixed, interval_name, name_head
from podium.showing.reports.document import Card, Column, Row, View, axis_of, hero


@hero("missing", place=60, of_results=True)
def missing_runs(analysis: Analysis) -> list[View]:
    """The board where runs failed or are missing: every treatment as a view, states per run."""
    first = analysis.first
    if first is None or first.layout is None or not first.layout.labels:
        return []
    states = run_states(first.layout, analysis.results)
    if not any(set(text) - {"d"} for text in states.values()):
        return []
    views = []
    for gaps in (None, *TREATMENTS):
        try:
            c, made = _treated(first, analysis.results, gaps)
        except PodiumError:  # nothing is left, or the test takes no such treatment
            continue
        at = {"missing": gaps or USUAL_TREATMENT, "measure": first.measure}
        views.append(_with_states(board(c, made, at=at), states, made))
    others = [
        board(each.comparisons, each.layout, at={"measure": each.measure})
        for each in analysis.chosen[1:]
    ]
    return [replace(views[0], cards=tuple(cards(first, analysis))), *views[1:], *others]


def _treated(first: Evidence, results: Results, gaps: str | None) -> tuple[Comparisons, Layout]:
    if gaps is None:
        assert first.layout is not None
        return first.comparisons, first.layout
    c = first.comparisons
    options = (c.extras.options or Options()).but(gaps=gaps)
    made = suited(results, c.procedure, measure=first.measure, target=c.target, gaps=gaps)
    return compare(made, options), made


def run_states(made: Layout, results: Results) -> dict[str, str]:
    """Per algorithm a letter for each data set: done, failed or missing."""
    runs = results.runs
    done, failed = (
        {(d, a) for d, a in zip(part["dataset"].astype(str), part["algorithm"].astype(str),
                                strict=True)}
        for part in (runs[runs["status"] == status] for status in ("done", "failed"))
    )  # fmt: skip
    known = ~np.isnan(made.values)
    return {
        name: "".join(
            "f" if (d, name) in failed and (d, name) not in done else "d" if known[i, k] else "m"
            for i, d in enumerate(map(str, made.labels))
        )
        for k, name in enumerate(made.algorithms)
    }


def _with_states(view: View, states: Mapping[str, str], made: Layout) -> View:
    """Runs instead of strips."""
    columns = tuple(
        Column("runs", "runs", runs_head(len(made.labels)), RUNS_TITLE)
        if column.key == "strip" else column
        for column in view.columns
    )  # fmt: skip
    rows = tuple(
        replace(row, cells={**row.cells, "runs": states.get(row.name, "")}) for row in view.rows
    )
    return replace(view, columns=columns, rows=rows)


@hero("board", place=100)
def boards(analysis: Analysis) -> list[View]:
    """A view of every measure, and of the first one by every other test."""
    return [_view(each, analysis) for each in analysis.evidence]


def _view(evidence: Evidence, analysis: Analysis) -> View:
    c = evidence.comparisons
    first = evidence is analysis.first
    view = board(c, evidence.layout, at={"measure": evidence.measure, "test": c.procedure})
    return replace(view, cards=tuple(cards(evidence, analysis))) if first else view


def cards(evidence: Evidence, analysis: Analysis) -> Iterator[Card]:
    """Three questions that readers have next, with their answers in a sentence or two."""
    c = evidence.comparisons
    ranking = standing(c)
    if ranking is None or c.is_forced:
        return
    if text := redrawn(c, analysis.shares):
        yield Card(redrawn_question(c), text, "stability")
    others = [each for each in analysis.of(evidence.measure) if not each.is_chosen]
    if others:
        yield Card(AGREE, agreeing(evidence, others), "tests")
    if text := next_text(c, ranking, lambda: evidence.layout):
        yield Card(SETTLE, text)


# -- judging --------------------------------------------------------------------------------------
# A judge beside people, and posteriors, as first screens of pages.


# -- a judge and people ---------------------------------------------------------------------------


@hero("judge", place=10)
def judged(analysis: Analysis) -> list[View]:
    """People's scores with intervals, the judge alone beside them, and its bias per model."""
    first = analysis.first
    result = {} if first is None else {bias.algorithm: bias for bias in biases(first.comparisons)}
    if first is None or not result or first.comparisons.extras.scores is None:
        return []
    c = first.comparisons
    view = board(c, None, at={"measure": first.measure})
    if not view.rows:
        return [view]
    assert c.extras.scores is not None
    own = c.extras.scores.set_index("algorithm")
    reach = [(bias.upper - bias.lower) / 2 for bias in result.values()]
    places = decimals_for(min((r for r in reach if r > 0), default=0.01), 2)
    rows = tuple(_judged_row(row, own.loc[row.name], result[row.name], places) for row in view.rows)
    ends = [v for row in rows for v in row.cells["interval"].values()]
    columns = (
        Column("rank", "rank", "Rank"),
        Column("name", "name", name_head(c)),
        Column("people", "number", JUDGE_HEADS["people"], wide=True),
        Column("judge", "number", JUDGE_HEADS["judge"], wide=True),
        Column("interval", "interval", JUDGE_HEADS["interval"].format(level=level(c.alpha))),
        Column("difference", "estimate", "Difference"),
        Column("bias", "estimate", JUDGE_HEADS["bias"]),
        Column("verdict", "text", "Verdict", wide=True),
    )
    live = {**(view.live or {}), "axis": True, "static": ["interval", "people", "judge", "bias"]}
    worst = max(result.values(), key=lambda bias: bias.bias)
    headline = (
        *view.headline[:-1],
        *flattered(view.headline[-1], worst.algorithm, worst.lower > 0),
    )
    return [replace(view, headline=headline, columns=columns, rows=rows, key=JUDGE_KEY, live=live,
                    axis=axis_of(ends, zero=None))]  # fmt: skip


def _judged_row(row: Row, own: Any, bias: Bias, places: int) -> Row:
    tone = "tone-bad" if bias.is_biased else None
    text = bias_text(*(fixed(v, places) for v in (bias.bias, bias.lower, bias.upper)))
    cells = {
        **row.cells,
        "interval": {"v": float(own["mean"]), "lo": float(own["lower"]),
                     "hi": float(own["upper"]), "ghost": bias.judge},
        "people": (fixed(float(own["mean"]), places), float(own["mean"])),
        "judge": (fixed(bias.judge, places), bias.judge),
        "bias": (*text, bias.bias, tone),
    }  # fmt: skip
    return replace(row, cells=cells)


# -- posteriors -----------------------------------------------------------------------------------


@hero("bayes", place=40)
def bayes(analysis: Analysis) -> list[View]:
    """P(best), and better, same and worse than the reference, by the posterior."""
    first = analysis.first
    if first is None or not first.comparisons.has_posterior:
        return []
    c = first.comparisons
    view = board(c, first.layout, at={"measure": first.measure, "test": c.procedure})
    if not view.rows or c.extras.standing is None:
        return [view]
    best = {name: each.best for name, each in c.extras.standing.items()}
    reference = c.control or view.rows[0].name
    chances = _chances(c, reference)
    rows = tuple(
        replace(row, cells={**row.cells, "best": best[row.name],
                            "split": chances.get(row.name, split_head("", 0)[0])})
        for row in view.rows
    )  # fmt: skip
    columns = (
        Column("name", "name", name_head(c)),
        Column("score", "number", next(x.head for x in view.columns if x.key == "score")),
        Column("best", "share", "P(best)"),
        Column("split", "split", split_head(printable(short(reference, 24)), c.relevance)[1]),
        Column("difference", "estimate", f"Difference ({interval_name(c)})", wide=True),
    )
    live = {
        **(view.live or {}),
        "static": ["best"],
        "cut": False,  # probabilities draw no line
        "chances": _all_chances(c),
        "reference": split_head("", 0)[0],
        **_ropes(c, chances),
    }
    return [replace(view, columns=columns, rows=rows, cut=0, key=BAYES_KEY, live=live)]


ROPES = 12  # regions besides the one that was asked about


def _ropes(c: Comparisons, chances: dict[str, Sequence[float]]) -> dict[str, Any]:
    """Other regions of practical equality: their sizes, and the chances of all pairs with each.

    Nothing where the posterior cannot be asked again: the page then has no slider.
    """
    if c.extras.chances is None or not chances:
        return {}
    most = max(2 * c.relevance, 1.5 * float(c.table["estimate"].abs().max()))
    if not most > 0:
        return {}
    step = nice_step(most / ROPES)
    sizes = sorted({c.relevance, *(round(step * i, 12) for i in range(ROPES + 1))})
    every = [
        _all_chances(c) if size == c.relevance
        else [[round(float(v), 3) for v in row[::-1]] for row in c.extras.chances(size)]
        for size in sizes
    ]  # fmt: skip
    (first, _), (second, _) = likeliest(c)[:2]
    place = {name: i for i, name in enumerate(c.algorithms)}
    return {
        "ropes": sizes,
        "rope": sizes.index(c.relevance),
        "rope_chances": every,
        "rope_top": [place[first], place[second]],
        "rope_sentence": f"{PROBABLE}{ROPE}.",
        "rope_head": split_head("{name}", "{rope}")[1],
    }


def nice_step(rough: float) -> float:
    """A round number that is not less.

    >>> nice_step(0.0031), nice_step(0.7)
    (0.005, 1.0)
    """
    size = 10.0 ** math.floor(math.log10(rough))
    return float(next(n * size for n in (1, 2, 2.5, 5, 10) if n * size >= rough * 0.999))


def _chances(c: Comparisons, whom: str) -> dict[str, Sequence[float]]:
    """Of every other algorithm: that it is better than `whom`, the same, worse."""
    results: dict[str, Sequence[float]] = {}
    for row in c.table.to_dict("records"):
        if row["second"] == whom:
            results[row["first"]] = (row["win"], row["same"], row["lose"])
        elif row["first"] == whom:
            results[row["second"]] = (row["lose"], row["same"], row["win"])
    return results


def _all_chances(c: Comparisons) -> list[list[float]]:
    return [
        [round(v, 3) for v in row] for row in c.table[["win", "same", "lose"]].to_numpy().tolist()
    ]
