"""Training runs x items, seeds within splits, and runs one after the other."""

from statistics import NormalDist

import numpy as np
import pytest
from layouts_made import intervals, made, of_seeds, ragged
from scipy import stats

import podium
from podium.core.inference.comparing.single import drift, neighbours, run_order_notes
from podium.core.inference.numbers.tails import t_sf
from podium.core.inference.procedures.crossed import arranged, parts, seed_means
from podium.core.words.saying import say

# two runs x two items of each algorithm; a: items differ by 2, runs by 4, nothing else
ADDED = np.array([[[1.0, 0.0], [3.0, 0.0]], [[5.0, 0.0], [7.0, 0.0]]])


def found(layout, name="seeds-t", **options):
    return podium.compare(layout, name, **options)


def notes(layout):
    return {note.code: note for note in layout.notes}


def test_parts_of_a_table_that_adds_up_are_those_by_hand():
    p = parts(of_seeds(ADDED, measure="accuracy"))
    # item means 3 and 5: variance 2, over 2 items; run means 2 and 6: variance 8, over 2 runs
    assert p.items == pytest.approx(np.diag([1.0, 0.0]))
    assert p.runs == pytest.approx(np.diag([4.0, 0.0]))
    assert p.rest == pytest.approx(np.zeros((2, 2)))
    assert p.covariance == pytest.approx(np.diag([5.0, 0.0]))
    # (1 + 4)² / (1²/1 + 4²/1)
    assert p.df(np.array([[1.0, -1.0]])) == pytest.approx([25 / 17])


def test_the_rest_is_counted_once():
    # items and runs alike, only both together vary: +1 -1 / -1 +1
    alone = np.array([[[1.0, 0], [-1.0, 0]], [[-1.0, 0], [1.0, 0]]])
    p = parts(of_seeds(alone, measure="accuracy"))
    assert p.rest[0, 0] == pytest.approx(4 / 1 / 4)  # mean square 4 on 1 df, over 4 scores
    assert p.items[0, 0] == p.runs[0, 0] == 0
    assert p.of_runs[0, 0] == 0  # taken off, and not below zero


def test_parts_against_the_expected_mean_squares_of_simulated_scores():
    rng = np.random.default_rng(1)
    s_run, s_item, s_rest, runs, items = 0.5, 1.0, 2.0, 6, 40
    totals = np.zeros(3)
    for _ in range(300):
        y = s_run * rng.normal(size=(runs, 1, 2)) + s_item * rng.normal(size=(1, items, 2))
        p = parts(of_seeds(y + s_rest * rng.normal(size=(runs, items, 2)), measure="accuracy"))
        totals += [np.trace(m) / 2 / 300 for m in (p.items, p.runs, p.rest)]
    rest = s_rest**2 / (runs * items)
    expected = [s_item**2 / items + rest, s_run**2 / runs + rest, rest]
    assert totals == pytest.approx(expected, rel=0.06)


def test_unequal_numbers_of_runs_keep_every_run():
    rng = np.random.default_rng(2)
    y = rng.normal(size=(5, 30, 2))
    y[3:, :, 1] = np.nan  # the second has three runs
    e = seed_means(of_seeds(y, measure="accuracy"))
    assert e.values == pytest.approx([y[..., 0].mean(), y[:3, :, 1].mean()])
    assert parts(of_seeds(y, measure="accuracy")).df_runs.tolist() == [4, 2]


def test_shared_seeds_use_their_covariance():
    rng = np.random.default_rng(3)
    shared = rng.normal(size=(6, 1, 1))  # the luck of a seed, the same for both algorithms
    y = shared + 0.1 * rng.normal(size=(6, 50, 2))
    paired = found(of_seeds(y, measure="accuracy", block="seed-item", how="seeds+paired")).table
    own = found(of_seeds(y, measure="accuracy")).table
    wide = [t["upper"][0] - t["lower"][0] for t in (paired, own)]
    assert wide[0] < wide[1] / 5


@pytest.mark.parametrize(
    ("runs", "of_items", "of_runs", "of_rest"),
    [((5, 5), 0.3, 0.3, 0.3), ((5, 5), 0.0, 0.3, 1.0), ((3, 3), 1.0, 0.0, 1.0)],
)
def test_equal_algorithms_are_told_apart_in_about_five_percent(runs, of_items, of_runs, of_rest):
    rng = np.random.default_rng(4)
    hits, replications = 0, 400
    for _ in range(replications):
        y = of_items * rng.normal(size=(1, 40, 2)) + of_runs * rng.normal(size=(max(runs), 1, 2))
        y = y + of_rest * rng.normal(size=(max(runs), 40, 2))
        e = seed_means(of_seeds(y, measure="accuracy"))
        c = np.array([[1.0, -1.0]])
        t = abs(e.values[0] - e.values[1]) / np.sqrt((c @ e.covariance @ c.T)[0, 0])
        hits += 2 * t_sf(t, e.df_of(c))[0] <= 0.05
    assert hits / replications < 0.05 + 3 * np.sqrt(0.05 * 0.95 / replications)


