"""Order and stability: the order as text, letters, diagram, and whether other blocks change it."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from podium.errors import PodiumError
from podium.facts import Note
from podium.orders.order import Order
from podium.reports.document import Choice, Part, Table, readable, section
from podium.reports.figures import Picture, pictured, tall
from podium.studies.analysis import Analysis, Evidence
from podium.studies.stability import Stability
from podium.wording.claims import legend
from podium.wording.page_evidence import (
    NO_ORDER,
    axioms,
    letters_caption,
    no_stability,
    order_title,
    stability_only_of,
    stability_title,
    stable,
)
from podium.wording.page_scores import noun

MOST_LETTERED = 26
MOST_SHOWN = 10  # orders of resamples


@section("order", "Order and stability", place=50)
def ordering(analysis: Analysis) -> Iterator[Part]:
    """The order of every measure, and the stability of the first."""
    several = [each for each in analysis.chosen if len(each.comparisons.algorithms) > 1]
    if not several:
        yield Part(paragraphs=(NO_ORDER,))
        return
    yield from (_order(each) for each in several)
    yield from _stability(analysis)


def _order(evidence: Evidence) -> Part:
    order, c = evidence.order, evidence.comparisons
    figures, not_drawn = pictured(_diagram(order), f"{c.measure} {c.procedure} {c.dataset}")
    return Part(
        title=order_title(c),
        lead=order.text,
        paragraphs=(legend(order, c.relevance), *axioms(order), *not_drawn),
        items=(_letters(evidence), *figures),
        choice=Choice(c.measure),
    )


def _letters(evidence: Evidence) -> Table:
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
    return readable(letters_caption(bool(letters)), pd.DataFrame(rows))


def _lettered(order: Order) -> dict[str, str]:
    """Letters, where the alphabet suffices to read them."""
    try:
        found = order.letters()
    except PodiumError:  # tens of thousands of sets
        return {}
    return found if len(set("".join(found.values()))) <= MOST_LETTERED else {}


def _diagram(order: Order) -> Iterator[Picture]:
    if order.better.any() and not order.cycles:
        yield Picture(
            "hasse",
            order,
            height=tall(len(order.groups), 0.6, least=3.0, most=10.0),
        )


# -- stability -------------------------------------------------------------------------------------


def _stability(analysis: Analysis) -> Iterator[Part]:
    """What comes of the first order when the blocks are drawn anew; of others that it was not."""
    found = analysis.stability
    first, *others = (each.comparisons for each in analysis.chosen)
    for c in others:
        said = stability_only_of(first.measure)
        yield Part(stability_title(c), paragraphs=(said,), choice=Choice(c.measure))
    title, choice = stability_title(first), Choice(first.measure)
    if isinstance(found, Note):
        yield Part(title, paragraphs=(no_stability(found),), choice=choice)
        return
    figures, not_drawn = pictured(_places(found), found.comparisons.measure)
    told = found.comparisons.warnings  # with the tests
    yield Part(
        title,
        paragraphs=(stable(found), *not_drawn),
        notes=tuple(note for note in found.notes if note not in told),
        items=(*_tables(found), *figures),
        choice=choice,
    )


def _tables(found: Stability) -> Iterator[Table]:
    ranks = found.ranks.sort_values("rank", kind="stable", ignore_index=True)
    yield readable("Ranks by mean with 95 % intervals, and how often each is best", ranks)
    yield readable(
        f"The most frequent orders ({len(found.orders)} in all)", found.orders.head(MOST_SHOWN)
    )


def _places(found: Stability) -> Iterator[Picture]:
    yield Picture(
        "rank_stability",
        found,
        height=tall(len(found.ranks), 0.3),
        facts={"blocks": noun(found.comparisons)},
    )
