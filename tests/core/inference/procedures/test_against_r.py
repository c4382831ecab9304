"""The procedures against R (stats, coin, multcomp, lme4): values in tests/reference."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from podium import Comparisons, Layout, compare
from podium.core.inference.layouts import Origin
from podium.core.questions.measures import KNOWN
from podium.core.samplings import parse as sampling

REFERENCE = Path(__file__).parents[3] / "reference"
BENCH = pd.read_csv(REFERENCE / "bench_wide.csv").drop(columns=["b", "n_oob"])
GAPS = pd.read_csv(REFERENCE / "bench_unbal_wide.csv").drop(columns=["b", "n_oob"])
TINY = pd.read_csv(REFERENCE / "tiny_wide.csv").drop(columns=["b"])
CORRECT = pd.read_csv(REFERENCE / "correct01.csv")


def r(name: str) -> Any:
    return json.loads((REFERENCE / f"{name}.json").read_text(encoding="utf-8"))


def errors(frame: pd.DataFrame, how: str = "bootstrap") -> Layout:
    names = tuple(frame.columns)
    return Layout(
        -frame.to_numpy(),
        names,
        "resample",
        "sample",
        KNOWN["error"],
        origin=Origin(sampling=sampling(how)),
    )


def items() -> Layout:
    names = tuple(CORRECT.columns)
    return Layout(
        CORRECT.to_numpy(float),
        names,
        "item",
        "test-set",
        KNOWN["accuracy"],
        origin=Origin(sampling=sampling("items")),
    )


def folds(values: np.ndarray, how: str) -> Layout:
    two = np.column_stack([values, np.zeros(len(values))])
    return Layout(
        two,
        ("a", "b"),
        "fold",
        "population",
        KNOWN["accuracy"],
        origin=Origin(sampling=sampling(how)),
    )


def column(comparisons: Comparisons, name: str, *, turned: bool = False) -> dict[str, float]:
    """Values of the pairs by R's names "second - first"; `turned` changes their sign."""
    sign = -1 if turned else 1
    rows = comparisons.table
    return {
        f"{b} - {a}": sign * v
        for a, b, v in zip(rows["first"], rows["second"], rows[name], strict=True)
    }


def agree(ours: dict[str, float], theirs: dict[str, float], **tolerance: float) -> None:
    assert ours.keys() == theirs.keys()
    np.testing.assert_allclose([ours[k] for k in theirs], list(theirs.values()), **tolerance)


BENCH_R = r("tests_bench")
ONE_DECIMAL = {"rtol": 1e-8, "atol": 1e-12}


def test_friedman() -> None:
    c = compare(errors(BENCH), "friedman")
    assert c.overall is not None
    theirs = BENCH_R["friedman_stats"]
    assert c.overall.statistic == pytest.approx(theirs["statistic"], rel=1e-10)
    assert c.overall.df == theirs["df"]
    assert c.overall.p == pytest.approx(theirs["p"], rel=1e-8)


def test_iman_davenport_and_quade() -> None:
    overall, theirs = compare(errors(BENCH), "iman-davenport").overall, BENCH_R["iman_davenport"]
    assert overall is not None
    assert overall.statistic == pytest.approx(theirs["F"], rel=1e-8)
    assert overall.df == (theirs["df1"], theirs["df2"])
    assert overall.p == pytest.approx(theirs["p"], rel=1e-6)
    # quade.test of ranges rounded to 12 digits: on the bare doubles it tells equal ranges apart
    overall = compare(errors(BENCH), "quade").overall
    assert overall is not None
    assert overall.statistic == pytest.approx(197.415311479659, rel=1e-12)
    assert overall.df == (theirs["df1"], theirs["df2"])
    assert overall.p == pytest.approx(5.13067369792913e-155, rel=1e-9)
    assert overall.statistic == pytest.approx(BENCH_R["quade"]["F"], rel=1e-3)


@pytest.mark.parametrize(
    ("procedure", "key"),
    [("nemenyi", "wnmt_rank_tukey"), ("permutation-max", "mean_scores_tukey_max")],
)
def test_all_pairs_of_block_sums(procedure: str, key: str) -> None:
    c, theirs = compare(errors(BENCH), procedure), BENCH_R[key]
    agree(column(c, "statistic", turned=True), theirs["standardized"], **ONE_DECIMAL)
    # coin's own asymptotic p-values are Monte-Carlo; the studentized range is exact
    agree(column(c, "p_adjusted"), theirs["p_asymptotic_single_exact_ptukey"], atol=1e-8, rtol=0)
    agree(column(c, "p_adjusted"), theirs["p_asymptotic_singlestep"], atol=1e-3, rtol=0)


