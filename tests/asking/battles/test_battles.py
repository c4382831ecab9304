"""Battles go through `analyze` like any file; strengths against closed forms."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import podium
from podium.cli.main import group
from podium.errors import InferenceError, ResultsError

# wins of the first, of the second, ties
PAIRS = {("a", "b"): (11, 9, 10), ("a", "c"): (14, 10, 6), ("b", "c"): (12, 8, 5)}


def battles(pairs=PAIRS, blocks=0, seed=0):
    rows = []
    for (first, second), counts in pairs.items():
        for winner, count in zip(("model_a", "model_b", "tie"), counts, strict=True):
            rows += [(first, second, winner)] * count
    frame = pd.DataFrame(rows, columns=["model_a", "model_b", "winner"])
    if blocks:
        frame["judge"] = np.random.default_rng(seed).integers(blocks, size=len(frame))
    return frame


def test_two_models_have_the_logit_of_their_wins():
    found = podium.compare(podium.read(battles({("a", "b"): (30, 10, 0)})))
    row = found.table.iloc[0]
    assert found.procedure == "bradley-terry"
    assert row["estimate"] == pytest.approx(np.log(3))
    # independent choices: the sandwich is 1 / (n p q), with n / (n - 1)
    assert row["statistic"] == pytest.approx(np.log(3) / np.sqrt(1 / 7.5 * 40 / 39))


def test_ties_are_davidsons():
    """Who ties has half a win of either; the model of test_preferences, through the front door."""
    found = podium.compare(podium.read(battles()))
    logs = found.judged.strengths
    p, nu = {n: np.exp(v) for n, v in logs.items()}, _nu(logs)
    for name in "abc":  # at the maximum everybody has the expected wins and half ties
        expected = observed = 0.0
        for (i, j), (won, lost, ties) in PAIRS.items():
            if name in (i, j):
                other = j if name == i else i
                half = nu * np.sqrt(p[name] * p[other])
                total = p[name] + p[other] + half
                expected += (won + lost + ties) * (p[name] + half / 2) / total
                observed += (won if name == i else lost) + ties / 2
        assert expected == pytest.approx(observed)
    assert np.mean(list(found.judged.elo.values())) == pytest.approx(1000)


def _nu(logs):
    from podium.core.inference.numbers.preferences import strengths

    names, made = "abc", []
    for (i, j), (won, lost, ties) in PAIRS.items():
        pair = (names.index(i), names.index(j))
        made += [(pair, pair[:1])] * won + [(pair, pair[1:])] * lost + [(pair, pair)] * ties
    found = strengths(made, list(names))
    assert found.values == pytest.approx([logs[n] for n in names])
    return np.exp(found.effects["tie of 2"][0])


def test_choices_of_one_judge_are_one_block():
    alone = podium.compare(podium.read(battles(blocks=20)))
    frame = battles(blocks=20)
    tenfold = podium.compare(podium.read(pd.concat([frame] * 10, ignore_index=True)))
    columns = ["estimate", "statistic", "lower", "upper"]
    assert tenfold.table[columns].to_numpy() == pytest.approx(alone.table[columns].to_numpy())
    (note,) = (n for n in alone.warnings if n.code == "new-judges")
    assert (note.judges, note.prompts) == (frame["judge"].nunique(), 0)


def test_who_is_shown_first_is_told():
    both = {("a", "b"): (30, 10, 0), ("b", "a"): (30, 10, 0)}
    found = podium.compare(podium.read(battles(both)))
    assert found.table["estimate"][0] == pytest.approx(0, abs=1e-9)
    (note,) = (n for n in found.warnings if n.code == "position")
    assert note.effect == pytest.approx(np.log(3))
    assert note.p < 0.001


def test_models_may_be_named_as_winners_and_both_may_be_bad():
    frame = battles().replace({"winner": {"tie": "tie (inconsistent)"}})
    frame.loc[frame["winner"].str.startswith("tie").idxmax(), "winner"] = "Both bad"
    named = frame.assign(winner=frame["winner"].where(frame["winner"] != "model_a", frame.model_a))
    one, two = (podium.compare(podium.read(f)).table for f in (battles(), named))
    pd.testing.assert_frame_equal(one, two)


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        (battles().replace({"winner": {"tie": "perhaps"}}), "'perhaps' is no outcome; say model_a"),
        (battles().replace({"model_b": {"b": "a"}}), "'a' was compared with itself"),
        (battles().replace({"model_b": {"b": ""}}), "row 1 is empty"),
    ],
)
def test_what_is_no_choice_ends_in_a_sentence(frame, expected):
    with pytest.raises(ResultsError, match=expected):
        podium.read(frame)


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ({("a", "b"): (5, 5, 0), ("c", "d"): (5, 5, 0)}, "Nobody compared 'a', 'b' with"),
        ({("a", "b"): (5, 5, 0), ("b", "c"): (9, 0, 0)}, "'c' never lost, or never won"),
    ],
)
def test_what_has_no_strength_ends_in_a_sentence(pairs, expected):
    with pytest.raises(InferenceError, match=expected):
        podium.compare(podium.read(battles(pairs)))


def test_the_command_tells_strengths_and_elo(tmp_path: Path):
    file = tmp_path / "battles.csv"
    battles(blocks=20).to_csv(file, index=False)
    told = CliRunner().invoke(group, ["analyze", str(file), "--pairs"]).output
    assert "Read as battles: 3 models, 85 battles." in " ".join(told.split())
    assert "Elo" in told
    assert "first - second in Elo" in told
    found = json.loads(CliRunner().invoke(group, ["analyze", str(file), "--json", "-"]).output)
    assert set(found["details"]["elo"]) == {"a", "b", "c"}
    assert found["pairs"][0]["estimate"] == pytest.approx(
        (found["details"]["elo"]["a"] - found["details"]["elo"]["b"]) * np.log(10) / 400
    )


def test_half_a_table_of_battles_ends_in_a_sentence():
    with pytest.raises(ResultsError, match="looks like battles and has no column 'winner'"):
        podium.read(battles(blocks=20).drop(columns="winner"))


def test_other_tests_are_refused():
    with pytest.raises(podium.PodiumError, match="Valid here: bradley-terry"):
        podium.compare(podium.read(battles()), "hull")


RANKED = {"a": [1, 2, 1, 1, 3, 2], "b": [2, 1, 3, 2, 1, 1], "c": [3, 3, 2, 3, 2, 3]}


def test_rankings_are_plackett_and_luces():
    """Against the likelihood itself: nothing near has a larger one."""
    table = {"dataset": [f"d{i}" for i in range(6)], **RANKED}
    results = podium.read(table, measure="rank", higher_is_better=False)
    found = podium.compare(results, "plackett-luce")
    logs = np.array([found.judged.strengths[n] for n in "abc"])

    def likelihood(s):
        total = 0.0
        for row in zip(*RANKED.values(), strict=True):
            order = np.argsort(row)
            total += sum(s[i] - np.log(np.exp(s[order[k:]]).sum()) for k, i in enumerate(order))
        return total

    steps = 1e-4 * (np.eye(3) - 1 / 3)
    assert all(likelihood(logs) > likelihood(logs + sign * s) for s in steps for sign in (1, -1))
    assert found.table["estimate"][0] == pytest.approx(-(logs[0] - logs[1]))  # ranks: less is more


@pytest.mark.parametrize("orient", ["records", "lines", "columns"])
def test_battles_as_json_are_the_same(tmp_path, orient):
    rows = [
        {"model_a": "x", "model_b": "y", "winner": w, "judge": j, "conversation": [{"a": 1}]}
        for w, j in (("model_a", "p"), ("model_b", "p"), ("tie", "q"), ("model_a", "q"))
    ]
    frame = pd.DataFrame(rows)
    path = tmp_path / "data.json"
    kind = {"orient": "columns"} if orient == "columns" else {"orient": "records"}
    frame.to_json(path, **kind, lines=orient == "lines")
    found = podium.read(path)
    again = podium.read(frame.drop(columns="conversation"))
    pd.testing.assert_frame_equal(found.scores, again.scores, check_names=False)
    assert found.algorithms == ["x", "y"]


def test_a_winner_in_three_columns_is_a_winner(tmp_path):
    rows = "model_a,model_b,winner_model_a,winner_model_b,winner_tie\n"
    path = tmp_path / "b.csv"
    path.write_text(rows + "x,y,1,0,0\ny,x,0,0,1\nx,y,0,1,0\n", encoding="utf-8")
    found = podium.read(path).values("win-rate").pivot(index="sample", columns="algorithm")["value"]
    assert found["x"].tolist() == [1.0, 0.5, 0.0]
    path.write_text(rows + "x,y,1,1,0\n", encoding="utf-8")
    with pytest.raises(podium.PodiumError, match="is no outcome"):
        podium.read(path)


def test_annotations_of_several_models_may_be_in_one_file(tmp_path):
    rows = [
        {"instruction": f"do {i}", "generator_1": "base", "generator_2": model, "preference": 1 + w}
        for model, wins in {"one": (1, 1, 0), "two": (0, 1, 0)}.items()
        for i, w in enumerate(wins)
    ]
    path = tmp_path / "annotations.json"
    path.write_text(json.dumps(rows))
    found = podium.read(path).values("win rate").pivot(index="sample", columns="algorithm")["value"]
    assert found["one"].tolist() == [1, 1, 0]
    assert found["two"].tolist() == [0, 1, 0]


def test_terminal_page_json_and_plot_tell_differences_in_elo(tmp_path: Path):
    """One sentence for all, and 400 points are ten to one."""
    from podium.core.words.phrases import plain
    from podium.showing.plots.of_pairs.matrices import intervals_data
    from podium.showing.reports.board import board

    file = tmp_path / "battles.csv"
    battles({("a", "b"): (90, 30, 0), ("a", "c"): (110, 10, 0), ("b", "c"): (80, 30, 0)}).to_csv(
        file, index=False
    )
    told = CliRunner().invoke(group, ["analyze", str(file)]).output
    record = json.loads(CliRunner().invoke(group, ["analyze", str(file), "--json", "-"]).output)
    c = podium.compare(podium.read(file))
    view = board(c)
    assert plain(view.headline) == record["headline"] == told.split("\n")[0]
    assert view.sentence == record["sentence"]
    assert view.sentence in " ".join(told.split())
    elo = c.judged.elo
    row = next(row for row in view.rows if row.name == "b")
    assert row.cells["difference"][2] == pytest.approx(elo["a"] - elo["b"])
    assert f"a beats b, the runner-up, by {elo['a'] - elo['b']:.0f} Elo (" in view.sentence
    assert "log-strength" not in told
    data = intervals_data(c)
    assert data.table["estimate"].max() == pytest.approx(elo["a"] - elo["c"])
    assert data.label.startswith("difference in Elo")


def test_a_margin_of_battles_is_told_in_the_unit_of_the_differences(tmp_path: Path):
    file = tmp_path / "battles.csv"
    battles().to_csv(file, index=False)
    asked = ["analyze", str(file), "--relevance", "0.5", "--pairs"]
    told = " ".join(CliRunner().invoke(group, asked).output.split())
    assert "differ by more than 86.9 Elo" in told  # 0.5 * 400 / ln 10
    assert "0.5" not in told.partition("Estimates are")[0]
