"""Measures that are no mean over items: influence values, their variances and df."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import podium
from podium.core.inference.bricks.linearised import (
    _are_differences,
    _sums,
    _sums_of_pairs,
    influence_means,
)

RNG = np.random.default_rng(8)
N = 240
Y = (RNG.random(N) < 0.3).astype(int)
P = {m: 1 / (1 + np.exp(-(g * Y + RNG.normal(size=N)))) for m, g in (("a", 2.0), ("b", 1.2))}
WIDE = pd.DataFrame({"id": range(N), "y_true": Y, **P})
AB = np.array([[1.0, -1.0]])


def layout(frame, measure):
    return podium.layout(podium.read(frame, measure=measure))


def test_df_are_satterthwaites_and_at_most_those_of_the_rarest_class():
    made = layout(WIDE, "auc")
    d = made.values[:, 0] - made.values[:, 1]
    d = d - d.mean()
    kurtosis = (d**4).mean() / (d**2).mean() ** 2
    told = min(2 * N / (kurtosis - 1), Y.sum() - 1, N - 1)
    assert influence_means(made).df_of(AB)[0] == pytest.approx(told)


def test_clusters_count_by_cr2_and_by_those_that_hold_the_rarest_class():
    place = np.arange(N) // 10
    made = layout(WIDE.assign(patient=[f"p{c}" for c in place]), "auc")
    plain = layout(WIDE, "auc")
    psi = (plain.values - plain.values.mean(axis=0)) @ AB[0]
    totals = np.bincount(place, psi) / np.sqrt(1 - 10 / N)
    e = influence_means(made)
    assert e.variances(AB)[0] == pytest.approx((totals**2).sum() / N**2, rel=1e-9)
    assert e.df_of(AB)[0] <= len(np.unique(place[Y == 1])) - 1
    assert podium.compare(made).table["p"].notna().all()


def test_fourth_powers_of_all_pairs_come_from_products_of_columns():
    rng = np.random.default_rng(3)
    units = rng.standard_t(5, (7000, 5)) * 1e-4
    units[:, 4] = units[:, 3] + 1e-8 * rng.normal(size=7000)  # nearly one model
    pairs = list(combinations(range(5), 2))
    contrasts = np.array([np.eye(5)[i] - np.eye(5)[j] for i, j in pairs])
    told, found = _sums(units, contrasts), _sums_of_pairs(units, contrasts)
    assert np.flatnonzero(np.isnan(found[1])).tolist() == [pairs.index((3, 4))]
    assert found[1][:-1] == pytest.approx(told[1][:-1], rel=1e-9)
    assert found[0][:-1] == pytest.approx(told[0][:-1], rel=1e-9)
    assert _are_differences(contrasts)
    for other in (2 * contrasts, np.abs(contrasts), -np.eye(5), contrasts @ contrasts.T):
        assert not _are_differences(other)