@pytest.mark.parametrize(
    ("procedure", "key"),
    [
        ("nemenyi-control", "nwwm_rank_dunnett_vs_first"),
        ("permutation-max", "mean_scores_dunnett_vs_first"),
    ],
)
def test_block_sums_against_a_control(procedure: str, key: str) -> None:
    c, theirs = compare(errors(BENCH), procedure, control="svm"), BENCH_R[key]
    ours = {f"{a} - svm": s for a, s in zip(c.table["first"], c.table["statistic"], strict=True)}
    agree(ours, theirs["standardized"], **ONE_DECIMAL)
    p = dict(zip(ours, c.table["p_adjusted"], strict=True))
    agree(p, theirs["p_asymptotic_singlestep"], atol=1e-4, rtol=0)


@pytest.mark.parametrize("key", ["wnmt_rank_tukey", "mean_scores_tukey_max"])
@pytest.mark.parametrize(
    ("adjust", "of"), [("single-step", "p_singlestep"), ("step-down", "p_stepdown")]
)
def test_permutation_p_values_lie_within_four_standard_errors(
    key: str, adjust: str, of: str
) -> None:
    procedure = "nemenyi" if key.startswith("wnmt") else "permutation-max"
    ours = column(
        compare(errors(BENCH), procedure, null="permutation:20000", adjust=adjust), "p_adjusted"
    )
    for pair, p in BENCH_R[key]["approximate"][of].items():
        error = np.sqrt(max(p * (1 - p), 1e-4) * (1 / 1e5 + 1 / 2e4))
        assert abs(ours[pair] - p) <= 4 * error + 1e-4, pair


def test_the_quadratic_form_is_statistic_3() -> None:
    overall = compare(errors(BENCH), "permutation").overall
    theirs = BENCH_R["quad_mean_scores"]
    assert overall is not None
    assert overall.statistic == pytest.approx(theirs["statistic"], rel=1e-8)
    assert overall.df == theirs["df"]


# sum(sign(d) * rank(abs(d))) / sqrt(sum(rank(abs(d))^2)) of round(d, 12), as coin's statistic
WILCOXON_Z = [
    -1.44623693154549,
    -12.0367406831768,
    -12.9150455537468,
    -12.9762641702514,
    -12.9254643127457,
    -11.9941194060982,
    -12.8291768519974,
    -12.8522551095905,
    -12.8852288608477,
    -4.28755250270372,
    -5.00865326134673,
    -5.13049039189336,
    -0.913161061873129,
    -0.858874712092131,
    -0.240249990052149,
]
PRATT_Z = [
    -1.48257271194037,
    -12.3217758601276,
    -13.1104199463773,
    -13.0791443505664,
    -13.0451366203582,
    -12.2152376308386,
    -13.1148952091535,
    -13.0257612127771,
    -13.0742568255876,
    -4.29302304993074,
    -4.95661629812373,
    -5.05537517694261,
    -0.968895149140251,
    -0.872708123599736,
    -0.197215768847834,
]


def test_pairwise_tests() -> None:
    layout = errors(BENCH)
    ours = {name: compare(layout, name).table for name in ("wilcoxon", "pratt", "paired-t")}
    np.testing.assert_allclose(ours["wilcoxon"]["statistic"], WILCOXON_Z, rtol=1e-10)
    np.testing.assert_allclose(ours["pratt"]["statistic"], PRATT_Z, rtol=1e-10)
    for row, theirs in enumerate(BENCH_R["pairwise"].values()):
        # bare doubles break some ties by rounding
        z = ours["wilcoxon"].iloc[row]["statistic"]
        assert z == pytest.approx(theirs["wilcoxon_Z"], rel=5e-3)
        mine = ours["paired-t"].iloc[row]
        assert mine["statistic"] == pytest.approx(theirs["t"], rel=1e-8, abs=1e-12)
        assert mine["p"] == pytest.approx(theirs["t_p"], rel=1e-6, abs=1e-12)
        assert mine["estimate"] == pytest.approx(theirs["mean_diff"], rel=1e-8)


