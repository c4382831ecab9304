"""What eugster2008 prints about orders: summaries, tests, hierarchy, consensus, Table 2.

Orders of section 3.1 from the raw scores, which are not in this project, are in docs/orders.md.
"""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pandas as pd
import pytest
from ensembles_made import MEAN, TIME, WORST
from scipy import stats

from podium import Order, consensus
from podium import order as parse_order
from podium.core.orders import hierarchical
from podium.core.orders.decide import order_by, ordered_by_directions, significant
from podium.core.orders.distances import distances

SAMPLES = 250
COLOURS = ["blue", "red", "green", "yellow", "purple", "orange"]
# section 3.1, Table 1, and the 95 % quantiles that are called "m-worst values for m = 12"
MEANS = [0.0110, 0.0116, 0.0293, 0.0344, 0.0352, 0.0353]
DEVIATIONS = [0.0059, 0.0080, 0.0123, 0.0118, 0.0094, 0.0094]
MEDIANS = [0.0100, 0.0100, 0.0273, 0.0340, 0.0350, 0.0350]
LARGEST = [0.0340, 0.0561, 0.0631, 0.0707, 0.0561, 0.0561]
QUANTILES = [0.0200, 0.0202, 0.0510, 0.0545, 0.0495, 0.0495]
# section 3.2: rank sums of the Wilcoxon-Nemenyi-McDonald-Thompson test and its p-values; the
# printed ones need the correction for ties (0.9008), which the printed formula omits
RANK_SUMS = {
    "blue": 393.5,
    "green": 955.5,
    "orange": 1176.5,
    "purple": 1175.5,
    "red": 413.5,
    "yellow": 1135.5,
}
TIES = 0.9008
P_VALUES = {
    ("blue", "red"): 0.996,
    ("orange", "yellow"): 0.907,
    ("orange", "purple"): 1.0,
    ("purple", "yellow"): 0.916,
}  # all others are 0.000
DATA_SETS = "KJUONDBGFEIHLAPCQRMTS"  # the columns of Table 2, then S; row by row from the bottom
TABLE_2 = """17
20 13
11 22 9
18 3 10 19
9 8 19 20 11
7 12 15 14 13 10
21 4 9 18 3 12 16
21 12 1 10 11 18 16 8
21 4 9 18 3 12 16 0 8
20 11 4 11 10 17 15 9 3 9
10 11 12 11 14 13 15 11 11 11 14
11 6 19 22 9 2 12 10 18 10 17 13
9 16 11 10 17 14 6 20 12 20 11 17 16
12 13 10 13 16 11 7 17 9 17 8 16 13 3
13 18 7 4 15 20 16 14 8 14 11 7 20 14 17
16 19 8 5 18 19 19 15 7 15 8 8 21 15 14 5
7 12 15 12 13 12 2 16 16 16 15 13 14 8 9 14 17
17 8 7 14 5 14 12 4 8 4 11 11 14 16 17 10 15 12
16 19 8 7 16 23 17 15 9 15 12 10 23 15 18 3 6 15 11
5 12 21 16 13 4 8 16 22 16 21 13 6 14 15 16 19 8 14 19"""


# -- section 3.1: orders by a statistic -----------------------------------------------------


@pytest.mark.parametrize(
    ("values", "epsilon", "text"),
    [
        (MEANS, 0, "blue ≻ red ≻ green ≻ yellow ≻ purple ≻ orange"),
        (MEDIANS, 0, "blue ≈ red ≻ green ≻ yellow ≻ orange ≈ purple"),
        (LARGEST, 0, "blue ≻ orange ≈ purple ≈ red ≻ green ≻ yellow"),
        (QUANTILES, 0, "blue ≻ red ≻ orange ≈ purple ≻ green ≻ yellow"),
        (QUANTILES, 0.001, "blue ≈ red ≻ orange ≈ purple ≻ green ≻ yellow"),
    ],
)
def test_the_orders_by_printed_summaries(values, epsilon, text):
    found = order_by([values], COLOURS, "worst", higher_is_better=False, epsilon=epsilon)
    assert found.order == parse_order(text)
    assert found.notes == ()  # ≈ is transitive
    assert found.values == tuple(values)


def test_the_order_by_overlapping_intervals_of_means():
    half = 1.96 * np.array(DEVIATIONS) / np.sqrt(SAMPLES)
    order = Order.from_intervals(COLOURS, np.array(MEANS) - half, np.array(MEANS) + half)
    assert order == parse_order("blue ≈ red ≻ green ≻ yellow ≈ purple ≈ orange")


