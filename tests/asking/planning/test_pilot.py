"""Planning from a pilot: components of variance, allocations, simulated power."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import podium
from podium import PodiumError
from podium.asking.planning.pilot import components
from podium.asking.planning.power import blocks_needed
from podium.core.words.saying import say


def drawn(rng, datasets, samples, between, noise, algorithms=2):
    """Cells of data sets whose differences have these two sds."""
    mean = rng.normal(0, between / np.sqrt(2), (datasets, 1, algorithms))
    return list(mean + rng.normal(0, noise / np.sqrt(2), (datasets, samples, algorithms)))


def table(cells, names="abc"):
    """Cells as a long table of errors."""
    rows = [
        (f"d{d}", names[a], s + 1, 0.5 + cells[d][s, a])
        for d in range(len(cells))
        for s in range(len(cells[d]))
        for a in range(cells[d].shape[1])
    ]
    return pd.DataFrame(rows, columns=["dataset", "algorithm", "sample", "loss"])


def test_components_are_those_of_the_analysis_of_variance():
    cells = drawn(np.random.default_rng(1), 12, 7, 1.0, 2.0)
    row = components(cells, ("a", "b")).iloc[0]
    d = np.array([c[:, 0] - c[:, 1] for c in cells])
    within = d.var(axis=1, ddof=1).mean()
    assert row["sd"] == pytest.approx(d.mean(axis=1).std(ddof=1))
    assert row["resampling_sd"] ** 2 == pytest.approx(within)
    assert row["between_sd"] ** 2 == pytest.approx(row["sd"] ** 2 - within / 7)


@pytest.mark.parametrize(("datasets", "samples", "between"), [(10, 20, 1.0), (20, 5, 0.3)])
def test_the_interval_between_data_sets_covers(datasets, samples, between):
    rng = np.random.default_rng(3)
    found = [
        components(drawn(rng, datasets, samples, between, 1.0), ("a", "b")).iloc[0]
        for _ in range(400)
    ]
    hits = [row["between_lower"] <= between <= row["between_upper"] for row in found]
    assert 0.915 < np.mean(hits) < 0.985


def test_one_sample_per_data_set_cannot_be_taken_apart():
    row = components(drawn(np.random.default_rng(1), 12, 1, 1.0, 2.0), ("a", "b")).iloc[0]
    assert row["sd"] > 0
    assert np.isnan([row["between_sd"], row["resampling_sd"]]).all()


def test_a_pilot_is_planned_by_its_worst_or_its_median_pair():
    rng = np.random.default_rng(5)
    cells = [c * [1, 1, 4] for c in drawn(rng, 15, 1, 1.0, 0.1, algorithms=3)]
    frame = table(cells).drop(columns="sample")
    found = podium.plan(pilot=frame, difference=0.5)
    assert found.plan.sd == found.pairs["sd"].max()
    assert found.plan.comparisons == 3
    assert found.datasets == found.pairs["needed"].max()
    assert (
        podium.plan(pilot=frame, difference=0.5, by="median").plan.sd == found.pairs["sd"].median()
    )
    means = frame.groupby("algorithm")["loss"].mean()
    assert found.pairs["difference"][0] == pytest.approx(means["a"] - means["b"])


def test_samples_within_data_sets_are_told_from_data_sets():
    cells = drawn(np.random.default_rng(6), 12, 10, 0.05, 0.2)
    results = podium.read(table(cells), sampling="subsampling:0.8")
    found = podium.plan(pilot=results, difference=0.05)
    row = components([-c for c in cells], ("a", "b")).iloc[0]
    at = found.allocations.set_index("samples")["datasets"]
    sd = np.sqrt(row["between_sd"] ** 2 + row["resampling_sd"] ** 2 / 5)
    assert at[5] == blocks_needed(0.05, sd, 0.8) + 2  # Hall's t has to agree with t
    assert at.is_monotonic_decreasing
    assert found.best["samples"] == 1  # only a bound on the data sets makes more samples pay
    few = podium.plan(pilot=results, difference=0.05, most=int(at[5]))
    assert few.best["samples"] == 5


def test_folds_count_by_repetitions():
    cells = drawn(np.random.default_rng(6), 6, 20, 0.05, 0.2)
    results = podium.read(table(cells), sampling="repeated-cv:4x5")
    found = podium.plan(pilot=results, difference=0.05).pairs.iloc[0]
    repeats = [c.reshape(4, 5, 2).mean(axis=1) for c in cells]
    row = components(repeats, ("a", "b")).iloc[0]
    assert found["resampling_sd"] == pytest.approx(row["resampling_sd"])
    single = podium.read(table([c[:5] for c in cells]), sampling="cv:5")
    assert np.isnan(podium.plan(pilot=single, difference=0.05).pairs["resampling_sd"][0])


def test_a_finished_study_says_what_it_could_detect():
    frame = table(drawn(np.random.default_rng(8), 20, 1, 0.1, 0.01)).drop(columns="sample")
    found = podium.plan(pilot=frame)
    assert found.plan.solved == "difference"
    assert found.plan.blocks == 20
    assert found.plan.difference == pytest.approx(found.pairs["detectable"].max())


def test_items_are_planned_like_data_sets():
    rng = np.random.default_rng(9)
    frame = pd.DataFrame(rng.random((300, 2)) < [0.8, 0.7], columns=["a", "b"]).astype(int)
    frame.insert(0, "item", range(300))
    found = podium.plan(
        pilot=podium.read(frame, sampling="items", measure="accuracy"), difference=0.05
    )
    sd = (frame["a"] - frame["b"]).std()
    assert found.plan.block == "item"
    assert found.plan.blocks == blocks_needed(0.05, sd, 0.8)
    assert "items show" in repr(found)


def clustered():
    """Errors of 30 clusters of 4 to 12 items, each with a difference of its own."""
    rng = np.random.default_rng(3)
    sizes = rng.integers(4, 13, 30)
    own = np.repeat(rng.normal(0.05, 0.3, 30), sizes)
    frame = pd.DataFrame({"cluster": np.repeat(np.arange(30), sizes), "item": range(len(own))})
    frame["a"] = rng.normal(1, 0.2, len(own)) + own
    frame["b"] = rng.normal(1, 0.2, len(own))
    long = frame.melt(["cluster", "item"], var_name="algorithm", value_name="loss")
    return podium.read(long, sampling="items", higher_is_better=False)


def test_clusters_of_items_are_planned_not_items():
    results = clustered()
    found = podium.plan(pilot=results, difference=0.1)
    t = podium.compare(results, "paired-t").table.iloc[0]
    assert found.plan.block == "cluster"
    assert found.pairs["datasets"][0] == 30
    # the pilot's own standard error is that of the test, but for little
    expected = abs(t["estimate"] / t["statistic"])
    assert found.plan.sd / np.sqrt(30) == pytest.approx(expected, rel=0.01)
    assert "clusters of items show" in repr(found)
    items = len(results.scores) // 2
    more = podium.plan(pilot=results, difference=0.1, items=10 * items)
    assert more.plan.blocks == 300
    assert podium.plan(pilot=results, difference=0.1, items=items, procedure="sign",
                       replications=5).plan.block == "cluster"  # fmt: skip
    with pytest.raises(PodiumError, match="say how many by items, not datasets"):
        podium.plan(pilot=results, difference=0.1, datasets=20)


def test_a_bound_on_data_sets_that_cannot_be_kept_is_said():
    cells = drawn(np.random.default_rng(6), 12, 10, 0.05, 0.2)
    results = podium.read(table(cells), sampling="subsampling:0.8")
    notes = podium.plan(pilot=results, difference=0.05, most=2).notes
    assert "not even 1000 samples" in next(say(n) for n in notes if n.code == "most")
    single = podium.read(table([c[:1] for c in cells]), sampling="subsampling:0.8")
    notes = podium.plan(pilot=single, difference=0.05, most=2).notes
    assert "cannot separate data sets from samples" in say(notes[-1])


def test_a_simulated_plan_says_nothing_about_the_paired_t():
    cells = drawn(np.random.default_rng(6), 12, 5, 0.05, 0.05, algorithms=3)
    results = podium.read(table(cells), sampling="subsampling:0.8")
    found = podium.plan(pilot=results, difference=0.2, datasets=8, procedure="sign", replications=5)
    assert not {"power", "needed", "detectable"} & set(found.pairs)
    assert "levels-of-pairs" not in [note.code for note in found.notes]
    assert say(found.notes[0]).startswith("Power of 'sign', adjusted for 3 pairs, by 5 studies")
    assert len(found.allocations) == 0
    assert found.best == {}


def test_a_shift_that_a_procedure_cannot_bear_is_refused():
    frame = pd.DataFrame(np.random.default_rng(9).integers(0, 2, (50, 2)), columns=["a", "b"])
    frame.insert(0, "item", range(50))
    results = podium.read(frame, sampling="items", measure="accuracy")
    with pytest.raises(PodiumError, match=r"power of 'mcnemar' cannot be simulated.*0 or 1"):
        podium.plan(pilot=results, difference=0.1, procedure="mcnemar")


def test_simulated_power_of_the_t_test_is_that_of_the_formula():
    frame = table(drawn(np.random.default_rng(10), 60, 1, 0.1, 0.01)).drop(columns="sample")
    said = {"difference": 0.06, "datasets": 20}
    formula = podium.plan(pilot=frame, **said).plan.power
    plan = podium.plan(pilot=frame, procedure="paired-t", replications=300, **said).plan
    assert abs(formula - plan.power) < 4 * np.sqrt(0.25 / 300)
    assert plan.notes[0].error == pytest.approx(np.sqrt(plan.power * (1 - plan.power) / 300))


def test_a_small_pilot_does_not_make_simulated_studies_vary_too_little():
    # of 5 blocks, drawing with replacement alone has 4/5 of the variance, and too much power
    frame = table(drawn(np.random.default_rng(3), 5, 1, 0.1, 0.01)).drop(columns="sample")
    said = {"difference": 0.06, "datasets": 60}
    formula = podium.plan(pilot=frame, **said).plan.power
    found = podium.plan(pilot=frame, procedure="paired-t", replications=400, **said).plan.power
    assert abs(formula - found) < 3 * np.sqrt(formula * (1 - formula) / 400)


def test_a_simulated_number_of_data_sets_reaches_its_power():
    frame = table(drawn(np.random.default_rng(10), 30, 1, 0.1, 0.01)).drop(columns="sample")
    found = podium.plan(
        pilot=frame, difference=0.15, procedure="sign", replications=60, seed=1
    ).plan
    assert found.power >= 0.8
    assert found.formula == "simulation of sign"
    assert podium.plan(pilot=frame, difference=0.15, procedure="sign", replications=60, seed=1,
                       datasets=found.datasets - 1).plan.power < 0.8  # fmt: skip
    with pytest.raises(PodiumError, match="has the power of its own number"):
        found.curve()


BY = {"difference": 0.5}


@pytest.mark.parametrize(
    ("change", "said", "message"),
    [
        ({}, {"by": "best"}, "'best' is not"),
        ({"sampling": "bootstrap"}, {"dataset": "d0"}, "data sets, items or simulated"),
        ({"same": True}, {}, "no variance to plan with"),
        ({}, {"datasets": 5, "items": 5}, "not both"),
        ({}, {"procedure": "wilcoxon"}, "needs the difference"),
        ({}, {"procedure": "wilcoxn", **BY}, "Did you mean 'wilcoxon'"),
        ({}, {"procedure": "corrected-t", **BY}, "cannot be simulated.*not valid for data sets"),
        ({}, {"procedure": "sign", "replications": 0, **BY}, "at least 1, not 0"),
        ({}, {"procedure": "sign", "comparisons": 3, **BY}, "comparisons is for the formula"),
        ({}, {"procedure": "sign", "most": 3, **BY}, "most is for the formula"),
        ({}, {"replications": 9, **BY}, "replications: for simulated power"),
        ({}, {"items": 30}, "are data sets: say how many by datasets, not items"),
        ({}, {"datasets": 0, **BY}, "from 2 to 10000000, not 0"),
        ({}, {"most": 1, **BY}, "2 or more, not 1"),
    ],
)
def test_a_pilot_that_shows_nothing_is_refused(change, said, message):
    cells = drawn(np.random.default_rng(1), 5, 4, 1.0, 1.0)
    if change.get("same"):
        cells = [np.zeros((4, 2))] * 5
    results = podium.read(table(cells), sampling=change.get("sampling", "bootstrap"))
    with pytest.raises(PodiumError, match=message):
        podium.plan(pilot=results, **said)


def normal_pilot(effect: float, k: int, blocks: int = 40) -> pd.DataFrame:
    """Data sets whose every pair of algorithms differs by `effect` of its sd."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(blocks, k))
    values -= values.mean(axis=0)
    q = np.linalg.qr(values)[0] * np.sqrt((blocks - 1) / 2)  # independent, differences of sd 1
    frame = pd.DataFrame(0.5 + 0.01 * q, columns=list("abcdef")[:k])
    frame.insert(0, "dataset", [f"d{i}" for i in range(blocks)])
    return frame


