"""What a page rests on: the chosen procedure first, one other of each kind, reasons otherwise."""

import numpy as np
import pandas as pd
import pytest
from tables_built import by_hand, errors, surveyed

import podium
from podium.asking.comparison.analysis import KINDS, PageRequest, analysed
from podium.core.inference.comparing.known import PROCEDURES
from podium.core.inference.comparing.legality import is_legal
from podium.core.inference.procedures.procedure import Options
from podium.core.words.saying import say

THREE = {"a": 0.1, "b": 0.2, "c": 0.5}


def test_every_named_procedure_exists():
    assert [name for names in KINDS.values() for name in names if name not in PROCEDURES] == []


@pytest.mark.parametrize("sampling", ["bootstrap", "simulation", "items", "bootstrap+independent"])
def test_others_are_legal_of_each_kind_and_differ(sampling):
    found = analysed(errors(THREE, sampling=sampling)).evidence
    assert [each.kind for each in found] == ["", *KINDS]
    names = [each.comparisons.procedure for each in found]
    assert len(set(names)) == 4
    assert all(is_legal(PROCEDURES[each.comparisons.procedure], each.layout) for each in found)


def test_folds_have_no_other_legal_procedure():
    found = analysed(errors(THREE, sampling="cv:10", samples=10))
    assert [each.comparisons.procedure for each in found.evidence] == ["corrected-t"]
    assert "not valid for folds" in say(found.shares)


def test_two_algorithms_are_compared_by_ranks_of_differences():
    found = analysed(errors({"a": 0.1, "b": 0.2})).evidence
    assert {each.kind: each.comparisons.procedure for each in found}["rank-based"] == "wilcoxon"


def test_what_was_given_comes_first_and_others_take_its_options():
    results = errors(THREE)
    given = podium.compare(results, "nemenyi", control="c", alpha=0.01)
    found = analysed(results, [given]).evidence
    assert found[0].comparisons is given
    assert {each.comparisons.alpha for each in found} == {0.01}
    assert {each.comparisons.control for each in found} == {"c"}


def test_a_margin_leaves_procedures_out_that_know_none():
    found = analysed(errors(THREE), request=PageRequest(options=Options(relevance=0.01))).evidence
    assert {each.comparisons.relevance for each in found} == {0.01}
    assert {each.kind: each.comparisons.procedure for each in found} == {
        "": "hull", "rank-based": "wilcoxon", "permutation": "sign-flip",
        "parametric": "paired-t",
    }  # fmt: skip


def test_what_cannot_be_compared_has_its_reason():
    found = analysed(by_hand([0.1], [0.2]))
    assert found.evidence == ()
    assert "at least 2 rows" in found.refused["error"]
    assert found.first is None


def test_many_algorithms_get_a_permutation_test_that_can_be_computed():
    means = {f"a{i}": i / 100 for i in range(14)}
    found = analysed(errors(means, samples=32)).evidence
    kinds = {each.kind: each.comparisons.procedure for each in found}
    assert kinds["permutation"] == "sign-flip"  # closed testing of so many is refused


def test_progress_comes_to_its_end():
    told = []
    analysed(surveyed(THREE), progress=lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1]
    assert [done for done, _ in told] == list(range(1, len(told) + 1))


def test_control_is_found_only_where_there_is_one():
    results = errors(THREE)
    assert podium.compare(results).control is None
    assert podium.compare(results, control="b").control == "b"
    assert podium.compare(errors({"a": 0.1, "b": 0.2})).control is None
    assert np.isfinite(podium.compare(results).alpha)


def test_gaps_are_filled_before_scaling_on_the_page_too() -> None:
    rng = np.random.default_rng(4)
    rows = [(f"d{j}", a, rng.normal(i, 1)) for j in range(12) for i, a in enumerate("abc")]
    table = pd.DataFrame(rows, columns=["dataset", "algorithm", "reward"])
    table.loc[[2, 7], "reward"] = np.nan
    results = podium.read(table, measure="reward", higher_is_better=True)
    asked = {"scale": "ranks", "gaps": "worst"}
    request = PageRequest(scale="ranks", options=Options(gaps="worst"))
    page = analysed(results, request=request).first
    assert page is not None
    found = podium.compare(results, **asked)
    assert found.blocks.count == page.comparisons.blocks.count == 12
    pd.testing.assert_frame_equal(page.comparisons.table, found.table)


@pytest.mark.parametrize("gaps", ["complete", "worst"])
def test_others_treat_gaps_and_pairs_as_was_asked(gaps):
    results = errors(THREE)
    pairs = [("a", "c")]
    first = podium.compare(results, gaps=gaps, pairs=pairs, null="normal")
    found = analysed(results, [first])
    assert len(found.evidence) > 1
    asked = [each.comparisons.extras.options for each in found.evidence]
    assert {options.gaps for options in asked} == {gaps}
    assert {len(each.comparisons.table) for each in found.evidence} == {1}
    assert [options.null for options in asked] == ["normal", *[None] * (len(asked) - 1)]
