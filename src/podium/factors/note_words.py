"""Words of the notes on factors: what combinations that were not run leave open."""

from __future__ import annotations

from podium.words.facts import Note, sentences, words
from podium.words.phrases import counted, joined


@words("effects-take-no-interaction")
def _no_interaction(n: Note) -> str:
    first, with_it = n.mixed[0]
    return (
        f"Too few combinations were run to tell main effects from interactions: the effect of "
        f"{first} includes part of {joined(list(with_it), most=3)}, if there is any. {_run_too(n)}"
    )


def _run_too(n: Note) -> str:
    """Of two levels each, the fold-over; otherwise what was not run."""
    if not n.missing:
        return "Run the combinations with all levels exchanged, too (podium plan --factors)."
    return f"Run {joined(list(n.missing), most=3)}, too."


SENTENCES = {
    "effects-of-some-combinations": "{run} of {of} combinations were run; effects hold if three "
    "factors together do nothing that two do not.",
    "interaction-bar": "Parallel lines: no interaction. The grey bar is as long as the limits of "
    "a difference of differences.",
}
sentences(SENTENCES)


@words("interactions-not-told")
def _mixed(n: Note) -> str:
    texts = [f"{factor} (mixed up with {joined(list(others), most=3)})" if others else factor
            for factor, others in n.mixed]  # fmt: skip
    return f"These combinations do not tell {joined(texts, most=3)}."


@words("ablation")
def _ablation(n: Note) -> str:
    unused = f" {counted(n.unused, 'further combination')} not compared." if n.unused else ""
    return (
        "An ablation tells what a part adds when all others are there, not its effect without "
        f"them, nor how parts work together.{unused}"
    )
