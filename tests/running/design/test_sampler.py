"""Training sizes: smaller ones are parts of larger ones, and test rows stay the same."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.tree import DecisionTreeClassifier

import podium
from podium import Study
from podium.errors import DesignError


def made(n=60, name="d", **options):
    y = np.arange(n) % 3
    return podium.dataset(name, np.arange(2.0 * n).reshape(n, 2), y, **options)


def study(data=None, sampling="bootstrap:3", sizes=(10, 20, 40), **options):
    algorithms = {"a": DecisionTreeClassifier()}
    return Study(data or made(), algorithms, sampling=sampling, sizes=sizes, **options)


def samples(given, number=1):
    """The data and split of every size, in ascending order."""
    found = [given.sampler.sample(d, number) for d in given.datasets]
    return [(data, draw.splits[0]) for data, draw in found]


SAMPLINGS = [
    "bootstrap:3",
    "bootstrap:3+stratified",
    "bayesian-bootstrap:3",
    "cv:3",
    "subsampling:3x0.8+stratified",
    "moving-block:3x4",
    "rolling-origin:3x2",
    "training-sets:1x45",
    "bootstrap:3+independent",
]


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_sizes_are_nested_and_tested_on_the_rows_of_the_full_sample(sampling):
    data = made()
    full = Study(data, {"a": DecisionTreeClassifier()}, sampling=sampling).sampler
    for number in (1, 3 if "sets" not in sampling else 1):
        _, draw = full.sample(data, number)
        larger = draw.splits[0]
        for (_, split), size in zip(
            samples(study(data, sampling), number)[::-1], (40, 20, 10), strict=True
        ):
            assert len(split.train) == size
            assert np.array_equal(split.test, larger.test)
            counts = [np.bincount(s.train, minlength=60) for s in (split, larger)]
            assert (counts[0] <= counts[1]).all()
            larger = split


def test_a_share_of_one_is_the_full_sample():
    data = made()
    _, draw = study(data, "bootstrap:3", sizes=()).sampler.sample(data, 2)
    ((_, split),) = samples(study(data, "bootstrap:3", sizes=[1.0]), 2)
    assert np.array_equal(split.train, draw.splits[0].train)


def test_a_process_gives_the_same_rows_to_all_sizes():
    process = podium.process("twonorm", n=50, n_test=20)
    small, large = samples(study(process, "simulation:3", sizes=[0.2, 0.9]))
    assert (len(small[1].train), len(large[1].train)) == (10, 45)
    assert set(small[1].train) <= set(large[1].train)
    assert np.array_equal(small[0].X, large[0].X)
    full = study(process, "simulation:3", sizes=()).sampler.sample(process, 1)[0]
    assert np.array_equal(full.X, small[0].X)


def test_origins_learn_from_the_latest_rows():
    for _, split in samples(study(sampling="rolling-origin:3x2")):
        assert np.array_equal(split.train, np.arange(58 - len(split.train), 58))


def test_moving_blocks_stay_moving_blocks_of_all_of_the_series():
    """Whole blocks, the last ones drawn; only the first of them is cut."""
    data, starts = made(), []
    for number in range(1, 101):
        ((_, split),) = samples(study(data, "moving-block:100x4", [10]), number)
        blocks = [split.train[:2], split.train[2:6], split.train[6:]]
        assert all((np.diff(b) == 1).all() for b in blocks)
        starts += [b[0] for b in blocks[1:]]
    assert min(starts) < 5
    assert max(starts) > 51
    assert np.mean(starts) == pytest.approx(28, abs=4)


@pytest.mark.parametrize("sampling", ["moving-block:9x4", "rolling-origin:9x2"])
def test_the_nearest_row_of_another_class_joins_a_series_of_one_class(sampling):
    y = np.repeat([0, 1], 30)
    given = study(podium.dataset("d", np.ones((60, 1)), y), sampling, [3, 6])
    for number in range(1, 10):
        (_, small), (_, large) = samples(given, number)
        assert set(y[small.train]) == set(y[large.train]) == {0, 1}
        assert (
            np.bincount(small.train, minlength=60) <= np.bincount(large.train, minlength=60)
        ).all()


def test_stratified_sizes_keep_the_shares_of_the_classes():
    y = np.repeat([0, 1], [80, 20])
    data = podium.dataset("d", np.ones((100, 1)), y)
    for _, split in samples(study(data, "cv:2+stratified", sizes=[10, 25, 40])):
        assert abs(y[split.train].mean() - 0.2) <= 1 / len(split.train)


def test_parts_of_weights_are_weights_of_their_size():
    for _, split in samples(study(sampling="bayesian-bootstrap:3")):
        assert split.weights.sum() == pytest.approx(len(split.train))


def test_every_size_has_two_classes_and_stays_nested():
    y = np.array([0] * 57 + [1] * 3)
    data = podium.dataset("d", np.ones((60, 1)), y)
    given = study(data, "subsampling:40x0.7", [2, 5, 20])
    exchanged = 0
    for number in range(1, 41):
        full = Study(data, given.algorithms, sampling=given.sampling).sampler.sample(data, number)
        if len(set(y[full[1].splits[0].train])) == 1:
            continue
        rows = [set(s.train) for _, s in samples(given, number)]
        assert all(len(set(y[list(r)])) == 2 for r in rows)
        assert rows[0] < rows[1] < rows[2]
        exchanged += 1
    assert exchanged > 20


def test_sizes_are_data_sets_with_facts_and_keys_of_their_own():
    given = study(sizes=[40, 10])
    assert [d.name for d in given.datasets] == ["d [10]", "d [40]"]
    assert [(d.facts["of"], d.facts["size"]) for d in given.datasets] == [("d", 10), ("d", 40)]
    assert [d.name for d in study(sizes=[0.125, 1.0]).datasets] == ["d [12.5%]", "d [100%]"]
    plain = study(sizes=())
    assert [d.name for d in plain.datasets] == ["d"]
    keys = [{r.key for r in s} for s in (given, plain)]
    assert len(keys[0]) == 6
    assert not keys[0] & keys[1]
    assert {r.key for r in study(sizes=[10])} < keys[0]  # more sizes leave the others as they are


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ([61], "The size 61 is larger than the 60 rows that samples of 'd' learn from"),
        ([1], "A size is a number of rows from 2, such as 50, or a share up to 1.0, not 1."),
        ([0.0], "or a share up to 1.0, not 0.0."),
        ([1.5], "or a share up to 1.0, not 1.5."),
        ([True], "not True."),
        (["10"], "not '10'."),
        ([10, 0.5], "sizes are all numbers of rows or all shares, not [10, 0.5]."),
        ([10, 10], "sizes holds a size twice: [10, 10]."),
        ("10", "sizes is a list such as [50, 100] or [0.1, 0.5], not '10'."),
    ],
)
def test_wrong_sizes_are_refused(sizes, message):
    with pytest.raises(DesignError) as error:
        study(sizes=sizes)
    assert message in str(error.value)


def test_a_size_that_only_some_samples_have_fails_where_it_is_missing(tmp_path):
    data = made(61, groups=np.repeat([0, 1, 2], [40, 11, 10]))
    given = Study(data, {"a": DummyClassifier()}, sampling="cv:3+grouped", sizes=[30])
    results = podium.run(given, tmp_path / "s.db", quiet=True, jobs=0)
    assert set(results.runs["status"]) == {"done", "failed"}
    assert "has only 21 rows to learn from" in results.failures["message"].iloc[0]
