"""What the terminal says of comparisons besides their numbers: labelled lines, and how far it
holds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from podium.core.base.formatting import aligned, cells, listed, number, printable, short
from podium.core.inference.bricks.nulls import QUADRATIC
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.orders.order import Order
from podium.core.results.results import RECOGNISED
from podium.core.verdicts.standing import (
    CHIPS,
    Row,
    Standing,
    chip,
    difference_text,
    estimated,
    limits_scope,
    margin_text,
    noun_of,
    signed,
)
from podium.core.verdicts.verdict import order_or_lead
from podium.core.words.facts import CAUTION, INVALID, REMARK, FewBlocks, Note, Overall
from podium.core.words.phrases import capital, counted, is_are, level, p_text, quoted
from podium.core.words.saying import say
from podium.core.words.statements import holds_for

MOST_CLAIMS = 5
PAIR = ("the first", "the second")
FRIEDMAN = "Friedman's χ²"
LETTERS = "Algorithms that share a letter are not significantly different."
ALIKE = "not significantly different"
MEANT = {
    "≻": "≻ significantly better",
    "≿": "≿ better than some of those that follow",
    "∥": "∥ was not compared",
}


def companion_line(c: Comparisons, order: Order) -> str:
    """What ranks say, beside a test of means."""
    ranks = c.extras.companion
    assert ranks is not None
    made = ranks.decision
    return (
        f"By ranks ({ranks.procedure}): {order_or_lead(ranks, order)}; {made.significant} of "
        f"{counted(made.comparisons, 'comparison')} significant."
    )


def signs(order: Order, margin: str = "", alike: str = ALIKE, better: str = MEANT["≻"]) -> str:
    """What its signs mean, with the least difference that mattered; empty without any.

    >>> from podium.core.orders.order import order as parse_order
    >>> signs(parse_order("a ≻ b"), margin="0.01")
    'Best first. ≻ significantly better by more than 0.01.'
    """
    signs = order.signs
    if not signs:
        return ""
    by = f" by more than {margin}" if margin else ""
    same = f"≈ not shown to differ{by}" if by else f"≈ {alike}"
    meant = {"≻": better + by, "≈": same, "≿": MEANT["≿"], "∥": MEANT["∥"]}
    text = f"Best first. {'; '.join(meant[sign] for sign in meant if sign in signs)}."
    hidden = "≈" in signs and "∥" not in signs and bool(order.uncompared)
    return text + " Pairs that were not compared are ≈, too." * hidden


def legend(order: Order, c: Comparisons) -> str:
    """What the signs of this order mean, and who is better than each other."""
    circles = (f"Better than each other around a circle: {', '.join(c)}." for c in order.cycles)
    sure = {"better": f"≻ better with a probability of at least {level(c.alpha)}"}
    margin = margin_text(c) if c.relevance > 0 else ""
    meant = signs(order, margin, **(sure if c.has_posterior else {}))
    return " ".join([meant, *circles])


def within_margin(c: Comparisons) -> str:
    """What was shown of a margin: who is not worse by it, or who differs by no more."""
    two_sided = c.alternative == "two-sided"
    if c.relevance == 0 or (two_sided != (c.relevance > 0)) or c.has_contrasts or c.is_race:
        return ""
    wanted = ("equivalent",) if two_sided else ("non-inferior", "non-superior")
    rows = c.table[c.table["verdict"].isin(wanted)].to_dict("records")
    share = f" ({len(rows)} of {len(c.table)} comparisons)" if len(c.table) > 1 else ""
    if not rows and len(c.table) == 1:
        row = c.table.to_dict("records")[0]
        claim = _margin_claim(c, row["first"], row["second"])
        return f"Not shown: that {claim}{_measured_by(c, row)}."
    if not rows:
        return f"Not shown in any comparison: that {_margin_claim(c, *PAIR)}."
    if len(rows) == 1:
        row = rows[0]
        claim = _margin_claim(c, row["first"], row["second"])
        return f"Shown{share}: {claim}{_measured_by(c, row)}."
    texts = [
        f"{printable(r['first'])} and {printable(r['second'])}{_measured_by(c, r)}" for r in rows
    ]
    return f"Shown{share}: {_margin_claim(c, *PAIR)}: {listed(texts, MOST_CLAIMS)}."


def _measured_by(c: Comparisons, row: Mapping[str, Any]) -> str:
    """The limits of a difference or, where it has none, the p-value.

    A one-sided limit at 5 % is an end of a two-sided interval at 90 %, and so are both ends of
    what two one-sided tests show.
    """
    own = "equivalence_" if c.asks_equivalence else ""
    ends = [row[f"{own}lower"], row[f"{own}upper"]]
    finite = [end for end in ends if math.isfinite(end)]
    if not finite:
        p = row.get("p_equivalence", row["p_adjusted"])
        return f" ({p_text(p)})" if p == p else ""
    reach = min(abs(end - row["estimate"]) for end in finite) or abs(finite[0]) or 1.0
    low, high = signed(aligned(ends, reach, 2))
    if len(finite) == 2:
        return f" ({low} to {high}{f'; {_two_tests(c)}' if own else ''})"
    side = f"at least {low}" if math.isfinite(ends[0]) else f"at most {high}"
    return f" ({side}; {_two_tests(c)}, one-sided {100 * c.alpha:g} %)"


def _two_tests(c: Comparisons) -> str:
    return f"{100 - 200 * c.alpha:g} % CI"


def _margin_claim(c: Comparisons, first: str, second: str) -> str:
    a, b = printable(first), printable(second)
    if c.alternative == "two-sided":
        return f"{a} and {b} differ by no more than {_margin_in_unit(c)}"
    than = "worse" if c.asks_inferiority else "better"
    return f"{a} is not {than} than {b} by {_margin_in_unit(c, ' or more')}"


def _margin_in_unit(c: Comparisons, more: str = "") -> str:
    unit = "" if c.factor != 1 else f" in {printable(_unit(c))}"  # points say it themselves
    return f"{margin_text(c)}{more}{unit}"


def order_in_lines(order: Order, width: int) -> str:
    """The order in lines that break behind a sign."""
    lines = [" "]
    for name, sign in order.signed:
        part = f" {quoted(name)} {sign}"
        if lines[-1].strip() and cells(lines[-1] + part) > width:
            lines.append("   ")
        lines[-1] += part
    return "\n".join(line.rstrip() for line in lines)


def overall(c: Comparisons, result: Overall) -> str:
    """The test of no difference at all, or why there is none."""
    if c.is_race:
        return "A race finds the best; it does not rank the others."
    if result.p != result.p:
        return f"{capital(no_overall(c, result))}."
    name = FRIEDMAN if is_friedman(c, result) else result.test
    star = "" if result.t_star is None else f" (t* = {number(result.t_star, 3)})"
    shown = f"{name} {number(result.statistic, 4)}{star}{degrees(result)}"
    return f"Overall test: {shown}, {p_text(result.p)}"


def no_overall(c: Comparisons, result: Overall) -> str:
    """Why there is no such test."""
    if c.extras.sequential is not None and not c.extras.sequential.taken:
        return "no overall test: no look yet"
    if c.blocks.count < len(c.algorithms) or result.statistic == result.statistic:
        few = f"{c.blocks.count} {c.blocks.noun} {is_are(c.blocks.count)} too few"
        return f"no overall test: {few} for {len(c.algorithms)} algorithms"
    if any(note.code == "few-choice-blocks" for note in c.warnings):
        return "no overall test: too few prompts or judges"
    return "no overall test: a difference never varies"


def is_friedman(c: Comparisons, result: Overall) -> bool:
    """Whether the overall statistic is the one that people know by his name."""
    return c.mean_ranks is not None and result.test == QUADRATIC


def degrees(result: Overall) -> str:
    """The degrees of freedom, where there are any."""
    df = result.df if isinstance(result.df, tuple) else (result.df,)
    shown = " and ".join(f"{round(x, 1):g}" for x in df if x is not None)
    return f", df {shown}" if shown else ""


def critical(value: float, without_ties: float) -> str:
    """The critical difference of mean ranks, and the one of tables and textbooks."""
    if value != value:
        least = number(without_ties, 3)
        return f"Permutations decide, not one critical difference; Demšar's would be {least}."
    text = f"Mean ranks differ from {number(value, 3)} on (critical difference, corrected for ties)"
    if abs(value - without_ties) < 0.0005 * without_ties:
        return f"{text}; it is Demšar's, as there are no ties."
    return f"{text}; Demšar's is {number(without_ties, 3)}, as it takes no notice of ties."


def critical_difference(value: float) -> str:
    """Beside the length that is drawn."""
    return f"critical difference {number(value, 3)}"


def interval(c: Comparisons) -> str:
    """The head of the column of intervals."""
    assert c.interval is not None
    return f"{level(c.alpha)} interval ({c.interval.method})"


def own_interval(c: Comparisons) -> str:
    """The head of the column of each algorithm's own interval."""
    return f"own {level(c.alpha)} interval"


