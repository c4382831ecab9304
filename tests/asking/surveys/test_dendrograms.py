"""The dendrogram of data sets."""

from __future__ import annotations

import numpy as np
from orders_made import four, made
from scipy.cluster.hierarchy import cophenet
from scipy.cluster.hierarchy import dendrogram as by_scipy
from scipy.spatial.distance import squareform
from snapshots import assert_snapshot
from told import sentences

from podium.asking.surveys.distance_plots import coordinates
from podium.core.orders.distances import dendrogram as clustered
from podium.showing.plots import PLOTS, dendrogram
from podium.testing import check_plot

dendrogram_data = PLOTS["dendrogram"].data

RNG = np.random.default_rng(4)


def test_four_orders_by_hand():
    data = dendrogram_data(four())
    assert data.leaves["dataset"].tolist() == ["sonar", "iris", "monks, glass"]  # one order
    assert data.leaves["datasets"].tolist() == [1, 1, 2]
    assert data.merges["height"].tolist() == [1, 11]
    assert data.merges[["left", "right"]].to_numpy().tolist() == [[1, 2], [0, 1.5]]
    assert sentences(data.notes) == ["1 leaf of several data sets that have the same order."]
    assert_snapshot("dendrogram", data.merges)


def test_a_leaf_of_many_data_sets_names_two():
    data = dendrogram_data(made({**dict.fromkeys("abcd", "x ≻ y"), "e": "y ≻ x"}))
    assert data.leaves["dataset"].tolist() == ["e", "d, c + 2"]
    same = dendrogram_data(made(dict.fromkeys("ab", "x ≻ y")))
    assert (same.leaves["dataset"].tolist(), len(same.merges)) == (["a, b"], 0)


def test_coordinates_against_scipy():
    matrix = squareform(RNG.uniform(1, 9, 12 * 11 // 2))
    tree = clustered(matrix)
    drawn = by_scipy(tree.merges, no_plot=True)
    _, merges = coordinates(tree)
    # scipy's leaves are at 5, 15, ... and its brackets in another sequence
    theirs = sorted(
        ((x[1] - 5) / 10, (x[2] - 5) / 10, y[0], y[1], y[3])
        for x, y in zip(drawn["icoord"], drawn["dcoord"], strict=True)
    )
    ours = merges[["left", "right", "left_height", "height", "right_height"]].to_numpy()
    assert np.allclose(sorted(map(tuple, ours)), theirs)


def test_a_bracket_is_as_high_as_the_largest_distance_below_it():
    matrix = squareform(RNG.integers(1, 6, 10 * 9 // 2).astype(float))  # ties everywhere
    tree = clustered(matrix)
    together = squareform(cophenet(tree.merges))
    assert (together >= matrix).all()
    leaves, merges = coordinates(tree)
    place = leaves.set_index("dataset")["x"].loc[list(tree.names)].to_numpy()
    for merge in merges.itertuples():
        assert (merge.height >= merge.left_height) & (merge.height >= merge.right_height)
        joined = [(merge.left, merge.right)]
        assert place.min() <= joined[0][0] < joined[0][1] <= place.max()


def test_it_keeps_the_laws_of_plots():
    check_plot(dendrogram, four())
    check_plot(dendrogram, made({"$a": "x ≈ y", "two\nlines": "y ≈ x"}))  # all heights are 0
