"""Surveys: every data set by itself, what their orders have in common, and how alike they are."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from podium.answers.claims import claim, legend
from podium.answers.evidence_words import (
    TOO_LARGE,
    compared_by,
    consensus,
    dataset_title,
    datasets_title,
    judged_by,
    no_orders,
    not_in_page,
)
from podium.answers.section_comparisons import pairs_table
from podium.orders.dataset_orders import DatasetOrders
from podium.plots.of_pairs.matrices import beside_names
from podium.reading.development import development
from podium.reading.fits import fits_spent
from podium.reading.results import Results
from podium.reports.analysis import Analysis, Evidence
from podium.reports.document import Choice, Item, Part, Table, readable, section
from podium.reports.figures import Picture, pictured, tall
from podium.words.facts import DETAIL, Note
from podium.words.notes.of_neutrality import NEUTRALITY, SPENT_CAPTION, disclosure

MOST_ROWS = 1500  # pairs of all single data sets together
MOST_ORDERS = 5  # of the consensus
MOST_CELLS = 3000  # data sets x algorithms of a survey plot that a page can hold
MOST_NODES = 120  # data sets of a graph that can be read


@section("surveys", "Every data set by itself", place=60)
def surveys(analysis: Analysis) -> Iterator[Part]:
    """Every data set by itself; nothing where there is one."""
    found = analysis.survey
    if len(analysis.results.datasets) < 2:
        return
    if isinstance(found, Note):
        yield Part(paragraphs=(no_orders(found),))
        return
    yield _together(found)
    first, *others = analysis.measures
    for measure in others:
        yield Part(paragraphs=(judged_by(first),), choice=Choice(measure))
    yield from _each(found, analysis.results)


def _together(found: DatasetOrders) -> Part:
    """The orders of all data sets, their consensus and their agreement."""
    measure = next(iter(found.comparisons.values())).measure
    figures, not_drawn = pictured(_pictures(found), measure)
    if found.ranks.size > MOST_CELLS:
        not_drawn.append(TOO_LARGE)
    return Part(
        title=datasets_title(found),
        lead=found.consensus.orders[0].text,
        paragraphs=(*consensus(found, MOST_ORDERS), *not_drawn),
        notes=tuple(found.notes),
        items=(*_tables(found), *figures),
        choice=Choice(measure),
    )


def _tables(found: DatasetOrders) -> Iterator[Table]:
    arranged = found.table.set_index("dataset").loc[list(found.dendrogram.arranged)].reset_index()
    yield readable("Orders, similar ones beside each other", arranged)
    yield readable("Number of data sets on which a pair was decided so", found.pairs)
    if found.refused:
        refused = {"dataset": list(found.refused), "reason": list(found.refused.values())}
        yield readable("Data sets that could not be analysed", pd.DataFrame(refused))


def _pictures(found: DatasetOrders) -> Iterator[Picture]:
    count = len(found.orders)
    if found.ranks.size <= MOST_CELLS:
        yield Picture(
            "survey",
            found,
            width=min(max(3 + 0.26 * count, 7.0), 20.0),
            height=tall(len(found.ranks.columns), 0.3, least=4.0, most=12.0)
            + beside_names(list(found.orders)),
        )
    if count > 2:
        yield Picture(
            "dendrogram",
            found,
            width=min(max(1.5 + 0.2 * count, 7.0), 20.0),
        )
    if 2 < count <= MOST_NODES:
        yield Picture(
            "survey_graph",
            found,
            height=5.0,
        )


# -- each of them ---------------------------------------------------------------------------------


def _each(found: DatasetOrders, results: Results) -> Iterator[Part]:
    """The pairs of every data set, as long as the page can hold them."""
    rows = 0
    for place, (name, comparisons) in enumerate(found.comparisons.items()):
        rows += len(comparisons.table)
        if rows > MOST_ROWS:
            left = len(found.comparisons) - place
            yield Part(paragraphs=(not_in_page(left),))
            return
        one = Evidence(comparisons, found.orders[name])
        yield Part(
            title=dataset_title(name),
            lead=one.order.text,
            paragraphs=(
                claim(one, results),
                legend(one.order, comparisons.relevance),
                compared_by(comparisons),
            ),
            notes=tuple(note for note in comparisons.warnings if note.severity is not DETAIL),
            items=(pairs_table(one),),
            choice=Choice(comparisons.measure, dataset=name),
        )


# -- where data sets come from, and how much was tuned --------------------------------------


def _told(results: Results) -> bool:
    """Whether the study says anything of it, or an algorithm was tuned."""
    said = any(results.design.get(key) for key in ("frame", "roles", "development"))
    return said or len(results.fits) > 0


@section("neutral", NEUTRALITY, place=17)
def neutral(analysis: Analysis) -> Iterator[Part]:
    """The disclosure paragraph, the fits spent and the flow; nothing where nothing is said."""
    results = analysis.results
    if not _told(results):
        return
    spent = fits_spent(results)
    frame = results.design.get("frame") or {}
    told = disclosure(spent, len(development(results)), frame)
    items: list[Item] = [readable(SPENT_CAPTION, spent)]
    if frame or results.design.get("development"):
        shown, lacking = pictured([Picture("flow", results, height=3.2)])
        items, told = [*shown, *items], [*told, *lacking]
    yield Part(paragraphs=tuple(told), items=tuple(items))
