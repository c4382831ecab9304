"""One analysis, one answer: no two statements of it contradict, on whatever table."""

from __future__ import annotations

import io
import json
from itertools import product

import numpy as np
import pandas as pd
import pytest
from random_answers import contradictions, wrongs
from random_cases import DESIGNS, Case, case
from random_doors import through_doors

import podium
from podium.cli.main import main
from podium.core.verdicts.standing import standing
from podium.core.verdicts.verdict import next_sentence, verdict
from podium.core.words.phrases import plain


def read(text: str, measure: str = "accuracy", **more) -> podium.Results:
    return podium.read(pd.read_csv(io.StringIO(text)), measure=measure, **more)


def headline(c: podium.Comparisons) -> str:
    return plain(verdict(c, standing(c)))


def wide(columns: dict[str, list[float]]) -> str:
    frame = pd.DataFrame(columns)
    frame.insert(0, "dataset", [f"d{i:02d}" for i in range(len(frame))])
    return frame.to_csv(index=False)


SETTLED = "dataset,a,b,c\nk,0.77,0.72,0.84\nl,0.79,0.70,0.90\nm,0.74,0.69,0.79\nn,0.67,0.64,0.76\n"
MARGIN = """dataset,a,b,c
d0,0.818,0.72,0.642
d1,0.814,0.75,0.699
d2,0.856,0.747,0.723
d3,0.854,0.757,0.706
d4,0.912,0.815,0.743
"""
TWO_SETS = "dataset,a,b,c\nk,0.73,0.80,0.87\nl,0.69,0.75,0.80\nm,0.64,0.69,0.77\nn,0.72,0.78,0.85\n"
LEFT_OUT = """dataset,a,b,c,d
k,0.86,0.81,0.83,0.83
l,0.85,0.81,0.82,0.83
m,0.83,0.79,0.80,0.82
n,0.72,0.68,0.69,0.70
"""
NOT_CLOSED = (
    "dataset,a,b,c\nk,0.85,0.88,0.81\nl,0.75,0.77,0.73\nm,0.75,0.79,0.72\nn,0.78,0.81,0.75\n"
)


@pytest.mark.parametrize("procedure", [None, "hull", "paired-t"])
@pytest.mark.parametrize("table", [SETTLED, TWO_SETS, LEFT_OUT, NOT_CLOSED])
def test_small_tables_have_one_answer(table, procedure):
    assert contradictions(podium.compare(read(table), procedure)) == []


def test_the_full_ranking_is_settled_only_where_all_limits_exclude_0():
    c = podium.compare(read(SETTLED), "hull")
    undecided = c.table[c.table["verdict"] == "undecided"]
    assert len(undecided)
    assert ((undecided["lower"] <= 0) & (undecided["upper"] >= 0)).all()
    assert "settled" not in headline(c)


def test_beyond_a_margin_are_those_whose_limits_are():
    c = podium.compare(read(MARGIN), relevance=0.005)
    assert c.procedure == "hull"  # a margin is about amounts
    for row in c.table.itertuples():
        assert (row.verdict == "better") == (row.lower > 0.005)


def test_one_set_of_the_best_and_nobody_unbeaten_is_left_out():
    for table in (TWO_SETS, LEFT_OUT):
        c = podium.compare(read(table), "hull")
        beaten = {*c.table["second"][c.table["verdict"] == "better"],
                  *c.table["first"][c.table["verdict"] == "worse"]}  # fmt: skip
        assert c.best_set == c.lead == [a for a in c.algorithms if a not in beaten]


def test_the_first_row_is_not_behind_another():
    c = podium.compare(read("dataset,a,b\nx,,0.770\ny,0.788,0.799\nz,0.823,0.832\n", "auc"))
    assert standing(c).rows[0].name == "b"
    table = {"svm": [None], "forest": [0.452], "knn": [0.401]}
    for i in range(13):
        table["svm"].append(0.80 + 0.01 * i)
        table["forest"].append(0.801 + 0.01 * i + (0.004 if i % 2 == 0 else -0.004))
        table["knn"].append(0.742 + 0.008 * i)
    c = podium.compare(read(wide(table)), "hull")
    assert standing(c).rows[0].name == "forest"
    assert next_sentence(c, standing(c)).startswith("forest ")


