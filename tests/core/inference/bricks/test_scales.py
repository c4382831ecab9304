"""Scales within data sets: values by hand, and what of a comparison they change."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from layouts_made import made, noise

from podium import Layout, compare
from podium.core.inference.bricks.scales import SCALES, block_ranks, scaled
from podium.core.words.saying import say
from podium.errors import InferenceError, UnknownName

ERRORS = [[0.1, 0.3, 0.2], [0.2, 0.2, 0.8], [0.5, 0.5, 0.5]]
NAMES = ("iris", "zoo", "glass")
ALL = ["ranks", "best", "baseline:b", "ratio:b", "normalised"]


def datasets(scores=ERRORS, measure="error", **more) -> Layout:
    return made(scores, block="dataset", measure=measure, **more)


def own(layout: Layout) -> np.ndarray:
    return layout.sign * layout.values


def said(layout: Layout, code: str = "scale") -> str:
    return next(say(note) for note in layout.notes if note.code == code)


def test_values_are_those_computed_by_hand():
    expected = {
        "ranks": [[1, 3, 2], [1.5, 1.5, 3], [2, 2, 2]],
        "best": [[0, 0.2, 0.1], [0, 0, 0.6], [0, 0, 0]],
        "baseline:b": [[-0.2, 0, -0.1], [0, 0, 0.6], [0, 0, 0]],
        "ratio:b": np.log([[1 / 3, 1, 2 / 3], [1, 1, 4], [1, 1, 1]]),
        "normalised": [[-1, 1, 0], [-1 / 3**0.5, -1 / 3**0.5, 2 / 3**0.5], [0, 0, 0]],
    }
    assert set(expected) == set(ALL)
    for scale, values in expected.items():
        np.testing.assert_allclose(own(scaled(datasets(), scale)), values, atol=1e-12)


@pytest.mark.parametrize("scale", ALL)
def test_errors_and_accuracies_are_the_same_thing_seen_from_two_sides(scale):
    error = scaled(datasets(), scale)
    accuracy = scaled(datasets(1 - np.array(ERRORS), "accuracy"), scale)
    if scale.startswith("ratio"):
        assert accuracy.measure.higher_is_better
        return
    np.testing.assert_allclose(error.values, accuracy.values, atol=1e-12)


@pytest.mark.parametrize("measure", ["error", "accuracy", "squared", "log-likelihood"])
@pytest.mark.parametrize("scale", ALL)
def test_the_measure_is_renamed_and_its_bounds_hold(scale, measure):
    rng = np.random.default_rng(2)
    made_scores = scaled(datasets(rng.uniform(0.01, 1, (50, 4)), measure), scale)
    low, high = made_scores.measure.bounds
    assert made_scores.measure.name != measure
    assert measure in made_scores.measure.name
    assert low - 1e-12 <= own(made_scores).min()
    assert own(made_scores).max() <= high + 1e-12
    assert "the claim is about equal expected" in said(made_scores)


def test_directions_and_units_are_the_new_scale_s():
    accuracy = datasets(ERRORS, "accuracy")
    distance = scaled(accuracy, "best").measure
    assert (distance.higher_is_better, distance.unit) == (False, "share")
    assert distance.name == "accuracy, distance to the best"
    assert scaled(accuracy, "ranks").measure.bounds == (1, 3)
    assert scaled(accuracy, "baseline:a").measure.bounds == (-1, 1)
    assert scaled(accuracy, "baseline:a").measure.higher_is_better
    # (K - 1) / sqrt(K): one algorithm apart from three equal ones
    one_apart = scaled(datasets([[0.1, 0.1, 0.1, 0.9]] * 2), "normalised")
    assert own(one_apart).max() == pytest.approx(one_apart.measure.bounds[1])


def test_shifts_within_data_sets_change_means_and_no_test_of_pairs():
    raw = datasets(noise(15, 4), "squared")
    plain = compare(raw, "paired-t").table
    for scale in ("best", "baseline:c"):
        moved = compare(scaled(raw, scale), "paired-t")
        np.testing.assert_allclose(moved.table["p"], plain["p"], rtol=1e-9)
        np.testing.assert_allclose(moved.table["estimate"], plain["estimate"], rtol=1e-9)
        assert "are those of the raw scores" in moved.told[0]
        assert moved.measure.startswith("squared, ")


def test_ranks_give_mean_ranks_and_friedman_sees_no_other_ones():
    raw = datasets(noise(15, 4), "squared")
    ranked = compare(scaled(raw, "ranks"), "friedman", null="asymptotic")
    plain = compare(raw, "friedman", null="asymptotic")
    np.testing.assert_allclose(ranked.table["p_adjusted"], plain.table["p_adjusted"])
    assert sum(ranked.means.values()) == pytest.approx(4 * 2.5)


def test_ratios_of_two_do_not_depend_on_the_baseline():
    raw = datasets(np.exp(noise(15, 4)), "squared")
    by_a, by_d = (compare(scaled(raw, f"ratio:{n}"), "paired-t").table for n in "ad")
    np.testing.assert_allclose(by_a["statistic"], by_d["statistic"], rtol=1e-9)
    logs = compare(datasets(np.log(own(raw)), "squared"), "paired-t").table
    np.testing.assert_allclose(by_a["estimate"], logs["estimate"], rtol=1e-9)


def test_scores_equal_but_for_rounding_are_tied():
    ranked = scaled(datasets([[0.1 + 0.2, 0.3, 0.5]] * 2), "ranks")
    assert own(ranked)[0].tolist() == [1.5, 1.5, 3]


def test_constant_data_sets_are_counted_and_two_algorithms_are_signs():
    text = said(scaled(datasets(), "normalised"))
    assert text.split("; ")[-1].startswith("data sets on which all algorithms score the same, and "
                                           "get 0: 1.")  # fmt: skip
    assert "only who is better is left" in said(scaled(datasets().only([0, 1]), "normalised"))


def test_data_sets_with_gaps_are_left_out_by_name_or_filled_first():
    holes = [[0.1, np.nan, 0.2], [0.2, 0.1, 0.8], [0.5, 0.4, 0.3]]
    layout = datasets(holes, labels=NAMES)
    for scale in ("ranks", "best", "normalised", "baseline:b"):
        left = scaled(layout, scale)
        assert left.labels == NAMES[1:]
        assert len(left.values) == 2
        assert "1 of 3 data sets lacks a score" in said(left, "incomplete-blocks")
        assert "'iris'" in said(left, "incomplete-blocks")
    assert np.isnan(scaled(layout, "baseline:a").values).sum() == 1  # the baseline is there
    assert own(scaled(layout.filled(), "ranks"))[0].tolist() == [1, 2.5, 2.5]
    with pytest.raises(InferenceError, match="Nothing is left to compare: 2 of 2 data sets"):
        scaled(datasets([[0.1, np.nan], [np.nan, 0.2]]), "best")


def test_raw_scores_stay_as_they_are_for_any_blocks():
    for layout in (datasets(), made(noise(5, 2))):
        assert scaled(layout, "raw") is layout
        assert scaled(layout) is layout


@pytest.mark.parametrize(
    ("scale", "message"),
    [
        ("rank", "'rank' is not a scale. Did you mean 'ranks'?"),
        ("ranks:svm", "takes no name"),
        ("baseline", "needs the name of the baseline, as in baseline:a"),
        ("ratio:zz", "'zz' is not an algorithm of this layout"),
        (None, "is not a scale"),
    ],
)
def test_wrong_scales_are_refused(scale, message):
    with pytest.raises((InferenceError, UnknownName), match=message):
        scaled(datasets(), scale)
    assert list(SCALES) == ["raw", "ranks", "best", "baseline", "ratio", "normalised"]


def test_what_has_no_place_on_a_scale_is_refused():
    with pytest.raises(
        InferenceError, match="is for rows that are data sets, not for samples drawn"
    ):
        scaled(made(noise(5, 2)), "ranks")
    with pytest.raises(InferenceError, match="is on a scale already"):
        scaled(scaled(datasets(), "best"), "ranks")
    with pytest.raises(InferenceError, match="'b' has 0 on 'zoo': use the scale baseline:NAME"):
        scaled(datasets([[0.1, 0.2], [0.1, 0.0]], labels=("iris", "zoo")), "ratio:a")
    with pytest.raises(InferenceError, match="needs two algorithms"):
        scaled(datasets([[0.1], [0.2]]), "normalised")
    with pytest.raises(InferenceError, match="infinite scores"):
        scaled(datasets([[0.1, np.inf], [0.1, 0.2]], "squared"), "ranks")


def test_runs_that_failed_share_the_last_ranks():
    """Of four in a row two failed: ranks 1 and 2, and twice the mean of 3 and 4."""
    scores = [[0.1, 0.3, 0.5, 0.2], [0.2, 0.05, 0.1, 0.3], [0.4, 0.1, 0.2, 0.3]]
    failed = np.array([[0, 0, 1, 1], [0, 1, 0, 0], [0, 0, 0, 0]], bool)
    ranks = block_ranks(replace(datasets(scores), failed=failed))
    assert ranks.tolist() == [[1, 2, 3.5, 3.5], [2, 4, 1, 3], [4, 1, 2, 3]]
