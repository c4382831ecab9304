"""How many halvings, rows, labels, items, conditions or battles are enough: at it, and one less."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from layouts_made import crossed, intervals, made, noise, with_halvings

import podium
from podium import Comparisons, Layout, compare
from podium.errors import InferenceError


def halved(rows: int = 200, drawn: int = 10, unit: float = 1.0, **facts: Any) -> Comparisons:
    """Ten folds with halvings of data that have these facts."""
    layout = made(unit * noise(10, 2, 9), block="fold", how="cv:10", rows=rows)
    halvings = with_halvings(layout).halvings
    assert halvings is not None
    halvings = replace(halvings, means=halvings.means[:drawn], **facts)
    return compare(replace(layout, halvings=halvings), "halves")


def told_apart(items: int) -> Comparisons:
    """Right and wrong answers of which so many differ."""
    right = np.ones((60, 2))
    right[:items, 0] = 0
    return compare(made(right, block="item", measure="accuracy"), "mcnemar-score")


def tried(conditions: int) -> Comparisons:
    """Eight items, each under so many conditions."""
    values = np.stack([noise(8, 2, seed) for seed in range(conditions)])
    return compare(crossed(values, block="condition-item"), "conditions-t")


def battles(**asked: int) -> pd.DataFrame:
    """Choices between two of three models by judges, on prompts that several of them saw."""
    of = {"count": 240, "prompts": 24, "judges": 8} | asked
    t = np.arange(of["count"])
    first, names = t % 3, np.array(list("abc"))
    second = (first + 1 + (t // 3) % 2) % 3
    won = (t * 7 + (t // 5) * 3) % 11 < 6
    return pd.DataFrame({
        "model_a": names[first],
        "model_b": names[second],
        "winner": np.where(won, "model_a", "model_b"),
        "question": [f"q{i}" for i in (t // 3) % of["prompts"]],
        "judge": [f"j{i}" for i in t % of["judges"]],
    })  # fmt: skip


SAID: dict[str, tuple[Callable[[int], Comparisons], int, int]] = {  # said, and no longer
    "halves-rare-class": (lambda n: halved(rarest=n), 19, 20),
    "halves-few-rows": (lambda n: halved(rows=n), 99, 100),
    "halves-attributes": (lambda n: halved(attributes=n), 81, 80),  # of 200 rows
    "halves-distinct": (lambda n: halved(distinct=n), 99, 100),
    "halves-few": (lambda n: halved(drawn=n), 4, 5),
    "few-discordant": (told_apart, 9, 10),
    "few-conditions": (tried, 4, 5),
    "few-choice-blocks": (
        lambda n: compare(podium.read(battles(prompts=n), columns="cluster=question")), 9, 10
    ),
}  # fmt: skip


@pytest.mark.parametrize("code", list(SAID))
def test_what_is_few_is_said_below_its_number(code: str) -> None:
    ask, few, enough = SAID[code]
    told = [code in {note.code for note in ask(number).warnings} for number in (few, enough)]
    assert told == [True, False]


@pytest.mark.parametrize(("rarest", "claims"), [(9, False), (10, True)])
def test_ten_rows_of_the_rarest_class_carry_a_claim_by_halves(rarest: int, claims: bool) -> None:
    c = halved(rarest=rarest)
    assert c.table["p"].notna().all() == claims
    (note,) = [note for note in c.warnings if note.code == "halves-rare-class"]
    assert (note.rows, note.claimed) == (rarest, claims)


@pytest.mark.parametrize("unit", [1e-8, 1e8])
def test_halves_know_no_unit(unit: float) -> None:
    """Nor is a small difference rounding where all scores are small."""
    one, other = halved().table.iloc[0], halved(unit=unit).table.iloc[0]
    for column in ("statistic", "p", "p_adjusted"):
        assert other[column] == pytest.approx(one[column])
    for column in ("estimate", "lower", "upper"):
        assert other[column] == pytest.approx(unit * one[column])


@pytest.mark.parametrize(("items", "null"), [(9, "exact"), (10, "mid-p")])
def test_few_items_are_judged_exactly(items: int, null: str) -> None:
    right = np.ones((items, 2))
    right[:4, 0] = 0
    c = compare(made(right, block="item", measure="accuracy"), "mcnemar-mid-p")
    assert c.judged is not None
    assert c.judged.null.name == null
    # four items, all of one kind: 2 / 2^4, or half of it
    assert c.table["p"][0] == pytest.approx(0.125 if null == "exact" else 0.0625)


def judged(labels: int, right: int, **facts: Any) -> Layout:
    """One judge's answers to 80 items, of which people labelled some, so many of them right."""
    values, human = (noise(80, 1) > 0).astype(float), np.full((80, 1), np.nan)
    human[:labels] = (np.arange(labels) < right)[:, None]
    return made(values, block="item", measure="accuracy", human=human, **facts)


def test_fifteen_labels_correct_a_judge() -> None:
    assert len(intervals(judged(15, 5))) == 1
    with pytest.raises(
        InferenceError, match="at least 15 items that people labelled; there are 14"
    ):
        intervals(judged(14, 5))


