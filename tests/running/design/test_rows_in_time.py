"""Samples in time: blocks of consecutive rows, and origins at the end of a series."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from podium import dataset, samplings
from podium.running.design.samples.sampler import Sampler

repeatably = settings(derandomize=True, deadline=None, max_examples=60)


def series(n):
    return dataset("series", np.arange(float(n))[:, None], np.arange(n) + 0.5, task="regression")


def splits(sampling, n, seed=1):
    sampler = Sampler(samplings.complete(samplings.parse(sampling)), seed)
    data = series(n)
    return [sampler.sample(data, k)[1].splits[0] for k in range(1, sampler.count(data) + 1)]


@repeatably
@given(st.integers(8, 70), st.integers(1, 7), st.integers(0, 3), st.integers(0, 99))
def test_moving_blocks_are_consecutive_and_rows_near_them_are_not_tested(n, length, gap, seed):
    assume(n > 3 * (length + 2 * gap))  # else too little is left over
    (split,) = splits(f"moving-block:1x{length}x{gap}", n, seed)
    assert len(split.train) == n
    steps = np.diff(split.train)
    assert (np.delete(steps, np.arange(length - 1, n - 1, length)) == 1).all()
    blocks = split.train[::length]  # the last one may be cut
    for row in range(n):
        near = (row >= blocks - gap) & (row < blocks + length + gap)
        assert (row in split.test) == (not near.any())


def test_every_block_is_equally_likely():
    found = splits("moving-block:500x5", 24)
    starts = np.concatenate([s.train[::5] for s in found])
    assert chisquare(np.bincount(starts, minlength=20)).pvalue > 0.001


def test_blocks_of_one_row_are_the_bootstrap():
    """The number of empty cells when n balls fall into n cells."""
    sizes = [len(s.test) for s in splits("moving-block:400x1", 100)]
    assert np.mean(sizes) == pytest.approx(100 * 0.99**100, abs=0.6)


@pytest.mark.parametrize("text", ["10", "1", "7x2", "60", "85"])
def test_as_many_rows_are_tested_as_the_sampling_expects(text):
    """Which is not always 0.368 of them: blocks that are long leave out less or more."""
    sampling = samplings.parse(f"moving-block:400x{text}")
    tested = [len(s.test) for s in splits(str(sampling), 100)]
    expected = sampling.sizes(100)
    assert expected[0] == 100
    assert np.mean(tested) == pytest.approx(expected[1], abs=4 * np.std(tested) / 20 + 1e-6)
    assert sampling.train_share is None


@pytest.mark.parametrize(("samples", "horizon", "gap"), [(5, 1, 0), (4, 3, 0), (3, 2, 4)])
def test_origins_learn_from_all_rows_before_and_test_the_next_ones(samples, horizon, gap):
    found = splits(f"rolling-origin:{samples}x{horizon}x{gap}", 30)
    for split in found:
        origin = split.test[0]
        assert np.array_equal(split.test, np.arange(origin, origin + horizon))
        assert np.array_equal(split.train, np.arange(origin - gap))
    tested = np.concatenate([s.test for s in reversed(found)])  # sample 1 is the last of the series
    assert np.array_equal(tested, np.arange(30 - samples * horizon, 30))


def test_more_origins_leave_the_last_ones_as_they_were():
    few, many = splits("rolling-origin:3x2", 30), splits("rolling-origin:9x2", 30)
    for one, other in zip(few, many, strict=False):
        assert np.array_equal(one.test, other.test)
        assert np.array_equal(one.train, other.train)
