"""Numbers of plans that no other test holds: least budgets, the middle pair, Ting's limits."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import podium
from podium.errors import InferenceError
from podium.judges.tables import judged_layout
from podium.planning import plan_sequential
from podium.planning.pilot import _difference_interval
from podium.planning.plan import of_pilot


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
