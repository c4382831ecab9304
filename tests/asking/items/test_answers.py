"""Several answers to an item: parts of the variance, what they gain, pass@k, and plans."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import podium
from podium import PodiumError
from podium.asking.planning.words import allocated
from podium.core.results.pass_at import PassRate


def answered(n=300, k=6, seed=0, models=("a", "b"), apart=False):
    """Items with chances of their own, k answers each, and the true parts of the variance."""
    rng = np.random.default_rng(seed)
    chance = rng.random((n, len(models) if apart else 1, 1)) * np.ones((1, len(models), 1))
    right = (rng.random((n, len(models), k)) < chance).astype(int)
    item, model, answer = np.indices(right.shape).reshape(3, -1)
    return pd.DataFrame(
        {
            "item": item.astype(str),
            "model": np.array(models)[model],
            "answer": answer,
            "accuracy": right.ravel(),
        }
    )


@pytest.mark.parametrize(("every", "holds"), [(False, any), (True, all)])
def test_pass_rates_are_the_shares_of_all_choices_of_k(every, holds):
    for n, c, k in ((5, 2, 2), (6, 0, 3), (6, 5, 2), (4, 4, 4), (7, 3, 1)):
        right = [1] * c + [0] * (n - c)
        share = np.mean([holds(chosen) for chosen in combinations(right, k)])
        rate = PassRate(k, every).of(np.array([c]), np.array([n]))
        assert rate[0] == pytest.approx(share, abs=1e-12)


@pytest.mark.parametrize(
    ("k", "n", "truth", "plug_in"), [(3, 4, 0.477, 0.527), (8, 16, 0.335, 0.364)]
)
def test_pass_hat_k_is_unbiased_where_the_plug_in_is_too_large(k, n, truth, plug_in):
    # exactly, over all numbers of right answers, of chances whose mean p^k is the truth
    p = np.array([0.2, truth ** (1 / k), 0.97])
    c = np.arange(n + 1)
    law = stats.binom.pmf(c, n, p[:, None])
    rate = law @ PassRate(k, every=True).of(c, np.full(n + 1, n))
    assert rate == pytest.approx(p**k, abs=1e-12)
    assert ((law @ (c / n) ** k) > p**k + 1e-6).all()
    assert plug_in > truth


def test_pass_hat_k_is_a_measure_with_limits_and_tests():
    frame = answered(n=3000, k=10, seed=3)
    c = podium.compare(podium.read(frame), measure="pass^5")
    assert c.measure == "pass^5"
    assert c.higher_is_better
    assert c.means["a"] == pytest.approx(1 / 6, abs=0.015)  # the mean of p^5 over uniform p
    assert c.extras.scores["lower"][0] < c.means["a"] < c.extras.scores["upper"][0]
    same = podium.compare(podium.read(frame, measure="Pass ^ 5"))
    assert same.means == c.means
    assert podium.compare(podium.read(frame), measure="pass^1").means == pytest.approx(
        podium.compare(podium.read(frame), measure="pass@1").means
    )


def test_a_column_called_pass_hat_k_is_what_it_says():
    frame = pd.DataFrame({"item": [1, 2, 3] * 2, "model": ["a"] * 3 + ["b"] * 3,
                          "pass^4": [0.2, 0.5, 0.9, 0.1, 0.4, 0.3]})  # fmt: skip
    assert podium.compare(podium.read(frame, measure="pass^4")).means["a"] == pytest.approx(1.6 / 3)


def test_half_the_mean_flip_rate_is_what_the_second_answer_loses():
    frame = answered(n=50, k=5, seed=2, models=("a",))
    r = podium.items.repeats(frame, k=2)
    rates = r.rates.set_index("rate")["mean"]
    assert rates["pass@1"] - rates["pass^2"] == pytest.approx(r.flaky["flip_rate"].sum() / 50 / 2)
    assert rates["pass@2"] - rates["pass@1"] == pytest.approx(r.flaky["flip_rate"].sum() / 50 / 2)
    right = frame.groupby("item")["accuracy"].mean()
    assert {*r.flaky["item"]} == {*right[(right > 0) & (right < 1)].index}


def test_items_that_are_flaky_for_one_model_alone_come_first():
    right = {"x": ("1110", "0011"), "y": ("1111", "0111"), "z": ("0000", "1111")}
    rows = [(i, m, int(a)) for i, two in right.items() for m, each in zip("ab", two, strict=True)
            for a in each]  # fmt: skip
    r = podium.items.repeats(pd.DataFrame(rows, columns=["item", "model", "correct"]))
    assert r.k == 4
    assert r.flaky_items == ["y", "x"]
    first = r.flaky.iloc[0]
    assert (first["algorithm"], first["right"], first["answers"], first["models"]) == ("a", 4, 4, 1)
    assert r.flaky.iloc[1]["flip_rate"] == pytest.approx(0.5)


def test_the_cost_of_a_solved_task_is_a_ratio_of_means_with_limits():
    frame = answered(n=200, k=3, seed=5)
    rng = np.random.default_rng(0)
    frame["cost"] = rng.gamma(2, 0.1, len(frame))
    r = podium.items.repeats(frame)
    assert r.cost == "cost"
    of_a = frame[frame["model"] == "a"]
    row = r.costs.iloc[0]
    assert row["per_solved"] == pytest.approx(of_a["cost"].sum() / of_a["accuracy"].sum())
    by_item = of_a.groupby("item")[["cost", "accuracy"]].mean().to_numpy()
    drawn = by_item[rng.integers(0, 200, (4000, 200))].mean(axis=1)
    low, high = np.quantile(drawn[:, 0] / drawn[:, 1], [0.025, 0.975])
    assert (row["lower"], row["upper"]) == pytest.approx((low, high), rel=0.03)
    gone = (frame["model"] == "b") & (frame["item"] == frame["item"].iloc[0])
    lacking = podium.items.repeats(frame.assign(accuracy=frame["accuracy"].mask(gone)))
    assert lacking.costs["per_solved"].notna().all()
    assert podium.items.repeats(frame.assign(accuracy=0)).costs["per_solved"].isna().all()
    assert not len(podium.items.repeats(frame.drop(columns="cost")).costs)


def test_clusters_of_items_widen_what_a_solved_task_costs():
    """Items of a topic are drawn together: a bootstrap of topics has these limits."""
    frame = answered(n=240, k=2, seed=5)
    rng = np.random.default_rng(0)
    topic = frame["item"].astype(int) // 4
    frame["cost"] = rng.gamma(2, 0.1, len(frame)) + rng.gamma(1, 0.2, 60)[topic]
    alone = podium.items.repeats(frame).costs.iloc[0]
    frame["cluster"] = "t" + topic.astype(str)
    row = podium.items.repeats(frame).costs.iloc[0]
    assert row["per_solved"] == pytest.approx(alone["per_solved"])
    assert row["upper"] - row["lower"] > 1.2 * (alone["upper"] - alone["lower"])
    of_a = frame[frame["model"] == "a"]
    by_topic = of_a.groupby("cluster")[["cost", "accuracy"]].sum().to_numpy()
    drawn = by_topic[rng.integers(0, 60, (4000, 60))].sum(axis=1)
    low, high = np.quantile(drawn[:, 0] / drawn[:, 1], [0.025, 0.975])
    assert (row["lower"], row["upper"]) == pytest.approx((low, high), rel=0.05)


def test_one_answer_each_is_refused_with_the_reason():
    with pytest.raises(PodiumError, match="several answers to every item"):
        podium.items.repeats(answered(n=9, k=1))


def test_pass_at_k_of_many_answers_does_not_overflow():
    assert PassRate(1, every=False).of(np.array([1]), np.array([4000]))[0] == pytest.approx(
        1 / 4000
    )
    assert PassRate(3500, every=False).of(np.array([10]), np.array([4000]))[0] == pytest.approx(1.0)


def test_pass_at_k_is_unbiased_where_the_plug_in_is_not():
    frame = answered(n=3000, k=10, seed=3)
    found = podium.compare(podium.read(frame), measure="pass@5")
    truth = 1 - 1 / 6  # the mean of 1 - (1 - p)^5 over uniform p
    assert found.means["a"] == pytest.approx(truth, abs=0.015)
    right = frame[frame["model"] == "a"].groupby("item")["accuracy"].mean()
    assert (1 - (1 - right) ** 5).mean() < truth - 0.015
    assert found.extras.scores["lower"][0] < found.means["a"] < found.extras.scores["upper"][0]


def test_pass_at_one_is_accuracy_and_reading_by_it_is_the_same():
    frame = answered(n=40)
    by_compare = podium.compare(podium.read(frame), measure="pass@1")
    by_read = podium.compare(podium.read(frame, measure="pass@1"))
    plain = podium.compare(podium.read(frame))
    assert by_compare.means == by_read.means == pytest.approx(plain.means)
    errors = podium.read(frame.assign(error=1 - frame["accuracy"]).drop(columns="accuracy"))
    assert podium.compare(errors, measure="pass@1").means == pytest.approx(plain.means)


@pytest.mark.parametrize(
    ("frame", "measure", "sentence"),
    [
        (answered(n=9, k=3), "pass@4", "ask for pass@3, or give more answers"),
        (answered(n=9, k=3), "pass^4", "8 more items.*ask for pass\\^3, or give more answers"),
        (answered(n=9, k=3), "pass@0", "Say pass@1 or more"),
        (answered(n=9, k=3), "pass^k", "Say pass.1 or more"),
        (answered(n=9, k=3).assign(accuracy=0.3), "pass@2", "right or wrong"),
    ],
)
def test_what_pass_at_k_cannot_be_ends_in_a_sentence(frame, measure, sentence):
    with pytest.raises(PodiumError, match=sentence):
        podium.compare(podium.read(frame, measure=measure))


def test_the_parts_of_the_variance_are_those_that_made_the_answers():
    found = podium.compare(podium.read(answered(n=3000, k=4, seed=1)))
    parts = found.extras.answers
    assert parts.answers == (4, 4)
    # of a uniform chance p: var(p) = 1/12 between items, mean of p (1 - p) = 1/6 within
    assert parts.algorithms["between_sd"].to_numpy() == pytest.approx(np.sqrt(1 / 12), rel=0.03)
    assert parts.algorithms["within_sd"].to_numpy() == pytest.approx(np.sqrt(1 / 6), rel=0.03)
    assert parts.pairs["within_share"][0] > 0.95  # both models have the same chances
    assert parts.pairs["detectable"][0] == pytest.approx(
        (1.959964 + 0.841621) * np.sqrt(2 / 6 / 4 / 3000), rel=0.05
    )


def test_clusters_count_between_items_and_one_answer_has_no_parts():
    frame = answered(n=60, k=3)
    frame["topic"] = "t" + (frame["item"].astype(int) // 6).astype(str)
    found = podium.compare(podium.read(frame))
    assert found.extras.answers.items == 60
    assert podium.compare(podium.read(answered(n=30, k=1))).extras.answers is None


def test_answers_are_told_on_screen_and_in_json():
    found = podium.compare(podium.read(answered(n=80, k=5, models=("a", "b", "c"), apart=True)))
    assert any("with any number of answers" in text for text in found.told)
    facts = found.to_dict()["answers"]
    assert facts["items"] == 80
    assert {"between_sd", "within_share", "detectable", "at_best"} <= set(facts["pairs"][0])


def test_a_plan_shares_effort_between_items_and_answers():
    results = podium.read(answered(n=200, k=5, seed=2))
    free = podium.plan(pilot=results, difference=0.05)
    assert free.best["samples"] == 1  # where items cost nothing, one answer each is cheapest
    dear = podium.plan(pilot=results, difference=0.05, item_cost=50)
    assert dear.best["samples"] > 1
    # the cheapest k is about sqrt(cost s_within^2 / s_between^2)
    row = dear.pairs.iloc[0]
    ideal = np.sqrt(50) * row["resampling_sd"] / max(row["between_sd"], 1e-9)
    assert ideal / 4 < dear.best["samples"] or row["between_sd"] < 0.05
    least = podium.plan(pilot=results)
    falls = least.allocations["detectable"].to_numpy()
    assert (np.diff(falls) < 0).all()
    with pytest.raises(PodiumError, match="leave it out"):
        podium.plan(pilot=podium.read(answered(n=50, k=1)), difference=0.1, item_cost=3)


@pytest.mark.parametrize("cost", [0, 20])
def test_clusters_are_paid_for_by_their_items(cost):
    frame = answered(n=180, k=4, seed=3)
    item = frame["item"].astype(int)
    frame["topic"] = "t" + (item - item % np.where(item < 90, 3, 6)).astype(str)  # 30 of 3, 15 of 6
    found = podium.plan(pilot=podium.read(frame), difference=0.05, item_cost=cost)
    shares = found.allocations
    np.testing.assert_array_equal(shares["items"], np.ceil(shares["datasets"] * 4))
    np.testing.assert_array_equal(shares["runs"], shares["items"] * (shares["samples"] + cost))
    best = found.best
    assert allocated("cluster", best) == (
        f"Cheapest: {best['datasets']:.0f} clusters of items (about {best['items']:.0f} items) "
        f"with {best['samples']:.0f} answer{'s' if best['samples'] > 1 else ''} to each item."
    )
    alone = podium.plan(
        pilot=podium.read(frame.drop(columns="topic")), difference=0.05, item_cost=cost
    )
    # alike or not, so many items are of the same order as without clusters
    assert 0.3 < best["items"] / alone.best["datasets"] < 3
    assert "items" not in alone.allocations
