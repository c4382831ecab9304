"""Questions of several measures: who is on the front, and who has the largest weighted sum?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from podium.asking.comparison.answer import Answer, Shown
from podium.asking.comparison.question import Question
from podium.asking.comparison.request import Case, Request
from podium.asking.comparison.usual_question import answer_comparison
from podium.asking.fronts.dominance import Front
from podium.core.base.errors import InferenceError
from podium.showing.terminal.options import READING, TESTING, less_excluded

NAME_ONE_MEASURE = "is for one measure, and --measure names several: name one"
TAKEN = ("alpha", "gaps")
OTHERS = (*(name for name in TESTING if name not in TAKEN), "strata", "queue", "open", "sample",
          "scale", "factors")  # fmt: skip
OF_ONE_MEASURE = "is for one measure: say it behind the name, as in -m accuracy,depth=lower"


def read_front_case(request: Request) -> Case:
    """Results of every measure; those of the first are compared, too."""
    from podium.asking.fronts.verbs import read_margins, read_measures
    from podium.core.results.measure_names import asked_measures

    request.refuse(OTHERS, NAME_ONE_MEASURE)
    measures = asked_measures(request["measure"])
    reading = _select_reading(request)
    if len(measures) > 1:
        request.refuse(["higher_is_better"], OF_ONE_MEASURE)
    read = read_measures(request.source, measures, reading)
    margins = read_margins(request["margin"] or (), [each.name for each in measures])
    several = {name: less_excluded(each, request.options) for name, each in read.items()}
    name, first = next(iter(several.items()))
    return Case(first, request.but(measure=name, margin=margins), several)


def _select_reading(request: Request) -> dict[str, object]:
    given = request.select_given(READING)
    return {name: value for name, value in given.items() if name != "measure"}


def compute_front(case: Case) -> Front:
    """The front of all measures of a case."""
    from podium.asking.fronts.verbs import front_of_results

    chosen = case.request.select_given(("target", "dataset", *TAKEN))
    return front_of_results(case.several, margins=case.request["margin"], **chosen)


def front_of_file(file: Path | list[Path], options: dict[str, Any]) -> Front:
    """What a plot of a file shows."""
    if "," not in (options["measure"] or ""):
        raise InferenceError("Which measures? Add -m accuracy,cost or so.")
    return compute_front(read_front_case(Request.from_asked(file, options)))


def answer_front(case: Case) -> Answer:
    """The usual comparison by the first measure, and the front."""
    usual = answer_comparison(case)
    return replace(usual, question="fronts", result=compute_front(case), show=show_front)


def show_front(answer: Answer, shown: Shown) -> None:
    """Print the front."""
    from podium.asking.fronts.command import say_front

    say_front(answer.result, pairs=shown.pairs or shown.algorithms, why=shown.why)


def read_utility_case(request: Request) -> Case:
    """Results of a weighted sum of measures, which is then the measure."""
    from podium.asking.fronts.verbs import read_measures, read_weights, utility_of
    from podium.core.questions.measures import UTILITY
    from podium.core.results.measure_names import asked_measures

    request.refuse(["margin"], "is of a front: leave --weights out")
    request.refuse(["higher_is_better"], OF_ONE_MEASURE)
    measures = asked_measures(request["measure"])
    several = read_measures(request.source, measures, _select_reading(request))
    made = utility_of(several, read_weights(request["weights"]))
    results = less_excluded(made, request.options)
    return Case(results, request.but(measure=UTILITY, weights=None))


FRONTS = Question(
    "fronts",
    20,
    lambda request: request.names_several_measures and not request["weights"],
    read_front_case,
    answer_front,
    only_tables=NAME_ONE_MEASURE,
)
UTILITY = Question(
    "utility",
    30,
    lambda request: request.names_several_measures,
    read_utility_case,
    answer_comparison,
)
