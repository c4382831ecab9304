"""Series: forecasts from successive origins, whose errors may overlap."""

from __future__ import annotations

import numpy as np
import pytest
from layouts_made import intervals as alone
from layouts_made import made, noise
from scipy import stats

from podium import Layout, compare
from podium.core.inference.comparing.known import published
from podium.core.inference.procedures.held_out import long_run, smoothed
from podium.core.words.saying import say
from podium.errors import InferenceError

pytestmark = pytest.mark.filterwarnings("error")
ONE = np.array([
    2.287, -1.197, -0.694, -0.412, -0.971, -0.947, 0.748, -0.117, 0.153, 2.19, 0.357, 2.717, 2.281,
    0.324, 1.896, 0.468, -0.894, -0.307, -0.005, 0.988, 0.84, 0.705, 1.306, -1.388, 1.273, 0.184,
    0.752, 0.592, -0.983, -0.276,
])  # fmt: skip
TWO = np.array([
    -0.958, 1.477, -0.237, -0.295, -0.586, -0.91, 0.813, -0.991, -0.192, 0.392, 1.997, -0.662,
    0.501, -0.758, -0.333, 0.127, 1.626, 0.382, 0.018, 1.023, 0.007, 0.244, 0.615, 2.27, 0.38,
    0.911, -1.669, 0.576, 0.36, -1.285,
])  # fmt: skip


def origins(values: np.ndarray, ahead: int, window: int = 1) -> Layout:
    """Forecasts so many windows ahead, one for every window."""
    gap = (ahead - 1) * window
    return made(values, block="origin", how=f"rolling-origin:{len(values)}x{window}x{gap}")


@pytest.mark.parametrize(
    ("rows", "statistic", "p"),
    [
        (1, 1.12414050681, 0.270172756497), (2, 1.3980572724, 0.17269812223),
        (3, 1.22196503678, 0.231560841191), (4, 0.851969670718, 0.401212111472),
    ],
)  # fmt: skip
def test_the_test_is_that_of_r(rows: int, statistic: float, p: float) -> None:
    """R: forecast::dm.test(e1, e2, h = rows, power = 2)."""
    t = compare(origins(np.column_stack([ONE, TWO]) ** 2, rows), "diebold-mariano").table
    assert t["statistic"][0] == pytest.approx(statistic)
    assert t["p"][0] == pytest.approx(p)


@pytest.mark.parametrize(("how", "ahead"), [("20x3", 1), ("20x3x1", 2), ("20x3x4", 3)])
def test_windows_overlap_by_their_gap_only(how: str, ahead: int) -> None:
    values = noise(20, 2)
    found = compare(made(values, block="origin", how=f"rolling-origin:{how}"), "diebold-mariano")
    assert found.table["p"][0] == compare(origins(values, ahead), "diebold-mariano").table["p"][0]


def test_one_row_ahead_is_a_paired_t_with_margins_and_intervals() -> None:
    values = noise(25, 3)
    series, plain = origins(values, 1), made(values)
    for options in ({}, {"relevance": 0.2}, {"alternative": "less", "relevance": 0.1}):
        ours = compare(series, "diebold-mariano", **options).table  # type: ignore[arg-type]
        theirs = compare(plain, "paired-t", **options).table  # type: ignore[arg-type]
        for column in ("estimate", "lower", "upper", "statistic", "p", "p_adjusted"):
            np.testing.assert_allclose(ours[column], theirs[column], err_msg=column)


@pytest.mark.parametrize("weight", [0.5, -0.5])
def test_the_long_run_variance_of_a_moving_average_is_met_on_average(weight: float) -> None:
    """Of z_t + w z_(t-1) it is (1 + w)², where a plain variance would be 1 + w²."""
    z = np.random.default_rng(1).normal(size=(400, 401))
    found = [long_run(d, 2)[0] * len(d) for d in z[:, 1:] + weight * z[:, :-1]]
    error = np.std(found) / np.sqrt(len(found))
    assert np.mean(found) == pytest.approx((1 + weight) ** 2, abs=4 * error)
    assert 4 * error < 0.1  # far less than the plain variance is off


def test_a_negative_variance_is_made_positive_and_said() -> None:
    d = np.tile([1.0, -1.0], 10) + np.linspace(0, 0.2, 20)
    variance, negative = long_run(d, 2)
    assert negative
    own = d - d.mean()
    bartlett = (own @ own + own[1:] @ own[:-1]) / 20
    assert variance == pytest.approx(bartlett / (20 + 1 - 4 + 2 / 20))
    c = compare(origins(np.column_stack([d, np.zeros(20)]), 2), "diebold-mariano")
    (note,) = [say(w) for w in c.warnings if w.code == "estimate"]
    assert note.endswith(": a and b.")
    assert 0 <= c.table["p"][0] <= 1


