"""Items in strata such as topics: scores of each, and whether differences depend on the stratum.

Strata are fixed, as a cluster is not: nothing is said about others. Whether algorithms differ
otherwise in one stratum than in another is Welch's test (1951) of every algorithm's score less the
mean of all on the same items; with two algorithms that is a test of their difference.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from podium.base.errors import InferenceError
from podium.inference.bricks.adjustments import holm
from podium.inference.bricks.clustered import clustered_covariance
from podium.inference.comparing.single import item_scores
from podium.inference.layouts.layouts import Layout
from podium.inference.numbers import tails
from podium.questions.options import check_alpha
from podium.words.facts import CAUTION, REMARK, Note, Overall
from podium.words.notes.of_boards import strata_heading
from podium.words.presentation import Presented

LEAST_ITEMS = 5  # of a stratum, to take part in the test
FEW_ITEMS = 20


@dataclass(frozen=True, eq=False, repr=False)
class Strata(Presented):
    """Scores by stratum with intervals of their own, and tests of interaction.

    `scores` has a row per stratum and algorithm. `interaction` has a row per algorithm: how its
    score less the mean of all varies between strata; p-values are Holm's. `overall` is the test
    that no difference depends on the stratum.
    """

    scores: pd.DataFrame
    interaction: pd.DataFrame
    overall: Overall | None
    measure: str
    higher_is_better: bool
    alpha: float
    notes: tuple[Note, ...] = ()

    @property
    def strata(self) -> list[str]:
        """In the order of the source."""
        return list(dict.fromkeys(self.scores["stratum"]))

    @property
    def algorithms(self) -> list[str]:
        """In the order of the source."""
        return list(dict.fromkeys(self.scores["algorithm"]))

    def _said(self) -> list[str]:
        return [strata_heading(self)]

    def _tables(self) -> Mapping[str, pd.DataFrame]:
        return {"Scores": self.scores, "Interaction": self.interaction}

    def _facts(self) -> dict[str, Any]:
        return {
            "measure": self.measure,
            "alpha": self.alpha,
            "scores": self.scores,
            "interaction": self.interaction,
            "global": self.overall,
            "warnings": list(self.notes),
        }


def by_stratum(layout: Layout, alpha: float = 0.05) -> Strata:
    """The strata of a layout of items."""
    check_alpha(alpha)
    if layout.items.strata is None:
        raise InferenceError(
            "The items are in no strata: say which column holds them, as in --strata topic "
            "(columns={'stratum': 'topic'})."
        )
    names = list(dict.fromkeys(layout.items.strata.tolist()))
    if len(names) < 2:
        raise InferenceError(f"All items are in one stratum, '{names[0]}': there is no other one.")
    parts = {name: _only(layout, name) for name in names}
    table, overall, notes = _interaction(parts, layout.algorithms)
    return Strata(
        pd.concat([_scores(part, name, alpha) for name, part in parts.items()], ignore_index=True),
        table,
        overall,
        layout.measure.name,
        layout.measure.higher_is_better,
        alpha,
        (*layout.notes, *notes),
    )


def _only(layout: Layout, name: str) -> Layout:
    kept = np.asarray(layout.items.strata) == name
    return layout.only_blocks(kept, Note("stratum", REMARK, stratum=name))


def _scores(part: Layout, name: str, alpha: float) -> pd.DataFrame:
    table = item_scores(part, alpha, alone=True)
    assert table is not None  # of items
    table.insert(0, "stratum", name)
    return table.rename(columns={"blocks": "items"}).drop(columns="method")


def _interaction(
    parts: Mapping[str, Layout], algorithms: tuple[str, ...]
) -> tuple[pd.DataFrame, Overall | None, list[Note]]:
    """Welch's test of every algorithm, adjusted, and the smallest of them."""
    columns = ["algorithm", "statistic", "df", "df_rest", "p", "p_adjusted"]
    if len(algorithms) < 2:
        return pd.DataFrame(columns=columns), None, []
    moments = {name: _moments(part.complete()) for name, part in parts.items()}
    small = tuple(name for name, (n, *_) in moments.items() if n < LEAST_ITEMS)
    used = [each for name, each in moments.items() if name not in small]
    notes = [Note("small-strata", CAUTION, strata=small, least=LEAST_ITEMS)] if small else []
    if len(used) < 2:
        return pd.DataFrame(columns=columns), None, notes
    of = algorithms[:1] if len(algorithms) == 2 else algorithms  # two differ by one difference
    means, variances, dfs = (np.array(each) for each in zip(*(m[1:] for m in used), strict=True))
    rows = [(name, *welch(means[:, k], variances[:, k], dfs[:, k])) for k, name in enumerate(of)]
    table = pd.DataFrame(rows, columns=columns[:-1])
    if table["df_rest"].isna().all():
        return pd.DataFrame(columns=columns), None, [*notes, Note("strata-never-vary", REMARK)]
    p = table["p"].to_numpy(float)
    table["p_adjusted"] = np.where(np.isnan(p), np.nan, holm(np.nan_to_num(p, nan=1.0)))
    if len(algorithms) == 2:
        table["algorithm"] = " - ".join(algorithms)
    known = table[table["df_rest"].notna()]
    first = known.iloc[int(known["p"].to_numpy().argmin())]
    least = min(n for n, *_ in used)
    if least < FEW_ITEMS:
        notes.append(Note("few-in-strata", CAUTION, items=least))
    overall = Overall(
        "welch", float(first["statistic"]), (float(first["df"]), float(first["df_rest"])),
        float(table["p_adjusted"].min()), "Welch's F",
    )  # fmt: skip
    return table, overall, notes


def _moments(part: Layout) -> tuple[int, np.ndarray, np.ndarray, np.ndarray]:
    """Items, and of every algorithm less the mean of all: mean, its variance, and df."""
    z = part.values - part.values.mean(axis=1, keepdims=True)
    n, k = z.shape
    if n < LEAST_ITEMS:
        return n, *np.full((3, k), np.nan)
    if part.items.clusters is None:
        return n, z.mean(axis=0), z.var(axis=0, ddof=1) / n, np.full(k, n - 1.0)
    if len(np.unique(part.items.clusters)) < 2:
        return 0, *np.full((3, k), np.nan)
    covariance, df = clustered_covariance(z, np.asarray(part.items.clusters))
    return n, z.mean(axis=0), np.diag(covariance).copy(), np.full(k, df)


def welch(
    mean: np.ndarray, variance: np.ndarray, df: np.ndarray
) -> tuple[float, float, float, float]:
    """F, its two degrees of freedom and p of equal means with unequal variances (Welch 1951).

    A stratum in which nothing varies has the mean variance of the others.
    """
    some = variance > 0
    if not some.any():
        same = bool(np.ptp(mean) == 0)
        return (0.0 if same else np.nan), len(mean) - 1.0, np.nan, 1.0 if same else np.nan
    w = 1 / np.where(some, variance, variance[some].mean())
    s, total = len(mean), w.sum()
    centre = (w * mean).sum() / total
    rest = ((1 - w / total) ** 2 / df).sum() / (s**2 - 1)
    f = (w * (mean - centre) ** 2).sum() / (s - 1) / (1 + 2 * (s - 2) * rest)
    df_rest = 1 / (3 * rest)
    return float(f), s - 1.0, float(df_rest), float(tails.f_sf(f, s - 1, df_rest))
