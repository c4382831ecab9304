"""What to do next: what would settle the first place, or what else there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from podium.asking.planning.words import planned_noun
from podium.core.base.errors import PodiumError
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.inference.layouts import Layout
from podium.core.questions.targets import CONDITION_ITEM
from podium.core.verdicts.standing import Standing

MOST_RIVALS = 200  # of whom it is asked what would settle them


def next_text(c: Comparisons, standing: Standing, layout: Callable[[], Layout | None]) -> str:
    """What would settle the first rank, or what else there is to do; empty where nothing helps."""
    from podium.asking.comparison import settling as words
    from podium.asking.planning.detection import pool_of
    from podium.showing.screens import terminal as labelled

    rivals = words.rivals(standing)[:MOST_RIVALS]
    if c.extras.sequential is not None and (rivals or not standing.open):
        taken = c.extras.sequential.taken > 0
        return words.by_plan(c.extras.sequential, c.blocks.noun, standing.open) if taken else ""
    if not standing.open or not rivals:
        return labelled.settled(standing)
    if c.has_posterior:
        return ""
    if (pool := pool_of(c)) is not None:
        return words.from_pool(c, pool, standing.reference, rivals)
    if text := words.missing_runs(c, standing.reference, rivals):
        return text
    made = layout()
    return "" if made is None else _would_settle(made, c, standing, rivals)


def _would_settle(made: Layout, c: Comparisons, standing: Standing, rivals: Sequence[str]) -> str:
    from podium.asking.comparison.settling import would_settle
    from podium.asking.planning.detection import needed_of
    from podium.showing.screens.terminal import NEW_CONDITIONS, NEW_DATA

    if not planned_noun(made.block):
        return NEW_CONDITIONS if made.block == CONDITION_ITEM else NEW_DATA
    try:
        needed = needed_of(made, c, standing.reference, rivals)
    except PodiumError:
        return ""
    clusters = made.items.clusters
    noun = planned_noun(made.block if clusters is None else "cluster")
    there = c.blocks.count if clusters is None else len(set(clusters))
    two_sided = c.alternative == "two-sided"
    margin = abs(c.relevance)
    return would_settle(standing.reference, needed, noun, there, margin, two_sided=two_sided)