def columns(c: Comparisons, intervals: bool) -> str:
    """What the numbers of a pair are."""
    if c.has_posterior:
        region = f"; differences up to {margin_text(c)} are practically none" if c.relevance else ""
        return (
            f"Estimates are first - second in {_unit(c)}, with {level(2 * c.alpha)} credible "
            f"intervals{region}; a verdict needs a probability of at least {level(c.alpha)}."
        )
    text = f"Estimates are first - second in {_unit(c)}"
    if intervals:
        text += f", with {limits_scope(c)}"
    if c.alternative != "two-sided":
        margin = c.factor * (c.relevance if c.alternative == "greater" else -c.relevance) + 0.0
        text += f"; alternative: {_way_of_estimates(c)} than {margin:g}"
    elif c.relevance:
        text += f"; differences up to {margin_text(c)} do not matter"
        if c.asks_equivalence and intervals:
            text += f", and equivalent are those whose {_two_tests(c)} is within"
    return text + "."


def _way_of_estimates(c: Comparisons) -> str:
    """The alternative, which is about the measure, as the direction of the estimates."""
    turned = {"less": "greater", "greater": "less"}
    goes_along = (c.sign > 0) == c.higher_is_better
    return c.alternative if goes_along else turned[c.alternative]


def _unit(c: Comparisons) -> str:
    """What differences are differences of."""
    return estimated(c) if c.factor != 1 else c.quantity.name_unit(c.measure)


