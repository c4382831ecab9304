"""Covariates of choices: position, judges, what differs between the sides; against R 4.2.2."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import podium
from podium.asking.battles.section import covariates
from podium.cli.main import group
from podium.errors import InferenceError


@pytest.fixture(scope="module")
def battles() -> pd.DataFrame:
    """360 choices among four models by three judges, with lengths; no random number."""
    t = np.arange(360)
    i = (t * 7) % 4
    j = (i + 1 + (t // 4) % 3) % 4
    judge, names = (t // 3) % 3, np.array(list("abcd"))
    a, b = 50 + (t * 37) % 101, 50 + (t * 53 + 17) % 97
    strength = np.array([0.7, 0.2, -0.1, -0.8])
    d = strength[i] - strength[j] + np.array([0.6, 0.1, -0.2])[judge] + 1.2 * (a - b) / (a + b)
    sizes = np.exp([d / 2, -d / 2, np.array([-0.9, -0.2, -0.5])[judge]])
    u = (t * 0.6180339887498949) % 1
    first, second = sizes[0] / sizes.sum(axis=0), sizes[:2].sum(axis=0) / sizes.sum(axis=0)
    return pd.DataFrame({
        "model_a": names[i],
        "model_b": names[j],
        "winner": np.where(u < first, "model_a", np.where(u < second, "model_b", "tie")),
        "question": (t * 11) % 37,
        "judge": np.array(["x", "y", "z"])[judge],
        "length_a": a,
        "length_b": b,
    })  # fmt: skip


def terms(found):
    return found.extras.covariates.terms.set_index(["covariate", "term", "about"])


def test_position_and_length_are_those_of_the_logistic_regression(battles):
    """glm(y ~ X - 1, binomial), and its sandwich of questions by hand."""
    won = battles[battles["winner"] != "tie"]
    found = podium.compare(podium.read(won, columns="cluster=question"), covariates="length")
    effects = terms(found)[["estimate", "standard_error"]]
    expected = [[0.219235363609, 0.1092762389287], [0.129927569394, 0.0973633416848]]
    assert effects.to_numpy() == pytest.approx(np.array(expected), abs=1e-9)
    logs = found.judged.strengths
    less = [logs[name] - logs["d"] for name in "abc"]
    assert less == pytest.approx([1.440851425345, 0.865731295229, 0.717000690756], abs=1e-9)


def test_judges_have_positions_and_ties_of_their_own(battles):
    """Davidson's likelihood in R, its maximum by optim and Newton, its sandwich by hand."""
    found = podium.compare(podium.read(battles), covariates=["judge", "length"])
    effects = terms(found)
    at = effects.loc[("judge", list("xyz"), "position"), ["estimate", "standard_error"]]
    expected = [
        [0.697052581958, 0.257054580500],
        [0.172177314273, 0.274691612029],
        [-0.242253809628, 0.270625004625],
    ]
    assert at.to_numpy() == pytest.approx(np.array(expected), abs=1e-8)
    ties = effects.loc[("judge", ["x", "y"], "ties"), ["estimate", "standard_error"]]
    expected = [[-0.2042281074659, 0.2446689154537], [0.2233302206123, 0.2209879645223]]
    assert ties.to_numpy() == pytest.approx(np.array(expected), abs=1e-8)
    length = effects.loc[("length", "length", "strength")]
    assert length["estimate"] == pytest.approx(0.0981063394823, abs=1e-9)
    tests = found.extras.covariates.tests.set_index("about")
    assert tests.loc["position", "statistic"] == pytest.approx(2.20368862367, abs=1e-8)
    assert tests.loc["position", ["df", "df2"]].tolist() == [2, 35]
    assert tests.loc["strengths", "df"] == 6


def test_what_matters_at_the_level_is_told(battles):
    """Also at the level itself: p = alpha rejects, as everywhere."""
    results = podium.read(battles, columns="cluster=question")
    first = podium.compare(results, covariates="judge")
    p = first.extras.covariates.tests.set_index("about").loc["position", "p"]
    for alpha, told in ((p, True), (p * (1 - 1e-9), False)):
        found = podium.compare(results, covariates="judge", alpha=float(alpha))
        notes = [note for note in found.warnings if note.code == "covariate-matters"]
        assert ("position" in [note.about for note in notes]) is told


def test_position_is_a_covariate_unless_none_is_asked_for(battles):
    results = podium.read(battles)
    usual, said, none = (
        podium.compare(results, covariates=names) for names in (None, "position", "none")
    )
    assert usual.table.equals(said.table)
    assert (usual.extras.covariates.asked, said.extras.covariates.asked) == (False, True)
    assert none.extras.covariates is None
    assert usual.extras.covariates.unadjusted == pytest.approx(none.judged.strengths)
    alone = podium.compare(results, covariates="none,length")
    assert alone.extras.covariates.names == ("length",)


