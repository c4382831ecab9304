"""Posteriors as procedures: chosen by the design, refused like their kin, against baycomp."""

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats

import podium
from podium.cli.main import group
from podium.core.inference.comparing.known import POSTERIORS
from podium.core.inference.procedures.posteriors import _correlation, _of_two, of_signs
from podium.core.samplings import parse
from podium.errors import IllegalProcedure, InferenceError
from podium.testing import check_procedure


def table(sampling, blocks=12, means=(0.80, 0.78), spread=0.02, seed=0):
    rng = np.random.default_rng(seed)
    names = "abcde"[: len(means)]
    scores = {n: rng.normal(m, spread, blocks) for n, m in zip(names, means, strict=True)}
    return podium.read(scores, sampling=sampling, measure="accuracy")


def nested(sets=6, samples=10, seed=1):
    rng = np.random.default_rng(seed)
    centre = rng.normal(0.02, 0.01, sets)
    rows = {"dataset": [], "sample": [], "a": [], "b": []}
    for j in range(sets):
        rows["dataset"] += [f"d{j}"] * samples
        rows["sample"] += range(1, samples + 1)
        rows["a"] += (0.7 + centre[j] + rng.normal(0, 0.02, samples)).tolist()
        rows["b"] += (0.7 + rng.normal(0, 0.02, samples)).tolist()
    return rows


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        (table("cv:12"), "bayes-correlated-t"),
        (table("simulation"), "bayes-t"),
        (table("bootstrap"), "bayes-t"),
        (table("items"), "bayes-t"),
        (table("simulation+independent"), "bayes-welch"),
    ],
)
def test_the_design_chooses_the_posterior(results, expected):
    found = podium.compare(results, posterior=True)
    assert found.procedure == expected
    assert found.has_posterior


def test_of_the_population_resamples_are_correlated():
    found = podium.compare(table("subsampling:0.8"), posterior=True, target="population")
    assert found.procedure == "bayes-correlated-t"


def test_correlated_t_is_the_formula_of_corani_and_benavoli():
    """baycomp 1.0.3: t of n - 1 df, variance s² (1/n + rho / (1 - rho))."""
    results = table("repeated-cv:10x10", blocks=100)
    wide = results.wide("accuracy")
    d = (wide["a"] - wide["b"]).to_numpy()
    scale = np.sqrt(d.var(ddof=1) * (1 / 100 + 0.1 / 0.9))
    found = podium.compare(results, posterior="correlated-t", rho=0.1, rope=0.01).table.iloc[0]
    assert found["lose"] == pytest.approx(stats.t.cdf((-0.01 - d.mean()) / scale, 99))
    assert found["win"] == pytest.approx(stats.t.sf((0.01 - d.mean()) / scale, 99))
    assert found["win"] + found["same"] + found["lose"] == pytest.approx(1)


def test_without_a_correlation_it_is_the_default_of_corrected_t():
    results = table("repeated-cv:5x4", blocks=20)
    found = podium.compare(results, posterior=True)
    test = podium.compare(results, "corrected-t", alpha=0.1)  # probability 0.95 on either side
    limits = ["estimate", "lower", "upper"]
    assert found.table[limits].to_numpy() == pytest.approx(test.table[limits].to_numpy())


def test_a_posterior_of_independent_blocks_is_the_t_test():
    results = table("simulation")
    found = podium.compare(results, posterior=True)
    test = podium.compare(results, "paired-t", alternative="greater")
    assert found.table["lose"][0] == pytest.approx(test.table["p"][0])


SCORES = {  # differences with a wide tail; oracle: definitions, drawn in test_posteriors
    "dataset": [f"d{i}" for i in range(12)],
    "a": [0.81, 0.74, 0.92, 0.66, 0.71, 0.88, 0.79, 0.55, 0.93, 0.62, 0.70, 0.84],
    "b": [0.78, 0.75, 0.90, 0.61, 0.70, 0.85, 0.80, 0.50, 0.93, 0.60, 0.64, 0.83],
}


@pytest.fixture
def datasets():
    return podium.read(SCORES, measure="accuracy")


