"""Drawn samples: who learns from which rows, who is tested on which, and that nothing leaks."""

import copy

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import beta, chisquare, kstest
from sklearn import model_selection as sk

from podium import dataset, process, samplings
from podium.core.samplings import KINDS
from podium.errors import DesignError
from podium.running.design.samples.sampler import (
    Sampler,
    Size,
    SplitterSplits,
    indices_table,
    read_indices,
    splitter_sampling,
)

repeatably = settings(derandomize=True, deadline=None, max_examples=60)


def made(n=30, *, classes=2, n_test=0, groups=None, name="d"):
    """A data set whose classes take turns; 0 classes is a regression."""
    y = np.arange(n + n_test)
    y = y % classes if classes else y + 0.5
    return labelled(y[:n], name=name, test=y[n:], groups=groups)


def labelled(y, *, name="d", test=(), groups=None):
    X = np.arange(2.0 * (len(y) + len(test))).reshape(-1, 2)
    return dataset(
        name,
        X[: len(y)],
        y,
        test=(X[len(y) :], test) if len(test) else None,
        groups=groups,
        task="classification" if np.asarray(y).dtype.kind in "iu" else "regression",
    )


def draws(sampling, data, seed=1, numbers=None):
    """The samples of a data set; all of them unless numbers are given."""
    sampler = Sampler(samplings.complete(samplings.parse(sampling)), seed)
    return [sampler.sample(data, k)[1] for k in numbers or range(1, sampler.count(data) + 1)]


def splits(*arguments, **options):
    """The splits of samples that have one each."""
    found = draws(*arguments, **options)
    assert all(len(d.splits) == 1 for d in found)
    return [d.splits[0] for d in found]


def same(one, other):
    return len(one) == len(other) and all(
        np.array_equal(u, v)
        for a, b in zip(one, other, strict=True)
        for s, t in zip(a.splits, b.splits, strict=True)
        for u, v in ((s.train, t.train), (s.test, t.test), (s.weights, t.weights))
    )


def partitions(found, n):
    """Whether every row is tested in exactly one of several splits and learned in all others."""
    tested = np.concatenate([s.test for s in found])
    return np.array_equal(np.sort(tested), np.arange(n)) and all(
        np.array_equal(np.sort(np.r_[s.train, s.test]), np.arange(n)) for s in found
    )


RUNNABLE = [
    "bootstrap:6",
    "bootstrap:6+stratified",
    "bootstrap:6+grouped",
    "bootstrap-2n:6",
    "bootstrap-2n:6+stratified",
    "bootstrap-cv:6x3",
    "competition:6",
    "competition:6+stratified",
    "competition:6+grouped",
    "cv:6",
    "seeds:6x0.7",
    "cv:6+stratified",
    "cv:6+grouped",
    "cv:3+stratified+grouped",
    "repeated-cv:3x2",
    "repeated-cv:3x2+stratified+grouped",
    "5x2cv",
    "5x2cv+grouped",
    "subsampling:6x0.6",
    "subsampling:6x0.6+stratified",
    "subsampling:6x0.6+grouped",
    "holdout:0.6",
    "holdout:0.6+grouped",
    "loo",
    "bootstrap-632:6",
    "bootstrap-632plus:6+stratified",
    "bootstrap-whole:6+grouped",
    "bayesian-bootstrap:6",
    "bootstrap:6+independent",
    "moving-block:6x4",
    "moving-block:6x4x1",
    "rolling-origin:6x2",
    "rolling-origin:6x2x3",
    "training-sets:6x4",
    "training-sets:6x4+stratified",
]
FIXED = ("loo", "rolling-origin")  # nothing random about them
every_sampling = pytest.mark.parametrize("sampling", RUNNABLE)


