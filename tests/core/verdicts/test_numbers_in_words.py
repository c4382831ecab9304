"""Numbers in sentences are those of the table, whichever algorithm comes first."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
from scipy import stats
from tables_built import errors

import podium
from podium.core.verdicts import how_to_report
from podium.core.verdicts.findings import p_words, signed

LOW = np.tile([0.10, 0.12], 10)
HIGH = LOW + np.tile([0.03, 0.05, 0.04], 7)[:20]


def test_one_algorithm_whose_scores_are_all_equal_has_its_number_three_times():
    results = podium.read(
        pd.DataFrame({"sample": range(1, 6), "a": [0.25] * 5}),
        sampling="bootstrap",
        measure="error",
    )
    c = podium.verdicts.score_interval(results)
    assert "was 0.25 (95 % interval 0.25 to 0.25, 5 samples" in how_to_report(c)


def test_a_minus_stands_before_a_number_and_not_in_its_exponent():
    assert [signed(text) for text in ("-1.5", "-2e-05", "2e-05")] == ["−1.5", "−2e-05", "2e-05"]


def test_a_p_value_of_just_alpha_is_significant_and_digits_never_hide_a_decision():
    results = errors({"a": 0.2, "b": 0.21, "c": 0.22})
    c = podium.compare(results, "mixed-tukey")
    assert c.overall is not None
    for p, verdict in ((0.05, "was rejected"), (0.0501, "was not rejected")):
        said = how_to_report(replace(c, overall=c.overall._replace(p=p)))
        assert f"{verdict} (" in said
    for p in (0.04999, 0.05, 0.0500001, 0.05049):
        shown = float(p_words(p, 0.05).removeprefix("p = "))
        assert (shown <= 0.05) == (p <= 0.05)


def test_the_statistic_of_a_test_of_all_is_told_whatever_the_direction_of_the_pairs():
    results = errors({"a": 0.2, "b": 0.21, "c": 0.22})
    scores = results.scores.pivot(index="sample", columns="algorithm", values="value")
    statistic, _ = stats.friedmanchisquare(*scores.to_numpy().T)
    for alternative in ("two-sided", "less"):
        said = how_to_report(podium.compare(results, "friedman", alternative=alternative))
        assert f"was rejected (chi-square = {statistic:.3g}, df = 2, p < 0.001)" in said


def test_an_order_is_told_of_three_and_the_statistic_of_the_pair_of_two():
    for names, is_pair in (("ab", True), ("abc", False)):
        results = errors({name: 0.1 + 0.2 * i for i, name in enumerate(names)})
        c = podium.compare(results, "paired-t")
        said = how_to_report(c, podium.decide(c))
        assert ("The order of the algorithms" in said) != is_pair
        values = results.scores.pivot(index="sample", columns="algorithm", values="value")
        t = stats.ttest_rel(values["a"], values["b"]).statistic
        assert (f"F(1, 29) = {t**2:.0f}, p < 0.001)" in said) == is_pair  # of one pair F is t²
