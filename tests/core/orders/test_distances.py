"""Distances between orders against R, formulas and each other; clusters against R."""

from __future__ import annotations

import numpy as np
import pytest
from ensembles_made import random_orders, read_orders, reference
from relations import weak_orders
from scipy import stats
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform

from podium import Order
from podium.core.orders import distance
from podium.core.orders.distances import DISTANCES, dendrogram, distances
from podium.errors import InferenceError, UnknownName

WITH_R = ["K4_R5_lin", "K5_R7_tied", "K5_R4_tied", "K6_R3_lin", "K6_R21_lin", "K6_R21_tied"]


@pytest.mark.parametrize("name", WITH_R)
def test_symmetric_differences_are_those_of_r(name):
    matrix = distances(read_orders(name))
    expected = reference("consensus.json")[name]["dissimilarity"]
    assert matrix[np.triu_indices(len(matrix), 1)].tolist() == expected


def test_opposite_pairs_count_two_and_a_tie_against_strict_one():
    assert distance("a ≻ b", "b ≻ a") == 2
    assert distance("a ≻ b", "a ≈ b") == 1
    assert distance("a ≈ b", "b ≈ a") == 0
    assert distance("a ≻ b ≻ c", "c ≻ b ≻ a") == 6


def test_the_symmetric_difference_is_counted_on_the_le_relations():
    rng = np.random.default_rng(1)
    orders = random_orders(rng, 6, 12, "any")
    counted = [[(a.relation_le != b.relation_le).sum() for a in orders] for b in orders]
    assert distances(orders).tolist() == counted


def test_kendall_is_one_minus_tau_b_of_scipy():
    rng = np.random.default_rng(2)
    ranks = rng.integers(0, 5, (10, 7))
    orders = [Order.from_ranks("abcdefg", row) for row in ranks]
    expected = [[1 - stats.kendalltau(a, b).statistic for a in ranks] for b in ranks]
    assert distances(orders, "kendall") == pytest.approx(np.array(expected), abs=1e-12)


def test_kendall_of_linear_orders_is_the_share_of_discordant_pairs():
    orders = random_orders(np.random.default_rng(3), 7, 9, "lin")
    assert distances(orders, "kendall") == pytest.approx(distances(orders) / 21)


def test_kendall_with_nothing_but_ties_is_one_or_zero():
    assert distance("a ≈ b ≈ c", "a ≻ b ≻ c", "kendall") == 1
    assert distance("a ≈ b ≈ c", "c ≈ b ≈ a", "kendall") == 0


def test_cook_kress_heeds_how_far_apart_two_algorithms_are():
    # layers 1 2 3 and 2 1 1: a-b 1 against -1, a-c 2 against -1, b-c 1 against 0
    assert distance("a ≻ b ≻ c", "b ≈ c ≻ a", "cook-kress") == 2 + 3 + 1


@pytest.mark.parametrize("size", [2, 3, 4])
def test_cook_kress_between_two_orders_distances_add_up_and_only_there(size):
    orders = weak_orders(size)
    place = np.array([[order.levels()[name] for name in "abcd"[:size]] for order in orders])
    ahead = (place[:, None, :] - place[:, :, None]).reshape(len(orders), -1)
    matrix = distances(orders, "cook-kress")
    for first, second in np.ndindex(matrix.shape):
        ends = np.sort([ahead[first], ahead[second]], axis=0)
        between = ((ends[0] <= ahead) & (ahead <= ends[1])).all(axis=1)
        assert ((matrix[first] + matrix[second] == matrix[first, second]) == between).all()


@pytest.mark.parametrize("size", [2, 3, 4])
def test_cook_kress_joining_two_layers_moves_all_behind_them_by_one(size):
    for order in weak_orders(size):
        groups = order.groups
        for joint in range(1, len(groups)):
            joined = [*groups[: joint - 1], groups[joint - 1] + groups[joint], *groups[joint + 1 :]]
            behind = sum(len(group) for group in groups[joint:])
            text = " ≻ ".join(" ≈ ".join(group) for group in joined)
            assert distance(order, text, "cook-kress") == behind * (size - behind)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_cook_kress_is_from_one_step_to_the_reversed_order(size):
    matrix = distances(weak_orders(size), "cook-kress")
    apart = matrix[np.triu_indices(len(matrix), 1)]
    assert (apart.min(), apart.max()) == (size - 1, (size**3 - size) / 3)
    chain = " ≻ ".join("abcd"[:size])
    assert distance(chain, chain[::-1], "cook-kress") == apart.max()


def test_cook_kress_of_two_algorithms_is_the_symmetric_difference():
    assert (distances(weak_orders(2), "cook-kress") == distances(weak_orders(2))).all()


