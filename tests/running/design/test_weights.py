"""Who takes weights, and under which name."""

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import AdaBoostClassifier, RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from podium import algorithm
from podium.running.design.learners.preprocessing import weight_parameter, weighted

TREE, NEIGHBOURS = DecisionTreeClassifier(max_depth=1), KNeighborsClassifier()
TAKES = {
    "plain": (TREE, "sample_weight"),
    "svm": (SVC(), "sample_weight"),
    "forest": (RandomForestClassifier(5, random_state=0), "sample_weight"),
    "pipeline": (
        make_pipeline(StandardScaler(), LogisticRegression()),
        "logisticregression__sample_weight",
    ),
    "preprocessed": (
        algorithm("a", LogisticRegression(), preprocess=True).estimator(),
        None,  # whatever the steps are called
    ),
    "pipeline in pipeline": (
        make_pipeline(StandardScaler(), make_pipeline(StandardScaler(), TREE)),
        "pipeline__decisiontreeclassifier__sample_weight",
    ),
    "search": (GridSearchCV(TREE, {"max_depth": [1, 2]}, cv=2), "sample_weight"),
    "search of a pipeline": (
        GridSearchCV(make_pipeline(StandardScaler(), SVC()), {"svc__C": [1]}, cv=2),
        "svc__sample_weight",
    ),
    "wrapped": (AdaBoostClassifier(TREE, n_estimators=2), "sample_weight"),
    "target": (TransformedTargetRegressor(LinearRegression()), "sample_weight"),
}


@pytest.mark.parametrize("name", TAKES)
def test_weights_reach_fit_and_matter(name):
    estimator, parameter = TAKES[name]
    assert parameter in (None, weight_parameter(estimator))
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    y = (X[:, 0] + rng.normal(size=80) > 0).astype(int)
    weights = np.where(y == 1, 1.99, 0.01)
    said = [
        estimator.fit(X, y, **weighted(estimator, w)).predict(X).mean()
        for w in (np.ones(80), weights)
    ]
    assert said[1] > said[0]


@pytest.mark.parametrize(
    "estimator",
    [
        NEIGHBOURS,
        LinearDiscriminantAnalysis(),
        make_pipeline(StandardScaler(), NEIGHBOURS),
        GridSearchCV(NEIGHBOURS, {}),
        CalibratedClassifierCV(NEIGHBOURS),  # would learn without weights, and only warn
    ],
)
def test_who_takes_no_weights(estimator):
    assert weight_parameter(estimator) == ""


def test_without_weights_fit_gets_nothing():
    assert weighted(NEIGHBOURS, None) == {}
