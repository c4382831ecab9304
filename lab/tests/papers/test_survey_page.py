"""The survey of eugster2008 run anew: its file, and what its page tells of it."""

from __future__ import annotations

import importlib.util
import io
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import pytest

from podium_lab.papers import eugster2008_data as paper

PAPERS = Path(__file__).parents[3] / "papers"


@pytest.fixture(scope="module")
def survey() -> ModuleType:
    spec = importlib.util.spec_from_file_location("survey_page", PAPERS / "continue_survey.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_tells_what_the_file_has(survey: ModuleType) -> None:
    table, causes = pd.read_csv(survey.KEPT), pd.read_csv(survey.CAUSES)
    page = survey.README.read_text(encoding="utf-8")
    part = page.partition(survey.MARKS[0])[2].partition(survey.MARKS[1])[0]
    assert part.strip() == survey.told(table, causes, 126)
    off = table[table["finished"] & (table["z"].abs() > survey.BOUND)]
    caused = set(zip(causes["letter"], causes["algorithm"], strict=True))
    assert caused == set(zip(off["letter"], off["algorithm"], strict=True))


def test_a_cell_is_judged_by_both_spreads(survey: ModuleType) -> None:
    row = pd.read_csv(survey.KEPT).set_index(["letter", "algorithm"]).loc[("O", "nnet")]
    error = (row["sd"] ** 2 / row["samples"] + row["theirs_sd"] ** 2 / 250) ** 0.5
    assert row["standard_error"] == pytest.approx(error, abs=1e-6)
    assert row["z"] == pytest.approx((row["ours"] - row["theirs"]) / error, abs=1e-3)
    assert row["theirs_sd"] > 6 * row["sd"]  # networks that got stuck in the paper, and none here


def test_unfinished_cells_are_named_with_their_samples(survey: ModuleType) -> None:
    table, causes = pd.read_csv(survey.KEPT), pd.read_csv(survey.CAUSES)
    begun = table.assign(
        finished=table["finished"] & ~((table["letter"] == "A") & (table["algorithm"] == "knn")),
        samples=20,
    )
    said = survey.told(begun, causes, 126)
    assert "knn on A (20)" in said


def test_raw_scores_tell_the_spread_of_a_printed_mean(tmp_path: Path) -> None:
    assert paper.spreads(None) == paper.spreads(tmp_path) == {}
    (tmp_path / "results").mkdir()
    rows = [f"Circle,{b},nnet,{p}" for b, p in enumerate(("0.1", "0.3", ""), 1)]
    text = "\n".join(["ds,b,alg,p", *rows])
    pd.read_csv(io.StringIO(text)).to_csv(tmp_path / "results" / "uci621_long.csv.gz", index=False)
    assert paper.spreads(tmp_path) == {("O", "nnet"): (pytest.approx(0.02**0.5), 2)}
    ours = np.array([0.1, 0.2, 0.3])
    assert paper.standard_error(ours, (0.5, 250)) == pytest.approx((0.01 / 3 + 0.25 / 250) ** 0.5)
    assert paper.standard_error(ours, None) == pytest.approx(0.1 * (1 / 3 + 1 / 250) ** 0.5)
