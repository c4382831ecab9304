"""The paragraph on top of a page: right words for one, two and many, and nothing beyond."""

import numpy as np
import pandas as pd
import pytest
from tables_built import by_hand, errors, surveyed
from told import told

import podium
from podium.answers.claims import allowed, cautionary, claim, failures, legend
from podium.reports.analysis import Evidence, analysed


def claimed(results, **options):
    found = podium.compare(results, **options)
    return claim(Evidence(found, podium.decide(found)), results)


def test_two_algorithms_of_which_one_is_better_with_difference_and_interval():
    first = np.tile([0.10, 0.12], 10)
    second = first + np.tile([0.03, 0.05, 0.04], 7)[:20]
    results = by_hand(first, second)
    text = claimed(results)
    row = podium.compare(results).table.iloc[0]
    assert text.startswith("a is better than b. The mean error of a is lower than that of b by ")
    ends = f"{-row['upper']:.4f} to {-row['lower']:.4f}"
    assert f"{-row['estimate']:.4f} (95 % interval {ends})" in text
    assert "pair" not in text  # there is one, and it is decided


def test_a_difference_of_rounding_is_none():
    first = np.array([0.1, 0.2, 0.3, 0.4])
    text = claimed(by_hand(first, first[[1, 0, 3, 2]] + [1e-17, 0, 5e-17, 0]))
    assert "Their mean error is the same." in text


def test_an_open_pair_is_not_called_equal():
    text = claimed(errors({"a": 0.2, "b": 0.2}, samples=8))
    assert text.startswith("It is open which of a and b is better.")
    assert "every difference within these limits is compatible with the scores" in text
    assert "That the pair is open does not show that the two are equal." in text


@pytest.mark.parametrize(
    ("means", "said"),
    [
        ({"a": 0.1, "b": 0.3, "c": 0.5}, "a is better than each of the other 2 algorithms."),
        ({"a": 0.1, "b": 0.1, "c": 0.5},
         "are in the lead: nobody is shown to be better than either of them, and which of them is "
         "better is open."),
        ({"a": 0.1, "b": 0.1, "c": 0.1, "d": 0.5}, "are in the lead: nobody is shown to be better "
         "than any of them, and which of them is best is open."),
        ({"a": 0.2, "b": 0.2, "c": 0.2},
         "No winner yet: none of the 3 pairs is decided."),
    ],
)  # fmt: skip
def test_who_is_first(means, said):
    assert said in claimed(errors(means, samples=12))


def test_where_nothing_was_found_nothing_is_said_to_hold():
    alike = errors({"a": 0.2, "b": 0.2}, samples=8)
    assert "What was found" not in claimed(alike)
    assert "This is about 'iris' as it is: about further resamples" in claimed(alike)
    assert "It says nothing about new samples" in claimed(alike)
    over = claimed(surveyed({"a": 0.2, "b": 0.2}))
    assert "This is about the average over data sets like these." in over
    assert "This holds" in claimed(errors({"a": 0.1, "b": 0.4}))


def test_a_margin_is_part_of_who_is_better_and_of_what_the_signs_mean():
    results = errors({"a": 0.1, "b": 0.1, "c": 0.5}, samples=40)
    text = claimed(results, relevance=0.03)
    assert "than either of them by more than 0.03, and no two of them differ by more" in text
    found = podium.compare(results, relevance=0.03)
    assert "≻ significantly better by more than 0.03" in legend(podium.decide(found), 0.03)


def test_one_that_is_first_only_as_nothing_is_shown_of_it_is_told_apart():
    results = errors({"a": 0.1, "b": 0.2, "c": 0.3})
    idle = podium.Order.from_matrix("abc", [[0, 1, 0], [0, 0, 0], [0, 0, 0]])
    text = claim(Evidence(podium.compare(results), idle), results)
    assert "c is among them only because nothing is shown, not because it is shown to be" in text
    nobody = claimed(errors({"a": 0.1, "b": 0.1, "c": 0.5}, samples=12))
    assert "only because" not in nobody


def test_a_winner_with_an_open_pair_says_which():
    results = errors({"a": 0.1, "b": 0.2, "c": 0.3})
    chain = podium.Order.from_matrix("abc", [[0, 1, 0], [0, 0, 1], [0, 0, 0]])
    text = claim(Evidence(podium.compare(results), chain), results)
    assert "a comes first: it is better than b, but that it is better than c is not shown." in text


