"""The verdict: short, from the lead, and soft where the error is not held."""

import re

import numpy as np
import pandas as pd
import pytest
from tables_built import errors

import podium
from podium.cli.main import status_of
from podium.core.verdicts.standing import standing
from podium.core.verdicts.verdict import next_sentence, order_or_lead, verdict
from podium.core.words.phrases import plain
from podium.showing.screens.terminal import columns, within_margin

LONGEST = 120  # letters of a verdict


def read(effects, blocks=40, sd=0.02, seed=3, names=None):
    rng = np.random.default_rng(seed)
    values = 0.3 + rng.random((blocks, 1)) * 0.2 + np.array(effects)
    values = np.clip(values + rng.normal(0, sd, (blocks, len(effects))), 0, 1)
    frame = pd.DataFrame(values, columns=names or [f"m{i}" for i in range(len(effects))])
    frame.insert(0, "dataset", [f"d{i}" for i in range(blocks)])
    return podium.read(frame, measure="error")


def said(results, **options):
    c = podium.compare(results, **options)
    found = standing(c)
    return plain(verdict(c, found)), next_sentence(c, found)


def test_one_in_the_lead_is_named_with_its_gap_to_the_next():
    first, second = said(read([0, 0.1, 0.2]))
    assert first == "m0 ranks best in error; the full ranking is settled."
    assert second.startswith("m0 beats m1, the runner-up, by 1.00 in mean rank (")
    assert second.endswith("). All 3 comparisons are significant.")
    first, second = said(read([0, 0.1, 0.2]), procedure="hull")
    assert first == "m0 has the lowest error; the full ranking is settled."
    assert second.startswith("m0 beats m1, the runner-up, by 0.")


def test_a_few_are_named_and_the_rest_is_behind():
    first, second = said(read([0, 0.001, 0.2, 0.2]))
    assert set(first.split()[:3]) == {"m0", "or", "m1"}
    assert re.search(r" ranks best in error; the data cannot tell which\.$", first)
    assert re.match(r"m0 beats m[23] by 2\.\d+ in mean rank \(.*\)\. 4 of 6 comparisons", second)


def test_variants_of_one_family_are_told_by_its_name():
    names = ["XGBoost (tuned)", "XGBoost (ensembled)", "lda", "knn"]
    assert said(read([0.0, 0.0, 0.1, 0.1], names=names))[0].startswith("One of 2 XGBoost variants ")
    other = ["XGBoost (tuned)", "LightGBM (tuned)", "lda", "knn"]
    assert "variants" not in said(read([0.0, 0.0, 0.1, 0.1], names=other))[0]
    alone = ["svm (rbf)", "svm (linear)", "svm (poly)", "svm (sigmoid)"]
    assert "variants" not in said(read([0.0, 0.0, 0.1, 0.1], names=alone))[0]


def test_weak_control_has_soft_words():
    first, _ = said(read([0, 0.001, 0.2, 0.2]), procedure="nemenyi")
    assert re.match(r"m[01] or m[01] comes first; the data cannot tell which\.", first)


def test_very_many_long_names_make_a_short_verdict():
    names = [f"A-RATHER-LONG-METHOD-{i} (tuned + post-hoc ensemble, extreme)" for i in range(78)]
    effects = np.linspace(0, 0.25, 78)
    first, _ = said(read(effects, names=names))
    assert len(first) <= LONGEST
    assert " of 78 could be best, with A-RATHER-LONG-METHOD-" in first
    for few in (2, 3, 4, 5):
        close = np.r_[np.zeros(few), np.full(4, 0.3)]
        assert len(said(read(close, names=names[: few + 4]))[0]) <= LONGEST


def test_nothing_decided_is_no_winner_and_not_equal():
    first, second = said(read([0, 0, 0], blocks=8))
    assert first == "No significant difference in rank."
    assert re.match(r"The largest difference, m\d against m\d, is .* in mean rank \(−", second)


@pytest.mark.parametrize(("control", "text"), [
    ("m1", "1 of 2 beats m1; 1 is worse."),
    ("m2", "2 of 2 beat m2."),
    ("m0", "2 are worse than m0."),
])  # fmt: skip
def test_against_a_control_they_are_counted(control, text):
    assert said(read([0, 0.1, 0.2]), control=control)[0] == text


def test_none_told_apart_from_a_control():
    text, _ = said(read([0, 0, 0], blocks=6), control="m1")
    assert text == "None of 2 is significantly different from m1."


