"""Changed times: ratios as Welch's test has them, limits that hold, and one answer everywhere."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import podium
from podium.asking.timings.command import _drawn, _places, _table, changes_view
from podium.asking.timings.ratios import _needed, over_all, spread_of
from podium.asking.timings.words import time_text, unit_of
from podium.cli.main import status_of
from podium.core.words.phrases import plain


def table(factors: dict[str, float], runs: int = 8, noise: float = 0.03, seed: int = 1):
    rng = np.random.default_rng(seed)
    rows = [
        (
            name,
            version,
            run,
            (1 + k) * (factor if version == "new" else 1) * rng.lognormal(0, noise),
        )
        for k, (name, factor) in enumerate(factors.items())
        for version in ("old", "new")
        for run in range(runs)
    ]
    return pd.DataFrame(rows, columns=["dataset", "algorithm", "run", "time"])


FACTORS = {"group": 1.2, "join": 1.0, "sort": 0.8, "read": 0.7, "write": 0.97}


def made(**options):
    return podium.timings.changes(podium.read(table(FACTORS), sampling="runs"), **options)


def test_a_benchmark_has_welchs_interval_at_sidaks_level() -> None:
    result = made()
    each = 0.95 ** (1 / len(FACTORS))
    for name, (old, new) in result.runs.items():
        welch = stats.ttest_ind(np.log(new), np.log(old), equal_var=False)
        limits = welch.confidence_interval(each)
        row = result.table.set_index("benchmark").loc[name]
        np.testing.assert_allclose(np.log([row["lower"], row["upper"]]), limits, rtol=1e-9)
        np.testing.assert_allclose(row["p"], welch.pvalue, rtol=1e-9)
        assert row["p_adjusted"] == pytest.approx(1 - (1 - welch.pvalue) ** len(FACTORS))


def test_runs_in_turn_are_compared_in_pairs() -> None:
    rng = np.random.default_rng(3)
    old, new = rng.lognormal(0, 0.1, 9), rng.lognormal(0.1, 0.1, 9)
    own = spread_of(old, new, paired=True).limits(0.05)
    paired = stats.ttest_rel(np.log(new), np.log(old))
    ends = paired.confidence_interval(0.95)
    np.testing.assert_allclose(np.log([own.lower, own.upper]), ends, rtol=1e-9)
    assert own.p == pytest.approx(paired.pvalue)


def test_limits_over_all_hold_in_95_of_100() -> None:
    """Of a mean over unlike benchmarks with unlike noise; 2,000 replications: +- 1 %."""
    rng, hits, count = np.random.default_rng(5), 0, 2000
    truth = np.log([1.1, 0.9, 1.3])
    for _ in range(count):
        spreads = [
            spread_of(rng.lognormal(0, s, 5), rng.lognormal(t, 2 * s, 5))
            for t, s in zip(truth, (0.02, 0.05, 0.1), strict=True)
        ]
        result = over_all(spreads).limits(0.05)
        hits += result.lower <= math.exp(truth.mean()) <= result.upper
    assert 0.935 < hits / count < 0.97


def test_noise_and_what_would_show_are_those_of_the_formulas() -> None:
    result = made()
    logs = [np.log(side) for pair in result.runs.values() for side in pair]
    assert result.noise == pytest.approx(np.median([np.std(x, ddof=1) for x in logs]))
    fits = [
        stats.ttest_ind(np.log(new), np.log(old), equal_var=False)
        for old, new in result.runs.values()
    ]
    errors = [(np.mean(np.log(n)) - np.mean(np.log(o))) / fit.statistic
              for fit, (o, n) in zip(fits, result.runs.values(), strict=True)]  # fmt: skip
    each = 1 - 0.95 ** (1 / len(fits))
    needed = stats.t.isf(each / 2, np.median([fit.df for fit in fits])) + stats.norm.isf(0.2)
    assert result.detectable == pytest.approx(math.expm1(needed * np.median(errors)), rel=1e-4)


def test_runs_that_would_settle_a_benchmark_have_80_of_100_power() -> None:
    """Welch's t grows with the root of the runs; it must reach the limit and the 80 % quantile."""
    result = made()
    open_ones = result.table[result.table["verdict"] == "inconclusive"].set_index("benchmark")
    assert len(open_ones)
    assert result.table.loc[result.table["verdict"] != "inconclusive", "needed"].isna().all()
    each = 1 - 0.95 ** (1 / len(FACTORS))
    for name, row in open_ones.iterrows():
        old, new = (np.log(side) for side in result.runs[name])
        welch = stats.ttest_ind(new, old, equal_var=False)
        reach = stats.t.isf(each / 2, welch.df) + stats.norm.isf(0.2)
        assert row["needed"] == pytest.approx(8 * (reach / welch.statistic) ** 2, rel=0.001, abs=1)
    same = spread_of(np.array([1.0, 2.0]), np.array([2.0, 1.0]))
    assert _needed(same, 0.05, 2) is None, "no number of runs shows no change"


