"""Right and wrong answers: McNemar's score test with Tango's limits, one critical value for all."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from layouts_made import made
from scipy import optimize, stats

from podium import Comparisons, Layout, compare
from podium.core.inference.bricks import flips as joint_flips
from podium.core.inference.bricks.flips import maxima
from podium.core.inference.procedures import item_tests as tango
from podium.core.inference.procedures.item_tests import MID_P, SCORE
from podium.errors import InferenceError
from podium.testing import check_procedure

ITEMS: dict[str, Any] = {"block": "item", "measure": "accuracy"}
Z = 1.959963984540054


def answers(won: int, lost: int, items: int) -> np.ndarray:
    """Two models: so many items that only the first, or the second, has right."""
    right = np.ones((items, 2))
    right[:lost, 0] = 0
    right[lost : lost + won, 1] = 0
    return right


def judged(won: int, lost: int, items: int, **options: Any) -> Comparisons:
    return compare(made(answers(won, lost, items), **ITEMS), **options)


def several(items: int = 80, shares: Any = (0.9, 0.85, 0.6, 0.55), seed: int = 3) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return (rng.random((items, len(shares))) < shares).astype(float)


def row(c: Comparisons) -> Any:
    return c.table.iloc[0]


def codes(c: Comparisons) -> set[str]:
    return {note.code for note in c.warnings}


def remarks(c: Comparisons) -> set[str]:
    return {note.remark for note in c.warnings if note.code == "estimate"}


def all_pairs(models: int) -> list[tuple[int, int]]:
    return list(combinations(range(models), 2))


# -- Tango's statistic and limits -----------------------------------------------------------------


def by_likelihood(won: int, lost: int, n: int, d: float) -> float:
    """The statistic with the share of lost items that maximises the likelihood, searched for."""

    def minus_log(q: float) -> float:
        parts = ((won, q + d), (lost, q), (n - won - lost, 1 - 2 * q - d))
        return -sum(count * np.log(max(p, 1e-300)) for count, p in parts if count)

    low, high = max(0.0, -d), (1 - d) / 2
    q = optimize.minimize_scalar(minus_log, bounds=(low, high), options={"xatol": 1e-12}).x
    return float((won - lost - n * d) / np.sqrt(n * (2 * q + d - d * d)))


@pytest.mark.parametrize(("won", "lost", "n"), [(5, 5, 200), (12, 5, 100), (9, 1, 30), (3, 14, 80)])
@pytest.mark.parametrize("d", [-0.4, -0.03, 0.0, 0.05, 0.3])
def test_the_score_is_that_of_the_likeliest_share(won: int, lost: int, n: int, d: float) -> None:
    found = tango.score(*map(np.array, ([won], [lost], [n], [d])))[0]
    assert found == pytest.approx(by_likelihood(won, lost, n, d), abs=1e-5)


def test_at_no_difference_the_score_is_mcnemars() -> None:
    won, lost = (x.ravel() for x in np.meshgrid(np.arange(9), np.arange(9)))
    found = tango.score(won, lost, np.full(81, 40), np.zeros(81))
    expected = np.where(won + lost > 0, (won - lost) / np.sqrt(np.maximum(won + lost, 1)), 0.0)
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize(
    ("won", "lost", "n", "z", "low", "high"),
    [
        (5, 5, 200, 1.6448536, -0.02892399, 0.02892399),
        (12, 5, 100, 1.959964, -0.01186321, 0.15741561),
        (9, 1, 30, 1.959964, 0.07242038, 0.45660930),
        (3, 14, 80, 2.6383, -0.28372521, -0.00182110),
        # without a discordant item z² / (n + z²)
        (0, 0, 200, 1.6448536, -0.0133471602, 0.0133471602),
    ],
)
def test_limits_invert_the_score(
    won: int, lost: int, n: int, z: float, low: float, high: float
) -> None:
    counts = tuple(np.array([x]) for x in (won, lost, n))
    ends = tango.limits(*counts, z)
    assert (ends[0][0], ends[1][0]) == pytest.approx((low, high), abs=1e-8)
    assert tango.score(*counts, ends[0])[0] == pytest.approx(z, abs=1e-7)
    assert tango.score(*counts, ends[1])[0] == pytest.approx(-z, abs=1e-7)


def test_limits_stay_within_what_shares_can_be() -> None:
    for won, lost, n in product((0, 1, 3), (0, 1, 3), (3, 6)):
        if won + lost <= n:
            low, high = tango.limits(*(np.array([x]) for x in (won, lost, n)), 2.5)
            assert -1 <= low[0] <= (won - lost) / n <= high[0] <= 1


def test_the_exact_size_of_two_models_is_near_its_level() -> None:
    """By enumeration of all numbers of discordant items, n = 20 to 1000."""
    rates = []
    for n, share in product((20, 50, 100, 200, 1000), (0.05, 0.1, 0.2, 0.5)):
        m = np.arange(n + 1)
        law = stats.binom.pmf(m, n, share)
        # (won - lost)² > z² m: the fewest items of one kind that reject
        most = np.floor((m - Z * np.sqrt(m)) / 2 - 1e-12)
        size = np.where(m > 0, 2 * stats.binom.cdf(most, m, 0.5), 0.0)
        rates.append(float(law @ size))
    assert max(rates) <= 0.055
    assert min(rates) >= 0.0015


# -- two models -----------------------------------------------------------------------------------


def test_two_models_get_mcnemars_score_and_tangos_limits() -> None:
    c = judged(1, 7, 21)
    assert c.procedure == "mcnemar-score"
    z = -6 / np.sqrt(8)
    assert row(c)["statistic"] == pytest.approx(z)
    assert row(c)["p"] == pytest.approx(2 * stats.norm.sf(-z))
    assert row(c)["estimate"] == pytest.approx(-6 / 21)
    low, high = tango.limits(np.array([1]), np.array([7]), np.array([21]), Z)
    assert (row(c)["lower"], row(c)["upper"]) == pytest.approx((low[0], high[0]))
    assert row(c)["verdict"] == "worse"


def test_an_error_is_turned_and_nothing_else() -> None:
    right = answers(3, 9, 40)
    one = row(compare(made(right, **ITEMS)))
    wrong = Layout(right - 1, ("a", "b"), "item", "test-set", made(right, measure="error").measure)
    other = row(compare(wrong))
    assert other["estimate"] == -one["estimate"]
    assert (other["lower"], other["upper"]) == pytest.approx((-one["upper"], -one["lower"]))
    assert other["p"] == one["p"]


def test_a_pair_is_decided_exactly_where_its_limits_exclude_zero() -> None:
    for n in (20, 60):
        for won, lost in product(range(0, 16, 2), range(0, 16, 3)):
            if won + lost > n:
                continue
            found = row(judged(won, lost, n))
            decided = found["verdict"] in ("better", "worse")
            assert decided == (found["lower"] > 0 or found["upper"] < 0) == (found["p"] <= 0.05)


def test_few_discordant_items_are_told_with_their_number() -> None:
    c = judged(4, 0, 100)  # z = 2, exact p = 0.125
    assert row(c)["verdict"] == "better"
    note = next(n for n in c.warnings if n.code == "few-discordant")
    assert note.pairs == (("a", "b", 4, 0),)
    from podium.core.words.saying import say

    assert "a and b 4 (4:0)" in say(note)
    assert "few-discordant" not in codes(judged(12, 0, 100))


@pytest.mark.parametrize("items", [5, 30, 500])
def test_models_that_agree_everywhere_may_still_differ(items: int) -> None:
    c = judged(0, 0, items, relevance=0.001)
    assert row(c)["verdict"] == "undecided"
    assert row(c)["upper"] == pytest.approx(Z**2 / (items + Z**2))
    assert row(c)["lower"] == pytest.approx(-row(c)["upper"])
    assert "none-discordant" in remarks(c)


def test_margins_and_limits_are_one_interval() -> None:
    for won, lost, items in ((0, 0, 20), (2, 1, 60), (4, 9, 80), (30, 12, 100)):
        wide = row(judged(won, lost, items, relevance=0.9))
        limits = wide[["equivalence_lower", "equivalence_upper"]].abs()
        for nudge, verdict in ((1.0001, "equivalent"), (0.9999, "undecided")):
            at = float(limits.max()) * nudge
            found = row(judged(won, lost, items, relevance=at))
            assert found["verdict"] == verdict, (won, lost, items)
            assert (found["p_equivalence"] <= 0.05) == (verdict == "equivalent")


def test_one_sided_at_5_percent_is_an_end_of_90_percent_limits() -> None:
    found = row(judged(5, 5, 200, alternative="greater", relevance=-0.03))
    assert found["p"] == pytest.approx(0.04493, abs=1e-5)  # Bonett and Price: 0.0401
    assert found["verdict"] == "non-inferior"
    assert found["lower"] == pytest.approx(-0.02892399, abs=1e-8)
    two_sided = row(judged(5, 5, 200, alpha=0.1))
    assert found["lower"] == pytest.approx(two_sided["lower"])
    for nudge, verdict in ((1.0001, "non-inferior"), (0.9999, "undecided")):
        at = found["lower"] * nudge
        assert row(judged(5, 5, 200, alternative="greater", relevance=at))["verdict"] == verdict


def test_how_often_a_loss_of_the_margin_passes_is_the_level() -> None:
    """By simulation under the border of the margin, one-sided at 5 %."""
    rng = np.random.default_rng(0)
    for n, discordant, margin in ((100, 0.10, 0.05), (300, 0.20, 0.05), (1000, 0.10, 0.02)):
        p = [(discordant - margin) / 2, (discordant + margin) / 2, 1 - discordant]
        won, lost, _ = rng.multinomial(n, p, 20000).T
        z = tango.score(won, lost, np.full(20000, n), np.full(20000, -margin))
        assert (z > 1.6448536).mean() == pytest.approx(0.05, abs=0.01)


# -- several models -------------------------------------------------------------------------------


def test_several_models_share_one_critical_value() -> None:
    right = several()
    c = compare(made(right, **ITEMS))
    law = maxima(right, all_pairs(4), 9999, 0, True)
    critical = law.critical(0.05)
    assert 2.3 < critical < 2.6310382845  # Šidák's
    t = c.table
    assert ((t["statistic"].abs() > critical) == (t["p_adjusted"] <= 0.05)).all()
    assert (((t["lower"] > 0) | (t["upper"] < 0)) == (t["p_adjusted"] <= 0.05)).all()
    z = t["statistic"].abs().to_numpy()
    reached = np.max([(m[None, :] >= z[:, None] - 1e-9).sum(axis=1) for m in law.drawn], axis=0)
    assert t["p_adjusted"].to_numpy()[reached > 0] == pytest.approx(
        (1 + reached)[reached > 0] / 10**4
    )
    assert c.overall is not None
    assert c.overall.p == pytest.approx(t["p_adjusted"].min())


def test_the_joint_law_is_that_of_all_signs() -> None:
    """Against all 2^10 patterns of signs, of differences as they are and centred."""
    right = several(10, (0.8, 0.6, 0.4), seed=5)
    first, second = np.array(all_pairs(3)).T
    d = right[:, first] - right[:, second]
    signs = np.array(list(product((-1, 1), repeat=10)))
    for x, drawn in zip((d, d - d.mean(axis=0)), maxima(right, all_pairs(3), 9999, 0, True).drawn,
                        strict=True):  # fmt: skip
        whole = (np.abs(signs @ x) / np.sqrt((x * x).sum(axis=0))).max(axis=1)
        for at in (1.0, 1.5, 2.0):
            assert (drawn >= at).mean() == pytest.approx((whole >= at - 1e-9).mean(), abs=0.02)


def test_normals_give_the_law_of_signs_with_many_items(monkeypatch: pytest.MonkeyPatch) -> None:
    right = several(800, (0.8, 0.75, 0.7, 0.9, 0.85))
    normal = maxima(right, all_pairs(5), 9999, 0, True)
    monkeypatch.setattr(joint_flips, "NORMAL_FROM", 10**9)
    signs = maxima(right, all_pairs(5), 9999, 0, True)
    assert normal.critical(0.05) == pytest.approx(signs.critical(0.05), abs=0.06)
    for one, other in zip(normal.drawn, signs.drawn, strict=True):
        assert np.quantile(one, [0.1, 0.5, 0.9]) == pytest.approx(
            np.quantile(other, [0.1, 0.5, 0.9]), abs=0.06
        )


def test_missing_answers_that_are_none_change_nothing() -> None:
    right = several(60)
    whole = maxima(right, all_pairs(4), 9999, 0, True).critical(0.05)
    with_gap = np.vstack([right, [np.nan, 1, 1, 1]])  # an item that tells no pair anything
    assert maxima(with_gap, all_pairs(4), 9999, 0, True).critical(0.05) == pytest.approx(
        whole, abs=0.05
    )


@pytest.mark.parametrize("items", [60, 700])
def test_no_order_and_no_name_matters(items: int) -> None:
    right, rng = several(items, (0.85, 0.7, 0.6, 0.75), seed=8), np.random.default_rng(1)
    names = ("a", "b", "c", "d")
    base = compare(made(right, **ITEMS)).table.set_index(["first", "second"])
    order = rng.permutation(4)
    moved = right[rng.permutation(items)][:, order]
    renamed = Layout(moved, tuple("wxyz"), "item", "test-set", made(right, **ITEMS).measure)
    other = compare(renamed).table.set_index(["first", "second"])
    place = {names[column]: "wxyz"[at] for at, column in enumerate(order)}
    for a, b in base.index:
        x, y = place[a], place[b]
        found, sign = (other.loc[(x, y)], 1) if (x, y) in other.index else (other.loc[(y, x)], -1)
        mine = base.loc[(a, b)]
        assert found["p_adjusted"] == pytest.approx(mine["p_adjusted"], abs=1e-12)
        ends = (found["lower"], found["upper"])
        expected = (mine["lower"], mine["upper"]) if sign > 0 else (-mine["upper"], -mine["lower"])
        assert ends == pytest.approx(expected, abs=1e-12)


def test_what_other_draws_might_decide_otherwise_is_borderline() -> None:
    right = several()
    critical = maxima(right, all_pairs(4), 9999, 0, True).critical(0.05)
    c = compare(made(right, **ITEMS))
    near = (c.table["statistic"].abs() - critical).abs() < 0.03
    assert ("borderline" in remarks(c)) == bool(near.any())
    rng = np.random.default_rng(0)
    for _ in range(300):
        right = (rng.random((40, 3)) < (0.9, 0.7, 0.7)).astype(float)
        z = compare(made(right, **ITEMS)).table["statistic"].abs()
        law = maxima(right, all_pairs(3), 9999, 0, True)
        if ((z - law.critical(0.05)).abs() < 0.03).any():
            assert "borderline" in remarks(compare(made(right, **ITEMS)))
            return
    pytest.fail("no table was near its critical value")


def test_equal_models_are_told_apart_in_at_most_5_percent() -> None:
    """30 items, six models, 80 % right; 499 draws; the standard error is 1.3 %."""
    rng, hits = np.random.default_rng(2), 0
    for _ in range(250):
        right = (rng.random((30, 6)) < 0.8).astype(float)
        first, second = np.array(all_pairs(6)).T
        d = right[:, first] - right[:, second]
        z = np.abs(d.sum(axis=0)) / np.sqrt(np.maximum((d * d).sum(axis=0), 1))
        hits += z.max() > maxima(right, all_pairs(6), 499, 0, True).critical(0.05)
    assert 3 <= hits <= 20


def test_adjustments_of_pairs_alone_go_with_it_and_steps_have_no_limits() -> None:
    layout = made(several(), **ITEMS)
    p = compare(layout).table["p"]
    sidak = compare(layout, adjust="sidak").table
    assert sidak["p_adjusted"].to_numpy() == pytest.approx(1 - (1 - p) ** 6)
    assert sidak["lower"].notna().all()
    assert compare(layout, adjust="holm").table["lower"].isna().all()
    assert compare(layout, null="exact").procedure == "mcnemar"
    with pytest.raises(InferenceError, match="--adjust single-step"):
        compare(layout, "mcnemar-score", adjust="step-down")


def test_margins_of_several_models_are_judged_by_the_same_limits() -> None:
    layout = made(several(120), **ITEMS)
    t = compare(layout).table
    for margin in (0.05, 0.15):
        found = compare(layout, relevance=margin).table
        beyond = (t["lower"] > margin) | (t["upper"] < -margin)
        assert (found["verdict"].isin(("better", "worse")) == beyond).all()
        inside = (t["lower"] > -margin) & (t["upper"] < margin)
        assert ((found["verdict"] == "equivalent") == inside).all()


def test_of_very_many_models_pairs_are_judged_by_sidak(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joint_flips, "MOST_STATISTICS", 1000)
    law = maxima(several(), all_pairs(4), 9999, 0, True)
    assert not law.drawn
    assert law.critical(0.05) == pytest.approx(2.6310382845, abs=1e-9)
    assert law.p(np.array([law.critical(0.05)])) == pytest.approx(0.05)


def test_a_level_below_what_draws_can_tell_is_sidaks() -> None:
    law = maxima(several(), all_pairs(4), 99, 0, True)
    z = law.critical(0.001)
    assert z > law.critical(0.05)
    assert law.p(np.array([z + 1e-6]))[0] <= 0.001 < law.p(np.array([z - 1e-3]))[0]


def test_pairs_are_compared_on_the_items_that_both_have() -> None:
    right = np.array([[1, 0, 1], [1, 1, 0], [0, 1, 1], [1, 0, 0], [1, 1, 1]] * 4, float)
    right[:3, 2] = np.nan
    c = compare(made(right, **ITEMS))
    whole = row(compare(made(right[:, :2], **ITEMS)))
    part = row(compare(made(right[3:, [0, 2]], **ITEMS)))
    t = c.table.set_index(["first", "second"])
    assert t.loc[("a", "b"), "p"] == whole["p"]
    assert t.loc[("a", "c"), "p"] == part["p"]
    assert t.loc[("a", "c"), "estimate"] == pytest.approx(part["estimate"])
    assert "gaps" in codes(c)


def test_models_without_a_common_item_are_unknown() -> None:
    right = np.array([[1, np.nan, 1]] * 8 + [[np.nan, 0, 1]] * 8)
    t = compare(made(right, **ITEMS)).table.set_index(["first", "second"])
    assert np.isnan(t.loc[("a", "b"), "p"])
    assert t.loc[("a", "b"), "verdict"] == "undecided"


# -- clusters -------------------------------------------------------------------------------------


def test_clusters_of_items_are_judged_by_t_at_one_level() -> None:
    from podium.core.inference.bricks.clustered import clustered_covariance

    right = several(60, (0.8, 0.6, 0.7))
    clusters = np.repeat(np.arange(20), 3)
    c = compare(made(right, clusters=clusters, **ITEMS))
    assert c.procedure == "cluster-t"
    covariance, df = clustered_covariance(right, clusters)
    for pair, found in zip(all_pairs(3), c.table.itertuples(), strict=True):
        w = np.zeros(3)
        w[list(pair)] = 1, -1
        t = w @ right.mean(axis=0) / np.sqrt(w @ covariance @ w)
        p = 2 * stats.t.sf(abs(t), df)
        assert found.p == pytest.approx(p)
        assert found.p_adjusted == pytest.approx(1 - (1 - p) ** 3)
        assert (found.lower > 0 or found.upper < 0) == (found.p_adjusted <= 0.05)


# -- the mid-p test, by name ----------------------------------------------------------------------


def test_mid_p_of_a_published_table_has_no_limits() -> None:
    # 21 children, 1 and 7 discordant (Fagerland, Lydersen, Laake 2013): mid-p 0.0391
    found = row(judged(1, 7, 21, procedure="mcnemar-mid-p"))
    assert found["p"] == pytest.approx(10 / 256, abs=1e-15)
    assert np.isnan(found["lower"])


@pytest.mark.parametrize(("items", "null", "p"), [(9, "exact", 0.0625), (10, "mid-p", 0.03125)])
def test_below_ten_items_the_mid_p_test_is_exact(items: int, null: str, p: float) -> None:
    c = judged(5, 0, items, procedure="mcnemar-mid-p")
    assert c.judged is not None
    assert str(c.judged.null) == null
    assert row(c)["p"] == p


def test_other_nulls_are_refused_with_a_way_out() -> None:
    with pytest.raises(InferenceError, match="use mid-p or exact, or mcnemar for others"):
        judged(1, 2, 20, procedure="mcnemar-mid-p", null="permutation")
    assert judged(1, 2, 20, procedure="mcnemar", null="permutation").table["p"].notna().all()


@pytest.mark.parametrize("procedure", [SCORE, MID_P])
def test_they_are_held_against_the_laws(procedure: Any) -> None:
    check_procedure(procedure)
