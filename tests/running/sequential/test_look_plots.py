"""The plot of looks: evidence against boundaries."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

import podium
from podium import Layout, Measure, plots
from podium.asking.queues import plots as look_plots
from podium.asking.queues.plots import running
from podium.core.inference.layouts import Origin
from podium.core.inference.numbers.boundaries import RACE, StoppingPlan, boundaries, planned_looks
from podium.core.questions.targets import SIMULATION
from podium.core.samplings import simulation
from podium.errors import InferenceError
from podium.showing.plots import PLOTS
from podium.showing.reports.document import SECTIONS

looks_data = PLOTS["looks"].data

NAMES = ("a", "b", "c")


def stopped(shift=(0.0, 0.0, 1.0), n=200, **facts):
    values, made = looked_at(shift, n, **facts)
    return values, podium.compare(made)


def looked_at(shift, n, **facts):
    values = np.random.default_rng(1).normal(size=(200, 3)) + shift
    values[n:] = np.nan
    looks = planned_looks(200, 20, open=facts.get("open", False))
    plan = StoppingPlan(NAMES, "score", 200, looks, **facts)
    measure = Measure("score", higher_is_better=True)
    made = Layout(
        values, NAMES, SIMULATION, "population", measure, origin=Origin(sampling=simulation(200))
    )
    known = replace(made.stopped, plan=plan, finished=~np.isnan(values))
    return values, replace(made, stopped=known)


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


def test_a_page_of_a_study_without_a_plan_to_stop_shows_no_looks():
    plain = podium.compare(stopped_at_nothing())
    for first in (None, SimpleNamespace(comparisons=plain, layout=None, measure="score")):
        analysis = SimpleNamespace(first=first)
        assert running(analysis) == []
        assert SECTIONS["looks"].made(analysis) is None


def stopped_at_nothing():
    _, made = looked_at((0.0, 0.0, 1.0), 200)
    return replace(made, stopped=replace(made.stopped, plan=None, finished=None))


def test_before_the_first_look_of_a_race_a_page_shows_no_evidence():
    _, made = looked_at((0.0, 0.35, 0.6), 20, goal=RACE)
    first = SimpleNamespace(comparisons=podium.compare(made), layout=made, measure="score")
    (view,) = running(SimpleNamespace(first=first))
    assert {row.cells["evidence"] for row in view.rows} == {""}


@pytest.mark.parametrize(("most", "left_out"), [(3, 0), (2, 1), (1, 2)])
def test_of_many_lines_those_that_ran_longest_are_drawn(most, left_out, monkeypatch):
    monkeypatch.setattr(look_plots, "MOST_LINES", most)
    _, found = stopped(n=200)
    data = looks_data(found)
    courses = found.extras.sequential.courses
    assert data.lines["name"].nunique() == most
    assert len(courses) == 3
    drawn = data.lines.groupby("name").size().min()
    longest = sorted((len(c.evidence) for c in courses), reverse=True)
    assert drawn >= longest[most - 1]
    told = [note.count for note in data.notes if note.code == "plot-looks-left-out"]
    assert told == ([left_out] if left_out else [])


@pytest.mark.parametrize("n", [60, 110, 200])
def test_a_page_shows_of_each_in_a_race_its_last_evidence_and_the_boundary_then(n):
    _, made = looked_at((0.0, 0.35, 0.6), n, goal=RACE)
    found = podium.compare(made)
    plan = found.extras.sequential
    first = SimpleNamespace(comparisons=found, layout=made, measure="score")
    (view,) = running(SimpleNamespace(first=first))
    shown = {row.name: row.cells["evidence"] for row in view.rows}
    wanted = {
        course.first: f"{course.evidence[-1]:.1f} / {plan.boundaries[len(course.evidence) - 1]:.1f}"
        for course in plan.courses if course.evidence
    }  # fmt: skip
    assert {name: text for name, text in shown.items() if text} == wanted
    assert len({course.ended for course in plan.courses}) == 1 + (n == 200)
    done = sum(plan.used.values()) / 600
    assert view.progress.done == pytest.approx(done)
    assert list(view.progress.looks) == [look / 200 for look in plan.looks]


@pytest.mark.parametrize(
    "facts", [{}, {"relevance": 0.5, "shift": (0.0, 0.0, 0.0)}, {"shift": (0.0, 0.0, 0.1)}]
)
def test_the_picture_holds_boundaries_and_lines_but_for_the_far_ones(facts):
    """Of room below 8 % of the way down and 2 % of the top; above 8 % of lines, 5 % of the edge."""
    _, found = stopped(**facts)
    data = looks_data(found)
    low, high = plots.looks(found).get_ylim()
    edges = data.bounds[["upper", "lower"]].to_numpy()
    edge, least = np.nanmax([*edges.ravel(), 1.0]), np.nanmin([*edges.ravel(), 0.0])
    evidence = data.lines["evidence"]
    bottom = max(min(evidence.min(), least), -1.25 * edge)
    assert low == pytest.approx(1.08 * bottom - 0.025 * edge)
    assert high == pytest.approx(min(max(1.08 * evidence.max(), 1.05 * edge), 1.25 * edge))
