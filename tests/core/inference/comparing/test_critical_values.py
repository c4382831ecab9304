"""The critical difference against a paper, a formula and the intervals; ranks without a third."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from layouts_made import made, noise
from scipy import stats

from podium import Comparisons, Layout, compare
from podium.core.inference.comparing.evidence import critical_value, demsar_value


def ranked(values: np.ndarray, **options: Any) -> Comparisons:
    return compare(made(values), "nemenyi", null="asymptotic", **options)


@pytest.mark.parametrize(("blocks", "algorithms"), [(14, 4), (30, 5)])
def test_without_ties_it_is_that_of_demsar(blocks: int, algorithms: int) -> None:
    """2.569 √(4 · 5 / (6 · 14)) = 1.25 for the 4 classifiers on 14 data sets of Demšar (2006)."""
    c = ranked(noise(blocks, algorithms))
    q = stats.studentized_range.ppf(0.95, algorithms, np.inf) / np.sqrt(2)
    value = q * np.sqrt(algorithms * (algorithms + 1) / (6 * blocks))
    assert demsar_value(c) == pytest.approx(value)
    assert critical_value(c, c.mean_ranks) == pytest.approx(value)
    if algorithms == 4:
        assert demsar_value(c) == pytest.approx(2.569 * np.sqrt(20 / 84), abs=5e-4)


def test_ties_make_it_smaller_and_it_decides_as_the_test_does() -> None:
    c = ranked(np.round(noise(16, 4) * 2 + 3 * np.arange(4)))
    value, t = critical_value(c, c.mean_ranks), c.table
    assert 0 < value < demsar_value(c)
    assert ((t["estimate"].abs() >= value) == (t["p_adjusted"] <= 0.05)).all()
    assert 0 < (t["p_adjusted"] <= 0.05).sum() < 6


@pytest.mark.parametrize("k", [2, 3])
def test_of_equally_long_intervals_it_is_half_their_length(k: int) -> None:
    values = noise(12, k)
    c = compare(made(values), "mixed-tukey")
    rest = values - values.mean(axis=1, keepdims=True)
    df = 11 * (k - 1)
    mse = ((rest - rest.mean(axis=0)) ** 2).sum() / df
    half = stats.studentized_range.ppf(0.95, k, df) * np.sqrt(mse / 12)
    assert critical_value(c, c.means) == pytest.approx(half, rel=1e-4)
    shifted = {name: mean + 0.01 * i for i, (name, mean) in enumerate(c.means.items())}
    assert np.isnan(critical_value(c, shifted)), "of positions that pairs were not compared at"


def test_there_is_none_where_pairs_share_no_one_length() -> None:
    values = noise(12, 3)
    one_sided = compare(made(values), "mixed-tukey", alternative="less")
    with_margin = compare(made(values), "mixed-tukey", relevance=0.1)
    own_lengths = compare(made(values), "paired-t")
    holm, drawn = ranked(values, adjust="holm"), compare(made(values), "nemenyi", control="a")
    for c in (one_sided, with_margin, own_lengths):
        assert np.isnan(critical_value(c, c.means))
    for c in (holm, drawn):
        assert np.isnan(critical_value(c, c.mean_ranks))


def falling(layout: Layout, **options: Any) -> list[tuple[str, str, str]]:
    """Significant pairs that the same analysis without each of the others in turn denies."""
    falls = []
    whole = compare(layout, "ranks", **options).table
    for gone, name in enumerate(layout.algorithms):
        if options.get("control") != name:
            kept = [i for i in range(len(layout.algorithms)) if i != gone]
            less = compare(replace(layout, notes=()).only(kept), "ranks", **options).table
            still = {(r.first, r.second): r.verdict for r in less.itertuples()}
            for r in whole.itertuples():
                pair = (r.first, r.second)
                if r.verdict in ("better", "worse") and still.get(pair) == "undecided":
                    falls.append((*(pair if r.verdict == "better" else pair[::-1]), name))
    return sorted(falls)


@pytest.mark.parametrize("options", [{}, {"control": "b"}, {"alternative": "less"}, {"alpha": 0.2}])
def test_a_pair_falls_where_it_is_not_significant_without_a_third(options: dict[str, Any]) -> None:
    seen = 0
    for seed in (2, 3, 7, 9):
        layout = made(noise(9, 4, seed) + 0.5 * np.arange(4), block="dataset")
        c, falls = compare(layout, "ranks", **options), falling(layout, **options)
        assert sorted(c.extras.falls) == falls
        assert ("depends-on-others" in {n.code for n in c.warnings}) == bool(falls)
        seen += len(falls)
    assert seen, "else nothing was tested"


@pytest.mark.parametrize(("rows", "seed"), [(5, 0), (6, 26)])
def test_of_three_one_may_be_left_out_from_six_data_sets_on(rows: int, seed: int) -> None:
    """Of two the sign test of six, 2 / 2^6 = 0.03, is the first that can decide."""
    values = np.round(noise(rows, 3, seed) + 0.8 * np.arange(3), 1)
    layout = made(values, block="dataset")
    assert len(falling(layout)) == 1
    assert len(compare(layout, "ranks").extras.falls) == (rows == 6)
