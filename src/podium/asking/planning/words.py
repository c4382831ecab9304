"""What is said of plans: numbers of blocks, power, detectable differences, and pilots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from podium.core.questions.targets import BLOCKS, DATASET, SIMULATION
from podium.core.words.facts import Note, sentences, words
from podium.core.words.phrases import counted

FEW_FOR_SKEWED = 10  # blocks
CLUSTER = "cluster"  # of items: what is counted where items have clusters


def planned_noun(block: str) -> str:
    """What so many blocks are called in a plan; empty for those that nobody plans.

    >>> planned_noun("dataset"), planned_noun("cluster"), planned_noun("fold")
    ('data sets', 'clusters of items', '')
    """
    return "clusters of items" if block == CLUSTER else BLOCKS[block].plural


def plan_sentence(
    solved: str,
    difference: float,
    sd: float,
    blocks: float,
    power: float,
    *,
    block: str,
    alternative: str,
    alpha: float,
    comparisons: int,
) -> str:
    """A plan in words; `solved` is the one of blocks, power and difference that was asked for."""
    level = f"{alternative} at level {alpha:g}"
    if comparisons > 1:
        level += f" for {comparisons} comparisons together"
    known = f"of {difference:.3g} (sd {sd:.3g})"
    count = f"{blocks:.0f} {planned_noun(block)}"
    if solved == "blocks":
        return f"{count} show a difference {known} with power {power:.3f}, {level}."
    if solved == "power":
        return f"The power to show a difference {known} with {count} is {power:.3f}, {level}."
    return (
        f"The smallest difference that {count} show with power {power:.3g} is "
        f"{difference:.3g} (sd {sd:.3g}), {level}."
    )


def for_pair(by: str, pairs: int) -> str:
    """Which pair of a pilot a plan is for, after its sentence; nothing where there is one."""
    sd = "largest" if by == "worst" else by
    return f" Planned for the comparison with the {sd} sd." if pairs > 1 else ""


class Allocation(NamedTuple):
    """The words of a table that shares effort between blocks and what lies within."""

    title: str
    heads: Mapping[str, str]


def allocation_words(block: str) -> Allocation:
    """Title and columns: samples in data sets, or answers to items."""
    if block in (DATASET, SIMULATION):
        return Allocation(
            "Samples per data set, data sets needed, and runs of each algorithm:",
            {name: name for name in ("samples", "datasets", "runs", "detectable")},
        )
    noun = planned_noun(block)
    heads = {"samples": "answers", "datasets": noun, "items": "items", "runs": "cost"}
    heads |= {"detectable": "detectable"}
    inside = ", their items" if block == CLUSTER else ""
    return Allocation(
        f"Answers to an item, {noun}{inside}, and what they cost of each algorithm, in answers:",
        heads,
    )


def allocated(block: str, best: Mapping[str, float]) -> str:
    """The cheapest allocation, in a sentence."""
    inner = "sample" if block in (DATASET, SIMULATION) else "answer"
    several = "" if best["samples"] == 1 else "s"
    least = "Least compute" if inner == "sample" else "Cheapest"
    blocks, each = f"{best['datasets']:.0f} {planned_noun(block)}", "each"
    if block == CLUSTER:
        blocks, each = f"{blocks} (about {best['items']:.0f} items)", "to each item"
    return f"{least}: {blocks} with {best['samples']:.0f} {inner}{several} {each}."


@words("few-blocks", "block")
def _few_blocks(note: Note) -> str:
    return (
        f"The sd of {note.blocks} {planned_noun(note.block)} is uncertain: its interval is in the "
        "table; plan with its upper end to be on the safe side."
    )


SENTENCES = {
    "levels-of-pairs": "Each of {pairs} comparisons is tested at its own level, which all share "
    "(Šidák).",
    "plan-of-means": "The plan is about means. On data sets ranks decide who is ahead: where "
    "differences are normal they need about {more:.1f} times as many, where these are skewed "
    "fewer.",
    "least-labels": "Fewer than {least} labels are never taken, however good the judge is.",
    "labels-of-pilot": "The {labels} labels that there are have differences with an sd of "
    "{sd:.3g} and a correlation with the judge's of {correlation:.2f}; both are uncertain.",
    "sequential-normal": "The plan is of t, which supposes that differences are nearly normal. "
    "Looks at data sets compare ranks, which need somewhat more of them then, and fewer where "
    "they are skewed.",
}
sentences(SENTENCES)


@words("plan-skewed", "blocks", "block")
def _plan_skewed(note: Note) -> str:
    times = "three times" if note.blocks < FEW_FOR_SKEWED else "twice"
    return f"Where rare large losses occur, plan {times} as many {planned_noun(note.block)}."


@words("clusters", "items")
def _clusters(note: Note) -> str:
    mean = note.items / note.clusters
    return (
        f"Items of one cluster are alike, so the {note.clusters} clusters (of {mean:.3g} items on "
        "average) count, not the items."
    )


MOST_WHY = {  # why a largest number of data sets led to no number of samples
    "no-difference": "without a difference nothing is needed of them",
    "inseparable": "the pilot cannot separate data sets from samples, so more samples do not help",
    "too-few": "not even {samples} samples in each reach the power for this difference",
}


@words("most")
def _most(note: Note) -> str:
    why = MOST_WHY[note.why].format(samples=note.samples)
    return f"No plan for at most {note.most} data sets: {why}."


@words("simulated")
def _simulated(note: Note) -> str:
    pairs = f", adjusted for {note.pairs} pairs," * (note.pairs > 1)
    return (
        f"Power of '{note.procedure}'{pairs} by {note.replications} studies whose rows were drawn "
        f"from the pilot's {note.blocks} (standard error {note.error:.3f})."
    )


def sequential_sentence(plan: Any) -> str:
    """A plan of a study that may stop, in words."""
    noun = planned_noun(plan.block)
    level = f"two-sided at level {plan.alpha:g}"
    if plan.comparisons > 1:
        level += f" for {plan.comparisons} comparisons together"
    share = f"{100 * plan.saved:.0f} % fewer than the" if plan.saved > 0 else "against"
    return (
        f"With a budget of {plan.budget} {noun} and {counted(len(plan.looks), 'look')}, a "
        f"difference of {plan.difference:.3g} (sd {plan.sd:.3g}) is shown with power "
        f"{plan.power:.3f}, {level}, after {plan.expected:.0f} {noun} on average, {share} "
        f"{plan.fixed} of a study without "
        f"looks. Where there is no difference it takes {plan.expected_at_null:.0f}."
    )


def variants_sentence(plan: Any) -> str:
    """How far the best of several variants is overrated, in words."""
    noun = planned_noun(plan.block) or "blocks"
    at = plan.table.iloc[(plan.table["blocks"] - plan.blocks).abs().argmin()]
    text = (
        f"The best of {plan.variants} variants that are equally good seems better in "
        f"{plan.measure} than a fixed one by {at['overrated']:.3g} on {at['blocks']:.0f} {noun} "
        f"(by at most {at['at_most']:.3g} in 95 % of such studies), and a t test calls it "
        f"better in {at['false_claims']:.0%} of them."
    )
    if plan.difference is None:
        return text
    if plan.needed is None:
        return f"{text} No number of {noun} up to 2000 brings that below {plan.difference:g}."
    return (
        f"{text} With {plan.needed} {noun} at most {plan.difference:g} is feigned in 95 %; or "
        "confirm the best variant on other data sets."
    )


def label_sentence(plan: Any) -> str:
    """A plan of labels, in words."""
    level = f"two-sided at level {plan.alpha:g}"
    if plan.comparisons > 1:
        level += f" for {plan.comparisons} comparisons together"
    known = (
        f"a difference of {plan.difference:.3g} (sd {plan.sd:.3g}) of {plan.items} items, with a "
        f"judge whose correlation is {plan.correlation:.2f}"
    )
    if plan.solved == "power":
        return f"The power of {plan.labels} labels to show {known}, is {plan.power:.3f}, {level}."
    if plan.labels is None:
        return (
            f"Not even labels of all items show {known}: the power is {plan.power:.3f}, {level}. "
            "More items are needed."
        )
    alone = f"{plan.alone} labels would" if plan.alone is not None else "not even all items would"
    return (
        f"{plan.labels} labels show {known}, with power {plan.power:.3f}, {level}; without the "
        f"judge {alone}. `podium label FILE --n {plan.labels}` draws them."
    )
