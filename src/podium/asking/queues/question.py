"""The question of queues: have enough items been evaluated?"""

from __future__ import annotations

from podium.asking.comparison.question import Question
from podium.asking.comparison.request import Case, Request
from podium.asking.comparison.usual_question import (
    OF_SEVERAL_MEASURES,
    answer_comparison,
)
from podium.core.base.errors import ResultsError
from podium.core.samplings import ITEMS
from podium.showing.terminal.options import READING, less_excluded


def read_queued_case(request: Request) -> Case:
    """Items in an order that was drawn, with the plan of their queue."""
    from podium.asking.queues.queues import read_queued

    request.refuse(["margin"], OF_SEVERAL_MEASURES)
    if request.is_of_store:
        raise ResultsError(
            "A queue is for one table of answers to items; a study that runs here stops by "
            "podium run --until decided."
        )
    if request["sampling"] not in (None, ITEMS.name):
        raise ResultsError(
            f"A queue is of items, not of '{request['sampling']}': leave --sampling out."
        )
    request.refuse(["judge", "human", "dataset", "strata"], "is not for queued items")
    request.refuse(["sample"], "is not for queued items: leave it out")
    reading = request.select_given([name for name in READING if name != "sampling"])
    results = read_queued(request.source, request["queue"], **reading)
    if request["open"] and results.stopping and not results.stopping["open"]:
        raise ResultsError(
            "This queue was drawn with a budget, and a plan does not change after a look: leave "
            "--open out."
        )
    return Case(less_excluded(results, request.options), request)


QUEUED = Question(
    "queued",
    40,
    lambda request: bool(request["queue"] or request["open"]),
    read_queued_case,
    answer_comparison,
)
