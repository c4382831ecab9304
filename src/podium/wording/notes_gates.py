"""Words of the notes on a gate: what the old and the new one do not share."""

from __future__ import annotations

from podium.facts import Note
from podium.orders.writing import quoted
from podium.wording.phrases import counted, is_are, joined
from podium.wording.voices import words


@words("only-in-one")
def _only(n: Note) -> str:
    sides = [
        f"{counted(count, 'score')} in the {side} one alone"
        for side, count in (("old", n.old), ("new", n.new))
        if count
    ]
    return (
        f"Not compared: {joined(sides)}. Where scores are missing because something failed, say "
        "--gaps worst, which counts them as the worst."
    )


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
