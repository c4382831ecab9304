"""What the first screen of a page says around the verdict: cautions in a few words, three answers.

Everything here is computed for sections further down, which say the whole of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from podium.answers.settling import by_plan, from_pool, rivals, would_settle
from podium.base.formatting import printable, short
from podium.inference.comparing.comparisons import Comparisons
from podium.planning.detection import Needed, Settling, pool_of
from podium.questions.targets import CONDITION_ITEM, POPULATION
from podium.reading.results import Results
from podium.reports.analysis import Evidence
from podium.reports.score_words import noun
from podium.robustness.stability import Stability
from podium.verdicts.chips import chip as chip
from podium.verdicts.gaps import limits_scope, scored
from podium.verdicts.labelled import NEW_CONDITIONS
from podium.verdicts.standing import Standing
from podium.words.facts import Note
from podium.words.phrases import capital, counted, is_are, joined
from podium.words.saying import say
from podium.words.voices import PAGE

OPEN = "open, not equal"
OPEN_TEXT = "Open does not mean equal: the data cannot tell the two apart."
SOFT = "softer claim"
SOFT_TEXT = (
    "This procedure does not hold the error of all pairs together at every truth, so those in "
    "front come first; that the best is among them is not said with a stated confidence."
)
FOLD = "What this is about"


def about(c: Comparisons, results: Results) -> str:
    """What the answer is about, in a line: data, measure and its direction, test."""
    name = c.dataset or (results.datasets[0] if len(results.datasets) == 1 else "")
    way = "higher" if c.higher_is_better else "lower"
    blocks = f"{c.blocks.count} {noun(c)}"
    where = f"{printable(short(name, 40))}, {blocks}" if name else f"data sets like these {blocks}"
    where = where.replace(f"like these {blocks}", f"like these {c.blocks.count}")
    parts = [where, f"{printable(c.measure)}, {way} is better", f"{c.procedure}"]
    return " · ".join(parts)


def below(c: Comparisons) -> str:
    """What the line under the lead says."""
    if c.is_race:
        return "dropped on the way: not the best, and nothing is said of their order"
    return "behind at least one of the above"


# -- heads and key of the table of standings ------------------------------------------------------


def heads(c: Comparisons, found: Standing, limits: bool) -> dict[str, str]:
    """The heads of the columns."""
    whom = printable(short(found.control, 24)) if found.control else "the best"
    many = counted(len(found.columns), "data set")
    return {
        "place": "Place",
        "name": "Algorithm",
        "score": capital(_shown_score(c, found)),
        "gap": f"Gap to {whom}",
        "limits": f", {limits_scope(c)}" if limits else "",
        "won": f"{capital(noun(c))} won · tied · lost",
        "strip": many,
        "badge": "Verdict",
    }


def key(c: Comparisons, found: Standing, limits: bool) -> Iterator[tuple[str, str]]:
    """How to read the table, in one line."""
    whom = printable(short(found.control, 24)) if found.control else "the best"
    yield "Place", "the ranks that the data allow"
    if limits:
        yield "Bar", f"{limits_scope(c)}; across the line: not told apart from {whom}"
    if found.columns:
        yield "Strip", "a cell per data set, full colour best there, faint worst"


def panel_head(name: str, found: Standing) -> str:
    """Above the gaps on one of a few data sets."""
    return f"{printable(short(name, 24))} · {found.decided} of {found.pairs} decided"


def panels_key() -> Iterator[tuple[str, str]]:
    """How to read data sets side by side."""
    yield "Place", "the ranks that the data allow, in general and on each data set"
    yield "Bar", "limits of the gap to the best of that data set; one scale for all, → lies outside"


def rest(hidden: Sequence[str], more_leading: int) -> str:
    """Of the rows that are not listed."""
    if not hidden:
        return ""
    ahead = f", {more_leading} of which may be best" if more_leading else ""
    return (
        f"{counted(len(hidden), 'more algorithm')}{ahead}; the last is {printable(hidden[-1])}. "
        "All of them are below, under Order and stability."
    )


def _shown_score(c: Comparisons, found: Standing) -> str:
    """What a row's number is; beside log-strengths the mean says more."""
    return f"mean {printable(c.measure)}" if _has_strengths(c) else scored(c, found)


def _has_strengths(c: Comparisons) -> bool:
    return c.judged is not None and c.judged.strengths is not None


def overview_title(c: Comparisons, found: Standing, limits: bool) -> str:
    """Above the picture of all algorithms."""
    return (
        f"All {len(found.rows)} algorithms: gap in {scored(c, found)} to the best"
        f"{', with ' + limits_scope(c) if limits else ''}"
    )


def overview_words(found: Standing) -> tuple[str, str]:
    """Who is on either side of the cut."""
    may = "may be best" if found.sure else "may come first"
    return f"{len(found.lead)} that {may}", f"{len(found.behind)} behind at least one of them"


# -- three questions ------------------------------------------------------------------------------


def redrawn_question(c: Comparisons) -> str:
    """The question that drawing blocks anew answers."""
    return f"Would other {_redrawn_noun(c)} change it?"


