"""What measures of predictions are judged by: df, few items of a class, clusters, own measures."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import podium
from podium import PodiumError
from podium.asking.predictions import influence as inf
from podium.asking.predictions import measures as losses
from podium.asking.predictions.measures import _distance, _ndcg
from podium.asking.predictions.predicted import areas_at_a_glance
from podium.core.verdicts.standing import superlative
from podium.errors import InferenceError
from podium.reading.formats import FORMATS
from podium.testing import check_format, check_weighted

RNG = np.random.default_rng(8)
N = 240
Y = (RNG.random(N) < 0.3).astype(int)
P = {m: 1 / (1 + np.exp(-(g * Y + RNG.normal(size=N)))) for m, g in (("a", 2.0), ("b", 1.2))}
WIDE = pd.DataFrame({"id": range(N), "y_true": Y, **P})


def test_few_items_of_a_class_have_values_only():
    y = np.zeros(50, int)
    y[:3] = 1
    frame = pd.DataFrame({"id": range(50), "y_true": y, "a": y, "b": 1 - y})
    found = podium.compare(frame, measure="f1")
    assert found.means == {"a": 1.0, "b": 0.0}
    assert found.table[["p", "lower", "upper"]].isna().all(axis=None)
    (note,) = [note for note in found.warnings if note.code == "few-of-a-class"]
    # three of the class in 50 items: ten of it take 10 / 3 times as many
    assert (note.rarest, note.items, note.least, note.need) == (3, 50, 10, 167)
    ten = pd.DataFrame({"id": range(50), "y_true": [1] * 10 + [0] * 40, "a": [1, 0] * 25,
                        "b": [0, 1, 1, 0, 0] * 10})  # fmt: skip
    assert podium.compare(ten, measure="f1").table["p"].notna().all(), "ten of a class are enough"


def test_procedures_that_need_scores_of_items_are_refused_by_name():
    for procedure in ("mcnemar", "wilcoxon", "paired-t", "sign-flip", "friedman"):
        with pytest.raises(PodiumError, match="no mean over items"):
            podium.compare(WIDE, procedure, measure="auc")
    with pytest.raises(PodiumError, match="Valid here: "):
        podium.compare(WIDE, "influence-t", measure="brier")
    assert podium.compare(WIDE, measure="auc").counts is None


def test_own_intervals_stay_within_bounds_and_margins_are_taken():
    found = podium.compare(WIDE, measure="auc", control="a", non_inferiority=0.5)
    assert found.table["verdict"].tolist() == ["non-inferior"]
    scores = podium.compare(WIDE, measure="auc").extras.scores
    assert ((scores["lower"] > 0) & (scores["upper"] < 1)).all()
    assert (scores["lower"] < scores["mean"]).all()


def test_weights_count_as_repeated_items():
    again = pd.concat([WIDE, WIDE.iloc[:60]], ignore_index=True).assign(id=range(300))
    weighted = WIDE.assign(weight=np.where(np.arange(N) < 60, 2, 1))
    for measure in ("auc", "average-precision", "f1", "brier-skill", "brier", "mcc"):
        values = [podium.compare(f, measure=measure).means for f in (again, weighted)]
        assert values[0] == pytest.approx(values[1], abs=1e-12)


def test_a_measure_of_ones_own_is_judged_as_podiums_own():
    def brier_skill(y, p, w):
        mean = np.average(y, weights=w)
        lost = np.average((y - p) ** 2, weights=w) / np.average((y - mean) ** 2, weights=w)
        return 1 - lost

    check_weighted(brier_skill, Y.astype(float), P["a"])
    podium.predictions.add_measure("own-skill", brier_skill, higher_is_better=True)
    own, told = (podium.compare(WIDE, measure=m).table for m in ("own-skill", "brier-skill"))
    columns = ["estimate", "lower", "upper", "statistic", "p"]
    np.testing.assert_allclose(own[columns].astype(float), told[columns].astype(float), rtol=1e-6)


@pytest.mark.parametrize(
    ("name", "way_out"),
    [
        ("auc", "own-auc"),
        ("ROC_AUC", "own-ROC_AUC"),
        ("mae", "own-mae"),
        ("f2", "own-f2"),
        ("ECE", "own-ECE"),
        ("misclassification_rate", "own-misclassification_rate"),
        ("best_f1", "own-best_f1"),
        ("cost/right", "cost-right"),
        ("gain@10", "gain-10"),
        ("a,b", "a-b"),
    ],
)
def test_a_measure_of_ones_own_takes_no_name_that_means_another(name, way_out):
    def spread(y, p, w):
        return float(np.average(np.abs(p - 0.5), weights=w))

    before = podium.compare(WIDE, measure="auc").means
    with pytest.raises(InferenceError, match=f"(Call it|Call yours) '{way_out}'"):
        podium.predictions.add_measure(name, spread, higher_is_better=True)
    assert podium.compare(WIDE, measure="auc").means == before
    for _ in range(2):  # the way out works, and a definition may be mended
        podium.predictions.add_measure(way_out, spread, higher_is_better=True)
    found = podium.compare(WIDE, measure=way_out).means
    assert found["a"] == pytest.approx(np.abs(P["a"] - 0.5).mean())


@pytest.mark.parametrize(
    ("function", "law"),
    [
        (lambda y, p, w: np.mean((y - p) ** 2), "law 4"),
        (lambda y, p, w: np.sum(w * (y - p) ** 2), "law 2"),
        (lambda y, p, w: np.average(p, weights=w * np.arange(len(p))), "law 3"),
        (lambda y, p, w: float(p[np.argmax(w)]), "law"),
    ],
)
def test_functions_that_break_a_law_are_told(function, law):
    with pytest.raises(AssertionError, match=law):
        check_weighted(function, Y.astype(float), P["a"])


def test_rates_and_quantiles_of_columns():
    words = RNG.integers(5, 30, 80)
    rows = [
        (i, m, RNG.binomial(words[i], q), words[i], RNG.lognormal(0, q))
        for i in range(80)
        for m, q in (("a", 0.1), ("b", 0.3))
    ]
    frame = pd.DataFrame(rows, columns=["id", "model", "errors", "words", "latency"])
    found = podium.compare(podium.read(frame, measure="errors/words", higher_is_better=False))
    sums = frame.groupby("model")[["errors", "words"]].sum()
    assert found.means == pytest.approx((sums["errors"] / sums["words"]).to_dict())
    late = podium.compare(podium.read(frame, measure="latency:p90"))
    ordered = np.sort(frame.loc[frame["model"] == "a", "latency"])
    assert late.means["a"] == pytest.approx((ordered[71] + ordered[72]) / 2)
    assert late.table["verdict"].tolist() == ["better"]
    with pytest.raises(PodiumError, match="too few for 'latency:p99'; give 250"):
        podium.read(frame, measure="latency:p99")
    with pytest.raises(PodiumError, match="--lower-is-better"):
        podium.read(frame, measure="errors/words")
    check_format(FORMATS["ratio-of-columns"])


def test_texts_are_compared_by_word_error_rate():
    truth = ["the cat sat", "a dog", "no owl is here"]
    frame = pd.DataFrame(
        {"id": [1, 2, 3], "reference": truth, "a": truth, "b": ["the cat", "dog a", "no owl here"]}
    )
    columns = {"truth": "reference", "prediction": ["a", "b"]}
    found = podium.read(frame, measure="wer", columns=columns)
    assert found.scores.set_index("algorithm")["value"].to_dict() == {"a": 0.0, "b": 4 / 9}
    assert _distance(list("kitten"), list("sitting")) == 3


def test_rankings_are_scored_by_query():
    rows = [(q, RNG.integers(0, 3), RNG.normal()) for q in range(30) for _ in range(8)]
    frame = pd.DataFrame(rows, columns=["query_id", "relevance", "a"])
    frame["b"] = frame["relevance"] + RNG.normal(size=len(frame))
    columns = {"truth": "relevance", "query": "query_id", "prediction": ["a", "b"]}
    found = podium.compare(podium.read(frame, measure="ndcg@5", columns=columns))
    assert found.means["b"] > found.means["a"]
    assert found.blocks.count == 30
    assert _ndcg(np.array([2.0, 0, 1]), np.array([3.0, 2, 1]), None) == pytest.approx(
        (3 + 1 / 2) / (3 + 1 / np.log2(3))
    )
    tied = _ndcg(np.array([1.0, 0]), np.array([1.0, 1]), None)
    assert tied == pytest.approx((1 + 1 / np.log2(3)) / 2)


def test_a_class_that_no_item_has_tells_no_area():
    score = {"m": np.array([0.9, 0.2, 0.4])}
    for y in (np.ones(3, bool), np.zeros(3, bool)):
        assert areas_at_a_glance(y, score) == []


def test_calibration_is_the_mean_over_pairs_of_items_in_a_bin():
    """By loops: in every tenth, r_i r_j over pairs of different items, by its share of items."""
    p = np.array([0.02, 0.05, 0.31, 0.38, 0.39, 0.55, 0.93, 0.97, 1.0, 0.89, 0.85])
    positive = np.array([0, 1, 0, 1, 1, 1, 1, 0, 1, 1, 0], bool)
    r, expected = positive - p, 0.0
    for low in range(10):
        place = [i for i in range(11) if low == min(int(p[i] * 10), 9)]
        products = [r[i] * r[j] for i in place for j in place if i != j]
        expected += len(place) / 11 * np.mean(products) if products else 0.0
    found = losses.calibration(positive, p)
    assert found.value == pytest.approx(expected)
    assert found.psi.sum() == pytest.approx(0, abs=1e-12)


def test_calibration_less_chance_is_unbiased_where_a_model_is_calibrated():
    p = RNG.uniform(size=(400, 200))
    values = [losses.calibration(RNG.random(200) < row, row).value for row in p]
    assert abs(np.mean(values)) < 4 * np.std(values) / 20


def test_woodruffs_quantile_holds_its_level():
    x = np.random.default_rng(1).lognormal(size=(400, 200))
    found = [inf.quantile(row, 0.9) for row in x]
    reach = np.array([2 * np.sqrt((f.psi**2).sum()) / 200 for f in found])
    missed = np.abs([f.value for f in found] - np.exp(1.2815515655)) > reach
    assert missed.mean() < 0.09


def test_a_ratio_with_nothing_below_it_says_whom_to_leave_out():
    frame = pd.DataFrame({"item": [*"xyz"] * 3, "model": [*"aaabbbccc"], "cost": range(9),
                          "solved": [0, 0, 0, 1, 1, 0, 1, 0, 1]})  # fmt: skip
    with pytest.raises(PodiumError, match=r"'solved' of 'a' sums to 0.*--where 'model=b;c'"):
        podium.read(frame, measure="cost/solved")
    found = podium.compare(podium.read(frame, measure="cost/solved", where="model=b;c"))
    assert found.means == {"b": 6.0, "c": 10.5}
    assert superlative(found).difference == "cost/solved"


def test_cost_per_solved_task_sums_the_attempts():
    """Three attempts at each of thirty tasks; the ratio is of the sums of all of them."""
    rng = np.random.default_rng(3)
    rows = [(f"t{i}", m, k, rng.gamma(2, 1), int(rng.random() < 0.6)) for i in range(30)
            for m in ("a", "b") for k in range(3)]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["task", "model", "attempt", "cost", "correct"])
    found = podium.compare(podium.read(frame, measure="cost/correct"))
    sums = frame.groupby("model")[["cost", "correct"]].sum()
    assert found.means == pytest.approx((sums["cost"] / sums["correct"]).to_dict())
    assert found.blocks.count == 30


def test_attempts_have_no_sum_where_a_quantile_is_asked_for():
    """Each item is to have one value; only what is summed is a ratio of sums."""
    rng = np.random.default_rng(4)
    rows = [(f"t{i}", m, k, rng.gamma(2, 1)) for i in range(60) for m in "ab" for k in (1, 2)]
    frame = pd.DataFrame(rows, columns=["task", "model", "attempt", "latency"])
    with pytest.raises(PodiumError, match="two rows of 'a' for item 't0': keep one"):
        podium.read(frame, measure="latency:p90")
    one = podium.read(frame[frame["attempt"] == 1], measure="latency:p90")
    ordered = np.sort(frame["latency"][(frame["attempt"] == 1) & (frame["model"] == "b")])
    assert podium.compare(one).means["b"] == pytest.approx((ordered[53] + ordered[54]) / 2)


def by_hand(frame: pd.DataFrame) -> np.ndarray:
    """What each item adds to the difference of two AUCs, by counting all pairs of items."""
    y = frame["y_true"].to_numpy() == 1
    n, out = len(y), np.empty((len(y), 2))
    for k, model in enumerate(("a", "b")):
        s = frame[model].to_numpy()
        above = (s[y][:, None] > s[~y]) + 0.5 * (s[y][:, None] == s[~y])
        for side, share in ((y, above.mean(axis=1)), (~y, above.mean(axis=0))):
            m = int(side.sum())
            scale = np.sqrt((n - 1) / n * m / (m - 1)) * n / m
            out[side, k] = (share - share.mean()) * scale
    return out[:, 0] - out[:, 1]


@pytest.mark.parametrize("positives", [8, 60])
def test_p_of_an_area_has_the_df_of_its_kurtosis_and_of_the_rarest_class(positives):
    rng = np.random.default_rng(positives)
    n = 150
    y = (np.arange(n) < positives).astype(int)
    frame = pd.DataFrame({"id": range(n), "y_true": y, **{m: y + rng.normal(size=n) for m in "ab"}})
    psi = by_hand(frame)
    kurtosis = n * (psi**4).sum() / (psi**2).sum() ** 2
    df = min(n - 1, 2 * n / (kurtosis - 1), positives - 1)
    row = podium.compare(frame, measure="auc").table.iloc[0]
    t = row["estimate"] / np.sqrt((psi**2).sum() / (n * (n - 1)))
    assert row["p"] == pytest.approx(2 * stats.t.sf(abs(t), df))


def test_p_of_an_area_in_clusters_is_that_of_their_totals_by_cr2():
    rng = np.random.default_rng(9)
    sizes = np.r_[np.full(10, 6), np.full(10, 9)]
    place = np.repeat(np.arange(20), sizes)
    n = len(place)
    y = (rng.random(n) < 0.4).astype(int)
    effect = rng.normal(size=(20, 2))
    scores = {m: y + effect[place, k] + rng.normal(size=n) for k, m in enumerate("ab")}
    frame = pd.DataFrame({"id": range(n), "y_true": y, "patient": place.astype(str), **scores})
    totals = np.bincount(place, by_hand(frame)) / np.sqrt(1 - sizes / n)
    row = podium.compare(frame, measure="auc").table.iloc[0]
    assert row["statistic"] == pytest.approx(row["estimate"] / np.sqrt((totals**2).sum() / n**2))


@pytest.mark.parametrize(("measure", "threshold"), [("f1", 0.5), ("f1:1@0.3", 0.3)])
def test_labels_of_probabilities_are_taken_from_a_threshold_that_is_told(measure, threshold):
    found = podium.compare(WIDE, measure=measure)
    (note,) = [note for note in found.warnings if note.code == "threshold-taken"]
    assert note.threshold == threshold
    for name in ("a", "b"):
        taken = WIDE[name].to_numpy() >= threshold
        right = (taken & (Y == 1)).sum()
        assert found.means[name] == pytest.approx(2 * right / (taken.sum() + Y.sum()))
