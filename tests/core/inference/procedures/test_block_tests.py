"""hull and rank-t: every pair on its own blocks; what is said of gaps, scales and few blocks."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from layouts_made import made, noise
from scipy import stats

import podium
from podium.core.inference.bricks.estimates import corrected, moments, uncorrected
from podium.core.inference.bricks.nulls import goes_with_difficulty
from podium.core.inference.layouts import mixing
from podium.core.inference.procedures.block_tests import Hull, _patterns
from podium.core.words.saying import say
from podium.errors import InferenceError


def pair(differences, **facts):
    d = np.asarray(differences, float)
    return made(np.column_stack([d, np.zeros(len(d))]), measure="auc", **facts)


def codes(c):
    return [note.code for note in c.warnings]


# -- hull ------------------------------------------------------------------------------------------


def hall(d):
    """t and Hall's t, as the formula has it."""
    d = np.asarray(d, float)
    n, m, s = len(d), d.mean(), d.std()
    g = ((d - m) ** 3).mean() / s**3
    t = m * np.sqrt(n - 1) / s
    return t, t + g * (t**2 / 3 + 1 / 6) / np.sqrt(n) + g**2 * t**3 / (27 * n)


@pytest.mark.parametrize(
    ("d", "size"),
    # by hand: mean 7, s² 12.5, g -1.01823, t 3.42929, h 1.735847; turned in skewness t is smaller
    [([10, 9, 8, 1], 1.735847), ([1, 2, 3, 10], 1.95959), ([-10, -9, -8, -1], -1.735847)],
)
def test_the_smaller_of_t_and_halls_t_counts(d, size):
    c = podium.compare(pair(d), "hull")
    row = c.table.iloc[0]
    assert row["statistic"] == pytest.approx(size, abs=1e-5)
    assert row["p"] == pytest.approx(2 * stats.t.sf(abs(size), 3), abs=1e-5)
    assert row["estimate"] == np.mean(d)
    t, h = hall(d)
    for alternative, turn in (("greater", 1), ("less", -1)):
        one = podium.compare(pair(d), "hull", alternative=alternative).table.iloc[0]
        assert one["p"] == pytest.approx(stats.t.sf(min(turn * t, turn * h), 3))


def test_margins_move_the_null_and_limits_turn_the_test_around():
    d = np.array([0.9, 1.4, 0.7, 1.1, 2.9, 0.8, 1.0, 0.6])
    shifted = podium.compare(pair(d - 0.5), "hull").table["p"][0]
    assert podium.compare(pair(d), "hull", relevance=0.5).table["p"][0] == pytest.approx(shifted)
    row = podium.compare(pair(d), "hull").table.iloc[0]
    test = Hull(moments(pair(d).values, [(0, 1)]))
    for end in ("lower", "upper"):
        assert test.p(np.array([row[end]]), 0)[0] == pytest.approx(0.05)
    t = stats.ttest_1samp(d, 0).confidence_interval()
    assert row["lower"] <= t.low
    assert row["upper"] >= t.high
    wide = podium.compare(pair(d), "hull", relevance=20.0)
    assert wide.table["verdict"][0] == "equivalent"
    low = podium.compare(pair(d), "hull", alternative="greater").table
    assert test.p(low["lower"].to_numpy(), 1)[0] == pytest.approx(0.05)
    assert np.isnan(low["upper"][0])


def test_intervals_of_several_pairs_are_at_sidaks_level():
    values = noise(15, 4)
    several = podium.compare(made(values), "hull").table
    alpha = 1 - 0.95 ** (1 / 6)
    one = podium.compare(made(values[:, :2]), "hull", alpha=alpha).table
    np.testing.assert_allclose(several[["lower", "upper"]].iloc[0], one[["lower", "upper"]].iloc[0])


def test_the_correction_can_be_undone():
    t = np.linspace(-4, 4, 9)
    for bend in (-0.3, 0.0, 1e-9, 0.4):
        np.testing.assert_allclose(uncorrected(corrected(t, np.array(bend)), bend), t, atol=1e-8)


