"""plan and stability: what they print, write and refuse."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from podium.cli.main import status_of


@pytest.fixture
def podium(capsys, monkeypatch, tmp_path):
    """Run a command beside a table of three algorithms; its status, output and error."""
    rng = np.random.default_rng(1)
    values = rng.normal(0.7, 0.1, (12, 1)) + rng.normal([0.0, 0.02, 0.1], 0.02, (12, 3))
    frame = pd.DataFrame(values.round(4), columns=["low", "mid", "high"])
    frame.insert(0, "dataset", [f"d{i}" for i in range(12)])
    frame.to_csv(tmp_path / "scores.csv", index=False)
    frame.rename(columns={"dataset": "fold"}).assign(fold=range(1, 13)).to_csv(
        tmp_path / "folds.csv", index=False
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def command(text):
        status = status_of(text.split())
        said = capsys.readouterr()
        return status, said.out, said.err

    return command


def test_a_pilot_is_planned_and_written(podium):
    status, out, err = podium("plan scores.csv -m accuracy -D 0.02 --json plan.json")
    assert (status, err) == (0, "")
    with open("plan.json", encoding="utf-8") as file:
        found = json.load(file)
    assert f"{found['blocks']} data sets show a difference" in out
    assert "Planned for the comparison with the largest sd." in " ".join(out.split())
    assert len(found["pairs"]) == 3
    assert found["power"] >= 0.8
    assert found["pairs"][0]["resampling_sd"] is None


def test_simulated_power_tells_how_far_it_is(podium):
    asked = "plan scores.csv -m accuracy -D 0.05 -p wilcoxon --replications 20"
    status, out, err = podium(asked)
    assert status == 0
    assert "Note (" not in out
    assert "More       --why  all notes in full\n" in out
    assert "4 blocks: power" in err
    status, out, _ = podium(f"{asked} --why")
    assert status == 0
    assert "Note (simulated): Power of 'wilcoxon'" in out
    assert "by 20 studies" in out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("plan", "needs the sd of the difference, or a pilot"),
        ("plan -D 0.1", "needs the sd of the difference, or a pilot"),
        ("plan -D x -s 1", "--difference is a number, or several with commas between, not 'x'"),
        ("plan -D 1 -s 1 -J 2.5", "--datasets is a whole number, not 2.5"),
        ("plan -D 1,2 -s 1 -J 3,4", "A table of powers is for one --difference"),
        ("plan -D 1,2", "A table needs --difference and --sd"),
        ("plan -D 1 -s 1 --most 9", "--most is for a pilot"),
        ("plan -D 1 -s 1 --measure error", "--measure is for a pilot"),
        ("plan -D 1 -s 1 --by median", "--by is for a pilot"),
        ("plan -D 1 -s 1 --exclude d1", "--exclude is for a pilot"),
        ("plan -D 1 -s 1 -J nan", "--datasets is a whole number, not nan"),
        ("plan -D 1 -s 1 -J 0", "a whole number from 2 to 10000000, not 0"),
        ("plan -D 1,2 -s 1 --items 9", "--items is one number"),
        ("plan -D 1 -s 1 -J 3,4 -P 0.9", "--power is what a table of --datasets shows"),
        ("plan scores.csv -D 1,2", "planned for one difference"),
        ("plan -D 1 -s -1,1", "The sd of a plan is positive"),
        ("plan scores.csv -m accuracy -D 1 --formula central", "--formula is for a plan without"),
        ("plan scores.csv -m accuracy -D 1 --reason x", "say which by --exclude"),
        ("stability scores.csv -m accuracy --left-out --orders 9", "--orders is for blocks"),
        ("stability scores.csv -m accuracy --multiverse --resamples 9", "--resamples is for"),
        ("plan nowhere.csv -D 1", "nowhere.csv"),
        ("plan folds.csv -m accuracy --sampling cv -D 1", "A plan counts data sets"),
        ("stability folds.csv -m accuracy --sampling cv", "folds"),
        ("stability scores.csv -m accuracy --left-out --multiverse", "one at a time"),
        ("stability scores.csv -m accuracy --procedure frieman", "Did you mean 'friedman'"),
    ],
)
def test_wrong_requests_are_one_sentence(podium, text, message):
    status, out, err = podium(text)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert err.startswith("podium: ")


def test_stability_shows_ranks_places_pairs_and_orders(podium):
    status, out, _ = podium("stability scores.csv -m accuracy --resamples 200 --orders 20")
    assert status == 0
    assert out.startswith("The order is the same in ")
    assert "Stability of high ≻ mid" in out
    for title in ("Ranks by mean, 200", "Frequency of each rank", "Comparisons in 20 bootstrap"):
        assert title in out
    again = podium("stability scores.csv -m accuracy --resamples 200 --orders 20 --json -")[1]
    assert json.loads(again)["ranks"][2]["best"] == 1.0
    assert json.loads(again)["seed"] == 0


def test_one_is_left_out_in_turn_and_other_choices_are_tried(podium):
    out = podium("stability scores.csv -m accuracy --left-out -p friedman")[1]
    assert sum(line.startswith("dataset ") for line in out.splitlines()) >= 12
    found = json.loads(
        podium("stability scores.csv -m accuracy --multiverse -p friedman,paired-t --json -")[1]
    )
    assert {u["procedure"] for u in found["universes"]} == {"friedman", "paired-t"}


def test_a_table_of_plans_shares_alpha_and_is_written(podium):
    found = json.loads(podium("plan -D 0.05 -s 0.1,0.2 --comparisons 10 --json -")[1])
    alone = json.loads(podium("plan -D 0.05 -s 0.1 --comparisons 10 --json -")[1])
    assert found["rows"][0] == {"difference": 0.05, "sd": 0.1, "datasets": alone["blocks"]}
    assert found["comparisons"] == 10


def test_a_pilot_of_several_samples_shows_the_allocations(podium):
    rng = np.random.default_rng(2)
    rows = [
        (f"d{d}", s, a, 0.5 + rng.normal() / 20) for d in range(6) for s in (1, 2, 3) for a in "ab"
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "sample", "algorithm", "error"])
    frame.to_csv("nested.csv", index=False)
    status, out, _ = podium("plan nested.csv --sampling bootstrap -D 0.05")
    assert status == 0
    assert "Least compute: " in out
    assert " with 1 sample each." in out


@pytest.mark.parametrize(
    "command",
    ["plan", "stability --resamples 200 --orders 20", "stability --left-out -p sign",
     "stability --multiverse -p sign", "analyze"],
)  # fmt: skip
def test_every_command_says_which_data_sets_were_left_out(podium, command):
    name, *rest = command.split()
    said = f"{name} scores.csv -m accuracy --exclude d1,d2 --reason odd {' '.join(rest)}"
    status, out, _ = podium(said)
    assert status == 0
    assert "Left out after the fact (odd): d1, d2." in " ".join(out.split())


def test_a_multiverse_has_several_measures_of_a_table(podium):
    frame = pd.read_csv("scores.csv").melt("dataset", var_name="algorithm", value_name="accuracy")
    frame.assign(error=1 - frame["accuracy"] ** 2).to_csv("two.csv", index=False)
    out = podium("stability two.csv --multiverse -m accuracy,error -p sign --json -")[1]
    assert {u["measure"] for u in json.loads(out)["universes"]} == {"accuracy", "error"}


# -- which side of zero ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("plan -D -0.05 -s 0.1 --alternative less", "27 data sets show a difference of -0.05"),
        ("plan -D 0.05 -s 0.1 --alternative greater", "27 data sets show a difference of 0.05"),
        ("plan -D -0.05 -s 0.1", "34 data sets show a difference of 0.05"),
        ("plan -s 0.1 -J 20 --alternative less", "is -0.0577 (sd 0.1)"),
        ("plan -D -0.05,-0.1 -s 0.1 --alternative less", "     -0.05      27\n"),
    ],
)
def test_a_plan_for_one_side_keeps_the_sign_of_the_difference(podium, text, said):
    status, out, err = podium(text)
    assert (status, err) == (0, "")
    assert said in out


@pytest.mark.parametrize("more", ["", ",0.1", " -J 20", " -J 10,20"])
def test_a_difference_that_a_one_sided_test_never_finds_is_refused_with_a_way_out(podium, more):
    status, out, err = podium(f"plan -D 0.05{more} -s 0.1 --alternative less")
    assert (status, out) == (2, "")
    assert err == (
        "podium: The alternative less never finds a difference of 0.05: give the difference "
        "-0.05, or the alternative greater.\n"
    )


def test_a_simulated_plan_for_one_side_keeps_the_sign(podium):
    asked = "plan scores.csv -m accuracy -D -0.05 -J 10 -p wilcoxon --replications 5"
    assert "a difference of -0.05" in podium(f"{asked} --alternative less")[1]
    assert "a difference of 0.05" in podium(asked)[1]


@pytest.mark.parametrize(
    "text",
    [
        "plan -D 0.1 -s 0.1 --json no/x",
        "stability missing.csv --json no/x",
        "survey missing.csv --json no/x",
        "consensus missing.csv --json no/x",
        "report missing.csv -o no/x",
        "analyze missing.csv --report no/x",
        "analyze missing.csv --methods no/x",
        "plot boxes missing.csv -o no/x.pdf",
        "store summary missing.db --csv no/x",
        "store indices missing.toml -o no/x",
    ],
)
def test_where_nothing_can_be_written_is_said_before_anything_is_read(podium, text):
    status, out, err = podium(text)
    assert (status, out) == (1, "")
    assert "cannot be written: there is no folder 'no'." in err
