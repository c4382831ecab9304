"""flip: against an enumeration of all flips; the set that holds the best."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from layouts_made import made, noise
from scipy import stats

import podium
from podium.core.inference.bricks import flips
from podium.core.inference.bricks.contrasts import all_pairs
from podium.core.inference.bricks.flips import Flipped
from podium.errors import InferenceError


def hall(d):
    n, m = len(d), d.mean()
    s = np.sqrt(max((d * d).mean() - m * m, 1e-10 * (d * d).mean()))
    g = ((d - m) ** 3).mean() / s**3
    t = m * np.sqrt(n - 1) / s
    return t + g * (t**2 / 3 + 1 / 6) / np.sqrt(n) + g**2 * t**3 / (27 * n)


def enumerated(values):
    """Step-down and single-step p-values by loops over all 2^J flips; p is the larger of both."""
    pairs = all_pairs(values.shape[1])
    own = [values[:, i] - values[:, j] for i, j in pairs]
    observed = np.abs([hall(d) for d in own])
    order = np.argsort(observed)
    found = []
    for centred in (True, False):
        d = [x - x.mean() if centred else x for x in own]
        flips = [np.array((1.0, *rest)) for rest in product((1.0, -1.0), repeat=len(values) - 1)]
        drawn = np.abs([[hall(s * x) for x in d] for s in flips])
        extra = 1 if centred else 0  # the flips of the scores hold the observed ones
        total = len(flips) + extra
        single = [(extra + (drawn.max(axis=1) >= z - 1e-9).sum()) / total for z in observed]
        stepped = np.empty(len(pairs))
        largest = 0.0
        for place in order[::-1]:
            among = [p for p in order if observed[p] <= observed[place]]
            hits = (drawn[:, among].max(axis=1) >= observed[place] - 1e-9).sum()
            largest = stepped[place] = max(largest, (extra + hits) / total)
        found.append((np.array(single), stepped))
    return np.maximum(found[0][0], found[1][0]), np.maximum(found[0][1], found[1][1])


@pytest.mark.parametrize("seed", range(3))
def test_p_values_are_those_of_all_flips(seed):
    rng = np.random.default_rng(seed)
    values = rng.gamma(1.0, 1.0, (8, 3)) * [1, 2, 3] + rng.normal(size=(8, 1)) + [0, 0, 2]
    test = Flipped(values, all_pairs(3), 999, 0, 0, 0.05)
    assert test.whole
    single, stepped = enumerated(values)
    np.testing.assert_allclose(test.jointly("single-step"), single)
    np.testing.assert_allclose(test.jointly("step-down"), stepped)
    low, high = test.limits(0.05, True)
    assert (((low > 0) | (high < 0)) == (single <= 0.05)).all()


@pytest.mark.parametrize("wins", [3, 4, 5])
def test_wins_among_ties_are_judged_as_by_the_sign_test(wins):
    d = np.zeros((10, 2))
    d[:wins, 0] = 1.0
    assert Flipped(d, [(0, 1)], 9999, 0, 0, 0.05).jointly("step-down")[0] == 2.0 ** (1 - wins)


def test_flip_needs_thirty_blocks_and_has_adjustments_of_its_own():
    with pytest.raises(InferenceError, match="needs at least 30 rows; there are 29: use hull"):
        podium.compare(made(noise(29, 3)), "flip")
    layout = made(noise(30, 3) + np.array([0, 0.5, 1]))
    c = podium.compare(layout, "flip")
    single = podium.compare(layout, "flip", adjust="single-step")
    assert (c.table["p_adjusted"] <= single.table["p_adjusted"]).all()
    assert (c.table["p"] <= c.table["p_adjusted"]).all()
    assert c.overall.p == single.table["p_adjusted"].min()
    assert c.extras.companion.procedure == "ranks"
    for alternative, turn in (("greater", 1), ("less", -1)):
        one = podium.compare(layout, "flip", alternative=alternative).table
        assert ((one["p"] < 0.5) == (turn * one["estimate"] > 0)).all()
    with pytest.raises(InferenceError, match="draws flips of its own"):
        podium.compare(layout, "flip", null="asymptotic")
    with pytest.raises(InferenceError, match="takes no relevance"):
        podium.compare(layout, "flip", relevance=0.1)


@pytest.mark.parametrize("name", ["flip", "permutation-max", "friedman"])
def test_shuffled_rows_move_no_p_value(name):
    rng = np.random.default_rng(0)
    rows = [(f"d{j}", a, 0.8 + 0.02 * i + 0.1 * rng.random()) for j in range(30)
            for i, a in enumerate("cab")]  # fmt: skip
    table = pd.DataFrame(rows, columns=["dataset", "algorithm", "accuracy"])
    shuffled = table.sample(frac=1, random_state=3)
    null = "permutation:999"
    found = [podium.compare(podium.read(t), name, null=null).table for t in (table, shuffled)]
    of = [{frozenset((r.first, r.second)): (r.p, r.p_adjusted) for r in t.itertuples()}
          for t in found]  # fmt: skip
    assert of[0].keys() == of[1].keys()
    for pair, p in of[0].items():
        assert p == pytest.approx(of[1][pair], abs=1e-12)


def test_few_common_blocks_are_not_compared():
    values = noise(40, 3)
    values[5:, 0] = np.nan
    c = podium.compare(made(values, block="simulation"), "flip")
    assert c.table["p"].isna().tolist() == [True, True, False]


@pytest.mark.parametrize(("level", "limit"), [(0.05, 95), (0.5, 50), (0.011, 99), (1e-9, 99)])
def test_a_limit_is_surpassed_with_the_chance_of_its_level(level, limit):
    """Of 99 drawn and one's own every place is as likely: 5 of 100 are beyond the 95th drawn."""
    assert flips._upper(np.arange(1.0, 100.0), level) == limit


@pytest.mark.parametrize("blocks", [5, 12, 60])
def test_statistics_of_unlike_numbers_of_blocks_meet_on_the_normal_scale(blocks):
    """Wallace's z has nearly the tail that t has; and back again, exactly."""
    h, n = np.array([-2.5, 0.3, 1.0, 2.2, 4.0]), np.full(5, blocks)
    z = flips.comparable(h, n)
    np.testing.assert_allclose(stats.norm.sf(z), stats.t.sf(h, blocks - 1), rtol=0.04)
    back = [flips.compared_with(one, np.array([blocks]))[0] for one in z]
    np.testing.assert_allclose(back, np.abs(h))