@pytest.fixture(scope="module")
def everything():
    """A data set that every sampling can sample."""
    return made(30, n_test=12, groups=np.arange(30) // 3)


# --- what holds for every sampling ---


def test_the_list_of_samplings_is_complete():
    elsewhere = (
        "simulation",
        "items",
        "preferences",
        "runs",
        "nested-cv",
        "splitter",
        "parametric-bootstrap",
    )
    known = {n for n in KINDS if n not in elsewhere}
    assert {samplings.parse(s).name for s in RUNNABLE} == known


@every_sampling
def test_nothing_is_tested_that_was_learned_and_rows_exist(everything, sampling):
    for draw in draws(sampling, everything):
        for split in draw.splits:
            assert len(split.train) > 0
            assert len(split.test) > 0
            assert set(split.train).isdisjoint(split.test) or "whole" in sampling
            if not sampling.startswith("bootstrap-cv"):  # where copies may share a fold
                assert len(set(split.test)) == len(split.test)
            assert min(split.train.min(), split.test.min()) >= 0
            assert max(split.train.max(), split.test.max()) < 42


@every_sampling
def test_a_sample_depends_on_its_number_and_not_on_what_was_drawn_before(everything, sampling):
    parsed = samplings.complete(samplings.parse(sampling))
    count = Sampler(parsed, 1).count(everything)
    in_order = draws(sampling, everything)
    shared, order = Sampler(parsed, 1), np.random.default_rng(0).permutation(count) + 1
    backwards = {int(k): shared.sample(everything, int(k))[1] for k in order}
    alone = [Sampler(parsed, 1).sample(everything, k)[1] for k in range(1, count + 1)]
    assert same([backwards[k] for k in range(1, count + 1)], in_order)
    assert same(alone, in_order)


@pytest.mark.parametrize(
    ("few", "many"),
    [
        ("bootstrap:3", "bootstrap:50"),
        ("bootstrap:3+stratified", "bootstrap:50+stratified"),
        ("bootstrap-2n:3", "bootstrap-2n:50"),
        ("bootstrap-cv:3x5", "bootstrap-cv:50x5"),
        ("competition:3", "competition:50"),
        ("subsampling:3x0.6", "subsampling:50x0.6"),
        ("repeated-cv:1x5", "repeated-cv:10x5"),
        ("bayesian-bootstrap:3", "bayesian-bootstrap:50"),
        ("moving-block:3x4", "moving-block:50x4"),
        ("rolling-origin:3x2", "rolling-origin:9x2"),
    ],
)
def test_more_samples_leave_the_first_ones_as_they_were(everything, few, many):
    first = draws(few, everything)
    assert same(draws(many, everything)[: len(first)], first)


@every_sampling
def test_other_seeds_and_other_names_draw_other_samples(everything, sampling):
    renamed = made(30, n_test=12, groups=np.arange(30) // 3, name="e")
    one, again = draws(sampling, everything), draws(sampling, everything)
    assert same(one, again)
    if not sampling.startswith(FIXED):
        assert not same(one, draws(sampling, everything, seed=2))
        assert not same(one, draws(sampling, renamed))


@every_sampling
def test_the_same_rows_under_two_names_are_sampled_as_if_each_were_alone(sampling):
    """The memory of a sampler must not carry the folds of one data set to its twin."""
    one, twin = (made(30, n_test=12, groups=np.arange(30) // 3, name=n) for n in "ab")
    sampler = Sampler(samplings.complete(samplings.parse(sampling)), 1)
    sampler.sample(one, 1)
    assert same([sampler.sample(twin, 1)[1]], draws(sampling, twin, numbers=[1]))


@pytest.mark.parametrize("sampling", ["bootstrap:6", "cv:6", "loo"])
def test_the_number_of_a_sample_may_be_a_numpy_integer(everything, sampling):
    plain = draws(sampling, everything, numbers=[2, 3])
    assert same(draws(sampling, everything, numbers=[np.int64(2), np.int32(3)]), plain)


@every_sampling
def test_the_samples_of_a_study_are_counted(everything, sampling):
    expected = {"loo": 30, "5x2cv": 10, "holdout": 1, "cv:3": 3}
    count = next((c for k, c in expected.items() if sampling.startswith(k)), 6)
    sampler = Sampler(samplings.complete(samplings.parse(sampling)), 1)
    assert sampler.count(everything) == count


@pytest.mark.parametrize(
    ("sampling", "tolerance"),
    [
        ("bootstrap:300", 0.5),
        ("bootstrap-2n:300", 0.5),
        ("competition:50", 0),
        ("cv:7", 1e-6),
        ("repeated-cv:3x4", 1e-6),
        ("5x2cv", 1e-6),
        ("loo", 0),
        ("subsampling:20x0.8", 1e-6),
        ("holdout:0.75", 1e-6),
        ("bootstrap-632:300", 0.5),
        ("bootstrap-whole:20", 0),
        ("bayesian-bootstrap:20", 0),
        ("training-sets:5x8", 0),
    ],
)
def test_samples_have_on_average_the_sizes_that_their_sampling_announces(sampling, tolerance):
    found = splits(sampling, made(60, n_test=20))
    sizes = np.mean([[len(s.train), len(s.test)] for s in found], axis=0)
    announced = samplings.parse(sampling).sizes(60, 20)
    assert sizes == pytest.approx(announced, abs=tolerance)


# --- bootstrap ---


def test_a_bootstrap_sample_has_n_rows_and_is_tested_on_all_others():
    for split in splits("bootstrap:50", made(40, n_test=10)):
        assert len(split.train) == 40
        assert np.array_equal(split.test, np.setdiff1d(np.arange(40), split.train))


def test_bootstrap_draws_every_row_equally_often():
    rows = np.concatenate([s.train for s in splits("bootstrap:400", made(50, classes=0))])
    assert chisquare(np.bincount(rows, minlength=50)).pvalue > 0.001


def test_the_out_of_bag_share_is_0_368():
    """Mean and variance of the number of empty cells when n balls fall into n cells."""
    n, samples = 200, 400
    sizes = [len(s.test) for s in splits(f"bootstrap:{samples}", made(n))]
    mean = n * (1 - 1 / n) ** n
    variance = mean + n * (n - 1) * (1 - 2 / n) ** n - mean**2
    assert np.mean(sizes) == pytest.approx(mean, abs=4 * np.sqrt(variance / samples))
    assert np.var(sizes) == pytest.approx(variance, rel=0.3)
    assert np.mean(sizes) / n == pytest.approx(0.368, abs=0.01)


@pytest.mark.parametrize(("sampling", "rows"), [("bootstrap", 30), ("bootstrap-2n", 42)])
def test_a_stratified_bootstrap_keeps_the_numbers_of_every_class(everything, sampling, rows):
    counts = np.bincount(everything.y[:rows])
    for split in splits(f"{sampling}:20+stratified", everything):
        assert np.array_equal(np.bincount(everything.y[split.train]), counts)


def test_a_grouped_bootstrap_draws_whole_groups():
    groups = np.repeat(np.arange(8), [1, 2, 3, 4, 5, 6, 7, 8])
    data = made(36, groups=groups)
    for split in splits("bootstrap:40+grouped", data):
        times = np.bincount(split.train, minlength=36)
        per_group = [set(times[groups == g]) for g in range(8)]
        assert all(len(s) == 1 for s in per_group)
        assert sum(s.pop() for s in per_group) == 8
        assert np.array_equal(split.test, np.flatnonzero(times == 0))


def test_bootstrap_2n_draws_from_learning_and_test_sample_together(everything):
    found = splits("bootstrap-2n:40", everything)
    assert {len(s.train) for s in found} == {42}
    assert {*np.concatenate([s.train for s in found])} == {*range(42)}
    for split in found:
        assert np.array_equal(np.unique(np.r_[split.train, split.test]), np.arange(42))


@pytest.mark.parametrize("option", ["", "+stratified", "+grouped"])
def test_a_competition_is_always_tested_on_the_same_test_sample(everything, option):
    for split in splits(f"competition:20{option}", everything):
        assert np.array_equal(split.test, np.arange(30, 42))
        assert split.train.max() < 30
        assert len(split.train) == 30


@pytest.mark.parametrize("folds", [2, 5])
def test_bootstrap_cv_removes_shared_observations_from_the_validation_fold(folds):
    """The bootstrap sample is rebuilt: its rows are learned from in all folds but one."""
    data = made(60, classes=0)
    shared = 0
    for draw in draws(f"bootstrap-cv:20x{folds}", data):
        assert len(draw.splits) == folds
        learned = np.array([np.bincount(s.train, minlength=60) for s in draw.splits])
        sample, rest = np.divmod(learned.sum(axis=0), folds - 1)
        assert not rest.any()
        assert sample.sum() == 60
        for split, train in zip(draw.splits, learned, strict=True):
            validation = sample - train
            assert abs(validation.sum() - 60 / folds) < 1
            assert np.array_equal(
                np.sort(split.test), np.repeat(np.arange(60), np.where(train, 0, validation))
            )
            shared += ((train > 0) & (validation > 0)).sum()
    assert shared > 0


def test_bootstrap_cv_learns_from_its_announced_share_of_rows():
    found = draws("bootstrap-cv:100x5", made(200))
    share = np.mean([len(set(s.train)) / 200 for d in found for s in d.splits])
    assert share == pytest.approx(samplings.bootstrap_cv(100, 5).train_share, abs=0.01)


def test_empty_validation_folds_are_left_out_and_said():
    found = draws("bootstrap-cv:200x3", made(4, classes=0))
    assert any(d.notes for d in found)
    for draw in found:
        empty = 3 - len(draw.splits)
        assert (f"{empty} of 3 validation folds were empty" in draw.notes) == (empty > 0)


def test_the_whole_learning_sample_is_tested_and_the_test_sample_is_not(everything):
    for draw in draws("bootstrap-whole:20", everything):
        assert np.array_equal(draw.splits[0].test, np.arange(30))
        assert draw.notes[0] == "tested on rows that were learned from, which is optimistic"


@pytest.mark.parametrize("name", ["bootstrap-632", "bootstrap-632plus"])
def test_632_samples_are_bootstrap_samples_with_the_whole_learning_sample_beside(everything, name):
    for draw in draws(f"{name}:20", everything):
        (split,), (beside,) = draw.splits, draw.whole
        assert np.array_equal(split.test, np.setdiff1d(np.arange(30), split.train))
        assert np.array_equal(beside.train, np.arange(30))
        assert np.array_equal(beside.test, np.arange(30))


def test_bayesian_bootstrap_weights_have_the_moments_of_the_flat_dirichlet():
    """w = nD: mean 1, variance (n-1)/(n+1), covariance -1/(n+1), and 1 - D is Beta(n-1, 1)."""
    n, samples = 12, 4000
    found = splits(f"bayesian-bootstrap:{samples}", made(n))
    weights = np.array([s.weights for s in found])
    assert weights.sum(axis=1) == pytest.approx(n)
    assert (weights > 0).all()
    assert weights.mean(axis=0) == pytest.approx(1, abs=5 / np.sqrt(samples))
    covariance = np.cov(weights.T)
    assert np.diag(covariance).mean() == pytest.approx((n - 1) / (n + 1), rel=0.03)
    assert covariance[~np.eye(n, dtype=bool)].mean() == pytest.approx(-1 / (n + 1), rel=0.05)
    assert kstest(1 - weights[:, 0] / n, beta(n - 1, 1).cdf).pvalue > 0.001


def test_the_bayesian_bootstrap_is_optimistic_only_without_a_test_sample(everything):
    alone, with_test = made(30), everything
    (draw,) = draws("bayesian-bootstrap:1", alone)
    assert np.array_equal(draw.splits[0].test, np.arange(30))
    assert "optimistic" in draw.notes[0]
    (draw,) = draws("bayesian-bootstrap:1", with_test)
    assert np.array_equal(draw.splits[0].test, np.arange(30, 42))
    assert draw.notes == ()


# --- training sets ---


@pytest.mark.parametrize("n_test", [0, 7])
def test_training_sets_are_disjoint_and_share_one_test_set(n_test):
    found = splits("training-sets:5x8", made(50, n_test=n_test))
    learned = np.concatenate([s.train for s in found])
    assert len(set(learned)) == 40
    test = np.arange(50, 57) if n_test else np.setdiff1d(np.arange(50), learned)
    assert all(np.array_equal(s.test, test) for s in found)


def test_stratified_training_sets_have_the_shares_of_the_classes():
    y = np.repeat([0, 1, 2], [60, 30, 10])
    for split in splits("training-sets:5x20+stratified", labelled(y)):
        assert np.bincount(y[split.train], minlength=3) == pytest.approx([12, 6, 2], abs=1)


# --- samples of every algorithm's own ---


@pytest.mark.parametrize(
    "sampling", ["bootstrap:2", "competition:2", "subsampling:2x0.5", "moving-block:2x3"]
)
def test_independent_samples_differ_between_algorithms_and_only_then(everything, sampling):
    def drawn(text, algorithm):
        sampler = Sampler(samplings.parse(text), 1)
        return [sampler.sample(everything, k, algorithm)[1] for k in (1, 2)]

    assert same(drawn(sampling, "a"), drawn(sampling, "b"))
    own = f"{sampling}+independent"
    assert same(drawn(own, "a"), drawn(own, "a"))
    assert not same(drawn(own, "a"), drawn(own, "b"))
    assert not same(drawn(own, "a")[:1], drawn(own, "a")[1:])


@pytest.mark.parametrize("fresh", [False, True])
def test_independent_simulations_share_only_a_test_sample_that_is_not_fresh(fresh):
    source = process("twonorm", n=20, n_test=10, fresh_test=fresh)
    sampler = Sampler(samplings.parse("simulation:3+independent"), 1)
    a, b = (sampler.sample(source, 1, name)[0].X for name in "ab")
    assert not np.array_equal(a[:20], b[:20])
    assert np.array_equal(a[20:], b[20:]) is not fresh


# --- several fits ---


def test_every_fit_gets_the_same_rows(everything):
    sampling = samplings.parse("bootstrap-cv:2x3")
    once = Sampler(sampling, 1).sample(everything, 1)[1].splits
    thrice = Sampler(sampling, 1, fits=3).sample(everything, 1)[1].splits
    assert len(thrice) == 3 * len(once)
    for k, split in enumerate(thrice):
        assert np.array_equal(split.train, once[k % len(once)].train)
        assert np.array_equal(split.test, once[k % len(once)].test)


# --- samples that cannot be used ---


def test_a_sample_without_out_of_bag_rows_is_drawn_again_and_says_so():
    """Of two rows, half of the samples hold both: a geometric number of draws with mean 1."""
    found = draws("bootstrap:400", made(2, classes=0))
    again = [int(n.split()[2]) for d in found for n in d.notes if n.startswith("drawn again")]
    assert all(len(d.splits[0].test) == 1 for d in found)
    assert sum(again) / 400 == pytest.approx(1, abs=4 * np.sqrt(2 / 400))
    assert len(again) / 400 == pytest.approx(1 / 2, abs=4 / np.sqrt(4 * 400))


@pytest.mark.parametrize("sampling", ["bootstrap:300", "competition:300", "bootstrap-2n:300"])
def test_a_learning_sample_of_a_single_class_is_drawn_again_and_says_so(sampling):
    data = labelled([0, 0, 0, 0, 1], test=[0, 1])
    found = draws(sampling, data)
    for draw in found:
        assert len(set(data.y[draw.splits[0].train])) == 2
    redrawn = sum(any(n.startswith("drawn again") for n in d.notes) for d in found)
    assert redrawn > 0


def test_redrawing_once_is_said_in_good_english():
    notes = [n for d in draws("bootstrap:100", made(2, classes=0)) for n in d.notes]
    assert not [n for n in notes if "again 1 times" in n]


def test_bootstrap_cv_never_learns_from_a_single_class():
    data = labelled([0] * 7 + [1] * 3)
    for draw in draws("bootstrap-cv:100x2", data):
        assert all(len(set(data.y[s.train])) == 2 for s in draw.splits)


@pytest.mark.parametrize(
    ("data", "sampling", "why"),
    [
        (labelled([0, 1]), "bootstrap:3+stratified", "had no row to test on"),
        (labelled([0.5, 1.5], groups=[1, 1]), "bootstrap:3+grouped", "had no row to test on"),
        (
            labelled([0, 0, 0, 0], test=[1]),
            "competition:3",
            "had a single class to learn from",
        ),
    ],
)
def test_what_can_never_be_sampled_is_refused(data, sampling, why):
    with pytest.raises(DesignError) as error:
        draws(sampling, data, numbers=[2])
    assert str(error.value) == (f"Data set 'd': sample 2 was drawn 1000 times and always {why}.")


LACKING = ["bootstrap:60", "cv:4", "repeated-cv:3x2", "5x2cv", "subsampling:9x0.7", "holdout:0.6"]


@pytest.mark.parametrize("sampling", [*LACKING, "loo", "rolling-origin:3x2", "training-sets:2x3"])
def test_absent_classes_are_noted_in_learning_and_test_sample(sampling):
    """But not the many that a test sample of one row lacks."""
    data = dataset("d", np.ones((9, 1)), ["a", "b"] * 4 + ["rare"])
    assert any(draw.notes for draw in draws(sampling, data))
    for draw in draws(sampling, data):
        (split,) = draw.splits
        seen = {p: {data.classes[c] for c in data.y[getattr(split, p)]} for p in ("train", "test")}
        for part, noun in (("train", "learning"), ("test", "test")):
            gone = [c for c in data.classes if c not in seen[part]]
            note = f"the {noun} sample lacks class {', '.join(gone)}"
            told = part == "train" or len(split.test) > 1
            assert (note in draw.notes) == (bool(gone) and told)


def test_a_usable_sample_needs_no_notes():
    assert [d.notes for d in draws("bootstrap:20", made(60))] == [()] * 20


# --- folds ---


@pytest.mark.parametrize(("n", "folds"), [(10, 10), (23, 5), (30, 7), (11, 2)])
def test_the_folds_of_a_cv_partition_the_rows_into_the_sizes_of_scikit_learn(n, folds):
    found = splits(f"cv:{folds}", made(n, n_test=4))
    assert partitions(found, n)
    reference = [len(test) for _, test in sk.KFold(folds).split(np.empty(n))]
    assert sorted(len(s.test) for s in found) == sorted(reference)


@pytest.mark.parametrize(
    ("sampling", "repeats", "folds"), [("5x2cv", 5, 2), ("repeated-cv:4x3", 4, 3)]
)
@pytest.mark.parametrize("option", ["", "+stratified", "+grouped"])
def test_every_repeat_is_another_partition(everything, sampling, repeats, folds, option):
    found = splits(sampling + option, everything)
    assert len(found) == repeats * folds
    parts = [found[r * folds : (r + 1) * folds] for r in range(repeats)]
    assert all(partitions(part, 30) for part in parts)
    memberships = {frozenset(frozenset(s.test.tolist()) for s in part) for part in parts}
    assert len(memberships) == repeats


def test_a_repeat_of_cv_is_a_cv_of_its_own_and_5x2cv_halves_the_rows():
    found = splits("5x2cv", made(31))
    assert {(len(s.train), len(s.test)) for s in found} == {(15, 16), (16, 15)}
    for one, other in zip(found[::2], found[1::2], strict=True):
        assert np.array_equal(one.train, other.test)


def test_pairs_of_rows_meet_in_a_fold_as_often_as_by_chance():
    n, folds = 12, 3
    found = splits(f"repeated-cv:400x{folds}", made(n, classes=0))
    together = sum(np.isin([0, 11], s.test).all() for s in found) / 400
    expected = (n / folds - 1) / (n - 1)
    assert together == pytest.approx(expected, abs=4 * np.sqrt(expected * (1 - expected) / 400))


def test_leave_one_out_tests_every_row_once_in_order():
    found = splits("loo", made(12, n_test=3))
    assert [s.test.tolist() for s in found] == [[k] for k in range(12)]
    assert partitions(found, 12)


@repeatably
@given(st.lists(st.integers(0, 3), min_size=6, max_size=80), st.integers(2, 6), st.integers(0, 99))
def test_stratified_folds_share_out_every_class_and_all_rows_evenly(y, folds, seed):
    assume(len(set(y)) > 1)
    data = labelled(np.array(y))
    found = splits(f"cv:{folds}+stratified", data, seed=seed)
    assert partitions(found, len(y))
    counts = np.array([np.bincount(data.y[s.test], minlength=4) for s in found])
    assert (np.ptp(counts, axis=0) <= 1).all()
    assert np.ptp(counts.sum(axis=1)) <= 1


@repeatably
@given(
    st.lists(st.integers(0, 9), min_size=8, max_size=80),
    st.integers(2, 4),
    st.booleans(),
    st.integers(0, 99),
)
def test_grouped_folds_never_divide_a_group(groups, folds, stratified, seed):
    assume(len(set(groups)) >= folds)
    y = np.arange(len(groups)) % 2
    if stratified:
        assume(min(np.bincount(y)) >= folds)
    data = labelled(y, groups=groups)
    option = "+stratified+grouped" if stratified else "+grouped"
    found = splits(f"cv:{folds}{option}", data, seed=seed)
    assert partitions(found, len(groups))
    for split in found:
        assert not set(data.groups[split.train]) & set(data.groups[split.test])
        assert len(split.test) > 0


def test_grouped_folds_are_as_even_as_those_of_scikit_learn():
    groups = np.repeat(np.arange(20), np.arange(1, 21))
    found = splits("cv:5+grouped", made(210, groups=groups))
    reference = sk.GroupKFold(5).split(np.empty(210), groups=groups)
    assert sorted(len(s.test) for s in found) == sorted(len(test) for _, test in reference)


def test_stratified_grouped_folds_keep_the_class_shares():
    groups = np.repeat(np.arange(60), 4)
    y = (np.arange(240) % 4 == 0).astype(int)
    for split in splits("cv:5+stratified+grouped", labelled(y, groups=groups)):
        assert np.mean(y[split.test]) == pytest.approx(0.25, abs=0.01)


def test_more_stratified_grouped_folds_than_rows_of_a_class_are_a_design_error():
    data = labelled([0, 1, 0, 1, 0, 1], groups=np.arange(6))
    with pytest.raises(DesignError, match="'d'"):
        draws("cv:4+stratified+grouped", data)


# --- random splits ---


@repeatably
@given(st.integers(2, 60), st.integers(1, 99), st.integers(0, 99))
def test_a_random_split_learns_from_its_share_but_never_from_none_or_all(n, percent, seed):
    (split,) = splits(f"holdout:{percent / 100}", made(n, classes=0), seed=seed)
    assert np.array_equal(np.sort(np.r_[split.train, split.test]), np.arange(n))
    assert abs(len(split.train) - np.clip(n * percent / 100, 1, n - 1)) <= 0.5
    assert 0 < len(split.train) < n


@repeatably
@given(st.lists(st.integers(0, 3), min_size=4, max_size=60), st.integers(1, 99), st.integers(0, 99))
def test_a_stratified_split_takes_the_share_of_every_class_to_within_a_row(y, percent, seed):
    assume(len(set(y)) > 1)
    data = labelled(np.array(y))
    (split,) = splits(f"holdout:{percent / 100}+stratified", data, seed=seed)
    assert np.array_equal(np.sort(np.r_[split.train, split.test]), np.arange(len(y)))
    taken = np.bincount(data.y[split.train], minlength=len(data.classes))
    assert (abs(taken - np.bincount(data.y) * percent / 100) <= 1).all()


@pytest.mark.parametrize(("n", "share"), [(4, 0.1), (6, 0.05), (8, 0.95), (4, 0.99)])
def test_a_stratified_split_never_learns_from_none_or_all(n, share):
    (split,) = splits(f"holdout:{share}+stratified", made(n))
    assert 0 < len(split.train) < n


def test_a_grouped_split_takes_a_share_of_the_groups():
    groups = np.repeat(np.arange(10), np.arange(1, 11))
    data = made(55, groups=groups)
    for split in splits("subsampling:20x0.7+grouped", data):
        learned, tested = set(groups[split.train]), set(groups[split.test])
        assert not learned & tested
        assert (len(learned), len(tested)) == (7, 3)
        assert len(split.train) + len(split.test) == 55


def test_random_splits_take_every_row_equally_often():
    rows = np.concatenate([s.test for s in splits("subsampling:500x0.75", made(40, classes=0))])
    counts = np.bincount(rows, minlength=40)
    deviation = (counts - 125) / np.sqrt(500 * 0.25 * 0.75)
    assert np.abs(deviation).max() < 4


# --- scikit-learn's splitters ---

GROUPS = np.repeat(np.arange(6), 5)
SPLITTERS = [
    sk.KFold(5),
    sk.KFold(5, shuffle=True, random_state=3),
    sk.StratifiedKFold(5, shuffle=True, random_state=3),
    sk.GroupKFold(3),
    sk.StratifiedGroupKFold(3),
    sk.LeaveOneGroupOut(),
    sk.LeavePGroupsOut(2),
    sk.LeaveOneOut(),
    sk.RepeatedKFold(n_splits=3, n_repeats=4, random_state=3),
    sk.RepeatedStratifiedKFold(n_splits=3, n_repeats=4, random_state=3),
    sk.ShuffleSplit(7, test_size=0.25, random_state=3),
    sk.StratifiedShuffleSplit(7, test_size=0.3, random_state=3),
    sk.GroupShuffleSplit(7, random_state=3),
    sk.TimeSeriesSplit(4),
    sk.PredefinedSplit(np.r_[np.full(10, -1), np.arange(20) % 4]),
]
OPEN = [
    sk.KFold(5, shuffle=True),
    sk.RepeatedKFold(n_splits=3, n_repeats=4),
    sk.ShuffleSplit(7, test_size=0.25),
    sk.StratifiedShuffleSplit(7, test_size=0.3),
]


def kind(splitter):
    return type(splitter).__name__


@pytest.mark.filterwarnings("ignore:The groups parameter is ignored")
@pytest.mark.parametrize("splitter", SPLITTERS, ids=kind)
def test_a_splitter_draws_exactly_what_scikit_learn_draws(splitter):
    data = made(30, n_test=5, groups=GROUPS)
    sampler = Sampler(splitter_sampling(splitter), 1, SplitterSplits(splitter))
    expected = list(splitter.split(data.X[:30], data.y[:30], GROUPS))
    assert sampler.count(data) == len(expected)
    for k, (train, test) in enumerate(expected, 1):
        (split,) = sampler.sample(data, k)[1].splits
        np.testing.assert_array_equal(split.train, train)
        np.testing.assert_array_equal(split.test, test)


@pytest.mark.parametrize("splitter", OPEN, ids=kind)
def test_an_open_random_state_follows_from_the_seed_and_the_name(splitter):
    before = copy.deepcopy(vars(splitter))
    make = SplitterSplits(splitter)
    assert same(make(made(), 1), make(made(), 1))
    assert not same(make(made(), 1), make(made(), 2))
    assert not same(make(made(), 1), make(made(name="e"), 1))
    assert vars(splitter) == before


def test_twin_data_sets_are_split_as_if_each_were_alone():
    splitter = sk.KFold(5, shuffle=True)
    shared = Sampler(splitter_sampling(splitter), 1, SplitterSplits(splitter))
    shared.sample(made(name="a"), 1)
    alone = Sampler(splitter_sampling(splitter), 1, SplitterSplits(splitter))
    twin = made(name="b")
    assert same([shared.sample(twin, 1)[1]], [alone.sample(twin, 1)[1]])


@pytest.mark.parametrize(
    ("splitter", "replicate", "share", "folds"),
    [
        (sk.KFold(5), "fold", 0.8, 5),
        (sk.StratifiedGroupKFold(4), "fold", 0.75, 4),
        (sk.RepeatedKFold(n_splits=5, n_repeats=3), "fold", 0.8, 5),
        (sk.ShuffleSplit(7, test_size=0.25), "resample", 0.75, None),
        (sk.ShuffleSplit(7, train_size=0.5), "resample", 0.5, None),
        (sk.ShuffleSplit(7, train_size=0.5, test_size=0.1), "resample", 0.5, None),
        (sk.ShuffleSplit(7), "resample", 0.9, None),
        (sk.GroupShuffleSplit(7), "resample", 0.8, None),
        (sk.LeaveOneOut(), "fold", None, None),
    ],
    ids=lambda v: repr(v)[:60] if hasattr(v, "split") else None,
)
def test_a_splitter_is_known_as_folds_or_random_splits(splitter, replicate, share, folds):
    sampling = splitter_sampling(splitter)
    assert (sampling.replicate, sampling.folds_per_repeat) == (replicate, folds)
    assert sampling.train_share == (None if share is None else pytest.approx(share))


@pytest.mark.parametrize("size", [{"test_size": 30}, {"train_size": 30}])
def test_a_splitter_with_a_number_of_rows_does_not_announce_a_made_up_share(size):
    """30 of the rows is no share of 0.9; how much it is depends on the data."""
    sampling = splitter_sampling(sk.ShuffleSplit(7, **size))
    assert sampling.replicate == "resample"
    assert sampling.train_share is None


def test_a_time_series_splitter_has_no_folds_that_partition_the_data():
    sampling = splitter_sampling(sk.TimeSeriesSplit(4))
    assert sampling.folds_per_repeat is None
    assert sampling.train_share is None


def test_a_repeated_splitter_does_not_count_its_repeats_as_samples():
    sampling = splitter_sampling(sk.RepeatedKFold(n_splits=5, n_repeats=3))
    assert sampling.count in (None, 15)


def test_splitters_are_told_apart_by_kind_and_parameters():
    kinds = [
        sk.KFold(5),
        sk.KFold(6),
        sk.KFold(5, shuffle=True),
        sk.KFold(5, shuffle=True, random_state=1),
        sk.StratifiedKFold(5),
        sk.PredefinedSplit([0, 1]),
        sk.PredefinedSplit([1, 0]),
    ]
    assert len({splitter_sampling(s).identity for s in kinds}) == len(kinds)
    assert splitter_sampling(sk.KFold(5)) == splitter_sampling(sk.KFold(5))


class Own:
    """A user's splitter that yields what it was given."""

    def __init__(self, *pairs):
        self.pairs = pairs

    def get_n_splits(self, X=None, y=None, groups=None):
        return len(self.pairs)

    def split(self, X, y=None, groups=None):
        yield from self.pairs


def test_a_splitter_of_ones_own_may_yield_lists_or_masks():
    mask = np.arange(30) < 20
    for pair in ((list(range(20)), list(range(20, 30))), (mask, ~mask)):
        (draw,) = SplitterSplits(Own(pair))(made(), 1)
        np.testing.assert_array_equal(draw.splits[0].train, np.arange(20))
        np.testing.assert_array_equal(draw.splits[0].test, np.arange(20, 30))


@pytest.mark.parametrize(
    "splitter",
    [
        Own(([0, 1], [30])),
        Own(([0, 1], [-1])),
        Own(([0, 1, 2], [2, 3])),
        Own(([0.0, 1.0], [2.0])),
        Own(5),
        Own(([0, 1], [])),
        Own(([], [0, 1])),
        Own(),
        sk.PredefinedSplit([-1] * 30),
        sk.KFold(31),
    ],
    ids=[
        "beyond",
        "below",
        "both",
        "floats",
        "no pair",
        "no test",
        "no train",
        "nothing",
        "unassigned",
        "folds",
    ],
)
def test_what_a_splitter_cannot_split_is_a_design_error(splitter):
    with pytest.raises(DesignError, match=r"^Data set 'd'"):
        SplitterSplits(splitter)(made(), 1)


def test_a_splitter_that_misses_groups_says_so():
    with pytest.raises(DesignError) as error:
        SplitterSplits(sk.GroupKFold(3))(made(), 1)
    assert str(error.value) == (
        f"Data set 'd' cannot be split by {sk.GroupKFold(3)!r}: "
        "The 'groups' parameter should not be None. Give the group of every row, as in groups=."
    )


def test_a_class_is_no_splitter():
    with pytest.raises(DesignError, match=r"^KFold is a class: give a splitter, KFold\(\)\.$"):
        splitter_sampling(sk.KFold)


def test_a_process_cannot_be_split():
    sampler = Sampler(splitter_sampling(sk.KFold(5)), 1, SplitterSplits(sk.KFold(5)))
    with pytest.raises(DesignError) as error:
        sampler.count(process("twonorm"))
    assert str(error.value) == "Process 'twonorm' can only be sampled by simulation."


# --- simulation ---


@pytest.mark.parametrize("fresh", [False, True])
def test_a_simulation_learns_from_fresh_rows_and_tests_on_fixed_or_fresh_ones(fresh):
    source = process("friedman1", n=20, n_test=30, fresh_test=fresh)
    sampler = Sampler(samplings.simulation(5), 1)
    assert sampler.count(source) == 5
    learned, tested = [], []
    for k in range(1, 6):
        data, draw = sampler.sample(source, k)
        (split,) = draw.splits
        np.testing.assert_array_equal(split.train, np.arange(20))
        np.testing.assert_array_equal(split.test, np.arange(20, 50))
        learned.append(data.X[split.train].tobytes())
        tested.append(data.X[split.test].tobytes())
    assert len(set(learned)) == 5
    assert len(set(tested)) == (5 if fresh else 1)


def test_simulated_samples_do_not_depend_on_order_or_number():
    source = process("twonorm", n=20, n_test=30)
    few, many = Sampler(samplings.simulation(3), 1), Sampler(samplings.simulation(50), 1)
    many.sample(source, 40)
    for k in (3, 1):
        np.testing.assert_array_equal(few.sample(source, k)[0].X, many.sample(source, k)[0].X)
    other = Sampler(samplings.simulation(3), 2).sample(source, 1)[0]
    assert not np.array_equal(other.X, few.sample(source, 1)[0].X)


# --- in files ---


@pytest.mark.parametrize(
    "sampling",
    [
        "bootstrap-632:3",
        "bootstrap-whole:3",
        "moving-block:3x4x1",
        "rolling-origin:3x2",
        "training-sets:3x5",
    ],
)
def test_row_numbers_of_a_file_are_the_samples_that_were_written(everything, sampling, tmp_path):
    parsed = samplings.parse(sampling)
    sampler = Sampler(parsed, 1, fits=2)  # every split is written once
    indices_table((everything,), sampler, parsed).to_csv(tmp_path / "i.csv", index=False)
    read, splits_read = read_indices(tmp_path / "i.csv")
    again = Sampler(read, 1, splits_read)
    assert str(read) == sampling
    found = [again.sample(everything, k)[1] for k in (1, 2, 3)]
    assert same(found, draws(sampling, everything))
    for one, other in zip(found, draws(sampling, everything), strict=True):
        assert len(one.whole) == len(other.whole)
        assert ("optimistic" in str(one.notes)) == ("optimistic" in str(other.notes))


@pytest.mark.parametrize(
    ("sampling", "why"),
    [
        ("bayesian-bootstrap:2", "are weights"),
        ("parametric-bootstrap:2x9", "are rows that are drawn anew"),
        ("bootstrap:2+independent", "are rows of every algorithm's own"),
    ],
)
def test_samples_that_are_more_than_rows_are_not_written_or_read(
    everything, sampling, why, tmp_path
):
    parsed = samplings.parse(sampling)
    with pytest.raises(DesignError, match=why):
        indices_table((everything,), Sampler(parsed, 1), parsed)
    table = indices_table((everything,), Sampler(samplings.bootstrap(2), 1), samplings.bootstrap(2))
    table.assign(sampling=sampling).to_csv(tmp_path / "i.csv", index=False)
    with pytest.raises(DesignError, match=why):
        read_indices(tmp_path / "i.csv")


def test_row_numbers_are_written_for_one_size(everything):
    sampler = Sampler(samplings.bootstrap(2), 1, sizes={"d": Size("d", 5)})
    with pytest.raises(DesignError, match="leave 'sizes' out"):
        indices_table((everything,), sampler, sampler.sampling)


# --- training runs, and nested folds ---


def test_training_runs_share_one_split():
    for sampling, train in (("seeds:3", 30), ("seeds:3x0.8", 24)):
        found = splits(sampling, made(30, n_test=12))
        assert all(np.array_equal(s.train, found[0].train) for s in found)
        assert all(np.array_equal(s.test, found[0].test) for s in found)
        assert len(found[0].train) == train


def test_nested_folds_leave_out_the_outer_and_the_inner_fold():
    found = splits("nested-cv:2x3", made(30))
    assert len(found) == 18
    outer = [found[k * 3 + k].test for k in range(3)]  # of the first repeat
    assert np.array_equal(np.sort(np.concatenate(outer)), np.arange(30))
    pair = found[1]  # outer fold 0, inner fold 1
    assert np.array_equal(pair.test, outer[1])
    assert np.array_equal(np.sort(pair.train), outer[2])
    assert not np.array_equal(found[9].test, found[0].test)  # new folds in the next repeat
