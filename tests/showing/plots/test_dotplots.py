from __future__ import annotations

import numpy as np
from results_made import gaps, several, six, survey, ties
from snapshots import assert_snapshot

from podium.showing.plots import PLOTS
from podium.showing.plots.of_scores.score_plots import SPREAD

dots_data = PLOTS["dots"].data


def test_there_is_one_dot_per_score_at_its_value_and_row() -> None:
    data = dots_data(gaps())
    wide = gaps().wide("error").set_index("sample").drop(columns="dataset")
    assert len(data.table) == wide.notna().to_numpy().sum()
    for dot in data.table.itertuples():
        assert dot.value == wide.loc[dot.block, dot.algorithm]
        assert data.rows.names[dot.row] == dot.algorithm
    assert (data.table["height"] == data.table["row"]).all()


def test_jitter_moves_dots_only_within_their_rows_and_is_fixed_by_the_seed() -> None:
    plain, jittered = dots_data(ties()).table, dots_data(ties(), jitter=True).table
    moved = jittered["height"] - plain["height"]
    assert (plain["value"] == jittered["value"]).all()
    assert 0 < moved.abs().min() < moved.abs().max() <= SPREAD < 0.5
    assert moved.nunique() == len(moved)
    again, other = (dots_data(ties(), jitter=True, seed=seed).table for seed in (0, 1))
    assert again.equals(jittered)
    assert not np.isclose(other["height"], jittered["height"]).any()


def test_lines_join_the_scores_of_a_sample_from_dot_to_dot() -> None:
    assert dots_data(six()).segments.empty
    data = dots_data(six(), jitter=True, lines=True)
    assert len(data.segments) == 60 * 5
    place = data.table.set_index(["block", "row"])
    for line in data.segments.iloc[::37].itertuples():
        start, end = place.loc[(line.block, line.row)], place.loc[(line.block, line.row + 1)]
        assert (line.value, line.height) == (start["value"], start["height"])
        assert (line.value_end, line.height_end) == (end["value"], end["height"])


def test_without_a_data_set_the_dots_are_data_sets() -> None:
    assert set(dots_data(survey(7, 3)).table["block"]) == {f"data {j}" for j in range(1, 8)}
    data = dots_data(several()).table
    one = data[(data["block"] == "sonar") & (data["algorithm"] == "lda")]["value"].item()
    assert np.isclose(one, several().filter(dataset="sonar").wide("error")["lda"].mean())


def test_dots_snapshot() -> None:
    data = dots_data(gaps(), jitter=True, lines=True)
    assert_snapshot("dots", data.table)
    assert_snapshot("dots_segments", data.segments)
