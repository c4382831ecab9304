"""Orders from statistics of scores against their definitions."""

from __future__ import annotations

import json
from functools import partial

import numpy as np
import pytest

from podium.core.orders.decide import STATISTICS, m_worst, order_by, quantile
from podium.core.orders.relations import limits
from podium.core.words.saying import say
from podium.errors import InferenceError, UnknownName

RNG = np.random.default_rng(1)
SCORES = RNG.normal(size=(40, 5)) + np.arange(5)
NAMES = ["a", "b", "c", "d", "e"]
ordered = partial(order_by, higher_is_better=True)
by_intervals = partial(ordered, intervals=0.95)


def test_larger_is_better():
    assert ordered(SCORES, NAMES).order.text == "e ≻ d ≻ c ≻ b ≻ a"
    assert ordered(-SCORES, NAMES).order.text == "a ≻ b ≻ c ≻ d ≻ e"


@pytest.mark.parametrize(
    ("statistic", "expected"),
    [
        ("mean", SCORES.mean(axis=0)),
        ("median", np.median(SCORES, axis=0)),
        ("minimum", SCORES.min(axis=0)),
        ("maximum", SCORES.max(axis=0)),
        (m_worst(3), np.sort(SCORES, axis=0)[2]),
        ("worst:3", np.sort(SCORES, axis=0)[2]),
        ("quantile: 0.05", np.quantile(SCORES, 0.05, axis=0)),
        (lambda scores: scores.std(axis=0), SCORES.std(axis=0)),
        (quantile(0.05), np.quantile(SCORES, 0.05, axis=0)),
    ],
)
def test_values_are_the_statistic_over_blocks(statistic, expected):
    assert ordered(SCORES, NAMES, statistic).values == pytest.approx(expected)


def test_the_first_worst_is_the_minimum_and_so_is_the_lowest_quantile():
    assert ordered(SCORES, NAMES, m_worst(1)).values == ordered(SCORES, NAMES, "minimum").values
    assert ordered(SCORES, NAMES, quantile(0)).values == ordered(SCORES, NAMES, "minimum").values


@pytest.mark.parametrize("intervals", [None, 0.9])
@pytest.mark.parametrize("higher_is_better", [True, False])
@pytest.mark.parametrize(
    ("statistic", "numpy"),
    [
        ("mean", lambda s, good: s.mean(axis=0)),
        ("worst", lambda s, good: s.min(axis=0) if good else s.max(axis=0)),
        ("worst:4", lambda s, good: np.sort(s, axis=0)[3 if good else -4]),
        ("maximum", lambda s, good: s.max(axis=0)),
        ("quantile:0.95", lambda s, good: np.quantile(s, 0.95, axis=0)),
        (lambda s: np.quantile(s, 0.95, axis=0), lambda s, good: np.quantile(s, 0.95, axis=0)),
    ],
)
def test_a_statistic_is_of_scores_in_the_measures_own_sign(
    statistic, numpy, higher_is_better, intervals
):
    found = order_by(
        SCORES, NAMES, statistic, higher_is_better=higher_is_better, intervals=intervals
    )
    values = numpy(SCORES, higher_is_better)
    assert found.values == pytest.approx(values)
    better = np.greater if higher_is_better else np.less
    assert not (found.order.better & ~better(values[:, None], values)).any()
    assert found.order.better.any()
    if intervals is None:
        assert (found.order.better == better(values[:, None], values)).all()
    else:
        low, high = np.array(found.intervals).T
        assert (low <= values).all()
        assert (values <= high).all()
        before = low[:, None] > high if higher_is_better else high[:, None] < low
        assert (found.order.better == before).all()


def test_many_resamples_at_a_time_are_the_same_as_one_by_one(monkeypatch):
    options = {"higher_is_better": False, "intervals": 0.9, "seed": 4}
    at_once = order_by(SCORES, NAMES, "median", **options)
    one_by_one = order_by(SCORES, NAMES, lambda s: np.median(s, axis=0), **options)
    monkeypatch.setattr("podium.core.orders.decide.MOST_CELLS", 7 * SCORES.size)
    in_sevens = order_by(SCORES, NAMES, "median", **options)
    assert at_once.intervals == one_by_one.intervals == in_sevens.intervals


def test_intervals_must_be_further_apart_than_the_neighbourhood():
    exact = by_intervals(SCORES, NAMES)
    low, high = np.array(exact.intervals).T
    gap = low[4] - high[3]
    for epsilon, apart in ((0.99 * gap, True), (1.01 * gap, False)):
        found = by_intervals(SCORES, NAMES, epsilon=epsilon)
        assert found.order.better[4, 3] == apart


def test_an_order_by_a_statistic_prints_and_exports_its_values():
    found = order_by([[1, 2]], ["<b>", "a b"], higher_is_better=False, intervals=0.9)
    assert repr(found).splitlines()[:4] == [
        '"<b>" ≻ "a b"',
        "Values:",
        "algorithm  value  lower  upper",
        "<b>            1      1      1",
    ]
    html = "".join(found._repr_html_().split())
    assert "<td>&lt;b&gt;</td><td>1</td><td>1</td><td>1</td>" in html
    assert "<b>" not in html.removeprefix("<p><b>")
    written = json.loads(json.dumps(found.to_dict()))
    assert written["values"] == {"<b>": 1.0, "a b": 2.0}
    assert written["intervals"]["a b"] == [2.0, 2.0]
    assert written["notes"][0]["code"] == "exploratory"