@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("holm", "holm"),
        ("hochberg", "hochberg"),
        ("hommel", "hommel"),
        ("bonferroni", "bonferroni"),
        ("bh", "BH"),
    ],
)
def test_adjustments_of_p_values(name: str, theirs: str) -> None:
    ours = compare(errors(BENCH), "paired-t", adjust=name).table["p_adjusted"]
    expected = list(BENCH_R["p_adjust"][theirs]["t"].values())
    np.testing.assert_allclose(ours, expected, rtol=1e-8, atol=1e-14)


@pytest.mark.parametrize(("frame", "key"), [(BENCH, "mixed_bench"), (GAPS, "mixed_bench_unbal")])
def test_mixed_model_with_tukey_contrasts(frame: pd.DataFrame, key: str) -> None:
    c, theirs = compare(errors(frame), "mixed-tukey"), r(key)
    emmeans = theirs["emmeans_satterthwaite"]  # t with Satterthwaite's df, as Podium's null
    np.testing.assert_allclose(c.table["estimate"], emmeans["estimate"], rtol=1e-6, atol=1e-12)
    half = (np.array(emmeans["upper"]) - np.array(emmeans["lower"])) / 2
    np.testing.assert_allclose(c.table["lower"], emmeans["lower"], atol=1e-3 * half.min(), rtol=0)
    np.testing.assert_allclose(c.table["upper"], emmeans["upper"], atol=1e-3 * half.min(), rtol=0)
    np.testing.assert_allclose(c.table["p_adjusted"], emmeans["p"], atol=1e-3)
    # multcomp's glht has the normal null; with over 1000 df it hardly differs
    agree(column(c, "p_adjusted"), theirs["tukey"]["p_single_step"], atol=1e-3, rtol=0)
    assert c.method.to_dict()["sigma_b"] == pytest.approx(theirs["lmer"]["sigma_b"], rel=1e-6)
    assert c.method.to_dict()["sigma"] == pytest.approx(theirs["lmer"]["sigma"], rel=1e-6)
    assert c.overall is not None
    assert c.overall.statistic == pytest.approx(theirs["anova_satterthwaite"]["F"], rel=1e-5)


@pytest.mark.parametrize(("frame", "key"), [(BENCH, "mixed_bench"), (GAPS, "mixed_bench_unbal")])
def test_mixed_model_with_dunnett_contrasts(frame: pd.DataFrame, key: str) -> None:
    c, theirs = compare(errors(frame), "mixed-dunnett", control="svm"), r(key)["dunnett"]
    names = [f"{a} - svm" for a in c.table["first"]]
    agree(
        dict(zip(names, c.table["estimate"], strict=True)),
        theirs["estimate"],
        rtol=1e-6,
        atol=1e-12,
    )
    agree(
        dict(zip(names, c.table["p_adjusted"], strict=True)),
        theirs["p_single_step"],
        atol=1e-3,
        rtol=0,
    )
    half = np.array(list(theirs["upr"].values())) - np.array(list(theirs["estimate"].values()))
    # R's limits use the normal quantile (2.5113, Monte-Carlo); ours t with over 1000 df
    np.testing.assert_allclose(c.table["upper"] - c.table["estimate"], half, rtol=3e-3)


def test_the_tiny_experiment_enumerated_in_full() -> None:
    theirs = r("tiny_exact")
    for procedure, key in (("permutation-max", "mean"), ("nemenyi", "rank")):
        c = compare(errors(TINY), procedure, null="exact")
        assert c.overall is not None
        assert c.overall.statistic == pytest.approx(theirs[key]["quad"], rel=1e-10)
        assert c.overall.p == pytest.approx(theirs[key]["p_quad_exact"], abs=1e-12)
        pairs = theirs[key]["pairs"].values()
        np.testing.assert_allclose(
            c.table["p_adjusted"], [p["p_singlestep"] for p in pairs], atol=1e-12
        )
        np.testing.assert_allclose(c.table["p"], [p["p_raw"] for p in pairs], atol=1e-12)
    asymptotic = compare(errors(TINY), "permutation", null="asymptotic").overall
    assert asymptotic is not None
    assert asymptotic.p == pytest.approx(theirs["mean"]["p_quad_chi2"], abs=1e-10)


