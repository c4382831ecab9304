"""Rules of factors, decisions and fronts hold their level; a wrong rule is found out."""

from __future__ import annotations

import numpy as np
import pytest

import podium
from podium.asking.fronts.dominance import front_of
from podium.core.inference.comparing.compare import compare
from podium.core.inference.procedures.procedure import Options
from podium.core.questions.targets import ITEM, TEST_SET
from podium_lab import predictions
from podium_lab.calibration import rules
from podium_lab.predictions import heavy_of_five


@pytest.mark.parametrize("design", ["2x2x2", "4x3x2", "2^(4-1)", "ablation of 4"])
def test_effects_that_are_none_are_found_in_at_most_5_per_cent(design: str) -> None:
    """1000 studies: a standard error of 0.7 per cent."""
    for errors in rules.ERRORS.values():
        rng = np.random.default_rng(1)
        assert rules.false_effects(design, errors, 10, 1000, rng).mean() < 0.07


def test_one_variance_for_all_contrasts_errs_where_effects_differ_between_blocks() -> None:
    rng = np.random.default_rng(1)
    claims = rules.false_effects_of_one_variance("2x2x2", rules._normal, 10, 1000, rng)
    assert claims.mean() > 0.15


@pytest.mark.long
def test_from_20_blocks_on_the_joint_distribution_holds_its_level() -> None:
    rng = np.random.default_rng(2)
    assert rules.false_effects("2x2x2", rules.ERRORS["near 1"], 20, 120, rng).mean() < 0.12


def test_what_is_counted_is_what_is_said() -> None:
    """The p-values of the laboratory are those of the verbs, without the words around them."""
    rng = np.random.default_rng(3)
    for shift in (0.0, 0.9):  # a front of all, and one that a dominates
        values = [rng.exponential(1.0, (30, 4)) + np.array([shift, 0, 0, 0]) for _ in range(2)]
        layouts = {m: rules._scored(v, m) for m, v in zip("qr", values, strict=True)}
        assert (
            rules.loses(values)
            == (len(front_of(layouts, alpha=0.05, gaps=None, margins={}).dominated) > 0)
            == (shift > 0)
        )
    layout = rules._layout(rules._paired(rng, 60, 0.02), "accuracy", ITEM, TEST_SET)
    options = Options(pairs=(("new", "old"),), alternative="greater", relevance=-0.1)
    assert rules._p_of(layout, options)[0] == compare(layout, options).table["p"].iloc[0]
    scores = heavy_of_five(rng, 200)
    told = podium.compare(podium.read(scores, measure="auc")).table["p_adjusted"]
    assert predictions._p(predictions._layout("auc", scores)) == pytest.approx(told, abs=1e-9)


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
