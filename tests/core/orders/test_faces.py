"""Orders as users meet them: made in six ways, shown in four notations, told on the docs' page."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from podium import Order
from podium import order as parse_order
from podium.core.orders.decide import order_by, ordered_by_directions
from podium.errors import InferenceError

ODD = ["<script>", 'say "hi"', "random forest", "a < b", "x ≈ y", "50%_{C}", "模型"]


def by_comparisons(names):
    rows = [
        (names[i], names[j], 1 if levels(names)[i] < levels(names)[j] else 0)
        for i, j in combinations(range(len(names)), 2)
    ]
    return ordered_by_directions(
        pd.DataFrame(rows, columns=["first", "second", "direction"]), names
    )


WAYS = {
    "comparisons": by_comparisons,
    "statistic": lambda names: (
        order_by([levels(names)], names, "worst", higher_is_better=False).order
    ),
    "bootstrap intervals": lambda names: (
        order_by([levels(names)], names, higher_is_better=False, intervals=0.95).order
    ),
    "ranks": lambda names: Order.from_ranks(names, levels(names)),
    "matrix": lambda names: Order.from_matrix(names, levels(names)[:, None] < levels(names)),
    "intervals": lambda names: Order.from_intervals(names, levels(names), levels(names) + 0.5),
}


def levels(names):
    return np.array([1.0, 2.0, 2.0] + [3.0] * (len(names) - 3))


@pytest.mark.parametrize("way", WAYS)
def test_an_order_is_the_same_however_it_is_made_and_written(way):
    order = WAYS[way](ODD)
    assert order == Order.from_ranks(ODD, levels(ODD))
    assert parse_order(order.text) == parse_order(order.ascii) == order
    assert order.ascii.isascii()
    assert order.winners == ["<script>"]
    assert order.levels() == dict(zip(ODD, levels(ODD).astype(int).tolist(), strict=True))
    assert order.closure() == order
    assert len(order.hasse()) == 2 + 2 * 4
    assert "<script>" not in order._repr_html_()
    assert "&lt;script&gt;" in order._repr_html_()
    assert order.to_latex().count(r"\succ") == 2
    assert r"\text{50\%\_\{C\}}" in order.to_latex()


def test_intervals_that_touch_overlap_and_make_an_interval_order():
    order = Order.from_intervals("abc", [0, 1, 2], [1, 2, 3])
    assert order.text == "a ≈ b ≿ c"
    assert order.axioms["strict partial order"]
    assert order.violations("indifference transitive") == [("a", "b", "c")]


@pytest.mark.parametrize("upper", [[1, 0], [1, np.nan]])
def test_intervals_that_are_none_are_refused(upper):
    with pytest.raises(InferenceError, match="The interval of 'b' needs a lower limit"):
        Order.from_intervals("ab", [0, 1], upper)
