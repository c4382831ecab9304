"""What comparisons may and may not claim."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from layouts_made import made, noise
from scipy import stats

import podium
from podium import compare
from podium.core.inference.bricks.estimates import means
from podium.core.inference.comparing.known import PROCEDURES
from podium.core.inference.comparing.legality import advise
from podium.errors import InferenceError
from podium.showing.screens.terminal import within_margin

REFERENCE = Path(__file__).parents[3] / "reference"


@pytest.mark.parametrize("procedure", ["paired-t", "mixed-tukey"])
def test_a_difference_that_never_varies_has_no_global_p(procedure: str) -> None:
    a = noise(12, 1)
    c = compare(made(np.hstack([a, a - 0.125])), procedure)
    assert c.overall is not None
    assert np.isnan(c.overall.p)
    assert "no-variation" in [w.code for w in c.warnings]
    third = compare(made(np.hstack([a, a - 0.125, noise(12, 1, seed=5)])), "paired-t")
    assert third.overall is not None
    assert np.isnan(third.overall.p)


def test_algorithms_that_never_differed_are_not_told_apart_nor_shown_to_be_alike() -> None:
    a = noise(12, 1)
    same = made(np.hstack([a, a]))
    c = compare(same, "paired-t")
    assert c.overall is not None
    assert c.overall.p == 1
    row = compare(same, "paired-t", relevance=0.01).table.iloc[0]
    assert row["verdict"] == "undecided"
    assert np.isnan([row["lower"], row["upper"]]).all()


def test_the_global_test_of_paired_t_is_hotelling_s() -> None:
    values = noise(30, 3)
    overall = compare(made(values), "paired-t").overall
    assert overall is not None
    d = values[:, :2] - values[:, 2:]
    t2 = 30 * d.mean(axis=0) @ np.linalg.solve(np.cov(d.T), d.mean(axis=0))
    f = t2 * 28 / (2 * 29)
    assert (overall.procedure, overall.test) == ("paired-t", "Hotelling's F")
    assert overall.statistic == pytest.approx(f)
    assert overall.p == pytest.approx(stats.f.sf(f, 2, 28))


def test_advice_never_recommends_what_is_refused() -> None:
    layout = made(noise(20, 2), block="item")
    wrong = advise(type(layout)(**{**layout.__dict__, "target": "population"}))
    assert wrong.procedure == ""
    assert any("target 'population'" in text for text in wrong.cannot)


def test_statements_name_the_margin_the_side_and_the_force() -> None:
    layout = made(noise(20, 2))
    assert "differ by at most 0.1." in compare(layout, "paired-t", relevance=0.1).statement
    less = compare(layout, "paired-t", alternative="less", relevance=0.2).statement
    assert "first - second is at least -0.2" in less
    folds = made(noise(10, 2), block="fold", how="cv:10")
    assert compare(folds, "kfold-t", force=True).statement.startswith("NOT VALID")


def test_what_is_controlled_follows_the_adjustment() -> None:
    layout = made(noise(40, 3))
    assert "strongly" in str(compare(layout, "paired-t").method.to_dict()["controls"])
    assert "false discovery" in str(
        compare(layout, "paired-t", adjust="bh").method.to_dict()["controls"]
    )
    small = compare(made(noise(12, 3)), "paired-t", adjust="single-step")
    assert "few-blocks" in [w.code for w in small.warnings]


@pytest.mark.parametrize("name", ["BH", "fdr", "benjamini-hochberg", "Benjamini_Hochberg"])
def test_adjustments_are_known_by_their_usual_names(name: str) -> None:
    layout = made(noise(40, 3))
    ours = compare(layout, "Paired_T", adjust=name).table["p_adjusted"]
    expected = stats.false_discovery_control(compare(layout, "paired-t").table["p"])
    np.testing.assert_allclose(ours, expected)


def test_the_normal_null_is_that_of_multcomp() -> None:
    """R: glht(lmer(...), mcp(alg = "Tukey")), whose quantile is Monte-Carlo (2.85027)."""
    frame = pd.read_csv(REFERENCE / "bench_wide.csv").drop(columns=["b", "n_oob"])
    theirs = json.loads((REFERENCE / "mixed_bench.json").read_text(encoding="utf-8"))["tukey"]
    results = podium.read(dict(frame.items()), sampling="bootstrap", measure="error")
    c = podium.compare(results, "mixed-tukey", null="normal").table
    pairs = [f"{b} - {a}" for a, b in zip(c["first"], c["second"], strict=True)]
    half = (c["upper"] - c["lower"]) / 2
    np.testing.assert_allclose(
        -c["upper"], [theirs["lwr"][p] for p in pairs], atol=1e-3 * half.min()
    )
    np.testing.assert_allclose(
        c["p_adjusted"], [theirs["p_single_step"][p] for p in pairs], atol=1e-3
    )


def test_an_estimate_is_a_brick() -> None:
    layout = made(noise(40, 3))
    ranks = compare(layout, "permutation-max", estimate="block-sums:ranks").table
    np.testing.assert_allclose(ranks["statistic"], compare(layout, "nemenyi").table["statistic"])
    own = compare(layout, "paired-t", estimate=means).table
    np.testing.assert_allclose(own["p"], compare(layout, "paired-t").table["p"])
    with pytest.raises(InferenceError, match=r"'block-sum' is not an? estimate\. Did"):
        compare(layout, "paired-t", estimate="block-sum")


def test_another_estimate_is_no_way_around_legality() -> None:
    folds = made(noise(10, 2), block="fold", how="cv:10")
    with pytest.raises(InferenceError, match="'corrected-t' is not valid for folds"):
        compare(folds, "corrected-t", estimate="means")
    forced = compare(folds, "corrected-t", estimate="means", force=True)
    assert forced.statement.startswith("NOT VALID")
    own = compare(made(noise(40, 3)), "paired-t", estimate=means)
    assert own.method.to_dict()["reference"] == "none: the user's own bricks"


def test_contrasts_may_be_a_matrix() -> None:
    layout = made(noise(40, 3))
    c = podium.compare(layout, "paired-t", contrasts=np.array([[1, -0.5, -0.5]])).table
    t = stats.ttest_1samp(layout.values @ [1, -0.5, -0.5], 0)
    assert abs(c["statistic"].iloc[0]) == pytest.approx(abs(t.statistic))
    with pytest.raises(InferenceError, match="has 2 weights for 3 algorithms"):
        podium.compare(layout, "paired-t", contrasts=[[1, -1]])


def test_notes_are_part_of_every_text_and_no_zero_is_negative() -> None:
    layout = made(np.zeros((12, 2)), measure="error")
    c = compare(layout, "paired-t")
    assert "Note (" in repr(c)
    assert "Note (" in c.to_markdown()
    assert "Note (" in c._repr_html_()
    assert "-0.0" not in c.to_json()


def test_five_repeats_of_two_folds_are_5x2cv() -> None:
    rng = np.random.default_rng(0)
    table = {"a": rng.random(10), "b": rng.random(10)}
    results = podium.read(table, sampling="repeated-cv:5x2", measure="accuracy")
    c = podium.compare(results)
    assert c.procedure == "corrected-t"
    assert c.blocks.sampling == "5x2cv"
    assert next(w for w in c.warnings if w.code == "overlap").little
    by_name = podium.compare(results, "5x2cv-f")
    assert by_name.overall is not None
    assert by_name.overall.df == (10, 5)
    assert {"check-scores", "liberal"} <= {w.code for w in by_name.warnings}


def test_clusters_are_called_clusters() -> None:
    layout = made(noise(12, 2), block="item", clusters=np.repeat(range(4), 3))
    c = compare(layout, "sign-flip")
    assert (c.blocks.count, c.blocks.text) == (4, "clusters of items of one test set")


def test_every_procedure_states_its_null_and_reference() -> None:
    for procedure in PROCEDURES.values():
        assert procedure.null
        assert procedure.hypothesis
        assert procedure.reference


# -- margins ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("measure", "alternative"), [("accuracy", "greater"), ("error", "less")])
def test_non_inferiority_is_in_the_direction_of_the_measure(measure: str, alternative: str) -> None:
    layout = made(noise(30, 2), measure=measure)
    ours = compare(layout, "paired-t", non_inferiority=0.5)
    theirs = compare(layout, "paired-t", alternative=alternative, relevance=-0.5)
    pd.testing.assert_frame_equal(ours.table, theirs.table)
    assert ours.asks_inferiority
    assert set(ours.table["verdict"]) <= {"non-inferior", "undecided"}


def test_equivalence_is_a_relevance_with_a_sentence_of_its_own() -> None:
    values = noise(30, 2)
    values[:, 1] = values[:, 0] + 0.01 * noise(30, 1)[:, 0]
    c = compare(made(values), "paired-t", equivalence=0.1)
    assert c.relevance == 0.1
    low, high = c.table[["equivalence_lower", "equivalence_upper"]].iloc[0]
    shown = f" ({low:.4f} to {high:.4f}; 90 % CI)".replace("-", "−")
    assert within_margin(c) == f"Shown: a and b differ by no more than 0.1 in squared{shown}."
    not_yet = compare(made(noise(30, 2)), "paired-t", equivalence=0.1)
    assert within_margin(not_yet).startswith("Not shown: that a and b differ by no more than 0.1")
    assert within_margin(compare(made(values), "paired-t")) == ""


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"non_inferiority": 0.1, "equivalence": 0.1, "control": "a"}, "Say one of"),
        ({"equivalence": 0.1, "relevance": 0.2}, "Say one of"),
        ({"equivalence": -0.1}, "is a margin above 0"),
        ({"non_inferiority": 0.1}, "as in --control a"),
    ],
)
def test_margins_that_say_nothing_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(InferenceError, match=said):
        compare(made(noise(12, 3)), "paired-t", **options)
