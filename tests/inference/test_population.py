"""Claims about new samples from one learning sample: the corrected t test and the halves test."""

from __future__ import annotations

import numpy as np
import pytest
from layouts_made import made, noise
from scipy import stats

from podium.api.comparing import compare
from podium.inference import estimates as est
from podium.wording.notes import say

DIFFERENCES = np.array([0.3, -0.1, 0.4, 0.2, 0.0, 0.5, 0.1, 0.3, -0.2, 0.6])


def pair(how: str, block: str = "fold", differences: np.ndarray = DIFFERENCES):
    scores = np.column_stack([differences, np.zeros(len(differences))])
    return made(scores, block=block, target="population", how=how, measure="accuracy")


@pytest.mark.parametrize(
    ("how", "block", "ratio", "df"),
    [
        ("cv:10", "fold", 1 / 9, 9),  # one round: r
        ("cv:5", "fold", 1 / 4, 9),
        ("repeated-cv:2x5", "fold", 2 / 4, 9),  # test sets overlap: 2 r
        ("repeated-cv:1x10", "fold", 1 / 9, 9),
        ("repeated-cv:2x4", "fold", 2 / 3, 9),
        ("repeated-cv:2x6", "fold", 2 / 5, 5),  # more than 0.8: n / n_test - 1
        ("subsampling:10x0.8", "resample", 2 / 4, 9),
        ("subsampling:10x0.75", "resample", 2 / 3, 9),
        ("subsampling:10x0.875", "resample", 2 / 7, 7),
        ("bootstrap:10", "resample", 2 / (np.e - 1), 9),
        ("5x2cv", "fold", 3, 5),
        ("repeated-cv:5x2", "fold", 3, 5),
    ],
)
def test_the_corrected_t_by_hand(how: str, block: str, ratio: float, df: int) -> None:
    layout = pair("5x2cv" if how == "repeated-cv:5x2" else how, block)
    row = compare(layout, "corrected-t").table.iloc[0]
    se = np.sqrt(DIFFERENCES.var(ddof=1) * (1 / 10 + ratio))
    t = DIFFERENCES.mean() / se
    assert row["statistic"] == pytest.approx(t, rel=1e-12)
    assert row["p"] == pytest.approx(2 * stats.t.sf(t, df), rel=1e-9)
    assert row["upper"] == pytest.approx(DIFFERENCES.mean() + stats.t.isf(0.025, df) * se, rel=1e-9)


def test_nine_tenths_of_a_hundred_splits_have_nine_df() -> None:
    layout = pair("repeated-cv:10x10", differences=np.resize(DIFFERENCES, 100))
    assert est.overlap(layout) == (pytest.approx(2 / 9), 9)
    assert est.overlap(pair("subsampling:100x0.9", "resample")) == (pytest.approx(2 / 9), 9)


def test_fewer_rows_to_learn_from_are_a_larger_ratio() -> None:
    layout = made(noise(10, 2), block="fold", how="repeated-cv:2x5", rows=100, size=40)
    assert est.overlap(layout) == (pytest.approx(2 * 20 / 40), np.inf)


def test_nadeau_and_bengio_by_name() -> None:
    row = compare(pair("repeated-cv:2x5"), "corrected-t-nb").table.iloc[0]
    t = DIFFERENCES.mean() / np.sqrt(DIFFERENCES.var(ddof=1) * (1 / 10 + 1 / 4))
    assert row["statistic"] == pytest.approx(t, rel=1e-12)
    assert row["p"] == pytest.approx(2 * stats.t.sf(t, 9), rel=1e-9)


def test_the_corrected_t_has_no_global_test_of_its_own() -> None:
    c = compare(made(noise(10, 3), block="fold"), "corrected-t")
    assert c.overall is not None
    assert c.overall.test == "largest statistic"
    assert c.overall.p == pytest.approx(c.table["p_adjusted"].min())


@pytest.mark.parametrize(
    ("how", "block", "most"),
    [
        ("cv:10", "fold", 13),
        ("repeated-cv:2x5", "fold", 21),
        ("bootstrap:10", "resample", 27),
        ("5x2cv", "fold", 44),
    ],
)
def test_the_corrected_t_says_what_it_assumes(how: str, block: str, most: int) -> None:
    notes = {n.code: say(n) for n in compare(pair(how, block), "corrected-t").warnings}
    assert f"up to {most} % were told apart" in notes["overlap"]
    assert "--halves 10" in notes["overlap"]
    assert ("finds hardly any difference" in notes["overlap"]) == (how == "5x2cv")


@pytest.mark.parametrize(
    ("name", "how", "liberal"),
    [
        ("corrected-t-nb", "repeated-cv:2x5", True),
        ("corrected-t-nb", "cv:10", False),  # where it is corrected-t
        ("5x2cv-f", "5x2cv", True),
        ("5x2cv-t", "5x2cv", True),
    ],
)
def test_tests_that_reject_too_often_say_how_often(name: str, how: str, liberal: bool) -> None:
    notes = {n.code: say(n) for n in compare(pair(how), name).warnings}
    assert ("liberal" in notes) == liberal
    if liberal:
        assert "% for ridge regression" in notes["liberal"]