def hard_gaps() -> str:
    rng = np.random.default_rng(0)
    level = np.linspace(0.5, 0.95, 20)[:, None]
    values = level + np.array([0.0, 0.03, -0.05]) + rng.normal(0, 0.004, (20, 3))
    values[:2, 0] = values[2:4, 2] = np.nan
    return wide(dict(zip(("svm", "forest", "knn"), values.T.tolist(), strict=True)))


def test_single_comparisons_are_withheld_and_counted_as_inconclusive_everywhere():
    c = podium.compare(read(hard_gaps()), "hull")
    found = {frozenset((r.first, r.second)): r for r in c.table.itertuples()}
    ahead = found[frozenset(("svm", "knn"))]  # svm lacks 2 of 20
    assert ahead.verdict == "withheld"
    assert np.isnan([ahead.p, ahead.p_adjusted, ahead.lower]).all()
    assert ahead.upper > 0
    against = found[frozenset(("svm", "forest"))]  # a verdict against svm stands
    assert against.verdict == "worse"
    assert c.decision.inconclusive == 1
    assert contradictions(c) == []
    assert json.loads(c.to_json())["comparisons"]["withheld"] == [["svm", "knn"]]
    assert "No verdict" not in headline(c)


@pytest.mark.parametrize("procedure", ["paired-t", "max-modulus", "wilcoxon"])
def test_a_verdict_must_survive_its_own_missing_runs_by_whatever_test(procedure):
    """Filled by the worst difference seen, which turns one run of 30 into a large loss."""
    rng = np.random.default_rng(5)
    b = rng.uniform(0.5, 0.7, 30)
    a = b + 0.02 + rng.normal(0, 0.03, 30)
    a[3] = b[3] - 0.09
    missing = a.copy()
    missing[0] = np.nan
    filled = a.copy()
    filled[0] = b[0] - 0.09
    answers = [podium.compare(read(wide({"a": x.tolist(), "b": b.tolist()})), procedure,
                              adjust=None).table.iloc[0] for x in (missing, filled)]  # fmt: skip
    seen = podium.compare(read(wide({"a": a[1:].tolist(), "b": b[1:].tolist()})), procedure)
    assert answers[0]["p"] == pytest.approx(answers[1]["p"], rel=1e-6)
    assert answers[0]["p"] > seen.table["p"].iloc[0]
    for end, hull in (("lower", min), ("upper", max)):
        if answers[1][end] == answers[1][end]:
            known = hull(seen.table[end].iloc[0], answers[1][end])
            assert answers[0][end] == pytest.approx(known, rel=1e-6)


def test_items_that_are_missing_count_as_wrong_before_a_model_is_better():
    rng = np.random.default_rng(0)
    right = (rng.random((60, 3)) < [0.95, 0.7, 0.5]).astype(float)
    right[:2, 0] = np.nan
    frame = pd.DataFrame(right, columns=["a", "b", "c"])
    frame.insert(0, "item", [f"q{i}" for i in range(60)])
    options = {"measure": "accuracy", "sampling": "items"}
    c = podium.compare(podium.read(frame, **options))
    wrong = podium.compare(podium.read(frame.fillna(0.0), **options))
    assert c.procedure == "mcnemar-score"
    for (i, row), other in zip(c.table.iterrows(), wrong.table.to_dict("records"), strict=True):
        if i < 2:  # a and another one
            assert row["p"] == pytest.approx(other["p"])
            assert row["lower"] == pytest.approx(other["lower"], abs=0.01)  # drawn anew
    assert c.overall.p == pytest.approx(c.table["p_adjusted"].min())


def test_limits_can_be():
    table = "dataset,a,b,c\nx,0.95,0.20,0.50\ny,0.90,0.60,0.45\nz,0.99,0.10,0.70\nw,0.9,0.3,0.4\n"
    for procedure in (None, "hull"):
        c = podium.compare(read(table), procedure)
        most = 2 if procedure is None else 1
        assert (c.table[["lower", "upper"]].abs().max() <= most).all()
    folds = podium.read(
        pd.read_csv(io.StringIO(table)).drop(columns="dataset"), measure="accuracy", sampling="cv:4"
    )
    assert (podium.compare(folds).table[["lower", "upper"]].abs().max() <= 1).all()


