"""What fitted algorithms say: checked in shape and content, whichever output it is."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import podium
from podium.running.design.measuring.outputs import CURVES, LOG_DENSITY, PREDICTED, PROBABILITIES
from podium.running.execution.predictions import AlgorithmError, Fitted, extras, predictions

X = np.arange(8.0).reshape(4, 2)
TIMES = np.array([1.0, 2.0, 3.0, 4.0])
DATA = {
    "classification": podium.dataset("d", X, ["a", "b", "a", "b"]),
    "regression": podium.dataset("d", X, [0.5, 1.5, 2.5, 3.5]),
    "density": podium.dataset("d", X, task="density"),
    "clustering": podium.dataset("d", X, task="clustering"),
    "survival": podium.dataset("d", X, np.c_[TIMES, np.ones(4)], task="survival"),
}


class Says:
    """An estimator that answers a call with what it was given for it."""

    def __init__(self, **answers):
        for kind, answer in answers.items():
            setattr(self, kind, lambda X, answer=answer: answer)


def fitted(task, estimator, output=PREDICTED):
    return Fitted(estimator, DATA[task], np.arange(4), output)


def said(task, kind, answer):
    return predictions(fitted(task, Says(**{kind: answer})), X, ((kind,),))[kind]


def reason(call):
    with pytest.raises(AlgorithmError) as caught:
        call()
    return str(caught.value)


@pytest.mark.parametrize(
    ("task", "kind"),
    [
        ("regression", PREDICTED),
        ("density", LOG_DENSITY),
        ("clustering", PREDICTED),
        ("survival", PREDICTED),
    ],
)
@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (np.zeros(3), "{kind} returned an array of shape (3,) for 4 rows"),
        (np.zeros((4, 2)), "{kind} returned an array of shape (4, 2) for 4 rows"),
        (0.0, "{kind} returned a single value; it must return one for each row"),
        ([0, 1, np.nan, 2], "{kind} returned 1 missing values for 4 rows"),
        (["x"] * 4, "{kind} must return numbers, for classes the codes that y has: "),
    ],
    ids=["short", "two columns", "a number", "missing", "names"],
)
def test_one_number_for_each_row_is_asked_of_every_task(task, kind, answer, message):
    assert reason(lambda: said(task, kind, answer)).startswith(message.format(kind=kind))


def test_outputs_have_the_type_that_measures_read():
    assert said("density", LOG_DENSITY, [[1], [2], [3], [-np.inf]]).tolist() == [1, 2, 3, -np.inf]
    assert said("clustering", PREDICTED, [0.0, 2.0, -1.0, 0.0]).dtype == np.int64
    assert said("survival", PREDICTED, [1, 2, 3, 4]).dtype == float
    assert said("clustering", PROBABILITIES, np.full((4, 3), 1 / 3)).shape == (4, 3)
    assert said("classification", PROBABILITIES, np.full((4, 2), 0.5)).shape == (4, 2)


def test_a_cluster_is_a_whole_number():
    message = "predict returned np.float64(0.5), which is no number of a cluster"
    assert reason(lambda: said("clustering", PREDICTED, [0, 0.5, 1, 1])) == message


# -- curves -----------------------------------------------------------------------------------


class Curves:
    """Curves at the times it is asked for."""

    def __init__(self, change=lambda curves: curves):
        self.change = change

    def predict_survival_function(self, X, times):
        return self.change(np.tile(np.exp(-times), (len(X), 1)))


class Functions:
    """One function of time for each row, as scikit-survival has it."""

    def predict_survival_function(self, X):
        return [lambda t: np.exp(-t)] * len(X)


def curves_of(estimator, output=PREDICTED):
    return predictions(fitted("survival", estimator, output), X, ((CURVES,),))[CURVES]


def test_curves_come_as_arrays_or_as_functions_of_time():
    times = fitted("survival", None).times
    assert times[[0, -1]] == pytest.approx([0.04, 4])
    assert np.array_equal(curves_of(Curves()), np.tile(np.exp(-times), (4, 1)))
    assert np.array_equal(curves_of(Functions()), curves_of(Curves()))
    assert np.array_equal(curves_of(None, lambda m, X, times: np.exp(-times) * np.ones((4, 1))),
                          curves_of(Curves()))  # fmt: skip


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c[:, 1:], "returned an array of shape (4, 99) for 4 rows and 100 times"),
        (lambda c: c[0], "returned an array of shape (100,) for 4 rows and 100 times"),
        (lambda c: np.full_like(c, 1.5), "returned 1.5, which is no probability"),
        (lambda c: c * np.nan, "returned 4 missing values for 4 rows"),
    ],
    ids=["times", "one row", "beyond", "missing"],
)
def test_curves_that_are_none_are_refused(change, message):
    assert reason(lambda: curves_of(Curves(change))) == f"predict_survival_function {message}"


def test_a_rounding_error_is_no_reason_to_refuse_a_curve():
    found = curves_of(Curves(lambda c: np.full(c.shape, 1 + 1e-12)))
    assert (found == 1).all()


# -- functions --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("task", "answer", "kind"),
    [
        ("classification", [0, 1, 0, 1], PREDICTED),
        ("classification", np.full((4, 2), 0.5), PROBABILITIES),
        ("regression", [0.0, 1, 0, 1], PREDICTED),
        ("density", [0.0, 1, 0, 1], LOG_DENSITY),
        ("clustering", [0, 1, 0, 1], PREDICTED),
        ("survival", [0.0, 1, 0, 1], PREDICTED),
    ],
)
def test_what_a_function_gives_follows_from_task_and_shape(task, answer, kind):
    model = fitted(task, Says(), lambda m, X: answer)
    found = predictions(model, X, ())
    assert list(found) == [kind]
    assert np.array_equal(found[kind], answer)
    assert podium.algorithm("a", Fits(), output=model.output).lacks([kind], task) is False


class Fits:
    def fit(self, X):
        return self


def test_what_a_function_gives_wins_over_the_method():
    model = fitted("regression", Says(predict=np.zeros(4)), lambda m, X: m.predict(X) + 1)
    assert predictions(model, X, ((PREDICTED,),))[PREDICTED].tolist() == [1, 1, 1, 1]


def test_what_nobody_gives_is_named():
    model = fitted("survival", Says(predict=np.zeros(4)))
    assert reason(lambda: predictions(model, X, ((CURVES,),))) == (
        "Says has no predict_survival_function"
    )


def test_what_is_kept_beside_fits_the_task_and_may_be_missing():
    estimator = Says(predict=np.zeros(4), score_samples=np.zeros(4), decision_function=np.zeros(3))
    assert list(extras(fitted("density", estimator), X, {})) == [LOG_DENSITY]
    assert list(extras(fitted("survival", estimator), X, {})) == [PREDICTED]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert list(extras(fitted("classification", estimator), X, {})) == [PREDICTED]
    assert "decision_function is not kept" in str(caught[0].message)
