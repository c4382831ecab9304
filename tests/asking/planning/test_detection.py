"""The least difference that a design finds, by closed forms and by the power that it has."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from layouts_made import made as laid_out

import podium
from podium import layout
from podium.asking.planning.detection import (
    _spreads,
    detectable_pairs,
    needed_by_errors,
    needed_of,
    settling,
)
from podium.asking.planning.power import power
from podium.core.inference.layouts import Items


def made(values, sampling="simulation", **options):
    table = pd.DataFrame(values, columns=list("abcdef")[: np.shape(values)[1]])
    table = table.rename_axis("sample").reset_index()
    return layout(podium.read(table, sampling=sampling, measure="loss"), **options)


VALUES = np.random.default_rng(0).normal(0.3, 0.05, (20, 3))


def test_the_detectable_difference_has_just_the_power_asked_for():
    table = detectable_pairs(made(VALUES))
    a, b = VALUES[:, 0], VALUES[:, 1]
    assert table.loc[0, "sd"] == pytest.approx((a - b).std(ddof=1))
    assert list(table["blocks"]) == [20, 20, 20]
    found = power(table["detectable"], table["sd"], 20, alpha=1 - 0.95 ** (1 / 3))
    assert found == pytest.approx([0.8, 0.8, 0.8])


def test_folds_count_by_the_corrected_variance():
    # Nadeau and Bengio: variance sd² (1/n + n_test/n_train); of ten folds n_test/n_train = 1/9
    folds = detectable_pairs(made(VALUES[:10], "cv:10"))["detectable"].to_numpy()
    plain = detectable_pairs(made(VALUES[:10]))["detectable"].to_numpy()
    assert folds / plain == pytest.approx(np.sqrt(1 + 10 / 9))


def test_pairs_without_variation_have_no_number_and_unpaired_blocks_no_rows():
    flat = np.column_stack([VALUES[:, 0], VALUES[:, 0] + 0.1])
    flat = np.round(flat, 2)
    assert detectable_pairs(made(np.full((5, 2), 0.5)))["detectable"].isna().all()
    assert detectable_pairs(made(flat, "bootstrap+independent")).empty


def test_clusters_of_unequal_size_count_as_the_test_of_items_counts_them():
    # scale of the difference: the standard error that the interval of the pair is made of
    clusters = np.repeat(np.arange(8), [1, 1, 2, 3, 5, 8, 13, 21])
    values = np.random.default_rng(1).normal(0, 1, (54, 2)) + 0.1 * clusters[:, None] * [0, 1]
    items = replace(made(values, "items"), items=Items(clusters))
    (row,) = podium.compare(items, procedure="paired-t").table.itertuples()
    error = abs(row.estimate / row.statistic)
    assert detectable_pairs(items).loc[0, "sd"] == pytest.approx(error * np.sqrt(8), rel=0.05)


@pytest.mark.parametrize("relevance", [0.0, 0.02])
def test_what_settles_the_leader_is_what_the_plan_of_all_pairs_says(relevance):
    values = VALUES + np.array([0.0, 0.003, 0.006])
    values[4, 2] = np.nan
    alike = made(values)
    c = podium.compare(alike, "paired-t", relevance=relevance)
    plan = settling(alike, c).pairs
    (needed,) = [name for name in plan if str(name).startswith("needed")]
    wanted = {
        ({row["first"], row["second"]} - {"a"}).pop(): row[needed]
        for row in plan.to_dict("records")
        if "a" in (row["first"], row["second"])
    }
    found = needed_of(alike, c, "a", ["b", "c"])
    assert len(wanted) == 2
    assert {each.other: each.blocks for each in found} == wanted
    assert [each.blocks for each in found] == sorted(each.blocks for each in found)


@pytest.mark.parametrize(
    ("alternative", "adjust"), [("two-sided", "sidak"), ("greater", "bonferroni"), ("less", "none")]
)
def test_errors_of_estimates_say_what_blocks_say_where_there_are_many(alternative, adjust):
    rng = np.random.default_rng(7)
    many = made(rng.normal(0, 1, (400, 3)) + np.array([0.06, 0.05, 0.0]))
    c = podium.compare(many, "paired-t", adjust=adjust, alternative=alternative)
    of_blocks = needed_of(many, c, "a", ["b", "c"])
    of_errors = needed_by_errors(c, "a", ["b", "c"], 400)
    assert [each.other for each in of_errors] == [each.other for each in of_blocks]
    assert [each.blocks is None for each in of_blocks] == [alternative == "greater"] * 2
    for one, other in zip(of_errors, of_blocks, strict=True):
        assert one.blocks == other.blocks or one.blocks == pytest.approx(other.blocks, rel=0.01)


def test_one_common_block_has_no_spread():
    values = np.array([[1.0, 2.0, 4.0], [np.nan, 1.0, 5.0], [2.5, np.nan, 1.0]])
    count, sd = _spreads(laid_out(values), [(0, 1), (0, 2), (1, 2)])
    assert count.tolist() == [1, 2, 2]
    assert np.isnan(sd[0])
    spread = [np.std([-3.0, 1.5], ddof=1), np.std([-2.0, -4.0], ddof=1)]
    np.testing.assert_allclose(sd[1:], spread)
