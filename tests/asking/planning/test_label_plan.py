"""Plans of labels, and what people would score one algorithm."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy import special, stats

import podium
from podium import PodiumError
from podium.asking.planning import plan_labels
from podium.asking.planning.plan import label_power
from podium.cli.main import group


def judged(models=("a", "b"), items=200, labels=60, share=0.6, agree=0.85, seed=0):
    """Right and wrong by people, a judge that agrees with them that often."""
    rng = np.random.default_rng(seed)
    frames = []
    drawn = rng.permutation(items)[:labels]
    for model in models:
        human = (rng.random(items) < share).astype(float)
        score = np.where(rng.random(items) < agree, human, 1 - human)
        kept = np.where(np.isin(np.arange(items), drawn), human, np.nan)
        frames.append(
            pd.DataFrame({"model": model, "item": range(items), "score": score, "human": kept})
        )
    return pd.concat(frames, ignore_index=True)


def test_power_is_that_of_a_simulated_two_phase_study():
    rng = np.random.default_rng(1)
    n, m, r, d = 30, 400, 0.8, 0.4
    y = rng.normal(d, 1, (2000, m))
    f = r * (y - d) + np.sqrt(1 - r**2) * rng.normal(size=y.shape)
    yl, fl = y[:, :n], f[:, :n]
    dy, df = (v - v.mean(1, keepdims=True) for v in (yl, fl))
    sxx = (df**2).sum(1)
    b = (dy * df).sum(1) / sxx
    moved = f.mean(1) - fl.mean(1)
    rss = ((dy - b[:, None] * df) ** 2).sum(1)
    variance = rss / (n - 2) * (1 / n + moved**2 / sxx) + b**2 * f.var(1, ddof=1) / m
    t = (yl.mean(1) + b * moved) / np.sqrt(variance)
    found = (np.abs(t) > stats.t.isf(0.025, n - 2)).mean()
    assert float(label_power(d, 1.0, r, m, n, 0.05)) == pytest.approx(found, abs=0.04)


def test_a_judge_saves_labels_and_a_useless_one_does_not():
    about = {"difference": 0.15, "sd": 0.6, "items": 400}
    good = plan_labels(correlation=0.8, **about)
    useless = plan_labels(correlation=0.0, **about)
    assert good.labels < 0.6 * good.alone
    assert useless.labels == useless.alone == good.alone
    assert plan_labels(correlation=0.8, labels=good.labels, **about).power >= 0.8
    assert plan_labels(correlation=0.8, labels=good.labels - 1, **about).power < 0.8
    none = plan_labels(correlation=0.5, difference=0.01, sd=0.6, items=100)
    assert none.labels is None
    assert "More items are needed" in none.sentence


def test_labels_that_are_there_are_a_pilot(tmp_path):
    judged().to_csv(tmp_path / "j.csv", index=False)
    said = ["--judge", "score", "--human", "human", "--difference", "0.2", "--json", "-"]
    found = CliRunner().invoke(group, ["plan", str(tmp_path / "j.csv"), *said])
    facts = json.loads(found.output)
    assert facts["labels"] >= 15
    assert 0.4 < facts["correlation"] < 0.9
    with pytest.raises(PodiumError, match="sd is missing"):
        plan_labels(difference=1.0, correlation=0.7)


@pytest.mark.parametrize("options", [{"correlation": 1.0}, {"sd": 0.0}, {"items": 10},
                                     {"labels": 5}, {"difference": 0.0}])  # fmt: skip
def test_what_makes_no_plan_ends_in_a_sentence(options):
    about = {"difference": 0.1, "sd": 0.5, "correlation": 0.5, "items": 300}
    with pytest.raises(PodiumError):
        plan_labels(**about | options)


def test_one_algorithm_has_the_score_that_people_would_give():
    found = podium.verdicts.score_interval(judged(models=("a",)), judge="score", human="human")
    assert found.interval.method == "two-phase, logit"
    assert found.interval.lower < found.means["a"] < found.interval.upper
    rare = judged(models=("a",), share=0.95)
    by_labels = podium.verdicts.score_interval(rare, judge="score", human="human")
    assert by_labels.interval.method == "labels only, Wilson"
    assert by_labels.means["a"] == pytest.approx(rare["human"].mean())
    scores = judged(models=("a",))
    scores["human"] += np.where(np.arange(len(scores)) % 2, 0.25, 0.0)
    assert podium.verdicts.score_interval(scores, judge="score", human="human").interval.method == (
        "two-phase"
    )


def test_logit_limits_are_the_two_phase_error_on_that_scale():
    from podium.core.inference.numbers.judge_correction import corrected

    frame = judged(models=("a",))
    found = corrected(frame["human"].to_numpy(), frame["score"].to_numpy())
    shown = podium.verdicts.score_interval(frame, judge="score", human="human").interval
    wide = stats.t.isf(0.025, found.df) * found.error / (found.estimate * (1 - found.estimate))
    ends = special.expit(special.logit(found.estimate) + np.array([-1, 1]) * wide)
    assert (shown.lower, shown.upper) == pytest.approx(tuple(ends))


def test_each_of_several_has_it_too_and_a_page_can_be_written(tmp_path):
    judged(models=("a", "b", "c")).to_csv(tmp_path / "j.csv", index=False)
    said = ["--judge", "score", "--human", "human", "--report", str(tmp_path / "r.html")]
    found = CliRunner().invoke(group, ["analyze", str(tmp_path / "j.csv"), *said, "--pairs"])
    assert found.exit_code == 0, found.output
    assert "own 95 % interval" in found.output
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "judge-corrected" in page
    assert "two-phase" in page


def test_the_last_item_may_be_the_one_that_is_needed():
    about = {"difference": 0.2, "sd": 0.6, "correlation": 0.5, "items": 60}
    goal = float(label_power(0.2, 0.6, 0.5, 60, 60, 0.05))
    assert plan_labels(power=goal, **about).labels == 60
    assert plan_labels(power=goal + 1e-9, **about).labels is None


@pytest.mark.parametrize("models", ["ab", "abc", "abcd"])
def test_a_pilot_of_labels_is_sd_and_correlation_of_the_middle_pair(models):
    frame = judged(models=tuple(models), seed=len(models))
    frame.loc[frame["model"] == "a", ["score", "human"]] *= 0.6  # differences are not around zero
    wide = frame.dropna().pivot(index="item", columns="model")
    pairs = [
        (wide["human"][one] - wide["human"][other], wide["score"][one] - wide["score"][other])
        for one, other in combinations(models, 2)
    ]
    people, judge = sorted(pairs, key=lambda pair: pair[0].std())[(len(pairs) - 1) // 2]
    about = {"judge": "score", "human": "human", "comparisons": len(pairs)}
    found = plan_labels(frame, difference=0.2, **about)
    assert found.sd == pytest.approx(people.std())
    assert found.correlation == pytest.approx(np.corrcoef(people, judge)[0, 1])
    assert found.items == 200
    level = 1 - 0.95 ** (1 / len(pairs))
    powers = label_power(0.2, found.sd, found.correlation, 200, np.arange(10, 201), level)
    assert found.labels == 10 + np.argmax(powers >= 0.8)
