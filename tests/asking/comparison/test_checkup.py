"""What a file supports, lacks and would take."""

import numpy as np
import pandas as pd

import podium
from podium.asking.comparison.words import checkup, lines
from podium.cli.main import status_of


def table(gap: bool = False) -> pd.DataFrame:
    values = np.random.default_rng(0).normal(0.3, 0.05, (15, 3)).round(4)
    made = pd.DataFrame(values, columns=list("abc"))
    made.insert(0, "dataset", [f"d{i}" for i in range(15)])
    if gap:
        made.loc[0, "a"] = np.nan
    return made


def test_a_table_of_data_sets_supports_a_claim_about_data_sets_like_these_alone() -> None:
    found = checkup(podium.read(table(gap=True), measure="error"))
    assert [each.target for each in found.supported] == ["dataset-population"]
    assert (found.missing, found.scores) == (1, 45)
    said = list(lines(found))
    assert said[0] == ("Holds: 3 algorithms on 15 data sets, judged by error, sampling not stated.")
    assert said[1] == "Lacks: 1 of 45 scores are missing."
    assert any(line.startswith("Next: ") for line in said)
    assert "- datasets: several samples on every data set." in said


def test_a_table_without_a_word_on_its_samples_says_what_to_add() -> None:
    samples = table().rename(columns={"dataset": "sample"}).assign(sample=range(1, 16))
    found = checkup(podium.read(samples, measure="error"))
    assert found.supported == []
    assert "Add --sampling" in list(lines(found))[-1]


def test_what_would_settle_is_told_of_a_target_that_is_open() -> None:
    rng = np.random.default_rng(1)
    rows = [
        (f"d{d}", s, a, 0.3 + 0.02 * (a == "b") * (d - 1) + rng.normal(0, 0.01))
        for d in range(4)
        for s in range(1, 13)
        for a in "ab"
    ]
    table = pd.DataFrame(rows, columns=["dataset", "sample", "algorithm", "error"])
    found = checkup(podium.read(table, sampling="bootstrap:12"))
    assert [each.target for each in found.supported] == ["datasets", "dataset-population"]
    assert any(line.startswith("Next for dataset-pop") for line in lines(found))


def test_choices_that_cannot_be_judged_say_why() -> None:
    battles = pd.DataFrame(
        [("x", "y", "model_a"), ("y", "x", "tie"), ("x", "z", "model_b")],
        columns=["model_a", "model_b", "winner"],
    )
    said = list(lines(checkup(podium.read(battles))))
    assert not any(line.startswith("Lacks") for line in said)  # two of three models is by design
    assert said[-1].startswith("Supports no test yet. 'z' never lost, or never won")


def test_studies_and_study_files_are_told_from_scores(tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r.csv").write_text("study,yi,vi\na,0.1,0.2\nb,0.2,0.3\n")
    (tmp_path / "s.toml").write_text('name = "s"\n')
    assert status_of(["advise", "r.csv"]) == 0
    assert "podium meta r.csv takes them together" in capsys.readouterr().out
    assert status_of(["advise", "s.toml"]) == 2
    assert capsys.readouterr().err == "podium: s.toml: a study needs 'sampling'.\n"
