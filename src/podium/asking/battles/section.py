"""Battles on screen and page: Elo, the chance to win, and what else decides who is chosen."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from podium.asking.battles.words import (
    ALL_ALIKE,
    COVARIATES,
    EFFECTS,
    UNADJUSTED,
    battle_key,
    covariates_heading,
    elo_head,
    matrix_finding,
)
from podium.asking.comparison.analysis import Analysis
from podium.core.base.formatting import aligned, columns, p_value, printable, screen, wrapped
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.inference.layouts import Layout
from podium.core.words.phrases import ELO, level
from podium.showing.reports.board import board, fixed, name_head
from podium.showing.reports.document import (
    Column,
    Content,
    Drawing,
    Row,
    Text,
    View,
    axis_of,
    readable,
    section,
)
from podium.showing.reports.document import hero as hero_of
from podium.showing.terminal.saying import say

if TYPE_CHECKING:
    from podium.core.inference.comparing.comparisons import Comparisons


# -- in a terminal --------------------------------------------------------------------------------
# Covariates of choices in a terminal: their effects, and whether all levels are alike.


def say_covariates(c: Comparisons) -> None:
    """A row per effect, and one per question about all levels of a covariate."""
    from podium.asking.battles.words import ALL_ALIKE, NO_TEST, covariates_heading

    assert c.extras.covariates is not None
    terms, tests = c.extras.covariates.terms, c.extras.covariates.tests
    say(
        "\n"
        + wrapped(covariates_heading(c.alpha, c.extras.covariates.blocks), screen(), "  ")
        + "\n"
    )
    unit = min((e for e in terms["standard_error"] if e > 0), default=1.0)
    names = ("covariate", "term", "about")
    table = {name: [printable(str(v)) for v in terms[name]] for name in names}
    for name in ("estimate", "lower", "upper"):
        table[name] = aligned(terms[name].tolist(), unit, digits=2)
    table |= {"p": terms["p"].map(p_value).tolist()}
    table |= {"p adjusted": terms["p_adjusted"].map(p_value).tolist()}
    say(columns(table, left=list(names), indent="  "))
    if not len(tests):
        return
    shown = {name: [printable(str(v)) for v in tests[name]] for name in ("covariate", "about")}
    shown["F"] = aligned(tests["statistic"].tolist(), 1.0, digits=3)
    shown["df"] = [
        f"{a:g} and {b:g}" if b == b else NO_TEST
        for a, b in zip(tests["df"], tests["df2"], strict=True)
    ]
    shown["p"] = tests["p"].map(p_value).tolist()
    say(f"\n{wrapped(ALL_ALIKE + '.', screen(), '  ')}\n")
    say(columns(shown, left=["covariate", "about"], indent="  "))


# -- on a page ------------------------------------------------------------------------------------
# Battles on a page: Elo with intervals, the chance to win, and what else decides who is chosen.


COLUMNS = ("covariate", "term", "about", "estimate", "standard_error", "lower", "upper", "p",
           "p_adjusted")  # fmt: skip
HEADS = {"standard_error": "s.e."}


@section("covariates", COVARIATES, place=37)
def covariates(analysis: Analysis) -> Content | None:
    """The first analysis of choices that has covariates; nothing where there are none."""
    for evidence in analysis.chosen:
        c = evidence.comparisons
        effects = c.extras.covariates
        if effects is None:
            continue
        tables = [readable(EFFECTS, _table(effects.terms), HEADS)]
        if len(effects.tests):
            tables.append(readable(ALL_ALIKE, effects.tests))
        tables.append(readable(UNADJUSTED, _strengths(effects.by_algorithm)))
        heading = covariates_heading(c.alpha, effects.blocks)
        return Content(_finding(effects.terms), (Text((heading,)), *tables))
    return None


def _finding(terms: pd.DataFrame) -> str:
    """The effect with the smallest p-value."""
    row = terms.loc[terms["p"].idxmin()]
    p = p_value(float(row["p"]))
    effect = float(row["estimate"])
    size = f"{effect:+.2f}" if row["about"] == "ties" else f"{ELO * effect:+.0f} Elo"
    return f"{row['term']} {size} (p {'' if p.startswith('<') else '= '}{p})"


def _strengths(by_algorithm: Any) -> pd.DataFrame:
    """The strongest first, in Elo."""
    frame = pd.DataFrame(by_algorithm)
    for name in ("adjusted", "unadjusted"):
        frame[name] = 1000 + ELO * frame[name]
    return frame.sort_values("adjusted", ascending=False, kind="stable", ignore_index=True)


def _table(terms: pd.DataFrame) -> pd.DataFrame:
    """What fits on a page, units beside the terms; JSON has the rest."""
    names = zip(terms["term"], terms["unit"], strict=True)
    texts = [f"{term}, {unit}" if unit else term for term, unit in names]
    return terms.assign(term=texts)[list(COLUMNS)]


# -- battles on a page ----------------------------------------------------------------------------
# Elo with intervals of its own, the chance to win, and who beat whom.


@hero_of("battles", place=20)
def battles(analysis: Analysis) -> list[View]:
    """The board in Elo; nothing where strengths were not fitted to battles."""
    first = analysis.first
    if first is None or first.comparisons.judged is None or first.comparisons.judged.elo is None:
        return []
    return [_view(first.comparisons, first.layout, first.measure)]


def _view(c: Comparisons, made: Layout | None, measure: str) -> View:
    assert c.judged is not None
    assert c.judged.elo is not None
    elo, view = c.judged.elo, board(c, None, at={"measure": measure})
    if not view.rows:
        return view
    errors, counts = quasi_errors(c), _battles(made)
    best = max(elo.values())
    rows = tuple(_row(row, c, elo, errors, best, counts) for row in view.rows)
    ends = [row.cells["interval"][key] for row in rows for key in row.cells["interval"]]
    kept = ("interval", "elo", "against", "rate", "battles")
    live = {
        **(view.live or {}),
        "axis": True,
        "static": list(kept),
    }
    return replace(
        view,
        columns=tuple(_columns(c, counts)),
        rows=rows,
        axis=axis_of(ends, zero=None),
        key=battle_key(),
        live=live,
    )


def _columns(c: Comparisons, counts: Mapping[str, int]) -> list[Column]:
    rank, name = Column("rank", "rank", "Rank"), Column("name", "name", name_head(c))
    more = [Column("battles", "number", "Battles", wide=True)] if counts else []
    return [
        rank,
        name,
        Column("interval", "interval", elo_head(level(c.alpha))),
        Column("elo", "number", "Elo"),
        Column("difference", "estimate", "Difference"),
        Column("against", "number", "Wins against best", wide=True),
        Column("rate", "number", "Win rate", wide=True),
        *more,
    ]


def _row(
    row: Row,
    c: Comparisons,
    elo: Mapping[str, float],
    errors: Mapping[str, float],
    best: float,
    counts: Mapping[str, int],
) -> Row:
    own = elo[row.name]
    reach = NormalDist().inv_cdf(1 - c.alpha / 2) * errors.get(row.name, math.nan)
    known = math.isfinite(reach)
    chance = 1 / (1 + 10 ** ((best - own) / 400))
    cells: dict[str, Any] = {
        "rank": row.cells["rank"],
        "interval": {"v": own, **({"lo": own - reach, "hi": own + reach} if known else {})},
        "elo": (fixed(own, 0), own),
        "difference": row.cells["difference"],
        "against": ("–", 0.5) if own == best else (f"{100 * chance:.0f} %", chance),
        "rate": (f"{100 * c.means[row.name]:.0f} %", c.means[row.name]),
        "battles": (f"{counts.get(row.name, 0):,}", counts.get(row.name, 0)),
    }
    return replace(row, cells=cells)


def quasi_errors(c: Comparisons) -> dict[str, float]:
    """Standard errors of single Elos by which those of differences are nearly sums of squares.

    Quasi-variances (Firth and de Menezes 2004) by least squares on the variances of all pairs.
    """
    place = {name: i for i, name in enumerate(c.algorithms)}
    k, t = len(place), c.table
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = (t["estimate"].to_numpy(float) / t["statistic"].to_numpy(float)) ** 2
    if len(t) != k * (k - 1) // 2 or not np.isfinite(variance).all():
        return {}
    if k == 2:
        return dict.fromkeys(place, ELO * math.sqrt(variance[0] / 2))
    sums = np.zeros(k)
    for end in ("first", "second"):
        np.add.at(sums, t[end].map(place).to_numpy(int), variance)
    quasi = (sums - variance.sum() / (k - 1)) / (k - 2)
    return {name: ELO * math.sqrt(max(quasi[i], 0.0)) for name, i in place.items()}


def _battles(made: Layout | None) -> dict[str, int]:
    if made is None:
        return {}
    counts = (~np.isnan(made.values)).sum(axis=0)
    return dict(zip(made.algorithms, counts.tolist(), strict=True))


@section("matrix", "Win matrix", place=18)
def matrix(analysis: Analysis) -> Content | None:
    """Who beat whom how often; nothing where there are no battles."""
    first = analysis.first
    if first is None or first.layout is None or not first.comparisons.blocks.partial:
        return None
    values = first.layout.values
    if not np.isin(values[~np.isnan(values)], (0.0, 0.5, 1.0)).all():
        return None
    here = ~np.isnan(values)
    won, met = np.nan_to_num(values).T @ here, here.T.astype(float) @ here
    np.fill_diagonal(met, 0)
    shares = [
        [None if n == 0 else round(w / n, 3) for w, n in zip(*row, strict=True)]
        for row in zip(won.tolist(), met.tolist(), strict=True)
    ]
    counts = [
        [f"{w:g} / {n:g}" for w, n in zip(*row, strict=True)]
        for row in zip(won.tolist(), met.tolist(), strict=True)
    ]
    pairs = int((np.triu(met, 1) > 0).sum())
    return Content(
        matrix_finding(pairs), (Drawing("matrix", {"shares": shares, "counts": counts}),)
    )
