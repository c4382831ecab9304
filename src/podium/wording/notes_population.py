"""Words of the notes on claims about new samples from one learning sample."""

from __future__ import annotations

from podium.facts import Note
from podium.wording.voices import words


@words("overlap")
def _overlap(n: Note) -> str:
    little = (
        f"The ten halves are judged by {n.df:g} df and {n.ratio:g} times their variance, which "
        "finds hardly any difference: repeated-cv:5x5 finds more. "
        if n.little
        else ""
    )
    return (
        f"{little}It is assumed that a row matters no more for a difference when it is learned "
        "from than when it is tested on, and scores cannot show that: of strongly regularised or "
        f"very unstable algorithms that are equal, up to {100 * n.most:.0f} % were told apart "
        "instead of 5 %. The halves test assumes less: podium run STUDY --halves 10 adds 100 small "
        "fits of every algorithm."
    )


@words("liberal")
def _liberal(n: Note) -> str:
    seen = ", ".join(f"{100 * rate:.0f} % for {of}" for of, rate in n.rates)
    return (
        f"'{n.procedure}' tells equal algorithms apart too often: {seen} in simulations, instead "
        f"of 5 %; {n.instead} holds its level better."
    )
