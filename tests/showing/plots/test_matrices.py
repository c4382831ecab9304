from __future__ import annotations

import numpy as np
import pytest
from results_made import compared, constant, fifty, gaps, long_names, several, six, ties, two
from snapshots import assert_snapshot
from told import sentences

import podium
from podium import by_dataset, layout
from podium.errors import InferenceError
from podium.showing.plots import PLOTS, matrix
from podium.testing import check_plot

matrix_data = PLOTS["matrix"].data


def test_counts_are_those_of_the_scores_one_by_one() -> None:
    scores = six().wide("error")
    data = matrix_data(podium.compare(six(), "mixed-tukey"), six())
    for cell in data.cells.to_dict("records"):
        a, b = scores[cell["first"]], scores[cell["second"]]
        counts = [int((a < b).sum()), int((a == b).sum()), int((a > b).sum())]
        assert [cell["wins"], cell["ties"], cell["losses"]] == counts
        assert sum(counts) == 60


def test_a_layout_counts_as_its_results_do() -> None:
    comparisons = podium.compare(six(), "mixed-tukey")
    one, other = (matrix_data(comparisons, r).cells for r in (six(), layout(six())))
    assert one.equals(other)


def test_cells_are_antisymmetric_and_shades_follow_who_is_better() -> None:
    data = matrix_data(podium.compare(six(), "mixed-tukey"))
    grid = np.zeros((6, 6))
    grid[data.cells["row"], data.cells["column"]] = data.cells["shade"]
    assert np.allclose(grid, -grid.T)
    assert np.abs(grid).max() == pytest.approx(1)
    assert data.algorithms[0] == "svm"
    assert (grid[0, 1:] > 0).all()  # the best is better than all, though its errors are smaller
    p = data.cells.set_index(["first", "second"])["p_adjusted"]
    assert p["svm", "lda"] == p["lda", "svm"]


def test_significant_cells_are_those_of_the_comparisons() -> None:
    comparisons = podium.compare(six(), "mixed-tukey")
    data = matrix_data(comparisons)
    assert data.cells["significant"].sum() == 2 * (comparisons.table["p_adjusted"] <= 0.05).sum()
    turned = data.cells.set_index(["first", "second"])["verdict"]
    assert turned["svm", "lda"] == "better"
    assert turned["lda", "svm"] == "worse"


def test_cells_of_data_sets_count_their_orders() -> None:
    orders = by_dataset(several())
    cells = matrix_data(orders).cells.set_index(["first", "second"])
    for pair in orders.pairs.to_dict("records"):
        cell = cells.loc[(pair["first"], pair["second"])]
        assert [cell["wins"], cell["losses"]] == [pair["first_better"], pair["second_better"]]
        assert cell["shade"] == (cell["wins"] - cell["losses"]) / 4
        assert cell["wins"] + cell["ties"] + cell["losses"] == 4


def test_texts_are_left_out_of_fifty_algorithms_which_is_said() -> None:
    data = matrix_data(compared(fifty(), "mixed-tukey"), fifty())
    (said,) = sentences(data.notes)  # nothing about counts that are not shown
    assert "50 algorithms leave no room for numbers" in said


def test_pairs_that_were_not_compared_are_white_and_said() -> None:
    data = matrix_data(podium.compare(six(), "mixed-dunnett", control="svm"))
    assert len(data.cells) == 10
    assert sentences(data.notes)[-1] == "10 pairs were not compared (white)."


def test_equal_algorithms_have_no_scale_of_differences() -> None:
    data = matrix_data(compared(ties(), "mixed-tukey"))
    assert data.key == ("row worse", "0", "row better")
    assert not data.cells["shade"].any()


def test_the_title_says_one_side_and_a_margin() -> None:
    made = compared(six(), "paired-t", alternative="less", relevance=0.01)
    assert matrix_data(made).title == (
        "No significant difference in error on monks "
        "(paired-t, one-sided (less), relevance 0.01, alpha 0.05)"
    )


def test_missing_scores_are_counted_nowhere() -> None:
    data = matrix_data(compared(gaps(), "mixed-tukey"), gaps())
    cell = data.cells.set_index(["first", "second"]).loc[("svm", "rpart")]
    assert cell["wins"] + cell["ties"] + cell["losses"] == 13
    assert any("3 scores are missing" in text for text in sentences(data.notes))


def test_results_without_a_compared_algorithm_are_refused() -> None:
    with pytest.raises(InferenceError, match="The results hold no scores of 'svm'"):
        matrix(podium.compare(six(), "mixed-tukey"), six().filter(algorithm=["lda", "knn"]))


def test_contrasts_make_no_matrix() -> None:
    made = podium.compare(six(), "mixed-tukey", contrasts={"new": {"svm": 1, "lda": -1}})
    with pytest.raises(InferenceError, match="make no order to draw"):
        matrix(made)


def test_kept_matrix() -> None:
    assert_snapshot("matrix", matrix_data(podium.compare(six(), "mixed-tukey"), six()).cells)


CASES = [long_names, *(pytest.param(r, marks=pytest.mark.long) for r in (two, ties, constant))]


@pytest.mark.parametrize("results", CASES)
def test_matrix_keeps_the_laws_of_plots(results: object) -> None:
    check_plot(matrix, compared(results()), results())


@pytest.mark.long
def test_matrices_of_fifty_and_of_data_sets_keep_the_laws_of_plots() -> None:
    check_plot(matrix, compared(fifty(), "mixed-tukey"))
    check_plot(matrix, by_dataset(several()))
