"""Words of what must be said of predictions and of their measures."""

from __future__ import annotations

from podium.words.facts import Note, words
from podium.words.phrases import counted, joined, quoted

SOME = 4  # classes, or columns, that are named
OF_KIND = {
    "labels": "labels",
    "probabilities": "probabilities",
    "scores": "scores",
    "numbers": "numbers",
    "texts": "texts",
}


@words("recognised", "truth", in_methods=True)
def _read_as(n: Note) -> str:
    what = OF_KIND.get(n.kind, n.kind)
    if n.labels_from is not None:
        what += f", positive from {n.labels_from:g} on" if n.labels_from else ", the highest counts"
    models = counted(n.algorithms, "model")
    units = f"{counted(n.items, 'item')}" + (
        f" of {counted(n.queries, 'query', 'queries')}" if n.queries else ""
    )
    if n.clusters:
        units += f" in {counted(n.clusters, 'cluster')} ('{n.cluster}')"
    if n.weight:
        units += f" with weights ('{n.weight}')"
    text = f"Read as predictions ({what}): {models}, {units}, truth '{n.truth}'"
    if n.positive:
        count = dict(n.classes)[n.positive]
        text += f" ({count} are {quoted(n.positive)}, the positive class)"
    elif n.classes:
        there = sum(items > 0 for _, items in n.classes)
        text += f" ({counted(there, 'class', 'classes')})"
    gone = joined([quoted(c) for c, _ in n.read_as.unused], SOME)
    return f"{text}." + (f" Ignored: {gone}." if gone else "")


@words("measure-taken")
def _measure_taken(n: Note) -> str:
    return f"No measure was named; {n.kind} are compared by {n.measure} (-m chooses another)."


@words("threshold-taken", in_paper=True)
def _threshold(n: Note) -> str:
    if not n.threshold:
        return "Labels are the most probable class."
    chosen = "" if n.said else " (another one: f1@0.3)"
    own = ", which must have been chosen on other data" if n.said else ""
    return f"Labels are positive from a probability of {n.threshold:g} on{own}{chosen}."


@words("wrong-side")
def _wrong_side(n: Note) -> str:
    other = quoted(n.other)
    return (
        f"All models are worse than chance at {quoted(n.speaks_for)}. If the numbers speak for "
        f"{other}, add --columns 'positive={n.other}'."
    )


@words("label-beyond-truth")
def _beyond(n: Note) -> str:
    return (
        f"{quoted(n.model)} says what no item is, such as {quoted(n.label)} "
        f"({counted(n.times, 'item')}); this counts as wrong. Is it spelled as in the truth?"
    )


@words("items-weighted", in_paper=True)
def _weighted(n: Note) -> str:
    return "Items count by their weights."


@words("few-of-a-class")
def _few(n: Note) -> str:
    units = "clusters" if n.clusters else "items"
    return (
        f"Values only: {n.rarest} {units} of the rarest class among {n.items} items are too few "
        f"for an interval of {n.measure}. {n.least} would do: about {n.need} items."
    )


@words("rare-class", in_paper=True)
def _rare(n: Note) -> str:
    units = "clusters hold" if n.clusters else "items are of"
    return (
        f"{n.rarest} {units} the rarest class ({n.items} items in all): only large differences can "
        "be detected."
    )


@words("biased-precision", in_paper=True)
def _biased(n: Note) -> str:
    return (
        f"Average precision of {n.positives} positive items is a little too high; from {n.least} "
        "on this does not matter."
    )


@words("tied-predictions")
def _tied(n: Note) -> str:
    return (
        f"{quoted(n.model)} gives {100 * n.share:.0f} % of the items the score of another item; "
        "ties count half."
    )


@words("long-tailed-errors", in_paper=True)
def _long_tailed(n: Note) -> str:
    return (
        f"A few items carry most of {n.measure} of {quoted(n.model)}: its own interval is too "
        "short. Differences hold; mae depends less on single items."
    )


@words("few-for-calibration")
def _few_calibrated(n: Note) -> str:
    return f"Calibration of {n.items} items is rough; {n.least} are needed."


@words("few-beyond-quantile")
def _few_beyond(n: Note) -> str:
    return f"Few of the {n.items} items lie beyond {n.measure}: its limits are rough."