def test_equivalence_and_one_alone_and_force():
    close = errors({"a": 0.1, "b": 0.1}, samples=30, sd=0.001)
    assert said(close, relevance=0.05)[0].startswith("All 2 are equivalent within 0.05.")
    c = podium.verdicts.score_interval(errors({"only": 0.2}, sampling="cv:30"))
    assert plain(verdict(c, None)).startswith("only: mean error 0.")
    folds = errors({"a": 0.1, "b": 0.2}, sampling="cv:30")
    forced = podium.compare(folds, "paired-t", force=True)
    assert "not valid" in plain(verdict(forced, standing(forced)))


def test_those_that_are_alike_by_a_margin_lead_together():
    first, _ = said(read([0, 0.001, 0.2], sd=0.005), relevance=0.05)
    assert re.match(
        r"m[01] and m[01] are best, no two more than 0\.05 apart\. m2 is worse\.", first
    )


def test_who_is_behind_but_not_behind_the_best_names_who_beats_it():
    rng = np.random.default_rng(0)
    base = rng.random((60, 1)) * 0.2 + 0.3
    noise = rng.normal(0, 1, (60, 3)) * np.array([0.1, 0.005, 0.005])
    noise -= noise.mean(axis=0)
    values = base + noise + np.array([-0.01, 0.0, 0.02])
    frame = pd.DataFrame(values, columns=["wild", "calm", "late"])
    frame.insert(0, "dataset", [f"d{i}" for i in range(60)])
    c = podium.compare(podium.read(frame, measure="error"), "hull")
    found = standing(c)
    row = found.row("late")
    assert found.reference == "wild"
    assert row.lower < 0 < row.upper
    assert row.beaten_by == ("calm",)


def test_of_several_in_the_lead_the_largest_significant_difference_is_told():
    c = podium.compare(read([0, 0.0005, 0.05, 0.2], sd=0.01), procedure="hull")
    found = standing(c)
    assert len(found.lead) == 2
    gaps = {row.name: row.gap for row in found.rows}
    told = next_sentence(c, found)
    assert f"{found.reference} beats m3 by {abs(gaps['m3']):.2f}"[:22] in told
    assert "m2" not in told.split(".")[0]


@pytest.mark.parametrize("effects", [[0, 0.001], [0, 0.001, 0.2]])
def test_what_a_margin_shows_is_told_with_its_interval(effects):
    c = podium.compare(read(effects, sd=0.005), procedure="hull", relevance=0.02)
    row = c.table.iloc[0]
    of = " (1 of 3 comparisons)" if len(effects) == 3 else ""
    ends = f"({row['equivalence_lower']:.4f} to {row['equivalence_upper']:.4f}; 90 % CI)"
    claim = "m0 and m1 differ by no more than 0.02 in error"
    assert within_margin(c).replace("−", "-") == f"Shown{of}: {claim} {ends}."
    none = podium.compare(read([0, 0.1, 0.2][: len(effects)]), procedure="hull", relevance=0.02)
    shown = within_margin(none)
    whom = "Not shown: that m0 and m1" if len(effects) == 2 else "Not shown in any comparison: that"
    assert shown.startswith(whom)


# -- verdicts that do not add up, of ranks against means, and of nobody ----------------------------


def placed(*orders, names="abc"):
    """Errors by which algorithms come in these orders, each on so many data sets."""
    rows = [[0.1 + 0.1 * order.index(n) for n in names] for order, n in orders for _ in range(n)]
    frame = pd.DataFrame(rows, columns=list(names))
    frame.insert(0, "dataset", [f"d{i}" for i in range(len(rows))])
    return podium.read(frame, measure="error")


def test_a_circle_of_winners_is_no_ranking():
    results = placed(("abc", 30), ("bca", 30), ("cab", 30))
    first, second = said(results, procedure="sign")
    assert first == "No ranking: the comparisons form a cycle."
    # each wins 60 of 90 against the next: net wins are a third
    assert second == "a beats b by 0.333 in net wins. All 3 comparisons are significant."
    c = podium.compare(results, "sign")
    told = podium.verdicts.how_to_report(c, podium.decide(c))
    assert "The algorithms a, b and c come before each other around a circle, so that none" in told


