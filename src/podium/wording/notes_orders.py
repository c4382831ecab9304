"""What is said of orders: the signs of their text, their consensus, and what notes on them tell."""

from __future__ import annotations

from podium.facts import Note
from podium.orders.writing import quoted
from podium.wording.voices import words


def consensus(
    count: int, family: str, value: float, *, gap: float = 0.0, capped: bool = False
) -> str:
    """How many orders there are, their value, and what was proved.

    >>> consensus(2, "weak", 3.0, gap=0.5, capped=True)
    'At least 2 weak orders with distance 3, not proved to be the least, which is at least 2.5'
    """
    some = "At least " * capped
    noun = "order" if count == 1 else "orders"
    least = f"not proved to be the least, which is at least {value - gap:g}"
    proof = least if gap else "proved to be the least"
    return f"{some}{count} {family} {noun} with distance {value:g}, {proof}"


@words("no-vote")
def _no_vote(note: Note) -> str:
    silent = f" On {note.silent} of them none has: orders that differ there are as good."
    return (
        f"Pairs that not all orders compare (all those across a ≲ in a text): {note.pairs}. An "
        f"order has no vote on pairs that it does not compare.{silent * (note.silent > 0)}"
    )


@words("incomparable")
def _incomparable(_: Note) -> str:
    return "In a partial order ≈ stands between algorithms that are incomparable, which is no tie."


@words("exploratory", "level")
def _exploratory(note: Note) -> str:
    return (
        f"This order is by {100 * note.level:g} % bootstrap intervals that do not overlap, which "
        "describes the scores and tests no difference."
    )


@words("not-transitive")
def _not_transitive(note: Note) -> str:
    a, b, c = map(quoted, note.algorithms)
    return f"The ≈ of this order is not transitive: {a} ≈ {b} and {b} ≈ {c}, but not {a} ≈ {c}."
