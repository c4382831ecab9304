"""Plans of studies that may stop, against simulated studies."""

import numpy as np
import pytest

import podium
from podium.cli.main import status_of
from podium.core.inference.numbers.boundaries import stopping_levels
from podium.core.inference.procedures.stopping import Prefixes
from podium.errors import InferenceError


def simulated(plan, paths=3000, discordance=None):
    """The share of studies that show the difference, and their mean number of blocks."""
    rng = np.random.default_rng(1)
    if discordance is None:
        d = rng.normal(plan.difference, plan.sd, (plan.budget, paths))
    else:
        u = rng.random((plan.budget, paths))
        share = (discordance + plan.difference) / 2
        d = np.where(u < share, 1.0, np.where(u < discordance, -1.0, 0.0))
    p = Prefixes(d, plan.looks).p(np.zeros(paths), 0)
    stops = stopping_levels(p, plan.looks, plan.budget, plan.spending) <= plan.alpha
    looks = np.array(plan.looks)
    ended = np.where(stops.any(axis=0), looks[stops.argmax(axis=0)], plan.budget)
    return stops.any(axis=0).mean(), ended.mean(), ended.std() / np.sqrt(paths)


@pytest.mark.parametrize(
    "asked",
    [
        {"samples": 400, "difference": 0.15},
        {"samples": 400, "difference": 0.3, "spending": "power2"},
        {"datasets": 40, "difference": 0.5, "looks": 40},
        {"items": 500, "difference": 0.1, "sd": 0.44},
    ],
)
def test_power_and_the_expected_number_are_those_of_simulated_studies(asked):
    plan = podium.planning.plan_sequential(**{"sd": 1.0} | asked)
    power, mean, error = simulated(plan, discordance=0.2 if "items" in asked else None)
    assert plan.power == pytest.approx(power, abs=0.025)
    assert plan.expected == pytest.approx(mean, abs=4 * error + 0.015 * plan.budget)
    assert plan.saved == pytest.approx(1 - plan.expected / plan.budget)


def test_the_least_budget_has_the_power_and_one_less_has_not():
    plan = podium.planning.plan_sequential(difference=0.05, sd=0.1, power=0.9)
    assert plan.power >= 0.9
    less = podium.planning.plan_sequential(difference=0.05, sd=0.1, datasets=plan.budget - 1)
    assert less.power < 0.9
    fixed = podium.plan(difference=0.05, sd=0.1, power=0.9).datasets
    assert plan.fixed == fixed <= plan.budget


def test_expected_numbers_at_forty_looks():
    """4000 simulated studies: 692, 367 and 162 samples at 0.1, 0.2 and 0.5 sd."""
    every = [
        podium.planning.plan_sequential(difference=d, sd=1, samples=1000, looks=40)
        for d in (0.1, 0.2, 0.5)
    ]
    assert [plan.expected for plan in every] == pytest.approx([692, 367, 162], rel=0.03)
    assert every[0].power == pytest.approx(0.865, abs=0.015)


def test_wrong_plans_are_refused(capsys):
    for wrong in (
        {"difference": 0.0},
        {"sd": 0.0},
        {"samples": 9, "items": 9},
        {"looks": 0, "samples": 99},
    ):
        with pytest.raises(InferenceError):
            podium.planning.plan_sequential(**{"difference": 0.1, "sd": 1.0} | wrong)
    assert status_of(["plan", "--difference", "0.1", "--sd", "1", "--looks", "5"]) == 2
    assert "add --sequential" in capsys.readouterr().err