def test_a_bar_takes_no_more_than_the_room_that_is_left() -> None:
    for width in range(80, 130, 3):
        lines = _table(made(), 5, width).splitlines()
        assert max(map(len, lines)) <= width
        assert "old" in lines[0], "times are left out only where there is no room for them"


def test_a_time_has_about_four_digits() -> None:
    times = {0.0: "0.0", 0.01234: "0.012", 1.2345: "1.23", 12.345: "12.3", 123.45: "123.5"}
    assert {t: time_text(t, 1.0) for t in times} == times
    assert (time_text(1234.56, 1.0), time_text(0.5, 1e-3)) == ("1,235", "500.0")


def test_limits_are_drawn_to_scale() -> None:
    quarters = [{"ratio": 1.0, "lower": 0.25, "upper": 1.0}, {"ratio": 2, "lower": 1, "upper": 4}]
    whole, half = _drawn(quarters, 17)
    assert [len(whole), len(half)] == [17, 17]
    assert (whole.index("●"), half.index("●")) == (8, 12)
    assert (whole.strip(), half.strip()) == ("────────●", "┼───●────")


def test_dots_of_runs_reach_from_the_first_to_the_last_percentile() -> None:
    result = podium.timings.changes(podium.read(table(FACTORS, runs=60), sampling="runs"))
    every = np.concatenate([np.ravel(pair) for pair in _places(result).values()])
    assert all(6 <= (every == edge).sum() < 10 for edge in (0.0, 1.0))  # of 600, rounded


def test_what_got_slower_comes_first_and_all_counts_agree() -> None:
    result = made()
    assert result.table["benchmark"].tolist()[0] == "group"
    assert result.table["verdict"].tolist()[0] == "slower"
    assert sum(map(result.count, ("slower", "faster", "unchanged", "inconclusive"))) == 5
    assert repr(result).startswith("new is 1.10× faster (1.09 to 1.11) on these 5 benchmarks.")


def test_times_that_never_vary_are_known() -> None:
    own = spread_of(np.full(3, 2.0), np.full(3, 1.0)).limits(0.05)
    assert (own.ratio, own.lower, own.upper, own.verdict) == (0.5, 0.5, 0.5, "faster")
    assert own.p == 0
    alike = spread_of(np.full(3, 2.0), np.full(3, 2.0))
    assert (alike.limits(0.05).p, alike.limits(0.05).verdict) == (1, "unchanged")
    assert (alike.p_within(0.05), alike.df, math.isnan(alike.statistic)) == (0, math.inf, True)
    assert _drawn([{"ratio": 1.0, "lower": 1.0, "upper": 1.0}], 5) == ["●    "]


