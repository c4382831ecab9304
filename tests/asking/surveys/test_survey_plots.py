"""The benchmark survey plot."""

from __future__ import annotations

from string import ascii_letters

import numpy as np
import pytest
import results_made
from matplotlib.figure import Figure
from orders_made import four, made, repeated
from snapshots import assert_snapshot
from told import sentences

import podium
from podium import Order
from podium.errors import InferenceError, ResultsError
from podium.showing.drawing.place_maps import place_table
from podium.showing.plots import PLOTS, survey
from podium.testing import check_plot

draw_survey = PLOTS["survey"].draw
survey_data = PLOTS["survey"].data


def test_a_border_is_where_neighbouring_places_differ():
    data = survey_data(four())
    assert data.datasets == ["sonar", "iris", "monks", "glass"]  # the leaves
    places = data.cells.set_index("dataset")
    assert places.loc["sonar", "algorithm"].tolist() == ["d", "c", "b", "a"]  # as the order prints
    assert places.loc["sonar", "border_above"].tolist() == [True, True, False, False]
    assert places.loc["monks", "border_above"].tolist() == [True, True, True, False]
    assert data.exceptions.empty
    assert sentences(data.notes) == []
    assert_snapshot("survey", data.cells)


def test_borders_equal_what_the_printed_order_says_on_weak_orders():
    results = results_made.several()
    found = podium.by_dataset(results)
    cells = survey_data(found).cells.set_index("dataset")
    for name, order in found.orders.items():
        one = cells.loc[name]
        assert one["algorithm"].tolist() == [a for group in order.groups for a in group]
        ends = np.cumsum([len(group) for group in order.groups])
        assert (np.flatnonzero(one["border_above"]) + 1).tolist() == ends[:-1].tolist()


def test_pairs_that_borders_do_not_tell_are_exceptions():
    chain = Order.from_intervals("abc", [1, 2, 3], [2.5, 4, 5])  # a ≈ b ≈ c, a < c
    two_steps = Order.from_matrix("abc", [[0, 1, 0], [0, 0, 1], [0, 0, 0]])  # but not a < c
    data = survey_data(made({"x": chain, "y": two_steps}))
    assert sorted(data.exceptions.itertuples(index=False, name=None)) == [
        ("x", "a", "c", True),
        ("y", "a", "c", False),
    ]
    assert "a and c differ on x" in sentences(data.notes)[0]
    assert "a and c do not differ on y" in sentences(data.notes)[0]


def test_what_cannot_be_shown_is_said():
    circle = Order.from_matrix("abc", [[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    open_pair = Order("abc", np.zeros((3, 3), bool), None, frozenset({("a", "b")}))
    found = made({"x": circle, "y": circle}, {"y": [0.1, np.nan, 0.3]}, refused={"z": "no score"})
    said = " ".join(sentences(survey_data(found).notes))
    assert "Not analysed: z." in said
    assert "in a circle on x, y" in said
    assert "1 mean missing" in said
    said = " ".join(sentences(survey_data(made({"x": open_pair, "y": open_pair})).notes))
    assert "1 pair not compared" in said


@pytest.mark.parametrize(
    ("measure", "means", "expected"),
    [
        ("error", [0.1, 0.3], (0, 1)),  # the bounds
        ("error", [10, 30], (0, 30)),  # percent are beyond the bounds
        ("squared", [2, 8], (0, 8)),  # only the lower end has a bound
        ("log-likelihood", [-4, -2], (-4, 0)),
        ("profit", [3, 3], (0, 3)),
        ("profit", [0, 0], (0, 1)),
    ],
)
def test_limits_are_bounds_or_what_the_means_span(measure, means, expected):
    data = survey_data(made({"x": "a ≻ b", "y": "a ≻ b"}, dict.fromkeys("xy", means), measure))
    assert data.limits == expected
    low, high = expected
    share = (np.array(means) - low) / (high - low)
    assert data.cells["share"].tolist() == pytest.approx([*share, *share])


def test_limits_may_be_said_and_are_kept_to():
    found = made({"x": "a ≻ b", "y": "a ≻ b"})
    data = survey_data(found, limits=(0.15, 0.25))
    assert data.cells["share"].tolist() == pytest.approx([0, 0.5, 0, 0.5])
    assert sentences(data.notes) == ["2 means beyond the limits of the bars."]
    for wrong in ((1, 0), (0, float("inf"))):
        with pytest.raises(InferenceError, match="the smaller first"):
            survey_data(found, limits=wrong)


def test_codes_tell_all_algorithms_apart():
    many = [f"algorithm {i}" for i in range(60)]
    ranks = Order.from_ranks(many, range(60))
    codes = survey_data(made({"x": ranks, "y": ranks})).codes
    assert len(set(codes.values())) == 60
    assert sorted(list(codes.values())[:52]) == sorted(ascii_letters)
    assert set(survey_data(four()).codes) == set("abcd")


def test_more_than_eight_algorithms_are_a_map_of_places_with_those_who_may_be_best():
    names = [f"n{i}" for i in range(9)]
    clear, open_ = (
        Order.from_ranks(names, range(9)),
        Order.from_ranks(names, [2, 1, 1, *range(3, 9)]),
    )
    data = survey_data(made({"x": clear, "y": open_}))
    assert not data.podiums
    assert data.leads == {"x": ("n0",), "y": ("n1", "n2")}
    table = place_table(data.cells)
    assert table.index.tolist()[:3] == ["n1", "n0", "n2"]  # mean places 1.5, 2, 2.5
    assert table["x"].tolist() == [2, 1, 3, *range(4, 10)]
    assert sentences(data.notes)[0].startswith("1: best on that data set. =: not")
    ax = draw_survey(data, Figure().add_subplot())
    assert [t.get_text() for t in ax.texts].count("=") == 2
    assert [t.get_text() for t in ax.texts].count("1") == 1
    assert survey_data(made({"x": clear, "y": open_}), podiums=True).podiums
    assert survey_data(made({"x": clear, "y": open_}), limits=(0, 1)).podiums


def test_results_are_not_orders():
    with pytest.raises(ResultsError, match=r"podium\.by_dataset"):
        survey(results_made.several())


def test_the_drawing_has_a_cell_a_bar_and_a_name_per_place_and_only_true_borders():
    from matplotlib.collections import LineCollection, PolyCollection

    data = survey_data(four())
    ax = draw_survey(data, Figure().add_subplot())
    cells, bars = (c for c in ax.collections if isinstance(c, PolyCollection))
    assert len(cells.get_paths()) == len(bars.get_paths()) == 16
    borders = next(c for c in ax.collections if isinstance(c, LineCollection))
    assert len(borders.get_segments()) == data.cells["border_above"].sum()
    assert sorted(t.get_text() for t in ax.texts if t.get_text() in "abcd") == sorted("abcd" * 4)


@pytest.mark.parametrize("case", ["fifty", "long names", "ties"])
def test_it_keeps_the_laws_of_plots(case):
    check_plot(survey, podium.by_dataset(repeated(results_made.CASES[case]()), "paired-t"))
