"""The question of factors: which part of the algorithms matters, and does it depend on others?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from podium.asking.comparison.answer import Answer, Shown
from podium.asking.comparison.question import Question
from podium.asking.comparison.request import Case, Request
from podium.asking.comparison.usual_question import OF_SEVERAL_MEASURES, answer_comparison
from podium.asking.factors.judging import Effects
from podium.core.base.errors import InferenceError
from podium.core.results.results import Results
from podium.showing.terminal.options import CHOOSING, READING, TESTING, less_excluded

NOT_OF_FACTORS = "is not for --factors"
TAKEN = ("alpha", "relevance", "gaps")
OTHERS = (*(name for name in TESTING if name not in TAKEN), "strata", "queue", "open", "sample")


def read_factors_case(request: Request) -> Case:
    """Results whose algorithms are combinations of factors, which the request then knows."""
    from podium.asking.factors.levels import of_algorithms
    from podium.asking.factors.verbs import read_factors, with_factors

    request.refuse(["margin"], OF_SEVERAL_MEASURES)
    request.refuse(OTHERS, NOT_OF_FACTORS)
    reading = request.select_given(READING)
    read, factors = read_factors(request.source, request["factors"], reading)
    results = less_excluded(cast("Results", read), request.options)
    known = of_algorithms(results.algorithms, factors)
    return Case(with_factors(results, known), request.but(factors=known))


def compute_effects(case: Case) -> Effects:
    """The effects of the factors of a case."""
    from podium.asking.factors.verbs import effects

    chosen = case.request.select_given(("measure", *CHOOSING, *TAKEN))
    return effects(case.results, case.request["factors"], **chosen)


def effects_of_file(file: Path | list[Path], options: dict[str, Any]) -> Effects:
    """What a plot of a file shows."""
    if not options["factors"]:
        raise InferenceError("Which factors? Add --factors encoder,loss or so.")
    return compute_effects(read_factors_case(Request.from_asked(file, options)))


def answer_factors(case: Case) -> Answer:
    """The usual comparison of all combinations, and the effects of their parts."""
    usual = answer_comparison(case)
    return replace(usual, question="factors", result=compute_effects(case), show=show_effects)


def show_effects(answer: Answer, shown: Shown) -> None:
    """Print the effects."""
    from podium.asking.factors.command import say_effects

    say_effects(answer.result, pairs=shown.pairs or shown.algorithms, why=shown.why)


FACTORS = Question(
    "factors",
    10,
    lambda request: bool(request["factors"]),
    read_factors_case,
    answer_factors,
    only_tables=NOT_OF_FACTORS,
)
