"""Every data set by itself: against comparisons made one by one, R, and planted truths."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from surveys_made import codes, survey

import podium
from podium import by_dataset, compare, layout
from podium import decide as decide_comparisons
from podium.asking.surveys.by_dataset import by_dataset as orders_by_dataset
from podium.asking.surveys.by_dataset import concordance
from podium.core.orders.distances import dendrogram, distances
from podium.core.verdicts.verbs import Options
from podium.core.words.saying import say
from podium.errors import InferenceError, UnknownName

BETTER, WORSE = (0.0, 0.03, 0.06), (0.06, 0.03, 0.0)


def test_each_data_set_is_what_compare_says_of_it():
    results = survey([BETTER, WORSE, (0, 0, 0.03), BETTER])
    told: list[tuple[int, int]] = []
    found = by_dataset(results, "mixed-tukey", progress=lambda *at: told.append(at), alpha=0.01)
    assert told == [(i, 4) for i in range(1, 5)]
    for name, order in found.orders.items():
        one = compare(layout(results, dataset=name), "mixed-tukey", alpha=0.01)
        pd.testing.assert_frame_equal(found.comparisons[name].table, one.table)
        assert order == decide_comparisons(one)
    orders = list(found.orders.values())
    np.testing.assert_array_equal(found.distances.to_numpy(), distances(orders))
    tree = dendrogram(distances(orders), list(found.orders))
    np.testing.assert_array_equal(found.dendrogram.merges, tree.merges)
    assert found.dendrogram.arranged == tree.arranged
    assert found.distance == found.distances.to_numpy()[np.triu_indices(4, 1)].mean()


def test_the_consensus_follows_the_majority_unless_weights_turn_it():
    results = survey([BETTER] * 4 + [WORSE] * 3)
    found = by_dataset(results, "paired-t")
    assert [order.text for order in found.consensus.orders] == ["svm ≻ knn ≻ lda"]
    first = found.pairs.iloc[0]
    assert first.tolist() == ["svm", "knn", 4, 3, 0, 0]
    # 4 data sets at distance 6 from 3: 12 of the 21 pairs of data sets
    assert found.distance == pytest.approx(12 * 6 / 21)
    assert sorted(map(sorted, found.dendrogram.clusters(2))) == [
        ["d1", "d2", "d3", "d4"],
        ["d5", "d6", "d7"],
    ]
    heavy = by_dataset(results, "paired-t", weights=[1, 1, 1, 1, 2, 2, 2], family="linear")
    assert heavy.consensus.order.text == "lda ≻ knn ≻ svm"
    named = dict(zip(results.datasets, [1, 1, 1, 1, 2, 2, 2], strict=True))
    again = by_dataset(results, "paired-t", weights=named, family="linear")
    assert again.consensus.value == heavy.consensus.value


def test_concordance_is_that_of_r_with_ties_and_friedman_s():
    # friedman.test(R)$statistic / (5 * 3) in R 4.2.2, which corrects for ties as irr::kendall does
    ranks = [[1, 2, 3, 4], [1.5, 1.5, 3, 4], [2, 1, 3.5, 3.5], [1, 3, 2, 4], [2.5] * 4]
    assert concordance(np.array(ranks)) == pytest.approx(0.6210526316, abs=1e-10)
    assert concordance(np.array([[1.0, 2, 3]] * 4)) == 1
    assert concordance(np.array([[1.0, 2, 3], [3, 2, 1]])) == 0
    assert np.isnan(concordance(np.full((4, 3), 2.0)))
    results = survey(np.random.default_rng(3).normal(0, 0.02, (9, 3)).tolist())
    found = by_dataset(results, "paired-t")
    blocks = compare(layout(results), "friedman", null="asymptotic")
    assert found.concordance * 9 * 2 == pytest.approx(blocks.overall.statistic)


def test_what_cannot_be_analysed_is_listed_with_its_reason():
    results = survey([BETTER, BETTER, WORSE, BETTER])
    scores = results.to_pandas()
    kept = scores[(scores["dataset"] != "d2") | (scores["algorithm"] != "lda")]
    partial = podium.read(kept, sampling="bootstrap")
    found = by_dataset(partial, "paired-t")
    assert list(found.refused) == ["d2"]
    assert "The algorithm 'lda' has no score" in found.refused["d2"]
    assert list(found.orders) == ["d1", "d3", "d4"]
    assert "d2" in repr(found)
    assert "no score" in found._repr_html_()
    assert "not-analysed" in codes(found)
    counted = by_dataset(partial, "paired-t", gaps="worst")
    assert counted.refused == {}
    assert {"worst-case-values"} <= codes(counted)
    # weights of data sets that could not be analysed are not used
    assert by_dataset(partial, "paired-t", weights=[1, 9, 1, 1]).weights == {
        "d1": 1.0,
        "d3": 1.0,
        "d4": 1.0,
    }


def test_notes_say_what_is_not_adjusted_for():
    results = survey([BETTER] * 3)
    found = by_dataset(results, "paired-t")
    text = next(say(note) for note in found.notes if note.code == "multiplicity")
    assert "0.05 x 3 = 0.15 data sets with a false claim" in text
    bare = by_dataset(results, "paired-t", adjust="none")
    assert "alpha x data sets x pairs = 0.45 false claims" in repr(bare)
    assert "a share of the claims" in repr(by_dataset(results, "paired-t", adjust="bh"))
    control = by_dataset(results, "paired-t", control="svm")
    assert "uncompared" in codes(control)
    assert len(control.pairs) == 2
    assert "conditional-on-sample" in codes(found)


def test_as_many_data_sets_err_under_the_null_as_the_note_expects():
    results = survey([(0, 0)] * 100, ("svm", "knn"), samples=12)
    found = by_dataset(results, "paired-t")
    wrong = int(found.pairs[["first_better", "second_better"]].to_numpy().sum())
    assert wrong == sum(len(order.groups) > 1 for order in found.orders.values())
    assert abs(wrong - 0.05 * 100) <= 6  # three binomial standard deviations
    assert found.concordance < 0.06  # W has mean 1 / 100


def test_equivalence_and_folds_are_counted_too():
    same = by_dataset(survey([(0, 0, 0.05)] * 3), "paired-t", relevance=0.02)
    assert same.pairs["equivalent"].tolist() == [3, 0, 0]
    frame = survey([BETTER] * 3, samples=10).to_pandas()
    folds = by_dataset(podium.read(frame, sampling="cv:10"))
    assert {c.procedure for c in folds.comparisons.values()} == {"corrected-t"}
    assert folds.to_dict()["target"] == "population"


def test_data_sets_that_are_analysed_unlike_are_named():
    frame = survey([BETTER] * 3, samples=40).to_pandas()
    few = frame[(frame["dataset"] != "d3") | (frame["sample"] <= 10)]
    found = by_dataset(podium.read(few, sampling="bootstrap"), "wilcoxon")
    text = next(say(note) for note in found.notes if note.code == "procedures-differ")
    assert "wilcoxon (asymptotic) on d1, d2; wilcoxon (exact) on d3" in text


def test_it_exports_plain_values():
    found = by_dataset(survey([BETTER, WORSE]), "paired-t")
    values = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert values["distances"] == [[0, 6], [6, 0]]
    assert values["datasets"]["d1"]["order"]["text"] == "svm ≻ knn ≻ lda"
    assert values["ranks"]["d2"] == {"svm": 3, "knn": 2, "lda": 1}
    assert values["concordance"] == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"weights": [1]}, "2 data sets need as many weights, not 1"),
        ({"weights": {"d1": 1}}, "'d2' has none"),
        ({"weights": {"dd": 1}}, "'dd' is not a data set of these results"),
        ({"weights": [1, -1]}, "eight"),
        ({"family": "weka"}, "Did you mean 'weak'"),
        ({"time_limit": 0}, "in seconds above 0"),
        ({"measure": "auc"}, "'auc' is not a measure of these results"),
        ({"procedure": "nemeny"}, "Did you mean 'nemenyi'"),
        ({"procedure": "corrected-t"}, "'corrected-t' is not valid"),
    ],
)
def test_wrong_requests_are_refused_at_once(options, message):
    with pytest.raises((InferenceError, UnknownName), match=message):
        by_dataset(survey([BETTER, WORSE]), **{"procedure": "paired-t", **options})


def test_too_few_data_sets_are_refused():
    with pytest.raises(InferenceError, match="there is only 'd1': use compare"):
        by_dataset(survey([BETTER]))
    wide = pd.DataFrame({"dataset": ["x", "y"], "svm": [0.1, 0.2], "knn": [0.2, 0.3]})
    with pytest.raises(
        InferenceError, match=r"one score per algorithm.*compare over the data sets"
    ):
        by_dataset(podium.read(wide, measure="error"))
    frame = survey([BETTER, WORSE]).to_pandas()
    one = frame[(frame["dataset"] == "d1") | (frame["sample"] == 1)]
    with pytest.raises(InferenceError, match=r"of 2 only 1 can be analysed\. 'd2' cannot: A comp"):
        by_dataset(podium.read(one, sampling="bootstrap"), "paired-t")


def test_contrasts_make_no_order_of_any_data_set():
    options = Options("paired-t", contrasts={"x": {"svm": 1, "knn": -1}})
    with pytest.raises(InferenceError, match="make no order"):
        orders_by_dataset(survey([BETTER, WORSE]), options)


def test_notes_about_algorithms_whose_names_differ_in_digits_stay_apart():
    rng = np.random.default_rng(0)
    rows = []
    for dataset, still in (("u", "knn1"), ("v", "knn5")):
        base = rng.normal(size=12)
        for name in ("lda", "knn1", "knn5"):
            own = base + 1 if name == still else base + rng.normal(size=12)
            rows += [(dataset, name, s, v) for s, v in enumerate(base if name == "lda" else own)]
    table = pd.DataFrame(rows, columns=["dataset", "algorithm", "sample", "loss"])
    found = by_dataset(podium.read(table, sampling="bootstrap"), procedure="paired-t")
    told = [say(note) for note in found.notes if note.code == "no-variation"]
    assert [text[:5] for text in told] == ["On u:", "On v:"]
    assert "knn1" in told[0]
    assert "knn5" in told[1]
