"""Inference: the tests of every measure by the chosen procedure and others, and the order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pandas as pd

from podium.answers.claims import legend
from podium.answers.evidence_words import (
    CHOSEN,
    NO_ORDER,
    NO_OTHERS,
    RULE,
    SAME_ORDER,
    agreement,
    axioms,
    letters_caption,
    limits,
    no_stability,
    not_listed,
    not_tested,
    order_title,
    pairs_caption,
    procedure_title,
    reason,
    stability_only_of,
    stability_title,
    stable,
    tested,
)
from podium.base.errors import PodiumError
from podium.inference.bricks.estimates import mixed
from podium.inference.comparing.known import PROCEDURES
from podium.orders.distances import unlike
from podium.orders.order import Order
from podium.plots.of_pairs import cd_tikz, matrices
from podium.reading.results import Results
from podium.reports.analysis import Analysis, Evidence
from podium.reports.document import Choice, Part, Table, readable, section
from podium.reports.figures import Picture, pictured, tall
from podium.reports.score_words import noun
from podium.robustness.stability import Stability
from podium.words.facts import Note

MOST_PAIRS = 300  # of a sensitivity analysis that are listed
MOST_LISTED = (
    5_000  # pairs of the analysis itself: a page of more opens slowly, and nobody reads it
)
MOST_LATEX = 120  # pairs of a table that fits pages
MOST_NAMED = 12  # algorithms, in a picture of all pairs of a sensitivity analysis
MOST_DRAWN = 25  # algorithms, in a picture with a line per algorithm or pair


@section("tests", "Tests", place=40)
def inference(analysis: Analysis) -> Iterator[Part]:
    """Every measure and procedure in a part of its own, then what the procedures agree on."""
    for measure in analysis.measures:
        yield from (_tested(each, analysis.results) for each in analysis.of(measure))
        yield from _compared(analysis, measure)


def _tested(evidence: Evidence, results: Results) -> Part:
    """One procedure: what was tested, what came out."""
    c = evidence.comparisons
    about = f"{c.measure} {c.procedure} {c.dataset}"
    figures, not_drawn = pictured([*_pictures(evidence), *_residuals(evidence, results)], about)
    listed = len(c.table) <= (MOST_LISTED if evidence.is_chosen else MOST_PAIRS)
    left_out = [] if listed else [not_listed(len(c.table), evidence.is_chosen)]
    return Part(
        title=procedure_title(c),
        lead=evidence.order.text if len(c.algorithms) > 1 and not c.is_race else "",
        paragraphs=(*tested(evidence), *left_out, *not_drawn),
        notes=tuple(note for note in c.warnings if note.code != CHOSEN),
        items=(*([pairs_table(evidence)] if listed and len(c.table) else []), *figures),
        choice=Choice(evidence.measure, c.procedure),
    )


def pairs_table(evidence: Evidence) -> Table:
    """All pairs, the best first where that turns no question around."""
    c = evidence.comparisons
    if c.alternative == "two-sided" and c.control is None:
        names = [name for group in evidence.order.groups for name in group]
        c = c.best_first(names) if c.table["second"].isin(names).all() else c
    latex = c.to_latex() if len(c.table) <= MOST_LATEX else ""
    return Table(pairs_caption(c), c.table, c.shown(), latex)


# -- figures ------------------------------------------------------------------------------------


def _pictures(evidence: Evidence) -> Iterator[Picture]:
    c, k = evidence.comparisons, len(evidence.comparisons.algorithms)
    if k < 2 or not len(c.table) or not (evidence.is_chosen or k <= MOST_NAMED):
        return
    if not c.table[["lower", "upper"]].isna().to_numpy().all():
        yield Picture(
            "intervals",
            c,
            height=tall(min(len(c.table), 200 if len(c.table) <= 200 else k), 0.2),
            title="Interval of the difference" if len(c.table) == 1 else "",
            facts={"measure": c.measure, "limits": limits(c)},
        )
    if evidence.is_chosen and c.has_posterior:
        yield Picture("simplex", c, height=4.6)
    if evidence.is_chosen and k > 2 and c.places is not None:
        yield Picture("board", c, height=tall(k, 0.19, least=2.5, most=14.0))
    if evidence.is_chosen and k > 2:
        yield Picture(
            "matrix",
            c,
            height=tall(k, 0.3, least=3.0, most=9.0) + matrices.beside_names(c.algorithms),
        )
    if 2 < k <= MOST_DRAWN:
        yield Picture(
            "critical_difference",
            c,
            files={"critical_difference.tex": cd_tikz.critical_difference_tikz},
            height=tall(k // 2, 0.28),
            facts={"procedure": c.procedure},
        )


def _residuals(evidence: Evidence, results: Results) -> Iterator[Picture]:
    """What the mixed model does not explain, where it is the analysis."""
    c = evidence.comparisons
    if not evidence.is_chosen or not c.dataset or c.measure not in results.measures:
        return
    if c.procedure not in PROCEDURES or PROCEDURES[c.procedure].estimate is not mixed:
        return
    yield Picture(
        "residuals",
        results,
        {"measure": c.measure, "dataset": c.dataset},
        height=tall(len(c.algorithms)),
    )


# -- procedures side by side --------------------------------------------------------------------


def _compared(analysis: Analysis, measure: str) -> Iterator[Part]:
    """What other legal procedures say to the same question, in one table."""
    found, choice = analysis.of(measure), Choice(measure)
    if not found:
        title, text = not_tested(measure, analysis.refused[measure])
        yield Part(title, paragraphs=(text,), choice=choice)
        return
    first = found[0]
    others = [each for each in found if not each.is_chosen]
    if len(first.comparisons.algorithms) < 2:
        return
    if not others:
        yield Part(SAME_ORDER, paragraphs=(NO_OTHERS,), choice=choice)
        return
    same = [e.comparisons.procedure for e in others if e.order == first.order]
    orders = Table(f"Orders by {measure}", pd.DataFrame([_row(first, e) for e in [first, *others]]))
    said = (agreement(same), f"{reason(first)} {RULE}")
    yield Part(SAME_ORDER, paragraphs=said, items=(orders,), choice=choice)


def _row(first: Evidence, other: Evidence) -> dict[str, object]:
    decided = other.comparisons.decision.significant
    return {
        "procedure": other.comparisons.procedure,
        "kind": other.kind or "chosen",
        "order": other.order.text,
        "pairs decided": decided,
        "pairs open": other.comparisons.decision.inconclusive,
        "pairs told otherwise": _unlike(first, other),
    }


def _unlike(first: Evidence, other: Evidence) -> str:
    if first is other:
        return ""
    try:
        text = unlike(first.order, other.order)
    except PodiumError:
        return ""
    return _cut(text)


def _cut(text: str) -> str:
    return text if len(text) <= 200 else text[:199] + "…"


# -- order and stability --------------------------------------------------------------------------

MOST_LETTERED = 26
MOST_SHOWN = 10  # orders of resamples


@section("order", "Order and stability", place=50)
def ordering(analysis: Analysis) -> Iterator[Part]:
    """The order of every measure, and the stability of the first."""
    several = [each for each in analysis.chosen if each.has_order]
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
        choice=Choice(evidence.measure),
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
    if order.better.any() and not order.cycles and len(order.algorithms) <= MOST_DRAWN:
        yield Picture(
            "hasse",
            order,
            height=tall(len(order.groups), 0.6, least=3.0, most=10.0),
        )


# -- stability -------------------------------------------------------------------------------------


def _stability(analysis: Analysis) -> Iterator[Part]:
    """What comes of the first order when the blocks are drawn anew; of others that it was not."""
    found = analysis.stability
    first, *others = analysis.chosen
    for each in others:
        said = stability_only_of(first.measure)
        title, choice = stability_title(each.comparisons), Choice(each.measure)
        yield Part(title, paragraphs=(said,), choice=choice)
    title, choice = stability_title(first.comparisons), Choice(first.measure)
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
    frequent = found.orders.head(MOST_SHOWN)
    table = readable(f"The most frequent orders ({len(found.orders)} in all)", frequent)
    assert table.shown is not None
    shown = table.shown.map(lambda text: _cut(text) if isinstance(text, str) else text)
    yield replace(table, shown=shown)  # the file has them whole


def _places(found: Stability) -> Iterator[Picture]:
    yield Picture(
        "rank_stability",
        found,
        height=tall(len(found.ranks), 0.3),
        facts={"blocks": noun(found.comparisons)},
    )
