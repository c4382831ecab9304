"""Words of what must be said of predictions and of their measures."""

from __future__ import annotations

from podium.core.words.facts import Note, sentences, words
from podium.core.words.phrases import counted, joined, quoted

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


SENTENCES = {
    "measure-taken": "No measure was named; {kind} are compared by {measure} (-m chooses another).",
    "wrong-side": "All models are worse than chance at {speaks_for:quoted}. If the numbers speak "
    "for {other:quoted}, add --columns 'positive={other}'.",
    "label-beyond-truth": "{model:quoted} says what no item is, such as {label:quoted} "
    "({times:counted item}); this counts as wrong. Is it spelled as in the truth?",
    "tied-predictions": "{model:quoted} gives {share:percent .0f} of the items the score of "
    "another item; ties count half.",
    "few-for-calibration": "Calibration of {items} items is rough; {least} are needed.",
    "few-beyond-quantile": "Few of the {items} items lie beyond {measure}: its limits are rough.",
}
sentences(SENTENCES)

IN_PAPER = {
    "items-weighted": "Items count by their weights.",
    "biased-precision": "Average precision of {positives} positive items is a little too high; "
    "from {least} on this does not matter.",
    "long-tailed-errors": "A few items carry most of {measure} of {model:quoted}: its own "
    "interval is too short. Differences hold; mae depends less on single items.",
}
sentences(IN_PAPER, in_paper=True)


@words("threshold-taken", in_paper=True)
def _threshold(n: Note) -> str:
    if not n.threshold:
        return "Labels are the most probable class."
    chosen = "" if n.said else " (another one: f1@0.3)"
    own = ", which must have been chosen on other data" if n.said else ""
    return f"Labels are positive from a probability of {n.threshold:g} on{own}{chosen}."


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
