"""Every key of a study file changes the study, or is refused: none is read past."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from podium.core.questions.options import AnalysisPlan
from podium.errors import DesignError
from podium.running.design.studyfile import ALGORITHM, DATASET, FRAME, STUDY, parse_study

ALGORITHMS = """
[[algorithms]]
name = "tree"
estimator = "sklearn.tree.DecisionTreeClassifier"
[[algorithms]]
name = "bayes"
estimator = "sklearn.naive_bayes.GaussianNB"
"""
FILE = {"name": '"d"', "source": '"file:d.csv"', "target": '"y"'}
PROCESS = {"name": '"d"', "source": '"builtin:twonorm"'}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, rng = tmp_path_factory.mktemp("study"), np.random.default_rng(1)
    for name, n in (("d.csv", 60), ("t.csv", 20)):
        frame = pd.DataFrame(rng.normal(size=(n, 2)).round(3), columns=["a", "b"])
        frame["k"], frame["patient_id"] = rng.integers(0, 3, n), np.arange(n) // 3
        frame["y"] = np.where(rng.random(n) < 0.5, "yes", "no")
        frame.assign(z=rng.random(n).round(3)).to_csv(folder / name, index=False)
    rows = [(f"d{i}", "builtin:twonorm", 100 + i) for i in range(6)]
    pd.DataFrame(rows, columns=["name", "source", "n"]).to_csv(folder / "c.csv", index=False)
    return folder


def lines(table: dict[str, str]) -> str:
    return "".join(f"{key} = {value}\n" for key, value in table.items())


def study(folder, top=None, data=None, extra="", algorithm="", sampling="cv:3", trust=()):
    above = lines({"sampling": f'"{sampling}"', **(top or {})})
    entries = f"[[datasets]]\n{lines(FILE if data is None else data)}" if data != {} else ""
    return parse_study(
        f"{above}{entries}{extra}{ALGORITHMS}{algorithm}", folder=folder, trust=trust
    )


def meaning(made):
    """All that a study is, but the text of its file."""
    fields = {k: v for k, v in vars(made).items() if k not in ("text", "datasets", "algorithms")}
    fields.pop("definition", None)
    definition = {k: v for k, v in made.definition.items() if k != "file"}
    names = [repr(x) for x in (*made.datasets, *made.algorithms)]
    return repr(definition), [run.key for run in made], names, repr(sorted(fields.items(), key=str))


CHANGED_STUDY = {
    "name": '"other"',
    "seed": "2",
    "population": '"spam"',
    "sampling": '"cv:4"',
    "measures": '["accuracy"]',
    "keep": '["predictions"]',
    "fits": "2",
    "sizes": "[10, 20]",
    "isolate": '"process"',
}
OTHERWISE = {"trust", "analysis", "frame", "datasets", "algorithms"}  # below


def test_every_key_of_a_study_is_tried():
    assert CHANGED_STUDY.keys() | OTHERWISE == STUDY.keys()
    assert {key for key, *_ in (*CHANGED_DATA, *REFUSED_DATA)} | {
        "name",
        "source",
    } == DATASET.keys()
    assert CHANGED_FRAME.keys() | {"catalogue"} == FRAME.keys()
    assert CHANGED_ALGORITHM.keys() | {"factors"} == ALGORITHM.keys()


@pytest.mark.parametrize("key", CHANGED_STUDY)
def test_a_key_of_a_study_changes_it(folder: Path, key: str):
    other = study(folder, {key: CHANGED_STUDY[key]})
    assert meaning(other) != meaning(study(folder))


def test_trust_asks_and_does_not_grant(folder: Path):
    with pytest.raises(DesignError, match="this study asks to run code of the package 'xgboost'"):
        study(folder, {"trust": '["xgboost"]'})
    assert study(folder, {"trust": '["xgboost"]'}, trust=["xgboost"])


SIMULATION, GROUPED, TESTED = "simulation:3", "cv:3+grouped", "competition:3"
CHANGED_DATA = [
    ("target", '"k"', FILE, "cv:3"),
    ("test", '"t.csv"', FILE, "bayesian-bootstrap:3"),
    ("test", '"t.csv"', FILE, "training-sets:2x10"),
    ("nominal", '["k"]', FILE, "cv:3"),
    ("ignore", '["a"]', FILE, "cv:3"),
    ("group", '"k"', FILE | {"group": '"patient_id"'}, GROUPED),
    ("groups", '"k"', FILE | {"groups": '"patient_id"'}, GROUPED),
    ("positive", '"no"', FILE, "cv:3"),
    ("n", "70", PROCESS, "cv:3"),
    ("n", "70", PROCESS, SIMULATION),
    ("n_test", "70", PROCESS, SIMULATION),
    ("fresh_test", "false", PROCESS, SIMULATION),
    ("seed", "5", PROCESS, "cv:3"),
    ("parameters", "{ d = 3 }", PROCESS, "cv:3"),
    ("stage", '"development"', FILE, "cv:3"),
]


@pytest.mark.parametrize(("key", "value", "data", "sampling"), CHANGED_DATA)
def test_a_key_of_a_data_set_changes_the_study(folder: Path, key, value, data, sampling):
    # claims need a data set that is not for development
    second = '[[datasets]]\nname = "e"\nsource = "sklearn:iris"\n' if key == "stage" else ""
    before = study(folder, data=data, sampling=sampling, extra=second)
    after = study(folder, data=data | {key: value}, sampling=sampling, extra=second)
    assert meaning(after) != meaning(before)


REFUSED_DATA = [
    ("task", '"regression"', FILE | {"target": '"k"'}, "cv:3", "data set 'd' is a regression"),
    ("group", '"patient_id"', FILE, "cv:5", r"say 'cv:5\+grouped', or leave groups out"),
    ("groups", '"patient_id"', FILE, "bootstrap:9", r"say 'bootstrap:9\+grouped'"),
    ("group", '"patient_id"', FILE, "rolling-origin:3x4", "together: leave groups out"),
    ("group", '"patient_id"', FILE, "holdout:0.7+stratified", "together: leave groups out"),
    ("test", '"t.csv"', FILE, "cv:5", "tests nothing on a separate test sample: leave 'test' out"),
    ("test", '"t.csv"', FILE, "seeds:3x0.8", "tests nothing on a separate test sample"),
    ("target", '"a"', {"name": '"d"', "source": '"builtin:titanic"'}, "cv:3", None),
    ("n_test", "70", PROCESS, "cv:3", "'n_test' does not go with the source"),
    ("fresh_test", "false", PROCESS, "cv:3", "'fresh_test' does not go with the source"),
    ("seed", "5", PROCESS, SIMULATION, "'seed' does not go with the source"),
    ("n", "50", FILE, "cv:3", "'n' does not go with the source"),
    ("parameters", "{ d = 3 }", FILE, "cv:3", "'parameters' does not go with the source"),
]


@pytest.mark.parametrize(("key", "value", "data", "sampling", "words"), REFUSED_DATA)
def test_a_key_that_would_be_read_past_is_refused(folder, key, value, data, sampling, words):
    if words is None:
        attribute = study(folder, data=data).datasets[0].X.columns[0]
        value, words = f'"{attribute}"', "has a target of its own"
    with pytest.raises(DesignError, match=words) as error:
        study(folder, data=data | {key: value}, sampling=sampling)
    line = 3 + len(data) + (key == "task") * 3  # which makes it the algorithm's
    assert str(error.value).startswith(f"study, line {line}: ")


def test_what_is_said_of_groups_works(folder: Path):
    grouped = study(folder, data=FILE | {"group": '"patient_id"'}, sampling="cv:5+grouped")
    _, draw = grouped.sampler.once(grouped.datasets[0], 1)
    who = grouped.datasets[0].groups
    assert not {*who[draw.splits[0].train]} & {*who[draw.splits[0].test]}
    assert study(folder, data=FILE | {"ignore": '["patient_id"]'}, sampling="cv:5")


def test_bundled_data_may_be_told_their_target_but_no_attribute(folder: Path):
    iris = {"name": '"d"', "source": '"sklearn:iris"'}
    assert study(folder, data=iris | {"target": '"species"'})
    with pytest.raises(DesignError, match=r"'petal length \(cm\)' is one of its attributes"):
        study(folder, data=iris | {"target": '"petal length (cm)"'})


CHANGED_FRAME = {
    "where": '["n >= 103"]',
    "draw": "3",
    "seed": "7",
    "development": "2",
}


@pytest.mark.parametrize("key", CHANGED_FRAME)
def test_a_key_of_a_frame_changes_the_study(folder: Path, key: str):
    base = {"catalogue": '"c.csv"'}
    before, after = (
        study(folder, data={}, extra=f"[frame]\n{lines(table)}")
        for table in (base, base | {key: CHANGED_FRAME[key]})
    )
    assert meaning(after) != meaning(before)


CHANGED_ALGORITHM = {
    "name": '"other"',
    "estimator": '"sklearn.neighbors.KNeighborsClassifier"',
    "parameters": "{ max_iter = 50 }",
    "preprocess": "true",
    "output": '"predict_proba"',
    "role": '"ours"',
}


@pytest.mark.parametrize("key", CHANGED_ALGORITHM)
def test_a_key_of_an_algorithm_changes_the_study(folder: Path, key: str):
    base = {"name": '"third"', "estimator": '"sklearn.linear_model.LogisticRegression"'}
    before, after = (
        study(folder, algorithm=f"[[algorithms]]\n{lines(table)}")
        for table in (base, base | {key: CHANGED_ALGORITHM[key]})
    )
    assert meaning(after) != meaning(before)


def test_factors_are_of_all_algorithms(folder: Path):
    third = '[[algorithms]]\nname = "third"\nestimator = "sklearn.naive_bayes.BernoulliNB"\n'
    with pytest.raises(DesignError, match="The algorithm 'tree' has no factors, and others have"):
        study(folder, algorithm=f'{third}factors = {{ kind = "bayes" }}\n')


CHANGED_PLAN = {
    "target": '"sample"',
    "procedure": '"paired-t"',
    "alpha": "0.01",
    "relevance": "0.02",
    "control": '"tree"',
    "pairs": '[["tree", "bayes"]]',
    "gaps": '"complete"',
}


@pytest.mark.parametrize("key", CHANGED_PLAN)
def test_a_key_of_a_plan_changes_it(folder: Path, key: str):
    base = {"measure": '"error"'}
    before, after = (
        study(folder, extra=f"[analysis]\n{lines(table)}").analysis
        for table in (base, base | {key: CHANGED_PLAN[key]})
    )
    assert after.to_dict() != before.to_dict()
    assert {*CHANGED_PLAN, "measure", "subgroups", "sequential"} == {
        *AnalysisPlan("error").to_dict()
    }
