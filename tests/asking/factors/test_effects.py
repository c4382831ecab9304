"""Effects of factors: R's values, full enumeration, second routes, and what is refused."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import podium
from podium.asking.factors import Factors
from podium.asking.factors.designs import ABLATION, COMPLETE, PARTIAL, _belongs, design_of
from podium.asking.factors.judging import is_joint, squares
from podium.asking.factors.levels import of_algorithms, of_rows
from podium.cli.main import status_of
from podium.errors import InferenceError

REFERENCE = json.loads(
    (Path(__file__).parents[2] / "reference/factors_and_trade.json").read_text("utf-8")
)["factors"]


def table(name: str) -> pd.DataFrame:
    """One row per block and combination, factors in columns."""
    made = REFERENCE[name]
    rows = [
        (f"d{b:02}", *cell, score)
        for b, scores in enumerate(made["scores"])
        for cell, score in zip(made["cells"], scores, strict=True)
    ]
    return pd.DataFrame(rows, columns=["dataset", *made["factors"], "score"])


def effects(name: str, **options: Any) -> podium.factors.Effects:
    frame = table(name)
    factors = ",".join(REFERENCE[name]["factors"])
    known = {"measure": "score", "higher_is_better": True, **options}
    return podium.factors.effects(frame, factors, **known)


def of_cells(cells: list[tuple[int, ...]], names: str = "ABCDEF") -> Factors:
    rows = [[str(level) for level in cell] for cell in cells]
    return of_rows([str(cell) for cell in cells], names[: len(cells[0])], rows)


# -- R's values -----------------------------------------------------------------------------------


def test_main_effects_are_those_of_emmeans_with_an_unstructured_covariance() -> None:
    made, r = effects("complete"), REFERENCE["complete"]
    main = made.of("main")
    assert main["name"].tolist() == ["A", "B", "C"]
    for ours, theirs in (("estimate", "estimate"), ("statistic", "t.ratio"), ("p", "p.value")):
        np.testing.assert_allclose(main[ours], r["main"][theirs], rtol=1e-9)
    np.testing.assert_allclose(main["estimate"] / main["statistic"], r["main"]["SE"], rtol=1e-9)
    np.testing.assert_allclose(main["p_adjusted"], np.minimum(3 * main["p"], 1))  # 8 blocks
    means = made.means[made.means["by"] == ""]
    for name in "ABC":
        own = means.loc[means["factor"] == name, "mean"]
        np.testing.assert_allclose(own, r["means"][name], rtol=1e-9)


def test_limits_agree_with_p_values_at_every_level() -> None:
    for alpha in (0.2, 0.05, 0.01):
        for name in ("complete", "half", "ablation"):
            rows = effects(name, alpha=alpha).table
            outside = (rows["lower"] > 0) | (rows["upper"] < 0)
            assert ((rows["p_adjusted"] <= alpha) == outside).all()
            assert ((rows["verdict"] != "undecided") == outside).all()


def test_unadjusted_limits_are_those_of_emmeans() -> None:
    main = effects("complete", alpha=0.15).of("main")  # Bonferroni: each at 5 %
    np.testing.assert_allclose(main["lower"], REFERENCE["complete"]["main"]["lower.CL"], rtol=1e-8)
    np.testing.assert_allclose(main["upper"], REFERENCE["complete"]["main"]["upper.CL"], rtol=1e-8)


def test_single_step_is_the_multivariate_t_of_emmeans() -> None:
    """Below 20 blocks it does not decide; it is the same t, held against the joint distribution."""
    frame, r = table("complete"), REFERENCE["complete"]["main_mvt"]
    results = podium.read(frame, columns="algorithm=A+B+C", measure="score", higher_is_better=True)
    design = design_of(of_algorithms(results.algorithms, "A,B,C"))
    rows = {name: design.difference(f, 0, 1).tolist() for f, name in enumerate("ABC")}
    made = podium.compare(results, "paired-t", contrasts=rows, adjust="single-step").table
    np.testing.assert_allclose(made["lower"], r["lower.CL"], atol=2e-4)
    np.testing.assert_allclose(made["upper"], r["upper.CL"], atol=2e-4)
    np.testing.assert_allclose(made["p_adjusted"], r["p.value"], atol=4e-4)


def test_interactions_and_simple_effects_are_those_of_emmeans() -> None:
    made, r = effects("complete"), REFERENCE["complete"]
    pairs, theirs = made.of("interaction"), r["interactions"]
    assert theirs["contrast"][:3] == ["AB", "AC", "BC"]
    assert pairs["name"].tolist() == ["A x B", "A x C", "B x C"]
    for ours, name in (("estimate", "estimate"), ("statistic", "t.ratio"), ("p", "p.value")):
        np.testing.assert_allclose(pairs[ours], theirs[name][:3], rtol=1e-8)
    simple = made.of("simple", 0)
    assert simple["name"].tolist() == ["A at B 0", "A at B 1"]
    for ours, name in (("estimate", "estimate"), ("statistic", "t.ratio"), ("p", "p.value")):
        np.testing.assert_allclose(simple[ours], r["simple_A"][name], rtol=1e-8)


def test_the_third_order_interaction_of_emmeans_is_a_contrast_too() -> None:
    frame, r = table("complete"), REFERENCE["complete"]["interactions"]
    cells = frame.set_index(["dataset", "A", "B", "C"])["score"].unstack(["A", "B", "C"])
    signs = np.prod([[1 if level == "1" else -1 for level in cell] for cell in cells], axis=1)
    per_block = cells.to_numpy() @ signs
    t = per_block.mean() / (per_block.std(ddof=1) / np.sqrt(len(per_block)))
    assert t == pytest.approx(r["t.ratio"][3], rel=1e-8)


def test_lme4_agrees_where_it_lets_effects_differ_between_blocks() -> None:
    main, r = effects("complete").of("main"), REFERENCE["complete"]["lmer_slopes"]
    np.testing.assert_allclose(main["estimate"], r["estimate"], rtol=1e-9)
    np.testing.assert_allclose(main["estimate"] / main["statistic"], r["SE"], rtol=5e-5)
    np.testing.assert_allclose(main["p"], r["p.value"], rtol=4e-4)
    block = REFERENCE["complete"]["lmer_block"]  # which finds C, with one variance for all
    np.testing.assert_allclose(main["estimate"], block["estimate"], rtol=1e-9)
    assert block["p.value"][2] < 0.05 < main["p"].iloc[2]


def test_a_half_fraction_is_least_squares_block_by_block() -> None:
    made = effects("half", alpha=0.2)  # four effects: each at 5 %
    for row in made.of("main").to_dict("records"):
        r = REFERENCE["half"]["ols"][row["name"]]
        ours = [row[k] for k in ("estimate", "statistic", "p", "lower", "upper")]
        theirs = [r[k] for k in ("estimate", "t", "p", "lower", "upper")]
        np.testing.assert_allclose(ours, theirs, rtol=1e-7)
    assert not len(made.of("interaction"))
    assert "A x B is mixed up with C x D." in made.to_dict()["factorial"]["not_told"]


def test_an_ablation_is_compared_with_the_full_one() -> None:
    made, r = effects("ablation"), REFERENCE["ablation"]
    rows = made.of("ablation")
    np.testing.assert_allclose(rows["estimate"], -np.array(r["minus_full"]["estimate"]), rtol=1e-8)
    np.testing.assert_allclose(rows["statistic"], -np.array(r["minus_full"]["t.ratio"]), rtol=1e-8)
    np.testing.assert_allclose(rows["p"], r["alone"], rtol=1e-8)
    assert repr(made).startswith(
        "Without A, score falls by 0.040 (0.017 to 0.063).\nB, C and D are inconclusive."
    )
    assert [note.code for note in made.notes if note.code == "ablation"] == ["ablation"]


def test_the_joint_limits_of_an_ablation_are_dunnetts_with_own_variances() -> None:
    frame, r = table("ablation"), REFERENCE["ablation"]["minus_full"]
    results = podium.read(
        frame, columns="algorithm=A+B+C+D", measure="score", higher_is_better=True
    )
    full = "1 / 1 / 1 / 1"
    rows = {n: {n: 1, full: -1} for n in results.algorithms if n != full}
    made = podium.compare(results, "paired-t", contrasts=rows, adjust="single-step").table
    np.testing.assert_allclose(made["lower"], r["lower.CL"], atol=2e-4)
    np.testing.assert_allclose(made["p_adjusted"], r["p.value"], atol=2e-3)


# -- weights, by another route --------------------------------------------------------------------


@pytest.mark.parametrize("counts", [(2, 2), (3, 2, 2), (4, 3, 2), (2, 2, 2, 2)])
def test_weights_of_all_combinations_are_plain_averages(counts: tuple[int, ...]) -> None:
    cells = list(product(*map(range, counts)))
    design = design_of(of_cells(cells))
    assert design.kind == COMPLETE
    scores = np.random.default_rng(1).normal(size=len(cells))
    grid = scores.reshape(counts)
    for f in range(len(counts)):
        means = grid.mean(axis=tuple(a for a in range(len(counts)) if a != f))
        assert design.difference(f, 0, 1) @ scores == pytest.approx(means[1] - means[0])
    both = grid.mean(axis=tuple(range(2, len(counts))))
    twice = both[1, 1] - both[0, 1] - both[1, 0] + both[0, 0]
    assert design.interaction(0, 1, (0, 1), (0, 1)) @ scores == pytest.approx(twice)


def test_a_level_that_was_run_more_often_does_not_count_more() -> None:
    """Additive scores with a missing combination: the effect is still that of the whole grid."""
    cells = [c for c in product(range(3), range(2), range(2)) if c != (2, 1, 1)]
    design = design_of(of_cells(cells))
    assert design.kind == PARTIAL
    effect = np.array([0.0, 1.0, 5.0])
    scores = np.array([effect[a] + 10 * b + 3 * c + 7 * b * c for a, b, c in cells])
    assert design.difference(0, 0, 2) @ scores == pytest.approx(5)
    assert design.difference(1, 0, 1) @ scores == pytest.approx(10 + 3.5)


def test_what_is_mixed_up_in_fractions_follows_from_the_generators() -> None:
    quarter = [(a, b, (a + b) % 2) for a, b in product((0, 1), repeat=2)]  # C = AB
    design = design_of(of_cells(quarter))
    assert design.mixed_main == {0: ((1, 2),), 1: ((0, 2),), 2: ((0, 1),)}
    half = [(a, b, c, d, (a + b + c + d) % 2) for a, b, c, d in product((0, 1), repeat=4)]
    design = design_of(of_cells(half))  # resolution V: all pairs are told
    assert len(design.clear) == 10
    assert design.mixed_pairs == {}


def test_shapleys_split_adds_up_and_is_the_mean_over_orders() -> None:
    from itertools import permutations

    cells = list(product((0, 1), repeat=3))
    design = design_of(of_cells(cells))
    scores = dict(zip(cells, np.random.default_rng(2).normal(size=8), strict=True))
    by_orders = np.zeros(3)
    for order in permutations(range(3)):
        now = [0, 0, 0]
        for f in order:
            before = scores[tuple(now)]
            now[f] = 1
            by_orders[f] += (scores[tuple(now)] - before) / 6
    assert design.split is not None
    np.testing.assert_allclose(design.split @ np.array(list(scores.values())), by_orders)
    split = effects("complete").of("split")["estimate"].sum()
    made = np.array(REFERENCE["complete"]["scores"]).mean(axis=0)
    assert split == pytest.approx(made[-1] - made[0])


def test_shares_add_up_and_take_noise_off() -> None:
    shares = effects("complete").shares
    assert shares is not None
    assert shares.table["share"].sum() == pytest.approx(1)
    assert shares.table["lower"].isna().all()  # 8 blocks
    values = np.random.default_rng(3).normal(size=(4000, 12, 4))
    design = design_of(of_cells(list(product((0, 1), repeat=2))))
    from podium.asking.factors.judging import _bases, _terms

    bases = _bases(design, _terms(2))
    mean = np.mean([squares(v, bases) for v in values[:1500]], axis=0)
    assert np.abs(mean).max() < 0.01  # of equal algorithms, where m'Pm alone would give 1 / 12


def test_limits_of_shares_are_those_of_pseudo_values() -> None:
    """Two factors of two levels: along a contrast c, c'Pc of means less its noise is one number."""
    rng = np.random.default_rng(9)
    cells, n = list(product("xy", "uv")), 24
    values = rng.normal(0, 0.02, (n, 4)) + np.array([0.0, 0.01, 0.05, 0.09])
    rows = [(f"d{b}", *cell, values[b, i]) for b in range(n) for i, cell in enumerate(cells)]
    frame = pd.DataFrame(rows, columns=["dataset", "A", "B", "score"])
    made = podium.factors.effects(frame, "A,B", measure="score", higher_is_better=True).shares
    assert made is not None
    contrasts = np.array([[-1, -1, 1, 1], [-1, 1, -1, 1], [1, -1, -1, 1]]) / 2

    def shares(scores: np.ndarray) -> np.ndarray:
        along = scores @ contrasts.T
        parts = along.mean(axis=0) ** 2 - along.var(axis=0, ddof=1) / len(scores)
        return parts / parts.sum()

    whole = shares(values)
    pseudo = np.array(
        [n * whole - (n - 1) * shares(np.delete(values, b, axis=0)) for b in range(n)]
    )
    reach = stats.t.isf(0.025, n - 1) * pseudo.std(axis=0, ddof=1) / np.sqrt(n)
    np.testing.assert_allclose(made.table["share"], whole)
    np.testing.assert_allclose(made.table["lower"], np.maximum(whole - reach, 0))
    np.testing.assert_allclose(made.table["upper"], np.minimum(whole + reach, 1))


