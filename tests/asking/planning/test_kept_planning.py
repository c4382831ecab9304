"""Plans of many kinds, by command and by verb, are those that were kept."""

from __future__ import annotations

import numpy as np
import pytest
from asked import asked, prepared
from layouts_made import made, noise, with_halvings
from outcomes import outcome
from snapshots import assert_kept

import podium
from podium.asking.planning.detection import (
    detectable_pairs,
    needed_by_errors,
    needed_of,
    open_by_errors,
    pool_of,
    settling,
)
from podium.core.inference.comparing.legality import advise
from podium.showing.drawing.records import PLOTS

LINES = [
    "plan -D 0.05 -s 0.1",
    "plan -D 0.05 -s 0.1 -P 0.9 --alternative greater --comparisons 6 --why",
    "plan -D -0.05 -s 0.1 -J 20 --alternative less --formula central",
    "plan -s 0.1 -J 12 --comparisons 3",
    "plan -D 0.02 -s 0.3 --items 500 --why",
    "plan -s 0.4 --items 100 -P 0.7",
    "plan -D 0.02,0.05 -s 0.1,0.2",
    "plan -D 0.05 -s 0.1,0.3 -J 10,50",
    "plan -D 0.02 -s 0.1 -J 10,20,50 --alternative greater --json -",
    "plan -D 0.1 -s 0.2 --sequential",
    "plan -D 0.1 -s 0.2 --sequential --samples 60 --looks 4 --spending power2 --why",
    "plan -D 0.1 -s 0.4 --sequential --items 300 --comparisons 3 --json -",
    "plan -D 0.1 -s 0.2 --sequential -J 30 --alpha 0.1",
    "plan -D 0.1 -s 0.2 --sequential --samples 300 --looks 3 --spending power2",
    "plan -D 0.05 -s 0.6 --judge-correlation 0.8 --items 1000",
    "plan -D 0.05 -s 0.6 --judge-correlation 0.8 --items 1000 --labels 200 --why",
    "plan -D 0.05 -s 0.6 --judge-correlation 0 --items 200 --json -",
    "plan survey.csv -m accuracy -D 0.02",
    "plan survey.csv -m accuracy -D 0.02 --by median --why",
    "plan survey.csv -m accuracy -J 30 --comparisons 1 --alternative greater",
    "plan survey.csv -m accuracy --most 5 -D 0.02 --why",
    "plan survey.csv -m accuracy --most 5 --why",
    "plan lower.csv -m error -D 0.03 --json -",
    "plan gaps.csv -m accuracy -D 0.03 --json -",
    "plan two.csv -m accuracy -D -0.03 --alternative less --json -",
    "plan few.csv -m accuracy --why",
    "plan several.csv -m error -D 0.05 --sampling bootstrap --json -",
    "plan several.csv -m error -D 0.03 --most 8",
    "plan several.csv -m error -D 0.01 --most 2",
    "plan several.csv -m error --dataset d1 --sampling simulation -D 0.02",
    "plan samples.csv -m error --sampling simulation -D 0.01",
    "plan items.csv -m accuracy -D 0.1",
    "plan topics.csv -m accuracy --items 200 --json -",
    "plan clusters.csv -m accuracy -D 0.2 --json -",
    "plan clusters.csv -m accuracy --items 90 --why",
    "plan answers.csv -m accuracy -D 0.2",
    "plan answers.csv -m accuracy -D 0.2 --item-cost 5 --json -",
    "plan answers.csv -m accuracy --items 50 --item-cost 1",
    "plan answers.csv -m accuracy -D 0.3 --most 100 --why",
    "plan survey.csv -m accuracy -D 0.05 -p wilcoxon --replications 10",
    "plan lower.csv -m error -D 0.04 -J 8 -p sign --replications 20 --alternative greater --json -",
    "plan survey.csv -m accuracy --variants 5 --replications 50",
    "plan survey.csv -m accuracy --variants 5 -D 0.02 --replications 50 --why",
    "plan few.csv -m accuracy --variants 2 -J 10 --replications 40 --json -",
    "plan --factors 3",
    "plan --factors 5 --runs 8 --json -",
]
REFUSED = [
    "plan -D 0.001 -s 9",
    "plan -D 0.02 -s 0.1 -J 10,20 --alternative less",
    "plan -D 0.02,0.05 -s 0.1 -J 10,50",
    "plan",
    "plan -D 0.05",
    "plan -s 0.1",
    "plan -D 0 -s 0.1",
    "plan -D 0.05 -s -1",
    "plan -D x -s 0.1",
    "plan -D 0.05 -s 0.1 -P 1.5",
    "plan -D 0.05 -s 0.1 -P 0.01",
    "plan -D 0.05 -s 0.1 -J 1",
    "plan -D 0.05 -s 0.1 -J 10 --items 5",
    "plan -D 0.05 -s 0.1 -J 10 -P 0.8",
    "plan -D 0.05 -s 0.1 --formula odd",
    "plan -D 0.05 -s 0.1 --alternative more",
    "plan -D 0.05 -s 0.1 --comparisons 0",
    "plan -D 0.05 -s 0.1 --by median",
    "plan -D 0.05 -s 0.1 --looks 3",
    "plan -D 0.05 -s 0.1 --alpha 1",
    "plan -D 0.1,0.2 -s 0.2 --items 9",
    "plan -D 0.1,0.2 -s 0.2 -J 9 -P 0.5",
    "plan -D 0.1 -s 0.2 --sequential --samples 60 --items 5",
    "plan -D 0.1 -s 0.2 --sequential --samples 60 -P 0.5",
    "plan -D 0 -s 0.2 --sequential",
    "plan -D 0.1 -s 0.2 --sequential --formula central",
    "plan -D 0.05 -s 0.6 --judge-correlation 1 --items 1000",
    "plan -D 0.05 -s 0.6 --judge-correlation 0.5 --items 10",
    "plan -D 0.05 -s 0.6 --judge-correlation 0.5 --items 100 --labels 100",
    "plan -D 0.05 -s 0.6 --judge-correlation 0.5 --items 100 --labels 5",
    "plan -D 0.05 -s 0.6 --judge-correlation 0.5",
    "plan survey.csv -m accuracy -D 0.02 -s 0.1",
    "plan survey.csv -m accuracy -D 0.02 --formula central",
    "plan survey.csv -m accuracy -D 0.02 --items 9",
    "plan survey.csv -m accuracy -D 0.02 --by best",
    "plan survey.csv -m accuracy -D 0.02 --most 1",
    "plan survey.csv -m accuracy -D 0.02 --item-cost 2",
    "plan survey.csv -m accuracy -D 0.02 --replications 5",
    "plan survey.csv -m accuracy -p wilcoxon",
    "plan survey.csv -m accuracy -D 0.02 -p wilcoxon --replications 0",
    "plan survey.csv -m accuracy -D 0.02 -p wilcoxon --most 9",
    "plan survey.csv -m accuracy -D 0.02 -p mcnemar",
    "plan survey.csv -m accuracy --variants 1",
    "plan answers.csv -m accuracy -D 0.2 --item-cost -1",
    "plan items.csv -m accuracy -D 0.1 -J 9",
    "plan samples.csv -m error --sampling cv:10 -D 0.01",
    "plan --factors 3 --runs 3",
    "plan survey.csv --factors 3",
]  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch):
    return prepared(tmp_path, monkeypatch)