def test_a_circle_names_no_best():
    results = errors({"a": 0.1, "b": 0.2, "c": 0.3})
    circle = podium.Order.from_matrix("abc", [[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    text = claim(Evidence(podium.compare(results), circle), results)
    assert text.startswith("No best algorithm can be named: a, b and c are better than each other")


def test_the_counts_of_pairs_add_up():
    results = errors({"a": 0.1, "b": 0.1, "c": 0.5, "d": 0.9}, samples=12)
    assert "Of 6 pairs, 5 are decided and 1 is open" in claimed(results)
    assert (
        "Of 3 pairs that were compared (of 6 that there are), 3 are decided and none is open."
        in (claimed(results, control="c"))
    )
    said = "a and b are better than c, and d is worse than c."
    assert claimed(results, control="c").startswith(said)


def test_a_margin_makes_pairs_equivalent():
    text = claimed(errors({"a": 0.2, "b": 0.2, "c": 0.2}, sd=0.001), relevance=0.05)
    assert text.startswith("a, b and c perform alike: no two differ by more than 0.05.")
    assert "3 are equivalent within 0.05" in text


def test_what_is_computed_by_force_claims_nothing():
    text = claimed(errors({"a": 0.1, "b": 0.5}, sampling="cv:30"), procedure="kfold-t", force=True)
    assert text.startswith("Nothing of this may be claimed")
    assert "better than" not in text


def test_a_one_sided_interval_has_one_end():
    text = claimed(errors({"a": 0.1, "b": 0.5}), alternative="less")
    assert "(95 % interval: at least 0.3" in text


def test_step_down_tests_are_told_without_intervals():
    results = surveyed({"a": 0.1, "b": 0.3, "c": 0.5})
    made = podium.compare(results, "paired-t", adjust="holm")
    found = analysed(results, [made]).evidence[0]
    assert found.comparisons.table["lower"].isna().all()
    assert "interval" not in claim(found, results)


@pytest.mark.parametrize(
    ("results", "options", "may", "may_not"),
    [
        (errors({"a": 1, "b": 2}), {}, "further resamples of these", "new samples from the"),
        (errors({"a": 1, "b": 2}, sampling="cv:10", samples=10), {}, "new data from the process",
         "training sets of another size"),
        (errors({"a": 1, "b": 2}, sampling="items"), {}, "these fitted models on new items",
         "other learning samples"),
        (errors({"a": 1, "b": 2}, sampling="simulation"), {}, "new data", "other processes"),
        (errors({"a": 1, "b": 2}, sampling="competition"), {}, "for this very test set",
         "new samples from the"),
        (errors({"a": 1, "b": 2}, sampling="parametric-bootstrap"), {}, "the generator that was",
         "new samples from the"),
        (surveyed({"a": 1, "b": 2}), {"procedure": "hull"}, "on average over data sets like",
         "any single data set"),
        (surveyed({"a": 1, "b": 2}), {"procedure": "survey-fixed"}, "just these data sets",
         "other data sets"),
    ],
)  # fmt: skip
def test_the_target_decides_what_may_be_claimed(results, options, may, may_not):
    said = allowed(podium.compare(results, **options), results)
    assert may in said[0]
    assert may_not in said[1]


def test_the_legend_explains_the_signs_that_are_there():
    assert "≿" not in legend(podium.order("a ≻ b ≈ c"))
    assert "not the same as equal" in legend(podium.order("a ≻ b ≈ c"))
    assert "≈" not in legend(podium.order("a ≻ b"))


def test_notes_carry_codes_once_and_no_reasons():
    found = analysed(errors({"a": 0.2, "b": 0.2, "c": 0.2}, sampling="cv:10", samples=10))
    codes = [note.code for note in cautionary(found.evidence[0], found.results)]
    assert "dependent-folds" in codes
    assert "low-power" in codes
    assert "procedure-chosen" not in codes
    assert len(codes) == len(set(codes))


def test_missing_runs_are_counted_by_algorithm():
    results = by_hand([0.1, 0.2, np.nan], [0.1, 0.3, 0.2])
    (note,) = failures(results)
    said = "1 run of 6 is missing (a: 1): what is said is of those that are done."
    assert told([note]) == [("missing-runs", said)]


def test_what_is_not_shown_by_a_margin_says_the_margin_and_the_size():
    results = errors({"a": 0.10, "b": 0.12, "c": 0.12})
    assert "better than each" in claimed(results)
    said = "pairs is decided by more than 0.03. The widest gap"
    assert said in claimed(results, relevance=0.03)
    pair = errors({"a": 0.10, "b": 0.12})
    assert claimed(pair, relevance=0.03).startswith(
        "Neither of a and b is shown to be better than the other by more than 0.03."
    )
    signs = legend(podium.order("a ≈ b"), 0.03)
    assert signs == "Best first. ≈ not shown to differ by more than 0.03."


def test_one_sided_tests_say_what_they_cannot_find():
    said = claimed(errors({"a": 0.1, "b": 0.3, "c": 0.5}), control="a", alternative="less")
    assert "one-sided: they can only find that the error of an algorithm is smaller than" in said
    assert "one-sided" not in claimed(errors({"a": 0.1, "b": 0.3}))


def test_algorithms_without_any_difference_are_said_to_have_the_same_mean():
    same = pd.DataFrame({"sample": range(9), "a": 0.25, "b": 0.25, "c": 0.25})
    said = claimed(podium.read(same, sampling="bootstrap", measure="error"))
    assert "pairs is decided. Their mean error is the same. Of 3 pairs" in said