def test_poor_studies_have_no_shares() -> None:
    rng = np.random.default_rng(4)
    scores = {f"{a}_{b}": rng.normal(size=10) for a in "xy" for b in "uv"}
    frame = pd.DataFrame({"dataset": [f"d{i}" for i in range(10)], **scores})
    made = podium.factors.effects(frame, "a,b", measure="score", higher_is_better=True)
    assert made.shares is None


# -- reading --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "said", "factors", "levels"),
    [
        (["r_ce", "v_ce", "r_fo", "v_fo"], "enc,loss", ("enc", "loss"), (("r", "v"), ("ce", "fo"))),
        (["r-1_x", "r-1_y", "v-2_x", "v-2_y"], "enc_loss", ("enc", "loss"),
         (("r-1", "v-2"), ("x", "y"))),
        (["rf", "rf+pca", "rf+sm", "rf+pca+sm"], "+", ("pca", "sm"), (("no", "yes"),) * 2),
        (["full", "w/o pca", "full-aug", "no-sm"], "ablation", ("pca", "aug", "sm"),
         (("no", "yes"),) * 3),
        (["a (10)", "a (9)", "b (9)", "b (10)"], ["kind", "n"], ("kind", "n"),
         (("a", "b"), ("(10)", "(9)"))),
        (["m 10", "m 9", "k 9", "k 10"], "kind,n", ("kind", "n"), (("m", "k"), ("9", "10"))),
    ],
)  # fmt: skip
def test_names_are_split(
    names: list[str], said: Any, factors: tuple[str, ...], levels: tuple[tuple[str, ...], ...]
) -> None:
    made = of_algorithms(names, said)
    assert (made.names, made.levels) == (factors, levels)


