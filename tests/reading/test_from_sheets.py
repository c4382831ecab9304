"""Somebody else's scores: what becomes of measures, samples, samplings and missing cells."""

import math
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables_made import COUNT, folds, long
from thoroughness import examples

from podium import read
from podium.core.base.tables import FAILURES, RUNS, SCORES, WARNINGS
from podium.core.questions.measures import KNOWN
from podium.errors import DesignError, ResultsError


def refused(match, source, kind=ResultsError, **options):
    with pytest.raises(kind, match=match):
        read(source, **options)


def scores(results):
    """The scores as plain text and numbers, in the order of their names."""
    plain = results.to_pandas() if results.sampling else results.scores
    plain = plain.assign(**{c: plain[c].astype(str) for c in ("dataset", "algorithm", "measure")})
    keys = ["dataset", "algorithm", "sample", "measure"]
    return plain[[*keys, "value"]].sort_values(keys, ignore_index=True)


# --- the tables ---


def test_tables_have_the_shape_of_results_read_from_a_store():
    results = read(long(), sampling="bootstrap")
    assert list(results.scores) == list(SCORES.columns)
    assert list(results.runs) == list(RUNS.columns)
    assert list(results.failures) == list(FAILURES.columns)
    assert list(results.warnings) == list(WARNINGS.columns)
    assert list(results.runs["status"].cat.categories) == ["missing", "failed", "done"]
    assert results.runs["finished"].isna().all()
    assert results.runs["fit_time"].isna().all()
    assert (results.runs["warnings"] == 0).all()
    assert len(results.scores) == len(results.runs) == 2 * 2 * COUNT


def test_results_of_a_table_answer_like_those_of_a_store():
    results = read(long(), sampling="bootstrap")
    assert results.filter(dataset="ape", algorithm="knn").values("error")["sample"].tolist() == [
        *range(1, COUNT + 1)
    ]
    assert results.summary()["samples"].tolist() == [COUNT] * 4
    assert results.wide("error").shape == (2 * COUNT, 4)
    assert "bootstrap:4" in repr(results)


def test_names_come_in_the_order_of_the_file_and_scores_by_data_set_sample_algorithm():
    results = read(long())
    assert results.datasets == ["zoo", "ape"]
    assert results.algorithms == ["svm", "knn"]
    assert results.scores["value"].tolist() == long()["error"].tolist()


@pytest.mark.parametrize(
    "name", ["a b", "it's", '"x"', "<script>", "061", "NA", "1.0", "True", "é"]
)
def test_names_are_kept_exactly_but_for_outer_blanks(name, tmp_path):
    path = tmp_path / "scores.csv"
    long(algorithms=(f" {name} ", "other")).to_csv(path, index=False)
    assert read(path).algorithms == [name, "other"]


def test_a_table_without_data_sets_has_one_that_is_called_like_its_file(tmp_path):
    path = tmp_path / "iris.csv"
    long(datasets=("d",)).drop(columns="dataset").to_csv(path, index=False)
    results = read(path)
    assert (results.name, results.datasets) == ("iris", ["iris"])


# --- missing and repeated cells ---


def test_an_empty_score_is_a_missing_run_and_a_score_without_value():
    frame = long()
    frame.loc[0, "error"] = np.nan
    results = read(frame)
    missing = results.missing().to_dict("records")
    assert missing == [{"dataset": "zoo", "algorithm": "svm", "sample": 1, "status": "missing"}]
    assert results.scores["value"].isna().sum() == 1


def test_an_absent_row_is_the_same_as_an_empty_score():
    gap = long()
    gap.loc[0, "error"] = np.nan
    absent = read(gap.iloc[1:])
    assert absent.algorithms == ["knn", "svm"]
    pd.testing.assert_frame_equal(scores(read(gap)), scores(absent))


