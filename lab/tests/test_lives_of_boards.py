"""Lives of boards: an attack takes in a plain board, and not a sealed one."""

from __future__ import annotations

import pytest
from scipy.stats import binom

from podium.asking.boards.questions import level_of
from podium_lab.boards import attack, honest, power


def test_votes_of_guesses_take_in_a_plain_board_and_not_a_sealed_one() -> None:
    made = attack(150, 300, 500)
    assert made.public > 0.65
    assert made.true == pytest.approx(0.5, abs=0.01)
    assert made.plain == 1.0
    for rate in (made.sealed, made.rushed):
        assert rate <= binom.isf(1e-4, 150, 0.05) / 150


def test_honest_submitters_find_gains_without_false_ones() -> None:
    made = honest(2000, 10, 2000)
    assert made.sealed <= binom.isf(1e-4, 2000, 0.05) / 2000
    assert made.plain > 0.25
    assert made.found_sealed > 0.6


def test_the_power_is_that_of_the_exact_test() -> None:
    """By full enumeration over wins and losses of 60 items."""
    n, up, down, level = 60, 0.25, 0.05, level_of(2, 0.05)
    total = 0.0
    for wins in range(n + 1):
        for losses in range(n + 1 - wins):
            if wins and binom.sf(wins - 1, wins + losses, 0.5) <= level:
                rest = binom.pmf(losses, n - wins, down / (1 - up))
                total += binom.pmf(wins, n, up) * rest
    found = power(2, n, gain=up - down, discordance=up + down)
    assert found == pytest.approx(total, abs=4 * (total * (1 - total) / 20_000) ** 0.5)
