"""Procedures hold their level under their own null; what is known to be liberal is seen to be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from podium.asking.planning.power import power
from podium.core.inference.comparing.known import PROCEDURES
from podium.core.inference.layouts import Layout
from podium.core.verdicts.verbs import compare
from podium.errors import InferenceError
from podium_lab.calibration.batches import Tally
from podium_lab.calibration.calibrate import PARTIAL, calibrate, measured
from podium_lab.calibration.judging import ProcedureJudge, Setting, Simulation, suits
from podium_lab.calibration.scenario import scenario
from podium_lab.calibration.scenarios import SCENARIOS

REPLICATIONS = 200
MOST = 0.05 + 4 * np.sqrt(0.05 * 0.95 / REPLICATIONS)  # four standard errors above nominal


def test_a_rate_is_that_of_the_procedure_s_own_null() -> None:
    assert calibrate("paired-t", "unequal", algorithms=3, replications=REPLICATIONS).rate <= MOST


# rates of every procedure are measured with many more replications in docs/calibration.md
@pytest.mark.long
@pytest.mark.parametrize(
    ("procedure", "scenario"),
    [
        ("paired-t", "unequal"),
        ("permutation", "skewed"),
        ("nemenyi", "skewed"),
        ("wilcoxon", "normal"),
        ("mixed-tukey", "normal"),
        ("corrected-t", "folds"),
        ("5x2cv-f", "halves"),
        ("mcnemar", "items"),
        ("max-modulus", "losses"),
        ("games-howell", "independent-unequal"),
        ("anova-tukey", "independent"),
        ("delve-quasi-f", "crossed"),
        ("paired-t", "survey-unequal"),
        ("survey-random", "survey-nested"),
        ("survey-fixed", "survey-these"),
    ],
)
def test_error_rates_under_the_procedure_s_own_null(procedure: str, scenario: str) -> None:
    assert calibrate(procedure, scenario, replications=REPLICATIONS).rate <= MOST
    assert calibrate(procedure, scenario, algorithms=5, replications=REPLICATIONS).rate <= MOST


@pytest.mark.long
@pytest.mark.parametrize("procedure", ["paired-t", "permutation", "mixed-tukey", "wilcoxon"])
def test_strong_control_under_a_partial_null(procedure: str) -> None:
    found = calibrate(procedure, "normal", algorithms=5, groups=PARTIAL, replications=REPLICATIONS)
    assert found.rate <= MOST


@pytest.mark.long
@pytest.mark.parametrize(
    ("procedure", "scenario"),
    [("survey-random", "survey-nested"), ("survey-fixed", "survey-these"),
     ("mixed-tukey", "survey-normal")],
)  # fmt: skip
def test_simultaneous_intervals_hold_all_true_differences(procedure: str, scenario: str) -> None:
    found = calibrate(
        procedure, scenario, algorithms=5, groups=PARTIAL, intervals=True, replications=100
    )
    assert 0.86 <= found.coverage < 1


def test_intervals_miss_as_often_as_equality_is_rejected() -> None:
    more = {"algorithms": 4, "replications": REPLICATIONS}
    p = calibrate("paired-t", "survey-normal", **more)  # type: ignore[arg-type]
    limits = calibrate("paired-t", "survey-normal", intervals=True, **more)  # type: ignore[arg-type]
    assert p.rejections == limits.rejections > 0
    assert limits.coverage == pytest.approx(1 - p.rate)
    with pytest.raises(InferenceError, match="no simultaneous intervals"):
        calibrate("paired-t", "survey-normal", algorithms=3, intervals=True, adjust="holm")


@pytest.mark.long
def test_gaps_that_come_at_random_do_no_harm() -> None:
    for procedure, where in (
        ("survey-random", "survey-nested-gaps"),
        ("survey-fixed", "survey-these-gaps"),
        ("skillings-mack", "survey-gaps"),
        ("mixed-tukey", "survey-gaps"),
    ):
        assert calibrate(procedure, where, algorithms=3, replications=60).rate <= 0.17


@pytest.mark.long
def test_one_wild_algorithm_spoils_a_common_interaction_variance() -> None:
    where = {"scenario": "survey-nested-unequal", "algorithms": 5, "replications": 400}
    assert calibrate("survey-random", **where).rate > 0.08  # type: ignore[arg-type]
    assert "13 %" in PROCEDURES["survey-random"].null


def test_samples_are_no_data_sets() -> None:
    """The fixed model's small errors say nothing about other data sets."""
    found = calibrate("survey-fixed", "survey-nested", replications=REPLICATIONS)
    assert found.rate > 0.3


