"""How algorithms stand to the best: places, gaps free of direction, counts, strips."""

import numpy as np
import pandas as pd
import pytest
from tables_built import surveyed

import podium
from podium.core.verdicts.standing import Badge, Gap, Row, numbers_of, standing
from podium.showing.screens.standings import Scale

BETTER = {"a": 0.1, "b": 0.11, "c": 0.3}


def table(higher, blocks=30, seed=4):
    rng = np.random.default_rng(seed)
    level = rng.random((blocks, 1)) * 0.2 + 0.3
    lost = np.array([0.0, 0.001, 0.2]) + rng.normal(0, 0.02, (blocks, 3))
    values = level - lost + 0.3 if higher else level + lost
    frame = pd.DataFrame(values, columns=["a", "b", "c"])
    frame.insert(0, "dataset", [f"d{i}" for i in range(blocks)])
    return frame


def compared(higher, procedure="hull", **options):
    made = podium.read(table(higher), measure="accuracy" if higher else "error")
    return podium.compare(made, procedure, **options)


@pytest.mark.parametrize("higher", [True, False])
def test_gaps_are_behind_the_best_whichever_way_the_measure_goes(higher):
    c = compared(higher)
    found = standing(c)
    best, next_, last = found.rows
    assert (best.name, last.name, found.reference) == ("a", "c", "a")
    assert best.gap == 0
    assert last.gap == pytest.approx(abs(c.means["a"] - c.means["c"]))
    assert next_.lower < 0 < next_.upper
    assert 0 < last.lower < last.gap < last.upper
    values = table(higher)
    won = values["c"] > values["a"] if higher else values["c"] < values["a"]
    assert last.won == (int(won.sum()), 0, int((~won).sum()))


def test_places_lead_and_badges_are_of_the_decided_pairs():
    c = compared(higher=False)
    found = standing(c)
    assert found.lead == ("a", "b") == tuple(sorted(c.lead))
    assert [row.badge for row in found.rows] == [
        Badge.MAY_BE_BEST, Badge.MAY_BE_BEST, Badge.BEHIND,
    ]  # fmt: skip
    assert found.row("c").beaten_by == ("a", "b")
    assert [row.place for row in found.rows] == [(1, 2), (1, 2), (3, 3)]
    assert (found.decided, found.pairs, found.sure, found.behind) == (2, 3, True, ["c"])


def test_who_was_not_compared_with_the_best_has_no_gap_to_it():
    c = compared(higher=False, pairs=[("a", "b")])
    found = standing(c)
    assert np.isnan(found.row("c").gap)
    assert [found.row(name).gap for name in found.reference] == [0.0]


def test_against_a_control_gaps_are_to_it():
    c = compared(higher=False, control="c")
    found = standing(c)
    assert found.reference == "c"
    assert [found.row(name).badge for name in "abc"] == [
        Badge.BEATS, Badge.BEATS, Badge.REFERENCE,
    ]  # fmt: skip
    assert found.row("a").upper < 0


def test_weak_control_is_not_sure_and_ranks_are_the_scores_of_rank_tests():
    c = compared(higher=False, procedure="nemenyi")
    found = standing(c)
    assert not found.sure
    assert found.by_ranks
    assert found.row("a").score == c.mean_ranks["a"]
    assert not standing(compared(higher=False, adjust="bh")).sure
    assert standing(compared(higher=False, adjust="bonferroni")).sure


def test_strips_have_one_cell_per_data_set_sorted_by_winner():
    c = compared(higher=False)
    values = -table(higher=False)[["a", "b", "c"]].to_numpy()
    values[3, 2] = np.nan
    labels = [f"d{i}" for i in range(len(values))]
    found = standing(c, values, labels)
    assert sorted(found.columns) == sorted(labels)
    for i, label in enumerate(found.columns):
        mine = values[labels.index(label)]
        assert (found.row("a").strip[i] == 1) == (mine[0] == np.nanmax(mine))
    assert np.isnan(found.row("c").strip[found.columns.index("d3")])
    first = [row.strip[0] for row in found.rows]
    assert first[0] == 1


