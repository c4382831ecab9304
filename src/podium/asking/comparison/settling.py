"""What would separate the best from its rivals, in a clause that page and terminal share."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from podium.asking.planning.detection import Needed, Pool, Settling, needed_by_errors, pool_of
from podium.core.base.formatting import printable, short
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.questions.targets import CONDITION_ITEM
from podium.core.verdicts.standing import Badge, Standing
from podium.core.words.facts import PAGE, Note, Sequential
from podium.core.words.phrases import MOST_TIMES, capital, counted, is_are, is_plan, joined
from podium.core.words.saying import say
from podium.showing.screens.terminal import NEW_CONDITIONS

MOST_SETTLED = 3
LONGEST = 28  # letters of a name


def rivals(standing: Standing) -> list[str]:
    """Those that could be best, too, or are inconclusive against the reference."""
    if standing.control is not None:
        return [row.name for row in standing.rows if row.badge is Badge.OPEN]
    return [name for name in standing.lead if name != standing.reference]


def missing_runs(c: Comparisons, whom: str, others: Sequence[str]) -> str:
    """Where all are withheld: that missing runs would settle it, and no further blocks."""
    held = {frozenset(pair) for pair in c.decision.withheld}
    if not all(frozenset((whom, other)) in held for other in others):
        return ""
    names = joined([_name(other) for other in others], most=MOST_SETTLED)
    return f"Run what is missing: that may separate {_name(whom)} from {names}."


def would_settle(
    whom: str,
    needed: Sequence[Needed],
    noun: str,
    there: int,
    margin: float = 0.0,
    also: str = "",
    two_sided: bool = True,
) -> str:
    """How many blocks would separate the first from the others that could be best."""
    sensible = [each for each in needed if is_plan(each.blocks, there)]
    few = [each for each in sensible if (each.blocks or 0) <= there]
    known = [each for each in sensible if each not in few][:MOST_SETTLED]
    beyond = [each for each in needed if each not in sensible and each.blocks is not None]
    if few and margin:
        return f"There are enough {noun} to detect {margin:g}; more would hardly settle the rest."
    if few and not known:
        return f"A few more {noun} may separate {_name(whom)} from {_name(few[0].other)}."
    most = f"more than {_rough(MOST_TIMES * there)}"
    if not known:
        side = "" if two_sided else ", or the differences are to the side that is not asked about"
        return (
            f"Too few {noun} (now {there:,}{also}) to tell who is ahead: it takes {most}{side}; "
            "--equivalence D tests whether they are equivalent."
        )
    first, *rest = [
        *((_rough(each.blocks or 0), each.other) for each in known),
        *((most, each.other) for each in beyond[: MOST_SETTLED - len(known)]),
    ]
    start = f"About {first[0]} {noun} (now {there:,}{also}) would separate {_name(whom)} from"
    parts = [f"{count} from {_name(other)}" for count, other in rest]
    return f"{joined([f'{start} {_name(first[1])}', *parts], most=MOST_SETTLED)}."


def from_pool(c: Comparisons, pool: Pool, whom: str, others: Sequence[str]) -> str:
    """The same of choices or labels, by the errors of estimates; nothing where a margin matters."""
    if c.relevance:
        return ""
    needed = needed_by_errors(c, whom, others, pool.there)
    two_sided = c.alternative == "two-sided"
    return would_settle(whom, needed, pool.noun, pool.there, also=pool.also, two_sided=two_sided)


def by_plan(sequential: Sequential, noun: str, still: int) -> str:
    """Of a study that may stop: what its plan says is next."""
    if not still:
        return "The plan is complete."
    if sequential.open:
        return f"More {noun}; this plan allows a look at any time."
    left = [count for count in sequential.looks[sequential.taken :] if not sequential.over]
    if left:
        return f"The next look is at {left[0]} of at most {sequential.budget} {noun}."
    return (
        f"The budget of {sequential.budget} {noun} is spent; what is inconclusive needs a new "
        "study with a larger one, planned before it starts."
    )


def _rough(count: int) -> str:
    """A number that is a guess: of a large one two digits."""
    return str(count) if count < 1000 else f"{float(f'{count:.2g}'):,.0f}"


def _name(name: str) -> str:
    return printable(short(name, LONGEST))


# -- the same from a plan of all open pairs --------------------------------------------------------


def settled(c: Comparisons, result: Settling | Note, standing: Standing, plans: bool) -> str:
    """How many blocks would tell the leader from the others that may be best."""
    still, whom, others = standing.open, standing.reference, rivals(standing)
    if c.extras.sequential is not None and (others or not still):
        return by_plan(c.extras.sequential, c.blocks.noun, still)
    if not still:
        return "Everything is settled."
    if not others:
        below = f"{counted(still, 'comparison')} below it {is_are(still)} inconclusive"
        return f"Rank 1 is settled; {below}."
    if text := missing_runs(c, whom, others):
        return text
    if not plans:
        return NEW_CONDITIONS if c.blocks.kind == CONDITION_ITEM else _new_data(c)
    pool = pool_of(c)
    if pool is not None and (text := from_pool(c, pool, whom, others)):
        return text
    if isinstance(result, Note):
        return capital(say(result, PAGE))
    needed = _of_interest(result, whom, others)
    there = int(result.pairs["there are"].max())
    two_sided = c.alternative == "two-sided"
    return would_settle(whom, needed, result.noun, there, result.margin or 0.0, two_sided=two_sided)


def _new_data(c: Comparisons) -> str:
    more = "resamples" if c.blocks.noun == "samples" else c.blocks.noun
    return f"New data: more rows, a fresh sample or other data sets; more {more} do not help."


def _of_interest(settling: Settling, whom: str, others: Sequence[str]) -> list[Needed]:
    """The open pairs of the leader with others that may be best, the soonest settled first."""
    name = next(str(name) for name in settling.pairs if str(name).startswith("needed"))
    rows = []
    for row in settling.pairs.to_dict("records"):
        pair = {str(row["first"]), str(row["second"])}
        other = next(iter(pair - {whom}))
        if whom in pair and other in others:
            rows.append(Needed(other, None if pd.isna(row[name]) else int(row[name])))
    return sorted(rows, key=lambda each: (each.blocks is None, each.blocks or 0))