@pytest.mark.parametrize("d", [[1.0, 1.0, 1.0], [0.1 + 1e6, 0.1 + 1e6]])
def test_a_constant_difference_is_not_judged(d):
    values = np.column_stack([d, np.zeros(len(d))]) + np.array([[1e6 * i] for i in range(len(d))])
    c = podium.compare(made(values), "hull")
    assert np.isnan(c.table[["p", "statistic", "lower"]].to_numpy(float)).all()
    assert "no-variation" in codes(c)
    assert c.table["verdict"][0] == "undecided"


def test_round_off_is_no_difference():
    base = np.linspace(0.1, 0.9, 12)
    copy = base * (1 + 2e-16)
    c = podium.compare(made(np.column_stack([base, copy, base[::-1]])), "hull")
    assert c.table["p"][0] == 1
    assert c.counts["ties"][0] == 12
    assert np.isnan(c.table["lower"][0])  # equal scores tell nothing of other blocks


def test_two_blocks_are_judged_by_t():
    c = podium.compare(pair([1.0, 3.0]), "hull")
    assert c.table["p"][0] == pytest.approx(stats.ttest_1samp([1.0, 3.0], 0).pvalue)


# -- gaps ------------------------------------------------------------------------------------------


def holed(blocks=20, algorithms=4, holes=((0, 0), (3, 1), (3, 2), (7, 0))):
    values = noise(blocks, algorithms)
    for row, column in holes:
        values[row, column] = np.nan
    return values


def test_a_gap_leaves_the_procedure_and_the_other_pairs_as_they_are():
    whole, values = made(noise(20, 4), block="dataset"), holed()
    c = podium.compare(replace(whole, values=made(values).values), "hull")
    for row in c.table.itertuples():
        i, j = ("abcd".index(x) for x in (row.first, row.second))
        both = values[~np.isnan(values[:, [i, j]]).any(axis=1)][:, [i, j]]
        seen = podium.compare(made(both), "hull").table["p"][0]
        ahead = i if row.estimate < 0 else j  # losses
        gaps = np.isnan(values[:, ahead]) & ~np.isnan(values[:, i + j - ahead])
        if not gaps.any():
            assert row.p == pytest.approx(seen)
        elif gaps.sum() > 0.05 * (~np.isnan(values[:, i + j - ahead])).sum():
            assert row.verdict == "withheld"
        else:
            assert row.p >= seen
    assert "gaps" in codes(c)


def test_a_verdict_must_survive_its_gaps_filled_with_the_worst_difference():
    rng = np.random.default_rng(2)
    d = rng.normal(0.5, 1.0, 40)  # of gains
    values = np.column_stack([d, np.zeros(40)])
    holes = values.copy()
    holes[[3, 11], 0] = np.nan
    c = podium.compare(made(-holes), "hull").table.iloc[0]
    seen = np.delete(d, [3, 11])
    filled = np.r_[seen, [seen.min()] * 2]
    expected = [podium.compare(pair(x), "hull").table.iloc[0] for x in (seen, filled)]
    assert c["p"] == pytest.approx(max(e["p"] for e in expected))
    assert -c["upper"] == pytest.approx(min(e["lower"] for e in expected))
    assert -c["lower"] == pytest.approx(max(e["upper"] for e in expected))
    worse = podium.compare(made(holes), "hull").table.iloc[0]  # a verdict against it stands
    assert worse["p"] == pytest.approx(expected[0]["p"])


def test_complete_and_worst_are_other_answers():
    values = holed()
    layout = made(values)
    complete = podium.compare(layout, gaps="complete")
    kept = values[~np.isnan(values).any(axis=1)]
    pd.testing.assert_frame_equal(complete.table, podium.compare(made(kept)).table)
    assert "incomplete-blocks" in codes(complete)
    worst = np.where(np.isnan(values), np.nanmax(values, axis=1, keepdims=True), values)
    filled = podium.compare(layout, gaps="worst")
    pd.testing.assert_frame_equal(filled.table, podium.compare(made(worst)).table)


