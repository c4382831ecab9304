"""Strengths by characteristics of data sets: against a logistic regression, and by leaving out."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy import stats

import podium
from podium.cli.main import group
from podium.errors import InferenceError


def table(count: int = 30, seed: int = 1) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Scores of three, of which b gains on a where x is large; and what data sets are like."""
    rng = np.random.default_rng(seed)
    x, names = rng.normal(size=count), [f"d{i}" for i in range(count)]
    noise = rng.normal(size=(count, 3))
    noise[:, 1] += 1.5 * x
    scores = pd.DataFrame({"dataset": names, **dict(zip("abc", noise.T, strict=True))})
    kind = np.where(np.arange(count) % 3, "text", "image")
    return scores, pd.DataFrame({"x": x, "kind": kind, "y": rng.normal(size=count)}, index=names)


def explained(scores, by, columns="x", **options):
    results = podium.read(scores, measure="score", higher_is_better=True)
    return podium.explain_differences(
        results, by, columns=columns, logs=[], procedure="bradley-terry", **options
    )


def test_two_algorithms_are_the_logistic_regression_on_characteristics():
    """Newton's method by hand, and one step of it for every data set that is left out."""
    scores, by = table(60)
    found = explained(scores[["dataset", "a", "b"]], by)
    x = by["x"].to_numpy()
    design = np.column_stack([np.ones(60), (x - x.mean()) / x.std(ddof=1)])
    won = (scores["a"] > scores["b"]).to_numpy(float)

    def step(rows, beta):
        p = 1 / (1 + np.exp(-design[rows] @ beta))
        information = design[rows].T @ (design[rows] * (p * (1 - p))[:, None])
        return beta + np.linalg.solve(information, design[rows].T @ (won[rows] - p))

    everything, beta = np.arange(60), np.zeros(2)
    for _ in range(30):
        beta = step(everything, beta)
    row = found.coefficients.iloc[0]
    assert row["estimate"] == pytest.approx(beta[1], abs=1e-8)
    assert found.models["intercept"][0] == pytest.approx(beta[0], abs=1e-8)
    without = np.array([step(np.delete(everything, i), beta) for i in everything])
    error = np.sqrt(((without[:, 1] - beta[1]) ** 2).sum() * 59 / 60)
    assert row["error"] == pytest.approx(error)
    assert row["df"] == 58
    test = found.tests.iloc[0]
    assert test["statistic"] == pytest.approx(row["statistic"] ** 2)  # one parameter
    assert test["p"] == pytest.approx(row["p"])
    assert row["p"] == pytest.approx(2 * stats.t.sf(abs(beta[1] / error), 58))


def test_a_data_set_beyond_the_median_of_f_is_influential():
    """Cook's distance of a logistic regression, by one step of Newton's method for each."""
    scores, by = table(24)
    by.loc["d3", "x"] = 9.0  # far out, and the wrong one wins there
    scores.loc[3, ["a", "b"]] = 1.0, 0.0
    found = explained(scores[["dataset", "a", "b"]], by).influential.set_index("dataset")["cook"]
    x = by["x"].to_numpy()
    design = np.column_stack([np.ones(24), (x - x.mean()) / x.std(ddof=1)])
    won, beta = (scores["a"] > scores["b"]).to_numpy(float), np.zeros(2)
    for _ in range(30):
        p = 1 / (1 + np.exp(-design @ beta))
        weights = p * (1 - p)
        information = design.T @ (design * weights[:, None])
        beta = beta + np.linalg.solve(information, design.T @ (won - p))
    cook = {}
    for i, row in enumerate(design):
        rest = information - weights[i] * np.outer(row, row)
        move = np.linalg.solve(rest, row * (won[i] - p[i]))
        cook[f"d{i}"] = move @ information @ move / 2
    far = {name: size for name, size in cook.items() if size > stats.f.median(2, 22)}
    assert far
    assert found.to_dict() == pytest.approx(far)


def test_a_planted_effect_is_found_and_told():
    scores, by = table(60)
    found = explained(scores, by, ["x", "kind"])
    tests = found.tests.set_index("characteristic")
    assert tests.loc["x", "verdict"] == "matters"
    assert tests.loc["x", ["df", "df2"]].tolist() == [2, 56]
    assert tests.loc["kind", "verdict"] == "undecided"
    (note,) = (n for n in found.notes if n.code == "gains")
    assert ("b", "a", "x", True) in note.found
    assert "b gains on a as x grows" in repr(found)
    assert found.to_dict()["procedure"] == "bradley-terry"
    # who is better where, not by how much: any other scale gives the same
    powers = scores.assign(**{n: np.exp(scores[n]) for n in "abc"})
    again = explained(powers, by, ["x", "kind"])
    pd.testing.assert_frame_equal(again.coefficients, found.coefficients)


def test_estimates_of_pairs_add_up_and_ties_are_davidsons():
    scores, by = table(40)
    rounded = scores.assign(**{n: scores[n].round(0) for n in "abc"})
    found = explained(rounded, by).coefficients.set_index(["first", "second"])["estimate"]
    assert found["a", "b"] + found["b", "c"] == pytest.approx(found["a", "c"])


@pytest.mark.parametrize(
    ("change", "columns", "expected"),
    [
        (lambda s: s.assign(a=9.0), "x", "'a' never lost, or never won"),
        (lambda s: s[["dataset", "a"]].assign(b=s["a"] + table()[1]["x"].to_numpy()), "x",
         "it is certain who wins"),
        (lambda s: s.head(5), "x", "5 data sets are too few"),
    ],
)  # fmt: skip
def test_what_has_no_strength_is_refused_in_a_sentence(change, columns, expected):
    scores, by = table()
    with pytest.raises(InferenceError, match=expected):
        explained(change(scores), by, columns)


def test_the_command_takes_wins_or_differences(tmp_path):
    scores, by = table()
    scores.to_csv(tmp_path / "scores.csv", index=False)
    by.rename_axis("dataset").reset_index().to_csv(tmp_path / "like.csv", index=False)
    words = ["survey", str(tmp_path / "scores.csv"), "-m", "score", "--higher-is-better"]
    words += ["--by", "x", "--table", str(tmp_path / "like.csv")]
    told = CliRunner().invoke(group, [*words, "-p", "bradley-terry", "--json", "-"])
    found = json.loads(told.output)
    assert found["tests"][0]["characteristic"] == "x"
    refused = CliRunner().invoke(group, [*words, "-p", "hull"], standalone_mode=False)
    assert "least-squares, bradley-terry" in str(refused.exception)