def test_limits_that_say_nothing_are_not_shown_and_words_say_why(tmp_path, capsys):
    """Uncut they reach from below -1 to above 1: any difference of shares that there can be."""
    table = "dataset,a,b,c\nx,0.95,0.20,0.50\ny,0.10,0.60,0.45\nz,0.99,0.10,0.70\nw,0.2,0.9,0.4\n"
    c = podium.compare(read(table), "hull")
    pair = c.table.set_index(["first", "second"]).loc[("a", "b")]
    assert pair[["lower", "upper"]].isna().all()
    assert pair["verdict"] == "undecided"
    (tmp_path / "s.csv").write_text(table)
    asked = ["analyze", str(tmp_path / "s.csv"), "-m", "accuracy", "-p", "hull"]
    with pytest.raises(SystemExit):
        main([*asked, "--json", str(tmp_path / "s.json"), "--report", str(tmp_path / "s.html")])
    assert "too few for an interval" in capsys.readouterr().out
    written = json.loads((tmp_path / "s.json").read_text("utf-8"))
    (text,) = [each["text"] for each in written["caveats"] if each["code"] == "no-interval"]
    assert text.startswith("4 data sets are too few for an interval")
    assert "(too few for an interval)" in (tmp_path / "s.html").read_text("utf-8")


def test_the_headline_answers_the_question_of_non_inferiority():
    rng = np.random.default_rng(1)
    base = rng.uniform(0.6, 0.9, (10, 1))
    values = base + rng.uniform(-0.001, 0.001, (10, 3))
    results = read(wide(dict(zip(("old", "new", "next"), values.T.tolist(), strict=True))))
    c = podium.compare(results, non_inferiority=0.02, control="old")
    assert set(c.table["verdict"]) == {"non-inferior"}
    assert headline(c) == "2 of 2 are not worse than old by 0.02 or more."


def test_better_is_read_from_95_percent_limits_and_equivalent_from_90(tmp_path, capsys):
    rng = np.random.default_rng(0)
    values = rng.uniform(0.6, 0.9, (20, 1)) + rng.normal(0, 0.01, (20, 4))
    values = (np.array([0, 0.001, -0.03, -0.031]) + values).round(4)
    table = wide(dict(zip("abcd", values.T.tolist(), strict=True)))
    c = podium.compare(read(table), equivalence=0.011)
    pair = c.table.set_index(["first", "second"]).loc[("c", "d")]
    assert pair["verdict"] == "equivalent"
    assert max(-pair["lower"], pair["upper"]) > 0.011
    assert max(-pair["equivalence_lower"], pair["equivalence_upper"]) <= 0.011
    assert contradictions(c) == []
    (tmp_path / "s.csv").write_text(table)
    with pytest.raises(SystemExit):
        main(["analyze", str(tmp_path / "s.csv"), "-m", "accuracy", "--equivalence", "0.011",
              "--pairs"])  # fmt: skip
    screen = " ".join(capsys.readouterr().out.split())
    assert "c and d differ by no more than 0.011 in accuracy (−0.0079 to 0.0095; 90 % CI)" in screen
    assert "lower upper 90 % lower 90 % upper p adjusted p equiv. verdict" in screen


def test_rows_of_a_posterior_stand_as_the_headline_names_them():
    """Who wins on most data sets is the likeliest best, whatever its mean."""
    a = [0.81 + 0.002 * i for i in range(12)]
    table = wide({"a": [*a[:10], 0.3, 0.3], "b": [x - 0.01 for x in a], "c": [x - 0.1 for x in a]})
    c = podium.compare(read(table), posterior=True)
    assert max(c.means, key=c.means.get) == "b"
    assert c.decision.rows[0] == standing(c).rows[0].name == "a"
    assert headline(c).startswith("a is probably best")
    assert contradictions(c) == []


