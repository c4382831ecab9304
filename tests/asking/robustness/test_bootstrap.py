"""stability: the whole pipeline in resamples, against the plain loop and full enumeration."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from blocks_made import made, noise
from scipy import stats

from podium import compare, stability
from podium import decide as decide_comparisons
from podium.asking.robustness.bootstrap import decided, draws, units
from podium.core.orders import distance
from podium.core.verdicts.verbs import Options, pinned
from podium.core.words.saying import say
from podium.errors import InferenceError, PodiumError


def codes(found) -> set[str]:
    return {note.code for note in found.notes}


def orders_of(layout, rows, procedure, **options):
    """The orders of blocks taken by their numbers, by compare and decide alone."""
    parts = [replace(layout, values=layout.values[list(row)]) for row in rows]
    return [decide_comparisons(compare(part, procedure, **options)) for part in parts]


def test_frequencies_are_those_of_the_plain_loop_with_the_same_draws():
    layout = made(noise(15, 4))
    found = stability(layout, "wilcoxon", orders=50, seed=3, alpha=0.2)
    rows = [np.repeat(np.arange(15), times) for times in next(draws(15, 50, 3))]
    plain = orders_of(layout, rows, "wilcoxon", null="asymptotic", alpha=0.2)
    observed = decide_comparisons(compare(layout, "wilcoxon", alpha=0.2))
    assert found.order == observed
    assert found.frequency == np.mean([order == observed for order in plain])
    assert found.distance == pytest.approx(np.mean([distance(observed, order) for order in plain]))
    before = [order.better[0, 3] for order in plain]
    after = [order.better[3, 0] for order in plain]
    row = found.pairs.query("first == 'a' and second == 'd'").iloc[0]
    assert (row["before"], row["after"]) == (np.mean(before), np.mean(after))
    assert row["alike"] == pytest.approx(1 - row["before"] - row["after"])
    shares = {order: plain.count(order) / 50 for order in plain}
    assert dict(zip(found.decided, found.orders["frequency"], strict=True)) == shares
    assert found.orders["frequency"].is_monotonic_decreasing
    assert 1 < len(shares) < 50
    sizes = [distance(observed, order) for order in found.decided]
    assert found.orders["distance"].tolist() == sizes


def test_decided_orders_come_near_the_enumeration_of_all_samples_of_three_blocks():
    layout = made([[0.0, 1.0, 1.2], [0.5, 1.4, 2.1], [0.2, 0.9, 1.0]])
    rows = list(product(range(3), repeat=3))
    plain = orders_of(layout, rows, "paired-t", alpha=0.1)
    exact = np.mean([order.better[2, 0] for order in plain])
    assert 0.2 < exact < 0.8
    _, options = pinned(layout, Options("paired-t", alpha=0.1))
    times = np.array([np.bincount(row, minlength=3) for row in rows])
    drawn = units(layout, options.procedure)
    assert decided(drawn, options, times, 27).better[:, 2, 0].mean() == exact
    many = stability(layout, "paired-t", orders=500, alpha=0.1)
    after = many.pairs.query("first == 'a' and second == 'c'")["after"].item()
    assert abs(after - exact) < 4 * (exact * (1 - exact) / 500) ** 0.5
    # the 3 of 27 samples that have one block three times have no p-value at all
    assert abs(many.pairs["unknown"].iloc[0] - 3 / 27) < 4 * (1 / 9 * 8 / 9 / 500) ** 0.5
    assert "no-variation" in codes(many)


def test_a_clear_order_is_found_in_every_resample():
    layout = made(noise(40, 3, apart=5.0), "dataset")
    found = stability(layout, orders=60)
    assert found.order.text == "c ≻ b ≻ a"
    assert (found.frequency, found.distance, found.failed) == (1.0, 0.0, 0)
    assert found.orders["order"].tolist() == ["c ≻ b ≻ a"]
    assert found.orders["unlike_observed"].tolist() == [""]
    assert found.pairs["observed"].tolist() == ["≺", "≺", "≺"]
    assert (found.pairs[["after", "same_sign"]] == 1).all(axis=None)
    assert found.ranks["best"].tolist() == [0, 0, 1]
    assert found.ranks["rank"].tolist() == [3, 2, 1]
    assert found.comparisons.procedure == "ranks"
    assert found.comparisons.judged.adjust.name == "sidak"  # as compare has it for data sets


def test_a_pair_whose_p_value_is_alpha_is_decided_in_about_half_of_the_resamples():
    d = np.random.default_rng(2).normal(size=200)
    d = (d - d.mean()) / d.std(ddof=1) + stats.t.isf(0.025, 199) / 200**0.5
    found = stability(made(np.column_stack([d, np.zeros(200)])), "paired-t", orders=400)
    assert found.comparisons.table["p"].item() == pytest.approx(0.05)
    assert found.pairs["before"].item() == pytest.approx(0.5, abs=4 * 0.5 / 400**0.5)
    assert "half of the redraws" in str(found)


def test_with_gaps_ranks_follow_the_order_of_a_model_that_allows_for_them():
    effects = np.repeat([[0.0], [5.0]], 10, axis=0)  # ten hard blocks, ten easy ones
    scores = effects + [2, 1, 0] + 0.1 * noise(20, 3, apart=0)
    scores[:10, 2] = np.nan
    found = stability(made(scores, "dataset"), orders=20)
    assert found.order.text == "a ≻ b ≻ c"
    assert np.nanmean(scores[:, 2]) > np.nanmean(scores[:, 0])
    assert found.ranks["rank"].tolist() == [1, 2, 3]
    assert (found.pairs["same_sign"] == 1).all()
    assert "adjusted-means" in codes(found)
    assert "gaps" not in codes(found)  # it would tell of other means


def test_a_seed_gives_the_same_numbers_and_another_one_others():
    layout = made(noise(12, 4))
    one, same, other = (
        stability(layout, "paired-t", orders=20, seed=seed, resamples=500) for seed in (1, 1, 2)
    )
    assert one.to_dict() == same.to_dict()
    facts = next(note for note in one.notes if note.code == "bootstrap")
    # the largest standard error of a share, that of one half
    assert facts.of_ranks == pytest.approx(np.sqrt(0.5 * 0.5 / 500))
    assert facts.of_orders == pytest.approx(np.sqrt(0.5 * 0.5 / 20))
    assert not one.ranks.equals(other.ranks)


def test_clusters_of_equal_items_are_as_their_means():
    scores = noise(9, 3)
    clusters = np.repeat(np.arange(9), 4)
    items = made(np.repeat(scores, 4, axis=0), "item", clusters=clusters)
    means = made(scores, "item")
    for name in ("paired-t", "nemenyi"):
        whole, single = (stability(x, name, orders=30) for x in (items, means))
        pd.testing.assert_frame_equal(whole.ranks, single.ranks)
        pd.testing.assert_frame_equal(whole.pairs, single.pairs)
    assert "whole clusters" in str(whole)


def test_resamples_that_lack_whole_blocks_are_counted():
    scores = noise(6, 3)
    scores[:3, 0] = np.nan  # three of six blocks are whole
    found = stability(made(scores), "paired-t", orders=400, resamples=4000)
    # Binomial(6, 1/2): at most one whole block, none
    few, none = stats.binom.cdf([1, 0], 6, 0.5)
    assert found.failed + found.decisions == 400
    assert abs(found.failed - 400 * few) < 4 * (400 * few * (1 - few)) ** 0.5
    assert found.unranked + found.resamples == 4000
    assert abs(found.unranked - 4000 * none) < 4 * (4000 * none * (1 - none)) ** 0.5
    assert {"not-computed", "unranked", "incomplete-blocks"} <= codes(found)
    assert f"{found.failed} of 400 resamples could not be decided" in str(found)
    np.testing.assert_allclose(found.places.to_numpy().sum(axis=0), 1)
    # a worst value in their place leaves no gap
    worst = stability(made(scores), "paired-t", orders=20, gaps="worst")
    assert (worst.failed, worst.unranked) == (0, 0)
    assert worst.ranks["rank"].iloc[0] == 3


def test_a_drawn_null_gives_way_to_the_asymptotic_one_and_a_note_says_so():
    layout = made(noise(10, 3), "dataset")
    found = stability(layout, "nemenyi", orders=10)
    said = next(say(note) for note in found.notes if note.code == "null")
    assert "permutation:9999 and the resamples asymptotic" in said
    exact = compare(layout, "nemenyi", null="asymptotic")
    assert ("the same order" in said) == (decide_comparisons(exact) == found.order)
    same = stability(layout, "nemenyi", orders=10, null="permutation:99", same_null=True)
    assert "null" not in codes(same)
    kept = stability(made(np.rint(noise(50, 2)) > 0, "item"), "mcnemar", orders=5)
    assert "null" not in codes(kept)
    assert str(kept.comparisons.judged.null) == "corrected"


def test_only_compared_pairs_are_told_about_and_ranks_say_when_they_are_about_something_else():
    found = stability(made(noise(12, 4)), "mixed-dunnett", control="b", orders=10)
    assert found.pairs["second"].tolist() == ["b", "b", "b"]
    assert found.ranks["algorithm"].tolist() == ["a", "b", "c", "d"]
    assert "ranks-by-mean" in codes(stability(made(noise(12, 2)), "paired-scale", orders=5))


def test_it_shows_itself_and_progress_is_told():
    layout = made(noise(20, 3), "resample", names=("<b>", "k nn", 'a "b" | $x$'))
    told: list[tuple[int, int]] = []
    found = stability(layout, orders=30, progress=lambda *at: told.append(at))
    assert told == [(i, 30) for i in range(1, 31)]
    text = repr(found)
    for piece in (
        found.order.text,
        "1000 bootstrap samples",
        "30 bootstrap samples",
        "not p-values",
        "best",
    ):
        assert piece in text
    assert "conditional on this training set" in text
    assert "<b>" not in found._repr_html_().replace("<p><b>", "")
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert plain["places"]["k nn"] == found.places.loc["k nn"].tolist()
    assert plain["orders"][0].keys() == {"order", "frequency", "distance", "unlike_observed"}
    assert plain["seed"] == 0


def test_an_order_of_many_is_not_written_out():
    names = tuple(f"m{i}" for i in range(13))
    found = stability(made(noise(20, 13), names=names), orders=2)
    assert "Stability of 13 algorithms in order: " in repr(found)
    assert found.order.text not in found.heading


@pytest.mark.parametrize(
    ("layout", "options", "message"),
    [
        (made(noise(10, 3), "fold"), {}, "folds share training rows.*repeated-cv:10x10"),
        (made(noise(10, 3), "fold"), {"force": True}, "not valid for folds"),
        (made(noise(10, 3), "resample", "population"), {}, "ask for the target 'sample'"),
        (made(noise(10, 3), "dataset", "datasets"), {}, "ask for the target 'dataset-population'"),
        (made(noise(10, 1)), {}, "needs two algorithms; there is only 'a'"),
        (made(noise(1, 3)), {}, "at least 2 rows with all scores; there is 1"),
        (made([[np.inf, 1], [1, 2]]), {}, "infinite scores"),
        (made(noise(9, 3), "item", clusters=np.zeros(9)), {}, "All items are in one cluster"),
        (made(noise(10, 3)), {"resamples": 10}, "resamples must be a whole number from 100"),
        (made(noise(10, 3)), {"orders": 2.5}, "orders must be a whole number from 1"),
        (made(noise(10, 3)), {"seed": -1}, "A seed is a whole number from 0"),
        (made(noise(10, 3)), {"alpha": 2}, "alpha must lie between 0 and 1"),
        (made(noise(10, 3)), {"procedure": "nemeny"}, "Did you mean 'nemenyi'"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(layout, options, message):
    with pytest.raises(ValueError, match=message) as raised:
        stability(layout, **{"procedure": None, **options})
    assert issubclass(raised.type, PodiumError)


def test_equal_and_constant_scores_have_the_right_answer():
    same = stability(made(np.ones((5, 3))), "paired-t", orders=10)
    assert (same.ranks["rank"] == 2).all()
    np.testing.assert_allclose(same.places, 1 / 3)
    assert (same.frequency, same.pairs["same_sign"].tolist()) == (1.0, [1, 1, 1])
    constant = stability(made(np.tile([1.0, 2.0], (5, 1))), "paired-t", orders=10)
    assert constant.pairs["unknown"].tolist() == [1]
    assert constant.ranks["best"].tolist() == [0, 1]


def test_no_resample_that_can_be_decided_is_an_error():
    layout = made(noise(3, 2))
    _, options = pinned(layout, Options("paired-t"))
    drawn = units(replace(layout, values=layout.values * [np.nan, 1]), options.procedure)
    with pytest.raises(InferenceError, match="No bootstrap sample can be judged \\(1 tried\\)"):
        decided(drawn, options, [np.array([1, 1, 1])], 1)


def test_contrasts_make_no_order():
    with pytest.raises(InferenceError, match="Contrasts make no order"):
        pinned(made(noise(10, 3)), Options(contrasts={"x": [1, 0, -1]}))
