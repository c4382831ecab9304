"""`podium stability`: every way of asking gives what its verb gives, and no two go together."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import podium
from podium.asking.robustness import joint_stability
from podium.cli.main import status_of

Run = Callable[..., tuple[int, Any, str]]


def table(blocks: int = 8) -> pd.DataFrame:
    """Two measures of three algorithms on data sets."""
    rng = np.random.default_rng(3)
    rows = [
        (
            f"d{i}",
            name,
            round(0.2 + 0.02 * k + rng.normal(0, 0.015), 4),
            round(3 - k + rng.random(), 3),
        )
        for i in range(blocks)
        for k, name in enumerate(("svm", "lda", "knn"))
    ]
    return pd.DataFrame(rows, columns=["dataset", "algorithm", "error", "time"])


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """The status, the JSON and what is said of an error."""
    path = tmp_path / "t.csv"
    table().to_csv(path, index=False)

    def run(words: str) -> tuple[int, Any, str]:
        capsys.readouterr()
        status = status_of(["stability", str(path), *words.split(), "--json", "-"])
        said = capsys.readouterr()
        found = json.loads(said.out) if status == 0 else {}
        return status, {k: v for k, v in found.items() if k not in OF_FILES}, said.err

    return run


OF_FILES = {"warnings", "reading"}


def plain(result: Any) -> Any:
    """As JSON has it, less what only a file has: how it was read."""
    found = json.loads(result.to_json())
    return {key: value for key, value in found.items() if key not in OF_FILES}


def test_resamples_are_those_that_were_asked_for(run: Run) -> None:
    results = podium.read(table())
    asked = {"measure": "error", "resamples": 100, "orders": 5, "seed": 3, "alpha": 0.2}
    status, found, _ = run("-m error --resamples 100 --orders 5 --seed 3 --alpha 0.2")
    made = podium.stability(results, **asked)
    assert (status, found) == (0, plain(made))
    assert found != run("-m error --resamples 100 --orders 5 --seed 4 --alpha 0.2")[1]
    (note,) = [note for note in made.notes if note.code == "bootstrap"]
    # the largest standard error of a share of so many
    assert (note.of_ranks, note.of_orders) == pytest.approx((0.5 / 100**0.5, 0.5 / 5**0.5))


def test_control_and_relevance_reach_the_comparison(run: Run) -> None:
    words = "-m error -p hull --control knn --relevance 0.01 --resamples 100 --orders 4"
    made = podium.stability(
        podium.read(table()), measure="error", procedure="hull", control="knn", relevance=0.01,
        resamples=100, orders=4,
    )  # fmt: skip
    assert run(words)[1] == plain(made)


def test_one_left_out_joint_and_many_ways_are_their_verbs(run: Run) -> None:
    results = podium.read(table())
    assert run("-m error --left-out")[1] == plain(podium.left_out(results, measure="error"))
    joint = joint_stability(results, ["error", "time"], joint="pareto", resamples=10)
    assert run("-m error,time --joint pareto --resamples 10")[1] == plain(joint)
    many = podium.multiverse(results, measures=["error", "time"], procedures=["ranks", "hull"])
    found = run("-m error,time --multiverse -p ranks,hull")[1]
    ways = [{u["measure"], u["procedure"], u["order"]} for u in found["universes"]]
    assert ways == [{u["measure"], u["procedure"], u["order"]} for u in plain(many)["universes"]]
    assert {u["procedure"] for u in found["universes"]} == {"ranks", "hull"}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("--left-out --multiverse", "one at a time"),
        ("--fits --joint pareto -m error,time", "one at a time"),
        ("--joint pareto -m error,time --orders 5", "use --resamples"),
        ("--joint pareto -m error", "A joint order is of several measures"),
        ("--left-out -m error --resamples 9", "drop --left-out"),
        ("--multiverse -m error --orders 9", "drop --multiverse"),
        ("--fits -m error --alpha 0.1", "is no part of --fits"),
        ("--fits -m error --seed 1", "is no part of --fits"),
        ("--fits -m error", "These results have one fit to every sample"),
        ("-m error --resamples 99", "resamples must be a whole number from 100"),
    ],
)
def test_what_does_not_go_together_is_refused(words: str, says: str, run: Run) -> None:
    status, _, said = run(words)
    assert (status, says in " ".join(said.split())) == (2, True), said
