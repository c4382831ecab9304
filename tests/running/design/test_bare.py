"""What users of scikit-learn have goes into a study as it is: data, estimators, scorers, groups."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import Ridge
from sklearn.metrics import f1_score, fbeta_score, make_scorer, mean_absolute_error
from sklearn.model_selection import GroupKFold, KFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import podium
from podium import Study
from podium.errors import DesignError, UnknownName

X, Y = load_breast_cancer(return_X_y=True)
X = X[:, :4]
PAIR = [GaussianNB(), LinearDiscriminantAnalysis()]
F2 = make_scorer(fbeta_score, beta=2)


def study(data=(X, Y), algorithms=PAIR, **options) -> Study:
    return podium.Study(data, algorithms, **{"sampling": "cv:3", **options})


@pytest.mark.parametrize(
    ("scoring", "measure", "name"),
    [("f1", "f1", "f1"), ("roc_auc", "roc_auc", "roc_auc"), (F2, F2, "fbeta_score"),
     ("neg_log_loss", "neg-log-loss", "neg_log_loss"), (F2, {"F2": F2}, "F2"),
     ("roc_auc", {"AUC": "roc_auc"}, "AUC")],
)  # fmt: skip
def test_scores_are_those_of_cross_val_score(scoring, measure, name):
    folds = KFold(3, shuffle=True, random_state=1)
    results = podium.run(study(sampling=folds, measures=measure), quiet=True, jobs=0)
    found = results.wide(name)[["GaussianNB", "LinearDiscriminantAnalysis"]]
    for estimator, scores in zip(PAIR, found.to_numpy().T, strict=True):
        expected = cross_val_score(estimator, X, Y, cv=folds, scoring=scoring)
        np.testing.assert_allclose(scores, expected, rtol=1e-12)
    assert results.measure(name).higher_is_better


def test_a_loss_that_a_scorer_turns_is_called_as_scikit_learn_does():
    scorer = make_scorer(mean_absolute_error, greater_is_better=False)
    data = load_diabetes(return_X_y=True)
    results = podium.run(study(data, [Ridge()], measures=["r2", scorer]), quiet=True, jobs=0)
    assert list(results.measures) == ["r2", "neg_mean_absolute_error"]
    assert (results.values("neg_mean_absolute_error")["value"] < 0).all()


def test_a_scorer_is_known_by_what_it_computes():
    specs = [study(measures=make_scorer(fbeta_score, beta=b)).measures[0].measure for b in (1, 2)]
    assert specs[0].spec != specs[1].spec
    assert [each.name for each in study(measures={"two": F2, "error": "error"}).measures] == [
        "two",
        "error",
    ]
    again = study(measures=make_scorer(fbeta_score, beta=2)).measures[0].measure
    assert again.spec == specs[1].spec


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        ({"measures": "f1_marco"}, ["Did you mean 'f1_macro'", "scorers of scikit-learn"]),
        ({"data": load_iris(), "measures": "f1"}, ["(Target is multiclass but", "'f1_macro'"]),
        ({"data": load_iris(), "measures": "roc_auc"}, ["3 classes", "'roc_auc_ovr'"]),
        ({"measures": [F2, make_scorer(fbeta_score, beta=3)]}, ["two measures", "{'one': ..."]),
        ({"measures": {"error": F2}}, ["'fbeta_score' cannot be called 'error'"]),
        ({"measures": make_scorer(f1_score, pos_label="benign")}, ["pos_label='benign'",
                                                                    "positive="]),
        ({"measures": f1_score}, ["make_scorer", "podium.measure"]),
        ({"algorithms": [SVC(), SVC()]}, ["would be called 'SVC'", "give them names"]),
        ({"algorithms": 3}, ["takes estimators", "not 3"]),
        ({"data": "iris"}, ["podium.dataset(name, X, y)", "not 'iris'"]),
        ({"data": [(X, Y), (X, Y)]}, ["need names"]),
        ({"data": pd.DataFrame(X)}, ["no target", "target='class'"]),
        ({"target": "y"}, ["leave target='y' out"]),
        ({"groups": Y}, ["'cv:3' does not keep groups together", "'cv:3+grouped'"]),
        ({"data": podium.dataset("d", X, Y), "groups": Y}, ["podium.dataset('d', X, y, groups"]),
    ],
    ids=range(15),
)  # fmt: skip
def test_what_is_not_meant_is_refused_with_a_way_out(options, parts):
    with pytest.raises((DesignError, UnknownName)) as caught:
        study(**options)
    for part in parts:
        assert part in str(caught.value)


def test_a_class_that_a_scorer_names_must_be_the_one_that_is_meant():
    """Classes are codes for a scorer: with classes 1 and 2 its class 1 would be the second one."""
    scorer = make_scorer(f1_score, pos_label=1)
    assert study(measures=scorer)
    with pytest.raises(DesignError, match="pos_label=1"):
        study((X, Y + 1), measures=scorer)


def test_estimators_are_called_by_what_they_are_whatever_the_company():
    every = [
        SVC(),
        SVC(C=10, kernel="linear"),
        make_pipeline(StandardScaler(), SVC(C=2)),
        GaussianNB,
        "sklearn.linear_model.LogisticRegression",
        ("mine", GaussianNB()),
        podium.algorithm("own", GaussianNB()),
    ]
    assert [a.name for a in study(algorithms=every).algorithms] == [
        "SVC", "SVC(C=10, kernel=linear)", "StandardScaler + SVC(C=2)", "GaussianNB",
        "LogisticRegression", "mine", "own",
    ]  # fmt: skip
    assert [a.name for a in study(algorithms=SVC()).algorithms] == ["SVC"]
    assert len(study(algorithms=(a for a in PAIR)).algorithms) == 2


def test_data_in_every_shape_are_the_same_data():
    frame = load_iris(as_frame=True).frame
    x, y = frame.drop(columns="target"), frame["target"]
    bunch, pair, table = (
        study(given, target=target).datasets[0]
        for given, target in ((load_iris(), None), ((x, y), None), (frame, "target"))
    )
    assert bunch.fingerprint == pair.fingerprint == table.fingerprint
    named = study({"a": (x, y), "b": load_iris()}).datasets
    assert [d.name for d in named] == ["a", "b"]


def test_groups_stay_together():
    groups = np.arange(len(Y)) // 6
    for sampling in ("cv:3+grouped", GroupKFold(3)):
        made = study(sampling=sampling, groups=groups)
        for sample in range(1, 4):
            _, draw = made.sampler.once(made.datasets[0], sample)
            (split,) = draw.splits
            assert not set(groups[split.train]) & set(groups[split.test])
    frame = pd.DataFrame(X).assign(y=Y, who=groups)
    made = study(frame, target="y", groups="who", sampling="cv:3+grouped")
    assert made.datasets[0].p == 4


def test_the_default_measure_suits_the_task():
    assert study().measures[0].name == "error"
    assert study(load_diabetes(), [Ridge()]).measures[0].name == "squared"


def test_without_a_store_nothing_is_left_behind(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert len(podium.run(study(), quiet=True, jobs=0).runs) == 6
    assert list(tmp_path.iterdir()) == []


def test_a_study_file_says_groups_too(tmp_path):
    frame = pd.DataFrame(X[:60]).assign(y=Y[:60], who=np.arange(60) // 5)
    frame.to_csv(tmp_path / "d.csv", index=False)
    text = 'sampling = "cv:3+grouped"\nmeasures = ["f1"]\n[[datasets]]\nname = "d"\n'
    text += 'source = "file:d.csv"\ntarget = "y"\n{}[[algorithms]]\nname = "nb"\n'
    text += 'estimator = "sklearn.naive_bayes.GaussianNB"\n'
    path = tmp_path / "s.toml"
    path.write_text(text.format('groups = "who"\n'))
    assert podium.load_study(path).datasets[0].groups.max() == 11
    path.write_text(text.format('groups = "who"\ngroup = "who"\n'))
    with pytest.raises(DesignError, match="line 7: say 'group' or 'groups', not both"):
        podium.load_study(path)