def test_origins_must_be_complete_and_more_than_rows_ahead() -> None:
    values = noise(12, 2)
    with pytest.raises(
        InferenceError, match="reach 12 windows ahead need more than 12 origins, not"
    ):
        compare(origins(values, 12), "diebold-mariano")
    values[3, 0] = np.nan
    with pytest.raises(InferenceError, match=r"1 of 12 lack one; run them"):
        compare(origins(values, 2))
    assert compare(origins(values, 2), gaps="worst").table["p"].notna().all()


@pytest.mark.parametrize(("count", "rows", "said"), [(20, 1, False), (20, 3, True), (90, 3, False)])
def test_few_origins_are_said_to_make_the_test_liberal(count: int, rows: int, said: bool) -> None:
    codes = [w.code for w in compare(origins(noise(count, 2), rows), "diebold-mariano").warnings]
    assert ("few-origins" in codes) == said


def test_one_algorithm_has_an_interval_by_its_long_run_variance() -> None:
    values = noise(30, 1)
    found = alone(origins(values, 3)).iloc[0]
    variance, df = smoothed(values[:, 0] - values.mean())
    reach = stats.t.isf(0.025, df) * np.sqrt(variance)
    assert found["upper"] - found["mean"] == pytest.approx(reach)
    assert alone(origins(values[:2], 1))["method"][0] == "too few blocks"
    values[2] = np.nan
    assert alone(origins(values, 3))["method"][0] == "scores are missing"


def test_fixed_smoothing_sums_few_cosines() -> None:
    """By hand, of 8 values: B = max(2, 0.4 * 4) = 2 cosines."""
    d = np.array([3.0, 1, 4, 1, 5, 9, 2, 6])
    variance, df = smoothed(d - d.mean())
    sums = [
        sum(np.sqrt(2 / 8) * x * np.cos(np.pi * j * (t - 0.5) / 8) for t, x in enumerate(d, 1))
        for j in (1, 2)
    ]
    assert df == 2
    assert variance == pytest.approx((sums[0] ** 2 + sums[1] ** 2) / 2 / 8)
    row = compare(origins(np.column_stack([d, 0 * d]), 1)).table.iloc[0]
    t = d.mean() / np.sqrt(variance)
    assert abs(row["statistic"]) == pytest.approx(t)
    assert row["p"] == pytest.approx(2 * stats.t.sf(t, 2))
    assert [smoothed(np.arange(float(n)))[1] for n in (50, 100, 200)] == [5, 8, 13]


def test_fixed_smoothing_holds_its_level_where_differences_are_autocorrelated() -> None:
    rng, count = np.random.default_rng(5), 2000
    d = np.zeros((count, 130))
    for t in range(1, 130):
        d[:, t] = 0.5 * d[:, t - 1] + rng.normal(size=count)
    d = d[:, 30:]
    for judge, low, high in ((smoothed, 0.035, 0.075), (lambda x: long_run(x, 1), 0.2, 0.3)):
        variance = np.array([judge(x - x.mean())[0] for x in d])  # type: ignore[operator]
        df = 8 if judge is smoothed else 99
        rate = np.mean(np.abs(d.mean(axis=1)) > stats.t.isf(0.025, df) * np.sqrt(variance))
        assert low < rate < high


@pytest.mark.parametrize(("name", "phi", "said"), [
    ("diebold-mariano", 0.6, True), ("diebold-mariano", 0.0, False),
    ("diebold-mariano-fixed", 0.2, False), ("diebold-mariano-fixed", 0.95, True),
])  # fmt: skip
def test_autocorrelation_is_looked_at(name: str, phi: float, said: bool) -> None:
    shocks, d = noise(60, 1, seed=3)[:, 0], np.zeros(60)
    for t in range(1, 60):
        d[t] = phi * d[t - 1] + shocks[t]
    both = 3.0 * (-1.0) ** np.arange(60)  # what both have cancels in their difference
    c = compare(origins(np.column_stack([d + both, both]), 1), name)
    largest = [w.largest for w in c.warnings if w.code == "autocorrelated"]
    own = d - d.mean()
    assert largest == pytest.approx([own[1:] @ own[:-1] / (own @ own)] if said else [])
    assert all(say(w) for w in c.warnings)


@pytest.mark.parametrize(("name", "said"), [("diebold-mariano", True),
                                            ("diebold-mariano-fixed", False)])  # fmt: skip
def test_who_chooses_the_liberal_test_is_told_how_often_it_errs(name: str, said: bool) -> None:
    """As often as the shipped table has it, whatever these scores show."""
    result = compare(origins(np.column_stack([ONE, TWO]), 1), name)
    told = [say(note) for note in result.warnings if note.code == "liberal-in-time"]
    assert bool(told) == said
    own = (name, "series-in-time", "", "error")
    table = [r for r in published() if (r.procedure, r.scenario, r.groups, r.kind) == own]
    rates = [r.hits / r.replications for r in table]
    assert bool(told) == (max(rates) > 0.065)
    if told:
        assert f"{100 * min(rates):.0f} to 27 % of two, {100 * max(rates):.0f} % of five" in told[0]
