"""What is asked about missing scores is done or refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import podium
from podium.inference.comparing.known import PROCEDURES


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
