"""Long and wide: which column is what, and what is asked where nobody can know."""

import io

import numpy as np
import pandas as pd
import pytest

from podium.errors import ResultsError
from podium.reading import formats


def frame(text):
    """A frame from a header and rows, all separated by blanks; numbers are numbers."""
    return pd.read_csv(io.StringIO(text), sep=" ")


def read(text, measure="loss", **options):
    return formats.read(frame(text), measure=measure, **options)


def refused(match, text, **options):
    with pytest.raises(ResultsError, match=match):
        read(text, **options)


def values(results):
    return results.scores["value"].tolist()


# --- long ---

LONG = """
{} {} {} {}
a x 1 0.1
a y 1 0.2
a x 2 0.3
a y 2 0.4
"""


@pytest.mark.parametrize(
    "header",
    [
        "dataset algorithm sample value",
        "ds alg b p",
        "Task Classifier Seed Score",
        "problem method fold perf",
        "data_set model_name rep result",
        "dataset_id learner-id iteration error",
        "task system question correct",
    ],
)
def test_long_tables_are_read_under_everyday_headings(header):
    measure = "correct" if "correct" in header else "error"
    results = read(LONG.format(*header.split()), measure=measure)
    assert values(results) == [0.1, 0.2, 0.3, 0.4]
    assert (results.datasets, results.algorithms) == (["a"], ["x", "y"])
    assert results.scores["sample"].tolist() == [1, 1, 2, 2]


def test_columns_say_what_names_do_not():
    text = LONG.format("where", "who", "when", "what")
    said = "dataset=where,algorithm=who,sample=when,value=what"
    assert values(read(text, columns=said)) == [0.1, 0.2, 0.3, 0.4]
    said = {"dataset": "where", "algorithm": "who", "sample": "when", "value": "what"}
    assert values(read(text, columns=said)) == [0.1, 0.2, 0.3, 0.4]


def test_other_columns_of_a_long_table_are_left_alone():
    text = "task learner note size score\na x hm 10 1\na y hm 10 2"
    assert values(read(text)) == [1, 2]


def test_a_column_of_an_unknown_name_is_the_score_only_where_nothing_else_can_be():
    assert values(read("ds alg p\na x 1\na y 2")) == [1, 2]
    assert values(read("ds alg p error\na x 1 3\na y 2 4")) == [3, 4]
    refused("numbers are in: p, q", "ds alg p q\na x 1 3\na y 2 4")


def test_columns_that_do_not_exist_are_refused():
    refused("'vlue' is not a column of the table. Did you mean 'value'",
            LONG.format("ds", "alg", "b", "value"), columns="value=vlue")  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "model method score\nx u 1\nx v 1\ny u 1\ny v 1",
            "algorithm: model, method.*model.method",
        ),
        (
            "alg seed run score\nx 1 1 1\nx 1 2 1\nx 2 1 1\nx 2 2 1",
            "may be the sample: seed, run. Say how the splits were drawn",
        ),
        ("alg score result\nx 1 1", "may be the value: score, result"),
        ("alg dataset x\nx a b", "no column is called value.*--columns value=COLUMN"),
        ("alg split score\nx train 1\nx test 2", "column 'split': train, test are no samples"),
        ("alg metric score acc\nx err 1 1", None),
    ],
)
def test_tables_that_can_be_read_in_two_ways_are_refused(text, message):
    if message is None:
        assert values(read(text)) == [1]
    else:
        refused(message, text)


def test_a_document_tells_items_apart_where_nothing_else_does():
    """As lm-evaluation-harness numbers its questions; beside an item it is a cluster."""
    text = "model doc_id error\nx 1 1\ny 1 0\nx 2 0\ny 2 1"
    assert values(read(text, sampling="items")) == [1, 0, 0, 1]


def test_saying_one_of_two_columns_settles_it():
    text = "alg seed run error\nx 1 8 1\ny 1 9 2\nx 2 6 3\ny 2 7 4"
    assert values(read(text, columns="sample=seed")) == [1, 2, 3, 4]
    assert values(read(text, columns="ignore=run")) == [1, 2, 3, 4]
    both = "alg id fold error\nx 1 1 1\ny 1 1 2"
    assert values(read(both, columns="fold=fold")) == [1, 2]


def test_several_value_columns_can_be_said():
    text = "alg u v\nx 1 3\ny 2 4"
    results = formats.read(frame(text), columns="value=u;v", higher_is_better=True)
    assert list(results.measures) == ["u", "v"]
    with pytest.raises(ResultsError, match="2 columns that may be the value"):
        read("alg metric u v\nx err 1 2", columns="value=u;v")


def test_a_said_value_of_another_known_measure_is_refused():
    refused("'loss' is not a measure", "alg acc x\nu 1 1", columns="value=acc")


# --- wide ---


@pytest.mark.parametrize("block", ["sample", "b", "fold", "split", "Seed", "item", "id", "rep"])
def test_a_wide_table_of_samples_is_one_data_set(block):
    results = read(f"{block} x y\n1 0.1 0.2\n2 0.3 0.4")
    assert values(results) == [0.1, 0.2, 0.3, 0.4]
    assert (results.datasets, results.algorithms) == (["data"], ["x", "y"])


@pytest.mark.parametrize("block", ["dataset", "data", "Problem", "task"])
def test_a_wide_table_of_data_sets_has_one_sample_each(block):
    results = read(f"{block} x y\nu 0.1 0.2\nv 0.3 0.4")
    assert values(results) == [0.1, 0.2, 0.3, 0.4]
    assert results.datasets == ["u", "v"]
    assert set(results.scores["sample"]) == {1}


