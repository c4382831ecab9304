"""One decision: what follows from a table of pairs, and from nothing else."""

from __future__ import annotations

import numpy as np
import pandas as pd

from podium.core.inference.comparing.decision import Kind, decision


def pairs(*rows: tuple[str, str, float, str]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["first", "second", "estimate", "verdict"])


def test_the_lead_is_whom_nobody_beats_and_holds_the_first():
    table = pairs(
        ("a", "b", 0.1, "undecided"), ("a", "c", 0.3, "better"), ("b", "c", 0.2, "withheld")
    )
    made = decision(table, ("a", "b", "c"), {"a": 0.9, "b": 0.8, "c": 0.6}, Kind(blocks=12))
    assert made.lead == ("a", "b")
    assert made.to_dict()["best_set"] == made.to_dict()["lead"] == ["a", "b"]
    assert made.places == {"a": (1, 2), "b": (1, 3), "c": (2, 3)}
    assert (made.significant, made.inconclusive, made.comparisons) == (1, 2, 3)
    assert made.withheld == (("b", "c"),)
    assert made.beaten_by("c") == ("a",)
    assert not made.is_settled


def test_estimates_of_shared_blocks_go_before_means_of_all_blocks():
    table = pairs(("a", "b", -0.01, "undecided"))
    made = decision(table, ("a", "b"), {"a": 0.8055, "b": 0.8003}, Kind())
    assert made.first == "b"
    turned = decision(table, ("a", "b"), {"a": -0.8, "b": -0.9}, Kind(sign=-1))
    assert turned.first == "a"


def test_levels_break_a_circle_of_estimates():
    table = pairs(*((x, y, 0.1, "undecided") for x, y in ("ab", "bc", "ca")))
    made = decision(table, ("a", "b", "c"), {"a": 1.0, "b": 3.0, "c": 2.0}, Kind())
    assert made.line == ("b", "c", "a")


def test_an_unbeaten_one_with_a_poor_mean_stands_above_those_that_are_beaten():
    table = pairs(
        ("a", "b", 0.1, "better"), ("a", "c", 0.3, "undecided"), ("b", "c", 0.2, "undecided")
    )
    made = decision(table, ("a", "b", "c"), {"a": 0.9, "b": 0.8, "c": 0.6}, Kind())
    assert made.line == ("a", "b", "c")
    assert made.rows == ("a", "c", "b")


def test_verdicts_that_do_not_add_up_are_named():
    table = pairs(
        ("a", "b", 0.1, "better"), ("b", "c", 0.1, "better"), ("a", "c", 0.2, "undecided")
    )
    made = decision(table, ("a", "b", "c"), dict.fromkeys("abc", 0.0), Kind())
    assert made.intransitive == (("a", "b", "c"),)
    assert made.lead == ("a",)


def test_a_race_ranks_nobody_but_those_left():
    table = pairs(*((x, y, np.nan, "undecided") for x, y in ("ab", "ac", "bc")))
    levels = {"a": 1.0, "b": 3.0, "c": 2.0}
    made = decision(table, ("a", "b", "c"), levels, Kind(remaining=("a",)))
    assert made.places == {"a": (1, 1), "b": (2, 3), "c": (2, 3)}
    assert made.rows == ("a", "b", "c")
    assert (made.significant, made.inconclusive, made.comparisons) == (2, 0, 2)


def test_contrasts_rank_nobody():
    made = decision(pairs(("new", "", 0.1, "better")), ("a", "b"), {}, Kind(contrasts=True))
    assert made.places is None
    assert made.lead is None
    assert made.significant == 1
