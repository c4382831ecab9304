"""Words of the notes on several measures."""

from __future__ import annotations

from podium.core.base.formatting import printable
from podium.core.words.facts import Note, words


@words("utility", in_paper=True)
def _utility(n: Note) -> str:
    sizes = ["" if abs(w) == 1 else f"{abs(w):g} " for _, w in n.weights]
    texts = [
        f"{'−' if w < 0 else '+'} {size}{printable(name)}"
        for size, (name, w) in zip(sizes, n.weights, strict=True)
    ]
    return f"Holds for these weights: utility = {' '.join(texts).removeprefix('+ ')}."
