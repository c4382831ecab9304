"""Looks with error control: boundaries, e-processes, and what looks at prefixes decide."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import integrate, stats

from podium import PodiumError
from podium.core.inference.bricks.estimates import moments
from podium.core.inference.numbers import boundaries as anytime
from podium.core.inference.numbers.boundaries import (
    HULL,
    ORDER,
    RACE,
    RANKS,
    StoppingPlan,
    T,
    _stakes,
    boundaries,
    planned_looks,
    rejections,
    stopping_levels,
    usual_test,
)
from podium.core.inference.procedures.sequential import _level
from podium.core.inference.procedures.stopping import (
    Evidence,
    Prefixes,
    _up_to_now,
    prefixes_of,
    traced,
)

TWENTY = tuple(range(50, 1001, 50))


def spent(share, alpha):
    return 4 * stats.norm.sf(stats.norm.isf(alpha / 4) / np.sqrt(share))


def by_simpson(looks, budget, alpha, points=4001):
    """The same boundaries by another rule of integration, on a grid that is fixed for all looks."""
    share = np.array(looks) / budget
    target, found = np.diff(spent(share, alpha), prepend=0), []
    x = density = None
    for k, now in enumerate(share):
        sd = np.sqrt(now - (share[k - 1] if k else 0))

        def tail(b, x=x, density=density, sd=sd):
            if x is None:
                return 2 * stats.norm.sf(b / sd)
            both = stats.norm.sf((b - x) / sd) + stats.norm.sf((b + x) / sd)
            return integrate.simpson(density * both, x=x)

        low, high = 0.0, 12 * np.sqrt(now)
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if tail(middle) > target[k] else (low, middle)
        found.append(low / np.sqrt(now))
        new = np.linspace(-low, low, points)
        if x is None:
            after = stats.norm.pdf(new / sd) / sd
        else:
            kernel = stats.norm.pdf((new[:, None] - x) / sd) / sd
            after = integrate.simpson(kernel * density, x=x, axis=1)
        x, density = new, after
    return np.array(found)


def test_boundaries_agree_with_another_recursion():
    looks = (200, 400, 700, 1000)
    assert boundaries(looks, 1000) == pytest.approx(by_simpson(looks, 1000, 0.05, 801), abs=1e-6)


def test_boundaries_agree_with_ldbounds():
    """R's ldbounds 2.0.2, five looks, two-sided 0.05 (good to 1e-4 below z = 3.5)."""
    looks = tuple(range(1, 6))
    expected = [3.35694629147284, 2.680258430255, 2.28978867524403]
    assert boundaries(looks, 5)[1:4] == pytest.approx(expected, abs=1e-4)
    # the first look is exact: it is a normal quantile
    assert boundaries(looks, 5)[0] == pytest.approx(stats.norm.isf(spent(0.2, 0.05) / 2), abs=1e-9)


@pytest.mark.parametrize("spending", ["obf", "power2"])
@pytest.mark.parametrize("two_sided", [True, False])
def test_boundaries_spend_alpha(spending, two_sided):
    z = boundaries(TWENTY, 1000, 0.02, spending, two_sided)
    assert rejections(TWENTY, 1000, z, 0.0, two_sided).sum() == pytest.approx(0.02, abs=1e-10)
    assert (np.diff(z[np.isfinite(z)]) < 0).all()


def test_one_look_is_the_fixed_test():
    assert boundaries((100,), 100) == pytest.approx([stats.norm.isf(0.025)])
    assert rejections((100,), 100, boundaries((100,), 100), 0.3).sum() == pytest.approx(
        stats.norm.sf(1.959963985 - 3) + stats.norm.cdf(-1.959963985 - 3)
    )


def test_early_looks_that_spend_nothing_cannot_reject():
    z = boundaries(tuple(range(1, 41)), 40, 0.05 / 15)
    assert np.isinf(z[:3]).all()
    assert np.isfinite(z[10:]).all()