def test_levels_may_be_given() -> None:
    made = of_algorithms(["p", "q"], {"depth": {"p": 3, "q": 2}})
    assert made.levels == (("2", "3"),)
    turned = of_algorithms(["p", "q"], {"p": {"pca": True}, "q": {"pca": False}})
    assert turned.levels == (("no", "yes"),)
    assert turned.are_switches


def test_columns_and_names_give_the_same() -> None:
    by_columns = effects("complete").table
    frame = table("complete")
    named = frame.assign(algorithm=frame["A"] + frame["B"].radd("-") + frame["C"].radd("-"))
    named = named.drop(columns=list("ABC"))
    options = {"measure": "score", "higher_is_better": True}
    by_names = podium.factors.effects(named, "A,B,C", **options).table
    pd.testing.assert_frame_equal(by_columns, by_names)
    results = podium.read(named, **options)
    pd.testing.assert_frame_equal(by_columns, podium.factors.effects(results, "A-B-C").table)


def test_lower_is_better_turns_verdicts_and_no_numbers() -> None:
    up, down = effects("complete"), effects("complete", higher_is_better=False)
    for name in ("estimate", "lower", "upper", "p_adjusted"):
        np.testing.assert_allclose(up.table[name], down.table[name], rtol=1e-9)
    turned = down.table["verdict"].map({"better": "worse", "worse": "better"}).fillna("undecided")
    assert turned.tolist() == up.table["verdict"].tolist()


