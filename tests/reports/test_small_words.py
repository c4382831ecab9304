"""Sentences and figures of the page where there is little to say."""

import pandas as pd
import pytest

import podium
from podium.orders.order import Order
from podium.reports.document import Figure
from podium.reports.exploration import exploration
from podium.reports.ordering import _axioms


@pytest.mark.parametrize(("ends", "said"), [
    ([0, 0.6, 1.2], "yet a and c differ."),
    ([0, 0.6, 1.2, 1.3], "differ (and so 1 more time)."),
])  # fmt: skip
def test_an_example_that_stands_alone_is_not_counted(ends, said):
    order = Order.from_intervals(list("abcd")[: len(ends)], ends, [end + 1 for end in ends])
    assert list(_axioms(order))[-1].endswith(said)


def test_one_algorithm_has_no_figures_of_ranks_and_profiles():
    table = pd.DataFrame({"dataset": list("xyz"), "solo": [0.1, 0.3, 0.2]})
    found = exploration(podium.read(table, measure="error"))
    assert [i for p in found.parts for i in p.items if isinstance(i, Figure)] == []