def test_a_sample_without_any_score_keeps_its_number():
    frame = long(datasets=("d",))
    frame.loc[frame["sample"] == 2, "error"] = np.nan
    results = read(frame, sampling="bootstrap:4")
    assert results.missing()["sample"].tolist() == [2, 2]
    assert results.scores["value"].isna().tolist() == [False] * 2 + [True] * 2 + [False] * 4


def test_a_run_with_one_of_two_measures_is_done():
    frame = long(accuracy=0.5)
    frame.loc[0, "error"] = np.nan
    frame.loc[1, ["error", "accuracy"]] = np.nan
    results = read(frame)
    assert results.missing()["algorithm"].tolist() == ["knn"]
    assert results.scores["value"].isna().sum() == 3


def test_a_measure_that_a_data_set_has_no_score_of_is_left_out_there():
    frame = pd.DataFrame(
        [("a", "x", "acc", 1), ("a", "y", "acc", 1), ("b", "x", "rmse", 3), ("b", "y", "rmse", 3)],
        columns=["task", "learner", "metric", "result"],
    )
    found = read(frame).scores
    assert [*zip(found["dataset"], found["measure"], strict=True)] == [
        ("a", "acc"),
        ("a", "acc"),
        ("b", "rmse"),
        ("b", "rmse"),
    ]


def test_two_scores_of_one_cell_are_refused_with_rows_and_values():
    twice = pd.concat([long(), long().iloc[[2]].assign(error=0.9)])
    refused(r"algorithm 'svm', dataset 'zoo', sample '2': 0.003 in row 3 and 0.9 in row 17", twice)


def test_labels_that_no_two_algorithms_share_are_refused():
    frame = long().drop(columns="sample").assign(split=range(16))
    refused(r"no sample \(split\) has scores of two algorithms.*ignore=split", frame)


def test_an_id_of_every_row_is_no_sample():
    """Rows are numbered then, and both is said; so is it where `ignore` says the same."""
    frame = long().drop(columns="sample").assign(id=range(16))
    results = read(frame)
    pd.testing.assert_frame_equal(results.scores, read(long()).scores)
    assert [n.code for n in results.notes] == ["rows-numbered", "unused-columns"]
    pd.testing.assert_frame_equal(results.scores, read(frame, columns="ignore=id").scores)


# --- measures ---


def test_a_known_spelling_keeps_its_name_and_gets_its_direction():
    results = read(long().rename(columns={"error": "Acc"}))
    assert list(results.measures) == ["Acc"]
    assert results.measures["Acc"].higher_is_better
    assert results.measures["Acc"].spec == KNOWN["accuracy"].spec


def test_several_measures_are_told_by_their_columns():
    results = read(long(auc=0.7, n=3))
    assert {n: m.direction for n, m in results.measures.items()} == {
        "error": "lower",
        "auc": "higher",
    }


@pytest.mark.parametrize("asked", ["acc", "accuracy", "Accuracy"])
def test_asking_for_a_measure_selects_it_under_the_name_asked_for(asked):
    results = read(long(acc=0.25), measure=asked)
    assert list(results.measures) == [asked]
    assert set(results.scores["value"]) == {0.25}


def test_asking_selects_rows_where_a_column_names_measures():
    frame = pd.concat([long(metric="err"), long(metric="AUC")]).rename(columns={"error": "value"})
    assert len(read(frame).scores) == 2 * len(read(frame, measure="auc").scores)
    refused("'rmse' is not a measure of the table.*Known: err, AUC", frame, measure="rmse")


def test_a_nameless_value_is_the_measure_asked_for():
    frame = long().rename(columns={"error": "value"})
    assert read(frame, measure="mae").measures["mae"].spec == "absolute"


def test_a_column_of_an_unknown_name_can_be_asked_for():
    frame = long(gmean=0.5, other=1.0).drop(columns="error")
    results = read(frame, measure="gmean", higher_is_better=True)
    assert set(results.scores["value"]) == {0.5}
    refused("numbers are in: gmean, other.*--columns value=gmean", frame)


