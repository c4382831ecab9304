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
    named = ", ".join(f"{printable(a)} and {printable(b)}" for a, b in pairs[:3])
    return f"{counted(len(pairs), 'pair')} ({named}{', ...' * (len(pairs) > 3)})"


@words("ranks-disagree")
def _disagree(n: Note) -> str:
    parts = []
    if n.opposite:
        parts.append(f"the opposite on {_pairs(n.opposite)}")
    if n.by_means:
        parts.append(f"nothing on {_pairs(n.by_means)} that means decide")
    if n.by_ranks:
        parts.append(f"more on {_pairs(n.by_ranks)} that means leave open")
    return (
        f"Ranks within blocks say {'; '.join(parts)}: means weigh the size of differences, ranks "
        "count who is ahead how often."
    )


@words("informative-gaps")
def _informative(n: Note) -> str:
    return (
        f"{100 * n.share:.0f} % of the scores are missing, and more so on blocks that are harder "
        "or easier than others: what is left favours those who are missing (22 to 71 % false "
        "claims), and no test repairs that. No order is given; run what is missing, count it as "
        "the worst of its block (--gaps worst), or speak of the blocks alone that have all "
        "scores (--gaps complete)."
    )


@words("many-failures")
def _many_failures(n: Note) -> str:
    return (
        f"{100 * n.share:.0f} % of the runs failed, and where they did is no accident: those that "
        "failed look better than they are. No order is given; repair them, or count them as the "
        "worst of their block (--gaps worst)."
    )


@words("scales-do-not-mix")
def _unmixable(n: Note) -> str:
    why = (
        f"they were measured by {joined(n.metrics)}"
        if len(n.metrics) > 1
        else f"algorithms differ {n.spread:.3g} times as much on some as on others"
    )
    return (
        f"The scores of these data sets do not mix: {why}, and {printable(n.dataset)} alone "
        f"carries {100 * n.share:.0f} % of what varies. Ranks within data sets were compared "
        f"instead; means (--procedure hull) would decide {n.decided or 'none'} of {n.pairs} pairs."
    )


@words("one-data-set")
def _one(n: Note) -> str:
    text = f"{printable(n.dataset)} alone carries {100 * n.share:.0f} % of what varies"
    if len(n.metrics) > 1:
        return f"{text}, and data sets were measured by {joined(n.metrics)}: means say little."
    if n.unlike:
        return (
            f"{text}, and algorithms differ {n.spread:.3g} times as much on some data sets as on "
            "others: a mean is that of a few of them; rank-t compares ranks."
        )
    return f"{text}: look at what is left without it (--exclude)."


@words("cannot-reject")
def _cannot(n: Note) -> str:
    if n.pairs < n.of:
        return (
            f"{n.pairs} of the {n.of} tests cannot reject at {n.alpha:g}, whatever the sizes of "
            "the differences: too few blocks of the pair differ; hull or rank-t can."
        )
    return (
        f"With {n.blocks} blocks the smallest possible adjusted p-value is {n.least:.3g}: this "
        f"test cannot reject at {n.alpha:g}, whatever the scores are; hull or rank-t can."
    )
