"""Items in strata, boards of many models, and what is said of the items themselves."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import podium
from podium import PodiumError
from podium.asking.items.description import welch
from podium.cli.main import status_of


def board(models=4, items=120, seed=0, lean=0.0, right=True):
    """Models with abilities, items with difficulties and topics; `lean` helps one on one topic."""
    rng = np.random.default_rng(seed)
    topic = np.arange(items) % 3
    score = np.linspace(1, -1, models)[:, None] - rng.normal(size=items)
    score[0] += lean * (topic == 0)
    p = 1 / (1 + np.exp(-score))
    y = (rng.random(p.shape) < p).astype(float) if right else p + rng.normal(0, 0.1, p.shape)
    m, i = np.indices(y.shape).reshape(2, -1)
    return pd.DataFrame(
        {
            "item": [f"q{j:03}" for j in i],
            "model": [f"m{j}" for j in m],
            "topic": np.array(list("xyz"))[topic[i]],
            "score": y.flat,
        }
    )


def read(frame, **columns):
    return podium.read(frame, higher_is_better=True, columns=columns or {"stratum": "topic"})


def test_welch_is_the_test_of_unequal_variances():
    rng = np.random.default_rng(1)
    groups = [rng.normal(0, s, n) for s, n in ((1, 10), (2, 20), (5, 15))]
    mean, variance, n = (np.array(v) for v in zip(
        *((g.mean(), g.var(ddof=1) / len(g), len(g)) for g in groups), strict=True))  # fmt: skip
    f, _, df, p = welch(mean, variance, n - 1.0)
    # two groups: the square of Welch's t
    t = stats.ttest_ind(groups[0], groups[1], equal_var=False)
    f2, _, df2, p2 = welch(mean[:2], variance[:2], n[:2] - 1.0)
    assert (f2, p2) == pytest.approx((t.statistic**2, t.pvalue))
    assert df2 == pytest.approx(t.df)
    # oneway.test of R on the same three groups is this formula
    w = 1 / variance
    centre = (w * mean).sum() / w.sum()
    lam = ((1 - w / w.sum()) ** 2 / (n - 1)).sum()
    expected = (w * (mean - centre) ** 2).sum() / 2 / (1 + 2 * lam / 8)
    assert (f, df) == pytest.approx((expected, 8 / (3 * lam)))
    assert p == pytest.approx(stats.f.sf(f, 2, df))


def test_strata_have_scores_with_intervals_and_a_test_of_interaction():
    found = podium.items.by_stratum(read(board(lean=3.0, items=300)))
    assert found.strata == ["x", "y", "z"]
    assert set(found.scores["items"]) == {100}
    mine = found.scores[(found.scores["stratum"] == "x") & (found.scores["algorithm"] == "m0")]
    assert mine["lower"].item() < mine["mean"].item() < mine["upper"].item()
    assert found.overall.p < 0.01
    assert found.interaction.set_index("algorithm").loc["m0", "p_adjusted"] < 0.01
    assert podium.items.by_stratum(read(board(seed=5))).overall.p > 0.05
    assert found.to_dict()["global"]["p"] == found.overall.p


def test_of_two_models_it_is_the_difference_that_is_tested():
    frame = board(models=2, items=90)
    found = podium.items.by_stratum(read(frame))
    wide = frame.pivot(index=["topic", "item"], columns="model", values="score")
    d = (wide["m0"] - wide["m1"]).groupby("topic")
    w, m, n = 1 / (d.var() / 30), d.mean(), 30
    centre = (w * m).sum() / w.sum()
    lam = ((1 - w / w.sum()) ** 2 / (n - 1)).sum()
    f = (w * (m - centre) ** 2).sum() / 2 / (1 + 2 * lam / 8)
    assert found.overall.statistic == pytest.approx(f)
    assert found.interaction["algorithm"].tolist() == ["m0 - m1"]


def test_a_stratum_in_which_nothing_varies_has_the_mean_variance_of_the_others():
    mean, variance, df = np.array([0.2, 0.5, 0.4]), np.array([0.01, 0.0, 0.03]), np.full(3, 9.0)
    as_if = welch(mean, np.array([0.01, 0.02, 0.03]), df)
    assert welch(mean, variance, df) == pytest.approx(as_if)
    assert welch(mean[[0, 0]], np.zeros(2), df[:2])[::3] == (0.0, 1.0)
    assert np.isnan(welch(mean[:2], np.zeros(2), df[:2])[0])


def test_a_stratum_of_one_cluster_says_nothing_of_how_far_clusters_vary():
    frame = board(items=90).assign(cluster=lambda t: t["item"].str[:3])
    frame.loc[frame["topic"] == "x", "cluster"] = "alone"
    made = podium.items.by_stratum(read(frame, stratum="topic", cluster="cluster"))
    (note,) = (note for note in made.notes if note.code == "small-strata")
    assert note.strata == ("x",)
    assert made.overall.df[0] == 1  # of two strata


def test_small_strata_are_left_out_of_the_test_and_said():
    frame = board(items=90)
    few = frame["item"].isin([f"q{i:03}" for i in range(3)])
    found = podium.items.by_stratum(read(frame.assign(topic=frame["topic"].where(~few, "rare"))))
    assert {n.code for n in found.notes} >= {"small-strata"}
    assert found.overall.df[0] == 2
    with pytest.raises(PodiumError, match="no strata"):
        podium.items.by_stratum(read(board(), ignore="topic"))
    with pytest.raises(PodiumError, match="one stratum"):
        podium.items.by_stratum(read(frame.assign(topic="x")))


def test_gaps_cost_only_the_pairs_that_have_them():
    frame = board(models=5, right=False)
    gone = frame.drop(index=[3, 130])
    found = podium.compare(read(gone, ignore="topic"))
    assert (found.procedure, found.blocks.count) == ("max-modulus", 120)
    whole = podium.compare(read(frame, ignore="topic")).table.set_index(["first", "second"])
    now = found.table.set_index(["first", "second"])
    kept = [pair for pair in now.index if not {*pair} & {"m0", "m1"}]
    assert now.loc[kept, "estimate"].to_numpy() == pytest.approx(whole.loc[kept, "estimate"])
    assert now.loc[kept, "p"].to_numpy() == pytest.approx(whole.loc[kept, "p"].to_numpy())
    wide = gone.pivot(index="item", columns="model", values="score")
    d = (wide["m0"] - wide["m1"]).dropna()
    assert now.loc[("m0", "m1"), "estimate"] == pytest.approx(d.mean())
    t = stats.ttest_1samp(d, 0)
    assert now.loc[("m0", "m1"), "p"] > t.pvalue  # "better" survives the missing answers
    only = podium.compare(read(gone, ignore="topic"), gaps="complete").table
    both = wide.dropna()
    t = stats.ttest_1samp(both["m0"] - both["m1"], 0)
    assert only.set_index(["first", "second"]).loc[("m0", "m1"), "p"] == pytest.approx(t.pvalue)
    assert found.means["m0"] == pytest.approx(wide["m0"].mean())


def test_gaps_in_clusters_and_own_contrasts_agree_with_the_pairs():
    frame = board(models=3, right=False)
    gone = read(frame.drop(index=[3, 130]).rename(columns={"topic": "t"}), ignore="t")
    pairs = podium.compare(gone, procedure="max-modulus", adjust="none").table
    own = podium.compare(
        gone, procedure="max-modulus", adjust="none", contrasts={"a": {"m0": 1, "m1": -1}}
    ).table
    assert own["p"][0] == pytest.approx(pairs["p"][0])
    frame["group"] = "g" + (frame["item"].str[1:].astype(int) // 6).astype(str)
    by_group = podium.read(frame.drop(index=[3, 130]).drop(columns="topic"), higher_is_better=True)
    found = podium.compare(by_group, procedure="max-modulus")
    assert found.blocks.count == 120
    assert found.table["p"].notna().all()


def test_a_board_tells_places_and_who_may_be_best():
    found = podium.compare(read(board(models=8, items=400), ignore="topic"))
    assert found.best_set == [n for n in found.algorithms if n in found.best_set]
    assert "m0" in found.best_set
    assert "m7" not in found.best_set
    assert set(found.best_set) <= {n for n, (low, _) in found.places.items() if low <= 2}
    assert found.to_dict()["best_set"] == found.best_set


def test_items_are_described():
    frame = board(models=12, items=60)
    frame.loc[frame["item"] == "q000", "score"] = 0
    frame.loc[frame["item"] == "q001", "score"] = 1
    twin = frame[frame["model"] == "m3"].assign(model="copy")
    found = podium.items.describe_items(read(pd.concat([frame, twin]), ignore="topic"))
    assert "q000" in found.unsolved
    assert "q001" in found.solved
    assert found.twins.iloc[0][["first", "second"]].tolist() == ["m3", "copy"]
    assert found.twins.iloc[0]["differ"] == 0
    assert found.items["item_rest"].median() > 0.1
    assert {n.code for n in found.notes} >= {"no-item-model"}
    with pytest.raises(PodiumError, match="at least 50 models, and there are 13"):
        podium.items.describe_items(
            read(pd.concat([frame, twin]), ignore="topic"), response_model=True
        )


def test_item_rest_is_the_correlation_with_the_rest():
    frame = board(models=9, items=20, seed=3)
    found = podium.items.describe_items(read(frame, ignore="topic")).items.set_index("item")
    wide = frame.pivot(index="model", columns="item", values="score")
    rest = wide.drop(columns="q007").mean(axis=1)
    assert found.loc["q007", "item_rest"] == pytest.approx(np.corrcoef(wide["q007"], rest)[0, 1])


def test_answers_that_never_vary_have_no_test():
    rows = [
        {"item": i, "algorithm": a, "accuracy": 1.0, "topic": "xyz"[i % 3]}
        for i in range(24)
        for a in "ab"
    ]
    results = podium.read(pd.DataFrame(rows), sampling="items", columns="stratum=topic")
    found = podium.items.by_stratum(results)
    assert found.overall is None
    assert not len(found.interaction)
    assert "strata-never-vary" in {note.code for note in found.notes}
    assert "nan" not in repr(found)


def test_the_page_has_wilsons_interval_of_every_stratum(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    table = pd.DataFrame(
        {"item": [f"q{i}" for i in range(60)], "topic": ["law", "art", "math"] * 20,
         "a": rng.integers(0, 2, 60), "b": (rng.random(60) < 0.8).astype(int)}
    )  # fmt: skip
    table.to_csv(tmp_path / "i.csv", index=False)
    words = ["report", str(tmp_path / "i.csv"), "-m", "accuracy", "--sampling", "items"]
    asked = [*words, "--columns", "stratum=topic", "-o", str(tmp_path / "p.html")]
    assert status_of(asked) == 0
    text = (tmp_path / "p.html").read_text(encoding="utf-8")
    data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1])
    scores, interaction, _ = data["sections"]["strata"]
    assert len(scores["rows"]) == 6
    for stratum, name, items, mean, error, low, high in scores["rows"]:
        own = table.loc[table["topic"] == stratum, name]
        share = own.mean()
        ends = stats.binomtest(int(own.sum()), 20).proportion_ci(method="wilson")
        told = [float(mean), float(low), float(high)]
        assert int(items) == 20
        assert told == pytest.approx([share, ends.low, ends.high], abs=6e-4)
        assert float(error) == pytest.approx(own.std(ddof=1) / 20**0.5, abs=6e-4)
    d = table["a"] - table["b"]
    parts = [d[table["topic"] == t] for t in ("law", "art", "math")]
    welch = _welch([part.to_numpy(float) for part in parts])
    ((name, f, df, rest, p, _),) = interaction["rows"]
    assert name == "a - b"
    assert [float(f), float(df), float(rest)] == pytest.approx(welch, rel=0.02)
    assert float(p) == pytest.approx(stats.f.sf(*welch), abs=6e-4)


def _welch(groups: list[np.ndarray]) -> tuple[float, float, float]:
    """Welch's F (1951) with its degrees of freedom."""
    k = len(groups)
    w = np.array([len(g) / g.var(ddof=1) for g in groups])
    means = np.array([g.mean() for g in groups])
    between = w @ (means - w @ means / w.sum()) ** 2 / (k - 1)
    less = sum((1 - x / w.sum()) ** 2 / (len(g) - 1) for x, g in zip(w, groups, strict=True))
    return between / (1 + 2 * (k - 2) / (k * k - 1) * less), k - 1, (k * k - 1) / (3 * less)