@pytest.mark.parametrize("request_of", [{"posterior": True}, {"procedure": "ranks"}, {}])
def test_plots_and_lines_read_verdicts_and_not_p_values(request_of):
    """A matrix of a posterior, which has no p-values; two algorithms by signs, withheld."""
    table = pd.read_csv(io.StringIO(hard_gaps()))
    table = table if request_of else table.drop(columns="forest")
    of = Case(table, {"measure": "accuracy"}, request_of)
    assert set(of.answer().table["verdict"]) & {"better", "worse", "withheld"}
    assert wrongs(of) == []


def test_that_two_are_equivalent_is_withheld_where_either_lacks_much():
    rng = np.random.default_rng(1)
    values = rng.uniform(0.6, 0.9, (20, 1)) + rng.normal(0, 0.003, (20, 2)) + [0.002, 0.0]
    values[:3, 1] = np.nan  # of the one behind
    c = podium.compare(read(wide({"a": values[:, 0].tolist(), "b": values[:, 1].tolist()})),
                       equivalence=0.05)  # fmt: skip
    row = c.table.iloc[0]
    assert row["verdict"] == "withheld"
    assert np.isnan(row["p_equivalence"])


def test_verdicts_that_do_not_add_up_are_told_in_the_headline():
    c = podium.compare(read(NOT_CLOSED), "hull")
    odd = c.decision.intransitive
    assert bool(odd) == ("Oddly" in headline(c))
    assert podium.compare(read(NOT_CLOSED)).decision.intransitive == ()


def test_the_count_of_blocks_is_one():
    results = read(wide({"a": [0.8, None, 0.7, 0.6, 0.9], "b": [0.7, 0.6, 0.6, 0.5, 0.8]}))
    c = podium.compare(results)
    assert c.decision.blocks == c.blocks.count == c.to_dict()["blocks"]["count"] == 5


HOTELLING = """dataset,ash,birch,cedar,elm
d0,0.322522,0.300551,0.320914,0.334188
d1,0.248427,0.256031,0.302981,0.284336
d2,0.230603,0.218728,0.244461,0.214758
d3,0.247958,0.235956,0.288151,0.269329
d4,0.2765,0.2618,0.272928,
d5,0.174885,0.163214,0.204431,0.210408
"""


def test_the_overall_test_denies_no_pair():
    c = podium.compare(read(HOTELLING, "error"), "paired-t", adjust="single-step")
    assert (c.table["p_adjusted"] <= 0.05).any()
    assert c.overall.p <= 0.05
    assert c.overall.p == pytest.approx(c.table["p_adjusted"].min())


def test_rank_tests_show_means_beside_ranks_and_1_is_the_best():
    results = read(SETTLED)
    for procedure in ("ranks", "rank-t", "friedman"):
        c = podium.compare(results, procedure)
        row = c.table.iloc[0]
        assert (row["estimate"], c.mean_ranks["c"]) == (-1.0, 1.0)  # a ranks before b
        assert row["mean_difference"] == pytest.approx(0.055)
        assert row["mean_lower"] < 0.055 < row["mean_upper"]
        assert c.means["a"] == pytest.approx(0.7425)
        assert c.measure == "accuracy"


def test_fewer_than_four_data_sets_carry_no_claim():
    table = wide({"a": [0.9, 0.91, 0.92], "b": [0.1, 0.12, 0.11], "c": [0.5, 0.51, 0.52]})
    for procedure in (None, "hull", "paired-t"):
        c = podium.compare(read(table), procedure)
        assert set(c.table["verdict"]) == {"undecided"}
        assert c.table[["p", "lower", "upper"]].isna().to_numpy().all()
        assert headline(c) == "No conclusion: 3 data sets are too few."


# -- ranks decide on data sets --------------------------------------------------------------------


def test_the_best_rank_with_the_worse_mean_is_told_in_the_same_sentence():
    a = [0.81 + 0.002 * i for i in range(20)]
    table = wide({"a": [*a[:18], 0.1, 0.1], "b": [x - 0.01 for x in a], "c": [x - 0.1 for x in a]})
    c = podium.compare(read(table))
    assert c.decides == "ranks"
    assert headline(c).startswith("a ranks best in accuracy, but b has the better mean")
    assert json.loads(c.to_json())["best_mean"] == "b"


