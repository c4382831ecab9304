"""What is asked about missing scores is done or refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from layouts_made import made

import podium
from podium.core.inference.comparing.compare import _worst_of
from podium.core.inference.comparing.known import PROCEDURES


def _with_gaps(algorithms: str = "abcd") -> podium.Results:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.random((14, len(algorithms))).round(3), columns=list(algorithms))
    frame.loc[2, "a"] = frame.loc[5, "b"] = np.nan
    frame.insert(0, "dataset", [f"d{i}" for i in range(14)])
    return podium.read(frame, measure="accuracy")


def _common(results: podium.Results, first: str, second: str) -> float:
    table = results.scores.pivot(index="dataset", columns="algorithm", values="value")
    return float((table[first] - table[second]).mean())


@pytest.mark.parametrize("name", sorted(PROCEDURES))
def test_pairs_on_their_own_blocks_are_compared_so_or_refused(name: str) -> None:
    results = _with_gaps()
    control = "a" if PROCEDURES[name].needs.control else None
    try:
        usual = podium.compare(results, name, control=control)
    except podium.PodiumError:
        return  # not of data sets
    if not PROCEDURES[name].needs.gaps:
        with pytest.raises(podium.PodiumError, match="2 of 14 lack a score: use --gaps complete"):
            podium.compare(results, name, control=control, gaps="pairs")
        said = podium.compare(results, name, control=control, gaps="complete")
        assert said.blocks.count == usual.blocks.count == 12
        return
    said = podium.compare(results, name, control=control, gaps="pairs")
    assert said.blocks.count == 14
    assert said.table.equals(usual.table)


def test_each_pair_of_hull_is_on_the_blocks_that_both_have() -> None:
    results = _with_gaps()
    table = podium.compare(results, "hull", gaps="pairs").table
    for row in table.itertuples():
        assert row.estimate == pytest.approx(_common(results, row.first, row.second))


def test_of_two_algorithms_common_blocks_are_the_complete_ones() -> None:
    results = _with_gaps("ab")
    said = podium.compare(results, "paired-t", gaps="pairs")
    assert said.table["estimate"][0] == pytest.approx(_common(results, "a", "b"))


def test_a_gap_is_filled_by_the_worst_difference_from_a_rival_that_was_there():
    """Against b the first lost 2 at worst, against c it won 1 at least: 4 - 2 and 3 + 1."""
    values = [[1.0, 2.0, 0.0], [3.0, 5.0, 1.0], [np.nan, 4.0, 3.0], [np.nan, np.nan, 3.0]]
    filled = _worst_of(made(values, measure="accuracy"), 0).values
    assert filled[:2].tolist() == values[:2]
    assert filled[2:, 0].tolist() == [2.0, 4.0]
    one = made([[0.1, 0.9], [np.nan, 0.2]], measure="accuracy")
    assert _worst_of(one, 0).values[1, 0] == 0.0, "no accuracy is below 0"


def test_one_pair_alone_needs_no_adjustment():
    rng = np.random.default_rng(1)
    for count, unadjusted in ((2, False), (3, True)):
        c = podium.compare(made(rng.normal(size=(8, count))), "paired-t", adjust="none")
        assert c.is_unadjusted == unadjusted