def test_cook_seiford_is_the_footrule_of_mean_ranks():
    ranks = np.random.default_rng(4).integers(0, 4, (8, 6))
    orders = [Order.from_ranks("abcdef", row) for row in ranks]
    places = stats.rankdata(ranks, axis=1)
    expected = np.abs(places[:, None] - places).sum(axis=2)
    assert distances(orders, "cook-seiford") == pytest.approx(expected)


@pytest.mark.parametrize("kind", DISTANCES)
def test_a_distance_is_zero_for_the_same_symmetric_and_blind_to_the_order_of_names(kind):
    orders = random_orders(np.random.default_rng(5), 6, 10, "tied")
    matrix = distances(orders, kind)
    assert (matrix == matrix.T).all()
    assert np.diag(matrix).tolist() == [0] * 10
    turned = [order.restricted(order.algorithms[::-1]) for order in orders[1:]]
    assert distances([orders[0], *turned], kind) == pytest.approx(matrix)


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("kind", ["symmetric-difference", "cook-kress", "cook-seiford"])
def test_it_is_a_metric_of_all_weak_orders(kind, size):
    matrix = distances(weak_orders(size), kind)
    assert ((matrix == 0) == np.eye(len(matrix), dtype=bool)).all()
    assert (matrix[:, None, :] <= matrix[:, :, None] + matrix[None] + 1e-9).all()


def test_kendall_breaks_the_triangle_inequality():
    # tau-b divides by the pairs that each of the two orders tells apart
    ends, middle = ("a ≻ b ≈ c", "a ≈ b ≻ c"), "a ≻ b ≻ c"
    way = sum(distance(end, middle, "kendall") for end in ends)
    assert distance(*ends, "kendall") > way


def test_reversing_both_orders_changes_no_distance():
    orders = random_orders(np.random.default_rng(7), 6, 8, "tied")
    for kind in DISTANCES:
        assert distances([o.reversed() for o in orders], kind) == pytest.approx(
            distances(orders, kind)
        )


def test_merges_heights_and_leaves_are_those_of_hclust():
    expected = reference("hclust_K6_R21_tied.json")
    found = dendrogram(distances(read_orders("K6_R21_tied")))
    assert found.distances.tolist() == expected["D"]
    assert found.heights.tolist() == expected["height"]
    # R numbers orders -1, -2, ... and clusters 1, 2, ...
    merges = [sorted(-m - 1 if m < 0 else m + 20 for m in row) for row in expected["merge"]]
    assert found.merges[:, :2].tolist() == merges
    assert [leaf + 1 for leaf in found.leaves] == expected["order"]
    assert found.arranged == tuple(map(str, expected["order"]))


def test_clusters_are_those_of_cutree():
    labels = np.array(reference("hclust_K6_R21_tied.json")["cut4"])
    expected = {frozenset(map(str, np.flatnonzero(labels == n) + 1)) for n in (1, 2, 3, 4)}
    assert (
        set(map(frozenset, dendrogram(distances(read_orders("K6_R21_tied"))).clusters(4)))
        == expected
    )


def test_without_ties_the_heights_are_those_of_scipy():
    orders = random_orders(np.random.default_rng(8), 9, 30, "tied")
    found = dendrogram(distances(orders, "kendall"))
    pairs = squareform(found.distances, checks=False)
    assert len(set(pairs)) > 300  # of 435: few ties, none where it would matter
    assert found.heights == pytest.approx(linkage(pairs, "complete")[:, 2])


def test_one_order_is_a_cluster_of_its_own():
    found = dendrogram(distances(["a ≻ b"]), ["only"])
    assert found.clusters(1) == [["only"]]
    assert found.arranged == ("only",)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: distances([]), "There are no orders."),
        (
            lambda: distance("a ≻ b", "a ≻ c"),
            "The orders are not of the same algorithms: 'a > c' has 'c', unlike the first. "
            "Compare orders of one set with order.restricted(names).",
        ),
        (
            lambda: distance("a ≻ b ≻ c", "a ≻ b"),
            "The orders are not of the same algorithms: 'a > b' lacks 'c', unlike the first. "
            "Compare orders of one set with order.restricted(names).",
        ),
        (lambda: dendrogram(distances(["a", "a"]), ["x"]), "2 orders need as many names, not 1."),
        (
            lambda: dendrogram(distances(["a", "a"])).clusters(3),
            "2 orders make 1 to 2 clusters, not 3.",
        ),
    ],
)
def test_what_cannot_be_compared_is_refused(call, message):
    with pytest.raises(InferenceError) as error:
        call()
    assert str(error.value) == message


def test_an_unknown_distance_is_refused():
    with pytest.raises(UnknownName, match="Did you mean 'kendall'"):
        distance("a ≻ b", "b ≻ a", "kendal")