def more_algorithms(hidden: Sequence[str], lead: Sequence[str]) -> str:
    """Algorithms that are not listed, and how many of them may be best."""
    more = "algorithm" if len(hidden) == 1 else "algorithms"
    best = sum(name in lead for name in hidden)
    too = f", {best} of which could be best" if best else ""
    last = f"the last {quoted(hidden[-1])}"
    return f"... and {len(hidden)} more {more}{too}, {last}; --all lists them."


def standing_heads(c: Comparisons, standing: Standing, room: int) -> str:
    """Above the differences: from whom and, where there is room, what their limits are."""
    whom = quoted(standing.control) if standing.control else "best"
    difference = "rank difference" if standing.by_ranks else difference_text(c)
    what = f"{difference} from {whom}"
    short = limits_scope(c).removeprefix("simultaneous ")
    limits = [f" ({limits_scope(c)})", f" ({short})"] if _has_limits(c) else []
    every = [*(f"{what}{text}" for text in [*limits, ""]), "difference"]
    return next((text for text in every if cells(text) <= room), every[-1])


def _has_limits(c: Comparisons) -> bool:
    return bool(c.table[["lower", "upper"]].notna().to_numpy().any())


def place(row: Row) -> str:
    """The ranks that the data allow."""
    low, high = row.place
    return f"{low}-{high}" if low < high else str(low)


# -- labelled -------------------------------------------------------------------------------------
# The labelled lines of a terminal's first screen: for whom it holds, test, caveats, next.


ABOUT, READ, TEST, CARE, MORE, NEXT = "Holds for", "Read as", "Test", "Caveats", "More", "Next"
MOST_CAVEATS = 4
LONGEST = 160  # letters of a caution that is told in full, where a few words are known for it
# what is missing is told in full, however long
IN_FULL = ("conditional-on-sample", "gaps", "withheld", "too-few-data-sets", "depends-on-others",
           "informative-gaps", "incomplete-blocks", "incomplete-items", "worst-case-values",
           "check-scores", "versions-of-data", "copied-blocks", "ranks-as-scores", "repeated-folds",
           "measure-of-many-items", "liberal-in-time",
           "items-that-are-none", "confounded", "drift", "first-measure")  # fmt: skip
FAILURES = "failures"  # stands in a line of its own
FEW = ("few-data-sets", "too-few-data-sets")  # that say it already
ADJUSTED = {"sidak": "Šidák", "holm": "Holm", "bonferroni": "Bonferroni", "none": ""}
NEW_DATA = "New data would help (more rows, other data sets); resampling the same rows would not."
NEW_CONDITIONS = (
    "More items and more conditions (prompts, judges) would help, more answers hardly; for just "
    "these conditions add --target test-set."
)


def about(c: Comparisons) -> str:
    """What was measured on what, and whom the answer is about."""
    better = "higher" if c.higher_is_better else "lower"
    drawn = f", {c.blocks.sampling}" if ":" in (c.blocks.sampling or "") else ""
    blocks = f"{c.blocks.count:,} {noun_of(c.blocks)}{drawn}"
    by_code = {note.code: note for note in c.warnings}
    classes = (
        {name for _, name in by_code["positive-class"].positive}
        if "positive-class" in by_code
        else ()
    )
    positive = f" of class {quoted(next(iter(classes)))}" if len(classes) == 1 else ""
    measured = f"; {printable(c.measure)}{positive}, {better} is better"
    return f"{holds_for(c.claim)} ({blocks}{measured * bool(positive or not read_as(c.warnings))})"


def read_as(notes: Sequence[Note]) -> list[str]:
    """How the source was read, where it was one that others wrote."""
    read = [note for note in notes if note.code == RECOGNISED]
    sentences = [say(note.facts.get("note", note)) for note in read]
    return [sentence.removeprefix("Read as").lstrip(": ") for sentence in sentences]