@pytest.mark.parametrize("alpha", [0.003, 0.05, 0.2])
@pytest.mark.parametrize("two_sided", [True, False])
def test_a_level_is_where_a_look_just_rejects(alpha, two_sided):
    z = boundaries(TWENTY, 1000, alpha, "obf", two_sided)
    p = stats.norm.sf(z)[:, None] * (2 if two_sided else 1)
    found = stopping_levels(p, TWENTY, 1000, "obf", two_sided)
    assert found[6:, 0] == pytest.approx(np.full(14, alpha), rel=1e-4)


def test_levels_are_monotone_and_never_below_p():
    p = np.geomspace(1e-9, 1, 200)
    found = stopping_levels(np.tile(p, (20, 1)), TWENTY, 1000)
    assert (np.diff(found, axis=1) >= -1e-12).all()
    assert (found >= p - 1e-12).all()


# -- e-processes ---------------------------------------------------------------------------------


def test_the_t_mixture_is_its_integral():
    """Of the noncentral t density over effects N(0, g), against the central one."""
    t, n, g = 2.5, 20, 0.04

    def at(effect):
        return stats.nct.pdf(t, n - 1, effect * np.sqrt(n)) * stats.norm.pdf(effect, 0, np.sqrt(g))

    expected = integrate.quad(at, -3, 3)[0] / stats.t.pdf(t, n - 1)
    assert np.exp(anytime.t_mixture(np.array(t), np.array(n), g)) == pytest.approx(
        expected, rel=1e-6
    )


def test_the_reach_is_where_the_capital_suffices():
    n = np.array([5, 50, 500])
    reach = anytime.t_mixture_reach(n, 1.0, 0.05)
    assert anytime.t_mixture(reach, n, 1.0) == pytest.approx(np.log(20) * np.ones(3))
    assert np.isinf(anytime.t_mixture_reach(np.array([2]), 0.04, 0.05)).all()


def test_e_mcnemar_is_its_sum_over_sequences():
    """A mixture of Bernoulli sequences is a probability: over all of one length it adds up to 1."""
    wins = np.arange(9)
    log_e = anytime.e_mcnemar(wins, 8 - wins)
    assert (stats.binom.pmf(wins, 8, 0.5) * np.exp(log_e)).sum() == pytest.approx(1.0)


def test_bets_agree_with_an_own_loop():
    x, mean, alpha = np.array([1.0, 0.0, np.nan, 1.0, 1.0]), 0.3, 0.05
    up = down = 0.5
    total, spread, variance = 0.5, 0.25, 0.25
    for n, value in enumerate(x[~np.isnan(x)], 1):
        bet = np.sqrt(2 * np.log(2 / alpha) / (variance * n * np.log(1 + n)))
        up *= 1 + min(bet, 0.5 / mean) * (value - mean)
        down *= 1 - min(bet, 0.5 / (1 - mean)) * (value - mean)
        total += value
        spread += (value - total / (n + 1)) ** 2
        variance = spread / (n + 1)
    found = anytime.bets(x, np.array([mean]), alpha)[-1, 0]
    assert found == pytest.approx(np.log(max(up, down)))


# -- decisions -----------------------------------------------------------------------------------


def plan(k=2, budget=200, **facts):
    names = tuple("abcdefgh"[:k])
    facts.setdefault("looks", planned_looks(budget, 20))
    return StoppingPlan(names, "score", budget, **facts)


def finished(values):
    return np.ones(values.shape, dtype=bool)


def test_prefixes_are_plain_means_and_errors():
    rng = np.random.default_rng(1)
    d = 1e6 + rng.normal(size=(80, 3))
    d[5:20, 1] = np.nan
    found = Prefixes(d, (10, 80))
    for k, n in enumerate((10, 80)):
        part = [c[~np.isnan(c)] for c in d[:n].T]
        assert found.mean[k] == pytest.approx([c.mean() for c in part])
        assert found.error[k] == pytest.approx([stats.sem(c) for c in part], rel=1e-6)
        expected = [stats.ttest_1samp(c, 1e6).pvalue for c in part]
        assert found.p(np.full(3, 1e6), 0)[k] == pytest.approx(expected, rel=1e-6)


