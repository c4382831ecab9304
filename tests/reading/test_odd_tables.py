"""Ordinary files that once ended in a traceback, or were read for something else."""

import json

import numpy as np
import pandas as pd
import pytest

from podium import PodiumError, read
from podium.reading.cells.vocabulary import Options
from podium.reading.formats.record import Source
from podium.reading.inferring.asking import candidates

RNG = np.random.default_rng(3)


def written(folder, name, value):
    path = folder / name
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def asked_or_read(source, **options):
    """No traceback: results, or a sentence."""
    try:
        return read(source, **options)
    except PodiumError:
        return None


NESTED = [
    {"a": {"x": {"y": 0.5}}, "b": {"x": {"y": 0.4}}},
    {"svm": {"iris": {"acc": 0.9}, "zoo": {"acc": 0.8}}, "knn": {"iris": {"acc": 0.8}}},
    {"run": {"results": {"svm": {"iris": {"acc": 0.9}}}}, "meta": [1, 2]},
    {"svm": [], "knn": []},
    {"svm": [[0.9, 0.8], [0.7]], "knn": [[0.9, 0.8], [0.7]]},
    {"svm": [{"fold": 1, "acc": 0.9}], "knn": [{"fold": 1, "acc": 0.8}]},
    [{"m": {"a": 1}, "v": 0.4}, {"m": {"b": 1}, "v": 0.4}],
    [{"dataset": {"id": 1}, "svm": [1, 2], "knn": 0.3}, {"dataset": [], "svm": 1, "knn": 0.2}],
    {"params": {"0": {"C": 1}, "1": {"C": 2}}, "split0_test_score": {"0": 0.5, "1": 0.4}},
]


@pytest.mark.parametrize("value", NESTED, ids=range(len(NESTED)))
@pytest.mark.parametrize(
    "columns", [None, "dataset=#1", "sample=#1", "algorithm=#1,across=dataset"]
)
def test_nested_json_ends_in_results_or_in_a_sentence(tmp_path, value, columns):
    asked_or_read(written(tmp_path, "nested.json", value), columns=columns)


def test_a_search_written_by_pandas(tmp_path):
    frame = pd.DataFrame(
        {"params": [{"C": 1}, {"C": 10}]}
        | {f"split{i}_test_score": RNG.random(2) for i in range(5)}
    )
    path = tmp_path / "search.json"
    frame.to_json(path)
    found = asked_or_read(path, measure="accuracy", sampling="cv:5")
    assert found is None or found.algorithms == ["C=1", "C=10"]


def test_files_by_their_names(tmp_path):
    for name, shift in {"svm": 0.2, "knn": 0.0}.items():
        rows = "".join(f"{i},{0.5 + shift + i / 100}\n" for i in range(5))
        written(tmp_path, f"{name}.csv", "number,acc\n" + rows)
    files = [tmp_path / "svm.csv", tmp_path / "knn.csv"]
    found = read(files, columns="algorithm=file,sample=number", sampling="seeds")
    assert found.algorithms == ["svm", "knn"]
    assert found.wide("acc")["svm"].mean() == pytest.approx(0.72)


@pytest.mark.parametrize("head", ["algorithm", "model", "method"])
@pytest.mark.parametrize("score", ["value", "score", "accuracy"])
@pytest.mark.parametrize("names", [("0.1", "0.01", "0.001"), ("0.0", "0.7", "1.5")])
def test_decimal_names_of_algorithms(tmp_path, head, score, names):
    rows = [
        f"d{d},{name},{0.5 + i / 10 + d / 100}" for d in range(6) for i, name in enumerate(names)
    ]
    path = written(tmp_path, "rates.csv", "\n".join([f"dataset,{head},{score}", *rows]) + "\n")
    found = read(path, measure="accuracy")
    assert [float(a) for a in found.algorithms] == [float(n) for n in names]
    assert len(found.datasets) == 6


def test_decimal_names_in_a_frame_of_strings():
    frame = pd.DataFrame(
        {
            "dataset": np.repeat(["a", "b", "c"], 2),
            "algorithm": pd.array(["0.1", "0.5"] * 3, dtype="string"),
            "outcome": RNG.random(6),
        }
    )
    assert read(frame, measure="accuracy").algorithms == ["0.1", "0.5"]


