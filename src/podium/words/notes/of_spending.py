"""Words of notes on what is spent, and on measures that nothing guards."""

from __future__ import annotations

from podium.base.formatting import number
from podium.words.facts import CAUTION, Note
from podium.words.order_text import quoted
from podium.words.phrases import joined
from podium.words.voices import words


@words("spread-costs")
def _spread(n: Note) -> str:
    unlike = ", and more spread in one algorithm than in another" if n.severity is CAUTION else ""
    return (
        f"{n.measure} is skewed (skewness {number(n.skewness, 2)} in {quoted(n.algorithm)}){unlike}"
        ": where the cheaper one has the longer tail, a saving is claimed too often."
    )


@words("not-guarded")
def _not_guarded(n: Note) -> str:
    return f"Not guarded, as no margin was given: {joined([quoted(m) for m in n.measures])}."


@words("own-limits")
def _own_limits(n: Note) -> str:
    return (
        f"Whiskers: {100 * n.level:g} % intervals of each algorithm alone; that two overlap says "
        "nothing about their difference. An arrow: better in every measure."
    )
