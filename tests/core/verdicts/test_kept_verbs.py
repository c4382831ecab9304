"""What verbs make of requests: statistics, intervals, plans, studies that stop; kept answers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from layouts_made import made, nested, noise
from snapshots import assert_kept
from stops_varied import LOOKS, PLANS, scores
from summaries import summary
from tables_varied import TABLES

import podium
from podium.core.inference.comparing.compare import compare as compare_layout
from podium.core.inference.layouts import Stopped
from podium.core.inference.numbers.boundaries import StoppingPlan
from podium.core.inference.procedures.procedure import Options
from podium.core.inference.procedures.sequential import procedure_of
from podium.core.questions.options import AnalysisPlan, Version
from podium.core.verdicts import order_by, score_interval, verbs
from podium.core.verdicts.standing import standing
from podium.core.verdicts.verbs import posterior_of, region
from podium.core.verdicts.verdict import next_sentence, verdict
from podium.core.words.phrases import plain
from podium.errors import PodiumError
from podium.showing.screens import standings
from podium.showing.screens import terminal as shown


def failing(_of: Any, *given: Any, **more: Any) -> Any:
    """What a function gives, or how it refuses."""
    try:
        return _of(*given, **more)
    except (PodiumError, TypeError) as error:
        return error


def read(name: str) -> podium.Results:
    """A table as its design is read."""
    return podium.read(TABLES[name].table, **TABLES[name].read)


@pytest.mark.parametrize("name", list(PLANS))
def test_verdicts_of_studies_that_stop(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")  # else as wide as the terminal that tests run in
    found = {}
    for gap, done in ((0.25, 40), (0.1, 20), (0.1, 5)):
        plan = StoppingPlan(tuple("abc"), "accuracy", 40, LOOKS, **PLANS[name])
        values = scores(3, gap)
        finished = np.arange(40)[:, None] < np.full(3, done)
        values = np.where(finished, values, np.nan)
        block = "dataset" if plan.few else "resample"
        layout = made(values, block=block, measure="accuracy", stopped=Stopped(plan, finished))
        c = compare_layout(layout, Options(procedure_of(plan)))
        of = standing(c)
        found[f"{done} done, {gap:g}"] = [
            plain(verdict(c, of)),
            next_sentence(c, of),
            shown.tested(c),
            shown.within_margin(c),
        ]
        if done == 40:
            standings.say_presented(c, why=len(name) % 2 > 0)
            found[f"{done} done, {gap:g}"] += capsys.readouterr().out.split("\n")
    assert_kept("verdicts", "stopped", found, case=name)


def test_orders_and_intervals() -> None:
    found = {}
    for name in ("data sets", "missing", "items", "one on items", "one algorithm", "nested"):
        results = read(name)
        ordered = failing(order_by, results, "median", epsilon=0.01)
        if not isinstance(ordered, Exception):
            ordered = [ordered.order.text, ordered.values, [n.code for n in ordered.notes]]
        alone = failing(score_interval, results, alpha=0.1)
        if not isinstance(alone, Exception):
            assert alone.interval is not None
            alone = [alone.interval.to_dict(), plain(verdict(alone, None)), shown.interval(alone)]
        found[name] = [ordered, alone]
    assert_kept("verdicts", "verbs", found, case="orders")


def test_posteriors_are_chosen_by_what_there_is() -> None:
    nothing: dict[str, Any] = {}
    found = {}
    for name in ("data sets", "nested", "nested folds", "own samples", "items", "uneven"):
        for chosen in (nothing, {"dataset": "d1"}, {"target": "datasets"}, {"scale": "ranks"},
                       {"target": "dataset-population"}):  # fmt: skip
            asked = dict.fromkeys(("measure", "dataset", "target", "scale")) | chosen
            found[f"{name} {chosen}"] = failing(posterior_of, read(name), None, True, asked)
    asked = dict.fromkeys(("measure", "dataset", "target", "scale"))
    layout = made(noise(5, 2))
    found["named"] = failing(posterior_of, layout, None, "sign", asked)
    found["layout"] = failing(posterior_of, layout, None, True, asked)
    found["both"] = failing(posterior_of, layout, "hull", True, asked)
    found["regions"] = [
        failing(region, *given)
        for given in ((None, True, None, 0.1), (None, False, None, 0.1), ("hull", True, 0.0, 0.1),
                      ("hull", False, 0.2, None), (None, True, 0.2, 0.1),
                      ("bayes-t", False, None, 0.1))
    ]  # fmt: skip
    assert_kept("verdicts", "verbs", found, case="posteriors")


def test_analyses_are_done_again() -> None:
    found: dict[str, Any] = {}
    layouts = {
        "samples": made(noise(12, 3, 2)),
        "population": made(noise(12, 3, 2), target="population"),
        "folds": made(noise(10, 3, 2), block="fold", how="cv:10"),
        "data sets": made(noise(6, 3, 2), block="dataset"),
        "many": made(noise(40, 3, 2), block="dataset"),
        "own": made(noise(12, 3, 2), block="independent-resample"),
        "nested": nested(np.stack([noise(5, 3, s) for s in range(4)])),
        "items": made((noise(30, 3) > 0).astype(float), block="item", measure="accuracy"),
    }
    for name, layout in layouts.items():
        for options in (Options(), Options("permutation"), Options("flip"),
                        Options("friedman", null="exact"),
                        Options(contrasts={"x": {"a": 1, "b": -1}})):  # fmt: skip
            result = failing(verbs.pinned, layout, options)
            key = f"{name} {options.procedure} {options.contrasts}"
            if isinstance(result, Exception):
                found[key] = str(result)[:80]
                continue
            pinned = result[1]
            fast = verbs.quick(pinned)
            procedure = verbs.procedure_of(pinned).name
            found[key] = [procedure, str(pinned.null), pinned.adjust, str(fast.null)]
        found[f"{name} again"] = failing(verbs.refuse_dependent, layout)
    about = verbs.about(failing(verbs.pinned, layouts["many"], Options())[0])
    found["about"] = {key: about[key] for key in ("measure", "target", "alpha", "relevance")}
    seen: list[Any] = []
    tried = verbs.tried(
        [1, 0, 2], lambda x: 1 if x else failing_case(), lambda *done: seen.append(done)
    )
    found["tried"] = [[case, result] for case, result in tried]
    found["seen"] = seen
    plan = StoppingPlan(("a", "b"), "accuracy", 40, LOOKS)
    stopped = made(noise(40, 2), stopped=Stopped(plan, np.ones((40, 2), bool)))
    found["stopped"] = failing(verbs.refuse_stopped, stopped)
    assert_kept("verdicts", "verbs", found, case="again")


def failing_case() -> Any:
    """A refusal."""
    return verbs.refuse_contrasts(Options(contrasts={"x": [1, -1]}))


def registered(**plan: Any) -> podium.Results:
    """Results of a study with a plan, of which one data set came later."""
    results = read("nested")
    known = {f"d{i}": f"{i:08d}" for i in range(4)}
    study = {
        "datasets": known, "algorithms": dict.fromkeys(("knn", "lda"), "0" * 8),
        "samples": dict.fromkeys(known, 3), "measures": ["error"],
    }  # fmt: skip
    now = study | {
        "datasets": known | {"d4": "44444444", "d0": "99999999"},
        "algorithms": dict.fromkeys(("knn", "lda", "svm"), "0" * 8),
        "samples": dict.fromkeys((*known, "d4"), 4),
        "measures": ["error", "time"],
    }
    first = Version(AnalysisPlan("error", **plan), study, "2026-01-01T00:00:00+00:00")
    later = Version(AnalysisPlan("error", alpha=0.2), study, "2026-02-01T00:00:00+00:00", 7)
    versions = [first.to_dict(), later.to_dict()]
    return replace(results, registered={"versions": versions, "now": now})


def test_registered_studies() -> None:
    found: dict[str, Any] = {}
    plans: dict[str, dict[str, Any]] = {
        "usual": {},
        "control": {"control": "lda", "alpha": 0.1},
        "pairs": {"pairs": (("knn", "lda"),), "gaps": "complete"},
        "margin": {"relevance": 0.01, "procedure": "hull"},
    }
    for name, plan in plans.items():
        results = registered(**plan)
        for options in ({}, {"procedure": "ranks"}, {"alpha": 0.3}, {"control": "knn"},
                        {"target": "datasets"}, {"force": False}):  # fmt: skip
            c = failing(podium.compare, results, **options)
            if isinstance(c, Exception):
                found[f"{name} {options}"] = c
                continue
            about = c.registered
            assert about is not None
            found[f"{name} {options}"] = [
                about.exploratory,
                [" | ".join(map(str, row)) for row in about.deviations.to_numpy()][-4:],
                summary(c),
            ]
    results = registered()
    assert results.registered is not None
    aside = replace(results, registered={**results.registered, "aside": "its pilot"})
    found["aside"] = summary(podium.compare(aside))
    found["ordered"] = [note.code for note in order_by(results).notes]
    assert_kept("verdicts", "registered", found)


def test_layouts_and_margins_are_refused() -> None:
    layout = made(noise(9, 3, 5), measure="accuracy")
    found = [
        failing(podium.compare, layout, measure="error"),
        failing(podium.compare, layout, non_inferiority=0.1),
        failing(podium.compare, layout, posterior=True, equivalence=0.1),
        failing(podium.compare, layout, posterior=True, judge="x"),
        podium.compare(layout, contrasts=np.array([[1, -1, 0], [1, 0, -1]])).table["first"],
        podium.compare(layout, pairs=[["a", "b"]]).table["second"],
        failing(podium.compare, layout, pairs=["ab"]),
    ]
    frame = pd.DataFrame({"dataset": list("abcdefgh"), "old": np.linspace(1, 2, 8)})
    frame["new"] = frame["old"] * [0.9, 0.8, 0.95, 0.9, 1.0, 0.7, 0.85, 0.9]
    for options in (
        {},
        {"alpha": 0.2},
        {"measure": "time"},
        {"procedure": "hull"},
        {"target": "dataset-population"},
    ):
        c = podium.compare(podium.read(frame, measure="time"), **options)
        found.append([c.procedure, c.table["estimate"], c.table["p"]])
    assert_kept("verdicts", "verbs", found, case="refused", relative=1e-7)