def test_a_row_near_the_means_is_a_data_set(tmp_path):
    text = """dataset,a,b,c
iris,0.76,0.78,0.72
wine,0.83,0.85,0.79
glass,0.72,0.74,0.69
sonar,0.79,0.82,0.76
heart,0.77,0.80,0.74
"""
    results = read(written(tmp_path, "scores.csv", text), measure="accuracy")
    assert results.datasets == ["iris", "wine", "glass", "sonar", "heart"]
    assert [n.name for n in results.notes if n.code == "row-like-means"] == ["heart"]
    named = read(written(tmp_path, "mean.csv", text.replace("heart", "mean")), measure="accuracy")
    assert len(named.datasets) == 4


def test_a_name_that_begins_with_n_is_no_size(tmp_path):
    path = tmp_path / "groups.csv"
    head = ",N-BEATS,N-BEATS,DeepAR,DeepAR\ndataset,sMAPE,MASE,sMAPE,MASE"
    rows = [f"{d},0.1{i},1.{i},0.2{i},1.{i + 1}" for i, d in enumerate("abcdef")]
    path.write_text("\n".join([head, *rows]))
    (inferred, _), *_ = candidates(Source(path), Options())
    assert inferred.recipe.across["columns"] == ["N-BEATS~sMAPE", "DeepAR~sMAPE"]


@pytest.mark.parametrize(("measure", "lacking"), [("reward", 0), ("mcc", 0), ("score", 5)])
def test_minus_one_is_a_score_of_what_may_be_negative(tmp_path, measure, lacking):
    rows = "a,-1,3,2\nb,4,-1,1\nc,5,2,-1\nd,1,2,3\ne,2,-1,4\nf,3,1,-1\ng,0,1,2\n"
    divided = 1 if measure != "mcc" else 10
    cells = [row.split(",") for row in rows.split()]
    lines = [
        [n, *(c if c == "-1" else f"{int(c) / divided:g}" for c in rest)] for n, *rest in cells
    ]
    path = tmp_path / "wide.csv"
    path.write_text("\n".join(["task,ppo,dqn,a2c", *map(",".join, lines)]))
    found = read(path, measure=measure, higher_is_better=True).wide(measure)
    assert found[["ppo", "dqn", "a2c"]].isna().to_numpy().sum() == lacking


def test_folds_side_by_side_with_decimal_commas_are_no_data_sets(tmp_path):
    rows = ["model;fold_0;fold_1;fold_2;fold_3;mean"]
    for name, level in (("xgb", 80), ("cat", 82), ("rf", 78)):
        rows.append(f"{name};" + ";".join(f"0,{level}{i}" for i in (1, 2, 3, 4, 25)))
    path = written(tmp_path, "folds_auc.csv", "\n".join(rows))
    with pytest.raises(PodiumError, match="algorithm=model --sampling cv:4 --measure auc"):
        read(path)
    results = read(path, columns={"algorithm": ["model"]}, sampling="cv:4", measure="auc")
    assert results.algorithms == ["xgb", "cat", "rf"]
    assert results.wide("auc")["xgb"].tolist() == [0.801, 0.802, 0.803, 0.804]


def test_a_solver_that_crashed_early_is_not_the_fastest(tmp_path):
    """Answers (sat, unsat) say that a run ended well, where another one says `error`."""
    rows = ["benchmark,solver,status,cpu time"]
    for i in range(12):
        rows += [
            f"b{i},steady,{('sat', 'unsat')[i % 2]},{20 + i}.5",
            f"b{i},frail,{'error' if i % 3 else 'sat'},{1 if i % 3 else 30}.25",
        ]
    results = read(written(tmp_path, "solvers.csv", "\n".join(rows)))
    assert (results.runs["status"] == "failed").sum() == 8
    assert [*results.measures] == ["cpu time"]
    table = results.wide("cpu time")
    assert np.isnan(table["frail"]).sum() == 8
    assert table["steady"].notna().all()


def test_measures_of_several_fields_have_a_direction(tmp_path):
    rows = ["listener,system,utterance,top1,lpips,map@10"]
    for person in range(4):
        for level, system in enumerate(("gt", "vits")):
            scores = [f"u{i},0.{8 - level}{i},0.{level}{i},0.5{i}" for i in range(6)]
            rows += [f"L{person},{system},{score}" for score in scores]
    results = read(written(tmp_path, "speech.csv", "\n".join(rows)))
    higher = {name: m.higher_is_better for name, m in results.measures.items()}
    assert higher == {"top1": True, "lpips": False, "map@10": True}
    assert results.algorithms == ["gt", "vits"]
