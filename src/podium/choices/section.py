"""Battles on a page: Elo with intervals, the chance to win, and what else decides who is chosen."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from statistics import NormalDist
from typing import Any

import numpy as np
import pandas as pd

from podium.base.formatting import p_value
from podium.choices.words import (
    ALL_ALIKE,
    COVARIATES,
    EFFECTS,
    UNADJUSTED,
    ahead_text,
    battle_key,
    counts_text,
    covariates_heading,
    elo_head,
    matrix_finding,
)
from podium.inference.comparing.comparisons import ELO, Comparisons
from podium.inference.layouts.layouts import Layout
from podium.reports.analysis import Analysis
from podium.reports.board import board, fixed, pair_rows
from podium.reports.document import (
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
from podium.reports.document import hero as hero_of
from podium.words.phrases import level

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
    return f"{row['term']} {float(row['estimate']):+.2f} (p {'' if p.startswith('<') else '= '}{p})"


def _strengths(by_algorithm: Any) -> pd.DataFrame:
    """The strongest first."""
    frame = pd.DataFrame(by_algorithm)
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
    place = {name: i for i, name in enumerate(c.algorithms)}
    kept = ("interval", "difference", "elo", "against", "rate", "battles")
    live = {
        **(view.live or {}),
        "pairs": pair_rows(c, place, ELO),
        "scores": [elo[name] for name in c.algorithms],
        "decimals": [0, 0],
        "axis": True,
        "static": [key for key in kept if key != "difference"],
    }
    return replace(
        view,
        columns=tuple(_columns(c, counts)),
        rows=rows,
        axis=axis_of(ends, zero=None),
        sentence=_sentence(c, rows),
        key=battle_key(),
        live=live,
    )


def _sentence(c: Comparisons, rows: tuple[Row, ...]) -> str:
    """By how much the best leads the nearest that it beats, in Elo, and how much is settled."""
    made = c.decision
    beaten = [row for row in rows[1:] if rows[0].name in made.beaten_by(row.name)]
    texts = [ahead_text(rows[0].name, row.name, *row.cells["difference"][:2]) for row in beaten[:1]]
    return " ".join([*texts, counts_text(made.significant, made.comparisons, made.inconclusive)])


def _columns(c: Comparisons, counts: Mapping[str, int]) -> list[Column]:
    rank, name = Column("rank", "rank", "Rank"), Column("name", "name", "Model")
    more = [Column("battles", "number", "Battles", wide=True)] if counts else []
    return [
        rank,
        name,
        Column("interval", "interval", elo_head(level(c.alpha))),
        Column("elo", "number", "Elo"),
        Column("difference", "estimate", "Behind"),
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
    gap = row.cells["difference"]
    cells: dict[str, Any] = {
        "rank": row.cells["rank"],
        "interval": {"v": own, **({"lo": own - reach, "hi": own + reach} if known else {})},
        "elo": (fixed(own, 0), own),
        "difference": _in_elo(row, gap),
        "against": ("–", 0.5) if own == best else (f"{100 * chance:.0f} %", chance),
        "rate": (f"{100 * c.means[row.name]:.0f} %", c.means[row.name]),
        "battles": (f"{counts.get(row.name, 0):,}", counts.get(row.name, 0)),
    }
    return replace(row, cells=cells)


def _in_elo(row: Row, gap: tuple[str, str, float | None]) -> tuple[str, str, float | None]:
    """A difference of log-strengths in points of Elo."""
    ends = row.cells["interval"]
    if gap[2] is None or (not gap[1] and gap[0] == "–"):
        return gap
    low, high = (fixed(ELO * ends[end], 0) if end in ends else "" for end in ("lo", "hi"))
    limits = f"{low} to {high}" if low and high else f"at least {low}" if low else ""
    limits = f"at most {high}" if high and not low else limits
    return fixed(ELO * gap[2], 0), f"({limits})" if limits else "", ELO * gap[2]


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