def test_looks_begin_at_fifty_or_a_twentieth():
    assert planned_looks(1000, 20)[:2] == (50, 100)
    assert planned_looks(250, 20)[:2] == (50, 63)
    assert planned_looks(2000, 40)[0] == 100
    assert planned_looks(30, 20) == (30,)
    assert planned_looks(40, 40, few=True)[0] == 5
    assert planned_looks(1000, 20, open=True)[-1] == 1000


def test_a_clear_difference_stops_early_and_a_decided_algorithm_first():
    rng = np.random.default_rng(2)
    values = rng.normal(size=(200, 3)) + np.array([5.0, 0.0, 0.05])
    trace = traced(values, finished(values), plan(3))
    assert trace.used.tolist() == [1, 1, len(trace.plan.looks)]  # a-b, a-c, b-c
    assert trace.decided.tolist() == [True, True, False]
    assert trace.open.tolist() == [False, True, True]
    assert trace.stopped_at == 200
    assert trace.is_over


def test_a_look_waits_for_the_whole_prefix():
    """A sample that is not finished is waited for, whatever came after it."""
    values = np.random.default_rng(3).normal(size=(200, 2)) + np.array([5.0, 0.0])
    there = finished(values)
    there[30] = False
    trace = traced(values, there, plan())
    assert trace.looks == ()
    assert trace.next_look == 50
    assert not trace.is_over


def test_a_failed_run_is_finished_and_missing():
    values = np.random.default_rng(3).normal(size=(200, 2)) + np.array([5.0, 0.0])
    values[30, 1] = np.nan
    trace = traced(values, finished(values), plan())
    assert trace.stopped_at == 50
    first = Prefixes(values[:, :1] - values[:, 1:], (50,))
    assert first.count.item() == 49


def test_alike_within_the_relevance_is_a_decision():
    rng = np.random.default_rng(4)
    values = rng.normal(size=(1000, 2))
    trace = traced(values, finished(values), plan(budget=1000, relevance=0.3))
    assert trace.decided.all()
    assert trace.stopped_at < 600


def test_what_comes_after_the_decision_changes_nothing():
    rng = np.random.default_rng(5)
    values = rng.normal(size=(200, 3)) + np.array([3.0, 0.0, 0.0])
    before = traced(values, finished(values), plan(3))
    changed = values.copy()
    changed[before.looks[before.used[0] - 1] :, 0] = -100.0
    after = traced(changed, finished(values), plan(3))
    assert after.used.tolist() == before.used.tolist()
    assert after.decided.tolist() == before.decided.tolist()


def test_a_race_drops_the_worse_and_claims_no_order():
    rng = np.random.default_rng(6)
    values = rng.normal(size=(200, 4)) + np.array([3.0, 3.0, 0.0, 0.0])
    trace = traced(values, finished(values), plan(4, goal=RACE))
    assert (trace.out >= 0).tolist() == [False, False, True, True]
    assert trace.open.tolist() == [True, True, False, False]


def test_repeated_intervals_are_t_intervals_at_the_boundary():
    rng = np.random.default_rng(7)
    values = rng.normal(size=(200, 2))
    made = plan()
    used = np.array([len(made.looks)])
    found = Evidence(made, Prefixes(values[:, :1] - values[:, 1:], made.looks), made.looks, used)
    low, high = found.limits(0.05, True)
    d = values[:, 0] - values[:, 1]
    z = boundaries(made.looks, 200)[-1]
    reach = stats.t.isf(stats.norm.sf(z), 199) * stats.sem(d)
    assert (low.item(), high.item()) == pytest.approx((d.mean() - reach, d.mean() + reach))


