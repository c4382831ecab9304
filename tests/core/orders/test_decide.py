"""From p-values to an order, against eugster2008 and against letters from R."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from podium import decide as decide_comparisons
from podium.core.orders.decide import ordered_by_directions, significant
from podium.errors import InferenceError


def decide(table, algorithms, means=None, alpha=0.05):
    return ordered_by_directions(significant(table, alpha), algorithms, means)


def table(*rows: tuple[str, str, float, float]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["first", "second", "p_adjusted", "direction"])


# eugster2008, section 3.2: rank sums R_j (small is better) and p-values of the
# Wilcoxon-Nemenyi-McDonald-Thompson test; all pairs not listed have p = 0.000
RANK_SUMS = {
    "blue": 393.5,
    "green": 955.5,
    "orange": 1176.5,
    "purple": 1175.5,
    "red": 413.5,
    "yellow": 1135.5,
}
NOT_SIGNIFICANT = {
    ("blue", "red"): 0.996,
    ("orange", "yellow"): 0.907,
    ("orange", "purple"): 1.0,
    ("purple", "yellow"): 0.916,
}


def eugster() -> pd.DataFrame:
    names = list(RANK_SUMS)
    return table(
        *(
            (a, b, NOT_SIGNIFICANT.get((a, b), 0.0), np.sign(RANK_SUMS[b] - RANK_SUMS[a]))
            for i, a in enumerate(names)
            for b in names[i + 1 :]
        )
    )


def test_the_order_of_eugster2008_follows_from_its_p_values():
    order = decide(eugster(), list(RANK_SUMS))
    assert order.text == "blue ≈ red ≻ green ≻ orange ≈ purple ≈ yellow"
    assert order.uncompared == frozenset()
    by_rank_sum = decide(eugster(), list(RANK_SUMS), [-r for r in RANK_SUMS.values()])
    assert by_rank_sum.text == "blue ≈ red ≻ green ≻ yellow ≈ purple ≈ orange"
    assert by_rank_sum == order


# Tukey contrasts "second - first" of errors in a survey with mixed models; R 4.2, multcomp 1.4:
#   s <- summary(glht(fit, linfct = mcp(alg = "Tukey"))); cld(s)$mcletters$Letters
# with p ~ alg*ds + (1|ds/b) at the reference data set, and with a random interaction
REFERENCE_DATA_SET = {
    "p": {
        "rpart - svm": 0.10511,
        "nnet - svm": 0.29207,
        "knn - svm": 2.0954e-06,
        "lda - svm": 9.9735e-10,
        "nb - svm": 0.0,
        "nnet - rpart": 0.99693,
        "knn - rpart": 0.083853,
        "lda - rpart": 0.0014675,
        "nb - rpart": 2.1685e-12,
        "knn - nnet": 0.021237,
        "lda - nnet": 0.00020164,
        "nb - nnet": 2.3981e-14,
        "lda - knn": 0.82755,
        "nb - knn": 4.1167e-05,
        "nb - lda": 0.0071939,
    },
    "error": {
        "svm": 0,
        "rpart": 0.0135,
        "nnet": 0.0110,
        "knn": 0.0275,
        "lda": 0.0340,
        "nb": 0.0522,
    },
    "cld": {"svm": "a", "rpart": "ab", "nnet": "a", "knn": "bc", "lda": "c", "nb": "d"},
    "text": "svm ≈ nnet ≈ rpart ≿ knn ≈ lda ≻ nb",
}
RANDOM_INTERACTION = {
    "p": {
        "rpart - svm": 0.019757,
        "nnet - svm": 0.19467,
        "knn - svm": 0.060001,
        "lda - svm": 0.0034305,
        "nb - svm": 0.031429,
        "nnet - rpart": 0.95582,
        "knn - rpart": 0.99905,
        "lda - rpart": 0.9961,
        "nb - rpart": 0.99999,
        "knn - nnet": 0.99667,
        "lda - nnet": 0.74956,
        "nb - nnet": 0.98073,
        "lda - knn": 0.95216,
        "nb - knn": 0.99992,
        "nb - lda": 0.98694,
    },
    "error": {
        "svm": 0,
        "rpart": 0.0476,
        "nnet": 0.0346,
        "knn": 0.0419,
        "lda": 0.0551,
        "nb": 0.0453,
    },
    "cld": {"svm": "a", "rpart": "b", "nnet": "ab", "knn": "ab", "lda": "b", "nb": "b"},
    "text": "svm ≈ nnet ≈ knn ≿ nb ≈ rpart ≈ lda",
}


def order_from_r(reference):
    error = reference["error"]
    pairs = {tuple(pair.split(" - ")): p for pair, p in reference["p"].items()}
    rows = [(a, b, p, np.sign(error[b] - error[a])) for (a, b), p in pairs.items()]
    return decide(table(*rows), list(error), [-e for e in error.values()])


@pytest.mark.parametrize("reference", [REFERENCE_DATA_SET, RANDOM_INTERACTION])
def test_letters_agree_with_multcomp(reference):
    order = order_from_r(reference)
    letters, cld = order.letters(), reference["cld"]
    assert order.text == reference["text"]
    # R gives its letters in the order of the factor's levels, we from the best
    assert sorted(map(len, letters.values())) == sorted(map(len, cld.values()))
    for a in cld:
        for b in cld:
            assert bool(set(letters[a]) & set(letters[b])) == bool(set(cld[a]) & set(cld[b]))


def test_p_equal_to_alpha_is_significant():
    rows = table(("a", "b", 0.05, 1))
    assert decide(rows, ["a", "b"]).text == "a ≻ b"
    assert decide(rows, ["a", "b"], alpha=0.049).text == "a ≈ b"


def test_the_direction_says_who_is_better():
    assert decide(table(("a", "b", 0.01, -1)), ["a", "b"]).text == "b ≻ a"
    assert decide(table(("a", "b", 0.01, 0)), ["a", "b"]).text == "a ≈ b"
    assert decide(table(("a", "b", 0.01, math.nan)), ["a", "b"]).text == "a ≈ b"


def test_a_missing_p_is_not_significant_but_compared():
    order = decide(table(("a", "b", math.nan, 1)), ["a", "b"])
    assert order.text == "a ≈ b"
    assert order.uncompared == frozenset()


def test_missing_values_of_nullable_columns_are_read():
    rows = table(("a", "b", 0.01, 1), ("a", "c", 0.02, 1), ("b", "c", 0.5, 1))
    rows = rows.astype({"p_adjusted": "Float64", "direction": "Int64"})
    rows.loc[1, "p_adjusted"] = rows.loc[2, "direction"] = pd.NA
    assert decide(rows, ["a", "b", "c"]).text == "a ≈ c ≿ b"


def test_pairs_without_a_row_are_uncompared():
    rows = table(("a", "control", 0.01, 1), ("b", "control", 0.5, 1), ("c", "control", 0.01, -1))
    order = decide(rows, ["control", "a", "b", "c"])
    assert order.uncompared == {("a", "b"), ("a", "c"), ("b", "c")}
    assert order.text == "a ∥ b ≿ control ≻ c"


def test_algorithms_on_both_sides_of_a_control_are_not_claimed_to_differ():
    rows = table(("a", "control", 0.01, 1), ("c", "control", 0.01, -1))
    order = decide(rows, ["control", "a", "c"])
    assert order.text == "a ≻ control ≿ c"  # a < control < c would claim a < c
    assert order.violations("transitive") == [("a", "control", "c")]


def test_no_comparisons_make_all_alike():
    order = decide(table(), ["b", "a"])
    assert order.text == "a ∥ b"
    assert order.uncompared == {("b", "a")}


def test_further_columns_and_the_index_do_not_matter():
    rows = eugster().assign(estimate=1.0).sample(frac=1, random_state=1)
    assert decide(rows, list(RANK_SUMS)) == decide(eugster(), list(RANK_SUMS))


@pytest.mark.parametrize(
    ("rows", "alpha", "message"),
    [
        (table(("a", "x", 0.1, 1)), 0.05, "'x' is not a compared algorithm. Known: a, b."),
        (table(("a", "a", 0.1, 1)), 0.05, "The algorithm 'a' is compared with itself."),
        (
            table(("a", "b", 0.1, 1), ("b", "a", 0.1, 1)),
            0.05,
            "The algorithms 'b' and 'a' are compared more than once; "
            "an order needs one row per pair.",
        ),
        (table(("a", "b", 1.5, 1)), 0.05, "An adjusted p-value lies between 0 and 1, not at 1.5."),
        (table(("a", "b", 0.1, 1)), 5, "The level alpha must lie between 0 and 1, not 5."),
        (
            table(("a", "b", 0.1, 1)).drop(columns="direction"),
            0.05,
            "The table of comparisons lacks the column 'direction'; "
            "it needs first, second, p_adjusted, direction.",
        ),
    ],
)
def test_wrong_tables_are_refused(rows, alpha, message):
    with pytest.raises(InferenceError) as error:
        decide(rows, ["a", "b"], alpha=alpha)
    assert str(error.value) == message


def compared(higher_is_better: bool, **more) -> SimpleNamespace:
    """a, b and c with means 0.1, 0.2 and 0.4; only c differs."""
    rows = {
        "first": ["a", "a", "b"],
        "second": ["b", "c", "c"],
        "estimate": [-0.1, -0.3, -0.2],
        "lower": [-0.25, -0.45, -0.35],
        "upper": [0.05, -0.15, -0.05],
        "statistic": [-1.5, -4.5, -3.0],
        "p": [0.1, 0.001, 0.01],
        "p_adjusted": [0.3, 0.002, 0.02],
    }
    known = more.get("relevance", 0) >= 0
    word = "worse" if higher_is_better else "better"
    small = [known and p <= more.get("alpha", 0.05) for p in rows["p_adjusted"]]
    rows["verdict"] = [word if yes else "undecided" for yes in small]
    sign = 1 if higher_is_better else -1
    line = ("a", "b", "c")[:: -1 if higher_is_better else 1]
    facts = {
        "table": pd.DataFrame(rows),
        "algorithms": ("a", "b", "c"),
        "decision": SimpleNamespace(line=line),
        "sign": sign,
        "alpha": 0.05,
        "relevance": 0.0,
        "has_posterior": False,
    }
    return SimpleNamespace(**(facts | more))


def test_comparisons_are_decided_in_the_direction_of_their_measure():
    assert decide_comparisons(compared(higher_is_better=False)).text == "a ≈ b ≻ c"
    assert decide_comparisons(compared(higher_is_better=True)).text == "c ≻ b ≈ a"


def test_alpha_is_that_of_the_comparisons_unless_given():
    assert decide_comparisons(compared(False, alpha=0.01)).text == "a ≈ b ≿ c"
    assert decide_comparisons(compared(False), alpha=0.01).text == "a ≈ b ≿ c"
    assert decide_comparisons(compared(False), alpha=0.5).text == "a ≻ b ≻ c"


def test_another_relevance_is_decided_by_the_intervals():
    assert decide_comparisons(compared(False), relevance=0.0).text == "a ≈ b ≻ c"
    assert decide_comparisons(compared(False), relevance=0.1).text == "a ≈ b ≿ c"
    assert decide_comparisons(compared(True), relevance=0.1).text == "c ≈ b ≿ a"
    assert decide_comparisons(compared(False), relevance=0.2).text == "a ≈ b ≈ c"
    with_margin = compared(False, relevance=0.2)
    assert decide_comparisons(with_margin, relevance=0.0).text == "a ≈ b ≻ c"


def test_non_inferiority_shows_none_to_be_better():
    assert decide_comparisons(compared(False, relevance=-0.1)).text == "a ≈ b ≈ c"


def test_with_a_posterior_chances_decide():
    chances = pd.DataFrame(
        [
            ("a", "b", 0.6, 0.3, "undecided"),
            ("a", "c", 0.97, 0.0, "better"),
            ("b", "c", 0.01, 0.99, "worse"),
        ],
        columns=["first", "second", "win", "lose", "verdict"],
    )
    evidence = compared(False, table=chances, has_posterior=True)
    assert decide_comparisons(evidence).better.tolist() == [
        [False, False, True],
        [False, False, False],
        [False, True, False],
    ]
    assert not decide_comparisons(evidence, alpha=0.005).better.any()


def test_another_relevance_needs_intervals_at_the_same_alpha():
    message = "compare again with relevance=0.1, alpha="
    with pytest.raises(InferenceError, match=message + "0.01"):
        decide_comparisons(compared(False), alpha=0.01, relevance=0.1)
    table = compared(False).table.assign(lower=math.nan, upper=math.nan)
    with pytest.raises(InferenceError, match=message + "0.05"):
        decide_comparisons(compared(False, table=table), relevance=0.1)
    with pytest.raises(InferenceError, match=r"at least 0, not -0\.1"):
        decide_comparisons(compared(False), relevance=-0.1)
