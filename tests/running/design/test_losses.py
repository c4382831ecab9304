"""Scores from predictions: every loss and functional by hand or against scikit-learn."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from podium import measure
from podium.core.questions import measures
from podium.errors import DesignError, UnknownName
from podium.running.design.measuring.outputs import (
    DECISION,
    LOG_DENSITY,
    PREDICTED,
    PROBABILITIES,
    Output,
)
from podium.running.design.measuring.scoring import computed, is_recorded, needs, scored

RNG = np.random.default_rng(1)
NUMBERS = Output(np.array([1.0, 2.0, 3.0, 4.0]), {PREDICTED: np.array([1.0, 4.0, 2.0, 0.0])})
CODES = np.array([0, 1, 2, 1])
SHARES = np.array([[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [1.0, 0.0, 0.0], [0.1, 0.8, 0.1]])
CLASSES = Output(CODES, {PREDICTED: np.array([0, 1, 0, 2]), PROBABILITIES: SHARES}, 3)


def random_output(n_classes, n=80):
    y = np.r_[np.arange(n_classes), RNG.integers(n_classes, size=n - n_classes)]
    p = RNG.dirichlet(np.ones(n_classes), size=n).round(1) + 0.1  # rounded: there are ties
    p /= p.sum(axis=1, keepdims=True)
    return Output(y, {PREDICTED: p.argmax(axis=1), PROBABILITIES: p}, n_classes)


BINARY, THREE = random_output(2), random_output(3)
DENSITY = Output(np.zeros(4), {LOG_DENSITY: np.log([0.5, 1.0, 2.0, 8.0])})
OUTPUTS_OF = {"classification": THREE, "regression": NUMBERS, "density": DENSITY}
HALVES = Output(np.array([0.5, 1.5]), {PREDICTED: np.array([0.5, 2.5])})


def score(name, output):
    return computed(name).score(output)


def own(function, **options):
    return measure("own", function, **{"higher_is_better": False, **options})


# --- losses ---


@pytest.mark.parametrize(
    ("name", "output", "value"),
    [
        ("error", CLASSES, 2 / 4),
        ("accuracy", CLASSES, 2 / 4),
        ("squared", NUMBERS, (0 + 4 + 1 + 16) / 4),
        ("absolute", NUMBERS, (0 + 2 + 1 + 4) / 4),
        ("rmse", NUMBERS, math.sqrt(21 / 4)),
        ("squared:root-mean", NUMBERS, math.sqrt(21 / 4)),
        ("brier", CLASSES, (0.375 + 0.375 + 2 + 0.06) / 4),
        ("log-likelihood", DENSITY, math.log(0.5 * 1 * 2 * 8) / 4),
        ("log-likelihood:median", DENSITY, math.log(2) / 2),
        # a class that was not learned gets 0, which counts as the least positive number
        ("log-loss", CLASSES, -sum(map(math.log, [0.5, 0.5, np.finfo(float).eps, 0.8])) / 4),
    ],
)
def test_losses_by_hand(name, output, value):
    assert score(name, output) == pytest.approx(value)


@pytest.mark.parametrize(
    ("name", "reference"),
    [
        ("error", lambda o: metrics.zero_one_loss(o.y, o.get(PREDICTED))),
        ("accuracy", lambda o: metrics.accuracy_score(o.y, o.get(PREDICTED))),
        ("log-loss", lambda o: metrics.log_loss(o.y, o.get(PROBABILITIES))),
    ],
)
@pytest.mark.parametrize("output", [BINARY, THREE], ids=["binary", "three"])
def test_losses_are_those_of_scikit_learn(name, reference, output):
    assert score(name, output) == pytest.approx(reference(output))


def test_the_brier_score_of_two_classes_is_that_of_scikit_learn():
    expected = metrics.brier_score_loss(BINARY.y, BINARY.get(PROBABILITIES)[:, 1])
    assert score("brier", BINARY) == pytest.approx(expected)


def test_probabilities_need_not_sum_to_one_for_the_log_loss():
    doubled = Output(THREE.y, {PROBABILITIES: 2 * THREE.get(PROBABILITIES)}, 3)
    assert score("log-loss", doubled) == pytest.approx(score("log-loss", THREE))


@pytest.mark.parametrize("name", measures.LOSSES)
def test_every_loss_has_its_outputs_and_tasks(name):
    found = computed(name)
    output = next(o for t, o in OUTPUTS_OF.items() if t in found.tasks)
    assert all(any(k in output.values for k in kinds) for kinds in found.needs)
    low, high = found.measure.bounds
    assert low <= found.score(output) <= high


# --- clusters ---


def clusters(y, labels, X=None):
    return Output(np.array(y), {PREDICTED: np.array(labels)}, 2, X=X)


def test_the_adjusted_rand_index_by_hand():
    """One pair agrees; (2 x 1) / 6 of 2 and 1 pairs are expected to, and 3/2 could at most."""
    found = score("adjusted-rand", clusters([0, 0, 1, 1], [5, 5, 7, 8]))
    assert found == pytest.approx((1 - 1 / 3) / (3 / 2 - 1 / 3))
    assert score("adjusted-rand", clusters([0, 0, 1, 1], [1, 1, -1, -1])) == 1
    assert scored([computed("adjusted-rand")], [clusters([0], [0])]).undefined


def test_the_silhouette_by_hand():
    x = np.array([[0.0], [1.0], [10.0], [12.0]])
    expected = np.mean([10 / 11, 9 / 10, 7.5 / 9.5, 9.5 / 11.5])
    assert score("silhouette", clusters([0] * 4, [3, 3, 0, 0], x)) == pytest.approx(expected)
    for labels, count in (([1, 1, 1, 1], 1), ([1, 2, 3, 4], 4)):
        found = scored([computed("silhouette")], [clusters([0] * 4, labels, x)])
        assert found.undefined["silhouette"] == (
            f"silhouette needs from 2 clusters to one less than rows, not {count} of 4"
        )


# --- functionals ---


@pytest.mark.parametrize(
    ("functional", "value"),
    [
        ("mean", 7 / 4),
        ("median", 1.5),
        ("supremum", 4),
        ("root-mean", math.sqrt(7 / 4)),
        ("quantile:0.25", 0),
        ("quantile:0.26", 1),
        ("quantile:0.75", 2),
        ("quantile:1", 4),
        ("quantile:1e-12", 0),
    ],
)
def test_functionals_of_the_absolute_errors_0_2_1_4(functional, value):
    assert score(f"absolute:{functional}", NUMBERS) == pytest.approx(value)


@settings(derandomize=True, deadline=None)
@given(st.integers(1, 400), st.integers(1, 100))
def test_a_quantile_is_the_value_at_the_ceiling_of_q_times_m(m, percent):
    """In whole numbers; 0.07 * 100 is 7.000000000000001 in binary and must not give the 8th."""
    losses = np.random.default_rng(m).permutation(m) + 1.0
    output = Output(np.zeros(m), {PREDICTED: losses})
    expected = -(-percent * m // 100)
    assert score(f"absolute:quantile:{percent / 100}", output) == expected


# --- AUC ---


@pytest.mark.parametrize("kind", [PROBABILITIES, DECISION])
def test_auc_of_two_classes_is_that_of_scikit_learn(kind):
    decision = BINARY.get(PROBABILITIES)[:, 1]
    said = BINARY.get(PROBABILITIES) if kind == PROBABILITIES else decision
    output = Output(BINARY.y, {kind: said}, 2)
    assert score("auc", output) == pytest.approx(metrics.roc_auc_score(BINARY.y, decision))


def test_auc_of_several_classes_is_the_mean_of_each_against_the_rest():
    p = THREE.get(PROBABILITIES)
    expected = metrics.roc_auc_score(THREE.y, p, multi_class="ovr")
    assert score("auc", THREE) == pytest.approx(expected)
    assert score("auc", Output(THREE.y, {DECISION: 2 * p}, 3)) == pytest.approx(expected)


def test_a_class_that_was_not_learned_has_an_auc_of_a_half():
    p = np.eye(3)[[0, 1, 1, 1]]
    assert score("auc", Output(CODES, {PROBABILITIES: p}, 3)) == pytest.approx((1 + 0.75 + 0.5) / 3)


@pytest.mark.parametrize(
    ("output", "why"),
    [
        (
            Output(np.zeros(3, int), {PROBABILITIES: np.full((3, 2), 0.5)}, 2),
            "auc needs every class in the test sample",
        ),
        (
            Output(CODES, {DECISION: np.arange(4.0)}, 3),
            "auc needs a decision for each of 3 classes",
        ),
    ],
    ids=["one class", "two decided"],
)
def test_an_auc_without_a_value_says_why(output, why):
    scores = scored([computed("auc")], [output])
    assert math.isnan(scores.values["auc"])
    assert scores.undefined == {"auc": why}


# --- scikit-learn's scorers ---


@pytest.mark.parametrize(
    ("name", "output", "value"),
    [
        ("r2", NUMBERS, metrics.r2_score([1, 2, 3, 4], [1, 4, 2, 0])),
        ("neg_mean_absolute_error", NUMBERS, -7 / 4),
        ("balanced_accuracy", CLASSES, (1 + 1 / 2 + 0) / 3),
        ("f1", BINARY, metrics.f1_score(BINARY.y, BINARY.get(PREDICTED))),
        ("neg_log_loss", THREE, -metrics.log_loss(THREE.y, THREE.get(PROBABILITIES))),
        (
            "roc_auc",
            BINARY,
            metrics.roc_auc_score(BINARY.y, BINARY.get(PROBABILITIES)[:, 1]),
        ),
    ],
)
def test_a_scorer_of_scikit_learn_gives_what_it_gives_there(name, output, value):
    found = computed(f" sklearn:{name} ")
    assert found.name == found.measure.spec == f"sklearn:{name}"
    assert found.measure.direction == "higher"  # scikit-learn turns losses by their sign
    assert found.score(output) == pytest.approx(value)


def test_every_scorer_asks_for_outputs_that_there_are():
    for name in metrics.get_scorer_names():
        (kinds,) = computed(f"sklearn:{name}").needs
        assert set(kinds) <= {PREDICTED, PROBABILITIES, DECISION}


@pytest.mark.parametrize(("name", "output"), [("accuracy", HALVES), ("f1", THREE)])
def test_what_a_scorer_refuses_has_no_value_and_a_reason(name, output):
    scores = scored([computed(f"sklearn:{name}")], [output])
    assert math.isnan(scores.values[f"sklearn:{name}"])
    assert scores.undefined[f"sklearn:{name}"]


def test_an_unknown_scorer_is_answered_by_the_closest():
    with pytest.raises(DesignError) as error:
        computed("sklearn:acuracy")
    assert str(error.value) == (
        "'acuracy' is not a scikit-learn scorer. Did you mean 'accuracy'? "
        "sklearn.metrics.get_scorer_names() lists them."
    )


# --- a measure of one's own ---


def test_an_own_loss_per_observation_goes_through_its_functional():
    def gap(y, said):
        return np.abs(y - said)

    assert own(gap).score(NUMBERS) == 7 / 4
    assert own(gap, functional="quantile:0.75").score(NUMBERS) == 2
    assert own(lambda y, said: [0, True, 0, 1]).score(NUMBERS) == 0.5


def test_an_own_measure_may_give_one_number():
    assert own(lambda y, said: max(said), functional="median").score(NUMBERS) == 4


def test_an_own_measure_reads_what_it_asks_for():
    sure = own(lambda y, p: p.max(axis=1), reads=PROBABILITIES, higher_is_better=True)
    assert sure.score(CLASSES) == pytest.approx((0.5 + 0.5 + 1 + 0.8) / 4)
    assert sure.needs == ((PROBABILITIES,),)
    assert sure.measure.direction == "higher"


def test_the_spec_of_an_own_measure_follows_from_what_it_computes():
    def gap(y, said):
        return y - said

    specs = [
        own(gap),
        own(lambda y, said: y + said),
        own(gap, functional="median"),
        own(gap, reads=DECISION),
    ]
    assert len({m.measure.spec for m in specs}) == 4
    assert own(gap).measure == own(gap).measure


@pytest.mark.parametrize("value", [[1.0, 2.0], np.ones((4, 1)), np.ones(5)], ids=np.shape)
def test_an_own_loss_of_the_wrong_shape_is_refused(value):
    with pytest.raises(
        ValueError, match=r"one number per observation \(4\), not an array of shape"
    ):
        own(lambda y, said: value).score(NUMBERS)


def test_an_own_measure_without_a_value_says_so():
    scores = scored([own(lambda y, said: None)], [NUMBERS])
    assert math.isnan(scores.values["own"])
    assert scores.undefined == {"own": "the score is not a number"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"function": 3}, "Measure 'own': 3 is no function."),
        ({"name": ["own"]}, "The name of a measure is a printable text, not ['own']."),
        ({"name": "auc"}, "Measure 'auc': Podium has one of this name; choose another."),
        (
            {"name": "error:median"},
            "Measure 'error:median': Podium has one of this name; choose another.",
        ),
        (
            {"higher_is_better": "no"},
            "Measure 'own': higher_is_better is True or False, not 'no'.",
        ),
        (
            {"reads": "proba"},
            "Measure 'own': 'proba' is not an output. "
            "Known: predict, predict_proba, decision_function, score_samples, "
            "predict_survival_function.",
        ),
        (
            {"functional": 0.9},
            "In 'own': '0.9' is not a functional. "
            "Known: mean, median, quantile, supremum, root-mean.",
        ),
    ],
)
def test_a_wrong_measure_is_refused_in_words(change, message):
    good = {"name": "own", "function": np.subtract, "higher_is_better": True}
    with pytest.raises(DesignError) as error:
        measure(**{**good, **change})
    assert str(error.value) == message


# --- many measures of many outputs ---


@pytest.mark.parametrize("kind", [PREDICTED, PROBABILITIES])
@pytest.mark.parametrize("said", [np.ones((3, 2)), np.ones((5, 2))], ids=np.shape)
def test_predictions_for_other_rows_are_refused_and_not_broadcast(kind, said):
    with pytest.raises(ValueError, match=f"{kind} has the shape .* for 4 observations"):
        Output(CODES, {kind: said}, 2)


def test_a_column_of_predictions_is_refused_and_not_broadcast():
    with pytest.raises(ValueError, match=r"predict has the shape \(4, 1\) for 4 observations"):
        Output(CODES, {PREDICTED: CODES[:, None]}, 3)


def test_a_sample_of_several_splits_is_scored_by_the_mean_of_their_scores():
    other = Output(np.array([1.0]), {PREDICTED: np.array([4.0])})
    found = scored([computed("absolute"), computed("rmse")], [NUMBERS, other])
    assert found.values["absolute"] == pytest.approx((7 / 4 + 3) / 2)
    assert found.values["rmse"] == pytest.approx((math.sqrt(21 / 4) + 3) / 2)
    assert not found.undefined


def test_times_and_memory_are_recorded_and_not_computed():
    recorded = [computed(m) for m in (*measures.TIMES, "peak-memory")]
    assert all(is_recorded(m) and m.needs == () for m in recorded)
    assert scored([*recorded, computed("error")], [CLASSES]).values == {"error": 0.5}


def test_outputs_that_several_measures_need_are_named_once():
    wanted = [computed(m) for m in ("error", "accuracy", "log-loss", "brier", "auc", "time")]
    assert needs(wanted) == ((PREDICTED,), (PROBABILITIES,), (PROBABILITIES, DECISION))


def test_a_measure_of_somebody_elses_table_cannot_be_computed():
    assert computed(measures.parse("error")).score(CLASSES) == 0.5
    with pytest.raises(UnknownName, match="'gain' is not a measure"):
        computed(measures.Measure("gain", True))


@pytest.mark.parametrize("name", [np.subtract, 3, None, "", ["error"]])
def test_what_names_no_measure_is_a_design_error(name):
    with pytest.raises(DesignError, match=r"podium\.measure|is named by a text"):
        computed(name)
