"""A judge corrected by people, from the table to the verdict; items drawn to be labelled."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import podium
from podium.asking.judges.tables import COLUMN, drawn_items, read_judged
from podium.cli.main import group
from podium.core.inference.comparing.single import item_scores
from podium.core.inference.numbers.judge_correction import corrected
from podium.core.verdicts.judged import judged_layout
from podium.errors import InferenceError, ResultsError


def answers(models=2, items=120, labelled=30, seed=0, clusters=0):
    rng = np.random.default_rng(seed)
    chosen = set(rng.choice(items, labelled, replace=False).tolist())
    rows = []
    for m in range(models):
        y = rng.normal(0.5 + 0.2 * m, 0.3, items)
        f = y + rng.normal(0.1 * m, 0.15, items)
        for i in range(items):
            of = y[i] if i in chosen else None
            rows.append(("abc"[m], f"q{i:03d}", f"c{i % clusters}" if clusters else "", f[i], of))
    frame = pd.DataFrame(rows, columns=["model", "item", "cluster", "score", "human"])
    return frame if clusters else frame.drop(columns="cluster")


def test_a_model_has_the_error_of_its_own_regression():
    frame = answers()
    scores = item_scores(judged_layout(frame, "score", "human"), 0.05)
    for row in scores.to_dict("records"):
        own = frame[frame["model"] == row["algorithm"]]
        expected = corrected(own["human"].to_numpy(), own["score"].to_numpy())
        assert (row["mean"], row["standard_error"]) == pytest.approx(
            (expected.estimate, expected.error)
        )


def test_two_models_are_the_regression_of_their_differences():
    """The closed form of R's predict(lm) with the variance of all items."""
    frame = answers()
    wide = frame.pivot(index="item", columns="model")
    y, f = ((wide[c]["a"] - wide[c]["b"]).to_numpy() for c in ("human", "score"))
    expected = corrected(y, f)
    found = podium.compare(frame, judge="score", human="human")
    row = found.table.iloc[0]
    assert found.procedure == "judge-corrected"
    assert row["estimate"] == pytest.approx(expected.estimate)
    assert row["statistic"] == pytest.approx(expected.estimate / expected.error)
    assert found.means["a"] - found.means["b"] == pytest.approx(expected.estimate)


def test_of_three_the_differences_add_up():
    table = podium.compare(answers(models=3), judge="score", human="human").table
    ab, ac, bc = table["estimate"]
    assert ac == pytest.approx(ab + bc)
    assert table["lower"].notna().all()


def test_what_the_judge_is_worth_is_told():
    found = podium.compare(answers(), judge="score", human="human")
    of = {note.code: note for note in found.warnings}
    assert of["judge"].labels == 30
    assert of["judge"].worth > 45
    assert 0.7 < of["judge"].correlation < 1
    assert of["judge-bias"].by[1][1] == pytest.approx(0.1, abs=0.08)
    assert "labels-taken-as-random" in of
    assert "labels-unlike" not in of


def test_labels_that_were_chosen_are_cautioned_against():
    frame = answers()
    best = frame[frame["model"] == "a"].nlargest(30, "score")["item"]
    frame["human"] = np.where(frame["item"].isin(best), frame["score"], np.nan)
    found = podium.compare(frame, judge="score", human="human")
    assert "labels-unlike" in {note.code for note in found.warnings}


def test_clusters_of_items_count():
    one = podium.compare(answers(clusters=12), judge="score", human="human")
    assert one.table["p"].notna().all()
    with pytest.raises(InferenceError, match="at least 10 clusters"):
        podium.compare(answers(clusters=6), judge="score", human="human")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"judge": "score"}, "say both columns"),
        ({"human": "human"}, "say both columns"),
        ({"judge": "score", "human": "people"}, "no column 'people'"),
        ({"judge": "score", "human": "human", "measure": "score"}, "leave the measure out"),
        ({"judge": "score", "human": "human", "procedure": "paired-t"}, "scores of a judge"),
    ],
)
def test_what_does_not_go_ends_in_a_sentence(options, expected):
    with pytest.raises(podium.PodiumError, match=expected):
        podium.compare(answers(), **options)


def test_too_few_labels_and_unlike_ones_are_refused():
    with pytest.raises(InferenceError, match="at least 15 items"):
        podium.compare(answers(labelled=10), judge="score", human="human")
    frame = answers()
    first = frame[frame["human"].notna()].index[0]
    frame.loc[first, "human"] = np.nan
    with pytest.raises(InferenceError, match="labelled for some algorithms only"):
        podium.compare(frame, judge="score", human="human")
    with pytest.raises(podium.PodiumError, match="--judge score --human human"):
        podium.compare(podium.read(answers(), sampling="items", columns={"value": "score"},
                                   higher_is_better=True), "judge-corrected")  # fmt: skip


