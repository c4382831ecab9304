"""Words of the notes on blocks that are compared pair by pair: gaps, scales, ranks beside means."""

from __future__ import annotations

from collections.abc import Sequence

from podium.base.formatting import printable
from podium.words.facts import Note
from podium.words.phrases import counted, joined
from podium.words.voices import words

Pairs = Sequence[tuple[str, str]]


def _pairs(pairs: Pairs) -> str:
    """How many, and the first of them by their names."""
    text = ", ".join(f"{printable(a)} and {printable(b)}" for a, b in pairs[:3])
    return f"{counted(len(pairs), 'comparison')} ({text}{', ...' * (len(pairs) > 3)})"


@words("ranks-disagree")
def _disagree(n: Note) -> str:
    parts = []
    if n.opposite:
        parts.append(f"finds the opposite for {_pairs(n.opposite)}")
    if n.by_means:
        parts.append(f"finds nothing for {_pairs(n.by_means)}, where the test of means does")
    if n.by_ranks:
        parts.append(f"finds more for {_pairs(n.by_ranks)}, where the test of means does not")
    return f"A rank test {'; '.join(parts)}."


@words("informative-gaps")
def _informative(n: Note) -> str:
    return (
        f"{100 * n.share:.0f} % of the scores are missing, and not at random: the gaps lie on data "
        "that are harder or easier than the rest. Run what is missing, or count it as worst: "
        "--gaps worst"
    )


@words("withheld")
def _withheld(n: Note) -> str:
    names = joined([f"{printable(a)} over {printable(b)}" for a, b in n.pairs], most=4)
    return (
        f"No verdict for {names}: the one ahead lacks more than 5 % of the other's runs. Run what "
        "is missing, or count it as worst: --gaps worst"
    )


@words("too-few-data-sets")
def _too_few(n: Note) -> str:
    return (
        f"{counted(n.datasets, 'data set')} cannot show anything about other data sets: add some, "
        "at least 4, better 10 or more."
    )


@words("depends-on-others")
def _depends(n: Note) -> str:
    texts = [f"{printable(a)} over {printable(b)} (without {printable(c)})" for a, b, c in n.falls]
    more = f", and {len(texts) - 4} more" if len(texts) > 4 else ""
    return f"Ranks depend on who takes part: {'; '.join(texts[:4])}{more} would not be significant."


@words("one-data-set")
def _one(n: Note) -> str:
    text = f"{printable(n.dataset)} alone carries {100 * n.share:.0f} % of what varies"
    if len(n.metrics) > 1:
        return f"{text}, and data sets were measured by {joined(n.metrics)}: means say little."
    if n.unlike:
        return (
            f"{text}, and algorithms differ {n.spread:.3g} times as much on some data sets as on "
            "others: a mean is that of a few of them; -p ranks compares ranks."
        )
    return f"{text}: look at what is left without it (--exclude)."


@words("cannot-reject")
def _cannot(n: Note) -> str:
    if n.pairs < n.of:
        return (
            f"{n.pairs} of the {n.of} tests cannot reject at {n.alpha:g}, whatever the sizes of "
            "the differences: too few blocks of the pair differ; hull or ranks can."
        )
    return (
        f"With {n.blocks} blocks the smallest possible adjusted p-value is {n.least:.3g}: this "
        f"test cannot reject at {n.alpha:g}, whatever the scores are; hull or ranks can."
    )
