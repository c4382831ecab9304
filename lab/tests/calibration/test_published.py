"""The shipped table of error rates: what procedures say of it, and that the script makes it."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from scipy import stats

from podium.core.inference.comparing.compare import compare
from podium.core.inference.comparing.known import PROCEDURES, Rate, level, published, rates_of
from podium.core.inference.procedures.procedure import Options
from podium.core.words.saying import say
from podium_lab.calibration.scenarios import SCENARIOS

DOCS = Path(__file__).parents[3] / "docs"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    sys.path.insert(0, str(DOCS))
    try:
        import make_calibration
    finally:
        sys.path.remove(str(DOCS))
    return make_calibration


@pytest.mark.parametrize(
    ("procedure", "adjust", "scenario", "blocks", "algorithms", "groups", "kind"),
    [
        pytest.param("paired-t", "", "normal", 50, 2, "", "error", marks=pytest.mark.long),
        ("mcnemar", "", "items", 100, 2, "", "error"),
        pytest.param("5x2cv-t", "", "halves", 10, 5, "", "error", marks=pytest.mark.long),
        ("corrected-t", "", "folds", 10, 5, "00112", "error"),
        ("paired-t", "", "survey-normal", 10, 5, "00112", "error"),
        pytest.param(
            *("paired-t", "sidak", "survey-normal", 10, 5, "00112", "missed"),
            marks=pytest.mark.long,
        ),
        ("survey-fixed", "", "survey-these", 10, 2, "", "error"),
    ],
)
def test_the_script_gives_the_shipped_number_to_the_digit(
    script: ModuleType,
    procedure: str,
    adjust: str,
    scenario: str,
    blocks: int,
    algorithms: int,
    groups: str,
    kind: str,
) -> None:
    row = script.Wanted(procedure, adjust, scenario, blocks, algorithms, groups, kind)
    assert script.counts([row], jobs=1) == [script.known()[row]]


def test_the_page_is_made_of_the_table(script: ModuleType) -> None:
    assert (DOCS / "calibration.md").read_text(encoding="utf-8") == script.page(script.known())


def test_the_table_says_of_every_scenario_what_it_is_about_and_whether_a_null_covers_it(
    script: ModuleType,
) -> None:
    for rate in published():
        row = script.Wanted(*(getattr(rate, name) for name in script.Wanted._fields))
        assert rate.null_holds == script.holds(row), row
        assert rate.target == SCENARIOS[rate.scenario].target


def test_every_procedure_is_measured_wherever_it_is_legal(script: ModuleType) -> None:
    table = script.known()
    assert not [row for row in script.wanted() if row not in table]
    replications = {row: number for row, (number, _) in table.items()}
    assert all(number == script.replications(row) for row, number in replications.items())
    known = {rate.procedure for rate in published()}
    assert set(PROCEDURES) - known == set(script.ELSEWHERE)


def test_no_rate_is_surely_above_nominal_where_the_null_holds_unless_it_is_said() -> None:
    for name, procedure in PROCEDURES.items():
        above = [r for r in rates_of(name) if r.null_holds and r.is_above]
        assert ("above nominal" in level(name)) == bool(above)
        assert not above or "%" in procedure.null + str(procedure.controls)


def test_above_nominal_means_surely_above() -> None:
    def rate(hits: int) -> Rate:
        return Rate("p", "", "s", "t", 10, 2, "", "error", True, 1000, hits)

    assert not rate(60).is_above  # within Monte-Carlo error
    assert rate(90).is_above
    # as many as come by chance in fewer than one of 2000 where the rate is nominal
    least = int(stats.binom.isf(0.0005, 1000, 0.05)) + 1
    assert [rate(hits).is_above for hits in (0, least - 1, least)] == [False, False, True]
    assert rate(90).where == "s, 10 blocks, 2 algorithms"
    assert rate(90)._replace(groups="00112").where.endswith("2 algorithms in groups 2+2+1")


def test_a_level_is_the_least_and_the_largest_rate_and_the_worst_of_those_above() -> None:
    for name in PROCEDURES:
        rates = [r for r in rates_of(name) if r.null_holds]
        shares = [f"{100 * r.rate:.1f}" for r in rates if not r.groups]
        ends = sorted(set(shares), key=float)
        if ends:
            span = " to ".join(dict.fromkeys([ends[0], ends[-1]]))
            assert f"at nominal 5 %, {span} % where its null holds" in level(name)
        above = [r for r in rates if r.is_above]
        if above:
            worst = max(above, key=lambda r: r.hits / r.replications)
            assert f"above nominal: {100 * worst.rate:.1f} % ({worst.where})" in level(name)


def test_what_people_use_without_the_right_to_is_seen_to_err() -> None:
    assert "where it does not hold" in level("resampled-t")
    assert max(r.rate for r in rates_of("kfold-t")) > 0.1


# tests of means, of which unlike variances and algorithms are no excuse, and what else is taken
DEFAULTS = ("hull", "rank-t", "corrected-t", "halves", "mcnemar-score", "cluster-t", "games-howell",
            "diebold-mariano-fixed", "survey-fixed", "survey-random", "cochran")  # fmt: skip


def test_what_a_default_does_beyond_its_level_is_said_with_every_result() -> None:
    """A result names a rate that is not below the measured one, beyond chance."""
    above = [r for name in DEFAULTS for r in rates_of(name) if r.rate > 0.065]
    above = [r for r in above if r.null_holds or r.procedure != "rank-t"]  # else ranks do differ
    worst = {(r.procedure, r.scenario, r.blocks): r for r in sorted(above, key=lambda r: r.rate)}
    assert {r.procedure for r in worst.values()} > {"hull", "rank-t", "corrected-t"}
    for rate in worst.values():
        layout = SCENARIOS[rate.scenario].layout(
            np.random.default_rng(1), rate.blocks, rate.algorithms
        )
        found = compare(layout, Options(procedure=rate.procedure))
        text = " ".join([found.statement, *(say(note) for note in found.notes)])
        named = [float(number) for number in re.findall(r"([\d.]+) %", text)]
        chance = 2 * (rate.rate * (1 - rate.rate) / rate.replications) ** 0.5
        assert max(named, default=0) >= 100 * (rate.rate - chance), (rate, text)


def test_the_page_of_defaults_has_the_rates_of_the_table() -> None:
    text = (DOCS / "defaults.md").read_text(encoding="utf-8")
    names = re.search(r"\| table \| data sets \| (.*) \|", text).group(1).split(" | ")
    rows = re.findall(r"\| (table-\w+) \| (\d+) \| (.*) \|", text)
    assert len(rows) == 12
    for scenario, blocks, cells in rows:
        for name, cell in zip(names, cells.split(" | "), strict=True):
            found = [r for r in rates_of(name) if (r.scenario, r.blocks) == (scenario, int(blocks))]
            assert cell.split(" / ")[0] == (f"{found[0].rate:.3f}" if found else "–")