def _redrawn_noun(c: Comparisons) -> str:
    return "items and conditions" if c.blocks.kind == CONDITION_ITEM else noun(c)


AGREE = "Do other tests agree?"
SETTLE = "What would settle it?"
NOT_COMPUTED = "This was computed for {measure} only."
DOUBTS = ((0.95, "No."), (0.8, "Hardly."), (0.5, "Perhaps."), (0.0, "Yes, they could."))


def redrawn(c: Comparisons, found: Stability | Note) -> str:
    """How often who has the best mean when the blocks are drawn anew.

    Where they cannot be, for a reason that the section tells, limits are what allows for others.
    """
    if isinstance(found, Note):
        like = "new samples from the same source" if c.target == POPULATION else ""
        like = like or f"other {_redrawn_noun(c)} like these"
        return f"Not drawn anew here; the limits allow for {like}."
    best = found.ranks.sort_values("best", ascending=False, kind="stable")
    shares = [(str(r.algorithm), float(r.best)) for r in best.itertuples() if r.best >= 0.01][:3]
    doubt = next(word for least, word in DOUBTS if shares[0][1] >= least)
    said = [f"{printable(short(shares[0][0], 40))} has the best mean in {_percent(shares[0][1])}"]
    said += [f"{printable(short(name, 40))} in {_percent(share)}" for name, share in shares[1:]]
    return f"{doubt} When the {c.blocks.count} {noun(c)} are redrawn, {', '.join(said)}."


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def agreeing(first: Evidence, others: Sequence[Evidence]) -> str:
    """Whether other procedures put the same ones in front."""
    if not others:
        return "No other test of the usual kinds is legal for this design."
    mine = _front(first.comparisons)
    same = [e.comparisons.procedure for e in others if _front(e.comparisons) == mine]
    differ = [e for e in others if e.comparisons.procedure not in same]
    nothing = len(mine) == len(first.comparisons.algorithms)
    front = "also decide no more about the first place" if nothing else "put the same ones in front"
    if not differ:
        if len(same) == 1:
            front = front.replace("decide", "decides").replace("put ", "puts ")
        return f"Yes: {joined(same)} {front}."
    said = [_unlike(mine, each) for each in differ]
    start = f"Mostly: {joined(same)} agree{'s' * (len(same) == 1)}, but " if same else "No: "
    return f"{start}{'; '.join(said)}."


def _front(c: Comparisons) -> set[str]:
    """Those that may be best or, where there is a control, that are better than it."""
    if c.control is None:
        return set(c.lead or ())
    t = c.table
    return {*t["first"][t["verdict"] == "better"], *t["second"][t["verdict"] == "worse"]}


def _unlike(mine: set[str], other: Evidence) -> str:
    """How the lead of another procedure differs."""
    c = other.comparisons
    lead = _front(c)
    more = [name for name in c.algorithms if name in lead - mine]
    less = [name for name in c.algorithms if name in mine - lead]
    said = [f"adds {_some(more)}"] * bool(more) + [f"drops {_some(less)}"] * bool(less)
    return f"{c.procedure} {joined(said)}"


def _some(names: Sequence[str]) -> str:
    if len(names) > 3:
        return f"{len(names)} algorithms"
    return joined([short(name, 30) for name in names])


def settled(c: Comparisons, found: Settling | Note, standing: Standing, plans: bool) -> str:
    """How many blocks would tell the leader from the others that may be best."""
    still, whom, others = standing.open, standing.reference, rivals(standing)
    if c.extras.sequential is not None and (others or not still):
        return by_plan(c.extras.sequential, noun(c), still)
    if not still:
        return "Nothing is open: every pair is decided."
    if not others:
        open_ = f"{counted(still, 'pair')} {is_are(still)} open, none about the first place"
        return f"The first place is settled; {open_}."
    if not plans:
        return NEW_CONDITIONS if c.blocks.kind == CONDITION_ITEM else _new_data(c)
    pool = pool_of(c)
    if pool is not None and (told := from_pool(c, pool, whom, others)):
        return told
    if isinstance(found, Note):
        return capital(say(found, PAGE))
    needed = _of_interest(found, whom, others)
    there = int(found.pairs["there are"].max())
    return would_settle(whom, needed, found.noun, there, found.margin or 0.0)


def _new_data(c: Comparisons) -> str:
    more = "resamples" if noun(c) == "samples" else noun(c)
    return f"New data: more rows, a fresh sample or other data sets; more {more} do not help."


def _of_interest(found: Settling, whom: str, others: Sequence[str]) -> list[Needed]:
    """The open pairs of the leader with others that may be best, the soonest settled first."""
    name = next(str(name) for name in found.pairs if str(name).startswith("needed"))
    rows = []
    for row in found.pairs.to_dict("records"):
        pair = {str(row["first"]), str(row["second"])}
        other = next(iter(pair - {whom}))
        if whom in pair and other in others:
            rows.append(Needed(other, None if pd.isna(row[name]) else int(row[name])))
    return sorted(rows, key=lambda each: (each.blocks is None, each.blocks or 0))