@pytest.mark.long
@pytest.mark.parametrize("adjust", ["holm", "shaffer", "bergmann-hommel"])
def test_related_hypotheses_are_controlled_strongly(adjust: str) -> None:
    for groups in ((), PARTIAL):
        found = calibrate(
            "paired-t",
            "survey-normal",
            blocks=30,
            algorithms=5,
            groups=groups,
            replications=REPLICATIONS,
            adjust=adjust,
        )
        assert found.rate <= MOST


def test_what_is_judged_is_what_compare_does() -> None:
    """By the level of its limits, wherever it has some."""
    setting, judge = (
        Setting(SCENARIOS["survey-normal"], 10, 5),
        ProcedureJudge(PROCEDURES["paired-t"]),
    )
    layout = setting.layout(0)
    table = compare(layout, "paired-t").table
    for alpha in table["p_adjusted"]:
        assert replace(judge, alpha=alpha).judged(setting, layout)["error"] == 1
    below = replace(judge, alpha=table["p_adjusted"].min() - 1e-9)
    assert below.judged(setting, layout)["error"] == 0
    by_intervals = replace(judge, intervals=True)
    for each in (setting, Setting(SCENARIOS["normal"], 10, 5)):
        assert judge.label(each) == by_intervals.label(each) == "paired-t"


@dataclass(frozen=True)
class Peeks:
    """Looks after 10, 20, ... blocks and rejects at the first p-value below its level."""

    alpha: float = 0.05

    def label(self, setting: Setting) -> str:
        return "peeking t"

    def facts(self, setting: Setting) -> dict[str, Any]:
        return {"judge": "peeks", "alpha": self.alpha}

    def kinds(self, setting: Setting) -> list[str]:
        return ["error", "looks"]

    def judged(self, setting: Setting, layout: Layout) -> dict[str, float]:
        differences = layout.values[:, 0] - layout.values[:, 1]
        looks = range(10, setting.blocks + 1, 10)
        p = np.array([stats.ttest_1samp(differences[:n], 0).pvalue for n in looks])
        used = np.argmax(p <= self.alpha) + 1 if (p <= self.alpha).any() else len(p)
        return {"error": float((p <= self.alpha).any()), "looks": used / len(p)}


def test_a_rule_that_is_no_procedure_is_judged_as_well(tmp_path: Path) -> None:
    """Looking after every ten blocks rejects far too often; a kind of its own is counted, too."""
    simulation = Simulation(Setting(SCENARIOS["normal"], 100), Peeks())
    found = measured([simulation], 300, store=tmp_path / "kept.db")
    assert found.rate > 0.12
    assert 0.5 < found.table.set_index("kind").loc["looks", "rate"] < 1
    assert "peeking t" in repr(found)
    again = measured([simulation], 300, store=tmp_path / "kept.db", progress=fails)
    assert again.table.equals(found.table)


def fails(done: int, total: int) -> None:
    raise AssertionError("what is kept is not simulated again")


def test_plain_t_tests_of_dependent_folds_are_liberal() -> None:
    plain = calibrate("kfold-t", "folds", blocks=100, replications=REPLICATIONS)
    corrected = calibrate("corrected-t", "folds", blocks=100, replications=REPLICATIONS)
    assert plain.rate > 0.3
    assert corrected.rate <= MOST


def test_plain_t_tests_of_training_sets_x_items_and_of_series_are_liberal() -> None:
    assert calibrate("paired-t", "crossed", replications=REPLICATIONS).rate > 0.25
    plain = calibrate("paired-t", "series", blocks=100, replications=REPLICATIONS)
    corrected = calibrate("diebold-mariano", "series", blocks=100, replications=REPLICATIONS)
    assert plain.rate > 0.15
    assert corrected.rate <= MOST