def failed(c: Comparisons) -> str:
    """How many runs failed and how they count, which belongs to the verdict."""
    return next((say(note) for note in c.warnings if note.code == FAILURES), "")


# -- Test -----------------------------------------------------------------------------------------


def tested(c: Comparisons) -> str:
    """The test with its adjustment, its p-value, and the test of no difference at all."""
    overall_test = _decided(c)
    return f"{c.procedure}: {_titled(c)}{'; ' * bool(overall_test)}{overall_test}."


def _titled(c: Comparisons) -> str:
    """The title with the adjustment by its name, which goes without saying of one comparison."""
    method = c.judged
    if method is None or method.procedure.bayes.posterior is not None:
        return c.title
    null = f"null: {method.named_null}" if method.named_null else ""
    bricks = [null, ADJUSTED.get(method.adjust.name, method.adjust.name)]
    text = ", ".join(part for part in bricks if part)
    return f"{method.procedure.title} ({text})" if text else method.procedure.title


def _decided(c: Comparisons) -> str:
    if c.is_race:
        return overall(c, c.overall).rstrip(".") if c.overall else ""
    if not len(c.table):
        return ""
    if len(c.table) == 1 and not c.has_contrasts:
        by_limits = c.has_posterior or within_margin(c)
        p = float(c.table["p"].iloc[0])  # none where it is withheld
        return "" if by_limits or p != p else p_text(p)
    return _overall(c, c.overall) if c.overall else ""


def _overall(c: Comparisons, result: Overall) -> str:
    """The test of no difference at all in a few words; Friedman's by its name."""
    if result.p != result.p:
        return no_overall(c, result)
    test = f"{FRIEDMAN} {number(result.statistic, 4)}{degrees(result)}, " * is_friedman(c, result)
    return f"overall test: {test}{p_text(result.p)}"


# -- Care -----------------------------------------------------------------------------------------


def cautions(c: Comparisons, *, in_full_below: bool = False) -> Iterator[tuple[str, bool]]:
    """What changes what may be concluded, and whether it is a warning; the rest is behind --why."""
    if in_full_below:
        return
    # failures and what is not legal belong to the verdict, and stand there
    notes = [n for n in c.warnings if n.code != FAILURES and n.severity is not INVALID]
    known = any(note.code in FEW and note.severity is CAUTION for note in notes)
    yield from caveats(notes, [_few(c.claim.few, c)] if c.claim.few and not known else [])


def caveats(notes: Sequence[Note], brief: Sequence[str] = ()) -> Iterator[tuple[str, bool]]:
    """The same of any notes, with what else is said in a few words."""
    every = list(_noted(notes, brief))
    yield from every[:MOST_CAVEATS]
    if len(every) > MOST_CAVEATS:
        yield f"{len(every) - MOST_CAVEATS} more: --why", False


def waits(note: Note) -> bool:
    """Whether a note is told only behind --why."""
    return note.severity < CAUTION and note.code not in (RECOGNISED, *IN_FULL)


def _noted(notes: Sequence[Note], also: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """The notes: cautions, long ones in a few words, and behind them what is missing."""
    every = [note for note in notes if note.code != RECOGNISED]
    grave = [note for note in every if note.severity >= CAUTION]
    yield from ((say(note), True) for note in grave if _in_full(note))
    if brief := [*(chip(note) for note in grave if not _in_full(note)), *also]:
        yield f"{capital('; '.join(brief))} (--why tells more)", True
    remarks = [note for note in every if note.severity is REMARK]
    yield from ((say(note), False) for note in remarks if note.code in IN_FULL)


def _in_full(note: Note) -> bool:
    """Whether a note is told by its own words: those that have no shorter ones are."""
    if "note" in note.facts:  # of some analyses or candidates, which a few words would not name
        return True
    if note.code not in CHIPS or note.code in IN_FULL:
        return True
    return note.severity is CAUTION and len(say(note)) <= LONGEST


def _few(few: FewBlocks, c: Comparisons) -> str:
    noun = noun_of(c.blocks)
    return f"{few.blocks} {noun} are few: only large differences can be detected"


# -- what to do next ------------------------------------------------------------------------------


SETTLED, WRITE_PAGE = "Everything is settled.", "For a page: podium report FILE"


def settled(standing: Standing) -> str:
    """Where nothing about the best is inconclusive."""
    if not standing.open:
        return SETTLED
    if standing.control:
        return f"Everything against {printable(short(standing.control, 30))} is settled."
    still = f"{counted(standing.open, 'comparison')} below it {is_are(standing.open)} inconclusive"
    return f"Rank 1 is settled; {still}."