def test_data_sets_are_compared_by_signed_ranks(datasets):
    from podium.core.inference.numbers.chances import sign, signed_rank

    d = np.array(SCORES["a"]) - np.array(SCORES["b"])
    found = podium.compare(datasets, posterior=True, rope=0.01)
    assert found.procedure == "bayes-signed-rank"
    row = found.table.iloc[0]
    chances = [row["lose"], row["same"], row["win"]]
    assert chances == pytest.approx(signed_rank(d, 0.01), abs=0.01)
    by_sign = podium.compare(datasets, posterior="sign", rope=0.01).table.iloc[0]
    assert by_sign["win"] == pytest.approx(sign(d, 0.01)[2])


def test_nobody_gains_by_the_order_of_rows_and_columns(datasets):
    turned = {"dataset": SCORES["dataset"][::-1]}
    turned |= {name: SCORES[name][::-1] for name in ("b", "a")}
    one = podium.compare(datasets, posterior=True)
    two = podium.compare(podium.read(turned, measure="accuracy"), posterior=True)
    assert one.extras.standing["a"] == two.extras.standing["a"]
    assert one.table["win"][0] == two.table["lose"][0]


def test_samples_within_data_sets_have_the_hierarchical_model():
    results = podium.read(nested(), sampling="cv:10", measure="accuracy")
    found = podium.compare(results, posterior=True, rope=0.01)
    assert found.procedure == "bayes-hierarchical"
    row = found.table.iloc[0]
    assert row["win"] + row["same"] + row["lose"] == pytest.approx(1)
    assert row["lower"] < row["estimate"] < row["upper"]
    assert found.extras.standing["a"].best > 0.95
    (note,) = (n for n in found.warnings if n.code == "correlation")
    assert note.rho == pytest.approx(0.1)  # as in baycomp, for ten folds


def test_many_algorithms_have_a_best_one_and_ranks():
    found = podium.compare(table("simulation", 30, (0.8, 0.8, 0.75)), posterior=True)
    best = {name: of.best for name, of in found.extras.standing.items()}
    assert sum(best.values()) == pytest.approx(1)
    assert best["c"] < 0.001
    assert sum(of.expected_rank for of in found.extras.standing.values()) == pytest.approx(6)
    assert "many-chances" in {note.code for note in found.warnings}


def test_those_who_never_differ_share_first_place():
    same = {"a": [1.0, 2.0, 3.0, 4.0], "b": [1.0, 2.0, 3.0, 4.0], "c": [0.0, 1.5, 1.0, 2.0]}
    results = podium.read(same, sampling="simulation", measure="score", higher_is_better=True)
    found = podium.compare(results, posterior=True)
    assert found.extras.standing["a"] == pytest.approx(found.extras.standing["b"], abs=1e-4)
    row = found.table.iloc[0]
    assert (row["same"], row["verdict"]) == (1.0, "equivalent")


@pytest.mark.parametrize("name", ["bayes-t", "bayes-correlated-t", "bayes-welch"])
def test_they_keep_the_laws_of_procedures(name):
    check_procedure(POSTERIORS[name])


def test_what_is_illegal_for_the_kin_is_illegal():
    with pytest.raises(IllegalProcedure, match=r"'bayes-t' is not valid .* Valid here: bayes-corr"):
        podium.compare(table("cv:12"), posterior="t")
    forced = podium.compare(table("cv:12"), posterior="t", force=True)
    assert forced.is_forced


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"rope": 0.1}, "--rope .* add --bayes"),
        ({"posterior": True, "rope": 0.1, "relevance": 0.2}, "either rope or relevance"),
        ({"posterior": True, "adjust": "holm"}, "leave --adjust"),
        ({"posterior": True, "alternative": "less"}, "leave --alternative"),
        ({"posterior": True, "rho": 0.1}, "takes no correlation"),
        ({"posterior": True, "procedure": "hull"}, "either a procedure or a posterior"),
        ({"posterior": True, "equivalence": 0.1}, "use --rope"),
        ({"posterior": True, "rope": -0.1}, "number of at least 0"),
        ({"posterior": "signs"}, "Did you mean 'bayes-sign'"),
    ],
)
def test_what_makes_no_sense_ends_in_a_sentence(options, expected):
    with pytest.raises((InferenceError, podium.PodiumError), match=expected):
        podium.compare(table("simulation"), **options)