def test_one_variance_for_all_is_liberal_where_the_small_sample_varies_most() -> None:
    found = calibrate("anova-tukey", "independent-unequal", replications=REPLICATIONS)
    assert found.rate > 0.1


def test_no_adjustment_is_liberal_with_five_algorithms() -> None:
    found = calibrate("paired-t", algorithms=5, replications=REPLICATIONS, adjust="none")
    assert found.rate > 0.15


def test_all_procedures_see_the_same_draws_and_a_seed_repeats_them() -> None:
    runs = [calibrate("paired-t", replications=50, seed=s).rejections for s in (1, 1, 2)]
    assert runs[0] == runs[1]
    one = calibrate("friedman", replications=60, seed=1)
    other = calibrate("nemenyi", replications=60, seed=1)
    assert one.rejections == other.rejections


def test_the_monte_carlo_interval_holds_the_rate() -> None:
    found = Tally(1000, 50, 50)
    assert found.rate == 0.05
    assert found.interval() == pytest.approx((0.0373, 0.0654), abs=1e-4)  # R: binom.test(50, 1000)


def test_wrong_requests_are_refused() -> None:
    with pytest.raises(InferenceError, match="10 or 100 blocks, not 60"):
        calibrate("corrected-t", "folds", blocks=60)
    with pytest.raises(InferenceError, match="cannot move"):
        calibrate("paired-t", "items", algorithms=5, groups=PARTIAL)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"blocks": 1}, "at least 2 blocks, not 1"),
        ({"blocks": 10.5}, "'blocks' is a whole number, not 10.5"),
        ({"algorithms": 1}, "'algorithms' is a whole number from 2 on, not 1"),
        ({"seed": -1}, "'seed' is a whole number from 0 on"),
        ({"alpha": 1.5}, "Alpha lies between 0 and 1"),
        ({"effects": float("nan")}, "finite numbers, not nan"),
        ({"effects": 1, "groups": (0, 1)}, "either groups or effects"),
        ({"jobs": 0}, "With 0 jobs nothing runs"),
        ({"scenario": "items", "effects": 5}, "between -1 and 1"),
        (
            {"scenario": "learners-items-10", "effects": 0.1},
            "better by -0.85 to 0.05, not by 0 0.1",
        ),
        ({"scenario": ()}, "at least one procedure and one scenario"),
    ],
)
def test_impossible_numbers_are_refused(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(InferenceError, match=said):
        calibrate("paired-t", replications=10, **asked)
    with pytest.raises(InferenceError, match="'replications' is a whole number from 1 on, not 0"):
        calibrate("paired-t", replications=0)


def test_the_interval_of_shares_is_normal_and_stays_between_0_and_1() -> None:
    shares = np.array([0.5, 0.25, 0.75, np.nan, 0.5])  # of the true differences
    reach = stats.norm.isf(0.025) * np.nanstd(shares, ddof=1) / 2
    assert Tally.of(shares).interval() == pytest.approx((0.5 - reach, 0.5 + reach))
    assert Tally.of(np.array([0.9, 1.0, 0.1])).interval()[1] == 1.0
    assert np.isnan(Tally.of(np.array([np.nan])).interval()).all()
    assert Tally(3, 0.3, 0.03 - 1e-15).interval() == pytest.approx((0.1, 0.1))  # rounding


def test_power_is_that_of_the_noncentral_t_and_the_share_of_the_true_differences_found() -> None:
    # blocks share an effect: differences of normal scores have the variance 2
    found = calibrate("paired-t", "normal", blocks=20, effects=0.8, replications=300).power
    expected = float(power(0.8, np.sqrt(2), 20))
    assert abs(found - expected) < 4 * np.sqrt(0.25 / 300)
    three = calibrate(
        "paired-t", "normal", blocks=20, algorithms=3, effects=0.8, replications=60, adjust="none"
    )
    setting = Setting(SCENARIOS["normal"], 20, 3, (0.0, 0.0, 0.8))
    p = [compare(setting.layout(i), "paired-t", adjust="none").table["p"] for i in range(60)]
    rejected = np.array(p) <= 0.05  # of the pairs 1-2, 1-3, 2-3
    assert three.power == pytest.approx(rejected[:, 1:].mean())
    assert 0 < three.power < 1
    assert (three.rejections, three.replications) == (rejected[:, 0].sum(), 60)
    assert three.rejections > 0
    assert three.to_dict()["rates"][1]["rate"] == three.power


def test_effects_are_shown_where_there_are_some() -> None:
    shown = [repr(calibrate("paired-t", effects=e, replications=4)) for e in (0.0, 0.5)]
    assert ["effects" in text for text in shown] == [False, True]


def test_a_single_replication_leaves_everything_open() -> None:
    assert Tally(1, 0.5, 0.25).interval() == (0, 1)
    assert Tally(1, 1, 1).interval() == pytest.approx((0.025, 1))  # R: binom.test(1, 1)


def test_coverage_is_judged_only_where_effects_are_the_true_differences() -> None:
    """Chances of being correct end at 1: an effect of 0.1 on them is a smaller difference."""
    rng, difficulty = np.random.default_rng(1), SCENARIOS["items"].moved
    assert difficulty is not None
    drawn = difficulty(rng, 200_000, np.array([0.0, 0.1])).mean(axis=0)
    assert drawn[1] - drawn[0] < 0.09
    with pytest.raises(InferenceError, match="which differences its intervals should hold"):
        calibrate("pooled-proportions", "items", effects=0.1, intervals=True)
    assert calibrate("paired-t", "items", intervals=True, replications=20).coverage > 0.5


def test_draws_of_one_s_own_are_known_by_their_code(tmp_path: Path) -> None:
    def shifted(by: float) -> Callable[..., np.ndarray]:
        if by:
            return lambda rng, blocks, k: rng.random((blocks, k)) + by * np.arange(k)
        return lambda rng, blocks, k: rng.random((blocks, k))

    def rate(by: float) -> float:
        mine = scenario("mine", shifted(by))
        return calibrate("sign", mine, replications=20, store=tmp_path / "kept.db").rate

    assert rate(0) < 0.3
    assert rate(1) == 1  # not what was kept of the other
    with pytest.raises(InferenceError, match=r"needs a function of \(rng, blocks, algorithms\)"):
        scenario("mine", 3)  # type: ignore[arg-type]
    for wrong in ({"block": "sample"}, {"target": "moon"}):
        with pytest.raises(InferenceError, match=r"'(sample|moon)' is not a"):
            scenario("mine", shifted(0), **wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="colour"):
        scenario("mine", shifted(0), colour="red")  # type: ignore[call-arg]
    failing = scenario("mine", lambda rng, blocks: 0)  # type: ignore[arg-type, misc]
    with pytest.raises(InferenceError, match="cannot draw 50 blocks x 2 algorithms: TypeError"):
        calibrate("sign", failing, replications=10, jobs=2)


# measured apart: docs/designs.md, docs/stopping.md
ELSEWHERE = ("seeds-t", "conditions-t", "cv-clt", "sequential-ranks")


@pytest.mark.parametrize(
    "name", [n for n, p in PROCEDURES.items() if not p.reports.marked and n not in ELSEWHERE]
)
def test_every_procedure_has_a_scenario_and_can_be_simulated_there(name: str) -> None:
    suited = [s for s in SCENARIOS.values() if suits(PROCEDURES[name], s)]
    assert suited
    assert calibrate(name, suited[0], replications=2).replications == 2


@pytest.mark.parametrize(
    ("name", "blocks"), [("items-one-large-cluster", 295), ("items-unlike-clusters", 420)]
)
def test_items_come_in_clusters_of_the_sizes_that_are_said(name: str, blocks: int) -> None:
    layout = SCENARIOS[name].layout(np.random.default_rng(0), blocks, 2)
    sizes = np.bincount(layout.items.clusters)
    assert sizes.sum() == blocks
    assert sizes.tolist() == list(SCENARIOS[name].design.clusters)
    fewer = SCENARIOS[name].layout(np.random.default_rng(0), 50, 2)
    assert len(np.unique(fewer.items.clusters)) > 10
