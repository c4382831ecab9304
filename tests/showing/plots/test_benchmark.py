"""The benchmark experiment plot: places, ties, counts and lines as numbers, then the drawing."""

from itertools import pairwise, permutations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from results_made import (
    CASES,
    constant,
    errors,
    fifty,
    gaps,
    one_sample,
    read,
    several,
    six,
    ties,
    two,
    wide,
)
from snapshots import assert_snapshot
from told import sentences

import podium
from podium.errors import InferenceError, ResultsError
from podium.showing.plots import PLOTS, bench, full_bench
from podium.testing import check_plot

bench_data = PLOTS["bench"].data
draw_bench = PLOTS["bench"].draw
full_bench_data = PLOTS["full_bench"].data

# the others take long: every check renders four times
CHECKED = [
    pytest.param(case, marks=() if case in ("long names", "gaps") else pytest.mark.long)
    for case in CASES
]


def test_a_dot_stands_on_its_place_in_the_column_of_its_algorithm():
    data = bench_data(wide([[0.3, 0.1], [0.2, 0.15], [0.05, 0.4]], ["worse", "better"]))
    assert list(data.counts.index) == ["better", "worse"]
    assert data.counts.to_numpy().tolist() == [[2, 1], [1, 2]]
    rows = data.dots.astype({"algorithm": str}).to_numpy().tolist()
    assert rows == [
        [1, "better", 1, 0.1, 0.75],
        [1, "worse", 2, 0.3, 2.25],
        [2, "better", 1, 0.15, 0.75],
        [2, "worse", 2, 0.2, 2.25],
        [3, "worse", 1, 0.05, 1.25],
        [3, "better", 2, 0.4, 1.75],
    ]


@pytest.mark.parametrize("results", [six(), fifty(), ties(), constant(), several()])
def test_rows_and_columns_of_counts_sum_to_the_samples_and_dots_say_the_same(results):
    data = bench_data(results)
    samples = data.dots["sample"].nunique()
    assert (data.counts.sum(axis=0) == samples).all()
    assert (data.counts.sum(axis=1) == samples).all()
    table = pd.crosstab(data.dots["algorithm"], data.dots["place"])
    counted = table.reindex(data.counts.index)
    assert (counted.to_numpy() == data.counts.to_numpy()).all()
    assert data.dots.groupby("sample")["value"].is_monotonic_increasing.all()


def test_where_higher_is_better_the_highest_has_the_first_place():
    table = pd.DataFrame({"sample": [1, 2], "a": [0.7, 0.8], "b": [0.9, 0.95]})
    data = bench_data(read(table, measure="accuracy"))
    assert data.counts.loc["b"].tolist() == [2, 0]
    assert "higher is better" in data.label


def expected_counts(row: list[float]) -> np.ndarray:
    """How often each algorithm has each place over all ways to break the ties of a sample."""
    size, counts, ways = len(row), np.zeros((len(row), len(row))), 0
    for order in permutations(range(size)):
        if all(row[order[i]] <= row[order[i + 1]] for i in range(size - 1)):
            ways += 1
            counts[list(order), range(size)] += 1
    return counts / ways


def test_ties_are_broken_at_random_and_independently_in_every_sample():
    patterns, times = [[0.1, 0.1, 0.1, 0.2], [0.3, 0.1, 0.3, 0.1]], 1500
    names = ["a", "b", "c", "d"]
    counts = bench_data(wide(np.repeat(patterns, times, axis=0), names)).counts.loc[names]
    expected = sum(times * expected_counts(row) for row in patterns)
    sd = np.sqrt(2 * times * 0.25)
    assert (np.abs(counts.to_numpy() - expected) < 4 * sd).all()
    assert (counts.to_numpy()[expected == 0] == 0).all()


def test_the_seed_decides_ties_and_nothing_else():
    one, again, other = (bench_data(ties(), seed=seed) for seed in (1, 1, 2))
    assert one.dots.equals(again.dots)
    assert not one.dots["algorithm"].equals(other.dots["algorithm"])
    assert list(one.counts.index) == list(other.counts.index) == ["a", "b", "c", "d"]
    assert bench_data(two(), seed=1).counts.sum().equals(bench_data(two(), seed=2).counts.sum())


def test_samples_with_gaps_are_left_out_and_this_is_said():
    data = bench_data(gaps())
    assert sorted(set(range(1, 16)) - set(data.dots["sample"])) == [3, 5, 8]
    assert set(data.counts.index) == {"svm", "rpart", "knn"}
    assert sentences(data.notes) == [
        "No scores: none.",
        "Samples left out as some algorithm lacks a score: 3 of 15.",
    ]
    never = wide([[0.1, np.nan], [np.nan, 0.2]], ["a", "b"])
    with pytest.raises(ResultsError, match="No sample has scores of all algorithms"):
        bench_data(never)


def test_a_seed_is_a_whole_number():
    with pytest.raises(InferenceError, match="-1"):
        bench_data(two(), seed=-1)


