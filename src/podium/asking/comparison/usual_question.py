"""The usual question: which algorithm is better, by how much, how sure?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from podium.asking.comparison.answer import Answer, Shown
from podium.asking.comparison.question import LAST, Question
from podium.asking.comparison.request import Case, Request
from podium.core.base.formatting import screen
from podium.core.base.rooms import offered, required
from podium.showing.terminal.options import (
    BAYES,
    JUDGED,
    MARGINS,
    read_results,
    read_weights,
    with_strata,
)
from podium.showing.terminal.saying import say
from podium.showing.terminal.writing import say_lines

if TYPE_CHECKING:
    from podium.core.inference.comparing.comparisons import Comparisons
    from podium.core.results.results import Results

OF_SEVERAL_MEASURES = "is of several measures: name them, as in -m accuracy,cost"
ALONE = ("measure", "dataset", "target", "alpha", *JUDGED)
# not of one algorithm alone
OF_PAIRS = ("procedure", "null", "adjust", "control", "relevance", *MARGINS, *BAYES)


def read_usual_case(request: Request) -> Case:
    """What the source holds, less the data sets that are left out."""
    request.refuse(["margin"], OF_SEVERAL_MEASURES)
    other = f"name a store instead of '{request.source}'"
    way = "add --sampling items" if request.is_of_store else other
    request.refuse(["sample"], f"is for the items of a store: {way}")
    return Case(read_results(request.source, with_strata(request.options)), request)


def choose_measure(case: Case) -> str | None:
    """The measure that counts where there are several and none was named.

    A study lists it first; of a table it is the one that is no cost, where all others are.
    """
    from podium.core.results.measure_names import only_quality

    results, request = case.results, case.request
    planned = results.registered is not None or results.stopping is not None
    if request["measure"] or request["judge"] or planned or len(results.measures) < 2:
        return None
    if request.is_of_store:
        return next(iter(results.measures))
    return only_quality(results.measures)


def answer_comparison(case: Case) -> Answer:
    """Comparisons and their order; with strata, repeats and planned subgroups where asked for."""
    import podium
    from podium.core.verdicts.verbs import compare_registered

    first = choose_measure(case)
    chosen = first or case.request["measure"]
    request = case.request.but(measure=chosen, weights=read_weights(case.request["weights"]))
    case = replace(case, request=request)
    results = case.results
    if len(results.algorithms) == 1 and not request.select_given(OF_PAIRS):
        comparisons = podium.verdicts.score_interval(results, **request.select_given(ALONE))
    else:
        comparisons = compare_registered(results, request.comparing)
    comparisons, subgroups = _find_planned_subgroups(results, comparisons)
    if first is not None:
        comparisons = _note_other_measures(comparisons, first, results)
    parts = {
        "subgroups": subgroups,
        "strata": _compare_strata(case, comparisons),
        "repeats": _count_repeats(case, comparisons),
    }
    order = podium.decide(comparisons)
    asked_besides = {name: part for name, part in parts.items() if part is not None}
    return Answer(
        "comparison", case, comparisons, order, comparisons, show_comparison, asked_besides
    )


def _note_other_measures(c: Comparisons, measure: str, results: Results) -> Comparisons:
    """With a note of the measures that were not asked about."""
    from podium.core.words.facts import REMARK, Note

    others = tuple(name for name in results.measures if name != measure)
    note = Note("first-measure", REMARK, measure=measure, others=others)
    return replace(c, warnings=(*c.warnings, note))


def _find_planned_subgroups(results: Results, comparisons: Comparisons) -> tuple[Comparisons, Any]:
    if comparisons.extras.registered is None:
        return comparisons, None
    planned_subgroups = required("planned_subgroups")
    return cast("tuple[Comparisons, Any]", planned_subgroups(results, comparisons))


def _count_repeats(case: Case, c: Comparisons) -> Any:
    """pass^k beside pass@k, flaky items and costs, where one of the two is the measure."""
    from podium.core.results.pass_at import pass_rate

    request = case.request
    rate = pass_rate(request["measure"])
    made = None if rate is None else case.results.measures.get(rate.name)
    if rate is None or made is None or made.words != rate.words:  # a column may be called so
        return None
    return required("repeats_of")(request.source, request.options, c.alpha)


def _compare_strata(case: Case, c: Comparisons) -> Any:
    """Scores by stratum, where a column of strata was named."""
    if case.request["strata"] is None:
        return None
    return required("by_stratum")(
        case.results, measure=c.measure, dataset=c.dataset or None, alpha=c.alpha
    )


def show_comparison(answer: Answer, shown: Shown) -> None:
    """The comparison, what was asked besides, and how to ask which part of algorithms matters."""
    from podium.asking.comparison.screen import say_comparisons

    say_comparisons(
        answer.comparisons,
        answer.order,
        shown,
        lambda: answer.layout,
        lambda: _say_parts(answer),
    )
    _say_factors(answer.results)


def _say_parts(answer: Answer) -> None:
    from podium.showing.screens.standings import say_strata

    registered, parts = answer.comparisons.extras.registered, answer.parts
    if registered is not None:
        say()
        say(required("deviations_text")(registered.deviations))
    if "strata" in parts:
        say_strata(parts["strata"])
    if "repeats" in parts:
        required("say_repeats")(parts["repeats"])
    if "subgroups" in parts:
        say_lines(f"\n{parts['subgroups']!r}")
    if "strata" in parts or "subgroups" in parts or registered is not None:
        say()


def _say_factors(results: Results) -> None:
    """That algorithms look like combinations, and how to ask which part matters."""
    from podium.asking.comparison.words import PARTS
    from podium.showing.screens.standings import say_label
    from podium.showing.screens.terminal import MORE

    hint = offered("factors_hint")
    if hint is not None and (wording := hint(results)):
        say_label(MORE, [PARTS.format(wording)], screen())


USUAL = Question("comparison", LAST, lambda request: True, read_usual_case, answer_comparison)