# -- section 3.2: pairwise tests and the topological sort -----------------------------------


def test_the_topological_sort_of_the_test_of_all_pairs():
    algorithms = len(RANK_SUMS)
    spread = np.sqrt(TIES * SAMPLES * algorithms * (algorithms + 1) / 12)  # of one rank sum
    rows = []
    for (first, a), (second, b) in combinations(RANK_SUMS.items(), 2):
        p = stats.studentized_range.sf(abs(a - b) / spread, algorithms, np.inf)
        assert p == pytest.approx(P_VALUES.get((first, second), 0.0), abs=0.0006)
        rows.append((first, second, min(p, 1.0), np.sign(b - a)))
    table = pd.DataFrame(rows, columns=["first", "second", "p_adjusted", "direction"])
    order = ordered_by_directions(significant(table), list(RANK_SUMS))
    assert order.text == MEAN
    assert list(order.levels().values()) == [1, 1, 2, 3, 3, 3]
    assert order.winners == ["blue", "red"]
    assert order.axioms["strict weak order"]
    assert len(order.hasse()) == 2 + 3


# -- section 3.3: hierarchical orders and consensus -----------------------------------------


def test_ties_of_the_mean_are_broken_by_the_worst_case_and_then_by_time():
    assert hierarchical(MEAN, WORST).text == "blue ≻ red ≻ green ≻ orange ≈ purple ≻ yellow"
    order = hierarchical(MEAN, WORST, TIME)
    assert order.text == "blue ≻ red ≻ green ≻ purple ≻ orange ≻ yellow"


def test_mean_and_worst_case_have_six_linear_orders_in_common():
    found = consensus([MEAN, WORST], family="linear")
    middle = permutations(["green", "orange", "purple"])
    assert set(found.orders) == {
        parse_order(f"blue < red < {' < '.join(names)} < yellow") for names in middle
    }
    assert found.optimal


def test_time_leaves_two_of_them_and_a_weight_one():
    first = "blue ≻ red ≻ purple ≻ orange ≻ green ≻ yellow"
    second = "red ≻ blue ≻ purple ≻ orange ≻ green ≻ yellow"
    found = consensus([MEAN, WORST, TIME], family="linear")
    assert {order.text for order in found.orders} == {first, second}
    weighted = consensus([MEAN, WORST, TIME], [1, 1.2, 1], family="linear")
    assert [order.text for order in weighted.orders] == [first]


def test_distances_between_the_three_orders():
    # by hand: blue-red, orange-yellow and purple-yellow are tied once; green against two is turned
    matrix = distances([MEAN, WORST, TIME])
    assert matrix[0, 1] == 3 + 2 * 2
    # blue is turned against all five, green against yellow; orange and purple are tied once
    assert matrix[1, 2] == 5 * 2 + 2 + 1


# -- section 4.1: Table 2 -------------------------------------------------------------------


def table_2() -> np.ndarray:
    matrix = np.zeros((21, 21))
    for row, line in enumerate(TABLE_2.splitlines(), 1):
        matrix[row, :row] = [int(number) for number in line.split()]
    return matrix + matrix.T


def even_round_every_triangle(matrix: np.ndarray) -> bool:
    around = matrix[:, :, None] + matrix[None] + matrix.T[:, None, :]
    return bool((around % 2 == 0).all())


def test_table_2_is_a_matrix_of_symmetric_differences_as_ours():
    """A turned pair adds 2 and a tie against < 1, so the way round three orders is even."""
    matrix = table_2()
    assert (matrix[:, None, :] <= matrix[:, :, None] + matrix[None]).all()
    assert even_round_every_triangle(matrix)
    assert len(np.unique(matrix[np.triu_indices(21, 1)])) == 24  # "the first 15 of 24 levels"
    assert matrix.max() <= 2 * 15
    rng = np.random.default_rng(1)
    ours = [Order.from_ranks(COLOURS, rng.integers(0, 4, 6)) for _ in range(21)]
    assert even_round_every_triangle(distances(ours))
    signs = np.array([order.better.astype(int) - order.better.T for order in ours])
    once = (signs[:, None] != signs).sum(axis=(2, 3)) / 2  # every pair that differs adds 1
    assert not even_round_every_triangle(once)


def test_data_sets_at_distance_0_in_table_2_have_the_same_distances():
    matrix = table_2()
    liver, votes = DATA_SETS.index("E"), DATA_SETS.index("G")
    assert matrix[liver, votes] == 0
    assert (matrix[liver] == matrix[votes]).all()