@pytest.mark.parametrize(
    ("effect", "k", "needed"),
    # the least n at which the noncentral t at Šidák's level of K(K-1)/2 pairs has 80 %, plus 2
    [(1.0, 2, 12), (1.0, 3, 16), (1.0, 5, 20), (0.5, 2, 36), (0.5, 5, 59)],
)
def test_a_pilot_plans_at_the_level_of_a_pair_with_two_blocks_more(effect, k, needed):
    results = podium.read(normal_pilot(effect, k), measure="accuracy")
    found = podium.plan(pilot=results, difference=0.01 * effect)
    level = 1 - 0.95 ** (2 / (k * (k - 1)))
    n = next(
        n for n in range(3, 200)
        if stats.nct.sf(stats.t.isf(level / 2, n - 1), n - 1, effect * np.sqrt(n))
        + stats.nct.cdf(-stats.t.isf(level / 2, n - 1), n - 1, effect * np.sqrt(n)) >= 0.8
    )  # fmt: skip
    assert found.datasets == n + 2
    assert found.datasets == needed
    codes = {note.code for note in found.notes}
    assert {"plan-of-means", "plan-skewed"} <= codes
    assert ("levels-of-pairs" in codes) == (k > 2)


def test_a_plan_of_one_pair_is_as_it_was():
    assert podium.plan(difference=0.05, sd=0.1, power=0.8).datasets == 34
    assert podium.plan(difference=0.05, sd=0.1, power=0.8, alternative="greater").datasets == 27


