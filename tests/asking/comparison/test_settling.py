"""What would separate the best from its rivals: a number that one can plan by, or a bound."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import podium
from podium.asking.comparison.settling import would_settle
from podium.asking.planning.detection import Needed
from podium.cli.main import group


def test_a_number_up_to_eight_times_what_is_there_is_told():
    needed = [Needed("b", 85), Needed("c", 161), Needed("d", None)]
    assert would_settle("a", needed, "data sets", 20) == (
        "About 85 data sets (now 20) would separate a from b and more than 160 from c."
    )
    assert "About 160 data sets" in would_settle("a", [Needed("b", 160)], "data sets", 20)


@pytest.mark.parametrize("blocks", [8_400_000, 2001, None])
def test_beyond_it_a_bound_is_told_and_never_that_no_number_would(blocks):
    assert would_settle("a", [Needed("b", blocks)], "items", 250) == (
        "Too few items (now 250) to tell who is ahead: it takes more than 2,000; --equivalence D "
        "tests whether they are equivalent."
    )


def test_the_screen_of_two_that_hardly_differ(tmp_path):
    right = np.random.default_rng(3).random((250, 2)) < [0.7, 0.7]
    frame = pd.DataFrame(right.astype(int), columns=["owl", "fox"])
    frame.insert(0, "item", [f"q{i}" for i in range(250)])
    frame.to_csv(tmp_path / "items.csv", index=False)
    command = ["analyze", str(tmp_path / "items.csv"), "-m", "accuracy", "--sampling", "items"]
    text = " ".join(CliRunner().invoke(group, command).output.split())
    assert "it takes more than 2,000;" in text


def halves(**scores) -> pd.DataFrame:
    place = {"repeat": np.repeat(range(1, 6), 2), "fold": [1, 2] * 5}
    return pd.DataFrame(place | scores)


@pytest.mark.parametrize("procedure", ["5x2cv-f", "5x2cv-t"])
@pytest.mark.parametrize("wild", [False, True])
def test_screen_and_notes_agree_whether_ten_scores_vary(procedure, wild):
    """Who is told to look at them is not told below that they do not vary."""
    rng = np.random.default_rng(1)
    spread = np.repeat([1, 1, 1, 1, 4 if wild else 1], 2)
    table = halves(svm=0.2 * spread + rng.normal(0, 0.01, 10), tree=rng.normal(0.22, 0.01, 10))
    results = podium.read(table, measure="error", sampling="5x2cv")
    codes = {note.code for note in podium.compare(results, procedure).warnings}
    assert ("check-scores" in codes, "rates-vary" in codes, "rates-checked" in codes) == (
        wild, wild, not wild
    )  # fmt: skip