def test_ten_labels_of_either_kind_are_enough_for_a_judge_to_help() -> None:
    how = {(right, intervals(judged(40, right))["method"][0]) for right in (9, 10, 30, 31)}
    alone, both = "labels only, Wilson", "two-phase, logit"
    assert how == {(9, alone), (10, both), (30, both), (31, alone)}


def test_ten_clusters_with_labels_correct_a_judge() -> None:
    for labelled, refused in ((10, False), (9, True)):
        layout = judged(3 * labelled, 15, clusters=np.arange(80) // 3)
        if refused:
            with pytest.raises(InferenceError, match="at least 10 clusters of items; there are 9"):
                intervals(layout)
        else:
            assert intervals(layout)["method"][0] == "two-phase, logit"


def test_a_null_is_drawn_so_often() -> None:
    apart = made(noise(9, 2) + np.array([0, 30]))
    c = compare(apart, "sign-flip", null="permutation:99")
    assert c.judged is not None
    assert str(c.judged.null) == "permutation:99"
    hits = c.table["p"][0] * 100
    assert hits == pytest.approx(round(hits)), "of 99 draws and what was seen"
    for draws in (98, 10_000_001):
        with pytest.raises(InferenceError, match="from 99 to 10000000"):
            compare(apart, "sign-flip", null=f"permutation:{draws}")


def turned(kind: str, number: int) -> pd.DataFrame:
    """Battles in turns: so many in the first, so many turns, or so many questions in the first."""
    t = np.arange(240 if kind != "levels" else 420)
    frame = battles(count=len(t)).drop(columns=["judge", "question"])
    turn = t % number if kind == "levels" else (t >= number).astype(int)
    if kind == "questions":
        turn = (t % 24 >= number).astype(int)
        frame["question"] = [f"q{i}" for i in t % 24]
    return frame.assign(turn=[f"t{v}" for v in turn])


@pytest.mark.parametrize(
    ("kind", "refused", "taken", "message"),
    [
        ("battles", 9, 10, "'t0' of the covariate 'turn' has 9 battles"),
        ("levels", 21, 20, "the covariate 'turn' has 21 levels"),
        ("questions", 4, 5, "'t0' of the covariate 'turn' is in 4 clusters of battles"),
    ],
)
def test_a_covariate_of_battles_needs_levels_that_tell(
    kind: str, refused: int, taken: int, message: str
) -> None:
    columns = "cluster=question" if kind == "questions" else None
    found = compare(podium.read(turned(kind, taken), columns=columns), covariates="turn")
    assert found.extras.covariates is not None
    assert "turn" in found.extras.covariates.names
    with pytest.raises(InferenceError, match="(?i)" + message):
        compare(podium.read(turned(kind, refused), columns=columns), covariates="turn")


@pytest.mark.parametrize(("algorithms", "null"), [(13, "asymptotic"), (11, "permutation:99")])
def test_so_many_algorithms_have_too_many_hypotheses_to_close(algorithms: int, null: str) -> None:
    message = f"of {algorithms} algorithms has too many hypotheses .at most {algorithms - 1} "
    with pytest.raises(InferenceError, match=message):
        compare(made(noise(8, algorithms)), "permutation", null=null)


@pytest.mark.parametrize("shared", [5, 6])
def test_six_common_rows_are_flipped(shared: int) -> None:
    """Six flips have 2^6 patterns, of which the most extreme two are 3 %."""
    values = noise(40, 3)
    values[:20, 0] = np.nan
    values[20 : 40 - shared, 1] = np.nan
    table = compare(made(values), "flip", null="permutation:999", gaps="pairs").table
    rows = table.set_index(["first", "second"])
    assert rows["estimate"].notna().all()
    judged = rows["statistic"].notna().to_dict()
    assert judged == {("a", "b"): shared == 6, ("a", "c"): True, ("b", "c"): True}


@pytest.mark.parametrize(("highest", "wild"), [(0.39, False), (0.41, True)])
def test_rates_vary_wildly_where_one_is_twice_another(highest: float, wild: bool) -> None:
    rates = np.array([0.2, 0.25, 0.3, 0.22, highest])
    values = np.repeat(rates, 2)[:, None] + [0.0, 0.01]
    values[:, 1] = 0.3
    layout = made(values, block="fold", how="5x2cv", measure=podium.Measure("loss"))
    codes = {note.code for note in compare(layout, "5x2cv-f", force=True).warnings}
    assert ("rates-vary" in codes, "rates-checked" in codes) == (wild, not wild)


@pytest.mark.parametrize(("algorithms", "null"), [(2, "normal"), (3, "permutation:9999")])
def test_one_pair_of_right_and_wrong_needs_no_draws(algorithms: int, null: str) -> None:
    right = (noise(40, algorithms) > 0).astype(float)
    c = compare(made(right, block="item", measure="accuracy"), "mcnemar-score")
    assert c.judged is not None
    assert str(c.judged.null) == null


@pytest.mark.parametrize(("judges", "crossed"), [(1, False), (2, True)])
def test_two_judges_stand_for_others(judges: int, crossed: bool) -> None:
    """Prompts and judges are crossed; of one judge nothing is known about others."""
    frame = battles(count=288, prompts=24, judges=judges)
    frame["judge"] = [f"j{i}" for i in (np.arange(288) // 72) % judges]
    codes = {note.code for note in compare(podium.read(frame)).warnings}
    assert ("new-judges" in codes) == crossed
