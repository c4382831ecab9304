"""Which algorithm where, weights of data sets, true differences."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import podium
from podium.asking.surveys.recommending import Split
from podium.cli.main import status_of
from podium.errors import DesignError, InferenceError, ResultsError
from podium.showing.terminal.options import read_weights

NAMES = ("svm", "lda", "knn")


# -- which algorithm where ------------------------------------------------------------------------


def two_worlds(count=24, gap=0.1, seed=0):
    """Scores of which lda is the best on small data sets and svm on large ones, by `gap`."""
    rng = np.random.default_rng(seed)
    n = np.exp(rng.uniform(3, 9, count))
    small = n < np.exp(6)
    wide = pd.DataFrame(
        {
            "dataset": [f"d{i}" for i in range(count)],
            "svm": 0.8 - gap * small + rng.normal(0, 0.01, count),
            "lda": 0.8 - gap * ~small + rng.normal(0, 0.01, count),
            "knn": 0.7 + rng.normal(0, 0.01, count),
        }
    )
    facts = pd.DataFrame({"dataset": wide["dataset"], "n": n, "noise": rng.normal(size=count)})
    return wide, facts


def test_groups_with_their_own_order_are_found():
    wide, facts = two_worlds()
    found = podium.recommend(wide, facts, measure="accuracy")
    assert found.helps
    assert isinstance(found.tree, Split)
    assert found.tree.column == "n"
    assert np.log(found.tree.threshold) == pytest.approx(6, abs=0.5)
    assert set(found.groups["take"]) == {"svm", "lda"}
    assert found.recommend({"n": 30.0}) == "lda"
    assert found.recommend({"n": 5000.0}) == "svm"
    assert found.recommend({}) in NAMES  # nothing is known of it
    assert found.judged["regret"].mean() < 0.3 * found.judged["regret_best"].mean()


def test_regret_is_by_hand():
    wide, facts = two_worlds()
    judged = podium.recommend(wide, facts, measure="accuracy").judged
    for row, scores in zip(judged.itertuples(), wide.itertuples(), strict=True):
        top = max(getattr(scores, name) for name in NAMES)
        assert row.regret == pytest.approx(top - getattr(scores, row.recommended))
        assert row.overall_best == wide[list(NAMES)].mean().idxmax()
        assert row.regret_best == pytest.approx(top - getattr(scores, row.overall_best))


def test_where_nothing_helps_it_says_so():
    wide, facts = two_worlds(gap=0.0, seed=3)
    found = podium.recommend(wide, facts, measure="accuracy")
    assert not found.helps
    assert "everywhere: recommending by characteristics is not shown to help" in repr(found)
    assert found.recommend({"n": 30.0}) == found.best
    # a measure that is better where it is lower changes nothing
    turned = wide.assign(**{name: 1 - wide[name] for name in NAMES})
    assert podium.recommend(turned, facts, measure="error").best == found.best


def test_false_alarms_are_rare():
    """Of tables without groups few are said to be helped, as the judged data sets are not seen."""
    alarms = [
        podium.recommend(*two_worlds(10, 0.0, seed), measure="accuracy").helps for seed in range(12)
    ]
    assert sum(alarms) <= 2


def test_what_cannot_be_recommended_is_refused():
    wide, facts = two_worlds(6)
    with pytest.raises(InferenceError, match="at least 8 data sets"):
        podium.recommend(wide, facts, measure="accuracy")
    wide, facts = two_worlds()
    with pytest.raises(InferenceError, match="'size' is not a characteristic"):
        podium.recommend(wide, facts, columns=["size"], measure="accuracy")
    with pytest.raises(InferenceError, match="No characteristic that is a number differs"):
        podium.recommend(wide, facts.assign(n=1, noise=2), measure="accuracy")


def test_the_command_recommends(tmp_path, capsys):
    wide, facts = two_worlds()
    paths = [tmp_path / name for name in ("wide.csv", "facts.csv", "new.csv", "found.json")]
    wide.to_csv(paths[0], index=False)
    facts.to_csv(paths[1], index=False)
    pd.DataFrame({"dataset": ["mine"], "n": [40]}).to_csv(paths[2], index=False)
    asked = ["recommend", paths[0], "-m", "accuracy", "--table", paths[1], "--new", paths[2]]
    assert status_of([*map(str, asked), "--json", str(paths[3])]) == 0
    assert capsys.readouterr().out.startswith("mine: take lda")
    found = json.loads(paths[3].read_text())
    assert found["new"] == {"mine": "lda"}
    assert found["helps"] is True


# -- weights of data sets -------------------------------------------------------------------------


def test_weights_may_stand_in_a_table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("w.csv").write_text("dataset,weight\none,2\ntwo,1\n")
    assert read_weights("w.csv") == {"one": 2.0, "two": 1.0}
    assert read_weights("one=2") == "one=2"
    Path("w.csv").write_text("dataset,weight\none,much\n")
    with pytest.raises(ResultsError, match="'much' is no finite number"):
        read_weights("w.csv")


# -- true differences -----------------------------------------------------------------------------


def test_the_variance_of_true_differences_is_told_from_error():
    """boulesteix2013, equation (4), with two data sets of each of many distributions."""
    rng = np.random.default_rng(5)
    rows, groups = [], {}
    for i in range(200):
        true = rng.normal(0.05, 0.06)
        groups[f"P{i}"] = [f"P{i}-{j}" for j in range(2)]
        for name in groups[f"P{i}"]:
            estimate = true + rng.normal(0, 0.03)
            rows += [(name, "a", 0.5 + estimate), (name, "b", 0.5)]
    table = pd.DataFrame(rows, columns=["dataset", "algorithm", "error"])
    found = podium.surveys.true_differences(podium.read(table, measure="error"), groups)
    row = found.table.iloc[0]
    assert row["sd_true"] == pytest.approx(0.06, rel=0.15)
    assert row["sd_error"] == pytest.approx(0.03, rel=0.15)
    assert row["share_error"] == pytest.approx(0.2, abs=0.04)
    assert row["sd_true_lower"] < 0.06 < row["sd_true_upper"]
    listed = pd.DataFrame([(d, g) for g, of in groups.items() for d in of],
                          columns=["dataset", "distribution"])  # fmt: skip
    again = podium.surveys.true_differences(podium.read(table, measure="error"), listed)
    assert again.table["sd_true"].item() == row["sd_true"]
    with pytest.raises(InferenceError, match="needs two distributions"):
        podium.surveys.true_differences(
            podium.read(table, measure="error"), {"P0": ["P0-0", "P0-1"]}
        )


def test_parts_of_a_large_data_set_are_disjoint():
    X = np.arange(100.0).reshape(50, 2)
    data = podium.dataset("big", X, np.arange(50) % 2)
    parts = podium.design.subsamples(data, 4, 12, seed=3)
    assert [p.name for p in parts] == ["big 1", "big 2", "big 3", "big 4"]
    rows = np.concatenate([p.X[:, 0] for p in parts])
    assert len(set(rows)) == 48
    for part in parts:
        assert part.n == 12
        assert (part.y == (part.X[:, 0] / 2) % 2).all()  # targets go with their rows
    with pytest.raises(DesignError, match="6 parts of 10 need 60"):
        podium.design.subsamples(data, 6, 10)


# -- how far a result could have been talked up ---------------------------------------------------


def test_the_best_of_all_choices_against_the_planned_one():
    rng = np.random.default_rng(3)
    wide = pd.DataFrame(
        {"dataset": [f"d{i}" for i in range(12)], "ours": rng.normal(0.2, 0.02, 12)}
    )
    wide["other"] = wide["ours"] + rng.normal(0.011, 0.018, 12)
    found = podium.multiverse(podium.read(wide, measure="error"))
    table = found.talked_up.set_index(["first", "second"])
    usual = podium.compare(podium.read(wide, measure="error")).table.iloc[0]
    row = table.loc[("ours", "other")]
    assert row["planned"] == usual["verdict"]
    assert row["planned_p"] == pytest.approx(usual["p_adjusted"])
    verdicts = found.pairs.set_index(["first", "second"]).loc[("ours", "other")]
    assert row["better"] == verdicts["better"]
    assert row["universes"] == len(found.universes)
    assert row["gained"] == (row["best"] == "better" and row["planned"] != "better")
    assert found.to_dict()["talked_up"]


# -- trees by hand ---------------------------------------------------------------------------------


def four_worlds(each=4):
    """Four kinds of data sets, by size and noise, each with a best of its own."""
    big, loud = np.repeat([0, 0, 1, 1], each), np.repeat([0, 1, 0, 1], each)
    rng = np.random.default_rng(2)
    wide = pd.DataFrame({"dataset": [f"d{i}" for i in range(4 * each)]})
    for kind, name in enumerate("abcd"):
        wide[name] = 0.7 + 0.1 * (2 * big + loud == kind) + rng.normal(0, 0.002, 4 * each)
    return wide, pd.DataFrame({"dataset": wide["dataset"], "size": 10 + 90 * big, "noise": loud})


def test_a_question_may_follow_on_either_side_of_the_first():
    wide, facts = four_worlds()
    found = podium.recommend(wide, facts, measure="accuracy")
    rows = [[f"d{i}" for i in range(4 * k, 4 * k + 4)] for k in range(4)]
    assert {row.take: row.datasets for row in found.groups.itertuples()} == dict(
        zip("abcd", rows, strict=True)
    )
    assert set(found.groups["count"]) == {4}
    for size, noise, best in ((10, 0, "a"), (10, 1, "b"), (100, 0, "c"), (100, 1, "d")):
        assert found.recommend({"size": size, "noise": noise}) == best
        # thresholds lie in the middle between the values that are there
        assert (
            found.recommend({"size": 54.9 if size == 10 else 55.1, "noise": 0.49 + 0.02 * noise})
            == best
        )
    assert [order[0] for order in sorted(found.groups["order"])] == list("abcd")
    regret = wide[list("abcd")].max(axis=1) - [
        wide.loc[i, name] for i, name in enumerate(found.judged["recommended"])
    ]
    assert found.judged["regret"].tolist() == pytest.approx(regret.tolist())