# -- drawing ---------------------------------------------------------------------------------------


@pytest.fixture
def drawn(tmp_path: Path) -> Path:
    file = tmp_path / "answers.csv"
    answers().drop(columns="human").to_csv(file, index=False)
    result = CliRunner().invoke(group, ["label", str(file), "--n", "25", "--seed", "3"])
    assert result.exit_code == 0, result.output
    return file


def filled(file: Path, items: list[str]) -> None:
    frame = pd.read_csv(file)
    frame["human"] = np.where(frame["item"].isin(items), frame["score"] - 0.1, np.nan)
    frame.to_csv(file, index=False)


def chosen(file: Path) -> list[str]:
    frame = pd.read_csv(file)
    return sorted(frame.loc[frame["drawn"].notna(), "item"].unique())


def test_the_drawn_items_are_signed_and_no_order_of_rows_changes_them(drawn: Path):
    items = chosen(drawn)
    every = pd.read_csv(drawn)["item"].tolist()
    assert items == drawn_items(every[::-1], 25, 3)
    filled(drawn, items)
    asked = ["analyze", str(drawn), "--judge", "score", "--human", "human", "--json", "-"]
    found = json.loads(CliRunner().invoke(group, asked).output)
    codes = {note["code"] for note in found["warnings"]}
    assert "labels-drawn" in codes
    assert not codes & {"labels-taken-as-random", "labels-missing"}


def test_nobody_draws_twice(drawn: Path):
    again = CliRunner().invoke(group, ["label", str(drawn), "--n", "25", "--seed", "4"])
    assert isinstance(again.exception, ResultsError)
    assert "drawn before" in str(again.exception)


def test_nothing_but_csv_is_written_into(tmp_path: Path):
    file = tmp_path / "answers.parquet"
    answers().to_parquet(file)
    before = file.read_bytes()
    refused = CliRunner().invoke(group, ["label", str(file), "--n", "25"])
    assert "say -o FILE.csv" in str(refused.exception)
    assert file.read_bytes() == before
    made = tmp_path / "drawn.csv"
    CliRunner().invoke(group, ["label", str(file), "--n", "25", "-o", str(made)])
    assert len(chosen(made)) == 25


def test_labels_of_other_items_are_refused_and_missing_ones_told(drawn: Path):
    items = chosen(drawn)
    filled(drawn, items[1:])
    found = read_judged(drawn, "score", "human")
    assert "labels-missing" in {note.code for note in found.notes}
    other = next(i for i in pd.read_csv(drawn)["item"] if i not in items)
    filled(drawn, [*items, other])
    with pytest.raises(ResultsError, match=f"'{other}' was labelled but not drawn"):
        read_judged(drawn, "score", "human")


def test_a_signature_of_other_items_is_refused(drawn: Path):
    filled(drawn, chosen(drawn))
    frame = pd.read_csv(drawn)
    frame[frame["item"] != "q119"].to_csv(drawn, index=False)
    with pytest.raises(ResultsError, match="not those of which"):
        read_judged(drawn, "score", "human")
    frame.assign(**{COLUMN: "drawn by hand"}).to_csv(drawn, index=False)
    with pytest.raises(ResultsError, match="not as `podium label` wrote it"):
        read_judged(drawn, "score", "human")


def test_labels_are_taken_as_random_unless_they_were_drawn(drawn: Path):
    filled(drawn, chosen(drawn))
    taken = "labels-taken-as-random"
    by_draw = podium.compare(read_judged(drawn, "score", "human"), judge="score", human="human")
    by_hand = podium.compare(answers(), judge="score", human="human")
    codes = [{note.code for note in found.warnings} for found in (by_draw, by_hand)]
    assert [taken in each for each in codes] == [False, True]
    other = replace(read_judged(answers(), "score", "human"), notes=(podium.Note("other"),))
    notes = judged_layout(other, "score", "human").notes
    assert taken in {note.code for note in notes}, "another note does not say that they were drawn"


def test_one_of_two_items_may_be_drawn_and_not_both(tmp_path: Path):
    file = tmp_path / "few.csv"
    file.write_text("item,model,score\nq0,a,0.1\nq1,a,0.2\n")
    both = CliRunner().invoke(group, ["label", str(file), "--n", "2", "--seed", "1"])
    assert "Of 2 items 2 cannot be drawn" in str(both.exception)
    one = CliRunner().invoke(group, ["label", str(file), "--n", "1", "--seed", "1"])
    assert one.exit_code == 0, one.exception
    assert len(chosen(file)) == 1
