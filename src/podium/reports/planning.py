"""Planning: what it would take to settle the pairs that are open."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from podium.errors import PodiumError
from podium.inference.comparisons import Comparisons
from podium.inference.layouts import Layout
from podium.plots import planning_curves
from podium.reports.document import Choice, Part, Section, Table
from podium.reports.figures import Picture, pictured
from podium.reports.headings import table
from podium.studies.analysis import Analysis, Evidence
from podium.studies.detection import detectable_pairs
from podium.studies.pilot import by_cluster, plan_pilot
from podium.studies.plan import USUAL
from podium.studies.power import blocks_needed
from podium.wording.notes_planning import planned_noun
from podium.wording.phrases import counted, is_are

NEVER = (
    "More resamples of this one learning sample never say more about the population: they make any "
    "difference significant and nothing about new samples more certain. What helps is new data: "
    "more rows, a fresh sample, or other data sets."
)
SHARED = (
    "More folds or resamples of this one learning sample are not more data: what they have in "
    "common never averages out. What helps is new data: more rows, a fresh sample, or other data "
    "sets."
)
CAVEAT = (
    "These numbers are estimates: they take the observed difference and its spread for the true "
    "ones, and both are uncertain. Where the true difference is smaller, more is needed; where "
    "there is none, no number suffices. Fix the number before the next look at the scores."
)
MARGIN = (
    "The numbers are for telling a difference of {margin:g}, which was said to be relevant, from "
    "none; the spread of the differences is estimated and uncertain. Fix the number before the "
    "next look at the scores."
)


def planning(analysis: Analysis) -> Section:
    """What the open pairs of every measure would take."""
    parts = [part for each in analysis.chosen for part in _settled(each)]
    if not parts:
        parts = [Part(paragraphs=("There are no pairs to plan for.",))]
    return Section("Planning: what would settle the open pairs", "planning", tuple(parts))


def _settled(evidence: Evidence) -> Iterator[Part]:
    c, made = evidence.comparisons, evidence.layout
    if len(c.algorithms) < 2:
        return
    still = c.table[c.table["verdict"] == "undecided"]
    title, choice = f"By {c.measure}", Choice(c.measure)
    if not len(still):
        yield Part(title, paragraphs=("No pair is open.",), choice=choice)
        return
    said = [f"{counted(len(still), 'pair')} {is_are(len(still))} open."]
    if made is None:
        said.append("What was compared cannot be made again here, so nothing is planned.")
        yield Part(title, paragraphs=tuple(said), choice=choice)
        return
    if not planned_noun(made.block):
        yield _not_by_more(said, made, evidence)
        return
    try:
        yield _planned(said, by_cluster(made), evidence, still)
    except PodiumError as error:
        yield Part(title, paragraphs=(*said, f"Nothing is planned: {error}"), choice=choice)


def _not_by_more(said: list[str], made: Layout, evidence: Evidence) -> Part:
    """Blocks of which more would not tell more about the population."""
    c = evidence.comparisons
    said = [*said, NEVER if c.target == "sample" else SHARED]
    items = _detectable(made, c)
    if items:
        said.append(
            f"As it is, the design finds with {100 * USUAL:g} % power, about its own target "
            f"({c.target}), the differences in the table; smaller ones mostly stay open."
        )
    return Part(f"By {c.measure}", paragraphs=tuple(said), items=items, choice=Choice(c.measure))


def _detectable(made: Layout, c: Comparisons) -> tuple[Table, ...]:
    try:
        found = detectable_pairs(
            made, alpha=c.alpha, alternative=c.alternative, comparisons=_tests(c)
        )
    except PodiumError:
        return ()
    still = _open(found.dropna(subset=["detectable"]), c)
    return (table("Least difference that the design finds with 80 % power", still),) * bool(
        len(still)
    )


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


def _planned(said: list[str], made: Layout, evidence: Evidence, still: pd.DataFrame) -> Part:
    """How many blocks the open pairs need, and a curve for the hardest that can be settled."""
    c = evidence.comparisons
    margin = abs(c.relevance) or None
    pilot = plan_pilot(
        made,
        difference=margin,
        by="median",
        alpha=c.alpha,
        alternative=c.alternative,
        comparisons=_tests(c),
    )
    rows = _needed(_open(pilot.pairs, c), margin, c)
    noun = planned_noun("cluster" if made.of_clusters else made.block)
    said = [
        *said,
        f"For each of them the table has the number of {noun} that {100 * USUAL:g} % power would "
        "take (needed), and the least difference that the study finds with this power as it is "
        "(found now); sd is the standard deviation of the differences, with its interval.",
        MARGIN.format(margin=margin) if margin else CAVEAT,
    ]
    figures, not_drawn = pictured(_curve(pilot.plan, noun, margin), c.measure)
    return Part(
        f"By {c.measure}",
        paragraphs=(*said, *not_drawn),
        notes=tuple(n for n in pilot.notes if n.code in ("few-blocks", "bonferroni")),
        items=(table(f"Number of {noun} for the open pairs", rows), *figures),
        choice=Choice(c.measure),
    )


def _needed(pairs: pd.DataFrame, margin: float | None, c: Comparisons) -> pd.DataFrame:
    """One row per open pair; a number beyond ten million, or on the other side, is missing."""
    difference = pairs["difference"].to_numpy(float)
    sd = pairs["sd"].to_numpy(float)
    wanted = np.full(len(pairs), margin) if margin else np.abs(difference)
    usable = (wanted > 0) & (sd > 0) & (margin is not None or _on_side(pairs, c))
    level = {"alpha": c.alpha / _tests(c), "alternative": c.alternative}
    count = blocks_needed(
        np.where(usable, wanted, 1.0),
        np.where(usable, sd, 1.0),
        USUAL,
        **level,  # type: ignore[arg-type]
    )
    count = np.where(usable & np.isfinite(count), count, np.nan)
    of = f"needed for {margin:g}" if margin else "needed for this difference"
    return pd.DataFrame(
        {
            "first": pairs["first"],
            "second": pairs["second"],
            "difference": difference,
            "sd of differences": sd,
            **_limits(pairs),
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


def _limits(pairs: pd.DataFrame) -> dict[str, pd.Series]:
    """The interval of the sd, by which a careful reader plans."""
    return {name: pairs[name] for name in ("sd_lower", "sd_upper") if name in pairs}


def _curve(plan: object, noun: str, margin: float | None) -> Iterator[Picture]:
    what = f"a difference of {margin:g}" if margin else "the least difference that is found now"
    yield Picture(
        "Power",
        f"The power to find {what}, of the pair with the median spread, by the number of {noun}.",
        planning_curves.power_curve_data,
        planning_curves.draw_power_curve,
        plan,
        height=3.2,
    )
