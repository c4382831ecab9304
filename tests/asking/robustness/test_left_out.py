"""left_out: third algorithms and single data sets, against comparisons made by hand."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from blocks_made import made, noise

import podium
from podium import compare, layout, left_out
from podium import decide as decide_comparisons
from podium.core.inference.layouts import clustered
from podium.core.orders import distance
from podium.core.words.saying import say


def codes(found) -> set[str]:
    return {note.code for note in found.notes}


def test_every_row_is_the_comparison_without_it():
    scores = noise(12, 4, seed=3)
    full = decide_comparisons(compare(made(scores, "dataset"), "wilcoxon"))
    found = left_out(made(scores, "dataset"), "wilcoxon")
    assert found.order == full
    assert found.table["left_out"].tolist() == [*"abcd", *(f"data set {i}" for i in range(1, 13))]
    for i, name in enumerate("abcd"):
        part = made(np.delete(scores, i, axis=1), "dataset", names="abcd".replace(name, ""))
        plain = decide_comparisons(compare(part, "wilcoxon", null="exact"))
        row = found.table.iloc[i]
        assert podium.order(row["order"]).levels() == plain.levels()
        assert row["distance"] == distance(plain, full.restricted(plain.algorithms))
    without = compare(made(scores[1:], "dataset"), "wilcoxon", null="exact").table
    with_all = found.comparisons.table
    assert found.table["changed"].iloc[4] == (without["verdict"] != with_all["verdict"]).sum()


def test_verdicts_by_mean_ranks_depend_on_a_third_algorithm_and_those_of_pairs_do_not():
    # b is better than a in 20 of 30 blocks; c lies between them where b wins, so that ranks of all
    # three set them two apart there, and one apart elsewhere (Benavoli, Corani, Mangili 2016)
    scores = np.array([[0.0, 2.0, 1.0]] * 20 + [[1.0, 0.0, -1.0]] * 10)
    scores = scores + 1e-3 * noise(30, 3)
    with_third = left_out(made(scores), "friedman", adjust="none", null="asymptotic")
    changed = with_third.changes.query("left_out == 'c'").iloc[0]
    assert (changed["first"], changed["second"]) == ("a", "b")
    assert (changed["verdict"], changed["verdict_without"]) == ("worse", "undecided")
    # by hand: rank sums differ by 2 * 20 - 10 = 30; variance B K (K+1) / 6 = 60, without c: 30 / 1
    assert changed["p"] == pytest.approx(1.0751e-4, rel=1e-3)  # 2 Phi(-30 / sqrt(60))
    assert changed["p_without"] == pytest.approx(0.067889, rel=1e-4)  # 2 Phi(-10 / sqrt(30))
    assert "irrelevant-alternatives" in codes(with_third)
    own = len(with_third.changes)
    assert f"is left out: {own}. " in str(with_third)
    assert f"in {own} the pair's own p-value by 'friedman'" in str(with_third)
    by_pairs = left_out(made(scores), "sign", adjust="none")
    assert by_pairs.changes.empty
    assert "irrelevant-alternatives" not in codes(by_pairs)


def test_fewer_pairs_to_adjust_for_change_verdicts_without_changing_p_values():
    scores = noise(20, 6, seed=2)
    found = left_out(made(scores), "paired-t", adjust="bonferroni")
    third = found.changes.query("kind == 'algorithm'")
    assert len(third) > 0
    np.testing.assert_allclose(third["p"], third["p_without"], rtol=1e-9)
    np.testing.assert_allclose(third["p_adjusted"] / 15, third["p_adjusted_without"] / 10)
    assert "in 0 the pair's own p-value" in str(found)
    drawn = left_out(made(scores), "permutation-max", null="permutation:999")
    assert "drawn-null" in codes(drawn)


def test_the_data_set_that_carries_an_order_is_named():
    table = pd.DataFrame(
        {
            "dataset": [f"task {i}" for i in range(8)],
            "svm": [0.81, 0.79, 0.8, 0.82, 0.78, 0.8, 0.81, 0.2],
            "knn": [0.75, 0.72, 0.75, 0.75, 0.73, 0.74, 0.76, 0.7],
        }
    )
    results = podium.read(table, measure="accuracy")
    found = left_out(layout(results), "paired-t")
    assert found.order.text == "knn ≈ svm"
    rows = found.table[found.table["changed"] > 0]
    assert rows["left_out"].tolist() == ["task 7"]
    assert rows["order"].tolist() == ["svm ≻ knn"]
    assert rows["distance"].tolist() == [1]
    assert found.changes["verdict_without"].tolist() == ["better"]
    assert "task 7" in repr(found)
    assert "task 7" in found._repr_html_()
    assert "not-left-out" in codes(found)  # one algorithm alone is no comparison
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["changes"][0]["kind"] == (
        "dataset"
    )


@pytest.mark.parametrize("procedure", ["survey-fixed", "survey-random"])
def test_data_sets_are_left_out_of_survey_models_with_all_their_samples(procedure):
    scores, within = noise(12, 3), np.repeat([0, 1, 2, 3], 3)
    target = "datasets" if procedure == "survey-fixed" else "dataset-population"
    names = ("w", "x", "y", "z")
    found = left_out(
        made(scores, "nested", target, within=within, datasets=names), procedure, alpha=0.3
    )
    assert found.table["left_out"].tolist() == ["a", "b", "c", *names]
    for i, name in enumerate(names):
        part = made(
            scores[within != i],
            "nested",
            target,
            within=np.repeat([0, 1, 2], 3),
            datasets=tuple(n for n in names if n != name),
        )
        plain = compare(part, procedure, alpha=0.3)
        row = found.table.iloc[3 + i]
        assert row["distance"] == distance(found.order, decide_comparisons(plain))
        changed = plain.table["verdict"] != found.comparisons.table["verdict"]
        assert row["changed"] == changed.sum()
    if procedure == "survey-fixed":  # of three data sets nothing is said about others
        assert found.table["changed"].iloc[3:].sum() > 0


def test_labels_of_blocks_follow_the_blocks():
    scores = noise(4, 2)
    scores[1] = np.nan
    scores[2, 0] = np.nan
    names = ("w", "x", "y", "z")
    blocks = made(scores, "dataset", labels=names)
    assert blocks.begun().labels == ("w", "y", "z")
    assert blocks.complete().labels == ("w", "z")
    assert made(scores, "dataset").complete().labels == ()
    items = made(noise(4, 2), "item", clusters=np.array([0, 0, 1, 1]), labels=names)
    assert clustered(items).labels == ()
    frame = pd.DataFrame({"dataset": names, "a": scores[:, 0], "b": [0.1, np.nan, 0.3, 0.2]})
    read = layout(podium.read(frame, measure="loss"))
    assert read.labels == ("w", "y", "z")
    found = left_out(read, "mixed-tukey")
    assert found.table["left_out"].tolist() == ["w", "y", "z"]


def test_folds_may_be_asked_and_what_leaves_nothing_to_compare_stays():
    folds = left_out(made(noise(10, 3), "fold"), "corrected-t")
    assert folds.table["kind"].tolist() == ["algorithm"] * 3
    control = left_out(made(noise(10, 4)), "mixed-dunnett", control="b")
    assert control.table["left_out"].tolist() == ["a", "c", "d"]
    assert "Without b there is nothing to compare" in str(control)
    pairs = left_out(made(noise(10, 4)), "paired-t", pairs=[("a", "b"), ("a", "c")])
    assert pairs.table["left_out"].tolist() == ["b", "c", "d"]


def test_analyses_that_are_not_possible_are_counted_and_the_rest_is_done():
    told: list[tuple[int, int]] = []
    found = left_out(made(noise(2, 3), "dataset"), "paired-t", progress=lambda *at: told.append(at))
    assert told[-1] == (5, 5)
    assert found.table["order"].tolist()[3:] == ["", ""]
    assert found.table["changed"].isna().tolist() == [False] * 3 + [True] * 2
    said = next(say(note) for note in found.notes if note.code == "not-computed")
    assert said.startswith("2 of 5 analyses are not possible; the first, without data set 1: A ")
    assert found.to_dict()["left_out"][3]["distance"] is None