def test_procedures_without_gaps_use_complete_blocks_and_say_so():
    c = podium.compare(made(holed()), "wilcoxon")
    assert c.blocks.count == 17
    assert "incomplete-blocks" in codes(c)


def test_a_pair_that_shares_one_block_is_not_judged():
    values = noise(8, 3)
    values[1:5, 0] = np.nan
    values[5:, 1] = np.nan
    c = podium.compare(made(values), "hull")
    assert np.isnan(c.table["p"][0])
    assert "They share fewer than two rows" in " ".join(map(say, c.warnings))
    assert set(c.table["verdict"][1:]) <= {"withheld", "undecided", "better", "worse"}


def test_gaps_that_go_with_difficulty_are_told_and_withhold_single_pairs():
    values = noise(40, 3) + np.linspace(0, 9, 40)[:, None]  # losses: the last blocks are hard
    values[32:, 0] = np.nan
    c = podium.compare(made(values - np.array([3, 0, 0]), block="dataset"))
    assert "informative-gaps" in codes(c)
    assert set(c.decision.withheld) == {("a", "b"), ("a", "c")}
    assert {"a", "b"} <= set(c.lead)
    anywhere = noise(40, 3) + np.linspace(0, 9, 40)[:, None]
    anywhere[::5, 0] = np.nan
    assert not goes_with_difficulty(-anywhere)


def test_gaps_go_with_difficulty_where_mann_and_whitney_find_them_apart():
    """At 5 %: a third column is missing by chance, more or less where both others are low."""
    told = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        values = rng.normal(size=(16, 3))
        values[:, 1:] = values[:, :1] + 0.1 * values[:, 1:]
        gaps = values[:, 0] + 1.5 * rng.normal(size=16) < -0.5
        if not gaps.any() or gaps.all():
            continue
        values[gaps, 2] = np.nan
        level = np.nanmean(values - np.nanmedian(values, axis=0), axis=1)
        wanted = stats.mannwhitneyu(
            level[gaps], level[~gaps], use_continuity=False, method="asymptotic"
        )
        assert goes_with_difficulty(values) == (wanted.pvalue <= 0.05)
        told.append(wanted.pvalue)
    assert sum(p <= 0.05 for p in told) > 3
    assert sum(0.05 < p <= 0.1 for p in told) > 1


def failed_runs(failures):
    rows = [(f"d{j}", a, 0.5 + 0.1 * i + 0.01 * j) for j in range(20) for i, a in enumerate("abc")]
    table = pd.DataFrame(rows, columns=["dataset", "algorithm", "error"])
    results = podium.read(table)
    runs, scores = results.runs.copy(), results.scores.copy()
    gone = runs.index[runs["algorithm"] == "a"][:failures]
    runs.loc[gone, "status"] = "failed"
    lost = scores["dataset"].isin(runs.loc[gone, "dataset"]) & (scores["algorithm"] == "a")
    return replace(results, runs=runs, scores=scores[~lost].reset_index(drop=True))


@pytest.mark.parametrize("failures", [2, 5])
def test_failed_runs_are_counted_and_count_as_the_worst_of_their_block(failures):
    c = podium.compare(failed_runs(failures))
    (note,) = [n for n in c.warnings if n.code == "failures"]
    assert (note.runs, note.of, note.by) == (failures, 60, (("a", failures),))
    assert "counts as the worst" in say(note)
    assert not c.decision.withheld
    # first where it has a score, last where it failed
    assert c.mean_ranks["a"] == pytest.approx(1 + 2 * failures / 20)
    means = podium.compare(failed_runs(failures), "hull")
    # of losses: as bad as c, which is worst, on the data sets that it failed on
    assert means.means["a"] == pytest.approx(0.595 + 0.2 * failures / 20)
    gaps = podium.compare(failed_runs(failures), "hull", gaps="pairs")
    assert gaps.means["a"] < means.means["a"]
    assert bool(gaps.decision.withheld) == (failures > 1)