def test_gaps_are_counted_out_where_they_matter() -> None:
    frame = table("complete")
    gone = (frame["dataset"] == "d03") & (frame["A"] + frame["B"] + frame["C"] == "111")
    with_gap = frame[~gone]
    options = {"measure": "score", "higher_is_better": True}
    made = podium.factors.effects(with_gap, "A,B,C", **options)
    less = podium.factors.effects(frame[frame["dataset"] != "d03"], "A,B,C", **options)
    np.testing.assert_allclose(made.of("main")["estimate"], less.of("main")["estimate"])
    np.testing.assert_allclose(made.of("main")["p"], less.of("main")["p"])
    at_zero = made.of("simple", 0)["name"].tolist().index("A at B 0")  # has all its cells
    whole = effects("complete").of("simple", 0)["estimate"].tolist()
    assert made.of("simple", 0)["estimate"].iloc[at_zero] == pytest.approx(whole[at_zero])


def test_from_20_blocks_on_limits_are_single_step() -> None:
    rng = np.random.default_rng(5)
    rows = [(f"d{i}", a, b, rng.normal()) for i in range(20) for a in "xyz" for b in "uv"]
    frame = pd.DataFrame(rows, columns=["dataset", "A", "B", "score"])
    options = {"measure": "score", "higher_is_better": True}
    many = podium.factors.effects(frame, "A,B", **options)
    few = podium.factors.effects(frame[frame["dataset"] != "d7"], "A,B", **options)
    kinds = [e.to_dict()["factorial"]["adjustment"]["main"] for e in (many, few)]
    assert kinds == ["single-step", "bonferroni"]


