"""What is printed of a number does not depend on its last digits."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest

from podium.core.base.formatting import (
    aligned,
    drop_noise,
    keep_sure_digits,
    number,
    p_value,
    text_or_digits,
)
from podium.core.words.saying import write_as_csv, write_as_json

HALVES = (0.01235, 0.2345, 1.005, 12.25, 0.0005, 0.04995, 1e-7 + 5e-10, 2.5, 1234.5)


def neighbours(value: float) -> list[float]:
    """The number and those beside it, as other orders of a sum give them."""
    below, above = (np.nextafter(value, end) for end in (-np.inf, np.inf))
    return [float(each) for each in (np.nextafter(below, -np.inf), below, value, above)]


@pytest.mark.parametrize("value", [sign * each for each in HALVES for sign in (1, -1)])
def test_a_half_is_rounded_to_one_side_however_it_was_added_up(value: float) -> None:
    ways = (
        lambda v: number(v, 3),
        lambda v: number(v, 2),
        lambda v: tuple(aligned([v, 0.5], unit=0.01, digits=3)),
        lambda v: tuple(aligned([v, 0.5], unit=0.1, digits=2)),
        lambda v: text_or_digits("0.0", v, 1.0),
        lambda v: p_value(abs(v)),
        keep_sure_digits,
    )
    for way in ways:
        assert len({way(each) for each in neighbours(value)}) == 1


@pytest.mark.parametrize("value", [0.0, -0.0, 1.0, 1e-300, -3.25e200, math.inf, -math.inf])
def test_what_has_few_digits_is_left_alone(value: float) -> None:
    assert drop_noise(value) == keep_sure_digits(value) == value
    assert math.copysign(1, drop_noise(value)) == (-1 if value < 0 else 1)
    assert math.isnan(keep_sure_digits(math.nan))


def test_json_and_csv_have_nine_digits_and_nothing_else_is_changed() -> None:
    content = {"a": [1 / 3, 2, True, None, "0.1234567890123"], "b": {"c": (2e-17 / 3, 10**15 + 1)}}
    wanted = {
        "a": [0.333333333, 2, True, None, "0.1234567890123"],
        "b": {"c": [6.66666667e-18, 10**15 + 1]},
    }
    assert json.loads(write_as_json(content)) == wanted
    assert write_as_json({"é": 1}, ascii_alone=True).isascii()
    table = pd.DataFrame({"x": [1 / 3, math.nan], "n": [10**12 + 1, 2], "t": ["a", 2 / 3]})
    table.insert(1, "x", [-0.0, 1e-9 / 7], allow_duplicates=True)
    assert write_as_csv(table) == (
        "x,x,n,t\n0.333333333,0.0,1000000000001,a\n,1.42857143e-10,2,0.666666667\n"
    )