def test_one_algorithm_has_no_standing():
    made = surveyed({"a": 0.1}).filter(dataset="d1")
    c = podium.verdicts.score_interval(made)
    assert standing(c) is None


def test_a_scale_holds_nothing_and_writes_what_is_far_away_at_the_edge():
    def row(gap, lower=np.nan, upper=np.nan):
        return Row("x", (1, 2), 0.0, Badge.BEHIND, Gap(gap, lower, upper))

    near = [row(0.0), row(0.1, -0.1, 0.3), row(0.2, 0.0, 0.4), row(0.2, 0.1, 0.3)]
    scale = Scale.of([*near, row(50.0, 40.0, 60.0)])
    assert scale.inside(50.0) is None
    assert scale.inside(0.2) is not None
    assert scale.bar(row(50.0, 40.0, 60.0)) is None
    assert 0 <= scale.at(0.0) < scale.at(0.2) < scale.at(50.0) <= 100
    assert "0" in [text for _, text in scale.ticks]
    start, width = scale.bar(row(0.1, -np.inf, 0.2))
    assert start == scale.at(scale.low)
    assert width > 0
    assert Scale.of([row(0.0)]).ticks


@pytest.mark.parametrize(
    ("low", "high", "texts"),
    [
        (-0.013, 0.061, "0 0.02 0.04 0.06"),
        (-1.0, 1.0, "-1 -0.5 0 0.5 1"),
        (0.0, 8.0, "0 2 4 6 8"),
        (0.0, 1000.0, "0 250 500 750 1000"),
        (-30.0, 7.0, "-30 -20 -10 0"),
    ],
)
def test_an_axis_has_four_steps_or_fewer_of_round_numbers(low, high, texts):
    ticks = Scale(low, high).ticks
    assert " ".join(text for _, text in ticks).replace("−", "-").replace(",", "") == texts
    assert all(low <= float(text) <= high for text in texts.split())
    for place, text in ticks:
        assert place == Scale(low, high).at(float(text.replace("−", "-").replace(",", "")))


@pytest.mark.parametrize(
    ("gap", "texts"),
    [((0.0, -1.0, 2.0), ["0.0", "-1.0", "2.0"]), ((-3.0, -4.0, 1.0), ["3.0", "-1.0", "4.0"])],
)
def test_a_gap_is_turned_with_its_limits_only_where_it_is_negative(gap, texts):
    row = Row("a", (1, 1), 0.5, Badge.OPEN, Gap(*gap))
    assert [text.replace("−", "-") for text in numbers_of(row)] == texts


def test_strips_of_very_many_data_sets_show_evenly_spaced_ones_with_both_ends():
    """Of 600 data sets where the same one wins, in their order: each third, more or less."""
    values = np.tile([[3.0, 2.0, 1.0]], (600, 1))
    values[1::2, 1:] = [1.0, 2.0]
    found = standing(compared(higher=True), values, [f"d{i}" for i in range(600)])
    shown = [int(name[1:]) for name in found.columns]
    assert (shown[0], shown[-1], len(shown)) == (0, 599, 200)
    assert set(np.diff(shown)) == {3, 4}
    assert [*found.row("b").strip] == [0.5 if i % 2 == 0 else 0.0 for i in shown]
    whole = standing(compared(higher=True), values[:200], [f"d{i}" for i in range(200)])
    assert whole.columns == tuple(f"d{i}" for i in range(200))


def test_one_data_set_or_other_scores_make_no_strips():
    c, values = compared(higher=True), np.tile([[3.0, 2.0, 1.0]], (2, 1))
    assert standing(c, values, ["d0", "d1"]).row("c").strip == (0.0, 0.0)
    assert standing(c, values[:1], ["d0"]).columns == ()
    assert standing(c, values, ["d0", "d1", "d2"]).columns == ()
