"""Order and stability: the order as text, letters, diagram, and whether other blocks change it."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from podium.errors import PodiumError
from podium.formatting import number, printable
from podium.orders.order import Order
from podium.plots import order_plots
from podium.reports.document import Choice, Part, Section, Table
from podium.reports.figures import Picture, pictured, tall
from podium.reports.headings import table
from podium.studies.analysis import Analysis, Evidence
from podium.studies.stability_result import Stability
from podium.wording.claims import legend
from podium.wording.phrases import capital, counted, joined, noun

MOST_LETTERED = 26
MOST_SHOWN = 10  # orders of resamples
AXIOMS = {  # what it means that one fails, with an example and how often it happens
    "transitive": "The order is not transitive: {0} is better than {1} and {1} than {2}, yet {0} "
    "is not shown to be better than {2}{times}.",
    "indifference transitive": "≈ does not carry over, as it only means not told apart: {0} ≈ {1} "
    "and {1} ≈ {2}, yet {0} and {2} differ{times}.",
}


def ordering(analysis: Analysis) -> Section:
    """The order of every measure, and the stability of the first."""
    parts = [_order(each) for each in analysis.chosen if len(each.comparisons.algorithms) > 1]
    if not parts:
        none = Part(paragraphs=("There is no order of several algorithms.",))
        return Section("Order and stability", "order", (none,))
    return Section("Order and stability", "order", (*parts, *_stable(analysis)))


def _order(evidence: Evidence) -> Part:
    order, c = evidence.order, evidence.comparisons
    figures, not_drawn = pictured(_diagram(order), f"{c.measure} {c.procedure} {c.dataset}")
    where = f" on {c.dataset}" if c.dataset else ""
    return Part(
        title=f"The order by {c.measure}{where}",
        lead=order.text,
        paragraphs=(legend(order, c.relevance), *_axioms(order), *not_drawn),
        items=(*_letters(evidence), *figures),
        choice=Choice(c.measure),
    )


def _letters(evidence: Evidence) -> Iterator[Table]:
    """Every algorithm with its mean, its layer and its letters."""
    order, c = evidence.order, evidence.comparisons
    names = [name for group in order.groups for name in group]
    levels = order.levels()
    rows = {
        "algorithm": names,
        f"mean {c.measure}": [c.means[name] for name in names],
        "layer": [levels[name] for name in names],
    }
    letters = _lettered(order)
    if letters:
        rows["letters"] = [letters[name] for name in names]
    shared = "; those that share a letter are not told apart" if letters else ""
    yield table(f"Algorithms, the best first{shared}", pd.DataFrame(rows))


def _lettered(order: Order) -> dict[str, str]:
    """Letters, where the alphabet suffices to read them."""
    try:
        found = order.letters()
    except PodiumError:  # tens of thousands of sets
        return {}
    return found if len(set("".join(found.values()))) <= MOST_LETTERED else {}


def _axioms(order: Order) -> Iterator[str]:
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


def _diagram(order: Order) -> Iterator[Picture]:
    if order.better.any() and not order.cycles:
        yield Picture(
            "Hasse diagram",
            "Better algorithms stand above worse ones; a path down means better, no path means "
            "not told apart.",
            order_plots.hasse_data,
            order_plots.draw_hasse,
            order,
            height=tall(len(order.groups), 0.6, least=3.0, most=10.0),
        )


# -- stability -------------------------------------------------------------------------------------


def _stable(analysis: Analysis) -> Iterator[Part]:
    """What comes of the first order when the blocks are drawn anew; of others that it was not."""
    title = "Would other {} change the order?"
    found, first, *others = analysis.stability, *analysis.chosen
    for each in others:
        text = f"This was computed for {first.comparisons.measure} only."
        of = each.comparisons
        yield Part(title.format(noun(of)), paragraphs=(text,), choice=Choice(of.measure))
    title = title.format(noun(first.comparisons))
    if isinstance(found, str):
        text = f"This was not computed. {capital(found)}"
        yield Part(title=title, paragraphs=(text,), choice=Choice(first.comparisons.measure))
        return
    c = found.comparisons
    figures, not_drawn = pictured(_places(found), c.measure)
    yield Part(
        title=title,
        paragraphs=(_sentence(found), *not_drawn),
        notes=tuple(n for n in found.notes if n not in c.warnings),  # those are with the tests
        items=(*_tables(found), *figures),
        choice=Choice(c.measure),
    )


def _sentence(found: Stability) -> str:
    best = found.ranks.sort_values("best", ascending=False)
    first = best.iloc[0]
    others = [
        f"{row.algorithm} in {100 * row.best:.0f} %"
        for row in best.iloc[1:4].itertuples()
        if row.best >= 0.01
    ]
    c = found.comparisons
    return (
        f"When the {c.blocks['count']} {noun(c)} are drawn again, with replacement, "
        f"{first['algorithm']} has the best mean in {100 * first['best']:.0f} % of "
        f"{found.resamples} resamples{f', {joined(others)}' if others else ''}. In "
        f"{found.decisions} of them all pairs were judged again, and the very same order came out "
        f"in {100 * found.frequency:.0f} %. On average the orders differ from it by "
        f"{number(found.distance, 2)}, where a pair that is open in one order and decided in the "
        "other counts 1, and a pair that is turned around 2."
    )


def _tables(found: Stability) -> Iterator[Table]:
    ranks = found.ranks.sort_values("rank", kind="stable", ignore_index=True)
    yield table("Ranks by mean with 95 % intervals, and how often each is best", ranks)
    yield table(
        f"The most frequent orders ({len(found.orders)} in all)", found.orders.head(MOST_SHOWN)
    )


def _places(found: Stability) -> Iterator[Picture]:
    yield Picture(
        "Places under the bootstrap",
        "How often each algorithm has each place by its mean when "
        f"{noun(found.comparisons)} are drawn again.",
        order_plots.rank_stability_data,
        order_plots.draw_rank_stability,
        found,
        height=tall(len(found.ranks), 0.3),
    )
