"""Mean ranks on an axis: dots, bars of those not told apart, and the critical difference."""

import podium
from podium.showing.screens.standings import RankAxis, not_told_apart
from podium.showing.terminal.writing import FINE


def test_ranks_bars_and_lengths_are_drawn_to_one_scale():
    axis = RankAxis(4, 31, FINE)  # ten columns to a rank
    assert axis.head() == "1         2         3         4"
    assert axis.row(2.5).index("●") == 15
    assert axis.bar(1.5, 3.0) == " " * 5 + "━" * 16
    assert axis.length(1.2) == f"├{'─' * 11}┤"
    assert axis.length(3.5) == ""  # longer than the axis
    assert RankAxis(78, 40, FINE).ticks == [1, 10, 20, 30, 40, 50, 60, 70]
    assert RankAxis(30, 40, FINE).ticks == [1, 5, 10, 15, 20, 25, 30]
    assert RankAxis(12, 40, FINE).ticks == [1, 2, 4, 6, 8, 10, 12]
    assert RankAxis(8, 40, FINE).ticks == [*range(1, 9)]


def test_groups_are_those_that_share_a_letter_and_none_where_one_has_a_gap():
    ranks = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0}
    whole = podium.order("a ≈ b ≻ c ≈ d")
    assert not_told_apart(whole, ranks) == [(1.0, 2.0), (3.0, 4.0)]
    assert not_told_apart(whole, ranks | {"b": 3.5}) == []
    assert not_told_apart(podium.order("a ≻ b ≈ c ≻ d"), ranks) == [(2.0, 3.0)]  # none of one
