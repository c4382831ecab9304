from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from results_made import compared, constant, fifty, long_names, read, six, survey, ties, two
from snapshots import assert_snapshot
from told import sentences

import podium
from podium import Comparisons, Order, Results, layout
from podium.core.inference.bricks.scales import ranks_within
from podium.errors import InferenceError
from podium.showing.plots import PLOTS, critical_difference, critical_difference_tikz
from podium.testing import check_plot

critical_difference_data = PLOTS["critical_difference"].data


def by_ranks(results: Results, **options: object) -> Comparisons:
    """Nemenyi's comparisons with the mean ranks that they are about."""
    made = podium.compare(results, "nemenyi", **options)
    ranks = dict(
        zip(made.algorithms, ranks_within(layout(results).values).mean(axis=0), strict=True)
    )
    return replace(made, method=replace(made.method, mean_ranks=ranks))


def permuted(blocks: int, algorithms: int) -> Results:
    """Data sets on each of which the scores are a permutation: no ties."""
    rng = np.random.default_rng(4)
    values = np.array([rng.permutation(algorithms) for _ in range(blocks)]) / algorithms
    table = pd.DataFrame(values, columns=[f"a{i}" for i in range(algorithms)])
    table.insert(0, "dataset", [f"d{j}" for j in range(blocks)])
    return read(table, sampling=None)


def sets(data: object) -> set[frozenset[str]]:
    return {frozenset(rows["algorithm"]) for _, rows in data.members.groupby("bar")}


def test_nemenyis_critical_difference_is_that_of_demsar_2006() -> None:
    # q = 2.569 (Table 5) for 4 algorithms; 14 data sets: 2.569 sqrt(4 * 5 / (6 * 14)) = 1.25
    found = critical_difference_data(by_ranks(permuted(14, 4), null="asymptotic"))
    assert found.critical == pytest.approx(2.569 * math.sqrt(4 * 5 / (6 * 14)), abs=2e-4)
    assert found.limits == (1.0, 4.0)


def test_with_a_permutation_null_there_is_no_critical_difference_which_is_said() -> None:
    data = critical_difference_data(by_ranks(permuted(14, 4)))
    assert math.isnan(data.critical)
    known = critical_difference_data(by_ranks(permuted(14, 4), null="asymptotic"))
    assert [text for text in sentences(data.notes) if text not in sentences(known.notes)] == [
        "No critical difference (CD) is known that decides every pair as this procedure does."
    ]


def test_the_critical_difference_of_means_is_half_an_interval_and_decides_as_the_test() -> None:
    comparisons = podium.compare(six(), "mixed-tukey")
    data = critical_difference_data(comparisons)
    row = comparisons.table.iloc[0]
    assert data.critical == pytest.approx((row["upper"] - row["lower"]) / 2)
    apart = comparisons.table["estimate"].abs() >= data.critical
    assert (apart == (comparisons.table["p_adjusted"] <= 0.05)).all()


@pytest.mark.parametrize("options", [{"relevance": 0.01}, {"alternative": "less"}])
def test_no_critical_difference_where_another_one_decides(options: dict[str, object]) -> None:
    comparisons = podium.compare(six(), "mixed-tukey", **options)
    assert math.isnan(critical_difference_data(comparisons).critical)


def test_bars_are_all_maximal_sets_of_algorithms_that_do_not_differ() -> None:
    """By full enumeration, of relations that are not transitive."""
    comparisons = podium.compare(six(), "paired-t")
    names, rng = comparisons.algorithms, np.random.default_rng(0)
    for _ in range(20):
        better = np.triu(rng.random((6, 6)) < 0.5, 1)
        order = Order(names, better)
        alike = {frozenset(p) for p in combinations(range(6), 2) if not better[p]}
        every = [s for n in range(2, 7) for s in map(frozenset, combinations(range(6), n))]
        cliques = [s for s in every if all(frozenset(p) in alike for p in combinations(s, 2))]
        maximal = {s for s in cliques if not any(s < t for t in cliques)}
        found = critical_difference_data(comparisons, order=order)
        assert sets(found) == {frozenset(names[i] for i in s) for s in maximal}


def test_a_bar_is_not_whole_where_it_passes_over_an_algorithm_of_another_set() -> None:
    comparisons = podium.compare(six().filter(algorithm=["svm", "rpart", "nnet"]), "paired-t")
    order = Order.from_pairs(
        pd.DataFrame(
            [("svm", "rpart", "<"), ("svm", "nnet", "≈"), ("rpart", "nnet", "≈")],
            columns=["first", "second", "sign"],
        ),
        comparisons.algorithms,
    )
    data = critical_difference_data(comparisons, order=order)
    assert data.algorithms["algorithm"].tolist() == ["svm", "rpart", "nnet"]
    assert sets(data) == {frozenset({"svm", "nnet"}), frozenset({"rpart", "nnet"})}
    assert data.bars["whole"].tolist() == [False, True]
    assert any("dotted where it passes over" in text for text in sentences(data.notes))


