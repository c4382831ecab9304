"""What a plot is given: the kind of thing it shows, or one sentence on where that comes from."""

from __future__ import annotations

from numbers import Real
from os import PathLike
from typing import Any, TypeVar

from podium.errors import PodiumError, ResultsError
from podium.inference.comparisons import Comparisons
from podium.orders.order import Order
from podium.results.results import Results
from podium.studies.dataset_orders import DatasetOrders
from podium.studies.stability import Stability

Kind = TypeVar("Kind")
SOURCES: dict[type, str] = {
    Results: "results, from podium.read(file or table) or podium.run(study)",
    Comparisons: "comparisons, from podium.compare(results)",
    Order: "an order, from podium.decide(comparisons) or podium.order(text)",
    Stability: "a stability, from podium.stability(results)",
    DatasetOrders: "orders of data sets, from podium.by_dataset(results)",
}


def checked(what: Any, kind: type[Kind]) -> Kind:
    """What a plot was given, where it is of the kind that the plot shows."""
    if isinstance(what, kind):
        return what
    raise refusal(what, SOURCES[kind])


def is_share(value: Any) -> bool:
    """Whether it is a number above 0 and below 1."""
    return isinstance(value, Real) and 0 < float(value) < 1


def refusal(what: Any, wanted: str) -> PodiumError:
    """The error that says what a plot shows, and what it was given instead."""
    return ResultsError(f"This plot shows {wanted}, not {_told(what)}.")


def _told(what: Any) -> str:
    if what is None:
        return "None"
    if isinstance(what, (str, PathLike)):
        return f"the text or path '{what}'"
    own = [said.partition(",")[0] for kind, said in SOURCES.items() if isinstance(what, kind)]
    return own[0] if own else f"a {type(what).__name__}"
