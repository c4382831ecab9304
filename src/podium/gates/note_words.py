"""Words of the notes on a gate: what the old and the new one do not share."""

from __future__ import annotations

from podium.base.formatting import number
from podium.words.facts import ANY, Note, say, words
from podium.words.phrases import counted, is_are, joined, quoted


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


@words("filled-new")
def _filled(n: Note) -> str:
    return f"Where the new one has no score it has the worst, {number(n.value)}, as was asked for."


@words("columns-of-one")
def _columns(n: Note) -> str:
    names = joined([quoted(name) for name in n.columns])
    return f"Not used, because only one of the two tables has {names}."


@words("benchmarks-renamed")
def _renamed(n: Note) -> str:
    return f"The one benchmark is called {quoted(n.old)} in the old and {quoted(n.new)} in the new."


@words("too-few-shared")
def _too_few(n: Note) -> str:
    return f"A benchmark of which {counted(n.blocks, 'score')} {is_are(n.blocks)} shared is open."


@words(ANY, "note", "candidate")
def _of_candidate(n: Note) -> str:
    return f"{n.candidate}: {say(n.note)}"
