"""Battles and what else decides who is chosen, over varied tables, are those that were kept."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from asked import asked, prepared, rng
from outcomes import outcome
from snapshots import assert_kept

import podium
from podium.asking.battles.section import battles, covariates, matrix
from podium.asking.comparison.analysis import analysed
from podium.showing.reports.board import board

pytestmark = pytest.mark.numbers

STRENGTHS = {"ann": 0.0, "bob": 0.5, "cat": 0.9, "dan": -0.4}


def fought(count=160, seed=1, models=4, ties=0.15, side=0.2) -> pd.DataFrame:
    """Battles of models; the first shown is favoured a little, the longer answer too."""
    draws, names = rng(seed), list(STRENGTHS)[:models]
    rows = []
    for _ in range(count):
        a, b = draws.choice(models, 2, replace=False)
        lengths = draws.integers(50, 150, 2)
        d = STRENGTHS[names[a]] - STRENGTHS[names[b]] + side + (lengths[0] - lengths[1]) / 120
        tie = draws.random() < ties
        first = draws.random() < 1 / (1 + np.exp(-d))
        rows.append((names[a], names[b], "tie" if tie else "model_a" if first else "model_b",
                     *lengths, f"p{draws.integers(20)}", f"j{draws.integers(5)}"))  # fmt: skip
    head = ["model_a", "model_b", "winner", "length_a", "length_b", "prompt", "judge"]
    return pd.DataFrame(rows, columns=head)


PLAIN = ["model_a", "model_b", "winner"]
TABLES = {
    "plain": lambda: fought()[PLAIN],
    "two": lambda: fought(40, 2, 2)[PLAIN],
    "decisive": lambda: fought(120, 3, 3, ties=0.0, side=0.0)[PLAIN],
    "lengths": lambda: fought(240, 4)[[*PLAIN, "length_a", "length_b"]],
    "judged": lambda: fought(240, 5, 3)[[*PLAIN, "prompt", "judge"]],
    "prompts": lambda: fought(200, 6)[[*PLAIN, "prompt"]],
    "apart": lambda: fought(100, 7).iloc[lambda t: np.flatnonzero(
        ~((t["model_a"] == "ann") & (t["model_b"] == "bob"))
        & ~((t["model_a"] == "bob") & (t["model_b"] == "ann")))][PLAIN],
    "tied": lambda: fought(60, 8, 2, ties=1.0)[PLAIN],
    "never": lambda: fought(30, 9, 2)[PLAIN].assign(winner=lambda t: np.where(
        t["model_a"] == "ann", "model_a", "model_b")),
}  # fmt: skip
ASKED = {
    "plain": [{}, {"alpha": 0.2}, {"control": "ann"}],
    "two": [{}],
    "decisive": [{}],
    "lengths": [{}, {"covariates": "length"}, {"covariates": "length,position"}],
    "judged": [{}, {"covariates": "judge"}],
    "prompts": [{}],
    "apart": [{}],
}


def shown(of, options):
    results = podium.read(of)
    found = podium.compare(results, **options)
    analysis = analysed(results, [found])
    views = battles(analysis)
    return {
        "table": found.table.drop(columns=[c for c in found.table if c == "note"]),
        "elo": found.judged.elo,
        "notes": found.warnings,
        "rows": [view.rows for view in views],
        "headline": [(view.headline, view.sentence, view.cards) for view in views],
        "axis": [view.axis for view in views],
        "covariates": outcome(covariates, analysis),
        "matrix": outcome(matrix, analysis),
    }


@pytest.mark.parametrize("name", ASKED)
def test_battles_are_kept(name):
    told = [outcome(shown, TABLES[name](), options) for options in ASKED[name]]
    assert_kept("choices", "battles", told, name, relative=1e-6)


def test_the_page_of_battles_gives_its_script_what_every_board_gives():
    results = podium.read(TABLES["plain"]())
    found = podium.compare(results)
    (view,) = battles(analysed(results, [found]))
    usual = board(found, None, at={"measure": "wins"}).live
    assert {"pairs"} <= usual.keys()
    own = {"axis": True, "static": ["interval", "elo", "against", "rate", "battles"]}
    assert view.live == usual | own


LINES = [
    *(f"analyze {name}.csv" for name in TABLES),
    "analyze plain.csv --why --alpha 0.2",
    "analyze lengths.csv --covariates length",
    "analyze lengths.csv --covariates length,position --why",
    "analyze judged.csv --why",
    "analyze judged.csv --covariates judge",
    "analyze judged.csv --covariates odd",
    "analyze plain.csv --control ann",
    "analyze plain.csv --relevance 0.3",
    "analyze plain.csv --alternative less",
]


@pytest.mark.parametrize("line", LINES)
def test_screens_of_battles_are_kept(line, tmp_path, monkeypatch, capsys):
    prepared(tmp_path, monkeypatch, **TABLES)
    assert_kept("choices", "screens", asked(line, capsys), line)
