"""Censored times: Kaplan-Meier, concordance and Brier scores against R, by hand, by enumeration."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from podium.running.design.data.survival import (
    TARGET,
    as_columns,
    brier_scores,
    brier_times,
    censoring,
    concordance,
    from_columns,
    integrated_brier,
    kaplan_meier,
    later_below,
    step,
)
from podium.running.design.measuring.outputs import CURVES, PREDICTED, Output
from podium.running.design.measuring.scoring import computed, scored

TIME = [5, 3, 8, 3, 1, 9, 5, 5, 2, 7, 3, 9]
EVENT = [1, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0, 0]
RISK = np.array([2, 3, 1, 3, 0, 0, 1, 2, 4, 1, 2, 1], dtype=float)


def censored(time, event):
    return from_columns(np.column_stack([event, time]).astype(float))


Y = censored(TIME, EVENT)
ROWS = st.tuples(st.integers(0, 6), st.booleans(), st.integers(-3, 3))


def risks(y, risk):
    return Output(y, {PREDICTED: np.asarray(risk, dtype=float)})


# -- Kaplan-Meier -----------------------------------------------------------------------------


def test_kaplan_meier_is_that_of_r():
    """survfit(Surv(time, event) ~ 1), R's package survival."""
    times, values = kaplan_meier(Y)
    assert times.tolist() == [1, 2, 3, 5, 7, 8, 9]
    expected = [1, 0.909090909091, 0.727272727273, 0.519480519481]
    expected += [0.389610389610, 0.389610389610, 0.194805194805]
    assert values == pytest.approx(expected, abs=1e-12)


def test_the_censoring_distribution_is_that_of_r():
    """prodlim(Hist(time, event) ~ 1, reverse = TRUE): events come before censorings."""
    expected = [0.916666666667, 0.916666666667, 0.802083333333, 0.641666666667]
    expected += [0.641666666667, 0.427777777778, 0]
    assert censoring(Y)[1] == pytest.approx(expected, abs=1e-12)


def test_without_censoring_kaplan_meier_is_one_minus_the_distribution_function():
    y = censored([2, 4, 4, 8], [1, 1, 1, 1])
    assert step(*kaplan_meier(y), np.array([0, 2, 3, 4, 9])).tolist() == [1, 0.75, 0.75, 0.25, 0]
    assert (censoring(y)[1] == 1).all()


def test_a_left_limit_is_the_value_before_the_step():
    times, values = np.array([1.0, 2.0]), np.array([0.5, 0.25])
    at = np.array([0.5, 1.0, 1.5, 2.0, 3.0])
    assert step(times, values, at).tolist() == [1, 0.5, 0.5, 0.25, 0.25]
    assert step(times, values, at, before=True).tolist() == [1, 1, 0.5, 0.5, 0.25]


def test_a_target_survives_as_plain_columns():
    assert as_columns(Y).dtype == float
    assert np.array_equal(from_columns(as_columns(Y)), Y)
    assert Y.dtype == TARGET
    assert TARGET.names == ("event", "time")  # the order of scikit-survival


# -- concordance ------------------------------------------------------------------------------


def test_concordance_is_that_of_r():
    """concordance(Surv(time, event) ~ risk, reverse = TRUE): 37 + 2 / 2 of 40."""
    assert concordance(risks(Y, RISK)) == pytest.approx(0.95)


def by_enumeration(y, risk):
    """Harrell's C pair by pair."""
    won = pairs = 0.0
    for i, j in itertools.permutations(range(len(y)), 2):
        first = y["event"][i] and (
            y["time"][i] < y["time"][j] or (y["time"][i] == y["time"][j] and not y["event"][j])
        )
        if first:
            pairs += 1
            won += (risk[i] > risk[j]) + (risk[i] == risk[j]) / 2
    return won / pairs if pairs else None


@settings(derandomize=True, deadline=None, max_examples=150)
@given(st.lists(ROWS, min_size=1, max_size=14))
def test_concordance_is_the_share_of_comparable_pairs(rows):
    time, event, risk = (np.array(column) for column in zip(*rows, strict=True))
    y = censored(time, event)
    expected = by_enumeration(y, risk)
    found = scored([computed("concordance")], [risks(y, risk)])
    if expected is None:
        assert found.undefined == {
            "concordance": "concordance needs a test row with an event before another row's time"
        }
    else:
        assert found.values["concordance"] == pytest.approx(expected)