def test_within_the_share_at_a_level_is_limits_within_it() -> None:
    """Two one-sided t tests (Schuirmann 1987), both of them at half the level."""
    rng = np.random.default_rng(8)
    old, new = rng.lognormal(0, 0.02, 9), rng.lognormal(0.01, 0.03, 7)
    a, b = np.log(old), np.log(new)
    shifted = [
        stats.ttest_ind(b - sign * math.log1p(0.05), a, equal_var=False, alternative=way).pvalue
        for sign, way in ((1, "less"), (-1, "greater"))
    ]
    assert spread_of(old, new).p_within(0.05) == pytest.approx(2 * max(shifted))
    welch = stats.ttest_ind(b, a, equal_var=False)
    assert spread_of(old, new).statistic == pytest.approx(welch.statistic)
    assert spread_of(old, new).df == pytest.approx(welch.df)


@pytest.mark.parametrize("what", ["three", "one benchmark", "accuracy", "one run"])
def test_other_results_are_refused_and_analysed_as_before(what, tmp_path, capsys) -> None:
    t = table(FACTORS)
    if what == "three":
        t = pd.concat([t, t[t["algorithm"] == "old"].assign(algorithm="older")])
    elif what == "one benchmark":
        t = t[t["dataset"] == "group"].drop(columns="dataset")
    elif what == "accuracy":
        t = t.rename(columns={"time": "accuracy"}).assign(accuracy=lambda f: f["accuracy"] / 10)
    else:
        t = t.drop(t[(t["dataset"] == "group") & (t["run"] > 0)].index)
    path = tmp_path / "times.csv"
    t.to_csv(path, index=False)
    results = podium.read(path, sampling="runs")
    with pytest.raises(podium.PodiumError):
        podium.timings.changes(results)
    assert status_of(["analyze", str(path), "--sampling", "runs"]) == 0
    assert "benchmarks." not in capsys.readouterr().out.splitlines()[0]


def test_screen_json_page_and_notebook_have_one_headline(tmp_path: Path, capsys) -> None:
    path, page, data = (tmp_path / name for name in ("t.csv", "page.html", "t.json"))
    table(FACTORS).to_csv(path, index=False)
    asked = ["analyze", str(path), "--sampling", "runs", "--report", str(page), "--json", str(data)]
    assert status_of(asked) == 0
    first = capsys.readouterr().out.splitlines()[0]
    record = json.loads(data.read_text())
    assert first == record["headline"] == made()._lines_above()[0]
    assert record["timings"]["benchmarks"][0]["benchmark"] == "group"
    text = page.read_text(encoding="utf-8")
    assert "<b>new</b> is 1.10× faster (1.09 to 1.11) on these 5 benchmarks.</h1>" in text
    assert "<b>new</b> is 1.10× faster" in made()._repr_html_()
    podium.report(podium.read(path, sampling="runs"), tmp_path / "verb.html")
    assert "<b>new</b> is 1.10× faster" in (tmp_path / "verb.html").read_text(encoding="utf-8")
    for other in ("comparisons", "tests", "datasets"):  # of benchmarks like these
        assert f'id="{other}"' not in text


def test_the_level_of_the_test_is_told() -> None:
    for alpha, level in ((0.05, "95 % CI"), (0.1, "90 % CI")):
        facts = made(alpha=alpha).to_dict()["timings"]
        assert facts["test"].endswith(f"over all the geometric mean of the ratios ({level})")
        assert facts["level"] == pytest.approx(1 - alpha)


def test_a_named_test_is_used(tmp_path: Path, capsys) -> None:
    path = tmp_path / "t.csv"
    table(FACTORS).to_csv(path, index=False)
    assert status_of(["analyze", str(path), "--sampling", "runs", "-p", "ranks"]) == 0
    assert "Welch" not in capsys.readouterr().out