def test_items_that_a_run_lacks_are_left_out_and_said():
    y = np.random.default_rng(5).normal(size=(3, 10, 2))
    y[0, 4, 1] = np.nan
    layout = arranged(of_seeds(y, measure="accuracy"))
    assert len(layout.values) == 27
    assert notes(layout)["incomplete-items"].items == 1
    assert "1 of 10 items" in say(notes(layout)["incomplete-items"])
    whole = notes(layout)["variance-parts"]
    assert whole.items + whole.runs + whole.rest == pytest.approx(1)


def test_one_run_is_no_replicate():
    with pytest.raises(podium.errors.InferenceError, match="use --sampling items"):
        found(of_seeds(np.random.default_rng(6).normal(size=(1, 10, 2)), measure="accuracy"))


def test_an_interval_of_one_algorithm_has_both_parts():
    row = intervals(of_seeds(ADDED, measure="accuracy")).iloc[0]
    assert (row["mean"], row["method"], row["blocks"]) == (4.0, "training runs x items", 4)
    assert row["upper"] - row["mean"] > 2 * np.sqrt(5)


# -- tables -----------------------------------------------------------------------------------


def table(**columns):
    return podium.read({k: list(v) for k, v in columns.items()}, sampling="seeds", measure="acc")


def test_a_table_of_seeds_and_items_is_crossed():
    rows = [(a, s, i) for a, n in (("x", 3), ("y", 2)) for s in range(n) for i in "pqrs"]
    rng = np.random.default_rng(7)
    model, seed, item = zip(*rows, strict=True)
    results = table(model=model, seed=seed, item=item, value=rng.random(len(rows)))
    found = podium.compare(results)
    assert (found.procedure, found.target, found.blocks.count) == ("seeds-t", "sample", 12)
    assert results.to_pandas()["item"].tolist()[:2] == ["p", "p"]


def test_seeds_on_one_split_are_unpaired_unless_said():
    scores = {"seed": [1, 2, 3, 4], "a": [1.0, 2, 3, 4], "b": [2.0, 3, 4, 6]}
    own = podium.compare(podium.read(scores, sampling="seeds", measure="log-likelihood"))
    both = podium.compare(podium.read(scores, sampling="seeds+paired", measure="log-likelihood"))
    assert (own.procedure, own.blocks.sampling) == ("games-howell", "seeds:4")
    assert own.target == both.target == "sample"
    assert both.table["p"][0] < own.table["p"][0]
    assert "new training runs on these training data" in own.statement
    with pytest.raises(podium.errors.InferenceError, match="share one split"):
        podium.compare(
            podium.read(scores, sampling="seeds", measure="log-likelihood"), target="population"
        )


def test_seeds_within_data_sets_weigh_data_sets_alike_and_lose_nothing():
    rows = [("d1", "a", 1, 1.0), ("d1", "a", 2, 3.0), ("d1", "b", 7, 0.0), ("d1", "b", 8, 1.0)]
    rows += [("d1", "b", 9, 5.0), ("d2", "a", 1, 10.0), ("d2", "b", 1, 8.0), ("d2", "b", 2, 10.0)]
    names = ("dataset", "model", "seed", "loglikelihood")
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    found = podium.compare(podium.read(columns, sampling="seeds"))
    assert found.means == {"a": (2 + 10) / 2, "b": (2 + 9) / 2}
    assert "incomplete-samples" not in {n.code for n in found.warnings}


def test_seeds_within_splits_are_averaged_and_their_parts_told():
    rows = [("a", f, s, 10.0 * f + s) for f in (1, 2, 3) for s in (0, 2)]
    rows += [("b", f, s, 10.0 * f + s + 1) for f in (1, 2, 3) for s in (0, 2)]
    names = ("model", "fold", "seed", "loglikelihood")
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    results = podium.read(columns, sampling="cv:3")
    assert results.wide("loglikelihood")["a"].tolist() == [11.0, 21.0, 31.0]
    note = {n.code: n for n in podium.compare(results).warnings}["seeds-averaged"]
    assert (note.least, note.most) == (2, 2)
    assert note.seeds == pytest.approx(np.sqrt(2))  # 0 and 2
    assert note.splits == pytest.approx(np.sqrt(100 - 1))  # 100 between, less 2 / 2 of seeds
    with pytest.raises(podium.errors.ResultsError, match="how the splits were drawn"):
        podium.read(columns, sampling="seeds")


# -- runs one after the other -----------------------------------------------------------------


def test_drift_is_the_rank_correlation_with_the_order():
    assert drift(np.array([1.0, 2, 3, 5, 4])) == pytest.approx((0.9, 0.03738607), abs=1e-6)  # R