def test_bars_on_one_level_do_not_meet() -> None:
    data = critical_difference_data(compared(fifty(), "mixed-tukey"))
    for _, level in data.bars.groupby("y"):
        ends = level.groupby("bar").agg({"start": "min", "end": "max"}).sort_values("start")
        assert (ends["start"].to_numpy()[1:] > ends["end"].to_numpy()[:-1]).all()


def test_labels_have_rows_of_their_own_and_their_lines_do_not_cross() -> None:
    data = critical_difference_data(compared(fifty(), "mixed-tukey"))
    for side, labels in data.algorithms.groupby("side"):
        assert labels["y"].nunique() == len(labels) in (12, 13)  # the leading 25 of fifty
        outwards = labels.sort_values("position", ascending=side < 0)
        assert outwards["y"].is_monotonic_increasing
    assert data.algorithms["y"].min() > data.bars["y"].max()


def test_pairs_that_were_not_compared_are_joined_by_no_bar() -> None:
    data = critical_difference_data(podium.compare(ties(), "paired-t", control="b"))
    assert sets(data) == {frozenset({"b", other}) for other in "acd"}
    assert "3 pairs were not compared and no bar joins them." in sentences(data.notes)


def test_the_best_is_on_the_left_whatever_the_direction() -> None:
    lower = critical_difference_data(podium.compare(six(), "mixed-tukey"))
    turned = replace(podium.compare(six(), "mixed-tukey"), higher_is_better=True)
    higher = critical_difference_data(turned)
    assert lower.limits[0] < lower.limits[1]
    assert higher.limits[0] > higher.limits[1]
    names = lower.algorithms["algorithm"].tolist()
    assert names[0] == "svm"
    assert names == higher.algorithms["algorithm"].tolist()[::-1]


def test_at_one_position_but_different_is_said() -> None:
    order = Order.from_ranks(["a", "b", "c", "d"], [1, 2, 2, 2])
    data = critical_difference_data(podium.compare(ties(), "paired-t"), order=order)
    assert sentences(data.notes)[-1] == (
        "At one position, but significantly different: a ≻ b, a ≻ c, a ≻ d."
    )


def test_many_overlapping_sets_become_few_that_show_every_pair() -> None:
    results = survey(20, 14)
    comparisons = podium.compare(results, "paired-t")
    better = np.zeros((14, 14), dtype=bool)
    better[range(0, 14, 2), range(1, 14, 2)] = True  # 2^7 maximal sets
    order = Order(comparisons.algorithms, better)
    data = critical_difference_data(comparisons, order=order)
    shown = {p for members in sets(data) for p in map(frozenset, combinations(members, 2))}
    assert len(sets(data)) <= 40
    assert len(shown) == 14 * 13 / 2 - 7
    assert any("Not all maximal sets are drawn" in text for text in sentences(data.notes))


def test_kept_diagram() -> None:
    data = critical_difference_data(podium.compare(six(), "mixed-tukey"))
    assert_snapshot("critical_difference_algorithms", data.algorithms)
    assert_snapshot("critical_difference_bars", data.bars)


def test_an_order_of_other_algorithms_is_refused() -> None:
    with pytest.raises(InferenceError, match="is not one of the compared algorithms"):
        critical_difference(podium.compare(two(), "paired-t"), order=podium.order("x ≻ y"))
    one = podium.compare(two(), "paired-t")
    with pytest.raises(InferenceError, match="belongs to one comparison"):
        critical_difference(one, one, order=podium.order("svm ≻ rpart"))


SLOW = (two, fifty, constant)
CASES = [long_names, ties, *(pytest.param(r, marks=pytest.mark.long) for r in SLOW)]


@pytest.mark.parametrize("results", CASES)
def test_critical_difference_keeps_the_laws_of_plots(results: object) -> None:
    check_plot(critical_difference, compared(results()))


def test_several_measures_are_stacked() -> None:
    check_plot(critical_difference, by_ranks(six()), podium.compare(six(), "mixed-tukey"))


def test_tikz_has_every_name_escaped_and_every_bar_and_its_braces_match() -> None:
    comparisons = compared(long_names(), "paired-t")
    data, code = critical_difference_data(comparisons), critical_difference_tikz(comparisons)
    assert code.count(r"\draw[gray]") == 6
    assert code.count("line width=") == len(data.bars)
    assert r"cost\$5 and \$x\textasciicircum{}2\$" in code
    assert r"\textless{}script\textgreater{}" in code
    assert r"\& 5 \% \_under\_" in code
    bare = code.replace(r"\{", "").replace(r"\}", "")
    assert bare.count("{") == bare.count("}")
    assert code.count(r"\begin{tikzpicture}") == code.count(r"\end{tikzpicture}") == 1


def test_tikz_places_the_ends_of_mean_ranks_and_the_critical_difference() -> None:
    comparisons = by_ranks(permuted(14, 4), null="asymptotic")
    code = critical_difference_tikz(comparisons)
    length = 8 * critical_difference_data(comparisons).critical / 3
    assert r"\draw (0.000,0) -- +(0,0.1) node[above] {1};" in code
    assert r"\draw (8.000,0) -- +(0,0.1) node[above] {4};" in code
    assert rf"\draw[|-|] (0,1.2) -- ({length:.3f},1.2) node[right] {{CD = 1.25}};" in code
