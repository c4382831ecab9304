"""The measured readings: the page holds what the methods promise, and the script still measures."""

from __future__ import annotations

import re
from itertools import islice

import make_readings
import numpy as np
import pytest

PAGE = make_readings.PAGE.read_text(encoding="utf-8")
ROW = re.compile(r"\| (.+?) \| (.+?) \| (.+?) \| ([\d.]+) % ± ([\d.]+) \| (\d+) \|")


def rates(counted: str, what: str = "") -> list[float]:
    return [float(row[3]) for row in ROW.findall(PAGE) if row[1] == counted and what in row[0]]


def test_what_is_recommended_holds_its_level():
    assert max(rates("two-phase")) <= 7
    assert min(rates("two-phase")) >= 3
    assert all(7 <= rate <= 12 for rate in rates("a pair at 10 %, errors by blocks"))
    assert min(rates("the interval covers")) >= 92
    assert max(rates("`conditions-t`", "10 prompts")) <= 7
    assert max(rates("`conditions-t`", "judges")) <= 7
    assert max(rates("a pair with the first, position in the model")) <= 7
    assert max(rates("position matters") + rates("length matters")) <= 8
    assert all(max(rates(f"3 judges differ in {what}")) <= 8 for what in ("position", "ties"))
    assert max(rates("3 judges differ in strengths")) <= 8
    assert max(rates("a pair, for new questions and new judges")) <= 7
    assert max(rates("differences depend on the topic")) <= 7
    assert all(8 <= rate <= 13 for rate in rates("P > 0.95 for either", "right"))


def test_what_is_warned_of_does_not():
    assert max(rates("P > 0.95 for either", "truly 0.3")) > 35
    assert min(rates("judge alone")) > 90
    assert min(rates("some pair P > 0.95")) > 40
    assert max(rates("a pair at 10 %, errors of single wins")) > 35
    assert min(rates("a pair, by question")) > 10
    assert min(rates("every prompt with its judge a condition")) > 10
    assert max(rates("a pair with the first, position left out")) > 20


def test_the_script_measures_what_the_page_says():
    rng = np.random.default_rng(5)
    for true, low, high in ((0.1, 0.07, 0.13), (0.3, 0.33, 0.43)):
        drawn = make_readings.correlated(rng, 2000, 100, true)
        assert low < make_readings.sure_by_t(drawn, 0.1) < high
    first = islice(make_readings.of_items(200), 2)
    found = {row.counted: row.rate for row in first if "pass@5" in row.what}
    unbiased, plug_in = found.values()
    assert unbiased == pytest.approx(0.95, abs=0.05)
    assert plug_in < unbiased
