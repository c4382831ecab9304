from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from results_made import gaps, one_sample, read, six, survey
from scipy import stats
from snapshots import assert_snapshot
from told import sentences

from podium.errors import ResultsError
from podium.showing.plots import PLOTS

summary_data = PLOTS["summary"].data


def test_the_interval_is_mean_plus_and_minus_z_sd_over_root_b() -> None:
    table = pd.DataFrame({"sample": range(1, 5), "a": [0.1, 0.2, 0.3, 0.4], "b": [0.5] * 4})
    first, second = summary_data(read(table)).table.to_dict("records")
    half = 1.959963984540054 * np.sqrt(5 / 300) / 2  # qnorm(0.975) * sd(c(1, 2, 3, 4) / 10) / 2
    assert first["mean"] == pytest.approx(0.25)
    assert (first["lower"], first["upper"]) == pytest.approx((0.25 - half, 0.25 + half))
    assert (second["lower"], second["upper"]) == pytest.approx((0.5, 0.5))


@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
def test_the_interval_is_that_of_the_normal_distribution(level: float) -> None:
    scores = six().wide("error")["svm"]
    at = summary_data(six(), level=level).table.set_index("algorithm").loc["svm"]
    expected = stats.norm.interval(level, scores.mean(), stats.sem(scores))
    assert (at["lower"], at["upper"]) == pytest.approx(expected)


def test_gaps_are_left_out_of_mean_and_count() -> None:
    data = summary_data(gaps())
    assert data.table["algorithm"].tolist() == ["svm", "rpart", "knn"]
    assert data.table["scores"].tolist() == [15, 13, 14]
    expected = gaps().wide("error")[["svm", "rpart", "knn"]].mean()
    np.testing.assert_allclose(data.table["mean"], expected)


def test_overlap_is_said_to_be_no_test_and_a_single_score_to_have_no_interval() -> None:
    data = summary_data(one_sample())
    assert data.table[["sd", "lower", "upper"]].isna().all(axis=None)
    said = " ".join(sentences(data.rows.notes))
    assert "overlap is no test: all algorithms share the samples" in said
    assert "A single score has no interval: svm, rpart, knn." in said
    assert "share the data sets" in sentences(summary_data(survey()).rows.notes)[1]


@pytest.mark.parametrize("level", [0, 1, 95, -0.1, float("nan"), "0.95"])
def test_a_level_is_between_0_and_1(level: float) -> None:
    with pytest.raises(ResultsError, match=r"between 0 and 1, as 0\.95, not"):
        summary_data(six(), level=level)


def test_summary_snapshot() -> None:
    assert_snapshot("summary", summary_data(six()).table)