def test_two_algorithms_have_a_sign_test_and_no_limits():
    c = podium.compare(read(wide({"a": [0.9] * 8, "b": [0.8] * 7 + [0.95]})))
    row = c.table.iloc[0]
    assert c.decides == "ranks"
    assert row["p"] == pytest.approx(2 * 9 / 2**8)  # 7 of 8
    assert np.isnan([row["lower"], row["upper"]]).all()
    assert row["mean_difference"] == pytest.approx(0.08125)


def test_verdicts_that_hang_on_a_third_algorithm_are_named():
    scores = {"a": [0.74, 0.69, 0.66, 0.77, 0.69, 0.69, 0.72],
              "b": [0.67, 0.71, 0.72, 0.72, 0.71, 0.73, 0.72],
              "c": [0.76, 0.75, 0.73, 0.74, 0.73, 0.75, 0.75]}  # fmt: skip
    c = podium.compare(read(wide(scores)))
    assert c.extras.falls == (("c", "a", "b"),)
    assert json.loads(c.to_json())["falls"] == [{"better": "c", "worse": "a", "without": "b"}]
    assert any(note.code == "depends-on-others" for note in c.warnings)


def test_scales_that_do_not_mix_are_no_special_case():
    rng = np.random.default_rng(3)
    size = 10.0 ** rng.integers(-6, 6, (12, 1))
    values = size * (1 + 0.1 * rng.random((12, 3)) + [0.0, 0.2, 0.4])
    results = read(wide(dict(zip("abc", values.T.tolist(), strict=True))), "depth",
                   higher_is_better=False)  # fmt: skip
    c = podium.compare(results)
    assert c.procedure == "ranks"
    assert c.lead == ["a"]


# -- no change of names, order, level or direction changes the answer -----------------------------


def relation(c: podium.Comparisons) -> dict[tuple[str, str], tuple[str, float]]:
    found = {}
    for r in c.table.itertuples():
        turned = {"better": "worse", "worse": "better"}
        found[r.first, r.second] = (r.verdict, round(r.p_adjusted, 9))
        found[r.second, r.first] = (turned.get(r.verdict, r.verdict), round(r.p_adjusted, 9))
    return found


@pytest.mark.parametrize("procedure", [None, "hull", "paired-t", "median-bootstrap"])
@pytest.mark.parametrize("seed", range(3))
def test_names_order_level_and_direction_change_nothing(procedure, seed):
    rng = np.random.default_rng(seed)
    values = 0.3 + 0.1 * rng.random((12, 1)) + 0.03 * rng.normal(size=(12, 3)) + [0, 0.02, 0.05]
    names = ["a", "b", "c"]

    def answer(v, columns, higher=True, blocks=None):
        frame = pd.DataFrame(v, columns=columns)
        frame.insert(0, "dataset", blocks or [f"d{i:02d}" for i in range(len(v))])
        made = podium.read(frame, measure="depth", higher_is_better=higher)
        return relation(podium.compare(made, procedure))

    usual = answer(values, names)
    order = rng.permutation(12)
    labels = [f"d{i:02d}" for i in order]
    assert answer(values[order], names, blocks=labels) == usual
    assert answer(values, names, blocks=labels) == usual  # other names of the data sets
    assert answer(values[:, [2, 0, 1]], ["c", "a", "b"]) == usual
    new = dict(zip(names, ["zeta", "alpha", "midway"], strict=True))
    other = answer(values, list(new.values()))
    assert {(new[a], new[b]): v for (a, b), v in usual.items()} == other
    assert answer(values + 7.0, names) == usual
    assert answer(-values, names, higher=False) == usual


# -- random tables of every design ----------------------------------------------------------------


@pytest.mark.parametrize("part", range(4))
def test_no_random_answer_contradicts_itself(part, monkeypatch):
    """Every design, test, margin and adjustment: pairs, decision, texts, JSON, screen, paper."""
    monkeypatch.setenv("COLUMNS", "100")
    answers = 0
    designs = len(DESIGNS)
    for number in range(designs * part, designs * (part + 1)):
        one = case(number, seed=100)
        wrong = wrongs(one, twins=number % 4 == 0, page=number % designs == 5 * part)
        answers += wrong is not None
        assert not wrong, (number, one.ask, one.read)
    assert answers > 9


