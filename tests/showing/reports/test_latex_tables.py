"""The table of scores that papers print: its numbers, its marks, and LaTeX that compiles."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import podium
from podium import PodiumError
from podium.showing.reports import scores_latex

ODD = ["svm_rbf", "a & b", "50% #1", "x^2 ~ {y} \\ [z]"]


def scores(
    means, *, samples=20, sd=0.02, names=("svm", "knn", "lda", "nb"), column="error", seed=1
):
    """Scores with just these means (datasets x algorithms), whatever the noise."""
    rng = np.random.default_rng(seed)
    rows = []
    for d, row in enumerate(means, 1):
        for name, mean in zip(names, row, strict=False):
            noise = rng.normal(0, sd, samples)
            noise = noise - noise.mean() if samples > 1 else 0 * noise
            rows += [(f"d{d}", name, s, mean + e) for s, e in enumerate(noise, 1)]
    return pd.DataFrame(rows, columns=["dataset", "algorithm", "sample", column])


def read(means, how="bootstrap", **more):
    return podium.read(scores(means, **more), sampling=how)


def lines(text: str) -> list[list[str]]:
    """The rows between the rules, as cells."""
    inside = text.split(r"\toprule")[1].split(r"\bottomrule")[0]
    rows = [line for line in inside.splitlines() if line.endswith(r" \\")]
    return [re.split(r" (?<!\\)& ", row.removesuffix(r" \\")) for row in rows]


def check(text: str) -> None:
    """Balanced braces and formulas, as many cells as columns, nothing unescaped."""
    bare = re.sub(r"\\[\\{}$&%#_]", "", text)
    depth = 0
    for c in bare:
        depth += {"{": 1, "}": -1}.get(c, 0)
        assert depth >= 0
    assert depth == 0
    assert bare.count("$") % 2 == 0
    columns = len(re.search(r"\{tabular\}\{(\w+)\}", text).group(1))
    assert {len(row) for row in lines(text)} == {columns}
    outside = re.sub(r"\$[^$]*\$", "", bare)
    assert not re.search(r"[_^~#]|%(?! needs)|[^\x00-\x7f]", outside)
    for environment in ("table", "tabular"):
        assert text.count(rf"\begin{{{environment}}}") == text.count(rf"\end{{{environment}}}") == 1


def test_means_sds_ranks_and_wins_are_those_of_the_scores() -> None:
    text = scores_latex(read([[0.10, 0.20, 0.15], [0.30, 0.20, 0.40], [0.1, 0.3, 0.2]]))
    check(text)
    head, first, *_, ranks, wins = lines(text)
    assert head == ["data set", "svm", "knn", "lda"]
    sd = scores([[0.10, 0.20, 0.15]]).groupby("algorithm")["error"].std()["svm"]
    assert first[:2] == ["d1", rf"$\mathbf{{0.100}} \pm {sd:.3f}$"]
    assert ranks == ["mean rank", r"\textbf{1.33}", "2.33", "2.33"]
    assert wins == ["wins/ties/losses", "2/0/1", "1/0/2", "0/0/3"]
    assert "(lower is better) over samples (bootstrap:20)" in text


def test_higher_values_are_best_where_the_measure_says_so() -> None:
    text = scores_latex(read([[0.9, 0.8], [0.7, 0.6], [0.5, 0.6]], column="accuracy"))
    assert [("mathbf" in a, "mathbf" in b) for _, a, b in lines(text)[1:4]] == [
        (True, False),
        (True, False),
        (False, True),
    ]


def test_all_ties_for_the_best_are_bold_and_counted() -> None:
    text = scores_latex(
        read([[0.1, 0.1, 0.3], [0.2, 0.1, 0.3], [0.1, 0.3, 0.3]], samples=1, how=None)
    )
    _, first, *_, wins = lines(text)
    assert [cell.count("mathbf") for cell in first[1:]] == [1, 1, 0]
    assert wins[1:] == ["1/1/1", "1/1/1", "0/0/3"]
    assert r"\pm" not in text  # one score has no standard deviation


def test_against_a_control_each_algorithm_is_counted_by_pairs() -> None:
    means = [[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.2, 0.2, 0.3], [0.1, 0.2, 0.3]]
    results = read(means, samples=1, how=None)
    assert lines(scores_latex(results, control="knn"))[-1][1:] == ["2/1/1", "--", "1/0/3"]
    with pytest.raises(PodiumError, match="'kmm' is not an algorithm of these results"):
        scores_latex(results, control="kmm")


def test_daggers_are_the_pairs_that_the_comparisons_leave_open() -> None:
    results = read([[0.10, 0.101, 0.2], [0.3, 0.2, 0.201]])
    by = podium.by_dataset(results)
    text = scores_latex(results, by, transpose=False)
    check(text)
    marked = [["dagger" in cell for cell in row[1:]] for row in lines(text)[1:3]]
    assert marked == [[False, True, False], [False, False, True]]
    for (name, c), row, best in zip(by.comparisons.items(), marked, ("svm", "knn"), strict=True):
        table = c.table[(c.table["first"] == best) | (c.table["second"] == best)]
        others = table["first"].where(table["second"] == best, table["second"])
        open_ = set(others[table["verdict"] == "undecided"])
        assert open_ == {a for a, m in zip(c.algorithms, row, strict=True) if m}, name
    assert scores_latex(results, by.comparisons, transpose=False) == text
    assert "level 0.05, each data set by itself)" in text


def test_no_dagger_where_the_best_was_not_compared_with_all_others() -> None:
    results = read([[0.10, 0.101, 0.2], [0.3, 0.2, 0.201]])
    one = podium.compare(results, "mixed-tukey", dataset="d1")
    text = scores_latex(results, {"d1": one})
    assert "each data set by itself; not known for d2)" in text
    control = podium.compare(results, "mixed-dunnett", dataset="d1", control="lda")
    assert "dagger" not in scores_latex(results, {"d1": control})
    forced = podium.compare(results, "resampled-t", dataset="d1", target="population", force=True)
    assert "dagger" not in scores_latex(results, {"d1": forced})


def test_one_data_set_has_the_algorithms_as_rows_best_first() -> None:
    results = read([[0.3, 0.1, 0.2]])
    c = podium.compare(results)
    text = scores_latex(results, c, podium.decide(c))
    check(text)
    assert [row[0] for row in lines(text)] == ["algorithm", "knn", "lda", "svm"]
    assert "mean rank" not in text


def test_transposing_moves_cells_and_changes_none() -> None:
    results = read([[0.1, 0.2, 0.3], [0.2, 0.1, 0.3]])
    upright, turned = (lines(scores_latex(results, transpose=t)) for t in (False, True))
    assert [list(row) for row in zip(*upright, strict=True)][1:] == turned[1:]
    assert lines(scores_latex(results)) == turned  # three algorithms, two data sets


def test_what_is_missing_is_a_dash_and_ranks_are_of_complete_data_sets() -> None:
    frame = scores([[0.1, 0.2], [0.2, 0.1], [0.1, 0.2]])
    frame = frame[~((frame["dataset"] == "d2") & (frame["algorithm"] == "knn"))]
    text = scores_latex(podium.read(frame, sampling="bootstrap"))
    check(text)
    assert lines(text)[2][2] == "--"
    assert lines(text)[-2][1:] == [r"\textbf{1.00}", "2.00"]
    assert "on the 2 complete data sets" in text
    some = scores_latex(podium.read(frame.drop(frame.index[0]), sampling="bootstrap"))
    assert "Some means are over fewer samples" in some
    assert "fewer samples" not in text


@pytest.mark.parametrize("factor", [1e-9, 1e-3, 1.0, 1e7, -1.0])
def test_any_size_of_numbers_and_any_name_gives_clean_latex(factor) -> None:
    frame = scores([[0.1, 0.2, 0.3, 0.15], [0.2, 0.1, 0.3, 0.15]], names=ODD, column="score")
    frame = frame.assign(score=frame["score"] * factor, dataset=frame["dataset"] + "_<&>")
    results = podium.read(frame, sampling="bootstrap", higher_is_better=False)
    order = podium.decide(podium.compare(results))
    for transpose in (True, False):
        text = scores_latex(results, podium.by_dataset(results), order, transpose=transpose)
        check(text)
        assert r"a \& b" in text
        assert r"d1\_\textless{}\&\textgreater{}" in text
        assert r"\succsim" not in text  # would need amssymb


def test_constant_scores_and_one_algorithm_have_a_table_too() -> None:
    check(scores_latex(read([[0.1, 0.1], [0.1, 0.1]], sd=0.0)))
    check(scores_latex(read([[0.0, 0.0]], sd=0.0)))
    check(scores_latex(read([[0.1], [0.2]])))


def test_a_table_is_written_where_asked(tmp_path) -> None:
    text = scores_latex(read([[0.1, 0.2]]), path=tmp_path / "t.tex")
    assert (tmp_path / "t.tex").read_text(encoding="utf-8") == text
    with pytest.raises(PodiumError, match="cannot be written"):
        scores_latex(read([[0.1, 0.2]]), path=tmp_path / "no" / "t.tex")


def test_a_measure_must_be_said_known_and_that_of_the_comparisons() -> None:
    frame = scores([[0.1, 0.2]])
    results = podium.read(frame.assign(squared=frame["error"] ** 2), sampling="bootstrap")
    with pytest.raises(PodiumError, match=r"2 measures \(error, squared\): say which one"):
        scores_latex(results)
    with pytest.raises(PodiumError, match="'eror' is not a measure of these results"):
        scores_latex(results, measure="eror")
    c = podium.compare(results, measure="error")
    assert "of error (lower" in scores_latex(results, c)
    with pytest.raises(PodiumError, match="of 'squared' and the comparisons are of error"):
        scores_latex(results, c, measure="squared")
