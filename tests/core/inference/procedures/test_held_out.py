"""Held-out items of one cross-validation: fold-models by cv-clt, population by fold means."""

import numpy as np
import pytest
from layouts_made import intervals
from scipy.stats import norm

import podium
from podium import layout
from podium.errors import IllegalProcedure, ResultsError

RNG = np.random.default_rng(1)
LOSSES = {"a": RNG.exponential(size=30), "b": 0.3 + RNG.exponential(size=30)}


def table(fold=lambda i: i % 5 + 1, names=("a", "b")):
    rows = [(name, fold(i), i, LOSSES[name][i]) for name in names for i in range(30)]
    columns = zip(*rows, strict=True)
    return dict(zip(("model", "fold", "item", "loss"), map(list, columns), strict=True))


def test_cv_clt_is_the_normal_test_of_all_held_out_items():
    found = podium.compare(podium.read(table(), sampling="cv:5"), target="fold-models")
    d = LOSSES["a"] - LOSSES["b"]
    se = d.std() / np.sqrt(30)  # divisor n, as Bayle et al. have it
    row = found.table.iloc[0]
    assert (found.procedure, found.blocks.count) == ("cv-clt", 30)
    assert row["estimate"] == pytest.approx(d.mean())
    assert row["p"] == pytest.approx(2 * norm.sf(abs(d.mean()) / se))
    assert row["upper"] == pytest.approx(d.mean() + norm.ppf(0.975) * se)
    assert "85 % (79 to 88)" in str(found)
    assert "one of each fold" in found.statement


def test_without_a_target_items_are_averaged_within_folds():
    items = podium.read(table(), sampling="cv:5")
    folds = [f % 5 + 1 for f in range(30)]
    means = {n: [v[np.array(folds) == f].mean() for f in range(1, 6)] for n, v in LOSSES.items()}
    by_fold = podium.read({"fold": [1, 2, 3, 4, 5], **means}, sampling="cv:5", measure="loss")
    both = [podium.compare(results).table for results in (items, by_fold)]
    assert both[0]["p"][0] == pytest.approx(both[1]["p"][0])


def test_an_item_belongs_to_one_fold():
    twice = {k: v + v for k, v in table().items()}
    twice["fold"] = twice["fold"][:60] + [f % 5 + 1 for f in twice["fold"][:60]]
    with pytest.raises(ResultsError, match="two folds that test item '0' of 'data'"):
        podium.read(twice, sampling="cv:5")


def test_folds_alone_say_nothing_about_their_models():
    scores = {"fold": [1, 2, 3], "a": [1.0, 2, 3], "b": [2.0, 2, 4]}
    results = podium.read(scores, sampling="cv:3", measure="error")
    with pytest.raises(IllegalProcedure, match="columns fold and item"):
        podium.compare(results, "cv-clt", target="fold-models")


def test_one_algorithm_has_an_interval_and_its_table_is_read_back():
    results = podium.read(table(names=("a",)), sampling="cv:5")
    row = intervals(layout(results, target="fold-models")).iloc[0]
    reach = norm.ppf(0.975) * LOSSES["a"].std() / np.sqrt(30)
    assert row["method"] == "cv-clt"
    assert (row["lower"], row["upper"]) == pytest.approx(
        (LOSSES["a"].mean() - reach, LOSSES["a"].mean() + reach)
    )
    again = podium.read(podium.read(table(), sampling="cv:5").to_pandas(), sampling="cv:5")
    assert podium.compare(again, target="fold-models").means["a"] == LOSSES["a"].mean()
