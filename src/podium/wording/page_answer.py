"""What the first screen of a page says around the verdict: cautions in a few words, three answers.

Everything here is computed for sections further down, which say the whole of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from podium.facts import Note
from podium.formatting import printable, short
from podium.inference.comparisons import Comparisons
from podium.results.results import Results
from podium.studies.analysis import Evidence
from podium.studies.detection import Settling
from podium.studies.stability import Stability
from podium.studies.standing import Standing
from podium.wording.chips import chip as chip
from podium.wording.notes import say
from podium.wording.page_scores import noun
from podium.wording.phrases import capital, counted, is_are, joined
from podium.wording.verdict import limits_scope, scored
from podium.wording.voices import PAGE

OPEN = "open, not equal"
OPEN_TEXT = "Open does not mean equal: the data cannot tell the two apart."
SOFT = "softer claim"
SOFT_TEXT = (
    "This procedure does not hold the error of all pairs together at every truth, so those in "
    "front come first; that the best is among them is not said with a stated confidence."
)
FOLD = "What this is about"
BELOW = "behind at least one of the above"


def about(c: Comparisons, results: Results) -> str:
    """What the answer is about, in a line: data, measure and its direction, test."""
    name = c.dataset or (results.datasets[0] if len(results.datasets) == 1 else "")
    way = "higher" if c.higher_is_better else "lower"
    blocks = f"{c.blocks.count} {noun(c)}"
    where = f"{printable(short(name, 40))}, {blocks}" if name else f"data sets like these {blocks}"
    where = where.replace(f"like these {blocks}", f"like these {c.blocks.count}")
    parts = [where, f"{printable(c.measure)}, {way} is better", f"{c.procedure}"]
    return " · ".join(parts)


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
    return f"Would other {noun(c)} change it?"


AGREE = "Do other tests agree?"
SETTLE = "What would settle it?"
NOT_COMPUTED = "This was computed for {measure} only."
NOT_REDRAWN = "Not known: scores like these cannot be drawn anew."
DOUBTS = ((0.95, "No."), (0.8, "Hardly."), (0.5, "Perhaps."), (0.0, "Yes, they could."))


def redrawn(found: Stability | Note) -> str:
    """How often who has the best mean when the blocks are drawn anew."""
    if isinstance(found, Note):
        long = found.code == "could-not-be-made"  # why is told in the section
        return NOT_REDRAWN if long else capital(say(found, PAGE))
    best = found.ranks.sort_values("best", ascending=False, kind="stable")
    shares = [(str(r.algorithm), float(r.best)) for r in best.itertuples() if r.best >= 0.01][:3]
    doubt = next(word for least, word in DOUBTS if shares[0][1] >= least)
    said = [f"{printable(short(shares[0][0], 40))} has the best mean in {_percent(shares[0][1])}"]
    said += [f"{printable(short(name, 40))} in {_percent(share)}" for name, share in shares[1:]]
    c = found.comparisons
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


MOST_SETTLED = 3


def settled(found: Settling | Note, standing: Standing, plans: bool) -> str:
    """How many blocks would tell the leader from the others that may be best."""
    still = standing.open
    if not still:
        return "Nothing is open: every pair is decided."
    if not plans:
        return "New data: more rows, a fresh sample or other data sets; more resamples do not help."
    if isinstance(found, Note):
        return capital(say(found, PAGE))
    whom = standing.reference
    rows = _of_interest(found, standing, whom)
    if not rows:
        open_ = f"{counted(still, 'pair')} {is_are(still)} open, none about the first place"
        return f"The first place is settled; {open_}."
    known = [(count, name) for count, name in rows if count is not None]
    if not known:
        return f"No number of {found.noun}: the gaps are too close to nothing."
    parts = [f"{_rough(count)} for {_versus(whom, name)}" for count, name in known[:MOST_SETTLED]]
    first = f"{_rough(known[0][0])} {found.noun} for {_versus(whom, known[0][1])}"
    margin = "" if found.margin is None else f" and a gap of {found.margin:g}"
    return f"About {joined([first, *parts[1:]], most=MOST_SETTLED)}{margin}, if the gaps are true."


def _rough(count: int) -> str:
    """A number that is a guess: of a large one two digits."""
    return str(count) if count < 1000 else f"{float(f'{count:.2g}'):,.0f}"


def _versus(whom: str, name: str) -> str:
    return f"{printable(short(whom, 28))} against {printable(short(name, 28))}"


def _of_interest(found: Settling, standing: Standing, whom: str) -> list[tuple[int | None, str]]:
    """The open pairs of the leader with others that may be best, the soonest settled first."""
    pairs = found.pairs
    needed = next(str(name) for name in pairs if str(name).startswith("needed"))
    ahead = {row.name for row in standing.rows} if standing.control else set(standing.lead)
    rows: list[tuple[int | None, str]] = []
    for row in pairs.to_dict("records"):
        names = (str(row["first"]), str(row["second"]))
        other = next((name for name in names if name != whom), "")
        if whom in names and other in ahead:
            count = row[needed]
            rows.append((None if count is None or count != count or str(count) == "<NA>"
                         else int(count), other))  # fmt: skip
    return sorted(rows, key=lambda row: (row[0] is None, row[0] or 0))
