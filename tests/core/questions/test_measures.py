"""Measures as values: names, directions, bounds, units; errors as text."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from podium import Measure
from podium.core.questions.measures import DEFAULTS, FUNCTIONALS, KNOWN, LOSSES, TIMES, parse
from podium.errors import DesignError, UnknownName
from podium.running.design.data.datasets import TASKS
from podium.running.design.measuring.scoring import computed

KNOWN_NAMES = (
    "Known: error, accuracy, squared, absolute, rmse, log-loss, brier, auc, "
    "log-likelihood, adjusted-rand, silhouette, concordance, integrated-brier, fit-time, "
    "predict-time, time, peak-memory."
)


@pytest.mark.parametrize(
    ("name", "direction", "bounds", "unit"),
    [
        ("error", "lower", (0, 1), "share"),
        ("accuracy", "higher", (0, 1), "share"),
        ("squared", "lower", (0, math.inf), "target²"),
        ("absolute", "lower", (0, math.inf), "target"),
        ("rmse", "lower", (0, math.inf), "target"),
        ("log-loss", "lower", (0, math.inf), "nats"),
        ("brier", "lower", (0, 2), ""),
        ("auc", "higher", (0, 1), ""),
        ("log-likelihood", "higher", (-math.inf, math.inf), "nats"),
        ("adjusted-rand", "higher", (-0.5, 1), ""),
        ("silhouette", "higher", (-1, 1), ""),
        ("concordance", "higher", (0, 1), ""),
        ("integrated-brier", "lower", (0, math.inf), ""),
        ("fit-time", "lower", (0, math.inf), "s"),
        ("predict-time", "lower", (0, math.inf), "s"),
        ("time", "lower", (0, math.inf), "s"),
        ("peak-memory", "lower", (0, math.inf), "bytes"),
    ],
)
def test_every_measure_carries_its_direction_bounds_and_unit(name, direction, bounds, unit):
    measure = parse(name)
    assert (measure.name, measure.direction) == (name, direction)
    assert measure.higher_is_better == (direction == "higher")
    assert (measure.bounds, measure.unit) == (bounds, unit)


def test_every_task_has_a_measure_that_is_taken_where_none_is_named():
    assert tuple(DEFAULTS) == TASKS
    for task, name in DEFAULTS.items():
        assert computed(name).tasks == (task,)


def test_the_lists_of_losses_and_times_name_known_measures():
    assert {*LOSSES, *TIMES} <= set(KNOWN)
    assert not set(LOSSES) & set(TIMES)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (" error ", "error"),
        ("Error", "error"),
        ("log_loss", "log-loss"),
        ("peak_memory", "peak-memory"),
        ("Absolute:Median", "absolute:median"),
        ("squared:root_mean", "squared:root-mean"),
        ("absolute:quantile:0.95", "absolute:quantile:0.95"),
    ],
)
def test_a_name_is_read_as_people_write_it(written, meant):
    assert parse(written).name == meant
    assert parse(parse(written).name) == parse(written)


@settings(derandomize=True, deadline=None)
@given(
    st.sampled_from(LOSSES),
    st.sampled_from(FUNCTIONALS),
    st.integers(1, 1000).map(lambda k: k / 1000),
)
def test_a_functional_keeps_the_direction_and_bounds_of_its_loss(loss, functional, q):
    name = f"{loss}:{functional}" + (f":{q}" if functional == "quantile" else "")
    measure = parse(name)
    assert measure.name == measure.spec == name
    assert (measure.direction, measure.bounds) == (parse(loss).direction, parse(loss).bounds)


@pytest.mark.parametrize("functional", ["mean", "median", "supremum", "quantile:0.9"])
def test_a_location_of_a_loss_has_the_unit_of_the_loss(functional):
    assert parse(f"squared:{functional}").unit == parse("squared").unit
    assert parse(f"absolute:{functional}").unit == parse("absolute").unit


def test_the_root_of_a_mean_square_has_the_unit_of_the_target():
    assert parse("squared:root-mean").unit == parse("rmse").unit == "target"


def test_a_measure_is_its_own_parse():
    own = Measure("gain", True)
    assert parse(own) is own


def test_two_definitions_of_one_name_are_different_measures():
    assert Measure("gain", True, spec="a") != Measure("gain", True, spec="b")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("eror", f"'eror' is not a measure. Did you mean 'error'? {KNOWN_NAMES}"),
        ("sklearn", f"'sklearn' is not a measure. {KNOWN_NAMES}"),
    ],
)
def test_an_unknown_measure_is_answered_by_the_known_ones(name, message):
    with pytest.raises(UnknownName) as error:
        parse(name)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "absolute:medain",
            "In 'absolute:medain': 'medain' is not a functional. Did you mean 'median'? "
            "Known: mean, median, quantile, supremum, root-mean.",
        ),
        ("auc:mean", "The measure 'auc:mean' takes no functional: 'auc' is not a loss."),
        ("time:median", "The measure 'time:median' takes no functional: 'time' is not a loss."),
        (
            "absolute:quantile",
            "The measure 'absolute:quantile' is wrong: a quantile, and only a quantile, says "
            "which one, as in 'absolute:quantile:0.95'.",
        ),
        (
            "error:median:0.5",
            "The measure 'error:median:0.5' is wrong: a quantile, and only a quantile, says "
            "which one, as in 'error:quantile:0.95'.",
        ),
        *(
            (
                f"absolute:quantile:{q}",
                f"The measure 'absolute:quantile:{q}' is wrong: a quantile lies between 0 and 1.",
            )
            for q in ("0", "-0.5", "1.01", "95", "nan", "half", "0.5:0.6")
        ),
        ("", "A measure is named by a text such as 'error', not ''."),
        (None, "A measure is named by a text such as 'error', not None."),
        (3, "A measure is named by a text such as 'error', not 3."),
    ],
)
def test_a_wrong_measure_is_refused_in_words(name, message):
    with pytest.raises(DesignError) as error:
        parse(name)
    assert str(error.value) == message
