"""The question of timings: how much faster is the new version, and on which benchmarks slower?"""

from __future__ import annotations

from dataclasses import replace

from podium.asking.comparison.answer import Answer, Shown
from podium.asking.comparison.question import Question
from podium.asking.comparison.request import Case
from podium.asking.comparison.usual_question import answer_comparison, read_usual_case
from podium.showing.terminal.options import CHOOSING, TESTING

# whoever asks for a test, a target or the like compares benchmarks as a sample of others
OTHERS = [name for name in (*CHOOSING, *TESTING, "strata") if name not in ("alpha", "gaps")]


def asks_of_timings(case: Case) -> bool:
    """Whether these are times of two versions, and nothing else was asked of them."""
    from podium.asking.timings.ratios import are_times_of_versions

    return not case.request.select_given(OTHERS) and are_times_of_versions(case.results)


def answer_timings(case: Case) -> Answer:
    """The usual comparison, and every benchmark's change."""
    from podium.asking.timings.ratios import changes

    usual = answer_comparison(case)
    result = changes(usual.results, **case.request.select_given(("alpha",)))
    return replace(usual, question="timings", result=result, show=show_timings)


def show_timings(answer: Answer, shown: Shown) -> None:
    """Print the changes."""
    from podium.asking.timings.command import say_changes

    say_changes(answer.result, pairs=shown.pairs or shown.algorithms, why=shown.why)


TIMINGS = Question(
    "timings",
    90,
    lambda request: False,
    read_usual_case,
    answer_timings,
    is_asked_by=asks_of_timings,
)
