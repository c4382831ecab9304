"""Every data set by itself, and all of them together, in sentences of a page."""

from __future__ import annotations

from collections.abc import Iterator

from podium.facts import Note
from podium.inference.comparisons import Comparisons
from podium.studies.dataset_orders import DatasetOrders
from podium.wording.notes import say
from podium.wording.phrases import capital, counted
from podium.wording.voices import PAGE

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
