"""Layouts: of stores and of tables, of samples, folds, repetitions, items and data sets."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from layouts_made import made, noise
from scipy import stats
from sklearn.dummy import DummyClassifier
from sklearn.tree import DecisionTreeClassifier

import podium
from podium import Layout, Measure, PodiumError, Results, compare, layout
from podium import read as read_table
from podium.core.inference.bricks.estimates import test_train_ratio as train_ratio
from podium.core.inference.comparing.legality import stated
from podium.core.inference.layouts import clustered, spread_note, without_rounding
from podium.core.results.measure_names import known_measure
from podium.core.words.facts import CAUTION, REMARK
from podium.core.words.saying import say
from podium.core.words.statements import statement
from podium.errors import InferenceError

pytestmark = pytest.mark.filterwarnings("error")


def table(values: np.ndarray, sampling: str, measure: str = "regret", **heads: Any) -> Results:
    """The results of a wide table."""
    names = "abcdef"[: values.shape[1]]
    frame = pd.DataFrame(values, columns=list(names))
    for place, (head, column) in enumerate((heads or {"sample": range(len(values))}).items()):
        frame.insert(place, head, column)
    lower = False if measure == "regret" else None
    return read_table(frame, sampling=sampling, measure=measure, higher_is_better=lower)


def survey(scores: dict[str, np.ndarray], sampling: str = "bootstrap") -> Results:
    """The results of several data sets, samples x algorithms each."""
    rows = [
        (name, "abcdef"[j], i + 1, values[i, j])
        for name, values in scores.items()
        for i, j in itertools.product(*map(range, values.shape))
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "algorithm", "sample", "value"])
    return read_table(frame, sampling=sampling, measure="regret", higher_is_better=False)


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    data = [podium.dataset(n, X, (X[:, 0] + k > 0).astype(int)) for n, k in (("u", 0), ("v", 0.3))]
    algorithms = {"tree": DecisionTreeClassifier(), "majority": DummyClassifier()}
    study = podium.Study(
        data,
        algorithms,
        sampling="repeated-cv:3x2",
        measures=["error", "accuracy"],
        population="small problems",
    )
    path = tmp_path_factory.mktemp("stores") / "s.db"
    podium.run(study, path, quiet=True, jobs=0)
    return path


def test_a_store_of_one_data_set_has_folds_and_knows_its_rows(stored: Path) -> None:
    results = podium.read(stored)
    folds = layout(results, measure="error", dataset="v")
    assert (folds.block, folds.target, folds.origin.dataset) == ("fold", "population", "v")
    assert folds.origin.rows == 40
    assert folds.origin.population == "small problems"
    assert folds.algorithms == ("tree", "majority")
    expected = -results.filter(dataset="v").wide("error")[["tree", "majority"]].to_numpy()
    np.testing.assert_array_equal(folds.values, expected)  # larger is better
    gains = layout(results, measure="accuracy", dataset="v")
    np.testing.assert_allclose(gains.values, 1 + folds.values)
    assert (gains.sign, folds.sign) == (1, -1)
    assert folds.means()["tree"] == pytest.approx(1 - gains.means()["tree"])


def test_a_store_of_folds_has_repetitions_and_of_data_sets_their_means(stored: Path) -> None:
    results = podium.read(stored)
    repeated = layout(results, measure="error", dataset="u", target="sample")
    folds = layout(results, measure="error", dataset="u")
    assert (repeated.block, repeated.target) == ("repetition", "sample")
    np.testing.assert_allclose(repeated.values, folds.values.reshape(3, 2, 2).mean(axis=1))
    assert [n.code for n in repeated.notes] == ["averaged"]
    both = layout(results, measure="error")
    assert (both.block, both.target, both.origin.dataset) == ("dataset", "dataset-population", "")
    np.testing.assert_allclose(both.values[0], folds.values.mean(axis=0))
    assert "Up to 6 samples were averaged" in say(both.notes[0])


def test_times_are_measures_of_a_store(stored: Path) -> None:
    times = layout(podium.read(stored), measure="fit-time", dataset="u")
    assert (times.values < 0).all()
    assert times.measure.unit == "s"


@pytest.mark.parametrize(
    ("sampling", "block", "target"),
    [
        ("bootstrap", "resample", "sample"),
        ("subsampling:0.8", "resample", "sample"),
        ("competition", "resample", "sample"),
        ("bootstrap-cv", "resample", "sample"),
        ("simulation", "simulation", "population"),
        ("cv:6", "fold", "population"),
        ("repeated-cv:3x2", "fold", "population"),
        ("loo", "fold", "population"),
    ],
)
def test_the_sampling_says_what_a_block_is_and_the_honest_target(
    sampling: str, block: str, target: str
) -> None:
    found = layout(table(noise(6, 2), sampling))
    assert (found.block, found.target) == (block, target)
    assert found.values.shape == (6, 2)
    asked = layout(table(noise(6, 2), sampling), target="test-set")
    assert asked.target == "test-set"  # whether that is legal is not a layout's business


def test_items_are_blocks_of_their_own_and_keep_their_clusters() -> None:
    values = noise(6, 2) > 0
    frame = pd.DataFrame(values.astype(float), columns=["a", "b"])
    frame.insert(0, "item", list("uvwxyz"))
    frame.insert(1, "cluster", list("ppqqqr"))
    results = read_table(frame, sampling="items", columns={"cluster": "cluster"})
    found = layout(results)
    assert (found.block, found.target, found.measure.name) == ("item", "test-set", "accuracy")
    assert found.items.clusters is not None
    averaged = clustered(found)
    np.testing.assert_allclose(
        averaged.values, [values[:2].mean(axis=0), values[2:5].mean(axis=0), values[5]]
    )
    assert say(averaged.notes[-1]) == "6 items were averaged within 3 clusters."
    assert clustered(averaged) is averaged


def test_repetitions_need_several_whole_cross_validations() -> None:
    for sampling in ("cv:6", "loo", "repeated-cv:1x6"):
        with pytest.raises(InferenceError, match=f"folds of '{sampling}' are dependent"):
            layout(table(noise(6, 2), sampling), target="sample")
    halves = layout(table(noise(10, 2), "5x2cv"), target="sample")
    assert halves.values.shape == (5, 2)


def test_repeats_and_folds_of_a_table_may_come_in_any_order() -> None:
    values = noise(6, 2)
    repeats, folds = np.repeat([1, 2, 3], 2), np.tile([1, 2], 3)
    order = [4, 0, 3, 5, 2, 1]
    shuffled = table(values[order], "repeated-cv", repeat=repeats[order], fold=folds[order])
    assert str(shuffled.sampling) == "repeated-cv:3x2"
    found = layout(shuffled, target="sample").values
    by_repeat = -values.reshape(3, 2, 2).mean(axis=1)
    np.testing.assert_allclose(np.sort(found, axis=0), np.sort(by_repeat, axis=0))


def test_a_repetition_with_a_missing_fold_is_missing() -> None:
    values = noise(6, 2)
    values[1, 0] = np.nan
    found = layout(table(values, "repeated-cv:3x2"), target="sample")
    assert np.isnan(found.values).tolist() == [[True, False], [False, False], [False, False]]
    np.testing.assert_allclose(found.values[1:], -values.reshape(3, 2, 2)[1:].mean(axis=1))


def test_a_single_split_and_an_unknown_sampling_have_no_replicates() -> None:
    with pytest.raises(InferenceError, match=r"One split \('holdout:0.7'\) has no replicates"):
        layout(table(noise(1, 2), "holdout:0.7"))
    unsaid = read_table({"a": [1.0, 2], "b": [2.0, 3]}, measure="regret", higher_is_better=False)
    with pytest.raises(InferenceError, match=r"Add --sampling \(in Python sampling=\)"):
        layout(unsaid)
    folds = pd.DataFrame({"fold": [1, 2, 3], "a": [0.1, 0.2, 0.4], "b": [0.2, 0.3, 0.3]})
    with pytest.raises(InferenceError, match=r"3 folds \('fold'\) .* add --sampling cv:3 "):
        layout(read_table(folds, measure="error"))
    assert layout(read_table(folds, measure="error", sampling="cv:3")).values.shape == (3, 2)


def test_samples_of_data_sets_are_averaged_over_those_that_all_algorithms_have() -> None:
    one, two, three = noise(3, 3, 1), noise(3, 3, 2), noise(3, 3, 3)
    one[0, 1] = np.nan  # this sample is left out for all
    two[:, 2] = np.nan  # this algorithm never worked here
    two[1, 0] = np.nan
    three[0, 0] = three[1, 1] = three[2, 2] = np.nan  # no sample is whole: each has its own mean
    found = layout(survey({"one": one, "two": two, "three": three}))
    np.testing.assert_allclose(found.values[0], -one[1:].mean(axis=0))
    np.testing.assert_allclose(found.values[1, :2], -two[[0, 2], :2].mean(axis=0))
    assert np.isnan(found.values[1, 2])
    np.testing.assert_allclose(found.values[2], -np.nanmean(three, axis=0))
    codes = {n.code: say(n) for n in found.notes}
    assert codes["incomplete-samples"] == "2 samples lack a score and were left out."
    assert {n.code: n for n in found.notes}["uneven-samples"].datasets == 2


def test_one_score_per_data_set_needs_no_sampling() -> None:
    frame = pd.DataFrame({"dataset": ["x", "y", "z"], "a": [1.0, 2, 3], "b": [2.0, 1, 5]})
    found = layout(read_table(frame, measure="reward", higher_is_better=True))
    assert (found.block, found.origin.sampling, found.notes) == ("dataset", None, ())
    np.testing.assert_array_equal(found.values, [[1, 2], [2, 1], [3, 5]])


def test_blocks_that_were_not_run_yet_are_no_gaps() -> None:
    values = noise(8, 2)
    values[5:] = np.nan
    found = layout(table(values, "bootstrap:8"))
    assert found.values.shape == (5, 2)
    assert not found.has_gaps
    assert podium.compare(found).procedure == "hull"
    assert [n.code for n in found.notes] == ["empty-blocks"]
    values[:] = np.nan
    with pytest.raises(InferenceError, match="There is no score of 'regret' to compare"):
        podium.compare(table(values, "bootstrap:8"))


def test_gaps_stay_and_are_counted() -> None:
    values = noise(5, 3)
    values[1, 2] = np.nan
    found = layout(table(values, "bootstrap"))
    assert found.has_gaps
    assert found.means()["c"] == pytest.approx(np.nanmean(values[:, 2]))
    assert "1 of 5 rows lacks a score (c: 1)" in say(found.complete().notes[0])
    assert found.filled().notes[0].code == "worst-case-values"
    whole = found.complete()
    assert whole.complete() is whole.filled() is whole


def test_means_of_an_algorithm_without_scores_are_missing_without_a_warning() -> None:
    values = noise(5, 2)
    values[:, 1] = np.nan
    assert np.isnan(made(values).means()["b"])
    assert np.isnan(made(np.empty((0, 2))).means()["a"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target": "samples"}, r"'samples' is not a target\. Did you mean 'sample'\?"),
        ({"measure": "acuracy"}, r"not a measure of these results\. Did you mean 'accuracy'\?"),
        ({}, r"2 measures \(error, accuracy\): say which one, as in --measure error"),
        ({"dataset": "w", "measure": "error"}, r"'w' is not a dataset"),
    ],
)
def test_what_a_layout_is_asked_for_must_exist(
    stored: Path, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(PodiumError, match=message):
        layout(podium.read(stored), **options)


def test_infinite_scores_are_refused() -> None:
    results = table(noise(5, 2), "bootstrap")
    endless = results.scores.assign(value=results.scores["value"].mask(results.scores.index == 3,
                                                                      np.inf))  # fmt: skip
    broken = Results(endless, results.runs, results.failures, results.warnings, results.sampling,
                     results.measures)  # fmt: skip
    with pytest.raises(InferenceError, match="'regret' has infinite scores"):
        layout(broken)


def test_a_part_of_a_layout_keeps_everything_else() -> None:
    whole = made(noise(4, 3), dataset="d", rows=9)
    part = whole.only([2, 0])
    assert isinstance(part, Layout)
    assert part.algorithms == ("c", "a")
    np.testing.assert_array_equal(part.values, whole.values[:, [2, 0]])
    assert (part.origin.dataset, part.origin.rows, part.block) == ("d", 9, "resample")


def test_a_hundred_thousand_items_are_laid_out_quickly() -> None:
    values = noise(100_000, 5)
    results = table(values, "items", item=range(100_000))
    np.testing.assert_array_equal(layout(results).values, -values)


# -- designs that look like others ---------------------------------------------------------------


def study_results(scores: pd.DataFrame, how: str, facts: dict[str, dict[str, object]]) -> Results:
    return replace(read_table(scores, sampling=how), facts=facts)


def long_scores(*datasets: str) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    rows = [(d, s, a, rng.random()) for d in datasets for s in range(1, 11) for a in "ab"]
    return pd.DataFrame(rows, columns=["dataset", "sample", "algorithm", "error"])


def test_training_sizes_of_one_data_set_are_no_sample_of_data_sets() -> None:
    facts = {f"iris [{n}]": {"n": 150, "of": "iris", "size": n} for n in (10, 30)}
    results = study_results(long_scores(*facts), "repeated-cv:2x5", facts)
    with pytest.raises(InferenceError, match=r"training sizes of one data set, not two data sets"):
        layout(results)
    found = layout(results, dataset="iris [10]")
    assert "learn from 10 rows" in statement(stated(found, None))
    assert train_ratio(found) == pytest.approx(30 / 10)  # 30 rows tested, 10 learned from
    share = replace(found, origin=replace(found.origin, size=0.1))
    assert train_ratio(share) == pytest.approx(30 / 12)
    assert "10 % of the rows of each sample" in statement(stated(share, None))


def test_fresh_samples_on_one_test_sample_are_training_sets() -> None:
    for fresh, block in ((True, "simulation"), (False, "training-set")):
        facts = {"twonorm": {"n": 100, "fresh_test": fresh}}
        assert layout(study_results(long_scores("twonorm"), "simulation:10", facts)).block == block


def test_merged_samples_are_of_the_merged_size() -> None:
    facts = {"monks": {"n": 122, "n_test": 432}}
    found = layout(study_results(long_scores("monks"), "bootstrap-2n:10", facts))
    assert found.origin.rows == 554


def test_an_origin_without_any_score_is_a_gap_in_the_series() -> None:
    scores = long_scores("series")
    scores.loc[scores["sample"] == 4, "error"] = np.nan
    found = layout(study_results(scores, "rolling-origin:10", {}))
    assert len(found.values) == 10
    with pytest.raises(InferenceError, match="at every origin"):
        compare(found)


COST = known_measure("cost")


def test_costs_with_a_long_tail_are_cautioned_where_spreads_differ() -> None:
    """Skewness by scipy; from 1.5 times the least sd over mean on spreads are unlike."""
    tail = np.array([1.0] * 19 + [9.0])
    for width, severity in ((1.0, REMARK), (1.45, REMARK), (1.6, CAUTION)):
        mean = tail.mean()
        values = np.column_stack([mean + width * (tail - mean), 3 * tail])  # 3 moves no spread
        note = spread_note(made(values, block="item", measure=COST))
        assert note is not None
        assert (note.severity, note.measure) == (severity, "cost")
        assert note.skewness == pytest.approx(stats.skew(tail))
    flat = np.linspace(1.0, 2.0, 20)[:, None] + np.zeros(2)
    assert spread_note(made(flat, block="item", measure=COST)) is None
    assert spread_note(made(np.column_stack([tail, tail]), measure="accuracy")) is None
    assert spread_note(made([[1.0, 2.0], [9.0, 1.0]], measure=COST)) is None, "two are too few"


@pytest.mark.parametrize(("cheap", "said"), [(5, False), (6, True)])
def test_costs_are_skewed_from_a_skewness_of_two_on(cheap: int, said: bool) -> None:
    """One of n of another size has the skewness (n - 2) / √(n - 1): 1.79 of six, 2.04 of seven."""
    costs = np.array([1.0] * cheap + [9.0])
    free = np.zeros(cheap + 1)  # which costs nothing, and tells nothing of spreads
    for unit in (1.0, 1e-6):
        values = unit * np.column_stack([free, costs])
        note = spread_note(made(values, block="item", measure=COST))
        assert (note is not None) == said
        if note is not None:
            assert (note.algorithm, note.severity) == ("b", REMARK)
            assert note.skewness == pytest.approx((cheap - 1) / cheap**0.5)


def test_choices_of_two_are_those_between_them() -> None:
    pairs = ["ab", "bc", "ca", "ab", "ba", "cb", "ca", "bc"]
    frame = pd.DataFrame(
        {"model_a": [p[0] for p in pairs], "model_b": [p[1] for p in pairs], "winner": "model_a"}
    )
    whole = layout(read_table(frame))
    places = [whole.algorithms.index(name) for name in "ab"]
    two = whole.only(places)
    assert (two.algorithms, len(two.values)) == (("a", "b"), 3)
    assert two.means() == {"a": pytest.approx(2 / 3), "b": pytest.approx(1 / 3)}
    assert len(whole.only(places[:1]).values) == 8, "of one all are kept"
    assert len(whole.only(range(3)).values) == 8


@pytest.mark.parametrize(
    ("measure", "shared", "own"),
    [
        (Measure("points", True, (-50.0, 90.0)), 3.0, -50.0),
        (Measure("faults", False, (-9.0, 40.0)), 7.0, 40.0),
        (Measure("gain", True), 3.0, 2.0),
        (Measure("loss"), 7.0, 8.0),
    ],
)
def test_a_missing_score_is_the_worst_of_its_row_or_the_worst_there_can_be(
    measure: Measure, shared: float, own: float
) -> None:
    """Where rows are not shared: the bound of the measure or, without one, the worst seen."""
    values = np.array([[5.0, 6.0, 4.0], [np.nan, 7.0, 3.0], [8.0, 2.0, 5.0]])
    for block, worst in (("resample", shared), ("independent-resample", own)):
        found = made(values, block=block, measure=measure).filled()
        assert found.sign * found.values[1, 0] == worst
        assert found.sign * found.values[1, 1] == 7.0
        (note,) = found.notes
        assert (note.scores, note.lacking, note.shared) == (1, (("a", 1),), block == "resample")
        assert note.value == own
    nobody = np.where(np.arange(3)[:, None] == 1, np.nan, values)
    nothing = made(nobody, measure=measure).filled()
    assert set(nothing.sign * nothing.values[1]) == {own}, "nor where a row has no score"


def test_means_are_weighed_by_the_data_sets_that_an_algorithm_has() -> None:
    values = np.array([[1.0, 2.0], [3.0, np.nan], [10.0, 4.0]])
    weighed = made(values, block="dataset", measure=Measure("gain", True),
                   weights=np.array([2.0, 3.0, 5.0]))  # fmt: skip
    assert weighed.means() == {"a": pytest.approx(6.1), "b": pytest.approx(24 / 7)}


def test_scores_are_told_apart_by_ten_digits_of_the_largest() -> None:
    for size in (1e-30, 1.0, 1e30):
        near, far = (without_rounding(size * np.array([-1, -1 + by])) for by in (3e-11, 3e-10))
        assert near[0] == near[1]
        assert far[0] != far[1]


def test_a_layout_counts_its_missing_scores() -> None:
    values = noise(4, 3)
    for gaps, told in ((0, ""), (1, ", 1 score missing"), (2, ", 2 scores missing")):
        values[:gaps, 0] = np.nan
        heading = repr(made(values)).splitlines()[0]
        assert told in heading
        assert ("missing" in heading) == (gaps > 0)
