"""Rules of factors, decisions and fronts hold their level; a wrong rule is found out."""

from __future__ import annotations

import numpy as np
import pytest

from podium_lab.calibration import rules


@pytest.mark.parametrize("design", ["2x2x2", "4x3x2", "2^(4-1)", "ablation of 4"])
def test_effects_that_are_none_are_found_in_at_most_5_per_cent(design: str) -> None:
    """1000 studies: a standard error of 0.7 per cent."""
    made = rules.designs()[design]
    for errors in rules.ERRORS.values():
        assert rules.false_effects(made, errors, 10, 1000, seed=1) < 0.07


def test_one_variance_for_all_contrasts_errs_where_effects_differ_between_blocks() -> None:
    design = rules.designs()["2x2x2"]
    assert rules.false_effects_of_one_variance(design, 10, 1000, seed=1) > 0.15


@pytest.mark.long
def test_from_20_blocks_on_the_joint_distribution_holds_its_level() -> None:
    design = rules.designs()["2x2x2"]
    assert rules.false_effects(design, rules.ERRORS["near 1"], 20, 120, seed=2) < 0.12


def test_borders_are_where_they_are_said_to_be() -> None:
    rng = np.random.default_rng(1)
    accuracy, cost = rules._lost(rng, 200_000)
    new, old = accuracy.mean(axis=0)
    assert new - old == pytest.approx(-0.1, abs=0.004)
    assert cost[:, 0].mean() < 0.4 * cost[:, 1].mean()
    _, cost = rules._longer_tail(rng, 2_000_000)
    assert cost[:, 0].mean() == pytest.approx(cost[:, 1].mean(), rel=0.05)


@pytest.mark.long
def test_a_version_at_its_border_is_shipped_now_and_then() -> None:
    rng = np.random.default_rng(2)
    shipped = [rules.ships(*rules._lost(rng, 50), 0.1) for _ in range(25)]
    assert np.mean(shipped) <= 0.24
