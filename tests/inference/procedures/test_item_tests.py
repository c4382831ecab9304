"""Right and wrong answers: McNemar's test and Bonett and Price's interval of every pair."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from layouts_made import made

from podium.base.errors import InferenceError
from podium.inference.comparing.comparisons import Comparisons
from podium.inference.layouts.layouts import Layout
from podium.testing import check_procedure
from podium.verdicts.verbs import compare

ITEMS: dict[str, Any] = {"block": "item", "measure": "accuracy"}


def answers(won: int, lost: int, items: int) -> np.ndarray:
    """Two models: so many items that only the first, or the second, has right."""
    right = np.ones((items, 2))
    right[:lost, 0] = 0
    right[lost : lost + won, 1] = 0
    return right


def judged(won: int, lost: int, items: int, **options: Any) -> Comparisons:
    return compare(made(answers(won, lost, items), **ITEMS), **options)


def row(c: Comparisons) -> Any:
    return c.table.iloc[0]


def codes(c: Comparisons) -> set[str]:
    return {note.code for note in c.warnings}


def test_two_models_get_the_mid_p_and_the_interval_of_a_published_table() -> None:
    # 21 children, 1 and 7 discordant (Fagerland, Lydersen, Laake 2013): mid-p 0.0391
    c = judged(1, 7, 21)
    assert c.procedure == "mcnemar-mid-p"
    found = row(c)
    assert found["p"] == pytest.approx(10 / 256, abs=1e-15)
    assert found["estimate"] == pytest.approx(-6 / 21)
    # p1 = 2/23, p2 = 8/23, se^2 = (10/23 - 36/529) / 23
    reach = 1.959963984540054 * np.sqrt((10 / 23 - 36 / 529) / 23)
    assert found["lower"] == pytest.approx(-6 / 23 - reach, abs=1e-12)
    assert found["upper"] == pytest.approx(-6 / 23 + reach, abs=1e-12)
    assert found["verdict"] == "worse"


def test_an_error_is_turned_and_nothing_else() -> None:
    right = answers(3, 9, 40)
    one = row(compare(made(right, **ITEMS)))
    wrong = Layout(right - 1, ("a", "b"), "item", "test-set", made(right, measure="error").measure)
    other = row(compare(wrong))
    assert other["estimate"] == -one["estimate"]
    assert (other["lower"], other["upper"]) == pytest.approx((-one["upper"], -one["lower"]))
    assert other["p"] == one["p"]


@pytest.mark.parametrize(("items", "null", "p"), [(9, "exact", 0.0625), (10, "mid-p", 0.03125)])
def test_below_ten_items_the_test_is_exact(items: int, null: str, p: float) -> None:
    c = judged(5, 0, items)
    assert c.judged is not None
    assert str(c.judged.null) == null
    assert row(c)["p"] == p


@pytest.mark.parametrize("items", [5, 30, 500])
def test_models_that_agree_everywhere_may_differ_by_three_in_n(items: int) -> None:
    c = judged(0, 0, items, relevance=0.001)
    found = row(c)
    assert found["verdict"] == "undecided"
    assert found["upper"] == pytest.approx(1 - 0.05 ** (1 / items))
    assert found["upper"] == pytest.approx(3 / items, rel=0.3)
    assert found["lower"] == -found["upper"]
    assert any(n.code == "estimate" and n.remark == "none-discordant" for n in c.warnings)


def test_margins_and_limits_are_one_interval() -> None:
    for won, lost, items in ((0, 0, 20), (2, 1, 60), (4, 9, 80), (30, 12, 100)):
        limits = row(judged(won, lost, items))[["lower", "upper"]].abs()
        for nudge, verdict in ((1.0001, "equivalent"), (0.9999, "undecided")):
            at = float(limits.max()) * nudge
            found = row(judged(won, lost, items, relevance=at))
            assert found["verdict"] == verdict, (won, lost, items)
            assert (found["p_equivalence"] <= 0.05) == (verdict == "equivalent")


def test_one_sided_margins_take_an_end_of_the_two_sided_interval() -> None:
    low = row(judged(4, 6, 100))["lower"]
    for nudge, verdict in ((1.0001, "non-inferior"), (0.9999, "undecided")):
        found = row(judged(4, 6, 100, alternative="greater", relevance=low * nudge))
        assert found["verdict"] == verdict
        assert found["lower"] == pytest.approx(low)
    none = row(judged(0, 0, 20, alternative="greater", relevance=-0.1))
    assert none["p"] == pytest.approx(0.9**20)  # a pair that differs by 0.1 shows none so often


def test_the_verdict_is_the_test_s_and_disagreement_is_said() -> None:
    c = judged(2, 9, 300)
    assert row(c)["p"] == pytest.approx(2 * (1 + 11 + 55) / 2048 - 55 / 2048)
    assert row(c)["verdict"] == "worse"
    assert row(c)["upper"] > 0
    assert "limits-and-test" in codes(c)
    assert "limits-and-test" not in codes(judged(2, 12, 300))


def test_several_models_step_down_and_share_a_level() -> None:
    rng = np.random.default_rng(3)
    right = (rng.random((80, 4)) < [0.9, 0.85, 0.6, 0.55]).astype(float)
    c = compare(made(right, **ITEMS))
    assert c.procedure == "mcnemar-mid-p"
    alone = [
        row(compare(made(right, **ITEMS), pairs=[pair]))
        for pair in zip(c.table["first"], c.table["second"], strict=True)
    ]
    assert c.table["p"].tolist() == [r["p"] for r in alone]
    order = np.argsort(c.table["p"])
    steps = np.maximum.accumulate(c.table["p"].to_numpy()[order] * np.arange(6, 0, -1))
    assert c.table["p_adjusted"].to_numpy()[order] == pytest.approx(np.minimum(steps, 1))
    wider = compare(made(right, **ITEMS), pairs=[("a", "b")], alpha=1 - 0.95 ** (1 / 6)).table
    assert c.table["lower"].iloc[0] == pytest.approx(wider["lower"].iloc[0])


def test_pairs_are_compared_on_the_items_that_both_have() -> None:
    right = np.array([[1, 0, 1], [1, 1, 0], [0, 1, 1], [1, 0, 0], [1, 1, 1]] * 4, float)
    right[:3, 2] = np.nan
    c = compare(made(right, **ITEMS))
    whole = row(compare(made(right[:, :2], **ITEMS)))
    part = row(compare(made(right[3:, [0, 2]], **ITEMS)))
    t = c.table.set_index(["first", "second"])
    assert t.loc[("a", "b"), "p"] == whole["p"]
    assert t.loc[("a", "c"), "p"] == part["p"]
    assert t.loc[("a", "c"), "estimate"] == pytest.approx(part["estimate"])
    assert "gaps" in codes(c)


def test_models_without_a_common_item_are_unknown() -> None:
    right = np.array([[1, np.nan, 1]] * 8 + [[np.nan, 0, 1]] * 8)
    t = compare(made(right, **ITEMS)).table.set_index(["first", "second"])
    assert np.isnan(t.loc[("a", "b"), "p"])
    assert t.loc[("a", "b"), "verdict"] == "undecided"


def test_it_is_held_against_the_laws() -> None:
    from podium.inference.procedures.item_tests import MID_P

    check_procedure(MID_P)


def test_other_nulls_are_refused_with_a_way_out() -> None:
    with pytest.raises(InferenceError, match="use mid-p or exact, or mcnemar for others"):
        judged(1, 2, 20, procedure="mcnemar-mid-p", null="permutation")
    assert judged(1, 2, 20, procedure="mcnemar", null="permutation").table["p"].notna().all()