# -- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ([("x", "u"), ("x", "v")], "The factor 'A' has one level"),
        ([("x", "u"), ("y", "v")], "'A' and 'B' change together.* A x with B v"),
        ([("x", "u"), ("y", "v"), ("x", "u")], "have the same levels of A, B"),
    ],
)
def test_designs_that_tell_nothing(cells: list[tuple[str, str]], message: str) -> None:
    with pytest.raises(InferenceError, match=message):
        design_of(of_rows([f"{i}" for i in range(len(cells))], "AB", cells))


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("", "No factor is named"),
        ("encoder", "There is no column 'encoder', and it is no pattern"),
        ("encoder,loss,size", "'r_ce' does not split into 3 parts"),
        ("encoder-loss", "'r_ce' does not split as 'encoder-loss'"),
        ("+", r"finds no factor"),
        ("ablation", "are no ablation"),
        ({"a": {"r_ce": 1}}, "has no level for 'v_ce'"),
    ],
)
def test_names_that_do_not_split(said: Any, message: str) -> None:
    with pytest.raises(InferenceError, match=message):
        of_algorithms(["r_ce", "v_ce", "r_fo", "v_fo"], said)


def test_names_of_levels_are_no_parts_that_may_be_missing() -> None:
    names = ["vit+ce", "vit+focal", "cnn+ce", "cnn+focal"]
    with pytest.raises(InferenceError, match=r"levels of 2 factors: .* --factors 'A\+B'"):
        of_algorithms(names, "+")
    assert of_algorithms(names, "A+B").names == ("A", "B")


def test_a_name_that_splits_in_two_ways_is_asked_about() -> None:
    with pytest.raises(InferenceError, match=r"'a-b' or --factors 'a_b'|more than one sign"):
        of_algorithms(["r-x_u", "r-x_v", "v-y_u", "v-y_v"], "a,b")


def test_few_blocks_ranks_and_a_column_that_is_not_there_are_refused() -> None:
    frame = table("complete")
    options = {"measure": "score", "higher_is_better": True}
    with pytest.raises(InferenceError, match="4 data sets are too few"):
        podium.factors.effects(frame[frame["dataset"] < "d04"], "A,B,C", **options)
    with pytest.raises(InferenceError, match="Effects are about amounts"):
        podium.factors.effects(frame, "A,B,C", scale="ranks", **options)
    with pytest.raises(InferenceError, match="'A' is a column of the table, and 'E' is none"):
        podium.factors.effects(frame, "A,E", **options)


# -- the command ----------------------------------------------------------------------------------