# -- ranks beside means ----------------------------------------------------------------------------


def test_ranks_are_compared_by_t_among_those_that_are_there():
    values = -holed(25, 3, holes=((0, 0), (4, 2)))
    c = podium.compare(made(-values), "rank-t")
    ranks = pd.DataFrame(values).rank(axis=1, ascending=False)
    np.testing.assert_allclose(list(c.mean_ranks.values()), ranks.mean())
    d = (ranks[0] - ranks[1]).dropna()
    row = c.table.iloc[0]
    assert row["p"] >= stats.ttest_1samp(d, 0).pvalue - 1e-12
    assert row["estimate"] == pytest.approx(d.mean())
    assert c.measure == "squared"


def test_ranks_are_moderated_by_four_blocks_of_the_null():
    """t = d / sqrt(s² / n), s² = (4 k (k + 1) / 6 + sum of squares) / (n + 3), on n + 3 df."""
    values = noise(20, 3) + np.array([0.0, 0.5, 1.0])
    c = podium.compare(made(values, block="dataset"), "ranks")
    ranks = pd.DataFrame(values).rank(axis=1)
    d = ranks[0] - ranks[1]
    square = (4 * 2.0 + ((d - d.mean()) ** 2).sum()) / 23
    t = d.mean() / np.sqrt(square / 20)
    assert c.table["p"][0] == pytest.approx(2 * stats.t.sf(abs(t), 23))


def test_an_order_that_is_the_same_in_every_block_has_the_sign_tests_p():
    values = noise(10, 10) + 30 * np.arange(10)
    c = podium.compare(made(values), "rank-t")
    assert (c.table["p"] == 2.0**-9).all()
    assert (c.table["p_adjusted"] == 2.0**-9).all()  # all pairs: one pattern of signs
    assert (c.table["verdict"] == "better").all()
    assert podium.compare(made(values[:3]), "rank-t").table["verdict"].eq("undecided").all()
    one = podium.compare(made(values[:, :2]), "rank-t", alternative="greater").table["p"][0]
    assert one == 1.0


def test_the_companion_is_told_and_its_disagreement_is_a_caution():
    values = noise(30, 2)
    values[:, 1] = values[:, 0] + 0.1 + 0.02 * noise(30, 1)[:, 0]  # nearly always worse
    values[:2, 1] = values[:2, 0] - 40.0  # but for two blocks
    c = podium.compare(made(values))
    assert c.procedure == "hull"
    assert c.extras.companion.procedure == "ranks"
    told = c.to_dict()["ranks"]
    assert told["pairs"][0]["verdict"] == "better"
    assert c.table["verdict"][0] == "undecided"
    (note,) = [n for n in c.warnings if n.code == "ranks-disagree"]
    assert note.by_ranks == (("a", "b"),)
    assert "finds more for 1 comparison (a and b), where the test of means does not" in say(note)
    assert podium.compare(made(values), "paired-t").to_dict()["ranks"] is None


@pytest.mark.parametrize("measure", ["error", "auc"])
def test_the_companion_looks_in_the_same_direction(measure):
    values = noise(20, 2) + np.array([0.0, 2.0])
    c = podium.compare(made(values, measure=measure), alternative="less")
    assert set(c.table["verdict"]) == set(c.extras.companion.table["verdict"]) != {"undecided"}


# -- what is said ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("blocks", "algorithms", "said"), [(12, 3, True), (30, 3, False), (40, 16, True)]
)
def test_the_statement_says_that_few_blocks_are_not_enough_for_means(blocks, algorithms, said):
    c = podium.compare(made(noise(blocks, algorithms)), "hull")
    assert ("no test of means keeps a level of 5 %" in c.statement) == said


