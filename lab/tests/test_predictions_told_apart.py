"""Rates of rules: equal models are seldom told apart, counts are resumed, and pages show them."""

from __future__ import annotations

import csv
import importlib.util
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np
import pytest

from podium_lab.predictions import CELLS, classes, told_apart
from podium_lab.rates import BATCH, RATES, all_cells, drawn, grow, read_rates

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(("measure", "draw", "items"), CELLS[:1] + CELLS[5:7])
def test_equal_models_are_seldom_told_apart(measure, draw, items):
    rng = np.random.default_rng(1)
    found = [told_apart(measure, draw, items, rng) for _ in range(12)]
    known = [one for one in found if one is not None]
    assert len(known) > 7
    assert sum(known) < 5


def test_a_draw_is_the_same_by_its_seed():
    one, other = (classes(np.random.default_rng(1), 40) for _ in range(2))
    assert one.equals(other)


def test_counts_go_on_where_they_ended(tmp_path):
    cells = {"half, or so": lambda rng: rng.random() < 0.5, "none": lambda rng: None}
    at_once = grow(cells, 3 * BATCH, tmp_path / "once.csv")
    grow(cells, BATCH, tmp_path / "parts.csv")
    assert grow(cells, 3 * BATCH, tmp_path / "parts.csv") == at_once
    assert at_once["none"] == (3, 0, 0)
    assert read_rates(tmp_path / "parts.csv")["half, or so"][1] == 3 * BATCH


def test_every_cell_was_counted_and_draws_again():
    cells, rates = all_cells(), read_rates()
    assert cells.keys() == rates.keys()
    name = "gate/as good, as dear/50"
    assert cells[name](drawn(name, 0)) in (True, False)


def test_pages_show_what_was_counted():
    spec = importlib.util.spec_from_file_location("make_rates", DOCS / "make_rates.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    for name, lines in made.PAGES.items():
        text = (DOCS / name).read_text("utf-8")
        assert made.written(text, lines(read_rates())) == text, f"python docs/make_rates.py: {name}"
    assert made.rules_page(read_rates()) == (DOCS / "rules.md").read_text("utf-8")


def test_every_rule_names_a_test_that_is_there_and_cells_that_were_counted():
    """And no cell is above 6 % but those that the page names."""
    rates = read_rates()
    with RATES.with_name("rules.csv").open(encoding="utf-8", newline="") as file:
        rules = list(csv.DictReader(file))
    texts = [path.read_text("utf-8") for path in (DOCS.parent / "tests").rglob("test_*.py")]
    seen = set()
    for rule in rules:
        assert any(f"def {rule['test']}(" in text for text in texts), rule["test"]
        for pattern in filter(None, rule["cells"].split(";")):
            cells = {cell for cell in rates if fnmatchcase(cell, pattern)}
            assert cells, pattern
            seen |= cells
    unnamed = {cell for cell in rates.keys() - seen if not cell.startswith("gate by logs/")}
    assert unnamed == set()
    said = ("longer tail", "tuned", "front of means", "one variance", "gate by logs")
    high = [cell for cell, (_, studies, claims) in rates.items() if claims > 0.06 * studies]
    assert [cell for cell in high if not any(word in cell for word in said)] == []
