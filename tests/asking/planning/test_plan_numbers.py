"""Numbers of plans that no other test holds: least budgets, the middle pair, Ting's limits."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import podium
from podium.asking.planning import plan_labels, plan_sequential
from podium.asking.planning.detection import detectable_pairs
from podium.asking.planning.pilot import _difference_interval
from podium.asking.planning.plan import of_pilot
from podium.core.verdicts.judged import judged_layout
from podium.errors import InferenceError, PodiumError


def test_the_budget_is_the_least_that_has_the_power():
    plan = plan_sequential(difference=0.05, sd=0.1, power=0.8)
    assert plan.power >= 0.8 > plan_sequential(
        difference=0.05, sd=0.1, datasets=plan.budget - 1
    ).power  # fmt: skip
    assert plan.fixed == podium.plan(difference=0.05, sd=0.1, power=0.8).datasets == 34
    assert plan.budget >= plan.fixed > plan.expected
    assert plan.saved == pytest.approx((plan.fixed - plan.expected) / plan.fixed)
    assert 0.1 < plan.saved < 0.5


def test_one_budget_is_enough():
    plan = plan_sequential(difference=0.05, sd=0.1, items=60)
    assert (plan.budget, plan.block) == (60, "item")
    with pytest.raises(InferenceError, match="say one of them"):
        plan_sequential(difference=0.05, sd=0.1, items=60, datasets=60)


def test_labels_are_planned_for_the_pair_in_the_middle():
    rng = np.random.default_rng(1)
    people = rng.normal(size=(80, 3)) * [1.0, 4.0, 9.0]
    frame = pd.DataFrame(
        {
            "item": np.repeat(np.arange(80), 3),
            "model": np.tile(list("abc"), 80),
            "people": people.ravel(),
            "machine": (people + rng.normal(size=(80, 3))).ravel(),
        }
    )
    facts = of_pilot(judged_layout(frame, "machine", "people"))
    differences = [people[:, i] - people[:, j] for i, j in ((0, 1), (0, 2), (1, 2))]
    assert facts["sd"] == pytest.approx(np.median([d.std(ddof=1) for d in differences]))


@pytest.mark.parametrize(("df1", "df2"), [(9, 90), (19, 380), (4, 12)])
def test_an_interval_of_two_mean_squares_ends_at_0_where_the_f_test_does(df1, df2):
    """Ting's limits are 0 exactly where the ratio is the F distribution's quantile."""
    upper, lower = stats.f.isf(0.025, df1, df2), stats.f.isf(0.975, df1, df2)
    low, _ = _difference_interval(np.array(upper), np.array(1.0), df1, df2, 0.025)
    _, high = _difference_interval(np.array(lower), np.array(1.0), df1, df2, 0.025)
    assert low == pytest.approx(0, abs=1e-9)
    assert high == pytest.approx(0, abs=1e-9)
    # without the smaller mean square it is the interval of a variance
    low, high = _difference_interval(np.array(2.0), np.array(0.0), df1, df2, 0.025)
    ends = 2.0 * df1 / stats.chi2.isf([0.025, 0.975], df1)
    assert [low, high] == pytest.approx(list(ends))


# -- where a plan begins and ends ------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [0, 1, 1.5, -0.05, float("nan"), "0.05"])
def test_a_level_lies_between_0_and_1(wrong):
    with pytest.raises(PodiumError, match=r"(?i)alpha"):
        podium.plan(difference=0.05, sd=0.1, alpha=wrong)


@pytest.mark.parametrize("wrong", [0.05, 0.01, 1, 1.2, float("nan")])
def test_a_power_lies_between_the_level_and_1(wrong):
    with pytest.raises(PodiumError, match=r"A power lies between the level 0\.05 and 1"):
        podium.plan(difference=0.05, sd=0.1, power=wrong)


@pytest.mark.parametrize(("asked", "most", "steps"), [(4, 10, {1}), (5, 10, {1}), (20, 40, {1}),
                                                     (34, 68, {1, 2})])  # fmt: skip
def test_a_curve_goes_from_two_blocks_to_twice_as_many_in_at_most_fifty(asked, most, steps):
    plan = podium.plan(difference=0.05, sd=0.1, datasets=asked)
    curve = plan.curve()
    blocks = curve["blocks"].tolist()
    assert (blocks[0], blocks[-1], {*np.diff(blocks)}) == (2, most, steps)
    assert len(blocks) <= 50
    own = {n: podium.plan(difference=0.05, sd=0.1, datasets=n).power for n in blocks[::9]}
    assert curve["power"].tolist()[::9] == pytest.approx([*own.values()])
    assert plan.curve([asked])["power"].tolist() == [pytest.approx(plan.power)]


def of_r(difference, sd, n, alpha=0.05, two_sided=True):
    """The power of a paired t test, by the noncentral t."""
    df, shift = n - 1, np.sqrt(n) * difference / sd
    t = stats.nct(df, shift)
    if not two_sided:
        return t.sf(stats.t.isf(alpha, df))
    limit = stats.t.isf(alpha / 2, df)
    return t.sf(limit) + t.cdf(-limit)


@pytest.mark.parametrize("seed", range(6))
def test_the_least_number_of_blocks_is_that_of_the_noncentral_t(seed):
    """Of any difference, spread, level, side and number of pairs (Šidák; one-sided Bonferroni)."""
    rng = np.random.default_rng(seed)
    d, sd = rng.uniform(0.02, 0.2), rng.uniform(0.05, 0.2)
    alpha, goal, pairs = (
        rng.choice([0.01, 0.05, 0.2]),
        rng.uniform(0.5, 0.95),
        int(rng.integers(1, 7)),
    )
    two_sided = bool(seed % 2)
    made = podium.plan(difference=d, sd=sd, power=goal, alpha=alpha, comparisons=pairs, **(
        {} if two_sided else {"alternative": "greater"}))  # fmt: skip
    level = 1 - (1 - alpha) ** (1 / pairs) if two_sided else alpha / pairs
    enough = (n for n in range(2, 10**5) if of_r(d, sd, n, level, two_sided) >= goal)
    assert made.datasets == next(enough)
    assert made.power == pytest.approx(of_r(d, sd, made.datasets, level, two_sided))


def test_one_algorithm_has_no_pair_to_tell_apart():
    table = pd.DataFrame({"dataset": list("abcd"), "a": [0.1, 0.2, 0.3, 0.4]})
    assert detectable_pairs(podium.layout(podium.read(table, measure="error"))).empty


@pytest.mark.parametrize("power", [0.5, 0.99, 0.9999])
def test_a_budget_is_the_least_for_small_and_for_large_powers(power):
    asked = {"difference": 0.2, "sd": 0.2, "looks": 3}
    plan = plan_sequential(power=power, **asked)
    assert plan.power >= power
    assert plan_sequential(datasets=plan.budget - 1, **asked).power < power


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"difference": 0.0}, "a number other than 0"),
        ({"difference": float("inf")}, "a number other than 0"),
        ({"sd": 0.0}, "An sd is above 0"),
        ({"sd": float("nan")}, "An sd is above 0"),
        ({"correlation": 1.0}, "between -1 and 1"),
        ({"correlation": -1.0}, "between -1 and 1"),
        ({"items": 15}, "more than 15 items, not 15"),
        ({"labels": 14}, "from 15 on and fewer than the 100 items, not 14"),
        ({"labels": 100}, "from 15 on and fewer than the 100 items, not 100"),
        ({"comparisons": 0}, "At least one pair"),
    ],
)
def test_labels_that_cannot_be_planned_are_refused(change, says):
    asked = {"difference": 0.2, "sd": 0.6, "correlation": 0.8, "items": 100}
    with pytest.raises(PodiumError, match=says):
        plan_labels(**asked | change)


@pytest.mark.parametrize(
    "change", [{"labels": 15}, {"labels": 99}, {"items": 16}, {"correlation": -0.999}]
)
def test_labels_at_the_edge_are_planned(change):
    asked = {"difference": 0.2, "sd": 0.6, "correlation": 0.8, "items": 100}
    assert 0 < plan_labels(**asked | change).power <= 1


def test_people_who_never_differ_and_one_model_alone_tell_nothing_to_plan_by():
    frame = pd.DataFrame(
        {"item": np.tile(np.arange(30), 2), "model": np.repeat(["a", "b"], 30),
         "people": np.tile(np.arange(30) % 2, 2), "machine": np.arange(60) % 3 == 0}
    )  # fmt: skip
    asked = {"difference": 0.1, "judge": "machine", "human": "people"}
    with pytest.raises(PodiumError, match="never differ: nothing to plan by"):
        plan_labels(frame.astype({"machine": int}), **asked)