def test_bricks_of_ones_own_are_taken_by_paired_t():
    layout = made(noise(20, 3))
    assert podium.compare(layout, adjust="single-step").procedure == "paired-t"
    assert podium.compare(layout, contrasts={"x": {"a": 1, "b": -1}}).procedure == "paired-t"
    with pytest.raises(InferenceError, match="'hull' has a null of its own"):
        podium.compare(layout, "hull", null="permutation:999")


def test_ranks_decide_on_data_sets_whatever_their_scales():
    rng = np.random.default_rng(0)
    scale = 10 ** rng.uniform(-8, 7, size=(24, 1))
    values = scale * (1 + 0.3 * np.arange(4) + 0.2 * rng.random((24, 4)))
    layout = made(values, block="dataset", labels=tuple(f"f{i}" for i in range(24)))
    c = podium.compare(layout)
    assert (c.procedure, c.decides) == ("ranks", "ranks")
    by_means = podium.compare(layout, "hull")
    (note,) = [n for n in by_means.warnings if n.code == "one-data-set"]
    assert note.dataset == f"f{int(scale.argmax())}"
    assert 0.3 < note.share <= 1
    bounded = rng.beta(0.02, 0.02, size=(30, 4)) * np.geomspace(1e-6, 1, 30)[:, None]
    assert mixing(bounded).is_unlike
    assert mixing(bounded[:2]) == (1, 1, 1, 0, 0)  # of so few nothing is said
    assert podium.compare(made(bounded, block="dataset")).procedure == "ranks"


def test_data_sets_measured_differently_are_compared_by_ranks():
    rows = [
        (f"d{j}", a, m, v + 0.01 * j * (1 + i))
        for j in range(12)
        for i, a in enumerate("abc")
        for m, v in [("auc", 0.9 - 0.2 * i) if j % 2 else ("rmse", 5.0 + i)]
    ]
    table = pd.DataFrame(rows, columns=["dataset", "algorithm", "metric", "value"])
    c = podium.compare(podium.read(table))
    assert c.procedure == "ranks"
    assert podium.decide(c).groups == [["a"], ["b"], ["c"]]  # large aucs and small errors


@pytest.mark.parametrize(
    ("name", "blocks", "least"),
    [("wilcoxon", 10, 45 / 2**9), ("sign", 10, 45 / 2**9), ("sign-flip", 10, 45 / 2**9)],
)
def test_tests_that_cannot_reject_say_so(name, blocks, least):
    layout = made(noise(blocks, 10) + 30 * np.arange(10))
    c = podium.compare(layout, name)
    (note,) = [n for n in c.warnings if n.code == "cannot-reject"]
    assert note.least == pytest.approx(least)
    assert c.table["p_adjusted"].min() == pytest.approx(least)
    assert "cannot-reject" not in codes(podium.compare(made(noise(11, 10)), name))
    assert "cannot-reject" in codes(podium.compare(made(noise(2, 3)), "permutation-max"))


# -- counts, places, the lead ----------------------------------------------------------------------


def test_wins_ties_and_losses_are_in_text_csv_and_json():
    c = podium.compare(pair([1.0, 2.0, 0.0, -1.0, 3.0]), "hull")
    assert c.to_dict()["pairs"][0]["wins"] == 3
    assert c.to_csv().splitlines()[0].endswith("verdict,wins,ties,losses")
    assert c.to_csv().splitlines()[1].endswith(",3,1,1")
    assert "3/1/1" in repr(c)
    turned = c.best_first(["b", "a"])
    assert turned.counts.iloc[0].tolist() == [1, 1, 3]


def test_places_and_the_lead_follow_from_the_decided_pairs():
    c = podium.compare(made(noise(40, 4) + np.array([0, 0, 8, 16])))
    assert c.places == {"a": (1, 2), "b": (1, 2), "c": (3, 3), "d": (4, 4)}
    assert c.lead == ["a", "b"]
    facts = json.loads(c.to_json())
    assert facts["places"]["c"] == [3, 3]
    assert facts["lead"] == ["a", "b"]
    assert facts["best_set"] == ["a", "b"]
    for other in (podium.compare(made(noise(40, 4)), control="a"),
                  podium.compare(made(noise(40, 3)), "nemenyi")):  # fmt: skip
        assert other.best_set == other.lead