def test_several_data_sets_are_the_blocks_unless_one_is_named():
    assert set(bench_data(several()).dots["sample"]) == {"monks1", "monks2", "monks3", "sonar"}
    assert bench_data(several(), dataset="sonar").dots["sample"].nunique() == 12


def test_lines_join_neighbouring_places_in_the_colour_of_the_lower_place():
    data = full_bench_data(six())
    dots = data.bench.dots.set_index(["sample", "place"])
    assert len(data.segments) == 60 * 5
    for row in data.segments.iloc[::37].itertuples():
        start, end = dots.loc[(row.sample, row.place)], dots.loc[(row.sample, row.place + 1)]
        assert (row.algorithm, row.x, row.value) == (start.algorithm, start.x, start.value)
        assert (row.x_end, row.value_end) == (end.x, end.value)


def test_a_tenth_of_the_samples_over_each_other_is_nearly_opaque():
    alpha = full_bench_data(six()).alpha
    assert 1 - (1 - alpha) ** (60 / 10) == pytest.approx(0.95)
    assert full_bench_data(wide(errors(2000, 2), ["a", "b"])).alpha == 0.02
    assert full_bench_data(six(), alpha=0.3).alpha == 0.3
    with pytest.raises(ResultsError, match="alpha lies above 0 and up to 1, not 0"):
        full_bench_data(six(), alpha=0)


@pytest.mark.parametrize("results", [one_sample(), ties(), six()])
def test_counts_have_whole_numbers_beside_them(results):
    ax = bench(results)
    ax.figure.draw_without_rendering()
    counts = ax.child_axes[1].yaxis
    shown = [text.get_text() for text in counts.get_ticklabels()]
    assert shown == [f"{place:.0f}" for place in counts.get_ticklocs()]
    assert not (counts.get_ticklocs() % 1).any()
    plt.close(ax.figure)


def test_the_tables_are_as_kept():
    data = full_bench_data(gaps(), seed=3)
    assert_snapshot("bench_dots", data.bench.dots)
    assert_snapshot("bench_counts", data.bench.counts.reset_index())
    assert_snapshot("bench_segments", data.segments)


@pytest.mark.parametrize("case", CHECKED)
def test_bench_keeps_the_laws_of_plots(case):
    check_plot(bench, CASES[case]())


@pytest.mark.parametrize("case", ["long names", "gaps", "one sample"])
def test_full_bench_keeps_the_laws_of_plots(case):
    check_plot(full_bench, CASES[case]())


def test_many_dots_become_pixels_and_few_stay_vectors():
    def pixels(results) -> set[bool]:
        top = draw_bench(bench_data(results), Figure().add_subplot()).child_axes[0]
        return {dots.get_rasterized() for dots in top.collections[:-1]}

    assert pixels(two()) == {False}
    assert pixels(wide(errors(10_500, 2), ["a", "b"])) == {True}


def test_the_tallest_bar_is_seen_however_narrow_it_is():
    figure, ax = plt.subplots(figsize=(2.6, 2.6), dpi=70)
    full_bench(fifty(), ax=ax)  # a bar is a twentieth of a pixel wide
    figure.canvas.draw()
    bars = ax.child_axes[1]
    left, right = bars.transAxes.transform([(0.01, 0), (0.99, 0)])[:, 0]
    top = bars.transData.transform((1, bench_data(fifty()).counts.to_numpy().max()))[1] - 2
    picture = np.asarray(figure.canvas.buffer_rgba())[::-1, :, :3].astype(int)
    line = picture[int(top), int(left) : int(right)]
    plt.close(figure)
    assert np.ptp(line, axis=1).max() > 60  # a colour, where borders of places are grey


def test_many_algorithms_are_a_map_of_their_places_beside_their_scores():
    figure, ax = plt.subplots()
    bench(fifty(), ax=ax)
    places, scores = ax.child_axes
    data = bench_data(fifty())
    (image,) = places.images
    share = data.counts.to_numpy(float) / data.counts.iloc[0].sum()
    assert np.allclose(np.asarray(image.get_array()), share)
    (rings,) = places.lines
    assert rings.get_xdata() == pytest.approx(share @ np.arange(1, 51))
    assert len(scores.collections) == 2 * 50  # dots, and the bar of the mean
    plt.close(figure)


def test_numbers_below_a_picture_stand_apart():
    draw = np.random.default_rng(26)
    names = [f"very_long_configuration_name_number_{c}" for c in "abcd"]
    values = draw.uniform(0.6, 0.95, (20, 1)) - 0.01 * np.arange(4) + draw.normal(0, 0.02, (20, 4))
    table = pd.DataFrame(values, columns=names)
    table.insert(0, "dataset", [f"data-{i:02d}" for i in range(20)])
    figure = podium.plots.differences(podium.read(table, measure="accuracy")).figure
    figure.canvas.draw()
    boxes = [t.get_window_extent() for t in figure.axes[0].get_xticklabels() if t.get_text()]
    assert all(a.x1 < b.x0 for a, b in pairwise(boxes))
    plt.close(figure)
