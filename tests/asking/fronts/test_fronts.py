"""Fronts of several measures: by another route, R's values, and what is refused."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import podium
from podium import Note, PodiumError
from podium.asking.fronts.command import _estimates, front_view
from podium.asking.fronts.trades import fieller
from podium.asking.fronts.words import trade_text
from podium.cli.main import status_of
from podium.core.results.measure_names import known_measure
from podium.core.words.saying import say as in_words
from podium.showing.plots import PLOTS
from podium.showing.reports.hero import _sides
from podium.testing import check_plot

front_data = PLOTS["front"].data

REFERENCE = json.loads(
    (Path(__file__).parents[2] / "reference/factors_and_trade.json").read_text("utf-8")
)["trade"]


def table() -> pd.DataFrame:
    parts = []
    for name, right in REFERENCE["accuracy"].items():
        items = [f"q{i}" for i in range(len(right))]
        own = {"item": items, "model": name, "accuracy": [int(sign) for sign in right]}
        parts.append(pd.DataFrame({**own, "cost": REFERENCE["cost"][name]}))
    return pd.concat(parts, ignore_index=True)


def made_up(seed: int = 1, n: int = 40) -> pd.DataFrame:
    """c is dominated by a; a and b trade."""
    rng = np.random.default_rng(seed)
    levels = {"a": (0.8, 1.0), "b": (0.9, 2.0), "c": (0.5, 1.8)}
    rows = [
        (f"d{i}", name, q + rng.normal(0, 0.05), c + rng.normal(0, 0.2))
        for i in range(n) for name, (q, c) in levels.items()
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=["dataset", "algorithm", "auc", "seconds"])


def test_p_values_are_the_largest_over_measures_and_holms_over_directed_pairs() -> None:
    frame = made_up()
    made = podium.fronts.front(frame, "auc,seconds")
    wide = {
        m: frame.pivot(index="dataset", columns="algorithm", values=m) for m in frame.columns[2:]
    }
    for row in made.pairs.to_dict("records"):
        i, j = row["algorithm"], row["by"]
        better = wide["auc"][j] - wide["auc"][i], wide["seconds"][i] - wide["seconds"][j]
        p = max(stats.ttest_1samp(d, 0, alternative="greater").pvalue for d in better)
        assert row["p"] >= p - 1e-12  # Hall's test takes the larger of t and its own
        assert row["p"] <= max(2 * p, 1e-3)
    order = np.argsort(made.pairs["p"].to_numpy())
    steps = made.pairs["p"].to_numpy()[order] * np.arange(6, 0, -1)
    holm = np.minimum(np.maximum.accumulate(steps), 1)
    np.testing.assert_allclose(made.pairs["p_adjusted"].to_numpy()[order], holm)


def test_the_front_and_who_is_dominated() -> None:
    made = podium.fronts.front(made_up(), "auc,seconds")
    assert made.members == ("a", "b")
    assert made.dominated[["algorithm", "by"]].to_numpy().tolist() == [["c", "a"]]
    assert repr(made).startswith(
        "a and b could be on the front of auc and seconds; c is dominated by a."
    )


def test_a_row_of_the_page_has_the_mean_of_its_measure() -> None:
    frame = made_up()
    made = podium.fronts.front(frame, "auc,seconds")
    for measure in ("auc", "seconds"):
        means = frame.groupby("algorithm")[measure].mean()
        shown = {name: value for name, (_, _, value) in _estimates(made, measure).items()}
        assert shown == pytest.approx(means.to_dict())


def test_a_trade_says_where_each_pays_and_where_nobody_knows() -> None:
    (trade,) = podium.fronts.front(table(), "accuracy,cost").trades[:1]
    lines = {
        (math.nan, math.nan): "Whatever a right answer is worth, the data cannot tell",
        (0.5, 2.0): f"worth in cost: less than 0.5: {trade.cheap}; more than 2: {trade.dear}.",
        (0.5, math.inf): f"less than 0.5: {trade.cheap}; otherwise the data cannot tell.",
        (-1.0, 2.0): f"more than 2: {trade.dear}; otherwise the data cannot tell.",
        (math.inf, math.inf): f"worth, choose {trade.cheap} rather than {trade.dear}.",
    }
    for (lower, upper), part in lines.items():
        assert part in trade_text(replace(trade, lower=lower, upper=upper))
    assert trade_text(replace(trade, lower=-1.0, upper=math.inf)) == ""


def test_a_price_that_speaks_for_one_is_never_said_to_speak_for_the_other() -> None:
    rng = np.random.default_rng(4)
    n = 12
    frame = pd.DataFrame(
        [
            (f"d{i}", name, quality + rng.normal(0, 0.01), cost + rng.normal(0, spread))
            for i in range(n)
            for name, quality, cost, spread in [
                ("good", 0.9, 10, 1.0),  # better, and as dear as the poor one
                ("poor", 0.7, 10.3, 1.0),
                ("cheap", 0.85, 1, 0.1),
            ]
        ],
        columns=["dataset", "algorithm", "accuracy", "cost"],
    )
    wide = frame.pivot(index="dataset", columns="algorithm")
    t = stats.t.isf(0.025, n - 1)
    for first, second in [("good", "poor"), ("good", "cheap"), ("poor", "cheap")]:
        made = podium.fronts.trade(frame, "accuracy,cost", first, second)
        q = wide["accuracy"][made.dear] - wide["accuracy"][made.cheap]
        c = wide["cost"][made.dear] - wide["cost"][made.cheap]
        for price in np.linspace(0, 500, 251):
            benefit = price * q - c  # of the dear one
            statistic = benefit.mean() / (benefit.std() / math.sqrt(n))
            if price < made.lower - 1e-9:
                assert statistic < -t
            elif price > made.upper + 1e-9:
                assert statistic > t
    assert podium.fronts.trade(frame, "accuracy,cost", "poor", "cheap").lower == math.inf
    trades = podium.fronts.front(frame, "accuracy,cost").trades
    assert all(made.gain > 0 for made in trades)


def test_nobody_is_ruled_out_without_evidence() -> None:
    made = podium.fronts.front(table(), "accuracy,cost")
    assert made.members == ("old", "new", "mini")
    assert repr(made).startswith(
        "No algorithm is dominated: old, new and mini could all be on the front of accuracy and "
        "cost."
    )


def test_with_margins_a_little_worse_does_not_save_anybody() -> None:
    rng = np.random.default_rng(2)
    rows = [(f"d{i}", name, q + rng.normal(0, 0.01), c + rng.normal(0, 0.1))
            for i in range(40) for name, q, c in (("x", 0.80, 1.0), ("y", 0.803, 5.0))]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["dataset", "algorithm", "auc", "seconds"])
    assert podium.fronts.front(frame, "auc,seconds").members == ("x", "y")
    made = podium.fronts.front(frame, "auc,seconds", margins={"auc": 0.02})
    assert made.members == ("x",)
    with pytest.raises(PodiumError, match="is no measure of the front"):
        podium.fronts.front(frame, "auc,seconds", margins={"cost": 1})


def test_the_order_of_rows_measures_and_names_does_not_matter() -> None:
    frame = made_up()
    first = podium.fronts.front(frame, "auc,seconds")
    for names in permutations(["auc", "seconds"]):
        shuffled = frame.sample(frac=1, random_state=1)
        other = podium.fronts.front(shuffled, ",".join(names))
        assert {*other.members} == {*first.members}


def test_net_benefit_has_rs_t_and_fiellers_limits() -> None:
    trade = podium.fronts.trade(table(), "accuracy,cost", "new", "old")
    expected = np.array(REFERENCE["covariance_of_differences"])
    turned = np.sign(trade.charge) * np.sign(REFERENCE["cost_difference"])
    assert turned == -1  # the dear one less the cheap one
    np.testing.assert_allclose(trade.covariance, expected, rtol=1e-9)
    for price, name in ((1, "at_1"), (5, "at_5"), (20, "at_20")):
        assert trade.statistic(price) == pytest.approx(REFERENCE["net_benefit_t"][name])
    critical = stats.t.ppf(0.975, trade.blocks - 1)
    assert trade.statistic(trade.lower) == pytest.approx(critical)
    assert trade.price == pytest.approx(trade.charge / trade.gain)
    assert trade.upper == np.inf  # 0.025 of accuracy is not clearly above 0


def test_fiellers_limits_are_where_t_is_critical() -> None:
    covariance = np.array([[0.04, 0.01], [0.01, 0.02]])
    low, high = fieller(2.0, 1.0, covariance, 0.05, 30)
    for r in (low, high):
        d = 2.0 - r
        se = np.sqrt(covariance[0, 0] - 2 * r * covariance[0, 1] + r**2 * covariance[1, 1])
        assert abs(d / se) == pytest.approx(stats.t.ppf(0.975, 30))
    assert all(np.isnan(fieller(0.01, 0.01, covariance, 0.05, 30)))


def test_fiellers_set_is_all_ratios_that_are_not_significant() -> None:
    """Whether it has two ends, one or none: by trying ratios."""
    rng, kinds = np.random.default_rng(4), set()
    for _ in range(300):
        top, bottom = rng.normal(0, 1.5, 2)
        sds, r = rng.uniform(0.05, 1, 2), rng.uniform(-0.9, 0.9)
        covariance = np.outer(sds, sds) * [[1, r], [r, 1]]
        tried = np.concatenate([[0.0], np.geomspace(1e-3, 1e3, 400)])
        error = covariance[0, 0] - 2 * tried * covariance[0, 1] + tried**2 * covariance[1, 1]
        far = np.abs(top - tried * bottom) / np.sqrt(error) > stats.t.isf(0.05, 20)
        low, high = fieller(top, bottom, covariance, 0.1, 20)
        if math.isfinite(high):
            kinds.add("two ends")
            assert (far == ((tried < low) | (tried > high))).all()
        elif math.isfinite(low):
            kinds.add("one end")
            assert far[0]
            assert not far[tried >= low].any()
        else:
            kinds.add("none")
            assert not far[0] or not far.any() or bottom**2 < 2.98 * covariance[1, 1]
            assert not far[-1]
    assert kinds == {"two ends", "one end", "none"}


def test_fiellers_limits_of_constants_are_their_ratio() -> None:
    nothing = np.zeros((2, 2))
    assert fieller(2.0, 1.0, nothing, 0.05, 30) == (2.0, 2.0)
    assert fieller(-3.0, 2.0, nothing, 0.05, 30) == (-1.5, -1.5)
    assert all(np.isnan(fieller(2.0, 0.0, nothing, 0.05, 30)))


@pytest.mark.parametrize("count", [6, 7])
def test_up_to_six_measures_make_a_front(count: int) -> None:
    rng = np.random.default_rng(count)
    names = ["auc", "accuracy", "f1", "seconds", "cost", "memory", "tokens"][:count]
    frame = pd.DataFrame(rng.random((20, count)), columns=names)
    frame.insert(0, "model", np.tile(["a", "b"], 10))
    frame.insert(0, "dataset", np.repeat(range(10), 2))
    if count == 6:
        assert podium.fronts.front(frame, ",".join(names)).members
    else:
        with pytest.raises(podium.PodiumError, match=r"^7 measures .* name at most 6"):
            podium.fronts.front(frame, ",".join(names))


def test_long_tables_wide_tables_and_results_are_the_same() -> None:
    wide = podium.fronts.front(table(), "accuracy,cost").pairs
    long = table().melt(["item", "model"], var_name="metric", value_name="value")
    pd.testing.assert_frame_equal(podium.fronts.front(long, "accuracy,cost").pairs, wide)
    results = podium.read(long)
    pd.testing.assert_frame_equal(podium.fronts.front(results, "accuracy,cost").pairs, wide)


@pytest.mark.parametrize(
    ("name", "direction"),
    [
        *((name, "lower") for name in (
            "cost", "price", "usd", "eur", "tokens", "output_tokens", "tokens_used", "n_tokens",
            "cost_per_task", "flops", "energy", "memory", "latency", "latency_p95", "p99", "ttft",
            "total_cost_usd", "energy_kwh", "retries", "cost/usd")),
        *((name, "higher") for name in ("tokens_per_second", "tok/s", "qps", "throughput")),
        *((name, "") for name in ("cost_savings", "price_drop", "delta_cost", "params",
                                  "cost_accuracy")),
    ],
)  # fmt: skip
def test_directions_of_what_is_spent_are_known(name: str, direction: str) -> None:
    known = known_measure(name)
    assert (known.direction if known else "") == direction


def test_compare_knows_them_too() -> None:
    results = podium.read(table(), measure="cost")
    assert not podium.compare(results, pairs=[("new", "old")]).higher_is_better


@pytest.mark.parametrize(
    ("measures", "message"),
    [
        ("accuracy,depth", "'depth' is not a measure of"),
        ("accuracy,cost,cost", "named twice"),
        ("accuracy,cost=down", "say cost=higher or cost=lower"),
        ("accuracy", "A front is of two measures or more"),
    ],
)
def test_what_is_refused(measures: str, message: str) -> None:
    with pytest.raises(PodiumError, match=message):
        podium.fronts.front(table(), measures)


def test_directions_gaps_and_too_many_measures_are_refused_with_a_way_out() -> None:
    frame = table()
    with pytest.raises(PodiumError, match="Say depth=higher or depth=lower"):
        podium.fronts.front(frame.rename(columns={"cost": "depth"}), "accuracy,depth")
    lacking = frame.assign(cost=frame["cost"].where(frame["model"] != "mini"))
    with pytest.raises(PodiumError, match=r"'mini' has no score of 'cost'"):
        podium.fronts.front(lacking, "accuracy,cost")
    with pytest.raises(PodiumError, match=r"'mini' has no score of 'cost'"):
        podium.fronts.front(lacking, "cost,accuracy")
    many = frame.assign(**{f"cost_{i}": frame["cost"] for i in range(6)})
    names = ",".join(["accuracy", *(f"cost_{i}=lower" for i in range(6))])
    with pytest.raises(PodiumError, match="7 measures make one front of nearly everybody"):
        podium.fronts.front(many, names)


def test_the_screen_and_json_of_analyze(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "scores.csv"
    made_up().to_csv(path, index=False)
    asked = ["analyze", str(path), "-m", "auc,seconds"]
    assert status_of(asked) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(
        "a and b could be on the front of auc and seconds; c is dominated by a."
    )
    assert len(shown.splitlines()) < 25
    for level in (["--alpha", "0.1"], "90 %"), ([], "95 %"):
        assert status_of([*asked, *level[0]]) == 0
        screen = " ".join(capsys.readouterr().out.split())
        assert f"With {level[1]} confidence the others hold the front." in screen
    assert status_of([*asked, "--json", "-"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["front"]["members"] == ["a", "b"]
    assert made["front"]["dominated"][0]["by"] == "a"
    assert {"pairs", "order", "measure"} <= {*made}
    assert status_of([*asked, "--bayes"]) == 2
    assert "--measure names several" in capsys.readouterr().err
    assert status_of([*asked, "--lower-is-better"]) == 2
    assert "as in -m accuracy,depth=lower" in capsys.readouterr().err


def test_without_a_measure_the_one_that_is_no_cost_is_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "scores.csv"
    table().to_csv(path, index=False)
    assert status_of(["analyze", str(path), "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["measure"] == "accuracy"


def test_the_picture_of_a_front_keeps_the_laws() -> None:
    made = podium.fronts.front(made_up(n=12), "auc,seconds")
    check_plot(PLOTS["front"], made)
    data = front_data(made)
    (panel,) = data.panels
    assert panel[2]["member"].tolist() == [name in made.members for name in made.algorithms]


@pytest.mark.long
def test_the_page_has_a_section_on_the_front(tmp_path: Path) -> None:
    path, page = tmp_path / "scores.csv", tmp_path / "page.html"
    made_up(n=12).to_csv(path, index=False)
    assert status_of(["report", str(path), "-m", "auc,seconds", "-o", str(page)]) == 0
    assert "on the front of auc and seconds" in page.read_text(encoding="utf-8")


def test_times_of_a_study_need_not_be_asked_for(tmp_path: Path) -> None:
    from sklearn.datasets import load_iris
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    data = podium.dataset("iris", *load_iris(return_X_y=True))
    algorithms = {"nb": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1)}
    study = podium.Study(data, algorithms, sampling="bootstrap:8", measures=["error"], seed=1)
    results = podium.run(study, tmp_path / "s.db", quiet=True)
    made = podium.fronts.front(results, "error,fit-time")
    assert [m.name for m in made.measures] == ["error", "fit-time"]


def test_measures_of_predictions_make_a_front() -> None:
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 200)
    p = {
        m: np.clip(y * g + rng.uniform(0, 0.5, 200), 0.01, 0.99)
        for m, g in zip("ab", (0.45, 0.05), strict=True)
    }
    frame = pd.DataFrame({"id": range(200), "y_true": y, **p})
    made = podium.fronts.front(frame, "auc,brier")
    assert made.members == ("a",)
    assert made.procedures == {"auc": "influence-t", "brier": "max-modulus"}
    alone = [podium.compare(frame, measure=m, alternative=w).table["p"].iloc[0]
             for m, w in (("auc", "greater"), ("brier", "less"))]  # fmt: skip
    row = made.pairs.set_index(["algorithm", "by"]).loc[("b", "a")]
    assert row["p"] == pytest.approx(max(alone), rel=1e-9)
    assert made.trades == ()  # an error is not paid


def test_values_without_a_test_rule_nobody_out() -> None:
    rng = np.random.default_rng(4)
    y = np.repeat([1, 0], [3, 97])
    frame = pd.DataFrame({"y_true": y, "a": 0.1 * y + rng.random(100) / 9, "b": rng.random(100)})
    made = podium.fronts.front(frame, "auc,brier")
    assert (made.pairs["p"] == 1).all()
    assert set(made.members) == {"a", "b"}


def test_margins_of_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(7)
    models = (("big", 0.802, 3.0), ("small", 0.8, 1.0))
    rows = [
        (f"q{i}", m, a + 0.02 * rng.normal(), c + 0.1 * rng.normal())
        for i in range(40)
        for m, a, c in models
    ]
    path = tmp_path / "models.csv"
    pd.DataFrame(rows, columns=["item", "model", "auc", "cost"]).to_csv(path, index=False)
    asked = [str(path), "-m", "auc,cost"]
    assert status_of(["analyze", *asked]) == 0
    assert "big and small could all be on" in capsys.readouterr().out
    out = tmp_path / "front.json"
    assert status_of(["analyze", *asked, "--margin", "auc=0.02", "--json", str(out)]) == 0
    text = capsys.readouterr().out
    assert "big is dominated by small" in " ".join(text.split())
    assert "not worse by 0.02 in auc or more" in " ".join(text.split())
    assert json.loads(out.read_text())["front"]["margins"] == {"auc": 0.02}
    data = front_data(podium.fronts.front(path, "auc,cost", margins={"auc": 0.02}))
    assert (data.arrows, data.margins) == ([("big", "small")], (("auc", 0.02),))
    drawn = ["plot", "front", *asked, "--margin", "auc=0.02", "-o", str(tmp_path / "front.svg")]
    assert status_of(drawn) == 0
    arrow = in_words(Note("own-limits", level=0.95, margins=data.margins))
    assert "An arrow: not worse by 0.02 in auc or more" in arrow
    assert status_of(["plot", "boxes", str(path), "-m", "auc", "--margin", "auc=0.1"]) == 2
    assert "does not depend on --margin" in capsys.readouterr().err
    wrong = {"auc=2%": "in its unit", "aucc=1": "is no measure of the front", "auc=0": "above 0"}
    for margin, message in wrong.items():
        assert status_of(["analyze", *asked, "--margin", margin]) == 2
        assert message in capsys.readouterr().err
    assert status_of(["analyze", str(path), "-m", "auc", "--margin", "auc=0.1"]) == 2
    assert "is of several measures" in capsys.readouterr().err


def test_advice_on_several_measures_leads_to_the_front(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        (f"q{i}", m, (i + k) % 3 > 0, 1 + k + i % 4) for i in range(30) for k, m in enumerate("ab")
    ]
    path = tmp_path / "models.csv"
    columns = ["item", "model", "accuracy", "cost"]
    pd.DataFrame(rows, columns=columns).astype({"accuracy": int}).to_csv(path, index=False)
    assert status_of(["advise", str(path), "-m", "accuracy,cost"]) == 0
    assert "podium analyze FILE -m accuracy,cost" in " ".join(capsys.readouterr().out.split())


def test_a_measure_that_never_varies_has_no_interval_and_units_are_told_once() -> None:
    rng = np.random.default_rng(2)
    rows = [
        (f"d{i}", name, quality + rng.normal(0, 0.01), seconds * rng.lognormal(0, 0.1), size)
        for i in range(12)
        for name, quality, seconds, size in (("large", 0.9, 9.0, 70.5), ("tiny", 0.7, 1.0, 2.0))
    ]
    names = ["dataset", "model", "accuracy", "seconds", "params_b"]
    table = pd.DataFrame(rows, columns=names)
    view = front_view(podium.fronts.front(table, "accuracy,seconds,params_b=lower"))
    assert view.sentence == (
        "large has the highest accuracy; tiny has the lowest seconds and the lowest params_b."
    )
    assert [c.head for c in view.columns[1:3]] == [
        "accuracy (higher is better)",
        "seconds (lower is better)",
    ]
    assert [row.cells["params_b"][:2] for row in view.rows] == [("70.5", ""), ("2.0", "")]


def test_two_marks_near_the_edge_have_their_names():
    """Neither beside its mark has room; below it there is."""
    sides = _sides([("new", (88.8, 5.0)), ("old", (93.5, 5.0))], [(88.8, 5.0), (93.5, 5.0)])
    assert sides == {"new": "nw", "old": "s"}


def test_a_page_of_a_front_has_a_view_of_it_and_one_of_every_measure(tmp_path: Path) -> None:
    path, page = tmp_path / "scores.csv", tmp_path / "page.html"
    frame = made_up(n=8)
    frame.to_csv(path, index=False)
    assert status_of(["report", str(path), "-m", "auc,seconds", "-o", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1])
    front, *boards = data["views"]
    assert [view["at"] for view in data["views"]] == [
        {"measure": "Front"}, {"measure": "auc"}, {"measure": "seconds"},
    ]  # fmt: skip
    means = frame.groupby("algorithm")[["auc", "seconds"]].mean()
    for row in front["rows"]:  # of the others the page has pairs, of which its script makes rows
        for measure in ("auc", "seconds"):
            shown, _, value = row["cells"][measure]
            assert value == pytest.approx(means.loc[row["name"], measure], abs=1e-4)
            assert float(shown) == pytest.approx(value, abs=0.006)
    assert [view["headline"][0][0] for view in boards] == ["b", "a"]
    (trades, pairs) = data["sections"]["front"]
    made = podium.fronts.front(frame, "auc,seconds")
    assert len(pairs["rows"]) == len(made.pairs) == 6
    assert all(p in trades["paragraphs"][0] for p in ("auc", "seconds", "a", "b"))