def test_patterns_of_signs_are_those_of_pairs_whose_difference_has_one_size():
    values = np.array([[1.0, 0.0, 3.0], [0.0, 1.0, 2.0], [1.0, 0.0, 3.0], [2.0, 3.0, 4.0]])
    pairs = [(0, 1), (0, 2), (1, 2)]  # +1 and -1 in turn; always -2; of several sizes
    assert _patterns(values, pairs) == 2
    assert _patterns(values, pairs[:1]) == _patterns(values, pairs[2:]) == 1
    assert _patterns(values, [(0, 1), (1, 0)]) == 1  # one turned is the same one
    values[0, 0] = np.nan
    assert _patterns(values, pairs) == 3


def sign_tested(wins, losses, ties, gaps, turned=False, **options):
    """The p-value of a against b of so many data sets; who is ahead lacks some of them."""
    ahead = np.r_[np.ones(wins), -np.ones(losses), np.zeros(ties), np.full(gaps, np.nan)]
    values = np.column_stack([ahead, np.zeros(len(ahead))])
    layout = made(
        values[:, ::-1] if turned else values, block="dataset", measure=podium.Measure("gain", True)
    )
    (p,) = podium.compare(layout, "ranks", **options).table["p"]
    return p


@pytest.mark.parametrize("turned", [False, True])
def test_gaps_of_two_are_losses_where_a_loss_was_seen(turned):
    """The exact sign test, by scipy; of 42 data sets two are less than one in twenty."""
    lost, tied = (sign_tested(28, k, 12 - k, 2, turned) for k in (12, 0))
    assert lost == pytest.approx(stats.binomtest(28, 42).pvalue)
    assert tied == pytest.approx(stats.binomtest(28, 28).pvalue), "none was seen: a gap is a tie"
    assert sign_tested(21, 20, 0, 2, turned) == 1.0, "with its gaps it is not ahead"
    assert sign_tested(28, 12, 0, 0, turned) == pytest.approx(stats.binomtest(28, 40).pvalue)
    own, other = ("greater", "less") if not turned else ("less", "greater")
    for_it = sign_tested(28, 12, 0, 2, turned, alternative=own)
    assert for_it == pytest.approx(stats.binomtest(28, 42, alternative="greater").pvalue)
    against = sign_tested(28, 12, 0, 2, turned, alternative=other)
    assert against == pytest.approx(stats.binomtest(28, 40, alternative="less").pvalue)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_gaps_are_held_against_whom_a_difference_favours(alternative):
    """By the same test of whole data: without the rows that lack one, and with its worst there."""
    held = set[bool]()
    for seed in range(12):
        d = np.random.default_rng(seed).gamma(2.0, size=42) + [-2.4, -1.9, -1.4][seed % 3]
        d[-2:] = np.nan

        def p_of(differences):
            values = np.column_stack([differences, np.zeros(len(differences))])
            layout = made(values, measure=podium.Measure("gain", True))
            return podium.compare(layout, "hull", alternative=alternative).table["p"][0]

        seen, least = p_of(d[:-2]), np.nanmin(d)
        favours = np.nanmean(d) > 0 if alternative == "two-sided" else alternative == "greater"
        wanted = seen
        if favours:
            filled = np.where(np.isnan(d), least, d)
            apart = filled.mean() <= 0 and alternative == "two-sided"
            wanted = 1.0 if apart else max(seen, p_of(filled))
        held.add(bool(favours))
        assert p_of(d) == pytest.approx(wanted)
    assert held == {"two-sided": {True, False}, "greater": {True}, "less": {False}}[alternative]