def test_nothing_is_guessed_about_scores_without_a_name():
    frame = long().rename(columns={"error": "value"})
    refused("--measure error .* --higher-is-better or --lower-is-better", frame)
    named = read(frame, higher_is_better=False)
    assert (list(named.measures), named.measures["score"].direction) == (["score"], "lower")


def test_an_unknown_measure_needs_a_direction():
    frame = long().rename(columns={"error": "gmean"})
    refused("values of 'gmean' are better is not known.*--higher-is-better", frame)
    assert read(frame, higher_is_better=True).measures["gmean"].higher_is_better


def test_a_direction_that_contradicts_a_known_measure_is_refused():
    refused("'error' lower values are better.*--higher-is-better", long(), higher_is_better=True)
    assert read(long(), higher_is_better=False).measures["error"].direction == "lower"


def test_a_direction_is_for_the_unknown_among_several_measures():
    results = read(long(value=1.0), higher_is_better=True)
    assert {n: m.direction for n, m in results.measures.items()} == {
        "error": "lower",
        "score": "higher",
    }


def test_a_table_wholly_on_0_to_100_is_percent_and_said():
    results = read(long(accuracy=95.5).drop(columns="error"))
    percent = results.measures["accuracy"]
    assert (percent.higher_is_better, percent.bounds, percent.unit) == (True, (0, 100), "%")
    assert [n.code for n in results.notes] == ["percent"]
    low = long(accuracy=95.5).drop(columns="error")
    low.loc[3, "accuracy"] = 0.0  # none of all, in any unit
    assert read(low).measures["accuracy"].unit == "%"


@pytest.mark.parametrize(
    ("measure", "value", "message"),
    [
        ("accuracy", 3.1, "row 4, 'knn': 3.1 is no 'accuracy', .* between 0 and 1.*accuracy%"),
        ("accuracy", 95.0, "95 is no 'accuracy'"),
        ("accuracy", 195.0, "195 is no 'accuracy'"),
        ("error", -5.0, "-5 is no 'error'.*--measure loss"),
        ("f1", -0.1, "-0.1 is no 'f1'"),
        ("r2", 1.2, "1.2 is no 'r2', which lies up to 1"),
        ("rmse", -2.0, "-2 is no 'rmse', which lies from 0 on"),
        ("kappa", -1.2, "-1.2 is no 'kappa', which lies between -1 and 1"),
    ],
)
def test_a_score_that_a_measure_cannot_have_is_refused_by_its_cell(measure, value, message):
    frame = long().rename(columns={"error": measure})
    frame.loc[3, measure] = value
    refused(message, frame)


def test_who_says_percent_settles_a_mixture():
    frame = long().assign(error=lambda f: 4000 * f["error"])
    frame.loc[0, "error"] = 0.5
    refused("'svm': 0.5 stands among scores of 'error' that are percentages", frame)
    assert read(frame, measure="error%").measures["error%"].bounds == (0, 100)
    around = read(long().assign(error=lambda f: 100 * f["error"]))
    assert around.measures["error"].bounds == (0, np.inf)
    assert [n.code for n in around.notes] == ["error-of-any-kind"]
    loss = read(frame.assign(error=frame["error"] - 3), measure="loss").measures["loss"]
    assert not loss.higher_is_better


def test_arguments_of_the_wrong_kind_are_refused():
    refused("True, False or None, not 'yes'", long(), higher_is_better="yes")
    refused("named by a text", long(), measure="")
    refused("is not a sampling. Did you mean 'bootstrap'", long(), DesignError, sampling="bootstap")


# --- clusters ---


def test_clusters_are_given_back_by_sample():
    frame = long(document=["u", "u", "v", "v", "u", "u", "w", "w"] * 2)
    facts = read(frame.sample(frac=1, random_state=3)).facts
    assert facts["ape"] == facts["zoo"] == {"clusters": ["u", "v", "u", "w"]}