def test_leading_columns_together_head_the_blocks():
    results = read("dataset repeat fold x y\nu 1 1 1 2\nu 1 2 3 4\nu 2 1 5 6\nu 2 2 7 8",
                   sampling="repeated-cv")  # fmt: skip
    assert values(results) == [*range(1, 9)]
    assert str(results.sampling) == "repeated-cv:2x2"
    measured = read("task metric x y\nu err 1 2\nu acc 0 1", measure="acc")
    assert values(measured) == [0, 1]
    clustered = read("item doc x y\n1 u 0 1\n2 u 1 1\n3 v 0 0", sampling="items")
    assert clustered.facts["data"]["clusters"] == ["u", "u", "v"]


def test_algorithms_may_be_called_like_blocks_where_their_scores_are_no_labels():
    assert read("b a b_ c\n1 .1 .2 .3").algorithms == ["a", "b_", "c"]
    assert read("dataset b c\nu .1 .2").algorithms == ["b", "c"]
    assert read("id b c\n1 0 1", sampling="items").algorithms == ["b", "c"]
    assert read("sample f1 f2\n1 0 1").algorithms == ["f1", "f2"]


def test_the_block_can_be_said():
    text = "b n_oob x y\n1 213 0.1 0.2\n2 201 0.3 0.4"
    refused("'n_oob' is not: sizes.*--columns block=b,ignore=n_oob", text)
    for said in ("block=b,ignore=n_oob", {"block": "b", "ignore": "n_oob"}):
        assert values(read(text, columns=said)) == [0.1, 0.2, 0.3, 0.4]
    said = "cluster=doc,block=id,ignore=n"
    assert read("id doc n x y\n1 u 5 1 1", columns=said).facts == {
        "data": {"clusters": ["u"], "item_names": ["1"]}
    }
    assert read("x dataset y\n1 u 2", columns="block=dataset").algorithms == ["x", "y"]
    assert read("x where y\n1 u 2", columns="dataset=where").datasets == ["u"]
    assert read("dataset b c\nu 1 2", columns="block=dataset").algorithms == ["b", "c"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("where x y\nu 1 2", "'where' does not say whether.*--columns dataset=where"),
        ("f1 f2 f3\n1 0 1", "'f1' does not.*--sampling items"),
        (
            "b n n_train note x\n1 2 3 good 0.1",
            "'n', 'n_train', 'note' are not.*'block=b,ignore=n;",
        ),
        ("b x y\n1 0.5 good\n2 0.5 0.5", "column 'y', row 1: 'good' is no finite number.*ignore=y"),
        ("b x fold\n1 0.5 1", "'fold' is not"),
        ("id doc n x\n1 u 5 1", "--columns cluster=doc,block=id,ignore=n"),
        ("dataset sample seed x y\nu 1 7 1 2", "2 columns that may be the sample: sample, seed"),
        ("dataset acc auc\nu 1 2", "names no algorithms, only measures .acc, auc"),
        ("dataset sample\nu 1", "names no algorithms and has no scores"),
        ("dataset x y\nu 1 2\nu 3 4\nv 5 6", "two scores of dataset 'u'.*row 1 and 3 in row 2"),
        ("b x y\n1 1 2\n1 3 4", "two scores of sample '1'.*Leave one out"),
    ],
)
def test_wide_tables_that_hold_something_else_are_refused(text, message):
    refused(message, text)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("block=where", "'where' does not say what the rows are.*dataset=where.* sample=where"),
        ("block=where,algorithm=x", "value and algorithm are for long tables"),
        ("value=x", "value and algorithm are for long tables"),
    ],
)
def test_columns_that_do_not_suit_a_wide_table_are_refused(said, message):
    refused(message, "where x y\nu 1 2", columns=said)


def test_an_algorithm_without_a_name_is_refused():
    table = pd.DataFrame([["u", 1.0, 2.0]], columns=["dataset", "x", None])
    with pytest.raises(ResultsError, match=r"'#3' is not.*ignore=#3"):
        formats.read(table, measure="error")
    assert formats.read(table, measure="error", columns="ignore=#3").algorithms == ["x"]


def test_as_many_rows_as_a_design_has_samples_are_these():
    bare = pd.DataFrame({"svm": [0.9, 0.8, 0.85], "knn": [0.7, 0.75, 0.71]})
    found = formats.read(bare, sampling="cv:3", measure="accuracy")
    assert sorted(found.scores["sample"].unique()) == [1, 2, 3]
    assert [note.code for note in found.notes] == ["rows-are-samples"]
    way = r"where every row is a sample, say so by --sampling bootstrap:3 or cv:3\."
    for sampling in ("cv:10", "cv", None):
        with pytest.raises(ResultsError, match=way):
            formats.read(bare, sampling=sampling, measure="accuracy")
    with pytest.raises(ResultsError, match="does not say whether they are data sets or samples"):
        formats.read(bare.reset_index(), sampling="cv:3", measure="accuracy")  # whole numbers


# --- items ---


def test_a_table_of_zeros_and_ones_is_correctness_by_item():
    table = pd.DataFrame({"f1": [1, 0, 1], "f2": [True, False, None]})
    results = formats.read(table, sampling="items")
    assert list(results.measures) == ["accuracy"]
    np.testing.assert_array_equal(results.wide("accuracy")["f2"], [1, 0, np.nan])
    assert list(formats.read(table, sampling="items", measure="error").measures) == ["error"]
    lower = formats.read(table, sampling="items", higher_is_better=False)
    assert list(lower.measures) == ["score"]


def test_losses_by_item_need_a_measure():
    table = pd.DataFrame({"f1": [0.5, 0.1], "f2": [0.25, 2.0]})
    assert len(formats.read(table, sampling="items", measure="squared").scores) == 4
    with pytest.raises(ResultsError, match="does not say what its scores measure"):
        formats.read(table, sampling="items")
