"""Multiverses against comparisons made one by one, and what they list, count and refuse."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import astuple
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from podium import compare, layout, multiverse
from podium import decide as decide_comparisons
from podium import read as read_table
from podium.asking.robustness.multiverse import ELEMENTS
from podium.core.inference import permutation
from podium.core.inference.bricks.nulls import LEAST_BLOCKS, parse_null
from podium.core.inference.comparing.known import PROCEDURES
from podium.core.inference.comparing.legality import alternatives
from podium.core.orders import distance
from podium.core.questions.targets import TARGETS
from podium.core.words.saying import say
from podium.errors import InferenceError, UnknownName

NAMES = ["a", "b", "c", "d"]


def scores(blocks, step=0.6, seed=1, names=NAMES, block="sample"):
    """Scores of which each algorithm's are a step above the one before, with block effects."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(blocks, 1)) + rng.normal(size=(blocks, len(names)))
    apart = values + step * np.arange(len(names))
    table = pd.DataFrame(0.4 + apart / 40, columns=names)  # shares, as an accuracy is
    labels = range(1, blocks + 1) if block == "sample" else [f"d{i}" for i in range(blocks)]
    table.insert(0, block, labels)
    return table


def results(blocks=20, sampling="bootstrap", measure="accuracy", **options):
    return read_table(scores(blocks, **options), sampling=sampling, measure=measure)


@pytest.fixture(scope="module")
def made():
    """Three samplings, of few and of many blocks."""
    several = [
        results(),
        results(100, "repeated-cv:10x10", seed=2),
        results(10, "5x2cv", step=2, seed=3),
    ]
    return several, multiverse(several)


def again(several, universe):
    """The order of a universe, compared by hand with the null that it states."""
    choice = universe.choice
    found = next(r for r in several if str(r.sampling) == choice.sampling)
    blocks = layout(found, measure=choice.measure, target=choice.target)
    return decide_comparisons(compare(blocks, choice.procedure, null=parse_null(universe.null)))


def test_every_universe_is_the_comparison_of_its_choice(made):
    several, found = made
    assert len(found.universes) > 40
    assert [u.order for u in found.universes] == [again(several, u) for u in found.universes]


def test_every_choice_has_an_order_or_a_reason(made):
    several, found = made
    kept = [u.choice for u in found.universes]
    chosen = Counter(astuple(c) for c in [*kept, *(r.choice for r in found.refused)])
    expected = []
    for r in several:
        for target in TARGETS:
            legal = alternatives(layout(r, target=target))
            head = (r.datasets[0], "accuracy", str(r.sampling), target)
            expected += [(*head, name) for name in (PROCEDURES if legal else [""])]
    assert chosen == Counter(expected)
    assert all(r.reason.endswith(".") for r in found.refused)


def test_procedures_that_are_left_out_as_twins_have_the_same_pairs(made):
    several, found = made
    twins = [r for r in found.refused if r.reason.startswith("Its pairs are those of")]
    assert {t.choice.procedure for t in twins} >= {"nemenyi", "iman-davenport", "aligned-tukey"}
    for twin in twins:
        blocks = layout(several[0], target="sample")
        tables = [
            compare(blocks, name).table["p_adjusted"].to_numpy()
            for name in (twin.choice.procedure, twin.reason.split("'")[1])
        ]
        assert tables[0] == pytest.approx(tables[1])


def test_what_needs_a_control_or_another_criterion_is_told(made):
    _, found = made
    reasons = {r.choice.procedure: r.reason for r in found.refused if r.choice.target == "sample"}
    assert reasons["mixed-dunnett"] == "It compares with a control, and none was given (control=)."
    assert reasons["paired-scale"].startswith("It orders by another criterion than the scores")
    assert reasons["kfold-t"].startswith("'kfold-t' is not valid for ")
    assert "Valid here" not in reasons["kfold-t"]


def test_verdicts_are_those_of_the_orders(made):
    _, found = made
    for row in found.pairs.to_dict("records"):
        first, second = NAMES.index(row.pop("first")), NAMES.index(row.pop("second"))
        assert row["better"] == sum(u.order.better[first, second] for u in found.universes)
        assert row["worse"] == sum(u.order.better[second, first] for u in found.universes)
        assert sum(row.values()) == len(found.universes)


def test_distances_clusters_and_distinct_orders_are_those_of_the_orders(made):
    _, found = made
    orders = [u.order for u in found.universes]
    for i, j in combinations(range(len(orders)), 2):
        assert found.distances[i, j] == distance(orders[i], orders[j])
    assert dict(found.counts) == dict(Counter(orders))
    assert found.orders["universes"].is_monotonic_decreasing
    assert found.orders["share"].sum() == pytest.approx(1)
    clusters = found.dendrogram.clusters(2)
    assert sorted(label for c in clusters for label in c) == sorted(found.labels)
    assert len(set(found.labels)) == len(orders)
    assert found.consensus().value == pytest.approx(
        sum(distance(found.consensus().order, order) for order in orders)
    )