def test_concordance_turns_with_the_risk_and_knows_only_ranks():
    found = concordance(risks(Y, RISK))
    assert concordance(risks(Y, -RISK)) == pytest.approx(1 - found)
    assert concordance(risks(Y, np.exp(RISK))) == found
    assert concordance(risks(Y, np.zeros(len(Y)))) == 0.5
    assert concordance(risks(Y, np.where(RISK == 4, np.inf, RISK))) == found


def test_later_smaller_values_are_counted():
    values = np.random.default_rng(0).integers(9, size=37)
    expected = [(values[i + 1 :] < v).sum() for i, v in enumerate(values)]
    assert later_below(values, values).tolist() == expected
    assert later_below(np.array([], dtype=int), np.array([], dtype=int)).tolist() == []


# -- integrated Brier score -------------------------------------------------------------------


def test_brier_scores_are_those_of_r():
    """pec(list(cbind(1, S)), Surv(time, event) ~ 1, times = c(0, t), cens.model = "marginal",
    exact = FALSE)$AppErr, R's package pec."""
    times = np.array([0.5, 1, 2, 3, 4, 5, 6, 7])
    curves = np.exp(-0.1 * (1 + RISK[:, None] / 4) * times)
    expected = [0.00484981076204, 0.01880884257727, 0.09580433737963, 0.16591063737441]
    expected += [0.18112284453216, 0.19451823591514, 0.19976388204346, 0.19046863092697]
    assert brier_scores(Y, curves, Y, times) == pytest.approx(expected, abs=1e-12)


def test_curves_are_asked_for_up_to_the_last_usable_time():
    exact = censored(np.arange(1, 21), np.ones(20))
    assert brier_times(exact) == pytest.approx(18 * np.arange(1, 101) / 100)
    # all of the last are censored together: nobody is seen beyond, and nothing to weight by
    assert brier_times(censored([1, 2, 3, 3, 3, 3], [1, 1, 0, 0, 0, 0]))[-1] == 2


def test_without_censoring_the_integrated_brier_score_is_a_mean_squared_distance():
    y = censored([1.0, 2.0, 3.0, 4.0], [1, 1, 1, 1])
    times = brier_times(y)  # up to 4
    curves = np.full((4, 100), 0.5)
    found = integrated_brier(Output(y, {CURVES: curves}, learned=y))
    assert found == pytest.approx(0.25 * 99.5 / 100)  # the score at time 0 counts as 0
    known = (y["time"][:, None] > times).astype(float)
    assert integrated_brier(Output(y, {CURVES: known}, learned=y)) == 0


def test_the_true_curves_have_the_least_expected_brier_score_under_censoring():
    """The weights make the score proper (Graf et al. 1999): censoring does not favour pessimism."""
    rng = np.random.default_rng(1)
    event, gone = rng.exponential(size=4000), rng.exponential(1.5, size=4000)
    y = censored(np.minimum(event, gone), event <= gone)
    times = brier_times(y)

    def score(rate):
        curves = np.tile(np.exp(-rate * times), (len(y), 1))
        return integrated_brier(Output(y, {CURVES: curves}, learned=y))

    rates = [0.6, 0.8, 1.0, 1.25, 1.6]
    assert rates[int(np.argmin([score(r) for r in rates]))] == 1
    # and it estimates what it would be without censoring
    full = censored(event, np.ones(4000))
    truth = np.tile(np.exp(-times), (4000, 1))
    uncensored = brier_scores(full, truth, full, times).mean()
    assert brier_scores(y, truth, y, times).mean() == pytest.approx(uncensored, abs=0.01)


def test_a_learning_sample_without_time_has_no_score():
    y = censored([0, 0], [1, 0])
    found = scored([computed("integrated-brier")], [Output(y, {CURVES: np.ones((2, 100))}, 0, y)])
    assert found.undefined["integrated-brier"] == (
        "integrated-brier needs a training set with times beyond 0"
    )