def test_no_change_and_mixed_changes_are_told_as_such() -> None:
    still = podium.timings.changes(
        podium.read(table(dict.fromkeys("abcd", 1.0), noise=0.01), sampling="runs")
    )
    view = changes_view(still)
    assert view.sentence == "None of the 4 benchmarks shows a clear change."
    told = " ".join(" ".join(row.cells["difference"][:2]) for row in view.rows)
    assert not re.search(r"\b1\.00\b", told + plain(view.headline)), (
        "three digits tell it from none"
    )
    assert all(float(text.rstrip("×")) == math.exp(at) for at, text in view.axis.ticks)
    mixed = podium.timings.changes(
        podium.read(table({"up": 1.25, "down": 0.8}, noise=0.02), sampling="runs")
    )
    assert mixed.overall.verdict == "unchanged"
    assert "on average over these 2 benchmarks" in plain(changes_view(mixed).headline)


@pytest.mark.parametrize(
    ("lower", "upper", "ticks"),
    [
        (0.99999, 1.00001, "1×"),
        (0.99972, 1.00025, "0.9998× 0.9999× 1× 1.0001× 1.0002×"),
        (0.99969, 1.00031, "0.9998× 1× 1.0002×"),
        (0.99941, 1.00059, "0.9996× 0.9998× 1× 1.0002× 1.0004×"),
        (0.9985, 1.0, "0.9985× 0.999× 0.9995× 1×"),
        (1.0, 1.003, "1× 1.001× 1.002× 1.003×"),
        (1.0, 1.0031, "1× 1.002×"),
        (1.001, 1.015, "1× 1.005× 1.01× 1.015×"),
        (0.9701, 1.0101, "0.98× 0.99× 1× 1.01×"),
        (0.9401, 1.0, "0.96× 0.98× 1×"),
        (0.91, 1.05, "0.95× 1× 1.05×"),
        (0.9, 1.05, "0.9× 1×"),
        (0.5, 2.0, "0.7× 0.8× 0.9× 1× 1.1× 1.2×"),
        (0.1, 12.0, "0.7× 0.8× 0.9× 1× 1.1× 1.2×"),
        (1.3, 2.0, "1× 1.1× 1.2× 1.5× 2×"),
    ],
)
def test_ticks_are_the_round_ratios_nearest_to_one(lower, upper, ticks):
    found = made()
    bounded = replace(found, table=found.table.assign(lower=lower, upper=upper))
    axis = changes_view(bounded).axis
    assert (axis.low, axis.high) == (min(math.log(lower), 0.0), max(math.log(upper), 0.0))
    assert " ".join(text for _, text in axis.ticks) == ticks
    assert [math.exp(at) for at, _ in axis.ticks] == pytest.approx(
        [float(text.rstrip("×")) for text in ticks.split()]
    )


@pytest.mark.parametrize(
    ("seconds", "unit"),
    [([2.0, 1.0, 1.0], "s"), ([1e-3], "ms"), ([9.9e-4], "µs"), ([1.5e-6], "µs"), ([9e-7], "ns"),
     ([1e-9], "ns"), ([1e-12], "ns"), ([5e-4, 0.5, 3.0], "ms"), ([1e-4, 5e-2, 3.0], "ms"),
     ([1e-4, 5e-2, 5e-2, 3.0], "ms")],
)  # fmt: skip
def test_the_unit_is_that_of_the_middle_time(seconds, unit) -> None:
    of, symbol = unit_of(seconds)
    assert symbol == unit
    # so many of it are a second
    assert of == {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}[symbol]


@pytest.mark.parametrize("letters", [11, 12])
def test_short_names_of_versions_head_their_columns(letters) -> None:
    old = "o" * letters
    frame = table({"sort": 0.8, "join": 1.1}).replace({"algorithm": {"old": old}})
    view = changes_view(podium.timings.changes(podium.read(frame, sampling="runs")))
    heads = [column.head for column in view.columns]
    assert any(head.lower().startswith(old) for head in heads)
    assert any(head.startswith("O" * 1 + "o" * 3) for head in heads) == (letters < 12)