def test_verdicts_that_do_not_add_up_are_told_beside_the_best():
    # a before b on 53 of 78 data sets, b before c on 70, a before c on 45 only
    first, second = said(placed(("abc", 45), ("bca", 25), ("cab", 8)), procedure="sign")
    odd = "Oddly, a beats b and b beats c, but a and c are inconclusive."
    assert first == f"a ranks best in error. {odd}"
    net = f"{(53 - 25) / 78:.3f}"
    assert second == (
        f"a beats b, the runner-up, by {net} in net wins. 2 of 3 comparisons are significant; "
        "a against c is inconclusive."
    )


def test_the_best_mean_is_named_where_ranks_put_another_first():
    """One wins nearly everywhere by a little, and loses much where it loses."""
    rows = np.full((40, 2), 0.3) + np.arange(40)[:, None] / 1000
    rows[:36, 0] -= 0.01
    rows[36:, 0] += 0.5
    frame = pd.DataFrame(rows, columns=["often", "even"]).assign(late=0.9)
    frame.insert(0, "dataset", [f"d{i}" for i in range(40)])
    first, _ = said(podium.read(frame, measure="error"))
    assert first.startswith("often ranks best in error, but even has the better mean")
    two, wins = said(podium.read(frame.drop(columns="late"), measure="error"))
    assert two.startswith("often ranks best in error, but even has the better mean")
    # means: 0.3095 + 0.041 of often against 0.3195; by hand (4 * 0.5 - 36 * 0.01) / 40
    assert wins.startswith("often wins on 36 of 40 data sets (p < 0.001); its mean error is 0.041 ")
    assert re.search(r" 0\.041 higher \(−0\.\d+ to 0\.\d+\)\.$", wins)


@pytest.mark.parametrize("behind", [2, 3])
def test_two_or_fewer_that_are_behind_are_named(behind):
    effects = [0, 0.001, 0.2, 0.2, 0.21][: 2 + behind]
    first, second = said(read(effects, sd=0.005), relevance=0.05)
    named = "m3 and m2" if behind == 2 else "3"  # by their mean ranks
    assert first.endswith(f"apart. {named} are worse.")
    pairs, alike = (6, 2) if behind == 2 else (10, 4)
    assert second.endswith(
        f"{pairs - alike} of {pairs} comparisons differ by more than 0.05, {alike} by no more "
        "than that."
    )


def test_those_that_never_differ_have_no_largest_difference():
    same = read([0.0] * 3, sd=0.0)
    assert said(same) == ("No significant difference in rank.", "")
    two = said(same.filter(algorithm=["m0", "m1"]))
    assert two == ("No significant difference in rank.", "All 40 data sets are tied.")


def test_of_two_that_win_equally_often_the_mean_tells_which_is_lower():
    """Six data sets each, by 0.1 and by 0.3; and by the same."""
    for lost, told in (
        (0.3, "its mean error is 0.10 higher ("),
        (0.1, "their mean error is the same ("),
    ):
        first = np.r_[np.full(6, 0.3), np.full(6, 0.4 + lost)]
        frame = pd.DataFrame({"a": first, "b": 0.4})
        frame.insert(0, "dataset", [f"d{i}" for i in range(12)])
        _, second = said(podium.read(frame, measure="error"))
        assert second.startswith(f"a wins on 6 of 12 data sets (p = 1.000); {told}")


@pytest.mark.parametrize("algorithms", [8, 9])
def test_long_orders_are_told_by_who_may_be_best(algorithms):
    c = podium.compare(read(np.linspace(0, 0.3, algorithms)))
    order = podium.decide(c)
    told = order_or_lead(c, order)
    assert told == (order.text if algorithms == 8 else f"{len(c.lead)} of 9 could be best")


# -- margins and probabilities -------------------------------------------------------------------


def test_who_is_not_worse_by_a_margin_is_named():
    close = read([0, 0], sd=0.005)
    assert said(close, non_inferiority=0.01)[0] == "m0 is not worse than m1 by 0.01 or more."
    assert said(close, non_inferiority=0.0001)[0] == (
        "No algorithm is shown to be not worse by 0.0001 or more."
    )
    against = {"control": "m0", "non_inferiority": 0.01}
    assert (
        said(read([0, 0, 0.2], sd=0.005), **against)[0]
        == "1 of 2 is not worse than m0 by 0.01 or more."
    )


