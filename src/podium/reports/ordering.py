"""Order and stability: the order as text, letters and diagram, and how far it hangs on blocks."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from podium.errors import PodiumError
from podium.orders.order import Order
from podium.plots import hasse_diagrams, stabilities
from podium.reports.claims import legend
from podium.reports.document import Choice, Part, Section, Table
from podium.reports.evidence import Analysis, Evidence
from podium.reports.figures import Picture, pictured, tall
from podium.reports.phrases import capital, counted, joined
from podium.shown import number
from podium.stability.result import Stability

MOST_LETTERED = 26
MOST_SHOWN = 10  # orders of resamples
AXIOMS = {  # what it means that one fails
    "transitive": "a is better than b and b than c, yet a is not shown to be better than c",
    "negatively transitive": "differences add up that are too small to be shown one by one",
    "complete": "some pairs are open",
    "indifference transitive": "a ≈ b and b ≈ c, yet a and c differ: ≈ means not told apart",
}


def ordering(analysis: Analysis) -> Section:
    """The order of every measure, and the stability of the first."""
    parts = [_order(each) for each in analysis.chosen if len(each.comparisons.algorithms) > 1]
    if not parts:
        parts = [Part(paragraphs=("There is no order of several algorithms.",))]
    return Section("Order and stability", "order", (*parts, _stable(analysis)))


def _order(evidence: Evidence) -> Part:
    order, c = evidence.order, evidence.comparisons
    figures, not_drawn = pictured(_diagram(order), f"{c.measure} {c.procedure} {c.dataset}")
    where = f" on {c.dataset}" if c.dataset else ""
    return Part(
        title=f"The order by {c.measure}{where}",
        lead=order.text,
        paragraphs=(legend(order), *_axioms(order), *not_drawn),
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
    yield Table(f"Algorithms, the best first{shared}", pd.DataFrame(rows))


def _lettered(order: Order) -> dict[str, str]:
    """Letters, where the alphabet suffices to read them."""
    try:
        found = order.letters()
    except PodiumError:  # tens of thousands of sets
        return {}
    return found if len(set("".join(found.values()))) <= MOST_LETTERED else {}


def _axioms(order: Order) -> Iterator[str]:
    """Which axioms of orders fail, with the first algorithms that break them."""
    failing = [name for name, holds in order.axioms.items() if not holds]
    if not failing:
        yield "The relation is a linear order: every axiom holds."
        return
    for name in failing:
        if name not in AXIOMS:
            continue
        breaks = ", ".join(order.violations(name, 1)[0])
        count = order.violation_counts[name]
        times = f"{counted(count, 'time')}, first with {breaks}"
        yield f"The relation is not {name} ({AXIOMS[name]}; {times})."


def _diagram(order: Order) -> Iterator[Picture]:
    if order.better.any() and not order.cycles:
        yield Picture(
            "Hasse diagram",
            "Better algorithms stand above worse ones; a path down means better, no path means "
            "not told apart.",
            hasse_diagrams.hasse_data,
            hasse_diagrams.draw_hasse,
            order,
            height=tall(len(order.groups), 0.6, least=3.0, most=10.0),
        )


# -- stability -------------------------------------------------------------------------------------


def _stable(analysis: Analysis) -> Part:
    """What comes of the first order when the blocks are drawn anew."""
    title = "How far the order hangs on the blocks that were drawn"
    found = analysis.stability
    if isinstance(found, str):
        return Part(title=title, paragraphs=(f"This was not computed. {capital(found)}",))
    c = found.comparisons
    figures, not_drawn = pictured(_places(found), c.measure)
    return Part(
        title=title,
        paragraphs=(_sentence(found), *not_drawn),
        notes=found.notes[:2],  # what was drawn, and what frequencies are not
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
    return (
        f"When the {found.comparisons.blocks['count']} blocks are drawn anew, "
        f"{first['algorithm']} has the best mean in {100 * first['best']:.0f} % of "
        f"{found.resamples} resamples{f', {joined(others)}' if others else ''}. The very same "
        f"order comes out in {100 * found.frequency:.0f} % of {found.decisions}; on average "
        f"{number(found.distance, 2)} ordered pairs are told otherwise."
    )


def _tables(found: Stability) -> Iterator[Table]:
    yield Table("Ranks by mean with 95 % intervals, and how often each is best", found.ranks)
    yield Table(
        f"The most frequent orders ({len(found.orders)} in all)", found.orders.head(MOST_SHOWN)
    )


def _places(found: Stability) -> Iterator[Picture]:
    yield Picture(
        "Places under the bootstrap",
        "How often each algorithm has each place by its mean when the blocks are drawn anew.",
        stabilities.rank_stability_data,
        stabilities.draw_rank_stability,
        found,
        height=tall(len(found.ranks), 0.3),
    )