def test_a_neighbourhood_that_is_not_transitive_is_told():
    found = ordered([[0.0, 0.8, 1.6]], ["a", "b", "c"], epsilon=1.0)
    assert found.order.text == "c ≈ b ≿ a"
    assert found.order.axioms["transitive"]
    assert [note.code for note in found.notes] == ["not-transitive"]
    assert say(found.notes[0]) == (
        "The ≈ of this order is not transitive: a ≈ b and b ≈ c, but not a ≈ c."
    )


def test_a_difference_of_epsilon_is_none():
    assert ordered([[1.0, 1.5]], ["a", "b"], epsilon=0.5).order.text == "b ≈ a"
    assert ordered([[1.0, 1.5]], ["a", "b"], epsilon=0.49).order.text == "b ≻ a"


def test_rounding_errors_make_no_order():
    scores = np.array([[0.1, 0.3], [0.2, 0.2], [0.3, 0.1]])
    assert scores[:, 0].sum() != scores[:, 1].sum()
    assert not ordered(scores, ["a", "b"]).order.better.any()


def test_intervals_are_marked_exploratory_and_claim_less_than_the_values():
    found = by_intervals(SCORES, NAMES)
    assert found.notes[0].code == "exploratory"
    assert not (found.order.better & ~ordered(SCORES, NAMES).order.better).any()
    assert found.order.text == "e ≻ d ≻ c ≻ b ≻ a"
    assert by_intervals(SCORES * 0.0, NAMES).order.text == "a ≈ b ≈ c ≈ d ≈ e"
    low, high = limits(["a", "b"], [1.0, 2.0], [1.0, 3.0])  # one of them a point
    assert (low.tolist(), high.tolist()) == ([1.0, 2.0], [1.0, 3.0])
    with pytest.raises(InferenceError, match="interval of 'b' needs a lower limit"):
        limits(["a", "b"], [1.0, 3.5], [1.0, 3.0])


def test_wider_intervals_tell_fewer_algorithms_apart():
    close = SCORES - 0.8 * np.arange(5)
    counts = [
        by_intervals(close, NAMES, intervals=level).order.better.sum()
        for level in (0.5, 0.9, 0.999)
    ]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[2]


def test_intervals_of_the_mean_are_near_the_normal_ones():
    scores = np.column_stack([SCORES[:, 0], SCORES[:, 0] + 5])
    gap = 2 * 1.96 * scores[:, 0].std() / np.sqrt(40)
    for shift, apart in ((0.8 * gap, False), (1.2 * gap, True)):
        pair = np.column_stack([scores[:, 0], scores[:, 0] + shift])
        assert by_intervals(pair, ["a", "b"]).order.better[1, 0] == apart


def test_the_same_seed_gives_the_same_order():
    first, second = (by_intervals(SCORES, NAMES, "median", seed=3) for _ in range(2))
    assert first.order == second.order


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ordered([[1.0]], ["a", "b"]), "rows x 2, not one of shape (1, 1)"),
        (lambda: ordered([[1.0, np.nan]], ["a", "b"]), "A score of 'b' is missing or infinite"),
        (lambda: ordered([["x", "y"]], ["a", "b"]), "Scores are numbers"),
        (lambda: ordered(np.empty((0, 2)), ["a", "b"]), "not one of shape (0, 2)"),
        (lambda: ordered([[1, 2]], ["a", "b"], epsilon=-1), "epsilon is at least 0, not -1"),
        (lambda: ordered([[1, 2]], ["a", "b"], epsilon=np.nan), "epsilon is at least 0, not nan"),
        (lambda: ordered([[1, 2]], ["a", "b"], epsilon=np.inf), "epsilon is at least 0, not inf"),
        (lambda: ordered([[1, 2]], ["a", "b"], m_worst(2)), "Of 1 scores none is number 2 from"),
        (lambda: ordered([[1, 2]], ["a", "b"], "worst:x"), "as in worst:12, not 'x'"),
        (lambda: ordered([[1, 2]], ["a", "b"], "worst:0"), "a number from 1 on, not 0"),
        (lambda: ordered([[1, 2]], ["a", "b"], "quantile"), "as in quantile:0.95, not ''"),
        (lambda: ordered([[1, 2]], ["a", "b"], "quantile:nan"), "between 0 and 1, not nan"),
        (lambda: ordered([[1, 2]], ["a", "b"], "mean:2"), "'mean' takes no number, such as ':2'"),
        (lambda: ordered([[1, 2]], ["a", "b"], np.mean), "each of the 2 algorithms; this one does"),
        (lambda: ordered([[1, 2]], ["a", "b"], lambda s: ["x", "y"]), "this one does not"),
        (lambda: ordered([[1, 2]], ["a", "b"], lambda s: s[0] * np.inf), "this one does not"),
        (lambda: by_intervals([[1, 2]], ["a", "b"], resamples=0), "from 1 on, not 0"),
        (lambda: by_intervals([[1, 2]], ["a", "b"], seed=-1), "from 0 on, not -1"),
        (lambda: m_worst(0), "a number from 1 on, not 0"),
        (lambda: quantile(1.5), "between 0 and 1, not 1.5"),
        (lambda: by_intervals([[1, 2]], ["a", "b"], intervals=1), "between 0 and 1, not 1"),
    ],
)
def test_what_makes_no_order_is_refused(call, message):
    with pytest.raises(InferenceError) as error:
        call()
    assert message in str(error.value)


def test_an_unknown_statistic_is_refused():
    assert list(STATISTICS) == ["mean", "median", "minimum", "maximum", "worst", "quantile"]
    with pytest.raises(UnknownName, match="Did you mean 'median'"):
        ordered(SCORES, NAMES, "medain")
    with pytest.raises(UnknownName, match="'3' is not a statistic of scores"):
        ordered(SCORES, NAMES, 3)
