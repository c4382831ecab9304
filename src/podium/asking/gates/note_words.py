"""Words of the notes on a gate: what the old and the new one do not share."""

from __future__ import annotations

from podium.core.words.facts import ANY, Note, say, sentences, words
from podium.core.words.phrases import counted, joined, quoted


@words("only-in-one")
def _only(n: Note) -> str:
    sides = [
        f"{counted(count, 'score')} in the {side} one alone"
        for side, count in (("old", n.old), ("new", n.new))
        if count
    ]
    if n.filled:
        return f"There are {joined(sides)}; the new version's count as worst."
    way = ". Where the new one failed there, use --gaps worst, which counts it as the worst"
    return f"Not compared: {joined(sides)}{way if n.old else ''}."


SENTENCES = {
    "filled-new": "Where the new one has no score it has the worst, {value:number}, as was asked "
    "for.",
    "benchmarks-renamed": "The one benchmark is called {old:quoted} in the old and {new:quoted} "
    "in the new.",
    "too-few-shared": "A benchmark of which {blocks:counted score} {blocks:is|are} shared is open.",
}
sentences(SENTENCES)


@words("columns-of-one")
def _columns(n: Note) -> str:
    names = joined([quoted(name) for name in n.columns])
    return f"Not used, because only one of the two tables has {names}."


@words(ANY, "note", "candidate")
def _of_candidate(n: Note) -> str:
    return f"{n.candidate}: {say(n.note)}"