def test_the_correlation_lies_between_0_and_1():
    with pytest.raises(InferenceError, match="not 1"):
        podium.compare(table("cv:12"), posterior=True, rho=1)


def test_the_command_tells_who_is_best_first(tmp_path: Path):
    file = tmp_path / "scores.csv"
    rows = "\n".join(f"{i},{0.8 + i / 100},{0.79 + (i % 3) / 100}" for i in range(1, 11))
    file.write_text(f"fold,svm,tree\n{rows}\n")
    asked = ["analyze", str(file), "--sampling", "cv:10", "-m", "accuracy", "--bayes"]
    told = CliRunner().invoke(group, [*asked, "--rope", "0.01", "--pairs", "--why"]).output
    assert told.index("P(best)") < told.index("  win") < told.index("bayes-correlated-t")
    assert "Given the model and a flat prior, win is the probability that the first" in told
    found = json.loads(CliRunner().invoke(group, [*asked, "--json", "-"]).output)["posterior"]
    assert set(found) == {"pairs", "best", "expected_rank"}
    (pair,) = found["pairs"]
    assert found["best"][pair["first"]] == pytest.approx(pair["win"])


def test_two_algorithms_share_what_their_pair_says_of_the_best():
    found = _of_two(0.2, 0.3, 0.5)
    assert found.best == pytest.approx([0.65, 0.35])
    assert found.expected_rank == pytest.approx([1.35, 1.65])


def three_sets(seed=2):
    values = np.random.default_rng(seed).normal([0.80, 0.79, 0.77], 0.03, (12, 3))
    scores = {"dataset": [f"d{i}" for i in range(12)]} | dict(zip("abc", values.T, strict=True))
    return values, podium.read(scores, measure="accuracy")


@pytest.mark.parametrize("rope", [0.0, 0.02])
def test_who_is_best_by_signs_is_what_draws_of_a_dirichlet_say(rope):
    """Of every draw: who has most blocks in its favour, pair by pair, whatever the rope."""
    values, results = three_sets()
    found = podium.compare(results, posterior="sign", rope=rope).extras.standing
    w = np.random.default_rng(9).dirichlet(np.ones(13), 40_000)[:, 1:]
    beats = np.zeros((len(w), 3))
    for i in range(3):
        for j in range(3):
            beats[:, i] += np.sign(w @ np.sign(values[:, i] - values[:, j]))
    top = beats == beats.max(axis=1, keepdims=True)
    best = (top / top.sum(axis=1, keepdims=True)).mean(axis=0)
    ranks = stats.rankdata(-beats, axis=1).mean(axis=0)
    for name, one, rank in zip("abc", best, ranks, strict=True):
        assert found[name].best == pytest.approx(one, abs=0.01)
        assert found[name].expected_rank == pytest.approx(rank, abs=0.02)


def test_chances_at_another_rope_are_those_of_the_comparison_with_it():
    layout = podium.layout(three_sets()[1])
    pairs = ((0, 1), (0, 2), (1, 2))
    for rope in (0.0, 0.015):
        asked = SimpleNamespace(pairs=pairs, relevance=0.03, alpha=0.05)
        table = podium.compare(layout, posterior="sign", rope=rope).table
        expected = table[["lose", "same", "win"]].to_numpy()
        np.testing.assert_allclose(of_signs(layout, asked).at(rope), expected)


def test_of_the_hierarchical_model_equal_scores_are_certain_and_new_samples_uncorrelated():
    rows = nested()
    same = podium.read(rows | {"b": rows["a"]}, sampling="cv:10", measure="accuracy")
    found = podium.compare(same, posterior=True, rope=0.01)
    row = found.table.iloc[0]
    assert (row["estimate"], row["lose"], row["same"], row["win"]) == (0, 0, 1, 0)
    assert found.extras.standing["a"].best == found.extras.standing["b"].best == 0.5
    drawn = SimpleNamespace(origin=SimpleNamespace(sampling=parse("simulation:10")))
    assert _correlation(drawn, SimpleNamespace(rho=None)) == 0
    assert _correlation(drawn, SimpleNamespace(rho=0.3)) == 0.3
