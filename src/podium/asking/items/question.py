"""The question of a store's items: how do the models of a study do on the items of its tests?"""

from __future__ import annotations

from podium.asking.comparison.question import Question
from podium.asking.comparison.request import Case, Request
from podium.asking.comparison.usual_question import (
    OF_SEVERAL_MEASURES,
    answer_comparison,
)
from podium.core.base.errors import ResultsError
from podium.core.base.formatting import read_digits
from podium.core.samplings import ITEMS
from podium.showing.terminal.options import READING, less_excluded, with_strata


def read_stored_items_case(request: Request) -> Case:
    """The items of one sample of a store, or of all."""
    import podium

    request.refuse(["margin"], OF_SEVERAL_MEASURES)
    options = with_strata(request.options)
    others = [name for name in READING if name not in ("sampling", "measure") and options[name]]
    Request(request.source, options).refuse(others, "is not for the items of a store")
    measure, sample = request["measure"] or "error", _parse_sample(request["sample"] or "1")
    dataset = request["dataset"]
    results = podium.read_items(request.source, measure=measure, dataset=dataset, sample=sample)
    return Case(less_excluded(results, request.options), request)


def _parse_sample(text: object) -> int | None:
    """The number of a sample; None where all are meant."""
    if text == "all":
        return None
    if not str(text).isdecimal():
        raise ResultsError(f"--sample is a number from 1 on, or all, not '{text}'.")
    return read_digits(str(text))


STORED_ITEMS = Question(
    "stored items",
    60,
    lambda request: request["sampling"] == ITEMS.name and request.is_of_store,
    read_stored_items_case,
    answer_comparison,
)
