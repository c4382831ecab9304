"""Who is on the front: algorithms that no other is shown to dominate.

j dominates i where it is better in every measure. That is claimed by the largest one-sided p-value
over the measures (intersection-union; Berger 1982), and Holm's method over all directed pairs: with
1 - alpha those that are left hold the whole true front. With margins j must not be worse by its
margin in any measure, and better in at least one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from podium.asking.fronts import words
from podium.asking.fronts.trades import Trade
from podium.core.base.errors import InferenceError
from podium.core.inference.bricks.adjustments import holm
from podium.core.inference.bricks.linearised import only_values
from podium.core.inference.comparing.compare import compare
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.inference.comparing.legality import one_of_several
from podium.core.inference.comparing.single import intervals
from podium.core.inference.layouts import Layout, spread_note
from podium.core.inference.procedures.procedure import Options
from podium.core.questions.measures import Measure
from podium.core.words.facts import Note
from podium.core.words.saying import Presented


@dataclass(frozen=True, eq=False, repr=False)
class Front(Presented):
    """Who may be on the front of several measures, and who is dominated by whom.

    `scores` has every algorithm's mean in every measure with an interval of its own; `dominated`
    one row for each who is shown to be dominated, by the one of whom that is clearest; `pairs` all
    directed pairs.
    """

    scores: pd.DataFrame
    dominated: pd.DataFrame
    pairs: pd.DataFrame
    measures: tuple[Measure, ...]
    algorithms: tuple[str, ...]
    alpha: float
    blocks: Mapping[str, str]  # by measure: how many of what it was compared on
    procedures: Mapping[str, str]
    margins: Mapping[str, float]
    trades: tuple[Trade, ...] = ()
    notes: Sequence[Note] = ()

    @property
    def members(self) -> tuple[str, ...]:
        """Those that nobody is shown to dominate."""
        out = {*self.dominated["algorithm"]}
        return tuple(name for name in self.algorithms if name not in out)

    def _lines_above(self) -> list[str]:
        return [words.headline(self)]

    def _tables(self) -> dict[str, pd.DataFrame]:
        tables = {"Scores": self.scores, "Dominated": self.dominated.drop(columns="all")}
        return {name: table for name, table in tables.items() if len(table)}

    def _facts(self) -> dict[str, Any]:
        return {
            "headline": words.headline(self),
            "front": {
                "measures": [m.name for m in self.measures],
                "directions": {m.name: m.direction for m in self.measures},
                "level": 1 - self.alpha,
                "members": list(self.members),
                "dominated": self.dominated,
                "scores": self.scores,
                "pairs": self.pairs,
                "procedures": dict(self.procedures),
                "margins": dict(self.margins) or None,
                "trades": [trade.to_dict() for trade in self.trades],
                "warnings": list(self.notes),
            },
        }


def front_of(
    layouts: Mapping[str, Layout],
    *,
    alpha: float,
    gaps: str | None,
    margins: Mapping[str, float] | None,
) -> Front:
    """The front of some measures of the same algorithms."""
    margins = margins or {}
    first = next(iter(layouts.values()))
    names = first.algorithms
    if len(names) < 2:
        raise InferenceError("A front is of two algorithms or more, and there is one.")
    if len(layouts) < 2:
        raise InferenceError("A front is of two measures or more: say -m accuracy,cost or so.")
    for name in margins:
        if name not in layouts:
            raise InferenceError(
                f"There is a margin of '{name}', which is no measure of the front."
            )
    judged = {name: _Judged(layout, alpha, gaps) for name, layout in layouts.items()}
    better = np.array([each.p() for each in judged.values()])
    p = better.max(axis=0)
    if margins:
        within = [each.p(margins.get(name, 0.0)) for name, each in judged.items()]
        p = dominated_within(better, np.array(within))
    pairs = _pairs(names, p)
    measures = tuple(layout.measure for layout in layouts.values())
    notes: dict[tuple[str, str], Note] = {}
    for each in judged.values():
        for note in each.notes:
            notes.setdefault((note.code, str(note)), note)
    return Front(
        scores=_scores(layouts, alpha),
        dominated=_dominated(pairs, alpha),
        pairs=pairs,
        measures=measures,
        algorithms=names,
        alpha=alpha,
        blocks={name: each.blocks for name, each in judged.items()},
        procedures={name: each.procedure for name, each in judged.items()},
        margins=margins,
        notes=(*notes.values(), *(n for x in layouts.values() if (n := spread_note(x)))),
    )


def dominated_within(better: np.ndarray, within: np.ndarray) -> np.ndarray:
    """P-values of: within the margin in every measure, and better in one, which was chosen."""
    some = np.minimum(len(better) * better.min(axis=0), 1.0)
    return np.maximum(within.max(axis=0), some)


class _Judged:
    """One measure: one-sided p-values of all directed pairs, by the test that it has alone."""

    def __init__(self, layout: Layout, alpha: float, gaps: str | None) -> None:
        self.layout = layout
        every = [
            (a, b) for i, a in enumerate(layout.algorithms) for b in layout.algorithms[i + 1 :]
        ]
        self.asked = Options.said(
            procedure=one_of_several(layout), pairs=tuple(every), alpha=alpha, gaps=gaps,
            adjust="none" if len(every) > 1 else None,
        )  # fmt: skip
        self.ways = ("greater", "less") if layout.measure.higher_is_better else ("less", "greater")
        first = self._compared(self.ways[0], 0.0)
        self.notes = tuple(n for n in first.warnings if n.code != "unadjusted")
        self.procedure = first.procedure
        self.blocks = f"{first.blocks.count} {first.blocks.noun}"
        self._first = first

    def _compared(self, way: str, margin: float) -> Comparisons:
        return compare(self.layout, self.asked.but(alternative=way, relevance=-margin))

    def p(self, margin: float = 0.0) -> np.ndarray:
        """[i, j]: of j being no better than i, or worse than i by the margin."""
        k = len(self.layout.algorithms)
        result = np.ones((k, k))
        upper = np.triu_indices(k, 1)
        first = self._first if not margin else self._compared(self.ways[0], margin)
        second = self._compared(self.ways[1], margin)
        result.T[upper] = self._known(first, 1, margin)  # the first of a pair dominates the second
        result[upper] = self._known(second, -1, margin)
        return result

    def _known(self, c: Comparisons, turn: int, margin: float) -> np.ndarray:
        """P-values; of what never varies it is known who is better."""
        p = c.table["p"].to_numpy(float)
        if only_values(self.layout):
            return np.ones(len(p))
        difference = turn * self.layout.sign * c.table["estimate"].to_numpy(float)
        return np.where(np.isnan(p), np.where(difference + margin > 0, 0.0, 1.0), p)


def _pairs(names: Sequence[str], p: np.ndarray) -> pd.DataFrame:
    """All directed pairs, adjusted by Holm's method."""
    at = [(i, j) for i in range(len(names)) for j in range(len(names)) if i != j]
    own = np.array([p[i, j] for i, j in at])
    return pd.DataFrame(
        {
            "algorithm": [names[i] for i, _ in at],
            "by": [names[j] for _, j in at],
            "p": own,
            "p_adjusted": holm(own),
        }
    )


def _dominated(pairs: pd.DataFrame, alpha: float) -> pd.DataFrame:
    shown = pairs[pairs["p_adjusted"] <= alpha].sort_values("p", kind="stable")
    first = shown.drop_duplicates("algorithm").copy()
    others = shown.groupby("algorithm", sort=False)["by"].agg(list)
    first["all"] = [others[name] for name in first["algorithm"]]
    return first.sort_index().reset_index(drop=True)


def _scores(layouts: Mapping[str, Layout], alpha: float) -> pd.DataFrame:
    parts = []
    for name, layout in layouts.items():
        own = intervals(layout, alpha)[["algorithm", "mean", "lower", "upper"]]
        parts.append(own.assign(measure=name)[["measure", "algorithm", "mean", "lower", "upper"]])
    return pd.concat(parts, ignore_index=True)