def test_a_sample_in_two_clusters_is_refused():
    refused("row 2: a sample belongs to one cluster.*'x' and 'y'", long(group=["x", "y"] * 8))


# --- properties ---

# fractions are no names of algorithms
FRACTION = re.compile(r"[\d.,\s]*[.,][\d.,\s]*")
LETTERS = st.text("ab 1.'\"<>,;", min_size=1, max_size=5).map(str.strip).filter(bool)
WORDS = LETTERS.filter(lambda word: not FRACTION.fullmatch(word))
VALUES = (  # whole numbers beside fractions are asked for: they may be counts
    st.floats(-1e300, 1e300).filter(lambda v: v % 1 != 0 or not 0 < v < 1e12) | st.just(math.nan)
)


@st.composite
def experiments(draw):
    """Complete tables with odd names, some of whose values are missing."""
    names = st.lists(WORDS, min_size=2, max_size=4, unique_by=str.strip)
    datasets, algorithms = draw(names), draw(names)
    frame = long(datasets, algorithms, draw(st.integers(1, 3)))
    values = draw(st.lists(VALUES, min_size=len(frame), max_size=len(frame)))
    return frame.assign(error=values).rename(columns={"error": "value"})


def as_csv(frame, folder, **options):
    path = folder / "scores.csv"
    frame.to_csv(path, index=False, **options)
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("tables")


@examples(40, quick=12)
@given(frame=experiments(), separator=st.sampled_from(",;\t"))
def test_a_file_says_what_the_frame_says(folder, frame, separator):
    direct = read(frame, measure="loss")
    file = read(as_csv(frame, folder, sep=separator), measure="loss")
    pd.testing.assert_frame_equal(direct.scores, file.scores)
    pd.testing.assert_frame_equal(direct.runs, file.runs)


@examples(40, quick=12)
@given(frame=experiments())
def test_a_wide_table_says_what_the_long_one_says(frame):
    told = read(frame, measure="loss")
    wide = told.wide("loss").astype({"dataset": str})
    pd.testing.assert_frame_equal(told.scores, read(wide, measure="loss").scores)


@examples(40, quick=12)
@given(frame=experiments(), seed=st.integers(0, 99))
def test_the_order_of_rows_changes_the_order_of_names_only(frame, seed):
    permuted = read(frame.sample(frac=1, random_state=seed), measure="loss")
    pd.testing.assert_frame_equal(scores(read(frame, measure="loss")), scores(permuted))


@examples(40, quick=12)
@given(frame=experiments(), sampling=st.sampled_from(["bootstrap", "cv", "simulation"]))
def test_what_results_write_is_read_back(folder, frame, sampling):
    sampling = "bootstrap" if frame["sample"].max() == 1 else sampling
    results = read(frame, measure="loss", sampling=sampling)
    results.to_csv(folder / "written.csv")
    again = read(folder / "written.csv", sampling=sampling)
    pd.testing.assert_frame_equal(results.scores, again.scores)
    pd.testing.assert_frame_equal(results.runs, again.runs)
    assert (results.sampling, results.measures) == (again.sampling, again.measures)


def test_repeats_and_folds_that_results_write_are_read_back(folder):
    results = read(folds(3, 4, ("u", "v")), sampling="repeated-cv")
    results.to_csv(folder / "folds.csv")
    again = read(folder / "folds.csv", sampling="repeated-cv")
    assert again.sampling == results.sampling
    pd.testing.assert_frame_equal(results.scores, again.scores)


def test_forty_thousand_scores_are_read(folder):
    frame = long([f"d{i}" for i in range(20)], [f"a{i}" for i in range(10)], 200)
    assert (
        len(
            read(
                as_csv(frame.assign(error=frame["error"] / 1000), folder), sampling="bootstrap"
            ).scores
        )
        == 40_000
    )
