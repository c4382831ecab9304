"""The question of judges: what would people say, where a judge has scored all items?"""

from __future__ import annotations

from podium.asking.comparison.question import Question
from podium.asking.comparison.request import Case, Request
from podium.asking.comparison.usual_question import (
    OF_SEVERAL_MEASURES,
    answer_comparison,
)
from podium.showing.terminal.options import READING, less_excluded, with_strata


def read_judged_case(request: Request) -> Case:
    """The items of a table with two columns of scores, the judge's and people's."""
    from podium.asking.judges.tables import read_judged

    request.refuse(["margin"], OF_SEVERAL_MEASURES)
    request.refuse(["measure", "sample"], "is what people say: it is the column of --human")
    options = with_strata(request.options)
    chosen = {name: options[name] for name in READING if options[name] not in (None, ())}
    judged = read_judged(request.source, request["judge"], request["human"], **chosen)
    return Case(less_excluded(judged, request.options), request)


JUDGED = Question(
    "judged",
    50,
    lambda request: bool(request["judge"] and request["human"]),
    read_judged_case,
    answer_comparison,
)