def test_several_files_are_one_pilot(tmp_path, capsys):
    from podium.cli.main import main

    paths = []
    for name, shift in (("svm", 0.1), ("knn", 0.0)):
        rows = "".join(f"d{i},{0.7 + shift + 0.01 * (i * 7 % 5) * (1 + shift)}\n" for i in range(8))
        paths.append(tmp_path / f"{name}.csv")
        paths[-1].write_text("dataset,accuracy\n" + rows)
    with pytest.raises(SystemExit) as ended:
        main(["plan", *map(str, paths)])
    assert ended.value.code in (None, 0)
    assert "8 data sets" in capsys.readouterr().out


@pytest.mark.parametrize("count", [9, 10])
def test_the_sd_of_a_pilot_is_doubted_below_ten_blocks(count):
    rng = np.random.default_rng(4)
    frame = pd.DataFrame(rng.normal(0.8, 0.05, (count, 2)), columns=["a", "b"])
    frame.insert(0, "dataset", [f"d{i}" for i in range(count)])
    made = podium.plan(pilot=podium.read(frame, measure="accuracy"), difference=0.05)
    notes = [note for note in made.plan.notes if note.code == "few-blocks"]
    assert [note.blocks for note in notes] == [9] * (count == 9)
    assert made.plan.sd == pytest.approx((frame["a"] - frame["b"]).std(ddof=1))