@pytest.mark.parametrize("alpha", [0.05, 0.1])
def test_a_credible_interval_has_alpha_beyond_either_end(alpha):
    """So that it excludes zero where, and only where, one is better with 1 - alpha."""
    c = podium.compare(read([0, 0.1]), posterior=True, alpha=alpha)
    level = f"{100 * (1 - 2 * alpha):.0f} %"
    told = podium.verdicts.how_to_report(c, podium.decide(c))
    assert f", {level} credible interval −0." in told
    assert f"with {level} credible intervals; a verdict" in columns(c, True)
    assert f"a probability of at least {100 * (1 - alpha):.0f} %." in columns(c, True)
    for seed in range(4):
        one = podium.compare(read([0, 0.008], 12, seed=seed), posterior=True, alpha=alpha)
        (row,) = one.table.to_dict("records")
        sure = max(row["win"], row["lose"]) >= 1 - alpha
        assert sure == (row["lower"] > 0 or row["upper"] < 0) == (row["verdict"] != "undecided")


def test_probabilities_against_a_control_are_counted():
    options = {"posterior": True, "control": "m1"}
    first, second = said(read([0, 0.05, 0.1]), **options)
    assert first == "1 of 2 beats m1; 1 is worse."
    assert second.endswith("All 2 comparisons have a probability of at least 95 %.")
    _, second = said(read([0, 0.05, 0.05]), **options)
    assert second.endswith(
        " 1 of 2 comparisons has a probability of at least 95 %; m2 against m1 is inconclusive."
    )


def test_chances_of_two_that_were_not_compared_are_not_told():
    first, second = said(read([0, 0.05, 0.1]), posterior=True, pairs=[("m0", "m2")])
    assert (first, second) == ("m0 is best (probability 1.00).", "")


def test_who_is_not_shown_to_be_within_a_margin_of_a_control_is_not_called_alike():
    text, _ = said(read([0, 0.1, 0.1]), control="m0", non_inferiority=0.02)
    assert text == "None of 2 is shown to be not worse than m0 by 0.02."
    text, _ = said(read([0, 0.05, 0.05], blocks=12), control="m0", relevance=0.05)
    assert text == "None of 2 is significantly different from m0 by 0.05."


# -- on the screen --------------------------------------------------------------------------------


def screen(results_of, capsys, tmp_path, monkeypatch, *words):
    monkeypatch.setenv("COLUMNS", "100")
    results_of.to_csv(tmp_path / "t.csv", index=False)
    assert status_of(["analyze", str(tmp_path / "t.csv"), "-m", "error", *words]) == 0
    return capsys.readouterr().out


def cells_of(effects, blocks=30, sd=0.003):
    """Errors as a table, each with the same small noise."""
    rng = np.random.default_rng(5)
    values = 0.4 + rng.random((blocks, 1)) * 0.1 + np.array(effects)
    values = values + rng.normal(0, sd, values.shape)
    frame = pd.DataFrame(values, columns=[f"m{i:02d}" for i in range(len(effects))])
    frame.insert(0, "dataset", [f"d{i}" for i in range(blocks)])
    return frame


LEADING = np.r_[np.zeros(20), np.full(10, 0.5)]


@pytest.mark.parametrize(
    ("effects", "words", "rows", "more"),
    [
        (LEADING, [], 18, "12 more algorithms, 2 of which could be best"),  # 15 of the lead, 3 more
        (np.arange(26) / 4, [], 3 + 3, "20 more algorithms"),
        (np.arange(26) / 4, ["--control", "m00"], 3 + 3, "20 more algorithms"),  # than the control
        (np.arange(26) / 4, ["--all"], 26, None),
        (np.arange(25) / 4, [], 25, None),
    ],
)
def test_very_many_rows_are_cut_below_the_lead(
    effects, words, rows, more, capsys, tmp_path, monkeypatch
):
    out = screen(cells_of(effects, sd=0.01), capsys, tmp_path, monkeypatch, *words)
    listed = re.findall(r"^  (?:▌|  *) ?\d+(?:-\d+)? +(m\d\d) ", out, re.MULTILINE)
    assert len(listed) == rows
    last = re.search(r"\.\.\. and (.*), the last m\d\d; --all lists them\.", " ".join(out.split()))
    assert (last and last[1]) == more


def test_what_is_worse_beyond_a_margin_is_not_said_to_lie_near_it(capsys, tmp_path, monkeypatch):
    out = screen(
        cells_of([0, 0.1, 0.1], sd=0.01), capsys, tmp_path, monkeypatch,
        "--control", "m00", "--non-inferiority", "0.02",
    )  # fmt: skip
    assert out.startswith("None of 2 is shown to be not worse than m00 by 0.02.")
    told = " ".join(out.split())
    assert "There are enough data sets to detect 0.02; more would hardly settle the rest." in told
    assert " near " not in told