def test_an_element_alone_is_replaced_in_pairs_that_differ_in_nothing_else(made):
    _, found = made
    apart = {element: [] for element in ELEMENTS}
    for first, second in combinations(found.universes, 2):
        other = [e for e in ELEMENTS if getattr(first.choice, e) != getattr(second.choice, e)]
        if len(other) == 1:
            apart[other[0]].append(distance(first.order, second.order))
    table = found.choices.set_index("element")
    assert list(table.index) == [e for e in ELEMENTS if apart[e]] == ["sampling", "procedure"]
    for element, row in table.iterrows():
        assert row["pairs"] == len(apart[element])
        assert row["mean"] == pytest.approx(np.mean(apart[element]))
        assert row["same"] == pytest.approx(np.mean(np.array(apart[element]) == 0))
        assert row["largest"] == max(apart[element])


def test_nulls_are_stated_and_drawn_ones_take_the_seed(made):
    several, found = made
    few = [u for u in found.universes if u.choice.sampling == "bootstrap:20"]
    nulls = {u.choice.procedure: u.null for u in few}
    assert (nulls["sign-flip"], nulls["wilcoxon"], nulls["paired-t"]) == (
        "permutation:9999",
        "exact",
        "asymptotic",
    )
    assert len(layout(several[0]).values) < LEAST_BLOCKS
    other = multiverse(several[0], procedures="friedman", seed=7)
    expected = compare(layout(several[0]), "friedman", null=permutation(9999, seed=7))
    assert other.universes[0].order == decide_comparisons(expected)
    assert [note.code for note in found.notes[:2]] == ["descriptive", "nulls"]
    assert "not valid inference" in say(found.notes[0])
    assert "permutation:9999 in " in say(found.notes[1])
    assert "(seed 0)" in say(found.notes[1])


def test_smaller_is_better_where_the_measure_says_so():
    errors = multiverse(results(measure="error"), procedures=["paired-t", "friedman"])
    accuracies = multiverse(results(), procedures=["paired-t", "friedman"])
    assert [u.order for u in errors.universes] == [u.order.reversed() for u in accuracies.universes]
    assert any(u.order.better.any() for u in errors.universes)


def test_against_a_control_the_other_pairs_are_uncompared():
    found = multiverse(results(step=2), control="d")
    pairs = found.pairs.set_index(["first", "second"])
    total = len(found.universes)
    assert pairs.loc[("a", "d"), "worse"] == total - pairs.loc[("a", "d"), "undecided"] > 0
    assert pairs.loc[("a", "b"), "uncompared"] == total


def test_with_a_relevance_rank_tests_are_refused_and_pairs_can_be_equivalent():
    found = multiverse(results(60, step=0.01), relevance=0.9, procedures=["paired-t", "friedman"])
    assert [u.choice.procedure for u in found.universes] == ["paired-t"]
    assert found.pairs["equivalent"].tolist() == [1] * 6
    assert any("takes no relevance" in r.reason for r in found.refused)


def test_several_data_sets_are_blocks():
    found = multiverse(results(12, None, block="dataset"))
    assert {(u.choice.dataset, u.choice.target) for u in found.universes} == {
        ("12 data sets", "dataset-population")
    }
    assert found.universes[0].choice.sampling == "not said"


def nested(datasets=8, samples=3, sampling="bootstrap"):
    """Several samples of several data sets."""
    parts = [
        scores(samples, seed=seed, names=NAMES[:3]).assign(dataset=f"d{seed}")
        for seed in range(datasets)
    ]
    long = pd.concat(parts).melt(["dataset", "sample"], NAMES[:3], "algorithm", "accuracy")
    return read_table(long, sampling=sampling)


def test_samples_within_data_sets_are_averaged_and_nested():
    table = nested()
    found = multiverse(table, procedures=["paired-t", "survey-fixed", "survey-random"])
    told = found.table[["target", "procedure", "block", "blocks"]].to_numpy().tolist()
    assert told == [
        ["datasets", "survey-fixed", "nested", 24],
        ["dataset-population", "paired-t", "dataset", 8],
        ["dataset-population", "survey-random", "nested", 24],
    ]
    by_hand = compare(layout(table, nested=True), "survey-random")
    assert found.universes[2].order == decide_comparisons(by_hand)
    kept = {u.choice.procedure for u in multiverse(table).universes}
    assert {"survey-fixed", "survey-random", "paired-t"} <= kept
    reasons = {(r.choice.target, r.choice.procedure): r.reason for r in found.refused}
    assert reasons["dataset-population", "survey-fixed"] == (
        "'survey-fixed' is not valid for samples within data sets ('bootstrap:3') and the target "
        "'dataset-population': samples of one data set are no new data sets."
    )


def test_warnings_of_universes_are_kept_and_told_once_with_their_number():
    found = multiverse(nested(), procedures=["paired-t", "wilcoxon"], targets="dataset-population")
    assert found.table["warnings"].tolist() == ["averaged, few-data-sets"] * 2
    told = {note.code: say(note) for note in found.notes}
    assert (
        told["few-data-sets"]
        == "In 2 of 2 analyses: 8 data sets are few: only large differences show."
    )


