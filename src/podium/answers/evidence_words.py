"""What a page says of evidence: tests, orders and their stability, data sets, open pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from podium.base.formatting import number, printable
from podium.inference.comparing.comparisons import Comparisons
from podium.orders.dataset_orders import DatasetOrders
from podium.orders.order import Order
from podium.planning.detection import Pool
from podium.planning.plan import USUAL
from podium.reports.analysis import Evidence
from podium.reports.score_words import noun, overall
from podium.robustness.stability import Stability
from podium.words.facts import Note
from podium.words.phrases import capital, counted, is_are, joined, level
from podium.words.saying import say
from podium.words.voices import PAGE

CHOSEN = "procedure-chosen"  # the code of the note that gives the reason
RULE = (
    "It is the analysis of this page. The others were fixed in advance; they show whether the "
    "order depends on the choice of test. Do not pick the one you like best: the error level "
    "would no longer hold."
)
SAME_ORDER = "Do other procedures give the same order?"
NO_OTHERS = "No other procedure of the usual kinds is legal for this design and question."


def procedure_title(c: Comparisons) -> str:
    """The procedure by its short name and its title, without the bricks that were used."""
    title = c.judged.procedure.title if c.judged else c.title
    return f"{c.procedure}: {title}"


def tested(evidence: Evidence) -> list[str]:
    """What was tested and how, what came out of all together, why so, and what is controlled."""
    c = evidence.comparisons
    said = [f"By {c.heading}.", c.statement, overall(c), reason(evidence), _controls(c)]
    return [text for text in said if text]


def reason(evidence: Evidence) -> str:
    """Why this procedure."""
    c = evidence.comparisons
    if not evidence.is_chosen:
        return f"Sensitivity analysis ({evidence.kind}): not chosen after looking."
    if len(c.algorithms) < 2:
        return ""
    why = next((say(n, PAGE) for n in c.warnings if n.code == CHOSEN), "")
    return f"Chosen by the design: {why}" if why else f"{c.procedure} was asked for."


def _controls(c: Comparisons) -> str:
    if c.judged is None or c.has_posterior:
        return ""
    return f"Null: {c.judged.procedure.null}. Control: {c.judged.controls}."


def not_listed(pairs: int, chosen: bool) -> str:
    """Why an analysis has no table of its pairs."""
    if chosen:
        return (
            f"The {pairs:,} pairs are too many for a page, and were judged by one test only: "
            "podium analyze FILE --csv pairs.csv writes all of them."
        )
    return f"The {pairs} pairs of this sensitivity analysis are not listed."


def pairs_caption(c: Comparisons) -> str:
    """Above the table of all pairs."""
    where = f" on {c.dataset}" if c.dataset else ""
    return f"Pairs by {c.measure}{where}, {c.procedure} (estimate: first minus second)"


def limits(c: Comparisons) -> str:
    """What the limits of intervals hold for."""
    if len(c.table) < 2:
        return f"{level(c.alpha)} limits"
    alone = "all pairs at once" if c.is_adjusted else "each pair alone"
    touch = "" if c.relevance else "; those that do not touch zero are decided"
    return f"limits that hold for {alone}{touch}"


def not_tested(measure: str, why: str) -> tuple[str, str]:
    """The heading and the paragraph of a measure that was not tested."""
    return f"No test of {measure}", f"Nothing was tested by {measure}. {why}"


def agreement(same: Sequence[str]) -> str:
    """Which procedures gave the same order."""
    return f"The same order came from {joined(same)}." if same else "None gave the same order."


# -- an order and its stability in sentences of a page --------------------------------------------

NO_ORDER = "There is no order of several algorithms."
AXIOMS = {  # what it means that one fails, with an example and how often it happens
    "transitive": "The order is not transitive: {0} is better than {1} and {1} than {2}, yet {0} "
    "is not shown to be better than {2}{times}.",
    "indifference transitive": "“Not told apart” makes no chain: {0} ≈ {1} and {1} ≈ {2}, but {0} "
    "and {2} differ{times}.",
}


def order_title(c: Comparisons) -> str:
    """By which measure, and where."""
    return f"The order by {c.measure}{f' on {c.dataset}' if c.dataset else ''}"


def letters_caption(lettered: bool) -> str:
    """Above the algorithms with their means, layers and letters."""
    shared = "; those that share a letter are not told apart" if lettered else ""
    return f"Algorithms, the best first{shared}"


def axioms(order: Order) -> Iterator[str]:
    """In which way this is no linear order, with the first algorithms that show it."""
    if all(order.axioms.values()):
        several = ", and no two decisions contradict each other" * (len(order.algorithms) > 2)
        yield f"{'Every' if several else 'The'} pair is decided{several}."
        return
    yield from _left_open(order)
    for name, text in AXIOMS.items():
        if not order.axioms[name]:
            times = _often(order.violation_counts[name])
            yield text.format(*map(printable, order.violations(name, 1)[0]), times=times)


def _left_open(order: Order) -> Iterator[str]:
    """The pairs that were compared and not decided."""
    every = order.violations("complete", order.violation_counts["complete"])
    pairs = [pair for pair in every if pair not in order.uncompared]
    if pairs:
        first, second = map(printable, pairs[0])
        several = f"{len(pairs)} of the pairs are open, such as {first} and {second}."
        yield several if len(pairs) > 1 else f"One pair is open: {first} and {second}."


def _often(count: int) -> str:
    return f" (and so {counted(count - 1, 'more time')})" if count > 1 else ""


# -- stability ------------------------------------------------------------------------------


def stability_title(c: Comparisons) -> str:
    """The question that drawing blocks anew answers."""
    return f"Would other {noun(c)} change the order?"


def stability_only_of(measure: str) -> str:
    """Of the other measures."""
    return f"This was computed for {measure} only."


def no_stability(why: Note) -> str:
    """Why blocks were not drawn anew."""
    return f"This was not computed. {capital(say(why, PAGE))}"


def stable(found: Stability) -> str:
    """How often who is best, and how far the orders are from the one that was found."""
    best = found.ranks.sort_values("best", ascending=False)
    first = best.iloc[0]
    others = [
        f"{row.algorithm} in {100 * row.best:.0f} %"
        for row in best.iloc[1:4].itertuples()
        if row.best >= 0.01
    ]
    c = found.comparisons
    return (
        f"When the {c.blocks.count} {noun(c)} are drawn again, with replacement, "
        f"{first['algorithm']} has the best mean in {100 * first['best']:.0f} % of "
        f"{found.resamples} redraws{f', {joined(others)}' if others else ''}. The same order came "
        f"back in {round(found.frequency * found.decisions)} of {found.decisions} redraws. On "
        f"average {number(found.distance, 2)} pairs change (a reversed pair counts as 2)."
    )


# -- every data set by itself, and all of them together, in sentences of a  -----------------------

TOO_LARGE = "The survey plot would be too large; `podium.plots.survey` draws it."


def no_orders(why: Note) -> str:
    """Why data sets were not judged one by one."""
    return f"There are no orders of single data sets. {capital(say(why, PAGE))}"


def judged_by(measure: str) -> str:
    """Of the other measures."""
    return f"Single data sets are judged by {measure} only."


def datasets_title(found: DatasetOrders) -> str:
    """How many data sets there are."""
    return f"{counted(len(found.orders), 'data set')}, one by one"


def consensus(found: DatasetOrders, most: int) -> Iterator[str]:
    """The nearest orders, at most so many of them, and how much the data sets agree."""
    agreed = found.consensus
    shown = [order.text for order in agreed.orders[:most]]
    more = len(agreed.orders) - len(shown)
    yield f"The consensus is the order nearest to those of the data sets: {agreed.sentence}."
    if len(shown) > 1:
        yield f"Equally near: {'; '.join(shown[1:])}."
    if more:
        yield f"And {counted(more, 'more order', 'more orders')} just as near."
    yield found.statement
    yield f"{found.agreement}."


def dataset_title(name: str) -> str:
    """What is said on one data set."""
    return f"What may be said on {name}"


def compared_by(c: Comparisons) -> str:
    """How a data set was judged."""
    return f"By {c.heading}."


def not_in_page(datasets: int) -> str:
    """Of data sets whose pairs are left out."""
    return (
        f"The pairs of {counted(datasets, 'more data set')} would make the page too large; "
        "`podium survey` writes them."
    )


# -- what it would take to settle open pairs, in sentences of a page ------------------------------

NO_PAIRS = "There are no pairs to plan for."
NONE_OPEN = "No pair is open."
NOT_MADE_AGAIN = "What was compared cannot be made again here, so nothing is planned."
FOUND_NOW = "Least difference that the design finds with 80 % power"
NEVER = (
    "More resamples of this one learning sample never say more about the population: they make any "
    "difference significant and nothing about new samples more certain. What helps is new data: "
    "more rows, a fresh sample, or other data sets."
)
SHARED = (
    "More folds or resamples of this one learning sample are not more data: what they have in "
    "common never averages out. What helps is new data: more rows, a fresh sample, or other data "
    "sets."
)
CAVEAT = (
    "Rough numbers: they take today's difference as the true one. If it is smaller you need more; "
    "if there is none, no number is enough. Fix the number before you look again."
)


def open_pairs(count: int) -> str:
    """How many pairs there are to plan for."""
    return f"{counted(count, 'pair')} {is_are(count)} open."


def of_pool(pool: Pool) -> str:
    """What the table of needed choices or labels has."""
    return (
        f"For each of them the table has the number of {pool.noun} that {100 * USUAL:g} % power "
        f"would take (needed); there are {pool.there}{pool.also}."
    )


def not_planned(why: Note) -> str:
    """Why there is no plan."""
    return f"Nothing is planned: {say(why, PAGE)}"


def more_is_no_help(c: Comparisons) -> str:
    """Of blocks of which more would not tell more about the population."""
    return NEVER if c.target == "sample" else SHARED


def found_now(c: Comparisons) -> str:
    """What the design can find as it is."""
    return (
        f"As it is, the design finds with {100 * USUAL:g} % power, about its own target "
        f"({c.target}), the differences in the table; smaller ones mostly stay open."
    )


def needed(noun: str, margin: float | None) -> tuple[str, str]:
    """What the table of needed blocks has, and how far it can be trusted."""
    return (
        f"For each of them the table has the number of {noun} that {100 * USUAL:g} % power would "
        "take (needed), and the least difference that the study finds with this power as it is "
        "(found now); sd is the standard deviation of the differences, with its interval.",
        _of_margin(margin) if margin else CAVEAT,
    )


def _of_margin(margin: float) -> str:
    return (
        f"The numbers are for telling a difference of {margin:g}, which was said to be relevant, "
        "from none; the spread of the differences is estimated and uncertain. Fix the number "
        "before the next look at the scores."
    )


def difference_sought(margin: float | None) -> str:
    """The difference that a curve of power is about."""
    return f"a difference of {margin:g}" if margin else "the least difference that is found now"
