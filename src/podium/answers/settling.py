"""What would separate the best from its rivals, in a clause that page and terminal share."""

from __future__ import annotations

from collections.abc import Sequence

from podium.base.formatting import printable, short
from podium.inference.comparing.comparisons import Comparisons
from podium.planning.detection import Needed, Pool, needed_by_errors
from podium.verdicts.standing import Badge, Standing
from podium.words.facts import Sequential
from podium.words.phrases import joined

MOST_SETTLED = 3
LONGEST = 28  # letters of a name


def rivals(found: Standing) -> list[str]:
    """Those that could be best, too, or are inconclusive against the reference."""
    if found.control is not None:
        return [row.name for row in found.rows if row.badge is Badge.OPEN]
    return [name for name in found.lead if name != found.reference]


def would_settle(
    whom: str, needed: Sequence[Needed], noun: str, there: int, margin: float = 0.0, also: str = ""
) -> str:
    """How many blocks would separate the first from the others that could be best."""
    few = [each for each in needed if each.blocks is not None and each.blocks <= there]
    known = [each for each in needed if each.blocks is not None and each.blocks > there]
    known = known[:MOST_SETTLED]
    if few and margin:
        return f"There are enough {noun} to detect {margin:g}; the rest lies near that margin."
    if few and not known:
        return f"A few more {noun} may separate {_name(whom)} from {_name(few[0].other)}."
    if not known:
        return (
            f"No number of {noun} would separate them, the differences are too small; "
            "--equivalence D tests whether they are equivalent."
        )
    first, *rest = [(_rough(each.blocks or 0), each.other) for each in known]
    start = f"About {first[0]} {noun} (now {there}{also}) would separate {_name(whom)} from"
    parts = [f"{count} from {_name(other)}" for count, other in rest]
    return f"{joined([f'{start} {_name(first[1])}', *parts], most=MOST_SETTLED)}."


def from_pool(c: Comparisons, pool: Pool, whom: str, others: Sequence[str]) -> str:
    """The same of choices or labels, by the errors of estimates; nothing where a margin matters."""
    if c.relevance:
        return ""
    needed = needed_by_errors(c, whom, others, pool.there)
    return would_settle(whom, needed, pool.noun, pool.there, also=pool.also)


def by_plan(found: Sequential, noun: str, still: int) -> str:
    """Of a study that may stop: what its plan says is next."""
    if not still:
        return "The plan is complete."
    if found.open:
        return f"More {noun}; this plan allows a look at any time."
    left = [count for count in found.looks[found.taken :] if not found.over]
    if left:
        return f"The next look is at {left[0]} of at most {found.budget} {noun}."
    return (
        f"The budget of {found.budget} {noun} is spent; what is inconclusive needs a new study "
        "with a larger one, planned before it starts."
    )


def _rough(count: int) -> str:
    """A number that is a guess: of a large one two digits."""
    return str(count) if count < 1000 else f"{float(f'{count:.2g}'):,.0f}"


def _name(name: str) -> str:
    return printable(short(name, LONGEST))