def test_hull_asks_t_and_halls_t():
    """Its p is the larger one, and its limits are where that just reaches the boundary."""
    values = np.random.default_rng(3).exponential(size=(40, 2))
    looks = planned_looks(40, 20, few=True)
    made = StoppingPlan(("a", "b"), "score", 40, looks, few=True, test=HULL)
    found = prefixes_of(values, [(0, 1)], looks, made)
    for k, n in enumerate(looks):
        known = moments(values[:n], [(0, 1)])
        both = [2 * stats.t.sf(np.abs(t), n - 1) for t in (known.t(), known.h(known.t()))]
        assert found.p(np.zeros(1), 0)[k] == pytest.approx(np.maximum(*both))
    limits = Evidence(made, found, looks, np.array([len(looks)])).limits(0.05, True)
    edge = 2 * stats.norm.sf(boundaries(looks, 40)[-1])
    assert [found.p(end, 0)[-1].item() for end in limits] == pytest.approx([edge, edge])
    with pytest.raises(PodiumError, match="is for looks at several data sets"):
        plan(test=HULL)


def test_looks_at_data_sets_compare_ranks():
    """By hand: the variance of a random order counts as four blocks; of two the sign test."""
    values = np.random.default_rng(4).normal(size=(20, 3)).round(1)  # with ties
    looks = planned_looks(20, 10, few=True)
    made = StoppingPlan(tuple("abc"), "score", 20, looks, few=True, test=RANKS)
    found = prefixes_of(values, made.pairs, looks, made)
    ranks = stats.rankdata(values, axis=1)
    for k, n in enumerate(looks):
        for i, (a, b) in enumerate(made.pairs):
            d = ranks[:n, a] - ranks[:n, b]
            s2 = (4 * 2 + ((d - d.mean()) ** 2).sum()) / (n + 3)  # 3 * 4 / 6 = 2
            p = 2 * stats.t.sf(abs(d.mean()) / np.sqrt(s2 / n), n + 3)
            assert found.p(np.zeros(3), 0)[k, i] == pytest.approx(p)
    two = replace(made, algorithms=("a", "b"))
    signs = prefixes_of(values[:, :2], two.pairs, looks, two)
    wins, losses = ((s * (values[:, 0] - values[:, 1]) > 0).sum() for s in (1, -1))
    expected = min(1, 2 * stats.binom.cdf(min(wins, losses), wins + losses, 0.5))
    assert signs.p(np.zeros(1), 0)[-1, 0] == pytest.approx(expected)
    with pytest.raises(PodiumError, match="A relevance is an amount"):
        replace(made, relevance=0.1)


@pytest.mark.parametrize("test", [T, HULL, RANKS])
@pytest.mark.parametrize("seed", range(12))
def test_a_pair_is_decided_where_its_limits_exclude_zero(test, seed):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(3, 6))
    values = rng.exponential(size=(30, k)) + rng.choice([0, 0.5, 1.5], k)
    looks = planned_looks(30, 20, few=True)
    made = StoppingPlan(tuple("abcde"[:k]), "score", 30, looks, few=True, test=test)
    trace = traced(values, finished(values), made)
    prefixes = prefixes_of(values, made.pairs, trace.looks, made)
    evidence = Evidence(made, prefixes, trace.looks, trace.used)
    level = 1 - 0.95 ** (1 / len(made.pairs))
    low, high = evidence.limits(level, True)
    excluded = (low > 0) | (high < 0)
    assert excluded.tolist() == trace.decided.tolist()
    assert excluded.tolist() == (evidence.p(np.zeros(len(low)), 0) <= level).tolist()
    if test == RANKS:  # a rank is among all
        assert trace.open.all() or not trace.open.any()


def test_the_usual_test_of_looks():
    assert usual_test(True, ORDER, False, 0.0) == RANKS
    assert usual_test(True, ORDER, False, 0.01) == HULL
    assert {usual_test(False, ORDER, False, 0), usual_test(True, RACE, False, 0),
            usual_test(True, ORDER, True, 0)} == {T}  # fmt: skip