def test_neighbours_that_resemble_each_other_are_seen_and_a_trend_is_none():
    waves = np.sin(np.arange(40) / 4)
    assert neighbours(waves)[1] < 1e-4
    assert neighbours(np.arange(40.0)) == (0.0, 1.0)
    assert neighbours(np.ones(10)) == (0.0, 1.0)


def test_the_checks_of_runs_hold_their_level():
    rng = np.random.default_rng(8)
    runs = rng.exponential(size=(600, 20))
    assert np.mean([drift(r)[1] <= 0.05 for r in runs]) < 0.08
    assert np.mean([neighbours(r)[1] <= 0.05 for r in runs]) < 0.08


def test_runs_that_drift_and_medians_that_disagree_are_cautions():
    rng = np.random.default_rng(9)
    warm = 2 - np.arange(20) / 20 + 0.01 * rng.normal(size=20)
    wild = np.r_[np.full(18, 1.0), 30, 30] + 0.01 * rng.normal(size=20)
    layout = made(
        ragged(warm, rng.permutation(wild)), block="independent-timed-run", measure="time"
    )
    codes = {n.code: n for n in run_order_notes(layout)}
    assert [name for name, _ in codes["drift"].by] == ["a"]
    assert "a falls" in say(codes["drift"])
    assert codes["medians-disagree"].pairs == (("a", "b"),)
    assert dict(codes["medians"].by)["b"] == pytest.approx(1.0, abs=0.02)


def test_drift_is_spearmans_correlation_at_a_level_shared_by_all():
    """Of two algorithms each is checked at 0.025; runs fall or grow in the measure's own sign."""
    said = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        runs = rng.normal(size=(14, 2)) + np.linspace(0, 2, 14)[:, None] * [1, -0.5]
        layout = made(runs, block="independent-timed-run", measure="time")
        notes = {note.code: note for note in run_order_notes(layout)}
        found = [stats.spearmanr(own, np.arange(14)) for own in runs.T]
        wanted = {n: f.statistic for n, f in zip("ab", found, strict=True) if f.pvalue <= 0.025}
        told = dict(notes["drift"].by) if "drift" in notes else {}
        assert told == pytest.approx(wanted)
        said += len(told)
    assert 5 < said < 55


def test_neighbours_alike_leave_fewer_runs_worth():
    """Where each passes on the share r to the next, n runs are worth n (1 - r) / (1 + r)."""
    slow = np.repeat([3.0, 1.0, 4.0, 1.5, 5.0, 2.0], 4) + np.tile([0.0, 0.01, 0.02, 0.03], 6)
    quick = np.random.default_rng(5).permutation(slow)
    layout = made(np.column_stack([slow, quick]), block="independent-timed-run", measure="time")
    (note,) = [n for n in run_order_notes(layout) if n.code == "autocorrelation"]
    ((name, r),) = note.by
    assert (name, r) == ("a", pytest.approx(neighbours(slow)[0]))
    assert note.worth == pytest.approx((1 - r) / (1 + r))
    z = (r + 2 / 24) / (np.sqrt(22) / 23)
    assert neighbours(slow)[1] == pytest.approx(stats.norm.sf(z))


@pytest.mark.parametrize(("shift", "turned"), [(-0.1, True), (0.0, False), (0.1, False)])
def test_medians_disagree_where_they_turn_the_means(shift, turned):
    one = np.array([1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8])
    other = one + shift
    other[-1] += 3.0  # which the mean sees alone
    layout = made(np.column_stack([one, other]), block="independent-timed-run", measure="time")
    notes = {note.code: note for note in run_order_notes(layout)}
    assert dict(notes["medians"].by) == pytest.approx({"a": 1.4, "b": 1.4 + shift})
    assert ("medians-disagree" in notes) == turned


def test_what_a_round_shares_is_no_drift():
    common = np.arange(20.0)[:, None]
    rounds = common + np.random.default_rng(10).normal(size=(20, 3))
    layout = made(rounds, block="timed-run", measure="time")
    assert "drift" not in {n.code for n in run_order_notes(layout)}


def test_medians_have_the_variance_of_price_and_bonett():
    layout = made(
        ragged(np.arange(1.0, 11), np.arange(2.0, 13)),
        block="independent-timed-run",
        measure="log-likelihood",
    )
    row = found(layout, "medians").table.iloc[0]
    # n = 10: c = round(5.5 - 3.16) = 2, P(B <= 1) = 11/1024; the order statistics 2 and 9
    # n = 11: c = round(6 - 3.32) = 3, P(B <= 2) = 67/2048; the order statistics 4 and 10
    z = [-NormalDist().inv_cdf(p) for p in (11 / 1024, 67 / 2048)]
    se = np.hypot(7 / 2 / z[0], 6 / 2 / z[1])
    assert row["estimate"] == pytest.approx(5.5 - 7)
    assert row["upper"] - row["estimate"] == pytest.approx(1.959964 * se, rel=1e-5)
