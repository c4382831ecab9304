"""Preprocessing: learned from the training set alone, and right for what comes later."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

import podium
from podium.errors import DesignError
from podium.running.design.learners.preprocessing import Codes, Preprocessor


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def mixed(n=60):
    """Two numbers and two nominal attributes, with gaps in one of either kind."""
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(rng.normal(3, 2, size=(n, 2)), columns=["u", "v"])
    frame["colour"] = pd.Categorical(rng.choice(["red", "green", "blue"], n))
    frame["size"] = pd.Categorical(rng.choice(["small", "large"], n))
    frame.loc[::7, "v"], frame.loc[::9, "size"] = np.nan, np.nan
    return frame


def test_numbers_and_levels_are_those_of_scikit_learn():
    learn, later = mixed().iloc[:40], mixed().iloc[40:]
    theirs = make_column_transformer(
        (make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), ["u", "v"]),
        (OneHotEncoder(sparse_output=False, handle_unknown="ignore"), ["colour", "size"]),
    )
    np.testing.assert_allclose(
        sorted(Preprocessor().fit_transform(learn).T.tolist()),
        sorted(theirs.fit_transform(learn).T.tolist()),
    )
    np.testing.assert_allclose(
        sorted(Preprocessor().fit(learn).transform(later).T.tolist()),
        sorted(theirs.transform(later).T.tolist()),
    )


def test_a_row_is_coded_alone_as_among_others():
    fitted = Preprocessor().fit(mixed())
    alone = np.vstack([fitted.transform(mixed().iloc[[i]]) for i in range(60)])
    np.testing.assert_array_equal(alone, fitted.transform(mixed()))
    np.testing.assert_array_equal(alone, Preprocessor().fit_transform(mixed()))


def test_gaps_are_filled_by_the_median_of_the_learning_sample():
    fitted = Preprocessor(scale=False).fit([[1.0], [2.0], [9.0]])
    np.testing.assert_array_equal(fitted.transform([[np.nan], [100.0]]), [[2], [100]])


def test_a_missing_nominal_value_is_a_level_only_where_the_learning_sample_has_any():
    full, gaps = (pd.DataFrame({"a": pd.Categorical(v)}) for v in (["x", "y"], ["x", None]))
    np.testing.assert_array_equal(Preprocessor().fit(full).transform(gaps), [[1, 0], [0, 0]])
    np.testing.assert_array_equal(Preprocessor().fit(gaps).transform(gaps), [[0, 1], [1, 0]])


def test_levels_that_the_learning_sample_lacks_have_no_column_and_later_ones_are_zeros():
    levels = pd.CategoricalDtype(["x", "y", "z"])
    learn = pd.DataFrame({"a": ["x", "z", "x"]}, dtype=levels)
    later = pd.DataFrame({"a": ["y", "z", "x"]}, dtype=levels)
    np.testing.assert_array_equal(
        Preprocessor().fit(learn).transform(later), [[0, 0], [0, 1], [1, 0]]
    )


@pytest.mark.parametrize("kind", ["category", object, "string"])
def test_levels_go_by_name_and_not_by_their_codes_in_another_frame(kind):
    learn, later = (pd.DataFrame({"a": v}, dtype=kind) for v in (["x", "y", "z"], ["z", "y", "w"]))
    coded = Preprocessor().fit(learn).transform(later)
    np.testing.assert_array_equal(coded, [[0, 0, 1], [0, 1, 0], [0, 0, 0]])


@pytest.mark.parametrize("value", [0.0, 0.1, 1e9 + 0.1])
def test_a_constant_column_becomes_zeros(value):
    X = np.column_stack([np.full(7, value), np.arange(7.0)])
    coded = Preprocessor().fit_transform(X)
    np.testing.assert_allclose(coded[:, 0], 0, atol=1e-6)
    np.testing.assert_allclose(coded.std(axis=0), [0, 1], atol=1e-6)


def test_a_column_without_any_value_in_the_learning_sample_is_left_out():
    learn = pd.DataFrame({"a": [np.nan] * 3, "b": [1.0, 2.0, 3.0]})
    fitted = Preprocessor().fit(learn)
    assert fitted.transform(learn.fillna(7)).shape == (3, 1)
    nothing = pd.DataFrame({"a": pd.Categorical([None] * 3, categories=["x"])})
    np.testing.assert_array_equal(Preprocessor().fit_transform(nothing), np.ones((3, 1)))


def test_fitting_again_forgets_the_first_sample_and_the_frame_is_unchanged():
    frame = mixed()
    again = Preprocessor().fit(mixed(20)).fit(frame)
    np.testing.assert_array_equal(again.transform(frame), Preprocessor().fit_transform(frame))
    pd.testing.assert_frame_equal(frame, mixed())


def test_a_pipeline_learns_its_preprocessing_from_the_rows_it_is_fitted_to():
    X, y = mixed(), np.arange(60) % 2
    fitted = podium.design.pipeline(LogisticRegression()).fit(X.iloc[:30], y[:30])
    first = Preprocessor().fit(X.iloc[:30])
    by_hand = LogisticRegression().fit(first.transform(X.iloc[:30]), y[:30])
    np.testing.assert_array_equal(
        fitted.predict_proba(X.iloc[30:]), by_hand.predict_proba(first.transform(X.iloc[30:]))
    )


def test_a_pipeline_is_cloned_with_its_parameters():
    made = clone(podium.design.pipeline(DecisionTreeClassifier(max_depth=2), scale=False))
    assert made.get_params()["preprocess__scale"] is False
    assert made.get_params()["estimator__max_depth"] == 2
    assert made.fit(mixed(), np.arange(60) % 2).predict(mixed()).shape == (60,)


def test_the_coding_of_eugster2008_leaves_numbers_alone_and_numbers_levels():
    frame = mixed()
    made = Codes().fit(frame).transform(frame)
    numbers = frame.select_dtypes("number").to_numpy(float)
    levels = [pd.Categorical(c) for _, c in frame.select_dtypes(exclude="number").items()]
    seen = ~np.isnan(numbers)
    np.testing.assert_array_equal(made[:, : numbers.shape[1]][seen], numbers[seen])
    for at, column in enumerate(levels, numbers.shape[1]):
        there = column.codes >= 0
        np.testing.assert_array_equal(made[there, at], column.codes[there] + 1)
    assert not np.isnan(made).any()
    unscaled = podium.algorithm("knn", "knn", preprocess="unscaled").estimator()[0].fit(frame)
    coded = np.asarray(unscaled.transform(frame))
    np.testing.assert_array_equal(coded[:, : numbers.shape[1]][seen], numbers[seen])
    np.testing.assert_array_equal(
        coded[:, numbers.shape[1] :],
        Preprocessor().fit_transform(frame)[:, numbers.shape[1] :],
    )


def test_behind_a_named_preprocessing_no_family_standardises():
    """One attribute is large noise: neighbours find the classes only where it is scaled down."""
    rng = np.random.default_rng(1)
    y = np.arange(200) % 2
    X = pd.DataFrame({"tells": y + rng.normal(0, 0.1, 200), "noise": rng.normal(0, 1e4, 200)})
    wrong = [
        np.mean(made.fit(X[:100], y[:100]).predict(X[100:]) != y[100:])
        for made in (
            podium.algorithm("knn", "knn", k=1).estimator(),
            podium.algorithm("knn", "knn", k=1, preprocess="eugster2008").estimator(),
            podium.algorithm("knn", "knn", k=1, preprocess="unscaled").estimator(),
        )
    ]
    assert wrong[0] < 0.05 < 0.3 < wrong[1] == wrong[2]
    theirs = KNeighborsClassifier(1).fit(X[:100], y[:100]).predict(X[100:])
    assert wrong[1] == np.mean(theirs != y[100:])


def test_an_unknown_preprocessing_is_refused_with_those_there_are():
    with pytest.raises(DesignError, match=r"'odd' is no preprocessing\. Use true, false or one of"):
        podium.algorithm("knn", "knn", preprocess="odd")
    one, other = (podium.algorithm("a", "knn", preprocess=p) for p in (True, "eugster2008"))
    assert one.fingerprint != other.fingerprint