def test_a_relevance_is_not_shown_by_looks_on_its_other_side():
    """Early looks that reject the relevance from below are no evidence for more."""
    d = np.concatenate([np.random.default_rng(1).normal(0, 0.1, 100), np.full(100, 3.0)])[:, None]
    made = plan(relevance=1.0)
    found = Prefixes(d, made.looks)
    levels = found.levels(made, np.ones(1), 0)[:, 0]
    assert (levels[found.mean[:, 0] < 1.0] == 1.0).all()
    assert found.p(np.ones(1), 0)[0].item() < 1e-9


def test_constant_differences_are_never_decided():
    values = np.zeros((200, 2))
    values[:, 0] = 1.0
    trace = traced(values, finished(values), plan())
    assert not trace.decided.any()
    assert trace.stopped_at == 200


@pytest.mark.parametrize(
    "facts",
    [{"alpha": 0.0}, {"alpha": 1.5}, {"relevance": -0.1}, {"goal": "win"}, {"spending": "all"}],
)
def test_wrong_plans_are_refused(facts):
    with pytest.raises(PodiumError):
        plan(**facts)


def test_a_plan_survives_a_store():
    made = plan(3, relevance=0.1, bounds=(0.0, 1.0))
    import json

    assert StoppingPlan.of(json.loads(json.dumps(made.to_dict()))) == made


# -- sizes, in short; docs/make_calibration.py has the long runs ---------------------------------


def rejected(p, alpha=0.05):
    """Whether each of many studies (columns) stops with a difference."""
    looks = planned_looks(400, 20)
    levels = stopping_levels(p, looks, 400)
    return levels.min(axis=0) <= alpha


def test_looking_costs_no_level():
    rng = np.random.default_rng(8)
    d = rng.normal(size=(400, 4000))
    p = Prefixes(d, planned_looks(400, 20)).p(np.zeros(4000), 0)
    assert abs(rejected(p).mean() - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 4000)
    assert (p.min(axis=0) <= 0.05).mean() > 0.15  # what people do


def test_power_is_that_of_the_recursion():
    rng = np.random.default_rng(9)
    looks = planned_looks(400, 20)
    d = 0.15 + rng.normal(size=(400, 2000))
    p = Prefixes(d, looks).p(np.zeros(2000), 0)
    expected = rejections(looks, 400, boundaries(looks, 400), 0.15).sum()
    assert abs(rejected(p).mean() - expected) < 4 * np.sqrt(expected * (1 - expected) / 2000)


def test_a_race_judges_each_algorithm_against_all_others():
    assert _level(plan(4, goal=RACE, alpha=0.06)) == pytest.approx(0.02)
    assert _level(plan(4, alpha=0.06)) == pytest.approx(1 - 0.94 ** (1 / 6))


def test_an_open_plan_looks_at_what_there_is_now():
    done = np.ones((200, 2), dtype=bool)
    done[37, 0] = done[50:] = False
    made = plan(2, open=True, looks=(20, 40))
    assert _up_to_now(made, done).looks == (20, 37, 40)
    assert _up_to_now(plan(2, looks=(20, 40)), done).looks == (20, 40)
    done[19] = False
    assert _up_to_now(made, done).looks == (20, 40)


def test_stakes_are_those_of_the_predictable_plug_in():
    """Waudby-Smith and Ramdas (2024), equation (26): the variance of the scores before each."""
    x, alpha = np.array([0.2, 0.9, 0.4, 0.4, 1.0, 0.0]), 0.1
    expected, total, spread, variance = [], 0.0, 0.0, 0.25
    for t, score in enumerate(x, 1):
        expected.append(np.sqrt(2 * np.log(2 / alpha) / (variance * t * np.log(1 + t))))
        total += score
        spread += (score - (0.5 + total) / (t + 1)) ** 2
        variance = (0.25 + spread) / (t + 1)
    np.testing.assert_allclose(_stakes(x, alpha), expected)
