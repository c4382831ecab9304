"""Strengths and crossed means against R 4.2.2: glm (Davidson's ties as log-linear) and lme4."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import podium
from podium import layout
from podium.core.inference.numbers.preferences import strengths
from podium.core.inference.procedures.conditions import crossing

# first, second, wins of the first, of the second, ties
MET = ((0, 1, 7, 4, 3), (0, 2, 9, 2, 1), (0, 3, 8, 3, 0), (1, 2, 6, 5, 4), (1, 3, 9, 4, 2),
       (2, 3, 5, 6, 2))  # fmt: skip


def choices(ties: bool):
    for i, j, won, lost, tied in MET:
        yield from [((i, j), (i,))] * won + [((i, j), (j,))] * lost
        yield from [((i, j), (i, j))] * (tied if ties else 0)


def test_bradley_terry_is_the_logistic_regression():
    found = strengths(list(choices(ties=False)), "abcd").values
    expected = [-0.632350126643, -1.189929828619, -1.164048184520]
    assert found[1:] - found[0] == pytest.approx(expected, abs=1e-8)


def test_davidson_is_the_log_linear_model():
    found = strengths(list(choices(ties=True)), "abcd")
    expected = [-0.692622052370, -1.243793864769, -1.267239565815]
    assert found.values[1:] - found.values[0] == pytest.approx(expected, abs=1e-8)
    assert found.effects["tie of 2"][0] == pytest.approx(-0.964958624357, abs=1e-8)


def test_items_and_conditions_are_the_mixed_model_where_both_matter():
    i, p = np.indices((8, 3)).reshape(2, -1)
    y = i * i * (7 % 11) / 10 + ((i * 5 + 3) % 7) / 5 + np.array([0.4, -0.7, 0.9])[p]
    y = y + ((i * 3 + p * 5 + i * p) % 5) / 8
    frame = pd.concat([
        pd.DataFrame({"item": i, "prompt": p, "model": "a", "score": y}),
        pd.DataFrame({"item": i, "prompt": p, "model": "b", "score": 0.0}),
    ])  # fmt: skip
    found = crossing(layout(podium.read(frame, higher_is_better=True)))
    c = np.array([1.0, -1.0])
    # lmer(y ~ 1 + (1 | i) + (1 | p)), REML
    assert float(c @ found.means) == pytest.approx(13.21145833, rel=1e-8)
    assert float(np.sqrt(c @ found.covariance @ c)) == pytest.approx(4.438424508, rel=1e-5)
