"""Joint orders drawn anew, and what algorithms vary by themselves."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import podium
from podium.asking.robustness.bootstrap import draws
from podium.asking.robustness.verbs import components
from podium.core.orders import pareto
from podium.errors import InferenceError

# -- joint orders ---------------------------------------------------------------------------------


def measured(samples=30, seed=0) -> podium.Results:
    """Two measures: a is better by the first, b by the second; c is worst by both."""
    rng = np.random.default_rng(seed)
    level = {"a": (0.1, 0.30), "b": (0.2, 0.20), "c": (0.3, 0.4)}
    rows = [
        (s, name, measure, mean[i] + rng.normal(0, 0.02))
        for s in range(1, samples + 1)
        for name, mean in level.items()
        for i, measure in enumerate(("error", "brier"))
    ]
    table = pd.DataFrame(rows, columns=["sample", "algorithm", "measure", "value"])
    return podium.read(table, sampling="bootstrap")


def test_paretos_order_is_drawn_anew():
    found = podium.robustness.joint_stability(
        measured(), ["error", "brier"], joint="pareto", resamples=8
    )
    assert found.order.winners == ["a", "b"]
    assert found.winners.set_index("algorithm")["share"].to_dict() == {"a": 1, "b": 1, "c": 0}
    pairs = found.pairs.set_index(["first", "second"])
    assert pairs.loc[("a", "c"), "before"] == 1
    assert pairs.loc[("a", "b"), "alike"] == 1
    assert found.frequency == 1


def test_of_a_hierarchical_order_the_first_measure_leads():
    first = podium.robustness.joint_stability(
        measured(), ["error", "brier"], joint="hierarchical", resamples=3
    )
    other = podium.robustness.joint_stability(
        measured(), ["brier", "error"], joint="hierarchical", resamples=3
    )
    assert first.order.text == "a ≻ b ≻ c"
    assert other.order.text == "b ≻ a ≻ c"


def test_one_measure_twice_is_its_own_order():
    """One bootstrap for all measures: a joint order of the same one is its stability's."""
    results = measured(12, seed=4)
    twice = pd.concat([results.scores, results.scores.assign(measure="again")])
    alone = podium.stability(results, measure="error", resamples=100, orders=8, seed=3)
    rows = twice[twice["measure"] != "brier"][["sample", "algorithm", "measure", "value"]]
    rows = rows.assign(measure=rows["measure"].astype(str).replace("again", "loss"))
    both = podium.read(rows.drop_duplicates(["sample", "algorithm", "measure"]),
                       sampling="bootstrap", higher_is_better=False)  # fmt: skip
    joint = podium.robustness.joint_stability(
        both, ["error", "loss"], joint="consensus", resamples=8, seed=3
    )
    assert joint.order == alone.order
    assert joint.resamples == alone.decisions


def test_weights_lead_a_consensus():
    results = measured()
    ask = {"joint": "consensus", "family": "linear", "resamples": 2}
    error = podium.robustness.joint_stability(results, ["error", "brier"], weights=[3, 1], **ask)
    brier = podium.robustness.joint_stability(results, ["error", "brier"], weights=[1, 3], **ask)
    assert (error.order.text, brier.order.text) == ("a ≻ b ≻ c", "b ≻ a ≻ c")
    with pytest.raises(InferenceError, match="Weights are for a consensus"):
        podium.robustness.joint_stability(
            results, ["error", "brier"], joint="pareto", weights=[1, 2]
        )
    with pytest.raises(InferenceError, match="of several measures"):
        podium.robustness.joint_stability(results, ["error"], joint="pareto")


def test_a_joint_order_is_that_of_the_plain_loop_with_the_same_draws():
    rng = np.random.default_rng(6)
    wide = {
        measure: pd.DataFrame(rng.normal(means, 0.05, (14, 3)), columns=list("abc"))
        for measure, means in {"error": [0.3, 0.33, 0.36], "brier": [0.33, 0.3, 0.35]}.items()
    }
    long = pd.concat(
        values.assign(sample=range(1, 15)).melt("sample", var_name="algorithm").assign(measure=m)
        for m, values in wide.items()
    )
    results = podium.read(long, sampling="bootstrap")
    ask = {"joint": "pareto", "resamples": 40, "seed": 2, "procedure": "paired-t"}
    found = podium.robustness.joint_stability(results, list(wide), **ask)

    def joint(rows) -> podium.Order:
        how = {"sampling": "bootstrap"}
        drawn = {m: values.iloc[rows].to_dict("list") for m, values in wide.items()}
        read = [podium.read(values, measure=m, **how) for m, values in drawn.items()]
        return pareto(*(podium.decide(podium.compare(each, "paired-t")) for each in read))

    observed = joint(np.arange(14))
    plain = [joint(np.repeat(np.arange(14), times)) for times in next(draws(14, 40, 2))]
    shares = {name: np.mean([name in order.winners for order in plain]) for name in "abc"}
    assert found.winners.set_index("algorithm")["share"].to_dict() == pytest.approx(shares)
    assert found.winners["observed"].tolist() == [name in observed.winners for name in "abc"]
    better = np.mean([order.better for order in plain], axis=0)
    for row in found.pairs.itertuples():
        i, j = "abc".index(row.first), "abc".index(row.second)
        assert (row.before, row.after) == pytest.approx((better[i, j], better[j, i]))
        assert row.alike == pytest.approx(1 - row.before - row.after)
    assert found.frequency == pytest.approx(np.mean([order == observed for order in plain]))
    assert found.orders["frequency"].sum() == pytest.approx(1)
    assert found.orders["frequency"].is_monotonic_decreasing
    assert found.orders["order"].tolist()[0] == max(plain, key=plain.count).text
    assert len(found.orders) == len({*plain})
    assert (found.resamples, found.failed) == (40, 0)
    assert 0 < shares["b"] < 1 or 0 < shares["c"] < 1, "else shares say nothing"


# -- fits -----------------------------------------------------------------------------------------


def test_components_of_variance_are_those_of_the_model():
    rng = np.random.default_rng(1)
    values = rng.normal(0, 2, (4000, 1)) + rng.normal(0, 1, (4000, 5))
    samples, fits, _, between, within, share, left = components(values)
    assert (samples, fits) == (4000, 5)
    assert between == pytest.approx(2, rel=0.03)
    assert within == pytest.approx(1, rel=0.03)
    assert share == pytest.approx(0.2, rel=0.05)
    assert left == pytest.approx(0.2 / 4.2, rel=0.05)


def test_components_of_a_small_table_are_those_of_the_analysis_of_variance():
    """Three samples of two fits by hand: 4, 6 and 1, 3 and 8, 8."""
    values = np.array([[4.0, 6.0], [1.0, 3.0], [8.0, 8.0], [np.nan, 5.0]])
    samples, fits, mean, between, within, share, left = components(values)
    assert (samples, fits, mean) == (3, 2, 5.0)
    # mean square within (2 + 2 + 0) / 3, variance of the means 5, 2, 8 is 9
    assert within**2 == pytest.approx(4 / 3)
    assert between**2 == pytest.approx(9 - 2 / 3)
    assert share == pytest.approx((4 / 3) / (4 / 3 + 25 / 3))
    assert left == pytest.approx((2 / 3) / 9)
    none = components(np.array([[1.0, 3.0], [3.0, 1.0]]))
    assert (none[3], none[5], none[6]) == (0.0, 1.0, 1.0), "a negative variance of samples is 0"
    still = components(np.ones((3, 2)))
    assert np.isnan(still[5:]).all()
    assert np.isnan(components(np.array([[1.0, 3.0]]))[3:4]).all()