@pytest.mark.parametrize("line", LINES)
def test_plans_are_kept(line, folder, capsys):
    assert_kept("planning", "plans", asked(line, capsys), line)


def test_refusals_of_plans_are_kept(folder, capsys):
    told = {line: asked(line, capsys) for line in REFUSED}
    assert [line for line, of in told.items() if of["status"] == 0] == []
    assert_kept("planning", "refusals", {line: of["err"] for line, of in told.items()})


CURVES = [
    {"difference": 0.05, "sd": 0.1},
    {"difference": -0.1, "sd": 0.1, "alternative": "less", "comparisons": 3},
    {"sd": 0.1, "datasets": 9, "power": 0.7},
]


@pytest.mark.parametrize("place", range(len(CURVES)))
def test_curves_of_plans_are_kept(place):
    parts = CURVES[place]
    data = {
        "power": outcome(PLOTS["power_curve"].data, **parts, most=12),
        "size": outcome(PLOTS["sample_size_curve"].data, **parts, powers=[0.5, 0.8]),
    }
    assert_kept("planning", "curves", data, f"curve {place}")


# -- what a design detects, and what settles open pairs -------------------------------------------

LAYOUTS = {
    "data sets": lambda: made(noise(12, 3), block="dataset"),
    "two data sets": lambda: made(noise(2, 2), block="dataset"),
    "resamples": lambda: made(noise(15, 3)),
    "population": lambda: made(noise(15, 3), target="population"),
    "halves": lambda: with_halvings(made(noise(10, 3), target="population")),
    "folds": lambda: made(noise(10, 3), block="fold"),
    "simulations": lambda: made(noise(20, 4) + np.array([0.0, 0.4, 0.8, 0.8]), block="simulation"),
    "gaps": lambda: made(GAPS, block="dataset"),
    "items": lambda: made(noise(30, 3) > 0.2, block="item", measure="accuracy"),
    "clusters": lambda: made(
        noise(30, 2) > 0, block="item", measure="error", clusters=np.arange(30) // 4
    ),
    "independent": lambda: made(noise(10, 3), block="independent-simulation"),
    "training sets": lambda: made(noise(10, 3), block="training-set"),
    "alike": lambda: made(np.full((9, 2), 0.5), block="dataset"),
    "no difference": lambda: made(np.tile([[0.0, 1.0], [1.0, 0.0]], (5, 1)), block="simulation"),
}
GAPS = np.where(np.arange(12)[:, None] == [3, 4, 4], np.nan, noise(12, 3))
OPTIONS = [
    {},
    {"relevance": 0.5, "alpha": 0.1},
    {"alternative": "greater"},
    {"alternative": "less", "relevance": -0.5},
    {"procedure": "paired-t"},
]


def detected(of, options):
    named = dict(options)
    found = podium.compare(of, named.pop("procedure", None), **named)
    plan = settling(of, found)
    whom, *others = of.algorithms
    return {
        "settling": plan,
        "needed": needed_of(of, found, whom, others),
        "errors": open_by_errors(found, 40),
        "by errors": needed_by_errors(found, whom, others, 40),
        "pool": pool_of(found),
    }


@pytest.mark.parametrize("name", LAYOUTS)
def test_what_designs_detect_is_kept(name):
    of = LAYOUTS[name]()
    told = {
        "advice": outcome(advise, of),
        "pairs": outcome(detectable_pairs, of),
        "level": outcome(detectable_pairs, of, alpha=0.2, comparisons=1),
        "open": [outcome(detected, of, options) for options in OPTIONS],
    }
    assert_kept("planning", "detection", told, name)