def test_without_gaps_skillings_mack_repeats_friedman_and_with_gaps_it_does_not():
    whole = scores(12, block="dataset")
    gaps = whole.assign(a=whole["a"].where(whole.index > 1))
    found = [multiverse(read_table(t, measure="accuracy")) for t in (whole, gaps)]
    kept = [{u.choice.procedure for u in one.universes} for one in found]
    assert ["skillings-mack" in names for names in kept] == [False, True]
    reasons = {r.choice.procedure: r.reason for r in found[0].refused}
    assert reasons["skillings-mack"].startswith("Its pairs are those of 'friedman' here")
    blocks = layout(read_table(whole, measure="accuracy"))
    pair = [compare(blocks, name).table["p_adjusted"] for name in ("friedman", "skillings-mack")]
    assert pair[0].tolist() == pytest.approx(pair[1].tolist())


def test_an_empty_multiverse_gives_the_reason_of_a_legal_procedure_for_the_own_target():
    with pytest.raises(InferenceError) as error:
        multiverse(nested(), relevance=-1)
    assert "'friedman' for the target 'dataset-population' so: relevance must be" in str(
        error.value
    )


def test_orders_of_one_text_are_told_apart_by_their_pairs(made):
    _, found = made
    table = found.orders
    assert table["unlike_first"][0] == ""
    assert table.duplicated("order").any()
    assert not table.duplicated(["order", "unlike_first"]).any()


def test_several_measures_are_universes_and_unknown_ones_are_refused():
    long = [
        scores(20, seed=seed).melt("sample", NAMES, "algorithm", "value").assign(measure=name)
        for seed, name in enumerate(["accuracy", "auc"])
    ]
    table = read_table(pd.concat(long), sampling="bootstrap")
    found = multiverse(table, procedures="paired-t", targets="sample")
    assert [u.choice.measure for u in found.universes] == ["accuracy", "auc"]
    assert found.labels == ("accuracy", "auc")
    some = multiverse(table, procedures="paired-t", measures=["auc", "f1"], targets="sample")
    assert [u.choice.measure for u in some.universes] == ["auc"]
    assert "'f1' is not a measure of these results" in some.refused[0].reason


def test_progress_is_told():
    told = []
    found = multiverse(results(), progress=lambda done, total: told.append((done, total)))
    total = len(found.universes) + len(found.refused)
    assert told == [(done, total) for done in range(1, total + 1)]


def test_it_prints_shows_and_exports_itself_with_odd_names():
    names = ["<script>x</script>", 'say "hi"', "\x1b[31m", "a ≈ b"]
    found = multiverse(results(names=names), control=names[0])
    text, page = repr(found), found._repr_html_()
    assert re.match(r"\d+ valid analys[ei]s gives? \d+ orders?; ", text)
    assert "\x1b" not in text
    assert "<script>" not in page
    written = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert len(written["universes"]) == len(written["distances"]) == len(found.table)
    assert list(found.table.columns) == [
        *ELEMENTS,
        "block",
        "blocks",
        "null",
        "adjustment",
        "order",
        "warnings",
    ]
    assert len(written["refused"]) == len(found.refusals) == len(found.refused)


def test_scores_without_a_difference_make_all_alike():
    constant = scores(20).assign(**dict.fromkeys(NAMES, 1.0))
    found = multiverse(read_table(constant, sampling="bootstrap", measure="accuracy"))
    assert list(found.orders["order"]) == ["a ≈ b ≈ c ≈ d"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: multiverse([]), "A multiverse needs results, or a list of them"),
        (lambda: multiverse(None), "A multiverse needs results, or a list of them"),
        (lambda: multiverse(results(), seed=-1), "A seed is a whole number from 0 on, not -1."),
        (lambda: multiverse(["scores.csv"]), "A multiverse needs results, or a list of them"),
        (
            lambda: multiverse([results(), results(names=["a", "b", "c"])]),
            "of the same algorithms, but 'd' is not in all of them",
        ),
        (lambda: multiverse(results(), control="e"), "'e' is not an algorithm."),
        (lambda: multiverse(results(), targets=["world"]), "'world' is not a target."),
        (lambda: multiverse(results(), alpha=2), "alpha must lie between 0 and 1, not 2"),
        (
            lambda: multiverse(results(names=["a"])),
            "'friedman' for the target 'sample' so: A comparison needs two algorithms",
        ),
        (lambda: multiverse(results(10, "loo")), "The multiverse is empty."),
        (lambda: multiverse(results(), measures=[]), "There is no measure to compare."),
    ],
)
def test_what_makes_no_multiverse_is_refused(call, message):
    with pytest.raises(InferenceError) as error:
        call()
    assert message in str(error.value)


def test_an_unknown_procedure_is_refused():
    with pytest.raises(UnknownName, match="Did you mean 'friedman'"):
        multiverse(results(), procedures=["freidman"])
