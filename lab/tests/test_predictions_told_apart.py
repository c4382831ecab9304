"""Equal models by measures of predictions: few are told apart."""

import numpy as np
import pytest

from podium_lab.predictions import CELLS, classes, rate


@pytest.mark.parametrize(("measure", "draw", "items"), CELLS[:1] + CELLS[5:7])
def test_equal_models_are_seldom_told_apart(measure, draw, items):
    found, tables = rate(measure, draw, items, 12)
    assert found < 0.4
    assert tables > 8


def test_a_draw_is_the_same_by_its_seed():
    one, other = (classes(np.random.default_rng(1), 40) for _ in range(2))
    assert one.equals(other)