@pytest.mark.parametrize("part", range(4))
def test_every_door_gives_the_same_answer(part, tmp_path, monkeypatch):
    """Commands, JSON, CSV, Markdown, LaTeX, page and paper against Python, over random tables."""
    monkeypatch.setenv("COLUMNS", "100")
    half = len(DESIGNS) // 2
    for number in range(half * part, half * (part + 1)):
        one = case(number, seed=200)
        assert not through_doors(one, tmp_path), (number, one.ask, one.read)


@pytest.mark.parametrize("change", [0.0, 0.02, 0.3])
@pytest.mark.parametrize("sampling", ["runs", "runs+paired"])
def test_times_of_two_versions_have_one_answer(change, sampling, tmp_path):
    rng = np.random.default_rng(4)
    rows = [(f"b{b}", version, run, (1 + b) * np.exp(shift + 0.02 * rng.normal()))
            for b in range(4) for version, shift in (("old", 0.0), ("new", -change))
            for run in range(9)]  # fmt: skip
    table = pd.DataFrame(rows, columns=["dataset", "algorithm", "run", "time"])
    times = Case(table, {"sampling": sampling}, {}, ("old", "new"), named_in=("algorithm",))
    assert through_doors(times, tmp_path) == []
    c, changes = times.answer(), podium.timings.changes(times.results)
    row, over = c.table.iloc[0], changes.overall
    assert (row["first"], c.target) == ("old", "datasets")
    assert np.exp([row["estimate"], row["lower"], row["upper"]]) == pytest.approx(
        [1 / over.ratio, 1 / over.upper, 1 / over.lower]
    )
    said = {"faster": "worse", "slower": "better", "unchanged": "equivalent"}  # of the old one
    assert row["verdict"] == said.get(over.verdict, "undecided")
    if over.verdict not in ("faster", "slower"):
        assert (over.verdict == "unchanged") == (changes.p_unchanged <= 0.05)
    by_name = podium.compare(times.results, target="dataset-population")
    assert by_name.procedure == "ranks"


