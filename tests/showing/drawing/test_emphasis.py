"""Colours by the number of algorithms, and one order of rows."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import podium
from podium.showing.drawing.canvas import BESIDE, COLOURS, Emphasis, emphasised, in_order
from podium.showing.drawing.shown_scores import rows_of, scores_of
from podium.showing.plots import styles


def results(algorithms: int) -> podium.Results:
    rng = np.random.default_rng(0)
    values = rng.uniform(0, 1, (12, 1)) + np.arange(algorithms)[::-1] + rng.random((12, algorithms))
    table = pd.DataFrame(values, columns=[f"a{i}" for i in range(algorithms)])
    table.insert(0, "dataset", [f"d{i}" for i in range(12)])
    return podium.read(table, measure="mae")


def test_up_to_eight_have_a_hue_each_and_of_more_only_the_lead() -> None:
    names = [f"a{i}" for i in range(26)]
    with emphasised(Emphasis(tuple(names[8:]))):  # more than there are hues
        assert len({style.colour for style in styles(names[:25]).values()}) == 5
    with emphasised(Emphasis(("a7", "a3", "a5", "a1", "a9"))):
        assert len({style.colour for style in styles(names[:8]).values()}) == 8
        some = styles(names[:12])
        assert [some[n].colour for n in ("a7", "a3", "a5", "a1")] == list(COLOURS[:4])
        assert {some[n].colour for n in ("a9", "a0", "a2")} == {BESIDE}  # four of the lead at most
        every = styles(names)
        coloured = {n for n, style in every.items() if style.colour != BESIDE}
        assert coloured == {"a7", "a3", "a5", "a1", "a9"}
        assert {every[n].colour for n in coloured} == {COLOURS[0]}
    assert BESIDE not in {style.colour for style in styles(names).values()}  # nobody leads


def test_a_plot_alone_shows_the_best_in_colour_and_names_the_others_in_one_entry() -> None:
    ax = podium.plots.profiles(results(12))
    named = [text.get_text() for text in ax.get_legend().get_texts()]
    assert sorted(named) == ["8 others", "a10", "a11", "a8", "a9"]
    plt.close("all")


def test_rows_follow_the_order_that_was_said_and_only_where_it_knows_all_names() -> None:
    scores = scores_of(results(3))
    assert rows_of(scores).names == ["a2", "a1", "a0"]
    with emphasised(Emphasis(order=("a1", "a0", "a2"))):
        assert rows_of(scores).names == ["a1", "a0", "a2"]
        assert in_order(["a2", "other"]) == ["a2", "other"]