def test_kinds_of_answers_are_against_the_most_frequent(battles):
    kinds = np.array(["plain", "list", "plain"])
    t = np.arange(len(battles))
    frame = battles.assign(format_a=kinds[t % 3], format_b=kinds[(t // 7) % 3])
    found = podium.compare(podium.read(frame), covariates="format").extras.covariates
    (row,) = found.terms[found.terms["covariate"] == "format"].itertuples()
    assert (row.term, row.about, row.unit) == ("list", "strength", "against 'plain'")
    turned = frame.rename(columns={"format_a": "a_format", "format_b": "b_format"})
    again = podium.compare(podium.read(turned), covariates="format").extras.covariates.terms
    assert again.equals(found.terms)


def test_texts_count_by_their_length_and_token_counts_are_found(battles, tmp_path):
    texts = battles.assign(
        response_a=["x" * n for n in battles["length_a"]],
        response_b=["y" * n for n in battles["length_b"]],
    ).drop(columns=["length_a", "length_b"])
    usual = podium.compare(podium.read(battles), covariates="length").extras.covariates.terms
    by_text = podium.compare(podium.read(texts), covariates="length").extras.covariates
    assert by_text.terms.equals(usual)
    rows = [
        {"model_a": r.model_a, "model_b": r.model_b, "winner": r.winner, "question": r.question,
         "conv_metadata": {"sum_a_tokens": r.length_a, "sum_b_tokens": r.length_b, "h_a": {"1": 0}}}
        for r in battles.itertuples()
    ]  # fmt: skip
    (tmp_path / "arena.json").write_text(json.dumps(rows))
    found = podium.compare(podium.read(tmp_path / "arena.json"), covariates="sum_tokens")
    estimates = found.extras.covariates.terms["estimate"].tolist()
    assert estimates == pytest.approx(usual["estimate"].tolist())


def test_the_winner_in_the_first_column_is_no_position(battles):
    frame = battles[battles["winner"] != "tie"]
    won = frame["winner"] == "model_a"
    first, second = frame["model_a"], frame["model_b"]
    chosen = frame.assign(
        model_a=first.where(won, second), model_b=second.where(won, first), winner="model_a"
    )
    found = podium.compare(podium.read(chosen))
    assert "position-left-out" in {note.code for note in found.warnings}
    plain = podium.compare(podium.read(frame), covariates="none")
    assert found.judged.strengths == pytest.approx(plain.judged.strengths)


def test_judges_without_other_blocks_are_just_these(battles):
    alone = podium.read(battles.drop(columns="question"))
    found = podium.compare(alone, covariates="judge")
    assert "fixed-levels" in {note.code for note in found.warnings}
    assert found.extras.covariates.blocks == len(battles)


def changed(frame, **columns):
    return frame.assign(**{name: make(frame) for name, make in columns.items()})


@pytest.mark.parametrize(
    ("columns", "asked", "expected"),
    [
        ({}, "lenght", "Did you mean 'length'"),
        ({}, "none,position", "Covariates are names such as"),
        ({"judge": lambda f: np.arange(len(f)) % 30}, "judge", "has 30 levels"),
        ({"judge": lambda f: "x"}, "judge", "not a covariate"),
        ({"judge": lambda f: np.where(np.arange(len(f)) < 3, "w", f["judge"])}, "judge",
         "'w' of the covariate 'judge' has 3 battles"),
        ({"judge": lambda f: np.where(f["question"] < 2, "w", "v")}, "judge",
         "is in 2 clusters"),
        ({"length_a": lambda f: f["length_a"].where(f.index > 4)}, "length",
         "missing in 5 of 360 battles, such as number 1"),
        ({"length_a": lambda f: f["length_b"]}, "length", "same on both sides"),
        ({"length_a": lambda f: f["length_a"].astype(str) + " words"}, "length", "not a covariate"),
        ({"winner": lambda f: f["winner"].where(f["judge"] != "z", "model_a")}, "judge",
         r"'judge' \(at 'z'\) has no finite effect"),
        ({"winner": lambda f: "tie"}, "position", "All battles are ties"),
        ({"price_a": lambda f: f["model_a"].map(ord), "price_b": lambda f: f["model_b"].map(ord)},
         "price", "the same whenever two algorithms meet"),
        ({"length_a": lambda f: 1 + 9 * (f["winner"] == "model_a"),
          "length_b": lambda f: 1 + 9 * (f["winner"] == "model_b")}, "length",
         "'length' has no finite effect"),
        ({"model_a": lambda f: f[["model_a", "model_b"]].min(axis=1),
          "model_b": lambda f: f[["model_a", "model_b"]].max(axis=1)}, "judge",
         "No two algorithms met in both orders"),
    ],
)  # fmt: skip
def test_what_is_no_covariate_ends_in_a_sentence(battles, columns, asked, expected):
    with pytest.raises(InferenceError, match=expected):
        podium.compare(podium.read(changed(battles, **columns)), covariates=asked)


def test_scores_take_no_covariates():
    scores = {"dataset": list("pqrst"), "a": [1, 2, 3, 4, 5], "b": [2, 1, 3, 5, 4]}
    results = podium.read(scores, measure="score", higher_is_better=True)
    with pytest.raises(InferenceError, match="takes no covariates"):
        podium.compare(results, covariates="length")


def test_wins_on_data_sets_are_choices_too():
    """Every pair of a row is a choice, the row their block; three make the sandwich by hand."""
    rng = np.random.default_rng(3)
    values = rng.normal(size=(24, 3))
    table = {"dataset": [f"d{i}" for i in range(24)], **dict(zip("abc", values.T, strict=True))}
    results = podium.read(table, measure="score", higher_is_better=True)
    found = podium.compare(results, "bradley-terry", adjust="none")
    rows = [
        {"model_a": "abc"[i], "model_b": "abc"[j], "question": n,
         "winner": "model_a" if values[n, i] > values[n, j] else "model_b"}
        for n in range(24) for i, j in ((0, 1), (0, 2), (1, 2))
    ]  # fmt: skip
    same = podium.compare(podium.read(pd.DataFrame(rows)), adjust="none")
    alone = [None, None, 1.0]  # two data sets more, on which nobody meets anybody
    more = {"dataset": ["x", "y"], **{n: [alone[i], alone[i - 1]] for i, n in enumerate("abc")}}
    wider = pd.concat([pd.DataFrame(table), pd.DataFrame(more)])
    wider = podium.read(wider, measure="score", higher_is_better=True)
    again = podium.compare(wider, "bradley-terry", adjust="none", gaps="complete")
    assert again.table["p"].tolist() == pytest.approx(found.table["p"].tolist())
    for one in found.table.itertuples():
        row = same.table.set_index(["first", "second"])
        turn = 1 if (one.first, one.second) in row.index else -1
        other = row.loc[(one.first, one.second) if turn > 0 else (one.second, one.first)]
        assert one.estimate == pytest.approx(turn * other["estimate"])
        assert one.p == pytest.approx(other["p"])


def test_a_posterior_of_strengths_has_the_spread_of_blocks(battles):
    """P(better) is the t distribution about the estimate; who is best comes first."""
    results = podium.read(battles, columns="cluster=question")
    found, tested = podium.compare(results, posterior=True), podium.compare(results, adjust="none")
    assert found.procedure == "bayes-bradley-terry"
    for chance, test in zip(found.table.itertuples(), tested.table.itertuples(), strict=True):
        lose = test.p / 2 if test.statistic > 0 else 1 - test.p / 2
        assert chance.lose == pytest.approx(lose)
        assert chance.estimate == pytest.approx(test.estimate)
    assert max(found.extras.standing, key=lambda name: found.extras.standing[name].best) == "a"
    near = podium.compare(results, posterior=True, rope=0.2, covariates="length").table
    assert (near[["win", "same", "lose"]].sum(axis=1) - 1).abs().max() < 1e-12
    assert (near["same"] > 0).all()


def test_the_command_tells_effects_and_the_page_has_them(battles, tmp_path):
    file = tmp_path / "battles.csv"
    battles.to_csv(file, index=False)
    words = ["analyze", str(file), "--covariates", "judge,length"]
    told = CliRunner().invoke(group, words).output
    assert "What else decides who is chosen" in told
    assert "unadjusted" in told
    compared = podium.compare(podium.read(file), covariates="judge,length")
    evidence = SimpleNamespace(comparisons=compared, measure="win-rate")
    content = covariates(SimpleNamespace(chosen=[evidence]))
    assert [len(block.frame) for block in content.blocks[1:]] == [8, 3, 4]
    found = json.loads(CliRunner().invoke(group, [*words, "--json", "-"]).output)["covariates"]
    assert found["names"] == ["position", "judge", "length"]
    assert {"covariate", "term", "about", "estimate", "standard_error", "p"} <= {*found["terms"][0]}
    assert {row["about"] for row in found["tests"]} == {"position", "ties", "strengths"}
    assert {"algorithm", "adjusted", "unadjusted"} == {*found["strengths"][0]}