def test_the_screen_says_it_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "scores.csv"
    frame = table("complete").rename(columns={"A": "encoder", "B": "loss", "C": "augmentation"})
    frame.rename(columns={"score": "accuracy"}).to_csv(path, index=False)
    asked = ["analyze", str(path), "--factors", "encoder,loss,augmentation"]
    assert status_of(asked) == 0
    shown = capsys.readouterr().out
    assert (
        "encoder has the largest effect: it raises accuracy by 0.040 (0.018 to 0.062), averaged "
        "over loss and augmentation. loss raises it by 0.0165 (0.0094 to 0.0237); augmentation is "
        "inconclusive. The effect of encoder depends on loss: +0.031 at loss 0, +0.048 at loss 1."
    ) in " ".join(shown.split())
    assert len(shown.splitlines()) < 40
    assert status_of([*asked, "--json", "-"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in made["factors"]][:3] == ["encoder", "loss", "augmentation"]
    assert {"name", "estimate", "lower", "upper", "p_adjusted"} <= {*made["factors"][0]}
    assert {"pairs", "order", "blocks", "factorial"} <= {*made}
    assert made["headline"].startswith("encoder has the largest effect")
    assert status_of([*asked, "--csv", str(tmp_path / "effects.csv")]) == 0
    assert (tmp_path / "effects.csv").read_text().startswith("family,name,estimate")


def test_24_combinations_of_50_data_sets_fit_a_screen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(6)
    rows = [
        (f"d{i}", e, loss, a, 0.7 + 0.02 * e + 0.01 * (a == "yes") + rng.normal(0, 0.02))
        for i in range(50) for e in range(4) for loss in "abc" for a in ("no", "yes")
    ]  # fmt: skip
    path = tmp_path / "scores.csv"
    frame = pd.DataFrame(rows, columns=["dataset", "encoder", "loss", "augmented", "accuracy"])
    frame.to_csv(path, index=False)
    assert status_of(["analyze", str(path), "--factors", "encoder,loss,augmented"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 42
    assert max(map(len, lines)) <= 100
    assert any("encoder has the largest effect: 3 raises accuracy over 0" in e for e in lines)


@pytest.mark.parametrize("option", [["--bayes"], ["--control", "a"], ["-p", "wilcoxon"]])
def test_options_of_pairs_are_refused(
    option: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "scores.csv"
    table("complete").to_csv(path, index=False)
    assert status_of(["analyze", str(path), "--factors", "A,B,C", "-m", "auc", *option]) == 2
    assert "is not for --factors" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["cv:10", "items", "seeds", "seeds+paired", "bootstrap"])
def test_other_blocks_are_judged_by_the_test_that_is_valid_for_them(kind: str) -> None:
    rng = np.random.default_rng(7)
    names = ["r_ce", "v_ce", "r_fo", "v_fo"]
    scores = {n: 0.5 + 0.2 * (n[0] == "v") + rng.normal(0, 0.02, 10) for n in names}
    results = podium.read(scores, sampling=kind, measure="score", higher_is_better=True)
    made = podium.factors.effects(results, "encoder,loss")
    expected = {"cv:10": "corrected-t", "seeds": "games-howell"}.get(kind, "paired-t")
    assert made.first.procedure == expected
    assert made.of("main", 0)["verdict"].tolist() == ["better"]


def test_an_ablation_with_the_empty_one_beside_it_stays_one() -> None:
    cells = [(1, 1, 1), (0, 1, 1), (1, 0, 1), (1, 1, 0), (0, 0, 0)]
    design = design_of(of_cells(cells))
    assert (design.kind, design.base) == (ABLATION, 0)


# -- factors that belong to another one -----------------------------------------------------------


def nested_table() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    sizes = {"resnet": ("18", "50"), "vit": ("base", "large", "huge")}
    cells = [(e, s, loss) for e, of in sizes.items() for s in of for loss in ("ce", "focal")]
    rows = [(f"d{b}", *cell, 0.7 + 0.1 * rng.random()) for b in range(8) for cell in cells]
    return pd.DataFrame(rows, columns=["dataset", "encoder", "size", "loss", "accuracy"])


def test_a_factor_within_another_is_averaged_and_compared_there() -> None:
    frame = nested_table()
    made = podium.factors.effects(frame, "encoder,size(encoder),loss", measure="accuracy")
    found = made.table.set_index("name")
    means = frame.groupby(["dataset", "encoder", "size"])["accuracy"].mean()
    own = means.groupby(["dataset", "encoder"]).mean().unstack()
    gain = own["vit"] - own["resnet"]
    row = found.loc["encoder: vit - resnet"]
    assert row["estimate"] == pytest.approx(gain.mean())
    assert row["statistic"] == pytest.approx(gain.mean() / (gain.std() / np.sqrt(8)))
    inside = means.unstack()["huge"].xs("vit", level=1) - means.unstack()["base"].xs("vit", level=1)
    row = found.loc["size: huge - base at encoder vit"]
    assert row["estimate"] == pytest.approx(inside.mean())
    assert row["p_adjusted"] == pytest.approx(min(4 * row["p"], 1))  # a family of four
    assert made.table["family"].value_counts().to_dict() == {
        "nested": 4, "main": 2, "interaction": 1,
    }  # fmt: skip
    assert made.design.kind == "nested"
    losses = frame.groupby(["loss"])["accuracy"].mean()
    within = frame.groupby(["encoder", "size", "loss"])["accuracy"].mean().unstack()
    change = (within["focal"] - within["ce"]).groupby("encoder").mean().mean()
    assert found.loc["loss: focal - ce", "estimate"] == pytest.approx(change)
    assert losses["focal"] - losses["ce"] != pytest.approx(change)  # vit has more sizes


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("encoder,size,loss", r"say so: --factors 'encoder,size\(encoder\)'"),
        ("size(encoder),loss", "is not among the factors: name it"),
        ("encoder,size(encoder),loss(size)", "only one factor inside another"),
    ],
)
def test_nested_factors_are_said_with_brackets(said: str, message: str) -> None:
    with pytest.raises(InferenceError, match=message):
        podium.factors.effects(nested_table(), said, measure="accuracy")


def test_nested_factors_need_all_combinations() -> None:
    frame = nested_table()
    gone = (frame["size"] == "huge") & (frame["loss"] == "ce")
    with pytest.raises(InferenceError, match="size huge and loss ce is not there"):
        podium.factors.effects(frame[~gone], "encoder,size(encoder),loss", measure="accuracy")
    alone = frame[frame["size"].isin(["18", "base"])]
    with pytest.raises(InferenceError, match="nothing to compare"):
        podium.factors.effects(alone, "encoder,size(encoder),loss", measure="accuracy")


def test_the_screen_tells_effects_within_levels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "nested.csv"
    nested_table().to_csv(path, index=False)
    asked = ["analyze", str(path), "-m", "accuracy", "--factors", "encoder,size(encoder),loss"]
    assert status_of(asked) == 0
    text = capsys.readouterr().out
    assert "effect within a level" in text
    assert "size makes no significant difference within any encoder." in " ".join(text.split())


def test_levels_that_belong_to_others_are_said_in_either_order() -> None:
    cells = np.array([[0, 0], [1, 0], [2, 1], [3, 1]])
    levels, names = (("a1", "a2", "b1", "b2"), ("a", "b")), ("model", "family")
    own = Factors(names, levels, cells, ("1", "2", "3", "4"))
    turned = Factors(names[::-1], levels[::-1], cells[:, ::-1], own.algorithms)
    for factors in (own, turned):
        assert "--factors 'family,model(family)'" in _belongs(factors)


def test_a_joint_distribution_needs_blocks_for_all_of_its_contrasts() -> None:
    """Of 4 x 3 x 2 levels, 11 interactions are free: 20 data sets do not tell how they hang
    together (7 % errors in the laboratory), 44 do."""
    rng = np.random.default_rng(4)
    names = ["_".join(cell) for cell in product("abcd", "uvw", "xy")]
    for blocks, adjust in ((20, "bonferroni"), (44, "single-step")):
        scores = {"dataset": [f"d{i}" for i in range(blocks)]}
        scores |= {name: rng.random(blocks) for name in names}
        made = podium.factors.effects(scores, "A,B,C", measure="accuracy")
        assert made.to_dict()["factorial"]["adjustment"]["interaction"] == adjust
    one, two = np.array([[1, -1, 0]]), np.array([[1, -1, 0], [1, 0, -1]])
    assert [is_joint(rows, 20.0) for rows in (one, two, -one.repeat(2, axis=0))] == [0, 1, 0]


def _grid(folder: Path) -> Path:
    """Encoder x loss on ten data sets, in columns; encoder alone matters."""
    rng = np.random.default_rng(6)
    rows = [(f"d{d}", e, o, round(0.7 + 0.05 * (e == "vit") + rng.normal(0, 0.004), 4))
            for d in range(10) for e, o in product(("cnn", "vit"), ("sgd", "adam"))]  # fmt: skip
    path = folder / "grid.csv"
    pd.DataFrame(rows, columns=["dataset", "encoder", "optimizer", "accuracy"]).to_csv(
        path, index=False
    )
    return path


def test_combinations_are_offered_their_factors(tmp_path: Path, capsys: Any) -> None:
    """By columns and by names, to the letter; other names are offered nothing."""
    path = _grid(tmp_path)
    columns = ["--columns", "algorithm=encoder+optimizer,dataset=dataset,value=accuracy"]
    assert status_of(["analyze", str(path), *columns]) == 0
    assert "add --factors 'encoder,optimizer'." in " ".join(capsys.readouterr().out.split())
    asked = ["analyze", str(path), *columns, "--factors", "encoder,optimizer"]
    assert status_of(asked) == 0
    out = capsys.readouterr().out
    assert out.startswith("encoder has the largest effect")
    assert "encoder 100 %. Shares describe." in out  # free of noise it may exceed the whole
    wide = pd.read_csv(path).assign(name=lambda f: f["encoder"] + "-" + f["optimizer"])
    table = wide.pivot(index="dataset", columns="name", values="accuracy")
    table.to_csv(tmp_path / "wide.csv")
    assert status_of(["analyze", str(tmp_path / "wide.csv"), "-m", "accuracy"]) == 0
    assert "add --factors 'PART1-PART2'." in " ".join(capsys.readouterr().out.split())
    table.head(4).to_csv(tmp_path / "few.csv")  # which would be refused
    assert status_of(["analyze", str(tmp_path / "few.csv"), "-m", "accuracy"]) == 0
    assert "--factors" not in capsys.readouterr().out
    table.columns = ["svm", "forest", "knn", "tree"]
    table.to_csv(tmp_path / "wide.csv")
    assert status_of(["analyze", str(tmp_path / "wide.csv"), "-m", "accuracy"]) == 0
    assert "--factors" not in capsys.readouterr().out


def test_a_column_of_one_level_is_named(tmp_path: Path) -> None:
    with pytest.raises(InferenceError, match=r"'optimizer' has one level \('sgd'\)"):
        podium.factors.effects(_grid(tmp_path), "encoder,optimizer", where="optimizer=sgd")


def unbalanced(seed: int = 3) -> pd.DataFrame:
    """Three encoders, three losses, two augmentations, without conv and dice; aug helps vit."""
    rng = np.random.default_rng(seed)
    rows = []
    for d in range(30):
        base = rng.normal(0.6, 0.05)
        for encoder, loss, aug in product(("r50", "vit", "conv"), ("ce", "dice", "poly"), "NM"):
            if (encoder, loss) != ("conv", "dice"):
                gain = 0.05 * (encoder == "vit") + 0.04 * (encoder == "vit" and aug == "M")
                rows.append((f"d{d}", encoder, loss, aug, base + gain + rng.normal(0, 0.01)))
    return pd.DataFrame(rows, columns=["dataset", "encoder", "loss", "aug", "accuracy"])


def test_simple_effects_that_missing_combinations_leave_open_are_not_told(tmp_path):
    made = podium.factors.effects(unbalanced(), "encoder,loss,aug")
    every = made.of("simple")
    # over all losses nothing tells conv, which was not run with dice; aug is told at each encoder
    encoders = every[[of == ("encoder",) for of in every["factors"]]]
    assert {*encoders["low"], *encoders["high"]} == {"r50", "vit"}
    simple = every[[of == ("aug",) for of in every["factors"]]]
    assert simple["at"].tolist() == ["encoder r50", "encoder vit", "encoder conv"]
    wide = unbalanced().pivot(index="dataset", columns=["encoder", "loss", "aug"],
                              values="accuracy")  # fmt: skip
    for row in simple.to_dict("records"):
        own = wide[row["at"].split()[1]]
        within = own.xs("M", axis=1, level="aug") - own.xs("N", axis=1, level="aug")
        by_hand = within.mean(axis=1)
        assert row["estimate"] == pytest.approx(by_hand.mean(), abs=0.004)
    assert not len(made.means[made.means["by"] != ""])
    assert "The effect of aug depends on encoder: " in repr(made)
    page = tmp_path / "page.html"
    unbalanced().to_csv(tmp_path / "u.csv", index=False)
    options = ["--factors", "encoder,loss,aug", "-o", str(page)]
    assert status_of(["report", str(tmp_path / "u.csv"), *options]) == 0


def test_an_effect_reverses_only_where_both_ways_are_shown():
    rng = np.random.default_rng(1)
    for other, verb in ((-0.04, "reverses with"), (-0.001, "depends on")):
        rows = [
            (f"d{d}", a, b, 0.6 + d / 500 + {"y": {"q": 0.05, "p": other}}.get(a, {}).get(b, 0)
             + rng.normal(0, 0.01))
            for d in range(25) for a in "xy" for b in "pq"
        ]  # fmt: skip
        table = pd.DataFrame(rows, columns=["dataset", "A", "B", "accuracy"])
        assert f"The effect of A {verb} B" in repr(podium.factors.effects(table, "A,B"))


@pytest.mark.parametrize("name", ["half", "ablation"])
def test_a_picture_of_interactions_that_are_not_told_is_refused(name: str) -> None:
    with pytest.raises(InferenceError, match="no interaction of two factors"):
        podium.plots.interaction(effects(name))


@pytest.mark.parametrize(("blocks", "limits"), [(19, False), (20, True)])
def test_shares_have_limits_from_20_blocks_on(blocks: int, limits: bool) -> None:
    rng = np.random.default_rng(9)
    cells = list(product("xy", "uv"))
    values = rng.normal(0, 0.02, (blocks, 4)) + np.array([0.0, 0.01, 0.05, 0.09])
    rows = [(f"d{b}", *cell, values[b, i]) for b in range(blocks) for i, cell in enumerate(cells)]
    frame = pd.DataFrame(rows, columns=["dataset", "A", "B", "score"])
    table = podium.factors.effects(frame, "A,B", measure="score", higher_is_better=True).shares
    assert table.table[["lower", "upper"]].notna().all(axis=None) == limits
    assert table.table["lower"].isna().all() != limits