def test_a_frame_is_read_as_its_file_is(tmp_path):
    """Failed runs count as worst, other parts of the data are left out, in memory too."""
    every = enumerate(product("uvwxyz", ["p", "q"], ["train", "test"]))
    rows = [(d, a, part, 0.5 + 0.01 * i, "ok") for i, (d, a, part) in every]
    columns = ["dataset", "algorithm", "split", "accuracy", "status"]
    frame = pd.DataFrame(rows, columns=columns)
    failed = (frame["dataset"] == "v") & (frame["algorithm"] == "q")
    frame.loc[failed, ["accuracy", "status"]] = np.nan, "failed"
    frame.to_csv(tmp_path / "s.csv", index=False)
    here, there = podium.compare(podium.read(frame)), podium.compare(tmp_path / "s.csv")
    assert here.means == pytest.approx(there.means)
    pd.testing.assert_frame_equal(here.table, there.table)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_no_answer_of_ten_thousand_contradicts_itself(seed, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    for number in range(1000):
        one = case(number, seed)
        assert not wrongs(one, twins=number % 3 == 0, page=number % 20 == 0), (number, seed)


# -- what the commands say ------------------------------------------------------------------------


def test_a_row_near_the_means_stays_a_data_set(tmp_path):
    table = "dataset,a,b,c\niris,0.76,0.78,0.72\nwine,0.83,0.85,0.79\nglass,0.72,0.74,0.69\n"
    table += "sonar,0.79,0.82,0.76\nheart,0.77,0.80,0.74\n"
    (tmp_path / "s.csv").write_text(table)
    assert podium.compare(podium.read(tmp_path / "s.csv", measure="accuracy")).blocks.count == 5


def test_timings_make_a_page(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.uniform(1, 2, (8, 3)), columns=["a", "b", "c"])
    frame.insert(0, "run", range(1, 9))
    frame.to_csv(tmp_path / "t.csv", index=False)
    for sampling in ("runs", "runs+paired"):
        made = podium.read(tmp_path / "t.csv", measure="time", sampling=sampling)
        podium.report(made, tmp_path / "page.html")
        assert (tmp_path / "page.html").exists()


@pytest.mark.parametrize("procedure", ["mcnemar-score", "mcnemar", "hull", "flip"])
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_the_overall_test_of_pairs_asks_what_they_ask(procedure, alternative):
    rng = np.random.default_rng(2)
    right = (rng.random((30, 4)) < [0.9, 0.7, 0.6, 0.6]).astype(float)
    frame = pd.DataFrame(right, columns=list("abcd"))
    frame.insert(0, "item", [f"q{i}" for i in range(30)])
    items = podium.read(frame, measure="accuracy", sampling="items")
    c = podium.compare(items, procedure, alternative=alternative)
    assert c.overall.p == pytest.approx(c.table["p_adjusted"].min())


def test_nobody_is_ahead_by_a_residue_of_rounding():
    """Equal sums of the same items in another order differ in the last digit."""
    rng = np.random.default_rng(3)
    right = (rng.random((24, 3)) < 0.5).astype(float)
    right[:, 1] = np.roll(right[:, 0], 8)
    right[:3, 0], right[8:11, 1] = np.nan, np.nan  # both lack three, of equal scores
    verdicts = set()
    for _ in range(20):
        frame = pd.DataFrame(rng.permutation(right), columns=list("abc"))
        frame.insert(0, "item", [f"q{i}" for i in range(24)])
        items = podium.read(frame, measure="accuracy", sampling="items")
        c = podium.compare(items, "max-modulus")
        verdicts.add((c.table["verdict"].iloc[0], abs(c.table["estimate"].iloc[0]) < 1e-12))
    assert len(verdicts) == 1


def said(capsys, *words: str) -> str:
    with pytest.raises(SystemExit):
        main(list(words))
    return " ".join(capsys.readouterr().out.split())


def test_a_model_that_is_right_everywhere_is_a_model(tmp_path, capsys):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame((rng.random((40, 3)) < 0.6).astype(int), columns=["elm", "svm", "ash"])
    frame.insert(0, "item", [f"i{n:03d}" for n in range(40)])
    frame.insert(3, "oak", 1)
    frame.to_csv(tmp_path / "a.csv", index=False)
    text = said(capsys, "analyze", str(tmp_path / "a.csv"), "-m", "accuracy")
    assert text.startswith("oak is the most accurate")
    assert "4 algorithms (columns), 40 items" in text


def test_what_is_next_where_runs_are_missing_is_to_run_them(tmp_path, capsys):
    rng = np.random.default_rng(1)
    values = rng.uniform(0.6, 0.9, (40, 1)) + rng.normal(0, 0.01, (40, 3)) + [0, 0.03, 0.06]
    values[:4, 2] = np.nan
    (tmp_path / "s.csv").write_text(wide(dict(zip("abc", values.T.tolist(), strict=True))))
    text = said(capsys, "analyze", str(tmp_path / "s.csv"), "-m", "accuracy")
    assert text.endswith("Next Run what is missing: that may separate c from b.")


def test_an_end_of_an_interval_is_said_on_the_side_where_it_is(tmp_path, capsys):
    rng = np.random.default_rng(1)
    values = rng.uniform(0.6, 0.9, (40, 1)) + rng.normal(0, 0.01, (40, 3)) + [0, 0.03, 0.06]
    (tmp_path / "s.csv").write_text(wide(dict(zip("abc", values.T.tolist(), strict=True))))
    text = said(capsys, "analyze", str(tmp_path / "s.csv"), "-m", "accuracy", "--control", "a",
                "--non-inferiority", "0.01")  # fmt: skip
    assert "The largest difference, c against a, is 0.05" in text
    assert "in mean accuracy (at least 0.05" in text


def test_too_few_data_sets_have_no_overall_test_either():
    table = wide({"a": [0.9, 0.91, 0.92], "b": [0.1, 0.12, 0.11], "c": [0.5, 0.51, 0.52]})
    for procedure in (None, "hull", "friedman"):
        assert podium.compare(read(table), procedure).overall is None
