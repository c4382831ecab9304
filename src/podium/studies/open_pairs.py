"""What settles pairs that are open: more blocks; or the least difference that is found now."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from podium.errors import PodiumError
from podium.inference.comparisons import Comparisons
from podium.inference.layouts import Layout
from podium.studies.detection import detectable_pairs
from podium.studies.pilot import PilotPlan, by_cluster, plan_pilot
from podium.studies.plan import USUAL
from podium.studies.power import blocks_needed
from podium.wording.notes_planning import planned_noun


@dataclass(frozen=True, eq=False)
class Settling:
    """How many blocks the open pairs need, one row each, with the plan of the median spread.

    `margin` is the difference that was said to matter; without one, each pair's own is taken.
    """

    pairs: pd.DataFrame
    pilot: PilotPlan
    noun: str  # what is counted
    margin: float | None


def open_pairs(c: Comparisons) -> int:
    """How many pairs are open."""
    return int((c.table["verdict"] == "undecided").sum())


def settling(made: Layout, c: Comparisons) -> Settling:
    """What more blocks like these would take to settle the open pairs."""
    made = by_cluster(made)
    margin = abs(c.relevance) or None
    pilot = plan_pilot(
        made,
        difference=margin,
        by="median",
        alpha=c.alpha,
        alternative=c.alternative,
        comparisons=_tests(c),
    )
    noun = planned_noun("cluster" if made.of_clusters else made.block)
    return Settling(_needed(_open(pilot.pairs, c), margin, c), pilot, noun, margin)


def found_now(made: Layout, c: Comparisons) -> pd.DataFrame:
    """The least difference that the design finds for each open pair; empty where none is known."""
    try:
        found = detectable_pairs(
            made, alpha=c.alpha, alternative=c.alternative, comparisons=_tests(c)
        )
    except PodiumError:
        return pd.DataFrame()
    return _open(found.dropna(subset=["detectable"]), c)


def _tests(c: Comparisons) -> int:
    """How many tests share the level."""
    return len(c.table) if c.is_adjusted else 1


def _open(pairs: pd.DataFrame, c: Comparisons) -> pd.DataFrame:
    """The rows of those pairs that are open, whichever of the two comes first."""
    verdicts = {frozenset(p): v for *p, v in c.table[["first", "second", "verdict"]].to_numpy()}
    kept = [
        verdicts.get(frozenset(pair)) == "undecided"
        for pair in pairs[["first", "second"]].to_numpy()
    ]
    return pairs[kept].reset_index(drop=True)


def _needed(pairs: pd.DataFrame, margin: float | None, c: Comparisons) -> pd.DataFrame:
    """One row per open pair; a number beyond ten million, or on the other side, is missing."""
    difference = pairs["difference"].to_numpy(float)
    sd = pairs["sd"].to_numpy(float)
    wanted = np.full(len(pairs), margin) if margin else np.abs(difference)
    usable = (wanted > 0) & (sd > 0) & (margin is not None or _on_side(pairs, c))
    count = blocks_needed(
        np.where(usable, wanted, 1.0),
        np.where(usable, sd, 1.0),
        USUAL,
        alpha=c.alpha / _tests(c),
        alternative=c.alternative,
    )
    count = np.where(usable & np.isfinite(count), count, np.nan)
    of = f"needed for {margin:g}" if margin else "needed for this difference"
    limits = [name for name in ("sd_lower", "sd_upper") if name in pairs]
    return pd.DataFrame(
        {
            "first": pairs["first"],
            "second": pairs["second"],
            "difference": difference,
            "sd of differences": sd,
            **{name: pairs[name] for name in limits},  # a careful reader plans by these
            "there are": pairs["datasets"].to_numpy(int),
            of: pd.array(count, dtype="Float64").astype("Int64"),
            "found with 80 % power now": pairs["detectable"],
        }
    )


def _on_side(pairs: pd.DataFrame, c: Comparisons) -> np.ndarray:
    """Which observed differences lie on the side that was asked about."""
    if c.alternative == "two-sided":
        return np.ones(len(pairs), bool)
    asked = set(map(tuple, c.table[["first", "second"]].to_numpy()))
    turned = [tuple(pair) not in asked for pair in pairs[["first", "second"]].to_numpy()]
    size = np.where(turned, -1, 1) * pairs["difference"].to_numpy(float)
    return np.asarray(size > 0 if c.alternative == "greater" else size < 0)
