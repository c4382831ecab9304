"""Differences by characteristics: against R, planted truths, and the level of the tests."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from surveys_made import codes, of_differences, survey

import podium
from podium import explain_differences, layout
from podium.asking.surveys.dataset_differences import fit, terms
from podium.core.inference.bricks.adjustments import holm
from podium.core.inference.bricks.scales import scaled
from podium.core.inference.layouts import Origin
from podium.core.results.dataset_facts import CHARACTERISTICS as KEY
from podium.errors import InferenceError

D = [0.02, -0.01, 0.05, 0.03, 0.08, 0.04, 0.09, 0.01, 0.06, 0.12, -0.03, 0.10]
NAMES = [f"d{j}" for j in range(1, 13)]
ROWS = [50, 150, 200, 101, 5000, 300, 80, 1000, 12000, 700, 90, 60]
KIND = ["text", "text", "image", "text", "image", "image", "text", "text", "image", "text",
        "image", "text"]  # fmt: skip
TABLE = pd.DataFrame({"rows": ROWS, "kind": KIND}, index=NAMES)


def test_coefficients_errors_and_influence_are_those_of_r():
    # lx <- scale(log(n)); m <- lm(d ~ lx + relevel(kind, "text"))
    # sqrt(diag(sandwich::vcovHC(m, type = "HC3"))), 2 * pt(-abs(b / se), 9); R 4.2.2, sandwich 3.0
    found = explain_differences(of_differences(D), TABLE)
    rows = found.coefficients
    assert rows["term"].tolist() == ["rows", "kind = image"]
    np.testing.assert_allclose(rows["estimate"], [0.01763511560, -0.02750790437], atol=1e-10)
    np.testing.assert_allclose(rows["error"], [0.01813225911, 0.04028694959], atol=1e-10)
    np.testing.assert_allclose(rows["p"], [0.35617337543, 0.51192441665], atol=1e-9)
    assert rows["df"].tolist() == [9, 9]
    model = found.models.iloc[0]
    assert model["intercept"] == pytest.approx(0.05812829349, abs=1e-10)
    assert model["error"] == pytest.approx(0.02547279858, abs=1e-10)
    assert model["r2"] == pytest.approx(0.1332871694, abs=1e-9)  # summary(m)$r.squared
    assert model["sigma"] == pytest.approx(0.04692645948, abs=1e-10)
    np.testing.assert_allclose(found.terms["inflation"], 1.282760821)  # car::vif(m)
    assert found.terms["made"].tolist() == ["log, standardised", "against 'text'"]


def test_influence_is_that_of_r_and_of_leaving_out():
    x = np.log(ROWS)
    X = np.column_stack([np.ones(12), (x - x.mean()) / x.std(ddof=1), np.array(KIND) == "image"])
    fitted = fit(X, np.array(D)[:, None])
    # cooks.distance(m)[8:11], rstudent(m)[8:11]
    np.testing.assert_allclose(
        fitted.cook[7:11, 0], [0.271638495713, 0.012597703158, 0.163758645960, 0.342750290642]
    )
    np.testing.assert_allclose(
        fitted.outside[7:11, 0], [-1.6171432135, -0.1938763135, 1.3625775264, -1.3641551132]
    )
    others = np.delete(np.arange(12), 10)
    moved = fitted.coefficients - fit(X[others], np.array(D)[others, None]).coefficients
    size = float((moved.T @ X.T @ X @ moved).item()) / 3 / fitted.sigma[0] ** 2
    assert fitted.cook[10, 0] == pytest.approx(size)


def test_errors_and_accuracies_differ_by_the_sign_and_holm_is_over_all_rows():
    low = explain_differences(of_differences(D, D[::-1]), TABLE)
    high = explain_differences(of_differences(D, D[::-1], measure="accuracy"), TABLE)
    assert len(low.coefficients) == 3 * 2
    np.testing.assert_allclose(low.coefficients["estimate"], high.coefficients["estimate"])
    np.testing.assert_allclose(
        low.coefficients["p_adjusted"], holm(low.coefficients["p"].to_numpy())
    )
    only = explain_differences(of_differences(D, D[::-1]), TABLE, columns="rows", control="c")
    assert only.coefficients[["first", "second"]].to_numpy().tolist() == [["a", "c"], ["b", "c"]]
    assert only.coefficients["term"].unique().tolist() == ["rows"]


@pytest.mark.parametrize(("count", "width"), [(12, 2), (20, 3), (40, 4)])
def test_tests_of_coefficients_hold_their_level(count, width):
    rng = np.random.default_rng(count)
    rejected = []
    for _ in range(60):
        X = np.column_stack([np.ones(count), rng.normal(size=(count, width - 1))])
        rejected.append((fit(X, rng.normal(size=(count, 400))).p[1:] <= 0.05).mean())
    assert np.mean(rejected) == pytest.approx(0.05, abs=0.012)


def test_unequal_variances_spoil_plain_errors_far_more_than_hc3():
    rng = np.random.default_rng(1)
    robust, plain = [], []
    for _ in range(60):
        x = rng.normal(size=20)
        X = np.column_stack([np.ones(20), x])
        fitted = fit(X, np.abs(x)[:, None] * rng.normal(size=(20, 300)))
        error = fitted.sigma * np.sqrt(np.linalg.inv(X.T @ X)[1, 1])
        robust.append((fitted.p[1] <= 0.05).mean())
        plain.append((np.abs(fitted.coefficients[1] / error) > stats.t.isf(0.025, 18)).mean())
    assert np.mean(robust) == pytest.approx(0.073, abs=0.015)  # as the module's text says
    assert np.mean(plain) > 0.2


def test_a_planted_effect_is_found_and_only_that():
    rng = np.random.default_rng(3)
    table = pd.DataFrame({"n": rng.lognormal(6, 1.5, 30), "noise": rng.normal(size=30)})
    effect = 0.02 * (np.log(table["n"]) - 6)
    results = survey([(0, d) for d in effect], ("svm", "knn"), samples=5)
    table.index = results.datasets
    found = explain_differences(layout(results), table)
    assert found.coefficients["verdict"].tolist() == ["matters", "undecided"]
    slope = -0.02 * np.log(table["n"]).std()
    assert found.coefficients["lower"][0] < slope < found.coefficients["upper"][0]
    # the same through the facts of results
    told = replace(results, facts={d: {KEY: dict(row)} for d, row in table.iterrows()})
    again = explain_differences(layout(told), told, columns=["n", "noise"])
    np.testing.assert_allclose(again.coefficients["p"], found.coefficients["p"])
    ranked = explain_differences(scaled(layout(results), "ranks"), table, columns="n")
    assert ranked.measure == "rank of error"
    assert ranked.coefficients["estimate"][0] < 0


def test_numbers_are_logged_where_skewed_or_as_told():
    table = pd.DataFrame({"skewed": [1.0, 2, 3, 4, 500], "even": [1.0, 3, 2, 5, 4],
                          "signed": [-1.0, 1, 2, 3, 900]})  # fmt: skip
    made = terms(table, "auto").table.set_index("term")["made"]
    assert made.to_dict() == {
        "skewed": "log, standardised", "even": "standardised", "signed": "standardised"
    }  # fmt: skip
    assert set(terms(table, ()).table["made"]) == {"standardised"}
    assert terms(table, ["even"]).table["made"].tolist()[1] == "log, standardised"
    np.testing.assert_allclose(terms(table, "auto").matrix.std(axis=0, ddof=1), 1)
    with pytest.raises(InferenceError, match="the value -1, which has no logarithm"):
        terms(table, ["signed"])
    with pytest.raises(InferenceError, match="'evn' is not a characteristic that is a number"):
        terms(table, ["evn"])
    with pytest.raises(InferenceError, match="'auto' or a list"):
        terms(table, "always")


def test_an_influential_data_set_is_named():
    d = 0.01 * np.random.default_rng(5).normal(size=12)
    d[8] = 2.0  # the largest of all data sets
    found = explain_differences(of_differences(d), TABLE, columns="rows")
    most = found.influential["cook"].idxmax()
    assert found.influential["dataset"][most] == "d9"
    # d5, of the second largest leverage, is pulled off the line by d9
    assert "A model depends on single data sets: d5, d9." in repr(found)
    assert explain_differences(of_differences(D), TABLE).influential.empty


def test_data_sets_without_characteristics_are_listed():
    holes = TABLE.astype({"rows": object})
    holes.loc["d2", "rows"] = None
    found = explain_differences(of_differences(D), holes.drop(index="d7"), columns=["rows"])
    assert found.left_out == ("d2", "d7")
    assert "Left out, as a characteristic is missing: d2, d7." in repr(found)
    assert len(found.datasets) == 10
    assert found.terms["made"].tolist() == ["log, standardised"]  # numbers, though object


def test_it_shows_and_exports_itself_and_says_what_it_is_not():
    made = replace(of_differences(D), origin=Origin(population="gene expression"))
    found = explain_differences(made, TABLE)
    assert {"multiplicity", "observational", "logarithms"} <= codes(found)
    assert "gene expression" in found.statement
    assert "rows" in found._repr_html_()
    values = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert values["terms"][1]["mean"] is None
    near = TABLE.assign(more=TABLE["rows"] * np.linspace(1, 1.1, 12))
    assert "Nearly determined by the others" in repr(
        explain_differences(made, near[["rows", "more"]])
    )
    exact = explain_differences(of_differences(np.zeros(12)), TABLE)
    assert exact.coefficients["p"].isna().all()
    assert "no-variation" in codes(exact)
    json.dumps(exact.to_dict(), allow_nan=False)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (TABLE.head(8), "8 data sets are too few for 3 coefficients .the intercept and rows, kind"),
        (TABLE.assign(kind=list("abcdabcdabcd")), "12 data sets are too few for 5 coefficients"),
        (TABLE.assign(kind=["a"] * 12), "'kind' is the same for all 12 data sets"),
        (TABLE.assign(rows=7.0), "'rows' is the same for all 12"),
        (TABLE.assign(kind=["a"] * 11 + ["b"]), "The level 'b' .* has one data set only"),
        (
            TABLE[["rows"]].assign(twice=lambda t: t["rows"] ** 2),
            "'twice' follows from rows on these data sets",
        ),
        (TABLE.assign(rows=[np.inf, *ROWS[1:]]), "has an infinite value"),
        (TABLE[[]], "There is no characteristic"),
        (TABLE.assign(rows=np.nan), "No data set has a value of 'rows'"),
        (pd.concat([TABLE, TABLE]), "'d1' has two rows"),
        ([1, 2], "a data frame with one row per data set"),
    ],
)
def test_what_cannot_be_modelled_is_refused_in_a_sentence(table, message):
    with pytest.raises(InferenceError, match=message):
        explain_differences(of_differences(D), table)


def test_a_data_set_that_alone_determines_a_coefficient_is_named():
    spike = pd.DataFrame({"x": [0.0] * 11 + [1.0]}, index=NAMES)
    with pytest.raises(InferenceError, match="The data set 'd12' alone determines a coefficient"):
        explain_differences(of_differences(D), spike)


@pytest.mark.parametrize("count", [39, 40])
def test_tests_are_doubted_below_forty_data_sets(count):
    rng = np.random.default_rng(1)
    names = [f"d{i}" for i in range(count)]
    x = rng.normal(size=count)
    table = pd.DataFrame(
        {"dataset": names, "a": 0.6 + 0.05 * x + rng.normal(0, 0.02, count), "b": 0.6}
    )
    by = pd.DataFrame({"x": x}, index=names)
    results = podium.read(table, measure="accuracy")
    found = explain_differences(results, by, columns="x", logs=[])
    assert [n.datasets for n in found.notes if n.code == "few-data-sets"] == [39] * (count == 39)
    line = stats.linregress(x, table["a"] - table["b"])
    (estimate,) = found.coefficients["estimate"]
    assert estimate == pytest.approx(line.slope * x.std(ddof=1))  # by standard deviation