def test_sign_flips_of_the_tiny_experiment() -> None:
    theirs, layout = r("tiny_exact")["signflip_a_c"], errors(TINY)
    two = compare(layout, "sign-flip", null="exact", pairs=[("a", "c")]).table.iloc[0]
    less = compare(layout, "sign-flip", null="exact", pairs=[("a", "c")], alternative="less")
    assert two["estimate"] == pytest.approx(theirs["mean"])
    assert two["p"] == pytest.approx(theirs["p_two"], abs=1e-12)
    assert less.table.iloc[0]["p"] == pytest.approx(theirs["p_less"], abs=1e-12)


def test_mcnemar_in_its_four_forms() -> None:
    nulls = {"corrected": "p_cc", "asymptotic": "p", "exact": "p_exact", "mid-p": "p_mid"}
    for null, key in nulls.items():
        ours = compare(items(), "mcnemar", null=null).table["p"]
        expected = [v[key] for v in r("misc")["mcnemar"].values()]
        np.testing.assert_allclose(ours, expected, atol=1e-10, rtol=1e-8)


def test_cochran() -> None:
    overall, theirs = compare(items(), "cochran").overall, r("misc")["cochran_Q_coin_mh_test"]
    assert overall is not None
    assert overall.statistic == pytest.approx(theirs["statistic"], rel=1e-10)
    assert overall.p == pytest.approx(theirs["p"], rel=1e-8)


def test_pooled_proportions() -> None:
    c, theirs = compare(items(), "pooled-proportions"), r("misc")["feelders_proportions"]
    for row, limits in zip(c.table.itertuples(), theirs["ci_Zinf"].values(), strict=True):
        assert row.estimate == pytest.approx(limits["est"], rel=1e-8)
        assert row.lower == pytest.approx(limits["lwr"], rel=1e-8)
        assert row.upper == pytest.approx(limits["upr"], rel=1e-8)


@pytest.mark.parametrize(
    ("key", "how", "rows"),
    [
        ("cv10x10_ratio_1_9", "repeated-cv:10x10", 100),
        ("first10_ratio_1_9", "cv:10", 10),
    ],
)
def test_corrected_t(key: str, how: str, rows: int) -> None:
    differences = pd.read_csv(REFERENCE / "cv10x10_diff.csv")["d"].to_numpy()[:rows]
    theirs = r("misc")["nadeau_bengio"][key]
    c = compare(folds(differences, how), "corrected-t-nb")
    row = c.table.iloc[0]
    assert row["statistic"] == pytest.approx(theirs["t"], rel=1e-8)
    assert row["p"] == pytest.approx(theirs["p_two"], abs=1e-10)
    assert [row["lower"], row["upper"]] == pytest.approx(theirs["ci95"], rel=1e-8)
    greater = compare(folds(differences, how), "corrected-t-nb", alternative="greater")
    assert greater.table.iloc[0]["p"] == pytest.approx(theirs["p_greater"], abs=1e-10)


def test_the_plain_t_of_folds_by_force() -> None:
    differences = pd.read_csv(REFERENCE / "cv10x10_diff.csv")["d"].to_numpy()
    theirs = r("misc")["nadeau_bengio"]["naive_ratio0"]
    c = compare(folds(differences, "repeated-cv:10x10"), "kfold-t", force=True)
    assert c.table.iloc[0]["statistic"] == pytest.approx(theirs["t"], rel=1e-8)
    assert "forced" in [w.code for w in c.warnings]


def test_five_by_two() -> None:
    halves, theirs = (
        pd.read_csv(REFERENCE / "cv5x2_diff.csv").to_numpy().ravel(),
        r("misc")["cv5x2"],
    )
    layout = folds(halves, "5x2cv")
    t, f = compare(layout, "5x2cv-t").table.iloc[0], compare(layout, "5x2cv-f").table.iloc[0]
    assert t["statistic"] == pytest.approx(theirs["t_dietterich"], rel=1e-8)
    assert t["p"] == pytest.approx(theirs["p_two"], abs=1e-10)
    assert abs(f["statistic"]) == pytest.approx(theirs["F_alpaydin"], rel=1e-8)
    assert f["p"] == pytest.approx(theirs["p_F"], abs=1e-10)
