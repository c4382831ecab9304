"""Orders from statistics of scores against eugster2008 and their definitions."""

from __future__ import annotations

import numpy as np
import pytest

from podium.errors import InferenceError, UnknownName
from podium.orders.statistics import STATISTICS, m_worst, ordered, ordered_by_intervals, quantile

RNG = np.random.default_rng(1)
SCORES = RNG.normal(size=(40, 5)) + np.arange(5)
NAMES = ["a", "b", "c", "d", "e"]


def test_larger_is_better():
    assert ordered(SCORES, NAMES).order.text == "e < d < c < b < a"
    assert ordered(-SCORES, NAMES).order.text == "a < b < c < d < e"


@pytest.mark.parametrize(
    ("statistic", "expected"),
    [
        ("mean", SCORES.mean(axis=0)),
        ("median", np.median(SCORES, axis=0)),
        ("minimum", SCORES.min(axis=0)),
        (m_worst(3), np.sort(SCORES, axis=0)[2]),
        (quantile(0.05), np.quantile(SCORES, 0.05, axis=0)),
    ],
)
def test_values_are_the_statistic_over_blocks(statistic, expected):
    assert ordered(SCORES, NAMES, statistic).values == pytest.approx(expected)


def test_the_first_worst_is_the_minimum_and_so_is_the_lowest_quantile():
    assert ordered(SCORES, NAMES, m_worst(1)).values == ordered(SCORES, NAMES, "minimum").values
    assert ordered(SCORES, NAMES, quantile(0)).values == ordered(SCORES, NAMES, "minimum").values


# eugster2008, section 3.1: 95 % quantiles of the misclassification ("m-worst values for m = 12")
COLOURS = ["blue", "red", "green", "yellow", "purple", "orange"]
QUANTILES = [[-0.0200, -0.0202, -0.0510, -0.0545, -0.0495, -0.0495]]


def test_the_minimax_orders_of_eugster2008():
    exact = ordered(QUANTILES, COLOURS, "minimum")
    assert exact.order.text == "blue < red < orange ≈ purple < green < yellow"
    near = ordered(QUANTILES, COLOURS, "minimum", epsilon=0.001)
    assert near.order.text == "blue ≈ red < orange ≈ purple < green < yellow"
    assert near.notes == ()


def test_a_neighbourhood_that_is_not_transitive_is_told():
    found = ordered([[0.0, 0.8, 1.6]], ["a", "b", "c"], epsilon=1.0)
    assert found.order.text == "c ≈ b ≲ a"
    assert found.order.axioms["transitive"]
    assert [note.code for note in found.notes] == ["not-transitive"]
    assert found.notes[0].text == (
        "The ≈ of this order is not transitive: a ≈ b and b ≈ c, but not a ≈ c."
    )


def test_a_difference_of_epsilon_is_none():
    assert ordered([[1.0, 1.5]], ["a", "b"], epsilon=0.5).order.text == "b ≈ a"
    assert ordered([[1.0, 1.5]], ["a", "b"], epsilon=0.49).order.text == "b < a"


def test_rounding_errors_make_no_order():
    scores = np.array([[0.1, 0.3], [0.2, 0.2], [0.3, 0.1]])
    assert scores[:, 0].sum() != scores[:, 1].sum()
    assert not ordered(scores, ["a", "b"]).order.better.any()


def test_intervals_are_marked_exploratory_and_claim_less_than_the_values():
    found = ordered_by_intervals(SCORES, NAMES)
    assert found.notes[0].code == "exploratory"
    assert not (found.order.better & ~ordered(SCORES, NAMES).order.better).any()
    assert found.order.text == "e < d < c < b < a"
    assert ordered_by_intervals(SCORES * 0.0, NAMES).order.text == "a ≈ b ≈ c ≈ d ≈ e"


def test_wider_intervals_tell_fewer_algorithms_apart():
    close = SCORES - 0.8 * np.arange(5)
    counts = [
        ordered_by_intervals(close, NAMES, level=level).order.better.sum()
        for level in (0.5, 0.9, 0.999)
    ]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[2]


def test_intervals_of_the_mean_are_near_the_normal_ones():
    scores = np.column_stack([SCORES[:, 0], SCORES[:, 0] + 5])
    gap = 2 * 1.96 * scores[:, 0].std() / np.sqrt(40)
    for shift, apart in ((0.8 * gap, False), (1.2 * gap, True)):
        pair = np.column_stack([scores[:, 0], scores[:, 0] + shift])
        assert ordered_by_intervals(pair, ["a", "b"]).order.better[1, 0] == apart


def test_the_same_seed_gives_the_same_order():
    first, second = (ordered_by_intervals(SCORES, NAMES, "median", seed=3) for _ in range(2))
    assert first.order == second.order


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ordered([[1.0]], ["a", "b"]), "blocks x 2, not one of shape (1, 1)"),
        (lambda: ordered([[1.0, np.nan]], ["a", "b"]), "A score of 'b' is missing or infinite"),
        (lambda: ordered([["x", "y"]], ["a", "b"]), "Scores are numbers"),
        (lambda: ordered(np.empty((0, 2)), ["a", "b"]), "not one of shape (0, 2)"),
        (lambda: ordered([[1, 2]], ["a", "b"], epsilon=-1), "epsilon is at least 0, not -1"),
        (lambda: ordered([[1, 2]], ["a", "b"], epsilon=np.nan), "epsilon is at least 0, not nan"),
        (lambda: ordered([[1, 2]], ["a", "b"], m_worst(2)), "no 2th worst of 1 scores"),
        (lambda: m_worst(0), "a number from 1 on, not 0"),
        (lambda: quantile(1.5), "between 0 and 1, not 1.5"),
        (lambda: ordered_by_intervals([[1, 2]], ["a", "b"], level=1), "between 0 and 1, not 1"),
    ],
)
def test_what_makes_no_order_is_refused(call, message):
    with pytest.raises(InferenceError) as error:
        call()
    assert message in str(error.value)


def test_an_unknown_statistic_is_refused():
    assert list(STATISTICS) == ["mean", "median", "minimum"]
    with pytest.raises(UnknownName, match="Did you mean 'median'"):
        ordered(SCORES, NAMES, "medain")
