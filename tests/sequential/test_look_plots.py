"""The plot of looks: evidence against boundaries."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from podium import Layout, Measure, plots
from podium.errors import InferenceError
from podium.inference.comparing.compare import compare
from podium.inference.layouts.layouts import Origin
from podium.inference.numbers.boundaries import RACE, StoppingPlan, boundaries, planned_looks
from podium.plots import PLOTS
from podium.questions.targets import SIMULATION
from podium.samplings import simulation

looks_data = PLOTS["looks"].data

NAMES = ("a", "b", "c")


def stopped(shift=(0.0, 0.0, 1.0), n=200, **facts):
    values = np.random.default_rng(1).normal(size=(200, 3)) + shift
    values[n:] = np.nan
    looks = planned_looks(200, 20, open=facts.get("open", False))
    plan = StoppingPlan(NAMES, "score", 200, looks, **facts)
    measure = Measure("score", higher_is_better=True)
    made = Layout(
        values, NAMES, SIMULATION, "population", measure, origin=Origin(sampling=simulation(200))
    )
    return values, compare(
        replace(made, stopped=replace(made.stopped, plan=plan, finished=~np.isnan(values)))
    )


def test_evidence_is_the_normal_quantile_of_each_looks_own_p():
    values, found = stopped()
    data = looks_data(found)
    line = data.lines[data.lines["name"] == "a - b"]
    assert line["blocks"].tolist() == list(found.extras.sequential.looks)
    for n, z in zip(line["blocks"], line["evidence"], strict=True):
        p = stats.ttest_rel(values[:n, 0], values[:n, 1]).pvalue
        assert z == pytest.approx(stats.norm.isf(p / 2), rel=1e-6)
    assert data.bounds["upper"].tolist() == pytest.approx(
        boundaries(found.extras.sequential.looks, 200, 1 - 0.95 ** (1 / 3)).tolist()
    )


def test_lines_end_where_they_cross():
    _, found = stopped()
    data = looks_data(found)
    for name in ("a - c", "b - c"):
        line = data.lines[data.lines["name"] == name]
        upper = data.bounds.set_index("blocks").loc[line["blocks"], "upper"].to_numpy()
        assert line["decided"].all()
        assert line["evidence"].iloc[-1] >= upper[-1]
        assert (line["evidence"].to_numpy()[:-1] < upper[:-1]).all()


def test_below_zero_two_are_alike():
    _, found = stopped(shift=(0.0, 0.0, 0.0), relevance=0.5)
    data = looks_data(found)
    alike = data.lines[data.lines["evidence"] < 0]
    assert len(alike)
    assert data.bounds["lower"].max() < 0
    verdicts = dict(zip(zip(found.table["first"], found.table["second"], strict=True),
                        found.table["verdict"], strict=True))  # fmt: skip
    for course in found.extras.sequential.courses:
        assert (verdicts[course.first, course.second] == "equivalent") == course.decided


@pytest.mark.parametrize("facts", [{}, {"relevance": 0.3}, {"open": True}, {"goal": RACE}])
def test_it_is_drawn(facts):
    _, found = stopped(**facts)
    assert plots.looks(found).get_title()
    if facts.get("goal") == RACE:
        data = looks_data(found)
        assert set(data.lines["name"]) == set(NAMES)
        last = data.lines.groupby("name").tail(1).set_index("name")
        assert last["decided"].to_dict() == {n: n in found.extras.sequential.out for n in NAMES}


def test_without_looks_there_is_nothing_to_draw():
    _, found = stopped(n=20)
    with pytest.raises(InferenceError, match="No look has been taken yet"):
        plots.looks(found)
