"""Surveys: every data set by itself, what their orders have in common, and how alike they are."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from podium.plots import dataset_distances, survey_plots
from podium.plots.matrices import beside_names
from podium.reports.document import Choice, Part, Section, Table
from podium.reports.figures import Picture, pictured, tall
from podium.reports.headings import table
from podium.reports.inference import pairs_table
from podium.results.results import Results
from podium.studies.analysis import Analysis, Evidence
from podium.studies.dataset_orders import DatasetOrders
from podium.wording.claims import INFORMS, claim, legend
from podium.wording.phrases import capital, counted

MOST_ROWS = 1500  # pairs of all single data sets together
MOST_ORDERS = 5  # of the consensus
MOST_CELLS = 3000  # data sets x algorithms of a survey plot that a page can hold
MOST_NODES = 120  # data sets of a graph that can be read


def surveys(analysis: Analysis) -> Section | None:
    """The section on single data sets; none where there is one."""
    if len(analysis.results.datasets) < 2:
        return None
    found = analysis.survey
    if isinstance(found, str):
        text = f"There are no orders of single data sets. {capital(found)}"
        parts: tuple[Part, ...] = (Part(paragraphs=(text,)),)
    else:
        parts = (_together(found), *_others(analysis), *_each(found, analysis.results))
    return Section("Every data set by itself", "surveys", parts)


def _others(analysis: Analysis) -> Iterator[Part]:
    """The measures by which data sets are not judged one by one."""
    first, *others = analysis.measures
    for measure in others:
        text = f"Single data sets are judged by {first} only."
        yield Part(paragraphs=(text,), choice=Choice(measure))


def _together(found: DatasetOrders) -> Part:
    """The orders of all data sets, their consensus and their agreement."""
    agreed = found.consensus
    measure = found.heading.partition(" (")[0]
    shown = [order.text for order in agreed.orders[:MOST_ORDERS]]
    more = len(agreed.orders) - len(shown)
    rest = [f"And {counted(more, 'more order', 'more orders')} just as near."] if more else []
    alike = "Equally near: " if len(shown) > 1 else ""
    figures, not_drawn = pictured(_pictures(found), measure)
    if found.ranks.size > MOST_CELLS:
        not_drawn.append("The survey plot would be too large; `podium.plots.survey` draws it.")
    return Part(
        title=f"{counted(len(found.orders), 'data set')}, one by one",
        lead=shown[0],
        paragraphs=(
            f"The consensus is the order nearest to those of the data sets: {agreed.sentence}.",
            *([alike + "; ".join(shown[1:]) + "."] if len(shown) > 1 else []),
            *rest,
            found.statement,
            f"{found.agreement}.",
            *not_drawn,
        ),
        notes=tuple(found.notes),
        items=(*_tables(found), *figures),
        choice=Choice(measure),
    )


def _tables(found: DatasetOrders) -> Iterator[Table]:
    arranged = found.table.set_index("dataset").loc[list(found.dendrogram.arranged)].reset_index()
    yield table("Orders, similar ones beside each other", arranged)
    yield table("Number of data sets on which a pair was decided so", found.pairs)
    if found.refused:
        refused = {"dataset": list(found.refused), "reason": list(found.refused.values())}
        yield table("Data sets that could not be analysed", pd.DataFrame(refused))


def _pictures(found: DatasetOrders) -> Iterator[Picture]:
    count = len(found.orders)
    if found.ranks.size <= MOST_CELLS:
        yield Picture(
            "Survey plot",
            "A podium for every data set, similar data sets beside each other: the algorithms from "
            "the first place up, with their means.",
            survey_plots.survey_data,
            survey_plots.draw_survey,
            found,
            width=min(max(3 + 0.26 * count, 7.0), 20.0),
            height=tall(len(found.ranks.columns), 0.3, least=4.0, most=12.0)
            + beside_names(list(found.orders)),
        )
    if count > 2:
        yield Picture(
            "Data sets by the distance between their orders",
            "Complete linkage of the symmetric difference between the orders.",
            dataset_distances.dendrogram_data,
            dataset_distances.draw_dendrogram,
            found,
            width=min(max(1.5 + 0.2 * count, 7.0), 20.0),
        )
    if 2 < count <= MOST_NODES:
        yield Picture(
            "Graph of data sets",
            "Data sets with similar orders are near each other.",
            dataset_distances.survey_graph_data,
            dataset_distances.draw_survey_graph,
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
            text = (
                f"The pairs of {counted(left, 'more data set')} would make the page too large; "
                "`podium survey` writes them."
            )
            yield Part(paragraphs=(text,))
            return
        one = Evidence(comparisons, found.orders[name])
        yield Part(
            title=f"What may be said on {name}",
            lead=one.order.text,
            paragraphs=(
                claim(one, results),
                legend(one.order, comparisons.relevance),
                f"By {comparisons.heading}.",
            ),
            notes=tuple(note for note in comparisons.warnings if note.code not in INFORMS),
            items=(pairs_table(one),),
            choice=Choice(comparisons.measure, dataset=name),
        )
